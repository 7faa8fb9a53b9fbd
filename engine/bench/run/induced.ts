/**
 * What speech recognition costs in a run: every condition that was heard, beside the same items as text by the same system.
 */
import { changes, degradation, type Change, type Degradation, type VoiceRow } from '../degradation/degradation.js';
import { misheard } from '../degradation/meaning.js';
import { GROUND_FIGURES, GROUND_SCORES } from '../scores/ground.js';
import { mean, recordingOf, type Resampling } from '../scores/interval.js';
import { scoreUtterance, TASK1_SCORES, type Form } from '../scores/task1.js';
import { TASK2_HITS, TASK2_SCORES, TASK2_WHOLE, type JudgedItem, type Task2Score } from '../scores/task2.js';
import { ANSWERS, GroundGold, Task1Gold, Task2Gold, type AnswerLine, type Gold, type Task } from './items.js';
import { inForm, pairs } from './answers.js';

export interface Induced {
  readonly changes: Readonly<Record<string, Change>>;
  /** Of Task 2: what was lost where, phantom flags and masked errors. */
  readonly exchanges?: Degradation;
}

type Answers = ReadonlyMap<string, AnswerLine>;
/** The words of a part that were said, and that were heard; null: it could not be heard. */
export type SaidAndHeard = (id: string, part: 'instruction' | 'readback') => { readonly said: string; readonly heard: string | null };

/** Variants of scores say nothing more here. */
const TASK1_MAIN = TASK1_SCORES.filter((name) => !/_(?:uniform|high|no_cond|core_only|erp)/u.test(name));

function task2Score(name: Task2Score, items: readonly JudgedItem[]): number {
  if (name === 'et_f1' || name === 'wds') return TASK2_WHOLE[name](items);
  const { is, among } = TASK2_HITS[name];
  return mean((among === undefined ? items : items.filter(among)).map((item) => (is(item) ? 1 : 0)));
}

/** `gold`: items that have answers in both. */
export function induced(task: Exclude<Task, 'speech'>, gold: readonly Gold[], text: Answers, voice: Answers, words: SaidAndHeard, form: Form, resampling: Resampling): Induced {
  switch (task) {
    case 'task1': {
      const [a, b] = [pairs(gold, text, Task1Gold, ANSWERS.task1), pairs(gold, voice, Task1Gold, ANSWERS.task1)];
      const rows = a.map((item, i) => ({ gold: item.gold, text: scoreUtterance(item.gold, item.answer, form), voice: scoreUtterance(item.gold, b[i]?.answer ?? null, form) }));
      return { changes: changes(rows, Object.fromEntries(TASK1_MAIN.map((name) => [name, (s: readonly (typeof rows)[number][]) => [mean(s.map((row) => row.text[name])), mean(s.map((row) => row.voice[name]))] as const])), resampling, recordingOf) };
    }
    case 'task2': {
      const [a, b] = [pairs(gold, text, Task2Gold, ANSWERS.task2), pairs(gold, voice, Task2Gold, ANSWERS.task2)];
      const rows = a.map((item, i): VoiceRow => {
        const wrong = (part: 'instruction' | 'readback'): boolean => {
          const { said, heard } = words(item.gold.id, part);
          return heard === null || misheard(said, heard);
        };
        return { gold: item.gold, text: item.answer, voice: b[i]?.answer ?? null, misheard: { instruction: wrong('instruction'), readback: wrong('readback') } };
      });
      const of = (s: readonly VoiceRow[], which: 'text' | 'voice'): JudgedItem[] => s.map((row) => ({ gold: row.gold, answer: row[which] }));
      return { changes: changes(rows, Object.fromEntries(TASK2_SCORES.map((name) => [name, (s: readonly VoiceRow[]) => [task2Score(name, of(s, 'text')), task2Score(name, of(s, 'voice'))] as const])), resampling, recordingOf), exchanges: degradation(rows, resampling) };
    }
    case 'ground': {
      const [a, b] = [inForm(pairs(gold, text, GroundGold, ANSWERS.ground), form), inForm(pairs(gold, voice, GroundGold, ANSWERS.ground), form)];
      const rows = a.map((item, i) => ({ gold: item.gold, text: item.answer, voice: b[i]?.answer ?? null }));
      return { changes: changes(rows, Object.fromEntries(GROUND_SCORES.map((name) => [name, (s: readonly (typeof rows)[number][]) => [GROUND_FIGURES[name](s.map((row) => ({ gold: row.gold, answer: row.text }))), GROUND_FIGURES[name](s.map((row) => ({ gold: row.gold, answer: row.voice })))] as const])), resampling, recordingOf) };
    }
  }
}
