import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from './lock.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearback-lock-'));
  file = join(folder, 'deep', 'm.lock');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The id of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? -1;
}

describe('the lock of a pull', () => {
  it('is held by one at a time, and names the process', async () => {
    const giveBack = await takeLock(file, 'm');
    await expect(takeLock(file, 'm')).rejects.toMatchObject({ code: 'usage', message: `m is being pulled already (process ${process.pid}).` });
    await giveBack();
    await (await takeLock(file, 'm'))();
    expect(await readdir(join(folder, 'deep'))).toEqual([]);
  });

  it('is taken over from a process that died', async () => {
    await (await takeLock(file, 'm'))();
    await writeFile(file, JSON.stringify({ pid: await deadProcess(), host: hostname(), token: 'x' }));
    await (await takeLock(file, 'm'))();
  });

  it('is not taken over from a live process', async () => {
    await (await takeLock(file, 'm'))();
    await writeFile(file, JSON.stringify({ pid: process.ppid, host: hostname(), token: 'x' }));
    await expect(takeLock(file, 'm')).rejects.toThrow('being pulled already');
  });

  it('is taken over from another machine only when it was not touched for a minute', async () => {
    await (await takeLock(file, 'm'))();
    await writeFile(file, JSON.stringify({ pid: 1, host: 'elsewhere', token: 'x' }));
    await expect(takeLock(file, 'm')).rejects.toThrow('being pulled already');
    const old = new Date(Date.now() - 90_000);
    await utimes(file, old, old);
    await (await takeLock(file, 'm'))();
  });

  it('goes to exactly one of many who see the same dead owner', async () => {
    await (await takeLock(file, 'm'))();
    const pid = await deadProcess();
    for (let round = 0; round < 40; round++) {
      await writeFile(file, JSON.stringify({ pid, host: hostname(), token: 'x' }));
      const tries = await Promise.allSettled(
        Array.from({ length: 12 }, async (_, index) => {
          // each a little later than the one before, so that they meet at every step
          for (let turn = 0; turn < index * (round % 4); turn++) await new Promise(setImmediate);
          return takeLock(file, 'm');
        }),
      );
      const won = tries.filter((attempt) => attempt.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const winner of won) await winner.value();
    }
  });

  it('of somebody else is left alone when giving back', async () => {
    const giveBack = await takeLock(file, 'm');
    const theirs = JSON.stringify({ pid: 1, host: 'elsewhere', token: 'theirs' });
    await writeFile(file, theirs);
    await giveBack();
    expect(await readFile(file, 'utf8')).toBe(theirs);
  });
});
