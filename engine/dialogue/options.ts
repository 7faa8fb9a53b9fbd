import type { Understand } from '../domain/stages.js';

/**
 * Times of the dialogue, in seconds. Defaults are from real exchanges: between an instruction and its readback 99 % of
 * the gaps are under 1.2 s when nobody else speaks; on a busy feed gaps between turns reach 4.2 s (95 %).
 */
export interface DialogueOptions {
  /** The parser, to read the pieces of one transmission again as a whole; without it they are put together as they were read. */
  readonly understand?: Understand;
  /** Quiet time after which an instruction counts as unanswered; time in which others speak does not count. */
  readonly answerWithin?: number;
  /** How long after an alert a clear readback is still taken as the answer. */
  readonly lateWithin?: number;
  /** Gap under which a second transmission of the controller belongs to the first. */
  readonly continuationWithin?: number;
  /** Gap under which a second transmission of the pilot belongs to the readback. */
  readonly secondHalfWithin?: number;
  /** How long after a readback "negative …" still corrects it. */
  readonly correctionWithin?: number;
  /** How long a callsign is remembered for the similar-callsigns alert. */
  readonly similarWithin?: number;
}

export type Settings = Required<Omit<DialogueOptions, 'understand'>> & Pick<DialogueOptions, 'understand'>;

export const DEFAULTS: Settings = {
  answerWithin: 10,
  lateWithin: 60,
  continuationWithin: 3,
  secondHalfWithin: 8,
  correctionWithin: 60,
  similarWithin: 600,
};
