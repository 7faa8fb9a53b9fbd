/**
 * Words to tokens: lower case, written forms taken apart ("FL350", "16L", "118.35", "two-fifty", "OK-PMB", "i_l_s"), hesitation tags
 * marked. Every token knows the words that it came from.
 */
import { ACKNOWLEDGEMENTS, DECIMAL_WORDS, DIGIT_WORDS, GREETING_PHRASES, HESITATIONS, LETTER_WORDS, TEEN_WORDS, TENS_WORDS, isKnownWord } from './lexicon.js';
import { telephonyOf } from './telephony.js';

/** Part of a spoken or written number. */
export type NumberPart =
  /** `whole`: written with a thousands separator, so that no more digits follow. */
  | { readonly kind: 'digits'; readonly digits: string; readonly written: boolean; readonly whole?: true }
  | { readonly kind: 'teen'; readonly digits: string }
  | { readonly kind: 'tens'; readonly digit: string }
  | { readonly kind: 'hundred' }
  | { readonly kind: 'thousand' }
  | { readonly kind: 'decimal' }
  | { readonly kind: 'repeat'; readonly times: number };

export interface Token {
  /** Normalised text, lower case. */
  readonly text: string;
  /** Word positions [from, to) that it came from. */
  readonly from: number;
  readonly to: number;
  readonly number?: NumberPart;
  /** The letter that it spells, upper case. */
  readonly letter?: string;
  /** hesitation: nothing was said; cut: a fragment of a word; greeting: greets, thanks, takes leave. */
  readonly filler?: 'hesitation' | 'cut' | 'greeting';
  /** A hesitation was dropped before this token. */
  readonly gap?: boolean;
  /** A greeting or thanks was dropped before this token: what stood before it is over. */
  readonly parted?: boolean;
  /** A punctuation mark ended the word before this token (recognisers write commas between phrases). */
  readonly pause?: boolean;
  /** The word ended in a question mark. */
  readonly question?: boolean;
  /** It was written as a letter, not spoken as an alphabet word. */
  readonly written?: boolean;
}

/** Splits text into words the way that all word positions refer to. */
export const splitWords = (text: string): string[] => {
  const trimmed = text.trim();
  return trimmed === '' ? [] : trimmed.split(/\s+/u);
};

/** Compounds that stay whole or get one spelling. */
const COMPOUNDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['x-ray', ['xray']], ['take-off', ['takeoff']], ['push-back', ['pushback']], ['start-up', ['startup']], ['stand-by', ['standby']], ['read-back', ['readback']], ['bye-bye', ['bye', 'bye']],
  ['go-around', ['go', 'around']], ['follow-me', ['follow', 'me']], ['run-way', ['runway']], ['taxi-way', ['taxiway']], ['heli-pad', ['helipad']], ['fly-by', ['flyby']], ['missed-approach', ['missed', 'approach']],
  ['t-cas', ['tcas']], ['re-cleared', ['recleared']], ['re-clear', ['recleared']], ['right-hand', ['right', 'hand']], ['left-hand', ['left', 'hand']],
  ['airfrance', ['air', 'france']], ['taxiways', ['taxiway']], ['rwy', ['runway']], ['hdg', ['heading']], ['spd', ['speed']], ['alt', ['altitude']], ['twr', ['tower']], ['freq', ['frequency']],
  ['twy', ['taxiway']], ['kt', ['knots']], ['kts', ['knots']], ['knot', ['knots']], ['nots', ['knots']], ['nm', ['miles']], ['mile', ['miles']], ['ft', ['feet']], ['foot', ['feet']], ['hpa', ['hectopascals']],
  ['hectopascal', ['hectopascals']], ['millibar', ['hectopascals']], ['millibars', ['hectopascals']], ['hecto', ['hectopascals']], ['degree', ['degrees']], ['deg', ['degrees']], ['meter', ['metres']], ['meters', ['metres']], ['metre', ['metres']],
  ['mins', ['minutes']], ['minute', ['minutes']], ['sec', ['seconds']], ['clearence', ['clearance']], ['whilst', ['while']], ['till', ['until']], ['til', ['until']], ["'til", ['until']],
  ['centre', ['center']], ['climbed', ['climb']], ['juliet-papa', ['juliett', 'papa']], ['localiser', ['localizer']], ['dme', ['dme']], ['loc', ['localizer']], ['wxr', ['weather']], ['runways', ['runway']],
  ['cleared-to', ['cleared', 'to']], ['redue', ['reduce']], ['vacacated', ['vacate']], ['descendent', ['descend']], ['decend', ['descend']], ['desend', ['descend']],
  ['headings', ['heading']], ['nite', ['night']], ['thru', ['through']], ['vis-a-vis', ['vis-a-vis']], ['established', ['established']], ['established.', ['established']], ['fatotwo', ['fato', 'two']],
  ['dont', ["don't"]], ["your're", ["you're"]], ['youre', ["you're"]], ['don’t', ["don't"]], ['it’s', ["it's"]], ['o’clock', ["o'clock"]], ['oclock', ["o'clock"]], ['gonna', ['going', 'to']], ['squak', ['squawk']], ['squark', ['squawk']], ['sqawk', ['squawk']],
  ['mach', ['mach']], ['mac', ['mach']], ['qhn', ['qnh']], ['l.', ['left']], ['fl', ['flight', 'level']], ['fls', ['flight', 'level']], ['lined', ['line']], ['dct', ['direct']], ['spacings', ['spacing']],
  ['lend', ['land']], ['recleard', ['recleared']], ['cleard', ['cleared']], ['approch', ['approach']], ['apprach', ['approach']], ['vectored', ['vectors']], ['wilko', ['wilco']], ['willco', ['wilco']], ['clear-to', ['cleared', 'to']],
]);

/** Neighbouring words that are one term. */
const JOINS: ReadonlyMap<string, string> = new Map([
  ['take off', 'takeoff'], ['push back', 'pushback'], ['start up', 'startup'], ['stand by', 'standby'], ['read back', 'readback'], ['run way', 'runway'], ['taxi way', 'taxiway'], ['x ray', 'xray'], ['back track', 'backtrack'],
  ['o clock', "o'clock"], ['fox trot', 'foxtrot'], ['mid point', 'midpoint'], ['over head', 'overhead'], ['hold in', 'holding'], ['way point', 'waypoint'], ['head wind', 'headwind'], ['cross wind', 'crosswind'], ['down wind', 'downwind'], ['up wind', 'upwind'], ['air borne', 'airborne'], ['re cleared', 'recleared'],
]);

/** Abbreviations that are spelled out; longest first. */
const SPELLED: readonly string[] = ['rnav', 'atis', 'ctot', 'star', 'ils', 'qnh', 'qfe', 'vor', 'dme', 'ndb', 'rnp', 'gls', 'ifr', 'vfr', 'klm', 'csa', 'ups', 'ctr', 'tma', 'atc', 'sid', 'rvr', 'lot', 'tap', 'gps', 'par', 'fms', 'eta', 'cap'];

const UNIT_SUFFIX = /^(\d+(?:[.,]\d+)?)(kts?|knots?|ft|feet|m|nm|miles?|hpa|mb|deg|degrees?|°|fpm|mins?|minutes?|z)$/u;
const UNIT_WORD: Readonly<Record<string, string>> = {
  kt: 'knots', kts: 'knots', knot: 'knots', knots: 'knots', ft: 'feet', feet: 'feet', m: 'metres', nm: 'miles', mile: 'miles', miles: 'miles', hpa: 'hectopascals', mb: 'hectopascals', deg: 'degrees', degree: 'degrees',
  degrees: 'degrees', '°': 'degrees', fpm: 'fpm', min: 'minutes', mins: 'minutes', minute: 'minutes', minutes: 'minutes', z: 'zulu-time',
};

const HYPHENATED_REGISTRATION = /^([a-z]{1,2}|\d[a-z]|[a-z]\d)-([a-z0-9]{3,5})$/u;
const REGISTRATION_PREFIXES: ReadonlySet<string> = new Set(
  'ok hb d g f n i oe ph oo lx se ln oy oh ec cs ei sp om ha yr lz sx tc 9a s5 es yl ly ur ra ew 4x a6 a7 b vh zk c vt hs 9v 9m jy hz su cn ts t7 m vp 2 p4 9h e7 yu z3 za 4o d4 ex up un'.split(' '),
);

interface Draft {
  text: string;
  from: number;
  to: number;
  number?: NumberPart;
  letter?: string;
  filler?: 'hesitation' | 'cut' | 'greeting';
  gap?: boolean;
  pause?: boolean;
  question?: boolean;
  written?: boolean;
}

function numberPartOf(text: string): NumberPart | undefined {
  const digit = DIGIT_WORDS.get(text);
  if (digit !== undefined) return { kind: 'digits', digits: digit, written: false };
  const teen = TEEN_WORDS.get(text);
  if (teen !== undefined) return { kind: 'teen', digits: teen };
  const tens = TENS_WORDS.get(text);
  if (tens !== undefined) return { kind: 'tens', digit: tens };
  if (text === 'hundred' || text === 'hundreds') return { kind: 'hundred' };
  if (text === 'thousand' || text === 'thousands' || text === 'tousand') return { kind: 'thousand' };
  if (DECIMAL_WORDS.has(text)) return { kind: 'decimal' };
  if (text === 'double') return { kind: 'repeat', times: 2 };
  if (text === 'triple' || text === 'treble') return { kind: 'repeat', times: 3 };
  if (/^\d+$/u.test(text)) return { kind: 'digits', digits: text, written: true };
  return undefined;
}

function wordToken(text: string, at: number): Draft {
  const draft: Draft = { text, from: at, to: at + 1 };
  const number = numberPartOf(text);
  if (number !== undefined) draft.number = number;
  const letter = LETTER_WORDS.get(text);
  if (letter !== undefined) draft.letter = letter;
  if (HESITATIONS.has(text)) draft.filler = 'hesitation';
  return draft;
}

const digitsToken = (digits: string, at: number): Draft => ({ text: digits, from: at, to: at + 1, number: { kind: 'digits', digits, written: true } });
const wholeToken = (digits: string, at: number): Draft => ({ text: digits, from: at, to: at + 1, number: { kind: 'digits', digits, written: true, whole: true } });
const letterToken = (letter: string, at: number): Draft => ({ text: letter.toLowerCase(), from: at, to: at + 1, letter: letter.toUpperCase(), written: true });
const decimalToken = (at: number): Draft => ({ text: 'decimal', from: at, to: at + 1, number: { kind: 'decimal' } });
const mixed = (chars: string, at: number): Draft[] =>
  (chars.match(/\d+|\D/gu) ?? []).map((part) => (/\d/u.test(part) ? digitsToken(part, at) : letterToken(part, at)));

/** Letters without their accents: "dobrý" and "dobry" are one word. */
const plainLetters = (text: string): string => (/[^\0-\x7f]/u.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text);

/** Takes one written word apart. `raw` has no punctuation at its edges. */
function explode(raw: string, at: number): Draft[] {
  const word = plainLetters(raw.toLowerCase());
  const compound = COMPOUNDS.get(word);
  if (compound !== undefined) return compound.map((part) => wordToken(part, at));
  if (/^\d+$/u.test(word)) return [digitsToken(word, at)];

  const decimal = /^(\d*)[.,](\d+)$/u.exec(word);
  if (decimal !== null) {
    const [, whole = '', fraction = ''] = decimal;
    const megahertz = Number(whole) >= 108 && Number(whole) <= 137;
    // "5,000" is a thousand written with its separator; "118,105" is a frequency
    if (word.includes(',') && fraction.length === 3 && !megahertz && whole !== '') return [wholeToken(whole + fraction, at)];
    return [...(whole === '' ? [] : [digitsToken(whole, at)]), decimalToken(at), digitsToken(fraction, at)];
  }
  if (/^\d+([.,]\d{3})+$/u.test(word)) return [wholeToken(word.replace(/[.,]/gu, ''), at)];
  const unit = UNIT_SUFFIX.exec(word);
  if (unit !== null) {
    const [, value = '', name = ''] = unit;
    return [...explode(value, at), wordToken(UNIT_WORD[name] ?? name, at)];
  }
  if (/^\d{1,2}:\d{2}$/u.test(word)) return [digitsToken(word.replace(':', '').padStart(4, '0'), at)];
  if (/^\d{3}\/\d{1,3}$/u.test(word)) return word.split('/').map((part) => digitsToken(part, at));
  const level = /^fl\.?-?(\d+)$/u.exec(word);
  if (level !== null) return [wordToken('flight', at), wordToken('level', at), digitsToken(level[1] ?? '', at)];
  const machNumber = /^m(?:ach)?0?\.(\d{2,3})$/u.exec(word);
  if (machNumber !== null) return [wordToken('mach', at), decimalToken(at), digitsToken(machNumber[1] ?? '', at)];
  const qnh = /^(qnh|q)(\d{3,4})$/u.exec(word);
  if (qnh !== null) return [wordToken('qnh', at), digitsToken(qnh[2] ?? '', at)];
  const runway = /^(?:rwy|runway|rw)(\d{1,2})([lrc])?$/u.exec(word);
  if (runway !== null) return [wordToken('runway', at), digitsToken(runway[1] ?? '', at), ...(runway[2] === undefined ? [] : [letterToken(runway[2], at)])];
  if (/^(a3\d\d|b7\d\d|a2[12]\d)$/u.test(word)) return [wordToken(word, at)];
  if (/^\d{1,2}(?:st|nd|rd|th)$/u.test(word)) return [wordToken(word, at)];

  // an ICAO callsign or a registration written out
  const icao = /^([A-Z]{3})(\d{1,4}[A-Z]{0,2}|\d[A-Z0-9]{0,3})$/u.exec(raw);
  if (icao !== null) {
    const [, code = '', flight = ''] = icao;
    const telephony = telephonyOf(code);
    const head: Draft[] = telephony === undefined ? mixed(code, at) : telephony.split(' ').map((part) => wordToken(part, at));
    return [...head, ...mixed(flight, at)];
  }
  if (/^[A-Z]{2}-[A-Z]{1,2}$/u.test(raw) && REGISTRATION_PREFIXES.has(word.slice(0, 2))) return mixed(word.replace('-', ''), at);
  if (/^[A-Z]{1,3}\d{1,4}[A-Z]{0,2}$/u.test(raw) || /^n\d{1,5}[a-z]{0,2}$/u.test(word)) return mixed(word, at);
  const registration = HYPHENATED_REGISTRATION.exec(word);
  if (registration !== null && REGISTRATION_PREFIXES.has(registration[1] ?? '') && (/[A-Z]/u.test(raw.slice(1)) || /^(?:ok|hb|oe|ph|oo|lx|se|oy|ec|cs|ei|sp|om|ha)$/u.test(registration[1] ?? ''))) {
    return mixed(word.replace('-', ''), at);
  }
  if (/^[A-Z]{5}$/u.test(raw) && REGISTRATION_PREFIXES.has(word.slice(0, 2)) && /^(OK|HB|OE|PH)/u.test(raw)) return mixed(word, at);
  if (/^\d+[a-z]{1,3}$/u.test(word) || /^[a-z]\d{1,4}$/u.test(word) || /^[a-z]\d{1,3}[a-z]$/u.test(word)) return mixed(word, at);
  if (/^[a-z]$/u.test(word)) {
    if (word === 'a') return [wordToken('a', at)];
    if (word === 'i') return [wordToken('i', at)];
    return [letterToken(word, at)];
  }
  if (/^-\S/u.test(word) || /^[a-z]+-$/u.test(word)) return [{ text: word, from: at, to: at + 1, filler: 'cut' }];
  if (/[_-]/u.test(word) && /^[\p{L}\d'_-]+$/u.test(word)) {
    const parts = word.split(/[_-]+/u).filter((part) => part !== '');
    if (parts.length > 1 && parts.every((part) => part.length === 1 && /[a-z]/u.test(part))) return spelledOut(parts.join(''), at);
    if (parts.length > 1) return parts.flatMap((part) => explode(part, at));
  }
  return [wordToken(word, at)];
}

const spelledOut = (letters: string, at: number): Draft[] => (COMPOUNDS.get(letters) ?? [letters]).map((text) => ({ text, from: at, to: at + 1 }));

/** Tags of transcripts: "<hes>", "[unk]", "[\ne]", "dobry_den_(greet)". */
function tagOf(raw: string): 'hesitation' | 'greeting' | undefined {
  const bare = raw.replace(/[.,;:!?]+$/u, '');
  if (bare !== raw && bare !== '' && /[>\])}]$/u.test(bare)) return tagOf(bare);
  if (/_\([a-z/]+\)?$/iu.test(raw) || /_\(/u.test(raw)) return 'greeting';
  if (/^[<[{].*[>\]}]$/u.test(raw)) return 'hesitation';
  if (/^[[\](){}<>]+$/u.test(raw) || /^\[(?:hes|unk|xt|noise|spk|int)$/iu.test(raw)) return 'hesitation';
  return undefined;
}

/** "CSA 918": a three-letter designator written before its number. */
function codeBefore(raw: string, next: string | undefined, at: number): Draft[] | undefined {
  if (next === undefined || !/^[A-Z]{3}$/u.test(raw) || !/^\d{1,4}[A-Z]{0,2}\b/u.test(next)) return undefined;
  if (COMPOUNDS.has(raw.toLowerCase()) || SPELLED.includes(raw.toLowerCase())) return undefined;
  return telephonyOf(raw)?.split(' ').map((part) => wordToken(part, at));
}

/** "65 PD", "65 pd": the letters of a flight number written apart from its digits. `mixedCase`: the text is not all in capitals. */
function lettersBehind(raw: string, previous: string | undefined, at: number, mixedCase: boolean): Draft[] | undefined {
  if (previous === undefined || !/\d$/u.test(previous) || !/^(?:[A-Z]{2,3}|[b-df-hj-np-tv-xz]{2})$/u.test(raw) || (!mixedCase && /^[A-Z]/u.test(raw))) return undefined;
  const word = raw.toLowerCase();
  return COMPOUNDS.has(word) || SPELLED.includes(word) || UNIT_WORD[word] !== undefined || isKnownWord(word) ? undefined : mixed(word, at);
}

const EDGE = /^["'“”‘’.,;:!?()[\]{}<>…«»*#]+|["'“”‘’.,;:!?()[\]{}<>…«»*#]+$/gu;

const GREETINGS: ReadonlyMap<string, readonly (readonly string[])[]> = (() => {
  const table = new Map<string, string[][]>();
  for (const phrase of GREETING_PHRASES) {
    const parts = phrase.split(' ');
    const [head = ''] = parts;
    const list = table.get(head) ?? [];
    list.push(parts);
    table.set(head, list);
  }
  for (const list of table.values()) list.sort((a, b) => b.length - a.length);
  return table;
})();

function markGreetings(tokens: Draft[]): void {
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) continue;
    for (const parts of GREETINGS.get(token.text) ?? []) {
      if (!parts.every((part, offset) => tokens[index + offset]?.text === part)) continue;
      // "have a good flight level" and the like: the phrase must not run into a value
      for (let offset = 0; offset < parts.length; offset++) {
        const member = tokens[index + offset];
        if (member !== undefined) member.filler = 'greeting';
      }
      index += parts.length - 1;
      break;
    }
  }
}

function joinTerms(tokens: readonly Draft[]): Draft[] {
  const joined: Draft[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) continue;
    const next = tokens[index + 1];
    if (next !== undefined) {
      const term = JOINS.get(`${token.text} ${next.text}`);
      if (term !== undefined) {
        const whole = wordToken(term, token.from);
        joined.push({ ...whole, to: next.to, ...(token.pause === true ? { pause: true } : {}) });
        index++;
        continue;
      }
    }
    // "two nine or zero": a niner in two words
    if (token.text === 'nine' && next?.text === 'or' && tokens[index + 2]?.number?.kind === 'digits') {
      joined.push({ ...wordToken('niner', token.from), to: next.to, ...(token.pause === true ? { pause: true } : {}) });
      index++;
      continue;
    }
    if (isSingleLetter(token)) {
      const spelled = spelledAt(tokens, index);
      if (spelled !== undefined) {
        const last = tokens[index + spelled.length - 1];
        joined.push({ ...wordToken(spelled, token.from), to: last?.to ?? token.to, ...(token.pause === true ? { pause: true } : {}) });
        index += spelled.length - 1;
        continue;
      }
    }
    joined.push(token);
  }
  return joined;
}

const isSingleLetter = (token: Draft | undefined): boolean => token !== undefined && /^[a-z]$/u.test(token.text);

/** "q n h" as three words. "i" and "a" are words of their own, so the whole abbreviation must be there. */
function spelledAt(tokens: readonly Draft[], at: number): string | undefined {
  return SPELLED.find((abbreviation) => abbreviation.split('').every((letter, offset) => tokens[at + offset]?.text === letter));
}

/**
 * Text of one transmission to tokens. `words`: the words whose positions the tokens refer to (see {@link splitWords}). Never throws;
 * a word that means nothing becomes a plain token.
 */
export function tokenise(words: readonly string[]): Token[] {
  const drafts: Draft[] = [];
  let pause = false;
  const mixedCase = words.some((word) => /[a-z]/u.test(word));
  words.forEach((raw, at) => {
    const tag = tagOf(raw);
    if (tag !== undefined) {
      drafts.push({ text: raw.toLowerCase(), from: at, to: at + 1, filler: tag });
      return;
    }
    const bare = raw.replace(EDGE, '');
    if (bare === '') {
      drafts.push({ text: raw, from: at, to: at + 1, filler: 'hesitation' });
      return;
    }
    // a decimal without its whole part (".78") loses its point to the edge rule, so look before
    const lead = /^\.\d/u.test(raw) ? `.${bare}` : bare;
    const parts = codeBefore(bare, words[at + 1], at) ?? lettersBehind(bare, words[at - 1], at, mixedCase) ?? explode(lead.length > 60 ? lead.slice(0, 60) : lead, at);
    const first = parts[0];
    if (pause && first !== undefined) first.pause = true;
    if (/\?/u.test(raw)) {
      const last = parts[parts.length - 1];
      if (last !== undefined) last.question = true;
    }
    pause = /[,.;:!?]$/u.test(raw);
    drafts.push(...parts);
  });
  const joined = joinTerms(drafts);
  hearDigits(joined);
  markGreetings(joined);
  return joined;
}

/** Digits that recognisers write as another word of the same sound. */
const SOUNDS_LIKE_DIGIT: Readonly<Record<string, string>> = { to: '2', too: '2', for: '4', fore: '4', ate: '8', won: '1', o: '0' };
/** Digits that a value has behind its carrier word. */
const DIGITS_BEHIND: ReadonlyMap<string, number> = new Map([['level', 3], ['heading', 3], ['runway', 2], ['squawk', 4], ['squawking', 4], ['qnh', 4]]);

/**
 * "level to four zero", "runway to nine", "for thousand", "two too four", "6 o 1": a word that sounds like a digit and stands where only a digit can. "Heading to
 * two one zero" has its three digits without it.
 */
function hearDigits(tokens: Draft[]): void {
  const isDigit = (token: Draft | undefined): boolean => token?.number?.kind === 'digits';
  tokens.forEach((token, index) => {
    const digit = SOUNDS_LIKE_DIGIT[token.text];
    if (digit === undefined || token.filler !== undefined) return;
    const before = tokens[index - 1];
    const next = tokens[index + 1];
    const around = isDigit(before) || before?.number?.kind === 'decimal';
    const scale = next?.number?.kind === 'hundred' || next?.number?.kind === 'thousand';
    const plain =
      token.text === 'to' || token.text === 'for' ? (scale && !isDigit(before)) || (before?.text === 'decimal' && isDigit(next))
      : token.text === 'o' ? isDigit(next) && (around || DIGITS_BEHIND.has(before?.text ?? '') || telephonyOf(before?.text ?? '') !== undefined)
      : (around && (isDigit(next) || next?.number?.kind === 'decimal')) || scale;
    if (plain || behindCarrier(tokens, index)) {
      token.number = { kind: 'digits', digits: digit, written: false };
      delete token.letter;
    }
  });
}

/** A carrier word before, and exactly one digit less behind than its value has. */
function behindCarrier(tokens: readonly Draft[], at: number): boolean {
  const wanted = DIGITS_BEHIND.get(tokens[at - 1]?.text ?? '');
  if (wanted === undefined) return false;
  let digits = '';
  let index = at + 1;
  while (digits.length < wanted) {
    const part = tokens[index]?.number;
    if (part?.kind !== 'digits' || part.digits.length > 1) break;
    digits += part.digits;
    index++;
  }
  // a level of two digits stands by itself as well; with "to" before "four zero" it is more likely the third
  return digits.length === wanted - 1 && tokens[index]?.number?.kind !== 'hundred' && tokens[index]?.number?.kind !== 'thousand';
}

/** Tokens that carry meaning: hesitations, cut words and greetings are dropped, and what follows a hesitation remembers the gap. */
export function meaningful(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  let gap = false;
  let parted = false;
  for (const token of tokens) {
    if (token.filler !== undefined) {
      if (token.filler === 'greeting') parted = true;
      else gap = true;
      continue;
    }
    kept.push(gap || parted ? { ...token, ...(gap ? { gap } : {}), ...(parted ? { parted } : {}) } : token);
    gap = false;
    parted = false;
  }
  return kept;
}

/** Is this word an acknowledgement by itself? */
export const acknowledgementOf = (text: string): string | undefined => ACKNOWLEDGEMENTS.get(text);
