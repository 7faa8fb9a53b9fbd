/**
 * What the words look like: fillers, number formats, numbers that no value explains.
 */
import type { Span, Understanding } from '../domain/understanding.js';

/**
 * Hesitations and padding that make a right readback FILLER_CORRECT (K.8: uh, ehm, er, um, ah). Greetings and
 * acknowledgements are courtesy, not fillers.
 */
const FILLERS: ReadonlySet<string> = new Set(['uh', 'uhm', 'um', 'umm', 'er', 'err', 'erm', 'ah', 'ahh', 'eh', 'ehm', 'hm', 'hmm', 'mm', 'okay', 'ok', 'well', 'yeah', 'alright', 'so', 'hes', 'like']);

/** A hesitation or a padding word. */
export const isFiller = (word: string): boolean => FILLERS.has(word);

/** Lower case, letters and digits only, one spelling for one sound. */
export function plainWord(text: string): string {
  const word = plain(text);
  return SAME_SOUND[word] ?? word;
}

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9.]/g, '').replace(/^\.+|\.+$/g, '');

/** The first filler of a readback, or null. */
export function hasFiller(readback: Understanding): string | null {
  for (const position of readback.fillers) {
    const word = plain(readback.words[position]?.text ?? '');
    if (FILLERS.has(word)) return word === 'hes' ? 'uh' : word;
  }
  // hesitations count wherever they stand, also inside a value
  for (const { text } of readback.words) {
    const word = plain(text);
    if (/^(u+h+m*|u+m+|e+r+m*|a+h+|e+h+m*|h+m+)$/.test(word)) return word;
  }
  return null;
}

const SAME_SOUND: Readonly<Record<string, string>> = { niner: 'nine', tree: 'three', fife: 'five', fower: 'four', ait: 'eight', dayseemal: 'decimal', wun: 'one', too: 'two' };
const NUMBER_WORD =
  /^(zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|decimal|point|triple|double|\d[\d.,]*[a-z]?|fl\d*)$/;

const SPELLED = /^(alfa|alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whisk[e]?y|x-?ray|yankee|zulu)$/;

/** A digit, a number or a letter of the alphabet: what a flight number or a registration is made of. */
export const isNumberWord = (text: string): boolean => {
  const word = plain(text);
  return NUMBER_WORD.test(SAME_SOUND[word] ?? word) || SPELLED.test(word);
};

/** What a digit, number or alphabet word spells: "six" → "6", "juliett" → "J", "690j" → "690J". */
export function spelled(word: string): string {
  const digit = DIGIT[word] ?? TEENS[word] ?? (TENS[word] === undefined ? undefined : `${TENS[word]}0`);
  if (digit !== undefined) return digit;
  return /^\d/.test(word) ? word.replace(/[^a-z0-9]/g, '').toUpperCase() : word.charAt(0).toUpperCase();
}

/** The number words of a span as said, with spelling variants of one sound made equal. */
function numberWords(understanding: Understanding, [from, to]: Span): readonly string[] {
  const words: string[] = [];
  for (let i = from; i < to; i++) {
    for (const raw of (understanding.words[i]?.text ?? '').split(/[-_\s]+/)) {
      const word = plain(raw);
      const same = SAME_SOUND[word] ?? word;
      if (NUMBER_WORD.test(same)) words.push(same);
    }
  }
  return words;
}

/** Whether two spans with the same value say their digits in the same way. */
export function sameNumberFormat(one: Understanding, span: Span, other: Understanding, otherSpan: Span): boolean {
  const a = numberWords(one, span);
  const b = numberWords(other, otherSpan);
  // "flight level" shortened to "FL" is a format as well; leaving a carrier word out is not
  return a.join(' ') === b.join(' ');
}

/** Digits-like words that stand in no value, callsign, condition or command: something was said that was not understood. */
export function unparsedNumbers(understanding: Understanding): readonly number[] {
  const covered = new Set<number>(understanding.fillers);
  const cover = ([from, to]: Span): void => {
    for (let i = from; i < to; i++) covered.add(i);
  };
  for (const item of understanding.items) cover(item.span);
  for (const command of understanding.commands) cover(command.span);
  for (const condition of understanding.conditions) cover(condition.span);
  for (const candidate of understanding.callsign_candidates) cover(candidate.span);
  for (const span of understanding.retracted) cover(span);
  const found: number[] = [];
  understanding.words.forEach(({ text }, i) => {
    const word = plain(text);
    if (!covered.has(i) && /^(zero|one|two|three|four|five|six|seven|eight|nine|niner|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|\d[\d.]*)$/.test(word)) found.push(i);
  });
  return found;
}

/** Words that carry no meaning of their own in a condition or a name. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['the', 'a', 'an', 'of', 'to', 'at', 'and', 'then', 'your', 'you', 'my', 'via', 'on', 'for', 'in', 'is', 'are', 'be', 'by', 'till', 'until', 'holding', 'point', 'position', 'stand', 'gate', 'taxiway', 'time', 'uh', 'um', 'er', 'ah', 'hes']);

/**
 * Where a readback says the meaningful words of a span again, in the same order without other words between; null when it does not
 * or when there are no such words. For names and conditions, whose words a parser may not know; never for numbers alone.
 */
export function saysLiterally(instruction: Understanding, [from, to]: Span, readback: Understanding): [number, number] | null {
  const words = (understanding: Understanding, a: number, b: number): { word: string; at: number }[] =>
    understanding.words
      .slice(a, b)
      .map(({ text }, i) => ({ word: SAME_SOUND[plain(text)] ?? plain(text), at: a + i }))
      .filter(({ word }) => word !== '' && !EMPTY_WORDS.has(word));
  const wanted = words(instruction, from, to);
  if (wanted.length === 0 || wanted.every(({ word }) => NUMBER_WORD.test(word))) return null;
  const said = words(readback, 0, readback.words.length);
  for (let i = 0; i + wanted.length <= said.length; i++) {
    if (wanted.some(({ word }, j) => word !== said[i + j]?.word)) continue;
    const first = said[i];
    const last = said[i + wanted.length - 1];
    if (first !== undefined && last !== undefined) return [first.at, last.at + 1];
  }
  return null;
}

/** Words after which a value follows: a transmission that ends with one was cut off. */
const CARRIERS: ReadonlySet<string> = new Set(['runway', 'heading', 'level', 'decimal', 'point', 'squawk', 'qnh', 'altimeter', 'frequency', 'altitude', 'speed']);

/** Marks of transcribers for what they could not write down; a hesitation is not one. */
const UNWRITTEN = /^[<[(](?!\/?hes)[^>\])]*[>\])][.,;:!?]*$/i;

/** Where a text shows that words are lost: a word fragment or a carrier word without its value at an end, a mark for unreadable speech inside. */
export function cutEnds(understanding: Understanding): { readonly start: boolean; readonly end: boolean; readonly inside: boolean } {
  const texts = understanding.words.map((w) => w.text);
  const first = texts[0] ?? '';
  const last = texts.at(-1) ?? '';
  return { start: /^-\w/.test(first), end: /\w-$/.test(last) || CARRIERS.has(plain(last)), inside: texts.some((t) => UNWRITTEN.test(t)) };
}

const DIGIT: Readonly<Record<string, string>> = { zero: '0', oh: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9' };

/** Longest runs of single digits in a text, as [from, to) with their digits; "decimal" and "point" do not break a run. */
export function digitRuns(understanding: Understanding): readonly { readonly span: Span; readonly digits: string }[] {
  const runs: { span: Span; digits: string }[] = [];
  let from = -1;
  let digits = '';
  const close = (at: number): void => {
    if (digits !== '') runs.push({ span: [from, at], digits });
    digits = '';
    from = -1;
  };
  understanding.words.forEach(({ text }, i) => {
    const word = plainWord(text);
    const digit = DIGIT[word];
    if (digit !== undefined) {
      if (digits === '') from = i;
      digits += digit;
    } else if (digits === '' || !(word === 'decimal' || word === 'point')) close(i);
  });
  close(understanding.words.length);
  return runs;
}

const TENS: Readonly<Record<string, string>> = { twenty: '2', thirty: '3', forty: '4', fifty: '5', sixty: '6', seventy: '7', eighty: '8', ninety: '9' };
const TEENS: Readonly<Record<string, string>> = { ten: '10', eleven: '11', twelve: '12', thirteen: '13', fourteen: '14', fifteen: '15', sixteen: '16', seventeen: '17', eighteen: '18', nineteen: '19' };

/** Runs of number words of any form, written digits included, as [from, to) with the digits that they show. `skip`: positions that end a run. */
export function numberRuns(understanding: Understanding, skip?: ReadonlySet<number>): readonly { readonly span: Span; readonly digits: string }[] {
  const runs: { span: Span; digits: string }[] = [];
  let from = -1;
  let digits = '';
  let tens = false;
  const close = (at: number): void => {
    if (digits !== '') runs.push({ span: [from, at], digits });
    digits = '';
    tens = false;
  };
  understanding.words.forEach(({ text }, i) => {
    const word = plainWord(text);
    const written = /^\d[\d.]*$/.test(word) ? word.replace(/\./g, '') : undefined;
    const shown = DIGIT[word] ?? TEENS[word] ?? written;
    if (skip?.has(i) === true) close(i);
    else if (shown !== undefined || TENS[word] !== undefined) {
      if (digits === '') from = i;
      // "forty two" shows 42, "forty" alone 40
      if (tens && shown?.length === 1 && shown !== '0') digits = digits.slice(0, -1);
      digits += shown ?? `${TENS[word] ?? ''}0`;
      tens = TENS[word] !== undefined;
    } else if (word === 'thousand' || word === 'hundred') {
      if (digits !== '') digits += word === 'thousand' ? '000' : '00';
      tens = false;
    } else if (digits === '' || !(word === 'decimal' || word === 'point')) close(i);
  });
  close(understanding.words.length);
  return runs;
}
