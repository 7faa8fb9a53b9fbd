/**
 * Everything that was on a channel, from its first sample to its last, and reading any stretch of it. Beside the transmissions, whose
 * audio is what the log stands on: a recording that breaks off costs nothing but the sound between them.
 */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toInt16 } from '../domain/pcm.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import { audioPath } from './audio-store.js';
import { storageError } from './database.js';
import { inOrder, type SessionState } from './state.js';

/** Folder of the recordings inside a session folder: one file a channel, in the order of session.started; 16 kHz, mono, 16 bits, no header. */
export const RECORDING_FOLDER = 'recording';
const fileName = (channel: number): string => `${channel}.pcm`;
/** Names that the folder's files can have. */
export const isRecordingName = (name: string): boolean => /^\d{1,3}\.pcm$/.test(name);
/** Bytes before the samples of a transmission's WAV. */
const WAV_HEADER = 44;

/** Writes the channels of a session as they come. Not synced: what the system loses in a power cut is silence later. */
export class ChannelRecorder {
  readonly #dir: string;
  readonly #files = new Map<number, number>();

  constructor(sessionDir: string) {
    this.#dir = join(sessionDir, RECORDING_FOLDER);
  }

  /**
   * @param startSample where the samples belong on the channel's time line; a stretch may be written again.
   * @throws HearbackError `disk-full`, `session`
   */
  write(channel: number, startSample: number, samples: Float32Array): void {
    try {
      let file = this.#files.get(channel);
      if (file === undefined) {
        mkdirSync(this.#dir, { recursive: true });
        const path = join(this.#dir, fileName(channel));
        file = openSync(path, existsSync(path) ? 'r+' : 'w+');
        this.#files.set(channel, file);
      }
      const pcm = toInt16(samples);
      const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, startSample * 2 + done);
    } catch (thrown) {
      throw storageError(thrown, this.#dir);
    }
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }
}

/** The sound of one channel of a session. */
export interface ChannelAudio {
  readonly index: number;
  readonly channel: string;
  /** whole: everything that was on the channel. transmissions: silence stands between them. */
  readonly kind: 'whole' | 'transmissions';
  /** Samples at 16 kHz, as far as is known now. */
  readonly samples: number;
  /** Samples [from, from + count), as far as they are inside. */
  read(from: number, count: number): Int16Array;
}

/** Stretches of files, laid on a time line; what no stretch covers is silence. */
interface Stretch {
  readonly start: number;
  readonly samples: number;
  readonly path: string;
  readonly offset: number;
}

/**
 * The channels of a session, with the recording where one was kept and as long as it is whole, else with the transmissions in their places.
 *
 * @param seconds length of the session, which silence at the end makes up.
 */
export function channelAudio(dir: string, state: SessionState, seconds: number): readonly ChannelAudio[] {
  const channels = state.meta?.channels ?? [...new Set(inOrder(state).flatMap(({ capture }) => capture?.channel ?? []))];
  return channels.map((channel, index) => {
    const recorded = join(dir, RECORDING_FOLDER, fileName(index));
    const captures = inOrder(state).flatMap(({ capture }) => (capture?.channel === channel && capture.audio !== '' ? [capture] : []));
    const needed = Math.max(0, ...captures.map((capture) => Math.round(capture.end * SAMPLE_RATE)));
    const there = existsSync(recorded) ? Math.floor(statSync(recorded).size / 2) : 0;
    // a recording that ends before the last transmission broke off; half a second is what may be under way
    const whole = there > 0 && there >= needed - SAMPLE_RATE / 2;
    const stretches: Stretch[] = whole
      ? [{ start: 0, samples: there, path: recorded, offset: 0 }]
      : captures.flatMap((capture) => {
          try {
            const path = audioPath(dir, capture.audio);
            return [{ start: Math.round(capture.start * SAMPLE_RATE), samples: Math.max(0, Math.floor((statSync(path).size - WAV_HEADER) / 2)), path, offset: WAV_HEADER }];
          } catch {
            return []; // missing audio is silence here, and told where the session is opened
          }
        });
    const samples = Math.max(whole ? there : Math.round(seconds * SAMPLE_RATE), needed);
    return {
      index,
      channel,
      kind: whole ? 'whole' : 'transmissions',
      samples,
      read: (from, count) => readStretches(stretches, Math.max(0, Math.min(from, samples)), Math.max(0, Math.min(count, samples - from))),
    };
  });
}

function readStretches(stretches: readonly Stretch[], from: number, count: number): Int16Array {
  const out = Buffer.alloc(count * 2);
  for (const { start, samples, path, offset } of stretches) {
    const first = Math.max(from, start);
    const last = Math.min(from + count, start + samples);
    if (first >= last) continue;
    const file = openSync(path, 'r');
    try {
      const wanted = (last - first) * 2;
      const room = Math.min(wanted, Math.max(0, fstatSync(file).size - offset - (first - start) * 2));
      for (let done = 0; done < room; ) {
        const got = readSync(file, out, (first - from) * 2 + done, room - done, offset + (first - start) * 2 + done);
        if (got === 0) break;
        done += got;
      }
    } finally {
      closeSync(file);
    }
  }
  return new Int16Array(out.buffer, out.byteOffset, count);
}
