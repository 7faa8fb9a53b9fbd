/** What people say in review, as events: speakers, notes, taking back; names and periods; the sound of whole channels. */
import { join } from 'node:path';
import { truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { captured, eachInAFolder, finding, opened, recognised, started, tone } from '../../test/support/session.js';
import { channelAudio, ChannelRecorder, countsOf, createSession, deleteSession, exportSession, foldEvents, isReview, judged, listSessions, openSession } from './index.js';
import { exchangeOf } from './reading.js';

let dir = '';
eachInAFolder((path) => {
  dir = join(path, 's');
});

const begin = (): ReturnType<typeof createSession> => {
  const session = createSession(dir, { source: 'evening.wav' });
  for (const id of ['t1', 't2']) session.saveAudio(id, tone(2));
  session.appendAll([
    started(),
    captured('t1', 1),
    captured('t2', 5),
    recognised('t1', 'november victor kilo seven seven climb flight level one zero zero'),
    recognised('t2', 'climb flight level one one zero'),
    opened('e1', 't1', ['t2']),
    { type: 'finding.made', exchange: 'e1', finding: finding() },
  ]);
  return session;
};

describe('R1 taking back', () => {
  it('leaves the state as if nothing had been said, for every kind of word, and the log whole', () => {
    const session = begin();
    const before = structuredClone({ exchanges: session.state.exchanges, transmissions: session.state.transmissions });
    const said = session.appendAll([
      { type: 'review.decided', exchange: 'e1', reviewer: 'Ada', decision: 'overrule', error_type: 'CORRECT' },
      { type: 'review.text-edited', transmission: 't2', reviewer: 'Ada', text: 'climb flight level one zero zero' },
      { type: 'review.speaker-edited', transmission: 't2', reviewer: 'Ada', role: 'controller' },
      { type: 'review.noted', exchange: 'e1', reviewer: 'Ada', text: 'a note' },
      { type: 'review.noted', transmission: 't1', reviewer: 'Ada', text: 'another' },
      { type: 'review.noted', reviewer: 'Ada', text: 'on the whole' },
    ]);
    const exchange = session.state.exchanges.get('e1');
    if (exchange === undefined) throw new Error('no exchange');
    expect(judged(exchange).holds.verdict).toBe('correct');
    expect(exchangeOf(exchange, session.state).readback[0]).toMatchObject({ role: 'controller', text: 'climb flight level one zero zero' });
    expect(exchangeOf(exchange, session.state).remarks).toEqual([{ reviewer: 'Ada', text: 'a note' }]);
    expect(countsOf(session.state).reviewed).toBe(1);
    for (const { seq } of said) {
      expect(isReview(session.state, seq)).toBe(true);
      session.append({ type: 'review.undone', undoes: seq, reviewer: 'Ada' });
      expect(isReview(session.state, seq)).toBe(false);
    }
    const after = session.state;
    expect(after.exchanges.get('e1')?.reviews).toEqual(before.exchanges.get('e1')?.reviews);
    expect(after.exchanges.get('e1')?.notes).toEqual([]);
    expect([after.transmissions.get('t2')?.edits, after.transmissions.get('t2')?.speakers, after.transmissions.get('t1')?.notes, after.notes]).toEqual([[], [], [], []]);
    expect(foldEvents(session.events())).toEqual(after);
    expect(session.events()).toHaveLength(7 + 6 + 6);
    session.close();
  });
  it('a reviewer’s own level holds where it does not contradict the type', () => {
    const session = begin();
    const decide = (error_type: string, risk_level: 'CORRECT' | 'EXTREME'): unknown => {
      session.append({ type: 'review.decided', exchange: 'e1', reviewer: 'Ada', decision: 'overrule', error_type, risk_level });
      const exchange = session.state.exchanges.get('e1');
      return exchange === undefined ? undefined : judged(exchange).holds.risk;
    };
    expect([decide('VALUE_HIGH', 'EXTREME'), decide('VALUE_HIGH', 'CORRECT'), decide('CORRECT', 'EXTREME')]).toEqual(['EXTREME', 'HIGH', 'CORRECT']);
    session.close();
  });
});

describe('R2 names and periods', () => {
  it('are in the log, in the list and in the exports', () => {
    const session = begin();
    session.appendAll([{ type: 'session.renamed', name: 'Evening course' }, { type: 'session.retention', days: 30 }]);
    session.close();
    expect(listSessions(dir)[0]).toMatchObject({ name: 'Evening course', retention: 30 });
    expect(exportSession(dir, 'html', { out: '-' }).text).toContain('Evening course');
  });
});

describe('R3 a benchmark of what was decided', () => {
  it('has the exchanges that somebody decided and whose type is known, with the texts that hold', () => {
    const session = begin();
    session.appendAll([opened('e2', 't1', ['t2']), { type: 'finding.made', exchange: 'e2', finding: finding({ verdict: 'uncertain' }) }, { type: 'review.decided', exchange: 'e2', reviewer: 'Ada', decision: 'agree' }]);
    session.append({ type: 'review.text-edited', transmission: 't2', reviewer: 'Ada', text: 'climb flight level one zero one' });
    session.append({ type: 'review.decided', exchange: 'e1', reviewer: 'Ada', decision: 'agree' });
    const id = session.identity.id;
    session.close();
    expect(exportSession(dir, 'bench', { out: '-' }).text).toBe(
      `${JSON.stringify({ id: `${id}/e1`, recording: id, instruction: 'november victor kilo seven seven climb flight level one zero zero', readback: 'climb flight level one zero one', is_correct: false, error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL' })}\n`,
    );
  });
});

describe('R4 the sound of a channel', () => {
  it('without a recording has the transmissions in their places and silence between them', () => {
    const session = begin();
    const [tower] = channelAudio(dir, session.state, 10);
    expect(tower).toMatchObject({ channel: 'tower', kind: 'transmissions', samples: 160_000 });
    const all = tower?.read(0, 160_000) ?? new Int16Array();
    const expected = new Int16Array(160_000);
    const wave = Int16Array.from(session.readAudio('t1'), (value) => Math.round(value * 32768));
    expected.set(wave, 16_000);
    expected.set(wave, 80_000);
    expect(Buffer.from(all.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
    expect(tower?.read(20_000, 10)).toEqual(expected.slice(20_000, 20_010));
    expect(tower?.read(159_995, 100)).toHaveLength(5);
    session.close();
  });
  it('with a recording is that, whatever order its pieces were written in, and goes with the session', () => {
    const session = begin();
    const recorder = new ChannelRecorder(dir);
    const sound = tone(8, 300);
    recorder.write(0, 16_000, sound.subarray(16_000));
    recorder.write(0, 0, sound.subarray(0, 16_000));
    recorder.write(0, 0, sound.subarray(0, 16_000));
    recorder.close();
    const [tower] = channelAudio(dir, session.state, 8);
    expect(tower).toMatchObject({ kind: 'whole', samples: 128_000 });
    expect((tower?.read(50_000, 1)[0] ?? 0) / 32768).toBeCloseTo(sound[50_000] ?? 1, 3);
    // broken off before the last transmission: then the transmissions are what there is
    truncateSync(join(dir, 'recording', '0.pcm'), 32_000);
    expect(channelAudio(dir, session.state, 8)[0]?.kind).toBe('transmissions');
    session.close();
    expect(deleteSession(dir).left).toEqual([]);
  });
  it('is read in pieces of the log', () => {
    const session = begin();
    expect(session.events(2, 3).map(({ seq }) => seq)).toEqual([3, 4, 5]);
    session.close();
    const reader = openSession(dir, { readonly: true });
    expect(reader.events(5, 100)).toHaveLength(2);
    reader.close();
  });
});
