/**
 * Labels of real transmissions without their words: line numbers and word positions of a data file that is not part of the product.
 */
import { z } from 'zod';
import { designatorsOf } from '../../phraseology/index.js';
import { compareCallsigns } from '../../domain/callsigns.js';

/** One line of the data file; what is not named here is passed over. */
export const RealTransmission = z.object({
  id: z.string(),
  recording: z.string(),
  start: z.number(),
  end: z.number(),
  speaker: z.string(),
  text: z.string(),
  callsigns: z.array(z.string()),
  hyp: z.record(z.string(), z.string()).optional(),
});
export type RealTransmission = z.infer<typeof RealTransmission>;

const Line = z.number().int().positive();
const Sides = z.tuple([z.array(Line), z.array(Line)]);

/** Labels by hand. All numbers are lines of the data file (the first is 1), or word positions counted from 0. */
export const RealGold = z.object({
  about: z.string(),
  lines: z.number().int(),
  /** Of the data file that the labels belong to. */
  sha256: z.string(),
  /** Where the speaker label says nothing or contradicts the words; `unsaid`: the words alone do not tell who speaks. */
  role: z.object({ controller: z.array(Line), pilot: z.array(Line), unsaid: z.array(Line) }),
  /** Where the callsign's words stand: [line, from, to). `none`: there are none; `unsaid`: what is there cannot be read surely. */
  callsign: z.object({ unsaid: z.array(Line), none: z.array(Line), at: z.array(z.tuple([Line, z.number().int(), z.number().int()])) }),
  /** [instruction, readback, how the readback is]: right; wrong (something that must come back is wrong or missing); unclear (people may differ). */
  exchanges: z.array(z.tuple([z.array(Line), z.array(Line), z.enum(['right', 'wrong', 'unclear'])])),
  /** Answers to questions, reports and information: to pair them or not is no fault. */
  neither: z.array(Sides),
});
export type RealGold = z.infer<typeof RealGold>;

/** What a corpus label says: "ATCO …" controller, "UNK…", "Crosstalk" or nothing unknown, anything else (a callsign, "pilot") pilot. */
export function labelledRole(speaker: string): 'controller' | 'pilot' | 'unknown' {
  if (/^ATCO/u.test(speaker)) return 'controller';
  return speaker === '' || /^(UNK|Crosstalk)/u.test(speaker) ? 'unknown' : 'pilot';
}

const DIGITS: Readonly<Record<string, string>> = { zero: '0', one: '1', two: '2', three: '3', tree: '3', four: '4', five: '5', fife: '5', six: '6', seven: '7', eight: '8', nine: '9', niner: '9' };
const LETTERS = ['alfa', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett', 'kilo', 'lima', 'mike', 'november', 'oscar', 'papa', 'quebec', 'romeo', 'sierra', 'tango', 'uniform', 'victor', 'whiskey', 'x-ray', 'yankee', 'zulu'];
const OTHER_SPELLINGS: Readonly<Record<string, string>> = { alpha: 'A', juliet: 'J', xray: 'X', whisky: 'W' };

function characterOf(word: string): string | undefined {
  if (DIGITS[word] !== undefined) return DIGITS[word];
  if (OTHER_SPELLINGS[word] !== undefined) return OTHER_SPELLINGS[word];
  return LETTERS.includes(word) ? word.charAt(0).toUpperCase() : undefined;
}

/**
 * The callsigns that exactly these words name, apart from the product's own parser: an operator by each designator that its name has, or
 * its name itself; then letters and digits as spelt. Empty when a word is neither.
 */
export function namedBy(said: readonly string[]): readonly string[] {
  const words = said.map((word) => word.toLowerCase()).filter((word) => !/^[<[]/u.test(word) && !['heavy', 'super', 'heli', 'helicopter'].includes(word));
  const tripled = words.flatMap((word, i) => {
    if (word === 'triple' || word === 'double') return [];
    const times = words[i - 1] === 'triple' ? 3 : words[i - 1] === 'double' ? 2 : 1;
    return Array.from({ length: times }, () => word);
  });
  const first = tripled.findIndex((_, i) => tripled.slice(i).every((word) => characterOf(word) !== undefined));
  if (first < 0) return [];
  const number = tripled.slice(first).map(characterOf).join('');
  if (first === 0) return [number];
  const name = tripled.slice(0, first).join(' ').replaceAll('_', ' ');
  return [...designatorsOf(name).map((code) => code + number), ...designatorsOf(name.replaceAll(' ', '')).map((code) => code + number), name.replaceAll(' ', '').toUpperCase() + number];
}

/**
 * Whether a callsign that was read is the one that the words name: the same, or a longer one that they shorten (heard in full before).
 * With a traffic list: the one listed aircraft that fits, if one fits exactly; one of several that fit; or any listed one that may be
 * meant where none fits exactly.
 */
export function isNamed(read: string | null, named: readonly string[], listed: readonly string[] = []): boolean {
  if (read === null) return false;
  const fitting = listed.filter((aircraft) => named.some((name) => ['same', 'short'].includes(compareCallsigns(name, aircraft))));
  const same = fitting.filter((aircraft) => named.includes(aircraft));
  if (same.length > 0) return same.includes(read);
  if (fitting.length === 1) return fitting[0] === read;
  if (listed.includes(read)) return named.some((name) => compareCallsigns(name, read) !== 'different');
  return named.some((name) => name === read || (read.length > name.length && compareCallsigns(name, read) === 'short'));
}
