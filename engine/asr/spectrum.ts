/**
 * How the shape of the spectrum behaves. Noise, hum and a carrier may change their level but keep their shape; speech goes
 * through many shapes a second, also when it is barely above the noise. A tone puts its power into one line.
 */
import FFT from 'fft.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import { FRAME } from './levels.js';

const SIZE = 512;
const BANDS = 14;
/** What a radio channel passes, Hz. */
const LOW_HZ = 200;
const HIGH_HZ = 3_800;
/** Spectra that are averaged before shapes are compared (100 ms), so that noise varies little by chance. */
const AVERAGED = 5;
/** Frames this far below the loudest do not count: their shape is that of the recording's own noise. */
const RANGE_DB = 25;
const LOUD_RANGE_DB = 15;
/** Digital silence has no strongest line; dB of an averaged spectrum. */
const SILENT_DB = -60;

export interface SpectrumFigures {
  /** Standard deviation over time of a band's share of the level, mean over bands, dB. Noise about 1, speech 1.4 (at −4 dB over noise) to 8. */
  readonly variation: number;
  /** Share of the power that is in the strongest line (94 Hz, what a tone fills), mean over the loud frames: speech up to .6, a tone .9 and more. */
  readonly tonality: number;
}

const window = Float64Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE));
const fourier = new FFT(SIZE);

const mel = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
const binOf = (hertz: number): number => Math.round((hertz * SIZE) / SAMPLE_RATE);
const LOW_BIN = binOf(LOW_HZ);
const HIGH_BIN = binOf(HIGH_HZ);
/** Band of each bin, equal steps on the mel scale. */
const bandOf = Uint8Array.from({ length: HIGH_BIN }, (_, bin) => {
  const share = (mel((bin * SAMPLE_RATE) / SIZE) - mel(LOW_HZ)) / (mel(HIGH_HZ) - mel(LOW_HZ));
  return Math.min(BANDS - 1, Math.max(0, Math.floor(share * BANDS)));
});

/** Figures of `samples` (16 kHz, without offset). Audio shorter than 32 ms has none: both are 0. */
export function spectrumFigures(samples: Float32Array): SpectrumFigures {
  const frames = Math.floor((samples.length - SIZE) / FRAME) + 1;
  if (frames < 1) return { variation: 0, tonality: 0 };
  const powers = Array.from({ length: frames }, () => new Float64Array(BANDS));
  const frameDb = new Float64Array(frames);
  const line = new Float64Array(frames);
  const windowed = new Float64Array(SIZE);
  const spectrum = fourier.createComplexArray();
  const powerOf = (bin: number): number => (spectrum[2 * bin] ?? 0) ** 2 + (spectrum[2 * bin + 1] ?? 0) ** 2;
  powers.forEach((bands, f) => {
    for (let i = 0; i < SIZE; i++) windowed[i] = (samples[f * FRAME + i] ?? 0) * (window[i] ?? 0);
    fourier.realTransform(spectrum, windowed);
    let peak = LOW_BIN;
    let sum = 1e-12;
    for (let bin = LOW_BIN; bin < HIGH_BIN; bin++) {
      const power = powerOf(bin);
      const band = bandOf[bin] ?? 0;
      bands[band] = (bands[band] ?? 0) + power;
      sum += power;
      if (power > powerOf(peak)) peak = bin;
    }
    frameDb[f] = 10 * Math.log10(sum);
    line[f] = Math.min(1, (powerOf(peak - 1) + powerOf(peak) + powerOf(peak + 1)) / sum);
  });
  const averaged: Float64Array[] = [];
  for (let f = 0; f + AVERAGED <= Math.max(frames, AVERAGED); f++) {
    const mean = new Float64Array(BANDS).fill(1e-9);
    for (let i = f; i < Math.min(frames, f + AVERAGED); i++) powers[i]?.forEach((power, b) => (mean[b] = (mean[b] ?? 0) + power / AVERAGED));
    averaged.push(mean);
  }
  const totals = averaged.map((bands) => 10 * Math.log10(bands.reduce((sum, power) => sum + power, 0)));
  const loudest = Math.max(...totals);
  const shapes = averaged
    .filter((_, f) => (totals[f] ?? 0) > loudest - RANGE_DB)
    .map((bands) => {
      const decibels = bands.map((power) => 10 * Math.log10(power));
      const mean = decibels.reduce((sum, value) => sum + value, 0) / BANDS;
      return decibels.map((value) => value - mean);
    });
  let variation = 0;
  for (let b = 0; b < BANDS; b++) {
    const values = shapes.map((shape) => shape[b] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    variation += Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) / BANDS;
  }
  const silent = loudest < SILENT_DB;
  const loudestFrame = Math.max(...frameDb);
  const loud = line.filter((_, f) => (frameDb[f] ?? 0) > loudestFrame - LOUD_RANGE_DB);
  return { variation, tonality: silent ? 0 : loud.reduce((sum, share) => sum + share, 0) / loud.length };
}
