/** MP3 whose rate changes and that has no index, joined from frames: a guess from the first rate leads to another moment. */
import { readFileSync } from 'node:fs';
import { fixture } from './audio.js';

/** 576 samples at 16 kHz. */
const FRAME_SECONDS = 0.036;

export interface Talk {
  /** Second at which it shall begin. */
  readonly at: number;
  /** Name of a fixture with its frames, such as frames-west-1-instruction-32.mp3. */
  readonly frames: string;
}

/** No frame leans on the one before (no bit reservoir), so that frames can be repeated at will. */
function framesOf(name: string): Buffer[] {
  const bytes = readFileSync(fixture(name));
  const length = (72 * Number(/-(\d+)\.mp3$/.exec(name)?.[1]) * 1000) / 16_000;
  return Array.from({ length: bytes.length / length }, (_, n) => bytes.subarray(n * length, (n + 1) * length));
}

/**
 * A recording with talk in it. The first third of its silence takes eight times the room of the rest.
 *
 * @returns its bytes, and the second at which each talk really begins (a whole frame).
 */
export function variableRate(seconds: number, talks: readonly Talk[]): { readonly bytes: Buffer; readonly begins: readonly number[] } {
  const middle = (list: readonly Buffer[]): Buffer => list[Math.floor(list.length / 2)] ?? Buffer.alloc(0);
  const quiet = { low: middle(framesOf('frames-silence-8.mp3')), high: middle(framesOf('frames-silence-64.mp3')) };
  const all: Buffer[] = [];
  const until = (end: number): void => {
    while (all.length * FRAME_SECONDS < end) all.push(all.length * FRAME_SECONDS < seconds / 3 ? quiet.high : quiet.low);
  };
  const begins = talks.map(({ at, frames }) => {
    until(at);
    const begin = all.length * FRAME_SECONDS;
    all.push(...framesOf(frames));
    return begin;
  });
  until(seconds);
  return { bytes: Buffer.concat(all), begins };
}
