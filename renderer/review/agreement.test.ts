import { describe, expect, test } from 'vitest';
import { agreement } from './agreement.js';

const pairs = (a: string, b: string, count: number): [string, string][] => Array.from({ length: count }, () => [a, b]);

describe('agreement of two reviewers', () => {
  test('20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed .7, expected .5, kappa .4', () => {
    // by hand: a says yes 25 of 50, b says yes 30 of 50: .5·.6 + .5·.4 = .5
    const found = agreement([...pairs('yes', 'yes', 20), ...pairs('yes', 'no', 5), ...pairs('no', 'yes', 10), ...pairs('no', 'no', 15)]);
    expect(found.both).toBe(50);
    expect(found.observed).toBeCloseTo(0.7, 12);
    expect(found.kappa).toBeCloseTo(0.4, 12);
  });
  test('full agreement over several answers is 1, full disagreement over two is −1', () => {
    expect(agreement([...pairs('a', 'a', 3), ...pairs('b', 'b', 4)]).kappa).toBeCloseTo(1, 12);
    expect(agreement([...pairs('a', 'b', 5), ...pairs('b', 'a', 5)]).kappa).toBeCloseTo(-1, 12);
  });
  test('where both always say the same one thing chance explains everything: no kappa', () => {
    expect(agreement(pairs('a', 'a', 9))).toEqual({ both: 9, observed: 1, kappa: undefined });
    expect(agreement([]).kappa).toBeUndefined();
  });
});
