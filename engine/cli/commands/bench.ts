/** `bench`: makes the benchmark, runs the product on it, scores answers, compares, reports. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { z } from 'zod';
import type { JudgeChoice } from '../../assembly.js';
import {
  AnswerLine, BENCH_JUDGES, BENCH_PARSERS, benchmarkFiles, cellsOf, checkLimits, comparisonText, compareRuns, conditionName, countsOf, FROZEN_SEED, GOLD, limitSentence, mergeRuns, NORMALISERS, placesOf, readLimit, readManifest, readRequest, readRunFile, readSide, REPORT_FORMATS, runBenchmark, scoreAnswers,
  scoreRun, TASKS, voiceFolder, writeReport, type Counts, type Limit, type Normaliser, type ReportFormat, type RunManifest, type RunRequest, type Scored, type Scoring, type Shard, type Task,
} from '../../bench/index.js';
import { HearbackError } from '../../domain/result.js';
import { LLM_PROVIDERS } from '../../llm/index.js';
import { PROMPT_CONDITIONS } from '../../judge/index.js';
import { listModels, packageRoot } from '../../models/index.js';
import { deviceOption, judgeChoice, positiveInteger, threadsOption } from '../options.js';
import { addBenchData } from './bench-data.js';
import { EXIT, endProgress, note, paint, print, printJson, readJsonLines, showProgress, stopSignal } from '../io.js';

/** "ar_geo=0.7", "task1.ar_geo=0.7", "text/rules:task1.ar_geo=0.7". */
const limits = (kind: Limit['kind']) => (text: string, before: readonly Limit[]): Limit[] => {
  const limit = readLimit(text, kind);
  if (limit === undefined) throw new InvalidArgumentError('must be SCORE=NUMBER, e.g. ar_geo=0.7.');
  return [...before, limit];
};

/** "2/5". */
function shard(text: string): Shard {
  const [index = Number.NaN, of = Number.NaN, more] = text.split('/').map(Number);
  if (more !== undefined || !Number.isInteger(index) || !Number.isInteger(of) || of < 1 || index < 1 || index > of) throw new InvalidArgumentError('must be i/n with i from 1 to n, e.g. 2/5.');
  return { index, of };
}

/** "clean,20,0". */
function ratios(text: string): ('clean' | number)[] {
  return text.split(',').map((part) => {
    const value = Number(part);
    if (part.trim() === 'clean') return 'clean';
    if (part.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('must be ratios in dB, or clean, between commas: clean,20,10,0.');
    return value;
  });
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < 1)) throw new InvalidArgumentError('must be a share between 0 and 1.');
  return value;
}

const several = <T extends string>(known: readonly T[]) => (text: string, before: readonly T[] | undefined): T[] => {
  const one = known.find((each) => each === text);
  if (one === undefined) throw new InvalidArgumentError(`must be one of ${known.join(', ')}.`);
  return [...(before ?? []), one];
};

async function readAll<S extends z.ZodType>(file: string, schema: S): Promise<{ values: z.output<S>[]; bad: number }> {
  const values: z.output<S>[] = [];
  let bad = 0;
  for await (const { value } of readJsonLines(file, schema, ({ error }) => {
    bad++;
    note(`${paint('red', '✗')} ${file}: ${error.sentence}`);
  })) values.push(value);
  return { values, bad };
}

/** Answers of somebody else from a file. */
async function scoreFiles(task: Task, gold: string, answers: string, scoring: Scoring): Promise<{ scored: Scored; bad: number }> {
  const items = await readAll(gold, GOLD[task]);
  // the first of an id counts, as when it was answered
  const ids = new Set<string>();
  const values = items.values.filter(({ id }) => !ids.has(id) && ids.add(id));
  if (items.values.length > ids.size) note(`${gold}: ${String(items.values.length - ids.size)} repeated ids are left out.`);
  if (values.length === 0) throw new HearbackError('empty', `${gold} has no item that can be used.`);
  const given = await readAll(answers, AnswerLine);
  return { scored: scoreAnswers(task, values, given.values, scoring), bad: items.bad + given.bad };
}

interface ScoringOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly normaliser: Normaliser;
  readonly baseRate?: number;
}
const scoringOf = ({ rounds, seed, normaliser, baseRate }: ScoringOptions): Scoring => ({ rounds, seed, normaliser, ...(baseRate === undefined ? {} : { baseRate }) });
const seedOption = (what: string, value: number): Option => new Option('--seed <n>', what).argParser((text) => positiveInteger(text)).default(value);
const addScoring = (command: Command): Command =>
  command
    .addOption(new Option('--rounds <n>', 'resamples for the intervals').argParser((text) => positiveInteger(text)).default(1000))
    .addOption(seedOption('of the resamples', 1))
    .addOption(new Option('--normaliser <name>', 'form in which texts of slots are compared: as written, or after the normaliser of the recogniser\'s benchmark').choices(Object.keys(NORMALISERS)).default('written'));
const addLimits = (command: Command): Command =>
  command
    .option('--min <score=value>', 'exit code 3 when the score is below; [CONDITION:][TASK.]SCORE; may be repeated', limits('min'), [])
    .option('--max <score=value>', 'exit code 3 when it is above', limits('max'), []);
const baseRateOption = (): Option => new Option('--base-rate <p>', 'share of readbacks that are wrong, for the figures of alarms (default: 0.01)').argParser((text) => share(text));

interface RunOptions extends JudgeChoice {
  readonly out: string;
  readonly config?: string;
  readonly data?: string;
  readonly voice?: string;
  readonly task?: Task[];
  readonly input?: ('text' | 'recordings' | 'hypotheses')[];
  readonly snr?: ('clean' | number)[];
  readonly model?: string;
  readonly device?: string;
  readonly threads?: number;
  readonly workers?: number;
  readonly parser: string;
  readonly limit?: number;
  readonly seed?: number;
  readonly shard?: Shard;
  readonly retryErrors: boolean;
  readonly answerAgain: boolean;
}

/** What is asked for, from a file or from the options. */
function requestOf(command: Command, options: RunOptions): RunRequest {
  const defaults = { data: join(packageRoot(), 'fixtures', 'bench') };
  if (options.config !== undefined) {
    const beside = command.options.find((option) => !['config', 'out', 'shard', 'retryErrors', 'answerAgain', 'limit'].includes(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === 'cli');
    if (beside !== undefined) throw new HearbackError('usage', `${beside.long ?? ''} cannot stand beside --config.`, { hint: 'Write it into the file; only --limit, --shard, --retry-errors and --answer-again go with one.' });
    const request = readRunFile(options.config, defaults);
    return options.limit === undefined ? request : { ...request, limit: options.limit };
  }
  const { llmProvider: provider, llmUrl: url, llmModel, llmPrompt: prompt, llmTimeLimit: time_limit, judge } = judgeChoice(options);
  return readRequest(
    JSON.parse(
      JSON.stringify({
        data: options.data,
        voice: options.voice,
        tasks: options.task,
        inputs: options.input === undefined && options.snr === undefined ? undefined : [...(options.input ?? []), ...(options.snr === undefined ? [] : [{ snr: options.snr }])],
        recogniser: { model: options.model, device: options.device, threads: options.threads, workers: options.workers },
        systems: [{ parser: options.parser, judge, provider, url, model: llmModel, prompt, time_limit }],
        limit: options.limit,
        seed: options.seed,
      }),
    ),
    process.cwd(),
    'These options',
    defaults,
  );
}

const total = (counts: RunManifest['counts'], key: keyof Counts): number => Object.values(counts).reduce((sum, tasks) => sum + Object.values(tasks).reduce((most, each) => most + each[key], 0), 0);

export function addBench(program: Command): void {
  const bench = program.command('bench').description('Benchmarks: makes items, runs the product on them, scores answers as the papers do, compares, reports (docs/benchmark.md).');
  addBenchData(bench);

  bench
    .command('generate')
    .description('Makes the reconstructed benchmark (synthetic): 500 Task 1, 1,000 Task 2 and 1,000 ground items to the published counts. The same seed gives the same files.')
    .requiredOption('--out <folder>', 'where task1.jsonl, task2.jsonl, ground.jsonl and benchmark.json go')
    .addOption(seedOption('of everything that is drawn', FROZEN_SEED))
    .action((options: { out: string; seed: number }) => {
      const files = benchmarkFiles(options.seed);
      mkdirSync(options.out, { recursive: true });
      for (const [name, content] of files) writeFileSync(join(options.out, name), content);
      print(files.get('benchmark.json')?.trimEnd() ?? '');
    });

  const run = bench
    .command('run')
    .description('Hears and answers the items and keeps every result as it is made; the same command goes on after a stop. Scores nothing.')
    .requiredOption('--out <folder>', 'the run')
    .option('--config <file>', 'YAML: inputs, recogniser, systems, tasks, limit, seed')
    .option('--data <folder>', 'the items (default: the benchmark that ships with the product)')
    .option('--voice <folder>', 'speech for the items (default: voice/ in their folder)')
    .option('--task <name>', 'which; may be repeated (default: all there are)', several(TASKS))
    .option('--input <name>', 'text (default), recordings that the items name, or hypotheses beside them; may be repeated', several(['text', 'recordings', 'hypotheses']))
    .addOption(new Option('--snr <list>', 'what the recogniser makes of the speech at these ratios: clean,20,10,0').argParser(ratios))
    .addOption(new Option('--judge <name>', 'who judges readbacks; string-difference compares words and is the bar to be above').choices(BENCH_JUDGES).default('rules'))
    .addOption(new Option('--llm-provider <name>', 'as for `hearback judge`').choices(LLM_PROVIDERS))
    .option('--llm-url <url>')
    .option('--llm-model <name>')
    .addOption(new Option('--llm-prompt <name>').choices(PROMPT_CONDITIONS))
    .option('--llm-time-limit <s>', 'seconds for one judgement', positiveInteger)
    .addOption(new Option('--parser <name>', 'who labels (Task 1): the rules, the language model that is named, or both').choices(BENCH_PARSERS).default('rules'))
    .option('--model <id>', 'recogniser, for --snr')
    .addOption(deviceOption().default(undefined))
    .addOption(threadsOption())
    .option('--workers <n>', 'recognisers beside each other, each with its threads', positiveInteger)
    .option('--limit <n>', 'only the first items of each task', positiveInteger)
    .addOption(new Option('--seed <n>', 'of the radio channel').argParser((text) => positiveInteger(text)))
    .addOption(new Option('--shard <i/n>', 'part i of n of the items, for arrays of jobs; `bench merge` puts them together').argParser(shard))
    .option('--retry-errors', 'ask again where the answer was a failure or cannot be read', false)
    .option('--answer-again', 'throw the answers away and make them again from what was heard, after a change of rules, judges or models', false);
  run.action(async (options: RunOptions) => {
    const request = requestOf(run, options);
    const started = performance.now();
    let bad = 0;
    const manifest = await runBenchmark(request, {
      out: options.out,
      shard: options.shard,
      retryErrors: options.retryErrors,
      answerAgain: options.answerAgain,
      signal: stopSignal(() => {
        note('Stopping; every result so far is kept.');
      }),
      progress: (what, done, steps) => {
        showProgress(what, done, steps, started);
      },
      onBad: (task, line, why) => {
        bad++;
        note(`${paint('red', '✗')} ${task}.jsonl: line ${String(line)} is left out: ${why}.`);
      },
      onNotice: ({ text, severity }) => {
        note(severity === 'info' ? paint('grey', `i ${text}`) : `${paint('yellow', '!')} ${text}`);
      },
    });
    endProgress();
    printJson({ run: options.out, counts: manifest.counts, peak_memory_mb: manifest.peak_memory_mb });
    if (bad > 0 || total(manifest.counts, 'error') > 0) process.exitCode = EXIT.failure;
  });

  bench
    .command('merge')
    .description('Puts the shards of a run together: what comes out is what one undisturbed run leaves.')
    .argument('<run...>', 'folders of `bench run --shard 1/n` … `n/n`')
    .requiredOption('--out <folder>', 'the whole run')
    .option('--partial', 'merge although a shard is missing or has not ended', false)
    .action(async (folders: string[], options: { out: string; partial: boolean }) => {
      const manifest = await mergeRuns(folders, options.out, options.partial);
      printJson({ run: options.out, counts: manifest.counts });
    });

  addLimits(addScoring(bench.command('score')))
    .description('Scores a run, or a file of answers against a file of gold. Prints JSON, a line a condition and task. Can be repeated.')
    .argument('[run]', 'folder of `bench run`; scores.json is written into it')
    .addOption(new Option('--task <name>', 'with --gold: what the lines are').choices(TASKS))
    .option('--gold <file>', 'JSON lines of gold')
    .option('--answers <file>', 'JSON lines {id, answer} or the answers with their ids')
    .addOption(baseRateOption())
    .action(async (folder: string | undefined, options: ScoringOptions & { task?: Task; gold?: string; answers?: string; min: Limit[]; max: Limit[] }) => {
      let measured: { condition: string; tasks: Partial<Record<Task, Scored>> }[];
      let failed = 0;
      if (folder !== undefined) {
        if (options.gold !== undefined || options.answers !== undefined) throw new HearbackError('usage', 'Give a run, or --gold and --answers, not both.');
        const scores = await scoreRun(folder, scoringOf(options));
        if (scores.conditions.length + scores.heard.length === 0) throw new HearbackError('empty', `The run in ${folder} has no answers yet.`);
        writeFileSync(join(folder, 'scores.json'), `${JSON.stringify(scores, null, 1)}\n`);
        for (const { condition, tasks } of scores.conditions) for (const scored of Object.values(tasks)) printJson({ condition, ...scored });
        for (const { input, tasks } of scores.heard) for (const [task, figures] of Object.entries(tasks)) printJson({ heard: input, task, ...figures });
        measured = [...scores.conditions];
      } else {
        if (options.task === undefined || options.gold === undefined || options.answers === undefined) throw new HearbackError('usage', 'There is nothing to score.', { hint: 'Give the folder of a run, or --task, --gold and --answers.' });
        const { scored, bad } = await scoreFiles(options.task, options.gold, options.answers, scoringOf(options));
        failed = bad;
        printJson(scored);
        measured = [{ condition: '', tasks: { [scored.task]: scored } }];
      }
      const unmet = checkLimits([...options.min, ...options.max], measured).filter(({ met }) => !met);
      for (const each of unmet) note(`${paint('red', '✗')} ${limitSentence(each)}`);
      if (unmet.length > 0) process.exitCode = EXIT.threshold;
      else if (failed > 0) process.exitCode = EXIT.failure;
    });

  addLimits(addScoring(bench.command('report')))
    .description('Scores a run and writes a page to read, Markdown, CSV, JSON, JUnit of the limits, and what sclite reads.')
    .argument('<run>', 'folder of `bench run`')
    .option('--out <folder>', 'where the files go (default: report/ in the run)')
    .option('--format <name>', 'only this one; may be repeated', several(REPORT_FORMATS))
    .option('--title <text>', 'heading of the page', 'Benchmark')
    .addOption(baseRateOption())
    .action(async (folder: string, options: ScoringOptions & { out?: string; format?: ReportFormat[]; title: string; min: Limit[]; max: Limit[] }) => {
      const started = performance.now();
      const scores = await scoreRun(folder, scoringOf(options), (what) => {
        showProgress(`scoring ${what}`, 0, undefined, started);
      });
      endProgress();
      if (scores.conditions.length + scores.heard.length === 0) throw new HearbackError('empty', `The run in ${folder} has no answers yet.`);
      const checked = checkLimits([...options.min, ...options.max], scores.conditions);
      for (const path of await writeReport(folder, scores, options.out ?? join(folder, 'report'), { formats: options.format ?? REPORT_FORMATS, checked, title: options.title, places: placesOf(folder) })) print(path);
      for (const each of checked.filter(({ met }) => !met)) note(`${paint('red', '✗')} ${limitSentence(each)}`);
      if (checked.some(({ met }) => !met)) process.exitCode = EXIT.threshold;
    });

  addScoring(bench.command('compare'))
    .description('Two runs, or two conditions, item by item: differences with interval and p (McNemar; paired bootstrap).')
    .argument('<first>', 'RUN, or RUN#INPUT/SYSTEM for one condition of it')
    .argument('<second>')
    .option('--json', 'a JSON line a task and condition')
    .action(async (first: string, second: string, options: ScoringOptions & { json?: true }) => {
      for (const compared of await compareRuns(readSide(first), readSide(second), scoringOf(options))) {
        if (options.json === true) printJson(compared);
        else print(comparisonText(compared));
      }
    });

  bench
    .command('list')
    .description('What a benchmark can be made of here; or, with a folder, the runs in it, how far they are, and their conditions.')
    .argument('[folder]', 'a run, or a folder of runs')
    .option('--json', 'JSON')
    .action(async (folder: string | undefined, options: { json?: true }) => {
      if (folder === undefined) await listChoices(options.json === true);
      else await listRuns(folder, options.json === true);
    });
}

async function listChoices(json: boolean): Promise<void> {
  const data = join(packageRoot(), 'fixtures', 'bench');
  const choices = {
    items: TASKS.filter((task) => existsSync(join(data, `${task}.jsonl`))),
    speech: existsSync(join(voiceFolder({ data, voice: undefined }), 'manifest.jsonl')),
    tasks: TASKS,
    parsers: BENCH_PARSERS,
    judges: BENCH_JUDGES,
    prompts: PROMPT_CONDITIONS,
    providers: LLM_PROVIDERS,
    models: (await listModels()).filter(({ present }) => present).map(({ id }) => id),
    normalisers: Object.keys(NORMALISERS),
    formats: REPORT_FORMATS,
  };
  if (json) printJson(choices);
  else for (const [name, value] of Object.entries(choices)) print(`${name.padEnd(12)}${typeof value === 'boolean' ? (value ? 'there is' : 'none') : value.join(', ')}`);
}

async function listRuns(folder: string, json: boolean): Promise<void> {
  const runs = existsSync(join(folder, 'manifest.json')) ? [folder] : existsSync(folder) ? readdirSync(folder).sort().map((name) => join(folder, name)).filter((path) => existsSync(join(path, 'manifest.json'))) : [];
  if (runs.length === 0) throw new HearbackError('not-found', `${folder} holds no run.`, { hint: 'Make one with `hearback bench run --out FOLDER`.' });
  for (const path of runs) {
    const manifest = readManifest(path);
    const conditions = await Promise.all(cellsOf(manifest.config).map(async (cell) => ({ condition: conditionName(cell), task: cell.task, counts: await countsOf(path, manifest.config, cell) })));
    if (json) {
      printJson({ run: path, ended: manifest.ended, config: manifest.config, conditions });
      continue;
    }
    print(paint('bold', `${basename(path)}  ${manifest.ended === null ? 'not ended' : `ended ${manifest.ended}`}${manifest.config.shard === null ? '' : `, shard ${manifest.config.shard}`}`));
    for (const { condition, task, counts } of conditions) print(`  ${condition.padEnd(28)} ${task.padEnd(7)} ${countsText(counts)}`);
  }
}

function countsText({ items, first_time, retried, unreadable, error, skipped }: Counts): string {
  const parts = [[first_time, 'at the first time'], [retried, 'in a later try'], [unreadable, 'unreadable'], [error, 'failed'], [skipped, 'without an answer']] as const;
  return `${String(items)} items: ${parts.filter(([count]) => count > 0).map(([count, what]) => `${String(count)} ${what}`).join(', ')}`;
}
