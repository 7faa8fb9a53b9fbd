/** What the words do: verbs, commands, modality, corrections, conditions. */
import { describe, expect, test } from 'vitest';
import type { ValueSlot } from '../domain/understanding.js';
import { understand } from './index.js';

const u = (text: string) => understand({ id: 'm', text });
const item = (text: string, slot: ValueSlot) => u(text).items.find((entry) => entry.slot === slot);
const verbs = (text: string): readonly string[] => u(text).commands.map((command) => command.verb);

describe('U7 a value carries the verb that governs it', () => {
  test.each([
    ['csa five climb flight level one two zero', 'altitude', 'FL120', 'climb'],
    ['csa five descend nine thousand', 'altitude', '9000', 'descend'],
    ['csa five descend 9000', 'altitude', '9000', 'descend'],
    ['csa five climb to level one hundred', 'altitude', 'FL100', 'climb'],
    ['csa five climb to one two zero', 'altitude', 'FL120', 'climb'],
    ['csa five descend one two zero zero metres', 'altitude', '1200M', 'descend'],
    ['csa five stopping climb flight level two zero zero', 'altitude', 'FL200', 'stop_climb'],
    ['csa five turn left twenty degrees', 'heading', 'L020', 'turn_left'],
    ['csa five turn right by ten degrees', 'heading', 'R010', 'turn_right'],
    ['csa five turn ten degrees left', 'heading', 'L010', 'turn_left'],
    ['csa five continue present heading', 'heading', 'PRESENT', 'continue_heading'],
    ['csa five maintain runway heading', 'heading', 'RUNWAY', 'continue_heading'],
    ['csa five turn left two eight zero', 'heading', '280', 'turn_left'],
    ['csa five maintain two five zero knots', 'speed', '250', 'maintain_speed'],
    ['csa five maintain mach point seven eight', 'speed', 'M0.78', 'maintain_speed'],
    ['csa five increase speed two eight zero', 'speed', '280', 'increase_speed'],
    ['csa five reduce minimum approach speed', 'speed', 'MINIMUM_APPROACH', 'reduce_speed'],
    ['csa five contact ruzyne tower one one eight decimal one zero five', 'frequency', '118.105', 'contact'],
    ['csa five monitor ground one two one decimal nine', 'frequency', '121.900', 'monitor'],
    ['csa five hold short of runway one six romeo', 'runway', '16R', 'hold_short'],
    ['csa five runway two four cleared for takeoff', 'runway', '24', 'cleared_takeoff'],
    ['csa five cleared ils zulu approach runway zero six', 'approach', 'ILSZ', 'cleared_approach'],
    ['csa five proceed direct kilo india lima', 'waypoint', 'KIL', 'direct'],
    ['csa five direct ripit', 'waypoint', 'RIPIT', 'direct'],
    ['csa five qnh one zero one three', 'qnh', '1013', 'set_qnh'],
    ['csa five altimeter two niner niner two', 'qnh', '29.92', 'set_qnh'],
    ['csa five squawk two zero zero zero', 'squawk', '2000', 'squawk'],
    ['csa five taxi via alfa', 'taxiway', 'A', 'taxi'],
    ['csa five taxi to holding point bravo three', 'holding_point', 'B3', 'taxi'],
    ['csa five taxi to stand four two', 'stand', '42', 'taxi'],
  ] as const)('%s', (text, slot, value, verb) => {
    expect(item(text, slot)).toMatchObject({ value, verb, modality: 'command' });
  });
});

describe('U8 frequencies however they are said', () => {
  test.each([
    ['one three two decimal four', '132.400'],
    ['one two zero decimal zero two', '120.025'],
    ['one two one decimal seven seven', '121.775'],
    ['118.10', '118.100'],
    ['11835', '118.350'],
    ['one one eight one', '118.100'],
    ['one eighteen point seven', '118.700'],
    ['one two zero two seven five', '120.275'],
  ])('%s', (words, value) => {
    expect(item(`csa five contact tower ${words}`, 'frequency')).toMatchObject({ value });
    expect(item(`${words} csa five bye`, 'frequency')?.clipped).toBeUndefined();
  });

  test('a frequency without its head is marked as clipped, with every channel that it may be', () => {
    expect(item('20.2 csa five', 'frequency')).toMatchObject({ value: '120.200', clipped: 'head' });
    const doubtful = item('two zero two seven five csa five', 'frequency');
    expect(doubtful).toMatchObject({ value: '120.275', clipped: 'head' });
    expect(doubtful?.confidence).toBeLessThan(0.7);
  });
});

describe('U9 instructions without a value are commands, with the runway that belongs to them', () => {
  test.each([
    ['csa five cleared to land', ['cleared_to_land']],
    ['csa five line up and wait runway two four', ['line_up']],
    ['csa five hold position', ['hold_position']],
    ['csa five go around', ['go_around']],
    ['csa five number two', ['number']],
    ['csa five startup approved', ['startup']],
    ['csa five squawk ident', ['ident']],
    ['csa five make one orbit to the left', ['orbit']],
    ['csa five resume own navigation', ['resume_navigation']],
    ['csa five stop climb', ['stop_climb']],
    ['csa five vacate left', ['vacate']],
    ['csa five backtrack runway two four', ['backtrack']],
    ['csa five cancel takeoff', ['cancel_takeoff']],
    ['csa five climb', ['climb']],
    ['csa five no speed restrictions', ['resume_speed']],
    ['csa five report established', ['report']],
  ])('%s', (text, expected) => {
    expect(verbs(text)).toEqual(expected);
  });

  test('each runway goes with its own clearance', () => {
    const found = u('csa five taxi to runway two four cross runway one two left hold short of runway one two right');
    expect(found.items.filter((entry) => entry.slot === 'runway').map((entry) => [entry.value, entry.verb])).toEqual([['24', 'taxi'], ['12L', 'cross_runway'], ['12R', 'hold_short']]);
  });
  test('a runway before the clearance', () => {
    const found = u('runway two four cleared to land csa five');
    expect(found.commands[0]?.items).toEqual([0]);
  });
});

describe('U10 modality: only what is ordered or read back is a command', () => {
  test.each([
    ['csa five expect ils approach runway two four', 'runway', 'expect'],
    ['csa five maintain four thousand expect higher in one one miles', 'distance', 'expect'],
    ['praha radar csa five passing two thousand climbing flight level seven zero', 'altitude', 'report'],
    ['csa five request flight level three five zero', 'altitude', 'request'],
    ['csa five do not cross runway two four', 'runway', 'negated'],
    ['csa five confirm heading two seven zero', 'heading', 'question'],
    ['csa five report passing flight level eight zero', 'altitude', 'information'],
    ['csa five wind two four zero degrees eight knots cleared to land', 'wind', 'information'],
    ['csa five final runway two four', 'runway', 'report'],
  ] as const)('%s', (text, slot, modality) => {
    expect(item(text, slot)).toMatchObject({ modality });
  });
});

describe('U11 corrections inside a transmission replace what they correct', () => {
  test.each([
    ['csa five descend five thousand correction four thousand feet', 'altitude', ['4000']],
    ['turn left heading two one zero correction two two zero csa five', 'heading', ['220']],
    ['csa five descend flight level eight zero correction seven zero', 'altitude', ['FL70']],
    ['csa five line up runway two four left correction two four right', 'runway', ['24R']],
    ['csa five runway two four left correction right cleared to land', 'runway', ['24R']],
    ['squawk one two three four correction one two three five csa five', 'squawk', ['1235']],
    ['csa five contact tower one one eight decimal one correction one one eight decimal five', 'frequency', ['118.500']],
    ['csa five climb correction descend flight level eight zero', 'altitude', ['FL80']],
  ] as const)('%s', (text, slot, values) => {
    const found = u(text);
    expect(found.values[slot]).toEqual(values);
    expect(found.retracted.length).toBe(1);
    expect(found.commands.map((command) => command.verb)).not.toContain('climb');
  });
  test('a corrected callsign', () => {
    expect(u('csa five correction csa nine descend flight level eight zero').callsign).toBe('CSA9');
  });
});

test('U12 a number begun twice across a hesitation keeps both readings', () => {
  const found = item('left on two uh six left starjet four one seven', 'runway');
  expect(found).toMatchObject({ value: '26L', alternatives: ['06L'] });
  expect(found?.confidence).toBeLessThan(0.6);
});

test('U13 a number that nothing explains is bare, with all that it may be', () => {
  expect(item('one six zero csa five', 'altitude')).toMatchObject({ value: 'FL160', bare: true, alternatives: ['160'] });
  expect(item('zero four zero csa five', 'heading')).toMatchObject({ value: '040', bare: true });
});

describe('U14 one condition has one key whatever its wording', () => {
  const same = (key: string, wordings: readonly string[]) => wordings.map((words) => [key, words] as const);
  test.each([
    ...same('after:KILNU', ['after passing kilnu', 'after kilnu', 'passing kilnu', 'when passing kilnu', 'once past kilnu', 'once you have passed kilnu', 'on passing kilnu', 'when you pass kilnu', 'when clear of kilnu', 'not before kilnu', 'after crossing kilnu', 'after leaving kilnu', 'when through kilnu']),
    ...same('at:KILNU', ['at kilnu', 'when overhead kilnu', 'when over kilnu', 'reaching kilnu', 'on reaching kilnu']),
    ...same('before:KILNU', ['before kilnu', 'before reaching kilnu', 'prior to kilnu', 'no later than kilnu']),
    ...same('before:T32', ['before time three two', 'not after three two']),
    ...same('after:LOMKI', ['leave lomki heading two four zero', 'after lomki heading two four zero']),
    ...same('after:T1115', ['not before one one one five', 'not before time one one one five', 'no earlier than one one one five', 'no earlier than time one one one five']),
    ...same('after:FL100', ['after passing flight level one hundred', 'passing flight level one hundred', 'when passing level one hundred', 'when leaving flight level one zero zero', 'after leaving FL100']),
    ...same('when:ready', ['when ready', 'when you are ready', 'at your discretion', 'at own discretion', 'pilots discretion']),
    ...same('when:established', ['when established', 'once established', 'after established', 'when established on the localizer', 'once you are established']),
    ...same('when:departure', ['after departure', 'when airborne', 'once airborne', 'after takeoff']),
    ...same('until:4NM', ['until four miles', 'until four dme', 'till four miles final', 'until dme four', "until four mile final"]),
    ...same('until:established', ['until established', 'until you are established']),
    ...same('until:advised', ['until further advised', 'until advised', 'until further notice']),
    ...same('level:KILNU', ['to be level by kilnu', 'to be level at kilnu', 'level by kilnu', 'by kilnu', 'level kilnu']),
    ...same('when:clear', ['when clear of traffic', 'once clear', 'when clear of the traffic', 'when you are clear of traffic']),
    ...same('initially', ['initially']),
    ...same('when:able', ['when able', 'when possible', 'as soon as practicable', 'as soon as able']),
  ])('%s: %s', (key, words) => {
    expect(u(`csa five descend flight level eight zero ${words}`).conditions.map((condition) => condition.key)).toEqual([key]);
  });

  test.each([
    ...same('bound:at_or_above:FL80', ['cross kilnu at or above flight level eight zero', 'cross kilnu flight level eight zero or above', 'cross kilnu not below flight level eight zero', 'cross kilnu flight level eight zero or higher']),
    ...same('bound:at_or_below:5000', ['cross kilnu at or below five thousand feet', 'cross kilnu five thousand or below', 'cross kilnu not above five thousand']),
    ...same('bound:or_less:180', ['speed one eight zero knots or less', 'maximum speed one eight zero', 'do not exceed one eight zero knots', 'speed not above one eight zero knots']),
    ...same('bound:or_greater:160', ['maintain one six zero knots or greater', 'minimum speed one six zero', 'maintain one six zero knots or more']),
    ...same('behind:LANDING_A320', ['behind the landing airbus three twenty line up', 'after the landing a320 line up', 'behind the landing A320 line up', 'behind the arriving airbus three twenty line up']),
  ])('%s: %s', (key, words) => {
    expect(u(`csa five ${words}`).conditions.map((condition) => condition.key)).toEqual([key]);
  });

  test('another fix, level or aircraft is another key', () => {
    const key = (words: string) => u(`csa five descend flight level eight zero ${words}`).conditions[0]?.key;
    expect(new Set(['after passing kilnu', 'after passing kolad', 'before kilnu', 'until kilnu', 'passing flight level one hundred', 'passing flight level one one zero'].map(key)).size).toBe(6);
  });
});

describe('U28 what is read back in few words, refused, or begun twice', () => {
  test.each([
    ['a speed and its gate', 'one eight zero to four csa five', 'speed', '180'],
    ['a limit behind another value', 'one two zero two five zero or less csa five', 'speed', '250'],
    ['and that value', 'one two zero two five zero or less csa five', 'altitude', 'FL120'],
    ['a frequency without its one', 'tower eighteen five csa five', 'frequency', '118.500'],
    ['a frequency said twice', 'one three four decimal six one three four decimal six csa five', 'frequency', '134.600'],
    ['a runway begun twice', 'left on one uh two two cross one three right csa five', 'runway', '22'],
    ['a compass word', 'heading north csa five', 'heading', '360'],
    ['a rate of descent', 'flight level one hundred two thousand or greater csa five', 'vertical_rate', '2000'],
    ['a taxiway with a name', 'taxi via outer and echo csa five', 'taxiway', 'OUTER'],
    ['an intersection before the line-up', 'runway two eight via lima seven line up csa five', 'taxiway', 'L7'],
    ['a departure without the word', 'cleared vienna lanux two bravo csa five', 'procedure', 'LANUX2B'],
  ] as const)('%s: %s', (_name, text, slot, value) => {
    expect(item(text, slot)?.value).toBe(value);
  });
  test.each([
    ['unable flight level three niner zero csa five', 'altitude', 'negated'],
    ["can't do heading two one zero csa five", 'heading', 'negated'],
    ['standing by for flight level eight zero csa five', 'altitude', 'expect'],
    ['right twenty degrees heading will be one four zero csa five', 'heading', 'command'],
  ] as const)('%s', (text, slot, modality) => {
    expect(item(text, slot)?.modality).toBe(modality);
  });
  test('an order taken back in the same breath', () => {
    const { values, retracted, commands } = u('csa five turn left heading disregard turn right heading one five zero');
    expect(values).toEqual({ heading: ['150'] });
    expect(retracted).toEqual([[2, 6]]);
    expect(commands).toEqual([]);
  });
  test('a hand-over without a verb', () => {
    expect(u('csa five departure bye').commands).toMatchObject([{ verb: 'contact', items: [0] }]);
    expect(u('csa five tower good morning').commands).toEqual([]);
  });
});

describe('U15 confidence', () => {
  const words = (text: string, confidence: Readonly<Record<string, number>>) => text.split(' ').map((word) => ({ text: word, confidence: confidence[word] ?? 1 }));
  test('the least sure word of a value sets its confidence', () => {
    const text = 'csa five descend flight level eight zero';
    const found = understand({ id: 'c', text, words: words(text, { eight: 0.3, csa: 0.5 }) });
    expect(found.items[0]?.confidence).toBeCloseTo(0.3);
    expect(found.callsign_candidates[0]?.score).toBeLessThan(0.5);
  });
  test('a doubtful reading is less sure than a plain one', () => {
    expect(item('csa five climb to one two zero', 'altitude')?.confidence).toBeLessThan(item('csa five climb to flight level one two zero', 'altitude')?.confidence ?? 0);
  });
  test('a clipped recording marks the number at its edge', () => {
    const found = understand({ id: 'c', text: 'zero six zero right turn csa five', guards: [{ reason: 'clipped-start', detail: 'speech in the first frame' }] });
    expect(found.items[0]).toMatchObject({ value: '060', clipped: 'head' });
  });
});

describe('U26 forms that are heard besides the standard ones', () => {
  test.each([
    ['two seven zero on the heading csa five', 'heading', '270'],
    ['left two seven zero and down to four thousand csa five', 'altitude', '4000'],
    ['zero six zero right turn csa five', 'heading', '060'],
    ['turn left to seven zero csa five', 'heading', '270'],
    ['line up to eight behind csa five', 'runway', '28'],
    ['praha radar csa five passing five point four for seven zero', 'altitude', '5400'],
    ['csa five contact tower eighteen one', 'frequency', '118.100'],
    ['three thousand twenty nine eighty seven csa five', 'qnh', '29.87'],
    ['squawking five thousand two hundred and forty one csa five', 'squawk', '5241'],
    ['six thousand one zero one one csa five', 'qnh', '1011'],
    ['csa five recleared flight level two six zero', 'altitude', 'FL260'],
    ['holding short of november csa five', 'taxiway', 'N'],
    ['csa five cross runway one two at delta', 'taxiway', 'D'],
    ['csa five give way to the company a three twenty', 'traffic', 'COMPANY_A320'],
    ['csa five descend via the anjll four arrival', 'procedure', 'ANJLL4'],
    ['csa five rate of descent two thousand feet per minute', 'vertical_rate', '2000'],
    ['csa five cleared rnav yankee approach runway 08', 'approach', 'RNAVY'],
  ] as const)('%s', (text, slot, value) => {
    expect(u(text).values[slot]?.[0]).toBe(value);
  });
  test.each([
    ['csa five speed is free', ['resume_speed']],
    ['csa five land after the departing citation', ['cleared_to_land']],
    ['csa five cleared for an immediate takeoff', ['cleared_takeoff']],
    ['touch and go runway two five csa five', ['cleared_touch_and_go']],
    ['csa five pushback and startup approved', ['pushback', 'startup']],
    ['pushing back facing east csa five', ['pushback']],
    ['csa five standby for descent', []],
    ['tower csa five ready for taxi', []],
  ] as const)('%s', (text, expected) => {
    expect(verbs(text)).toEqual(expected);
  });
  test('a clipped speed and its gate', () => {
    expect(item('sixty to four dme csa five', 'speed')).toMatchObject({ value: '60', clipped: 'head', alternatives: ['160', '260'] });
    expect(u('sixty to four dme csa five').conditions[0]?.key).toBe('until:4NM');
  });
  test('a decimal alone leaves the channel open', () => {
    const found = item('point nine csa five', 'frequency');
    expect(found).toMatchObject({ value: '121.900', clipped: 'head' });
    expect(found?.alternatives).toContain('118.900');
  });
});

describe('U27 numbers that follow a complete value, and sides that are not the runway\'s', () => {
  const found = (text: string) => u(text).items.map((entry) => `${entry.slot} ${entry.value}`);
  test.each([
    ['csa five cleared to land runway six right traffic', ['runway 06']],
    ['cleared to land runway six right traffic seven two romeo', ['runway 06']],
    ['csa five make left closed traffic cleared for takeoff runway one one', ['runway 11']],
    ['csa five line up runway one one left traffic on a five mile final', ['runway 11L']],
    ['csa five cleared to land runway six right', ['runway 06R']],
    ['descend five thousand three zero zero one jeju air two two', ['altitude 5000', 'qnh 30.01']],
    ['climbing to one six thousand expediting through ten csa five', ['altitude 16000', 'altitude 10000']],
    ['csa five passing eighteen', ['altitude 18000']],
    ['out of six for niner thousand csa five', ['altitude 6000', 'altitude 9000']],
    ['maintain seven thousand five two papa', ['altitude 7000']],
    ['descend flight level eight zero five two papa', ['altitude FL80']],
    ['csa five runway access two is closed', []],
    ['cleared to land runway nine five csa five', ['runway 95']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
  test('letters and digits behind a complete value are the aircraft', () => {
    expect(u('maintain seven thousand five two papa').callsign).toBe('52P');
    expect(u('descend flight level eight zero five two papa').callsign).toBe('52P');
    expect(u('landing on discretion six one one four hotel yankee').callsign).toBe('HY');
  });
  test('a place beside the runway is crossed, not the runway', () => {
    expect(verbs('csa five crossing runway access two is approved')).not.toContain('cross_runway');
    expect(verbs('csa five cross runway two two')).toEqual(['cross_runway']);
  });
  test('a runway that cannot be is unsure', () => {
    expect(item('cleared to land runway nine five csa five', 'runway')?.confidence).toBeLessThan(0.5);
  });
});
