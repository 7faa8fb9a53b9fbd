/**
 * Any server that speaks the OpenAI chat completions protocol: llama.cpp's server, Ollama, LM Studio, vLLM, a service on the
 * network. Text goes to the configured address only: redirects are not followed.
 */
import { z } from 'zod';
import type { Constraint, Destination, LanguageAnswer, LanguageModel, LanguageRequest } from '../domain/language-model.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { retryAfter } from '../domain/retry-after.js';
import type { Notice } from '../domain/stages.js';
import { deadline, type Deadline } from './deadline.js';
import { Gate, pause, type RateLimit } from './gate.js';
import { askStructured } from './structured.js';

export interface OpenAiOptions {
  /** Up to and with the version: "http://127.0.0.1:8080/v1". */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; take it from the environment, never from a file or a command line. */
  readonly apiKey?: string;
  /** Requests under way at once (default 2). */
  readonly concurrency?: number;
  readonly rate?: RateLimit;
  /** Repetitions after 408, 429, 5xx, a cut connection or an answer that is no JSON (default 3). */
  readonly retries?: number;
  /** First pause, milliseconds; doubled each time, up to a quarter more at random (default 500, at most 20 s). */
  readonly backOff?: number;
}

const ChatCompletion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
});

/** An answer of a server that is larger than this is none, bytes. */
const MAX_BODY = 4 * 1024 * 1024;
const MAX_PAUSE = 20_000;
/** A server that asks to wait for longer is not waited for. */
const MAX_ASKED = 120_000;

/** What a server turned out not to know; it is not asked for that again. */
interface Abilities {
  shape: 'json-schema' | 'json' | 'prompt';
  limit: 'max_tokens' | 'max_completion_tokens';
  temperature: boolean;
}

/** A failure that may be gone the next time. `wait`: the server said how long, milliseconds. */
class Passing extends Error {
  constructor(
    readonly failure: HearbackError,
    readonly wait?: number,
  ) {
    super(failure.message);
  }
}

/**
 * @throws HearbackError usage: the address is not one, is neither http nor https, or carries a password.
 */
export function openAiModel(options: OpenAiOptions): LanguageModel {
  const base = readBaseUrl(options.baseUrl);
  const endpoint = `${base.href.replace(/\/+$/, '')}/chat/completions`;
  const destination: Destination = { kind: isLoopback(base.hostname) ? 'this-machine' : 'network', address: base.origin };
  const notices: Notice[] = [
    {
      kind: 'text-goes-to',
      severity: destination.kind === 'network' ? 'warning' : 'info',
      text: `The words of every judged exchange are sent to ${base.origin} (model ${options.model})${destination.kind === 'network' ? ', outside this machine' : ', a server on this machine'}. Audio is not sent.`,
    },
  ];
  if (destination.kind === 'network' && base.protocol === 'http:') notices.push({ kind: 'unencrypted', severity: 'warning', text: `${base.origin} is reached without encryption: anyone on the way can read the words${options.apiKey === undefined ? '' : ' and the key'}.` });
  const gate = new Gate(options.concurrency ?? 2, options.rate);
  const retries = options.retries ?? 3;
  const abilities: Abilities = { shape: 'json-schema', limit: 'max_tokens', temperature: true };
  const scrub = (text: string): string => (options.apiKey === undefined || options.apiKey === '' ? text : text.replaceAll(options.apiKey, '(key)'));

  const doWithout = (kind: string, text: string): void => {
    notices.push({ kind, severity: 'warning', text: `${base.origin} ${text}` });
  };

  /** Takes back what a refusal names, so that the request can be made again without it. False: nothing to take back. */
  function simplify(complaint: string, body: Readonly<Record<string, unknown>>): boolean {
    if ('response_format' in body && /response_format|json_schema|json_object|grammar|schema|structured/i.test(complaint)) {
      // another request may have found out already
      if (abilities.shape === shapeOf(body)) {
        abilities.shape = abilities.shape === 'json-schema' ? 'json' : 'prompt';
        doWithout('no-json-schema', abilities.shape === 'json' ? 'does not take a JSON Schema: it is asked for JSON, and the answer is checked here.' : 'does not take a response format: the prompt asks for JSON, and the answer is checked here.');
      }
      return true;
    }
    if ('max_tokens' in body && /max_tokens|max_completion_tokens/i.test(complaint)) {
      abilities.limit = 'max_completion_tokens';
      return true;
    }
    if ('temperature' in body && /temperature/i.test(complaint)) {
      if (abilities.temperature) doWithout('no-temperature', 'does not let the temperature be set: answers to the same question may differ.');
      abilities.temperature = false;
      return true;
    }
    return false;
  }

  function bodyOf(request: LanguageRequest): Record<string, unknown> {
    const { schema } = request;
    return {
      model: options.model,
      messages: request.messages,
      stream: false,
      [abilities.limit]: request.maxTokens ?? 512,
      ...(abilities.temperature ? { temperature: request.temperature ?? 0 } : {}),
      ...(schema === undefined || abilities.shape === 'prompt'
        ? {}
        : { response_format: abilities.shape === 'json' ? { type: 'json_object' } : { type: 'json_schema', json_schema: { name: schema.name, strict: true, schema: schema.schema } } }),
    };
  }

  async function attempt(request: LanguageRequest, until: Deadline): Promise<Omit<LanguageAnswer, 'milliseconds' | 'attempts'>> {
    for (;;) {
      const body = bodyOf(request);
      const { status, text, wait } = await post(body, until);
      if (status >= 200 && status < 300) return readCompletion(text, request.schema === undefined ? 'prompt' : shapeOf(body));
      const said = scrub(errorText(text));
      if ((status === 400 || status === 422 || status === 501) && simplify(said, body)) continue;
      throw refusal(status, said, wait);
    }
  }

  async function post(body: unknown, until: Deadline): Promise<{ status: number; text: string; wait: number | undefined }> {
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        redirect: 'manual',
        signal: until.signal,
        headers: { 'content-type': 'application/json', accept: 'application/json', ...(options.apiKey === undefined || options.apiKey === '' ? {} : { authorization: `Bearer ${options.apiKey}` }) },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await readBody(response), wait: readRetryAfter(response.headers.get('retry-after')) };
    } catch (thrown) {
      const stopped = until.failure();
      if (stopped !== undefined) throw stopped;
      if (thrown instanceof HearbackError) throw thrown;
      throw new Passing(new HearbackError('offline', `The language model server at ${base.origin} could not be reached, or broke off (${reasonOf(thrown)}).`, { hint: 'Is it running, and is --llm-url right?', cause: thrown }));
    }
  }

  function refusal(status: number, said: string, wait: number | undefined): Error {
    const quoted = said === '' ? '' : ` It says: ${said}`;
    const at = `The language model server at ${base.origin}`;
    if (status === 429) return new Passing(new HearbackError('offline', `${at} takes no more requests for now (429).${quoted}`, { hint: 'Wait, or send fewer at once.' }), wait);
    if (status === 408 || status >= 500) return new Passing(new HearbackError('offline', `${at} failed (${status}).${quoted}`, { hint: 'Look at its log.' }), wait);
    if (status === 401 || status === 403) return new HearbackError('usage', `${at} refuses access (${status}).${quoted}`, { hint: 'Set HEARBACK_LLM_KEY to a valid key.' });
    if (status === 404) return new HearbackError('model-missing', `${at} has no ${endpoint.slice(base.origin.length)} or no model "${options.model}" (404).${quoted}`, { hint: 'The address usually ends in /v1; the model must be one that the server lists.' });
    if (status >= 300 && status < 400) return new HearbackError('usage', `${at} sends requests on to another address (${status}), and text goes nowhere but to the address that was given.`, { hint: 'Give the final address with --llm-url.' });
    return new HearbackError('usage', `${at} refuses the request (${status}).${quoted}`, { hint: 'Check the model name and the length of its context.' });
  }

  function readCompletion(text: string, constraint: Constraint): Omit<LanguageAnswer, 'milliseconds' | 'attempts'> {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch (thrown) {
      throw new Passing(new HearbackError('unreadable', `What ${base.origin} answers is not JSON.`, { hint: 'Is that address a language model server? It usually ends in /v1.', cause: thrown }));
    }
    const completion = ChatCompletion.safeParse(parsed);
    const choice = completion.data?.choices[0];
    if (!completion.success || choice === undefined) throw new HearbackError('unreadable', `${base.origin} answers, but not with a chat completion.`, { hint: 'Is that address a language model server? It usually ends in /v1.', cause: completion.error });
    const { usage } = completion.data;
    const refused = (choice.message.refusal ?? '') !== '' || choice.finish_reason === 'content_filter';
    return {
      text: choice.message.content ?? choice.message.refusal ?? '',
      constraint,
      finish: refused ? 'refused' : choice.finish_reason === 'stop' ? 'stop' : choice.finish_reason === 'length' ? 'length' : 'unknown',
      tokens: {
        ...(usage?.prompt_tokens == null ? {} : { prompt: usage.prompt_tokens }),
        ...(usage?.prompt_tokens_details?.cached_tokens == null ? {} : { cached: usage.prompt_tokens_details.cached_tokens }),
        ...(usage?.completion_tokens == null ? {} : { answer: usage.completion_tokens }),
      },
    };
  }

  async function complete(request: LanguageRequest): Promise<LanguageAnswer> {
    const startedAt = performance.now();
    const until = deadline(request.signal, request.timeLimit);
    try {
      return await gate.run(async () => {
        for (let attempts = 1; ; attempts++) {
          try {
            return { ...(await attempt(request, until)), milliseconds: performance.now() - startedAt, attempts };
          } catch (thrown) {
            if (!(thrown instanceof Passing)) throw thrown;
            if (attempts > retries) throw thrown.failure;
            const own = Math.min(MAX_PAUSE, (options.backOff ?? 500) * 2 ** (attempts - 1)) * (1 + Math.random() / 4);
            const wait = Math.max(thrown.wait ?? 0, own);
            // no use in waiting for what would come too late
            if (wait > MAX_ASKED || wait >= until.left()) throw thrown.failure;
            await pause(wait, until.signal);
            await gate.startable(until.signal);
          }
        }
      }, until.signal);
    } catch (thrown) {
      throw until.failure() ?? toHearbackError(thrown);
    } finally {
      until.clear();
    }
  }

  return {
    provider: 'openai',
    model: options.model,
    destination,
    notices,
    complete,
    answer: (request, check) => askStructured(complete, request, check),
    close: () => Promise.resolve(),
  };
}

function shapeOf(body: Readonly<Record<string, unknown>>): Abilities['shape'] {
  const format = body['response_format'];
  if (typeof format !== 'object' || format === null || !('type' in format)) return 'prompt';
  return format.type === 'json_schema' ? 'json-schema' : 'json';
}

function readBaseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new HearbackError('usage', `"${text}" is not an address.`, { hint: 'One looks like http://127.0.0.1:8080/v1.' });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new HearbackError('usage', `A language model server is reached by http or https, not by ${url.protocol}`, { hint: 'An address looks like http://127.0.0.1:8080/v1.' });
  if (url.username !== '' || url.password !== '') throw new HearbackError('usage', 'The address of the language model server carries a name or a password.', { hint: 'Leave it out; a key is taken from HEARBACK_LLM_KEY.' });
  if (url.search !== '' || url.hash !== '') throw new HearbackError('usage', 'The address of the language model server must end with its path.', { hint: 'Leave out everything from the "?" or "#" on.' });
  return url;
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Reads at most MAX_BODY bytes. */
async function readBody(response: Response): Promise<string> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > MAX_BODY) throw new HearbackError('too-large', 'The answer of the language model server is larger than 4 MB.', { hint: 'Is that address a language model server?' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Retry-After in milliseconds; servers of language models also give parts of a second, which the header does not have. */
function readRetryAfter(value: string | null): number | undefined {
  const text = value?.trim() ?? '';
  return /^\d+\.\d+$/.test(text) ? Number(text) * 1000 : retryAfter(value, Date.now());
}

/** What an error body says, in one line. */
function errorText(text: string): string {
  let said = text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'error' in parsed) {
      const { error } = parsed;
      if (typeof error === 'string') said = error;
      else if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') said = error.message;
    }
  } catch {
    // a page or plain text: shown as it is
  }
  return said.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

function reasonOf(thrown: unknown): string {
  const cause: unknown = thrown instanceof Error ? thrown.cause : undefined;
  if (cause instanceof Error) return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
