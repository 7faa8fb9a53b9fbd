/**
 * Cutting an understanding into parts and joining parts into one: for several turns in one recording segment (turns.ts), and
 * for an instruction or a readback that came in two transmissions. Pure; spans are kept right.
 */
import type { Action } from '../domain/taxonomy.js';
import type { Chunk, Item, Span, Understanding, Values } from '../domain/understanding.js';

type Patch = Partial<Pick<Understanding, 'role' | 'role_confidence' | 'intent' | 'callsign'>>;

export const within = (span: Span, from: number, to: number): boolean => span[0] >= from && span[1] <= to;

function valuesOf(items: readonly Item[]): Values {
  const values: Values = {};
  for (const item of items) (values[item.slot] ??= []).push(item.value);
  return values;
}

/** The words [from, to) of a transmission as an understanding of its own. Role and intent stay unless patched. */
export function sliceUnderstanding(whole: Understanding, from: number, to: number, patch: Patch = {}): Understanding {
  const shift = ([a, b]: Span): Span => [a - from, b - from];
  const kept = new Map<number, number>();
  const items: Item[] = [];
  whole.items.forEach((item, index) => {
    if (!within(item.span, from, to)) return;
    kept.set(index, items.length);
    items.push({ ...item, span: shift(item.span) });
  });
  const renumber = (indexes: readonly number[]): number[] => indexes.flatMap((index) => kept.get(index) ?? []);
  const commands = whole.commands.filter((c) => within(c.span, from, to)).map((c) => ({ ...c, span: shift(c.span), items: renumber(c.items) }));
  const words = whole.words.slice(from, to);
  const candidates = whole.callsign_candidates.filter((c) => within(c.span, from, to)).map((c) => ({ ...c, span: shift(c.span) }));
  const actions: Action[] = [];
  for (const { action } of [...commands, ...items]) if (action !== undefined && !actions.includes(action)) actions.push(action);
  const tokens: Chunk[] = [];
  let position = 0;
  for (const chunk of whole.tokens) {
    const count = chunk.text.split(/\s+/).filter((w) => w !== '').length;
    const start = Math.max(from, position);
    const end = Math.min(to, position + count);
    if (start < end) tokens.push({ text: chunk.text.split(/\s+/).filter((w) => w !== '').slice(start - position, end - position).join(' '), label: chunk.label });
    position += count;
  }
  return {
    ...whole,
    text: words.map((w) => w.text).join(' '),
    words,
    callsign: candidates[0]?.value ?? null,
    callsign_candidates: candidates,
    utterance_action: actions,
    tokens,
    values: valuesOf(items),
    items,
    commands,
    conditions: whole.conditions.filter((c) => within(c.span, from, to)).map((c) => ({ ...c, span: shift(c.span), items: renumber(c.items) })),
    fillers: whole.fillers.filter((p) => p >= from && p < to).map((p) => p - from),
    acknowledgements: whole.acknowledgements.filter((a) => words.some((w) => w.text.toLowerCase().replace(/[^a-z]/g, '') === a.toLowerCase().replace(/[^a-z]/g, ''))),
    retracted: whole.retracted.filter((s) => within(s, from, to)).map(shift),
    ...patch,
  };
}

/** Words with which a speaker takes the value before back. */
const CORRECTS = /\b(correction|sorry|i mean|negative)\b/i;

/** No words at all. */
const nothing = (id: string): Understanding => ({
  id,
  text: '',
  words: [],
  role: 'unknown',
  role_confidence: 0,
  intent: 'unknown',
  callsign: null,
  callsign_candidates: [],
  utterance_action: [],
  tokens: [],
  values: {},
  items: [],
  commands: [],
  conditions: [],
  fillers: [],
  acknowledgements: [],
  retracted: [],
  confidence: 0,
});

/**
 * Several transmissions of one speaker as one understanding: the first one's role and intent, the best callsign of all,
 * spans of later parts behind the words of the earlier ones. A later part that corrects itself ("correction …") takes back
 * the earlier values of the same kind. Of no parts: an understanding without words.
 */
export function joinUnderstandings(parts: readonly Understanding[]): Understanding {
  const [first, ...rest] = parts;
  return rest.reduce(joinTwo, first ?? nothing(''));
}

function joinTwo(left: Understanding, right: Understanding): Understanding {
  const words = left.words.length;
  const count = left.items.length;
  const shift = ([a, b]: Span): Span => [a + words, b + words];
  const renumber = (indexes: readonly number[]): number[] => indexes.map((i) => i + count);
  const corrects = right.intent === 'correction' || CORRECTS.test(right.words.slice(0, 4).map((w) => w.text).join(' '));
  const again = new Set(right.items.map((i) => i.slot));
  const takenBack = corrects ? left.items.filter((i) => again.has(i.slot)).map((i) => i.span) : [];
  const items = [...left.items, ...right.items.map((i) => ({ ...i, span: shift(i.span) }))];
  const candidates = [...left.callsign_candidates, ...right.callsign_candidates.map((c) => ({ ...c, span: shift(c.span) }))].sort((a, b) => b.score - a.score);
  return {
    ...left,
    id: left.id === right.id ? left.id : `${left.id}+${right.id}`,
    text: `${left.text} ${right.text}`.trim(),
    words: [...left.words, ...right.words],
    callsign: left.callsign ?? right.callsign,
    callsign_candidates: candidates,
    utterance_action: [...new Set([...left.utterance_action, ...right.utterance_action])],
    tokens: [...left.tokens, ...right.tokens],
    values: valuesOf(items),
    items,
    commands: [...left.commands, ...right.commands.map((c) => ({ ...c, span: shift(c.span), items: renumber(c.items) }))],
    conditions: [...left.conditions, ...right.conditions.map((c) => ({ ...c, span: shift(c.span), items: renumber(c.items) }))],
    fillers: [...left.fillers, ...right.fillers.map((p) => p + words)],
    acknowledgements: [...left.acknowledgements, ...right.acknowledgements],
    retracted: [...left.retracted, ...takenBack, ...right.retracted.map(shift)],
    confidence: Math.min(left.confidence, right.confidence),
  };
}

/** A readback without some of its items: those that answer another open exchange of the same aircraft. */
export function withoutItems(understanding: Understanding, drop: (item: Item, index: number) => boolean): Understanding {
  const kept = new Map<number, number>();
  const items: Item[] = [];
  understanding.items.forEach((item, index) => {
    if (drop(item, index)) return;
    kept.set(index, items.length);
    items.push(item);
  });
  if (items.length === understanding.items.length) return understanding;
  const renumber = (indexes: readonly number[]): number[] => indexes.flatMap((i) => kept.get(i) ?? []);
  return {
    ...understanding,
    items,
    values: valuesOf(items),
    commands: understanding.commands.map((c) => ({ ...c, items: renumber(c.items) })),
    conditions: understanding.conditions.map((c) => ({ ...c, items: renumber(c.items) })),
  };
}
