/**
 * The command line with a language model behind --judge: against a real HTTP server whose answers the test writes. What is tested is
 * what the command does with them and what it says; numbered behaviours: docs/behaviour.md (C2).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hearback, jsonLines } from './command.js';
import { json, languageServer, says, type LanguageServer } from './support/language-server.js';

let server: LanguageServer;
beforeAll(async () => {
  server = await languageServer();
});
afterAll(() => server.close());

const PAIR = ['austrian two one five climb flight level one two zero', 'climb flight level one three zero austrian two one five'];
const use = (judge: string, ...more: string[]) => ['judge', '--judge', judge, '--llm-provider', 'openai', '--llm-url', server.url, '--llm-model', 'a-model', '--json', ...more];
const answer = (value: Record<string, unknown>) => says(JSON.stringify({ affected_slot: null, explanation: 'So it is.', ...value }));
const RIGHT = answer({ is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT' });
const WRONG = answer({ is_correct: false, error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'altitude' });

describe('C2 judge with a language model', () => {
  it('says on stderr where the text goes, sends the key of the environment, and prints the finding with prompt and raw answer', async () => {
    server.behave(WRONG);
    const ran = await hearback([...use('llm', '--profile', 'paper', '--llm-prompt', 'zero-shot'), ...PAIR], { env: { HEARBACK_LLM_KEY: 'key-of-the-test' } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`are sent to ${server.url.replace('/v1', '')} (model a-model), a server on this machine`);
    expect(ran.stdout + ran.stderr).not.toContain('key-of-the-test');
    expect(server.received[0]?.headers.authorization).toBe('Bearer key-of-the-test');
    expect(jsonLines(ran.stdout)).toMatchObject([{ verdict: 'error', error_type: 'VALUE_CRITICAL', judge: 'a-model', model_answers: [{ prompt: 'task2/zero-shot/paper@1', outcome: 'read' }] }]);
  });

  it('consensus: a model that calls a wrong readback right makes it uncertain, not right', async () => {
    server.behave(RIGHT);
    const ran = await hearback([...use('consensus'), ...PAIR]);
    expect(jsonLines(ran.stdout)).toMatchObject([{ verdict: 'uncertain', error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', judge: 'consensus', opinions: [{ judge: 'rules', verdict: 'error' }, { judge: 'a-model', verdict: 'correct' }] }]);
  });

  it('consensus: a server that is down leaves the rules, marked; exit code 1', async () => {
    server.behave(json(401, { error: { message: 'who are you' } }));
    const ran = await hearback([...use('consensus'), ...PAIR]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/refuses access.*who are you.*HEARBACK_LLM_KEY/);
    expect(jsonLines(ran.stdout)).toMatchObject([{ verdict: 'error', error_type: 'VALUE_CRITICAL', advisories: [{ kind: 'one-judge' }], model_answers: [{ outcome: 'failed' }] }]);
  });

  it('in words, consensus says which judge found what', async () => {
    server.behave(RIGHT);
    const ran = await hearback([...use('consensus').filter((arg) => arg !== '--json'), ...PAIR]);
    expect(ran.stdout.split('\n')).toEqual(expect.arrayContaining(['rules: error VALUE_CRITICAL, altitude', 'a-model: correct CORRECT']));
  });

  it('an unreadable answer is uncertain and kept', async () => {
    server.behave(says('Looks fine to me.'));
    const ran = await hearback([...use('llm'), ...PAIR]);
    expect(jsonLines(ran.stdout)).toMatchObject([{ verdict: 'uncertain', is_correct: false, doubts: [expect.stringMatching(/^unreadable/)], model_answers: [{ outcome: 'unreadable', raw: ['Looks fine to me.', 'Looks fine to me.'] }] }]);
  });

  it('dialogue takes the same options', async () => {
    server.behave(WRONG);
    const lines = PAIR.map((text, at) => JSON.stringify({ id: `t${at}`, start: at * 5, end: at * 5 + 4, text })).join('\n');
    const ran = await hearback(['dialogue', '--in', '-', ...use('llm').slice(1)], { input: lines });
    expect(jsonLines(ran.stdout)).toMatchObject([{ instruction: 't0', readback: 't1', verdict: 'error', judge: 'a-model' }]);
  });

  it('understand --parser llm prints actions and chunks, the prompt and the raw answers; an answer that cannot be read is none, exit code 1', async () => {
    const labelled = { utterance_action: ['altitude_control'], tokens: [{ text: 'austrian two one five', label: 'callsign' }, { text: 'climb', label: 'altitude_control' }, { text: 'flight level one two zero', label: 'altitude' }] };
    const ask = ['understand', '--parser', 'llm', '--llm-provider', 'openai', '--llm-url', server.url, '--llm-model', 'a-model', PAIR[0] ?? ''];
    server.behave(says(JSON.stringify({ utterance: PAIR[0], ...labelled })));
    expect(jsonLines((await hearback(ask)).stdout)).toMatchObject([{ id: '1', utterance: PAIR[0], ...labelled, parser: { model: 'a-model', prompt: 'task1/full@1' } }]);
    server.behave(says(JSON.stringify({ utterance: PAIR[0], ...labelled, tokens: labelled.tokens.slice(1) })));
    const ran = await hearback(ask);
    expect(ran.code).toBe(1);
    expect(jsonLines(ran.stdout)).toMatchObject([{ utterance_action: null, tokens: null, parser: { why: expect.stringContaining('word for word') as string } }]);
  });

  it.each([
    ['a model without a judge that uses it', ['judge', '--llm-provider', 'openai', ...PAIR], /rules judge without one/],
    ['no address', ['judge', '--judge', 'llm', '--llm-provider', 'openai', '--llm-model', 'm', ...PAIR], /--llm-url/],
    ['no model', ['judge', '--judge', 'llm', '--llm-provider', 'gguf', ...PAIR], /--llm-model/],
    ['no address after all', ['judge', '--judge', 'llm', '--llm-provider', 'openai', '--llm-url', 'here', '--llm-model', 'm', ...PAIR], /not an address/],
    ['another provider', ['judge', '--judge', 'llm', '--llm-provider', 'magic', ...PAIR], /--llm-provider/],
    ['another prompt', ['judge', '--judge', 'llm', '--llm-prompt', 'magic', ...PAIR], /--llm-prompt/],
  ])('refuses %s', async (_, args, words) => {
    const ran = await hearback(args);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(words);
  });
});
