import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../models/index.js';
import { GOLD } from '../run/items.js';
import { AIRLINES, LETTERS, PLACES } from '../reconstruction/words.js';
import { ENTITY_TYPES, type GroundUtterance } from './make.js';

const frozen = readFileSync(join(packageRoot(), 'fixtures', 'bench', 'ground.jsonl'), 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as GroundUtterance);
const counted = (keys: readonly string[]): Record<string, number> => keys.reduce<Record<string, number>>((counts, key) => ({ ...counts, [key]: (counts[key] ?? 0) + 1 }), {});

describe('published counts of arXiv 2605.11769 (Table I)', () => {
  test('1,000 utterances, no two alike; 560 of pilots, 440 of controllers', () => {
    expect(new Set(frozen.map(({ utterance }) => utterance)).size).toBe(1000);
    expect(counted(frozen.map(({ speaker }) => speaker))).toEqual({ pilot: 560, controller: 440 });
  });
  test('by intention', () => {
    expect(counted(frozen.map(({ intention }) => intention))).toEqual({ instruction: 404, readback: 359, inform: 189, greet: 48 });
  });
  test('by action, and so 480, 261 and 259 by risk', () => {
    const actions = counted(frozen.map(({ action }) => action));
    expect(actions).toEqual({ TAXI: 341, INFORM: 169, CONTACT: 149, HOLD: 115, PUSHBACK: 112, GREET: 54, GIVE_WAY: 24, UNKNOWN: 20, STANDBY: 16 });
    expect([['HOLD', 'TAXI', 'GIVE_WAY'], ['CONTACT', 'PUSHBACK'], ['INFORM', 'GREET', 'STANDBY', 'UNKNOWN']].map((names) => names.reduce((sum, name) => sum + (actions[name] ?? 0), 0))).toEqual([480, 261, 259]);
  });
  test('4,779 entities, by type; a boundary is a condition', () => {
    const types = counted(frozen.flatMap(({ entities }) => entities.map(({ type }) => (type === 'boundary' ? 'condition' : type))));
    expect(types).toEqual({ condition: 1277, taxiway: 1114, callsign: 988, controller: 357, greet: 270, gate: 189, frequency: 158, report: 157, qualifier: 124, vehicle: 77, runway: 68 });
    expect(Object.values(types).reduce((a, b) => a + b)).toBe(4779);
  });
  test('2,845 stretches of other words around them, which stand in the text in order', () => {
    let stretches = 0;
    for (const { id, utterance, entities } of frozen) {
      let rest = utterance;
      for (const { type, text } of entities) {
        expect(ENTITY_TYPES).toContain(type);
        const at = ` ${rest} `.indexOf(` ${text} `);
        expect(at, `${id}: ${text}`).toBeGreaterThanOrEqual(0);
        if (at > 0) stretches++;
        rest = rest.slice(at + text.length).trim();
      }
      if (rest !== '') stretches++;
    }
    expect(stretches).toBe(2845);
  });
});

test('instructions are the controller\'s, readbacks the pilot\'s; every line is an item that can be run', () => {
  for (const line of frozen) {
    if (line.intention === 'instruction') expect(line.speaker).toBe('controller');
    if (line.intention === 'readback') expect(line.speaker).toBe('pilot');
    expect(GOLD.ground.safeParse(line).success).toBe(true);
  }
});

test('gold follows the conventions: what stands behind "hold short of" is a boundary, behind "contact" a unit, whoever gives way does so to a vehicle', () => {
  for (const { id, utterance, entities } of frozen) {
    const held = /hold(?:ing)? short of (?:runway )?(\w+)/u.exec(utterance);
    if (held !== null) expect(entities.some(({ type, text }) => type === 'boundary' && text.includes(held[1] ?? '')), id).toBe(true);
    expect(entities.some(({ type }) => type === 'vehicle') || !/giv(?:e|ing) way to/u.test(utterance), id).toBe(true);
    expect(entities.some(({ type }) => type === 'controller') || !/\b(?:contact|monitor) /u.test(utterance), id).toBe(true);
  }
});

test('no run of five words, values and names aside, is in the texts that the recogniser is trained on', () => {
  const training = ` ${['talk', 'chatter', 'lexicon'].map((name) => readFileSync(join(packageRoot(), 'training', 'speech', `${name}.py`), 'utf8').toLowerCase()).join('\n').replace(/[^a-z]+/gu, ' ')} `;
  const aside = new Set([...AIRLINES, ...PLACES, ...LETTERS].flatMap((name) => name.split(' ')));
  const number = /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|eleven|twelve|\w+ty|hundred|decimal|point)$/u;
  const runs = new Set<string>();
  for (const { utterance } of frozen) {
    const words = utterance.split(' ');
    for (let i = 0; i + 5 <= words.length; i++) {
      const run = words.slice(i, i + 5);
      if (!run.some((word) => number.test(word) || aside.has(word))) runs.add(run.join(' '));
    }
  }
  expect(runs.size).toBeGreaterThan(1000);
  expect([...runs].filter((run) => training.includes(` ${run} `))).toEqual([]);
});
