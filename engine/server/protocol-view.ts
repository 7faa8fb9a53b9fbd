/**
 * What a screen needs to read a session: the fold over its events, what holds, how results look, the closed lists. Pure; runs in a
 * browser. With protocol.ts this is all that renderer/ and electron/ see of the engine.
 */
export { ERROR_TYPES, PROFILES, RISK_OF, type ErrorType, type Profile, type RiskLevel } from '../domain/taxonomy.js';
export type { HearbackEvent, LoggedEvent } from '../domain/events.js';
export type { Comparison } from '../domain/finding.js';
export { LiveState, type ExchangeState, type SessionState, type TransmissionState } from '../session/state.js';
export { judged, type Answer } from '../session/answer.js';
export { LOOK_NAMES, lookOf, lookOfExchange, MARK_TITLES, SHAPES, STATUS_TEXT, URGENCY, type Look } from '../session/looks.js';
export { clockTime, exchangeOf, lineOf, type Line, type Mark, type ReportExchange } from '../session/reading.js';
