/**
 * What holds at the end: a person's word before the machine's, with both at hand.
 */
import type { Verdict } from '../domain/finding.js';
import { ErrorType, RISK_OF, type RiskLevel } from '../domain/taxonomy.js';
import type { ExchangeState, FindingRecord, Review, SessionState, TransmissionState } from './state.js';

/** The answer on one exchange. Null: nothing was said about it. */
export interface Answer {
  readonly verdict: Verdict | null;
  /** A Task 2 error type, or the reviewer's own word; null when none was given. */
  readonly errorType: string | null;
  readonly risk: RiskLevel | null;
  readonly slot: string | null;
}

export interface Judged {
  /** What holds: the reviewer's decision if there is one, else the machine's. */
  readonly holds: Answer;
  readonly machine: Answer;
  readonly finding?: FindingRecord;
  readonly review?: Review;
  /** True when the reviewer decided about an earlier finding than the one shown. */
  readonly findingIsNewer: boolean;
}

const NOTHING: Answer = { verdict: null, errorType: null, risk: null, slot: null };

function machineAnswer(record: FindingRecord | undefined): Answer {
  if (record === undefined) return NOTHING;
  const { verdict, error_type, risk_level, affected_slot } = record.finding;
  return { verdict, errorType: error_type, risk: risk_level, slot: affected_slot };
}

/**
 * A reviewer's decision put over the machine's answer.
 *
 * An overruling with an error type is that type. Without one, only two readings are plain: an overruled "error" is correct, and an
 * overruled "correct" is an error of a kind not told. An overruled "uncertain" or "unreadable" stays what it is, since taking
 * it for correct could make a wrong readback look right.
 */
function decided(machine: Answer, review: Review): Answer {
  if (review.error_type !== undefined) {
    const known = ErrorType.safeParse(review.error_type);
    if (!known.success) return { verdict: 'error', errorType: review.error_type, risk: null, slot: null };
    const correct = RISK_OF[known.data] === 'CORRECT';
    // a level of the reviewer's own holds where it does not contradict the type: an error is never CORRECT
    const own = review.risk_level;
    const risk = own !== undefined && (own === 'CORRECT') === correct ? own : RISK_OF[known.data];
    return { verdict: correct ? 'correct' : 'error', errorType: known.data, risk, slot: correct ? null : machine.slot };
  }
  if (review.decision === 'agree') return machine;
  if (machine.verdict === 'error') return { verdict: 'correct', errorType: 'CORRECT', risk: 'CORRECT', slot: null };
  if (machine.verdict === 'correct') return { verdict: 'error', errorType: null, risk: null, slot: null };
  return machine;
}

/** The answer on an exchange, machine's and reviewer's. */
export function judged(exchange: ExchangeState): Judged {
  const finding = exchange.findings.at(-1);
  const review = exchange.reviews.at(-1);
  const machine = machineAnswer(finding);
  // the reviewer agreed with, or overruled, the finding that was there at the time
  const seen = review === undefined ? undefined : exchange.findings.filter((each) => each.seq < review.seq).at(-1);
  return {
    machine,
    holds: review === undefined ? machine : decided(machineAnswer(seen), review),
    ...(finding === undefined ? {} : { finding }),
    ...(review === undefined ? {} : { review }),
    findingIsNewer: review !== undefined && seen !== finding,
  };
}

/** The words of a transmission: a person's correction if there is one, else the recogniser's; undefined when there are none yet. */
export const textOf = (transmission: TransmissionState): string | undefined =>
  transmission.edits.at(-1)?.text ?? transmission.recognition?.text ?? transmission.understanding?.text;

/** The recogniser's words; undefined when there are none yet. */
export const machineTextOf = (transmission: TransmissionState): string | undefined => transmission.recognition?.text ?? transmission.understanding?.text;

/** What a session comes to, reviewers' decisions counted in place of what they overruled. */
export interface Counts {
  readonly transmissions: number;
  readonly exchanges: number;
  /** Exchanges with a firm answer (correct or error) by level; an error of untold kind is in none of them. */
  readonly risk: Readonly<Record<RiskLevel, number>>;
  /** Errors by a reviewer's word whose kind was not told. */
  readonly untyped: number;
  /** Exchanges whose finding is `uncertain` or `unreadable`. */
  readonly uncertain: number;
  /** Exchanges without a readback: still open, or closed unanswered. */
  readonly open: number;
  /** Transmissions whose audio waits for the recogniser, and those where it failed. */
  readonly pending: number;
  readonly failed: number;
  readonly reviewed: number;
}

/** Counts over a state. Every exchange with a finding is in exactly one of risk, untyped and uncertain. */
export function countsOf(state: SessionState): Counts {
  const risk: Record<RiskLevel, number> = { CORRECT: 0, HIGH: 0, CRITICAL: 0, EXTREME: 0 };
  let untyped = 0;
  let uncertain = 0;
  let open = 0;
  let reviewed = 0;
  for (const exchange of state.exchanges.values()) {
    const { holds, review } = judged(exchange);
    if (review !== undefined) reviewed += 1;
    if (holds.verdict === 'uncertain' || holds.verdict === 'unreadable') uncertain += 1;
    else if (holds.verdict !== null && holds.risk !== null) risk[holds.risk] += 1;
    else if (holds.verdict !== null) untyped += 1;
    if (exchange.exchange.status === 'open' || exchange.exchange.status === 'unanswered') open += 1;
  }
  let pending = 0;
  let failed = 0;
  for (const transmission of state.transmissions.values()) {
    if (transmission.recognition !== undefined) continue;
    if (transmission.failure !== undefined) failed += 1;
    else if (transmission.capture !== undefined) pending += 1;
  }
  return { transmissions: state.transmissions.size, exchanges: state.exchanges.size, risk, untyped, uncertain, open, pending, failed, reviewed };
}

/** Length of the recording in seconds: as told at its end, else as far as transmissions go. */
export function secondsOf(state: SessionState): number {
  let seconds = state.ended?.seconds ?? 0;
  for (const { capture } of state.transmissions.values()) if (capture !== undefined) seconds = Math.max(seconds, capture.end);
  return seconds;
}
