/**
 * A callsign that the edge of a transmission has cut: what is left of it is weak evidence for another aircraft.
 */
import type { Understanding, Word } from './understanding.js';

/** Words that were heard less surely than this say nothing. */
const HARDLY = 0.5;

/** Words that may follow a whole callsign. */
const COURTESY = /^(?:heavy|super|roger|wilco|thanks?|bye|goodbye|bye-bye|good|day|morning|afternoon|evening|night|hello|hi|ciao|tschuss|tschüss|servus|salut|adios|ahoj|merci|danke|cheers|sir|madam|please|now|again|copied|affirm|okay|ok|out|over)[.,!]*$/i;

const split = (callsign: string): readonly [string, string] => {
  const normal = callsign.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const at = normal.search(/\d/);
  return at < 0 ? [normal, ''] : [normal.slice(0, at), normal.slice(at)];
};

/**
 * Whether the callsign of a transmission is the beginning of `expected` ("DLH32" of "DLH328") and its words are the very
 * last ones (or one word that means nothing follows), or the end of it and its words the very first: the rest may have been lost in noise or at a cut. The
 * operator must be the same, and at least one character of the number be left.
 */
export function isCutCallsign(expected: string, said: Pick<Understanding, 'callsign' | 'callsign_candidates' | 'words' | 'items'>): boolean {
  const reading = said.callsign_candidates[0];
  if (said.callsign === null || reading === undefined) return false;
  const [operator, flight] = split(expected);
  const [saidOperator, saidFlight] = split(said.callsign);
  if (flight === '' || operator !== saidOperator || saidFlight === '' || saidFlight.length >= flight.length) return false;
  // "… klm seven seven five light" of 775M: one more word at the end that is nothing else stands in place of the rest, and so do words that were hardly heard
  const rest = said.words.length - reading.span[1];
  const behind = said.words.slice(reading.span[1]);
  const hardly = (word: Word): boolean => word.confidence !== undefined && word.confidence < HARDLY;
  const unsure = behind.some(hardly) && behind.every((word) => hardly(word) || COURTESY.test(word.text));
  const atEnd = rest <= 0 || unsure || (rest === 1 && !COURTESY.test(said.words[reading.span[1]]?.text ?? '') && said.items.every((item) => item.span[1] <= reading.span[1]));
  return (atEnd && flight.startsWith(saidFlight)) || (reading.span[0] === 0 && flight.endsWith(saidFlight));
}
