/** Task 1: actions and labelled chunks (arXiv 2608.24621, Tables 12–15, C.1–C.3, K.3–K.6). */
import { describe, expect, test } from 'vitest';
import { isPhraseWord } from '../phraseology/index.js';
import { understand } from './index.js';
import { phraseWords } from './phrases.js';

/** "words=label | words=label". */
const chunks = (text: string): string => understand({ id: 'c', text }).tokens.map((chunk) => `${chunk.text}=${chunk.label}`).join(' | ');
const actions = (text: string): readonly string[] => understand({ id: 'c', text }).utterance_action;

describe('U4 chunks: smallest spans that keep their meaning', () => {
  test.each([
    ['swissair four five two wien good morning radar contact climb to flight level two nine zero', 'swissair four five two=callsign | wien=controller | good morning=O | radar contact=condition | climb=altitude_control | to=relation | flight level two nine zero=altitude'],
    ['sabena three eighty one turn right heading one two zero after passing gabor', 'sabena three eighty one=callsign | turn right=heading_control | heading one two zero=heading | after passing gabor=condition'],
    ['speedbird seven four taxi to stand via golf delta', 'speedbird seven four=callsign | taxi=taxiway_instruction | to=relation | stand=waypoint | via=relation | golf delta=taxiway'],
    ['finnair two eleven descend to flight level one one zero initially', 'finnair two eleven=callsign | descend=altitude_control | to=relation | flight level one one zero=altitude | initially=condition'],
    ['delta nine oh one cleared to land runway one six right when clear of traffic', 'delta nine oh one=callsign | cleared to land=clearance | runway one six right=runway | when clear of traffic=condition'],
    ['united four twelve turn left to heading two one zero and climb and maintain six thousand', 'united four twelve=callsign | turn left=heading_control | to=relation | heading two one zero=heading | and=O | climb and maintain=altitude_control | six thousand=altitude'],
    ['cactus six sixty caution wake turbulence sequenced behind a heavy', 'cactus six sixty=callsign | caution wake turbulence=condition | sequenced=sequence_control | behind=relation | a heavy=traffic'],
    ['austrian one two cleared for ils approach runway two nine', 'austrian one two=callsign | cleared for ils approach=clearance | runway two nine=runway'],
    ['lot three eight after landing hold short of runway one one', 'lot three eight=callsign | after landing=condition | hold short=runway_instruction | of=relation | runway one one=runway'],
    ['klm six two contact tower one one nine decimal two', 'klm six two=callsign | contact=contact | tower=controller | one one nine decimal two=frequency'],
    ['iberia two five ehm descend uh flight level eight zero', 'iberia two five=callsign | ehm=O | descend=altitude_control | uh=O | flight level eight zero=altitude'],
    ['okay out of four thousand cleared for the approach braathens ten sixty', 'okay=O | out of=condition | four thousand=altitude | cleared for the approach=clearance | braathens ten sixty=callsign'],
    ['lufthansa eight nine you are number two follow the airbus on final', 'lufthansa eight nine=callsign | you are=O | number two=sequence_control | follow=sequence_control | the airbus on final=traffic'],
  ])('%s', (text, expected) => {
    // neighbours with one label are one chunk
    expect(chunks(text)).toBe(expected.replace('number two=sequence_control | follow=sequence_control', 'number two follow=sequence_control'));
  });
});

describe('U5 conventions where the guidelines leave room', () => {
  test.each([
    ['a direct leg is a clearance, the turn before it a heading', 'csa five turn left direct kilnu', 'csa five=callsign | turn left=heading_control | direct=clearance | kilnu=waypoint'],
    ['SID and squawk', 'csa five cleared to rome via kilnu two bravo departure squawk four two one zero', 'csa five=callsign | cleared=clearance | to=relation | rome=waypoint | via=relation | kilnu two bravo departure=attribute | squawk four two one zero=condition'],
    ['QNH and wind are conditions', 'csa five descend three thousand feet qnh one zero two zero', 'csa five=callsign | descend=altitude_control | three thousand feet=altitude | qnh one zero two zero=condition'],
    ['a conditional line-up and its closing word', 'csa five behind the landing boeing line up runway two four behind', 'csa five=callsign | behind the landing boeing=condition | line up=runway_instruction | runway two four=runway | behind=condition'],
    ['expect up to the runway', 'csa five expect ils approach runway zero six', 'csa five=callsign | expect ils approach=condition | runway zero six=runway'],
    ['report what follows', 'csa five cleared visual approach runway zero six report established', 'csa five=callsign | cleared visual approach=clearance | runway zero six=runway | report established=condition'],
    ['the approach behind the runway is an attribute', 'csa five cleared rnp runway two four approach', 'csa five=callsign | cleared rnp=clearance | runway two four=runway | approach=attribute'],
    ['holding points and stands are waypoints', 'csa five taxi to holding point alfa runway zero six via mike', 'csa five=callsign | taxi=taxiway_instruction | to=relation | holding point alfa=waypoint | runway zero six=runway | via=relation | mike=taxiway'],
    ['a bare number that commands', 'three five zero to baltu csa five', 'three five zero=heading_control | to=relation | baltu=waypoint | csa five=callsign'],
    ['readback without verb', 'right heading zero four zero speed one eight zero csa five', 'right=heading_control | heading zero four zero=heading | speed=speed_control | one eight zero=speed | csa five=callsign'],
    ['a correction and what it takes back', 'csa five descend flight level eight zero correction flight level nine zero', 'csa five=callsign | descend=altitude_control | flight level eight zero correction=O | flight level nine zero=altitude'],
    ['a false start', 'cleared to uh cleared to land runway two four csa five', 'cleared to uh=O | cleared to land=clearance | runway two four=runway | csa five=callsign'],
    ['polarity', 'csa five do not cross runway two four', 'csa five=callsign | do not=polarity | cross=runway_instruction | runway two four=runway'],
    ['the localizer as a command', 'csa five intercept the localizer runway two four', 'csa five=callsign | intercept the localizer=heading_control | runway two four=runway'],
    ['purpose of a vector', 'csa five turn left heading three zero zero to intercept the localizer', 'csa five=callsign | turn left=heading_control | heading three zero zero=heading | to intercept the localizer=condition'],
    ['a limit on speed', 'csa five reduce speed one six zero knots or less', 'csa five=callsign | reduce speed=speed_control | one six zero knots=speed | or less=condition'],
    ['a callsign of two letters, a discretion, a runway behind it', 'ex four twelve descent your discretion after landing two four left hold short of runway two nine follow that traffic', 'ex four twelve=callsign | descent=altitude_control | your discretion after landing=condition | two four left=runway | hold short=runway_instruction | of=relation | runway two nine=runway | follow=sequence_control | that traffic=traffic'],
    ['where the other aircraft is belongs to it', 'csa five follow the seven three seven on a five mile final', 'csa five=callsign | follow=sequence_control | the seven three seven on a five mile final=traffic'],
    ['from which side it comes as well', 'csa five give way to the boeing from the right', 'csa five=callsign | give way=sequence_control | to=relation | the boeing from the right=traffic'],
    ['a prohibition', 'csa five do not descend below four thousand feet', 'csa five=callsign | do not=polarity | descend=altitude_control | below four thousand feet=condition'],
    ['expedite is an attribute', 'csa five expedite climb and maintain flight level one zero zero', 'csa five=callsign | expedite=attribute | climb and maintain=altitude_control | flight level one zero zero=altitude'],
    ['a report before the climb', 'csa five passing flight level one four zero climbing flight level one nine zero', 'csa five=callsign | passing=condition | flight level one four zero=altitude | climbing=altitude_control | flight level one nine zero=altitude'],
    ['a conditional line-up read back, its closing word and the callsign', 'behind the landing boeing lining up runway two four behind csa five', 'behind the landing boeing=condition | lining up=runway_instruction | runway two four=runway | behind=condition | csa five=callsign'],
    ['a type with a figure', 'csa five follow the dash eight ahead', 'csa five=callsign | follow=sequence_control | the dash eight ahead=traffic'],
    ['an apron with a name', 'csa five taxi to cargo apron via zulu', 'csa five=callsign | taxi=taxiway_instruction | to=relation | cargo apron=waypoint | via=relation | zulu=taxiway'],
    ['on with the flight to a point', 'csa five continue to trento', 'csa five=callsign | continue=clearance | to=relation | trento=waypoint'],
    ['a type of two letters', 'csa five follow the dc nine on a two mile final', 'csa five=callsign | follow=sequence_control | the dc nine on a two mile final=traffic'],
    ['a turn on departure', 'csa five turn left heading zero nine zero on departure', 'csa five=callsign | turn left=heading_control | heading zero nine zero=heading | on departure=condition'],
    ['whose altimeter', 'csa five descend four thousand boston altimeter three zero zero one', 'csa five=callsign | descend=altitude_control | four thousand=altitude | boston altimeter three zero zero one=condition'],
    ['a warning ends', 'csa five number two caution wake turbulence and climb flight level eight zero', 'csa five=callsign | number two=sequence_control | caution wake turbulence=condition | and=O | climb=altitude_control | flight level eight zero=altitude'],
    ['a line-up that waits, in a sequence', 'csa five number four behind the landing citation line up runway one nine', 'csa five=callsign | number four=sequence_control | behind the landing citation=condition | line up=runway_instruction | runway one nine=runway'],
    ['a speed to keep', 'csa five maintain to two zero zero knots', 'csa five=callsign | maintain=speed_control | to=relation | two zero zero knots=speed'],
    ['published speed', 'csa five resume published speed', 'csa five=callsign | resume published speed=speed_control'],
    ['continuing and stopping', 'continuing descent three thousand feet csa five', 'continuing descent=altitude_control | three thousand feet=altitude | csa five=callsign'],
    ['a side without a value', 'left immediately csa five', 'left=heading_control | immediately=attribute | csa five=callsign'],
    ['courtesy ends a report', 'csa five cross runway two four report kilnu sir', 'csa five=callsign | cross=runway_instruction | runway two four=runway | report kilnu=condition | sir=O'],
    ['expedite', 'csa five climb flight level one zero zero without delay', 'csa five=callsign | climb=altitude_control | flight level one zero zero=altitude | without delay=attribute'],
  ])('%s', (_name, text, expected) => {
    expect(chunks(text)).toBe(expected);
  });
});

describe('U6 actions in order of their first chunk, each once', () => {
  test.each([
    ['lufthansa one two turn left heading two one zero descend four thousand feet turn right heading two four zero', ['heading_control', 'altitude_control']],
    ['lufthansa one two reduce speed one eight zero knots contact arrival one one nine decimal eight', ['speed_control', 'contact']],
    ['lufthansa one two taxi via alfa cross runway two four hold short of runway two five', ['taxiway_instruction', 'runway_instruction']],
    ['lufthansa one two good morning', []],
    ['lufthansa one two number three follow the cessna cleared to land runway zero seven', ['sequence_control', 'clearance']],
    ['lufthansa one two pushback and startup approved', ['clearance']],
    ['lufthansa one two radar contact', []],
  ])('%s', (text, expected) => {
    expect(actions(text)).toEqual(expected);
  });
});

test('U25 every word of an action phrase is known as phraseology, so that none is taken for an operator or a fix', () => {
  expect(phraseWords().filter((word) => !isPhraseWord(word))).toEqual([]);
});
