/**
 * Frame headers of MPEG audio (ISO/IEC 11172-3 §2.4.1.3, 13818-3 and the 2.5 extension) and of ADTS AAC (13818-7 §6.2).
 */

export interface MpegHeader {
  /** 1, 2 or 2.5. */
  readonly version: number;
  readonly layer: 1 | 2 | 3;
  /** Hz. */
  readonly rate: number;
  readonly channels: 1 | 2;
  /** Bytes, header included. */
  readonly length: number;
  /** Samples a channel. */
  readonly samples: number;
  /** Bytes of header, checksum and side information before the main data (layer 3). */
  readonly sideEnd: number;
}

// kbit/s by [version 1 or not][layer]
const BITRATES_1: Readonly<Record<1 | 2 | 3, readonly number[]>> = {
  1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
};
const BITRATES_2: Readonly<Record<1 | 2 | 3, readonly number[]>> = {
  1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES = [44_100, 48_000, 32_000];

/** The header at `at`, or undefined when there is none (free-format frames count as none). Needs four bytes. */
export function mpegHeader(bytes: Uint8Array, at: number): MpegHeader | undefined {
  const b1 = bytes[at + 1];
  const b2 = bytes[at + 2];
  const b3 = bytes[at + 3];
  if (bytes[at] !== 0xff || b1 === undefined || b2 === undefined || b3 === undefined || (b1 & 0xe0) !== 0xe0) return undefined;
  const versionBits = (b1 >> 3) & 3;
  const layerBits = (b1 >> 1) & 3;
  if (versionBits === 1 || layerBits === 0) return undefined;
  const version = versionBits === 3 ? 1 : versionBits === 2 ? 2 : 2.5;
  const layer = (4 - layerBits) as 1 | 2 | 3;
  const kbits = (version === 1 ? BITRATES_1 : BITRATES_2)[layer][b2 >> 4];
  const baseRate = RATES[(b2 >> 2) & 3];
  // emphasis 2 is reserved: a cheap further test against chance
  if (kbits === undefined || kbits === 0 || baseRate === undefined || (b3 & 3) === 2) return undefined;
  const rate = baseRate / (version === 1 ? 1 : version === 2 ? 2 : 4);
  const padding = (b2 >> 1) & 1;
  const channels = b3 >> 6 === 3 ? 1 : 2;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 1 ? 576 : 1152;
  const length = layer === 1 ? (Math.floor((12_000 * kbits) / rate) + padding) * 4 : Math.floor(((samples / 8) * 1000 * kbits) / rate) + padding;
  const side = version === 1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const crc = (b1 & 1) === 0 ? 2 : 0;
  return { version, layer, rate, channels, length, samples, sideEnd: 4 + crc + side };
}

/** Frames of one stream share version, layer and rate. */
export const sameStream = (a: MpegHeader, b: MpegHeader): boolean => a.version === b.version && a.layer === b.layer && a.rate === b.rate;

/** How many frames must follow each other before bytes without any other sign are taken for MPEG audio. */
const CHAIN = 4;

/**
 * Offset of the first frame of MPEG audio in `bytes`, or undefined. `whole`: the bytes are all there is, so a chain
 * that ends exactly where they end (or in a cut frame) counts even when it is short.
 */
export function findFrames(bytes: Uint8Array, whole: boolean): number | undefined {
  for (let at = 0; at + 4 <= bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const first = mpegHeader(bytes, at);
    if (first === undefined) continue;
    let next = at;
    let count = 0;
    for (let h: MpegHeader | undefined = first; h !== undefined && sameStream(h, first) && count < CHAIN; h = mpegHeader(bytes, next)) {
      count++;
      next += h.length;
    }
    if (count >= CHAIN) return at;
    // short files: only from the very beginning, and right up to the end
    if (whole && at === 0 && (next === bytes.length || (count >= 2 && next > bytes.length))) return at;
  }
  return undefined;
}

/** Length of the ADTS frame at the beginning of `bytes` when further ones follow it; else 0. */
export function adtsLength(bytes: Uint8Array): number {
  const length = (at: number): number => {
    const b1 = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || (b1 & 0xf6) !== 0xf0 || (((bytes[at + 2] ?? 0) >> 2) & 15) > 12) return 0;
    return (((bytes[at + 3] ?? 0) & 3) << 11) | ((bytes[at + 4] ?? 0) << 3) | ((bytes[at + 5] ?? 0) >> 5);
  };
  const first = length(0);
  if (first < 7) return 0;
  let at = first;
  for (let i = 0; i < 3 && at < bytes.length; i++) {
    const next = length(at);
    if (next < 7) return 0;
    at += next;
  }
  return first;
}
