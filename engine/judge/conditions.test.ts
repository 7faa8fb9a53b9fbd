/**
 * Twenty-odd ways to state a condition, each read back in the same words, in other words, not at all, and with something else
 * inside (J17–J20).
 */
import { describe, expect, test } from 'vitest';
import { understand } from '../understanding/index.js';
import { judgeByRules } from './index.js';

const judge = (instruction: string, readback: string) => judgeByRules({ instruction: understand({ id: 'i', text: instruction }), readback: understand({ id: 'r', text: readback }), profile: 'icao' });

interface Row {
  /** Instruction with the condition in place of %. */
  readonly frame: string;
  /** Readback frame. */
  readonly back: string;
  readonly given: string;
  readonly same: readonly string[];
  /** Another value or direction inside, where there is one. */
  readonly other?: string;
  readonly otherLevel?: 'CRITICAL' | 'HIGH';
}

const CLIMB = { frame: 'finnair three one % climb flight level two six zero', back: '% climb flight level two six zero finnair three one' };
const CLIMB_END = { frame: 'finnair three one climb flight level two six zero %', back: 'climb flight level two six zero % finnair three one' };
const SPEED_END = { frame: 'finnair three one maintain one seven zero knots %', back: 'one seven zero knots % finnair three one' };
const LINE_UP = { frame: 'finnair three one % line up and wait runway two two', back: '% line up and wait runway two two finnair three one' };
const TURN_END = { frame: 'finnair three one turn left heading two one zero %', back: 'left heading two one zero % finnair three one' };
const CONTACT = { frame: 'finnair three one % contact tower one one eight decimal six', back: '% tower one one eight decimal six finnair three one' };

const ROWS: readonly Row[] = [
  { ...CLIMB, given: 'after passing rolki', same: ['after rolki', 'when passing rolki', 'passing rolki'], other: 'after passing lupen', otherLevel: 'HIGH' },
  { ...CLIMB_END, given: 'before reaching lamso', same: ['before lamso'], other: 'after lamso', otherLevel: 'HIGH' },
  { ...CLIMB, given: 'when ready', same: ['when ready'] },
  { frame: 'finnair three one maintain flight level two six zero %', back: '% maintaining flight level two six zero finnair three one', given: 'when passing lamso', same: ['passing lamso', 'after lamso'] },
  { ...CLIMB, given: 'when able', same: ['when able'] },
  { ...TURN_END, given: 'when passing three thousand feet', same: ['passing three thousand', 'after passing three thousand feet'], other: 'passing four thousand feet', otherLevel: 'CRITICAL' },
  { ...TURN_END, given: 'at five dme', same: ['at five dme'], other: 'at nine dme', otherLevel: 'HIGH' },
  { ...CLIMB_END, given: 'to be level by nemti', same: ['level by nemti', 'to be level by nemti'], other: 'to be level by bokan', otherLevel: 'HIGH' },
  { ...CLIMB_END, given: 'cross nemti at or above flight level one eight zero', same: ['nemti at or above flight level one eight zero', 'crossing nemti at flight level one eight zero or above'], other: 'cross nemti at or above flight level one niner zero', otherLevel: 'CRITICAL' },
  { ...CLIMB_END, given: 'cross nemti at or below flight level one eight zero', same: ['cross nemti at or below flight level one eight zero'], other: 'cross nemti at or above flight level one eight zero', otherLevel: 'CRITICAL' },
  { ...SPEED_END, given: 'until four miles final', same: ['until four miles', 'to four miles'], other: 'until six miles', otherLevel: 'HIGH' },
  { ...SPEED_END, given: 'until five dme', same: ['to five dme', 'till five dme'], other: 'until eight dme', otherLevel: 'HIGH' },
  { ...SPEED_END, given: 'until karfo', same: ['till karfo', 'until karfo'], other: 'until lamso', otherLevel: 'HIGH' },
  { ...SPEED_END, given: 'or less', same: ['or less'] },
  { ...SPEED_END, given: 'or greater', same: ['or greater'] },
  { ...LINE_UP, given: 'behind the landing boeing', same: ['behind the landing boeing', 'behind landing boeing'] },
  { ...LINE_UP, given: 'after the departing airbus', same: ['after the departing airbus', 'behind the departing airbus'] },
  { ...CONTACT, given: 'when established', same: ['when established', 'once established'] },
  { ...CONTACT, given: 'when clear of the runway', same: ['once clear of the runway'] },
  { ...CONTACT, given: 'when airborne', same: ['airborne', 'once airborne'] },
  { ...CLIMB_END, given: 'at time three zero', same: ['at three zero', 'time three zero'], other: 'at time four zero', otherLevel: 'HIGH' },
  { ...CONTACT, given: 'after vacating', same: ['after vacating', 'when vacated'] },
  { ...CLIMB, given: 'not before time two five', same: ['not before time two five', 'not before two five'], other: 'not before time three five', otherLevel: 'HIGH' },
  { ...CLIMB, given: 'when clear of traffic', same: ['when clear of traffic', 'clear of traffic', 'once clear'] },
  { ...TURN_END, given: 'when clear of traffic', same: ['when clear of traffic'] },
  { ...TURN_END, given: 'after passing rolki', same: ['passing rolki', 'once past rolki', 'after rolki'], other: 'passing lupen', otherLevel: 'HIGH' },
  { ...TURN_END, given: 'abeam rolki', same: ['when abeam rolki'], other: 'abeam lupen', otherLevel: 'HIGH' },
  { ...TURN_END, given: 'ten miles before rolki', same: ['one zero miles before rolki'], other: 'five miles before rolki', otherLevel: 'HIGH' },
  { ...CLIMB, given: 'ten miles before rolki', same: ['one zero miles prior to rolki'], other: 'ten miles after rolki', otherLevel: 'HIGH' },
  { ...CLIMB, given: 'one minute after rolki', same: ['one minute after passing rolki'], other: 'two minutes after rolki', otherLevel: 'HIGH' },
  { ...TURN_END, given: 'by rolki', same: ['by rolki'], other: 'by lupen', otherLevel: 'HIGH' },
  { ...CLIMB_END, given: 'no later than two five', same: ['not later than two five', 'before two five'], other: 'no later than three five', otherLevel: 'HIGH' },
  { ...CLIMB, given: 'within two minutes', same: ['in two minutes'], other: 'within five minutes', otherLevel: 'HIGH' },
  { ...CLIMB, given: 'when able', same: ['if able', 'when possible'] },
  { ...CLIMB_END, given: 'expedite until passing flight level one hundred', same: ['expediting through level one hundred'], other: 'expediting through flight level one two zero', otherLevel: 'CRITICAL' },
  { ...LINE_UP, given: 'behind the landing a320 on final', same: ['behind the airbus on final', 'after the landing airbus'], other: 'behind the boeing on final', otherLevel: 'HIGH' },
  { ...LINE_UP, given: 'behind the landing boeing', same: ['behind the boeing landing'], other: 'behind the departing boeing', otherLevel: 'HIGH' },
  { ...CONTACT, given: 'once you have the traffic in sight', same: ['traffic in sight', 'when traffic in sight'] },
  { ...CONTACT, given: 'with the field in sight', same: ['field in sight'] },
];

describe.each(ROWS)('$given ($frame)', (row) => {
  const put = (frame: string, words: string): string => frame.replace('%', words).replace(/\s+/g, ' ').trim();
  const instruction = put(row.frame, row.given);
  test('J17 in the same words', () => {
    expect(judge(instruction, put(row.back, row.given))).toMatchObject({ verdict: 'correct', error_type: 'CORRECT' });
  });
  test.each(row.same)('J17 as "%s"', (words) => {
    expect(judge(instruction, put(row.back, words)).verdict).toBe('correct');
  });
  test('J17 dropped', () => {
    expect(judge(instruction, put(row.back, ''))).toMatchObject({ verdict: 'error', error_type: 'CONSTRAINT_HIGH', affected_slot: 'condition' });
  });
  if (row.other !== undefined) {
    test('J18 with something else inside', () => {
      const finding = judge(instruction, put(row.back, row.other ?? ''));
      expect(finding).toMatchObject({ verdict: 'error', error_type: row.otherLevel === 'CRITICAL' ? 'VALUE_CRITICAL' : 'VALUE_HIGH', affected_slot: row.otherLevel === 'CRITICAL' ? 'altitude' : 'condition' });
    });
  }
});
