/** Transmissions put together from instructions with known meaning: every value is found once, with its own verb. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitByDigit, groupForm, isKnownWord, speakAltitude, speakFrequency, speakRunway, speakValue, telephonyAt, tokenise } from '../phraseology/index.js';
import type { ValueSlot, Verb } from '../domain/understanding.js';
import { understand } from './index.js';

const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
process.stdout.write(`composed transmissions: seed ${seed}\n`);

interface Part {
  readonly words: string;
  readonly truth: readonly (readonly [ValueSlot, string, Verb | undefined])[];
  readonly commands?: readonly Verb[];
  readonly conditions?: readonly string[];
  /** Of each kind one a transmission, as controllers do. */
  readonly kind: string;
}

const digit = fc.integer({ min: 1, max: 9 });
/** A made-up name; "meter" is a unit, behind which no name is looked for. */
const fix = fc.tuple(fc.constantFrom(...'bdfgklmnprstvz'.split('')), fc.constantFrom(...'aeiou'.split('')), fc.constantFrom(...'bdgklmnprstvx'.split('')), fc.constantFrom(...'aeiou'.split('')), fc.constantFrom(...'bdkmprtvz'.split(''))).map((letters) => letters.join('')).filter((name) => name !== 'meter' && !isKnownWord(name) && tokenise([name])[0]?.filler === undefined && telephonyAt([name], 0, true) === undefined);
const level = fc.oneof(fc.integer({ min: 5, max: 45 }).map((tens) => `FL${tens * 10}`), fc.integer({ min: 15, max: 120 }).map((hundreds) => String(hundreds * 100)));
const heading = fc.integer({ min: 1, max: 36 }).map((tens) => String(tens * 10).padStart(3, '0'));
const speed = fc.integer({ min: 14, max: 30 }).map((tens) => String(tens * 10));
const runway = fc.tuple(fc.integer({ min: 1, max: 36 }), fc.constantFrom('', 'L', 'R', 'C')).map(([number, side]) => String(number).padStart(2, '0') + side);
const frequency = fc.tuple(fc.integer({ min: 118, max: 135 }), fc.integer({ min: 0, max: 39 })).map(([whole, step]) => `${whole}.${String(step * 25).padStart(3, '0')}`);
const style = fc.constantFrom('icao' as const, 'faa' as const);
const spoken = (digits: string): string => digitByDigit(digits);

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.tuple(level, fc.constantFrom<[string, Verb]>(['climb', 'climb'], ['climb to', 'climb'], ['climb and maintain', 'climb'], ['descend', 'descend'], ['descend to', 'descend']), style).map(([value, [words, verb], how]): Part => ({ kind: 'altitude', words: `${words} ${speakAltitude(value, how)}`, truth: [['altitude', value, verb]] })),
  fc.tuple(heading, fc.constantFrom<[string, Verb]>(['turn left heading', 'turn_left'], ['turn right heading', 'turn_right'], ['fly heading', 'fly_heading'], ['turn left', 'turn_left'])).map(([value, [words, verb]]): Part => ({ kind: 'heading', words: `${words} ${spoken(value)}`, truth: [['heading', value, verb]] })),
  fc.tuple(speed, fc.constantFrom<[string, Verb]>(['reduce speed', 'reduce_speed'], ['increase speed to', 'increase_speed'], ['maintain', 'maintain_speed'], ['speed', 'maintain_speed']), fc.boolean()).map(([value, [words, verb], group]): Part => ({ kind: 'speed', words: `${words} ${group ? groupForm(value) : spoken(value)} knots`, truth: [['speed', value, verb]] })),
  fc.tuple(runway, fc.constantFrom('ils', 'rnp', 'visual'), style).map(([value, type, how]): Part => ({ kind: 'approach', words: `cleared ${type} approach ${speakRunway(value, how)}`, truth: [['approach', type.toUpperCase(), 'cleared_approach'], ['runway', value, 'cleared_approach']], commands: ['cleared_approach'] })),
  fix.map((name): Part => ({ kind: 'direct', words: `proceed direct ${name}`, truth: [['waypoint', name.toUpperCase(), 'direct']] })),
  fc.integer({ min: 980, max: 1040 }).map((value): Part => ({ kind: 'qnh', words: `qnh ${spoken(String(value))}`, truth: [['qnh', String(value), 'set_qnh']] })),
  fc.tuple(digit, digit, digit).map(([a, b, c]): Part => {
    const code = `${a % 8}${b % 8}${c % 8}1`;
    return { kind: 'squawk', words: `squawk ${spoken(code)}`, truth: [['squawk', code, 'squawk']] };
  }),
  fc.constantFrom<[string, Verb]>(['report established', 'report'], ['resume own navigation', 'resume_navigation'], ['no speed restrictions', 'resume_speed']).map(([words, verb]): Part => ({ kind: `plain ${verb}`, words, truth: [], commands: [verb] })),
);

/** A hand-off comes last. */
const handoff = fc.option(fc.tuple(frequency, fc.constantFrom('tower', 'praha radar', 'geneva arrival', 'departure'), style).map(([value, unit, how]): Part => ({ kind: 'contact', words: `contact ${unit} ${speakFrequency(value, how)}`, truth: [['controller', unit.toUpperCase().replace(' ', '_'), 'contact'], ['frequency', value, 'contact']] })), { nil: undefined });

const condition = fc.option(
  fc.oneof(
    fix.map((name): Part => ({ kind: 'condition', words: `after passing ${name}`, truth: [['waypoint', name.toUpperCase(), undefined]], conditions: [`after:${name.toUpperCase()}`] })),
    fc.constantFrom<[string, string]>(['when ready', 'when:ready'], ['when able', 'when:able'], ['when established', 'when:established']).map(([words, key]): Part => ({ kind: 'condition', words, truth: [], conditions: [key] })),
    fc.integer({ min: 3, max: 9 }).map((miles): Part => ({ kind: 'condition', words: `until ${spoken(String(miles))} miles final`, truth: [['distance', String(miles), undefined]], conditions: [`until:${miles}NM`] })),
  ),
  { nil: undefined },
);

const callsign = fc.tuple(fc.constantFrom(['lufthansa', 'DLH'], ['speedbird', 'BAW'], ['swiss', 'SWR'], ['wizz air', 'WZZ'], ['starjet', 'STARJET'], ['csa', 'CSA']), fc.integer({ min: 1, max: 9999 }), fc.constantFrom('', 'A', 'KP'), fc.boolean()).map(([[name = '', code = ''], number, letters, group]) => {
  const digits = String(number);
  const tail = letters === 'A' ? ' alfa' : letters === 'KP' ? ' kilo papa' : '';
  return { words: `${name} ${group ? groupForm(digits) : digitByDigit(digits)}${tail}`, value: code + digits + letters };
}).filter(({ value }) => /^\D+\d{1,4}[A-Z]{0,2}$/u.test(value));

const transmission = fc.record({ callsign, parts: fc.uniqueArray(part, { minLength: 1, maxLength: 4, selector: ({ kind }) => kind }), condition, handoff, readback: fc.boolean(), joined: fc.boolean() });

describe('U24 several instructions in one transmission', () => {
  test('every value once, with its own verb; every condition by its key; the callsign and the role', () => {
    fc.assert(
      fc.property(transmission, ({ callsign: aircraft, parts, condition: gate, handoff: last, readback, joined }) => {
        const all = [...parts.slice(0, 1), ...(gate === undefined ? [] : [gate]), ...parts.slice(1), ...(last === undefined ? [] : [last])];
        const said = all.map(({ words }) => words).join(joined ? ' and ' : ' ');
        const text = readback ? `${said} ${aircraft.words}` : `${aircraft.words} ${said}`;
        const found = understand({ id: 'g', text });
        const got = found.items.map((item) => [item.slot, item.value, item.verb]);
        expect(got, text).toEqual(all.flatMap(({ truth }) => truth));
        expect(found.conditions.map(({ key }) => key), text).toEqual(all.flatMap(({ conditions = [] }) => conditions));
        expect(found.commands.map(({ verb }) => verb), text).toEqual(all.flatMap(({ commands = [] }) => commands));
        expect(found.callsign, text).toBe(aircraft.value);
        expect(found.role, text).toBe(readback ? 'pilot' : 'controller');
      }),
      { numRuns: 1200, seed },
    );
  });

  test('on the ground and at the runway', () => {
    const letter = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'K', 'M', 'N', 'P', 'S', 'T', 'W', 'Y', 'Z');
    const taxiway = fc.tuple(letter, fc.constantFrom('', '1', '2', '5', '9')).map(([name, number]) => name + number);
    const name = (value: string): string => speakValue('taxiway', value);
    const ground: fc.Arbitrary<Part> = fc.oneof(
      fc.tuple(fc.uniqueArray(taxiway, { minLength: 1, maxLength: 3, selector: (value) => value.slice(0, 1) }), runway, fc.constantFrom('icao' as const, 'faa' as const)).map(([path, to, how]): Part => ({
        kind: 'taxi', words: `taxi to holding point ${speakRunway(to, how)} via ${path.map(name).join(' ')}`,
        truth: [['holding_point', `RWY${to}`, 'taxi'], ['runway', to, 'taxi'], ...path.map((value) => ['taxiway', value, 'taxi'] as const)], commands: ['taxi'],
      })),
      fc.integer({ min: 10, max: 99 }).map((stand): Part => ({ kind: 'taxi', words: `taxi to stand ${digitByDigit(String(stand))}`, truth: [['stand', String(stand), 'taxi']], commands: ['taxi'] })),
      runway.map((value): Part => ({ kind: 'cross', words: `cross ${speakRunway(value)}`, truth: [['runway', value, 'cross_runway']], commands: ['cross_runway'] })),
      fc.tuple(runway, fc.boolean()).map(([value, of]): Part => ({ kind: 'hold', words: `hold short ${of ? 'of ' : ''}${speakRunway(value)}`, truth: [['runway', value, 'hold_short']], commands: ['hold_short'] })),
      fc.tuple(runway, fc.boolean()).map(([value, first]): Part => ({ kind: 'enter', words: first ? `${speakRunway(value)} line up and wait` : `line up and wait ${speakRunway(value)}`, truth: [['runway', value, 'line_up']], commands: ['line_up'] })),
      fc.tuple(runway, heading, fc.integer({ min: 2, max: 30 }), fc.boolean()).map(([value, from, knots, takeoff]): Part => ({
        kind: 'runway clearance', words: `wind ${digitByDigit(from)} degrees ${digitByDigit(String(knots).padStart(2, '0'))} knots ${speakRunway(value)} cleared ${takeoff ? 'for takeoff' : 'to land'}`,
        truth: [['wind', `${from}/${String(knots).padStart(2, '0')}`, undefined], ['runway', value, takeoff ? 'cleared_takeoff' : 'cleared_to_land']], commands: [takeoff ? 'cleared_takeoff' : 'cleared_to_land'],
      })),
      fc.integer({ min: 1, max: 6 }).map((place): Part => ({ kind: 'number', words: `number ${digitByDigit(String(place))}`, truth: [['traffic', `NUMBER${place}`, 'number']], commands: ['number'] })),
      fc.constantFrom<[string, Verb]>(['hold position', 'hold_position'], ['startup approved', 'startup'], ['pushback approved', 'pushback']).map(([words, verb]): Part => ({ kind: verb, words, truth: [], commands: [verb] })),
    );
    fc.assert(
      fc.property(callsign, fc.uniqueArray(ground, { minLength: 1, maxLength: 3, selector: ({ kind }) => kind }), (aircraft, parts) => {
        const text = `${aircraft.words} ${parts.map(({ words }) => words).join(' ')}`;
        const found = understand({ id: 'g', text });
        expect(found.items.map((item) => [item.slot, item.value, item.verb]), text).toEqual(parts.flatMap(({ truth }) => truth));
        expect(found.commands.map(({ verb }) => verb), text).toEqual(parts.flatMap(({ commands = [] }) => commands));
        expect(found.callsign, text).toBe(aircraft.value);
      }),
      { numRuns: 600, seed },
    );
  });
});
