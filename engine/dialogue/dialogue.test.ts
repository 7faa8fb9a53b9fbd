/**
 * Pairing on spoken dialogues: texts through the real parser. Numbers: docs/behaviour-judging.md.
 */
import { describe, expect, test } from 'vitest';
import type { DialogueChange, DialogueInput } from '../domain/stages.js';
import type { Guard, Understanding } from '../domain/understanding.js';
import { understand } from '../understanding/index.js';
import { createDialogue, joinUnderstandings, pairTransmissions, splitTurns, type DialogueOptions } from './index.js';

interface Line {
  readonly text: string;
  readonly start?: number;
  readonly end?: number;
  readonly speaker?: string;
  readonly guards?: readonly Guard[];
  readonly channel?: string;
  readonly id?: string;
  readonly sameSpeaker?: number;
}

function inputs(lines: readonly (string | Line)[]): DialogueInput[] {
  const heard: string[] = [];
  return lines.map((line, i) => {
    const l: Line = typeof line === 'string' ? { text: line } : line;
    const id = l.id ?? String(i + 1);
    const understanding: Understanding = understand({ id, text: l.text, heard });
    const best = understanding.callsign_candidates[0];
    if (understanding.callsign !== null && (best?.form === 'full' || best?.form === 'list')) heard.push(understanding.callsign);
    return {
      id,
      understanding,
      guards: l.guards ?? [],
      ...(l.start === undefined ? {} : { start: l.start }),
      ...(l.end === undefined ? {} : { end: l.end }),
      ...(l.speaker === undefined ? {} : { speaker: l.speaker }),
      ...(l.channel === undefined ? {} : { channel: l.channel }),
      ...(l.sameSpeaker === undefined ? {} : { sameSpeaker: l.sameSpeaker }),
    };
  });
}

/** [instruction, readbacks, status] of every exchange. */
const pairs = (...lines: (string | Line)[]): unknown[] => pairTransmissions(inputs(lines)).map(({ exchange }) => [exchange.instruction, exchange.readbacks, exchange.status]);

const run = (lines: readonly (string | Line)[], end?: number): DialogueChange[] => {
  const dialogue = createDialogue();
  const changes = inputs(lines).flatMap((input) => [...dialogue.accept(input)]);
  return [...changes, ...dialogue.end(end)];
};
const alerts = (changes: readonly DialogueChange[]): string[] => changes.flatMap((c) => (c.kind === 'alert' ? [c.alert] : []));

describe('who speaks', () => {
  test('D1 D2 labels swapped over a whole dialogue do not matter', () => {
    const talk = (a: string, b: string): Line[] => [
      { text: 'lufthansa five four six descend flight level one two zero', speaker: a },
      { text: 'descend flight level one two zero lufthansa five four six', speaker: b },
      { text: 'finnair two one turn right heading zero niner zero', speaker: a },
      { text: 'right heading zero nine zero finnair two one', speaker: b },
    ];
    const expected = [
      ['1', ['2'], 'answered'],
      ['3', ['4'], 'answered'],
    ];
    expect(pairs(...talk('controller', 'pilot'))).toEqual(expected);
    expect(pairs(...talk('pilot', 'controller'))).toEqual(expected);
  });
  test('D3 words that do not tell the speaker are a readback when they echo', () => {
    expect(pairs('swiss eight two kilo climb flight level two one zero', 'two one zero')).toEqual([['1', ['2'], 'answered']]);
  });
  test('D4 callsign first, at once: a readback', () => {
    expect(pairs({ text: 'united one three five line up runway two eight', start: 0, end: 3 }, { text: 'united one three five line up runway two eight', start: 3.3, end: 6 })).toEqual([['1', ['2'], 'answered']]);
  });
  test('D4 the same words late: it may be the controller again, so the pairing is not sure', () => {
    const text = 'united one three five line up runway two eight';
    const confidence = (start: number): number => pairTransmissions(inputs([{ text, start: 0, end: 3 }, { text, start, end: start + 3 }]))[0]?.exchange.pairing_confidence ?? 1;
    expect(confidence(3.4)).toBeGreaterThan(0.5);
    expect(confidence(8)).toBeLessThan(0.5);
  });
});

describe('opening', () => {
  test('D5 greetings, questions and weather open nothing', () => {
    expect(pairs('austrian two six hello', 'eurowings one tango kilo ruzyne tower good afternoon go ahead', 'wind two four zero degrees one two knots', 'klm three one say your position')).toEqual([]);
  });
  test('D6 an instruction in two transmissions is one exchange', () => {
    const [only, ...others] = pairTransmissions(
      inputs([
        { text: 'hotel echo x-ray wind two three zero degrees one zero knots', start: 0, end: 3 },
        { text: 'oscar kilo uniform tango charlie climb flight level seven zero', start: 5, end: 8 },
        { text: 'turn left heading one zero zero', start: 8.2, end: 10 },
        { text: 'climb flight level seven zero left heading one zero zero oscar tango charlie', start: 10.4, end: 14 },
      ]),
    );
    expect(others).toEqual([]);
    expect(only?.exchange).toMatchObject({ instruction: '2', instructions: ['2', '3'], readbacks: ['4'], status: 'answered', callsign: 'OKUTC' });
    expect(only?.pair?.instruction.understanding.values).toMatchObject({ altitude: ['FL70'], heading: ['100'] });
  });
  test('D7 an instruction without a callsign goes to who has just called', () => {
    const [only] = pairTransmissions(inputs(['easy three three november established ils two six', 'roger continue approach runway two six', 'continue approach two six easy three three november']));
    expect(only?.exchange).toMatchObject({ instruction: '2', readbacks: ['3'], callsign: 'EZY33N' });
  });
  test('D8 break break: two addressees in one transmission', () => {
    expect(
      pairs(
        'swiss two one six hold position break break edelweiss five one runway two eight cleared to land',
        'holding position swiss two one six',
        'cleared to land two eight edelweiss five one',
      ),
    ).toEqual([
      ['1', ['2'], 'answered'],
      ['1', ['3'], 'answered'],
    ]);
  });
  test('D9 instruction and readback in one segment', () => {
    const [only] = pairTransmissions(inputs(['oscar kilo lima alfa papa descend flight level eight zero level eight zero oscar kilo lima alfa papa']));
    expect(only?.exchange).toMatchObject({ instruction: '1', readbacks: ['1'], status: 'answered' });
    expect(only?.pair?.readbacks[0]?.understanding.text).toBe('level eight zero oscar kilo lima alfa papa');
    expect(only?.pair?.instruction.understanding.text).toBe('oscar kilo lima alfa papa descend flight level eight zero');
  });
  test('D9 also when the readback in the segment is wrong', () => {
    const turns = splitTurns(understand({ id: '1', text: 'lufthansa six one golf descend flight level eight zero descending flight level niner zero lufthansa six one golf' }));
    expect(turns.map((t) => t.values.altitude)).toEqual([['FL80'], ['FL90']]);
  });
  test('D9 one turn stays one', () => {
    for (const text of ['lufthansa six one golf descend flight level eight zero turn left heading one two zero', 'cross runway one seven left hold short of runway one seven center starjet four one seven', 'descending flight level eight zero lufthansa six one golf']) {
      expect(splitTurns(understand({ id: '1', text }))).toHaveLength(1);
    }
  });
  test('D10 exchanges do not cross channels', () => {
    expect(pairs({ text: 'klm five one climb flight level two two zero', channel: 'tower' }, { text: 'climb flight level two two zero klm five one', channel: 'ground' })).toEqual([['1', [], 'unanswered']]);
  });
});

describe('answering', () => {
  test('D11 several aircraft interleaved', () => {
    expect(
      pairs(
        'lufthansa four alfa descend flight level one one zero',
        'swiss one two six turn left heading two two zero',
        'left heading two two zero swiss one two six',
        'iberia three one descend flight level niner zero',
        'descend flight level one one zero lufthansa four alfa',
        'flight level nine zero iberia three one',
      ),
    ).toEqual([
      ['1', ['5'], 'answered'],
      ['2', ['3'], 'answered'],
      ['4', ['6'], 'answered'],
    ]);
  });
  test('D12 without a callsign: the one just before, or the one whose value it says', () => {
    expect(pairs('speedbird six one climb flight level three five zero', 'condor two two contact tower one one eight decimal five', 'climb flight level three five zero', 'one one eight five condor two two')).toEqual([
      ['1', ['3'], 'answered'],
      ['2', ['4'], 'answered'],
    ]);
  });
  test('D13 roger or the callsign alone answers', () => {
    expect(pairs('ryanair two two turn left heading one zero zero', 'roger ryanair two two')).toEqual([['1', ['2'], 'answered']]);
    expect(pairs('ryanair two two turn left heading one zero zero', 'ryanair two two')).toEqual([['1', ['2'], 'answered']]);
  });
  test('D14 requests and reports answer nothing; a report with the values does', () => {
    expect(pairs('vueling one six climb flight level two six zero', 'vueling one six request direct pines', 'climb flight level two six zero vueling one six')).toEqual([['1', ['3'], 'answered']]);
    expect(pairs('vueling one six traffic in your two o clock pass behind that traffic', 'traffic in sight vueling one six')).toHaveLength(1);
    expect(pairs('vueling one six descend flight level one zero zero', 'leaving flight level two zero zero for flight level one hundred vueling one six')).toEqual([['1', ['2'], 'answered']]);
  });
  test('D15 say again and stand by leave it open', () => {
    expect(pairs('tuijet four four contact radar one two seven decimal one', 'say again for tuijet four four', 'tuijet four four contact radar one two seven decimal one', 'one two seven decimal one tuijet four four')).toEqual([
      ['1', [], 'superseded'],
      ['3', ['4'], 'answered'],
    ]);
    expect(pairs('tuijet four four squawk two one zero zero', 'stand by tuijet four four', 'squawk two one zero zero tuijet four four')).toEqual([['1', ['3'], 'answered']]);
  });
  test('D16 a question with everything in it reads back; with a part it does not', () => {
    expect(pairs('delta six one turn right heading two zero zero', 'confirm right heading two zero zero delta six one')).toEqual([['1', ['2'], 'answered']]);
    expect(pairs('delta six one turn right heading two zero zero climb flight level one four zero', 'confirm heading two zero zero delta six one', 'affirm', 'right two zero zero climb flight level one four zero delta six one')).toEqual([
      ['1', ['4'], 'answered'],
    ]);
  });
  test('D17 readback in two halves', () => {
    const [only] = pairTransmissions(
      inputs([
        { text: 'hotel echo x-ray wind calm runway two five cleared touch and go', start: 0, end: 4 },
        { text: 'runway two five cleared touch and go', start: 4.4, end: 6.4 },
        { text: 'hotel echo x-ray', start: 6.8, end: 8 },
      ]),
    );
    expect(only?.exchange).toMatchObject({ instruction: '1', readbacks: ['2', '3'] });
    expect(pairs('air france two two descend five thousand feet turn left heading one one zero', 'descend five thousand feet air france two two', 'and left heading one one zero air france two two')).toEqual([['1', ['2', '3'], 'answered']]);
  });
  test('D18 correction in a second transmission', () => {
    const [only] = pairTransmissions(inputs(['klm two two climb flight level one eight zero', 'climb flight level one niner zero klm two two', 'correction flight level one eight zero klm two two']));
    expect(only?.exchange.readbacks).toEqual(['2', '3']);
    const readback = joinUnderstandings(only?.pair?.readbacks.map((r) => r.understanding) ?? []);
    const counted = readback.items.filter((i) => i.slot === 'altitude' && !readback.retracted.some(([a, b]) => i.span[0] >= a && i.span[1] <= b));
    expect(counted.map((i) => i.value)).toEqual(['FL180']);
  });
  test('D19 one readback for two instructions, each judged on its part', () => {
    const result = pairTransmissions(
      inputs([
        { text: 'sabena one two descend flight level eight zero', start: 0, end: 3 },
        { text: 'sabena one two turn left heading two one zero', start: 9, end: 12 },
        { text: 'descend flight level eight zero left heading two one zero sabena one two', start: 13, end: 17 },
      ]),
    );
    expect(result.map((r) => [r.exchange.instruction, r.exchange.readbacks])).toEqual([
      ['1', ['3']],
      ['2', ['3']],
    ]);
    expect(result.map((r) => r.pair?.readbacks[0]?.understanding.items.map((i) => i.slot))).toEqual([['altitude'], ['heading']]);
  });
  test('D20 a lone readback makes no exchange and answers nobody else', () => {
    expect(pairs('descend flight level six zero turkish one eight')).toEqual([]);
    expect(pairs('turkish one eight contact ground one two one decimal eight', 'descend flight level six zero malaysian seven four', 'one two one decimal eight turkish one eight')).toEqual([['1', ['3'], 'answered']]);
  });
  test('D21 another aircraft answers: alert, judged, and the right one is still awaited', () => {
    const changes = run(['speedbird two one four climb flight level three three zero', 'climb flight level three three zero speedbird two four one']);
    expect(alerts(changes)).toContain('other-aircraft-answered');
    expect(pairs('speedbird two one four climb flight level three three zero', 'climb flight level three three zero speedbird two four one', 'climb flight level three three zero speedbird two one four')).toEqual([
      ['1', ['2'], 'answered'],
      ['1', ['3'], 'answered'],
    ]);
  });
  test.each([
    // listed are [those], and this one is said
    [['DLH6AB', 'KLM1'], 'lufthansa six alfa bravo', 'lufthansa six alfa papa'],
    [['OKABC', 'OKXYZ'], 'oscar kilo alfa bravo charlie', 'oscar kilo alfa bravo delta'],
    [['BAW214', 'KLM1'], 'speedbird two one four', 'speedbird two four one'],
    [['BAW214', 'BAW241'], 'speedbird two one four', 'speedbird two four one'],
    [['BAW214', 'KLM1'], 'speedbird two one four', 'qatari six six'],
    [['BAW214', 'KLM1'], 'speedbird two one four', 'speedbird two one four'],
  ])('D21 with the traffic list %j: %s, read back by %s', (callsigns, meant, other) => {
    const dialogue = createDialogue({ understand });
    const changes = [`${meant} climb flight level three three zero`, `climb flight level three three zero ${other}`].flatMap((text, i) => [
      ...dialogue.accept({ id: String(i), start: i * 5, end: i * 5 + 4, guards: [], understanding: understand({ id: String(i), text, context: { callsigns } }) }),
    ]);
    expect(alerts(changes).includes('other-aircraft-answered')).toBe(meant !== other);
  });
  test('D22 clicks answer nothing', () => {
    expect(pairs('cathay two one climb flight level three niner zero', '', 'climb flight level three nine zero cathay two one')).toEqual([['1', ['3'], 'answered']]);
  });
  test('D23 speech without text makes it uncertain and raises no alert', () => {
    const blocked: Line = { text: '', start: 4, end: 6, guards: [{ reason: 'speech-without-text', detail: 'Two seconds of speech gave no words.' }] };
    const changes = run([{ text: 'cathay two one climb flight level three niner zero', start: 0, end: 3 }, blocked], 40);
    expect(alerts(changes)).toEqual([]);
    expect(changes.filter((c) => c.kind === 'judge')).toHaveLength(1);
  });
});

describe('closing', () => {
  test('D24 silence becomes an alert after ten quiet seconds', () => {
    const dialogue = createDialogue();
    for (const input of inputs([{ text: 'emirates four one turn left heading one eight zero', start: 0, end: 3 }])) dialogue.accept(input);
    expect(alerts(dialogue.tick(12.9))).toEqual([]);
    expect(dialogue.open).toHaveLength(1);
    expect(alerts(dialogue.tick(13.1))).toEqual(['no-readback']);
    expect(dialogue.open).toHaveLength(0);
  });
  test('D24 time in which others speak does not count', () => {
    const dialogue = createDialogue();
    const talk = inputs([
      { text: 'emirates four one turn left heading one eight zero', start: 0, end: 3 },
      { text: 'tower good morning alitalia six six with information kilo on the apron for a very long call', start: 4, end: 12 },
    ]);
    for (const input of talk) dialogue.accept(input);
    expect(alerts(dialogue.tick(20))).toEqual([]);
    expect(alerts(dialogue.tick(21.1))).toEqual(['no-readback']);
  });
  test('D24 what needs no readback raises no alert', () => {
    expect(alerts(run([{ text: 'hotel golf oscar report downwind', start: 0, end: 2 }], 60))).toEqual([]);
  });
  test('D24 a late readback is still the answer', () => {
    expect(pairs({ text: 'emirates four one turn left heading one eight zero', start: 0, end: 3 }, { text: 'left heading one eight zero emirates four one', start: 30, end: 33 })).toEqual([['1', ['2'], 'answered']]);
  });
  test('D25 the end of the recording right after an instruction is no alert', () => {
    expect(alerts(run([{ text: 'emirates four one turn left heading one eight zero', start: 0, end: 3 }], 4))).toEqual([]);
    expect(pairs('emirates four one turn left heading one eight zero')).toEqual([['1', [], 'unanswered']]);
  });
  test('D27 negative, and the second readback', () => {
    const result = pairTransmissions(
      inputs([
        'scandinavian six two descend flight level one zero zero',
        'descend flight level one one zero scandinavian six two',
        'scandinavian six two negative descend flight level one zero zero',
        'flight level one hundred scandinavian six two',
      ]),
    );
    expect(result.map((r) => [r.exchange.instruction, r.exchange.readbacks, r.exchange.status, r.exchange.follows])).toEqual([
      ['1', ['2'], 'corrected', undefined],
      ['3', ['4'], 'answered', result[0]?.exchange.id],
    ]);
  });
  test('D28 disregard', () => {
    expect(pairs('transavia five one turn right heading zero one zero', 'transavia five one disregard')).toEqual([['1', [], 'disregarded']]);
  });
  test('D29 readback correct opens nothing', () => {
    const result = pairTransmissions(inputs(['jetblue two two cleared ils approach runway one three', 'cleared ils runway one three jetblue two two', 'jetblue two two readback correct']));
    expect(result.map((r) => [r.exchange.instruction, r.exchange.status])).toEqual([['1', 'answered']]);
  });
});

describe('recordings', () => {
  const sentence = [
    { text: 'air canada seven eight climb flight level three one zero', start: 10, end: 13, id: 'a' },
    { text: 'climb flight level three one zero air canada seven eight', start: 13.4, end: 16, id: 'b' },
    { text: 'korean air six one contact radar one two four decimal two', start: 20, end: 23, id: 'c' },
    { text: 'one two four decimal two korean air six one', start: 23.3, end: 25, id: 'd' },
  ];
  const expected = [
    ['a', ['b'], 'answered'],
    ['c', ['d'], 'answered'],
  ];
  test('D30 out of order in the file', () => {
    expect(pairs(...[2, 0, 3, 1].map((i) => sentence[i] ?? ''))).toEqual(expected);
  });
  test('D31 the same exchange in two overlapping recordings', () => {
    const again = sentence.slice(0, 2).map((l) => ({ ...l, id: `${l.id}2`, start: l.start + 0.2, end: l.end + 0.2 }));
    expect(pairs(...sentence, ...again)).toEqual(expected);
  });
  test('D32 similar callsigns are told once', () => {
    const changes = run(['lufthansa four six two climb flight level two one zero', 'climb flight level two one zero lufthansa four six two', 'lufthansa four two six turn left heading two zero zero', 'left heading two zero zero lufthansa four two six', 'lufthansa four six two contact radar one two one decimal three']);
    expect(alerts(changes).filter((a) => a === 'similar-callsigns')).toHaveLength(1);
  });
  test('D33 same inputs, same changes', () => {
    expect(run(sentence)).toEqual(run(sentence));
  });
});

describe('D36 a callsign that the end of the readback has cut', () => {
  test.each([
    ['descend flight level niner zero condor six one', true],
    ['six one four descend flight level niner zero', true],
    // another number: another aircraft
    ['descend flight level niner zero condor six four one', false],
  ])('%s', (readback, cut) => {
    const changes = run([{ text: 'condor six one four descend flight level niner zero', start: 0, end: 4 }, { text: readback, start: 4.6, end: 8 }], 30);
    expect(changes.filter((c) => c.kind === 'opened')).toHaveLength(cut ? 1 : 2);
    expect(alerts(changes).includes('other-aircraft-answered')).toBe(!cut);
  });
});

describe('D34 pieces of one transmission', () => {
  const same = 0.95;
  const other = 0.05;
  const final = (lines: readonly Line[], options: DialogueOptions = {}): { pairs: unknown[]; changes: DialogueChange[] } => {
    const dialogue = createDialogue(options);
    const changes = inputs(lines).flatMap((input) => [...dialogue.accept(input)]);
    changes.push(...dialogue.end());
    const last = new Map<string, unknown>();
    for (const c of changes) if (c.kind === 'opened' || c.kind === 'updated') last.set(c.exchange.id, [c.exchange.instructions ?? [c.exchange.instruction], c.exchange.readbacks, c.exchange.status]);
    return { pairs: [...last.values()], changes };
  };
  const cut: Line[] = [
    { text: 'lufthansa three two eight', start: 0, end: 1.4 },
    { text: 'turn right heading one eight zero', start: 1.8, end: 3.4, sameSpeaker: same },
    { text: 'descend to five thousand feet', start: 3.8, end: 5.2, sameSpeaker: same },
    { text: 'right heading one eight zero', start: 5.9, end: 7.4, sameSpeaker: other },
    { text: 'five thousand feet lufthansa three two eight', start: 7.8, end: 10, sameSpeaker: same },
  ];
  test.each([
    ['read again as a whole', { understand }],
    ['put together', {}],
  ])('callsign, order, order; order, order and callsign (%s)', (_name, options) => {
    const { pairs: found, changes } = final(cut, options);
    expect(found).toEqual([[['1', '2', '3'], ['4', '5'], 'answered']]);
    expect(changes.filter((c) => c.kind === 'opened')).toHaveLength(1);
    const pair = changes.findLast((c) => c.kind === 'judge');
    expect(pair?.kind === 'judge' ? [pair.pair.instruction.understanding.values, pair.pair.instruction.understanding.callsign] : undefined).toMatchObject([{ heading: ['180'], altitude: ['5000'] }, 'DLH328']);
  });
  test('a value in two pieces', () => {
    const { changes } = final(
      [
        { text: 'lufthansa three two eight descend flight level', start: 0, end: 2 },
        { text: 'one two zero', start: 2.3, end: 3.2, sameSpeaker: same },
        { text: 'descend flight level one two zero lufthansa three two eight', start: 3.6, end: 6, sameSpeaker: other },
      ],
      { understand },
    );
    const pair = changes.findLast((c) => c.kind === 'judge');
    expect(pair?.kind === 'judge' ? pair.pair.instruction.understanding.values.altitude : undefined).toEqual(['FL120']);
  });
  test('another voice never goes on', () => {
    expect(final([{ text: 'klm five five turn left heading two one zero', start: 0, end: 3 }, { text: 'left heading two one zero', start: 3.1, end: 4.6, sameSpeaker: other }]).pairs).toEqual([[['1'], ['2'], 'answered']]);
  });
  test('the same voice with two callsigns talks to two aircraft', () => {
    expect(
      final([
        { text: 'klm five five turn left heading two one zero', start: 0, end: 3 },
        { text: 'swiss eight one climb flight level niner zero', start: 3.4, end: 6, sameSpeaker: same },
      ]).pairs,
    ).toEqual([
      [['1'], [], 'unanswered'],
      [['2'], [], 'unanswered'],
    ]);
  });
  test('an answer that turns out to be half of something else is taken back', () => {
    const { pairs: found } = final([
      { text: 'klm five five turn left heading two one zero', start: 0, end: 3 },
      { text: 'left heading two one zero klm five five', start: 3.4, end: 5.6, sameSpeaker: other },
      { text: 'klm five five', start: 6, end: 7, sameSpeaker: other },
      { text: 'climb flight level one one zero', start: 7.3, end: 9, sameSpeaker: same },
      { text: 'climb flight level one one zero klm five five', start: 9.4, end: 12, sameSpeaker: other },
    ]);
    expect(found).toEqual([
      [['1'], ['2'], 'answered'],
      [['3', '4'], ['5'], 'answered'],
    ]);
  });
  test('a callsign alone and an order within a second, without anything known of the voice', () => {
    expect(
      final([
        { text: 'swiss four two six', start: 0, end: 1.2 },
        { text: 'reduce speed two two zero knots', start: 1.6, end: 3 },
        { text: 'speed two two zero knots swiss four two six', start: 3.6, end: 6 },
      ]).pairs,
    ).toEqual([[['1', '2'], ['3'], 'answered']]);
  });
});
