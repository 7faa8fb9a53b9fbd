/**
 * Runs of `hearback bench run` as screens see them. Runs are made and scored on the command line; here they are only read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { HearbackError } from '../domain/result.js';
import type { BenchmarkComparison} from './protocol.js';
import { BenchmarkList, BenchmarkRun } from './protocol.js';

const Manifest = z.looseObject({ started: z.string(), ended: z.string().nullable(), config: z.record(z.string(), z.unknown()).optional(), counts: z.record(z.string(), z.record(z.string(), z.number())).default({}) });
const Estimate = z.looseObject({ value: z.number().nullable(), low: z.number().nullable().optional(), high: z.number().nullable().optional() });
const Scores = z.array(z.looseObject({ task: z.string(), items: z.number(), scores: z.record(z.string(), Estimate) }));

function manifestOf(folder: string): z.output<typeof Manifest> | undefined {
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  } catch {
    return undefined; // not a run
  }
}

/** The runs in a folder, newest first. */
export function benchmarkList(folder: string): z.output<typeof BenchmarkList> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const runs = names.flatMap((run) => {
    const manifest = manifestOf(join(folder, run));
    return manifest === undefined ? [] : [{ run, started: manifest.started, ended: manifest.ended, config: manifest.config ?? {}, counts: manifest.counts }];
  });
  return BenchmarkList.parse({ folder, runs: runs.sort((a, b) => b.started.localeCompare(a.started, 'en')) });
}

/** @throws HearbackError unknown-id; not-found: it has not been scored */
export function benchmarkRun(folder: string, run: string): z.output<typeof BenchmarkRun> {
  const path = join(folder, run);
  if (run.startsWith('.') || /[/\\\0]/.test(run) || manifestOf(path) === undefined) throw new HearbackError('unknown-id', `There is no benchmark run ${run}.`);
  const hint = `Score it with: hearback bench score "${path}"`;
  if (!existsSync(join(path, 'scores.json'))) throw new HearbackError('not-found', 'This run has not been scored yet.', { hint });
  const scores = Scores.safeParse(JSON.parse(readFileSync(join(path, 'scores.json'), 'utf8')));
  if (!scores.success) throw new HearbackError('unreadable', 'The scores of this run cannot be read.', { hint });
  const report = join(path, 'report.md');
  return BenchmarkRun.parse({ run, tasks: scores.data, report: existsSync(report) ? readFileSync(report, 'utf8') : '' });
}

/** Scores of two runs side by side; a score that only one has stands alone. @throws HearbackError */
export function compareBenchmarks(folder: string, a: string, b: string): z.output<typeof BenchmarkComparison> {
  const [one, other] = [benchmarkRun(folder, a), benchmarkRun(folder, b)];
  const find = (run: typeof one, task: string, score: string) => run.tasks.find((each) => each.task === task)?.scores[score] ?? null;
  const names = new Set([...one.tasks, ...other.tasks].flatMap(({ task, scores }) => Object.keys(scores).map((score) => `${task}\n${score}`)));
  const rows = [...names].map((name) => {
    const [task = '', score = ''] = name.split('\n');
    const [left, right] = [find(one, task, score), find(other, task, score)];
    return { task, score, a: left, b: right, difference: left?.value == null || right?.value == null ? null : right.value - left.value };
  });
  return { a, b, rows };
}
