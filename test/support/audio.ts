/**
 * What the tests of audio input need: signals with known content, WAV files with and without faults, measurements.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { HearbackError } from '../../engine/domain/result.js';
import type { AudioSource } from '../../engine/domain/stages.js';

/** Path of a file in fixtures/audio. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/audio/${name}`, import.meta.url));

/** A folder that is there until the tests of the file are over. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hearback-audio-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A sine from time 0. */
export const tone = (frequency: number, seconds: number, rate: number, amplitude = 0.5): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => amplitude * Math.sin((2 * Math.PI * frequency * i) / rate));

/** Noise that is the same every time, −amplitude…amplitude. */
export function noise(length: number, amplitude: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return amplitude * (state / 2 ** 31 - 1);
  });
}

/** Sum of signals laid at given seconds into silence. */
export function place(seconds: number, rate: number, parts: readonly { readonly at: number; readonly samples: Float32Array }[]): Float32Array {
  const out = new Float32Array(Math.round(seconds * rate));
  for (const part of parts) {
    const from = Math.round(part.at * rate);
    for (let i = 0; i < part.samples.length && from + i < out.length; i++) out[from + i] = (out[from + i] ?? 0) + (part.samples[i] ?? 0);
  }
  return out;
}

/** Amplitude of one frequency between two times (Goertzel): the peak of a sine that would give it. */
export function amplitude(samples: Float32Array, frequency: number, from: number, to: number, rate = 16_000): number {
  const a = Math.round(from * rate);
  const b = Math.min(samples.length, Math.round(to * rate));
  let re = 0;
  let im = 0;
  for (let i = a; i < b; i++) {
    const w = (2 * Math.PI * frequency * i) / rate;
    re += (samples[i] ?? 0) * Math.cos(w);
    im += (samples[i] ?? 0) * Math.sin(w);
  }
  return (2 * Math.hypot(re, im)) / (b - a);
}

/** Largest difference of two signals; infinite when their lengths differ. */
export function difference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Infinity;
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs((a[i] ?? NaN) - (b[i] ?? NaN)));
  return most;
}

/** Root of the mean square between two times. */
export function rms(samples: Float32Array, from = 0, to = Infinity, rate = 16_000): number {
  const a = Math.round(from * rate);
  const b = Math.min(samples.length, Math.round(to * rate));
  let sum = 0;
  for (let i = a; i < b; i++) sum += (samples[i] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, b - a));
}

/** Reads a source to its end; fails when a channel's chunks leave a hole or overlap. */
export async function collect(source: AudioSource): Promise<Map<string, Float32Array>> {
  const parts = new Map<string, Float32Array[]>(source.channels.map((c) => [c, []]));
  const lengths = new Map<string, number>();
  for await (const chunk of source.chunks()) {
    const at = lengths.get(chunk.channel) ?? 0;
    if (chunk.startSample !== at) throw new Error(`channel ${chunk.channel} jumps from ${at} to ${chunk.startSample}`);
    const list = parts.get(chunk.channel);
    if (list === undefined) throw new Error(`channel ${chunk.channel} was not announced`);
    list.push(chunk.samples);
    lengths.set(chunk.channel, at + chunk.samples.length);
  }
  return new Map(
    [...parts].map(([channel, list]) => {
      const whole = new Float32Array(lengths.get(channel) ?? 0);
      let at = 0;
      for (const p of list) {
        whole.set(p, at);
        at += p.length;
      }
      return [channel, whole];
    }),
  );
}

/** The only channel of a source. */
export async function collectOne(source: AudioSource): Promise<Float32Array> {
  const all = [...(await collect(source)).values()];
  const [first] = all;
  if (first === undefined || all.length !== 1) throw new Error(`one channel expected, ${all.length} found`);
  return first;
}

/** The HearbackError that a promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<HearbackError> {
  try {
    await promise;
  } catch (thrown) {
    if (thrown instanceof HearbackError) return thrown;
    throw thrown;
  }
  throw new Error('it was expected to fail');
}

export type SampleType = 'u8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'alaw' | 'ulaw';
const WIDTH: Readonly<Record<SampleType, number>> = { u8: 1, s16: 2, s24: 3, s32: 4, f32: 4, f64: 8, alaw: 1, ulaw: 1 };
const TAG: Readonly<Record<SampleType, number>> = { u8: 1, s16: 1, s24: 1, s32: 1, f32: 3, f64: 3, alaw: 6, ulaw: 7 };

/** Interleaved bytes of channels of equal length. `codes`: samples are ready-made codes (A-law, µ-law). */
export function interleave(channels: readonly Float32Array[], type: SampleType): Buffer {
  const width = WIDTH[type];
  const frames = channels[0]?.length ?? 0;
  const out = Buffer.alloc(frames * channels.length * width);
  let at = 0;
  const limit = (v: number, top: number): number => Math.max(-top, Math.min(top - 1, Math.round(v * top)));
  for (let i = 0; i < frames; i++) {
    for (const c of channels) {
      const v = c[i] ?? 0;
      if (type === 'u8') out.writeUInt8(limit(v, 128) + 128, at);
      else if (type === 's16') out.writeInt16LE(limit(v, 2 ** 15), at);
      else if (type === 's24') out.writeIntLE(limit(v, 2 ** 23), at, 3);
      else if (type === 's32') out.writeInt32LE(limit(v, 2 ** 31), at);
      else if (type === 'f32') out.writeFloatLE(v, at);
      else if (type === 'f64') out.writeDoubleLE(v, at);
      else out.writeUInt8(v, at);
      at += width;
    }
  }
  return out;
}

export interface WavOptions {
  readonly type?: SampleType;
  readonly rate?: number;
  readonly extensible?: boolean;
  /** Instead of the true sizes. */
  readonly riffSize?: number;
  readonly dataSize?: number;
  /** Chunks between format and data, ready-made. */
  readonly before?: Buffer;
  /** Bytes behind the data. */
  readonly after?: Buffer;
  /** Puts the format behind the data. */
  readonly formatLast?: boolean;
  /** Replaces the format chunk's body. */
  readonly format?: Buffer;
  readonly magic?: 'RIFF' | 'RF64';
}

/** One RIFF chunk; `pad`: the byte that makes the size even. */
export function chunk(id: string, body: Buffer, size = body.length, pad = true): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, body, Buffer.alloc(pad && body.length % 2 === 1 ? 1 : 0)]);
}

/** Body of a format chunk. */
export function formatBody(type: SampleType, channels: number, rate: number, extensible = false): Buffer {
  const width = WIDTH[type];
  const b = Buffer.alloc(extensible ? 40 : 16);
  b.writeUInt16LE(extensible ? 0xfffe : TAG[type], 0);
  b.writeUInt16LE(channels, 2);
  b.writeUInt32LE(rate, 4);
  b.writeUInt32LE(rate * channels * width, 8);
  b.writeUInt16LE(channels * width, 12);
  b.writeUInt16LE(width * 8, 14);
  if (extensible) {
    b.writeUInt16LE(22, 16);
    b.writeUInt16LE(width * 8, 18);
    b.writeUInt16LE(TAG[type], 24);
    Buffer.from('000000001000800000aa00389b71', 'hex').copy(b, 26);
  }
  return b;
}

/** A WAV file, with the faults that are asked for. */
export function wavBytes(channels: readonly Float32Array[], options: WavOptions = {}): Buffer {
  const type = options.type ?? 's16';
  const fmt = chunk('fmt ', options.format ?? formatBody(type, channels.length, options.rate ?? 16_000, options.extensible));
  const audio = interleave(channels, type);
  const data = chunk('data', audio, options.dataSize ?? audio.length);
  const after = options.after ?? Buffer.alloc(0);
  const body = options.formatLast === true ? [data, fmt] : [fmt, options.before ?? Buffer.alloc(0), data];
  const rest = Buffer.concat([Buffer.from('WAVE'), ...body, after]);
  const head = Buffer.alloc(8);
  head.write(options.magic ?? 'RIFF');
  head.writeUInt32LE(options.riffSize ?? rest.length, 4);
  return Buffer.concat([head, rest]);
}
