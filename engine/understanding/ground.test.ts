import { describe, expect, test } from 'vitest';
import { readGround } from './ground.js';
import { understand } from './index.js';

const read = (text: string) => readGround(understand({ id: 'g', text }));

describe('U22 the nine ground actions', () => {
  test.each([
    ['HOLD', 'csa five hold position'],
    ['HOLD', 'csa five hold short of runway two four'],
    ['TAXI', 'csa five taxi via alfa and bravo hold short of runway two four'],
    ['TAXI', 'csa five cross runway one two'],
    ['GIVE_WAY', 'csa five give way to the boeing from the right'],
    ['TAXI', 'csa five follow the greens to holding point alfa one'],
    ['TAXI', 'csa five vacated via whiskey four bay charlie one two'],
    ['HOLD', 'csa five hold at november three'],
    ['HOLD', 'roger hold short of echo papa csa five'],
    ['PUSHBACK', 'csa five push back onto north cross one tail west'],
    ['STANDBY', 'csa five standby for pushback'],
    ['CONTACT', 'csa five contact tower one one eight decimal one'],
    ['PUSHBACK', 'csa five pushback and startup approved facing north'],
    ['INFORM', 'csa five wind two four zero degrees eight knots'],
    ['GREET', 'ruzyne ground csa five good morning'],
    ['STANDBY', 'csa five standby'],
    ['UNKNOWN', ''],
  ])('%s: %s', (action, text) => {
    expect(read(text).action).toBe(action);
  });
});

test('U23 letters of a route are one name until a figure ends it; bays are gates', () => {
  expect(read('csa five taxi via november papa one november charlie three hold short of echo papa').slots).toEqual([
    { type: 'callsign', text: 'csa five' },
    { type: 'taxiway', text: 'november papa one' },
    { type: 'taxiway', text: 'november charlie three' },
    { type: 'boundary', text: 'echo papa' },
  ]);
  expect(read('ground csa five bay delta three seven request pushback').slots).toContainEqual({ type: 'gate', text: 'bay delta three seven' });
  expect(read('csa five expect bay bravo six').slots).toContainEqual({ type: 'gate', text: 'bay bravo six' });
});

test('U23 ground slots in order', () => {
  expect(read('csa five taxi via alfa to stand two one hold short of runway two four contact ground one two one decimal nine').slots).toEqual([
    { type: 'callsign', text: 'csa five' },
    { type: 'taxiway', text: 'alfa' },
    { type: 'gate', text: 'stand two one' },
    { type: 'boundary', text: 'runway two four' },
    { type: 'controller', text: 'ground' },
    { type: 'frequency', text: 'one two one decimal nine' },
  ]);
});
