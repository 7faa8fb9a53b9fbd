/**
 * What every format reader of this room offers, and the small things they share.
 */
import type { Notice } from '../domain/stages.js';
import { HearbackError } from '../domain/result.js';

/** Decoded audio at the file's own rate: one array a channel, all of the same length, float −1…1. Valid until the next block is asked for. */
export interface Block {
  readonly rate: number;
  readonly channels: readonly Float32Array[];
}

/** One recording on disk, ready to be decoded from the start as often as wanted. */
export interface Decoder {
  /** Name of the format for people, e.g. "WAV", "MP3". */
  readonly kind: string;
  /** Samples a second of the first block, Hz. */
  readonly rate: number;
  readonly channelCount: number;
  /** Length counted from the bytes that are there (never from a header field); undefined when only decoding tells. */
  readonly seconds: number | undefined;
  /** Decodes from the start. The time line has no holes: audio that cannot be decoded is replaced by silence of the same length. */
  blocks(signal?: AbortSignal): AsyncGenerator<Block, void, undefined>;
}

/** Notices of one recording: each text is kept once, however often the recording is read. */
export class NoticeList {
  readonly list: Notice[] = [];
  readonly #seen = new Set<string>();

  /** `once` is what makes two notices the same; left out, it is kind and text together. */
  add(kind: string, severity: Notice['severity'], text: string, once = `${kind}\n${text}`): void {
    if (this.#seen.has(once)) return;
    this.#seen.add(once);
    this.list.push({ kind, severity, text });
  }
}

/** @throws HearbackError `cancelled` when the caller has given up. */
export function throwIfStopped(signal: AbortSignal | undefined, name: string): void {
  if (signal?.aborted === true) throw new HearbackError('cancelled', `Reading ${quote(name)} was stopped.`);
}

/** A name as it stands in messages; unchanged inside the quotes. */
export const quote = (name: string): string => `"${name}"`;

/** Seconds as people read them: "12.0 s", "3 min 05 s", "2 h 03 min". */
export function spokenTime(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'an unknown time';
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const pad = (n: number): string => String(n).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** The way out for everything that is sound but not read here. */
export const convertHint = (name: string): string => `Convert it first, for example: ffmpeg -i ${quote(name)} converted.wav`;

/** The sentence for damage in the middle, the same for all compressed formats. */
export function damageText(name: string, seconds: number): string {
  return `${quote(name)} is damaged at ${spokenTime(seconds)}${seconds > 0 ? '' : ' (the very beginning)'}; what cannot be decoded is replaced by silence, the rest is used.`;
}

/** How much silence a damaged place may be replaced by, seconds; a larger jump of the time line is not believed. */
export const MAX_GAP_SECONDS = 3600;

/** Yields `frames` of silence in pieces of at most a second. */
export function* silence(frames: number, rate: number, channels: number): Generator<Block, void, undefined> {
  for (let left = frames; left > 0; ) {
    const n = Math.min(left, rate);
    const zero = new Float32Array(n);
    yield { rate, channels: Array.from({ length: channels }, () => zero) };
    left -= n;
  }
}

/** Gives a decoder's memory back. One that broke on damaged data may break once more here, and that no longer matters. */
export function release(decoder: { free(): void }): void {
  try {
    decoder.free();
  } catch {
    // its memory goes with the garbage
  }
}

/** How the messages begin that the WebAssembly decoders write to the console besides returning them. */
const DECODER_MESSAGE = /^(libopus|mpg123-decoder|@wasm-audio-decoders)/;
let quiet = 0;
let loud = globalThis.console;

/**
 * Runs a piece of a third-party decoder with its messages kept off the console: its errors are returned as values
 * anyway, and the terminal belongs to the program. Messages of anybody else pass.
 */
export function withoutDecoderMessages<T>(run: () => T): T {
  if (quiet++ === 0) {
    const kept = globalThis.console;
    loud = kept;
    const pass = (write: (...what: unknown[]) => void) => (...what: unknown[]) => {
      if (!(typeof what[0] === 'string' && DECODER_MESSAGE.test(what[0]))) write(...what);
    };
    globalThis.console = Object.assign(Object.create(kept) as typeof kept, {
      error: pass((...what) => { kept.error(...what); }),
      warn: pass((...what) => { kept.warn(...what); }),
    }); // prettier-ignore
  }
  const leave = (): void => {
    if (--quiet === 0) globalThis.console = loud;
  };
  let result: T;
  try {
    result = run();
  } catch (thrown) {
    leave();
    throw thrown;
  }
  if (result instanceof Promise) result.then(leave, leave);
  else leave();
  return result;
}
