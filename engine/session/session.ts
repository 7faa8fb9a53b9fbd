/**
 * A session: one folder with the event log (session.db) and the audio of every transmission (audio/).
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { HearbackEvent, LoggedEvent } from '../domain/events.js';
import { HearbackError } from '../domain/result.js';
import { AUDIO_FOLDER, audioPath, checkAudio, makeAudioFolder, readAudioFile, writeAudioFile, type AudioCheck } from './audio-store.js';
import { inTransaction, isWriteRefused, openDatabase, storageError, type Database, type OpenMode, type Statement } from './database.js';
import { syncFolder } from './files.js';
import { LOCK_FILE, takeWriterLock, WRITER_FILE, type WriterLock } from './lock.js';
import { inspectSchema, migrate, MIGRATIONS, newestVersion, type Migration } from './schema.js';
import { RECORDING_FOLDER } from './recording.js';
import { LiveState, pendingTransmissions, type SessionState, type TransmissionState } from './state.js';

/** Name of the log inside a session folder. */
export const LOG_FILE = 'session.db';
/** Everything that this room puts at the top of a session folder. */
export const SESSION_ENTRIES: readonly string[] = [LOG_FILE, `${LOG_FILE}-wal`, `${LOG_FILE}-shm`, `${LOG_FILE}-journal`, LOCK_FILE, `${LOCK_FILE}-journal`, WRITER_FILE, AUDIO_FOLDER, RECORDING_FOLDER];

/** What is known when a session is made; how it is monitored comes as the event session.started. */
export interface NewSession {
  /** Name for people; the source's file name, else the folder's, when left out. */
  readonly name?: string;
  /** Recording or input, as the user gave it. */
  readonly source?: string;
  /** Program version. */
  readonly version?: string;
}

const Identity = z.object({ id: z.string(), name: z.string(), created: z.string(), source: z.string().optional(), version: z.string().optional() });
/** Who a session is: fixed at its making. `created` is ISO 8601. */
export type Identity = z.infer<typeof Identity>;

/** Things that tests and unusual callers set. */
export interface SessionOptions {
  /** Clock of the log. */
  readonly now?: () => Date;
  readonly migrations?: readonly Migration[];
}

const Row = z.object({ seq: z.number(), at: z.string(), body: z.string() });

/** One open session. Every call is synchronous and throws HearbackError (`session` once it is closed). */
export class Session {
  readonly dir: string;
  readonly readonly: boolean;
  readonly identity: Identity;
  /** What opening found in audio/ (and mended, when it was opened for writing). */
  readonly audioCheck: AudioCheck;
  readonly #database: Database;
  readonly #lock: WriterLock | undefined;
  readonly #now: () => Date;
  readonly #live = new LiveState();
  readonly #insert: Statement | undefined;
  readonly #select: Statement;
  readonly #cleanUp: () => void;
  #open = true;

  /** Use {@link createSession} and {@link openSession}. */
  constructor(parts: { dir: string; database: Database; lock: WriterLock | undefined; now: () => Date; cleanUp?: () => void }) {
    this.dir = parts.dir;
    this.readonly = parts.lock === undefined;
    this.#database = parts.database;
    this.#lock = parts.lock;
    this.#now = parts.now;
    this.#cleanUp = parts.cleanUp ?? (() => undefined);
    this.identity = readIdentity(parts.database, this.logFile);
    this.#insert = this.readonly ? undefined : parts.database.prepare('INSERT INTO events (seq, at, type, body) VALUES (?, ?, ?, ?)');
    this.#select = parts.database.prepare('SELECT seq, at, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?');
    for (const event of this.#read(0)) this.#live.accept(event);
    const captures = [...this.state.transmissions.values()].flatMap(({ capture }) => (capture === undefined ? [] : [capture.audio]));
    const suspects = [...captures.slice(-1), ...pendingTransmissions(this.state, { retryBelow: Infinity }).flatMap(({ capture }) => (capture === undefined ? [] : [capture.audio]))];
    this.audioCheck = checkAudio(this.dir, captures, [...new Set(suspects)], !this.readonly);
  }

  /** Path of the log, for messages. */
  get logFile(): string {
    return join(this.dir, LOG_FILE);
  }

  /** Number of the last event seen; 0 when there is none. */
  get lastSeq(): number {
    return this.#live.current.seq;
  }

  /** The live state. It moves on with every append (and, in a reader, with {@link refresh}); the records inside never change. */
  get state(): SessionState {
    return this.#live.current;
  }

  /**
   * Logs one event. It is on disk when this returns, and not before may anybody be told of it.
   *
   * @throws HearbackError `invalid-input` for an event that is not one, `disk-full`, `session`; nothing is logged then.
   */
  append(event: HearbackEvent): LoggedEvent {
    const [logged] = this.appendAll([event]);
    if (logged === undefined) throw new HearbackError('internal', 'Nothing was logged.');
    return logged;
  }

  /** Logs several events as one: all are on disk when this returns, or none is. One disk sync for all of them. */
  appendAll(events: readonly HearbackEvent[]): readonly LoggedEvent[] {
    const insert = this.#writer();
    const at = this.#now().toISOString();
    const rows = events.map((event, index) => {
      const parsed = HearbackEvent.safeParse(event);
      if (!parsed.success) throw new HearbackError('invalid-input', `An event to log is not valid: ${z.prettifyError(parsed.error)}`, { hint: 'This is a fault of the program; please report it.' });
      return { seq: this.lastSeq + 1 + index, type: parsed.data.type, body: JSON.stringify(parsed.data) };
    });
    if (rows.length === 1) for (const { seq, type, body } of rows) insert.run(seq, at, type, body);
    else if (rows.length > 1) {
      inTransaction(this.#database, () => {
        for (const { seq, type, body } of rows) insert.run(seq, at, type, body);
      });
    }
    // what went to disk is what is told and folded: no undefined fields, and nothing that the caller can still change
    const logged = rows.map(({ seq, body }): LoggedEvent => ({ seq, at, event: JSON.parse(body) as HearbackEvent }));
    for (const each of logged) this.#live.accept(each);
    return logged;
  }

  /** Events after number `after`, in order (what a client that reconnects has missed); the first `limit` of them. */
  events(after = 0, limit = -1): readonly LoggedEvent[] {
    this.#assertOpen();
    return [...this.#read(after, limit)];
  }

  /** In a reader: takes in what the writer has logged since. Returns the new events. */
  refresh(): readonly LoggedEvent[] {
    const news = this.events(this.lastSeq);
    for (const event of news) this.#live.accept(event);
    return news;
  }

  /**
   * Writes the audio of a transmission; it is on disk when this returns. Log transmission.captured after it, recognise after that.
   *
   * @param samples mono 16 kHz, −1…1, at least one.
   * @returns path inside the session folder, for the event.
   * @throws HearbackError `session` when the log already has audio for this transmission, `empty`, `disk-full`.
   */
  saveAudio(transmission: string, samples: Float32Array): string {
    this.#writer();
    const known = this.state.transmissions.get(transmission)?.capture !== undefined;
    return writeAudioFile(this.dir, transmission, samples, !known);
  }

  /** The audio of a transmission in the log: mono 16 kHz, −1…1. */
  readAudio(transmission: string): Float32Array {
    return readAudioFile(this.dir, this.#audio(transmission));
  }

  /** Absolute path of a transmission's WAV. */
  audioFile(transmission: string): string {
    return audioPath(this.dir, this.#audio(transmission));
  }

  /** Transmissions that wait for the recogniser; see {@link pendingTransmissions}. */
  pending(options: { retryBelow?: number } = {}): readonly TransmissionState[] {
    return pendingTransmissions(this.state, options);
  }

  /** Closes the log and lets the next writer in. Calling it again does nothing. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      if (!this.readonly) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // only tidying: what was logged is in the write-ahead log already, and the next opening reads it from there
    } finally {
      this.#database.close();
      this.#lock?.release();
      this.#cleanUp();
    }
  }

  #audio(transmission: string): string {
    const audio = this.state.transmissions.get(transmission)?.capture?.audio;
    if (audio === undefined) throw new HearbackError('unknown-id', `The session has no audio of a transmission ${transmission}.`, { hint: 'Use an id from the log.' });
    return audio;
  }

  #assertOpen(): void {
    if (!this.#open) throw new HearbackError('session', `The session in ${this.dir} is closed.`, { hint: 'Open it again.' });
  }

  #writer(): Statement {
    this.#assertOpen();
    if (this.#insert === undefined) throw new HearbackError('session', `The session in ${this.dir} is open for reading only.`, { hint: 'Open it for writing.' });
    return this.#insert;
  }

  *#read(after: number, limit = -1): Iterable<LoggedEvent> {
    let expected = after + 1;
    for (const raw of this.#select.rows(after, limit)) {
      const logged = decodeRow(raw, this.logFile);
      if (logged.seq !== expected) {
        throw new HearbackError('unreadable', `Event ${expected} is missing from ${this.logFile}.`, { hint: 'The log was changed from outside; restore the folder from a backup.' });
      }
      expected += 1;
      yield logged;
    }
  }
}

/** A row {seq, at, body} of the log as an event. */
export function decodeRow(raw: unknown, file: string): LoggedEvent {
  const row = Row.safeParse(raw);
  const logged = LoggedEvent.safeParse(row.success ? { seq: row.data.seq, at: row.data.at, event: parseJson(row.data.body) } : undefined);
  if (logged.success) return logged.data;
  throw new HearbackError('unreadable', `Event ${row.success ? row.data.seq : 'of unknown number'} in ${file} cannot be read: ${z.prettifyError(logged.error)}`, {
    hint: 'The log was damaged or written by another version; update this one or restore the folder from a backup.',
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Name and origin of the session from its log. */
export function readIdentity(database: Database, file: string): Identity {
  const entries: Record<string, unknown> = {};
  for (const row of database.prepare('SELECT key, value FROM meta').rows()) if (typeof row['key'] === 'string') entries[row['key']] = row['value'];
  const identity = Identity.safeParse(entries);
  if (!identity.success) {
    throw new HearbackError('unreadable', `${file} does not say which session it is.`, { hint: 'The log was changed from outside; restore the folder from a backup.' });
  }
  return identity.data;
}

/**
 * File name of a source for people: the last part of a path, letters unchanged; what is no path ("standard input") as it is.
 * A backslash parts folders only in a Windows path: elsewhere it may be part of a name.
 */
export function sourceName(source: string): string {
  const windows = process.platform === 'win32' || /^([A-Za-z]:\\|\\\\)/.test(source);
  return source.split(windows ? /[\\/]/ : '/').filter((part) => part !== '').at(-1) ?? source;
}

function openForWriting(dir: string, migrations: readonly Migration[], now: () => Date, prepare: (database: Database, version: number | 'empty') => void): Session {
  const file = join(dir, LOG_FILE);
  const lock = takeWriterLock(dir, now);
  let database: Database | undefined;
  try {
    database = openDatabase(file, 'write');
    const schema = inspectSchema(database, file, migrations);
    // WAL lets readers in while we write; FULL syncs it at every commit, which is what "durable" rests on
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    prepare(database, schema.kind === 'empty' ? 'empty' : schema.version);
    makeAudioFolder(dir);
    return new Session({ dir, database, lock, now });
  } catch (thrown) {
    database?.close();
    lock.release();
    throw storageError(thrown, file);
  }
}

/**
 * Makes a session in a folder that is new or empty, and opens it for writing.
 *
 * @throws HearbackError `session` when the folder already holds a session or something else, cannot be written, …
 */
export function createSession(dir: string, about: NewSession = {}, options: SessionOptions = {}): Session {
  const folder = resolve(dir);
  const now = options.now ?? (() => new Date());
  const migrations = options.migrations ?? MIGRATIONS;
  try {
    const above = firstExisting(folder);
    mkdirSync(folder, { recursive: true });
    for (let at = folder; at !== above; at = dirname(at)) syncFolder(dirname(at));
    const strangers = readdirSync(folder).filter((name) => !SESSION_ENTRIES.includes(name));
    if (strangers.length > 0 && !existsSync(join(folder, LOG_FILE))) {
      throw new HearbackError('session', `${folder} is not empty (it has ${strangers[0] ?? 'files'} in it).`, { hint: 'Choose a new folder for the session.' });
    }
  } catch (thrown) {
    throw storageError(thrown, folder);
  }
  return openForWriting(folder, migrations, now, (database, version) => {
    if (version !== 'empty') throw new HearbackError('session', `${folder} already holds a session.`, { hint: 'Choose a new folder, or take that session up again.' });
    const created = now().toISOString();
    const entries: [string, string | undefined][] = [
      ['id', randomUUID()],
      ['name', about.name ?? (about.source === undefined ? basename(folder) : sourceName(about.source))],
      ['created', created],
      ['source', about.source],
      ['version', about.version],
    ];
    migrate(database, 0, migrations, () => {
      const insert = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
      for (const [key, value] of entries) if (value !== undefined) insert.run(key, value);
    });
  });
}

function firstExisting(path: string): string {
  for (let at = path; ; at = dirname(at)) if (existsSync(at) || at === dirname(at)) return at;
}

/**
 * Opens a session.
 *
 * For reading, any number may do so while one writes; nothing in the folder is changed, and it may lie on a read-only disk.
 * For writing, there is one at a time; half-written audio is mended, and an older log format is brought up to date.
 *
 * @throws HearbackError `not-found`, `unreadable` (damaged), `invalid-input` (another program's), `unsupported` (newer format), `session` (being written).
 */
export function openSession(dir: string, options: SessionOptions & { readonly?: boolean } = {}): Session {
  const folder = resolve(dir);
  const now = options.now ?? (() => new Date());
  const migrations = options.migrations ?? MIGRATIONS;
  if (options.readonly === true) return openForReading(folder, migrations, now);
  assertSessionFolder(folder);
  return openForWriting(folder, migrations, now, (database, version) => {
    if (version === 'empty') throw unfinished(folder);
    migrate(database, version, migrations);
  });
}

const unfinished = (folder: string): HearbackError =>
  new HearbackError('unreadable', `The session in ${folder} was not finished being made; it has no events.`, { hint: 'Delete the folder and start the session again.' });

function assertSessionFolder(folder: string): void {
  let isFolder: boolean;
  try {
    isFolder = statSync(folder).isDirectory();
  } catch (thrown) {
    throw storageError(thrown, folder);
  }
  if (!isFolder) throw new HearbackError('not-found', `${folder} is a file, not a session folder.`, { hint: 'Give the folder that holds session.db.' });
  if (!existsSync(join(folder, LOG_FILE))) {
    throw new HearbackError('not-found', `${folder} is not a session folder (it has no ${LOG_FILE}).`, { hint: 'Give the folder that holds session.db.' });
  }
  if (!lstatSync(join(folder, LOG_FILE)).isFile()) throw new HearbackError('unreadable', `${join(folder, LOG_FILE)} is not a file.`, { hint: 'Give the folder that holds session.db.' });
}

function openForReading(dir: string, migrations: readonly Migration[], now: () => Date): Session {
  const log = openLogForReading(dir, migrations);
  try {
    return new Session({ dir, database: log.database, lock: undefined, now, cleanUp: log.cleanUp });
  } catch (thrown) {
    log.database.close();
    log.cleanUp();
    throw thrown;
  }
}

/** An open log of the newest format. Close the database, then call `cleanUp`. */
export interface ReadableLog {
  readonly database: Database;
  readonly cleanUp: () => void;
}

/** Opens the log of a session folder without changing anything in the folder. Errors as of {@link openSession}. */
export function openLogForReading(dir: string, migrations: readonly Migration[] = MIGRATIONS): ReadableLog {
  const file = join(dir, LOG_FILE);
  assertSessionFolder(dir);
  const attempt = (path: string, mode: OpenMode, cleanUp: () => void): ReadableLog => {
    const database = openDatabase(path, mode);
    try {
      const schema = inspectSchema(database, file, migrations);
      if (schema.kind === 'empty') throw unfinished(dir);
      if (schema.version < newestVersion(migrations)) {
        if (mode !== 'write') throw new OutOfDate();
        migrate(database, schema.version, migrations);
      }
      return { database, cleanUp };
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  };
  const nothing = (): void => undefined;
  try {
    return attempt(file, 'read', nothing);
  } catch (refusal) {
    // an older format, or a folder that cannot be written, where SQLite cannot put the index that WAL readers share
    if (!(refusal instanceof OutOfDate) && !isWriteRefused(refusal)) throw storageError(refusal, file);
    if (!(refusal instanceof OutOfDate) && sizeOf(`${file}-wal`) === 0) {
      try {
        return attempt(file, 'frozen', nothing);
      } catch (frozen) {
        if (!(frozen instanceof OutOfDate)) throw storageError(frozen, file);
      }
    }
    return onCopy(dir, (copy, cleanUp) => attempt(copy, 'write', cleanUp));
  }
}

/** The log has an older format than this program works with. */
class OutOfDate extends Error {}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

/** Reads from a copy of the log that lies where it can be written; it is removed at closing. */
function onCopy(dir: string, open: (file: string, cleanUp: () => void) => ReadableLog): ReadableLog {
  const place = mkdtempSync(join(tmpdir(), 'hearback-'));
  const cleanUp = (): void => {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    for (const name of [LOG_FILE, `${LOG_FILE}-wal`]) if (existsSync(join(dir, name))) copyFileSync(join(dir, name), join(place, name));
    return open(join(place, LOG_FILE), cleanUp);
  } catch (thrown) {
    cleanUp();
    throw storageError(thrown, join(dir, LOG_FILE));
  }
}
