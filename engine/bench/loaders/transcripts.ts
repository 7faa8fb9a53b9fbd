/**
 * What stands beside a recording: its words, in the forms in which corpora give them. Each reader takes a file apart into stretches and says
 * by line what it cannot use.
 */
import { SaxesParser } from 'saxes';
import { toHearbackError } from '../../domain/result.js';
import { readText } from './text.js';

/** Words of a stretch as their publisher wrote them. Seconds; left out: the whole file. */
export interface Stretch {
  readonly line?: number;
  readonly text: string;
  readonly start?: number;
  readonly end?: number;
  readonly role?: 'controller' | 'pilot';
  /** Not in English. */
  readonly foreign?: boolean;
}
/** Something in the file that cannot be used. */
export interface Unusable {
  readonly line?: number;
  readonly why: string;
}
export type Found = Stretch | Unusable;

export const isUnusable = (found: Found): found is Unusable => 'why' in found;

const number = (text: string | undefined): number | undefined => (text === undefined || text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text));

/** Times that make no stretch of a recording. */
function times(start: number | undefined, end: number | undefined): string | undefined {
  if (start === undefined || end === undefined) return 'it has no start or no end';
  return start < 0 || end <= start ? `it ends at ${String(end)} s and begins at ${String(start)} s` : undefined;
}

/** The words of the whole file. */
export async function readTxt(path: string): Promise<Found[]> {
  return [{ text: (await readText(path)).replace(/\s+/gu, ' ').trim() }];
}

/** NIST segment time mark: file channel speaker start end [<labels>] words; ";;" begins a remark. */
export async function readStm(path: string): Promise<Found[]> {
  return (await readText(path)).split(/\r?\n/u).flatMap((raw, i): Found[] => {
    if (raw.trim() === '' || raw.startsWith(';;')) return [];
    const line = i + 1;
    const [, , speaker = '', from, to, ...rest] = raw.trim().split(/\s+/u);
    const [start, end] = [number(from), number(to)];
    const wrong = times(start, end);
    if (start === undefined || end === undefined || wrong !== undefined) return [{ line, why: number(from) === undefined || number(to) === undefined ? 'it is not `file channel speaker start end words`' : (wrong ?? '') }];
    const words = rest[0]?.startsWith('<') === true && rest[0].endsWith('>') ? rest.slice(1) : rest;
    const role = roleOf(speaker);
    return [{ line, text: words.join(' '), start, end, ...(role === undefined ? {} : { role }) }];
  });
}

/** Praat TextGrid, long or short form; intervals without words are pauses. */
export async function readTextGrid(path: string): Promise<Found[]> {
  // points have no length: their tiers are blanked, so that lines stay what they are
  const content = (await readText(path)).replace(/"TextTier"[^]*?(?="IntervalTier"|$)/gu, (tier) => tier.replace(/[^\r\n]/gu, ' '));
  if (!content.includes('ooTextFile')) return [{ line: 1, why: 'it is no TextGrid: "ooTextFile" is missing' }];
  const found: Found[] = [];
  // interval tiers: two times and a text in quotation marks, with or without their names; a quotation mark inside is doubled
  const interval = /(?:xmin = )?(-?[\d.]+)[ \t]*\r?\n\s*(?:xmax = )?(-?[\d.]+)[ \t]*\r?\n\s*(?:text = )?"((?:[^"]|"")*)"/gu;
  for (const match of content.matchAll(interval)) {
    const [, from = '', to = '', words = ''] = match;
    if (words.trim() === '') continue;
    const line = content.slice(0, match.index).split('\n').length;
    const [start, end] = [number(from), number(to)];
    const wrong = times(start, end);
    if (start === undefined || end === undefined || wrong !== undefined) found.push({ line, why: wrong ?? '' });
    else found.push({ line, text: words.replaceAll('""', '"').replace(/\s+/gu, ' ').trim(), start, end });
  }
  return found;
}

/** Walks XML; says at which line it is broken, after which nothing more is told. */
function walk(content: string, on: { open: (name: string, attributes: Readonly<Record<string, string>>, line: number) => void; text: (text: string) => void; close: (name: string) => void }): Unusable | undefined {
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => { on.open(name, attributes, parser.line); }); // prettier-ignore
  parser.on('text', on.text);
  parser.on('closetag', ({ name }) => { on.close(name); }); // prettier-ignore
  parser.on('error', (error) => { throw error; }); // prettier-ignore
  try {
    // what the file was encoded in is known by now
    parser.write(content.replace(/^(\s*<\?xml[^>]*?)\s+encoding=(?:"[^"]*"|'[^']*')/u, '$1')).close();
    return undefined;
  } catch (thrown) {
    return { line: parser.line, why: `the XML is broken from here (${toHearbackError(thrown).message.replace(/^\d+:\d+: /u, '')})` };
  }
}

/** ATCO2: <segment> with start, end, speaker, speaker_label, text and tags (correct_transcript, non_english). */
export async function readAtco2Xml(path: string): Promise<Found[]> {
  const found: Found[] = [];
  let segment: { line: number; fields: Record<string, string> } | undefined;
  const open: string[] = [];
  const broken = walk(await readText(path), {
    open: (name, _, line) => {
      open.push(name);
      if (name === 'segment') segment = { line, fields: {} };
    },
    text: (text) => {
      const name = open.at(-1);
      if (segment !== undefined && name !== undefined) segment.fields[name] = (segment.fields[name] ?? '') + text;
    },
    close: (name) => {
      open.pop();
      if (name !== 'segment' || segment === undefined) return;
      const { line, fields } = segment;
      segment = undefined;
      const [start, end] = [number(fields['start']), number(fields['end'])];
      const wrong = times(start, end);
      const role = roleOf(fields['speaker_label'] ?? '') ?? roleOf(fields['speaker'] ?? '');
      if (start === undefined || end === undefined || wrong !== undefined) found.push({ line, why: wrong ?? '' });
      else if (fields['correct_transcript']?.trim() === '0') found.push({ line, why: 'its publisher marks the transcript as not correct' });
      else found.push({ line, text: pronounced(fields['text'] ?? ''), start, end, ...(role === undefined ? {} : { role }), ...(['', '0'].includes((fields['non_english'] ?? '').trim()) && !/^\s*\[NE\b.*\[\/NE\]\s*$/iu.test(fields['text'] ?? '') ? {} : { foreign: true }) });
    },
  });
  if (broken !== undefined) found.push(broken);
  else if (found.length === 0) found.push({ line: 1, why: 'it has no <segment>' });
  return found;
}

/** What was said in place of what was meant: "Lufthansa(-hansa)", "04R(zero four right)". */
const pronounced = (text: string): string => text.replace(/[^\s(]*[^\s_(]\((-?[\p{L} ]+-?)\)/gu, '$1');

/** Transcriber (UWB-ATCC): the words of a <Turn> follow its <Sync time="…"/> marks. */
export async function readTrs(path: string): Promise<Found[]> {
  const found: Found[] = [];
  let at: { line: number; start: number | undefined; text: string } | undefined;
  let endOfTurn: number | undefined;
  const finish = (end: number | undefined): void => {
    if (at !== undefined && at.text.trim() !== '') {
      const { line, start } = at;
      const wrong = times(start, end);
      if (start === undefined || end === undefined || wrong !== undefined) found.push({ line, why: wrong ?? '' });
      else found.push({ line, ...uwbText(at.text), start, end });
    }
    at = undefined;
  };
  const broken = walk(await readText(path), {
    open: (name, attributes, line) => {
      if (name === 'Turn') endOfTurn = number(attributes['endTime']);
      if (name !== 'Sync') return;
      const start = number(attributes['time']);
      finish(start);
      at = { line, start, text: '' };
    },
    text: (text) => {
      if (at !== undefined) at.text += text;
    },
    close: (name) => {
      if (name === 'Turn') finish(endOfTurn);
    },
  });
  if (broken !== undefined) found.push(broken);
  else if (found.length === 0) found.push({ line: 1, why: 'no words stand behind any <Sync>' });
  return found;
}

const LETTERS = 'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray yankee zulu'.split(' ');

/**
 * UWB-ATCC: [ground] or [air], or [ground_|] … [|_ground] around the words of a side, tell who speaks; Czech and other foreign words and remarks
 * stand in pairs of their own; a capital alone is a letter of the alphabet, (WRITTEN(spoken)) what is written for what was said.
 */
function uwbText(raw: string): { text: string; role?: 'controller' | 'pilot'; foreign?: boolean } {
  const [ground, air] = [/\[\|?_?ground(?:_\|)?\]/u.test(raw), /\[\|?_?air(?:_\|)?\]/u.test(raw)];
  const foreign = /\[(?:no_eng|czech)(?:_\|)?\]/u.test(raw);
  const text = raw
    .replace(/\[(no_eng|czech|comment)_\|\].*?\[\|_\1\]/gsu, ' ')
    // words inside these were understood all the same
    .replace(/\[(?:unintelligible_\||\|_unintelligible)\]/gu, ' ')
    .replace(/\[ehm_\?*\]/gu, ' ')
    .replace(/\(([^()]+?)\s*\([^()]*\)\)/gu, ' $1 ')
    .replace(/\bRWY\b/gu, 'runway')
    .replace(/\bFL\b/gu, 'flight level')
    .replace(/(?<![\p{L}'])[A-Z](?![\p{L}'])/gu, (letter) => LETTERS[letter.charCodeAt(0) - 65] ?? letter)
    .replace(/[?+]/gu, ' ');
  return { text: text.replace(/\s+/gu, ' ').trim(), ...(ground !== air ? { role: ground ? 'controller' : 'pilot' } : {}), ...(foreign ? { foreign } : {}) };
}

/** Who speaks, where a label says so; undefined otherwise. */
export function roleOf(label: string): 'controller' | 'pilot' | undefined {
  const text = label.trim();
  if (/^(?:ATCO|controller|ground|tower|approach|radar|apron|delivery|director|center|centre)\b|\b(?:tower|approach|radar|apron|ground|delivery|director|center|centre)$/iu.test(text)) return 'controller';
  // a pilot is labelled with the callsign
  if (/^(?:pilot|air)\b/iu.test(text) || /^(?=.*\d)[A-Z]{2,3}-?[A-Z0-9]{1,5}$|^[A-Z]{1,2}-[A-Z]{3,4}$/u.test(text)) return 'pilot';
  return undefined;
}
