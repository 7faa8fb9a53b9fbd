/**
 * Free space, checksums, and file system failures as sentences.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { HearbackError, toHearbackError } from '../domain/result.js';

/** Room that is left for everything else on the disk, bytes. */
const RESERVE = 32 * 1024 * 1024;

/** A number of bytes for people, in powers of ten as disks and downloads are sold. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 'B';
  for (const next of units) {
    // 999.95 would be shown as 1000.0
    if (value < 999.95) break;
    value /= 1000;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}

/** Bytes that this user may still write to the disk of `folder`, which must exist. */
export async function freeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder);
  return disk.bavail * disk.bsize;
}

/** Refuses to begin what will not fit. @throws HearbackError `disk-full` with both figures. */
export function requireSpace(folder: string, needed: number, free: number): void {
  if (needed === 0 || needed + RESERVE <= free) return;
  throw new HearbackError('disk-full', `${formatBytes(needed)} are needed in ${folder} (and ${formatBytes(RESERVE)} left over), but only ${formatBytes(free)} are free.`, {
    hint: 'Make room, or set HEARBACK_MODELS to a folder on another disk.',
  });
}

/** The `code` of a Node system error, looked for down the chain of causes. */
export function systemCode(thrown: unknown): string | undefined {
  for (let error: unknown = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if ('code' in error && typeof error.code === 'string') return error.code;
  }
  return undefined;
}

/** Says what a failed file operation on `path` means. HearbackErrors pass through. */
export function fileFailure(thrown: unknown, path: string): HearbackError {
  if (thrown instanceof HearbackError) return thrown;
  switch (systemCode(thrown)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new HearbackError('disk-full', `The disk is full: ${path} could not be written.`, {
        hint: 'Make room, or set HEARBACK_MODELS to a folder on another disk; what was downloaded is kept and the same command goes on from there.',
        cause: thrown,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new HearbackError('usage', `${path} may not be written or read (${toHearbackError(thrown).message}).`, { hint: 'Change its permissions, or set HEARBACK_MODELS to a folder that is yours.', cause: thrown });
    default:
      return toHearbackError(thrown);
  }
}

/** The checksums of a file, read as a stream. `blob` is git's object id, which a hub gives for small files. */
export interface Sums {
  readonly size: number;
  readonly sha256: string;
  readonly blob: string;
}

/**
 * Reads a file once and computes its checksums.
 *
 * @param size its size, which git hashes before the content
 * @param onBytes told how many bytes were read since the last call
 */
export async function sumsOf(file: string, size: number, signal?: AbortSignal, onBytes?: (count: number) => void): Promise<Sums> {
  const sha256 = createHash('sha256');
  const blob = createHash('sha1').update(`blob ${size}\0`);
  let read = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, ...(signal === undefined ? {} : { signal }) })) {
    const bytes = chunk as Buffer;
    sha256.update(bytes);
    blob.update(bytes);
    read += bytes.length;
    onBytes?.(bytes.length);
  }
  return { size: read, sha256: sha256.digest('hex'), blob: blob.digest('hex') };
}
