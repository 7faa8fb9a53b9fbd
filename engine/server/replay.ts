/**
 * A recording played as if it came in live, with a hand on time: pause, going elsewhere, faster.
 *
 * There are two times: where the listener is (`position`), and how far the engine has listened (`heard`). The engine never listens beyond the
 * position, and never twice. Going forward over what it has not heard makes it listen to that at once; going back makes it wait.
 */
import type { AudioSource, Notice, PcmChunk } from '../domain/stages.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import { inStep, systemClock, type Clock } from '../audio/pace.js';

export type Speed = number | 'max';

export interface ReplayState {
  readonly position: number;
  readonly playing: boolean;
  readonly speed: Speed;
  readonly duration: number | undefined;
  readonly heard: number;
}

export class Replay implements AudioSource {
  readonly name: string;
  readonly channels: readonly string[];
  readonly duration: number | undefined;
  #playing = true;
  /** Somebody listens: until then no time passes. */
  #started = false;
  #base = 0;
  #since: number;
  #heard = 0;
  #done = false;
  #change = new AbortController();

  /** @param onChange told when the state is another one than time makes it by itself. */
  constructor(
    private readonly source: AudioSource,
    private speedNow: Speed,
    private readonly onChange: (state: ReplayState) => void = () => undefined,
    private readonly clock: Clock = systemClock,
  ) {
    this.name = source.name;
    this.channels = source.channels;
    this.duration = source.duration;
    this.#since = clock.now();
  }

  get notices(): readonly Notice[] {
    return this.source.notices;
  }

  get state(): ReplayState {
    return { position: this.#position(), playing: this.#playing, speed: this.speedNow, duration: this.duration, heard: this.#heard };
  }

  /** Does what is asked, all of it at once. Positions beyond the ends are the ends. */
  control(wish: { readonly playing?: boolean | undefined; readonly position?: number | undefined; readonly speed?: Speed | undefined }): void {
    const position = this.#position();
    this.#base = Math.max(0, Math.min(wish.position ?? position, this.duration ?? Infinity));
    this.#since = this.clock.now();
    if (wish.playing !== undefined) this.#playing = wish.playing;
    if (wish.speed !== undefined) this.speedNow = wish.speed;
    this.#change.abort();
    this.#change = new AbortController();
    this.onChange(this.state);
  }

  #position(): number {
    if (!this.#playing || !this.#started) return this.#base;
    // as fast as it goes: the listener is where the engine is
    const now = this.speedNow === 'max' ? Math.max(this.#base, this.#heard) : this.#base + ((this.clock.now() - this.#since) / 1000) * this.speedNow;
    return Math.min(now, this.#done ? this.#heard : (this.duration ?? Infinity));
  }

  async *chunks(signal?: AbortSignal): AsyncIterable<PcmChunk> {
    this.#started = true;
    this.#since = this.clock.now();
    this.onChange(this.state);
    for await (const piece of inStep(this.source.chunks(signal))) {
      await this.#due((piece.startSample + piece.samples.length) / SAMPLE_RATE, signal);
      yield piece;
      this.#heard = Math.max(this.#heard, (piece.startSample + piece.samples.length) / SAMPLE_RATE);
    }
    const position = this.#position();
    this.#done = true;
    this.#base = Math.min(position, this.#heard);
    this.#since = this.clock.now();
    this.onChange(this.state);
  }

  /** Waits until the listener is at `end`. */
  async #due(end: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      if (signal?.aborted === true || (this.#playing && this.speedNow === 'max') || this.#position() >= end) return;
      const changed = AbortSignal.any([this.#change.signal, ...(signal === undefined ? [] : [signal])]);
      const wait = this.#playing && this.speedNow !== 'max' ? ((end - this.#position()) / this.speedNow) * 1000 : 3_600_000;
      await this.clock.sleep(Math.max(1, wait), changed);
    }
  }
}
