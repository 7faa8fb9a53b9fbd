/**
 * Another operator's name with the called aircraft's number: "belavia nine one eight" answered by "red cap nine one eight". The parser knows who is
 * on the frequency and takes the nearest; whether the words can have been that name is asked here.
 */
import { compareCallsigns } from '../domain/callsigns.js';
import type { CallsignReading, Context, Span, Understanding } from '../domain/understanding.js';
import { AIRCRAFT_KINDS, FACILITIES, PLACES, designatorsOf, isKnownWord, likeness, tokenise } from '../phraseology/index.js';
import { explained } from './garble.js';
import { isFiller, isNumberWord, plainWord } from './surface.js';

/** Names that are less alike than this are not one name misheard ("lindbergh", "lindberg": .9; "sunexpress", "soon express": .73; "belavia", "red cap": .14). */
const LEAST_LIKENESS = 0.5;
/** Most words of a name. */
const LONGEST_NAME = 3;

/** The words before the number of a callsign: those of its reading, else words in front of it that nothing else explains. */
function nameOf(understanding: Understanding, { span: [from, to] }: CallsignReading): { readonly text: string; readonly span: Span } | null {
  // "klm1023" is a name and a number
  const words = understanding.words.map((w) => plainWord(w.text));
  let number = from;
  while (number < to && !isNumberWord(words[number] ?? '') && !/\d/.test(words[number] ?? '')) number++;
  const joined = /^([a-z]+)\d/.exec(words[number] ?? '')?.[1];
  if (number === from && joined !== undefined) return { text: joined, span: [from, from + 1] };
  let first = from;
  if (number === from) {
    // a place may be an operator's name misheard ("minsk seven eight three"), and so may a verb of which nothing is said ("… cross seven eight three")
    const loose = [...understanding.items.filter((item) => item.slot === 'controller'), ...understanding.commands.filter((command) => command.items.length === 0)].map((part) => part.span);
    const covered = explained(understanding);
    // "… bye-bye nine tango papa": what greets or takes leave is no name
    const courtesy = new Set(tokenise(understanding.words.map((w) => w.text)).flatMap((token) => (token.filler === 'greeting' ? [token.from] : [])));
    const free = (at: number): boolean => (!covered.has(at) && !courtesy.has(at)) || loose.some(([start, end]) => at >= start && at < end);
    while (first > 0 && from - first < LONGEST_NAME) {
      const word = words[first - 1] ?? '';
      if (!/^[a-z']{2,}$/.test(word) || isNumberWord(word) || isFiller(word) || FACILITIES.has(word) || !free(first - 1)) break;
      first--;
    }
    // words of the radio alone ("thank you", "wilco") are no name
    if (words.slice(first, number).every((word) => isKnownWord(word) && !PLACES.has(word))) first = number;
  }
  const text = words.slice(first, number).filter((word) => !isFiller(word)).join(' ');
  return text === '' || AIRCRAFT_KINDS.has(text) ? null : { text, span: [first, number] };
}

/** What many operators are called; alone it names none ("jeju air", "rafair"). */
const GENERIC = /^(?:air|airlines?|airways?|jet|express|cargo|aero|aviation|wings?|line|lines|flight)$/;

/** A name and what is left of it when other words in front are taken away. */
const ends = (name: string): string[] => name.split(' ').map((_, i, all) => all.slice(i).join(' ')).filter((left, i) => i === 0 || !GENERIC.test(left));

/** What two names may end in without being one: "luxair" and "tunair" are told apart by what stands before it. */
const ENDING = /(?:airlines?|airways?|express|wings|lines?|avia|cargo|air|jet)$/;

/** Whether one name may be the other one misheard. */
function alike(one: string, other: string): boolean {
  const [a, b] = [one.replaceAll(' ', ''), other.replaceAll(' ', '')];
  const ending = ENDING.exec(a)?.[0] ?? '';
  const stems = ending !== '' && a.length > ending.length && b.length > ending.length && b.endsWith(ending) ? likeness(a.slice(0, -ending.length), b.slice(0, -ending.length)) : 1;
  return Math.min(stems, likeness(a, b)) >= LEAST_LIKENESS;
}

/**
 * The name in a readback's callsign that cannot be a mishearing of the name called; null when there is none, or when the traffic list has one aircraft
 * with that number and it is the one that was called.
 */
export function otherOperator(instruction: Understanding, readback: Understanding, context: Context | undefined): { readonly given: string; readonly said: string; readonly span: Span } | null {
  const [called, answered] = [instruction.callsign_candidates[0], readback.callsign_candidates[0]];
  if (called === undefined || answered === undefined) return null;
  const [given, said] = [nameOf(instruction, called), nameOf(readback, answered)];
  if (given === null || said === null) return null;
  const [ours, theirs] = [designatorsOf(given.text), designatorsOf(said.text)];
  // two names of one operator ("speedbird", "british airways")
  if (ours.some((code) => theirs.includes(code))) return null;
  // two operators that are both known are two, however alike ("flexjet", "execjet"); a name that nobody has may be the other one misheard
  const known = ours.length > 0 && theirs.length > 0;
  if (!known && ends(given.text).some((one) => ends(said.text).some((other) => alike(one, other)))) return null;
  const digits = (callsign: string): string => callsign.replace(/\D/g, '');
  const sameNumber = (context?.callsigns ?? []).filter((c) => digits(c) === digits(called.value));
  if (sameNumber.length === 1 && compareCallsigns(sameNumber[0] ?? '', called.value) !== 'different') return null;
  return { given: given.text, said: said.text, span: said.span };
}
