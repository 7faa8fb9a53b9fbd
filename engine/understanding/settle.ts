/**
 * What can only be settled when all words are read: which runway belongs to which clearance, what a correction takes back.
 */
import { values } from '../phraseology/index.js';
import type { ChunkLabel } from '../domain/taxonomy.js';
import type { Command, Item, Span } from '../domain/understanding.js';
import { type Scanner, clamp, type Draft } from './scanner.js';
import { RUNWAY_VERBS } from './terms.js';

/** Runway verbs whose runway follows them ("cross runway …"); with the others it may stand before. */
const OBJECT_FIRST: ReadonlySet<string> = new Set(['cross_runway', 'hold_short', 'backtrack']);
/** Runway verbs that often stand without a runway. */
const OFTEN_ALONE: ReadonlySet<string> = new Set(['vacate', 'go_around', 'join_pattern', 'intercept']);

/** Gives each runway to the clearance that it stands with: right before it or behind it. */
export function attachRunways(s: Scanner): void {
  const owner = new Map<number, Draft<Command>>();
  const inCondition = new Set(s.conditions.flatMap((condition) => condition.items));
  const runwayItems = s.items.map((item, index) => ({ item, index })).filter(({ item, index }) => item.slot === 'runway' && !inCondition.has(index) && item.modality !== 'expect');
  const commands = s.commands.filter((command) => RUNWAY_VERBS.has(command.verb)).sort((a, b) => a.span[0] - b.span[0]);
  const own = (command: Draft<Command>, entry: (typeof runwayItems)[number]): void => {
    owner.set(entry.index, command);
    command.items.push(entry.index);
  };
  commands.forEach((command, position) => {
    const next = s.commands.filter((other) => other !== command && other.span[0] >= command.span[1]).sort((a, b) => a.span[0] - b.span[0])[0];
    const previous = commands[position - 1];
    const behind = runwayItems.find(({ item, index }) => !owner.has(index) && item.span[0] >= command.span[1] - 1 && (next === undefined || item.span[0] < next.span[0]));
    const before = runwayItems.findLast(({ item, index }) => !owner.has(index) && item.span[1] <= command.span[0] + 1 && (previous === undefined || item.span[0] >= previous.span[1] - 1));
    const gapBehind = behind === undefined ? 99 : behind.item.span[0] - command.span[1];
    const gapBefore = before === undefined ? 99 : command.span[0] - before.item.span[1];
    const reach = OFTEN_ALONE.has(command.verb) ? 4 : 9;
    const takesBefore = before !== undefined && !OFTEN_ALONE.has(command.verb) && (OBJECT_FIRST.has(command.verb) ? gapBehind > reach : gapBefore <= 1 || gapBehind > reach);
    if (takesBefore) {
      own(command, before);
      return;
    }
    if (behind === undefined || gapBehind > reach) return;
    own(command, behind);
    // "cross runway one seven left and one seven right": several of them
    let last = behind;
    if (!OBJECT_FIRST.has(command.verb)) return;
    for (const more of runwayItems) {
      const gap = more.item.span[0] - last.item.span[1];
      if (owner.has(more.index) || gap < 1 || gap > 2 || (next !== undefined && more.item.span[0] >= next.span[0])) continue;
      own(command, more);
      last = more;
    }
  });
  for (const { item, index } of runwayItems) {
    const command = owner.get(index);
    if (command === undefined) continue;
    item.verb = command.verb;
    item.action = command.action;
    if (item.modality === 'command' || item.modality === 'information') item.modality = command.modality;
    delete item.bare;
  }
  // the runway that is taxied to
  for (const command of s.commands) {
    if (command.verb !== 'taxi') continue;
    const next = s.commands.find((other) => other !== command && other.span[0] >= command.span[1]);
    for (const { item, index } of runwayItems) {
      if (owner.has(index) || item.verb !== undefined || item.span[0] < command.span[1] || (next !== undefined && item.span[0] >= next.span[0])) continue;
      item.verb = 'taxi';
      item.action = 'taxiway_instruction';
      if (item.modality === 'command') item.modality = command.modality;
      command.items.push(index);
    }
  }
  // what a taxi clearance is made of
  for (const command of s.commands) {
    if (command.verb !== 'taxi' && command.verb !== 'vacate' && command.verb !== 'line_up') continue;
    s.items.forEach((item, index) => {
      if ((item.slot === 'taxiway' || item.slot === 'holding_point' || item.slot === 'stand') && item.span[0] >= command.span[1] - 1 && item.verb === command.verb && !command.items.includes(index)) command.items.push(index);
    });
  }
}

export function retract(s: Scanner): void {
  for (const correction of [...s.corrections].reverse()) {
    const word = s.t[correction.token]?.from ?? 0;
    const after = s.items.slice(correction.items).filter((item) => item.span[0] >= word);
    const [first] = after;
    let target: number | undefined;
    for (let index = correction.items - 1; index >= 0; index--) {
      const item = s.items[index];
      if (item === undefined) continue;
      if (first === undefined ? item.span[1] >= word - 1 : item.slot === first.slot || item.bare === true || first.bare === true) {
        target = index;
        break;
      }
      if (word - item.span[1] > 6) break;
    }
    if (target === undefined) continue;
    const item = s.items[target];
    if (item === undefined) continue;
    if (first?.bare === true && first.slot !== item.slot) recast(s, first, item);
    if (first !== undefined && first.verb === undefined && item.verb !== undefined && first.slot === item.slot) first.verb = item.verb;
    const span: Span = [item.span[0], word + 1];
    s.retracted.push(span);
    dropItem(s, target);
    for (let index = 0; index < s.t.length; index++) {
      const token = s.t[index];
      if (token !== undefined && token.from >= span[0] && token.to <= span[1]) s.labels[index] = 'O';
    }
  }
}

/** A number read as a value of a slot, or undefined when it cannot be one. `like`: a value of that kind, for its unit. */
export function valueOf(slot: Item['slot'], like: string, whole: string, fraction: string | undefined): values.Value | undefined {
  switch (slot) {
    case 'altitude':
      return like.startsWith('FL') ? values.flightLevel(whole) : values.altitude(whole, undefined, false);
    case 'heading':
      return values.heading(whole);
    case 'speed':
      return like.startsWith('M') ? values.mach(whole, fraction) : values.speed(whole);
    case 'runway':
      return values.runway(whole, undefined);
    case 'squawk':
      return values.squawk(whole);
    case 'qnh':
      return values.pressure(whole, fraction, false);
    case 'frequency':
      return values.frequency(whole, fraction);
    default:
      return undefined;
  }
}

/** A bare number that corrects a value is a value of the same kind. */
function recast(s: Scanner, bare: Draft<Item>, model: Draft<Item>): void {
  const digits = bare.alternatives?.find((text) => /^\d+$/u.test(text)) ?? bare.value.replace(/\D/gu, '');
  const value = valueOf(model.slot, model.value, digits, undefined);
  if (value === undefined) return;
  bare.slot = model.slot;
  bare.value = value.value;
  if (value.unit !== undefined && model.slot !== 'heading') bare.unit = value.unit;
  delete bare.bare;
  delete bare.alternatives;
  if (model.verb !== undefined) bare.verb = model.verb;
  if (model.action !== undefined) bare.action = model.action;
  bare.confidence = clamp(bare.confidence / 0.5);
  const label: ChunkLabel = model.slot === 'altitude' || model.slot === 'heading' || model.slot === 'speed' || model.slot === 'runway' || model.slot === 'frequency' ? model.slot : 'condition';
  s.t.forEach((token, index) => {
    if (token.from >= bare.span[0] && token.to <= bare.span[1]) s.labels[index] = label;
  });
}

export function dropItem(s: Scanner, target: number): void {
  s.items.splice(target, 1);
  const shift = (list: number[]): number[] => list.filter((index) => index !== target).map((index) => (index > target ? index - 1 : index));
  for (const command of s.commands) command.items = shift(command.items);
  for (const condition of s.conditions) condition.items = shift(condition.items);
  for (const correction of s.corrections) if (correction.items > target) correction.items--;
}
