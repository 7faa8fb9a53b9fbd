/**
 * The numbered behaviours of the rules judge (docs/behaviour-judging.md). Texts go through the real parser; evidence is
 * worsened by hand where a behaviour is about evidence.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../domain/finding.js';
import type { Profile } from '../domain/taxonomy.js';
import type { Guard, GuardReason, Item, Understanding } from '../domain/understanding.js';
import { understand } from '../understanding/index.js';
import { createRulesJudge, judgeByRules } from './index.js';
import { agreement } from './rules.js';

const u = (text: string): Understanding => understand({ id: 'x', text });
const judge = (instruction: string, readback: string, profile: Profile = 'icao'): Finding => judgeByRules({ instruction: u(instruction), readback: u(readback), profile });
const type = (instruction: string, readback: string, profile: Profile = 'icao'): string => {
  const { verdict, error_type: error, affected_slot: slot } = judge(instruction, readback, profile);
  return `${verdict} ${error}${slot === null ? '' : ` ${slot}`}`;
};
const guard = (reason: GuardReason): Guard => ({ reason, detail: `${reason}.` });
const guarded = (instruction: string, readback: string, reason: GuardReason): Finding => judgeByRules({ instruction: u(instruction), readback: u(readback), profile: 'icao', guards: { instruction: [], readback: [guard(reason)] } });
/** The same understanding with another confidence for the items of a slot. */
const unsure = (original: Understanding, slot: Item['slot'], confidence: number): Understanding => ({ ...original, items: original.items.map((i) => (i.slot === slot ? { ...i, confidence } : i)) });

const LEVEL = 'lufthansa five six kilo descend flight level one two zero';

test('the judge is a stage that never rejects', async () => {
  const finding = await createRulesJudge().judge({ instruction: u(LEVEL), readback: u('descend flight level one two zero lufthansa five six kilo'), profile: 'paper' });
  expect(finding).toMatchObject({ judge: 'rules', profile: 'paper', verdict: 'correct' });
});

describe('what is compared', () => {
  test('J1 J2 what only the icao profile judges', () => {
    const cases: [string, string, string][] = [
      ['swiss two two descend four thousand feet qnh one zero zero two', 'four thousand feet qnh one zero two zero swiss two two', 'error VALUE_CRITICAL qnh'],
      ['swiss two two squawk one four two two climb flight level niner zero', 'flight level nine zero squawk one four four two swiss two two', 'error VALUE_HIGH squawk'],
      ['swiss two two proceed direct gipol climb flight level niner zero', 'climb flight level nine zero swiss two two', 'error OMISSION_HIGH waypoint'],
      ['swiss two two runway one four cleared to land', 'runway one four swiss two two', 'error OMISSION_CRITICAL runway'],
    ];
    for (const [instruction, readback, icao] of cases) {
      expect(type(instruction, readback)).toBe(icao);
      expect(judge(instruction, readback, 'paper').verdict).toBe('correct');
    }
  });
  test('J3 weather, reasons and traffic need not come back', () => {
    expect(judge('klm eight one wind two zero zero degrees one five knots turn right heading three three zero for spacing', 'right heading three three zero klm eight one').verdict).toBe('correct');
    expect(judge('klm eight one traffic two o clock five miles opposite direction', 'looking out klm eight one').verdict).toBe('correct');
  });
  test('J4 an expectation need not come back; its runway must not be contradicted', () => {
    expect(judge('iberia one two descend five thousand feet expect ils approach runway three two left', 'descend five thousand feet iberia one two').verdict).toBe('correct');
    expect(judge('iberia one two descend five thousand feet expect ils approach runway three two left', 'descend five thousand feet expect ils three two right iberia one two').verdict).not.toBe('correct');
  });
  test('J5 the same digits for something else', () => {
    expect(judge('iberia one two fly heading three five zero', 'climb flight level three five zero iberia one two').verdict).toBe('error');
    expect(judge('iberia one two reduce speed two two zero knots', 'heading two two zero iberia one two')).toMatchObject({ verdict: 'error', risk_level: 'CRITICAL' });
  });
  test('J6 a number without a carrier', () => {
    expect(judge(LEVEL, 'one two zero lufthansa five six kilo').verdict).toBe('correct');
    expect(judge(LEVEL, 'one three zero lufthansa five six kilo').verdict).not.toBe('correct');
    expect(judge('klm seven three reduce speed one six zero knots', 'sixty knots klm seven three').verdict).not.toBe('correct');
  });
  test('J7 another unit', () => {
    expect(type('delta four four descend flight level eight zero', 'descend eight thousand feet delta four four')).toBe('error VALUE_CRITICAL altitude');
    expect(judge('delta four four descend flight level eight zero', 'descend eight thousand feet delta four four').evidence.comparisons.find((c) => c.slot === 'altitude')?.outcome).toBe('unit-changed');
  });
  test('J8 left and right, climb and descend, hold and cross', () => {
    expect(type('delta four four turn left heading one eight zero', 'right heading one eight zero delta four four')).toBe('error VALUE_CRITICAL heading');
    expect(type('delta four four climb flight level two four zero', 'descend flight level two four zero delta four four', 'paper')).toBe('error VALUE_CRITICAL altitude');
    expect(type('delta four four hold short of runway two two', 'cross runway two two delta four four')).toBe('error VALUE_CRITICAL runway');
    expect(type('delta four four line up and wait runway two two', 'cleared for takeoff runway two two delta four four')).toBe('error VALUE_CRITICAL runway');
  });
  test('J9 a turn by degrees needs its side, a heading does not', () => {
    expect(type('delta four four turn left two zero degrees', 'turn two zero degrees delta four four')).toBe('error OMISSION_CRITICAL heading');
    expect(judge('delta four four turn left heading two zero zero', 'heading two zero zero delta four four').verdict).toBe('correct');
  });
  test('J10 the side of a runway', () => {
    expect(type('united six one cleared ils approach runway two eight left', 'cleared ils approach runway two eight united six one')).toBe('error VALUE_CRITICAL runway');
    expect(judge('united six one cleared ils approach runway two eight right', 'cleared ils two eight romeo united six one').verdict).toBe('correct');
  });
  test('J11 what was never given', () => {
    expect(type('air france one one contact radar one three two decimal one', 'one three two decimal one climb flight level three three zero air france one one')).toBe('error VALUE_CRITICAL altitude');
    const both = judge(LEVEL, 'descend flight level one two zero flight level one one zero lufthansa five six kilo');
    expect(both).toMatchObject({ verdict: 'uncertain', error_type: 'VALUE_CRITICAL', affected_slot: 'altitude' });
    expect(judge('air france one one contact tower', 'tower one one eight decimal one air france one one').advisories.map((a) => a.kind)).toContain('added');
  });
  test('J12 what is taken back does not count', () => {
    expect(judge(LEVEL, 'descend flight level one one zero correction flight level one two zero lufthansa five six kilo').verdict).toBe('correct');
    expect(judge(LEVEL, 'descend flight level one two zero correction flight level one one zero lufthansa five six kilo').verdict).toBe('error');
  });
  test('J13 J14 what reads nothing back', () => {
    for (const answer of ['say again lufthansa five six kilo', 'stand by lufthansa five six kilo', 'unable lufthansa five six kilo', 'request flight level one four zero lufthansa five six kilo', 'roger lufthansa five six kilo', 'wilco', 'lufthansa five six kilo']) {
      expect([answer, judge(LEVEL, answer).error_type]).toEqual([answer, 'OMISSION_CRITICAL']);
    }
    expect(judge(LEVEL, 'say again lufthansa five six kilo').advisories.map((a) => a.kind)).toContain('not-a-readback');
    expect(judge(LEVEL, 'roger lufthansa five six kilo').explanation).toMatch(/^"Roger" alone/);
  });
});

describe('callsign', () => {
  test('J15 another aircraft, and the same one shortened', () => {
    expect(type(LEVEL, 'descend flight level one two zero lufthansa six five kilo')).toBe('error TARGET_CRITICAL callsign');
    expect(judge('oscar kilo papa romeo mike descend flight level eight zero', 'flight level eight zero oscar romeo mike').verdict).toBe('correct');
    expect(judge('speedbird nine heavy climb flight level two zero zero', 'climb flight level two zero zero speedbird nine').verdict).toBe('correct');
  });
  test('J15 the end of a whole registration is no short form of another one', () => {
    const turn = 'november nine three three five oscar turn left heading two seven zero';
    // as the live pipeline does it: the callsign of the instruction is known when the readback is read
    const judge = (given: string, said: string): Finding => {
      const instruction = u(given);
      return judgeByRules({ instruction, readback: understand({ id: 'r', text: said, heard: [instruction.callsign ?? ''] }), profile: 'icao' });
    };
    expect(judge(turn, 'left heading two seven zero november six three five oscar')).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
    expect(judge(turn, 'november six three five oscar left heading two seven zero')).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
    expect(judge(turn, 'left heading two seven zero six three five oscar').verdict).not.toBe('correct');
    expect(judge('golf alpha bravo charlie delta turn left heading two seven zero', 'left heading two seven zero golf hotel bravo charlie delta')).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
    expect(judge(turn, 'left heading two seven zero november three five oscar').verdict).toBe('correct');
    // a figure behind the number belongs to it where nothing else can take it
    expect(judge('belavia eight nine one maintain five thousand feet', 'maintain five thousand feet belavia eight nine one seven')).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
    expect(judge('uzbek nine zero two runway zero four cleared touch and go', 'uzbek nine zero two seven touch and go runway zero four')).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
    expect(judge('flexjet three three one contact lima approach one three zero decimal three five', 'flexjet three three one lima approach one three zero decimal three five').verdict).toBe('correct');
    expect(judge(turn, 'left heading two seven zero three five oscar').verdict).toBe('correct');
  });
  test('J15 J25 the words that differ must be sure, not the weakest of the callsign', () => {
    const heard = (text: string, weak: string): Understanding => understand({ id: 'x', text, words: text.split(' ').map((word) => ({ text: word, confidence: word === weak ? 0.4 : 0.95 })) });
    const instruction = u('swiss four two six descend six thousand feet');
    expect(judgeByRules({ instruction, readback: heard('six thousand feet swiss four six two', 'swiss'), profile: 'icao' })).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
    expect(judgeByRules({ instruction, readback: heard('six thousand feet swiss four six two', 'two'), profile: 'icao' })).toMatchObject({ verdict: 'uncertain', error_type: 'TARGET_CRITICAL' });
    expect(judgeByRules({ instruction, readback: heard('six thousand feet speedbird four two six', 'speedbird'), profile: 'icao' })).toMatchObject({ verdict: 'uncertain', error_type: 'TARGET_CRITICAL' });
  });
  describe('callsigns that were hardly heard', () => {
    /** Words of these sorts with this confidence, all others surely heard. */
    const heard = (text: string, weak: Readonly<Record<string, number>> = {}, callsign: string | null = null): Understanding =>
      understand({ id: 'x', text, words: text.split(' ').map((word) => ({ text: word, confidence: weak[word] ?? 0.95 })), heard: callsign === null ? [] : [callsign] });
    const judged = (instruction: Understanding, readback: Understanding): string => {
      const { verdict, error_type: error } = judgeByRules({ instruction, readback, profile: 'paper' });
      return `${verdict} ${error}`;
    };

    test('J29 another operator is not overlooked because its name was hardly heard', () => {
      const instruction = heard('lufthansa two one zero climb and maintain flight level one two zero');
      for (const confidence of [0.95, 0.4, 0.04, 0.01]) {
        const readback = heard('climbing flight level one two zero hainan two one zero', { hainan: confidence }, instruction.callsign);
        expect(readback.callsign).toBe('CHH210');
        expect(judged(instruction, readback)).not.toMatch(/^correct/);
      }
    });
    test('J47 what called the aircraft was not understood, and its number is another', () => {
      const call = (text: string, readback: string): string => judged(heard(text), heard(readback));
      expect(call('track to eight three five maintain flight level two zero zero', 'maintaining flight level two zero zero qantas seven three five')).toBe('uncertain TARGET_CRITICAL');
      expect(call('track to eight three five maintain flight level two zero zero', 'maintaining flight level two zero zero qantas eight three five')).toMatch(/^correct/);
      // figures in front that are something else
      expect(call('wind two four zero degrees eight knots runway two five cleared to land', 'cleared to land runway two five lufthansa four five one')).toMatch(/^correct/);
    });
    test('J48 no callsign, and at the end a number one digit off the called one', () => {
      const call = (readback: string): string => judged(heard('air china nine four three turn right heading three four zero'), heard(readback));
      expect(call('turn right heading three four zero speed the nine four one')).toBe('uncertain TARGET_CRITICAL');
      expect(call('turn right heading three four zero nine four three')).toMatch(/^correct/);
    });
    test('J49 a digit that may be the end of a name', () => {
      const [said, back] = ['iberia nine eight seven three descend flight level eight zero', 'descend flight level eight zero air serbia eight seven three'];
      expect(judged(heard(said, { iberia: 0.3 }), heard(back))).toBe('uncertain TARGET_CRITICAL');
      expect(judged(heard(said), heard(back))).toBe('error TARGET_CRITICAL');
    });
  });
  test('J16 a missing callsign is advice', () => {
    for (const profile of ['paper', 'icao'] as const) {
      const finding = judge(LEVEL, 'descend flight level one two zero', profile);
      expect(finding.verdict).toBe('correct');
      expect(finding.advisories.map((a) => a.kind)).toEqual(['callsign-missing']);
    }
  });
});

describe('conditions', () => {
  const gated = 'austrian seven one after passing lupen turn left heading two two zero';
  test('J17 dropped, and in other words', () => {
    expect(type(gated, 'left heading two two zero austrian seven one')).toBe('error CONSTRAINT_HIGH condition');
    expect(judge(gated, 'left heading two two zero when passing lupen austrian seven one').verdict).toBe('correct');
    expect(judge(gated, 'lupen then left heading two two zero austrian seven one').verdict).not.toBe('error');
  });
  test('J18 something else inside', () => {
    expect(type(gated, 'after passing rolki left heading two two zero austrian seven one')).toBe('error VALUE_HIGH condition');
    expect(type('austrian seven one turn left heading two two zero after passing flight level eight zero', 'left heading two two zero after passing flight level niner zero austrian seven one')).toBe('error VALUE_CRITICAL altitude');
  });
  test('J19 limits', () => {
    const limit = 'austrian seven one maintain one eight zero knots or less';
    expect(judge(limit, 'one eight zero knots or less austrian seven one').verdict).toBe('correct');
    expect(type(limit, 'one eight zero knots austrian seven one')).toBe('error CONSTRAINT_HIGH condition');
    expect(judge(limit, 'one eight zero knots or greater austrian seven one').verdict).toBe('error');
    const floor = 'austrian seven one do not descend below four thousand feet';
    expect(judge(floor, 'not below four thousand austrian seven one').verdict).toBe('correct');
    expect(type(floor, 'descending four thousand austrian seven one')).toBe('error CONSTRAINT_HIGH condition');
    expect(type(floor, 'not below five thousand austrian seven one')).toBe('error VALUE_CRITICAL altitude');
    expect(type(floor, 'not above four thousand austrian seven one')).toBe('error VALUE_CRITICAL altitude');
  });
});

describe('the finding', () => {
  test('J21 two wrong critical slots are MULTI_ERROR, two omissions are an omission', () => {
    const two = 'emirates six five descend flight level eight zero turn right heading three four zero';
    expect(type(two, 'flight level six zero right heading three three zero emirates six five')).toBe('error MULTI_ERROR altitude');
    expect(type(two, 'flight level six zero emirates six five')).toBe('error MULTI_ERROR altitude');
    expect(type(two, 'roger emirates six five')).toBe('error OMISSION_CRITICAL altitude');
  });
  test('J22 the error of highest consequence names it', () => {
    expect(type('emirates six five descend flight level eight zero speed two five zero knots', 'flight level six zero emirates six five')).toBe('error VALUE_CRITICAL altitude');
    expect(type('emirates six five when ready contact tower one one eight decimal one', 'tower emirates six five', 'paper')).toBe('error CONSTRAINT_HIGH condition');
  });
  test('J23 formats and fillers', () => {
    expect(judge(LEVEL, 'descend FL120 lufthansa five six kilo').error_type).toBe('NUMBER_FORMAT');
    expect(judge(LEVEL, 'uh descend FL120 lufthansa five six kilo').error_type).toBe('NUMBER_FORMAT');
    expect(judge(LEVEL, 'uh descend flight level one two zero lufthansa five six kilo').error_type).toBe('FILLER_CORRECT');
    expect(judge(LEVEL, 'roger descend flight level one two zero good day lufthansa five six kilo').error_type).toBe('CORRECT');
    expect(judge('lufthansa five six kilo descend flight level niner zero', 'descend level nine zero lufthansa five six kilo').error_type).toBe('CORRECT');
  });
  test('J24 evidence and one sentence', () => {
    const finding = judge(LEVEL, 'descend flight level one three zero lufthansa five six kilo');
    expect(finding.evidence.instruction_words.join(' ')).toBe('flight level one two zero');
    expect(finding.evidence.readback_words.join(' ')).toBe('flight level one three zero');
    expect(finding.evidence.comparisons.map((c) => [c.slot, c.outcome])).toEqual([
      ['altitude', 'wrong'],
      ['callsign', 'right'],
    ]);
    expect(finding.explanation).toBe('Flight level 120 came back as flight level 130.');
  });
});

describe('uncertain', () => {
  const wrong = 'descend flight level one three zero lufthansa five six kilo';
  const right = 'descend flight level one two zero lufthansa five six kilo';
  test('J25 weak words that differ', () => {
    const finding = judgeByRules({ instruction: u(LEVEL), readback: unsure(u(wrong), 'altitude', 0.4), profile: 'icao' });
    expect(finding).toMatchObject({ verdict: 'uncertain', error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', is_correct: false });
    expect(finding.doubts).not.toEqual([]);
    expect(guarded(LEVEL, wrong, 'repetition').verdict).toBe('uncertain');
    expect(guarded(LEVEL, wrong, 'overlap').verdict).toBe('uncertain');
  });
  test('J25 a cut end far from the deciding words changes nothing', () => {
    expect(guarded(LEVEL, wrong, 'clipped-end').verdict).toBe('error');
  });
  test('J26 what is missing may have been cut off', () => {
    expect(guarded('emirates six five descend flight level eight zero speed two five zero knots', 'descend flight level eight zero emirates six five', 'clipped-start').verdict).toBe('uncertain');
    expect(judge('united one three five line up runway two eight', 'line up runway').verdict).toBe('uncertain');
    expect(judge('united one three five line up runway two eight', '-ne up united one three five').verdict).toBe('uncertain');
  });
  test('J25 J26 half a word, or an order without its value, at the very end', () => {
    const order = 'condor four one descend flight level one one zero turn right heading two four zero';
    for (const end of ['right head', 'turn right', 'right', 'right heading', 'turn right hea-']) expect(judge(order, `descend flight level one one zero ${end}`), end).toMatchObject({ verdict: 'uncertain', error_type: 'OMISSION_CRITICAL' });
    for (const end of ['', ' condor four one', ' turn right condor four one', ' turning']) expect(judge(order, `descend flight level one one zero${end}`).verdict, end).toBe('error');
    for (const end of ['heading', 'head', '']) expect(judge(`condor four one descend flight level one one zero turn right ${end}`.trim(), 'descend flight level one one zero right heading two four zero condor four one').verdict, end).toBe('uncertain');
    expect(judge('condor four one descend flight level one one zero', 'descend flight level one one zero right heading two four zero condor four one').verdict).toBe('error');
    expect(judge('condor four one say heading', 'heading one two zero condor four one').verdict).toBe('correct');
  });
  test('J26 words that were hardly heard may have been what is missing, or the rest of a callsign', () => {
    const words = (text: string) => text.split(' ').map((word) => (word.endsWith('?') ? { text: word.slice(0, -1), confidence: 0.3 } : { text: word, confidence: 0.95 }));
    const heard = (order: string, said: string): Finding => judgeByRules({ instruction: u(order), readback: understand({ id: 'x', text: said.replaceAll('?', ''), words: words(said) }), profile: 'icao' });
    const order = 'condor four one descend flight level one one zero turn right heading two four zero';
    expect(heard(order, 'descend flight level one one zero tango? five? condor four one')).toMatchObject({ verdict: 'uncertain', error_type: 'OMISSION_CRITICAL' });
    expect(heard(order, 'descend flight level one one zero condor four one').verdict).toBe('error');
    expect(heard('austrian eight zero zero echo climb flight level one one zero', 'climb flight level one one zero austrian eight zero zero the? weather? good')).toMatchObject({ verdict: 'uncertain', error_type: 'TARGET_CRITICAL' });
    expect(heard('austrian eight zero zero echo climb flight level one one zero', 'climb flight level one one zero austrian eight zero zero good day').verdict).toBe('error');
  });
  test('J37 words that sound like what was given', () => {
    expect(judge('klm six four turn left heading one four zero', 'left heading one for zero klm six four')).toMatchObject({ verdict: 'uncertain', error_type: 'VALUE_CRITICAL' });
    expect(judge('klm six four descend to eight thousand feet', 'descend two eight thousand feet klm six four').verdict).toBe('uncertain');
    expect(judge('klm six four descend to eight thousand feet', 'descend two six thousand feet klm six four').verdict).toBe('error');
    expect(judge('klm six four seven descend flight level eight zero', 'descend flight level eight zero klm six for seven')).toMatchObject({ verdict: 'uncertain', error_type: 'TARGET_CRITICAL' });
  });
  test('J38 figures that run together, each whole', () => {
    const order = 'iberia two nine one descend flight level one two zero speed two five zero knots';
    expect(judge(order, 'one two zero two five zero iberia two nine one').verdict).toBe('correct');
    expect(judge(order, 'one two zero two six zero iberia two nine one').verdict).not.toBe('correct');
    expect(judge(order, 'one two five zero iberia two nine one').verdict).not.toBe('correct');
  });
  test('J39 the right value, and not as a readback', () => {
    const order = 'condor four one descend flight level eight zero';
    expect(judge(order, 'negative flight level eight zero condor four one').verdict).toBe('uncertain');
    expect(judge(order, 'condor four one negative flight level eight zero').verdict).toBe('uncertain');
    expect(judge(order, 'expecting flight level eight zero condor four one').verdict).toBe('uncertain');
    expect(judge(order, 'standing by for flight level eight zero condor four one').verdict).toBe('uncertain');
    expect(judge(order, 'passing flight level eight zero condor four one').verdict).toBe('uncertain');
    expect(judge(order, 'unable flight level eight zero condor four one').verdict).toBe('error');
    expect(judge('condor four one not before one four one five descend flight level eight zero', 'no earlier than one four one five descend flight level eight zero condor four one').verdict).toBe('correct');
    expect(judge('condor four one no speed restrictions', 'no speed restrictions condor four one').verdict).toBe('correct');
    expect(judge(order, 'leaving flight level one two zero for flight level eight zero condor four one').verdict).toBe('correct');
  });
  test('J40 two values of one kind, the other way round', () => {
    const order = 'condor four one descend six thousand until lanux then descend four thousand';
    expect(judge(order, 'six thousand until lanux then four thousand condor four one').verdict).toBe('correct');
    expect(judge(order, 'four thousand until lanux then six thousand condor four one')).toMatchObject({ verdict: 'uncertain', error_type: 'VALUE_CRITICAL' });
  });
  test('J41 a condition that nobody gave', () => {
    expect(judge('condor four one descend now flight level eight zero', 'when ready flight level eight zero condor four one')).toMatchObject({ verdict: 'uncertain', error_type: 'CONSTRAINT_HIGH' });
    expect(judge('condor four one descend flight level eight zero', 'after passing lanux flight level eight zero condor four one').verdict).toBe('uncertain');
  });
  test('J42 which way to face after pushback', () => {
    const order = 'condor four one pushback approved facing west';
    expect(type(order, 'pushback approved facing east condor four one')).toBe('error VALUE_HIGH route');
    expect(judge(order, 'pushback approved facing west condor four one').verdict).toBe('correct');
    expect(judge(order, 'pushback approved tail east condor four one').verdict).toBe('correct');
    expect(judge(order, 'pushback approved condor four one').verdict).toBe('correct');
  });
  test('J15 the first figures of a flight number are not left out', () => {
    expect(judge('qatari two seven lima climb flight level two four zero', 'flight level two four zero qatari seven lima').verdict).toBe('uncertain');
  });
  test('J2 a cancelled take-off is answered with holding', () => {
    expect(judge('condor four one hold position cancel takeoff i say again cancel takeoff', 'holding condor four one').verdict).toBe('correct');
    expect(judge('condor four one hold position cancel takeoff i say again cancel takeoff', 'roger condor four one').verdict).toBe('error');
  });
  test('J27 very weak words that agree, and texts that nobody should trust', () => {
    expect(judgeByRules({ instruction: u(LEVEL), readback: unsure(u(right), 'altitude', 0.1), profile: 'icao' })).toMatchObject({ verdict: 'uncertain', is_correct: false });
    expect(judgeByRules({ instruction: u(LEVEL), readback: unsure(u(right), 'altitude', 0.4), profile: 'icao' }).verdict).toBe('correct');
    expect(guarded(LEVEL, right, 'low-confidence').verdict).toBe('uncertain');
    expect(guarded(LEVEL, right, 'clipped-start').verdict).toBe('correct');
    expect(judgeByRules({ instruction: u(LEVEL), readback: u(right), profile: 'icao', pairingConfidence: 0.4 }).verdict).toBe('uncertain');
  });
  test('J28 part of a frequency', () => {
    const contact = 'condor two two contact radar one two zero decimal two seven five';
    expect(judge(contact, 'two zero decimal two seven five condor two two').verdict).not.toBe('error');
    expect(judge(contact, 'one two zero decimal two condor two two').verdict).toBe('uncertain');
    expect(judge(contact, 'one two zero decimal two five condor two two').verdict).toBe('error');
  });
  test('J28 a value at the very end that is the beginning of the other', () => {
    expect(judge('shamrock two zero five line up and wait runway two', 'line up and wait runway two four shamrock two zero five')).toMatchObject({ verdict: 'uncertain', error_type: 'VALUE_CRITICAL' });
    expect(judge('shamrock two zero five line up and wait runway two four', 'shamrock two zero five line up and wait runway two').verdict).toBe('uncertain');
    expect(judge('shamrock two zero five line up and wait runway two four', 'line up and wait runway two shamrock two zero five').verdict).toBe('error');
  });
  test('J28 a callsign cut at the very end', () => {
    const order = 'condor six one four descend flight level niner zero';
    expect(judge(order, 'descend flight level niner zero condor six one')).toMatchObject({ verdict: 'uncertain', error_type: 'TARGET_CRITICAL' });
    expect(judge(order, 'descend flight level niner zero condor six four one')).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
    expect(judge(order, 'condor six one descend flight level niner zero')).toMatchObject({ verdict: 'error', error_type: 'TARGET_CRITICAL' });
  });
  test('J25 an instruction with two headings of which the last comes back', () => {
    expect(judge('klm two seven romeo turn left heading two five zero turn left heading two seven zero', 'left heading two seven zero klm two seven romeo').verdict).not.toBe('error');
    expect(judge('klm two seven romeo turn left heading two five zero turn left heading two seven zero', 'left heading two five zero klm two seven romeo').verdict).toBe('error');
  });
  test('J25 "correct" for "correction" between two headings', () => {
    const given = 'condor two two turn left heading one five zero correct heading one seven zero';
    expect(judge(given, 'left heading one seven zero condor two two').verdict).toBe('correct');
    expect(judge(given, 'left heading one five zero condor two two').verdict).toBe('error');
  });
  test('J30 no words', () => {
    expect(judge('', 'descend flight level one two zero').verdict).toBe('uncertain');
    expect(judge(LEVEL, '').verdict).not.toBe('correct');
    expect(judge('', '').verdict).toBe('uncertain');
  });
});

describe('J31 what needs no repetition must not be contradicted', () => {
  test('another runway in a position report is an error', () => {
    expect(type('hotel tango mike report downwind runway one four', 'roger downwind two four hotel tango mike')).toBe('error VALUE_CRITICAL runway');
    expect(judge('hotel tango mike report downwind runway one four', 'downwind one four hotel tango mike').verdict).toBe('correct');
    expect(judge('hotel tango mike report downwind runway one four', 'roger hotel tango mike').verdict).toBe('correct');
    expect(judge('hotel tango mike report downwind runway one four', 'downwind eight four hotel tango mike').verdict).toBe('uncertain');
  });
  test.each([
    ['iberia six four number two report final', 'number three report final iberia six four'],
    ['iberia six four report one two miles', 'will report one five miles iberia six four'],
    ['iberia six four report passing flight level seven zero', 'report passing flight level nine zero iberia six four'],
    ['hotel tango mike report whiskey one', 'next whiskey two hotel tango mike'],
    ['hotel tango mike wind calm four one one six landing on discretion', 'landing on discretion four one five six hotel tango mike'],
    ['six six two leave the frequency', 'good bye six five two'],
  ])('%s | %s: another figure is uncertain', (instruction, readback) => {
    expect(judge(instruction, readback).verdict).toBe('uncertain');
  });
});

describe('J8 sides that no heading or runway carries', () => {
  test.each([
    ['iberia six four vacate left', 'vacating right iberia six four', 'error VALUE_HIGH taxiway'],
    ['iberia six four join left downwind runway two two', 'joining right downwind runway two two iberia six four', 'error VALUE_HIGH route'],
    ['iberia six four make one orbit to the left', 'orbit right iberia six four', 'error VALUE_CRITICAL heading'],
    ['iberia six four taxi via alfa turn left on bravo', 'alfa turn right on bravo iberia six four', 'error VALUE_HIGH taxiway'],
    ['iberia six four vacate to the left then straight ahead', 'the right then straight ahead iberia six four', 'uncertain VALUE_HIGH taxiway'],
  ])('%s | %s', (instruction, readback, expected) => {
    expect(type(instruction, readback)).toBe(expected);
  });
  test.each([
    ['iberia six four vacate left', 'all right vacating left iberia six four'],
    ['iberia six four join right downwind', 'joining right downwind iberia six four'],
    ['iberia six four vacate left', 'wilco iberia six four'],
  ])('%s | %s: nothing to say', (instruction, readback) => {
    expect(judge(instruction, readback).verdict).toBe('correct');
  });
});

describe('J32 how sure a right finding is', () => {
  test('agreement of two hearings', () => {
    expect(agreement(1, 1)).toBe(1);
    expect(agreement(0.5, 0.5)).toBeCloseTo(0.776, 3);
    expect(agreement(1, 0.5)).toBeCloseTo(0.9, 5);
    // no better than guessing among ten digits: no evidence either way
    expect(agreement(0.1, 0.1)).toBeCloseTo(0.5, 5);
    expect(agreement(0, 1)).toBeCloseTo(0.5, 5);
  });
  test('it rises with either hearing and is never above what the weaker one allows', () => {
    const sure = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(fc.property(sure, sure, sure, (a, b, c) => {
      expect(agreement(a, b)).toBeCloseTo(agreement(b, a), 12);
      expect(agreement(a, Math.max(b, c))).toBeGreaterThanOrEqual(agreement(a, Math.min(b, c)) - 1e-12);
      expect(agreement(a, b)).toBeLessThanOrEqual(agreement(Math.min(a, b), 1) + 1e-12);
    }));
  });
  test('of a callsign its letters and digits count, not the operator\'s name and not how much of it was said', () => {
    const right = 'descend flight level one two zero lufthansa five six kilo';
    const heard = (text: string, weak: string, confidence: number): Understanding =>
      understand({ id: 'x', text, heard: ['DLH56K'], words: text.split(' ').map((word) => ({ text: word, confidence: word === weak ? confidence : 1 })) });
    const confidence = (readback: Understanding): number => {
      const finding = judgeByRules({ instruction: u(LEVEL), readback, profile: 'icao' });
      expect(finding.verdict).toBe('correct');
      return finding.confidence;
    };
    const sure = confidence(u(right));
    expect(confidence(heard(right, 'lufthansa', 0.2))).toBe(sure);
    expect(confidence(heard('descend flight level one two zero five six kilo', '', 1))).toBe(sure);
    // never above what the weakest deciding word allows
    for (const weak of [0.3, 0.5, 0.8]) {
      expect(confidence(heard(right, 'kilo', weak))).toBeLessThanOrEqual(agreement(1, weak));
      expect(confidence(heard(right, 'two', weak))).toBeLessThanOrEqual(agreement(1, weak));
    }
    expect(judgeByRules({ instruction: u(LEVEL), readback: heard(right, 'kilo', 0.03), profile: 'icao' }).verdict).not.toBe('correct');
  });
  test('the weakest deciding value sets the figure, words that decide nothing do not', () => {
    const right = 'descend flight level one two zero lufthansa five six kilo';
    const sure = judgeByRules({ instruction: u(LEVEL), readback: u(right), profile: 'icao' }).confidence;
    const weak = judgeByRules({ instruction: u(LEVEL), readback: unsure(u(right), 'altitude', 0.5), profile: 'icao' });
    expect(weak.verdict).toBe('correct');
    expect(weak.confidence).toBeCloseTo(agreement(1, 0.5), 5);
    expect(weak.confidence).toBeLessThan(sure);
    expect(judgeByRules({ instruction: u(LEVEL), readback: u(right), profile: 'icao', pairingConfidence: 0.7 }).confidence).toBeLessThanOrEqual(0.7);
  });
});
