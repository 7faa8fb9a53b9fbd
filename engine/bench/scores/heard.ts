/**
 * What was heard, against what was said: words, callsigns and values, and how long it took.
 */
import { understand } from '../../understanding/index.js';
import { quantile } from '../language/metrics.js';
import { scoreClip, SLOT_NAMES, SLOTS, type SlotName } from '../asr/score.js';
import { scoreSpeech, type SpeechFigures } from './speech.js';
import { shareOf, type Estimate, type OfRecording, type Resampling } from './interval.js';

export interface HeardItem {
  readonly gold: { readonly text: string } & OfRecording;
  /** null: it could not be heard. */
  readonly text: string | null;
  readonly ms?: number | undefined;
  readonly seconds?: number | undefined;
  readonly guarded?: boolean | undefined;
}

export interface HeardFigures {
  readonly transmissions: number;
  readonly failed: number;
  readonly words: number;
  readonly normaliser: number;
  readonly scores: SpeechFigures['scores'];
  /** Of the transmissions in which the product's parser reads a callsign in the words that were said: it reads the same in what was heard. */
  readonly callsign: Estimate;
  /** Another one was read. */
  readonly otherCallsign: number;
  /** Values in what was said that are in what was heard, in all and by slot; `invented`: in what was heard alone. */
  readonly values: Estimate;
  readonly slots: Readonly<Record<SlotName, Estimate & { readonly invented: number }>>;
  readonly guarded: number;
  readonly seconds?: number;
  /** Milliseconds of recognition. */
  readonly ms?: { readonly p50: number; readonly p95: number };
  /** Time of recognition over time of audio. */
  readonly realTimeFactor?: number;
}

/** Figures of a set of transmissions. What callsign and values a text holds is read by the product's parser, in what was said as in what was heard. */
export function scoreHeard(items: readonly HeardItem[], resampling: Resampling = {}): HeardFigures {
  const { scores, words, normaliser } = scoreSpeech(items.map(({ gold, text }) => ({ gold, answer: text === null ? null : { text } })), resampling);
  // values of one transmission err together
  const clips = items.map(({ gold, text }, i) => {
    const group = { recording: gold.recording ?? `transmission ${String(i)}` };
    const { callsign, values } = understand({ id: 'said', text: gold.text });
    const slots: Partial<Record<SlotName, readonly string[]>> = {};
    for (const name of SLOT_NAMES) slots[name] = values[SLOTS[name]] ?? [];
    return { gold, group, ...scoreClip({ text: gold.text, callsign, slots }, text ?? '') };
  });
  const valuesOf = (names: readonly SlotName[]): { gold: OfRecording; found: boolean }[] => clips.flatMap(({ group, slots }) => names.flatMap((name) => Array.from({ length: slots[name].of }, (_, i) => ({ gold: group, found: i < slots[name].found }))));
  const found = (names: readonly SlotName[]): Estimate => shareOf(valuesOf(names), (value) => value.found, resampling);
  const times = items.flatMap(({ ms }) => (ms === undefined ? [] : [ms]));
  const timed = items.filter(({ ms, seconds }) => ms !== undefined && seconds !== undefined);
  const seconds = timed.reduce((sum, item) => sum + (item.seconds ?? 0), 0);
  return {
    transmissions: items.length,
    failed: items.filter(({ text }) => text === null).length,
    words,
    normaliser,
    scores,
    callsign: shareOf(clips.filter(({ callsign }) => callsign !== undefined), ({ callsign }) => callsign === 'right', resampling),
    otherCallsign: clips.filter(({ callsign }) => callsign === 'other').length,
    values: found(SLOT_NAMES),
    slots: Object.fromEntries(SLOT_NAMES.map((name) => [name, { ...found([name]), invented: clips.reduce((sum, clip) => sum + clip.slots[name].invented, 0) }])) as HeardFigures['slots'],
    guarded: items.filter(({ guarded }) => guarded === true).length,
    ...(seconds === 0 ? {} : { seconds, realTimeFactor: timed.reduce((sum, { ms }) => sum + (ms ?? 0), 0) / 1000 / seconds }),
    ...(times.length === 0 ? {} : { ms: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) } }),
  };
}
