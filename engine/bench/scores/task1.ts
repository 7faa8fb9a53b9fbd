/**
 * Scores of Task 1 (arXiv 2608.24621, sections 4.2, B.1–B.4, D.1–D.4).
 *
 * A slot is recovered (m = 1) when text and label match, lower case and white space collapsed; matching is one to one, so that one predicted
 * span is never credited twice. Every score is taken for an utterance, and the corpus is the mean over utterances. An empty denominator
 * scores 0; where both sides are empty, 1. An unreadable answer (null) scores 0 throughout.
 */
import { ACTION_WEIGHT, ACTIONS, SLOT_LABELS, SLOT_WEIGHT, type Action, type SlotLabel } from '../../domain/taxonomy.js';
import { bootstrap, f1, groupsOf, mean, proportion, type Estimate, type OfRecording, type Resampling } from './interval.js';

/** What an answer and the gold say of one utterance (K.1). Labels that are in no list count as wrong, not as a fault. */
export interface Labelled {
  readonly utterance_action: readonly string[];
  readonly tokens: readonly { readonly text: string; readonly label: string }[];
}

/** Smoothing inside the logarithm (B.1). */
export const EPSILON = 1e-5;
/** Steepness of the exponential penalty (B.4): action scores, entity scores. */
export const LAMBDA = { action: 3, entity: 2 } as const;

/** Table 1, "scored slots". */
export const ACTION_SLOTS: Readonly<Record<Action, readonly SlotLabel[]>> = {
  altitude_control: ['callsign', 'altitude', 'condition'],
  clearance: ['callsign', 'runway', 'waypoint', 'condition'],
  runway_instruction: ['callsign', 'runway', 'condition'],
  heading_control: ['callsign', 'heading', 'condition'],
  taxiway_instruction: ['callsign', 'taxiway', 'waypoint', 'runway'],
  speed_control: ['callsign', 'speed', 'condition'],
  contact: ['callsign', 'frequency', 'controller'],
  sequence_control: ['callsign', 'condition', 'traffic'],
};

/** CoreOnly (B.3): what makes the action executable. The paper names altitude, heading, frequency, and runway or route targets; speed and traffic are ours by analogy. */
const CORE_SLOTS: Readonly<Record<Action, readonly SlotLabel[]>> = {
  altitude_control: ['altitude'],
  clearance: ['runway', 'waypoint'],
  runway_instruction: ['runway'],
  heading_control: ['heading'],
  taxiway_instruction: ['taxiway', 'waypoint', 'runway'],
  speed_control: ['speed'],
  contact: ['frequency'],
  sequence_control: ['traffic'],
};

type Schema = Readonly<Record<Action, readonly SlotLabel[]>>;
type Weights = Readonly<Record<SlotLabel, number>>;

const without = (schema: Schema, label: SlotLabel): Schema => Object.fromEntries(ACTIONS.map((action) => [action, schema[action].filter((slot) => slot !== label)])) as unknown as Schema;
const weighted = (change: (label: SlotLabel, weight: number) => number): Weights => Object.fromEntries(SLOT_LABELS.map((label) => [label, change(label, SLOT_WEIGHT[label])])) as unknown as Weights;
/** The slots of high consequence that B.2 perturbs. */
const HIGH: readonly SlotLabel[] = ['callsign', 'runway', 'altitude', 'heading', 'waypoint', 'taxiway', 'condition'];

const SCHEMA_NO_CONDITION = without(ACTION_SLOTS, 'condition');
const UNIFORM = weighted((label) => (label === 'O' ? 0 : 1));
const HIGH_LESS = weighted((label, weight) => (HIGH.includes(label) ? weight * 0.8 : weight));
const HIGH_MORE = weighted((label, weight) => (HIGH.includes(label) ? weight * 1.2 : weight));

/** One slot to recover: its weight, and whether it was. */
export interface Slot {
  readonly weight: number;
  readonly hit: boolean;
}

const total = (slots: readonly Slot[]): number => slots.reduce((sum, { weight }) => sum + weight, 0);

/** Σ w m / Σ w; NaN without weight. */
export const linear = (slots: readonly Slot[]): number => slots.reduce((sum, { weight, hit }) => sum + (hit ? weight : 0), 0) / total(slots);

/** exp( Σ w ln(ε + m) / Σ w ), m = 0 or 1; NaN without weight. Not above 1, which ln(ε + 1) would exceed by ε. */
export const geometric = (slots: readonly Slot[], epsilon = EPSILON): number => Math.min(1, Math.exp(slots.reduce((sum, { weight, hit }) => sum + weight * Math.log(epsilon + (hit ? 1 : 0)), 0) / total(slots)));

/** ERP: exp( −λ Σ w (1 − m) ). */
export const penalty = (slots: readonly Slot[], lambda: number): number => Math.exp(-lambda * slots.reduce((sum, { weight, hit }) => sum + (hit ? 0 : weight), 0));

interface Span {
  readonly label: string;
  readonly key: string;
}
/** The form in which the text of two slots is compared. */
export type Form = (text: string) => string;
/** As the papers compare: lower case, white space collapsed. */
export const asWritten: Form = (text) => text.toLowerCase().trim().split(/\s+/u).join(' ');

const spansOf = ({ tokens }: Labelled, form: Form): Span[] => tokens.map(({ text, label }) => ({ label, key: `${label}\n${form(text)}` })).filter(({ label }) => label !== 'O');

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** For each wanted key, whether it is among the given ones, each of which serves once. */
function matched(wanted: readonly string[], given: readonly string[]): boolean[] {
  const left = counted(given);
  return wanted.map((key) => {
    const count = left.get(key) ?? 0;
    if (count === 0) return false;
    left.set(key, count - 1);
    return true;
  });
}

const slotWeight = (label: string, weights: Weights): number => (label in weights ? weights[label as SlotLabel] : 0);

/** Names of the scores, in the order of Table 4, then the sensitivity variants of B.2–B.4. */
export const TASK1_SCORES = ['ner_f1', 'ner_span_f1', 'ner_lin', 'ner_geo', 'ner_erp', 'act_ex', 'ar_lin', 'ar_geo', 'ar_erp', 'strict', 'ar_geo_uniform', 'ar_geo_high_0.8', 'ar_geo_high_1.2', 'ar_lin_no_cond', 'ar_geo_no_cond', 'ar_lin_core_only', 'ar_geo_core_only'] as const;
export type Task1Score = (typeof TASK1_SCORES)[number];

const ZERO = Object.fromEntries(TASK1_SCORES.map((name) => [name, 0])) as Record<Task1Score, number>;

/** All scores of one utterance. */
export function scoreUtterance(gold: Labelled, answer: Labelled | null, form: Form = asWritten): Record<Task1Score, number> {
  if (answer === null) return ZERO;
  const wanted = spansOf(gold, form);
  const given = spansOf(answer, form);
  const hits = matched(wanted.map(({ key }) => key), given.map(({ key }) => key));
  const count = hits.filter(Boolean).length;

  const labels = matched(wanted.map(({ label }) => label), given.map(({ label }) => label)).filter(Boolean).length;
  const slots = (spans: readonly Span[], recovered: readonly boolean[], weights: Weights, among?: readonly SlotLabel[]): Slot[] =>
    spans.flatMap(({ label }, i) => {
      const weight = slotWeight(label, weights);
      return weight > 0 && (among === undefined || among.includes(label as SlotLabel)) ? [{ weight, hit: recovered[i] === true }] : [];
    });
  const goldSlots = slots(wanted, hits, SLOT_WEIGHT);
  const givenWeight = total(slots(given, [], SLOT_WEIGHT));
  const ofBoth = (of: readonly Slot[], answered: boolean, score: () => number): number => (of.length > 0 ? score() : answered ? 0 : 1);
  const recovered = goldSlots.reduce((sum, { weight, hit }) => sum + (hit ? weight : 0), 0);

  const goldActions = ACTIONS.filter((action) => gold.utterance_action.includes(action));
  const answered = new Set(answer.utterance_action);
  const exact = goldActions.length === answered.size && goldActions.every((action) => answered.has(action));
  const byAction = (schema: Schema, weights: Weights, score: (slots: readonly Slot[]) => number): number => {
    if (goldActions.length === 0) return answered.size === 0 ? 1 : 0;
    let sum = 0;
    let weight = 0;
    for (const action of goldActions) {
      weight += ACTION_WEIGHT[action];
      if (!answered.has(action)) continue;
      const of = slots(wanted, hits, weights, schema[action]);
      sum += ACTION_WEIGHT[action] * ofBoth(of, slots(given, [], weights, schema[action]).length > 0, () => score(of));
    }
    return sum / weight;
  };
  const strict = exact && goldActions.every((action) => slots(wanted, hits, SLOT_WEIGHT, ACTION_SLOTS[action]).every(({ hit }) => hit));
  const erp = (of: readonly Slot[]): number => penalty(of, LAMBDA.action);

  return {
    ner_f1: f1(labels, wanted.length, given.length),
    ner_span_f1: f1(count, wanted.length, given.length),
    ner_lin: f1(recovered, total(goldSlots), givenWeight),
    ner_geo: ofBoth(goldSlots, givenWeight > 0, () => geometric(goldSlots)),
    ner_erp: ofBoth(goldSlots, givenWeight > 0, () => penalty(goldSlots, LAMBDA.entity)),
    act_ex: exact ? 1 : 0,
    ar_lin: byAction(ACTION_SLOTS, SLOT_WEIGHT, linear),
    ar_geo: byAction(ACTION_SLOTS, SLOT_WEIGHT, geometric),
    ar_erp: byAction(ACTION_SLOTS, SLOT_WEIGHT, erp),
    strict: strict ? 1 : 0,
    ar_geo_uniform: byAction(ACTION_SLOTS, UNIFORM, geometric),
    'ar_geo_high_0.8': byAction(ACTION_SLOTS, HIGH_LESS, geometric),
    'ar_geo_high_1.2': byAction(ACTION_SLOTS, HIGH_MORE, geometric),
    ar_lin_no_cond: byAction(SCHEMA_NO_CONDITION, SLOT_WEIGHT, linear),
    ar_geo_no_cond: byAction(SCHEMA_NO_CONDITION, SLOT_WEIGHT, geometric),
    ar_lin_core_only: byAction(CORE_SLOTS, SLOT_WEIGHT, linear),
    ar_geo_core_only: byAction(CORE_SLOTS, SLOT_WEIGHT, geometric),
  };
}

/** Exact spans of one label over the corpus. */
export interface LabelCounts {
  readonly gold: number;
  readonly predicted: number;
  readonly hits: number;
}

export interface Task1Figures {
  readonly scores: Readonly<Record<Task1Score, Estimate>>;
  readonly unreadable: number;
  readonly byLabel: Readonly<Record<string, LabelCounts>>;
}

/** Scores of a corpus: pairs of gold and answer. */
export function scoreTask1(items: readonly { readonly gold: Labelled & OfRecording; readonly answer: Labelled | null }[], resampling: Resampling = {}, form: Form = asWritten): Task1Figures {
  const rows = items.map(({ gold, answer }) => ({ ...scoreUtterance(gold, answer, form), recording: gold.recording }));
  type Row = (typeof rows)[number];
  const figures = Object.fromEntries(TASK1_SCORES.map((name) => [name, (sample: readonly Row[]) => mean(sample.map((row) => row[name]))])) as Record<Task1Score, (sample: readonly Row[]) => number>;
  const scores = bootstrap(rows, figures, resampling, ({ recording }) => recording);
  for (const name of ['act_ex', 'strict'] as const) scores[name] = proportion(rows.filter((row) => row[name] === 1).length, rows.length, scores[name], groupsOf(items));

  const byLabel: Record<string, { gold: number; predicted: number; hits: number }> = {};
  const row = (label: string): { gold: number; predicted: number; hits: number } => (byLabel[label] ??= { gold: 0, predicted: 0, hits: 0 });
  for (const { gold, answer } of items) {
    const wanted = spansOf(gold, form);
    const given = answer === null ? [] : spansOf(answer, form);
    matched(wanted.map(({ key }) => key), given.map(({ key }) => key)).forEach((hit, i) => {
      const counts = row(wanted[i]?.label ?? '');
      counts.gold++;
      if (hit) counts.hits++;
    });
    for (const { label } of given) row(label).predicted++;
  }
  return { scores, unreadable: items.filter(({ answer }) => answer === null).length, byLabel };
}
