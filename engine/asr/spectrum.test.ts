import { describe, expect, it } from 'vitest';
import { clips, joined, noise, sum, tone } from '../../test/support/asr-audio.js';
import { spectrumFigures } from './spectrum.js';

const power = (samples: Float32Array): number => samples.reduce((total, x) => total + x * x, 0) / samples.length;

describe('spectrum', () => {
  it('of noise keeps its shape, whatever its level does', () => {
    for (const seconds of [1, 3, 10]) expect(spectrumFigures(noise(seconds, 0.1)).variation).toBeLessThan(1.2);
    const swelling = noise(4, 0.1).map((x, i) => x * (0.1 + Math.abs(Math.sin(i / 9_000))));
    expect(spectrumFigures(swelling).variation).toBeLessThan(1.2);
  });

  it('of speech changes its shape, also in noise of the same power', () => {
    for (const { samples } of clips()) {
      expect(spectrumFigures(samples).variation).toBeGreaterThan(3);
      expect(spectrumFigures(sum(samples, noise(samples.length / 16_000, Math.sqrt(power(samples))))).variation).toBeGreaterThan(1.3);
    }
  });

  it('of a tone is one line, that of speech and noise is not', () => {
    for (const hertz of [400, 1_000, 2_500]) {
      expect(spectrumFigures(sum(tone(1, hertz, 0.4), noise(1, 0.01))).tonality).toBeGreaterThan(0.9);
      // a short beep in long noise counts by its loudness, not by its length
      const beep = sum(joined([new Float32Array(32_000), tone(0.5, hertz, 0.3), new Float32Array(32_000)]), noise(4.5, 0.01));
      expect(spectrumFigures(beep).tonality).toBeGreaterThan(0.8);
    }
    for (const { samples } of clips()) expect(spectrumFigures(samples).tonality).toBeLessThan(0.65);
    expect(spectrumFigures(noise(2, 0.1)).tonality).toBeLessThan(0.35);
  });

  it('of nothing has no figures', () => {
    expect(spectrumFigures(new Float32Array(0))).toEqual({ variation: 0, tonality: 0 });
    expect(spectrumFigures(new Float32Array(16_000))).toEqual({ variation: 0, tonality: 0 });
  });
});
