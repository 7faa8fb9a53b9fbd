/**
 * A narrow, typed door to SQLite (libsql): statements that return unknown, and failures as HearbackErrors.
 */
import Libsql from 'libsql';
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { HearbackError } from '../domain/result.js';

/** A value that SQLite stores. */
type SqlValue = string | number | null;

/** One connection. All calls are synchronous; they throw HearbackError. */
export interface Database {
  /** Runs statements that take no values and return nothing. */
  exec(sql: string): void;
  /** A prepared statement; prepare once, use often. */
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: readonly SqlValue[]): void;
  /** First row, or undefined. */
  get(...values: readonly SqlValue[]): Readonly<Record<string, unknown>> | undefined;
  rows(...values: readonly SqlValue[]): Iterable<Readonly<Record<string, unknown>>>;
}

/** How to open: `write` creates a missing file; `read` never writes; `frozen` also needs no lock and no side files. */
export type OpenMode = 'write' | 'read' | 'frozen';

// primary result codes, https://www.sqlite.org/rescode.html
const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** Primary SQLite result code of a thrown value, or undefined when it is none. */
function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('rawCode' in thrown && typeof thrown.rawCode === 'number') return thrown.rawCode & 0xff;
  // libsql reports a failed open as text only: … "Unable to open connection to local database PATH: 14"
  const opening = /Unable to open connection[\s\S]*: (\d+)"?\)?$/.exec(thrown.message);
  return opening?.[1] === undefined ? undefined : Number(opening[1]) & 0xff;
}

/** The file system's own code (ENOSPC …) of a thrown value. */
function systemCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && /^E[A-Z0-9]+$/.test(thrown.code) ? thrown.code : undefined;
}

/** True when the file could not be opened or locked because its folder may not be written to. */
export function isWriteRefused(error: unknown): boolean {
  const code = error instanceof HearbackError ? sqliteCode(error.cause) : sqliteCode(error);
  return code === READONLY || code === CANTOPEN || code === PERM;
}

/** True when another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof HearbackError ? sqliteCode(error.cause) : sqliteCode(error);
  return code === BUSY || code === LOCKED;
}

/**
 * What went wrong in storage, said so that a person can act on it.
 *
 * @param path the file or folder that was worked on, as the user knows it.
 */
export function storageError(thrown: unknown, path: string): HearbackError {
  if (thrown instanceof HearbackError) return thrown;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  const fail = (code: HearbackError['code'], message: string, hint: string): HearbackError => new HearbackError(code, message, { hint, cause: thrown });
  const full = (): HearbackError =>
    fail('disk-full', `There is no room left on the disk to write ${path}.`, 'Free some space or choose a session folder on another disk; everything logged so far is kept.');
  const forbidden = (): HearbackError =>
    fail('session', `${path} cannot be written: the folder or the disk is read-only for this user.`, 'Change its permissions or choose a session folder elsewhere.');
  switch (systemCode(thrown)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return full();
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return forbidden();
    case 'ENOENT':
      return fail('not-found', `${path} does not exist.`, 'Check the path.');
    case 'ENOTDIR':
      return fail('not-found', `${path} is inside something that is not a folder.`, 'Check the path.');
    case 'ENAMETOOLONG':
      return fail('session', `${path} is too long a name for this disk.`, 'Choose a shorter folder name.');
    case 'EMFILE':
    case 'ENFILE':
      return fail('session', `Too many files are open; ${path} could not be opened.`, 'Close other sessions and try again.');
    default:
  }
  switch (sqliteCode(thrown)) {
    case FULL:
      return full();
    case READONLY:
    case PERM:
      return forbidden();
    case BUSY:
    case LOCKED:
      return fail('session', `${path} is being written by another program.`, 'Wait until it has finished and try again.');
    case NOTADB:
      return fail('unreadable', `${path} is not a session log (it is not an SQLite database).`, 'Choose the session folder itself, or restore the file from a backup.');
    case CORRUPT:
      return fail('unreadable', `${path} is damaged (${detail}).`, 'Restore the session folder from a backup; the audio in it can still be played and monitored again.');
    case CANTOPEN:
      return fail('session', `${path} could not be opened.`, 'Check that the folder exists and that this user may read and write it.');
    case IOERR:
      return fail('session', `Reading or writing ${path} failed (${detail}).`, 'Check the disk, then open the session again; everything logged so far is kept.');
    default:
      return fail('session', `${path}: ${detail}`, 'Open the session again; if it happens again, report it with this message.');
  }
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * Opens one SQLite file.
 *
 * @param file absolute path.
 * @param busyMilliseconds how long to wait for another connection's lock.
 * @throws HearbackError as of {@link storageError}.
 */
export function openDatabase(file: string, mode: OpenMode, busyMilliseconds = 5000): Database {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      throw storageError(thrown, file);
    }
  };
  // SQLite would quietly make an empty database where a reader expects one
  if (mode !== 'write') guarded(() => statSync(file));
  const target = mode === 'write' ? file : `${pathToFileURL(file).href}?mode=ro${mode === 'frozen' ? '&immutable=1' : ''}`;
  const connection = guarded(() => new Libsql(target, { timeout: busyMilliseconds }));
  return {
    exec: (sql) => {
      guarded(() => connection.exec(sql));
    },
    prepare: (sql) => {
      const statement = guarded(() => connection.prepare(sql));
      return {
        run: (...values) => {
          guarded(() => statement.run(...values));
        },
        get: (...values) => {
          const row = guarded(() => statement.get(...values));
          return isRow(row) ? row : undefined;
        },
        *rows(...values) {
          try {
            for (const row of statement.iterate(...values)) if (isRow(row)) yield row;
          } catch (thrown) {
            throw storageError(thrown, file);
          }
        },
      };
    },
    close: () => {
      guarded(() => connection.close());
    },
  };
}

/** An integer pragma such as user_version. */
export function pragmaNumber(database: Database, name: 'user_version' | 'application_id' | 'synchronous'): number {
  const value = database.prepare(`PRAGMA ${name}`).get()?.[name];
  return typeof value === 'number' ? value : 0;
}

/** Runs `work` in one transaction: all of it is on disk afterwards, or nothing. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    database.exec('COMMIT');
    return value;
  } catch (thrown) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // a full disk rolls back by itself; the first failure is the one to tell
    }
    throw thrown;
  }
}
