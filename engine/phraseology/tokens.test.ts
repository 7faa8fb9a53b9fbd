import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meaningful, splitWords, tokenise } from './tokens.js';

const texts = (text: string): string[] => meaningful(tokenise(splitWords(text))).map((token) => token.text);

describe('P4 written forms are taken apart', () => {
  test.each([
    ['FL350', 'flight level 350'],
    ['runway 16L', 'runway 16 l'],
    ['RWY24', 'runway 24'],
    ['i_l_s approach', 'ils approach'],
    ['I L S approach', 'ils approach'],
    ['q n h 1013', 'qnh 1013'],
    ['Q_N_H 1013', 'qnh 1013'],
    ['take off', 'takeoff'],
    ['take-off', 'takeoff'],
    ['push back and start up', 'pushback and startup'],
    ['sky_travel 12', 'sky travel 12'],
    ['250kt', '250 knots'],
    ['4000ft', '4000 feet'],
    ['mach .78', 'mach decimal 78'],
    ['OK-PMB', 'o k p m b'],
    ['DLH9TP', 'lufthansa 9 t p'],
    ['x-ray', 'xray'],
    ['A320', 'a320'],
    ["Cleared to land, runway 24!", 'cleared to land runway 24'],
    ['easy 65 PD', 'easy 65 p d'],
    ['easy 65 pd', 'easy 65 p d'],
    ['hotel fox trot', 'hotel foxtrot'],
    ['two nine or zero', 'two niner zero'],
  ])('%s', (text, expected) => {
    expect(texts(text).join(' ')).toBe(expected);
  });
});

describe('P8 a word that sounds like a digit is one where only a digit can stand', () => {
  const digits = (text: string): string => meaningful(tokenise(splitWords(text))).map((token) => (token.number?.kind === 'digits' ? token.number.digits : token.text)).join(' ');
  test.each([
    ['flight level to four zero', 'flight level 2 4 0'],
    ['runway to nine', 'runway 2 9'],
    ['heading for zero zero', 'heading 4 0 0'],
    ['for thousand feet', '4 thousand feet'],
    ['two too four', '2 2 4'],
    ['six o one', '6 0 1'],
    ['two six decimal to five', '2 6 decimal 2 5'],
  ])('%s', (text, expected) => {
    expect(digits(text)).toBe(expected);
  });
  test.each(['turn heading to two one zero', 'vectors for two four', 'reduce to one six zero', 'until four for one six', 'oscar kilo', 'descend to four thousand'])('not in "%s"', (text) => {
    expect(meaningful(tokenise(splitWords(text))).some((token) => token.number !== undefined && ['to', 'for', 'o'].includes(token.text))).toBe(false);
  });
});

test('P5 every token knows its words, in order', () => {
  const tokens = tokenise(splitWords('DLH9TP descend FL80 q n h 1013'));
  expect(tokens.map((token) => [token.text, token.from, token.to])).toEqual([
    ['lufthansa', 0, 1], ['9', 0, 1], ['t', 0, 1], ['p', 0, 1], ['descend', 1, 2], ['flight', 2, 3], ['level', 2, 3], ['80', 2, 3], ['qnh', 3, 6], ['1013', 6, 7],
  ]);
});

test('P6 hesitations, tags, fragments and greetings carry no meaning', () => {
  expect(texts('<hes> uh good morning [unk] re- descend -ding dobry_den_(greet) (um) bye-bye')).toEqual(['descend']);
});

test('P7 any text has tokens that stay inside its words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const words = splitWords(text);
      let last = 0;
      for (const token of tokenise(words)) {
        expect(token.from).toBeGreaterThanOrEqual(last === 0 ? 0 : last - 1);
        expect(token.to).toBeGreaterThan(token.from);
        expect(token.to).toBeLessThanOrEqual(words.length);
        last = token.from;
      }
    }),
    { numRuns: 500 },
  );
});
