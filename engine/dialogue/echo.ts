/**
 * How much of an instruction a later transmission says again.
 */
import { bareMatches, compareValues } from '../domain/values.js';
import type { Item, Understanding, Verb } from '../domain/understanding.js';

export interface Echo {
  /** Values of the instruction that come again. */
  readonly shared: number;
  /** Values of the same kind that are not the same. */
  readonly differing: number;
  /** Numbers without a carrier that are none of the instruction's values, while some of these have not come. */
  readonly loose: number;
  /** Verbs that come again. */
  readonly verbs: number;
  /** Conditions that come again. */
  readonly conditions: number;
  /** Most of what is said is in the instruction word for word, whatever the parser makes of it. */
  readonly wording: boolean;
  /** Values in the instruction that a readback would repeat. */
  readonly asked: number;
  /** Values in the transmission that are of no kind that the instruction has. */
  readonly foreign: number;
}

/** Values of a gate ("cross … at or above …", "until …"): a limit on the way and not the thing that is ordered itself. */
export function gated(u: Understanding): ReadonlySet<Item> {
  const inside = new Set(u.conditions.flatMap((c) => c.items));
  return new Set(u.items.filter((item, i) => inside.has(i) || item.verb === 'cross_waypoint' || item.bound === 'at_or_above' || item.bound === 'at_or_below'));
}

/** What an item is about: holding at one point is no other value of being sent direct to another. */
export const kindOf = (item: Item): string => (item.slot === 'waypoint' && item.verb !== undefined ? `waypoint ${item.verb}` : item.slot);

/** Items that an instruction asks to do something with (weather, traffic and positions are not). */
export const commanded = (instruction: Understanding): readonly Item[] => instruction.items.filter((i) => i.modality === 'command' || i.slot === 'qnh');

/** Compares a transmission with an instruction; see Echo. */
export function echoOf(instruction: Understanding, reply: Understanding): Echo {
  const wanted = commanded(instruction);
  const used = new Set<number>();
  let shared = 0;
  for (const item of wanted) {
    const at = reply.items.findIndex((said, i) => !used.has(i) && ((said.slot === item.slot && compareValues(item.slot, item.value, said.value, said.unit) === 'equal') || (said.bare === true && bareMatches(item.slot, item.value, said))));
    if (at < 0) continue;
    used.add(at);
    shared++;
  }
  const kinds = new Set(wanted.flatMap((i) => [kindOf(i), ...(i.slot === 'waypoint' ? ['waypoint'] : [])]));
  const rest = reply.items.filter((said, i) => !used.has(i) && said.modality !== 'request');
  // a gate's value is another one than an order's only where the instruction has a gate for it
  const gates = gated(reply);
  const givenGates = new Set([...gated(instruction)].map((i) => i.slot));
  const differing = rest.filter((said) => said.bare !== true && kinds.has(kindOf(said)) && (!gates.has(said) || givenGates.has(said.slot))).length;
  const loose = wanted.length > shared ? rest.filter((said) => said.bare === true).length : 0;
  const given = verbsOf(instruction);
  const verbs = [...verbsOf(reply)].filter((v) => given.has(v)).length;
  const conditions = instruction.conditions.filter((c) => reply.conditions.some((said) => said.key === c.key)).length;
  return { shared, differing, loose, verbs, conditions, wording: repeatsWords(instruction, reply), asked: wanted.length, foreign: rest.length - differing - loose };
}

const EMPTY: ReadonlySet<string> = new Set(['the', 'a', 'an', 'to', 'and', 'then', 'in', 'on', 'at', 'for', 'of', 'is', 'are', 'you', 'your', 'we', 'i', 'uh', 'um', 'er', 'hes', 'roger', 'okay', 'ok', 'thank', 'thanks', 'good', 'bye', 'hello', 'day']);

/** Figures alone are in every order; values tell whether they are the same ones. */
const FIGURES: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'three', 'tree', 'four', 'five', 'fife', 'six', 'seven', 'eight', 'nine', 'niner', 'hundred', 'thousand', 'decimal', 'point', 'flight', 'level', 'feet']);

/** At least two meaningful words outside the callsign, and six in ten of them out of the instruction. */
function repeatsWords(instruction: Understanding, reply: Understanding): boolean {
  const meaning = (u: Understanding): string[] => {
    const callsign = u.callsign_candidates[0]?.span ?? [0, 0];
    return u.words.flatMap(({ text }, i) => {
      const word = text.toLowerCase().replace(/[^a-z0-9]/g, '');
      return word === '' || EMPTY.has(word) || (i >= callsign[0] && i < callsign[1]) ? [] : [word];
    });
  };
  const given = new Set(meaning(instruction));
  const said = meaning(reply);
  const again = said.filter((word) => given.has(word));
  return again.length >= 2 && again.length >= 0.6 * said.length && again.some((word) => !FIGURES.has(word));
}

function verbsOf(understanding: Understanding): ReadonlySet<Verb> {
  const verbs = new Set<Verb>();
  for (const c of understanding.commands) if (c.modality !== 'request') verbs.add(c.verb);
  for (const i of understanding.items) if (i.verb !== undefined && i.modality !== 'request') verbs.add(i.verb);
  return verbs;
}

const RUNWAY_VERBS: ReadonlySet<Verb> = new Set<Verb>(['cleared_to_land', 'cleared_takeoff', 'cleared_touch_and_go', 'cleared_low_approach', 'line_up', 'hold_short', 'cross_runway', 'backtrack', 'hold_position', 'cancel_takeoff', 'cleared_approach']);

/** Whether ICAO wants this instruction read back, so that silence is worth an alert (PANS-ATM §4.5.7.5.1). */
export function needsReadback(instruction: Understanding): boolean {
  const slots = new Set(['altitude', 'heading', 'speed', 'runway', 'frequency', 'qnh', 'squawk', 'waypoint', 'procedure', 'route', 'taxiway', 'holding_point', 'stand', 'transition_level']);
  return commanded(instruction).some((i) => slots.has(i.slot) && i.verb !== 'report' && i.verb !== 'number') || instruction.commands.some((c) => c.modality === 'command' && RUNWAY_VERBS.has(c.verb));
}

/** Slots whose value alone is an order when it comes from a controller ("heading two one zero"); a bare level is a position report. */
const ORDERING = new Set<string>(['heading', 'speed', 'frequency', 'squawk', 'qnh']);

/** Whether a transmission tells somebody to do something. */
export function instructs(understanding: Understanding): boolean {
  return (
    understanding.commands.some((c) => c.modality === 'command') ||
    understanding.items.some((i) => (i.modality === 'command' && i.bare !== true && (i.verb !== undefined || ORDERING.has(i.slot))) || (i.slot === 'qnh' && i.modality === 'information'))
  );
}
