/**
 * What the words look like: fillers, number formats, numbers that no value explains.
 */
import type { Span, Understanding, ValueSlot, Verb } from '../domain/understanding.js';
import { DECIMAL_WORDS, DIGIT_WORDS, LETTER_WORDS, TEEN_WORDS, TENS_WORDS } from '../phraseology/index.js';

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

/** A number said in words or written ("six", "sixty", "118.3", "690j", "fl90"). */
const isFigureWord = (word: string): boolean =>
  DIGIT_WORDS.has(word) || TEEN_WORDS.has(word) || TENS_WORDS.has(word) || DECIMAL_WORDS.has(word) || /^(hundred|thousand|triple|double|\d[\d.,]*[a-z]?|fl\d*)$/.test(word);

/** A digit, a number or a letter of the alphabet: what a flight number or a registration is made of. */
export const isNumberWord = (text: string): boolean => {
  const word = plainWord(text);
  return isFigureWord(word) || LETTER_WORDS.has(word.replace('-', ''));
};

/** What a digit, number or alphabet word spells: "six" → "6", "juliett" → "J", "690j" → "690J". */
export function spelled(word: string): string {
  const digits = DIGIT_WORDS.get(word) ?? TEEN_WORDS.get(word) ?? (TENS_WORDS.has(word) ? `${TENS_WORDS.get(word) ?? ''}0` : undefined);
  if (digits !== undefined) return digits;
  return /^\d/.test(word) ? word.replace(/[^a-z0-9]/g, '').toUpperCase() : (LETTER_WORDS.get(word) ?? word.charAt(0).toUpperCase());
}

/** The number words of a span as said, with spelling variants of one sound made equal. */
function numberWords(understanding: Understanding, [from, to]: Span): readonly string[] {
  const words: string[] = [];
  for (let i = from; i < to; i++) {
    for (const raw of (understanding.words[i]?.text ?? '').split(/[-_\s]+/)) {
      const word = plain(raw);
      const same = SAME_SOUND[word] ?? word;
      if (isFigureWord(same)) words.push(same);
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
  const { fillers, items, commands, conditions, callsign_candidates: callsigns, retracted } = understanding;
  const covered = new Set([...fillers, ...positionsOf([...[...items, ...commands, ...conditions, ...callsigns].map(({ span }) => span), ...retracted])]);
  const found: number[] = [];
  understanding.words.forEach(({ text }, i) => {
    const word = plain(text);
    const figure = word !== 'oh' && (DIGIT_WORDS.has(word) || TEEN_WORDS.has(word) || TENS_WORDS.has(word));
    if (!covered.has(i) && (figure || /^(hundred|thousand|\d[\d.]*)$/.test(word))) found.push(i);
  });
  return found;
}

/** Words that carry no meaning of their own in a condition or a name. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['the', 'a', 'an', 'of', 'to', 'at', 'and', 'then', 'your', 'you', 'my', 'via', 'on', 'for', 'in', 'is', 'are', 'be', 'by', 'till', 'until', 'holding', 'point', 'position', 'stand', 'gate', 'taxiway', 'time', 'departure', 'arrival', 'uh', 'um', 'er', 'ah', 'hes']);

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
  if (wanted.length === 0 || wanted.every(({ word }) => isFigureWord(word))) return null;
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
const CARRIERS: ReadonlyMap<string, ValueSlot> = new Map([
  ['runway', 'runway'], ['heading', 'heading'], ['level', 'altitude'], ['flight', 'altitude'], ['altitude', 'altitude'], ['decimal', 'frequency'], ['point', 'frequency'], ['frequency', 'frequency'], ['squawk', 'squawk'], ['qnh', 'qnh'],
  ['altimeter', 'qnh'], ['speed', 'speed'],
]);

/** The same and verbs that want a value: half of one at the very end ("right head", "cleared to land run"). */
const HALVED: ReadonlyMap<string, ValueSlot> = new Map([...CARRIERS, ['climb', 'altitude'], ['climbing', 'altitude'], ['descend', 'altitude'], ['descending', 'altitude'], ['contact', 'frequency'], ['degrees', 'heading'], ['knots', 'speed'], ['squawking', 'squawk']]);

/** Verbs that a transmission does not end with: what they are about follows. */
const WANTING: ReadonlyMap<Verb, ValueSlot> = new Map<Verb, ValueSlot>([
  ['turn_left', 'heading'], ['turn_right', 'heading'], ['turn', 'heading'], ['fly_heading', 'heading'], ['climb', 'altitude'], ['descend', 'altitude'], ['maintain', 'altitude'], ['reduce_speed', 'speed'], ['increase_speed', 'speed'], ['contact', 'frequency'], ['monitor', 'frequency'], ['direct', 'waypoint'],
]);

/** Words that make a carrier word behind them whole: nothing has to follow. */
const NAMED_BY = /^(?:say|your|present|runway|this|that|the|new|same|own|current|assigned|report|confirm|normal|published|high|best|minimum|maximum|approach|clean|free|resume|active|clear|vacated|on|in)$/;

/** Marks of transcribers for what they could not write down; a hesitation is not one. */
const UNWRITTEN = /^[<[(](?!\/?hes)[^>\])]*[>\])][.,;:!?]*$/i;

/**
 * The end of a transmission was cut off: its last word is a fragment, a carrier word or half of one, or an order ("turn right") without what it is
 * about. `slot`: what was about to come, where that shows. Null: nothing says so.
 */
export function cutTail(understanding: Understanding): { readonly slot: ValueSlot | undefined } | null {
  const count = understanding.words.length;
  const last = plain(understanding.words[count - 1]?.text ?? '');
  if (/\w-$/.test(understanding.words[count - 1]?.text ?? '')) return { slot: undefined };
  const carrier = CARRIERS.get(last);
  // "say heading", "own speed", "on that heading" are whole
  if (carrier !== undefined) return NAMED_BY.test(plain(understanding.words[count - 2]?.text ?? '')) ? null : { slot: carrier };
  if (understanding.callsign_candidates.some((c) => c.span[1] >= count) || understanding.items.some((i) => i.span[1] >= count)) return null;
  const whole = last.length < 3 || HALVED.has(last) ? undefined : [...HALVED].find(([word]) => word.startsWith(last));
  if (whole !== undefined && !understanding.commands.some((c) => c.span[1] >= count)) return { slot: whole[1] };
  const order = understanding.commands.find((c) => c.span[1] >= count && c.items.length === 0);
  // "descending" by itself is a whole word of assent, "descend" is not
  if (order !== undefined) return /ing$/.test(last) || !WANTING.has(order.verb) || order.action === 'taxiway_instruction' ? null : { slot: WANTING.get(order.verb) };
  const before = plain(understanding.words[count - 2]?.text ?? '');
  return (last === 'left' || last === 'right') && count > 1 && !/^(all|thats|to|the|on|your)$/.test(before) && labelAt(understanding, count - 1) === 'O' ? { slot: 'heading' } : null;
}

/** Task 1 label of a word. */
function labelAt(understanding: Understanding, at: number): string | undefined {
  let position = 0;
  for (const chunk of understanding.tokens) {
    position += chunk.text.split(/\s+/).length;
    if (at < position) return chunk.label;
  }
  return undefined;
}

/** Where a text shows that words are lost: a fragment or the rest of an order at an end, a mark for unreadable speech inside. */
export function cutEnds(understanding: Understanding): { readonly start: boolean; readonly end: boolean; readonly inside: boolean } {
  const texts = understanding.words.map((w) => w.text);
  return { start: /^-\w/.test(texts[0] ?? ''), end: cutTail(understanding) !== null, inside: texts.some((t) => UNWRITTEN.test(t)) };
}

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
    const digit = DIGIT_WORDS.get(word);
    if (digit !== undefined) {
      if (digits === '') from = i;
      digits += digit;
    } else if (digits === '' || !(word === 'decimal' || word === 'point')) close(i);
  });
  close(understanding.words.length);
  return runs;
}

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
    const shown = DIGIT_WORDS.get(word) ?? TEEN_WORDS.get(word) ?? written;
    const ten = TENS_WORDS.get(word);
    if (skip?.has(i) === true) close(i);
    else if (shown !== undefined || ten !== undefined) {
      if (digits === '') from = i;
      // "forty two" shows 42, "forty" alone 40
      if (tens && shown?.length === 1 && shown !== '0') digits = digits.slice(0, -1);
      digits += shown ?? `${ten ?? ''}0`;
      tens = ten !== undefined;
    } else if (word === 'thousand' || word === 'hundred') {
      if (digits !== '') digits += word === 'thousand' ? '000' : '00';
      tens = false;
    } else if (digits === '' || !(word === 'decimal' || word === 'point')) close(i);
  });
  close(understanding.words.length);
  return runs;
}

/** Positions of the words that spans take in; what has no span takes in none. */
export function positionsOf(spans: Iterable<Span | null>): Set<number> {
  const covered = new Set<number>();
  for (const span of spans) if (span !== null) for (let i = span[0]; i < span[1]; i++) covered.add(i);
  return covered;
}
