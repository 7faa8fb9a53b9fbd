/**
 * The recording, heard in step with its replay: pieces are fetched as the engine has stored them and put one behind the other. Above twice the
 * speed there is no sound: nobody understands it.
 */
import { channelAudio } from '../engine/api.js';
import type { Replay } from '../engine/connection.js';

const RATE = 16_000;
const HEADER_BYTES = 44;
const PIECE_SECONDS = 1;
/** Sound may be so far from where the replay is before it is put right. */
const TOLERANCE = 0.6;
export const FASTEST_HEARD = 2;

/** Where a replay is now, seconds. */
export function positionNow(replay: Replay, now = Date.now()): number {
  if (!replay.playing || replay.speed === 'max') return replay.position;
  const position = replay.position + ((now - replay.at) / 1000) * replay.speed;
  return replay.duration === undefined ? position : Math.min(position, replay.duration);
}

export class StepPlayer {
  readonly #session: string;
  readonly #channels: number;
  #context: AudioContext | undefined;
  #replay: Replay | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Position up to which sound has been handed over, and the audio clock's time there. */
  #until = 0;
  #untilAt = 0;
  #busy = false;
  #round = 0;
  readonly #playing = new Set<AudioBufferSourceNode>();

  constructor(session: string, channels: number) {
    this.#session = session;
    this.#channels = channels;
  }

  start(): void {
    this.#context ??= new AudioContext();
    void this.#context.resume();
    this.#timer ??= setInterval(() => {
      void this.#feed();
    }, 200);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#silence();
    void this.#context?.close();
    this.#context = undefined;
  }

  follow(replay: Replay): void {
    const before = this.#replay;
    this.#replay = replay;
    if (before !== undefined && (before.playing !== replay.playing || before.speed !== replay.speed || Math.abs(positionNow(before) - positionNow(replay)) > TOLERANCE)) this.#silence();
  }

  #silence(): void {
    this.#round += 1;
    for (const node of this.#playing) node.stop();
    this.#playing.clear();
    this.#untilAt = 0;
  }

  async #feed(): Promise<void> {
    const replay = this.#replay;
    const context = this.#context;
    if (this.#busy || replay === undefined || context === undefined || !replay.playing || replay.speed === 'max' || replay.speed > FASTEST_HEARD) return;
    // a piece behind the replay: what is played has been stored by then
    const here = positionNow(replay) - PIECE_SECONDS;
    if (here < 0) return;
    const heardAt = this.#untilAt === 0 ? -Infinity : this.#until - (this.#untilAt - context.currentTime) * replay.speed;
    if (Math.abs(heardAt - here) > TOLERANCE) {
      this.#silence();
      this.#until = here;
      this.#untilAt = context.currentTime + 0.05;
    }
    if (this.#untilAt - context.currentTime > 0.6) return;
    this.#busy = true;
    const round = this.#round;
    try {
      const pieces = await Promise.all(Array.from({ length: this.#channels }, (_, channel) => this.#fetch(channel, this.#until)));
      const length = Math.max(0, ...pieces.map((piece) => piece.length));
      if (round !== this.#round || length === 0) return;
      for (const piece of pieces) {
        if (piece.length === 0) continue;
        const buffer = context.createBuffer(1, piece.length, RATE);
        buffer.copyToChannel(piece, 0);
        const node = context.createBufferSource();
        node.buffer = buffer;
        node.playbackRate.value = replay.speed;
        node.connect(context.destination);
        node.start(Math.max(this.#untilAt, context.currentTime));
        this.#playing.add(node);
        node.onended = () => {
          this.#playing.delete(node);
        };
      }
      this.#until += length / RATE;
      this.#untilAt += length / RATE / replay.speed;
    } finally {
      this.#busy = false;
    }
  }

  async #fetch(channel: number, from: number): Promise<Float32Array<ArrayBuffer>> {
    const first = HEADER_BYTES + Math.round(from * RATE) * 2;
    const response = await fetch(channelAudio(this.#session, channel), { headers: { range: `bytes=${first}-${first + PIECE_SECONDS * RATE * 2 - 1}` } }).catch(() => undefined);
    if (response?.status !== 206) return new Float32Array(0);
    const view = new DataView(await response.arrayBuffer());
    return Float32Array.from({ length: Math.floor(view.byteLength / 2) }, (_, at) => view.getInt16(at * 2, true) / 32_768);
  }
}
