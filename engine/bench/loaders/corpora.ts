/**
 * Corpora of recordings with their words, as items of the task `speech`.
 */
import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative, resolve, sep } from 'node:path';
import { HearbackError } from '../../domain/result.js';
import type { BenchItem, OnBad } from './item.js';
import { readText, spokenWords, textLines, unreadable } from './text.js';
import { isUnusable, readAtco2Xml, readStm, readTextGrid, readTrs, readTxt, roleOf, type Found, type Stretch } from './transcripts.js';

const AUDIO = ['.wav', '.flac', '.mp3', '.ogg', '.opus', '.sph'];

type Items = AsyncGenerator<BenchItem>;
type Reader = (path: string) => Promise<Found[]>;

/** Relative paths of all files below a folder, sorted. */
export async function filesIn(root: string): Promise<string[]> {
  try {
    if (!(await stat(root)).isDirectory()) throw new HearbackError('usage', `${root} is a file, not a folder.`, { hint: 'Name the folder that holds the recordings and their texts.' });
    return (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name))).sort();
  } catch (thrown) {
    throw thrown instanceof HearbackError ? thrown : unreadable(root, thrown);
  }
}

const withoutSuffix = (file: string): string => file.slice(0, file.length - extname(file).length);

/** The item of a stretch, or why it is none. */
function speechItem(root: string, file: string, recording: string, stretch: Stretch, callsigns: readonly string[] = []): BenchItem | string {
  if (stretch.foreign === true) return 'it is not in English';
  const text = spokenWords(stretch.text);
  if (text === undefined) return 'a part of it was not understood by whoever wrote it down';
  if (text === '') return 'it has no words';
  const { start, end, role } = stretch;
  const id = start === undefined ? recording : `${recording}-${String(Math.round(start * 100)).padStart(6, '0')}-${String(Math.round((end ?? 0) * 100)).padStart(6, '0')}`;
  const audio = { utterance: { file: resolve(root, file), ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) } };
  return { task: 'speech', gold: { id, text, recording, audio }, around: { ...(role === undefined ? {} : { role }), ...(callsigns.length === 0 ? {} : { callsigns: [...callsigns] }) } };
}

/** Every recording with the first of `readers` whose file stands beside it, under the name that `beside` gives. */
async function* paired(root: string, readers: readonly (readonly [suffix: string, read: Reader])[], onBad: OnBad, options: { readonly beside?: (audio: string, suffix: string) => string; readonly callsigns?: (audio: string) => Promise<readonly string[]> } = {}): Items {
  const { beside = (audio: string, suffix: string): string => `${withoutSuffix(audio)}${suffix}`, callsigns = (): Promise<readonly string[]> => Promise.resolve([]) } = options;
  const files = await filesIn(root);
  const lower = new Map(files.map((file) => [file.toLowerCase(), file]));
  const sounds = files.filter((file) => AUDIO.includes(extname(file).toLowerCase()));
  if (sounds.length === 0) throw new HearbackError('empty', `${root} holds no recordings.`, { hint: `Looked for ${AUDIO.join(', ')}, in folders below it too.` });
  for (const audio of sounds) {
    const match = readers.map(([suffix, read]) => ({ file: lower.get(beside(audio, suffix).toLowerCase()), read })).find(({ file }) => file !== undefined);
    if (match?.file === undefined) {
      onBad({ where: audio, why: `it has no ${readers.map(([suffix]) => suffix).join(', ')} of the same name beside it` });
      continue;
    }
    const { file, read } = match;
    const around = await callsigns(audio);
    for (const found of await read(join(root, file))) {
      const item = isUnusable(found) ? found.why : speechItem(root, audio, withoutSuffix(audio).split(sep).join('/'), found, around);
      if (typeof item === 'string') onBad({ where: file, ...(found.line === undefined ? {} : { line: found.line }), why: item });
      else yield item;
    }
  }
}

/** NAME.wav (or .flac, .mp3, .ogg, .opus) with NAME.txt, the words of all of it; or NAME.stm, NAME.TextGrid, NAME.trs, NAME.xml (ATCO2). */
export const loadFolder = (root: string, onBad: OnBad): Items => paired(root, [['.txt', readTxt], ['.xml', readAtco2Xml], ['.stm', readStm], ['.TextGrid', readTextGrid], ['.trs', readTrs]], onBad);

/** WAVdata/GROUP/SPEAKER/NAME.wav with TXTdata/GROUP/SPEAKER/NAME.txt. */
export const loadAtcosim = (root: string, onBad: OnBad): Items =>
  paired(root, [['.txt', readTxt]], onBad, { beside: (audio, suffix) => `${withoutSuffix(audio).replace(/(^|[\\/])WAVdata(?=[\\/])/u, '$1TXTdata')}${suffix}` });

/** audio/NAME.wav with transcripts/NAME.trs, or both side by side; or NAME.stm. */
export async function* loadUwb(root: string, onBad: OnBad): Items {
  const files = new Set((await filesIn(root)).map((file) => file.toLowerCase()));
  const beside = (audio: string, suffix: string): string => {
    const near = `${withoutSuffix(audio)}${suffix}`;
    return files.has(near.toLowerCase()) ? near : near.replace(/(^|[\\/])audio(?=[\\/])/u, '$1transcripts');
  };
  yield* paired(root, [['.trs', readTrs], ['.stm', readStm]], onBad, { beside });
}

/** NAME.wav with NAME.xml, and NAME.info with the callsigns nearby; or, where they lie there, the lists that data preparation makes of it (Kaldi). */
export async function* loadAtco2(root: string, onBad: OnBad): Items {
  const files = await filesIn(root);
  if (files.includes('wav.scp') && files.includes('text')) {
    yield* loadKaldi(root, onBad);
    return;
  }
  const known = new Set(files);
  yield* paired(root, [['.xml', readAtco2Xml]], onBad, {
    callsigns: async (audio) => {
      const info = `${withoutSuffix(audio)}.info`;
      return known.has(info) ? callsignsNearby(await readText(join(root, info))) : [];
    },
  });
}

/** Behind "callsigns nearby:" up to a blank line: "BLA131 : All Charter One Three One" a line, or several codes in one. */
function callsignsNearby(info: string): string[] {
  const [, list] = info.split(/^callsigns nearby:/mu);
  if (list === undefined) return [];
  const lines = list.replace(/^[ \t]*\r?\n/u, '').split(/\r?\n/u);
  const end = lines.findIndex((line) => line.trim() === '');
  const codes = lines.slice(0, end < 0 ? undefined : end).flatMap((line) => (line.includes(':') ? line.trim().split(/[\s:]+/u).slice(0, 1) : line.trim().split(/\s+/u)));
  return codes.filter((code) => /^[A-Z0-9-]+$/iu.test(code));
}

/** Kaldi: wav.scp, text, and where they lie there segments, utt2speaker_callsign (or utt2speakerid) and utt2callsign_list. */
export async function* loadKaldi(root: string, onBad: OnBad): Items {
  const files = new Set(await filesIn(root));
  const table = async (name: string): Promise<Map<string, string>> => {
    const rows = new Map<string, string>();
    if (!files.has(name)) return rows;
    for await (const { text } of textLines(join(root, name))) {
      const [, key = '', value = ''] = /^(\S+)\s*(.*)$/u.exec(text.trim()) ?? [];
      rows.set(key, value);
    }
    return rows;
  };
  for (const name of ['wav.scp', 'text']) if (!files.has(name)) throw new HearbackError('not-found', `${join(root, name)} does not exist.`, { hint: 'A Kaldi data folder holds wav.scp, text and mostly segments.' });
  const [sounds, segments, speakers, nearby] = [await table('wav.scp'), await table('segments'), await table(files.has('utt2speaker_callsign') ? 'utt2speaker_callsign' : 'utt2speakerid'), await table('utt2callsign_list')];
  for await (const { line, text: row } of textLines(join(root, 'text'))) {
    const bad = (why: string): void => { onBad({ where: 'text', line, why }); }; // prettier-ignore
    const [, key = '', words = ''] = /^(\S+)\s*(.*)$/u.exec(row.trim()) ?? [];
    const [recording = key, from, to] = files.has('segments') ? (segments.get(key)?.split(/\s+/u) ?? []) : [key];
    const file = sounds.get(recording);
    if (files.has('segments') && !segments.has(key)) bad(`segments has no "${key}"`);
    else if (file === undefined) bad(`wav.scp has no "${recording}"`);
    else if (file.endsWith('|')) bad(`the sound of "${recording}" is a command; only files are read`);
    else {
      const [start, end] = [Number(from), Number(to)];
      if (from !== undefined && !(start >= 0 && end > start)) {
        bad(`the segment "${key}" ends at ${to ?? 'no time'} and begins at ${from}`);
        continue;
      }
      const who = speakers.get(key)?.split(/[\s;]/u)[0] ?? '';
      const role = roleOf(who);
      const item = speechItem(root, file, recording, { text: words, ...(from === undefined ? {} : { start, end }), ...(role === undefined ? {} : { role }) }, nearby.get(key)?.split(/\s+/u).filter((code) => code !== '') ?? []);
      if (typeof item === 'string') bad(item);
      else yield item;
    }
  }
}
