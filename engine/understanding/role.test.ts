/** Who speaks and what for, from the words alone. */
import { describe, expect, test } from 'vitest';
import { understand } from './index.js';

const u = (text: string) => understand({ id: 'r', text });

describe('U16 role', () => {
  test.each([
    ['controller', 'csa five descend flight level eight zero'],
    ['controller', 'csa five praha radar identified'],
    ['controller', 'csa five wind two four zero degrees eight knots runway two four cleared to land'],
    ['controller', 'csa five contact tower one one eight decimal one good bye'],
    ['controller', 'csa five report established'],
    ['controller', 'negative csa five heading two eight zero'],
    ['controller', 'no csa five you are cleared to land runway two five left'],
    ['controller', 'readback correct'],
    ['controller', 'csa five are you able to accept runway one two'],
    ['controller', 'good morning csa five ruzyne tower line up runway two four'],
    ['controller', 'csa five roger traffic two o clock three miles crossing left to right'],
    ['pilot', 'descending flight level eight zero csa five'],
    ['controller', 'csa five do not cross runway two four'],
    ['pilot', 'csa five unable to accept runway two four'],
    ['pilot', 'praha radar csa five good morning passing two thousand climbing flight level seven zero'],
    ['pilot', 'tower csa five final runway two four'],
    ['pilot', 'csa five request direct kilnu'],
    ['pilot', 'one one eight decimal one csa five bye'],
    ['pilot', 'wilco csa five'],
    ['pilot', 'we have the traffic in sight csa five'],
    ['pilot', 'csa five ready for departure'],
    ['pilot', 'csa five with you flight level nine zero'],
    ['pilot', 'cleared to land runway two four csa five'],
    ['pilot', 'tower csa five is cleared to land two five right'],
    ['pilot', 'thank you csa five'],
    ['controller', '-dor four one descend flight level one one zero'],
    ['controller', 'two at the same time say again'],
    ['controller', 'you were stepped on'],
    ['controller', 'csa five departure bye bye'],
    ['pilot', 'was that for csa five'],
    ['unknown', 'csa five confirm flight level one zero zero'],
    ['unknown', 'csa five'],
    ['unknown', ''],
  ])('%s: %s', (role, text) => {
    expect(u(text).role).toBe(role);
  });
});

describe('U17 intent', () => {
  test.each([
    ['instruction', 'csa five descend flight level eight zero'],
    ['instruction', 'csa five contact departure'],
    ['readback', 'descending flight level eight zero csa five'],
    ['request', 'csa five request flight level three four zero'],
    ['report', 'praha radar csa five passing two thousand climbing flight level seven zero'],
    ['report', 'tower csa five established ils two four'],
    ['say_again', 'say again csa five'],
    ['confirm', 'csa five confirm heading two seven zero'],
    ['confirm', 'who was that for'],
    ['confirm', 'is that for us'],
    ['instruction', 'csa five departure bye bye'],
    ['greet', 'csa five tower good morning'],
    ['correction', 'csa five negative heading two eight zero'],
    ['acknowledge', 'roger csa five'],
    ['acknowledge', 'csa five readback correct'],
    ['disregard', 'csa five disregard'],
    ['standby', 'csa five standby'],
    ['inform', 'csa five wind two four zero degrees eight knots'],
    ['greet', 'praha radar csa five good morning'],
  ])('%s: %s', (intent, text) => {
    expect(u(text).intent).toBe(intent);
  });
});

test('U18 a list of traffic decides between readings of a callsign, and the words stay beside it', () => {
  const found = understand({ id: 'l', text: 'alitalia five seven one zero seven zero degrees one two knots runway one zero cleared for takeoff', context: { callsigns: ['AZA571', 'SWR12'] } });
  expect(found.callsign).toBe('AZA571');
  expect(found.callsign_candidates[0]).toMatchObject({ form: 'list', span: [0, 4] });
  expect(found.values.wind).toEqual(['070/12']);
});
