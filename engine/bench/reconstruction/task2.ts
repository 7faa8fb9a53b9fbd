/**
 * The reconstruction of Task 2 (arXiv 2608.24621, Table 2, C.5): an instruction is drawn as parts, a right readback of those parts is put
 * together, and one edit is made to it. The edit gives the type, level and slot; no judge has a part in it.
 *
 * A right readback is seldom the instruction's own words: parts change places, verbs and the wording of conditions change, what need not come
 * back is left out. So what differs from the instruction's words says little, and what is missing may be one word of twenty.
 */
import { generator } from '../../domain/random.js';
import { ERROR_TYPES, RISK_OF, type ErrorType, type RiskLevel } from '../../domain/taxonomy.js';
import { AIRCRAFT, callsign, chance, FILLERS, FIXES, GREETINGS, otherCallsign, otherValue, pick, say, sayCallsign, sayOtherwise, single, unit, value, whole, type Book, type Callsign, type List, type Random, type Valued } from './words.js';

export interface Task2Item {
  readonly id: string;
  readonly instruction: string;
  /** The same readback before the edit. */
  readonly correct_readback: string;
  readonly readback: string;
  readonly is_correct: boolean;
  readonly error_type: ErrorType;
  readonly risk_level: RiskLevel;
  readonly affected_slot: string | null;
  /** What was edited, in words. */
  readonly edit: string;
}

export const TASK2_OF_EACH = 100;

interface Condition {
  readonly said: string;
  readonly back: string;
}
interface Part {
  readonly slot: Valued;
  readonly value: string;
  /** With {} for the value. */
  readonly said: string;
  readonly back: string;
  readonly condition?: Condition;
}

const CRITICAL: List<Valued> = ['altitude', 'heading', 'runway'];
const HIGH: List<Valued> = ['speed', 'frequency'];
/** Order of consequence, where several slots are wrong (domain: "the field of highest consequence"). */
const WEIGHTIEST: readonly string[] = ['callsign', 'altitude', 'runway', 'heading'];

/** A condition in the instruction's words, and in the readback's: the same words, or others that say the same. */
function condition(random: Random, slot: Valued): Condition {
  const fix = pick(random, FIXES);
  const miles = single(String(whole(random, 4, 9)));
  const time = single(`${pick(random, ['1', '0'])}${String(whole(random, 1, 9))}${pick(random, ['1', '2', '3', '4'])}${pick(random, ['0', '5'])}`);
  const craft = pick(random, AIRCRAFT);
  const level = single(String(whole(random, 12, 30) * 10));
  const wordings: Readonly<Record<Valued, List<List<string>>>> = {
    altitude: [['when ready', 'when we are ready'], [`after passing ${fix}`, `after ${fix}`, `once past ${fix}`], [`not before ${fix}`, `no earlier than ${fix}`], [`to be level by ${fix}`, `level by ${fix}`], [`when passing ${fix}`, `passing ${fix}`], [`not before ${time}`, `no earlier than ${time}`], [`to be at or above flight level ${level} by ${fix}`, `at flight level ${level} or above by ${fix}`]],
    heading: [[`after passing ${fix}`, `after ${fix}`, `once past ${fix}`], ['until established', 'until we are established'], [`when passing ${fix}`, `passing ${fix}`], ['when able', 'as soon as able'], [`before reaching ${fix}`, `before ${fix}`]],
    runway: [['when established on the localizer', 'once established on the localizer'], [`behind the landing ${craft}`, `after the landing ${craft}`], ['when established', 'once established']],
    speed: [[`until ${miles} miles final`, `to ${miles} miles final`], [`until passing ${fix}`, `until ${fix}`], [`after ${fix}`, `once past ${fix}`, `after passing ${fix}`], ['when able', 'as soon as able']],
    frequency: [['when airborne', 'once airborne'], [`after passing ${fix}`, `passing ${fix}`, `once past ${fix}`], ['when clear of the runway', 'once clear of the runway'], ['when vacated', 'once vacated']],
  };
  const same = pick(random, wordings[slot]);
  return { said: same[0], back: pick(random, same) };
}

/** What a part is said with. One verb goes with one readback's, or with none. */
function part(random: Random, slot: Valued, book: Book, conditional: boolean): Part {
  const v = value(random, slot, book);
  const both = (pairs: List<List<string>>): { said: string; back: string } => {
    const same = pick(random, pairs);
    return { said: same[0], back: pick(random, same) };
  };
  const there = unit(random, book, 'any');
  const limit = conditional ? condition(random, slot) : undefined;
  const wording = {
    altitude: (): { said: string; back: string } => both([['climb {}', 'climbing {}', 'climb {}', 'up to {}'], ['descend {}', 'descending {}', 'descend {}', 'down to {}'], ['climb and maintain {}', 'climbing to {}', 'climb and maintain {}'], ['descend and maintain {}', 'descending to {}', 'descend and maintain {}'], ['maintain {}', 'maintaining {}', 'maintain {}']]),
    heading: () => both([['turn left {}', 'left {}', 'turning left {}', 'turn left {}'], ['turn right {}', 'right {}', 'turning right {}', 'turn right {}'], ['fly {}', '{}', 'flying {}'], ['continue {}', 'continuing {}', '{}']]),
    runway: () => (limit !== undefined ? both(limit.said.startsWith('behind') ? [['line up and wait {}', 'lining up and waiting {}', 'line up and wait {}']] : [['cleared ils approach {}', 'cleared ils {}', 'cleared for the ils approach {}']]) : both([['{} cleared to land', 'cleared to land {}', '{} cleared to land'], ['cleared ils approach {}', 'cleared ils {}', 'cleared for the ils approach {}'], ['hold short {}', 'holding short {}', 'hold short of {}'], ['{} cleared for takeoff', 'cleared for takeoff {}'], ['cross {}', 'crossing {}']])),
    speed: () => both([['reduce speed {}', 'reducing {}', 'speed {}', 'reduce speed {}'], ['increase speed {}', 'increasing {}', 'speed {}'], ['maintain speed {}', 'speed {}', 'maintaining {}']]),
    frequency: () => both([[`contact ${there} {}`, `${there} {}`, `contact ${there} {}`, `over to ${there} {}`], [`monitor ${there} {}`, `monitoring ${there} {}`], [`contact ${there} on {}`, `${there} on {}`, `to ${there} {}`]]),
  }[slot]();
  return { slot, value: v, ...wording, ...(limit === undefined ? {} : { condition: limit }) };
}

/** Which slots an instruction is made of; what must be in it comes first. */
const COMPANIONS: Readonly<Record<Valued, List<Valued>>> = { altitude: ['heading', 'speed', 'runway', 'frequency'], heading: ['altitude', 'speed', 'runway'], runway: ['heading', 'speed', 'frequency'], speed: ['altitude', 'heading', 'runway'], frequency: ['altitude', 'runway', 'heading'] };

interface Scene {
  readonly book: Book;
  readonly callsign: Callsign;
  readonly parts: readonly Part[];
  readonly instruction: string;
}

function scene(random: Random, slots: readonly Valued[], conditionOn: Valued | undefined): Scene {
  const book: Book = chance(random, 0.6) ? 'icao' : 'faa';
  const own = callsign(random, book);
  const parts = slots.map((slot) => part(random, slot, book, slot === conditionOn));
  // a condition stands before its part only where no other part comes before it, so that it cannot belong to that one
  const said = parts.map(({ slot, value: v, said: words, condition: limit }, i) => {
    const text = words.replace('{}', say(slot, v, book));
    return limit === undefined ? text : i === 0 && chance(random, 0.25) ? `${limit.said} ${text}` : `${text} ${limit.said}`;
  });
  // what need not come back
  const head = chance(random, 0.35) ? pick(random, [unit(random, book, 'any'), pick(random, GREETINGS), 'radar contact', 'identified', 'roger']) : undefined;
  const tail = chance(random, 0.15) ? pick(random, ['thank you', 'please', 'no delay expected', 'traffic is no factor']) : undefined;
  return { book, callsign: own, parts, instruction: [sayCallsign(own), ...(head === undefined ? [] : [head]), ...said, ...(tail === undefined ? [] : [tail])].join(' ') };
}

/** How a readback is put together; the edit changes one copy of it. */
interface Back {
  readonly callsign: Callsign;
  readonly callsignFirst: boolean;
  readonly parts: readonly { readonly slot: Valued; readonly words: string; readonly value: string; readonly condition?: string; readonly conditionFirst: boolean; readonly otherwise?: string }[];
  readonly fillers: readonly { readonly at: number; readonly word: string }[];
  readonly head: string;
  readonly tail: string;
}

/** A right readback. `verbatim`: in the instruction's words and order. */
function readback(random: Random, { parts, callsign: own }: Scene, verbatim: boolean): Back {
  const ordered = !verbatim && parts.length > 1 && chance(random, 0.4) ? [...parts].reverse() : parts;
  return {
    callsign: own,
    callsignFirst: verbatim ? chance(random, 0.5) : chance(random, 0.2),
    parts: ordered.map(({ slot, value: v, said, back, condition: limit }) => ({ slot, value: v, words: verbatim ? said : back, conditionFirst: chance(random, verbatim ? 0 : 0.25), ...(limit === undefined ? {} : { condition: verbatim ? limit.said : limit.back }) })),
    fillers: [],
    head: !verbatim && chance(random, 0.15) ? pick(random, ['roger', 'copied']) : '',
    tail: !verbatim && chance(random, 0.1) ? pick(random, GREETINGS) : '',
  };
}

function sayBack({ callsign: own, callsignFirst, parts, fillers, head, tail }: Back, book: Book): string {
  const said = parts.map(({ slot, value: v, words, condition: limit, conditionFirst, otherwise }, i) => {
    const text = words.replace('{}', otherwise ?? say(slot, v, book));
    return limit === undefined ? text : conditionFirst && i === 0 ? `${limit} ${text}` : `${text} ${limit}`;
  });
  const name = sayCallsign(own);
  const pieces = (callsignFirst ? [head, name, ...said, tail] : [head, ...said, name, tail]).filter((piece) => piece !== '');
  for (const { at, word } of fillers) pieces.splice(Math.min(at, pieces.length - 1), 0, word);
  return pieces.join(' ');
}

interface Edited {
  readonly back: Back;
  readonly slot: string | null;
  readonly edit: string;
}

const change = (back: Back, slot: Valued, to: Partial<Back['parts'][number]>): Back => ({ ...back, parts: back.parts.map((one) => (one.slot === slot ? { ...one, ...to } : one)) });
function wrongValue(random: Random, back: Back, slot: Valued): { back: Back; edit: string } {
  const from = back.parts.find((one) => one.slot === slot)?.value ?? '';
  const to = otherValue(random, slot, from);
  return { back: change(back, slot, { value: to }), edit: `${slot} ${from} → ${to}` };
}
function wrongCallsign(random: Random, back: Back): { back: Back; edit: string } {
  const to = otherCallsign(random, back.callsign);
  return { back: { ...back, callsign: to }, edit: `callsign ${sayCallsign(back.callsign)} → ${sayCallsign(to)}` };
}
/** Left out: the part with its verb; or all but the verb ("climbing"). The bare rest of a part alone is "roger". */
function left(random: Random, back: Back, slot: Valued): { back: Back; edit: string } {
  const rest = back.parts.filter((one) => one.slot !== slot);
  const edit = `${slot} left out`;
  return rest.length === 0 ? { back: { ...back, head: pick(random, ['roger', 'wilco']), parts: [] }, edit } : { back: { ...back, parts: rest }, edit };
}
const withFillers = (random: Random, back: Back): Back => ({ ...back, fillers: Array.from({ length: whole(random, 1, 2) }, () => ({ at: whole(random, 0, 3), word: pick(random, FILLERS) })) });
function withFormat(random: Random, back: Back, book: Book): { back: Back; slot: Valued } | undefined {
  const able = back.parts.flatMap((one) => {
    const otherwise = sayOtherwise(random, one.slot, one.value, book);
    return otherwise === undefined ? [] : [{ slot: one.slot, otherwise }];
  });
  if (able.length === 0) return undefined;
  const { slot, otherwise } = pick(random, able as unknown as List<(typeof able)[number]>);
  return { back: change(back, slot, { otherwise }), slot };
}

/** One item of a type, or undefined where the dice allow no edit of the type. */
function item(random: Random, type: ErrorType): Omit<Task2Item, 'id'> | undefined {
  const target: Valued = type.endsWith('_CRITICAL') && type !== 'TARGET_CRITICAL' ? pick(random, CRITICAL) : type === 'VALUE_HIGH' || type === 'OMISSION_HIGH' ? pick(random, HIGH) : type === 'MULTI_ERROR' ? pick(random, CRITICAL) : pick(random, ['altitude', 'altitude', 'heading', 'heading', 'runway', 'speed', 'frequency']);
  const alone = chance(random, type === 'OMISSION_CRITICAL' || type === 'OMISSION_HIGH' ? 0.12 : 0.4);
  const second = pick(random, COMPANIONS[target]);
  const slots: Valued[] = alone ? [target] : [target, second];
  const unit_ = slots.indexOf('frequency');
  if (unit_ >= 0) slots.push(...slots.splice(unit_, 1)); // the hand-over comes last
  else if (slots.length > 1 && chance(random, 0.5)) slots.reverse();
  // an omitted part takes its condition along, which would be a second error
  const others = slots.filter((slot) => slot !== target);
  const mayLimit = type === 'OMISSION_CRITICAL' || type === 'OMISSION_HIGH' ? others : slots;
  const limited = type === 'CONSTRAINT_HIGH' ? target : mayLimit.length > 0 && chance(random, 0.45) ? pick(random, mayLimit as unknown as List<Valued>) : undefined;
  const set = scene(random, slots, limited);
  const wrong = RISK_OF[type] !== 'CORRECT';
  const plain = readback(random, set, chance(random, type === 'CORRECT' ? 0.3 : wrong ? 0.25 : 0.35));
  // in wrong readbacks fillers and formats stand beside the error, so that they give nothing away
  const dressed = wrong && chance(random, 0.2) ? withFillers(random, plain) : plain;
  const edited = ((): Edited | undefined => {
    switch (type) {
      case 'CORRECT':
        return { back: dressed, slot: null, edit: 'none' };
      case 'FILLER_CORRECT':
        return { back: withFillers(random, dressed), slot: null, edit: 'fillers put in' };
      case 'NUMBER_FORMAT': {
        const format = withFormat(random, dressed, set.book);
        return format === undefined ? undefined : { ...format, edit: `${format.slot} in another format` };
      }
      case 'VALUE_CRITICAL':
      case 'VALUE_HIGH':
        return { ...wrongValue(random, dressed, target), slot: target };
      case 'OMISSION_CRITICAL':
      case 'OMISSION_HIGH':
        return { ...left(random, dressed, target), slot: target };
      case 'TARGET_CRITICAL':
        return { ...wrongCallsign(random, dressed), slot: 'callsign' };
      case 'CONSTRAINT_HIGH':
        return { back: { ...dressed, parts: dressed.parts.map(({ condition: dropped, ...one }) => (one.slot === target || dropped === undefined ? one : { ...one, condition: dropped })) }, slot: 'condition', edit: 'condition left out' };
      case 'MULTI_ERROR': {
        const first = wrongValue(random, dressed, target);
        const also = others.find((slot) => CRITICAL.includes(slot));
        const next = also !== undefined && chance(random, 0.7) ? { ...wrongValue(random, first.back, also), slot: also } : { ...wrongCallsign(random, first.back), slot: 'callsign' };
        return { back: next.back, slot: WEIGHTIEST.find((slot) => slot === target || slot === next.slot) ?? target, edit: `${first.edit}; ${next.edit}` };
      }
    }
  })();
  if (edited === undefined) return undefined;
  const final = wrong && chance(random, 0.2) ? withFormatElsewhere(random, edited.back, edited.slot, set.book) : edited.back;
  return { instruction: set.instruction, correct_readback: sayBack(plain, set.book), readback: sayBack(final, set.book), is_correct: !wrong, error_type: type, risk_level: RISK_OF[type], affected_slot: edited.slot, edit: edited.edit };
}

/** Another slot than the edited one in another format. */
function withFormatElsewhere(random: Random, back: Back, edited: string | null, book: Book): Back {
  const format = withFormat(random, { ...back, parts: back.parts.filter(({ slot }) => slot !== edited) }, book);
  const otherwise = format?.back.parts.find(({ slot }) => slot === format.slot)?.otherwise;
  return format === undefined || otherwise === undefined ? back : change(back, format.slot, { otherwise });
}

/** 1,000 pairs, 100 of each type, in an order that says nothing. */
export function makeTask2(seed: number): Task2Item[] {
  const random = generator(seed);
  const made: Omit<Task2Item, 'id'>[] = [];
  const texts = new Set<string>();
  for (const type of ERROR_TYPES) {
    for (let count = 0; count < TASK2_OF_EACH; ) {
      const one = item(random, type);
      const text = one === undefined ? '' : `${one.instruction}\n${one.readback}`;
      if (one === undefined || texts.has(text)) continue;
      texts.add(text);
      made.push(one);
      count++;
    }
  }
  for (let i = made.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [made[i], made[j]];
    if (a !== undefined && b !== undefined) [made[i], made[j]] = [b, a];
  }
  return made.map((one, i) => ({ id: `t2-${String(i + 1).padStart(4, '0')}`, ...one }));
}
