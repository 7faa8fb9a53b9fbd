import { describe, expect, test } from 'vitest';
import { RISK_OF, type ErrorType } from '../../domain/taxonomy.js';
import { changes, degradation, type VoiceRow } from './degradation.js';
import { misheard } from './meaning.js';

const as = (type: ErrorType): VoiceRow['gold'] => ({ error_type: type, risk_level: RISK_OF[type], is_correct: RISK_OF[type] === 'CORRECT' });
const row = (gold: ErrorType, text: ErrorType, voice: ErrorType | null, heardWrong: '' | 'i' | 'r' | 'ir' = ''): VoiceRow => ({ gold: as(gold), text: as(text), voice: voice === null ? null : as(voice), misheard: { instruction: heardWrong.includes('i'), readback: heardWrong.includes('r') } });

describe('change of a score', () => {
  const means = { score: (sample: readonly (readonly [number, number])[]) => [sample.reduce((sum, [text]) => sum + text, 0) / sample.length, sample.reduce((sum, [, voice]) => sum + voice, 0) / sample.length] as const };

  test('three of four right as text, one as voice: half is lost, a third retained', () => {
    const { text, voice, change, retained } = changes([[1, 1], [1, 0], [1, 0], [0, 0]] as const, means).score;
    expect([text, voice, change.value]).toEqual([0.75, 0.25, -0.5]);
    expect(retained.value).toBeCloseTo(1 / 3, 12);
    expect([change.low, change.high]).toEqual([-1, 0]);
  });
  test('pairs are drawn together: where every item loses the same, the interval is a point', () => {
    const { change, retained } = changes([[1, 0.5], [0.5, 0], [0.75, 0.25], [1, 0.5]] as const, means).score;
    expect([change.value, change.low, change.high]).toEqual([-0.5, -0.5, -0.5]);
    expect(retained.low).toBeLessThan(retained.high ?? 0);
  });
  test('of nothing nothing is retained; no rows, no figure', () => {
    expect(changes([[0, 0], [0, 1]] as const, means).score.retained.value).toBeNull();
    expect(changes([], means).score).toMatchObject({ text: null, voice: null, change: { value: null, of: 0 }, retained: { value: null } });
  });
  test('rows of one recording are drawn as a whole', () => {
    const grouped = changes([[1, 1], [1, 0], [1, 1], [1, 0]] as const, means, {}, () => 'one recording').score;
    expect([grouped.change.low, grouped.change.high]).toEqual([-0.5, -0.5]);
  });
});

describe('what became of exchanges', () => {
  const rows = [
    row('CORRECT', 'CORRECT', 'CORRECT'),
    row('CORRECT', 'CORRECT', 'VALUE_CRITICAL', 'i'), // phantom
    row('CORRECT', 'CORRECT', 'VALUE_HIGH', 'ir'), // phantom
    row('CORRECT', 'VALUE_HIGH', 'VALUE_HIGH', 'r'), // a false alarm as text already
    row('VALUE_CRITICAL', 'VALUE_CRITICAL', 'CORRECT', 'r'), // masked
    row('VALUE_CRITICAL', 'VALUE_CRITICAL', 'VALUE_HIGH', 'r'), // flagged, at another level: lost, not masked
    row('VALUE_HIGH', 'CORRECT', 'CORRECT', 'i'), // missed as text already
    row('CONSTRAINT_HIGH', 'CORRECT', 'CONSTRAINT_HIGH', 'i'), // gained
    row('MULTI_ERROR', 'MULTI_ERROR', null, 'ir'), // nothing came: counts as passed
    row('OMISSION_HIGH', 'OMISSION_HIGH', 'CORRECT'), // masked, though both were understood: the judge was less sure
  ];
  const found = degradation(rows);

  test('phantom flags: two of four right readbacks', () => {
    expect(found.phantom).toMatchObject({ count: 2, share: { value: 0.5, of: 4 }, causes: { instruction: 1, readback: 0, both: 1, neither: 0 } });
  });
  test('masked errors: three of six wrong readbacks', () => {
    expect(found.masked).toMatchObject({ count: 3, share: { value: 0.5, of: 6 }, causes: { instruction: 0, readback: 1, both: 1, neither: 1 } });
  });
  test('lost: six of ten levels; gained: one', () => {
    expect(found.lost).toMatchObject({ count: 6, share: { value: 0.6, of: 10 }, causes: { instruction: 1, readback: 2, both: 2, neither: 1 } });
    expect(found.gained).toMatchObject({ count: 1, share: { value: 0.1, of: 10 }, causes: { instruction: 1, readback: 0, both: 0, neither: 0 } });
  });
  test('where they were misheard, and what has no answer', () => {
    expect(found.misheard).toEqual({ instruction: 3, readback: 3, both: 2, neither: 2 });
    expect(found.unanswered).toBe(1);
  });
  test('none in n has a bound of 3/n', () => {
    expect(degradation(Array.from({ length: 60 }, () => row('CORRECT', 'CORRECT', 'CORRECT'))).phantom.share).toMatchObject({ value: 0, low: 0, high: 0.05, by: '3/n' });
  });
});

describe('misheard', () => {
  test.each([
    ['malev five four climb flight level one two zero', 'malev five four climb flight level one two zero', false],
    ['uh malev five four climb flight level one two zero', 'malev five four climb flight level one two zero', false],
    ['malev five four climb flight level one twenty', 'malev five four climb flight level one two zero', false],
    ['malev five four climb flight level one two zero', 'malev five four climb flight level one three zero', true],
    ['malev five four climb flight level one two zero', 'malev five nine climb flight level one two zero', true],
    ['malev five four climb flight level one two zero', 'malev five four climb', true],
    ['malev five four climb flight level one two zero when ready', 'malev five four climb flight level one two zero', true],
    ['malev five four climb flight level one two zero after passing obdak', 'malev five four climb flight level one two zero once past obdak', false],
    ['malev five four contact linz radar one two three decimal one', 'malev five four contact lens radar one two three decimal one', false],
    ['malev five four contact linz radar one two three decimal one', 'malev five four contact linz radar one two three decimal nine', true],
    ['turn left heading two seven zero', '', true],
  ])('"%s" heard as "%s": %s', (said, heard, is) => {
    expect(misheard(said, heard)).toBe(is);
  });
});
