/**
 * The audio of each transmission: one 16 kHz mono 16-bit WAV in the session's audio/ folder, on disk before it is recognised.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import wavefile from 'wavefile';
import { toInt16 } from '../domain/pcm.js';
import { HearbackError } from '../domain/result.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import { storageError } from './database.js';
import { syncFolder, writeFileDurably } from './files.js';

/** Folder of the audio inside a session folder. */
export const AUDIO_FOLDER = 'audio';
/** Ending of a file that is not complete yet. */
const PARTIAL = '.part';
/** RIFF header with a 16-byte fmt chunk and nothing else, as {@link encodeWav} writes it. */
const HEADER_BYTES = 44;

/**
 * File name for a transmission id. Plain ids keep their name; any other is made safe for every file system (Windows names,
 * case-insensitive disks) and told apart by a digest.
 */
export function audioFileName(transmission: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,99}$/.test(transmission) && !/^(con|prn|aux|nul|com\d|lpt\d)$/.test(transmission)) return `${transmission}.wav`;
  const readable = transmission.toLowerCase().replace(/[^a-z0-9_-]+/g, '_').slice(0, 40);
  return `${readable}.${createHash('sha256').update(transmission).digest('hex').slice(0, 16)}.wav`;
}

/** Names that {@link audioFileName} and its temporary files can have. */
export const isAudioFileName = (name: string): boolean => /^[a-z0-9_-]*(\.[0-9a-f]{16})?\.wav(\.part)?$/.test(name);

/**
 * 16-bit PCM WAV of mono 16 kHz samples.
 *
 * @param samples −1…1; what lies outside is clipped, what is not a number becomes silence.
 */
export function encodeWav(samples: Float32Array): Uint8Array {
  const wav = new wavefile.WaveFile();
  wav.fromScratch(1, SAMPLE_RATE, '16', toInt16(samples));
  return wav.toBuffer();
}

/** The samples of a WAV that {@link encodeWav} made, −1…1. */
export function decodeWav(bytes: Uint8Array, path: string): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at: number): string => (at + 4 <= bytes.length ? String.fromCharCode(...bytes.subarray(at, at + 4)) : '');
  const fault = (message: string): HearbackError =>
    new HearbackError('not-audio', `${path} ${message}.`, { hint: 'The file was changed after it was recorded; restore it from a backup.' });
  if (tag(0) !== 'RIFF' || tag(8) !== 'WAVE') throw fault('is not a WAV file');
  let format: { channels: number; rate: number; bits: number; kind: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    if (tag(at) === 'fmt ' && at + 24 <= bytes.length) {
      format = { kind: view.getUint16(at + 8, true), channels: view.getUint16(at + 10, true), rate: view.getUint32(at + 12, true), bits: view.getUint16(at + 22, true) };
    }
    if (tag(at) === 'data') {
      if (format?.kind !== 1 || format.channels !== 1 || format.rate !== SAMPLE_RATE || format.bits !== 16) throw fault('is not 16 kHz mono 16-bit PCM');
      const count = Math.floor(Math.min(length, bytes.length - at - 8) / 2);
      const samples = new Float32Array(count);
      for (let i = 0; i < count; i += 1) samples[i] = view.getInt16(at + 8 + 2 * i, true) / 32768;
      return samples;
    }
    at += 8 + length + (length % 2);
  }
  throw fault('has no audio data');
}

/** Bytes that the header promises and bytes that are there. */
function headerCheck(path: string): { readonly promised: number; readonly actual: number } | undefined {
  const handle = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(handle, header, 0, HEADER_BYTES, 0);
    if (read < HEADER_BYTES || header.toString('latin1', 0, 4) !== 'RIFF' || header.toString('latin1', 36, 40) !== 'data') return undefined;
    return { promised: header.readUInt32LE(40), actual: fstatSync(handle).size - HEADER_BYTES };
  } finally {
    closeSync(handle);
  }
}

/** Makes the header say what is there. */
function mendHeader(path: string, actual: number): void {
  const handle = openSync(path, 'r+');
  try {
    const whole = actual - (actual % 2);
    const field = Buffer.alloc(4);
    field.writeUInt32LE(HEADER_BYTES - 8 + whole);
    writeSync(handle, field, 0, 4, 4);
    field.writeUInt32LE(whole);
    writeSync(handle, field, 0, 4, 40);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * The path of a transmission's audio, for reading.
 *
 * A session folder may come from somebody else, so a path in its log may not lead out of it.
 *
 * @param audio path relative to the session folder, as it stands in the log.
 * @throws HearbackError `not-found` when it is missing, `invalid-input` when it points outside.
 */
export function audioPath(dir: string, audio: string): string {
  const path = resolve(dir, audio);
  const outside = (from: string, to: string): boolean => {
    const way = relative(from, to);
    return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  };
  if (audio.includes('\0') || outside(resolve(dir), path)) {
    throw new HearbackError('invalid-input', `The log names audio outside of the session folder (${audio}).`, { hint: 'Do not use this session unless you know who made it.' });
  }
  if (!existsSync(path)) {
    throw new HearbackError('not-found', `The audio file ${audio} is missing from ${dir}.`, { hint: 'Restore it from a backup; text and findings are still there.' });
  }
  if (outside(realpathSync(dir), realpathSync(path))) {
    throw new HearbackError('invalid-input', `The log names audio outside of the session folder (${audio}).`, { hint: 'Do not use this session unless you know who made it.' });
  }
  return path;
}

/** Reads a transmission's audio. Mono 16 kHz, −1…1. */
export function readAudioFile(dir: string, audio: string): Float32Array {
  const path = audioPath(dir, audio);
  try {
    return decodeWav(readFileSync(path), path);
  } catch (thrown) {
    throw storageError(thrown, path);
  }
}

/**
 * Writes a transmission's audio; on disk when this returns.
 *
 * @param replace whether a file of that name may be replaced (one that no event names).
 * @returns path relative to the session folder, with forward slashes.
 */
export function writeAudioFile(dir: string, transmission: string, samples: Float32Array, replace: boolean): string {
  if (samples.length === 0) throw new HearbackError('empty', `The transmission ${transmission} has no audio.`, { hint: 'Save at least one sample.' });
  const name = audioFileName(transmission);
  const path = join(dir, AUDIO_FOLDER, name);
  if (!replace && existsSync(path)) {
    throw new HearbackError('session', `The audio of transmission ${transmission} is already in the session.`, { hint: 'Recorded audio is never overwritten; use a new transmission id.' });
  }
  writeFileDurably(path, encodeWav(samples), path + PARTIAL);
  return `${AUDIO_FOLDER}/${name}`;
}

/** Makes the audio folder. */
export function makeAudioFolder(dir: string): void {
  try {
    mkdirSync(join(dir, AUDIO_FOLDER), { recursive: true });
    syncFolder(dir);
  } catch (thrown) {
    throw storageError(thrown, join(dir, AUDIO_FOLDER));
  }
}

/** What was found in audio/ that a crash or a hand left behind. Paths relative to the session folder. */
export interface AudioCheck {
  /** Half-written files that were completed as far as they go and now play. */
  readonly mended: readonly string[];
  /** Half-written files without a single sample, removed. */
  readonly removed: readonly string[];
  /** Playable files that no event names: the program stopped between writing audio and logging it. */
  readonly unlogged: readonly string[];
  /** Named in the log, not on disk. */
  readonly missing: readonly string[];
}

/**
 * Compares audio/ with the log, and mends it when `mend` is set (else reports what mending would do).
 *
 * @param logged audio paths that the log names.
 * @param suspect those of them whose header is worth a look (the newest and the pending ones).
 */
export function checkAudio(dir: string, logged: readonly string[], suspect: readonly string[], mend: boolean): AudioCheck {
  const folder = join(dir, AUDIO_FOLDER);
  const mended: string[] = [];
  const removed: string[] = [];
  const unlogged: string[] = [];
  try {
    const names = new Set(existsSync(folder) ? readdirSync(folder).filter((name) => isAudioFileName(name) && lstatSync(join(folder, name)).isFile()) : []);
    for (const name of [...names].filter((each) => each.endsWith(PARTIAL))) {
      const path = join(folder, name);
      const whole = name.slice(0, -PARTIAL.length);
      const found = headerCheck(path);
      names.delete(name);
      if (found === undefined || found.actual < 2 || names.has(whole)) {
        if (mend) rmSync(path);
        removed.push(`${AUDIO_FOLDER}/${name}`);
        continue;
      }
      if (mend) {
        mendHeader(path, found.actual);
        renameSync(path, join(folder, whole));
        names.add(whole);
      }
      mended.push(`${AUDIO_FOLDER}/${whole}`);
    }
    for (const audio of suspect) {
      const name = basename(audio);
      if (audio !== `${AUDIO_FOLDER}/${name}` || !names.has(name)) continue;
      const path = join(folder, name);
      const found = headerCheck(path);
      if (found === undefined || found.promised <= found.actual) continue;
      if (mend) mendHeader(path, found.actual);
      mended.push(audio);
    }
    if (mend && mended.length + removed.length > 0) syncFolder(folder);
    const known = new Set(logged);
    for (const name of names) if (!known.has(`${AUDIO_FOLDER}/${name}`)) unlogged.push(`${AUDIO_FOLDER}/${name}`);
    const missing = logged.filter((audio) => !(audio === `${AUDIO_FOLDER}/${basename(audio)}` && names.has(basename(audio))) && !existsSync(join(dir, audio)));
    return { mended: mended.sort(), removed: removed.sort(), unlogged: unlogged.sort(), missing: missing.sort() };
  } catch (thrown) {
    throw storageError(thrown, folder);
  }
}
