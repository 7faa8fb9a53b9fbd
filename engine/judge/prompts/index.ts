/**
 * Prompts by condition and profile, with the hash that goes into every result made with them.
 */
import { createHash } from 'node:crypto';
import type { AnswerSchema } from '../../domain/language-model.js';
import { ERROR_TYPES, RISK_LEVELS, type Profile } from '../../domain/taxonomy.js';
import { instructions, pairText, type Condition } from './task2-v1.js';

export { CONDITIONS, type Condition } from './task2-v1.js';

export interface Prompt {
  /** "task2/full/icao@1". */
  readonly id: string;
  /** SHA-256 of instructions, form of the pair and schema. */
  readonly sha256: string;
  readonly instructions: string;
  readonly schema: AnswerSchema;
  /** Slots that an answer may name. */
  readonly slots: readonly string[];
  readonly reasoning: boolean;
  readonly pair: (controller: string, pilot: string) => string;
}

const VERSION = 1;

/** The prompt of a condition for a profile. */
export function task2Prompt(condition: Condition, profile: Profile): Prompt {
  const { text, slots, reasoning } = instructions(condition, profile);
  // the order of the fields is the order in which they are written: reasons before the answer
  const properties = {
    ...(reasoning ? { reasoning: { type: 'string' } } : {}),
    is_correct: { type: 'boolean' },
    error_type: { type: 'string', enum: [...ERROR_TYPES] },
    risk_level: { type: 'string', enum: [...RISK_LEVELS] },
    affected_slot: { type: ['string', 'null'], enum: [...slots, null] },
    explanation: { type: 'string' },
  };
  const schema: AnswerSchema = { name: 'readback_judgement', schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false } };
  const sha256 = createHash('sha256').update(JSON.stringify([text, pairText('{controller}', '{pilot}'), schema])).digest('hex');
  return { id: `task2/${condition}/${profile}@${VERSION}`, sha256, instructions: text, schema, slots, reasoning, pair: pairText };
}
