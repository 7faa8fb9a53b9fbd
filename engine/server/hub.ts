/**
 * The sessions that this engine has open: running ones, and stored ones that somebody looks at or reviews. Everything that happens is sent
 * out of the log, to each watcher from the number where it stands, as fast as its socket takes it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HearbackEvent, LoggedEvent } from '../domain/events.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { AudioSource } from '../domain/stages.js';
import type { Profile } from '../domain/taxonomy.js';
import type { Context } from '../domain/understanding.js';
import { runPipeline, type ResumeState } from '../pipeline.js';
import { ChannelRecorder, createSession, deleteSession, openSession, resumeState, summariseSession, type Session, type SessionSummary } from '../session/index.js';
import type { Machine } from './machine.js';
import { Meter, tapped } from './meter.js';
import type { ServerMessage, SessionEntry } from './protocol.js';
import type { PushedSource } from './pushed.js';
import type { Replay } from './replay.js';
import type { Urgency } from './turns.js';

/** One connection, as the hub sees it. */
export interface Client {
  /** Sends what must arrive. */
  send(message: ServerMessage): void;
  /** Sends what is worth nothing later; left out when the socket is full. */
  sendFresh(message: ServerMessage): void;
  /** Whether the socket takes more just now. */
  readonly ready: boolean;
  /** Does not read for too long. */
  giveUp(): void;
}

/** Events that are read from the log at a time. */
const BATCH = 200;
/** How long a socket may take nothing before its client counts as lost, milliseconds. */
const PATIENCE = 60_000;
/** How often a full socket is looked at again, and a log that another program writes, milliseconds. */
const AGAIN = 50;
const FOLLOW = 500;
/** A stored session is closed so long after its last use, milliseconds. */
const IDLE = 30_000;
/** Changes of the list of sessions are told together within so many milliseconds. */
const SOON = 200;
/** Meters are told so often, milliseconds. */
const LEVELS = 100;

/** Sends one client what it has not seen of one log. */
class Watcher {
  #cursor: number;
  #stuck: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #gone = false;

  constructor(
    readonly client: Client,
    private readonly log: OpenLog,
    after: number,
  ) {
    this.#cursor = after;
  }

  /** Sends as much as there is and the socket takes; `news`, when given, is the newest event. */
  pump(news?: LoggedEvent): void {
    if (this.#gone) return;
    try {
      while (this.#cursor < this.log.session.lastSeq) {
        if (!this.client.ready) {
          this.#wait();
          return;
        }
        this.#stuck = undefined;
        const batch = news?.seq === this.#cursor + 1 ? [news] : this.log.session.events(this.#cursor, BATCH);
        for (const logged of batch) {
          this.client.send({ type: 'event', session: this.log.id, logged });
          this.#cursor = logged.seq;
        }
        if (batch.length === 0) return;
      }
    } catch (thrown) {
      const error = toHearbackError(thrown);
      this.client.send({ type: 'error', code: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) });
      this.stop();
    }
  }

  stop(): void {
    this.#gone = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const now = Date.now();
    this.#stuck ??= now;
    if (now - this.#stuck > PATIENCE) {
      this.stop();
      this.client.giveUp();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.pump();
    }, AGAIN);
  }
}

/** A session that is being heard. */
export interface Run {
  readonly source: AudioSource;
  readonly pushed: PushedSource | undefined;
  readonly replay: Replay | undefined;
  readonly stop: AbortController;
  readonly meter: Meter;
  /** Traffic lists by channel; '' for all others. */
  readonly traffic: Map<string, readonly string[]>;
  waiting: number;
  done: Promise<void>;
  ended: boolean;
}

export class OpenLog {
  readonly watchers = new Map<Client, Watcher>();
  run: Run | undefined;
  used = Date.now();

  constructor(
    readonly id: string,
    readonly dir: string,
    public session: Session,
  ) {}

  tell(logged: LoggedEvent): void {
    for (const watcher of this.watchers.values()) watcher.pump(logged);
  }
}

/** What starts a session. */
export interface StartOptions {
  readonly name: string;
  /** Recording or input, for people. */
  readonly source: AudioSource;
  readonly pushed?: PushedSource;
  readonly replay?: (source: AudioSource, onChange: (replay: Replay) => void) => Replay;
  readonly urgency: Urgency;
  readonly profile?: Profile | undefined;
  readonly context?: Context | undefined;
  readonly keepRecording: boolean;
  /** What runs once everything is over. */
  readonly after?: () => void;
  /** The run begins when this resolves. */
  readonly turn?: Promise<void>;
  /** How to hear it again after the engine was lost; kept beside the session while it runs. */
  readonly again?: unknown;
  readonly onProgress?: (seconds: number) => void;
}

/** In the folder of the sessions: a file for each that runs, with how to go on with it. */
const RUNNING = '.running';

export class Hub {
  readonly #open = new Map<string, OpenLog>();
  readonly #summaries = new Map<string, { readonly stamp: string; readonly entry: SessionSummary }>();
  readonly #clients = new Set<Client>();
  readonly #timers: NodeJS.Timeout[];
  #changing: NodeJS.Timeout | undefined;

  constructor(
    readonly root: string,
    private readonly machine: Machine,
  ) {
    mkdirSync(root, { recursive: true });
    this.#timers = [setInterval(() => { this.#sweep(); }, IDLE / 2), setInterval(() => { this.#follow(); }, FOLLOW), setInterval(() => { this.#levels(); }, LEVELS)]; // prettier-ignore
    for (const timer of this.#timers) timer.unref();
  }

  /* -- clients -- */

  join(client: Client): void {
    this.#clients.add(client);
  }
  leave(client: Client): void {
    this.#clients.delete(client);
    for (const log of this.#open.values()) this.unsubscribe(client, log.id);
  }
  broadcast(message: ServerMessage): void {
    for (const client of this.#clients) client.send(message);
  }
  /** Tells that the list of sessions is another one; once, when several things change at a time. */
  #changed(): void {
    if (this.#changing !== undefined) return;
    this.#changing = setTimeout(() => {
      this.#changing = undefined;
      this.broadcast({ type: 'sessions.changed' });
    }, SOON).unref();
  }

  /** @throws HearbackError unknown-id, unreadable */
  subscribe(client: Client, id: string, after: number): OpenLog {
    const log = this.look(id);
    log.watchers.get(client)?.stop();
    const watcher = new Watcher(client, log, after);
    log.watchers.set(client, watcher);
    watcher.pump();
    if (log.run?.replay !== undefined) client.send(replayMessage(id, log.run.replay));
    return log;
  }
  unsubscribe(client: Client, id: string): void {
    const log = this.#open.get(id);
    log?.watchers.get(client)?.stop();
    log?.watchers.delete(client);
  }

  /* -- stored sessions -- */

  /** The folder of a session. @throws HearbackError unknown-id */
  folder(id: string): string {
    // an id is the name of a folder right below the root, and nothing else
    if (id === '' || id.startsWith('.') || /[/\\\0]/.test(id) || !existsSync(join(this.root, id, 'session.db'))) {
      throw new HearbackError('unknown-id', `There is no session ${id}.`, { hint: 'It may have been deleted; look at the list of sessions.' });
    }
    return join(this.root, id);
  }

  /** A session to read; open for a while. @throws HearbackError */
  look(id: string): OpenLog {
    let log = this.#open.get(id);
    if (log === undefined) {
      const dir = this.folder(id);
      log = new OpenLog(id, dir, openSession(dir, { readonly: true }));
      this.#open.set(id, log);
    }
    log.used = Date.now();
    if (log.session.readonly) log.session.refresh();
    return log;
  }

  /** Logs events of a person. @throws HearbackError session: another program writes it */
  write(id: string, events: readonly HearbackEvent[]): readonly LoggedEvent[] {
    const log = this.look(id);
    if (log.session.readonly) {
      const writer = openSession(log.dir);
      log.session.close();
      log.session = writer;
    }
    const logged = log.session.appendAll(events);
    for (const each of logged) log.tell(each);
    this.#changed();
    return logged;
  }

  list(): SessionEntry[] {
    const entries: (SessionEntry & { readonly order: string })[] = [];
    for (const id of readdirSync(this.root)) {
      const dir = join(this.root, id);
      if (id.startsWith('.') || !existsSync(join(dir, 'session.db'))) continue;
      try {
        const found = this.#summary(dir);
        const running = this.#open.get(id)?.run?.ended === false;
        const elsewhere = found.writer !== undefined && found.writer.pid !== process.pid;
        entries.push({
          order: found.started,
          kind: 'session',
          session: id,
          name: found.name,
          started: found.started,
          ...(found.source === undefined ? {} : { source: found.source }),
          seconds: found.seconds,
          counts: found.counts,
          state: running ? 'running' : elsewhere ? 'elsewhere' : (found.ended ?? 'cut-off'),
          bytes: found.bytes,
          ...(found.retention === undefined ? {} : { retention_days: found.retention }),
        });
      } catch (thrown) {
        entries.push({ order: '', kind: 'broken', session: id, reason: toHearbackError(thrown).sentence, bytes: 0 });
      }
    }
    return entries.sort((a, b) => b.order.localeCompare(a.order, 'en')).map(({ order: _order, ...entry }) => entry);
  }

  #summary(dir: string): SessionSummary {
    const stamp = ['session.db', 'session.db-wal', 'writer.json'].map((name) => statSync(join(dir, name), { throwIfNoEntry: false })).map((stat) => `${stat?.mtimeMs ?? 0}/${stat?.size ?? 0}`).join(' ');
    const known = this.#summaries.get(dir);
    if (known?.stamp === stamp) return known.entry;
    const entry = summariseSession(dir);
    this.#summaries.set(dir, { stamp, entry });
    return entry;
  }

  /** Whether anything in a session's log has the text: names, callsigns, words, notes. */
  mentions(id: string, text: string): boolean {
    const wanted = text.toLowerCase();
    const { state, identity } = this.look(id).session;
    const has = (value: string | null | undefined): boolean => value?.toLowerCase().includes(wanted) === true;
    return (
      has(state.name ?? identity.name) ||
      has(identity.source) ||
      [...state.transmissions.values()].some((each) => has(each.edits.at(-1)?.text) || has(each.recognition?.text) || each.notes?.some((note) => has(note.text)) === true) ||
      [...state.exchanges.values()].some((each) => has(each.exchange.callsign) || each.reviews.some((review) => has(review.note)) || each.notes?.some((note) => has(note.text)) === true)
    );
  }

  /** Deletes a session with all its sound. @throws HearbackError session: it runs */
  remove(id: string): void {
    const dir = this.folder(id);
    const log = this.#open.get(id);
    if (log?.run?.ended === false) throw new HearbackError('session', 'This session is running.', { hint: 'End it first.' });
    if (log !== undefined) this.#close(log);
    deleteSession(dir);
    this.#summaries.delete(dir);
    this.#changed();
  }

  /** Deletes what is older than its period. Returns what was deleted. */
  retain(days: number | null, now: number): string[] {
    const gone: string[] = [];
    for (const entry of this.list()) {
      if (entry.kind !== 'session' || entry.state === 'running' || entry.state === 'elsewhere') continue;
      const period = entry.retention_days === undefined ? days : entry.retention_days;
      if (period === null || now - Date.parse(entry.started) < period * 86_400_000) continue;
      this.remove(entry.session);
      gone.push(entry.name);
    }
    return gone;
  }

  /* -- running sessions -- */

  /** Makes a session and begins to listen. @throws HearbackError: recogniser, disk */
  async start(options: StartOptions): Promise<OpenLog> {
    const hold = await this.machine.hold();
    let log: OpenLog;
    try {
      const id = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
      const session = createSession(join(this.root, id), { name: options.name, source: options.source.name, version: hold.parts.version });
      log = new OpenLog(id, session.dir, session);
    } catch (thrown) {
      hold.release();
      throw thrown;
    }
    this.#open.set(log.id, log);
    this.#run(log, options, hold);
    this.#changed();
    return log;
  }

  /** Goes on with a session that stopped without being told to. @throws HearbackError */
  async resume(id: string, options: StartOptions): Promise<OpenLog> {
    const log = this.look(id);
    if (log.run?.ended === false) throw new HearbackError('session', 'This session is running.');
    const hold = await this.machine.hold();
    try {
      if (log.session.readonly) {
        const writer = openSession(log.dir);
        log.session.close();
        log.session = writer;
      }
    } catch (thrown) {
      hold.release();
      throw thrown;
    }
    this.#run(log, options, hold, resumeState(log.session));
    this.#changed();
    return log;
  }

  #run(log: OpenLog, options: StartOptions, hold: Awaited<ReturnType<Machine['hold']>>, resume?: ResumeState): void {
    const { session } = log;
    const meter = new Meter(options.source.channels);
    const recorder = options.keepRecording ? new ChannelRecorder(log.dir) : undefined;
    const places = new Map(options.source.channels.map((channel, index) => [channel, index]));
    let recording = recorder !== undefined;
    const append = (event: HearbackEvent): void => {
      log.tell(session.append(event));
    };
    const replay = options.replay?.(options.source, (changed) => {
      for (const client of log.watchers.keys()) client.send(replayMessage(log.id, changed));
    });
    const seen = tapped(replay ?? options.source, (chunk) => {
      meter.take(chunk);
      if (recorder === undefined || !recording) return;
      try {
        recorder.write(places.get(chunk.channel) ?? 0, chunk.startSample, chunk.samples);
      } catch (thrown) {
        recording = false;
        append({ type: 'notice', kind: 'recording', severity: 'warning', text: `What is between the transmissions is no longer stored: ${toHearbackError(thrown).message}` });
      }
    });
    const traffic = new Map<string, readonly string[]>(session.state.traffic);
    const first = options.context?.callsigns;
    if (first !== undefined && first.length > 0) traffic.set('', first);
    const { strength } = options.context ?? {};
    const stop = new AbortController();
    const run: Run = { source: options.source, pushed: options.pushed, replay, stop, meter, traffic, waiting: 0, done: Promise.resolve(), ended: false };
    log.run = run;
    if (options.again !== undefined) this.#remember(log.id, options.again);
    const parts = {
      ...hold.parts,
      recogniser: hold.turns.seat(options.urgency),
      createSegmenter: async (channel: string) => {
        const segmenter = await hold.parts.createSegmenter(channel);
        meter.watch(channel, segmenter);
        return segmenter;
      },
      contextOf: (channel: string): Context | undefined => {
        const callsigns = traffic.get(channel) ?? traffic.get('');
        return callsigns === undefined ? undefined : { callsigns: [...callsigns], ...(strength === undefined ? {} : { strength }) };
      },
      profile: options.profile ?? hold.parts.profile,
      sink: session,
    };
    run.done = (options.turn ?? Promise.resolve())
      .then(() =>
        runPipeline(seen, parts, {
          signal: stop.signal,
          ...(resume === undefined ? {} : { resume }),
          onEvent: (logged) => {
            log.tell(logged);
          },
          onProgress: ({ seconds, waiting }) => {
            run.waiting = waiting;
            options.onProgress?.(seconds);
          },
        }),
      )
      .then(() => undefined)
      .catch((thrown: unknown) => {
        const error = toHearbackError(thrown);
        for (const client of log.watchers.keys()) client.send({ type: 'error', code: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) });
      })
      .finally(() => {
        run.ended = true;
        recorder?.close();
        hold.release();
        this.forget(log.id);
        log.used = Date.now();
        options.after?.();
        this.#changed();
      });
  }

  /** A running session. @throws HearbackError unknown-id, usage: it does not run */
  running(id: string): { readonly log: OpenLog; readonly run: Run } {
    const log = this.look(id);
    if (log.run === undefined || log.run.ended) throw new HearbackError('usage', 'This session has ended.', { hint: 'Start a new one.' });
    return { log, run: log.run };
  }

  /** Who is on frequency from now on. @throws HearbackError */
  setTraffic(id: string, channel: string | undefined, callsigns: readonly string[]): void {
    const { log, run } = this.running(id);
    if (channel !== undefined && !run.source.channels.includes(channel)) throw new HearbackError('unknown-id', `The session has no channel ${channel}.`, { hint: `It has ${run.source.channels.join(', ')}.` });
    if (callsigns.length === 0) run.traffic.delete(channel ?? '');
    else run.traffic.set(channel ?? '', callsigns);
    log.tell(log.session.append({ type: 'context.changed', callsigns: [...callsigns], ...(channel === undefined ? {} : { channel }) }));
  }

  /** Ends a session: pushed audio is finished, anything else stopped where it is. */
  end(id: string): void {
    const { run } = this.running(id);
    if (run.pushed !== undefined) run.pushed.end();
    else run.stop.abort();
  }

  /** Finishes what was heard, and closes everything. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const { run } of this.#open.values()) {
      if (run === undefined || run.ended) continue;
      if (run.pushed !== undefined) run.pushed.end();
      else run.stop.abort();
    }
    await Promise.all([...this.#open.values()].flatMap(({ run }) => (run === undefined ? [] : [run.done])));
    for (const log of this.#open.values()) this.#close(log);
  }

  /** Sessions that ran when an engine was lost, and how to go on with them. Those that another engine runs are among them. */
  interrupted(): [string, unknown][] {
    const folder = join(this.root, RUNNING);
    return (existsSync(folder) ? readdirSync(folder) : []).flatMap((name): [string, unknown][] => {
      const id = name.replace(/\.json$/, '');
      try {
        this.folder(id);
        return [[id, JSON.parse(readFileSync(join(folder, name), 'utf8'))]];
      } catch {
        rmSync(join(folder, name), { force: true }); // deleted since, or half written: it stays as it is, and can be looked at
        return [];
      }
    });
  }

  #remember(id: string, how: unknown): void {
    mkdirSync(join(this.root, RUNNING), { recursive: true });
    writeFileSync(join(this.root, RUNNING, `${id}.json`), JSON.stringify(how));
  }
  /** A session no longer runs, or cannot be gone on with. */
  forget(id: string): void {
    rmSync(join(this.root, RUNNING, `${id}.json`), { force: true });
  }

  #close(log: OpenLog): void {
    for (const watcher of log.watchers.values()) watcher.stop();
    log.watchers.clear();
    this.#open.delete(log.id);
    log.session.close();
  }

  #sweep(): void {
    for (const log of this.#open.values()) if ((log.run === undefined || log.run.ended) && log.watchers.size === 0 && Date.now() - log.used > IDLE) this.#close(log);
  }

  /** Takes in what another program has written. */
  #follow(): void {
    for (const log of this.#open.values()) {
      if (!log.session.readonly || log.watchers.size === 0) continue;
      try {
        log.session.refresh();
        for (const watcher of log.watchers.values()) watcher.pump();
      } catch {
        this.#close(log); // deleted by another program
      }
    }
  }

  #levels(): void {
    for (const { id, run, watchers } of this.#open.values()) {
      if (run === undefined || run.ended || watchers.size === 0) continue;
      const message: ServerMessage = { type: 'levels', session: id, seconds: run.meter.seconds, waiting: run.waiting, channels: run.meter.levels };
      for (const client of watchers.keys()) client.sendFresh(message);
    }
  }
}

export function replayMessage(session: string, replay: Replay): ServerMessage {
  const { duration, ...state } = replay.state;
  return { type: 'replay', session, ...state, ...(duration === undefined ? {} : { duration }), at: Date.now() };
}
