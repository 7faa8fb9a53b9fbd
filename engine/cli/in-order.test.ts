import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inOrder } from './in-order.js';

/** Work that says when it begins and ends; item n takes as long as told. */
function work(log: string[], took: (item: number) => number) {
  return async function* (item: number): AsyncGenerator<string> {
    log.push(`begin ${item}`);
    try {
      yield `${item}a`;
      await sleep(took(item));
      if (item < 0) throw new Error(`no ${item}`);
      yield `${item}b`;
    } finally {
      log.push(`end ${item}`);
    }
  };
}

async function told(items: readonly number[], atOnce: number, each: (item: number) => AsyncIterable<string>): Promise<string[]> {
  const out: string[] = [];
  for (const { item, index, lines } of inOrder(items, atOnce, each)) {
    expect(items[index]).toBe(item);
    try {
      for await (const line of lines) out.push(line);
    } catch (thrown) {
      out.push((thrown as Error).message);
    }
  }
  return out;
}

describe('inOrder', () => {
  it('tells in the order of the items, whichever is done first, and a failure in its place', async () => {
    const log: string[] = [];
    expect(await told([1, 2, -3, 4], 3, work(log, (item) => (item === 1 ? 60 : 1)))).toEqual(['1a', '1b', '2a', '2b', '-3a', 'no -3', '4a', '4b']);
    expect(log.indexOf('end 2')).toBeLessThan(log.indexOf('end 1'));
    expect(log.indexOf('begin 4')).toBeLessThan(log.indexOf('end 1'));
  });

  it('never has more under way than asked for', async () => {
    let now = 0;
    let most = 0;
    const lines = await told([1, 2, 3, 4, 5, 6, 7], 2, async function* (item) {
      most = Math.max(most, ++now);
      await sleep(5);
      now--;
      yield String(item);
    });
    expect(lines).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(most).toBe(2);
  });

  it('does one at a time with one', async () => {
    const log: string[] = [];
    await told([1, 2, 3], 1, work(log, () => 1));
    expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('ends the work on all when whoever listens leaves, and begins no more', async () => {
    const log: string[] = [];
    for (const { lines } of inOrder([1, 2, 3, 4, 5], 2, work(log, () => 20))) {
      for await (const line of lines) if (line === '1a') break;
      break;
    }
    await sleep(80);
    expect(log.filter((line) => line.startsWith('begin'))).toEqual(['begin 1', 'begin 2']);
    expect(log.filter((line) => line.startsWith('end')).sort()).toEqual(['end 1', 'end 2']);
  });

  it('does not run away from a first item that takes long', async () => {
    const log: string[] = [];
    const all = Array.from({ length: 40 }, (_, i) => i + 1);
    await told(all, 2, work(log, (item) => (item === 1 ? 150 : 0)));
    expect(log.slice(0, log.indexOf('end 1')).filter((line) => line.startsWith('begin'))).toHaveLength(16);
  });
});
