import { describe, expect, it } from 'vitest';
import { SAMPLE_RATE } from '../../domain/stages.js';
import { clipsOf, music, noise, NOISES, stretches } from './sounds.js';

const peak = (samples: Float32Array): number => samples.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
const rms = (samples: Float32Array): number => Math.sqrt(samples.reduce((sum, v) => sum + v * v, 0) / samples.length);

describe('sounds without radio speech', () => {
  it.each(NOISES)('noise "%s" is as long as asked, within full scale, and the same for the same seed', (kind) => {
    const samples = noise(kind, 0.8, 3);
    expect(samples.length).toBe(0.8 * SAMPLE_RATE);
    expect(peak(samples)).toBeLessThanOrEqual(1);
    expect(samples.every((v) => Number.isFinite(v))).toBe(true);
    expect(noise(kind, 0.8, 3)).toEqual(samples);
    // −40 to −14 dBFS, but for silence
    if (kind === 'digital-silence') expect(peak(samples)).toBeLessThanOrEqual(1 / 32768);
    else {
      expect(20 * Math.log10(rms(samples))).toBeGreaterThan(-41);
      expect(20 * Math.log10(rms(samples))).toBeLessThan(-13);
    }
  });

  it('music sounds all along', () => {
    const samples = music(6, 5);
    for (let at = 0; at + SAMPLE_RATE <= samples.length; at += SAMPLE_RATE) expect(rms(samples.subarray(at, at + SAMPLE_RATE))).toBeGreaterThan(0.002);
    expect(peak(samples)).toBeLessThanOrEqual(1);
  });

  it('gives the minutes asked for of each', () => {
    const speech = [{ what: 'xx', samples: noise('hiss', 3, 1) }, { what: 'yy', samples: noise('hiss', 2, 2) }];
    const seconds = { noise: 0, music: 0, speech: 0 };
    for (const { kind, samples } of stretches(0.1, speech, 1)) seconds[kind] += samples.length / SAMPLE_RATE;
    expect(seconds.noise).toBeCloseTo(6, 1);
    expect(seconds.music).toBeCloseTo(6, 1);
    expect(seconds.speech).toBeCloseTo(6, 1);
    expect([...stretches(0.1, [], 1)].some(({ kind }) => kind === 'speech')).toBe(false);
  });

  it('cuts clips of 1 to 6 s, in order and without gaps', () => {
    const samples = Float32Array.from({ length: 30 * SAMPLE_RATE }, (_, i) => i);
    const clips = clipsOf(samples, 9);
    let at = 0;
    for (const clip of clips) {
      expect(clip[0]).toBe(Math.fround(at));
      expect(clip.length).toBeGreaterThanOrEqual(SAMPLE_RATE);
      expect(clip.length).toBeLessThanOrEqual(6 * SAMPLE_RATE);
      at += clip.length;
    }
    expect(samples.length - at).toBeLessThan(6 * SAMPLE_RATE);
  });
});
