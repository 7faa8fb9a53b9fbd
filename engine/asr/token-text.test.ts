import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainWord, wordsOfTokens } from './token-text.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('tokens to words', () => {
  it('starts a word where a token starts with a blank and joins the others to it', () => {
    const vocabulary = [bytes(' speed'), bytes('bird'), bytes(' one'), null];
    expect(wordsOfTokens([0, 1, 2], vocabulary)).toEqual([
      { text: 'speedbird', from: 0, to: 2 },
      { text: 'one', from: 2, to: 3 },
    ]);
  });

  it('gives a token with a blank inside to both words', () => {
    expect(wordsOfTokens([0, 1], [bytes(' a'), bytes('b c')])).toEqual([
      { text: 'ab', from: 0, to: 2 },
      { text: 'c', from: 1, to: 2 },
    ]);
  });

  it('puts a character together that is spread over tokens', () => {
    const [first, ...rest] = bytes('ü');
    const vocabulary = [bytes(' Z'), Uint8Array.of(first ?? 0), Uint8Array.from(rest), bytes('rich')];
    expect(wordsOfTokens([0, 1, 2, 3], vocabulary).map((word) => word.text)).toEqual(['Zürich']);
  });

  it('marks a character that stays incomplete and keeps the words around it', () => {
    const vocabulary = [bytes(' left'), Uint8Array.of(0x20, 0xe2, 0x82), bytes(' right')];
    expect(wordsOfTokens([0, 1, 2], vocabulary).map((word) => word.text)).toEqual(['left', '\uFFFD', 'right']);
  });

  it('writes nothing for special tokens and for rows that do not exist', () => {
    expect(wordsOfTokens([0, 7], [null])).toEqual([]);
  });

  it('gives the same words however the bytes are cut into tokens', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter((word) => !/[\s\uFEFF]/u.test(word)), { minLength: 1, maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (words, sizes) => {
        const all = bytes(words.map((word) => ` ${word}`).join(''));
        const vocabulary: Uint8Array[] = [];
        for (let at = 0, i = 0; at < all.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          vocabulary.push(all.subarray(at, at + size));
          at += size;
        }
        const found = wordsOfTokens([...vocabulary.keys()], vocabulary);
        expect(found.map((word) => word.text)).toEqual(words);
        for (const word of found) expect(word.from).toBeLessThan(word.to);
      }),
    );
  });
});

describe('plain words', () => {
  it.each([
    ['Descend,', 'descend'],
    ['(Heathrow)', 'heathrow'],
    ['118.1.', '118.1'],
    ["don't", "don't"],
    ['...', ''],
    ['ZÜRICH!', 'zürich'],
  ])('%s → %s', (given, expected) => {
    expect(plainWord(given)).toBe(expected);
  });
});
