/**
 * The rules judge: compares a readback with its instruction slot by slot and says what differs, where, and how sure
 * that is. Pure; no model, no network. Numbered behaviours: docs/behaviour-judging.md (J…).
 *
 * Two principles hold everywhere:
 * - which words are compared with which never depends on how sure a reading is; sureness only moves a result from
 *   `error` or `correct` to `uncertain`. So worse evidence never makes a readback look better.
 * - a mismatch that rests on weak words still counts for the level (the most severe reading that the evidence allows).
 */
import { compareCallsigns, type CallsignRelation } from '../domain/callsigns.js';
import { isCutCallsign } from '../domain/cut.js';
import type { Advisory, Comparison, Finding } from '../domain/finding.js';
import type { Judge } from '../domain/stages.js';
import { RISK_OF, riskRank, type ErrorType, type Profile } from '../domain/taxonomy.js';
import type { CallsignReading, Condition, Guard, Item, Span, Understanding, ValueSlot, Verb } from '../domain/understanding.js';
import { compareConditions, type ConditionOutcome } from './conditions.js';
import { strangeWords, unreadValues, verbsWithoutValue } from './garble.js';
import { otherOperator } from './operator.js';
import { reread } from './reread.js';
import { withoutFalseNegation } from '../domain/mend.js';
import { collectNeeds, HOLD_VERBS, isLimit, isRetracted, ownedByConditions, RUNWAY_VERBS, runwayVerbsConflict, verbsConflict, type Level, type Need } from './needs.js';
import { cutEnds, cutTail, digitRuns, hasFiller, isFiller, isNumberWord, numberRuns, plainWord, positionsOf, sameNumberFormat, saysLiterally, unparsedNumbers } from './surface.js';
import { runTogether, soundsLike } from './sound.js';
import { LETTER_WORDS, TEEN_WORDS, TENS_WORDS } from '../phraseology/index.js';
import { bareEnds, bareMatches, compareValues, couldBe, digitsOf, spokenDigits } from '../domain/values.js';
import { consequenceRank } from './weight.js';
import { capital, list, sayValue, slotName } from './wording.js';

/** What a judge is given. */
export type JudgeInput = Parameters<Judge['judge']>[0];

/** Below this, words that differ are no proof that something else was said. */
export const WEAK_MISMATCH = 0.5;
/** Below this, not even agreeing words are proof: two independent hearings that agree need less than one that differs. */
export const WEAK_MATCH = 0.2;
/** The same for callsigns: the operator's name is often the weakest word, and its number agrees as well. */
const WEAK_CALLSIGN = 0.05;
/** Below this, the readback may belong to another instruction. */
export const WEAK_PAIRING = 0.5;

type Kind = 'value' | 'omission' | 'constraint' | 'target';

/** The number that a readback ends in. */
interface NumberAtEnd {
  readonly digits: string;
  readonly span: Span;
  readonly confidence: number;
}

/** One thing that is wrong, or may be. */
interface Fault {
  readonly kind: Kind;
  readonly level: Level;
  /** Name for affected_slot. */
  readonly slot: string;
  /** Sure enough to be told as an error. */
  readonly strong: boolean;
  readonly confidence: number;
  /** How sure it is that both halves said the same, where they were heard to. */
  readonly agreement: number;
  /** A clause for the explanation, without a full stop. */
  readonly clause: string;
  readonly doubt?: string;
  readonly instructionSpan: Span | null;
  readonly readbackSpan: Span | null;
}

/** Slots of which an instruction gives one value; a second one replaces the first. */
const ONE_AT_A_TIME: ReadonlySet<ValueSlot> = new Set<ValueSlot>(['heading', 'frequency', 'qnh', 'squawk']);

/** Slots whose values are three digits and are often said without their name. */
const BARE_SLOTS: ReadonlySet<ValueSlot> = new Set<ValueSlot>(['altitude', 'heading', 'speed']);

/** Values that come back only because they were given. */
const LEARNT: ReadonlySet<ValueSlot> = new Set<ValueSlot>(['speed', 'frequency', 'runway']);
/** Words that are less sure were hardly heard. */
const HARDLY_HEARD = 0.5;

/** The figures of a heading, speed or flight level as they are said; a value of more figures as it is. */
const threeDigits = (digits: string): string => digits.replace(/^0+/, '').padStart(3, '0');

/** Words that say of which kind a number is, or which way it is flown to. */
const TELLS_WHAT = /^(?:headings?|degrees|flight|levels?|altitude|fl\d*|feet|foot|thousand|hundred|knots?|speeds?|mach|reduc\w*|increas\w*|slow\w*|climb\w*|descen\w*|turn\w*|left|right|track|course|radial|passing|leaving|direct|qnh|runway)$/;

/** Slots of which a readback has one value for each that was given. */
const SINGLE: ReadonlySet<ValueSlot> = new Set<ValueSlot>(['speed', 'frequency', 'qnh', 'squawk']);

/** Slots whose values are names: their words can be looked for as they are. */
const NAMED: ReadonlySet<ValueSlot> = new Set<ValueSlot>(['waypoint', 'taxiway', 'holding_point', 'stand', 'procedure', 'route']);

/** What is left of a clearance whose first words are lost. */
const HEAD_CUT: ReadonlyMap<Verb, RegExp> = new Map<Verb, RegExp>([
  ['cleared_to_land', /^(?:to )?land\b/], ['cleared_takeoff', /^(?:for |to )?(?:take ?off|off)\b/], ['line_up', /^up\b/], ['hold_short', /^short\b/], ['cleared_touch_and_go', /^(?:touch )?and go\b/],
]);

/** A level behind these is where the aircraft is, and not where it goes. */
const LEAVING = /\b(?:passing|passed|leaving|left|through|vacating|out of)\b/;

/** Guards after which a text says nothing for certain. */
const UNTRUSTWORTHY: ReadonlySet<Guard['reason']> = new Set([
  'repetition',
  'too-many-tokens-per-second',
  'text-too-long-for-audio',
  'no-speech',
  'low-confidence',
  'speech-without-text',
  'recogniser-failed',
]);
/** Guards after which words may be missing, at a known end or anywhere. */
const LOSSY: ReadonlySet<Guard['reason']> = new Set(['text-too-short-for-audio', 'clipped-start', 'clipped-end', 'overlap', 'token-limit']);

/** Judges one pair by rule. Synchronous and pure: the same input gives the same finding. */
export function judgeByRules(input: JudgeInput): Finding {
  return new Judgement(input).finding();
}

class Judgement {
  readonly #in: JudgeInput;
  readonly #instruction: Understanding;
  readonly #readback: Understanding;
  readonly #profile: Profile;
  readonly #faults: Fault[] = [];
  /** Things that came back right, with the fault that they would be if the words were misheard. */
  readonly #suspects: Fault[] = [];
  readonly #comparisons: Comparison[] = [];
  readonly #advisories: Advisory[] = [];
  readonly #doubts: string[] = [];
  /** Values that came back where the instruction has none of their kind and was not heard surely. */
  readonly #unheard: Item[] = [];
  readonly #saidItems: readonly { item: Item; index: number; owned: boolean }[];
  readonly #used = new Set<number>();
  readonly #formatSlots: string[] = [];
  readonly #guardsInstruction: readonly Guard[];
  readonly #guardsReadback: readonly Guard[];
  readonly #untrusted: boolean;
  readonly #unparsedReadback: boolean;
  /** Words of the readback that belong to no talk on the radio. */
  readonly #strange: readonly string[];
  readonly #cut: { readonly start: boolean; readonly end: boolean; readonly inside: boolean };
  readonly #unparsedInstruction: boolean;
  #matches = 0;

  constructor(input: JudgeInput) {
    this.#in = input;
    const instruction = withoutFalseNegation(input.instruction);
    const readback = reread(instruction, input.readback);
    this.#instruction = instruction;
    this.#readback = readback;
    this.#profile = input.profile;
    this.#guardsInstruction = input.guards?.instruction ?? [];
    this.#guardsReadback = input.guards?.readback ?? [];
    const limits = new Set(instruction.conditions.filter((c) => isLimit(instruction, c)).flatMap((c) => c.items.flatMap((i) => instruction.items[i]?.slot ?? [])));
    // "not below five thousand" read back without its verb, where the limit belongs to the level that was given
    const free = new Set(readback.conditions.filter((c) => c.key.startsWith('bound:') && c.items.length === 1).flatMap((c) => c.items.filter((i) => limits.has(readback.items[i]?.slot ?? 'wind'))));
    const owned = new Set([...ownedByConditions(readback)].filter((index) => !free.has(index)));
    this.#saidItems = readback.items
      .map((item, index) => ({ item, index, owned: owned.has(index) }))
      .filter(({ item }) => !isRetracted(readback, item) && item.modality !== 'request' && item.modality !== 'negated');
    this.#untrusted = [...this.#guardsInstruction, ...this.#guardsReadback].some((g) => UNTRUSTWORTHY.has(g.reason));
    this.#cut = cutEnds(readback);
    this.#unparsedReadback = unparsedNumbers(readback).length > 0;
    this.#strange = strangeWords(readback, instruction);
    this.#unparsedInstruction = unparsedNumbers(instruction).length > 0;
  }

  finding(): Finding {
    const needs = collectNeeds(this.#instruction, this.#profile);
    this.#compareNeeds(needs);
    this.#compareConditions();
    this.#compareOrder(needs);
    this.#compareRunwayClearances();
    this.#compareTurnsAndLevels();
    this.#compareSides();
    if (this.#profile === 'icao') this.#compareFacing();
    if (this.#profile === 'icao') this.#compareOtherClearances(needs);
    this.#compareInvented();
    this.#findAdded(needs);
    this.#compareCallsign();
    this.#adviseAnswer();
    this.#compareAcknowledgement(needs);
    this.#doubtNegative();
    this.#doubtAddedCondition();
    this.#doubtInstruction();
    this.#doubtLeftovers();
    this.#doubtUnheard();
    return this.#decide();
  }

  // --- values -----------------------------------------------------------------------------------------------------

  /** Pairs every value of the instruction with what came back for it: exact ones first, then near ones, then wrong ones. */
  #compareNeeds(needs: readonly Need[]): void {
    const open = new Set(needs);
    const settle = (test: (need: Need, said: Item, owned: boolean) => boolean, act: (need: Need, said: Item) => void): void => {
      for (const need of [...open]) {
        const found = this.#saidItems.find(({ item, index, owned }) => !this.#used.has(index) && test(need, item, owned));
        if (found === undefined) continue;
        open.delete(need);
        this.#used.add(found.index);
        act(need, found.item);
      }
    };
    // a level to expect that comes back as a clearance is no repetition of the expectation
    const upgraded = (need: Need, said: Item): boolean => need.item.modality === 'expect' && said.modality === 'command' && (need.slot === 'altitude' || need.slot === 'heading' || need.slot === 'speed');
    const equal = (need: Need, said: Item): boolean => said.slot === need.slot && !upgraded(need, said) && compareValues(need.slot, need.item.value, said.value, said.unit) === 'equal';
    const compatible = (need: Need, said: Item): boolean => !verbsConflict(need.slot, need.item.verb, said.verb);
    const passing = (said: Item): boolean => said.modality === 'report' && said.verb === undefined && said.slot !== 'runway' && !(said.slot === 'waypoint' && /^[A-Z]\d$/.test(said.value));

    settle((n, s, owned) => !owned && equal(n, s) && n.item.verb === s.verb && !passing(s), (n, s) => { this.#right(n, s); });
    settle((n, s, owned) => !owned && equal(n, s) && compatible(n, s) && !passing(s), (n, s) => { this.#right(n, s); });
    settle((n, s) => equal(n, s) && compatible(n, s), (n, s) => { this.#right(n, s); });
    // the same value for something else ("turn left heading 310" for "turn right heading 310")
    settle((n, s) => equal(n, s), (n, s) => { this.#wrongVerb(n, s); });
    settle((n, s, owned) => !owned && s.bare === true && bareMatches(n.slot, n.item.value, s), (n, s) => { this.#right(n, s); });
    // "holding point runway two five" is where one taxies to for runway two five
    settle((n, s, owned) => !owned && ((n.slot === 'holding_point' && n.item.value.startsWith('RWY') && (s.slot === 'runway' ? n.item.value === `RWY${s.value}` : s.bare === true && bareMatches('runway', n.item.value.slice(3), s))) || (n.slot === 'runway' && n.item.verb === 'taxi' && s.slot === 'holding_point' && s.value === `RWY${n.item.value}`)), (n, s) => { this.#right(n, s); });
    // "squawk seven thousand" is a code of whole thousands
    settle((n, s, owned) => !owned && n.slot === 'squawk' && s.slot === 'altitude' && s.verb === undefined && s.value === n.item.value && !needs.some((other) => other.slot === 'altitude'), (n, s) => { this.#right(n, s); });
    // "ten left" looks like a runway, and is the turn that was given
    settle((n, s, owned) => !owned && n.slot === 'heading' && s.slot === 'runway' && s.verb === undefined && isTurn(n.item.value, s.value), (n, s) => { this.#right(n, s); });
    // "runway one five left heading two four zero": the side is the runway's unless the turn was to that side
    settle((n, s, owned) => !owned && n.slot === 'runway' && s.slot === 'runway' && (s.alternatives ?? []).includes(n.item.value) && !verbsConflict(n.slot, n.item.verb, s.verb) && this.#sideOfRunway(n, s), (n, s) => { this.#right(n, { ...s, value: n.item.value }); });
    settle((n, s) => this.#cutRun(n, s) !== null, (n, s) => { this.#right(n, { ...s, span: this.#cutRun(n, s) ?? s.span }); });
    const related = (relation: 'unit' | 'incomplete' | 'spelling') => (need: Need, said: Item, owned: boolean) =>
      !owned && said.slot === need.slot && compareValues(need.slot, need.item.value, said.value, said.unit) === relation;
    // "eighteen three" for 118.3: in group form the leading one is left out
    settle((n, s, owned) => !owned && n.slot === 'frequency' && s.bare === true && this.#inGroups(s) && spokenDigits(n.slot, n.item.value).includes(`1${digitsOf(s)}`), (n, s) => { this.#right(n, { ...s, value: n.item.value }); });
    settle(related('incomplete'), (n, s) => { this.#incomplete(n, s); });
    settle((n, s, owned) => !owned && n.required && s.bare === true && bareEnds(n.slot, n.item.value, s), (n, s) => { this.#incomplete(n, s); });
    // "twelve five" for 12,500 feet
    settle((n, s, owned) => !owned && n.slot === 'altitude' && s.bare === true && /^\d+500$/.test(n.item.value) && digitsOf(s) === n.item.value.slice(0, -2), (n, s) => { this.#doubtful(n, s, `"${digitsOf(s)}" may mean ${sayValue('altitude', n.item.value)}.`); });
    settle(related('spelling'), (n, s) => { this.#doubtful(n, s, `${capital(sayValue(n.slot, n.item.value))} and ${sayValue(s.slot, s.value)} may be two spellings of the same name.`); });
    settle(related('unit'), (n, s) => { this.#wrong(n, s, 'unit-changed'); });
    settle(
      (n, s, owned) => !owned && s.slot === n.slot && ((s.alternatives ?? []).some((a) => compareValues(n.slot, n.item.value, a) === 'equal') || (n.item.alternatives ?? []).some((a) => compareValues(n.slot, a, s.value) === 'equal')),
      (n, s) => { this.#doubtful(n, s, `The words for the ${slotName(n.slot)} can be read in more than one way.`); },
    );
    for (const { need, span } of runTogether([...open].filter((n) => n.required), this.#readback)) {
      open.delete(need);
      this.#saidItems.forEach(({ item, index }) => { if (item.span[0] >= span[0] && item.span[1] <= span[1]) this.#used.add(index); });
      const { bound: _bound, ...value } = need.item;
      this.#right(need, { ...value, span, confidence: this.#readbackSureness() });
    }
    // "fly two six zero" for a speed, "maintain one three zero" for a heading: the right number, and what it stands for is left to guess
    settle(
      (n, s, owned) => !owned && n.required && s.slot !== n.slot && BARE_SLOTS.has(n.slot) && BARE_SLOTS.has(s.slot) && threeDigits(digitsOf(n.item)) === threeDigits(digitsOf(s)) && !this.#saysWhat(s),
      (n, s) => { this.#doubtful(n, { ...s, bare: true }, `"${digitsOf(s)}" came back without a word for what it is.`); },
    );
    // said of something else in the instruction (a level that is left, a level to expect)
    const elsewhere = (said: Item): boolean => this.#instruction.items.some((i) => i.slot === said.slot && (i.modality === said.modality || i.modality === 'command' || i.modality === 'report') && compareValues(said.slot, i.value, said.value) === 'equal');
    const clearance = (need: Need, said: Item): boolean => !need.required || need.soft || (said.modality !== 'expect' && said.modality !== 'information') || need.item.modality === said.modality;
    const mismatch = (need: Need, said: Item, owned: boolean): boolean =>
      !owned && said.slot === need.slot && !passing(said) && !elsewhere(said) && clearance(need, said) && !forAnother(need, said) && (said.bare !== true || (need.required && couldBe(need.slot, digitsOf(said))));
    // "cross two five" answers the crossing, not the runway to turn onto
    const forAnother = (need: Need, said: Item): boolean => need.slot === 'runway' && said.verb !== undefined && said.verb !== need.item.verb && needs.some((n) => n.slot === 'runway' && n.item.verb === said.verb);
    settle((n, s, owned) => mismatch(n, s, owned) && n.item.verb !== undefined && n.item.verb === s.verb, (n, s) => { this.#wrong(n, s, 'wrong'); });
    settle((n, s, owned) => mismatch(n, s, owned) && n.required, (n, s) => { this.#wrong(n, s, 'wrong'); });
    settle((n, s, owned) => mismatch(n, s, owned) && expectsSameThing(n, s), (n, s) => { this.#wrong(n, s, 'wrong'); });
    // two numbers that nothing explains, as long as each other and not the same
    settle((n, s, owned) => !owned && n.soft && n.item.bare === true && s.bare === true && digitsOf(s).length >= 2 && digitsOf(s).length === digitsOf(n.item).length, (n, s) => { this.#wrong(n, s, 'wrong'); });
    // "twenty seven nine" for 127.5: another frequency in the same form
    settle((n, s, owned) => !owned && n.slot === 'frequency' && n.required && s.bare === true && this.#inGroups(s) && /^(?:1[89]|2\d|3[0-6])\d{1,3}$/.test(digitsOf(s)), (n, s) => { this.#wrong(n, s, 'wrong'); });
    // a number without a carrier, and one number still to come back: that is what it was meant for
    const numbersOpen = [...open].filter((n) => n.required && digitsOf(n.item) !== '');
    if (numbersOpen.length === 1) {
      settle((n, s, owned) => n === numbersOpen[0] && !owned && s.bare === true && couldBe(n.slot, digitsOf(s)), (n, s) => { this.#wrong(n, s, 'wrong'); });
    }
    for (const need of open) {
      if (this.#saidOtherwise(need)) continue;
      if (need.required) this.#missing(need);
      else this.#compare(need, null, 'not-required', need.item.confidence);
    }
  }

  /** A side behind a runway's number and before "heading", where no turn to that side was given. */
  #sideOfRunway(need: Need, said: Item): boolean {
    const side = plainWord(this.#readback.words[said.span[1]]?.text ?? '');
    if (side.charAt(0).toUpperCase() !== need.item.value.slice(2) || plainWord(this.#readback.words[said.span[1] + 1]?.text ?? '') !== 'heading') return false;
    const turn: Verb = side === 'left' ? 'turn_left' : 'turn_right';
    return this.#instruction.commands.every((c) => c.verb !== turn) && this.#instruction.items.every((i) => i.verb !== turn);
  }

  /** Said as "eighteen …", "twenty …" and the like. */
  #inGroups(said: Item): boolean {
    const first = plainWord(this.#readback.words[said.span[0]]?.text ?? '');
    return TEEN_WORDS.has(first) || TENS_WORDS.has(first);
  }

  /** The parser took only a part of a run of digits for something else, and the whole run is the value: "four thousand two nine nine seven". */
  #cutRun(need: Need, said: Item): Span | null {
    const run = digitRuns(this.#readback).find(({ span }) => said.span[0] === span[0] && said.span[1] < span[1] && said.span[1] > span[0]);
    return run !== undefined && run.digits.length >= 3 && spokenDigits(need.slot, need.item.value).includes(run.digits) ? run.span : null;
  }

  /** A word in the value or in front of it tells whether it is a level, a heading or a speed. */
  #saysWhat(said: Item): boolean {
    const [from, to] = said.span;
    const before = this.#readback.items.some((item) => item !== said && item.span[0] < from && item.span[1] >= from) ? '' : plainWord(this.#readback.words[from - 1]?.text ?? '');
    return [before, ...this.#readback.words.slice(from, to).map((w) => plainWord(w.text))].some((word) => TELLS_WHAT.test(word));
  }

  /** The value is in the words though no item holds it: a name said again, or digits that ran into the callsign. */
  #saidOtherwise(need: Need): boolean {
    // "holding point runway two five": the runway that came back names it
    const runway = need.slot === 'holding_point' && need.item.value.startsWith('RWY') ? this.#comparisons.find((c) => c.slot === 'runway' && c.outcome === 'right' && c.instruction === need.item.value.slice(3)) : undefined;
    if (runway?.readback_span != null) {
      this.#compare(need, { value: need.item.value, span: runway.readback_span }, 'right', runway.confidence);
      return true;
    }
    const named = NAMED.has(need.slot) ? saysLiterally(this.#instruction, need.item.span, this.#readback) : null;
    const reading = this.#readback.callsign_candidates[0];
    const given = this.#instruction.callsign;
    const prefix = reading !== undefined && given !== null && reading.value !== given && reading.value.endsWith(given) ? reading.value.slice(0, -given.length) : '';
    const swallowed = /^\d{2,}$/.test(prefix) && spokenDigits(need.slot, need.item.value).includes(prefix);
    const span = named ?? (swallowed ? reading?.span : undefined);
    if (span === undefined) return false;
    this.#matches++;
    const confidence = Math.min(need.item.confidence, this.#readbackSureness());
    const value = { value: need.item.value, span };
    this.#compare(need, value, 'right', confidence);
    if (need.required) this.#suspectFault({ kind: 'value', level: need.level, slot: need.slot, need: need.item, said: { span }, confidence, heard: [need.item.confidence, this.#readbackSureness()], clause: `${sayValue(need.slot, need.item.value)} may not have come back right` });
    return true;
  }

  #right(need: Need, said: Item): void {
    this.#matches++;
    const confidence = Math.min(need.item.confidence, said.confidence);
    // the head of the number was lost and more than one number ends like that, or the talk key may have cut it
    const cut = said.clipped !== undefined && said.clipped === 'head' && need.item.clipped !== 'head' && need.slot === 'frequency' && ((said.alternatives ?? []).length > 0 || said.span[0] === 0);
    if (cut) {
      this.#used.add(this.#readback.items.indexOf(said));
      this.#doubtful(need, said, `The start of the ${slotName(need.slot)} is missing in the readback; what is left fits ${sayValue(need.slot, need.item.value)}.`);
      return;
    }
    if (need.item.modality === 'command' && need.required && said.modality === 'expect') {
      this.#doubtful(need, said, `${capital(sayValue(need.slot, need.item.value))} came back as something to expect.`);
      return;
    }
    if (need.slot === 'altitude' && said.modality === 'report' && LEAVING.test(this.#readback.words.slice(Math.max(0, said.span[0] - 1), said.span[1]).map((w) => plainWord(w.text)).join(' '))) {
      this.#doubtful(need, said, `${capital(sayValue(need.slot, need.item.value))} came back as a level that is passed.`);
      return;
    }
    if (need.item.verb === 'turn' && (said.verb === 'turn_left' || said.verb === 'turn_right')) {
      this.#doubtful(need, said, 'The instruction, as it was heard, names no side for the turn, and the readback does.');
      return;
    }
    this.#compare(need, said, 'right', confidence);
    this.#suspect(need, said);
    if (said.modality === 'question') this.#advise('asked-to-confirm', `The pilot asked to confirm ${sayValue(need.slot, need.item.value)}.`);
    if (!sameNumberFormat(this.#instruction, need.item.span, this.#readback, said.span)) this.#formatSlots.push(need.slot);
    this.#compareBounds(need, said);
  }

  /** "or less", "or greater" belong to the value: without them it is another instruction. */
  #compareBounds(need: Need, said: Item): void {
    const given = boundKind(need.item.bound) ?? this.#boundFromConditions(need.item, this.#instruction);
    const heard = boundKind(said.bound) ?? this.#boundFromConditions(said, this.#readback);
    if (given === null || given === heard) {
      if (given === null && heard !== null && need.item.bound === undefined && this.#instruction.conditions.every((c) => !c.key.startsWith('bound:'))) {
        this.#advise('added-limit', `The readback adds a limit to ${sayValue(need.slot, need.item.value)} that was not given.`);
      }
      return;
    }
    // a condition of the instruction that holds this value is compared as a condition
    const index = this.#instruction.items.indexOf(need.item);
    if (this.#instruction.conditions.some((c) => c.items.includes(index) && !isLimit(this.#instruction, c))) return;
    const words = given === 'below' ? 'or below' : 'or above';
    const value = sayValue(need.slot, need.item.value);
    if (heard === null) {
      this.#fault({ kind: 'constraint', level: 'HIGH', slot: 'condition', need: need.item, said, confidence: Math.min(need.item.confidence, this.#readbackSureness()), clause: `the limit "${words}" on ${value} was dropped`, missing: true });
      this.#compare({ slot: 'condition', item: need.item }, null, 'missing', need.item.confidence);
    } else {
      this.#fault({ kind: 'value', level: need.level, slot: need.slot, need: need.item, said, confidence: Math.min(need.item.confidence, said.confidence), clause: `${value} was a limit ${given === 'below' ? 'not to exceed' : 'not to go below'} and came back the other way round` });
      this.#compare({ slot: 'condition', item: need.item }, said, 'wrong', Math.min(need.item.confidence, said.confidence));
    }
  }

  #boundFromConditions(item: Item, understanding: Understanding): 'below' | 'above' | null {
    const index = understanding.items.indexOf(item);
    for (const condition of understanding.conditions) {
      if (condition.items.includes(index) && condition.key.startsWith('bound:')) return boundKind(condition.key.split(':')[1]);
    }
    return null;
  }

  #wrong(need: Need, said: Item, outcome: 'wrong' | 'unit-changed'): void {
    const confidence = Math.min(need.item.confidence, said.confidence);
    this.#compare(need, said, outcome, confidence);
    const soft = need.soft && need.slot !== 'runway';
    const cut = cutPiece(need.slot, need.item, said, this.#instruction) || cutPiece(need.slot, said, need.item, this.#readback);
    const given = sayValue(need.slot, need.item.value);
    const heard = said.bare === true || said.slot !== need.slot ? `"${digitsOf(said)}"` : sayValue(need.slot, said.value);
    const sound = this.#soundDoubt(need.item.span);
    this.#fault({
      kind: 'value',
      level: need.level,
      slot: need.slot,
      need: need.item,
      said,
      confidence,
      clause: outcome === 'unit-changed' ? `${given} came back in another unit, as ${heard}` : `${given} came back as ${heard}`,
      ...(soft ? { doubt: `${capital(given)} was information, not a clearance, and the readback says ${heard}.` } : {}),
      ...(cut && !soft ? { doubt: `Part of the ${slotName(need.slot)} may be cut off: the one is the beginning or the end of the other.` } : !soft && sound !== undefined ? { doubt: sound } : {}),
    });
  }

  /** "… level to four zero" for level two four zero: by ear it is what was given. */
  #soundDoubt(span: Span): string | undefined {
    const heard = soundsLike(this.#instruction, span, this.#readback);
    if (heard === null) return undefined;
    const words = (understanding: Understanding, [from, to]: Span): string => understanding.words.slice(from, to).map((w) => w.text).join(' ');
    return `"${words(this.#readback, heard)}" in the readback sounds like "${words(this.#instruction, span)}".`;
  }

  #wrongVerb(need: Need, said: Item): void {
    const confidence = Math.min(need.item.confidence, said.confidence);
    this.#compare(need, said, 'wrong', confidence);
    this.#fault({ kind: 'value', level: need.level, slot: need.slot, need: need.item, said, confidence, clause: `${verbWords(need.item.verb)} ${sayValue(need.slot, need.item.value)} came back as ${verbWords(said.verb)}` });
  }

  #incomplete(need: Need, said: Item): void {
    if (need.slot === 'heading') {
      // a turn by so many degrees means nothing without its side
      this.#compare(need, said, 'missing', Math.min(need.item.confidence, said.confidence));
      this.#fault({ kind: 'omission', level: need.level, slot: need.slot, need: need.item, said, confidence: Math.min(need.item.confidence, said.confidence), clause: `the side of the turn was left out (${sayValue(need.slot, need.item.value)})`, missing: true });
      return;
    }
    this.#doubtful(need, said, `Only part of the ${slotName(need.slot)} came back (${digitsOf(said)} of ${need.item.value}).`);
  }

  #doubtful(need: Need, said: Item, doubt: string): void {
    const value = sayValue(need.slot, need.item.value);
    const heard = said.bare === true ? `"${digitsOf(said)}"` : sayValue(need.slot, said.value);
    this.#matches++;
    const confidence = Math.min(need.item.confidence, said.confidence);
    this.#compare(need, said, 'uncertain', confidence);
    this.#fault({ kind: 'value', level: need.level, slot: need.slot, need: need.item, said, confidence, clause: heard === value ? `${value} came back in part` : `${value} may have come back as ${heard}`, doubt });
  }

  #missing(need: Need): void {
    const confidence = Math.min(need.item.confidence, this.#readbackSureness());
    // "heading two five zero correct heading two seven zero": the last word of an instruction that corrects itself
    const replaced = ONE_AT_A_TIME.has(need.slot) && this.#instruction.conditions.length === 0 && this.#instruction.items.some((i) => i.slot === need.slot && i.span[0] > need.item.span[0] && this.#comparisons.some((c) => c.slot === need.slot && c.outcome === 'right' && c.instruction === i.value));
    // straight ahead is the runway's heading, and may be any other that is flown
    const ahead = need.item.value === 'RUNWAY' && /\bstraight ahead\b/i.test(this.#readback.text) ? '"Straight ahead" may mean the runway heading.' : undefined;
    const sound = ahead ?? this.#soundDoubt(need.item.span);
    this.#compare(need, null, 'missing', confidence);
    this.#fault({ kind: 'omission', level: need.level, slot: need.slot, need: need.item, said: null, confidence, clause: `${sayValue(need.slot, need.item.value)} did not come back`, missing: true, ...(sound !== undefined ? { doubt: sound } : replaced ? { doubt: `The instruction names more than one ${slotName(need.slot)}, and the last of them came back.` } : {}) });
  }

  // --- conditions -------------------------------------------------------------------------------------------------

  #compareConditions(): void {
    const outcomes = compareConditions(this.#instruction, this.#readback, this.#profile, (index) => this.#used.has(index));
    for (const outcome of outcomes) {
      for (const index of outcome.uses) this.#used.add(index);
      this.#conditionOutcome(outcome);
    }
  }

  /** "When ready flight level one two zero" for "descend now …": the aircraft would wait for what nobody named. */
  #doubtAddedCondition(): void {
    if (this.#faults.length > 0 || this.#matches === 0 || this.#instruction.conditions.length > 0 || this.#unparsedInstruction) return;
    const added = this.#readback.conditions.find((c) => /^(?:when:(?:ready|able|convenient)|(?:after|before|until|at):.)/.test(c.key) && (c.kind === 'procedural' ? c.key.startsWith('when:') : c.items.length > 0) && saysLiterally(this.#readback, c.span, this.#instruction) === null && c.items.every((i) => !this.#used.has(i)));
    if (added === undefined) return;
    this.#fault({ kind: 'constraint', level: 'HIGH', slot: 'condition', need: null, said: added, confidence: added.confidence, clause: `the condition "${added.text.trim()}" was read back and never given`, doubt: 'The readback makes the instruction wait for something.' });
  }

  #conditionOutcome(outcome: ConditionOutcome): void {
    const { condition, said } = outcome;
    const heardConfidence = said === null ? this.#readbackSureness() : said.confidence;
    const confidence = Math.min(condition.confidence, heardConfidence);
    const base = { need: condition, said, confidence };
    const fields = { slot: 'condition', item: { value: condition.text, span: condition.span } };
    const text = condition.text.trim();
    switch (outcome.kind) {
      case 'right':
        this.#matches++;
        this.#compare(fields, said === null ? null : { value: said.text, span: said.span }, 'right', confidence);
        this.#suspectFault({ kind: 'constraint', level: 'HIGH', slot: 'condition', clause: `the condition "${text}" may not have come back`, ...base, heard: [condition.confidence, heardConfidence] });
        break;
      case 'missing':
        this.#compare(fields, null, 'missing', confidence);
        this.#fault({ kind: 'constraint', level: 'HIGH', slot: 'condition', clause: `the condition "${text}" was dropped`, missing: true, ...base });
        break;
      case 'partly':
        this.#compare(fields, said === null ? null : { value: said.text, span: said.span }, 'uncertain', confidence);
        this.#fault({ kind: 'constraint', level: 'HIGH', slot: 'condition', clause: `the condition "${text}" may have been dropped`, doubt: `The value in the condition "${text}" came back, but not what it is a condition for.`, ...base });
        break;
      case 'wrong': {
        this.#compare(fields, said === null ? null : { value: said.text, span: said.span }, 'wrong', confidence);
        const critical = outcome.slot === 'altitude' || outcome.slot === 'runway';
        this.#fault({
          kind: 'value',
          level: critical ? 'CRITICAL' : 'HIGH',
          slot: critical ? outcome.slot : 'condition',
          clause: `the condition "${text}" came back as "${said?.text.trim() ?? ''}"`,
          ...base,
        });
        break;
      }
    }
  }

  /** "Eight thousand until lanux then five thousand": two values of one kind, the other way round, are another instruction. */
  #compareOrder(needs: readonly Need[]): void {
    const right = needs.filter((n) => n.required && (n.slot === 'altitude' || n.slot === 'heading' || n.slot === 'speed')).flatMap((need) => {
      const found = this.#comparisons.find((c) => c.slot === need.slot && c.outcome === 'right' && c.instruction === need.item.value && c.readback_span !== null);
      return found?.readback_span == null ? [] : [{ need, at: found.readback_span }];
    });
    for (const [i, first] of right.entries()) {
      const second = right.slice(i + 1).find((other) => other.need.slot === first.need.slot && other.need.item.span[0] > first.need.item.span[0] && other.at[0] < first.at[0]);
      if (second === undefined) continue;
      this.#fault({ kind: 'value', level: first.need.level, slot: first.need.slot, need: first.need.item, said: { span: second.at }, confidence: Math.min(first.need.item.confidence, second.need.item.confidence), clause: `${sayValue(first.need.slot, first.need.item.value)} came back behind ${sayValue(second.need.slot, second.need.item.value)}`, doubt: 'The order of two values of one kind is another one in the readback.' });
      return;
    }
  }

  // --- clearances without a value of their own --------------------------------------------------------------------

  /** Landing, take-off, line-up, crossing, hold-short: the permission itself, apart from the runway's number. */
  #compareRunwayClearances(): void {
    const said = this.#saidVerbs();
    const runwayFault = (): boolean => this.#faults.some((f) => f.slot === 'runway');
    const seen = new Set<Verb>();
    for (const command of this.#instruction.commands) {
      const { verb } = command;
      const held = HOLD_VERBS.has(verb);
      if (command.modality !== 'command' || seen.has(verb) || !(RUNWAY_VERBS.has(verb) || held || verb === 'continue_approach')) continue;
      seen.add(verb);
      const confidence = Math.min(command.confidence, this.#readbackSureness());
      // "hold position, cancel take-off" is answered with "holding" or "stopping" (Doc 4444 §12.3.4.12)
      const stays = held && ((verb === 'cancel_takeoff' && said.has('hold_position')) || this.#readback.words.some((w) => /^(?:holding|stopping)$/.test(plainWord(w.text))));
      if (said.has(verb) || stays || (verb === 'line_up' && said.has('hold_position') && said.has('backtrack'))) {
        this.#matches++;
        if (this.#profile === 'icao') this.#compare({ slot: verb, item: { value: slotName(verb), span: command.span } }, null, 'right', confidence);
        continue;
      }
      const given = new Set(this.#instruction.commands.map((c) => c.verb));
      const other = [...said].find(([v]) => !given.has(v) && runwayVerbsConflict(verb, v));
      if (other !== undefined) {
        const [heardVerb, heardSpan] = other;
        if (runwayFault()) continue;
        this.#compare({ slot: verb, item: { value: slotName(verb), span: command.span } }, { value: slotName(heardVerb), span: heardSpan }, 'wrong', confidence);
        this.#fault({ kind: 'value', level: 'CRITICAL', slot: 'runway', need: command, said: { span: heardSpan }, confidence, clause: `the ${slotName(verb)} came back as a ${slotName(heardVerb)}` });
        continue;
      }
      // the runway is missing as well: one omission, told once
      if (this.#profile === 'paper' || verb === 'continue_approach' || runwayFault()) continue;
      this.#compare({ slot: verb, item: { value: slotName(verb), span: command.span } }, null, 'missing', confidence);
      // "… to land runway two five": the head of the clearance is cut off
      const cutHead = HEAD_CUT.get(verb)?.test(this.#readback.words.slice(0, 3).map((w) => plainWord(w.text)).join(' ')) === true;
      this.#fault({ kind: 'omission', level: 'CRITICAL', slot: held ? 'hold_position' : 'runway', need: command, said: null, confidence, clause: `the ${slotName(verb)} did not come back`, missing: true, ...(cutHead ? { doubt: 'The head of the clearance may be cut off.' } : {}) });
    }
  }

  /** "turn left" answered with "turning right", "further climb" with "descending", where no value carries the verb. */
  #compareTurnsAndLevels(): void {
    const said = this.#saidVerbs();
    const given = new Set<Verb>(this.#instruction.commands.filter((c) => c.modality === 'command').map((c) => c.verb));
    for (const item of this.#instruction.items) if (item.modality === 'command' && item.verb !== undefined) given.add(item.verb);
    const opposites: readonly (readonly [Verb, Verb, 'heading' | 'altitude'])[] = [
      ['turn_left', 'turn_right', 'heading'],
      ['turn_right', 'turn_left', 'heading'],
      ['climb', 'descend', 'altitude'],
      ['descend', 'climb', 'altitude'],
    ];
    for (const [one, other, slot] of opposites) {
      const heard = said.get(other);
      if (!given.has(one) || given.has(other) || heard === undefined || said.has(one) || this.#faults.some((f) => f.slot === slot)) continue;
      const command = this.#instruction.commands.find((c) => c.verb === one) ?? this.#instruction.items.find((i) => i.verb === one);
      if (command === undefined) continue;
      const confidence = Math.min(command.confidence, this.#readbackSureness());
      // on the ground a turn is part of the taxi route
      const taxiing = command.action === 'taxiway_instruction';
      if (taxiing && this.#profile === 'paper') continue;
      const field = taxiing ? 'taxiway' : slot;
      this.#compare({ slot: field, item: { value: verbWords(one), span: command.span } }, { value: verbWords(other), span: heard }, 'wrong', confidence);
      this.#fault({ kind: 'value', level: taxiing ? 'HIGH' : 'CRITICAL', slot: field, need: command, said: { span: heard }, confidence, clause: `${verbWords(one)} came back as ${verbWords(other)}` });
    }
  }

  /** Left for right where no heading or runway carries the side: vacating, joining a circuit, orbits. */
  #compareSides(): void {
    const given = this.#sides(this.#instruction, true);
    const said = this.#sides(this.#readback, false);
    const [one, ...more] = given;
    const [other, ...rest] = said;
    if (one === undefined || other === undefined || more.some((s) => s.side !== one.side) || rest.some((s) => s.side !== other.side) || one.side === other.side) return;
    const orbit = one.verb === 'orbit';
    if ((this.#profile === 'paper' && !orbit) || this.#faults.some((f) => f.kind === 'value')) return;
    const sure = one.verb !== undefined && one.verb === other.verb;
    const slot = orbit ? 'heading' : one.verb === 'vacate' ? 'taxiway' : 'route';
    const confidence = Math.min(this.#instruction.words[one.at]?.confidence ?? 1, this.#readback.words[other.at]?.confidence ?? 1);
    const span = (at: number): Span => [at, at + 1];
    this.#compare({ slot, item: { value: one.side, span: span(one.at) } }, { value: other.side, span: span(other.at) }, 'wrong', confidence);
    this.#fault({
      kind: 'value', level: orbit ? 'CRITICAL' : 'HIGH', slot, need: { span: span(one.at) }, said: { span: span(other.at) }, confidence, clause: `${one.side} came back as ${other.side}`,
      ...(sure ? {} : { doubt: `The instruction says ${one.side} and the readback ${other.side}, and what for is not certain.` }),
    });
  }

  /** "Pushback approved facing west": the other way is another stand's taxiway. "Tail east" is "facing west". */
  #compareFacing(): void {
    const [given, said] = [facing(this.#instruction), facing(this.#readback)];
    if (given === undefined || said === undefined || given.direction === said.direction || this.#faults.some((f) => f.kind === 'value')) return;
    const confidence = Math.min(this.#instruction.words[given.span[1] - 1]?.confidence ?? 1, this.#readback.words[said.span[1] - 1]?.confidence ?? 1);
    this.#compare({ slot: 'route', item: { value: given.direction, span: given.span } }, { value: said.direction, span: said.span }, 'wrong', confidence);
    this.#fault({ kind: 'value', level: 'HIGH', slot: 'route', need: { span: given.span }, said: { span: said.span }, confidence, clause: `facing ${given.direction} came back as ${said.direction}` });
  }

  /** Where "left" and "right" are said, outside of runways, callsigns and talk; of an instruction only inside what it orders. */
  #sides(understanding: Understanding, ordered: boolean): readonly { side: 'left' | 'right'; at: number; verb: Verb | undefined }[] {
    const labels = understanding.tokens.flatMap((chunk) => chunk.text.split(/\s+/).map(() => chunk.label));
    return understanding.words.flatMap(({ text }, at) => {
      const side = plainWord(text);
      if (side !== 'left' && side !== 'right') return [];
      const label = labels[at];
      if (label === 'traffic' || label === 'callsign' || label === 'condition' || label === 'runway') return [];
      // "left hand turns" of a hold or a circuit
      const hand = /^(?:hand|turns?|pattern|circuits?|downwind|base|orbits?)$/.test(plainWord(understanding.words[at + 1]?.text ?? ''));
      if (ordered && (label === 'O' || label === 'relation') && !hand) return [];
      if (side === 'right' && (/^(?:all|that's|thats)$/.test(plainWord(understanding.words[at - 1]?.text ?? '')) || /^(?:now|away)$/.test(plainWord(understanding.words[at + 1]?.text ?? '')))) return [];
      if (understanding.retracted.some(([from, to]) => at >= from && at < to) || understanding.items.some((i) => i.slot === 'runway' && at >= i.span[0] && at < i.span[1])) return [];
      const verb = understanding.commands.find((c) => at >= c.span[0] && at < c.span[1])?.verb;
      return [{ side, at, verb }];
    });
  }

  /** A permission for a runway that was never given: what it answers was not recorded, or it was invented. */
  #compareInvented(): void {
    if (this.#profile === 'paper' || this.#faults.length > 0) return;
    const given = new Set<Verb>([...this.#instruction.commands.map((c) => c.verb), ...this.#instruction.items.flatMap((i) => (i.verb === undefined ? [] : [i.verb]))]);
    for (const command of this.#readback.commands) {
      const { verb, span } = command;
      if (command.modality !== 'command' || !RUNWAY_VERBS.has(verb) || verb === 'hold_short' || given.has(verb) || [...given].some((v) => RUNWAY_VERBS.has(v) || v === 'taxi' || v === 'vacate' || v === 'report' || v === 'cleared_approach')) continue;
      this.#compare({ slot: verb, item: { value: '', span: [0, 0] } }, { value: slotName(verb), span }, 'added', command.confidence);
      this.#fault({ kind: 'value', level: 'CRITICAL', slot: 'runway', need: null, said: { span }, confidence: command.confidence, clause: `a ${slotName(verb)} was read back and never given`, doubt: `The instruction, as it was heard, gives no ${slotName(verb)}.` });
      return;
    }
  }

  /** Approach clearances and instructions about other traffic. */
  #compareOtherClearances(needs: readonly Need[]): void {
    const said = this.#saidVerbs();
    const approach = this.#instruction.commands.find((c) => c.verb === 'cleared_approach' && c.modality === 'command');
    if (approach !== undefined && !this.#faults.some((f) => f.slot === 'runway')) {
      const named = said.has('cleared_approach') || this.#readback.items.some((i) => i.slot === 'approach');
      const runwaySaid = needs.some((n) => n.slot === 'runway') && this.#comparisons.some((c) => c.slot === 'runway' && c.outcome === 'right');
      const confidence = Math.min(approach.confidence, this.#readbackSureness());
      if (named || runwaySaid) this.#compare({ slot: 'cleared_approach', item: { value: 'approach clearance', span: approach.span } }, null, 'right', confidence);
      else {
        this.#compare({ slot: 'cleared_approach', item: { value: 'approach clearance', span: approach.span } }, null, 'missing', confidence);
        this.#fault({ kind: 'omission', level: 'HIGH', slot: 'clearance', need: approach, said: null, confidence, clause: 'the approach clearance did not come back', missing: true });
      }
    }
    const traffic = this.#instruction.commands.find((c) => (c.verb === 'give_way' || c.verb === 'follow') && c.modality === 'command');
    // "number three, traffic to follow …" answered with "number three"
    const placed = this.#instruction.commands.some((c) => c.verb === 'number' && c.modality === 'command') && said.has('number');
    if (traffic !== undefined && !(placed && traffic.verb === 'follow') && !said.has(traffic.verb) && !said.has('give_way') && !said.has('follow') && this.#readback.acknowledgements.length === 0 && !this.#onlyCallsign()) {
      const confidence = Math.min(traffic.confidence, this.#readbackSureness());
      this.#compare({ slot: 'traffic', item: { value: verbWords(traffic.verb), span: traffic.span } }, null, 'missing', confidence);
      this.#fault({ kind: 'omission', level: 'HIGH', slot: 'traffic', need: traffic, said: null, confidence, clause: 'the instruction about the other traffic was neither read back nor acknowledged', missing: true });
    }
  }

  /** Verbs of the readback (not requested, asked or refused) with where they stood. */
  #saidVerbs(): ReadonlyMap<Verb, Span> {
    const verbs = new Map<Verb, Span>();
    for (const c of this.#readback.commands) if (c.modality !== 'request' && c.modality !== 'negated' && c.modality !== 'expect' && !verbs.has(c.verb)) verbs.set(c.verb, c.span);
    for (const { item } of this.#saidItems) if (item.verb !== undefined && item.modality !== 'expect' && !verbs.has(item.verb)) verbs.set(item.verb, item.span);
    return verbs;
  }

  #onlyCallsign(): boolean {
    const r = this.#readback;
    return r.items.length === 0 && r.commands.length === 0 && r.conditions.length === 0 && (r.intent === 'acknowledge' || r.intent === 'readback' || r.callsign !== null) && r.words.length - r.fillers.length <= (r.callsign_candidates[0] === undefined ? 0 : r.callsign_candidates[0].span[1] - r.callsign_candidates[0].span[0]);
  }

  // --- what was not asked for -------------------------------------------------------------------------------------

  /** Values came back that the instruction, as it was heard, has none of: right only if nothing was given. Where something else is wrong they are told as added. */
  #doubtUnheard(): void {
    for (const item of this.#unheard) {
      const value = sayValue(item.slot, item.value);
      if (this.#faults.length > 0) this.#adviseAdded(value);
      else this.#fault({ kind: 'value', level: item.slot === 'speed' ? 'HIGH' : 'CRITICAL', slot: item.slot, need: null, said: item, confidence: item.confidence, clause: `${value} was read back and not heard in the instruction`, doubt: 'Words of the instruction were not heard surely, and another value may have been among them.' });
    }
  }

  #adviseAdded(value: string): void {
    this.#advise('added', `The readback adds ${value}, which was not in the instruction.`);
  }

  /** Some word of the instruction that is no part of its callsign was hardly heard. */
  #unsurelyHeard(): boolean {
    const [from, to] = this.#instruction.callsign_candidates[0]?.span ?? [0, 0];
    return this.#instruction.words.some((word, at) => (word.confidence ?? 1) < HARDLY_HEARD && (at < from || at >= to));
  }

  /** A level or heading that was never given would be flown: wrong. Other additions are told as advice. */
  #findAdded(needs: readonly Need[]): void {
    for (const { item, index, owned } of this.#saidItems) {
      if (this.#used.has(index) || owned || item.bare === true || item.modality !== 'command') continue;
      const same = this.#instruction.items.filter((i) => i.slot === item.slot && compareValues(item.slot, i.value, item.value, item.unit) === 'equal');
      if (same.some((i) => i.modality === 'command' || i.modality === 'report')) continue;
      const value = sayValue(item.slot, item.value);
      const sameSlotMatched = needs.some((n) => n.slot === item.slot && this.#comparisons.some((c) => c.slot === n.slot && c.outcome === 'right'));
      const critical = item.slot === 'altitude' || item.slot === 'heading' || (item.slot === 'runway' && needs.some((n) => n.slot === 'runway' && n.required));
      // the answer to "report your level"
      const asked = this.#instruction.commands.some((c) => c.verb === 'report') || this.#instruction.words.some((w) => plainWord(w.text) === 'say');
      const turned = item.slot === 'heading' && needs.some((n) => n.slot === 'heading' && /^[LR]/.test(n.item.value)) && /\b(?:report|say|confirm|advise)(?: \w+){0,3} heading\b/i.test(this.#instruction.text);
      if (turned) continue;
      if (item.verb === undefined && asked && !needs.some((n) => n.required && n.slot === item.slot)) continue;
      // the right speed and another one: what was meant is not certain
      const contradicted = needs.find((n) => n.slot === item.slot && n.required && sameSlotMatched && SINGLE.has(n.slot));
      if (!critical && contradicted !== undefined) {
        this.#fault({ kind: 'value', level: contradicted.level, slot: item.slot, need: contradicted.item, said: item, confidence: item.confidence, clause: `${value} was read back as well`, doubt: `The readback names the right ${slotName(item.slot)} and also ${value}.` });
        continue;
      }
      // what came back may have been what was said: the instruction has none of its kind, and words in it that were not heard surely
      if (item.verb !== 'report' && LEARNT.has(item.slot) && !critical && !this.#instruction.items.some((i) => i.slot === item.slot) && this.#unsurelyHeard()) {
        this.#unheard.push(item);
        continue;
      }
      if (!critical || item.verb === 'report') {
        if (item.slot === 'runway' || item.slot === 'speed' || item.slot === 'frequency' || item.slot === 'altitude') this.#adviseAdded(value);
        continue;
      }
      const doubt = same.length > 0 ? `${capital(value)} was mentioned in the instruction, but not as a clearance.` : sameSlotMatched ? `The readback names the right ${slotName(item.slot)} and also ${value}.` : undefined;
      const tail = cutTail(this.#instruction);
      const lost = tail !== null && (tail.slot ?? item.slot) === item.slot ? `The end of the instruction is missing, and ${value} may have stood there.` : undefined;
      const unclear = lost ?? (this.#unparsedInstruction || this.#instruction.words.length === 0 ? 'Part of the instruction was not understood.' : undefined);
      this.#comparisons.push({ slot: item.slot, outcome: 'added', instruction: null, readback: item.value, instruction_span: null, readback_span: item.span, confidence: item.confidence });
      this.#fault({
        kind: 'value',
        level: 'CRITICAL',
        slot: item.slot,
        need: null,
        said: item,
        confidence: item.confidence,
        clause: `${value} was read back and never given`,
        ...((doubt ?? unclear) === undefined ? {} : { doubt: doubt ?? unclear ?? '' }),
      });
    }
  }

  // --- callsign ---------------------------------------------------------------------------------------------------

  #compareCallsign(): void {
    const given = this.#instruction.callsign;
    const said = this.#readback.callsign;
    const givenReading = this.#instruction.callsign_candidates[0];
    const saidReading = this.#readback.callsign_candidates[0];
    if (said === null) {
      if (given !== null && givenReading !== undefined && this.#numberAtEnd(given, givenReading.span)) return;
      this.#comparisons.push({ slot: 'callsign', outcome: 'not-required', instruction: given, readback: null, instruction_span: givenReading?.span ?? null, readback_span: null, confidence: givenReading?.score ?? 0 });
      this.#advise('callsign-missing', 'The readback ends without a callsign.');
      return;
    }
    if (given === null) {
      if (this.#otherNumberAtHead(said, saidReading)) return;
      this.#comparisons.push({ slot: 'callsign', outcome: 'not-required', instruction: null, readback: said, instruction_span: null, readback_span: saidReading?.span ?? null, confidence: saidReading?.score ?? 0 });
      return;
    }
    const confidence = Math.min(givenReading?.score ?? 1, saidReading?.score ?? 1);
    const relation = this.#relation(given, said);
    const fields = { slot: 'callsign', item: { value: given, span: givenReading?.span ?? ([0, 0] satisfies Span) } };
    const heard = { value: said, span: saidReading?.span ?? ([0, 0] satisfies Span) };
    const base = { kind: 'target', level: 'CRITICAL', slot: 'callsign', need: givenReading === undefined ? null : { span: givenReading.span }, said: saidReading === undefined ? null : { span: saidReading.span }, confidence } as const;
    switch (relation) {
      case 'same':
      case 'short': {
        const other = otherOperator(this.#instruction, this.#readback, this.#in.context);
        if (other !== null) {
          this.#compare(fields, heard, 'uncertain', confidence);
          this.#fault({ ...base, said: { span: other.span }, clause: `the instruction for ${given} may have been read back by another aircraft`, doubt: `"${other.said}" does not sound like "${other.given}", and may be another operator.` });
          return;
        }
        this.#compare(fields, heard, 'right', confidence);
        this.#suspectFault({ ...base, heard: [charactersHeard(this.#instruction, givenReading), charactersHeard(this.#readback, saidReading)], clause: `the instruction for ${given} may have been read back by another aircraft` });
        return;
      }
      case 'unclear':
        this.#compare(fields, heard, 'uncertain', confidence);
        this.#fault({ ...base, clause: `the instruction for ${given} may have been read back by another aircraft`, doubt: `${said} may be a form of ${given} or another aircraft.` });
        return;
      case 'different': {
        const others = [...this.#instruction.callsign_candidates.slice(1).map((c) => [c.value, said] as const), ...this.#readback.callsign_candidates.slice(1).map((c) => [given, c.value] as const)];
        const sure = mismatchSureness(this.#instruction, this.#readback, confidence);
        const otherReading = others.some(([a, b]) => compareCallsigns(a, b) !== 'different');
        const cut = isCutCallsign(given, this.#readback) || isCutCallsign(said, this.#instruction);
        const spilt = givenReading !== undefined && saidReading !== undefined && this.#nameInNumber(givenReading, saidReading);
        const sound = givenReading === undefined ? undefined : this.#soundDoubt(givenReading.span);
        this.#compare(fields, heard, 'wrong', sure);
        this.#fault({ ...base, confidence: sure, clause: `the instruction was for ${given} and ${said} read it back`, ...(otherReading ? { doubt: 'The callsign words can also be read as the right callsign.' } : this.#unlisted(given, said) ? { doubt: 'The traffic list does not have both callsigns, so that one of them may be misheard.' } : cut ? { doubt: `Part of the callsign may be cut off: ${said} is a piece of ${given}.` } : spilt ? { doubt: 'The operator was hardly heard, and the number of one is the end of the other: a digit may be part of a name.' } : sound !== undefined ? { doubt: sound } : {}) });
      }
    }
  }

  /** "iberia nine eight seventy three", "serbia eight seventy three", both names hardly heard: what was heard as a digit may be the end of a name. */
  #nameInNumber(given: CallsignReading, said: CallsignReading): boolean {
    const [one, other] = [given.flight ?? given.value, said.flight ?? said.value];
    if (one === other || !(one.endsWith(other) || other.endsWith(one)) || Math.min(one.length, other.length) < 2) return false;
    const name = (u: Understanding, [from, to]: Span): number => u.words.slice(from, to).reduce((low, word) => (isNumberWord(word.text) ? low : Math.min(low, word.confidence ?? 1)), 1);
    return Math.min(name(this.#instruction, given.span), name(this.#readback, said.span)) < WEAK_MISMATCH;
  }

  /** How the two callsigns relate, their words and those behind them considered. */
  #relation(given: string, said: string): CallsignRelation {
    const [one, other] = [this.#instruction.callsign_candidates[0]?.span, this.#readback.callsign_candidates[0]?.span];
    if (one === undefined || other === undefined) return compareCallsigns(given, said);
    const relation = this.#saysWholeCallsign(one, other) ? 'same' : compareCallsigns(given, said);
    return relation === 'same' && this.#lettersBehindDiffer(one, other) ? 'unclear' : relation;
  }

  /** The readback has the very words of the callsign, and what its own reading holds beyond them stands beside them in the instruction too. */
  #saysWholeCallsign(given: Span, said: Span): boolean {
    const words = (u: Understanding, [from, to]: Span): string[] => u.words.slice(from, to).map((w) => plainWord(w.text));
    const at = given[1] - given[0] < 4 ? null : saysLiterally(this.#instruction, given, this.#readback);
    if (at === null || at[1] - at[0] !== given[1] - given[0] || said[0] >= at[1] || said[1] <= at[0]) return false;
    const [before, behind] = [Math.max(0, at[0] - said[0]), Math.max(0, said[1] - at[1])];
    const around = (u: Understanding, [from, to]: Span): string => [...words(u, [from - before, from]), '|', ...words(u, [to, to + behind])].join(' ');
    return given[0] >= before && around(this.#instruction, given) === around(this.#readback, at);
  }

  /** Behind both callsigns a letter goes on, and not the same: what was cut off as the next word may have been part of them. */
  #lettersBehindDiffer(given: Span, said: Span): boolean {
    const letter = (u: Understanding, [, to]: Span): string | undefined => LETTER_WORDS.get(plainWord(u.words[to]?.text ?? ''));
    const [one, other] = [letter(this.#instruction, given), letter(this.#readback, said)];
    return one !== undefined && other !== undefined && one !== other;
  }

  /** One of two different callsigns is not on the traffic list, and it is no other number of the same operator (the slip of a tongue). */
  #unlisted(given: string, said: string): boolean {
    const list = (this.#in.context?.callsigns ?? []).map((c) => c.toUpperCase().replace(/[^A-Z0-9]/g, ''));
    if (list.length === 0) return false;
    const listed = (callsign: string): boolean => list.some((c) => ['same', 'short'].includes(compareCallsigns(c, callsign)));
    const operator = (callsign: string): string => /^[A-Z]{3}(?=\d)/.exec(callsign)?.[0] ?? '';
    return !(listed(given) && (listed(said) || (operator(given) !== '' && operator(given) === operator(said))));
  }

  /** A readback without a callsign ends in a number that may be another aircraft's. */
  #numberAtEnd(given: string, span: Span): boolean {
    const last = this.#otherNumberAtEnd(given) ?? this.#nearNumberAtEnd(given);
    if (last === undefined) return false;
    this.#compare({ slot: 'callsign', item: { value: given, span } }, { value: last.digits, span: last.span }, 'uncertain', last.confidence);
    this.#fault({ kind: 'target', level: 'CRITICAL', slot: 'callsign', need: { span }, said: last, confidence: last.confidence, clause: `the instruction was for ${given} and the readback ends with ${last.digits}`, doubt: `${last.digits} may be the callsign of another aircraft.` });
    return true;
  }

  /** "three five five, leave the frequency" answered with "three four five": an aircraft called by digits alone, and as many other digits at the end. */
  #otherNumberAtEnd(given: string): NumberAtEnd | undefined {
    const last = this.#saidItems.at(-1);
    if (last === undefined || !/^\d{3,}$/.test(given) || last.item.bare !== true || this.#used.has(last.index) || last.item.span[1] < this.#readback.words.length) return undefined;
    const digits = digitsOf(last.item);
    return digits.length !== given.length || digits === given ? undefined : { digits, span: last.item.span, confidence: last.item.confidence };
  }

  /** "… speed the nine forty one" answers "air china nine forty three": at the end a number one digit off the called one. */
  #nearNumberAtEnd(given: string): NumberAtEnd | undefined {
    const called = /^\D*(\d{3,})$/.exec(given)?.[1];
    const last = numberRuns(this.#readback).at(-1);
    if (called === undefined || last === undefined || last.span[1] < this.#readback.words.length || last.digits.length !== called.length) return undefined;
    const off = Array.from(called).filter((digit, at) => digit !== last.digits[at]).length;
    const right = this.#comparisons.some(({ outcome, readback_span: at }) => outcome === 'right' && at !== null && at[0] < last.span[1] && at[1] > last.span[0]);
    return off !== 1 || right ? undefined : { ...last, confidence: 0.5 };
  }

  /** "track to eight three five, maintain …" answered by "qantas seven three five": what called the aircraft was not understood, and its number is another. */
  #otherNumberAtHead(said: string, reading: CallsignReading | undefined): boolean {
    const first = Math.min(...this.#instruction.commands.map((command) => command.span[0]), this.#instruction.words.length);
    const covered = [...this.#instruction.items.filter((item) => item.bare !== true), ...this.#instruction.conditions].map(({ span }) => span);
    const runs = numberRuns(this.#instruction, positionsOf(covered)).filter(({ span }) => span[1] <= first);
    const [called, answered] = [runs.map(({ digits }) => digits).join(''), said.replace(/\D/g, '')];
    const head = runs[0];
    if (head === undefined || called.length < 2 || answered.length < 2 || called.endsWith(answered) || answered.endsWith(called)) return false;
    const span: Span = [0, runs.at(-1)?.span[1] ?? head.span[1]];
    const words = this.#instruction.words.slice(...span).map((w) => w.text).join(' ');
    this.#compare({ slot: 'callsign', item: { value: called, span } }, { value: said, span: reading?.span ?? [0, 0] }, 'uncertain', 0.5);
    this.#fault({ kind: 'target', level: 'CRITICAL', slot: 'callsign', need: { span }, said: reading === undefined ? null : { span: reading.span }, confidence: 0.5, clause: `the instruction may have been for another aircraft than ${said}`, doubt: `"${words}", with which the instruction begins, could not be read as a callsign.` });
    return true;
  }

  // --- what kind of answer it is ----------------------------------------------------------------------------------

  #adviseAnswer(): void {
    const { intent, acknowledgements } = this.#readback;
    if (intent === 'say_again') this.#advise('not-a-readback', 'The pilot asked for a repeat; the instruction is still open.');
    else if (intent === 'standby') this.#advise('not-a-readback', 'The pilot asked to stand by; the instruction is still open.');
    else if (intent === 'request' && this.#matches === 0) this.#advise('not-a-readback', 'The pilot made a request; that is no readback.');
    if (acknowledgements.some((a) => a === 'unable' || a === 'negative')) this.#advise('unable', 'The pilot said that the instruction cannot be followed.');
  }

  /** An instruction with nothing that must be repeated still wants an answer that shows that it was understood (§4.5.7.5.1.1). */
  #compareAcknowledgement(needs: readonly Need[]): void {
    if (needs.some((n) => n.required) || this.#faults.length > 0) return;
    const asks = this.#instruction.commands.some((c) => c.modality === 'command');
    const refused = this.#readback.intent === 'say_again' || this.#readback.intent === 'standby';
    if (asks && refused) {
      this.#fault({ kind: 'omission', level: 'HIGH', slot: 'acknowledgement', need: null, said: null, confidence: this.#readbackSureness(), clause: 'the instruction was not acknowledged', missing: true });
      return;
    }
    if (this.#instruction.words.length === 0 || this.#readback.words.length === 0) {
      const which = this.#instruction.words.length === 0 ? 'instruction' : 'readback';
      this.#fault({ kind: 'omission', level: 'CRITICAL', slot: 'altitude', need: null, said: null, confidence: 0, clause: `the ${which} has no words`, doubt: `There are no words of the ${which} to judge.` });
    }
  }

  /** "Negative heading two one zero": a refusal, a correction of himself or no answer at all; that the values are right does not make it a readback. */
  #doubtNegative(): void {
    if (this.#faults.length > 0 || this.#matches === 0) return;
    const { words, fillers } = this.#readback;
    const callsign = this.#readback.callsign_candidates[0];
    const head = words.findIndex((_, i) => !fillers.includes(i) && !(callsign !== undefined && callsign.span[0] <= 1 && i < callsign.span[1]));
    if (head < 0 || !/^(?:negative|no)$/.test(plainWord(words[head]?.text ?? '')) || /^(?:speed|delay|problem|need|earlier|later|sooner|lower|higher|more|less)$/.test(plainWord(words[head + 1]?.text ?? ''))) return;
    const span: Span = [head, head + 1];
    this.#fault({ kind: 'omission', level: 'CRITICAL', slot: this.#suspects[0]?.slot ?? 'altitude', need: null, said: { span }, confidence: 0.5, clause: 'the instruction may have been refused', doubt: `The readback begins with "${words[head]?.text ?? ''}".` });
  }

  /** A value of the instruction that was said and could not be read: nothing is known of what should have come back. */
  #doubtInstruction(): void {
    if (this.#faults.length > 0) return;
    const said = (slot: string): Item | undefined => this.#readback.items.find((i) => i.slot === slot && i.modality === 'command');
    const dangling = verbsWithoutValue(this.#instruction).filter((unread) => said(unread.slot) !== undefined);
    // a number of the instruction that may be anything did not come back, and a value came back that was not given
    const matched = new Set(this.#comparisons.flatMap((c) => (c.outcome === 'right' && c.instruction_span !== null ? [c.instruction_span[0]] : [])));
    const extra = this.#saidItems.some(({ item, index, owned }) => !owned && !this.#used.has(index) && item.bare !== true && item.modality === 'command' && item.slot !== 'controller' && digitsOf(item) !== '' && !this.#instruction.items.some((i) => i.slot === item.slot && i.value === item.value));
    const loose = this.#instruction.items.filter((i) => extra && i.bare === true && i.verb === undefined && !matched.has(i.span[0])).map((i) => ({ slot: i.slot, span: i.span, text: this.#instruction.words.slice(i.span[0], i.span[1]).map((w) => w.text).join(' ') }));
    const [main] = [...unreadValues(this.#instruction), ...dangling, ...loose];
    if (main === undefined) return;
    const level: Level = main.slot === 'speed' || main.slot === 'frequency' || main.slot === 'squawk' || main.slot === 'condition' ? 'HIGH' : 'CRITICAL';
    if (this.#profile === 'paper' && (main.slot === 'squawk' || main.slot === 'qnh')) return;
    this.#fault({
      kind: main.slot === 'condition' ? 'constraint' : 'value', level, slot: main.slot, need: { span: main.span }, said: said(main.slot) ?? null, confidence: 0.5,
      clause: `the ${slotName(main.slot)} of the instruction could not be read`, doubt: `"${main.text}" in the instruction has no value that could be read.`,
    });
  }

  /** Numbers of the readback that are neither in the instruction nor explained: a misheard callsign or value may be behind them. */
  #doubtLeftovers(): void {
    const asked = this.#instruction.commands.some((c) => c.verb === 'report') || this.#instruction.intent === 'confirm' || this.#instruction.items.some((i) => i.modality === 'question');
    if (this.#faults.length > 0 || asked || this.#instruction.words.length === 0) return;
    const readback = this.#readback;
    const parts = [...readback.items.filter((item) => item.bare !== true), ...readback.commands, ...readback.conditions, ...readback.callsign_candidates];
    const covered = new Set([...readback.fillers, ...positionsOf([...parts.map(({ span }) => span), ...readback.retracted, ...this.#comparisons.map((comparison) => comparison.readback_span)])]);
    const given = numberRuns(this.#instruction).map((run) => run.digits);
    const called = (this.#instruction.callsign ?? '').replace(/\D/g, '');
    for (const { span, digits } of numberRuns(readback, covered)) {
      if ((called.length >= 2 && called.endsWith(digits))) continue;
      const noCallsign = readback.callsign === null && this.#instruction.callsign !== null && (span[1] >= readback.words.length - 1 || span[0] <= 1);
      if (given.some((other) => (noCallsign ? other === digits : other.includes(digits)))) continue;
      // a single digit is mostly a word of another kind ("that one", "two" for "to")
      if (digits.length < 2 && !(noCallsign && span[1] === readback.words.length)) continue;
      const slot = noCallsign ? 'callsign' : (readback.items.find((i) => i.bare === true && i.span[0] === span[0])?.slot ?? 'altitude');
      const words = readback.words.slice(span[0], span[1]).map((w) => w.text).join(' ');
      this.#fault({ kind: noCallsign ? 'target' : 'value', level: 'CRITICAL', slot, need: null, said: { span }, confidence: 0.5, clause: `"${words}" in the readback belongs to nothing in the instruction`, doubt: `"${words}" could not be read as a value or a callsign.` });
      return;
    }
  }

  // --- bookkeeping ------------------------------------------------------------------------------------------------

  /** Words of the readback that were heard less surely than proof needs, outside of what came back right. */
  #weakWords(): readonly string[] {
    const right = this.#comparisons.flatMap((c) => (c.outcome === 'right' && c.readback_span !== null ? [c.readback_span] : []));
    return this.#readback.words.flatMap(({ text, confidence }, at) => (confidence !== undefined && confidence < WEAK_MISMATCH && !isFiller(plainWord(text)) && !right.some(([from, to]) => at >= from && at < to) ? [text] : []));
  }

  /** How sure it is that what is not in the text was not said. */
  #readbackSureness(): number {
    return this.#readback.confidence;
  }

  #advise(kind: string, text: string): void {
    if (!this.#advisories.some((a) => a.kind === kind && a.text === text)) this.#advisories.push({ kind, text });
  }

  #compare(need: { slot: string; item: { value: string; span: Span } }, said: { value: string; span: Span } | null, outcome: Comparison['outcome'], confidence: number): void {
    this.#comparisons.push({
      slot: need.slot,
      outcome,
      instruction: need.item.value,
      readback: said?.value ?? null,
      instruction_span: need.item.span,
      readback_span: said?.span ?? null,
      confidence,
    });
  }

  #suspect(need: Need, said: Item): void {
    if (!need.required) return;
    const confidence = Math.min(need.item.confidence, said.confidence);
    this.#suspectFault({ kind: 'value', level: need.level, slot: need.slot, need: need.item, said, confidence, heard: [need.item.confidence, said.confidence], clause: `${sayValue(need.slot, need.item.value)} may not have come back right` });
  }

  #suspectFault(fault: FaultInput): void {
    this.#suspects.push(this.#weigh(fault));
  }

  #fault(fault: FaultInput): void {
    this.#faults.push(this.#weigh(fault));
  }

  /** Decides whether a mismatch is proof: the words must be clear, away from a cut end, and the pairing sure. */
  #weigh(fault: FaultInput): Fault {
    const { need, said, missing } = fault;
    let { doubt } = fault;
    const instructionSpan = need?.span ?? null;
    const readbackSpan = said?.span ?? null;
    const pairing = this.#in.pairingConfidence ?? 1;
    if (doubt === undefined && this.#untrusted) doubt = guardDoubt([...this.#guardsInstruction, ...this.#guardsReadback].filter((g) => UNTRUSTWORTHY.has(g.reason)));
    if (doubt === undefined && pairing < WEAK_PAIRING) doubt = 'It is not certain that this transmission answers this instruction.';
    if (doubt === undefined && missing === true) {
      const lossy = this.#guardsReadback.filter((g) => LOSSY.has(g.reason));
      if (lossy.length > 0) doubt = `What is missing may have been lost: ${lossy.map((g) => g.detail).join(' ')}`;
      else if (this.#cut.start || this.#cut.end || this.#cut.inside) doubt = 'Words of the readback are lost, and what is missing may have been among them.';
      else if (this.#unparsedReadback) doubt = 'The readback has numbers that could not be read as a value.';
      else if (this.#weakWords().length > 0) doubt = `Words of the readback were not heard surely (${this.#weakWords().slice(0, 3).join(', ')}), and what is missing may have been among them.`;
      else if (this.#strange.length > 0) doubt = `Words of the readback were not understood (${this.#strange.slice(0, 3).join(', ')}), and what is missing may have been among them.`;
    }
    if (doubt === undefined && missing !== true) {
      if (nearCut(instructionSpan, this.#instruction, this.#guardsInstruction) || nearCut(readbackSpan, this.#readback, this.#guardsReadback)) doubt = 'The deciding words stand where the transmission was cut or stepped on.';
    }
    if (doubt === undefined && fault.confidence < WEAK_MISMATCH) doubt = missing === true ? 'The recogniser was not sure of the readback.' : 'The recogniser was not sure of the deciding words.';
    return {
      kind: fault.kind,
      level: fault.level,
      slot: fault.slot,
      strong: doubt === undefined,
      confidence: fault.confidence,
      agreement: fault.heard === undefined ? fault.confidence : agreement(...fault.heard),
      clause: fault.clause,
      ...(doubt === undefined ? {} : { doubt }),
      instructionSpan,
      readbackSpan,
    };
  }

  // --- decision ---------------------------------------------------------------------------------------------------

  #decide(): Finding {
    const strong = this.#faults.filter((f) => f.strong);
    if (this.#faults.length > 0) return this.#make(strong.length > 0 ? 'error' : 'uncertain', this.#faults);
    const pairing = this.#in.pairingConfidence ?? 1;
    const weak = this.#suspects.filter((s) => s.confidence < (s.kind === 'target' ? WEAK_CALLSIGN : WEAK_MATCH) || this.#untrusted || pairing < WEAK_PAIRING);
    if (weak.length > 0) return this.#make('uncertain', weak);
    if (this.#untrusted || pairing < WEAK_PAIRING) {
      return this.#make('uncertain', [
        this.#weigh({ kind: 'omission', level: 'CRITICAL', slot: 'altitude', need: null, said: null, confidence: 0, clause: 'the text of this exchange is not to be trusted' }),
      ]);
    }
    return this.#correct();
  }

  #correct(): Finding {
    const filler = hasFiller(this.#readback);
    const format = this.#formatSlots[0];
    const type: ErrorType = format !== undefined ? 'NUMBER_FORMAT' : filler !== null ? 'FILLER_CORRECT' : 'CORRECT';
    const confidence = this.#suspects.reduce((low, s) => Math.min(low, s.agreement), Math.min(1, this.#in.pairingConfidence ?? 1));
    const explanation =
      type === 'NUMBER_FORMAT'
        ? `Right: the ${slotName(format ?? '')} came back in another number format with the same value.`
        : type === 'FILLER_CORRECT'
          ? `Right: "${filler ?? ''}" only fills, and everything that has to come back came back.`
          : this.#suspects.length === 0
            ? 'Nothing in this instruction has to be read back word for word, and the answer contradicts none of it.'
            : 'Everything that has to come back came back right.';
    return this.#finding(type, null, explanation, 'correct', confidence, [], this.#suspects);
  }

  /** Names the finding after its faults; see docs/behaviour-judging.md for the order. */
  #make(verdict: 'error' | 'uncertain', faults: readonly Fault[]): Finding {
    const critical = faults.filter((f) => f.level === 'CRITICAL');
    const slots = new Set(critical.map((f) => f.slot));
    const chosen = critical.length > 0 ? critical : faults;
    const [main, ...rest] = [...chosen].sort((a, b) => consequenceRank(a.slot) - consequenceRank(b.slot) || kindRank(a.kind) - kindRank(b.kind));
    if (main === undefined) return this.#correct();
    const multi = slots.size >= 2 && critical.some((f) => f.kind !== 'omission');
    const type = multi ? 'MULTI_ERROR' : typeOf(main, chosen);
    const doubts = [...new Set(faults.flatMap((f) => (f.doubt === undefined ? [] : [f.doubt])))];
    const confidence = verdict === 'error' ? Math.max(...faults.filter((f) => f.strong).map((f) => f.confidence)) : Math.min(0.5, Math.max(...faults.map((f) => f.confidence)));
    const ordered = [main, ...rest, ...faults.filter((f) => !chosen.includes(f))];
    const clauses = [...new Set(ordered.map((f) => f.clause))];
    const acknowledgement = this.#readback.acknowledgements.find((a) => a === 'roger' || a === 'wilco' || a === 'copied');
    const bare = this.#matches === 0 && faults.every((f) => f.kind === 'omission' || f.kind === 'constraint');
    const lead = bare && acknowledgement !== undefined ? `"${capital(acknowledgement)}" alone is no readback: ` : bare && this.#onlyCallsign() ? 'A callsign alone is no readback: ' : '';
    const body = lead === '' ? capital(list(clauses)) : list(clauses);
    const explanation = verdict === 'error' ? `${lead}${body}.` : `Not certain: ${list(clauses)}.`;
    return this.#finding(type, main.slot, explanation, verdict, confidence, doubts, faults);
  }

  #finding(type: ErrorType, slot: string | null, explanation: string, verdict: Finding['verdict'], confidence: number, doubts: readonly string[], faults: readonly Fault[]): Finding {
    const words = (understanding: Understanding, spans: readonly (Span | null)[]): string[] => {
      return [...positionsOf(spans)].sort((a, b) => a - b).flatMap((i) => understanding.words[i]?.text ?? []);
    };
    const risk = RISK_OF[type];
    return {
      is_correct: riskRank(risk) === 0,
      error_type: type,
      risk_level: risk,
      affected_slot: type === 'NUMBER_FORMAT' ? (this.#formatSlots[0] ?? null) : slot,
      explanation,
      verdict,
      confidence: Math.max(0, Math.min(1, confidence)),
      evidence: {
        instruction_words: words(this.#instruction, faults.map((f) => f.instructionSpan)),
        readback_words: words(this.#readback, faults.map((f) => f.readbackSpan)),
        comparisons: this.#comparisons,
      },
      advisories: this.#advisories,
      doubts: [...doubts, ...this.#doubts],
      profile: this.#profile,
      judge: 'rules',
    };
  }
}

/** What a misheard word may be taken for: a digit for one of the nine others. */
const OTHERS = 9;

/**
 * How sure it is that two halves that were heard to say the same did say the same, from how sure each was heard: Bayes, as likely
 * right as wrong beforehand, and a misheard word as likely any of the others. Two hearings that agree are worth more than
 * each of them (0.5 and 0.5 give 0.78), but no more than the weaker one with a perfect other (0.11 and 1 give 0.53), and two that are no
 * better than guessing give 0.5.
 */
export function agreement(one: number, other: number): number {
  const guess = 1 / (OTHERS + 1);
  const a = Math.max(guess, Math.min(1, one));
  const b = Math.max(guess, Math.min(1, other));
  const bothMisheard = (1 - a) * (1 - b);
  const same = a * b + bothMisheard / OTHERS;
  const different = (a * (1 - b) + (1 - a) * b) / OTHERS + (bothMisheard * (OTHERS - 1)) / OTHERS ** 2;
  return same / (same + different);
}

interface FaultInput {
  readonly kind: Kind;
  readonly level: Level;
  readonly slot: string;
  readonly need: { readonly span: Span } | Condition | null;
  readonly said: { readonly span: Span } | null;
  readonly confidence: number;
  /** How sure each half was heard, where both say the same. */
  readonly heard?: readonly [number, number];
  readonly clause: string;
  readonly doubt?: string;
  /** It is the absence of words that counts against the readback. */
  readonly missing?: boolean;
}

const kindRank = (kind: Kind): number => ({ target: 0, value: 1, constraint: 2, omission: 3 })[kind];

function typeOf(main: Fault, chosen: readonly Fault[]): ErrorType {
  if (main.kind === 'target') return 'TARGET_CRITICAL';
  if (main.kind === 'constraint') return 'CONSTRAINT_HIGH';
  // a slot with one value wrong and one missing is a wrong value
  const value = chosen.some((f) => f.slot === main.slot && f.kind === 'value');
  if (main.level === 'CRITICAL') return value ? 'VALUE_CRITICAL' : 'OMISSION_CRITICAL';
  return value ? 'VALUE_HIGH' : 'OMISSION_HIGH';
}

const OPPOSITE_WAY: Readonly<Record<string, string>> = { north: 'south', south: 'north', east: 'west', west: 'east' };

/** Which way the aircraft is to face after pushback, where one way is said. */
function facing({ words, retracted }: Understanding): { readonly direction: string; readonly span: Span } | undefined {
  const found = words.flatMap((word, at) => {
    const direction = plainWord(word.text);
    const lead = plainWord(words[at - 1]?.text ?? '');
    if (OPPOSITE_WAY[direction] === undefined || !/^(?:facing|nose|tail|face)$/.test(lead) || retracted.some(([from, to]) => at >= from && at < to)) return [];
    return [{ direction: lead === 'tail' ? (OPPOSITE_WAY[direction] ?? direction) : direction, span: [at - 1, at + 1] satisfies Span }];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a runway reading ("10L") is the turn by so many degrees to that side ("L010"). */
function isTurn(turn: string, runway: string): boolean {
  const given = /^([LR])0*(\d+)$/.exec(turn);
  const said = /^0*(\d+)([LR])$/.exec(runway);
  return given !== null && said !== null && given[1] === said[2] && given[2] === said[1];
}

/** An expectation is contradicted only by another expectation or by a runway. */
function expectsSameThing(need: Need, said: Item): boolean {
  if (need.slot === 'runway') return true;
  if (need.item.verb === 'report') return said.verb === 'report' || need.slot === 'waypoint';
  return need.item.modality === said.modality || need.item.verb === said.verb;
}

function boundKind(bound: string | undefined): 'below' | 'above' | null {
  switch (bound) {
    case 'or_less':
    case 'at_or_below':
    case 'not_above':
      return 'below';
    case 'or_greater':
    case 'at_or_above':
    case 'not_below':
      return 'above';
    default:
      return null;
  }
}

/** Whether a value at an end of its transmission is the rest of the other one: "… runway two" against "runway two four". */
function cutPiece(slot: ValueSlot, piece: Item, whole: Item, transmission: Understanding): boolean {
  if (piece.bare === true && piece.slot !== slot) {
    const digits = digitsOf(piece);
    return spokenDigits(slot, whole.value).some((long) => digits.length < long.length && digits.length >= 2 && ((piece.span[1] >= transmission.words.length && long.startsWith(digits)) || (piece.span[0] === 0 && long.endsWith(digits))));
  }
  const atEnd = piece.span[1] >= transmission.words.length;
  const atStart = piece.span[0] === 0;
  if (spokenDigits(slot, piece.value)[0] === spokenDigits(slot, whole.value)[0]) return false;
  if ((!atEnd && !atStart) || (slot === 'altitude' && piece.value.startsWith('FL') !== whole.value.startsWith('FL'))) return false;
  // "zero three" is no piece of "three zero", "three" alone may be one
  const leadingZero = transmission.words.slice(piece.span[0], piece.span[1]).some(({ text }) => /^(zero|oh|0\d*)$/i.test(text));
  const pieces = spokenDigits(slot, piece.value).filter((digits) => !leadingZero || digits.startsWith('0'));
  return spokenDigits(slot, whole.value).some((long) => pieces.some((short) => short.length < long.length && ((atEnd && long.startsWith(short)) || (atStart && long.endsWith(short)))));
}

/**
 * How sure it is that two callsigns differ: what counts is how surely the words were heard that differ, the number or the
 * operator's name, not the weakest of all.
 */
function mismatchSureness(instruction: Understanding, readback: Understanding, scores: number): number {
  const given = instruction.callsign_candidates[0];
  const said = readback.callsign_candidates[0];
  if (given === undefined || said === undefined || given.form === 'partial' || said.form === 'partial' || Math.min(given.score, said.score) < 0.25) return scores;
  const sameNumber = given.flight !== undefined && given.flight === said.flight;
  const heard = (understanding: Understanding, [from, to]: Span): number =>
    understanding.words.slice(from, to).reduce((low, word) => (isNumberWord(word.text) === sameNumber ? low : Math.min(low, word.confidence ?? 1)), 1);
  return Math.max(scores, Math.min(heard(instruction, given.span), heard(readback, said.span)));
}

/**
 * How surely the letters and digits of a callsign were heard. They tell one aircraft from the next; the operator's name is often the weakest word of a
 * right one, and how the words were read to a callsign says nothing of how they were heard.
 */
function charactersHeard(understanding: Understanding, reading: CallsignReading | undefined): number {
  if (reading === undefined) return 1;
  const characters = understanding.words.slice(reading.span[0], reading.span[1]).filter((word) => isNumberWord(word.text));
  return reading.form === 'partial' || characters.length === 0 ? reading.score : characters.reduce((low, word) => Math.min(low, word.confidence ?? 1), 1);
}

const verbWords = (verb: Verb | undefined): string => (verb ?? 'that').replaceAll('_', ' ').replace(/^cleared to land$/, 'cleared to land');

function guardDoubt(guards: readonly Guard[]): string {
  return `The recognised text is not to be trusted: ${guards.map((g) => g.detail).join(' ')}`;
}

/** Whether a span touches an end that was cut, or the transmission was stepped on. */
function nearCut(span: Span | null, understanding: Understanding, guards: readonly Guard[]): boolean {
  if (span === null) return false;
  return guards.some((g) => {
    if (g.reason === 'overlap') return true;
    if (g.reason === 'clipped-start') return span[0] <= 1;
    if (g.reason === 'clipped-end' || g.reason === 'token-limit') return span[1] >= understanding.words.length - 1;
    return false;
  });
}
