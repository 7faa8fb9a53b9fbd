/**
 * Runs of `hearback bench run` as screens see them. Runs are made, scored and reported on the command line; here they are only read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { HearbackError } from '../domain/result.js';
import type { BenchmarkComparison, BenchmarkList, BenchmarkRun } from './protocol.js';

const Counts = z.record(z.string(), z.number());
/** What is read of manifest.json; anything else about a run is passed over. */
const Manifest = z.looseObject({
  config: z.record(z.string(), z.unknown()),
  starts: z.array(z.looseObject({ at: z.string() })).min(1),
  ended: z.string().nullable(),
  /** Condition → task → counts. */
  counts: z.record(z.string(), z.record(z.string(), Counts)),
});
const Estimate = z.object({ value: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() });
const Scores = z.looseObject({
  conditions: z.array(z.looseObject({ condition: z.string(), tasks: z.record(z.string(), z.looseObject({ items: z.number(), scores: z.record(z.string(), Estimate) })) })),
});

function manifestOf(folder: string): z.output<typeof Manifest> | undefined {
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  } catch {
    return undefined; // not a run
  }
}

/** "task2, text/rules": what of a run a score is about. */
const part = (task: string, condition: string): string => `${task}, ${condition}`;

/** The runs in a folder, newest first. */
export function benchmarkList(folder: string): z.output<typeof BenchmarkList> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const runs = names.flatMap((run) => {
    const manifest = manifestOf(join(folder, run));
    if (manifest === undefined) return [];
    const counts = Object.entries(manifest.counts).flatMap(([condition, tasks]) => Object.entries(tasks).map(([task, count]) => [part(task, condition), count] as const));
    return [{ run, started: manifest.starts[0]?.at ?? '', ended: manifest.ended, config: manifest.config, counts: Object.fromEntries(counts) }];
  });
  return { folder, runs: runs.sort((a, b) => b.started.localeCompare(a.started, 'en')) };
}

/** @throws HearbackError unknown-id; not-found: it has not been scored */
export function benchmarkRun(folder: string, run: string): z.output<typeof BenchmarkRun> {
  const path = join(folder, run);
  if (run.startsWith('.') || /[/\\\0]/.test(run) || manifestOf(path) === undefined) throw new HearbackError('unknown-id', `There is no benchmark run ${run}.`);
  const hint = `Make its report with: hearback bench report "${path}"`;
  // `bench report` writes into report/, `bench score` beside the answers
  const file = [join(path, 'report', 'scores.json'), join(path, 'scores.json')].find((each) => existsSync(each));
  if (file === undefined) throw new HearbackError('not-found', 'This run has not been scored yet.', { hint });
  let scores: z.output<typeof Scores>;
  try {
    scores = Scores.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (thrown) {
    throw new HearbackError('unreadable', 'The scores of this run cannot be read.', { hint, cause: thrown });
  }
  const made = (name: string): string => (existsSync(join(path, 'report', name)) ? readFileSync(join(path, 'report', name), 'utf8') : '');
  return {
    run,
    tasks: scores.conditions.flatMap(({ condition, tasks }) => Object.entries(tasks).map(([task, of]) => ({ task: part(task, condition), items: of.items, scores: of.scores }))),
    report: made('report.md'),
    page: made('report.html'),
  };
}

/** "task2, text/rules" without the system that answered: "task2, text". */
const inputOf = (task: string): string => task.replace(/\/[^/]*$/, '');

/**
 * Scores of two runs side by side; a score that only one has stands alone. Runs of different systems meet where each has one system for an input:
 * that is what two runs are mostly made for.
 *
 * @throws HearbackError
 */
export function compareBenchmarks(folder: string, a: string, b: string): z.output<typeof BenchmarkComparison> {
  const [one, other] = [benchmarkRun(folder, a), benchmarkRun(folder, b)];
  type Part = (typeof one.tasks)[number];
  const alone = ({ tasks }: { readonly tasks: readonly Part[] }, input: string): Part | undefined => {
    const of = tasks.filter(({ task }) => inputOf(task) === input);
    return of.length === 1 ? of[0] : undefined;
  };
  const pairs: { readonly task: string; readonly left: Part | undefined; readonly right: Part | undefined }[] = one.tasks.map((left) => {
    const same = other.tasks.find(({ task }) => task === left.task);
    const input = inputOf(left.task);
    const right = same ?? (alone(one, input) === undefined ? undefined : alone(other, input));
    return { task: right === undefined || right === same ? left.task : input, left, right };
  });
  for (const right of other.tasks) if (!pairs.some((pair) => pair.right === right)) pairs.push({ task: right.task, left: undefined, right });
  const estimate = (of: Part | undefined, score: string): z.output<typeof Estimate> | null => {
    const found = of?.scores[score];
    return found === undefined ? null : { value: found.value, low: found.low ?? null, high: found.high ?? null };
  };
  const rows = pairs.flatMap(({ task, left, right }) =>
    [...new Set([...Object.keys(left?.scores ?? {}), ...Object.keys(right?.scores ?? {})])].map((score) => {
      const [first, second] = [estimate(left, score), estimate(right, score)];
      return { task, score, a: first, b: second, difference: first?.value == null || second?.value == null ? null : second.value - first.value };
    }),
  );
  return { a, b, rows };
}
