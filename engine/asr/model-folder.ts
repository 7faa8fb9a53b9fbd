/**
 * What a model folder holds: encoder.onnx, decoder.onnx, vocab.json, config.json (written by training/export/).
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { HearbackError, toHearbackError } from '../domain/result.js';

const positive = z.number().int().positive();
const row = z.number().int().nonnegative();

/** How many figures a word's confidence is made of; see FEATURES in confidence.ts. */
const CONFIDENCE_WEIGHTS = 8;

/** config.json. Lengths in seconds. */
export const ModelConfig = z.object({
  format: z.literal(1),
  architecture: z.literal('whisper'),
  name: z.string(),
  precision: z.enum(['int8', 'fp32']),
  sampleRate: z.literal(16_000),
  layers: positive,
  heads: positive,
  headSize: positive,
  vocabulary: positive,
  /** Tokens that the decoder has positions for, prompt included. */
  textPositions: positive,
  prompt: z.array(row).min(1),
  eos: row,
  /** Row of the token that stock models were trained to give for "no speech"; null where the model has none. */
  noSpeech: row.nullable(),
  /** full: the encoder always sees 30 s; follows-audio: it was trained on windows as long as the audio. */
  context: z.enum(['full', 'follows-audio']),
  padding: z.object({ peak: z.number().positive(), appendSeconds: z.number().nonnegative(), multipleSeconds: z.number().positive(), maxSeconds: positive }),
  /** Longest stretch of audio to put into one window. */
  bestSeconds: z.number().positive(),
  /** How the confidence of a word follows from what decoding saw (confidence.ts); fitted by training/confidence/. */
  confidence: z.object({ weights: z.array(z.number()).length(CONFIDENCE_WEIGHTS), bias: z.number() }).optional(),
});
export type ModelConfig = z.infer<typeof ModelConfig>;

/** One row: its text, its bytes where they are no text by themselves, or null for a special token. */
const VocabularyFile = z.array(z.union([z.string(), z.object({ bytes: z.array(z.number().int().min(0).max(255)) }), z.null()]));

export interface ModelFolder {
  readonly config: ModelConfig;
  /** Bytes of every token; null for special tokens. */
  readonly vocabulary: readonly (Uint8Array | null)[];
  readonly encoderPath: string;
  readonly decoderPath: string;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new HearbackError('model-broken', `${path} is not readable as JSON: ${toHearbackError(error).message}.`, { hint: 'Pull the model again or run `hearback models verify`.', cause: error });
  }
}

function parseWith<T>(schema: z.ZodType<T>, path: string): T {
  const parsed = schema.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  const where = first === undefined || first.path.length === 0 ? '' : ` at "${first.path.join('.')}"`;
  throw new HearbackError('model-broken', `${path} does not fit${where}: ${first?.message ?? 'unknown reason'}.`, { hint: 'Export the model again with training/export/export_model.py, or pull it again.' });
}

/**
 * Reads and checks a model folder; the graphs themselves are only checked to be there.
 *
 * @throws HearbackError model-missing when the folder or a file is not there, model-broken when a file does not fit
 */
export function openModelFolder(directory: string): ModelFolder {
  const hint = 'See `hearback models list`, then `hearback models pull ID`.';
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw new HearbackError('model-missing', `There is no model folder at ${directory}.`, { hint });
  for (const name of ['config.json', 'vocab.json', 'encoder.onnx', 'decoder.onnx']) {
    const size = statSync(join(directory, name), { throwIfNoEntry: false })?.size;
    if (size === undefined) throw new HearbackError('model-missing', `The model folder ${directory} lacks ${name}.`, { hint });
    if (size === 0) throw new HearbackError('model-broken', `${join(directory, name)} is empty.`, { hint });
  }
  const config = parseWith(ModelConfig, join(directory, 'config.json'));
  const encoder = new TextEncoder();
  const vocabulary = parseWith(VocabularyFile, join(directory, 'vocab.json')).map((entry) =>
    entry === null ? null : typeof entry === 'string' ? encoder.encode(entry) : Uint8Array.from(entry.bytes),
  );
  if (vocabulary.length !== config.vocabulary) {
    throw new HearbackError('model-broken', `The vocabulary of ${directory} has ${vocabulary.length} tokens, its configuration says ${config.vocabulary}.`, { hint: 'Files of two models are mixed: pull or export the model again.' });
  }
  return { config, vocabulary, encoderPath: join(directory, 'encoder.onnx'), decoderPath: join(directory, 'decoder.onnx') };
}
