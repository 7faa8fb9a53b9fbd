import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { packageRoot } from '../../models/index.js';
import { published, unmet } from './command.js';
import { callsignKind, heardAt, ofLength, SELDOM, type HeldOutClip } from './held-out.js';
import { accuracyOf } from './measure.js';
import { RawLog } from './raw-log.js';
import { asrReport, type SystemResult } from './report.js';

const clip = (id: string, text: string, more: Partial<HeldOutClip> = {}): HeldOutClip => ({ id, file: `${id}.opus`, text, role: 'pilot', region: 'icao', kind: 'exchange', callsign: null, slots: {}, engine: 'kokoro', voice: 'x', seconds: 4, sha256: 'x', ...more });
const heard = (text: string, ms = 100, guards: string[] = []): { text: string; ms: number; guards: string[] } => ({ text, ms, guards });

const clips = [
  clip('a', 'heading two one zero swiss four five', { callsign: 'SWR45', slots: { heading: ['210'] }, readback: { right: false, slot: 'heading', instructed: '240', read: '210' } }),
  clip('b', 'squawk one two three four', { slots: { squawk: ['1234'] }, engine: 'pico' }),
  clip('c', 'roger', { kind: 'standard' }),
];
/** One digit wrong in 7 words, all right in 5, nothing for 1. */
const texts = [heard('heading two four zero swiss four five', 200), heard('Squawk 1234.', 100, ['low-confidence']), heard('', 60)];

test('seldom operators are those of the script that made the set', () => {
  const script = readFileSync(join(packageRoot(), 'training', 'held_out', 'script.py'), 'utf8').split('\nSELDOM = ')[1]?.split('\n}')[0] ?? '';
  expect([...script.matchAll(/": "([A-Z]{3})"/gu)].map(([, code]) => code).sort()).toEqual([...SELDOM].sort());
  expect(['DLH9TP', 'NRS44', 'N12AB', 'OKPMB'].map(callsignKind)).toEqual(['busy', 'seldom', 'registration', 'registration']);
});

describe('accuracyOf', () => {
  const figures = accuracyOf(clips, texts, [4, 3, 1]);
  it('adds up words, values and callsigns', () => {
    expect(figures.wer.rate).toBeCloseTo(2 / 13, 10);
    expect([figures.substitutions, figures.deletions, figures.insertions]).toEqual([1, 1, 0]);
    expect(figures.callsign).toMatchObject({ right: 1, of: 1 });
    expect(figures.callsignBy).toMatchObject({ busy: { right: 1, of: 1 }, seldom: { of: 0 }, registration: { of: 0 } });
    expect(figures.values.found).toMatchObject({ right: 1, of: 2 });
    expect(figures.values.invented).toBe(1);
    expect(figures.slots.squawk.found).toMatchObject({ right: 1, of: 1 });
    expect(figures.werBy.kokoro?.rate).toBeCloseTo(2 / 8, 10);
    expect(figures.werBy.pico?.rate).toBe(0);
    expect(figures.werBy.standard).toMatchObject({ errors: 1, of: 1 });
    expect(figures.werBy.own).toMatchObject({ errors: 1, of: 12 });
  });
  it('sees a wrong readback that was heard as it should have been', () => {
    expect(figures.wrongReadbacks).toEqual({ of: 1, asSaid: 0, asInstructed: 1, neither: 0 });
  });
  it('counts guards, empty texts and time', () => {
    expect(figures.guarded).toBe(1);
    expect(figures.empty).toBe(1);
    expect(figures.realTimeFactor).toBeCloseTo(0.36 / 8, 10);
  });

  const system: SystemResult = { id: 'radio', kind: 'product', about: 'x', bytes: 23e6, sha256: 'ab', accuracy: { '10': figures }, latency: [{ seconds: 4, runs: 20, median: 90, p95: 120 }] };
  it('tells which thresholds are not met', () => {
    expect(unmet(system, { maxWer10: 0.2, minCallsign10: 1, maxMs4: 90, maxMb: 60, maxRtf: 0.05 })).toEqual([]);
    expect(unmet(system, { maxWer10: 0.1 })).toHaveLength(1);
    expect(unmet(system, { minValues10: 0.6 })).toHaveLength(1);
    expect(unmet(system, { maxMs4: 89 })).toHaveLength(1);
    // what was asked for and not measured is not met
    expect(unmet(system, { minNothing: 0.9 })).toEqual(['The share of clips of noise that give nothing was not measured.']);
    expect(unmet(undefined, { maxWer10: 1 })).toHaveLength(1);
  });
  it('reports every system and ratio', () => {
    const report = asrReport({
      format: 1, date: '2030-01-02', commandLine: 'npm run bench:asr --', versions: { node: '1' }, machine: { cpu: 'cpu', cores: 2, memoryGB: 4, system: 's', threads: 2, loadAtStart: 0 },
      set: { clips: 3, seconds: 8, sha256: 'cd', seed: 1, normaliser: 1 }, reference: accuracyOf(clips, clips.map(({ text }) => heard(text)), [4, 3, 1]), ratios: ['10'], systems: [system], minutesWithoutSpeech: 0,
    });
    expect(report).toContain('| radio | .154 (');
    expect(report).toContain('| radio | 0 / 1 / 0 of 1 |');
    expect(report).toContain('| radio | 90, 120 | .045 |');
    expect(report).not.toContain('Invented text');
    expect(report).not.toContain('NaN');
  });
});

describe('published', () => {
  it('leaves out folders of the machine', () => {
    expect(published(['--peers', '/home/me/venv/bin/python', '--model', 'a,/home/me/m/b', '--out=/tmp/x.json', '--snr', 'clean,20'])).toBe('--peers …/python --model a,…/b --out=…/x.json --snr clean,20');
  });
});

describe('heardAt', () => {
  const speech = Float32Array.from({ length: 16_000 }, (_, i) => 0.2 * Math.sin(i * 0.3) * Math.sin(i * 0.002));
  it('has quiet around the speech and the same length at every ratio', () => {
    const clean = heardAt(speech, 'a', Infinity, 1);
    expect(clean.length).toBeGreaterThanOrEqual(16_000 + 2 * 0.3 * 16_000);
    expect(clean.length).toBeLessThanOrEqual(16_000 + 2 * 0.7 * 16_000);
    expect(clean.subarray(0, 4000).every((v) => v === 0)).toBe(true);
    expect(heardAt(speech, 'a', 10, 1).length).toBe(heardAt(speech, 'a', 0, 1).length);
    expect(heardAt(speech, 'a', 10, 1)).toEqual(heardAt(speech, 'a', 10, 1));
    expect(heardAt(speech, 'b', 10, 1)).not.toEqual(heardAt(speech, 'a', 10, 1));
  });
  it('joins speech to exactly the length asked for', () => {
    const joined = ofLength([speech, speech.map((v) => -v)], 1, 2.5);
    expect(joined.length).toBe(40_000);
    expect(joined[100]).toBeCloseTo(-(speech[100] ?? 0), 6);
    expect(joined.subarray(16_000, 20_000).every((v) => v === 0)).toBe(true);
    expect(joined[20_100]).toBeCloseTo(speech[100] ?? 0, 6);
  });
});

describe('RawLog', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hearback-raw-'));
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  it('knows what was answered before, and drops half a line', () => {
    const path = join(dir, 'deep', 'x.jsonl');
    new RawLog(path).put('clip 1', heard('roger', 50, ['no-speech']));
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"key":"clip 2","te`);
    const again = new RawLog(path);
    expect(again.get('clip 1')).toEqual(heard('roger', 50, ['no-speech']));
    expect(again.get('clip 2')).toBeUndefined();
    again.put('clip 2', heard('wilco'));
    expect(new RawLog(path).get('clip 2')?.text).toBe('wilco');
  });
});
