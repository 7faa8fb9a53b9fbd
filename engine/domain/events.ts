/**
 * Everything that happens in a session is one of these, in one append-only log.
 */
import { z } from 'zod';
import { Exchange } from './exchange.js';
import { Finding } from './finding.js';
import { Profile } from './taxonomy.js';
import { Guard, Understanding, Word } from './understanding.js';

const SessionStarted = z.object({
  type: z.literal('session.started'),
  source: z.string(),
  channels: z.array(z.string()),
  recogniser: z.string(),
  device: z.string(),
  judge: z.string(),
  profile: Profile,
  version: z.string(),
});
const NoticeGiven = z.object({ type: z.literal('notice'), kind: z.string(), text: z.string(), severity: z.enum(['info', 'warning', 'error']) });
/** The audio of a transmission is on disk. Seconds from the start of the recording; `audio` is a path inside the session folder. */
const TransmissionCaptured = z.object({
  type: z.literal('transmission.captured'),
  transmission: z.string(),
  channel: z.string(),
  start: z.number(),
  end: z.number(),
  audio: z.string(),
  /** Why the segment ended: 'silence' | 'max-length' | 'end-of-audio'. */
  ended: z.string(),
});
const TransmissionRecognised = z.object({
  type: z.literal('transmission.recognised'),
  transmission: z.string(),
  text: z.string(),
  words: z.array(Word),
  confidence: z.number(),
  guards: z.array(Guard),
  model: z.string(),
  device: z.string(),
  unbiased_text: z.string().optional(),
  milliseconds: z.object({ encode: z.number(), decode: z.number(), total: z.number() }),
});
const TransmissionFailed = z.object({ type: z.literal('transmission.failed'), transmission: z.string(), attempt: z.number().int(), error: z.string() });
const TransmissionUnderstood = z.object({ type: z.literal('transmission.understood'), transmission: z.string(), understanding: Understanding });
const ExchangeOpened = z.object({ type: z.literal('exchange.opened'), exchange: Exchange });
const ExchangeUpdated = z.object({ type: z.literal('exchange.updated'), exchange: Exchange });
/** `latency_ms`: from the end of the readback's audio being available to the finding. */
const FindingMade = z.object({ type: z.literal('finding.made'), exchange: z.string(), finding: Finding, latency_ms: z.number().optional() });
const AlertRaised = z.object({
  type: z.literal('alert.raised'),
  exchange: z.string(),
  alert: z.enum(['no-readback', 'other-aircraft-answered', 'similar-callsigns']),
  text: z.string(),
});
const SessionEnded = z.object({ type: z.literal('session.ended'), reason: z.enum(['end-of-audio', 'stopped', 'failed']), seconds: z.number() });
/** A person's word on a finding or a transcript; the machine's own answer stays beside it. */
const ReviewDecided = z.object({
  type: z.literal('review.decided'),
  exchange: z.string(),
  reviewer: z.string(),
  decision: z.enum(['agree', 'overrule']),
  error_type: z.string().optional(),
  note: z.string().optional(),
});
const TextEdited = z.object({ type: z.literal('review.text-edited'), transmission: z.string(), reviewer: z.string(), text: z.string() });

export const HearbackEvent = z.discriminatedUnion('type', [
  SessionStarted,
  NoticeGiven,
  TransmissionCaptured,
  TransmissionRecognised,
  TransmissionFailed,
  TransmissionUnderstood,
  ExchangeOpened,
  ExchangeUpdated,
  FindingMade,
  AlertRaised,
  SessionEnded,
  ReviewDecided,
  TextEdited,
]);
export type HearbackEvent = z.infer<typeof HearbackEvent>;

/** An event as it lies in the log: `seq` starts at 1 and has no holes; `at` is wall-clock time, ISO 8601. */
export const LoggedEvent = z.object({ seq: z.number().int().positive(), at: z.string(), event: HearbackEvent });
export type LoggedEvent = z.infer<typeof LoggedEvent>;
