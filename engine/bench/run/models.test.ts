/**
 * Models as systems of a run: the network that ships, for real; a labelling language model behind a server whose answers the test writes; and, with
 * HEARBACK_TEST_GGUF (a .gguf file) and HEARBACK_LLAMA_CPP (where node-llama-cpp is installed), a real model in this process and behind a server.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { languageServer, says, type LanguageServer } from '../../../test/support/language-server.js';
import { readRequest } from './config.js';
import { combineLabellings } from './judges.js';
import { readManifest } from './manifest.js';
import { runBenchmark, type RunOptions } from './run.js';
import { scoreRun } from './score.js';

const gguf = process.env['HEARBACK_TEST_GGUF'];
const library = process.env['HEARBACK_LLAMA_CPP'];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-models-'));
  mkdirSync(join(folder, 'data'));
  const pair = (id: string, readback: string, error_type: string, risk_level: string) => ({ id, instruction: 'germania two one descend flight level one two zero', readback, is_correct: risk_level === 'CORRECT', error_type, risk_level });
  const pairs = [
    pair('right', 'descend flight level one two zero germania two one', 'CORRECT', 'CORRECT'),
    pair('filler', 'uh descend flight level one two zero germania two one', 'FILLER_CORRECT', 'CORRECT'),
    pair('wrong', 'descend flight level one three zero germania two one', 'VALUE_CRITICAL', 'CRITICAL'),
    pair('missing', 'roger germania two one', 'OMISSION_CRITICAL', 'CRITICAL'),
  ];
  writeFileSync(join(folder, 'data', 'task2.jsonl'), pairs.map((each) => `${JSON.stringify(each)}\n`).join(''));
  writeFileSync(join(folder, 'data', 'task1.jsonl'), `${JSON.stringify({ id: 'u', ...LABELLED })}\n`);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const LABELLED = { utterance: 'germania two one descend flight level one two zero', utterance_action: ['altitude_control'], tokens: [{ text: 'germania two one', label: 'callsign' }, { text: 'descend', label: 'altitude_control' }, { text: 'flight level one two zero', label: 'altitude' }] };

const told: string[] = [];
const run = (settings: Record<string, unknown>, changes: Partial<RunOptions> = {}) => {
  told.length = 0;
  return runBenchmark(readRequest(settings, folder, 'the test', { data: join(folder, 'data') }), { out: join(folder, 'run'), retryErrors: false, progress: () => undefined, onBad: () => undefined, onNotice: ({ text }) => told.push(text), ...changes });
};
interface Answer {
  readonly id: string;
  readonly error?: string;
  readonly answer: { readonly is_correct?: boolean; readonly utterance_action?: string[]; readonly unreadable?: string; readonly policy?: string; readonly opinions?: { judge?: string; parser?: string; alone?: string[] }[]; readonly model_answers?: { model: string; prompt: string; prompt_sha256: string; outcome: string; raw: string[]; constraint?: string }[] };
}
const answers = (path: string): Answer[] => readFileSync(join(folder, 'run', path), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Answer);

describe('the network that ships', () => {
  const settings = { tasks: ['task2'], systems: [{ judge: 'rules' }, { name: 'embedded', judge: 'llm' }, { judge: 'consensus' }] };

  test('judges by itself and beside the rules; manifest, answers and scores say which it was', async () => {
    const { config, counts } = await run(settings);
    const shipped = { provider: 'onnx', model: 'readback-judge-small', model_sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) as string, prompt: 'task2/scored/paper', prompt_sha256: null };
    expect(config.systems).toMatchObject([{ name: 'rules', model: null, prompt: null }, { name: 'embedded', ...shipped }, { name: 'consensus', ...shipped }]);
    for (const system of ['rules', 'embedded', 'consensus']) expect(counts[`text/${system}`]?.task2).toMatchObject({ items: 4, first_time: 4, unreadable: 0, error: 0 });
    const embedded = answers('text/embedded/task2.jsonl');
    expect(embedded.map(({ id, answer }) => [id, answer.is_correct])).toEqual([['right', true], ['filler', true], ['wrong', false], ['missing', false]]);
    expect(embedded[2]?.answer.model_answers).toMatchObject([{ model: 'readback-judge-small', outcome: 'read', raw: [expect.stringContaining('VALUE_CRITICAL')] }]);
    expect(answers('text/consensus/task2.jsonl')[2]?.answer.opinions?.map(({ judge }) => judge)).toEqual(['rules', 'readback-judge-small']);
    expect(told).toEqual([expect.stringContaining('no text leaves this machine')]);
    const { conditions } = await scoreRun(join(folder, 'run'), { rounds: 20 });
    expect(conditions.map(({ condition, tasks }) => [condition, tasks.task2?.scores['is_correct']?.value])).toEqual([['text/rules', 1], ['text/embedded', 1], ['text/consensus', 1]]);
  });

  test('a half in which nothing was heard is answered: uncertain, as grave as can be, and no failure', async () => {
    const heard = [['right', 'instruction', LABELLED.utterance], ['right', 'readback', '']].map(([id, part, text]) => JSON.stringify({ id, part, text }));
    writeFileSync(join(folder, 'heard.jsonl'), heard.join('\n'));
    const { counts } = await run({ ...settings, inputs: [{ recorded: 'heard.jsonl', name: 'other' }] });
    for (const system of ['rules', 'embedded', 'consensus']) expect(counts[`other/${system}`]?.task2).toMatchObject({ items: 4, first_time: 1, skipped: 3 });
    expect(answers('other/embedded/task2.jsonl')[0]?.answer).toMatchObject({ is_correct: false, risk_level: 'EXTREME', verdict: 'uncertain' });
  });
});

describe('a language model that labels', () => {
  let server: LanguageServer;
  beforeAll(async () => {
    server = await languageServer();
  });
  afterAll(() => server.close());
  const named = () => ({ provider: 'openai', url: server.url, model: 'a-model', prompt: 'knowledge' });

  test('answers Task 1 with its prompt and every raw answer; Task 2 stays the judge\'s; both together keep the rules\' labelling and say who found what', async () => {
    server.behave(says(JSON.stringify({ ...LABELLED, tokens: [{ text: 'germania two one descend', label: 'altitude_control' }, ...LABELLED.tokens.slice(2)] })));
    const { config, counts } = await run({ systems: [{ judge: 'rules' }, { name: 'model', parser: 'llm', ...named() }, { name: 'both', parser: 'consensus', ...named() }] });
    expect(config.systems[1]).toMatchObject({ parser: 'llm', prompt: null, parser_prompt: 'task1/knowledge@1', parser_prompt_sha256: expect.stringMatching(/^933f931c2e3dc8c7/u) as string });
    expect(Object.entries(counts).map(([condition, tasks]) => [condition, Object.keys(tasks)])).toEqual([['text/rules', ['task1', 'task2']], ['text/model', ['task1']], ['text/both', ['task1']]]);
    expect(answers('text/model/task1.jsonl')[0]?.answer).toMatchObject({ utterance_action: ['altitude_control'], model_answers: [{ model: 'a-model', prompt: 'task1/knowledge@1', constraint: 'json-schema' }] });
    expect(answers('text/both/task1.jsonl')[0]?.answer).toMatchObject({ tokens: LABELLED.tokens, policy: 'rules-first@1', opinions: [{ parser: 'rules', alone: ['callsign: germania two one', 'altitude_control: descend'] }, { parser: 'llm', alone: ['altitude_control: germania two one descend'] }] });
    const { conditions } = await scoreRun(join(folder, 'run'), { rounds: 20 });
    expect(conditions.map(({ condition, tasks }) => [condition, tasks.task1?.scores['strict']?.value])).toEqual([['text/rules', 1], ['text/model', 0], ['text/both', 1]]);
  });

  test('what cannot be read is no labelling, a server that is gone a failure; both are asked again when told to', async () => {
    const settings = { tasks: ['task1'], systems: [{ name: 'model', parser: 'llm', ...named(), time_limit: 5 }] };
    server.behave(says('{"tokens": []}'));
    expect((await run(settings)).counts['text/model']?.task1).toMatchObject({ unreadable: 1 });
    expect(answers('text/model/task1.jsonl')[0]?.answer.model_answers?.[0]?.raw).toEqual(['{"tokens": []}', '{"tokens": []}']);
    server.behave((response) => response.writeHead(404).end());
    expect((await run(settings, { retryErrors: true })).counts['text/model']?.task1).toMatchObject({ error: 1 });
    server.behave(says(JSON.stringify(LABELLED)));
    expect((await run(settings, { retryErrors: true })).counts['text/model']?.task1).toMatchObject({ retried: 1, error: 0, unreadable: 0 });
  });

  test('of both, the model\'s labelling stands only where the rules find nothing that is commanded', () => {
    const nothing = { utterance: 'x', utterance_action: [], tokens: [{ text: 'x', label: 'O' }] };
    expect(combineLabellings(nothing, LABELLED).tokens).toEqual(LABELLED.tokens);
    expect(combineLabellings(LABELLED, nothing)).toMatchObject({ tokens: LABELLED.tokens, opinions: [{ alone: [expect.stringContaining('callsign'), expect.anything(), expect.anything()] }, { alone: [] }] });
  });

  test('another prompt is another run', async () => {
    server.behave(says(JSON.stringify(LABELLED)));
    const settings = (prompt: string) => ({ tasks: ['task1'], systems: [{ name: 'model', parser: 'llm', ...named(), prompt }] });
    await run(settings('zero-shot'));
    await expect(run(settings('full'))).rejects.toThrow(/"systems\[0\]\.parser_prompt" was "task1\/zero-shot@1" and is "task1\/full@1"/u);
    expect(readManifest(join(folder, 'run')).config.systems[0]?.parser_prompt).toBe('task1/zero-shot@1');
  });
});

describe.skipIf(gguf === undefined || library === undefined)('a real small model', { timeout: 400_000 }, () => {
  /** A labelling, or what cannot be read, word for word; late where the machine is slow; never anything else. */
  const labels = async (named: Record<string, unknown>): Promise<Answer | undefined> => {
    const { config, counts } = await run({ tasks: ['task1'], systems: [{ name: 'model', parser: 'llm', prompt: 'zero-shot', time_limit: 300, ...named }] });
    expect(config.systems[0]).toMatchObject({ parser_prompt: 'task1/zero-shot@1' });
    expect(counts['text/model']?.task1).toMatchObject({ items: 1, skipped: 0 });
    const [first] = answers('text/model/task1.jsonl');
    if (first?.error !== undefined) expect(first.error).toMatch(/second|time/u);
    else {
      expect(first?.answer.model_answers?.[0]?.raw[0]).toMatch(/^\s*\{/u);
      expect(first?.answer.unreadable !== undefined || (first?.answer.utterance_action?.length ?? 0) > 0).toBe(true);
    }
    return first;
  };

  test('in this process (gguf) labels Task 1 in its grammar, and its file\'s hash stands in the manifest', async () => {
    const first = await labels({ provider: 'gguf', model: gguf });
    expect(readManifest(join(folder, 'run')).config.systems[0]?.model_sha256).toMatch(/^[0-9a-f]{64}$/u);
    if (first?.error === undefined) expect(first?.answer.model_answers?.[0]?.constraint).toBe('grammar');
  });

  describe('behind a server', () => {
    let child: ChildProcess;
    let url = '';
    beforeAll(async () => {
      child = spawn(process.execPath, [fileURLToPath(new URL('../../../test/support/llama-server.mjs', import.meta.url)), gguf ?? '', library ?? ''], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [port] = child.stdout === null ? [] : ((await once(child.stdout, 'data')) as [Buffer]);
      url = `http://127.0.0.1:${port?.toString().trim() ?? ''}/v1`;
    }, 120_000);
    afterAll(() => child.kill('SIGKILL'));
    test('labels Task 1 over HTTP', async () => {
      await labels({ provider: 'openai', url, model: 'a-model' });
    });
  });
});
