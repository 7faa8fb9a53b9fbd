/**
 * A local HTTP server that speaks the chat completions protocol and misbehaves on order. It tests the protocol: what it answers is
 * written by the test, and it stands in for no model.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** performance.now() of its arrival. */
  readonly at: number;
}

/** What to do with one request. */
export type Behaviour = (response: ServerResponse, request: Received) => void;

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Behaviour => (response) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};

/** A completion with this text, as llama.cpp and Ollama shape it. */
export const says = (content: string, more: { finish?: string; usage?: unknown; refusal?: string } = {}): Behaviour =>
  json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'a-model',
    choices: [{ index: 0, finish_reason: more.finish ?? 'stop', message: { role: 'assistant', content, ...(more.refusal === undefined ? {} : { refusal: more.refusal }) } }],
    usage: more.usage ?? { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });

/** Begins an answer and cuts the connection. */
export const breaksOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"choices":[{"message":{"content":"{\\"is_corr');
  setTimeout(() => response.socket?.destroy(), 5);
};

/** Never answers. */
export const hangs: Behaviour = () => undefined;

export interface LanguageServer {
  /** With /v1. */
  readonly url: string;
  readonly received: Received[];
  /** One behaviour a request, in order; the last one stays. */
  behave(...behaviours: Behaviour[]): void;
  close(): Promise<void>;
}

export async function languageServer(): Promise<LanguageServer> {
  let script: Behaviour[] = [];
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    const at = performance.now();
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const got: Received = { path: request.url ?? '', headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>, at };
      received.push(got);
      const next = script.length > 1 ? script.shift() : script[0];
      if (next === undefined) throw new Error('the test gave this request nothing to do');
      next(response, got);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    behave: (...behaviours) => {
      script = behaviours;
      received.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
