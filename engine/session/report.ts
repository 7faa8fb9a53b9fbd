/**
 * A session arranged for reading: exchanges with what was said in them, in the order of the recording. All exports start here.
 */
import { countsOf, secondsOf, type Counts } from './answer.js';
import { exchangeOf, lineOf, type Line, type ReportExchange } from './reading.js';
import { sourceName, type Identity } from './session.js';
import { inOrder, type SessionState } from './state.js';

export interface Report {
  readonly identity: Identity;
  readonly state: SessionState;
  /** The session's name for people. */
  readonly name: string;
  /** Name of the recording. */
  readonly recording: string;
  readonly started: string;
  readonly seconds: number;
  readonly counts: Counts;
  readonly exchanges: readonly ReportExchange[];
  /** All transmissions by start time, those of exchanges too. */
  readonly lines: readonly Line[];
  /** Ids of the transmissions that are part of an exchange. */
  readonly exchanged: ReadonlySet<string>;
}

/** Arranges a session for reading. */
export function reportOf(identity: Identity, state: SessionState): Report {
  const exchanges = [...state.exchanges.values()].map((exchange) => exchangeOf(exchange, state));
  exchanges.sort((a, b) => {
    const from = a.start ?? Infinity;
    const to = b.start ?? Infinity;
    return from === to ? 0 : from - to;
  });
  return {
    identity,
    state,
    name: state.name ?? identity.name,
    recording: sourceName(state.meta?.source ?? identity.source ?? identity.name),
    started: state.meta?.at ?? identity.created,
    seconds: secondsOf(state),
    counts: countsOf(state),
    exchanges,
    lines: inOrder(state).map((transmission) => lineOf(transmission)),
    exchanged: new Set(exchanges.flatMap(({ instruction, readback }) => [...instruction, ...readback].map((line) => line.id))),
  };
}
