import { readFileSync } from 'node:fs';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { generator } from '../domain/random.js';
import type { Segment, Segmenter } from '../domain/stages.js';
import { HearbackError } from '../domain/result.js';
import { createSegmenter } from './segmenter.js';
import type { SegmenterOptions } from './segmenter.js';

const RATE = 16_000;
const NAMES = ['turn-heading', 'heading-readback', 'land-readback', 'roger'] as const;
type Name = (typeof NAMES)[number];

const clips = new Map<Name, Float32Array>();

beforeAll(async () => {
  for (const name of NAMES) {
    const decoder = new FLACDecoder();
    await decoder.ready;
    const { channelData, sampleRate } = await decoder.decodeFile(readFileSync(new URL(`../../fixtures/segmenter/${name}.flac`, import.meta.url)));
    decoder.free();
    expect(sampleRate).toBe(RATE);
    clips.set(name, channelData[0] ?? new Float32Array(0));
  }
});

// ---------------------------------------------------------------- putting recordings together

const decibels = (value: number): number => 10 ** (value / 20);

/** The clip with its peak at `peak` dBFS, if given; cut to `seconds` from its start, if given. */
function speech(name: Name, peak?: number, seconds?: number): Float32Array {
  const clip = clips.get(name);
  if (clip === undefined) throw new Error(name);
  const part = seconds === undefined ? clip : clip.slice(0, Math.round(seconds * RATE));
  if (peak === undefined) return part;
  const factor = decibels(peak) / part.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return part.map((value) => value * factor);
}

/**
 * The clip without its soft beginning and end: what is left begins and ends within 14 dB of its loud parts (20 ms RMS). Put one after
 * another with a pause between them, the pause is as long in noise as without; a final "six" otherwise fades into the noise long before its end.
 */
function crisp(name: Name, peak: number): Float32Array {
  const clip = speech(name, peak);
  const step = 320;
  const loudness = Array.from({ length: Math.floor(clip.length / step) }, (_, index) => {
    const part = clip.subarray(index * step, (index + 1) * step);
    return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 1e-10) / step);
  });
  const loud = loudness.toSorted((a, b) => a - b)[Math.floor(loudness.length * 0.9)] ?? 0;
  const first = loudness.findIndex((value) => value > loud - 14);
  const last = loudness.findLastIndex((value) => value > loud - 14);
  return clip.slice(first * step, (last + 1) * step);
}

const quiet = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * RATE));

/** Parts one after another, and where each begins and ends (samples). */
function join(...parts: readonly Float32Array[]): { audio: Float32Array; at: (index: number) => [number, number] } {
  const audio = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  const edges: number[] = [0];
  let length = 0;
  for (const part of parts) {
    audio.set(part, length);
    length += part.length;
    edges.push(length);
  }
  return { audio, at: (index) => [edges[index] ?? NaN, edges[index + 1] ?? NaN] };
}

/** Noise of the colour of an AM receiver's audio: band-limited below 3.5 kHz, falling with frequency. `level` is its RMS in dBFS. */
function receiverNoise(samples: number, level: number, seed: number): Float32Array {
  const next = generator(seed);
  const noise = new Float32Array(samples);
  let [one, two, three, slow] = [0, 0, 0, 0];
  for (let index = 0; index < samples; index += 1) {
    const white = next() + next() + next() + next() - 2;
    one += 0.55 * (white - one);
    two += 0.7 * (one - two);
    three += 0.7 * (two - three);
    slow += 0.05 * (three - slow);
    noise[index] = three - slow;
  }
  const rms = Math.sqrt(noise.reduce((sum, value) => sum + value * value, 0) / samples);
  return noise.map((value) => (value / rms) * decibels(level));
}

const add = (audio: Float32Array, other: Float32Array): Float32Array => audio.map((value, index) => value + (other[index] ?? 0));
const withNoise = (audio: Float32Array, level: number, seed = 1): Float32Array => add(audio, receiverNoise(audio.length, level, seed));

// ---------------------------------------------------------------- running the segmenter

async function feed(segmenter: Segmenter, audio: Float32Array, options: { from?: number; sizes?: readonly number[]; flush?: boolean } = {}): Promise<Segment[]> {
  const { from = 0, sizes = [1_600], flush = true } = options;
  const found: Segment[] = [];
  let position = 0;
  for (let turn = 0; position < audio.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1_600);
    const samples = audio.slice(position, position + size);
    found.push(...(await segmenter.push({ channel: 'left', startSample: from + position, samples })));
    position += samples.length;
  }
  if (flush) found.push(...(await segmenter.flush()));
  return found;
}

async function segments(audio: Float32Array, options: SegmenterOptions = {}): Promise<Segment[]> {
  return feed(await createSegmenter(options), audio);
}

/** What must hold for any segments of any audio. */
function expectSound(found: readonly Segment[], audio: Float32Array, from = 0): void {
  let before = from;
  for (const segment of found) {
    expect(segment.startSample).toBeGreaterThanOrEqual(before);
    expect(segment.speechStart).toBeGreaterThanOrEqual(segment.startSample);
    expect(segment.speechEnd).toBeGreaterThan(segment.speechStart);
    expect(segment.endSample).toBeGreaterThanOrEqual(segment.speechEnd);
    expect(segment.endSample).toBeLessThanOrEqual(from + audio.length);
    expect(segment.samples.length).toBe(segment.endSample - segment.startSample);
    expect(segment.speechProbability).toBeGreaterThan(0);
    expect(segment.speechProbability).toBeLessThanOrEqual(1);
    before = segment.endSample;
  }
}

/** Each segment holds its utterance whole, and its speech edges lie within `tolerance` seconds of the truth. */
function expectUtterances(found: readonly Segment[], truth: readonly (readonly [number, number])[], tolerance = 0.2): void {
  expect(found.map((segment) => [segment.speechStart / RATE, segment.speechEnd / RATE])).toHaveLength(truth.length);
  for (const [index, [start, end]] of truth.entries()) {
    const segment = found[index];
    if (segment === undefined) continue;
    expect(Math.abs(segment.speechStart - start) / RATE, `start of ${index}`).toBeLessThan(tolerance);
    expect(Math.abs(segment.speechEnd - end) / RATE, `end of ${index}`).toBeLessThan(tolerance);
  }
}

// ---------------------------------------------------------------- tests

describe('finding transmissions', () => {
  it('finds each of three, with pre-roll and hang-over around it', async () => {
    const { audio, at } = join(quiet(1), speech('turn-heading'), quiet(1.2), speech('roger'), quiet(1), speech('land-readback'), quiet(1));
    const found = await segments(withNoise(audio, -50));
    expectSound(found, audio);
    expectUtterances(found, [at(1), at(3), at(5)], 0.12);
    for (const segment of found) {
      expect(segment.end).toBe('silence');
      expect(segment.speechProbability).toBeGreaterThan(0.8);
      expect((segment.speechStart - segment.startSample) / RATE).toBeCloseTo(0.25, 2);
      expect((segment.endSample - segment.speechEnd) / RATE).toBeCloseTo(0.2, 2);
    }
  });

  it.each([
    ['clean', -90],
    ['20 dB', -40],
    ['10 dB', -30],
  ])('makes two of two speakers a quarter of a second apart (%s)', async (_, noise) => {
    // speech at -20 dBFS RMS or so
    const { audio, at } = join(quiet(1), speech('turn-heading', -6), quiet(0.25), speech('heading-readback', -6), quiet(0.25), speech('land-readback', -6), quiet(1));
    const found = await segments(withNoise(audio, noise));
    expectSound(found, audio);
    expectUtterances(found, [at(1), at(3), at(5)]);
    // the pads share the gap: none reaches into the other's speech
    for (const [index, part] of [at(1), at(3), at(5)].entries()) {
      const segment = found[index];
      expect(segment?.startSample).toBeLessThan(part[0] + 800);
      expect(segment?.endSample).toBeGreaterThan(part[1] - 800);
      expect(segment?.startSample).toBeGreaterThan(part[0] - 0.26 * RATE);
    }
  });

  it.each([-90, -45, -38])('does not split at a hesitation of a tenth of a second or at the stop sounds within words (noise at %d dBFS)', async (noise) => {
    for (const name of ['turn-heading', 'heading-readback', 'land-readback'] as const) {
      const { audio } = join(quiet(1), crisp(name, -6), quiet(0.1), crisp(name, -6), quiet(1));
      expect(await segments(withNoise(audio, noise)), name).toHaveLength(1);
    }
  });

  it('closes a transmission that the end of the audio cuts', async () => {
    const { audio, at } = join(quiet(1), speech('land-readback', -6, 2.5));
    const found = await segments(withNoise(audio, -45));
    expectSound(found, audio);
    expectUtterances(found, [at(1)]);
    expect(found[0]?.end).toBe('end-of-audio');
    expect(found[0]?.endSample).toBe(audio.length);
  });

  it('finds a transmission that begins with the first sample', async () => {
    const { audio, at } = join(speech('land-readback', -6), quiet(1));
    const found = await segments(withNoise(audio, -45));
    expectUtterances(found, [at(0)]);
    expect(found[0]?.startSample).toBe(0);
  });

  it('gives the audio that came in, not the raised one', async () => {
    const { audio } = join(quiet(1), speech('heading-readback', -45), quiet(1));
    const noisy = withNoise(audio, -75);
    const found = await segments(noisy);
    expect(found).toHaveLength(1);
    const segment = found[0];
    if (segment === undefined) return;
    let difference = 0;
    let energy = 0;
    for (const [index, value] of segment.samples.entries()) {
      const original = noisy[segment.startSample + index] ?? 0;
      difference += (value - original) ** 2;
      energy += original ** 2;
    }
    // only what lies below 20 Hz is gone (which turns the phase a little above); raised audio would differ by more than its energy
    expect(difference / energy).toBeLessThan(0.03);
  });
});

describe('what is not speech', () => {
  it.each([1, 2, 3])('finds nothing in a minute of receiver noise (seed %d)', async (seed) => {
    const noise = receiverNoise(60 * RATE, -30, seed);
    expect(await segments(noise)).toEqual([]);
  });

  it('OC-L11: finds nothing in two key clicks of 80 ms', async () => {
    const { audio, at } = join(quiet(1), speech('turn-heading', -6), quiet(2), quiet(0.08), quiet(0.4), quiet(0.08), quiet(2));
    for (const index of [3, 5]) {
      const [start, end] = at(index);
      // a key click as heard: a step, carrier without speech, a step
      audio.set(receiverNoise(end - start, -30, index), start);
      audio[start] = 0.4;
      audio[end - 1] = -0.4;
    }
    const found = await segments(withNoise(audio, -55));
    expectUtterances(found, [at(1)]);
  });

  it.each([-12, -20, -30])('finds nothing in a squelch tail of 200 ms at %d dBFS', async (level) => {
    const { audio } = join(quiet(2), receiverNoise(0.2 * RATE, level, 5), quiet(2), receiverNoise(0.2 * RATE, level, 6), quiet(2));
    expect(await segments(withNoise(audio, -65))).toEqual([]);
  });

  it('finds nothing in digital silence, a tone, hum or a constant', async () => {
    const tone = quiet(6).map((_, index) => 0.2 * Math.sin((2 * Math.PI * 1_000 * index) / RATE));
    const hum = quiet(6).map((_, index) => 0.3 * Math.sin((2 * Math.PI * 50 * index) / RATE) + 0.1 * Math.sin((2 * Math.PI * 150 * index) / RATE));
    const constant = quiet(6).map(() => 0.5);
    for (const audio of [quiet(6), tone, hum, constant]) expect(await segments(audio)).toEqual([]);
  });

  it('survives broken numbers', async () => {
    const { audio, at } = join(quiet(1), speech('land-readback', -6), quiet(1));
    const noisy = withNoise(audio, -50);
    noisy[100] = Number.NaN;
    noisy[9_000] = Number.POSITIVE_INFINITY;
    const found = await segments(noisy);
    expectUtterances(found, [at(1)]);
    for (const segment of found) expect(segment.samples.every((value) => Number.isFinite(value))).toBe(true);
  });
});

describe('levels and offsets', () => {
  it.each(['heading-readback', 'land-readback'] as const)('OC-A07: finds %s at -47 dBFS peak over noise at -65 dBFS, two seconds after an instruction at -12 dBFS', async (name) => {
    const { audio, at } = join(quiet(1), speech('turn-heading', -12), quiet(2), speech(name, -47), quiet(2));
    // both readings of "noise at -65 dBFS": RMS (3 dB below the speech) and peak (about 12 dB quieter)
    for (const level of [-65, -77]) {
      const found = await segments(withNoise(audio, level));
      expectSound(found, audio);
      expectUtterances(found, [at(1), at(3)], 0.3);
    }
  });

  const talk = (): { audio: Float32Array; at: (index: number) => [number, number] } =>
    join(speech('turn-heading', -20), quiet(4), speech('land-readback', -20), quiet(4));

  it('OC-A09: an offset of a quarter of full scale changes no edge by more than .2 s', async () => {
    const { audio, at } = talk();
    const clean = withNoise(audio, -60);
    const expected = await segments(clean);
    const found = await segments(clean.map((value) => value + 0.25));
    expectUtterances(expected, [at(0), at(2)]);
    expectUtterances(
      found,
      expected.map((segment) => [segment.speechStart, segment.speechEnd]),
    );
    // and the offset is out of what the recogniser gets
    for (const segment of found) {
      const mean = segment.samples.reduce((sum, value) => sum + value, 0) / segment.samples.length;
      expect(Math.abs(mean)).toBeLessThan(0.002);
    }
  });

  it('OC-A09: an offset that decays from .8 to 0 within half a second does not cost the first word', async () => {
    const { audio, at } = talk();
    const clean = withNoise(audio, -60);
    const shapes = [
      (index: number) => 0.8 * Math.max(0, 1 - index / (0.5 * RATE)),
      (index: number) => 0.8 * Math.exp((-7 * index) / (0.5 * RATE)),
    ];
    const expected = await segments(clean);
    for (const shape of shapes) {
      const found = await segments(clean.map((value, index) => value + shape(index)));
      expectUtterances(
        found,
        expected.map((segment) => [segment.speechStart, segment.speechEnd]),
      );
      expectUtterances(found, [at(0), at(2)]);
      const first = found[0];
      // the swing is gone from the audio: it peaks where the speech does
      expect(Math.max(...(first?.samples.map(Math.abs) ?? [1]))).toBeLessThan(0.15);
    }
  });
});

describe('length', () => {
  /** The clips over and over with pauses of a tenth of a second, too short to end a transmission. */
  function longTransmission(seconds: number): { audio: Float32Array; words: [number, number][] } {
    const parts: Float32Array[] = [quiet(1)];
    const spoken: number[] = [];
    let length = 1;
    for (let turn = 0; length < seconds; turn += 1) {
      const clip = crisp(turn % 2 === 0 ? 'turn-heading' : 'land-readback', -6);
      spoken.push(parts.length);
      parts.push(clip, quiet(0.1));
      length += clip.length / RATE + 0.1;
    }
    parts.push(quiet(1));
    const { audio, at } = join(...parts);
    return { audio, words: spoken.map(at) };
  }

  it('splits a long transmission in a pause, not in a word, and loses nothing', async () => {
    const { audio, words } = longTransmission(60);
    const found = await segments(withNoise(audio, -90));
    expectSound(found, audio);
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found.length).toBeLessThanOrEqual(6);
    for (const segment of found) expect(segment.samples.length).toBeLessThanOrEqual(25 * RATE);
    for (const [index, segment] of found.slice(0, -1).entries()) {
      expect(segment.end).toBe('max-length');
      // no hole and no overlap at the cut
      expect(found[index + 1]?.startSample).toBe(segment.endSample);
      const cut = segment.endSample;
      expect(words.filter(([start, end]) => cut > start + 160 && cut < end - 160)).toEqual([]);
    }
    expect(found[found.length - 1]?.end).toBe('silence');
  });

  it.each([-45, -35])('splits a long transmission where the voice pauses, also in noise at %d dBFS', async (noise) => {
    const { audio } = longTransmission(60);
    const found = await segments(withNoise(audio, noise));
    expectSound(found, audio);
    const rms = (from: number, to: number): number => Math.sqrt(audio.subarray(from, to).reduce((sum, value) => sum + value * value, 0) / (to - from));
    const voice = rms(2 * RATE, 58 * RATE);
    for (const [index, segment] of found.entries()) {
      expect(segment.samples.length).toBeLessThanOrEqual(25 * RATE);
      const next = found[index + 1];
      // whatever lies about an end was at least 20 dB below the voice before the noise was added
      if (next !== undefined) expect(rms(segment.endSample - 320, segment.endSample + 320) / voice).toBeLessThan(decibels(-20));
      if (next !== undefined) expect(next.startSample - segment.endSample).toBeLessThan(0.1 * RATE);
    }
  });

  it('takes the maximum length as an option', async () => {
    const { audio } = longTransmission(20);
    const found = await segments(withNoise(audio, -50), { maximumLength: 8 });
    for (const segment of found) expect(segment.samples.length).toBeLessThanOrEqual(8 * RATE);
    expect(found.length).toBeGreaterThanOrEqual(3);
  });
});

describe('the stream', () => {
  it('does not depend on how the audio is cut into chunks', async () => {
    const { audio } = join(quiet(0.7), speech('turn-heading', -6), quiet(0.25), speech('roger', -20), quiet(0.9), speech('land-readback', -40), quiet(0.3));
    const noisy = withNoise(audio, -50);
    const expected = await segments(noisy);
    expect(expected.length).toBeGreaterThanOrEqual(3);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 700, max: 60_000 })), { minLength: 1, maxLength: 12 }), async (sizes) => {
        // chunks of a few samples all along would only take time
        const found = await feed(await createSegmenter(), noisy, { sizes: [...sizes, 20_000] });
        expect(found).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });

  it('works off calls in order though nobody waits', async () => {
    const { audio } = join(quiet(1), speech('turn-heading'), quiet(1));
    const segmenter = await createSegmenter();
    const calls: Promise<readonly Segment[]>[] = [];
    for (let position = 0; position < audio.length; position += 3_000) {
      calls.push(segmenter.push({ channel: 'left', startSample: position, samples: audio.slice(position, position + 3_000) }));
    }
    calls.push(segmenter.flush());
    expect((await Promise.all(calls)).flat()).toEqual(await segments(audio));
  });

  it('counts from the position of the first chunk', async () => {
    const { audio } = join(quiet(1), speech('turn-heading'), quiet(1));
    const noisy = withNoise(audio, -50);
    const expected = await segments(noisy);
    const found = await feed(await createSegmenter(), noisy, { from: 5_000_123 });
    expect(found).toEqual(
      expected.map((segment) => ({
        ...segment,
        startSample: segment.startSample + 5_000_123,
        endSample: segment.endSample + 5_000_123,
        speechStart: segment.speechStart + 5_000_123,
        speechEnd: segment.speechEnd + 5_000_123,
      })),
    );
  });

  it('ends the running segment at a hole in the audio and goes on behind it', async () => {
    const speaking = withNoise(join(quiet(1), speech('turn-heading', -6, 2)).audio, -50);
    const after = withNoise(join(quiet(1), speech('land-readback', -6), quiet(1)).audio, -50, 2);
    const segmenter = await createSegmenter();
    const first = await feed(segmenter, speaking, { flush: false });
    expect(first).toEqual([]);
    const from = speaking.length + RATE;
    const rest = await feed(segmenter, after, { from });
    expect(rest).toHaveLength(2);
    expect(rest[0]).toMatchObject({ end: 'end-of-audio', endSample: speaking.length });
    expect(rest[1]?.end).toBe('silence');
    expect(Math.abs((rest[1]?.speechStart ?? 0) - (from + RATE)) / RATE).toBeLessThan(0.2);
  });

  it('bridges a hole of 50 ms', async () => {
    const { audio, at } = join(quiet(1), speech('turn-heading', -6), quiet(1));
    const noisy = withNoise(audio, -50);
    const hole = RATE * 2;
    const segmenter = await createSegmenter();
    const found = [
      ...(await feed(segmenter, noisy.slice(0, hole), { flush: false })),
      ...(await feed(segmenter, noisy.slice(hole + 800), { from: hole + 800 })),
    ];
    expectUtterances(found, [at(1)]);
  });

  it('refuses audio that goes back in time, another channel and a position that is none, and goes on', async () => {
    const { audio } = join(quiet(1), speech('turn-heading'), quiet(1));
    const segmenter = await createSegmenter();
    const half = RATE * 2;
    await segmenter.push({ channel: 'left', startSample: 0, samples: audio.slice(0, half) });
    for (const wrong of [
      { channel: 'left', startSample: half - 1 },
      { channel: 'right', startSample: half },
      { channel: 'left', startSample: half + 0.5 },
    ]) {
      await expect(segmenter.push({ ...wrong, samples: new Float32Array(10) })).rejects.toThrow(HearbackError);
    }
    const found = [...(await segmenter.push({ channel: 'left', startSample: half, samples: audio.slice(half) })), ...(await segmenter.flush())];
    expect(found).toEqual(await segments(audio));
  });

  it('begins anew after a flush', async () => {
    const noisy = withNoise(join(quiet(1), speech('turn-heading'), quiet(1)).audio, -50);
    const segmenter = await createSegmenter();
    const first = await feed(segmenter, noisy);
    expect(await segmenter.flush()).toEqual([]);
    expect(await feed(segmenter, noisy)).toEqual(first);
  });

  it('tells the phase it is in', async () => {
    const { audio, at } = join(quiet(1), speech('turn-heading', -6), quiet(1));
    const segmenter = await createSegmenter();
    expect(segmenter.state).toEqual({ phase: 'quiet', since: 0 });
    const [start, end] = at(1);
    await feed(segmenter, audio.slice(0, start), { flush: false });
    expect(segmenter.state.phase).toBe('quiet');
    await feed(segmenter, audio.slice(start, end), { from: start, flush: false });
    expect(segmenter.state.phase).toBe('speaking');
    expect(Math.abs(segmenter.state.since - start)).toBeLessThan(0.15 * RATE);
    await feed(segmenter, audio.slice(end), { from: end, flush: false });
    expect(segmenter.state.phase).toBe('quiet');
  });

  it('keeps no more than it needs: minutes of talk do not grow memory', async () => {
    const { audio } = join(quiet(2), speech('turn-heading', -6), quiet(0.5), speech('heading-readback', -6), quiet(2));
    const noisy = withNoise(audio, -50);
    const segmenter = await createSegmenter();
    let position = 0;
    let found = 0;
    const minutes = async (count: number): Promise<number> => {
      for (const end = position + count * 60 * RATE; position < end; position += noisy.length) {
        found += (await segmenter.push({ channel: 'left', startSample: position, samples: noisy })).length;
      }
      // the smallest of a few looks: garbage comes and goes
      let least = Number.POSITIVE_INFINITY;
      for (let look = 0; look < 5; look += 1) {
        await segmenter.push({ channel: 'left', startSample: position, samples: noisy });
        position += noisy.length;
        const { arrayBuffers, heapUsed } = process.memoryUsage();
        least = Math.min(least, arrayBuffers + heapUsed);
      }
      return least;
    };
    const before = await minutes(1);
    const after = await minutes(5);
    expect(found).toBeGreaterThan(50);
    // five minutes kept as numbers would be 19 MB
    expect((after - before) / 1e6).toBeLessThan(10);
  });
});

describe('options', () => {
  it.each([
    { startThreshold: 0 },
    { stopThreshold: 1.5 },
    { stopFraction: Number.NaN },
    { minimumSpeech: 0 },
    { minimumSilence: -1 },
    { preRoll: -0.1 },
    { hangOver: 99 },
    { maximumLength: 0.5 },
  ])('refuses %o', async (options) => {
    await expect(createSegmenter(options)).rejects.toMatchObject({ code: 'usage' });
  });

  it('names a network that is missing or is none', async () => {
    await expect(createSegmenter({ modelPath: '/nowhere/silero.onnx' })).rejects.toMatchObject({ code: 'model-missing' });
    await expect(createSegmenter({ modelPath: new URL('segmenter.ts', import.meta.url).pathname })).rejects.toMatchObject({ code: 'model-broken' });
  });
});
