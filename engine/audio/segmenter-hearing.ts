/**
 * Probabilities of speech for loud and faint voices on one channel.
 *
 * Silero adapts to what it has just heard: after a loud controller it is deaf to an aircraft 20 dB fainter, for seconds, and after
 * seconds of strong noise to a voice that hardly rises above it. Raising the faint part for it (an AGC) does not help: each rise
 * of the noise looks like the beginning of a voice, and noise raised in the gap between two speakers fills the gap. So
 *
 * - memory is refreshed in every second without speech: forgotten, and formed anew from the last half second;
 * - it listens twice. The first ear hears everything as it is. The second listens only where it has been faint for a third of a
 *   second, with a fresh memory and a gain that puts the noise floor of that third of a second to where Silero hears best. It keeps
 *   this gain as long as it listens: nothing pumps. While the second ear listens, its word counts.
 *
 * The first frames after a fresh start, in which the noise itself is new and sounds like a beginning, are never used.
 */
import type { ConditionedFrame } from './segmenter-conditioner.js';
import { FRAME_SAMPLES } from './silero.js';
import type { SpeechDetector, SpeechStream } from './silero.js';

/** A frame is faint when it is this much below the loud voices of late, dB … */
const BELOW_LOUD = 15;

/** … but in no case above this (dB re full scale), where the first ear hears well after any loudness … */
const FAINT_AT_MOST = -40;

/** … and in any case below this, where it does not hear well after silence either. */
const FAINT_AT_LEAST = -48;

/** How fast the loud voices are forgotten: dB a frame (about 1 dB a second). */
const FORGETTING = 0.03;

/** Faint frames in a row that make the second ear listen (320 ms: longer than a gap between two speakers need be). */
const PATIENCE = 10;

/** Where the second ear's gain puts the noise floor, dB re full scale. */
const FLOOR_TARGET = -42;

/** Its largest gain, dB; more would raise the last bit of 16-bit audio to a sound. */
const LARGEST_GAIN = 30;

/** With less gain than this it would hear nothing new, dB. */
const SMALLEST_GAIN = 6;

/** An ear's memory is refreshed after so many frames (a second) … */
const REFRESH_AFTER = 32;

/** … in which all probabilities were below this. */
const SURELY_SILENT = 0.3;

/** Frames from which it is formed anew (half a second); the fewer, the more often noise is taken for speech. */
export const REFRESH_FROM = 16;

/** A run of the detector at one gain, with its memory kept fresh. */
class Ear {
  readonly #stream: SpeechStream;
  #factor = 1;
  /** Frames without speech in a row, since the last refresh. */
  #silent = 0;
  /** The last frames heard, at most `REFRESH_FROM`. */
  #last: readonly ConditionedFrame[] = [];

  constructor(detector: SpeechDetector) {
    this.#stream = detector.open();
  }

  /** Begins anew with a gain, used to the sound of `before`. */
  async start(before: readonly ConditionedFrame[], factor: number): Promise<void> {
    this.#stream.reset();
    this.#factor = factor;
    this.#silent = 0;
    this.#last = before;
    if (before.length > 0) await this.#stream.probabilities(joined(before, factor));
  }

  /** @returns one probability a frame. */
  async hear(frames: readonly ConditionedFrame[]): Promise<Float32Array> {
    const result = new Float32Array(frames.length);
    for (let first = 0; first < frames.length; ) {
      // no refresh can be due before the end of this piece
      const piece = frames.slice(first, first + REFRESH_AFTER - this.#silent);
      const heard = await this.#stream.probabilities(joined(piece, this.#factor));
      result.set(heard, first);
      first += piece.length;
      for (const probability of heard) this.#silent = probability < SURELY_SILENT ? this.#silent + 1 : 0;
      this.#last = [...this.#last, ...piece].slice(-REFRESH_FROM);
      if (this.#silent === REFRESH_AFTER) await this.start(this.#last, this.#factor);
    }
    return result;
  }
}

/** The two ears of one channel. */
export class Hearing {
  readonly #first: Ear;
  readonly #second: Ear;
  /** Level of the loud voices of late. */
  #loud = Number.NEGATIVE_INFINITY;
  /** The last frames in a row that were faint, at most `PATIENCE`. */
  #faint: ConditionedFrame[] = [];
  #begun = false;
  /** Whether the second ear listens. */
  #listening = false;

  constructor(detector: SpeechDetector) {
    this.#first = new Ear(detector);
    this.#second = new Ear(detector);
  }

  /**
   * @param frames following those passed before. The first call should have `REFRESH_FROM` of them: the first ear gets used to the sound
   *   of the recording by hearing its beginning once before it hears it for good.
   * @returns one probability of speech (0…1) a frame.
   */
  async probabilities(frames: readonly ConditionedFrame[]): Promise<Float32Array> {
    if (!this.#begun) {
      this.#begun = true;
      await this.#first.start(frames.slice(0, REFRESH_FROM), 1);
    }
    const result = await this.#first.hear(frames);
    // the frames that the second ear has still to hear: a stretch is one call
    let stretch: ConditionedFrame[] = [];
    const hear = async (end: number): Promise<void> => {
      if (stretch.length === 0) return;
      result.set(await this.#second.hear(stretch), end - stretch.length);
      stretch = [];
    };
    for (const [index, frame] of frames.entries()) {
      this.#loud = Math.max(frame.level, this.#loud - FORGETTING);
      const limit = Math.max(FAINT_AT_LEAST, Math.min(FAINT_AT_MOST, this.#loud - BELOW_LOUD));
      if (frame.level >= limit) {
        await hear(index);
        this.#faint = [];
        this.#listening = false;
        continue;
      }
      if (!this.#listening) await this.#prick(frame);
      if (this.#listening) stretch.push(frame);
    }
    await hear(frames.length);
    return result;
  }

  /** Another faint frame: after enough of them the second ear gets used to those before this one, and listens. */
  async #prick(frame: ConditionedFrame): Promise<void> {
    const before = this.#faint;
    this.#faint = [...before, frame].slice(-PATIENCE);
    if (this.#faint.length < PATIENCE) return;
    const floor = Math.min(...this.#faint.map(({ level }) => level));
    const gain = Math.min(LARGEST_GAIN, FLOOR_TARGET - floor);
    if (gain < SMALLEST_GAIN) return;
    this.#listening = true;
    await this.#second.start(this.#faint.slice(0, -1), 10 ** (gain / 20));
    this.#faint = [];
  }
}

/** The frames' sound, raised by a factor and kept within full scale. */
function joined(frames: readonly ConditionedFrame[], factor: number): Float32Array {
  const samples = new Float32Array(frames.length * FRAME_SAMPLES);
  for (const [index, { voice }] of frames.entries()) samples.set(voice, index * FRAME_SAMPLES);
  if (factor === 1) return samples;
  return samples.map((value) => Math.max(-1, Math.min(1, value * factor)));
}
