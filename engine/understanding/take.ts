/**
 * Takes a value: labels its words and keeps the item.
 */
import type { values } from '../phraseology/index.js';
import type { Action } from '../domain/taxonomy.js';
import type { Item } from '../domain/understanding.js';
import type { Scanner, Draft } from './scanner.js';

/** "request flight level three six zero": where no verb stands, the request is the action (000, C.2: "assigning, requesting …"). */
function requested(s: Scanner, from: number, action: Action): void {
  const at = s.pendingRequest;
  if (at === undefined || s.verb !== undefined || from - at > 2 || s.labels[at] !== 'O') return;
  s.mark(at, at + 1, action);
  s.pendingRequest = undefined;
}

export function takeAltitude(s: Scanner, value: values.Value, from: number, to: number, extra: Partial<Draft<Item>> = {}): true {
  requested(s, from, 'altitude_control');
  s.mark(from, to, 'altitude');
  const sea = s.is(to, 'above', 'sea') ? to + 3 : to;
  s.addItem('altitude', value, from, to, extra);
  s.at = sea;
  return true;
}

export function takeHeading(s: Scanner, value: values.Value, from: number, to: number, extra: Partial<Draft<Item>> = {}): true {
  requested(s, from, 'heading_control');
  s.mark(from, to, 'heading');
  s.addItem('heading', value, from, to, extra);
  s.at = to;
  return true;
}

export function takeSpeed(s: Scanner, value: values.Value, from: number, to: number, bound?: string): true {
  requested(s, from, 'speed_control');
  s.mark(from, to, 'speed');
  s.addItem('speed', value, from, to, bound === undefined ? {} : { bound });
  s.at = to;
  return true;
}

export function takeFrequency(s: Scanner, value: values.Value, from: number, to: number): true {
  s.mark(from, to, 'frequency');
  s.addItem('frequency', value, from, to, { action: 'contact', verb: s.verb === 'monitor' || s.verb === 'standby_for' ? s.verb : 'contact' });
  if (s.openVerb?.verb === 'contact') s.openVerb.used = true;
  s.at = to;
  return true;
}

export function takeRunway(s: Scanner, runway: { value: values.Value; to: number; extra: Partial<Draft<Item>> }, from: number): true {
  s.mark(from, runway.to, 'runway');
  s.addItem('runway', runway.value, from, runway.to, runway.extra);
  s.at = runway.to;
  return true;
}

/** Modality of a level that is said where the aircraft is. */
export function reportedLevel(s: Scanner): Partial<Draft<Item>> {
  return s.verb === undefined && s.likelyPilot && (s.signs.report || s.signs.information) ? { modality: 'report' } : {};
}
