/**
 * State of one pass over the tokens of a transmission: where it stands, what the words so far make of the next ones, and what was found.
 * The grammar lives in the modules beside it; here is what they share.
 */
import { readNumber, type NumberReading, type Token, type values } from '../phraseology/index.js';
import type { Action, ChunkLabel } from '../domain/taxonomy.js';
import type { Command, Condition, Item, Modality, Span, ValueSlot, Verb } from '../domain/understanding.js';
import { phraseIn, type Phrase } from './phrases.js';
import { ACTION_OF_SLOT } from './terms.js';

/** Items, commands and conditions while they can still change. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** What the words told about speaker and purpose, for role.ts. */
export interface Signs {
  question: boolean;
  request: boolean;
  report: boolean;
  sayAgain: boolean;
  confirm: boolean;
  correction: boolean;
  disregard: boolean;
  standby: boolean;
  goAhead: boolean;
  progressive: number;
  imperative: number;
  information: boolean;
  readbackCorrect: boolean;
}

export interface ParseInput {
  readonly tokens: readonly Token[];
  /** Token ranges that are the callsign. */
  readonly callsigns: readonly Span[];
  /** Token ranges of a callsign that was taken back. */
  readonly dropped?: readonly Span[];
  /** Token ranges of other aircraft's callsigns. */
  readonly others?: readonly Span[];
  /** First guess from where the callsign stands. */
  readonly likelyPilot: boolean;
  /** 0…1 for a token range: how sure the recogniser was. */
  readonly sureness: (from: number, to: number) => number;
}

type Doing = Pick<Phrase, 'verb' | 'label' | 'hint'>;

/** Values that a verb governs: a number behind it carries the verb only when it is of such a slot. */
const GOVERNS: Partial<Record<ValueSlot, ReadonlySet<Verb>>> = {
  altitude: new Set<Verb>(['climb', 'descend', 'maintain', 'stop_climb', 'stop_descent', 'expedite', 'cross_waypoint', 'report', 'expect', 'cleared_low_approach']),
  heading: new Set<Verb>(['turn_left', 'turn_right', 'turn', 'fly_heading', 'continue_heading', 'maintain', 'expect', 'report']),
  speed: new Set<Verb>(['reduce_speed', 'increase_speed', 'maintain_speed', 'resume_speed', 'maintain', 'expect', 'report']),
  frequency: new Set<Verb>(['contact', 'monitor', 'standby_for', 'approved']),
  controller: new Set<Verb>(['contact', 'monitor', 'standby_for']),
  waypoint: new Set<Verb>(['direct', 'cleared_route', 'hold', 'cross_waypoint', 'resume_navigation', 'report', 'expect', 'intercept']),
  taxiway: new Set<Verb>(['taxi', 'vacate', 'hold_short', 'cross_runway', 'line_up', 'give_way', 'hold_position', 'expect']),
  holding_point: new Set<Verb>(['taxi', 'hold_short', 'line_up', 'vacate', 'report', 'expect']),
  stand: new Set<Verb>(['taxi', 'pushback', 'expect', 'vacate']),
  traffic: new Set<Verb>(['follow', 'give_way', 'number', 'report']),
  approach: new Set<Verb>(['cleared_approach', 'expect']),
  distance: new Set<Verb>(['report']),
  procedure: new Set<Verb>(['cleared_route', 'expect']),
  runway: new Set<Verb>(['expect', 'report']),
};

export class Scanner {
  readonly t: readonly Token[];
  readonly labels: (ChunkLabel | undefined)[];
  readonly masked: boolean[];
  readonly items: Draft<Item>[] = [];
  readonly commands: Draft<Command>[] = [];
  readonly conditions: Draft<Condition>[] = [];
  readonly retracted: Span[] = [];
  readonly acknowledgements: string[] = [];
  readonly fillers: number[] = [];
  readonly likelyPilot: boolean;
  readonly sureness: (from: number, to: number) => number;
  /** Next token to read. */
  at = 0;

  /** The verb in force, its action, and what a number behind it is about. */
  verb: Verb | undefined;
  action: Action | undefined;
  hint: ValueSlot | undefined;
  modality: Modality = 'command';
  negated = false;
  /** Words before said where the aircraft is (final, downwind, established): a runway behind them is a report. */
  position = false;
  /** A name comes next ("direct", "to", "via"). */
  expectFix = false;
  /** Letters are taxiways. */
  path = false;
  /** The transmission is about moving on the ground. */
  ground = false;
  /** The last action phrase while no value has come for it. */
  openVerb: { verb: Verb; action: Action; from: number; to: number; used: boolean; modality: Modality } | undefined;
  /** Where "request" stood, while the action that it asks for has not come. */
  pendingRequest: number | undefined;
  readonly corrections: { token: number; items: number; commands: number }[] = [];

  readonly signs: Signs = {
    question: false,
    request: false,
    report: false,
    sayAgain: false,
    confirm: false,
    correction: false,
    disregard: false,
    standby: false,
    goAhead: false,
    progressive: 0,
    imperative: 0,
    information: false,
    readbackCorrect: false,
  };

  constructor(input: ParseInput) {
    this.t = input.tokens;
    this.likelyPilot = input.likelyPilot;
    this.sureness = input.sureness;
    this.labels = this.t.map(() => undefined);
    this.masked = this.t.map(() => false);
    for (const [from, to] of input.callsigns) for (let index = from; index < to; index++) this.masked[index] = true;
    for (const [from, to] of input.others ?? []) {
      this.mark(from, to, 'traffic');
      for (let index = from; index < to; index++) this.masked[index] = true;
    }
    for (const [from, to] of input.dropped ?? []) {
      this.takeBack(from, to);
      for (let index = from; index < to; index++) this.masked[index] = true;
    }
  }

  text(index: number): string {
    return this.masked[index] === true ? '' : (this.t[index]?.text ?? '');
  }

  is(index: number, ...texts: readonly string[]): boolean {
    return texts.every((text, offset) => this.text(index + offset) === text);
  }

  oneOf(index: number, pattern: RegExp): boolean {
    return pattern.test(this.text(index));
  }

  hasText(...texts: readonly string[]): boolean {
    return this.t.some((_, index) => this.is(index, ...texts));
  }

  number(index: number): NumberReading | undefined {
    const token = this.t[index];
    if (token?.number === undefined || this.masked[index] === true || token.text === 'comma') return undefined;
    return this.unmasked(readNumber(this.t, index));
  }

  /** A number must not run into the callsign. */
  unmasked(reading: NumberReading | undefined): NumberReading | undefined {
    if (reading === undefined) return undefined;
    for (let index = reading.from; index < reading.to; index++) {
      if (this.masked[index] !== true) continue;
      const atoms = reading.atoms.filter((atom) => atom.to <= index);
      const last = atoms[atoms.length - 1];
      if (last === undefined) return undefined;
      return { ...reading, atoms, whole: atoms.map((atom) => atom.digits).join(''), fraction: undefined, fractionAtoms: [], to: last.to };
    }
    return reading;
  }

  /** The longest action phrase at a position, or undefined. */
  phraseAt(index: number): Phrase | undefined {
    return phraseIn((position) => this.text(position), index);
  }

  letter(index: number): string | undefined {
    return this.masked[index] === true ? undefined : this.t[index]?.letter;
  }

  mark(from: number, to: number, label: ChunkLabel): void {
    for (let index = from; index < to; index++) this.labels[index] = label;
  }

  span(from: number, to: number): Span {
    const first = this.t[from];
    const last = this.t[to - 1];
    return [first?.from ?? 0, last?.to ?? first?.to ?? 0];
  }

  fill(from: number, to: number): void {
    this.mark(from, to, 'O');
    for (let index = from; index < to; index++) this.fillers.push(index);
  }

  effectiveModality(): Modality {
    return this.negated ? 'negated' : this.modality;
  }

  addItem(slot: ValueSlot, value: values.Value, from: number, to: number, extra: Partial<Draft<Item>> = {}): number {
    const verb = extra.verb ?? this.verbFor(slot);
    const action = extra.action ?? (verb === undefined || verb !== this.openVerb?.verb ? ACTION_OF_SLOT[slot] : this.openVerb.action) ?? this.action;
    const item: Draft<Item> = {
      slot,
      value: value.value,
      modality: extra.modality ?? (this.position && slot === 'runway' && this.likelyPilot && this.modality === 'command' ? 'report' : this.effectiveModality()),
      span: this.span(from, to),
      confidence: clamp(value.sure * this.sureness(from, to)),
    };
    const unit = extra.unit ?? value.unit;
    if (unit !== undefined) item.unit = unit;
    if (verb !== undefined) item.verb = verb;
    if (action !== undefined) item.action = action;
    if (extra.bound !== undefined) item.bound = extra.bound;
    if (value.clipped !== undefined) item.clipped = value.clipped;
    const alternatives = extra.alternatives ?? value.alternatives;
    if (alternatives !== undefined && alternatives.length > 0) item.alternatives = [...alternatives];
    if (extra.bare === true) item.bare = true;
    this.items.push(item);
    if (this.openVerb !== undefined && verb === this.openVerb.verb) this.openVerb.used = true;
    return this.items.length - 1;
  }

  /** The verb in force, when it can govern that slot. */
  verbFor(slot: ValueSlot): Verb | undefined {
    const verb = this.verb;
    if (verb === undefined) return undefined;
    return GOVERNS[slot]?.has(verb) === true ? verb : undefined;
  }

  addCommand(verb: Verb, action: Action, from: number, to: number, items: readonly number[] = [], modality: Modality = this.effectiveModality()): Draft<Command> {
    const command: Draft<Command> = { verb, action, modality, span: this.span(from, to), confidence: clamp(this.sureness(from, to)), items: [...items] };
    this.commands.push(command);
    return command;
  }

  addCondition(kind: Condition['kind'], key: string, from: number, to: number, items: readonly number[], sure = 1): void {
    this.conditions.push({ kind, key, text: this.t.slice(from, to).map((token) => token.text).join(' '), span: this.span(from, to), items: [...items], confidence: clamp(sure * this.sureness(from, to)) });
  }

  /** A verb whose value never came is an instruction of its own ("climb", "turn left"). */
  closeVerb(): void {
    const open = this.openVerb;
    this.openVerb = undefined;
    if (open === undefined || open.used) return;
    this.addCommand(open.verb, open.action, open.from, open.to, [], open.modality);
  }

  /** An action phrase is one chunk; the connector that ends it joins it to its target (conventions 16): "give way | to", "reduce speed | to". */
  private markPhrase(from: number, to: number, phrase: Doing): void {
    this.mark(from, to, phrase.label);
    const joins = to - from > 1 && /^(?:to|at|behind|for)$/u.test(this.text(to - 1)) && phrase.label !== 'contact';
    if (joins) this.mark(to - 1, to, 'relation');
  }

  begin(phrase: Doing, from: number, to: number): void {
    this.dropFalseStart(from);
    this.closeVerb();
    this.markPhrase(from, to, phrase);
    this.verb = phrase.verb;
    this.action = phrase.label as Action;
    this.hint = phrase.hint;
    this.expectFix = phrase.hint === 'waypoint';
    this.position = false;
    if (this.modality === 'expect' || this.modality === 'information') this.modality = 'command';
    if (phrase.verb !== undefined) this.openVerb = { verb: phrase.verb, action: phrase.label as Action, from, to, used: false, modality: this.effectiveModality() };
    this.path = false;
    this.at = to;
  }

  beginCommand(phrase: Doing, from: number, to: number): void {
    this.dropFalseStart(from);
    this.closeVerb();
    this.markPhrase(from, to, phrase);
    this.verb = phrase.verb;
    this.action = phrase.label as Action;
    this.hint = phrase.hint;
    this.expectFix = false;
    this.path = false;
    this.position = false;
    if (this.modality === 'expect' || this.modality === 'information') this.modality = 'command';
    if (phrase.verb !== undefined) {
      this.addCommand(phrase.verb, phrase.label as Action, from, to);
    }
    this.negated = false;
    this.at = to;
  }

  /** A new clause: what hung on the last verb hangs no more. */
  reset(): void {
    this.verb = undefined;
    this.hint = undefined;
    this.expectFix = false;
    this.path = false;
  }

  noteForm(phrase: Phrase): void {
    if (phrase.progressive) this.signs.progressive++;
    else this.signs.imperative++;
    this.pendingRequest = undefined;
  }

  /** Marks what stands directly before a "correction" and is replaced behind it. Done when all is known. */
  retractBefore(i: number): void {
    const open = this.openVerb;
    if (open !== undefined && !open.used && (open.to === i || (open.to === i - 1 && this.phraseAt(i + 1) !== undefined))) {
      // "climb correction descend …": the verb itself is taken back
      this.takeBack(open.from, i + 1);
      this.openVerb = undefined;
      return;
    }
    this.corrections.push({ token: i, items: this.items.length, commands: this.commands.length });
  }

  /** Words that the speaker took back: label O, no value. */
  takeBack(from: number, to: number): void {
    this.retracted.push(this.span(from, to));
    this.fill(from, to);
  }

  /** The value that a "correction" right before token `i` replaces. */
  corrected(i: number): Draft<Item> | undefined {
    const last = this.corrections.at(-1);
    if (last?.token !== i - 1) return undefined;
    const model = this.items[last.items - 1];
    const word = this.t[last.token]?.from ?? 0;
    return model !== undefined && word - model.span[1] <= 1 ? model : undefined;
  }

  /** "cleared to uh cleared to land", "descend to descend …": a phrase that is begun again at once was a false start (conventions 1). */
  dropFalseStart(from: number): void {
    const open = this.openVerb;
    if (open === undefined || open.used || this.t[from]?.text !== this.t[open.from]?.text) return;
    for (let index = open.to; index < from; index++) if (this.labels[index] !== 'relation' && this.labels[index] !== 'O') return;
    if (from - open.to > 2) return;
    this.takeBack(open.from, from);
    this.openVerb = undefined;
  }
}

export const clamp = (value: number): number => Math.max(0, Math.min(1, value));
