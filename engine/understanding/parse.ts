/**
 * One pass over the tokens of a transmission: action phrases, values, conditions. Gives every token a Task 1 label (arXiv 2608.24621,
 * C.1–C.3, K.4; docs/behaviour.md) and builds the semantic items beside it, so that chunks and values can never disagree.
 */
import {
  AIRCRAFT_KINDS, FACILITIES, PLACES, TRAFFIC_KINDS, acknowledgementOf, firstDigits, isKnownWord, readNumber, unitAt, values,
  type NumberReading, type Token,
} from '../phraseology/index.js';
import type { Action, ChunkLabel } from '../domain/taxonomy.js';
import type { Command, Condition, Item, Modality, Span, ValueSlot, Verb } from '../domain/understanding.js';
import { phrasesAt, type Phrase } from './phrases.js';

/** Items and commands while parsing: spans are token positions until `finish`. */
type Draft<T> = { -readonly [K in keyof T]: T[K] };

export interface Parsed {
  readonly labels: readonly ChunkLabel[];
  readonly items: readonly Item[];
  readonly commands: readonly Command[];
  readonly conditions: readonly Condition[];
  readonly retracted: readonly Span[];
  readonly acknowledgements: readonly string[];
  /** Token positions that only fill. */
  readonly fillers: readonly number[];
  readonly signs: Signs;
}

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
  /** First guess from where the callsign stands. */
  readonly likelyPilot: boolean;
  /** 0…1 for a token range: how sure the recogniser was. */
  readonly sureness: (from: number, to: number) => number;
}

const ACTION_OF_SLOT: Partial<Record<ValueSlot, Action>> = { altitude: 'altitude_control', heading: 'heading_control', speed: 'speed_control', frequency: 'contact', controller: 'contact', vertical_rate: 'altitude_control' };

const RUNWAY_VERBS: ReadonlySet<Verb> = new Set([
  'cleared_to_land', 'cleared_takeoff', 'cleared_touch_and_go', 'cleared_low_approach', 'line_up', 'hold_short', 'cross_runway', 'vacate', 'backtrack', 'cleared_approach', 'continue_approach', 'join_pattern', 'go_around', 'intercept',
]);

const APPROACH_TYPES: ReadonlyMap<string, string> = new Map([
  ['ils', 'ILS'], ['rnav', 'RNAV'], ['rnp', 'RNP'], ['vor', 'VOR'], ['ndb', 'NDB'], ['visual', 'VISUAL'], ['localizer', 'LOC'], ['gls', 'GLS'], ['gps', 'GPS'], ['par', 'PAR'], ['arp', 'RNP'], ['vfr', 'VFR'], ['contact', 'CONTACT'], ['straight', 'STRAIGHTIN'],
]);

const SIDES: ReadonlyMap<string, values.Side> = new Map([['left', 'L'], ['right', 'R'], ['center', 'C'], ['lima', 'L'], ['romeo', 'R'], ['charlie', 'C'], ['l', 'L'], ['r', 'R'], ['c', 'C']]);

const RELATIONS: ReadonlySet<string> = new Set(['to', 'via', 'at', 'of', 'on', 'for', 'from', 'behind', 'onto', 'into', 'with', 'towards', 'by', 'over', 'along', 'inbound', 'between', 'through', 'in']);
const POLARITY: ReadonlySet<string> = new Set(['no', 'not', "don't", 'never', 'unable', 'cannot', "can't"]);
const ATTRIBUTES: ReadonlySet<string> = new Set(['expedite', 'expediting', 'immediately', 'immediate', 'straight', 'rapid', 'short', 'high', 'ils', 'visual', 'rnav', 'rnp', 'vor', 'ndb', 'localizer', 'approach', 'glide', 'glidepath', 'final', 'finals', 'downwind', 'base', 'circuit', 'departure', 'arrival', 'transition', 'heavy']);

const UNIT_WORDS: ReadonlySet<string> = new Set(['feet', 'knots', 'degrees', 'miles', 'metres', 'minutes', 'seconds', 'hectopascals', 'dme', 'inches', "o'clock", 'fpm', 'hours', 'percent', 'kilometres']);

export function parse(input: ParseInput): Parsed {
  return new Parser(input).run();
}

class Parser {
  private readonly t: readonly Token[];
  private readonly labels: (ChunkLabel | undefined)[];
  private readonly items: Draft<Item>[] = [];
  private readonly commands: Draft<Command>[] = [];
  private readonly conditions: Draft<Condition>[] = [];
  private readonly retracted: Span[] = [];
  private readonly acknowledgements: string[] = [];
  private readonly fillers: number[] = [];
  private readonly masked: boolean[];
  private at = 0;

  // what the words so far make of the next ones
  private verb: Verb | undefined;
  private action: Action | undefined;
  private hint: ValueSlot | undefined;
  private modality: Modality = 'command';
  private negated = false;
  private expectFix = false;
  private path = false;
  private ground = false;
  /** Position of the last action phrase, for verbs without a value. */
  private openVerb: { verb: Verb; action: Action; from: number; to: number; used: boolean; modality: Modality } | undefined;

  private readonly signs: Signs = {
    question: false, request: false, report: false, sayAgain: false, confirm: false, correction: false, disregard: false, standby: false, goAhead: false, progressive: 0, imperative: 0, information: false, readbackCorrect: false,
  };

  constructor(private readonly input: ParseInput) {
    this.t = input.tokens;
    this.labels = this.t.map(() => undefined);
    this.masked = this.t.map(() => false);
    for (const [from, to] of input.callsigns) for (let index = from; index < to; index++) this.masked[index] = true;
  }

  run(): Parsed {
    this.ground = this.t.some((token) => /^(?:taxi|taxiing|apron|stand|taxiway|pushback|holdshort)$/u.test(token.text)) || this.hasText('hold', 'short');
    while (this.at < this.t.length) {
      const before = this.at;
      this.step();
      if (this.at <= before) this.at = before + 1;
    }
    this.closeVerb();
    this.attachRunways();
    this.retract();
    return {
      labels: this.labels.map((label) => label ?? 'O'),
      items: this.items,
      commands: this.commands,
      conditions: this.conditions,
      retracted: this.retracted,
      acknowledgements: this.acknowledgements,
      fillers: this.fillers,
      signs: this.signs,
    };
  }

  // --- looking ---

  private text(index: number): string {
    return this.masked[index] === true ? '' : (this.t[index]?.text ?? '');
  }

  private is(index: number, ...texts: readonly string[]): boolean {
    return texts.every((text, offset) => this.text(index + offset) === text);
  }

  private oneOf(index: number, pattern: RegExp): boolean {
    return pattern.test(this.text(index));
  }

  private hasText(...texts: readonly string[]): boolean {
    return this.t.some((_, index) => this.is(index, ...texts));
  }

  private number(index: number): NumberReading | undefined {
    return this.masked[index] === true || this.t[index]?.number === undefined || this.t[index].number.kind === 'decimal' ? (this.t[index]?.number?.kind === 'decimal' && this.masked[index] !== true && this.t[index].text !== 'comma' ? this.unmasked(readNumber(this.t, index)) : undefined) : this.unmasked(readNumber(this.t, index));
  }

  /** A number must not run into the callsign. */
  private unmasked(reading: NumberReading | undefined): NumberReading | undefined {
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

  private letter(index: number): string | undefined {
    return this.masked[index] === true ? undefined : this.t[index]?.letter;
  }

  // --- marking ---

  private mark(from: number, to: number, label: ChunkLabel): void {
    for (let index = from; index < to; index++) this.labels[index] = label;
  }

  private span(from: number, to: number): Span {
    const first = this.t[from];
    const last = this.t[to - 1];
    return [first?.from ?? 0, last?.to ?? first?.to ?? 0];
  }

  private fill(from: number, to: number): void {
    this.mark(from, to, 'O');
    for (let index = from; index < to; index++) this.fillers.push(index);
  }

  private effectiveModality(): Modality {
    return this.negated ? 'negated' : this.modality;
  }

  private addItem(slot: ValueSlot, value: values.Value, from: number, to: number, extra: Partial<Draft<Item>> = {}): number {
    const verb = extra.verb ?? this.verbFor(slot);
    const action = extra.action ?? (verb === undefined || verb !== this.openVerb?.verb ? ACTION_OF_SLOT[slot] : this.openVerb.action) ?? this.action;
    const item: Draft<Item> = {
      slot,
      value: value.value,
      modality: extra.modality ?? this.effectiveModality(),
      span: this.span(from, to),
      confidence: clamp(value.sure * this.input.sureness(from, to)),
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
  private verbFor(slot: ValueSlot): Verb | undefined {
    const verb = this.verb;
    if (verb === undefined) return undefined;
    const governs: Partial<Record<ValueSlot, readonly Verb[]>> = {
      altitude: ['climb', 'descend', 'maintain', 'stop_climb', 'stop_descent', 'expedite', 'cross_waypoint', 'report', 'expect', 'cleared_low_approach'],
      heading: ['turn_left', 'turn_right', 'turn', 'fly_heading', 'continue_heading', 'maintain', 'expect', 'report'],
      speed: ['reduce_speed', 'increase_speed', 'maintain_speed', 'resume_speed', 'maintain', 'expect', 'report'],
      frequency: ['contact', 'monitor', 'standby_for', 'approved'],
      controller: ['contact', 'monitor', 'standby_for'],
      waypoint: ['direct', 'cleared_route', 'hold', 'cross_waypoint', 'resume_navigation', 'report', 'expect', 'intercept'],
      taxiway: ['taxi', 'vacate', 'hold_short', 'cross_runway', 'line_up', 'give_way', 'hold_position', 'expect'],
      holding_point: ['taxi', 'hold_short', 'line_up', 'vacate', 'report', 'expect'],
      stand: ['taxi', 'pushback', 'expect', 'vacate'],
      traffic: ['follow', 'give_way', 'number', 'report'],
      approach: ['cleared_approach', 'expect'],
      procedure: ['cleared_route', 'expect'],
      runway: ['expect', 'report'],
    };
    return governs[slot]?.includes(verb) === true ? verb : undefined;
  }

  private addCommand(verb: Verb, action: Action, from: number, to: number, items: readonly number[] = [], modality: Modality = this.effectiveModality()): Draft<Command> {
    const command: Draft<Command> = { verb, action, modality, span: this.span(from, to), confidence: clamp(this.input.sureness(from, to)), items: [...items] };
    this.commands.push(command);
    return command;
  }

  private addCondition(kind: Condition['kind'], key: string, from: number, to: number, items: readonly number[], sure = 1): void {
    const [first, last] = this.span(from, to);
    void last;
    this.conditions.push({ kind, key, text: this.t.slice(from, to).map((token) => token.text).join(' '), span: this.span(from, to), items: [...items], confidence: clamp(sure * this.input.sureness(from, to)) });
    void first;
  }

  // --- verbs ---

  /** A verb whose value never came is an instruction of its own ("climb", "turn left"). */
  private closeVerb(): void {
    const open = this.openVerb;
    this.openVerb = undefined;
    if (open === undefined || open.used) return;
    this.addCommand(open.verb, open.action, open.from, open.to, [], open.modality);
  }

  private begin(phrase: Pick<Phrase, 'verb' | 'label' | 'hint'>, from: number, to: number): void {
    this.closeVerb();
    this.mark(from, to, phrase.label);
    this.verb = phrase.verb;
    this.action = phrase.label as Action;
    this.hint = phrase.hint;
    this.expectFix = phrase.hint === 'waypoint';
    if (this.modality === 'expect' || this.modality === 'information') this.modality = 'command';
    if (phrase.verb !== undefined) this.openVerb = { verb: phrase.verb, action: phrase.label as Action, from, to, used: false, modality: this.effectiveModality() };
    this.path = false;
    this.at = to;
  }

  private beginCommand(phrase: Pick<Phrase, 'verb' | 'label' | 'hint'>, from: number, to: number): void {
    this.closeVerb();
    this.mark(from, to, phrase.label);
    this.verb = phrase.verb;
    this.action = phrase.label as Action;
    this.hint = phrase.hint;
    this.expectFix = false;
    this.path = false;
    if (this.modality === 'expect' || this.modality === 'information') this.modality = 'command';
    if (phrase.verb !== undefined) {
      this.addCommand(phrase.verb, phrase.label as Action, from, to);
    }
    this.negated = false;
    this.at = to;
  }

  /** A new clause: what hung on the last verb hangs no more. */
  private reset(): void {
    this.verb = undefined;
    this.hint = undefined;
    this.expectFix = false;
    this.path = false;
  }

  // --- one step ---

  private step(): void {
    const i = this.at;
    const token = this.t[i];
    if (token === undefined) return;
    if (token.question === true) this.signs.question = true;
    if (this.masked[i] === true) {
      this.labels[i] = 'callsign';
      if (this.modality !== 'request') this.modality = 'command';
      this.reset();
      this.at = i + 1;
      return;
    }
    if (
      this.talk(i) || this.condition(i) || this.clearedPhrase(i) || this.phrase(i) || this.carrier(i) || this.unit(i) || this.bareNumber(i) || this.pathOrLetters(i) || this.place(i) || this.fix(i)
    )
      return;
    const { text } = token;
    if (POLARITY.has(text) || (text === 'do' && this.text(i + 1) === 'not')) {
      const to = text === 'do' ? i + 2 : i + 1;
      this.mark(i, to, 'polarity');
      if (text !== 'unable') this.negated = text !== 'no' || !this.oneOf(i + 1, /^(?:speed|delay|problem|sorry|need)$/u);
      if (text === 'unable') this.acknowledgements.push('unable');
      this.at = to;
      return;
    }
    if (RELATIONS.has(text)) {
      if (text === 'via') {
        this.path = this.ground || this.verb === 'vacate' || this.verb === 'taxi' || this.verb === 'line_up' || this.verb === 'backtrack';
        if (!this.path) this.expectFix = true;
      }
      if ((text === 'to' || text === 'for' || text === 'into' || text === 'onto') && this.verb === 'taxi') this.path = true;
      this.mark(i, i + 1, this.labels[i - 1] === undefined && i === 0 ? 'O' : 'relation');
      this.at = i + 1;
      return;
    }
    if (ATTRIBUTES.has(text)) {
      this.mark(i, i + 1, 'attribute');
      this.at = i + 1;
      return;
    }
    this.mark(i, i + 1, 'O');
    this.fillers.push(i);
    this.at = i + 1;
  }

  /** Acknowledgements, questions, corrections: words about the talk itself. */
  private talk(i: number): boolean {
    const take = (count: number): true => {
      this.fill(i, i + count);
      this.at = i + count;
      return true;
    };
    const text = this.text(i);
    switch (text) {
      case 'say':
        if (this.is(i, 'say', 'again')) {
          this.signs.sayAgain = true;
          return take(2);
        }
        if (this.oneOf(i + 1, /^(?:your|speed|altitude|heading|level|position|intentions|mach|number|type|callsign|again|qnh|request|alt)$/u)) {
          this.signs.question = true;
          this.modality = 'question';
          return take(1);
        }
        return false;
      case 'repeat':
        this.signs.sayAgain = true;
        return take(1);
      case 'confirm':
      case 'confirming':
        this.signs.confirm = true;
        if (i + 1 < this.t.length && this.masked[i + 1] !== true) this.modality = 'question';
        return take(1);
      case 'verify':
        this.signs.confirm = true;
        this.modality = 'question';
        return take(1);
      case 'disregard':
        this.signs.disregard = true;
        return take(1);
      case 'standby':
        if (this.oneOf(i + 1, /^(?:for|on|one)$/u) && this.t[i + 2] !== undefined && (this.number(i + 2) !== undefined || unitAt(this.t, i + 2) !== undefined)) return false;
        this.signs.standby = true;
        return take(1);
      case 'go':
        if (this.is(i, 'go', 'ahead')) {
          this.signs.goAhead = true;
          return take(2);
        }
        return false;
      case 'pass':
        if (this.is(i, 'pass', 'your', 'message') || this.is(i, 'pass', 'message')) {
          this.signs.goAhead = true;
          return take(this.is(i, 'pass', 'your') ? 3 : 2);
        }
        return false;
      case 'correction':
        this.signs.correction = true;
        this.retractBefore(i);
        return take(1);
      case 'break':
        this.reset();
        return take(1);
      case 'readback':
        if (this.oneOf(i + 1, /^(?:correct|is)$/u)) {
          this.acknowledgements.push('readback_correct');
          this.signs.readbackCorrect = true;
          return take(this.text(i + 1) === 'is' ? 3 : 2);
        }
        return take(1);
      case 'negative':
        this.acknowledgements.push('negative');
        this.mark(i, i + 1, 'polarity');
        this.at = i + 1;
        return true;
      case 'roger':
      case 'rodger':
      case 'wilco':
      case 'vilco':
      case 'affirm':
      case 'affirmative':
      case 'affirmation':
      case 'affirmatif':
      case 'copied':
      case 'copy':
      case 'okay':
      case 'ok':
      case 'yes':
      case 'yeah':
      case 'understood': {
        this.acknowledgements.push(acknowledgementOf(text) ?? text);
        return take(1);
      }
      case 'will':
        if (this.is(i, 'will', 'comply')) {
          this.acknowledgements.push('wilco');
          return take(2);
        }
        return false;
      case 'request':
      case 'requesting':
      case 'requests':
      case 'like':
        if (text === 'like' && !this.oneOf(i - 1, /^(?:would|i'd|we'd|you)$/u)) return false;
        this.signs.request = true;
        this.modality = 'request';
        this.mark(i, i + 1, 'O');
        // the request word joins the action that it asks for
        this.at = i + 1;
        this.pendingRequest = i;
        return true;
      case 'are':
      case 'do':
      case 'can':
      case 'did':
      case 'could':
      case 'would':
      case 'may':
      case 'is':
      case 'what':
      case 'which':
      case 'how':
      case 'when':
      case 'where':
        return this.question(i);
      default:
        return false;
    }
  }

  private pendingRequest: number | undefined;

  private question(i: number): boolean {
    const head = i === 0 || this.masked[i - 1] === true || this.labels[i - 1] === 'O' || this.labels[i - 1] === 'controller';
    const asks =
      this.is(i, 'are', 'you') ? !this.oneOf(i + 2, /^(?:cleared|identified|number|recleared|clear|still|now)$/u)
      : this.oneOf(i, /^(?:do|did|can|could|would|are)$/u) ? this.oneOf(i + 1, /^(?:you|we|i|the)$/u) && !(this.is(i, 'you', 'can') || this.is(i - 1, 'you'))
      : this.oneOf(i, /^(?:what|which|how|where)$/u) ? head
      : this.is(i, 'when') ? this.oneOf(i + 1, /^(?:did|do|can|will)$/u)
      : this.is(i, 'is') ? head && this.oneOf(i + 1, /^(?:the|it|this|that|there)$/u) && !this.is(i - 1, 'that')
      : false;
    if (!asks) return false;
    this.signs.question = true;
    if (!this.is(i, 'can', 'we') && !this.is(i, 'can', 'i')) this.modality = 'question';
    else {
      this.signs.request = true;
      this.modality = 'request';
    }
    const to = this.oneOf(i + 1, /^(?:you|we|i)$/u) ? i + 2 : i + 1;
    this.fill(i, to);
    if (this.is(to, 'able')) {
      this.fill(to, to + 1);
      this.at = to + 1;
    } else this.at = to;
    return true;
  }

  // --- conditions ---

  /** Label "condition": execution conditions with their gate, advisories, reports, expectations (K.4, K.8). */
  private condition(i: number): boolean {
    return this.gate(i) || this.boundOnly(i) || this.advisory(i) || this.report(i);
  }

  /** "after passing KILNU", "until four miles", "when ready", "behind the landing airbus", "not before …", "at or above …". */
  private gate(i: number): boolean {
    const bound = this.boundAt(i);
    if (bound !== undefined) {
      const target = this.levelAt(bound.to, true);
      if (target !== undefined) {
        this.mark(i, target.to, 'condition');
        const index = this.addItem('altitude', target.value, bound.to, target.to, { bound: bound.bound, ...(target.unit === undefined ? {} : { unit: target.unit }) });
        const gateFix = this.lastFixItem(i);
        this.addCondition('altitude', `bound:${bound.bound}:${target.value.value}`, i, target.to, [index]);
        void gateFix;
        this.at = target.to;
        return true;
      }
    }
    let relation: 'after' | 'before' | 'until' | 'at' | 'when' | 'if' | undefined;
    let to = i;
    const text = this.text(i);
    if (text === 'not' && this.is(i + 1, 'before')) { relation = 'after'; to = i + 2; }
    else if (text === 'no' && this.oneOf(i + 1, /^(?:later|sooner|earlier)$/u) && this.is(i + 2, 'than')) { relation = this.is(i + 1, 'later') ? 'before' : 'after'; to = i + 3; }
    else if (text === 'not' && this.is(i + 1, 'until')) { relation = 'after'; to = i + 2; }
    else if (text === 'prior' && this.is(i + 1, 'to')) { relation = 'before'; to = i + 2; }
    else if (text === 'as' && this.is(i + 1, 'soon', 'as')) { relation = 'when'; to = i + 3; }
    else if (text === 'after' || text === 'once' || text === 'following') { relation = 'after'; to = i + 1; }
    else if (text === 'before') { relation = 'before'; to = i + 1; }
    else if (text === 'until') { relation = 'until'; to = i + 1; }
    else if (text === 'when') { relation = 'when'; to = i + 1; }
    else if (text === 'if') { relation = 'if'; to = i + 1; }
    else if (text === 'on' && this.oneOf(i + 1, /^(?:reaching|passing|leaving|crossing|completion|request|receipt)$/u)) { relation = 'after'; to = i + 1; }
    else if (/^(?:passing|past|leaving|reaching|crossing|abeam|through|overhead)$/u.test(text) && !this.likelyReport(i)) { relation = text === 'reaching' || text === 'overhead' || text === 'abeam' ? 'at' : 'after'; to = i; }
    else if (text === 'behind' || (text === 'after' && this.is(i + 1, 'the'))) return this.behind(i);
    else if (text === 'at' && this.atGate(i)) return true;
    else if (text === 'by' && this.byGate(i)) return true;
    else return this.fixedCondition(i);

    if (text === 'following' && this.trafficAt(i + 1) !== undefined) return false;
    if ((text === 'after') && this.landingTraffic(to)) return this.behind(i);
    // "after you are clear", "when you are ready", "once we are established"
    let target = to;
    while (this.oneOf(target, /^(?:you|you're|your|are|the|is|we|we're|have|been|own|by|a|an|fully|be|passed)$/u)) target++;
    let verbed = relation;
    if (this.oneOf(target, /^(?:passing|past|passed|leaving|left|crossing|crossed|through|out)$/u) && !(this.is(target, 'left') && this.oneOf(target + 1, /^(?:turn|downwind|base)$/u))) {
      if (verbed === 'when' || verbed === 'at') verbed = 'after';
      target++;
      if (this.is(target, 'of')) target++;
      if (this.is(target, 'through')) target++;
    } else if (this.oneOf(target, /^(?:reaching|overhead|over|abeam|at)$/u)) {
      if (verbed === 'when' || (verbed === 'after' && this.is(target, 'overhead'))) verbed = 'at';
      target++;
    }
    const found = this.gateTarget(target, verbed);
    if (found === undefined) {
      if (relation === 'until' || relation === 'after' || relation === 'before' || relation === 'when' || relation === 'if') {
        // the gate is not known: take the words up to the next slot
        const end = this.clauseEnd(to);
        if (end <= to) return false;
        this.mark(i, end, 'condition');
        this.addCondition('procedural', `${relation}:${this.t.slice(to, end).map((t) => t.text).join('_')}`, i, end, [], 0.6);
        this.at = end;
        return true;
      }
      return false;
    }
    this.mark(i, found.to, 'condition');
    this.addCondition(found.kind, `${found.relation ?? verbed}:${found.key}`, i, found.to, found.items);
    this.at = found.to;
    return true;
  }

  /** "passing/leaving/out of" said by a pilot is a report: its altitude stays apart (conventions 5). */
  private likelyReport(i: number): boolean {
    if (!this.input.likelyPilot) {
      // a controller's "passing …" without an instruction behind it is an acknowledgement of a report
      return false;
    }
    // in a readback "passing KILNU turn left": an instruction word follows the value
    for (let index = i + 1; index < this.t.length; index++) {
      const [phrase] = phrasesAt(this.text(index));
      if (phrase === undefined) continue;
      if (/^(?:left|right|up|down|speed|to|final|base|downwind)$/u.test(this.text(index))) continue;
      return phrase.progressive || this.text(index) === 'cleared' || /^(?:climbing|descending|maintaining|inbound|proceeding)$/u.test(this.text(index));
    }
    return true;
  }

  /** What a gate hangs on. */
  private gateTarget(i: number, relation: string): { key: string; kind: Condition['kind']; to: number; items: number[]; relation?: string } | undefined {
    const saved = { verb: this.verb };
    const token = this.t[i];
    if (token === undefined || this.masked[i] === true) return undefined;
    const word = token.text;
    const tail = (from: number): number => {
      let to = from;
      if (this.is(to, 'own', 'discretion') || this.is(to, 'pilots', 'discretion')) to += 2;
      return to;
    };
    const procedural: readonly (readonly [RegExp, string, string?])[] = [
      [/^(?:ready|prepared)$/u, 'ready'], [/^(?:established|establish)$/u, 'established'], [/^(?:airborne|departure|takeoff|departed|departing)$/u, 'departure'], [/^(?:landing|landed|touchdown)$/u, 'landing'],
      [/^(?:able)$/u, 'able'], [/^(?:possible|practicable|practical|feasible)$/u, 'able'], [/^(?:convenient)$/u, 'convenient'], [/^(?:advised|notified)$/u, 'advised'], [/^(?:visual)$/u, 'visual'], [/^(?:level)$/u, 'level'],
      [/^(?:completed|complete|finished)$/u, 'completed'], [/^(?:approved)$/u, 'approved'], [/^(?:instructed|told|called)$/u, 'instructed'], [/^(?:vacated|vacating)$/u, 'vacated'],
    ];
    if (this.is(i, 'further') && this.oneOf(i + 1, /^(?:advised|notice|instruction|instructions|advice|clearance)$/u)) return { key: 'advised', kind: 'procedural', to: i + 2, items: [] };
    if (word === 'clear' || word === 'cleared') {
      if (word === 'cleared' && relation !== 'until' && relation !== 'when') return undefined;
      let to = i + 1;
      if (this.is(to, 'of')) {
        to++;
        if (this.oneOf(to, /^(?:the)$/u)) to++;
        const traffic = this.trafficAt(to);
        if (traffic !== undefined) return { key: 'clear', kind: 'procedural', to: traffic, items: [] };
        if (this.oneOf(to, /^(?:weather|cloud|clouds|traffic|runway|inbound)$/u)) to++;
      } else if (word === 'cleared') return undefined;
      return { key: 'clear', kind: 'procedural', to, items: [] };
    }
    if (word === 'touch' || word === 'low') {
      const end = this.is(i, 'touch', 'and', 'go') ? i + 3 : this.is(i, 'low', 'approach') || this.is(i, 'low', 'pass') ? i + 2 : undefined;
      if (end !== undefined) return { key: word === 'touch' ? 'touch_and_go' : 'low_approach', kind: 'procedural', to: end, items: [] };
    }
    for (const [pattern, key] of procedural) {
      if (!pattern.test(word)) continue;
      let to = tail(i + 1);
      if (key === 'established') {
        // "established on the localizer", "established on final approach track"
        if (this.is(to, 'on')) to++;
        if (this.is(to, 'the')) to++;
        while (this.oneOf(to, /^(?:localizer|ils|final|approach|track|course|radial|glidepath|glide|path|inbound)$/u)) to++;
        if (this.is(to - 1, 'on') || this.is(to - 1, 'the')) to = i + 1;
      }
      if (key === 'ready' && this.is(to, 'for') && this.oneOf(to + 1, /^(?:departure|descent|takeoff|approach|climb)$/u)) to += 2;
      return { key, kind: 'procedural', to, items: [] };
    }
    if (this.oneOf(i, /^(?:field|runway|airport|traffic|terrain|ground|aircraft)$/u) && this.is(i + 1, 'in', 'sight')) return { key: `${word === 'field' || word === 'airport' ? 'field' : word}_in_sight`, kind: 'procedural', to: i + 3, items: [] };
    // runway
    if (word === 'runway') {
      const runway = this.runwayAt(i + 1);
      if (runway !== undefined) {
        const index = this.addItem('runway', runway.value, i, runway.to, { modality: this.effectiveModality() });
        return { key: `RWY${runway.value.value}`, kind: 'runway', to: runway.to, items: [index] };
      }
      return { key: 'runway', kind: 'runway', to: i + 1, items: [] };
    }
    // level or altitude
    const level = this.levelAt(i, false);
    if (level !== undefined) {
      const index = this.addItem('altitude', level.value, i, level.to, level.unit === undefined ? {} : { unit: level.unit });
      return { key: level.value.value, kind: 'altitude', to: level.to, items: [index] };
    }
    // distance, time
    const dme = word === 'dme' ? i + 1 : i;
    const reading = this.number(dme);
    if (reading !== undefined) {
      const unit = this.text(reading.to);
      if (word === 'dme' || unit === 'miles' || unit === 'dme' || unit === 'mile') {
        const distance = values.distance(reading.whole, reading.fraction);
        if (distance === undefined) return undefined;
        let to = word === 'dme' ? reading.to : reading.to + 1;
        const fixFrom = to;
        while (this.oneOf(to, /^(?:dme|final|finals|from|touchdown|out|on|threshold|the|miles|before)$/u)) to++;
        if (this.oneOf(to - 1, /^(?:on|the|before|out)$/u) && to - 1 >= fixFrom) to--;
        const index = this.addItem('distance', distance, dme, reading.to, { modality: this.effectiveModality() });
        let key = `${distance.value}NM`;
        if (this.is(to - 1, 'from')) {
          const fix = this.fixAt(to);
          if (fix !== undefined) {
            key += `:${fix.value}`;
            const fixItem = this.addItem('waypoint', { value: fix.value, sure: fix.sure }, to, fix.to);
            return { key, kind: 'distance', to: fix.to, items: [index, fixItem] };
          }
        }
        return { key, kind: 'distance', to, items: [index] };
      }
      if (unit === 'minutes') {
        const index = this.addItem('time', { value: reading.whole, unit: 'min', sure: 1 }, i, reading.to + 1);
        return { key: `${reading.whole}MIN`, kind: 'time', to: reading.to + 1, items: [index] };
      }
      if (unit === 'knots') {
        const speed = values.speed(reading.whole);
        if (speed !== undefined) {
          const index = this.addItem('speed', speed, i, reading.to + 1);
          return { key: `${speed.value}KT`, kind: 'speed', to: reading.to + 1, items: [index] };
        }
      }
      if (relation === 'until' && reading.fraction === undefined && reading.whole.length <= 2) {
        const distance = values.distance(reading.whole, undefined);
        if (distance !== undefined) {
          const index = this.addItem('distance', { ...distance, sure: 0.7 }, i, reading.to);
          return { key: `${distance.value}NM`, kind: 'distance', to: reading.to, items: [index] };
        }
      }
      if (this.oneOf(i - 1, /^(?:time|before|after|until|at|not)$/u) && reading.whole.length === 4) {
        const time = values.clockTime(reading.whole);
        if (time !== undefined) {
          const index = this.addItem('time', time, i, reading.to);
          return { key: `T${time.value}`, kind: 'time', to: reading.to, items: [index] };
        }
      }
      return undefined;
    }
    if (word === 'time') {
      const time = this.number(i + 1);
      const value = time === undefined ? undefined : values.clockTime(time.whole);
      if (time !== undefined && value !== undefined) {
        const index = this.addItem('time', value, i, time.to);
        return { key: `T${value.value}`, kind: 'time', to: time.to, items: [index] };
      }
    }
    if (word === 'speed') {
      const reading2 = this.number(i + 1);
      const speed = reading2 === undefined ? undefined : values.speed(reading2.whole);
      if (reading2 !== undefined && speed !== undefined) {
        const index = this.addItem('speed', speed, i, reading2.to);
        return { key: `${speed.value}KT`, kind: 'speed', to: reading2.to, items: [index] };
      }
    }
    if (word === 'transition') return { key: 'transition', kind: 'altitude', to: this.oneOf(i + 1, /^(?:level|altitude)$/u) ? i + 2 : i + 1, items: [] };
    const fix = this.fixAt(i);
    if (fix !== undefined) {
      const index = this.addItem('waypoint', { value: fix.value, sure: fix.sure }, i, fix.to);
      this.verb = saved.verb;
      return { key: fix.value, kind: 'waypoint', to: fix.to, items: [index] };
    }
    return undefined;
  }

  private boundAt(i: number): { bound: string; to: number } | undefined {
    const table: readonly (readonly [readonly string[], string])[] = [
      [['at', 'or', 'above'], 'at_or_above'], [['at', 'or', 'below'], 'at_or_below'], [['at', 'or', 'higher'], 'at_or_above'], [['at', 'or', 'lower'], 'at_or_below'],
      [['not', 'above'], 'at_or_below'], [['not', 'below'], 'at_or_above'], [['not', 'higher', 'than'], 'at_or_below'], [['not', 'lower', 'than'], 'at_or_above'], [['no', 'lower', 'than'], 'at_or_above'],
      [['no', 'higher', 'than'], 'at_or_below'], [['above'], 'at_or_above'], [['below'], 'at_or_below'], [['remain', 'above'], 'at_or_above'], [['remain', 'below'], 'at_or_below'], [['maximum'], 'at_or_below'], [['minimum'], 'at_or_above'],
      [['not', 'to', 'exceed'], 'at_or_below'],
    ];
    for (const [words, bound] of table) if (this.is(i, ...words)) return { bound, to: i + words.length };
    return undefined;
  }

  /** "flight level one hundred", "four thousand feet", "altitude five thousand": only what is surely a level. */
  private levelAt(i: number, loose: boolean): { value: values.Value; to: number; unit?: string } | undefined {
    let to = i;
    let level = false;
    if (this.is(to, 'flight', 'level')) { to += 2; level = true; }
    else if (this.is(to, 'level')) { to += 1; level = true; }
    else if (this.oneOf(to, /^(?:altitude|alt)$/u)) to += 1;
    const reading = this.number(to);
    if (reading === undefined || reading.fraction !== undefined) return undefined;
    const unit = this.text(reading.to);
    if (level) return this.flightLevelFrom(reading);
    if (unit === 'feet' || unit === 'metres') {
      const value = values.altitude(reading.whole, unit === 'feet' ? 'ft' : 'm', reading.scaled);
      return value === undefined ? undefined : { value, to: reading.to + 1 };
    }
    if (reading.scaled && Number(reading.whole) >= 500 && !UNIT_WORDS.has(unit)) {
      const value = values.altitude(reading.whole, undefined, true);
      return value === undefined ? undefined : { value, to: reading.to };
    }
    if (!loose || UNIT_WORDS.has(unit)) return undefined;
    if (/^\d{4,5}$/u.test(reading.whole) && reading.whole.endsWith('00')) {
      const value = values.altitude(reading.whole, undefined, false);
      return value === undefined ? undefined : { value, to: reading.to };
    }
    if (/^\d{2,3}$/u.test(reading.whole) && this.hint === 'altitude') {
      const value = values.flightLevel(reading.whole);
      return value === undefined ? undefined : { value: { ...value, sure: value.sure * 0.85 }, to: reading.to };
    }
    return undefined;
  }

  /** The digits behind "flight level": two or three, whatever follows them. */
  private flightLevelFrom(reading: NumberReading): { value: values.Value; to: number } | undefined {
    if (reading.scaled || reading.whole.length <= 3) {
      const value = values.flightLevel(reading.whole) ?? values.altitude(reading.whole, undefined, reading.scaled);
      return value === undefined ? undefined : { value, to: reading.to };
    }
    const three = firstDigits(reading, 3);
    const two = firstDigits(reading, 2);
    const plausible = (digits: string | undefined): boolean => digits !== undefined && Number(digits) % 10 === 0 && Number(digits) <= 660 && Number(digits) >= 10;
    const chosen = plausible(three?.digits) ? three : plausible(two?.digits) ? two : (three ?? two);
    const value = chosen === undefined ? values.flightLevel(reading.whole.slice(0, 3)) : values.flightLevel(chosen.digits);
    return value === undefined ? undefined : { value: { ...value, sure: value.sure * 0.8 }, to: chosen?.to ?? reading.to };
  }

  private lastFixItem(_i: number): number | undefined {
    for (let index = this.items.length - 1; index >= 0; index--) if (this.items[index]?.slot === 'waypoint') return index;
    return undefined;
  }

  /** "the landing airbus", "landing traffic": traffic that is waited for. */
  private landingTraffic(i: number): boolean {
    let to = i;
    if (this.oneOf(to, /^(?:the|a|an|next|that|this)$/u)) to++;
    if (!this.oneOf(to, /^(?:landing|departing|arriving|preceding|next|crossing|opposite|company|first|second|inbound|outbound)$/u) && this.trafficAt(i) === undefined) return false;
    if (this.trafficAt(to) === undefined && this.trafficAt(to + 1) === undefined) return false;
    return true;
  }

  /** Token position behind a noun that names another aircraft or vehicle, or undefined. */
  private trafficAt(i: number): number | undefined {
    let to = i;
    if (this.oneOf(to, /^(?:the|a|an|that|this|your)$/u)) to++;
    let named = false;
    while (to < this.t.length && this.masked[to] !== true) {
      const token = this.t[to];
      if (token === undefined) break;
      if (/^(?:landing|departing|arriving|preceding|regional|company|heavy|light|single|engine|next|first|second|crossing|inbound|outbound|slow|opposite|lining|vacating|one|small|engined|twin|business|private|military|rescue)$/u.test(token.text) && (token.text !== 'one' || !named)) {
        if (token.text === 'heavy' || token.text === 'company' || token.text === 'preceding') {
          named = true;
        }
        if (token.text === 'one' && !this.oneOf(to - 1, /^(?:the|that|landing|departing|preceding)$/u)) break;
        if (token.text === 'one') named = true;
        to++;
        continue;
      }
      if (TRAFFIC_KINDS.has(token.text) && !['departure', 'arrival', 'triple'].includes(token.text)) {
        named = true;
        to++;
        // "airbus three twenty", "boeing seven three seven", "embraer one ninety"
        const model = this.number(to);
        if (model !== undefined && model.fraction === undefined && !model.scaled && model.whole.length >= 2 && model.whole.length <= 3 && /^(?:airbus|boeing|embraer|dash|citation|falcon|challenger|cessna|saab|atr|crj|gulfstream|md80|heavy|triple|piper|pilatus)$/u.test(token.text)) to = model.to;
        continue;
      }
      if (token.text === 'triple' && this.is(to + 1, 'seven')) { to += 2; named = true; continue; }
      if (/^(?:follow)$/u.test(token.text) && this.is(to + 1, 'me')) { to += this.is(to + 2, 'car') ? 3 : 2; named = true; continue; }
      break;
    }
    if (!named) return undefined;
    // where it is
    if (this.is(to, 'on') && this.oneOf(to + 1, /^(?:final|short|finals|long|base|downwind|the|your|approach|rollout)$/u)) {
      let end = to + 1;
      while (this.oneOf(end, /^(?:the|your|short|long|final|finals|base|downwind|left|right|runway|approach|hand|side|rollout)$/u)) end++;
      to = end;
    } else if (this.is(to, 'ahead')) to += this.is(to + 1, 'of', 'you') ? 3 : 1;
    else if (this.oneOf(to, /^(?:landing|departing|vacating|crossing)$/u) && this.oneOf(to + 1, /^(?:runway)?$/u) && this.t[to + 1] === undefined) to += 1;
    return to;
  }

  /** "behind the landing airbus on short final [line up … behind]" (conventions 9, 10). */
  private behind(i: number): boolean {
    const from = i;
    let to = i + 1;
    if (this.is(i, 'behind') && (this.t[to] === undefined || this.masked[to] === true || this.at >= this.t.length - 1)) {
      // the closing "behind" of a conditional clearance
      if (this.conditions.some((condition) => condition.kind === 'traffic')) {
        this.mark(i, i + 1, 'condition');
        this.at = i + 1;
        return true;
      }
      return false;
    }
    const sequencing = this.action === 'sequence_control' && this.verb !== undefined;
    const traffic = this.trafficAt(to) ?? this.namedTrafficAt(to);
    if (traffic === undefined) {
      if (this.is(i, 'behind') && this.conditions.some((condition) => condition.kind === 'traffic')) {
        this.mark(i, i + 1, 'condition');
        this.at = i + 1;
        return true;
      }
      return false;
    }
    if (sequencing && this.is(i, 'behind')) {
      this.mark(i, i + 1, 'relation');
      this.mark(to, traffic, 'traffic');
      const index = this.addItem('traffic', { value: this.trafficKey(to, traffic), sure: 0.9 }, to, traffic);
      void index;
      this.at = traffic;
      return true;
    }
    to = traffic;
    // "behind traffic on final", "behind the departing aircraft passing echo"
    this.mark(from, to, 'condition');
    const index = this.addItem('traffic', { value: this.trafficKey(from + 1, to), sure: 0.9 }, from + 1, to, { modality: 'information' });
    this.addCondition('traffic', `behind:${this.trafficKey(from + 1, to)}`, from, to, [index]);
    this.at = to;
    return true;
  }

  /** "behind lufthansa", "behind you": an operator's name instead of a type. */
  private namedTrafficAt(i: number): number | undefined {
    let to = i;
    if (this.oneOf(to, /^(?:the|a|an)$/u)) to++;
    const word = this.t[to];
    if (word === undefined || this.masked[to] === true || word.number !== undefined || word.letter !== undefined || PLACES.has(word.text)) return undefined;
    if (isKnownWord(word.text)) return undefined;
    to++;
    const reading = this.number(to);
    if (reading !== undefined && reading.fraction === undefined && reading.whole.length <= 4 && !UNIT_WORDS.has(this.text(reading.to))) to = reading.to;
    return to;
  }

  private trafficKey(from: number, to: number): string {
    const words = this.t.slice(from, to).map((token) => token.text).filter((word) => !/^(?:the|a|an|that|this|on|short|long|final|finals|your|aircraft|traffic|one|ahead|of|you|is|engine|next)$/u.test(word));
    let text = words.join(' ');
    const model = /(?:airbus|boeing|a|b) ?((?:[a-z]+ ?)+|\d+)$/u.exec(text);
    if (model !== null) {
      const at = this.t.slice(from, to).findIndex((token) => token.text === 'airbus' || token.text === 'boeing');
      const reading = at < 0 ? undefined : this.number(from + at + 1);
      if (at >= 0 && reading !== undefined) text = words.filter((word) => /^(?:landing|departing|arriving|preceding|crossing|heavy)$/u.test(word)).concat((this.text(from + at) === 'airbus' ? 'a' : 'b') + reading.whole).join(' ');
    }
    text = text.replace(/arriving/gu, 'landing');
    const phase = this.t.slice(from, to).some((token) => /^(?:final|finals)$/u.test(token.text)) && !/landing/u.test(text) ? 'landing' : '';
    return [phase, text].filter((part) => part !== '').join(' ').replace(/ /gu, '_').toUpperCase() || 'TRAFFIC';
  }

  /** "at KILNU", "at four miles", "at time 05", "at your discretion". */
  private atGate(i: number): boolean {
    if (this.oneOf(i + 1, /^(?:own|your|my|pilots|pilot's)$/u) && this.is(i + 2, 'discretion')) {
      this.mark(i, i + 3, 'condition');
      this.addCondition('procedural', 'when:ready', i, i + 3, []);
      this.at = i + 3;
      return true;
    }
    if (this.oneOf(i + 1, /^(?:pilot|pilots)$/u) && this.is(i + 2, 'discretion')) return false;
    if (this.verb === 'hold' || this.verb === 'stop_climb' || this.verb === 'stop_descent') return false;
    const reading = this.number(i + 1);
    if (reading !== undefined) {
      if (this.oneOf(reading.to, /^(?:miles|dme)$/u) || this.is(i + 1, 'time')) {
        const found = this.gateTarget(i + 1, 'at');
        if (found !== undefined) {
          this.mark(i, found.to, 'condition');
          this.addCondition(found.kind, `at:${found.key}`, i, found.to, found.items);
          this.at = found.to;
          return true;
        }
      }
      return false;
    }
    if (this.is(i + 1, 'time') || this.is(i + 1, 'dme')) {
      const found = this.gateTarget(i + 1, 'at');
      if (found === undefined) return false;
      this.mark(i, found.to, 'condition');
      this.addCondition(found.kind, `at:${found.key}`, i, found.to, found.items);
      this.at = found.to;
      return true;
    }
    if (this.ground) return false;
    const fix = this.fixAt(i + 1);
    if (fix === undefined || fix.sure < 0.7 || PLACES.has(this.text(i + 1))) return false;
    // a controller's "at KILNU turn left": an instruction goes with it
    this.mark(i, fix.to, 'condition');
    const index = this.addItem('waypoint', { value: fix.value, sure: fix.sure }, i + 1, fix.to);
    this.addCondition('waypoint', `at:${fix.value}`, i, fix.to, [index]);
    this.at = fix.to;
    return true;
  }

  /** "to be level by KILNU": label apart (conventions 5), the condition keeps both. */
  private byGate(i: number): boolean {
    if (this.hint === 'heading' || this.verb === 'turn_left' || this.verb === 'turn_right') return false;
    const found = this.gateTarget(i + 1, 'by');
    if (found === undefined || (found.kind !== 'waypoint' && found.kind !== 'distance' && found.kind !== 'time')) return false;
    let from = i;
    if (this.is(i - 1, 'level')) from = i - 1;
    if (this.is(from - 1, 'be')) from--;
    if (this.is(from - 1, 'to')) from--;
    this.mark(from, i + 1, 'condition');
    this.mark(i + 1, found.to, found.kind === 'waypoint' ? 'waypoint' : 'condition');
    this.addCondition(found.kind, `before:${found.key}`, from, found.to, found.items);
    this.at = found.to;
    return true;
  }

  private fixedCondition(i: number): boolean {
    const patterns: readonly (readonly [RegExp, Condition['kind'], string])[] = [
      [/^initially\b/u, 'procedural', 'initially'],
      [/^(?:at )?(?:pilots?'?s?|own|your|my) (?:own )?(?:discretion|convenience)\b/u, 'procedural', 'when:ready'],
      [/^own discretion\b/u, 'procedural', 'when:ready'],
      [/^due (?:to )?[a-z]+(?: [a-z]+)?\b/u, 'procedural', ''],
      [/^for (?:spacing|separation|sequencing|sequence|traffic|noise abatement|delay|delaying action)\b/u, 'procedural', ''],
      [/^vectors? (?:to|for) (?:the )?(?:final(?: approach)?|ils|visual|rnav|rnp|localizer|spacing|sequence|separation|approach|downwind|base|short approach)(?: (?:zulu|yankee|xray))?(?: approach)?\b/u, 'procedural', ''],
      [/^(?:radar )?vector(?:ing|s) (?:to|for) (?:a |the )?(?:final(?: approach)?|short approach|ils|visual|rnav|rnp|localizer|spacing|sequence|separation|approach|downwind|base)(?: (?:zulu|yankee|xray))?(?: approach)?\b/u, 'procedural', ''],
      [/^(?:radar )?vector(?:ing|s)\b/u, 'procedural', ''],
      [/^(?:for (?:the )?)?vectors\b/u, 'procedural', ''],
      [/^to (?:intercept|establish|join)(?: (?:the|on))*(?: (?:localizer|ils|final|approach|track|radial|course|glidepath|downwind|base))*\b/u, 'procedural', ''],
      [/^without delay\b/u, 'procedural', ''],
      [/^within (?:the )?[a-z]+\b/u, 'procedural', ''],
      [/^in sequence\b/u, 'procedural', ''],
    ];
    const rest = this.t.slice(i, i + 9).map((token, offset) => (this.masked[i + offset] === true ? '|' : token.text)).join(' ');
    for (const [pattern, kind, key] of patterns) {
      const match = pattern.exec(rest);
      if (match === null) continue;
      const count = match[0].split(' ').length;
      if (match[0] === 'without delay') {
        this.mark(i, i + count, 'attribute');
        this.at = i + count;
        return true;
      }
      if (/^to (?:intercept|establish|join)/u.test(match[0]) && !(this.verb === 'turn_left' || this.verb === 'turn_right' || this.verb === 'fly_heading' || this.verb === 'continue_heading' || this.verb === 'maintain' || this.items.some((item) => item.slot === 'heading'))) continue;
      if (match[0].startsWith('due') && this.oneOf(i + 1, /^(?:north|south|east|west)$/u)) continue;
      this.mark(i, i + count, 'condition');
      if (key !== '') this.addCondition(kind, key, i, i + count, []);
      this.at = i + count;
      return true;
    }
    return false;
  }

  /** "or less", "or greater", "maximum", "minimum" around a speed. */
  private boundOnly(i: number): boolean {
    if (!this.is(i, 'or')) return false;
    const less = this.oneOf(i + 1, /^(?:less|below|slower|lower)$/u);
    const greater = this.oneOf(i + 1, /^(?:greater|more|above|faster|higher|better)$/u);
    if (!less && !greater) return false;
    const last = this.items[this.items.length - 1];
    const bound = last?.slot === 'altitude' ? (less ? 'at_or_below' : 'at_or_above') : less ? 'or_less' : 'or_greater';
    this.mark(i, i + 2, 'condition');
    if (last !== undefined && (last.slot === 'speed' || last.slot === 'altitude' || last.slot === 'vertical_rate')) {
      last.bound = bound;
      this.addCondition(last.slot === 'altitude' ? 'altitude' : 'speed', `bound:${bound}:${last.value}`, i, i + 2, [this.items.length - 1]);
    }
    this.at = i + 2;
    return true;
  }

  /** Status and advisories: radar contact, wind, QNH, squawk, information, traffic, caution. */
  private advisory(i: number): boolean {
    const done = (to: number): true => {
      this.mark(i, to, 'condition');
      this.at = to;
      return true;
    };
    const text = this.text(i);
    switch (text) {
      case 'radar':
        if (this.is(i, 'radar', 'contact')) return done(i + 2);
        if (this.is(i, 'radar', 'identified')) return done(i + 2);
        if (this.oneOf(i + 1, /^(?:service|services|control)$/u)) return done(this.oneOf(i + 2, /^(?:terminated|terminates|is)$/u) ? (this.is(i + 2, 'is') ? i + 4 : i + 3) : i + 2);
        if (this.oneOf(i + 1, /^(?:terminated|terminates)$/u)) return done(i + 2);
        return false;
      case 'identified':
        this.signs.information = true;
        return done(i + 1);
      case 'service':
        return this.oneOf(i + 1, /^(?:terminated|terminates)$/u) ? done(i + 2) : false;
      case 'caution':
        return done(Math.max(this.clauseEnd(i + 1, true), i + 1));
      case 'wind':
        return this.wind(i);
      case 'qnh':
      case 'altimeter':
      case 'qfe':
        return this.pressure(i);
      case 'squawk':
      case 'squawking':
      case 'transponder':
        return this.squawk(i);
      case 'ident':
        this.addCommand('ident', 'contact', i, i + 1);
        return done(i + 1);
      case 'information':
      case 'info':
      case 'atis': {
        const letter = this.letter(i + 1);
        if (letter === undefined || PLACES.has(this.text(i - 1)) || unitAt(this.t, i) === i + 1 && this.letter(i + 1) === undefined) return false;
        this.addItem('information', { value: letter, sure: 1 }, i, i + 2, { modality: this.input.likelyPilot ? 'report' : 'information' });
        return done(i + 2);
      }
      case 'traffic':
        return this.traffic(i);
      case 'time': {
        const from = this.is(i + 1, 'check') || this.is(i + 1, 'is') ? i + 2 : i + 1;
        const reading = this.number(from);
        const value = reading === undefined ? undefined : values.clockTime(reading.whole);
        if (reading === undefined || value === undefined) return false;
        this.addItem('time', value, i, reading.to, { modality: 'information' });
        return done(reading.to);
      }
      case 'transition': {
        if (!this.is(i + 1, 'level')) return false;
        const from = this.is(i + 2, 'is') ? i + 3 : i + 2;
        const reading = this.number(from);
        const value = reading === undefined ? undefined : values.flightLevel(reading.whole);
        if (reading === undefined || value === undefined) return done(i + 2);
        this.addItem('transition_level', value, i, reading.to, { modality: this.effectiveModality() });
        return done(reading.to);
      }
      case 'expect':
      case 'expecting':
        return this.expect(i);
      default: {
        // wind without the word: "two five zero degrees one two knots"
        const reading = this.number(i);
        if (reading?.fraction === undefined && reading !== undefined && /^\d{2,3}$/u.test(reading.whole) && this.is(reading.to, 'degrees')) {
          const speed = this.number(this.is(reading.to + 1, 'at') || this.is(reading.to + 1, 'with') || this.is(reading.to + 1, 'is') ? reading.to + 2 : reading.to + 1);
          if (speed !== undefined && (this.is(speed.to, 'knots') || this.is(speed.to, 'gusting')) && speed.whole.length <= 2) return this.wind(i, i);
        }
        return false;
      }
    }
  }

  private wind(i: number, from = i + 1): boolean {
    let at = from;
    while (this.oneOf(at, /^(?:is|at|check|now|from|the|surface|currently|variable|in|and)$/u)) at++;
    if (this.is(at, 'calm')) {
      this.addItem('wind', { value: 'CALM', sure: 1 }, i, at + 1, { modality: 'information' });
      this.mark(i, at + 1, 'condition');
      this.at = at + 1;
      return true;
    }
    const direction = this.number(at);
    if (direction === undefined) {
      this.mark(i, Math.max(at, i + 1), 'condition');
      this.at = Math.max(at, i + 1);
      return true;
    }
    let to = direction.to;
    let degrees = direction.whole;
    let knots: string | undefined;
    if (direction.whole.length >= 4 && direction.whole.length <= 5) {
      const head = firstDigits(direction, 3);
      if (head !== undefined) {
        degrees = head.digits;
        knots = direction.whole.slice(3);
      }
    } else if (direction.whole.length > 5) {
      // no unit between the numbers: three digits direction, then the speed before its unit
      const head = firstDigits(direction, 3);
      const tail = this.is(direction.to, 'knots') ? direction.whole.slice(3) : direction.whole.slice(3, 5);
      if (head !== undefined) {
        degrees = head.digits;
        const cut = firstDigits(direction, 3 + Math.min(2, tail.length));
        knots = cut === undefined ? tail : direction.whole.slice(3, 3 + Math.min(2, tail.length));
        to = cut?.to ?? direction.to;
      }
    }
    if (knots === undefined) {
      let next = to;
      while (this.oneOf(next, /^(?:degrees|at|with|is|and)$/u)) next++;
      const speed = this.number(next);
      if (speed !== undefined && speed.fraction === undefined && speed.whole.length <= 2) {
        knots = speed.whole;
        to = speed.to;
      } else if (next > to && this.is(to, 'degrees')) to = to + 1;
    }
    if (this.is(to, 'knots')) to++;
    let gust: string | undefined;
    let after = to;
    while (this.oneOf(after, /^(?:gusting|gusts|gust|maximum|up|to)$/u)) after++;
    if (after > to) {
      const strong = this.number(after);
      if (strong !== undefined && strong.whole.length <= 2) {
        gust = strong.whole;
        to = this.is(strong.to, 'knots') ? strong.to + 1 : strong.to;
      }
    }
    const value = knots === undefined ? undefined : values.wind(degrees, knots, gust);
    this.mark(i, to, 'condition');
    if (value !== undefined) this.addItem('wind', value, i, to, { modality: 'information' });
    this.signs.information = true;
    this.at = to;
    return true;
  }

  private pressure(i: number): boolean {
    const inches = this.is(i, 'altimeter');
    let at = i + 1;
    while (this.oneOf(at, /^(?:is|now|set|setting|of|the)$/u) || (PLACES.has(this.text(at)) && this.number(at + 1) !== undefined)) at++;
    const reading = this.number(at);
    if (reading === undefined) {
      this.mark(i, i + 1, 'condition');
      this.at = i + 1;
      return true;
    }
    let to = reading.to;
    let { whole } = reading;
    if (reading.fraction === undefined && whole.length > 4) {
      const length = whole.startsWith('9') ? 3 : 4;
      const cut = firstDigits(reading, length);
      if (cut !== undefined) {
        whole = cut.digits;
        to = cut.to;
      }
    }
    const value = values.pressure(whole, reading.fraction, inches);
    if (this.oneOf(to, /^(?:hectopascals|inches)$/u)) to++;
    this.mark(i, to, 'condition');
    if (value !== undefined && this.text(i) !== 'qfe') this.addItem('qnh', value, i, to, { verb: 'set_qnh', ...(this.modality === 'request' ? { modality: 'report' } : {}) });
    this.at = to;
    return true;
  }

  private squawk(i: number): boolean {
    let at = i + 1;
    while (this.oneOf(at, /^(?:code|is|mode|transponder|code|on|now|assigned|alfa|charlie)$/u)) at++;
    if (this.is(at, 'ident')) {
      this.addCommand('ident', 'contact', i, at + 1);
      this.mark(i, at + 1, 'condition');
      this.at = at + 1;
      return true;
    }
    if (this.oneOf(at, /^(?:standby|vfr|ifr)$/u)) {
      this.mark(i, at + 1, 'condition');
      this.at = at + 1;
      return true;
    }
    const reading = this.number(at);
    if (reading === undefined) {
      this.mark(i, i + 1, 'condition');
      this.at = i + 1;
      return true;
    }
    const cut = reading.whole.length > 4 && !reading.scaled ? firstDigits(reading, 4) : undefined;
    const written = reading.atoms.length === 1;
    const value = values.squawk(cut !== undefined && !written ? cut.digits : reading.whole);
    let to = cut !== undefined && !written ? cut.to : reading.to;
    if (value !== undefined) this.addItem('squawk', value, i, to, { verb: 'squawk', action: this.action ?? 'clearance' });
    if (this.is(to, 'ident') || this.is(to, 'and', 'ident')) {
      const end = this.is(to, 'ident') ? to + 1 : to + 2;
      this.addCommand('ident', 'contact', to, end);
      to = end;
    }
    this.mark(i, to, 'condition');
    this.at = to;
    return true;
  }

  /** Traffic information: what, where; the aircraft's own name apart (conventions 6). */
  private traffic(i: number): boolean {
    if (this.oneOf(i + 1, /^(?:in|is|not)$/u) && (this.is(i + 2, 'sight') || this.is(i + 3, 'sight'))) {
      this.signs.report = true;
      const to = this.is(i + 2, 'sight') ? i + 3 : i + 4;
      this.mark(i, to, 'condition');
      this.at = to;
      return true;
    }
    this.signs.information = true;
    let to = i + 1;
    let aircraft: [number, number] | undefined;
    while (to < this.t.length && this.masked[to] !== true) {
      const kind = this.trafficAt(to);
      if (kind !== undefined && !this.is(to, 'traffic') && aircraft === undefined) {
        aircraft = [to, kind];
        break;
      }
      const text = this.text(to);
      if (this.number(to) !== undefined) {
        const reading = this.number(to);
        to = reading?.to ?? to + 1;
        continue;
      }
      if (text === 'report' || text === 'wind' || text === 'qnh' || text === 'runway' || text === 'cleared' || text === 'contact' || text === 'confirm' || text === 'number' || text === 'join' || text === 'do' || text === 'are' || text === 'break') break;
      const [phrase] = phrasesAt(text).filter((p) => p.words.every((word, offset) => this.text(to + offset) === word));
      if (phrase !== undefined && !/^(?:left|right|crossing|climbing|descending|maintaining|proceeding|inbound|turning|joining|departing|landing|base|final|finals|downwind|to|direct|cross|up|down|keep|reducing|following|proceed)$/u.test(text)) break;
      to++;
    }
    this.mark(i, to, 'condition');
    if (aircraft !== undefined) {
      this.mark(aircraft[0], aircraft[1], 'traffic');
      this.addItem('traffic', { value: this.trafficKey(aircraft[0], aircraft[1]), sure: 0.8 }, aircraft[0], aircraft[1], { modality: 'information' });
      to = aircraft[1];
      const end = this.clauseEnd(to, true);
      if (end > to) this.mark(to, end, 'condition');
      to = Math.max(to, end);
    }
    this.at = to;
    this.reset();
    return true;
  }

  /** "expect …": information about what comes later; the runway stays apart (conventions 6). */
  private expect(i: number): boolean {
    let at = i + 1;
    this.modality = 'expect';
    this.closeVerb();
    this.mark(i, i + 1, 'condition');
    const save = this.verb;
    this.verb = 'expect';
    this.action = undefined;
    while (at < this.t.length && this.masked[at] !== true) {
      const text = this.text(at);
      if (text === 'runway') break;
      const approach = APPROACH_TYPES.get(text);
      if (approach !== undefined && !(text === 'contact')) {
        const variant = this.letter(at + 1);
        const to = variant !== undefined && /^[W-Z]$/u.test(variant) ? at + 2 : at + 1;
        this.mark(at, to, 'condition');
        this.addItem('approach', { value: approach + (to > at + 1 ? (variant ?? '') : ''), sure: 1 }, at, to, { modality: 'expect' });
        at = to;
        this.hint = 'runway';
        continue;
      }
      const level = this.levelAt(at, false);
      if (level !== undefined) {
        this.addItem('altitude', level.value, at, level.to, { modality: 'expect' });
        this.mark(at, level.to, 'condition');
        at = level.to;
        continue;
      }
      const reading = this.number(at);
      if (reading !== undefined) {
        if (this.oneOf(reading.to, /^(?:miles|dme|minutes)$/u)) {
          this.addItem(this.is(reading.to, 'minutes') ? 'time' : 'distance', { value: reading.whole + (reading.fraction === undefined ? '' : `.${reading.fraction}`), unit: this.is(reading.to, 'minutes') ? 'min' : 'nm', sure: 1 }, at, reading.to + 1, { modality: 'expect' });
          this.mark(at, reading.to + 1, 'condition');
          at = reading.to + 1;
          continue;
        }
        if (this.oneOf(reading.to, /^(?:knots|degrees)$/u)) {
          const speed = this.is(reading.to, 'knots') ? values.speed(reading.whole) : values.heading(reading.whole);
          if (speed !== undefined) this.addItem(this.is(reading.to, 'knots') ? 'speed' : 'heading', speed, at, reading.to + 1, { modality: 'expect' });
          this.mark(at, reading.to + 1, 'condition');
          at = reading.to + 1;
          continue;
        }
        const runway = this.hint === 'runway' || SIDES.has(this.text(reading.to)) ? this.runwayAt(at) : undefined;
        if (runway !== undefined) break;
        this.mark(at, reading.to, 'condition');
        at = reading.to;
        continue;
      }
      if (this.is(at, 'further') || this.oneOf(at, /^(?:climb|descent|descend|higher|lower|vectors|vectoring|approach|straight|short|delay|no|late|landing|clearance|left|right|hand|circuit|departure|the|a|an|to|in|at|for|about|after|you|can|direct|line|up|holding|hold|turn|base|final|route|shortcut|clearence|airwork|four|oskup|before|of|via)$/u) || fixLike(this.t[at], this.masked[at])) {
        if (this.oneOf(at, /^(?:at|after|via|direct|over|in)$/u)) {
          const fix = this.fixAt(at + 1);
          if (fix !== undefined) {
            this.addItem('waypoint', { value: fix.value, sure: fix.sure * 0.9 }, at + 1, fix.to, { modality: 'expect' });
            this.mark(at, fix.to, 'condition');
            at = fix.to;
            continue;
          }
        }
        this.mark(at, at + 1, 'condition');
        at++;
        continue;
      }
      break;
    }
    if (!this.items.some((item) => item.modality === 'expect' && item.span[0] >= (this.t[i]?.from ?? 0))) this.addCommand('expect', 'clearance', i, at, [], 'expect');
    this.at = at;
    this.verb = 'expect';
    void save;
    return true;
  }

  /** "report …" from a controller; what is to be reported is not a value to fly. */
  private report(i: number): boolean {
    const text = this.text(i);
    if (text === 'reporting' || text === 'reported') {
      this.signs.report = true;
      this.mark(i, i + 1, 'condition');
      this.verb = 'report';
      this.at = i + 1;
      return true;
    }
    if (/^(?:passing|leaving|out|through|maintaining|reaching|levelling|leveling|below|above|approaching|passed)$/u.test(text)) {
      const to = this.is(i, 'out', 'of') ? i + 2 : this.is(i + 1, 'through') ? i + 2 : i + 1;
      if (text === 'out' && to === i + 1) return false;
      const level = this.levelAt(to, false) ?? (text === 'passing' || text === 'leaving' || text === 'maintaining' || text === 'out' ? this.bareLevel(to) : undefined);
      if (level === undefined) return false;
      if (text === 'maintaining') return false;
      this.mark(i, to, 'condition');
      this.mark(to, level.to, 'altitude');
      this.signs.report = true;
      this.addItem('altitude', level.value, i, level.to, { modality: 'report' });
      const item = this.items[this.items.length - 1];
      if (item !== undefined) delete item.verb;
      this.at = level.to;
      return true;
    }
    if (text !== 'report') return false;
    if (this.verb === undefined && this.openVerb !== undefined) this.closeVerb();
    this.closeVerb();
    const from = i;
    let at = i + 1;
    const items: number[] = [];
    const save = this.modality;
    this.verb = 'report';
    this.action = undefined;
    while (at < this.t.length && this.masked[at] !== true) {
      const text2 = this.text(at);
      if (text2 === 'runway') break;
      if (/^(?:wind|qnh|squawk|contact|cleared|clear|report|traffic|expect|taxi|number|information|line|hold|cross|monitor|continue|if|break|confirm|then|and)$/u.test(text2) && at > i + 1) {
        if (text2 === 'then' || text2 === 'and') {
          // "report passing … and climb …": the next words are an instruction
          const next = phrasesAt(this.text(at + 1)).find((p) => p.words.every((word, offset) => this.text(at + 1 + offset) === word));
          if (next !== undefined || /^(?:expect|squawk|contact|report)$/u.test(this.text(at + 1))) break;
        } else if (text2 === 'number' || text2 === 'traffic') {
          if (!this.is(at + 1, 'in', 'sight')) break;
        } else break;
      }
      if (text2 === 'final' || text2 === 'finals' || text2 === 'established' || text2 === 'downwind' || text2 === 'base') {
        at++;
        continue;
      }
      const level = this.levelAt(at, false) ?? (this.oneOf(at - 1, /^(?:passing|leaving|reaching|through|level)$/u) ? this.bareLevel(at) : undefined);
      if (level !== undefined) {
        items.push(this.addItem('altitude', level.value, at, level.to, { modality: 'information', verb: 'report' }));
        at = level.to;
        continue;
      }
      const reading = this.number(at);
      if (reading !== undefined) {
        if (this.oneOf(reading.to, /^(?:miles|dme)$/u)) {
          items.push(this.addItem('distance', { value: String(Number(reading.whole)), unit: 'nm', sure: 1 }, at, reading.to + 1, { modality: 'information', verb: 'report' }));
          at = reading.to + 1;
          continue;
        }
        if (this.oneOf(at - 1, /^(?:final|base|downwind|ils|on|for)$/u)) break;
        at = reading.to;
        continue;
      }
      const phrase = phrasesAt(text2).find((p) => p.words.every((word, offset) => this.text(at + offset) === word));
      if (phrase !== undefined && !phrase.progressive && !/^(?:left|right|final|base|downwind|speed|heading|approved|is|are|up|down|turn|hold|to|start|startup|pushback|vacate|vacated|clear|go|orbit|climb|descent)$/u.test(text2)) break;
      const gate = this.oneOf(at, /^(?:passing|leaving|reaching|overhead|over|at|abeam|crossing|approaching|when|position)$/u) ? at + 1 : at;
      const fix = gate > at || at === i + 1 ? this.fixAt(gate) : undefined;
      if (fix !== undefined && fix.sure >= 0.5) {
        items.push(this.addItem('waypoint', { value: fix.value, sure: fix.sure }, gate, fix.to, { modality: 'information', verb: 'report' }));
        at = fix.to;
        continue;
      }
      at++;
    }
    this.mark(from, Math.max(at, i + 1), 'condition');
    this.addCommand('report', this.action ?? 'contact', from, Math.max(at, i + 1), items, save === 'request' || save === 'question' ? save : this.effectiveModality());
    this.at = Math.max(at, i + 1);
    this.hint = this.oneOf(this.at - 1, /^(?:final|finals|established|downwind|base)$/u) ? 'runway' : undefined;
    return true;
  }

  /** A level without a carrier word after "passing": two or three digits, or a written figure. */
  private bareLevel(i: number): { value: values.Value; to: number } | undefined {
    const reading = this.number(i);
    if (reading === undefined || reading.fraction !== undefined || UNIT_WORDS.has(this.text(reading.to))) return undefined;
    if (/^\d{2,3}$/u.test(reading.whole)) {
      const value = values.flightLevel(reading.whole);
      return value === undefined ? undefined : { value: { ...value, sure: value.sure * 0.8 }, to: reading.to };
    }
    const value = /^\d{4,5}$/u.test(reading.whole) ? values.altitude(reading.whole, undefined, false) : undefined;
    return value === undefined ? undefined : { value, to: reading.to };
  }

  /** Where the words of a clause end: at the next slot, phrase, callsign or the end. */
  private clauseEnd(i: number, loose = false): number {
    let to = i;
    while (to < this.t.length && this.masked[to] !== true) {
      const text = this.text(to);
      if (this.t[to]?.pause === true && to > i) break;
      if (/^(?:runway|heading|flight|qnh|squawk|wind|report|expect|contact|cleared|roger|and|then|correction|break|confirm)$/u.test(text) && !(loose && text === 'and')) break;
      const phrase = phrasesAt(text).find((p) => p.kind !== 'short' && p.words.every((word, offset) => this.text(to + offset) === word));
      if (phrase !== undefined && !(loose && /^(?:crossing|climbing|descending|proceeding|inbound|maintaining|landing|approved|is|are|base|final|downwind|direct|start|departing)$/u.test(text))) break;
      if (this.number(to) !== undefined && !loose) break;
      to++;
    }
    return to;
  }

  // --- clearances with a complement ---

  /** "cleared [for] [the] ils zulu approach", "cleared visual", "cleared to <place> via <procedure>". */
  private clearedPhrase(i: number): boolean {
    if (!this.oneOf(i, /^(?:cleared|clear|recleared|request|requesting|for)$/u)) return false;
    const verbWord = this.text(i);
    if (verbWord === 'for' && this.pendingRequest === undefined) return false;
    let at = i + 1;
    while (this.oneOf(at, /^(?:for|the|to|a|an|straight|in|full|short|circling)$/u)) at++;
    const type = APPROACH_TYPES.get(this.text(at));
    const bare = this.is(at, 'approach');
    if (type === undefined && !bare) return false;
    if (this.text(at) === 'visual' && this.oneOf(at + 1, /^(?:departure|separation|climb)$/u)) return false;
    if (this.text(at) === 'vfr' || (this.text(at) === 'contact' && !this.is(at + 1, 'approach'))) return false;
    let to = at + 1;
    let variant = '';
    if (type !== undefined) {
      const letter = this.letter(to);
      if (letter !== undefined && /^[P-Z]$/u.test(letter)) {
        variant = letter;
        to++;
      }
      if (this.is(to, 'dme')) to++;
      if (this.is(to, 'approach')) to++;
    }
    this.closeVerb();
    const from = this.pendingRequest === i - 1 && this.pendingRequest !== undefined ? i - 1 : i;
    this.mark(from, to, 'clearance');
    this.verb = 'cleared_approach';
    this.action = 'clearance';
    if (this.modality === 'expect' || this.modality === 'information') this.modality = 'command';
    if (verbWord.startsWith('request')) this.modality = 'request';
    const items: number[] = [];
    if (type !== undefined) items.push(this.addItem('approach', { value: type + variant, sure: 1 }, at, to, { verb: 'cleared_approach', action: 'clearance' }));
    this.addCommand('cleared_approach', 'clearance', from, to, items);
    this.openVerb = undefined;
    this.hint = 'runway';
    this.expectFix = false;
    this.path = false;
    this.at = to;
    return true;
  }

  // --- action phrases ---

  private phrase(i: number): boolean {
    for (const phrase of phrasesAt(this.text(i))) {
      if (!phrase.words.every((word, offset) => this.text(i + offset) === word)) continue;
      if (this.takePhrase(phrase, i)) return true;
    }
    return false;
  }

  private takePhrase(phrase: Phrase, start: number): boolean {
    let i = start;
    const to = i + phrase.words.length;
    const request = this.pendingRequest;
    if (request !== undefined && request >= i - 2 && this.t.slice(request + 1, i).every((token) => /^(?:to|a|the|for|engine|further|an)$/u.test(token.text))) i = request;
    const begin = (p: Pick<Phrase, 'verb' | 'label' | 'hint'> = phrase): true => {
      this.noteForm(phrase);
      this.begin(p, i, to);
      return true;
    };
    const command = (p: Pick<Phrase, 'verb' | 'label' | 'hint'> = phrase): true => {
      this.noteForm(phrase);
      this.beginCommand(p, i, to);
      return true;
    };
    const next = this.text(to);
    switch (phrase.kind) {
      case 'value':
        if (phrase.words[0] === 'speed' && phrase.words.length === 1) return this.speedWord(start);
        if (phrase.verb === 'turn_left' || phrase.verb === 'turn_right' || phrase.verb === 'turn') {
          // on the ground a turn is part of the taxi route
          if (this.ground && !this.headingAhead(to)) {
            if (phrase.verb === 'turn' && /^(?:base|final|downwind|in|out|around)$/u.test(next)) return command({ verb: 'join_pattern', label: 'clearance', hint: undefined });
            const begun = begin({ verb: phrase.verb, label: 'taxiway_instruction', hint: undefined });
            this.path = true;
            return begun;
          }
          if (/^(?:base|final|downwind|crosswind|out|upwind)$/u.test(next)) {
            this.noteForm(phrase);
            this.beginCommand({ verb: 'join_pattern', label: 'clearance', hint: 'runway' }, i, to + 1);
            return true;
          }
        }
        if (phrase.verb === 'contact' && this.is(start, 'contact') && (this.oneOf(start - 1, /^(?:radar|in|visual|lost)$/u))) return false;
        return begin();
      case 'command':
        if (phrase.verb === 'hold_short' && phrase.words[0] === 'holding') this.signs.report ||= this.input.likelyPilot;
        if (phrase.verb === 'approved') return this.approved(phrase, i, to);
        if (phrase.verb === 'number' && phrase.words[0] === 'sequenced') return command();
        if (phrase.words.join(' ') === 'stop descent' || phrase.words.join(' ') === 'stop climb') return command();
        if (phrase.verb === 'intercept' && phrase.words[0] === 'to') return false;
        return command();
      case 'short': {
        const side = this.text(start);
        if (side === 'left' || side === 'right') {
          if (this.oneOf(start - 1, /^(?:the|to|on|your|hand|from|next)$/u) && !this.is(start - 1, 'to', side) ) return false;
          if (this.oneOf(start - 1, /^(?:from|the|your)$/u)) return false;
          if (this.oneOf(to, /^(?:hand|downwind|base|final|circuit|side|crosswind|pattern)$/u)) return false;
          if (this.is(to, 'to', 'right') || this.is(to, 'to', 'left') || this.is(start - 1, 'to')) return false;
          if (this.headingAhead(to) || (this.text(to) === 'by' && this.number(to + 1) !== undefined) || (this.is(to, 'to') && this.number(to + 1) !== undefined)) return begin();
          if (this.is(to, 'direct') || this.is(to, 'to') && this.fixAt(to + 1) !== undefined) return begin();
          if (this.ground && (this.oneOf(to, /^(?:on|via|onto|into|taxiway)$/u) || this.letter(to) !== undefined)) {
            const begun = begin({ verb: side === 'left' ? 'turn_left' : 'turn_right', label: 'taxiway_instruction', hint: undefined });
            this.path = true;
            return begun;
          }
          return false;
        }
        if (this.oneOf(to, /^(?:to)$/u) ? this.levelAt(to + 1, true) !== undefined || this.bareLevel(to + 1) !== undefined : this.levelAt(to, true) !== undefined || this.bareLevel(to) !== undefined) return begin();
        return false;
      }
      case 'maintain': {
        const what = this.maintained(to);
        this.noteForm(phrase);
        if (what === 'separation') return false;
        const label: Action = what === 'speed' ? 'speed_control' : what === 'heading' ? 'heading_control' : 'altitude_control';
        if (phrase.progressive) this.signs.report ||= true;
        this.begin({ verb: what === 'speed' ? 'maintain_speed' : what === 'heading' ? 'continue_heading' : 'maintain', label, hint: what ?? 'altitude' }, i, to);
        return true;
      }
      case 'continue': {
        if (this.oneOf(to, /^(?:present|heading|runway|on)$/u) || this.headingAhead(to)) return begin({ verb: 'continue_heading', label: 'heading_control', hint: 'heading' });
        const on = this.text(to);
        if (/^(?:inbound|visual|straight|final)$/u.test(on)) return command({ verb: 'continue_approach', label: 'clearance', hint: 'runway' });
        if (this.ground || this.letter(to) !== undefined || this.oneOf(to, /^(?:via|taxiway|ahead|behind)$/u)) {
          this.ground = true;
          const begun = begin({ verb: 'taxi', label: 'taxiway_instruction', hint: undefined });
          this.path = true;
          return begun;
        }
        if (this.t[to] === undefined || this.masked[to] === true) return command({ verb: 'continue_approach', label: 'clearance', hint: undefined });
        return false;
      }
      case 'fly':
        if (this.oneOf(to, /^(?:heading|runway|present)$/u) || this.headingAhead(to)) return begin();
        if (this.oneOf(to, /^(?:the|via)$/u)) return begin({ verb: 'cleared_route', label: 'clearance', hint: undefined });
        return false;
      case 'stay':
      case 'keep':
        if (phrase.kind === 'stay' && this.levelAt(to, false) !== undefined) return begin();
        if (phrase.kind === 'keep' && (this.number(to) !== undefined || this.oneOf(to, /^(?:speed|high)$/u))) return begin();
        return false;
      case 'level': {
        // "cleared flight level 80": the level keeps its carrier
        const carrier = phrase.words.length - (phrase.words.includes('flight') ? 2 : 1);
        this.noteForm(phrase);
        this.begin({ verb: undefined, label: 'altitude_control', hint: 'altitude' }, i, start + Math.max(1, carrier));
        return true;
      }
      case 'recleared':
        if (this.levelAt(to, true) !== undefined || (this.is(to, 'to') && this.levelAt(to + 1, true) !== undefined)) return begin({ verb: undefined, label: 'altitude_control', hint: 'altitude' });
        if (this.is(to, 'direct')) { this.noteForm(phrase); this.begin({ verb: 'direct', label: 'clearance', hint: 'waypoint' }, i, to + 1); return true; }
        return begin({ verb: 'cleared_route', label: 'clearance', hint: 'waypoint' });
      case 'direct':
        this.noteForm(phrase);
        this.begin(phrase, i, phrase.words[phrase.words.length - 1] === 'to' ? to - 1 : to);
        if (phrase.words[phrase.words.length - 1] === 'to') {
          this.mark(to - 1, to, 'relation');
          this.at = to;
        }
        this.expectFix = true;
        return true;
      case 'proceed':
        if (this.oneOf(to, /^(?:to|direct|inbound|via|towards|on|direction|visual)$/u) || this.fixAt(to) !== undefined || phrase.words[0] === 'proceed') {
          const begun = begin();
          this.expectFix = true;
          return begun;
        }
        return false;
      case 'hold': {
        if (this.oneOf(to, /^(?:position|short|point)$/u)) return false;
        if (this.ground && this.oneOf(to - 1, /^(?:at)$/u)) return command({ verb: 'hold_position', label: 'taxiway_instruction', hint: undefined });
        const fixFrom = phrase.words.length > 1 ? to : to;
        const target = this.fixAt(fixFrom);
        if (target === undefined && phrase.words.length === 1) return this.ground ? command({ verb: 'hold_position', label: 'taxiway_instruction', hint: undefined }) : false;
        this.noteForm(phrase);
        this.begin(phrase, i, start + 1);
        if (phrase.words.length > 1) {
          this.mark(start + 1, to, 'relation');
          this.at = to;
        }
        this.expectFix = true;
        return true;
      }
      case 'cleared': {
        this.noteForm(phrase);
        this.begin({ verb: 'cleared_route', label: 'clearance', hint: 'waypoint' }, i, start + 1);
        if (phrase.words.length > 1) {
          this.mark(start + 1, to, 'relation');
          this.at = to;
        }
        this.expectFix = true;
        return true;
      }
      case 'startup-too':
        command();
        this.addCommand('startup', 'clearance', i, to);
        return true;
      case 'push':
        if (phrase.words[0] === 'start' || phrase.words[0] === 'startup') {
          if (this.modality !== 'request' && !(this.t[to] === undefined || this.masked[to] === true)) return false;
        }
        return command();
      case 'pattern': {
        const [head] = phrase.words;
        if (head === 'make' || head === 'join') return command();
        // "final two five", "left downwind": a position report, unless an instruction joins it
        this.mark(i, to, 'attribute');
        this.hint = 'runway';
        this.at = to;
        return true;
      }
      case 'cross': {
        if (this.oneOf(to, /^(?:runway|the|at)$/u) || this.runwayAt(to) !== undefined) {
          if (this.is(to, 'the') && !this.is(to + 1, 'runway') && this.runwayAt(to + 1) === undefined) return false;
          return command();
        }
        const fix = this.fixAt(to);
        if (fix !== undefined) {
          if (phrase.progressive) return false;
          this.noteForm(phrase);
          this.begin({ verb: 'cross_waypoint', label: 'altitude_control', hint: 'altitude' }, i, to);
          this.mark(to, fix.to, 'waypoint');
          this.addItem('waypoint', { value: fix.value, sure: fix.sure }, to, fix.to, { verb: 'cross_waypoint' });
          this.verb = 'cross_waypoint';
          this.hint = 'altitude';
          this.expectFix = false;
          this.at = fix.to;
          return true;
        }
        if (this.ground && !phrase.progressive) return command();
        return false;
      }
      case 'vacate': {
        const begun = command();
        this.path = true;
        if (phrase.words[0] === 'vacated' || phrase.words.join(' ') === 'vacated') this.signs.report ||= this.input.likelyPilot;
        return begun;
      }
      case 'enter':
        if (this.is(to, 'runway') || phrase.words.includes('backtrack')) return command({ verb: phrase.words.includes('backtrack') ? 'backtrack' : 'line_up', label: 'runway_instruction', hint: 'runway' });
        return false;
      case 'taxi': {
        this.ground = true;
        const begun = command({ verb: 'taxi', label: 'taxiway_instruction', hint: undefined });
        this.path = true;
        return begun;
      }
      case 'stop':
        if (phrase.words.length === 1 && this.oneOf(to, /^(?:climb|descent|at|and|over)$/u)) return false;
        return command();
      case 'number': {
        // "number two" is an ordinal of the sequence, not of a runway; "your" is no part of it
        const from = phrase.words.indexOf('number');
        const command2 = ((): true => {
          this.noteForm(phrase);
          if (from > 0) this.mark(start, start + from, 'O');
          this.beginCommand(phrase, start + from, to);
          return true;
        })();
        const last = this.commands[this.commands.length - 1];
        if (last !== undefined) {
          // which number it is matters: kept as a traffic position
          const reading = this.number(to - 1);
          if (reading !== undefined) {
            this.items.push({ slot: 'traffic', value: `NUMBER${reading.whole.slice(0, 1)}`, modality: 'information', span: this.span(start + from, to), confidence: clamp(this.input.sureness(start + from, to)), verb: 'number', action: 'sequence_control' });
            last.items.push(this.items.length - 1);
          }
        }
        return command2;
      }
      case 'follow': {
        const traffic = this.trafficAt(to) ?? this.namedTrafficAt(to);
        if (phrase.words[0] === 'following' && traffic === undefined) return false;
        command();
        const last = this.commands[this.commands.length - 1];
        if (traffic !== undefined && last !== undefined) {
          this.mark(to, traffic, 'traffic');
          last.items.push(this.addItem('traffic', { value: this.trafficKey(to, traffic), sure: 0.9 }, to, traffic));
          this.at = traffic;
        }
        return true;
      }
      case 'over': {
        if (unitAt(this.t, to) === undefined && this.number(to) === undefined && !this.is(to, 'tower')) return false;
        if (phrase.words[0] === 'switching' || phrase.words[0] === 'changing') this.signs.progressive++;
        return begin();
      }
      case 'call':
        if (this.oneOf(start - 1, /^(?:will|i|i'll|to|station|stations|we|we'll|phone)$/u) && !(unitAt(this.t, to) !== undefined)) return false;
        if (unitAt(this.t, to) === undefined && !(this.number(to) !== undefined && this.looksLikeFrequency(to)) && !(this.is(to, 'you') )) return false;
        if (this.is(to, 'you')) return false;
        return begin();
    }
  }

  private noteForm(phrase: Phrase): void {
    if (phrase.progressive) this.signs.progressive++;
    else this.signs.imperative++;
    this.pendingRequest = undefined;
  }

  /** "approved" with what stands before it ("crossing approved", "frequency change approved"). */
  private approved(phrase: Phrase, i: number, to: number): boolean {
    this.closeVerb();
    // taxi, startup and the like before it are approved, not ordered: their command stands already
    const last = this.commands[this.commands.length - 1];
    const near = last !== undefined && last.span[1] >= (this.t[i]?.from ?? 0) - 2;
    if (near && (last.verb === 'taxi' || last.verb === 'pushback' || last.verb === 'startup' || last.verb === 'orbit' || last.verb === 'join_pattern' || last.verb === 'climb' || last.verb === 'cross_runway')) {
      if (last.modality !== 'request') last.modality = this.modality === 'request' ? 'request' : 'command';
      this.mark(i, to, phrase.label === 'contact' ? 'contact' : (last.action as ChunkLabel));
      this.signs.imperative++;
      this.at = to;
      return true;
    }
    this.beginCommand({ verb: 'approved', label: phrase.label, hint: undefined }, i, to);
    this.signs.imperative++;
    return true;
  }

  /** What "maintain" is about: the unit or carrier word that follows decides. */
  private maintained(i: number): 'speed' | 'heading' | 'altitude' | 'separation' | undefined {
    let at = i;
    while (this.oneOf(at, /^(?:your|a|an|the|now|own|present|current|until|at)$/u)) {
      if (this.is(at, 'present', 'heading') || this.is(at, 'current', 'heading')) return 'heading';
      if (this.is(at, 'present', 'speed') || this.is(at, 'current', 'speed')) return 'speed';
      at++;
    }
    if (this.oneOf(at, /^(?:heading)$/u) || this.is(at, 'runway', 'heading')) return 'heading';
    if (this.oneOf(at, /^(?:speed|mach|minimum|maximum|high|best)$/u)) return 'speed';
    if (this.oneOf(at, /^(?:separation|visual|vmc)$/u)) return 'separation';
    const reading = this.number(at);
    if (reading !== undefined) {
      if (this.is(reading.to, 'knots') || this.is(reading.to, 'or')) return this.is(reading.to, 'or') && this.oneOf(reading.to + 1, /^(?:above|below)$/u) ? 'altitude' : 'speed';
      if (this.is(reading.to, 'degrees')) return 'heading';
      if (!reading.scaled && reading.whole.length === 3 && (this.oneOf(reading.to, /^(?:until|to)$/u) && (this.oneOf(reading.to + 1, /^(?:dme)$/u) || this.number(reading.to + 1) !== undefined))) return 'speed';
      return 'altitude';
    }
    return undefined;
  }

  /** A heading value starts here. */
  private headingAhead(i: number): boolean {
    let at = i;
    if (this.is(at, 'to')) at++;
    if (this.oneOf(at, /^(?:heading|present)$/u)) return true;
    if (this.is(at, 'runway', 'heading')) return true;
    if (this.is(at, 'by')) at++;
    const reading = this.number(at);
    if (reading === undefined || reading.fraction !== undefined) return false;
    if (this.is(reading.to, 'degrees')) return true;
    return reading.whole.length >= 3 && Number(reading.whole.slice(0, 3)) <= 360 && !reading.scaled && !this.oneOf(reading.to, /^(?:knots|feet|miles|left|right|center)$/u) && !this.looksLikeFrequency(at);
  }

  private looksLikeFrequency(i: number): boolean {
    const reading = this.number(i);
    if (reading === undefined) return false;
    const value = values.frequency(reading.whole, reading.fraction);
    return value !== undefined && value.clipped === undefined;
  }

  /** "speed": action word in "speed one eight zero", label of the value in "reduce speed …" (handled there). */
  private speedWord(i: number): boolean {
    const at = this.oneOf(i + 1, /^(?:is|to|now|of|your)$/u) ? i + 2 : i + 1;
    if (this.number(at) === undefined && !this.oneOf(at, /^(?:maximum|minimum|mach|approved|not|or|own|at)$/u)) {
      this.mark(i, i + 1, 'speed_control');
      this.hint = 'speed';
      if (this.verb === undefined || this.action !== 'speed_control') this.verb = 'maintain_speed';
      this.action = 'speed_control';
      this.at = i + 1;
      return true;
    }
    this.begin({ verb: 'maintain_speed', label: 'speed_control', hint: 'speed' }, i, i + 1);
    return true;
  }

  // --- values with a carrier word ---

  private carrier(i: number): boolean {
    const text = this.text(i);
    switch (text) {
      case 'flight':
      case 'level':
      case 'altitude':
      case 'alt': {
        if (text === 'flight' && !this.is(i, 'flight', 'level')) return false;
        const start = text === 'flight' ? i + 2 : i + 1;
        let at = start;
        while (this.oneOf(at, /^(?:is|of|at)$/u)) at++;
        const reading = this.number(at);
        if (reading === undefined) {
          if (text === 'flight') this.mark(i, i + 2, 'O');
          return false;
        }
        if (text === 'altitude' || text === 'alt') {
          const level = this.levelAt(i, true) ?? this.levelAt(at, true);
          if (level === undefined) return false;
          return this.takeAltitude(level.value, i, level.to);
        }
        const level = this.flightLevelFrom(reading);
        if (level === undefined) return false;
        return this.takeAltitude(level.value, i, level.to);
      }
      case 'heading':
      case 'present':
      case 'runway':
        if (text === 'present' && !this.is(i, 'present', 'heading')) return false;
        if (text === 'runway' && this.is(i, 'runway', 'heading')) return this.takeHeading({ value: 'RUNWAY', sure: 1 }, i, i + 2);
        if (text === 'present') return this.takeHeading({ value: 'PRESENT', sure: 1 }, i, i + 2);
        if (text === 'runway') return this.runwayWord(i);
        return this.headingWord(i);
      case 'mach': {
        const at = this.is(i + 1, 'number') || this.is(i + 1, 'decimal') && this.number(i + 1) === undefined ? i + 2 : i + 1;
        const reading = this.number(at);
        const value = reading === undefined ? undefined : values.mach(reading.whole, reading.fraction);
        if (reading === undefined || value === undefined) return false;
        return this.takeSpeed(value, i, reading.to);
      }
      case 'minimum':
      case 'maximum':
      case 'final': {
        const rest = this.t.slice(i, i + 4).map((token) => token.text).join(' ');
        const match = /^(?:minimum clean(?: speed)?|(?:minimum|final) approach speed|minimum speed|maximum speed)/u.exec(rest);
        if (match !== null && !(match[0].endsWith(' speed') && match[0].split(' ').length === 2 && this.number(i + 2) !== undefined)) {
          const count = match[0].split(' ').length;
          const name = match[0].includes('clean') ? 'MINIMUM_CLEAN' : match[0].includes('approach') ? 'MINIMUM_APPROACH' : match[0].startsWith('minimum') ? 'MINIMUM' : 'MAXIMUM';
          return this.takeSpeed({ value: name, sure: 1 }, i, i + count);
        }
        if (text === 'final') return false;
        const at = this.is(i + 1, 'speed') ? i + 2 : i + 1;
        const reading = this.number(at);
        if (reading === undefined) return false;
        if (this.is(reading.to, 'knots') || this.hint === 'speed' || at === i + 2) {
          const value = values.speed(reading.whole);
          if (value === undefined) return false;
          const bound = text === 'minimum' ? 'or_greater' : 'or_less';
          this.mark(i, at, 'condition');
          const to = this.is(reading.to, 'knots') ? reading.to + 1 : reading.to;
          this.takeSpeed(value, at, to, bound);
          this.addCondition('speed', `bound:${bound}:${value.value}`, i, at, [this.items.length - 1]);
          return true;
        }
        return false;
      }
      case 'stand':
      case 'gate':
      case 'position':
      case 'spot':
        return this.standWord(i);
      case 'holding':
      case 'point':
      case 'intersection':
        return this.holdingPoint(i);
      case 'taxiway':
      case 'link': {
        const letters = this.taxiName(i + 1);
        if (letters === undefined) return false;
        this.mark(i, letters.to, 'taxiway');
        this.addItem('taxiway', { value: (text === 'link' ? 'LINK' : '') + letters.value, sure: 1 }, i, letters.to, { action: 'taxiway_instruction' });
        this.path = true;
        this.at = letters.to;
        return true;
      }
      case 'rate':
        return false;
      case 'dme': {
        const reading = this.number(i + 1);
        if (reading === undefined) return false;
        return false;
      }
      default:
        return false;
    }
  }

  private takeAltitude(value: values.Value, from: number, to: number, extra: Partial<Draft<Item>> = {}): true {
    this.mark(from, to, 'altitude');
    const sea = this.is(to, 'above', 'sea') ? to + 3 : to;
    this.addItem('altitude', value, from, to, extra);
    this.at = sea;
    return true;
  }

  private takeHeading(value: values.Value, from: number, to: number, extra: Partial<Draft<Item>> = {}): true {
    this.mark(from, to, 'heading');
    this.addItem('heading', value, from, to, extra);
    this.at = to;
    return true;
  }

  private takeSpeed(value: values.Value, from: number, to: number, bound?: string): true {
    this.mark(from, to, 'speed');
    this.addItem('speed', value, from, to, bound === undefined ? {} : { bound });
    this.at = to;
    return true;
  }

  private headingWord(i: number): boolean {
    let at = i + 1;
    while (this.oneOf(at, /^(?:is|of|to|now|left|right|on)$/u) && (this.number(at + 1) !== undefined)) at++;
    const reading = this.number(at);
    if (reading === undefined || reading.fraction !== undefined) {
      this.mark(i, i + 1, 'heading');
      this.hint = 'heading';
      this.at = i + 1;
      return true;
    }
    const cut = reading.whole.length > 3 ? firstDigits(reading, 3) : undefined;
    const value = values.heading(cut?.digits ?? reading.whole);
    if (value === undefined) {
      // out of range: kept as said, unsure
      this.mark(i, reading.to, 'heading');
      this.addItem('heading', { value: reading.whole.slice(0, 3), sure: 0.2 }, i, reading.to);
      this.at = reading.to;
      return true;
    }
    let to = cut?.to ?? reading.to;
    if (this.is(to, 'degrees')) to++;
    const { unit: _unit, ...absolute } = value;
    return this.takeHeading(absolute, i, to);
  }

  /** "runway one six left", "runway 16 romeo", "runway seven". */
  private runwayWord(i: number): boolean {
    const runway = this.runwayAt(i + 1);
    if (runway === undefined) {
      if (this.is(i + 1, 'in', 'use') && this.runwayAt(i + 3) !== undefined) {
        const behind = this.runwayAt(i + 3);
        if (behind !== undefined) {
          this.mark(i, behind.to, 'runway');
          this.addItem('runway', behind.value, i, behind.to);
          this.at = behind.to;
          return true;
        }
      }
      this.mark(i, i + 1, this.oneOf(i + 1, /^(?:vacated|in)$/u) ? 'O' : 'runway');
      this.hint = 'runway';
      this.at = i + 1;
      return true;
    }
    this.mark(i, runway.to, 'runway');
    this.addItem('runway', runway.value, i, runway.to, runway.extra);
    this.at = runway.to;
    // "runway one six left or right": both
    this.hint = 'runway';
    return true;
  }

  private runwayAt(i: number): { value: values.Value; to: number; extra: Partial<Draft<Item>> } | undefined {
    const reading = this.number(i);
    if (reading === undefined || reading.fraction !== undefined || reading.scaled) return undefined;
    let digits = reading.whole;
    let to = reading.to;
    if (digits.length > 2) {
      const cut = firstDigits(reading, 2);
      if (cut === undefined) return undefined;
      ({ digits, to } = cut);
    }
    let side: values.Side | undefined;
    const name = this.text(to);
    if (to === reading.to && SIDES.has(name) && this.masked[to] !== true) {
      const turnFollows = (name === 'left' || name === 'right') && (this.is(to + 1, 'turn') || (this.is(to + 1, 'heading')));
      const letterRun = this.letter(to) !== undefined && this.t[to]?.written !== true && (this.letter(to + 1) !== undefined || this.path);
      if (!turnFollows && !letterRun) {
        side = SIDES.get(name);
        to++;
      }
    }
    const value = values.runway(digits, side);
    if (value === undefined) return undefined;
    const extra: Partial<Draft<Item>> = {};
    // a number begun twice ("two uh six left"): the later start is another reading
    const gap = reading.gaps.find((position) => position > i && position < to);
    if (gap !== undefined && digits.length === 2) {
      const later = values.runway(digits.slice(1), side);
      if (later !== undefined) {
        extra.alternatives = [later.value];
        return { value: { ...value, sure: 0.5 }, to, extra };
      }
    }
    return { value, to, extra };
  }

  private standWord(i: number): boolean {
    if (this.is(i, 'position') && !this.oneOf(i - 1, /^(?:parking|to|stand|on)$/u)) return false;
    const name = this.taxiName(i + 1, 4) ?? this.plainNumberName(i + 1);
    if (name === undefined) return false;
    this.mark(i, name.to, 'waypoint');
    this.addItem('stand', { value: name.value, sure: 1 }, i, name.to, { action: 'taxiway_instruction' });
    this.at = name.to;
    return true;
  }

  private plainNumberName(i: number): { value: string; to: number } | undefined {
    const reading = this.number(i);
    if (reading === undefined || reading.fraction !== undefined || reading.whole.length > 3) return undefined;
    let to = reading.to;
    let value = reading.whole;
    const letter = this.letter(to);
    if (letter !== undefined && this.letter(to + 1) === undefined) {
      value += letter;
      to++;
    }
    return { value, to };
  }

  /** "holding point alfa three", "holding point runway two four", "holding position papa one". */
  private holdingPoint(i: number): boolean {
    let at = i + 1;
    if (this.is(i, 'holding')) {
      if (!this.oneOf(at, /^(?:point|position|bay)$/u)) return false;
      at++;
    }
    if (this.is(i, 'point') && this.number(i + 1) !== undefined && this.letter(i + 1) === undefined) return false;
    const name = this.taxiName(at);
    if (name === undefined) {
      if (this.is(i, 'intersection') || this.is(i, 'point')) return false;
      // "holding point runway two four": the point is named by its runway
      this.mark(i, at, 'waypoint');
      const runway = this.is(at, 'runway') ? this.runwayAt(at + 1) : this.runwayAt(at);
      if (runway !== undefined) this.addItem('holding_point', { value: `RWY${runway.value.value}`, sure: 1 }, i, runway.to, { action: 'taxiway_instruction' });
      this.hint = 'runway';
      this.ground = true;
      this.at = at;
      return true;
    }
    this.mark(i, name.to, 'waypoint');
    this.addItem('holding_point', { value: name.value, sure: 1 }, i, name.to, { action: 'taxiway_instruction' });
    this.hint = 'runway';
    this.at = name.to;
    return true;
  }

  /** A taxiway name: letter, letter and number, double letter said as a pair; not two taxiways. */
  private taxiName(i: number, digitsMax = 2): { value: string; to: number } | undefined {
    const letter = this.letter(i);
    if (letter === undefined) return undefined;
    let value = letter;
    let to = i + 1;
    const reading = this.number(to);
    if (reading !== undefined && reading.fraction === undefined && !reading.scaled) {
      if (reading.whole.length <= digitsMax && !UNIT_WORDS.has(this.text(reading.to))) {
        value += reading.whole;
        to = reading.to;
      } else {
        const one = firstDigits(reading, 1);
        if (one !== undefined && this.looksLikeFrequencyAfter(reading)) {
          value += one.digits;
          to = one.to;
        }
      }
    }
    if (to > i + 1 && this.letter(to) !== undefined && this.letter(to + 1) === undefined && digitsMax > 2 && this.number(to + 1) === undefined) {
      value += this.letter(to) ?? '';
      to++;
    }
    return { value, to };
  }

  private looksLikeFrequencyAfter(reading: NumberReading): boolean {
    return reading.whole.length > 5;
  }

  // --- units of air traffic services ---

  private unit(i: number): boolean {
    const end = this.unmaskedUnit(i);
    if (end === undefined) {
      // after "contact": an unknown name up to the frequency
      if (this.action === 'contact' && this.openVerb !== undefined && (this.verb === 'contact' || this.verb === 'monitor') && this.t[i]?.number === undefined && this.letter(i) === undefined && !isKnownWord(this.text(i)) && this.text(i) !== '') {
        this.mark(i, i + 1, 'controller');
        this.addItem('controller', { value: this.text(i).toUpperCase(), sure: 0.6 }, i, i + 1);
        this.at = i + 1;
        return true;
      }
      return false;
    }
    this.mark(i, end, 'controller');
    const value = this.t.slice(i, end).map((token) => token.text).join('_').toUpperCase();
    const addressed = this.action === 'contact' && this.openVerb !== undefined;
    this.addItem('controller', { value, sure: 1 }, i, end, addressed ? {} : { modality: 'information' });
    if (addressed) this.hint = 'frequency';
    this.at = end;
    return true;
  }

  private unmaskedUnit(i: number): number | undefined {
    const end = unitAt(this.t, i);
    if (end === undefined) return undefined;
    for (let index = i; index < end; index++) if (this.masked[index] === true) return undefined;
    const first = this.t[i];
    if (first === undefined) return undefined;
    if (end === i + 1 && first.letter !== undefined) return undefined;
    // a place by itself is a unit only next to a callsign or a greeting
    if (PLACES.has(first.text) && end === i + 1 && !FACILITIES.has(first.text)) {
      if (this.expectFix || this.verb === 'cleared_route' || this.verb === 'direct') return undefined;
      const nextToCallsign = this.masked[i - 1] === true || this.masked[i + 1] === true || i === 0 || this.verb === 'contact' || this.verb === 'monitor';
      if (!nextToCallsign) return undefined;
    }
    if ((first.text === 'departure' || first.text === 'approach' || first.text === 'arrival') && !(this.verb === 'contact' || this.verb === 'monitor' || this.masked[i - 1] === true || this.masked[i + 1] === true || i === 0 || i === this.t.length - 1)) return undefined;
    if (first.text === 'information' && !(this.verb === 'contact')) return undefined;
    if (first.text === 'control' && this.verb !== 'contact' && this.masked[i - 1] !== true) return undefined;
    if (first.text === 'center' && this.verb !== 'contact' && this.masked[i - 1] !== true && i !== 0) return undefined;
    return end;
  }

  // --- numbers without a carrier word ---

  private bareNumber(i: number): boolean {
    const reading = this.number(i);
    if (reading === undefined) return false;
    const unit = this.text(reading.to);
    const { whole, fraction } = reading;

    if (unit === 'feet' || unit === 'metres') {
      const perMinute = this.is(reading.to + 1, 'per', 'minute') || this.is(reading.to + 1, 'a', 'minute');
      if (perMinute) {
        const rate = values.verticalRate(whole);
        if (rate !== undefined) {
          this.mark(i, reading.to + 3, 'condition');
          this.addItem('vertical_rate', rate, i, reading.to + 3);
          this.at = reading.to + 3;
          return true;
        }
      }
      const value = values.altitude(whole, unit === 'feet' ? 'ft' : 'm', reading.scaled);
      if (value !== undefined) return this.takeAltitude(value, i, reading.to + 1, this.reportedLevel());
    }
    if (unit === 'knots') {
      const digits = whole.length > 3 ? whole.slice(-3) : whole;
      const value = values.speed(digits);
      if (value !== undefined && whole.length <= 3) {
        this.takeSpeed(value, i, reading.to + 1);
        return true;
      }
      if (whole.length > 3 && whole.length <= 6) {
        // "two one zero two five zero knots": the last three are the speed
        const head = firstDigits(reading, whole.length - 3);
        if (head !== undefined) {
          const only = { ...reading, atoms: reading.atoms.filter((atom) => atom.to <= head.to), whole: head.digits, to: head.to };
          if (this.byHint(only, i, true)) return true;
        }
      }
    }
    if (unit === 'degrees') return this.degrees(reading, i);
    if (unit === 'miles' || unit === 'dme') {
      const value = values.distance(whole, fraction);
      if (value !== undefined) {
        const to = reading.to + 1;
        this.mark(i, to, 'condition');
        this.addItem('distance', value, i, to, { modality: this.modality === 'command' ? 'information' : this.modality });
        // "sixty to four dme": a speed and its gate
        this.at = to;
        return true;
      }
    }
    if (unit === 'minutes' || unit === 'seconds' || unit === "o'clock" || unit === 'hours' || unit === 'percent' || unit === 'kilometres') {
      this.mark(i, reading.to + 1, 'condition');
      if (unit === 'minutes') this.addItem('time', { value: whole, unit: 'min', sure: 1 }, i, reading.to + 1, { modality: 'information' });
      this.at = reading.to + 1;
      return true;
    }
    if (unit === 'hectopascals' || unit === 'inches') {
      const value = values.pressure(whole, fraction, unit === 'inches');
      if (value !== undefined) {
        this.mark(i, reading.to + 1, 'condition');
        this.addItem('qnh', value, i, reading.to + 1, { verb: 'set_qnh' });
        this.at = reading.to + 1;
        return true;
      }
    }
    if (unit === 'fpm') {
      const rate = values.verticalRate(whole);
      if (rate !== undefined) {
        this.mark(i, reading.to + 1, 'condition');
        this.addItem('vertical_rate', rate, i, reading.to + 1);
        this.at = reading.to + 1;
        return true;
      }
    }
    return this.byHint(reading, i, false);
  }

  /** Modality of a level that is said where the aircraft is. */
  private reportedLevel(): Partial<Draft<Item>> {
    return this.verb === undefined && this.input.likelyPilot && (this.signs.report || this.signs.information) ? { modality: 'report' } : {};
  }

  private degrees(reading: NumberReading, i: number): boolean {
    const { whole } = reading;
    const to = reading.to + 1;
    const amount = Number(whole);
    const absolute = whole.length === 3 && (whole.startsWith('0') || amount > 90 || this.hint !== 'heading');
    if (absolute && whole.length === 3) {
      const value = values.heading(whole);
      if (value !== undefined) {
        const { unit: _unit, ...rest } = value;
        return this.takeHeading(rest, i, to, this.bareExtra('heading'));
      }
    }
    if (amount > 180 || whole.length > 3) return false;
    let side = this.verb === 'turn_left' ? 'L' : this.verb === 'turn_right' ? 'R' : '';
    let end = to;
    if (side === '' && this.oneOf(to, /^(?:left|right)$/u)) {
      side = this.is(to, 'left') ? 'L' : 'R';
      end = to + 1;
    } else if (side === '' && this.is(to, 'to', 'the') && this.oneOf(to + 2, /^(?:left|right)$/u)) {
      side = this.is(to + 2, 'left') ? 'L' : 'R';
      end = to + 3;
    }
    if (side === '' && this.hint !== 'heading' && whole.length === 2 && this.verb === undefined) {
      // "nine zero degrees" in a readback: a clipped heading or a turn
      const value = values.heading(whole);
      if (value !== undefined) return this.takeHeading({ ...value, alternatives: [...(value.alternatives ?? []), whole.padStart(3, '0')] }, i, to, this.bareExtra('heading'));
    }
    const change: values.Value = { value: side + String(amount).padStart(3, '0'), unit: 'deg', sure: 1 };
    this.mark(i, to, 'heading');
    if (end > to) this.mark(to, end, 'heading_control');
    this.addItem('heading', change, i, end, side === '' ? {} : { verb: side === 'L' ? 'turn_left' : 'turn_right' });
    this.at = end;
    return true;
  }

  private bareExtra(_slot: ValueSlot): Partial<Draft<Item>> {
    return {};
  }

  private byHint(reading: NumberReading, i: number, cut: boolean): boolean {
    const { whole, fraction } = reading;
    void cut;
    // frequencies show themselves
    if (fraction !== undefined || (whole.length >= 4 && whole.length <= 6 && this.hint !== 'altitude' && !reading.scaled)) {
      const value = values.frequency(whole, fraction);
      const pressure = fraction !== undefined ? values.pressure(whole, fraction, true) : undefined;
      if (pressure !== undefined && value?.clipped !== undefined && this.hint !== 'frequency') {
        this.mark(i, reading.to, 'condition');
        this.addItem('qnh', pressure, i, reading.to, { verb: 'set_qnh' });
        this.at = reading.to;
        return true;
      }
      const surely = fraction !== undefined || this.hint === 'frequency' || (value !== undefined && value.clipped === undefined) || (value?.clipped !== undefined && whole.length === 5 && this.hint === undefined);
      if (value !== undefined && surely) return this.takeFrequency(value, i, reading.to);
    }
    if (this.hint === 'frequency' && !reading.scaled) {
      if (whole.length > 6) {
        const head = firstDigits(reading, 6) ?? firstDigits(reading, 5);
        const value = head === undefined ? undefined : values.frequency(head.digits, undefined);
        if (head !== undefined && value !== undefined) return this.takeFrequency(value, i, head.to);
      }
      // "tower one one eight one": four digits; three are a whole part whose decimals are lost
      if (whole.length === 3 && Number(whole) >= 118 && Number(whole) <= 136) {
        return this.takeFrequency({ value: `${whole}.000`, unit: 'MHz', sure: 0.3, clipped: 'tail' }, i, reading.to);
      }
    }
    if (reading.scaled) {
      const value = values.altitude(whole, undefined, true);
      if (value !== undefined && Number(whole) >= 500) {
        if (this.hint === 'speed' || this.hint === 'heading') return this.generic(reading, i);
        return this.takeAltitude(value, i, reading.to, this.reportedLevel());
      }
      if (this.hint === 'altitude') {
        const level = values.flightLevel(whole);
        if (level !== undefined) return this.takeAltitude({ ...level, sure: level.sure * 0.85 }, i, reading.to);
      }
      if (this.hint === 'squawk') return this.generic(reading, i);
      return this.generic(reading, i);
    }
    const side = SIDES.get(this.text(reading.to));
    const spokenSide = this.oneOf(reading.to, /^(?:left|right|center)$/u) && !this.oneOf(reading.to + 1, /^(?:turn|heading)$/u);
    if (whole.length <= 2 && side !== undefined && spokenSide && this.hint !== 'heading' && this.hint !== 'altitude') {
      const runway = this.runwayAt(i);
      if (runway !== undefined) return this.takeRunway(runway, i);
    }
    switch (this.hint) {
      case 'altitude': {
        if (/^\d{4,5}$/u.test(whole)) {
          const value = values.altitude(whole, undefined, false);
          if (value !== undefined && (whole.endsWith('0'))) return this.takeAltitude(value, i, reading.to);
        }
        if (whole.length > 3) {
          const level = this.flightLevelFrom(reading);
          if (level !== undefined) return this.takeAltitude({ ...level.value, sure: level.value.sure * 0.8 }, i, level.to);
        }
        if (whole.length >= 2) {
          const level = values.flightLevel(whole);
          if (level !== undefined) {
            const ambiguous = this.verb === 'maintain' ? { alternatives: [String(Number(whole))] } : {};
            return this.takeAltitude({ ...level, sure: level.sure * 0.85 }, i, reading.to, ambiguous);
          }
        }
        break;
      }
      case 'heading': {
        const head = whole.length > 3 ? firstDigits(reading, 3) : undefined;
        if (whole.length === 2 && this.is(i - 1, 'to') && /^\d0$/u.test(whole)) {
          // "turn left to seven zero": the word may be the digit two
          const value = values.heading(`2${whole}`);
          if (value !== undefined) {
            this.mark(i - 1, reading.to, 'heading');
            this.addItem('heading', { value: value.value, sure: 0.6, alternatives: [`0${whole}`, `1${whole}`] }, i - 1, reading.to);
            this.at = reading.to;
            return true;
          }
        }
        const value = values.heading(head?.digits ?? whole);
        if (value !== undefined) {
          const { unit: _unit, ...rest } = value;
          return this.takeHeading(rest, i, head?.to ?? reading.to);
        }
        break;
      }
      case 'speed': {
        const head = whole.length > 3 ? firstDigits(reading, 3) : undefined;
        const value = values.speed(head?.digits ?? whole);
        if (value !== undefined) return this.takeSpeed(value, i, head?.to ?? reading.to);
        break;
      }
      case 'runway': {
        if (whole.length === 1 && this.is(i - 1, 'to') && this.labels[i - 1] === 'relation') {
          const value = values.runway(`2${whole}`, undefined);
          if (value !== undefined) {
            this.mark(i - 1, reading.to, 'runway');
            this.addItem('runway', { ...value, sure: 0.6, alternatives: [`0${whole}`] }, i - 1, reading.to);
            this.at = reading.to;
            return true;
          }
        }
        const runway = this.runwayAt(i);
        if (runway !== undefined) return this.takeRunway(runway, i);
        break;
      }
      default:
        break;
    }
    // QNH by its look
    if (/^(?:10[0-4]\d|9[6-9]\d)$/u.test(whole) && whole.length === (whole.startsWith('9') ? 3 : 4) && (this.hint === undefined || whole.length === 4)) {
      const value = values.pressure(whole, undefined, false);
      if (value !== undefined) {
        this.mark(i, reading.to, 'condition');
        this.addItem('qnh', { ...value, sure: whole.startsWith('9') ? 0.5 : 0.8 }, i, reading.to, { verb: 'set_qnh', bare: true, alternatives: [whole] });
        this.at = reading.to;
        return true;
      }
    }
    // digits and letters on the ground: "delta one"
    return this.leadingNumber(reading, i) || this.generic(reading, i);
  }

  private takeFrequency(value: values.Value, from: number, to: number): true {
    this.mark(from, to, 'frequency');
    this.addItem('frequency', value, from, to, { action: 'contact', verb: this.verb === 'monitor' || this.verb === 'standby_for' ? this.verb : 'contact' });
    if (this.openVerb?.verb === 'contact') this.openVerb.used = true;
    this.at = to;
    return true;
  }

  private takeRunway(runway: { value: values.Value; to: number; extra: Partial<Draft<Item>> }, from: number): true {
    this.mark(from, runway.to, 'runway');
    this.addItem('runway', runway.value, from, runway.to, runway.extra);
    this.at = runway.to;
    return true;
  }

  /** A readback that begins with its value: "zero six zero right turn", "one six left cleared to land", "two four cleared …". */
  private leadingNumber(reading: NumberReading, i: number): boolean {
    const { whole } = reading;
    const next = this.text(reading.to);
    if (whole.length === 3 && /^(?:right|left)$/u.test(next) && (this.oneOf(reading.to + 1, /^(?:turn|heading)$/u))) {
      const value = values.heading(whole);
      if (value !== undefined) {
        const { unit: _unit, ...rest } = value;
        const verb: Verb = next === 'left' ? 'turn_left' : 'turn_right';
        this.mark(i, reading.to, 'heading');
        this.addItem('heading', rest, i, reading.to, { verb });
        this.mark(reading.to, reading.to + 2, 'heading_control');
        this.at = reading.to + 2;
        return true;
      }
    }
    if (whole.length === 3 && this.is(reading.to, 'speed')) {
      const value = values.speed(whole);
      if (value !== undefined) {
        this.takeSpeed(value, i, reading.to);
        return true;
      }
    }
    if (whole.length <= 2) {
      const clearedAhead = /^(?:cleared|clear|line|lining|cross|crossing|hold|holding|backtrack|backtracking|continue|established|vacated|touch|final)$/u.test(next) || (SIDES.has(next) && /^(?:cleared|clear|line|cross|hold)$/u.test(this.text(reading.to + 1)));
      if (clearedAhead) {
        const runway = this.runwayAt(i);
        if (runway !== undefined) return this.takeRunway(runway, i);
      }
    }
    return false;
  }

  /** A number that nothing explains: kept with a guessed slot and marked as bare. */
  private generic(reading: NumberReading, i: number): boolean {
    const { whole } = reading;
    if (reading.fraction === undefined && !reading.scaled && whole.length === 3 && Number(whole) >= 10) {
      const amount = Number(whole);
      const alternatives = [whole];
      const heading = amount <= 360 && (whole.startsWith('0') || amount % 10 !== 0 || amount > 300);
      if (this.is(reading.to, 'to') && this.fixAt(reading.to + 1) !== undefined && amount <= 360) {
        // "three five zero to …": the number is the action (Table 14)
        this.mark(i, reading.to, 'heading_control');
        this.addItem('heading', { value: whole, sure: 0.6, alternatives }, i, reading.to, { bare: true });
        this.expectFix = true;
        this.hint = 'waypoint';
        this.at = reading.to;
        return true;
      }
      if (heading && amount >= 1) {
        this.mark(i, reading.to, 'heading');
        this.addItem('heading', { value: whole === '000' ? '360' : whole, sure: 0.5, alternatives: [whole, `FL${amount}`] }, i, reading.to, { bare: true });
      } else {
        this.mark(i, reading.to, 'altitude');
        this.addItem('altitude', { value: `FL${amount}`, sure: 0.5, alternatives }, i, reading.to, { bare: true });
      }
      this.at = reading.to;
      return true;
    }
    if (reading.fraction === undefined && whole.length === 4 && /^[0-7]{4}$/u.test(whole) && !reading.scaled && this.hint === undefined && !whole.endsWith('00')) {
      this.mark(i, reading.to, 'condition');
      this.addItem('squawk', { value: whole, sure: 0.5, alternatives: [whole] }, i, reading.to, { bare: true });
      this.at = reading.to;
      return true;
    }
    if (reading.fraction === undefined && !reading.scaled && whole.length === 2 && Number(whole) >= 1 && Number(whole) <= 36) {
      const runway = this.runwayAt(i);
      if (runway !== undefined) {
        const amount = String(Number(whole));
        this.mark(i, runway.to, 'runway');
        this.addItem('runway', { ...runway.value, sure: 0.5, alternatives: [whole, amount].filter((v, k, all) => all.indexOf(v) === k) }, i, runway.to, { bare: true });
        this.at = runway.to;
        return true;
      }
    }
    if (reading.fraction === undefined && /^\d{4,5}$/u.test(whole) && whole.endsWith('00')) {
      const value = values.altitude(whole, undefined, reading.scaled);
      if (value !== undefined) {
        this.mark(i, reading.to, 'altitude');
        this.addItem('altitude', { ...value, sure: 0.5 }, i, reading.to, { bare: true, alternatives: [whole] });
        this.at = reading.to;
        return true;
      }
    }
    if (whole.length === 2 && reading.fraction === undefined) {
      const value = values.flightLevel(whole);
      if (value !== undefined) {
        this.mark(i, reading.to, 'altitude');
        this.addItem('altitude', { ...value, sure: 0.4, alternatives: [whole] }, i, reading.to, { bare: true });
        this.at = reading.to;
        return true;
      }
    }
    this.mark(i, reading.to, 'O');
    this.at = reading.to;
    return true;
  }

  // --- letters: taxi routes, spelled fixes ---

  private pathOrLetters(i: number): boolean {
    if (this.letter(i) === undefined) return false;
    if (this.expectFix) return false;
    if (!(this.path || this.ground)) return false;
    const name = this.taxiName(i);
    if (name === undefined) return false;
    this.mark(i, name.to, 'taxiway');
    this.addItem('taxiway', { value: name.value, sure: 0.95 }, i, name.to, { action: 'taxiway_instruction' });
    this.path = true;
    this.at = name.to;
    // "charlie lima and quebec": the joining word belongs to the route
    return true;
  }

  /** Aprons, terminals, parking areas and other named places on the ground. */
  private place(i: number): boolean {
    if (!this.ground && this.verb !== 'vacate') return false;
    const match = /^(?:apron|terminal|parking|ramp|gate|hangar|sector|deicing|pad)$/u.exec(this.text(i));
    if (match === null) return false;
    let from = i;
    while (from > 0 && this.labels[from - 1] === 'O' && /^(?:blue|green|yellow|north|south|east|west|general|aviation|cargo|remote|main|fuel|the)$/u.test(this.text(from - 1)) && this.masked[from - 1] !== true) from--;
    if (this.is(from, 'the')) from++;
    let to = i + 1;
    while (this.oneOf(to, /^(?:north|south|east|west|station|area)$/u)) to++;
    const number = this.number(to);
    if (number !== undefined && number.whole.length <= 2 && number.fraction === undefined && !UNIT_WORDS.has(this.text(number.to))) to = number.to;
    this.mark(from, to, 'waypoint');
    this.addItem('stand', { value: this.t.slice(from, to).map((token) => token.text).join('').toUpperCase(), sure: 0.8 }, from, to, { action: 'taxiway_instruction' });
    this.at = to;
    return true;
  }

  /** A fix where one is expected: unknown words, spelled letters. */
  private fix(i: number): boolean {
    if (!this.expectFix) return false;
    const fix = this.fixAt(i);
    if (fix === undefined) return false;
    if (this.is(fix.to, 'departure') || this.is(fix.to, 'arrival') || (this.text(i - 1) === 'via' && /\d[A-Z]$/u.test(fix.value))) {
      const to = this.oneOf(fix.to, /^(?:departure|arrival)$/u) ? fix.to + 1 : fix.to;
      this.mark(i, to, 'attribute');
      this.addItem('procedure', { value: fix.value, sure: fix.sure }, i, to, { verb: 'cleared_route', action: 'clearance' });
      this.at = to;
      this.expectFix = false;
      return true;
    }
    this.mark(i, fix.to, 'waypoint');
    this.addItem('waypoint', { value: fix.value, sure: fix.sure }, i, fix.to);
    if (this.openVerb !== undefined && this.verb === this.openVerb.verb) this.openVerb.used = true;
    this.expectFix = this.is(fix.to, 'and') || this.is(fix.to, 'then') || this.is(fix.to, 'direct');
    this.at = fix.to;
    return true;
  }

  /** A name of a fix, VOR, city or reporting point at `i`: unknown words, letters spelled out, letter and number. */
  private fixAt(i: number): { value: string; to: number; sure: number } | undefined {
    const token = this.t[i];
    if (token === undefined || this.masked[i] === true) return undefined;
    if (token.letter !== undefined && token.number === undefined) {
      let to = i;
      let value = '';
      while (this.letter(to) !== undefined && value.length < 5) {
        value += this.letter(to) ?? '';
        to++;
      }
      const reading = this.number(to);
      if (reading !== undefined && value.length === 1 && reading.fraction === undefined && !reading.scaled && !UNIT_WORDS.has(this.text(reading.to))) {
        const digits = reading.whole.length === 1 ? { digits: reading.whole, to: reading.to } : firstDigits(reading, 1);
        if (digits !== undefined) return { value: value + digits.digits, to: digits.to, sure: 0.85 };
      }
      if (value.length === 1) return { value: token.written === true ? value : token.text.toUpperCase(), to, sure: 0.7 };
      return { value, to, sure: value.length >= 2 && value.length <= 3 ? 0.95 : 0.85 };
    }
    if (token.number !== undefined) return undefined;
    if (!/^[\p{L}'-]{2,}$/u.test(token.text)) return undefined;
    const place = PLACES.has(token.text);
    if (!place && (isKnownWord(token.text) || AIRCRAFT_KINDS.has(token.text))) {
      if (token.text === 'destination') {
        const after = this.fixAt(i + 1);
        return after === undefined ? { value: 'DESTINATION', to: i + 1, sure: 0.9 } : after;
      }
      return undefined;
    }
    let to = i + 1;
    let value = token.text;
    // "karlovy vary", "st prex": a second unknown word joins when nothing stands between
    const second = this.t[to];
    if (second !== undefined && this.masked[to] !== true && second.number === undefined && second.letter === undefined && second.pause !== true && /^[\p{L}'-]{3,}$/u.test(second.text) && !isKnownWord(second.text) && !PLACES.has(second.text) && !place && second.text.length <= 8) {
      value += second.text;
      to++;
    }
    // SID or STAR: "kilnu one alfa"
    const reading = this.number(to);
    if (reading !== undefined && reading.whole.length === 1 && reading.fraction === undefined && this.letter(reading.to) !== undefined && !place) return { value: (value + reading.whole + (this.letter(reading.to) ?? '')).toUpperCase(), to: reading.to + 1, sure: 0.95 };
    if (this.is(to, 'vor') || this.is(to, 'ndb')) to++;
    return { value: value.replace(/[^\p{L}]/gu, '').toUpperCase(), to, sure: place ? 0.8 : 0.9 };
  }

  // --- afterwards ---

  /** Gives each runway to the clearance that it stands with: the next one after it or the one before it. */
  private attachRunways(): void {
    const owner = new Map<number, Draft<Command>>();
    const inCondition = new Set(this.conditions.flatMap((condition) => condition.items));
    const runwayItems = this.items.map((item, index) => ({ item, index })).filter(({ item, index }) => item.slot === 'runway' && !inCondition.has(index) && item.modality !== 'expect');
    const commands = this.commands.filter((command) => RUNWAY_VERBS.has(command.verb));
    for (const command of commands) {
      // behind the command and before the next one
      const next = this.commands.find((other) => other.span[0] >= command.span[1] && other !== command);
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
      if (command.items.some((index) => this.items[index]?.slot === 'runway')) continue;
      if (command.verb === 'vacate' || command.verb === 'go_around' || command.verb === 'intercept') continue;
      const before = [...runwayItems].reverse().find(({ item, index }) => !owner.has(index) && item.span[1] <= command.span[0] + 1 && !this.commands.some((other) => other !== command && other.span[0] >= item.span[1] && other.span[1] <= command.span[0] && RUNWAY_VERBS.has(other.verb)));
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
    // what a taxi clearance is made of
    for (const command of this.commands) {
      if (command.verb !== 'taxi' && command.verb !== 'vacate' && command.verb !== 'line_up') continue;
      this.items.forEach((item, index) => {
        if ((item.slot === 'taxiway' || item.slot === 'holding_point' || item.slot === 'stand') && item.span[0] >= command.span[1] - 1 && item.verb === command.verb && !command.items.includes(index)) command.items.push(index);
      });
    }
  }

  /** Marks what stands directly before a "correction" and is replaced behind it. Done when all is known. */
  private retractBefore(i: number): void {
    this.corrections.push({ token: i, items: this.items.length, commands: this.commands.length });
  }

  private readonly corrections: { token: number; items: number; commands: number }[] = [];

  private retract(): void {
    for (const correction of [...this.corrections].reverse()) {
      const word = this.t[correction.token]?.from ?? 0;
      const after = this.items.slice(correction.items).filter((item) => item.span[0] >= word);
      const [first] = after;
      let target: number | undefined;
      for (let index = correction.items - 1; index >= 0; index--) {
        const item = this.items[index];
        if (item === undefined) continue;
        if (first === undefined ? item.span[1] >= word - 1 : item.slot === first.slot || item.bare === true || first.bare === true) {
          target = index;
          break;
        }
        if (word - item.span[1] > 6) break;
      }
      if (target === undefined) continue;
      const item = this.items[target];
      if (item === undefined) continue;
      if (first?.bare === true && first.slot !== item.slot) this.recast(first, item);
      if (first !== undefined && first.verb === undefined && item.verb !== undefined && first.slot === item.slot) first.verb = item.verb;
      const span: Span = [item.span[0], word + 1];
      this.retracted.push(span);
      this.dropItem(target);
      for (let index = 0; index < this.t.length; index++) {
        const token = this.t[index];
        if (token !== undefined && token.from >= span[0] && token.to <= span[1]) this.labels[index] = 'O';
      }
    }
  }

  /** A bare number that corrects a value is a value of the same kind. */
  private recast(bare: Draft<Item>, model: Draft<Item>): void {
    const digits = bare.alternatives?.find((text) => /^\d+$/u.test(text)) ?? bare.value.replace(/\D/gu, '');
    const value =
      model.slot === 'altitude' ? (model.value.startsWith('FL') ? values.flightLevel(digits) : values.altitude(digits, undefined, false))
      : model.slot === 'heading' ? values.heading(digits)
      : model.slot === 'speed' ? values.speed(digits)
      : model.slot === 'runway' ? values.runway(digits, undefined)
      : model.slot === 'squawk' ? values.squawk(digits)
      : model.slot === 'qnh' ? values.pressure(digits, undefined, false)
      : model.slot === 'frequency' ? values.frequency(digits, undefined)
      : undefined;
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
    this.t.forEach((token, index) => {
      if (token.from >= bare.span[0] && token.to <= bare.span[1]) this.labels[index] = label;
    });
  }

  private dropItem(target: number): void {
    this.items.splice(target, 1);
    const shift = (list: number[]): number[] => list.filter((index) => index !== target).map((index) => (index > target ? index - 1 : index));
    for (const command of this.commands) command.items = shift(command.items);
    for (const condition of this.conditions) condition.items = shift(condition.items);
    for (const correction of this.corrections) if (correction.items > target) correction.items--;
  }
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value));

const fixLike = (token: Token | undefined, masked: boolean | undefined): boolean => token !== undefined && masked !== true && token.number === undefined && token.letter === undefined && !isKnownWord(token.text);
