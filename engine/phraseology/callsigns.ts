/**
 * Aircraft callsigns in words: telephony and flight number, registration, shortened and partial forms (Annex 10 vol. II §5.2.1.7.2),
 * and their resolution against the traffic that is known to be on frequency.
 */
import { AIRCRAFT_KINDS, FACILITIES, PLACES, TRAFFIC_KINDS, isKnownWord, isPhraseWord } from './lexicon.js';
import { readNumber } from './numbers.js';
import { designatorsOf, telephonyAt, telephonyNames, telephonyOf } from './telephony.js';
import type { Token } from './tokens.js';

/** A stretch of words that may be a callsign, before any list is consulted. Token positions. */
export interface RawCallsign {
  readonly from: number;
  readonly to: number;
  /** Letters and digits said: flight number ("9TP") or (part of a) registration ("OKPMB", "MB"). */
  readonly chars: string;
  /** Telephony name as heard, when there is one. */
  readonly telephony?: string;
  /** ICAO codes that the telephony name stands for; empty when it is unknown. */
  readonly codes: readonly string[];
  /** "cessna", "heli" … said before. */
  readonly kind?: string;
  readonly position: 'start' | 'end' | 'middle';
  /** 0…1 before lists. */
  readonly score: number;
  /** It is spoken of, not to: after "behind", "traffic", "follow" … */
  readonly traffic: boolean;
  /** Other stretches of the same letters and digits that a list may prefer. */
  readonly windows?: readonly { readonly from: number; readonly to: number; readonly chars: string }[];
}

/** A callsign in canonical form. */
export interface CallsignMatch {
  readonly raw: RawCallsign;
  readonly value: string;
  readonly form: 'full' | 'short' | 'list' | 'partial';
  readonly score: number;
  readonly designator?: string;
  readonly flight?: string;
}

/** National prefixes whose registrations are said letter by letter (Annex 7). Longest first. */
const NATIONALITY =
  /^(OK|HB|OE|PH|OO|LX|SE|LN|OY|OH|EC|CS|EI|SP|OM|HA|YR|LZ|SX|TC|9A|S5|ES|YL|LY|UR|RA|EW|4X|A6|A7|B|VH|ZK|C|VT|HS|9V|9M|JY|HZ|SU|CN|TS|T7|VP|P4|9H|E7|YU|D|G|F|I|M)/u;

/** Words of phraseology that operators are called by as well ("regional two eight"). */
const NAME_LIKE: ReadonlySet<string> = new Set(['regional', 'medical', 'military', 'training', 'special', 'charter', 'test', 'local', 'passenger', 'patrol', 'survey', 'channel', 'profile', 'circle', 'company', 'vehicle', 'tug', 'car', 'truck', 'base', 'link']);

const TRAFFIC_LEAD: ReadonlySet<string> = new Set(['behind', 'traffic', 'follow', 'following', 'preceding', 'than', 'landing', 'departing', 'company', 'opposite']);
/** Names of state aircraft made of words that mean something else by themselves (Annex 10 vol. II §5.2.1.7.2.1 c; FAA JO 7110.65 §2-4-20). */
const STATE_NAMES: readonly (readonly string[])[] = [
  ['coast', 'guard'], ['navy', 'copter'], ['army', 'copter'], ['navy', 'helicopter'], ['army', 'helicopter'], ['air', 'force', 'copter'], ['air', 'force'], ['guard', 'copter'], ['police', 'copter'], ['police', 'helicopter'], ['rescue', 'helicopter'], ['rescue', 'copter'],
  ['medical', 'helicopter'], ['ambulance', 'helicopter'],
];

/** Words after which letters are a route, a point or a name, not an aircraft. */
const PATH_LEAD: ReadonlySet<string> = new Set([
  'via', 'taxi', 'taxiway', 'point', 'stand', 'gate', 'bay', 'intersection', 'information', 'on', 'route', 'to', 'at', 'into', 'onto', 'from', 'direct', 'inbound', 'along', 'sector', 'spot', 'ramp', 'ils', 'rnav', 'rnp', 'vor', 'over',
  'overhead', 'abeam', 'link', 'towards', 'by', 'atis', 'info', 'airspace', 'class', 'inner', 'outer', 'continue', 'romeo-path', 'holding', 'mode', 'direction',
]);

/** Words after which letters may be a reporting point or an aircraft. */
const POINT_LEAD: ReadonlySet<string> = new Set(['report', 'reporting', 'next', 'leaving', 'passing', 'after', 'until', 'before', 'join', 'cross', 'crossing', 'of', 'approaching', 'position', 'for', 'vacate']);

/** Words after which an unknown word is a place. */
const FIX_LEAD: ReadonlySet<string> = new Set(['direct', 'to', 'via', 'inbound', 'over', 'overhead', 'passing', 'at', 'abeam', 'from', 'towards', 'point', 'after', 'until', 'before', 'route', 'in', 'near']);

interface Chars {
  readonly chars: string;
  readonly to: number;
  /** Cut points: token position → characters up to there. */
  readonly cuts: readonly { readonly to: number; readonly length: number }[];
  readonly digits: number;
  readonly scaled: boolean;
}

/** Reads letters and digits from `at` without deciding what they are. `apart`: a quantity ("five thousand") is a run of its own. */
function readChars(tokens: readonly Token[], at: number, limit = 12, apart = false): Chars | undefined {
  let chars = '';
  let index = at;
  let digits = 0;
  let scaled = false;
  const cuts: { to: number; length: number }[] = [];
  while (index < tokens.length && chars.length < limit) {
    const token = tokens[index];
    if (token === undefined || (index > at && token.parted === true)) break;
    if (token.letter !== undefined) {
      chars += token.letter;
      index++;
      cuts.push({ to: index, length: chars.length });
      continue;
    }
    const repeated = token.number?.kind === 'repeat' ? tokens[index + 1]?.letter : undefined;
    if (token.number?.kind === 'repeat' && repeated !== undefined) {
      chars += repeated.repeat(token.number.times);
      index += 2;
      cuts.push({ to: index, length: chars.length });
      continue;
    }
    const reading = token.number === undefined || token.number.kind === 'decimal' ? undefined : readNumber(tokens, index);
    if (reading === undefined || reading.atoms.length === 0) break;
    if (apart && reading.scaled && index > at) break;
    for (const atom of reading.atoms) {
      chars += atom.digits;
      digits += atom.digits.length;
      index = atom.to;
      scaled = scaled || atom.scaled;
      cuts.push({ to: index, length: chars.length });
    }
    // "skymark eight hundred juliet": the letter is the flight's, no figure goes on behind it
    if (apart && reading.scaled && reading.from === at && chars.length <= 3 && tokens[index]?.parted !== true && tokens[index]?.letter !== undefined && tokens[index + 1]?.number === undefined) {
      for (let more = 0; more < 2 && tokens[index]?.letter !== undefined && tokens[index]?.parted !== true; more++) {
        chars += tokens[index]?.letter ?? '';
        index++;
        cuts.push({ to: index, length: chars.length });
      }
      break;
    }
    if (reading.fraction !== undefined || (apart && reading.scaled)) break;
  }
  return chars === '' ? undefined : { chars, to: index, cuts, digits, scaled };
}

/** Longest prefix of a character run that looks like a flight number: up to four digits, then up to two letters; or a few letters. */
function flightNumber(run: Chars, next: Token | undefined): { readonly chars: string; readonly to: number } | undefined {
  let length = run.chars.length;
  const timed = next?.text === 'minutes' && /^\d{3,}$/u.test(run.chars);
  if (!timed && next !== undefined && /^(?:minutes|seconds|hours|percent|hectopascals|inches|o'clock|meters)$/u.test(next.text)) return undefined;
  // "three one | ten miles before …": the distance is not part of the flight number
  if (timed || (next !== undefined && /^(?:miles|dme)$/u.test(next.text) && /^\d{3,}$/u.test(run.chars))) {
    const last = run.cuts[run.cuts.length - 1];
    const before = run.cuts[run.cuts.length - 2];
    const grouped = last !== undefined && last.length - (before?.length ?? 0) === 2;
    length -= grouped || (run.chars.length >= 4 && run.chars.endsWith('0')) ? 2 : 1;
  }
  // a value's unit follows: its digits are not part of the flight number
  if (next !== undefined && /\d$/u.test(run.chars)) {
    const tail = /\d+$/u.exec(run.chars)?.[0] ?? '';
    if (next.text === 'degrees' && tail.length > 3) length -= 3;
    // "two three | one five zero knots"
    else if (next.text === 'knots' && (tail.length === 5 || (/^\d[1-3]\d0$/u.test(tail) && run.cuts.some((cut) => cut.length === run.chars.length - 3)))) length -= 3;
    else if (next.text === 'knots' && tail.length > 5) length -= tail.length >= 8 ? 5 : tail.length - 3;
    else if ((next.text === 'feet' || next.text === 'miles' || next.text === 'metres') && run.scaled) return undefined;
  }
  let best: { chars: string; to: number } | undefined;
  for (const cut of run.cuts) {
    const chars = run.chars.slice(0, cut.length);
    if (cut.length > length) break;
    // "five papa one" at the very end: nothing else has one digit there
    const between = next === undefined && cut.length === run.chars.length && /^\d{1,2}[A-Z]\d$/u.test(chars);
    if (between || /^\d{1,4}[A-Z]{0,2}$/u.test(chars) || /^\d{1,3}[A-Z]{3}$/u.test(chars) || /^[A-Z]{1,3}$/u.test(chars) || /^\d{5}$/u.test(chars)) {
      if (/^\d{5}$/u.test(chars) && run.chars.length > 5) continue;
      // the number said twice
      if (best !== undefined && best.chars.length >= 3 && /^\d+$/u.test(chars) && run.chars.startsWith(best.chars + best.chars)) break;
      best = { chars, to: cut.to };
    }
  }
  return best;
}

const withSuffix = (tokens: readonly Token[], to: number): number => (tokens[to]?.text === 'heavy' || tokens[to]?.text === 'super' ? to + 1 : to);

/** Index of the first token that is not a head ornament ("and", "okay", a unit's name, a greeting is gone already). */
function headOf(tokens: readonly Token[]): number {
  let index = 0;
  while (index < tokens.length && index < 8) {
    const token = tokens[index];
    if (token === undefined) break;
    if (/^(?:and|okay|ok|yes|yeah|yep|ja|roger|so|well|break|correction|no|sorry|disregard|negative|affirm|wilco|vilco|station|thank|also|now|the|hey|sir|copied|copy|again|is|this|here|calling|go|ahead|standby|all|stations|unk)$/u.test(token.text)) {
      index++;
      continue;
    }
    const unit = unitAt(tokens, index);
    if (unit !== undefined) {
      index = unit;
      continue;
    }
    break;
  }
  return index;
}

/** Token position behind a unit's name that starts at `at` ("praha radar", "tower"), or undefined. */
export function unitAt(tokens: readonly Token[], at: number): number | undefined {
  const first = tokens[at];
  if (first === undefined) return undefined;
  let index = at;
  if (PLACES.has(first.text) && first.number === undefined) {
    index++;
    if (PLACES.has(tokens[index]?.text ?? '') && FACILITIES.has(tokens[index + 1]?.text ?? '')) index++;
    while (FACILITIES.has(tokens[index]?.text ?? '') && tokens[index]?.parted !== true && !isFacilityUsedOtherwise(tokens, index)) index++;
    return index;
  }
  if (FACILITIES.has(first.text) && !isFacilityUsedOtherwise(tokens, at)) {
    index++;
    while (FACILITIES.has(tokens[index]?.text ?? '')) index++;
    return index;
  }
  if (first.number === undefined && first.letter === undefined && !isKnownWord(first.text) && FACILITIES.has(tokens[at + 1]?.text ?? '') && !isFacilityUsedOtherwise(tokens, at + 1)) return at + 2;
  return undefined;
}

/** "radar contact", "approach runway", "information lima", "clearance limit", "departure approved" are no units. */
function isFacilityUsedOtherwise(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text;
  const next = tokens[at + 1];
  // a greeting in between parts a place from a facility ("praha hello radar contact")
  const before = tokens[at]?.parted === true ? undefined : tokens[at - 1];
  if (text === 'radar' && next?.text === 'contact') return tokens[at + 2]?.number === undefined && unitAt(tokens, at + 2) === undefined && tokens[at + 2]?.text !== 'on';
  if (text === 'radar' && (next?.text === 'service' || next?.text === 'vectors' || next?.text === 'vectoring' || next?.text === 'identified')) return before === undefined || !PLACES.has(before.text);
  if (text === 'approach') return next?.text === 'runway' || next?.text === 'approved' || next?.text === 'speed' || /^(?:ils|rnav|rnp|visual|vor|ndb|localizer|the|zulu|yankee|xray|an|final|straight|continue|cleared)$/u.test(before?.text ?? '');
  if (text === 'information' || text === 'info') return next?.letter !== undefined && !(before !== undefined && PLACES.has(before.text));
  if (text === 'clearance') return (next?.text !== 'delivery' && !(before !== undefined && PLACES.has(before.text))) || /^(?:ifr|vfr|landing|request|your|the|for|further)$/u.test(before?.text ?? '');
  if (text === 'departure' || text === 'departures') return /^(?:for|after|the|ready|when|visual|before|letter|since|on|direction)$/u.test(before?.text ?? '') || before?.letter !== undefined || /^(?:runway|own|low|approved|clearance|frequency)$/u.test(next?.text ?? '');
  if (text === 'ground') return /^(?:on|the|above)$/u.test(before?.text ?? '') && next?.text !== 'frequency';
  if (text === 'apron') return /^(?:the|to|on|north|south|east|west|via|blue|green|cargo|main|general|aviation|maintenance|military|business|remote|fuel)$/u.test(before?.text ?? '') && next?.number === undefined;
  if (text === 'control') return /^(?:the|into|enter|join|speed|leave|visual)$/u.test(before?.text ?? '') || next?.text === 'zone';
  if (text === 'center') return before?.number !== undefined || next?.text === 'line';
  if (text === 'arrival' || text === 'arrivals') return /^(?:the|landing|preceding|for|after|your|and)$/u.test(before?.text ?? '') || before?.letter !== undefined;
  if (text === 'precision' || text === 'upper' || text === 'lower' || text === 'company' || text === 'feeder' || text === 'handling' || text === 'radio' || text === 'ramp' || text === 'operations' || text === 'ops') return before === undefined || (!PLACES.has(before.text) && isKnownWord(before.text));
  return false;
}

/** All stretches that may be callsigns, in order of position. `tokens` without fillers. */
export function findCallsigns(tokens: readonly Token[]): RawCallsign[] {
  const found: RawCallsign[] = [];
  const texts = tokens.map((token) => token.text);
  const head = headOf(tokens);
  const end = tailOf(tokens);
  const taken = new Set<number>();
  const place = (from: number, to: number): 'start' | 'end' | 'middle' => (from <= head ? 'start' : to >= end ? 'end' : 'middle');
  const push = (raw: Omit<RawCallsign, 'position' | 'traffic'>): void => {
    const before = tokens[raw.from - 1]?.text ?? '';
    const article = before === 'the' || before === 'a' ? (tokens[raw.from - 2]?.text ?? '') : before;
    // "right traffic" is the circuit's side
    const circuit = article === 'traffic' && /^(?:left|right|closed)$/u.test(tokens[raw.from - 2]?.text ?? '');
    const position = place(raw.from, raw.to);
    // "when clear of traffic", "after landing", "due traffic" end a condition; the callsign at the very end is the speaker's
    const closing = position === 'end' && article === before && /^(?:traffic|landing|departing)$/u.test(article) && (/^(?:of|due|to|after|for|before|until)$/u.test(tokens[raw.from - 2]?.text ?? '') || (article !== 'traffic' && TRAFFIC_KINDS.has(tokens[raw.from - 2]?.text ?? '')) || (article === 'traffic' && /^(?:company|landing|departing|crossing|preceding|opposite|the)$/u.test(tokens[raw.from - 2]?.text ?? '')));
    // "behind the landing airbus line up runway two six behind": the closing word ends the clearance
    const lineUp = article === 'behind' && article === before ? texts.lastIndexOf('up', raw.from - 2) : -1;
    const closed = position === 'end' && lineUp > 0 && /^(?:line|lining)$/u.test(texts[lineUp - 1] ?? '') && texts.lastIndexOf('behind', lineUp) >= 0;
    const traffic = TRAFFIC_LEAD.has(article) && !circuit && !closing && !closed;
    found.push({ ...raw, position, traffic, score: raw.score * (traffic ? 0.3 : position === 'middle' ? 0.75 : 1) });
    for (let index = raw.from; index < raw.to; index++) taken.add(index);
  };

  // military and state aircraft whose names are common words
  for (let index = 0; index < tokens.length; index++) {
    const name = STATE_NAMES.find((words) => words.every((word, offset) => texts[index + offset] === word && !taken.has(index + offset)));
    // "german air force" is an operator of its own
    if (name === undefined || [1, 2].some((back) => (telephonyAt(texts, index - back)?.to ?? 0) > index)) continue;
    const run = readChars(tokens, index + name.length, 12, true);
    const flight = run === undefined ? undefined : flightNumber(run, tokens[run.to]);
    if (flight === undefined || !/\d/u.test(flight.chars)) continue;
    push({ from: index, to: withSuffix(tokens, flight.to), chars: flight.chars, telephony: name.join(' '), codes: [], score: 0.85 });
  }

  // telephony and flight number
  for (let index = 0; index < tokens.length; index++) {
    if (taken.has(index)) continue;
    const known = telephonyAt(texts, index);
    if (known === undefined) continue;
    // "united heavy ten sixty eight"
    const start = withSuffix(tokens, known.to);
    const after = tokens[start];
    if (after === undefined || (after.number === undefined && after.letter === undefined)) {
      // the operator alone: a list may know which of its flights is meant
      if (tokens[index]?.letter === undefined && !PLACES.has(known.name) && (index <= head || known.to >= end)) push({ from: index, to: known.to, chars: '', telephony: known.name, codes: designatorsOf(known.name), score: 0.4 });
      continue;
    }
    // alphabet words and place names that are telephony names as well need a digit behind them
    const doubtful = (tokens[index]?.letter !== undefined || PLACES.has(known.name)) && after.number === undefined;
    if (doubtful) continue;
    const run = readChars(tokens, start, 12, true);
    if (run === undefined) continue;
    // "contact singapore one three three decimal two five": the place of a unit, and its frequency
    if (PLACES.has(known.name) && index > 0 && /^(?:contact|contacting|monitor|call|with)$/u.test(texts[index - 1] ?? '') && /^1[123]\d/u.test(run.chars)) continue;
    const flight = flightNumber(run, tokens[run.to]);
    if (flight === undefined) continue;
    // "via alfa five delta nine": a taxiway, not the operator
    let lead = index - 1;
    while (lead > head && (tokens[lead]?.letter !== undefined || (tokens[lead]?.text === 'and' && tokens[lead - 1]?.letter !== undefined) || (tokens[lead]?.text === 'and' && tokens[lead - 2]?.letter !== undefined && tokens[lead - 1]?.number !== undefined) || (tokens[lead]?.number !== undefined && !/^(?:hundred|thousand)$/u.test(tokens[lead]?.number?.kind ?? '')))) lead--;
    const inPath = index > head && (PATH_LEAD.has(texts[lead] ?? '') ? !/^\d{3,}/u.test(flight.chars) : lead < index - 1 && /^\d{1,2}$/u.test(flight.chars));
    if (tokens[index]?.letter !== undefined && inPath) continue;
    const onlyLetters = !/\d/u.test(flight.chars);
    // one figure or letter that is left over belongs to nothing else: "… eight nine one seven" at the end is no 891
    const alone = (cut: { readonly length: number; readonly to: number }): boolean =>
      cut.to === flight.to - 1 && flight.to === run.to && (tokens[flight.to] === undefined || (tokens[cut.to]?.letter === undefined && !UNITS_BEHIND.test(tokens[flight.to]?.text ?? '')));
    const windows = run.cuts
      .filter((cut) => cut.length !== flight.chars.length && cut.length <= 5 && !alone(cut))
      .map((cut) => ({ from: index, to: withSuffix(tokens, cut.to), chars: run.chars.slice(0, cut.length) }));
    push({ from: index, to: withSuffix(tokens, flight.to), chars: flight.chars, telephony: known.name, codes: designatorsOf(known.name), score: onlyLetters ? 0.6 : 0.95, ...(windows.length === 0 ? {} : { windows }) });
  }

  // an unknown word and a number where a callsign stands
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined || taken.has(index) || token.number !== undefined || token.letter !== undefined) continue;
    const kind = AIRCRAFT_KINDS.has(token.text);
    // "left base", "two mile base" are places in the circuit
    const named = NAME_LIKE.has(token.text) && !(token.text === 'base' && /^(?:left|right|miles|turn|turning|on|short|extended|to|hand|join|joining|the)$/u.test(texts[index - 1] ?? '')) && tokens[index + 1]?.number?.kind === 'digits' && (index <= head || tokens.length - index <= 6);
    if (!kind && ((isPhraseWord(token.text) && !named) || (isKnownWord(token.text) && index > head + 1 && index + 1 < tokens.length - 6) || PLACES.has(token.text) || !(/^[a-z'-]{3,}$/u.test(token.text) || (index === 0 && /^[a-z]{2}$/u.test(token.text) && !isKnownWord(token.text))))) continue;
    const next = tokens[index + 1];
    if (next === undefined || taken.has(index + 1)) continue;
    if (next.number === undefined && !(kind && next.letter !== undefined)) continue;
    if (FIX_LEAD.has(texts[index - 1] ?? '') && index > head) continue;
    const run = readChars(tokens, index + 1, 12, true);
    if (run === undefined) continue;
    const flight = kind ? registrationPart(run, tokens[run.to]) : flightNumber(run, tokens[run.to]);
    if (flight === undefined || flight.chars.length < (kind ? 2 : 1)) continue;
    // "baltu one four one transition", "it is baltu four alfa": a route's name
    if (tokens[flight.to]?.text === 'transition' || (!kind && index > head && /^\d[A-Z]$/u.test(flight.chars) && /^(?:departure|arrival)$/u.test(tokens[flight.to]?.text ?? '')) || (!kind && /^\d[A-Z]$/u.test(flight.chars) && texts[index - 1] === 'is' && texts[index - 2] === 'it')) continue;
    const atStart = index <= head + 1;
    const atEnd = withSuffix(tokens, flight.to) >= end;
    const afterUnit = index > 0 && unitEndsAt(tokens, index);
    // in the middle only where no place may stand, and never with a quantity ("montana three thousand two hundred")
    const quantity = run.scaled && !/^\d000$/u.test(flight.chars);
    if (!kind && quantity) continue;
    if (!kind && !atStart && !atEnd && !afterUnit && (run.scaled || FIX_LEAD.has(texts[index - 1] ?? '') || flight.chars.length < 2)) continue;
    let from = index;
    // "jump run eight zero two", "north shuttle two"
    const before = tokens[index - 1];
    if (!kind && before !== undefined && !taken.has(index - 1) && before.number === undefined && before.letter === undefined && !isPhraseWord(before.text) && !PLACES.has(before.text) && !FACILITIES.has(before.text) && /^[a-z'-]{2,}$/u.test(before.text) && before.pause !== true && token.pause !== true && !FIX_LEAD.has(texts[index - 2] ?? '')) from--;
    if (kind) {
      push({ from, to: withSuffix(tokens, flight.to), chars: flight.chars, codes: [], kind: token.text, score: 0.85 });
      continue;
    }
    push({ from, to: withSuffix(tokens, flight.to), chars: flight.chars, telephony: texts.slice(from, index + 1).join(' '), codes: [], score: atStart || atEnd || afterUnit ? 0.7 : 0.5 });
  }

  // registrations and shortened forms: letters, or letters and digits
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined || taken.has(index) || (token.letter === undefined && token.number === undefined)) continue;
    const run = readChars(tokens, index, 12, true);
    if (run === undefined) continue;
    // "flying one nine zero | lima information": Lima is the unit's place
    const place = tokens[run.to - 1]?.text === 'lima' && FACILITIES.has(tokens[run.to]?.text ?? '') && /^\d+L$/u.test(run.chars) ? run.to - 1 : run.to;
    const stop = firstTaken(taken, index, place);
    const free = stop === run.to ? run : cutAt(run, stop);
    if (free === undefined) {
      index = Math.max(index, run.to - 1);
      continue;
    }
    // "… foxtrot delta uniform thanks november whiskey": the callsign stands before the thanks
    const said = token.parted === true && found.some((other) => other.to === index && other.telephony === undefined && other.chars.length >= 3);
    for (const candidate of bareCallsigns(tokens, index, free, head, end)) push(said && candidate.chars.length === 2 ? { ...candidate, score: candidate.score * 0.5 } : candidate);
    index = Math.max(index, free.to - 1);
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Below this the least sure word in front of a number at the head may be an operator's name that was misheard. */
const MISHEARD = 0.6;
/** Behind these a number is a value, or what they say is an order and no name. */
const VALUE_LEAD = /^(?:runway|headings?|level|flight|altitude|qnh|qfe|altimeter|squawk\w*|wind|speed|number|feet|knots|degrees|decimal|point|frequency|via|stand|gate|bay|miles|than|minimum|maximum|mach|left|right|passing|leaving|reduc\w*|increas\w*|climb\w*|descen\w*|turn\w*|maintain\w*|fly\w*|information|direct|cross\w*|tower|ground|radar|approach|departure|director|delivery)$/u;
/** What is said to an aircraft right behind its callsign, besides orders. */
const ADDRESSED = /^(?:runway|identified|radar|roger|good|hello|thank|stop|make|come|left|right|behind|after|when|not|start|push|expect|stand|monitor|frequency|switch)$/u;

/**
 * "pan pan six sixty three turn right …": the number of an aircraft whose operator was misheard, where no other callsign was found. The words in front of
 * it are few and one of them unsure; an order follows. `sureness`: of the least sure word of a stretch.
 */
export function numberAtHead(tokens: readonly Token[], sureness: (from: number, to: number) => number): RawCallsign | undefined {
  const from = tokens.findIndex((token) => token.number !== undefined);
  const before = tokens.slice(0, Math.max(0, from));
  if (from < 1 || from > 4 || before.some((token) => token.letter !== undefined || VALUE_LEAD.test(token.text) || ORDER_WORDS.test(token.text))) return undefined;
  if (/^(?:on|at|to|for|by|until)$/u.test(before.at(-1)?.text ?? '')) return undefined;
  if (sureness(0, from) >= MISHEARD) return undefined;
  const run = readChars(tokens, from, 12, true);
  const next = run === undefined ? '' : (tokens[run.to]?.text ?? '');
  if (run === undefined || run.scaled || !/^\d{2,4}[A-Z]{0,2}$/u.test(run.chars) || !(ORDER_WORDS.test(next) || ADDRESSED.test(next))) return undefined;
  return { from, to: run.to, chars: run.chars, codes: [], position: 'start', score: 0.4, traffic: false };
}

const firstTaken = (taken: ReadonlySet<number>, from: number, to: number): number => {
  for (let index = from; index < to; index++) if (taken.has(index)) return index;
  return to;
};

function cutAt(run: Chars, to: number): Chars | undefined {
  const cuts = run.cuts.filter((cut) => cut.to <= to);
  const last = cuts[cuts.length - 1];
  if (last === undefined) return undefined;
  const chars = run.chars.slice(0, last.length);
  return { chars, to: last.to, cuts, digits: chars.replace(/\D/gu, '').length, scaled: run.scaled };
}

function unitEndsAt(tokens: readonly Token[], at: number): boolean {
  for (let from = Math.max(0, at - 3); from < at; from++) if (unitAt(tokens, from) === at) return true;
  return false;
}

/** Where the tail ornaments begin ("bye", "please", "thank you" are gone already; "sir", "roger" may follow). */
function tailOf(tokens: readonly Token[]): number {
  let index = tokens.length;
  while (index > 0 && /^(?:sir|madam|please|and|okay|ok|roger|wilco|now|so|confirm|heavy|super|copied|over|again|ready|sorry|affirm)$/u.test(tokens[index - 1]?.text ?? '')) index--;
  return index === 0 ? tokens.length : index;
}

function registrationPart(all: Chars, next: Token | undefined): { readonly chars: string; readonly to: number } | undefined {
  // "heli charlie zulu | hotel echo three thousand": two letters, then where it is
  const lead = /^[A-Z]{4}(?=\d|$)/u.test(all.chars) && !NATIONALITY.test(all.chars.slice(0, 2)) ? cutAt(all, all.cuts.find((cut) => cut.length === 2)?.to ?? all.to) : undefined;
  if (lead !== undefined) return { chars: lead.chars, to: lead.to };
  const run = all;
  if (next?.text === 'degrees' || next?.text === 'feet' || next?.text === 'miles' || next?.text === 'knots') {
    const tail = /\d+$/u.exec(run.chars)?.[0] ?? '';
    if (tail.length > 0 && tail.length < run.chars.length) {
      const cut = run.cuts.filter((c) => c.length <= run.chars.length - tail.length);
      const last = cut[cut.length - 1];
      return last === undefined ? undefined : { chars: run.chars.slice(0, last.length), to: last.to };
    }
    return undefined;
  }
  const longest = /^[A-Z]{6,}$/u.test(run.chars) ? 5 : 6;
  for (let at = run.cuts.length - 1; at >= 0; at--) {
    const cut = run.cuts[at];
    if (cut === undefined || cut.length > longest) continue;
    return { chars: run.chars.slice(0, cut.length), to: cut.to };
  }
  return undefined;
}

type Bare = Omit<RawCallsign, 'position' | 'traffic'>;

const REGISTRATION_FORMS = /^(?:N\d{1,5}[A-Z]{0,2}|[A-Z]{2}[A-Z]{3}|[A-Z][A-Z]{4}|[A-Z]\d[A-Z]{3}|\d[A-Z]{4}|[A-Z]{2}\d{3,4})$/u;

/** Callsigns without telephony in a run of letters and digits. */
function bareCallsigns(tokens: readonly Token[], at: number, run: Chars, head: number, end: number): Bare[] {
  const before = tokens[at - 1];
  const lead = tokens[at]?.parted === true || tokens[at]?.pause === true ? '' : (before?.text ?? '');
  const next = tokens[run.to];
  const atStart = at <= head;
  const atEnd = run.to >= end || next?.parted === true;
  const afterUnit = at > 0 && unitEndsAt(tokens, at);
  const beforeUnit = run.to < tokens.length && unitAt(tokens, run.to) !== undefined;
  const { chars } = run;
  const slice = (from: number, to: number): { from: number; to: number; chars: string } | undefined => {
    // character offsets to token positions
    const start = from === 0 ? at : run.cuts.find((cut) => cut.length === from)?.to;
    const stop = run.cuts.find((cut) => cut.length === to)?.to;
    return start === undefined || stop === undefined ? undefined : { from: start, to: withSuffix(tokens, stop), chars: chars.slice(from, to) };
  };
  // where the runway is named already, digits behind "cleared to land" are the aircraft's
  const runwaySaid = tokens.slice(0, at).some((token) => token.text === 'runway');
  const windows = (from: number, to: number, fixed: 'head' | 'tail'): { from: number; to: number; chars: string }[] => {
    const all: { from: number; to: number; chars: string }[] = [];
    for (let length = Math.min(8, chars.length); length >= 2; length--) {
      const window = fixed === 'head' ? slice(0, length) : slice(chars.length - length, chars.length);
      if (window !== undefined && !(window.chars.length === to - from) && /[A-Z]/u.test(window.chars)) all.push(window);
    }
    return all;
  };
  const bare = (from: number, to: number, fixed: 'head' | 'tail', weight: number): Bare[] => {
    const cut = slice(from, to);
    if (cut === undefined) return [];
    const others = windows(from, to, fixed);
    return [{ ...cut, codes: [], score: bareScore(cut.chars) * weight, ...(others.length === 0 ? {} : { windows: others }) }];
  };
  // "-dor four one descend": the name was cut off, its number is left
  const cutHead = at === 0 && /^\d{1,4}$/u.test(chars) && run.to > at && (tokens[at]?.gap === true ? ORDER_WORDS.test(next?.text ?? '') : chars.length === 2 && /^(?:climb|descend|turn|reduce|contact|squawk|fly)$/u.test(next?.text ?? '') && tokens.slice(run.to).some((token) => token.number !== undefined));
  if (cutHead) return bare(0, chars.length, 'head', 1);
  if (next?.text === 'transition') return [];
  if (atStart || afterUnit || (beforeUnit && !PATH_LEAD.has(lead))) {
    const length = wholeWord(tokens, at, run) ?? leadingCallsign(chars, next);
    if (length !== undefined) {
      const digitsOnly = /^\d+$/u.test(chars.slice(0, length));
      const stop = run.cuts.find((cut) => cut.length === length)?.to ?? at;
      if (!digitsOnly || digitsAddressed(tokens, stop) || (stop < run.to && next?.text === 'degrees')) return bare(0, length, 'head', 1);
    }
  }
  if (atEnd) {
    // "runway niner 3AB": what is written as one word is the aircraft's
    const written = wholeTail(tokens, run);
    // "… au revoir three five five": a number behind a farewell is the speaker's
    const alone = tokens[at]?.parted === true && next === undefined && /^\d{2,3}$/u.test(chars) && run.cuts.length > 1 ? 0 : undefined;
    const from = written ?? alone ?? trailingCallsign(chars, runwaySaid && /^(?:land|takeoff|go|wait|short|approach|option|up|position)$/u.test(lead) ? '' : lead, at === 0);
    if (from !== undefined) return bare(from, chars.length, 'tail', from !== 0 || !POINT_LEAD.has(lead) ? 1 : /^(?:report|next)$/u.test(lead) && /^[A-Z]{2}$/u.test(chars) && !atStart ? 0.12 : 0.5);
  }
  if (!atStart && !atEnd && chars.length >= 3 && /^[A-Z]{2,}/u.test(chars) && !PATH_LEAD.has(lead) && !POINT_LEAD.has(lead)) {
    // in the middle: whole registrations, and three letters
    const length = leadingCallsign(chars, next);
    if (length !== undefined && length >= 3) return bare(0, length, 'head', length >= 4 || /^(?:break|is|confirm|negative|affirm|helicopter)$/u.test(lead) ? 0.8 : 0.6);
  }
  return [];
}

/** Orders of a controller, as they stand right behind a callsign. */
const ORDER_WORDS = /^(?:climb|descend|turn|reduce|increase|contact|squawk|fly|maintain|proceed|direct|cleared|line|hold|taxi|report|cross|continue)$/u;

/** Length of a callsign that is written as one word ("QF295", "OK-432P"). */
function wholeWord(tokens: readonly Token[], at: number, run: Chars): number | undefined {
  const word = tokens[at]?.from;
  let last: { readonly to: number; readonly length: number } | undefined;
  for (const cut of run.cuts) if (tokens[cut.to - 1]?.from === word) last = cut;
  return last !== undefined && last.to - at > 1 && last.length >= 3 && last.length <= 7 && /[A-Z]/u.test(run.chars.slice(0, last.length)) ? last.length : undefined;
}

/** Offset of a flight number or shortened registration that ends the run and is written as one word ("3AB", "65PD"). */
function wholeTail(tokens: readonly Token[], run: Chars): number | undefined {
  const word = tokens[run.to - 1]?.from;
  const before = run.cuts.findLast((cut) => tokens[cut.to - 1]?.from !== word);
  const offset = before?.length ?? 0;
  return offset > 0 && /^\d{1,4}[A-Z]{1,3}$/u.test(run.chars.slice(offset)) ? offset : undefined;
}

/** What makes a figure in front of it a value of its own. */
const UNITS_BEHIND = /^(?:miles?|minutes?|seconds?|thousand|hundred|feet|knots|degrees|track|dme|left|right|decimal|point|final|hours?|kilometres?|ready|and)$/u;

/** How much a stretch without telephony looks like a callsign. */
function bareScore(chars: string): number {
  if (/^\d+$/u.test(chars)) return 0.25;
  if (REGISTRATION_FORMS.test(chars) && chars.length >= 4) return isNational(chars) || chars.startsWith('N') ? 0.9 : 0.75;
  return chars.length >= 3 ? 0.7 : 0.6;
}

/** Begins with a nationality mark, and is as long as that mark's registrations are. */
const isNational = (chars: string): boolean => NATIONALITY.test(chars) && !/^B[A-Z]{4}|^[IFM]\d/u.test(chars);

/** Someone is addressed by bare digits: a word follows that is said to an aircraft, not a unit of measure. */
const digitsAddressed = (tokens: readonly Token[], to: number): boolean =>
  /^(?:you|report|roger|cleared|taxi|contact|leave|hold|turn|climb|descend|line|continue|say|standby|wind|frequency|thank|squawk|confirm|joining|landing|request|requesting|final|downwind|are|vacate|cross|go|number|can|correct|readback)$/u.test(tokens[to]?.text ?? 'none') &&
  (tokens[to - 1]?.number !== undefined);

/** Length of the callsign at the head of a run, or undefined. */
function leadingCallsign(chars: string, next: Token | undefined): number | undefined {
  let usable = chars;
  if (/^(?:degrees|knots|feet|miles|metres)$/u.test(next?.text ?? '')) {
    const tail = /\d+$/u.exec(usable)?.[0] ?? '';
    const keep = next?.text === 'degrees' ? Math.max(0, tail.length - 3) : 0;
    usable = usable.slice(0, usable.length - tail.length + keep);
  }
  if (usable === '') return undefined;
  const american = /^N\d{1,5}[A-Z]{0,2}/u.exec(usable);
  if (american !== null) return american[0].length;
  const letters = /^[A-Z]+/u.exec(usable)?.[0] ?? '';
  // "lima mike juliett two four nine lima": an operator's code spelt out and its flight number
  const spelt = /^[A-Z]{3}\d{2,4}[A-Z]{1,2}/u.exec(usable)?.[0] ?? (telephonyOf(letters) !== undefined && letters.length === 3 ? /^[A-Z]{3}\d{2,4}(?!\d)/u.exec(usable)?.[0] : undefined);
  if (spelt !== undefined && spelt.length === usable.length) return spelt.length;
  if (letters.length >= 2) {
    if (letters.length >= 5 && isNational(letters.slice(0, 5))) return 5;
    const rest = chars.slice(letters.length);
    // HB-3049: gliders and old registrations end in digits
    if (letters.length === 2 && /^\d{3,4}$/u.test(rest) && NATIONALITY.test(letters) && next?.number === undefined && usable === chars) return usable.length;
    // "hotel foxtrot oscar | echo one": first and last two letters, then a point that ends in a number
    if (letters.length >= 4) return rest !== '' || next?.number !== undefined || !NATIONALITY.test(letters) || letters.length > 4 ? 3 : 4;
    return letters.length;
  }
  if (letters.length === 1) {
    const mixed = /^[A-Z]\d{1,4}[A-Z]{0,4}/u.exec(usable)?.[0] ?? '';
    if (mixed.length >= 3 && mixed.length <= 6) return mixed.length;
    return mixed.length > 6 ? 5 : undefined;
  }
  const digits = /^\d+/u.exec(usable)?.[0] ?? '';
  const tail = /^\d{1,4}[A-Z]{1,3}/u.exec(usable)?.[0];
  if (tail !== undefined) return tail.length;
  if (digits.length >= 3 && digits.length <= 4) return digits.length;
  return undefined;
}

/** How many digits the value before the callsign needs, from the word before the run. */
function digitsWanted(lead: string): number | undefined {
  if (/^(?:runway|land|takeoff|ils|go|final|wait|approach|visual|short|cross|up|localizer|rnp|rnav|vor|departure|downwind|base|option|position)$/u.test(lead)) return 2;
  if (lead === 'number') return 1;
  if (lead === 'heading' || lead === 'level') return 3;
  if (lead === 'squawk' || lead === 'squawking' || lead === 'qnh') return 4;
  return undefined;
}

/** A flight level as it is assigned: whole tens up to 660. */
const plausibleLevel = (digits: string): boolean => Number(digits) % 10 === 0 && Number(digits) >= 10 && Number(digits) <= 660;

/** Offset at which the callsign at the tail of a run begins, or undefined. */
function trailingCallsign(chars: string, lead: string, whole: boolean): number | undefined {
  const letters = /[A-Z]+$/u.exec(chars)?.[0] ?? '';
  if (letters === '') {
    // digits only: "… three five five" after words that want no number
    const mixed = /N\d{2,5}$|[A-Z]\d{2,4}$/u.exec(chars);
    if (mixed !== null && !PATH_LEAD.has(lead)) return mixed.index;
    return /^\d{3,4}$/u.test(chars) && /^(?:discretion|approved|roger|wilco|correct|affirm|completed|sight|copied|standby|position)$/u.test(lead) ? 0 : undefined;
  }
  if (letters.length === chars.length) {
    if (letters.length >= 5) return letters.length - (isNational(letters.slice(-5)) ? 5 : 3);
    if (letters.length === 1) return undefined;
    if (PATH_LEAD.has(lead) && !whole) return letters.length >= 4 && NATIONALITY.test(letters.slice(0, 2)) ? 0 : undefined;
    return letters.length === 4 && /^(?:taxi|apron)$/u.test(lead) ? 1 : 0;
  }
  const before = chars.slice(0, chars.length - letters.length);
  const american = /N\d{1,5}$/u.exec(before);
  if (american !== null && letters.length <= 2) return american.index;
  const prefixed = /[A-Z]\d{1,4}$/u.exec(before);
  if (prefixed !== null && letters.length <= 3 && before.length <= 5 && prefixed.index === 0 && !PATH_LEAD.has(lead) && !(POINT_LEAD.has(lead) && letters.length >= 2)) return 0;
  if (/^[A-Z]{2}\d{2,3}[A-Z]{1,2}$/u.test(chars) && !PATH_LEAD.has(lead)) return 0;
  const digits = /\d+$/u.exec(before)?.[0] ?? '';
  if (letters.length >= 4) return before.length + Math.max(0, letters.length - 5);
  const wanted = digitsWanted(lead);
  if (wanted !== undefined) {
    const left = digits.length - (lead === 'level' && !plausibleLevel(digits.slice(0, 3)) && plausibleLevel(digits.slice(0, 2)) ? 2 : wanted);
    if (left >= 1 && left <= 4) return before.length - left;
    if (letters.length >= 2) return before.length;
    return undefined;
  }
  // "decimal one zero five | november xray": the figures behind the decimal are the frequency's
  if (/^(?:decimal|point)$/u.test(lead) && digits.length === before.length && digits.length <= 3 && letters.length >= 2) return before.length;
  // "two niner eight seven | two two papa": a pressure setting, then the aircraft
  const setting = /^(?:(?:2[89]|30)\d{2}|10[0-4]\d|9[6-9]\d)/u.exec(digits);
  const behind = setting === null || digits.length !== before.length ? 0 : digits.length - setting[0].length;
  if (digits.length >= 5 && behind >= 1 && behind <= 4) return before.length - behind;
  // a flight has four characters at most (Doc 4444 app. 2, item 7): four digits before letters are something else
  if (digits.length === before.length && digits.length <= 4 && !(digits.length === 4 && letters.length >= 2)) return 0;
  if (letters.length >= 2) return before.length;
  return undefined;
}

/** Levenshtein distance, small strings. */
export function editDistance(a: string, b: string): number {
  if (a === b) return 0;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}

/** 0…1: how alike two names sound, by spelling. */
export function likeness(a: string, b: string): number {
  const x = a.replace(/ /gu, '');
  const y = b.replace(/ /gu, '');
  const longest = Math.max(x.length, y.length);
  return longest === 0 ? 0 : 1 - editDistance(x, y) / longest;
}

const AIRLINE = /^([A-Z]{3})(\d[A-Z0-9]*)$/u;

/** Canonical form of a raw callsign without any list. */
export function canonicalCallsign(raw: RawCallsign): CallsignMatch {
  if (raw.telephony !== undefined) {
    const designator = raw.codes[0] ?? raw.telephony.replace(/[^a-z]/gu, '').toUpperCase();
    const full = /\d/u.test(raw.chars);
    return { raw, value: designator + raw.chars, form: full ? 'full' : 'partial', score: raw.score, ...(raw.codes.length > 0 ? { designator } : {}), flight: raw.chars };
  }
  const whole = REGISTRATION_FORMS.test(raw.chars) && (NATIONALITY.test(raw.chars) || raw.chars.startsWith('N')) && raw.chars.length >= 4;
  return { raw, value: raw.chars, form: whole ? 'full' : /^\d+$/u.test(raw.chars) || raw.chars.length < 2 ? 'partial' : 'short', score: raw.score };
}

/** How well a raw callsign fits one on the list, 0…1, and whether the fit needed a repair that must not pass unseen. */
function fit(raw: RawCallsign, listed: string, fuzzy: boolean): { readonly score: number; readonly repaired: boolean } {
  const airline = AIRLINE.exec(listed);
  const heard = raw.chars;
  if (airline !== null && telephonyNames(airline[1] ?? '').length + (raw.telephony === undefined ? 0 : 1) > 0) {
    const [, code = '', flight = ''] = airline;
    let voice: number;
    if (raw.telephony === undefined) voice = raw.kind === undefined ? 0.55 : 0.2;
    else if (raw.codes.includes(code)) voice = 1;
    else {
      const best = Math.max(0, ...telephonyNames(code).map((name) => likeness(name, raw.telephony ?? '')));
      // an operator that the table does not know may be any that the table has no name for
      voice = raw.codes.length === 0 ? Math.max(best * 0.9, telephonyNames(code).length === 0 ? 0.5 : 0.3) : best * 0.6;
    }
    if (raw.telephony === undefined && heard === listed) return { score: 1, repaired: false };
    if (heard === '') return { score: voice >= 0.99 ? 0.62 : 0, repaired: false };
    // another operator with the same number: a rival to think of, never a resolution
    if (heard === flight && voice < 0.3 && flight.length >= 3 && raw.telephony !== undefined) return { score: 0.45, repaired: true };
    if (heard === flight) return { score: voice >= 0.99 ? 1 : voice >= 0.5 && (flight.length >= 2 || raw.codes.length > 0) ? 0.6 + voice * 0.35 : voice >= 0.3 ? (flight.length >= 3 ? 0.6 : flight.length === 2 ? 0.45 : 0) : 0, repaired: voice < 0.99 && raw.telephony !== undefined };
    if (voice < 0.5) return { score: 0, repaired: true };
    if (raw.telephony === undefined) {
      // "nine tango papa" is whole; "tango papa" is a part
      return heard.length >= 2 && flight.endsWith(heard) && /[A-Z]/u.test(heard) ? { score: 0.6, repaired: false } : { score: 0, repaired: true };
    }
    if (voice >= 0.99 && /^[A-Z]$/u.test(heard) && flight.endsWith(heard)) return { score: 0.65, repaired: false };
    if (voice >= 0.7 && heard.length >= 2 && flight.endsWith(heard)) return { score: 0.55 + voice * 0.2, repaired: true };
    if (fuzzy && voice >= 0.7 && flight.length >= 3 && heard.length < flight.length && editDistance(heard, flight) === 1) return { score: 0.5 + voice * 0.15, repaired: true };
    if (fuzzy && voice >= 0.7 && flight.length >= 3 && editDistance(heard, flight) === 1) return { score: 0.35 + voice * 0.1, repaired: true };
    return { score: 0, repaired: true };
  }
  if (raw.telephony !== undefined) return { score: 0, repaired: true };
  const registration = listed.replace(/[^A-Z0-9]/gu, '');
  if (heard === registration) return { score: 1, repaired: false };
  // first character and the last two or more (Annex 10 vol. II, Table 5-1)
  if (heard.length >= 3 && heard.startsWith(registration.slice(0, 1)) && registration.endsWith(heard.slice(1))) return { score: 0.92, repaired: false };
  if (heard.length >= 3 && registration.endsWith(heard)) return { score: 0.88, repaired: false };
  if (heard.length === 2 && registration.endsWith(heard)) return { score: raw.kind === undefined ? 0.72 : 0.8, repaired: false };
  if (fuzzy && heard.length >= 4 && heard.length < registration.length && editDistance(heard, registration) === 1) return { score: 0.65, repaired: true };
  if (fuzzy && heard.length >= 5 && editDistance(heard, registration) === 1) return { score: 0.45, repaired: true };
  return { score: 0, repaired: true };
}

/** How much a whole callsign that the traffic list does not hold is believed. */
const UNLISTED = 0.5;

/** Where the end of a run of letters is not known, the stretch that fits a known callsign best. */
function bestWindow(raw: RawCallsign, known: readonly string[]): RawCallsign {
  if (raw.windows === undefined || known.length === 0) return raw;
  const strength = (chars: string): number => Math.max(0, ...known.map((callsign) => fit({ ...raw, chars }, callsign, false).score));
  let best = { window: { from: raw.from, to: raw.to, chars: raw.chars }, strength: strength(raw.chars) };
  if (best.strength >= 0.9) return raw;
  // "november six three five oscar" is a whole registration: its end alone is no short form of N9335O
  const whole = raw.telephony === undefined && canonicalCallsign(raw).form === 'full';
  for (const window of raw.windows) {
    if (whole && window.from > raw.from && !known.includes(window.chars)) continue;
    if (window.chars.length < (raw.telephony === undefined ? 3 : 2)) continue;
    const value = strength(window.chars);
    // digits with letters that are the whole flight number of a known aircraft
    const flight = raw.telephony === undefined && window.chars.length >= 3 && /\d/u.test(window.chars) && /[A-Z]/u.test(window.chars);
    if (value > Math.max(best.strength, flight ? 0.75 : 0.87)) best = { window, strength: value };
  }
  return { ...raw, ...best.window };
}

/** Resolution below this is a candidate only and never the callsign itself. */
const RESOLVED = 0.6;

/**
 * All readings of a raw callsign, best first. `listed`: traffic known to be on frequency (fuzzy matching allowed); `heard`: callsigns
 * heard in full before on this channel (for shortened forms only). A reading taken from either has form `list`.
 *
 * A full callsign of which one character differs from a listed one is never changed into it: that would hide a wrong callsign.
 */
export function resolveCallsign(said: RawCallsign, listed: readonly string[], heard: readonly string[]): CallsignMatch[] {
  const raw = bestWindow(said, [...listed, ...heard]);
  const plain = canonicalCallsign(raw);
  // an aircraft that the list does not know is more likely misheard than there: doubtful, but never replaced for that
  const own = listed.length > 0 && !listed.includes(plain.value) && !heard.includes(plain.value) ? { ...plain, score: plain.score * UNLISTED } : plain;
  const matches: CallsignMatch[] = [];
  const seen = new Set<string>();
  for (const [names, fuzzy] of [
    [listed, true],
    [heard, false],
  ] as const) {
    for (const name of names) {
      if (seen.has(name)) continue;
      const { score, repaired } = fit(raw, name, fuzzy);
      if (score < 0.4) continue;
      seen.add(name);
      const airline = AIRLINE.exec(name);
      matches.push({
        raw,
        value: name,
        form: 'list',
        score: Math.min(1, raw.score * (0.25 + score * 0.8)) * (repaired ? 0.9 : 1),
        ...(airline === null ? {} : { designator: airline[1] ?? '', flight: airline[2] ?? '' }),
      });
    }
  }
  const strength = new Map(matches.map((match) => [match, fit(raw, match.value, true).score]));
  matches.sort((a, b) => (strength.get(b) ?? 0) - (strength.get(a) ?? 0));
  const [best, second] = matches;
  if (best === undefined) return [own];
  const bestStrength = strength.get(best) ?? 0;
  const close = second !== undefined && (strength.get(second) ?? 0) > bestStrength - 0.05;
  const rivals = close ? matches.filter((match) => (strength.get(match) ?? 0) > bestStrength - 0.05).length : 1;
  if (bestStrength < RESOLVED || (rivals > 1 && bestStrength < 0.9)) {
    const shared = matches.map((match) => ({ ...match, score: Math.min(match.score, own.score) / Math.max(1, rivals) }));
    return [own, ...shared];
  }
  return [...matches, ...(best.value === own.value ? [] : [{ ...own, score: own.score * 0.5 }])];
}
