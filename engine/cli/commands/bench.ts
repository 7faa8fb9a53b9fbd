/** `bench`: makes the benchmark, runs the product on it, scores answers, reports. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { z } from 'zod';
import { aboutData, AnswerLine, BENCH_JUDGES, benchmarkFiles, FROZEN_SEED, GOLD, readManifest, RUN_TASKS, runBenchmark, scoreAnswers, scoreReport, TASKS, type BenchJudge, type RunTask, type Scored, type Task } from '../../bench/index.js';
import { HearbackError } from '../../domain/result.js';
import { packageRoot } from '../../models/index.js';
import { EXIT, endProgress, note, paint, print, printJson, readJsonLines, showProgress, stopSignal } from '../io.js';
import { positiveInteger } from '../options.js';

interface Limit {
  readonly score: string;
  readonly value: number;
}
/** "ar_geo=0.7", or "task1.ar_geo=0.7". */
function limits(text: string, before: readonly Limit[]): Limit[] {
  const [score = '', value = ''] = text.split('=');
  if (score === '' || value.trim() === '' || !Number.isFinite(Number(value))) throw new InvalidArgumentError('must be SCORE=NUMBER, e.g. ar_geo=0.7.');
  return [...before, { score, value: Number(value) }];
}

/** Sentences about limits that are not met. */
function unmet(scored: readonly Scored[], min: readonly Limit[], max: readonly Limit[]): string[] {
  const check = (list: readonly Limit[], bad: (value: number, limit: number) => boolean, word: string): string[] =>
    list.flatMap(({ score, value: limit }) => {
      const found = scored.flatMap(({ task, scores }) => [scores[score], scores[score.startsWith(`${task}.`) ? score.slice(task.length + 1) : '']]).find((estimate) => estimate !== undefined);
      if (found === undefined) throw new HearbackError('usage', `No score is called "${score}".`, { hint: `Known here: ${scored.flatMap(({ scores }) => Object.keys(scores)).join(', ')}.` });
      return found.value === null || bad(found.value, limit) ? [`${score} is ${found.value === null ? 'without items' : found.value.toFixed(4)}; ${word} ${String(limit)} was asked for.`] : [];
    });
  return [...check(min, (value, limit) => value < limit, 'at least'), ...check(max, (value, limit) => value > limit, 'at most')];
}

async function readAll<S extends z.ZodType>(file: string, schema: S): Promise<{ values: z.output<S>[]; bad: number }> {
  const values: z.output<S>[] = [];
  let bad = 0;
  for await (const { value } of readJsonLines(file, schema, ({ error }) => {
    bad++;
    note(`${paint('red', '✗')} ${file}: ${error.sentence}`);
  })) values.push(value);
  return { values, bad };
}

async function scoreFiles(task: Task, gold: string, answers: string, rounds: number, seed: number, limit?: number): Promise<{ scored: Scored; bad: number }> {
  const items = await readAll(gold, GOLD[task]);
  // the first of an id counts, as when it was answered
  const ids = new Set<string>();
  const values = items.values.filter(({ id }) => !ids.has(id) && ids.add(id)).slice(0, limit);
  if (items.values.length > ids.size) note(`${gold}: ${String(items.values.length - ids.size)} repeated ids are left out.`);
  if (values.length === 0) throw new HearbackError('empty', `${gold} has no item that can be used.`);
  const given = await readAll(answers, AnswerLine);
  return { scored: scoreAnswers(task, values, given.values, { rounds, seed }), bad: items.bad + given.bad };
}

/** The tasks of a run that have answers. */
async function scoreRun(folder: string, rounds: number, seed: number): Promise<{ scored: Scored[]; bad: number }> {
  const { limit } = readManifest(folder).config;
  const scored: Scored[] = [];
  let bad = 0;
  for (const task of RUN_TASKS) {
    if (!existsSync(join(folder, `${task}.jsonl`))) continue;
    const one = await scoreFiles(task, join(folder, `gold-${task}.jsonl`), join(folder, `${task}.jsonl`), rounds, seed, limit ?? undefined);
    scored.push(one.scored);
    bad += one.bad;
  }
  if (scored.length === 0) throw new HearbackError('empty', `The run in ${folder} has no answers yet.`);
  return { scored, bad };
}

const seedOption = (what: string, value: number): Option => new Option('--seed <n>', what).argParser((text) => positiveInteger(text)).default(value);
const roundsOption = (): Option => new Option('--rounds <n>', 'resamples for the intervals').argParser((text) => positiveInteger(text)).default(1000);

export function addBench(program: Command): void {
  const bench = program.command('bench').description('Benchmarks: makes items, runs the product on them, scores answers as the papers do.');

  bench
    .command('generate')
    .description('Makes the reconstructed benchmark (synthetic): 500 Task 1 and 1,000 Task 2 items to the published counts. The same seed gives the same files.')
    .requiredOption('--out <folder>', 'where task1.jsonl, task2.jsonl and benchmark.json go')
    .addOption(seedOption('of everything that is drawn', FROZEN_SEED))
    .action((options: { out: string; seed: number }) => {
      const files = benchmarkFiles(options.seed);
      mkdirSync(options.out, { recursive: true });
      for (const [name, content] of files) writeFileSync(join(options.out, name), content);
      print(files.get('benchmark.json')?.trimEnd() ?? '');
    });

  bench
    .command('run')
    .description('Answers the items and keeps every answer as it is made; the same command goes on after a stop. Scores nothing.')
    .requiredOption('--out <folder>', 'the run')
    .option('--data <folder>', 'the benchmark', join(packageRoot(), 'fixtures', 'bench'))
    .addOption(new Option('--task <name>', 'which').choices([...RUN_TASKS, 'all']).default('all'))
    .addOption(new Option('--judge <name>', 'who judges readbacks; string-difference compares words and is the bar to be above').choices(BENCH_JUDGES).default('rules'))
    .option('--limit <n>', 'only the first items of each task', positiveInteger)
    .option('--retry-errors', 'ask again where the answer was a failure or cannot be read', false)
    .action(async (options: { out: string; data: string; task: RunTask | 'all'; judge: BenchJudge; limit?: number; retryErrors: boolean }) => {
      const started = performance.now();
      let bad = 0;
      const manifest = await runBenchmark({
        data: options.data,
        out: options.out,
        tasks: options.task === 'all' ? RUN_TASKS : [options.task],
        judge: options.judge,
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        retryErrors: options.retryErrors,
        signal: stopSignal(() => {
          note('Stopping; every answer so far is kept.');
        }),
        progress: (task, done) => {
          showProgress(`${task} ${String(done)}`, done, undefined, started);
        },
        onBad: (task, line, why) => {
          bad++;
          note(`${paint('red', '✗')} ${task}.jsonl: line ${String(line)} is left out: ${why}.`);
        },
      });
      endProgress();
      printJson({ run: options.out, ...manifest.counts });
      if (bad > 0 || Object.values(manifest.counts).some(({ error }) => error > 0)) process.exitCode = EXIT.failure;
    });

  bench
    .command('score')
    .description('Scores a run, or a file of answers against a file of gold. Prints JSON.')
    .argument('[run]', 'folder of `bench run`; scores.json is written into it')
    .addOption(new Option('--task <name>', 'with --gold: what the lines are').choices(TASKS))
    .option('--gold <file>', 'JSON lines of gold')
    .option('--answers <file>', 'JSON lines {id, answer} or the answers with their ids')
    .addOption(roundsOption())
    .addOption(seedOption('of the resamples', 1))
    .option('--min <score=value>', 'exit code 3 when the score is below; may be repeated', limits, [])
    .option('--max <score=value>', 'exit code 3 when it is above', limits, [])
    .action(async (run: string | undefined, options: { task?: Task; gold?: string; answers?: string; rounds: number; seed: number; min: Limit[]; max: Limit[] }) => {
      let result: { scored: Scored[]; bad: number };
      if (run !== undefined) {
        if (options.gold !== undefined || options.answers !== undefined) throw new HearbackError('usage', 'Give a run, or --gold and --answers, not both.');
        result = await scoreRun(run, options.rounds, options.seed);
        writeFileSync(join(run, 'scores.json'), `${JSON.stringify(result.scored, null, 1)}\n`);
      } else {
        if (options.task === undefined || options.gold === undefined || options.answers === undefined) throw new HearbackError('usage', 'There is nothing to score.', { hint: 'Give the folder of a run, or --task, --gold and --answers.' });
        const { scored, bad } = await scoreFiles(options.task, options.gold, options.answers, options.rounds, options.seed);
        result = { scored: [scored], bad };
      }
      for (const scored of result.scored) printJson(scored);
      const misses = unmet(result.scored, options.min, options.max);
      for (const miss of misses) note(`${paint('red', '✗')} ${miss}`);
      if (misses.length > 0) process.exitCode = EXIT.threshold;
      else if (result.bad > 0) process.exitCode = EXIT.failure;
    });

  bench
    .command('report')
    .description('The figures of a run as Markdown, beside the published ones.')
    .argument('<run>', 'folder of `bench run`')
    .option('--out <file>', 'write it there instead of to stdout')
    .addOption(roundsOption())
    .addOption(seedOption('of the resamples', 1))
    .action(async (run: string, options: { out?: string; rounds: number; seed: number }) => {
      const manifest = readManifest(run);
      const { config, cpu, started, ended } = manifest;
      const { scored, bad } = await scoreRun(run, options.rounds, options.seed);
      const text = [
        '# Benchmark',
        '',
        `Hearback ${config.hearback}, input ${config.input}, parser ${config.parser}, judge ${config.judge}, profile ${config.profile}; ${cpu}; ${started} to ${ended ?? 'not ended'}.`,
        `Items: ${aboutData(run, manifest)}`,
        '',
        ...scored.map((one) => scoreReport(one, one.task === 'task1' ? 'Task 1: understanding' : 'Task 2: readbacks')),
      ].join('\n');
      if (options.out === undefined) print(text);
      else writeFileSync(options.out, `${text}\n`);
      if (bad > 0) process.exitCode = EXIT.failure;
    });
}
