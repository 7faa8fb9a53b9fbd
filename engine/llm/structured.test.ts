import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerCheck } from '../domain/language-model.js';
import { jsonObjects, readAnswer } from './structured.js';

const check: AnswerCheck<number> = (value) => (typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number' ? { ok: true, value: value.n } : { ok: false, why: 'no n' });
const read = (text: string) => readAnswer({ text, finish: 'stop' }, check);

describe('readAnswer', () => {
  test.each([
    ['{"n":1}', 1],
    ['\n {"n":1} \n', 1],
    ['```json\n{"n":1}\n```', 1],
    ['The braces {like these} mean nothing. {"n":1}', 1],
    ['{"n":1,"text":"a } in \\"quotes\\" { here"}', 1],
    ['<think>could be {"n":2}, no</think>{"n":1}', 1],
    ['{"n":1} and again {"n": 1}', 1],
    ['Reasoning: {"m":3}. {"n":1}', 1],
  ])('%s', (text, n) => {
    expect(read(text)).toEqual({ ok: true, value: n });
  });

  test.each([
    ['', 'The answer is empty.'],
    ['one', 'There is no whole JSON object in the answer.'],
    ['{"n":1', 'There is no whole JSON object in the answer.'],
    ['{"m":1}', 'no n'],
    ['{"n":1} or {"n":2}', 'The answer holds several JSON objects that differ.'],
    ['"{\\"n\\":1}"', 'no n'],
  ])('%s cannot be read', (text, why) => {
    const answered = read(text);
    expect(answered).toEqual({ ok: false, why });
  });

  test('any object comes back out of any words around it', () => {
    const words = fc.string().map((text) => text.replaceAll(/["{}]/g, ''));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), words, words, (value, before, after) => {
        const text = JSON.stringify(value);
        expect(jsonObjects(before + text + after)).toEqual([JSON.parse(text)]);
      }),
    );
  });

  test('no text makes it throw', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', 'n', ':', '1', ' ', '<think>') }), (text) => {
      expect(typeof read(text).ok).toBe('boolean');
    }));
  });
});
