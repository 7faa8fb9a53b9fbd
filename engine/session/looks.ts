/**
 * How results look: one word, one shape and one colour each, on the exported page and on the screens.
 */
import type { RiskLevel } from '../domain/taxonomy.js';
import type { Answer } from './answer.js';
import type { Mark, ReportExchange } from './reading.js';

/** How an exchange is shown: one look for each level, and for what has no level. */
export type Look = RiskLevel | 'ERROR' | 'UNCERTAIN' | 'OPEN' | 'OTHER';

/** Shapes differ as well as colours, so that a grey print or a colour-blind reader loses nothing. 16 × 16 units. */
export const SHAPES: Readonly<Record<Look, string>> = {
  CORRECT: '<circle cx="8" cy="8" r="7" fill="currentColor"/><path d="M4.6 8.3 7 10.7 11.4 5.6" fill="none" stroke="var(--paper)" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/>',
  HIGH: '<path d="M8 1.4 15.2 14.4H.8Z" fill="currentColor" stroke="currentColor" stroke-width="1.2" stroke-linejoin="round"/><path d="M8 5.8v4.4" stroke="var(--paper)" stroke-width="1.8" stroke-linecap="round"/><circle cx="8" cy="12.4" r="1.05" fill="var(--paper)"/>',
  CRITICAL: '<rect x="1.4" y="1.4" width="13.2" height="13.2" rx="1.6" fill="currentColor"/><path d="M5 5l6 6M11 5l-6 6" stroke="var(--paper)" stroke-width="1.9" stroke-linecap="round"/>',
  EXTREME: '<path d="M8 .6 15.4 8 8 15.4.6 8Z" fill="currentColor" stroke="currentColor" stroke-width="1" stroke-linejoin="round"/><path d="M6.3 4.8v4.1M9.7 4.8v4.1" stroke="var(--paper)" stroke-width="1.7" stroke-linecap="round"/><circle cx="6.3" cy="11.2" r="1" fill="var(--paper)"/><circle cx="9.7" cy="11.2" r="1" fill="var(--paper)"/>',
  ERROR: '<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5Z" fill="currentColor"/><path d="M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4" stroke="var(--paper)" stroke-width="1.8" stroke-linecap="round"/>',
  UNCERTAIN: '<circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.7" stroke-dasharray="2.6 1.6"/><path d="M6.1 6.4a1.95 1.95 0 1 1 2.7 1.8c-.6.3-.8.6-.8 1.2" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/><circle cx="8" cy="11.5" r=".95" fill="currentColor"/>',
  OPEN: '<circle cx="8" cy="8" r="6.4" fill="none" stroke="currentColor" stroke-width="1.9"/><path d="M5 8h6" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/>',
  OTHER: '<circle cx="8" cy="8" r="3" fill="currentColor"/>',
};

export const LOOK_NAMES: Readonly<Record<Look, string>> = {
  CORRECT: 'Correct',
  HIGH: 'High',
  CRITICAL: 'Critical',
  EXTREME: 'Extreme',
  ERROR: 'Error',
  UNCERTAIN: 'Uncertain',
  OPEN: 'No readback',
  OTHER: 'Not judged',
};

/** What a trainer looks at first. */
export const URGENCY: readonly Look[] = ['EXTREME', 'CRITICAL', 'HIGH', 'ERROR', 'UNCERTAIN', 'OPEN', 'CORRECT', 'OTHER'];

export function lookOf(answer: Answer): Look {
  switch (answer.verdict) {
    case null:
      return 'OTHER';
    case 'uncertain':
    case 'unreadable':
      return 'UNCERTAIN';
    case 'correct':
      return 'CORRECT';
    case 'error':
      // an error never wears the green sign, whatever level the log gives it
      return answer.risk === null || answer.risk === 'CORRECT' ? 'ERROR' : answer.risk;
  }
}

export function lookOfExchange(exchange: ReportExchange): Look {
  const look = lookOf(exchange.judged.holds);
  return look === 'OTHER' && (exchange.status === 'open' || exchange.status === 'unanswered') ? 'OPEN' : look;
}

export const STATUS_TEXT: Readonly<Record<ReportExchange['status'], string>> = {
  open: 'Still open at the end',
  answered: 'Answered',
  unanswered: 'Closed without a readback',
  superseded: 'Repeated or replaced before an answer',
  corrected: 'Corrected by the controller',
  disregarded: 'Taken back by the controller',
};

/** What a mark says, in a word or two. */
export const MARK_TITLES: Readonly<Partial<Record<Mark, string>>> = {
  wrong: 'differs',
  missing: 'not read back',
  added: 'added in the readback',
  'unit-changed': 'unit changed',
  uncertain: 'not sure',
  right: 'read back right',
};
