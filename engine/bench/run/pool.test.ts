import { expect, test } from 'vitest';
import { Pool } from './pool.js';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('at most so many are open, each does one thing at a time, work is taken up in turn, and all are closed', async () => {
  const closed: number[] = [];
  let opened = 0;
  const pool = new Pool(2, () => {
    const number = ++opened;
    return Promise.resolve({ number, busy: false, close: () => Promise.resolve(void closed.push(number)) });
  });
  const order: number[] = [];
  await Promise.all([1, 2, 3, 4, 5, 6].map((work) => pool.with(async (one) => {
    expect(one.busy).toBe(false);
    one.busy = true;
    order.push(work);
    await wait(5);
    one.busy = false;
  })));
  expect([opened, order]).toEqual([2, [1, 2, 3, 4, 5, 6]]);
  await pool.close();
  expect(closed.sort()).toEqual([1, 2]);
});

test('work that throws gives its one back; what cannot be opened is told to everybody who waits for it', async () => {
  const pool = new Pool(1, () => Promise.resolve({ close: () => Promise.resolve() }));
  await expect(pool.with(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await pool.with(() => Promise.resolve(7))).toBe(7);
  const broken = new Pool(1, async () => {
    await wait(1);
    throw new Error('not there');
  });
  const both = await Promise.allSettled([1, 2].map(() => broken.with(() => Promise.resolve())));
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
