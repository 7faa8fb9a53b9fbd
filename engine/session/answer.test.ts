import { describe, expect, it } from 'vitest';
import type { HearbackEvent } from '../domain/events.js';
import type { Finding } from '../domain/finding.js';
import { captured, finding, opened, recognised, sampleEvents, started } from '../../test/support/session.js';
import { countsOf, foldEvents, judged, machineTextOf, textOf, type Judged } from './index.js';

function answer(...events: readonly HearbackEvent[]): Judged {
  const state = foldEvents([started(), opened('e1', 't1', ['t2']), ...events].map((event, index) => ({ seq: index + 1, at: '2026-01-01T00:00:00Z', event })));
  const exchange = state.exchanges.get('e1');
  if (exchange === undefined) throw new Error('the exchange is missing');
  return judged(exchange);
}
const made = (over: Partial<Finding> = {}): HearbackEvent => ({ type: 'finding.made', exchange: 'e1', finding: finding(over) });
const correct = made({ is_correct: true, verdict: 'correct', error_type: 'CORRECT', risk_level: 'CORRECT', affected_slot: null });
const uncertain = made({ verdict: 'uncertain' });
const unreadable = made({ verdict: 'unreadable', error_type: 'CORRECT', risk_level: 'CORRECT', is_correct: false, affected_slot: null });
const decided = (decision: 'agree' | 'overrule', error_type?: string): HearbackEvent => ({
  type: 'review.decided',
  exchange: 'e1',
  reviewer: 'Ines',
  decision,
  ...(error_type === undefined ? {} : { error_type }),
});

describe('the answer that holds', () => {
  it.each([
    ['the machine alone', [made()], { verdict: 'error', errorType: 'VALUE_CRITICAL', risk: 'CRITICAL', slot: 'altitude' }],
    ['nothing said', [], { verdict: null, errorType: null, risk: null, slot: null }],
    ['agreed', [made(), decided('agree')], { verdict: 'error', errorType: 'VALUE_CRITICAL', risk: 'CRITICAL', slot: 'altitude' }],
    ['error overruled', [made(), decided('overrule')], { verdict: 'correct', errorType: 'CORRECT', risk: 'CORRECT', slot: null }],
    ['error overruled to right with fillers', [made(), decided('overrule', 'FILLER_CORRECT')], { verdict: 'correct', errorType: 'FILLER_CORRECT', risk: 'CORRECT', slot: null }],
    ['error overruled to another', [made(), decided('overrule', 'VALUE_HIGH')], { verdict: 'error', errorType: 'VALUE_HIGH', risk: 'HIGH', slot: 'altitude' }],
    ['right overruled, kind not told', [correct, decided('overrule')], { verdict: 'error', errorType: null, risk: null, slot: null }],
    ['right overruled to an error', [correct, decided('overrule', 'MULTI_ERROR')], { verdict: 'error', errorType: 'MULTI_ERROR', risk: 'EXTREME', slot: null }],
    ['a kind of the reviewer’s own', [correct, decided('overrule', 'wrong tone')], { verdict: 'error', errorType: 'wrong tone', risk: null, slot: null }],
    ['uncertain settled as an error', [uncertain, decided('agree', 'VALUE_CRITICAL')], { verdict: 'error', errorType: 'VALUE_CRITICAL', risk: 'CRITICAL', slot: 'altitude' }],
    ['uncertain settled as right', [uncertain, decided('overrule', 'CORRECT')], { verdict: 'correct', errorType: 'CORRECT', risk: 'CORRECT', slot: null }],
    ['the last of several decisions', [made(), decided('overrule'), decided('agree')], { verdict: 'error', errorType: 'VALUE_CRITICAL', risk: 'CRITICAL', slot: 'altitude' }],
  ] as const)('%s', (_, events, expected) => {
    expect(answer(...events).holds).toEqual(expected);
  });

  it.each([
    ['uncertain', uncertain],
    ['unreadable', unreadable],
  ])('%s does not become right by an overruling that does not say what holds', (verdict, event) => {
    expect(answer(event, decided('overrule')).holds.verdict).toBe(verdict);
    expect(answer(event, decided('agree')).holds.verdict).toBe(verdict);
  });

  it('an overruling is about the finding that the reviewer saw, and a newer one is told', () => {
    // the reviewer said "not right" of a finding "correct"; judging again brings an error: the exchange must not turn right
    const again = answer(correct, decided('overrule'), made());
    expect(again.holds.verdict).toBe('error');
    expect(again.findingIsNewer).toBe(true);
    expect(again.machine.errorType).toBe('VALUE_CRITICAL');
    const kept = answer(made(), decided('overrule'), correct);
    expect(kept.holds.verdict).toBe('correct');
    expect(answer(made(), decided('agree')).findingIsNewer).toBe(false);
  });
});

it('the corrected text holds, the recogniser’s stays beside it, an emptied text is a text', () => {
  const edit = (text: string): HearbackEvent => ({ type: 'review.text-edited', transmission: 't1', reviewer: 'Ines', text });
  const state = (events: readonly HearbackEvent[]) => foldEvents([started(), captured('t1'), ...events].map((event, index) => ({ seq: index + 1, at: '2026-01-01T00:00:00Z', event }))).transmissions.get('t1') ?? { id: '', edits: [] };
  expect(textOf(state([]))).toBeUndefined();
  expect(textOf(state([recognised('t1', 'novak seven')]))).toBe('novak seven');
  const edited = state([recognised('t1', 'novak seven'), edit('novak eleven'), edit('')]);
  expect([textOf(edited), machineTextOf(edited)]).toEqual(['', 'novak seven']);
  expect(textOf(state([edit('said before it was recognised'), recognised('t1', 'said')]))).toBe('said before it was recognised');
});

it('counts of the sample: decisions count in place of what they overrule', () => {
  const events = sampleEvents().map((event, index) => ({ seq: index + 1, at: '2026-01-01T00:00:00Z', event }));
  const machine = events.filter(({ event }) => !event.type.startsWith('review.'));
  expect(countsOf(foldEvents(events))).toEqual({
    transmissions: 27,
    exchanges: 12,
    risk: { CORRECT: 6, HIGH: 1, CRITICAL: 2, EXTREME: 1 },
    untyped: 0,
    uncertain: 1,
    open: 1,
    pending: 1,
    failed: 1,
    reviewed: 2,
  });
  expect(countsOf(foldEvents(machine)).risk).toEqual({ CORRECT: 5, HIGH: 1, CRITICAL: 3, EXTREME: 1 });
});
