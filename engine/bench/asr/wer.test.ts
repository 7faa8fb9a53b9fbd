import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { bootstrapRate, wordErrors } from './wer.js';

const of = (reference: string, said: string): number[] => {
  const split = (text: string): string[] => text.split(' ').filter((word) => word !== '');
  const { words, substitutions, deletions, insertions } = wordErrors(split(reference), split(said));
  return [words, substitutions, deletions, insertions];
};

describe('wordErrors', () => {
  it.each([
    ['climb flight level one two zero', 'climb flight level one two zero', [6, 0, 0, 0]],
    ['climb flight level one two zero', 'climb flight level one three zero', [6, 1, 0, 0]],
    ['climb flight level one two zero', 'flight level one two zero', [6, 0, 1, 0]],
    ['climb flight level one two zero', 'climb to flight level one two zero', [6, 0, 0, 1]],
    // "b" lost, "d" to "x": two errors; word by word it would be three
    ['a b c d', 'a c x', [4, 1, 1, 0]],
    // three either way: told as substitutions
    ['a b c d', 'a c x y', [4, 3, 0, 0]],
    ['a b', '', [2, 0, 2, 0]],
    ['', 'a b', [0, 0, 0, 2]],
    ['', '', [0, 0, 0, 0]],
  ])('%s | %s', (reference, said, expected) => {
    expect(of(reference, said)).toEqual(expected);
  });

  it('counts the same errors both ways round, and its words add up', () => {
    const word = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    fc.assert(fc.property(word, word, (one, other) => {
      const there = wordErrors(one, other);
      const back = wordErrors(other, one);
      const sum = (e: typeof there): number => e.substitutions + e.deletions + e.insertions;
      expect(sum(there)).toBe(sum(back));
      expect(there.words - there.deletions + there.insertions).toBe(other.length);
      expect(sum(there)).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
      expect(sum(there) === 0).toBe(one.join(' ') === other.join(' '));
    }));
  });
});

describe('bootstrapRate', () => {
  it('is the sum of errors over the sum of words, not the mean of clips', () => {
    expect(bootstrapRate([{ errors: 1, of: 2 }, { errors: 0, of: 8 }]).rate).toBeCloseTo(0.1, 10);
  });

  it('has no width where all clips err alike, and the width of a binomial where they err by chance', () => {
    const same = bootstrapRate(Array.from({ length: 50 }, () => ({ errors: 1, of: 4 })));
    expect([same.low, same.high]).toEqual([0.25, 0.25]);
    // 400 clips of one word, a fifth of them wrong: the standard error is √(.2 · .8 / 400) = .02
    const { low, high } = bootstrapRate(Array.from({ length: 400 }, (_, i) => ({ errors: i % 5 === 0 ? 1 : 0, of: 1 })));
    expect(Math.abs((low ?? 0) - (0.2 - 1.96 * 0.02))).toBeLessThan(0.006);
    expect(Math.abs((high ?? 0) - (0.2 + 1.96 * 0.02))).toBeLessThan(0.006);
  });

  it('says that there is nothing to count', () => {
    expect(bootstrapRate([])).toEqual({ rate: null, low: null, high: null, errors: 0, of: 0 });
    // text invented for clips without words is no rate
    expect(bootstrapRate([{ errors: 3, of: 0 }]).rate).toBeNull();
  });

  it('gives the same interval for the same seed', () => {
    const clips = Array.from({ length: 30 }, (_, i) => ({ errors: i % 3, of: 5 + (i % 4) }));
    expect(bootstrapRate(clips, 7)).toEqual(bootstrapRate(clips, 7));
  });
});
