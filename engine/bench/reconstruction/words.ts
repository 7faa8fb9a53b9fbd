/**
 * Words of the reconstructed benchmark: our own lists, apart from those that the recogniser's training texts are made of
 * (training/speech; reconstruction.test.ts compares them). Names of operators and places are facts, fixes are made up.
 */
import { between, oneOf } from '../../domain/random.js';

export type Random = () => number;
export type List<T> = readonly [T, ...T[]];

export const pick = oneOf;
export const chance = (random: Random, share: number): boolean => random() < share;
/** A whole number, low and high included. */
export const whole = (random: Random, low: number, high: number): number => Math.floor(between(random, low, high + 1));

const list = (text: string): List<string> => text.split('|') as unknown as List<string>;

/** Telephony designators, real ones, none of which training/speech lists of its own: it takes them with all others from the product's table. */
export const AIRLINES = list(
  'continental|northwest|clipper|sabena|malev|braathens|hapag lloyd|amerijet|air nostrum|cactus|air berlin|midland|corsair|martinair|germania|dolomiti|hansaline|longship|freebird|iran air|israir|air malta|air mauritius|mexicana|cubana|porter|siberian|sunwing|syrianair|tailwind|volotea|wideroe|namibia|yemeni|jazeera|nouvelair|air moldova|sunexpress|piedmont|lindbergh',
);
/** Made-up fixes, every one kept out of training/speech by its name. */
export const FIXES = list(
  'abrik|adunt|agolf|akemi|alvur|amtek|anbus|arsol|askin|atvom|ebdor|edvik|egnat|ekrom|elbit|emsur|enkal|erdun|eskol|etmar|ibrun|idgar|igmol|ilvek|imtar|indop|irkus|isbol|itnar|ivgem|obdak|odmir|ogtel|okvan|olnur|ombek|ontif|oprig|orvel|ostap|ubkan|udrol|ugvit|ulmer|umbor|unvek|urtas|usmin|utrek|uvdol',
);
/** Places with a control unit; for training/speech the same holds. */
export const PLACES = list('leipzig|stuttgart|graz|linz|katowice|gdansk|poznan|kaunas|turku|stavanger|billund|aalborg|exeter|bristol|aberdeen|cork|lille|nantes|strasbourg|bilbao|valencia|malaga|faro|torino|bologna|catania|varna|zadar|portland|orlando|raleigh|charlotte|cleveland|nashville|austin|tucson|spokane|omaha');
const UNITS = { air: { icao: list('approach|radar|control|director|arrival'), faa: list('approach|center|departure') }, ground: { icao: list('tower|ground'), faa: list('tower|ground') } } as const;
export const AIRCRAFT = list('airbus|boeing|embraer|dash eight|falcon|citation|triple seven|bombardier|fokker');
export const GREETINGS = list('good day|hello there|bonsoir|salut|moin|kalimera|god morgen|tere|labas');
export const FILLERS = list('uh|um|er|ehm|ah');

const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
export const LETTERS = 'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'.split(' ') as unknown as List<string>;

/** "240" → "two four zero". */
export const single = (digits: string): string => Array.from(digits, (digit) => DIGITS[Number(digit)] ?? digit).join(' ');
const pairOf = (two: string): string => (two.startsWith('0') ? single(two) : Number(two) < 20 ? (TEENS[Number(two) - 10] ?? '') : `${TENS[Number(two[0])] ?? ''}${two.endsWith('0') ? '' : ` ${DIGITS[Number(two[1])] ?? ''}`}`);
/** "240" → "two forty", "1072" → "ten seventy two", "300" → "three hundred". */
export function grouped(digits: string): string {
  if (digits.length === 2) return pairOf(digits);
  if (digits.length === 3) return digits.endsWith('00') ? `${single(digits.slice(0, 1))} hundred` : `${single(digits.slice(0, 1))} ${pairOf(digits.slice(1))}`;
  if (digits.length === 4) return `${pairOf(digits.slice(0, 2))} ${digits.endsWith('00') ? 'hundred' : pairOf(digits.slice(2))}`;
  return single(digits);
}

export type Book = 'icao' | 'faa';

/** A callsign: operator, figures, perhaps a letter at the end. */
export interface Callsign {
  readonly airline: string;
  readonly digits: string;
  readonly letter?: string;
  /** FAA: figures in groups. */
  readonly inGroups: boolean;
}
export function callsign(random: Random, book: Book): Callsign {
  const length = pick(random, [2, 3, 3, 3, 4]);
  const digits = `${String(whole(random, 1, 9))}${Array.from({ length: length - 1 }, () => String(whole(random, 0, 9))).join('')}`;
  const inGroups = book === 'faa' ? chance(random, 0.8) : chance(random, 0.15);
  return { airline: pick(random, AIRLINES), digits, inGroups: inGroups && !digits.includes('0'), ...(length < 4 && chance(random, 0.25) ? { letter: pick(random, LETTERS) } : {}) };
}
export const sayCallsign = ({ airline, digits, letter, inGroups }: Callsign): string => [airline, inGroups ? grouped(digits) : single(digits), ...(letter === undefined ? [] : [letter])].join(' ');

/** Another aircraft's callsign that is easily mistaken for it: a figure changed, two swapped, or another operator. */
export function otherCallsign(random: Random, of: Callsign): Callsign {
  const kind = pick(random, ['figure', 'figure', 'swap', 'airline'] as const);
  if (kind === 'airline') return { ...of, airline: otherOf(random, AIRLINES, of.airline) };
  if (kind === 'swap') {
    const at = Array.from(of.digits).findIndex((digit, i) => i > 0 && digit !== of.digits[i - 1]);
    if (at > 0 && !(at === 1 && of.digits[1] === '0')) return { ...of, digits: `${of.digits.slice(0, at - 1)}${of.digits[at] ?? ''}${of.digits[at - 1] ?? ''}${of.digits.slice(at + 1)}` };
  }
  const at = whole(random, 0, of.digits.length - 1);
  const now = Number(of.digits[at]);
  const next = String(1 + ((now + whole(random, 0, 7)) % 9));
  return { ...of, digits: `${of.digits.slice(0, at)}${next === of.digits[at] ? String((Number(next) % 9) + 1) : next}${of.digits.slice(at + 1)}` };
}

/** Another one of a list. */
export function otherOf<T>(random: Random, all: List<T>, than: T): T {
  let one = pick(random, all);
  while (one === than) one = pick(random, all);
  return one;
}

/** A unit: "leipzig radar". */
export const unit = (random: Random, book: Book, kind: 'air' | 'ground' | 'any'): string => `${pick(random, PLACES)} ${pick(random, UNITS[kind === 'any' ? (chance(random, 0.6) ? 'air' : 'ground') : kind][book])}`;

/** Slots of Task 2 that carry a value. */
export const VALUED = ['altitude', 'heading', 'runway', 'speed', 'frequency'] as const;
export type Valued = (typeof VALUED)[number];

/** A value as figures: altitude "F240" or "A4500" (feet), heading "270", runway "27L" or "09", speed "220", frequency "123.45". */
export function value(random: Random, slot: Valued, book: Book): string {
  switch (slot) {
    case 'altitude':
      return chance(random, 0.65) ? `F${String((book === 'icao' ? whole(random, 7, 40) : whole(random, 18, 40)) * 10).padStart(3, '0')}` : `A${String(whole(random, 2, book === 'icao' ? 6 : 17) * 1000 + (chance(random, 0.25) ? 500 : 0))}`;
    case 'heading':
      return String(whole(random, 1, 36) * 10 - (chance(random, 0.3) ? 5 : 0)).padStart(3, '0');
    case 'runway':
      return `${String(whole(random, 1, 36)).padStart(2, '0')}${pick(random, ['', '', 'L', 'R'])}`;
    case 'speed':
      return String(whole(random, 15, 29) * 10);
    case 'frequency':
      return `1${String(whole(random, 18, 35))}.${pick(random, ['1', '2', '3', '6', '7', '9', '05', '25', '47', '75', '825', '975'])}`;
  }
}

/** Another value that might be misheard for it: a figure or the side changed. Never equal. */
export function otherValue(random: Random, slot: Valued, of: string): string {
  const step = (number: number, steps: List<number>, low: number, high: number): number => {
    const possible = steps.map((by) => number + by).filter((next) => next >= low && next <= high);
    return pick(random, possible as unknown as List<number>);
  };
  switch (slot) {
    case 'altitude':
      if (of.startsWith('F')) return `F${String(step(Number(of.slice(1)), [-100, -50, -20, -10, 10, 20, 50, 100], 60, 410)).padStart(3, '0')}`;
      return `A${String(step(Number(of.slice(1)), [-2000, -1000, 1000, 2000, 3000], 2000, 17500))}`;
    case 'heading':
      return String(step(Number(of), [-100, -50, -20, -10, 10, 20, 50, 100], 5, 360)).padStart(3, '0');
    case 'runway': {
      const side = of.slice(2);
      if (side !== '' && chance(random, 0.5)) return `${of.slice(0, 2)}${side === 'L' ? 'R' : 'L'}`;
      return `${String(step(Number(of.slice(0, 2)), [-10, -2, -1, 1, 2, 10], 1, 36)).padStart(2, '0')}${side}`;
    }
    case 'speed':
      return String(step(Number(of), [-50, -30, -20, -10, 10, 20, 30, 50], 140, 300));
    case 'frequency': {
      const [whole_ = '', part = ''] = of.split('.');
      if (chance(random, 0.5)) return `${String(step(Number(whole_), [-3, -2, -1, 1, 2, 3], 118, 136))}.${part}`;
      return `${whole_}.${otherOf(random, ['1', '2', '3', '6', '7', '9', '05', '25', '47', '75', '825', '975'], part)}`;
    }
  }
}

const SIDE: Readonly<Record<string, string>> = { L: ' left', R: ' right' };

/** The value in standard words; with its carrier word or unit as in the conventions of Task 1. */
export function say(slot: Valued, of: string, book: Book): string {
  switch (slot) {
    case 'altitude': {
      if (of.startsWith('F')) return `flight level ${of.endsWith('00') && book === 'icao' ? grouped(of.slice(1)) : single(of.slice(1))}`;
      const thousands = String(Math.floor(Number(of.slice(1)) / 1000));
      const hundreds = Number(of.slice(1)) % 1000;
      return `${single(thousands)} thousand${hundreds === 0 ? '' : ` ${single(String(hundreds / 100))} hundred`}${book === 'icao' ? ' feet' : ''}`;
    }
    case 'heading':
      return `heading ${single(of)}`;
    case 'runway':
      return `runway ${single(of.slice(0, 2))}${SIDE[of.slice(2)] ?? ''}`;
    case 'speed':
      return `${single(of)} knots`;
    case 'frequency':
      return single(of.replace('.', '')).replace(/^((?:\w+ ){3})/u, `$1${book === 'icao' ? 'decimal' : 'point'} `);
  }
}

/** The same value in another digit format (NUMBER_FORMAT of Table 2); undefined where the value has none. */
export function sayOtherwise(random: Random, slot: Valued, of: string, book: Book): string | undefined {
  const forms = otherForms(slot, of, book).filter((form) => form !== say(slot, of, book));
  return forms.length === 0 ? undefined : pick(random, forms as unknown as List<string>);
}

function otherForms(slot: Valued, of: string, book: Book): string[] {
  switch (slot) {
    case 'altitude': {
      const figures = of.slice(1);
      if (of.startsWith('F')) return [`FL${figures}`, `FL ${single(figures)}`, ...(figures.startsWith('0') ? [] : [`flight level ${grouped(figures)}`])];
      const thousands = Number(figures) / 1000;
      const feet = book === 'icao' ? ' feet' : '';
      return [`${figures}${feet}`, ...(Number.isInteger(thousands) ? (thousands >= 10 ? [`${pairOf(String(thousands))} thousand${feet}`] : [`${single(figures)}${feet}`]) : [`${thousands > 10 ? pairOf(String(Math.floor(thousands))) + ' five hundred' : `${pairOf(figures.slice(0, 2))} hundred`}${feet}`])];
    }
    case 'heading':
      return of.startsWith('0') ? [`heading ${of}`] : [`heading ${grouped(of)}`, `heading ${of}`];
    case 'runway':
      return [...(of.startsWith('0') ? [] : [`runway ${pairOf(of.slice(0, 2))}${SIDE[of.slice(2)] ?? ''}`]), `runway ${of}`];
    case 'speed':
      return [`${grouped(of)} knots`, `${of} knots`];
    case 'frequency': {
      const [mega = '', part = ''] = of.split('.');
      return [of, `${grouped(mega)} ${book === 'icao' ? 'decimal' : 'point'} ${part.length === 2 && !part.startsWith('0') ? pairOf(part) : single(part)}`];
    }
  }
}
