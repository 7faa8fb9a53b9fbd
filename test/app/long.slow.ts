/**
 * What takes too long for every run (`npm run test:long`): an hour of MP3 on the desk, ten thousand exchanges scrolled, hours of replay with the board
 * open. Figures are printed; only what must hold everywhere is asserted. HEARBACK_MINUTES and HEARBACK_REPLAYS make the last one shorter.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeWav, type SessionState } from '../../engine/session/index.js';
import { scratch } from '../command.js';
import { startEngine, type RunningEngine } from '../support/engine.js';
import { blocks, hiss, mixed } from '../support/listening.js';
import { storeMany } from '../support/many.js';
import { variableRate } from '../support/mp3.js';
import { eventually, goTo, heardOnDesk, launch, loudPart, openPage, sessionShownBy, stateIn, textOf } from '../support/page.js';

const { dir, remove } = scratch('long');
const sessions = join(dir, 'sessions');
const MINUTES = Number(process.env['HEARBACK_MINUTES'] ?? 60);
const REPLAYS = Number(process.env['HEARBACK_REPLAYS'] ?? 8);
let engine: RunningEngine;
let browser: Browser;
let context: BrowserContext;
let page: Page;

const stateOf = (session: string): SessionState => stateIn(join(sessions, session));
const go = (hash: string): Promise<void> => goTo(page, hash);
const ended = (session: string, seconds: number): Promise<void> =>
  eventually(() => {
    expect(stateOf(session).ended?.reason).toBe('end-of-audio');
    return Promise.resolve();
  }, seconds);
/** Bytes of the page's heap after everything that can go has gone. */
async function heap(): Promise<number> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  await devtools.detach();
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN;
}
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const tell = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

beforeAll(async () => {
  mkdirSync(sessions, { recursive: true });
  storeMany(join(sessions, 'many'), 10_000);
  engine = await startEngine(sessions, 'app');
  browser = await launch(join(dir, 'none.wav'));
  context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  await context.addInitScript(`localStorage.setItem('hearback.reviewer', 'Jana')`);
  page = await openPage(context, engine);
}, 300_000);
afterAll(async () => {
  await browser.close();
  await engine.stop();
  remove();
}, 60_000);

it('W13 ten thousand exchanges are scrolled from end to beginning: frame times and memory', { timeout: 300_000 }, async () => {
  const before = await heap();
  await go('#/live/many');
  await page.locator('#row-x9999').waitFor({ timeout: 120_000 });
  const loaded = await heap();
  await page.mouse.move(400, 400);
  await page.evaluate(`window.frames_ = []; window.last_ = performance.now(); const tick = (now) => { window.frames_.push(now - window.last_); window.last_ = now; requestAnimationFrame(tick); }; requestAnimationFrame(tick)`);
  let most = 0;
  for (let n = 0; n < 300; n++) {
    await page.mouse.wheel(0, -400);
    if (n % 20 === 0) most = Math.max(most, await page.locator('.xrow').count());
  }
  const frames = (await page.evaluate<number[]>('window.frames_')).slice(1).sort((a, b) => a - b);
  const at = (share: number): string => `${(frames[Math.floor(frames.length * share)] ?? NaN).toFixed(1)} ms`;
  await page.locator('.rows').evaluate((element: { scrollTop: number }) => {
    element.scrollTop = 0;
  });
  await page.locator('#row-x0').waitFor();
  const after = await heap();
  tell(`10,000 exchanges, 300 turns of the wheel: ${frames.length} frames, median ${at(0.5)}, 95th percentile ${at(0.95)}, longest ${at(0.9999)}, over 50 ms: ${frames.filter((frame) => frame > 50).length}`);
  tell(`heap of the page: ${mb(before)} empty, ${mb(loaded)} with the session, ${mb(after)} after scrolling; at most ${most} rows drawn`);
  expect(most).toBeLessThan(60);
  expect(after).toBeLessThan(loaded * 1.2);
});

it('A12 an hour of MP3 whose rate changes and that has no index: what the desk plays for minute 55 is what was said there, and it is as long as it is', { timeout: 1_800_000 }, async () => {
  const talks = [
    { at: 300, frames: 'frames-west-1-instruction-32.mp3' },
    { at: 1800, frames: 'frames-east-2-instruction-64.mp3' },
    { at: 3300, frames: 'frames-west-2-readback-40.mp3' },
  ];
  const { bytes, begins } = variableRate(3600, talks);
  await go('#/live');
  await page.locator('input[type=file]').setInputFiles({ name: 'an hour.mp3', mimeType: 'audio/mpeg', buffer: bytes });
  await page.locator('.live').waitFor({ timeout: 120_000 });
  const session = sessionShownBy(page);
  const began = Date.now();
  await ended(session, 1700);
  tell(`an hour of MP3 was heard in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  const state = stateOf(session);
  expect(Math.abs((state.ended?.seconds ?? 0) - 3600)).toBeLessThan(1);
  expect(state.transmissions.size).toBe(3);
  await go('#/sessions');
  await eventually(async () => {
    expect(await textOf(page.locator('table.list tbody tr').filter({ hasText: 'an hour.mp3' }))).toMatch(/ (60:00|59:59|1:00:00|01:00:00) /);
  });
  const names = ['west-1-instruction', 'east-2-instruction', 'west-2-readback'] as const;
  // the board plays any transmission, the desk those of exchanges
  for (const [n, block] of (await blocks(...names)).entries()) {
    const [begin, end] = loudPart(block.samples);
    const wanted = [(begins[n] ?? NaN) + begin, (begins[n] ?? NaN) + end];
    const transmission = [...state.transmissions.values()].find(({ capture }) => Math.abs((capture?.start ?? 0) - (begins[n] ?? 0)) < 2);
    const exchange = [...state.exchanges.values()].find((each) => [each.exchange.instruction, ...each.exchange.readbacks].includes(transmission?.id ?? ''));
    const heard =
      exchange === undefined
        ? await (async () => {
            const sound = await engine.api(`/api/sessions/${encodeURIComponent(session)}/transmissions/${transmission?.id ?? ''}/audio.wav`);
            const wav = Buffer.from(await sound.arrayBuffer());
            const [from, to] = loudPart(Int16Array.from({ length: (wav.length - 44) / 2 }, (_, at) => wav.readInt16LE(44 + at * 2)), 1500);
            return { from: (transmission?.capture?.start ?? NaN) + from, to: (transmission?.capture?.start ?? NaN) + to };
          })()
        : await heardOnDesk(page, () => go(`#/review/${session}/${exchange.id}`));
    expect(Math.abs(heard.from - (wanted[0] ?? NaN)), `${block.name} begins`).toBeLessThan(0.3);
    expect(Math.abs(heard.to - (wanted[1] ?? NaN)), `${block.name} ends`).toBeLessThan(0.3);
  }
});

it(`W13 ${REPLAYS} replays of ${MINUTES} minutes with the board open: the window does not grow`, { timeout: 7_200_000 }, async () => {
  const parts = await blocks('west-1-instruction', 'west-1-readback');
  const sound = new Float32Array(MINUTES * 60 * 16_000);
  // an exchange a minute
  for (let minute = 0; minute < MINUTES; minute++) {
    let at = (minute * 60 + 10) * 16_000;
    for (const part of parts) {
      sound.set(part.samples, at);
      at += part.samples.length + 16_000;
    }
  }
  const noise = hiss(60, -58);
  for (let at = 0; at < sound.length; at += noise.length) sound.set(mixed(noise, sound.subarray(at, at + noise.length)), at);
  const path = join(dir, 'hours.wav');
  writeFileSync(path, encodeWav(sound));
  const client = engine.client();
  await client.message('hello');
  const sizes: number[] = [];
  for (let n = 1; n <= REPLAYS; n++) {
    const { session } = await client.open({ source: { kind: 'file', path, speed: 20 } });
    await go(`#/live/${session}`);
    await page.locator('.transport').waitFor({ timeout: 60_000 });
    await client.ask({ type: 'replay.control', session, speed: 'max' });
    await ended(session, 1800);
    await eventually(async () => {
      expect(Number(await page.locator('.xrow').first().getAttribute('aria-setsize'))).toBeGreaterThanOrEqual(MINUTES);
    });
    await page.locator('.board').click();
    await page.keyboard.press('Home');
    await page.locator('.xrow[aria-selected=true]').waitFor();
    sizes.push(await heap());
    tell(`after replay ${n} of ${MINUTES} minutes: ${mb(sizes.at(-1) ?? NaN)}`);
    await client.ask({ type: 'unsubscribe', session });
  }
  client.close();
  expect(sizes.at(-1) ?? NaN).toBeLessThan((sizes[1] ?? NaN) * 1.2);
});
