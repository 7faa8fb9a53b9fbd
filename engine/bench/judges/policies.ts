/**
 * Policies of the consensus on findings that are already there: two judges' findings of the same pairs, combined in each way.
 */
import type { Finding } from '../../domain/finding.js';
import { combine, DEFAULT_POLICY, EMBEDDED_POLICY, type ConsensusPolicy } from '../../judge/index.js';
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

/** The policies that are compared: the two that the product uses, and the first with other thresholds, with another say for an unsure second judge, and with disagreements told as errors. */
export const POLICIES: readonly ConsensusPolicy[] = [
  DEFAULT_POLICY,
  EMBEDDED_POLICY,
  ...[0.5, 0.9, 0.97].flatMap((second) =>
    (['uncertain', 'first-alone'] as const).flatMap((unsure) =>
      (['uncertain', 'error'] as const).map((how): ConsensusPolicy => ({ ...DEFAULT_POLICY, name: `second sure from ${String(second)}, unsure: ${unsure}, disagreement: ${how}`, confident_from: { first: 0.5, second }, unsure, right_or_wrong: how })),
    ),
  ),
];

export interface PolicyFigures extends VerdictFigures {
  readonly policy: string;
}

export function comparePolicies(pairs: readonly { readonly pair: JudgedPair; readonly first: Finding; readonly second: Finding }[], policies: readonly ConsensusPolicy[] = POLICIES): PolicyFigures[] {
  return policies.map((policy) => ({ policy: policy.name, ...verdictFigures(pairs.map(({ pair, first, second }) => ({ pair, finding: combine(first, second, policy) }))) }));
}
