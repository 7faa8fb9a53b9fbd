/**
 * The recogniser that the pipeline uses: Whisper in a process of its own that may die and is started again.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { SAMPLE_RATE, type Notice, type Recogniser, type Recognition } from '../domain/stages.js';
import type { Context } from '../domain/understanding.js';
import type { DeviceChoice } from './device-choice.js';
import type { FromWorker, ToWorker } from './protocol.js';

export type RecogniserOptions = {
  /** Name that results carry. */
  readonly modelId: string;
  /** Default `auto`. */
  readonly device?: DeviceChoice;
  /** Threads of the runtime; default: cores, at most 4 (more do not help with short audio). */
  readonly threads?: number;
  /** Texts followed side by side where greedy decoding left doubt; default 2, 1 for never. Models of our own layout only. */
  readonly beam?: number;
} & (
  | {
      /** Folder written by training/export, or one of the layout that transformers.js reads. */
      readonly modelDir: string;
    }
  | {
      /** Repository on the Hugging Face hub with ONNX files for transformers.js, "owner/name"; fetched when it is not cached. */
      readonly hubId: string;
    }
);

/** A recogniser that lives in a worker process. */
export interface WorkerRecogniser extends Recogniser {
  /** Process id of the worker; undefined while there is none. */
  readonly workerPid: number | undefined;
}

/** More do not help with short audio. */
export const THREADS_AT_MOST = 4;
/** A segment is tried again once in a new process. */
const ATTEMPTS = 2;
/** Deaths without a success in between after which the recogniser gives up. */
const DEATHS_IN_A_ROW = 6;
/** A worker that has not answered for so long hangs: this many seconds, and this many for a second of audio. */
const PATIENCE_SECONDS = 30;
const PATIENCE_PER_SECOND = 10;
const LOAD_PATIENCE_SECONDS = 120;
const CLOSE_PATIENCE_SECONDS = 0.5;
const STDERR_KEPT = 2_000;

interface Job {
  readonly id: number;
  readonly samples: Float32Array;
  readonly context: Context | undefined;
  attempts: number;
  cancelled: boolean;
  readonly resolve: (recognition: Recognition) => void;
  readonly reject: (error: unknown) => void;
}

/** Newest change, in ms since the epoch, of the compiled sources of a room; tests are not compiled. */
function newestSource(folder: string): number {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return Math.max(...names.map((name) => statSync(join(folder, name)).mtimeMs));
}

/**
 * Where the worker's compiled file is. Run from TypeScript sources (tests), it is the one in dist/, which must then not be
 * older than the sources.
 */
function workerPath(): string {
  const beside = fileURLToPath(new URL('./worker.js', import.meta.url));
  if (!import.meta.url.endsWith('.ts')) return beside;
  const here = fileURLToPath(new URL('.', import.meta.url));
  const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
  const built = join(dist, 'engine', 'asr', 'worker.js');
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs;
  const hint = 'Run `npm run build` before the tests.';
  if (builtAt === undefined) throw new HearbackError('internal', `The recogniser's worker has not been built: ${built} is missing.`, { hint });
  // the compiler leaves a file alone whose content would stay the same, but always writes its notes
  const checkedAt = Math.max(builtAt, statSync(join(dist, '.tsbuildinfo'), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (newestSource(here) > checkedAt) throw new HearbackError('internal', `The recogniser's worker in ${dist} is older than its sources in ${here}.`, { hint });
  return built;
}

/**
 * Starts the worker and loads the model.
 *
 * @throws HearbackError model-missing, model-broken, worker-died (the worker does not come up)
 */
export async function createRecogniser(options: RecogniserOptions): Promise<WorkerRecogniser> {
  const recogniser = new SupervisedRecogniser(options);
  await recogniser.start();
  return recogniser;
}

class SupervisedRecogniser implements WorkerRecogniser {
  readonly model: string;
  readonly #load: Extract<ToWorker, { kind: 'load' }>;
  readonly #notices: Notice[] = [];
  readonly #queue: Job[] = [];
  /** The worker that has the model loaded. */
  #child: ChildProcess | undefined;
  /** A worker that is still loading it. */
  #starting: ChildProcess | undefined;
  #device: string;
  #knowsLists = true;
  #current: Job | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #nextId = 1;
  /** Workers that died since the last answer. */
  #deaths = 0;
  #closed = false;
  /** Set once the recogniser has given up. */
  #gone: HearbackError | undefined;

  constructor(options: RecogniserOptions) {
    this.model = options.modelId;
    const device = options.device ?? 'auto';
    this.#load = {
      kind: 'load',
      source: 'hubId' in options ? { kind: 'hub', id: options.hubId } : { kind: 'folder', path: options.modelDir },
      device,
      threads: options.threads ?? Math.min(THREADS_AT_MOST, availableParallelism()),
      beam: options.beam,
    };
    this.#device = device;
  }

  get device(): string {
    return this.#device;
  }
  get notices(): readonly Notice[] {
    return this.#notices;
  }
  get workerPid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts a worker and waits until it has loaded the model.
   *
   * @throws HearbackError worker-died when it ends before, or what it said when it could not load
   */
  async start(): Promise<void> {
    const child = fork(workerPath(), [], {
      serialization: 'advanced',
      // flags of the parent (test runners, inspectors) are not for the worker
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#starting = child;
    let complaints = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-STDERR_KEPT);
    });
    const patience = setTimeout(() => {
      child.kill('SIGKILL');
    }, LOAD_PATIENCE_SECONDS * 1000);
    try {
      await new Promise<void>((resolve, reject) => {
        child.on('message', (message: FromWorker) => {
          if (message.kind === 'loaded') {
            this.#device = message.device;
            this.#knowsLists = message.knowsLists;
            for (const notice of message.notices) this.#give(notice);
            resolve();
          } else if (message.kind === 'load-failed') {
            child.disconnect();
            reject(new HearbackError(message.code, message.message, message.hint === undefined ? {} : { hint: message.hint }));
          } else this.#answer(message);
        });
        child.on('error', (error) => {
          reject(toHearbackError(error, 'worker-died'));
        });
        child.on('exit', (code, signal) => {
          const how = signal === null ? `with exit code ${code ?? 'unknown'}` : `by signal ${signal}`;
          const last = complaints.trim().split('\n').at(-1) ?? '';
          const sentence = `The recogniser's process ended ${how}${last === '' ? '.' : `; it last said: ${last}`}`;
          reject(new HearbackError('worker-died', sentence, { hint: 'Try `--device cpu`, another model, or `hearback doctor`.' }));
          if (this.#child === child) this.#died(sentence);
        });
        child.send(this.#load);
      });
      this.#child = child;
    } finally {
      clearTimeout(patience);
      this.#starting = undefined;
    }
    this.#rest();
  }

  recognise(samples: Float32Array, options: { context?: Context; signal?: AbortSignal } = {}): Promise<Recognition> {
    const { signal } = options;
    if (!this.#knowsLists && (options.context?.callsigns?.length ?? 0) > 0) {
      this.#give({ kind: 'context', severity: 'warning', text: `The recogniser ${this.model} does not use a traffic list: its texts are as without one. What is made of the texts does use it.` });
    }
    return new Promise<Recognition>((resolve, reject) => {
      if (this.#closed) {
        reject(new HearbackError('internal', 'The recogniser has been closed.'));
        return;
      }
      if (this.#gone !== undefined) {
        reject(this.#gone);
        return;
      }
      const cancelled = (): HearbackError => new HearbackError('cancelled', 'The recognition was cancelled.', { cause: signal?.reason });
      if (signal?.aborted === true) {
        reject(cancelled());
        return;
      }
      const job: Job = {
        id: this.#nextId++,
        samples,
        context: options.context,
        attempts: 0,
        cancelled: false,
        resolve: (recognition) => {
          signal?.removeEventListener('abort', abort);
          resolve(recognition);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', abort);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      };
      const abort = (): void => {
        job.cancelled = true;
        const at = this.#queue.indexOf(job);
        if (at >= 0) this.#queue.splice(at, 1);
        else this.#send({ kind: 'cancel', id: job.id });
        job.reject(cancelled());
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#queue.push(job);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectAll(new HearbackError('cancelled', 'The recogniser was closed before this recognition was done.'));
    const child = this.#child ?? this.#starting;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.ref();
      // in the middle of a computation the worker does not hear that the channel closed
      const insist = setTimeout(() => {
        child.kill('SIGKILL');
      }, CLOSE_PATIENCE_SECONDS * 1000);
      child.once('exit', () => {
        clearTimeout(insist);
        resolve();
      });
      if (child.connected) child.disconnect();
    });
  }

  #rejectAll(error: HearbackError): void {
    clearTimeout(this.#watchdog);
    const jobs = [...(this.#current === undefined ? [] : [this.#current]), ...this.#queue.splice(0)];
    this.#current = undefined;
    for (const job of jobs) job.reject(error);
  }

  #give(notice: Notice): void {
    if (!this.#notices.some((known) => known.text === notice.text)) this.#notices.push(notice);
  }

  #send(message: ToWorker): void {
    if (this.#child?.connected === true) this.#child.send(message);
  }

  /** Gives the worker the next segment. It has one at a time, so that a death can be laid to one segment. */
  #next(): void {
    if (this.#current !== undefined || this.#closed) return;
    const job = this.#queue.shift();
    if (job === undefined) {
      this.#rest();
      return;
    }
    this.#current = job;
    if (this.#child !== undefined) {
      this.#hand(job);
      return;
    }
    this.start().then(
      () => {
        this.#hand(job);
      },
      (thrown: unknown) => {
        const error = toHearbackError(thrown, 'worker-died');
        this.#current = undefined;
        this.#queue.unshift(job);
        // a worker that dies while it starts may be an accident, a model that cannot be loaded is not
        if (error.code !== 'worker-died' || ++this.#deaths >= DEATHS_IN_A_ROW) this.#giveUp(error);
        else this.#next();
      },
    );
  }

  #hand(job: Job): void {
    // the recogniser was closed while the worker started
    if (this.#current !== job) return;
    if (job.cancelled) {
      this.#current = undefined;
      this.#next();
      return;
    }
    job.attempts++;
    const child = this.#child;
    child?.ref();
    child?.channel?.ref();
    const patience = PATIENCE_SECONDS + (PATIENCE_PER_SECOND * job.samples.length) / SAMPLE_RATE;
    this.#watchdog = setTimeout(() => {
      this.#give({ kind: 'recogniser', severity: 'warning', text: `The recogniser's process did not answer for ${patience.toFixed(0)} s and was ended.` });
      child?.kill('SIGKILL');
    }, patience * 1000);
    this.#send({ kind: 'recognise', id: job.id, samples: job.samples, context: job.context });
  }

  /** An idle worker does not keep the program alive. */
  #rest(): void {
    if (this.#current !== undefined) return;
    this.#child?.unref();
    this.#child?.channel?.unref();
    if (this.#child?.stderr instanceof Socket) this.#child.stderr.unref();
  }

  #answer(message: Exclude<FromWorker, { kind: 'loaded' | 'load-failed' }>): void {
    const job = this.#current;
    if (job?.id !== message.id) return;
    clearTimeout(this.#watchdog);
    this.#current = undefined;
    this.#deaths = 0;
    switch (message.kind) {
      case 'recognised':
        job.resolve({ ...message.recognition, model: this.model, device: this.#device });
        break;
      case 'failed':
        this.#give({ kind: 'recogniser', severity: 'error', text: `A segment of ${(job.samples.length / SAMPLE_RATE).toFixed(1)} s could not be recognised: ${message.message}` });
        job.resolve(this.#failure(`the recogniser failed: ${message.message}`));
        break;
      case 'cancelled':
        break;
    }
    this.#next();
  }

  #failure(detail: string): Recognition {
    return {
      text: '',
      words: [],
      confidence: 0,
      noSpeechProbability: 0,
      guards: [{ reason: 'recogniser-failed', detail }],
      model: this.model,
      device: this.#device,
      milliseconds: { encode: 0, decode: 0, total: 0 },
    };
  }

  /** The loaded worker has died, with or without a segment at work. */
  #died(sentence: string): void {
    this.#child = undefined;
    clearTimeout(this.#watchdog);
    if (this.#closed) return;
    this.#deaths++;
    const job = this.#current;
    this.#current = undefined;
    this.#give({ kind: 'recogniser', severity: 'warning', text: `${sentence} It is started again.` });
    if (job !== undefined && !job.cancelled) {
      if (job.attempts < ATTEMPTS) this.#queue.unshift(job);
      else {
        const seconds = (job.samples.length / SAMPLE_RATE).toFixed(1);
        this.#give({ kind: 'recogniser', severity: 'error', text: `A segment of ${seconds} s ended the recogniser's process ${job.attempts} times; it is kept without text.` });
        job.resolve(this.#failure(`the recogniser's process ended ${job.attempts} times on this segment. ${sentence}`));
      }
    }
    if (this.#deaths < DEATHS_IN_A_ROW) this.#next();
    else this.#giveUp(new HearbackError('worker-died', `The recogniser's process ended ${this.#deaths} times in a row. ${sentence}`, { hint: 'Try `--device cpu`, another model, or `hearback doctor`.' }));
  }

  #giveUp(error: HearbackError): void {
    this.#gone = error;
    this.#rejectAll(error);
  }
}
