/**
 * A callsign that the edge of a transmission has cut: what is left of it is weak evidence for another aircraft.
 */
import type { Understanding } from './understanding.js';

const split = (callsign: string): readonly [string, string] => {
  const normal = callsign.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const at = normal.search(/\d/);
  return at < 0 ? [normal, ''] : [normal.slice(0, at), normal.slice(at)];
};

/**
 * Whether the callsign of a transmission is the beginning of `expected` ("DLH32" of "DLH328") and its words are the very
 * last ones, or the end of it and its words the very first: the rest may have been lost in noise or at a cut. The
 * operator must be the same, and at least one character of the number be left.
 */
export function isCutCallsign(expected: string, said: Pick<Understanding, 'callsign' | 'callsign_candidates' | 'words'>): boolean {
  const reading = said.callsign_candidates[0];
  if (said.callsign === null || reading === undefined) return false;
  const [operator, flight] = split(expected);
  const [saidOperator, saidFlight] = split(said.callsign);
  if (flight === '' || operator !== saidOperator || saidFlight === '' || saidFlight.length >= flight.length) return false;
  return (reading.span[1] >= said.words.length && flight.startsWith(saidFlight)) || (reading.span[0] === 0 && flight.endsWith(saidFlight));
}
