import { describe, expect, it } from 'vitest';
import type { Clock } from '../audio/index.js';
import type { AudioSource, PcmChunk } from '../domain/stages.js';
import { Replay, type Speed } from './replay.js';

/** Time that goes on only when it is told to. */
class TestClock implements Clock {
  time = 0;
  readonly #sleepers = new Set<{ until: number; wake: () => void }>();
  now = (): number => this.time;
  sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const sleeper = { until: this.time + milliseconds, wake: () => { this.#sleepers.delete(sleeper); resolve(); } }; // prettier-ignore
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake, { once: true });
    });
  async pass(seconds: number): Promise<void> {
    const end = this.time + seconds * 1000;
    for (;;) {
      await settle();
      const next = [...this.#sleepers].sort((a, b) => a.until - b.until)[0];
      if (next === undefined || next.until > end) break;
      this.time = Math.max(this.time, next.until);
      next.wake();
    }
    this.time = end;
    await settle();
  }
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function recording(seconds: number): AudioSource {
  return {
    name: 'r',
    channels: ['a', 'b'],
    duration: seconds,
    notices: [],
    async *chunks() {
      for (let at = 0; at < seconds; at += 0.25) for (const channel of ['a', 'b']) yield { channel, startSample: at * 16_000, samples: new Float32Array(4000) };
      await settle();
    },
  };
}

function play(seconds: number, speed: Speed): { clock: TestClock; replay: Replay; heard: PcmChunk[]; done: Promise<void>; end: () => number } {
  const clock = new TestClock();
  const replay = new Replay(recording(seconds), speed, () => undefined, clock);
  const heard: PcmChunk[] = [];
  const done = (async () => {
    for await (const chunk of replay.chunks()) heard.push(chunk);
  })();
  return { clock, replay, heard, done, end: () => Math.max(0, ...heard.map(({ startSample, samples }) => (startSample + samples.length) / 16_000)) };
}

describe('a replay', () => {
  it.each([1, 4, 20])('is heard %s times as fast as life, never ahead of the listener', async (speed) => {
    const { clock, replay, end } = play(60, speed);
    await clock.pass(2);
    expect(end()).toBeCloseTo(2 * speed, 1);
    expect(end()).toBeLessThanOrEqual(replay.state.position + 1e-9);
  });
  it('stands still while it is paused, and goes on where it was', async () => {
    const { clock, replay, end } = play(60, 1);
    await clock.pass(3);
    replay.control({ playing: false });
    await clock.pass(100);
    expect([replay.state.position, end()]).toEqual([3, 3]);
    replay.control({ playing: true, speed: 2 });
    await clock.pass(5);
    expect(replay.state.position).toBeCloseTo(13, 5);
    expect(end()).toBeCloseTo(13, 1);
  });
  it('going forward, what lies between is heard at once; going back, nothing is heard twice', async () => {
    const { clock, replay, heard, end, done } = play(60, 1);
    await clock.pass(2);
    replay.control({ position: 40 });
    await clock.pass(0.01);
    expect(end()).toBeCloseTo(40, 1);
    replay.control({ position: 10 });
    await clock.pass(20);
    expect(replay.state).toMatchObject({ position: 30 });
    expect(end()).toBeCloseTo(40, 1);
    await clock.pass(40);
    await done;
    expect(replay.state).toMatchObject({ position: 60, heard: 60 });
    for (const channel of ['a', 'b']) {
      let at = 0;
      for (const chunk of heard.filter((each) => each.channel === channel)) {
        expect(chunk.startSample).toBe(at);
        at += chunk.samples.length;
      }
      expect(at).toBe(60 * 16_000);
    }
  });
  it('as fast as it goes, and then at a pace', async () => {
    const { clock, replay, end, done } = play(30, 'max');
    await clock.pass(0.001);
    await done;
    expect(end()).toBe(30);
    expect(replay.state.position).toBe(30);
  });
  it('ends at once when it is stopped while it waits', async () => {
    const clock = new TestClock();
    const replay = new Replay(recording(60), 1, () => undefined, clock);
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _ of replay.chunks(stop.signal)) if (stop.signal.aborted) break;
    })();
    await clock.pass(1);
    stop.abort();
    await expect(Promise.race([reading.then(() => 'ended'), settle().then(settle).then(settle).then(() => 'waits')])).resolves.toBe('ended');
  });
});
