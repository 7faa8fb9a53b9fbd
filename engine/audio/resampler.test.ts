import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amplitude, noise, rms, tone } from '../../test/support/audio.js';
import { resample, Resampler } from './resampler.js';

const dB = (x: number): number => 20 * Math.log10(x);
const RATES = [4000, 8000, 11_025, 12_000, 15_999, 16_001, 22_050, 24_000, 32_000, 44_100, 47_999, 48_000, 88_200, 96_000, 176_400, 192_000];

describe('resampling to 16 kHz', () => {
  it.each(RATES)('keeps tones below the edge within 0.1 dB and in place from %i Hz', (rate) => {
    const edge = rate >= 16_000 ? 6800 : 0.46 * rate;
    for (const f of [120, 0.3 * edge, 0.7 * edge, 0.98 * edge]) {
      const y = resample(tone(f, 0.5, rate), rate);
      expect(Math.abs(dB(amplitude(y, f, 0.1, 0.4) / 0.5)), `${f} Hz`).toBeLessThan(0.1);
      // in place: the same sine sampled at 16 kHz, not a delayed one
      const direct = tone(f, 0.5, 16_000);
      const off = y.map((v, i) => v - (direct[i] ?? 0));
      expect(dB(rms(off, 0.1, 0.4) / rms(direct, 0.1, 0.4)), `${f} Hz`).toBeLessThan(-55);
    }
  });

  it.each(RATES.filter((r) => r > 16_000))('leaves less than a thousandth of tones above 8 kHz from %i Hz', (rate) => {
    for (const f of [8100, 9000, 11_000, 15_000, 15_900, 20_000, 31_000, 47_000].filter((x) => x < rate / 2)) {
      const y = resample(tone(f, 0.5, rate), rate);
      expect(dB(rms(y, 0.1, 0.4) / rms(tone(f, 0.5, rate), 0.1, 0.4, rate)), `${f} Hz`).toBeLessThan(-60);
    }
  });

  it('adds no images when the rate rises', () => {
    const y = resample(tone(1000, 1, 8000), 8000);
    expect(dB(amplitude(y, 7000, 0.1, 0.4) / 0.5)).toBeLessThan(-60);
  });

  it('keeps a constant constant', () => {
    for (const rate of RATES) {
      const y = resample(new Float32Array(rate).fill(0.25), rate).subarray(2000, 14_000);
      expect(Math.max(...y.map((v) => Math.abs(v - 0.25))), `${rate}`).toBeLessThan(1e-4);
    }
  });

  it('passes 16 kHz through untouched, as a copy', () => {
    const x = noise(1000, 0.9, 1);
    const y = resample(x, 16_000);
    expect(y).toEqual(x);
    expect(y.buffer).not.toBe(x.buffer);
  });

  it('gives as many samples as the time holds, from no input as well', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4000, max: 192_000 }), fc.integer({ min: 0, max: 3000 }), (rate, n) => {
        expect(Math.abs(resample(new Float32Array(n), rate).length - (n * 16_000) / rate)).toBeLessThanOrEqual(1.5);
      }),
      { numRuns: 15 },
    );
  });

  it('does not drift: after 3 minutes a click is where it was', () => {
    const rate = 22_050;
    const r = new Resampler(rate);
    const at = 180 * rate - 1234;
    let length = 0;
    let peak = 0;
    let where = 0;
    const take = (y: Float32Array): void => {
      for (const [i, v] of y.entries())
        if (Math.abs(v) > peak) {
          peak = Math.abs(v);
          where = length + i;
        }
      length += y.length;
    };
    for (let from = 0; from < 180 * rate; from += rate) {
      const block = new Float32Array(rate);
      if (at >= from && at < from + rate) block[at - from] = 1;
      take(r.process(block));
    }
    take(r.flush());
    expect(length).toBe(180 * 16_000);
    expect(Math.abs(where - (at * 16_000) / rate)).toBeLessThanOrEqual(1);
  });

  it('does not depend on how the input is cut', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RATES), fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 1, maxLength: 10 }), fc.integer(), (rate, cuts, seed) => {
        const x = noise(
          cuts.reduce((a, b) => a + b, 0),
          0.8,
          seed,
        );
        const whole = resample(x, rate);
        const r = new Resampler(rate);
        const pieces: number[] = [];
        let at = 0;
        for (const cut of cuts) {
          pieces.push(...r.process(x.subarray(at, at + cut)));
          at += cut;
        }
        pieces.push(...r.flush());
        expect(Float32Array.from(pieces)).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });
});
