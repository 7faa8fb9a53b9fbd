/**
 * What is done to the sound before anything is decided on it: offset and rumble removed, loudness measured.
 * Pure arithmetic, frame by frame, so that the result does not depend on how the audio was cut into chunks.
 */
import { SAMPLE_RATE } from '../domain/stages.js';
import { FRAME_SAMPLES } from './silero.js';

/** Loudness values a frame. */
export const HOPS = 4;

/** Samples a loudness value: 8 ms. */
export const HOP_SAMPLES = FRAME_SAMPLES / HOPS;

/** Lowest loudness that is told apart from silence, dB re full scale. */
const SILENCE_DB = -100;

/** One frame, conditioned. */
export interface ConditionedFrame {
  /** Offset (and all below 20 Hz) removed, nothing else. This is what segments carry. */
  readonly clean: Float32Array;
  /** `clean` above 100 Hz. This is what the detector hears. */
  readonly voice: Float32Array;
  /** Loudness of `voice`, dB re full scale (RMS). */
  readonly level: number;
  /** Loudness of the voice band (250…3600 Hz), dB re full scale (RMS), four a frame. */
  readonly energies: Float32Array;
}

/** A second-order section (direct form I, double precision). */
class Biquad {
  #x1 = 0;
  #x2 = 0;
  #y1 = 0;
  #y2 = 0;
  constructor(
    private readonly b0: number,
    private readonly b1: number,
    private readonly b2: number,
    private readonly a1: number,
    private readonly a2: number,
  ) {}

  /** Butterworth, by the bilinear transform. `cutoff` in Hz. */
  static butterworth(kind: 'high-pass' | 'low-pass', cutoff: number): Biquad {
    const w = Math.tan((Math.PI * cutoff) / SAMPLE_RATE);
    const norm = 1 / (1 + Math.SQRT2 * w + w * w);
    const a1 = 2 * (w * w - 1) * norm;
    const a2 = (1 - Math.SQRT2 * w + w * w) * norm;
    return kind === 'high-pass' ? new Biquad(norm, -2 * norm, norm, a1, a2) : new Biquad(w * w * norm, 2 * w * w * norm, w * w * norm, a1, a2);
  }

  /** As if `value` had been there for ever. For a high-pass, whose answer to a constant is nothing. */
  settle(value: number): void {
    this.#x1 = value;
    this.#x2 = value;
    this.#y1 = 0;
    this.#y2 = 0;
  }

  next(x: number): number {
    const y = this.b0 * x + this.b1 * this.#x1 + this.b2 * this.#x2 - this.a1 * this.#y1 - this.a2 * this.#y2;
    this.#x2 = this.#x1;
    this.#x1 = x;
    this.#y2 = this.#y1;
    this.#y1 = y;
    return y;
  }
}

const decibel = (meanSquare: number): number => (meanSquare <= 1e-10 ? SILENCE_DB : 10 * Math.log10(meanSquare));

/** Conditions one channel; starts with the first frame of a recording. */
export class Conditioner {
  readonly #offset = Biquad.butterworth('high-pass', 20);
  readonly #rumble = Biquad.butterworth('high-pass', 100);
  readonly #bandLow = Biquad.butterworth('high-pass', 250);
  readonly #bandHigh = Biquad.butterworth('low-pass', 3600);
  #started = false;

  /** @param raw exactly one frame (512 samples) of what came in. */
  next(raw: Float32Array): ConditionedFrame {
    if (!this.#started) {
      this.#started = true;
      // an offset that was there from the start must not look like a step
      const first = raw[0] ?? 0;
      this.#offset.settle(Number.isFinite(first) ? first : 0);
    }
    const clean = new Float32Array(FRAME_SAMPLES);
    const voice = new Float32Array(FRAME_SAMPLES);
    const energies = new Float32Array(HOPS);
    let sum = 0;
    let hopSum = 0;
    for (let index = 0; index < FRAME_SAMPLES; index += 1) {
      const value = raw[index] ?? 0;
      // one broken number would stay in the filters for ever
      const sample = this.#offset.next(Number.isFinite(value) ? value : 0);
      const high = this.#rumble.next(sample);
      const band = this.#bandHigh.next(this.#bandLow.next(high));
      clean[index] = sample;
      voice[index] = high;
      sum += high * high;
      hopSum += band * band;
      if ((index + 1) % HOP_SAMPLES === 0) {
        energies[(index + 1) / HOP_SAMPLES - 1] = decibel(hopSum / HOP_SAMPLES);
        hopSum = 0;
      }
    }
    return { clean, voice, level: decibel(sum / FRAME_SAMPLES), energies };
  }
}
