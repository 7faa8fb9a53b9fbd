/**
 * Writes a session for people and other programs.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { Notice } from '../domain/stages.js';
import { audioPath } from './audio-store.js';
import { storageError } from './database.js';
import { relativeHref, writeFileDurably } from './files.js';
import { toHtml, type AudioLink } from './html.js';
import { reportOf, type Report } from './report.js';
import { openSession } from './session.js';
import { toBenchmark, toCsv, toJsonLines, toSrt, toTextGrid } from './text-formats.js';

/** What can be written. */
export const EXPORT_FORMATS = ['html', 'csv', 'jsonl', 'srt', 'textgrid', 'bench'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const ENDING: Readonly<Record<ExportFormat, string>> = { html: 'html', csv: 'csv', jsonl: 'jsonl', srt: 'srt', textgrid: 'TextGrid', bench: 'task2.jsonl' };

/** Audio up to so many bytes is put into the HTML page itself; above, the page refers to the session folder. */
const EMBED_LIMIT = 20_000_000;

export interface ExportOptions {
  /** File or existing folder to write to; "-" for the text only. Default: named after the recording, in the current folder. */
  readonly out?: string;
  /** Replace a file that is there, whatever it is. */
  readonly force?: boolean;
  /** HTML: audio inside the page, as links into the session folder, or none. Default: inside while it is below 20 MB, else links. */
  readonly audio?: 'embed' | 'link' | 'none';
  /** CSV: a byte order mark for spreadsheets that need it. */
  readonly bom?: boolean;
}

export interface Exported {
  readonly text: string;
  /** Where it was written; undefined for "-". */
  readonly path: string | undefined;
  readonly exchanges: number;
  readonly transmissions: number;
  /** What could not be put in: missing audio. */
  readonly notices: readonly Notice[];
}

/** A name as part of a file name: only what some file system refuses is replaced; letters of every script stay as they are. */
export const fileNamePart = (name: string): string => name.replace(/[<>:"/\\|?*\p{Cc}]/gu, '_');

/** File name after the recording: its own name unchanged, with the format's ending in place of its own. */
export function exportName(recording: string, format: ExportFormat): string {
  const stem = recording.replace(/(?<=.)\.(wav|wave|mp3|flac|ogg|oga|opus|webm|m4a|aac|aif|aiff|raw|pcm)$/iu, '');
  const safe = fileNamePart(stem).replace(/[. ]+$/u, '');
  return `${safe === '' ? 'session' : safe}.${ENDING[format]}`;
}

/**
 * Writes one format of a session.
 *
 * The texts and decisions of reviewers hold, with the machine's own answers beside them. The same log gives the same bytes every time.
 * A file that is there already is replaced only when it is the same, an earlier export of the same session, or `force` is set.
 *
 * @throws HearbackError as of openSession; `invalid-input` when a file is in the way; `disk-full`; `session` when it cannot be written.
 */
export function exportSession(dir: string, format: ExportFormat, options: ExportOptions = {}): Exported {
  const session = openSession(dir, { readonly: true });
  let report: Report;
  try {
    report = reportOf(session.identity, session.state);
  } finally {
    session.close();
  }
  const path = options.out === '-' ? undefined : placeFor(report, format, options.out);
  const notices: Notice[] = [];
  const text = render(report, format, session.dir, path === undefined ? process.cwd() : dirname(path), options, notices);
  if (path !== undefined) {
    if (options.force !== true) assertReplaceable(path, text, format, report);
    writeFileDurably(path, Buffer.from(text, 'utf8'), `${path}.part`);
  }
  return { text, path, exchanges: report.exchanges.length, transmissions: report.lines.length, notices };
}

function placeFor(report: Report, format: ExportFormat, out: string | undefined): string {
  const name = exportName(report.recording, format);
  if (out === undefined) return resolve(name);
  const path = resolve(out);
  try {
    if (existsSync(path) && statSync(path).isDirectory()) return join(path, name);
    if (!existsSync(dirname(path))) throw new HearbackError('not-found', `The folder ${dirname(path)} does not exist.`, { hint: 'Make it first, or choose another place with --out.' });
  } catch (thrown) {
    throw storageError(thrown, path);
  }
  return path;
}

function assertReplaceable(path: string, text: string, format: ExportFormat, report: Report): void {
  let present: string;
  try {
    if (!existsSync(path)) return;
    present = readFileSync(path, 'utf8');
  } catch (thrown) {
    throw storageError(thrown, path);
  }
  // both name the session near their beginning; the other formats have no place for it
  const ours = (format === 'html' || format === 'jsonl') && present.slice(0, 4000).includes(report.identity.id);
  if (present === text || ours) return;
  throw new HearbackError('invalid-input', `${basename(path)} is already in ${dirname(path)} and is something else.`, { hint: 'Choose another name with --out, or replace it with --force.' });
}

function render(report: Report, format: ExportFormat, dir: string, outFolder: string, options: ExportOptions, notices: Notice[]): string {
  switch (format) {
    case 'jsonl':
      return toJsonLines(report);
    case 'csv':
      return toCsv(report, options.bom === undefined ? {} : { bom: options.bom });
    case 'srt':
      return toSrt(report);
    case 'textgrid':
      return toTextGrid(report);
    case 'bench':
      return toBenchmark(report);
    case 'html':
      return toHtml(report, audioLinks(report, dir, outFolder, options.audio, notices));
  }
}

/** What the page plays for each transmission. */
function audioLinks(report: Report, dir: string, outFolder: string, choice: ExportOptions['audio'], notices: Notice[]): ReadonlyMap<string, AudioLink> {
  const links = new Map<string, AudioLink>();
  if (choice === 'none') return links;
  const files = new Map<string, { path: string; bytes: number }>();
  for (const line of report.lines) {
    if (line.audio === undefined) continue;
    try {
      const path = audioPath(dir, line.audio);
      files.set(line.id, { path, bytes: statSync(path).size });
    } catch (thrown) {
      notices.push({ kind: 'audio-missing', severity: 'warning', text: toHearbackError(thrown, 'not-found').sentence });
    }
  }
  const total = [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const embed = choice === 'embed' || (choice === undefined && total <= EMBED_LIMIT);
  for (const [id, { path }] of files) {
    try {
      links.set(id, embed ? { kind: 'data', wav: readFileSync(path) } : { kind: 'file', href: relativeHref(outFolder, path) });
    } catch (thrown) {
      notices.push({ kind: 'audio-missing', severity: 'warning', text: storageError(thrown, path).sentence });
    }
  }
  return links;
}
