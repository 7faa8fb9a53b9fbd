/**
 * Who answers the items.
 */
import { createRulesJudge } from '../../judge/index.js';
import { understand } from '../../understanding/index.js';
import type { ErrorType, RiskLevel } from '../../domain/taxonomy.js';
import type { Task1Gold, Task2Gold } from './items.js';

export const BENCH_JUDGES = ['rules', 'string-difference'] as const;
export type BenchJudge = (typeof BENCH_JUDGES)[number];

/** The answer to a Task 1 item in the output contract K.1. */
export function answerTask1({ id, utterance }: Pick<Task1Gold, 'id' | 'utterance'>): { utterance: string; utterance_action: readonly string[]; tokens: readonly { text: string; label: string }[] } {
  const { utterance_action, tokens } = understand({ id, text: utterance });
  return { utterance, utterance_action, tokens };
}

interface Answer {
  readonly is_correct: boolean;
  readonly error_type: ErrorType;
  readonly risk_level: RiskLevel;
  readonly affected_slot: string | null;
  readonly explanation: string;
  /** "uncertain" where the rules judge would not commit itself; the fields above are then the most severe reading. */
  readonly verdict?: string;
}

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

/**
 * What can be had without understanding: hesitations aside, a readback with the instruction's words in any order is right; else the difference
 * says what is wrong — a word too many is a value, the first word that is missing tells which kind. The bar that a judge has to be above.
 */
export function judgeByDifference(instruction: string, readback: string): Answer {
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

const RULES = createRulesJudge();

/** The answer to a Task 2 item in the output contract K.2, under the published taxonomy (profile `paper`). */
export async function answerTask2(judge: BenchJudge, { id, instruction, readback }: Pick<Task2Gold, 'id' | 'instruction' | 'readback'>): Promise<Answer> {
  if (judge === 'string-difference') return judgeByDifference(instruction, readback);
  const said = understand({ id: `${id}/instruction`, text: instruction });
  const back = understand({ id: `${id}/readback`, text: readback, heard: said.callsign === null ? [] : [said.callsign] });
  const { is_correct, error_type, risk_level, affected_slot, explanation, verdict } = await RULES.judge({ instruction: said, readback: back, profile: 'paper' });
  return { is_correct, error_type, risk_level, affected_slot, explanation, verdict };
}
