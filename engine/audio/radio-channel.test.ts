import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amplitude, difference, noise, place, rms, tone } from '../../test/support/audio.js';
import { overTheRadio, transmit } from './radio-channel.js';

const dB = (x: number): number => 20 * Math.log10(x);
const RATE = 16_000;
/** Like speech in what counts here: bursts in the voice band with pauses between them. */
const voice = (level: number): Float32Array =>
  place(
    6,
    RATE,
    [0.5, 2, 3.5].map((at, i) => ({ at, samples: noise(RATE, level, i + 1) })),
  );
const clean = { seed: 1, snr: Infinity, gainControl: false };

describe('the simulated radio', () => {
  it('does the same for the same seed and otherwise for another', () => {
    const x = voice(0.3);
    const a = overTheRadio(x, { seed: 7, snr: 6 });
    expect(difference(a, overTheRadio(x, { seed: 7, snr: 6 }))).toBe(0);
    expect(difference(a, overTheRadio(x, { seed: 8, snr: 6 }))).toBeGreaterThan(0.01);
  });

  it('passes the voice band and little else', () => {
    const through = (f: number): number => {
      const both = overTheRadio(place(1, RATE, [{ at: 0, samples: tone(1000, 1, RATE, 0.3) }, { at: 0, samples: tone(f, 1, RATE, 0.3) }]), clean); // prettier-ignore
      return dB(amplitude(both, f, 0.2, 0.9) / amplitude(both, 1000, 0.2, 0.9));
    };
    expect(through(500)).toBeGreaterThan(-1);
    expect(through(2500)).toBeGreaterThan(-1);
    expect(through(300)).toBeCloseTo(-3, 0);
    expect(through(3400)).toBeCloseTo(-3, 0);
    expect(through(100)).toBeLessThan(-30);
    expect(through(5000)).toBeLessThan(-20);
  });

  it.each([-2, 5, 16])('has the signal-to-noise ratio that was asked for: %d dB', (snr) => {
    const x = voice(0.3);
    // noise alone is what remains in a pause, after the level has been set by the speech; both are measured in the band
    const y = overTheRadio(x, { ...clean, snr });
    const inBand = (from: number, to: number): number => {
      let sum = 0;
      for (let f = 400; f < 3200; f += 10) sum += amplitude(y, f, from, to) ** 2;
      return sum;
    };
    const noisePower = (inBand(0.05, 0.45) + inBand(1.55, 1.95) + inBand(3.05, 3.45)) / 3;
    const both = (inBand(0.55, 1.45) * 0.9 + inBand(2.05, 2.95) * 0.9) / 1.8;
    // bins of both windows are of other widths: power a hertz is amplitude² times seconds
    expect(Math.abs(10 * Math.log10((both * 0.9 - noisePower * 0.4) / (noisePower * 0.4)) - snr)).toBeLessThan(1.5);
  });

  it.each([20, 15, 10, 5, 0])('says what it measured: %d dB, with and without fading', (snr) => {
    const x = voice(0.3);
    expect(Math.abs(transmit(x, { ...clean, snr }).snr - snr)).toBeLessThan(0.4);
    const { samples, snr: measured } = transmit(x, { ...clean, snr, fading: { depth: 8, rate: 0.7 } });
    expect(Math.abs(measured - snr)).toBeLessThan(0.4);
    // and the samples have it: what is left when the faded speech, which the channel without noise gives, is taken out
    const speech = overTheRadio(x, { ...clean, fading: { depth: 8, rate: 0.7 } });
    let [both, of] = [0, 0];
    for (const [i, v] of speech.entries()) [both, of] = [both + v * (samples[i] ?? 0), of + v * v];
    const rest = samples.map((v, i) => v - (both / of) * (speech[i] ?? 0));
    const inBand = (y: Float32Array): number => {
      let sum = 0;
      for (let f = 450; f < 3200; f += 50) for (const from of [0.5, 2, 3.5]) sum += amplitude(y, f, from, from + 1) ** 2;
      return sum;
    };
    expect(Math.abs(10 * Math.log10((inBand(speech) * (both / of) ** 2) / inBand(rest)) - snr)).toBeLessThan(1.5);
  });

  it('fades by the depth asked for, the noise staying what it was', () => {
    const steady = place(8, RATE, [{ at: 0, samples: tone(1000, 8, RATE, 0.3) }]);
    const y = overTheRadio(steady, { ...clean, fading: { depth: 10, rate: 0.5 } });
    const levels = Array.from({ length: 78 }, (_, i) => dB(amplitude(y, 1000, i / 10, i / 10 + 0.1)));
    const range = Math.max(...levels) - Math.min(...levels);
    expect(range).toBeGreaterThan(6);
    expect(range).toBeLessThanOrEqual(10.1);
  });

  it('lets somebody else be heard, as far under the speech as asked', () => {
    const speech = place(3, RATE, [{ at: 0, samples: tone(1000, 3, RATE, 0.3) }]);
    const other = { samples: tone(2000, 1, RATE, 0.01), below: 12, at: 1.5 };
    const y = overTheRadio(speech, { ...clean, crossTalk: other });
    expect(dB(amplitude(y, 1000, 1.6, 2.4) / amplitude(y, 2000, 1.6, 2.4))).toBeCloseTo(12, 0);
    expect(dB(amplitude(y, 2000, 0.2, 1.4) / amplitude(y, 1000, 0.2, 1.4))).toBeLessThan(-50);
  });

  it('ends at the level asked for, however loud it began; gain control brings the noise up in pauses', () => {
    for (const loud of [0.01, 0.3, 1]) {
      const y = overTheRadio(voice(loud), { seed: 3, snr: 12 });
      const speech = dB(rms(y, 2.2, 2.9));
      expect(speech).toBeGreaterThan(-21);
      expect(speech).toBeLessThan(-17);
      const ratio = speech - dB(rms(y, 4.9, 5.4));
      expect(ratio).toBeLessThan(9); // 12 dB without gain control
      expect(ratio).toBeGreaterThan(-2);
    }
  });

  it('stays inside full scale, also overdriven, and is then really clipped', () => {
    const y = overTheRadio(voice(0.3), { seed: 3, snr: 12, overdrive: 10 });
    expect(y.every((v) => Math.abs(v) <= 1)).toBe(true);
    expect(y.filter((v) => Math.abs(v) === 1).length).toBeGreaterThan(1000);
  });

  it('cuts what comes before the key and adds a loud tail', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 400 }), (late, tail) => {
        const y = overTheRadio(voice(0.3), { seed: 3, snr: 12, lateKey: late / 1000, squelchTail: tail / 1000 });
        expect(y).toHaveLength(6 * RATE - late * 16 + tail * 16);
        if (tail > 50) expect(dB(rms(y, 6 - late / 1000))).toBeGreaterThan(-20);
      }),
      { numRuns: 10 },
    );
  });

  it('bears silence and nothing at all', () => {
    expect(overTheRadio(new Float32Array(0), { seed: 1, snr: 10 })).toHaveLength(0);
    const y = overTheRadio(new Float32Array(RATE), { seed: 1, snr: 10 });
    expect(y.every((v) => Number.isFinite(v))).toBe(true);
    expect(rms(y)).toBeGreaterThan(0);
  });
});
