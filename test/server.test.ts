/** The engine as a server: a real process, real sockets, real audio. */
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openAudio } from '../engine/audio/index.js';
import { ServerMessage } from '../engine/server/protocol.js';
import { root, scratch, start } from './command.js';

const { dir, remove } = scratch('server');
let engine: ChildProcess;
let url = '';
let token = '';

beforeAll(async () => {
  engine = start(['serve', '--json', '--sessions', join(dir, 'sessions')]);
  const [line] = (await once(engine.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  ({ url, token } = JSON.parse(line.toString('utf8')) as { url: string; token: string });
}, 60_000);
afterAll(async () => {
  engine.kill('SIGINT');
  const [code] = (await once(engine, 'close')) as [number];
  expect(code).toBe(0);
  remove();
}, 60_000);

class Client {
  readonly messages: ServerMessage[] = [];
  readonly socket: WebSocket;
  closed: { code: number } | undefined;
  constructor(path = `/v1?token=${token}`, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
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
    throw new Error(`waited ${seconds} s; got ${JSON.stringify(this.messages.slice(-3))}`);
  }
  message(type: ServerMessage['type']): Promise<ServerMessage> {
    return this.until(() => this.messages.find((message) => message.type === type));
  }
  error(code: string): Promise<ServerMessage> {
    return this.until(() => this.messages.find((message) => message.type === 'error' && message.code === code));
  }
  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
  get events(): Extract<ServerMessage, { type: 'event' }>[] {
    return this.messages.filter((message) => message.type === 'event');
  }
}

async function pcmOf(fixture: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const { samples } of (await openAudio(join(root, fixture))).chunks()) parts.push(Buffer.from(Int16Array.from(samples, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32767)))).buffer));
  return Buffer.concat(parts);
}

describe('S1 at the door', () => {
  it.each([
    ['no token', '/v1', {}, 401],
    ['a wrong token', '/v1?token=guess', {}, 401],
    ['a foreign Origin', undefined, { origin: 'https://example.org' }, 403],
    ['a foreign Host', undefined, { host: 'example.org' }, 421],
    ['another path', '/v2', {}, 404],
  ])('%s is refused', async (_name, path, headers, status) => {
    const client = new Client(path, headers);
    const [, response] = (await once(client.socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(status);
  });
  it('gives a sign of life without a token', async () => {
    const got = await new Promise<string>((resolve, reject) => {
      request(`${url}/health`, (response) => {
        let text = '';
        response.on('data', (data: Buffer) => (text += data.toString('utf8')));
        response.on('end', () => {
          resolve(text);
        });
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(got)).toMatchObject({ product: 'hearback', protocol: 1 });
  });
});

describe('S2 bad input', () => {
  it('gets a typed error that names the field, and the connection stays', async () => {
    const client = new Client();
    await client.message('hello');
    client.send('{');
    await client.error('invalid-input');
    client.send({ type: 'session.open', name: 7 });
    await client.until(() => client.messages.find((message) => message.type === 'error' && message.field === 'name'));
    client.socket.send(Buffer.alloc(320));
    await client.error('usage');
    client.send({ type: 'subscribe', session: 'none', after: 0 });
    await client.error('unknown-id');
    expect(client.closed).toBeUndefined();
    client.socket.close();
  });
  it('cuts off a flood with a reason, and an oversized message', async () => {
    const flood = new Client();
    await flood.message('hello');
    for (let n = 0; n < 300; n++) flood.send({ type: 'session.end' });
    await flood.error('flood');
    expect((await flood.until(() => flood.closed)).code).toBe(1008);
    const big = new Client();
    await big.message('hello');
    big.socket.send(Buffer.alloc(600 * 1024));
    expect((await big.until(() => big.closed)).code).toBe(1009);
  });
});

describe('S3 a live session', () => {
  it('takes audio, gives every event once and in order, and gives again what a client missed', { timeout: 180_000 }, async () => {
    const client = new Client();
    const hello = await client.message('hello');
    expect(hello).toMatchObject({ recogniser: 'whisper-base-radio' });
    client.send({ type: 'session.open', name: 'two turns', context: { callsigns: ['SWR426'] } });
    const opened = await client.message('session.opened');
    if (opened.type !== 'session.opened') throw new Error('not opened');
    const pcm = await pcmOf('fixtures/clips/radio-pair-quarter-second.flac');
    for (let at = 0; at < pcm.length; at += 6400) client.socket.send(pcm.subarray(at, at + 6400));
    client.send({ type: 'session.end' });
    await client.until(() => client.events.find(({ logged }) => logged.event.type === 'session.ended'), 120);
    expect(client.events.map(({ logged }) => logged.seq)).toEqual(client.events.map((_, at) => at + 1));
    expect(client.events.filter(({ logged }) => logged.event.type === 'transmission.recognised').length).toBeGreaterThanOrEqual(2);

    const back = new Client();
    await back.message('hello');
    back.send({ type: 'subscribe', session: opened.session, after: 3 });
    await back.until(() => (back.events.length === client.events.length - 3 ? true : undefined));
    expect(back.events).toEqual(client.events.slice(3));
    back.socket.close();
    client.socket.close();
  });
});
