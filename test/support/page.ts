/** The page in a real Chromium, with a recording in place of the microphone. */
import axe from 'axe-core';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { root } from '../command.js';

const program = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path !== undefined && existsSync(path));
if (program === undefined) throw new Error('No Chromium was found. Install one ("apt-get install chromium"), or name it in the variable CHROMIUM.');

/** @param microphone a WAV file that is heard once when the page listens. */
export const launch = (microphone: string): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${microphone}%noloop`],
  });

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
