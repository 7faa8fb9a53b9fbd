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
/**
 * One token is too little work to share: waking a second thread costs more than it takes over (docs/architecture.md, recogniser). The
 * encoder works on all positions at once and uses what it is given.
 */
const DECODER_THREADS = 1;
/** How many of the most probable tokens are kept at each step. */
const CANDIDATES = 6;
/** Less probable tokens are not kept. */
const LEAST_PROBABILITY = 0.01;

/**
 * Below this mean log probability of a token, more than one text is followed (natural logarithm). Above it greedy decoding finds the
 * same text nearly always (docs/architecture.md, recogniser).
 */
const DOUBTFUL = -0.4;

/** A token that might have been written at a step. */
export interface Candidate {
  readonly token: number;
  readonly probability: number;
}

/** A text that has been fed to the decoder up to some token, and what it would write next. */
export interface Branch {
  /** Natural logarithm of the probability of every token as the next one, over those that may be written; −Infinity for the others. */
  readonly next: Float32Array;
  /** Goes on with these tokens, one or more. @throws the signal's reason when it is aborted */
  extend(tokens: readonly number[], signal?: AbortSignal): Promise<Branch>;
}

/** What decoding one window gave. */
export interface Decoded {
  readonly tokens: readonly number[];
  /** Probability of each token; the last is the end token's when the text was ended. */
  readonly probabilities: readonly number[];
  /** The most probable tokens at each step, the chosen one first; as long as `probabilities`. */
  readonly candidates: readonly (readonly Candidate[])[];
  readonly steps: readonly AlignmentStep[];
  /**
   * Takes decoding up again behind the first `length` tokens (0: behind the prompt; at most all that the text was ended after), over the
   * same audio and without computing anything twice, and goes on with `more` tokens. The decoded text stays as it is.
   */
  branch(length: number, more: readonly number[], signal?: AbortSignal): Promise<Branch>;
  readonly hitTokenLimit: boolean;
  /** Probabilities of the greedy text's ordinary tokens, which is another text where beam search found a likelier one. */
  readonly greedy: readonly number[];
  /** Probability of the trained no-speech token, where there is one. */
  readonly noSpeech: number | undefined;
  /** Probability that the greedy text ends before its first word: a model whose training had pieces without speech says so that nobody spoke. */
  readonly nothing: number;
  /** Milliseconds. */
  readonly encode: number;
  readonly decode: number;
}

/** A loaded model. */
export interface Whisper {
  readonly folder: ModelFolder;
  readonly provider: Provider;
  /**
   * Decodes one window greedily, and once more with `beam` texts side by side (default 1: never) where that left doubt. `audio`: mono
   * 16 kHz without offset, not longer than the model's window less the silence behind it. @throws the signal's reason when it is aborted
   */
  decode(audio: Float32Array, signal?: AbortSignal, beam?: number): Promise<Decoded>;
  close(): Promise<void>;
}

/** @throws HearbackError device when the provider cannot be used, model-broken when the graphs cannot be loaded on the CPU */
export async function openWhisper(folder: ModelFolder, options: { provider: Provider; threads: number }): Promise<Whisper> {
  env.logLevel = 'error';
  const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
    executionProviders: options.provider === 'cpu' ? ['cpu'] : [options.provider, 'cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    logSeverityLevel: 3,
    // threads that wait by spinning cost several times the work itself when the cores are shared with anything else
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const open = async (path: string, threads: number): Promise<InferenceSession> => {
    try {
      return await InferenceSession.create(path, sessionOptions(threads));
    } catch (error) {
      const text = toHearbackError(error).message;
      if (options.provider !== 'cpu') throw new HearbackError('device', `The device "${options.provider}" cannot be used: ${text.split('\n')[0] ?? text}.`, { cause: error });
      throw new HearbackError('model-broken', `${path} cannot be loaded: ${text}.`, { hint: 'Run `hearback models verify` and pull the model again.', cause: error });
    }
  };
  const encoder = await open(folder.encoderPath, options.threads);
  const decoder = await open(folder.decoderPath, Math.min(DECODER_THREADS, options.threads));
  return new WhisperSessions(folder, options.provider, encoder, decoder);
}

const floats = (tensor: Tensor | undefined, name: string): Float32Array => {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new HearbackError('model-broken', `The model gave no output "${name}".`, { hint: 'Export the model again with training/export/export_model.py.' });
};

/** Keys and values of the decoder's own attention, by input name; and those of the audio, by output name of the encoder. */
type Past = Readonly<Record<string, Tensor>>;
type Cross = InferenceSession.OnnxValueMapType;

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

  async decode(audio: Float32Array, signal?: AbortSignal, beam = 1): Promise<Decoded> {
    const pcm = this.#prepare(audio);
    const started = performance.now();
    const cross = await this.#encoder.run({ pcm: new Tensor('float32', pcm, [1, pcm.length]) });
    const encoded = performance.now();
    const seconds = audio.length / SAMPLE_RATE;
    const greedy = await this.#greedy(cross, seconds, signal);
    const wider = beam > 1 && (greedy.hitTokenLimit || meanLog(greedy.probabilities) < DOUBTFUL) ? await this.#beam(cross, seconds, beam, signal) : undefined;
    const better = wider !== undefined && (greedy.hitTokenLimit || meanLog(wider.probabilities) > meanLog(greedy.probabilities)) ? { ...greedy, ...wider, hitTokenLimit: false } : greedy;
    return { ...better, greedy: greedy.probabilities.slice(0, greedy.tokens.length), encode: encoded - started, decode: performance.now() - encoded };
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

  /** One run of the decoder over new tokens behind `past`. */
  async #run(cross: Cross, past: Past, input: readonly number[]): Promise<{ readonly logits: Float32Array; readonly alignment: Tensor | undefined; readonly past: Past }> {
    const output = await this.#decoder.run({ tokens: new Tensor('int64', BigInt64Array.from(input, BigInt), [1, input.length]), ...past, ...cross });
    // the tensors of the cache go back as they are: their content is never looked at here
    const present: Record<string, Tensor> = {};
    for (const i of this.#layers) {
      for (const part of ['k', 'v']) {
        const tensor = output[`present_${part}_${i}`];
        if (tensor !== undefined) present[`past_${part}_${i}`] = tensor;
      }
    }
    return { logits: floats(output['logits'], 'logits'), alignment: output['alignment'], past: present };
  }

  #nothingBefore(): Past {
    const { heads, headSize } = this.folder.config;
    const past: Record<string, Tensor> = {};
    for (const i of this.#layers) for (const part of ['k', 'v']) past[`past_${part}_${i}`] = new Tensor('float32', new Float32Array(0), [1, heads, 0, headSize]);
    return past;
  }

  async #branch(cross: Cross, before: Past, tokens: readonly number[], signal: AbortSignal | undefined): Promise<Branch> {
    signal?.throwIfAborted();
    const { logits, past } = await this.#run(cross, before, tokens);
    return {
      next: this.#logProbabilities(logits),
      extend: (more, stop) => this.#branch(cross, past, more, stop),
    };
  }

  #limit(seconds: number): number {
    const { config } = this.folder;
    return Math.min(config.textPositions - config.prompt.length - 1, Math.ceil(TOKENS_AT_LEAST + TOKENS_PER_SECOND * seconds));
  }

  /** How to take up decoding again inside `tokens`, whose cache is `whole`. */
  #brancher(cross: Cross, tokens: readonly number[], whole: Past): Decoded['branch'] {
    const { prompt } = this.folder.config;
    return (length, more, stop) => {
      const before = [...prompt, ...tokens.slice(0, length)];
      // without new tokens the last old one is fed again: what would be written behind it was not kept
      const known = more.length > 0 ? before.length : length === 0 ? 0 : before.length - 1;
      return this.#branch(cross, cutPast(whole, known), [...before, ...more].slice(known), stop);
    };
  }

  /**
   * The `width` likeliest texts followed side by side until as many have ended; of these the one with the highest mean log probability of a
   * token. The sum would prefer short texts. Undefined when none ends within the limit.
   */
  async #beam(cross: Cross, seconds: number, width: number, signal: AbortSignal | undefined): Promise<Pick<Decoded, 'tokens' | 'probabilities' | 'candidates' | 'steps' | 'branch'> | undefined> {
    const { prompt, eos } = this.folder.config;
    interface Text {
      readonly tokens: readonly number[];
      readonly probabilities: readonly number[];
      readonly candidates: readonly (readonly Candidate[])[];
      readonly steps: readonly AlignmentStep[];
      readonly sum: number;
      readonly past: Past;
    }
    let live: Text[] = [{ tokens: [], probabilities: [], candidates: [], steps: [], sum: 0, past: this.#nothingBefore() }];
    const ended: Text[] = [];
    for (let step = 0; step <= this.#limit(seconds) && live.length > 0; step++) {
      const further: Text[] = [];
      for (const text of live) {
        signal?.throwIfAborted();
        const { logits, alignment, past } = await this.#run(cross, text.past, step === 0 ? prompt : text.tokens.slice(-1));
        const best = this.#best(logits);
        const seen = lastStep(alignment);
        for (const choice of best) {
          further.push({
            tokens: choice.token === eos ? text.tokens : [...text.tokens, choice.token],
            probabilities: [...text.probabilities, choice.probability],
            candidates: [...text.candidates, [choice, ...best.filter((other) => other !== choice)]],
            steps: [...text.steps, seen],
            sum: text.sum + Math.log(choice.probability),
            past,
          });
        }
      }
      live = [];
      for (const text of further.sort((a, b) => b.sum - a.sum)) {
        if (text.probabilities.length > text.tokens.length) ended.push(text);
        else live.push(text);
        if (live.length >= width) break;
      }
      const best = Math.max(...ended.map(({ sum }) => sum));
      if (ended.length >= width && live.every(({ sum }) => sum < best)) break;
    }
    const [first, ...others] = ended;
    if (first === undefined) return undefined;
    const { tokens, probabilities, candidates, steps, past } = others.reduce((best, text) => (meanLog(text.probabilities) > meanLog(best.probabilities) ? text : best), first);
    return { tokens, probabilities, candidates, steps, branch: this.#brancher(cross, tokens, past) };
  }

  async #greedy(cross: Cross, seconds: number, signal: AbortSignal | undefined): Promise<Omit<Decoded, 'encode' | 'decode' | 'greedy'>> {
    const { config } = this.folder;
    const limit = this.#limit(seconds);
    let past = this.#nothingBefore();
    // the trained no-speech token is read where it was trained: at the very first token of the prompt
    const rest = config.noSpeech === null ? [] : config.prompt.slice(1);
    let input = config.noSpeech === null ? config.prompt : config.prompt.slice(0, 1);
    const tokens: number[] = [];
    const probabilities: number[] = [];
    const candidates: Candidate[][] = [];
    const steps: AlignmentStep[] = [];
    let hitTokenLimit = false;
    let noSpeech: number | undefined;
    let nothing: number | undefined;
    for (;;) {
      signal?.throwIfAborted();
      const output = await this.#run(cross, past, input);
      past = output.past;
      const { logits } = output;
      if (config.noSpeech !== null && noSpeech === undefined) {
        noSpeech = this.#softmax(logits, config.noSpeech);
        if (rest.length > 0) {
          input = rest;
          continue;
        }
      }
      nothing ??= this.#softmax(logits, config.eos);
      const best = this.#best(logits);
      const choice = best[0] ?? { token: config.eos, probability: 0 };
      candidates.push(best);
      steps.push(lastStep(output.alignment));
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
    return { tokens, probabilities, candidates, steps, branch: this.#brancher(cross, tokens, past), hitTokenLimit, noSpeech, nothing };
  }

  /** The most probable allowed tokens with their probabilities among the allowed ones, best first. At least one. */
  #best(logits: Float32Array): Candidate[] {
    // a short list kept sorted: most tokens fail at the first comparison
    const rows: number[] = [];
    const values: number[] = [];
    for (let i = 0; i < logits.length; i++) {
      const value = logits[i] ?? -Infinity;
      if (this.#blocked[i] !== 0 || (values.length === CANDIDATES && value <= (values.at(-1) ?? -Infinity))) continue;
      let at = values.length;
      while (at > 0 && (values[at - 1] ?? -Infinity) < value) at--;
      values.splice(at, 0, value);
      rows.splice(at, 0, i);
      if (values.length > CANDIDATES) {
        values.pop();
        rows.pop();
      }
    }
    const top = values[0] ?? 0;
    let sum = 0;
    for (let i = 0; i < logits.length; i++) if (this.#blocked[i] === 0) sum += Math.exp((logits[i] ?? -Infinity) - top);
    const all = rows.map((token, at) => ({ token, probability: Math.exp((values[at] ?? -Infinity) - top) / sum }));
    return all.filter(({ probability }, at) => at === 0 || probability >= LEAST_PROBABILITY);
  }

  #logProbabilities(logits: Float32Array): Float32Array {
    const out = new Float32Array(logits.length).fill(-Infinity);
    let top = -Infinity;
    for (let i = 0; i < logits.length; i++) if (this.#blocked[i] === 0) top = Math.max(top, logits[i] ?? -Infinity);
    let sum = 0;
    for (let i = 0; i < logits.length; i++) if (this.#blocked[i] === 0) sum += Math.exp((logits[i] ?? -Infinity) - top);
    const whole = top + Math.log(sum);
    for (let i = 0; i < logits.length; i++) if (this.#blocked[i] === 0) out[i] = (logits[i] ?? -Infinity) - whole;
    return out;
  }

  #softmax(logits: Float32Array, row: number): number {
    let top = -Infinity;
    for (const value of logits) top = Math.max(top, value);
    let sum = 0;
    for (const value of logits) sum += Math.exp(value - top);
    return Math.exp((logits[row] ?? -Infinity) - top) / sum;
  }
}

/** Mean natural logarithm of probabilities. */
const meanLog = (probabilities: readonly number[]): number => probabilities.reduce((sum, p) => sum + Math.log(Math.max(p, 1e-9)), 0) / Math.max(1, probabilities.length);

/** The first `length` positions of a cache, copied: [1, heads, all, size] → [1, heads, length, size]. */
function cutPast(past: Past, length: number): Past {
  const out: Record<string, Tensor> = {};
  for (const [name, tensor] of Object.entries(past)) {
    const data = floats(tensor, name);
    const [, heads = 0, all = 0, size = 0] = tensor.dims;
    const kept = new Float32Array(heads * length * size);
    for (let h = 0; h < heads; h++) kept.set(data.subarray(h * all * size, (h * all + length) * size), h * length * size);
    out[name] = new Tensor('float32', kept, [1, heads, length, size]);
  }
  return out;
}

/** Attention of the newest token: [heads, N, S] → the last of N. */
function lastStep(tensor: Tensor | undefined): AlignmentStep {
  const data = floats(tensor, 'alignment');
  const [heads = 0, rows = 0, positions = 0] = tensor?.dims ?? [];
  const weights = new Float32Array(heads * positions);
  for (let h = 0; h < heads; h++) weights.set(data.subarray((h * rows + rows - 1) * positions, (h * rows + rows) * positions), h * positions);
  return { heads, positions, weights };
}
