/**
 * Restrictions without a level of their own: the glide path as a limit, airspace to keep out of, leave that hangs on somebody else, how long an order
 * holds (arXiv 2608.24621, K.8; PANS-ATM §12.3.1–12.3.4). A readback without them is another clearance.
 */
import { boundAt, distanceAhead } from './gates.js';
import { clauseEnd, fixAt, levelAt } from './names.js';
import type { Scanner } from './scanner.js';

/** "the glide path", "glideslope", "the papi", "the profile": what is flown down. */
const PATH = /^(?:the |your |its )?(?:glide ?path|glide ?slope|glide|papi|vasi|(?:approach|descent|vertical) (?:path|profile)|profile)\b/u;
/** "the control zone", "controlled airspace", "cloud": what one stays out of. */
const AREA = /^(?:of )?(?:the |all |any |controlled |active |restricted |danger |military )*(?:airspace|zone|control zone|control area|ctr|tma|danger area|restricted area|area|cloud|clouds|class [a-z]+|runway|parachute zone|city|built up area|village|town|wood|noise area)\b/u;
const STAY = /^(?:remain|remaining|keep|keeping|stay|staying|maintain|maintaining|fly|flying)$/u;
const SIDE = /^(?:to the |on the |well )?(?:north|south|east|west|northeast|northwest|southeast|southwest|left|right)(?:ern)?(?: side)? of /u;

/** Words from a position on, up to the callsign. */
function rest(s: Scanner, i: number, count = 9): string {
  const words: string[] = [];
  for (let at = i; at < i + count && at < s.t.length && s.masked[at] !== true; at++) words.push(s.text(at));
  return words.join(' ');
}

const size = (text: string): number => text.trim().split(' ').length;

/** An order was given before: what limits it can stand here. */
const ordered = (s: Scanner): boolean => s.openVerb !== undefined || s.commands.some((command) => command.modality === 'command') || s.items.some((item) => item.modality === 'command');

function take(s: Scanner, from: number, to: number, key: string, sure = 1): true {
  s.mark(from, to, 'condition');
  s.addCondition('procedural', key, from, to, [], sure);
  s.at = to;
  return true;
}

/** One restriction at `i`, or false. */
export function restriction(s: Scanner, i: number): boolean {
  return pathBound(s, i) || keepOut(s, i) || leave(s, i) || duration(s, i);
}

/** "at or above the glide path", "remain not below the glideslope", "do not descend below the papi". */
function pathBound(s: Scanner, i: number): boolean {
  const at = s.oneOf(i, STAY) ? i + 1 : i;
  const bound = boundAt(s, at);
  if (bound === undefined) return false;
  const path = PATH.exec(rest(s, bound.to))?.[0];
  if (path === undefined && boundByName(s, i, at, bound)) return true;
  if (path === undefined || s.likelyPilot && s.signs.report) return false;
  // "you are below the glide path" says where the aircraft is
  if (at === i && s.oneOf(i - 1, /^(?:are|is|now|slightly|still|bit|well|i'm|we're|you're)$/u)) return false;
  const turned = s.negated && s.oneOf(at, /^(?:below|above)$/u);
  const above = (bound.bound === 'at_or_above') !== turned;
  if (turned) s.negated = false;
  return take(s, i, bound.to + size(path), `bound:${above ? 'at_or_above' : 'at_or_below'}:GLIDEPATH`);
}

/** "not below KILNU", "at or above the minimum": a limit by a name. */
function boundByName(s: Scanner, i: number, at: number, bound: { readonly bound: string; readonly to: number }): boolean {
  if (bound.to - at < 2 || !ordered(s) || s.signs.report || s.number(bound.to) !== undefined || s.oneOf(bound.to, /^(?:flight|level|altitude|speed|mach|until|before|after|when|if|heading|qnh|and|then|)$/u)) return false;
  const from = s.is(bound.to, 'the') ? bound.to + 1 : bound.to;
  const fix = fixAt(s, from);
  const to = fix?.to ?? clauseEnd(s, from);
  if (to <= from || levelAt(s, from, true) !== undefined) return false;
  return take(s, i, to, `bound:${bound.bound}:${fix?.value ?? rest(s, from, to - from).replaceAll(' ', '_').toUpperCase()}`, 0.9);
}

/** "remain outside controlled airspace", "keep clear of the zone", "avoiding the danger area", "remain north of the river". */
function keepOut(s: Scanner, i: number): boolean {
  const stay = s.oneOf(i, STAY);
  const at = stay ? i + 1 : i;
  const avoid = s.oneOf(at, /^(?:avoid|avoiding)$/u);
  const out = s.is(at, 'outside') || (s.is(at, 'clear', 'of') && (stay || ordered(s)));
  if (avoid || out) {
    const from = s.is(at, 'clear', 'of') ? at + 2 : at + 1;
    const area = AREA.exec(rest(s, from))?.[0];
    if (area === undefined ? !(stay && s.is(at, 'outside')) && !avoid : !stay && !avoid && (!ordered(s) || s.oneOf(i - 1, /^(?:and|now|is|are|we're|i'm|you're|when|once|until|after|report|reporting|if)$/u))) return false;
    if (area?.endsWith('runway') === true) return false;
    const to = area === undefined ? Math.max(clauseEnd(s, from), from) : from + size(area);
    return to > at + (avoid ? 1 : 0) && take(s, i, to, avoid ? 'avoid:area' : 'avoid:zone');
  }
  const side = stay ? SIDE.exec(`${rest(s, at)} `)?.[0] : undefined;
  if (side === undefined) return false;
  const from = at + size(side);
  const to = Math.max(clauseEnd(s, from), from + 1);
  const way = /north\w*|south\w*|east\w*|west\w*|left|right/u.exec(side)?.[0] ?? '';
  return take(s, i, Math.min(to, s.t.length), `side:${way.replace(/ern$/u, '')}`);
}

/** "subject to the landing cessna", "provided you are visual", "as long as …", "only when …", "on my signal". */
function leave(s: Scanner, i: number): boolean {
  const words = rest(s, i);
  const lead = /^(?:subject to|provided(?: that)?|providing|on condition(?: that)?|as long as|so long as)\b/u.exec(words)?.[0];
  if (lead !== undefined) {
    const from = i + size(lead);
    const to = clauseEnd(s, from, true);
    return to > from && take(s, i, to, `if:${rest(s, from, to - from).replace(/^(?:the|a|you|you're|are|that|we|we're) /u, '').replaceAll(' ', '_')}`, 0.8);
  }
  const signal = /^on (?:my|our) (?:signal|command|call|mark|instruction|instructions|request|order)\b/u.exec(words)?.[0];
  if (signal !== undefined) return take(s, i, i + size(signal), 'when:instructed');
  // "unless otherwise advised" is a manner of speaking; anything else behind "unless" is a condition
  const unless = /^unless (?:you hear |otherwise|instructed|advised|told|i tell)/u.test(words);
  if (s.is(i, 'unless') && ordered(s)) {
    const to = Math.max(clauseEnd(s, i + 1, true), i + 2);
    if (unless) {
      s.mark(i, to, 'condition');
      s.at = to;
      return true;
    }
    return take(s, i, to, `unless:${rest(s, i + 1, to - i - 1).replaceAll(' ', '_')}`, 0.8);
  }
  return false;
}

/** "for the next ten miles", "over the next five miles", "for one minute": how long an order holds. */
function duration(s: Scanner, i: number): boolean {
  if (!s.oneOf(i, /^(?:for|over|during)$/u) || !ordered(s) || s.modality !== 'command') return false;
  const next = s.is(i + 1, 'the', 'next') ? i + 3 : s.is(i + 1, 'another') || s.is(i + 1, 'next') ? i + 2 : i + 1;
  if (next === i + 1 && !s.is(i, 'for')) return false;
  const reading = s.number(next);
  if (reading === undefined || reading.scaled || reading.whole.length > 2 || !s.oneOf(reading.to, /^(?:miles|minutes)$/u) || s.oneOf(reading.to + 1, /^(?:final|finals|base|from|before|straight)$/u)) return false;
  const unit = s.text(reading.to) === 'miles' ? 'NM' : 'MIN';
  if (!distanceAhead(s, next) && unit === 'NM') return false;
  const index = unit === 'NM' ? s.addItem('distance', { value: reading.whole, unit: 'nm', sure: 1 }, next, reading.to + 1, { modality: 'information' }) : s.addItem('time', { value: reading.whole, unit: 'min', sure: 1 }, next, reading.to + 1, { modality: 'information' });
  s.mark(i, reading.to + 1, 'condition');
  s.addCondition(unit === 'NM' ? 'distance' : 'time', `for:${reading.whole}${unit}`, i, reading.to + 1, [index]);
  s.at = reading.to + 1;
  return true;
}
