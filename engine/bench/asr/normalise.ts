/**
 * One form for what is said and for what recognisers write, so that spelling is no error: "FL350", "flight level three fifty" and "Flight
 * level 3-5-0." are the same words. Reference, product and peers go through the same function.
 *
 * Numbers become digit words, one by one, whatever their form ("two fifty", "250", "two five zero"; "thousand" and "hundred" are the zeros
 * that they stand for), because stock models write figures. What a digit word would be is not guessed: "to" is not "two".
 */

/** Raised when the words that come out change; results of different versions are not to be compared. */
export const NORMALISER_VERSION = 1;

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;
const DIGIT_SET: ReadonlySet<string> = new Set(DIGITS);
const ALPHABET: Readonly<Record<string, string>> = Object.fromEntries(
  'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'.split(' ').map((word) => [word.charAt(0), word]),
);
const TEENS = ['ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** One spelling for words that have several. */
const SPELLING: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tree: 'three', fife: 'five', niner: 'nine', fower: 'four', fourty: 'forty', alpha: 'alfa', juliet: 'juliett', whisky: 'whiskey', centre: 'center', localiser: 'localizer', ok: 'okay', kts: 'knots', kt: 'knots', knot: 'knots',
    ft: 'feet', nm: 'miles', mile: 'miles', deg: 'degrees', degree: 'degrees', rwy: 'runway', metre: 'meter', metres: 'meters', hpa: 'hectopascals', dayseemal: 'decimal', mr: 'mister',
  }),
);
/** Words that are written apart or together. */
const JOINED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'take off': 'takeoff', 'push back': 'pushback', 'start up': 'startup', 'stand by': 'standby', 'read back': 'readback', 'run way': 'runway', 'taxi way': 'taxiway', 'x ray': 'xray', 'speed bird': 'speedbird', 'ryan air': 'ryanair',
    'euro wings': 'eurowings', 'jet blue': 'jetblue', 'sky west': 'skywest', 'fed ex': 'fedex', 'top swiss': 'topswiss', 'finn air': 'finnair', 'bee line': 'beeline', 'brick yard': 'brickyard', 'water ski': 'waterski', 'long ship': 'longship',
    'free bird': 'freebird', 'trans avia': 'transavia', 'air frans': 'air france', 'cross wind': 'crosswind', 'down wind': 'downwind', 'touch down': 'touchdown', 'hand over': 'handover', 'air speed': 'airspeed', 'down field': 'downfield', 'good bye': 'goodbye',
    'sun express': 'sunexpress', 'nouvel air': 'nouvelair', 'air borne': 'airborne', 'air field': 'airfield', 'air bus': 'airbus', 're check': 'recheck', 'all right': 'alright',
  }),
);
const ACRONYMS = ['qnh', 'qfe', 'ils', 'rnav', 'rnp', 'vor', 'dme', 'ndb', 'klm', 'ups', 'csa', 'sid', 'atis', 'ifr', 'vfr', 'atc', 'tcas'];
/** Sounds of hesitation: not counted, written or not. */
const HESITATIONS: ReadonlySet<string> = new Set(['uh', 'um', 'umm', 'er', 'erm', 'ah', 'eh', 'ehm', 'hm', 'hmm', 'mm', 'mhm', 'uhm']);
/** Words behind which a figure with L, R or C is a runway. */
const BEFORE_RUNWAY: ReadonlySet<string> = new Set(['runway', 'ils', 'localizer', 'approach', 'visual', 'to', 'land', 'rnav']);
const SIDES: Readonly<Record<string, string>> = { l: 'left', r: 'right', c: 'center' };

const digitWords = (digits: string): string[] => Array.from(digits, (digit) => DIGITS[Number(digit)] ?? digit);
const letterWords = (letters: string): string[] => Array.from(letters, (letter) => ALPHABET[letter] ?? letter);

/** One written word without its punctuation, taken apart. `before`: the word before it. */
function spoken(word: string, before: string | undefined): string[] {
  if (/^\d+$/u.test(word)) return digitWords(word);
  const decimal = /^(\d+)\.(\d+)$/u.exec(word);
  if (decimal !== null) return [...digitWords(decimal[1] ?? ''), 'decimal', ...digitWords(decimal[2] ?? '')];
  const level = /^fl(\d+)$/u.exec(word);
  if (level !== null) return ['flight', 'level', ...digitWords(level[1] ?? '')];
  const pressure = /^(qnh)(\d+)$/u.exec(word);
  if (pressure !== null) return ['qnh', ...digitWords(pressure[2] ?? '')];
  const type = /^a([23]\d\d)$/u.exec(word);
  if (type !== null) return ['a', ...digitWords(type[1] ?? '')];
  const unit = /^(\d+)(kts?|knots?|ft|feet|nm|miles?|hpa|deg|degrees?)$/u.exec(word);
  if (unit !== null) return [...digitWords(unit[1] ?? ''), SPELLING.get(unit[2] ?? '') ?? unit[2] ?? ''];
  const side = /^(\d{1,2})([lrc])$/u.exec(word);
  if (side !== null && before !== undefined && BEFORE_RUNWAY.has(before)) return [...digitWords(side[1] ?? ''), SIDES[side[2] ?? ''] ?? ''];
  // letters and figures of a callsign, taxiway or stand: "N342P", "3K"
  if (/^(?=.*\d)[a-z\d]+$/u.test(word) && /^[a-z]{0,3}\d+[a-z]{0,3}$/u.test(word)) return (word.match(/\d+|[a-z]+/gu) ?? []).flatMap((part) => (/\d/u.test(part) ? digitWords(part) : letterWords(part)));
  if (/^[b-hj-z]$/u.test(word)) return letterWords(word);
  return [SPELLING.get(word) ?? word];
}

/** Figures, marks and letters to plain words. */
function writtenWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // what recognisers say about a sound instead of writing it: "[BLANK_AUDIO]", "(static)", "♪"
    .replace(/\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫]/gu, ' ')
    .replace(/[’‘`]/gu, "'")
    .replace(/\b(1[123]\d),(?=\d{3}\b)/gu, '$1.')
    .replace(/(\d),(?=\d{3}\b)/gu, '$1')
    .replace(/\d+(?:\.\d+){2,}/gu, (digits) => digits.replaceAll('.', ' '))
    .replace(/°/gu, ' degrees ')
    .replace(/\b(?:[a-z]\.){2,}/gu, (letters) => `${letters.replaceAll('.', '')} `)
    .replace(/([^\d])\.|\.(?!\d)/gu, '$1 ')
    .replace(/(?<![\d])\./gu, ' ')
    .replace(/\bx-ray\b/gu, 'xray')
    .replace(/[-–—_/]/gu, ' ')
    .replace(/[^\p{L}\p{N}.' ]/gu, ' ');
  const words = plain.split(/\s+/u).map((word) => word.replace(/^'+|'+$/gu, '')).filter((word) => word !== '');
  return joinLetters(words).reduce<string[]>((out, word) => {
    out.push(...spoken(word, out.at(-1)));
    return out;
  }, []);
}

/** "q n h" → "qnh". */
function joinLetters(words: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const acronym = ACRONYMS.find((letters) => Array.from(letters).every((letter, k) => words[i + k] === letter));
    if (acronym === undefined) out.push(words[i] ?? '');
    else {
      out.push(acronym);
      i += acronym.length - 1;
    }
  }
  return out;
}

/** Numbers in groups, with hundreds and thousands, to single digits. */
function digitByDigit(words: readonly string[]): string[] {
  const out: string[] = [];
  const isNumber = (word: string | undefined): boolean => word !== undefined && (DIGIT_SET.has(word) || TEENS.includes(word) || TENS.includes(word));
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const next = words[i + 1];
    const last = out.at(-1);
    if (TEENS.includes(word)) out.push('one', DIGITS[TEENS.indexOf(word)] ?? '');
    else if (TENS.includes(word)) {
      out.push(DIGITS[TENS.indexOf(word) + 2] ?? '');
      if (next === undefined || next === 'zero' || !DIGIT_SET.has(next)) out.push('zero');
    } else if (word === 'hundred' && last !== undefined && DIGIT_SET.has(last)) {
      // "one hundred twenty" has its two digits in what follows
      if (next === undefined || !(TEENS.includes(next) || TENS.includes(next))) out.push('zero', 'zero');
    } else if (word === 'thousand' && last !== undefined && DIGIT_SET.has(last)) {
      if (!(isNumber(next) && words[i + 2] === 'hundred')) out.push('zero', 'zero', 'zero');
    } else if (word === 'triple' && next !== undefined && DIGIT_SET.has(next)) out.push(next, next);
    else if (word === 'double' && next !== undefined && DIGIT_SET.has(next)) out.push(next);
    else if ((word === 'point' || word === 'dot') && isNumber(next)) out.push('decimal');
    else if (word === 'oh' && last !== undefined && DIGIT_SET.has(last) && isNumber(next)) out.push('zero');
    else out.push(word);
  }
  return out;
}

/** Text to the words that are compared. */
export function normalise(text: string): string[] {
  const words = writtenWords(text).filter((word) => !HESITATIONS.has(word));
  const joined: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const pair = JOINED.get(`${words[i] ?? ''} ${words[i + 1] ?? ''}`);
    if (pair === undefined) joined.push(words[i] ?? '');
    else {
      joined.push(...pair.split(' '));
      i++;
    }
  }
  return digitByDigit(joined);
}
