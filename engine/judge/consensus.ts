/**
 * Several judges, one finding. The first judge weighs evidence (the rules); the second is a language model. Policy is data.
 */
import { z } from 'zod';
import type { Advisory, Evidence, Finding, Opinion } from '../domain/finding.js';
import type { Judge } from '../domain/stages.js';
import { riskRank } from '../domain/taxonomy.js';
import { isSilent } from './llm.js';
import type { JudgeInput } from './rules.js';

/**
 * How two findings become one. Whatever the policy, the level is never below the more severe of two confident judges — confident of the level, where a
 * judge tells how sure it is of that —, and `correct` needs a confident judge that says so and no confident one that speaks against it.
 */
export const ConsensusPolicy = z.object({
  name: z.string(),
  /** Confidence from which a judge's `correct` or `error` counts as confident, 0…1. */
  confident_from: z.object({ first: z.number().min(0).max(1), second: z.number().min(0).max(1) }),
  /** One is confident that it is right, the other that it is wrong. */
  right_or_wrong: z.enum(['uncertain', 'error']),
  /** Both are confident that it is wrong, and differ in how grave that is: the more severe level, told as this. */
  level: z.enum(['error', 'uncertain']),
  /**
   * Both are confident that it is wrong, and the second calls it graver: it raises the level where it gives at least this probability to a level above the first
   * one's. A judge that gives no such probability (`level_above`) raises it in any case.
   */
  graver_from: z.number().min(0).max(1),
  /** The second judge gave no readable answer, or none in time: the first one's finding, marked; or uncertain. */
  silent: z.enum(['first-alone', 'uncertain']),
  /** The second judge answered and is not confident: uncertain, at the more severe level; or the first one's finding, marked. */
  unsure: z.enum(['uncertain', 'first-alone']),
  /** Milliseconds for which the second judge is waited for, where its answer may be added later. */
  patience: z.number().min(0),
});
export type ConsensusPolicy = z.infer<typeof ConsensusPolicy>;

export const DEFAULT_POLICY: ConsensusPolicy = {
  name: 'default@1',
  confident_from: { first: 0.5, second: 0.5 },
  right_or_wrong: 'uncertain',
  level: 'error',
  graver_from: 0,
  silent: 'first-alone',
  unsure: 'uncertain',
  patience: 1000,
};

/**
 * Beside the embedded judge, whose confidence is calibrated: it has a say where it is sure, and raises the level where it is sure of that. Chosen on 1,500
 * held-out pairs (docs/results/judge.md), never on the benchmark: of the policies compared that miss nothing there and have a DDR of at most .0015, the one with the most
 * levels right.
 */
export const EMBEDDED_POLICY: ConsensusPolicy = { ...DEFAULT_POLICY, name: 'embedded@2', confident_from: { first: 0.5, second: 0.97 }, unsure: 'first-alone', graver_from: 0.95 };

/**
 * Both judges at once; closes both. Never rejects when neither of them does. Where the caller takes later answers (`later`), the first one's
 * finding is given alone and marked when the second is not there in time, and amended when it is.
 */
export function createConsensusJudge(first: Judge, second: Judge, policy: ConsensusPolicy = DEFAULT_POLICY): Judge {
  const late = new Set<Promise<void>>();
  return {
    name: `consensus (${first.name}, ${second.name})`,
    get notices() {
      return [...(first.notices ?? []), ...(second.notices ?? [])];
    },
    judge: async ({ later, ...pair }: JudgeInput & { readonly later?: (finding: Finding) => void | Promise<void> }) => {
      const asking = second.judge(pair);
      const one = await first.judge(pair);
      const other = later === undefined ? await asking : await within(asking, policy.patience);
      if (other !== undefined || later === undefined) return combine(one, other ?? (await asking), policy);
      const amending = asking.then((finding) => later(combine(one, finding, policy)));
      late.add(amending);
      void amending.finally(() => late.delete(amending));
      return { ...one, judge: 'consensus', policy: policy.name, opinions: [opinionOf(one)], advisories: [...one.advisories, { kind: 'judge-pending', text: `Only ${first.name} has judged so far; ${second.name} is still at it.` }] };
    },
    settled: async () => {
      await Promise.allSettled(late);
    },
    close: async () => {
      await first.close?.();
      await second.close?.();
    },
  };
}

/** The outcome, or undefined when it takes longer than so many milliseconds. */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve) => {
        timer = setTimeout(() => {
          resolve(undefined);
        }, milliseconds);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** One finding of two about the same exchange. Pure. */
export function combine(first: Finding, second: Finding, policy: ConsensusPolicy = DEFAULT_POLICY): Finding {
  const opinions = [opinionOf(first), opinionOf(second)];
  const answers = [...(first.model_answers ?? []), ...(second.model_answers ?? [])];
  const mark = (finding: Finding): Finding => ({ ...finding, judge: 'consensus', policy: policy.name, opinions, ...(answers.length === 0 ? {} : { model_answers: answers }) });

  if (isSilent(second)) {
    const why = second.doubts[0] ?? 'no answer';
    if (policy.silent === 'first-alone') return mark({ ...first, advisories: [...first.advisories, { kind: 'one-judge', text: `Only ${first.judge} judged; ${second.judge} was ${sentence(why)}` }] });
    return mark(unsure(first, [...first.doubts, `${second.judge} was ${sentence(why)}`]));
  }

  const graver = riskRank(second.risk_level) > riskRank(first.risk_level) ? second : first;
  const both = { ...graver, evidence: mergeEvidence(first.evidence, second.evidence), advisories: mergeAdvisories(first.advisories, second.advisories) };
  const reasons = [reasonOf(first), reasonOf(second)];
  const sure = { first: isConfident(first, policy.confident_from.first), second: isConfident(second, policy.confident_from.second) };

  if (sure.first && sure.second) {
    if (first.verdict === second.verdict) {
      const confidence = Math.max(first.confidence, second.confidence);
      if (first.risk_level === second.risk_level) {
        const type: Advisory[] = first.error_type === second.error_type ? [] : [{ kind: 'judges-differ-in-type', text: reasons.join(' ') }];
        // same level: the first one's type, whose evidence points at the words
        return mark({ ...first, evidence: both.evidence, advisories: [...both.advisories, ...type], confidence });
      }
      if (graver === second && (second.level_above?.[first.risk_level === 'EXTREME' ? 'CRITICAL' : first.risk_level] ?? 1) < policy.graver_from) {
        return mark({ ...first, evidence: both.evidence, advisories: [...both.advisories, { kind: 'second-not-sure-of-level', text: reasonOf(second) }] });
      }
      if (policy.level === 'error') return mark({ ...both, explanation: `Both judges find it wrong and differ in how grave it is. ${reasons.join(' ')}` });
    } else if (policy.right_or_wrong === 'error') return mark({ ...both, verdict: 'error', explanation: `The judges disagree. ${reasons.join(' ')}` });
    return mark(unsure({ ...both, explanation: `The judges disagree. ${reasons.join(' ')}` }, reasons));
  }

  if (!sure.second && policy.unsure === 'first-alone') return mark({ ...first, advisories: [...first.advisories, { kind: 'second-not-sure', text: reasonOf(second) }] });
  // a sure error of the judge that weighs evidence stands against one that is merely unsure of less
  if (sure.first && first.verdict === 'error' && riskRank(first.risk_level) >= riskRank(second.risk_level)) return mark({ ...first, evidence: both.evidence, advisories: both.advisories });
  const doubts = [...first.doubts, ...second.doubts];
  const same = first.verdict === second.verdict && first.risk_level === second.risk_level;
  return mark(unsure(same ? both : { ...both, explanation: reasons.join(' ') }, doubts.length === 0 || !same ? [...new Set([...doubts, ...reasons])] : [...new Set(doubts)]));
}

function isConfident(finding: Finding, from: number): boolean {
  return (finding.verdict === 'correct' || finding.verdict === 'error') && finding.confidence >= from;
}

/** The confidence of a finding that is not certain is no higher. */
const unsure = (finding: Finding, doubts: readonly string[]): Finding => ({ ...finding, verdict: 'uncertain', confidence: Math.min(0.5, finding.confidence), doubts: [...doubts] });

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function reasonOf(finding: Finding): string {
  const says = finding.verdict === 'correct' ? 'finds it right' : finding.verdict === 'error' ? `finds ${finding.error_type} (${finding.risk_level}${finding.affected_slot === null ? '' : `, ${finding.affected_slot}`})` : `is not sure (at worst ${finding.error_type}, ${finding.risk_level})`;
  return `${finding.judge} ${says}: ${sentence(finding.explanation)}`;
}

function opinionOf(finding: Finding): Opinion {
  const { judge, error_type, risk_level, affected_slot, verdict, confidence, explanation, doubts } = finding;
  return { judge, error_type, risk_level, affected_slot, verdict, confidence, explanation, doubts };
}

/** What one of them does not have yet, by slot and outcome. */
function mergeEvidence(first: Evidence, second: Evidence): Evidence {
  const known = new Set(first.comparisons.filter((comparison) => comparison.outcome !== 'right' && comparison.outcome !== 'not-required').map((comparison) => comparison.slot));
  const more = second.comparisons.filter((comparison) => !known.has(comparison.slot));
  return {
    instruction_words: first.instruction_words.length > 0 ? first.instruction_words : second.instruction_words,
    readback_words: first.readback_words.length > 0 ? first.readback_words : second.readback_words,
    comparisons: [...first.comparisons, ...more],
  };
}

function mergeAdvisories(first: readonly Advisory[], second: readonly Advisory[]): Advisory[] {
  const known = new Set(first.map((advisory) => advisory.text));
  return [...first, ...second.filter((advisory) => !known.has(advisory.text))];
}
