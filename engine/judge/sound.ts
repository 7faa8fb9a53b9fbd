/**
 * Words that nobody can tell apart by ear, and figures that run into each other: what a readback may have said besides what stands there.
 */
import type { Item, Span, Understanding, ValueSlot } from '../domain/understanding.js';
import { spokenDigits } from '../domain/values.js';
import { isNumberWord, numberRuns, plainWord } from './surface.js';

/** Words that sound alike, one of which is a figure. */
export const SAME_SOUND: readonly ReadonlySet<string>[] = [['two', 'to', 'too'], ['four', 'for', 'fore'], ['eight', 'ate'], ['one', 'won'], ['six', 'sicks'], ['right', 'write']].map((words) => new Set(words));

/** One word for all that sound like it. */
function sound(word: string): string {
  const plain = plainWord(word);
  const [first] = SAME_SOUND.find((words) => words.has(plain)) ?? [];
  return first ?? plain;
}

/**
 * Where a readback says, by ear, the words of a span of the instruction with the words "to", "for" and the like before it, though other words stand
 * there ("level to four zero" for "level two four zero", "two eight thousand" for "to eight thousand"); null when it does not.
 */
export function soundsLike(instruction: Understanding, [from, to]: Span, readback: Understanding): Span | null {
  const said = readback.words.map((w) => w.text);
  let start = from;
  while (start > 0 && SAME_SOUND.some((words) => words.has(plainWord(instruction.words[start - 1]?.text ?? ''))) && from - start < 2) start--;
  for (let first = start; first <= from; first++) {
    const wanted = instruction.words.slice(first, to).map((w) => w.text);
    const figures = wanted.slice(wanted.findIndex((word) => isNumberWord(word) || SAME_SOUND.some((words) => words.has(plainWord(word)))));
    // "left two zero eight zero" for 080: "to" heard as a figure makes a run that is no value
    const led = figures.length === 3 && figures.every((word) => isNumberWord(word)) ? [['to', ...figures], ['for', ...figures]] : [];
    for (const words of [wanted, figures, ...led]) {
      if (words.length < 2) continue;
      for (let at = 0; at + words.length <= said.length; at++) {
        const here = said.slice(at, at + words.length);
        if (here.every((word, i) => sound(word) === sound(words[i] ?? '')) && here.some((word, i) => plainWord(word) !== plainWord(words[i] ?? ''))) return [at, at + words.length];
      }
    }
  }
  return null;
}

/** A value that still has to come back. */
interface Open {
  readonly slot: ValueSlot;
  readonly item: Item;
}

/**
 * "One two zero two five zero" for flight level 120 and 250 knots: a run of figures that is two or more of the open values, whole and one behind the
 * other. Returns the values with the span of the run.
 */
export function runTogether<T extends Open>(open: readonly T[], readback: Understanding): readonly { readonly need: T; readonly span: Span }[] {
  for (const { span, digits } of numberRuns(readback)) {
    if (digits.length < 4) continue;
    const found = split(digits, open);
    if (found !== undefined && found.length > 1) return found.map((need) => ({ need, span }));
  }
  return [];
}

function split<T extends Open>(digits: string, open: readonly T[]): readonly T[] | undefined {
  if (digits === '') return [];
  for (const need of open) {
    for (const spoken of spokenDigits(need.slot, need.item.value)) {
      if (spoken.length < 2 || !digits.startsWith(spoken)) continue;
      const rest = split(digits.slice(spoken.length), open.filter((other) => other !== need));
      if (rest !== undefined) return [need, ...rest];
    }
  }
  return undefined;
}
