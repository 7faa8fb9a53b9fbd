/**
 * From what a person typed (files, folders, patterns) to the list of recordings.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, parse, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { glob, isDynamicPattern } from 'tinyglobby';
import { HearbackError } from '../domain/result.js';
import type { InputFailure } from '../domain/stages.js';
import { quote } from './decoder.js';
import { fileError } from './file-reader.js';

/**
 * Endings that are taken for recordings when a folder is given. Kinds that cannot be read are among them, so that
 * each of them gets its sentence instead of being passed over without a word.
 */
const ENDINGS = new Set(
  ['wav', 'wave', 'w64', 'rf64', 'bwf', 'flac', 'mp3', 'mp2', 'mpga', 'ogg', 'oga', 'opus', 'aif', 'aiff', 'aifc', 'au', 'snd', 'caf', 'sph', 'nist'].concat(
    ['m4a', 'm4b', 'mp4', 'aac', 'wma', 'webm', 'mka', 'amr', '3gp', 'ape', 'wv', 'spx', 'ra', 'ac3'],
  ),
);

const isRecording = (name: string): boolean => ENDINGS.has(parse(name).ext.slice(1).toLowerCase());

/** The same order on every machine: as people count ("2" before "10"), then by code point. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });
const inOrder = (a: string, b: string): number => collator.compare(a.normalize('NFC'), b.normalize('NFC')) || (a < b ? -1 : a > b ? 1 : 0);

export interface ExpandedInputs {
  /** Paths as given, or as found below a given folder or pattern; in order, none twice. */
  readonly files: readonly string[];
  readonly failures: readonly InputFailure[];
}

/**
 * Expands files, folders (searched through, recordings only, hidden ones left out) and patterns ("*", "?", "[…]", "{…}", "**").
 *
 * A name that exists as it is written is taken as it is, even with pattern characters in it. A name that exists only in the
 * other Unicode spelling (ü as one character or as u with a mark) is found. The same file is listed once, under the first
 * name it came by: by whatever way or link it was reached, and also when a copy with the same content lies beside it whose
 * name differs only in Unicode spelling. Names are never changed. The order is that of the inputs; inside one, of names.
 */
export async function expandInputs(inputs: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<ExpandedInputs> {
  const failures: InputFailure[] = [];
  const known = new Known();
  const files: string[] = [];
  for (const input of inputs) {
    if (options.signal?.aborted === true) throw new HearbackError('cancelled', 'Looking for recordings was stopped.');
    try {
      for (const path of await expandOne(input)) if (await known.isNew(path)) files.push(path);
    } catch (thrown) {
      failures.push({ input, error: fileError(thrown, input) });
    }
  }
  return { files, failures };
}

async function expandOne(input: string): Promise<string[]> {
  if (input.trim() === '') throw new HearbackError('usage', 'An empty name was given as an input.', { hint: 'Check the quotes and variables of the command.' });
  const found = await existing(input);
  if (found !== undefined) {
    if (!(await stat(found)).isDirectory()) return [found];
    const inside = await walk(found, new Set());
    if (inside.length === 0) throw new HearbackError('not-found', `The folder ${quote(input)} holds no recordings.`, { hint: 'Files are found by their endings (wav, flac, mp3, ogg, opus …); name a file itself when it has another one.' });
    return inside;
  }
  // on Windows "\" separates folders; in a pattern it would take the meaning from the next character
  const pattern = sep === '\\' ? input.replaceAll('\\', '/') : input;
  if (!isDynamicPattern(pattern)) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  // as far as it leads through folders that exist as written, nothing in it is a pattern
  const { root } = parse(input);
  const segments = pattern.slice(root.length).split('/');
  let base = root === '' ? '.' : root;
  let used = 0;
  for (; used < segments.length - 1; used++) {
    const next = await existing(join(base, segments[used] ?? ''));
    if (next === undefined) break;
    base = next;
  }
  const rest = segments.slice(used).join('/');
  const matches: string[] = [];
  for (const spelling of new Set([rest, rest.normalize('NFC'), rest.normalize('NFD')]))
    matches.push(...(await glob(spelling, { cwd: base, onlyFiles: true, expandDirectories: false, followSymbolicLinks: true })));
  const unique = [...new Set(matches)].map((m) => join(base, m)).sort(inOrder);
  if (unique.length === 0) throw new HearbackError('not-found', `Nothing matches the pattern ${quote(input)}.`, { hint: 'Check it with the folder it starts from; "**" goes into folders below.' });
  return unique;
}

/** The path under which something exists: as written, or with parts in another Unicode spelling. */
async function existing(path: string): Promise<string | undefined> {
  try {
    await stat(path);
    return path;
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw thrown;
  }
  const parent = dirname(path);
  const name = basename(path);
  // eslint-disable-next-line no-control-regex -- "only ASCII" is what is asked
  if (parent === path || /^[\x00-\x7f]*$/.test(path)) return undefined;
  const folder = await existing(parent);
  if (folder === undefined) return undefined;
  const wanted = name.normalize('NFC');
  const entries = await readdir(folder).catch(() => []);
  const match = entries.find((e) => e.normalize('NFC') === wanted);
  return match === undefined ? undefined : join(folder, match);
}

/** All recordings below a folder. `seen` keeps links from leading in a circle. */
async function walk(folder: string, seen: Set<string>): Promise<string[]> {
  const real = await realpath(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const files: string[] = [];
  const entries = (await readdir(folder, { withFileTypes: true })).filter((e) => !e.name.startsWith('.')).sort((a, b) => inOrder(a.name, b.name));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    let isFolder = entry.isDirectory();
    let isFile = entry.isFile();
    if (entry.isSymbolicLink()) {
      const target = await stat(path).catch(() => undefined);
      isFolder = target?.isDirectory() ?? false;
      isFile = target?.isFile() ?? false;
    }
    if (isFolder) files.push(...(await walk(path, seen)));
    else if (isFile && isRecording(entry.name)) files.push(path);
  }
  return files;
}

/** Remembers what is listed already. */
class Known {
  /** By real path in composed spelling: the real paths listed under it. */
  readonly #paths = new Map<string, string[]>();

  async isNew(path: string): Promise<boolean> {
    const real = await realpath(path);
    const key = real.normalize('NFC');
    const same = this.#paths.get(key);
    if (same === undefined) {
      this.#paths.set(key, [real]);
      return true;
    }
    if (same.includes(real)) return false;
    for (const other of same) if (await sameContent(real, other)) return false;
    same.push(real);
    return true;
  }
}

async function sameContent(a: string, b: string): Promise<boolean> {
  const [x, y] = await Promise.all([stat(a), stat(b)]);
  if (x.size !== y.size) return false;
  const digest = async (path: string): Promise<string> => {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  };
  const [p, q] = await Promise.all([digest(a), digest(b)]);
  return p === q;
}
