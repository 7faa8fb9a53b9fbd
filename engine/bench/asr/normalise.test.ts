import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { normalise } from './normalise.js';

const text = (words: string): string => normalise(words).join(' ');

describe('normalise', () => {
  it.each([
    // what stock models write, and what is said
    ['Contact tower 120.5.', 'contact tower one two zero decimal five'],
    ['contact tower one two zero point five', 'contact tower one two zero decimal five'],
    ['FL350', 'flight level three five zero'],
    ['flight level three fifty', 'flight level three five zero'],
    ['flight level 3-5-0', 'flight level three five zero'],
    ['speed two-fifty knots', 'speed two five zero knots'],
    ['Speed 250 kts', 'speed two five zero knots'],
    ['250kts', 'two five zero knots'],
    ['five thousand feet', 'five zero zero zero feet'],
    ['5,000 ft', 'five zero zero zero feet'],
    ['two thousand five hundred', 'two five zero zero'],
    ['2500', 'two five zero zero'],
    ['one two thousand five hundred', 'one two five zero zero'],
    ['twelve thousand', 'one two zero zero zero'],
    ['flight level two hundred', 'flight level two zero zero'],
    ['one hundred twenty', 'one two zero'],
    ['delta one hundred five', 'delta one zero zero five'],
    ['delta forty-one twenty five', 'delta four one two five'],
    ['delta 4125', 'delta four one two five'],
    ['climb to six zero', 'climb to six zero'],
    ['tree fife niner', 'three five nine'],
    ['triple seven', 'seven seven seven'],
    ['one two oh', 'one two oh'],
    ['one oh two', 'one zero two'],
    ['118,105', 'one one eight decimal one zero five'],
    ['1.2.5', 'one two five'],
    // letters, runways, callsigns
    ['runway 16L', 'runway one six left'],
    ['Lufthansa 16L', 'lufthansa one six lima'],
    ['N342P', 'november three four two papa'],
    ['information B', 'information bravo'],
    ['Alpha, Juliet, X-ray, whisky', 'alfa juliett xray whiskey'],
    ['an Airbus A320', 'an airbus a three two zero'],
    // spelling
    ['Q.N.H. 1013', 'qnh one zero one three'],
    ['q n h 1013', 'qnh one zero one three'],
    ['cleared for take-off', 'cleared for takeoff'],
    ['cleared for take off', 'cleared for takeoff'],
    ['Speed Bird', 'speedbird'],
    ['London Centre', 'london center'],
    ['tschüss', 'tschuss'],
    ["2 o'clock", "two o'clock"],
    ['2 o’clock', "two o'clock"],
    // nothing said
    ['uh climb, um, hmm', 'climb'],
    ['[BLANK_AUDIO]', ''],
    ['(static) roger *click*', 'roger'],
    ['', ''],
  ])('%s → %s', (written, words) => {
    expect(text(written)).toBe(words);
  });

  it('does not guess numbers from words that sound like them', () => {
    expect(text('cleared to land for you')).toBe('cleared to land for you');
  });

  it('gives plain words that stay as they are', () => {
    const plain = fc.array(fc.constantFrom(...'climb heading one two five zero decimal alfa runway left twenty hundred thousand point FL350 120.5 16L N12 uh [x] triple'.split(' ')), { maxLength: 12 });
    fc.assert(fc.property(plain, (words) => {
      const once = normalise(words.join(' '));
      // "hundred" with no number before it stays a word, and may get one by what is left out between: digits alone are always settled
      const settled = once.filter((word) => !['hundred', 'thousand', 'point', 'triple'].includes(word));
      expect(normalise(settled.join(' '))).toEqual(settled);
      for (const word of once) expect(word).toMatch(/^[\p{L}']+$/u);
    }));
  });
});
