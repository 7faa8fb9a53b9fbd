/** OC-W04: connection and engine are lost in the middle of work; nothing is missed and nothing comes twice. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fromInt16 } from '../engine/domain/pcm.js';
import { encodeWav, openSession } from '../engine/session/index.js';
import { scratch } from './command.js';
import { pcmOf, startEngine, upTo } from './support/engine.js';

const SECONDS = 60;

it('S5 a replay goes on after its engine was killed, and a client that comes back has every event once (OC-W04)', { timeout: 400_000 }, async () => {
  const { dir, remove } = scratch('restart');
  const sessions = join(dir, 'sessions');
  const recording = join(dir, 'the first minute.wav');
  writeFileSync(recording, encodeWav(fromInt16((await pcmOf('fixtures/demo/tower-and-approach.ogg')).subarray(0, SECONDS * 16_000))));
  const first = await startEngine(sessions);
  const seen: number[] = [];
  let client = first.client();
  await client.message('hello');
  const { session } = await client.open({ source: { kind: 'file', path: recording, speed: 10 } });
  await client.event('transmission.recognised');
  client.close();
  seen.push(...client.numbers(session));
  // the socket is gone while work goes on
  await new Promise((resolve) => setTimeout(resolve, 1000));
  client = first.client();
  await client.message('hello');
  client.send({ type: 'subscribe', session, after: seen.at(-1) ?? 0 });
  await client.event('transmission.captured');
  first.child.kill('SIGKILL');
  await once(first.child, 'close');
  await client.until(() => client.closed);
  seen.push(...client.numbers(session));

  const second = await startEngine(sessions);
  client = second.client();
  await client.message('hello');
  client.send({ type: 'subscribe', session, after: seen.at(-1) ?? 0 });
  expect(await client.ask({ type: 'replay.control', session, speed: 'max' })).toMatchObject({ type: 'done' });
  await client.event('session.ended', 300);
  seen.push(...client.numbers(session));
  expect(seen).toEqual(upTo(seen.length));
  expect(await second.stop()).toBe(0);

  const log = openSession(join(sessions, session), { readonly: true });
  expect(log.lastSeq).toBe(seen.length);
  const { state } = log;
  expect(state.runs).toBe(2);
  expect(log.pending({ retryBelow: Infinity })).toEqual([]);
  const captured = [...state.transmissions.values()].flatMap(({ capture }) => capture ?? []).sort((a, b) => a.start - b.start);
  // no second of the recording was cut into two transmissions
  captured.slice(1).forEach((capture, at) => {
    expect(capture.start).toBeGreaterThanOrEqual((captured[at]?.end ?? 0) - 0.001);
  });
  expect(captured.at(-1)?.end).toBeGreaterThan(SECONDS - 10);
  log.close();
  remove();
});
