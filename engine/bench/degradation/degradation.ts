/**
 * What speech recognition costs: the same items judged as text and as voice. Pure functions over result rows.
 */
import type { Judged } from '../scores/task2.js';
import { bootstrap, shareOf, type Estimate, type OfRecording, type Resampling } from '../scores/interval.js';

/** A score on text and on voice. `change`: voice less text. `retained`: voice over text; null where the text's is 0. */
export interface Change {
  readonly text: number | null;
  readonly voice: number | null;
  readonly change: Estimate;
  readonly retained: Estimate;
}

/**
 * How scores change from text to voice. All of them see the same resamples of the rows, so that the interval is that of the difference and
 * not of two independent samples.
 *
 * @param figures of a sample of rows: the score on text, then on voice.
 */
export function changes<T, K extends string>(rows: readonly T[], figures: Readonly<Record<K, (sample: readonly T[]) => readonly [text: number, voice: number]>>, resampling: Resampling = {}, groupOf: (row: T) => string | undefined = () => undefined): Record<K, Change> {
  const names = Object.keys(figures) as K[];
  const parts: Record<string, (sample: readonly T[]) => number> = {};
  for (const name of names) {
    parts[`change ${name}`] = (sample) => {
      const [text, voice] = figures[name](sample);
      return voice - text;
    };
    parts[`retained ${name}`] = (sample) => {
      const [text, voice] = figures[name](sample);
      return voice / text;
    };
  }
  const found = bootstrap(rows, parts, resampling, groupOf);
  const estimate = (name: string): Estimate => {
    const one = found[name] as Estimate;
    if (one.value !== null && !Number.isFinite(one.value)) return { ...one, value: null, low: null, high: null };
    // where nothing changed, it might have changed either way
    return one.by === '3/n' && one.value === 0 && one.high !== null ? { ...one, low: -one.high } : one;
  };
  return Object.fromEntries(
    names.map((name) => {
      const [text, voice] = rows.length === 0 ? [null, null] : figures[name](rows);
      return [name, { text, voice, change: estimate(`change ${name}`), retained: estimate(`retained ${name}`) }];
    }),
  ) as Record<K, Change>;
}

/** Which half of an exchange was misheard. */
export const CAUSES = ['instruction', 'readback', 'both', 'neither'] as const;
export type Cause = (typeof CAUSES)[number];

/** One exchange, judged as text and as voice. An answer of null: there is none that can be read, which counts as "correct", the dangerous reading. */
export interface VoiceRow {
  readonly gold: Judged & OfRecording;
  readonly text: Judged | null;
  readonly voice: Judged | null;
  /** Whether what was heard of each half means something else than what was said. */
  readonly misheard: { readonly instruction: boolean; readonly readback: boolean };
}

export const causeOf = ({ misheard: { instruction, readback } }: Pick<VoiceRow, 'misheard'>): Cause => (instruction ? (readback ? 'both' : 'instruction') : readback ? 'readback' : 'neither');

const flags = (answer: Judged | null): boolean => answer !== null && !answer.is_correct;
const right = (gold: Judged, answer: Judged | null): boolean => answer?.risk_level === gold.risk_level;

/** How often something happened, and by which half was misheard. */
export interface Fault {
  readonly share: Estimate;
  readonly count: number;
  readonly causes: Readonly<Record<Cause, number>>;
}

export interface Degradation {
  readonly exchanges: number;
  /** How many were misheard where. */
  readonly misheard: Readonly<Record<Cause, number>>;
  /** Risk level right on text, wrong on voice. */
  readonly lost: Fault;
  /** The other way round. */
  readonly gained: Fault;
  /** Of right readbacks: passed on text, flagged on voice. */
  readonly phantom: Fault;
  /** Of wrong readbacks: flagged on text, passed on voice. */
  readonly masked: Fault;
  /** Without a readable answer on voice. */
  readonly unanswered: number;
}

const byCause = (rows: readonly VoiceRow[]): Record<Cause, number> => Object.fromEntries(CAUSES.map((cause) => [cause, rows.filter((row) => causeOf(row) === cause).length])) as Record<Cause, number>;

/** What became of exchanges between text and voice. */
export function degradation(rows: readonly VoiceRow[], resampling: Resampling = {}): Degradation {
  const fault = (among: readonly VoiceRow[], is: (row: VoiceRow) => boolean): Fault => {
    const hits = among.filter(is);
    return { share: shareOf(among, is, resampling), count: hits.length, causes: byCause(hits) };
  };
  return {
    exchanges: rows.length,
    misheard: byCause(rows),
    lost: fault(rows, ({ gold, text, voice }) => right(gold, text) && !right(gold, voice)),
    gained: fault(rows, ({ gold, text, voice }) => !right(gold, text) && right(gold, voice)),
    phantom: fault(rows.filter(({ gold }) => gold.is_correct), ({ text, voice }) => !flags(text) && flags(voice)),
    masked: fault(rows.filter(({ gold }) => !gold.is_correct), ({ text, voice }) => flags(text) && !flags(voice)),
    unanswered: rows.filter(({ voice }) => voice === null).length,
  };
}
