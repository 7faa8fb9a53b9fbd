/**
 * Reads a readback once more with the eyes of somebody who knows the instruction's callsign and how people correct
 * themselves. Looks at words only, never at how sure they are (J29).
 */
import { compareCallsigns } from '../domain/callsigns.js';
import { withoutFalseNegation } from '../domain/mend.js';
import type { Item, Span, Understanding } from '../domain/understanding.js';
import { isPhraseWord } from '../phraseology/index.js';
import { isFiller, isNumberWord, plainWord, spelled } from './surface.js';

/** The readback with what its words say beyond what the parser made of them. */
export function reread(instruction: Understanding, original: Understanding): Understanding {
  let readback = withoutFalseNegation(original);
  readback = withoutProcedureAsCallsign(instruction, readback);
  readback = withCallsignTail(instruction, readback);
  readback = withoutTakenBack(readback);
  return { ...readback, items: readback.items.map((item) => mendItem(readback, item)) };
}

/** "longix seven quebec departure keeping …": what was cleared as a departure is no callsign. */
function withoutProcedureAsCallsign(instruction: Understanding, readback: Understanding): Understanding {
  const { callsign } = readback;
  if (callsign === null || instruction.callsign === null || compareCallsigns(instruction.callsign, callsign) !== 'different') return readback;
  const cleared = instruction.items.some((item) => (item.slot === 'procedure' || item.slot === 'route' || item.slot === 'waypoint') && item.value === callsign);
  if (!cleared) return readback;
  const others = readback.callsign_candidates.filter((c) => c.value !== callsign);
  const [next] = others.filter((c) => compareCallsigns(instruction.callsign ?? '', c.value) !== 'different');
  return { ...readback, callsign: next?.value ?? null, callsign_candidates: next === undefined ? [] : [next, ...others.filter((c) => c !== next)] };
}

/**
 * "maintain five thousand six two papa": the number of the aircraft that was called stands at the end, whole and by itself,
 * and is no level.
 */
function withCallsignTail(instruction: Understanding, readback: Understanding): Understanding {
  const called = instruction.callsign_candidates[0];
  if (called === undefined || instruction.callsign === null) return readback;
  const heard = readback.callsign_candidates[0];
  if (readback.callsign !== null && (heard?.form !== 'partial' || compareCallsigns(instruction.callsign, readback.callsign) !== 'different')) return readback;
  const number = instruction.words.slice(called.span[0], called.span[1]).map((w) => plainWord(w.text)).filter((word) => isNumberWord(word));
  const words = readback.words.map((w) => plainWord(w.text));
  // acknowledgements and fillers may follow it
  let end = words.length;
  while (end > 0 && (readback.fillers.includes(end - 1) || /^(?:okay|ok|alright|roger|wilco|bye|thanks)$/.test(words[end - 1] ?? '')) && !isNumberWord(words[end - 1] ?? '')) end--;
  const wanted = number.map(spelled).join('');
  let from = end;
  let tail = '';
  while (from > 0 && tail.length < wanted.length && isNumberWord(words[from - 1] ?? '')) {
    from--;
    tail = spelled(words[from] ?? '') + tail;
  }
  if (wanted.length < 2 || from < 1 || tail !== wanted) return readback;
  // another digit or letter in front would make it another number, an unknown word may be another operator's name
  const inFront = words[from - 1] ?? '';
  const understood = isPhraseWord(inFront) || [...readback.items, ...readback.commands, ...readback.conditions].some((part) => part.span[0] < from && part.span[1] >= from);
  const name = plainWord(instruction.words[called.span[1] - number.length - 1]?.text ?? '');
  const goesOn = isNumberWord(inFront) && inFront !== 'hundred' && inFront !== 'thousand' && inFront !== name;
  if (goesOn || !/^[a-z]+$/.test(inFront) || !understood) return readback;
  const span: Span = [from, end];
  const kept = new Map<number, number>();
  const items: Item[] = [];
  readback.items.forEach((item, index) => {
    if (item.span[1] > from) return;
    kept.set(index, items.length);
    items.push(item);
  });
  const renumber = (indexes: readonly number[]): number[] => indexes.flatMap((index) => kept.get(index) ?? []);
  const score = readback.words.slice(from, end).reduce((low, word) => Math.min(low, word.confidence ?? 1), 1);
  return {
    ...readback,
    callsign: instruction.callsign,
    callsign_candidates: [{ value: instruction.callsign, span, form: 'short', score }, ...readback.callsign_candidates],
    items,
    commands: readback.commands.filter((c) => c.span[1] <= from).map((c) => ({ ...c, items: renumber(c.items) })),
    conditions: readback.conditions.filter((c) => c.span[1] <= from).map((c) => ({ ...c, items: renumber(c.items) })),
  };
}

/** "one seven zero sorry one six zero knots": what stands before the words of regret is taken back by a value of the same kind behind them. */
function withoutTakenBack(readback: Understanding): Understanding {
  const words = readback.words.map((w) => plainWord(w.text));
  const retracted: Span[] = [];
  words.forEach((word, at) => {
    const length = word === 'sorry' || word === 'correction' || word === 'rather' ? 1 : (word === 'i' && words[at + 1] === 'mean') || (word === 'make' && words[at + 1] === 'that') ? 2 : 0;
    if (length === 0) return;
    const filled = (from: number, to: number): boolean => words.slice(from, to).every((between) => isFiller(between));
    const before = readback.items.findLast((item) => item.span[1] <= at && filled(item.span[1], at));
    const after = readback.items.find((item) => item.span[0] >= at + length && item.span[0] <= at + length + 3);
    if (before === undefined) return;
    // numbers that make no value behind it: something was put in its place, and what is not known
    const unread = after === undefined && words.slice(at + length, at + length + 3).some((next) => isNumberWord(next)) && !readback.callsign_candidates.some((c) => c.span[0] <= at + length + 3 && c.span[1] > at + length);
    if (after === undefined ? !unread : !(before.slot === after.slot || before.bare === true || after.bare === true)) return;
    retracted.push(before.span);
  });
  return retracted.length === 0 ? readback : { ...readback, retracted: [...readback.retracted, ...retracted] };
}

function mendItem(readback: Understanding, item: Item): Item {
  const [, to] = item.span;
  const next = plainWord(readback.words[to]?.text ?? '');
  // "two five zero or greater" after a heading: nobody flies a heading or more
  if (item.slot === 'heading' && next === 'or') {
    const bound = { greater: 'or_greater', more: 'or_greater', less: 'or_less' }[plainWord(readback.words[to + 1]?.text ?? '')];
    if (bound !== undefined) return { ...item, slot: 'speed', value: String(Number(item.value)), bound, modality: item.modality, bare: true };
  }
  return item;
}
