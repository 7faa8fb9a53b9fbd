import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AnswerLine, Task2Gold } from './items.js';
import { judgeByDifference } from './judges.js';
import { scoreReport } from './report.js';
import { readManifest, runBenchmark, type RunOptions } from './run.js';
import { scoreAnswers } from './score.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-run-'));
  mkdirSync(join(folder, 'data'));
  const pairs = Array.from({ length: 12 }, (_, i) => ({ id: `p${String(i)}`, instruction: `germania ${i % 2 === 0 ? 'two' : 'four'} one climb flight level two ${i < 6 ? 'one' : 'three'} zero`, readback: `climbing flight level two ${i % 3 === 0 ? 'one' : 'three'} zero germania ${i % 2 === 0 ? 'two' : 'four'} one`, is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT' }));
  writeFileSync(join(folder, 'data', 'task2.jsonl'), pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const bad: string[] = [];
const run = (changes: Partial<RunOptions> = {}) => {
  bad.length = 0;
  return runBenchmark({ data: join(folder, 'data'), out: join(folder, 'run'), tasks: ['task2'], judge: 'rules', retryErrors: false, progress: () => undefined, onBad: (task, line, why) => bad.push(`${task} ${String(line)}: ${why}`), ...changes });
};
const answers = (name = 'run'): AnswerLine[] => readFileSync(join(folder, name, 'task2.jsonl'), 'utf8').split('\n').filter((line) => line !== '').map((line) => AnswerLine.parse(JSON.parse(line)));
const gold = (): Task2Gold[] => readFileSync(join(folder, 'run', 'gold-task2.jsonl'), 'utf8').split('\n').filter((line) => line !== '').map((line) => Task2Gold.parse(JSON.parse(line)));
const withoutTimes = (lines: readonly AnswerLine[]): unknown[] => lines.map(({ id, answer }) => ({ id, answer }));

describe('a run', () => {
  test('goes on after a kill in the middle of a line: nothing lost, nothing twice, the same answers', async () => {
    await run();
    const whole = answers();
    expect(whole.map(({ id }) => id)).toEqual(gold().map(({ id }) => id));
    // as a kill leaves it: seven whole lines and half an eighth
    const written = readFileSync(join(folder, 'run', 'task2.jsonl'), 'utf8').split('\n');
    writeFileSync(join(folder, 'run', 'task2.jsonl'), `${written.slice(0, 7).join('\n')}\n${(written[7] ?? '').slice(0, 30)}`);
    const manifest = await run();
    expect(manifest.counts['task2']).toEqual({ ok: 5, error: 0, skipped: 7 });
    expect(withoutTimes(answers())).toEqual(withoutTimes(whole));
    expect(manifest.resumed).toBe(1);
  });
  test('stops when told to and goes on', async () => {
    const controller = new AbortController();
    await expect(run({ signal: controller.signal, progress: (_, done) => { if (done === 4) controller.abort(); } })).rejects.toThrow('Stopped');
    expect(answers()).toHaveLength(4);
    expect(readManifest(join(folder, 'run')).ended).toBeNull();
    await run();
    expect(answers()).toHaveLength(12);
  });
  test('refuses to go on with other settings or other items, and names what differs', async () => {
    await run();
    await expect(run({ judge: 'string-difference' })).rejects.toThrow(/"judge" was "rules" and is "string-difference"/u);
    await expect(run({ limit: 3 })).rejects.toThrow(/"limit"/u);
    appendFileSync(join(folder, 'data', 'task2.jsonl'), '\n');
    await expect(run()).rejects.toThrow(/"data"/u);
    await expect(run({ data: join(folder, 'nowhere'), out: join(folder, 'other') })).rejects.toThrow(/does not exist/u);
  });
  test('asks again for failures and unreadable answers, and only when told to', async () => {
    await run();
    const lines = readFileSync(join(folder, 'run', 'task2.jsonl'), 'utf8').split('\n').filter((line) => line !== '');
    const failed = lines.map((line, i) => (i === 2 || i === 9 ? JSON.stringify({ id: `p${String(i)}`, ms: 1, error: 'The server did not answer.' }) : i === 5 ? JSON.stringify({ id: 'p5', ms: 1, answer: 'is_correct: probably' }) : line));
    writeFileSync(join(folder, 'run', 'task2.jsonl'), `${failed.join('\n')}\n`);
    expect(scoreAnswers('task2', gold(), answers(), { rounds: 2 })).toMatchObject({ items: 12, failed: 2, missing: 0, unreadable: 1 });
    expect((await run()).counts['task2']).toEqual({ ok: 0, error: 0, skipped: 12 });
    expect((await run({ retryErrors: true })).counts['task2']).toEqual({ ok: 3, error: 0, skipped: 9 });
    const mended = scoreAnswers('task2', gold(), answers(), { rounds: 2 });
    expect(mended).toMatchObject({ items: 12, failed: 0, missing: 0, unreadable: 0 });
    // the figures of one clean run
    await run({ out: join(folder, 'clean') });
    expect(mended.scores).toEqual(scoreAnswers('task2', gold(), answers('clean'), { rounds: 2 }).scores);
  });
  test('leaves out broken and repeated lines and says which', async () => {
    appendFileSync(join(folder, 'data', 'task2.jsonl'), '{"id": "x"}\nnot json\n{"id":"p0","instruction":"a","readback":"b","is_correct":true,"error_type":"CORRECT","risk_level":"CORRECT"}\n');
    await run();
    expect(bad).toEqual(['task2 13: it does not fit', 'task2 14: it does not fit', 'task2 15: it repeats the id "p0"']);
    expect(answers()).toHaveLength(12);
  });
});

describe('scoring', () => {
  const item = (id: string, error_type: 'CORRECT' | 'MULTI_ERROR'): Task2Gold => ({ id, instruction: '', readback: '', error_type, is_correct: error_type === 'CORRECT', risk_level: error_type === 'CORRECT' ? 'CORRECT' : 'EXTREME' });
  test('missing, failed and unreadable answers score 0 and count as the dangerous reading; the last line of an id counts', () => {
    const items = [item('a', 'MULTI_ERROR'), item('b', 'MULTI_ERROR'), item('c', 'MULTI_ERROR'), item('d', 'MULTI_ERROR')];
    const right = { is_correct: false, error_type: 'MULTI_ERROR', risk_level: 'EXTREME' };
    const scored = scoreAnswers('task2', items, [AnswerLine.parse({ id: 'a', answer: 'I think it is fine' }), AnswerLine.parse({ id: 'b', error: 'timeout' }), AnswerLine.parse({ id: 'd', answer: null }), AnswerLine.parse({ id: 'd', ...right }), AnswerLine.parse({ id: 'z', answer: right })], { rounds: 2 });
    expect(scored).toMatchObject({ items: 4, missing: 1, failed: 1, unreadable: 1, unknown: 1 });
    expect([scored.scores['ddr']?.value, scored.scores['wds']?.value, scored.scores['is_correct']?.value]).toEqual([0.75, 0.75, 0.25]);
    const report = scoreReport(scored, 'Readbacks');
    expect(report).toContain('| EXTREME | 0 | 0 | 0 | 1 | 3 |');
    expect(report).toContain('other data than here');
  });
  test('all four tasks are read', () => {
    const ground = { id: 'g', speaker: 'pilot', intention: 'readback', action: 'HOLD', entities: [{ type: 'Callsign', text: 'germania one' }] } as const;
    expect(scoreAnswers('ground', [{ ...ground, entities: [{ type: 'callsign', text: 'germania one' }] }], [AnswerLine.parse(ground)], { rounds: 2 }).scores['risk_strict']?.value).toBe(1);
    expect(scoreAnswers('speech', [{ id: 's', text: 'hold short' }], [AnswerLine.parse({ id: 's', text: 'old short' })], { rounds: 2 }).scores['wer']?.value).toBe(0.5);
    const chunks = { id: 't', utterance: 'climb', utterance_action: ['altitude_control'], tokens: [{ text: 'climb', label: 'altitude_control' }] };
    expect(scoreAnswers('task1', [chunks], [AnswerLine.parse(chunks)], { rounds: 2 }).scores['strict']?.value).toBe(1);
  });
});

test('the difference of words: the same words are right in any order, hesitations aside', () => {
  expect(judgeByDifference('climb now germania one', 'uh germania one climb now').error_type).toBe('FILLER_CORRECT');
  expect(judgeByDifference('germania one climb flight level two', 'climb flight level three germania one').error_type).toBe('VALUE_CRITICAL');
  expect(judgeByDifference('germania one climb when ready', 'climb germania one').error_type).toBe('CONSTRAINT_HIGH');
});
