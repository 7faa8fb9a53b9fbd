import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../domain/finding.js';
import { balanced, figuresOf, JudgedPair, judgesReport, policiesOf, readJudged, runJudge, wordComparison } from './index.js';

const dir = mkdtempSync(join(tmpdir(), 'hearback judges '));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});
const pair = (id: string, instruction: string, readback: string, error_type: string, risk_level: string) => JudgedPair.parse({ id, instruction, readback, error_type, risk_level });
const PAIRS = [
  pair('a', 'swiss one two climb flight level nine zero', 'climb flight level nine zero swiss one two', 'CORRECT', 'CORRECT'),
  pair('b', 'swiss one two climb flight level nine zero', 'climb flight level eight zero swiss one two', 'VALUE_CRITICAL', 'CRITICAL'),
  pair('c', 'swiss one two reduce speed two one zero knots', 'roger swiss one two', 'OMISSION_HIGH', 'HIGH'),
  pair('d', 'swiss one two turn left heading two one zero', 'left heading two one zero swiss one two', 'CORRECT', 'CORRECT'),
];

test('the first of every type in turn, so that a part is balanced as well', () => {
  const types = ['VALUE_HIGH', 'VALUE_HIGH', 'CORRECT', 'MULTI_ERROR', 'CORRECT', 'VALUE_HIGH'] as const;
  const six = types.map((error_type, i) => JudgedPair.parse({ id: String(i), instruction: 'a', readback: 'b', error_type, risk_level: error_type === 'CORRECT' ? 'CORRECT' : 'HIGH' }));
  expect(balanced(six, 9).map(({ id }) => id)).toEqual(['0', '2', '3', '1', '4', '5']);
  expect(balanced(six, 2).map(({ id }) => id)).toEqual(['0', '2', '3', '1', '4']);
  expect(balanced(PAIRS, 1).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(balanced(PAIRS, 2).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('a run stops at its limit and goes on where it was; half a line is asked again; another judge is refused', async () => {
  const out = join(dir, 'rules');
  const run = (limit?: number) => runJudge({ out, system: 'rules', choice: { judge: 'rules' }, pairs: PAIRS, ...(limit === undefined ? {} : { limit }) });
  expect(await run(2)).toEqual({ done: 2, left: 2 });
  appendFileSync(join(out, 'answers.jsonl'), '{"id":"c","ms":1,"fin');
  expect(await run()).toEqual({ done: 2, left: 0 });
  expect(await run()).toEqual({ done: 0, left: 0 });
  const { lines, manifest } = readJudged(out);
  expect(lines.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  expect(readFileSync(join(out, 'answers.jsonl'), 'utf8').trim().split('\n')).toHaveLength(4);
  expect(manifest).toMatchObject({ system: 'rules', choice: { judge: 'rules' }, sittings: 2 });
  await expect(runJudge({ out, system: 'other', choice: { judge: 'rules' }, pairs: PAIRS })).rejects.toMatchObject({ code: 'usage' });
});

describe('figures', () => {
  const finding = (error_type: Finding['error_type'], risk_level: Finding['risk_level'], verdict: Finding['verdict'], more: Partial<Finding> = {}): Finding => ({ is_correct: risk_level === 'CORRECT', error_type, risk_level, affected_slot: null, explanation: 'So.', verdict, confidence: 0.9, evidence: { instruction_words: [], readback_words: [], comparisons: [] }, advisories: [], doubts: verdict === 'uncertain' ? ['Some.'] : [], profile: 'paper', judge: 'a', ...more });
  const unread = { provider: 'gguf', model: 'm', destination: 'here', prompt: 'p', prompt_sha256: 's', outcome: 'unreadable' as const, raw: ['?'], milliseconds: 1 };
  const lines = [
    { id: 'a', ms: 10, finding: finding('VALUE_HIGH', 'HIGH', 'error') },
    { id: 'b', ms: 20, finding: finding('CORRECT', 'CORRECT', 'correct') },
    { id: 'c', ms: 30, finding: finding('MULTI_ERROR', 'EXTREME', 'uncertain', { model_answers: [unread] }) },
  ];
  const figures = figuresOf('a judge', PAIRS, lines, null);

  test('what is not answered is not counted, and said', () => {
    expect([figures.of, figures.asked]).toEqual([3, 4]);
  });
  test('a false alarm, a miss, and an unreadable answer that counts as CORRECT for DDR', () => {
    expect(figures.scores.unreadable).toBe(1);
    expect(figures.scores.scores).toMatchObject({ is_correct: { value: 0 }, rl_acc: { value: 0 }, upgrade_rate: { value: 1 / 3 } });
    // b: CRITICAL called CORRECT; c: HIGH, unreadable
    expect(figures.scores.scores.ddr.value).toBeCloseTo(2 / 3);
    expect(figures.scores.scores.wds.value).toBeCloseTo((2 / 3 + 1 / 3) / 3);
    expect(figures.verdicts).toEqual({ right: 1, wrong: 2, falseAlarms: 1, rightUncertain: 0, misses: 1, wrongUncertain: 1 });
  });
  test('policies on the same findings: a disagreement is uncertain by default, an error by another', () => {
    const [first, second] = [
      [{ id: 'd', ms: 1, finding: finding('CORRECT', 'CORRECT', 'correct') }],
      [{ id: 'd', ms: 1, finding: finding('VALUE_HIGH', 'HIGH', 'error') }],
    ];
    const by = policiesOf(PAIRS, first, second);
    expect(by[0]).toMatchObject({ right: 1, falseAlarms: 0, rightUncertain: 1 });
    // the finding's confidence is .9, which this one takes for not sure
    expect(by.find(({ policy }) => policy === 'second sure from 0.97, graver from 0')).toMatchObject({ falseAlarms: 0, rightUncertain: 0, scores: { is_correct: 1, ddr: 0 } });
    expect(by.find(({ policy }) => policy === 'second sure from 0.9, graver from 0')).toMatchObject({ rightUncertain: 1, scores: { is_correct: 0, rl_acc: 0 } });
  });
  test('the report names every judge with its counts', () => {
    const report = judgesReport([{ name: 'Some', about: 'Synthetic.', systems: [wordComparison(PAIRS), figures], policies: [] }], 'a command', 'today');
    expect(report).toContain('| a judge | 3 of 4 |');
    expect(report).toContain('.333 (1/3)');
  });
});
