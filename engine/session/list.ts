/**
 * What sessions there are, and taking one away.
 */
import { existsSync, lstatSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HearbackError } from '../domain/result.js';
import { countsOf, secondsOf, type Counts } from './answer.js';
import { AUDIO_FOLDER, isAudioFileName } from './audio-store.js';
import { storageError } from './database.js';
import { isRecordingName, RECORDING_FOLDER } from './recording.js';
import { currentWriter, LOCK_FILE, takeWriterLock, type Writer } from './lock.js';
import { decodeRow, LOG_FILE, openLogForReading, readIdentity, SESSION_ENTRIES } from './session.js';
import { LiveState } from './state.js';

/** One line of the list of sessions. */
export interface SessionSummary {
  readonly kind: 'session';
  /** Absolute path of the folder. */
  readonly path: string;
  readonly id: string;
  readonly name: string;
  /** ISO 8601: when monitoring started, or when the session was made if it never did. */
  readonly started: string;
  readonly source: string | undefined;
  /** Length of the recording so far, seconds. */
  readonly seconds: number;
  readonly counts: Counts;
  /** Why it ended; undefined while it runs, or when the program stopped without saying so. */
  readonly ended: 'end-of-audio' | 'stopped' | 'failed' | undefined;
  /** Who is writing it now. */
  readonly writer: Writer | undefined;
  /** Size of the folder in bytes. */
  readonly bytes: number;
  /** Days that it is kept, null for good, where a person said so. */
  readonly retention?: number | null;
}

/** A folder with a log that cannot be read. */
export interface BrokenSession {
  readonly kind: 'broken';
  readonly path: string;
  readonly reason: HearbackError;
  readonly bytes: number;
}

/** Bytes of all files below a folder; links are not followed. */
function sizeOfFolder(dir: string): number {
  let bytes = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    try {
      if (entry.isDirectory()) bytes += sizeOfFolder(path);
      else if (entry.isFile()) bytes += statSync(path).size;
    } catch {
      // gone since: a running session replaces temporary files
    }
  }
  return bytes;
}

/**
 * Summary of one session without reading what the counts do not need (words and meanings are most of a log).
 *
 * @throws HearbackError as of openSession.
 */
export function summariseSession(dir: string): SessionSummary {
  const path = resolve(dir);
  const file = join(path, LOG_FILE);
  const log = openLogForReading(path);
  try {
    const identity = readIdentity(log.database, file);
    const live = new LiveState();
    const rows = log.database
      .prepare(
        `SELECT seq, at, CASE type WHEN 'transmission.recognised' THEN json_set(body, '$.words', json('[]'), '$.text', '') ELSE body END AS body
         FROM events WHERE type <> 'transmission.understood' ORDER BY seq`,
      )
      .rows();
    for (const row of rows) live.accept(decodeRow(row, file));
    const state = live.current;
    return {
      kind: 'session',
      path,
      id: identity.id,
      name: state.name ?? identity.name,
      ...(state.retention === undefined ? {} : { retention: state.retention }),
      started: state.meta?.at ?? identity.created,
      source: state.meta?.source ?? identity.source,
      seconds: secondsOf(state),
      counts: countsOf(state),
      ended: state.ended?.reason,
      writer: currentWriter(path),
      bytes: sizeOfFolder(path),
    };
  } finally {
    log.database.close();
    log.cleanUp();
  }
}

/**
 * The sessions directly inside `root` (or `root` itself when it is one), newest first, broken ones last with the reason.
 * Other folders and files are passed over. A root that does not exist has no sessions.
 *
 * @throws HearbackError when `root` is there but cannot be read.
 */
export function listSessions(root: string): readonly (SessionSummary | BrokenSession)[] {
  const folder = resolve(root);
  let candidates: string[];
  try {
    if (!existsSync(folder)) return [];
    candidates = existsSync(join(folder, LOG_FILE)) ? [folder] : readdirSync(folder).map((name) => join(folder, name)).filter((path) => existsSync(join(path, LOG_FILE)));
  } catch (thrown) {
    throw storageError(thrown, folder);
  }
  const sessions: SessionSummary[] = [];
  const broken: BrokenSession[] = [];
  for (const path of candidates) {
    try {
      sessions.push(summariseSession(path));
    } catch (thrown) {
      broken.push({ kind: 'broken', path, reason: storageError(thrown, path), bytes: statSync(path).isDirectory() ? sizeOfFolder(path) : 0 });
    }
  }
  sessions.sort((a, b) => b.started.localeCompare(a.started, 'en') || a.path.localeCompare(b.path, 'en'));
  return [...sessions, ...broken];
}

/** What deleting left behind: entries in the folder that no session puts there. */
export interface Deletion {
  readonly path: string;
  readonly left: readonly string[];
}

/**
 * Deletes a session: its log and its audio, then the folder if nothing else is in it. Only files that a session makes are
 * touched; anything else in the folder stays and is told.
 *
 * A damaged log is deleted only when everything in the folder has the name of a session's files, the lock file among them.
 *
 * @throws HearbackError `not-found`; `session` while it is being written; `invalid-input` when it is not one of ours.
 */
export function deleteSession(dir: string): Deletion {
  const path = resolve(dir);
  const refuse = (why: string): HearbackError =>
    new HearbackError('invalid-input', `${path} was not deleted: ${why}.`, { hint: 'Give the folder of a session; delete anything else by hand.' });
  let isLink: boolean;
  let isFolder: boolean;
  try {
    isLink = lstatSync(path).isSymbolicLink();
    isFolder = statSync(path).isDirectory();
  } catch (thrown) {
    throw storageError(thrown, path);
  }
  if (isLink) throw refuse(`it is a link to ${realpathSync(path)}`);
  if (!isFolder) throw refuse('it is not a folder');
  if (!existsSync(join(path, LOG_FILE))) throw refuse(`it has no ${LOG_FILE}`);
  if (path === resolve(homedir()) || path === resolve(path, '..')) throw refuse('it is not a folder for one session');
  try {
    const log = openLogForReading(path);
    log.database.close();
    log.cleanUp();
  } catch (thrown) {
    const fault = storageError(thrown, path);
    const names = readdirSync(path);
    const stranger = names.find((name) => !SESSION_ENTRIES.includes(name));
    if (fault.code === 'invalid-input') throw refuse(fault.message);
    if (stranger !== undefined) throw refuse(`its log cannot be read (${fault.message}) and it holds other files (${stranger})`);
    if (!names.includes(LOCK_FILE)) throw refuse(`its log cannot be read (${fault.message}) and nothing else shows that it is a session`);
  }
  // nobody may be writing, and nobody may begin to
  const lock = takeWriterLock(path, () => new Date());
  try {
    for (const [folder, ours] of [[join(path, AUDIO_FOLDER), isAudioFileName], [join(path, RECORDING_FOLDER), isRecordingName]] as const) {
      if (!existsSync(folder) || !lstatSync(folder).isDirectory()) continue;
      for (const name of readdirSync(folder)) if (ours(name)) rmSync(join(folder, name), { force: true, maxRetries: 3 });
      if (readdirSync(folder).length === 0) rmdirSync(folder);
    }
    // never the write-ahead log before the log: a deletion cut short would leave what looks like a whole, shorter session
    for (const name of [LOG_FILE, `${LOG_FILE}-wal`, `${LOG_FILE}-shm`, `${LOG_FILE}-journal`]) rmSync(join(path, name), { force: true, maxRetries: 3 });
  } catch (thrown) {
    lock.release();
    throw storageError(thrown, path);
  }
  lock.release();
  try {
    for (const name of SESSION_ENTRIES) if (name !== AUDIO_FOLDER && name !== RECORDING_FOLDER) rmSync(join(path, name), { force: true, maxRetries: 3 });
    const left = readdirSync(path);
    if (left.length === 0) rmdirSync(path);
    return { path, left };
  } catch (thrown) {
    throw storageError(thrown, path);
  }
}
