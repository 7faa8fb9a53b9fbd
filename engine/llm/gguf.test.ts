/**
 * The gguf provider. The library and a model are not part of the product: what can be tested without them is how that is said.
 * With HEARBACK_TEST_GGUF (a .gguf file) and HEARBACK_LLAMA_CPP (the folder where node-llama-cpp is installed) a real model answers.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ggufModel } from './index.js';

const dir = mkdtempSync(join(tmpdir(), 'hearback gguf '));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('what is not there is said', () => {
  test('the library, with the command that installs it', async () => {
    const path = join(dir, 'small.gguf');
    writeFileSync(path, 'GGUF and nothing else');
    await expect(ggufModel({ path, libraryFolder: dir })).rejects.toMatchObject({ code: 'model-missing', hint: expect.stringContaining('npm i --ignore-scripts node-llama-cpp') as string });
  });

  test('the file', async () => {
    await expect(ggufModel({ path: join(dir, 'none.gguf'), libraryFolder: dir })).rejects.toMatchObject({ code: 'model-missing', message: expect.stringContaining('none.gguf') as string });
  });

  test('a file that is no GGUF', async () => {
    const path = join(dir, 'page.gguf');
    writeFileSync(path, '<html>not found</html>');
    await expect(ggufModel({ path, libraryFolder: dir })).rejects.toMatchObject({ code: 'model-broken' });
  });
});

const path = process.env['HEARBACK_TEST_GGUF'];
const libraryFolder = process.env['HEARBACK_LLAMA_CPP'];
describe.skipIf(path === undefined || libraryFolder === undefined)('a real model', () => {
  const schema = { name: 'colour', schema: { type: 'object', properties: { colour: { type: 'string', enum: ['red', 'blue'] }, nothing: { type: ['string', 'null'], enum: ['a', null] } }, required: ['colour', 'nothing'], additionalProperties: false } };
  const question = (what: string) => ({ messages: [{ role: 'system' as const, content: `You answer with one JSON object. ${'The sky is blue, blood is red. '.repeat(20)}` }, { role: 'user' as const, content: what }], schema, maxTokens: 60 });

  test('answers in the grammar, keeps what it has evaluated, stops when told, and minds its context', async () => {
    const model = await ggufModel({ path: path ?? '', libraryFolder: libraryFolder ?? '' });
    try {
      const first = await model.complete(question('What colour is the sky?'));
      expect(first.constraint).toBe('grammar');
      expect(['red', 'blue']).toContain((JSON.parse(first.text) as { colour: string }).colour);
      const second = await model.complete(question('What colour is blood?'));
      expect(second.tokens.cached ?? 0).toBeGreaterThan(100);
      expect((second.tokens.prompt ?? 0) - (second.tokens.cached ?? 0)).toBeLessThan(40);
      await expect(model.complete({ ...question('What colour is the sky now?'), timeLimit: 1 })).rejects.toMatchObject({ code: 'timeout' });
      // what was broken off leaves nothing behind
      expect((await model.complete(question('What colour is the sky?'))).text).toBe(first.text);
      await expect(model.complete({ messages: [{ role: 'user', content: 'word '.repeat(9000) }] })).rejects.toMatchObject({ code: 'usage' });
    } finally {
      await model.close();
    }
  });
});
