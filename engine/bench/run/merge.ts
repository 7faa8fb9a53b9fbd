/**
 * Putting the shards of a run together: the result is what one undisturbed run leaves, and can be scored or gone on with like it.
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HearbackError } from '../../domain/result.js';
import { heardKey, openHeard } from './inputs.js';
import { AnswerLine, PARTS, TASKS, type Task } from './items.js';
import { difference, readManifest, writeManifest, type RunManifest } from './manifest.js';
import { answerFile, cellsOf, conditionName, countsOf, goldFile, heardFile, itemsOf } from './run.js';
import { LineFile } from './store.js';

const byId = (value: unknown): { key: string; settled: boolean } => ({ key: AnswerLine.parse(value).id, settled: true });

/** All lines of the shards, in the order of the items; of a key that was written several times, every line. */
async function gather(files: readonly LineFile[], into: LineFile, keys: AsyncIterable<readonly string[]>): Promise<void> {
  for await (const each of keys) {
    for (const key of each) {
      const file = files.find((one) => one.has(key));
      if (file === undefined) continue;
      for (const value of file.all(key)) into.append(value);
    }
  }
}

/**
 * Merges runs that are the shards 1/n … n/n of one into the folder `out`.
 *
 * @throws HearbackError usage: a shard is missing, double, of another run, or not ended (unless `partial`); `out` holds a run already
 */
export async function mergeRuns(folders: readonly string[], out: string, partial: boolean): Promise<RunManifest> {
  if (existsSync(join(out, 'manifest.json'))) throw new HearbackError('usage', `${out} holds a run already.`, { hint: 'Take another folder with --out.' });
  const runs = folders.map((folder) => ({ folder, manifest: readManifest(folder) })).sort((a, b) => Number(a.manifest.config.shard?.split('/')[0]) - Number(b.manifest.config.shard?.split('/')[0]));
  const [first] = runs;
  if (first === undefined) throw new HearbackError('usage', 'There is nothing to merge.', { hint: 'Name the folders of the shards.' });
  const of = Number(first.manifest.config.shard?.split('/')[1] ?? Number.NaN);
  for (const { folder, manifest } of runs) {
    if (manifest.config.shard === null) throw new HearbackError('usage', `${folder} is a whole run, not a shard.`, { hint: 'Shards are made with `bench run --shard i/n`.' });
    const differs = difference({ ...first.manifest.config, shard: `…/${String(of)}` }, { ...manifest.config, shard: `…/${manifest.config.shard.split('/')[1] ?? ''}` });
    if (differs !== undefined) throw new HearbackError('usage', `${first.folder} and ${folder} are not of one run: ${differs}.`);
    if (manifest.ended === null && !partial) throw new HearbackError('usage', `The run in ${folder} has not ended.`, { hint: 'Go on with it first, or merge what there is with --partial; what is missing can then be made by going on with the merged run.' });
  }
  const indexes = runs.map(({ manifest }) => Number(manifest.config.shard?.split('/')[0]));
  const double = indexes.find((index, i) => indexes.indexOf(index) !== i);
  if (double !== undefined) throw new HearbackError('usage', `Shard ${String(double)}/${String(of)} is there twice.`);
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !indexes.includes(index));
  if (missing.length > 0 && !partial) throw new HearbackError('usage', `Shard ${missing.map((index) => `${String(index)}/${String(of)}`).join(', ')} is missing.`, { hint: 'Name the folders of all shards, or merge what there is with --partial.' });

  const config = { ...first.manifest.config, shard: null };
  mkdirSync(out, { recursive: true });
  for (const task of Object.keys(config.data) as Task[]) copyFileSync(goldFile(first.folder, task), goldFile(out, task));
  if (existsSync(join(first.folder, 'benchmark.json'))) copyFileSync(join(first.folder, 'benchmark.json'), join(out, 'benchmark.json'));

  const merge = async (task: Task, path: (folder: string) => string, open: (path: string) => Promise<LineFile>, keys: (id: string) => readonly string[]): Promise<void> => {
    const files = await Promise.all(runs.map(({ folder }) => path(folder)).filter((each) => existsSync(each)).map(open));
    if (files.length === 0) return;
    mkdirSync(join(path(out), '..'), { recursive: true });
    const into = await open(path(out));
    async function* wanted(): AsyncGenerator<readonly string[]> {
      for await (const { id } of itemsOf(out, task, config.limit, null)) yield keys(id);
    }
    await gather(files, into, wanted());
    for (const file of [...files, into]) file.close();
  };
  for (const { name } of config.inputs) {
    for (const task of TASKS) if (config.data[task] !== undefined) await merge(task, (folder) => heardFile(folder, name, task), (path) => openHeard(path, task), (id) => PARTS[task].map((part) => heardKey(id, part)));
  }
  for (const cell of cellsOf(config)) await merge(cell.task, (folder) => answerFile(folder, cell), (path) => LineFile.open(path, byId), (id) => [id]);

  const counts: RunManifest['counts'] = {};
  for (const cell of cellsOf(config)) (counts[conditionName(cell)] ??= {})[cell.task] = await countsOf(out, config, cell);
  const children = runs.map(({ manifest }) => manifest.peak_memory_mb.children).filter((value) => value !== null);
  const ends = runs.map(({ manifest }) => manifest.ended).filter((value) => value !== null).sort();
  const manifest: RunManifest = {
    format: 2,
    config,
    normaliser: first.manifest.normaliser,
    starts: runs.flatMap((run) => run.manifest.starts).sort((a, b) => (a.at < b.at ? -1 : 1)),
    ended: missing.length === 0 && ends.length === runs.length ? (ends.at(-1) ?? null) : null,
    counts,
    peak_memory_mb: { program: Math.max(...runs.map((run) => run.manifest.peak_memory_mb.program)), children: children.length === 0 ? null : Math.max(...children) },
  };
  writeManifest(out, manifest);
  return manifest;
}
