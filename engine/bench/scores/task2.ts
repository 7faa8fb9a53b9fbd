/**
 * Scores of Task 2 (arXiv 2608.24621, section 4.3): correctness, error types, risk levels, and how far dangerous errors are played down.
 */
import { ERROR_TYPES, RISK_LEVELS, riskRank, type ErrorType, type RiskLevel } from '../../domain/taxonomy.js';
import { bootstrap, f1, groupsOf, mean, proportion, recordingOf, shareOf, type Estimate, type OfRecording, type Resampling } from './interval.js';

/** The fields of the output contract (K.2) that are scored. */
export interface Judged {
  readonly is_correct: boolean;
  readonly error_type: ErrorType;
  readonly risk_level: RiskLevel;
}

/** Gold and answer of one item; `answer` null: unreadable, which scores 0 and counts as CORRECT for DDR and WDS, the dangerous reading. */
export interface JudgedItem {
  readonly gold: Judged & OfRecording;
  readonly answer: Judged | null;
}

export const TASK2_SCORES = ['is_correct', 'et_f1', 'rl_acc', 'ddr', 'wds', 'upgrade_rate', 'false_alarms', 'missed'] as const;
export type Task2Score = (typeof TASK2_SCORES)[number];

const levelOf = (answer: Judged | null): RiskLevel => answer?.risk_level ?? 'CORRECT';
const isDowngrade = ({ gold, answer }: JudgedItem): boolean => riskRank(levelOf(answer)) < riskRank(gold.risk_level);

/** Counts behind F1 of one type. */
export interface TypeFigures {
  readonly gold: number;
  readonly predicted: number;
  readonly hits: number;
  readonly f1: number;
}

function typeFigures(items: readonly JudgedItem[]): Record<ErrorType, TypeFigures> {
  const counts = Object.fromEntries(ERROR_TYPES.map((type) => [type, { gold: 0, predicted: 0, hits: 0 }])) as Record<ErrorType, { gold: number; predicted: number; hits: number }>;
  for (const { gold, answer } of items) {
    counts[gold.error_type].gold++;
    if (answer === null) continue;
    counts[answer.error_type].predicted++;
    if (answer.error_type === gold.error_type) counts[gold.error_type].hits++;
  }
  return Object.fromEntries(ERROR_TYPES.map((type) => [type, { ...counts[type], f1: f1(counts[type].hits, counts[type].gold, counts[type].predicted) }])) as Record<ErrorType, TypeFigures>;
}

/** Macro F1 over the ten types; a type that neither gold nor answers have is left out of the mean. */
const macroF1 = (items: readonly JudgedItem[]): number => mean(Object.values(typeFigures(items)).flatMap((type) => (type.gold + type.predicted === 0 ? [] : [type.f1])));

const severity = (item: JudgedItem): number => (isDowngrade(item) ? (riskRank(item.gold.risk_level) - riskRank(levelOf(item.answer))) / 3 : 0);
const rate = (items: readonly JudgedItem[], is: (item: JudgedItem) => boolean): number => mean(items.map((item) => (is(item) ? 1 : 0)));

const HITS = {
  is_correct: ({ gold, answer }: JudgedItem) => answer?.is_correct === gold.is_correct,
  rl_acc: ({ gold, answer }: JudgedItem) => answer?.risk_level === gold.risk_level,
  ddr: isDowngrade,
  upgrade_rate: ({ gold, answer }: JudgedItem) => answer !== null && riskRank(answer.risk_level) > riskRank(gold.risk_level),
} as const;

export interface Task2Figures {
  /** `false_alarms`: right readbacks that were called wrong; `missed`: wrong ones that were called right; the others over all items. */
  readonly scores: Readonly<Record<Task2Score, Estimate>>;
  readonly unreadable: number;
  readonly byType: Readonly<Record<ErrorType, TypeFigures>>;
  /** Gold level, then the level answered. */
  readonly risk: Readonly<Record<RiskLevel, Readonly<Record<RiskLevel | 'UNREADABLE', number>>>>;
}

const flagged = ({ answer }: JudgedItem): boolean => answer !== null && !answer.is_correct;
const passed = (item: JudgedItem): boolean => !flagged(item);
const isRight = ({ gold }: JudgedItem): boolean => gold.is_correct;
const isWrong = ({ gold }: JudgedItem): boolean => !gold.is_correct;

/** What is true or not of every item, for tests on pairs; over `among` only, else over all. */
export const TASK2_HITS: Readonly<Record<Exclude<Task2Score, 'et_f1' | 'wds'>, { readonly is: (item: JudgedItem) => boolean; readonly among?: (item: JudgedItem) => boolean }>> = {
  is_correct: { is: HITS.is_correct },
  rl_acc: { is: HITS.rl_acc },
  ddr: { is: HITS.ddr },
  upgrade_rate: { is: HITS.upgrade_rate },
  false_alarms: { is: flagged, among: isRight },
  missed: { is: passed, among: isWrong },
};
/** Scores that are no shares of items. */
export const TASK2_WHOLE: Readonly<Record<'et_f1' | 'wds', (items: readonly JudgedItem[]) => number>> = { et_f1: macroF1, wds: (items) => mean(items.map(severity)) };

/** Scores of a set of judged readbacks. */
export function scoreTask2(items: readonly JudgedItem[], resampling: Resampling = {}): Task2Figures {
  const hits = (name: keyof typeof HITS) => (s: readonly JudgedItem[]): number => rate(s, HITS[name]);
  const whole = bootstrap(items, { is_correct: hits('is_correct'), et_f1: TASK2_WHOLE.et_f1, rl_acc: hits('rl_acc'), ddr: hits('ddr'), wds: TASK2_WHOLE.wds, upgrade_rate: hits('upgrade_rate') }, resampling, recordingOf);
  for (const name of ['is_correct', 'rl_acc', 'ddr', 'upgrade_rate'] as const) whole[name] = proportion(items.filter(HITS[name]).length, items.length, whole[name], groupsOf(items));
  // WDS is at most DDR, and so is its bound where nothing was found
  if (whole.ddr.by === '3/n' && whole.ddr.value === 0) whole.wds = { ...whole.wds, low: 0, high: whole.ddr.high, by: '3/n' };
  const risk = Object.fromEntries(RISK_LEVELS.map((level) => [level, { CORRECT: 0, HIGH: 0, CRITICAL: 0, EXTREME: 0, UNREADABLE: 0 }])) as Record<RiskLevel, Record<RiskLevel | 'UNREADABLE', number>>;
  for (const { gold, answer } of items) risk[gold.risk_level][answer?.risk_level ?? 'UNREADABLE']++;
  return {
    scores: { ...whole, false_alarms: shareOf(items.filter(isRight), flagged, resampling), missed: shareOf(items.filter(isWrong), passed, resampling) },
    unreadable: items.filter(({ answer }) => answer === null).length,
    byType: typeFigures(items),
    risk,
  };
}
