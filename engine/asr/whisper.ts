/**
 * Whisper on ONNX Runtime: one piece of audio to words. Runs in whatever process calls it; the recogniser runs it in a worker.
 */
import { InferenceSession, Tensor, env } from 'onnxruntime-node';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { SAMPLE_RATE, type Recognition } from '../domain/stages.js';
import type { Guard, Word } from '../domain/understanding.js';
import { alignSteps, type AlignmentStep } from './alignment.js';
import type { Provider } from './device-choice.js';
import { edgeGuards, findLoop, meanConfidence, textGuards } from './guards.js';
import { activityOf, FRAME, FRAMES_PER_SECOND, frameLevels, highPass, quietCuts, smoothLevels, steadyTail } from './levels.js';
import type { ModelFolder } from './model-folder.js';
import { plainWord, wordsOfTokens } from './token-text.js';

export interface Transcriber {
  readonly provider: Provider;
  /** `samples`: mono 16 kHz, any length. @throws the signal's reason when it is aborted, HearbackError internal */
  transcribe(samples: Float32Array, signal?: AbortSignal): Promise<Omit<Recognition, 'model' | 'device'>>;
  close(): Promise<void>;
}

/** A steady tail is left out when it is longer than this, s; half of it stays. */
const TAIL_SECONDS = 1;
const TAIL_KEPT_SECONDS = 0.4;
/** Spoken tokens a second that decoding allows, and for the shortest audio. */
const TOKENS_PER_SECOND = 12;
const TOKENS_AT_LEAST = 12;
/** Encoder positions a second. */
const POSITIONS_PER_SECOND = 50;

interface Decoded {
  readonly tokens: readonly number[];
  /** Probability of each token; the last is the end token's when the text was ended. */
  readonly probabilities: readonly number[];
  readonly steps: readonly AlignmentStep[];
  readonly hitTokenLimit: boolean;
  /** Probability of the trained no-speech token, where there is one. */
  readonly noSpeech: number | undefined;
}

interface WindowResult {
  readonly words: Word[];
  readonly tokens: number;
  readonly noSpeechProbability: number;
  readonly hitTokenLimit: boolean;
  readonly dropped: Guard | undefined;
  readonly encode: number;
  readonly decode: number;
}

/**
 * How likely it is that there was no speech, from what decoding saw; 0…1.
 *
 * Models trained on speech only have no token for "nothing was said": on noise they write a single filler with a low
 * probability. So it is a logistic function of the mean log probability of the tokens and of their number a second, fitted on
 * synthetic radio speech against noise, tones, hum and clicks (training/export/README.md). Stock models have the trained token.
 */
export function noSpeechOf(probabilities: readonly number[], seconds: number, trained: number | undefined): number {
  if (trained !== undefined) return trained;
  if (probabilities.length === 0) return 1;
  const logMean = probabilities.reduce((sum, p) => sum + Math.log(Math.max(p, 1e-6)), 0) / probabilities.length;
  const rate = Math.min(4, probabilities.length / Math.max(0.5, seconds));
  return 1 / (1 + Math.exp(3 + 4 * logMean + 1.5 * rate));
}

export async function createTranscriber(folder: ModelFolder, options: { provider: Provider; threads: number }): Promise<Transcriber> {
  env.logLevel = 'error';
  const sessionOptions: InferenceSession.SessionOptions = {
    executionProviders: options.provider === 'cpu' ? ['cpu'] : [options.provider, 'cpu'],
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    logSeverityLevel: 3,
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
  return new WhisperTranscriber(folder, options.provider, encoder, decoder);
}

const floats = (tensor: Tensor | undefined, name: string): Float32Array => {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new HearbackError('model-broken', `The model gave no output "${name}".`, { hint: 'Export the model again with training/export/export_model.py.' });
};

class WhisperTranscriber implements Transcriber {
  readonly provider: Provider;
  readonly #folder: ModelFolder;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  /** True for rows that must never be chosen. */
  readonly #blocked: Uint8Array;
  readonly #layers: readonly number[];

  constructor(folder: ModelFolder, provider: Provider, encoder: InferenceSession, decoder: InferenceSession) {
    this.#folder = folder;
    this.provider = provider;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#blocked = Uint8Array.from(folder.vocabulary, (token, row) => (token === null && row !== folder.config.eos ? 1 : 0));
    this.#layers = Array.from({ length: folder.config.layers }, (_, i) => i);
  }

  async transcribe(samples: Float32Array, signal?: AbortSignal): Promise<Omit<Recognition, 'model' | 'device'>> {
    const started = performance.now();
    signal?.throwIfAborted();
    const audio = highPass(samples);
    const seconds = audio.length / SAMPLE_RATE;
    const levels = frameLevels(audio);
    const activity = activityOf(levels);
    let encode = 0;
    let decode = 0;
    const finish = (words: Word[], noSpeechProbability: number, guards: Guard[]): Omit<Recognition, 'model' | 'device'> => ({
      text: words.map((word) => word.text).join(' '),
      words,
      confidence: meanConfidence(words),
      noSpeechProbability,
      guards,
      milliseconds: { encode, decode, total: performance.now() - started },
    });
    if (activity.kind !== 'varying') return finish([], 1, [{ reason: 'no-speech', detail: activity.detail }]);

    const kept = Math.min(levels.length, steadyTail(levels, TAIL_SECONDS) + Math.round(TAIL_KEPT_SECONDS * FRAMES_PER_SECOND));
    const cuts = [0, ...quietCuts(levels.subarray(0, kept), Math.min(this.#folder.config.bestSeconds, this.#longestWindow)), kept];
    const words: Word[] = [];
    const dropped: Guard[] = [];
    let tokens = 0;
    let hitTokenLimit = false;
    let noSpeechProbability = 1;
    for (let i = 1; i < cuts.length; i++) {
      const from = (cuts[i - 1] ?? 0) * FRAME;
      const to = Math.min(audio.length, (cuts[i] ?? 0) * FRAME);
      const window = audio.subarray(from, to);
      // a window of a longer piece may hold nothing but noise; it is then left out without a word
      if (cuts.length > 2 && activityOf(levels.subarray(cuts[i - 1] ?? 0, cuts[i] ?? 0)).kind !== 'varying') continue;
      const result = await this.#window(window, signal);
      const offset = from / SAMPLE_RATE;
      for (const word of result.words) words.push({ ...word, start: (word.start ?? 0) + offset, end: (word.end ?? 0) + offset });
      if (result.dropped !== undefined) dropped.push(result.dropped);
      tokens += result.tokens;
      hitTokenLimit ||= result.hitTokenLimit;
      noSpeechProbability = Math.min(noSpeechProbability, result.noSpeechProbability);
      encode += result.encode;
      decode += result.decode;
    }
    const guards = textGuards({ words, tokens, seconds, activity, levels: smoothLevels(levels, 2), noSpeechProbability, hitTokenLimit });
    // a dropped filler explains an empty text better than the level does
    if (words.length === 0 && dropped[0] !== undefined) guards.unshift(dropped[0]);
    return finish(words, noSpeechProbability, [...guards, ...edgeGuards(audio)]);
  }

  async close(): Promise<void> {
    await this.#encoder.release();
    await this.#decoder.release();
  }

  /** Seconds of audio that fit into one window with the silence behind them. */
  get #longestWindow(): number {
    const { padding } = this.#folder.config;
    return padding.maxSeconds - padding.appendSeconds;
  }

  /** Scales to the trained peak and fills up with silence; see padding in config.json. */
  #prepare(window: Float32Array): Float32Array {
    const { padding, context } = this.#folder.config;
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

  async #window(window: Float32Array, signal: AbortSignal | undefined): Promise<WindowResult> {
    const seconds = window.length / SAMPLE_RATE;
    const pcm = this.#prepare(window);
    const t0 = performance.now();
    const cross = await this.#encoder.run({ pcm: new Tensor('float32', pcm, [1, pcm.length]) });
    const t1 = performance.now();
    const decoded = await this.#decode(cross, seconds, signal);
    const positions = Math.min(Math.ceil(seconds * POSITIONS_PER_SECOND), decoded.steps[0]?.positions ?? 0);
    const starts = alignSteps(decoded.steps, positions);
    const words: Word[] = [];
    for (const word of wordsOfTokens(decoded.tokens, this.#folder.vocabulary)) {
      const text = plainWord(word.text);
      if (text === '') continue;
      let confidence = 1;
      for (let t = word.from; t < word.to; t++) confidence *= decoded.probabilities[t] ?? 0;
      const start = (starts[word.from] ?? 0) / POSITIONS_PER_SECOND;
      const end = Math.max(start + 0.02, (starts[word.to] ?? positions) / POSITIONS_PER_SECOND);
      words.push({ text, start, end: Math.min(seconds, end), confidence });
    }
    const noSpeechProbability = noSpeechOf(decoded.probabilities.slice(0, decoded.tokens.length), seconds, decoded.noSpeech);
    const t2 = performance.now();
    const shared = { tokens: decoded.tokens.length, noSpeechProbability, hitTokenLimit: decoded.hitTokenLimit, encode: t1 - t0, decode: t2 - t1 };
    // a lone filler on audio that is not speech: nothing was said, and writing it down would invent words
    if (words.length <= 1 && noSpeechProbability > 0.8) {
      const word = words[0];
      const dropped: Guard | undefined =
        word === undefined ? undefined : { reason: 'no-speech', detail: `"${word.text}" was left out: probability ${(word.confidence ?? 0).toFixed(2)} in ${seconds.toFixed(1)} s of audio` };
      return { ...shared, words: [], dropped };
    }
    return { ...shared, words, dropped: undefined };
  }

  async #decode(cross: InferenceSession.OnnxValueMapType, seconds: number, signal: AbortSignal | undefined): Promise<Decoded> {
    const { config } = this.#folder;
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
    let token = this.#folder.config.eos;
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
