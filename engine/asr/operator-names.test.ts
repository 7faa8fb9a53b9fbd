import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { misspelledNames } from './operator-names.js';

const ask = (text: string): string[] => {
  const words = text.split(' ');
  return misspelledNames(words).map((each) => `${words.slice(each.from, each.to).join(' ')} → ${each.words.join(' ')}`);
};

describe('names that a misspelled operator may be', () => {
  it('are those of the table that are like it, the likest first', () => {
    expect(ask('lufthanser three two eight descend flight level eight zero')[0]).toBe('lufthanser → lufthansa');
    expect(ask('descend flight level eight zero vuelling three twenty eight')[0]).toBe('vuelling → vueling');
    expect(ask('uh scandinavien two nine turn right')[0]).toBe('scandinavien → scandinavian');
  });

  it('are for the name that heads the callsign, not for the same word elsewhere', () => {
    const words = 'vuelling tower good morning vuelling three twenty eight'.split(' ');
    expect(misspelledNames(words)[0]).toMatchObject({ from: 4, to: 5, words: ['vueling'] });
  });

  it('are none where the operator is known, however it fell into words', () => {
    for (const text of ['lufthansa three two eight descend', 'free bird five two two descend', 'sun express two four roger', 'rainbow two three four descend', 'november one two three alfa taxi']) expect(ask(text)).toEqual([]);
  });

  it('are none where no callsign with a name stands: values, places, traffic', () => {
    for (const text of ['turn left heading three two eight', 'direct ribax one two zero', 'cross ribax at one six thousand', 'descend flight level three two five', 'hold short of runway one seven', 'good morning']) expect(ask(text)).toEqual([]);
  });

  it('stand inside the text, and never take a letter or digit with them', () => {
    const word = fc.constantFrom('lufthanser', 'vuelling', 'kestril', 'free', 'bird', 'three', 'two', 'eight', 'alfa', 'heading', 'descend', 'level', 'uh', 'hello', 'behind', 'traffic');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        for (const each of misspelledNames(words)) {
          expect(each.from).toBeGreaterThanOrEqual(0);
          expect(each.to).toBeGreaterThan(each.from);
          expect(each.to).toBeLessThanOrEqual(words.length);
          for (const said of words.slice(each.from, each.to)) expect(['three', 'two', 'eight', 'alfa']).not.toContain(said);
        }
      }),
    );
  });
});
