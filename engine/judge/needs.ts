/**
 * What an instruction asks to hear again: the values and clearances that a readback is compared with, under a profile.
 *
 * `paper`: altitude, heading, runway, speed, frequency (arXiv 2608.24621, Table 2, K.8). `icao`: also what PANS-ATM
 * (Doc 4444) §4.5.7.5.1 wants read back.
 */
import type { Profile } from '../domain/taxonomy.js';
import type { Condition, Item, Understanding, ValueSlot, Verb } from '../domain/understanding.js';

export type Level = 'CRITICAL' | 'HIGH';

/** A value of the instruction that the readback is compared with. */
export interface Need {
  readonly slot: ValueSlot;
  readonly item: Item;
  readonly level: Level;
  /** Leaving it out is an error; if not, only contradicting it is. */
  readonly required: boolean;
  /** Said as something to expect, or inside "report …": a contradiction is then a doubt rather than a wrong value. */
  readonly soft: boolean;
}

/** Clearances and instructions for a runway that §4.5.7.5.1 b) wants read back. */
export const RUNWAY_VERBS: ReadonlySet<Verb> = new Set<Verb>([
  'cleared_to_land',
  'cleared_takeoff',
  'cleared_touch_and_go',
  'cleared_low_approach',
  'line_up',
  'hold_short',
  'cross_runway',
  'backtrack',
]);

/** ROGER and WILCO are not enough for these either (PANS-ATM §12.3.4). */
export const HOLD_VERBS: ReadonlySet<Verb> = new Set<Verb>(['hold_position', 'cancel_takeoff']);

const PAPER_LEVELS: Partial<Record<ValueSlot, Level>> = { altitude: 'CRITICAL', heading: 'CRITICAL', runway: 'CRITICAL', speed: 'HIGH', frequency: 'HIGH' };

const ICAO_LEVELS: Partial<Record<ValueSlot, Level>> = {
  ...PAPER_LEVELS,
  qnh: 'CRITICAL',
  squawk: 'HIGH',
  transition_level: 'HIGH',
  waypoint: 'HIGH',
  procedure: 'HIGH',
  route: 'HIGH',
  taxiway: 'HIGH',
  holding_point: 'HIGH',
  stand: 'HIGH',
  approach: 'HIGH',
  vertical_rate: 'HIGH',
  distance: 'HIGH',
  traffic: 'HIGH',
};

/** Slots whose wrong value counts but whose absence does not: naming the runway names the approach. */
const NEVER_REQUIRED: ReadonlySet<ValueSlot> = new Set<ValueSlot>(['approach']);

/** Waypoints are read back when they are a route clearance, not when they say where something is. */
const ROUTE_VERBS: ReadonlySet<Verb> = new Set<Verb>(['direct', 'cleared_route', 'hold', 'cross_waypoint', 'resume_navigation', 'intercept']);

/**
 * "Or less", "or greater" on a value that is itself commanded: compared with the value, not as a condition apart. The level of a
 * crossing restriction belongs to the restriction.
 */
export function isLimit(understanding: Understanding, condition: Condition): boolean {
  const index = condition.items[0];
  const item = index === undefined ? undefined : understanding.items[index];
  if (!condition.key.startsWith('bound:') || condition.items.length !== 1 || item === undefined) return false;
  if (item.slot === 'speed' || item.bare === true) return true;
  return item.verb !== undefined && item.verb !== 'cross_waypoint' && !understanding.items.some((other, i) => i !== index && other.slot === item.slot && other.modality === 'command');
}

/** Items that stand inside a condition: compared there, not as values of their own. */
export function ownedByConditions(understanding: Understanding): ReadonlySet<number> {
  return new Set(understanding.conditions.filter((condition) => !isLimit(understanding, condition)).flatMap((condition) => condition.items));
}

/** Whether an item stands inside words that the speaker took back. */
export function isRetracted(understanding: Understanding, item: Item): boolean {
  return understanding.retracted.some(([from, to]) => item.span[0] >= from && item.span[1] <= to);
}

/** The values of an instruction that are compared under a profile, in order of mention. */
export function collectNeeds(instruction: Understanding, profile: Profile): readonly Need[] {
  const owned = ownedByConditions(instruction);
  const levels = profile === 'paper' ? PAPER_LEVELS : ICAO_LEVELS;
  const needs: Need[] = [];
  const seen = new Set<string>();
  const usesRunway = instruction.commands.some((c) => c.modality === 'command' && (RUNWAY_VERBS.has(c.verb) || c.verb === 'cleared_approach' || c.verb === 'taxi' || c.verb === 'vacate'));
  instruction.items.forEach((item, index) => {
    const level = levels[item.slot];
    if (level === undefined || owned.has(index) || isRetracted(instruction, item)) return;
    const found = needOf(item, level);
    if (found === null) return;
    // a number of which only a guess says what it is, or a runway that nothing is done with, is no instruction to repeat
    const idle = item.verb === undefined && (item.bare === true || (profile === 'icao' && item.slot === 'runway' && !usesRunway));
    const need = idle ? { ...found, required: false, soft: true } : found;
    // said twice is needed once ("runway two four … cleared to land runway two four")
    const key = `${item.slot} ${item.value} ${item.slot === 'runway' ? (item.verb ?? '') : ''} ${need.required}`;
    if (seen.has(key)) return;
    seen.add(key);
    needs.push(need);
  });
  return needs.filter((need) => need.required || !needs.some((other) => other !== need && other.required && other.slot === need.slot && other.item.value === need.item.value));
}

/** A value in figures, or a reporting point of letters and a figure, as opposed to a name that may be spelled in several ways. */
const isFigure = (item: Item): boolean => item.slot !== 'waypoint' || /^[A-Z]\d$/.test(item.value);

/** Values that a controller asks to confirm. */
const ASKED: ReadonlySet<ValueSlot> = new Set<ValueSlot>(['altitude', 'heading', 'speed', 'squawk', 'qnh', 'frequency', 'runway']);

function needOf(item: Item, level: Level): Need | null {
  const { slot, modality, verb } = item;
  switch (modality) {
    case 'question':
      // "confirm squawking five two one four": another answer leaves it open what is set
      return ASKED.has(slot) ? { slot, item, level, required: false, soft: true } : null;
    case 'negated':
    case 'report':
    case 'request':
      return null;
    case 'expect':
      return { slot, item, level, required: false, soft: true };
    case 'information':
      // what is to be reported and the place in the sequence: an acknowledgement will do, another figure will not
      if (verb === 'report' && isFigure(item)) return { slot, item, level, required: false, soft: true };
      if (slot === 'traffic' && verb === 'number') return { slot, item, level, required: false, soft: true };
      // an altimeter setting or the runway in use are read back however they are said (§4.5.7.5.1 c)
      if (slot === 'qnh' || slot === 'transition_level') return { slot, item, level, required: true, soft: false };
      return slot === 'runway' ? { slot, item, level, required: false, soft: true } : null;
    case 'command':
      break;
  }
  if (slot === 'distance' || slot === 'traffic') return null;
  // "taxi to the ramp via …": no stand is named, and the way there is what has to come back
  if (slot === 'stand' && /^(?:RAMP|APRON|PARKING|GATE|STAND)$/.test(item.value)) return { slot, item, level, required: false, soft: true };
  // which runway is gone around from needs no repetition
  if (verb === 'go_around') return slot === 'runway' ? { slot, item, level, required: false, soft: false } : { slot, item, level, required: true, soft: false };
  // "report final runway two five", "continue approach", "number two": ROGER will do (§4.5.7.5.1.1)
  if (verb === 'report' || verb === 'expect' || verb === 'number') return { slot, item, level, required: false, soft: true };
  if (slot === 'waypoint' && !(verb !== undefined && ROUTE_VERBS.has(verb))) return { slot, item, level, required: false, soft: true };
  return { slot, item, level, required: !NEVER_REQUIRED.has(slot), soft: false };
}

/** Two verbs that cannot mean the same instruction though the value is the same. */
export function verbsConflict(slot: ValueSlot, given: Verb | undefined, said: Verb | undefined): boolean {
  if (given === undefined || said === undefined || given === said) return false;
  const pair = (a: Verb, b: Verb): boolean => (given === a && said === b) || (given === b && said === a);
  switch (slot) {
    case 'heading':
      return pair('turn_left', 'turn_right');
    case 'altitude':
      return pair('climb', 'descend') || pair('stop_climb', 'stop_descent');
    case 'runway':
      return runwayVerbsConflict(given, said);
    case 'speed':
    case 'frequency':
    case 'qnh':
    case 'squawk':
    case 'waypoint':
    case 'taxiway':
    case 'holding_point':
    case 'stand':
    case 'route':
    case 'procedure':
    case 'approach':
    case 'transition_level':
    case 'controller':
    case 'traffic':
    case 'distance':
    case 'time':
    case 'wind':
    case 'information':
    case 'vertical_rate':
      return false;
  }
}

/** Runway verbs that are different permissions: holding short is not crossing, lining up is not taking off. */
export function runwayVerbsConflict(given: Verb, said: Verb): boolean {
  const kind = (verb: Verb): string | null => {
    switch (verb) {
      case 'hold_short':
      case 'hold_position':
        return 'hold';
      case 'cross_runway':
        return 'cross';
      case 'line_up':
      case 'backtrack':
        return 'enter';
      case 'cleared_takeoff':
        return 'takeoff';
      case 'cleared_to_land':
      case 'cleared_touch_and_go':
      case 'cleared_low_approach':
        return 'land';
      case 'continue_approach':
        return 'approach';
      case 'go_around':
        return 'go-around';
      default:
        return null;
    }
  };
  const a = kind(given);
  const b = kind(said);
  // "continue approach" answered with "cleared to land" invents a clearance; the other way round it only falls short
  if (a === null || b === null || a === b) return false;
  return !(a === 'land' && b === 'approach');
}
