/**
 * The nine ground actions of arXiv 2605.11769 (section III, Tables III and IV) with their slots, read off an Understanding.
 */
import type { Item, Understanding } from '../domain/understanding.js';
import { tokenise } from '../phraseology/index.js';

/** Table IV, highest risk first. */
export const GROUND_ACTIONS = ['HOLD', 'TAXI', 'GIVE_WAY', 'CONTACT', 'PUSHBACK', 'INFORM', 'GREET', 'STANDBY', 'UNKNOWN'] as const;
export type GroundAction = (typeof GROUND_ACTIONS)[number];

/** Entity types of Table III. */
export type GroundSlot = 'callsign' | 'taxiway' | 'runway' | 'boundary' | 'condition' | 'vehicle' | 'qualifier' | 'gate' | 'report' | 'frequency' | 'controller' | 'greet';

export interface GroundReading {
  readonly action: GroundAction;
  /** Exact words by type, in order. `boundary`: what must not be passed (hold short of, holding point). */
  readonly slots: readonly { readonly type: GroundSlot; readonly text: string }[];
}

const QUALIFIER = /^(?:left|right|north|south|east|west|facing|nose|tail|straight|ahead|second|first|next|all|the|way|then|long|short|inner|outer|behind|expedite|immediately)$/iu;

/** Ground reading of one transmission: the action of highest risk that it holds, and every slot said. */
export function readGround(understanding: Understanding): GroundReading {
  const { commands, items, words } = understanding;
  const verbs = new Set([...commands.filter((command) => command.modality === 'command' || command.modality === 'request').map((command) => command.verb), ...items.flatMap((item) => (item.verb === undefined || item.modality === 'information' ? [] : [item.verb]))]);
  const has = (...names: readonly string[]): boolean => names.some((name) => verbs.has(name as Item['verb'] & string));
  const text = (from: number, to: number): string => words.slice(from, to).map((word) => word.text).join(' ');

  const slots: { type: GroundSlot; text: string; at: number; end?: number }[] = [];
  for (const reading of understanding.callsign_candidates.slice(0, 1)) slots.push({ type: 'callsign', text: text(...reading.span), at: reading.span[0] });
  for (const item of items) {
    const held = item.verb === 'hold_short' || item.slot === 'holding_point';
    const type: GroundSlot | undefined =
      item.slot === 'runway' ? (held ? 'boundary' : 'runway')
      : item.slot === 'taxiway' ? (held ? 'boundary' : 'taxiway')
      : item.slot === 'holding_point' ? 'boundary'
      : item.slot === 'stand' ? 'gate'
      : item.slot === 'frequency' ? 'frequency'
      : item.slot === 'controller' ? 'controller'
      : item.slot === 'traffic' && item.verb !== 'number' ? 'vehicle'
      : item.slot === 'waypoint' && item.verb === 'hold' ? 'boundary'
      : undefined;
    if (type === undefined) continue;
    // letters of a route are one name until a figure ends it ("november papa one | november charlie three")
    const last = slots[slots.length - 1];
    if ((type === 'taxiway' || (type === 'boundary' && item.slot === 'taxiway')) && last?.type === type && last.end === item.span[0] && !/(?:\d|one|two|three|four|five|six|seven|eight|nine|niner|zero)$/iu.test(last.text)) {
      last.text += ` ${text(...item.span)}`;
      last.end = item.span[1];
      continue;
    }
    slots.push({ type, text: text(...item.span), at: item.span[0], end: item.span[1] });
  }
  for (const condition of understanding.conditions) slots.push({ type: 'condition', text: text(...condition.span), at: condition.span[0] });
  for (const command of commands) if (command.verb === 'report') slots.push({ type: 'report', text: text(...command.span), at: command.span[0] });
  let position = 0;
  for (const chunk of understanding.tokens) {
    const size = chunk.text.split(' ').length;
    if (chunk.label === 'O' || chunk.label === 'attribute' || chunk.label === 'taxiway_instruction' || chunk.label === 'clearance') {
      const turn = chunk.text.split(' ').filter((word) => QUALIFIER.test(word) && word !== 'the' && word !== 'then' && word !== 'way');
      if (turn.length > 0) slots.push({ type: 'qualifier', text: turn.join(' '), at: position });
    }
    position += size;
  }
  for (const token of tokenise(words.map((word) => word.text))) {
    if (token.filler !== 'greeting') continue;
    const last = slots.findLast((slot) => slot.type === 'greet');
    if (last?.end !== undefined && last.end > token.from) continue;
    if (last?.end === token.from) {
      last.text += ` ${text(token.from, token.to)}`;
      last.end = token.to;
    } else slots.push({ type: 'greet', text: text(token.from, token.to), at: token.from, end: token.to });
  }

  const action: GroundAction =
    has('hold_short', 'hold_position', 'hold') && !has('taxi') ? 'HOLD'
    : has('taxi', 'turn_left', 'turn_right', 'vacate', 'cross_runway', 'line_up', 'backtrack') ? 'TAXI'
    : has('give_way', 'follow') ? 'GIVE_WAY'
    : has('hold_short', 'hold_position') ? 'HOLD'
    : has('pushback', 'startup') ? 'PUSHBACK'
    : has('contact', 'monitor', 'standby_for') ? 'CONTACT'
    : understanding.intent === 'standby' ? 'STANDBY'
    : understanding.intent === 'greet' ? 'GREET'
    : items.length > 0 || ['inform', 'report', 'confirm', 'acknowledge', 'request', 'readback', 'instruction'].includes(understanding.intent) ? 'INFORM'
    : 'UNKNOWN';
  return { action, slots: slots.sort((a, b) => a.at - b.at).map(({ type, text: said }) => ({ type, text: said })) };
}
