/**
 * The JSON that goes in and out of the command line. Published as JSON Schema under docs/schema/ (`npm run schemas`).
 */
import { z } from 'zod';
import { Finding } from './finding.js';
import { Exchange, Transmission } from './exchange.js';
import { Context, Guard, Understanding, Word } from './understanding.js';

/** `hearback transcribe --json`: one line a transmission. Times in seconds. */
export const TranscribeLine = z.object({
  file: z.string(),
  channel: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  words: z.array(Word),
  confidence: z.number(),
  guard: z.array(Guard),
  model: z.string(),
  unbiased_text: z.string().optional(),
});
export type TranscribeLine = z.infer<typeof TranscribeLine>;

/** `hearback understand --in`: one line in. */
export const UnderstandInput = z.object({ id: z.coerce.string().optional(), text: z.string(), words: z.array(Word).optional(), context: Context.optional() });
/** `hearback understand`: one line out. */
export const UnderstandOutput = Understanding;

/** `hearback judge --in`: one line in. */
export const JudgeInput = z.object({ id: z.coerce.string().optional(), instruction: z.string(), readback: z.string(), context: Context.optional() });
/** `hearback judge`: one line out. */
export const JudgeOutput = Finding.extend({ id: z.string() });
export type JudgeOutput = z.infer<typeof JudgeOutput>;

/** `hearback dialogue --in`: one line in. */
export const DialogueInputLine = Transmission;
/** `hearback dialogue`: one line an exchange; the finding's fields are spread into it when there is one. */
export const DialogueOutput = z.object({
  instruction: z.string(),
  readback: z.string().nullable(),
  /** All transmissions of the readback when it came in more than one. */
  readbacks: z.array(z.string()),
  status: Exchange.shape.status,
  exchange: z.string(),
  callsign: z.string().nullable(),
  pairing_confidence: z.number(),
  note: z.string().optional(),
  ...Finding.partial().shape,
});
export type DialogueOutput = z.infer<typeof DialogueOutput>;

/** `--context FILE`: the traffic known to be on frequency. */
export const TrafficList = Context;
