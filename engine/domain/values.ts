/**
 * Comparing canonical values slot by slot. Nothing here looks at confidence: how sure a reading is decides the verdict,
 * never which words are compared with which (worse evidence must not make a readback look better).
 */
import { spellingDistance } from './callsigns.js';
import type { Item, ValueSlot } from './understanding.js';

/**
 * equal; unit: same figure in another unit (flight level ↔ feet); incomplete: the readback is a cut or shortened form that
 * fits ("20.275" of 120.275, runway 16 of 16L is not: a side is a value); side: only left and right (or up and down) differ;
 * spelling: a name that differs by a letter or two; different.
 */
export type ValueRelation = 'equal' | 'unit' | 'incomplete' | 'spelling' | 'different';

/** A name without its vowels, doubled letters once. */
const consonants = (name: string): string => name.replace(/[AEIOUYH]/g, '').replace(/C|Q/g, 'K').replace(/Z/g, 'S').replace(/(.)\1+/g, '$1');

const stripZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

/** The digits of a frequency without its dot and trailing zeros: "118.100" → "1181". */
const frequencyDigits = (value: string): string => value.replace('.', '').replace(/0+$/, '');

/** Digits with which a value may be said when nothing says what it is. */
export function spokenDigits(slot: ValueSlot, value: string): readonly string[] {
  switch (slot) {
    case 'altitude': {
      const level = /^FL0*(\d+)$/.exec(value);
      if (level !== null) return [level[1] ?? ''];
      const feet = /^(\d+)M?$/.exec(value)?.[1];
      if (feet === undefined) return [];
      return feet.endsWith('000') ? [feet, feet.slice(0, -3)] : [feet];
    }
    case 'frequency':
      return [value.replace('.', ''), frequencyDigits(value)];
    case 'speed':
      return [value.replace(/^M0?\./, '')];
    case 'heading':
      return /^[LR]?\d+$/.test(value) ? [value.replace(/^[LR]/, ''), stripZeros(value.replace(/^[LR]/, ''))] : [];
    case 'squawk':
      return [value];
    case 'runway':
    case 'qnh':
    case 'distance':
    case 'time':
    case 'stand':
    case 'transition_level': {
      const digits = value.replace(/\D/g, '');
      return digits === '' || /[A-Z]/.test(value.replace(/^FL/, '')) ? [] : [digits, stripZeros(digits)];
    }
    case 'waypoint':
    case 'taxiway':
    case 'holding_point':
    case 'route':
    case 'procedure':
    case 'approach':
    case 'controller':
    case 'traffic':
    case 'wind':
    case 'information':
    case 'vertical_rate':
      return [];
  }
}

/** Relation of a readback's value to the instruction's, both of the same slot. */
export function compareValues(slot: ValueSlot, given: string, said: string, saidUnit?: string): ValueRelation {
  if (given === said) return 'equal';
  switch (slot) {
    case 'altitude':
    case 'transition_level':
      return compareLevels(given, said, saidUnit);
    case 'heading': {
      if (/^\d+$/.test(given) && /^\d+$/.test(said) && Number(given) % 360 === Number(said) % 360) return 'equal';
      const a = /^([LR]?)0*(\d+)$/.exec(given);
      const b = /^([LR]?)0*(\d+)$/.exec(said);
      // "turn left twenty degrees" → "twenty degrees": the figure without its side
      if (a !== null && b !== null && a[1] !== '' && b[1] === '' && a[2] === b[2]) return 'incomplete';
      return 'different';
    }
    case 'frequency': {
      const a = frequencyDigits(given);
      const b = frequencyDigits(said);
      if (a === b) return 'equal';
      return b.length >= 3 && (a.endsWith(b) || (a.startsWith(b) && b.length >= 4)) ? 'incomplete' : 'different';
    }
    case 'speed':
      if (given.startsWith('M') && said.startsWith('M') && Number(given.slice(1)) === Number(said.slice(1))) return 'equal';
      return 'different';
    case 'runway':
    case 'stand':
      return stripZeros(given) === stripZeros(said) ? 'equal' : 'different';
    case 'qnh':
      return given.replace('.', '') === said.replace('.', '') ? 'equal' : 'different';
    case 'waypoint':
    case 'procedure':
    case 'route':
      // the figure and letter of a departure or arrival are no spelling
      if (/\d/.test(given) && /\d/.test(said) && given.replace(/^\D+/, '') !== said.replace(/^\D+/, '')) return 'different';
      // a name that is no word comes in several spellings: a letter more, less or other, or other vowels (LYSS, LISA)
      return (given.length >= 4 && said.length >= 4 && spellingDistance(given, said) <= 1) || (Math.min(given.length, said.length) >= 4 && consonants(given) === consonants(said)) ? 'spelling' : 'different';
    case 'time':
      // minutes alone against hours and minutes
      return given.length === 4 && given.endsWith(said) && said.length === 2 ? 'equal' : 'different';
    case 'squawk':
    case 'distance':
    case 'taxiway':
    case 'holding_point':
    case 'approach':
    case 'controller':
    case 'traffic':
    case 'wind':
    case 'information':
    case 'vertical_rate':
      return 'different';
  }
}

function compareLevels(given: string, said: string, saidUnit: string | undefined): ValueRelation {
  const a = /^(FL)?0*(\d+)(M)?$/.exec(given);
  const b = /^(FL)?0*(\d+)(M)?$/.exec(said);
  if (a === null || b === null) return 'different';
  const kind = (m: RegExpExecArray): string => (m[1] === undefined ? (m[3] ?? 'ft') : 'FL');
  const figure = (m: RegExpExecArray): number => Number(m[2]);
  if (kind(a) === kind(b)) return figure(a) === figure(b) ? 'equal' : 'different';
  // "one one zero" without a unit for flight level 110
  if (saidUnit === undefined && kind(a) === 'FL' && kind(b) === 'ft' && figure(a) === figure(b)) return 'equal';
  const feet = (m: RegExpExecArray): number => (kind(m) === 'FL' ? figure(m) * 100 : figure(m));
  if (kind(a) !== 'M' && kind(b) !== 'M' && feet(a) === feet(b)) return 'unit';
  return figure(a) === figure(b) ? 'unit' : 'different';
}

/** The digits that were spoken for an item, without what the grammar added. */
export function digitsOf(item: Item): string {
  const spoken = item.bare === true ? (item.alternatives?.find((a) => /^\d+$/.test(a)) ?? item.value) : item.value;
  return spoken.replace(/\D/g, '');
}

/** Whether that many digits can be a value of the slot at all; a number without a carrier word that cannot be one is not its readback. */
export function couldBe(slot: ValueSlot, digits: string): boolean {
  const value = Number(digits);
  switch (slot) {
    case 'altitude':
    case 'transition_level':
      return digits.length >= 2 && (value <= 660 || (value >= 500 && value % 100 === 0));
    case 'heading':
      return digits.length === 3 && value <= 360;
    case 'speed':
      return digits.length === 3 && value >= 60;
    case 'runway':
      return digits.length === 2 && value >= 1 && value <= 36;
    case 'frequency':
      return digits.length >= 4 && digits.length <= 6;
    case 'qnh':
      return digits.length === 4 || (digits.length === 3 && value >= 900);
    case 'squawk':
      return /^[0-7]{4}$/.test(digits);
    case 'waypoint':
    case 'taxiway':
    case 'holding_point':
    case 'stand':
    case 'route':
    case 'procedure':
    case 'approach':
    case 'controller':
    case 'traffic':
    case 'distance':
    case 'time':
    case 'wind':
    case 'information':
    case 'vertical_rate':
      return false;
  }
}

/** Whether a number without a carrier word may be the end of that value, its start lost ("sixty" of 160, "two three" of 1023). */
export function bareEnds(slot: ValueSlot, value: string, item: Item): boolean {
  const digits = digitsOf(item);
  return digits.length >= 2 && spokenDigits(slot, value).some((whole) => whole.length > digits.length && whole.endsWith(digits));
}

/** Whether a number without a carrier word is that value: same digits. */
export function bareMatches(slot: ValueSlot, value: string, item: Item): boolean {
  const said = new Set([digitsOf(item), ...(item.alternatives ?? []).map((a) => a.replace(/\D/g, ''))].filter((d) => d !== ''));
  // a code has four digits, whatever they are
  return spokenDigits(slot, value).some((digits) => said.has(digits) || (slot !== 'squawk' && said.has(stripZeros(digits))));
}
