/**
 * The shipped network: that it loads, reads both halves, and knows the plainest cases. What it is worth is measured by npm run bench:judge.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PairScorer } from '../domain/pair-scorer.js';
import { RISK_OF, type ErrorType } from '../domain/taxonomy.js';
import { isPairScorer, openPairScorer } from './index.js';

const folder = fileURLToPath(new URL('../../models/readback-judge-small', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'hearback scorer '));
let scorer: PairScorer;
beforeAll(async () => {
  scorer = await openPairScorer(folder);
});
afterAll(async () => {
  await scorer.close();
  rmSync(dir, { recursive: true, force: true });
});
const SAID = 'condor seven four two descend flight level one six zero after passing rodam';
const score = async (readback: string, instruction = SAID) => {
  const scores = await scorer.score({ instruction, readback, profile: 'paper' });
  if (scores === null) throw new Error('not read');
  return scores;
};
const likeliest = (types: Readonly<Record<ErrorType, number>>): ErrorType => (Object.entries(types) as [ErrorType, number][]).reduce((best, one) => (one[1] > best[1] ? one : best))[0];

describe('the plainest cases', () => {
  test.each([
    ['the same words', 'descend flight level one six zero after passing rodam condor seven four two', 'CORRECT'],
    ['a hesitation', 'uh descend flight level one six zero after passing rodam condor seven four two', 'FILLER_CORRECT'],
    ['figures', 'descend FL160 after passing rodam condor seven four two', 'NUMBER_FORMAT'],
    ['another level', 'descend flight level one five zero after passing rodam condor seven four two', 'VALUE_CRITICAL'],
    ['no condition', 'descend flight level one six zero condor seven four two', 'CONSTRAINT_HIGH'],
    ['another callsign', 'descend flight level one six zero after passing rodam condor seven two four', 'TARGET_CRITICAL'],
  ] as const)('%s: %s is %s', async (_, readback, type) => {
    expect(likeliest((await score(readback)).types)).toBe(type);
  });
});

test('probabilities are one together, a mark stands for every word, and the words that differ are marked', async () => {
  const back = 'descend flight level one five zero after passing rodam condor seven four two';
  const { types, marks, slot } = await score(back);
  expect(Object.values(types).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
  expect([marks.instruction.length, marks.readback.length]).toEqual([SAID.split(' ').length, back.split(' ').length]);
  expect(marks.readback[4]).toBe('wrong');
  expect(slot).toBe('altitude');
});

test('the same pair has the same scores; more words than it can read have none', async () => {
  expect((await score(SAID)).types).toEqual((await score(SAID)).types);
  expect(await scorer.score({ instruction: SAID.repeat(40), readback: SAID, profile: 'paper' })).toBeNull();
});

test('the level of any wrong value of a critical slot is never likeliest to be CORRECT', async () => {
  for (const level of ['one seven zero', 'six one zero', 'two six zero', 'one six five', 'one zero zero']) {
    expect(RISK_OF[likeliest((await score(`descend flight level ${level} after passing rodam condor seven four two`)).types)]).not.toBe('CORRECT');
  }
});

describe('a folder that is none', () => {
  test('is told from others', () => {
    expect([isPairScorer(folder), isPairScorer(dir)]).toEqual([true, false]);
  });
  test('without its files, or with another file in the network’s place', async () => {
    await expect(openPairScorer(dir)).rejects.toMatchObject({ code: 'model-missing' });
    const broken = join(dir, 'broken');
    cpSync(folder, broken, { recursive: true });
    writeFileSync(join(broken, 'model.onnx'), 'not a network');
    await expect(openPairScorer(broken)).rejects.toMatchObject({ code: 'model-broken' });
    writeFileSync(join(broken, 'vocab.json'), '["a"]');
    await expect(openPairScorer(broken)).rejects.toMatchObject({ code: 'model-broken', message: expect.stringContaining('[UNK]') as string });
  });
});
