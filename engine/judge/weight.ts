/**
 * Which of several errors names the finding: the field of highest consequence first. The order follows the slot weights
 * of the paper (Table 1) and, between equal weights, the controllers' severity ratings (H.4: level before heading before
 * callsign); what ICAO adds stands behind the paper's slot of the same level.
 */
const ORDER = [
  'altitude',
  'runway',
  'callsign',
  'heading',
  'qnh',
  'hold_position',
  'condition',
  'speed',
  'frequency',
  'waypoint',
  'clearance',
  'procedure',
  'route',
  'approach',
  'squawk',
  'transition_level',
  'taxiway',
  'holding_point',
  'stand',
  'vertical_rate',
  'traffic',
] as const;

/** Lower comes first. */
export function consequenceRank(slot: string): number {
  const at = (ORDER as readonly string[]).indexOf(slot);
  return at < 0 ? ORDER.length : at;
}
