/**
 * Execution conditions (arXiv 2608.24621, K.8; PANS-ATM §12.2.7): read back in other words is right, with another
 * waypoint or level inside is wrong, not at all is dropped.
 */
import type { Profile } from '../domain/taxonomy.js';
import type { Condition, Item, Understanding, ValueSlot } from '../domain/understanding.js';
import { compareValues } from '../domain/values.js';
import { isLimit } from './needs.js';
import { numberRuns, plainWord, saysLiterally } from './surface.js';

export interface ConditionOutcome {
  readonly kind: 'right' | 'wrong' | 'partly' | 'missing';
  readonly condition: Condition;
  readonly said: Condition | { readonly text: string; readonly span: Condition['span']; readonly confidence: number } | null;
  /** Which value inside is wrong. */
  readonly slot: ValueSlot | 'condition';
  /** Items of the readback that are used up by it. */
  readonly uses: readonly number[];
}

/** The relation without its value: "after:KILNU" → "after", "bound:at_or_above:FL80" → "bound:at_or_above". */
function relation(condition: Condition): string {
  const parts = condition.key.split(':');
  return parts.length < 2 ? condition.key : parts.slice(0, -1).join(':');
}

/** Leave to choose the moment, or for how long it holds, restricts nothing: no condition of the clearance (the paper counts it as one). */
const PERMISSION = /discretion|convenient|further (advised|notice)|initially/i;

/** A request made politely, or as soon as it can be done: nothing is waited for ("if able", "if you can", "as soon as possible"). The paper names "if able" among its conditions (K.4); "if you can" and "if possible" say the same. */
const COURTESY = /^(?:if (?:you |we )?(?:can|could|able|possible|practicable|practical|feasible|wish|like|want|please|required|needed|necessary|convenient)|as soon as (?:you |we )?(?:can|able|possible|practicable|practical)|unless otherwise)/i;

/** Words in front of a time. */
const TIME_LEAD: ReadonlySet<string> = new Set(['at', 'by', 'before', 'after', 'until', 'time']);

/** In front of "established" or "vacated" these make a report, or something to come, of it. */
const NOT_YET = /^(?:report|reporting|call|calling|advise|not|until|before|if)$/;

/** Whether one word, with the one in front of it, says that what a condition waits for has come. */
function answersAlone(condition: Condition, word: string, before: string): boolean {
  if (condition.key === 'when:departure') return word === 'airborne' || (word === 'departure' && (before === 'on' || before === 'after'));
  return (condition.key === 'when:established' || condition.key === 'when:vacated') && condition.key === `when:${word}` && !NOT_YET.test(before);
}

/** Relations that say the same or may: "when passing" is "after passing"; "at" is "reaching". */
const OPPOSITE: readonly (readonly [RegExp, RegExp])[] = [
  [/after|passing/, /before/],
  [/until|till/, /after|from/],
  [/above|greater|not_below/, /below|less|not_above/],
];

function contradict(one: string, other: string): boolean {
  return OPPOSITE.some(([a, b]) => (a.test(one) && b.test(other) && !a.test(other)) || (b.test(one) && a.test(other) && !b.test(other)));
}

const itemsOf = (understanding: Understanding, condition: Condition): readonly { item: Item; index: number }[] =>
  condition.items.flatMap((index) => {
    const item = understanding.items[index];
    return item === undefined ? [] : [{ item, index }];
  });

/** Whether two keys of traffic ("behind:LANDING_A320") may mean one aircraft: no type and no phase contradicts. */
function sameTraffic(one: string, other: string): boolean {
  const parts = (key: string): string[] => (key.split(':').at(-1) ?? '').split('_');
  const a = parts(one);
  const b = parts(other);
  const phase = (all: readonly string[]): string | undefined => all.find((p) => p === 'LANDING' || p === 'DEPARTING' || p === 'CROSSING' || p === 'VACATING');
  const type = (all: readonly string[]): string | undefined => all.find((p) => /^(?:[ABE]?\d{3}|AIRBUS|BOEING|[A-Z]{3,})$/.test(p) && p !== phase(all) && !/^(?:TRAFFIC|COMPANY|HEAVY|LINE|UP)$/.test(p));
  const fits = (x: string | undefined, y: string | undefined): boolean =>
    x === undefined || y === undefined || x === y || (x === 'AIRBUS' && /^A?[23]\d\d$/.test(y)) || (y === 'AIRBUS' && /^A?[23]\d\d$/.test(x)) || (x === 'EMBRAER' && /^E/.test(y)) || (y === 'EMBRAER' && /^E/.test(x)) || (x === 'BOEING' && /^B?7\d\d$/.test(y)) || (y === 'BOEING' && /^B?7\d\d$/.test(x));
  return fits(type(a), type(b)) && (phase(a) === undefined || phase(b) === undefined || phase(a) === phase(b)) && (type(a) !== undefined) === (type(b) !== undefined);
}

/** "After departure" beside a take-off or line-up clearance: what is ordered cannot be done before. */
const impliedByTakeoff = (instruction: Understanding, condition: Condition): boolean =>
  condition.key === 'when:departure' && instruction.commands.some((c) => c.modality === 'command' && (c.verb === 'cleared_takeoff' || c.verb === 'line_up'));

/** Compares every condition of the instruction with the readback. `taken`: items that a plain value has used up. */
export function compareConditions(instruction: Understanding, readback: Understanding, profile: Profile, taken: (index: number) => boolean): readonly ConditionOutcome[] {
  const left = new Set(readback.conditions.filter((condition) => !isLimit(readback, condition)));
  const judged = instruction.conditions.filter((condition) => !isLimit(instruction, condition) && !(COURTESY.test(condition.text.trim()) && !(profile === 'paper' && /^if (?:able|you can|you are able|possible)\b/i.test(condition.text.trim()))) && (profile === 'paper' || !(PERMISSION.test(condition.text) || impliedByTakeoff(instruction, condition))));
  const open = new Set(judged);
  const outcomes: ConditionOutcome[] = [];
  const settle = (condition: Condition, outcome: Omit<ConditionOutcome, 'condition'>): void => {
    open.delete(condition);
    outcomes.push({ condition, ...outcome });
  };
  for (const condition of judged) {
    const said = [...left].find((c) => c.key === condition.key);
    if (said === undefined) continue;
    left.delete(said);
    settle(condition, { kind: 'right', said, slot: 'condition', uses: said.items });
  }
  // the same values in other words
  for (const condition of [...open]) {
    const given = itemsOf(instruction, condition);
    if (given.length === 0) continue;
    const said = [...left].find((c) => {
      const heard = itemsOf(readback, c);
      return given.every((g) => heard.some((h) => sameValue(g.item, h.item))) && !contradict(relation(condition), relation(c));
    });
    if (said === undefined) continue;
    left.delete(said);
    settle(condition, { kind: 'right', said, slot: 'condition', uses: said.items });
  }
  // the same aircraft described in other words ("behind the airbus on final" for the landing A320)
  for (const condition of [...open]) {
    const said = condition.kind === 'traffic' ? [...left].find((c) => c.kind === 'traffic' && sameTraffic(condition.key, c.key)) : undefined;
    if (said === undefined) continue;
    left.delete(said);
    settle(condition, { kind: 'right', said, slot: 'condition', uses: said.items });
  }
  // "traffic in sight" answers "once you have the traffic in sight"
  for (const condition of [...open]) {
    const at = condition.key.endsWith('_in_sight') ? readback.words.findIndex((w, i) => /^in$/i.test(w.text) && /^sight\b/i.test(readback.words[i + 1]?.text ?? '')) : -1;
    if (at < 0) continue;
    settle(condition, { kind: 'right', said: { text: 'in sight', span: [at, at + 2], confidence: readback.confidence }, slot: 'condition', uses: [] });
  }
  // "airborne" answers "when airborne", "established" "when established", and "at three zero" says the time of "at time three zero"
  for (const condition of [...open]) {
    const at = readback.words.findIndex((w, i) => answersAlone(condition, plainWord(w.text), plainWord(readback.words[i - 1]?.text ?? '')));
    const time = condition.kind === 'time' && condition.items.length === 1 ? itemsOf(instruction, condition)[0]?.item : undefined;
    const run = time === undefined || time.unit === 'min' || [...left].some((c) => c.kind === 'time') ? undefined : numberRuns(readback).find(({ span, digits }) => digits === time.value && TIME_LEAD.has(plainWord(readback.words[span[0] - 1]?.text ?? '')));
    const span = run !== undefined ? ([run.span[0] - 1, run.span[1]] satisfies Condition['span']) : at >= 0 ? ([at, at + 1] satisfies Condition['span']) : undefined;
    const lead = run === undefined ? '' : plainWord(readback.words[run.span[0] - 1]?.text ?? '');
    if (span === undefined || contradict(relation(condition), lead)) continue;
    const uses = readback.items.flatMap((item, index) => (item.span[0] >= span[0] && item.span[1] <= span[1] ? [index] : []));
    settle(condition, { kind: 'right', said: { text: readback.words.slice(span[0], span[1]).map((w) => w.text).join(' '), span, confidence: readback.confidence }, slot: 'condition', uses });
  }
  // the same kind of condition with something else inside, or the other way round
  for (const condition of [...open]) {
    const said = [...left].find((c) => c.kind === condition.kind && (condition.items.length > 0 || c.items.length > 0 || contradict(relation(condition), relation(c))));
    if (said === undefined) continue;
    left.delete(said);
    settle(condition, { kind: 'wrong', said, slot: wrongSlot(instruction, condition, readback, said), uses: said.items });
  }
  // procedural conditions differ in wording more than in meaning ("when able" for "when ready"); another one is doubtful
  for (const condition of [...open]) {
    const said = condition.kind === 'procedural' ? [...left].find((c) => c.kind === 'procedural') : undefined;
    if (said === undefined) continue;
    left.delete(said);
    settle(condition, { kind: 'partly', said, slot: 'condition', uses: said.items });
  }
  // "passing three thousand" reads as a report of the level, and is what the condition waits for
  for (const condition of [...open]) {
    if (condition.kind !== 'altitude' && !condition.items.some((i) => instruction.items[i]?.slot === 'altitude')) continue;
    const given = itemsOf(instruction, condition).find((g) => g.item.slot === 'altitude');
    const index = readback.items.findIndex((item, i) => !taken(i) && item.slot === 'altitude' && item.modality === 'report' && item.verb === undefined);
    const item = readback.items[index];
    if (given === undefined || item === undefined || condition.key.startsWith('bound:')) continue;
    const [from, to] = item.span;
    const said = { text: readback.words.slice(from, to).map((w) => w.text).join(' '), span: item.span, confidence: item.confidence };
    settle(condition, { kind: sameValue(given.item, item) ? 'right' : 'wrong', said, slot: 'altitude', uses: [index] });
  }
  // the very words, though the parser made something else of them
  for (const condition of [...open]) {
    const at = saysLiterally(instruction, condition.span, readback);
    if (at === null) continue;
    const uses = readback.items.flatMap((item, index) => (item.span[0] >= at[0] && item.span[1] <= at[1] ? [index] : []));
    settle(condition, { kind: 'right', said: { text: readback.words.slice(at[0], at[1]).map((w) => w.text).join(' '), span: at, confidence: readback.confidence }, slot: 'condition', uses });
  }
  for (const condition of open) {
    const given = itemsOf(instruction, condition);
    const places = given.map((g) => placeOf(g.item, instruction, readback, taken));
    if (given.length === 0 || places.includes(null)) {
      outcomes.push({ kind: 'missing', condition, said: null, slot: 'condition', uses: [] });
      continue;
    }
    const found = places.filter((p) => p !== null);
    const first = Math.min(...found.map((p) => p.span[0]));
    const last = Math.max(...found.map((p) => p.span[1]));
    const said = { text: readback.words.slice(first, last).map((w) => w.text).join(' '), span: [first, last] as [number, number], confidence: Math.min(...found.map((p) => p.confidence)) };
    const keptBound = found.some((p) => p.bound !== undefined && condition.key.includes(p.bound));
    // "passing etmar" in front of the order reads as a report, and is the gate of "when passing etmar"
    const lead = plainWord(readback.words[first - 1]?.text ?? '');
    const gate = condition.kind === 'waypoint' && ((relation(condition) === 'after' && /^(?:passing|past|passed|crossing)$/.test(lead)) || (relation(condition) === 'at' && /^(?:over|overhead|abeam|reaching)$/.test(lead)));
    // the value came back without what makes it a limit: dropped; a gate whose fix is named is only doubtful
    outcomes.push({ kind: keptBound || gate ? 'right' : condition.key.startsWith('bound:') ? 'missing' : 'partly', condition, said, slot: 'condition', uses: found.flatMap((p) => p.index ?? []) });
  }
  return outcomes;
}

/** Where a readback says the value of a condition by itself: as an item, or a name in so many words. */
function placeOf(given: Item, instruction: Understanding, readback: Understanding, taken: (index: number) => boolean): { span: Condition['span']; confidence: number; bound?: string; index?: number } | null {
  const index = readback.items.findIndex((item, i) => !taken(i) && sameValue(given, item));
  const item = readback.items[index];
  if (item !== undefined) return { span: item.span, confidence: item.confidence, index, ...(item.bound === undefined ? {} : { bound: item.bound }) };
  const span = given.slot === 'waypoint' ? saysLiterally(instruction, given.span, readback) : null;
  return span === null ? null : { span, confidence: readback.confidence };
}

const sameValue = (given: Item, said: Item): boolean => given.slot === said.slot && compareValues(given.slot, given.value, said.value, said.unit) === 'equal';

function wrongSlot(instruction: Understanding, condition: Condition, readback: Understanding, said: Condition): ValueSlot | 'condition' {
  const heard = itemsOf(readback, said);
  for (const { item } of itemsOf(instruction, condition)) {
    const other = heard.find((h) => h.item.slot === item.slot);
    if (other !== undefined && !sameValue(item, other.item)) return item.slot;
  }
  return condition.kind === 'altitude' ? 'altitude' : 'condition';
}
