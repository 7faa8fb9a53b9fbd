/**
 * What is done to the sound before anything is decided on it: offset removed, level evened out for the detector, loudness measured.
 * Pure arithmetic, frame by frame, so that the result does not depend on how the audio was cut into chunks.
 *
 * Three versions of the sound come of it:
 * - `clean`: offset (and all below 20 Hz) removed, nothing else. This is what segments carry.
 * - `levelled`: `clean` above 100 Hz, raised when it is faint. Only the detector sees it.
 * - `energies`: loudness of the voice band (250…3600 Hz) of the un-raised sound, in dB re full scale, four a frame.
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
  readonly clean: Float32Array;
  readonly levelled: Float32Array;
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

/**
 * How much to raise a frame.
 *
 * Silero hears speech between about -8 and -50 dBFS equally well, and loses it below; a distant aircraft beside a loud
 * controller lies there. Noise must not be raised to where speech is, so the gain is what brings the quietest sound of the
 * last seconds (the noise floor) to -45 dBFS, but never more than what brings the present sound to -25 dBFS, and never below 1:
 * sound at a usual level passes as it is.
 */
class Leveller {
  /** Where the noise floor is put, dBFS. */
  static readonly FLOOR_TARGET = -45;
  /** Where the present sound is put at most, dBFS. */
  static readonly LEVEL_TARGET = -25;
  /** Largest gain, dB. */
  static readonly MAX_GAIN = 40;
  /** How fast the memory of a loud sound fades, dB a frame (of 32 ms): 40 dB a second. */
  static readonly RELEASE = 1.28;
  /** The floor is the minimum over so many blocks … */
  static readonly FLOOR_BLOCKS = 8;
  /** … of so many frames: four seconds in all. */
  static readonly FLOOR_BLOCK_FRAMES = 16;

  #envelope = SILENCE_DB;
  readonly #minima: number[] = [];
  #current = 0;
  #frames = 0;
  #gain: number | undefined;

  /** @param level of the frame, dBFS. @returns the gain at the start and at the end of the frame, as factors. */
  next(level: number): { from: number; to: number } {
    this.#envelope = Math.max(level, this.#envelope - Leveller.RELEASE);
    this.#current = this.#frames === 0 ? level : Math.min(this.#current, level);
    this.#frames += 1;
    const floor = Math.min(this.#current, ...this.#minima);
    if (this.#frames === Leveller.FLOOR_BLOCK_FRAMES) {
      this.#minima.push(this.#current);
      if (this.#minima.length > Leveller.FLOOR_BLOCKS) this.#minima.shift();
      this.#frames = 0;
    }
    const decibels = Math.min(Leveller.MAX_GAIN, Math.max(0, Math.min(Leveller.FLOOR_TARGET - floor, Leveller.LEVEL_TARGET - this.#envelope)));
    const to = 10 ** (decibels / 20);
    const from = this.#gain ?? to;
    this.#gain = to;
    return { from, to };
  }
}

/** Conditions one channel; starts with the first frame of a recording. */
export class Conditioner {
  readonly #offset = Biquad.butterworth('high-pass', 20);
  readonly #rumble = Biquad.butterworth('high-pass', 100);
  readonly #bandLow = Biquad.butterworth('high-pass', 250);
  readonly #bandHigh = Biquad.butterworth('low-pass', 3600);
  readonly #leveller = new Leveller();
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
    const levelled = new Float32Array(FRAME_SAMPLES);
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
      levelled[index] = high;
      sum += high * high;
      hopSum += band * band;
      if ((index + 1) % HOP_SAMPLES === 0) {
        energies[(index + 1) / HOP_SAMPLES - 1] = decibel(hopSum / HOP_SAMPLES);
        hopSum = 0;
      }
    }
    const { from, to } = this.#leveller.next(decibel(sum / FRAME_SAMPLES));
    if (from !== 1 || to !== 1) {
      for (let index = 0; index < FRAME_SAMPLES; index += 1) {
        // down at once (a loud onset under a high gain would be torn), up over the frame
        const gain = to < from ? to : from + ((to - from) * index) / FRAME_SAMPLES;
        levelled[index] = Math.max(-1, Math.min(1, (levelled[index] ?? 0) * gain));
      }
    }
    return { clean, levelled, energies };
  }
}
