/**
 * Where audio comes from, apart from clients that send it: recordings, the bundled one, streams over HTTP, sound inputs of this machine.
 */
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ReadableStream } from 'node:stream/web';
import { expandInputs, openAudio, openMp3Stream, openPcmStream } from '../audio/index.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { AudioSource, Notice } from '../domain/stages.js';
import { Context } from '../domain/understanding.js';
import { resourceFolder } from '../models/index.js';

/** A source, and what has to be let go of when it is over. */
export interface OpenedSource {
  readonly source: AudioSource;
  readonly close?: () => void;
}

/** One recording on this machine's disk. @throws HearbackError not-found, not-audio … */
export async function openRecording(path: string): Promise<AudioSource> {
  const { files, failures } = await expandInputs([path]);
  if (failures[0] !== undefined) throw failures[0].error;
  const [file] = files;
  if (file === undefined || files.length > 1) throw new HearbackError('usage', `${path} stands for ${files.length} recordings.`, { hint: 'Name one of them.' });
  return openAudio(file);
}

/** A recording that lies under another name than people know it by. @throws HearbackError with that name in it */
export async function openUpload(path: string, name: string): Promise<AudioSource> {
  const named = (text: string): string => text.replaceAll(path, name);
  let source: AudioSource;
  try {
    source = await openAudio(path);
  } catch (thrown) {
    const error = toHearbackError(thrown);
    throw new HearbackError(error.code, named(error.message), { cause: thrown, ...(error.hint === undefined ? {} : { hint: named(error.hint) }) });
  }
  return {
    name,
    channels: source.channels,
    duration: source.duration,
    get notices(): readonly Notice[] {
      return source.notices.map((notice) => ({ ...notice, text: named(notice.text) }));
    },
    chunks: (signal) => source.chunks(signal),
  };
}

/** The bundled recording and who is on frequency in it. */
export async function openDemo(): Promise<{ readonly source: AudioSource; readonly context: Context }> {
  const folder = resourceFolder('fixtures', 'demo');
  const context = Context.parse(JSON.parse(readFileSync(join(folder, 'traffic.json'), 'utf8')));
  return { source: await openUpload(join(folder, 'tower-and-approach.ogg'), 'tower-and-approach.ogg'), context };
}

/** Answers of a stream's server are waited for so long, milliseconds. */
const CONNECT = 15_000;

/** A stream that the user names. @throws HearbackError offline, unsupported */
export async function openStream(address: string): Promise<OpenedSource> {
  const stop = new AbortController();
  const patience = setTimeout(() => {
    stop.abort();
  }, CONNECT);
  let answer: Response;
  try {
    answer = await fetch(address, { signal: stop.signal, headers: { accept: 'audio/*' } });
  } catch (thrown) {
    throw new HearbackError('offline', `${address} does not answer.`, { hint: 'Check the address and the network.', cause: thrown });
  } finally {
    clearTimeout(patience);
  }
  const close = (): void => {
    stop.abort();
  };
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!answer.ok || answer.body === null) {
    close();
    throw new HearbackError('offline', `${address} answers with status ${answer.status}.`, { hint: 'Check the address.' });
  }
  const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  body.on('error', () => undefined); // whoever reads it meets the failure; nobody may be reading when it is closed
  if (['audio/mpeg', 'audio/mp3', 'audio/mpeg3'].includes(type)) return { source: openMp3Stream(body, address), close };
  if (['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'].includes(type)) return { source: openPcmStream(body, { name: address }), close };
  const ffmpeg = await version('ffmpeg');
  if (!type.startsWith('audio/') && type !== 'application/ogg' && type !== 'application/octet-stream') {
    close();
    throw new HearbackError('unsupported', `${address} is no audio stream: it is ${type === '' ? 'of no told kind' : type}.`, { hint: 'Name the stream itself, not a page or a playlist.' });
  }
  if (!ffmpeg) {
    close();
    throw new HearbackError('unsupported', `${address} sends ${type}, which is not read here.`, { hint: 'MP3 and WAV streams are; with ffmpeg installed, any kind is.' });
  }
  const child = program('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', 'pipe:0', '-f', 's16le', '-ar', '16000', '-ac', '1', 'pipe:1'], address);
  body.on('error', child.stop).pipe(child.input);
  return { source: child.source, close: () => { close(); child.stop(); } }; // prettier-ignore
}

/** A sound input of this machine. */
export interface Device {
  readonly device: string;
  readonly title: string;
  /** Program that reads it. */
  readonly through: 'arecord' | 'ffmpeg';
  readonly args: readonly string[];
}

const run = promisify(execFile);

async function version(name: string): Promise<boolean> {
  try {
    await run(name, [name === 'ffmpeg' ? '-version' : '--version'], { timeout: 5000 });
    return true;
  } catch {
    return false;
  }
}

const PCM_ARGS = ['-f', 's16le', '-ar', '16000', '-ac', '1', 'pipe:1'] as const;

/** Cards in what `arecord -l` prints. */
export function alsaDevices(listing: string): Device[] {
  const cards = [...listing.matchAll(/^card (\d+): .*?\[(.*?)\], device (\d+): .*?\[(.*?)\]/gm)];
  const device = (name: string, title: string): Device => ({ device: `alsa:${name}`, title, through: 'arecord', args: ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', '16000', '-c', '1', '-D', name] });
  return cards.length === 0 ? [] : [device('default', 'System default'), ...cards.map(([, card = '', title = '', number = '', input = '']) => device(`plughw:${card},${number}`, `${title}: ${input}`))];
}

/** Inputs in what `ffmpeg -list_devices true` prints, for macOS (avfoundation) and Windows (dshow). */
export function ffmpegDevices(listing: string, system: 'avfoundation' | 'dshow'): Device[] {
  const device = (input: string, title: string): Device => ({ device: `${system}:${title}`, title, through: 'ffmpeg', args: ['-nostdin', '-loglevel', 'error', '-f', system, '-i', input, ...PCM_ARGS] });
  if (system === 'dshow') return [...listing.matchAll(/"([^"]+)" \(audio\)/g)].map(([, title = '']) => device(`audio=${title}`, title));
  const audio = listing.slice(Math.max(0, listing.indexOf('AVFoundation audio devices')));
  return [...audio.matchAll(/\] \[(\d+)\] (.+)$/gm)].map(([, index = '', title = '']) => device(`:${index}`, title.trim()));
}

/** Sound inputs that can be read here, and what to install where none can. */
export async function listDevices(): Promise<{ readonly devices: readonly Device[]; readonly hint?: string }> {
  if (process.platform === 'linux') {
    if (!(await version('arecord'))) return { devices: [], hint: 'Line-in of this machine is read through arecord (package alsa-utils), which is not here. The microphone of the page works without it.' };
    const { stdout } = await run('arecord', ['-l'], { timeout: 5000 }).catch(() => ({ stdout: '' }));
    const devices = alsaDevices(stdout);
    return devices.length > 0 ? { devices } : { devices, hint: 'This machine has no sound input.' };
  }
  if (!(await version('ffmpeg'))) return { devices: [], hint: 'Line-in of this machine is read through ffmpeg, which is not here. The microphone of the page works without it.' };
  const system = process.platform === 'darwin' ? 'avfoundation' : 'dshow';
  // ffmpeg lists on stderr, and ends with a failure because it was given nothing to open
  const listing = await run('ffmpeg', ['-hide_banner', '-list_devices', 'true', '-f', system, '-i', system === 'dshow' ? 'dummy' : ''], { timeout: 10_000 }).then(
    ({ stderr }) => stderr,
    (failure: unknown) => (typeof failure === 'object' && failure !== null && 'stderr' in failure && typeof failure.stderr === 'string' ? failure.stderr : ''),
  );
  const devices = ffmpegDevices(listing, system);
  return devices.length > 0 ? { devices } : { devices, hint: 'This machine has no sound input, or the program may not use it.' };
}

/** @throws HearbackError unknown-id: not one of {@link listDevices} */
export async function openDevice(device: string): Promise<OpenedSource> {
  const { devices, hint } = await listDevices();
  const found = devices.find((each) => each.device === device);
  if (found === undefined) throw new HearbackError('unknown-id', `This machine has no sound input ${device}.`, { hint: hint ?? 'Choose one of the list.' });
  const child = program(found.through, found.args, found.title);
  child.input.end();
  return { source: child.source, close: child.stop };
}

/** A program that writes 16 kHz samples until it is stopped; that it fails is told with what it said. */
function program(name: string, args: readonly string[], title: string): { readonly source: AudioSource; readonly input: NodeJS.WritableStream & { end(): void }; readonly stop: () => void } {
  const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-500);
  });
  child.stdin.on('error', () => undefined);
  child.on('error', (error) => {
    child.stdout.destroy(error);
  });
  child.on('exit', (code) => {
    if (code !== null && code !== 0) child.stdout.destroy(new Error(`${name} ended with code ${code}${said === '' ? '' : `: ${said.trim()}`}`));
  });
  return { source: openPcmStream(child.stdout, { name: title }), input: child.stdin, stop: () => { child.kill(); } }; // prettier-ignore
}
