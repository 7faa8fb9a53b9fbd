/**
 * Silero VAD on ONNX Runtime: the probability of speech, once every 32 ms.
 *
 * The graph in models/silero-vad/ is Silero's 16 kHz network with the frames of one call as a sequence (ORIGIN.md there):
 * a frame costs the same alone or among others, and a call is paid once for many frames.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { HearbackError } from '../domain/result.js';

/** Samples a frame at 16 kHz: 32 ms. */
export const FRAME_SAMPLES = 512;

/** Samples of the frame before that the network wants to see again. */
const CONTEXT_SAMPLES = 64;

const INPUT_SAMPLES = CONTEXT_SAMPLES + FRAME_SAMPLES;
const STATE_SIZE = 128;

/** Most frames in one call (two seconds): bounds memory, and more brings no more speed. */
const CALL_FRAMES = 64;

/** One channel's run through the detector: it remembers what it has heard. */
export interface SpeechStream {
  /**
   * @param samples mono 16 kHz float, a whole number of frames of 512 samples, following what was passed before.
   * @returns one probability of speech (0…1) a frame.
   */
  probabilities(samples: Float32Array): Promise<Float32Array>;
  /** Forgets what was heard: the next frame is the first of a recording. */
  reset(): void;
}

/** A voice activity detector that many channels share. */
export interface SpeechDetector {
  open(): SpeechStream;
}

/** The shipped network, found upwards from this file (it differs between source and build). */
function shippedModel(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const path = join(folder, 'models', 'silero-vad', 'silero_vad.onnx');
    if (existsSync(path)) return path;
    const parent = dirname(folder);
    if (parent === folder) {
      throw new HearbackError('model-missing', 'The voice activity model (models/silero-vad/silero_vad.onnx) is not in the installation.', { hint: 'Install Hearback again.' });
    }
    folder = parent;
  }
}

const detectors = new Map<string, Promise<SpeechDetector>>();

/**
 * Loads the network, once a path: later calls get the same session.
 *
 * @param modelPath the ONNX file; the shipped one when it is left out.
 * @throws HearbackError `model-missing` when the file is not there, `model-broken` when ONNX Runtime refuses it or it is another network.
 */
export async function loadSilero(modelPath?: string): Promise<SpeechDetector> {
  const path = modelPath ?? shippedModel();
  const known = detectors.get(path);
  if (known !== undefined) return known;
  const loading = load(path);
  detectors.set(path, loading);
  // a failure is not remembered: the file may be put there meanwhile
  loading.catch(() => detectors.delete(path));
  return loading;
}

async function load(path: string): Promise<SpeechDetector> {
  if (!existsSync(path)) {
    throw new HearbackError('model-missing', `The voice activity model ${path} does not exist.`, { hint: 'Run `hearback models verify`, or install Hearback again.' });
  }
  let session: InferenceSession;
  try {
    // one thread: the network is too small to share out, and every core counts for the recogniser
    session = await InferenceSession.create(path, { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential', graphOptimizationLevel: 'all' });
  } catch (error) {
    throw new HearbackError('model-broken', `The voice activity model ${path} cannot be loaded.`, { hint: 'Run `hearback models verify`, or install Hearback again.', cause: error });
  }
  const wanted = ['frames', 'hidden', 'cell'];
  if (!wanted.every((name) => session.inputNames.includes(name))) {
    throw new HearbackError('model-broken', `The voice activity model ${path} is another network: it takes ${session.inputNames.join(', ')} instead of ${wanted.join(', ')}.`, {
      hint: 'Run `hearback models verify`, or install Hearback again.',
    });
  }
  const primed = new SileroStream(session, { context: new Float32Array(CONTEXT_SAMPLES), hidden: new Float32Array(STATE_SIZE), cell: new Float32Array(STATE_SIZE) });
  await primed.probabilities(primingNoise());
  return { open: () => new SileroStream(session, primed.memory) };
}

/** Frames of noise that a stream has heard before its first: half a second. */
const PRIMING_FRAMES = 16;

/** Loudness of that noise, RMS as a share of full scale: -40 dBFS. */
const PRIMING_LEVEL = 0.01;

/**
 * White noise, always the same. Silero begins deaf when a recording opens with speech (the first word or two have probabilities
 * below .4); after half a second of noise at -40 dBFS it hears them as well as anywhere. Louder or fainter noise helps less.
 */
function primingNoise(): Float32Array {
  const noise = new Float32Array(PRIMING_FRAMES * FRAME_SAMPLES);
  let state = 1;
  for (let index = 0; index < noise.length; index += 1) {
    let sum = 0;
    // a sum of four uniform numbers is near enough to normal; a linear congruential generator is near enough to random
    for (let draw = 0; draw < 4; draw += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      sum += state / 2 ** 32 - 0.5;
    }
    noise[index] = PRIMING_LEVEL * Math.sqrt(3) * sum;
  }
  return noise;
}

/** What the network carries from frame to frame. Never changed in place, so streams may share one. */
interface Memory {
  readonly context: Float32Array;
  readonly hidden: Float32Array;
  readonly cell: Float32Array;
}

class SileroStream implements SpeechStream {
  readonly #session: InferenceSession;
  readonly #start: Memory;
  #memory: Memory;

  constructor(session: InferenceSession, start: Memory) {
    this.#session = session;
    this.#start = start;
    this.#memory = start;
  }

  get memory(): Memory {
    return this.#memory;
  }

  reset(): void {
    this.#memory = this.#start;
  }

  async probabilities(samples: Float32Array): Promise<Float32Array> {
    if (samples.length % FRAME_SAMPLES !== 0) throw new Error(`${samples.length} samples are not whole frames of ${FRAME_SAMPLES}`);
    const total = samples.length / FRAME_SAMPLES;
    const result = new Float32Array(total);
    for (let first = 0; first < total; first += CALL_FRAMES) {
      const count = Math.min(CALL_FRAMES, total - first);
      let { context } = this.#memory;
      const frames = new Float32Array(count * INPUT_SAMPLES);
      for (let index = 0; index < count; index += 1) {
        const start = (first + index) * FRAME_SAMPLES;
        frames.set(context, index * INPUT_SAMPLES);
        frames.set(samples.subarray(start, start + FRAME_SAMPLES), index * INPUT_SAMPLES + CONTEXT_SAMPLES);
        context = samples.slice(start + FRAME_SAMPLES - CONTEXT_SAMPLES, start + FRAME_SAMPLES);
      }
      const output = await this.#session.run({
        frames: new Tensor('float32', frames, [count, INPUT_SAMPLES]),
        hidden: new Tensor('float32', this.#memory.hidden, [1, 1, STATE_SIZE]),
        cell: new Tensor('float32', this.#memory.cell, [1, 1, STATE_SIZE]),
      });
      result.set(floats(output, 'probability'), first);
      this.#memory = { context, hidden: floats(output, 'hiddenN').slice(), cell: floats(output, 'cellN').slice() };
    }
    return result;
  }
}

function floats(output: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const data = output[name]?.data;
  if (!(data instanceof Float32Array)) throw new HearbackError('model-broken', `The voice activity model gives no numbers as ${name}.`, { hint: 'Run `hearback models verify`, or install Hearback again.' });
  return data;
}
