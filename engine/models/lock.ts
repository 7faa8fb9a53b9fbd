/**
 * One pull of a model at a time, across processes.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { HearbackError } from '../domain/result.js';
import { systemCode } from './disk.js';

const Owner = z.object({ pid: z.number().int(), host: z.string(), token: z.string() });

/** A lock whose owner has not touched it for so long is left over, ms. */
const STALE_AFTER = 60_000;
const TOUCH_EVERY = 10_000;

/** Whether a process of this machine is alive; a process of somebody else counts as alive. */
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
}

/** Who holds the lock, and whether it was left behind by a process that died. */
async function inspect(file: string): Promise<{ pid: number | undefined; stale: boolean } | undefined> {
  try {
    const age = Date.now() - (await stat(file)).mtimeMs;
    const text = await readFile(file, 'utf8');
    let owner: z.infer<typeof Owner> | undefined;
    try {
      owner = Owner.parse(JSON.parse(text));
    } catch {
      // half written: its owner is writing it now, or died while doing so
    }
    const dead = owner?.host === hostname() && !alive(owner.pid);
    return { pid: owner?.pid, stale: dead || age > STALE_AFTER };
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Creates `file` if nobody has it. */
async function create(file: string, content: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

/**
 * Takes the lock `file`. A lock whose process is dead, or that was not touched for a minute, is taken over.
 *
 * @returns the function that gives it back
 * @throws HearbackError `usage` when another pull holds it
 */
export async function takeLock(file: string, what: string): Promise<() => Promise<void>> {
  await mkdir(dirname(file), { recursive: true });
  const token = randomUUID();
  const content = JSON.stringify({ pid: process.pid, host: hostname(), token });
  const busy = (pid: number | undefined): HearbackError =>
    new HearbackError('usage', `${what} is being pulled already${pid === undefined ? '' : ` (process ${pid})`}.`, { hint: 'Wait until that is done, or stop it and try again.' });

  if (!(await create(file, content))) {
    const held = await inspect(file);
    if (held !== undefined && !held.stale) throw busy(held.pid);
    // Only one of several who see the same dead owner may clear it away, or the second would clear the first one's new lock.
    const gate = `${file}.takeover`;
    if (!(await create(gate, content))) {
      const other = await inspect(gate);
      if (other === undefined || !other.stale) throw busy(other?.pid);
      await rm(gate, { force: true });
      throw busy(undefined);
    }
    try {
      const again = await inspect(file);
      if (again !== undefined && !again.stale) throw busy(again.pid);
      await rm(file, { force: true });
      if (!(await create(file, content))) throw busy(undefined);
    } finally {
      await rm(gate, { force: true });
    }
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, TOUCH_EVERY);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    try {
      const owner = Owner.parse(JSON.parse(await readFile(file, 'utf8')));
      // somebody may have taken it over while this machine slept
      if (owner.token === token) await rm(file, { force: true });
    } catch {
      // gone or taken over: nothing of ours is left
    }
  };
}
