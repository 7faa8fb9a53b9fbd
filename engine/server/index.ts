/**
 * The engine as a local server: HTTP for a sign of life, one WebSocket for audio in and events out.
 *
 * Bound to the loopback address; a random token, the Host and the Origin are checked; messages are limited in size and
 * number. A session goes on being judged when its client is gone, and a client that comes back asks for what it missed.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { assemble, type PipelineChoice } from '../assembly.js';
import { openPcmStream } from '../audio/index.js';
import type { LoggedEvent } from '../domain/events.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { Notice } from '../domain/stages.js';
import { runPipeline } from '../pipeline.js';
import { createSession, openSession, type Session } from '../session/index.js';
import { ClientMessage, PROTOCOL_VERSION, type ServerMessage } from './protocol.js';

export interface ServerOptions extends PipelineChoice {
  /** 0: any free port. */
  readonly port: number;
  /** Folder in which sessions are made; made when it is not there. */
  readonly sessionsRoot: string;
}

export interface RunningServer {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly token: string;
  readonly notices: readonly Notice[];
  /** Takes no more clients, finishes what was heard, closes the sessions and the recogniser. */
  close(): Promise<void>;
}

/** Largest message, bytes: 16 s of audio. */
const MAX_MESSAGE = 512 * 1024;
/** Audio that may wait for the segmenter before the client is told to slow down, bytes: two minutes. */
const MAX_BACKLOG = 120 * 32_000;
/** JSON messages a client may send in ten seconds. */
const MAX_MESSAGES = 200;
/** Bytes that may wait in a client's socket before it counts as lost; it can come back and resume. */
const MAX_UNSENT = 8 * 1024 * 1024;

interface Live {
  readonly id: string;
  readonly session: Session;
  readonly audio: PassThrough;
  readonly watchers: Set<WebSocket>;
  done: Promise<void>;
  ended: boolean;
}

/** @throws HearbackError when the model is missing or the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const parts = await assemble(options);
  const token = randomBytes(24).toString('base64url');
  const sessions = new Map<string, Live>();
  const notices: Notice[] = [...parts.recogniser.notices, ...(parts.judge.notices ?? [])];

  const http = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    if (!hostIsOurs(request)) {
      response.writeHead(421).end();
      return;
    }
    if (request.method === 'GET' && path === '/health') {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(`${JSON.stringify({ product: 'hearback', version: parts.version, protocol: PROTOCOL_VERSION })}\n`);
      return;
    }
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Nothing here. Clients use the WebSocket at /v1.\n');
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE });

  const hostIsOurs = (request: IncomingMessage): boolean => {
    // a web page on another site can make a browser connect here under a name of its own (DNS rebinding)
    const host = request.headers.host ?? '';
    return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
  };
  const refusal = (request: IncomingMessage): [number, string] | undefined => {
    if (!hostIsOurs(request)) return [421, 'Misdirected Request'];
    const { origin } = request.headers;
    if (origin !== undefined && !/^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(origin)) return [403, 'Forbidden'];
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname !== '/v1') return [404, 'Not Found'];
    const given = Buffer.from(url.searchParams.get('token') ?? '');
    const wanted = Buffer.from(token);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return [401, 'Unauthorized'];
    return undefined;
  };
  http.on('upgrade', (request, socket, head) => {
    const refused = refusal(request);
    if (refused !== undefined) {
      socket.end(`HTTP/1.1 ${refused[0]} ${refused[1]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      welcome(client);
    });
  });

  const send = (client: WebSocket, message: ServerMessage): void => {
    if (client.readyState !== client.OPEN) return;
    if (client.bufferedAmount > MAX_UNSENT) {
      client.close(1013, 'too slow; come back and subscribe');
      return;
    }
    client.send(JSON.stringify(message));
  };
  const complain = (client: WebSocket, code: string, message: string, field?: string): void => {
    send(client, { type: 'error', code, message, ...(field === undefined ? {} : { field }) });
  };

  function open(client: WebSocket, message: Extract<ClientMessage, { type: 'session.open' }>): Live {
    mkdirSync(options.sessionsRoot, { recursive: true });
    const id = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
    const session = createSession(join(options.sessionsRoot, id), { name: message.name ?? 'live', source: message.name ?? 'live', version: parts.version });
    const audio = new PassThrough({ highWaterMark: MAX_BACKLOG });
    const live: Live = { id, session, audio, watchers: new Set([client]), done: Promise.resolve(), ended: false };
    const tell = (logged: LoggedEvent): void => {
      for (const watcher of live.watchers) send(watcher, { type: 'event', session: id, logged });
    };
    const source = openPcmStream(audio, { name: message.name ?? 'live', sampleRate: 16_000 });
    const context = message.context ?? options.context;
    live.done = runPipeline(source, { ...parts, sink: session, profile: message.profile ?? parts.profile, ...(context === undefined ? {} : { context }) }, { onEvent: tell })
      .then(() => undefined)
      .catch((thrown: unknown) => {
        const error = toHearbackError(thrown);
        for (const watcher of live.watchers) complain(watcher, error.code, error.sentence);
      })
      .finally(() => {
        // the log stays for clients that come back; it is opened again for them
        live.ended = true;
        session.close();
      });
    sessions.set(id, live);
    return live;
  }

  function welcome(client: WebSocket): void {
    let own: Live | undefined;
    let recent: number[] = [];
    send(client, { type: 'hello', protocol: PROTOCOL_VERSION, engine: { version: parts.version, recogniser: parts.recogniser.model, device: parts.recogniser.device, judge: parts.judge.name, profile: parts.profile, status: 'ready', notices: [], text_goes: '' } });
    client.on('error', () => undefined); // a broken frame closes the socket by itself
    client.on('close', () => {
      for (const live of sessions.values()) live.watchers.delete(client);
      // without its client nothing more can come: what was heard is finished and stays in the log
      own?.audio.end();
    });
    client.on('message', (data: RawData, isBinary: boolean) => {
      if (isBinary) {
        if (own === undefined || own.audio.writableEnded) {
          complain(client, 'usage', 'Audio came without an open session. Send session.open first.');
          return;
        }
        if (own.audio.writableLength > MAX_BACKLOG) {
          complain(client, 'overload', 'More audio came than can be listened to; this piece was dropped. Send at real time.');
          return;
        }
        own.audio.write(toBuffer(data));
        return;
      }
      const now = Date.now();
      recent = recent.filter((at) => now - at < 10_000);
      recent.push(now);
      if (recent.length > MAX_MESSAGES) {
        complain(client, 'flood', `More than ${MAX_MESSAGES} messages in ten seconds; the connection ends here.`);
        client.close(1008, 'flood');
        return;
      }
      let parsed: unknown;
      try {
        parsed = JSON.parse(toBuffer(data).toString('utf8'));
      } catch {
        complain(client, 'invalid-input', 'The message is not JSON.');
        return;
      }
      const checked = ClientMessage.safeParse(parsed);
      if (!checked.success) {
        const issue = checked.error.issues[0];
        complain(client, 'invalid-input', issue?.message ?? 'The message does not fit the protocol.', issue === undefined || issue.path.length === 0 ? 'type' : issue.path.map(String).join('.'));
        return;
      }
      const message = checked.data;
      switch (message.type) {
        case 'session.open':
          if (own !== undefined && !own.audio.writableEnded) {
            complain(client, 'usage', 'This connection has an open session. Send session.end first.');
            return;
          }
          try {
            own = open(client, message);
            send(client, { type: 'session.opened', session: own.id, name: message.name ?? 'live', channels: [] });
          } catch (thrown) {
            const error = toHearbackError(thrown);
            complain(client, error.code, error.sentence);
          }
          return;
        case 'session.end':
          if (own === undefined || own.audio.writableEnded) complain(client, 'usage', 'There is no open session to end.');
          else own.audio.end();
          return;
        case 'subscribe': {
          const live = sessions.get(message.session);
          if (live === undefined) {
            complain(client, 'unknown-id', `This engine has no session ${message.session}.`, 'session');
            return;
          }
          const log = live.ended ? openSession(live.session.dir, { readonly: true }) : live.session;
          for (const logged of log.events(message.after)) send(client, { type: 'event', session: live.id, logged });
          if (live.ended) log.close();
          else live.watchers.add(client);
          return;
        }
      }
    });
  }

  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new HearbackError('usage', `Port ${options.port} is taken by another program.`, { hint: 'Choose another one with --port, or 0 for a free one.' })
          : toHearbackError(error),
      );
    });
    http.listen(options.port, '127.0.0.1', resolve);
  }).catch(async (thrown: unknown) => {
    await parts.recogniser.close();
    await parts.judge.close?.();
    throw toHearbackError(thrown);
  });
  const { port } = http.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    token,
    notices,
    async close() {
      http.close();
      for (const live of sessions.values()) live.audio.end();
      await Promise.all([...sessions.values()].map((live) => live.done));
      for (const client of sockets.clients) client.close(1001, 'the engine ends');
      await parts.recogniser.close();
      await parts.judge.close?.();
      http.closeAllConnections();
    },
  };
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
