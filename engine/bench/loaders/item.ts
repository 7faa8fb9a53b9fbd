/**
 * One thing to be measured, whatever it was read from: texts, gold, and where there is any, sound and what a recogniser once made of it.
 */
import type { z } from 'zod';
import type { GroundGold, SpeechGold, Task1Gold, Task2Gold } from '../run/items.js';

/** What an item's texts, sounds and recorded hypotheses belong to: of a pair the two halves, else the one utterance. */
export const PARTS = ['utterance', 'instruction', 'readback'] as const;
export type Part = (typeof PARTS)[number];

/** A stretch of a recording. */
export interface Sound {
  /** Path that can be opened from here. */
  readonly file: string;
  /** Seconds in the recording; left out: from the beginning, to the end. */
  readonly start?: number;
  readonly end?: number;
  /** Clean speech, over which a channel may be put. False: it was received, with whatever noise it has. */
  readonly dry: boolean;
  /** Ratio of speech to noise, dB, where the data says so. */
  readonly snr?: number;
  /** Checksum of the file, where the data gives one. */
  readonly sha256?: string;
  /** What is said, word by word, where the item's text is written otherwise (figures). */
  readonly words?: string;
}

interface Measured {
  readonly id: string;
  readonly texts: Readonly<Partial<Record<Part, string>>>;
  readonly audio?: Readonly<Partial<Record<Part, Sound>>>;
  /** Texts of a recogniser from before. */
  readonly hypotheses?: Readonly<Partial<Record<Part, string>>>;
  /** What intervals are drawn by, where items belong together. */
  readonly recording?: string;
  /** Of a single utterance. */
  readonly role?: 'controller' | 'pilot';
  /** Traffic that was on the frequency, ICAO form. */
  readonly callsigns?: readonly string[];
}

export type BenchItem = Measured &
  (
    | { readonly task: 'task1'; readonly gold: Task1Gold }
    | { readonly task: 'task2'; readonly gold: Task2Gold }
    | { readonly task: 'ground'; readonly gold: z.infer<typeof GroundGold> }
    | { readonly task: 'speech'; readonly gold: z.infer<typeof SpeechGold> }
  );

/** A row, segment or file that cannot be used. The rest is read all the same. */
export interface Bad {
  /** File, relative to what was asked for where it is inside. */
  readonly where: string;
  readonly line?: number;
  /** What is wrong, to follow "it is left out: ". */
  readonly why: string;
}
export type OnBad = (bad: Bad) => void;
