/**
 * The layout that the authors of arXiv 2608.24621 publish (G.1): chats of a system prompt, the utterance or the pair, and the gold as one JSON
 * object; and the objects of their output contracts (K.1, K.2) by themselves. JSON lines, or one JSON array.
 */
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { toHearbackError } from '../../domain/result.js';
import type { BenchItem, OnBad } from './item.js';
import { itemOf } from './record.js';
import { jsonLines, readText, textLines } from './text.js';

const Message = z.union([
  z.object({ role: z.string(), content: z.string() }).transform(({ role, content }) => ({ role, content })),
  z.object({ from: z.string(), value: z.string() }).transform(({ from, value }) => ({ role: from, content: value })),
]);
const Chat = z.object({ id: z.coerce.string().optional(), messages: z.array(Message).optional(), conversations: z.array(Message).optional() });

/** The last pair of a text: examples of a few-shot prompt may stand before it. */
const PAIR = /(?:^|[\s>])(?:controller(?:'s)?(?: instruction)?|instruction)\s*:\s*(.+?)\s*(?:pilot(?:'s)?(?: readback)?|readback)\s*:\s*(.+?)\s*$/isu;

function pairIn(user: string): { instruction: string; readback: string } | undefined {
  const asJson = parse(user);
  if (typeof asJson === 'object' && asJson !== null && 'instruction' in asJson && 'readback' in asJson) return z.object({ instruction: z.string(), readback: z.string() }).safeParse(asJson).data;
  const last = Math.max(...['controller', 'instruction'].map((word) => user.toLowerCase().lastIndexOf(word)));
  // "controller instruction:" is one heading: begin at its first word
  const at = user.slice(0, last).toLowerCase().endsWith('controller ') ? last - 'controller '.length : last;
  const [, instruction, readback] = PAIR.exec(at < 0 ? user : user.slice(at)) ?? [];
  return instruction === undefined || readback === undefined ? undefined : { instruction, readback };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A chat as the flat record of its item, or why it is none. Anything that is no chat is handed on as it is. */
function flat(value: unknown): unknown {
  const chat = Chat.safeParse(value);
  const messages = chat.data?.messages ?? chat.data?.conversations;
  if (chat.data === undefined || messages === undefined) return value;
  const of = (...names: readonly string[]): string | undefined => messages.findLast(({ role }) => names.includes(role.toLowerCase()))?.content;
  const [user, assistant] = [of('user', 'human'), of('assistant', 'gpt')];
  if (user === undefined || assistant === undefined) return 'the chat has no user or no assistant message';
  const gold = parse(assistant.replace(/^\s*```(?:json)?\s*|\s*```\s*$/gu, ''));
  if (typeof gold !== 'object' || gold === null) return 'the assistant message is not one JSON object';
  const id = chat.data.id === undefined ? {} : { id: chat.data.id };
  if ('tokens' in gold) {
    const utterance = 'utterance' in gold && typeof gold.utterance === 'string' ? gold.utterance : undefined;
    if (utterance !== undefined && !user.includes(utterance)) return 'the gold is of another utterance than the one that is asked about';
    return { ...id, utterance: user.trim(), ...gold };
  }
  const pair = pairIn(user);
  return pair === undefined ? 'the user message holds no pair "Controller: … Pilot readback: …"' : { ...id, ...pair, ...gold };
}

export async function* loadPaper(path: string, onBad: OnBad): AsyncGenerator<BenchItem> {
  const stem = basename(path, extname(path));
  const take = (value: unknown, number: number, line: number | undefined): BenchItem | undefined => {
    const record = flat(value);
    const item = typeof record === 'string' ? record : itemOf(record, path, `${stem}-${String(number)}`);
    if (typeof item !== 'string') return item;
    onBad({ where: basename(path), ...(line === undefined ? {} : { line }), why: line === undefined ? `entry ${String(number)}: ${item}` : item });
    return undefined;
  };
  if (await isArray(path)) {
    let entries: unknown;
    try {
      entries = JSON.parse(await readText(path));
    } catch (thrown) {
      onBad({ where: basename(path), why: `it is not JSON (${toHearbackError(thrown).message})` });
      return;
    }
    for (const [i, entry] of (entries as unknown[]).entries()) {
      const item = take(entry, i + 1, undefined);
      if (item !== undefined) yield item;
    }
    return;
  }
  for await (const { line, value, why } of jsonLines(path)) {
    if (why !== undefined) onBad({ where: basename(path), line, why });
    else {
      const item = take(value, line, line);
      if (item !== undefined) yield item;
    }
  }
}

async function isArray(path: string): Promise<boolean> {
  for await (const { text } of textLines(path)) return text.trimStart().startsWith('[');
  return false;
}
