import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { normalWords, pairWords } from './pair-words.js';

const words = (text: string): string => normalWords(text)
  .map(({ word }) => word)
  .join(' ');

describe('words in one normal form', () => {
  test.each(['flight level two four zero', 'FL240', 'fl two four zero', 'flight level two forty', 'Flight level 240,'])('%s', (text) => {
    expect(words(text)).toBe('flight level two four zero');
  });
  test.each(['four thousand five hundred feet', '4500 feet', 'forty-five hundred feet'])('%s', (text) => {
    expect(words(text)).toBe('four thousand five hundred feet');
  });
  test('fifteen is not fifty, nor five hundred five thousand', () => {
    expect(words('fifteen')).not.toBe(words('fifty'));
    expect(words('five hundred feet')).not.toBe(words('five thousand feet'));
  });
  test('settings and codes have no thousands', () => {
    expect(words('qnh 1000 squawk 7000')).toBe('qnh one zero zero zero squawk seven zero zero zero');
  });
  test('a word knows which word of the text it comes from', () => {
    expect(normalWords('climb FL90 now').map(({ source }) => source)).toEqual([0, 1, 1, 1, 1, 2]);
  });
});

test('the same as the words that the network was trained on', () => {
  const { longest, pairs } = JSON.parse(readFileSync(new URL('../../training/judge/fixtures.json', import.meta.url), 'utf8')) as { longest: number; pairs: { instruction: string; readback: string; halves: [unknown, unknown] }[] };
  expect(pairs.length).toBeGreaterThan(50);
  for (const { instruction, readback, halves } of pairs) {
    const both = pairWords(instruction, readback, longest);
    expect([both.instruction, both.readback].map((half) => half.map(({ word, source, feature }) => [word, source, feature]))).toEqual(halves);
  }
});
