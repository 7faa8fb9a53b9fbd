/**
 * A server that speaks the chat completions protocol with a real model behind it: node-llama-cpp and a GGUF file.
 *
 *     node llama-server.mjs MODEL.gguf FOLDER     FOLDER: in whose node_modules node-llama-cpp lies; prints its port
 *
 * /v1 keeps to the schema by a grammar. /plain/v1 knows no schema, /busy/v1 answers 429 to every first of two requests, /broken/v1 answers 500.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [path, folder] = process.argv.slice(2);
const { getLlama, LlamaChatSession } = await import(pathToFileURL(join(folder, 'node_modules/node-llama-cpp/dist/index.js')).href);
const llama = await getLlama({ build: 'never', skipDownload: true, logLevel: 'error', progressLogs: false });
const model = await llama.loadModel({ modelPath: path });
const context = await model.createContext({ contextSize: 2048, threads: 2 });
const sequence = context.getSequence();
let turn = Promise.resolve();
let busy = false;

async function answer({ messages, response_format: format, max_tokens: maxTokens = 128, temperature = 0 }, plain) {
  const session = new LlamaChatSession({ contextSequence: sequence });
  const history = messages.map(({ role, content }) => (role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content }));
  const last = history.pop();
  session.setChatHistory(history);
  const before = sequence.tokenMeter.getState();
  const grammar = !plain && format?.type === 'json_schema' ? await llama.createGrammarForJsonSchema(format.json_schema.schema) : undefined;
  const { responseText, stopReason } = await session.promptWithMeta(last.text, { maxTokens, temperature, ...(grammar === undefined ? {} : { grammar }) });
  const used = sequence.tokenMeter.diff(before);
  return { object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: responseText }, finish_reason: stopReason === 'maxTokens' ? 'length' : 'stop' }], usage: { prompt_tokens: used.usedInputTokens, completion_tokens: used.usedOutputTokens } };
}

const server = createServer((request, response) => {
  const send = (status, value, headers = {}) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const kind = request.url.split('/')[1];
    if (kind === 'broken') return send(500, { error: { message: 'out of order' } });
    if (kind === 'busy' && (busy = !busy)) return send(429, { error: { message: 'one at a time' } }, { 'retry-after': '0' });
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
    // the header goes out at once, as servers do that keep the connection alive while the model is at it
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    turn = turn.then(() => answer(body, kind === 'plain')).then((value) => response.end(JSON.stringify(value)), (error) => response.end(JSON.stringify({ error: { message: error.message } })));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
