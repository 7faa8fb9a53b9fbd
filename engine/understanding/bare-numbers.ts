/**
 * Numbers without a carrier word: units behind them, the verb before them, or their own shape decide.
 */
import { firstDigits, values, type Atom, type NumberReading } from '../phraseology/index.js';
import type { Item, Verb } from '../domain/understanding.js';
import { windReport } from './advisories.js';
import { distanceAhead } from './gates.js';
import { fixAt, flightLevelFrom, runwayAt } from './names.js';
import { reportedLevel, takeAltitude, takeFrequency, takeHeading, takeRunway, takeSpeed } from './take.js';
import type { Scanner } from './scanner.js';
import { valueOf } from './settle.js';
import { SIDES } from './terms.js';

export function bareNumber(s: Scanner, i: number): boolean {
  const whole = s.number(i);
  if (whole === undefined) return false;
  return numberReading(s, frequencyBefore(s, whole) ?? frequencyTwice(whole) ?? beforeLimit(s, whole) ?? whole, i);
}

/** "one three four decimal six one three four decimal six": a frequency, and the same one again from its start. */
function frequencyTwice(reading: NumberReading): NumberReading | undefined {
  if (reading.fraction === undefined || reading.fraction.length < 4 || reading.whole.length !== 3) return undefined;
  for (let length = 1; length <= 3; length++) {
    const rest = reading.fraction.slice(length);
    if (rest.length < 2 || !(rest.startsWith(reading.whole) || reading.whole.startsWith(rest) || `${reading.whole}${reading.fraction.slice(0, length)}`.startsWith(rest))) continue;
    const kept: Atom[] = [];
    for (const atom of reading.fractionAtoms) if (digitsOf(kept) + atom.digits.length <= length) kept.push(atom);
    const last = kept.at(-1);
    if (last !== undefined && digitsOf(kept) === length) return { ...reading, fraction: reading.fraction.slice(0, length), fractionAtoms: kept, to: last.to };
  }
  return undefined;
}

/** "one two zero two five zero or less", "… to four": a limit is on a speed of three digits; what stands before is another value. */
function beforeLimit(s: Scanner, reading: NumberReading): NumberReading | undefined {
  if (reading.fraction !== undefined || reading.scaled || reading.whole.length < 5 || reading.whole.length > 6 || !((s.is(reading.to, 'or') && s.oneOf(reading.to + 1, /^(?:less|greater|more|below|above)$/u)) || (s.oneOf(reading.to, /^(?:to|until)$/u) && distanceAhead(s, reading.to + 1)))) return undefined;
  const head = firstDigits(reading, reading.whole.length - 3);
  return head === undefined ? undefined : { ...reading, atoms: reading.atoms.filter((atom) => atom.to <= head.to), whole: head.digits, to: head.to };
}

/** "one one eight decimal one | one five zero knots": the last three digits before the unit are another value. */
function frequencyBefore(s: Scanner, reading: NumberReading): NumberReading | undefined {
  if (reading.fraction === undefined || reading.fraction.length < 4 || !s.oneOf(reading.to, /^(?:knots|degrees)$/u)) return undefined;
  const kept: Atom[] = [];
  for (const atom of reading.fractionAtoms) {
    if (digitsOf(kept) + atom.digits.length > reading.fraction.length - 3) break;
    kept.push(atom);
  }
  const last = kept.at(-1);
  if (last === undefined || digitsOf(kept) !== reading.fraction.length - 3) return undefined;
  return { ...reading, fraction: kept.map((atom) => atom.digits).join(''), fractionAtoms: kept, to: last.to };
}

const digitsOf = (atoms: readonly Atom[]): number => atoms.reduce((sum, atom) => sum + atom.digits.length, 0);

function numberReading(s: Scanner, reading: NumberReading, i: number): boolean {
  const unit = s.text(reading.to);
  const { whole, fraction } = reading;
  const model = UNITS.has(unit) ? undefined : s.corrected(i);
  const instead = model === undefined ? undefined : correctedValue(s, model, reading, i);
  if (model !== undefined && instead !== undefined) {
    const label = VALUE_LABELS.get(model.slot) ?? 'condition';
    s.mark(i, instead.to, label);
    s.addItem(model.slot, instead.value, i, instead.to, { ...(model.verb === undefined ? {} : { verb: model.verb }), ...(model.action === undefined ? {} : { action: model.action }) });
    s.at = instead.to;
    return true;
  }

  if (unit === 'feet' || unit === 'metres') {
    const perMinute = s.is(reading.to + 1, 'per', 'minutes') || s.is(reading.to + 1, 'a', 'minutes');
    if (perMinute) {
      const rate = values.verticalRate(whole);
      if (rate !== undefined) {
        s.mark(i, reading.to + 3, 'condition');
        s.addItem('vertical_rate', rate, i, reading.to + 3);
        s.at = reading.to + 3;
        return true;
      }
    }
    const value = values.altitude(whole, unit === 'feet' ? 'ft' : 'm', reading.scaled);
    if (value !== undefined) return takeAltitude(s, value, i, reading.to + 1, reportedLevel(s));
  }
  // "two thousand or greater" behind a level: "or above" goes with levels, "or greater" with rates
  if (reading.scaled && unit === 'or' && s.oneOf(reading.to + 1, /^(?:greater|less|more|better)$/u) && (s.hint !== 'altitude' || s.openVerb?.used === true)) {
    const rate = values.verticalRate(whole);
    if (rate !== undefined) {
      s.mark(i, reading.to, 'condition');
      s.addItem('vertical_rate', rate, i, reading.to);
      s.at = reading.to;
      return true;
    }
  }
  // "reduce to two zero knots": a digit of the speed is lost
  if (unit === 'knots' && whole.length <= 2 && Number(whole) < 60 && s.hint === 'speed' && s.action === 'speed_control') return takeSpeed(s, { value: String(Number(whole)), unit: 'kt', sure: 0.3, clipped: 'tail' }, i, reading.to + 1);
  if (unit === 'knots' && whole.length <= 2 && Number(whole) < 50) {
    // the rest of a wind whose direction was cut off
    s.mark(i, reading.to + 1, 'condition');
    s.signs.information = true;
    s.at = reading.to + 1;
    return true;
  }
  if (unit === 'knots' && (whole.length === 5 || (whole.length === 6 && Number(whole.slice(3)) < 60)) && s.verb === undefined && Number(whole.slice(0, 3)) <= 360 && whole[2] === '0') return windReport(s, i, i);
  if (unit === 'knots') {
    const digits = whole.length > 3 ? whole.slice(-3) : whole;
    const value = values.speed(digits);
    if (value !== undefined && whole.length <= 3) {
      takeSpeed(s, value, i, reading.to + 1);
      return true;
    }
    if (whole.length > 3 && whole.length <= 6) {
      // "two one zero two five zero knots": the last three are the speed
      const head = firstDigits(reading, whole.length - 3);
      if (head !== undefined) {
        const only = { ...reading, atoms: reading.atoms.filter((atom) => atom.to <= head.to), whole: head.digits, to: head.to };
        if (byHint(s, only, i)) return true;
      }
    }
  }
  if (unit === 'degrees') return degrees(s, reading, i);
  // "two five zero or less": nobody flies a heading or less
  if (whole.length === 3 && fraction === undefined && !reading.scaled && unit === 'or' && s.oneOf(reading.to + 1, /^(?:less|greater|more|better)$/u) && s.hint !== 'altitude') {
    const value = values.speed(whole);
    if (value !== undefined) {
      const { unit: _unit, ...plain } = value;
      return takeSpeed(s, plain, i, reading.to);
    }
  }
  // "one eight zero to four", "until five": a speed and its gate
  if (whole.length === 3 && fraction === undefined && !reading.scaled && (unit === 'to' || unit === 'until') && distanceAhead(s, reading.to + 1) && (s.hint === undefined || s.hint === 'speed' || s.openVerb?.used === true)) {
    const value = values.speed(whole);
    if (value !== undefined && Number(whole) >= 120 && Number(whole) <= 260) return takeSpeed(s, value, i, reading.to);
  }
  if (whole.length === 2 && (unit === 'to' || unit === 'until') && whole.endsWith('0') && s.hint !== 'altitude' && s.hint !== 'heading') {
    // "sixty to four DME": a speed whose head is gone
    const gate = s.number(reading.to + 1);
    if (gate !== undefined && s.oneOf(gate.to, /^(?:miles|dme)$/u)) {
      s.mark(i, reading.to, 'speed');
      s.addItem('speed', { value: whole, unit: 'kt', sure: 0.6, clipped: 'head', alternatives: [`1${whole}`, `2${whole}`] }, i, reading.to);
      s.at = reading.to;
      return true;
    }
  }
  if (unit === 'miles' || unit === 'dme') {
    const value = values.distance(whole, fraction);
    if (value !== undefined) {
      const to = reading.to + 1;
      s.mark(i, to, 'condition');
      s.addItem('distance', value, i, to, { modality: s.modality === 'command' ? 'information' : s.modality });
      // "sixty to four dme": a speed and its gate
      s.at = to;
      return true;
    }
  }
  if (unit === 'minutes' || unit === 'seconds' || unit === "o'clock" || unit === 'hours' || unit === 'percent' || unit === 'kilometres') {
    s.mark(i, reading.to + 1, 'condition');
    if (unit === 'minutes') s.addItem('time', { value: whole, unit: 'min', sure: 1 }, i, reading.to + 1, { modality: 'information' });
    s.at = reading.to + 1;
    return true;
  }
  if (unit === 'hectopascals' || unit === 'inches') {
    const value = values.pressure(whole, fraction, unit === 'inches');
    if (value !== undefined) {
      s.mark(i, reading.to + 1, 'condition');
      s.addItem('qnh', value, i, reading.to + 1, { verb: 'set_qnh' });
      s.at = reading.to + 1;
      return true;
    }
  }
  if (unit === 'fpm') {
    const rate = values.verticalRate(whole);
    if (rate !== undefined) {
      s.mark(i, reading.to + 1, 'condition');
      s.addItem('vertical_rate', rate, i, reading.to + 1);
      s.at = reading.to + 1;
      return true;
    }
  }
  return byHint(s, reading, i);
}

export function degrees(s: Scanner, reading: NumberReading, i: number): boolean {
  const { whole } = reading;
  const to = reading.to + 1;
  const amount = Number(whole);
  const absolute = whole.length === 3 && (whole.startsWith('0') || amount > 90 || s.hint !== 'heading');
  if (absolute) {
    const value = values.heading(whole);
    if (value !== undefined) {
      const { unit: _unit, ...rest } = value;
      return takeHeading(s, rest, i, to);
    }
  }
  if (amount > 180 || whole.length > 3) return false;
  let side = s.verb === 'turn_left' ? 'L' : s.verb === 'turn_right' ? 'R' : '';
  let end = to;
  if (side === '' && s.oneOf(to, /^(?:left|right)$/u)) {
    side = s.is(to, 'left') ? 'L' : 'R';
    end = to + 1;
  } else if (side === '' && s.is(to, 'to', 'the') && s.oneOf(to + 2, /^(?:left|right)$/u)) {
    side = s.is(to + 2, 'left') ? 'L' : 'R';
    end = to + 3;
  }
  if (side === '' && s.hint !== 'heading' && whole.length === 2 && s.verb === undefined) {
    // "nine zero degrees" in a readback: a clipped heading or a turn
    const value = values.heading(whole);
    if (value !== undefined) return takeHeading(s, { ...value, alternatives: [...(value.alternatives ?? []), whole.padStart(3, '0')] }, i, to);
  }
  const change: values.Value = { value: side + String(amount).padStart(3, '0'), unit: 'deg', sure: 1 };
  s.mark(i, to, 'heading');
  if (end > to) s.mark(to, end, 'heading_control');
  if (s.openVerb?.verb === 'turn' && side !== '') s.openVerb.used = true;
  s.addItem('heading', change, i, end, side === '' ? {} : { verb: side === 'L' ? 'turn_left' : 'turn_right' });
  s.at = end;
  return true;
}

export function byHint(s: Scanner, reading: NumberReading, i: number): boolean {
  const { whole, fraction } = reading;
  // "four thousand | two niner niner seven": the level is complete, what follows it without a break is something else
  const last = s.items.at(-1);
  if (s.hint === 'altitude' && last?.slot === 'altitude' && last.span[1] === s.t[s.is(i - 1, 'and') ? i - 1 : i]?.from && !reading.scaled && s.openVerb?.used === true) s.hint = undefined;
  // "heading one one zero | one zero one five": a heading of three figures is complete
  if (s.hint === 'heading' && last?.slot === 'heading' && last.span[1] === s.t[i]?.from && whole.length >= 4 && s.openVerb?.used !== false) s.hint = undefined;
  // "to establish two five localizer"
  if (whole.length === 2 && !reading.scaled && fraction === undefined && s.is(reading.to, 'localizer')) {
    const runway = runwayAt(s, i);
    if (runway !== undefined) return takeRunway(s, runway, i);
  }
  // "five thousand on niner niner eight": behind a level in feet, a pressure by its look
  if (s.hint === 'altitude' && s.is(i - 1, 'on') && last?.slot === 'altitude' && last.unit === 'ft' && !reading.scaled && fraction === undefined && /^(?:9[4-9]\d|10[0-4]\d|(?:2[89]|30)\d{2})$/u.test(whole)) {
    const value = values.pressure(whole, undefined, whole.length === 4 && !whole.startsWith('1'));
    if (value !== undefined) {
      s.mark(i, reading.to, 'condition');
      s.addItem('qnh', { ...value, sure: 0.9 }, i, reading.to, { verb: 'set_qnh' });
      s.at = reading.to;
      return true;
    }
  }
  // frequencies show themselves
  if (fraction !== undefined || (whole.length >= 4 && whole.length <= 6 && s.hint !== 'altitude' && !reading.scaled)) {
    const value = values.frequency(whole, fraction);
    const pressure = fraction !== undefined ? values.pressure(whole, fraction, true) : undefined;
    if (pressure !== undefined && value?.clipped !== undefined && s.hint !== 'frequency') {
      s.mark(i, reading.to, 'condition');
      s.addItem('qnh', pressure, i, reading.to, { verb: 'set_qnh' });
      s.at = reading.to;
      return true;
    }
    const surely = fraction !== undefined || s.hint === 'frequency' || (value !== undefined && value.clipped === undefined) || (value?.clipped !== undefined && whole.length === 5 && s.hint === undefined);
    if (value !== undefined && surely) return takeFrequency(s, value, i, reading.to);
  }
  if (s.hint === 'frequency' && !reading.scaled) {
    if (whole.length > 6) {
      const head = firstDigits(reading, 6) ?? firstDigits(reading, 5);
      const value = head === undefined ? undefined : values.frequency(head.digits, undefined);
      if (head !== undefined && value !== undefined) return takeFrequency(s, value, i, head.to);
    }
    // "tower eighteen one": the leading one is left out
    if (whole.length === 3 && !(Number(whole) >= 118 && Number(whole) <= 136)) {
      const value = values.frequency(whole.slice(0, 2), whole.slice(2));
      if (value !== undefined) return takeFrequency(s, value, i, reading.to);
    }
    // "tower one one eight one": four digits; three are a whole part whose decimals are lost
    if (whole.length === 3 && Number(whole) >= 118 && Number(whole) <= 136) {
      return takeFrequency(s, { value: `${whole}.000`, unit: 'MHz', sure: 0.3, clipped: 'tail' }, i, reading.to);
    }
  }
  if (reading.scaled) {
    const value = values.altitude(whole, undefined, true);
    if (value !== undefined && Number(whole) >= 500) {
      if (s.hint === 'speed' || s.hint === 'heading') return unexplained(s, reading, i);
      return takeAltitude(s, value, i, reading.to, reportedLevel(s));
    }
    if (s.hint === 'altitude') {
      const level = values.flightLevel(whole);
      if (level !== undefined) return takeAltitude(s, { ...level, sure: level.sure * 0.85 }, i, reading.to);
    }
    if (s.hint === 'squawk') return unexplained(s, reading, i);
    return unexplained(s, reading, i);
  }
  const side = SIDES.get(s.text(reading.to));
  const spokenSide = s.oneOf(reading.to, /^(?:left|right|center)$/u) && !s.oneOf(reading.to + 1, /^(?:turn|heading)$/u);
  if (whole.length <= 2 && side !== undefined && spokenSide && s.hint !== 'heading' && (s.hint !== 'altitude' || (whole.length === 2 && Number(whole) <= 36 && s.openVerb?.used !== true))) {
    const runway = runwayAt(s, i);
    if (runway !== undefined) return takeRunway(s, runway, i);
  }
  switch (s.hint) {
    case 'altitude': {
      if (/^\d{4,5}$/u.test(whole)) {
        const value = values.altitude(whole, undefined, false);
        if (value !== undefined && (whole.endsWith('0'))) return takeAltitude(s, value, i, reading.to);
      }
      // "climb five": thousands of feet, or the rest is lost
      if (whole.length === 1 && whole !== '0' && s.openVerb?.used === false && s.number(reading.to) === undefined) return takeAltitude(s, { value: `${whole}000`, sure: 0.4, alternatives: [whole] }, i, reading.to);
      if (whole.length > 3) {
        const level = flightLevelFrom(reading, s.text(reading.to));
        if (level !== undefined) return takeAltitude(s, { ...level.value, sure: level.value.sure * 0.8 }, i, level.to);
      }
      if (whole.length >= 2) {
        const level = values.flightLevel(whole);
        if (level !== undefined) {
          const ambiguous = s.verb === 'maintain' ? { alternatives: [String(Number(whole))] } : {};
          return takeAltitude(s, { ...level, sure: level.sure * 0.85 }, i, reading.to, ambiguous);
        }
      }
      break;
    }
    case 'heading': {
      const head = whole.length > 3 ? firstDigits(reading, 3) : undefined;
      if (whole.length === 2 && s.is(i - 1, 'to') && /^\d0$/u.test(whole)) {
        // "turn left to seven zero": the word may be the digit two
        const value = values.heading(`2${whole}`);
        if (value !== undefined) {
          s.mark(i - 1, reading.to, 'heading');
          s.addItem('heading', { value: value.value, sure: 0.6, alternatives: [`0${whole}`, `1${whole}`] }, i - 1, reading.to);
          s.at = reading.to;
          return true;
        }
      }
      const value = values.heading(head?.digits ?? whole);
      if (value !== undefined) {
        const { unit: _unit, ...rest } = value;
        return takeHeading(s, rest, i, head?.to ?? reading.to);
      }
      break;
    }
    case 'speed': {
      const head = whole.length > 3 ? firstDigits(reading, 3) : undefined;
      const value = values.speed(head?.digits ?? whole);
      if (value !== undefined) return takeSpeed(s, value, i, head?.to ?? reading.to);
      if (whole.length <= 2 && s.action === 'speed_control' && s.openVerb?.used === false) return takeSpeed(s, { value: String(Number(whole)), unit: 'kt', sure: 0.3, clipped: 'tail' }, i, reading.to);
      break;
    }
    case 'runway': {
      if (whole.length === 1 && s.is(i - 1, 'to') && s.labels[i - 1] === 'relation') {
        const value = values.runway(`2${whole}`, undefined);
        if (value !== undefined) {
          s.mark(i - 1, reading.to, 'runway');
          s.addItem('runway', { ...value, sure: 0.6, alternatives: [`0${whole}`] }, i - 1, reading.to);
          s.at = reading.to;
          return true;
        }
      }
      const runway = runwayAt(s, i);
      if (runway !== undefined) return takeRunway(s, runway, i);
      // no runway has that number, but it was said where one belongs
      if (whole.length === 2 && fraction === undefined) return takeRunway(s, { value: { value: whole, sure: 0.3 }, to: reading.to, extra: {} }, i);
      break;
    }
    default:
      break;
  }
  // an altimeter setting in inches by its look; as a code it would hold an eight or a nine
  if (/^(?:2[89]|30)\d{2}$/u.test(whole) && s.hint === undefined && (/[89]/u.test(whole) || s.items.at(-1)?.slot === 'altitude')) {
    const value = values.pressure(whole, undefined, true);
    if (value !== undefined) {
      s.mark(i, reading.to, 'condition');
      s.addItem('qnh', { ...value, sure: 0.7 }, i, reading.to, { verb: 'set_qnh', bare: true, alternatives: [whole] });
      s.at = reading.to;
      return true;
    }
  }
  // QNH by its look
  if (/^(?:10[0-4]\d|9[6-9]\d)$/u.test(whole) && whole.length === (whole.startsWith('9') ? 3 : 4) && (s.hint === undefined || whole.length === 4)) {
    const value = values.pressure(whole, undefined, false);
    if (value !== undefined) {
      s.mark(i, reading.to, 'condition');
      s.addItem('qnh', { ...value, sure: whole.startsWith('9') ? 0.5 : 0.8 }, i, reading.to, { verb: 'set_qnh', bare: true, alternatives: [whole] });
      s.at = reading.to;
      return true;
    }
  }
  // digits and letters on the ground: "delta one"
  return leadingNumber(s, reading, i) || unexplained(s, reading, i);
}

/** A readback that begins with its value: "zero six zero right turn", "one six left cleared to land", "two four cleared …". */
export function leadingNumber(s: Scanner, reading: NumberReading, i: number): boolean {
  const { whole } = reading;
  const next = s.text(reading.to);
  if (whole.length === 3 && (s.is(reading.to, 'on', 'the', 'heading') || s.is(reading.to, 'the', 'heading') || (next === 'heading' && s.number(reading.to + 1) === undefined))) {
    const value = values.heading(whole);
    if (value !== undefined) {
      const { unit: _unit, ...rest } = value;
      return takeHeading(s, rest, i, reading.to);
    }
  }
  if (whole.length === 3 && /^(?:right|left)$/u.test(next) && (s.oneOf(reading.to + 1, /^(?:turn|heading)$/u))) {
    const value = values.heading(whole);
    if (value !== undefined) {
      const { unit: _unit, ...rest } = value;
      const verb: Verb = next === 'left' ? 'turn_left' : 'turn_right';
      s.mark(i, reading.to, 'heading');
      s.addItem('heading', rest, i, reading.to, { verb });
      s.mark(reading.to, reading.to + 2, 'heading_control');
      s.at = reading.to + 2;
      return true;
    }
  }
  if (whole.length === 3 && s.is(reading.to, 'speed')) {
    const value = values.speed(whole);
    if (value !== undefined) {
      takeSpeed(s, value, i, reading.to);
      return true;
    }
  }
  if (whole.length <= 2) {
    const clearedAhead = (whole.length === 2 ? /^(?:cleared|clear|line|lining|cross|crossing|hold|holding|backtrack|backtracking|continue|established|vacated|touch|final)$/u : /^(?:cleared|clear|line|lining)$/u).test(next) || (SIDES.has(next) && /^(?:cleared|clear|line|cross|hold)$/u.test(s.text(reading.to + 1)));
    if (clearedAhead) {
      const runway = runwayAt(s, i);
      if (runway !== undefined) return takeRunway(s, runway, i);
    }
  }
  return false;
}

/** A number that nothing explains: kept with a guessed slot and marked as bare. */
export function unexplained(s: Scanner, reading: NumberReading, i: number): boolean {
  const { whole } = reading;
  // "left on one uh two two": begun again behind the hesitation, as a runway
  if (whole.length === 3 && reading.gaps.length > 0 && s.oneOf(i - 1, /^(?:on|onto)$/u)) {
    const runway = runwayAt(s, i);
    if (runway !== undefined) return takeRunway(s, runway, i);
  }
  if (reading.fraction === undefined && !reading.scaled && whole.length === 3 && Number(whole) >= 10) {
    const amount = Number(whole);
    const alternatives = [whole];
    const heading = amount <= 360 && (whole.startsWith('0') || amount % 10 !== 0 || amount > 300);
    if (s.is(reading.to, 'to') && fixAt(s, reading.to + 1) !== undefined && amount <= 360) {
      // "three five zero to …": the number is the action (Table 14)
      s.mark(i, reading.to, 'heading_control');
      s.addItem('heading', { value: whole, sure: 0.6, alternatives }, i, reading.to, { bare: true });
      s.expectFix = true;
      s.hint = 'waypoint';
      s.at = reading.to;
      return true;
    }
    if (heading && amount >= 1) {
      s.mark(i, reading.to, 'heading');
      s.addItem('heading', { value: whole === '000' ? '360' : whole, sure: 0.5, alternatives: [whole, `FL${amount}`] }, i, reading.to, { bare: true });
    } else {
      s.mark(i, reading.to, 'altitude');
      s.addItem('altitude', { value: `FL${amount}`, sure: 0.5, alternatives }, i, reading.to, { bare: true });
    }
    s.at = reading.to;
    return true;
  }
  if (reading.fraction === undefined && whole.length === 4 && /^[0-7]{4}$/u.test(whole) && !reading.scaled && (s.hint === undefined || s.hint === 'runway' || s.hint === 'waypoint') && !whole.endsWith('00')) {
    s.mark(i, reading.to, 'condition');
    s.addItem('squawk', { value: whole, sure: 0.5, alternatives: [whole] }, i, reading.to, { bare: true });
    s.at = reading.to;
    return true;
  }
  if (reading.fraction === undefined && !reading.scaled && whole.length === 2 && Number(whole) >= 1 && Number(whole) <= 36) {
    const runway = runwayAt(s, i);
    if (runway !== undefined) {
      const amount = String(Number(whole));
      s.mark(i, runway.to, 'runway');
      s.addItem('runway', { ...runway.value, sure: 0.5, alternatives: [...(runway.extra.alternatives ?? []), whole, amount].filter((v, k, all) => all.indexOf(v) === k) }, i, runway.to, { bare: true });
      s.at = runway.to;
      return true;
    }
  }
  if (reading.fraction === undefined && /^\d{4,5}$/u.test(whole) && whole.endsWith('00')) {
    const value = values.altitude(whole, undefined, reading.scaled);
    if (value !== undefined) {
      s.mark(i, reading.to, 'altitude');
      s.addItem('altitude', { ...value, sure: 0.5 }, i, reading.to, { bare: true, alternatives: [whole] });
      s.at = reading.to;
      return true;
    }
  }
  if (whole.length === 2 && reading.fraction === undefined) {
    const value = values.flightLevel(whole);
    if (value !== undefined) {
      s.mark(i, reading.to, 'altitude');
      s.addItem('altitude', { ...value, sure: 0.4, alternatives: [whole] }, i, reading.to, { bare: true });
      s.at = reading.to;
      return true;
    }
  }
  s.mark(i, reading.to, 'O');
  s.at = reading.to;
  return true;
}

const UNITS: ReadonlySet<string> = new Set(['feet', 'knots', 'degrees', 'miles', 'metres', 'dme', 'minutes', 'hectopascals', 'inches']);
const VALUE_LABELS: ReadonlyMap<Item['slot'], 'altitude' | 'heading' | 'speed' | 'runway' | 'frequency'> = new Map([['altitude', 'altitude'], ['heading', 'heading'], ['speed', 'speed'], ['runway', 'runway'], ['frequency', 'frequency']] as const);

/** The number behind "correction", read as what it corrects. */
function correctedValue(s: Scanner, model: Item, reading: NumberReading, i: number): { value: values.Value; to: number } | undefined {
  if (model.slot === 'runway') return runwayAt(s, i);
  if (reading.scaled && model.slot !== 'altitude' && model.slot !== 'squawk') return undefined;
  const value = reading.scaled && model.slot === 'altitude' && Number(reading.whole) >= 500 ? values.altitude(reading.whole, undefined, true) : valueOf(model.slot, model.value, reading.whole, reading.fraction);
  return value === undefined ? undefined : { value, to: reading.to };
}
