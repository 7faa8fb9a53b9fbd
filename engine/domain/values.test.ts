import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Item, ValueSlot } from './understanding.js';
import { bareEnds, bareMatches, compareValues, couldBe } from './values.js';

const bare = (slot: ValueSlot, value: string, spoken: string): Item => ({ slot, value, bare: true, alternatives: [spoken], modality: 'command', span: [0, 1], confidence: 0.5 });

describe('compareValues', () => {
  test.each<[ValueSlot, string, string, string]>([
    ['altitude', 'FL100', 'FL100', 'equal'],
    ['altitude', 'FL100', '10000', 'unit'],
    ['altitude', 'FL60', '6000', 'unit'],
    ['altitude', '1200M', '1200', 'unit'],
    ['altitude', 'FL100', '100', 'equal'],
    ['altitude', '4000', '5000', 'different'],
    ['heading', '360', '000', 'equal'],
    ['heading', 'L020', 'R020', 'different'],
    ['heading', 'L020', '020', 'incomplete'],
    ['heading', '020', 'L020', 'different'],
    ['frequency', '118.100', '118.1', 'equal'],
    ['frequency', '120.275', '20.275', 'incomplete'],
    ['frequency', '121.755', '121.7', 'incomplete'],
    ['frequency', '121.755', '121.855', 'different'],
    ['speed', 'M0.78', 'M.78', 'equal'],
    ['speed', 'M0.78', 'M0.76', 'different'],
    ['runway', '16L', '16R', 'different'],
    ['runway', '16L', '16', 'different'],
    ['runway', '07', '7', 'equal'],
    ['qnh', '29.92', '2992', 'equal'],
    ['waypoint', 'LANUX', 'LANOX', 'spelling'],
    ['waypoint', 'LYSS', 'LISA', 'spelling'],
    ['waypoint', 'KONAN', 'KONTI', 'different'],
    ['waypoint', 'BALTU', 'KILNU', 'different'],
    ['squawk', '2000', '2001', 'different'],
  ])('%s %s | %s: %s', (slot, given, said, relation) => {
    expect(compareValues(slot, given, said)).toBe(relation);
  });
  test('a level said in feet is another unit, whatever the figure', () => {
    fc.assert(fc.property(fc.integer({ min: 10, max: 450 }), (level) => { expect(compareValues('altitude', `FL${String(level)}`, String(level * 100))).toBe('unit'); }));
  });
});

describe('numbers without a carrier', () => {
  test('match by their digits in any slot', () => {
    expect(bareMatches('altitude', 'FL160', bare('heading', '160', '160'))).toBe(true);
    expect(bareMatches('heading', '090', bare('altitude', 'FL90', '90'))).toBe(true);
    expect(bareMatches('frequency', '134.560', bare('squawk', '13456', '13456'))).toBe(true);
    expect(bareMatches('altitude', '5000', bare('altitude', '500', '500'))).toBe(false);
  });
  test('may be the end of a value', () => {
    expect(bareEnds('speed', '160', bare('speed', '60', '60'))).toBe(true);
    expect(bareEnds('qnh', '1023', bare('qnh', '23', '23'))).toBe(true);
    expect(bareEnds('speed', '160', bare('speed', '0', '0'))).toBe(false);
    expect(bareEnds('speed', '160', bare('speed', '61', '61'))).toBe(false);
  });
  test('must be possible for the slot', () => {
    expect([couldBe('runway', '25'), couldBe('runway', '952'), couldBe('heading', '361'), couldBe('squawk', '1889'), couldBe('altitude', '110')]).toEqual([true, false, false, false, true]);
  });
});
