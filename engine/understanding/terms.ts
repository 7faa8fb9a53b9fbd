/** Small word lists of the parser. */
import type { Action } from '../domain/taxonomy.js';
import type { ValueSlot, Verb } from '../domain/understanding.js';
import type { values } from '../phraseology/index.js';

type Side = values.Side;

/** The action that a value belongs to by itself. */
export const ACTION_OF_SLOT: Partial<Record<ValueSlot, Action>> = { altitude: 'altitude_control', heading: 'heading_control', speed: 'speed_control', frequency: 'contact', controller: 'contact', vertical_rate: 'altitude_control' };

export const RUNWAY_VERBS: ReadonlySet<Verb> = new Set([
  'cleared_to_land', 'cleared_takeoff', 'cleared_touch_and_go', 'cleared_low_approach', 'line_up', 'hold_short', 'cross_runway', 'vacate', 'backtrack', 'cleared_approach', 'continue_approach', 'join_pattern', 'go_around', 'intercept',
]);

export const APPROACH_TYPES: ReadonlyMap<string, string> = new Map([
  ['ils', 'ILS'], ['rnav', 'RNAV'], ['rnp', 'RNP'], ['vor', 'VOR'], ['ndb', 'NDB'], ['visual', 'VISUAL'], ['localizer', 'LOC'], ['gls', 'GLS'], ['gps', 'GPS'], ['par', 'PAR'], ['arp', 'RNP'], ['vfr', 'VFR'], ['contact', 'CONTACT'], ['straight', 'STRAIGHTIN'],
]);

export const SIDES: ReadonlyMap<string, Side> = new Map([['left', 'L'], ['right', 'R'], ['center', 'C'], ['lima', 'L'], ['romeo', 'R'], ['charlie', 'C'], ['l', 'L'], ['r', 'R'], ['c', 'C']]);

export const RELATIONS: ReadonlySet<string> = new Set(['to', 'via', 'at', 'of', 'on', 'for', 'from', 'behind', 'onto', 'into', 'with', 'towards', 'by', 'over', 'along', 'inbound', 'between', 'through', 'in']);
export const POLARITY: ReadonlySet<string> = new Set(['no', 'not', "don't", 'never', 'unable', 'cannot', "can't"]);
export const ATTRIBUTES: ReadonlySet<string> = new Set(['expedite', 'expediting', 'immediately', 'immediate', 'straight', 'rapid', 'short', 'high', 'ils', 'visual', 'rnav', 'rnp', 'vor', 'ndb', 'localizer', 'approach', 'glide', 'glidepath', 'final', 'finals', 'downwind', 'base', 'circuit', 'departure', 'arrival', 'transition', 'heavy']);

export const UNIT_WORDS: ReadonlySet<string> = new Set(['feet', 'knots', 'degrees', 'miles', 'metres', 'minutes', 'seconds', 'hectopascals', 'dme', 'inches', "o'clock", 'fpm', 'hours', 'percent', 'kilometres']);
