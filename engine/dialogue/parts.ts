/**
 * Cutting an understanding into parts and joining parts into one: for two turns in one recording segment, and for an
 * instruction or a readback that came in two transmissions. Pure; spans are kept right.
 */
import { compareCallsigns } from '../domain/callsigns.js';
import { compareValues } from '../domain/values.js';
import type { Action, Intent, Role } from '../domain/taxonomy.js';
import type { Chunk, Item, Span, Understanding, Values } from '../domain/understanding.js';

type Patch = Partial<Pick<Understanding, 'role' | 'role_confidence' | 'intent' | 'callsign'>>;

const within = (span: Span, from: number, to: number): boolean => span[0] >= from && span[1] <= to;

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

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Where each callsign was said, in order, without overlaps. */
function callsignMentions(understanding: Understanding): readonly { value: string; span: Span }[] {
  const mentions: { value: string; span: Span }[] = [];
  for (const candidate of understanding.callsign_candidates) {
    if (mentions.every((m) => candidate.span[1] <= m.span[0] || candidate.span[0] >= m.span[1])) mentions.push({ value: candidate.value, span: candidate.span });
  }
  mentions.sort((a, b) => a.span[0] - b.span[0]);
  // the words of the first one, or their end, once more at the end of the transmission
  const first = mentions[0];
  const count = understanding.words.length;
  if (first !== undefined && mentions.every((m) => m.span[1] < count)) {
    const said = understanding.words.slice(first.span[0], first.span[1]).map((w) => plain(w.text));
    const end = understanding.words.map((w) => plain(w.text));
    for (let length = said.length; length >= 2; length--) {
      const from = count - length;
      if (from <= first.span[1] || said.slice(-length).some((word, i) => word !== end[from + i])) continue;
      mentions.push({ value: first.value, span: [from, count] });
      break;
    }
  }
  return mentions;
}

/**
 * The turns inside one recording segment: parts on both sides of "break break", and an instruction followed by its
 * readback without a gap that the segmenter could cut at. Returns the whole when there is one turn.
 */
export function splitTurns(whole: Understanding): readonly Understanding[] {
  const breaks: number[] = [];
  whole.words.forEach((word, i) => {
    if (plain(word.text) === 'break' && plain(whole.words[i + 1]?.text ?? '') === 'break') breaks.push(i);
  });
  if (breaks.length > 0) {
    const turns: Understanding[] = [];
    let from = 0;
    for (const at of [...breaks, whole.words.length]) {
      if (at > from) turns.push(sliceUnderstanding(whole, from, at, breaks.length > 0 && from > 0 ? { role: 'controller', role_confidence: Math.max(whole.role_confidence, 0.8), intent: intentOf(whole, from, at) } : {}));
      from = at + 2;
    }
    return turns.flatMap((turn) => splitReadback(turn));
  }
  return splitReadback(whole);
}

function intentOf(whole: Understanding, from: number, to: number): Intent {
  return whole.commands.some((c) => c.modality === 'command' && within(c.span, from, to)) || whole.items.some((i) => i.modality === 'command' && within(i.span, from, to)) ? 'instruction' : whole.intent;
}

/** "… descend flight level one hundred | level one hundred oscar kilo papa mike bravo": callsign at both ends, values twice. */
function splitReadback(whole: Understanding): readonly Understanding[] {
  const mentions = callsignMentions(whole);
  const first = mentions[0];
  const last = mentions.at(-1);
  const count = whole.words.length;
  if (first === undefined || last === undefined || first === last) return [whole];
  if (['different', 'unclear'].includes(compareCallsigns(first.value, last.value)) && first.value.slice(0, 2) !== last.value.slice(0, 2)) return [whole];
  const spoken = whole.items.map((item, index) => ({ item, index })).filter(({ item }) => item.span[0] >= first.span[1] && !whole.retracted.some(([a, b]) => item.span[0] >= a && item.span[1] <= b));
  const cut = (at: number, left: Role, right: Role): readonly Understanding[] => {
    const intents: Readonly<Record<Role, Intent>> = { controller: 'instruction', pilot: 'readback', unknown: 'unknown' };
    const front = sliceUnderstanding(whole, 0, at, { role: left, role_confidence: 0.8, intent: left === 'pilot' ? 'report' : intents[left] });
    const back = sliceUnderstanding(whole, at, count, { role: right, role_confidence: 0.8, intent: intents[right] });
    const reading = whole.callsign_candidates[0];
    // said in the same words as at the front, and read once only
    const copied = back.callsign_candidates.length > 0 || reading === undefined || last.span[0] < at ? back : { ...back, callsign: last.value, callsign_candidates: [{ ...reading, value: last.value, span: [last.span[0] - at, last.span[1] - at] as Span }] };
    return [front, copied];
  };
  // a pilot's call, then the controller's answer: the callsign twice running in the middle
  const next = mentions.find((m, i) => i > 0 && m.span[0] === mentions[i - 1]?.span[1] && m.span[0] > 2 && m.span[1] < count - 1);
  if (next !== undefined && whole.items.some((i) => i.span[0] >= next.span[1])) return cut(next.span[0], 'pilot', 'controller');
  if (first.span[0] > 3 || last.span[1] < count - 3) return [whole];
  // the first value that comes a second time starts the readback; else the first slot that does
  const repeats = (same: (a: Item, b: Item) => boolean): number | undefined => {
    for (let j = 1; j < spoken.length; j++) {
      const item = spoken[j]?.item;
      if (item !== undefined && spoken.slice(0, j).some(({ item: before }) => same(before, item))) return j;
    }
    return undefined;
  };
  const at =
    repeats((a, b) => a.slot === b.slot && a.verb === b.verb && compareValues(a.slot, a.value, b.value, b.unit) === 'equal') ??
    repeats((a, b) => a.slot === b.slot && compareValues(a.slot, a.value, b.value, b.unit) === 'equal') ??
    repeats((a, b) => a.slot === b.slot && a.slot !== 'runway' && a.slot !== 'taxiway');
  if (at === undefined) return [whole];
  const before = spoken[at - 1]?.item;
  const starts = spoken[at]?.item;
  if (before === undefined || starts === undefined) return [whole];
  // words between the two belong to the readback when they are its verb, to the instruction when they end it
  let boundary = before.span[1];
  for (const span of [...whole.commands.map((c) => c.span), ...whole.conditions.map((c) => c.span)]) {
    if (span[0] < boundary && span[1] > boundary && span[1] <= starts.span[0]) boundary = span[1];
  }
  return boundary <= 0 || boundary >= last.span[0] ? [whole] : cut(boundary, 'controller', 'pilot');
}
