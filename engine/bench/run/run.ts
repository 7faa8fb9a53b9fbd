/**
 * Running: hears and answers every item and keeps each result as it is made, so that a killed run goes on where it was. Scoring is apart.
 *
 * A run is a folder: manifest.json; gold-TASK.jsonl, the items as they were; INPUT/heard-TASK.jsonl, what was heard of each part of an item;
 * INPUT/SYSTEM/TASK.jsonl, one line an answer: {id, ms, answer} or {id, ms, error}. A later line takes the place of an earlier one.
 */
import { copyFileSync, createReadStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, hostname, loadavg, platform, release } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DEFAULT_MODEL, embeddedNetwork, openRecogniser, productVersion, recogniserFolder } from '../../assembly.js';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import type { Notice, Recogniser } from '../../domain/stages.js';
import { EMBEDDED_READING } from '../../judge/index.js';
import { task2Prompt } from '../../judge/prompts/index.js';
import { PARSER_CONDITIONS, parserPrompt } from '../../llm/index.js';
import { requireModel } from '../../models/index.js';
import { openVoices } from '../voice/clips.js';
import { voiceFolder, type Input, type RunRequest, type SystemChoice } from './config.js';
import { hear, heardKey, openHeard, openRecorded, soundOf, wordsOfLine, writtenPart } from './inputs.js';
import { ANSWERS, AnswerLine, GOLD, GroundGold, HeardLine, PARTS, TASKS, type Gold, type Part, type Task, type Voices } from './items.js';
import { openSystem, type Outcome, type System, type Words } from './judges.js';
import { difference, hashesOfCode, hashOfFile, hashOfFolder, heardWith, normaliserFacts, readManifest, writeManifest, type Counts, type RunConfig, type RunManifest } from './manifest.js';
import { childrenPeak, programPeak } from './memory.js';
import { Pool } from './pool.js';
import { LineFile } from './store.js';

/** Part i of n of the items, as arrays of jobs have them; both from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface RunOptions {
  readonly out: string;
  readonly shard?: Shard | undefined;
  readonly retryErrors: boolean;
  /** Keeps what was heard, where that would come out the same, and throws all answers away. */
  readonly answerAgain?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** `done` and `total` in steps that take about as long; what is there already does not count. */
  readonly progress: (what: string, done: number, total: number) => void;
  /** A gold line that cannot be used. */
  readonly onBad: (task: Task, line: number, why: string) => void;
  readonly onNotice: (notice: Notice) => void;
}

/** One file of answers. */
export interface Cell {
  readonly input: string;
  readonly system: string;
  readonly task: Exclude<Task, 'speech'>;
}

export const goldFile = (folder: string, task: Task): string => join(folder, `gold-${task}.jsonl`);
export const answerFile = (folder: string, { input, system, task }: Cell): string => join(folder, input, system, `${task}.jsonl`);
export const heardFile = (folder: string, input: string, task: Task): string => join(folder, input, `heard-${task}.jsonl`);
export const conditionName = ({ input, system }: Pick<Cell, 'input' | 'system'>): string => `${input}/${system}`;

/**
 * Every file of answers of a run. Of several systems that parse by the rules, the first answers what a parser alone answers (Task 1, ground), and
 * of several that judge by them the first answers Task 2; a language model labels Task 1 alone; speech is heard only.
 */
export function cellsOf({ inputs, systems, data }: Pick<RunConfig, 'inputs' | 'systems' | 'data'>): Cell[] {
  const firstOf = (is: (system: RunConfig['systems'][number]) => boolean) => (system: RunConfig['systems'][number]): boolean => systems.find(is) === system;
  const parsesByRules = firstOf(({ judge, parser }) => judge !== 'string-difference' && parser === 'rules');
  const judgesByRules = firstOf(({ judge }) => judge === 'rules');
  const answers = (task: Exclude<Task, 'speech'>, system: RunConfig['systems'][number]): boolean => {
    if (task === 'task2') return system.judge !== 'rules' || judgesByRules(system);
    return system.parser === 'rules' ? parsesByRules(system) : task === 'task1';
  };
  return inputs.flatMap((input) => TASKS.flatMap((task): Cell[] => (data[task] === undefined || task === 'speech' ? [] : systems.filter((system) => answers(task, system)).map((system) => ({ input: input.name, system: system.name, task })))));
}

/** The items of a run in order: what fits the schema, each id once, the first `limit`, and of those the shard's. */
export async function* itemsOf(folder: string, task: Task, limit: number | null, shard: string | null, onBad: (line: number, why: string) => void = () => undefined): AsyncGenerator<Gold> {
  const [index, of] = shard === null ? [1, 1] : (shard.split('/').map(Number) as [number, number]);
  const seen = new Set<string>();
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(goldFile(folder, task)), crlfDelay: Infinity })) {
    number++;
    if (line.trim() === '') continue;
    if (limit !== null && seen.size >= limit) break;
    const read = readGold(task, line);
    if (typeof read === 'string' || seen.has(read.id)) {
      onBad(number, typeof read === 'string' ? read : `it repeats the id "${read.id}"`);
      continue;
    }
    seen.add(read.id);
    if ((seen.size - 1) % of === index - 1) yield read;
  }
}

/** An item, or why the line is none. */
function readGold(task: Task, line: string): Gold | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'it is not JSON';
  }
  const gold = GOLD[task].safeParse(value);
  if (gold.success) return gold.data;
  const [issue] = gold.error.issues;
  return `"${issue?.path.join('.') ?? ''}": ${issue?.message ?? 'does not fit'}`;
}

/** Only one process at a time writes into a run. */
function lock(folder: string): () => void {
  const path = join(folder, 'lock');
  const own = `${hostname()} ${String(process.pid)}`;
  if (existsSync(path)) {
    const [host = '', pid = ''] = readFileSync(path, 'utf8').split(' ');
    if (host === hostname() && Number(pid) !== process.pid && isAlive(Number(pid))) throw new HearbackError('usage', `The run in ${folder} is going on in process ${pid}.`, { hint: `Wait for it, or stop it. If that process is something else, remove ${path}.` });
  }
  writeFileSync(path, own);
  return () => {
    rmSync(path, { force: true });
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function configOf(request: RunRequest, tasks: readonly Task[], voices: Voices | undefined, shard: Shard | undefined): Promise<RunConfig> {
  const data: RunConfig['data'] = {};
  for (const task of tasks) data[task] = await hashOfFile(join(request.data, `${task}.jsonl`));
  const inputs = await Promise.all(
    request.inputs.map(async (input) => ({ name: input.name, kind: input.kind, ...(input.kind === 'voice' ? { snr: input.snr } : {}), ...(input.kind === 'recorded' ? { sha256: await recordedHash(input.file) } : {}) })),
  );
  const model = request.recogniser.model ?? DEFAULT_MODEL;
  const listens = request.inputs.some(({ kind }) => kind === 'voice' || kind === 'recordings');
  return {
    hearback: productVersion(),
    ...(await hashesOfCode(listens)),
    data,
    inputs,
    voice: voices?.sha256 ?? null,
    recogniser: listens ? { model, sha256: await hashOfFolder(recogniserFolder(model).folder), device: request.recogniser.device ?? 'auto', threads: request.recogniser.threads ?? null, workers: request.recogniser.workers ?? 1 } : null,
    systems: await Promise.all(request.systems.map(systemFacts)),
    limit: request.limit ?? null,
    seed: request.seed,
    shard: shard === undefined ? null : `${String(shard.index)}/${String(shard.of)}`,
  };
}

async function recordedHash(file: string): Promise<string> {
  if (!existsSync(file)) throw new HearbackError('not-found', `${file} does not exist.`, { hint: 'It is named in "inputs" as recorded hypotheses.' });
  return hashOfFile(file);
}

/** The address of a server is not among what decides answers: a mended server may have another one. Every answer says where it came from. */
async function systemFacts({ name, parser, judge, provider, model, prompt, time_limit }: SystemChoice & { readonly name: string }): Promise<RunConfig['systems'][number]> {
  const asks = judge === 'llm' || judge === 'consensus';
  const network = asks ? embeddedNetwork({ llmProvider: provider, llmModel: model }) : undefined;
  const condition = prompt ?? 'full';
  const labels = parser === 'rules' ? undefined : PARSER_CONDITIONS.find((each) => each === condition);
  const folderOf = (id: string): string => (existsSync(join(id, 'config.json')) ? id : requireModel(id));
  const modelHash = async (): Promise<string | null> => {
    if (network !== undefined) return hashOfFolder(network.folder);
    if (model === undefined || provider === 'openai') return null;
    return provider === 'gguf' && existsSync(model) ? hashOfFile(model) : hashOfFolder(folderOf(model));
  };
  return {
    name,
    parser,
    judge,
    profile: 'paper',
    provider: network === undefined ? (provider ?? null) : 'onnx',
    model: network?.id ?? model ?? null,
    model_sha256: await modelHash(),
    prompt: !asks ? null : network === undefined ? task2Prompt(condition, 'paper').id : `${EMBEDDED_READING}/paper`,
    prompt_sha256: !asks || network !== undefined ? null : task2Prompt(condition, 'paper').sha256,
    parser_prompt: labels === undefined ? null : parserPrompt(labels).id,
    parser_prompt_sha256: labels === undefined ? null : parserPrompt(labels).sha256,
    time_limit: time_limit ?? null,
  };
}

const answerFacts = (task: Exclude<Task, 'speech'>) => (value: unknown) => {
  const { id, error, answer } = AnswerLine.parse(value);
  return { key: id, settled: error === undefined && ANSWERS[task].safeParse(answer).success };
};

/** Rough costs of a step, for telling how much is left: a transmission heard, one parsed or judged by rules, one judged by the network that ships, one asked of a language model. */
const COST = { hear: 20, rules: 0.1, network: 0.6, llm: 200 } as const;

/** What an answer of a file costs, by who gives it. */
function costOf(system: RunConfig['systems'][number] | undefined, task: Task): number {
  if (system === undefined) return COST.rules;
  if (task !== 'task2') return system.parser === 'rules' ? COST.rules : COST.llm;
  if (system.judge !== 'llm' && system.judge !== 'consensus') return COST.rules;
  return system.prompt?.startsWith(EMBEDDED_READING) === true ? COST.network : COST.llm;
}

/** So many failures one after another are one failure: of a server that is gone, say. */
const MANY = 20;

/**
 * Hears and answers all items that have no answer yet.
 *
 * @throws HearbackError usage where the folder's run was made otherwise; not-found without items; cancelled when stopped, with all results kept
 */
export async function runBenchmark(request: RunRequest, options: RunOptions): Promise<RunManifest> {
  const { out, shard } = options;
  const tasks = request.tasks ?? TASKS.filter((task) => existsSync(join(request.data, `${task}.jsonl`)));
  const lacking = tasks.find((task) => !existsSync(join(request.data, `${task}.jsonl`)));
  if (lacking !== undefined || tasks.length === 0) throw new HearbackError('not-found', lacking === undefined ? `${request.data} holds no items: ${TASKS.map((task) => `${task}.jsonl`).join(', ')}.` : `${join(request.data, lacking)}.jsonl does not exist.`, { hint: 'Make the benchmark with `hearback bench generate --out FOLDER`, or name its folder with --data.' });
  const voices = request.inputs.some(({ kind }) => kind === 'voice') ? await openVoicesIfThere(request) : undefined;
  const config = await configOf(request, tasks, voices, shard);

  mkdirSync(out, { recursive: true });
  const unlock = lock(out);
  try {
    const start = { at: new Date().toISOString(), node: process.versions.node, system: `${platform()} ${release()}`, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load: Math.round((loadavg()[0] ?? 0) * 10) / 10 };
    let manifest: RunManifest = { format: 2, config, normaliser: normaliserFacts(), starts: [start], ended: null, counts: {}, peak_memory_mb: { program: 0, children: null } };
    if (existsSync(join(out, 'manifest.json'))) {
      const before = readManifest(out);
      const again = options.answerAgain === true;
      const differs = again ? difference(heardWith(before.config), heardWith(config)) : difference(before.config, config);
      if (differs !== undefined) throw new HearbackError('usage', `The run in ${out} cannot ${again ? 'keep what it heard' : 'go on'}: ${differs}.`, { hint: again ? 'Hear it again: take another folder with --out.' : hintToGoOn(before.config, config) });
      if (again) {
        // before the new manifest: killed between the two, the run is still the old one and does not go on with answers of two kinds
        for (const cell of cellsOf(before.config)) rmSync(answerFile(out, cell), { force: true });
        manifest = { ...manifest, starts: [...before.starts, start] };
      } else manifest = { ...before, starts: [...before.starts, start], ended: null };
    }
    for (const task of tasks) copyFileSync(join(request.data, `${task}.jsonl`), goldFile(out, task));
    if (existsSync(join(request.data, 'benchmark.json'))) copyFileSync(join(request.data, 'benchmark.json'), join(out, 'benchmark.json'));
    writeManifest(out, manifest);
    // for the sounds of a report; not part of what a run is
    writeFileSync(join(out, 'places.json'), JSON.stringify({ data: resolve(request.data), voice: resolve(voiceFolder(request)) }));

    const worker = new Worker(request, options, config, voices);
    let ended = false;
    try {
      await worker.run(tasks);
      ended = true;
    } finally {
      const counts: RunManifest['counts'] = {};
      for (const cell of cellsOf(config)) (counts[conditionName(cell)] ??= {})[cell.task] = await countsOf(out, config, cell);
      const { program, children } = manifest.peak_memory_mb;
      const most = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : Math.max(a, b));
      manifest = { ...manifest, ended: ended ? new Date().toISOString() : null, counts, peak_memory_mb: { program: Math.max(program, programPeak()), children: most(children, worker.childrenPeak) } };
      writeManifest(out, manifest);
    }
    return manifest;
  } finally {
    unlock();
  }
}

/** What can be done where a run is asked to go on otherwise than it was made. */
const hintToGoOn = (before: RunConfig, now: RunConfig): string =>
  now.hearing !== null && difference(heardWith(before), heardWith(now)) === undefined ? 'What was heard is still good: --answer-again keeps it and answers all items anew.' : 'Give the settings it was made with, or another folder with --out.';

/** Speech of the items; undefined where the items bring recordings of their own that are dry and there is no folder. */
async function openVoicesIfThere(request: RunRequest): Promise<Voices | undefined> {
  const folder = voiceFolder(request);
  return request.voice === undefined && !existsSync(folder) ? undefined : openVoices(folder);
}

/** How many items of a file of answers ended how. */
export async function countsOf(folder: string, { limit, shard }: Pick<RunConfig, 'limit' | 'shard'>, cell: Cell): Promise<Counts> {
  const counts = { items: 0, first_time: 0, retried: 0, unreadable: 0, error: 0, skipped: 0 };
  const path = answerFile(folder, cell);
  const answers = existsSync(path) ? await LineFile.openToRead(path, answerFacts(cell.task)) : undefined;
  for await (const { id } of itemsOf(folder, cell.task, limit, shard)) {
    counts.items++;
    if (answers?.has(id) !== true) counts.skipped++;
    else if (answers.settled(id)) counts[answers.tries(id) > 1 ? 'retried' : 'first_time']++;
    else counts[AnswerLine.parse(answers.get(id)).error === undefined ? 'unreadable' : 'error']++;
  }
  answers?.close();
  return counts;
}

/** One going of a run. */
class Worker {
  readonly #request: RunRequest;
  readonly #options: RunOptions;
  readonly #config: RunConfig;
  readonly #voices: Voices | undefined;
  readonly #told = new Set<string>();
  #recognisers: Pool<Recogniser> | undefined;
  #done = 0;
  #total = 0;
  childrenPeak: number | null = null;

  constructor(request: RunRequest, options: RunOptions, config: RunConfig, voices: Voices | undefined) {
    this.#request = request;
    this.#options = options;
    this.#config = config;
    this.#voices = voices;
  }

  async run(tasks: readonly Task[]): Promise<void> {
    const { inputs, systems } = this.#request;
    const cells = cellsOf(this.#config);
    for (const task of tasks) {
      let items = 0;
      for await (const gold of this.#items(task, true)) {
        items++;
        // only what there is speech for takes time
        for (const input of inputs) {
          if (input.kind !== 'voice' && input.kind !== 'recordings') continue;
          for (const part of PARTS[task]) if (soundOf(input, task, gold, part, this.#request.data, this.#voices, this.#request.seed) !== undefined) this.#total += COST.hear;
        }
      }
      const cost = (name: string): number => costOf(this.#config.systems.find((system) => system.name === name), task);
      this.#total += items * cells.filter((cell) => cell.task === task).reduce((sum, { system }) => sum + cost(system), 0);
    }
    try {
      const spoken = inputs.filter(({ kind }) => kind !== 'text');
      if (spoken.length > 0) for (const task of tasks) await this.#hearAll(spoken, task);
      this.#look();
      await this.#recognisers?.close();
      this.#recognisers = undefined;
      for (const choice of systems) {
        const own = cells.filter(({ system }) => system === choice.name);
        const system = openSystem(choice);
        try {
          for (const cell of own) await this.#answerAll(cell, system);
        } finally {
          await system.close();
        }
      }
    } finally {
      await this.#recognisers?.close();
    }
  }

  #items(task: Task, tell = false): AsyncGenerator<Gold> {
    return itemsOf(this.#options.out, task, this.#config.limit, this.#config.shard, tell ? (line, why) => { this.#options.onBad(task, line, why); } : undefined);
  }

  #stopWhenTold(): void {
    if (this.#options.signal?.aborted === true) throw new HearbackError('cancelled', 'Stopped before the end.', { hint: 'Every result so far is kept: the same command goes on there.' });
  }

  #step(what: string, cost: number, was: boolean): void {
    // what was there before takes no time and would make the rest look short
    if (was) this.#total -= cost;
    else this.#done += cost;
    this.#options.progress(what, this.#done, this.#total);
  }

  #look(): void {
    const now = childrenPeak();
    if (now !== null) this.childrenPeak = Math.max(this.childrenPeak ?? 0, now);
  }

  #tell(notices: readonly Notice[]): void {
    for (const notice of notices) {
      if (!this.#told.has(notice.text)) this.#options.onNotice(notice);
      this.#told.add(notice.text);
    }
  }

  /**
   * What is heard of every part of every item in every input, into the run's own files, wherever it comes from. Item by item and not input by input, so
   * that a clip is decoded once for all ratios; as many at once as there are recognisers, and one more whose sound is made meanwhile. Lines are kept in
   * the order of the items.
   */
  async #hearAll(inputs: readonly Input[], task: Task): Promise<void> {
    const { out, signal, retryErrors } = this.#options;
    const open: { input: Input; file: LineFile; recorded: LineFile | undefined }[] = [];
    const begun: { what: Input; line: Promise<HeardLine | undefined> | undefined }[] = [];
    let failures = 0;
    const settle = async (): Promise<void> => {
      const first = begun.shift();
      if (first === undefined) return;
      const own = open.find(({ input }) => input === first.what);
      if (first.line !== undefined) {
        const line = await first.line;
        if (line === undefined) return;
        own?.file.append(line);
        failures = line.error === undefined ? 0 : failures + 1;
        if (failures >= MANY) throw new HearbackError('worker-died', `${String(MANY)} transmissions one after another could not be heard: ${line.error ?? ''}`, { hint: 'Mend it; the same command with --retry-errors goes on there.' });
      }
      if (first.what.kind === 'voice' || first.what.kind === 'recordings') this.#step(`hearing ${task}, ${first.what.name}`, COST.hear, first.line === undefined);
    };
    try {
      for (const input of inputs) {
        mkdirSync(join(out, input.name), { recursive: true });
        open.push({ input, file: await openHeard(heardFile(out, input.name, task), task), recorded: input.kind === 'recorded' ? await openRecorded(input.file, task) : undefined });
      }
      const many = (this.#request.recogniser.workers ?? 1) + 1;
      for await (const gold of this.#items(task)) {
        for (const part of PARTS[task]) {
          for (const { input, file, recorded } of open) {
            this.#stopWhenTold();
            const key = heardKey(gold.id, part);
            const known = retryErrors ? file.settled(key) : file.has(key);
            const line = known ? undefined : this.#heard(input, task, gold, part, recorded, signal);
            // told where its turn comes
            line?.catch(() => undefined);
            begun.push({ what: input, line });
            while (begun.filter((each) => each.line !== undefined).length >= many || begun[0]?.line === undefined) {
              if (begun.length === 0) break;
              await settle();
            }
          }
        }
      }
      while (begun.length > 0) await settle();
    } finally {
      await Promise.allSettled(begun.flatMap(({ line }) => line ?? []));
      for (const { file, recorded } of open) {
        file.close();
        recorded?.close();
      }
    }
  }

  /** A heard line; undefined where the item has nothing to hear in this input. */
  async #heard(input: Input, task: Task, gold: Gold, part: Part, recorded: LineFile | undefined, signal: AbortSignal | undefined): Promise<HeardLine | undefined> {
    if (recorded !== undefined) {
      const line = recorded.get(heardKey(gold.id, part));
      return line === undefined ? undefined : { ...HeardLine.parse(line), id: gold.id, part };
    }
    if (input.kind === 'hypotheses') {
      const text = gold.hypotheses?.[part];
      return text === undefined ? undefined : { id: gold.id, part, text };
    }
    const sound = soundOf(input, task, gold, part, this.#request.data, this.#voices, this.#request.seed);
    if (sound === undefined) return undefined;
    try {
      const samples = await sound.samples();
      this.#recognisers ??= new Pool(this.#request.recogniser.workers ?? 1, () => openRecogniser({ ...this.#request.recogniser, workers: 1 }));
      return await this.#recognisers.with(async (recogniser) => {
        this.#tell(recogniser.notices);
        return hear(recogniser, gold.id, part, samples, sound.reference, signal);
      });
    } catch (thrown) {
      this.#stopWhenTold();
      const error = toHearbackError(thrown);
      // without a recogniser there is no run
      if (error.code === 'model-missing' || error.code === 'model-broken' || error.code === 'unknown-id' || error.code === 'device') throw error;
      return { id: gold.id, part, error: error.sentence };
    }
  }

  /** An answer to every item of one file. */
  async #answerAll(cell: Cell, system: System): Promise<void> {
    const { out, retryErrors } = this.#options;
    const { input, system: name, task } = cell;
    mkdirSync(join(out, input, name), { recursive: true });
    const file = await LineFile.open(answerFile(out, cell), answerFacts(task));
    const heard = input === 'text' ? undefined : await openHeard(heardFile(out, input, task), task);
    const cost = costOf(this.#config.systems.find((system) => system.name === name), task);
    let failures = 0;
    try {
      for await (const gold of this.#items(task)) {
        this.#stopWhenTold();
        const known = retryErrors ? file.settled(gold.id) : file.has(gold.id);
        if (!known) {
          const words = PARTS[task].map((part) => this.#words(task, gold, part, heard));
          if (words.every((each) => each !== undefined)) {
            await system.prepare(task);
            const started = performance.now();
            const outcome = await answerTo(system, task, gold, words);
            const ms = Math.round((performance.now() - started) * 1000) / 1000;
            file.append({ id: gold.id, ms, ...outcome });
            if (cost !== COST.rules) this.#tell(system.notices);
            failures = outcome.error === undefined ? 0 : failures + 1;
            if (failures >= MANY) throw new HearbackError('offline', `${String(MANY)} answers one after another failed: ${outcome.error ?? ''}`, { hint: 'Mend it; the same command with --retry-errors goes on there.' });
          }
        }
        this.#step(`${input}/${name} ${task}`, cost, known);
      }
    } finally {
      this.#look();
      file.close();
      heard?.close();
    }
  }

  /** The words of a part, or why it was not heard; undefined where there are none. */
  #words(task: Task, gold: Gold, part: Part, heard: LineFile | undefined): Words | { readonly failed: string } | undefined {
    if (heard === undefined) {
      const text = writtenPart(task, gold, part);
      return text === undefined ? undefined : { text };
    }
    const value = heard.get(heardKey(gold.id, part));
    if (value === undefined) return undefined;
    const line = HeardLine.parse(value);
    return line.error === undefined ? wordsOfLine(line) : { failed: line.error };
  }
}

async function answerTo(system: System, task: Exclude<Task, 'speech'>, gold: Gold, parts: readonly (Words | { readonly failed: string })[]): Promise<Outcome> {
  const failed = parts.find((part) => 'failed' in part);
  if (failed !== undefined && 'failed' in failed) return { error: `It was not heard: ${failed.failed}` };
  const [first, second] = parts as readonly Words[];
  if (first === undefined) return { error: 'There are no words.' };
  try {
    switch (task) {
      case 'task1':
        return await system.task1(gold, first);
      case 'ground':
        return system.ground(GroundGold.parse(gold), first);
      case 'task2':
        return second === undefined ? { error: 'There are no words.' } : await system.task2(gold, first, second);
    }
  } catch (thrown) {
    return { error: toHearbackError(thrown).sentence };
  }
}
