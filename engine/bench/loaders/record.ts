/**
 * The layout of our own: one JSON line an item. Gold stands in the line as the scoring reads it (K.1, K.2), sound and recorded hypotheses beside
 * it. Tables with other names are carried into it first.
 */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { ErrorType, RISK_OF } from '../../domain/taxonomy.js';
import { TASKS, type Task } from '../run/items.js';
import { GOLD } from '../run/score.js';
import type { BenchItem, Part, Sound } from './item.js';
import { spokenWords } from './text.js';

const Seconds = z.coerce.number().nonnegative();
const SoundField = z.union([z.string().min(1).transform((file) => ({ file })), z.object({ file: z.string().min(1), start: Seconds.optional(), end: Seconds.optional(), dry: z.boolean().optional(), snr: z.coerce.number().optional() })]);
type SoundField = z.output<typeof SoundField>;
const Halves = z.strictObject({ instruction: SoundField.optional(), readback: SoundField.optional(), utterance: SoundField.optional() });
const TextHalves = z.strictObject({ instruction: z.string().optional(), readback: z.string().optional(), utterance: z.string().optional() });

/** What may stand in a line beside the gold. A single sound or hypothesis belongs to the one utterance. */
const Beside = z.object({
  audio: z.union([SoundField.transform((utterance): z.output<typeof Halves> => ({ utterance })), Halves]).optional(),
  hypothesis: z.union([z.string().transform((utterance): z.output<typeof TextHalves> => ({ utterance })), TextHalves]).optional(),
  recording: z.string().optional(),
  role: z.enum(['controller', 'pilot']).optional(),
  callsigns: z.array(z.string()).optional(),
});

const has = (record: object, ...names: readonly string[]): boolean => names.every((name) => name in record);

/** What a line's fields make it. */
function taskOf(record: object): Task | undefined {
  if ('task' in record && (TASKS as readonly unknown[]).includes(record.task)) return record.task as Task;
  if (has(record, 'instruction', 'readback')) return 'task2';
  if (has(record, 'tokens')) return 'task1';
  if (has(record, 'entities')) return 'ground';
  return has(record, 'text') ? 'speech' : undefined;
}

/** The first thing that is wrong with a value, its field named. */
export function whatIsWrong(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'it does not fit' : `${issue.path.length === 0 ? 'it' : `"${issue.path.map(String).join('.')}"`} does not fit (${issue.message})`;
}

/** Level and correctness follow from the type where they are not given; a given one that says otherwise is refused. */
function withRisk(record: Record<string, unknown>): Record<string, unknown> | string {
  const type = ErrorType.safeParse(record['error_type']);
  if (!type.success) return record;
  const risk = RISK_OF[type.data];
  const full = { ...record, risk_level: record['risk_level'] ?? risk, is_correct: record['is_correct'] ?? risk === 'CORRECT' };
  if (full.risk_level !== risk) return `"risk_level" is ${JSON.stringify(full.risk_level)}, but ${type.data} is ${risk}`;
  return full.is_correct === (risk === 'CORRECT') ? full : `"is_correct" is ${JSON.stringify(full.is_correct)}, but ${type.data} is ${risk}`;
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
  let record: Record<string, unknown> = { id: fallbackId, ...value };
  if (kind === 'task2') {
    const full = withRisk(record);
    if (typeof full === 'string') return full;
    record = full;
  }
  if (kind === 'speech' && typeof record['text'] === 'string') {
    const words = spokenWords(record['text']);
    if (words === undefined) return 'a part of it was not understood by whoever wrote it down';
    if (words === '') return 'it has no words';
    record = { ...record, text: words };
  }
  const beside = Beside.safeParse(record);
  if (!beside.success) return whatIsWrong(beside.error);
  const { audio = {}, hypothesis, recording, role, callsigns } = beside.data;
  const sounds: Partial<Record<Part, Sound>> = {};
  for (const part of ['utterance', 'instruction', 'readback'] as const) {
    const sound = audio[part];
    if (sound !== undefined) sounds[part] = soundOf(sound, from);
  }
  const common = {
    ...(Object.keys(sounds).length === 0 ? {} : { audio: sounds }),
    ...(hypothesis === undefined ? {} : { hypotheses: hypothesis as Partial<Record<Part, string>> }),
    ...(recording === undefined ? {} : { recording }),
    ...(role === undefined ? {} : { role }),
    ...(callsigns === undefined ? {} : { callsigns }),
  };
  switch (kind) {
    case 'task1': {
      const gold = GOLD.task1.safeParse(record);
      return gold.success ? { id: gold.data.id, task: kind, texts: { utterance: gold.data.utterance }, gold: gold.data, ...common } : whatIsWrong(gold.error);
    }
    case 'task2': {
      const gold = GOLD.task2.safeParse(record);
      return gold.success ? { id: gold.data.id, task: kind, texts: { instruction: gold.data.instruction, readback: gold.data.readback }, gold: gold.data, ...common } : whatIsWrong(gold.error);
    }
    case 'ground': {
      const gold = GOLD.ground.safeParse(record);
      const utterance = record['utterance'];
      if (typeof utterance !== 'string') return '"utterance" is missing';
      return gold.success ? { id: gold.data.id, task: kind, texts: { utterance }, gold: gold.data, ...common } : whatIsWrong(gold.error);
    }
    case 'speech': {
      const gold = GOLD.speech.safeParse(record);
      return gold.success ? { id: gold.data.id, task: kind, texts: { utterance: gold.data.text }, gold: gold.data, ...common } : whatIsWrong(gold.error);
    }
  }
}

const soundOf = ({ file, ...more }: SoundField, from: string): Sound => {
  const { start, end, dry, snr } = more as Omit<Exclude<SoundField, string>, 'file'> & { start?: number; end?: number; dry?: boolean; snr?: number };
  return { file: resolve(dirname(from), file), ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }), dry: dry ?? false, ...(snr === undefined ? {} : { snr }) };
};
