/**
 * Transmissions as they come from a recording and exchanges as the dialogue makes them.
 */
import { z } from 'zod';
import { Finding } from './finding.js';
import { Context, Guard, Word } from './understanding.js';

/** One push of the talk key, as text. `start` and `end` in seconds from the start of the recording. */
export const Transmission = z.object({
  id: z.string(),
  start: z.number().optional(),
  end: z.number().optional(),
  /** Channel of the recording or frequency of a simulator; exchanges never cross channels. */
  channel: z.string().optional(),
  /** A speaker label from a corpus. It is a hint only: corpora swap labels, so the words decide. */
  speaker: z.string().optional(),
  text: z.string(),
  words: z.array(Word).optional(),
  guards: z.array(Guard).optional(),
  context: Context.optional(),
});
export type Transmission = z.infer<typeof Transmission>;

/**
 * open: no readback yet. answered: read back (see finding). unanswered: closed without one (time, or the recording ended).
 * superseded: the controller repeated or replaced it before an answer. corrected: the controller corrected the readback and
 * a later exchange carries on. disregarded: the controller took it back.
 */
export const EXCHANGE_STATUSES = ['open', 'answered', 'unanswered', 'superseded', 'corrected', 'disregarded'] as const;
export const ExchangeStatus = z.enum(EXCHANGE_STATUSES);
export type ExchangeStatus = z.infer<typeof ExchangeStatus>;

/** An instruction and what answers it. */
export const Exchange = z.object({
  id: z.string(),
  channel: z.string().optional(),
  callsign: z.string().nullable(),
  /** Transmission id of the instruction. */
  instruction: z.string(),
  /** All transmissions of the instruction, in order, when the controller gave it in more than one. */
  instructions: z.array(z.string()).optional(),
  /** Transmission ids of the readback, in order (two when it came in two halves); empty while there is none. */
  readbacks: z.array(z.string()),
  status: ExchangeStatus,
  /** Seconds; when the instruction ended and when the exchange was closed. */
  opened: z.number().optional(),
  closed: z.number().optional(),
  /** The exchange that this one corrects or repeats. */
  follows: z.string().optional(),
  /** Said why, when status or pairing needs a word ("answered by another aircraft", "repeated after say again" …). */
  note: z.string().optional(),
  /** 0…1: how sure it is that this readback answers this instruction. */
  pairing_confidence: z.number().min(0).max(1),
  finding: Finding.optional(),
});
export type Exchange = z.infer<typeof Exchange>;
