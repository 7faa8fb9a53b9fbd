/**
 * What can only be settled when all words are read: which runway belongs to which clearance, what a correction takes back.
 */
import { values } from '../phraseology/index.js';
import type { ChunkLabel } from '../domain/taxonomy.js';
import type { Command, Item, Span } from '../domain/understanding.js';
import { type Scanner, clamp, type Draft } from './scanner.js';
import { RUNWAY_VERBS } from './terms.js';

/** Gives each runway to the clearance that it stands with: the next one after it or the one before it. */
export function attachRunways(s: Scanner): void {
  const owner = new Map<number, Draft<Command>>();
  const inCondition = new Set(s.conditions.flatMap((condition) => condition.items));
  const runwayItems = s.items.map((item, index) => ({ item, index })).filter(({ item, index }) => item.slot === 'runway' && !inCondition.has(index) && item.modality !== 'expect');
  const commands = s.commands.filter((command) => RUNWAY_VERBS.has(command.verb));
  for (const command of commands) {
    // behind the command and before the next one
    const next = s.commands.find((other) => other.span[0] >= command.span[1] && other !== command);
    const behind = runwayItems.find(({ item, index }) => !owner.has(index) && item.span[0] >= command.span[1] - 1 && (next === undefined || item.span[0] < next.span[0]));
    const gapWords = behind === undefined ? 99 : behind.item.span[0] - command.span[1];
    const wantsNone = command.verb === 'vacate' || command.verb === 'go_around' || command.verb === 'join_pattern' || command.verb === 'intercept';
    if (behind !== undefined && gapWords <= (wantsNone ? 4 : 9)) {
      owner.set(behind.index, command);
      command.items.push(behind.index);
      // "cross runway one seven left and one seven right": several of them
      let last = behind;
      if (command.verb === 'cross_runway' || command.verb === 'hold_short') {
        for (const more of runwayItems) {
          if (owner.has(more.index) || more.item.span[0] < last.item.span[1] || more.item.span[0] - last.item.span[1] > 2 || (next !== undefined && more.item.span[0] >= next.span[0])) continue;
          owner.set(more.index, command);
          command.items.push(more.index);
          last = more;
        }
      }
    }
  }
  for (const command of commands) {
    if (command.items.some((index) => s.items[index]?.slot === 'runway')) continue;
    if (command.verb === 'vacate' || command.verb === 'go_around' || command.verb === 'intercept') continue;
    const before = [...runwayItems].reverse().find(({ item, index }) => !owner.has(index) && item.span[1] <= command.span[0] + 1 && !s.commands.some((other) => other !== command && other.span[0] >= item.span[1] && other.span[1] <= command.span[0] && RUNWAY_VERBS.has(other.verb)));
    if (before !== undefined) {
      owner.set(before.index, command);
      command.items.push(before.index);
    }
  }
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
