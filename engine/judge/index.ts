/**
 * Task 2: one readback against its instruction. The rules judge compares values, the language model reads both halves, and the
 * consensus makes one finding of two; all behind the same interface (`Judge` in engine/domain).
 */
import type { Judge } from '../domain/stages.js';
import { judgeByRules } from './rules.js';

export { weighAlternatives } from './alternatives.js';
export { judgeByRules, type JudgeInput, WEAK_MATCH, WEAK_MISMATCH, WEAK_PAIRING } from './rules.js';
export { createLlmJudge, PROMPT_CONDITIONS, type LlmJudgeOptions, type PromptCondition } from './llm.js';
export { createEmbeddedJudge, EMBEDDED_READING, EMBEDDED_THRESHOLDS, type EmbeddedThresholds } from './embedded.js';
export { createConsensusJudge, combine, ConsensusPolicy, DEFAULT_POLICY, EMBEDDED_POLICY } from './consensus.js';

/** The rules judge as a stage. Never rejects. */
export function createRulesJudge(): Judge {
  return { name: 'rules', judge: (pair) => Promise.resolve(judgeByRules(pair)) };
}
