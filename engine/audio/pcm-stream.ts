/**
 * Live audio from a byte stream (standard input, a socket): raw samples, or a WAV stream, at any rate.
 */
import { addAbortSignal } from 'node:stream';
import type { Readable } from 'node:stream';
import { HearbackError } from '../domain/result.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import type { AudioSource, Notice, PcmChunk } from '../domain/stages.js';
import { channelName } from './channels.js';
import type { Outlet } from './channels.js';
import { NoticeList, quote, throwIfStopped } from './decoder.js';
import { checkFormat, deinterleave, ENCODING_BYTES, tellNotANumber } from './pcm.js';
import type { PcmFormat } from './pcm.js';
import { Converter } from './source.js';

export interface PcmStreamOptions {
  /** Name for people, e.g. "standard input". */
  readonly name: string;
  /** Hz, default 16000. */
  readonly sampleRate?: number;
  /** Interleaved channels, default 1. Each is followed for itself. */
  readonly channels?: number;
  /** Default 16-bit little-endian integers. */
  readonly format?: 's16le' | 'f32le';
}

/** A WAV header must end within so many bytes. */
const MAX_HEADER = 1 << 20;

/** Format and position of the audio in the beginning of a WAV stream; `wait` when more bytes are needed. */
function streamHeader(bytes: Buffer): { readonly format: PcmFormat; readonly start: number } | 'wait' | 'none' {
  let format: PcmFormat | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (id === 'data') return format === undefined ? 'none' : { format, start: at + 8 };
    if (id === 'fmt ') {
      if (at + 8 + size > bytes.length) return 'wait';
      if (size < 16) return 'none';
      const b = bytes.subarray(at + 8);
      const tag = b.readUInt16LE(0) === 0xfffe && size >= 26 ? b.readUInt16LE(24) : b.readUInt16LE(0);
      const width = b.readUInt16LE(14) / 8;
      const encoding =
        tag === 1 ? ({ 1: 'u8', 2: 's16', 3: 's24', 4: 's32' } as const)[width]
        : tag === 3 ? ({ 4: 'f32', 8: 'f64' } as const)[width]
        : ({ 6: 'alaw', 7: 'ulaw' } as const)[tag]; // prettier-ignore
      if (encoding === undefined) return 'none';
      format = { encoding, bigEndian: false, channels: b.readUInt16LE(2), rate: b.readUInt32LE(4), container: ENCODING_BYTES[encoding] };
    }
    at += 8 + size + (size % 2);
  }
  return bytes.length > MAX_HEADER ? 'none' : 'wait';
}

class PcmStreamSource implements AudioSource {
  readonly name: string;
  readonly channels: readonly string[];
  readonly duration = undefined;
  readonly #told = new NoticeList();
  readonly #format: PcmFormat;
  #used = false;

  constructor(
    private readonly readable: Readable,
    options: PcmStreamOptions,
  ) {
    this.name = options.name;
    const encoding = options.format === 'f32le' ? 'f32' : 's16';
    this.#format = { encoding, bigEndian: false, channels: options.channels ?? 1, rate: options.sampleRate ?? SAMPLE_RATE, container: ENCODING_BYTES[encoding] };
    checkFormat(options.name, this.#format);
    this.channels = Array.from({ length: this.#format.channels }, (_, i) => channelName(i, this.#format.channels));
  }

  get notices(): readonly Notice[] {
    return this.#told.list;
  }

  async *chunks(signal?: AbortSignal): AsyncIterable<PcmChunk> {
    if (this.#used) throw new HearbackError('usage', `${quote(this.name)} is live and can be read only once.`);
    this.#used = true;
    throwIfStopped(signal, this.name);
    if (signal !== undefined) addAbortSignal(signal, this.readable);
    let { converter, format } = this.#plain();
    let rest: Buffer = Buffer.alloc(0);
    let first = true;
    let frames = 0;
    try {
      for await (const piece of this.readable) {
        rest = rest.length === 0 ? toBuffer(piece) : Buffer.concat([rest, toBuffer(piece)]);
        if (first) {
          const begin = rest.toString('latin1', 0, 4);
          if (rest.length < 12 && 'RIFF'.startsWith(begin)) continue;
          if (begin === 'RIFF' && rest.toString('latin1', 8, 12) === 'WAVE') {
            const header = streamHeader(rest);
            if (header === 'wait') continue;
            if (header === 'none') throw new HearbackError('unsupported', `${quote(this.name)} is a WAV stream of a kind that is not read here.`, { hint: 'Feed 16-bit samples, for example: ffmpeg -i INPUT -f s16le -ar 16000 -ac 1 -' });
            checkFormat(this.name, header.format);
            ({ converter, format } = this.#fromHeader(header.format));
            rest = rest.subarray(header.start);
          }
          first = false;
        }
        const bytes = format.container * format.channels;
        // a step at a time: a large write must not become one large chunk
        const step = Math.max(1, Math.floor(format.rate / 4));
        while (rest.length >= bytes) {
          const n = Math.min(step, Math.floor(rest.length / bytes));
          const planar = Array.from({ length: format.channels }, () => new Float32Array(n));
          const bad = deinterleave(rest, n, format, planar);
          if (bad >= 0) tellNotANumber(this.#told, this.name, (frames + bad) / format.rate);
          rest = rest.subarray(n * bytes);
          frames += n;
          yield* converter.push({ rate: format.rate, channels: planar });
        }
      }
    } catch (thrown) {
      throwIfStopped(signal, this.name);
      if (thrown instanceof HearbackError) throw thrown;
      throw new HearbackError('unreadable', `${quote(this.name)} broke off: ${thrown instanceof Error ? thrown.message : String(thrown)}.`, { cause: thrown });
    }
    throwIfStopped(signal, this.name);
    if (rest.length > 0)
      this.#told.add('truncated-sample', 'info', `${quote(this.name)} ended in the middle of a sample; the last ${rest.length} ${rest.length === 1 ? 'byte is' : 'bytes are'} left out.`);
    yield* converter.flush();
    if (frames === 0) this.#told.add('empty', 'warning', `${quote(this.name)} ended without any audio.`);
  }

  #plain(): { converter: Converter; format: PcmFormat } {
    return { converter: new Converter(this.channels.map((name, channel) => ({ name, weights: [{ channel, weight: 1 }] }))), format: this.#format };
  }

  /** A whole WAV file was fed in: its own header is right about rate and format, the promised channels stay. */
  #fromHeader(format: PcmFormat): { converter: Converter; format: PcmFormat } {
    this.#told.add('wav-stream', 'info', `${quote(this.name)} begins with a WAV header; its format is used (${format.rate} Hz, ${format.channels === 1 ? 'one channel' : `${format.channels} channels`}).`);
    if (format.channels === this.#format.channels) return { ...this.#plain(), format };
    this.#told.add('channels', 'warning', `${quote(this.name)} has ${format.channels} channels where ${this.#format.channels} ${this.#format.channels === 1 ? 'was' : 'were'} expected; their average is used.`);
    const weights = Array.from({ length: format.channels }, (_, channel) => ({ channel, weight: 1 / format.channels }));
    const outlets: Outlet[] = this.channels.map((name) => ({ name, weights }));
    return { converter: new Converter(outlets), format };
  }
}

function toBuffer(piece: unknown): Buffer {
  if (Buffer.isBuffer(piece)) return piece;
  if (piece instanceof Uint8Array) return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  throw new HearbackError('invalid-input', 'A stream of text was given where audio bytes are expected.');
}

/**
 * Makes a live source of a stream of interleaved samples. Can be read once. A stream that begins with a WAV header is
 * read by that header. Ends when the stream ends.
 *
 * @throws HearbackError `unsupported` for absurd rates or channel counts; while reading: `unreadable`, `cancelled`.
 */
export function openPcmStream(readable: Readable, options: PcmStreamOptions): AudioSource {
  return new PcmStreamSource(readable, options);
}
