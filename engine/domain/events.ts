/**
 * Everything that happens in a session is one of these, in one append-only log.
 */
import { z } from 'zod';
import { Exchange } from './exchange.js';
import { Finding } from './finding.js';
import { Profile, RiskLevel, Role } from './taxonomy.js';
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
  /** Asked for by a person after the first answer; pairing stays as it was. */
  rerun: z.literal(true).optional(),
});
const TransmissionFailed = z.object({ type: z.literal('transmission.failed'), transmission: z.string(), attempt: z.number().int(), error: z.string() });
const TransmissionUnderstood = z.object({ type: z.literal('transmission.understood'), transmission: z.string(), understanding: Understanding });
const ExchangeOpened = z.object({ type: z.literal('exchange.opened'), exchange: Exchange });
const ExchangeUpdated = z.object({ type: z.literal('exchange.updated'), exchange: Exchange });
/** `latency_ms`: from the end of the readback's audio being available to the finding. */
const FindingMade = z.object({ type: z.literal('finding.made'), exchange: z.string(), finding: Finding, latency_ms: z.number().optional(), rerun: z.literal(true).optional() });
const AlertRaised = z.object({
  type: z.literal('alert.raised'),
  exchange: z.string(),
  alert: z.enum(['no-readback', 'other-aircraft-answered', 'similar-callsigns']),
  text: z.string(),
});
const SessionEnded = z.object({ type: z.literal('session.ended'), reason: z.enum(['end-of-audio', 'stopped', 'failed']), seconds: z.number() });
/** Who is known to be on frequency from now on; without a channel, for all that have no list of their own. An empty list takes it back. */
const ContextChanged = z.object({ type: z.literal('context.changed'), channel: z.string().optional(), callsigns: z.array(z.string()) });
const SessionRenamed = z.object({ type: z.literal('session.renamed'), name: z.string().min(1).max(200) });
/** The session may be deleted so many days after its start; null: it is kept for good; left out: as the settings say. */
const RetentionSet = z.object({ type: z.literal('session.retention'), days: z.number().int().positive().nullable().optional() });

const Reviewer = z.string().trim().min(1).max(100);
const Positions = z.array(z.number().int().nonnegative()).max(1000);
/** A person's word on a finding; the machine's own answer stays beside it. */
const ReviewDecided = z.object({
  type: z.literal('review.decided'),
  exchange: z.string(),
  reviewer: Reviewer,
  decision: z.enum(['agree', 'overrule']),
  error_type: z.string().max(100).optional(),
  /** Where the reviewer sees another level than the one that goes with the type. */
  risk_level: RiskLevel.optional(),
  /** Words that decide, as positions in either half; they run on over all transmissions of a half. */
  words: z.object({ instruction: Positions, readback: Positions }).optional(),
  note: z.string().max(4000).optional(),
});
const TextEdited = z.object({ type: z.literal('review.text-edited'), transmission: z.string(), reviewer: Reviewer, text: z.string().max(4000) });
/** Who spoke, by a person's word. `callsign`: of the aircraft spoken to or speaking; left out where nothing is said about it. */
const SpeakerEdited = z.object({ type: z.literal('review.speaker-edited'), transmission: z.string(), reviewer: Reviewer, role: Role, callsign: z.string().max(20).nullable().optional() });
/** A remark, on an exchange, on a transmission, or on the whole session. */
const Noted = z.object({ type: z.literal('review.noted'), exchange: z.string().optional(), transmission: z.string().optional(), reviewer: Reviewer, text: z.string().trim().min(1).max(4000) });
/** Takes back event number `undoes`, which is a review event that has not been taken back. */
const Undone = z.object({ type: z.literal('review.undone'), undoes: z.number().int().positive(), reviewer: Reviewer });

/** What a person says in review. */
export const ReviewEvent = z.discriminatedUnion('type', [ReviewDecided, TextEdited, SpeakerEdited, Noted, Undone]);
export type ReviewEvent = z.infer<typeof ReviewEvent>;

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
  ContextChanged,
  SessionRenamed,
  RetentionSet,
  ReviewDecided,
  TextEdited,
  SpeakerEdited,
  Noted,
  Undone,
]);
export type HearbackEvent = z.infer<typeof HearbackEvent>;

/** An event as it lies in the log: `seq` starts at 1 and has no holes; `at` is wall-clock time, ISO 8601. */
export const LoggedEvent = z.object({ seq: z.number().int().positive(), at: z.string(), event: HearbackEvent });
export type LoggedEvent = z.infer<typeof LoggedEvent>;
