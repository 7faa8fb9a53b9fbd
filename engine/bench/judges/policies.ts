/**
 * Policies of the consensus on findings that are already there: two judges' findings of the same pairs, combined in each way.
 */
import type { Finding } from '../../domain/finding.js';
import { combine, DEFAULT_POLICY, EMBEDDED_POLICY, type ConsensusPolicy } from '../../judge/index.js';
import { scoreTask2 } from '../scores/task2.js';
import type { JudgedPair } from './run.js';

/** What a user sees, by what is true. "Firm": verdict error or correct. */
export interface VerdictFigures {
  readonly right: number;
  readonly wrong: number;
  /** Right readbacks told as an error: false alarms. */
  readonly falseAlarms: number;
  /** Right readbacks told as uncertain: somebody has to listen again. */
  readonly rightUncertain: number;
  /** Wrong readbacks told as correct: misses, the dangerous mistake. */
  readonly misses: number;
  readonly wrongUncertain: number;
}

export function verdictFigures(findings: readonly { readonly pair: JudgedPair; readonly finding: Finding }[]): VerdictFigures {
  const count = (right: boolean, verdict?: Finding['verdict']): number => findings.filter(({ pair, finding }) => (pair.risk_level === 'CORRECT') === right && (verdict === undefined || finding.verdict === verdict)).length;
  return { right: count(true), wrong: count(false), falseAlarms: count(true, 'error'), rightUncertain: count(true, 'uncertain'), misses: count(false, 'correct'), wrongUncertain: count(false, 'uncertain') };
}

/** The policies that are compared: the two that the product uses, and those among which the one for the embedded judge was chosen. */
export const POLICIES: readonly ConsensusPolicy[] = [
  DEFAULT_POLICY,
  EMBEDDED_POLICY,
  ...[0.9, 0.95, 0.97, 0.98].flatMap((second) =>
    [0, 0.9, 0.95].map((graver_from): ConsensusPolicy => ({ ...EMBEDDED_POLICY, name: `second sure from ${String(second)}, graver from ${String(graver_from)}`, confident_from: { first: 0.5, second }, graver_from })),
  ),
  { ...EMBEDDED_POLICY, name: 'an unsure second judge counts', unsure: 'uncertain' },
  { ...EMBEDDED_POLICY, name: 'disagreement is an error', right_or_wrong: 'error' },
];

export interface PolicyFigures extends VerdictFigures {
  readonly policy: string;
  readonly scores: Readonly<Record<'is_correct' | 'et_f1' | 'rl_acc' | 'ddr', number>>;
}

export function comparePolicies(pairs: readonly { readonly pair: JudgedPair; readonly first: Finding; readonly second: Finding }[], policies: readonly ConsensusPolicy[] = POLICIES): PolicyFigures[] {
  return policies.map((policy) => {
    const findings = pairs.map(({ pair, first, second }) => ({ pair, finding: combine(first, second, policy) }));
    const { scores } = scoreTask2(findings.map(({ pair: { risk_level, error_type }, finding }) => ({ gold: { is_correct: risk_level === 'CORRECT', error_type, risk_level }, answer: finding })), { rounds: 1 });
    const value = (key: 'is_correct' | 'et_f1' | 'rl_acc' | 'ddr'): number => scores[key].value ?? 0;
    return { policy: policy.name, ...verdictFigures(findings), scores: { is_correct: value('is_correct'), et_f1: value('et_f1'), rl_acc: value('rl_acc'), ddr: value('ddr') } };
  });
}
