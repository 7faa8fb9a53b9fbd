/**
 * Scoring: gold and answers from files to figures. Can be repeated; asks nobody anything.
 */
import { existsSync } from 'node:fs';
import { normalise } from '../asr/normalise.js';
import { quantile } from '../language/metrics.js';
import { detection, type Detection } from '../scores/detection.js';
import { scoreGround } from '../scores/ground.js';
import { scoreHeard, type HeardFigures } from '../scores/heard.js';
import type { Estimate, Resampling } from '../scores/interval.js';
import { scoreSpeech } from '../scores/speech.js';
import { asWritten, scoreTask1, type Form, type LabelCounts } from '../scores/task1.js';
import { scoreTask2, type Task2Figures } from '../scores/task2.js';
import type { Snr } from './config.js';
import { answersOf, heardOf, inForm, pairs } from './answers.js';
import { induced, type Induced } from './induced.js';
import { writtenPart } from './inputs.js';
import { ANSWERS, GroundGold, PARTS, SpeechGold, Task1Gold, Task2Gold, TASKS, type AnswerLine, type Gold, type HeardLine, type Task } from './items.js';
import { aboutData, normaliserFacts, readManifest, type Counts, type RunManifest } from './manifest.js';
import { answerFile, cellsOf, conditionName, countsOf, itemsOf } from './run.js';

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
  readonly detection?: Detection;
  /** Milliseconds of an answer, where they were kept. */
  readonly ms?: { readonly p50: number; readonly p95: number };
  readonly normaliser?: number;
}

/**
 * The form in which texts of slots are compared. `written`: as the papers do. `atc-1`: after the normaliser of the recogniser's benchmark,
 * for recognisers and models that write figures or spell otherwise.
 */
export const NORMALISERS = { written: asWritten, 'atc-1': (text: string) => normalise(text).join(' ') } as const satisfies Record<string, Form>;
export type Normaliser = keyof typeof NORMALISERS;

export interface Scoring extends Resampling {
  readonly normaliser?: Normaliser;
  /** Share of readbacks that are wrong, for the figures of alarms. */
  readonly baseRate?: number;
}

/**
 * Scores `lines`, of which the last one of an id counts, against `gold`, whose items must have passed the schema of their task. `seconds`:
 * audio of an item, where it was heard.
 */
export function scoreAnswers(task: Task, gold: readonly Gold[], lines: Iterable<AnswerLine>, scoring: Scoring = {}, seconds?: ReadonlyMap<string, number>): Scored {
  const answers = new Map<string, AnswerLine>();
  for (const line of lines) answers.set(line.id, line);
  const ids = new Set(gold.map(({ id }) => id));
  const counts = { missing: 0, failed: 0, unreadable: 0 };
  const form = NORMALISERS[scoring.normaliser ?? 'written'];
  const figures = ((): Pick<Scored, 'scores' | 'byLabel' | 'byType' | 'risk' | 'detection' | 'normaliser'> => {
    switch (task) {
      case 'task1':
        return scoreTask1(pairs(gold, answers, Task1Gold, ANSWERS.task1, counts), scoring, form);
      case 'task2': {
        const items = pairs(gold, answers, Task2Gold, ANSWERS.task2, counts);
        return { ...scoreTask2(items, scoring), detection: detection(items.map((item) => ({ ...item, seconds: seconds?.get(item.gold.id) })), scoring.baseRate, scoring) };
      }
      case 'ground':
        return scoreGround(inForm(pairs(gold, answers, GroundGold, ANSWERS.ground, counts), form), scoring);
      case 'speech':
        return scoreSpeech(pairs(gold, answers, SpeechGold, ANSWERS.speech, counts), scoring);
    }
  })();
  const times = [...answers.values()].flatMap((line) => (typeof line['ms'] === 'number' && ids.has(line.id) ? [line['ms']] : []));
  const { scores, byLabel, byType, risk, detection: alarms, normaliser } = figures;
  return {
    task, items: gold.length, ...counts, unknown: [...answers.keys()].filter((id) => !ids.has(id)).length, scores,
    ...(byLabel === undefined ? {} : { byLabel }), ...(byType === undefined ? {} : { byType }), ...(risk === undefined ? {} : { risk }), ...(alarms === undefined ? {} : { detection: alarms }), ...(normaliser === undefined ? {} : { normaliser }),
    ...(times.length === 0 ? {} : { ms: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) } }),
  };
}

/** Answers to one input by one system. */
export interface ConditionScores {
  readonly condition: string;
  readonly input: string;
  readonly kind: RunManifest['config']['inputs'][number]['kind'];
  readonly snr?: Snr | undefined;
  readonly system: string;
  readonly tasks: Readonly<Partial<Record<Task, Scored & { readonly counts: Counts }>>>;
  /** Against the same items as text by the same system, where the run has both. */
  readonly induced?: Readonly<Partial<Record<Task, Induced>>>;
}

export interface InputScores {
  readonly input: string;
  readonly snr?: Snr | undefined;
  readonly tasks: Readonly<Partial<Record<Task, HeardFigures>>>;
}

/** All figures of a run. */
export interface RunScores {
  readonly format: 1;
  readonly about: string;
  readonly manifest: RunManifest;
  /** How slots were compared, and the version behind WER and CER. */
  readonly normaliser: { readonly slots: Normaliser; readonly version: number; readonly sha256: string };
  readonly resampling: { readonly seed: number; readonly rounds: number };
  readonly conditions: readonly ConditionScores[];
  readonly heard: readonly InputScores[];
}

/** The items of a run; of one condition, those that have something to hear in it. */
async function goldOf(folder: string, { config }: RunManifest, task: Task): Promise<Gold[]> {
  const gold: Gold[] = [];
  for await (const item of itemsOf(folder, task, config.limit, config.shard)) gold.push(item);
  return gold;
}

/**
 * Scores a run. In a condition, items that have nothing to hear in it (no speech was made for them) are left out, and counted as skipped.
 *
 * @throws HearbackError not-found without a run
 */
export async function scoreRun(folder: string, scoring: Scoring = {}, progress: (what: string) => void = () => undefined): Promise<RunScores> {
  const manifest = readManifest(folder);
  const { config } = manifest;
  const conditions = new Map<string, Omit<ConditionScores, 'tasks' | 'induced'> & { tasks: Partial<Record<Task, Scored & { counts: Counts }>>; induced?: Partial<Record<Task, Induced>> }>();
  const heard = new Map<string, { input: string; snr?: Snr | undefined; tasks: Partial<Record<Task, HeardFigures>> }>();
  const cells = cellsOf(config);
  for (const task of TASKS) {
    if (config.data[task] === undefined) continue;
    const gold = await goldOf(folder, manifest, task);
    for (const input of config.inputs) {
      const lines = input.kind === 'text' ? undefined : await heardOf(folder, input.name, task);
      const partsOf = (id: string): (HeardLine | undefined)[] => PARTS[task].map((part) => lines?.get(`${part} ${id}`));
      const there = lines === undefined ? gold.filter((item) => PARTS[task].every((part) => writtenPart(task, item, part) !== undefined)) : gold.filter(({ id }) => partsOf(id).every((line) => line !== undefined));
      if (lines !== undefined && there.length > 0) {
        progress(`${input.name} ${task}`);
        const items = there.flatMap((item) => PARTS[task].map((part, i) => ({ item, part, line: partsOf(item.id)[i] })));
        const figures = scoreHeard(items.map(({ item, part, line }) => ({ gold: { text: line?.reference ?? writtenPart(task, item, part) ?? '', recording: item.recording }, text: line?.error === undefined ? (line?.text ?? '') : null, ms: line?.ms, seconds: line?.seconds, guarded: (line?.guards?.length ?? 0) > 0 })), scoring);
        const entry = heard.get(input.name) ?? { input: input.name, snr: input.snr, tasks: {} };
        entry.tasks[task] = figures;
        heard.set(input.name, entry);
      }
      const seconds = new Map<string, number>(there.flatMap(({ id }): [string, number][] => {
        const parts = partsOf(id).map((line) => line?.seconds);
        return parts.every((part) => part !== undefined) ? [[id, parts.reduce((sum, part) => sum + part, 0)]] : [];
      }));
      for (const cell of cells) {
        if (cell.input !== input.name || cell.task !== task || there.length === 0 || !existsSync(answerFile(folder, cell))) continue;
        const name = conditionName(cell);
        progress(`${name} ${task}`);
        const entry = conditions.get(name) ?? { condition: name, input: input.name, kind: input.kind, snr: input.snr, system: cell.system, tasks: {} };
        const answers = await answersOf(answerFile(folder, cell));
        entry.tasks[task] = { ...scoreAnswers(task, there, answers, scoring, seconds), counts: await countsOf(folder, config, cell) };
        const asText = { ...cell, input: 'text' };
        if (lines !== undefined && existsSync(answerFile(folder, asText))) {
          const byId = (list: readonly AnswerLine[]): Map<string, AnswerLine> => new Map(list.map((line) => [line.id, line]));
          const written = new Map(there.map((item) => [item.id, item]));
          const words = (id: string, part: 'instruction' | 'readback'): { said: string; heard: string | null } => {
            const line = lines.get(`${part} ${id}`);
            const item = written.get(id);
            return { said: line?.reference ?? (item === undefined ? '' : (writtenPart(task, item, part) ?? '')), heard: line === undefined || line.error !== undefined ? null : (line.text ?? '') };
          };
          (entry.induced ??= {})[task] = induced(cell.task, there, byId(await answersOf(answerFile(folder, asText))), byId(answers), words, NORMALISERS[scoring.normaliser ?? 'written'], scoring);
        }
        conditions.set(name, entry);
      }
    }
  }
  const { version, sha256 } = normaliserFacts();
  const order = config.inputs.flatMap((input) => config.systems.map((system) => conditionName({ input: input.name, system: system.name })));
  return {
    format: 1,
    about: aboutData(folder, manifest),
    manifest,
    normaliser: { slots: scoring.normaliser ?? 'written', version, sha256 },
    resampling: { seed: scoring.seed ?? 1, rounds: scoring.rounds ?? 1000 },
    conditions: order.flatMap((name) => conditions.get(name) ?? []),
    heard: config.inputs.flatMap(({ name }) => heard.get(name) ?? []),
  };
}
