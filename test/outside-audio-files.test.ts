/**
 * Faults around files that were reported of neighbouring programs, each made anew: letters outside ASCII everywhere, a batch
 * with bad files in it that is stopped in the middle.
 */
import { copyFileSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hearback, jsonLines, root, scratch, start, type Ran } from './command.js';
import { fixture, place, wavBytes } from './support/audio.js';
import { blocks } from './support/listening.js';

const { dir, remove } = scratch('outside files');
afterAll(remove);

describe('letters outside ASCII in every name', () => {
  const home = join(dir, 'Flüge Антон', '東京 塔');
  const composed = 'Anflug München Öst.wav'.normalize('NFC');
  const decomposed = composed.normalize('NFD');
  const recordings = join(home, 'Aufnahmen ✈ день');
  const env = { HEARBACK_SESSIONS: join(home, 'sessions'), HEARBACK_MODELS: join(home, 'pulled models') };
  let text: string[] = [];
  /** Runs the program as it is installed there. */
  const there = (args: readonly string[], cwd = home): Promise<Ran> => hearback(args, { env, cwd, main: join(home, 'program ü', 'dist', 'engine', 'cli', 'main.js') });

  beforeAll(async () => {
    const program = join(home, 'program ü');
    mkdirSync(recordings, { recursive: true });
    for (const part of ['dist', 'models', 'package.json']) cpSync(join(root, part), join(program, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'), 'dir');
    const [i, r] = await blocks('east-2-instruction', 'east-2-readback');
    text = [i.text, r.text];
    const bytes = wavBytes([place(9, 16_000, [{ at: 0.5, samples: i.samples }, { at: 4.5, samples: r.samples }])]);
    writeFileSync(join(recordings, decomposed), bytes);
  });

  it('do not keep it from working, and come out unchanged', { timeout: 120_000 }, async () => {
    const ran = await there(['transcribe', recordings, '--json']);
    expect(ran.code, ran.stderr).toBe(0);
    const lines = jsonLines(ran.stdout);
    expect(lines.map((line) => line['text'])).toEqual(text);
    expect(lines.map((line) => line['file'])).toEqual([join(recordings, decomposed), join(recordings, decomposed)]);
  });

  it('work for sessions, going on, listing and exports', { timeout: 240_000 }, async () => {
    const session = join(home, 'Sitzung Ä 東');
    const first = await there(['monitor', join(recordings, decomposed), '--speed', 'max', '--json', '--session', session]);
    expect(first.code, first.stderr).toBe(0);
    const captured = readdirSync(join(session, 'audio'));
    expect(captured).toHaveLength(2);

    // the other spelling of the same name is the same recording, which is done already
    const second = await there(['monitor', join(recordings, composed), '--speed', 'max', '--json', '--session', session]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.stderr).toContain('Going on with the session');
    expect(readdirSync(join(session, 'audio'))).toEqual(captured);
    expect(jsonLines(second.stdout).map((line) => (line['event'] as { type: string }).type)).not.toContain('transmission.recognised');

    const kept = await there(['monitor', join(recordings, decomposed), '--speed', 'max']);
    expect(kept.code, kept.stderr).toBe(0);
    const listed = jsonLines((await there(['sessions', '--json'])).stdout);
    expect(listed).toHaveLength(1);
    expect(String(listed[0]?.['path'])).toContain('Anflug München Öst'.normalize('NFD'));
    expect(listed[0]?.['name']).toBe(decomposed);

    const out = join(home, 'Ausgabe ß');
    mkdirSync(out);
    for (const [format, ending] of [['html', 'html'], ['csv', 'csv'], ['jsonl', 'jsonl'], ['srt', 'srt'], ['textgrid', 'TextGrid']] as const) {
      const exported = await there(['export', session, '--format', format], out);
      expect(exported.code, exported.stderr).toBe(0);
      expect(exported.stdout).toContain(join(out, `${basename(decomposed, '.wav')}.${ending}`));
    }
    expect(readdirSync(out)).toHaveLength(5);
    expect(readdirSync(out).every((name) => name.startsWith(basename(decomposed, '.wav')))).toBe(true);
  });

  it('do not make one recording two in a batch', { timeout: 120_000 }, async () => {
    // a folder that was copied between systems holds the same recording under both spellings
    copyFileSync(join(recordings, decomposed), join(recordings, composed));
    const ran = await there(['transcribe', recordings, join(recordings, composed), join(recordings, '*.wav'), '--json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(jsonLines(ran.stdout).map((line) => line['text'])).toEqual(text);
  });
});

describe('a batch of twelve with bad ones among them', () => {
  const folder = join(dir, 'batch');
  const good: Readonly<Record<string, string>> = {
    '01 good.flac': 'west-1-instruction',
    '02 good.flac': 'west-1-readback',
    '05 good.flac': 'west-2-instruction',
    '06 good.flac': 'west-2-readback',
    '07 good.flac': 'east-1-instruction',
    '08 good.flac': 'east-1-readback',
    '11 good.flac': 'east-2-instruction',
    // a FLAC under a wrong name is decoded by its content
    '10 flac.wav': 'east-2-readback',
  };
  const long = '04 good and long.wav';
  const bad: Readonly<Record<string, RegExp>> = { '03 empty.wav': /empty/i, '09 text.wav': /text/i, '12 aac.mp3': /AAC|MP4|M4A/ };
  let longTexts: string[] = [];
  const linesOf = (ran: { stdout: string }, name: string): unknown[] =>
    jsonLines(ran.stdout).flatMap((line) => (basename(String(line['file'])) === name ? [line['text']] : []));

  beforeAll(async () => {
    mkdirSync(folder);
    for (const [name, block] of Object.entries(good)) copyFileSync(join(root, 'fixtures', 'blocks', `${block}.flac`), join(folder, name));
    const talk = await blocks('west-1-instruction', 'west-1-readback', 'west-2-instruction', 'west-2-readback', 'east-1-instruction', 'east-1-readback');
    const twice = [...talk, ...talk];
    writeFileSync(join(folder, long), wavBytes([place(60, 16_000, twice.map((block, n) => ({ at: 1 + 4.8 * n, samples: block.samples })))]));
    longTexts = twice.map(({ text }) => text);
    writeFileSync(join(folder, '03 empty.wav'), '');
    writeFileSync(join(folder, '09 text.wav'), 'Remember to fetch the recording of Tuesday from the tower.\n'.repeat(9));
    copyFileSync(fixture('burst.m4a'), join(folder, '12 aac.mp3'));
    expect(readdirSync(folder)).toHaveLength(12);
  });

  it('stopped while the fourth runs, keeps what is done and says how far it came', { timeout: 120_000 }, async () => {
    const child = start(['transcribe', folder, '--json']);
    let out = '';
    let err = '';
    child.stderr?.on('data', (data: Buffer) => (err += data.toString('utf8')));
    const code = await new Promise<number | null>((resolve) => {
      child.stdout?.on('data', (data: Buffer) => {
        const before = out.includes(long);
        out += data.toString('utf8');
        if (!before && out.includes(long)) child.kill('SIGINT');
      });
      child.once('close', resolve);
    });
    expect(code, err).toBe(1);
    // whole lines only: the one before it in full, what was heard of it, nothing behind it
    const cut = { stdout: out };
    expect(linesOf(cut, '01 good.flac')).toHaveLength(1);
    expect(linesOf(cut, '02 good.flac')).toHaveLength(1);
    expect(linesOf(cut, long).length).toBeLessThan(longTexts.length);
    expect(longTexts.slice(0, linesOf(cut, long).length)).toEqual(linesOf(cut, long));
    expect(linesOf(cut, '05 good.flac')).toEqual([]);
    expect(err).toMatch(/✗ .*03 empty\.wav/);
    expect(err.split('\n').find((line) => line.includes('2 of 12')), err).toContain(long);
  });

  it('run again does every good one, names each bad one with its reason, and ends at twelve of twelve', { timeout: 240_000 }, async () => {
    const ran = await hearback(['transcribe', folder, '--json']);
    expect(ran.code).toBe(1);
    const done = new Set(jsonLines(ran.stdout).map((line) => basename(String(line['file']))));
    expect([...done].sort()).toEqual([...Object.keys(good), long].sort());
    expect(linesOf(ran, long)).toEqual(longTexts);
    const sentences = ran.stderr.split('\n').filter((line) => line.startsWith('✗'));
    expect(sentences).toHaveLength(3);
    for (const [name, says] of Object.entries(bad)) expect(sentences.find((line) => line.includes(name)), ran.stderr).toMatch(says);
    expect(ran.stderr).toContain('9 of 12 done, 3 failed.');
  });
});
