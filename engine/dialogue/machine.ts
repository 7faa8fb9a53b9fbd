/**
 * Which transmission answers which, on one channel. A state machine over exchanges:
 *
 *     open ──readback──▶ answered ──"negative …"──▶ corrected (a new exchange follows)
 *       │ ──same instruction again──▶ superseded (a new exchange follows)
 *       │ ──"disregard"──▶ disregarded
 *       └──time, end──▶ unanswered ──late readback──▶ answered
 *
 * Numbered behaviours: docs/behaviour-judging.md (D…). Pure: the same inputs give the same changes.
 */
import { areSimilarCallsigns, compareCallsigns, type CallsignRelation } from '../domain/callsigns.js';
import { isCutCallsign } from '../domain/cut.js';
import type { Exchange, ExchangeStatus } from '../domain/exchange.js';
import type { DialogueChange, DialogueInput } from '../domain/stages.js';
import type { Item, Understanding } from '../domain/understanding.js';
import { bareMatches, compareValues } from '../domain/values.js';
import { withoutFalseNegation } from '../domain/mend.js';
import { isKnownWord } from '../phraseology/index.js';
import { afterCallsign, aircraftIn, asksForRepeat, asksWhom, callsignFirst, orders, relayOf, replaces, wasBlocked, wasForAnother, withCallsign, withCutCallsign, type Relay } from './cues.js';
import { commanded, echoOf, gated, instructs, kindOf, needsReadback, type Echo } from './echo.js';
import type { Settings } from './options.js';
import { joinUnderstandings, withoutItems } from './parts.js';
import { Labels } from './roles.js';
import { splitTurns } from './turns.js';

/** A transmission, perhaps put together from pieces that a pause had cut apart. */
interface Heard extends DialogueInput {
  readonly pieces?: readonly DialogueInput[];
}

const idsOf = (inputs: readonly Heard[]): string[] => inputs.flatMap((input) => (input.pieces ?? [input]).map((piece) => piece.id));

/** An exchange with what the machine has to remember about it. */
interface Live {
  readonly id: string;
  readonly callsign: string | null;
  status: ExchangeStatus;
  readonly instructions: Heard[];
  /** All parts of the instruction as one. */
  instruction: DialogueInput;
  readbacks: Heard[];
  readonly opened: number | undefined;
  closed: number | undefined;
  follows: string | undefined;
  note: string | undefined;
  confidence: number;
  /** When silence becomes an alert; moves on while others speak. */
  deadline: number | undefined;
  /** Transmissions on the channel since the instruction. */
  since: number;
  alerted: boolean;
  /** Speech that could not be read, and may have been the readback. */
  readonly blocked: DialogueInput[];
  /** The readback may as well have been the controller saying it again. */
  tentative: boolean;
  /** The last part of the readback: a right value alone behind a wrong readback with its callsign. The controller may have said it. */
  mayCorrect: Heard | undefined;
  /** The aircraft that the instruction is to be passed on to; it may answer as well. */
  relayTo: string | undefined;
}

type Who = 'controller' | 'pilot';

interface Last {
  readonly input: Heard;
  readonly who: Who | 'nobody';
  readonly callsign: string | null;
  readonly live: Live | undefined;
  /** It asked for a repeat, or something else that the other side now answers. */
  readonly asked?: boolean;
}

/** The machine as it was before a transmission, to take that transmission back. */
interface Snapshot {
  readonly input: Heard;
  readonly exchanges: Live[];
  readonly last: Last | undefined;
  readonly heard: readonly (readonly [string, number | undefined])[];
}

/** From here on a voice counts as the same one going on, and below the other as another one. */
const SAME_SPEAKER = 0.8;
const OTHER_SPEAKER = 0.2;
const MOST_PIECES = 6;
/** Confidence of a pairing that makes every judgement on it uncertain. */
const NOT_SURE = 0.4;
/** Seconds within which a readback begins when nobody else speaks (99 % begin within 1.2 s). */
const AT_ONCE = 1.5;
/** Seconds between pieces of one transmission that a pause cut apart; a readback may begin as quickly, so the words decide. */
const SAME_BREATH = 0.3;
/** Seconds within which a second aircraft's readback of the same instruction counts as an answer to it. */
const AS_WELL = 5;
/** A callsign that is heard less surely than this is no proof that another aircraft answered. */
const SURE_CALLSIGN = 0.3;
/** From here on its words are plain, so that another reading of them needs a reason. */
const CLEAR_CALLSIGN = 0.8;

const BLOCKED: ReadonlySet<string> = new Set(['speech-without-text', 'overlap', 'recogniser-failed', 'no-speech']);
/** Guards that mean that the words are a guess. */
const UNTRUSTED: ReadonlySet<string> = new Set(['low-confidence', 'repetition', 'too-many-tokens-per-second', 'text-too-long-for-audio']);
/** Words that go on with what was said before. */
const LINKS = /^(until|till|at|via|and|or|then|after|before|when|with|by|not|direct|expect|to)\b/i;
const FAREWELL = /\b(bye|good ?bye|good night|see you|ciao|ahoj|adios|tschuss|servus|salut|au revoir|aurevoir|nice day|good day)\b|bye/i;
const HEAD = /^(roger|okay|ok|affirm|affirmative|yes|copied|correct|sir|and|then|that|is|now|negative|no|please|very|much|for|it|the|i|say|again|correction)$/;
const GREETING = /^(good|bye|hello|hi|thanks?|thank|you|day|morning|evening|afternoon|night|cheers|ciao|ahoj|tschuss|salut|adios|merci|danke|see|so|long|have|a|nice|one)$/;

export class ChannelMachine {
  readonly #options: Settings;
  readonly #channel: string | undefined;
  readonly #nextId: () => string;
  readonly #labels = new Labels();
  readonly #heard = new Map<string, number | undefined>();
  readonly #warned = new Set<string>();
  readonly #recent: DialogueInput[] = [];
  #exchanges: Live[] = [];
  #last: Last | undefined;
  #changes: DialogueChange[] = [];
  #now: number | undefined;
  #before: Snapshot | undefined;
  /** Ids of exchanges that a piece had opened before it turned out to be a piece. */
  #reuse: string[] = [];
  /** A transmission is heard only to see what would come of it. */
  #trial = false;
  /** Alerts that were given, so that none is given twice. */
  readonly #given = new Set<string>();

  constructor(options: Settings, channel: string | undefined, nextId: () => string) {
    this.#options = options;
    this.#channel = channel;
    this.#nextId = nextId;
  }

  get open(): readonly Exchange[] {
    return this.#exchanges.filter((e) => e.status === 'open').map((e) => this.#view(e));
  }

  accept(input: DialogueInput): readonly DialogueChange[] {
    this.#changes = [];
    if (this.#isDuplicate(input)) return [];
    this.#remember(input);
    this.#labels.learn(input);
    const before = this.#before;
    if (before !== undefined && !this.#wasRepeat(before.input, input) && this.#goesOn(before.input, input)) {
      const sure = this.#sureWithout(input);
      this.#again(before, this.#joined(before.input, input), sure);
      return this.#told();
    }
    if (input.start !== undefined) this.#expire(input.start);
    this.#before = this.#snapshot(input);
    this.#process(input);
    return this.#told();
  }

  /** One transmission, whole or put together, through the machine. */
  #process(input: Heard): void {
    if (input.understanding.words.length === 0) this.#blank(input);
    else {
      for (const turn of splitTurns(input.understanding, this.#options.understand)) this.#turn({ ...input, understanding: turn });
    }
    if (input.end !== undefined) {
      this.#now = Math.max(this.#now ?? 0, input.end);
      // while somebody speaks nobody else can answer
      const spoken = input.start === undefined ? 0 : Math.max(0, input.end - input.start);
      for (const e of this.#exchanges) if (e.status === 'open' && e.deadline !== undefined && e.instruction.id !== input.id && !e.instructions.some((i) => i.id === input.id)) e.deadline += spoken;
    }
  }

  tick(now: number): readonly DialogueChange[] {
    this.#changes = [];
    this.#expire(now);
    return this.#changes;
  }

  end(now?: number): readonly DialogueChange[] {
    this.#changes = [];
    const at = now ?? this.#now;
    if (at !== undefined) this.#expire(at);
    for (const e of this.#exchanges.filter((x) => x.status === 'open')) {
      const long = e.deadline === undefined && e.since >= 3;
      if (!long && e.blocked.length === 0) e.note ??= 'The recording ended before an answer.';
      this.#giveUp(e, at, long);
    }
    return this.#changes;
  }

  // --- pieces of one transmission ---------------------------------------------------------------------------------

  /**
   * Whether a transmission goes on with the one before it: the voice says so, or a callsign alone is followed at once by
   * an order without one.
   */
  #goesOn(before: Heard, input: DialogueInput): boolean {
    const first = before.understanding;
    const second = input.understanding;
    if (first.words.length === 0 || second.words.length === 0 || before.channel !== input.channel || (before.pieces?.length ?? 1) >= MOST_PIECES) return false;
    if (first.callsign !== null && second.callsign !== null && relationOf(first.callsign, second) === 'different') return false;
    if (answersInForm(first, second)) return false;
    const same = input.sameSpeaker;
    if (same !== undefined && (same >= SAME_SPEAKER || same <= OTHER_SPEAKER)) return same >= SAME_SPEAKER;
    // a callsign that has answered something is no beginning, unless nothing is known of the voice
    if (same !== undefined && this.#last?.live !== undefined) return false;
    if (before.end === undefined || input.start === undefined) return false;
    return input.start - before.end <= 1 && isBareCallsign(first) && second.callsign === null && orders(second);
  }

  /**
   * What came word for word like the instruction may have been the controller saying it again; a callsign or "roger" behind
   * it is then the pilot's answer, whatever the voice is taken for.
   */
  #wasRepeat(before: Heard, input: DialogueInput): boolean {
    const last = this.#last;
    if (last?.live?.tentative !== true || last.live.readbacks[0]?.id !== before.id) return false;
    return isBareCallsign(input.understanding) || !orders(input.understanding);
  }

  /**
   * The instructions that would have a whole readback if this transmission were one of its own. The voice is evidence and
   * no verdict: a readback that is whole only because two transmissions were heard as one is not sure.
   */
  #sureWithout(input: DialogueInput): ReadonlySet<string> {
    const kept = { now: this.#snapshot(input), before: this.#before, changes: this.#changes, warned: [...this.#warned], clock: this.#now };
    this.#changes = [];
    this.#trial = true;
    this.#process({ ...input, sameSpeaker: 0.5 });
    this.#trial = false;
    const sure = new Set(this.#exchanges.filter((e) => !e.tentative && e.confidence > NOT_SURE && isWholeAnswer(e, true)).map((e) => idsOf(e.instructions).join(' ')));
    this.#exchanges = kept.now.exchanges;
    this.#last = kept.now.last;
    this.#heard.clear();
    for (const [callsign, at] of kept.now.heard) this.#heard.set(callsign, at);
    this.#before = kept.before;
    this.#changes = kept.changes;
    this.#now = kept.clock;
    this.#warned.clear();
    for (const key of kept.warned) this.#warned.add(key);
    return sure;
  }

  #joined(before: Heard, input: DialogueInput): Heard {
    const pieces = [...(before.pieces ?? [before]), input];
    const parts = pieces.map((piece) => piece.understanding);
    const guards = pieces.flatMap((piece) => piece.guards);
    const joined = joinUnderstandings(parts);
    const understanding = this.#options.understand?.({ id: joined.id, text: joined.text, words: joined.words, guards, heard: [...this.#heard.keys()] }) ?? { ...joined, ...roleOfJoined(parts) };
    return {
      id: before.id,
      guards,
      understanding,
      pieces,
      ...(before.channel === undefined ? {} : { channel: before.channel }),
      ...(before.start === undefined ? {} : { start: before.start }),
      ...(input.end === undefined ? {} : { end: input.end }),
      ...(before.speaker === undefined ? {} : { speaker: before.speaker }),
      ...(before.sameSpeaker === undefined ? {} : { sameSpeaker: before.sameSpeaker }),
    };
  }

  /** Takes back what the earlier piece had done and hears the whole instead; tells only what is different now. */
  #again(before: Snapshot, whole: Heard, sure: ReadonlySet<string>): void {
    const told = new Map(this.#exchanges.map((e) => [e.id, this.#view(e)]));
    const known = new Set(before.exchanges.map((e) => e.id));
    this.#reuse = [...told.keys()].filter((id) => !known.has(id));
    this.#exchanges = before.exchanges;
    this.#last = before.last;
    this.#heard.clear();
    for (const [callsign, at] of before.heard) this.#heard.set(callsign, at);
    this.#before = this.#snapshot(whole);
    this.#process(whole);
    this.#reuse = [];
    this.#doubtJoined(whole, sure);
    this.#changes = this.#changes.map((change) => (change.kind === 'opened' && told.has(change.exchange.id) ? { kind: 'updated', exchange: change.exchange } : change));
    const mentioned = new Set(this.#changes.flatMap((c) => (c.kind === 'opened' || c.kind === 'updated' ? [c.exchange.id] : [])));
    for (const [id, view] of told) {
      if (mentioned.has(id)) continue;
      const now = this.#exchanges.find((e) => e.id === id);
      if (now === undefined) this.#changes.push({ kind: 'updated', exchange: { ...view, status: 'disregarded', readbacks: [], note: NOT_AN_INSTRUCTION } });
      else if (JSON.stringify(this.#view(now)) !== JSON.stringify(view)) this.#update(now);
    }
  }

  /** Readbacks that only the joining made whole are not sure. */
  #doubtJoined(whole: Heard, sure: ReadonlySet<string>): void {
    for (const e of this.#exchanges) {
      if (!isWholeAnswer(e) || sure.has(idsOf(e.instructions).join(' ')) || !e.readbacks.some((r) => r.id === whole.id)) continue;
      e.confidence = Math.min(e.confidence, NOT_SURE);
      e.note = 'Heard as one transmission by the voice alone; the pilot may have said a part of it only.';
      this.#changes = this.#changes.filter((c) => !(c.kind === 'judge' && c.pair.exchange.id === e.id));
      this.#update(e);
      this.#askForJudgement(e, e.readbacks);
    }
  }

  #snapshot(input: Heard): Snapshot {
    const copies = new Map(this.#exchanges.map((e) => [e, { ...e, instructions: [...e.instructions], readbacks: [...e.readbacks], blocked: [...e.blocked] }]));
    const { live } = this.#last ?? {};
    return {
      input,
      exchanges: [...copies.values()],
      last: this.#last === undefined ? undefined : { ...this.#last, live: live === undefined ? undefined : (copies.get(live) ?? live) },
      heard: [...this.#heard],
    };
  }

  /** The changes of this call, without alerts that were given before. */
  #told(): readonly DialogueChange[] {
    return this.#changes.filter((change) => {
      if (change.kind !== 'alert') return true;
      const key = `${change.alert} ${change.exchange.id} ${change.text}`;
      if (this.#given.has(key)) return false;
      if (this.#given.size > 1000) this.#given.clear();
      this.#given.add(key);
      return true;
    });
  }

  // --- what arrives -----------------------------------------------------------------------------------------------

  /** The same transmission out of a second, overlapping recording. */
  #isDuplicate(input: DialogueInput): boolean {
    const { start, end } = input;
    if (start === undefined || end === undefined || input.understanding.words.length === 0) return false;
    const text = flat(input.understanding.text);
    return this.#recent.some((old) => {
      if (old.id === input.id || old.start === undefined || old.end === undefined) return old.id === input.id;
      const common = Math.min(end, old.end) - Math.max(start, old.start);
      const shorter = Math.min(end - start, old.end - old.start);
      const oldText = flat(old.understanding.text);
      return common > 0.5 * shorter && (text === oldText || text.includes(oldText) || oldText.includes(text));
    });
  }

  #remember(input: DialogueInput): void {
    this.#recent.push(input);
    if (this.#recent.length > 20) this.#recent.shift();
  }

  /** No words. Clicks of the key answer nothing; speech that could not be read may have been the answer. */
  #blank(input: DialogueInput): void {
    const speech = input.guards.some((g) => BLOCKED.has(g.reason));
    for (const e of this.#exchanges) {
      if (e.status !== 'open') continue;
      e.since++;
      if (speech) {
        e.blocked.push(input);
        e.note = 'Speech that could not be read may have been the readback.';
      }
    }
    this.#last = { input, who: 'nobody', callsign: null, live: undefined };
  }

  #turn(heard: Heard): void {
    const u = withoutFalseNegation(heard.understanding);
    const input = u === heard.understanding ? heard : { ...heard, understanding: u };
    const relay = relayOf(u) ?? this.#passesOn(u);
    if (relay !== undefined) this.#relay(input, relay);
    else if (this.#reviseTentative(input) || this.#reviseHalf(input)) return;
    else if (this.#isUnread(input)) this.#blank(input);
    else if (this.#whoSpeaks(input) === 'controller') this.#controller(input);
    else this.#pilot(input);
    for (const e of this.#exchanges) if (e.status === 'open' && !e.instructions.some((i) => i.id === input.id)) e.since++;
    const best = u.callsign_candidates[0];
    if (u.callsign !== null && best !== undefined && (best.form === 'full' || best.form === 'list')) this.#heard.set(u.callsign, input.end ?? input.start);
  }

  /**
   * Role of a transmission, weighed as odds: what its words claim, whether it says a waiting instruction again, whose turn
   * it is, and its label. Weights are log odds set by hand; the order of their size is what matters.
   */
  #whoSpeaks(input: DialogueInput): Who {
    const u = input.understanding;
    const sure = Math.min(0.95, Math.max(0.5, u.role_confidence));
    if (this.#last?.who === 'controller' && this.#last.live?.status === 'open' && this.#inOneBreath(this.#last.live, input)) return 'controller';
    let pilot = (u.role === 'pilot' ? 1 : u.role === 'controller' ? -1 : 0) * Math.log(sure / (1 - sure));
    pilot += this.#labels.odds(input.speaker);
    if (u.intent === 'disregard') pilot -= wasForAnother(u) ? 4 : 1;
    if (wasBlocked(u)) pilot -= 3;
    // who has asked is answered by the other side
    if (this.#last?.who === 'pilot' && this.#last.asked === true && !asksForRepeat(u) && this.#gap(this.#last.input, input) <= this.#options.answerWithin) pilot -= 5;
    const question = u.intent === 'confirm' && u.items.length > 0;
    // a question with the callsign first, to the aircraft that has just read back, is the controller's
    if (question && callsignFirst(u) && this.#last?.who === 'pilot' && this.#last.live?.status === 'answered' && this.#couldAnswer(this.#last.live, u)) pilot -= 3;
    if (question && u.role === 'controller' && u.role_confidence >= 0.75) return 'controller';
    if (input.sameSpeaker !== undefined && this.#last !== undefined && this.#last.who !== 'nobody') {
      const odds = Math.log(Math.min(0.95, Math.max(0.05, input.sameSpeaker)) / (1 - Math.min(0.95, Math.max(0.05, input.sameSpeaker))));
      const push = (this.#last.who === 'pilot' ? 0.5 : -0.5) * odds;
      // a voice like the pilot's before does not make a readback of words that are the controller's
      if (push < 0 || this.#last.who === 'controller' || u.role !== 'controller') pilot += push;
    }
    const turns = this.#exchanges.filter((e) => e.status === 'open' && this.#couldAnswer(e, u)).map((e) => this.#turnOdds(e, input));
    pilot += turns.sort((a, b) => Math.abs(b) - Math.abs(a))[0] ?? 0;
    if (Math.abs(pilot) > 0.05) return pilot > 0 ? 'pilot' : 'controller';
    return instructs(u) && u.intent === 'instruction' ? 'controller' : 'pilot';
  }

  /** What a waiting exchange says about who speaks now, as log odds for the pilot. */
  #turnOdds(waiting: Live, input: DialogueInput): number {
    const u = input.understanding;
    const echo = echoOf(waiting.instruction.understanding, u);
    const figures = echo.shared === 0 && sameFigure(waiting.instruction.understanding, u);
    const again = echo.shared > 0 || echo.verbs > 0 || echo.conditions > 0 || echo.wording || figures;
    const identical = flat(u.text) === flat(waiting.instruction.understanding.text);
    const turn = waiting.since === 0 && this.#gap(waiting.instruction, input) <= 4;
    let pilot = 0;
    // long after, without a callsign: only its values tell
    if (!turn && u.callsign === null && echo.shared === 0) return 0;
    // the callsign that was called, and nothing to do in it: an answer
    const bare = u.callsign !== null && !orders(u) && u.items.length === 0 && u.intent !== 'confirm' && u.intent !== 'disregard';
    if (turn && (again || echo.differing > 0 || bare)) pilot += 2;
    if (echo.shared > 0) pilot += identical && !turn ? 0 : 2;
    else if (echo.verbs > 0 || echo.differing > 0 || echo.wording) pilot += 1;
    if (echo.conditions > 0) pilot += 0.5;
    // a controller who says it again says to whom
    if (again && u.callsign === null) pilot += 1;
    if (again && this.#saysAgain(u)) pilot -= 3;
    if (callsignFirst(u) && replaces(u)) pilot -= 4;
    // new orders, and nobody has answered: the same voice goes on
    if (turn && !again && echo.differing === 0 && u.callsign === null && (orders(u) || instructs(u))) pilot -= 1;
    return pilot;
  }

  #saysAgain(u: Understanding): boolean {
    return u.intent === 'correction' || /\b(i say again|i repeat)\b/i.test(u.text);
  }

  #gap(before: DialogueInput, after: DialogueInput): number {
    return before.end === undefined || after.start === undefined ? 0 : after.start - before.end;
  }

  /** Whether the callsign of a transmission does not speak against an exchange. */
  #couldAnswer(e: Live, u: Understanding): boolean {
    return this.#relation(e, u) !== 'different';
  }

  /** How the callsign of a transmission relates to the aircraft of an exchange, or to the one that the message is passed on to. */
  #relation(e: Live, u: Understanding): CallsignRelation | 'none' {
    const own = relationOf(e.callsign, u);
    return own === 'different' && e.relayTo !== undefined ? relationOf(e.relayTo, u) : own;
  }

  // --- controller -------------------------------------------------------------------------------------------------

  #controller(input: Heard): void {
    const u = input.understanding;
    const addressed = u.callsign ?? this.#inheritedCallsign(input);
    if (u.intent === 'disregard') {
      this.#disregard(input, u);
      this.#last = { input, who: 'controller', callsign: addressed, live: undefined };
      if (!instructs(u) || commanded(u).length === 0) return;
    }
    const previous = this.#latestAnswered(u.callsign, input);
    if (u.intent === 'confirm' && u.items.length > 0) {
      if (previous !== undefined && this.#restatesAfterError(previous, u)) {
        // "confirm flight level one hundred" after another level was read back corrects it
        this.#mark(previous, 'corrected', input, 'The controller asked to confirm what was not read back.');
        const live = this.#openExchange({ ...input, understanding: asOrder(u) }, addressed, previous.id, 'Corrects the readback before.');
        this.#last = { input, who: 'controller', callsign: addressed, live };
        return;
      }
      const waiting = this.#exchanges.findLast((e) => e.status === 'open' && sameAircraft(e.callsign, addressed));
      if (waiting !== undefined && input.end !== undefined) waiting.deadline = input.end + this.#options.answerWithin;
      if (!instructs(u)) {
        this.#last = { input, who: 'controller', callsign: addressed, live: undefined };
        return;
      }
    }
    const negative = u.intent === 'correction' || u.acknowledgements.some((a) => a === 'negative' || a === 'no' || a === 'correction') || /^(negative|no|incorrect|correction)\b/i.test(afterCallsign(u));
    // "negative, flight level one four zero": a level without a verb, but of the kind that was read back wrong
    const puts = negative && previous !== undefined && commanded(u).some((i) => i.bare !== true && commanded(previous.instruction.understanding).some((given) => given.slot === i.slot));
    if (!instructs(u) && !puts) {
      if (negative && previous !== undefined) this.#mark(previous, 'corrected', input, 'The controller said that the readback was wrong.');
      else if (previous !== undefined && /\b(read\s?back (is )?correct|that's correct|that is correct|affirm|correct|confirm)\b/i.test(u.text)) {
        previous.note = 'The controller confirmed the readback.';
        this.#update(previous);
      }
      this.#last = { input, who: 'controller', callsign: addressed, live: undefined };
      return;
    }
    this.#withdrawCall(input, addressed);
    const continued = this.#continues(input);
    if (continued !== undefined) {
      this.#extend(continued, input);
      this.#last = { input, who: 'controller', callsign: continued.callsign, live: continued };
      return;
    }
    let follows: string | undefined;
    let note: string | undefined;
    const repeated = this.#exchanges.find((e) => e.status === 'open' && sameAircraft(e.callsign, addressed) && this.#sameMatter(e, u));
    if (repeated !== undefined) {
      follows = repeated.id;
      note = 'Repeats or replaces an instruction that was not answered.';
      this.#mark(repeated, 'superseded', input, 'The controller gave it again before an answer.');
    } else if (previous !== undefined && sameAircraft(previous.callsign, addressed) && (negative || this.#restatesAfterError(previous, u))) {
      follows = previous.id;
      note = 'Corrects the readback before.';
      this.#mark(previous, 'corrected', input, 'The controller corrected the readback.');
    }
    const live = this.#openExchange(input, addressed, follows, note);
    this.#last = { input, who: 'controller', callsign: addressed, live };
  }

  /**
   * What looked like an instruction was the pilot's call ("legend one two zero two approaching runway two eight") when a
   * controller surely answers the same aircraft at once.
   */
  #withdrawCall(input: Heard, addressed: string | null): void {
    const live = this.#last?.live;
    if (live?.status !== 'open' || this.#last?.who !== 'controller' || live.instructions.length > 1) return;
    const before = live.instruction.understanding;
    if (before.role_confidence >= 0.8 || input.understanding.role_confidence - before.role_confidence < 0.1 || input.understanding.role !== 'controller') return;
    if (addressed === null || live.callsign === null || compareCallsigns(live.callsign, addressed) === 'different' || orders(before)) return;
    this.#exchanges = this.#exchanges.filter((e) => e !== live);
    this.#last = { input: live.instruction, who: 'pilot', callsign: live.callsign, live: undefined };
    this.#mark(live, 'disregarded', input, NOT_AN_INSTRUCTION);
  }

  /** An instruction without a callsign goes to whom the controller has just called, or to the pilot who has just called. */
  #inheritedCallsign(input: DialogueInput): string | null {
    const last = this.#last;
    // words before the order that were not understood are a callsign of its own, unreadable
    if (last === undefined || last.callsign === null || hasUnreadHead(input.understanding)) return null;
    const gap = this.#gap(last.input, input);
    if (last.who === 'controller') return gap <= this.#options.continuationWithin ? last.callsign : null;
    return gap <= (last.live === undefined ? this.#options.answerWithin : this.#options.continuationWithin) ? last.callsign : null;
  }

  #disregard(input: DialogueInput, u: Understanding): void {
    const taken = this.#exchanges.filter((e) => e.status === 'open' || e.status === 'answered');
    // "disregard, that was for B" takes back what was said to somebody else
    // "A, disregard, that was for B": what B was told stands
    const [addressee, meant] = aircraftIn(u).map(({ value }) => value);
    const target = wasForAnother(u) && addressee !== undefined && meant !== undefined ? taken.findLast((e) => sameAircraft(e.callsign, addressee))
      : wasForAnother(u) ? taken.findLast((e) => u.callsign === null || !sameAircraft(e.callsign, u.callsign)) : taken.findLast((e) => u.callsign === null || sameAircraft(e.callsign, u.callsign));
    if (target !== undefined) this.#mark(target, 'disregarded', input, 'The controller took it back.');
  }

  /** The open exchange that a transmission goes on with: same speaker, no other transmission between, nothing said twice. */
  #continues(input: Heard): Live | undefined {
    const last = this.#last;
    const u = input.understanding;
    if (last?.who !== 'controller' || last.live?.status !== 'open') return undefined;
    const live = last.live;
    if ((input.sameSpeaker ?? 1) <= OTHER_SPEAKER && !this.#inOneBreath(live, input)) return undefined;
    if (u.callsign !== null && !sameAircraft(live.callsign, u.callsign)) return undefined;
    if (input.start !== undefined && last.input.end !== undefined ? this.#gap(last.input, input) > this.#options.continuationWithin : u.callsign !== null) return undefined;
    const negative = u.intent === 'correction' || u.intent === 'disregard';
    if (negative || this.#sameMatter(live, u)) return undefined;
    // the same figure in another slot: more likely a readback gone wrong than one more order
    return u.callsign === null && sameFigure(live.instruction.understanding, u) ? undefined : live;
  }

  /**
   * More orders within a breath, without a callsign, an acknowledgement or anything of the instruction again: the same speaker, whatever
   * the voice is taken for. A readback that begins as quickly says something again.
   */
  #inOneBreath(live: Live, input: Heard): boolean {
    const u = input.understanding;
    const before = live.instructions.at(-1) ?? live.instruction;
    if (before.end === undefined || input.start === undefined || input.start - before.end > SAME_BREATH) return false;
    if (u.callsign !== null || u.acknowledgements.length > 0 || u.role === 'pilot' || !(orders(u) || instructs(u) || LINKS.test(u.text))) return false;
    // a gate names again where the aircraft is sent: "direct batap … cross batap at …"
    const gates = gated(u);
    return !saysAnyAgain(live.instruction.understanding, gates.size === 0 ? u : withoutItems(u, (item) => gates.has(item)));
  }

  /** Words that are not to be trusted, without a callsign, and nothing in them that anybody waits for: speech that could not be read. */
  #isUnread(input: Heard): boolean {
    const u = input.understanding;
    if (!input.guards.some((g) => UNTRUSTED.has(g.reason)) || u.callsign !== null || u.acknowledgements.length > 0) return false;
    const waiting = this.#exchanges.filter((e) => e.status === 'open');
    const last = this.#last?.live;
    if (waiting.length === 0 || (last !== undefined && this.#inOneBreath(last, input))) return false;
    return waiting.every((e) => !saysAnyAgain(e.instruction.understanding, u));
  }

  /** Both tell the aircraft the same kind of thing: one repeats or replaces the other. */
  #sameMatter(e: Live, u: Understanding): boolean {
    const old = e.instruction.understanding;
    const [oldGates, freshGates] = [gated(old), gated(u)];
    const kinds = new Set(commanded(old).filter((i) => !oldGates.has(i)).map(kindOf));
    const fresh = commanded(u).filter((i) => !freshGates.has(i));
    // the level at which a point is to be crossed does not replace the level to climb to
    if (freshGates.size > 0 && [...freshGates].some((i) => [...oldGates].some((o) => o.slot === i.slot && compareValues(o.slot, o.value, i.value, i.unit) === 'equal'))) return true;
    if (fresh.length > 0 && kinds.size > 0) return fresh.some((i) => kinds.has(kindOf(i)));
    if (freshGates.size > 0) return false;
    const verbs = new Set(old.commands.map((c) => c.verb));
    return u.commands.some((c) => c.modality === 'command' && verbs.has(c.verb));
  }

  /** The instruction comes again after a readback that did not give it back. */
  #restatesAfterError(e: Live, u: Understanding): boolean {
    if (e.readbacks.length === 0) return false;
    const readback = joinUnderstandings(e.readbacks.map((r) => r.understanding));
    const instruction = e.instruction.understanding;
    // what had come back already is no correction when it is named again ("cross runway two seven right" behind "hold short of …")
    const says = (item: Item, others: readonly Item[]): boolean => others.some((said) => (said.bare === true ? bareMatches(item.slot, item.value, said) : said.slot === item.slot && compareValues(item.slot, item.value, said.value, said.unit) === 'equal'));
    return commanded(instruction).some((item) => !says(item, readback.items) && says(item, u.items.filter((said) => said.slot !== 'runway' || said.verb === undefined || said.verb === item.verb)));
  }

  #latestAnswered(callsign: string | null, input: DialogueInput): Live | undefined {
    return this.#exchanges.findLast(
      (e) => e.status === 'answered' && (callsign === null ? e === this.#last?.live : sameAircraft(e.callsign, callsign)) && (input.start === undefined || e.closed === undefined || input.start - e.closed <= this.#options.correctionWithin),
    );
  }

  #openExchange(input: Heard, callsign: string | null, follows: string | undefined, note: string | undefined): Live {
    const live: Live = {
      id: this.#newId(),
      callsign,
      status: 'open',
      instructions: [input],
      instruction: input,
      readbacks: [],
      opened: input.end ?? input.start,
      closed: undefined,
      follows,
      note,
      confidence: 0,
      deadline: input.end === undefined ? undefined : input.end + this.#options.answerWithin,
      since: 0,
      alerted: false,
      blocked: [],
      tentative: false,
      mayCorrect: undefined,
      relayTo: undefined,
    };
    this.#exchanges.push(live);
    // what is long over is forgotten, so that memory does not grow with the recording
    if (this.#exchanges.length > 64) this.#exchanges = this.#exchanges.filter((e, i, all) => e.status === 'open' || i >= all.length - 48);
    this.#changes.push({ kind: 'opened', exchange: this.#view(live) });
    this.#warnOfSimilar(live, input);
    return live;
  }

  #extend(live: Live, input: Heard): void {
    live.instructions.push(input);
    const joined = joinUnderstandings(live.instructions.map((i) => i.understanding));
    live.instruction = {
      ...live.instruction,
      ...(input.end === undefined ? {} : { end: input.end }),
      guards: live.instructions.flatMap((i) => i.guards),
      understanding: joined,
    };
    if (input.end !== undefined) live.deadline = input.end + this.#options.answerWithin;
    this.#update(live);
  }

  #newId(): string {
    return this.#trial ? 'trial' : (this.#reuse.shift() ?? this.#nextId());
  }

  #warnOfSimilar(live: Live, input: DialogueInput): void {
    const { callsign } = live;
    if (callsign === null || input.understanding.callsign === null) return;
    const now = input.end ?? input.start;
    for (const [other, at] of this.#heard) {
      if (now !== undefined && at !== undefined && now - at > this.#options.similarWithin) continue;
      const key = [callsign, other].sort().join(' ');
      if (this.#warned.has(key) || !areSimilarCallsigns(callsign, other)) continue;
      this.#warned.add(key);
      this.#changes.push({ kind: 'alert', exchange: this.#view(live), alert: 'similar-callsigns', text: `${callsign} and ${other} are both on this frequency and sound alike.` });
    }
  }

  // --- pilot ------------------------------------------------------------------------------------------------------

  #pilot(input: Heard): void {
    const u = input.understanding;
    const asksAgain = asksForRepeat(u) || (asksWhom(u) && !orders(u));
    const before = this.#last;
    const said = (live: Live | undefined): void => {
      this.#last = { input, who: 'pilot', callsign: u.callsign ?? live?.callsign ?? null, live, asked: (asksAgain && (u.callsign !== null || before?.who === 'controller')) || (u.intent === 'confirm' && live?.status !== 'answered') };
    };
    const candidates = this.#exchanges.filter((e) => e.status === 'open' || (e.status === 'unanswered' && this.#stillLate(e, input)));
    if (asksAgain || u.intent === 'standby') {
      const target = this.#pick(candidates, u, true)?.live;
      if (target?.status === 'open') {
        target.note = asksForRepeat(u) ? 'The pilot asked for a repeat.' : asksAgain ? 'The pilot asked whom it was for.' : 'The pilot asked to stand by.';
        if (input.end !== undefined) target.deadline = input.end + this.#options.answerWithin;
        this.#update(target);
      }
      said(undefined);
      return;
    }
    const choice = this.#pick(candidates, u, false);
    if (choice !== undefined) {
      this.#answer(choice, input);
      said(choice.live);
      return;
    }
    const half = this.#secondHalf(input);
    if (half !== undefined) {
      const whole = half.readbacks.some((r) => r.understanding.callsign !== null);
      half.mayCorrect = whole && u.callsign === null && u.acknowledgements.length === 0 && !/\b(correction|sorry)\b/i.test(u.text) && this.#restatesAfterError(half, u) ? input : undefined;
      half.readbacks.push(input);
      half.closed = input.end ?? half.closed;
      half.tentative = false;
      this.#update(half);
      this.#askForJudgement(half, half.readbacks);
      said(half);
      return;
    }
    if (this.#answeredForAnother(candidates, input)) return;
    const late = this.#wasInstruction(input);
    if (late !== undefined) {
      said(late);
      return;
    }
    said(undefined);
  }

  /**
   * A transmission whose beginning was lost, and with it the callsign, reads like anybody's words. When the next one says its values again
   * with a callsign behind them, it was the instruction.
   */
  #wasInstruction(input: Heard): Live | undefined {
    const u = input.understanding;
    const last = this.#last;
    if (last?.who !== 'pilot' || last.live !== undefined || last.asked === true || last.input.understanding.callsign !== null || u.callsign === null || callsignFirst(u) || u.intent === 'request') return undefined;
    if (this.#gap(last.input, input) > AT_ONCE || (input.sameSpeaker ?? 0) >= SAME_SPEAKER) return undefined;
    const before = withCutCallsign(last.input.understanding);
    if (!orders(before) || (before.callsign !== null && relationOf(before.callsign, u) === 'different')) return undefined;
    const echo = echoOf(before, u);
    if (echo.asked === 0 || !(echo.shared > 0 || (echo.verbs > 0 && echo.differing > 0))) return undefined;
    const live = this.#openExchange({ ...last.input, understanding: { ...before, role: 'controller', role_confidence: 0.5, intent: 'instruction' } }, before.callsign, undefined, 'Its beginning is missing; it was read back.');
    this.#answer({ live, confidence: echo.shared > 0 ? 0.6 : NOT_SURE, echo }, input);
    return live;
  }

  #stillLate(e: Live, input: DialogueInput): boolean {
    return e.readbacks.length === 0 && input.start !== undefined && e.closed !== undefined && input.start - e.closed <= this.#options.lateWithin;
  }

  /** The exchange that a pilot's transmission answers, and how sure that is. */
  #pick(candidates: readonly Live[], u: Understanding, anyAnswer: boolean): { live: Live; confidence: number; echo: Echo } | undefined {
    let best: { live: Live; confidence: number; echo: Echo; score: number } | undefined;
    for (const live of candidates) {
      const relation = this.#relation(live, u);
      if (relation === 'different') continue;
      const echo = echoOf(live.instruction.understanding, u);
      const echoes = echo.shared > 0 || echo.verbs > 0 || echo.conditions > 0 || echo.wording;
      const next = live.since === 0 && live.status === 'open';
      const known = relation === 'same' || relation === 'short';
      if (!anyAnswer && !this.#isAnswer(u, echo, next, known)) continue;
      if (!known && !next && !(echo.shared > 0)) continue;
      if (live.status === 'unanswered' && !(known && echoes)) continue;
      const confidence = known ? (echoes ? 0.95 : next ? 0.85 : 0.7) : next ? (echoes ? 0.85 : 0.6) : 0.55;
      const score = (known ? 4 : relation === 'unclear' ? 1 : 0) + echo.shared * 2 + echo.verbs - echo.differing * 0.5 + (next ? 1 : 0) - live.since * 0.01 + (live.status === 'open' ? 1 : 0);
      if (best === undefined || score > best.score) best = { live, confidence, echo, score };
    }
    return best === undefined ? undefined : { live: best.live, confidence: best.confidence, echo: best.echo };
  }

  /** Whether a pilot's transmission is an answer at all, given what it says again of the instruction. */
  #isAnswer(u: Understanding, echo: Echo, next: boolean, known: boolean): boolean {
    const acknowledged = u.acknowledgements.length > 0;
    const valueEcho = echo.shared > 0 || (echo.asked === 0 && echo.verbs > 0);
    switch (u.intent) {
      case 'request':
        return valueEcho && echo.shared >= echo.asked;
      case 'greet':
        // "good night" after "contact …" is all the answer that there will be
        return valueEcho || (next && (known || FAREWELL.test(u.text)));
      case 'report':
      case 'inform':
        // "leaving five thousand for flight level one hundred" reads back; "traffic in sight" does not
        return valueEcho || (next && (acknowledged || echo.wording));
      case 'confirm':
        // a question about part of it, or between two values, leaves it open
        return echo.asked > 0 && echo.shared >= echo.asked && echo.differing === 0 && !/\bor (?!less|greater|above|below|more)/i.test(u.text);
      case 'readback':
      case 'acknowledge':
      case 'instruction':
      case 'correction':
        return known || next || valueEcho;
      case 'unknown': {
        const content = u.items.length > 0 || u.commands.length > 0;
        return valueEcho || echo.verbs > 0 || (echo.wording && (next || known)) || (acknowledged && (next || known)) || (content ? next && (known || echo.differing + echo.loose > 0) : known && isBareCallsign(u)) || (next && known && !content);
      }
      case 'say_again':
      case 'standby':
      case 'disregard':
        return false;
    }
  }

  #answer(choice: { live: Live; confidence: number; echo: Echo }, input: Heard): void {
    const { live, echo } = choice;
    const u = input.understanding;
    // one readback may answer two open instructions of the same aircraft; each is judged on its own part
    const others = this.#exchanges.filter((e) => e !== live && e.status === 'open' && e.callsign !== null && sameAircraft(e.callsign, u.callsign ?? live.callsign) && echoOf(e.instruction.understanding, u).shared > 0);
    const parts = [live, ...others];
    for (const part of parts) {
      const rest = parts.filter((p) => p !== part).flatMap((p) => commanded(p.instruction.understanding));
      const own = commanded(part.instruction.understanding);
      const matches = (wanted: readonly Item[], said: Item): boolean => wanted.some((w) => (w.slot === said.slot && compareValues(w.slot, w.value, said.value, said.unit) === 'equal') || (said.bare === true && bareMatches(w.slot, w.value, said)));
      const understanding = parts.length === 1 ? u : withoutItems(u, (said) => matches(rest, said) && !matches(own, said));
      part.readbacks = [{ ...input, understanding }];
      part.confidence = part === live ? choice.confidence : 0.8;
      // the aircraft that the message was for has answered it itself
      if (part.relayTo !== undefined && relationOf(part.callsign, u) === 'different') part.instruction = { ...part.instruction, understanding: withCallsign(part.instruction.understanding, part.relayTo) };
      part.closed = input.end ?? input.start ?? part.closed;
      if (part.status === 'unanswered') part.note = 'The readback came late.';
      else if (u.intent === 'confirm') part.note = 'The pilot asked to confirm.';
      else if (part.blocked.length > 0) part.note = undefined;
      part.status = 'answered';
      const again = flat(u.text) === flat(part.instruction.understanding.text);
      // the controller's words with the callsign first, readable or not
      const opens = u.role === 'controller' && (u.callsign_candidates[0]?.span[0] ?? 9) <= 1;
      part.tentative = (opens || (again && u.callsign === null && unreadHead(u) > 0)) && echo.shared === echo.asked && (echo.asked > 0 || echo.verbs > 0) && this.#labels.odds(input.speaker) <= 0;
      // nothing but the words, which are the controller's own: said late, it may be the controller again, and then nobody has read back
      if (part.tentative && this.#gap(part.instructions.at(-1) ?? part.instruction, input) > AT_ONCE) {
        part.confidence = Math.min(part.confidence, NOT_SURE);
        part.note = 'It may be the controller saying it again.';
      }
      // word for word, and no times to tell how soon: the same
      if (part.tentative && input.start === undefined && again) {
        part.confidence = Math.min(part.confidence, NOT_SURE);
        part.note = 'It may be the controller saying it again.';
      }
      // in form a readback, but the voice goes on: the controller may have said it twice
      if ((input.sameSpeaker ?? 0) >= SAME_SPEAKER && this.#last?.who === 'controller' && part.instructions.some((i) => i.id === this.#last?.input.id)) {
        part.confidence = Math.min(part.confidence, NOT_SURE);
        part.note = 'The voice is like the controller’s.';
      }
      const another = part === live && this.#mayBeAnother(part, u);
      if (another) part.note ??= `It was for ${part.callsign ?? 'another aircraft'}; ${u.callsign ?? 'the one that answered'} may be another aircraft.`;
      this.#update(part);
      if (another) this.#changes.push({ kind: 'alert', exchange: this.#view(part), alert: 'other-aircraft-answered', text: `The instruction was for ${part.callsign ?? 'another aircraft'}, and the words of the readback are ${u.callsign ?? 'another callsign'}: another aircraft, or misheard.` });
      this.#askForJudgement(part, part.readbacks);
    }
  }

  /**
   * The words of a callsign that were clearly heard are another aircraft's, and only as another reading (the traffic list's, say) the one
   * that was meant.
   */
  #mayBeAnother(live: Live, u: Understanding): boolean {
    const best = u.callsign_candidates[0];
    if (live.callsign === null || live.relayTo !== undefined || u.callsign === null || best?.form !== 'full') return false;
    // what is not on the list has half the score
    if (best.score < (u.callsign_candidates.some((c) => c.form === 'list') ? CLEAR_CALLSIGN / 2 : CLEAR_CALLSIGN)) return false;
    return compareCallsigns(live.callsign, u.callsign) === 'different' && !isCutCallsign(live.callsign, u);
  }

  /** More of a readback that was just given: the rest of the values, the callsign alone, or "correction …". */
  #secondHalf(input: Heard): Live | undefined {
    const u = input.understanding;
    const own = this.#last?.who === 'pilot' ? this.#last.live : undefined;
    // others may have talked in between when the callsign is said again
    const between = own === undefined && u.callsign !== null ? this.#exchanges.findLast((e) => sameAircraft(e.callsign, u.callsign)) : undefined;
    const live = own ?? (between?.callsign === null ? undefined : between);
    if (live?.status !== 'answered' || live.readbacks.length === 0 || !this.#couldAnswer(live, u) || (input.sameSpeaker ?? 1) <= OTHER_SPEAKER) return undefined;
    const before = live.readbacks.at(-1);
    if (before === undefined || this.#gap(before, input) > this.#options.secondHalfWithin) return undefined;
    if (u.intent === 'request' || u.intent === 'say_again') return undefined;
    if (own !== undefined && isBareCallsign(u) && before.understanding.callsign === null) return live;
    if (u.intent === 'correction' || u.acknowledgements.includes('correction') || u.retracted.length > 0 || /^(correction|sorry)\b/i.test(u.text)) return live;
    const joined = joinUnderstandings(live.readbacks.map((r) => r.understanding));
    const had = echoOf(live.instruction.understanding, joined);
    const echo = echoOf(live.instruction.understanding, u);
    return had.shared < had.asked && (echo.shared > 0 || echo.differing > 0) ? live : undefined;
  }

  /** The classic confusion: somebody else reads the instruction back (PANS-ATM §4.5.7.5.2 asks the controller to catch it). */
  #answeredForAnother(candidates: readonly Live[], input: DialogueInput): boolean {
    const u = input.understanding;
    const best = u.callsign_candidates[0];
    if (u.callsign === null || best === undefined || u.intent === 'request') return false;
    for (const live of [...candidates].reverse()) {
      if (live.status !== 'open' || live.callsign === null || live.since > 1 || relationOf(live.callsign, u) !== 'different') continue;
      const echo = echoOf(live.instruction.understanding, u);
      const alike = areSimilarCallsigns(live.callsign, u.callsign);
      const whole = echo.asked > 0 ? echo.shared * 2 >= echo.asked && echo.shared > 0 : echo.verbs > 0;
      const answers = u.intent === 'readback' || u.intent === 'acknowledge' || u.intent === 'instruction' || u.intent === 'unknown';
      if (!whole && !(alike && live.since === 0 && answers)) continue;
      // a call to the unit, a report, or the other direction from an aircraft whose callsign is nothing like it: it was told, or tells, something of its own
      if (callsUnit(u) && !(alike && answers && echo.shared >= echo.asked)) continue;
      // said at once, one value of two is more likely a callsign misheard
      const atOnce = live.since === 0 && this.#gap(live.instructions.at(-1) ?? live.instruction, input) <= AT_ONCE;
      if (!alike && (u.intent === 'report' || (echo.differing > 0 && !atOnce) || turnsOtherwise(live.instruction.understanding, u))) continue;
      if (u.intent === 'report' && echo.shared < echo.asked) continue;
      live.readbacks = [input];
      live.status = 'answered';
      live.closed = input.end ?? input.start;
      const sure = best.form !== 'partial' && best.score >= SURE_CALLSIGN;
      live.confidence = sure ? 0.8 : 0.45;
      live.note = `Answered by another aircraft: it was for ${live.callsign}, ${u.callsign} read it back.`;
      this.#update(live);
      if (sure) this.#changes.push({ kind: 'alert', exchange: this.#view(live), alert: 'other-aircraft-answered', text: `The instruction was for ${live.callsign}, and ${u.callsign} read it back.` });
      this.#askForJudgement(live, live.readbacks);
      // the aircraft that was meant has still not answered
      const again = this.#openAgain(live);
      this.#last = { input, who: 'pilot', callsign: u.callsign, live: again };
      return true;
    }
    return this.#answeredAsWell(input);
  }

  /** The aircraft that was meant has read it back, and with nobody between another one reads the same back: both took it. */
  #answeredAsWell(input: DialogueInput): boolean {
    const u = input.understanding;
    const live = this.#last?.who === 'pilot' ? this.#last.live : undefined;
    const reading = u.callsign_candidates[0];
    const before = live?.readbacks.at(-1);
    if (live?.status !== 'answered' || live.callsign === null || u.callsign === null || before === undefined || reading === undefined || u.intent === 'report' || callsUnit(u) || (orders(u) && callsignFirst(u) && !/^\w+ing\b/i.test(afterCallsign(u)))) return false;
    if (this.#relation(live, u) !== 'different' || this.#gap(before, input) > AS_WELL) return false;
    const echo = echoOf(live.instruction.understanding, u);
    if (echo.asked === 0 ? echo.verbs === 0 : echo.shared < echo.asked) return false;
    // it may have been told the same before
    if (this.#exchanges.some((e) => e !== live && e.callsign !== null && sameAircraft(e.callsign, u.callsign) && echoOf(e.instruction.understanding, u).shared > 0)) return false;
    const sure = reading.form !== 'partial' && reading.score >= SURE_CALLSIGN;
    const alike = areSimilarCallsigns(live.callsign, u.callsign);
    const other: Live = { ...live, id: this.#newId(), readbacks: [input], closed: input.end ?? input.start, follows: live.id, note: `Read back by another aircraft as well: it was for ${live.callsign}, ${u.callsign} took it too.`, confidence: sure && alike ? 0.8 : NOT_SURE, instructions: [...live.instructions], blocked: [], tentative: false };
    this.#exchanges.push(other);
    this.#changes.push({ kind: 'opened', exchange: this.#view(other) });
    if (sure) this.#changes.push({ kind: 'alert', exchange: this.#view(other), alert: 'other-aircraft-answered', text: `The instruction was for ${live.callsign}, and ${u.callsign} read it back as well.` });
    this.#askForJudgement(other, other.readbacks);
    this.#last = { input, who: 'pilot', callsign: u.callsign, live: other };
    return true;
  }

  // --- messages passed on -------------------------------------------------------------------------------------------

  /** A controller asks one aircraft to tell another something; that one tells it; or says what the other has answered. */
  #relay(input: Heard, relay: Relay): void {
    const u = input.understanding;
    const as = (callsign: string, role: Who): Heard => ({ ...input, understanding: { ...withCallsign(u, callsign), role, role_confidence: 0.9, intent: role === 'controller' ? 'instruction' : 'readback' } });
    switch (relay.kind) {
      case 'ask': {
        this.#controller(as(relay.by ?? relay.to, 'controller'));
        const live = this.#last?.live;
        if (live?.status === 'open') live.relayTo = relay.to;
        break;
      }
      case 'pass': {
        const asked = this.#exchanges.findLast((e) => e.status === 'open' && e.relayTo !== undefined && sameAircraft(e.callsign, relay.by) && sameAircraft(e.relayTo, relay.to));
        // passing it on is how the one that was asked gives it back
        if (asked !== undefined && relay.by !== null) {
          const own = as(relay.by, 'pilot');
          this.#answer({ live: asked, confidence: 0.8, echo: echoOf(asked.instruction.understanding, own.understanding) }, own);
        }
        this.#controller(as(relay.to, 'controller'));
        break;
      }
      case 'reply': {
        this.#pilot(as(relay.to, 'pilot'));
        const live = this.#last?.live;
        if (live?.status === 'answered') {
          live.note ??= relay.by === null ? 'Relayed by another aircraft.' : `Relayed by ${relay.by}.`;
          this.#update(live);
        }
        break;
      }
    }
  }

  /** The aircraft that was asked to relay tells the other one, without naming itself. */
  #passesOn(u: Understanding): Relay | undefined {
    if (u.callsign === null || !callsignFirst(u) || !orders(u) || u.role === 'pilot') return undefined;
    const asked = this.#exchanges.findLast((e) => e.status === 'open' && e.relayTo !== undefined && e.callsign !== null && compareCallsigns(e.relayTo, u.callsign ?? '') !== 'different' && echoOf(e.instruction.understanding, u).shared > 0);
    return asked?.relayTo === undefined ? undefined : { kind: 'pass', by: asked.callsign, to: asked.relayTo };
  }

  /** A second exchange over the same instruction, for the aircraft that was meant. */
  #openAgain(live: Live): Live {
    const again: Live = { ...live, id: this.#newId(), status: 'open', readbacks: [], closed: undefined, follows: live.id, note: 'Still to be answered by the aircraft that was meant.', confidence: 0, alerted: true, instructions: [...live.instructions], blocked: [], tentative: false, since: 1 };
    this.#exchanges.push(again);
    this.#changes.push({ kind: 'opened', exchange: this.#view(again) });
    return again;
  }

  /**
   * An answer that came word for word like the instruction, callsign first, may have been the controller saying it again.
   * When the pilot speaks next, it was.
   */
  #reviseTentative(input: Heard): boolean {
    const u = input.understanding;
    // a greeting or a question of the controller may stand between
    const live = this.#last?.live ?? (u.callsign === null || this.#last?.who !== 'controller' ? undefined : this.#exchanges.findLast((e) => sameAircraft(e.callsign, u.callsign)));
    const repeat = live?.readbacks[0];
    if (live === undefined || repeat === undefined || !live.tentative || live.status !== 'answered' || live.readbacks.length !== 1) return false;
    if (u.role === 'controller' && u.role_confidence >= 0.5 && !isBareCallsign(u)) return false;
    if (u.callsign === null || live.callsign === null || !sameAircraft(live.callsign, u.callsign) || this.#gap(repeat, input) > this.#options.answerWithin) return false;
    const echo = echoOf(live.instruction.understanding, u);
    if (!(isBareCallsign(u) || u.intent === 'acknowledge' || echo.shared > 0) || u.intent === 'request' || u.intent === 'report') return false;
    live.readbacks = [];
    live.tentative = false;
    this.#mark(live, 'superseded', repeat, 'The controller gave it again before an answer.');
    const again = this.#openExchange(repeat, live.callsign, live.id, 'Repeats or replaces an instruction that was not answered.');
    this.#answer({ live: again, confidence: 0.8, echo }, input);
    this.#last = { input, who: 'pilot', callsign: u.callsign, live: again };
    return true;
  }

  /**
   * A wrong readback with its callsign, then the right value alone: when the same aircraft now gives that value back with its callsign, the controller
   * had said it.
   */
  #reviseHalf(input: Heard): boolean {
    const u = input.understanding;
    const live = this.#last?.live;
    const value = live?.mayCorrect;
    if (live === undefined || value === undefined || live.status !== 'answered' || live.readbacks.at(-1) !== value || u.callsign === null || callsignFirst(u) && u.role === 'controller') return false;
    if (!sameAircraft(live.callsign, u.callsign) || this.#gap(value, input) > this.#options.answerWithin) return false;
    const order = { ...value, understanding: { ...asOrder(value.understanding), role: 'controller' as const, items: value.understanding.items.map((i) => (i.modality === 'report' ? { ...i, modality: 'command' as const } : i)) } };
    const echo = echoOf(order.understanding, u);
    if (echo.shared === 0 || u.intent === 'request') return false;
    live.readbacks.pop();
    live.mayCorrect = undefined;
    this.#mark(live, 'corrected', value, 'The controller said the right value again.');
    this.#askForJudgement(live, live.readbacks);
    const again = this.#openExchange(order, live.callsign, live.id, 'Corrects the readback before.');
    this.#answer({ live: again, confidence: 0.7, echo }, input);
    this.#last = { input, who: 'pilot', callsign: u.callsign, live: again };
    return true;
  }

  /**
   * "… correction …" with the callsign first behind a wrong readback has the words of either side. Nobody read it back: the pilot may have corrected
   * himself. The readback is then both, and not sure.
   */
  #mayBeOwnCorrection(e: Live): Live | undefined {
    const u = e.instruction.understanding;
    if (e.instructions.length !== 1 || !/^correction\b/i.test(afterCallsign(u)) || /\b(negative|i say again|incorrect)\b/i.test(u.text)) return undefined;
    const before = this.#exchanges.find((x) => x.id === e.follows);
    return before?.status === 'corrected' && before.readbacks.length > 0 && sameAircraft(before.callsign, e.callsign) ? before : undefined;
  }

  // --- time -------------------------------------------------------------------------------------------------------

  #expire(now: number): void {
    this.#now = Math.max(this.#now ?? now, now);
    for (const e of this.#exchanges) {
      if (e.status === 'open' && e.deadline !== undefined && now > e.deadline) this.#giveUp(e, e.deadline, true);
    }
  }

  #giveUp(e: Live, at: number | undefined, alert: boolean): void {
    const own = e.blocked.length === 0 ? this.#mayBeOwnCorrection(e) : undefined;
    if (own !== undefined) {
      own.readbacks.push(...e.instructions);
      own.confidence = Math.min(own.confidence, NOT_SURE);
      this.#mark(own, 'answered', e.instruction, 'The pilot may have corrected himself; the controller’s words would be the same.');
      this.#askForJudgement(own, own.readbacks);
      this.#mark(e, 'superseded', e.instruction, 'Nobody read it back: it may have been the pilot correcting himself.');
      return;
    }
    e.status = 'unanswered';
    e.closed = at;
    this.#update(e);
    if (e.blocked.length > 0) {
      // something was said and could not be read: that is uncertain, not silence
      this.#askForJudgement(e, e.blocked);
      return;
    }
    if (!alert || e.alerted || !needsReadback(e.instruction.understanding)) return;
    e.alerted = true;
    this.#changes.push({ kind: 'alert', exchange: this.#view(e), alert: 'no-readback', text: `${e.callsign ?? 'The aircraft'} has not read back the instruction.` });
  }

  // --- out --------------------------------------------------------------------------------------------------------

  #mark(e: Live, status: ExchangeStatus, by: DialogueInput, note: string): void {
    e.status = status;
    e.note = note;
    e.closed ??= by.start ?? by.end;
    this.#update(e);
  }

  #update(e: Live): void {
    this.#changes.push({ kind: 'updated', exchange: this.#view(e) });
  }

  #askForJudgement(e: Live, readbacks: readonly DialogueInput[]): void {
    this.#changes.push({ kind: 'judge', pair: { exchange: this.#view(e), instruction: e.instruction, readbacks: [...readbacks] } });
  }

  #view(e: Live): Exchange {
    const instructions = idsOf(e.instructions);
    return {
      id: e.id,
      ...(this.#channel === undefined ? {} : { channel: this.#channel }),
      callsign: e.callsign,
      instruction: instructions[0] ?? e.instruction.id,
      ...(instructions.length > 1 ? { instructions } : {}),
      readbacks: idsOf(e.readbacks),
      status: e.status,
      ...(e.opened === undefined ? {} : { opened: e.opened }),
      ...(e.closed === undefined ? {} : { closed: e.closed }),
      ...(e.follows === undefined ? {} : { follows: e.follows }),
      ...(e.note === undefined ? {} : { note: e.note }),
      pairing_confidence: e.confidence,
    };
  }
}

/** Note on an exchange that was opened by mistake; whole recordings leave it out. */
export const NOT_AN_INSTRUCTION = 'It was no instruction: the pilot was calling.';

/** Answered with every value that was asked; `said`: where none was, with the order in words. */
function isWholeAnswer(e: Live, said = false): boolean {
  if (e.status !== 'answered' || e.readbacks.length === 0) return false;
  const echo = echoOf(e.instruction.understanding, joinUnderstandings(e.readbacks.map((r) => r.understanding)));
  return echo.shared >= echo.asked && (!said || echo.asked > 0 || echo.verbs > 0 || echo.wording);
}

/** A controller's instruction, and then something of it again with the callsign at the end: the form of a readback, whatever the voice. */
function answersInForm(first: Understanding, second: Understanding): boolean {
  if (first.role !== 'controller' || !orders(first) || second.callsign === null || callsignFirst(second) || second.role === 'controller') return false;
  const echo = echoOf(first, second);
  return echo.shared > 0 || echo.differing > 0 || (echo.asked === 0 && echo.verbs > 0);
}

/** Whether any value, verb or figure of an instruction comes again, in whatever slot. */
function saysAnyAgain(instruction: Understanding, u: Understanding): boolean {
  const echo = echoOf(instruction, u);
  return echo.shared > 0 || echo.differing > 0 || echo.loose > 0 || echo.verbs > 0 || echo.conditions > 0 || echo.wording || u.items.some((i) => i.bare === true) || sameFigure(instruction, u);
}

/** Whether three or more digits of the instruction come again in whatever slot ("heading two one zero" as "speed two one zero"). */
function sameFigure(instruction: Understanding, u: Understanding): boolean {
  const figures = new Set(commanded(instruction).map((i) => i.value.replace(/\D/g, '')).filter((digits) => digits.length >= 3));
  return u.items.some((i) => i.modality === 'command' && figures.has(i.value.replace(/\D/g, '')));
}

/** "Langen radar, lufthansa nine four two …": the unit first, then the own callsign. */
function callsUnit(u: Understanding): boolean {
  const unit = u.items.find((i) => i.slot === 'controller' && i.span[0] <= 1);
  const best = u.callsign_candidates[0];
  return unit !== undefined && best !== undefined && best.span[0] >= unit.span[1] && best.span[0] - unit.span[1] <= 2 && best.span[1] < u.words.length;
}

/** Left for right, or up for down. */
function turnsOtherwise(instruction: Understanding, u: Understanding): boolean {
  const verbs = (of: Understanding): Set<string> => new Set([...of.commands.map((c) => c.verb), ...of.items.flatMap((i) => i.verb ?? [])]);
  const [given, said] = [verbs(instruction), verbs(u)];
  return ([['turn_left', 'turn_right'], ['climb', 'descend']] as const).some(([a, b]) => (given.has(a) && said.has(b) && !given.has(b)) || (given.has(b) && said.has(a) && !given.has(a)));
}

/** A question as the order that it stands for. */
const asOrder = (u: Understanding): Understanding => ({
  ...u,
  intent: 'correction',
  items: u.items.map((i) => (i.modality === 'question' ? { ...i, modality: 'command' } : i)),
  commands: u.commands.map((c) => (c.modality === 'question' ? { ...c, modality: 'command' } : c)),
});

const flat = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, ' ').trim();

/** Who speaks in pieces put together: the callsign first and then orders, or orders and the callsign last. */
function roleOfJoined(parts: readonly Understanding[]): Partial<Pick<Understanding, 'role' | 'role_confidence' | 'intent'>> {
  const called = parts.findIndex((part) => part.callsign !== null);
  const ordered = parts.findIndex(orders);
  const main = parts[ordered];
  if (main === undefined || called < 0 || called === ordered) return main === undefined ? {} : { role: main.role, role_confidence: main.role_confidence, intent: main.intent };
  return called < ordered ? { role: 'controller', role_confidence: 0.85, intent: 'instruction' } : { role: 'pilot', role_confidence: 0.85, intent: 'readback' };
}

const sameAircraft = (one: string | null, other: string | null): boolean => one === null || other === null || compareCallsigns(one, other) !== 'different';

/** How a transmission's callsign, in any of its readings, relates to an aircraft: the best of them counts. */
function relationOf(callsign: string | null, u: Understanding): CallsignRelation | 'none' {
  if (callsign === null || u.callsign === null) return 'none';
  const relation = compareCallsigns(callsign, u.callsign);
  if (relation !== 'different') return relation;
  if (isCutCallsign(callsign, u)) return 'unclear';
  const others = u.callsign_candidates.map((c) => compareCallsigns(callsign, c.value));
  return others.some((r) => r === 'same' || r === 'short') ? 'unclear' : 'different';
}

/** Whether something that is neither courtesy nor acknowledgement stands before the first order. */
const hasUnreadHead = (u: Understanding): boolean => unreadHead(u) >= 2;

/** Words before the first order that are neither courtesy nor acknowledgement. */
function unreadHead(u: Understanding): number {
  const starts = [...u.commands.map((c) => c.span[0]), ...u.items.filter((i) => i.bare !== true).map((i) => i.span[0]), ...u.conditions.map((c) => c.span[0])];
  const first = Math.min(...starts, u.words.length);
  return u.words.slice(0, first).filter((w, i) => (!u.fillers.includes(i) || !isKnownWord(w.text.toLowerCase())) && !HEAD.test(w.text.toLowerCase()) && !GREETING.test(w.text.toLowerCase())).length;
}

/** Nothing but a callsign (and courtesy). */
function isBareCallsign(u: Understanding): boolean {
  const best = u.callsign_candidates[0];
  if (best === undefined || u.items.length > 0 || u.commands.length > 0) return false;
  return u.words.every((word, i) => (i >= best.span[0] && i < best.span[1]) || u.fillers.includes(i) || GREETING.test(word.text.toLowerCase()));
}
