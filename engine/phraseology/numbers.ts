/**
 * Spoken and written numbers: digits ("two four six"), group form ("two forty-six", "ten seventy two"), hundreds and thousands, repeats
 * ("triple two"). A number is kept as the digits that it shows, so that leading zeros and the way of speaking do not get lost.
 */
import type { Token } from './tokens.js';

/** Digits that belong together and the tokens [from, to) that they came from. */
export interface Atom {
  readonly digits: string;
  readonly from: number;
  readonly to: number;
  /** Said with hundred or thousand, or written. */
  readonly scaled: boolean;
}

export interface NumberReading {
  /** All digits before the decimal. */
  readonly whole: string;
  /** Digits after the decimal, or undefined when none was said. */
  readonly fraction: string | undefined;
  readonly atoms: readonly Atom[];
  readonly fractionAtoms: readonly Atom[];
  /** Token positions [from, to). */
  readonly from: number;
  readonly to: number;
  /** It was said with hundred or thousand: a quantity, not a digit string. */
  readonly scaled: boolean;
  /** Digits were said across a hesitation: token positions where the number might start anew. */
  readonly gaps: readonly number[];
}

/** One digit group at `at`: digit, teen, tens (+ digit), repeat, written digits. */
function group(tokens: readonly Token[], at: number): Atom | undefined {
  const token = tokens[at];
  const part = token?.number;
  if (part === undefined) return undefined;
  if (part.kind === 'digits') return { digits: part.digits, from: at, to: at + 1, scaled: part.whole === true };
  if (part.kind === 'teen') return { digits: part.digits, from: at, to: at + 1, scaled: false };
  if (part.kind === 'tens') {
    const next = tokens[at + 1]?.number;
    // "twenty four", but "twenty zero" stays 20 and 0, and "two sixty | one two six decimal two", "three twenty | one four zero knots"
    // are two values
    if (beginsValue(tokens, at + 1)) return { digits: `${part.digit}0`, from: at, to: at + 1, scaled: false };
    if (next?.kind === 'digits' && !next.written && next.digits !== '0') return { digits: part.digit + next.digits, from: at, to: at + 2, scaled: false };
    return { digits: `${part.digit}0`, from: at, to: at + 1, scaled: false };
  }
  if (part.kind === 'repeat') {
    const next = tokens[at + 1]?.number;
    if (next?.kind === 'digits' && next.digits.length === 1) return { digits: next.digits.repeat(part.times), from: at, to: at + 2, scaled: false };
  }
  return undefined;
}

/** Three single digits and a decimal, a frequency between 100 and 199 MHz, or three and knots. */
function beginsValue(tokens: readonly Token[], at: number): boolean {
  const digit = (offset: number): string => {
    const part = tokens[at + offset]?.number;
    return part?.kind === 'digits' && !part.written && part.digits.length === 1 ? part.digits : '';
  };
  // "one sixty | three twenty knots"
  const tens = tokens[at + 1]?.number;
  if (tens?.kind === 'tens' && /^[1-3]$/u.test(digit(0)) && tokens[digit(2) !== '' && digit(2) !== '0' ? at + 3 : at + 2]?.text === 'knots') return true;
  const behind = tokens[at + 3];
  return /^[1-3]$/u.test(digit(0)) && digit(1) !== '' && digit(2) !== '' && ((digit(0) === '1' && behind?.number?.kind === 'decimal') || behind?.text === 'knots');
}

const isWritten = (tokens: readonly Token[], atom: Atom): boolean => {
  const part = tokens[atom.from]?.number;
  return part?.kind === 'digits' && part.written;
};

const isScale = (token: Token | undefined): 'hundred' | 'thousand' | undefined => {
  const kind = token?.number?.kind;
  return kind === 'hundred' || kind === 'thousand' ? kind : undefined;
};

const joinDigits = (atoms: readonly Atom[]): string => atoms.map((atom) => atom.digits).join('');

/** Takes from the end of `pending` the digits that "thousand" or "hundred" multiplies. The rest is another number before it. */
function multiplicand(pending: readonly Atom[], scale: 'hundred' | 'thousand'): Atom[] {
  const last = pending[pending.length - 1];
  if (last === undefined) return [];
  if (pending.length === 1) return [last];
  const before = pending[pending.length - 2];
  if (last.digits.length > 1 || before === undefined || before.digits.length > 1) return [last];
  // "one four thousand" is fourteen; "eight | four thousand" are two numbers, for no aircraft is told eighty-four thousand feet
  if (pending.length === 2) return scale === 'thousand' && Number(before.digits + last.digits) > 45 ? [last] : [before, last];
  // three digits and more: another number stands before this one. Only ten to nineteen thousand take two digits then, unless the rest
  // is a pressure setting with one digit ("one zero one one | six thousand")
  const rest = joinDigits(pending.slice(0, -1));
  return before.digits === '1' && !/^(?:9[4-9]\d|10[0-4]\d)$/u.test(rest) ? [before, last] : [last];
}

/**
 * Reads the number that starts at token `at`, or undefined when none does. A "thousand" ends a quantity: "six thousand one zero one one"
 * is 6000, and 1011 is left for the next call.
 */
export function readNumber(tokens: readonly Token[], at: number): NumberReading | undefined {
  const atoms: Atom[] = [];
  const gaps: number[] = [];
  let index = at;
  let scaled = false;
  while (index < tokens.length) {
    const token = tokens[index];
    if (token === undefined) break;
    if (index > at && token.parted === true) break;
    if (index > at && token.pause === true && atoms.length > 0 && !decimalAhead(tokens, index)) {
      // recognisers put a comma between numbers, and inside long ones: only a comma after a written number ends it
      const written = tokens[index - 1]?.number;
      if (written?.kind === 'digits' && written.written) break;
    }
    const scale = isScale(token);
    if (scale !== undefined) {
      if (atoms.length === 0) {
        // "a hundred", or the multiplier was lost
        if (index !== at) break;
        return undefined;
      }
      const factors = multiplicand(atoms, scale);
      const rest = atoms.slice(0, atoms.length - factors.length);
      if (rest.length > 0) {
        // another number stands before this quantity: stop in front of it
        return finish(rest, [], at, rest[rest.length - 1]?.to ?? index, false, gaps);
      }
      const quantity = readQuantity(tokens, factors, index);
      return finish([quantity], [], at, quantity.to, true, gaps);
    }
    const atom = group(tokens, index);
    if (atom === undefined) break;
    // "9,000 1013", "9000 1013": a quantity written out is whole
    const previous = atoms.at(-1);
    if (previous !== undefined && (atom.scaled || previous.scaled || (isWritten(tokens, previous) && isWritten(tokens, atom) && previous.digits.length >= 4 && atom.digits.length >= (previous.digits.endsWith('00') ? 2 : 3)))) break;
    if (index > at && token.gap === true) gaps.push(index);
    atoms.push(atom);
    index = atom.to;
    scaled = scaled || atom.scaled;
    if (atoms.length > 24) break;
  }
  let fractionAtoms: Atom[] = [];
  let to = index;
  if (tokens[index]?.number?.kind === 'decimal') {
    const after = fractionAfter(tokens, index + 1);
    if (after.length > 0) {
      fractionAtoms = after;
      to = after[after.length - 1]?.to ?? index + 1;
      if (atoms.length === 0 && tokens[at]?.text === 'comma') return undefined;
    }
  }
  if (atoms.length === 0 && fractionAtoms.length === 0) return undefined;
  return finish(atoms, fractionAtoms, at, to, scaled, gaps);
}

const decimalAhead = (tokens: readonly Token[], at: number): boolean => tokens[at]?.number?.kind === 'decimal';

function fractionAfter(tokens: readonly Token[], at: number): Atom[] {
  const atoms: Atom[] = [];
  let index = at;
  while (atoms.length < 6) {
    if (isScale(tokens[index]) !== undefined) break;
    const atom = group(tokens, index);
    if (atom === undefined) break;
    // "…decimal seven five | five thousand": the last digit belongs to the quantity
    if (isScale(tokens[atom.to]) !== undefined && atoms.length > 0) break;
    atoms.push(atom);
    index = atom.to;
  }
  return atoms;
}

function readQuantity(tokens: readonly Token[], factors: readonly Atom[], at: number): Atom {
  const from = factors[0]?.from ?? at;
  let index = at;
  let value = 0;
  let multiplier = Number(joinDigits(factors));
  let seenThousand = false;
  // "five thousand", "five thousand two hundred and forty one", "five hundred", "two hundred fifty"
  for (;;) {
    const scale = isScale(tokens[index]);
    if (scale === 'thousand' && !seenThousand) {
      value = (value + multiplier) * 1000;
      multiplier = 0;
      seenThousand = true;
      index++;
    } else if (scale === 'hundred') {
      value += multiplier * 100;
      multiplier = 0;
      index++;
      // "one hundred thousand" does not occur in radio talk
    } else break;
    const joined = tokens[index]?.text === 'and' && group(tokens, index + 1) !== undefined ? index + 1 : index;
    const next = group(tokens, joined);
    if (next === undefined || (tokens[joined]?.pause === true && scale === 'thousand' && tokens[joined - 1]?.number?.kind !== 'thousand')) break;
    const after = isScale(tokens[next.to]);
    if (after === 'hundred' && scale === 'thousand' && next.digits.length === 1) {
      multiplier = Number(next.digits);
      index = next.to;
      continue;
    }
    if (after !== undefined) break;
    const follower = group(tokens, next.to);
    // "one thousand five hundred | seven four golf mike": figures with letters behind them are an aircraft's
    if (joined === index && tokens[follower?.to ?? next.to]?.letter !== undefined && seenThousand) break;
    if (scale === 'hundred' && follower === undefined && next.digits.length <= 2 && tokens[next.to]?.number === undefined) {
      value += Number(next.digits);
      index = next.to;
    } else if (scale === 'hundred' && next.digits.length === 1 && follower?.digits.length === 1 && tokens[follower.to]?.number === undefined) {
      value += Number(next.digits + follower.digits);
      index = follower.to;
    } else if (scale === 'thousand' && joined !== index && follower === undefined && next.digits.length <= 2) {
      value += Number(next.digits);
      index = next.to;
    } else if (scale === 'thousand' && joined === index && next.digits.length === 1 && follower?.digits.length === 2 && group(tokens, follower.to) === undefined && isGroupForm(tokens, follower) && !/^(?:knots|degrees|miles)$/u.test(tokens[follower.to]?.text ?? '')) {
      // "four thousand two forty one"
      value += Number(next.digits + follower.digits);
      index = follower.to;
    }
    break;
  }
  return { digits: String(value + multiplier), from, to: index, scaled: true };
}

const isGroupForm = (tokens: readonly Token[], atom: Atom): boolean => {
  const kind = tokens[atom.from]?.number?.kind;
  return kind === 'tens' || kind === 'teen';
};

function finish(atoms: readonly Atom[], fractionAtoms: readonly Atom[], from: number, to: number, scaled: boolean, gaps: readonly number[]): NumberReading {
  return {
    whole: joinDigits(atoms),
    fraction: fractionAtoms.length === 0 ? undefined : joinDigits(fractionAtoms),
    atoms,
    fractionAtoms,
    from,
    to,
    scaled,
    gaps: gaps.filter((gap) => gap < to),
  };
}

/**
 * The first `count` digits of a reading, cut between atoms where that is possible.
 * Returns the digits and the token position behind them, or undefined when no cut gives exactly that many.
 */
export function firstDigits(reading: NumberReading, count: number): { readonly digits: string; readonly to: number } | undefined {
  let digits = '';
  for (const atom of reading.atoms) {
    digits += atom.digits;
    if (digits.length === count) return { digits, to: atom.to };
    if (digits.length > count) return undefined;
  }
  return undefined;
}
