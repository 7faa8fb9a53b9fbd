import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HearbackEvent, LoggedEvent } from '../domain/events.js';
import { ERROR_TYPES, RISK_OF } from '../domain/taxonomy.js';
import { captured, finding, recognised, sampleEvents, started, temporaryFolder } from '../../test/support/session.js';
import { capturedUntil, countsOf, createSession, emptyState, foldEvents, inOrder, notUnderstood, openSession, pendingTransmissions, reduce, stageOf } from './index.js';

const logged = (events: readonly HearbackEvent[]): LoggedEvent[] => events.map((event, index) => ({ seq: index + 1, at: `2026-01-01T00:00:${String(index % 60).padStart(2, '0')}Z`, event }));

/** Sequences as a pipeline (and people afterwards) can make them: nothing is recognised before it was captured, and so on. */
const session: fc.Arbitrary<readonly HearbackEvent[]> = fc
  .array(fc.record({ move: fc.nat({ max: 11 }), pick: fc.nat(), text: fc.string({ unit: 'grapheme', maxLength: 12 }), kind: fc.constantFrom(...ERROR_TYPES), seconds: fc.integer({ min: 0, max: 600_000 }) }), { maxLength: 60 })
  .map((moves) => {
    const events: HearbackEvent[] = [started()];
    const transmissions: string[] = [];
    const exchanges: { id: string; instruction: string }[] = [];
    for (const { move, pick, text, kind, seconds } of moves) {
      const transmission = transmissions[pick % Math.max(1, transmissions.length)];
      const exchange = exchanges[pick % Math.max(1, exchanges.length)];
      if (move <= 2 || transmission === undefined) {
        const id = `t${transmissions.length + 1}`;
        transmissions.push(id);
        events.push(captured(id, seconds / 1000, { channel: pick % 2 === 0 ? 'tower' : 'ground' }));
      } else if (move === 3) events.push(recognised(transmission, text));
      else if (move === 4) events.push({ type: 'transmission.failed', transmission, attempt: 1 + (pick % 4), error: text });
      else if (move === 5) events.push({ type: 'review.text-edited', transmission, reviewer: 'R', text });
      else if (move === 6 || exchange === undefined) {
        const id = `e${exchanges.length + 1}`;
        exchanges.push({ id, instruction: transmission });
        events.push({ type: 'exchange.opened', exchange: { id, callsign: null, instruction: transmission, readbacks: [], status: 'open', pairing_confidence: 1 } });
      } else if (move === 7) {
        events.push({ type: 'exchange.updated', exchange: { id: exchange.id, callsign: 'NVK77', instruction: exchange.instruction, readbacks: [transmission], status: 'answered', pairing_confidence: 0.5, note: text } });
      } else if (move === 8) {
        const right = RISK_OF[kind] === 'CORRECT';
        events.push({ type: 'finding.made', exchange: exchange.id, finding: finding({ error_type: kind, risk_level: RISK_OF[kind], is_correct: right, verdict: pick % 3 === 0 ? 'uncertain' : right ? 'correct' : 'error' }), ...(pick % 2 === 0 ? { latency_ms: seconds } : {}) });
      } else if (move === 9) events.push({ type: 'review.decided', exchange: exchange.id, reviewer: 'R', decision: pick % 2 === 0 ? 'agree' : 'overrule', ...(pick % 3 === 0 ? { error_type: kind } : {}), note: text });
      else if (move === 10) events.push({ type: 'alert.raised', exchange: exchange.id, alert: 'no-readback', text });
      else events.push(pick % 2 === 0 ? { type: 'notice', kind: 'n', text, severity: 'info' } : pick % 4 === 1 ? { type: 'session.ended', reason: 'stopped', seconds } : started({ device: text }));
    }
    return events;
  });

describe('the fold', () => {
  it('gives the same state as reducing one by one, and reducing leaves the state before as it was', () => {
    fc.assert(
      fc.property(session, (events) => {
        let state = emptyState();
        for (const event of logged(events)) {
          const copy = structuredClone(state);
          const next = reduce(state, event);
          expect(state).toEqual(copy);
          state = next;
        }
        expect(foldEvents(logged(events))).toEqual(state);
      }),
      { numRuns: 60 },
    );
  });

  it('of the log equals the live state of the session that wrote it, and of every later opening', () => {
    const folder = temporaryFolder();
    let n = 0;
    try {
      fc.assert(
        fc.property(session, fc.nat(), (events, cut) => {
          const dir = join(folder.path, String(++n));
          const at = cut % (events.length + 1);
          const first = createSession(dir);
          first.appendAll(events.slice(0, at));
          const half = structuredClone(first.state);
          first.close();
          const second = openSession(dir);
          expect(second.state).toEqual(half);
          second.appendAll(events.slice(at));
          const whole = structuredClone(second.state);
          expect(foldEvents(second.events())).toEqual(whole);
          second.close();
          const reader = openSession(dir, { readonly: true });
          expect(reader.state).toEqual(whole);
          expect(reader.events().map(({ event }) => event)).toEqual(events);
          reader.close();
        }),
        { numRuns: 12 },
      );
    } finally {
      folder.remove();
    }
  });

  it('keeps of each thing what the events said last, and all findings, reviews, alerts, edits and notices', () => {
    fc.assert(
      fc.property(session, (events) => {
        const state = foldEvents(logged(events));
        const of = <T extends HearbackEvent['type']>(type: T) => events.filter((event): event is Extract<HearbackEvent, { type: T }> => event.type === type);
        expect(state.seq).toBe(events.length);
        expect(state.runs).toBe(of('session.started').length);
        expect(state.notices.map(({ text }) => text)).toEqual(of('notice').map(({ text }) => text));
        expect([...state.transmissions.keys()].sort()).toEqual([...new Set(of('transmission.captured').map((event) => event.transmission))].sort());
        for (const [id, transmission] of state.transmissions) {
          expect(transmission.recognition?.text).toBe(of('transmission.recognised').filter((event) => event.transmission === id).at(-1)?.text);
          expect(transmission.edits.map(({ text }) => text)).toEqual(of('review.text-edited').filter((event) => event.transmission === id).map(({ text }) => text));
          const last = events.filter((event) => (event.type === 'transmission.recognised' || event.type === 'transmission.failed') && event.transmission === id).at(-1);
          expect(transmission.failure?.error).toBe(last?.type === 'transmission.failed' ? last.error : undefined);
        }
        for (const [id, exchange] of state.exchanges) {
          expect(exchange.exchange).toEqual(events.flatMap((event) => ((event.type === 'exchange.opened' || event.type === 'exchange.updated') && event.exchange.id === id ? [event.exchange] : [])).at(-1));
          expect(exchange.findings.map((each) => each.finding)).toEqual(of('finding.made').filter((event) => event.exchange === id).map((event) => event.finding));
          expect(exchange.reviews.map((each) => each.note)).toEqual(of('review.decided').filter((event) => event.exchange === id).map((event) => event.note));
          expect(exchange.alerts.length).toBe(of('alert.raised').filter((event) => event.exchange === id).length);
        }
        const end = events.filter((event) => event.type === 'session.ended' || event.type === 'session.started').at(-1);
        expect(state.ended?.reason).toBe(end?.type === 'session.ended' ? end.reason : undefined);
      }),
      { numRuns: 60 },
    );
  });

  it('counts every transmission in one stage and every judged exchange in one class', () => {
    fc.assert(
      fc.property(session, (events) => {
        const state = foldEvents(logged(events));
        const counts = countsOf(state);
        const stages = [...state.transmissions.values()].map(stageOf);
        expect(counts.pending).toBe(stages.filter((stage) => stage === 'pending').length);
        expect(counts.failed).toBe(stages.filter((stage) => stage === 'failed').length);
        const classed = Object.values(counts.risk).reduce((sum, n) => sum + n, 0) + counts.untyped + counts.uncertain;
        const spoken = [...state.exchanges.values()].filter(({ findings, reviews }) => findings.length > 0 || reviews.at(-1)?.error_type !== undefined).length;
        // a decision made before any finding has nothing to agree with, so it leaves the exchange out
        expect(classed).toBeLessThanOrEqual(spoken);
        const early = [...state.exchanges.values()].filter(({ findings, reviews }) => {
          const review = reviews.at(-1);
          return findings.length > 0 && review !== undefined && review.error_type === undefined && (findings[0]?.seq ?? 0) > review.seq;
        }).length;
        expect(classed).toBe(spoken - early);
      }),
      { numRuns: 100 },
    );
  });

  it('of a session that was taken up again has the first start, counts the runs, and has not ended', () => {
    const ended: HearbackEvent = { type: 'session.ended', reason: 'stopped', seconds: 5 };
    const twice = [started({ device: 'cpu' }), ended, started({ device: 'cuda' })];
    expect(foldEvents(logged(twice))).toMatchObject({ runs: 2, meta: { device: 'cpu', seq: 1 } });
    expect(foldEvents(logged(twice)).ended).toBeUndefined();
    expect(foldEvents(logged([...twice, ended])).ended).toMatchObject({ reason: 'stopped', seq: 4 });
  });

  it('refuses events twice or out of order', () => {
    const [first, second] = logged([started(), captured('t1')]);
    if (first === undefined || second === undefined) throw new Error('two events were made');
    const state = foldEvents([first, second]);
    expect(() => reduce(state, second)).toThrow(RangeError);
    expect(() => foldEvents([second, first])).toThrow(RangeError);
  });
});

describe('what is still to do', () => {
  const failed = (transmission: string, attempt: number): HearbackEvent => ({ type: 'transmission.failed', transmission, attempt, error: 'no answer' });

  it('is what waits for the recogniser, and on request what failed, in order of the recording', () => {
    const state = foldEvents(
      logged([started(), captured('late', 9), captured('early', 1), captured('done', 2), captured('once', 3), captured('thrice', 4), recognised('done', 'roger'), failed('once', 1), failed('thrice', 1), failed('thrice', 3)]),
    );
    const ids = (retryBelow?: number): string[] => pendingTransmissions(state, retryBelow === undefined ? {} : { retryBelow }).map(({ id }) => id);
    expect(ids()).toEqual(['early', 'late']);
    expect(ids(3)).toEqual(['early', 'once', 'late']);
    expect(ids(Infinity)).toEqual(['early', 'once', 'thrice', 'late']);
  });

  it('is over when a retry succeeds', () => {
    const state = foldEvents(logged([started(), captured('t1'), failed('t1', 1), recognised('t1', 'roger')]));
    expect(pendingTransmissions(state, { retryBelow: 9 })).toEqual([]);
    expect(state.transmissions.get('t1')?.failure).toBeUndefined();
    expect(notUnderstood(state).map(({ id }) => id)).toEqual(['t1']);
  });

  it('starts again where each channel was cut last', () => {
    const state = foldEvents(logged([started(), captured('a', 4), captured('b', 1), captured('c', 2, { channel: 'ground' })]));
    expect(capturedUntil(state)).toEqual(new Map([['tower', 6], ['ground', 4]]));
    expect(inOrder(state).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  });

  it('of the sample: one waits, one failed, all with a text were understood', () => {
    const state = foldEvents(logged(sampleEvents()));
    expect(pendingTransmissions(state).map(({ capture }) => capture?.start)).toEqual([147.6]);
    expect(pendingTransmissions(state, { retryBelow: 2 }).map(({ capture }) => capture?.start)).toEqual([141, 147.6]);
    expect(notUnderstood(state)).toEqual([]);
  });
});
