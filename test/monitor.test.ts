/** The whole pipeline through the command line, on real audio and real weights. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LoggedEvent } from '../engine/domain/events.js';
import { readWavSamples } from '../engine/audio/index.js';
import { foldEvents, openSession } from '../engine/session/index.js';
import { hearback, jsonLines, root, scratch, start } from './command.js';

const demo = join(root, 'fixtures', 'demo', 'tower-and-approach.ogg');
const traffic = join(root, 'fixtures', 'demo', 'traffic.json');
const { dir, remove } = scratch('monitor');
afterAll(remove);

describe('E1 the demo recording', () => {
  it('is laid beside its truth: no wrong readback passes as right', { timeout: 240_000 }, async () => {
    const ran = await hearback(['demo', '--json'], { env: { HEARBACK_SESSIONS: join(dir, 'demo') } });
    expect(ran.code, ran.stderr).toBe(0);
    const [compared] = jsonLines(ran.stdout) as unknown as [{ summary: Record<string, number>; rows: { outcome: string }[] }];
    // the truth file says how many there are
    const truth = JSON.parse(readFileSync(join(root, 'fixtures/demo/tower-and-approach.truth.json'), 'utf8')) as { exchanges: { is_correct: boolean | null }[] };
    expect(compared.summary['errors']).toBe(truth.exchanges.filter((exchange) => exchange.is_correct === false).length);
    expect(compared.rows.filter((row) => row.outcome === 'missed')).toEqual([]);
    expect(compared.summary['flagged'], JSON.stringify(compared.summary)).toBeGreaterThanOrEqual(Math.ceil((compared.summary['errors'] ?? 0) / 2));
    expect(compared.summary['passed'], JSON.stringify(compared.summary)).toBeGreaterThanOrEqual(Math.ceil((compared.summary['correct'] ?? 0) / 2));
  });
});

describe('E2 SIGKILL in the middle of monitor', () => {
  it('loses no printed event and no audio, and the same command goes on to the same end', { timeout: 400_000 }, async () => {
    const session = join(dir, 'Flüge Антон', '東京 塔');
    const args = ['monitor', demo, '--speed', 'max', '--json', '--session', session, '--context', traffic];
    const child = start(args);
    let printed = '';
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (data: Buffer) => {
        printed += data.toString('utf8');
        // in the middle of things: transmissions are waiting, some are recognised, findings have been made
        if ((printed.match(/"finding.made"/g) ?? []).length >= 3) child.kill('SIGKILL');
      });
      child.once('close', () => {
        resolve();
      });
    });
    const whole = printed.split('\n').slice(0, -1); // the last line may have been cut off by the kill
    const told = whole.map((line) => LoggedEvent.parse(JSON.parse(line)));
    expect(told.length).toBeGreaterThan(10);

    const opened = openSession(session, { readonly: true });
    const logged = opened.events();
    for (const event of told) expect(logged[event.seq - 1]).toEqual(event);
    const captured = told.flatMap(({ event }) => (event.type === 'transmission.captured' ? [event] : []));
    expect(captured.length).toBeGreaterThan(3);
    for (const event of captured) {
      const samples = readWavSamples(join(session, event.audio));
      expect((await samples).samples.length / 16_000).toBeCloseTo(event.end - event.start, 2);
    }
    expect(foldEvents(logged)).toEqual(opened.state);
    opened.close();

    const second = await hearback(args);
    expect(second.code, second.stderr).toBe(0);
    expect(second.stderr).toContain('Going on with the session');
    const undisturbed = await hearback([...args.slice(0, 5), '--session', join(dir, 'undisturbed'), '--context', traffic]);
    expect(undisturbed.code).toBe(0);
    const texts = (path: string): string[] => {
      const reader = openSession(path, { readonly: true });
      const all = [...reader.state.transmissions.values()].map((each) => each.recognition?.text ?? '(none)');
      reader.close();
      return all;
    };
    // every transmission is there once; where the cut fell, a boundary may differ by a fraction of a second, not a text by a sentence
    const resumed = texts(session);
    const straight = texts(join(dir, 'undisturbed'));
    expect(Math.abs(resumed.length - straight.length)).toBeLessThanOrEqual(1);
    expect(straight.filter((text) => !resumed.includes(text)).length).toBeLessThanOrEqual(1);
  });
});

describe('E3 standard input', () => {
  it('takes raw PCM and ends with the stream', { timeout: 120_000 }, async () => {
    const clip = await readWavSamples(join(root, 'fixtures/clips/radio-18-db-heading.flac'));
    const pcm = new Int16Array(clip.samples.length);
    clip.samples.forEach((value, at) => {
      pcm[at] = Math.max(-32768, Math.min(32767, Math.round(value * 32767)));
    });
    const ran = await hearback(['monitor', '-', '--json', '--no-session'], { input: new Uint8Array(pcm.buffer) });
    expect(ran.code, ran.stderr).toBe(0);
    const events = jsonLines(ran.stdout).map((line) => LoggedEvent.parse(line).event);
    expect(events.at(-1)).toMatchObject({ type: 'session.ended', reason: 'end-of-audio' });
    expect(events.some((event) => event.type === 'transmission.recognised' && event.text.includes('heading'))).toBe(true);
  });
});

describe('E4 sessions and exports', () => {
  it('lists what was stored, exports every format, and does not overwrite', { timeout: 120_000 }, async () => {
    const env = { HEARBACK_SESSIONS: join(dir, 'demo') };
    const listed = jsonLines((await hearback(['sessions', '--json'], { env })).stdout);
    expect(listed).toHaveLength(1);
    const path = String(listed[0]?.['path']);
    for (const format of ['html', 'csv', 'jsonl', 'srt', 'textgrid']) {
      const out = join(dir, `export.${format}`);
      const ran = await hearback(['export', path, '--format', format, '--out', out]);
      expect(ran.code, ran.stderr).toBe(0);
      expect(existsSync(out)).toBe(true);
      expect(readFileSync(out, 'utf8').length).toBeGreaterThan(1000);
    }
    const deleted = await hearback(['sessions', 'delete', path]);
    expect(deleted.code).toBe(0);
    expect(existsSync(path)).toBe(false);
  });
});
