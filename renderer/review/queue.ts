/** What is to be reviewed: filters, and what each reviewer decided. */
import { judged, lookOf, type Answer, type ExchangeState, type Look } from '../../engine/server/protocol-view.js';
import type { ExchangeRow, Row, SessionView } from '../engine/session-view.js';
import { agreement, type Agreement } from './agreement.js';

export interface Filters {
  readonly which: 'flagged' | 'all' | 'open' | 'decided';
  readonly type: string;
  readonly verdict: string;
  readonly risk: string;
  readonly callsign: string;
  readonly frequency: string;
}
export const NO_FILTERS: Filters = { which: 'flagged', type: '', verdict: '', risk: '', callsign: '', frequency: '' };

/** The machine’s answer decides whether an exchange is in the queue: a decision must not make it vanish. */
export function isFlagged(row: ExchangeRow): boolean {
  const { machine } = row.exchange.judged;
  if (machine.verdict === null) return lookFor(row, machine) === 'OPEN' || row.exchange.alerts.length > 0;
  return machine.verdict !== 'correct';
}

/** The last decision of a person on an exchange. */
export function decisionOf(exchange: ExchangeState | undefined, reviewer: string): ExchangeState['reviews'][number] | undefined {
  return exchange?.reviews.findLast((review) => review.reviewer === reviewer);
}

/** What an exchange comes to by one person’s decision. */
export function answerBy(exchange: ExchangeState, reviewer: string): Answer | undefined {
  const decision = decisionOf(exchange, reviewer);
  return decision === undefined ? undefined : judged({ ...exchange, reviews: [decision] }).holds;
}

/** How an answer on an exchange looks, whoever gave it. */
export function lookFor(row: ExchangeRow, answer: Answer): Look {
  if (answer.verdict !== null) return lookOf(answer);
  return row.exchange.status === 'open' || row.exchange.status === 'unanswered' ? 'OPEN' : 'OTHER';
}

export function filtered(rows: readonly Row[], view: SessionView, reviewer: string, filters: Filters): readonly ExchangeRow[] {
  const callsign = filters.callsign.trim().toUpperCase();
  return rows.filter((row): row is ExchangeRow => {
    if (row.kind !== 'exchange') return false;
    const { machine } = row.exchange.judged;
    const decided = decisionOf(view.state.exchanges.get(row.id), reviewer) !== undefined;
    if (filters.which === 'flagged' && !isFlagged(row)) return false;
    if (filters.which === 'open' && decided) return false;
    if (filters.which === 'decided' && !decided) return false;
    if (filters.type !== '' && machine.errorType !== filters.type) return false;
    if (filters.verdict !== '' && (machine.verdict ?? 'none') !== filters.verdict) return false;
    if (filters.risk !== '' && machine.risk !== filters.risk) return false;
    if (callsign !== '' && row.exchange.callsign?.includes(callsign) !== true) return false;
    return filters.frequency === '' || row.exchange.channel === filters.frequency;
  });
}

export interface TwoReviewers {
  readonly names: readonly [string, string];
  readonly onType: Agreement;
  readonly onRight: Agreement;
  readonly differ: readonly string[];
}

/** Agreement of every two people who reviewed the session. */
export function agreements(view: SessionView): readonly TwoReviewers[] {
  const exchanges = [...view.state.exchanges.values()];
  const names = [...new Set(exchanges.flatMap((exchange) => exchange.reviews.map((review) => review.reviewer)))].sort();
  return names.flatMap((first, at) =>
    names.slice(at + 1).map((second): TwoReviewers => {
      const both = exchanges.flatMap((exchange) => {
        const a = answerBy(exchange, first);
        const b = answerBy(exchange, second);
        return a === undefined || b === undefined ? [] : [{ id: exchange.id, a, b }];
      });
      const type = (answer: Answer): string => (answer.verdict === 'uncertain' || answer.verdict === 'unreadable' ? answer.verdict : (answer.errorType ?? 'none'));
      return {
        names: [first, second],
        onType: agreement(both.map(({ a, b }) => [type(a), type(b)])),
        onRight: agreement(both.map(({ a, b }) => [a.verdict ?? 'none', b.verdict ?? 'none'])),
        differ: both.filter(({ a, b }) => type(a) !== type(b)).map(({ id }) => id),
      };
    }),
  );
}
