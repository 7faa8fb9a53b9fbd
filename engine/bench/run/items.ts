/**
 * What the harness reads: gold items, and answers to them, of every task. Both one JSON line each.
 */
import { z } from 'zod';
import { Verdict } from '../../domain/finding.js';
import { ErrorType, RiskLevel } from '../../domain/taxonomy.js';
import { Guard, Word } from '../../domain/understanding.js';
import { GROUND_ACTIONS } from '../../understanding/index.js';

export const TASKS = ['task1', 'task2', 'ground', 'speech'] as const;
export type Task = (typeof TASKS)[number];

/** What of an item is spoken, and heard, by itself: each one transmission. */
export const PARTS = { task1: ['utterance'], task2: ['instruction', 'readback'], ground: ['utterance'], speech: ['utterance'] } as const satisfies Record<Task, readonly string[]>;
export const Part = z.enum(['utterance', 'instruction', 'readback']);
export type Part = z.infer<typeof Part>;

/** A stretch of a recording; `file` relative to the folder of the items; seconds, the whole file without them. `dry`: clean speech, to be put on a radio channel. */
export const Stretch = z.object({ file: z.string(), start: z.number().nonnegative().optional(), end: z.number().positive().optional(), dry: z.boolean().optional() });
export type Stretch = z.infer<typeof Stretch>;

const Labelled = z.object({ utterance_action: z.array(z.string()), tokens: z.array(z.object({ text: z.string(), label: z.string() })) });
const Judged = z.object({ is_correct: z.boolean(), error_type: ErrorType, risk_level: RiskLevel });
const Ground = z.object({ speaker: z.string(), intention: z.string(), action: z.enum(GROUND_ACTIONS), entities: z.array(z.object({ type: z.string().toLowerCase(), text: z.string() })) });

/** What an item of any task may have beside its gold. */
const About = z.object({
  id: z.coerce.string(),
  /** Items of one recording do not err independently: intervals draw it as a whole. */
  recording: z.string().optional(),
  /** Recorded speech by part: heard as it is (input `recordings`), or over the radio channel where it is dry. */
  audio: z.partialRecord(Part, Stretch).optional(),
  /** What a recogniser once made of it (input `hypotheses`). */
  hypotheses: z.partialRecord(Part, z.string()).optional(),
});

/** Gold of each task. Task 1 and 2 in the output contracts K.1 and K.2 of arXiv 2608.24621, with what is to be judged beside it. */
export const Task1Gold = Labelled.extend({ ...About.shape, utterance: z.string() });
export type Task1Gold = z.infer<typeof Task1Gold>;
export const Task2Gold = Judged.extend({ ...About.shape, instruction: z.string(), readback: z.string() });
export type Task2Gold = z.infer<typeof Task2Gold>;
export const GroundGold = Ground.extend({ ...About.shape, utterance: z.string().optional() });
export type GroundGold = z.infer<typeof GroundGold>;
export const SpeechGold = About.extend({ text: z.string() });
export type SpeechGold = z.infer<typeof SpeechGold>;

/** Schema of the gold lines of a task. */
export const GOLD = { task1: Task1Gold, task2: Task2Gold, ground: GroundGold, speech: SpeechGold } as const;
export type Gold = z.output<(typeof GOLD)[Task]>;

/** What is read of an answer; anything else about it is passed over. */
export const ANSWERS = { task1: Labelled, task2: Judged.extend({ verdict: Verdict.optional() }), ground: Ground, speech: z.object({ text: z.string() }) } as const;

/** A line of answers: {id, answer} as the harness writes them, or the answer itself with its id. */
export const AnswerLine = z.looseObject({ id: z.coerce.string(), answer: z.unknown().optional(), error: z.string().optional() });
export type AnswerLine = z.infer<typeof AnswerLine>;

/** What was heard of one part of one item: a line of heard-TASK.jsonl, and of a file of recorded hypotheses, where only id, part and text have to be. */
export const HeardLine = z.object({
  id: z.coerce.string(),
  /** May be left out where a task has one part only. */
  part: Part.optional(),
  text: z.string().optional(),
  error: z.string().optional(),
  /** What was said, word for word, where that is known better than from the gold (figures are spoken). */
  reference: z.string().optional(),
  words: z.array(Word).optional(),
  guards: z.array(Guard).optional(),
  /** Milliseconds of recognition, seconds of audio. */
  ms: z.number().optional(),
  seconds: z.number().optional(),
  try: z.number().int().optional(),
});
export type HeardLine = z.infer<typeof HeardLine>;

/** Speech of items as it comes out of a radio: what a voice set (engine/bench/voice) gives to a run. */
export interface Voices {
  /** SHA-256 over everything that decides how it sounds. */
  readonly sha256: string;
  /** What is spoken there, as lower-case words; undefined where there is no speech for it, or only for another text than `written`. */
  said(task: Task, id: string, part: Part, written?: string): string | undefined;
  /** 16 kHz, mono, −1…1, over the radio channel at that measured ratio of speech to noise in dB (`Infinity`: none). The same seed gives the same sound. */
  sound(task: Task, id: string, part: Part, snr: number, seed: number): Promise<Float32Array>;
}
