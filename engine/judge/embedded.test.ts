import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mark, PairScorer, PairScores } from '../domain/pair-scorer.js';
import { HearbackError } from '../domain/result.js';
import { ERROR_TYPES, RISK_OF, riskRank, type ErrorType } from '../domain/taxonomy.js';
import { understand } from '../understanding/index.js';
import { combine, createEmbeddedJudge, EMBEDDED_THRESHOLDS, judgeByRules } from './index.js';

const SAID = 'swiss one two descend flight level one two zero when ready';
const BACK = 'uh descending flight level one three zero swiss one two';
const pair = (readback = BACK) => ({ instruction: understand({ id: 'i', text: SAID }), readback: understand({ id: 'r', text: readback, heard: ['SWR12'] }), profile: 'paper' as const });
const shares = (given: Partial<Record<ErrorType, number>>): Record<ErrorType, number> => Object.fromEntries(ERROR_TYPES.map((type) => [type, given[type] ?? 0])) as Record<ErrorType, number>;
const marks = (count: number, mark: Mark, ...at: number[]): Mark[] => Array.from({ length: count }, (_, i) => (at.includes(i) ? mark : 'o'));

/** What a network would say, written here. */
function scorer(scores: PairScores | null | HearbackError): PairScorer {
  return {
    model: 'a-network',
    sha256: 'f'.repeat(64),
    destination: { kind: 'this-process', address: 'here' },
    notices: [],
    score: () => (scores instanceof HearbackError ? Promise.reject(scores) : Promise.resolve(scores)),
    close: () => Promise.resolve(),
  };
}
const scores = (types: Partial<Record<ErrorType, number>>, more: Partial<PairScores> = {}): PairScores => ({ types: shares(types), slot: null, marks: { instruction: marks(10, 'o'), readback: marks(9, 'o') }, milliseconds: 3, ...more });
const judge = (given: PairScores | null | HearbackError, readback?: string) => createEmbeddedJudge(scorer(given)).judge(pair(readback));

describe('from probabilities to a finding', () => {
  test('sure of a wrong value: an error, with the words that decide in both halves', async () => {
    const finding = await judge(scores({ VALUE_CRITICAL: 0.95, CORRECT: 0.05 }, { slot: 'altitude', marks: { instruction: marks(10, 'wrong', 6, 7, 8), readback: marks(9, 'wrong', 4, 5, 6) } }));
    expect(finding).toMatchObject({ verdict: 'error', error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'altitude', is_correct: false, judge: 'a-network', doubts: [] });
    expect(finding.explanation).toBe('Another altitude ("one three zero") came back than was given ("one two zero").');
    expect(finding.evidence.comparisons).toMatchObject([{ slot: 'altitude', outcome: 'wrong', instruction_span: [6, 9], readback_span: [4, 7] }]);
    expect(finding.confidence).toBeCloseTo(0.95);
    expect(finding.model_answers).toMatchObject([{ provider: 'onnx', outcome: 'read', prompt: 'task2/scored/paper', prompt_sha256: 'f'.repeat(64), stated: { error_type: 'VALUE_CRITICAL' } }]);
  });

  test('a condition that is missing is told in the words of the instruction', async () => {
    const finding = await judge(scores({ CONSTRAINT_HIGH: 0.9, CORRECT: 0.1 }, { slot: 'altitude', marks: { instruction: marks(11, 'condition', 9, 10), readback: marks(9, 'o') } }));
    expect(finding).toMatchObject({ error_type: 'CONSTRAINT_HIGH', affected_slot: 'condition', explanation: 'The condition ("when ready") did not come back.' });
    expect(finding.evidence.comparisons).toMatchObject([{ outcome: 'missing', readback: null, readback_span: null }]);
  });

  test('right is said only when it is surer than the threshold, all right types together', async () => {
    expect(await judge(scores({ CORRECT: 0.5, NUMBER_FORMAT: 0.45, VALUE_HIGH: 0.05 }))).toMatchObject({ verdict: 'correct', error_type: 'CORRECT', is_correct: true });
    expect(await judge(scores({ CORRECT: 0.85, VALUE_HIGH: 0.15 }))).toMatchObject({ verdict: 'uncertain', error_type: 'VALUE_HIGH', is_correct: false, doubts: [expect.stringContaining('0.85')] });
  });

  test('not sure: the most severe of what it may be', async () => {
    expect(await judge(scores({ CORRECT: 0.5, VALUE_HIGH: 0.3, VALUE_CRITICAL: 0.12, MULTI_ERROR: 0.08 }))).toMatchObject({ verdict: 'uncertain', error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL' });
  });

  test('whatever the probabilities: "correct" needs the threshold, the level is that of the type, and the fields agree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 10, maxLength: 10 }).filter((all) => all.some((one) => one > 0)), async (weights) => {
        const sum = weights.reduce((a, b) => a + b, 0);
        const types = Object.fromEntries(ERROR_TYPES.map((type, i) => [type, (weights[i] ?? 0) / sum])) as Record<ErrorType, number>;
        const right = types.CORRECT + types.FILLER_CORRECT + types.NUMBER_FORMAT;
        const finding = await judge(scores(types));
        if (finding.verdict === 'correct') expect(right).toBeGreaterThanOrEqual(EMBEDDED_THRESHOLDS.right);
        if (right < EMBEDDED_THRESHOLDS.right) expect(finding.is_correct).toBe(false);
        expect(finding.risk_level).toBe(RISK_OF[finding.error_type]);
        expect(finding.is_correct).toBe(riskRank(finding.risk_level) === 0);
        expect(finding.doubts.length > 0).toBe(finding.verdict === 'uncertain');
      }),
      { numRuns: 60 },
    );
  });
});

describe('no answer is never "correct"', () => {
  test('an exchange that is too long, a half without words, a network that fails', async () => {
    for (const finding of [await judge(null), await judge(scores({ CORRECT: 1 }), ' '), await judge(new HearbackError('model-broken', 'It does not run.'))]) {
      expect(finding).toMatchObject({ verdict: 'uncertain', is_correct: false, risk_level: 'EXTREME', confidence: 0 });
    }
  });
  test('a network that fails is told as a notice, once', async () => {
    const broken = createEmbeddedJudge(scorer(new HearbackError('model-broken', 'It does not run.')));
    await broken.judge(pair());
    await broken.judge(pair());
    expect(broken.notices).toMatchObject([{ severity: 'error', text: expect.stringContaining('It does not run.') as string }]);
  });
  test('beside the rules it leaves the rules alone, marked', async () => {
    expect(combine(judgeByRules(pair()), await judge(null))).toMatchObject({ verdict: 'error', risk_level: 'CRITICAL', advisories: [{ kind: 'one-judge' }] });
  });
  test('words that are not to be trusted make it uncertain', async () => {
    const guard = { reason: 'repetition' as const, detail: 'Words repeat.' };
    const finding = await createEmbeddedJudge(scorer(scores({ CORRECT: 1 }))).judge({ ...pair(), guards: { instruction: [], readback: [guard] } });
    expect(finding).toMatchObject({ verdict: 'uncertain', error_type: 'CORRECT' });
  });
});

test('greetings in whatever language do not reach the network, and no word changes its place', async () => {
  const seen: string[] = [];
  const listening: PairScorer = { ...scorer(scores({ CORRECT: 1 })), score: ({ instruction, readback }) => (seen.push(instruction, readback), Promise.resolve(scores({ CORRECT: 1 }))) };
  await createEmbeddedJudge(listening).judge({ ...pair('flight level one three zero swiss one two bonsoir'), instruction: understand({ id: 'i', text: 'swiss one two god morgen descend flight level one two zero' }) });
  expect(seen).toEqual(['swiss one two , , descend flight level one two zero', 'flight level one three zero swiss one two ,']);
});
