import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readRunFile } from './config.js';

const folder = mkdtempSync(join(tmpdir(), 'bench-config-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const read = (text: string) => {
  const path = join(folder, 'run.yaml');
  writeFileSync(path, text);
  return readRunFile(path, { data: '/the/benchmark' });
};

describe('a file of a run', () => {
  test('conditions are all inputs by all systems; paths are relative to the file', () => {
    const request = read(`
data: items
tasks: [task2]
inputs:
  - text
  - snr: [clean, 10, 0]
  - recorded: whisper.jsonl
    name: whisper
recogniser: {model: whisper-base-radio, threads: 2}
systems:
  - judge: rules
  - {judge: llm, provider: openai, url: "http://127.0.0.1:8080/v1", model: org/some-model.gguf, prompt: zero-shot}
limit: 50
`);
    expect(request).toMatchObject({ data: join(folder, 'items'), voice: undefined, limit: 50, seed: 1, recogniser: { threads: 2 } });
    expect(request.inputs.map(({ name }) => name)).toEqual(['text', 'clean', '10dB', '0dB', 'whisper']);
    expect(request.inputs[4]).toEqual({ kind: 'recorded', name: 'whisper', file: join(folder, 'whisper.jsonl') });
    expect(request.systems.map(({ name }) => name)).toEqual(['rules', 'llm-some-model-zero-shot']);
  });

  test('a model that labels, one that judges and the network that ships have names of their own', () => {
    const systems = '[{judge: rules}, {judge: llm}, {judge: consensus}, {parser: llm, provider: gguf, model: a.gguf}, {parser: consensus, judge: llm, provider: gguf, model: a.gguf, prompt: full}]';
    expect(read(`systems: ${systems}`).systems.map(({ name }) => name)).toEqual(['rules', 'llm', 'consensus', 'parser-llm-a', 'parser-consensus-llm-a-full']);
  });

  test('an empty file is the text by the rules', () => {
    expect(read('')).toMatchObject({ data: '/the/benchmark', inputs: [{ kind: 'text' }], systems: [{ judge: 'rules', name: 'rules' }] });
  });

  test.each([
    ['systems:\n  - judge: rule', /line 2: "systems\[0\]\.judge":/u],
    ['limit: 10\nlimits: 5', /line 2: no field "limits"/u],
    ['systems:\n  - judge: rules\n    prompts: full', /line 3: systems\[0\] has no field "prompts"/u],
    ['inputs:\n  - text\n  - snr: loud', /line 3: "inputs\[1\]/u],
    ['limit: 0', /line 1: "limit":/u],
    ['tasks: [task3]', /"tasks\[0\]"/u],
    ['inputs: [text, text]', /two are called "text"/u],
    ['systems: [{judge: rules}, {judge: rules}]', /two are called "rules"/u],
    ['systems: [{judge: rules, model: x}]', /"systems\[0\]\.model": the judge is "rules"/u],
    ['inputs: [{recorded: a.jsonl, name: ../up}]', /becomes the name of a folder|inputs\[0\]/u],
    ['systems: [{judge: llm, prompt: full}]', /"systems\[0\]\.prompt": the network that ships has no server, no prompt/u],
    ['systems: [{parser: llm}]', /"systems\[0\]\.parser": "llm" needs a language model/u],
    ['systems: [{parser: llm, provider: gguf, model: x, prompt: few-shot-reasoning}]', /"systems\[0\]\.prompt": there is no "few-shot-reasoning" for labelling/u],
    ['recogniser: {workers: 0}', /"recogniser\.workers"/u],
    ['a: [1', /is not YAML: line 1/u],
  ])('%j is refused with its field', (text, words) => {
    expect(() => read(text)).toThrow(words);
  });
});
