/**
 * Reading a JSON answer out of what a model wrote, and asking once more when it cannot be read.
 */
import type { AnswerCheck, AnswerSchema, ChatMessage, LanguageAnswer, LanguageRequest, StructuredAnswer } from '../domain/language-model.js';

/** An answer shown back to the model is cut to this many characters. */
const QUOTED = 2000;

/** The top-level {...} of a text that parse as JSON, in order. Braces inside strings do not count. */
export function jsonObjects(text: string): unknown[] {
  const found: unknown[] = [];
  let at = text.indexOf('{');
  while (at >= 0) {
    const end = closingBrace(text, at);
    const parsed = end === undefined ? undefined : tryParse(text.slice(at, end + 1));
    if (end !== undefined && parsed !== undefined) found.push(parsed.value);
    at = text.indexOf('{', parsed === undefined || end === undefined ? at + 1 : end + 1);
  }
  return found;
}

function closingBrace(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  return undefined;
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * The value in an answer: the whole of it, or the one object in it (in a code fence, behind a sentence or a chain of thought).
 * Two different readable objects are no answer: nothing says which one is meant.
 */
export function readAnswer<T>(answer: Pick<LanguageAnswer, 'text' | 'finish'>, check: AnswerCheck<T>): ReturnType<AnswerCheck<T>> {
  if (answer.finish === 'refused') return { ok: false, why: 'The model declined to answer.' };
  const text = answer.text.replace(/<think>[\s\S]*?<\/think>/g, '').trim();
  if (text === '') return { ok: false, why: 'The answer is empty.' };
  const whole = tryParse(text);
  const values = whole === undefined ? jsonObjects(text) : [whole.value];
  const distinct = new Map<string, { readonly ok: true; readonly value: T }>();
  let why: string | undefined;
  for (const value of values) {
    const checked = check(value);
    if (checked.ok) distinct.set(JSON.stringify(checked.value), checked);
    else why = checked.why;
  }
  const [first, second] = [...distinct.values()];
  if (second !== undefined) return { ok: false, why: 'The answer holds several JSON objects that differ.' };
  if (first !== undefined) return first;
  if (answer.finish === 'length') return { ok: false, why: 'The answer was cut off before its end.' };
  return { ok: false, why: why ?? 'There is no whole JSON object in the answer.' };
}

/** Asks, reads, and asks once more with what was wrong. */
export async function askStructured<T>(complete: (request: LanguageRequest) => Promise<LanguageAnswer>, request: LanguageRequest & { readonly schema: AnswerSchema }, check: AnswerCheck<T>): Promise<StructuredAnswer<T>> {
  const startedAt = performance.now();
  const first = await complete(request);
  const read = readAnswer(first, check);
  if (read.ok) return { ok: true, value: read.value, repaired: false, answers: [first] };
  const again: ChatMessage[] = [
    ...request.messages,
    ...(first.text.trim() === '' ? [] : [{ role: 'assistant' as const, content: first.text.slice(0, QUOTED) }]),
    { role: 'user', content: `This answer cannot be used: ${read.why} Give the answer to the same question again as exactly one JSON object with the fields that were described, and nothing before or behind it.` },
  ];
  // the limit is one for both
  const left = request.timeLimit === undefined ? undefined : Math.max(1, request.timeLimit - (performance.now() - startedAt));
  const second = await complete({ ...request, messages: mergeUsers(again), ...(left === undefined ? {} : { timeLimit: left }) });
  const reread = readAnswer(second, check);
  return reread.ok ? { ok: true, value: reread.value, repaired: true, answers: [first, second] } : { ok: false, why: reread.why, answers: [first, second] };
}

/** Chat templates want user and assistant in turn: two user messages in a row become one. */
function mergeUsers(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === 'user' && message.role === 'user') merged[merged.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}` };
    else merged.push(message);
  }
  return merged;
}
