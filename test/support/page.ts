/** The page in a real Chromium, with a recording in place of the microphone. */
import axe from 'axe-core';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { encodeWav, openSession, type SessionState } from '../../engine/session/index.js';
import { root } from '../command.js';
import { blocks, hiss, mixed } from './listening.js';

const program = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path !== undefined && existsSync(path));
if (program === undefined) throw new Error('No Chromium was found. Install one ("apt-get install chromium"), or name it in the variable CHROMIUM.');

/** @param microphone a WAV file that is heard once when the page listens. */
export const launch = (microphone: string): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${microphone}%noloop`],
  });

/** The engine's page in a new tab. `trouble` gets what its scripts and its policy complain of. */
export async function openPage(context: BrowserContext, engine: { readonly url: string; readonly token: string }, trouble: string[] = []): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy')) trouble.push(message.text());
  });
  await page.goto(`${engine.url}/?token=${engine.token}`);
  return page;
}

/** Goes where a link of the page would lead. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** The session that the page shows. */
export const sessionShownBy = (page: Page): string => decodeURIComponent(/#\/\w+\/([^/]+)/.exec(page.url())?.[1] ?? '');

/** What a session's log holds now, while the engine writes it. */
export function stateIn(folder: string): SessionState {
  const log = openSession(folder, { readonly: true });
  const { state } = log;
  log.close();
  return state;
}

/** Where pictures go: beside the test's report, or into the documentation when they are to be kept there. */
const pictures = process.env['HEARBACK_PICTURES'] ?? join(root, 'test-output', 'pictures');

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds against WCAG A and AA on what is shown now, as lines. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Violation[]>(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => violations)`);
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
}

/** Waits until `check` holds. */
export async function eventually(check: () => Promise<void>, seconds = 60): Promise<void> {
  for (const end = Date.now() + seconds * 1000; ; ) {
    try {
      await check();
      return;
    } catch (thrown) {
      if (Date.now() > end) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

export const textOf = async (locator: Locator): Promise<string> => (await locator.innerText()).replaceAll(/\s+/g, ' ').trim();

/** Drops files on the page as a file manager does. */
export async function drop(page: Page, files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    `((files) => { const transfer = new DataTransfer(); for (const { name, base64 } of files) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name)); return transfer; })(${JSON.stringify(files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })))})`,
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await expect.poll(() => page.locator('.drop-veil').count()).toBe(1);
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

/** A recording: blocks one after the other with pauses between and noise under them, as WAV. */
export async function wavOf(...names: string[]): Promise<Uint8Array> {
  const parts = await blocks(...names);
  const seconds = parts.reduce((sum, part) => sum + part.seconds + 1, 1.5);
  const speech = new Float32Array(Math.round(seconds * 16_000));
  let at = 12_000;
  for (const part of parts) {
    speech.set(part.samples, at);
    at += part.samples.length + 16_000;
  }
  return encodeWav(mixed(speech, hiss(seconds, -58)));
}

/**
 * What is not wholly to be seen or reached: buttons, fields and headings of the screen (or of the dialog that is open) that lie beyond the window's
 * sides or beyond an edge of something that does not scroll, and a page that is wider than the window.
 */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const found = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push('the page is ' + scrollWidth + ' wide in a window of ' + clientWidth);
    for (const element of (document.querySelector('dialog[open]') ?? document).querySelectorAll('button, a, input, select, textarea, h1, h2, h3, summary, kbd')) {
      if (element.closest('.visually-hidden') !== null || !element.checkVisibility({ checkVisibilityCSS: true })) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40);
      if (box.left < -0.5 || box.right > clientWidth + 0.5) found.push(name + ' is beyond the side of the window');
      for (let above = element.parentElement; above !== null && above !== document.body; above = above.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(above);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const edge = above.getBoundingClientRect();
        if (overflowX === 'hidden' && (box.left < edge.left - 1 || box.right > edge.right + 1)) found.push(name + ' is cut at a side of ' + above.className);
        if (overflowY === 'hidden' && (box.top < edge.top - 1 || box.bottom > edge.bottom + 1)) found.push(name + ' is cut above or below by ' + above.className);
        if (overflowY === 'auto' || overflowY === 'scroll') break;
      }
    }
    return found;
  })()`);

/** Goes through the screen (or the dialog that is open) with the tabulator key alone: what it never reaches, and what has no visible focus. */
export async function unreached(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(`(() => {
    document.querySelectorAll('[data-tab]').forEach((element) => element.removeAttribute('data-tab'));
    const all = [...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button, a[href], input, select, textarea, summary, iframe, [tabindex="0"]')];
    const wanted = all.filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ checkVisibilityCSS: true }) && !(element.type === 'radio'));
    wanted.forEach((element) => { element.dataset.tab = 'wanted'; });
    if (document.querySelector('dialog[open]') === null) document.activeElement?.blur();
    return wanted.length;
  })()`);
  const hidden: string[] = [];
  // what stands in a frame is gone through as well, and is not counted here
  for (let n = 0; n < count + 100; n++) {
    if (n > count && (await page.locator('[data-tab="wanted"]').count()) === 0) break;
    await page.keyboard.press('Tab');
    const without = await page.evaluate<string>(`(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return '';
      element.dataset.tab = 'reached';
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const seen = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' || element.tagName === 'IFRAME' || element.tagName === 'DIALOG';
      return seen ? '' : element.outerHTML.slice(0, 120);
    })()`);
    if (without !== '') hidden.push(`no focus to be seen: ${without}`);
  }
  const missed = await page.evaluate<string[]>(`[...document.querySelectorAll('[data-tab="wanted"]')].map((element) => 'not reached: ' + element.outerHTML.slice(0, 120))`);
  return [...new Set([...hidden, ...missed])];
}

/** Where loud sound begins and ends, seconds. */
export function loudPart(samples: ArrayLike<number>, threshold = 1500 / 32_768): readonly [number, number] {
  let [first, last] = [NaN, NaN];
  for (let n = 0; n < samples.length; n++) {
    if (Math.abs(samples[n] ?? 0) <= threshold) continue;
    if (Number.isNaN(first)) first = n;
    last = n;
  }
  return [first / 16_000, last / 16_000];
}

/** What the review desk fetches to be heard when an exchange is chosen: where loud sound begins and ends in it, seconds of the recording. */
export async function heardOnDesk(page: Page, choose: () => Promise<void>): Promise<{ readonly from: number; readonly to: number }> {
  const heard = page.waitForResponse((response) => response.status() === 206 && response.url().includes('audio.wav'));
  await choose();
  const response = await heard;
  await page.locator('.wave[data-ready]').waitFor();
  const body = await response.body();
  const pcm = Int16Array.from({ length: body.length / 2 }, (_, n) => body.readInt16LE(n * 2));
  const first = (Number(/bytes (\d+)-/.exec((await response.headerValue('content-range')) ?? '')?.[1]) - 44) / 32_000;
  const [begin, end] = loudPart(pcm, 1500);
  return { from: first + begin, to: first + end };
}
