import { describe, expect, it } from 'vitest';
import { heardWrong, scoreClip, type Truth } from './score.js';

const truth: Truth = {
  text: 'lufthansa four five six turn left heading two one zero descend flight level eight zero',
  callsign: 'DLH456',
  slots: { heading: ['210'], level: ['FL80'] },
};

describe('scoreClip', () => {
  it('finds everything in the text itself', () => {
    const score = scoreClip(truth, truth.text);
    expect(score.errors).toEqual({ words: 15, substitutions: 0, deletions: 0, insertions: 0 });
    expect(score.callsign).toBe('right');
    expect(score.slots.heading).toEqual({ of: 1, found: 1, invented: 0 });
    expect(score.slots.level).toEqual({ of: 1, found: 1, invented: 0 });
    expect(score.slots.speed).toEqual({ of: 0, found: 0, invented: 0 });
  });

  it('takes figures and capitals of other recognisers as the same', () => {
    const score = scoreClip(truth, 'Lufthansa 456, turn left heading 210, descend FL80.');
    expect(score.errors.substitutions + score.errors.deletions + score.errors.insertions).toBe(0);
    expect(score.callsign).toBe('right');
    expect(score.slots.heading.found + score.slots.level.found).toBe(2);
  });

  it('counts a wrong value as not found and as invented', () => {
    const score = scoreClip(truth, 'lufthansa four five six turn left heading two two zero descend flight level eight zero');
    expect(score.errors.substitutions).toBe(1);
    expect(score.slots.heading).toEqual({ of: 1, found: 0, invented: 1 });
    expect(score.slots.level).toEqual({ of: 1, found: 1, invented: 0 });
  });

  it('tells another callsign from none', () => {
    expect(scoreClip(truth, 'lufthansa four five turn left heading two one zero').callsign).toBe('other');
    expect(scoreClip(truth, 'turn left heading two one zero descend flight level eight zero').callsign).toBe('missing');
    expect(scoreClip({ ...truth, callsign: null }, 'turn left').callsign).toBeUndefined();
  });

  it('counts a value that is said twice twice', () => {
    const twice: Truth = { text: 'out of flight level eight zero for flight level nine zero', callsign: null, slots: { level: ['FL80', 'FL90'] } };
    expect(scoreClip(twice, 'out of flight level eight zero for flight level eight zero').slots.level).toEqual({ of: 2, found: 1, invented: 1 });
  });
});

describe('heardWrong', () => {
  it('tells what was said from what had been instructed', () => {
    expect(heardWrong('heading', '240', '210', 'left heading two four zero')).toBe('as-said');
    expect(heardWrong('heading', '240', '210', 'left heading two one zero')).toBe('as-instructed');
    expect(heardWrong('heading', '240', '210', 'left heading two five zero')).toBe('neither');
    expect(heardWrong('heading', '240', '210', '')).toBe('neither');
  });
});
