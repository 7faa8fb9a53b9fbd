/**
 * Whether a recogniser's words say what was said: not the same words, the same meaning.
 */
import { compareCallsigns } from '../../domain/callsigns.js';
import { understand } from '../../understanding/index.js';
import { normalise } from '../asr/normalise.js';

/** What decides: callsign, values by slot, actions, conditions. */
function meaningOf(text: string): { readonly callsign: string | null; readonly rest: string } {
  const { callsign, values, utterance_action: actions, conditions } = understand({ id: 'heard', text });
  const slots = Object.entries(values).map(([slot, found]) => [slot, [...found].sort()] as const);
  return { callsign, rest: JSON.stringify([slots.sort(([a], [b]) => (a < b ? -1 : 1)), [...actions].sort(), conditions.map((condition) => normalise(condition.text).join(' ')).sort()]) };
}

/**
 * True where the product's parser reads something else in what was heard than in what was said: another callsign or none, another value,
 * action or condition. Words that decide nothing may differ.
 */
export function misheard(said: string, heard: string): boolean {
  if (normalise(said).join(' ') === normalise(heard).join(' ')) return false;
  const [a, b] = [meaningOf(said), meaningOf(heard)];
  const sameCallsign = a.callsign === null || b.callsign === null ? a.callsign === b.callsign : compareCallsigns(a.callsign, b.callsign) === 'same';
  return !sameCallsign || a.rest !== b.rest;
}
