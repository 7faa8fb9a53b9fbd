import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holm, mcnemar, pairedBootstrap, pairedShare } from './paired.js';

describe('McNemar, exact', () => {
  // two-sided binomial at one half: 2 (1 + 10) / 2^10, 2 / 2^4, 2 (1 + 8 + 28) / 2^8
  test.each([[1, 9, 22 / 1024], [0, 4, 2 / 16], [6, 2, 74 / 256], [3, 3, 1], [0, 0, 1]])('%i to %i: %d', (a, b, p) => {
    expect(mcnemar(a, b)).toBeCloseTo(p, 12);
  });
  test('is the sum of the tails, brute force, and does not care which is first', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }), (a, b) => {
        const n = a + b;
        const tail = Array.from({ length: Math.min(a, b) + 1 }, (_, k) => choose(n, k) / 2 ** n).reduce((sum, part) => sum + part, 0);
        expect(mcnemar(a, b)).toBeCloseTo(Math.min(1, 2 * tail), 9);
        expect(mcnemar(a, b)).toBe(mcnemar(b, a));
      }),
    );
  });
  test('stands large numbers', () => {
    expect(mcnemar(0, 5000)).toBe(0);
    expect(mcnemar(2500, 2500)).toBe(1);
  });
});

describe('paired bootstrap', () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({ a: i % 2, b: i % 2 === 1 || i % 10 === 0 ? 1 : 0, recording: String(Math.floor(i / 50)) }));
  const both = (sample: readonly (typeof rows)[number][]) => [sample.reduce((sum, row) => sum + row.a, 0) / sample.length, sample.reduce((sum, row) => sum + row.b, 0) / sample.length] as const;
  test('the difference is the second less the first, in its interval; the pairs are drawn together', () => {
    const found = pairedBootstrap(rows, both);
    expect([found.first, found.second, found.difference]).toEqual([0.5, 0.6, expect.closeTo(0.1, 10)]);
    // a tenth of the pairs differ: standard error √(.1 · .9 / 200) = .0212; of two independent shares it would be .049
    expect(Math.abs((found.low ?? 0) - (0.1 - 1.96 * 0.0212))).toBeLessThan(0.01);
    expect(Math.abs((found.high ?? 0) - (0.1 + 1.96 * 0.0212))).toBeLessThan(0.01);
    expect(found.p).toBeCloseTo(2 / 1001, 6);
  });
  test('no difference has p 1', () => {
    expect(pairedBootstrap(rows, (sample) => [both(sample)[0], both(sample)[0]])).toMatchObject({ difference: 0, low: 0, high: 0, p: 1 });
    expect(pairedBootstrap([], both)).toMatchObject({ difference: null, p: null, of: 0 });
  });
  test('shares have the p of McNemar, unless their items belong to recordings', () => {
    const of = (group?: (row: (typeof rows)[number]) => string) => pairedShare(rows, ({ a, b }) => [a === 1, b === 1], {}, group);
    expect(of()).toMatchObject({ test: 'mcnemar', only: { first: 0, second: 20 }, p: mcnemar(0, 20), of: 200 });
    expect(of(({ recording }) => recording).test).toBe('bootstrap');
  });
});

test('Holm: the smallest by the number of tests, the next by one less, never below the one before', () => {
  expect(holm([0.01, 0.04, 0.03, null])).toEqual([0.03, 0.06, 0.06, null]);
  expect(holm([0.9, 0.8])).toEqual([1, 1]);
});
