/**
 * Words by which speakers steer the dialogue: asking for a repeat, taking something back, passing it on. Pure.
 */
import { compareCallsigns } from '../domain/callsigns.js';
import type { Span, Understanding } from '../domain/understanding.js';

/** Tells to do something in so many words, with a verb. */
export const orders = (u: Understanding): boolean => u.commands.some((c) => c.modality === 'command') || u.items.some((i) => i.modality === 'command' && i.verb !== undefined && i.bare !== true);

/** Whether the callsign is the first thing said (a word of greeting or hesitation may stand before it). */
export const callsignFirst = (u: Understanding): boolean => (u.callsign_candidates[0]?.span[0] ?? 9) <= 1;

/** The words behind a leading callsign. */
export function afterCallsign(u: Understanding): string {
  const best = u.callsign_candidates[0];
  const from = best !== undefined && best.span[0] <= 1 ? best.span[1] : 0;
  return u.words.slice(from).map((w) => w.text).join(' ');
}

/** "Say again", "please repeat". */
export const asksForRepeat = (u: Understanding): boolean => u.intent === 'say_again' || /^(say again|please repeat|repeat)\b|\bsay again( please)?$/i.test(afterCallsign(u)) || /^say again\b/i.test(u.text);

/** "Was that for …?", "who was that for": whom, not what. */
export const asksWhom = (u: Understanding): boolean => /\b(was|is|were) (that|this|it|the last( one| call| transmission)?) (for|to)\b|\bwho (was|is) (that|this|it)\b|\b(did|were) you (call|calling)\b|\bstation calling\b|\bsay (the )?callsign\b/i.test(u.text);

/** A controller who takes back what was said and says another thing: "cancel that, climb …", "make that heading …". */
export const replaces = (u: Understanding): boolean => /^(no |negative )?(cancel (that|my last|the last|previous)|scratch that|ignore (that|my last)|belay that|make (that|it)|amended?|change to|correction|disregard|recleared)\b/i.test(afterCallsign(u));

/** "Blocked", "you were stepped on", "two at the same time": a controller's remark on what nobody could understand. */
export const wasBlocked = (u: Understanding): boolean => /\b(blocked|stepped on|same time|two (stations|transmissions|at once)|simultaneous)\b/i.test(u.text);

/** The words were for somebody else than the one who took them. */
export const wasForAnother = (u: Understanding): boolean => /\b(was|is|were|meant|intended) for\b|\bwrong (callsign|aircraft)\b/i.test(u.text);

/** Messages that one aircraft passes on between a controller and another aircraft. */
export interface Relay {
  /** ask: a controller asks `by` to tell `to` something; pass: `by` tells `to` what the controller said; reply: `by` says what `to` answers. */
  readonly kind: 'ask' | 'pass' | 'reply';
  readonly by: string | null;
  readonly to: string;
}

interface Named {
  readonly value: string;
  readonly span: Span;
}

/** Different aircraft in the order in which they are named. */
export function aircraftIn(u: Understanding): readonly Named[] {
  const named: Named[] = [];
  for (const { value, span, form } of [...u.callsign_candidates].sort((a, b) => a.span[0] - b.span[0])) {
    if (form !== 'partial' && named.every((m) => (span[0] >= m.span[1] || span[1] <= m.span[0]) && compareCallsigns(m.value, value) === 'different')) named.push({ value, span });
  }
  return named;
}

const RELAY = /\brelay(s|ed|ing)?\b/i;
const PASSES = /\brelay(s|ed|ing)?\b|\b(wants?|asks?|asked|instructs?|requests?|would like) you\b|\bmessage\b|\b(you are|you're) (cleared|instructed)\b/i;

/** What is passed on, by whom and for whom; undefined when nothing is. */
export function relayOf(u: Understanding): Relay | undefined {
  if (!RELAY.test(u.text) && u.callsign_candidates.length < 2) return undefined;
  const named = aircraftIn(u);
  const [first, second] = named;
  if (first === undefined) return undefined;
  const words = (from: number, to?: number): string => u.words.slice(from, to).map((w) => w.text.toLowerCase()).join(' ');
  // "… relaying for B …", whoever says so
  for (const aircraft of named) {
    if (/\b(relay(ing)?|relayed|passing|answering|speaking) (for|from|on behalf of)$/.test(words(0, aircraft.span[0]))) return { kind: 'reply', by: named.find((other) => other !== aircraft)?.value ?? null, to: aircraft.value };
  }
  if (second === undefined || !orders(u)) return undefined;
  const between = words(first.span[1], second.span[0]);
  // "B, (this is) A, relay from radar, …"
  if (/^((this is|it's|here is|from) ?)?$/.test(between) && first.span[0] <= 1 && PASSES.test(words(second.span[1]))) return { kind: 'pass', by: second.value, to: first.value };
  // "A, (can you) relay to B …", "A, tell B to …"
  if (first.span[0] <= 1 && /\b(relay|pass)\b.*\bto$|\b(tell|advise|inform|ask|relay)$/.test(between)) return { kind: 'ask', by: first.value, to: second.value };
  return undefined;
}

/** The same words as said to or by one of the aircraft that they name. */
export function withCallsign(u: Understanding, callsign: string): Understanding {
  if (u.callsign === callsign) return u;
  return { ...u, callsign, callsign_candidates: u.callsign_candidates.filter((c) => compareCallsigns(c.value, callsign) !== 'different') };
}

/**
 * A transmission whose head was cut in the middle of the callsign ("-dor four one descend …"): the digits in front of the first order
 * are what is left of the callsign and no value. Anything else comes back as it is.
 */
export function withCutCallsign(u: Understanding): Understanding {
  const head = u.items[0];
  if (u.callsign !== null || head?.bare !== true || head.span[0] > 1) return u;
  const rest = u.items.slice(1);
  const starts = [...u.commands.map((c) => c.span[0]), ...rest.map((i) => i.span[0])];
  const digits = (head.alternatives?.find((a) => /^\d+$/.test(a)) ?? head.value).replace(/\D/g, '');
  if (digits === '' || !rest.some((i) => i.bare !== true) || !starts.includes(head.span[1])) return u;
  const renumber = (indexes: readonly number[]): number[] => indexes.flatMap((i) => (i === 0 ? [] : [i - 1]));
  const values: Understanding['values'] = {};
  for (const item of rest) (values[item.slot] ??= []).push(item.value);
  return {
    ...u,
    callsign: digits,
    callsign_candidates: [{ value: digits, span: head.span, form: 'partial', score: 0.4 }],
    items: rest,
    values,
    commands: u.commands.map((c) => ({ ...c, items: renumber(c.items) })),
    conditions: u.conditions.map((c) => ({ ...c, items: renumber(c.items) })),
  };
}
