/**
 * The judge that asks a language model, with the real openai provider and a real HTTP server whose answers the test writes: what the
 * judge makes of an answer, not what a model would answer.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hangs, json, languageServer, says, type LanguageServer } from '../../test/support/language-server.js';
import { riskRank } from '../domain/taxonomy.js';
import { openAiModel } from '../llm/index.js';
import { understand } from '../understanding/index.js';
import { createLlmJudge, type JudgeInput, type LlmJudgeOptions } from './index.js';
import { answerCheck } from './llm.js';
import { task2Prompt } from './prompts/index.js';

let server: LanguageServer;
beforeAll(async () => {
  server = await languageServer();
});
afterAll(() => server.close());

const INSTRUCTION = 'lufthansa one two three climb flight level one two zero';
const pair = (readback = 'climb flight level one three zero lufthansa one two three', more: Partial<JudgeInput> = {}): JudgeInput => ({
  instruction: understand({ id: 'i', text: INSTRUCTION }),
  readback: understand({ id: 'r', text: readback, heard: ['DLH123'] }),
  profile: 'paper',
  ...more,
});
const judge = (more: Partial<LlmJudgeOptions> = {}) => createLlmJudge({ model: openAiModel({ baseUrl: server.url, model: 'a-model', backOff: 1, retries: 1 }), ...more });
const WRONG = { is_correct: false, error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'altitude', explanation: 'Another level was read back.' };
const RIGHT = { is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT', affected_slot: null, explanation: 'All came back.' };

describe('a readable answer', () => {
  test('becomes a finding that says which model, which prompt and what was answered word for word', async () => {
    const raw = JSON.stringify(WRONG);
    server.behave(says(raw));
    const finding = await judge().judge(pair());
    expect(finding).toMatchObject({ ...WRONG, verdict: 'error', judge: 'a-model', profile: 'paper', doubts: [] });
    const prompt = task2Prompt('full', 'paper');
    expect(finding.model_answers).toEqual([expect.objectContaining({ provider: 'openai', model: 'a-model', destination: server.url.replace('/v1', ''), prompt: 'task2/full/paper@1', prompt_sha256: prompt.sha256, outcome: 'read', raw: [raw], prompt_tokens: 100, answer_tokens: 20 })]);
    expect(finding.evidence.comparisons).toMatchObject([{ slot: 'altitude', outcome: 'wrong', instruction: 'FL120', readback: 'FL130' }]);
  });

  test('the model gets the instructions and the two texts, and nothing else', async () => {
    server.behave(says(JSON.stringify(RIGHT)));
    await judge({ condition: 'zero-shot' }).judge(pair());
    expect(server.received[0]?.body['messages']).toEqual([
      { role: 'system', content: task2Prompt('zero-shot', 'paper').instructions },
      { role: 'user', content: `Controller: ${INSTRUCTION}\nPilot readback: climb flight level one three zero lufthansa one two three` },
    ]);
  });

  test('the profile chooses the prompt', async () => {
    server.behave(says(JSON.stringify(RIGHT)));
    expect((await judge().judge(pair(undefined, { profile: 'icao' }))).model_answers?.[0]?.prompt).toBe('task2/full/icao@1');
  });

  test("the model's own level lifts the taxonomy's and never lowers it, and is kept", async () => {
    server.behave(says(JSON.stringify({ ...WRONG, risk_level: 'HIGH' })));
    const lower = await judge().judge(pair());
    expect(lower).toMatchObject({ risk_level: 'CRITICAL', advisories: [{ kind: 'own-risk-level' }], model_answers: [{ stated: { error_type: 'VALUE_CRITICAL', risk_level: 'HIGH' } }] });
    server.behave(says(JSON.stringify({ ...WRONG, risk_level: 'EXTREME' })));
    expect(await judge().judge(pair())).toMatchObject({ risk_level: 'EXTREME', error_type: 'VALUE_CRITICAL' });
  });

  test('asked again after a bad one: marked as repaired, both kept', async () => {
    server.behave(says('It is wrong.'), says(JSON.stringify(WRONG)));
    expect((await judge().judge(pair())).model_answers).toMatchObject([{ outcome: 'repaired', raw: ['It is wrong.', JSON.stringify(WRONG)], prompt_tokens: 200 }]);
  });
});

describe('no answer is never a correct readback', () => {
  test.each([
    ['words', 'The readback is correct.'],
    ['an empty answer', ''],
    ['a missing field', JSON.stringify({ is_correct: true, error_type: 'CORRECT' })],
    ['an unknown type', JSON.stringify({ ...RIGHT, error_type: 'FINE' })],
    ['a contradiction: correct with an error', JSON.stringify({ ...RIGHT, error_type: 'VALUE_HIGH' })],
    ['a contradiction: correct with a level', JSON.stringify({ ...RIGHT, risk_level: 'HIGH' })],
    ['a contradiction: an error without a level', JSON.stringify({ ...WRONG, risk_level: 'CORRECT' })],
    ['two answers', `${JSON.stringify(RIGHT)} or ${JSON.stringify(WRONG)}`],
    ['"true" as text', JSON.stringify({ ...RIGHT, is_correct: 'true' })],
  ])('%s', async (_, text) => {
    server.behave(says(text));
    const finding = await judge().judge(pair());
    expect(finding).toMatchObject({ verdict: 'uncertain', is_correct: false, model_answers: [{ outcome: 'unreadable', raw: [text, text] }] });
    expect(finding.doubts[0]).toMatch(/^unreadable: /);
    expect(riskRank(finding.risk_level)).toBe(3);
  });

  test('a server that hangs: late', async () => {
    server.behave(hangs);
    const finding = await judge({ timeLimit: 100 }).judge(pair());
    expect(finding).toMatchObject({ verdict: 'uncertain', is_correct: false, model_answers: [{ outcome: 'late', raw: [] }] });
  });

  test('a server that fails: failed, and said once for all', async () => {
    server.behave(json(401, { error: 'no' }));
    const used = judge();
    expect(await used.judge(pair())).toMatchObject({ verdict: 'uncertain', is_correct: false, model_answers: [{ outcome: 'failed' }] });
    await used.judge(pair());
    expect(used.notices?.filter((notice) => notice.kind === 'language-model-failed')).toHaveLength(1);
  });

  test('speech without text: the model is not asked', async () => {
    server.behave(says(JSON.stringify(RIGHT)));
    expect(await judge().judge(pair(' '))).toMatchObject({ verdict: 'uncertain', is_correct: false, model_answers: [{ outcome: 'not-asked' }] });
    expect(server.received).toHaveLength(0);
  });
});

describe('weak evidence', () => {
  const weak: readonly [string, Partial<JudgeInput>][] = [
    ['a tripped guard', { guards: { instruction: [], readback: [{ reason: 'clipped-start', detail: 'The beginning is cut off.' }] } }],
    ['a doubtful pairing', { pairingConfidence: 0.2 }],
    ['unsure words', { readback: understand({ id: 'r', text: 'climb flight level one three zero lufthansa one two three', words: 'climb flight level one three zero lufthansa one two three'.split(' ').map((text) => ({ text, confidence: text === 'three' ? 0.1 : 0.9 })), heard: ['DLH123'] }) }],
  ];
  test.each(weak)('%s: uncertain, and the level stays', async (_, more) => {
    for (const answer of [WRONG, RIGHT]) {
      server.behave(says(JSON.stringify(answer)));
      const finding = await judge().judge(pair(undefined, more));
      expect(finding).toMatchObject({ verdict: 'uncertain', error_type: answer.error_type, risk_level: answer.risk_level });
      expect(finding.doubts.length).toBeGreaterThan(0);
    }
  });
});

describe('answerCheck', () => {
  const check = answerCheck(['altitude', 'callsign']);
  test('takes other spellings of the same', () => {
    expect(check({ ...WRONG, error_type: 'value_critical', risk_level: ' critical', affected_slot: 'Altitude' })).toMatchObject({ ok: true, value: { error_type: 'VALUE_CRITICAL', affected_slot: 'altitude' } });
    expect(check({ ...RIGHT, affected_slot: 'null' })).toMatchObject({ ok: true, value: { affected_slot: null } });
  });
  test('does not take a slot that is none', () => {
    expect(check({ ...WRONG, affected_slot: 'weather' })).toMatchObject({ ok: false });
  });
});
