/**
 * The language model as judge: the words of both halves in, a checked answer out. Never rejects: a model that does not answer, or not
 * readably, makes an uncertain finding, never a correct one.
 */
import { z } from 'zod';
import type { Comparison, Evidence, Finding, ModelAnswer } from '../domain/finding.js';
import type { AnswerCheck, LanguageAnswer, LanguageModel } from '../domain/language-model.js';
import { toHearbackError } from '../domain/result.js';
import type { Judge, Notice } from '../domain/stages.js';
import { ErrorType, RISK_OF, RiskLevel, riskRank, type Profile } from '../domain/taxonomy.js';
import type { Guard, Span, Understanding } from '../domain/understanding.js';
import { CONDITIONS, task2Prompt, type Condition, type Prompt } from './prompts/index.js';
import { WEAK_MATCH, WEAK_MISMATCH, WEAK_PAIRING, type JudgeInput } from './rules.js';

/** What a model answers (arXiv 2608.24621, K.2). */
const Answer = z.object({
  is_correct: z.boolean(),
  error_type: z.preprocess(upper, ErrorType),
  risk_level: z.preprocess(upper, RiskLevel),
  affected_slot: z.preprocess((value) => (typeof value === 'string' ? (/^(?:null|none|)$/i.test(value.trim()) ? null : value.trim().toLowerCase()) : value), z.string().nullable()),
  explanation: z.string().trim().min(1).max(2000),
});
type Answer = z.infer<typeof Answer>;

function upper(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toUpperCase() : value;
}

/** Checks an answer against the contract: its fields, and that they do not contradict each other. */
export function answerCheck(slots: readonly string[]): AnswerCheck<Answer> {
  return (value) => {
    const parsed = Answer.safeParse(value);
    if (!parsed.success) {
      const wrong = parsed.error.issues.slice(0, 3).map((issue) => `"${issue.path.map(String).join('.')}": ${issue.message}`);
      return { ok: false, why: `It does not fit: ${wrong.join('; ')}.` };
    }
    const answer = parsed.data;
    const right = RISK_OF[answer.error_type] === 'CORRECT';
    if (answer.is_correct !== right) return { ok: false, why: `It contradicts itself: is_correct ${answer.is_correct} with error_type ${answer.error_type}.` };
    if (right !== (answer.risk_level === 'CORRECT')) return { ok: false, why: `It contradicts itself: error_type ${answer.error_type} with risk_level ${answer.risk_level}.` };
    if (answer.affected_slot !== null && !slots.includes(answer.affected_slot)) return { ok: false, why: `"${answer.affected_slot}" is none of the slots.` };
    if (answer.error_type === 'CORRECT' || answer.error_type === 'FILLER_CORRECT') return { ok: true, value: { ...answer, affected_slot: null } };
    return { ok: true, value: answer };
  };
}

export interface LlmJudgeOptions {
  readonly model: LanguageModel;
  /** Default: full (condition B). */
  readonly condition?: Condition;
  /** Milliseconds for one judgement, the repeated question included (default 30 s). */
  readonly timeLimit?: number;
  readonly maxTokens?: number;
}

export const PROMPT_CONDITIONS = CONDITIONS;
export type PromptCondition = Condition;

/**
 * What a prompted model's answer is worth as a probability is not known: it gives none that was calibrated. The middle says so.
 */
const UNCALIBRATED = 0.5;
const DEFAULT_LIMIT = 30_000;

/** A judge that asks a language model. `close` closes the model. */
export function createLlmJudge(options: LlmJudgeOptions): Judge {
  const { model } = options;
  const condition = options.condition ?? 'full';
  const prompts = new Map<Profile, Prompt>();
  const own: Notice[] = [];
  const promptFor = (profile: Profile): Prompt => {
    const prompt = prompts.get(profile) ?? task2Prompt(condition, profile);
    prompts.set(profile, prompt);
    return prompt;
  };

  async function judge(pair: JudgeInput): Promise<Finding> {
    const prompt = promptFor(pair.profile);
    const record = (outcome: ModelAnswer['outcome'], milliseconds: number, answers: readonly LanguageAnswer[], stated?: ModelAnswer['stated']): ModelAnswer => {
      const last = answers.at(-1);
      return {
        provider: model.provider,
        model: model.model,
        destination: model.destination.address,
        prompt: prompt.id,
        prompt_sha256: prompt.sha256,
        outcome,
        raw: answers.map((answer) => answer.text),
        ...(stated === undefined ? {} : { stated }),
        ...(last === undefined ? {} : { constraint: last.constraint }),
        ...sum('prompt_tokens', answers.map((answer) => answer.tokens.prompt)),
        ...sum('cached_tokens', answers.map((answer) => answer.tokens.cached)),
        ...sum('answer_tokens', answers.map((answer) => answer.tokens.answer)),
        milliseconds: Math.round(milliseconds),
      };
    };
    if (pair.instruction.text.trim() === '' || pair.readback.text.trim() === '') return noAnswer(pair, model.model, record('not-asked', 0, []), 'not asked: one half of the exchange has no words.');
    const startedAt = performance.now();
    const since = (): number => performance.now() - startedAt;
    try {
      const asked = await model.answer(
        {
          messages: [
            { role: 'system', content: prompt.instructions },
            { role: 'user', content: prompt.pair(pair.instruction.text, pair.readback.text) },
          ],
          schema: prompt.schema,
          maxTokens: options.maxTokens ?? (prompt.reasoning ? 700 : 300),
          temperature: 0,
          timeLimit: options.timeLimit ?? DEFAULT_LIMIT,
        },
        answerCheck(prompt.slots),
      );
      if (!asked.ok) return noAnswer(pair, model.model, record('unreadable', since(), asked.answers), `unreadable: ${asked.why}`);
      const { value } = asked;
      return findingOf(pair, model.model, value, record(asked.repaired ? 'repaired' : 'read', since(), asked.answers, { error_type: value.error_type, risk_level: value.risk_level }));
    } catch (thrown) {
      const error = toHearbackError(thrown);
      const late = error.code === 'timeout';
      if (!late && !own.some((notice) => notice.text === error.sentence)) own.push({ kind: 'language-model-failed', severity: 'error', text: error.sentence });
      return noAnswer(pair, model.model, record(late ? 'late' : 'failed', since(), []), `${late ? 'late' : 'failed'}: ${error.sentence}`);
    }
  }

  return {
    name: model.model,
    get notices() {
      return [...model.notices, ...own];
    },
    judge,
    close: () => model.close(),
  };
}

function sum<K extends string>(key: K, counts: readonly (number | undefined)[]): Partial<Record<K, number>> {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 || known.length < counts.length ? {} : ({ [key]: known.reduce((a, b) => a + b, 0) } as Record<K, number>);
}

/** No answer rules nothing out, so the level is the highest there is; the verdict says that nothing is known. */
export function noAnswer(pair: JudgeInput, judge: string, answer: ModelAnswer, doubt: string): Finding {
  return {
    is_correct: false,
    error_type: 'MULTI_ERROR',
    risk_level: 'EXTREME',
    affected_slot: null,
    explanation: 'The language model gave no answer that can be used.',
    verdict: 'uncertain',
    confidence: 0,
    evidence: { instruction_words: [], readback_words: [], comparisons: [] },
    advisories: [],
    doubts: [doubt],
    profile: pair.profile,
    judge,
    model_answers: [answer],
  };
}

/** Whether a finding of a language model's judge rests on no answer at all. */
export function isSilent(finding: Finding): boolean {
  return (finding.model_answers ?? []).some((answer) => answer.outcome !== 'read' && answer.outcome !== 'repaired');
}

function findingOf(pair: JudgeInput, judge: string, answer: Answer, modelAnswer: ModelAnswer): Finding {
  const level = RISK_OF[answer.error_type];
  // the model's own level may lift the type's, never lower it
  const risk = riskRank(answer.risk_level) > riskRank(level) ? answer.risk_level : level;
  const doubts = evidenceDoubts(pair, answer.is_correct);
  return {
    is_correct: answer.is_correct,
    error_type: answer.error_type,
    risk_level: risk,
    affected_slot: answer.affected_slot,
    explanation: answer.explanation,
    verdict: doubts.length > 0 ? 'uncertain' : answer.is_correct ? 'correct' : 'error',
    confidence: UNCALIBRATED,
    evidence: evidenceOf(pair, answer),
    advisories: answer.risk_level === level ? [] : [{ kind: 'own-risk-level', text: `The model itself gives ${answer.error_type} the level ${answer.risk_level}; the taxonomy gives it ${level}.` }],
    doubts,
    profile: pair.profile,
    judge,
    model_answers: [modelAnswer],
  };
}

/**
 * Why the words themselves are weak. The model sees words only, so this is weighed here: anything in it only ever turns an answer into
 * `uncertain` and leaves its level as it is.
 */
export function evidenceDoubts(pair: JudgeInput, correct: boolean): string[] {
  const doubts: string[] = [];
  const guards: readonly Guard[] = [...(pair.guards?.instruction ?? []), ...(pair.guards?.readback ?? [])];
  if (guards.length > 0) doubts.push(`The text is not to be trusted: ${[...new Set(guards.map((guard) => guard.detail))].join(' ')}`);
  if ((pair.pairingConfidence ?? 1) < WEAK_PAIRING) doubts.push('It is not certain that this transmission answers this instruction.');
  const limit = correct ? WEAK_MATCH : WEAK_MISMATCH;
  if (weakest(pair.instruction) < limit || weakest(pair.readback) < limit) doubts.push('The recogniser was not sure of the deciding words.');
  return doubts;
}

/** Confidence of the least sure word among those that carry callsign, values and conditions; 1 where nothing is known. */
function weakest(said: Understanding): number {
  const spans: readonly Span[] = [...said.items, ...said.conditions, ...said.commands, ...said.callsign_candidates.slice(0, 1)].map((each) => each.span);
  const sure = spans.flatMap(([from, to]) => said.words.slice(from, to).map((word) => word.confidence ?? 1));
  return Math.min(1, ...sure);
}

/** Where the slot that the model names stands in both halves. */
function evidenceOf(pair: JudgeInput, answer: Answer): Evidence {
  const slot = answer.affected_slot;
  if (slot === null || answer.is_correct) return { instruction_words: [], readback_words: [], comparisons: [] };
  const place = (said: Understanding): { span: Span; value: string } | undefined => {
    if (slot === 'callsign') {
      const reading = said.callsign_candidates[0];
      return reading === undefined ? undefined : { span: reading.span, value: reading.value };
    }
    if (slot === 'condition') {
      const condition = said.conditions[0];
      return condition === undefined ? undefined : { span: condition.span, value: condition.text };
    }
    const item = said.items.find((each) => each.slot === slot);
    return item === undefined ? undefined : { span: item.span, value: item.value };
  };
  const given = place(pair.instruction);
  const back = place(pair.readback);
  const missing = answer.error_type.startsWith('OMISSION') || answer.error_type === 'CONSTRAINT_HIGH' || back === undefined;
  const words = (said: Understanding, at: { span: Span } | undefined): string[] => (at === undefined ? [] : said.words.slice(...at.span).map((word) => word.text));
  const comparison: Comparison = {
    slot,
    outcome: missing ? 'missing' : 'wrong',
    instruction: given?.value ?? null,
    readback: missing ? null : back.value,
    instruction_span: given?.span ?? null,
    readback_span: missing ? null : back.span,
    confidence: UNCALIBRATED,
  };
  return { instruction_words: words(pair.instruction, given), readback_words: missing ? [] : words(pair.readback, back), comparisons: [comparison] };
}
