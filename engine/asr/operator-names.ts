/**
 * Names of operators that a text spells as no operator is called ("kestril five nine eight"), and the names that they may be. Pure: words
 * only. Which of them the audio bears out is asked of the decoder (context-bias.ts). No traffic list and nothing that was said before takes
 * part: an instruction and its readback are spelled each for itself.
 */
import { designatorsOf, findCallsigns, likeness, meaningful, operatorNames, tokenise } from '../phraseology/index.js';
import type { Rewording } from './listed-callsigns.js';

/** A name of the table is asked for where the spellings are at least as like as this (training/context/names.mjs). */
const ALIKE = 0.8;
/** Shorter ones are like too many. */
const LEAST_LETTERS = 4;

/**
 * Every known name that a misspelled one may be, the likest first. Empty where the callsign's operator is known, or where no callsign with
 * an operator stands.
 *
 * @param words lower-case words of the text
 */
export function misspelledNames(words: readonly string[]): Rewording[] {
  const tokens = meaningful(tokenise(words));
  return findCallsigns(tokens)
    .flatMap((found) => {
      const said = found.telephony;
      if (said === undefined || found.codes.length > 0 || designatorsOf(said).length > 0 || found.traffic || said.replace(/ /gu, '').length < LEAST_LETTERS) return [];
      // a callsign begins with its name; tokens know the words that they came from
      const from = tokens[found.from]?.from;
      const to = tokens[found.from + said.split(' ').length - 1]?.to;
      if (from === undefined || to === undefined) return [];
      return operatorNames().flatMap((name): Rewording[] => {
        const alike = likeness(said, name);
        return alike < ALIKE ? [] : [{ from, to, words: name.split(' '), likeness: alike }];
      });
    })
    .sort((a, b) => b.likeness - a.likeness);
}
