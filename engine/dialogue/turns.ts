/**
 * The turns inside one recording segment: several addressees in one transmission, and an instruction with its readback behind it
 * without a gap that the segmenter could cut at. Pure.
 */
import { compareCallsigns } from '../domain/callsigns.js';
import type { Understand } from '../domain/stages.js';
import type { Intent, Role } from '../domain/taxonomy.js';
import type { Span, Understanding } from '../domain/understanding.js';
import { compareValues } from '../domain/values.js';
import { commanded, echoOf } from './echo.js';
import { sliceUnderstanding, within } from './parts.js';

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** What may follow the callsign at the end. */
const COURTESY: ReadonlySet<string> = new Set(['bye', 'byebye', 'goodbye', 'good', 'day', 'thanks', 'thank', 'you', 'so', 'long', 'cheers', 'night', 'evening', 'ciao', 'heavy', 'super', 'uh']);

interface Mention {
  readonly value: string;
  readonly span: Span;
  /** With its operator or in full: another aircraft, if it is another one. */
  readonly whole: boolean;
}

/** Where each callsign was said, in order, without overlaps. */
function callsignMentions(understanding: Understanding): readonly Mention[] {
  const mentions: Mention[] = [];
  for (const { value, span, form } of understanding.callsign_candidates) {
    if (mentions.every((m) => span[1] <= m.span[0] || span[0] >= m.span[1])) mentions.push({ value, span, whole: form === 'full' || form === 'list' });
  }
  mentions.sort((a, b) => a.span[0] - b.span[0]);
  // the words of the first one, or their end, once more at the end of the transmission (courtesy may follow)
  const first = mentions[0];
  const count = understanding.words.length;
  if (first === undefined || mentions.some((m) => m.span[1] > count - 4 && m !== first)) return mentions;
  const words = understanding.words.map((w) => plain(w.text));
  const said = words.slice(first.span[0], first.span[1]);
  for (let length = said.length; length >= 2; length--) {
    for (let to = count; to > count - 4; to--) {
      const from = to - length;
      if (from <= first.span[1] || said.slice(-length).some((word, i) => word !== words[from + i]) || words.slice(to).some((word) => !COURTESY.has(word))) continue;
      mentions.push({ value: first.value, span: [from, to], whole: first.whole });
      return mentions;
    }
  }
  return mentions;
}

/**
 * The turns inside one recording segment: parts on both sides of "break break" (or of one "break" before a callsign), orders to two
 * aircraft one after the other, and an instruction followed by its readback. Returns the whole when there is one turn.
 */
export function splitTurns(whole: Understanding, understand?: Understand): readonly Understanding[] {
  const starts = addresseesAt(whole);
  if (starts.length === 0) return splitReadback(whole, understand);
  const turns: Understanding[] = [];
  let from = 0;
  for (const { to, next } of [...starts, { to: whole.words.length, next: whole.words.length }]) {
    if (to > from) turns.push(sliceUnderstanding(whole, from, to, from > 0 ? { role: 'controller', role_confidence: Math.max(whole.role_confidence, 0.8), intent: intentOf(whole, from, to) } : {}));
    from = next;
  }
  return turns.flatMap((turn) => splitReadback(turn, understand));
}

/** Words behind which a callsign is talked of and not called. */
const TALKED_OF: ReadonlySet<string> = new Set(['behind', 'follow', 'following', 'after', 'before', 'traffic', 'preceding', 'landing', 'departing', 'number', 'is', 'and', 'with', 'of', 'from', 'for', 'to', 'by', 'than', 'the', 'a', 'via', 'relay', 'relaying', 'tell', 'company', 'confirm', 'affirm', 'roger', 'correction', 'sorry']);

/** Where the words to another addressee begin: the part before ends at `to`, the next one begins at `next`. */
function addresseesAt(whole: Understanding): readonly { readonly to: number; readonly next: number }[] {
  const words = whole.words.map((word) => plain(word.text));
  const mentions = callsignMentions(whole);
  const starts: { to: number; next: number }[] = [];
  words.forEach((word, i) => {
    if (word !== 'break' || words[i - 1] === 'break') return;
    if (words[i + 1] === 'break') starts.push({ to: i, next: i + 2 });
    else if (i > 0 && mentions.some((m) => m.span[0] === i + 1)) starts.push({ to: i, next: i + 1 });
  });
  if (starts.length > 0 || whole.role === 'pilot') return starts;
  // "… three three zero, malaysian four contact tower …": orders, another aircraft's callsign in full, and orders again
  for (const [i, mention] of mentions.entries()) {
    const before = mentions[i - 1];
    if (before === undefined || !mention.whole || before.span[1] >= mention.span[0] || compareCallsigns(before.value, mention.value) !== 'different') continue;
    if (TALKED_OF.has(words[mention.span[0] - 1] ?? '')) continue;
    const until = mentions[i + 1]?.span[0] ?? words.length;
    if (tells(whole, before.span[1], mention.span[0]) && tells(whole, mention.span[1], until) && beginsAt(whole, mention.span[1])) starts.push({ to: mention.span[0], next: mention.span[0] });
  }
  return starts;
}

/** Something is ordered between two places. */
const tells = (whole: Understanding, from: number, to: number): boolean => whole.commands.some((c) => c.modality === 'command' && within(c.span, from, to)) || whole.items.some((i) => i.modality === 'command' && i.bare !== true && within(i.span, from, to));

/** An order begins within two words of that place. */
const beginsAt = (whole: Understanding, at: number): boolean => [...whole.commands.map((c) => c.span), ...whole.items.map((i) => i.span)].some((span) => span[0] >= at && span[0] <= at + 2);

function intentOf(whole: Understanding, from: number, to: number): Intent {
  return whole.commands.some((c) => c.modality === 'command' && within(c.span, from, to)) || whole.items.some((i) => i.modality === 'command' && within(i.span, from, to)) ? 'instruction' : whole.intent;
}

/** "… descend flight level one hundred | level one hundred oscar kilo papa mike bravo": callsign at both ends, values twice. */
function splitReadback(whole: Understanding, understand: Understand | undefined): readonly Understanding[] {
  const mentions = callsignMentions(whole);
  const first = mentions[0];
  const last = mentions.at(-1);
  const count = whole.words.length;
  if (first === undefined || last === undefined || first === last) return [whole];
  const cut = (at: number, left: Role, right: Role): readonly Understanding[] => {
    const intents: Readonly<Record<Role, Intent>> = { controller: 'instruction', pilot: 'readback', unknown: 'unknown' };
    const front = sliceUnderstanding(whole, 0, at, { role: left, role_confidence: 0.8, intent: left === 'pilot' && right === 'controller' && !said(whole, 0, at) ? 'report' : intents[left] });
    const back = sliceUnderstanding(whole, at, count, { role: right, role_confidence: 0.8, intent: intents[right] });
    const reading = whole.callsign_candidates[0];
    // said in the same words as at the front, and read once only
    const copied = back.callsign_candidates.length > 0 || reading === undefined || last.span[0] < at ? back : { ...back, callsign: last.value, callsign_candidates: [{ ...reading, value: last.value, span: [last.span[0] - at, last.span[1] - at] as Span }] };
    return [front, copied];
  };
  // a pilot's words end with the callsign, and the controller's begin with one: two callsigns running in the middle
  const next = mentions.find((m, i) => {
    const before = mentions[i - 1];
    return before !== undefined && m.span[0] === before.span[1] && m.span[0] > 2 && m.span[1] < count - 1 && before.span[0] > 0 && (compareCallsigns(before.value, m.value) !== 'different' || (m.whole && before.whole && said(whole, 0, before.span[0])));
  });
  if (next !== undefined && whole.items.some((i) => i.span[0] >= next.span[1])) return cut(next.span[0], 'pilot', 'controller');
  if (['different', 'unclear'].includes(compareCallsigns(first.value, last.value)) && first.value.slice(0, 2) !== last.value.slice(0, 2)) return [whole];
  if (first.span[0] > 3 || last.span[1] < count - 3) return [whole];
  const found = boundaryByValues(whole, first, last);
  const reread = found?.sure === true || understand === undefined ? undefined : rereadHalves(whole, first, last, understand);
  return reread ?? (found === undefined ? [whole] : cut(found.at, 'controller', 'pilot'));
}

/** A value or a command in a part. */
const said = (whole: Understanding, from: number, to: number): boolean => whole.items.some((i) => i.modality === 'command' && within(i.span, from, to)) || whole.commands.some((c) => within(c.span, from, to));

/** Where the readback begins, by the values that come a second time; undefined when none does. Sure: one of them is the same value. */
function boundaryByValues(whole: Understanding, first: Mention, last: Mention): { readonly at: number; readonly sure: boolean } | undefined {
  const spoken = whole.items.filter((item) => item.span[0] >= first.span[1] && !whole.retracted.some(([a, b]) => item.span[0] >= a && item.span[1] <= b)).sort((a, b) => a.span[0] - b.span[0]);
  // the place behind which most comes again of what was before, and least is new
  let best: { at: number; score: number; sure: boolean } | undefined;
  for (let at = 1; at < spoken.length; at++) {
    const front = spoken.slice(0, at);
    const back = spoken.slice(at);
    const left = [...front];
    let score = 0;
    let again = false;
    let sure = false;
    for (const item of back) {
      const same = left.findIndex((before) => before.slot === item.slot && compareValues(before.slot, before.value, item.value, item.unit) === 'equal');
      const kind = same >= 0 ? same : left.findIndex((before) => before.slot === item.slot && item.slot !== 'runway' && item.slot !== 'taxiway');
      if (kind < 0) score -= 1;
      else {
        score += same >= 0 ? 3 : 1;
        again = true;
        sure ||= same >= 0;
        left.splice(kind, 1);
      }
    }
    if (again && (best === undefined || score > best.score)) best = { at, score, sure };
  }
  if (best === undefined) return undefined;
  const before = spoken[best.at - 1];
  const starts = spoken[best.at];
  if (before === undefined || starts === undefined) return undefined;
  // words between the two belong to the readback when they are its verb, to the instruction when they end it
  let boundary = before.span[1];
  for (const span of [...whole.commands.map((c) => c.span), ...whole.conditions.map((c) => c.span)]) {
    if (span[0] < boundary && span[1] > boundary && span[1] <= starts.span[0]) boundary = span[1];
  }
  return boundary <= 0 || boundary >= last.span[0] ? undefined : { at: boundary, sure: best.sure };
}

/** Numbers that run into each other ("… decimal six | one three four decimal six …") are told apart by reading both halves anew at each place. */
function rereadHalves(whole: Understanding, first: Mention, last: Mention, understand: Understand): readonly Understanding[] | undefined {
  let best: { score: number; turns: readonly Understanding[] } | undefined;
  const read = (from: number, to: number): Understanding => {
    const words = whole.words.slice(from, to);
    return understand({ id: whole.id, text: words.map((w) => w.text).join(' '), words, heard: [first.value] });
  };
  for (let at = first.span[1] + 2; at < last.span[0]; at++) {
    const front = read(0, at);
    const back = read(at, whole.words.length);
    if (front.callsign === null || back.callsign === null || compareCallsigns(front.callsign, back.callsign) === 'different') continue;
    const echo = echoOf(front, back);
    // all of it again, and nothing else: anything less may be one speaker's
    // (the unit that is to be called need not be named again)
    const units = commanded(front).filter((item) => item.slot === 'controller').length;
    if (echo.shared === 0 || echo.shared < echo.asked - units || echo.differing + echo.loose + echo.foreign > 0) continue;
    const score = echo.shared * 2 + echo.verbs;
    if (best === undefined || score > best.score) best = { score, turns: [{ ...front, role: 'controller', role_confidence: 0.8, intent: 'instruction' }, { ...back, role: 'pilot', role_confidence: 0.8, intent: 'readback' }] };
  }
  return best?.turns;
}
