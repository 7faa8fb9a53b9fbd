/**
 * The stages of the pipeline as interfaces. Each room implements its own; pipeline.ts puts them together.
 *
 *     source → segmenter → recogniser → parser → dialogue → judge → log
 */
import type { Exchange } from './exchange.js';
import type { Finding } from './finding.js';
import type { Profile } from './taxonomy.js';
import type { Context, Guard, Understanding, Word } from './understanding.js';
import type { HearbackError } from './result.js';

/** Sample rate of everything behind the source, Hz. */
export const SAMPLE_RATE = 16_000;

/** A piece of one channel: mono, 16 kHz, float −1…1, in order and without gaps per channel. */
export interface PcmChunk {
  readonly channel: string;
  /** Position of the first sample in the channel's 16 kHz time line. */
  readonly startSample: number;
  readonly samples: Float32Array;
}

/** Something the user is told once and that is kept in the log: a mended header, another device, a missing model. */
export interface Notice {
  readonly kind: string;
  readonly text: string;
  readonly severity: 'info' | 'warning' | 'error';
}

/** A recording or a live input, decoded to chunks. Reading twice is allowed for files only. */
export interface AudioSource {
  /** Name for people (file name as given). */
  readonly name: string;
  readonly channels: readonly string[];
  /** Seconds, when it is known before reading to the end; never taken from an untrustworthy header. */
  readonly duration: number | undefined;
  /** Faults found in the container and mended, each told once. May grow while reading. */
  readonly notices: readonly Notice[];
  chunks(signal?: AbortSignal): AsyncIterable<PcmChunk>;
}

/** One stretch of speech cut out by the segmenter. */
export interface Segment {
  readonly channel: string;
  /** 16 kHz sample positions [startSample, endSample) in the channel's time line, pre-roll and hang-over included. */
  readonly startSample: number;
  readonly endSample: number;
  /** The audio of that range (a copy that the receiver owns). */
  readonly samples: Float32Array;
  /** Where speech was found inside, as sample positions in the channel's time line. */
  readonly speechStart: number;
  readonly speechEnd: number;
  /** Why it ended. */
  readonly end: 'silence' | 'max-length' | 'end-of-audio';
  /** Mean speech probability over the speech part, 0…1. */
  readonly speechProbability: number;
}

/** Cuts one channel into segments. Push chunks in order; `flush` at the end of the audio. */
export interface Segmenter {
  push(chunk: PcmChunk): Promise<readonly Segment[]>;
  flush(): Promise<readonly Segment[]>;
  /** Speech is going on or may be (for a display); `since` is a sample position. */
  readonly state: { readonly phase: 'quiet' | 'starting' | 'speaking' | 'stopping'; readonly since: number };
}

/** What the recogniser made of one segment. */
export interface Recognition {
  /** Lower-case words; empty when there was no speech to write down. */
  readonly text: string;
  /** Times in seconds relative to the start of the segment. */
  readonly words: readonly Word[];
  /** 0…1, mean over words; 0 when there are none. */
  readonly confidence: number;
  /** 0…1. */
  readonly noSpeechProbability: number;
  readonly guards: readonly Guard[];
  readonly model: string;
  readonly device: string;
  /** Text before any context was applied, when it differs. */
  readonly unbiasedText?: string;
  readonly milliseconds: { readonly encode: number; readonly decode: number; readonly total: number };
}

/** Speech to text. Implementations run in a process of their own that may die and be restarted. */
export interface Recogniser {
  readonly model: string;
  readonly device: string;
  readonly notices: readonly Notice[];
  /** How many pieces it hears at the same time; absent: one. Where it is more, whoever reads a recording gives it as many. */
  readonly atOnce?: number;
  /** `samples`: mono 16 kHz. Never rejects for bad audio; rejects with HearbackError when the engine is gone for good. */
  recognise(samples: Float32Array, options?: { context?: Context; signal?: AbortSignal }): Promise<Recognition>;
  close(): Promise<void>;
}

/** Task 1: words to meaning. Pure. */
export type Understand = (input: {
  id: string;
  text: string;
  words?: readonly Word[];
  guards?: readonly Guard[];
  context?: Context;
  /** Hints from before on this channel: callsigns already heard in full, for shortened forms. */
  heard?: readonly string[];
}) => Understanding;

/** A transmission as the dialogue sees it. */
export interface DialogueInput {
  readonly id: string;
  readonly channel?: string;
  /** Seconds; may be missing in text-only use. */
  readonly start?: number;
  readonly end?: number;
  readonly speaker?: string;
  readonly guards: readonly Guard[];
  readonly understanding: Understanding;
  /**
   * 0…1: how much this sounds like the speaker of the transmission before it on the channel going on after a pause
   * (voice, level, noise, gap). Only given for short gaps; left out when nothing is known.
   */
  readonly sameSpeaker?: number;
}

/** What the dialogue wants judged: the words of the instruction and of everything that reads it back. */
export interface Pair {
  readonly exchange: Exchange;
  readonly instruction: DialogueInput;
  readonly readbacks: readonly DialogueInput[];
}

/** What changed when a transmission (or time) arrived. */
export type DialogueChange =
  | { readonly kind: 'opened'; readonly exchange: Exchange }
  | { readonly kind: 'updated'; readonly exchange: Exchange }
  | { readonly kind: 'judge'; readonly pair: Pair }
  | { readonly kind: 'alert'; readonly exchange: Exchange; readonly alert: 'no-readback' | 'other-aircraft-answered' | 'similar-callsigns'; readonly text: string };

/** Which transmission answers which, on one channel. Pure state machine: same inputs, same changes. */
export interface Dialogue {
  accept(input: DialogueInput): readonly DialogueChange[];
  /** Time has passed without a transmission (seconds in the recording's time). */
  tick(now: number): readonly DialogueChange[];
  /** The recording is over. */
  end(now?: number): readonly DialogueChange[];
  readonly open: readonly Exchange[];
}

/** Task 2: one readback against its instruction. */
export interface Judge {
  readonly name: string;
  /** Where text goes, what had to be done without; may grow. */
  readonly notices?: readonly Notice[];
  judge(pair: {
    readonly instruction: Understanding;
    readonly readback: Understanding;
    readonly guards?: { readonly instruction: readonly Guard[]; readonly readback: readonly Guard[] };
    readonly profile: Profile;
    readonly context?: Context;
    /** 0…1 from the dialogue; a doubtful pairing makes a doubtful finding. */
    readonly pairingConfidence?: number;
    /** Given by who can take a second answer: a judge may then answer at once with what it has, marked, and give the whole answer here, once. */
    readonly later?: (finding: Finding) => void | Promise<void>;
  }): Promise<Finding>;
  /** Resolves when no later answer is under way. */
  settled?(): Promise<void>;
  close?(): Promise<void>;
}

/** A failure of one input among many: told, counted, and the others are done. */
export interface InputFailure {
  readonly input: string;
  readonly error: HearbackError;
}
