import { readFileSync } from 'node:fs';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { beforeAll, describe, expect, it } from 'vitest';
import { Conditioner } from './segmenter-conditioner.js';
import type { ConditionedFrame } from './segmenter-conditioner.js';
import { Hearing } from './segmenter-hearing.js';
import { FRAME_SAMPLES, loadSilero } from './silero.js';
import type { SpeechDetector } from './silero.js';

const RATE = 16_000;
let detector: SpeechDetector;
let loud: Float32Array = new Float32Array(0);
let other: Float32Array = new Float32Array(0);

async function clip(name: string): Promise<Float32Array> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  const { channelData } = await decoder.decodeFile(readFileSync(new URL(`../../fixtures/segmenter/${name}.flac`, import.meta.url)));
  decoder.free();
  return channelData[0] ?? new Float32Array(0);
}

beforeAll(async () => {
  detector = await loadSilero();
  loud = await clip('turn-heading');
  other = await clip('land-readback');
});

/** White noise of an RMS in dBFS, the same every time. */
function noise(samples: number, level: number): Float32Array {
  let state = 7;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const factor = 10 ** (level / 20) * Math.sqrt(3);
  return Float32Array.from({ length: samples }, () => factor * (next() + next() + next() + next()));
}

/** Sound put at a second into a noise. `factor` scales it (its own peak is .5). */
function scene(seconds: number, level: number, ...sounds: readonly (readonly [at: number, sound: Float32Array, factor: number])[]): ConditionedFrame[] {
  const audio = noise(seconds * RATE, level);
  for (const [at, sound, factor] of sounds) for (const [index, value] of sound.entries()) audio[Math.round(at * RATE) + index] = (audio[Math.round(at * RATE) + index] ?? 0) + value * factor;
  const conditioner = new Conditioner();
  return Array.from({ length: Math.floor(audio.length / FRAME_SAMPLES) }, (_, index) => conditioner.next(audio.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES)));
}

/** What Silero says without any of this room's care. */
async function plain(frames: readonly ConditionedFrame[]): Promise<Float32Array> {
  const samples = new Float32Array(frames.length * FRAME_SAMPLES);
  for (const [index, { voice }] of frames.entries()) samples.set(voice, index * FRAME_SAMPLES);
  return detector.open().probabilities(samples);
}

const share = (probabilities: Float32Array, from: number, to: number): number => {
  const part = probabilities.subarray(Math.ceil((from * RATE) / FRAME_SAMPLES), Math.floor((to * RATE) / FRAME_SAMPLES));
  return part.filter((value) => value > 0.5).length / part.length;
};

describe('hearing', () => {
  it('hears a voice 35 dB fainter than the one before, to which Silero alone is deaf', async () => {
    const frames = scene(10, -68, [1, loud, 0.5], [6, other, 0.009]);
    expect(share(await plain(frames), 6.1, 8.9)).toBeLessThan(0.5);
    const heard = await new Hearing(detector).probabilities(frames);
    expect(share(heard, 6.1, 8.9)).toBeGreaterThan(0.9);
    // and the pauses stay pauses
    expect(share(heard, 4.5, 5.9)).toBe(0);
    expect(share(heard, 9.4, 10)).toBe(0);
  });

  it('hears what Silero hears where nothing is faint', async () => {
    const frames = scene(6, -35, [1, loud, 1]);
    const [expected, heard] = [await plain(frames), await new Hearing(detector).probabilities(frames)];
    expect(Math.abs(share(heard, 1.1, 3.9) - share(expected, 1.1, 3.9))).toBeLessThan(0.05);
    expect(share(heard, 4.4, 6)).toBe(0);
  });

  it('takes neither the noise at the beginning of a recording nor that after a loud voice for speech, at any level', async () => {
    for (const level of [-80, -70, -60, -50, -45, -40, -35, -30, -25, -20]) {
      const frames = scene(9, level, [3, loud, 1]);
      const heard = await new Hearing(detector).probabilities(frames);
      expect(Math.max(share(heard, 0, 2.9), share(heard, 6.6, 9)), `noise at ${level} dBFS`).toBe(0);
    }
  });

  it('gives the same however the frames are handed over, once it has had its first half second', async () => {
    const frames = scene(10, -68, [1, loud, 0.5], [6, other, 0.009]);
    const expected = await new Hearing(detector).probabilities(frames);
    for (const size of [1, 7, 33]) {
      const hearing = new Hearing(detector);
      const heard: number[] = [...(await hearing.probabilities(frames.slice(0, 16)))];
      for (let first = 16; first < frames.length; first += size) heard.push(...(await hearing.probabilities(frames.slice(first, first + size))));
      expect(heard).toHaveLength(expected.length);
      for (const [index, probability] of heard.entries()) expect(probability).toBeCloseTo(expected[index] ?? NaN, 5);
    }
  });
});
