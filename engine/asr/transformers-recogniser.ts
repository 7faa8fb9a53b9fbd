/**
 * Reads windows with Whisper through transformers.js: stock models from a hub, or a folder of the same layout (config.json,
 * tokenizer.json, preprocessor_config.json, onnx/encoder_model*.onnx, onnx/decoder_model_merged*.onnx).
 *
 * Slower than our own graphs: these models always see 30 seconds. The library gives no word times, so words are spread over the
 * active part of the window by their length: rough estimates.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  AutoProcessor,
  AutoTokenizer,
  env,
  InterruptableStoppingCriteria,
  LogitsProcessor,
  LogitsProcessorList,
  WhisperForConditionalGeneration,
  type Tensor,
} from '@huggingface/transformers';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import type { Word } from '../domain/understanding.js';
import type { Provider } from './device-choice.js';
import { FRAMES_PER_SECOND, onset } from './levels.js';
import type { ModelSource } from './protocol.js';
import { plainWord } from './token-text.js';
import type { WindowReader } from './transcriber.js';

/** Whisper's window is 30 s; a little stays free for the end of the last word. */
const BEST_SECONDS = 28;
/** Half of the decoder's positions, as everywhere; the guards look at the rate. */
const TOKEN_LIMIT = 224;
/** Tokens from here on are <|endoftext|> and other special ones, in English and in multilingual vocabularies. */
const SPECIAL_FROM = 50_256;
/** Kinds of weights by the ending of their files, best first for a CPU. */
const PRECISIONS = [
  ['q8', '_quantized'],
  ['int8', '_int8'],
  ['uint8', '_uint8'],
  ['fp32', ''],
  ['fp16', '_fp16'],
] as const;

/** Notes the probability of the token that greedy decoding takes, and changes nothing. */
class ProbabilityRecorder extends LogitsProcessor {
  readonly probabilities: number[] = [];
  override _call(_ids: bigint[][], logits: Tensor): Tensor {
    const data = logits.data as Float32Array;
    let top = -Infinity;
    for (const value of data) top = Math.max(top, value);
    let sum = 0;
    for (const value of data) sum += Math.exp(value - top);
    this.probabilities.push(1 / sum);
    return logits;
  }
}

/** Groups tokens into words by their own texts: a word starts where a token starts with a blank. */
export function groupTokens(pieces: readonly string[]): { text: string; from: number; to: number }[] {
  const words: { text: string; from: number; to: number }[] = [];
  pieces.forEach((piece, at) => {
    const last = words.at(-1);
    if (last === undefined || piece.startsWith(' ')) words.push({ text: piece, from: at, to: at + 1 });
    else words[words.length - 1] = { text: last.text + piece, from: last.from, to: at + 1 };
  });
  return words;
}

/** Spreads words over [from, to) seconds by their length in letters, with one more for the gap. */
export function spreadWords(words: readonly { text: string; confidence: number }[], from: number, to: number): Word[] {
  const total = words.reduce((sum, word) => sum + word.text.length + 1, 0);
  let letters = 0;
  return words.map((word) => {
    const start = from + ((to - from) * letters) / total;
    letters += word.text.length + 1;
    return { ...word, start, end: from + ((to - from) * letters) / total };
  });
}

function precisionOf(source: ModelSource): (typeof PRECISIONS)[number][0] {
  if (source.kind === 'hub') return 'q8';
  const found = PRECISIONS.find(([, ending]) => existsSync(join(source.path, 'onnx', `encoder_model${ending}.onnx`)));
  if (found === undefined) throw new HearbackError('model-missing', `The folder ${join(source.path, 'onnx')} has no encoder_model*.onnx.`, { hint: 'Pull the model again.' });
  return found[0];
}

/**
 * Loads the model.
 *
 * @throws HearbackError model-missing (folder incomplete), offline (hub not reachable and nothing cached), model-broken, device
 */
export async function openTransformers(source: ModelSource, provider: Provider, threads: number): Promise<WindowReader> {
  const local = source.kind === 'folder';
  env.allowRemoteModels = !local;
  env.allowLocalModels = local;
  if (local) {
    for (const name of ['config.json', 'tokenizer.json', 'preprocessor_config.json']) {
      if (!existsSync(join(source.path, name))) throw new HearbackError('model-missing', `The model folder ${source.path} lacks ${name}.`, { hint: 'Pull the model again.' });
    }
    env.localModelPath = dirname(source.path);
  }
  const id = local ? basename(source.path) : source.id;
  const dtype = precisionOf(source);
  const load = async (): Promise<[Awaited<ReturnType<typeof AutoProcessor.from_pretrained>>, Awaited<ReturnType<typeof AutoTokenizer.from_pretrained>>, Awaited<ReturnType<typeof WhisperForConditionalGeneration.from_pretrained>>]> => [
    await AutoProcessor.from_pretrained(id),
    await AutoTokenizer.from_pretrained(id),
    await WhisperForConditionalGeneration.from_pretrained(id, { dtype, device: provider, session_options: { intraOpNumThreads: threads, extra: { session: { intra_op: { allow_spinning: '0' } } } } }),
  ];
  let loaded: Awaited<ReturnType<typeof load>>;
  try {
    loaded = await load();
  } catch (error) {
    const text = toHearbackError(error).message.split('\n')[0] ?? '';
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    if (!local && /fetch|network|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT/iu.test(`${text} ${cause}`)) {
      throw new HearbackError('offline', `The model ${id} is not on this machine and the hub cannot be reached (${text}).`, { hint: 'Go online once, or use a model of `hearback models list` that is present.', cause: error });
    }
    if (provider !== 'cpu') throw new HearbackError('device', `The device "${provider}" cannot be used: ${text}.`, { cause: error });
    throw new HearbackError(local ? 'model-broken' : 'model-missing', `The model ${id} cannot be loaded: ${text}.`, { hint: 'It must be a Whisper model with ONNX files for transformers.js.', cause: error });
  }
  const [processor, tokenizer, model] = loaded;
  const multilingual = (model.generation_config as { is_multilingual?: boolean } | null)?.is_multilingual === true;

  return {
    provider,
    knowsLists: false,
    bestSeconds: BEST_SECONDS,
    async close() {
      await model.dispose();
    },
    async read(audio, { levels, activity }, signal) {
      signal?.throwIfAborted();
      const recorder = new ProbabilityRecorder();
      const processors = new LogitsProcessorList();
      processors.push(recorder);
      const stop = new InterruptableStoppingCriteria();
      const interrupt = (): void => {
        stop.interrupt();
      };
      signal?.addEventListener('abort', interrupt, { once: true });
      const started = performance.now();
      const inputs = (await processor(audio)) as Record<string, Tensor>;
      const prepared = performance.now();
      const output = (await model.generate({
        ...inputs,
        max_new_tokens: TOKEN_LIMIT,
        logits_processor: processors,
        stopping_criteria: stop,
        ...(multilingual ? { language: 'en', task: 'transcribe' } : {}),
      })) as Tensor;
      signal?.removeEventListener('abort', interrupt);
      signal?.throwIfAborted();
      const special = new Set(tokenizer.all_special_ids.map(Number));
      const generated = (output.tolist() as (bigint | number)[][])[0]?.map(Number) ?? [];
      const written = generated.slice(generated.length - recorder.probabilities.length);
      const tokens = written.flatMap((token, at) => (special.has(token) || token >= SPECIAL_FROM ? [] : [{ token, probability: recorder.probabilities[at] ?? 0 }]));
      const hitTokenLimit = recorder.probabilities.length >= TOKEN_LIMIT;
      const pieces = tokens.map(({ token }) => tokenizer.decode([token]));
      const words = groupTokens(pieces).flatMap(({ text, from, to }) => {
        const plain = plainWord(text);
        // the last word also carries the probability that the text ends there
        const ending = to === tokens.length && !hitTokenLimit ? (recorder.probabilities.at(-1) ?? 0) : 1;
        return plain === '' ? [] : [{ text: plain, confidence: tokens.slice(from, to).reduce((product, { probability }) => product * probability, ending) }];
      });
      const seconds = audio.length / SAMPLE_RATE;
      const begin = onset(levels, activity, levels.length) / FRAMES_PER_SECOND;
      const end = seconds - onset(levels.slice().reverse(), activity, levels.length) / FRAMES_PER_SECOND;
      return {
        words: spreadWords(words, begin, Math.max(begin + 0.02, end)),
        tokens: tokens.length,
        probabilities: tokens.map(({ probability }) => probability),
        hitTokenLimit,
        // the library does not give the probability of Whisper's no-speech token: the audio alone decides
        trained: 0,
        nothing: 0,
        encode: prepared - started,
        decode: performance.now() - prepared,
      };
    },
  };
}
