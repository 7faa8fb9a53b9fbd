import { describe, expect, test } from 'vitest';
import { canonicalCallsign, findCallsigns, resolveCallsign } from './callsigns.js';
import { meaningful, splitWords, tokenise } from './tokens.js';

const find = (text: string) => findCallsigns(meaningful(tokenise(splitWords(text)))).filter((raw) => !raw.traffic).sort((a, b) => b.score - a.score);
const best = (text: string, listed: readonly string[] = [], heard: readonly string[] = []) => {
  const [raw] = find(text);
  return raw === undefined ? undefined : resolveCallsign(raw, listed, heard)[0];
};

describe('P10 telephony and flight number', () => {
  test.each([
    ['lufthansa nine tango papa descend flight level eight zero', 'DLH9TP'],
    ['Lufthansa 9TP, descend FL80', 'DLH9TP'],
    ['Lufthansa 3 2 4 climb', 'DLH324'],
    ['speedbird one two nine heavy turn left', 'BAW129'],
    ['swiss two forty six cleared to land', 'SWR246'],
    ['ryanair ten seventy two contact tower', 'RYR1072'],
    ['c_s_a one delta zulu established', 'CSA1DZ'],
    ['air france one zero two hold position', 'AFR102'],
    ['descend four thousand feet lufthansa nine tango papa', 'DLH9TP'],
    ['meridian five thousand descend', 'MERIDIAN5000'],
    ['flight level eight zero meridian five thousand', 'MERIDIAN5000'],
    ['starjet four one seven taxi', 'STARJET417'],
    ['delta four five six climb', 'DAL456'],
    ['wizz air five juliett charlie descend', 'WZZ5JC'],
    ['united heavy ten sixty eight turn left', 'UAL1068'],
    ['cathay eight eight three super climb', 'CPA883'],
    ['lufthansa double four two climb', 'DLH442'],
    ['air france two six six four thousand feet', 'AFR266'],
    ['finnair three one ten miles before rolki climb', 'FIN31'],
    ['german air force six two four turn right', 'GAF624'],
    ['reach four one eight climb', 'RCH418'],
    ['viper two one flight climb', 'VIPER21'],
    ['coast guard six zero one three descend', 'COASTGUARD6013'],
    ['navy copter zero one turn left', 'NAVYCOPTER01'],
    ['descend four thousand feet coast guard six zero one three', 'COASTGUARD6013'],
    ['climb when clear of traffic finnair three one', 'FIN31'],
    ['behind the landing boeing line up runway two six behind finnair three one', 'FIN31'],
    ['descend three thousand feet november one two three four five', 'N12345'],
    ['up to one two thousand two hundred delta sixty five', 'DAL65'],
    ['cleared for the option runway niner 3AB', '3AB'],
  ])('%s', (text, value) => {
    expect(best(text)?.value).toBe(value);
  });
});

describe('P11 registrations, whole and shortened', () => {
  test.each([
    ['oscar kilo papa mike bravo descend', 'OKPMB', 'full'],
    ['OK-PMB descend', 'OKPMB', 'full'],
    ['november seven one six alfa sierra taxi', 'N716AS', 'full'],
    ['hotel bravo kilo echo xray report final', 'HBKEX', 'full'],
    ['hotel echo xray report final', 'HEX', 'short'],
    ['papa mike bravo turn left', 'PMB', 'short'],
    ['report final mike bravo', 'MB', 'short'],
    ['oscar kilo triple hotel confirm', 'OKHHH', 'full'],
    ['cessna three four five turn base', '345', 'partial'],
    ['twin four five kilo maintain seven thousand', '45K', 'short'],
    ['helicopter hotel bravo zulu oscar papa cleared to land', 'HBZOP', 'full'],
    ['learjet three five alfa mike descend', '35AM', 'short'],
    ['medevac november three four five alfa bravo climb', 'N345AB', 'full'],
    ['citation november five six seven delta alfa cleared to land', 'N567DA', 'full'],
    ['maintain seven thousand five two papa', '52P', 'short'],
    ['landing on discretion six one one four hotel yankee', 'HY', 'short'],
  ])('%s', (text, value, form) => {
    expect(best(text)).toMatchObject({ value, form });
  });
});

describe('P12 digits and letters of values stay out of the callsign', () => {
  test.each([
    ['runway two five cleared to land nine juliett lima', '9JL'],
    ['cleared to land two five nine juliett lima', '9JL'],
    ['one two five decimal niner five five oscar papa charlie kilo', 'OPCK'],
    ['one two five niner five five oscar papa charlie kilo', 'OPCK'],
    ['three four two six two five zero degrees one two knots runway two five cleared to land', '3426'],
    ['hotel bravo sierra taxi to holding point delta', 'HBS'],
    ['number two papa golf papa', 'PGP'],
  ])('%s', (text, value) => {
    expect(best(text)?.value).toBe(value);
  });
  test.each(['two four cleared to land number one', 'taxi to holding point bravo', 'direct kilo india lima', 'runway two four cleared to land', 'descend flight level one hundred', 'okay about fifteen minutes'])('none in "%s"', (text) => {
    expect(find(text).filter((raw) => canonicalCallsign(raw).score > 0.3)).toEqual([]);
  });
});

describe('P13 a traffic list resolves, and says so', () => {
  test.each([
    ['lufthansa nine tango papa climb', 'DLH9TP'],
    ['nine tango papa climb', 'DLH9TP'],
    ['papa mike bravo turn left', 'OKPMB'],
    ['oscar mike bravo turn left', 'OKPMB'],
    ['mike bravo turn left', 'OKPMB'],
    ['lufthanser nine tango papa climb', 'DLH9TP'],
    ['lufthansa tango papa climb', 'DLH9TP'],
    ['lima mike juliett two four nine lima climb', 'LMJ249L'],
  ])('%s', (text, value) => {
    expect(best(text, ['DLH9TP', 'OKPMB', 'RYR73AH', 'LMJ249L'])).toMatchObject({ value, form: 'list' });
  });

  test('P14 a whole callsign with another digit is never bent into a listed one', () => {
    const [raw] = find('lufthansa nine sierra papa climb');
    expect(raw).toBeDefined();
    if (raw === undefined) return;
    const readings = resolveCallsign(raw, ['DLH9TP'], []);
    expect(readings[0]).toMatchObject({ value: 'DLH9SP', form: 'full' });
    expect(readings.some((reading) => reading.value === 'DLH9TP')).toBe(true);
  });

  test('P15 two listed aircraft that fit equally leave it open', () => {
    const readings = (() => {
      const [raw] = find('mike bravo turn left');
      return raw === undefined ? [] : resolveCallsign(raw, ['OKPMB', 'OKXMB'], []);
    })();
    expect(readings[0]).toMatchObject({ value: 'MB', form: 'short' });
    expect(readings.slice(1).map((reading) => reading.value).sort()).toEqual(['OKPMB', 'OKXMB']);
  });

  test('P16 callsigns heard before resolve shortened forms, but nothing is guessed from them', () => {
    expect(best('contact radar one one eight decimal zero four zero zero alfa', [], ['DLH400A'])).toMatchObject({ value: 'DLH400A', form: 'list' });
    expect(best('nine tango papa climb', [], ['DLH9TP'])).toMatchObject({ value: 'DLH9TP', form: 'list' });
    expect(best('lufthansa nine sierra papa climb', [], ['DLH9TP'])?.value).toBe('DLH9SP');
  });
});

test.each([
  ['-tria four one descend flight level one one zero', '41'],
  ['four one descend flight level one one zero', '41'],
])('P12 a name that was cut off leaves its number: %s', (text, value) => {
  expect(best(text)).toMatchObject({ value, form: 'partial' });
});

test('P17 aircraft that are spoken of are not the callsign', () => {
  expect(find('behind lufthansa four two one line up')).toEqual([]);
  expect(find('swiss one two follow speedbird two five')[0]).toMatchObject({ chars: '12' });
});
