/** A session with thousands of exchanges, as a log that was written at once. */
import { join } from 'node:path';
import type { HearbackEvent } from '../../engine/domain/events.js';
import { judgeByRules } from '../../engine/judge/index.js';
import { createSession } from '../../engine/session/index.js';
import { openDatabase } from '../../engine/session/database.js';
import { understand } from '../../engine/understanding/index.js';

const wordsOf = (text: string, from: number) => text.split(' ').map((word, at) => ({ text: word, start: from + at * 0.3, end: from + at * 0.3 + 0.25, confidence: 0.95 }));

/** One exchange every ten seconds; every fifth readback has another level than the instruction. No audio. */
export function storeMany(dir: string, count: number): void {
  createSession(dir, { name: 'A long day', source: 'a long day.wav', version: '0.0.0' }).close();
  const said = { right: ['lufthansa three two eight descend flight level eight zero', 'descend flight level eight zero lufthansa three two eight'], wrong: ['lufthansa three two eight descend flight level eight zero', 'descend flight level nine zero lufthansa three two eight'] } as const;
  const judgement = (kind: 'right' | 'wrong') => {
    const [instruction, readback] = said[kind].map((text, at) => understand({ id: String(at), text, words: wordsOf(text, 0) }));
    if (instruction === undefined || readback === undefined) throw new Error('nothing understood');
    return judgeByRules({ instruction, readback, profile: 'icao' });
  };
  const findings = { right: judgement('right'), wrong: judgement('wrong') };
  const events: HearbackEvent[] = [{ type: 'session.started', source: 'a long day.wav', channels: ['tower'], recogniser: 'whisper-base-radio', device: 'cpu', judge: 'rules', profile: 'icao', version: '0.0.0' }];
  for (let n = 0; n < count; n++) {
    const kind = n % 5 === 4 ? 'wrong' : 'right';
    said[kind].forEach((text, half) => {
      const transmission = `t${n}-${half}`;
      const start = n * 10 + half * 4;
      events.push({ type: 'transmission.captured', transmission, channel: 'tower', start, end: start + 3, audio: '', ended: 'silence' });
      events.push({ type: 'transmission.recognised', transmission, text, words: wordsOf(text, start), confidence: 0.95, guards: [], model: 'whisper-base-radio', device: 'cpu', milliseconds: { encode: 1, decode: 1, total: 2 } });
    });
    const exchange = `x${n}`;
    events.push({ type: 'exchange.opened', exchange: { id: exchange, channel: 'tower', callsign: 'DLH328', instruction: `t${n}-0`, readbacks: [`t${n}-1`], status: 'answered', opened: n * 10 + 3, closed: n * 10 + 7, pairing_confidence: 1 } });
    events.push({ type: 'finding.made', exchange, finding: findings[kind], latency_ms: 200 });
  }
  events.push({ type: 'session.ended', reason: 'end-of-audio', seconds: count * 10 });
  const database = openDatabase(join(dir, 'session.db'), 'write');
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO events (seq, at, type, body) VALUES (?, ?, ?, ?)');
  events.forEach((event, at) => {
    insert.run(at + 1, new Date(1_780_000_000_000 + at).toISOString(), event.type, JSON.stringify(event));
  });
  database.exec('COMMIT');
  database.close();
}
