/**
 * Execution conditions (arXiv 2608.24621, K.4 and K.8): what an instruction waits for or must not exceed.
 */
import { PLACES, values, type NumberReading } from '../phraseology/index.js';
import type { Condition } from '../domain/understanding.js';
import { bareLevel, clauseEnd, fixAt, landingTraffic, levelAt, namedTrafficAt, runwayAt, trafficAt, trafficKey } from './names.js';
import type { Scanner } from './scanner.js';
import { SIDES, UNIT_WORDS } from './terms.js';

/** "after passing KILNU", "until four miles", "when ready", "behind the landing airbus", "not before …", "at or above …". */
export function gate(s: Scanner, i: number): boolean {
  const plain = boundAt(s, i);
  // "do not descend below four thousand" bounds the other way
  const turned = plain !== undefined && s.negated && s.oneOf(i, /^(?:below|above)$/u);
  const bound = turned ? { ...plain, bound: plain.bound === 'at_or_above' ? 'at_or_below' : 'at_or_above' } : plain;
  if (bound !== undefined) {
    const limit = s.number(bound.to);
    const ofSpeed = s.oneOf(bound.to - 2, /^(?:slower|faster)$/u) || s.oneOf(bound.to - 1, /^(?:least|most)$/u) || s.oneOf(bound.to - 2, /^(?:less|more)$/u);
    const perMinute = limit !== undefined && ((s.is(limit.to, 'feet') && (s.is(limit.to + 1, 'per', 'minutes') || s.is(limit.to + 1, 'a', 'minutes'))) || s.is(limit.to, 'fpm'));
    const rate = perMinute ? values.verticalRate(limit.whole) : undefined;
    if (limit !== undefined && rate !== undefined) {
      // "not less than two thousand feet per minute"
      const to = limit.to + (s.is(limit.to, 'fpm') ? 1 : 3);
      const kind = bound.bound === 'at_or_above' ? 'or_greater' : 'or_less';
      s.mark(i, to, 'condition');
      const index = s.addItem('vertical_rate', rate, bound.to, to, { bound: kind });
      s.addCondition('speed', `bound:${kind}:${rate.value}`, i, to, [index]);
      s.at = to;
      return true;
    }
    const knots = limit !== undefined && (s.is(limit.to, 'knots') || (ofSpeed && limit.whole.length === 3 && !limit.scaled)) ? values.speed(limit.whole) : undefined;
    if (limit !== undefined && knots !== undefined && s.oneOf(i, /^(?:below|above|not|at|no|do)$/u)) {
      const end = s.is(limit.to, 'knots') ? limit.to + 1 : limit.to;
      // "reduce speed below two six zero knots"
      const kind = bound.bound === 'at_or_above' ? 'or_greater' : 'or_less';
      s.mark(i, bound.to, 'condition');
      s.mark(bound.to, end, 'speed');
      const index = s.addItem('speed', knots, bound.to, end, { bound: kind });
      s.addCondition('speed', `bound:${kind}:${knots.value}`, i, bound.to, [index]);
      s.at = end;
      return true;
    }
    const target = ofSpeed ? undefined : levelAt(s, bound.to, true);
    if (target !== undefined) {
      s.mark(i, target.to, 'condition');
      if (turned) s.negated = false;
      const index = s.addItem('altitude', target.value, bound.to, target.to, { bound: bound.bound, ...(target.unit === undefined ? {} : { unit: target.unit }) });
      s.addCondition('altitude', `bound:${bound.bound}:${target.value.value}`, i, target.to, [index]);
      s.at = target.to;
      return true;
    }
  }
  if (offsetGate(s, i) || leaveGate(s, i)) return true;
  let relation: 'after' | 'before' | 'until' | 'at' | 'when' | 'if' | undefined;
  let to: number;
  const text = s.text(i);
  if (text === 'not' && s.is(i + 1, 'before')) { relation = 'after'; to = i + 2; }
  else if (/^(?:no|not)$/u.test(text) && s.oneOf(i + 1, /^(?:later|sooner|earlier)$/u) && s.is(i + 2, 'than')) { relation = s.is(i + 1, 'later') ? 'before' : 'after'; to = i + 3; }
  else if (text === 'not' && s.is(i + 1, 'until')) { relation = 'after'; to = i + 2; }
  else if (text === 'not' && s.is(i + 1, 'after')) { relation = 'before'; to = i + 2; }
  else if (text === 'prior' && s.is(i + 1, 'to')) { relation = 'before'; to = i + 2; }
  else if (text === 'prior' && fixAt(s, i + 1) !== undefined) { relation = 'before'; to = i + 1; }
  else if (text === 'having' && s.oneOf(i + 1, /^(?:passed|crossed|left|reached|vacated|established|departed|landed|completed)$/u)) { relation = 'after'; to = i + 1; }
  else if (text === 'out' && s.is(i + 1, 'of') && !s.likelyPilot && levelAt(s, i + 2, false) !== undefined) { relation = 'after'; to = i; }
  else if (text === 'as' && s.is(i + 1, 'soon', 'as')) { relation = 'when'; to = i + 3; }
  else if (text === 'after' || text === 'once' || text === 'following') { relation = 'after'; to = i + 1; }
  else if (text === 'before') { relation = 'before'; to = i + 1; }
  else if (text === 'until') { relation = 'until'; to = i + 1; }
  else if (text === 'to' && s.items.at(-1)?.slot === 'speed' && distanceAhead(s, i + 1)) { relation = 'until'; to = i + 1; }
  else if (text === 'when') { relation = 'when'; to = i + 1; }
  else if (text === 'if') {
    // "if unable advise" asks for a word; it limits nothing
    if (s.is(i + 1, 'unable') || s.is(i + 1, 'not', 'able')) {
      const end = Math.max(clauseEnd(s, i + 2), i + 2);
      s.mark(i, end, 'condition');
      s.at = end;
      return true;
    }
    relation = 'if';
    to = i + 1;
  }
  else if (text === 'with' && s.oneOf(s.is(i + 1, 'the') ? i + 2 : i + 1, /^(?:field|runway|airport|traffic|terrain)$/u) && s.hasText('in', 'sight')) { relation = 'when'; to = i + 1; }
  else if (text === 'on' && (s.oneOf(i + 1, /^(?:reaching|passing|leaving|crossing|completion|request|receipt)$/u) || (s.is(i + 1, 'departure') && !s.oneOf(i + 2, /^(?:frequency|on)$/u) && (s.number(i + 2) === undefined || s.is(s.number(i + 2)?.to ?? 0, 'knots'))))) { relation = 'after'; to = i + 1; }
  else if (/^(?:passing|past|leaving|reaching|crossing|abeam|through|overhead)$/u.test(text) && (s.oneOf(i - 1, /^(?:expedite|expediting)$/u) || readBehindOrder(s, i) || !likelyReport(s, i))) { relation = text === 'reaching' || text === 'overhead' || text === 'abeam' ? 'at' : 'after'; to = i; }
  else if (text === 'behind' || (text === 'after' && s.is(i + 1, 'the'))) return behind(s, i);
  else if (text === 'at' && s.is(i - 1, 'level') && byGate(s, i)) return true;
  else if (text === 'at' && atGate(s, i)) return true;
  else if (text === 'by' && byGate(s, i)) return true;
  else if (levelBefore(s, i) || withinGate(s, i)) return true;
  else return fixedCondition(s, i);

  if (text === 'following' && trafficAt(s, i + 1) !== undefined) return false;
  if ((text === 'after') && landingTraffic(s, to)) return behind(s, i);
  // "once the seven eight seven has crossed", "when the landing traffic has passed"
  const waited = text === 'once' || text === 'when' ? trafficAt(s, to) : undefined;
  if (waited !== undefined && s.oneOf(s.oneOf(waited, /^(?:has|have|is)$/u) ? waited + 1 : waited, GONE)) return behind(s, i);
  // "after you are clear", "when you are ready", "once we are established"
  let target = to;
  while (s.oneOf(target, /^(?:next|you|you're|your|are|the|is|we|we're|have|been|own|by|a|an|fully|be|passed)$/u)) target++;
  let verbed = relation;
  if (s.oneOf(target, /^(?:passing|past|passed|pass|leaving|leave|left|crossing|crossed|cross|through|out)$/u) && !(s.is(target, 'left') && s.oneOf(target + 1, /^(?:turn|downwind|base)$/u))) {
    if (verbed === 'when' || verbed === 'at') verbed = 'after';
    target++;
    if (s.is(target, 'of')) target++;
    if (s.is(target, 'through')) target++;
  } else if (s.oneOf(target, /^(?:reaching|reach|reached|overhead|over|abeam|at)$/u)) {
    if (verbed === 'when' || (verbed === 'after' && s.oneOf(target, /^(?:overhead|reaching|reached)$/u))) verbed = 'at';
    target++;
  }
  const met = gateTarget(s, target, verbed);
  // "crossing completed", "leaving when ready": a participle alone gates places and levels only
  const found = to === i && (met?.kind === 'procedural' || met?.kind === 'runway') ? undefined : met;
  if (found === undefined && to > i && target > to && s.oneOf(target - 1, /^(?:crossing|passing|leaving|landing|crossed)$/u)) {
    s.mark(i, target, 'condition');
    s.addCondition('procedural', `${verbed}:${s.text(target - 1)}`, i, target, []);
    s.at = target;
    return true;
  }
  if (found === undefined) {
    if (to === i) return false;
    if (relation === 'until' || relation === 'after' || relation === 'before' || relation === 'when' || relation === 'if') {
      // the gate is not known: take the words up to the next slot
      const end = clauseEnd(s, to);
      if (end <= to) return false;
      s.mark(i, end, 'condition');
      s.addCondition('procedural', `${relation}:${s.t.slice(to, end).map((t) => t.text).join('_')}`, i, end, [], 0.45);
      s.at = end;
      return true;
    }
    return false;
  }
  s.mark(i, found.to, 'condition');
  // of a procedure, "once established" and "after departure" say what "when established" and "when airborne" say
  if (found.kind === 'procedural' && verbed === 'after') verbed = 'when';
  if (verbed === 'after' && s.oneOf(i - 1, /^(?:expedite|expediting)$/u)) verbed = 'until';
  // "if able" and "when able" leave the same to the crew
  if (verbed === 'if' && found.key === 'able') verbed = 'when';
  s.addCondition(found.kind, `${found.relation ?? verbed}:${found.key}`, i, found.to, found.items);
  s.at = found.to;
  return true;
}

/** What traffic does that is waited for. */
const GONE = /^(?:crossed|passed|landed|departed|vacated|gone|past|passes|crosses|lands|departs|rolled|clear|across|airborne|over|through)$/u;

/** "passing/leaving/out of" said by a pilot is a report: its altitude stays apart (conventions 5). */
export function likelyReport(s: Scanner, i: number): boolean {
  // "passing flight level one four zero climbing …" says where the aircraft is, whoever the words may be
  const level = levelAt(s, i + 1, false);
  if (level !== undefined && s.oneOf(level.to, /^(?:climbing|descending)$/u)) return true;
  if (!s.likelyPilot) {
    // a controller's "passing …" without an instruction behind it is an acknowledgement of a report
    return false;
  }
  // in a readback "passing KILNU turn left": an instruction word follows the value
  for (let index = i + 1; index < s.t.length; index++) {
    const phrase = s.phraseAt(index);
    if (phrase === undefined) continue;
    if (/^(?:left|right|up|down|speed|to|final|base|downwind)$/u.test(s.text(index))) continue;
    return phrase.progressive || s.text(index) === 'cleared' || /^(?:climbing|descending|maintaining|inbound|proceeding)$/u.test(s.text(index));
  }
  return true;
}

/** "Leave LANUX heading two four zero", "depart LANUX on heading …": the turn begins at the point. */
function leaveGate(s: Scanner, i: number): boolean {
  const fix = s.oneOf(i, /^(?:leave|depart)$/u) ? fixAt(s, i + 1) : undefined;
  if (fix === undefined || !(s.is(fix.to, 'heading') || (s.is(fix.to, 'on') && (s.is(fix.to + 1, 'heading') || s.is(fix.to + 1, 'track') || s.is(fix.to + 1, 'a', 'heading'))))) return false;
  const found = gateTarget(s, i + 1, 'after');
  if (found === undefined) return false;
  s.mark(i, found.to, 'condition');
  s.addCondition(found.kind, `after:${found.key}`, i, found.to, found.items);
  s.at = found.to;
  return true;
}

/** What a gate hangs on. Its values are no targets of the instruction: no verb governs them. */
function gateTarget(s: Scanner, i: number, relation: string): ReturnType<typeof readTarget> {
  const { verb } = s;
  s.verb = undefined;
  const found = readTarget(s, i, relation);
  s.verb = verb;
  return found;
}

function readTarget(s: Scanner, i: number, relation: string): { key: string; kind: Condition['kind']; to: number; items: number[]; relation?: string } | undefined {
  const token = s.t[i];
  if (token === undefined || s.masked[i] === true) return undefined;
  const word = token.text;
  const tail = (from: number): number => {
    let to = from;
    if (s.is(to, 'own', 'discretion') || s.is(to, 'pilots', 'discretion')) to += 2;
    return to;
  };
  const procedural: readonly (readonly [RegExp, string, string?])[] = [
    [/^(?:ready|prepared)$/u, 'ready'], [/^(?:established|establish)$/u, 'established'], [/^(?:airborne|departure|takeoff|departed|departing)$/u, 'departure'], [/^(?:landing|landed|touchdown)$/u, 'landing'],
    [/^(?:able)$/u, 'able'], [/^(?:possible|practicable|practical|feasible)$/u, 'able'], [/^(?:convenient)$/u, 'convenient'], [/^(?:advised|notified)$/u, 'advised'], [/^(?:visual)$/u, 'visual'], [/^(?:level)$/u, 'level'],
    [/^(?:completed|complete|finished)$/u, 'completed'], [/^(?:wish|wishing|want|like)$/u, 'able'], [/^(?:approved)$/u, 'approved'], [/^(?:instructed|told|called)$/u, 'instructed'], [/^(?:vacated|vacating)$/u, 'vacated'],
  ];
  // level or altitude
  const level: ReturnType<typeof levelAt> = levelAt(s, i, false) ?? (s.oneOf(i - 1, /^(?:passing|leaving|through|past)$/u) ? bareLevel(s, i) : undefined);
  if (level !== undefined) {
    const index = s.addItem('altitude', level.value, i, level.to, level.unit === undefined ? {} : { unit: level.unit });
    return { key: level.value.value, kind: 'altitude', to: level.to, items: [index] };
  }
  if (s.is(i, 'further') && s.oneOf(i + 1, /^(?:advised|notice|instruction|instructions|advice|clearance)$/u)) return { key: 'advised', kind: 'procedural', to: i + 2, items: [] };
  if (word === 'clear' || word === 'cleared') {
    if (word === 'cleared' && relation !== 'until' && relation !== 'when') return undefined;
    let to = i + 1;
    if (s.is(to, 'of')) {
      to++;
      if (s.oneOf(to, /^(?:the)$/u)) to++;
      const traffic = trafficAt(s, to);
      if (traffic !== undefined) return { key: 'clear', kind: 'procedural', to: traffic, items: [] };
      const fix = fixAt(s, to);
      if (fix !== undefined) {
        const index = s.addItem('waypoint', { value: fix.value, sure: fix.sure }, to, fix.to);
        return { key: fix.value, kind: 'waypoint', to: fix.to, items: [index], relation: 'after' };
      }
      if (s.oneOf(to, /^(?:weather|cloud|clouds|traffic|runway|inbound)$/u)) to++;
    } else if (word === 'cleared') return undefined;
    else {
      // "once clear LANUX": a name that is a word of its own
      const fix = s.letter(to) === undefined && s.t[to]?.pause !== true && !PLACES.has(s.text(to)) ? fixAt(s, to) : undefined;
      if (fix !== undefined && fix.sure >= 0.9) {
        const index = s.addItem('waypoint', { value: fix.value, sure: 0.8 }, to, fix.to);
        return { key: fix.value, kind: 'waypoint', to: fix.to, items: [index], relation: 'after' };
      }
    }
    return { key: 'clear', kind: 'procedural', to, items: [] };
  }
  // "until the localizer", "when on the ils", "until intercepting the glide path"
  const track = s.oneOf(i, /^(?:on|intercepting)$/u) ? (s.is(i + 1, 'the') ? i + 2 : i + 1) : i;
  if (/^(?:until|when|after|at)$/u.test(relation) && s.oneOf(track, /^(?:localizer|ils|glidepath)$/u) && !(s.is(track, 'ils') && runwayAt(s, track + 1) !== undefined)) return { key: 'established', kind: 'procedural', to: track + 1, items: [] };
  if (s.is(i, 'speed') && s.oneOf(i + 1, /^(?:permits|permitting)$/u)) return { key: 'able', kind: 'procedural', to: i + 2, items: [] };
  if (word === 'touch' || word === 'low') {
    const end = s.is(i, 'touch', 'and', 'go') ? i + 3 : s.is(i, 'low', 'approach') || s.is(i, 'low', 'pass') ? i + 2 : undefined;
    if (end !== undefined) return { key: word === 'touch' ? 'touch_and_go' : 'low_approach', kind: 'procedural', to: end, items: [] };
  }
  for (const [pattern, key] of procedural) {
    if (!pattern.test(word)) continue;
    let to = tail(i + 1);
    if (key === 'established') {
      // "established on the localizer", "established on final approach track"
      if (s.is(to, 'on')) to++;
      if (s.is(to, 'the')) to++;
      while (s.oneOf(to, /^(?:localizer|ils|final|approach|track|course|radial|glidepath|glide|path|inbound)$/u)) to++;
      if (s.is(to - 1, 'on') || s.is(to - 1, 'the')) to = i + 1;
    }
    if (key === 'ready' && s.is(to, 'for') && s.oneOf(to + 1, /^(?:departure|descent|takeoff|approach|climb)$/u)) to += 2;
    return { key, kind: 'procedural', to, items: [] };
  }
  if (s.oneOf(i, /^(?:field|runway|airport|traffic|terrain|ground|aircraft)$/u) && s.is(i + 1, 'in', 'sight')) return { key: `${word === 'field' || word === 'airport' ? 'field' : word}_in_sight`, kind: 'procedural', to: i + 3, items: [] };
  // runway
  if (word === 'runway') {
    const runway = runwayAt(s, i + 1);
    if (runway !== undefined) {
      const index = s.addItem('runway', runway.value, i, runway.to, { modality: s.effectiveModality() });
      return { key: `RWY${runway.value.value}`, kind: 'runway', to: runway.to, items: [index] };
    }
    return { key: 'runway', kind: 'runway', to: i + 1, items: [] };
  }
  // distance, time
  const dme = word === 'dme' ? i + 1 : i;
  const reading = s.number(dme);
  const handOver = reading === undefined || relation !== 'until' ? undefined : milesThenFrequency(reading);
  if (reading !== undefined && handOver !== undefined) {
    const index = s.addItem('distance', { value: reading.whole.slice(0, 1), unit: 'nm', sure: 0.7 }, dme, handOver);
    s.hint = 'frequency';
    return { key: `${reading.whole.slice(0, 1)}NM`, kind: 'distance', to: handOver, items: [index] };
  }
  if (reading !== undefined) {
    const unit = s.text(reading.to);
    if (word === 'dme' || unit === 'miles' || unit === 'dme' || unit === 'mile') {
      const distance = values.distance(reading.whole, reading.fraction);
      if (distance === undefined) return undefined;
      let to = word === 'dme' ? reading.to : reading.to + 1;
      const fixFrom = to;
      while (s.oneOf(to, /^(?:dme|final|finals|from|touchdown|out|on|threshold|the|miles|before)$/u)) to++;
      if (s.oneOf(to - 1, /^(?:on|the|before|out)$/u) && to - 1 >= fixFrom) to--;
      const index = s.addItem('distance', distance, dme, reading.to, { modality: s.effectiveModality() });
      let key = `${distance.value}NM`;
      if (s.is(to - 1, 'from')) {
        const fix = fixAt(s, to);
        if (fix !== undefined) {
          key += `:${fix.value}`;
          const fixItem = s.addItem('waypoint', { value: fix.value, sure: fix.sure }, to, fix.to);
          return { key, kind: 'distance', to: fix.to, items: [index, fixItem] };
        }
      }
      return { key, kind: 'distance', to, items: [index] };
    }
    if (unit === 'minutes') {
      const index = s.addItem('time', { value: reading.whole, unit: 'min', sure: 1 }, i, reading.to + 1);
      return { key: `${reading.whole}MIN`, kind: 'time', to: reading.to + 1, items: [index] };
    }
    if (unit === 'knots') {
      const speed = values.speed(reading.whole);
      if (speed !== undefined) {
        const index = s.addItem('speed', speed, i, reading.to + 1);
        return { key: `${speed.value}KT`, kind: 'speed', to: reading.to + 1, items: [index] };
      }
    }
    if (relation === 'until' && reading.fraction === undefined && reading.whole.length <= 2) {
      const distance = values.distance(reading.whole, undefined);
      if (distance !== undefined) {
        const index = s.addItem('distance', { ...distance, sure: 0.7 }, i, reading.to);
        return { key: `${distance.value}NM`, kind: 'distance', to: reading.to, items: [index] };
      }
    }
    const minutes = reading.whole.length === 2 && reading.fraction === undefined && !reading.scaled && /^(?:after|before)$/u.test(relation) && s.oneOf(i - 1, /^(?:before|after|than)$/u);
    if (minutes || (s.oneOf(i - 1, /^(?:time|before|after|until|at|not|than)$/u) && reading.whole.length === 4)) {
      const time = values.clockTime(reading.whole);
      if (time !== undefined) {
        const index = s.addItem('time', time, i, reading.to);
        return { key: `T${time.value}`, kind: 'time', to: reading.to, items: [index] };
      }
    }
    return undefined;
  }
  if (word === 'time') {
    const time = s.number(i + 1);
    const value = time === undefined ? undefined : values.clockTime(time.whole);
    if (time !== undefined && value !== undefined) {
      const index = s.addItem('time', value, i, time.to);
      return { key: `T${value.value}`, kind: 'time', to: time.to, items: [index] };
    }
  }
  if (word === 'speed') {
    const reading2 = s.number(i + 1);
    const speed = reading2 === undefined ? undefined : values.speed(reading2.whole);
    if (reading2 !== undefined && speed !== undefined) {
      const index = s.addItem('speed', speed, i, reading2.to);
      return { key: `${speed.value}KT`, kind: 'speed', to: reading2.to, items: [index] };
    }
  }
  if (word === 'transition') return { key: 'transition', kind: 'altitude', to: s.oneOf(i + 1, /^(?:level|altitude)$/u) ? i + 2 : i + 1, items: [] };
  const fix = relation === 'if' ? undefined : fixAt(s, i);
  if (fix !== undefined) {
    const index = s.addItem('waypoint', { value: fix.value, sure: fix.sure }, i, fix.to);
    return { key: fix.value, kind: 'waypoint', to: fix.to, items: [index] };
  }
  return undefined;
}

/** Limits that are said of speeds only. */
const SLOWEST: readonly (readonly string[])[] = ['no slower than', 'not slower than', 'no less than', 'not less than', 'at least', 'not be slower than'].map((words) => words.split(' '));
const FASTEST: readonly (readonly string[])[] = ['no faster than', 'not faster than', 'no more than', 'not more than', 'at most', 'not be faster than'].map((words) => words.split(' '));

export function boundAt(s: Scanner, i: number): { bound: string; to: number } | undefined {
  const table: readonly (readonly [readonly string[], string])[] = [
    [['at', 'or', 'above'], 'at_or_above'], [['on', 'or', 'above'], 'at_or_above'], [['on', 'or', 'below'], 'at_or_below'], [['not', 'under'], 'at_or_above'], [['never', 'below'], 'at_or_above'], [['never', 'above'], 'at_or_below'], [['at', 'or', 'below'], 'at_or_below'], [['at', 'or', 'higher'], 'at_or_above'], [['at', 'or', 'lower'], 'at_or_below'],
    [['not', 'above'], 'at_or_below'], [['not', 'below'], 'at_or_above'], [['not', 'higher', 'than'], 'at_or_below'], [['not', 'lower', 'than'], 'at_or_above'], [['no', 'lower', 'than'], 'at_or_above'],
    [['no', 'higher', 'than'], 'at_or_below'], [['above'], 'at_or_above'], [['below'], 'at_or_below'], [['remain', 'above'], 'at_or_above'], [['remain', 'below'], 'at_or_below'], [['maximum'], 'at_or_below'], [['minimum'], 'at_or_above'],
    ...SLOWEST.map((words) => [words, 'at_or_above'] as const), ...FASTEST.map((words) => [words, 'at_or_below'] as const),
    [['not', 'to', 'exceed'], 'at_or_below'], [['do', 'not', 'exceed'], 'at_or_below'], [['not', 'exceeding'], 'at_or_below'], [['not', 'exceed'], 'at_or_below'],
  ];
  for (const [words, bound] of table) if (s.is(i, ...words)) return { bound, to: i + words.length };
  return undefined;
}

/** "behind the landing airbus on short final [line up … behind]" (conventions 9, 10). */
export function behind(s: Scanner, i: number): boolean {
  const from = i;
  let to = i + 1;
  if (s.is(i, 'behind') && (s.t[to] === undefined || s.masked[to] === true || s.at >= s.t.length - 1)) {
    // the closing "behind" of a conditional clearance
    if (s.conditions.some((condition) => condition.kind === 'traffic')) {
      s.mark(i, i + 1, 'condition');
      s.at = i + 1;
      return true;
    }
    return false;
  }
  const traffic = trafficAt(s, to) ?? namedTrafficAt(s, to);
  // "number four, behind the landing airbus line up": the line-up waits for it
  const waited = traffic !== undefined && s.phraseAt(traffic)?.verb === 'line_up';
  const sequencing = s.action === 'sequence_control' && s.verb !== undefined && !waited;
  if (traffic === undefined) {
    if (s.is(i, 'behind') && s.conditions.some((condition) => condition.kind === 'traffic')) {
      s.mark(i, i + 1, 'condition');
      s.at = i + 1;
      return true;
    }
    return false;
  }
  if (sequencing && s.is(i, 'behind')) {
    s.mark(i, i + 1, 'relation');
    s.mark(to, traffic, 'traffic');
    s.addItem('traffic', { value: trafficKey(s, to, traffic), sure: 0.9 }, to, traffic);
    s.at = traffic;
    return true;
  }
  to = traffic;
  // "after the seven eight seven has crossed"
  const done = s.oneOf(to, /^(?:has|have|is|had)$/u) ? to + 1 : to;
  if (s.oneOf(done, GONE)) to = done + 1;
  // "behind traffic on final", "behind the departing aircraft passing echo"
  s.mark(from, to, 'condition');
  const index = s.addItem('traffic', { value: trafficKey(s, from + 1, traffic), sure: 0.9 }, from + 1, traffic, { modality: 'information' });
  s.addCondition('traffic', `behind:${trafficKey(s, from + 1, traffic)}`, from, to, [index]);
  s.at = to;
  return true;
}

/** "at KILNU", "at four miles", "at time 05", "at your discretion". */
export function atGate(s: Scanner, i: number): boolean {
  if (s.oneOf(i + 1, /^(?:own|your|our|my|pilots|pilot's)$/u) && s.is(i + 2, 'discretion')) {
    s.mark(i, i + 3, 'condition');
    s.addCondition('procedural', 'when:ready', i, i + 3, []);
    s.at = i + 3;
    return true;
  }
  if (s.oneOf(i + 1, /^(?:pilot|pilots)$/u) && s.is(i + 2, 'discretion')) return false;
  if (s.verb === 'hold' || s.verb === 'stop_climb' || s.verb === 'stop_descent') return false;
  const reading = s.number(i + 1);
  if (reading !== undefined) {
    if (s.oneOf(reading.to, /^(?:miles|dme)$/u) || s.is(i + 1, 'time')) {
      const found = gateTarget(s, i + 1, 'at');
      if (found !== undefined) {
        s.mark(i, found.to, 'condition');
        s.addCondition(found.kind, `at:${found.key}`, i, found.to, found.items);
        s.at = found.to;
        return true;
      }
    }
    return false;
  }
  if (s.is(i + 1, 'time') || s.is(i + 1, 'dme')) {
    const found = gateTarget(s, i + 1, 'at');
    if (found === undefined) return false;
    s.mark(i, found.to, 'condition');
    s.addCondition(found.kind, `at:${found.key}`, i, found.to, found.items);
    s.at = found.to;
    return true;
  }
  if (s.ground) return false;
  const fix = fixAt(s, i + 1);
  if (fix !== undefined && fix.to === i + 2 && s.letter(i + 1) !== undefined && (s.verb === 'vacate' || s.verb === 'taxi' || s.verb === 'hold_position' || s.verb === 'cross_runway' || s.verb === 'line_up' || s.verb === 'hold_short' || s.verb === 'backtrack')) return false;
  if (fix === undefined || fix.sure < 0.7 || PLACES.has(s.text(i + 1))) return false;
  // a controller's "at KILNU turn left": an instruction goes with it
  s.mark(i, fix.to, 'condition');
  const index = s.addItem('waypoint', { value: fix.value, sure: fix.sure }, i + 1, fix.to);
  s.addCondition('waypoint', `at:${fix.value}`, i, fix.to, [index]);
  s.at = fix.to;
  return true;
}

/** "to be level by KILNU", "level at KILNU", "by time one five": labels apart (conventions 5), the condition keeps all of it. */
export function byGate(s: Scanner, i: number): boolean {
  // "turn left by ten degrees"
  const amount = s.number(i + 1);
  if ((s.hint === 'heading' || s.verb === 'turn_left' || s.verb === 'turn_right') && amount !== undefined && !s.oneOf(amount.to, /^(?:miles|dme|minutes)$/u)) return false;
  let from = i;
  const level = s.is(i - 1, 'level');
  if (level) from--;
  if (level && s.is(from - 1, 'be')) from--;
  if (from < i && s.is(from - 1, 'to')) from--;
  // "flight level one six zero by LANUX" is to be level there
  const reached = level || (s.items.at(-1)?.slot === 'altitude' && s.items.at(-1)?.span[1] === s.t[i]?.from);
  if (!s.is(i, 'by') && !level) return false;
  const found = gateTarget(s, i + 1, 'by');
  if (found === undefined || (found.kind !== 'waypoint' && found.kind !== 'distance' && found.kind !== 'time')) return false;
  s.mark(from, i + 1, 'condition');
  s.mark(i + 1, found.to, found.kind === 'waypoint' ? 'waypoint' : 'condition');
  s.addCondition(found.kind, `${reached ? 'level' : 'before'}:${found.key}`, from, found.to, found.items);
  s.at = found.to;
  return true;
}

/** "be level ten miles before KILNU". */
function levelBefore(s: Scanner, i: number): boolean {
  if (!s.is(i, 'level')) return false;
  const reading = s.number(i + 1);
  if (reading === undefined) {
    // "flight level one six zero level LANUX"
    const point = s.letter(i + 1) === undefined ? fixAt(s, i + 1) : undefined;
    if (point === undefined) return false;
    const index = s.addItem('waypoint', { value: point.value, sure: point.sure }, i + 1, point.to, { modality: s.effectiveModality() });
    const item = s.items[index];
    if (item !== undefined) delete item.verb;
    s.mark(i, i + 1, 'condition');
    s.mark(i + 1, point.to, 'waypoint');
    s.addCondition('waypoint', `level:${point.value}`, i, point.to, [index]);
    s.at = point.to;
    return true;
  }
  if (!s.oneOf(reading.to, /^(?:miles|dme)$/u) || !s.oneOf(reading.to + 1, /^(?:before|from|after|past)$/u)) return false;
  const distance = values.distance(reading.whole, reading.fraction);
  const fix = fixAt(s, reading.to + 2);
  if (distance === undefined || fix === undefined) return false;
  let from = i;
  if (s.is(from - 1, 'be')) from--;
  if (from < i && s.is(from - 1, 'to')) from--;
  const side = s.is(reading.to + 1, 'after') || s.is(reading.to + 1, 'past') ? 'after' : 'before';
  const near = s.addItem('distance', distance, i + 1, reading.to + 1);
  const point = s.addItem('waypoint', { value: fix.value, sure: fix.sure }, reading.to + 2, fix.to);
  s.mark(from, fix.to, 'condition');
  s.addCondition('waypoint', `level:${distance.value}NM:${side}:${fix.value}`, from, fix.to, [near, point]);
  s.at = fix.to;
  return true;
}

/** "within two minutes", "within the next five miles", "in less than two minutes". */
function withinGate(s: Scanner, i: number): boolean {
  const soon = s.is(i, 'in') ? s.number(s.is(i + 1, 'the', 'next') || s.is(i + 1, 'less', 'than') ? i + 3 : i + 1) : undefined;
  if (!s.is(i, 'within') && !(soon !== undefined && s.oneOf(soon.to, /^(?:minutes|miles)$/u))) return false;
  const from = s.is(i + 1, 'the', 'next') ? i + 3 : s.is(i + 1, 'less', 'than') || s.is(i + 1, 'under') ? i + (s.is(i + 1, 'under') ? 2 : 3) : i + 1;
  const found = gateTarget(s, from, 'within');
  if (found === undefined || (found.kind !== 'time' && found.kind !== 'distance')) return false;
  s.mark(i, found.to, 'condition');
  s.addCondition(found.kind, `within:${found.key}`, i, found.to, found.items);
  s.at = found.to;
  return true;
}


export function fixedCondition(s: Scanner, i: number): boolean {
  const patterns: readonly (readonly [RegExp, Condition['kind'], string])[] = [
    [/^initially\b/u, 'procedural', 'initially'],
    [/^(?:at )?(?:pilots?'?s?|own|your|our|my) (?:own )?(?:discretion|convenience)\b/u, 'procedural', 'when:ready'],
    [/^own discretion\b/u, 'procedural', 'when:ready'],
    [/^due (?:to )?(?:the |other |local |opposite |military |departing |landing |crossing |slower |preceding |inbound |outbound )?(?:traffic|weather|spacing|separation|sequence|sequencing|noise|terrain|wind|winds|delay|delays|activity|vehicle|vehicles|works? in progress|works?|construction(?: works?)?|maintenance|birds|glider|gliders|parachute|restriction|restrictions|closure|emergency|visibility|runway change)\b/u, 'procedural', ''],
    [/^for (?:spacing|separation|sequencing|sequence|traffic|noise abatement|delay|delaying action)\b/u, 'procedural', ''],
    [/^vectors? (?:to|for) (?:the )?(?:final(?: approach)?|ils|visual|rnav|rnp|localizer|spacing|sequence|separation|approach|downwind|base|short approach)(?: (?:zulu|yankee|xray))?(?: approach)?\b/u, 'procedural', ''],
    [/^(?:radar )?vector(?:ing|s) (?:to|for) (?:a |the )?(?:final(?: approach)?|short approach|ils|visual|rnav|rnp|localizer|spacing|sequence|separation|approach|downwind|base)(?: (?:zulu|yankee|xray))?(?: approach)?\b/u, 'procedural', ''],
    [/^(?:radar )?vector(?:ing|s)\b/u, 'procedural', ''],
    [/^(?:for (?:the )?)?vectors\b/u, 'procedural', ''],
    [/^to (?:intercept|establish|join)(?: (?:the|on))*(?: (?:localizer|ils|final|approach|track|radial|course|glidepath|downwind|base))*\b/u, 'procedural', ''],
    [/^without delay\b/u, 'procedural', ''],
    [/^within (?:the )?(?:ctr|tma|zone|airspace|sector|control)\b/u, 'procedural', ''],
    [/^in sequence\b/u, 'procedural', ''],
  ];
  const rest = s.t.slice(i, i + 9).map((token, offset) => (s.masked[i + offset] === true ? '|' : token.text)).join(' ');
  for (const [pattern, kind, key] of patterns) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    const count = match[0].split(' ').length;
    if (match[0] === 'without delay') {
      s.mark(i, i + count, 'attribute');
      s.at = i + count;
      return true;
    }
    if (/^to (?:intercept|establish|join)/u.test(match[0]) && !(s.verb === 'turn_left' || s.verb === 'turn_right' || s.verb === 'fly_heading' || s.verb === 'continue_heading' || s.verb === 'maintain' || s.items.some((item) => item.slot === 'heading'))) continue;
    if (match[0].startsWith('due') && s.oneOf(i + 1, /^(?:north|south|east|west)$/u)) continue;
    s.mark(i, i + count, 'condition');
    if (/\b(?:ils|approach|final|rnav|rnp|localizer|visual)$/u.test(match[0])) s.hint = 'runway';
    if (key !== '') s.addCondition(kind, key, i, i + count, []);
    s.at = i + count;
    return true;
  }
  // "due to a disabled aircraft", "because of the flock of birds": a reason
  if ((s.is(i, 'due', 'to') || s.is(i, 'because', 'of') || s.is(i, 'owing', 'to')) && s.t[i + 2] !== undefined) {
    const to = Math.max(clauseEnd(s, i + 2, true), i + 2);
    s.mark(i, to, 'condition');
    s.at = to;
    return true;
  }
  // "clear of traffic climb …" in a readback: what "when clear of traffic" asked for
  const clear = s.likelyPilot && !s.oneOf(i - 1, /^(?:and|now|is|are|we're|i'm)$/u) ? /^clear of (?:the )?(?:traffic|weather|clouds?|terrain|conflict)\b/u.exec(rest) : null;
  if (clear !== null) {
    const count = clear[0].split(' ').length;
    s.mark(i, i + count, 'condition');
    s.addCondition('procedural', 'when:clear', i, i + count, [], 0.8);
    s.at = i + count;
    return true;
  }
  return false;
}

/** An order was read back before, and nothing was reported. */
const afterOrder = (s: Scanner): boolean => !s.signs.report && (s.items.some((item) => item.modality === 'command' && item.verb !== undefined) || s.commands.some((command) => command.modality === 'command'));

/** In a readback, "… passing KILNU" behind an order says where the order begins; a level there is a report more often. */
function readBehindOrder(s: Scanner, i: number): boolean {
  const fix = fixAt(s, i + 1);
  return s.likelyPilot && afterOrder(s) && fix !== undefined && levelAt(s, i + 1, false) === undefined;
}

/** "ten miles before KILNU", "one minute after KILNU", "five miles from KILNU": the offset belongs to the gate. */
function offsetGate(s: Scanner, i: number): boolean {
  const reading = s.number(i);
  if (reading === undefined || reading.scaled || reading.whole.length > 2 || !s.oneOf(reading.to, /^(?:miles|dme|minutes)$/u)) return false;
  const unit = s.text(reading.to);
  let to = reading.to + 1;
  const side = s.oneOf(to, /^(?:before|from|after|past|of|north|south|east|west)$/u) ? s.text(to) : s.is(to, 'prior') || s.is(to, 'short', 'of') ? 'before' : undefined;
  if (side === undefined) return false;
  to += s.is(to, 'prior', 'to') || s.is(to, 'short', 'of') ? 2 : 1;
  if (/^(?:north|south|east|west)$/u.test(side)) {
    if (!s.is(to, 'of')) return false;
    to++;
  }
  if (s.oneOf(to, /^(?:passing|crossing|reaching)$/u)) to++;
  const fix = fixAt(s, to);
  if (fix === undefined || fix.sure < 0.7) return false;
  // "radar contact two miles south of LANUX" says where the aircraft is
  if (s.is(i - 2, 'radar', 'contact') || s.oneOf(i - 1, /^(?:identified|position)$/u) || s.is(i - 2, 'you', 'are') || s.is(i - 1, "you're")) {
    s.mark(i, fix.to, 'condition');
    s.at = fix.to;
    return true;
  }
  if (!afterOrder(s) && likelyReport(s, i)) return false;
  const near = unit === 'minutes' ? s.addItem('time', { value: String(Number(reading.whole)), unit: 'min', sure: 1 }, i, reading.to + 1) : s.addItem('distance', { value: String(Number(reading.whole)), unit: 'nm', sure: 1 }, i, reading.to + 1);
  const { verb } = s;
  s.verb = undefined;
  const point = s.addItem('waypoint', { value: fix.value, sure: fix.sure }, to, fix.to);
  s.verb = verb;
  s.mark(i, fix.to, 'condition');
  const where = side === 'past' ? 'after' : side === 'of' ? 'from' : side;
  s.addCondition(unit === 'minutes' ? 'time' : 'distance', `${where}:${Number(reading.whole)}${unit === 'minutes' ? 'MIN' : 'NM'}:${fix.value}`, i, fix.to, [near, point]);
  s.at = fix.to;
  return true;
}

/** "or less", "or greater", "maximum", "minimum" around a speed. */
export function boundOnly(s: Scanner, i: number): boolean {
  if (!s.is(i, 'or')) return false;
  const less = s.oneOf(i + 1, /^(?:less|below|slower|lower)$/u);
  const greater = s.oneOf(i + 1, /^(?:greater|more|above|faster|higher|better)$/u);
  if (!less && !greater) return false;
  const last = s.items[s.items.length - 1];
  const bound = last?.slot === 'altitude' ? (less ? 'at_or_below' : 'at_or_above') : less ? 'or_less' : 'or_greater';
  s.mark(i, i + 2, 'condition');
  if (last !== undefined && (last.slot === 'speed' || last.slot === 'altitude' || last.slot === 'vertical_rate')) {
    last.bound = bound;
    s.addCondition(last.slot === 'altitude' ? 'altitude' : 'speed', `bound:${bound}:${last.value}`, i, i + 2, [s.items.length - 1]);
  }
  s.at = i + 2;
  return true;
}

/** "… to five | nineteen four", "until four | one one eight decimal one": a digit of distance and the frequency of the next unit; the token behind the digit. */
function milesThenFrequency(reading: NumberReading): number | undefined {
  const [first, second] = reading.atoms;
  if (first === undefined || second === undefined || reading.scaled || !/^[2-9]$/u.test(first.digits)) return undefined;
  const rest = reading.whole.slice(1);
  const grouped = second.digits.length === 2 && /^(?:1[89]|2\d|3[0-6])\d{1,3}$/u.test(rest) && reading.fraction === undefined;
  const value = grouped ? values.frequency(rest.slice(0, 2), rest.slice(2)) : values.frequency(rest, reading.fraction);
  return value !== undefined && (grouped || value.clipped === undefined) ? first.to : undefined;
}

/** "four miles", "four DME", "DME four", or "four" alone start here. */
export function distanceAhead(s: Scanner, i: number): boolean {
  if (s.is(i, 'dme')) return s.number(i + 1) !== undefined;
  const reading = s.number(i);
  if (reading !== undefined && milesThenFrequency(reading) !== undefined) return true;
  if (reading === undefined || reading.scaled || reading.fraction !== undefined) return reading !== undefined && s.oneOf(reading.to, /^(?:miles|dme)$/u);
  return s.oneOf(reading.to, /^(?:miles|dme)$/u) || (reading.whole.length === 1 && Number(reading.whole) >= 2 && !UNIT_WORDS.has(s.text(reading.to)) && !SIDES.has(s.text(reading.to)));
}
