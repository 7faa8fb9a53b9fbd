/**
 * The app as people use it: the real engine, the real recogniser, the page in a real Chromium. W…: workflow cases that were reported of
 * neighbouring programs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionState } from '../../engine/session/index.js';
import { judged } from '../../engine/session/answer.js';
import { lookOfExchange } from '../../engine/session/looks.js';
import { exchangeOf } from '../../engine/session/reading.js';
import { root, scratch } from '../command.js';
import { startEngine, type RunningEngine } from '../support/engine.js';
import { blocks } from '../support/listening.js';
import { drop, eventually, faults, goTo, heardOnDesk, launch, loudPart, openPage, picture, sessionShownBy, stateIn, textOf, wavOf } from '../support/page.js';
import { variableRate } from '../support/mp3.js';
import { storeMany } from '../support/many.js';

const { dir, remove } = scratch('app');
const sessions = join(dir, 'sessions');
const microphone = join(dir, 'microphone.wav');
/** A right exchange and a wrong one, 20 s. */
let recording: Uint8Array;
let engine: RunningEngine;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** The session of the demo, which later tests review. */
let demo = '';
const trouble: string[] = [];

const stateOf = (session: string): SessionState => stateIn(join(sessions, session));
const sessionShown = (): string => sessionShownBy(page);
const go = (hash: string): Promise<void> => goTo(page, hash);
/** Numbers beside the shapes above the board. */
async function tallies(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const tally of await page.locator('.tally').all()) {
    const name = (await tally.getAttribute('title')) ?? '';
    found[name] = Number((await tally.innerText()).match(/\d+/)?.[0]);
  }
  return found;
}
/** What the log says those numbers are. */
function talliesOf(state: SessionState): Record<string, number> {
  const names = { EXTREME: 'Extreme', CRITICAL: 'Critical', HIGH: 'High', UNCERTAIN: 'Uncertain', OPEN: 'No readback', CORRECT: 'Correct', OTHER: 'Not judged', ERROR: 'Error' };
  const found: Record<string, number> = { Extreme: 0, Critical: 0, High: 0, Uncertain: 0, 'No readback': 0, Correct: 0, 'Not judged': 0 };
  for (const exchange of state.exchanges.values()) {
    const name = names[lookOfExchange(exchangeOf(exchange, state))];
    found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

beforeAll(async () => {
  mkdirSync(sessions, { recursive: true });
  recording = await wavOf('west-2-instruction', 'west-2-readback', 'west-1-instruction', 'west-1-readback-wrong');
  writeFileSync(microphone, await wavOf('west-1-instruction', 'west-1-readback-wrong'));
  storeMany(join(sessions, 'many'), 10_000);
  engine = await startEngine(sessions, 'app');
  browser = await launch(microphone);
  context = await browser.newContext({ viewport: { width: 1280, height: 720 }, permissions: ['microphone'] });
  page = await openPage(context, engine, trouble);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await engine.stop();
  remove();
}, 60_000);

describe('A1 the first minute', () => {
  it('the address is without its token once the page is there, and nothing is stored that scripts could read it from', async () => {
    await page.locator('.door.first').waitFor();
    expect(page.url()).not.toContain(engine.token);
    expect(await page.evaluate('document.cookie')).toBe('');
    await picture(page, 'welcome-dark');
    expect(await faults(page)).toEqual([]);
  });

  it('one click plays the demo: exchanges come in order, flags are acknowledged by key, sound is off', { timeout: 300_000 }, async () => {
    await page.locator('.door.first').click();
    await page.locator('.transport').waitFor();
    expect(await page.getByRole('button', { name: 'Turn alert sound on' }).getAttribute('aria-pressed')).toBe('false');
    await page.evaluate(`window.shifts = []; new PerformanceObserver((list) => { for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts.push({ value: shift.value, what: shift.sources.map(({ node }) => node?.parentElement?.className + ' > ' + (node?.className ?? node?.nodeName)) }); }).observe({ type: 'layout-shift' })`);
    await page.getByLabel('Speed').selectOption('max');
    await page.locator('.alert-bar.on').waitFor({ timeout: 120_000 });
    const session = sessionShown();
    demo = session;
    await eventually(async () => {
      expect(stateOf(session).ended?.reason).toBe('end-of-audio');
      await expect.poll(tallies).toEqual(talliesOf(stateOf(session)));
    }, 240);
    const state = stateOf(session);
    // nothing that the recording's truth calls wrong wears the green sign
    const truth = JSON.parse(readFileSync(join(root, 'fixtures/demo/tower-and-approach.truth.json'), 'utf8')) as { transmissions: { id: string; start: number }[]; exchanges: { instruction: string; error_type: string | null }[] };
    const wrong = truth.exchanges.filter(({ error_type: type }) => type !== null && !['CORRECT', 'FILLER_CORRECT', 'NUMBER_FORMAT'].includes(type));
    expect(wrong.length).toBeGreaterThan(5);
    for (const { instruction } of wrong) {
      const start = truth.transmissions.find(({ id }) => id === instruction)?.start ?? NaN;
      const exchange = [...state.exchanges.values()].find((each) => Math.abs((exchangeOf(each, state).start ?? Infinity) - start) < 2);
      if (exchange !== undefined) expect(judged(exchange).holds.verdict, `exchange at ${start} s`).not.toBe('correct');
    }
    // marks stand in both halves of a flagged exchange
    const flagged = page.locator('.xrow:is(.HIGH, .CRITICAL, .EXTREME)').first();
    expect(await flagged.locator('.half').nth(0).locator('mark').count()).toBeGreaterThan(0);
    await picture(page, 'live-dark');
    expect(await faults(page)).toEqual([]);

    const alerts = [...state.exchanges.values()].filter((each) => ['HIGH', 'CRITICAL', 'EXTREME'].includes(lookOfExchange(exchangeOf(each, state)))).length;
    for (let left = alerts; left > 0; left--) {
      await page.locator('.alert-bar.on').waitFor();
      await page.keyboard.press('a');
    }
    await eventually(async () => {
      expect(await page.locator('.alert-bar.on').count()).toBe(0);
    });
    expect(await textOf(page.locator('.alert-bar'))).toContain('The recording has ended');
  });
});

describe('A2 a recording and a microphone', () => {
  it('a file that is dropped is read; one that is no recording is named with what is wrong', { timeout: 120_000 }, async () => {
    await go('#/live');
    await page.locator('.door.first').waitFor();
    await drop(page, [{ name: 'dopis.wav', bytes: new TextEncoder().encode('This is a letter, not a recording. '.repeat(40)) }]);
    await eventually(async () => {
      expect(await textOf(page.locator('.message'))).toContain('dopis.wav');
    });
    await drop(page, [{ name: 'Flüge 東京.wav', bytes: recording }]);
    await page.locator('.live').waitFor({ timeout: 30_000 });
    await eventually(async () => {
      expect(await page.locator('.xrow').count()).toBeGreaterThanOrEqual(2);
      expect(await page.locator('.xrow.CORRECT').count()).toBe(1);
      // the altitude that came back wrong is not passed over
      expect(await page.locator('.xrow:not(.CORRECT) mark.m-wrong').count()).toBeGreaterThan(0);
    });
    expect(await textOf(page.locator('.live-bar .name'))).toBe('Flüge 東京.wav');
  });

  it('the microphone is heard through an AudioWorklet and judged as it comes', { timeout: 120_000 }, async () => {
    await go('#/live');
    await page.locator('.door').nth(2).click();
    await page.locator('.meter').waitFor();
    await eventually(async () => {
      expect(await page.locator('.xrow:not(.CORRECT) mark.m-wrong').count()).toBeGreaterThan(0);
    });
    await page.getByRole('button', { name: 'Stop listening' }).click();
    await eventually(() => {
      expect(stateOf(sessionShown()).ended).toBeDefined();
      return Promise.resolve();
    });
  });
});

/** What a page’s own link for an export gives. */
async function exported(session: string, format: string): Promise<string> {
  const answer = await context.request.get(`${engine.url}/api/sessions/${encodeURIComponent(session)}/export/${format}${format === 'html' ? '?audio=none' : ''}`);
  expect(answer.status(), format).toBe(200);
  return answer.text();
}
const focused = (): Promise<string> => page.evaluate<string>(`document.activeElement?.className ?? ''`);
const head = (): Promise<string> => textOf(page.locator('.desk-head'));

describe('A12 an MP3 whose rate changes and that has no index', () => {
  it('has its length, and what the desk plays for a transmission late in it is that transmission', { timeout: 180_000 }, async () => {
    const { bytes, begins } = variableRate(180, [{ at: 160, frames: 'frames-west-1-instruction-32.mp3' }]);
    const at = begins[0] ?? NaN;
    await go('#/live');
    await page.locator('.door.first').waitFor();
    await drop(page, [{ name: 'three minutes.mp3', bytes }]);
    await page.locator('.live').waitFor({ timeout: 30_000 });
    const session = sessionShown();
    await eventually(() => {
      expect(stateOf(session).ended).toBeDefined();
      return Promise.resolve();
    }, 120);
    expect(Math.abs((stateOf(session).ended?.seconds ?? 0) - 180)).toBeLessThan(1);
    const id = [...stateOf(session).exchanges.keys()][0] ?? '';
    const { from, to } = await heardOnDesk(page, () => go(`#/review/${session}/${id}`));
    // the talk begins and ends where it was put, and that is what the desk has fetched
    const [block] = await blocks('west-1-instruction');
    const [begin, end] = loudPart(block.samples);
    expect(Math.abs(from - (at + begin))).toBeLessThan(0.3);
    expect(Math.abs(to - (at + end))).toBeLessThan(0.3);
  });
});

describe('A3 the review desk', () => {
  it('twenty exchanges are reviewed without a mouse: heard, agreed with, changed in type and level, marked, noted', { timeout: 240_000 }, async () => {
    await go(`#/live/${demo}`);
    await page.locator('.xrow').first().waitFor();
    await page.keyboard.press('Home');
    while ((await page.locator('.xrow[aria-selected=true]').count()) === 0) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Jana Nováková');
    await page.keyboard.press('Enter');
    await page.locator('.wave[data-ready]').waitFor();
    await picture(page, 'review-dark');
    expect(await faults(page)).toEqual([]);

    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Both halves' }).waitFor();

    const decided = (): number => new Set([...stateOf(demo).exchanges.values()].filter((each) => each.reviews.length > 0).map((each) => each.id)).size;
    for (let n = 0; n < 20; n++) {
      const before = page.url();
      if (n === 3) {
        await page.keyboard.press('n');
        await page.keyboard.type('Ask for the level again.');
        await page.keyboard.press('Enter');
        await page.getByText('Note kept').waitFor();
      }
      if (n === 5) {
        await page.keyboard.press('w');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('x');
        await page.keyboard.press('Enter');
        await page.getByText('Words kept').waitFor();
      }
      if (n === 7 || n === 8) {
        await page.keyboard.press('t');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('6');
      } else {
        await page.keyboard.press('a');
        // an exchange without a finding has nothing to agree with: the desk asks for the type, a moment later
        await eventually(async () => {
          if (decided() === n) expect(await page.getByRole('dialog').count()).toBe(1);
        });
        if (decided() === n) await page.keyboard.press('7');
      }
      await eventually(() => {
        expect(decided()).toBe(n + 1);
        return Promise.resolve();
      });
      await eventually(() => {
        expect(page.url()).not.toBe(before);
        return Promise.resolve();
      });
    }
    const state = stateOf(demo);
    const reviews = [...state.exchanges.values()].flatMap((each) => each.reviews);
    expect(reviews.every(({ reviewer }) => reviewer === 'Jana Nováková')).toBe(true);
    expect(reviews.some(({ decision, error_type: type }) => decision === 'overrule' && type === 'VALUE_CRITICAL')).toBe(true);
    expect(reviews.some(({ words }) => words !== undefined)).toBe(true);
    expect([...state.exchanges.values()].flatMap((each) => each.notes ?? [])).toMatchObject([{ text: 'Ask for the level again.' }]);
  });

  it('W05 what is typed goes into the field only; behind Escape the keys play and move, and add nothing', { timeout: 60_000 }, async () => {
    await go(`#/review/${demo}/${[...stateOf(demo).exchanges.values()].find((each) => each.exchange.readbacks.length > 0)?.id ?? ''}`);
    await page.locator('.wave[data-ready]').waitFor();
    const events = stateOf(demo).seq;
    const shown = await head();
    await page.keyboard.press('b');
    const field = page.locator('.desk-edit textarea');
    await field.waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('cleared to land');
    // an input method for another script
    const devtools = await context.newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
    await devtools.send('Input.insertText', { text: ' 滑走路 a n t' });
    expect(await field.inputValue()).toBe('cleared to land 滑走路 a n t');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    expect(await head()).toBe(shown);

    await page.keyboard.press('Escape');
    expect(await focused()).toContain('desk');
    expect(await page.evaluate<string>(`getComputedStyle(document.activeElement).outlineStyle`)).not.toBe('none');
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.locator('.sound').focus();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Both halves' }).waitFor();
    await page.keyboard.press('j');
    await eventually(async () => {
      expect(await head()).not.toBe(shown);
    });
    await page.keyboard.press('k');
    await eventually(async () => {
      expect(await head()).toBe(shown);
    });
    // the draft is still there, as it was typed
    expect(await field.inputValue()).toBe('cleared to land 滑走路 a n t');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(stateOf(demo).seq).toBe(events);
  });

  it('W01 a corrected text, a changed type and a note are in every export at once, with the machine’s answer; undo takes them back; a reload changes nothing', { timeout: 120_000 }, async () => {
    const right = [...stateOf(demo).exchanges.values()].find((each) => judged(each).machine.verdict === 'correct' && each.exchange.readbacks.length === 1);
    const transmission = right?.exchange.readbacks[0] ?? '';
    const heard = stateOf(demo).transmissions.get(transmission)?.recognition?.text ?? '';
    await go(`#/review/${demo}/${right?.id ?? ''}`);
    await page.locator('.wave[data-ready]').waitFor();
    const first = stateOf(demo).seq;
    await page.keyboard.press('b');
    await page.locator('.desk-edit textarea').fill('quite another readback of mine');
    await page.keyboard.press('Enter');
    await page.getByText('Corrected', { exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Heard with my own ears.');
    await page.keyboard.press('Enter');
    await page.getByText('Note kept').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.press('5');
    await eventually(() => {
      expect(stateOf(demo).seq).toBe(first + 3);
      return Promise.resolve();
    });
    const before: Record<string, string> = {};
    for (const format of ['html', 'csv', 'jsonl', 'srt', 'textgrid']) {
      const text = await exported(demo, format);
      before[format] = text;
      expect(text, format).toContain('quite another readback of mine');
      expect(text, format).toContain(heard);
      expect(text, format).toContain('CONSTRAINT_HIGH');
      if (format !== 'srt' && format !== 'textgrid') expect(text, format).toContain('Heard with my own ears.');
    }
    await page.reload();
    await go(`#/review/${demo}/${right?.id ?? ''}`);
    await page.getByText('quite another readback of mine').first().waitFor();
    await page.getByText('Heard with my own ears.').waitFor();
    for (const [format, text] of Object.entries(before)) expect(await exported(demo, format)).toBe(text);
    // faster than the engine answers, on a page that is busy: each press takes back another of the three
    await page.evaluate('setTimeout(() => { const end = Date.now() + 400; while (Date.now() < end); }, 0)');
    await Promise.all(['u', 'u', 'u'].map((key) => page.keyboard.press(key)));
    await eventually(() => {
      expect(stateOf(demo).seq).toBe(first + 6);
      return Promise.resolve();
    });
    await eventually(async () => {
      expect(await page.getByText('quite another readback of mine').count()).toBe(0);
    });
    for (const format of Object.keys(before)) expect(await exported(demo, format)).not.toContain('quite another readback of mine');
  });
});

describe('A4 when the connection or the engine is lost', () => {
  it('W04 the board says so, comes back by itself, and shows every exchange once, as the log has it', { timeout: 240_000 }, async () => {
    const path = join(dir, 'recording.wav');
    writeFileSync(path, recording);
    const client = engine.client();
    await client.message('hello');
    const { session } = await client.open({ source: { kind: 'file', path, speed: 2 } });
    client.close();
    await go(`#/live/${session}`);
    await page.locator('.live').waitFor();
    await eventually(() => {
      expect(stateOf(session).transmissions.size).toBeGreaterThan(0);
      return Promise.resolve();
    });
    engine.child.kill('SIGKILL');
    await page.locator('.link-lost').waitFor();
    expect(await textOf(page.locator('.link-lost'))).toContain('Reconnecting');
    await picture(page, 'reconnecting-dark');
    engine = await startEngine(sessions, 'app');
    await page.locator('.link-lost').waitFor({ state: 'detached', timeout: 60_000 });
    await eventually(() => {
      expect(stateOf(session).ended).toBeDefined();
      return Promise.resolve();
    }, 120);
    const state = stateOf(session);
    await expect.poll(tallies).toEqual(talliesOf(state));
    const inExchanges = new Set([...state.exchanges.values()].flatMap(({ exchange }) => [exchange.instruction, ...(exchange.instructions ?? []), ...exchange.readbacks]));
    const rows = state.exchanges.size + [...state.transmissions.keys()].filter((id) => !inExchanges.has(id)).length;
    await eventually(async () => {
      expect(await page.locator('.xrow, .lrow').first().getAttribute('aria-setsize')).toBe(String(rows));
    });
  });
});

describe('A5 a long day', () => {
  it('W13 ten thousand exchanges: only those in view are drawn, the first hour is one key away', { timeout: 120_000 }, async () => {
    await go('#/live/many');
    await eventually(async () => {
      expect((await tallies())['Critical']).toBe(2000);
    });
    expect(await page.locator('.xrow').count()).toBeLessThan(60);
    expect(await page.locator('.xrow').first().getAttribute('aria-setsize')).toBe('10000');
    await page.keyboard.press('Home');
    await page.locator('#row-x0').waitFor();
    await page.keyboard.press('End');
    await page.locator('#row-x9999').waitFor();
    expect(await page.locator('.xrow').count()).toBeLessThan(60);
  });
});

describe('A6 every screen', () => {
  it.each(['dark', 'light'])('%s: readable by axe’s measure (WCAG A and AA), and kept as a picture', { timeout: 120_000 }, async (theme) => {
    await page.getByRole('button', { name: theme === 'dark' ? 'Dark theme' : 'Light theme' }).or(page.getByRole('button', { name: theme === 'dark' ? 'Light theme' : 'Dark theme' })).first().waitFor();
    if ((await page.evaluate<string>('document.documentElement.dataset.theme')) !== theme) await page.getByRole('button', { name: theme === 'dark' ? 'Dark theme' : 'Light theme' }).click();
    const flagged = [...stateOf(demo).exchanges.values()].find((each) => judged(each).machine.risk === 'EXTREME' || judged(each).machine.risk === 'CRITICAL');
    const screens: [string, string, string][] = [
      ['welcome', '#/live', '.door.first'],
      ['live', `#/live/${demo}`, '.xrow'],
      ['review', `#/review/${demo}/${flagged?.id ?? ''}`, '.wave[data-ready]'],
      ['review-choose', '#/review', '.choices .door'],
      ['sessions', '#/sessions', 'table.list'],
      ['benchmark', '#/benchmark', '.page-empty'],
      ['setup', '#/setup', '.checks li'],
    ];
    for (const [name, hash, ready] of screens) {
      await go(hash);
      await page.locator(ready).first().waitFor();
      // the spectrogram is drawn a moment after the waveform
      if (name === 'review') await page.waitForTimeout(500);
      // the board with its flags was kept before they were acknowledged
      if (name !== 'live' || theme !== 'dark') await picture(page, `${name}-${theme}`);
      expect(await faults(page), `${name} ${theme}`).toEqual([]);
    }
    for (const key of ['t', 'e', '?']) {
      await go(`#/review/${demo}/${flagged?.id ?? ''}`);
      await page.locator('.wave[data-ready]').waitFor();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      expect(await faults(page), `dialog ${key} ${theme}`).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
  it('no script failed and nothing ran against the page’s policy', () => {
    expect(trouble).toEqual([]);
  });
});
