/**
 * Status, advice and reports around instructions: wind, pressure, SSR code, traffic, "expect …", "report …" (label "condition").
 */
import { isKnownWord, PLACES, firstDigits, unitAt, values, type Token } from '../phraseology/index.js';
import { bareLevel, clauseEnd, fixAt, levelAt, runwayAt, trafficAt, trafficKey, typedTrafficAt } from './names.js';
import { takeAltitude } from './take.js';
import type { Scanner } from './scanner.js';
import { APPROACH_TYPES, SIDES } from './terms.js';

const fixLike = (token: Token | undefined, masked: boolean | undefined): boolean => token !== undefined && masked !== true && token.number === undefined && token.letter === undefined && !isKnownWord(token.text);

/** Status and advisories: radar contact, wind, QNH, squawk, information, traffic, caution. */
export function advisory(s: Scanner, i: number): boolean {
  const done = (to: number): true => {
    s.mark(i, to, 'condition');
    s.at = to;
    return true;
  };
  const text = s.text(i);
  switch (text) {
    case 'radar':
      if (s.is(i, 'radar', 'contact')) return done(i + 2);
      if (s.is(i, 'radar', 'identified')) return done(i + 2);
      if (s.oneOf(i + 1, /^(?:service|services|control)$/u)) return done(s.oneOf(i + 2, /^(?:terminated|terminates|is)$/u) ? (s.is(i + 2, 'is') ? i + 4 : i + 3) : i + 2);
      if (s.oneOf(i + 1, /^(?:terminated|terminates)$/u)) return done(i + 2);
      return false;
    case 'identified':
      s.signs.information = true;
      return done(i + 1);
    case 'service':
      return s.oneOf(i + 1, /^(?:terminated|terminates)$/u) ? done(i + 2) : false;
    case 'caution':
      return done(Math.max(clauseEnd(s, i + 1, true), i + 1));
    case 'wind':
      return windReport(s, i);
    case 'qnh':
    case 'altimeter':
    case 'qfe':
      return pressureSetting(s, i);
    case 'squawk':
    case 'squawking':
    case 'transponder':
      return squawkCode(s, i);
    case 'ident':
      s.addCommand('ident', 'contact', i, i + 1);
      return done(i + 1);
    case 'information':
    case 'info':
    case 'atis': {
      const letter = s.letter(i + 1);
      if (letter === undefined || PLACES.has(s.text(i - 1)) || unitAt(s.t, i) === i + 1 && s.letter(i + 1) === undefined) return false;
      s.addItem('information', { value: letter, sure: 1 }, i, i + 2, { modality: s.likelyPilot ? 'report' : 'information' });
      return done(i + 2);
    }
    case 'traffic':
      return trafficInformation(s, i);
    case 'time': {
      const from = s.is(i + 1, 'check') || s.is(i + 1, 'is') ? i + 2 : i + 1;
      const reading = s.number(from);
      const value = reading === undefined ? undefined : values.clockTime(reading.whole);
      if (reading === undefined || value === undefined) return false;
      s.addItem('time', value, i, reading.to, { modality: 'information' });
      return done(reading.to);
    }
    case 'transition': {
      if (!s.is(i + 1, 'level')) return false;
      const from = s.is(i + 2, 'is') ? i + 3 : i + 2;
      const reading = s.number(from);
      const value = reading === undefined ? undefined : values.flightLevel(reading.whole);
      if (reading === undefined || value === undefined) return done(i + 2);
      s.addItem('transition_level', value, i, reading.to, { modality: s.effectiveModality() });
      return done(reading.to);
    }
    case 'expect':
    case 'expecting':
      return expectation(s, i);
    default: {
      // wind without the word: "two five zero degrees one two knots"
      const reading = s.number(i);
      if (reading?.fraction === undefined && reading !== undefined && /^\d{2,3}$/u.test(reading.whole) && s.is(reading.to, 'degrees')) {
        const speed = s.number(s.is(reading.to + 1, 'at') || s.is(reading.to + 1, 'with') || s.is(reading.to + 1, 'is') ? reading.to + 2 : reading.to + 1);
        if (speed !== undefined && (s.is(speed.to, 'knots') || s.is(speed.to, 'gusting')) && speed.whole.length <= 2) return windReport(s, i, i);
      }
      return false;
    }
  }
}

export function windReport(s: Scanner, i: number, from = i + 1): boolean {
  let at = from;
  while (s.oneOf(at, /^(?:is|at|check|now|from|the|surface|currently|variable|in|and)$/u)) at++;
  if (s.is(at, 'calm')) {
    s.addItem('wind', { value: 'CALM', sure: 1 }, i, at + 1, { modality: 'information' });
    s.mark(i, at + 1, 'condition');
    s.at = at + 1;
    return true;
  }
  let direction = s.number(at);
  if (direction !== undefined && s.is(direction.to, 'correction')) {
    const again = s.number(direction.to + 1);
    if (again !== undefined) {
      s.retracted.push(s.span(at, direction.to + 1));
      direction = again;
    }
  }
  if (direction === undefined) {
    s.mark(i, Math.max(at, i + 1), 'condition');
    s.at = Math.max(at, i + 1);
    return true;
  }
  let to = direction.to;
  let degrees = direction.whole;
  let knots: string | undefined;
  if (direction.whole.length >= 4 && direction.whole.length <= 5) {
    const head = firstDigits(direction, 3);
    if (head !== undefined) {
      degrees = head.digits;
      knots = direction.whole.slice(3);
    }
  } else if (direction.whole.length > 5) {
    // no unit between the numbers: three digits direction, then the speed before its unit
    const head = firstDigits(direction, 3);
    const tail = s.is(direction.to, 'knots') ? direction.whole.slice(3) : direction.whole.slice(3, 5);
    if (head !== undefined) {
      degrees = head.digits;
      const cut = firstDigits(direction, 3 + Math.min(2, tail.length));
      knots = cut === undefined ? tail : direction.whole.slice(3, 3 + Math.min(2, tail.length));
      to = cut?.to ?? direction.to;
    }
  }
  if (knots === undefined) {
    let next = to;
    while (s.oneOf(next, /^(?:degrees|at|with|is|and)$/u)) next++;
    const speed = s.number(next);
    if (speed !== undefined && speed.fraction === undefined && speed.whole.length <= 2) {
      knots = speed.whole;
      to = speed.to;
    } else if (next > to && s.is(to, 'degrees')) to = to + 1;
  }
  if (s.is(to, 'knots')) to++;
  let gust: string | undefined;
  let after = to;
  while (s.oneOf(after, /^(?:gusting|gusts|gust|maximum|up|to)$/u)) after++;
  if (after > to) {
    const strong = s.number(after);
    if (strong !== undefined && strong.whole.length <= 2) {
      gust = strong.whole;
      to = s.is(strong.to, 'knots') ? strong.to + 1 : strong.to;
    }
  }
  const value = knots === undefined ? undefined : values.wind(degrees, knots, gust);
  s.mark(i, to, 'condition');
  if (value !== undefined) s.addItem('wind', value, i, to, { modality: 'information' });
  s.signs.information = true;
  s.at = to;
  return true;
}

export function pressureSetting(s: Scanner, i: number): boolean {
  // "boston altimeter …"
  if (PLACES.has(s.text(i - 1)) && s.labels[i - 1] === 'O') s.mark(i - 1, i, 'condition');
  const inches = s.is(i, 'altimeter');
  let at = i + 1;
  while (s.oneOf(at, /^(?:is|now|set|setting|of|the)$/u) || (PLACES.has(s.text(at)) && s.number(at + 1) !== undefined)) at++;
  const reading = s.number(at);
  if (reading === undefined) {
    s.mark(i, i + 1, 'condition');
    s.at = i + 1;
    return true;
  }
  // "altimeter four thousand feet" was "altitude": no pressure is a quantity
  if (inches && reading.scaled && Number(reading.whole) >= 500 && reading.fraction === undefined) {
    s.mark(i, i + 1, 'altitude');
    const level = levelAt(s, at, true);
    if (level !== undefined) return takeAltitude(s, { ...level.value, sure: level.value.sure * 0.8 }, i, level.to);
  }
  let to = reading.to;
  let { whole } = reading;
  if (reading.fraction === undefined && whole.length > 4) {
    const length = whole.startsWith('9') ? 3 : 4;
    const cut = firstDigits(reading, length);
    if (cut !== undefined) {
      whole = cut.digits;
      to = cut.to;
    }
  }
  const value = values.pressure(whole, reading.fraction, inches);
  if (s.oneOf(to, /^(?:hectopascals|inches)$/u)) to++;
  s.mark(i, to, 'condition');
  if (value !== undefined && s.text(i) !== 'qfe') s.addItem('qnh', value, i, to, { verb: 'set_qnh', ...(s.modality === 'request' ? { modality: 'report' } : {}) });
  s.at = to;
  return true;
}

export function squawkCode(s: Scanner, i: number): boolean {
  let at = i + 1;
  while (s.oneOf(at, /^(?:code|is|mode|transponder|code|on|now|assigned|alfa|charlie)$/u)) at++;
  if (s.is(at, 'ident')) {
    s.addCommand('ident', 'contact', i, at + 1);
    s.mark(i, at + 1, 'condition');
    s.at = at + 1;
    return true;
  }
  if (s.oneOf(at, /^(?:standby|vfr|ifr)$/u)) {
    s.mark(i, at + 1, 'condition');
    s.at = at + 1;
    return true;
  }
  const reading = s.number(at);
  if (reading === undefined) {
    s.mark(i, i + 1, 'condition');
    s.at = i + 1;
    return true;
  }
  const cut = reading.whole.length > 4 && !reading.scaled ? firstDigits(reading, 4) : undefined;
  const written = reading.atoms.length === 1;
  const value = values.squawk(cut !== undefined && !written ? cut.digits : reading.whole);
  let to = cut !== undefined && !written ? cut.to : reading.to;
  if (value !== undefined) s.addItem('squawk', value, i, to, { verb: 'squawk', action: s.action ?? 'clearance' });
  if (s.is(to, 'ident') || s.is(to, 'and', 'ident')) {
    const end = s.is(to, 'ident') ? to + 1 : to + 2;
    s.addCommand('ident', 'contact', to, end);
    to = end;
  }
  s.mark(i, to, 'condition');
  s.at = to;
  return true;
}

/** Traffic information: what, where; the aircraft's own name apart (conventions 6). */
export function trafficInformation(s: Scanner, i: number): boolean {
  if (s.oneOf(i + 1, /^(?:in|is|not)$/u) && (s.is(i + 2, 'sight') || s.is(i + 3, 'sight'))) {
    s.signs.report = true;
    const to = s.is(i + 2, 'sight') ? i + 3 : i + 4;
    s.mark(i, to, 'condition');
    s.at = to;
    return true;
  }
  s.signs.information = true;
  let to = i + 1;
  let aircraft: [number, number] | undefined;
  while (to < s.t.length && s.masked[to] !== true) {
    const kind = trafficAt(s, to);
    if (kind !== undefined && !s.is(to, 'traffic') && aircraft === undefined) {
      aircraft = [to, kind];
      break;
    }
    const text = s.text(to);
    if (s.number(to) !== undefined) {
      const reading = s.number(to);
      to = reading?.to ?? to + 1;
      continue;
    }
    if (text === 'report' || text === 'wind' || text === 'qnh' || text === 'runway' || text === 'cleared' || text === 'contact' || text === 'confirm' || text === 'number' || text === 'join' || text === 'do' || text === 'are' || text === 'break') break;
    const phrase = s.phraseAt(to);
    if (phrase !== undefined && !/^(?:left|right|crossing|climbing|descending|maintaining|proceeding|inbound|turning|joining|departing|landing|base|final|finals|downwind|to|direct|cross|up|down|keep|reducing|following|proceed)$/u.test(text)) break;
    to++;
  }
  s.mark(i, to, 'condition');
  if (aircraft !== undefined) {
    s.mark(aircraft[0], aircraft[1], 'traffic');
    s.addItem('traffic', { value: trafficKey(s, aircraft[0], aircraft[1]), sure: 0.8 }, aircraft[0], aircraft[1], { modality: 'information' });
    to = aircraft[1];
    const end = clauseEnd(s, to, true);
    if (end > to) s.mark(to, end, 'condition');
    to = Math.max(to, end);
  }
  s.at = to;
  s.reset();
  return true;
}

/** "the seven thirty seven is two miles ahead", "the dash eight on your left": an aircraft that is spoken of, by its type. */
export function aircraftSpokenOf(s: Scanner, i: number): boolean {
  const to = s.hint === 'heading' || s.hint === 'speed' ? undefined : typedTrafficAt(s, i);
  if (to === undefined) return false;
  s.mark(i, to, 'traffic');
  s.addItem('traffic', { value: trafficKey(s, i, to), sure: 0.8 }, i, to, { modality: 'information' });
  s.at = to;
  // "… is doing one sixty knots": its speed, not the addressee's
  let at = to;
  while (s.oneOf(at, /^(?:is|now|currently|still|at|doing|has|reduced|to|slowing|down|speed|indicating|ahead|of|you)$/u)) at++;
  const speed = s.number(at);
  const value = speed !== undefined && at > to && s.is(speed.to, 'knots') ? values.speed(speed.whole) : undefined;
  if (speed !== undefined && value !== undefined) {
    s.mark(to, speed.to + 1, 'condition');
    s.addItem('speed', value, at, speed.to + 1, { modality: 'information' });
    s.at = speed.to + 1;
  }
  return true;
}

/** "expect …": information about what comes later; the runway stays apart (conventions 6). */
export function expectation(s: Scanner, i: number): boolean {
  let at = i + 1;
  s.modality = 'expect';
  s.closeVerb();
  s.mark(i, i + 1, 'condition');
  s.verb = 'expect';
  s.action = undefined;
  while (at < s.t.length && s.masked[at] !== true) {
    const text = s.text(at);
    if (text === 'runway') break;
    const approach = APPROACH_TYPES.get(text);
    if (approach !== undefined && !(text === 'contact')) {
      const variant = s.letter(at + 1);
      const to = variant !== undefined && /^[W-Z]$/u.test(variant) ? at + 2 : at + 1;
      s.mark(at, to, 'condition');
      s.addItem('approach', { value: approach + (to > at + 1 ? (variant ?? '') : ''), sure: 1 }, at, to, { modality: 'expect' });
      at = to;
      s.hint = 'runway';
      continue;
    }
    const level = levelAt(s, at, false);
    if (level !== undefined) {
      s.addItem('altitude', level.value, at, level.to, { modality: 'expect' });
      s.mark(at, level.to, 'condition');
      at = level.to;
      continue;
    }
    const reading = s.number(at);
    if (reading !== undefined) {
      if (s.oneOf(reading.to, /^(?:miles|dme|minutes)$/u)) {
        s.addItem(s.is(reading.to, 'minutes') ? 'time' : 'distance', { value: reading.whole + (reading.fraction === undefined ? '' : `.${reading.fraction}`), unit: s.is(reading.to, 'minutes') ? 'min' : 'nm', sure: 1 }, at, reading.to + 1, { modality: 'expect' });
        s.mark(at, reading.to + 1, 'condition');
        at = reading.to + 1;
        continue;
      }
      if (s.oneOf(reading.to, /^(?:knots|degrees)$/u)) {
        const speed = s.is(reading.to, 'knots') ? values.speed(reading.whole) : values.heading(reading.whole);
        if (speed !== undefined) s.addItem(s.is(reading.to, 'knots') ? 'speed' : 'heading', speed, at, reading.to + 1, { modality: 'expect' });
        s.mark(at, reading.to + 1, 'condition');
        at = reading.to + 1;
        continue;
      }
      const runway = s.hint === 'runway' || SIDES.has(s.text(reading.to)) ? runwayAt(s, at) : undefined;
      if (runway !== undefined) break;
      s.mark(at, reading.to, 'condition');
      at = reading.to;
      continue;
    }
    if (s.is(at, 'further') || s.oneOf(at, /^(?:climb|descent|descend|higher|lower|vectors|vectoring|approach|straight|short|delay|no|late|landing|clearance|left|right|hand|circuit|departure|the|a|an|to|in|at|for|about|after|you|can|direct|line|up|holding|hold|turn|base|final|route|shortcut|clearence|airwork|four|oskup|before|of|via)$/u) || fixLike(s.t[at], s.masked[at])) {
      if (s.oneOf(at, /^(?:at|after|via|direct|over|in)$/u)) {
        const fix = fixAt(s, at + 1);
        if (fix !== undefined) {
          s.addItem('waypoint', { value: fix.value, sure: fix.sure * 0.9 }, at + 1, fix.to, { modality: 'expect' });
          s.mark(at, fix.to, 'condition');
          at = fix.to;
          continue;
        }
      }
      s.mark(at, at + 1, 'condition');
      at++;
      continue;
    }
    break;
  }
  if (!s.items.some((item) => item.modality === 'expect' && item.span[0] >= (s.t[i]?.from ?? 0))) s.addCommand('expect', 'clearance', i, at, [], 'expect');
  s.at = at;
  s.verb = 'expect';
  return true;
}

/** "report …" from a controller; what is to be reported is not a value to fly. */
export function reports(s: Scanner, i: number): boolean {
  const text = s.text(i);
  if (text === 'reporting' || text === 'reported') {
    s.signs.report = true;
    s.mark(i, i + 1, 'condition');
    s.verb = 'report';
    s.at = i + 1;
    return true;
  }
  if (/^(?:passing|leaving|out|through|maintaining|reaching|levelling|leveling|below|above|approaching|passed)$/u.test(text)) {
    const to = s.is(i, 'out', 'of') ? i + 2 : s.is(i + 1, 'through') ? i + 2 : i + 1;
    if (text === 'out' && to === i + 1) return false;
    const level = levelAt(s, to, false) ?? (text === 'passing' || text === 'leaving' || text === 'through' || text === 'maintaining' || text === 'out' ? bareLevel(s, to) : undefined);
    if (level === undefined) return false;
    if (text === 'maintaining') return false;
    s.mark(i, to, 'condition');
    s.mark(to, level.to, 'altitude');
    s.signs.report = true;
    s.addItem('altitude', level.value, i, level.to, { modality: 'report' });
    const item = s.items[s.items.length - 1];
    if (item !== undefined) delete item.verb;
    s.at = level.to;
    return true;
  }
  if (text !== 'report') return false;
  if (s.verb === undefined && s.openVerb !== undefined) s.closeVerb();
  s.closeVerb();
  const from = i;
  let at = i + 1;
  const items: number[] = [];
  const save = s.modality;
  s.verb = 'report';
  s.action = undefined;
  while (at < s.t.length && s.masked[at] !== true) {
    const text2 = s.text(at);
    if (text2 === 'runway') break;
    if (/^(?:wind|qnh|squawk|contact|cleared|clear|report|traffic|expect|taxi|number|information|line|hold|cross|monitor|continue|if|break|confirm|then|and|after|until|once|when|before|not|please|sir)$/u.test(text2) && at > i + 1) {
      if (text2 === 'then' || text2 === 'and') {
        // "report passing … and climb …": the next words are an instruction
        const next = s.phraseAt(at + 1);
        if (next !== undefined || /^(?:expect|squawk|contact|report)$/u.test(s.text(at + 1))) break;
      } else if (text2 === 'number' || text2 === 'traffic') {
        if (!s.is(at + 1, 'in', 'sight')) break;
      } else break;
    }
    if (text2 === 'for' && s.oneOf(at + 1, /^(?:taxi|takeoff|departure|landing|startup|pushback|approach)$/u)) {
      at += 2;
      continue;
    }
    if (text2 === 'final' || text2 === 'finals' || text2 === 'established' || text2 === 'downwind' || text2 === 'base') {
      at++;
      continue;
    }
    const level = levelAt(s, at, false) ?? (s.oneOf(at - 1, /^(?:passing|leaving|reaching|through|level)$/u) ? bareLevel(s, at) : undefined);
    if (level !== undefined) {
      items.push(s.addItem('altitude', level.value, at, level.to, { modality: 'information', verb: 'report' }));
      at = level.to;
      continue;
    }
    const reading = s.number(at);
    if (reading !== undefined) {
      if (s.oneOf(reading.to, /^(?:miles|dme)$/u)) {
        items.push(s.addItem('distance', { value: String(Number(reading.whole)), unit: 'nm', sure: 1 }, at, reading.to + 1, { modality: 'information', verb: 'report' }));
        at = reading.to + 1;
        continue;
      }
      if (s.oneOf(at - 1, /^(?:final|base|downwind|ils|on|for)$/u)) break;
      at = reading.to;
      continue;
    }
    const phrase = s.phraseAt(at);
    const partOfIt = /^(?:left|right|final|base|downwind|up|down|to|is|are|vacated|startup|start|pushback)$/u.test(text2) || (at === i + 1 && /^(?:speed|heading|turn|clear|orbit|climb|descent|go|hold)$/u.test(text2));
    if (phrase !== undefined && !phrase.progressive && !partOfIt) break;
    const gate = s.oneOf(at, /^(?:passing|leaving|reaching|overhead|over|at|abeam|crossing|approaching|when|position)$/u) ? at + 1 : at;
    const fix = gate > at || at === i + 1 ? fixAt(s, gate) : undefined;
    if (fix !== undefined && fix.sure >= 0.5) {
      items.push(s.addItem('waypoint', { value: fix.value, sure: fix.sure }, gate, fix.to, { modality: 'information', verb: 'report' }));
      at = fix.to;
      continue;
    }
    at++;
  }
  s.mark(from, Math.max(at, i + 1), 'condition');
  s.addCommand('report', 'contact', from, Math.max(at, i + 1), items, save === 'request' || save === 'question' ? save : s.effectiveModality());
  s.at = Math.max(at, i + 1);
  s.hint = s.oneOf(s.at - 1, /^(?:final|finals|established|downwind|base)$/u) ? 'runway' : undefined;
  return true;
}
