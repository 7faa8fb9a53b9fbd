import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachInAFolder, errorOf } from '../../test/support/session.js';
import { benchmarkList, benchmarkRun, compareBenchmarks } from './benchmarks.js';

let dir = '';
eachInAFolder((path) => (dir = path));

const estimate = (value: number | null): object => ({ value, low: value, high: value, of: 10, by: 'bootstrap' });
function makeRun(name: string, at: string, scores?: Record<string, number | null>, condition = 'text/rules'): void {
  mkdirSync(join(dir, name, 'report'), { recursive: true });
  writeFileSync(join(dir, name, 'manifest.json'), JSON.stringify({ format: 2, config: { limit: null }, starts: [{ at, node: '20' }], ended: null, counts: { 'text/rules': { task2: { items: 10, first_time: 10 } } } }));
  if (scores === undefined) return;
  const tasks = { task2: { items: 10, scores: Object.fromEntries(Object.entries(scores).map(([key, value]) => [key, estimate(value)])) } };
  writeFileSync(join(dir, name, 'report', 'scores.json'), JSON.stringify({ format: 1, conditions: [{ condition, tasks }] }));
  writeFileSync(join(dir, name, 'report', 'report.md'), `# ${name}\n`);
}

describe('runs of the benchmark', () => {
  it('are listed newest first, and anything that is no run is passed over', () => {
    makeRun('a', '2026-01-01T00:00:00Z');
    makeRun('b', '2026-02-01T00:00:00Z');
    mkdirSync(join(dir, 'other'));
    writeFileSync(join(dir, 'file'), '');
    expect(benchmarkList(dir).runs.map(({ run, counts }) => [run, counts['task2, text/rules']?.['items']])).toEqual([['b', 10], ['a', 10]]); // prettier-ignore
    expect(benchmarkList(join(dir, 'none')).runs).toEqual([]);
  });
  it('give their scores and the report, or say what is missing and what to do', () => {
    makeRun('a', '2026-01-01T00:00:00Z', { ddr: 0.8 });
    makeRun('b', '2026-01-01T00:00:00Z');
    expect(benchmarkRun(dir, 'a')).toMatchObject({ report: '# a\n', page: '', tasks: [{ task: 'task2, text/rules', items: 10, scores: { ddr: { value: 0.8 } } }] });
    expect(errorOf(() => benchmarkRun(dir, 'b')).sentence).toMatch(/not been scored yet\. .*bench report/);
    writeFileSync(join(dir, 'b', 'scores.json'), '{');
    expect(errorOf(() => benchmarkRun(dir, 'b')).code).toBe('unreadable');
    for (const name of ['..', '.', 'none', 'a/../b', '']) expect(errorOf(() => benchmarkRun(dir, name)).code).toBe('unknown-id');
  });
  it('stand beside each other, with a difference where both have a figure', () => {
    makeRun('a', '2026-01-01T00:00:00Z', { ddr: 0.5, wds: null, only_a: 1 });
    makeRun('b', '2026-01-01T00:00:00Z', { ddr: 0.75, wds: 0.3 });
    const rows = Object.fromEntries(compareBenchmarks(dir, 'a', 'b').rows.map(({ score, a, b, difference }) => [score, [a?.value, b?.value, difference]]));
    expect(rows).toEqual({ ddr: [0.5, 0.75, 0.25], wds: [null, 0.3, null], only_a: [1, undefined, null] });
    // another system on the same input is what is mostly compared; on another input it is not
    makeRun('c', '2026-01-01T00:00:00Z', { ddr: 0.25 }, 'text/llm');
    makeRun('d', '2026-01-01T00:00:00Z', { ddr: 0.25 }, 'voice-10db/rules');
    expect(compareBenchmarks(dir, 'a', 'c').rows.find(({ score }) => score === 'ddr')).toMatchObject({ task: 'task2, text', difference: -0.25 });
    expect(compareBenchmarks(dir, 'a', 'd').rows.every(({ difference }) => difference === null)).toBe(true);
  });
});
