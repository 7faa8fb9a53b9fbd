/**
 * Negations that are none: "no, cleared to land three four left" corrects somebody and still clears; "not before two five, climb"
 * limits and still climbs. Used by whoever acts on modalities.
 */
import type { Understanding } from './understanding.js';

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** Where a pilot says that something cannot be done; -1 for nowhere. "If unable" only asks for a word. */
const refusalAt = (words: readonly string[]): number => words.findIndex((word, i) => ['unable', 'cannot', 'cant'].includes(word) && words[i - 1] !== 'if');

/** "Unable flight level three nine zero": the value named right behind the refusal is refused, and not read back. */
export function withRefusal<T extends Pick<Understanding, 'role' | 'words' | 'items' | 'commands'>>(understanding: T): T {
  if (understanding.role === 'controller') return understanding;
  const at = refusalAt(understanding.words.map((w) => plain(w.text)));
  if (at < 0) return understanding;
  const first = understanding.items.filter((i) => i.span[0] > at).sort((a, b) => a.span[0] - b.span[0])[0];
  const until = first === undefined || first.span[0] > at + 5 ? at + 3 : first.span[1];
  const refused = (span: readonly [number, number]): boolean => span[0] >= at && span[1] <= until;
  return {
    ...understanding,
    items: understanding.items.map((i) => (refused(i.span) ? { ...i, modality: 'negated' } : i)),
    commands: understanding.commands.map((c) => (refused(c.span) ? { ...c, modality: 'negated' } : c)),
  };
}

/** The same understanding, with what a pilot refuses as refused, and with orders behind a correcting "no"/"negative" or a "not before/below/above" as commands. */
export function withoutFalseNegation(said: Understanding): Understanding {
  const understanding = withRefusal(said);
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
