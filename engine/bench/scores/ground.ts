/**
 * Scores of arXiv 2605.11769 (section III): speaker, intention, entities by their risk, ground actions by theirs.
 */
import { GROUND_ACTIONS, type GroundAction } from '../../understanding/index.js';
import { bootstrap, f1, groupsOf, mean, proportion, recordingOf, type Estimate, type OfRecording, type Resampling } from './interval.js';

/** Table III; a boundary (what must not be passed) has the weight of a condition, which it is. */
const ENTITY_WEIGHT = new Map<string, number>(Object.entries({ callsign: 1, runway: 0.95, condition: 0.95, boundary: 0.95, taxiway: 0.9, vehicle: 0.65, qualifier: 0.5, gate: 0.4, report: 0.4, frequency: 0.3, controller: 0.25, greet: 0.05 }));

/** Table IV: risk ρ and critical slots. */
const GROUND: Readonly<Record<GroundAction, { readonly risk: number; readonly slots: readonly string[] }>> = {
  HOLD: { risk: 1, slots: ['callsign', 'boundary'] },
  TAXI: { risk: 1, slots: ['callsign', 'taxiway', 'boundary', 'qualifier', 'runway'] },
  GIVE_WAY: { risk: 1, slots: ['callsign', 'vehicle'] },
  CONTACT: { risk: 0.6, slots: ['callsign', 'frequency', 'controller'] },
  PUSHBACK: { risk: 0.6, slots: ['callsign', 'gate', 'qualifier'] },
  INFORM: { risk: 0.2, slots: ['callsign', 'controller'] },
  GREET: { risk: 0.2, slots: ['callsign', 'controller'] },
  STANDBY: { risk: 0.2, slots: ['callsign'] },
  UNKNOWN: { risk: 0.2, slots: ['callsign'] },
};
const INTENTIONS = ['greet', 'inform', 'instruction', 'readback'] as const;

export interface GroundReadingOf {
  readonly speaker: string;
  readonly intention: string;
  readonly action: GroundAction;
  readonly entities: readonly { readonly type: string; readonly text: string }[];
}
export interface GroundItem {
  readonly gold: GroundReadingOf & OfRecording;
  readonly answer: GroundReadingOf | null;
}

/** Words in common over the words of the longer text; above .9 the texts match. */
function overlap(a: string, b: string): number {
  const left = a.toLowerCase().trim().split(/\s+/u);
  const right = b.toLowerCase().trim().split(/\s+/u);
  const most = Math.max(left.length, right.length);
  let common = 0;
  for (const word of left) {
    const at = right.indexOf(word);
    if (at < 0) continue;
    right.splice(at, 1);
    common++;
  }
  return common / most;
}
const OVERLAP = 0.9;

type Entities = GroundReadingOf['entities'];

/** Which gold entities are in the answer, one to one. */
function found(gold: Entities, answer: Entities): boolean[] {
  const left = [...answer];
  return gold.map(({ type, text }) => {
    const at = left.findIndex((other) => other.type === type && overlap(text, other.text) > OVERLAP);
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}

/** A critical slot is right when the answer has all of it and nothing else; a slot that neither has is right. */
function slotRight(slot: string, gold: Entities, answer: Entities): boolean {
  const wanted = gold.filter(({ type }) => type === slot);
  const given = answer.filter(({ type }) => type === slot);
  return wanted.length === given.length && found(wanted, given).every(Boolean);
}

const slotWeight = (slot: string): number => ENTITY_WEIGHT.get(slot) ?? 0;

/** Σ w m / Σ w over the critical slots of the gold action. */
function slotScore({ gold, answer }: GroundItem): number {
  if (answer === null) return 0;
  const { slots } = GROUND[gold.action];
  return slots.reduce((sum, slot) => sum + (slotRight(slot, gold.entities, answer.entities) ? slotWeight(slot) : 0), 0) / slots.reduce((sum, slot) => sum + slotWeight(slot), 0);
}

/** r(a) · Σ w m / Σ w with r = 1 for the right action, else 1 − ρ of the gold's. */
const riskScore = (item: GroundItem): number => slotScore(item) * (item.answer?.action === item.gold.action ? 1 : 1 - GROUND[item.gold.action].risk);
const isStrict = (item: GroundItem): boolean => item.answer?.action === item.gold.action && slotScore(item) === 1;

function riskRecall({ gold, answer }: GroundItem): number {
  if (answer === null) return 0;
  const of = gold.entities.reduce((sum, { type }) => sum + slotWeight(type), 0);
  if (of === 0) return answer.entities.some(({ type }) => slotWeight(type) > 0) ? 0 : 1;
  return found(gold.entities, answer.entities).reduce((sum, hit, i) => sum + (hit ? slotWeight(gold.entities[i]?.type ?? '') : 0), 0) / of;
}

/** Macro F1 over the classes that gold or answers have. */
function macro(pairs: readonly (readonly [gold: string, answer: string | undefined])[], classes: readonly string[]): number {
  return mean(
    classes.flatMap((name) => {
      const gold = pairs.filter(([is]) => is === name).length;
      const predicted = pairs.filter(([, said]) => said === name).length;
      return gold + predicted === 0 ? [] : [f1(pairs.filter(([is, said]) => is === name && said === name).length, gold, predicted)];
    }),
  );
}

/** Macro F1 over entity types; `within`: which of an item's entities count. */
function entityMacro(items: readonly GroundItem[], within: (type: string, item: GroundItem) => boolean): number {
  const types = new Map<string, { gold: number; predicted: number; hits: number }>();
  const row = (type: string): { gold: number; predicted: number; hits: number } => {
    const known = types.get(type) ?? { gold: 0, predicted: 0, hits: 0 };
    types.set(type, known);
    return known;
  };
  for (const item of items) {
    const gold = item.gold.entities.filter(({ type }) => within(type, item));
    const answer = (item.answer?.entities ?? []).filter(({ type }) => within(type, item));
    found(gold, answer).forEach((hit, i) => {
      const counts = row(gold[i]?.type ?? '');
      counts.gold++;
      if (hit) counts.hits++;
    });
    for (const { type } of answer) row(type).predicted++;
  }
  return mean([...types.values()].map(({ gold, predicted, hits }) => f1(hits, gold, predicted)));
}

export const GROUND_SCORES = ['speaker_f1', 'intention_f1', 'action_f1', 'entity_f1', 'rw_er', 'action_macro', 'action_weighted', 'risk_score', 'risk_strict'] as const;
export type GroundScore = (typeof GROUND_SCORES)[number];

export interface GroundFigures {
  readonly scores: Readonly<Record<GroundScore, Estimate>>;
  readonly unreadable: number;
}

/** Every score over a set of items. */
export const GROUND_FIGURES: Readonly<Record<GroundScore, (items: readonly GroundItem[]) => number>> = {
  speaker_f1: (s) => macro(s.map(({ gold, answer }) => [gold.speaker.toLowerCase(), answer?.speaker.toLowerCase()]), ['pilot', 'controller']),
  intention_f1: (s) => macro(s.map(({ gold, answer }) => [gold.intention.toLowerCase(), answer?.intention.toLowerCase()]), INTENTIONS),
  action_f1: (s) => macro(s.map(({ gold, answer }) => [gold.action, answer?.action]), GROUND_ACTIONS),
  entity_f1: (s) => entityMacro(s, () => true),
  rw_er: (s) => mean(s.map(riskRecall)),
  action_macro: (s) => entityMacro(s, (type, { gold }) => GROUND[gold.action].slots.includes(type)),
  action_weighted: (s) => mean(s.map(slotScore)),
  risk_score: (s) => mean(s.map(riskScore)),
  risk_strict: (s) => mean(s.map((item) => (isStrict(item) ? 1 : 0))),
};
export const GROUND_HITS = { risk_strict: isStrict } as const;

/** Scores of a set of ground transmissions. Names of classes are compared in lower case. */
export function scoreGround(items: readonly GroundItem[], resampling: Resampling = {}): GroundFigures {
  const scores = bootstrap(items, GROUND_FIGURES, resampling, recordingOf);
  scores.risk_strict = proportion(items.filter(isStrict).length, items.length, scores.risk_strict, groupsOf(items));
  return { scores, unreadable: items.filter(({ answer }) => answer === null).length };
}
