import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areSimilarCallsigns, compareCallsigns, spellingDistance } from './callsigns.js';

describe('compareCallsigns', () => {
  test.each([
    ['DLH9TP', 'DLH9TP', 'same'],
    ['OK-KUN', 'OKKUN', 'same'],
    // ICAO Annex 10 Vol. II §5.2.1.7.2.2: first character and at least the last two
    ['HBKGO', 'HGO', 'short'],
    ['OKPRM', 'OPRM', 'short'],
    ['HBKGO', 'GO', 'short'],
    ['N582TB', '2TB', 'short'],
    ['DLH9TP', '9TP', 'short'],
    ['DLH27L', 'DLH7L', 'unclear'],
    ['QFA455', 'T455', 'unclear'],
    ['QFA455', 'N455', 'different'],
    ['DLH9TP', 'DLHTP', 'short'],
    ['DAL1122', 'D1122', 'short'],
    ['DLH25M', 'DLHM', 'short'],
    ['THY6FL', 'FL', 'short'],
    // one lost letter inside, letters that run on, one name in two spellings: may be
    ['OKPMB', 'OKMB', 'unclear'],
    ['AFR335', 'AFR35', 'unclear'],
    ['AFR421', 'AFR0421', 'unclear'],
    ['CSA1DL', 'USA1D', 'unclear'],
    ['FDU', 'FDUNW', 'unclear'],
    ['STARJET417', 'STARGET417', 'unclear'],
    // another aircraft
    ['BAW123', 'BAW132', 'different'],
    ['BAW123', 'SWR123', 'different'],
    ['BAW12', 'BAW123', 'different'],
    ['HBKGO', 'HBKGP', 'different'],
    ['DLH4AK', 'DLH4KA', 'different'],
    ['BAIR951', 'BAIR952', 'different'],
    ['CSA1DZ', 'RYR1DK', 'different'],
  ])('%s and %s: %s', (a, b, relation) => {
    expect(compareCallsigns(a, b)).toBe(relation);
    expect(compareCallsigns(b, a)).toBe(relation);
  });

  const flight = fc.stringMatching(/^[1-9][0-9]{1,3}[A-Z]?$/);
  test('changing any one character of a full callsign makes it another aircraft', () => {
    fc.assert(
      fc.property(fc.constantFrom('DLH', 'BAW', 'RYR'), flight, fc.nat(), fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'), (code, number, at, digit) => {
        const digits = Array.from(number);
        const i = at % digits.length;
        const old = digits[i] ?? '';
        fc.pre(old !== digit && /\d/.test(old) && !(i === 0 && digit === '0'));
        digits[i] = digit;
        expect(compareCallsigns(code + number, code + digits.join(''))).toBe('different');
      }),
      { numRuns: 500 },
    );
  });
});

describe('areSimilarCallsigns', () => {
  test.each([
    ['DLH462', 'DLH426', true],
    ['DLH462', 'DLH463', true],
    ['DLH462', 'SWR462', true],
    ['HBKGO', 'HBOGO', true],
    ['DLH462', 'DLH981', false],
    ['DLH462', 'SWR463', false],
    ['DLH462', '462', false],
    ['OKPMB', 'OKLAP', false],
  ])('%s and %s: %s', (a, b, similar) => {
    expect(areSimilarCallsigns(a, b)).toBe(similar);
    expect(areSimilarCallsigns(b, a)).toBe(similar);
  });
});

test('spellingDistance counts changes, and two neighbours that changed places as one', () => {
  expect([spellingDistance('LANUX', 'LANOX'), spellingDistance('LANUX', 'LAUNX'), spellingDistance('LANUX', 'lanux')]).toEqual([1, 1, 0]);
});
