/**
 * State of a session: a fold over its events, and nothing else.
 */
import type { HearbackEvent, LoggedEvent } from '../domain/events.js';
import type { Exchange } from '../domain/exchange.js';
import type { Notice } from '../domain/stages.js';
import type { Understanding } from '../domain/understanding.js';

type EventOf<T extends HearbackEvent['type']> = Extract<HearbackEvent, { type: T }>;
type Fields<T extends HearbackEvent['type']> = Omit<EventOf<T>, 'type'>;

/** When and as which event something was said. */
interface Logged {
  readonly seq: number;
  /** Wall-clock time, ISO 8601. */
  readonly at: string;
}

type SessionStart = Fields<'session.started'> & Logged;
type SessionEnd = Fields<'session.ended'> & Logged;
type Capture = Omit<Fields<'transmission.captured'>, 'transmission'>;
type RecognitionRecord = Omit<Fields<'transmission.recognised'>, 'transmission'>;
type Failure = Omit<Fields<'transmission.failed'>, 'transmission'> & Logged;
type TextEdit = Omit<Fields<'review.text-edited'>, 'transmission'> & Logged;
export type SpeakerEdit = Omit<Fields<'review.speaker-edited'>, 'transmission'> & Logged;
export type Note = Pick<Fields<'review.noted'>, 'reviewer' | 'text'> & Logged;
export type Review = Omit<Fields<'review.decided'>, 'exchange'> & Logged;
export type Alert = Omit<Fields<'alert.raised'>, 'exchange'> & Logged;
/** `latency_ms`: from the end of the readback's audio being available to the finding. */
export type FindingRecord = Omit<Fields<'finding.made'>, 'exchange'> & Logged;

/** All that is known of one transmission. */
export interface TransmissionState {
  readonly id: string;
  /** Where in the recording, and which audio file; absent when only text was given. */
  readonly capture?: Capture;
  /** The recogniser's newest answer. */
  readonly recognition?: RecognitionRecord;
  readonly understanding?: Understanding;
  /** The newest failed attempt since the last success, if any. */
  readonly failure?: Failure;
  /** A person's words, newest last; the last one is in force. The recogniser's stay in `recognition`. */
  readonly edits: readonly TextEdit[];
  /** Who spoke, by a person's word, newest last; the last one is in force. */
  readonly speakers?: readonly SpeakerEdit[];
  readonly notes?: readonly Note[];
}

/** All that is known of one exchange. */
export interface ExchangeState {
  readonly id: string;
  readonly exchange: Exchange;
  /** All findings, newest last; the last one is in force. */
  readonly findings: readonly FindingRecord[];
  readonly alerts: readonly Alert[];
  /** A person's decisions, newest last; the last one is in force. */
  readonly reviews: readonly Review[];
  readonly notes?: readonly Note[];
}

export interface SessionState {
  /** Number of the last event folded in; 0 for none. */
  readonly seq: number;
  /** How the session was first started. */
  readonly meta?: SessionStart;
  /** The name that a person gave it later. */
  readonly name?: string;
  /** Days that it is kept, null for good, where a person said so. */
  readonly retention?: number | null;
  /** Who is known to be on frequency: by channel, and for all others under ''. */
  readonly traffic: ReadonlyMap<string, readonly string[]>;
  /** Remarks on the session as a whole. */
  readonly notes: readonly Note[];
  /** How often monitoring was started: more than once when a session was taken up again. */
  readonly runs: number;
  readonly notices: readonly (Notice & Logged)[];
  /** By id, in order of first mention. */
  readonly transmissions: ReadonlyMap<string, TransmissionState>;
  /** By id, in order of opening. */
  readonly exchanges: ReadonlyMap<string, ExchangeState>;
  /** Set while the newest run has ended. */
  readonly ended?: SessionEnd;
}

/** State before the first event. */
export const emptyState = (): SessionState => ({ seq: 0, runs: 0, traffic: new Map(), notes: [], notices: [], transmissions: new Map(), exchanges: new Map() });

/**
 * A state under construction: its containers are its own and are written in place, the records in them are replaced, never
 * changed, so that they can be shared with states handed out before.
 */
interface Draft {
  seq: number;
  meta?: SessionStart;
  name?: string;
  retention?: number | null;
  traffic: Map<string, readonly string[]>;
  notes: readonly Note[];
  runs: number;
  notices: (Notice & Logged)[];
  transmissions: Map<string, TransmissionState>;
  exchanges: Map<string, ExchangeState>;
  ended?: SessionEnd;
}

function fields<T extends HearbackEvent['type']>(event: EventOf<T>): Fields<T> {
  const { type: _type, ...rest } = event;
  return rest;
}

function changeTransmission(draft: Draft, id: string, change: Partial<TransmissionState>): void {
  const before = draft.transmissions.get(id) ?? { id, edits: [] };
  draft.transmissions.set(id, { ...before, ...change });
}

function exchangeOf(draft: Draft, id: string): ExchangeState {
  // findings and reviews before their exchange do not happen in a sound log; a placeholder keeps them visible if they do
  return (
    draft.exchanges.get(id) ?? {
      id,
      exchange: { id, callsign: null, instruction: '', readbacks: [], status: 'open', pairing_confidence: 0 },
      findings: [],
      alerts: [],
      reviews: [],
    }
  );
}

/** Whether event number `seq` is a person's word that is in the state, and can be taken back. */
export function isReview(state: SessionState, seq: number): boolean {
  const has = (list: readonly Logged[] | undefined): boolean => list?.some((each) => each.seq === seq) === true;
  return has(state.notes) || [...state.transmissions.values()].some((each) => has(each.edits) || has(each.speakers) || has(each.notes)) || [...state.exchanges.values()].some((each) => has(each.reviews) || has(each.notes));
}

/** Takes a person's word out of the state as if it had not been said; the log keeps it. */
function takeBack(draft: Draft, seq: number): void {
  const without = <T extends Logged>(list: readonly T[]): readonly T[] => list.filter((each) => each.seq !== seq);
  draft.notes = without(draft.notes);
  for (const [id, each] of draft.transmissions) {
    if (![...each.edits, ...(each.speakers ?? []), ...(each.notes ?? [])].some((said) => said.seq === seq)) continue;
    draft.transmissions.set(id, { ...each, edits: without(each.edits), ...(each.speakers === undefined ? {} : { speakers: without(each.speakers) }), ...(each.notes === undefined ? {} : { notes: without(each.notes) }) });
  }
  for (const [id, each] of draft.exchanges) {
    if (![...each.reviews, ...(each.notes ?? [])].some((said) => said.seq === seq)) continue;
    draft.exchanges.set(id, { ...each, reviews: without(each.reviews), ...(each.notes === undefined ? {} : { notes: without(each.notes) }) });
  }
}

function apply(draft: Draft, logged: LoggedEvent): void {
  const { seq, at, event } = logged;
  if (seq <= draft.seq) throw new RangeError(`event ${seq} after event ${draft.seq}: events are folded in order, each once`);
  draft.seq = seq;
  switch (event.type) {
    case 'session.started':
      draft.meta ??= { ...fields(event), seq, at };
      draft.runs += 1;
      delete draft.ended;
      return;
    case 'notice':
      draft.notices.push({ ...fields(event), seq, at });
      return;
    case 'transmission.captured': {
      const { transmission, ...capture } = fields(event);
      changeTransmission(draft, transmission, { capture });
      return;
    }
    case 'transmission.recognised': {
      const { transmission, ...recognition } = fields(event);
      const { failure: _over, ...before } = draft.transmissions.get(transmission) ?? { id: transmission, edits: [] };
      draft.transmissions.set(transmission, { ...before, recognition });
      return;
    }
    case 'transmission.failed': {
      const { transmission, ...failure } = fields(event);
      changeTransmission(draft, transmission, { failure: { ...failure, seq, at } });
      return;
    }
    case 'transmission.understood':
      changeTransmission(draft, event.transmission, { understanding: event.understanding });
      return;
    case 'review.text-edited': {
      const { transmission, ...edit } = fields(event);
      changeTransmission(draft, transmission, { edits: [...(draft.transmissions.get(transmission)?.edits ?? []), { ...edit, seq, at }] });
      return;
    }
    case 'review.speaker-edited': {
      const { transmission, ...edit } = fields(event);
      changeTransmission(draft, transmission, { speakers: [...(draft.transmissions.get(transmission)?.speakers ?? []), { ...edit, seq, at }] });
      return;
    }
    case 'review.noted': {
      const note: Note = { reviewer: event.reviewer, text: event.text, seq, at };
      if (event.exchange !== undefined) {
        const before = exchangeOf(draft, event.exchange);
        draft.exchanges.set(before.id, { ...before, notes: [...(before.notes ?? []), note] });
      } else if (event.transmission !== undefined) changeTransmission(draft, event.transmission, { notes: [...(draft.transmissions.get(event.transmission)?.notes ?? []), note] });
      else draft.notes = [...draft.notes, note];
      return;
    }
    case 'review.undone':
      takeBack(draft, event.undoes);
      return;
    case 'session.renamed':
      draft.name = event.name;
      return;
    case 'session.retention':
      if (event.days === undefined) delete draft.retention;
      else draft.retention = event.days;
      return;
    case 'context.changed':
      if (event.callsigns.length === 0) draft.traffic.delete(event.channel ?? '');
      else draft.traffic.set(event.channel ?? '', event.callsigns);
      return;
    case 'exchange.opened':
    case 'exchange.updated': {
      const before = exchangeOf(draft, event.exchange.id);
      draft.exchanges.set(before.id, { ...before, exchange: event.exchange });
      return;
    }
    case 'finding.made': {
      const { exchange, ...found } = fields(event);
      const before = exchangeOf(draft, exchange);
      draft.exchanges.set(exchange, { ...before, findings: [...before.findings, { ...found, seq, at }] });
      return;
    }
    case 'alert.raised': {
      const { exchange, ...alert } = fields(event);
      const before = exchangeOf(draft, exchange);
      draft.exchanges.set(exchange, { ...before, alerts: [...before.alerts, { ...alert, seq, at }] });
      return;
    }
    case 'review.decided': {
      const { exchange, ...review } = fields(event);
      const before = exchangeOf(draft, exchange);
      draft.exchanges.set(exchange, { ...before, reviews: [...before.reviews, { ...review, seq, at }] });
      return;
    }
    case 'session.ended':
      draft.ended = { ...fields(event), seq, at };
      return;
  }
}

/**
 * The next state. Pure: `state` is left as it was.
 *
 * @throws RangeError when the event is not newer than the state (a bug of the caller).
 */
export function reduce(state: SessionState, logged: LoggedEvent): SessionState {
  const draft: Draft = { ...state, traffic: new Map(state.traffic), notices: [...state.notices], transmissions: new Map(state.transmissions), exchanges: new Map(state.exchanges) };
  apply(draft, logged);
  return draft;
}

/** The state after all of `events`, which are in order. Same result as {@link reduce} one by one, in linear time. */
export function foldEvents(events: Iterable<LoggedEvent>): SessionState {
  const live = new LiveState();
  for (const event of events) live.accept(event);
  return live.current;
}

/**
 * A state that is kept up to date as events arrive. `current` changes with every event; copy what has to stay
 * (the records inside never change).
 */
export class LiveState {
  readonly #draft: Draft = { seq: 0, runs: 0, traffic: new Map(), notes: [], notices: [], transmissions: new Map(), exchanges: new Map() };
  get current(): SessionState {
    return this.#draft;
  }
  accept(event: LoggedEvent): void {
    apply(this.#draft, event);
  }
}

/** How far a transmission has come. */
export type Stage = 'pending' | 'failed' | 'recognised';

/** pending: audio is there, no answer yet. failed: the newest attempt gave an error. recognised: there is a text (maybe empty). */
export function stageOf(transmission: TransmissionState): Stage {
  if (transmission.failure !== undefined && transmission.recognition === undefined) return 'failed';
  return transmission.recognition === undefined ? 'pending' : 'recognised';
}

/**
 * Transmissions whose audio waits for the recogniser, in order of the recording.
 *
 * @param retryBelow also those that failed fewer than so many times (default 0: none of the failed).
 */
export function pendingTransmissions(state: SessionState, options: { retryBelow?: number } = {}): readonly TransmissionState[] {
  const retryBelow = options.retryBelow ?? 0;
  return inOrder(state).filter((each) => {
    if (each.capture === undefined) return false;
    const stage = stageOf(each);
    return stage === 'pending' || (stage === 'failed' && (each.failure?.attempt ?? 0) < retryBelow);
  });
}

/** Transmissions that have a text but whose meaning was not logged: the program stopped in between. */
export function notUnderstood(state: SessionState): readonly TransmissionState[] {
  return inOrder(state).filter((each) => each.recognition !== undefined && each.understanding === undefined);
}

/** Seconds up to which each channel has been cut into transmissions; where to go on reading a file after a stop. */
export function capturedUntil(state: SessionState): ReadonlyMap<string, number> {
  const until = new Map<string, number>();
  for (const { capture } of state.transmissions.values()) {
    if (capture !== undefined) until.set(capture.channel, Math.max(until.get(capture.channel) ?? 0, capture.end));
  }
  return until;
}

/** All transmissions by start time; those without one after the others in order of mention. */
export function inOrder(state: SessionState): readonly TransmissionState[] {
  // sort is stable, so equal times keep the order of the log
  return [...state.transmissions.values()].sort((a, b) => {
    const from = a.capture?.start ?? Infinity;
    const to = b.capture?.start ?? Infinity;
    return from === to ? 0 : from - to;
  });
}
