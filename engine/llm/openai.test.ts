/**
 * The openai provider against a real HTTP server on this machine that behaves as servers do, and as they should not.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breaksOff, hangs, json, languageServer, says, type LanguageServer } from '../../test/support/language-server.js';
import type { AnswerCheck, AnswerSchema } from '../domain/language-model.js';
import { HearbackError } from '../domain/result.js';
import { openAiModel, type OpenAiOptions } from './index.js';

let server: LanguageServer;
beforeAll(async () => {
  server = await languageServer();
});
afterAll(() => server.close());

const model = (more: Partial<OpenAiOptions> = {}) => openAiModel({ baseUrl: server.url, model: 'a-model', backOff: 5, ...more });
const question = { messages: [{ role: 'user' as const, content: 'say a colour' }] };
const schema: AnswerSchema = { name: 'colour', schema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'], additionalProperties: false } };
const check: AnswerCheck<string> = (value) => (typeof value === 'object' && value !== null && 'colour' in value && typeof value.colour === 'string' ? { ok: true, value: value.colour } : { ok: false, why: 'There is no colour.' });
const failure = async (promise: Promise<unknown>): Promise<HearbackError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof HearbackError)) throw new Error(`not a HearbackError: ${String(thrown)}`);
  return thrown;
};

describe('a request', () => {
  test('carries model, messages, temperature 0, a limit and the key, and counts tokens', async () => {
    server.behave(says('red', { usage: { prompt_tokens: 7, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 5 } } }));
    const answer = await model({ apiKey: 'secret-1' }).complete({ ...question, maxTokens: 9 });
    expect(answer).toMatchObject({ text: 'red', finish: 'stop', constraint: 'prompt', attempts: 1, tokens: { prompt: 7, cached: 5, answer: 2 } });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: 'Bearer secret-1' }, body: { model: 'a-model', messages: question.messages, temperature: 0, max_tokens: 9, stream: false } });
  });

  test('has no authorization without a key, and no response format without a schema', async () => {
    server.behave(says('red'));
    await model().complete(question);
    expect(server.received[0]?.headers.authorization).toBeUndefined();
    expect(server.received[0]?.body).not.toHaveProperty('response_format');
  });

  test('a server that tells no usage leaves the counts out', async () => {
    server.behave(json(200, { choices: [{ message: { content: 'red' } }] }));
    expect((await model().complete(question)).tokens).toEqual({});
  });
});

describe('a structured answer', () => {
  test('is asked for with the schema and read', async () => {
    server.behave(says('{"colour":"red"}'));
    const answered = await model().answer({ ...question, schema }, check);
    expect(answered).toMatchObject({ ok: true, value: 'red', repaired: false, answers: [{ constraint: 'json-schema' }] });
    expect(server.received[0]?.body['response_format']).toEqual({ type: 'json_schema', json_schema: { name: 'colour', strict: true, schema: schema.schema } });
  });

  test('a server that ignores the schema and wraps the object in words is read all the same', async () => {
    server.behave(says('Sure! Here it is:\n```json\n{"colour": "red"}\n```\nAnything else?'));
    expect(await model().answer({ ...question, schema }, check)).toMatchObject({ ok: true, value: 'red', repaired: false });
    expect(server.received).toHaveLength(1);
  });

  test('an unreadable one is asked for once more, with what was wrong, and then there is none', async () => {
    server.behave(says('red'), says('{"color":"red"}'));
    const answered = await model().answer({ ...question, schema }, check);
    expect(answered).toMatchObject({ ok: false, why: 'There is no colour.' });
    expect(answered.answers.map((answer) => answer.text)).toEqual(['red', '{"color":"red"}']);
    expect(server.received).toHaveLength(2);
    const messages = server.received[1]?.body['messages'] as { role: string; content: string }[];
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]?.content).toBe('red');
    expect(messages[2]?.content).toMatch(/no whole JSON object/);
  });

  test('the second answer counts when it can be read', async () => {
    server.behave(says('red'), says('{"colour":"red"}'));
    expect(await model().answer({ ...question, schema }, check)).toMatchObject({ ok: true, value: 'red', repaired: true });
  });

  test('one cut off at the token limit is not completed', async () => {
    server.behave(says('{"colour":"re', { finish: 'length' }));
    expect(await model().answer({ ...question, schema }, check)).toMatchObject({ ok: false, why: 'The answer was cut off before its end.' });
  });

  test('a refusal is no answer, even when it quotes one', async () => {
    server.behave(says('', { refusal: 'I will not say {"colour":"red"}' }));
    expect(await model().answer({ ...question, schema }, check)).toMatchObject({ ok: false, why: 'The model declined to answer.' });
  });

  test('a server that knows no json_schema is asked for json, then for nothing, is told about, and not asked again', async () => {
    const complaint = json(400, { error: { message: 'response_format is not supported' } });
    server.behave(complaint, complaint, says('{"colour":"red"}'), says('{"colour":"blue"}'));
    const used = model();
    expect(await used.answer({ ...question, schema }, check)).toMatchObject({ ok: true, value: 'red', answers: [{ constraint: 'prompt', attempts: 1 }] });
    expect(await used.answer({ ...question, schema }, check)).toMatchObject({ ok: true, value: 'blue' });
    const formats = server.received.map(({ body }) => body['response_format']);
    expect(formats).toEqual([expect.objectContaining({ type: 'json_schema' }), { type: 'json_object' }, undefined, undefined]);
    expect(used.notices.filter((notice) => notice.kind === 'no-json-schema')).toHaveLength(2);
  });

  test('a server that wants another name for the limit and no temperature gets what it wants', async () => {
    server.behave(json(400, { error: { message: "'max_tokens' is not supported, use 'max_completion_tokens'" } }), json(400, { error: { message: "'temperature' must be 1" } }), says('red'));
    await model().complete({ ...question, maxTokens: 9 });
    expect(server.received[2]?.body).toMatchObject({ max_completion_tokens: 9 });
    expect(server.received[2]?.body).not.toHaveProperty('temperature');
  });
});

describe('failures that pass', () => {
  test.each([
    ['500', json(500, { error: 'out of memory' })],
    ['503 with a page', (response: Parameters<typeof breaksOff>[0]) => response.writeHead(503).end('<html>starting</html>')],
    ['a cut connection', breaksOff],
    ['an answer that is no JSON', (response: Parameters<typeof breaksOff>[0]) => response.writeHead(200).end('<html>hello</html>')],
  ])('%s: tried again', async (_, behaviour) => {
    server.behave(behaviour, behaviour, says('red'));
    expect(await model().complete(question)).toMatchObject({ text: 'red', attempts: 3 });
  });

  test('pauses grow', async () => {
    server.behave(json(500, {}), json(500, {}), says('red'));
    await model({ backOff: 60 }).complete(question);
    const [a = 0, b = 0, c = 0] = server.received.map(({ at }) => at);
    expect(b - a).toBeGreaterThanOrEqual(59);
    expect(c - b).toBeGreaterThanOrEqual(119);
  });

  test('they end: as many attempts as were allowed, then an error that says what the server said', async () => {
    server.behave(json(500, { error: { message: 'out of memory' } }));
    const error = await failure(model({ retries: 2 }).complete(question));
    expect(error).toMatchObject({ code: 'offline' });
    expect(error.message).toMatch(/500.*out of memory/);
    expect(server.received).toHaveLength(3);
  });

  test('429: waits as long as Retry-After says, in seconds', async () => {
    server.behave(json(429, { error: 'slow down' }, { 'retry-after': '0.3' }), says('red'));
    await model().complete(question);
    const [a = 0, b = 0] = server.received.map(({ at }) => at);
    expect(b - a).toBeGreaterThanOrEqual(299);
  });

  test('429: … or as an HTTP date', async () => {
    // dates have whole seconds: two from now is at least one away
    server.behave(json(429, {}, { 'retry-after': new Date(Date.now() + 2000).toUTCString() }), says('red'));
    await model().complete(question);
    const [a = 0, b = 0] = server.received.map(({ at }) => at);
    expect(b - a).toBeGreaterThanOrEqual(900);
  });

  test('429: what would come too late is not waited for', async () => {
    server.behave(json(429, {}, { 'retry-after': '60' }));
    const startedAt = performance.now();
    const error = await failure(model().complete({ ...question, timeLimit: 2000 }));
    expect(error).toMatchObject({ code: 'offline' });
    expect(error.message).toMatch(/429/);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test('nobody there', async () => {
    const gone = await languageServer();
    await gone.close();
    const error = await failure(openAiModel({ baseUrl: gone.url, model: 'a-model', backOff: 1, retries: 1 }).complete(question));
    expect(error).toMatchObject({ code: 'offline' });
    expect(error.message).toMatch(/ECONNREFUSED/);
  });
});

describe('failures that stay', () => {
  test.each([
    [401, 'usage', /refuses access/],
    [404, 'model-missing', /no model "a-model"/],
    [400, 'usage', /refuses the request/],
  ])('%i: not tried again', async (status, code, words) => {
    server.behave(json(status, { error: { message: 'no' } }));
    const error = await failure(model().complete(question));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(words);
    expect(server.received).toHaveLength(1);
  });

  test('a redirect is not followed: text and key go nowhere else', async () => {
    const other = await languageServer();
    other.behave(says('red'));
    server.behave(json(307, {}, { location: `${other.url}/chat/completions` }));
    const error = await failure(model({ apiKey: 'secret-1' }).complete(question));
    expect(error).toMatchObject({ code: 'usage' });
    expect(other.received).toHaveLength(0);
    await other.close();
  });

  test('a key that the server quotes is not shown', async () => {
    server.behave(json(401, { error: { message: 'bad key secret-1' } }));
    const error = await failure(model({ apiKey: 'secret-1' }).complete(question));
    expect(error.sentence).toMatch(/bad key \(key\)/);
    expect(error.sentence).not.toMatch(/secret-1/);
  });

  test('JSON that is no completion', async () => {
    server.behave(json(200, { hello: 'world' }));
    expect(await failure(model().complete(question))).toMatchObject({ code: 'unreadable' });
  });

  test('more than 4 MB', async () => {
    server.behave(says('x'.repeat(5 * 1024 * 1024)));
    expect(await failure(model().complete(question))).toMatchObject({ code: 'too-large' });
  });
});

describe('time and cancelling', () => {
  test('a server that hangs: the time limit holds', async () => {
    server.behave(hangs);
    const startedAt = performance.now();
    expect(await failure(model().complete({ ...question, timeLimit: 150 }))).toMatchObject({ code: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });

  test('the time limit counts over all attempts', async () => {
    server.behave(json(500, {}), json(500, {}), hangs);
    const startedAt = performance.now();
    expect(await failure(model({ backOff: 30, retries: 50 }).complete({ ...question, timeLimit: 400 }))).toMatchObject({ code: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });

  test('when the next attempt would come too late, the failure itself is told', async () => {
    server.behave(json(500, { error: 'out of memory' }));
    const error = await failure(model({ backOff: 100, retries: 50 }).complete({ ...question, timeLimit: 400 }));
    expect(error.message).toMatch(/500.*out of memory/);
    expect(server.received.length).toBeGreaterThan(1);
  });

  test('cancelling stops at once', async () => {
    server.behave(hangs);
    const controller = new AbortController();
    const running = failure(model().complete({ ...question, signal: controller.signal, timeLimit: 10_000 }));
    setTimeout(() => {
      controller.abort();
    }, 50);
    expect(await running).toMatchObject({ code: 'cancelled' });
  });

  test('cancelled before it began: nothing is sent', async () => {
    server.behave(says('red'));
    expect(await failure(model().complete({ ...question, signal: AbortSignal.abort() }))).toMatchObject({ code: 'cancelled' });
    expect(server.received).toHaveLength(0);
  });

  test('one that gives up waiting does not hold up those behind it', async () => {
    server.behave((response) => setTimeout(() => { says('red')(response, { path: '', headers: {}, body: {}, at: 0 }); }, 150));
    const used = model({ concurrency: 1 });
    const first = used.complete(question);
    const second = failure(used.complete({ ...question, timeLimit: 30 }));
    const third = used.complete(question);
    expect(await second).toMatchObject({ code: 'timeout' });
    expect((await first).text).toBe('red');
    expect((await third).text).toBe('red');
    expect(server.received).toHaveLength(2);
  });
});

describe('many at once', () => {
  test('no more are under way than allowed', async () => {
    let now = 0;
    let most = 0;
    server.behave((response, request) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        says('red')(response, request);
      }, 30);
    });
    const used = model({ concurrency: 3 });
    await Promise.all(Array.from({ length: 9 }, () => used.complete(question)));
    expect(most).toBe(3);
    expect(server.received).toHaveLength(9);
  });

  test('no more begin in a stretch of time than allowed', async () => {
    server.behave(says('red'));
    const used = model({ concurrency: 10, rate: { requests: 3, per: 250 } });
    await Promise.all(Array.from({ length: 7 }, () => used.complete(question)));
    const times = server.received.map(({ at }) => at).sort((a, b) => a - b);
    expect(times).toHaveLength(7);
    // arrivals wander by a little against departures
    for (let i = 3; i < times.length; i++) expect((times[i] ?? 0) - (times[i - 3] ?? 0)).toBeGreaterThan(200);
  });
});

describe('the address', () => {
  test.each(['not an address', 'ftp://127.0.0.1/v1', 'http://me:word@127.0.0.1/v1', 'http://127.0.0.1/v1?key=1'])('%s is refused', (baseUrl) => {
    expect(() => openAiModel({ baseUrl, model: 'a-model' })).toThrow(HearbackError);
  });

  test('says where text goes: this machine, or outside it and unencrypted', () => {
    expect(model().destination).toEqual({ kind: 'this-machine', address: server.url.replace('/v1', '') });
    const outside = openAiModel({ baseUrl: 'http://models.example/v1', model: 'a-model' });
    expect(outside.destination.kind).toBe('network');
    expect(outside.notices.map(({ kind, severity }) => [kind, severity])).toEqual([
      ['text-goes-to', 'warning'],
      ['unencrypted', 'warning'],
    ]);
    expect(openAiModel({ baseUrl: 'https://models.example/v1', model: 'a-model' }).notices).toHaveLength(1);
  });
});
