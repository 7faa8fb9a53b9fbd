/**
 * Any benchmark or corpus as a folder of our own layout, which `bench run` reads.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { HearbackError } from '../../domain/result.js';
import type { Task } from '../run/items.js';
import { loadBenchmark, type Format, type LoadOptions } from './index.js';
import type { Bad, BenchItem } from './item.js';

export interface Imported {
  /** Items by task. */
  readonly items: Readonly<Partial<Record<Task, number>>>;
  readonly left_out: number;
}

/** The item as a line, its sounds named from `out`. */
function lineOf({ gold, around }: BenchItem, out: string): string {
  const audio = Object.fromEntries(Object.entries(gold.audio ?? {}).map(([part, stretch]) => [part, { ...stretch, file: relative(resolve(out), stretch.file).split(sep).join('/') }]));
  return `${JSON.stringify({ ...gold, ...around, ...(gold.audio === undefined ? {} : { audio }) })}\n`;
}

/**
 * Writes TASK.jsonl for each task that there are items of, and benchmark.json. Recordings stay where they are.
 *
 * @throws HearbackError usage where the folder has items already; empty where nothing can be used
 */
export async function importBenchmark(path: string, format: Format, out: string, options: LoadOptions): Promise<Imported> {
  mkdirSync(out, { recursive: true });
  const files = new Map<Task, { count: number; ids: Set<string>; hash: ReturnType<typeof createHash> }>();
  let leftOut = 0;
  const onBad = (bad: Bad): void => {
    leftOut++;
    options.onBad(bad);
  };
  for await (const item of loadBenchmark(path, format, { ...options, onBad })) {
    let file = files.get(item.task);
    const target = join(out, `${item.task}.jsonl`);
    if (file === undefined) {
      if (existsSync(target)) throw new HearbackError('usage', `${target} exists already.`, { hint: 'Name another folder, or remove it.' });
      file = { count: 0, ids: new Set(), hash: createHash('sha256') };
      files.set(item.task, file);
    }
    if (file.ids.has(item.gold.id)) {
      onBad({ where: path, why: `the id "${item.gold.id}" is there already` });
      continue;
    }
    file.ids.add(item.gold.id);
    const line = lineOf(item, out);
    appendFileSync(target, line);
    file.hash.update(line);
    file.count++;
  }
  if (files.size === 0) throw new HearbackError('empty', `Nothing in ${path} can be used as ${format}.`, { hint: 'docs/benchmark-data.md shows each layout.' });
  const manifest = { format: 1, about: `Imported from ${path.split(/[\\/]/u).findLast((name) => name !== '') ?? path} (${format}).`, sha256: Object.fromEntries([...files].map(([task, { hash }]) => [`${task}.jsonl`, hash.digest('hex')])) };
  writeFileSync(join(out, 'benchmark.json'), `${JSON.stringify(manifest, null, 1)}\n`);
  return { items: Object.fromEntries([...files].map(([task, { count }]) => [task, count])), left_out: leftOut };
}
