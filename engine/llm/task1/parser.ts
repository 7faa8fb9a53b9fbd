/**
 * Task 1 by a language model: one transmission in, actions and labelled chunks out (arXiv 2608.24621, K.1), checked. A labelling that does not
 * cover the transmission is none.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AnswerCheck, AnswerSchema, LanguageAnswer, LanguageModel } from '../../domain/language-model.js';
import { Action, ACTIONS, ChunkLabel, SLOT_LABELS } from '../../domain/taxonomy.js';
import { parserInstructions, utteranceText, type ParserCondition } from './prompts-v1.js';

const VERSION = 1;
const DEFAULT_LIMIT = 60_000;
const DEFAULT_TOKENS = 900;

const Labelled = z.object({ utterance_action: z.array(Action), tokens: z.array(z.object({ text: z.string(), label: ChunkLabel })).min(1) });
export interface LabelledUtterance extends z.infer<typeof Labelled> {
  readonly utterance: string;
}

const wordsOf = (text: string): string => text.toLowerCase().split(/\s+/u).filter((word) => word !== '').join(' ');

/** Checks an answer: labels and actions of the lists, chunks that together are the transmission. */
export function labelledCheck(utterance: string): AnswerCheck<LabelledUtterance> {
  return (value) => {
    const parsed = Labelled.safeParse(value);
    if (!parsed.success) return { ok: false, why: `It does not fit: ${parsed.error.issues.slice(0, 3).map((issue) => `"${issue.path.map(String).join('.')}": ${issue.message}`).join('; ')}.` };
    const { utterance_action, tokens } = parsed.data;
    if (wordsOf(tokens.map(({ text }) => text).join(' ')) !== wordsOf(utterance)) return { ok: false, why: 'The chunks together are not the transmission, word for word.' };
    const actions = [...new Set(utterance_action)];
    const bare = actions.find((action) => !tokens.some(({ label }) => label === action));
    if (bare !== undefined) return { ok: false, why: `The action ${bare} has no chunk.` };
    return { ok: true, value: { utterance, utterance_action: actions, tokens: tokens.filter(({ text }) => text.trim() !== '') } };
  };
}

const SCHEMA: AnswerSchema = {
  name: 'labelled_transmission',
  schema: {
    type: 'object',
    properties: {
      utterance: { type: 'string' },
      utterance_action: { type: 'array', items: { type: 'string', enum: [...ACTIONS] } },
      tokens: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' }, label: { type: 'string', enum: [...ACTIONS, ...SLOT_LABELS] } }, required: ['text', 'label'], additionalProperties: false } },
    },
    required: ['utterance', 'utterance_action', 'tokens'],
    additionalProperties: false,
  },
};

/** The prompt of a condition, its name and the SHA-256 of instructions, form and schema. */
export function parserPrompt(condition: ParserCondition): { readonly id: string; readonly sha256: string; readonly instructions: string } {
  const instructions = parserInstructions(condition);
  return { id: `task1/${condition}@${String(VERSION)}`, sha256: createHash('sha256').update(JSON.stringify([instructions, utteranceText('{utterance}'), SCHEMA])).digest('hex'), instructions };
}

export interface ParsedByModel {
  /** Undefined: no answer that can be read. */
  readonly labelled: LabelledUtterance | undefined;
  readonly why?: string;
  readonly prompt: string;
  readonly prompt_sha256: string;
  readonly raw: readonly string[];
  readonly answers: readonly LanguageAnswer[];
}

/** @throws HearbackError as the model's `answer` */
export async function parseByModel(model: LanguageModel, utterance: string, options: { readonly condition?: ParserCondition; readonly timeLimit?: number; readonly signal?: AbortSignal } = {}): Promise<ParsedByModel> {
  const prompt = parserPrompt(options.condition ?? 'full');
  const asked = await model.answer(
    {
      messages: [
        { role: 'system', content: prompt.instructions },
        { role: 'user', content: utteranceText(utterance) },
      ],
      schema: SCHEMA,
      maxTokens: DEFAULT_TOKENS,
      temperature: 0,
      timeLimit: options.timeLimit ?? DEFAULT_LIMIT,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
    labelledCheck(utterance),
  );
  return { labelled: asked.ok ? asked.value : undefined, ...(asked.ok ? {} : { why: asked.why }), prompt: prompt.id, prompt_sha256: prompt.sha256, raw: asked.answers.map(({ text }) => text), answers: asked.answers };
}
