/**
 * What the harness reads: gold items, and answers to them, of every task. Both one JSON line each.
 */
import { z } from 'zod';
import { ErrorType, RiskLevel } from '../../domain/taxonomy.js';
import { GROUND_ACTIONS } from '../../understanding/index.js';

export const TASKS = ['task1', 'task2', 'ground', 'speech'] as const;
export type Task = (typeof TASKS)[number];

const Labelled = z.object({ utterance_action: z.array(z.string()), tokens: z.array(z.object({ text: z.string(), label: z.string() })) });
const Judged = z.object({ is_correct: z.boolean(), error_type: ErrorType, risk_level: RiskLevel });
const Ground = z.object({ speaker: z.string(), intention: z.string(), action: z.enum(GROUND_ACTIONS), entities: z.array(z.object({ type: z.string().toLowerCase(), text: z.string() })) });
const Id = z.object({ id: z.coerce.string() });

/** Gold of each task. Task 1 and 2 in the output contracts K.1 and K.2 of arXiv 2608.24621, with what is to be judged beside it. */
export const Task1Gold = Labelled.extend({ ...Id.shape, utterance: z.string() });
export type Task1Gold = z.infer<typeof Task1Gold>;
export const Task2Gold = Judged.extend({ ...Id.shape, instruction: z.string(), readback: z.string() });
export type Task2Gold = z.infer<typeof Task2Gold>;
export const GroundGold = Ground.extend(Id.shape);
export const SpeechGold = z.object({ ...Id.shape, text: z.string(), recording: z.string().optional() });

/** What is read of an answer; anything else about it is passed over. */
export const ANSWERS = { task1: Labelled, task2: Judged, ground: Ground, speech: z.object({ text: z.string() }) } as const;

/** A line of answers: {id, answer} as the harness writes them, or the answer itself with its id. */
export const AnswerLine = z.looseObject({ id: z.coerce.string(), answer: z.unknown().optional(), error: z.string().optional() });
export type AnswerLine = z.infer<typeof AnswerLine>;
