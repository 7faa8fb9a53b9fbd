/**
 * What is measured: the product's recogniser with one or several models, and others' recognisers, which run in one Python process
 * (training/held_out/peers.py) and are asked over stdin and stdout.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createRecogniser } from '../../asr/index.js';
import { recogniserFolder } from '../../assembly.js';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import { packageRoot } from '../../models/index.js';
import { encodeWav } from '../../session/index.js';

/** What a recogniser made of one piece of audio. */
export interface Heard {
  readonly text: string;
  /** Wall time as the caller has to wait, ms. */
  readonly ms: number;
  /** Reasons not to trust the text (product only). */
  readonly guards: readonly string[];
}

export interface System {
  readonly id: string;
  readonly kind: 'product' | 'peer';
  /** Program and version, number format, threads. */
  readonly about: string;
  /** Bytes of the model on disk. */
  readonly bytes: number;
  /** SHA-256 over the model's files. */
  readonly sha256: string;
  hear(samples: Float32Array): Promise<Heard>;
  close(): Promise<void>;
}

/** Size and SHA-256 over names and contents of all files of a folder that the recogniser reads. */
function folderFacts(folder: string): { bytes: number; sha256: string } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const name of readdirSync(folder).filter((each) => /\.(?:onnx|json|bin|txt)$/u.test(each) && each !== 'hearback-model.json').sort()) {
    const content = readFileSync(join(folder, name));
    bytes += content.length;
    hash.update(`${name} ${content.length}\n`).update(content);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A model of the product: an id, or a folder. @throws HearbackError unknown-id, model-missing, model-broken */
export async function openProduct(model: string, threads: number): Promise<System> {
  const { id, folder: modelDir } = recogniserFolder(model);
  const recogniser = await createRecogniser({ modelId: id, modelDir, device: 'cpu', threads });
  return {
    id,
    kind: 'product',
    about: `Hearback's recogniser, ${threads} threads`,
    ...folderFacts(modelDir),
    hear: async (samples) => {
      const started = performance.now();
      const { text, guards } = await recogniser.recognise(samples);
      return { text, ms: performance.now() - started, guards: guards.map(({ reason }) => reason) };
    },
    close: () => recogniser.close(),
  };
}

const Ready = z.object({ ready: z.literal(true), systems: z.array(z.object({ id: z.string(), about: z.string(), bytes: z.number(), sha256: z.string() })) });
const Answer = z.object({ id: z.number(), text: z.string().optional(), seconds: z.number().optional(), error: z.string().optional() });

/** Peers take their time to load, and longer to convert. */
const LOAD_SECONDS = 300;
const ANSWER_SECONDS = 300;

class PeerProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #folder = mkdtempSync(join(tmpdir(), 'hearback-peers-'));
  #complaints = '';
  #waiting: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined;
  #next = 1;
  #ended: HearbackError | undefined;

  constructor(python: string, args: readonly string[]) {
    this.#child = spawn(python, [join(packageRoot(), 'training', 'held_out', 'peers.py'), ...args], { stdio: 'pipe' });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-2000);
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      // libraries print to stdout as they like; answers are JSON objects
      if (!line.startsWith('{')) return;
      this.#waiting?.resolve(line);
      this.#waiting = undefined;
    });
    const end = (message: string): void => {
      const last = this.#complaints.trim().split('\n').at(-1) ?? '';
      this.#ended = new HearbackError('worker-died', `The process of the peers ${message}${last === '' ? '.' : `; it last said: ${last}`}`, { hint: 'It needs the Python packages faster-whisper and pywhispercpp.' });
      this.#waiting?.reject(this.#ended);
      this.#waiting = undefined;
    };
    this.#child.on('error', (error) => {
      end(`did not start (${error.message})`);
    });
    this.#child.on('exit', (code) => {
      end(`ended with exit code ${code ?? 'unknown'}`);
    });
    this.#child.stdin.on('error', () => undefined); // told by exit
  }

  /** The next JSON line. */
  async line(patience: number): Promise<string> {
    if (this.#ended !== undefined) throw this.#ended;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        timer = setTimeout(() => {
          reject(new HearbackError('timeout', `The process of the peers did not answer for ${patience} s.`));
          this.#child.kill('SIGKILL');
        }, patience * 1000);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async ask(system: string, samples: Float32Array): Promise<Heard> {
    const id = this.#next++;
    const path = join(this.#folder, 'clip.wav');
    writeFileSync(path, encodeWav(samples));
    const answer = this.line(ANSWER_SECONDS);
    this.#child.stdin.write(`${JSON.stringify({ id, system, wav: path })}\n`);
    const parsed = Answer.parse(JSON.parse(await answer));
    if (parsed.id !== id || parsed.error !== undefined) throw new HearbackError('worker-died', `${system} failed: ${parsed.error ?? 'answers are out of step'}.`);
    return { text: parsed.text ?? '', ms: 1000 * (parsed.seconds ?? 0), guards: [] };
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * The peers, loaded in one process. `models`: folder with whisper-tiny.en-ct2 and whisper-base-ct2 as pulled; `work`: where converted
 * weights are kept.
 */
export async function openPeers(python: string, models: string, work: string, threads: number, only: readonly string[]): Promise<System[]> {
  const process = new PeerProcess(python, ['--models', models, '--work', work, '--threads', String(threads), ...only.flatMap((name) => ['--only', name])]);
  try {
    const { systems } = Ready.parse(JSON.parse(await process.line(LOAD_SECONDS)));
    let open = systems.length;
    return systems.map((facts): System => ({
      ...facts,
      kind: 'peer',
      hear: (samples) => process.ask(facts.id, samples),
      close: () => {
        if (--open === 0) process.close();
        return Promise.resolve();
      },
    }));
  } catch (thrown) {
    process.close();
    throw toHearbackError(thrown);
  }
}
