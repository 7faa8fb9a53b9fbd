/**
 * The onnx provider with a real model whose weights are random (fixtures/llm): loading, asking, counting, stopping. What it says is nonsense,
 * which is what an unreadable answer looks like.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LanguageModel } from '../domain/language-model.js';
import { onnxModel } from './index.js';

const folder = fileURLToPath(new URL('../../fixtures/llm/tiny-causal', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'hearback onnx '));
let model: LanguageModel;
beforeAll(async () => {
  model = await onnxModel({ folder });
});
afterAll(async () => {
  await model.close();
  rmSync(dir, { recursive: true, force: true });
});
const question = { messages: [{ role: 'system' as const, content: 'Say a word.' }, { role: 'user' as const, content: 'Now.' }] };

test('the same question has the same answer, with its tokens counted and its probability known', async () => {
  const first = await model.complete({ ...question, maxTokens: 12 });
  expect(first).toMatchObject({ constraint: 'prompt', attempts: 1 });
  // bytes of both messages, and the marks of the template around them
  expect(first.tokens.prompt).toBe('system\nSay a word.\nuser\nNow.\nassistant\n'.length + 5);
  expect(first.tokens.answer).toBeGreaterThan(0);
  expect(first.logProbability).toBeLessThan(0);
  const again = await model.complete({ ...question, maxTokens: 12 });
  expect([again.text, again.logProbability]).toEqual([first.text, first.logProbability]);
  const longer = await model.complete({ ...question, maxTokens: 13 });
  expect(longer.logProbability ?? 0).toBeLessThanOrEqual(first.logProbability ?? 0);
});

test('an answer that is cut off says so', async () => {
  expect(await model.complete({ ...question, maxTokens: 2 })).toMatchObject({ finish: 'length', tokens: { answer: 2 } });
});

test('nonsense where an object was wanted is unreadable, after it was asked again', async () => {
  const answered = await model.answer({ ...question, maxTokens: 8, schema: { name: 'colour', schema: {} } }, () => ({ ok: false, why: 'There is no colour.' }));
  expect(answered).toMatchObject({ ok: false });
  expect(answered.answers).toHaveLength(2);
});

test('a prompt that does not fit is refused, not shortened', async () => {
  await expect(model.complete({ messages: [{ role: 'user', content: 'word '.repeat(220) }], maxTokens: 50 })).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('1024 tokens') as string });
});

test('cancelled, or over its time limit', async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(model.complete({ ...question, signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  await expect(model.complete({ ...question, maxTokens: 500, timeLimit: 1 })).rejects.toMatchObject({ code: 'timeout' });
  expect((await model.complete({ ...question, maxTokens: 3 })).tokens.answer).toBeGreaterThan(0);
});

describe('what is not there is said', () => {
  test('a folder without its files', async () => {
    await expect(onnxModel({ folder: dir })).rejects.toMatchObject({ code: 'model-missing', message: expect.stringContaining('config.json') as string });
  });
  test('a file that is no network', async () => {
    const broken = join(dir, 'broken');
    cpSync(folder, broken, { recursive: true });
    writeFileSync(join(broken, 'onnx', 'model.onnx'), 'not a network');
    await expect(onnxModel({ folder: broken })).rejects.toMatchObject({ code: 'model-broken' });
  });
});
