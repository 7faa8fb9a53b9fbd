/**
 * What several tests of the session room need: folders of their own, sample events, audio.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { z } from 'zod';
import { HearbackEvent } from '../../engine/domain/events.js';
import type { Finding } from '../../engine/domain/finding.js';
import { HearbackError } from '../../engine/domain/result.js';
import { createSession } from '../../engine/session/index.js';

/** A new folder below the system's temporary one; `remove` takes it away. */
export function temporaryFolder(name = 'hearback test '): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), name));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Gives each test of a file a folder of its own, and takes it away afterwards. */
export function eachInAFolder(use: (path: string) => void): void {
  let remove = (): void => undefined;
  beforeEach(() => {
    const folder = temporaryFolder();
    remove = folder.remove;
    use(folder.path);
  });
  afterEach(() => {
    remove();
  });
}

/** The HearbackError that `work` throws; fails when it throws none or another kind of thing. */
export function errorOf(work: () => unknown): HearbackError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof HearbackError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

/** A made-up evening of two channels: twelve exchanges, every kind of outcome, two reviews, one corrected text. */
export const sampleEvents = (): readonly HearbackEvent[] =>
  z.array(HearbackEvent).parse(JSON.parse(readFileSync(new URL('../../engine/session/fixtures/sample-session.json', import.meta.url), 'utf8')));

/** A tone, so that audio differs from silence: `seconds` at 16 kHz. */
export function tone(seconds: number, hertz = 440): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * 16_000) }, (_, at) => 0.3 * Math.sin((2 * Math.PI * hertz * at) / 16_000));
}

/** Stores the sample session in `dir`, with a tenth of a second of audio a transmission. */
export function storeSample(dir: string, events: readonly HearbackEvent[] = sampleEvents()): void {
  let tick = 0;
  const session = createSession(dir, { source: 'recordings/Úžice tower and approach, evening.wav' }, { now: () => new Date(Date.UTC(2025, 4, 6, 17, 30, tick++)) });
  for (const event of events) if (event.type === 'transmission.captured') session.saveAudio(event.transmission, tone(0.1));
  session.appendAll(events);
  session.close();
}

export const started = (over: Partial<Extract<HearbackEvent, { type: 'session.started' }>> = {}): HearbackEvent => ({
  type: 'session.started',
  source: 'evening.wav',
  channels: ['tower'],
  recogniser: 'whisper-base-radio',
  device: 'cpu',
  judge: 'rules',
  profile: 'icao',
  version: '0.1.0',
  ...over,
});

export const captured = (transmission: string, start = 0, over: Partial<Extract<HearbackEvent, { type: 'transmission.captured' }>> = {}): HearbackEvent => ({
  type: 'transmission.captured',
  transmission,
  channel: 'tower',
  start,
  end: start + 2,
  audio: `audio/${transmission}.wav`,
  ended: 'silence',
  ...over,
});

export const recognised = (transmission: string, text: string): HearbackEvent => ({
  type: 'transmission.recognised',
  transmission,
  text,
  words: text.split(' ').filter((word) => word !== '').map((word) => ({ text: word, confidence: 0.9 })),
  confidence: 0.9,
  guards: [],
  model: 'whisper-base-radio',
  device: 'cpu',
  milliseconds: { encode: 1, decode: 2, total: 3 },
});

export const finding = (over: Partial<Finding> = {}): Finding => ({
  is_correct: false,
  error_type: 'VALUE_CRITICAL',
  risk_level: 'CRITICAL',
  affected_slot: 'altitude',
  explanation: 'The altitude differs.',
  verdict: 'error',
  confidence: 0.9,
  evidence: { instruction_words: [], readback_words: [], comparisons: [] },
  advisories: [],
  doubts: [],
  profile: 'icao',
  judge: 'rules',
  ...over,
});

export const opened = (id: string, instruction: string, readbacks: readonly string[] = []): HearbackEvent => ({
  type: 'exchange.opened',
  exchange: { id, callsign: 'NVK77', instruction, readbacks: [...readbacks], status: readbacks.length > 0 ? 'answered' : 'open', pairing_confidence: 0.9, channel: 'tower' },
});
