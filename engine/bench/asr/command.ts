/**
 * `npm run bench:asr -- …`: the recogniser on the held-out set, beside others' on the same clips.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type as systemType } from 'node:os';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { DEFAULT_MODEL, openSegmenter, productVersion } from '../../assembly.js';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import { defaultPlaces, packageRoot } from '../../models/index.js';
import { hashOf, loadClip, loadForeign, readHeldOut } from './held-out.js';
import { accuracyOf, measureAccuracy, measureInvention, measureLatency, snrName, type Contender, type Control, type Inventions, type Latency } from './measure.js';
import { NORMALISER_VERSION } from './normalise.js';
import { RawLog } from './raw-log.js';
import { asrReport, type AsrResults, type SystemResult } from './report.js';
import { openPeers, openProduct, type System } from './systems.js';

interface Options {
  readonly model: readonly string[];
  readonly snr: readonly number[];
  readonly limit?: number;
  readonly peers?: string;
  readonly peerModels?: string;
  readonly peer: readonly string[];
  readonly peerSnr?: readonly number[];
  readonly latency: boolean;
  readonly hour: boolean;
  readonly minutes: number;
  readonly foreign?: string;
  readonly set: string;
  readonly work: string;
  readonly out: string;
  readonly seed: number;
  readonly threads: number;
  readonly maxWer10?: number;
  readonly minCallsign10?: number;
  readonly minValues10?: number;
  readonly maxMs4?: number;
  readonly maxRtf?: number;
  readonly minNothing?: number;
  readonly maxMb?: number;
}

const EXIT = { done: 0, failure: 1, usage: 2, threshold: 3 } as const;

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('It must be a number of 0 or more.');
  return value;
}
function whole(text: string): number {
  const value = number(text);
  if (!Number.isInteger(value) || value === 0) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}
const ratios = (text: string): number[] =>
  text.split(',').map((part) => {
    if (part === 'clean') return Infinity;
    const value = Number(part);
    if (part.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be "clean" or decibels, with commas between.');
    return value;
  });
const list = (text: string, before: readonly string[]): string[] => [...before, ...text.split(',').filter((part) => part !== '')];

function command(): Command {
  return new Command('bench:asr')
    .description('Measures the recogniser on the held-out set (fixtures/asr-held-out/): word error rate, callsigns, values, invented text, size and speed.')
    .option('--model <id or folder>', `model of the product; several with commas or by repeating (default ${DEFAULT_MODEL})`, list, [])
    .option('--snr <list>', 'ratios of speech to noise, dB; "clean" is without a channel', ratios, ratios('clean,20,15,10,5,0'))
    .option('--limit <clips>', 'only the first clips of the set', whole)
    .option('--peers <python>', 'also faster-whisper and whisper.cpp, run by this Python')
    .option('--peer-models <folder>', 'where whisper-tiny.en-ct2 and whisper-base-ct2 are (default: where models are pulled to)')
    .option('--peer <name>', 'only these peers, e.g. faster-whisper-base', list, [])
    .option('--peer-snr <list>', 'ratios at which the peers are asked (default: all); they are slow', ratios)
    .option('--no-latency', 'leave out the times by length')
    .option('--hour', 'also noise, music and other languages, 20 minutes each (product only)', false)
    .option('--minutes <minutes>', 'minutes of each for --hour', number, 20)
    .option('--foreign <folder>', 'recordings in other languages, in addition to those of the set')
    .option('--set <folder>', 'the held-out set', join(packageRoot(), 'fixtures', 'asr-held-out'))
    .option('--work <folder>', 'where answers are kept, so that a stopped run goes on', join(packageRoot(), 'test-output', 'bench-asr'))
    .option('--out <file.json>', 'results; the Markdown table is written beside it', join(packageRoot(), 'docs', 'results', 'asr.json'))
    .option('--seed <number>', 'of levels, noise and music', whole, 1)
    .option('--threads <number>', 'for every recogniser', whole, Math.min(4, availableParallelism()))
    .option('--max-wer10 <rate>', 'exit code 3 when the first model\'s word error rate at 10 dB is above', number)
    .option('--min-callsign10 <rate>', 'the same for callsigns at 10 dB, below', number)
    .option('--min-values10 <rate>', 'the same for values at 10 dB, below', number)
    .option('--max-ms4 <ms>', 'the same for the median of four seconds, above', number)
    .option('--max-rtf <rate>', 'the same for the real-time factor at 10 dB, above', number)
    .option('--min-nothing <rate>', 'the same for clips of noise that give no text (with --hour), below', number)
    .option('--max-mb <MB>', 'the same for the size of the model, above', number)
    .addHelpText('after', '\nExit codes: 0 done, 1 failure or stopped, 2 usage, 3 a threshold not met. Ctrl-C keeps what was answered: the same command goes on there.')
    .exitOverride();
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
/** The arguments without the folders of this machine: results are published. */
export const published = (args: readonly string[]): string => args.map((arg) => arg.replace(/(^|[=,])(?:\/|[A-Za-z]:\\)(?:[^,=/\\]+[/\\])*([^,/\\]*)/gu, '$1…/$2')).join(' ');
const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Progress on stderr with the time left: one line at a terminal, else a line every 20 s. */
function progressLine(): Control['progress'] {
  let current = '';
  let started = 0;
  let from = 0;
  let last = 0;
  return (what, done, total) => {
    const now = performance.now();
    const kind = `${what.split(' ')[0] ?? ''} ${total}`;
    if (kind !== current) {
      current = kind;
      started = now;
      from = done;
    }
    const every = process.stderr.isTTY ? 200 : 20_000;
    if (now - last < every && done < total) return;
    last = now;
    const gone = (now - started) / 1000;
    const left = done > from && gone > 3 ? `, ${clock((gone / (done - from)) * (total - done))} left` : '';
    const line = `${what}: ${Math.floor((100 * done) / total)} %, ${clock(gone)} gone${left}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}${done >= total ? '\n' : ''}`);
    else say(line);
  };
}

/** SHA-256 over the compiled recogniser and audio rooms: answers of other code are not taken for this one's. */
function codeHash(): string {
  const hash = createHash('sha256');
  for (const room of ['asr', 'audio']) {
    const folder = join(packageRoot(), 'dist', 'engine', room);
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.js')).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 8);
}

function packageVersion(name: string): string {
  const path = createRequire(import.meta.url).resolve.paths(name)?.map((folder) => join(folder, name, 'package.json')).find((candidate) => {
    try {
      return readFileSync(candidate).length > 0;
    } catch {
      return false;
    }
  });
  const parsed: unknown = path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string' ? parsed.version : 'unknown';
}

/** Sentences about thresholds that the first system does not meet. */
export function unmet(system: SystemResult | undefined, options: Pick<Options, 'maxWer10' | 'minCallsign10' | 'minValues10' | 'maxMs4' | 'maxRtf' | 'minNothing' | 'maxMb'>): string[] {
  const out: string[] = [];
  const ten = system?.accuracy['10'];
  const check = (name: string, limit: number | undefined, value: number | null | undefined, most: boolean): void => {
    if (limit === undefined) return;
    if (value === undefined || value === null) out.push(`${name} was not measured.`);
    else if (most ? value > limit : value < limit) out.push(`${name} is ${value.toFixed(4)}; at ${most ? 'most' : 'least'} ${limit} was asked for.`);
  };
  check('The word error rate at 10 dB', options.maxWer10, ten?.wer.rate, true);
  check('The share of callsigns at 10 dB', options.minCallsign10, ten?.callsign.rate, false);
  check('The share of values at 10 dB', options.minValues10, ten?.values.found.rate, false);
  check('The median for four seconds, ms,', options.maxMs4, system?.latency.find(({ seconds }) => seconds === 4)?.median, true);
  check('The real-time factor at 10 dB', options.maxRtf, ten?.realTimeFactor, true);
  check('The share of clips of noise that give nothing', options.minNothing, system?.invention?.recogniser.noise.nothing.rate, false);
  check('The size in MB', options.maxMb, system === undefined ? undefined : system.bytes / 1e6, true);
  return out;
}

/** @throws HearbackError, or the abort reason of `signal` */
async function run(options: Options, commandLine: string, signal: AbortSignal): Promise<number> {
  const control: Control = { signal, progress: progressLine() };
  const clips = readHeldOut(options.set).slice(0, options.limit);
  if (clips.length === 0) throw new HearbackError('empty', `The manifest of ${options.set} has no clips.`);
  const speech: Float32Array[] = [];
  for (const clip of clips) speech.push(await loadClip(options.set, clip));
  const foreign = options.hour ? await loadForeign(options.set, options.foreign, (sentence) => { process.stderr.write(`left out: ${sentence}\n`); }) : [];

  const systems: System[] = [];
  try {
    for (const model of options.model.length === 0 ? [DEFAULT_MODEL] : options.model) systems.push(await openProduct(model, options.threads));
    if (options.peers !== undefined) systems.push(...(await openPeers(options.peers, resolve(options.peerModels ?? defaultPlaces().pulled), options.work, options.threads, options.peer)));
    const twice = systems.find((system, i) => systems.findIndex(({ id }) => id === system.id) < i);
    if (twice !== undefined) throw new HearbackError('usage', `Two recognisers are called ${twice.id}.`, { hint: 'Give the folder another name.' });
    const code = codeHash();
    const contenders = systems.map((system): Contender => ({ system, log: new RawLog(join(options.work, 'raw', `${system.id}-${system.sha256.slice(0, 8)}-${system.kind === 'product' ? code : createHash('sha256').update(system.about).digest('hex').slice(0, 8)}-${options.threads}.jsonl`)) }));
    const loadAtStart = loadavg()[0] ?? 0;
    say(`${clips.length} clips, ${options.snr.length} ratios, ${systems.map(({ id }) => id).join(', ')}`);

    const latency: Map<string, Latency[]> = options.latency ? await measureLatency(contenders, speech, options.seed, control) : new Map<string, Latency[]>();
    const accuracy = await measureAccuracy(contenders, clips, speech, options.snr, (system, snr) => system.kind === 'product' || (options.peerSnr ?? options.snr).includes(snr), options.seed, control);
    const own = contenders.filter(({ system }) => system.kind === 'product');
    const foreignName = createHash('sha256').update(foreign.map(({ what, samples }) => `${what} ${samples.length}`).join('\n')).digest('hex').slice(0, 8);
    const invention: Map<string, Inventions> = options.hour ? await measureInvention(own, openSegmenter, foreign, foreignName, options.minutes, options.seed, control) : new Map<string, Inventions>();

    const results: AsrResults = {
      format: 1,
      date: new Date().toISOString().slice(0, 10),
      commandLine,
      versions: { hearback: productVersion(), node: process.versions.node, 'onnxruntime-node': packageVersion('onnxruntime-node') },
      machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), memoryGB: Math.round(totalmem() / 2 ** 30), system: `${systemType()} ${release()}`, threads: options.threads, loadAtStart },
      set: { clips: clips.length, seconds: clips.reduce((sum, { seconds }) => sum + seconds, 0), sha256: hashOf(clips), seed: options.seed, normaliser: NORMALISER_VERSION },
      reference: accuracyOf(clips, clips.map(({ text }) => ({ text, ms: 0, guards: [] })), clips.map(({ seconds }) => seconds)),
      ratios: options.snr.map(snrName),
      systems: systems.map(({ id, kind, about, bytes, sha256 }): SystemResult => {
        const invented = invention.get(id);
        return { id, kind, about, bytes, sha256, accuracy: accuracy.get(id) ?? {}, latency: latency.get(id) ?? [], ...(invented === undefined ? {} : { invention: invented }) };
      }),
      minutesWithoutSpeech: options.hour ? options.minutes : 0,
    };
    const out = resolve(options.out);
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, `${JSON.stringify(results, null, 1)}\n`);
    const report = asrReport(results);
    writeFileSync(out.replace(/\.json$/u, '') + '.md', report);
    process.stdout.write(report);
    const misses = unmet(results.systems[0], options);
    for (const miss of misses) say(`✗ ${miss}`);
    return misses.length > 0 ? EXIT.threshold : EXIT.done;
  } finally {
    for (const system of systems) await system.close();
  }
}

/** Runs the command; gives its exit code. `args`: behind the program's name. */
export async function benchAsr(args: readonly string[]): Promise<number> {
  const program = command();
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.failure);
    say('\nStopping; the same command goes on from here.');
    controller.abort(new HearbackError('cancelled', 'Stopped before the end; nothing was written.', { hint: 'What was answered is kept: the same command goes on there.' }));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    program.parse([...args], { from: 'user' });
    return await run(program.opts<Options>(), `npm run bench:asr -- ${published(args)}`, controller.signal);
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
    const error = toHearbackError(thrown);
    say(`✗ ${error.sentence}`);
    return error.code === 'usage' || error.code === 'unknown-id' ? EXIT.usage : EXIT.failure;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
