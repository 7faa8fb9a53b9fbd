/**
 * Task 2: one readback against its instruction. The rules judge compares values; a language model and a consensus of
 * judges have their place behind the same interface (`Judge` in engine/domain).
 */
import type { Judge } from '../domain/stages.js';
import { judgeByRules } from './rules.js';

export { weighAlternatives } from './alternatives.js';
export { judgeByRules, type JudgeInput, WEAK_MATCH, WEAK_MISMATCH, WEAK_PAIRING } from './rules.js';

/** The rules judge as a stage. Never rejects. */
export function createRulesJudge(): Judge {
  return { name: 'rules', judge: (pair) => Promise.resolve(judgeByRules(pair)) };
}
