/**
 * How values are named in explanations: plain words for a trainer, from canonical values.
 */
import type { ValueSlot } from '../domain/understanding.js';

const SLOT_NAMES: Readonly<Record<string, string>> = {
  altitude: 'level',
  heading: 'heading',
  speed: 'speed',
  runway: 'runway',
  frequency: 'frequency',
  qnh: 'altimeter setting',
  squawk: 'squawk',
  waypoint: 'route to the waypoint',
  taxiway: 'taxi route',
  holding_point: 'holding point',
  stand: 'stand',
  route: 'route',
  procedure: 'procedure',
  approach: 'approach',
  transition_level: 'transition level',
  callsign: 'callsign',
  condition: 'condition',
  hold_short: 'hold-short instruction',
  cross_runway: 'runway crossing',
  line_up: 'line-up clearance',
  cleared_to_land: 'landing clearance',
  cleared_takeoff: 'take-off clearance',
  cleared_touch_and_go: 'touch-and-go clearance',
  cleared_low_approach: 'low-approach clearance',
  backtrack: 'backtrack instruction',
  hold_position: 'instruction to hold position',
  go_around: 'go-around instruction',
  cancel_takeoff: 'cancelled take-off clearance',
  cleared_approach: 'approach clearance',
  traffic: 'instruction about other traffic',
  vertical_rate: 'vertical rate',
};

/** "heading", "level", "landing clearance". */
export const slotName = (slot: string): string => SLOT_NAMES[slot] ?? slot.replaceAll('_', ' ');

/** "FL250" → "flight level 250", "4000" → "4,000 feet". */
export function sayValue(slot: ValueSlot, value: string): string {
  switch (slot) {
    case 'altitude': {
      const level = /^FL(\d+)$/.exec(value);
      if (level !== null) return `flight level ${level[1] ?? ''}`;
      const metres = /^(\d+)M$/.exec(value);
      if (metres !== null) return `${Number(metres[1]).toLocaleString('en-US')} metres`;
      return /^\d+$/.test(value) ? `${Number(value).toLocaleString('en-US')} feet` : value;
    }
    case 'transition_level':
      return `transition level ${value.replace(/^FL/, '')}`;
    case 'heading': {
      const turn = /^([LR])0*(\d+)$/.exec(value);
      if (turn !== null) return `a turn ${turn[1] === 'L' ? 'left' : 'right'} of ${turn[2] ?? ''} degrees`;
      if (value === 'PRESENT') return 'present heading';
      if (value === 'RUNWAY') return 'runway heading';
      return `heading ${value}`;
    }
    case 'speed':
      return /^M[\d.]/.test(value) ? `Mach ${value.slice(1)}` : /^[A-Z_]+$/.test(value) ? `${value.replaceAll('_', ' ').toLowerCase()} speed` : `${value} knots`;
    case 'runway':
      return `runway ${value}`;
    case 'frequency':
      return `frequency ${value}`;
    case 'qnh':
      return value.includes('.') ? `altimeter ${value}` : `QNH ${value}`;
    case 'squawk':
      return `squawk ${value}`;
    case 'holding_point':
      return `holding point ${value}`;
    case 'stand':
      return `stand ${value}`;
    case 'taxiway':
      return `taxiway ${value}`;
    case 'distance':
      return `${value} miles`;
    case 'time':
      return `time ${value}`;
    case 'waypoint':
    case 'route':
    case 'procedure':
    case 'approach':
    case 'traffic':
      return value.replace(/^NUMBER(\d+)$/, 'number $1').replaceAll('_', ' ').toLowerCase();
    case 'controller':
    case 'wind':
    case 'information':
    case 'vertical_rate':
      return value;
  }
}

/** "a, b and c". */
export function list(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}

export const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
