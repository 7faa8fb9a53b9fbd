import { describe, expect, test } from 'vitest';
import { readNumber } from './numbers.js';
import { meaningful, splitWords, tokenise } from './tokens.js';

const read = (text: string) => {
  const tokens = meaningful(tokenise(splitWords(text)));
  const reading = readNumber(tokens, 0);
  return reading === undefined ? undefined : { digits: reading.whole + (reading.fraction === undefined ? '' : `.${reading.fraction}`), rest: tokens.slice(reading.to).map((token) => token.text).join(' ') };
};

describe('P1 a spoken or written number keeps the digits that it shows', () => {
  test.each([
    ['two four six', '246'],
    ['two forty six', '246'],
    ['two-forty-six', '246'],
    ['two forty-six', '246'],
    ['ten seventy two', '1072'],
    ['one eighty', '180'],
    ['one eighteen', '118'],
    ['zero five', '05'],
    ['oh five', '05'],
    ['tree fife niner fower', '3594'],
    ['triple two one', '2221'],
    ['double five', '55'],
    ['five thousand', '5000'],
    ['five thousand two hundred and forty one', '5241'],
    ['five thousand two hundred', '5200'],
    ['one zero thousand', '10000'],
    ['one two thousand five hundred', '12500'],
    ['nineteen hundred', '1900'],
    ['two five hundred', '2500'],
    ['one hundred', '100'],
    ['three hundred and fifty', '350'],
    ['five hundred', '500'],
    ['one one eight decimal one', '118.1'],
    ['one eighteen point seven', '118.7'],
    ['one three two dayseemal four', '132.4'],
    ['118.35', '118.35'],
    ['118,105', '118.105'],
    ['5,000', '5000'],
    ['9000', '9000'],
    ['29.92', '29.92'],
    ['.78', '.78'],
  ])('%s', (text, digits) => {
    expect(read(text)).toEqual({ digits, rest: '' });
  });
});

describe('P2 a number ends where another begins', () => {
  test.each([
    ['six thousand one zero one one', '6000', 'one zero one one'],
    ['one zero one one six thousand', '1011', 'six thousand'],
    ['eight four thousand', '8', 'four thousand'],
    ['one two one decimal seven five five thousand', '121.75', 'five thousand'],
    ['seven five bye bye nine tango', '75', 'nine tango'],
    ['9,000 1013', '9000', '1013'],
    ['9000 1013', '9000', '1013'],
    ['flight', undefined, ''],
  ])('%s', (text, digits, rest) => {
    const found = read(text);
    expect(found?.digits).toBe(digits);
    if (digits !== undefined) expect(found?.rest).toBe(rest);
  });
});

test('P3 a hesitation inside a number changes nothing but is remembered', () => {
  const tokens = meaningful(tokenise(splitWords('two uh six zero')));
  const reading = readNumber(tokens, 0);
  expect(reading?.whole).toBe('260');
  expect(reading?.gaps).toEqual([1]);
});
