/**
 * The engine as a local server: page, HTTP and WebSocket (docs/protocol.md).
 *
 * Bound to the loopback address; a random token is asked of everybody, and Host and Origin are checked so that no web page from elsewhere
 * can talk to it. Everything that clients are told is in the log before, so that one that comes back asks for what it missed.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import type { PipelineChoice } from '../assembly.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { Notice } from '../domain/stages.js';
import { createApi } from './api.js';
import { refuse, refuseStranger } from './door.js';
import { Hub } from './hub.js';
import { Machine } from './machine.js';
import { SOCKET_PATH } from './protocol.js';
import { Sessions } from './sessions.js';
import { choiceOf, loadSettings } from './settings.js';
import { welcome } from './socket.js';
import { Tasks } from './tasks.js';

export interface ServerOptions extends PipelineChoice {
  /** 0: any free one. */
  readonly port: number;
  /** Folder in which sessions are made; made when it is not there. */
  readonly sessionsRoot: string;
  /** Folder with runs of `hearback bench run`. Default: benchmarks/ beside the sessions. */
  readonly benchmarks?: string | undefined;
  /** Standard input carries audio. */
  readonly stdin?: boolean;
  /** Port and token are those of the last time where they can be, so that an open page finds the engine again after it was started anew. */
  readonly sameDoor?: boolean;
}

export interface RunningServer {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly token: string;
  readonly notices: readonly Notice[];
  readonly sessions: Sessions;
  /** Takes no more clients, finishes what was heard, closes the sessions and the recogniser. */
  close(): Promise<void>;
}

/** Largest message, bytes: 16 s of audio. */
const MAX_MESSAGE = 512 * 1024;
/** Stored sessions are looked over for what may go, so often; milliseconds. */
const RETENTION_ROUND = 3_600_000;

/** In the folder of the sessions, readable by its owner only: port and token of the app. */
const DOOR_FILE = '.door.json';
const Door = z.object({ port: z.number().int().min(1).max(65_535), token: z.string().regex(/^[\w-]{32,}$/) });

/** Undefined before the first time, and when the file says nothing that can be used: then there is a new token. */
function lastDoor(root: string): z.infer<typeof Door> | undefined {
  try {
    return Door.parse(JSON.parse(readFileSync(join(root, DOOR_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}

/** @throws HearbackError when the model is missing or the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const root = options.sessionsRoot;
  mkdirSync(root, { recursive: true });
  const loaded = loadSettings(root, options);
  let { settings } = loaded;
  const before = options.sameDoor === true ? lastDoor(root) : undefined;
  const token = before?.token ?? randomBytes(24).toString('base64url');
  let port = 0;
  let hub: Hub | undefined = undefined;
  const machine: Machine = await Machine.open(choiceOf(settings, options.threads), () => {
    hub?.broadcast({ type: 'engine', engine: machine.state });
  });
  try {
    const sessionHub = new Hub(root, machine);
    hub = sessionHub;
    const tasks = new Tasks((task) => {
      sessionHub.broadcast({ type: 'task', task });
    });
    const sessions = new Sessions(sessionHub, tasks, () => settings, options.stdin === true);
    const app = await createApi({
      hub: sessionHub,
      machine,
      sessions,
      tasks,
      token,
      port: () => port,
      settings: {
        get: () => settings,
        set: (wanted) => {
          settings = wanted;
        },
      },
      threads: options.threads,
      benchmarks: options.benchmarks ?? join(root, '..', 'benchmarks'),
    });
    const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE });
    app.server.on('upgrade', (request, socket, head) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const knock = { host: request.headers.host, origin: request.headers.origin, cookie: request.headers.cookie, authorization: request.headers.authorization, token: url.searchParams.get('token') ?? undefined };
      const status = refuseStranger(knock, port)?.status ?? (url.pathname === SOCKET_PATH ? refuse(knock, port, token)?.status : 404);
      if (status !== undefined) {
        socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (client) => {
        welcome(client, { hub: sessionHub, machine, sessions });
      });
    });
    try {
      const wanted = options.port === 0 ? before?.port : undefined;
      // another program may have taken it since
      await (wanted === undefined ? Promise.reject(new Error('none')) : app.listen({ port: wanted, host: '127.0.0.1' })).catch(() => app.listen({ port: options.port, host: '127.0.0.1' }));
    } catch (thrown) {
      await sessionHub.close();
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE') throw new HearbackError('usage', `Port ${options.port} is taken by another program.`, { hint: 'Choose another one with --port, or 0 for a free one.' });
      throw thrown;
    }
    ({ port } = app.server.address() as AddressInfo);
    if (options.sameDoor === true) writeFileSync(join(root, DOOR_FILE), JSON.stringify({ port, token }), { mode: 0o600 });
    const retain = (): void => {
      sessionHub.retain(settings.retention_days, Date.now());
    };
    const retention = setInterval(retain, RETENTION_ROUND).unref();
    const failures = await sessions.goOn();
    retain();
    return {
      url: `http://127.0.0.1:${port}`,
      token,
      notices: [...loaded.notices, ...machine.notices, ...failures.map((text): Notice => ({ kind: 'session', severity: 'warning', text }))],
      sessions,
      async close() {
        clearInterval(retention);
        sessions.close();
        await sessionHub.close();
        for (const client of sockets.clients) client.close(1001, 'the engine ends');
        await app.close();
        await machine.close();
      },
    };
  } catch (thrown) {
    await machine.close();
    throw toHearbackError(thrown);
  }
}
