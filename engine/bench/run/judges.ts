/**
 * Who answers the items: a parser for Task 1 and ground, a judge for Task 2.
 */
import { openJudge } from '../../assembly.js';
import type { Finding } from '../../domain/finding.js';
import type { Judge, Notice } from '../../domain/stages.js';
import type { ErrorType, RiskLevel } from '../../domain/taxonomy.js';
import type { Guard, Word } from '../../domain/understanding.js';
import { readGround, understand } from '../../understanding/index.js';
import type { SystemChoice } from './config.js';
import type { GroundGold, Task1Gold, Task2Gold } from './items.js';

/** Words of one transmission, as they are read or were heard. */
export interface Words {
  readonly text: string;
  readonly words?: readonly Word[];
  readonly guards?: readonly Guard[];
}

/** What comes of one item: an answer; or what came instead of one (`answer` is then no answer of the task); or why there is none. */
export type Outcome = { readonly answer: unknown; readonly error?: never } | { readonly error: string; readonly answer?: never };

const HESITATIONS = new Set(['uh', 'um', 'er', 'ehm', 'ah']);
const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/u).filter((word) => !HESITATIONS.has(word));

/** Words of one text that the other lacks, each counted. */
function lacking(from: readonly string[], within: readonly string[]): string[] {
  const left = [...within];
  return from.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

interface Judgement {
  readonly is_correct: boolean;
  readonly error_type: ErrorType;
  readonly risk_level: RiskLevel;
  readonly affected_slot: string | null;
  readonly explanation: string;
}

/**
 * What can be had without understanding: hesitations aside, a readback with the instruction's words in any order is right; else the difference
 * says what is wrong — a word too many is a value, the first word that is missing tells which kind. The bar that a judge has to be above.
 */
export function judgeByDifference(instruction: string, readback: string): Judgement {
  const [said, back] = [wordsOf(instruction), wordsOf(readback)];
  const missing = lacking(said, back);
  const added = lacking(back, said);
  const fillers = readback.toLowerCase().split(/\s+/u).some((word) => HESITATIONS.has(word));
  if (missing.length === 0 && added.length === 0) return { is_correct: true, error_type: fillers ? 'FILLER_CORRECT' : 'CORRECT', risk_level: 'CORRECT', affected_slot: null, explanation: 'The same words.' };
  const explanation = `Missing: ${missing.join(' ') || 'nothing'}; added: ${added.join(' ') || 'nothing'}.`;
  if (added.length > 0) return { is_correct: false, error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: null, explanation };
  if (missing.some((word) => ['after', 'when', 'until', 'before', 'not', 'behind'].includes(word))) return { is_correct: false, error_type: 'CONSTRAINT_HIGH', risk_level: 'HIGH', affected_slot: 'condition', explanation };
  if (missing.some((word) => ['knots', 'speed', 'decimal', 'point'].includes(word))) return { is_correct: false, error_type: 'OMISSION_HIGH', risk_level: 'HIGH', affected_slot: null, explanation };
  return { is_correct: false, error_type: 'OMISSION_CRITICAL', risk_level: 'CRITICAL', affected_slot: null, explanation };
}

/** The answer to a Task 1 item in the output contract K.1. */
function answerTask1({ id }: Pick<Task1Gold, 'id'>, { text, words, guards }: Words): Outcome {
  const { utterance_action, tokens } = understand({ id, text, ...(words === undefined ? {} : { words }), ...(guards === undefined ? {} : { guards }) });
  return { answer: { utterance: text, utterance_action, tokens } };
}

/** Intents of the product as the four classes of arXiv 2605.11769: a request, a report and what else is neither are "inform". */
const INTENTIONS: Readonly<Record<string, string>> = { instruction: 'instruction', correction: 'instruction', readback: 'readback', acknowledge: 'readback', greet: 'greet' };

/** The answer to a ground item. */
function answerGround({ id }: Pick<GroundGold, 'id'>, { text, words, guards }: Words): Outcome {
  const understanding = understand({ id, text, ...(words === undefined ? {} : { words }), ...(guards === undefined ? {} : { guards }) });
  const { action, slots } = readGround(understanding);
  return { answer: { speaker: understanding.role, intention: INTENTIONS[understanding.intent] ?? 'inform', action, entities: slots.map(({ type, text: words_ }) => ({ type, text: words_ })) } };
}

/** A finding as an answer in the output contract K.2, with what the judges said; of a judge that is silent, what there was instead. */
function outcomeOf(finding: Finding, judge: string): Outcome {
  const { is_correct, error_type, risk_level, affected_slot, explanation, verdict, confidence, doubts, model_answers, opinions, policy } = finding;
  const more = { ...(doubts.length === 0 ? {} : { doubts }), ...(opinions === undefined ? {} : { opinions }), ...(policy === undefined ? {} : { policy }), ...(model_answers === undefined ? {} : { model_answers }) };
  const silent = model_answers?.find(({ outcome }) => outcome === 'late' || outcome === 'failed');
  // the rules alone are not what was asked for: with a server that is down, a run of "consensus" would be one of "rules"
  if (silent !== undefined) return { error: doubts.find((doubt) => /^(?:late|failed):/u.test(doubt)) ?? `The language model was ${silent.outcome}.` };
  if (judge === 'llm' && model_answers?.some(({ outcome }) => outcome === 'unreadable' || outcome === 'not-asked') === true) return { answer: { unreadable: doubts[0] ?? 'no answer that can be read', ...more } };
  return { answer: { is_correct, error_type, risk_level, affected_slot, explanation, verdict, confidence, ...more } };
}

/** A parser and a judge, open. */
export interface System {
  readonly name: string;
  readonly notices: readonly Notice[];
  task1(gold: Pick<Task1Gold, 'id'>, utterance: Words): Outcome;
  ground(gold: Pick<GroundGold, 'id'>, utterance: Words): Outcome;
  /** Under the published taxonomy (profile `paper`). */
  task2(gold: Pick<Task2Gold, 'id'>, instruction: Words, readback: Words): Promise<Outcome>;
  close(): Promise<void>;
}

/** @throws HearbackError as openJudge */
export async function openSystem(choice: SystemChoice & { readonly name: string }): Promise<System> {
  const { name, judge: kind } = choice;
  const judge: Judge | undefined = kind === 'string-difference' ? undefined : await openJudge({ judge: kind, llmProvider: choice.provider, llmUrl: choice.url, llmModel: choice.model, llmPrompt: choice.prompt, llmTimeLimit: choice.time_limit });
  return {
    name,
    get notices() {
      return judge?.notices ?? [];
    },
    task1: answerTask1,
    ground: answerGround,
    task2: async ({ id }, instruction, readback) => {
      if (judge === undefined) return { answer: judgeByDifference(instruction.text, readback.text) };
      const said = understand({ id: `${id}/instruction`, ...instruction });
      const back = understand({ id: `${id}/readback`, ...readback, heard: said.callsign === null ? [] : [said.callsign] });
      return outcomeOf(await judge.judge({ instruction: said, readback: back, profile: 'paper', guards: { instruction: instruction.guards ?? [], readback: readback.guards ?? [] } }), kind);
    },
    close: async () => {
      await judge?.close?.();
    },
  };
}
