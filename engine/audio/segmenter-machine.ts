/**
 * Where transmissions begin and end, decided from one probability of speech and four loudness values a frame.
 *
 * Pure: no audio, no model, no clock. The same frames give the same boundaries.
 *
 *     quiet ──p ≥ start──▶ starting ──enough speech──▶ speaking ──p < stop──▶ stopping ──silence──▶ quiet
 *       ▲                    │  ▲                         ▲                     │  │
 *       └────too short───────┘  └──speech after a gap─────┼─────────────────────┘  │
 *                                                         └──speech after a dip────┘
 *
 * Positions are samples (16 kHz) counted from the first frame.
 */
import { SAMPLE_RATE } from '../domain/stages.js';
import { HOP_SAMPLES, HOPS } from './segmenter-conditioner.js';
import { FRAME_SAMPLES } from './silero.js';

/** Seconds a frame. */
const FRAME_SECONDS = FRAME_SAMPLES / SAMPLE_RATE;

/**
 * Silero goes on hearing speech for a moment after its end. What is found is moved back by this much, samples (48 ms; the
 * mean over assembled material of known edges).
 */
const TAIL_LAG = 768;

/** Stretch whose loudness decides where a long transmission is cut: 96 ms, a pause between words and longer than a stop sound. */
const SPLIT_HOPS = 12;

/** What follows the cut is not shorter than this, samples (half a second): a scrap would be thrown away by the recogniser. */
const SPLIT_RESERVE = 8_000;

/** How a transmission is told from what surrounds it. Times in seconds, probabilities 0…1. */
export interface MachineOptions {
  /** Speech may begin where the probability reaches this. */
  readonly startThreshold: number;
  /**
   * Speech stops where the probability falls below this share of what it usually is in this transmission: in a clear voice
   * (.99) a fall to .7 tells a gap, in a noisy one (.75) that is nothing.
   */
  readonly stopFraction: number;
  /** … and in any case below this. */
  readonly stopThreshold: number;
  /** Speech shorter than this, summed over its frames at or above `startThreshold`, is a noise. */
  readonly minimumSpeech: number;
  /** Silence as the detector hears it (about 90 ms shorter than it is, more in noise) that separates two transmissions. */
  readonly minimumSilence: number;
  /**
   * Where speech stands out from the noise, loudness tells better than the detector how long a gap is: a quiet stretch shorter than
   * this is a hesitation or a stop sound, unless the detector hears silence for more than 1.5 times `minimumSilence`.
   */
  readonly hesitation: number;
  /** Taken along before the first speech, less when the transmission before ends there. */
  readonly preRoll: number;
  /** Taken along after the last speech, less when the next transmission begins there. */
  readonly hangOver: number;
  /** A longer transmission is cut at its quietest point. */
  readonly maximumLength: number;
}

/** What the detector and the loudness measure say about one frame of 32 ms. */
export interface FrameEvidence {
  /** Probability of speech, 0…1. */
  readonly probability: number;
  /** Loudness of the voice band in four hops of 8 ms, dB re full scale. */
  readonly energies: ArrayLike<number>;
}

/** One transmission found: see `Segment` in domain/stages.ts for the fields. */
export interface Boundary {
  readonly start: number;
  readonly end: number;
  readonly speechStart: number;
  readonly speechEnd: number;
  readonly reason: 'silence' | 'max-length' | 'end-of-audio';
  readonly speechProbability: number;
}

/** Speech that has been confirmed and not yet handed out. */
interface Speech {
  /** Where its segment begins, pre-roll included. */
  readonly start: number;
  readonly speechStart: number;
  /** Frame after the last one with speech. */
  readonly lastFrame: number;
  /** What the probability usually is in it. */
  readonly level: number;
}

/** The four phases, each with what it has to remember. `since` is a frame. */
export type MachineState =
  | { readonly phase: 'quiet'; readonly since: number }
  | {
      readonly phase: 'starting';
      readonly since: number;
      /** Frames at or above the start threshold so far. */
      readonly evidence: number;
      /** Sum of their probabilities. */
      readonly sum: number;
      /** Frame after the last of them. */
      readonly lastFrame: number;
      /** The transmission before, which ends less than a hang-over earlier and gets what follows if that is too short to stand alone. */
      readonly before: Speech | undefined;
    }
  | { readonly phase: 'speaking'; readonly since: number; readonly speech: Speech }
  | { readonly phase: 'stopping'; readonly since: number; readonly speech: Speech };

/** Memory of the probability's usual height: weight of a new frame (time constant about .6 s). */
const LEVEL_WEIGHT = 0.05;

/** How much of the speech before a dip is its usual loudness, frames (about a second). */
const LOUDNESS_FRAMES = 34;

/** How much earlier than the detector's dip the quiet may begin, frames. */
const DIP_MARGIN = 4;

/** Loudness tells a gap only where speech stands out by this much, dB. */
const CONTRAST = 12;

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

const framesOf = (seconds: number): number => Math.max(1, Math.round(seconds / FRAME_SECONDS));
const samplesOf = (seconds: number): number => Math.round(seconds * SAMPLE_RATE);

/** The state machine of one channel. */
export class SegmenterMachine {
  readonly #options: MachineOptions;
  readonly #minimumSpeech: number;
  readonly #minimumSilence: number;
  readonly #closing: number;
  readonly #preRoll: number;
  readonly #hangOver: number;
  readonly #maximumLength: number;

  #state: MachineState = { phase: 'quiet', since: 0 };
  /** Frames seen. */
  #now = 0;
  /** End of the last segment handed out: nothing may begin before it. */
  #taken = 0;
  /** Evidence that may still be needed, from frame `#base` on. */
  #base = 0;
  #probabilities: number[] = [];
  #energies: number[] = [];

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#minimumSpeech = framesOf(options.minimumSpeech);
    this.#minimumSilence = framesOf(options.minimumSilence);
    this.#preRoll = samplesOf(options.preRoll);
    this.#hangOver = samplesOf(options.hangOver);
    this.#maximumLength = samplesOf(options.maximumLength);
    this.#closing = Math.max(this.#minimumSilence, Math.ceil((this.#hangOver - TAIL_LAG) / FRAME_SAMPLES));
  }

  get state(): MachineState {
    return this.#state;
  }

  /** Audio before this sample will not be part of any segment any more. */
  get needed(): number {
    switch (this.#state.phase) {
      case 'quiet':
        return Math.max(this.#taken, this.#now * FRAME_SAMPLES - this.#preRoll);
      case 'starting':
        return this.#state.before?.start ?? Math.max(this.#taken, this.#state.since * FRAME_SAMPLES - this.#preRoll);
      case 'speaking':
      case 'stopping':
        return this.#state.speech.start;
    }
  }

  /** Takes the next frame; returns the transmissions that are complete with it. */
  next(frame: FrameEvidence): readonly Boundary[] {
    this.#probabilities.push(frame.probability);
    for (let hop = 0; hop < HOPS; hop += 1) this.#energies.push(frame.energies[hop] ?? 0);
    const at = this.#now;
    this.#now += 1;
    const done: Boundary[] = [];
    this.#state = this.#step(this.#state, at, frame.probability, done);
    this.#limitLength(done);
    this.#forget();
    return done;
  }

  /** The audio is over after `samples` samples (the last frame may be filled up). The machine is in `quiet` afterwards. */
  finish(samples: number): readonly Boundary[] {
    const done: Boundary[] = [];
    let state = this.#state;
    if (state.phase === 'starting' && state.before !== undefined) {
      // too short to stand alone: it belongs to the transmission before
      state = { phase: 'speaking', since: state.since, speech: { ...state.before, lastFrame: state.lastFrame } };
    }
    if (state.phase === 'speaking' || state.phase === 'stopping') {
      const silent = state.phase === 'stopping' && this.#now - state.since >= this.#minimumSilence;
      const speechEnd = Math.min(this.#speechEnd(state.speech), samples);
      done.push(this.#boundary(state.speech, speechEnd, Math.min(speechEnd + this.#hangOver, samples), silent ? 'silence' : 'end-of-audio'));
    }
    this.#state = { phase: 'quiet', since: this.#now };
    this.#forget();
    return done;
  }

  #step(state: MachineState, at: number, probability: number, done: Boundary[]): MachineState {
    const { startThreshold } = this.#options;
    switch (state.phase) {
      case 'quiet':
        return probability >= startThreshold ? this.#start(at, probability, undefined, done) : state;

      case 'starting': {
        if (probability >= startThreshold) {
          return this.#confirm({ ...state, evidence: state.evidence + 1, sum: state.sum + probability, lastFrame: at + 1 }, done);
        }
        if (at + 1 - state.lastFrame < this.#minimumSilence) return state;
        if (state.before === undefined) return { phase: 'quiet', since: at };
        return this.#stop({ ...state.before, lastFrame: state.lastFrame }, state.lastFrame, at, done);
      }

      case 'speaking': {
        const { speech } = state;
        if (probability < this.#stopAt(speech)) return this.#stop(speech, at, at, done);
        return { ...state, speech: { ...speech, lastFrame: at + 1, level: speech.level + LEVEL_WEIGHT * (probability - speech.level) } };
      }

      case 'stopping': {
        const { speech } = state;
        if (probability >= this.#stopAt(speech)) {
          if (at - state.since < this.#minimumSilence || this.#hesitates(state.since, at)) {
            return { phase: 'speaking', since: this.#onset(speech), speech: { ...speech, lastFrame: at + 1 } };
          }
          if (probability >= startThreshold) return this.#start(at, probability, speech, done);
        }
        return this.#stop(speech, state.since, at, done);
      }
    }
  }

  #onset(speech: Speech): number {
    return Math.floor(speech.speechStart / FRAME_SAMPLES);
  }

  /** Whether the dip in [since, at) is a short one within a transmission, going by loudness. */
  #hesitates(since: number, at: number): boolean {
    if (at - since > 1.5 * this.#minimumSilence) return false;
    const hops = (from: number, to: number): number[] => this.#energies.slice(Math.max(0, (from - this.#base) * HOPS), Math.max(0, (to - this.#base) * HOPS));
    const before = hops(since - LOUDNESS_FRAMES, since - DIP_MARGIN);
    // the detector's dip lies later than the quiet: look from a little before it
    const dip = hops(since - DIP_MARGIN, at + 1);
    if (before.length === 0) return false;
    const loud = percentile(before, 0.75);
    const low = percentile(dip, 0.25);
    if (loud - low < CONTRAST) return false;
    const middle = (loud + low) / 2;
    let run = 0;
    let longest = 0;
    for (const energy of dip) {
      run = energy < middle ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest * HOP_SAMPLES < this.#options.hesitation * SAMPLE_RATE;
  }

  /** Below this a frame of the transmission counts as silence. */
  #stopAt(speech: Speech): number {
    return Math.max(this.#options.stopThreshold, this.#options.stopFraction * speech.level);
  }

  #start(at: number, probability: number, before: Speech | undefined, done: Boundary[]): MachineState {
    return this.#confirm({ phase: 'starting', since: at, evidence: 1, sum: probability, lastFrame: at + 1, before }, done);
  }

  /** Starting becomes speaking when there is enough of it. */
  #confirm(state: MachineState & { phase: 'starting' }, done: Boundary[]): MachineState {
    if (state.evidence < this.#minimumSpeech) return state;
    const speechStart = state.since * FRAME_SAMPLES;
    if (state.before !== undefined) this.#closeBefore(state.before, speechStart, done);
    const speech: Speech = { start: Math.max(this.#taken, speechStart - this.#preRoll, 0), speechStart, lastFrame: state.lastFrame, level: state.sum / state.evidence };
    return { phase: 'speaking', since: state.since, speech };
  }

  /** Silence since frame `since`; the transmission is complete once its hang-over is full. */
  #stop(speech: Speech, since: number, at: number, done: Boundary[]): MachineState {
    if (at + 1 - since < this.#closing) return { phase: 'stopping', since, speech };
    const speechEnd = this.#speechEnd(speech);
    done.push(this.#boundary(speech, speechEnd, Math.min(speechEnd + this.#hangOver, this.#now * FRAME_SAMPLES), 'silence'));
    return { phase: 'quiet', since };
  }

  /** Closes a transmission after which another begins at `nextStart`. When the gap is too small for both pads, they meet at its quietest point. */
  #closeBefore(speech: Speech, nextStart: number, done: Boundary[]): void {
    const speechEnd = this.#speechEnd(speech);
    const padded = speechEnd + this.#hangOver;
    const end = padded <= nextStart - this.#preRoll ? padded : this.#quietest(speechEnd, nextStart, 4);
    done.push(this.#boundary(speech, speechEnd, end, 'silence'));
  }

  /** A transmission longer than allowed is cut at the quietest point of its second half. */
  #limitLength(done: Boundary[]): void {
    const state = this.#state;
    // when it is stopping it will be over, or speaking again, before the length that is kept in reserve is used up
    if (state.phase !== 'speaking') return;
    const { speech } = state;
    const end = this.#now * FRAME_SAMPLES;
    if (end - speech.start < this.#maximumLength - (this.#closing + 1) * FRAME_SAMPLES) return;
    const cut = this.#quietest(speech.start + Math.floor(this.#maximumLength / 2), end - SPLIT_RESERVE, SPLIT_HOPS);
    done.push(this.#boundary(speech, Math.min(cut, this.#speechEnd(speech)), cut, 'max-length'));
    this.#state = { ...state, speech: { ...speech, start: cut, speechStart: cut, lastFrame: Math.max(speech.lastFrame, Math.ceil(cut / FRAME_SAMPLES)) } };
  }

  #speechEnd(speech: Speech): number {
    return Math.max(speech.lastFrame * FRAME_SAMPLES - TAIL_LAG, speech.speechStart + FRAME_SAMPLES);
  }

  #boundary(speech: Speech, speechEnd: number, end: number, reason: Boundary['reason']): Boundary {
    this.#taken = end;
    const first = Math.floor(speech.speechStart / FRAME_SAMPLES) - this.#base;
    const last = Math.max(first + 1, Math.ceil(speechEnd / FRAME_SAMPLES) - this.#base);
    const inside = this.#probabilities.slice(Math.max(0, first), last);
    const mean = inside.length === 0 ? 0 : inside.reduce((sum, value) => sum + value, 0) / inside.length;
    return { start: speech.start, end, speechStart: speech.speechStart, speechEnd: Math.min(speechEnd, end), reason, speechProbability: Math.min(1, mean) };
  }

  /** Middle of the quietest stretch of `width` hops between two samples; the latest of equals. */
  #quietest(from: number, to: number, width: number): number {
    const base = this.#base * HOPS;
    const first = Math.max(0, Math.ceil(from / HOP_SAMPLES) - base);
    const last = Math.min(this.#energies.length, Math.floor(to / HOP_SAMPLES) - base);
    const span = Math.min(width, last - first);
    if (span < 1) return Math.round((from + to) / 2);
    let best = Number.POSITIVE_INFINITY;
    let bestAt = first;
    for (let hop = first; hop + span <= last; hop += 1) {
      let sum = 0;
      for (let index = hop; index < hop + span; index += 1) sum += this.#energies[index] ?? 0;
      if (sum <= best) {
        best = sum;
        bestAt = hop;
      }
    }
    return Math.round((bestAt + base + span / 2) * HOP_SAMPLES);
  }

  /** Drops evidence that no decision can need any more. */
  #forget(): void {
    const keep = Math.floor(Math.max(0, this.needed) / FRAME_SAMPLES);
    const surplus = keep - this.#base;
    // in larger pieces: shifting an array on every frame would be slow
    if (surplus < 64) return;
    this.#probabilities = this.#probabilities.slice(surplus);
    this.#energies = this.#energies.slice(surplus * HOPS);
    this.#base = keep;
  }
}

/** The boundaries of a whole recording given as frames: the machine run from start to end. */
export function findBoundaries(frames: Iterable<FrameEvidence>, options: MachineOptions): Boundary[] {
  const machine = new SegmenterMachine(options);
  const found: Boundary[] = [];
  let count = 0;
  for (const frame of frames) {
    found.push(...machine.next(frame));
    count += 1;
  }
  found.push(...machine.finish(count * FRAME_SAMPLES));
  return found;
}
