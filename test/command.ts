/** Runs the built command line as a user does: another process, its real exit code, its real output. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = new URL('..', import.meta.url).pathname;
const main = join(root, 'dist', 'engine', 'cli', 'main.js');
if (!existsSync(main)) throw new Error('dist/ is missing: run "npm run build" first (npm test does).');

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function start(args: readonly string[], options: { env?: Record<string, string>; cwd?: string; main?: string } = {}): ChildProcess {
  return spawn(process.execPath, [options.main ?? main, ...args], { cwd: options.cwd ?? root, env: { ...process.env, NO_COLOR: '1', ...options.env }, stdio: ['pipe', 'pipe', 'pipe'] });
}

export async function hearback(args: readonly string[], options: { env?: Record<string, string>; cwd?: string; main?: string; input?: string | Uint8Array } = {}): Promise<Ran> {
  const child = start(args, options);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => out.push(data));
  child.stderr?.on('data', (data: Buffer) => err.push(data));
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code, signal, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') });
    });
  });
}

export const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A folder of its own for one test file; `remove` at the end. */
export function scratch(name: string): { dir: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), `hearback ${name} ü `));
  return {
    dir,
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
