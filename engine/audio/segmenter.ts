/**
 * Cuts one channel into transmissions: sound → conditioner → hearing (Silero VAD) → state machine → segments.
 *
 * The audio of a segment is what came in with its offset (and everything below 20 Hz) removed; the gain that helps to hear
 * faint voices is never in it. Memory: the audio of the running transmission at most, whatever the length of the recording.
 */
import { SAMPLE_RATE } from '../domain/stages.js';
import type { PcmChunk, Segment, Segmenter } from '../domain/stages.js';
import { HearbackError } from '../domain/result.js';
import { Conditioner } from './segmenter-conditioner.js';
import type { ConditionedFrame } from './segmenter-conditioner.js';
import { Hearing, REFRESH_FROM } from './segmenter-hearing.js';
import { SegmenterMachine } from './segmenter-machine.js';
import type { Boundary, MachineOptions } from './segmenter-machine.js';
import { FRAME_SAMPLES, loadSilero } from './silero.js';
import type { SpeechDetector } from './silero.js';

/** See `MachineOptions` for the meaning of each threshold and time; what is left out has the value of `defaultSegmenterOptions`. */
export interface SegmenterOptions extends Partial<MachineOptions> {
  /** Silero VAD as ONNX (models/silero-vad/); the shipped one when it is left out. */
  readonly modelPath?: string;
  /** A detector that is already loaded, shared among channels. Goes before `modelPath`. */
  readonly detector?: SpeechDetector;
}

/** Chosen on assembled radio speech of known edges (models/silero-vad/ORIGIN.md has the figures). */
export const defaultSegmenterOptions: MachineOptions = {
  startThreshold: 0.5,
  stopFraction: 0.8,
  stopThreshold: 0.35,
  minimumSpeech: 0.16,
  minimumSilence: 0.13,
  hesitation: 0.18,
  preRoll: 0.25,
  hangOver: 0.2,
  maximumLength: 25,
};

/** Missing live audio up to this length is bridged with silence; more of it ends the running segment. Samples: 100 ms. */
const BRIDGED_SAMPLES = 1_600;

/** Frames that are conditioned and detected at once (two seconds). */
const BATCH_FRAMES = 64;

/**
 * A segmenter for one channel. The network is loaded once and shared by all.
 *
 * `push` and `flush` may be called without waiting for the one before; they are worked off in order.
 * - A chunk that starts later than the one before ended (lost live audio): up to 100 ms are bridged with silence; a longer hole ends
 *   the running segment like the end of the audio (`end: 'end-of-audio'`) and detection starts anew behind it.
 * - A chunk that starts earlier, or belongs to another channel: HearbackError `invalid-input`; the segmenter goes on with the next.
 * - `push` after `flush` begins a new recording at whatever position the chunk has.
 *
 * @throws HearbackError `usage` for an option that makes no sense, `model-missing` or `model-broken` for the network.
 */
export async function createSegmenter(options: SegmenterOptions = {}): Promise<Segmenter> {
  const { modelPath, detector, ...times } = options;
  const machineOptions = { ...defaultSegmenterOptions, ...times };
  checkOptions(machineOptions);
  const loaded = detector ?? (await loadSilero(modelPath));
  return new ChannelSegmenter(machineOptions, loaded);
}

function checkOptions(options: MachineOptions): void {
  const refuse = (name: string, value: number, wanted: string): never => {
    throw new HearbackError('usage', `The segmenter option ${name} is ${value}; it must be ${wanted}.`);
  };
  for (const name of ['startThreshold', 'stopThreshold', 'stopFraction'] as const) {
    if (!(options[name] > 0 && options[name] < 1)) refuse(name, options[name], 'between 0 and 1');
  }
  for (const name of ['minimumSpeech', 'minimumSilence'] as const) {
    if (!(options[name] > 0 && options[name] <= 5)) refuse(name, options[name], 'above 0 and at most 5 seconds');
  }
  for (const name of ['preRoll', 'hangOver', 'hesitation'] as const) {
    if (!(options[name] >= 0 && options[name] <= 5)) refuse(name, options[name], 'between 0 and 5 seconds');
  }
  if (!(options.maximumLength >= 2 && options.maximumLength <= 600)) refuse('maximumLength', options.maximumLength, 'between 2 and 600 seconds');
}

class ChannelSegmenter implements Segmenter {
  readonly #options: MachineOptions;
  readonly #detector: SpeechDetector;
  #hearing: Hearing;
  #machine: SegmenterMachine;
  #conditioner = new Conditioner();
  #channel: string | undefined;
  /** Position of the machine's sample 0 in the channel's time line. */
  #origin = 0;
  /** Position after the last sample that came in; undefined before the first and after a flush. */
  #expected: number | undefined;
  /** The last sample that came in: what a bridge holds, so that an offset does not jump. */
  #last = 0;
  /** Samples that do not fill a frame yet; at the beginning of a recording, that do not fill half a second yet. */
  #rest = new Float32Array(0);
  /** Whether the first half second has been worked off. */
  #begun = false;
  /** Clean audio from `#keptFrom` (counted from the origin) on. */
  readonly #kept = new SampleQueue();
  /** The order of calls. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: MachineOptions, detector: SpeechDetector) {
    this.#options = options;
    this.#detector = detector;
    this.#hearing = new Hearing(detector);
    this.#machine = new SegmenterMachine(options);
  }

  get state(): Segmenter['state'] {
    const { phase, since } = this.#machine.state;
    return { phase, since: this.#origin + since * FRAME_SAMPLES };
  }

  push(chunk: PcmChunk): Promise<readonly Segment[]> {
    return this.#inTurn(() => this.#push(chunk));
  }

  flush(): Promise<readonly Segment[]> {
    return this.#inTurn(() => this.#finish());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    // the caller gets the failure; the next in turn is not held up by it
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #push(chunk: PcmChunk): Promise<Segment[]> {
    this.#channel ??= chunk.channel;
    if (chunk.channel !== this.#channel) {
      throw new HearbackError('invalid-input', `A chunk of channel ${chunk.channel} was given to the segmenter of channel ${this.#channel}.`);
    }
    if (!Number.isSafeInteger(chunk.startSample) || chunk.startSample < 0) {
      throw new HearbackError('invalid-input', `A chunk of channel ${chunk.channel} starts at sample ${chunk.startSample}, which is not a position.`);
    }
    const done: Segment[] = [];
    if (this.#expected !== undefined) {
      const missing = chunk.startSample - this.#expected;
      if (missing < 0) {
        throw new HearbackError('invalid-input', `A chunk of channel ${chunk.channel} starts at sample ${chunk.startSample}, before the end of the one before (${this.#expected}).`);
      }
      if (missing > BRIDGED_SAMPLES) done.push(...(await this.#finish()));
      else if (missing > 0) done.push(...(await this.#take(new Float32Array(missing).fill(this.#last))));
    }
    if (this.#expected === undefined) {
      this.#origin = chunk.startSample;
    }
    this.#expected = chunk.startSample + chunk.samples.length;
    this.#last = chunk.samples[chunk.samples.length - 1] ?? this.#last;
    done.push(...(await this.#take(chunk.samples)));
    return done;
  }

  /** Whole frames go through; what is left waits for the next chunk. */
  async #take(samples: Float32Array): Promise<Segment[]> {
    const done: Segment[] = [];
    let pending = samples;
    if (this.#rest.length > 0) {
      pending = new Float32Array(this.#rest.length + samples.length);
      pending.set(this.#rest);
      pending.set(samples, this.#rest.length);
    }
    const whole = Math.floor(pending.length / FRAME_SAMPLES);
    // at the beginning the detector wants to hear half a second at once
    const frames = this.#begun || whole >= REFRESH_FROM ? whole : 0;
    this.#begun = frames > 0 || this.#begun;
    this.#rest = pending.slice(frames * FRAME_SAMPLES);
    for (let first = 0; first < frames; first += BATCH_FRAMES) {
      const last = Math.min(frames, first + BATCH_FRAMES);
      done.push(...(await this.#detect(pending.subarray(first * FRAME_SAMPLES, last * FRAME_SAMPLES))));
    }
    return done;
  }

  async #detect(samples: Float32Array): Promise<Segment[]> {
    const count = samples.length / FRAME_SAMPLES;
    const frames: ConditionedFrame[] = [];
    for (let index = 0; index < count; index += 1) {
      const frame = this.#conditioner.next(samples.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES));
      frames.push(frame);
      this.#kept.push(frame.clean);
    }
    const probabilities = await this.#hearing.probabilities(frames);
    const done: Segment[] = [];
    for (const [index, { energies }] of frames.entries()) {
      for (const boundary of this.#machine.next({ probability: probabilities[index] ?? 0, energies })) done.push(this.#segment(boundary));
    }
    this.#kept.dropBefore(this.#machine.needed);
    return done;
  }

  async #finish(): Promise<Segment[]> {
    if (this.#expected === undefined) return [];
    const total = this.#expected - this.#origin;
    const done: Segment[] = [];
    if (this.#rest.length > 0) {
      // the last frame is filled up with its own end: a step to zero would sound like a click
      const last = new Float32Array(Math.ceil(this.#rest.length / FRAME_SAMPLES) * FRAME_SAMPLES).fill(this.#last);
      last.set(this.#rest);
      this.#rest = new Float32Array(0);
      done.push(...(await this.#detect(last)));
    }
    for (const boundary of this.#machine.finish(total)) done.push(this.#segment(boundary));
    this.#machine = new SegmenterMachine(this.#options);
    this.#conditioner = new Conditioner();
    this.#hearing = new Hearing(this.#detector);
    this.#begun = false;
    this.#kept.clear();
    this.#origin = this.#expected;
    this.#expected = undefined;
    return done;
  }

  #segment(boundary: Boundary): Segment {
    return {
      channel: this.#channel ?? '',
      startSample: this.#origin + boundary.start,
      endSample: this.#origin + boundary.end,
      samples: this.#kept.copy(boundary.start, boundary.end),
      speechStart: this.#origin + boundary.speechStart,
      speechEnd: this.#origin + boundary.speechEnd,
      end: boundary.reason,
      speechProbability: boundary.speechProbability,
    };
  }
}

/** Audio in order, forgotten from the front. Positions count from the first sample ever pushed. */
class SampleQueue {
  #buffer = new Float32Array(4 * SAMPLE_RATE);
  /** Position of `#buffer[0]`. */
  #from = 0;
  #length = 0;

  push(samples: Float32Array): void {
    if (this.#length + samples.length > this.#buffer.length) {
      const larger = new Float32Array(2 * (this.#length + samples.length));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(samples, this.#length);
    this.#length += samples.length;
  }

  /** A copy of [start, end). */
  copy(start: number, end: number): Float32Array {
    if (start < this.#from || end > this.#from + this.#length) {
      throw new Error(`samples ${start} to ${end} are not kept: there are ${this.#from} to ${this.#from + this.#length}`);
    }
    return this.#buffer.slice(start - this.#from, end - this.#from);
  }

  dropBefore(position: number): void {
    const surplus = Math.min(position - this.#from, this.#length);
    // in larger pieces, since the rest is moved
    if (surplus < SAMPLE_RATE) return;
    this.#buffer.copyWithin(0, surplus, this.#length);
    this.#length -= surplus;
    this.#from += surplus;
  }

  clear(): void {
    this.#from = 0;
    this.#length = 0;
  }
}
