/**
 * The embedded network as judge: ten calibrated probabilities in, a finding out. Never rejects: a network that cannot be run makes an
 * uncertain finding, never a correct one.
 */
import type { Comparison, Evidence, Finding, ModelAnswer } from '../domain/finding.js';
import type { Mark, PairScorer, PairScores } from '../domain/pair-scorer.js';
import { toHearbackError } from '../domain/result.js';
import type { Judge, Notice } from '../domain/stages.js';
import { ERROR_TYPES, RISK_OF, riskRank, type ErrorType, type RiskLevel } from '../domain/taxonomy.js';
import type { Understanding } from '../domain/understanding.js';
import { tokenise } from '../phraseology/index.js';
import { evidenceDoubts, noAnswer } from './llm.js';
import type { JudgeInput } from './rules.js';

/**
 * When the network counts as sure. "Right" has to be surer than "wrong", because a wrong readback that passes is the dangerous mistake; a type
 * that is at least as likely as `possible` is among what it may be at worst.
 */
export interface EmbeddedThresholds {
  readonly right: number;
  readonly wrong: number;
  readonly possible: number;
}
export const EMBEDDED_THRESHOLDS: EmbeddedThresholds = { right: 0.9, wrong: 0.7, possible: 0.1 };

/** In place of a prompt's name (`ModelAnswer.prompt`, with the profile): there is no prompt, the pair and the profile are all that the network sees. */
export const EMBEDDED_READING = 'task2/scored';

/** A judge that asks the embedded network. `close` closes the network. */
export function createEmbeddedJudge(scorer: PairScorer, thresholds: EmbeddedThresholds = EMBEDDED_THRESHOLDS): Judge {
  const own: Notice[] = [];

  async function judge(pair: JudgeInput): Promise<Finding> {
    const record = (outcome: ModelAnswer['outcome'], milliseconds: number, raw: readonly string[], stated?: ModelAnswer['stated']): ModelAnswer => ({
      provider: 'onnx',
      model: scorer.model,
      destination: scorer.destination.address,
      prompt: `${EMBEDDED_READING}/${pair.profile}`,
      prompt_sha256: scorer.sha256,
      outcome,
      raw: [...raw],
      ...(stated === undefined ? {} : { stated }),
      milliseconds: Math.round(milliseconds),
    });
    const [instruction, readback] = [textOf(pair.instruction), textOf(pair.readback)];
    if (instruction.trim() === '' || readback.trim() === '') return noAnswer(pair, scorer.model, record('not-asked', 0, []), 'not asked: one half of the exchange has no words.');
    const startedAt = performance.now();
    try {
      const scores = await scorer.score({ instruction: withoutGreetings(instruction), readback: withoutGreetings(readback), profile: pair.profile });
      if (scores === null) return noAnswer(pair, scorer.model, record('not-asked', performance.now() - startedAt, []), 'not asked: the exchange is longer than the network can read.');
      const stated = likeliest(scores, ERROR_TYPES);
      return findingOf(pair, scorer.model, scores, thresholds, record('read', scores.milliseconds, [JSON.stringify(rounded(scores))], { error_type: stated, risk_level: RISK_OF[stated] }));
    } catch (thrown) {
      const error = toHearbackError(thrown);
      if (!own.some((notice) => notice.text === error.sentence)) own.push({ kind: 'language-model-failed', severity: 'error', text: error.sentence });
      return noAnswer(pair, scorer.model, record('failed', performance.now() - startedAt, []), `failed: ${error.sentence}`);
    }
  }

  return {
    name: scorer.model,
    get notices() {
      return [...scorer.notices, ...own];
    },
    judge,
    close: () => scorer.close(),
  };
}

const likeliest = (scores: PairScores, among: readonly ErrorType[]): ErrorType => among.reduce((best, type) => (scores.types[type] > scores.types[best] ? type : best), among[0] ?? 'MULTI_ERROR');
const rounded = ({ types, slot }: PairScores): unknown => ({ types: Object.fromEntries(Object.entries(types).map(([type, share]) => [type, Math.round(share * 10_000) / 10_000])), slot });

/** Its words, so that a word's place is the same here and in the evidence. */
const textOf = (said: Understanding): string => said.words.map(({ text }) => text).join(' ');

/**
 * A greeting behind a callsign ("… eight nine five bonsoir") is to the network a word of that callsign, for it knows few of them; and it means nothing.
 * A comma in its place keeps every other word where it was, and is no word to the network.
 */
function withoutGreetings(text: string): string {
  const words = text.split(' ');
  for (const token of tokenise(words)) if (token.filler === 'greeting') words.fill(',', token.from, token.to);
  return words.join(' ');
}

/** Probability that the level is above this one. */
const above = (scores: PairScores, level: RiskLevel): number => Math.min(1, Math.round(10_000 * ERROR_TYPES.filter((type) => riskRank(RISK_OF[type]) > riskRank(level)).reduce((sum, type) => sum + scores.types[type], 0)) / 10_000);

const RIGHT_TYPES = ERROR_TYPES.filter((type) => RISK_OF[type] === 'CORRECT');
const WRONG_TYPES = ERROR_TYPES.filter((type) => RISK_OF[type] !== 'CORRECT');

function findingOf(pair: JudgeInput, judge: string, scores: PairScores, thresholds: EmbeddedThresholds, answer: ModelAnswer): Finding {
  const right = RIGHT_TYPES.reduce((sum, type) => sum + scores.types[type], 0);
  const sure = right >= thresholds.right ? 'right' : 1 - right >= thresholds.wrong ? 'wrong' : 'neither';
  const doubts = evidenceDoubts(pair, right >= 0.5);
  if (sure === 'neither') doubts.push(`The network is not sure: right with probability ${right.toFixed(2)}.`);
  // not sure: the most severe of what it may be
  const worst = WRONG_TYPES.filter((type) => scores.types[type] >= thresholds.possible).reduce<ErrorType | undefined>((most, type) => (most === undefined || riskRank(RISK_OF[type]) > riskRank(RISK_OF[most]) || (RISK_OF[type] === RISK_OF[most] && scores.types[type] > scores.types[most]) ? type : most), undefined);
  const type = sure === 'right' ? likeliest(scores, RIGHT_TYPES) : sure === 'wrong' ? likeliest(scores, WRONG_TYPES) : (worst ?? likeliest(scores, WRONG_TYPES));
  const isRight = RISK_OF[type] === 'CORRECT';
  const slot = type === 'CORRECT' || type === 'FILLER_CORRECT' ? null : type === 'TARGET_CRITICAL' ? 'callsign' : type === 'CONSTRAINT_HIGH' ? 'condition' : scores.slot;
  const confidence = sure === 'wrong' || (sure === 'neither' && !isRight) ? 1 - right : right;
  return {
    is_correct: isRight,
    error_type: type,
    risk_level: RISK_OF[type],
    affected_slot: slot,
    explanation: explain(type, slot, pair, scores),
    verdict: doubts.length > 0 ? 'uncertain' : isRight ? 'correct' : 'error',
    confidence,
    level_above: { CORRECT: above(scores, 'CORRECT'), HIGH: above(scores, 'HIGH'), CRITICAL: above(scores, 'CRITICAL') },
    evidence: evidenceOf(type, slot, pair, scores, confidence),
    advisories: [],
    doubts,
    profile: pair.profile,
    judge,
    model_answers: [answer],
  };
}

/** The words of a text with one of these marks, and where the first stretch of them stands. */
function marked(text: string, marks: readonly Mark[], wanted: readonly Mark[]): { words: string[]; span: [number, number] | null } {
  const all = text.split(/\s+/u).filter((word) => word !== '');
  const is = (i: number): boolean => wanted.includes(marks[i] ?? 'o');
  const first = all.findIndex((_, i) => is(i));
  if (first < 0) return { words: [], span: null };
  let end = first;
  while (end < all.length && is(end)) end++;
  return { words: all.filter((_, i) => is(i)), span: [first, end] };
}

const MARKS_OF: Readonly<Record<ErrorType, readonly Mark[]>> = {
  CORRECT: [],
  FILLER_CORRECT: ['filler'],
  NUMBER_FORMAT: ['format'],
  VALUE_HIGH: ['wrong'],
  VALUE_CRITICAL: ['wrong'],
  OMISSION_HIGH: ['missing'],
  OMISSION_CRITICAL: ['missing'],
  CONSTRAINT_HIGH: ['condition'],
  TARGET_CRITICAL: ['target'],
  MULTI_ERROR: ['wrong', 'missing', 'target'],
};

function explain(type: ErrorType, slot: string | null, pair: JudgeInput, { marks }: PairScores): string {
  const wanted = MARKS_OF[type];
  const given = marked(textOf(pair.instruction), marks.instruction, wanted).words.join(' ');
  const back = marked(textOf(pair.readback), marks.readback, wanted).words.join(' ');
  const named = slot === null ? 'value' : slot.replaceAll('_', ' ');
  const of = (words: string): string => (words === '' ? '' : ` ("${words}")`);
  switch (type) {
    case 'CORRECT':
      return 'Everything that has to come back came back.';
    case 'FILLER_CORRECT':
      return `Everything came back; there is hesitation in it${of(back)}.`;
    case 'NUMBER_FORMAT':
      return `The ${named} came back in another form${of(back)}.`;
    case 'VALUE_HIGH':
    case 'VALUE_CRITICAL':
      return `Another ${named}${of(back)} came back than was given${of(given)}.`;
    case 'OMISSION_HIGH':
    case 'OMISSION_CRITICAL':
      return `The ${named}${of(given)} did not come back.`;
    case 'CONSTRAINT_HIGH':
      return `The condition${of(given)} did not come back.`;
    case 'TARGET_CRITICAL':
      return `The readback is that of another callsign${of(back)} than the one addressed${of(given)}.`;
    case 'MULTI_ERROR':
      return `Several critical items are wrong or missing${of(given)}${back === '' ? '' : `; read back: "${back}"`}.`;
  }
}

function evidenceOf(type: ErrorType, slot: string | null, pair: JudgeInput, { marks }: PairScores, confidence: number): Evidence {
  if (RISK_OF[type] === 'CORRECT' || slot === null) return { instruction_words: [], readback_words: [], comparisons: [] };
  const given = marked(textOf(pair.instruction), marks.instruction, MARKS_OF[type]);
  const back = marked(textOf(pair.readback), marks.readback, MARKS_OF[type]);
  const missing = back.words.length === 0;
  const comparison: Comparison = {
    slot,
    outcome: missing ? 'missing' : 'wrong',
    instruction: given.words.length === 0 ? null : given.words.join(' '),
    readback: missing ? null : back.words.join(' '),
    instruction_span: given.span,
    readback_span: back.span,
    confidence,
  };
  return { instruction_words: given.words, readback_words: back.words, comparisons: [comparison] };
}
