import { describe, expect, test } from 'vitest';
import { scoreGround, type GroundItem, type GroundReadingOf } from './ground.js';
import { bootstrap, mean, proportion } from './interval.js';
import { scoreSpeech } from './speech.js';

describe('ground (arXiv 2605.11769)', () => {
  const hold: GroundReadingOf = { speaker: 'Controller', intention: 'Instruction', action: 'HOLD', entities: [{ type: 'callsign', text: 'Germania Two One' }, { type: 'boundary', text: 'runway one one' }, { type: 'greet', text: 'hello' }] };
  const contact: GroundReadingOf = { speaker: 'pilot', intention: 'readback', action: 'CONTACT', entities: [{ type: 'callsign', text: 'sabena four' }, { type: 'frequency', text: 'one two one decimal nine' }, { type: 'controller', text: 'ground' }] };
  const items: GroundItem[] = [
    // boundary cut short: callsign alone, 1 of 1.95; the action is right
    { gold: hold, answer: { ...hold, speaker: 'controller', intention: 'instruction', entities: [{ type: 'callsign', text: 'germania two one' }, { type: 'boundary', text: 'runway one' }] } },
    // all slots right, the action wrong: 1 − .6
    { gold: contact, answer: { ...contact, action: 'INFORM', intention: 'inform' } },
    { gold: contact, answer: contact },
    { gold: hold, answer: null },
  ];
  const { scores, unreadable } = scoreGround(items);
  test('by hand', () => {
    expect(scores.risk_score.value).toBeCloseTo((1 / 1.95 + 0.4 + 1 + 0) / 4, 10);
    expect(scores.action_weighted.value).toBeCloseTo((1 / 1.95 + 1 + 1 + 0) / 4, 10);
    expect(scores.risk_strict.value).toBe(0.25);
    expect(scores.rw_er.value).toBeCloseTo((1 / 2 + 1 + 1 + 0) / 4, 10);
    // controller: gold 2, answered 1, right 1 → 2/3; pilot 1
    expect(scores.speaker_f1.value).toBeCloseTo((2 / 3 + 1) / 2, 10);
    // instruction 2/3, readback 2/3, inform 0; greet occurs nowhere
    expect(scores.intention_f1.value).toBeCloseTo(4 / 9, 10);
    // HOLD 2/3, CONTACT 2/3, INFORM 0
    expect(scores.action_f1.value).toBeCloseTo(4 / 9, 10);
    // callsign 3 of gold 4, answered 3 → 6/7; boundary 0; greet 0; frequency 1; controller 1
    expect(scores.entity_f1.value).toBeCloseTo((6 / 7 + 2) / 5, 10);
    // without greet, which is critical to neither action
    expect(scores.action_macro.value).toBeCloseTo((6 / 7 + 2) / 4, 10);
    expect(unreadable).toBe(1);
  });
});

describe('speech', () => {
  test('errors over the reference, as written and normalised', () => {
    const { scores, words } = scoreSpeech([{ gold: { text: 'climb flight level 120' }, answer: { text: 'climb flight level one two zero' } }, { gold: { text: 'roger' }, answer: null }]);
    // as written: one substituted, two inserted, one deleted of five words; normalised: roger alone, of seven
    expect([scores.wer_raw.value, scores.wer.value, words]).toEqual([4 / 5, 1 / 7, 7]);
    // "roger" of "climb flight level one two zero" (31) and "roger" (5)
    expect(scores.cer.value).toBeCloseTo(5 / 36, 10);
  });
});

describe('speech, beside jiwer 4.0.0', () => {
  // python -c "import jiwer; w = jiwer.process_words(ref, hyp); c = jiwer.process_characters(ref, hyp)": errors and length, words, then characters
  const table: readonly (readonly [reference: string, said: string, wordErrors: number, words: number, characterErrors: number, characters: number])[] = [
    ['climb flight level one two zero', 'climb flight level one two zero', 0, 6, 0, 31],
    ['climb flight level one two zero', 'climb level one three zero', 2, 6, 11, 31],
    ['hold short runway two seven', 'old shot of runway twenty seven', 4, 5, 9, 27],
    ['roger', '', 1, 1, 5, 5],
    ['contact tower one one eight decimal one', 'contact the tower one eight decimal one one', 3, 7, 10, 39],
    ['germania two one turn left heading two one zero', 'german ear two one turn left heading two ten', 4, 9, 10, 47],
    ['a b c d e f', 'b a d c f e', 4, 6, 6, 11],
    ['wilco', 'roger wilco uh', 2, 1, 9, 5],
  ];
  test.each(table)('%s | %s', (text, said, wordErrors, words, characterErrors, characters) => {
    const { scores } = scoreSpeech([{ gold: { text }, answer: { text: said } }], { rounds: 1 });
    expect([scores.wer_raw.value, scores.cer_raw.value]).toEqual([wordErrors / words, characterErrors / characters]);
  });
  test('all together: jiwer.wer .4878048780487805, jiwer.cer .30612244897959184', () => {
    const { scores } = scoreSpeech(table.map(([text, said]) => ({ gold: { text }, answer: { text: said } })), { rounds: 1 });
    expect(scores.wer_raw.value).toBeCloseTo(0.4878048780487805, 14);
    expect(scores.cer_raw.value).toBeCloseTo(0.30612244897959184, 14);
  });
});

describe('intervals', () => {
  test('the same seed gives the same interval, which holds the value', () => {
    const values = Array.from({ length: 200 }, (_, i) => (i % 4 === 0 ? 1 : 0));
    const run = (seed: number) => bootstrap(values, { mean }, { seed }).mean;
    expect(run(3)).toEqual(run(3));
    const { value, low, high } = run(3);
    expect(value).toBe(0.25);
    // a quarter of 200: standard error .0306
    expect(low ?? 0).toBeGreaterThan(0.25 - 2.5 * 0.0306);
    expect(low ?? 1).toBeLessThan(0.25 - 1.4 * 0.0306);
    expect(high ?? 1).toBeLessThan(0.25 + 2.5 * 0.0306);
  });
  test('items of one recording are drawn together: the interval is wider', () => {
    const values = Array.from({ length: 200 }, (_, i) => ({ value: i < 50 ? 1 : 0, recording: String(Math.floor(i / 50)) }));
    const width = (by: (item: { recording: string }) => string | undefined): number => {
      const { low, high } = bootstrap(values, { it: (s) => mean(s.map(({ value }) => value)) }, {}, by).it;
      return (high ?? 0) - (low ?? 0);
    };
    expect(width(({ recording }) => recording)).toBeGreaterThan(3 * width(() => undefined));
  });
  test('Wilson near the ends', () => {
    const middle = { value: 0.02, low: 0.01, high: 0.03, of: 100, by: 'bootstrap' } as const;
    // Wilson for 2 of 100: .0055 to .0700
    expect(proportion(2, 100, middle).low).toBeCloseTo(0.0055, 4);
    expect(proportion(2, 100, middle).high).toBeCloseTo(0.07, 3);
    expect(proportion(0, 100, middle)).toMatchObject({ low: 0, high: 0.03, by: '3/n' });
    expect(proportion(50, 100, middle)).toBe(middle);
    expect(proportion(0, 0, middle).value).toBeNull();
  });
});
