/**
 * Properties of values through the whole of `understand`: words → value → words, any other digit is another value, and nothing that carries no
 * meaning changes one. Every value in every form and place; 2,400 generated cases a run beside them, whose seed is printed (FC_SEED=n repeats a run).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupForm, speakAltitude, speakFrequency, speakHeading, speakPressure, speakRunway, speakSpeed, speakSquawk, speakValue, type Style } from '../phraseology/index.js';
import type { ValueSlot } from '../domain/understanding.js';
import { understand } from './index.js';

const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
process.stdout.write(`properties of values: seed ${seed}\n`);

const valuesOf = (text: string, slot: ValueSlot): readonly string[] => understand({ id: 'v', text }).values[slot] ?? [];

/** Where a value stands: behind the callsign in an instruction, before it in a readback. */
const INSTRUCTION: Partial<Record<ValueSlot, (words: string) => string>> = {
  altitude: (words) => `lufthansa three two four descend ${words}`,
  heading: (words) => `lufthansa three two four fly ${words}`,
  speed: (words) => `lufthansa three two four reduce speed ${words}`,
  frequency: (words) => `lufthansa three two four contact praha radar ${words}`,
  runway: (words) => `lufthansa three two four ${words} cleared to land`,
  qnh: (words) => `lufthansa three two four descend four thousand feet ${words}`,
  squawk: (words) => `lufthansa three two four ${words}`,
};
const READBACK: Partial<Record<ValueSlot, (words: string) => string>> = {
  altitude: (words) => `descending ${words} lufthansa three two four`,
  heading: (words) => `${words} lufthansa three two four`,
  speed: (words) => `speed ${words} lufthansa three two four`,
  frequency: (words) => `${words} lufthansa three two four good bye`,
  runway: (words) => `cleared to land ${words} lufthansa three two four`,
  qnh: (words) => `four thousand feet ${words} lufthansa three two four`,
  squawk: (words) => `${words} lufthansa three two four`,
};

const range = (from: number, to: number, step = 1): number[] => Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

const HEADINGS = range(1, 360).map((degrees) => String(degrees).padStart(3, '0'));
const LEVELS = [...range(10, 660, 5).map((level) => `FL${level}`), ...range(100, 19_900, 100).map(String), ...range(600, 12_000, 100).map((metres) => `${metres}M`)];
const SPEEDS = [...range(60, 350, 5).map(String), ...range(60, 92).map((hundredths) => `M0.${hundredths}`)];
/** 25 kHz frequencies and 8.33 kHz channel names, 118.000 to 136.990 (Annex 10 vol. V). */
const CHANNELS = range(118, 136).flatMap((megahertz) =>
  range(0, 9).flatMap((tenth) => ['00', '05', '10', '15', '25', '30', '35', '40', '50', '55', '60', '65', '75', '80', '85', '90'].map((end) => `${megahertz}.${tenth}${end}`)),
);
const RUNWAYS = range(1, 36).flatMap((number) => ['', 'L', 'R', 'C'].map((side) => String(number).padStart(2, '0') + side));
const SQUAWKS = range(0, 4095).map((number) => number.toString(8).padStart(4, '0'));
const PRESSURES = [...range(940, 1055).map(String), ...range(2800, 3100, 3).map((inches) => `${String(inches).slice(0, 2)}.${String(inches).slice(2)}`)];

/** Words in both phraseologies and in the other forms that are heard. */
const SPOKEN: Partial<Record<ValueSlot, (value: string) => readonly string[]>> = {
  altitude: (value) => [speakAltitude(value), speakAltitude(value, 'faa')],
  heading: (value) => [speakHeading(value), `heading ${value}`, `heading ${groupForm(value)}`],
  speed: (value) => [speakSpeed(value)],
  frequency: (value) => [speakFrequency(value), speakFrequency(value, 'faa'), value, speakFrequency(value).replace(' decimal', '')],
  runway: (value) => [speakRunway(value), speakRunway(value, 'faa'), `runway ${value}`],
  qnh: (value) => [speakPressure(value)],
  squawk: (value) => [speakSquawk(value), `squawk ${value}`],
};

describe('U1 words and values agree both ways for every value', () => {
  test.each([
    ['altitude', LEVELS],
    ['heading', HEADINGS],
    ['speed', SPEEDS],
    ['frequency', CHANNELS],
    ['runway', RUNWAYS],
    ['qnh', PRESSURES],
    ['squawk', SQUAWKS],
  ] as const)('%s', (slot, all) => {
    const wrong: string[] = [];
    all.forEach((value) => {
      const forms = SPOKEN[slot]?.(value) ?? [];
      const frames = [INSTRUCTION[slot], READBACK[slot]];
      forms.forEach((words) => {
        frames.forEach((frame) => {
          const text = frame?.(words) ?? words;
          const found = valuesOf(text, slot);
          if (found.length !== 1 || found[0] !== value) wrong.push(`${text} → ${found.join(', ')}`);
        });
      });
    });
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});

const anyValue = fc.constantFrom(
  ...([['altitude', LEVELS], ['heading', HEADINGS], ['speed', SPEEDS], ['frequency', CHANNELS], ['runway', RUNWAYS], ['qnh', PRESSURES], ['squawk', SQUAWKS]] as const),
).chain(([slot, all]) => fc.record({ slot: fc.constant(slot as ValueSlot), value: fc.constantFrom(...all), style: fc.constantFrom<Style>('icao', 'faa'), readback: fc.boolean() }));

const frameOf = (slot: ValueSlot, readback: boolean): ((words: string) => string) => (readback ? READBACK : INSTRUCTION)[slot] ?? ((words) => words);

test('U2 changing one digit changes the value', () => {
  fc.assert(
    fc.property(anyValue, fc.nat(), fc.integer({ min: 0, max: 9 }), ({ slot, value, style, readback }, place, digit) => {
      const words = speakValue(slot, value, style).split(' ');
      const names = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
      const digits = words.flatMap((word, index) => (names.includes(word) ? [index] : []));
      const at = digits[place % digits.length];
      if (at === undefined) return;
      fc.pre(words[at] !== names[digit]);
      const other = words.map((word, index) => (index === at ? names[digit] : word)).join(' ');
      const frame = frameOf(slot, readback);
      expect(valuesOf(frame(other), slot)).not.toEqual(valuesOf(frame(words.join(' ')), slot));
    }),
    { numRuns: 800, seed },
  );
});

test('U3 fillers, case, punctuation and spacing never change a value', () => {
  fc.assert(
    fc.property(anyValue, fc.array(fc.tuple(fc.nat(), fc.constantFrom('uh', 'ehm', 'um', '<hes>', 'er', '[unk]')), { maxLength: 3 }), fc.constantFrom('lower', 'upper', 'title'), fc.constantFrom(' ', '  ', '\t', ' \n '), fc.boolean(), ({ slot, value, style, readback }, fillers, letters, space, points) => {
      const plain = frameOf(slot, readback)(speakValue(slot, value, style));
      const words = plain.split(' ');
      for (const [place, filler] of fillers) words.splice(place % (words.length + 1), 0, filler);
      const cased = words.map((word) => (letters === 'upper' ? word.toUpperCase() : letters === 'title' ? word.slice(0, 1).toUpperCase() + word.slice(1) : word));
      const changed = cased.join(space) + (points ? '.' : '');
      expect(valuesOf(changed, slot), changed).toEqual(valuesOf(plain, slot));
    }),
    { numRuns: 800, seed },
  );
});

test('U3 a hesitation inside a number said in groups changes neither the value nor the callsign', () => {
  const group = fc.record({
    level: fc.integer({ min: 6, max: 45 }), degrees: fc.integer({ min: 100, max: 360 }), knots: fc.integer({ min: 140, max: 320 }), flight: fc.integer({ min: 11, max: 9999 }), places: fc.array(fc.tuple(fc.nat(), fc.constantFrom('uh', 'uhm', 'er', '<hes>', 'ah')), { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(group, ({ level, degrees, knots, flight, places }) => {
      const plain = `air france ${groupForm(String(flight))} fly heading ${groupForm(String(degrees))} descend flight level ${groupForm(String(level * 10))} reduce speed ${groupForm(String(knots))} knots`;
      const words = plain.split(' ');
      for (const [place, filler] of places) words.splice(2 + (place % (words.length - 2)), 0, filler);
      const [one, other] = [understand({ id: 'a', text: plain }), understand({ id: 'b', text: words.join(' ') })];
      expect({ values: other.values, callsign: other.callsign }, words.join(' ')).toEqual({ values: one.values, callsign: one.callsign });
    }),
    { numRuns: 800, seed },
  );
});
