/**
 * What the words are worth to the product: callsign and values as engine/understanding reads them from what was recognised, against what
 * was said.
 */
import type { ValueSlot } from '../../domain/understanding.js';
import { compareCallsigns } from '../../domain/callsigns.js';
import { compareValues } from '../../domain/values.js';
import { understand } from '../../understanding/index.js';
import { normalise } from './normalise.js';
import { wordErrors, type WordErrors } from './wer.js';

/** The slots that are counted, by their name in the set, and the slot of the engine. */
export const SLOTS = { heading: 'heading', level: 'altitude', frequency: 'frequency', runway: 'runway', speed: 'speed', qnh: 'qnh', squawk: 'squawk' } as const satisfies Record<string, ValueSlot>;
export type SlotName = keyof typeof SLOTS;
export const SLOT_NAMES: readonly SlotName[] = ['heading', 'level', 'frequency', 'runway', 'speed', 'qnh', 'squawk'];

/** What is said in one clip. */
export interface Truth {
  readonly text: string;
  readonly callsign: string | null;
  readonly slots: Readonly<Partial<Record<SlotName, readonly string[]>>>;
}

/** of: values said; found: values that were read; invented: values of the slot that were read and not said. */
export interface SlotScore {
  readonly of: number;
  readonly found: number;
  readonly invented: number;
}

export interface ClipScore {
  readonly errors: WordErrors;
  /** undefined where none was said. */
  readonly callsign: 'right' | 'other' | 'missing' | undefined;
  readonly slots: Readonly<Record<SlotName, SlotScore>>;
}

/** Values of `said` that are in `read`, each counted once. */
function match(slot: ValueSlot, said: readonly string[], read: readonly string[]): SlotScore {
  const left = [...read];
  let found = 0;
  for (const value of said) {
    const at = left.findIndex((other) => compareValues(slot, value, other) === 'equal');
    if (at < 0) continue;
    left.splice(at, 1);
    found++;
  }
  return { of: said.length, found, invented: left.length };
}

/** Scores one text. Values and callsign are read from the text alone, for every recogniser alike. */
export function scoreClip(truth: Truth, text: string): ClipScore {
  const { callsign, values } = understand({ id: 'clip', text });
  const slots = Object.fromEntries(SLOT_NAMES.map((name) => [name, match(SLOTS[name], truth.slots[name] ?? [], values[SLOTS[name]] ?? [])])) as Record<SlotName, SlotScore>;
  return {
    errors: wordErrors(normalise(truth.text), normalise(text)),
    callsign: truth.callsign === null ? undefined : callsign === null ? 'missing' : compareCallsigns(callsign, truth.callsign) === 'same' ? 'right' : 'other',
    slots,
  };
}

/** Whether a value that was read back wrongly was heard as it was said, as it had been instructed, or neither. */
export function heardWrong(slot: SlotName, said: string, instructed: string, text: string): 'as-said' | 'as-instructed' | 'neither' {
  const read = understand({ id: 'clip', text }).values[SLOTS[slot]] ?? [];
  if (read.some((value) => compareValues(SLOTS[slot], said, value) === 'equal')) return 'as-said';
  return read.some((value) => compareValues(SLOTS[slot], instructed, value) === 'equal') ? 'as-instructed' : 'neither';
}
