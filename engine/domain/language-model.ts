/**
 * Language models behind one interface, whatever runs them: a library in this process, a server on this machine or a
 * service on the network. engine/llm/ implements it; a judge is handed one and does not know which.
 */
import type { Notice } from './stages.js';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A JSON Schema object, and the name that servers want with it. */
export interface AnswerSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface LanguageRequest {
  readonly messages: readonly ChatMessage[];
  /** The answer has to be one JSON value of this shape. Whether that was enforced is in `LanguageAnswer.constraint`. */
  readonly schema?: AnswerSchema;
  /** Tokens that an answer may have (default 512). */
  readonly maxTokens?: number;
  /** 0 (default): always the likeliest token. */
  readonly temperature?: number;
  readonly signal?: AbortSignal;
  /** Milliseconds for everything: waiting for a turn, attempts and pauses between them. Default: no limit. */
  readonly timeLimit?: number;
}

/**
 * How the shape of an answer was held: by a grammar while it was written, by the server on request, by asking for JSON of any
 * shape, or by the words of the prompt alone.
 */
export type Constraint = 'grammar' | 'json-schema' | 'json' | 'prompt';

/** Tokens where they are told; `cached` of the prompt's were evaluated before and not again. */
export interface TokenCount {
  readonly prompt?: number;
  readonly cached?: number;
  readonly answer?: number;
}

export interface LanguageAnswer {
  /** Word for word. */
  readonly text: string;
  readonly constraint: Constraint;
  /** length: cut off at `maxTokens`. refused: the model or a filter before it declined. */
  readonly finish: 'stop' | 'length' | 'refused' | 'unknown';
  readonly tokens: TokenCount;
  readonly milliseconds: number;
  /** Natural logarithm of the probability of the answer's tokens, where the provider can tell it. */
  readonly logProbability?: number;
  /** 1 and one for each repetition after a failure on the way. */
  readonly attempts: number;
}

/** A structured answer, or why none could be read; with every raw answer in the order in which they came. */
export type StructuredAnswer<T> =
  | { readonly ok: true; readonly value: T; readonly repaired: boolean; readonly answers: readonly LanguageAnswer[] }
  | { readonly ok: false; readonly why: string; readonly answers: readonly LanguageAnswer[] };

/** Reads a parsed JSON value; a sentence says what is wrong with one that cannot be used. */
export type AnswerCheck<T> = (value: unknown) => { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** Where the text of a request goes. */
export interface Destination {
  readonly kind: 'this-process' | 'this-machine' | 'network';
  /** The server's origin ("http://127.0.0.1:8080"), or the model's file. */
  readonly address: string;
}

export interface LanguageModel {
  readonly provider: 'openai' | 'gguf' | 'onnx';
  /** Name of the model as the provider knows it. */
  readonly model: string;
  readonly destination: Destination;
  /** Where text goes, what had to be done without; grows. */
  readonly notices: readonly Notice[];
  /**
   * One answer as text.
   *
   * @throws HearbackError timeout; cancelled; offline (not reached, or failing after all attempts); usage (refused: key, request);
   *   model-missing (the server has no such model or address); unreadable (what answers is no such server)
   */
  complete(request: LanguageRequest): Promise<LanguageAnswer>;
  /**
   * One answer as a checked value. An answer that cannot be read is asked for once more with what was wrong with it; after that
   * there is none. Nothing is guessed: an answer cut off is not completed.
   *
   * @throws HearbackError as `complete`; what was answered before it is lost then.
   */
  answer<T>(request: LanguageRequest & { readonly schema: AnswerSchema }, check: AnswerCheck<T>): Promise<StructuredAnswer<T>>;
  close(): Promise<void>;
}
