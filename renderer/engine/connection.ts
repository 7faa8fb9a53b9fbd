/**
 * The engine over its WebSocket: one connection that comes back by itself, sessions that go on where they were, requests with answers.
 */
import { ServerMessage, SOCKET_PATH, type ClientMessageInput, type EngineState, type Shell, type Task } from '../../engine/server/protocol.js';
import { T } from '../texts.js';
import { api, EngineError } from './api.js';
import { SessionView } from './session-view.js';

declare global {
  interface Window {
    readonly hearbackShell?: Shell;
  }
}

type Message<K extends ServerMessage['type']> = Extract<ServerMessage, { type: K }>;
export type Replay = Message<'replay'>;
export type Levels = Message<'levels'>;
export type Opened = Message<'session.opened'>;
type Answer = Message<'done'> | Opened;

/** reconnecting: it was there and is looked for. */
export type LinkStatus = 'connecting' | 'open' | 'reconnecting';

/** What screens read; replaced, never changed. */
export interface Snapshot {
  readonly link: LinkStatus;
  readonly engine: EngineState | undefined;
  readonly tasks: ReadonlyMap<string, Task>;
  readonly replays: ReadonlyMap<string, Replay>;
  /** Sentences of the engine that belong to no request. */
  readonly complaints: readonly string[];
  /** Grows when the list of sessions is another one. */
  readonly sessionsVersion: number;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 4000;

interface Watched {
  readonly view: SessionView;
  users: number;
}

export class Connection {
  #socket: WebSocket | undefined;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #request = 0;
  readonly #answers = new Map<number, { resolve: (answer: Answer) => void; reject: (error: EngineError) => void }>();
  readonly #watched = new Map<string, Watched>();
  readonly #listeners = new Set<() => void>();
  readonly #levels = new Map<string, Levels>();
  /** Tasks that somebody has put away. */
  readonly #forgotten = new Set<string>();
  /** What the desktop shell said of the engine's end. */
  #ended: string | undefined;
  #snapshot: Snapshot = { link: 'connecting', engine: undefined, tasks: new Map(), replays: new Map(), complaints: [], sessionsVersion: 0 };

  constructor() {
    void this.#connect();
    window.hearbackShell?.onEngine(({ state, text }) => {
      if (this.#ended !== undefined) this.dismiss(this.#ended);
      this.#ended = state === 'lost' ? text : undefined;
      if (this.#ended !== undefined) this.#complain(this.#ended);
      else this.#retry(0);
    });
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** Newest levels of a session; read by meters once a frame, so that nothing else is drawn again. */
  levels(session: string): Levels | undefined {
    return this.#levels.get(session);
  }

  #change(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }

  async #connect(): Promise<void> {
    const address = (await window.hearbackShell?.socketUrl()) ?? `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${SOCKET_PATH}`;
    if (this.#closed) return;
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.#receive(data);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  #lost(): void {
    this.#socket = undefined;
    for (const { reject } of this.#answers.values()) reject(new EngineError('offline', T.link.gone, T.link.goneHint));
    this.#answers.clear();
    this.#levels.clear();
    if (this.#closed) return;
    this.#change({ link: this.#snapshot.engine === undefined ? 'connecting' : 'reconnecting' });
    void this.#askWhy();
    this.#retry(this.#wait);
    this.#wait = Math.min(this.#wait * 1.6, LONGEST_WAIT);
  }

  /** A browser does not say why a socket was refused: a key that is no longer good is found out over HTTP. */
  async #askWhy(): Promise<void> {
    const answer = await fetch('/api/engine', { credentials: 'same-origin' }).catch(() => undefined);
    if (answer?.status === 401) this.#complain(`${T.link.refused} ${T.link.refusedHint}`);
  }

  #retry(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#socket === undefined) void this.#connect();
    }, wait);
  }

  #receive(text: string): void {
    const raw = JSON.parse(text) as { readonly type?: unknown };
    // the log is checked where it is written and read; page and engine come from one build, which `hello` makes sure of
    const message = raw.type === 'event' ? (raw as Message<'event'>) : ServerMessage.safeParse(raw).data;
    if (message === undefined) {
      this.#complain(T.link.otherVersion);
      return;
    }
    switch (message.type) {
      case 'hello':
        this.#wait = FIRST_WAIT;
        this.#change({ link: 'open', engine: message.engine, replays: new Map(), sessionsVersion: this.#snapshot.sessionsVersion + 1 });
        for (const { view } of this.#watched.values()) this.#follow(view);
        this.#askTasks();
        return;
      case 'engine':
        this.#change({ engine: message.engine });
        return;
      case 'event': {
        const view = this.#watched.get(message.session)?.view;
        if (view !== undefined && !view.accept(message.logged)) this.#follow(view);
        return;
      }
      case 'levels':
        this.#levels.set(message.session, message);
        return;
      case 'replay':
        this.#change({ replays: new Map(this.#snapshot.replays).set(message.session, message) });
        return;
      case 'task':
        this.#change({ tasks: new Map(this.#snapshot.tasks).set(message.task.task, message.task) });
        return;
      case 'sessions.changed':
        this.#change({ sessionsVersion: this.#snapshot.sessionsVersion + 1 });
        return;
      case 'session.opened':
      case 'done':
        if (typeof message.request === 'number') {
          this.#answers.get(message.request)?.resolve(message);
          this.#answers.delete(message.request);
        }
        return;
      case 'error': {
        const error = new EngineError(message.code, message.message, message.hint);
        const asked = typeof message.request === 'number' ? this.#answers.get(message.request) : undefined;
        if (asked === undefined) this.#complain(error.sentence);
        else {
          this.#answers.delete(Number(message.request));
          asked.reject(error);
        }
      }
    }
  }

  /** Work that runs since before this connection; what an engine that was lost was doing is over. */
  #askTasks(): void {
    api.tasks().then(
      ({ tasks }) => {
        this.#change({ tasks: new Map(tasks.filter((task) => !this.#forgotten.has(task.task)).map((task) => [task.task, task])) });
      },
      () => undefined, // asked again when the connection is back
    );
  }

  #complain(sentence: string): void {
    this.#change({ complaints: [...this.#snapshot.complaints.filter((each) => each !== sentence), sentence].slice(-3) });
  }
  dismiss(sentence: string): void {
    this.#change({ complaints: this.#snapshot.complaints.filter((each) => each !== sentence) });
  }
  forgetTask(task: string): void {
    this.#forgotten.add(task);
    const tasks = new Map(this.#snapshot.tasks);
    tasks.delete(task);
    this.#change({ tasks });
  }

  /** Sends a message and waits for its answer. Rejects with an EngineError. */
  ask(message: ClientMessageInput): Promise<Answer> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new EngineError('offline', T.link.gone, T.link.goneHint));
    const request = ++this.#request;
    return new Promise((resolve, reject) => {
      this.#answers.set(request, { resolve, reject });
      socket.send(JSON.stringify({ ...message, request }));
    });
  }

  /** Opens a session; its view is there when the answer is. Let go of it with {@link unwatch}. */
  async open(message: Extract<ClientMessageInput, { type: 'session.open' }>): Promise<Opened> {
    const answer = await this.ask(message);
    if (answer.type !== 'session.opened') throw new EngineError('internal', T.link.otherVersion);
    return answer;
  }

  /** A piece of audio; false when it could not be sent. */
  sendFrame(frame: Uint8Array<ArrayBuffer>): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(frame);
    return true;
  }

  /** The view of a session that is kept up to date until {@link unwatch}. */
  watch(session: string): SessionView {
    const known = this.#watched.get(session);
    if (known !== undefined) {
      known.users += 1;
      return known.view;
    }
    const view = new SessionView(session);
    this.#watched.set(session, { view, users: 1 });
    if (this.#snapshot.link === 'open') this.#follow(view);
    return view;
  }

  unwatch(session: string): void {
    const known = this.#watched.get(session);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    this.#watched.delete(session);
    this.#levels.delete(session);
    if (this.#snapshot.link === 'open') void this.ask({ type: 'unsubscribe', session }).catch(() => undefined);
  }

  /** All events behind those that are there: stored ones over HTTP, page by page, then new ones as they happen. */
  #follow(view: SessionView): void {
    void (async () => {
      for (;;) {
        const { events, last } = await api.events(view.id, view.seq);
        for (const logged of events) view.accept(logged);
        if (events.length === 0 || view.seq >= last) break;
      }
      view.flush();
      await this.ask({ type: 'subscribe', session: view.id, after: view.seq });
      view.tell(undefined);
    })().catch((thrown: unknown) => {
      // a lost connection is followed up when it is back
      if (thrown instanceof EngineError && thrown.code === 'offline') return;
      view.tell(thrown instanceof Error ? thrown : new Error(String(thrown)));
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }
}
