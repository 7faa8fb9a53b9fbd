import { describe, expect, it } from 'vitest';
import { Conditioner, HOPS } from './segmenter-conditioner.js';
import type { ConditionedFrame } from './segmenter-conditioner.js';

const RATE = 16_000;
const FRAME = 512;

function conditioned(audio: (index: number) => number, frames: number): ConditionedFrame[] {
  const conditioner = new Conditioner();
  return Array.from({ length: frames }, (_, frame) => conditioner.next(Float32Array.from({ length: FRAME }, (_unused, index) => audio(frame * FRAME + index))));
}

const sine = (hertz: number, amplitude: number) => (index: number): number => amplitude * Math.sin((2 * Math.PI * hertz * index) / RATE);
const peak = (frame: ConditionedFrame | undefined, of: 'clean' | 'voice'): number => Math.max(...(frame?.[of] ?? []).map(Math.abs));

describe('conditioner', () => {
  it('leaves the voice band as it is and tells its loudness in dB re full scale', () => {
    const last = conditioned(sine(1_000, 0.1), 20)[19];
    expect(peak(last, 'clean')).toBeCloseTo(0.1, 2);
    expect(peak(last, 'voice')).toBeCloseTo(0.1, 2);
    // the RMS of a sine is 3.01 dB below its amplitude
    expect(last?.level).toBeCloseTo(-23.01, 1);
    expect(last?.energies).toHaveLength(HOPS);
    for (const energy of last?.energies ?? []) expect(energy).toBeCloseTo(-23, 0);
  });

  it.each([
    [5, 'clean', 0.08],
    [50, 'voice', 0.3],
  ] as const)('takes %d Hz out of the %s sound', (hertz, of, share) => {
    expect(peak(conditioned(sine(hertz, 0.5), 60)[59], of)).toBeLessThan(0.5 * share);
  });

  it('measures the voice band only: hum and hiss count little', () => {
    const energy = (hertz: number): number => Math.max(...(conditioned(sine(hertz, 0.1), 20)[19]?.energies ?? []));
    expect(energy(1_000) - energy(50)).toBeGreaterThan(30);
    expect(energy(1_000) - energy(7_500)).toBeGreaterThan(15);
  });

  it('knows nothing of an offset that was there from the first sample', () => {
    for (const { clean, level } of conditioned(() => 0.25, 10)) {
      expect(Math.max(...clean.map(Math.abs))).toBeLessThan(1e-6);
      expect(level).toBe(-100);
    }
  });

  it('follows an offset that decays from .8 to nothing in half a second: hardly a trace in the voice', () => {
    const frames = conditioned((index) => Math.max(0, 0.8 - (1.6 * index) / RATE), 40);
    // below -50 dBFS all along, kink at the end included
    for (const frame of frames) expect(frame.level).toBeLessThan(-50);
    for (const frame of frames) expect(peak(frame, 'clean')).toBeLessThan(0.02);
  });

  it('is not upset by broken numbers', () => {
    const tone = sine(1_000, 0.1);
    const frames = conditioned((index) => (index % 1_000 === 17 ? Number.NaN : index === 0 ? Number.POSITIVE_INFINITY : tone(index)), 20);
    expect(frames.every(({ clean, voice }) => [...clean, ...voice].every(Number.isFinite))).toBe(true);
    expect(frames[19]?.level).toBeCloseTo(-23, 0);
  });
});
