import { describe, expect, it } from 'vitest';
import type { PcmChunk } from '../domain/stages.js';
import { MAX_BACKLOG_SECONDS, PushedSource } from './pushed.js';

const pcm = (seconds: number, value = 8192): Int16Array => new Int16Array(Math.round(seconds * 16_000)).fill(value);

async function heard(source: PushedSource): Promise<Record<string, { length: number; loud: [number, number][] }>> {
  source.end();
  const all = new Map<string, number[]>();
  for await (const { channel, startSample, samples } of source.chunks()) {
    const of = all.get(channel) ?? [];
    all.set(channel, of);
    expect(startSample).toBe(of.length); // in order, without gaps
    for (const value of samples) of.push(value);
  }
  return Object.fromEntries(
    [...all].map(([channel, samples]) => {
      const loud: [number, number][] = [];
      samples.forEach((value, n) => {
        if (value === 0) return;
        const last = loud.at(-1);
        if (last?.[1] === n) last[1] = n + 1;
        else loud.push([n, n + 1]);
      });
      return [channel, { length: samples.length / 16_000, loud: loud.map(([a, b]): [number, number] => [a / 16_000, b / 16_000]) }];
    }),
  );
}

describe('pushed audio', () => {
  it('lies where the client’s clock says, and what was not sent is silence', async () => {
    const source = new PushedSource('sim', ['a', 'b'], 16_000);
    expect(source.push(0, 500, pcm(1))).toBe('taken');
    expect(source.push(0, 504, pcm(1))).toBe('taken');
    expect(source.push(1, 502.5, pcm(0.5))).toBe('taken');
    expect(source.clock(510)).toBe('taken');
    expect(await heard(source)).toEqual({ a: { length: 10, loud: [[0, 1], [4, 5]] }, b: { length: 10, loud: [[2.5, 3]] } });
  });
  it('takes the jitter of sending for what it is', async () => {
    const source = new PushedSource('sim', ['a'], 16_000);
    for (let n = 0; n < 20; n++) source.push(0, n * 0.1 + (n % 2 === 0 ? 0.03 : -0.03), pcm(0.1));
    expect(await heard(source)).toEqual({ a: { length: 2, loud: [[0, 2]] } });
  });
  it('drops what lies before what was heard already, and the overlap of what begins before it', async () => {
    const source = new PushedSource('sim', ['a'], 16_000);
    source.push(0, 10, pcm(2));
    expect(source.push(0, 10.5, pcm(1))).toBe('late');
    expect(source.push(0, 11.5, pcm(1))).toBe('taken');
    expect(await heard(source)).toEqual({ a: { length: 2.5, loud: [[0, 2.5]] } });
  });
  it('without a clock, one piece follows the other', async () => {
    const source = new PushedSource('mic', ['a'], 16_000);
    source.push(0, NaN, pcm(1));
    source.push(0, NaN, pcm(1));
    expect((await heard(source))['a']?.length).toBe(2);
  });
  it('refuses channels it has not, clocks that leap, too much at once, and anything after its end', () => {
    const source = new PushedSource('sim', ['a'], 16_000);
    expect(source.push(1, 0, pcm(1))).toBe('channel');
    expect(source.push(0, 0, pcm(1))).toBe('taken');
    expect(source.push(0, 4000, pcm(1))).toBe('clock');
    expect(source.clock(1e9)).toBe('clock');
    let taken = 1;
    while (source.push(0, NaN, pcm(1)) === 'taken') taken++;
    expect(taken).toBe(MAX_BACKLOG_SECONDS + 1);
    source.end();
    expect(source.push(0, NaN, pcm(1))).toBe('ended');
  });
  it('resamples other rates, with the times unchanged', async () => {
    const source = new PushedSource('sim', ['a'], 8000);
    source.push(0, 0, new Int16Array(8000).fill(8192));
    source.clock(3);
    const { a } = await heard(source);
    expect(a?.length).toBeCloseTo(3, 3);
  });
  it('wakes a listener that waits', async () => {
    const source = new PushedSource('sim', ['a'], 16_000);
    const chunks: PcmChunk[] = [];
    const reading = (async () => {
      for await (const chunk of source.chunks()) chunks.push(chunk);
    })();
    await new Promise((resolve) => setTimeout(resolve, 5));
    source.push(0, 0, pcm(0.1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(chunks).toHaveLength(1);
    source.end();
    await reading;
  });
});
