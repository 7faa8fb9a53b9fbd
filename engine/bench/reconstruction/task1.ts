/**
 * The reconstruction of Task 1: utterances put together from labelled pieces, so that the gold is known before there is a text, and chosen
 * so that the published counts (arXiv 2608.24621, Table 1 and C.4) are met exactly.
 */
import { generator } from '../../domain/random.js';
import { ACTIONS, type Action, type ChunkLabel, type SlotLabel } from '../../domain/taxonomy.js';
import { AIRCRAFT, callsign, chance, FILLERS, FIXES, grouped, GREETINGS, LETTERS, otherOf, otherValue, pick, say, sayCallsign, single, unit, value, whole, type Book, type Random, type Valued } from './words.js';

export interface Task1Item {
  readonly id: string;
  readonly utterance: string;
  readonly utterance_action: readonly Action[];
  readonly tokens: readonly { readonly text: string; readonly label: ChunkLabel }[];
}

/** Utterances that hold the action or the slot (Table 1), of 500. Single-action utterances: 312 (C.4). */
export const UTTERANCES_WITH: Readonly<Partial<Record<ChunkLabel, number>>> = {
  altitude_control: 169, clearance: 161, runway_instruction: 50, heading_control: 141, taxiway_instruction: 36, speed_control: 71, contact: 59, sequence_control: 46,
  callsign: 446, runway: 170, altitude: 164, heading: 99, waypoint: 91, taxiway: 13, condition: 264, frequency: 54, speed: 44, relation: 92, attribute: 37, traffic: 10, controller: 112, O: 306,
};
/** Chunks in all (C.4). The 462 callsigns in 446 utterances are left out: here an utterance has one at most. */
export const CHUNKS_OF: Readonly<Partial<Record<SlotLabel, number>>> = { condition: 329, runway: 180, altitude: 180, controller: 113, waypoint: 105, heading: 103, frequency: 54, speed: 48, taxiway: 19, traffic: 10 };
export const SINGLE_ACTION = 312;
export const TASK1_SIZE = 500;
/** Of the 188 others: two actions, three actions; what makes the 733 actions of Table 1. */
const DOUBLES = 143;

type Chunk = readonly [text: string, label: ChunkLabel];

/** v: a slot's chunk with a drawn value; maybe: chunks, or none. */
function tools(random: Random, book: Book): { v: (slot: Valued) => Chunk; maybe: (share: number, ...chunks: readonly Chunk[]) => readonly Chunk[] } {
  return { v: (slot) => [say(slot, value(random, slot, book), book), slot], maybe: (share, ...chunks) => (chance(random, share) ? chunks : []) };
}

/** What one action is said with. Most of it depends on chance, so that any mix of slots can be had. */
function clause(random: Random, action: Action, book: Book): Chunk[] {
  const { v, maybe } = tools(random, book);
  const fix = (): string => pick(random, FIXES);
  switch (action) {
    case 'altitude_control': {
      const verb = pick(random, ['climb', 'descend', 'climb and maintain', 'descend and maintain', 'maintain', 'stop climb', 'continue descent'] as const);
      const to = maybe(0.1, ['to', 'relation']);
      const late = pick(random, ['when ready', `after passing ${fix()}`, `until established`, `at or above ${say('altitude', value(random, 'altitude', book), book)}`, `not before ${fix()}`, 'initially', `within ${single(String(whole(random, 3, 9)))} minutes`] as const);
      if (chance(random, 0.08)) {
        const from = value(random, 'altitude', book);
        const aim = otherValue(random, 'altitude', from);
        return [['passing', 'condition'], [say('altitude', from, book), 'altitude'], [Number(from.slice(1)) < Number(aim.slice(1)) ? 'climbing' : 'descending', 'altitude_control'], ...to, [say('altitude', aim, book), 'altitude']];
      }
      if (chance(random, 0.05)) return [[verb, 'altitude_control'], ...to, v('altitude'), ['to be level by', 'condition'], [fix(), 'waypoint']];
      if (chance(random, 0.04)) return chance(random, 0.5) ? [['expedite', 'attribute'], ['climb', 'altitude_control']] : [['continue climb', 'altitude_control']];
      return [...maybe(0.05, ['expedite', 'attribute']), [verb, 'altitude_control'], ...to, v('altitude'), ...maybe(0.4, [late, 'condition'])];
    }
    case 'clearance':
      return clearance(random, book);
    case 'runway_instruction':
      return runwayUse(random, book);
    case 'heading_control': {
      const turn = `turn ${pick(random, ['left', 'right'] as const)}`;
      if (chance(random, 0.24)) return [[pick(random, ['intercept the localizer', 'join the localizer'] as const), 'heading_control'], ...maybe(0.5, v('runway'))];
      if (chance(random, 0.09)) return [[turn, 'heading_control'], ...maybe(0.6, ['immediately', 'attribute'])];
      if (chance(random, 0.07)) return [['continue', 'heading_control'], ['present heading', 'heading']];
      if (chance(random, 0.07)) return [[turn, 'heading_control'], [`${pick(random, ['ten', 'fifteen', 'twenty', 'thirty'] as const)} degrees`, 'heading'], ...maybe(0.4, ['for spacing', 'condition'])];
      if (chance(random, 0.04)) return [[turn, 'heading_control'], v('heading'), ['then', 'O'], [`turn ${pick(random, ['left', 'right'] as const)}`, 'heading_control'], v('heading')];
      return [[pick(random, [turn, turn, 'fly'] as const), 'heading_control'], ...maybe(0.05, ['to', 'relation']), v('heading'), ...maybe(0.3, [pick(random, [`after passing ${fix()}`, 'until established', 'to intercept the localizer', 'when able', 'until further advised', `after ${fix()}`] as const), 'condition'])];
    }
    case 'taxiway_instruction': {
      const place = pick(random, [`holding point ${taxiway(random)}`, `stand ${single(String(whole(random, 11, 49)))}`, `gate ${pick(random, LETTERS)} ${single(String(whole(random, 1, 29)))}`, 'apron', 'cargo apron'] as const);
      const way = maybe(0.3, ['via', 'relation'], [taxiway(random), 'taxiway'], ...maybe(0.3, ['and', 'O'], [taxiway(random), 'taxiway']));
      return [['taxi', 'taxiway_instruction'], ...(chance(random, 0.75) ? ([['to', 'relation'], chance(random, 0.25) ? v('runway') : [place, 'waypoint']] satisfies Chunk[]) : []), ...way];
    }
    case 'speed_control': {
      if (chance(random, 0.38)) return pick<() => Chunk[]>(random, [() => [[pick(random, ['resume normal speed', 'resume published speed'] as const), 'speed_control']], () => [[pick(random, ['reduce speed', 'increase speed'] as const), 'speed_control'], [pick(random, ['when able', 'for spacing', 'when ready'] as const), 'condition']]])();
      if (chance(random, 0.1)) return [['reduce', 'speed_control'], ['to', 'relation'], [pick(random, ['minimum approach speed', 'minimum clean speed'] as const), 'speed']];
      if (chance(random, 0.07)) return [['reduce speed', 'speed_control'], v('speed'), ['then', 'O'], v('speed')];
      return [[pick(random, ['reduce speed', 'increase speed', 'maintain'] as const), 'speed_control'], ...maybe(0.08, ['to', 'relation']), v('speed'), ...maybe(0.3, [pick(random, [`until ${single(String(whole(random, 4, 8)))} miles final`, 'or less', 'or greater', 'for spacing', `until ${fix()}`] as const), 'condition'])];
    }
    case 'contact': {
      const there = unit(random, book, 'any');
      return [[pick(random, ['contact', 'contact', 'monitor', 'call'] as const), 'contact'], [there, 'controller'], ...(chance(random, 0.92) ? [...maybe(0.15, ['on', 'relation']), v('frequency')] : []), ...maybe(0.06, ['when airborne', 'condition'])];
    }
    case 'sequence_control': {
      const craft = pick(random, AIRCRAFT);
      if (chance(random, 0.22)) return pick<Chunk[]>(random, [[['follow', 'sequence_control'], [`the ${craft} ahead`, 'traffic']], [['sequenced', 'sequence_control'], ['behind', 'relation'], [`a ${craft}`, 'traffic']], [['give way', 'sequence_control'], ['to', 'relation'], [`the ${craft} from the left`, 'traffic']]]);
      return [[`number ${pick(random, ['one', 'two', 'three', 'four'] as const)}`, 'sequence_control'], ...maybe(0.25, ['caution wake turbulence', 'condition'])];
    }
  }
}

/** Clearances to land, approach, take off, fly direct or along a route. */
function clearance(random: Random, book: Book): Chunk[] {
  const { v, maybe } = tools(random, book);
  const fix = (): string => pick(random, FIXES);
  const kind = pick(random, ['land', 'land', 'approach', 'approach', 'takeoff', 'direct', 'direct', 'route', 'visual', 'continue', 'option'] as const);
  const wind = `wind ${single(String(whole(random, 10, 35) * 10))} degrees ${single(String(whole(random, 4, 18)))} knots`;
  switch (kind) {
    case 'land':
      return [...maybe(0.3, [wind, 'condition']), ...maybe(0.5, v('runway')), ['cleared to land', 'clearance']];
    case 'approach':
      return [[pick(random, ['cleared ils approach', 'cleared for the ils approach', 'cleared rnav approach', 'cleared vor approach'] as const), 'clearance'], ...maybe(0.85, v('runway')), ...maybe(0.2, ['when established', 'condition'])];
    case 'takeoff':
      return [...maybe(0.3, [wind, 'condition']), v('runway'), [pick(random, ['cleared for takeoff', 'cleared takeoff'] as const), 'clearance'], ...maybe(0.15, ['without delay', 'attribute'])];
    case 'direct': {
      const first = fix();
      return [[pick(random, ['proceed direct', 'direct', 'cleared direct', 'route direct'] as const), 'clearance'], ...maybe(0.3, ['to', 'relation']), [first, 'waypoint'], ...maybe(0.25, ['then', 'O'], [otherOf(random, FIXES, first), 'waypoint']), ...maybe(0.15, [pick(random, ['when able', 'after departure'] as const), 'condition'])];
    }
    case 'route':
      return [['cleared', 'clearance'], ['to', 'relation'], [pick(random, FIXES), 'waypoint'], ...maybe(0.5, ['via', 'relation'], [`${fix()} ${single(String(whole(random, 1, 9)))} ${pick(random, LETTERS)} departure`, 'attribute'])];
    case 'visual':
      return [[pick(random, ['cleared visual approach', 'cleared for the visual approach'] as const), 'clearance'], v('runway'), ...maybe(0.3, ['caution wake turbulence', 'condition'])];
    case 'continue':
      return [['continue approach', 'clearance'], ...maybe(0.7, v('runway'))];
    case 'option':
      return [...maybe(0.4, v('runway')), [pick(random, ['cleared touch and go', 'cleared low approach'] as const), 'clearance']];
  }
}

/** Lining up, holding short, crossing, vacating. */
function runwayUse(random: Random, book: Book): Chunk[] {
  const { v, maybe } = tools(random, book);
  const kind = pick(random, ['line up', 'behind', 'hold short', 'cross', 'vacate', 'after'] as const);
  switch (kind) {
    case 'line up':
      return [...maybe(0.4, v('runway')), ['line up and wait', 'runway_instruction']];
    case 'behind':
      return [[`behind the landing ${pick(random, AIRCRAFT)}`, 'condition'], ['line up', 'runway_instruction'], v('runway'), ...maybe(0.7, ['behind', 'condition'])];
    case 'hold short':
      return [['hold short', 'runway_instruction'], ...maybe(0.5, ['of', 'relation']), v('runway')];
    case 'cross':
      return [['cross', 'runway_instruction'], v('runway'), ...maybe(0.25, ['without delay', 'attribute'])];
    case 'vacate':
      return [[`vacate ${pick(random, ['left', 'right'] as const)}`, 'runway_instruction'], ...maybe(0.2, ['via', 'relation'], [taxiway(random), 'taxiway'])];
    case 'after':
      return [['after landing', 'condition'], v('runway'), ['hold short', 'runway_instruction'], ['of', 'relation'], v('runway')];
  }
}

const taxiway = (random: Random): string => `${pick(random, LETTERS)}${chance(random, 0.4) ? ` ${single(String(whole(random, 1, 9)))}` : ''}`;

/** Neighbours of one label are one chunk. */
function joinSame(chunks: readonly Chunk[], next: Chunk): Chunk[] {
  const last = chunks[chunks.length - 1];
  return last?.[1] === next[1] ? [...chunks.slice(0, -1), [`${last[0]} ${next[0]}`, next[1]]] : [...chunks, next];
}

/** How controllers put them one after another, most of the time. */
const USUAL_ORDER: readonly Action[] = ['sequence_control', 'heading_control', 'altitude_control', 'speed_control', 'clearance', 'runway_instruction', 'taxiway_instruction', 'contact'];
/** What pilots make of the verb. */
const READ_BACK: ReadonlyMap<string, string> = new Map(
  Object.entries({
    climb: 'climbing', descend: 'descending', maintain: 'maintaining', 'stop climb': 'stopping climb', 'continue descent': 'continuing descent', 'turn left': 'left', 'turn right': 'right', 'reduce speed': 'speed', 'increase speed': 'increasing speed',
    taxi: 'taxiing', cross: 'crossing', 'hold short': 'holding short', 'line up': 'lining up', 'vacate left': 'vacating left', 'vacate right': 'vacating right', contact: 'over to', 'proceed direct': 'direct', 'intercept the localizer': 'intercepting the localizer',
  }),
);
const GROUND: readonly Action[] = ['runway_instruction', 'taxiway_instruction'];

/** An utterance with these actions. */
function utterance(random: Random, actions: readonly Action[]): Chunk[] {
  const book: Book = chance(random, 0.6) ? 'icao' : 'faa';
  const pilot = chance(random, 0.2);
  const own: Chunk = [sayCallsign(callsign(random, book)), 'callsign'];
  const clauses = (chance(random, 0.8) ? [...actions].sort((a, b) => USUAL_ORDER.indexOf(a) - USUAL_ORDER.indexOf(b)) : actions).map((action) => clause(random, action, book));
  const chunks: Chunk[] = [];
  const named = chance(random, 0.89);
  const atEnd = named && (pilot ? chance(random, 0.85) : chance(random, 0.2));
  if (named && !atEnd) chunks.push(own);
  if (!pilot && chance(random, actions.includes('contact') ? 0.02 : 0.16)) chunks.push([unit(random, book, actions.some((action) => GROUND.includes(action)) ? 'ground' : 'air'), 'controller']);
  const opening = pick<() => Chunk | undefined>(random, [() => undefined, () => [pick(random, GREETINGS), 'O'], () => [pick(random, ['okay', 'roger', 'all right sir', 'uh', 'and'] as const), 'O'], () => [pick(random, FILLERS), 'O']])();
  if (opening !== undefined) chunks.push(opening);
  if (!pilot && chance(random, 0.3)) chunks.push([pick(random, ['radar contact', 'identified', `qnh one zero ${single(String(whole(random, 10, 29)))}`, `squawk ${single(`${String(whole(random, 1, 7))}${String(whole(random, 0, 7))}${String(whole(random, 0, 7))}${String(whole(random, 1, 7))}`)}`, `information ${pick(random, LETTERS)}`, 'caution wake turbulence'] as const), 'condition']);
  clauses.forEach((part, i) => {
    if (i > 0 && chance(random, 0.4)) chunks.push([pick(random, ['and', 'then', 'and then'] as const), 'O']);
    chunks.push(...(pilot ? part.map(([text, label]): Chunk => [READ_BACK.get(text) ?? text, label]) : part));
  });
  if (!pilot && chance(random, 0.15)) chunks.push([pick(random, [`report ${pick(random, FIXES)}`, 'report established', 'expect vectors', 'expect no delay', `report passing ${grouped(String(whole(random, 11, 39) * 10))}`] as const), 'condition']);
  if (atEnd) chunks.push(own);
  if (chance(random, 0.2)) chunks.push([pick(random, ['thank you', 'thanks a lot', 'bye bye', 'please', 'sir'] as const), 'O']);
  // two conditions beside each other would be one chunk, which says less than it seems
  if (chunks.some(([, label], i) => label === 'condition' && chunks[i + 1]?.[1] === 'condition')) return utterance(random, actions);
  return chunks.reduce<Chunk[]>(joinSame, []);
}

const deviation = (counts: ReadonlyMap<string, number>): number => [...TARGETS].reduce((sum, [key, aim]) => sum + Math.abs((counts.get(key) ?? 0) - aim), 0);
const TARGETS: ReadonlyMap<string, number> = new Map([...Object.entries(UTTERANCES_WITH), ...Object.entries(CHUNKS_OF).map(([label, count]): [string, number] => [`${label} chunks`, count])]);

/** How often an utterance has each label, and whether it has it at all. */
function tally(chunks: readonly Chunk[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, label] of chunks) {
    counts.set(label, 1);
    counts.set(`${label} chunks`, (counts.get(`${label} chunks`) ?? 0) + 1);
  }
  return counts;
}

/** The action sets of the 500 utterances: every action as often as published, 312 alone, no set with an action twice. */
function actionSets(random: Random): Action[][] {
  const left = new Map<Action, number>(ACTIONS.map((action) => [action, UTTERANCES_WITH[action] ?? 0]));
  const sizes = Array.from({ length: TASK1_SIZE }, (_, i) => (i < TASK1_SIZE - SINGLE_ACTION - DOUBLES ? 3 : i < TASK1_SIZE - SINGLE_ACTION ? 2 : 1));
  // the larger sets first, drawn by what is left, so that the rest can always be dealt singly
  const sets = sizes.map((size) => {
    const set: Action[] = [];
    while (set.length < size) {
      const open = ACTIONS.filter((action) => !set.includes(action) && (left.get(action) ?? 0) > 0);
      let at = random() * open.reduce((sum, action) => sum + (left.get(action) ?? 0), 0);
      const drawn = open.find((action) => (at -= left.get(action) ?? 0) < 0) ?? open[0];
      if (drawn === undefined) throw new Error('The action counts cannot be dealt.');
      set.push(drawn);
      left.set(drawn, (left.get(drawn) ?? 0) - 1);
    }
    return set;
  });
  for (let i = sets.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [sets[i], sets[j]] = [sets[j] ?? [], sets[i] ?? []];
  }
  return sets;
}

/**
 * 500 utterances. They are drawn at random, then drawn anew one by one, keeping what does not lead away from the published counts, until all
 * are met.
 *
 * @throws Error when the counts are not met after very many draws.
 */
export function makeTask1(seed: number): Task1Item[] {
  const random = generator(seed);
  const sets = actionSets(random);
  const made = sets.map((set) => utterance(random, set));
  const counts = new Map<string, number>();
  const add = (chunks: readonly Chunk[], sign: number): void => {
    for (const [key, count] of tally(chunks)) counts.set(key, (counts.get(key) ?? 0) + sign * count);
  };
  const textOf = (chunks: readonly Chunk[]): string => chunks.map(([text]) => text).join(' ');
  const texts = new Set<string>();
  made.forEach((chunks) => {
    add(chunks, 1);
    texts.add(textOf(chunks));
  });
  let away = deviation(counts);
  for (let draws = 0; away > 0 || texts.size < made.length; draws++) {
    if (draws > 400_000) throw new Error(`The published counts were not met: ${[...TARGETS].filter(([key, aim]) => counts.get(key) !== aim).map(([key, aim]) => `${key} ${String(counts.get(key) ?? 0)} of ${String(aim)}`).join(', ')}.`);
    const at = Math.floor(random() * made.length);
    const [old, set] = [made[at] ?? [], sets[at] ?? []];
    const fresh = utterance(random, set);
    const text = textOf(fresh);
    if (texts.has(text) || new Set(fresh.map(([, label]) => label).filter((label) => (ACTIONS as readonly string[]).includes(label))).size !== set.length) continue;
    add(old, -1);
    add(fresh, 1);
    const now = deviation(counts);
    if (now <= away) {
      made[at] = fresh;
      away = now;
      texts.delete(textOf(old));
      texts.add(text);
    } else {
      add(fresh, -1);
      add(old, 1);
    }
  }
  return made.map((chunks, i) => ({
    id: `t1-${String(i + 1).padStart(4, '0')}`,
    utterance: textOf(chunks),
    utterance_action: [...new Set(chunks.map(([, label]) => label).filter((label): label is Action => (ACTIONS as readonly string[]).includes(label)))],
    tokens: chunks.map(([text, label]) => ({ text, label })),
  }));
}
