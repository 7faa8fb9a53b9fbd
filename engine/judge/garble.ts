/**
 * Signs that words were lost or misheard: values of which only the carrier is left, numbers that nothing explains, words that
 * belong to no talk on the radio. Looks at words only, never at how sure they are (J29).
 */
import { PLACES, isKnownWord, telephonyAt } from '../phraseology/index.js';
import type { Span, Understanding, ValueSlot, Verb } from '../domain/understanding.js';
import { isNumberWord, numberRuns, plainWord, positionsOf } from './surface.js';

/** A value of a transmission that was said and cannot be read. */
export interface Unread {
  readonly slot: ValueSlot | 'condition';
  readonly span: Span;
  /** "runway" for a runway without its number, "seven five" for a number that nothing explains. */
  readonly text: string;
}

/** Words that announce a value, and what it is about. */
const CARRIER_SLOT: ReadonlyMap<string, ValueSlot> = new Map([
  ['runway', 'runway'], ['heading', 'heading'], ['squawk', 'squawk'], ['qnh', 'qnh'], ['altimeter', 'qnh'], ['decimal', 'frequency'], ['point', 'frequency'], ['knots', 'speed'], ['feet', 'altitude'],
]);

/** Verbs that say what a number behind them is about, and that seldom stand without one. */
const VALUE_VERBS: ReadonlyMap<Verb, ValueSlot> = new Map<Verb, ValueSlot>([['climb', 'altitude'], ['descend', 'altitude'], ['maintain', 'altitude'], ['reduce_speed', 'speed'], ['increase_speed', 'speed'], ['maintain_speed', 'speed'], ['fly_heading', 'heading'], ['direct', 'waypoint']]);

/** Positions that a reading explains. */
export function explained(understanding: Understanding): ReadonlySet<number> {
  const { items, conditions, callsign_candidates: callsigns, commands, retracted } = understanding;
  const spans: Span[] = [...[...items, ...conditions, ...callsigns, ...commands.filter((command) => command.verb !== 'report' || command.items.length > 0)].map(({ span }) => span), ...retracted];
  let position = 0;
  for (const chunk of understanding.tokens) {
    const count = chunk.text.split(/\s+/).length;
    if (chunk.label === 'condition' || chunk.label === 'traffic' || chunk.label === 'callsign' || chunk.label === 'waypoint' || chunk.label === 'taxiway' || chunk.label === 'controller' || chunk.label === 'sequence_control') spans.push([position, position + count]);
    position += count;
  }
  return positionsOf(spans);
}

/** What of an instruction was said and could not be read: a readback of it proves nothing. */
export function unreadValues(understanding: Understanding): readonly Unread[] {
  const words = understanding.words.map((w) => plainWord(w.text));
  const covered = explained(understanding);
  const found: Unread[] = [];
  words.forEach((word, i) => {
    const slot = CARRIER_SLOT.get(word);
    if (slot === undefined || covered.has(i)) return;
    const before = words[i - 1] ?? '';
    const after = words[i + 1] ?? '';
    // "the runway", "runway in use", "on this heading", "at this point" name no value
    if (word === 'runway' && (/^(the|that|this|your|active|own|any|a|which|what|crossing|parallel|same|opposite|intersecting|other|departure|arrival)$/.test(before) || (before === 'of' && /^(clear|out|end|side|left|right|north|south|east|west)$/.test(words[i - 2] ?? '')) || /^(in|is|vacated|vacate|heading|change|access|exit|entry|lights?|inspection|ahead|end|again)$/.test(after))) return;
    if (word === 'heading' && (/^(the|this|that|your|present|own|runway|on|current|what|which|say|radar|track)$/.test(before) || /^(and|is|on|then)$/.test(after))) return;
    if ((word === 'decimal' || word === 'point') && !isNumberWord(before) && !isNumberWord(after)) return;
    if ((word === 'knots' || word === 'feet') && !isNumberWord(before)) return;
    if ((word === 'squawk' || word === 'qnh' || word === 'altimeter') && /^(ident|standby|mode|the|your|code|vfr|setting)$/.test(after)) return;
    found.push({ slot, span: [i, i + 1], text: word });
  });
  words.forEach((word, i) => {
    // a gate that leads nowhere: "climb … before", "when descend …"
    if (!/^(after|before|until|behind|when|once)$/.test(word) || covered.has(i) || (word === 'once' && words[i - 1] === 'at') || understanding.intent === 'confirm') return;
    const after = words[i + 1];
    if (word === 'behind' ? after !== undefined && i > 0 && /^(you|it|him|them|that|line|and)$/.test(after) : after !== undefined && /^(that|you|did|do|can|will|again|this|and)$/.test(after)) return;
    if (word === 'behind' && (understanding.conditions.some((c) => c.kind === 'traffic') || understanding.items.some((item) => item.slot === 'traffic' && item.span[0] === i + 1))) return;
    found.push({ slot: 'condition', span: [i, i + 1], text: word });
  });
  for (const command of understanding.commands) {
    // "cleared to …" without what for
    if (command.verb !== 'cleared_route' || command.modality !== 'command' || understanding.items.some((i) => i.verb === 'cleared_route' || i.slot === 'waypoint' || i.slot === 'procedure' || i.slot === 'route')) continue;
    if (words[command.span[0]] !== 'cleared' && words[command.span[0]] !== 'clear') continue;
    if (/^(as|flight|the|via|filed|on|destination|own|zone|into|out|in)$/.test(words[command.span[1]] ?? '')) continue;
    found.push({ slot: 'runway', span: command.span, text: words.slice(command.span[0], command.span[1]).join(' ') });
  }
  for (const { span, digits } of numberRuns(understanding, covered)) {
    // one digit is mostly another word ("that one", "two" for "to")
    if (digits.length < 2) continue;
    found.push({ slot: 'altitude', span, text: words.slice(span[0], span[1]).join(' ') });
  }
  return found;
}

/** Slots of which an instruction has the verb and no value. */
export function verbsWithoutValue(understanding: Understanding): readonly Unread[] {
  return understanding.commands.flatMap((command) => {
    const slot = VALUE_VERBS.get(command.verb);
    if (slot === undefined || command.modality !== 'command' || command.items.length > 0 || understanding.items.some((i) => i.slot === slot)) return [];
    return [{ slot, span: command.span, text: understanding.words.slice(command.span[0], command.span[1]).map((w) => plainWord(w.text)).join(' ') }];
  });
}

/**
 * Words that belong to no talk on the radio and stand in no name, value or callsign, nor in the other half: where a recogniser wrote
 * them, something else was said.
 */
export function strangeWords(understanding: Understanding, other: Understanding): readonly string[] {
  const covered = new Set([...explained(understanding), ...understanding.fillers.filter((i) => isKnownWord(plainWord(understanding.words[i]?.text ?? '')))]);
  const words = understanding.words.map((w) => plainWord(w.text));
  const known = new Set(other.words.map((w) => plainWord(w.text)));
  return words.filter((word, i) => {
    if (covered.has(i) || !/^[a-z']{3,}$/.test(word) || isKnownWord(word) || PLACES.has(word) || known.has(word) || isNumberWord(word)) return false;
    return telephonyAt(words, i, true) === undefined;
  });
}
