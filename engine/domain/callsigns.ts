/**
 * Comparing callsigns in canonical form ("DLH9TP", "OKPMB", "STARJET417", "324"): the same aircraft, a shortened form
 * of it, or another one. Shortened forms: ICAO Annex 10 Vol. II §5.2.1.7.2.2 (first character and at least the last two of
 * a registration; designator and at least the last two of a registration), and what is heard besides: the flight
 * number without its designator, the designator with the end of the flight number.
 */

/**
 * same: equal. short: one is a shortened form of the other. unclear: may be (a character lost inside, a single letter
 * left). different: another aircraft.
 */
export type CallsignRelation = 'same' | 'short' | 'unclear' | 'different';

interface Parts {
  readonly letters: string;
  readonly flight: string;
}

/** "DLH9TP" → DLH + 9TP; "OKPMB" → all letters; "324" → all flight. */
function parts(callsign: string): Parts {
  const split = /^([A-Z]*)(\d.*)$/.exec(callsign);
  return split === null ? { letters: callsign, flight: '' } : { letters: split[1] ?? '', flight: split[2] ?? '' };
}

const normal = (callsign: string): string => callsign.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Whether `short` is `long` with characters left out, in order. */
function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const character of long) if (character === short[at]) at++;
  return at === short.length;
}

/** First character and at least the last two, or at least the last two alone. */
function shortensWhole(short: string, long: string): boolean {
  if (short.length >= long.length || short.length < 2) return false;
  if (long.endsWith(short)) return true;
  return short.length >= 3 && short.startsWith(long.charAt(0)) && long.endsWith(short.slice(1));
}

/** How two callsigns relate. Symmetric; case and punctuation do not count. */
export function compareCallsigns(first: string, second: string): CallsignRelation {
  const a = normal(first);
  const b = normal(second);
  if (a === b) return 'same';
  if (a === '' || b === '') return 'unclear';
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const s = parts(short);
  const l = parts(long);
  if (s.flight !== '' && l.flight !== '' && s.flight === l.flight) {
    // the same number: a designator left out, cut at its head or down to its first letter is a shortening, another designator another operator
    if (s.letters === '' || l.letters.endsWith(s.letters) || (s.letters.length === 1 && l.letters.startsWith(s.letters))) return 'short';
    // names that are no ICAO designator may be one name heard in two ways, and no operator is one letter of the alphabet
    if (s.letters.length === 1 && s.letters !== 'N' && s.flight.length >= 2) return 'unclear';
    return s.letters.length > 3 || l.letters.length > 3 ? 'unclear' : 'different';
  }
  // a zero before the number is a recogniser's: no flight number begins with one
  const trimmed = [s.flight, l.flight].map((flight) => flight.replace(/^0+(?=\d)/, ''));
  if (s.flight !== '' && l.flight !== '' && trimmed[0] === trimmed[1]) return 'unclear';
  // operator and number both one character off: rather one name heard in two ways than the slip of a tongue
  if (s.letters.length === 3 && l.letters.length === 3 && s.letters !== l.letters && editDistance(s.letters, l.letters) === 1 && s.flight !== l.flight && s.flight.length >= 2 && l.flight.length >= 2 && editDistance(s.flight, l.flight) === 1) return 'unclear';
  if (shortensWhole(short, long)) {
    // a number must not be cut into: "24" is no shortened "1224" unless the operator is said as well
    const cutsNumber = /^\d/.test(short) && l.flight.length > s.flight.length && /^\d+$/.test(l.flight);
    return cutsNumber && s.letters === '' && short.length < 3 ? 'unclear' : 'short';
  }
  if (s.letters !== '' && l.flight !== '') {
    // designator and the end of the flight part: "lufthansa tango papa", "lufthansa mike"
    // nobody leaves out the first digits of a flight number: "air france three five" of 335, "two victor" of 32V may be another flight
    if (s.flight !== '' && s.letters === l.letters && l.flight.endsWith(s.flight)) return 'unclear';
    if (s.flight === '' && l.letters !== '' && s.letters.startsWith(l.letters)) {
      const tail = s.letters.slice(l.letters.length);
      if (tail === '') return 'unclear';
      if (l.flight.endsWith(tail)) return 'short';
    }
  }
  // letters that go on behind a registration may be the next word's ("… delta uniform november whiskey")
  if (short.length >= 3 && s.flight === '' && long.startsWith(short)) return 'unclear';
  if (short.length >= 2 && long.length - short.length === 1 && short.at(-1) === long.at(-1) && !/\d/.test(short) && isSubsequence(short, long)) return 'unclear';
  return 'different';
}

/** Insertions, deletions, substitutions and swaps of neighbours between two short strings, up to a limit of 2. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((rows[i - 1]?.[j] ?? 9) + 1, (row[j - 1] ?? 9) + 1, (rows[i - 1]?.[j - 1] ?? 9) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (rows[i - 2]?.[j - 2] ?? 9) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 9;
}

/**
 * Whether two different aircraft have callsigns that are easily taken for each other: the same number with another
 * operator, one character changed or two swapped, or registrations that shorten to the same form.
 */
export function areSimilarCallsigns(first: string, second: string): boolean {
  const a = normal(first);
  const b = normal(second);
  if (compareCallsigns(a, b) !== 'different') return false;
  const pa = parts(a);
  const pb = parts(b);
  if (pa.flight !== '' && pb.flight !== '') {
    if (pa.flight === pb.flight) return pa.flight.length >= 2;
    return pa.letters === pb.letters && pa.flight.length >= 2 && pb.flight.length >= 2 && editDistance(pa.flight, pb.flight) === 1;
  }
  if (pa.flight !== '' || pb.flight !== '' || a.length < 4 || b.length < 4) return false;
  return editDistance(a, b) === 1 || (a.charAt(0) === b.charAt(0) && a.slice(-2) === b.slice(-2));
}

/** Edit distance with swaps of two words or names, cut off above 2; for names that a recogniser spells in several ways. */
export const spellingDistance = (a: string, b: string): number => editDistance(a.toUpperCase(), b.toUpperCase());
