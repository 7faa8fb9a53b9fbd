/**
 * Whether a recogniser's words say what was said, in what decides a readback: not the same words, the same meaning.
 */
import { compareCallsigns } from '../../domain/callsigns.js';
import { understand } from '../../understanding/index.js';
import { normalise } from '../asr/normalise.js';

/** The values of Task 2 (arXiv 2608.24621, Table 2). Names of units and of points outside of conditions decide nothing there. */
const DECISIVE = ['altitude', 'heading', 'runway', 'speed', 'frequency'] as const;

function meaningOf(text: string): { readonly callsign: string | null; readonly rest: string } {
  const { callsign, values, conditions } = understand({ id: 'heard', text });
  return { callsign, rest: JSON.stringify([DECISIVE.map((slot) => [...(values[slot] ?? [])].sort()), conditions.map(({ key }) => key).sort()]) };
}

/** True where the product's parser reads another callsign, value or condition in what was heard than in what was said, or none, or one more. */
export function misheard(said: string, heard: string): boolean {
  if (normalise(said).join(' ') === normalise(heard).join(' ')) return false;
  const [a, b] = [meaningOf(said), meaningOf(heard)];
  const sameCallsign = a.callsign === null || b.callsign === null ? a.callsign === b.callsign : compareCallsigns(a.callsign, b.callsign) === 'same';
  return !sameCallsign || a.rest !== b.rest;
}
