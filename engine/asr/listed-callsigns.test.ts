import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replacementsOf } from './listed-callsigns.js';

const ask = (text: string, ...callsigns: string[]): string[] => {
  const words = text.split(' ');
  return replacementsOf(words, callsigns).map((r) => `${words.slice(r.from, r.to).join(' ')} → ${r.words.join(' ')}${r.contradicts ? ' !' : ''}`);
};

describe('places for a listed callsign', () => {
  it('is a misspelled name before the right number, however the name fell into words', () => {
    expect(ask('luft answer three two eight descend flight level eight zero', 'DLH328')).toContain('luft answer → lufthansa');
    expect(ask('descend flight level eight zero lofthanza three twenty eight', 'DLH328')).toContain('lofthanza → lufthansa');
    expect(ask('proceed bird three seven nine turn right', 'BAW379')).toContain('proceed bird → speedbird');
  });

  it('is nowhere when the callsign is written as it is spoken, whole or shortened, also before a value', () => {
    expect(ask('lufthansa three two eight descend', 'DLH328', 'DLH329')).toEqual([]);
    expect(ask('lufthansa two eight roger', 'DLH328', 'DLH329')).toEqual([]);
    expect(ask('lufthansa three two eight one two zero decimal five', 'DLH328', 'DLH329')).toEqual([]);
    expect(ask('oscar kilo papa mike bravo taxi', 'OKPMB', 'OKPMD')).toEqual([]);
    expect(ask('papa mike bravo taxi', 'OKPMB', 'OKPMD')).toEqual([]);
  });

  it('says that another digit, letter or operator contradicts the text', () => {
    expect(ask('lufthansa three two five descend', 'DLH328')).toEqual(['five → eight !']);
    expect(ask('oscar kilo papa mike delta taxi', 'OKPMB')).toEqual(['delta → bravo !']);
    expect(ask('swiss three two eight descend', 'DLH328')).toEqual(['swiss → lufthansa !']);
    expect(ask('cleared to land three two eight', 'DLH328').every((line) => line.endsWith('!'))).toBe(true);
  });

  it('takes no two differences', () => {
    expect(ask('lufthansa three five five descend', 'DLH328')).toEqual([]);
    expect(ask('luft answer three two five descend', 'DLH328')).toEqual([]);
  });

  it('never touches a value', () => {
    expect(ask('turn left heading three two eight', 'DLH328')).toEqual([]);
    expect(ask('descend flight level three two five', 'DLH328', 'BAW325')).toEqual([]);
    expect(ask('contact radar one two eight decimal three two', 'DLH128', 'DLH32')).not.toContain('decimal → lufthansa');
    expect(ask('squawk three two five four', 'DLH3254')).toEqual([]);
    expect(ask('reduce speed one eight zero', 'BAW180')).toEqual([]);
  });

  it('never says that a listed callsign stands where it is written, and stays inside the text', () => {
    const word = fc.constantFrom('lufthansa', 'luft', 'speedbird', 'answer', 'three', 'two', 'eight', 'fifty', 'alfa', 'bravo', 'heading', 'descend', 'level', 'decimal');
    const callsign = fc.constantFrom('DLH328', 'BAW32', 'DLH3', 'OKPMB', 'AB', 'DLH32A', 'XXX12');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(callsign, { maxLength: 4 }), (words, callsigns) => {
        for (const r of replacementsOf(words, callsigns)) {
          expect(r.from).toBeGreaterThanOrEqual(0);
          expect(r.to).toBeGreaterThan(r.from);
          expect(r.to).toBeLessThanOrEqual(words.length);
          expect(r.words.join(' ')).not.toBe(words.slice(r.from, r.to).join(' '));
          expect(words.slice(r.from, r.to).some((each) => ['heading', 'level', 'decimal'].includes(each))).toBe(false);
        }
      }),
    );
  });
});
