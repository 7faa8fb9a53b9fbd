/**
 * Lines of our own layout. Tables with other names are carried into it first.
 */
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { ErrorType, RISK_OF } from '../../domain/taxonomy.js';
import { GOLD, TASKS, type Task } from '../run/items.js';
import { Around, type BenchItem, type Sounds } from './item.js';
import { spokenWords } from './text.js';

const has = (record: object, ...names: readonly string[]): boolean => names.every((name) => name in record);

/** What a line's fields make it. */
function taskOf(record: object): Task | undefined {
  if ('task' in record && (TASKS as readonly unknown[]).includes(record.task)) return record.task as Task;
  if (has(record, 'instruction', 'readback')) return 'task2';
  if (has(record, 'entities', 'action')) return 'ground';
  if (has(record, 'tokens')) return 'task1';
  return has(record, 'text') ? 'speech' : undefined;
}

/** The first thing that is wrong with a value, its field named. */
export function whatIsWrong(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'it does not fit' : `${issue.path.length === 0 ? 'it' : `"${issue.path.map(String).join('.')}"`} does not fit (${issue.message})`;
}

/** Level and correctness follow from the type where they are not given. A reviewer may see another level; none may be right and wrong at once. */
function withRisk(record: Readonly<Record<string, unknown>>): Record<string, unknown> | string {
  const type = ErrorType.safeParse(record['error_type']);
  if (!type.success) return record['error_type'] === undefined ? '"error_type" is missing' : `"error_type" is ${JSON.stringify(record['error_type'])}, which the taxonomy has not`;
  const correct = RISK_OF[type.data] === 'CORRECT';
  const full = { ...record, risk_level: record['risk_level'] ?? RISK_OF[type.data], is_correct: record['is_correct'] ?? correct };
  if ((full.risk_level === 'CORRECT') !== correct) return `"risk_level" is ${JSON.stringify(full.risk_level)}, but ${type.data} is ${RISK_OF[type.data]}`;
  return full.is_correct === correct ? full : `"is_correct" is ${JSON.stringify(full.is_correct)}, but ${type.data} is ${RISK_OF[type.data]}`;
}

/** Transcripts as the recogniser writes; undefined fields are those without words, told. */
function withWords(record: Readonly<Record<string, unknown>>): Record<string, unknown> | string {
  if (typeof record['text'] !== 'string') return record;
  const text = spokenWords(record['text']);
  if (text === undefined) return 'a part of it was not understood by whoever wrote it down';
  return text === '' ? 'it has no words' : { ...record, text };
}

/**
 * The item of a line, or why it is none.
 *
 * @param from the file that the line stands in; sounds are named from its folder.
 * @param fallbackId where the line has no id.
 */
export function itemOf(value: unknown, from: string, fallbackId: string, task?: Task): BenchItem | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not a JSON object';
  const kind = task ?? taskOf(value);
  if (kind === undefined) return 'it is no item: it has neither tokens, nor instruction and readback, nor entities, nor text';
  const given: Record<string, unknown> = { id: fallbackId, ...value };
  const record = kind === 'task2' ? withRisk(given) : kind === 'speech' ? withWords(given) : given;
  if (typeof record === 'string') return record;
  const around = Around.safeParse(record);
  if (!around.success) return whatIsWrong(around.error);
  const gold = GOLD[kind].safeParse(record);
  if (!gold.success) return whatIsWrong(gold.error);
  const sounds = Object.entries(gold.data.audio ?? {}).map(([part, stretch]) => [part, { ...stretch, file: resolve(dirname(from), stretch.file) }]);
  const whole = { task: kind, gold: { ...gold.data, ...(sounds.length === 0 ? {} : { audio: Object.fromEntries(sounds) as Sounds }) }, around: around.data };
  // the schema of the kind has read it
  return whole as BenchItem;
}
