/**
 * Plays a recording as if it came in live.
 */
import { HearbackError } from '../domain/result.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import type { AudioSource, Notice, PcmChunk } from '../domain/stages.js';
import { throwIfStopped } from './decoder.js';

/** Time, so that tests need not wait. */
export interface Clock {
  /** Milliseconds, only ever growing. */
  now(): number;
  /** Resolves after so many milliseconds, or early when the signal is aborted; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/** A live input hands over pieces of this length, samples (50 ms). */
const PIECE = SAMPLE_RATE / 20;

/**
 * Holds every piece of audio back until the moment at which its last sample would have been heard, `speed` times as fast
 * as life. A receiver that falls behind gets the pieces that are due without waiting; the time line is not stretched.
 *
 * @param speed factor > 0; `Infinity` changes nothing.
 * @throws HearbackError `usage` for other speeds; `cancelled` while reading.
 */
export function pace(source: AudioSource, speed: number, clock: Clock = systemClock): AudioSource {
  if (!(speed > 0)) throw new HearbackError('usage', `The speed ${speed} makes no sense.`, { hint: 'Give a number above 0, or "max".' });
  if (speed === Infinity) return source;
  return {
    name: source.name,
    channels: source.channels,
    duration: source.duration,
    get notices(): readonly Notice[] {
      return source.notices;
    },
    async *chunks(signal?: AbortSignal): AsyncIterable<PcmChunk> {
      const start = clock.now();
      for await (const chunk of inStep(source.chunks(signal))) {
        const due = start + ((chunk.startSample + chunk.samples.length) / SAMPLE_RATE / speed) * 1000;
        const wait = due - clock.now();
        if (wait > 0) await clock.sleep(wait, signal);
        if (signal?.aborted === true) throwIfStopped(signal, source.name);
        yield chunk;
      }
    },
  };
}

/** Cuts chunks into short pieces, those of several channels in order of time. */
export async function* inStep(chunks: AsyncIterable<PcmChunk>): AsyncGenerator<PcmChunk, void, undefined> {
  // chunks of the channels follow each other: collect one of each, then hand out their pieces side by side
  let together: PcmChunk[] = [];
  const pieces = function* (): Generator<PcmChunk, void, undefined> {
    const longest = Math.max(0, ...together.map((c) => c.samples.length));
    for (let from = 0; from < longest; from += PIECE) {
      for (const c of together)
        if (from < c.samples.length) yield { channel: c.channel, startSample: c.startSample + from, samples: c.samples.subarray(from, from + PIECE) };
    }
    together = [];
  };
  for await (const chunk of chunks) {
    if (together.some((c) => c.channel === chunk.channel)) yield* pieces();
    together.push(chunk);
  }
  yield* pieces();
}
