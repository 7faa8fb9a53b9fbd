/**
 * Judgements: what is wrong with one readback, how sure that is, and which words decide.
 */
import { z } from 'zod';
import { ErrorType, Profile, RiskLevel } from './taxonomy.js';

/** How one slot of the instruction fared in the readback. */
export const COMPARISONS = ['right', 'wrong', 'missing', 'added', 'unit-changed', 'uncertain', 'not-required'] as const;
export const Comparison = z.object({
  /** "altitude", "heading", "callsign", "condition", "hold_short" … */
  slot: z.string(),
  outcome: z.enum(COMPARISONS),
  instruction: z.string().nullable(),
  readback: z.string().nullable(),
  /** Word positions [from, to) in either half; null where there is nothing to point at. */
  instruction_span: z.tuple([z.number().int(), z.number().int()]).nullable(),
  readback_span: z.tuple([z.number().int(), z.number().int()]).nullable(),
  confidence: z.number().min(0).max(1),
});
export type Comparison = z.infer<typeof Comparison>;

/** The decisive words of both halves and the comparison slot by slot. */
export const Evidence = z.object({
  instruction_words: z.array(z.string()),
  readback_words: z.array(z.string()),
  comparisons: z.array(Comparison),
});
export type Evidence = z.infer<typeof Evidence>;

/**
 * What is told to the user. `uncertain`: there is evidence of an error or of a right readback, but not enough to say;
 * `unreadable`: a judge gave no answer that can be read. Neither is ever shown as correct.
 */
export const VERDICTS = ['correct', 'error', 'uncertain', 'unreadable'] as const;
export const Verdict = z.enum(VERDICTS);
export type Verdict = z.infer<typeof Verdict>;

/** Things worth telling that are not errors (docs/behaviour.md): callsign missing, added words … */
export const Advisory = z.object({ kind: z.string(), text: z.string() });
export type Advisory = z.infer<typeof Advisory>;

/**
 * What a language model was asked for a finding and what it said. `outcome`: read at once; read after it was asked again; not
 * readable; later than its time limit; not to be had (server gone, model refused); not asked, because there was no text.
 */
export const ModelAnswer = z.object({
  provider: z.string(),
  model: z.string(),
  /** Where the text went. */
  destination: z.string(),
  /** "task2/full/icao@1": condition, profile and version, and the SHA-256 of its text, schema included. */
  prompt: z.string(),
  prompt_sha256: z.string(),
  outcome: z.enum(['read', 'repaired', 'unreadable', 'late', 'failed', 'not-asked']),
  /** Every answer, word for word. */
  raw: z.array(z.string()),
  /** The model's own type and level: a finding's level is never below the one that the taxonomy gives the type. */
  stated: z.object({ error_type: ErrorType, risk_level: RiskLevel }).optional(),
  /** How the shape of the last answer was held: grammar, json-schema, json, prompt. */
  constraint: z.string().optional(),
  prompt_tokens: z.number().optional(),
  cached_tokens: z.number().optional(),
  answer_tokens: z.number().optional(),
  milliseconds: z.number(),
});
export type ModelAnswer = z.infer<typeof ModelAnswer>;

/** What one judge of several found. */
export const Opinion = z.object({
  judge: z.string(),
  error_type: ErrorType,
  risk_level: RiskLevel,
  affected_slot: z.string().nullable(),
  verdict: Verdict,
  confidence: z.number().min(0).max(1),
  explanation: z.string(),
  doubts: z.array(z.string()),
});
export type Opinion = z.infer<typeof Opinion>;

/**
 * The judgement of one exchange. The first five fields are the Task 2 output contract (arXiv 2608.24621, K.2).
 * With verdict `uncertain`, error_type and risk_level are the most severe reading that the evidence allows.
 */
export const Finding = z.object({
  is_correct: z.boolean(),
  error_type: ErrorType,
  risk_level: RiskLevel,
  affected_slot: z.string().nullable(),
  explanation: z.string(),
  verdict: Verdict,
  confidence: z.number().min(0).max(1),
  /** Of a judge that gives calibrated probabilities: that the level is above each of these. */
  level_above: z.object({ CORRECT: z.number(), HIGH: z.number(), CRITICAL: z.number() }).optional(),
  evidence: Evidence,
  advisories: z.array(Advisory),
  /** Why it is uncertain, one sentence each; empty otherwise. */
  doubts: z.array(z.string()),
  profile: Profile,
  /** Which judge said it: "rules", a model id, "consensus". */
  judge: z.string(),
  /** Where a language model had a say: what it was asked and answered. */
  model_answers: z.array(ModelAnswer).optional(),
  /** Where several judges had a say: which found what, and the policy that made one finding of it. */
  opinions: z.array(Opinion).optional(),
  policy: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;
