/**
 * Properties of the rules judge over generated exchanges: what must not change a verdict, what must, and that worse evidence
 * never makes a readback look better (J29). Texts go through the real parser. fast-check prints the seed of a failure.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { riskRank, type Profile } from '../domain/taxonomy.js';
import type { Guard, GuardReason, Understanding } from '../domain/understanding.js';
import { GuardReason as GuardReasons } from '../domain/understanding.js';
import { understand } from '../understanding/index.js';
import { judgeByRules } from './index.js';

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;
const say = (digits: string): string => Array.from(digits).map((d) => DIGITS[Number(d)] ?? '').join(' ');
const AIRLINES = ['lufthansa', 'speedbird', 'ryanair', 'klm', 'swiss', 'austrian', 'delta', 'united', 'emirates', 'finnair', 'iberia', 'turkish'] as const;
const LETTERS = ['alfa', 'bravo', 'charlie', 'foxtrot', 'golf', 'kilo', 'papa', 'tango', 'whiskey', 'zulu'] as const;

/** One element of an instruction: as given, as read back, and as read back with one thing changed. */
interface Part {
  readonly kind: string;
  readonly given: string;
  readonly right: string;
  readonly wrong: string;
  readonly critical: boolean;
}

const digit = fc.integer({ min: 0, max: 9 });
/** Another digit at one place, never the same value. */
const changed = (digits: string, at: number, by: number): string => Array.from(digits).map((d, i) => (i === at % digits.length ? String((Number(d) + 1 + (by % 9)) % 10) : d)).join('');

const level: fc.Arbitrary<Part> = fc.record({ climb: fc.boolean(), level: fc.integer({ min: 6, max: 41 }), other: fc.integer({ min: 6, max: 41 }) }).filter((x) => x.level !== x.other).map(({ climb, level: l, other }) => {
  const verb = climb ? 'climb' : 'descend';
  const words = (n: number): string => `flight level ${say(String(n * 10))}`;
  return { kind: 'altitude', given: `${verb} ${words(l)}`, right: `${verb} ${words(l)}`, wrong: `${verb} ${words(other)}`, critical: true };
});
const feet: fc.Arbitrary<Part> = fc.record({ thousand: fc.integer({ min: 2, max: 9 }), other: fc.integer({ min: 2, max: 9 }) }).filter((x) => x.thousand !== x.other).map(({ thousand, other }) => {
  const words = (n: number): string => `${say(String(n))} thousand feet`;
  return { kind: 'altitude', given: `descend ${words(thousand)}`, right: `descend ${words(thousand)}`, wrong: `descend ${words(other)}`, critical: true };
});
const heading: fc.Arbitrary<Part> = fc.record({ left: fc.boolean(), degrees: fc.integer({ min: 1, max: 36 }), other: fc.integer({ min: 1, max: 36 }), swap: fc.boolean() }).filter((x) => x.degrees !== x.other).map(({ left, degrees, other, swap }) => {
  const words = (n: number): string => `heading ${say(String(n * 10).padStart(3, '0'))}`;
  const side = left ? 'left' : 'right';
  return { kind: 'heading', given: `turn ${side} ${words(degrees)}`, right: `${side} ${words(degrees)}`, wrong: swap ? `turn ${left ? 'right' : 'left'} ${words(degrees)}` : `${side} ${words(other)}`, critical: true };
});
const speed: fc.Arbitrary<Part> = fc.record({ knots: fc.integer({ min: 15, max: 30 }), other: fc.integer({ min: 15, max: 30 }) }).filter((x) => x.knots !== x.other).map(({ knots, other }) => ({
  kind: 'speed',
  given: `reduce speed ${say(String(knots * 10))} knots`,
  right: `reduce speed ${say(String(knots * 10))} knots`,
  wrong: `reduce speed ${say(String(other * 10))} knots`,
  critical: false,
}));
const frequency: fc.Arbitrary<Part> = fc.record({ mega: fc.integer({ min: 118, max: 136 }), tenth: digit, other: digit }).filter((x) => x.tenth !== x.other).map(({ mega, tenth, other }) => ({
  kind: 'frequency',
  given: `contact radar ${say(String(mega))} decimal ${say(String(tenth))}`,
  right: `contact radar ${say(String(mega))} decimal ${say(String(tenth))}`,
  wrong: `contact radar ${say(String(mega))} decimal ${say(String(other))}`,
  critical: false,
}));
const runway: fc.Arbitrary<Part> = fc.record({ number: fc.integer({ min: 1, max: 36 }), side: fc.constantFrom('', ' left', ' right'), other: fc.integer({ min: 1, max: 36 }), swap: fc.boolean() }).filter((x) => x.number !== x.other).map(({ number, side, other, swap }) => {
  const words = (n: number, s: string): string => `cleared ils approach runway ${say(String(n).padStart(2, '0'))}${s}`;
  const wrong = swap && side !== '' ? words(number, side === ' left' ? ' right' : ' left') : words(other, side);
  return { kind: 'runway', given: words(number, side), right: words(number, side), wrong, critical: true };
});

interface Case {
  readonly callsign: string;
  readonly otherCallsign: string;
  readonly shortCallsign: string;
  readonly parts: readonly Part[];
}

const exchange: fc.Arbitrary<Case> = fc
  .record({
    airline: fc.constantFrom(...AIRLINES),
    number: fc.tuple(fc.integer({ min: 1, max: 9 }), digit, digit).map((d) => d.join('')),
    letter: fc.constantFrom(...LETTERS),
    at: fc.nat(2),
    by: fc.nat(8),
    parts: fc.tuple(fc.oneof(level, feet), fc.option(heading, { nil: undefined }), fc.option(speed, { nil: undefined }), fc.option(fc.oneof(frequency, runway), { nil: undefined })),
  })
  .map(({ airline, number, letter, at, by, parts }) => ({
    callsign: `${airline} ${say(number)} ${letter}`,
    otherCallsign: `${airline} ${say(changed(number, at, by))} ${letter}`,
    shortCallsign: `${say(number)} ${letter}`,
    parts: parts.filter((p): p is Part => p !== undefined),
  }));

const u = (text: string): Understanding => understand({ id: 'x', text });
const judge = (instruction: string, readback: string, profile: Profile) => judgeByRules({ instruction: u(instruction), readback: u(readback), profile });
const instructionOf = (c: Case): string => `${c.callsign} ${c.parts.map((p) => p.given).join(' ')}`;
const readbackOf = (c: Case, callsign = c.callsign, words: (p: Part, i: number) => string = (p) => p.right): string => `${c.parts.map(words).filter((w) => w !== '').join(' ')} ${callsign}`;
const profile = fc.constantFrom<Profile>('paper', 'icao');
const runs = { numRuns: 250 };

describe('what must not change a right verdict', () => {
  test('J23 as given, callsign at the end', () => {
    fc.assert(fc.property(exchange, profile, (c, p) => { expect(judge(instructionOf(c), readbackOf(c), p)).toMatchObject({ verdict: 'correct', error_type: 'CORRECT' }); }), runs);
  });
  test('J23 a filler before any part', () => {
    fc.assert(
      fc.property(exchange, fc.nat(), fc.constantFrom('uh', 'um', 'er'), profile, (c, at, filler, p) => {
        const finding = judge(instructionOf(c), readbackOf(c, c.callsign, (part, i) => (i === at % c.parts.length ? `${filler} ${part.right}` : part.right)), p);
        expect(finding).toMatchObject({ verdict: 'correct', error_type: 'FILLER_CORRECT' });
      }),
      runs,
    );
  });
  test('another order, callsign first', () => {
    fc.assert(fc.property(exchange, profile, (c, p) => { expect(judge(instructionOf(c), `${c.callsign} ${[...c.parts].reverse().map((x) => x.right).join(' ')}`, p).verdict).toBe('correct'); }), runs);
  });
  // in front: behind a number without a unit its digits would run on, and nobody could tell them apart
  test('J15 the callsign without its designator', () => {
    fc.assert(fc.property(exchange, profile, (c, p) => { expect(judge(instructionOf(c), `${c.shortCallsign} ${c.parts.map((x) => x.right).join(' ')}`, p).verdict).toBe('correct'); }), runs);
  });
  test('case and punctuation', () => {
    fc.assert(
      fc.property(exchange, profile, (c, p) => {
        const text = readbackOf(c);
        expect(judge(instructionOf(c), `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/ (heading|contact|reduce|cleared)/g, ', $1')}.`, p).verdict).toBe('correct');
      }),
      runs,
    );
  });
});

describe('what must change it', () => {
  test('J5 J8 one wrong value: an error of its level', () => {
    fc.assert(
      fc.property(exchange, fc.nat(), profile, (c, at, p) => {
        const wrong = c.parts[at % c.parts.length];
        const finding = judge(instructionOf(c), readbackOf(c, c.callsign, (part) => (part === wrong ? part.wrong : part.right)), p);
        expect(finding).toMatchObject({ verdict: 'error', error_type: wrong?.critical === true ? 'VALUE_CRITICAL' : 'VALUE_HIGH', affected_slot: wrong?.kind });
      }),
      runs,
    );
  });
  test('J14 one part left out: an omission of its level', () => {
    fc.assert(
      fc.property(exchange.filter((c) => c.parts.length > 1), fc.nat(), profile, (c, at, p) => {
        const missing = c.parts[at % c.parts.length];
        const finding = judge(instructionOf(c), readbackOf(c, c.callsign, (part) => (part === missing ? '' : part.right)), p);
        expect(finding).toMatchObject({ verdict: 'error', error_type: missing?.critical === true ? 'OMISSION_CRITICAL' : 'OMISSION_HIGH', affected_slot: missing?.kind });
      }),
      runs,
    );
  });
  test('J15 one digit of the callsign', () => {
    fc.assert(fc.property(exchange, profile, (c, p) => { expect(judge(instructionOf(c), readbackOf(c, c.otherCallsign), p)).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' }); }), runs);
  });
  test('J21 two critical values', () => {
    fc.assert(
      fc.property(exchange.filter((c) => c.parts.filter((x) => x.critical).length > 1), profile, (c, p) => {
        const finding = judge(instructionOf(c), readbackOf(c, c.callsign, (part) => (part.critical ? part.wrong : part.right)), p);
        expect(finding).toMatchObject({ verdict: 'error', error_type: 'MULTI_ERROR', risk_level: 'EXTREME' });
      }),
      runs,
    );
  });
  test('roger alone', () => {
    fc.assert(fc.property(exchange, profile, (c, p) => { expect(judge(instructionOf(c), `roger ${c.callsign}`, p)).toMatchObject({ verdict: 'error', error_type: 'OMISSION_CRITICAL' }); }), runs);
  });
});

describe('J29 worse evidence', () => {
  /** Lowers confidences everywhere by factors that come one after another. */
  const worse = (original: Understanding, factors: readonly number[]): Understanding => {
    let at = 0;
    const lower = (value: number): number => value * (factors[at++ % factors.length] ?? 1);
    return {
      ...original,
      confidence: lower(original.confidence),
      role_confidence: lower(original.role_confidence),
      items: original.items.map((i) => ({ ...i, confidence: lower(i.confidence) })),
      commands: original.commands.map((i) => ({ ...i, confidence: lower(i.confidence) })),
      conditions: original.conditions.map((i) => ({ ...i, confidence: lower(i.confidence) })),
      callsign_candidates: original.callsign_candidates.map((i) => ({ ...i, score: lower(i.score) })),
    };
  };
  const guards: fc.Arbitrary<Guard[]> = fc.array(fc.constantFrom<GuardReason>(...GuardReasons.options).map((reason) => ({ reason, detail: `${reason}.` })), { maxLength: 3 });
  const factors = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 });
  const outcome = fc.constantFrom<'right' | 'wrong' | ''>('right', 'wrong', '');

  test('never lowers a level and never makes an error or a doubt correct', () => {
    fc.assert(
      fc.property(exchange, fc.array(outcome, { minLength: 4, maxLength: 4 }), fc.boolean(), profile, factors, factors, guards, guards, fc.double({ min: 0, max: 1, noNaN: true }), (c, outcomes, other, p, f1, f2, g1, g2, pairing) => {
        const instruction = u(instructionOf(c));
        const readback = u(
          readbackOf(c, other ? c.otherCallsign : c.callsign, (part, i) => {
            const kind = outcomes[i];
            return kind === 'wrong' ? part.wrong : kind === 'right' ? part.right : '';
          }),
        );
        const before = judgeByRules({ instruction, readback, profile: p });
        const after = judgeByRules({ instruction: worse(instruction, f1), readback: worse(readback, f2), profile: p, guards: { instruction: g1, readback: g2 }, pairingConfidence: pairing });
        expect(riskRank(after.risk_level)).toBeGreaterThanOrEqual(riskRank(before.risk_level));
        if (before.verdict !== 'correct') expect(after.verdict).not.toBe('correct');
        if (before.verdict === 'uncertain') expect(after.verdict).toBe('uncertain');
      }),
      { numRuns: 800 },
    );
  });

  test('nor do words that were heard less surely, which the parser reads', () => {
    const heard = (text: string, factors_: readonly number[], callsign: readonly string[] = []): Understanding => understand({ id: 'x', text, words: text.split(' ').map((word, i) => ({ text: word, confidence: factors_[i % factors_.length] ?? 1 })), heard: callsign });
    fc.assert(
      fc.property(exchange, fc.array(outcome, { minLength: 4, maxLength: 4 }), fc.boolean(), profile, factors, factors, (c, outcomes, other, p, f1, f2) => {
        const said = instructionOf(c);
        const back = readbackOf(c, other ? c.otherCallsign : c.callsign, (part, i) => (outcomes[i] === 'wrong' ? part.wrong : outcomes[i] === 'right' ? part.right : ''));
        const judged = (one: readonly number[], two: readonly number[]): ReturnType<typeof judgeByRules> => {
          const instruction = heard(said, one);
          return judgeByRules({ instruction, readback: heard(back, two, instruction.callsign === null ? [] : [instruction.callsign]), profile: p });
        };
        const [before, after] = [judged([1], [1]), judged(f1, f2)];
        expect(riskRank(after.risk_level)).toBeGreaterThanOrEqual(riskRank(before.risk_level));
        if (before.verdict !== 'correct') expect(after.verdict).not.toBe('correct');
      }),
      { numRuns: 800 },
    );
  });

  test('an untrustworthy text is never called right', () => {
    fc.assert(
      fc.property(exchange, fc.constantFrom<GuardReason>('repetition', 'no-speech', 'low-confidence', 'text-too-long-for-audio', 'too-many-tokens-per-second', 'recogniser-failed'), (c, reason) => {
        const finding = judgeByRules({ instruction: u(instructionOf(c)), readback: u(readbackOf(c)), profile: 'icao', guards: { instruction: [], readback: [{ reason, detail: 'Told.' }] } });
        expect(finding.verdict).toBe('uncertain');
      }),
      { numRuns: 100 },
    );
  });
});

test('a judgement takes at most a millisecond (median)', () => {
  const pairs = fc.sample(exchange, 400).map((c) => ({ instruction: u(instructionOf(c)), readback: u(readbackOf(c)) }));
  for (const pair of pairs) judgeByRules({ ...pair, profile: 'icao' });
  const times = pairs.map((pair) => {
    const start = performance.now();
    judgeByRules({ ...pair, profile: 'icao' });
    return performance.now() - start;
  });
  times.sort((a, b) => a - b);
  expect(times[200]).toBeLessThan(1);
});
