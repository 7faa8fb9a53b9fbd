/**
 * One thing to be measured, whatever it was read from: its line in our own layout (engine/bench/run/items.ts), sounds by paths that can be opened.
 */
import { z } from 'zod';
import type { Gold, GOLD } from '../run/items.js';

/** What may stand in a line beside what is scored. Kept when a benchmark is imported. */
export const Around = z.object({
  /** Who speaks a single utterance. */
  role: z.enum(['controller', 'pilot']).optional(),
  /** Traffic that was on the frequency, ICAO form. */
  callsigns: z.array(z.string()).optional(),
  /** Of a Task 2 item (K.2). */
  affected_slot: z.string().nullable().optional(),
  explanation: z.string().optional(),
});
export type Around = z.infer<typeof Around>;

export type BenchItem = { readonly [T in keyof typeof GOLD]: { readonly task: T; readonly gold: z.output<(typeof GOLD)[T]>; readonly around: Around } }[keyof typeof GOLD];

/** By part of an item, as the line has them. */
export type Sounds = NonNullable<Gold['audio']>;

/** A row, segment or file that cannot be used. The rest is read all the same. */
export interface Bad {
  /** File, relative to what was asked for where it is inside. */
  readonly where: string;
  readonly line?: number;
  /** What is wrong, to follow "it is left out: ". */
  readonly why: string;
}
export type OnBad = (bad: Bad) => void;
