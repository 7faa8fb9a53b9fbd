/**
 * Scoring: gold and answers from files to figures. Can be repeated; asks nobody anything.
 */
import type { z } from 'zod';
import { quantile } from '../language/metrics.js';
import { scoreGround } from '../scores/ground.js';
import type { Estimate, Resampling } from '../scores/interval.js';
import { scoreSpeech } from '../scores/speech.js';
import { scoreTask1, type LabelCounts } from '../scores/task1.js';
import { scoreTask2, type Task2Figures } from '../scores/task2.js';
import { ANSWERS, GroundGold, SpeechGold, Task1Gold, Task2Gold, type AnswerLine, type Task } from './items.js';

/** Figures of one task. */
export interface Scored {
  readonly task: Task;
  readonly items: number;
  /** Items without an answer, and answers that are none of the task; both score 0. `failed`: the answer is an error. */
  readonly missing: number;
  readonly failed: number;
  readonly unreadable: number;
  /** Answers to items that are not in the gold: not counted. */
  readonly unknown: number;
  readonly scores: Readonly<Record<string, Estimate>>;
  readonly byLabel?: Readonly<Record<string, LabelCounts>>;
  readonly byType?: Task2Figures['byType'];
  readonly risk?: Task2Figures['risk'];
  /** Milliseconds of an answer, where they were kept. */
  readonly ms?: { readonly p50: number; readonly p95: number };
  readonly normaliser?: number;
}

/** Schema of the gold lines of a task. */
export const GOLD = { task1: Task1Gold, task2: Task2Gold, ground: GroundGold, speech: SpeechGold } as const;

/**
 * Scores `lines`, of which the last one of an id counts, against `gold`, whose items must have passed the schema of their task.
 */
export function scoreAnswers(task: Task, gold: readonly z.output<(typeof GOLD)[Task]>[], lines: Iterable<AnswerLine>, resampling: Resampling = {}): Scored {
  const answers = new Map<string, AnswerLine>();
  for (const line of lines) answers.set(line.id, line);
  const ids = new Set(gold.map(({ id }) => id));
  let missing = 0;
  let failed = 0;
  let unreadable = 0;
  const take = <A extends z.ZodType>(id: string, schema: A): z.output<A> | null => {
    const line = answers.get(id);
    if (line === undefined) missing++;
    else if (line.error !== undefined) failed++;
    else {
      const read = schema.safeParse('answer' in line ? line.answer : line);
      if (read.success) return read.data;
      unreadable++;
    }
    return null;
  };
  const pairs = <G extends z.ZodType<{ id: string }>, A extends z.ZodType>(goldSchema: G, answerSchema: A): { gold: z.output<G>; answer: z.output<A> | null }[] => gold.map((item) => ({ gold: goldSchema.parse(item), answer: take(item.id, answerSchema) }));
  const figures = ((): Pick<Scored, 'scores' | 'byLabel' | 'byType' | 'risk' | 'normaliser'> => {
    switch (task) {
      case 'task1':
        return scoreTask1(pairs(Task1Gold, ANSWERS.task1), resampling);
      case 'task2':
        return scoreTask2(pairs(Task2Gold, ANSWERS.task2), resampling);
      case 'ground':
        return scoreGround(pairs(GroundGold, ANSWERS.ground), resampling);
      case 'speech':
        return scoreSpeech(pairs(SpeechGold, ANSWERS.speech), resampling);
    }
  })();
  const times = [...answers.values()].flatMap((line) => (typeof line['ms'] === 'number' && ids.has(line.id) ? [line['ms']] : []));
  const { scores, byLabel, byType, risk, normaliser } = figures;
  return {
    task, items: gold.length, missing, failed, unreadable, unknown: [...answers.keys()].filter((id) => !ids.has(id)).length, scores,
    ...(byLabel === undefined ? {} : { byLabel }), ...(byType === undefined ? {} : { byType }), ...(risk === undefined ? {} : { risk }), ...(normaliser === undefined ? {} : { normaliser }),
    ...(times.length === 0 ? {} : { ms: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) } }),
  };
}
