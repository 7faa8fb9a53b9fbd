/**
 * A small network that reads one instruction and one readback and scores the ten error types in one pass. engine/llm/ runs it,
 * engine/judge/ makes findings of it.
 */
import type { Destination } from './language-model.js';
import type { Notice } from './stages.js';
import type { ErrorType, Profile } from './taxonomy.js';

/** What the network thinks of one word: nothing; another value; a value, or a condition, that did not come back; another callsign … */
export const MARKS = ['o', 'wrong', 'missing', 'condition', 'target', 'filler', 'format'] as const;
export type Mark = (typeof MARKS)[number];

export interface PairScores {
  /** Calibrated probabilities, together 1. */
  readonly types: Readonly<Record<ErrorType, number>>;
  /** The likeliest slot; null: none. */
  readonly slot: string | null;
  /** One for each word of either half, as split at white space. */
  readonly marks: { readonly instruction: readonly Mark[]; readonly readback: readonly Mark[] };
  readonly milliseconds: number;
}

export interface PairScorer {
  readonly model: string;
  /** SHA-256 of the network's file: with the pair it decides the scores. */
  readonly sha256: string;
  readonly destination: Destination;
  readonly notices: readonly Notice[];
  /**
   * @returns null when the pair is longer than the network can read.
   * @throws HearbackError model-broken
   */
  score(pair: { readonly instruction: string; readonly readback: string; readonly profile: Profile }): Promise<PairScores | null>;
  close(): Promise<void>;
}
