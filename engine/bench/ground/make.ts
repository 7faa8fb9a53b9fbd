/**
 * Ground movement utterances to the published counts of arXiv 2605.11769 (Table I): put together from labelled pieces, so that the gold is
 * known before there is a text, and drawn anew until every count is met. Not the authors' utterances, which are of one airport.
 */
import { generator } from '../../domain/random.js';
import type { GroundAction } from '../../understanding/index.js';
import { AIRCRAFT, callsign, chance, FILLERS, LETTERS, pick, PLACES, sayCallsign, single, whole, type List, type Random } from '../reconstruction/words.js';

/** Entity types of Table III, and `boundary`: what must not be passed. It is a kind of condition, and is counted there. */
export const ENTITY_TYPES = ['callsign', 'taxiway', 'boundary', 'condition', 'controller', 'greet', 'gate', 'frequency', 'report', 'qualifier', 'vehicle', 'runway'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];
export type Speaker = 'pilot' | 'controller';
export type Intention = 'instruction' | 'readback' | 'inform' | 'greet';

export interface GroundUtterance {
  readonly id: string;
  readonly utterance: string;
  readonly speaker: Speaker;
  readonly intention: Intention;
  readonly action: GroundAction;
  readonly entities: readonly { readonly type: EntityType; readonly text: string }[];
}

/** Entity spans, and O: stretches of other words between them. `condition` includes boundaries. */
export const SPANS: Readonly<Record<Exclude<EntityType, 'boundary'> | 'O', number>> = { O: 2845, condition: 1277, taxiway: 1114, callsign: 988, controller: 357, greet: 270, gate: 189, frequency: 158, report: 157, qualifier: 124, vehicle: 77, runway: 68 };

/** How many of which: the published margins (speaker, intention, action) leave this open; instructions are the controller's, readbacks the pilot's. */
const CELLS: readonly (readonly [Speaker, Intention, GroundAction, number])[] = [
  ...([['TAXI', 165], ['CONTACT', 75], ['HOLD', 62], ['PUSHBACK', 46], ['GIVE_WAY', 14], ['STANDBY', 12], ['INFORM', 26], ['UNKNOWN', 4]] as const).map(([action, n]) => ['controller', 'instruction', action, n] as const),
  ...([['TAXI', 160], ['CONTACT', 72], ['HOLD', 51], ['PUSHBACK', 40], ['GIVE_WAY', 10], ['STANDBY', 4], ['INFORM', 12], ['UNKNOWN', 10]] as const).map(([action, n]) => ['pilot', 'readback', action, n] as const),
  ...([['TAXI', 16], ['CONTACT', 2], ['HOLD', 2], ['PUSHBACK', 26], ['INFORM', 101], ['UNKNOWN', 6], ['GREET', 6]] as const).map(([action, n]) => ['pilot', 'inform', action, n] as const),
  ['controller', 'inform', 'INFORM', 30],
  ['pilot', 'greet', 'GREET', 42],
  ['controller', 'greet', 'GREET', 6],
];

type Chunk = readonly [text: string, type: EntityType | 'O'];

const HELLOS: List<string> = ['good day', 'hello', 'good morning', 'good evening', 'good afternoon', 'hi'];
const BYES: List<string> = ['bye bye', 'good day', 'goodbye', 'thank you', 'thanks', 'thank you bye'];

/** What utterances are made of. */
class Pieces {
  constructor(readonly random: Random) {}

  maybe(share: number, ...chunks: readonly Chunk[]): readonly Chunk[] {
    return chance(this.random, share) ? chunks : [];
  }
  of(...texts: readonly string[]): string {
    return texts[Math.floor(this.random() * texts.length)] ?? '';
  }
  o(...texts: readonly string[]): Chunk {
    return [this.of(...texts), 'O'];
  }
  /** Names of taxiways end with a figure or are one letter. */
  taxiway(): string {
    const { random } = this;
    return chance(random, 0.55) ? `${pick(random, LETTERS)} ${single(String(whole(random, 1, 9)))}` : chance(random, 0.3) ? `${pick(random, LETTERS)} ${pick(random, LETTERS)} ${single(String(whole(random, 1, 9)))}` : pick(random, LETTERS);
  }
  runway(): string {
    return `runway ${single(String(whole(this.random, 1, 36)).padStart(2, '0'))}${this.of('', ' left', ' right')}`;
  }
  gate(): string {
    const { random } = this;
    return this.of(`stand ${single(String(whole(random, 11, 89)))}`, `gate ${pick(random, LETTERS)} ${single(String(whole(random, 1, 29)))}`, `bay ${single(String(whole(random, 101, 499)))}`, `stand ${pick(random, LETTERS)} ${single(String(whole(random, 1, 19)))}`);
  }
  unit(): string {
    return `${chance(this.random, 0.45) ? `${pick(this.random, PLACES)} ` : ''}${this.of('ground', 'tower', 'apron', 'delivery', 'ground')}`;
  }
  frequency(): string {
    return `${single(`1${String(whole(this.random, 18, 23))}`)} ${this.of('decimal', 'decimal', 'point')} ${single(this.of('1', '25', '3', '65', '725', '85', '9', '95'))}`;
  }
  craft(): string {
    return this.of(`the ${pick(this.random, AIRCRAFT)}`, `the company ${pick(this.random, AIRCRAFT)}`, `the ${pick(this.random, AIRCRAFT)} from your ${this.of('left', 'right')}`, `the ${pick(this.random, AIRCRAFT)} on ${this.taxiway()}`);
  }
  vehicle(): string {
    return chance(this.random, 0.75) ? this.craft() : this.of('the tow truck', 'the follow me car', 'the fire truck', 'the tug and tow');
  }
  side(): string {
    return this.of('north', 'south', 'east', 'west');
  }
  /** What limits or goes with a movement. */
  limit(): string {
    return this.of(`after passing ${this.taxiway()}`, `until ${this.taxiway()}`, `before ${this.taxiway()}`, 'when ready', 'when able', 'without delay', 'until further advised', 'due to work in progress', 'due to traffic', `once clear of ${this.taxiway()}`, `behind ${this.craft()}`, 'at your discretion', `after ${this.craft()}`, 'with caution');
  }
  /** What is told. */
  fact(): string {
    const { random } = this;
    return this.of(`information ${pick(random, LETTERS)}`, `qnh one zero ${single(String(whole(random, 10, 29)))}`, `wind ${single(String(whole(random, 10, 35) * 10))} degrees ${single(String(whole(random, 4, 18)))} knots`, `squawk ${single(`${String(whole(random, 1, 7))}${String(whole(random, 0, 7))}${String(whole(random, 0, 7))}${String(whole(random, 1, 7))}`)}`, `${this.of('five', 'ten', 'fifteen')} minutes delay`, `slot time ${single(`1${String(whole(random, 0, 9))}${String(whole(random, 10, 59))}`)}`, `work in progress on ${this.taxiway()}`, `tow in progress on ${this.taxiway()}`, 'surface is wet', 'flow control in force');
  }
  /** One to `most` of them, of another kind each (`kindOf`), with words between. */
  several(make: () => string, type: EntityType, most: number, more: number, kindOf: (text: string) => string = (text) => text): Chunk[] {
    const texts = [make()];
    while (texts.length < most && chance(this.random, more)) {
      const next = make();
      if (!texts.some((text) => kindOf(text) === kindOf(next))) texts.push(next);
    }
    return texts.flatMap((text, i): Chunk[] => [...(i === 0 ? [] : [this.o('and', 'and', 'then')]), [text, type]]);
  }
}

const firstWord = (text: string): string => text.split(' ', 1)[0] ?? '';

/** "via alfa one and bravo": one to six taxiways. */
const route = (p: Pieces, pilot: boolean): Chunk[] => [p.o(...(pilot ? ['via', 'via', 'along'] : ['via', 'via', 'on', 'along'])), ...p.several(() => p.taxiway(), 'taxiway', 6, 0.62)];
const boundary = (p: Pieces): Chunk => [chance(p.random, 0.4) ? p.runway() : p.taxiway(), 'boundary'];

/** What is said between the callsign and the end. `pilot`: in a pilot's words. */
const BODY: Readonly<Record<GroundAction, (p: Pieces, pilot: boolean, intention: Intention) => Chunk[]>> = {
  TAXI: (p, pilot, intention) => {
    if (intention === 'inform') return p.of('a', 'b') === 'a' ? [['request', 'O'], ['taxi', 'O'], ...p.maybe(0.5, ['from', 'O'], [p.gate(), 'gate']), ...p.maybe(0.5, ['with', 'O'], [p.fact(), 'condition'])] : [['vacated', 'O'], [p.runway(), 'runway'], ...route(p, true), ...p.maybe(0.5, ['for', 'O'], [p.gate(), 'gate'])];
    const start: Chunk[] = [
      ...p.maybe(0.3, [p.limit(), 'condition']),
      p.o(...(pilot ? ['taxiing', 'taxi', 'continuing taxi'] : ['taxi', 'taxi', 'continue taxi'])),
      ...p.maybe(0.22, [p.of('next left', 'second right', 'first left', 'straight ahead', 'next right', 'first right'), 'qualifier']),
      ...(chance(p.random, 0.28) ? ([['to', 'O'], chance(p.random, 0.4) ? [p.gate(), 'gate'] : [p.runway(), 'runway']] satisfies Chunk[]) : []),
    ];
    const way = chance(p.random, 0.93) ? route(p, pilot) : [];
    const stop: readonly Chunk[] = p.maybe(0.5, p.o(...(pilot ? ['hold short of', 'holding short of'] : ['hold short of', 'then hold short of'])), boundary(p));
    return [...start, ...way, ...p.maybe(0.4, [p.limit(), 'condition']), ...stop, ...p.maybe(0.3, [p.limit(), 'condition']), ...p.maybe(0.05, ['and', 'O'], [p.of('report ready', `report approaching ${p.taxiway()}`), 'report']), ...p.maybe(0.04, p.o('then contact', 'then monitor'), [p.unit(), 'controller'], [p.frequency(), 'frequency'])];
  },
  HOLD: (p, pilot) => {
    const held: Chunk[] = chance(p.random, 0.22) ? [p.o(pilot ? 'holding position' : 'hold position')] : [p.o(...(pilot ? ['holding short of', 'hold short of'] : ['hold short of', 'hold short of', 'now hold short of'])), boundary(p)];
    return [...p.maybe(0.25, [p.of(`on ${p.taxiway()}`, `approaching ${p.taxiway()}`, `on reaching ${p.taxiway()}`), 'condition']), ...held, ...p.maybe(0.6, [p.limit(), 'condition']), ...p.maybe(0.25, p.o('for', 'and look out for'), [p.vehicle(), 'vehicle'])];
  },
  GIVE_WAY: (p, pilot) => [...p.maybe(0.4, [p.of(`at ${p.taxiway()}`, `before ${p.taxiway()}`), 'condition']), p.o(...(pilot ? ['giving way to', 'give way to'] : ['give way to', 'give way to'])), [p.vehicle(), 'vehicle'], ...p.maybe(0.5, p.o('then continue', 'and continue'), ...route(p, pilot))],
  CONTACT: (p, pilot, intention) => {
    if (intention === 'inform') return [['ready for', 'O'], [p.unit(), 'controller'], ['on', 'O'], [p.frequency(), 'frequency']];
    return [...p.maybe(0.45, [p.limit(), 'condition']), p.o(...(pilot ? ['over to', 'contact', 'to'] : ['contact', 'contact', 'monitor', 'call'])), [p.unit(), 'controller'], ...p.maybe(0.25, ['on', 'O']), [p.frequency(), 'frequency'], ...p.maybe(0.1, [p.limit(), 'condition'])];
  },
  PUSHBACK: (p, pilot, intention) => {
    if (intention === 'inform') return [...p.maybe(0.6, [p.gate(), 'gate']), p.o('request pushback', 'request push and start', 'ready for pushback'), ...p.maybe(0.7, ['with', 'O'], [p.fact(), 'condition'])];
    return [...p.maybe(0.25, [p.gate(), 'gate']), p.o(...(pilot ? ['pushback approved', 'push and start approved', 'pushing back'] : ['pushback approved', 'push and start approved', 'pushback and startup approved'])), ...p.maybe(0.6, [`${p.of('facing', 'facing', 'tail', 'nose')} ${p.side()}`, 'qualifier']), ...p.maybe(0.35, p.o('onto', 'to'), [p.taxiway(), 'taxiway']), ...p.maybe(0.5, [p.limit(), 'condition']), ...p.maybe(0.2, p.o('and'), [p.of('report ready for taxi', 'call ready for taxi', 'report push complete'), 'report'])];
  },
  INFORM: (p, pilot, intention) => {
    if (intention === 'instruction') return [...p.maybe(0.3, [p.limit(), 'condition']), [p.of('report ready for pushback', 'report ready for departure', `report approaching ${p.taxiway()}`, 'advise when ready', 'confirm your stand number', 'report runway vacated', 'advise when fully ready'), 'report'], ...p.maybe(0.4, p.o('and expect', 'expect'), [p.fact(), 'condition'])];
    if (intention === 'readback') return [p.o('wilco', 'will do', 'roger'), [p.of('report ready for pushback', 'report ready for departure', 'report runway vacated', 'call you ready'), 'report'], ...p.maybe(0.4, ['and', 'O'], [p.fact(), 'condition'])];
    if (!pilot) return [...p.maybe(0.3, p.o('be advised', 'for your information', 'caution')), ...p.several(() => p.fact(), 'condition', 3, 0.75, firstWord)];
    return p.of('a', 'b', 'c') === 'a'
      ? [p.o('we are', 'now'), [p.of('ready for departure', 'ready for taxi', 'fully ready', 'runway vacated', 'push complete'), 'report'], ...p.maybe(0.4, p.o('at', 'on'), chance(p.random, 0.5) ? [p.gate(), 'gate'] : [p.taxiway(), 'taxiway'])]
      : [...p.maybe(0.6, p.o('at', 'on', 'now at'), [p.gate(), 'gate']), p.o('with', 'we have', 'copied'), ...p.several(() => p.fact(), 'condition', 3, 0.55, firstWord)];
  },
  GREET: (p) => [...p.maybe(0.3, p.o('with you', 'on frequency', 'on your frequency'))],
  STANDBY: (p, pilot) => [p.o(...(pilot ? ['standing by', 'standby'] : ['standby', 'stand by'])), ...p.maybe(0.5, p.o('for'), [p.of('pushback', 'startup', 'taxi', 'further'), 'O']), ...p.maybe(0.5, [p.limit(), 'condition'])],
  UNKNOWN: (p, _, intention) => [intention === 'readback' ? p.o('roger', 'okay', 'copied that', 'understood') : p.o('say again', 'disregard', 'sorry say again', 'radio check', 'how do you read')],
};

/** One utterance as labelled pieces; neighbours of one kind are never left side by side, unless they are no entity. */
function draw(random: Random, speaker: Speaker, intention: Intention, action: GroundAction): Chunk[] {
  const p = new Pieces(random);
  const pilot = speaker === 'pilot';
  const name: Chunk = [sayCallsign(callsign(random, chance(random, 0.7) ? 'icao' : 'faa')), 'callsign'];
  const named = chance(random, 0.988);
  const first = !pilot || intention === 'inform' || intention === 'greet' || chance(random, 0.12);
  const hello: readonly Chunk[] = action === 'GREET' ? [[pick(random, HELLOS), 'greet']] : p.maybe(first ? 0.16 : 0.02, [pick(random, HELLOS), 'greet']);
  const station: readonly Chunk[] = p.maybe(action === 'GREET' ? 0.9 : pilot ? (intention === 'inform' ? 0.75 : 0.02) : 0.12, [p.unit(), 'controller']);
  const opening: readonly Chunk[] = p.maybe(0.25, p.o(...(pilot ? ['okay', 'roger', pick(random, FILLERS)] : ['okay', 'roger', 'and', pick(random, FILLERS)])));
  const body = BODY[action](p, pilot, intention);
  const words: readonly Chunk[] = p.maybe(0.3, p.o('please', 'sir', 'for now', 'as well'));
  const bye: readonly Chunk[] = p.maybe(action === 'CONTACT' ? 0.42 : 0.06, [pick(random, BYES), 'greet']);
  const head: readonly Chunk[] = pilot ? [...station, ...(first && named ? [name] : [])] : [...(named ? [name] : []), ...station];
  const chunks = [...head, ...hello, ...opening, ...body, ...words, ...(!first && named ? [name] : []), ...bye];
  // side by side they would be one; nobody says the same twice
  const entities = chunks.filter(([, type]) => type !== 'O').map(([text]) => text);
  if (new Set(entities).size < entities.length || chunks.some(([, type], i) => type !== 'O' && chunks[i + 1]?.[1] === type)) return draw(random, speaker, intention, action);
  return chunks.reduce<Chunk[]>((joined, next) => {
    const last = joined.at(-1);
    return last?.[1] === 'O' && next[1] === 'O' ? [...joined.slice(0, -1), [`${last[0]} ${next[0]}`, 'O']] : [...joined, next];
  }, []);
}

const textOf = (chunks: readonly Chunk[]): string => chunks.map(([text]) => text).join(' ');

/** 1,000 utterances in an order that says nothing. @throws Error where the counts cannot be met, which no seed has shown */
export function makeGround(seed: number): GroundUtterance[] {
  const random = generator(seed);
  const cells = CELLS.flatMap(([speaker, intention, action, count]) => Array.from({ length: count }, () => ({ speaker, intention, action })));
  for (let i = cells.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [cells[i], cells[j]];
    if (a !== undefined && b !== undefined) [cells[i], cells[j]] = [b, a];
  }
  const made = cells.map(({ speaker, intention, action }) => draw(random, speaker, intention, action));
  const counts = new Map<string, number>(Object.keys(SPANS).map((type) => [type, 0]));
  const add = (chunks: readonly Chunk[], by: number): void => {
    for (const [, type] of chunks) counts.set(type === 'boundary' ? 'condition' : type, (counts.get(type === 'boundary' ? 'condition' : type) ?? 0) + by);
  };
  const deviation = (): number => Object.entries(SPANS).reduce((sum, [type, aim]) => sum + Math.abs((counts.get(type) ?? 0) - aim), 0);
  const texts = new Set<string>();
  for (const chunks of made) {
    add(chunks, 1);
    texts.add(textOf(chunks));
  }
  let away = deviation();
  for (let draws = 0; away > 0 || texts.size < made.length; draws++) {
    if (draws > 400_000) throw new Error(`The published counts were not met: ${Object.entries(SPANS).filter(([type, aim]) => counts.get(type) !== aim).map(([type, aim]) => `${type} ${String(counts.get(type) ?? 0)} of ${String(aim)}`).join(', ')}.`);
    const at = Math.floor(random() * made.length);
    const [old, cell] = [made[at], cells[at]];
    if (old === undefined || cell === undefined) continue;
    const fresh = draw(random, cell.speaker, cell.intention, cell.action);
    const text = textOf(fresh);
    if (texts.has(text)) continue;
    add(old, -1);
    add(fresh, 1);
    const now = deviation();
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
  return made.map((chunks, i) => {
    const { speaker = 'pilot', intention = 'inform', action = 'UNKNOWN' } = cells[i] ?? {};
    return { id: `g-${String(i + 1).padStart(4, '0')}`, utterance: textOf(chunks), speaker, intention, action, entities: chunks.flatMap(([text, type]) => (type === 'O' ? [] : [{ type, text }])) };
  });
}
