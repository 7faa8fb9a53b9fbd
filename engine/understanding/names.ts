/**
 * Reads names and values at a position without taking them: levels, runways, taxiways, fixes, other aircraft, units.
 */
import { AIRCRAFT_KINDS, FACILITIES, PLACES, TRAFFIC_KINDS, firstDigits, isKnownWord, telephonyAt, unitAt, values, type NumberReading } from '../phraseology/index.js';
import type { Item } from '../domain/understanding.js';
import { phrasesAt } from './phrases.js';
import type { Scanner, Draft } from './scanner.js';
import { SIDES, UNIT_WORDS } from './terms.js';

/** "flight level one hundred", "four thousand feet", "altitude five thousand": only what is surely a level. */
export function levelAt(s: Scanner, i: number, loose: boolean): { value: values.Value; to: number; unit?: string } | undefined {
  let to = i;
  let level = false;
  if (s.is(to, 'flight', 'level')) { to += 2; level = true; }
  else if (s.is(to, 'level')) { to += 1; level = true; }
  else if (s.oneOf(to, /^(?:altitude|alt)$/u)) to += 1;
  const reading = s.number(to);
  if (reading === undefined || reading.fraction !== undefined) return undefined;
  const unit = s.text(reading.to);
  if (level) return unit === 'miles' || unit === 'dme' || unit === 'minutes' ? undefined : flightLevelFrom(reading, s.text(reading.to));
  if (unit === 'feet' || unit === 'metres') {
    const value = values.altitude(reading.whole, unit === 'feet' ? 'ft' : 'm', reading.scaled);
    return value === undefined ? undefined : { value, to: reading.to + 1 };
  }
  if (reading.scaled && Number(reading.whole) >= 500 && !UNIT_WORDS.has(unit)) {
    const value = values.altitude(reading.whole, undefined, true);
    return value === undefined ? undefined : { value, to: reading.to };
  }
  if (!loose || UNIT_WORDS.has(unit)) return undefined;
  if (/^\d{4,5}$/u.test(reading.whole) && reading.whole.endsWith('00')) {
    const value = values.altitude(reading.whole, undefined, false);
    return value === undefined ? undefined : { value, to: reading.to };
  }
  if (/^\d{2,3}$/u.test(reading.whole) && s.hint === 'altitude') {
    const value = values.flightLevel(reading.whole);
    return value === undefined ? undefined : { value: { ...value, sure: value.sure * 0.85 }, to: reading.to };
  }
  return undefined;
}

/** The digits behind "flight level": two or three, whatever follows them. */
export function flightLevelFrom(reading: NumberReading, next: string): { value: values.Value; to: number } | undefined {
  if (reading.scaled || reading.whole.length <= 3) {
    const value = values.flightLevel(reading.whole) ?? values.altitude(reading.whole, undefined, reading.scaled);
    return value === undefined ? undefined : { value, to: reading.to };
  }
  const three = firstDigits(reading, 3);
  const two = firstDigits(reading, 2);
  const plausible = (digits: string | undefined): boolean => digits !== undefined && Number(digits) % 10 === 0 && Number(digits) <= 660 && Number(digits) >= 10;
  // "three zero five | one six zero knots"
  const beforeSpeed = next === 'knots' && reading.whole.length === 6 && Number(three?.digits) % 5 === 0 && Number(three?.digits) <= 660;
  const chosen = plausible(three?.digits) || beforeSpeed ? three : plausible(two?.digits) ? two : (three ?? two);
  const value = chosen === undefined ? values.flightLevel(reading.whole.slice(0, 3)) : values.flightLevel(chosen.digits);
  return value === undefined ? undefined : { value: { ...value, sure: value.sure * 0.8 }, to: chosen?.to ?? reading.to };
}

/** A level without a carrier word after "passing": two or three digits, or a written figure. */
export function bareLevel(s: Scanner, i: number): { value: values.Value; to: number } | undefined {
  const reading = s.number(i);
  if (reading === undefined || UNIT_WORDS.has(s.text(reading.to))) return undefined;
  // "passing five point four": thousands of feet
  if (reading.fraction !== undefined) {
    if (!/^\d{1,2}$/u.test(reading.whole) || !/^\d$/u.test(reading.fraction)) return undefined;
    return { value: { value: String(Number(reading.whole) * 1000 + Number(reading.fraction) * 100), unit: 'ft', sure: 0.8 }, to: reading.to };
  }
  // "passing ten", "through eighteen", "leaving six": thousands of feet
  const [atom] = reading.atoms;
  const kind = s.t[i]?.number?.kind;
  if (atom !== undefined && reading.atoms.length === 1 && !reading.scaled && Number(reading.whole) >= 1 && Number(reading.whole) <= 45 && (kind === 'teen' || kind === 'tens' || reading.whole.length === 1)) {
    return { value: { value: String(Number(reading.whole) * 1000), unit: 'ft', sure: 0.7 }, to: reading.to };
  }
  if (/^\d{2,3}$/u.test(reading.whole)) {
    const value = values.flightLevel(reading.whole);
    return value === undefined ? undefined : { value: { ...value, sure: value.sure * 0.8 }, to: reading.to };
  }
  const value = /^\d{4,5}$/u.test(reading.whole) ? values.altitude(reading.whole, undefined, false) : undefined;
  return value === undefined ? undefined : { value, to: reading.to };
}

/** A type said by its number alone: "three twenty", "seven eight seven", "one ninety". */
const isAircraftType = (reading: NumberReading): boolean => reading.fraction === undefined && !reading.scaled && /^(?:2[23]0|31[89]|32[01]|3[3-8]0|7[0-8]7|73[6-9]|1[479][05])$/u.test(reading.whole);

/** "the seven thirty seven", "a three twenty one neo": the token behind an aircraft that is named by its type's number, or undefined. */
export function typedTrafficAt(s: Scanner, i: number): number | undefined {
  if (!s.oneOf(i, /^(?:the|a|an|that)$/u) || (s.oneOf(i - 1, /^(?:to|on|onto|heading|right|left|speed|level)$/u) && !(s.is(i - 1, 'to') && s.action === 'sequence_control'))) return undefined;
  const to = trafficAt(s, i);
  if (to === undefined) return undefined;
  for (let at = i + 1; at < to; at++) if (s.number(at) !== undefined) return to;
  return undefined;
}

/** Types (ICAO Doc 8643, as they are spoken) that take two common words. */
const TWO_WORD_TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['king', ['air']], ['queen', ['air']], ['super', ['cub', 'puma', 'constellation', 'guppy', 'decathlon', 'cruiser', 'petrel']], ['twin', ['otter', 'star', 'commander', 'comanche', 'bonanza']], ['single', ['otter']], ['sky', ['hawk', 'lane', 'van', 'master', 'wagon', 'king']],
  ['grand', ['caravan']], ['jet', ['stream', 'star', 'ranger', 'provost']], ['light', ['jet']], ['global', ['express']], ['black', ['hawk']], ['sea', ['king', 'hawk']], ['long', ['ranger', 'ez']], ['turbo', ['commander', 'prop']], ['diamond', ['star', 'katana']], ['eclipse', ['jet']], ['beech', ['jet', 'craft', 'baron']],
  ['dream', ['liner']], ['dash', ['eight']], ['bell', ['jet']], ['air', ['tractor', 'bus', 'coupe', 'ambulance', 'cruiser']], ['hot', ['air']], ['fire', ['truck', 'engine', 'bomber']], ['tow', ['plane']], ['tug', ['plane', 'aircraft']], ['war', ['bird']], ['crop', ['duster']],
]);

/** Token position behind a noun that names another aircraft or vehicle, or undefined. */
export function trafficAt(s: Scanner, i: number): number | undefined {
  let to = i;
  if (s.oneOf(to, /^(?:the|a|an|that|this|your)$/u)) to++;
  let named = false;
  while (to < s.t.length && s.masked[to] !== true) {
    const token = s.t[to];
    if (token === undefined) break;
    // "a three twenty", "the landing seven three seven", "the one ninety"
    const typed = s.number(token.text === 'a' ? to + 1 : to);
    if (typed !== undefined && isAircraftType(typed) && (token.text === 'a' || named || to > i) && !UNIT_WORDS.has(s.text(typed.to)) && !s.is(typed.to, 'heading')) {
      to = typed.to;
      while (s.oneOf(to, /^(?:neo|max|freighter|heavy|super)$/u)) to++;
      named = true;
      continue;
    }
    // "behind the landing boeing lining up": the order begins
    if (named && token.text === 'lining' && s.is(to + 1, 'up')) break;
    // types of two words of which the first is no type by itself: "king air", "twin otter"
    if (TWO_WORD_TYPES.get(token.text)?.includes(s.text(to + 1)) === true) { to += 2; named = true; continue; }
    if (token.text === 'super' && s.is(to + 1, 'king')) { to++; continue; }
    if (/^(?:landing|departing|arriving|preceding|regional|company|heavy|light|single|engine|next|first|second|crossing|inbound|outbound|slow|opposite|lining|vacating|one|small|engined|twin|business|private|military|rescue)$/u.test(token.text) && (token.text !== 'one' || !named)) {
      if (token.text === 'heavy' || token.text === 'company' || token.text === 'preceding') {
        named = true;
      }
      if (token.text === 'one' && !s.oneOf(to - 1, /^(?:the|that|landing|departing|preceding)$/u)) break;
      if (token.text === 'one') named = true;
      to++;
      continue;
    }
    if (TRAFFIC_KINDS.has(token.text) && !['departure', 'arrival', 'triple'].includes(token.text)) {
      named = true;
      to++;
      // "airbus three twenty", "boeing seven three seven", "embraer one ninety"
      const run = s.number(to);
      // "boeing seven three seven | five miles ahead"
      const own = run !== undefined && run.whole.length > 3 && s.is(run.to, 'miles') ? firstDigits(run, 3) : undefined;
      const model = run === undefined || own === undefined ? run : { ...run, whole: own.digits, to: own.to };
      if (model !== undefined && model.fraction === undefined && !model.scaled && (model.whole.length >= 2 || (token.text === 'dash' && model.whole === '8') || token.text === 'dc') && model.whole.length <= 3 && /^(?:airbus|boeing|embraer|dash|citation|falcon|challenger|cessna|saab|atr|crj|gulfstream|md80|heavy|triple|piper|pilatus|dc|md)$/u.test(token.text)) to = model.to;
      continue;
    }
    if (token.text === 'triple' && s.is(to + 1, 'seven')) { to += 2; named = true; continue; }
    if (/^(?:follow)$/u.test(token.text) && s.is(to + 1, 'me')) { to += s.is(to + 2, 'car') ? 3 : 2; named = true; continue; }
    break;
  }
  // "behind next landing"
  if (!named && /^(?:next|first|second|the)$/u.test(s.text(to - 2)) && s.oneOf(to - 1, /^(?:landing|arriving|departing)$/u) && s.text(to - 2) !== 'the') named = true;
  // "behind the departing unicorn": a type that nobody knows is another aircraft all the same
  if (!named && s.oneOf(i - 1, /^(?:behind|after|following)$/u) && s.oneOf(i, /^(?:the|that)$/u) && s.oneOf(to - 1, /^(?:landing|departing|arriving|preceding)$/u)
    && s.t[to] !== undefined && !s.oneOf(to, /^(?:line|cleared|land|taxi|hold|cross|enter|backtrack|runway|via|then|and|leg|end|phase|area|gate|stand)$/u)) named = true;
  if (!named) return undefined;
  // where it is
  if (s.is(to, 'on') && (s.oneOf(to + 1, /^(?:final|short|finals|long|base|downwind|the|your|approach|rollout|left|right|a)$/u) || milesFinal(s, to + 1) !== undefined)) {
    let end = milesFinal(s, to + 1) ?? milesFinal(s, to + 2) ?? to + 1;
    while (s.oneOf(end, /^(?:the|your|a|short|long|final|finals|base|downwind|left|right|runway|approach|hand|side|rollout)$/u) && !(s.is(end, 'runway') && s.number(end + 1) !== undefined)) end++;
    to = end;
  } else if (s.is(to, 'from') && s.oneOf(to + 1, /^(?:the|your)$/u) && s.oneOf(to + 2, /^(?:left|right)$/u)) to += 3;
  else if (s.is(to, 'ahead')) to += s.is(to + 1, 'of', 'you') ? 3 : 1;
  else if (s.oneOf(to, /^(?:landing|departing)$/u) || (s.oneOf(to, /^(?:vacating|crossing)$/u) && s.t[to + 1] === undefined)) to += 1;
  return to;
}

/** "behind lufthansa", "behind you": an operator's name instead of a type. */
export function namedTrafficAt(s: Scanner, i: number): number | undefined {
  let to = i;
  if (s.oneOf(to, /^(?:the|a|an)$/u)) to++;
  const word = s.t[to];
  if (word === undefined || s.masked[to] === true || word.number !== undefined || word.letter !== undefined || PLACES.has(word.text)) return undefined;
  if (isKnownWord(word.text)) return undefined;
  to++;
  const reading = s.number(to);
  if (reading !== undefined && reading.fraction === undefined && reading.whole.length <= 4 && !UNIT_WORDS.has(s.text(reading.to))) to = reading.to;
  return to;
}

/** Words that only say which or where. */
const TRAFFIC_PADDING = /^(?:neo|max|freighter|has|have|crossed|passed|landed|vacated|the|a|an|that|this|on|from|short|long|final|finals|your|aircraft|traffic|one|ahead|of|you|is|engine|engined|next|left|right|base|downwind|hand|side|runway|approach|rollout|miles|from|preceding|regional|light|small|slow|private|business)$/u;

/** Another aircraft in canonical form: its phase and type, "LANDING_A320"; "TRAFFIC" when neither is said. */
export function trafficKey(s: Scanner, from: number, to: number): string {
  const parts: string[] = [];
  let final = false;
  for (let index = from; index < to; index++) {
    const text = s.text(index);
    const reading = s.number(index);
    if (reading !== undefined && reading.to <= to) {
      // "airbus three twenty", "boeing seven three seven", or the number alone; other numbers say where it is
      const maker = parts.at(-1);
      if ((maker === 'AIRBUS' || maker === 'BOEING') && !s.is(reading.to, 'miles')) parts[parts.length - 1] = maker.slice(0, 1) + reading.whole;
      else if (/^1[479][05]$/u.test(reading.whole) && !s.is(reading.to, 'miles')) parts.splice(maker === 'EMBRAER' ? parts.length - 1 : parts.length, 1, `E${reading.whole}`);
      else if (/^\d{3}$/u.test(reading.whole) && !s.is(reading.to, 'miles')) parts.push((reading.whole.startsWith('3') || reading.whole.startsWith('2') ? 'A' : reading.whole.startsWith('7') ? 'B' : '') + reading.whole);
      index = reading.to - 1;
      continue;
    }
    if (/^(?:final|finals)$/u.test(text)) final = true;
    if (TRAFFIC_PADDING.test(text)) continue;
    parts.push((text === 'arriving' || text === 'inbound' ? 'landing' : text === 'outbound' ? 'departing' : text).toUpperCase().replace(/[^A-Z0-9]/gu, ''));
  }
  if (final && !parts.includes('LANDING')) parts.unshift('LANDING');
  return parts.filter((part) => part !== '').join('_') || 'TRAFFIC';
}

/** Words of the aerodrome traffic circuit: "left" or "right" before one of them is its side. */
const PATTERN_WORDS: ReadonlySet<string> = new Set(['traffic', 'downwind', 'base', 'turn', 'turnout', 'pattern', 'closed', 'circuit', 'circuits', 'hand', 'crosswind']);

export function runwayAt(s: Scanner, i: number): { value: values.Value; to: number; extra: Partial<Draft<Item>> } | undefined {
  const reading = s.number(i);
  if (reading === undefined || reading.fraction !== undefined || reading.scaled) return undefined;
  let digits = reading.whole;
  let to = reading.to;
  // "one uh two two": what was begun before the hesitation is whole behind it
  const anew = reading.gaps.at(-1);
  if (digits.length === 3 && anew !== undefined && anew > i && anew < to) {
    const again = runwayAt(s, anew);
    if (again?.value.value.replace(/\D/gu, '') === digits.slice(1)) return again;
  }
  // more digits than a runway has: only behind the word "runway" do the first two make one
  if (digits.length > 2 && !s.is(i - 1, 'runway') && !s.oneOf(i - 1, /^(?:ils|localizer|land|takeoff|approach|rnp|rnav|final)$/u)) return undefined;
  if (digits.length > 2) {
    const cut = firstDigits(reading, 2);
    if (cut === undefined) return undefined;
    ({ digits, to } = cut);
  }
  let side: values.Side | undefined;
  const name = s.text(to);
  if (to === reading.to && SIDES.has(name) && s.masked[to] !== true) {
    const turnFollows = (name === 'left' || name === 'right') && ((s.is(to + 1, 'turn') && !s.oneOf(to + 2, /^(?:left|right)$/u)) || s.is(to + 1, 'heading'));
    // "runway one one lima apron": Lima is the unit's place
    const unit = name === 'lima' && FACILITIES.has(s.text(to + 1));
    const letterRun = unit || s.letter(to) !== undefined && s.t[to]?.written !== true && (s.letter(to + 1) !== undefined || (s.path && !s.is(i - 1, 'runway')));
    if ((name === 'left' || name === 'right') && PATTERN_WORDS.has(s.text(to + 1)) && !s.is(to + 1, 'turn')) {
      // "runway three right traffic": the side is the circuit's; it may be the runway's, so both are kept
      const plain = values.runway(digits, undefined);
      const sided = values.runway(digits, SIDES.get(name));
      if (plain === undefined || sided === undefined) return undefined;
      // "runway nine left, traffic on a four mile final" speaks of an aircraft
      const figure = s.number(to + 2);
      const information = s.is(to + 1, 'traffic') && (s.oneOf(to + 2, /^(?:on|is|at|a|the|your|landing|departing|crossing|ahead|vacating|holding|inbound|information|just|still|will)$/u) || (figure !== undefined && UNIT_WORDS.has(s.text(figure.to))));
      return information
        ? { value: { ...sided, sure: Math.min(sided.sure, 0.9) }, to: to + 1, extra: { alternatives: [plain.value] } }
        : { value: { ...plain, sure: Math.min(plain.sure, 0.8) }, to, extra: { alternatives: [sided.value] } };
    }
    // "… two four right heading two one zero": the side may belong to either
    if (turnFollows) {
      const sided = values.runway(digits, SIDES.get(name));
      const plain = values.runway(digits, undefined);
      if (sided !== undefined && plain !== undefined) return { value: plain, to, extra: { alternatives: [sided.value] } };
    }
    if (!turnFollows && !letterRun) {
      side = SIDES.get(name);
      to++;
    }
  }
  const value = values.runway(digits, side);
  if (value === undefined) return undefined;
  const extra: Partial<Draft<Item>> = {};
  // a number begun twice ("two uh six left"): the later start is another reading
  const gap = reading.gaps.find((position) => position > i && position < to);
  if (gap !== undefined && digits.length === 2) {
    const later = values.runway(digits.slice(1), side);
    if (later !== undefined) {
      extra.alternatives = [later.value];
      return { value: { ...value, sure: 0.5 }, to, extra };
    }
  }
  return { value, to, extra };
}

/** A taxiway name: letter, letter and number, double letter said as a pair; not two taxiways. */
export function taxiName(s: Scanner, i: number, digitsMax = 2): { value: string; to: number } | undefined {
  const letter = s.letter(i);
  if (letter === undefined) return undefined;
  let value = letter;
  let to = i + 1;
  const reading = s.number(to);
  // "alfa one | one five zero knots", "alfa one | one two one decimal niner": the last three digits are another value
  const ahead = reading === undefined ? 0 : reading.whole.length - 3;
  if (reading !== undefined && !reading.scaled && (reading.fraction !== undefined || s.oneOf(reading.to, /^(?:knots|degrees)$/u)) && ahead >= 1 && ahead <= Math.min(2, digitsMax)) {
    const own = firstDigits(reading, ahead);
    if (own !== undefined) return { value: letter + own.digits, to: own.to };
  }
  if (reading !== undefined && reading.fraction === undefined && !reading.scaled) {
    if (reading.whole.length <= digitsMax && !UNIT_WORDS.has(s.text(reading.to))) {
      value += reading.whole;
      to = reading.to;
    } else {
      const one = firstDigits(reading, 1);
      if (one !== undefined && looksLikeFrequencyAfter(reading)) {
        value += one.digits;
        to = one.to;
      }
    }
  }
  if (to > i + 1 && s.letter(to) !== undefined && s.letter(to + 1) === undefined && digitsMax > 2 && s.number(to + 1) === undefined) {
    value += s.letter(to) ?? '';
    to++;
  }
  return { value, to };
}

export function plainNumberName(s: Scanner, i: number): { value: string; to: number } | undefined {
  const reading = s.number(i);
  if (reading === undefined || reading.fraction !== undefined || reading.whole.length > 3) return undefined;
  let to = reading.to;
  let value = reading.whole;
  const letter = s.letter(to);
  if (letter !== undefined && s.letter(to + 1) === undefined) {
    value += letter;
    to++;
  }
  return { value, to };
}

/** A name of a fix, VOR, city or reporting point at `i`: unknown words, letters spelled out, letter and number. */
export function fixAt(s: Scanner, i: number): { value: string; to: number; sure: number } | undefined {
  const token = s.t[i];
  if (token === undefined || s.masked[i] === true) return undefined;
  if (token.text === 'the' && s.oneOf(i + 2, /^(?:vor|ndb|waypoint|intersection|fix)$/u)) {
    const named = fixAt(s, i + 1);
    return named === undefined ? undefined : { ...named, to: s.oneOf(named.to, /^(?:vor|ndb|waypoint|intersection|fix)$/u) ? named.to + 1 : named.to };
  }
  if (token.letter !== undefined && token.number === undefined) {
    let to = i;
    let value = '';
    while (s.letter(to) !== undefined && value.length < 5) {
      value += s.letter(to) ?? '';
      to++;
    }
    const reading = s.number(to);
    // "quebec delta five quebec departure": a procedure named after a beacon
    if (reading !== undefined && value.length >= 2 && reading.whole.length === 1 && reading.fraction === undefined && s.letter(reading.to) !== undefined && s.oneOf(reading.to + 1, /^(?:departure|arrival|transition)$/u)) return { value: value + reading.whole + (s.letter(reading.to) ?? ''), to: reading.to + 1, sure: 0.95 };
    if (reading !== undefined && value.length === 1 && reading.fraction === undefined && !reading.scaled && !UNIT_WORDS.has(s.text(reading.to))) {
      const digits = reading.whole.length === 1 ? { digits: reading.whole, to: reading.to } : firstDigits(reading, 1);
      if (digits !== undefined) return { value: value + digits.digits, to: digits.to, sure: 0.85 };
    }
    if (value.length === 1) return { value: token.written === true ? value : token.text.toUpperCase(), to, sure: 0.7 };
    return { value, to, sure: value.length >= 2 && value.length <= 3 ? 0.95 : 0.85 };
  }
  if (token.number !== undefined) return undefined;
  if (!/^[\p{L}'-]{2,}$/u.test(token.text)) return undefined;
  const place = PLACES.has(token.text);
  if (!place && (isKnownWord(token.text) || AIRCRAFT_KINDS.has(token.text))) {
    if (token.text === 'destination') {
      const after = fixAt(s, i + 1);
      return after === undefined ? { value: 'DESTINATION', to: i + 1, sure: 0.9 } : after;
    }
    return undefined;
  }
  let to = i + 1;
  let value = token.text;
  // "karlovy vary", "st prex": a second unknown word joins when nothing stands between
  const second = s.t[to];
  // "clear of gitkom | jarpar seven golf arrival", "clear of nomtul | nairobi director": the second word has a meaning of its own
  const procedure = s.number(to + 1);
  const apart = token.text.length >= 5 && ((procedure?.whole.length === 1 && procedure.fraction === undefined && s.letter(procedure.to) !== undefined) || FACILITIES.has(s.text(to + 1)));
  if (!apart && second !== undefined && s.masked[to] !== true && second.number === undefined && second.letter === undefined && second.pause !== true && /^[\p{L}'-]{3,}$/u.test(second.text) && !isKnownWord(second.text) && !PLACES.has(second.text) && !place && second.text.length <= 8 && telephonyAt(s.t.slice(to, to + 3).map((t) => t.text), 0) === undefined) {
    value += second.text;
    to++;
  }
  // SID or STAR: "kilnu one alfa"
  const reading = s.number(to);
  if (reading !== undefined && reading.whole.length === 1 && reading.fraction === undefined && s.letter(reading.to) !== undefined && !place) return { value: (value + reading.whole + (s.letter(reading.to) ?? '')).toUpperCase(), to: reading.to + 1, sure: 0.95 };
  if (reading !== undefined && reading.whole.length === 1 && s.oneOf(reading.to, /^(?:departure|arrival|transition)$/u)) return { value: (value + reading.whole).toUpperCase(), to: reading.to, sure: 0.9 };
  if (s.is(to, 'vor') || s.is(to, 'ndb')) to++;
  return { value: value.replace(/[^\p{L}]/gu, '').toUpperCase(), to, sure: place ? 0.8 : 0.9 };
}

export function looksLikeFrequency(s: Scanner, i: number): boolean {
  const reading = s.number(i);
  if (reading === undefined) return false;
  const value = values.frequency(reading.whole, reading.fraction);
  return value !== undefined && value.clipped === undefined;
}

export function looksLikeFrequencyAfter(reading: NumberReading): boolean {
  return reading.whole.length > 5;
}

/** "the landing airbus", "landing traffic": traffic that is waited for. */
export function landingTraffic(s: Scanner, i: number): boolean {
  let to = i;
  if (s.oneOf(to, /^(?:the|a|an|next|that|this)$/u)) to++;
  if (!s.oneOf(to, /^(?:landing|departing|arriving|preceding|next|crossing|opposite|company|first|second|inbound|outbound)$/u) && trafficAt(s, i) === undefined) return false;
  if (trafficAt(s, i) === undefined && trafficAt(s, to) === undefined && trafficAt(s, to + 1) === undefined) return false;
  return true;
}

/** A heading value starts here. */
export function headingAhead(s: Scanner, i: number): boolean {
  let at = i;
  if (s.is(at, 'to')) at++;
  if (s.oneOf(at, /^(?:heading|present)$/u)) return true;
  if (s.is(at, 'runway', 'heading')) return true;
  if (s.is(at, 'by')) at++;
  const reading = s.number(at);
  if (reading === undefined || reading.fraction !== undefined) return false;
  if (s.is(reading.to, 'degrees')) return true;
  return reading.whole.length >= 3 && Number(reading.whole.slice(0, 3)) <= 360 && !reading.scaled && (reading.whole.length === 6 && s.is(reading.to, 'knots') || !s.oneOf(reading.to, /^(?:knots|feet|miles|left|right|center)$/u)) && !looksLikeFrequency(s, at);
}

export function unmaskedUnit(s: Scanner, i: number): number | undefined {
  // "swiss two zero four kilo departure": the letter before is the aircraft's, so this is no route's name
  const end = unitAt(s.t, i) ?? (s.masked[i - 1] === true && s.t[i + 1] === undefined && s.oneOf(i, /^(?:departure|departures|arrival|arrivals)$/u) ? i + 1 : undefined);
  if (end === undefined) return undefined;
  for (let index = i; index < end; index++) if (s.masked[index] === true) return undefined;
  const first = s.t[i];
  if (first === undefined) return undefined;
  if (end === i + 1 && first.letter !== undefined) return undefined;
  // a place by itself is a unit only next to a callsign or a greeting
  if (PLACES.has(first.text) && end === i + 1 && !FACILITIES.has(first.text)) {
    if (s.expectFix || s.verb === 'cleared_route' || s.verb === 'direct') return undefined;
    const nextToCallsign = s.masked[i - 1] === true || s.masked[i + 1] === true || i === 0 || s.verb === 'contact' || s.verb === 'monitor';
    if (!nextToCallsign) return undefined;
  }
  if (first.text === 'approach' && end === i + 1 && s.labels[i - 1] === 'runway') return undefined;
  if ((first.text === 'departure' || first.text === 'approach' || first.text === 'arrival') && !(s.verb === 'contact' || s.verb === 'monitor' || s.masked[i - 1] === true || s.masked[i + 1] === true || i === 0 || i === s.t.length - 1)) return undefined;
  if (first.text === 'information' && !(s.verb === 'contact')) return undefined;
  if (first.text === 'control' && s.verb !== 'contact' && s.masked[i - 1] !== true) return undefined;
  if (first.text === 'center' && s.verb !== 'contact' && s.masked[i - 1] !== true && i !== 0) return undefined;
  return end;
}

/** Where the words of a clause end: at the next slot, phrase, callsign or the end. */
export function clauseEnd(s: Scanner, i: number, loose = false): number {
  let to = i;
  while (to < s.t.length && s.masked[to] !== true) {
    const text = s.text(to);
    if (s.t[to]?.pause === true && to > i) break;
    // "caution wake turbulence and then …": what is warned of is named
    if (s.is(to - 1, 'turbulence') && (text === 'and' || text === 'then' || s.phraseAt(to) !== undefined)) break;
    if (/^(?:runway|heading|flight|qnh|qfe|altimeter|altitude|speed|squawk|wind|report|expect|contact|cleared|roger|and|then|correction|break|confirm|expedite|expediting|please|sir)$/u.test(text) && !(loose && text === 'and')) break;
    const phrase = phrasesAt(text).find((p) => p.kind !== 'short' && p.words.every((word, offset) => s.text(to + offset) === word));
    if (phrase !== undefined && !(loose && /^(?:crossing|climbing|descending|proceeding|inbound|maintaining|landing|approved|is|are|base|final|downwind|direct|start|departing)$/u.test(text))) break;
    if (s.number(to) !== undefined && !loose) break;
    to++;
  }
  return to;
}

/** "four mile(s) final": the token behind it. */
function milesFinal(s: Scanner, i: number): number | undefined {
  const reading = s.number(i);
  return reading !== undefined && s.is(reading.to, 'miles') && s.oneOf(reading.to + 1, /^(?:final|finals)$/u) ? reading.to + 2 : undefined;
}
