/**
 * Canonical values back to words, in ICAO and in FAA phraseology (Doc 4444 §12.3.1; FAA JO 7110.65 §2-4).
 */
import { DIGIT_NAMES, LETTER_NAMES } from './lexicon.js';
import { telephonyOf } from './telephony.js';

export type Style = 'icao' | 'faa';

const TEENS = ['ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'] as const;
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const;

/** "246" → "two four six". */
export const digitByDigit = (digits: string): string => digits.split('').map((digit) => DIGIT_NAMES[Number(digit)] ?? digit).join(' ');

function pair(digits: string): string {
  const [tens = '0', ones = '0'] = digits;
  if (tens === '0') return digitByDigit(digits);
  if (tens === '1') return TEENS[Number(ones)] ?? digitByDigit(digits);
  return `${TENS[Number(tens)] ?? ''}${ones === '0' ? '' : ` ${DIGIT_NAMES[Number(ones)] ?? ''}`}`;
}

/** Group form of up to four digits: "246" → "two forty six", "1072" → "ten seventy two". */
export function groupForm(digits: string): string {
  if (digits.length === 2) return pair(digits);
  if (digits.length === 3) return `${digitByDigit(digits.slice(0, 1))} ${pair(digits.slice(1))}`;
  if (digits.length === 4) return `${pair(digits.slice(0, 2))} ${pair(digits.slice(2))}`;
  return digitByDigit(digits);
}

const letters = (text: string): string => text.split('').map((char) => (/\d/u.test(char) ? (DIGIT_NAMES[Number(char)] ?? '') : (LETTER_NAMES[char] ?? char.toLowerCase()))).join(' ');

/** Feet as thousands and hundreds where that is exact, else digit by digit. */
function feet(amount: number): string {
  const thousands = Math.floor(amount / 1000);
  const hundreds = (amount % 1000) / 100;
  if (!Number.isInteger(hundreds) || amount < 100) return digitByDigit(String(amount));
  const head = thousands === 0 ? '' : `${digitByDigit(String(thousands))} thousand`;
  return [head, hundreds === 0 ? '' : `${DIGIT_NAMES[hundreds] ?? ''} hundred`].filter((part) => part !== '').join(' ');
}

/** Altitude or level: "FL100", "4000", "1200M". ICAO says whole hundreds as such ("flight level one hundred"). */
export function speakAltitude(value: string, style: Style = 'icao'): string {
  const level = /^FL(\d+)$/u.exec(value);
  if (level !== null) {
    const digits = level[1] ?? '';
    if (style === 'icao' && digits.length === 3 && digits.endsWith('00')) return `flight level ${DIGIT_NAMES[Number(digits[0])] ?? ''} hundred`;
    return `flight level ${digitByDigit(style === 'faa' ? digits.padStart(3, '0') : digits)}`;
  }
  const metres = /^(\d+)M$/u.exec(value);
  if (metres !== null) return `${feet(Number(metres[1]))} metres`;
  // "one hundred" alone would be taken for a flight level
  return `${feet(Number(value))}${style === 'icao' || Number(value) < 500 ? ' feet' : ''}`;
}

/** Heading "020" | "PRESENT" | "RUNWAY" | "L020". */
export function speakHeading(value: string): string {
  if (value === 'PRESENT') return 'present heading';
  if (value === 'RUNWAY') return 'runway heading';
  const change = /^([LR])(\d+)$/u.exec(value);
  if (change !== null) return `turn ${change[1] === 'L' ? 'left' : 'right'} ${digitByDigit(String(Number(change[2])))} degrees`;
  return `heading ${digitByDigit(value)}`;
}

/** Speed "180" | "M0.78". */
export function speakSpeed(value: string): string {
  const machNumber = /^M(\d)\.(\d+)$/u.exec(value);
  if (machNumber !== null) return `mach ${machNumber[1] === '0' ? '' : `${digitByDigit(machNumber[1] ?? '')} `}point ${digitByDigit(machNumber[2] ?? '')}`;
  return `${digitByDigit(value)} knots`;
}

/** Frequency "118.105". ICAO: six digits, the last two left out when both are zero; FAA: "point", final zeros left out. */
export function speakFrequency(value: string, style: Style = 'icao'): string {
  const [whole = '', fraction = ''] = value.split('.');
  const spoken = style === 'icao' ? (fraction.endsWith('00') ? fraction.slice(0, 1) : fraction) : fraction.replace(/0+$/u, '') || '0';
  return `${digitByDigit(whole)} ${style === 'icao' ? 'decimal' : 'point'} ${digitByDigit(spoken)}`;
}

/** Runway "07" | "16L"; FAA leaves out the leading zero. */
export function speakRunway(value: string, style: Style = 'icao'): string {
  const match = /^(\d{2})([LRC]?)$/u.exec(value);
  if (match === null) return `runway ${letters(value)}`;
  const [, digits = '', side = ''] = match;
  const name = { L: ' left', R: ' right', C: ' center' }[side] ?? '';
  return `runway ${digitByDigit(style === 'faa' ? String(Number(digits)) : digits)}${name}`;
}

/** QNH "1013" (hPa) or "29.92" (inches). */
export const speakPressure = (value: string): string =>
  value.includes('.') ? `altimeter ${digitByDigit(value.replace('.', ''))}` : `qnh ${digitByDigit(value)}`;

export const speakSquawk = (value: string): string => `squawk ${digitByDigit(value)}`;

/** Callsign in ICAO form: telephony and flight number, or a registration letter by letter. */
export function speakCallsign(value: string): string {
  const airline = /^([A-Z]{3})(\d[A-Z0-9]*)$/u.exec(value);
  const telephony = airline === null ? undefined : telephonyOf(airline[1] ?? '');
  if (airline !== null && telephony !== undefined) return `${telephony} ${letters(airline[2] ?? '')}`;
  return letters(value);
}

/** A canonical value of a slot in words. Names (fixes, stands …) come back in lower case. */
export function speakValue(slot: string, value: string, style: Style = 'icao'): string {
  switch (slot) {
    case 'altitude':
      return speakAltitude(value, style);
    case 'heading':
      return speakHeading(value);
    case 'speed':
      return speakSpeed(value);
    case 'frequency':
      return speakFrequency(value, style);
    case 'runway':
      return speakRunway(value, style);
    case 'qnh':
      return speakPressure(value);
    case 'squawk':
      return speakSquawk(value);
    case 'callsign':
      return speakCallsign(value);
    case 'taxiway':
    case 'holding_point':
    case 'stand':
      return letters(value);
    case 'distance':
      return `${digitByDigit(value.replace('.', ''))} miles`;
    default:
      return value.toLowerCase();
  }
}
