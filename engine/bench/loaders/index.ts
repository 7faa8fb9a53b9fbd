/**
 * Benchmarks and corpora in the layouts that people have them (docs/benchmark-data.md).
 */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { HearbackError } from '../../domain/result.js';
import { TASKS, type Task } from '../run/items.js';
import { loadAtco2, loadAtcosim, loadFolder, loadKaldi, loadUwb } from './corpora.js';
import type { BenchItem, OnBad } from './item.js';
import { loadPaper } from './paper.js';
import { itemOf } from './record.js';
import { loadSession } from './session.js';
import { loadHuggingFace, loadTable, type Mapping } from './table.js';
import { jsonLines } from './text.js';

export type { Bad, BenchItem, OnBad } from './item.js';
export type { Mapping } from './table.js';

/** hearback: our own layout; paper: the authors' of arXiv 2608.24621; table: CSV or JSON lines with a mapping; session: an exported session. */
export const FORMATS = ['hearback', 'paper', 'atco2', 'atcosim', 'uwb', 'folder', 'huggingface', 'kaldi', 'table', 'session'] as const;
export type Format = (typeof FORMATS)[number];

export interface LoadOptions {
  /** Told of everything that is left out. */
  readonly onBad: OnBad;
  /** `hearback` folders: only these tasks. Default: all whose file is there. */
  readonly tasks?: readonly Task[];
  /** `table`: what its columns are called. */
  readonly mapping?: Mapping;
}

/**
 * The items of a benchmark, one at a time: memory does not grow with their number (but for JSON arrays and Kaldi's lists). Ids come as they
 * are; whoever needs them to differ must look.
 *
 * @throws HearbackError not-found, unreadable, empty, usage: of the whole; what is wrong with a part is told to `onBad`
 */
export async function* loadBenchmark(path: string, format: Format, options: LoadOptions): AsyncGenerator<BenchItem> {
  const { onBad, mapping } = options;
  if (!existsSync(path)) throw new HearbackError('not-found', `${path} does not exist.`, { hint: 'Check the name and the folder.' });
  switch (format) {
    case 'hearback':
      yield* loadOwn(path, options);
      return;
    case 'paper':
      yield* loadPaper(path, onBad);
      return;
    case 'session':
      yield* loadSession(path, onBad);
      return;
    case 'table':
      if (mapping === undefined) throw new HearbackError('usage', 'A table needs a mapping.', { hint: 'Say which task it is of and what its columns are called.' });
      yield* loadTable(path, mapping, onBad);
      return;
    default:
      yield* { atco2: loadAtco2, atcosim: loadAtcosim, uwb: loadUwb, folder: loadFolder, huggingface: loadHuggingFace, kaldi: loadKaldi }[format](path, onBad);
  }
}

/** A file of our layout, or a folder with task1.jsonl, task2.jsonl, ground.jsonl and speech.jsonl, those that are there. */
async function* loadOwn(path: string, { onBad, tasks = TASKS }: LoadOptions): AsyncGenerator<BenchItem> {
  const folder = statSync(path).isDirectory();
  const files = folder ? tasks.map((task) => ({ task, file: join(path, `${task}.jsonl`) })).filter(({ file }) => existsSync(file)) : [{ task: undefined, file: path }];
  if (files.length === 0) throw new HearbackError('empty', `${path} holds none of ${tasks.map((task) => `${task}.jsonl`).join(', ')}.`);
  for (const { task, file } of files) {
    const name = basename(file);
    for await (const { line, value, why } of jsonLines(file)) {
      const item = why ?? itemOf(value, file, `${name.replace(/\.jsonl$/u, '')}-${String(line)}`, task);
      if (typeof item === 'string') onBad({ where: name, line, why: item });
      else if (tasks.includes(item.task)) yield item;
    }
  }
}
