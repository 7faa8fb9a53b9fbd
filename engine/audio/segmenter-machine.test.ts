/** The state machine alone: probabilities in, boundaries out. 1 s is 31.25 frames of 32 ms. */
import { describe, expect, it } from 'vitest';
import { defaultSegmenterOptions } from './segmenter.js';
import { findBoundaries, type FrameEvidence } from './segmenter-machine.js';

const RATE = 16_000;
const frames = (seconds: number, probability: number, decibel: number): FrameEvidence[] =>
  Array.from({ length: Math.round((seconds * RATE) / 512) }, () => ({ probability, energies: [decibel, decibel, decibel, decibel] }));
const speech = (seconds: number): FrameEvidence[] => frames(seconds, 0.98, -20);
const silence = (seconds: number): FrameEvidence[] => frames(seconds, 0.01, -60);
const find = (...parts: FrameEvidence[][]) => findBoundaries(parts.flat(), defaultSegmenterOptions);

describe('V1 phases', () => {
  it('finds nothing in silence, and nothing in a click', () => {
    expect(find(silence(5))).toEqual([]);
    expect(find(silence(1), speech(0.064), silence(1))).toEqual([]);
  });
  it('finds one transmission with its edges', () => {
    const [found, ...more] = find(silence(1), speech(2), silence(1));
    expect(more).toEqual([]);
    expect(found?.reason).toBe('silence');
    expect(Math.abs((found?.speechStart ?? 0) - RATE)).toBeLessThan(0.1 * RATE);
    expect(Math.abs((found?.speechEnd ?? 0) - 3 * RATE)).toBeLessThan(0.15 * RATE);
  });
});

describe('V2 gaps', () => {
  it('two speakers a quarter of a second apart are two', () => {
    expect(find(silence(1), speech(2), silence(0.25), speech(2), silence(1))).toHaveLength(2);
  });
  it('a stop sound is no gap', () => {
    expect(find(silence(1), speech(1), silence(0.064), speech(1), silence(1))).toHaveLength(1);
  });
});

describe('V3 pre-roll and hang-over', () => {
  it('reach around the speech, and never into the neighbour', () => {
    const [first, second] = find(silence(1), speech(2), silence(0.25), speech(2), silence(1));
    expect((first?.speechStart ?? 0) - (first?.start ?? 0)).toBeGreaterThan(0.1 * RATE);
    expect((second?.end ?? 0) - (second?.speechEnd ?? 0)).toBeGreaterThan(0.1 * RATE);
    expect(first?.end ?? 0).toBeLessThanOrEqual(second?.start ?? 0);
  });
});

describe('V4 length', () => {
  it('a long transmission is cut at its quietest point and loses nothing', () => {
    // a lull of a tenth of a second after 20 s: shorter than any gap, quieter than the rest
    const found = find(silence(1), speech(20), frames(0.096, 0.9, -45), speech(20), silence(1));
    expect(found).toHaveLength(2);
    expect(found[0]?.reason).toBe('max-length');
    expect(found[1]?.start).toBe(found[0]?.end);
    expect(Math.abs((found[0]?.end ?? 0) - 21 * RATE)).toBeLessThan(0.15 * RATE);
  });
});

describe('V5 the end of the audio', () => {
  it('ends the running transmission', () => {
    const found = find(silence(1), speech(2));
    expect(found).toHaveLength(1);
    expect(found[0]?.reason).toBe('end-of-audio');
  });
});
