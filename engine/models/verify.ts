/**
 * Which models are there, and whether every file is what it should be.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { loadCatalogue, unknownId, SOURCE_KINDS, type ModelEntry, type SourceKind } from './catalogue.js';
import { formatBytes, sumsOf, systemCode } from './disk.js';
import { defaultPlaces, type ModelPlaces } from './paths.js';

/** The note that a pull leaves in the model's folder. It also holds the checksums that only the hub knew. */
export const MANIFEST = 'hearback-model.json';

export const Manifest = z.object({
  id: z.string(),
  source: z.enum(SOURCE_KINDS),
  /** Repository and commit, or packages and versions. */
  from: z.string(),
  pulled: z.string(),
  licence: z.string(),
  files: z.array(z.object({ path: z.string(), size: z.number().int(), sha256: z.string(), /** Who vouches for the sum: the catalogue, the hub, or nobody (it was computed after the download). */ checkedAgainst: z.enum(['catalogue', 'hub', 'nothing']) })),
});
export type Manifest = z.infer<typeof Manifest>;

/** Reads the note of a pull; undefined when there is none or it cannot be read. */
async function readManifest(directory: string): Promise<Manifest | undefined> {
  try {
    const parsed = Manifest.safeParse(JSON.parse(await readFile(join(directory, MANIFEST), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export const catalogueOf = (places: ModelPlaces): ReturnType<typeof loadCatalogue> => loadCatalogue(join(places.embedded, 'catalogue.json'));

/** Folders of models that the user put or converted there himself: they have a name, and no entry in the catalogue. */
function localIds(places: ModelPlaces): string[] {
  const known = new Set(catalogueOf(places).models.map((entry) => entry.id));
  try {
    return readdirSync(places.pulled, { withFileTypes: true })
      .filter((item) => (item.isDirectory() || item.isSymbolicLink()) && /^[A-Za-z0-9][\w.-]*$/u.test(item.name) && !known.has(item.name))
      .map((item) => item.name)
      .sort();
  } catch {
    return [];
  }
}

/** The catalogue entry of `id`, or undefined for a folder of the user's own. @throws HearbackError `unknown-id` with the nearest ids. */
export function findModel(id: string, places: ModelPlaces): ModelEntry | undefined {
  const { models } = catalogueOf(places);
  const entry = models.find((candidate) => candidate.id === id);
  if (entry !== undefined) return entry;
  const own = localIds(places);
  if (own.includes(id)) return undefined;
  throw unknownId(id, [...models.map((candidate) => candidate.id), ...own]);
}

/** The folder that a model has or would have; `requireModel` looks whether it is there. @throws HearbackError `unknown-id` */
export function modelDirectory(id: string, places: ModelPlaces = defaultPlaces()): string {
  const entry = findModel(id, places);
  return join(entry?.embedded === true ? places.embedded : places.pulled, id);
}

/** Size of a regular file, or undefined when there is none. */
function sizeOf(file: string): number | undefined {
  try {
    const found = statSync(file);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

/** Files of `entry` that are missing or have another size, without reading them. */
function misfits(entry: ModelEntry, directory: string): string[] {
  return entry.files.filter((file) => {
    const size = sizeOf(join(directory, file.path));
    return size === undefined || (file.size !== null && size !== file.size);
  }).map((file) => file.path);
}

/**
 * The folder of a model that is there: models/ID of the package for a shipped one, else a folder of the user's data
 * (`HEARBACK_MODELS`, or the platform's place).
 *
 * Looks at names and sizes only, so it is quick enough for every start; `verifyModel` reads the content.
 *
 * @throws HearbackError `unknown-id` with the nearest ids; `model-missing` with the command that fetches it;
 *   `model-broken` with the file at fault
 */
export function requireModel(id: string, places: ModelPlaces = defaultPlaces()): string {
  const entry = findModel(id, places);
  const directory = modelDirectory(id, places);
  if (entry === undefined) return directory;
  const remedy = entry.embedded ? 'Install Hearback again.' : `"hearback models pull ${id}" fetches it.`;
  const wrong = misfits(entry, directory);
  if (entry.files.length === 0 || wrong.length === entry.files.length) {
    throw new HearbackError('model-missing', `The model ${id} is not here (looked in ${directory}).`, { hint: remedy });
  }
  if (wrong.length > 0) throw new HearbackError('model-broken', `The model ${id} is not whole: ${wrong.join(', ')} in ${directory} ${wrong.length === 1 ? 'is' : 'are'} missing or of the wrong size.`, { hint: remedy });
  return directory;
}

/** What became of one file. `not-checked`: it is there, but nobody ever gave a checksum for it. */
export interface FileCheck {
  readonly path: string;
  readonly status: 'ok' | 'missing' | 'wrong-size' | 'changed' | 'unreadable' | 'not-checked';
  readonly detail: string;
}

/** What became of a model. `absent`: none of its files is there. `not-checked`: all there, but some without a checksum to compare with. */
export interface Verification {
  readonly id: string;
  readonly directory: string;
  readonly status: 'ok' | 'absent' | 'broken' | 'not-checked';
  readonly files: readonly FileCheck[];
  /** For people, one sentence with every file that is not right. */
  readonly text: string;
}

/** What verification can be given. `onBytes` is told how many bytes were read since the last call. */
export interface VerifyOptions {
  readonly places?: ModelPlaces;
  readonly signal?: AbortSignal;
  readonly onBytes?: (count: number) => void;
}

/** Compares one file with its expected size and checksum. */
export async function checkFile(
  directory: string,
  expected: { path: string; size: number | null; sha256: string | null },
  options: Pick<VerifyOptions, 'signal' | 'onBytes'> = {},
): Promise<FileCheck> {
  const { path } = expected;
  const file = join(directory, path);
  let size: number;
  try {
    const found = await stat(file);
    if (!found.isFile()) return { path, status: 'missing', detail: 'is not a file' };
    size = found.size;
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') return { path, status: 'missing', detail: 'is missing' };
    return { path, status: 'unreadable', detail: `cannot be looked at (${toHearbackError(thrown).message})` };
  }
  if (expected.size !== null && size !== expected.size) return { path, status: 'wrong-size', detail: `has ${size} bytes instead of ${expected.size}` };
  if (expected.sha256 === null) return { path, status: 'not-checked', detail: 'has no checksum to compare with' };
  try {
    const sums = await sumsOf(file, size, options.signal, options.onBytes);
    if (sums.sha256 === expected.sha256) return { path, status: 'ok', detail: 'ok' };
    return { path, status: 'changed', detail: `has another content (sha256 ${sums.sha256} instead of ${expected.sha256})` };
  } catch (thrown) {
    if (options.signal?.aborted === true) throw new HearbackError('cancelled', 'Verifying was stopped.', { cause: thrown });
    return { path, status: 'unreadable', detail: `cannot be read (${toHearbackError(thrown).message})` };
  }
}

/**
 * Reads every file of a model and compares size and SHA-256 with the catalogue, or, where the catalogue has none, with
 * what the pull wrote down.
 *
 * @throws HearbackError `unknown-id`, `cancelled`. Everything that is wrong with the files is in the result.
 */
export async function verifyModel(id: string, options: VerifyOptions = {}): Promise<Verification> {
  const places = options.places ?? defaultPlaces();
  const entry = findModel(id, places);
  const directory = modelDirectory(id, places);
  const manifest = await readManifest(directory);
  const expected =
    entry === undefined
      ? (manifest?.files ?? [])
      : entry.files.map((file) => {
          const noted = manifest?.files.find((item) => item.path === file.path && item.checkedAgainst !== 'nothing');
          return { path: file.path, size: file.size ?? noted?.size ?? null, sha256: file.sha256 ?? noted?.sha256 ?? null };
        });
  const files: FileCheck[] = [];
  for (const file of expected) {
    if (options.signal?.aborted === true) throw new HearbackError('cancelled', 'Verifying was stopped.');
    files.push(await checkFile(directory, file, options));
  }
  const remedy = entry === undefined ? '' : entry.embedded ? ' Install Hearback again.' : ` "hearback models pull ${id}" fetches it.`;
  const wrong = files.filter((file) => file.status !== 'ok' && file.status !== 'not-checked');
  if (files.length === 0) {
    if (entry === undefined) return { id, directory, status: 'not-checked', files, text: `${id} is a folder of your own in ${directory}; there are no checksums to compare with.` };
    return { id, directory, status: 'absent', files, text: `The catalogue lists no files for ${id}, so there is nothing that could be right.${remedy}` };
  }
  if (wrong.length === files.length && wrong.every((file) => file.status === 'missing')) return { id, directory, status: 'absent', files, text: `${id} is not here (looked in ${directory}).${remedy}` };
  if (wrong.length > 0) return { id, directory, status: 'broken', files, text: `${id} in ${directory} is not right: ${wrong.map((file) => `${file.path} ${file.detail}`).join('; ')}.${remedy}` };
  const unchecked = files.filter((file) => file.status === 'not-checked');
  if (unchecked.length > 0) return { id, directory, status: 'not-checked', files, text: `${id} is there, but there is no checksum to compare with for ${unchecked.map((file) => file.path).join(', ')}.` };
  return { id, directory, status: 'ok', files, text: `${id} is whole: ${files.length} ${files.length === 1 ? 'file' : 'files'} checked.` };
}

/** One line of `hearback models list`. */
export interface ModelListing {
  readonly id: string;
  readonly title: string;
  readonly purpose: ModelEntry['purpose'] | undefined;
  readonly licence: string | undefined;
  readonly embedded: boolean;
  /** By names and sizes: `shipped`, `pulled` and `own` (the user's own folder) can be used. */
  readonly state: 'shipped' | 'pulled' | 'own' | 'absent' | 'incomplete';
  /** Whether all its files are here. */
  readonly present: boolean;
  readonly directory: string;
  /** Sum of the sizes, where the catalogue or the pull knows them. */
  readonly bytes: number | undefined;
  /** Kinds of source that it can be pulled from, the first being the default. */
  readonly sources: readonly SourceKind[];
  /** Its files are in another form than the product reads, and have to be converted first. */
  readonly convert: boolean;
  /** How the product uses it. */
  readonly use: string | undefined;
  /** One line for people: title, licence, size and state. */
  readonly text: string;
}

/** What a folder of the user's own holds, by its files; undefined where they tell nothing. */
function purposeOfOwn(directory: string): ModelEntry['purpose'] | undefined {
  return ['encoder.onnx', 'decoder.onnx', 'vocab.json', 'config.json'].every((name) => existsSync(join(directory, name))) ? 'recogniser' : undefined;
}

/** All models of the catalogue and the user's own folders, with what is there. Looks at names and sizes only. */
export async function listModels(places: ModelPlaces = defaultPlaces()): Promise<ModelListing[]> {
  const listings: ModelListing[] = [];
  for (const entry of catalogueOf(places).models) {
    const directory = join(entry.embedded ? places.embedded : places.pulled, entry.id);
    const wrong = misfits(entry, directory);
    const present = entry.files.length > 0 && wrong.length === 0;
    const noted = present && entry.files.some((file) => file.size === null) ? (await readManifest(directory))?.files : undefined;
    const sizes = entry.files.map((file) => file.size ?? noted?.find((item) => item.path === file.path)?.size);
    const bytes = sizes.some((size) => size === undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    const state = present ? (entry.embedded ? 'shipped' : 'pulled') : wrong.length < entry.files.length ? 'incomplete' : 'absent';
    const says = state === 'incomplete' ? `not whole (${wrong.join(', ')})` : state === 'absent' ? (entry.embedded ? 'missing from this installation' : 'not pulled') : state;
    listings.push({
      id: entry.id,
      title: entry.title,
      purpose: entry.purpose,
      licence: entry.licence.spdx,
      embedded: entry.embedded,
      state,
      present,
      directory,
      bytes,
      sources: entry.sources.map((source) => source.kind),
      convert: entry.convert !== undefined,
      use: entry.use,
      text: `${entry.title}; ${entry.licence.spdx}; ${bytes === undefined ? 'size is known to the hub' : formatBytes(bytes)}; ${says}`,
    });
  }
  for (const id of localIds(places)) {
    const directory = join(places.pulled, id);
    listings.push({ id, title: 'your own model', purpose: purposeOfOwn(directory), licence: undefined, embedded: false, state: 'own', present: true, directory, bytes: undefined, sources: [], convert: false, use: undefined, text: `your own folder ${directory}` });
  }
  return listings;
}
