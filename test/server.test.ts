/** The engine as a server: a real process, real sockets, real audio. */
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '../engine/session/index.js';
import { scratch } from './command.js';
import { childrenOf, Client, pcmOf, startEngine, upTo, type RunningEngine } from './support/engine.js';

const { dir, remove } = scratch('server');
// letters of other scripts in the path: OC-W06
const sessions = join(dir, 'Flüge Антон', '東京 塔');
let engine: RunningEngine;

/** As many events as a board has after a long shift. */
const MANY = 20_000;

beforeAll(async () => {
  const session = createSession(join(sessions, 'long shift'), { source: 'long shift.wav' });
  session.appendAll(upTo(MANY).map((n) => ({ type: 'notice', kind: 'test', severity: 'info', text: `Notice number ${n}, as long as a sentence that somebody might want to read on a board.` })));
  session.close();
  engine = await startEngine(sessions);
}, 120_000);
afterAll(async () => {
  expect(await engine.stop()).toBe(0);
  remove();
}, 60_000);

/** fetch does not let one choose Host or Origin. */
const raw = (path: string, headers: Record<string, string>): Promise<{ status: number; headers: Record<string, string | string[] | undefined> }> =>
  new Promise((resolve, reject) => {
    request(engine.url + path, { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    })
      .on('error', reject)
      .end();
  });

describe('S1 at the door', () => {
  it.each([
    ['no token', '/v2', {}, 401],
    ['a wrong token', '/v2?token=guess', {}, 401],
    ['a foreign Origin', undefined, { origin: 'https://example.org' }, 403],
    ['another local page', undefined, { origin: 'http://localhost:5173' }, 403],
    ['a foreign Host', undefined, { host: 'example.org' }, 421],
    ['another path', '/v1', {}, 404],
  ])('a socket with %s is refused', async (_name, path, headers, status) => {
    const client = new Client(`${engine.url.replace('http', 'ws')}${path ?? `/v2?token=${engine.token}`}`, headers);
    const [, response] = (await once(client.socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(status);
  });
  it.each([
    ['no token', '/api/sessions', {}, 401],
    ['a wrong token', '/api/sessions', { authorization: 'Bearer guess' }, 401],
    ['a foreign Host', '/health', { host: 'example.org' }, 421],
    ['the name of this machine with another port', '/health', { host: 'localhost:1' }, 421],
  ])('a request with %s is refused', async (_name, path, headers, status) => {
    expect((await raw(path, headers)).status).toBe(status);
  });
  it('a page from elsewhere is refused even with the cookie', async () => {
    const cookie = `hearback-${new URL(engine.url).port}=${engine.token}`;
    expect((await raw('/api/sessions', { cookie })).status).toBe(200);
    expect((await raw('/api/sessions', { cookie, origin: 'https://example.org' })).status).toBe(403);
  });
  it('gives the page its cookie for the token, and no page without it', async () => {
    expect((await raw('/', {})).status).toBe(401);
    expect((await raw('/?token=guess', {})).status).toBe(401);
    const let_in = await raw(`/?token=${engine.token}`, {});
    expect([let_in.status, let_in.headers['location']]).toEqual([303, '/']);
    const [cookie = ''] = let_in.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict;/);
    const page = await raw('/', { cookie: cookie.split(';')[0] ?? '' });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/);
    expect(page.headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/);
  });
  it('gives a sign of life without a token', async () => {
    expect(await (await fetch(`${engine.url}/health`)).json()).toMatchObject({ product: 'hearback', protocol: 2 });
  });
  it('leads nowhere outside of its folders', async () => {
    for (const path of ['/api/sessions/..%2f..%2f/events', '/api/sessions/%2e%2e/events', '/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/api/benchmarks/..%2fx']) {
      expect((await engine.api(path)).status, path).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('S2 bad input', () => {
  it('gets a typed error that names the field, and the connection stays', async () => {
    const client = engine.client();
    await client.message('hello');
    client.send('{');
    await client.error('invalid-input');
    client.send(JSON.stringify({ type: 'session.open', request: 'x', name: 7 }));
    expect(await client.until(() => client.messages.find((message) => message.type === 'error' && message.field === 'name'))).toMatchObject({ request: 'x' });
    client.send(JSON.stringify({ type: 'session.open', source: { kind: 'push', channels: [] } }));
    await client.until(() => client.messages.find((message) => message.type === 'error' && message.field === 'source.channels'));
    client.socket.send(Buffer.alloc(320));
    await client.until(() => client.messages.find((message) => message.type === 'error' && message.message.includes('header')));
    client.play(0, 0, 0, new Int16Array(160));
    await client.error('usage');
    expect(await client.ask({ type: 'subscribe', session: '../escape' })).toMatchObject({ type: 'error', code: 'unknown-id' });
    expect(client.closed).toBeUndefined();
    client.close();
  });
  it('cuts off a flood with a reason, and an oversized message', async () => {
    const flood = engine.client();
    await flood.message('hello');
    for (let n = 0; n < 300; n++) flood.send({ type: 'session.end', session: 'none' });
    await flood.error('flood');
    expect((await flood.until(() => flood.closed)).code).toBe(1008);
    const big = engine.client();
    await big.message('hello');
    big.socket.send(Buffer.alloc(600 * 1024));
    expect((await big.until(() => big.closed)).code).toBe(1009);
  });
});

describe('S3 a client that reads slowly', () => {
  it('holds nobody up, and gets every event once and in order when it reads again', { timeout: 120_000 }, async () => {
    const slow = engine.client();
    await slow.message('hello');
    slow.send({ type: 'subscribe', session: 'long shift' });
    slow.socket.pause();
    const quick = engine.client();
    await quick.message('hello');
    quick.send({ type: 'subscribe', session: 'long shift', after: MANY - 5 });
    await quick.until(() => (quick.events.length === 5 ? true : undefined));
    await new Promise((resolve) => setTimeout(resolve, 500));
    slow.socket.resume();
    await slow.until(() => (slow.events.length >= MANY ? true : undefined));
    expect(slow.numbers('long shift')).toEqual(upTo(MANY));
    slow.close();
    quick.close();
  });
});

describe('S4 a live session', () => {
  it('hears two frequencies by the clock of a client that sends only speech, with a traffic list each, and survives its recogniser', { timeout: 240_000 }, async () => {
    const pcm = await pcmOf('fixtures/clips/radio-pair-quarter-second.flac');
    const client = engine.client();
    await client.message('hello');
    const { session, stream = -1, channels } = await client.open({ name: 'two frequencies', source: { kind: 'push', channels: ['118.105', '121.800'] } });
    expect(channels).toEqual(['118.105', '121.800']);
    expect(await client.ask({ type: 'context.update', session, channel: '121.800', callsigns: ['SWR426'] })).toMatchObject({ type: 'done' });
    expect(await client.ask({ type: 'context.update', session, channel: '119.000', callsigns: ['SWR426'] })).toMatchObject({ type: 'error', code: 'unknown-id' });
    // the simulator's clock begins anywhere
    client.play(stream, 0, 1000, pcm);
    client.play(stream, 1, 1003.5, pcm);
    client.send({ type: 'clock', session, clock: 1020 });
    await client.event('transmission.captured');
    const [worker = 0] = childrenOf(engine.child.pid ?? 0);
    process.kill(worker, 'SIGKILL');
    client.send({ type: 'session.end', session });
    const ended = await client.event('session.ended', 180);
    expect(ended.logged.event).toMatchObject({ reason: 'end-of-audio', seconds: 20 });
    expect(client.numbers(session)).toEqual(upTo(client.numbers(session).length));

    const captured = client.events.flatMap(({ logged: { event } }) => (event.type === 'transmission.captured' ? [event] : []));
    const recognised = client.events.flatMap(({ logged: { event } }) => (event.type === 'transmission.recognised' ? [event] : []));
    expect(recognised.map(({ transmission }) => transmission).sort()).toEqual(captured.map(({ transmission }) => transmission).sort());
    expect(recognised.every(({ text }) => text !== '')).toBe(true);
    const starts = (channel: string): number[] => captured.filter((event) => event.channel === channel).map(({ start }) => start);
    expect(starts('118.105').length).toBeGreaterThanOrEqual(2);
    // the same sound three and a half seconds later on the other frequency
    expect(starts('121.800').length).toBe(starts('118.105').length);
    starts('121.800').forEach((start, at) => {
      expect(start - (starts('118.105')[at] ?? 0)).toBeCloseTo(3.5, 1);
    });
    expect(client.events.some(({ logged: { event } }) => event.type === 'notice' && event.text.includes('started again'))).toBe(true);
    expect(client.messages.some((message) => message.type === 'levels' && message.channels.length === 2)).toBe(true);

    // coming back at any number gives what follows, and nothing else
    const total = client.numbers(session).length;
    for (const after of [0, 3, total - 1, total]) {
      const back = engine.client();
      await back.message('hello');
      back.send({ type: 'subscribe', session, after });
      await back.until(() => (back.events.length === total - after ? true : undefined));
      expect(back.events).toEqual(client.events.filter((event) => event.session === session).slice(after));
      back.close();
    }

    // once more, and judged once more
    const [first] = recognised;
    expect(await client.ask({ type: 'transmission.rerun', session, transmission: first?.transmission ?? '' })).toMatchObject({ type: 'done' });
    expect(client.events.at(-1)?.logged.event.type).toMatch(/finding\.made|transmission\.understood/);
    expect(client.events.find(({ logged: { seq, event } }) => seq > total && event.type === 'transmission.recognised')?.logged.event).toMatchObject({ rerun: true, text: first?.text });
    client.close();
  });
});
