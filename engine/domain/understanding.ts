/**
 * What one transmission says: words, chunks (Task 1), and semantic items with canonical values.
 */
import { z } from 'zod';
import { Action, ChunkLabel, Intent, Role } from './taxonomy.js';

/** What might have been said in place of a word; `text` may be two words ("five left" for a last "five"). */
export const WordAlternative = z.object({ text: z.string(), probability: z.number().min(0).max(1) });
export type WordAlternative = z.infer<typeof WordAlternative>;

/** A recognised word. Times are seconds from the start of the recording; confidence 0…1. */
export const Word = z.object({
  text: z.string(),
  start: z.number().optional(),
  end: z.number().optional(),
  confidence: z.number().min(0).max(1).optional(),
  /** Other words that the recogniser thinks possible here, likeliest first. With `confidence` they sum up to at most 1. */
  alternatives: z.array(WordAlternative).optional(),
  /** The word was taken from a callsign of the traffic list; what was heard without the list is in the unbiased text. */
  listed: z.literal(true).optional(),
});
export type Word = z.infer<typeof Word>;

/** Why a recognised text is not to be trusted; see docs/behaviour.md, section on guards. */
export const GuardReason = z.enum([
  'repetition',
  'too-many-tokens-per-second',
  'text-too-long-for-audio',
  'text-too-short-for-audio',
  'no-speech',
  'low-confidence',
  'speech-without-text',
  'clipped-start',
  'clipped-end',
  'overlap',
  'recogniser-failed',
  'token-limit',
]);
export type GuardReason = z.infer<typeof GuardReason>;

/** One tripped guard: the reason and a sentence with the figures. */
export const Guard = z.object({ reason: GuardReason, detail: z.string() });
export type Guard = z.infer<typeof Guard>;

/** What is known from outside about the moment of a transmission. */
export const Context = z.object({
  /** Traffic on frequency in ICAO form: airline code + flight ("DLH9TP") or registration without hyphen ("OKPMB"). */
  callsigns: z.array(z.string()).optional(),
  /** How far the recogniser may go towards them: 0 not at all, 1 (default) where the audio bears it out; more hides wrong callsigns. */
  strength: z.number().min(0).max(3).optional(),
});
export type Context = z.infer<typeof Context>;

/** What a value is about. The Task 1 slots that carry values, and what PANS-ATM §4.5.7.5 adds. */
export const VALUE_SLOTS = [
  'altitude',
  'heading',
  'speed',
  'runway',
  'frequency',
  'qnh',
  'squawk',
  'waypoint',
  'taxiway',
  'holding_point',
  'stand',
  'route',
  'procedure',
  'approach',
  'transition_level',
  'controller',
  'traffic',
  'distance',
  'time',
  'wind',
  'information',
  'vertical_rate',
] as const;
export const ValueSlot = z.enum(VALUE_SLOTS);
export type ValueSlot = z.infer<typeof ValueSlot>;

/** What a phrase does, as a canonical verb. Named after the phraseology of PANS-ATM §12. */
export const VERBS = [
  'climb',
  'descend',
  'maintain',
  'stop_climb',
  'stop_descent',
  'expedite',
  'turn_left',
  'turn_right',
  'turn',
  'fly_heading',
  'continue_heading',
  'reduce_speed',
  'increase_speed',
  'maintain_speed',
  'resume_speed',
  'direct',
  'resume_navigation',
  'intercept',
  'hold',
  'orbit',
  'cleared_route',
  'cleared_approach',
  'cleared_to_land',
  'cleared_takeoff',
  'cleared_touch_and_go',
  'cleared_low_approach',
  'cancel_takeoff',
  'cancel_clearance',
  'go_around',
  'continue_approach',
  'line_up',
  'hold_short',
  'cross_runway',
  'vacate',
  'backtrack',
  'taxi',
  'hold_position',
  'pushback',
  'startup',
  'give_way',
  'follow',
  'number',
  'contact',
  'monitor',
  'standby_for',
  'squawk',
  'ident',
  'set_qnh',
  'report',
  'join_pattern',
  'cross_waypoint',
  'expect',
  'approved',
] as const;
export const Verb = z.enum(VERBS);
export type Verb = z.infer<typeof Verb>;

/** How an item is meant. Only `command` (and its repetition in a readback) has to come back. */
export const MODALITIES = ['command', 'report', 'request', 'expect', 'information', 'question', 'negated'] as const;
export const Modality = z.enum(MODALITIES);
export type Modality = z.infer<typeof Modality>;

/** Half-open range of word positions [from, to) in the transmission's words. */
export const Span = z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]);
export type Span = z.infer<typeof Span>;

/**
 * One canonical value in a transmission.
 *
 * Canonical forms: altitude "FL100" | "4000" (feet) | "1200M" (metres); heading "005"…"360", "PRESENT", "RUNWAY", or a
 * change "L020"/"R020"/"020"(by degrees, side unknown, with unit "deg"); speed "180" (knots) | "M0.78"; runway "07", "16L";
 * frequency "118.105" (MHz, three decimals); qnh "1013" (hPa) | "29.92" (inches); squawk "2000"; distance "4"
 * (nautical miles); time "0905"; waypoint, taxiway, stand, procedure: upper case without blanks ("KILNU", "A3", "B42").
 */
export const Item = z.object({
  slot: ValueSlot,
  value: z.string(),
  /** FL, ft, m, kt, mach, deg, hPa, inHg, MHz, nm, min, ft/min … where it was said or is certain; else left out. */
  unit: z.string().optional(),
  verb: Verb.optional(),
  action: Action.optional(),
  modality: Modality,
  /** Limits said with the value: "or_less", "or_greater", "at_or_above", "at_or_below", "not_above", "not_below". */
  bound: z.string().optional(),
  /** Where it stood. */
  span: Span,
  /** 0…1: product of how sure the recogniser was of the words and how sure the grammar is of the reading. */
  confidence: z.number().min(0).max(1),
  /** Digits are missing at that end because the audio (or the talk key) cut them off, or may be. */
  clipped: z.enum(['head', 'tail']).optional(),
  /** Other canonical readings of the same words. */
  alternatives: z.array(z.string()).optional(),
  /**
   * A number without a word that says what it is ("one six zero speedbird eight five five"): `slot` is a guess, and
   * whoever compares it looks at the digits against any slot.
   */
  bare: z.boolean().optional(),
});
export type Item = z.infer<typeof Item>;

/** An instruction without a value of its own (cleared to land, line up, hold position, direct, number two …). */
export const Command = z.object({
  verb: Verb,
  action: Action,
  modality: Modality,
  span: Span,
  confidence: z.number().min(0).max(1),
  /** Indexes into `items` of the values that belong to it ("cross" → runway 17L). */
  items: z.array(z.number().int().nonnegative()),
});
export type Command = z.infer<typeof Command>;

/** An execution condition (K.8): waypoint gate, altitude constraint, procedural, distance or time gate, other traffic. */
export const Condition = z.object({
  kind: z.enum(['waypoint', 'altitude', 'procedural', 'distance', 'time', 'traffic', 'speed', 'runway']),
  /** Canonical form that equal conditions share whatever their wording, e.g. "after:KILNU", "when:ready", "bound:at_or_above:FL80". */
  key: z.string(),
  text: z.string(),
  span: Span,
  items: z.array(z.number().int().nonnegative()),
  confidence: z.number().min(0).max(1),
});
export type Condition = z.infer<typeof Condition>;

/** A callsign reading: ICAO form, the words it came from, how it was reached. */
export const CallsignReading = z.object({
  /** "DLH9TP", "OKPMB"; a shortened or undecodable one in its best partial form ("3 2 4" → "324"). */
  value: z.string(),
  span: Span,
  /** full: designator and number; short: shortened form; list: resolved against the traffic list; partial: fragments only. */
  form: z.enum(['full', 'short', 'list', 'partial']),
  score: z.number().min(0).max(1),
  /** ICAO designator ("DLH") and flight part ("9TP") where they are known apart. */
  designator: z.string().optional(),
  flight: z.string().optional(),
});
export type CallsignReading = z.infer<typeof CallsignReading>;

/** A Task 1 chunk (K.1): the exact words and their label. */
export const Chunk = z.object({ text: z.string(), label: ChunkLabel });
export type Chunk = z.infer<typeof Chunk>;

/** Canonical values by slot, in order of mention. */
export const Values = z.partialRecord(ValueSlot, z.array(z.string()));
export type Values = z.infer<typeof Values>;

/** Everything that the words of one transmission say. */
export const Understanding = z.object({
  id: z.string(),
  text: z.string(),
  words: z.array(Word),
  role: Role,
  /** 0…1: how sure the role is. */
  role_confidence: z.number().min(0).max(1),
  intent: Intent,
  /** Canonical callsign of the aircraft spoken to or speaking, or null. */
  callsign: z.string().nullable(),
  /** All readings with scores, best first; empty when none was heard. */
  callsign_candidates: z.array(CallsignReading),
  utterance_action: z.array(Action),
  tokens: z.array(Chunk),
  values: Values,
  items: z.array(Item),
  commands: z.array(Command),
  conditions: z.array(Condition),
  /** Words that only fill (uh, okay, good day): positions. */
  fillers: z.array(z.number().int().nonnegative()),
  /** Bare acknowledgements heard: "roger", "wilco", "affirm", "copied", "negative", "unable" … */
  acknowledgements: z.array(z.string()),
  /** Values and words that the speaker took back inside the transmission ("… correction …"). */
  retracted: z.array(Span),
  confidence: z.number().min(0).max(1),
});
export type Understanding = z.infer<typeof Understanding>;
