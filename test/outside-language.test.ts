/**
 * Faults that were reported from practice (accident and incident reports, bug trackers of neighbouring programs), each as a
 * dialogue or pair of the same kind in other words and values.
 */
import { describe, expect, test } from 'vitest';
import { joinUnderstandings, pairTransmissions } from '../engine/dialogue/index.js';
import type { DialogueInput } from '../engine/domain/stages.js';
import type { Finding } from '../engine/domain/finding.js';
import type { Exchange } from '../engine/domain/exchange.js';
import type { Profile } from '../engine/domain/taxonomy.js';
import { judgeByRules } from '../engine/judge/index.js';
import { understand } from '../engine/understanding/index.js';

function judge(instruction: string, readback: string, profile: Profile = 'icao'): Finding {
  return judgeByRules({ instruction: understand({ id: 'i', text: instruction }), readback: understand({ id: 'r', text: readback }), profile });
}

/** Exchanges with findings, transmissions numbered from 1. */
function talk(...texts: string[]): { exchange: Exchange; finding: Finding | undefined }[] {
  const heard: string[] = [];
  const inputs: DialogueInput[] = texts.map((text, i) => {
    const understanding = understand({ id: String(i + 1), text, heard });
    const form = understanding.callsign_candidates[0]?.form;
    if (understanding.callsign !== null && (form === 'full' || form === 'list')) heard.push(understanding.callsign);
    return { id: String(i + 1), guards: [], understanding };
  });
  return pairTransmissions(inputs).map(({ exchange, pair }) => {
    return {
      exchange,
      finding:
        pair === undefined
          ? undefined
          : judgeByRules({ instruction: pair.instruction.understanding, readback: joinUnderstandings(pair.readbacks.map((r) => r.understanding)), profile: 'icao', pairingConfidence: exchange.pairing_confidence }),
    };
  });
}

const RIGHT = ['CORRECT', 'FILLER_CORRECT', 'NUMBER_FORMAT'];

describe('a taxi readback with a slip that the pilot repaired, wrong crossings and no hold-short; ground corrects it', () => {
  const result = talk(
    'jetspeed two two four turn right runway one two right cross runway three zero left hold short runway three zero right',
    'okay right on one uh one two right cross the two five or two seven left jetspeed two two four',
    'jetspeed two two four negative cross three zero left hold short three zero right',
    'cross three zero left hold short three zero right jetspeed two two four',
  );
  test('D27 two exchanges, the second one follows the first, nothing stays open', () => {
    expect(result.map((r) => [r.exchange.instruction, r.exchange.readbacks, r.exchange.status])).toEqual([
      ['1', ['2'], 'corrected'],
      ['3', ['4'], 'answered'],
    ]);
    expect(result[1]?.exchange.follows).toBe(result[0]?.exchange.id);
  });
  test('J2 J12 the first readback is a critical error about the runways, and not because of the slip', () => {
    const finding = result[0]?.finding;
    expect(finding?.verdict).toBe('error');
    expect(['CRITICAL', 'EXTREME']).toContain(finding?.risk_level);
    expect(finding?.affected_slot).toBe('runway');
    expect(finding?.evidence.comparisons.filter((c) => c.instruction === '12R').map((c) => c.outcome)).not.toContain('wrong');
  });
  test('the second readback is right', () => {
    expect(result[1]?.finding?.verdict).toBe('correct');
  });
});

describe('a distance taken for a level', () => {
  test('J5 the digits of a distance do not make a level right', () => {
    const finding = judge('baron six two papa maintain five thousand expect higher in one three miles', 'one three thousand six two papa');
    expect(finding).toMatchObject({ verdict: 'error', error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'altitude' });
  });
  test('J4 the same instruction read back right needs no word of the expectation', () => {
    expect(judge('baron six two papa maintain five thousand expect higher in one three miles', 'maintain five thousand six two papa').verdict).toBe('correct');
  });
});

describe('a heading taken for a level or a speed', () => {
  test.each([
    ['learjet seven four bravo fly heading three one zero', 'climb flight level three one zero learjet seven four bravo'],
    ['learjet seven four bravo fly heading two four zero', 'descending to two thousand four hundred learjet seven four bravo'],
    ['learjet seven four bravo turn left heading two one zero', 'reduce speed two one zero knots learjet seven four bravo'],
    ['learjet seven four bravo reduce speed one niner zero knots', 'heading one nine zero learjet seven four bravo'],
  ])('J5 %s | %s', (instruction, readback) => {
    const finding = judge(instruction, readback);
    expect(finding.verdict).toBe('error');
    expect(['CRITICAL', 'EXTREME']).toContain(finding.risk_level);
    expect(['heading', 'altitude']).toContain(finding.affected_slot);
  });
});

describe('a wrong altimeter setting from the controller', () => {
  test('J2 a crew that reads back another value is flagged, in the icao profile only', () => {
    const words = ['skyline six one descend four thousand feet q n h niner niner six cleared i l s approach runway three four left', 'descend four thousand feet q n h niner eight six cleared i l s three four left skyline six one'] as const;
    expect(judge(...words)).toMatchObject({ verdict: 'error', error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'qnh' });
    expect(judge(...words, 'paper').verdict).toBe('correct');
  });
  test('J3 a crew that repeats what was said is right, whatever the weather', () => {
    expect(judge('bluebird two two descend seven thousand feet q n h niner niner six', 'seven thousand niner niner six bluebird two two').verdict).toBe('correct');
  });
});

describe('cleared to land on the wrong parallel, by the controller', () => {
  const result = talk(
    'plateau six one eight cleared visual approach runway three four left',
    'cleared visual three four left plateau six one eight',
    'plateau six one eight runway three four right cleared to land',
    'cleared to land three four right plateau six one eight',
    'tower plateau six one eight is cleared to land three four right',
    'no plateau six one eight you are cleared to land runway three four left',
    'three four left cleared to land plateau six one eight',
  );
  test('D14 three exchanges, all right, nothing open; the pilot’s remark answers nothing', () => {
    expect(result.map((r) => [r.exchange.instruction, r.exchange.readbacks])).toEqual([
      ['1', ['2']],
      ['3', ['4']],
      ['6', ['7']],
    ]);
    expect(result.map((r) => r.finding?.verdict)).toEqual(['correct', 'correct', 'correct']);
    expect(result.every((r) => RIGHT.includes(r.finding?.error_type ?? ''))).toBe(true);
  });
});

describe('numbers said as one big number', () => {
  test('J5 a flight number of whole thousands is no level', () => {
    const finding = judge('aurora three thousand descend flight level six zero', 'flight level six zero aurora three thousand');
    expect(finding).toMatchObject({ verdict: 'correct', risk_level: 'CORRECT' });
  });
  test('J23 a squawk said as a big number is another number format', () => {
    const finding = judge('harbour seven six two squawk four three one six', 'squawking four thousand three hundred and sixteen harbour seven six two');
    expect(finding.verdict).toBe('correct');
    expect(['CORRECT', 'NUMBER_FORMAT']).toContain(finding.error_type);
  });
  test('J2 and a wrong one is still wrong', () => {
    expect(judge('harbour seven six two squawk four three one six', 'squawking four thousand six hundred and thirteen harbour seven six two')).toMatchObject({ verdict: 'error', error_type: 'VALUE_HIGH', affected_slot: 'squawk' });
  });
});

describe('clicks of the key and a bare callsign', () => {
  const result = talk('district four six turn left heading two two zero', '', 'district four six turn left heading two two zero', 'district four six');
  test('D22 D26 clicks answer nothing; the repeat supersedes', () => {
    expect(result.map((r) => [r.exchange.instruction, r.exchange.readbacks, r.exchange.status])).toEqual([
      ['1', [], 'superseded'],
      ['3', ['4'], 'answered'],
    ]);
    expect(result[0]?.finding).toBeUndefined();
  });
  test('D4 also when the clicks made no transmission at all', () => {
    const without = talk('district four six turn left heading two two zero', 'district four six turn left heading two two zero', 'district four six');
    expect(without.map((r) => [r.exchange.instruction, r.exchange.readbacks])).toEqual([
      ['1', []],
      ['2', ['3']],
    ]);
  });
  test('J14 a bare callsign is an omission', () => {
    expect(result[1]?.finding).toMatchObject({ verdict: 'error', error_type: 'OMISSION_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'heading' });
  });
});

describe('the same with a callsign made of words that mean something else, or of none that is known', () => {
  test.each(['training four six', 'vehicle seven', 'overlord'])('D4 D26 %s: never right, and no readback of itself', (aircraft) => {
    for (const middle of [[], ['']]) {
      const result = talk(`${aircraft} hold short of runway one one`, ...middle, `${aircraft} hold short of runway one one`, aircraft);
      expect(result.map((r) => r.finding?.verdict)).not.toContain('correct');
    }
  });
});

describe('a report that answers the question and not the instruction', () => {
  const instruction = 'medevac two nine is the airbus in sight medevac two nine pass behind that airbus';
  test('J3 J13 not right: the instruction to pass behind never came back', () => {
    const finding = judge(instruction, 'medevac two nine traffic in sight requesting visual separation');
    expect(finding.verdict).not.toBe('correct');
    expect(finding.risk_level).toBe('HIGH');
    expect(['condition', 'relation', 'traffic']).toContain(finding.affected_slot);
  });
  test('read back, it is right', () => {
    expect(judge(instruction, 'airbus in sight will pass behind medevac two nine').verdict).toBe('correct');
  });
});

describe('more of each kind, in other words and values', () => {
  test.each([
    // runways and what to do at them, with slips
    ['J8 J10', 'execjet three one zero turn left runway two two cross runway one three right hold short runway one three left', 'left on two uh two two cross one three left and hold short one three right execjet three one zero', 'CRITICAL', ['runway', 'hold_short', 'crossing']],
    ['J2', 'execjet three one zero cross runway one three right hold short runway one three left', 'cross one three right execjet three one zero', 'CRITICAL', ['runway', 'hold_short']],
    // a time or a distance taken for a level
    ['J5', 'navajo one nine lima maintain four thousand expect higher in one zero minutes', 'climb one zero thousand one nine lima', 'CRITICAL', ['altitude']],
    ['J5', 'navajo one nine lima maintain six thousand expect approach clearance in eight miles', 'eight thousand one nine lima', 'CRITICAL', ['altitude']],
    ['J5', 'navajo one nine lima descend to three thousand one two miles from touchdown', 'descend to one two thousand navajo one nine lima', 'CRITICAL', ['altitude']],
    // the same figure in another slot
    ['J5', 'citation five two kilo turn right heading one niner zero', 'climb flight level one niner zero citation five two kilo', 'CRITICAL', ['heading', 'altitude']],
    ['J5', 'citation five two kilo reduce speed two zero zero knots', 'turn right heading two zero zero citation five two kilo', 'CRITICAL', ['heading', 'speed']],
    ['J5', 'citation five two kilo climb flight level two eight zero', 'heading two eight zero citation five two kilo', 'CRITICAL', ['heading', 'altitude']],
    // another pressure
    ['J2', 'wizzair six six descend four thousand feet q n h one zero zero two', 'descend four thousand feet q n h one zero two zero wizzair six six', 'CRITICAL', ['qnh']],
    ['J2', 'wizzair six six altimeter two niner niner two descend three thousand', 'descend three thousand two niner two niner wizzair six six', 'CRITICAL', ['qnh']],
    // a code as two numbers, one of them wrong
    ['J2', 'condor nine two squawk two one zero four', 'squawking twenty one forty condor nine two', 'HIGH', ['squawk']],
    // a report that answers the question and not the instruction
    ['J3', 'police eight three traffic a citation two miles final pass behind that traffic', 'traffic in sight police eight three', 'HIGH', ['condition', 'relation', 'traffic']],
    ['J3', 'police eight three follow the regional jet do you have it in sight', 'in sight police eight three', 'HIGH', ['condition', 'relation', 'traffic']],
    ['J3', 'police eight three give way to the helicopter from your right then continue taxi', 'continue taxi police eight three', 'HIGH', ['condition', 'relation', 'traffic']],
  ] as const)('%s %s | %s', (_number, instruction, readback, level, slots) => {
    const finding = judge(instruction, readback);
    expect(finding.verdict).toBe('error');
    expect([level, 'EXTREME']).toContain(finding.risk_level);
    expect(slots).toContain(finding.affected_slot);
  });
  test.each([
    ['navajo one nine lima maintain four thousand expect higher in one zero minutes', 'maintaining four thousand navajo one nine lima'],
    ['wizzair six six descend four thousand feet q n h one zero zero two', 'four thousand one zero zero two wizzair six six'],
    ['ural seven thousand turn left heading two seven zero', 'left heading two seven zero ural seven thousand'],
    ['condor four hundred climb flight level one one zero', 'climb flight level one one zero condor four hundred'],
    ['condor nine two squawk six three zero zero', 'squawk sixty three hundred condor nine two'],
    ['condor nine two squawk two one zero four', 'squawking twenty one zero four condor nine two'],
    ['police eight three pass behind the citation on final', 'will pass behind the citation police eight three'],
  ])('right: %s | %s', (instruction, readback) => {
    expect(judge(instruction, readback).verdict).toBe('correct');
  });
  test('D16 D27 a doubt about the runway, put right by the controller', () => {
    const result = talk(
      'redwing seven four cleared ils approach runway one six right',
      'cleared ils one six right redwing seven four',
      'redwing seven four runway one six left cleared to land',
      'cleared to land one six left redwing seven four',
      'tower redwing seven four confirm one six left',
      'redwing seven four negative runway one six right cleared to land',
      'one six right cleared to land redwing seven four',
    );
    expect(result.map((r) => [r.exchange.instruction, r.exchange.readbacks, r.exchange.status, r.finding?.verdict])).toEqual([
      ['1', ['2'], 'answered', 'correct'],
      ['3', ['4'], 'corrected', 'correct'],
      ['6', ['7'], 'answered', 'correct'],
    ]);
  });
  test('D4 J14 said twice, and only a roger', () => {
    const result = talk('harbour two four climb flight level one one zero', 'harbour two four climb flight level one one zero', 'harbour two four roger');
    expect(result.map((r) => [r.exchange.instruction, r.exchange.readbacks, r.exchange.status])).toEqual([
      ['1', [], 'superseded'],
      ['2', ['3'], 'answered'],
    ]);
    expect(result[1]?.finding).toMatchObject({ verdict: 'error', error_type: 'OMISSION_CRITICAL', affected_slot: 'altitude' });
  });
  test('D22 said once, and never a word', () => {
    const result = talk('harbour two four climb flight level one one zero', '', '', '');
    expect(result.map((r) => [r.exchange.instruction, r.exchange.readbacks, r.exchange.status, r.finding])).toEqual([['1', [], 'unanswered', undefined]]);
  });
});
