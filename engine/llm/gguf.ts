/**
 * A GGUF model in this process through node-llama-cpp (MIT). The library is not installed with the product: its binaries for
 * all accelerators take half a gigabyte. It is loaded when it is asked for, by name, or from a folder that is named.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageAnswer, LanguageModel, LanguageRequest } from '../domain/language-model.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { Notice } from '../domain/stages.js';
import type { Deadline } from './deadline.js';
import { oneAtATime } from './in-process.js';
import { askStructured } from './structured.js';

export interface GgufOptions {
  /** The .gguf file. */
  readonly path: string;
  /** Name for people (default: the file's). */
  readonly model?: string;
  /** Folder in whose node_modules the library lies; default: where Node finds it from here. */
  readonly libraryFolder?: string;
  /** Tokens of prompt and answer together (default 6144, at most what the model was trained for). */
  readonly contextSize?: number;
  /** Default: as many as there are cores, at most 4. */
  readonly threads?: number;
}

const LIBRARY = 'node-llama-cpp';
const INSTALL = 'npm i --ignore-scripts node-llama-cpp';
const DEFAULT_CONTEXT = 6144;
/** The library's own choice counts more cores than there are for it, and threads that wait for each other spin. */
const MAX_THREADS = 4;
/** Tokens of a chat template around a message, generously. */
const TEMPLATE = 16;

// what is used of the library; its own types are not there when it is not
interface Llama {
  loadModel(options: { modelPath: string }): Promise<Model>;
  createGrammarForJsonSchema(schema: unknown): Promise<unknown>;
  dispose(): Promise<void>;
}
interface Model {
  readonly trainContextSize: number;
  tokenize(text: string): readonly number[];
  createContext(options: { contextSize: number; threads: number }): Promise<Context>;
}
interface Context {
  getSequence(): Sequence;
}
interface Sequence {
  readonly nextTokenIndex: number;
  readonly tokenMeter: { getState(): MeterState; diff(before: MeterState): MeterState };
}
interface MeterState {
  readonly usedInputTokens: number;
  readonly usedOutputTokens: number;
}
type HistoryItem = { type: 'system'; text: string } | { type: 'user'; text: string } | { type: 'model'; response: string[] };
interface Session {
  setChatHistory(history: HistoryItem[]): void;
  promptWithMeta(prompt: string, options: { grammar?: unknown; maxTokens: number; temperature: number; signal: AbortSignal; stopOnAbortSignal: false }): Promise<{ responseText: string; stopReason: string }>;
}
interface Library {
  getLlama(options: { build: 'never'; skipDownload: true; logLevel: string; progressLogs: false }): Promise<Llama>;
  readonly LlamaChatSession: new (options: { contextSequence: Sequence }) => Session;
}

async function loadLibrary(folder: string | undefined): Promise<Library> {
  // named by a variable: neither the compiler nor a bundler may want to have it
  const inFolder = folder === undefined ? undefined : join(folder, 'node_modules', LIBRARY, 'dist', 'index.js');
  const missing = (cause?: unknown): HearbackError =>
    new HearbackError('model-missing', `The gguf provider runs models with ${LIBRARY}, which is not installed${folder === undefined ? '' : ` in ${folder}`}.`, {
      hint: `Install it where Hearback is installed: ${INSTALL} — or in another folder, and name that in HEARBACK_LLAMA_CPP.`,
      ...(cause === undefined ? {} : { cause }),
    });
  if (inFolder !== undefined && !existsSync(inFolder)) throw missing();
  try {
    return (await import(inFolder === undefined ? LIBRARY : pathToFileURL(inFolder).href)) as Library;
  } catch (thrown) {
    if (inFolder === undefined && thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_MODULE_NOT_FOUND' && thrown.message.includes(LIBRARY)) throw missing(thrown);
    throw new HearbackError('model-broken', `${LIBRARY} is there but does not load: ${toHearbackError(thrown).message}`, { hint: `Install it again: ${INSTALL}`, cause: thrown });
  }
}

/** The first four bytes of every GGUF file. */
function checkFile(path: string): void {
  const head = Buffer.alloc(4);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (thrown) {
    throw new HearbackError('model-missing', `The model file ${path} cannot be opened.`, { hint: 'Give an id from "hearback models list" or the path of a .gguf file.', cause: thrown });
  }
  try {
    readSync(file, head, 0, 4, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString('latin1') !== 'GGUF') throw new HearbackError('model-broken', `${path} is not a GGUF file.`, { hint: 'Download it again.' });
}

/**
 * Loads the library and the model. One question at a time; the part of a prompt that it shares with the one before is not evaluated anew.
 *
 * @throws HearbackError model-missing: the file or the library is not there; model-broken: either does not load.
 */
export async function ggufModel(options: GgufOptions): Promise<LanguageModel> {
  const { path } = options;
  checkFile(path);
  const library = await loadLibrary(options.libraryFolder);
  const name = options.model ?? basename(path, '.gguf');
  let llama: Llama;
  let model: Model;
  let sequence: Sequence;
  let contextSize: number;
  try {
    llama = await library.getLlama({ build: 'never', skipDownload: true, logLevel: 'error', progressLogs: false });
    model = await llama.loadModel({ modelPath: path });
    contextSize = Math.min(options.contextSize ?? DEFAULT_CONTEXT, model.trainContextSize);
    const context = await model.createContext({ contextSize, threads: options.threads ?? Math.min(MAX_THREADS, availableParallelism()) });
    sequence = context.getSequence();
  } catch (thrown) {
    throw new HearbackError('model-broken', `The language model ${name} does not load: ${toHearbackError(thrown).message}`, { hint: 'Is there enough memory? "hearback models verify" reads the file.', cause: thrown });
  }
  const session = new library.LlamaChatSession({ contextSequence: sequence });
  const grammars = new Map<string, Promise<unknown>>();
  const notices: Notice[] = [{ kind: 'text-goes-to', severity: 'info', text: `The language model ${name} runs in this process: no text leaves this machine.` }];

  function historyOf(request: LanguageRequest): { history: HistoryItem[]; prompt: string } {
    const history = request.messages.map((message): HistoryItem => {
      if (message.role === 'assistant') return { type: 'model', response: [message.content] };
      return { type: message.role, text: message.content };
    });
    const last = history.pop();
    if (last?.type !== 'user') throw new HearbackError('internal', 'A question to a language model ends with the user.');
    return { history, prompt: last.text };
  }

  async function ask(request: LanguageRequest, until: Deadline, startedAt: number): Promise<LanguageAnswer> {
    const maxTokens = request.maxTokens ?? 512;
    // the library would drop the oldest part of what does not fit, which is the instructions
    const size = request.messages.reduce((sum, message) => sum + model.tokenize(message.content).length + TEMPLATE, 0);
    if (size + maxTokens > contextSize) throw new HearbackError('usage', `The prompt (${size} tokens) and an answer of up to ${maxTokens} do not fit into the ${contextSize} tokens of ${name}.`, { hint: 'Use a shorter prompt (--llm-prompt zero-shot) or another model.' });
    const { history, prompt } = historyOf(request);
    const grammar = request.schema === undefined ? undefined : await grammarFor(request.schema.schema);
    session.setChatHistory(history);
    const before = sequence.tokenMeter.getState();
    const answer = await session.promptWithMeta(prompt, { ...(grammar === undefined ? {} : { grammar }), maxTokens, temperature: request.temperature ?? 0, signal: until.signal, stopOnAbortSignal: false });
    const used = sequence.tokenMeter.diff(before);
    const whole = Math.max(used.usedInputTokens, sequence.nextTokenIndex - used.usedOutputTokens);
    return {
      text: answer.responseText,
      constraint: grammar === undefined ? 'prompt' : 'grammar',
      finish: answer.stopReason === 'maxTokens' ? 'length' : answer.stopReason === 'abort' ? 'unknown' : 'stop',
      tokens: { prompt: whole, cached: whole - used.usedInputTokens, answer: used.usedOutputTokens },
      milliseconds: performance.now() - startedAt,
      attempts: 1,
    };
  }

  function grammarFor(schema: Readonly<Record<string, unknown>>): Promise<unknown> {
    const key = JSON.stringify(schema);
    const known = grammars.get(key) ?? llama.createGrammarForJsonSchema(schema);
    grammars.set(key, known);
    return known;
  }

  const complete = oneAtATime(ask);

  return {
    provider: 'gguf',
    model: name,
    destination: { kind: 'this-process', address: basename(path) },
    notices,
    complete,
    answer: (request, check) => askStructured(complete, request, check),
    close: () => llama.dispose(),
  };
}
