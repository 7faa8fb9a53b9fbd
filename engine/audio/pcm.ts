/**
 * Uncompressed samples of any width to planar float, and the reader that all headers with uncompressed data share.
 */
import { endianness } from 'node:os';
import { HearbackError } from '../domain/result.js';
import { quote, spokenTime, throwIfStopped } from './decoder.js';
import type { Block, Decoder, NoticeList } from './decoder.js';
import { FileReader } from './file-reader.js';

export type Encoding = 'u8' | 's8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'alaw' | 'ulaw';

/** Bytes of one sample. */
export const ENCODING_BYTES: Readonly<Record<Encoding, number>> = { u8: 1, s8: 1, s16: 2, s24: 3, s32: 4, f32: 4, f64: 8, alaw: 1, ulaw: 1 };

export interface PcmFormat {
  readonly encoding: Encoding;
  readonly bigEndian: boolean;
  readonly channels: number;
  /** Hz. */
  readonly rate: number;
  /** Bytes from one sample of a channel to the next channel's; may be more than the sample needs. */
  readonly container: number;
}

/** ITU-T G.711 µ-law, value −1…1 of each code. */
const ULAW = Float32Array.from({ length: 256 }, (_, code) => {
  const u = ~code & 0xff;
  const magnitude = (((u & 0x0f) << 3) + 0x84) << ((u & 0x70) >> 4);
  return ((u & 0x80) !== 0 ? 0x84 - magnitude : magnitude - 0x84) / 32768;
});
/** ITU-T G.711 A-law. */
const ALAW = Float32Array.from({ length: 256 }, (_, code) => {
  const a = code ^ 0x55;
  const segment = (a & 0x70) >> 4;
  const base = (a & 0x0f) << 4;
  const magnitude = segment === 0 ? base + 8 : (base + 0x108) << (segment - 1);
  return ((a & 0x80) !== 0 ? magnitude : -magnitude) / 32768;
});

/** Floats may go beyond ±1, and some programs write them in the range of 32-bit integers; beyond this they are debris. */
const LARGEST = 1e10;

const LITTLE_ENDIAN_MACHINE = endianness() === 'LE';

/**
 * Splits interleaved bytes into one array a channel, −1…1 (floats as they are).
 *
 * @returns index of the first frame that held a value that is not a number (replaced by 0), or −1.
 */
export function deinterleave(bytes: Buffer, frames: number, format: PcmFormat, out: readonly Float32Array[]): number {
  const { channels, container, encoding, bigEndian } = format;
  const stride = channels * container;
  let bad = -1;
  for (let c = 0; c < channels; c++) {
    const target = out[c];
    if (target === undefined) break;
    let p = c * container;
    switch (encoding) {
      case 'u8':
        for (let i = 0; i < frames; i++, p += stride) target[i] = ((bytes[p] ?? 128) - 128) / 128;
        break;
      case 's8':
        for (let i = 0; i < frames; i++, p += stride) target[i] = (((bytes[p] ?? 0) << 24) >> 24) / 128;
        break;
      case 's16':
        if (!bigEndian && LITTLE_ENDIAN_MACHINE && container === 2 && bytes.byteOffset % 2 === 0) {
          const view = new Int16Array(bytes.buffer, bytes.byteOffset, frames * channels);
          for (let i = 0, q = c; i < frames; i++, q += channels) target[i] = (view[q] ?? 0) / 32768;
        } else {
          const [hi, lo] = bigEndian ? [0, 1] : [1, 0];
          for (let i = 0; i < frames; i++, p += stride) target[i] = ((((bytes[p + hi] ?? 0) << 24) | ((bytes[p + lo] ?? 0) << 16)) >> 16) / 32768;
        }
        break;
      case 's24': {
        const [hi, lo] = bigEndian ? [0, 2] : [2, 0];
        for (let i = 0; i < frames; i++, p += stride)
          target[i] = (((bytes[p + hi] ?? 0) << 24) | ((bytes[p + 1] ?? 0) << 16) | ((bytes[p + lo] ?? 0) << 8)) / 2147483648;
        break;
      }
      case 's32':
        for (let i = 0; i < frames; i++, p += stride) target[i] = (bigEndian ? bytes.readInt32BE(p) : bytes.readInt32LE(p)) / 2147483648;
        break;
      case 'f32':
      case 'f64':
        for (let i = 0; i < frames; i++, p += stride) {
          const v = encoding === 'f32' ? (bigEndian ? bytes.readFloatBE(p) : bytes.readFloatLE(p)) : bigEndian ? bytes.readDoubleBE(p) : bytes.readDoubleLE(p);
          if (Math.abs(v) < LARGEST) target[i] = v;
          else {
            target[i] = 0;
            if (bad < 0 || i < bad) bad = i;
          }
        }
        break;
      case 'alaw':
        for (let i = 0; i < frames; i++, p += stride) target[i] = ALAW[bytes[p] ?? 0xd5] ?? 0;
        break;
      case 'ulaw':
        for (let i = 0; i < frames; i++, p += stride) target[i] = ULAW[bytes[p] ?? 0xff] ?? 0;
        break;
    }
  }
  return bad;
}

/** Lowest and highest rate that is believed, Hz. */
const MIN_RATE = 1000;
const MAX_RATE = 768_000;
const MAX_CHANNELS = 64;

/** @throws HearbackError `unsupported` for figures that no recording has. */
export function checkFormat(name: string, format: { readonly rate: number; readonly channels: number }): void {
  if (!(format.rate >= MIN_RATE && format.rate <= MAX_RATE))
    throw new HearbackError('unsupported', `${quote(name)} claims ${format.rate} samples a second, which no recording has.`, {
      hint: 'Its header is damaged. If you know the true rate, rebuild it: sox -r RATE … or ffmpeg -f s16le -ar RATE …',
    });
  if (!(format.channels >= 1 && format.channels <= MAX_CHANNELS))
    throw new HearbackError('unsupported', `${quote(name)} claims ${format.channels} channels; 1 to ${MAX_CHANNELS} can be read.`, { hint: 'Its header is damaged; convert it anew from the original.' });
}

/** Tells once that values which are not numbers were replaced. */
export function tellNotANumber(notices: NoticeList, name: string, seconds: number): void {
  notices.add(
    'not-a-number',
    'warning',
    `${quote(name)} holds sample values that are not numbers (the first at ${spokenTime(seconds)}); each is replaced by silence.`,
    'not-a-number',
  );
}

/** Uncompressed audio in a byte range of a file. */
export class PcmDecoder implements Decoder {
  readonly rate: number;
  readonly channelCount: number;
  readonly seconds: number;
  readonly frames: number;

  /** @param bytes length of the audio in the file, as found there; an incomplete last frame is left out. */
  constructor(
    private readonly path: string,
    readonly kind: string,
    readonly format: PcmFormat,
    private readonly offset: number,
    bytes: number,
    private readonly notices: NoticeList,
  ) {
    this.rate = format.rate;
    this.channelCount = format.channels;
    this.frames = Math.floor(bytes / (format.container * format.channels));
    this.seconds = this.frames / format.rate;
  }

  async *blocks(signal?: AbortSignal): AsyncGenerator<Block, void, undefined> {
    const { format } = this;
    const frameBytes = format.container * format.channels;
    // a quarter of a second: small enough to hand over early, large enough to be quick
    const perBlock = Math.max(256, Math.min(65_536, Math.floor(format.rate / 4)));
    const file = await FileReader.open(this.path);
    const buffers = [Buffer.alloc(perBlock * frameBytes), Buffer.alloc(perBlock * frameBytes)] as const;
    const out = Array.from({ length: format.channels }, () => new Float32Array(perBlock));
    const fetch = (index: number, done: number): Promise<number> => {
      const n = Math.min(perBlock, this.frames - done) * frameBytes;
      const reading = n <= 0 ? Promise.resolve(0) : file.readInto((index === 0 ? buffers[0] : buffers[1]).subarray(0, n), this.offset + done * frameBytes);
      // it may fail while the receiver is still busy with the piece before; the failure is met where it is awaited
      reading.catch(() => 0);
      return reading;
    };
    // the next piece is read while the current one is worked on
    let pending = fetch(0, 0);
    try {
      for (let done = 0, index = 0; done < this.frames; index = 1 - index) {
        throwIfStopped(signal, this.path);
        const want = Math.min(perBlock, this.frames - done);
        const got = Math.floor((await pending) / frameBytes);
        if (got === want) pending = fetch(1 - index, done + got);
        const bad = deinterleave(index === 0 ? buffers[0] : buffers[1], got, format, out);
        if (bad >= 0) tellNotANumber(this.notices, this.path, (done + bad) / format.rate);
        if (got > 0) yield { rate: format.rate, channels: got === perBlock ? out : out.map((o) => o.subarray(0, got)) };
        done += got;
        if (got < want) {
          this.notices.add('truncated', 'warning', `${quote(this.path)} became shorter while it was read; what was there up to ${spokenTime(done / format.rate)} has been used.`);
          return;
        }
      }
    } finally {
      await pending.catch(() => 0);
      await file.close();
    }
  }
}
