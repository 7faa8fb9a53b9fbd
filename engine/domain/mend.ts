/**
 * Negations that are none: "no, cleared to land three four left" corrects somebody and still clears; "not before two five, climb"
 * limits and still climbs. Used by whoever acts on modalities.
 */
import type { Understanding } from './understanding.js';

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** The same understanding, with orders behind a correcting "no"/"negative" or a "not before/below/above" as commands. */
export function withoutFalseNegation(understanding: Understanding): Understanding {
  if (!understanding.items.some((i) => i.modality === 'negated') && !understanding.commands.some((c) => c.modality === 'negated')) return understanding;
  const words = understanding.words.map((w) => plain(w.text));
  const callsign = understanding.callsign_candidates[0];
  const head = callsign !== undefined && callsign.span[0] <= 1 ? callsign.span[1] : 0;
  const corrects = ['no', 'negative', 'incorrect'].includes(words[0] ?? '') || ['no', 'negative', 'incorrect'].includes(words[head] ?? '');
  const refuses = words.some((word, i) => (word === 'unable' || word === 'cannot' || (word === 'not' && !['before', 'below', 'above', 'later', 'exceeding'].includes(words[i + 1] ?? ''))) || word === 'dont' || word === 'cancel');
  const limits = words.some((word, i) => word === 'not' && ['before', 'below', 'above', 'later', 'exceeding'].includes(words[i + 1] ?? ''));
  if (refuses || !((corrects && understanding.role !== 'pilot') || limits)) return understanding;
  return {
    ...understanding,
    items: understanding.items.map((i) => (i.modality === 'negated' ? { ...i, modality: 'command' } : i)),
    commands: understanding.commands.map((c) => (c.modality === 'negated' ? { ...c, modality: 'command' } : c)),
  };
}
