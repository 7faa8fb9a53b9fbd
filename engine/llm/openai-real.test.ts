/**
 * The openai provider against a server with a real model behind it (test/support/llama-server.mjs), which is stopped, killed and overloaded.
 * Only with HEARBACK_TEST_GGUF (a .gguf file) and HEARBACK_LLAMA_CPP (the folder where node-llama-cpp is installed).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnswerCheck } from '../domain/language-model.js';
import { openAiModel } from './index.js';

const path = process.env['HEARBACK_TEST_GGUF'];
const folder = process.env['HEARBACK_LLAMA_CPP'];

const start = async (): Promise<{ child: ChildProcess; url: (kind?: string) => string }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../test/support/llama-server.mjs', import.meta.url)), path ?? '', folder ?? ''], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: (kind) => `http://127.0.0.1:${port.toString().trim()}${kind === undefined ? '' : `/${kind}`}/v1` };
};
const schema = { name: 'colour', schema: { type: 'object', properties: { colour: { type: 'string', enum: ['red', 'blue'] } }, required: ['colour'], additionalProperties: false } };
const question = { messages: [{ role: 'user' as const, content: 'What colour is the sky? Answer with one JSON object.' }], schema, maxTokens: 60 };
const check: AnswerCheck<string> = (value) => (typeof value === 'object' && value !== null && 'colour' in value && typeof value.colour === 'string' ? { ok: true, value: value.colour } : { ok: false, why: 'There is no colour.' });
const LONG = { messages: [{ role: 'user' as const, content: 'Tell a very long story about the sea.' }], maxTokens: 1500 };

describe.skipIf(path === undefined || folder === undefined)('a server with a real model', { timeout: 240_000 }, () => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  }, 120_000);
  afterAll(() => server.child.kill('SIGKILL'));
  const model = (kind?: string) => openAiModel({ baseUrl: server.url(kind), model: 'a-model', backOff: 5, retries: 2 });

  test('answers in the schema, and counts tokens', async () => {
    const answered = await model().answer(question, check);
    expect(answered).toMatchObject({ ok: true, answers: [{ constraint: 'json-schema' }] });
    expect(['red', 'blue']).toContain(answered.ok ? answered.value : '');
    expect(answered.answers[0]?.tokens.answer).toBeGreaterThan(3);
  });
  test('overloaded, then answers: 429 is tried again', async () => {
    expect(await model('busy').answer(question, check)).toMatchObject({ ok: true, answers: [{ attempts: 2 }] });
  });
  test('out of order: 500 after all attempts is no answer', async () => {
    await expect(model('broken').complete(question)).rejects.toMatchObject({ code: 'offline', message: expect.stringContaining('out of order') as string });
  });
  test('a story where an object was wanted is unreadable, and kept word for word', async () => {
    const answered = await model('plain').answer({ ...question, maxTokens: 16, messages: [{ role: 'user', content: 'Tell a story about the sea.' }] }, check);
    expect(answered.ok).toBe(false);
    expect(answered.answers).toHaveLength(2);
    expect(answered.answers[0]?.text.length).toBeGreaterThan(20);
  });
  test('stopped while it answers: the time limit holds', async () => {
    const asking = model().complete({ ...LONG, timeLimit: 1500 });
    setTimeout(() => server.child.kill('SIGSTOP'), 500);
    await expect(asking).rejects.toMatchObject({ code: 'timeout' });
    server.child.kill('SIGCONT');
  });
  test('killed while it answers: no answer, and the next server is asked as usual', async () => {
    const asking = model().complete(LONG);
    setTimeout(() => server.child.kill('SIGKILL'), 500);
    await expect(asking).rejects.toMatchObject({ code: 'offline' });
    server = await start();
    expect(await model().answer(question, check)).toMatchObject({ ok: true });
  });
});
