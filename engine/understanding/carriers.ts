/**
 * Values that are said with a carrier word, and names of units, places and fixes.
 */
import { firstDigits, isKnownWord, values } from '../phraseology/index.js';
import { fixAt, flightLevelFrom, levelAt, plainNumberName, runwayAt, taxiName, unmaskedUnit } from './names.js';
import { takeAltitude, takeHeading, takeRunway, takeSpeed } from './take.js';
import type { Scanner } from './scanner.js';
import { UNIT_WORDS } from './terms.js';

export function carrierWord(s: Scanner, i: number): boolean {
  const text = s.text(i);
  switch (text) {
    case 'flight':
    case 'level':
    case 'altitude':
    case 'alt': {
      if (text === 'flight' && !s.is(i, 'flight', 'level')) return false;
      const start = text === 'flight' ? i + 2 : i + 1;
      let at = start;
      while (s.oneOf(at, /^(?:is|of|at)$/u)) at++;
      const reading = s.number(at);
      if (reading === undefined) {
        if (text === 'flight') s.mark(i, i + 2, 'O');
        return false;
      }
      if (text === 'altitude' || text === 'alt') {
        const level = levelAt(s, i, true) ?? levelAt(s, at, true);
        if (level === undefined) return false;
        return takeAltitude(s, level.value, i, level.to);
      }
      const level = flightLevelFrom(reading, s.text(reading.to));
      if (level === undefined) return false;
      return takeAltitude(s, level.value, i, level.to);
    }
    case 'heading':
    case 'present':
    case 'runway':
      if (text === 'present' && !s.is(i, 'present', 'heading')) return false;
      if (text === 'runway' && (s.is(i, 'runway', 'heading') || s.is(i, 'runway', 'track'))) return takeHeading(s, { value: 'RUNWAY', sure: 1 }, i, i + 2);
      // "continue present heading zero four zero" gives the figure as well
      if (text === 'present') return /^(?:[0-2]\d\d|3[0-5]\d|360)$/u.test(s.number(i + 2)?.whole ?? '') && s.number(i + 2)?.fraction === undefined ? headingWord(s, i + 1) : takeHeading(s, { value: 'PRESENT', sure: 1 }, i, i + 2);
      if (text === 'runway') return runwayWord(s, i);
      return headingWord(s, i);
    case 'mach': {
      const at = s.is(i + 1, 'number') || s.is(i + 1, 'decimal') && s.number(i + 1) === undefined ? i + 2 : i + 1;
      const reading = s.number(at);
      const value = reading === undefined ? undefined : values.mach(reading.whole, reading.fraction);
      if (reading === undefined || value === undefined) return false;
      return takeSpeed(s, value, i, reading.to);
    }
    case 'min':
    case 'max':
    case 'minimum':
    case 'maximum':
    case 'final': {
      const rest = s.t.slice(i, i + 4).map((token) => ({ min: 'minimum', max: 'maximum' })[token.text] ?? token.text).join(' ');
      const match = /^(?:minimum clean(?: speed)?|(?:minimum|final) approach speed|minimum approach(?! runway| ils| rnp)|minimum speed|maximum speed)/u.exec(rest);
      if (match !== null && !(match[0].endsWith(' speed') && match[0].split(' ').length === 2 && s.number(i + 2) !== undefined)) {
        const count = match[0].split(' ').length;
        const name = match[0].includes('clean') ? 'MINIMUM_CLEAN' : match[0].includes('approach') ? 'MINIMUM_APPROACH' : match[0].startsWith('minimum') ? 'MINIMUM' : 'MAXIMUM';
        return takeSpeed(s, { value: name, sure: 1 }, i, i + count);
      }
      if (text === 'final') return false;
      const at = s.is(i + 1, 'speed') ? i + 2 : i + 1;
      const reading = s.number(at);
      if (reading === undefined) return false;
      if (s.is(reading.to, 'knots') || s.is(reading.to, 'speed') || s.hint === 'speed' || at === i + 2) {
        const value = values.speed(reading.whole);
        if (value === undefined) return false;
        const bound = text.startsWith('min') ? 'or_greater' : 'or_less';
        const to = s.is(reading.to, 'knots') ? reading.to + 1 : reading.to;
        s.mark(i, i + 1, 'condition');
        if (at === i + 2) {
          s.begin({ verb: 'maintain_speed', label: 'speed_control', hint: 'speed' }, i + 1, at);
        } else if (s.action !== 'speed_control') {
          s.verb = 'maintain_speed';
          s.action = 'speed_control';
        }
        takeSpeed(s, value, at, to, bound);
        s.addCondition('speed', `bound:${bound}:${value.value}`, i, i + 1, [s.items.length - 1]);
        return true;
      }
      return false;
    }
    case 'stand':
    case 'gate':
    case 'position':
    case 'spot':
    case 'bay':
    case 'parking':
      return standWord(s, i);
    case 'holding':
    case 'point':
    case 'intersection':
      return holdingPoint(s, i);
    case 'taxiway':
    case 'link': {
      const letters = taxiName(s, i + 1);
      if (letters === undefined) return false;
      s.mark(i, letters.to, 'taxiway');
      s.addItem('taxiway', { value: (text === 'link' ? 'LINK' : '') + letters.value, sure: 1 }, i, letters.to, { action: 'taxiway_instruction' });
      s.path = true;
      s.at = letters.to;
      return true;
    }
    case 'track':
    case 'radial': {
      const reading = s.number(i + 1);
      if (reading?.whole.length !== 3 || reading.fraction !== undefined) return false;
      s.mark(i, reading.to, 'attribute');
      s.at = reading.to;
      return true;
    }
    default:
      return false;
  }
}

/** "heading north". */
const COMPASS: ReadonlyMap<string, string> = new Map([['north', '360'], ['east', '090'], ['south', '180'], ['west', '270']]);

export function headingWord(s: Scanner, i: number): boolean {
  let at = i + 1;
  const told = s.is(at, 'will', 'be');
  if (told) at += 2;
  while (s.oneOf(at, /^(?:is|of|to|now|left|right|on)$/u) && (s.number(at + 1) !== undefined)) at++;
  const compass = COMPASS.get(s.text(at));
  if (compass !== undefined) return takeHeading(s, { value: compass, sure: 0.6 }, i, at + 1);
  const reading = s.number(at);
  if (reading === undefined || reading.fraction !== undefined) {
    s.mark(i, i + 1, 'heading');
    s.hint = 'heading';
    s.at = i + 1;
    return true;
  }
  const cut = reading.whole.length > 3 ? firstDigits(reading, 3) : undefined;
  const value = values.heading(cut?.digits ?? reading.whole);
  if (value === undefined) {
    // out of range: kept as said, unsure
    s.mark(i, reading.to, 'heading');
    s.addItem('heading', { value: reading.whole.slice(0, 3), sure: 0.2 }, i, reading.to);
    s.at = reading.to;
    return true;
  }
  let to = cut?.to ?? reading.to;
  if (s.is(to, 'degrees')) to++;
  const { unit: _unit, ...absolute } = value;
  // "heading will be one four zero" answers a question
  return takeHeading(s, absolute, i, to, told ? { modality: 'report' } : {});
}

/** "runway one six left", "runway 16 romeo", "runway seven". */
export function runwayWord(s: Scanner, i: number): boolean {
  const runway = runwayAt(s, i + 1);
  if (runway === undefined) {
    if (s.is(i + 1, 'in', 'use') && runwayAt(s, i + 3) !== undefined) {
      const behind = runwayAt(s, i + 3);
      if (behind !== undefined) {
        s.mark(i, behind.to, 'runway');
        s.addItem('runway', behind.value, i, behind.to);
        s.at = behind.to;
        return true;
      }
    }
    // "runway access two": a place beside the runway
    if (s.oneOf(i + 1, /^(?:access|entry|exit)$/u)) {
      const name = taxiName(s, i + 2) ?? plainNumberName(s, i + 2);
      s.at = name?.to ?? i + 2;
      s.mark(i, s.at, 'waypoint');
      return true;
    }
    // "runway nine five": no runway has that number, but it was said
    const said = s.number(i + 1);
    if (said?.whole.length === 2 && said.fraction === undefined && !said.scaled) return takeRunway(s, { value: { value: said.whole, sure: 0.3 }, to: said.to, extra: {} }, i);
    s.mark(i, i + 1, s.oneOf(i + 1, /^(?:vacated|in)$/u) ? 'O' : 'runway');
    s.hint = 'runway';
    s.at = i + 1;
    return true;
  }
  s.mark(i, runway.to, 'runway');
  s.addItem('runway', runway.value, i, runway.to, runway.extra);
  s.at = runway.to;
  // "runway one six left or right": both
  s.hint = 'runway';
  return true;
}

export function standWord(s: Scanner, i: number): boolean {
  if (s.is(i, 'position') && !s.oneOf(i - 1, /^(?:parking|to|stand|on)$/u)) return false;
  const from = s.is(i + 1, 'is') ? i + 2 : i + 1;
  const name = taxiName(s, from, 4) ?? (s.is(i, 'parking') && from === i + 1 ? undefined : plainNumberName(s, from));
  if (name === undefined) return false;
  s.mark(i, name.to, 'waypoint');
  s.addItem('stand', { value: name.value, sure: 1 }, i, name.to, { action: 'taxiway_instruction' });
  s.at = name.to;
  return true;
}

/** "holding point alfa three", "holding point runway two four", "holding position papa one". */
export function holdingPoint(s: Scanner, i: number): boolean {
  let at = i + 1;
  if (s.is(i, 'holding')) {
    if (!s.oneOf(at, /^(?:point|position|bay)$/u)) return false;
    at++;
  }
  if (s.is(i, 'point') && s.number(i + 1) !== undefined && s.letter(i + 1) === undefined) return false;
  const name = taxiName(s, at, 1) ?? taxiName(s, at);
  if (name === undefined) {
    if (s.is(i, 'intersection') || s.is(i, 'point')) return false;
    // "holding point runway two four": the point is named by its runway
    s.mark(i, at, 'waypoint');
    const runway = s.is(at, 'runway') ? runwayAt(s, at + 1) : runwayAt(s, at);
    if (runway !== undefined) s.addItem('holding_point', { value: `RWY${runway.value.value}`, sure: 1 }, i, runway.to, { action: 'taxiway_instruction' });
    s.hint = 'runway';
    s.ground = true;
    s.at = at;
    return true;
  }
  s.mark(i, name.to, 'waypoint');
  s.addItem('holding_point', { value: name.value, sure: 1 }, i, name.to, { action: 'taxiway_instruction' });
  s.hint = 'runway';
  s.at = name.to;
  return true;
}

export function unitName(s: Scanner, i: number): boolean {
  const end = unmaskedUnit(s, i);
  if (end === undefined) {
    // after "contact": an unknown name up to the frequency
    if (s.action === 'contact' && s.openVerb !== undefined && (s.verb === 'contact' || s.verb === 'monitor') && s.t[i]?.number === undefined && s.letter(i) === undefined && !isKnownWord(s.text(i)) && s.text(i) !== ''
      && !s.oneOf(i - 1, /^(?:at|via|over|overhead|passing|crossing|abeam|before|after|until|direct|leaving|reaching)$/u)) {
      s.mark(i, i + 1, 'controller');
      s.addItem('controller', { value: s.text(i).toUpperCase(), sure: 0.6 }, i, i + 1);
      s.at = i + 1;
      return true;
    }
    return false;
  }
  s.mark(i, end, 'controller');
  const value = s.t.slice(i, end).map((token) => token.text).join('_').toUpperCase();
  const addressed = s.action === 'contact' && s.openVerb !== undefined;
  s.addItem('controller', { value, sure: 1 }, i, end, addressed ? {} : { modality: 'information' });
  // "tower eighteen five": the frequency without its leading one
  if (addressed || (s.number(end) !== undefined && (s.t[end]?.number?.kind === 'teen' || s.t[end]?.number?.kind === 'tens') && s.number(end)?.scaled === false)) s.hint = 'frequency';
  // "… and tower one nine two": the same in single digits, in a readback
  const figures = s.likelyPilot && i > 0 ? s.number(end) : undefined;
  if (figures !== undefined && !figures.scaled && figures.fraction === undefined && /^(?:1[89]|2\d|3[0-6])\d{1,3}$/u.test(figures.whole) && !UNIT_WORDS.has(s.text(figures.to))) s.hint = 'frequency';
  s.at = end;
  return true;
}

export function pathOrLetters(s: Scanner, i: number): boolean {
  // "via inner and echo": taxiways with names
  if ((s.path || s.ground) && s.oneOf(i, /^(?:inner|outer|link|parallel)$/u) && s.oneOf(i - 1, /^(?:via|and|then|on|onto|along|inner|outer|taxi)$/u)) {
    const more = s.letter(i + 1) !== undefined && s.is(i, 'link') ? taxiName(s, i + 1) : undefined;
    const to = more?.to ?? i + 1;
    s.mark(i, to, 'taxiway');
    s.addItem('taxiway', { value: s.text(i).toUpperCase() + (more?.value ?? ''), sure: 0.9 }, i, to, { action: 'taxiway_instruction' });
    s.path = true;
    s.at = to;
    return true;
  }
  if (s.letter(i) === undefined) return false;
  if (s.expectFix) return false;
  if (!(s.path || s.ground)) return reportingPoint(s, i);
  const name = taxiName(s, i);
  if (name === undefined) return false;
  s.mark(i, name.to, 'taxiway');
  s.addItem('taxiway', { value: name.value, sure: 0.95 }, i, name.to, { action: 'taxiway_instruction' });
  s.path = true;
  s.at = name.to;
  // "charlie lima and quebec": the joining word belongs to the route
  return true;
}

/** "echo two", "whiskey one": visual reporting points are a letter and a digit. */
function reportingPoint(s: Scanner, i: number): boolean {
  const letter = s.letter(i);
  const digit = s.t[i + 1]?.number;
  if (letter === undefined || s.masked[i + 1] === true || digit?.kind !== 'digits' || digit.digits.length !== 1 || s.letter(i - 1) !== undefined) return false;
  const after = s.number(i + 2);
  const rest = s.number(i + 1);
  // the digit may be the head of a number: "november | one two zero decimal one"
  if (rest === undefined || (rest.whole.length > 1 && !(rest.scaled && after?.scaled === true) && !(rest.whole.length > 1 && after?.scaled === true))) return false;
  if (/^(?:left|right|center|miles|knots|degrees|feet|minutes|o'clock)$/u.test(s.text(i + 2))) return false;
  s.mark(i, i + 2, 'waypoint');
  s.addItem('waypoint', { value: letter + digit.digits, sure: 0.8 }, i, i + 2, { modality: s.likelyPilot ? 'report' : 'information' });
  s.at = i + 2;
  return true;
}

/** Aprons, terminals, parking areas and other named places on the ground. */
export function groundPlace(s: Scanner, i: number): boolean {
  if (!s.ground && s.verb !== 'vacate') return false;
  const match = /^(?:apron|terminal|parking|ramp|gate|stand|hangar|sector|deicing|pad)$/u.exec(s.text(i));
  if (match === null) return false;
  // "stand" or "gate" without a number is a place only where one is taxied to
  if (/^(?:stand|gate|ramp|pad)$/u.test(match[0]) && s.labels[i - 1] !== 'relation' && s.verb !== 'taxi') return false;
  let from = i;
  while (from > 0 && s.labels[from - 1] === 'O' && /^(?:blue|green|yellow|north|south|east|west|general|aviation|cargo|remote|main|fuel|maintenance|military|business|the)$/u.test(s.text(from - 1)) && s.masked[from - 1] !== true) from--;
  if (s.is(from, 'the')) from++;
  let to = i + 1;
  while (s.oneOf(to, /^(?:north|south|east|west|station|area)$/u)) to++;
  const number = s.number(to);
  if (number !== undefined && number.whole.length <= 2 && number.fraction === undefined && !UNIT_WORDS.has(s.text(number.to))) to = number.to;
  s.mark(from, to, 'waypoint');
  s.addItem('stand', { value: s.t.slice(from, to).map((token) => token.text).join('').toUpperCase(), sure: 0.8 }, from, to, { action: 'taxiway_instruction' });
  s.at = to;
  return true;
}

/** A fix where one is expected: unknown words, spelled letters. */
export function namedFix(s: Scanner, i: number): boolean {
  const fix = fixAt(s, i);
  if (fix === undefined) return false;
  // "kilnu one alfa departure" names a procedure wherever it stands
  const cleared = /\d[A-Z]$/u.test(fix.value) && s.letter(i) === undefined && (s.verb === 'cleared_route' || s.items.some((item) => item.verb === 'cleared_route'));
  if (!s.expectFix && !cleared && !(/\d[A-Z]?$/u.test(fix.value) && s.letter(i) === undefined && s.oneOf(fix.to, /^(?:departure|arrival|transition)$/u))) return false;
  if (s.is(fix.to, 'departure') || s.is(fix.to, 'arrival') || s.is(fix.to, 'transition') || cleared || (s.text(i - 1) === 'via' && /\d[A-Z]$/u.test(fix.value))) {
    const to = s.oneOf(fix.to, /^(?:departure|arrival|transition)$/u) ? fix.to + 1 : fix.to;
    s.mark(i, to, 'attribute');
    // "cleared to the arlanda tosli three golf departure": the place only says whose departure it is
    const place = s.items.at(-1);
    if (place?.slot === 'waypoint' && place.verb === 'cleared_route' && place.span[1] === s.t[i]?.from && s.t.some((token, index) => token.from === place.span[0] && s.is(index - 1, 'the'))) place.modality = 'information';
    s.addItem('procedure', { value: fix.value, sure: fix.sure }, i, to, { verb: 'cleared_route', action: 'clearance' });
    s.at = to;
    s.expectFix = false;
    return true;
  }
  s.mark(i, fix.to, 'waypoint');
  s.addItem('waypoint', { value: fix.value, sure: fix.sure }, i, fix.to);
  if (s.openVerb !== undefined && s.verb === s.openVerb.verb) s.openVerb.used = true;
  s.expectFix = s.is(fix.to, 'and') || s.is(fix.to, 'then') || s.is(fix.to, 'direct');
  s.at = fix.to;
  return true;
}
