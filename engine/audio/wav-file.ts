/**
 * The audio of a transmission as a WAV file: written so that a crash at any moment leaves either the whole file or none.
 */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import wavefile from 'wavefile';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import type { Notice } from '../domain/stages.js';
import { NoticeList, quote } from './decoder.js';
import { fileError } from './file-reader.js';
import { openDecoder } from './source.js';

/** Float −1…1 to 16 bits: rounded, limited at full scale, 0 for what is not a number. */
export function toInt16(samples: Float32Array): Int16Array {
  const out = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const v = (samples[i] ?? 0) * 32768;
    out[i] = v >= 32767 ? 32767 : v <= -32768 ? -32768 : Math.round(v); // NaN becomes 0 in the array
  }
  return out;
}

/**
 * Writes mono 16-bit PCM. The file appears under its name only when it is complete and on disk.
 *
 * @param samples −1…1; beyond that it is limited.
 * @throws HearbackError `disk-full`, `not-found` (no such folder), `unreadable` (not permitted, failing disk).
 */
export async function writeWav(path: string, samples: Float32Array, rate: number = SAMPLE_RATE): Promise<void> {
  const wav = new wavefile.WaveFile();
  wav.fromScratch(1, rate, '16', toInt16(samples));
  const bytes = wav.toBuffer();
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.part`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw writeError(thrown, path);
  }
}

/** The new name itself has to reach the disk, where the system lets a folder be synced. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Turns what node:fs throws on writing into what a person can act on. */
export function writeError(thrown: unknown, path: string): HearbackError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HearbackError('disk-full', `${quote(path)} could not be written: the disk is full.`, { hint: 'Free some space; what was written before is safe.', cause: thrown });
  if (code === 'ENOENT') return new HearbackError('not-found', `${quote(path)} could not be written: its folder does not exist.`, { cause: thrown });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new HearbackError('unreadable', `${quote(path)} could not be written: permission denied.`, { hint: 'Choose a folder of your own.', cause: thrown });
  return toHearbackError(thrown, 'unreadable');
}

/**
 * Reads a whole short recording at its own rate, channels averaged. For files of this program; long recordings go
 * through `openAudio`.
 *
 * @throws HearbackError as `openAudio` does.
 */
export async function readWavSamples(path: string): Promise<{ readonly samples: Float32Array; readonly rate: number; readonly notices: readonly Notice[] }> {
  const notices = new NoticeList();
  const decoder = await openDecoder(path, notices);
  const parts: Float32Array[] = [];
  let length = 0;
  try {
    for await (const block of decoder.blocks()) {
      const part = new Float32Array(block.channels[0]?.length ?? 0);
      for (const channel of block.channels) for (let i = 0; i < part.length; i++) part[i] = (part[i] ?? 0) + (channel[i] ?? 0) / block.channels.length;
      parts.push(part);
      length += part.length;
    }
  } catch (thrown) {
    throw fileError(thrown, path);
  }
  const samples = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, rate: decoder.rate, notices: notices.list };
}
