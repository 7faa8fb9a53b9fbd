/**
 * Wordings in which readbacks were once misjudged, each beside a neighbour that has to stay wrong or doubtful. The verdicts are what a controller
 * would say of the pair, written before the rules were run on it.
 */
import { describe, expect, test } from 'vitest';
import type { Profile } from '../domain/taxonomy.js';
import { understand } from '../understanding/index.js';
import { judgeByRules } from './index.js';

function verdict(instruction: string, readback: string, profile: Profile = 'paper'): string {
  const said = understand({ id: 'i', text: instruction });
  const finding = judgeByRules({ instruction: said, readback: understand({ id: 'r', text: readback, heard: said.callsign === null ? [] : [said.callsign] }), profile });
  return finding.verdict === 'correct' ? 'correct' : `${finding.verdict} ${finding.affected_slot ?? ''}`;
}

describe('a number without a word for what it is', () => {
  test.each([
    ['finnair two six fly two six zero knots turn left heading zero one zero', 'fly two six zero left heading zero one zero finnair two six', 'uncertain speed'],
    ['finnair two six fly two six zero knots', 'heading two six zero finnair two six', /^error/],
    ['finnair two six maintain heading one three zero', 'maintain one three zero finnair two six', 'uncertain heading'],
    ['finnair two six maintain heading one three zero', 'maintain flight level one three zero finnair two six', /^error/],
    ['finnair two six fly heading one three zero', 'climb one three zero finnair two six', /^error/],
    ['finnair two six maintain heading one three zero', 'maintain one four zero finnair two six', /^error/],
  ])('%s | %s', (instruction, readback, wanted) => {
    expect(verdict(instruction, readback)).toMatch(wanted);
  });
});

describe('where one number ends and the next begins', () => {
  test.each([
    ['klm five yankee fly heading two six zero contact departure one two six decimal two two five', 'heading two sixty one two six decimal two two five klm five yankee', 'correct'],
    ['klm five yankee fly heading two six zero contact departure one two six decimal two two five', 'heading two sixty one one two six decimal two two five klm five yankee', /^error heading/],
    ['klm four one descend flight level three two zero fly one four zero knots', 'descending flight level three twenty one four zero knots klm four one', 'correct'],
    ['belavia four eight seven increase to three two zero knots fly heading one six zero', 'heading one sixty three twenty knots belavia four eight seven', 'correct'],
    ['spicejet three forty seven turn right heading one five zero if you can altimeter three zero zero eight', 'right heading one five zero altimeter three zero zero eight spicejet three forty seven', 'uncertain condition'],
    ['meridian two three increase to one five zero knots', 'meridian two three one five zero knots', 'correct'],
    ['meridian two three increase to one five zero knots', 'meridian two three one six zero knots', /^error speed/],
    ['november seven six two xray contact departure one two three point one zero five', 'one twenty three point one zero five november six two xray', 'correct'],
    ['swiss three seven vacate runway one one contact lima apron one three six decimal zero seven five', 'vacating runway one one lima apron one three six decimal zero seven five swiss three seven', 'correct'],
    ['swiss three seven vacate runway two eight right fly heading three four five', 'vacate two eight right heading three four five swiss three seven', 'correct'],
    ['swiss three seven vacate runway two eight right fly heading three four five', 'vacate two eight left heading three four five swiss three seven', /^(?:error|uncertain)/],
    ['swiss three seven vacate runway one one', 'vacating runway one one lima swiss three seven', /^(?:error|uncertain) runway/],
    ['klm four one continue present heading zero four zero', 'present heading zero four zero klm four one', 'correct'],
    ['klm four one continue present heading zero four zero', 'present heading zero five zero klm four one', /^error heading/],
  ])('%s | %s', (instruction, readback, wanted) => {
    expect(verdict(instruction, readback)).toMatch(wanted);
  });
});

describe('conditions in other words', () => {
  test.each([
    ['vietjet seven three six five when established cross runway zero two left', 'established crossing runway zero two left vietjet seven three six five', 'correct'],
    ['vietjet seven three six five when established cross runway zero two left', 'wilco report established crossing runway zero two left vietjet seven three six five', /^error/],
    ['vietjet seven three six five when established cross runway zero two left', 'crossing runway zero two left vietjet seven three six five', /^error condition/],
    ['azal six eight when vacated contact departure one three two decimal nine', 'azal six eight changing to one three two decimal nine having vacated', 'correct'],
    ['klm six climb flight level three zero five after departure fly one six zero knots', 'climbing flight level three zero five on departure one six zero knots klm six', 'correct'],
    ['klm six climb flight level three zero five after departure fly one six zero knots', 'climbing flight level three zero five one six zero knots klm six', /^error condition/],
    ['red cap five two cleared via jarpar seven golf arrival fly two zero zero knots once clear of gitkom', 'two zero zero knots when clear of gitkom jarpar seven golf arrival red cap five two', 'correct'],
    ['red cap five two cleared via jarpar seven golf arrival fly two zero zero knots once clear of gitkom', 'two zero zero knots when clear of jarpar jarpar seven golf arrival red cap five two', /^error/],
    ['helvetic seven four five fly two six zero knots once clear lilpul', 'two six zero knots when clear of lilpul helvetic seven four five', 'correct'],
    ['helvetic eight one fly heading three three zero increase to two two zero knots after passing konkar', 'helvetic eight one heading three three zero after ah konkar speeding up to two two zero knots', 'correct'],
    ['maroc six six continue descent one thousand five hundred feet behind the atr on short final runway three six left line up behind', 'descending one thousand five hundred feet behind the atr on final line up runway three six left behind maroc six six', 'correct'],
  ])('%s | %s', (instruction, readback, wanted) => {
    expect(verdict(instruction, readback)).toMatch(wanted);
  });
});

describe('touch and go, stands without a name (icao: the paper compares neither)', () => {
  test.each([
    ['swiss six four runway two three right cleared touch and go', 'touch go runway two three right swiss six four', 'correct'],
    ['swiss six four runway two three right cleared touch and go', 'cleared to land runway two three right swiss six four', /^(?:error|uncertain)/],
    ['copa three one one taxi to the ramp via mike papa', 'taxi via mike papa copa three one one', 'correct'],
    ['copa three one one taxi to stand four via mike papa', 'taxi via mike papa copa three one one', /^error stand/],
  ])('%s | %s', (instruction, readback, wanted) => {
    expect(verdict(instruction, readback, 'icao')).toMatch(wanted);
  });
});

describe('procedures named by letters (icao)', () => {
  test.each([
    ['belavia eight four zero cleared via mike oscar one november arrival', 'via mike oscar one november arrival belavia eight four zero', 'correct'],
    ['belavia eight four zero cleared via mike oscar one november arrival', 'via mike oscar one papa arrival belavia eight four zero', /^error procedure/],
    ['belavia eight four zero cleared via mike oscar one november arrival', 'copied belavia eight four zero', /^error procedure/],
  ])('%s | %s', (instruction, readback, wanted) => {
    expect(verdict(instruction, readback, 'icao')).toMatch(wanted);
  });
});

describe('an operator that the recogniser could not read', () => {
  const heard = (text: string, unsure: number, others: readonly string[] = []) => understand({ id: 'x', text, words: text.split(' ').map((word, i) => ({ text: word, confidence: i < unsure ? 0.3 : 0.98 })), heard: others });
  test.each([
    ['pan pan six sixty three turn right heading three three zero', 2, 'right heading three three zero hansaline six sixty three', 'correct'],
    ['pan pan six sixty three turn right heading three three zero', 2, 'right heading three three zero hansaline six sixty four', /^(?:error|uncertain) callsign/],
    ['track to say three five maintain flight level two zero zero', 3, 'maintaining flight level two zero zero cactus seven three five', /^uncertain callsign/],
    ['left two seven zero climb flight level two zero zero', 1, 'left two seven zero climb flight level two zero zero', 'correct'],
  ])('%s (%i words unsure) | %s', (instruction, unsure, readback, wanted) => {
    const said = heard(instruction, unsure);
    const finding = judgeByRules({ instruction: said, readback: heard(readback, 0, said.callsign === null ? [] : [said.callsign]), profile: 'paper' });
    expect(`${finding.verdict}${finding.verdict === 'correct' ? '' : ` ${finding.affected_slot ?? ''}`}`).toMatch(wanted);
  });
});

test.each([[0.2, 'uncertain'], [0.95, 'correct']])('a speed that came back, of which the instruction, heard with a sureness of %f, has none: %s', (confidence, wanted) => {
  const words = 'dolomiti two four zero confirm maintain speed and maintain your level'.split(' ').map((text, i) => ({ text, confidence: i > 6 ? confidence : 0.95 }));
  const said = understand({ id: 'i', text: words.map(({ text }) => text).join(' '), words });
  const back = understand({ id: 'r', text: 'maintain speed two zero zero knots dolomiti two four zero', heard: said.callsign === null ? [] : [said.callsign] });
  expect(judgeByRules({ instruction: said, readback: back, profile: 'paper' }).verdict).toBe(wanted);
});

describe('who read it back', () => {
  test.each([
    ['jeju air fifty five alpha maintain flight level two six zero contact tower one two two point three five', 'maintain flight level two six zero contact tower one two two point three five rafair fifty five alpha', /^(?:error|uncertain) callsign/],
    ['skymark eight hundred juliet turn left heading two nine zero', 'left heading two nine zero skymark eight hundred bravo', /^error callsign/],
    ['skymark eight hundred juliet turn left heading two nine zero', 'left heading two nine zero skymark eight hundred juliet', 'correct'],
    ['november six six eight hotel quebec alpha altimeter three zero six two', 'altimeter three zero six two november six six eight hotel quebec alpha', 'correct'],
    ['november six six eight hotel quebec alpha altimeter three zero six two', 'altimeter three zero six two november six six nine hotel quebec alpha', /^error callsign/],
    ['papa hotel echo whiskey mike november fly two two zero knots', 'two two zero knots papa hotel echo whiskey mike romeo', /^(?:error|uncertain) callsign/],
    ['luxair three nine zero one cleared longix seven quebec departure reduce speed two four zero knots', 'longix seven quebec departure two four zero knots', 'correct'],
    ['luxair three nine zero one cleared longix seven quebec departure reduce speed two four zero knots', 'longix seven sierra departure two four zero knots', /^(?:error|uncertain)/],
  ])('%s | %s', (instruction, readback, wanted) => {
    expect(verdict(instruction, readback)).toMatch(wanted);
  });
});
