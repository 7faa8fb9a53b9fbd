/**
 * A fault that was reported of neighbouring programs, made anew: an hour of MP3 at changing rates without an index, in which a
 * guess from the first rate leads to another moment.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAudio, readWavSamples } from '../engine/audio/index.js';
import { openSession } from '../engine/session/index.js';
import { hearback, scratch, type Ran } from './command.js';
import { fixture } from './support/audio.js';
import { blocks, type Block } from './support/listening.js';

const { dir, remove } = scratch('outside hour');
afterAll(remove);

describe('an hour of MP3 whose rate changes and that has no index', () => {
  /** 576 samples at 16 kHz. */
  const FRAME_SECONDS = 0.036;
  /** What the encoder puts before the sound, seconds (1105 samples). */
  const DELAY = 0.069;
  const path = join(dir, 'an hour.mp3');
  const session = join(dir, 'an hour');
  const said: { at: number; block: Block }[] = [];
  let ran: Ran;

  beforeAll(async () => {
    // no frame leans on the one before (no bit reservoir), so frames can be repeated at will
    const frames = (name: string): Buffer[] => {
      const bytes = readFileSync(fixture(name));
      const kbits = Number(/-(\d+)\.mp3$/.exec(name)?.[1]);
      const length = (72 * kbits * 1000) / 16_000;
      return Array.from({ length: bytes.length / length }, (_, n) => bytes.subarray(n * length, (n + 1) * length));
    };
    const middle = (list: readonly Buffer[]): Buffer => list[Math.floor(list.length / 2)] ?? Buffer.alloc(0);
    const quiet = { 8: middle(frames('frames-silence-8.mp3')), 64: middle(frames('frames-silence-64.mp3')) };
    const [i, e, r] = await blocks('west-1-instruction', 'east-2-instruction', 'west-2-readback');
    const talk = [
      { minute: 5, block: i, frames: frames('frames-west-1-instruction-32.mp3') },
      { minute: 30, block: e, frames: frames('frames-east-2-instruction-64.mp3') },
      { minute: 55, block: r, frames: frames('frames-west-2-readback-40.mp3') },
    ];
    const hour: Buffer[] = [];
    for (const { minute, block, frames: sound } of talk) {
      // the silence from the tenth to the twentieth minute takes eight times the room of the rest
      while (hour.length * FRAME_SECONDS < minute * 60) hour.push(hour.length * FRAME_SECONDS >= 600 && hour.length * FRAME_SECONDS < 1200 ? quiet[64] : quiet[8]);
      said.push({ at: hour.length * FRAME_SECONDS + DELAY, block });
      hour.push(...sound);
    }
    while (hour.length < 3600 / FRAME_SECONDS) hour.push(quiet[8]);
    writeFileSync(path, Buffer.concat(hour));
    ran = await hearback(['monitor', path, '--speed', 'max', '--json', '--session', session]);
  }, 300_000);

  it('is sixty minutes long, before it is read and after', async () => {
    expect(Math.abs(((await openAudio(path)).duration ?? 0) - 3600)).toBeLessThan(1);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/^(1:00:00|59:59) of audio/m);
  });
  it('has its transmissions at 5, 30 and 55 minutes, and what is stored for each is that transmission', async () => {
    const log = openSession(session, { readonly: true });
    const found = [...log.state.transmissions.values()];
    expect(found.map((t) => t.recognition?.text)).toEqual(said.map(({ block }) => block.text));
    for (const [n, { at, block }] of said.entries()) {
      const { capture } = found[n] ?? {};
      if (capture === undefined) throw new Error('not captured');
      const { samples } = await readWavSamples(join(session, capture.audio));
      expect(samples.length / 16_000).toBeCloseTo(capture.end - capture.start, 2);
      const { lag, likeness } = lagOf(block.samples, samples);
      expect(likeness, `transmission ${n + 1}`).toBeGreaterThan(0.9);
      // the place of the sound in the recording, by its own samples
      expect(Math.abs(capture.start + lag - at)).toBeLessThan(0.3);
    }
    log.close();
  });
});

/** Where in `audio` the first second of `sound` lies best (seconds), and how much alike they are there (0…1). */
function lagOf(sound: Float32Array, audio: Float32Array): { lag: number; likeness: number } {
  const piece = sound.subarray(4000, 20_000);
  let best = { lag: 0, likeness: -1 };
  const energy = piece.reduce((sum, x) => sum + x * x, 0);
  for (let from = 0; from + piece.length <= audio.length; from++) {
    let product = 0;
    let other = 0;
    // every second sample in the search is enough for speech below 4 kHz
    for (let k = 0; k < piece.length; k += 2) {
      const y = audio[from + k] ?? 0;
      product += (piece[k] ?? 0) * y;
      other += y * y;
    }
    const likeness = (2 * product) / Math.sqrt(energy * 2 * other || Infinity);
    if (likeness > best.likeness) best = { lag: (from - 4000) / 16_000, likeness };
  }
  return best;
}
