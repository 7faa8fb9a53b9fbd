import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { failure, interleave, noise } from '../../test/support/audio.js';
import type { AudioSource } from '../domain/stages.js';
import { pace, systemClock } from './pace.js';
import type { Clock } from './pace.js';
import { openPcmStream } from './pcm-stream.js';

/** Time that passes only by sleeping, or when a test says so. */
class TestClock implements Clock {
  time = 1000;
  now(): number {
    return this.time;
  }
  sleep(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    return Promise.resolve();
  }
}

const source = (seconds: number, channels = 1): AudioSource =>
  openPcmStream(Readable.from([interleave(Array.from({ length: channels }, (_, c) => noise(seconds * 16_000, 0.5, c)), 's16')]), { name: 'radio', channels });

describe('playing at a pace', () => {
  it.each([1, 2, 8, 0.5])('at speed %d nothing is heard before its time, and nothing late', async (speed) => {
    const clock = new TestClock();
    let samples = 0;
    for await (const chunk of pace(source(3), speed, clock).chunks()) {
      samples += chunk.samples.length;
      expect(clock.time - 1000).toBeCloseTo(((chunk.startSample + chunk.samples.length) / 16 / speed), 6);
      expect(chunk.samples.length).toBeLessThanOrEqual(800); // 50 ms, as from a sound card
    }
    expect(samples).toBe(48_000);
    expect(clock.time - 1000).toBeCloseTo(3000 / speed, 6);
  });

  it('two channels advance side by side', async () => {
    const clock = new TestClock();
    const heard = { left: 0, right: 0 };
    for await (const chunk of pace(source(2, 2), 1, clock).chunks()) {
      heard[chunk.channel as 'left' | 'right'] = chunk.startSample + chunk.samples.length;
      expect(Math.abs(heard.left - heard.right)).toBeLessThanOrEqual(800);
    }
    expect(heard).toEqual({ left: 32_000, right: 32_000 });
  });

  it('a slow receiver gets what is due at once and the end is not put off', async () => {
    const clock = new TestClock();
    let first = true;
    for await (const _ of pace(source(3), 1, clock).chunks()) {
      if (first) clock.time += 2500;
      first = false;
    }
    expect(clock.time - 1000).toBeCloseTo(3000, 6);
  });

  it('as fast as possible is the source itself', () => {
    const s = source(1);
    expect(pace(s, Infinity)).toBe(s);
  });

  it('makes no sense at 0, below, or not a number', () => {
    for (const speed of [0, -1, NaN]) expect(() => pace(source(1), speed)).toThrow(/makes no sense/);
  });

  it('stops at once while waiting', async () => {
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 30);
    const begin = Date.now();
    const error = await failure(
      (async () => {
        for await (const _ of pace(source(3), 0.001, systemClock).chunks(stop.signal));
      })(),
    );
    expect(error.code).toBe('cancelled');
    expect(Date.now() - begin).toBeLessThan(5000);
  });
});
