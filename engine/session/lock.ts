/**
 * One writer a session.
 *
 * The lock is an exclusive SQLite lock on an empty file: the operating system gives it up when the process dies, however it
 * dies, so that a crash leaves nothing to clear away and a reused process number cannot lock anyone out. A small text file
 * beside it only says who holds it.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { HearbackError } from '../domain/result.js';
import { isBusy, openDatabase, storageError } from './database.js';

/** File names inside a session folder. No other code may open the lock file: closing any handle on it would drop the lock. */
export const LOCK_FILE = 'writer.lock';
export const WRITER_FILE = 'writer.json';

const Writer = z.object({ pid: z.number().int(), host: z.string(), since: z.string() });
/** Who writes a session. */
export type Writer = z.infer<typeof Writer>;

export interface WriterLock {
  release(): void;
}

/** Who last said to be writing, whether or not it still does; undefined when nobody did. */
function lastWriter(dir: string): Writer | undefined {
  try {
    return Writer.parse(JSON.parse(readFileSync(join(dir, WRITER_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Takes the session for writing.
 *
 * @throws HearbackError `session` naming the process that has it.
 */
export function takeWriterLock(dir: string, now: () => Date): WriterLock {
  // a reader that asks who is writing holds the file for a moment
  const lock = openDatabase(join(dir, LOCK_FILE), 'write', 300);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    lock.close();
    if (!isBusy(thrown)) throw storageError(thrown, join(dir, LOCK_FILE));
    const writer = lastWriter(dir);
    const who = writer === undefined ? 'another process' : `process ${writer.pid} on ${writer.host} (since ${writer.since})`;
    throw new HearbackError('session', `The session in ${dir} is being written by ${who}.`, {
      hint: 'Stop that one first, or open the session for reading.',
      cause: thrown,
    });
  }
  const writerFile = join(dir, WRITER_FILE);
  try {
    const writer: Writer = { pid: process.pid, host: hostname(), since: now().toISOString() };
    writeFileSync(writerFile, `${JSON.stringify(writer)}\n`);
  } catch (thrown) {
    lock.close();
    throw storageError(thrown, writerFile);
  }
  return {
    release: () => {
      rmSync(writerFile, { force: true });
      lock.exec('ROLLBACK');
      lock.close();
    },
  };
}

/** Who is writing the session now, or undefined. Never waits; changes nothing, needs no right to write. */
export function currentWriter(dir: string): Writer | undefined {
  const writer = lastWriter(dir);
  if (writer === undefined) return undefined;
  try {
    const probe = openDatabase(join(dir, LOCK_FILE), 'read', 0);
    try {
      // reading needs a shared lock, which an exclusive one refuses
      probe.prepare('SELECT count(*) AS n FROM sqlite_master').get();
      return undefined;
    } catch (thrown) {
      return isBusy(thrown) ? writer : undefined;
    } finally {
      probe.close();
    }
  } catch {
    return undefined;
  }
}
