/**
 * One session as rows in the order of the recording, kept up to date while its events stream in.
 */
import { exchangeOf, lineOf, LiveState, lookOfExchange, type HearbackEvent, type Line, type LoggedEvent, type Look, type ReportExchange, type SessionState } from '../../engine/server/protocol-view.js';

export interface ExchangeRow {
  readonly kind: 'exchange';
  readonly id: string;
  readonly start: number;
  readonly exchange: ReportExchange;
  readonly look: Look;
  /** Milliseconds from the end of the readback to the finding. */
  readonly latency: number | undefined;
}
/** A transmission that is no part of an exchange. */
export interface LineRow {
  readonly kind: 'line';
  readonly id: string;
  readonly start: number;
  readonly line: Line;
}
export type Row = ExchangeRow | LineRow;

type ReviewEvent = Extract<HearbackEvent, { type: 'review.decided' | 'review.text-edited' | 'review.speaker-edited' | 'review.noted' }>;
export interface LoggedReview {
  readonly seq: number;
  readonly event: ReviewEvent;
}
const isReview = (event: HearbackEvent): event is ReviewEvent => event.type.startsWith('review.') && event.type !== 'review.undone';

/** Events that come together are shown together: a row does not appear as something and turn into something else. */
const GATHER_MS = 50;

export class SessionView {
  readonly id: string;
  readonly #live = new LiveState();
  readonly #exchanges = new Map<string, ExchangeRow>();
  readonly #lines = new Map<string, LineRow>();
  /** Transmission → exchanges that speak of it. */
  readonly #mentions = new Map<string, Set<string>>();
  readonly #waiting = new Set<string>();
  readonly #dirtyExchanges = new Set<string>();
  readonly #dirtyLines = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #rows: readonly Row[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;
  #loaded = false;
  #problem: Error | undefined;
  /** Review events in force, oldest first. */
  #reviews: readonly LoggedReview[] = [];

  constructor(id: string) {
    this.id = id;
  }

  /** Number of the last event taken in. */
  get seq(): number {
    return this.#live.current.seq;
  }
  get state(): SessionState {
    return this.#live.current;
  }
  /** Changes whenever something to be shown has changed. */
  get version(): number {
    return this.#version;
  }
  /** By start time. The same array until something has changed. */
  get rows(): readonly Row[] {
    return this.#rows;
  }
  /** Transmissions whose audio is there and whose words are not yet, oldest first. */
  get waiting(): readonly Line[] {
    return [...this.#waiting].flatMap((id) => {
      const transmission = this.state.transmissions.get(id);
      return transmission === undefined ? [] : [lineOf(transmission)];
    });
  }

  /** Everything that was in the log when the session was opened is here. */
  get loaded(): boolean {
    return this.#loaded;
  }
  /** Why it cannot be shown. */
  get problem(): Error | undefined {
    return this.#problem;
  }
  get reviews(): readonly LoggedReview[] {
    return this.#reviews;
  }

  /** The session has been read to its end, or could not be. */
  tell(problem: Error | undefined): void {
    this.#problem = problem;
    this.#loaded ||= problem === undefined;
    this.flush();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Takes an event in. One that was taken in before is passed over.
   *
   * @returns false when events in between are missing: ask again for all behind `seq`.
   */
  accept(logged: LoggedEvent): boolean {
    if (logged.seq <= this.seq) return true;
    if (logged.seq !== this.seq + 1) return false;
    this.#live.accept(logged);
    const { event } = logged;
    if ('transmission' in event && event.transmission !== undefined) this.#touch(event.transmission);
    if (isReview(event)) this.#reviews = [...this.#reviews, { seq: logged.seq, event }];
    switch (event.type) {
      case 'transmission.captured':
        this.#waiting.add(event.transmission);
        break;
      case 'transmission.understood':
      case 'transmission.failed':
        this.#waiting.delete(event.transmission);
        break;
      case 'exchange.opened':
      case 'exchange.updated': {
        const { exchange } = event;
        this.#dirtyExchanges.add(exchange.id);
        for (const id of [exchange.instruction, ...(exchange.instructions ?? []), ...exchange.readbacks]) {
          const known = this.#mentions.get(id) ?? new Set<string>();
          known.add(exchange.id);
          this.#mentions.set(id, known);
          this.#dirtyLines.add(id);
        }
        break;
      }
      case 'review.undone':
        // it may be about any transmission or exchange
        this.#undo(event.undoes);
        break;
      default:
        if ('exchange' in event && event.exchange !== undefined) this.#dirtyExchanges.add(event.exchange);
    }
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, GATHER_MS);
    return true;
  }

  #undo(seq: number): void {
    const undone = this.#reviews.find((each) => each.seq === seq)?.event;
    this.#reviews = this.#reviews.filter((each) => each.seq !== seq);
    if (undone === undefined) return;
    if ('transmission' in undone && undone.transmission !== undefined) this.#touch(undone.transmission);
    if ('exchange' in undone && undone.exchange !== undefined) this.#dirtyExchanges.add(undone.exchange);
  }

  #touch(transmission: string): void {
    this.#dirtyLines.add(transmission);
    for (const exchange of this.#mentions.get(transmission) ?? []) this.#dirtyExchanges.add(exchange);
  }

  /** Shows at once what has come in. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { state } = this;
    for (const id of this.#dirtyExchanges) {
      const known = state.exchanges.get(id);
      if (known === undefined) continue;
      const exchange = exchangeOf(known, state);
      this.#exchanges.set(id, { kind: 'exchange', id, start: exchange.start ?? Infinity, exchange, look: lookOfExchange(exchange), latency: known.findings.at(-1)?.latency_ms });
    }
    for (const id of this.#dirtyLines) {
      const transmission = state.transmissions.get(id);
      if (transmission === undefined || this.#waiting.has(id) || this.#mentions.has(id)) {
        this.#lines.delete(id);
        continue;
      }
      const line = lineOf(transmission);
      this.#lines.set(id, { kind: 'line', id, start: line.start ?? Infinity, line });
    }
    if (this.#dirtyExchanges.size + this.#dirtyLines.size > 0) {
      const rows: Row[] = [...this.#exchanges.values(), ...this.#lines.values()];
      rows.sort((a, b) => (a.start === b.start ? 0 : a.start - b.start));
      this.#rows = rows;
    }
    this.#dirtyExchanges.clear();
    this.#dirtyLines.clear();
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
