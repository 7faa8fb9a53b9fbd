/**
 * Canonical values (see Item in engine/domain): from digits to the one form that equal values share.
 */

/** A value with its unit and how sure the reading of the digits is. */
export interface Value {
  readonly value: string;
  readonly unit?: string;
  /** 0…1. */
  readonly sure: number;
  readonly alternatives?: readonly string[];
  readonly clipped?: 'head' | 'tail';
}

const stripZeros = (digits: string): string => digits.replace(/^0+(?=\d)/u, '');

/** Flight level from its digits: "100" → FL100, "80" → FL80, "080" → FL80. */
export function flightLevel(digits: string): Value | undefined {
  if (!/^\d{1,3}$/u.test(digits)) return undefined;
  const level = Number(digits);
  if (level === 0) return undefined;
  const usual = level >= 10 && level <= 660 && (level % 5 === 0 || level > 600);
  // "flight level six zero one": the third digit may belong to what follows
  const first = digits.length === 3 && level % 5 !== 0 && Number(digits.slice(0, 2)) % 10 === 0 ? { alternatives: [`FL${Number(digits.slice(0, 2))}`] } : {};
  return { value: `FL${level}`, unit: 'FL', sure: level < 10 ? 0.4 : usual ? 1 : 0.75, ...first };
}

/** Altitude in feet or metres from its digits. */
export function altitude(digits: string, unit: 'ft' | 'm' | undefined, scaled: boolean): Value | undefined {
  if (!/^\d{1,6}$/u.test(digits)) return undefined;
  const feet = Number(digits);
  if (unit === 'm') return { value: `${feet}M`, unit: 'm', sure: feet <= 20_000 ? 1 : 0.5 };
  const usual = feet >= 100 && feet <= 66_000 && (feet % 100 === 0 || unit === 'ft');
  return { value: String(feet), ...(unit === 'ft' || scaled ? { unit: 'ft' } : {}), sure: usual ? 1 : 0.5 };
}

/** Magnetic heading "005" … "360". Two digits are read as tens of degrees only with low sureness: "nine zero" is 090. */
export function heading(digits: string): Value | undefined {
  if (!/^\d{1,3}$/u.test(digits)) return undefined;
  const degrees = Number(digits);
  if (degrees > 360) return undefined;
  const padded = degrees === 0 ? '360' : String(degrees).padStart(3, '0');
  if (digits.length === 3) return { value: padded, unit: 'deg', sure: 1 };
  // clipped head: "nine zero degrees" may be 090, 190 or 290
  const others = digits.length === 2 ? ['1', '2', '3'].map((lead) => lead + digits).filter((text) => Number(text) <= 360) : [];
  return { value: padded, unit: 'deg', sure: digits.length === 2 ? 0.7 : 0.4, clipped: 'head', alternatives: others };
}

/** Speed in knots, or a Mach number from its digits behind the point. */
export function speed(digits: string): Value | undefined {
  if (!/^\d{2,3}$/u.test(digits)) return undefined;
  const knots = Number(digits);
  if (knots < 30) return undefined;
  const usual = knots % 5 === 0 && knots >= 60 && knots <= 360;
  return { value: String(knots), unit: 'kt', sure: usual ? 1 : 0.7 };
}

export function mach(whole: string, fraction: string | undefined): Value | undefined {
  const digits = fraction ?? whole;
  if (!/^\d{1,3}$/u.test(digits)) return undefined;
  if (fraction !== undefined && whole !== '' && Number(whole) > 1) return undefined;
  const lead = fraction !== undefined && whole !== '' ? String(Number(whole)) : '0';
  const text = `${lead}.${digits.length === 1 ? `${digits}0` : digits}`;
  // a Mach number has two decimals; "mach" before three digits is more likely another word
  return { value: `M${text}`, unit: 'mach', sure: digits.length > 2 ? 0.3 : 1 };
}

/** 8.33 kHz channel names and 25 kHz frequencies end in one of these (ICAO Annex 10 vol. V, Table 4-1 bis). */
const CHANNEL_ENDS: ReadonlySet<string> = new Set(['00', '05', '10', '15', '25', '30', '35', '40', '50', '55', '60', '65', '75', '80', '85', '90']);

/** Fraction of a frequency as spoken to three digits: "1" → "100", "02" → "025", "07" → "075", "27" → "275". */
function fractionDigits(spoken: string): string | undefined {
  if (!/^\d{1,3}$/u.test(spoken)) return undefined;
  if (spoken.length === 3) return spoken;
  if (spoken.length === 1) return `${spoken}00`;
  // two digits: 25 kHz spacing leaves out the final five (Annex 10 vol. II §5.2.1.7.3.4.4)
  return spoken.endsWith('2') || spoken.endsWith('7') ? `${spoken}5` : `${spoken}0`;
}

const channel = (whole: string, fraction: string): Value => {
  const value = `${whole}.${fraction}`;
  const megahertz = Number(whole);
  const band = megahertz >= 118 && megahertz <= 136;
  // "one two zero decimal three eight four": no channel ends so, and the last digits may belong to what follows
  const shorter = CHANNEL_ENDS.has(fraction.slice(1)) ? [] : [fraction.slice(0, 2), fraction.slice(0, 1)].flatMap((digits) => fractionDigits(digits) ?? []).map((digits) => `${whole}.${digits}`);
  return { value, unit: 'MHz', ...(shorter.length === 0 ? {} : { alternatives: shorter }), sure: (band || (megahertz >= 225 && megahertz <= 399) ? 1 : megahertz >= 108 && megahertz <= 137 ? 0.8 : 0.4) * (CHANNEL_ENDS.has(fraction.slice(1)) ? 1 : 0.7) };
};

/**
 * Frequency in MHz with three decimals.
 *
 * With a decimal: "118" + "1" → 118.100. Without: the first three digits are the whole part ("11835" → 118.350, "134560" → 134.560).
 * A head that the talk key cut off ("20.2" of 120.2) is completed where only one completion is a radio channel, and marked as clipped.
 */
export function frequency(whole: string, fraction: string | undefined): Value | undefined {
  if (fraction !== undefined) {
    const decimals = fractionDigits(fraction.slice(0, 3));
    if (decimals === undefined) return undefined;
    if (whole.length === 3) {
      const value = channel(whole, decimals);
      return value.sure < 0.3 ? undefined : value;
    }
    return clippedFrequency(whole, decimals);
  }
  if (!/^\d+$/u.test(whole)) return undefined;
  if (whole.length >= 4 && whole.length <= 6) {
    const megahertz = Number(whole.slice(0, 3));
    if (megahertz >= 118 && megahertz <= 137) {
      const decimals = fractionDigits(whole.slice(3));
      return decimals === undefined ? undefined : channel(whole.slice(0, 3), decimals);
    }
    // "two zero two seven five": the leading one is gone
    const lead = Number(whole.slice(0, 2));
    if (whole.length >= 4 && lead >= 18 && lead <= 36) {
      const decimals = fractionDigits(whole.slice(2).slice(0, 3));
      if (decimals !== undefined && whole.length <= 5) return clippedFrequency(whole.slice(0, 2), decimals);
    }
  }
  return undefined;
}

function clippedFrequency(whole: string, decimals: string): Value | undefined {
  // "point nine": ground control mostly, but it may be any
  if (whole === '') return { value: `121.${decimals}`, unit: 'MHz', sure: 0.3, clipped: 'head', alternatives: Array.from({ length: 19 }, (_, index) => `${118 + index}.${decimals}`).filter((value) => !value.startsWith('121')) };
  const completions: string[] = [];
  for (let megahertz = 118; megahertz <= 136; megahertz++) if (String(megahertz).endsWith(whole)) completions.push(`${megahertz}.${decimals}`);
  const [first, ...others] = completions;
  if (first === undefined || whole.length !== 2) return undefined;
  return { value: first, unit: 'MHz', sure: others.length === 0 ? 0.6 : 0.3, clipped: 'head', ...(others.length === 0 ? {} : { alternatives: others }) };
}

export type Side = 'L' | 'R' | 'C';

/** Runway designator "01" … "36" with its side. */
export function runway(digits: string, side: Side | undefined): Value | undefined {
  if (!/^\d{1,2}$/u.test(digits)) return undefined;
  const number = Number(digits);
  if (number < 1 || number > 36) return undefined;
  return { value: String(number).padStart(2, '0') + (side ?? ''), sure: digits.length === 2 ? 1 : 0.95 };
}

/** Pressure: hectopascals ("1013", "998"; "13" alone is a short form of 1013) or inches ("2992", "29" + "92"). */
export function pressure(whole: string, fraction: string | undefined, inches: boolean): Value | undefined {
  if (fraction !== undefined) {
    if (/^(2[5-9]|3[01])$/u.test(whole) && /^\d{2}$/u.test(fraction)) return { value: `${whole}.${fraction}`, unit: 'inHg', sure: 1 };
    if (/^\d{3,4}$/u.test(whole)) return pressure(whole, undefined, false);
    return undefined;
  }
  if (/^(2[5-9]|3[01])\d{2}$/u.test(whole)) return { value: `${whole.slice(0, 2)}.${whole.slice(2)}`, unit: 'inHg', sure: 1 };
  if (/^(9\d{2}|10\d{2})$/u.test(whole)) return { value: whole, unit: 'hPa', sure: Number(whole) >= 940 && Number(whole) <= 1060 ? 1 : 0.6 };
  if (inches) return /^\d{3,4}$/u.test(whole) ? { value: whole, sure: 0.4 } : undefined;
  if (/^\d{2}$/u.test(whole)) {
    const value = Number(whole) >= 60 ? `9${whole}` : `10${whole}`;
    return { value, unit: 'hPa', sure: 0.6, clipped: 'head' };
  }
  // a digit is missing or wrong: keep what was said
  return /^\d{3,4}$/u.test(whole) ? { value: whole, unit: 'hPa', sure: 0.4 } : undefined;
}

/** SSR code: four octal digits. A fifth digit or an eight is kept with low sureness, never mended. */
export function squawk(digits: string): Value | undefined {
  if (/^[0-7]{4}$/u.test(digits)) return { value: digits, sure: 1 };
  return /^\d{1,5}$/u.test(digits) ? { value: digits, sure: 0.3 } : undefined;
}

/** Distance in nautical miles. */
export const distance = (whole: string, fraction: string | undefined): Value | undefined =>
  /^\d{1,3}$/u.test(whole) ? { value: stripZeros(whole) + (fraction === undefined ? '' : `.${fraction}`), unit: 'nm', sure: 1 } : undefined;

/** Time UTC: four digits hour and minute, two digits minutes past the hour. */
export function clockTime(digits: string): Value | undefined {
  if (/^([01]\d|2[0-3])[0-5]\d$/u.test(digits)) return { value: digits, sure: 1 };
  if (/^[0-5]\d$/u.test(digits)) return { value: digits, sure: 0.9 };
  return undefined;
}

/** Vertical rate in feet a minute. */
export const verticalRate = (digits: string): Value | undefined =>
  /^\d{3,4}$/u.test(digits) && Number(digits) >= 100 ? { value: String(Number(digits)), unit: 'ft/min', sure: 1 } : undefined;

/** Surface wind "270/08", with gusts "270/08G15". */
export function wind(direction: string, knots: string, gust?: string): Value | undefined {
  if (!/^\d{2,3}$/u.test(direction) || !/^\d{1,3}$/u.test(knots)) return undefined;
  const degrees = Number(direction);
  if (degrees > 360) return undefined;
  return { value: `${String(degrees).padStart(3, '0')}/${knots.padStart(2, '0')}${gust === undefined ? '' : `G${gust.padStart(2, '0')}`}`, sure: direction.length === 3 ? 1 : 0.6 };
}
