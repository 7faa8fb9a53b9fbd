/**
 * Whisper on ONNX Runtime: one window of audio to tokens. Runs in whatever process calls it; the recogniser runs it in a worker.
 */
import { InferenceSession, Tensor, env } from 'onnxruntime-node';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import type { AlignmentStep } from './alignment.js';
import type { Provider } from './device-choice.js';
import { findLoop } from './loops.js';
import type { ModelFolder } from './model-folder.js';

/** Spoken tokens a second that decoding allows, and for the shortest audio. */
const TOKENS_PER_SECOND = 12;
const TOKENS_AT_LEAST = 12;
/** What decoding one window gave. */
export interface Decoded {
  readonly tokens: readonly number[];
  /** Probability of each token; the last is the end token's when the text was ended. */
  readonly probabilities: readonly number[];
  readonly steps: readonly AlignmentStep[];
  readonly hitTokenLimit: boolean;
  /** Probability of the trained no-speech token, where there is one. */
  readonly noSpeech: number | undefined;
  /** Milliseconds. */
  readonly encode: number;
  readonly decode: number;
}

/** A loaded model. */
export interface Whisper {
  readonly folder: ModelFolder;
  readonly provider: Provider;
  /**
   * Greedy decoding of one window. `audio`: mono 16 kHz without offset, not longer than the model's window less the silence
   * behind it. @throws the signal's reason when it is aborted
   */
  decode(audio: Float32Array, signal?: AbortSignal): Promise<Decoded>;
  close(): Promise<void>;
}

/** @throws HearbackError device when the provider cannot be used, model-broken when the graphs cannot be loaded on the CPU */
export async function openWhisper(folder: ModelFolder, options: { provider: Provider; threads: number }): Promise<Whisper> {
  env.logLevel = 'error';
  const sessionOptions: InferenceSession.SessionOptions = {
    executionProviders: options.provider === 'cpu' ? ['cpu'] : [options.provider, 'cpu'],
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    logSeverityLevel: 3,
    // threads that wait by spinning cost several times the work itself when the cores are shared with anything else
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
  const open = async (path: string): Promise<InferenceSession> => {
    try {
      return await InferenceSession.create(path, sessionOptions);
    } catch (error) {
      const text = toHearbackError(error).message;
      if (options.provider !== 'cpu') throw new HearbackError('device', `The device "${options.provider}" cannot be used: ${text.split('\n')[0] ?? text}.`, { cause: error });
      throw new HearbackError('model-broken', `${path} cannot be loaded: ${text}.`, { hint: 'Run `hearback models verify` and pull the model again.', cause: error });
    }
  };
  const encoder = await open(folder.encoderPath);
  const decoder = await open(folder.decoderPath);
  return new WhisperSessions(folder, options.provider, encoder, decoder);
}

const floats = (tensor: Tensor | undefined, name: string): Float32Array => {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new HearbackError('model-broken', `The model gave no output "${name}".`, { hint: 'Export the model again with training/export/export_model.py.' });
};

class WhisperSessions implements Whisper {
  readonly provider: Provider;
  readonly folder: ModelFolder;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  /** True for rows that must never be chosen. */
  readonly #blocked: Uint8Array;
  readonly #layers: readonly number[];

  constructor(folder: ModelFolder, provider: Provider, encoder: InferenceSession, decoder: InferenceSession) {
    this.folder = folder;
    this.provider = provider;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#blocked = Uint8Array.from(folder.vocabulary, (token, row) => (token === null && row !== folder.config.eos ? 1 : 0));
    this.#layers = Array.from({ length: folder.config.layers }, (_, i) => i);
  }

  async decode(audio: Float32Array, signal?: AbortSignal): Promise<Decoded> {
    const pcm = this.#prepare(audio);
    const started = performance.now();
    const cross = await this.#encoder.run({ pcm: new Tensor('float32', pcm, [1, pcm.length]) });
    const encoded = performance.now();
    const decoded = await this.#greedy(cross, audio.length / SAMPLE_RATE, signal);
    return { ...decoded, encode: encoded - started, decode: performance.now() - encoded };
  }

  async close(): Promise<void> {
    await this.#encoder.release();
    await this.#decoder.release();
  }

  /** Scales to the trained peak and fills up with silence; see padding in config.json. */
  #prepare(window: Float32Array): Float32Array {
    const { padding, context } = this.folder.config;
    let peak = 1e-6;
    for (const sample of window) peak = Math.max(peak, Math.abs(sample));
    const step = padding.multipleSeconds * SAMPLE_RATE;
    const wanted = window.length + padding.appendSeconds * SAMPLE_RATE;
    const length = context === 'full' ? padding.maxSeconds * SAMPLE_RATE : Math.ceil(wanted / step) * step;
    const out = new Float32Array(length);
    const gain = padding.peak / peak;
    for (let i = 0; i < window.length; i++) out[i] = (window[i] ?? 0) * gain;
    return out;
  }

  async #greedy(cross: InferenceSession.OnnxValueMapType, seconds: number, signal: AbortSignal | undefined): Promise<Omit<Decoded, 'encode' | 'decode'>> {
    const { config } = this.folder;
    const limit = Math.min(config.textPositions - config.prompt.length - 1, Math.ceil(TOKENS_AT_LEAST + TOKENS_PER_SECOND * seconds));
    let past: Record<string, Tensor> = {};
    for (const i of this.#layers) for (const part of ['k', 'v']) past[`past_${part}_${i}`] = new Tensor('float32', new Float32Array(0), [1, config.heads, 0, config.headSize]);
    // the trained no-speech token is read where it was trained: at the very first token of the prompt
    const rest = config.noSpeech === null ? [] : config.prompt.slice(1);
    let input = config.noSpeech === null ? config.prompt : config.prompt.slice(0, 1);
    const tokens: number[] = [];
    const probabilities: number[] = [];
    const steps: AlignmentStep[] = [];
    let hitTokenLimit = false;
    let noSpeech: number | undefined;
    for (;;) {
      signal?.throwIfAborted();
      const output = await this.#decoder.run({ tokens: new Tensor('int64', BigInt64Array.from(input, BigInt), [1, input.length]), ...past, ...cross });
      past = {};
      for (const i of this.#layers) {
        for (const part of ['k', 'v']) {
          const tensor = output[`present_${part}_${i}`];
          if (tensor !== undefined) past[`past_${part}_${i}`] = tensor;
        }
      }
      const logits = floats(output['logits'], 'logits');
      if (config.noSpeech !== null && noSpeech === undefined) {
        noSpeech = this.#softmax(logits, config.noSpeech);
        if (rest.length > 0) {
          input = rest;
          continue;
        }
      }
      const choice = this.#best(logits);
      steps.push(lastStep(output['alignment']));
      probabilities.push(choice.probability);
      if (choice.token === config.eos) break;
      tokens.push(choice.token);
      if (tokens.length >= limit) {
        hitTokenLimit = true;
        break;
      }
      // a loop does not end by itself; a few more rounds would only cost time
      if (tokens.length % 8 === 0 && (findLoop(tokens)?.times ?? 0) >= 8) {
        hitTokenLimit = true;
        break;
      }
      input = [choice.token];
    }
    return { tokens, probabilities, steps, hitTokenLimit, noSpeech };
  }

  /** The most probable allowed token and its probability among the allowed ones. */
  #best(logits: Float32Array): { token: number; probability: number } {
    let token = this.folder.config.eos;
    let top = -Infinity;
    for (let i = 0; i < logits.length; i++) {
      const value = logits[i] ?? -Infinity;
      if (value > top && this.#blocked[i] === 0) {
        top = value;
        token = i;
      }
    }
    let sum = 0;
    for (let i = 0; i < logits.length; i++) if (this.#blocked[i] === 0) sum += Math.exp((logits[i] ?? -Infinity) - top);
    return { token, probability: 1 / sum };
  }

  #softmax(logits: Float32Array, row: number): number {
    let top = -Infinity;
    for (const value of logits) top = Math.max(top, value);
    let sum = 0;
    for (const value of logits) sum += Math.exp(value - top);
    return Math.exp((logits[row] ?? -Infinity) - top) / sum;
  }
}

/** Attention of the newest token: [heads, N, S] → the last of N. */
function lastStep(tensor: Tensor | undefined): AlignmentStep {
  const data = floats(tensor, 'alignment');
  const [heads = 0, rows = 0, positions = 0] = tensor?.dims ?? [];
  const weights = new Float32Array(heads * positions);
  for (let h = 0; h < heads; h++) weights.set(data.subarray((h * rows + rows - 1) * positions, (h * rows + rows) * positions), h * positions);
  return { heads, positions, weights };
}
