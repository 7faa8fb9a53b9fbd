/**
 * Running: asks for an answer to every item and keeps each one as it is made, so that a killed run goes on where it was. Scoring is apart.
 *
 * A run is a folder: manifest.json; gold-TASK.jsonl, the items as they were; TASK.jsonl, one line an answer:
 * {id, ms, answer} or {id, ms, error}. A later line of the same id takes the place of an earlier one.
 */
import { appendFileSync, copyFileSync, createReadStream, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { productVersion } from '../../assembly.js';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import { wholeLines } from '../lines.js';
import { AnswerLine, ANSWERS, Task1Gold, Task2Gold } from './items.js';
import { answerTask1, answerTask2, BENCH_JUDGES, type BenchJudge } from './judges.js';

export const RUN_TASKS = ['task1', 'task2'] as const;
export type RunTask = (typeof RUN_TASKS)[number];

/** What decides the answers. A run goes on only with the same. */
const Config = z.object({
  hearback: z.string(),
  input: z.literal('text'),
  parser: z.literal('rules'),
  judge: z.enum(BENCH_JUDGES),
  profile: z.literal('paper'),
  /** SHA-256 of the items, by task. */
  data: z.record(z.string(), z.string()),
  limit: z.number().nullable(),
});
const Counts = z.object({ ok: z.number(), error: z.number(), skipped: z.number() });
export const RunManifest = z.object({ format: z.literal(1), config: Config, node: z.string(), cpu: z.string(), cores: z.number(), started: z.string(), ended: z.string().nullable(), resumed: z.number(), counts: z.record(z.string(), Counts) });
export type RunManifest = z.infer<typeof RunManifest>;

export interface RunOptions {
  /** Folder with task1.jsonl, task2.jsonl. */
  readonly data: string;
  readonly out: string;
  readonly tasks: readonly RunTask[];
  readonly judge: BenchJudge;
  readonly limit?: number;
  readonly retryErrors: boolean;
  readonly signal?: AbortSignal;
  readonly progress: (task: string, done: number) => void;
  /** A gold line that cannot be used. */
  readonly onBad: (task: string, line: number, why: string) => void;
}

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
};

/** @throws HearbackError where the folder holds no run */
export function readManifest(folder: string): RunManifest {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) throw new HearbackError('not-found', `${folder} holds no run: manifest.json is missing.`, { hint: 'Make one with `hearback bench run --out FOLDER`.' });
  try {
    return RunManifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    throw new HearbackError('unreadable', `${path} cannot be read.`, { hint: 'Take another folder with --out.', cause: thrown });
  }
}

const About = z.object({ about: z.string(), sha256: z.record(z.string(), z.string()) });

/** What the makers of a run's items say of them, where exactly these items came with a benchmark.json; else their hashes. */
export function aboutData(folder: string, { config }: RunManifest): string {
  const path = join(folder, 'benchmark.json');
  const about = existsSync(path) ? About.safeParse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  const hashes = Object.entries(config.data);
  if (about?.success === true && hashes.every(([task, hash]) => about.data.sha256[`${task}.jsonl`] === hash)) return about.data.about;
  return `SHA-256 ${hashes.map(([task, hash]) => `${task} ${hash}`).join(', ')}.`;
}

function writeManifest(folder: string, manifest: RunManifest): void {
  const path = join(folder, 'manifest.json');
  writeFileSync(`${path}.new`, `${JSON.stringify(manifest, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}

/** Ids that are answered; with `retryErrors` without failures and answers that cannot be read. */
function answered(path: string, task: RunTask, retryErrors: boolean): Set<string> {
  const ids = new Set<string>();
  for (const line of wholeLines(path)) {
    const { id, error, answer } = AnswerLine.parse(JSON.parse(line));
    if (!retryErrors || (error === undefined && ANSWERS[task].safeParse(answer).success)) ids.add(id);
    else ids.delete(id);
  }
  return ids;
}

/** The field in which two configurations differ, with both values. */
function difference(before: z.infer<typeof Config>, now: z.infer<typeof Config>): string | undefined {
  for (const key of Object.keys(now) as (keyof typeof now)[]) {
    if (JSON.stringify(before[key]) !== JSON.stringify(now[key])) return `"${key}" was ${JSON.stringify(before[key])} and is ${JSON.stringify(now[key])}`;
  }
  return undefined;
}

/**
 * Answers all items that have no answer yet.
 *
 * @throws HearbackError usage where the folder's run was made otherwise; not-found without items; cancelled when stopped, with all answers kept
 */
export async function runBenchmark(options: RunOptions): Promise<RunManifest> {
  const { out, tasks, judge, limit } = options;
  const data: Record<string, string> = {};
  for (const task of tasks) {
    const path = join(options.data, `${task}.jsonl`);
    if (!existsSync(path)) throw new HearbackError('not-found', `${path} does not exist.`, { hint: 'Make the benchmark with `hearback bench generate --out FOLDER`, or name its folder with --data.' });
    data[task] = await hashOf(path);
  }
  const config = { hearback: productVersion(), input: 'text' as const, parser: 'rules' as const, judge, profile: 'paper' as const, data, limit: limit ?? null };
  mkdirSync(out, { recursive: true });
  let manifest: RunManifest = { format: 1, config, node: process.versions.node, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, started: new Date().toISOString(), ended: null, resumed: 0, counts: {} };
  if (existsSync(join(out, 'manifest.json'))) {
    const before = readManifest(out);
    const differs = difference(before.config, config);
    if (differs !== undefined) throw new HearbackError('usage', `The run in ${out} cannot go on: ${differs}.`, { hint: 'Give the settings it was made with, or another folder with --out.' });
    manifest = { ...before, ended: null, resumed: before.resumed + 1 };
  }
  for (const task of tasks) copyFileSync(join(options.data, `${task}.jsonl`), join(out, `gold-${task}.jsonl`));
  if (existsSync(join(options.data, 'benchmark.json'))) copyFileSync(join(options.data, 'benchmark.json'), join(out, 'benchmark.json'));
  writeManifest(out, manifest);

  for (const task of tasks) {
    const path = join(out, `${task}.jsonl`);
    const known = answered(path, task, options.retryErrors);
    const counts = { ok: 0, error: 0, skipped: known.size };
    const seen = new Set<string>();
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(join(out, `gold-${task}.jsonl`)), crlfDelay: Infinity })) {
      number++;
      if (line.trim() === '') continue;
      if (limit !== undefined && seen.size >= limit) break;
      if (options.signal?.aborted === true) throw new HearbackError('cancelled', 'Stopped before the end.', { hint: 'Every answer so far is kept: the same command goes on there.' });
      const item = readItem(task, line);
      if (item === undefined || seen.has(item.gold.id)) {
        options.onBad(task, number, item === undefined ? 'it does not fit' : `it repeats the id "${item.gold.id}"`);
        continue;
      }
      seen.add(item.gold.id);
      if (known.has(item.gold.id)) continue;
      const started = performance.now();
      const ms = (): number => Math.round((performance.now() - started) * 1000) / 1000;
      try {
        const answer = item.task === 'task1' ? answerTask1(item.gold) : await answerTask2(judge, item.gold);
        appendFileSync(path, `${JSON.stringify({ id: item.gold.id, ms: ms(), answer })}\n`);
        counts.ok++;
      } catch (thrown) {
        appendFileSync(path, `${JSON.stringify({ id: item.gold.id, ms: ms(), error: toHearbackError(thrown).sentence })}\n`);
        counts.error++;
      }
      options.progress(task, seen.size);
    }
    manifest = { ...manifest, counts: { ...manifest.counts, [task]: counts } };
  }
  manifest = { ...manifest, ended: new Date().toISOString() };
  writeManifest(out, manifest);
  return manifest;
}

function readItem(task: RunTask, line: string): { task: 'task1'; gold: Task1Gold } | { task: 'task2'; gold: Task2Gold } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (task === 'task1') {
    const gold = Task1Gold.safeParse(parsed);
    return gold.success ? { task, gold: gold.data } : undefined;
  }
  const gold = Task2Gold.safeParse(parsed);
  return gold.success ? { task, gold: gold.data } : undefined;
}
