/**
 * What every command shares: reading JSON lines, progress on stderr, results on stdout, exit codes.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { Context } from '../domain/understanding.js';

/** Exit codes of every command (README). */
export const EXIT = { done: 0, failure: 1, usage: 2, threshold: 3 } as const;

/** Writes one line to stdout. Results only. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes one JSON line to stdout. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Writes one line to stderr: notices, failures, progress. */
export function note(line: string): void {
  endProgress();
  process.stderr.write(`${line}\n`);
}

/** One failed input: told on stderr in one sentence. */
export function tellFailure(input: string, error: HearbackError): void {
  note(`${paint('red', '✗')} ${input}: ${error.sentence}`);
}

/** A line of a JSON-lines input that could not be used. */
export interface BadLine {
  readonly line: number;
  readonly error: HearbackError;
}

/** The first few things wrong with a value, with the field named. */
function whatIsWrong(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.length === 0 ? 'the value' : `"${issue.path.map(String).join('.')}"`}: ${issue.message}`)
    .join('; ');
}

/** Opens FILE, or standard input for "-". */
function openText(file: string): Readable {
  if (file === '-') return process.stdin;
  return createReadStream(file);
}

/**
 * Reads JSON lines and checks each against a schema. Blank lines are passed over; a bad line is handed to `onBad` and
 * the rest is read all the same.
 *
 * @throws HearbackError not-found or unreadable when the file itself cannot be read.
 */
export async function* readJsonLines<S extends z.ZodType>(file: string, schema: S, onBad: (bad: BadLine) => void): AsyncGenerator<{ line: number; value: z.output<S> }> {
  const stream = openText(file);
  const failure: { error?: Error } = {};
  stream.once('error', (error: Error) => {
    failure.error = error;
    lines.close();
  });
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  let line = 0;
  for await (const raw of lines) {
    line++;
    const text = line === 1 ? raw.replace(/^\uFEFF/u, '') : raw;
    if (text.trim() === '') continue;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch (thrown) {
      onBad({ line, error: new HearbackError('invalid-input', `line ${line} is not JSON (${toHearbackError(thrown).message}).`, { hint: 'Each line must be one JSON object.' }) });
      continue;
    }
    const checked = schema.safeParse(parsed);
    if (checked.success) yield { line, value: checked.data };
    else onBad({ line, error: new HearbackError('invalid-input', `line ${line} does not fit: ${whatIsWrong(checked.error)}.`, { hint: 'See docs/schema/ for what a line holds.' }) });
  }
  if (failure.error !== undefined) throw fileError(file, failure.error);
}

/** A sentence for a file that cannot be opened. */
export function fileError(file: string, thrown: unknown): HearbackError {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOENT') return new HearbackError('not-found', `${file} does not exist.`, { hint: 'Check the name and the folder.' });
  if (code === 'EISDIR') return new HearbackError('unreadable', `${file} is a folder, not a file.`);
  if (code === 'EACCES' || code === 'EPERM') return new HearbackError('unreadable', `${file} may not be read.`, { hint: 'Check its permissions.' });
  return toHearbackError(thrown, 'unreadable');
}

/** Reads a traffic list: {"callsigns": [...]} or a bare JSON array of callsigns. */
export async function readContext(file: string | undefined, strength?: number): Promise<Context | undefined> {
  if (file === undefined) {
    if (strength !== undefined) throw new HearbackError('invalid-input', '--context-strength says how strongly a traffic list counts, and there is none.', { hint: 'Give the list with --context FILE.' });
    return undefined;
  }
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    throw fileError(file, thrown);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new HearbackError('invalid-input', `${file} is not JSON.`, { hint: 'A traffic list looks like {"callsigns": ["DLH9TP", "OKPMB"]}.' });
  }
  const checked = Context.safeParse(Array.isArray(parsed) ? { callsigns: parsed } : parsed);
  if (!checked.success) throw new HearbackError('invalid-input', `${file} is not a traffic list: ${whatIsWrong(checked.error)}.`, { hint: 'It looks like {"callsigns": ["DLH9TP", "OKPMB"]}.' });
  return strength === undefined ? checked.data : { ...checked.data, strength };
}

const CODES = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, grey: 90, bold: 1, inverse: 7 } as const;
export type Paint = keyof typeof CODES;

/** Colours for people at a terminal only: never in a pipe, a file, or with NO_COLOR set. */
const colourful = (process.stdout.isTTY || process.env['FORCE_COLOR'] !== undefined) && process.env['NO_COLOR'] === undefined;
export function paint(colour: Paint, text: string): string {
  return colourful ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

/** Seconds as m:ss or h:mm:ss. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const h = Math.floor(whole / 3600);
  const m = Math.floor((whole % 3600) / 60);
  const s = String(whole % 60).padStart(2, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${s}` : `${m}:${s}`;
}

let progressShown = false;
let lastProgress = 0;

/** Takes the progress line away, before something else is written or when the work is done. */
export function endProgress(): void {
  if (progressShown) process.stderr.write('\r\u001b[2K');
  progressShown = false;
}

/**
 * Progress on stderr with the time left: a line that overwrites itself at a terminal, else a line every ten seconds.
 * `done` and `total` in the same unit; total undefined when it cannot be known.
 */
export function showProgress(what: string, done: number, total: number | undefined, startedAt: number): void {
  const now = performance.now();
  const every = process.stderr.isTTY ? 200 : 10_000;
  if (now - lastProgress < every) return;
  lastProgress = now;
  const elapsed = (now - startedAt) / 1000;
  const known = total !== undefined && total > 0 && done > 0;
  const share = known ? ` ${Math.min(100, Math.floor((100 * done) / total))} %` : '';
  // the first steps, with models still loading, tell nothing about the rest
  const left = known && elapsed > 3 && done / total > 0.005 ? `, ${clock(((total - done) * elapsed) / done)} left` : '';
  const line = `${what}${share}, ${clock(elapsed)} gone${left}`;
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns || 80) - 1)}`);
    progressShown = true;
  } else {
    process.stderr.write(`${line}\n`);
  }
}

/** An abort signal that fires on the first Ctrl-C (or SIGTERM); the second one ends the process at once. */
export function stopSignal(onFirst: () => void): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    onFirst();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
