/**
 * A channel as an exact WAV of any part: what a page plays and seeks in, whatever the recording was (guessing positions in a
 * variable-rate file is what makes browsers play another moment).
 */
import { Readable } from 'node:stream';
import type { ChannelAudio } from '../session/index.js';
import { SAMPLE_RATE } from '../domain/stages.js';

const HEADER = 44;
/** Samples that are read at a time (4 s). */
const PIECE = 4 * SAMPLE_RATE;
/** Sizes in a WAV are 32-bit; what is longer than 37 hours ends there. */
const MOST = Math.floor((0xffff_ffff - HEADER) / 2);

/** The 44 bytes before `samples` mono 16-bit samples at 16 kHz. */
export function wavHeader(samples: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER - 8 + samples * 2, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples * 2, 40);
  return header;
}

/** Bytes of the whole WAV. */
export const wavBytes = (audio: ChannelAudio): number => HEADER + Math.min(audio.samples, MOST) * 2;

/** Bytes [from, to] of the WAV. */
export function wavPart(audio: ChannelAudio, from: number, to: number): Readable {
  function* parts(): Generator<Buffer, void, undefined> {
    if (from < HEADER) yield wavHeader(Math.min(audio.samples, MOST)).subarray(from, Math.min(HEADER, to + 1));
    for (let at = Math.max(from, HEADER); at <= to; ) {
      const first = Math.floor((at - HEADER) / 2);
      const pcm = audio.read(first, PIECE);
      if (pcm.length === 0) return;
      const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).subarray((at - HEADER) % 2, to - HEADER - first * 2 + 1);
      yield bytes;
      at += bytes.length;
    }
  }
  return Readable.from(parts(), { objectMode: false });
}

/**
 * What of `size` bytes is asked for (RFC 9110 §14.2): one range, everything when none is asked for or several are, undefined when the range lies
 * outside.
 */
export function rangeOf(header: string | undefined, size: number): { readonly from: number; readonly to: number; readonly partial: boolean } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return { from: 0, to: size - 1, partial: false };
  if (first === '') {
    const length = Number(last);
    return length === 0 ? undefined : { from: Math.max(0, size - length), to: size - 1, partial: true };
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from >= size || to < from ? undefined : { from, to, partial: true };
}

/** Lowest and highest sample of `count` equal stretches between two times, −1…1. */
export function peaksOf(audio: ChannelAudio, from: number, to: number, count: number): { readonly from: number; readonly to: number; readonly low: number[]; readonly high: number[] } {
  const start = Math.max(0, Math.round(from * SAMPLE_RATE));
  const end = Math.min(audio.samples, Math.round(to * SAMPLE_RATE));
  const low: number[] = new Array<number>(count).fill(0);
  const high: number[] = new Array<number>(count).fill(0);
  const length = Math.max(0, end - start);
  for (let at = start; at < end; at += PIECE) {
    const pcm = audio.read(at, Math.min(PIECE, end - at));
    for (let i = 0; i < pcm.length; i++) {
      const value = pcm[i] ?? 0;
      const bin = Math.floor(((at - start + i) / length) * count);
      if (value < (low[bin] ?? 0)) low[bin] = value;
      if (value > (high[bin] ?? 0)) high[bin] = value;
    }
  }
  const fine = (value: number): number => Math.round((value / 32768) * 1000) / 1000;
  return { from: start / SAMPLE_RATE, to: end / SAMPLE_RATE, low: low.map(fine), high: high.map(fine) };
}
