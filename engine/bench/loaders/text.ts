/**
 * Text files as labelled corpora have them: encodings, lines, and the marks of those who wrote them down. The same rules as
 * training/adapt/layouts.py, so that a model is measured on what it was adapted with.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { HearbackError, toHearbackError } from '../../domain/result.js';

/** Lines of a UTF-8 file with their numbers from 1, one at a time; blank ones left out. @throws HearbackError not-found, unreadable */
export async function* textLines(path: string): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  const stream = createReadStream(path);
  // a failure to open has to be heard before readline attaches, which would lose it
  const failure: { error?: unknown } = {};
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  stream.once('error', (error) => {
    failure.error = error;
    lines.close();
  });
  let line = 0;
  for await (const raw of lines) {
    line++;
    const text = line === 1 ? raw.replace(/^\uFEFF/u, '') : raw;
    if (text.trim() !== '') yield { line, text };
  }
  if (failure.error !== undefined) throw unreadable(path, failure.error);
}

/** JSON lines: a value, or why the line holds none. */
export async function* jsonLines(path: string): AsyncGenerator<{ readonly line: number; readonly value?: unknown; readonly why?: string }> {
  for await (const { line, text } of textLines(path)) {
    try {
      yield { line, value: JSON.parse(text) as unknown };
    } catch (thrown) {
      yield { line, why: `it is not JSON (${toHearbackError(thrown).message})` };
    }
  }
}

export function unreadable(path: string, thrown: unknown): HearbackError {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOENT') return new HearbackError('not-found', `${path} does not exist.`, { hint: 'Check the name and the folder.' });
  return new HearbackError('unreadable', `${path} cannot be read${code === '' ? '' : ` (${code})`}.`, { cause: thrown });
}

/** A whole text file: UTF-8, UTF-16 with its mark, else Windows-1250 (UWB-ATCC). */
export async function readText(path: string): Promise<string> {
  let raw: Buffer;
  try {
    raw = await readFile(path);
  } catch (thrown) {
    throw unreadable(path, thrown);
  }
  const label = raw[0] === 0xff && raw[1] === 0xfe ? 'utf-16le' : raw[0] === 0xfe && raw[1] === 0xff ? 'utf-16be' : undefined;
  if (label !== undefined) return new TextDecoder(label).decode(raw);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return new TextDecoder('windows-1250').decode(raw);
  }
}

const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
/** One spelling each, as the recogniser writes it. */
const SAME = new Map(Object.entries({ centre: 'center', ok: 'okay', niner: 'nine', tree: 'three', fife: 'five', fower: 'four', alpha: 'alfa', juliet: 'juliett', xray: 'x-ray', affirmative: 'affirm', metre: 'meter', metres: 'meters', 'good-bye': 'goodbye' }));
/** Marks for speech that nobody could make out. */
const UNHEARD = /\[(?:unintelligible|unk|unclear|unknown|fragment|xt|nonsense)[^\]]*\]|<unk>|\(unknown\)|<spoken_noise>|\*\*\*|\?\?\?/iu;

/**
 * Lower-case words as the recogniser writes them; undefined where a part was not understood by whoever wrote it down. Marks are taken away,
 * figures are read one by one ("120.5": one two zero decimal five), spellings are made one.
 */
export function spokenWords(text: string): string | undefined {
  if (UNHEARD.test(text)) return undefined;
  const plain = text
    .replace(/<FL>.*?<\/FL>|<OT>.*?<\/OT>/gu, ' ')
    .replace(/\[\/?#?[^\]]*\]|<\/?[^>]+>/gu, ' ')
    // (WRITTEN(spoken))
    .replace(/\(([^()]+?)\s*\([^()]*\)\)/gu, '$1')
    // letters of an abbreviation: ~k ~l ~m
    .replace(/~([a-z])(?:\s+(?=~)|)/giu, '$1')
    .replace(/[@=]/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/(?<=\d)[.,](?=\d)/gu, ' decimal ')
    .replace(/\d/gu, (figure) => ` ${DIGITS[Number(figure)] ?? ''} `)
    .replace(/[^\p{L}'\- ]/gu, ' ');
  return plain
    .split(/\s+/u)
    .map((word) => word.replace(/^[-']+|[-']+$/gu, ''))
    .filter((word) => word !== '')
    .map((word) => SAME.get(word) ?? word)
    .join(' ');
}
