/** The engine as a real process, and clients of it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { openAudio } from '../../engine/audio/index.js';
import { toInt16 } from '../../engine/domain/pcm.js';
import { encodeFrame, ServerMessage, type ClientMessageInput } from '../../engine/server/protocol.js';
import { root, start } from '../command.js';

export interface RunningEngine {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
  /** With the token. */
  api(path: string, init?: RequestInit): Promise<Response>;
  /** JSON of an answer that has to be one of success. */
  json(path: string, init?: RequestInit): Promise<unknown>;
  client(): Client;
  /** Ends it as Ctrl-C does; the exit code. */
  stop(): Promise<number | null>;
}

export async function startEngine(sessions: string, command: 'serve' | 'app' = 'serve', args: readonly string[] = [], env: Record<string, string> = {}): Promise<RunningEngine> {
  const child = start([command, '--json', '--sessions', sessions, ...args], { env });
  let said = '';
  child.stderr?.on('data', (data: Buffer) => (said += data.toString('utf8')));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (data: Buffer) => {
      resolve(data.toString('utf8'));
    });
    child.once('exit', () => {
      reject(new Error(`the engine did not start: ${said}`));
    });
  });
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const api = (path: string, init: RequestInit = {}): Promise<Response> => fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string> | undefined) } });
  return {
    url,
    token,
    child,
    api,
    json: async (path, init) => {
      const answer = await api(path, init);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return JSON.parse(text) as unknown;
    },
    client: () => new Client(`${url.replace('http', 'ws')}/v2?token=${token}`),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill('SIGINT');
      const [code] = (await once(child, 'close')) as [number | null];
      return code;
    },
  };
}

export class Client {
  readonly messages: ServerMessage[] = [];
  readonly socket: WebSocket;
  closed: { code: number } | undefined;
  #request = 0;

  constructor(address: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(address, { headers });
    this.socket.on('message', (data: Buffer) => this.messages.push(ServerMessage.parse(JSON.parse(data.toString('utf8')))));
    this.socket.on('close', (code) => (this.closed = { code }));
    this.socket.on('error', () => undefined);
  }

  async until<T>(find: () => T | undefined, seconds = 60): Promise<T> {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`waited ${seconds} s; got ${JSON.stringify(this.messages.filter(({ type }) => type !== 'levels').slice(-3))}`);
  }

  message<T extends ServerMessage['type']>(type: T): Promise<Extract<ServerMessage, { type: T }>> {
    return this.until(() => this.messages.find((message): message is Extract<ServerMessage, { type: T }> => message.type === type));
  }
  error(code: string): Promise<ServerMessage> {
    return this.until(() => this.messages.find((message) => message.type === 'error' && message.code === code));
  }
  event(type: string, seconds = 120): Promise<Extract<ServerMessage, { type: 'event' }>> {
    return this.until(() => this.events.find(({ logged }) => logged.event.type === type), seconds);
  }

  send(message: ClientMessageInput | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
  /** Sends a request and waits for its answer. */
  async ask(message: ClientMessageInput): Promise<ServerMessage> {
    const request = ++this.#request;
    this.send({ ...message, request });
    return this.until(() => this.messages.find((answer) => 'request' in answer && answer.request === request));
  }
  /** Opens a session and gives its name. */
  async open(message: Omit<Extract<ClientMessageInput, { type: 'session.open' }>, 'type'> = {}): Promise<Extract<ServerMessage, { type: 'session.opened' }>> {
    const answer = await this.ask({ type: 'session.open', ...message });
    if (answer.type !== 'session.opened') throw new Error(JSON.stringify(answer));
    return answer;
  }
  /** Sends samples in frames of a fifth of a second. */
  play(stream: number, channel: number, clock: number, pcm: Int16Array): void {
    for (let at = 0; at < pcm.length; at += 3200) this.socket.send(encodeFrame({ stream, channel, clock: clock + at / 16_000, pcm: pcm.subarray(at, at + 3200) }));
  }

  get events(): Extract<ServerMessage, { type: 'event' }>[] {
    return this.messages.filter((message) => message.type === 'event');
  }
  /** Numbers of the events of a session, in the order in which they came. */
  numbers(session: string): number[] {
    return this.events.filter((event) => event.session === session).map(({ logged }) => logged.seq);
  }
  close(): void {
    this.socket.close();
  }
}

/** 1, 2 … n. */
export const upTo = (n: number): number[] => Array.from({ length: n }, (_, at) => at + 1);

export async function pcmOf(fixture: string): Promise<Int16Array> {
  const parts: Float32Array[] = [];
  for await (const { samples } of (await openAudio(join(root, fixture))).chunks()) parts.push(samples);
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return toInt16(all);
}

/** Processes that a process has started (Linux). */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter((part) => part !== '').map(Number);
}
