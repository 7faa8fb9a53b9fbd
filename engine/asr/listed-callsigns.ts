/**
 * Where a text may hold a callsign of the traffic list that was written otherwise, and what would have to stand there. Pure: words only.
 * Which of the candidates the audio bears out is asked of the decoder (context-bias.ts).
 *
 * Two kinds are told apart, because they are not equally harmless. A name before the right letters and digits ("luft answer three two
 * eight" with DLH328 on the list) is a misspelling. A digit or a name that says something else ("lufthansa three two five", "swiss three
 * two eight") may be another aircraft's callsign, or a wrong one, which is what the product looks for.
 */
import { DECIMAL_WORDS, designatorsOf, DIGIT_NAMES, DIGIT_WORDS, isPhraseWord, LETTER_NAMES, LETTER_WORDS, likeness, TEEN_WORDS, telephonyNames, TENS_WORDS } from '../phraseology/index.js';

/** Words [from, to) of a text that may have been `words`. */
export interface Rewording {
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
  /** 0…1: how alike the two are by spelling; for choosing what to ask first. */
  readonly likeness: number;
}

/** … of a listed callsign. */
export interface Replacement extends Rewording {
  readonly callsign: string;
  /** True when what was written says something else, so that only equal evidence may change it. */
  readonly contradicts: boolean;
}

/** Words that say what a number is. What stands behind them is a value, and no callsign is looked for in it. */
const CARRIERS: ReadonlySet<string> = new Set([
  ...['heading', 'level', 'runway', 'squawk', 'qnh', 'altimeter', 'speed', 'mach', 'flight', 'altitude', 'wind', 'degrees', 'hundred', 'thousand', 'knots', 'feet', 'hectopascals', 'frequency', 'taxiway', 'stand', 'gate', 'point', 'via'],
  ...['information', 'holding', 'ils', 'rnav', 'rnp', 'vor', 'intersection', 'number', 'miles', 'minutes', 'at', 'spot', 'code', 'climb', 'descend', 'maintain', 'maintaining', 'turn', 'left', 'right', 'center', 'centre'],
  ...DECIMAL_WORDS,
]);

const AIRLINE = /^([A-Z]{3})(\d[A-Z0-9]*)$/u;

/** Letter or digits of one word, '' for other words; tens leave their last digit open ('2_'). */
function charsOf(word: string): string {
  const tens = TENS_WORDS.get(word);
  return DIGIT_WORDS.get(word) ?? TEEN_WORDS.get(word) ?? LETTER_WORDS.get(word) ?? (tens === undefined ? '' : `${tens}_`);
}

/** "four twenty one" → "421", "three alfa" → "3A". */
const joined = (words: readonly string[]): string => words.map(charsOf).join('').replace(/_(?=\d)/gu, '').replace(/_/gu, '0');

const spoken = (char: string): string => (/\d/u.test(char) ? (DIGIT_NAMES[Number(char)] ?? char) : (LETTER_NAMES[char] ?? char.toLowerCase()));

/** How many words a name takes at most, as heard: a name of one word may come as three. */
const NAME_WORDS = 3;
/** Fewer letters and digits behind a name are in too many callsigns. */
const LEAST_CHARS = 2;
/** A registration is only looked for by at least this many. */
const LEAST_LETTERS = 4;

/** Words of the phraseology that are as like a name as this may be the name ("proceed bird" for "speedbird"). */
const ALIKE = 0.6;

interface Listed {
  readonly callsign: string;
  readonly names: readonly string[];
  readonly chars: string;
}

const normalised = (callsign: string): string => callsign.toUpperCase().replace(/[^A-Z0-9]/gu, '');

function listedOf(callsigns: readonly string[]): Listed[] {
  return [...new Set(callsigns.map(normalised))].filter((callsign) => callsign.length >= 3).map((callsign) => {
    const airline = AIRLINE.exec(callsign);
    const names = airline === null ? [] : telephonyNames(airline[1] ?? '');
    return { callsign, names, chars: names.length > 0 ? (airline?.[2] ?? '') : callsign };
  });
}

/** The stretches of letters and digits in the text: [from, to). */
function runsOf(words: readonly string[]): { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  words.forEach((word, at) => {
    if (charsOf(word) === '') return;
    const last = runs.at(-1);
    if (last?.to === at) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  });
  return runs;
}

/** True when the text already has a listed callsign there, in full or shortened to its last letters and digits. */
const says = ({ names, chars }: Listed, name: string, said: string): boolean =>
  names.length === 0 ? said.length > LEAST_CHARS && chars.endsWith(said) : names.includes(name) && (isHead(chars, said) || (said.length >= LEAST_CHARS && chars.endsWith(said)));

/** A flight number may run into the digits of a value, which has at least this many. */
const VALUE_CHARS = 3;
const isHead = (chars: string, said: string): boolean => chars === said || (said.startsWith(chars) && said.length >= chars.length + VALUE_CHARS);

/**
 * All places where a listed callsign may have been written otherwise. Empty where the text has listed callsigns as they are spoken.
 *
 * @param words lower-case words of the text
 * @param callsigns ICAO form: "DLH328", "OKPMB"
 */
export function replacementsOf(words: readonly string[], callsigns: readonly string[]): Replacement[] {
  const listed = listedOf(callsigns);
  const found: Replacement[] = [];
  for (const run of runsOf(words)) {
    const before = words.slice(Math.max(0, run.from - NAME_WORDS), run.from);
    const said = joined(words.slice(run.from, run.to));
    // the names that may stand before the run, longest first: "luft answer", "answer"
    const heads = before.map((_, at) => before.slice(at).join(' '));
    if (listed.some((entry) => ['', ...heads].some((head) => says(entry, head, said)))) continue;
    if (CARRIERS.has(before.at(-1) ?? '')) continue;
    for (const entry of listed) {
      found.push(...(entry.names.length > 0 ? otherNames(entry, words, run, said) : []), ...otherChars(entry, words, run, before));
    }
  }
  return found;
}

/** The letters and digits are those of the listed callsign, and what stands before them is not its name. */
function otherNames(entry: Listed, words: readonly string[], run: { readonly from: number; readonly to: number }, said: string): Replacement[] {
  if (!isHead(entry.chars, said) || entry.chars.length < LEAST_CHARS) return [];
  const found: Replacement[] = [];
  for (let length = 1; length <= NAME_WORDS && length <= run.from; length++) {
    const heard = words.slice(run.from - length, run.from);
    if (heard.some((word) => CARRIERS.has(word))) break;
    const text = heard.join(' ');
    for (const name of entry.names) {
      const alike = likeness(text, name);
      // another operator's name is more than a misspelling, and so are words of the phraseology unless they sound like the name
      const contradicts = designatorsOf(text).length > 0 || (heard.every(isPhraseWord) && alike < ALIKE);
      found.push({ callsign: entry.callsign, from: run.from - length, to: run.from, words: name.split(' '), contradicts, likeness: alike });
    }
  }
  return found;
}

/** The name is that of the listed callsign, or there is none, and one letter or digit is another. */
function otherChars(entry: Listed, words: readonly string[], run: { readonly from: number; readonly to: number }, before: readonly string[]): Replacement[] {
  const here = words.slice(run.from, run.to);
  // only where each word is one letter or digit does it show which word would have to change
  if (here.some((word) => charsOf(word).length !== 1)) return [];
  const named = entry.names.length === 0 ? entry.chars.length >= LEAST_LETTERS : before.some((_, at) => entry.names.includes(before.slice(at).join(' ')));
  const chars = here.map(charsOf).join('');
  if (!named || chars.length !== entry.chars.length) return [];
  const differing = Array.from(chars, (char, at) => (char === entry.chars[at] ? -1 : at)).filter((at) => at >= 0);
  const [at] = differing;
  if (at === undefined || differing.length > 1) return [];
  return [{ callsign: entry.callsign, from: run.from + at, to: run.from + at + 1, words: [spoken(entry.chars[at] ?? '')], contradicts: true, likeness: 1 - 1 / chars.length }];
}
