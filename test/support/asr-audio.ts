/** Audio for the recogniser's tests: the fixtures with their truth, noise that is the same every time, word error rate. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../fixtures/asr/', import.meta.url));
export const MODEL_DIR = fileURLToPath(new URL('../../models/whisper-base-radio', import.meta.url));

export interface Clip {
  readonly file: string;
  /** What the synthesiser was told to say. */
  readonly text: string;
  readonly samples: Float32Array;
}

/** G.711 mu-law byte to −1…1. */
function linear(byte: number): number {
  const code = ~byte & 0xff;
  const magnitude = (((code & 0x0f) << 3) + 132) << ((code >> 4) & 7);
  return ((code & 0x80) !== 0 ? 132 - magnitude : magnitude - 132) / 32768;
}

/** The recordings under fixtures/asr/, in the order of truth.json. */
export function clips(): Clip[] {
  const truth = JSON.parse(readFileSync(`${folder}truth.json`, 'utf8')) as { file: string; text: string }[];
  return truth.map(({ file, text }) => {
    const bytes = readFileSync(folder + file);
    const at = bytes.indexOf('data', 12, 'latin1');
    return { file, text, samples: Float32Array.from(bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4)), linear) };
  });
}

export function clip(file: string): Clip {
  const found = clips().find((each) => each.file === file);
  if (found === undefined) throw new Error(`no fixture ${file}`);
  return found;
}

/** Pieces one after the other with `gap` seconds of silence between them. */
export function joined(pieces: readonly Float32Array[], gap = 0): Float32Array {
  const pause = Math.round(gap * 16_000);
  const out = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length + pause, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length + pause;
  }
  return out;
}

/** Noise like that of a voice channel: white noise through a one-pole low-pass at about 1.5 kHz; `level` is its RMS. */
export function noise(seconds: number, level: number, seed = 1): Float32Array {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296 - 0.5;
  };
  const out = new Float32Array(Math.round(seconds * 16_000));
  let low = 0;
  for (let i = 0; i < out.length; i++) {
    low += 0.45 * (random() + random() + random() + random() - low);
    out[i] = low;
  }
  const rms = Math.sqrt(out.reduce((sum, x) => sum + x * x, 0) / out.length);
  return out.map((x) => (x * level) / rms);
}

export const tone = (seconds: number, hertz: number, level: number): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * 16_000) }, (_, i) => level * Math.sin((2 * Math.PI * hertz * i) / 16_000));

export const sum = (a: Float32Array, b: Float32Array): Float32Array => a.map((x, i) => x + (b[i] ?? 0));

/** Word errors (substitutions, insertions, deletions; Levenshtein) by words said. */
export function wordErrorRate(said: string, read: string): number {
  const a = said.split(' ');
  const b = read.split(' ').filter((word) => word !== '');
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  a.forEach((word, i) => {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (word === b[j - 1] ? 0 : 1)));
    row = next;
  });
  return (row.at(-1) ?? 0) / a.length;
}
