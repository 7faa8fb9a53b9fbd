/**
 * Tables with names of their own: CSV or JSON lines and a mapping, and the audio folder of Hugging Face, which is one.
 */
import { createReadStream, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import type { Task } from '../run/items.js';
import type { BenchItem, OnBad } from './item.js';
import { itemOf } from './record.js';
import { jsonLines, unreadable } from './text.js';

/** What the table's columns are called. */
export interface Mapping {
  readonly task: Task;
  /** Field of our layout ("text", "audio.utterance.file", "audio.readback.start", "hypotheses.instruction" …) → column. Fields left out keep their names. */
  readonly fields: Readonly<Record<string, string>>;
}

interface Row {
  readonly line: number;
  readonly record?: Readonly<Record<string, unknown>>;
  readonly why?: string;
}

async function* csvRows(path: string): AsyncGenerator<Row> {
  const stream = createReadStream(path);
  const parser = parse({ columns: true, bom: true, trim: true, info: true, relax_column_count: true, skip_empty_lines: true, skip_records_with_error: false, relax_quotes: true });
  stream.on('error', (error) => parser.destroy(unreadable(path, error)));
  stream.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: Record<string, string>; info: { lines: number; columns: readonly { name: string }[] } }>) {
      const count = Object.keys(record).length;
      const wanted = info.columns.length;
      yield count < wanted ? { line: info.lines, why: `it has ${String(count)} fields of ${String(wanted)}` } : { line: info.lines, record };
    }
  } catch (thrown) {
    if (thrown instanceof HearbackError) throw thrown;
    yield { line: parser.info.lines, why: `the table is broken from here (${toHearbackError(thrown).message})` };
  }
}

async function* jsonRows(path: string): AsyncGenerator<Row> {
  for await (const { line, value, why } of jsonLines(path)) {
    if (why !== undefined) yield { line, why };
    else if (typeof value !== 'object' || value === null || Array.isArray(value)) yield { line, why: 'it is not a JSON object' };
    else yield { line, record: value as Record<string, unknown> };
  }
}

/** A CSV cell as the value that its field wants: true and false, and lists and objects as JSON; an empty one is left out. */
function cell(field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value === '') return undefined;
  if (/\.(?:start|end)$/u.test(field) && Number.isFinite(Number(value))) return Number(value);
  if (field === 'is_correct') return /^(?:true|1|yes)$/iu.test(value) ? true : /^(?:false|0|no)$/iu.test(value) ? false : value;
  if (/^\s*[[{]/u.test(value) || field === 'utterance_action' || field === 'callsigns') {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return field === 'utterance_action' || field === 'callsigns' ? value.split(/[;,\s]+/u).filter((part) => part !== '') : value;
    }
  }
  return value;
}

/** JSON lines: "hyp.whisper" is a field inside a field. */
const inside = (record: Readonly<Record<string, unknown>>, column: string): unknown =>
  column.split('.').reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined), record);

/** A row in our layout: mapped fields put where they belong ("audio.readback.file" inside "audio"), the others under their own names. */
function carry(record: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, string>>): Record<string, unknown> | string {
  const mapped = new Set(Object.values(fields));
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const kept = cell(name, value);
    if (!mapped.has(name) && kept !== undefined) out[name] = kept;
  }
  for (const [field, column] of Object.entries(fields)) {
    const found = column in record ? record[column] : inside(record, column);
    if (found === undefined) return `it has no "${column}"`;
    const value = cell(field, found);
    if (value === undefined) continue;
    const path = field.split('.');
    let at = out;
    for (const name of path.slice(0, -1)) {
      const next = at[name];
      at = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : (at[name] = {} as Record<string, unknown>);
    }
    at[path.at(-1) ?? field] = value;
  }
  return out;
}

/** A CSV file (comma, header line) or JSON lines. */
export async function* loadTable(path: string, mapping: Mapping, onBad: OnBad): AsyncGenerator<BenchItem> {
  const stem = basename(path).replace(/\.[^.]*$/u, '');
  let number = 0;
  for await (const { line, record, why } of /\.csv$/iu.test(path) ? csvRows(path) : jsonRows(path)) {
    number++;
    const carried = record === undefined ? (why ?? 'it cannot be read') : carry(record, mapping.fields);
    const item = typeof carried === 'string' ? carried : itemOf(carried, path, `${stem}-${String(number)}`, mapping.task);
    if (typeof item === 'string') onBad({ where: basename(path), line, why: item });
    else yield item;
  }
}

/** A folder with metadata.csv or metadata.jsonl: file_name, and text, transcription or sentence. */
export async function* loadHuggingFace(root: string, onBad: OnBad): AsyncGenerator<BenchItem> {
  const path = ['metadata.jsonl', 'metadata.csv'].map((name) => join(root, name)).find((file) => existsSync(file));
  if (path === undefined) throw new HearbackError('not-found', `${root} holds neither metadata.jsonl nor metadata.csv.`, { hint: 'An audio folder has one of them beside its recordings.' });
  const columns = await firstColumns(path);
  const text = ['text', 'transcription', 'sentence'].find((name) => columns.includes(name));
  if (!columns.includes('file_name') || text === undefined) throw new HearbackError('invalid-input', `${path} has the columns ${columns.join(', ')}; file_name and one of text, transcription and sentence are needed.`, { hint: 'With other names, read it as a table with a mapping.' });
  yield* loadTable(path, { task: 'speech', fields: { 'audio.utterance.file': 'file_name', text } }, onBad);
}

async function firstColumns(path: string): Promise<string[]> {
  for await (const { record } of /\.csv$/iu.test(path) ? csvRows(path) : jsonRows(path)) if (record !== undefined) return Object.keys(record);
  return [];
}
