/**
 * The embedded network on ONNX Runtime: one pass over a pair gives all ten error types. Nothing is fetched, nothing is sent.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { z } from 'zod';
import { MARKS, type Mark, type PairScorer, type PairScores } from '../domain/pair-scorer.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { ERROR_TYPES, type ErrorType, type Profile } from '../domain/taxonomy.js';
import { pairWords } from './pair-words.js';

/** config.json of a model folder, written by training/judge/export.py. */
const Config = z.object({
  format: z.literal(1),
  architecture: z.literal('pair-encoder'),
  name: z.string(),
  types: z.array(z.enum(ERROR_TYPES)).length(ERROR_TYPES.length),
  /** "-" stands for none. */
  slots: z.array(z.string()).min(2),
  marks: z.array(z.enum(MARKS)).min(2),
  features: z.object({ longest: z.number().int().positive(), count: z.number().int().positive() }),
  maxPieces: z.number().int().positive(),
  profiles: z.object({ paper: z.string(), icao: z.string() }),
  temperature: z.number().positive(),
});
type Config = z.infer<typeof Config>;

const THREADS = 2;

/** Whether a folder holds such a network. */
export function isPairScorer(folder: string): boolean {
  const path = join(folder, 'config.json');
  return existsSync(path) && readFileSync(path, 'utf8').includes('"pair-encoder"');
}

/** Pieces of a word by greedy longest match (WordPiece), as rows of the vocabulary. */
function wordPieces(vocabulary: ReadonlyMap<string, number>, unknown: number): (word: string) => readonly number[] {
  return (word) => {
    const rows: number[] = [];
    let at = 0;
    while (at < word.length) {
      let end = word.length;
      let row: number | undefined;
      while (end > at && row === undefined) {
        row = vocabulary.get(`${at === 0 ? '' : '##'}${word.slice(at, end)}`);
        if (row === undefined) end--;
      }
      if (row === undefined) return [unknown];
      rows.push(row);
      at = end;
    }
    return rows;
  };
}

/** @throws HearbackError model-missing, model-broken */
export async function openPairScorer(folder: string): Promise<PairScorer> {
  const broken = (what: string, cause?: unknown): HearbackError => new HearbackError('model-broken', `The judge in ${folder} cannot be used: ${what}`, { hint: 'Take the whole folder as it was exported; "hearback models verify" reads the shipped one.', ...(cause === undefined ? {} : { cause }) });
  const read = (name: string): Buffer => {
    try {
      return readFileSync(join(folder, name));
    } catch (thrown) {
      throw new HearbackError('model-missing', `The judge's file ${join(folder, name)} cannot be read.`, { hint: 'Name a folder with model.onnx, vocab.json and config.json.', cause: thrown });
    }
  };
  let config: Config;
  let pieces: (word: string) => readonly number[];
  let frame: { readonly cls: number; readonly sep: number; readonly profile: Readonly<Record<Profile, number>> };
  try {
    config = Config.parse(JSON.parse(read('config.json').toString('utf8')));
    const vocabulary = new Map(z.array(z.string()).parse(JSON.parse(read('vocab.json').toString('utf8'))).map((piece, row) => [piece, row]));
    const row = (piece: string): number => {
      const found = vocabulary.get(piece);
      if (found === undefined) throw new Error(`its vocabulary lacks ${piece}`);
      return found;
    };
    pieces = wordPieces(vocabulary, row('[UNK]'));
    frame = { cls: row('[CLS]'), sep: row('[SEP]'), profile: { paper: row(config.profiles.paper), icao: row(config.profiles.icao) } };
  } catch (thrown) {
    throw thrown instanceof HearbackError ? thrown : broken(toHearbackError(thrown).message, thrown);
  }
  const bytes = read('model.onnx');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  let session: InferenceSession;
  try {
    // threads that wait by spinning take the cores from whoever has work
    session = await InferenceSession.create(bytes, { executionProviders: ['cpu'], intraOpNumThreads: THREADS, extra: { session: { intra_op: { allow_spinning: '0' } } } });
  } catch (thrown) {
    throw broken(toHearbackError(thrown).message, thrown);
  }
  const { name } = config;

  async function score({ instruction, readback, profile }: { instruction: string; readback: string; profile: Profile }): Promise<PairScores | null> {
    const startedAt = performance.now();
    const halves = pairWords(instruction, readback, config.features.longest);
    const ids = [frame.cls, frame.profile[profile]];
    const features = [0, 0];
    const segments = [0, 0];
    const sources = [-1, -1];
    for (const [at, half] of [halves.instruction, halves.readback].entries()) {
      for (const { word, feature, source } of half) {
        for (const row of pieces(word)) {
          ids.push(row);
          features.push(feature);
          segments.push(at + 1);
          sources.push(source);
        }
      }
      ids.push(frame.sep);
      features.push(0);
      segments.push(0);
      sources.push(-1);
    }
    if (ids.length > config.maxPieces) return null;
    const tensor = (values: readonly number[]): Tensor => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    let types: Float32Array;
    let slots: Float32Array;
    let marks: Float32Array;
    try {
      const out = await session.run({ ids: tensor(ids), features: tensor(features), segments: tensor(segments) });
      [types, slots, marks] = [floats(out['types']), floats(out['slots']), floats(out['marks'])];
    } catch (thrown) {
      throw broken(toHearbackError(thrown).message, thrown);
    }
    const shares = softmax(Array.from(types, (logit) => logit / config.temperature));
    const best = (values: Float32Array): number => values.reduce((top, value, i) => (value > (values[top] ?? -Infinity) ? i : top), 0);
    const slot = config.slots[best(slots)] ?? '-';
    const words = (text: string): Mark[] => text.split(/\s+/u).filter((word) => word !== '').map(() => 'o');
    const marked = { instruction: words(instruction), readback: words(readback) };
    // a word is marked as its first marked piece is
    sources.forEach((source, i) => {
      const half = segments[i] === 1 ? marked.instruction : marked.readback;
      const mark = config.marks[best(marks.subarray(i * config.marks.length, (i + 1) * config.marks.length))] ?? 'o';
      if (source >= 0 && mark !== 'o' && half[source] === 'o') half[source] = mark;
    });
    return {
      types: Object.fromEntries(config.types.map((type, i) => [type, shares[i] ?? 0])) as Record<ErrorType, number>,
      slot: slot === '-' ? null : slot,
      marks: marked,
      milliseconds: performance.now() - startedAt,
    };
  }

  return { model: name, sha256, destination: { kind: 'this-process', address: basename(folder) }, notices: [{ kind: 'text-goes-to', severity: 'info', text: `The judge ${name} runs in this process: no text leaves this machine.` }], score, close: () => session.release() };
}

function floats(tensor: Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new Error('the network gave no figures');
}

function softmax(logits: readonly number[]): number[] {
  const top = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}
