/**
 * Writing files so that a crash leaves either the old file or the new one.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { storageError } from './database.js';

/** Puts a folder's entries (new names) on disk. Windows keeps them without being asked and refuses to sync a folder. */
export function syncFolder(dir: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes a whole file through a temporary one beside it: write, sync, rename, sync the folder.
 *
 * @param temporary name to write under until it is complete; on the same disk.
 * @throws HearbackError (disk full, read-only …); the temporary file is gone then.
 */
export function writeFileDurably(path: string, bytes: Uint8Array, temporary: string): void {
  try {
    const handle = openSync(temporary, 'w');
    try {
      let done = 0;
      while (done < bytes.length) done += writeSync(handle, bytes, done, bytes.length - done);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (thrown) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // the write's own failure is the one to tell
    }
    throw storageError(thrown, path);
  }
}

/** A link from a page in `fromFolder` to a file: relative where both are on one disk, percent-encoded. */
export function relativeHref(fromFolder: string, path: string): string {
  const way = relative(fromFolder, path);
  if (isAbsolute(way)) return pathToFileURL(path).href;
  return way.split(sep).map(encodeURIComponent).join('/');
}
