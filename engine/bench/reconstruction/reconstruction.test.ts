import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACTIONS, ERROR_TYPES, RISK_LEVELS, RISK_OF } from '../../domain/taxonomy.js';
import { packageRoot } from '../../models/index.js';
import { ANSWERS } from '../run/items.js';
import { judgeByDifference, openSystem } from '../run/judges.js';
import { scoreTask1 } from '../scores/task1.js';
import { scoreTask2 } from '../scores/task2.js';
import { benchmarkFiles, FROZEN_SEED, sha256Of } from './freeze.js';
import { CHUNKS_OF, SINGLE_ACTION, type Task1Item, UTTERANCES_WITH } from './task1.js';
import { makeTask2, type Task2Item } from './task2.js';
import { AIRLINES, FIXES, PLACES } from './words.js';

const folder = join(packageRoot(), 'fixtures', 'bench');
const frozen = (name: string): string => readFileSync(join(folder, name), 'utf8');
const lines = (content: string): unknown[] => content.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
const task1 = lines(frozen('task1.jsonl')) as Task1Item[];
const task2 = lines(frozen('task2.jsonl')) as Task2Item[];
const counted = (keys: readonly string[]): Record<string, number> => keys.reduce<Record<string, number>>((counts, key) => ({ ...counts, [key]: (counts[key] ?? 0) + 1 }), {});

test('the frozen files are what the seed gives, and have the hashes that stand beside them', { timeout: 120_000 }, () => {
  const made = benchmarkFiles(FROZEN_SEED);
  for (const [name, content] of made) expect(sha256Of(frozen(name))).toBe(sha256Of(content));
  const { sha256 } = JSON.parse(frozen('benchmark.json')) as { sha256: Record<string, string> };
  expect(sha256).toEqual(Object.fromEntries(['task1.jsonl', 'task2.jsonl', 'ground.jsonl'].map((name) => [name, sha256Of(frozen(name))])));
});

describe('Task 1, published counts (Table 1, C.4)', () => {
  test('500 utterances, no two alike, 62.4 % of one action', () => {
    expect(task1).toHaveLength(500);
    expect(new Set(task1.map(({ utterance }) => utterance)).size).toBe(500);
    expect(task1.filter(({ utterance_action }) => utterance_action.length === 1)).toHaveLength(SINGLE_ACTION);
    expect(SINGLE_ACTION / 500).toBe(0.624);
  });
  test.each([['altitude_control', 169], ['clearance', 161], ['heading_control', 141], ['speed_control', 71], ['contact', 59], ['runway_instruction', 50], ['sequence_control', 46], ['taxiway_instruction', 36]] as const)('action %s: %i', (action, count) => {
    expect(task1.filter(({ utterance_action }) => utterance_action.includes(action))).toHaveLength(count);
  });
  test.each([['callsign', 446], ['runway', 170], ['altitude', 164], ['heading', 99], ['waypoint', 91], ['taxiway', 13], ['condition', 264], ['frequency', 54], ['speed', 44], ['relation', 92], ['attribute', 37], ['traffic', 10], ['controller', 112], ['O', 306]] as const)('utterances with %s: %i', (label, count) => {
    expect(UTTERANCES_WITH[label]).toBe(count);
    expect(task1.filter(({ tokens }) => tokens.some((chunk) => chunk.label === label))).toHaveLength(count);
  });
  test.each([['condition', 329], ['runway', 180], ['altitude', 180], ['controller', 113], ['waypoint', 105], ['heading', 103], ['frequency', 54], ['speed', 48], ['taxiway', 19], ['traffic', 10]] as const)('chunks of %s: %i', (label, count) => {
    expect(CHUNKS_OF[label]).toBe(count);
    expect(task1.flatMap(({ tokens }) => tokens).filter((chunk) => chunk.label === label)).toHaveLength(count);
  });
  test('chunks cover every word in order; neighbours differ; actions are listed once, at their first chunk; one callsign at most', () => {
    for (const { utterance, utterance_action, tokens } of task1) {
      expect(tokens.map(({ text }) => text).join(' ')).toBe(utterance);
      expect(tokens.some(({ label }, i) => tokens[i + 1]?.label === label)).toBe(false);
      expect(utterance_action).toEqual([...new Set(tokens.map(({ label }) => label).filter((label) => (ACTIONS as readonly string[]).includes(label)))]);
      expect(tokens.filter(({ label }) => label === 'callsign').length).toBeLessThanOrEqual(1);
    }
  });
});

describe('Task 2, published counts (Table 2)', () => {
  test('100 of each type; levels 300, 300, 300, 100', () => {
    expect(counted(task2.map(({ error_type }) => error_type))).toEqual(Object.fromEntries(ERROR_TYPES.map((type) => [type, 100])));
    expect(RISK_LEVELS.map((level) => task2.filter(({ risk_level }) => risk_level === level).length)).toEqual([300, 300, 300, 100]);
    expect(new Set(task2.map(({ instruction, readback }) => `${instruction}\n${readback}`)).size).toBe(1000);
    for (const { error_type, risk_level, is_correct, affected_slot } of task2) {
      expect(risk_level).toBe(RISK_OF[error_type]);
      expect(is_correct).toBe(risk_level === 'CORRECT');
      if (!is_correct) expect(affected_slot).not.toBeNull();
    }
  });
  test('the edit is in the readback', () => {
    for (const { id, error_type, correct_readback, readback, edit } of task2) {
      const named = /callsign (.+?) → ([^;]+)/u.exec(edit);
      if (error_type === 'CORRECT') expect(readback).toBe(correct_readback);
      else expect(readback, id).not.toBe(correct_readback);
      if (named !== null) {
        expect(correct_readback, id).toContain(named[1]);
        expect(readback.replace(/\b(?:uh|um|er|ehm|ah) /gu, ''), id).toContain(named[2]);
      }
      if (error_type.startsWith('OMISSION') || error_type === 'CONSTRAINT_HIGH') {
        const plain = readback.replace(/\b(?:uh|um|er|ehm|ah)\b ?/gu, '').trim();
        // another slot may be in another format, so words are counted, not compared
        expect(plain.split(' ').length, id).toBeLessThan(correct_readback.split(' ').length);
      }
      const values = /^(?:\w+) (\S+) → (\S+)/u.exec(edit);
      if (values !== null) expect(values[1]).not.toBe(values[2]);
    }
  });
  test('most right readbacks are not the instruction again', () => {
    const right = task2.filter(({ is_correct }) => is_correct);
    const bag = (text: string): string => text.split(' ').sort().join(' ');
    expect(right.filter(({ instruction, readback }) => bag(instruction) === bag(readback)).length / right.length).toBeLessThan(0.2);
  });
  test('another seed gives other items in the same numbers', () => {
    const other = makeTask2(5);
    expect(other[0]).not.toEqual(task2[0]);
    expect(counted(other.map(({ error_type }) => error_type))).toEqual(Object.fromEntries(ERROR_TYPES.map((type) => [type, 100])));
  });
});

describe('what it takes to solve it', () => {
  test('comparing words stays clearly below the rules judge', { timeout: 120_000 }, async () => {
    const naive = scoreTask2(task2.map((gold) => ({ gold, answer: judgeByDifference(gold.instruction, gold.readback) })), { rounds: 2 }).scores;
    const system = openSystem({ name: 'rules', parser: 'rules', judge: 'rules' });
    const rules = scoreTask2(await Promise.all(task2.map(async (gold) => ({ gold, answer: ANSWERS.task2.parse((await system.task2(gold, { text: gold.instruction }, { text: gold.readback })).answer) }))), { rounds: 2 }).scores;
    expect((rules.is_correct.value ?? 0) - (naive.is_correct.value ?? 1)).toBeGreaterThan(0.15);
    expect((rules.et_f1.value ?? 0) - (naive.et_f1.value ?? 1)).toBeGreaterThan(0.4);
    expect((rules.rl_acc.value ?? 0) - (naive.rl_acc.value ?? 1)).toBeGreaterThan(0.3);
    // the bar that the product sets itself (best published row), with room for what is made anew
    expect(rules.is_correct.value).toBeGreaterThan(0.946);
    expect(rules.ddr.value).toBeLessThan(0.02);
  });
  test('no threshold on the overlap of words, though chosen on the items themselves, comes near', () => {
    const overlaps = task2.map(({ instruction, readback, is_correct }) => {
      const [a, b] = [new Set(instruction.toLowerCase().split(' ')), new Set(readback.toLowerCase().split(' '))];
      const common = [...a].filter((word) => b.has(word)).length;
      return { similarity: common / (a.size + b.size - common), is_correct };
    });
    const best = Math.max(...overlaps.map(({ similarity }) => overlaps.filter((one) => (one.similarity >= similarity) === one.is_correct).length / overlaps.length));
    expect(best).toBeLessThan(0.8);
  });
  test('the parser is above the best published row on Task 1', { timeout: 120_000 }, async () => {
    const system = openSystem({ name: 'rules', parser: 'rules', judge: 'rules' });
    const { scores } = scoreTask1(await Promise.all(task1.map(async (gold) => ({ gold, answer: ANSWERS.task1.parse((await system.task1(gold, { text: gold.utterance })).answer) }))), { rounds: 2 });
    expect(scores.ar_geo.value).toBeGreaterThan(0.707);
    expect(scores.strict.value).toBeGreaterThan(0.614);
  });
});

describe('vocabulary apart from the texts that the recogniser is trained on', () => {
  const read = (name: string): string => readFileSync(join(packageRoot(), 'training', `${name}.py`), 'utf8').toLowerCase();
  const lexicon = read('speech/lexicon');
  /** The lists of names that the texts leave out. */
  const KEPT_OUT = /\nheld_out_\w+ = set\([^)]*\)\n/gu;
  const words = (text: string): string => text.replace(/[^a-z]+/gu, ' ').trim();
  const training = words([...['talk', 'chatter', 'routine', 'names'].map((name) => read(`speech/${name}`)), lexicon.replace(KEPT_OUT, '\n')].join('\n'));
  const keptOut = new Set([...lexicon.matchAll(/"([^"]*)"/gu)].filter(({ index }) => [...lexicon.matchAll(KEPT_OUT)].some((list) => index > list.index && index < list.index + list[0].length)).flatMap(([, names = '']) => [...names.split('|'), ...names.split(' ')]));
  const has = (name: string): boolean => ` ${training} `.includes(` ${name} `);
  test('fixes are not in it, and kept out of what the texts make up', () => {
    expect(has('lufthansa')).toBe(true);
    expect(FIXES.filter(has)).toEqual([]);
    expect(FIXES.filter((name) => !keptOut.has(name))).toEqual([]);
  });
  test('operators and places are not in its own lists: they come with all those that the product knows', () => {
    expect([...AIRLINES, ...PLACES].filter(has)).toEqual([]);
  });
  test('phrases: few runs of five words, values and names aside, are in both', () => {
    const names = new Set([...AIRLINES, ...FIXES, ...PLACES].flatMap((name) => name.split(' ')));
    const number = /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|eleven|twelve|\w+ty|hundred|thousand|decimal|point|\d.*|fl.*)$/u;
    const runs = new Set<string>();
    for (const text of [...task1.map(({ utterance }) => utterance), ...task2.flatMap(({ instruction, readback }) => [instruction, readback])]) {
      const words = text.toLowerCase().split(' ');
      for (let i = 0; i + 5 <= words.length; i++) {
        const run = words.slice(i, i + 5);
        if (!run.some((word) => number.test(word) || names.has(word))) runs.add(run.join(' '));
      }
    }
    const shared = [...runs].filter(has);
    expect(runs.size).toBeGreaterThan(100);
    expect(shared.length / runs.size, shared.join('; ')).toBeLessThan(0.05);
  });
});
