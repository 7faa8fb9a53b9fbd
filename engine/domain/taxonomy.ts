/**
 * The closed lists of the field: Task 1 actions and labels, Task 2 error types and risk levels, and their weights.
 *
 * Sources: arXiv 2608.24621 (Table 1, Table 2, Table 12, Table 13, K.3, K.8) and docs/behaviour.md.
 */
import { z } from 'zod';

/** Task 1 actions (Table 12), heaviest first. */
export const ACTIONS = [
  'altitude_control',
  'clearance',
  'runway_instruction',
  'taxiway_instruction',
  'heading_control',
  'speed_control',
  'sequence_control',
  'contact',
] as const;
export const Action = z.enum(ACTIONS);
export type Action = z.infer<typeof Action>;

/** Consequence weight of each action (Table 1). */
export const ACTION_WEIGHT: Readonly<Record<Action, number>> = {
  altitude_control: 1,
  clearance: 1,
  runway_instruction: 1,
  taxiway_instruction: 0.8,
  heading_control: 0.6,
  speed_control: 0.6,
  sequence_control: 0.4,
  contact: 0.3,
};

/** Task 1 slot labels (Table 13; gate and polarity are in the prompts, K.3). */
export const SLOT_LABELS = [
  'callsign',
  'runway',
  'altitude',
  'heading',
  'waypoint',
  'taxiway',
  'condition',
  'frequency',
  'speed',
  'relation',
  'attribute',
  'traffic',
  'controller',
  'gate',
  'polarity',
  'O',
] as const;
export const SlotLabel = z.enum(SLOT_LABELS);
export type SlotLabel = z.infer<typeof SlotLabel>;

/** What a chunk of a transmission may be labelled with: a slot, or the action that its phrase expresses. */
export const ChunkLabel = z.union([SlotLabel, Action]);
export type ChunkLabel = z.infer<typeof ChunkLabel>;

/** Consequence weight of each slot label (Table 1). gate and polarity are not scored by the paper. */
export const SLOT_WEIGHT: Readonly<Record<SlotLabel, number>> = {
  callsign: 1,
  runway: 1,
  altitude: 1,
  heading: 0.8,
  waypoint: 0.8,
  taxiway: 0.8,
  condition: 0.5,
  frequency: 0.4,
  speed: 0.4,
  relation: 0.4,
  attribute: 0.4,
  traffic: 0.4,
  controller: 0.2,
  gate: 0,
  polarity: 0,
  O: 0,
};

/** Task 2 error types (Table 2). */
export const ERROR_TYPES = [
  'CORRECT',
  'FILLER_CORRECT',
  'NUMBER_FORMAT',
  'VALUE_HIGH',
  'OMISSION_HIGH',
  'CONSTRAINT_HIGH',
  'VALUE_CRITICAL',
  'OMISSION_CRITICAL',
  'TARGET_CRITICAL',
  'MULTI_ERROR',
] as const;
export const ErrorType = z.enum(ERROR_TYPES);
export type ErrorType = z.infer<typeof ErrorType>;

/** Task 2 risk levels in rising order: CORRECT < HIGH < CRITICAL < EXTREME (section 4.3). */
export const RISK_LEVELS = ['CORRECT', 'HIGH', 'CRITICAL', 'EXTREME'] as const;
export const RiskLevel = z.enum(RISK_LEVELS);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** The level that goes with each error type (Table 2). */
export const RISK_OF: Readonly<Record<ErrorType, RiskLevel>> = {
  CORRECT: 'CORRECT',
  FILLER_CORRECT: 'CORRECT',
  NUMBER_FORMAT: 'CORRECT',
  VALUE_HIGH: 'HIGH',
  OMISSION_HIGH: 'HIGH',
  CONSTRAINT_HIGH: 'HIGH',
  VALUE_CRITICAL: 'CRITICAL',
  OMISSION_CRITICAL: 'CRITICAL',
  TARGET_CRITICAL: 'CRITICAL',
  MULTI_ERROR: 'EXTREME',
};

/** Position of a level in the order above, 0…3. */
export const riskRank = (level: RiskLevel): 0 | 1 | 2 | 3 => RISK_LEVELS.indexOf(level) as 0 | 1 | 2 | 3;

/** `paper`: exactly Table 2. `icao`: also what PANS-ATM (Doc 4444) §4.5.7.5 wants read back. */
export const PROFILES = ['paper', 'icao'] as const;
export const Profile = z.enum(PROFILES);
export type Profile = z.infer<typeof Profile>;

/** Who speaks. `unknown` when the words do not tell. */
export const ROLES = ['controller', 'pilot', 'unknown'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/**
 * What a transmission is for. The first four are the classes of arXiv 2605.11769 (III-B); the others are needed to
 * keep a dialogue: a pilot's request or report, a question to repeat or confirm, a correction, a bare acknowledgement.
 */
export const INTENTS = [
  'instruction',
  'readback',
  'inform',
  'greet',
  'request',
  'report',
  'say_again',
  'confirm',
  'correction',
  'acknowledge',
  'disregard',
  'standby',
  'unknown',
] as const;
export const Intent = z.enum(INTENTS);
export type Intent = z.infer<typeof Intent>;
