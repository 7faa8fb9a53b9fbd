/**
 * What goes past on its way into the pipeline: levels for a meter, and the recording of whole channels.
 */
import type { AudioSource, Notice, PcmChunk, Segmenter } from '../domain/stages.js';
import { SAMPLE_RATE } from '../domain/stages.js';

/** Levels are over so many samples (a tenth of a second). */
const WINDOW = SAMPLE_RATE / 10;
const FLOOR_DB = -100;
const decibels = (value: number): number => (value <= 0 ? FLOOR_DB : Math.max(FLOOR_DB, Math.round(20 * Math.log10(value) * 10) / 10));

export interface ChannelLevel {
  readonly channel: string;
  readonly rms_db: number;
  readonly peak_db: number;
  readonly phase: Segmenter['state']['phase'];
}

/** Levels of the last tenth of a second on every channel. */
export class Meter {
  readonly #channels = new Map<string, { sum: number; peak: number; samples: number; rms: number; top: number; segmenter?: Segmenter }>();
  #seconds = 0;

  constructor(channels: readonly string[]) {
    for (const channel of channels) this.#channels.set(channel, { sum: 0, peak: 0, samples: 0, rms: 0, top: 0 });
  }

  /** Seconds of audio that came so far. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Whose state says whether somebody speaks. */
  watch(channel: string, segmenter: Segmenter): void {
    const of = this.#channels.get(channel);
    if (of !== undefined) of.segmenter = segmenter;
  }

  take({ channel, startSample, samples }: PcmChunk): void {
    const of = this.#channels.get(channel);
    if (of === undefined) return;
    for (const value of samples) {
      of.sum += value * value;
      const size = Math.abs(value);
      if (size > of.peak) of.peak = size;
      if (++of.samples < WINDOW) continue;
      of.rms = Math.sqrt(of.sum / of.samples);
      of.top = of.peak;
      of.sum = of.peak = of.samples = 0;
    }
    this.#seconds = Math.max(this.#seconds, (startSample + samples.length) / SAMPLE_RATE);
  }

  get levels(): ChannelLevel[] {
    return [...this.#channels].map(([channel, of]) => ({ channel, rms_db: decibels(of.rms), peak_db: decibels(of.top), phase: of.segmenter?.state.phase ?? 'quiet' }));
  }
}

/** The same source, with every chunk shown to `see` on its way. */
export function tapped(source: AudioSource, see: (chunk: PcmChunk) => void): AudioSource {
  return {
    name: source.name,
    channels: source.channels,
    duration: source.duration,
    get notices(): readonly Notice[] {
      return source.notices;
    },
    async *chunks(signal?: AbortSignal): AsyncIterable<PcmChunk> {
      for await (const chunk of source.chunks(signal)) {
        see(chunk);
        yield chunk;
      }
    },
  };
}
