import { expect, it } from 'vitest';
import type { HearbackEvent } from '../domain/events.js';
import { captured, finding, opened, recognised, sampleEvents, started } from '../../test/support/session.js';
import { audioNotices, foldEvents, showsAlready } from './index.js';

const logged = (events: readonly HearbackEvent[]) => events.map((event, index) => ({ seq: index + 1, at: '2026-01-01T00:00:00Z', event }));
/** The same with the fields of every object the other way round. */
const reversed = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([key, each]) => [key, reversed(each as unknown)])) as T;
};

it('what the state shows is not said again, in whatever order its fields come and however long it took', () => {
  const made = (latency_ms: number): HearbackEvent => ({ type: 'finding.made', exchange: 'e1', finding: finding(), latency_ms });
  const events = [started(), captured('t1'), recognised('t1', 'roger'), opened('e1', 't1'), made(100)];
  const shows = showsAlready(foldEvents(logged(events)));
  expect(shows(reversed(opened('e1', 't1')))).toBe(true);
  expect(shows(reversed(made(250)))).toBe(true);
  const sample = foldEvents(logged(sampleEvents()));
  const understood = sampleEvents().filter(({ type }) => type === 'transmission.understood');
  expect(understood.length).toBeGreaterThan(5);
  for (const event of understood) expect(showsAlready(sample)(reversed(event)), JSON.stringify(event)).toBe(true);
});

it('what was true once but is no longer shown is said again', () => {
  const shows = showsAlready(foldEvents(logged([started(), captured('t1'), opened('e1', 't1'), opened('e1', 't1', ['t2'])])));
  expect(shows(opened('e1', 't1', ['t2']))).toBe(true);
  expect(shows(opened('e1', 't1'))).toBe(false);
});

it('what differs in anything is said, and so is what may happen twice', () => {
  const said = showsAlready(foldEvents(logged([started(), captured('t1'), recognised('t1', 'roger'), opened('e1', 't1'), { type: 'finding.made', exchange: 'e1', finding: finding() }])));
  expect(said(opened('e1', 't1', ['t2']))).toBe(false);
  expect(said({ type: 'finding.made', exchange: 'e1', finding: finding({ explanation: 'Another sentence.' }) })).toBe(false);
  expect(said({ type: 'finding.made', exchange: 'e2', finding: finding() })).toBe(false);
  for (const event of [started(), captured('t1'), recognised('t1', 'roger')]) expect(said(event)).toBe(false);
});

it('the state of the audio folder is told in sentences, and nothing when all is well', () => {
  expect(audioNotices({ mended: [], removed: [], unlogged: [], missing: [] })).toEqual([]);
  expect(audioNotices({ mended: ['audio/t9.wav'], removed: [], unlogged: ['audio/t9.wav'], missing: ['audio/a.wav', 'audio/b.wav'] })).toEqual([
    { kind: 'audio-folder', severity: 'error', text: '2 audio files named in the log are missing: audio/a.wav, audio/b.wav' },
    { kind: 'audio-folder', severity: 'warning', text: '1 audio file cut off when the program stopped was completed as far as the sound goes: audio/t9.wav' },
    { kind: 'audio-folder', severity: 'info', text: '1 audio file is in the folder but not in the log: audio/t9.wav' },
  ]);
});
