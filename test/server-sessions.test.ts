/** Sessions over HTTP: recordings that are sent in, what comes out, lists, search, retention, review. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { GOLD } from '../engine/bench/index.js';
import { ChannelList, EXPORTS, ImportAnswer, Peaks, type ReviewEvent, SessionList, Settings, TaskList, type Task } from '../engine/server/protocol.js';
import { root, scratch } from './command.js';
import { fixture } from './support/audio.js';
import { startEngine, upTo, type RunningEngine } from './support/engine.js';
import { storeSample } from './support/session.js';

const { dir, remove } = scratch('server sessions');
const sessions = join(dir, 'sessions');
let engine: RunningEngine;

beforeAll(async () => {
  storeSample(join(sessions, 'sample'));
  storeSample(join(sessions, 'old'));
  engine = await startEngine(sessions);
}, 60_000);
afterAll(async () => {
  await engine.stop();
  remove();
}, 60_000);

const bytesOf = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(root, path)));
const send = (name: string, body: Uint8Array<ArrayBuffer>): Promise<Response> => engine.api(`/api/import?name=${encodeURIComponent(name)}`, { method: 'POST', body, headers: { 'content-type': 'application/octet-stream' } });
const list = async (search = ''): Promise<ReturnType<typeof SessionList.parse>['sessions']> => SessionList.parse(await engine.json(`/api/sessions?search=${encodeURIComponent(search)}`)).sessions;

/** How alike two stretches of sound are (correlation, 0…1) when the second lies `lag` samples later; every fourth sample is enough. */
function likeness(one: Buffer, other: Buffer, lag: number): number {
  let [product, a, b] = [0, 0, 0];
  for (let n = 16; n + 16 < Math.min(one.length, other.length) / 2; n += 4) {
    const [x, y] = [one.readInt16LE(2 * n), other.readInt16LE(2 * (n + lag))];
    product += x * y;
    a += x * x;
    b += y * y;
  }
  return product / Math.sqrt(a * b || Infinity);
}

describe('S6 recordings sent in (OC-W08)', () => {
  it('takes twelve: eight good ones, one under a wrong ending; says of each bad one what it is; a stopped one can be sent again', { timeout: 240_000 }, async () => {
    const good = ['clean-descend', 'clean-frequency', 'clean-heading', 'clean-say-again', 'radio-12-db-speed', 'radio-18-db-heading', 'radio-6-db-say-again', 'radio-clipped-start'];
    const batch: [string, Uint8Array<ArrayBuffer>][] = good.slice(0, 3).map((name) => [`${name}.flac`, bytesOf(`fixtures/clips/${name}.flac`)]);
    batch.push(['Úřad Антон 東京.ogg', bytesOf('fixtures/demo/tower-and-approach.ogg')]);
    batch.push(['empty.wav', new Uint8Array(0)], ['text.wav', new TextEncoder().encode('This is a letter and no recording at all. '.repeat(50))]);
    // the beginning of an MP4 file with AAC in it
    batch.push(['film.mp3', new Uint8Array([0, 0, 0, 32, ...new TextEncoder().encode('ftypM4A isomM4A mp42'), 0, 0, 0, 0, ...new Array<number>(500).fill(7)])]);
    batch.push(...good.slice(3).map((name): [string, Uint8Array<ArrayBuffer>] => [`${name}.wav`, bytesOf(`fixtures/clips/${name}.flac`)]));
    expect(batch).toHaveLength(12);

    const client = engine.client();
    await client.message('hello');
    const answers: { name: string; status: number; body: unknown }[] = [];
    for (const [name, body] of batch) {
      const answer = await send(name, body);
      answers.push({ name, status: answer.status, body: await answer.json() });
      const taken = ImportAnswer.safeParse(answers.at(-1)?.body);
      // the fourth is stopped while it runs
      if (name.endsWith('.ogg') && taken.success) {
        await client.until(() => tasks().find((task) => task.task === taken.data.task && task.state === 'running'));
        expect((await engine.api(`/api/tasks/${taken.data.task}`, { method: 'DELETE' })).status).toBe(200);
      }
    }
    function tasks(): Task[] {
      return client.messages.flatMap((message) => (message.type === 'task' ? [message.task] : []));
    }
    const bad = Object.fromEntries(answers.filter(({ status }) => status !== 200).map(({ name, status, body }) => [name, { status, message: (body as { error: { message: string } }).error.message }]));
    expect(Object.keys(bad).sort()).toEqual(['empty.wav', 'film.mp3', 'text.wav']);
    expect(bad['empty.wav']).toMatchObject({ status: 422, message: expect.stringContaining('empty') as string });
    expect(bad['text.wav']).toMatchObject({ status: 415, message: expect.stringContaining('text') as string });
    expect(bad['film.mp3']).toMatchObject({ status: 415, message: expect.stringMatching(/MP4|AAC|MPEG-4/) as string });
    for (const { message } of Object.values(bad)) expect(message).not.toContain(dir);

    const over = (task: Task): boolean => ['done', 'failed', 'stopped'].includes(task.state);
    await client.until(() => (new Set(tasks().filter(over).map(({ task }) => task)).size === 9 ? true : undefined), 180);
    const states = Object.fromEntries(tasks().filter(over).map(({ title, state }) => [title, state]));
    expect(states['Úřad Антон 東京.ogg']).toBe('stopped');
    expect(Object.values(states).filter((state) => state === 'done')).toHaveLength(8);
    expect(TaskList.parse(await engine.json('/api/tasks')).tasks.filter(over)).toHaveLength(9);
    const stored = await list();
    expect(stored.filter((entry) => entry.kind === 'session' && entry.state === 'end-of-audio' && good.some((name) => entry.name.startsWith(name)))).toHaveLength(8);
    expect(stored.find((entry) => entry.kind === 'session' && entry.name === 'Úřad Антон 東京.ogg')).toMatchObject({ state: 'stopped' });
    // the stopped one once more; it is enough that it begins
    const again = ImportAnswer.parse(await (await send('Úřad Антон 東京.ogg', bytesOf('fixtures/demo/tower-and-approach.ogg'))).json());
    await client.until(() => tasks().find((task) => task.task === again.task && (task.done ?? 0) > 0));
    await engine.json(`/api/tasks/${again.task}`, { method: 'DELETE' });
    client.close();
  });

  it('plays of any recording exactly what was on the channel, in parts', async () => {
    const entry = (await list()).find((each) => each.kind === 'session' && each.name.startsWith('radio-18-db-heading'));
    const at = `/api/sessions/${encodeURIComponent(entry?.session ?? '')}/channels/0`;
    const whole = await engine.api(`${at}/audio.wav`);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get('content-type')).toBe('audio/wav');
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    for (const [range, from, to] of [['bytes=0-43', 0, 44], ['bytes=1001-2000', 1001, 2001], ['bytes=-7', bytes.length - 7, bytes.length], [`bytes=${bytes.length - 3}-`, bytes.length - 3, bytes.length]] as const) {
      const part = await engine.api(`${at}/audio.wav`, { headers: { range } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to)), range).toBe(true);
    }
    expect((await engine.api(`${at}/audio.wav`, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416);
    const { low, high } = Peaks.parse(await engine.json(`${at}/peaks?count=50`));
    expect([low.length, high.length]).toEqual([50, 50]);
    const loudest = Math.max(...upTo((bytes.length - 44) / 2).map((n) => bytes.readInt16LE(42 + 2 * n))) / 32768;
    expect(Math.max(...high)).toBeCloseTo(loudest, 2);
  });
});

describe('S9 a recording whose rate changes and that has no index (OC-A12)', () => {
  it('is heard at any moment as what was said at that moment, and is as long as it is', { timeout: 240_000 }, async () => {
    // no frame leans on the one before (no bit reservoir), so frames can be repeated at will: 576 samples at 16 kHz each
    const FRAME = 0.036;
    const frames = (name: string): Buffer[] => {
      const bytes = readFileSync(fixture(name));
      const length = (72 * Number(/-(\d+)\.mp3$/.exec(name)?.[1]) * 1000) / 16_000;
      return Array.from({ length: bytes.length / length }, (_, n) => bytes.subarray(n * length, (n + 1) * length));
    };
    const middle = (list: readonly Buffer[]): Buffer => list[Math.floor(list.length / 2)] ?? Buffer.alloc(0);
    const [low, high] = [middle(frames('frames-silence-8.mp3')), middle(frames('frames-silence-64.mp3'))];
    const [first, second] = [frames('frames-west-1-instruction-32.mp3'), frames('frames-west-2-readback-40.mp3')];
    const stream: Buffer[] = [];
    const until = (seconds: number, frame: Buffer): void => {
      while (stream.length * FRAME < seconds) stream.push(frame);
    };
    const talks: number[] = [];
    const talk = (sound: readonly Buffer[]): void => {
      talks.push(stream.length * FRAME);
      stream.push(...sound);
    };
    until(20, low);
    talk(first);
    // forty seconds at eight times the rate: who guesses from the bytes is far off behind them
    until(70, high);
    until(100, low);
    talk(second);
    until(120, low);
    const bytes = Buffer.concat(stream);
    const { session } = ImportAnswer.parse(await (await send('no index.mp3', new Uint8Array(bytes))).json());
    const client = engine.client();
    await client.message('hello');
    client.send({ type: 'subscribe', session });
    await client.event('session.ended', 180);
    const captured = client.events.flatMap(({ logged: { event } }) => (event.type === 'transmission.captured' ? [event] : []));
    expect(captured).toHaveLength(2);
    const { channels } = ChannelList.parse(await engine.json(`/api/sessions/${session}/channels`));
    expect(Math.abs((channels[0]?.duration ?? 0) - 120)).toBeLessThan(1);
    expect(channels[0]?.audio).toBe('whole');
    for (const [n, { transmission, start, end }] of captured.entries()) {
      // pre-roll and the encoder's delay
      expect(Math.abs(start - (talks[n] ?? 0))).toBeLessThan(1);
      const [from, to] = [Math.round(start * 16_000) * 2 + 44, Math.round(end * 16_000) * 2 + 43];
      const heard = Buffer.from(await (await engine.api(`/api/sessions/${session}/channels/0/audio.wav`, { headers: { range: `bytes=${from}-${to}` } })).arrayBuffer());
      const stored = Buffer.from(await (await engine.api(`/api/sessions/${session}/transmissions/${transmission}/audio.wav`)).arrayBuffer()).subarray(44);
      // the segmenter takes the offset out of what it stores; times in the log are of whole milliseconds
      const best = Math.max(...Array.from({ length: 33 }, (_, n) => likeness(heard, stored, n - 16)));
      expect(best).toBeGreaterThan(0.98);
      expect(Math.max(...upTo(heard.length / 2).map((i) => Math.abs(heard.readInt16LE(2 * i - 2))))).toBeGreaterThan(1000);
    }
    client.close();
  });
});

describe('S7 review (OC-W01)', () => {
  it('is in every export at once and after a restart, with the machine’s answers beside it, and can be taken back', { timeout: 120_000 }, async () => {
    const client = engine.client();
    await client.message('hello');
    client.send({ type: 'subscribe', session: 'sample' });
    await client.until(() => (client.events.length > 50 ? true : undefined));
    const finding = client.events.map(({ logged }) => logged.event).find((event) => event.type === 'finding.made' && event.finding.verdict === 'error' && event.finding.error_type === 'VALUE_CRITICAL');
    if (finding?.type !== 'finding.made') throw new Error('the sample has no such finding');
    const opened = client.events.map(({ logged }) => logged.event).filter((event) => (event.type === 'exchange.updated' || event.type === 'exchange.opened') && event.exchange.id === finding.exchange).at(-1);
    if (opened?.type !== 'exchange.updated' && opened?.type !== 'exchange.opened') throw new Error('no exchange');
    const [readback = ''] = opened.exchange.readbacks;
    const machine = client.events.map(({ logged }) => logged.event).find((event) => event.type === 'transmission.recognised' && event.transmission === readback);
    const heard = machine?.type === 'transmission.recognised' ? machine.text : '';
    expect(heard).not.toBe('');

    const review = (event: z.input<typeof ReviewEvent>) => client.ask({ type: 'review', session: 'sample', event });
    const corrected = 'descending to flight level eight zero, corrected by hand';
    expect(await review({ type: 'review.text-edited', transmission: readback, reviewer: 'Ada', text: corrected })).toMatchObject({ type: 'done' });
    expect(await review({ type: 'review.decided', exchange: finding.exchange, reviewer: 'Ada', decision: 'overrule', error_type: 'CORRECT', note: 'Heard it twice: it is right.' })).toMatchObject({ type: 'done' });
    expect(await review({ type: 'review.noted', exchange: finding.exchange, reviewer: 'Bo', text: 'Good example for the course.' })).toMatchObject({ type: 'done' });
    expect(await review({ type: 'review.decided', exchange: 'none', reviewer: 'Ada', decision: 'agree' })).toMatchObject({ type: 'error', code: 'unknown-id' });

    const exported = async (): Promise<Record<string, string>> => Object.fromEntries(await Promise.all(EXPORTS.map(async (format) => [format, await (await engine.api(`/api/sessions/sample/export/${format}`)).text()] as const)));
    const now = await exported();
    for (const format of ['html', 'csv', 'jsonl', 'srt', 'textgrid'] as const) {
      const text = now[format] ?? '';
      expect(text, format).toContain(corrected);
      expect(text, format).toContain(heard.slice(0, 20));
      expect(text, format).toContain('Heard it twice: it is right.');
      expect(text, format).toContain('Good example for the course.');
      expect(text, format).toMatch(/VALUE_CRITICAL/);
    }
    const item = (now['bench'] ?? '').split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>])).find(({ readback: said }) => said === corrected);
    expect(GOLD.task2.safeParse(item).success).toBe(true);
    expect(item).toMatchObject({ is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT' });

    client.close();
    expect(await engine.stop()).toBe(0);
    engine = await startEngine(sessions);
    expect(await exported()).toEqual(now);

    const again = engine.client();
    await again.message('hello');
    again.send({ type: 'subscribe', session: 'sample' });
    const edit = await again.until(() => again.events.findLast(({ logged }) => logged.event.type === 'review.text-edited' && logged.event.text === corrected));
    expect(await again.ask({ type: 'review', session: 'sample', event: { type: 'review.undone', undoes: edit.logged.seq, reviewer: 'Ada' } })).toMatchObject({ type: 'done' });
    expect(await again.ask({ type: 'review', session: 'sample', event: { type: 'review.undone', undoes: edit.logged.seq, reviewer: 'Ada' } })).toMatchObject({ type: 'error', code: 'usage' });
    expect((await exported())['csv']).not.toContain(corrected);
    again.close();
  });
});

describe('S10 settings', () => {
  it('are refused when nothing has such a model, and then stay as they were; what is taken holds after a restart', { timeout: 60_000 }, async () => {
    const before = Settings.parse(await engine.json('/api/settings'));
    const put = (settings: unknown): Promise<Response> => engine.api('/api/settings', { method: 'PUT', body: JSON.stringify(settings), headers: { 'content-type': 'application/json' } });
    const refused = await put({ ...before, model: 'no-such-model' });
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([404, 'unknown-id']);
    expect((await put({ ...before, judge: 'oracle' })).status).toBe(400);
    expect((await put({ ...before, retention_days: 0 })).status).toBe(400);
    expect((await engine.api('/api/settings')).status).toBe(200);
    expect(Settings.parse(await engine.json('/api/settings'))).toEqual(before);
    expect(await engine.json('/api/engine')).toMatchObject({ status: 'ready', recogniser: before.model });
    const other: Settings = { ...before, profile: 'paper', judge: 'llm', llm: { provider: 'openai', url: 'http://127.0.0.1:9/v1', model: 'm' }, keep_recording: false };
    expect((await put(other)).status).toBe(200);
    const goes = { profile: 'paper', text_goes: expect.stringContaining('goes to http://127.0.0.1:9/v1') as string };
    expect(await engine.json('/api/engine')).toMatchObject(goes);
    await engine.stop();
    engine = await startEngine(sessions);
    expect(Settings.parse(await engine.json('/api/settings'))).toEqual(other);
    expect(await engine.json('/api/engine')).toMatchObject(goes);
    expect((await put(before)).status).toBe(200);
  });
});

describe('S8 stored sessions', () => {
  it('are renamed, found by what was said in them, kept for a while, and deleted with their sound', async () => {
    const change = (body: unknown): Promise<unknown> => engine.json('/api/sessions/old', { method: 'PATCH', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    await change({ name: 'Evening of the course', retention_days: 36_500 });
    expect(await list('evening of the COURSE')).toHaveLength(1);
    expect((await list('NVK')).length + (await list('descend')).length).toBeGreaterThan(0);
    expect(await list('no such words were ever said')).toEqual([]);
    expect((await list('Evening of the course'))[0]).toMatchObject({ name: 'Evening of the course', retention_days: 36_500 });
    expect((await engine.api('/api/sessions/old', { method: 'PATCH', body: JSON.stringify({ retention_days: -1 }), headers: { 'content-type': 'application/json' } })).status).toBe(400);
    expect((await engine.api('/api/sessions/old', { method: 'DELETE' })).status).toBe(200);
    expect((await engine.api('/api/sessions/old/events')).status).toBe(404);
    // the sample is from years ago: it goes as soon as it has a period
    await engine.json('/api/sessions/sample', { method: 'PATCH', body: JSON.stringify({ retention_days: 30 }), headers: { 'content-type': 'application/json' } });
    await engine.stop();
    engine = await startEngine(sessions);
    expect((await list()).map(({ session }) => session)).not.toContain('sample');
  });
});
