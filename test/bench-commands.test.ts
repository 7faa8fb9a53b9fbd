/** `bench` as a user calls it: run, a kill, on again, scores, report, exit codes. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hearback, jsonLines, root, scratch, start } from './command.js';

const { dir, remove } = scratch('bench');
afterAll(remove);

const answersOf = (run: string): unknown[] => jsonLines(readFileSync(join(run, 'task2.jsonl'), 'utf8')).map(({ id, answer }) => ({ id, answer }));
const args = (out: string, ...more: readonly string[]): string[] => ['bench', 'run', '--out', out, '--task', 'task2', '--limit', '300', ...more];

test('killed three times, the run ends with the answers of an undisturbed one; then scores, thresholds, report', { timeout: 120_000 }, async () => {
  const whole = join(dir, 'whole');
  expect((await hearback(args(whole))).code).toBe(0);
  const killed = join(dir, 'killed');
  const file = join(killed, 'task2.jsonl');
  for (const part of [0.1, 0.3, 0.6]) {
    const child = start(args(killed));
    const closed = once(child, 'close');
    const size = statSync(join(whole, 'task2.jsonl')).size * part;
    while (child.exitCode === null && !(existsSync(file) && statSync(file).size > size)) await wait(5);
    child.kill('SIGKILL');
    await closed;
  }
  const ended = await hearback(args(killed));
  expect(ended.code).toBe(0);
  expect(answersOf(killed)).toEqual(answersOf(whole));

  const scored = await hearback(['bench', 'score', killed, '--rounds', '50', '--max', 'ddr=0.06', '--min', 'task2.is_correct=0.9']);
  expect(scored.code).toBe(0);
  expect(jsonLines(scored.stdout)[0]).toMatchObject({ task: 'task2', items: 300, missing: 0, unknown: 0 });
  expect((await hearback(['bench', 'score', killed, '--rounds', '50', '--max', 'is_correct=0.5'])).code).toBe(3);
  const report = await hearback(['bench', 'report', killed, '--rounds', '50']);
  expect(report.code).toBe(0);
  expect(report.stdout).toContain('Synthetic');
  expect(report.stdout).toContain('other data than here');

  const changed = await hearback(args(killed, '--judge', 'string-difference'));
  expect(changed.code).toBe(2);
  expect(changed.stderr).toContain('"judge" was "rules"');
});

test('answers of others from files; what is missing is said; usage errors end with 2, failures with 1', { timeout: 60_000 }, async () => {
  mkdirSync(dir, { recursive: true });
  const gold = join(dir, 'gold.jsonl');
  const answers = join(dir, 'answers.jsonl');
  writeFileSync(gold, '{"id":"a","instruction":"x","readback":"y","is_correct":false,"error_type":"VALUE_HIGH","risk_level":"HIGH"}\n{"id":"b","instruction":"x","readback":"y","is_correct":true,"error_type":"CORRECT","risk_level":"CORRECT"}\n');
  writeFileSync(answers, '{"id":"a","is_correct":false,"error_type":"VALUE_HIGH","risk_level":"HIGH","affected_slot":"speed","explanation":""}\n');
  const scored = await hearback(['bench', 'score', '--task', 'task2', '--gold', gold, '--answers', answers, '--rounds', '20']);
  expect(scored.code).toBe(0);
  expect(jsonLines(scored.stdout)[0]).toMatchObject({ items: 2, missing: 1, scores: { is_correct: { value: 0.5, of: 2 }, ddr: { value: 0 } } });
  writeFileSync(answers, 'no json\n');
  const broken = await hearback(['bench', 'score', '--task', 'task2', '--gold', gold, '--answers', answers, '--rounds', '20']);
  expect([broken.code, broken.stderr.includes('line 1 is not JSON')]).toEqual([1, true]);
  for (const wrong of [['bench', 'score'], ['bench', 'score', '--task', 'task9'], ['bench', 'score', '--task', 'task2', '--gold', gold, '--answers', gold, '--min', 'ddr'], ['bench', 'score', '--task', 'task2', '--gold', gold, '--answers', gold, '--min', 'nothing=1']]) expect((await hearback(wrong)).code).toBe(2);
  expect((await hearback(['bench', 'report', join(root, 'docs')])).code).toBe(1);
});
