/**
 * Recognised text: words lost, misheard or replaced. A wrong readback must not look right because of it (J33, J34), and what a recogniser
 * spoils must not be told as somebody's error (J26, J35).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { understand } from '../understanding/index.js';
import { strangeWords, unreadValues } from './garble.js';
import { judgeByRules } from './index.js';

const u = (text: string) => understand({ id: 'g', text });
const judge = (instruction: string, readback: string, callsigns?: string[]) =>
  judgeByRules({ instruction: u(instruction), readback: u(readback), profile: 'icao', ...(callsigns === undefined ? {} : { context: { callsigns } }) });

describe('J33 a value of the instruction that cannot be read proves nothing', () => {
  test.each([
    ['finnair six one cleared to land runway station', 'cleared to land runway one niner finnair six one'],
    ['finnair six one reduce to two mango zero knots', 'one niner zero knots finnair six one'],
    ['finnair six one reduce to two zero knots', 'roger finnair six one'],
    ['finnair six one proceed direct station', 'direct kilnu finnair six one'],
    ['finnair six one contact tower one one mango eight decimal three five', 'tower one one eight decimal five three finnair six one'],
    ['finnair six one turn mango heading three one zero', 'turn left heading three one zero finnair six one'],
    ['finnair six one when descend flight level eight zero', 'descend flight level eight zero finnair six one'],
    ['finnair six one climb flight level eight zero before', 'climb flight level eight zero finnair six one'],
    ['finnair six one two six cleared to mango', 'roger finnair six one'],
    ['finnair six one with four six two one', 'squawk four six one two finnair six one'],
    ['finnair six one hold short of runway please', 'hold short of runway four finnair six one'],
  ])('%s | %s', (instruction, readback) => {
    expect(judge(instruction, readback).verdict).not.toBe('correct');
  });
  test.each([
    ['finnair six one vacate the runway to the left', 'vacating left finnair six one'],
    ['finnair six one continue on this heading', 'continuing on heading finnair six one'],
    ['finnair six one runway two two in use information kilo', 'roger finnair six one'],
    ['finnair six one wind two two zero degrees one one knots', 'roger finnair six one'],
    ['finnair six one cleared to zurich via kilnu one alfa departure', 'cleared to zurich via kilnu one alfa departure finnair six one'],
    ['finnair six one contact departure', 'departure one two five decimal niner finnair six one'],
    ['finnair six one when ready climb flight level eight zero', 'when ready climb flight level eight zero finnair six one'],
  ])('%s: nothing is missing', (instruction, readback) => {
    expect(unreadValues(u(instruction))).toEqual([]);
    expect(judge(instruction, readback).verdict).toBe('correct');
  });
});

describe('J34 what belongs to nothing in the instruction is doubted', () => {
  test.each([
    ['air france three one five descend flight level two two zero', 'descend flight level two two zero air station three five five'],
    ['emirates six two direct dasku', 'direct dasku emirates left three'],
    ['wizz air six one mango', 'cleared for takeoff runway two five wizz air six one'],
    ['iberia two niner climb flight level eight zero', 'flight level eight zero two two two iberia two niner'],
  ])('%s | %s', (instruction, readback) => {
    expect(judge(instruction, readback).verdict).toBe('uncertain');
  });
  test.each([
    ['condor one niner climb flight level eight zero', 'climb flight level eight zero one niner'],
    ['condor one niner wind two two zero degrees one four knots runway two five cleared to land', 'cleared to land two five wind two two zero one four condor one niner'],
    ['condor one niner report your level', 'passing eight thousand two hundred condor one niner'],
    ['condor one niner reduce speed one six zero knots', 'reduce one six zero knots that one is fine condor one niner'],
  ])('%s | %s: all belongs', (instruction, readback) => {
    expect(judge(instruction, readback).verdict).toBe('correct');
  });
  test('words of regret only take back what they follow at once', () => {
    expect(judge('frontier flight two ten expect visual approach runway one six left', 'visual one six right frontier flight sorry ten').verdict).not.toBe('correct');
    expect(judge('jetblue six six reduce speed one seven zero knots', 'one seven zero sorry one mango zero knots jetblue six six').verdict).not.toBe('correct');
    expect(judge('jetblue six six reduce speed one seven zero knots', 'one six zero sorry one seven zero knots jetblue six six').verdict).toBe('correct');
  });
});

describe('J26 J28 what a recogniser spoiled is no error of the crew', () => {
  test('words that belong to no talk may stand for what is missing', () => {
    expect(strangeWords(u('navigadis question klimatorp'), u('finnair six one'))).toEqual(['navigadis', 'klimatorp']);
    expect(strangeWords(u('direct kilnu lufthansa four two one'), u(''))).toEqual([]);
    expect(judge('hotel golf alfa runway two five cleared to land', 'navigadis question to tower hotel golf alfa').verdict).toBe('uncertain');
    expect(judge('hotel golf alfa runway two five cleared to land', 'roger hotel golf alfa').verdict).toBe('error');
  });
  test('marks for unreadable speech, with punctuation behind them', () => {
    expect(judge('hotel golf alfa line up runway two five', 'Line up and wait, <unclear>.').verdict).toBe('uncertain');
  });
  test('figures that belong to what follows them', () => {
    expect(judge('qantas four five five descend flight level six zero', 'down to flight level six zero one qantas four five five')).toMatchObject({ verdict: 'uncertain', error_type: 'VALUE_CRITICAL' });
    expect(judge('qantas four five five descend flight level six zero', 'down to flight level six one zero qantas four five five').verdict).toBe('error');
    expect(judge('shamrock six three contact radar one two zero decimal three eight', 'one two zero decimal three eight four stop shamrock six three').verdict).toBe('uncertain');
    expect(judge('shamrock six three contact radar one two zero decimal three eight', 'one two zero decimal three eight five shamrock six three').verdict).toBe('error');
  });
  test('the last letter of a callsign taken for another word, or its name for a letter', () => {
    const order = 'descend flight level eight zero';
    expect(judge(`klm seven seven five mike ${order}`, `${order} klm seven seven five light`)).toMatchObject({ verdict: 'uncertain', error_type: 'TARGET_CRITICAL' });
    expect(judge(`klm seven seven five mike ${order}`, `${order} klm seven seven five bye`).verdict).toBe('error');
    expect(judge(`klm seven seven five mike ${order}`, `${order} klm seven seven six light`).verdict).toBe('error');
    expect(judge(`qantas four five five ${order}`, `${order} tango four five five`).verdict).toBe('uncertain');
  });
  test('words for another one that nobody says there', () => {
    expect(judge('kestrel nine three line up and wait runway zero three', 'climbing up runway zero three and waiting kestrel nine three').verdict).toBe('correct');
    expect(judge('kestrel nine three descend four thousand feet', 'descend altimeter four thousand feet kestrel nine three').verdict).toBe('correct');
  });
  test('the head of a clearance cut off', () => {
    expect(judge('hotel golf alfa runway two five cleared to land', 'to land runway two five hotel golf alfa').verdict).toBe('uncertain');
    expect(judge('hotel golf alfa runway two five cleared to land', 'runway two five hotel golf alfa').verdict).toBe('error');
  });
  test('names in another spelling', () => {
    expect(judge('hotel golf alfa proceed direct lyss', 'direct lisa hotel golf alfa').verdict).toBe('uncertain');
    expect(judge('hotel golf alfa proceed direct lyss', 'direct gruyeres hotel golf alfa').verdict).toBe('error');
  });
  test('the number of the aircraft before a closing word is no level', () => {
    expect(judge('time air six five zero juliett contact tower one one eight decimal one', 'one one eight one climb now 650 Juliet. Okay.').error_type).not.toBe('VALUE_CRITICAL');
  });
});

describe('J35 with a traffic list, a callsign that nobody on it has may be misheard', () => {
  const list = ['TVS35J', 'DLH462', 'DLH426', 'SWR77'];
  const order = 'descend flight level eight zero';
  const verdict = (given: string, said: string, callsigns?: string[]) => judge(`${given} ${order}`, `${order} ${said}`, callsigns).verdict;
  test.each([
    ['qatar three five two', 'skytravel three five juliett', 'uncertain'],
    ['lufthansa four six two', 'air canada niner six two', 'uncertain'],
    ['lufthansa four six two', 'lufthansa four two six', 'error'],
    ['lufthansa four six two', 'swiss seven seven', 'error'],
    ['lufthansa four six two', 'lufthansa four six three', 'error'],
  ])('%s and %s: %s', (given, said, expected) => {
    expect(verdict(given, said, list)).toBe(expected);
  });
  test('without a list both are believed', () => {
    expect(verdict('lufthansa four six two', 'air canada niner six two')).toBe('error');
  });
});

test('J33 J34 words lost or replaced in a wrong readback never make it right', () => {
  const junk = fc.constantFrom('the', 'mango', 'please', 'goodness', 'and', 'holding', 'question', 'station', 'barista');
  const digits = (n: number): string => Array.from(String(n)).map((d) => ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][Number(d)] ?? '').join(' ');
  const pair = fc.record({ level: fc.integer({ min: 10, max: 40 }), other: fc.integer({ min: 10, max: 40 }), flight: fc.integer({ min: 100, max: 999 }) }).filter((p) => p.level !== p.other);
  const edit = fc.record({ at: fc.nat(), kind: fc.constantFrom('drop', 'replace', 'insert'), word: junk });
  fc.assert(
    fc.property(pair, fc.array(edit, { minLength: 1, maxLength: 2 }), ({ level, other, flight }, edits) => {
      const instruction = `finnair ${digits(flight)} descend flight level ${digits(level * 10)}`;
      const words = `descend flight level ${digits(other * 10)} finnair ${digits(flight)}`.split(' ');
      for (const { at, kind, word } of edits) {
        const i = at % words.length;
        if (kind === 'drop') words.splice(i, 1);
        else if (kind === 'replace') words[i] = word;
        else words.splice(i, 0, word);
      }
      expect(judge(instruction, words.join(' ')).verdict, words.join(' ')).not.toBe('correct');
    }),
    { numRuns: 300 },
  );
});
