import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLoop, withoutLoop } from './loops.js';

const loopOf = (text: string): ReturnType<typeof findLoop> => findLoop(text.split(' '));

describe('loops', () => {
  it.each([
    ['squawk seven seven seven seven', 'a squawk of four equal digits'],
    ['one one one one one', 'five equal digits'],
    ['go around go around i say again go around', 'a command that is repeated'],
    ['stop stop stop', 'a command said three times'],
    ['climb flight level one two zero climb flight level one two zero', 'a phrase said twice'],
  ])('%s is no loop (%s)', (text) => {
    expect(loopOf(text)).toBeUndefined();
  });

  it.each([
    ['eight eight eight eight eight eight', 1, 6],
    ['hold at hold at hold at hold at', 2, 4],
    ['thank you very much thank you very much thank you very much', 4, 3],
    ['lufthansa one two cleared for the approach cleared for the approach cleared for the approach', 4, 3],
  ])('%s is a loop of %i words, %i times', (text, length, times) => {
    expect(loopOf(text)).toMatchObject({ length, times });
  });

  it.each([
    ['amman yankee will will will will will will will', 'amman yankee will'],
    ['swiss on the way back on the way back on the way back on the', 'swiss on the way back'],
    ['hold at hold at hold at hold at position', 'hold at position'],
  ])('of "%s" is left, with the loop once, "%s"', (text, once) => {
    const loop = loopOf(text);
    expect(loop === undefined ? undefined : withoutLoop(text.split(' '), loop).join(' ')).toBe(once);
  });

  it('finds every sequence that is repeated often enough, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 8 }), fc.integer({ min: 6, max: 9 }), fc.array(fc.integer({ min: 100, max: 999 }), { maxLength: 10 }), (unit, times, before) => {
        const loop = findLoop([...before, ...Array.from({ length: times }, () => unit).flat(), -1]);
        expect(loop).toBeDefined();
        expect((loop?.times ?? 0) * (loop?.length ?? 0)).toBeGreaterThanOrEqual(times * unit.length - unit.length + 1);
      }),
    );
  });

  it('finds none where nothing is repeated', () => {
    fc.assert(fc.property(fc.uniqueArray(fc.integer()), (items) => findLoop(items) === undefined));
  });
});
