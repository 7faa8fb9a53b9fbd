/**
 * Metamorphic tests over generated exchanges, 2,400 a run: how a right readback is said never changes its verdict (number format, filler,
 * order, shortened callsign), and one other digit, unit, letter, side or callsign always does. The seed is new in every run and is
 * printed; FC_SEED=n repeats a run.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupForm, isKnownWord, telephonyAt, tokenise } from '../phraseology/index.js';
import { understand } from '../understanding/index.js';
import { judgeByRules } from './index.js';

const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
process.stdout.write(`metamorphic tests of the rules judge: seed ${seed}\n`);

const NAMES = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;
const LETTERS: Readonly<Record<string, string>> = { A: 'alfa', B: 'bravo', C: 'charlie', E: 'echo', F: 'foxtrot', G: 'golf', K: 'kilo', N: 'november', P: 'papa', T: 'tango', W: 'whiskey' };
const digits = (text: string): string => Array.from(text).map((d) => NAMES[Number(d)] ?? '').join(' ');
const side = (s: string): string => ({ L: ' left', R: ' right', C: ' center' })[s] ?? '';

/** One instruction: how the controller says it, every way in which it may come back, and every single change that makes it another one. */
interface Part {
  readonly kind: string;
  readonly given: string;
  readonly right: readonly string[];
  readonly wrong: Readonly<Record<string, string>>;
}

/** Another digit at one place. */
const other = (text: string, at: number, by: number): string => {
  const place = at % text.length;
  return Array.from(text).map((d, i) => (i === place ? String((Number(d) + 1 + (by % 9)) % 10) : d)).join('');
};
const twist = { at: fc.nat(5), by: fc.nat(8) };

const flightLevel = fc.record({ tens: fc.integer({ min: 5, max: 40 }), to: fc.integer({ min: 5, max: 40 }), climb: fc.boolean() }).filter((p) => p.tens !== p.to).map(({ tens, to, climb }): Part => {
  const level = String(tens * 10);
  const verb = climb ? 'climb' : 'descend';
  return {
    kind: 'altitude',
    given: `${verb} flight level ${digits(level)}`,
    right: [`${verb} flight level ${digits(level)}`, `${verb} FL${level}`, `${verb} flight level ${level}`, `${climb ? 'climbing' : 'descending'} level ${digits(level)}`, `level ${level}`],
    wrong: { digit: `${verb} flight level ${digits(String(to * 10))}`, unit: `${verb} ${groupForm(String(tens))} thousand feet`, direction: `${climb ? 'descending' : 'climbing'} flight level ${digits(level)}` },
  };
});
const feet = fc.record({ thousands: fc.integer({ min: 2, max: 9 }), to: fc.integer({ min: 2, max: 9 }) }).filter((p) => p.thousands !== p.to).map(({ thousands, to }): Part => ({
  kind: 'altitude',
  given: `descend ${digits(String(thousands))} thousand feet`,
  right: [`descend ${digits(String(thousands))} thousand feet`, `descend ${thousands}000 feet`, `descending ${digits(String(thousands))} thousand`, `down to ${digits(String(thousands))} thousand feet`, `descend ${thousands},000 ft`],
  wrong: { digit: `descend ${digits(String(to))} thousand feet`, unit: `descend ${digits(String(thousands))} thousand metres`, direction: `climbing ${digits(String(thousands))} thousand feet` },
}));
const heading = fc.record({ tens: fc.integer({ min: 1, max: 36 }), to: fc.integer({ min: 1, max: 36 }), left: fc.boolean() }).filter((p) => p.tens !== p.to).map(({ tens, to, left }): Part => {
  const value = String(tens * 10).padStart(3, '0');
  const turn = left ? 'left' : 'right';
  return {
    kind: 'heading',
    given: `turn ${turn} heading ${digits(value)}`,
    right: [`turn ${turn} heading ${digits(value)}`, `${turn} heading ${value}`, `turning ${turn} ${digits(value)}`, `turn ${turn} to heading ${digits(value)}`, `${turn} turn heading ${digits(value)}`],
    wrong: { digit: `${turn} heading ${digits(String(to * 10).padStart(3, '0'))}`, side: `turn ${left ? 'right' : 'left'} heading ${digits(value)}` },
  };
});
const speed = fc.record({ tens: fc.integer({ min: 15, max: 30 }), to: fc.integer({ min: 15, max: 30 }) }).filter((p) => p.tens !== p.to).map(({ tens, to }): Part => {
  const value = String(tens * 10);
  return {
    kind: 'speed',
    given: `reduce speed ${digits(value)} knots`,
    right: [`reduce speed ${digits(value)} knots`, `speed ${value} knots`, `reducing ${groupForm(value)} knots`, `${digits(value)} knots`, `speed ${value}kt`],
    wrong: { digit: `reduce speed ${digits(String(to * 10))} knots` },
  };
});
const frequency = fc.record({ whole: fc.integer({ min: 118, max: 135 }), end: fc.constantFrom('1', '3', '45', '725', '105', '9'), ...twist }).map(({ whole, end, at, by }): Part => {
  const said = `${digits(String(whole))} decimal ${digits(end)}`;
  return {
    kind: 'frequency',
    given: `contact radar ${said}`,
    right: [`contact radar ${said}`, `radar ${whole}.${end}`, `contact radar ${digits(String(whole))} point ${digits(end)}`, `contacting radar on ${said}`, `radar one ${groupForm(String(whole).slice(1))} decimal ${digits(end)}`],
    wrong: { digit: `contact radar ${digits(String(whole))} decimal ${digits(other(end.slice(0, 1), at, by) + end.slice(1))}` },
  };
});
const landing = fc.record({ number: fc.integer({ min: 1, max: 36 }), to: fc.integer({ min: 1, max: 36 }), letter: fc.constantFrom('', 'L', 'R') }).filter((p) => p.number !== p.to).map(({ number, to, letter }): Part => {
  const value = String(number).padStart(2, '0');
  const wrong: Record<string, string> = { digit: `cleared to land runway ${digits(String(to).padStart(2, '0'))}${side(letter)}`, clearance: `line up runway ${digits(value)}${side(letter)}` };
  if (letter !== '') wrong['side'] = `cleared to land runway ${digits(value)}${side(letter === 'L' ? 'R' : 'L')}`;
  return {
    kind: 'runway',
    given: `runway ${digits(value)}${side(letter)} cleared to land`,
    right: [`runway ${digits(value)}${side(letter)} cleared to land`, `cleared to land ${digits(value)}${side(letter)}`, `cleared to land runway ${value}${letter}`, `clear to land runway ${value}${side(letter)}`],
    wrong,
  };
});
const pressure = fc.record({ value: fc.integer({ min: 990, max: 1035 }), to: fc.integer({ min: 990, max: 1035 }) }).filter((p) => p.value !== p.to).map(({ value, to }): Part => ({
  kind: 'qnh',
  given: `qnh ${digits(String(value))}`,
  right: [`qnh ${digits(String(value))}`, `q n h ${digits(String(value))}`, `QNH ${value}`, `Q_N_H ${value} hectopascals`],
  wrong: { digit: `qnh ${digits(String(to))}` },
}));
const code = fc.record({ code: fc.tuple(fc.integer({ min: 1, max: 7 }), fc.nat(7), fc.nat(7), fc.integer({ min: 1, max: 7 })), at: fc.nat(3), by: fc.nat(6) }).map(({ code: octal, at, by }): Part => {
  const value = octal.join('');
  const changed = octal.map((d, i) => (i === at ? (d + 1 + by) % 8 : d)).join('');
  return { kind: 'squawk', given: `squawk ${digits(value)}`, right: [`squawk ${digits(value)}`, `squawking ${value}`, `squawk code ${digits(value)}`], wrong: { digit: `squawk ${digits(changed)}` } };
});
const fix = fc.tuple(fc.constantFrom(...'bdfgklmnprstvz'.split('')), fc.constantFrom(...'aeiou'.split('')), fc.constantFrom(...'bdgklmnprstvx'.split('')), fc.constantFrom(...'aeiou'.split('')), fc.constantFrom(...'bdkmprtvz'.split(''))).map((c) => c.join('')).filter((name) => tokenise([name])[0]?.text === name && tokenise([name])[0]?.filler === undefined && !isKnownWord(name) && telephonyAt([name], 0, true) === undefined);
/** Names that nobody takes for each other: every consonant another one. */
const fixes = fc.tuple(fix, fix).filter(([a, b]) => [0, 2, 4].every((i) => a[i] !== b[i]));
const direct = fixes.map(([name, to]): Part => ({ kind: 'waypoint', given: `proceed direct ${name}`, right: [`proceed direct ${name}`, `direct ${name}`, `direct to ${name}`, `proceeding direct ${name.toUpperCase()}`], wrong: { name: `direct ${to}` } }));
const point = fc.record({ letter: fc.constantFrom(...Object.keys(LETTERS)), to: fc.constantFrom(...Object.keys(LETTERS)), number: fc.integer({ min: 1, max: 9 }), ...twist }).filter((p) => p.letter !== p.to).map(({ letter, to, number, at, by }): Part => {
  const name = `${LETTERS[letter] ?? ''} ${digits(String(number))}`;
  return {
    kind: 'holding_point',
    given: `taxi to holding point ${name}`,
    right: [`taxi to holding point ${name}`, `taxi holding point ${letter}${number}`, `taxiing to holding point ${name}`, `holding point ${name}`],
    wrong: { letter: `taxi to holding point ${LETTERS[to] ?? ''} ${digits(String(number))}`, digit: `taxi to holding point ${LETTERS[letter] ?? ''} ${digits(other(String(number), at, by))}` },
  };
});
const gated = fc.record({ names: fixes, tens: fc.integer({ min: 5, max: 40 }) }).map(({ names: [name, to], tens }): Part => {
  const level = `climb flight level ${digits(String(tens * 10))}`;
  return {
    kind: 'altitude',
    given: `after passing ${name} ${level}`,
    right: [`after passing ${name} ${level}`, `when passing ${name} ${level}`, `after ${name} ${level}`, `${level} after passing ${name}`, `once past ${name} climb FL${tens * 10}`],
    wrong: { gate: `after passing ${to} ${level}`, dropped: level, before: `before ${name} ${level}` },
  };
});

const part = fc.oneof(flightLevel, feet, heading, speed, frequency, landing, pressure, code, direct, point, gated);
const aircraft = fc.record({ airline: fc.constantFrom('lufthansa', 'speedbird', 'ryanair', 'klm', 'swiss', 'austrian', 'finnair', 'iberia', 'turkish'), number: fc.integer({ min: 100, max: 999 }), letter: fc.constantFrom(...Object.keys(LETTERS)), ...twist });
const exchange = fc.record({
  aircraft,
  parts: fc.uniqueArray(part, { minLength: 1, maxLength: 3, selector: (p) => p.kind }),
  pick: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
  order: fc.nat(),
  filler: fc.constantFrom('', '', 'uh', 'um', 'er', 'ehm', 'roger'),
  fillerAt: fc.nat(),
  form: fc.constantFrom('end', 'start', 'short', 'group', 'code'),
  letters: fc.constantFrom('lower', 'title', 'upper'),
  mistake: fc.nat(),
});
type Exchange = typeof exchange extends fc.Arbitrary<infer T> ? T : never;

const full = ({ airline, number, letter }: { airline: string; number: number; letter: string }): string => `${airline} ${digits(String(number))} ${LETTERS[letter] ?? ''}`;
const written = (text: string, how: Exchange['letters']): string => (how === 'lower' ? text : how === 'upper' ? text.toUpperCase() : text.replace(/\b[a-z]/gu, (c) => c.toUpperCase()));

/** The readback: its parts in another order, with a filler, the callsign in one of its forms. */
function readback(x: Exchange, said: readonly string[], callsign = full(x.aircraft)): string {
  const turn = x.order % said.length;
  const parts = [...said.slice(turn), ...said.slice(0, turn)];
  if (x.filler === 'roger') parts.unshift('roger');
  else if (x.filler !== '') parts.splice(x.fillerAt % (parts.length + 1), 0, x.filler);
  const { airline, number, letter } = x.aircraft;
  const own = callsign === full(x.aircraft);
  const short = `${digits(String(number))} ${LETTERS[letter] ?? ''}`;
  const spoken = own && x.form === 'short' ? short : own && x.form === 'group' ? `${airline} ${groupForm(String(number))} ${LETTERS[letter] ?? ''}` : own && x.form === 'code' ? `${airline} ${number}${letter}` : callsign;
  return written(x.form === 'start' || x.form === 'short' ? `${spoken} ${parts.join(' ')}` : `${parts.join(' ')} ${spoken}`, x.letters);
}
const instruction = (x: Exchange): string => `${full(x.aircraft)} ${x.parts.map((p) => p.given).join(' ')}`;
const rightParts = (x: Exchange): string[] => x.parts.map((p, i) => p.right[(x.pick[i] ?? 0) % p.right.length] ?? p.given);
const judge = (given: string, said: string) => judgeByRules({ instruction: understand({ id: 'i', text: given }), readback: understand({ id: 'r', text: said }), profile: 'icao' });

describe(`seed ${seed}`, () => {
  test('J23 number format, filler, order, case and a shortened callsign never change a right verdict', () => {
    fc.assert(
      fc.property(exchange, (x) => {
        const said = readback(x, rightParts(x));
        const finding = judge(instruction(x), said);
        expect(finding.verdict, `${instruction(x)} | ${said}: ${finding.explanation}`).toBe('correct');
      }),
      { numRuns: 1200, seed },
    );
  });
  test('J5 J7 J8 J18 one other digit, unit, letter, side or name always does', () => {
    fc.assert(
      fc.property(exchange, (x) => {
        const at = x.mistake % x.parts.length;
        const wrong = Object.values(x.parts[at]?.wrong ?? {});
        const said = readback(x, rightParts(x).map((words, i) => (i === at ? (wrong[x.mistake % wrong.length] ?? words) : words)));
        const finding = judge(instruction(x), said);
        expect(finding.verdict, `${instruction(x)} | ${said}: ${finding.explanation}`).toBe('error');
      }),
      { numRuns: 800, seed },
    );
  });
  test('J15 one other digit or letter of the callsign, or another operator, always does', () => {
    fc.assert(
      fc.property(exchange, (x) => {
        const { number, letter, at, by } = x.aircraft;
        const letters = Object.keys(LETTERS);
        const changed =
          x.mistake % 3 === 0 ? full({ ...x.aircraft, number: Number(other(String(number), 1 + (at % 2), by)) })
          : x.mistake % 3 === 1 ? full({ ...x.aircraft, letter: letters[(letters.indexOf(letter) + 1 + (by % (letters.length - 1))) % letters.length] ?? letter })
          : full({ ...x.aircraft, airline: 'condor' });
        const said = readback(x, rightParts(x), changed);
        expect(judge(instruction(x), said), said).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
      }),
      { numRuns: 400, seed },
    );
  });
});
