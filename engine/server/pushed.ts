/**
 * Audio that a client sends in frames, several frequencies side by side, by the client's own clock.
 */
import { Resampler } from '../audio/resampler.js';
import { fromInt16 } from '../domain/pcm.js';
import type { AudioSource, Notice, PcmChunk } from '../domain/stages.js';

/** Audio that may wait for the segmenter, seconds on all channels together, before the client is told to slow down. */
export const MAX_BACKLOG_SECONDS = 120;
/** A clock that is off by less is taken for the jitter of sending, seconds. */
const JITTER = 0.06;
/** A gap longer than this is no silence but a wrong clock, seconds. */
const MAX_GAP = 3600;
/** Silence is handed on in pieces of this length, seconds. */
const PIECE = 1;

type Piece = { readonly channel: number; readonly samples: Float32Array } | { readonly channel: number; readonly silence: number };

interface Channel {
  readonly name: string;
  readonly resampler: Resampler;
  /** Samples received at the client's rate, silence between them included. */
  received: number;
  /** Samples handed on at 16 kHz. */
  position: number;
}

/** What became of a frame. */
export type Taken = 'taken' | 'overload' | 'late' | 'clock' | 'channel' | 'ended';

export class PushedSource implements AudioSource {
  readonly channels: readonly string[];
  readonly duration = undefined;
  readonly notices: readonly Notice[] = [];
  readonly #channels: readonly Channel[];
  readonly #pieces: Piece[] = [];
  /** Samples of sound among the pieces, at the client's rate. */
  #backlog = 0;
  #origin: number | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(
    readonly name: string,
    channels: readonly string[],
    private readonly rate: number,
  ) {
    this.channels = channels;
    this.#channels = channels.map((each) => ({ name: each, resampler: new Resampler(rate), received: 0, position: 0 }));
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** @param clock client's time of the first sample, seconds; NaN: directly behind what came before. */
  push(channel: number, clock: number, pcm: Int16Array): Taken {
    if (this.#ended) return 'ended';
    const to = this.#channels[channel];
    if (to === undefined) return 'channel';
    if (this.#backlog > MAX_BACKLOG_SECONDS * this.rate) return 'overload';
    let sound = pcm;
    if (Number.isFinite(clock)) {
      this.#origin ??= clock;
      const gap = Math.round((clock - this.#origin) * this.rate) - to.received;
      if (gap > MAX_GAP * this.rate) return 'clock';
      if (gap > JITTER * this.rate) this.#silence(channel, gap);
      else if (gap < -JITTER * this.rate) {
        // the head of it lies before what has been heard already
        if (-gap >= pcm.length) return 'late';
        sound = pcm.subarray(-gap);
      }
    } else this.#origin ??= 0;
    to.received += sound.length;
    this.#backlog += sound.length;
    this.#put({ channel, samples: fromInt16(sound) });
    return 'taken';
  }

  /** Time has come so far on all channels: what was not sent is silence. */
  clock(clock: number): Taken {
    if (this.#ended) return 'ended';
    this.#origin ??= clock;
    const now = Math.round((clock - this.#origin) * this.rate);
    if (this.#channels.some(({ received }) => now - received > MAX_GAP * this.rate)) return 'clock';
    this.#channels.forEach(({ received }, channel) => {
      if (now > received) this.#silence(channel, now - received);
    });
    return 'taken';
  }

  /** No more will come. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  #silence(channel: number, samples: number): void {
    const to = this.#channels[channel];
    if (to === undefined) return;
    to.received += samples;
    this.#put({ channel, silence: samples });
  }

  #put(piece: Piece): void {
    this.#pieces.push(piece);
    this.#wake?.();
  }

  async *chunks(signal?: AbortSignal): AsyncIterable<PcmChunk> {
    const stop = (): void => {
      this.#wake?.();
    };
    signal?.addEventListener('abort', stop, { once: true });
    for (;;) {
      if (signal?.aborted === true) break;
      const piece = this.#pieces.shift();
      if (piece === undefined) {
        if (this.#ended) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const channel = this.#channels[piece.channel];
      if (channel === undefined) continue;
      if ('samples' in piece) {
        this.#backlog -= piece.samples.length;
        yield* handOn(channel, channel.resampler.process(piece.samples));
      } else {
        for (let left = piece.silence; left > 0; left -= PIECE * this.rate) yield* handOn(channel, channel.resampler.process(new Float32Array(Math.min(left, PIECE * this.rate))));
      }
    }
    if (signal?.aborted !== true) for (const channel of this.#channels) yield* handOn(channel, channel.resampler.flush());
    signal?.removeEventListener('abort', stop);
    this.#ended = true;
    this.#pieces.length = 0;
  }
}

function* handOn(channel: Channel, samples: Float32Array): Generator<PcmChunk, void, undefined> {
  if (samples.length === 0) return;
  yield { channel: channel.name, startSample: channel.position, samples };
  channel.position += samples.length;
}
