/**
 * Faults around files that were reported of neighbouring programs, each made anew: an hour of MP3 at changing rates without an
 * index, letters outside ASCII everywhere, a batch with bad files in it that is stopped in the middle.
 */
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAudio, readWavSamples } from '../engine/audio/index.js';
import { openSession } from '../engine/session/index.js';
import { hearback, jsonLines, root, scratch, start, type Ran } from './command.js';
import { fixture, place, wavBytes } from './support/audio.js';
import { blocks, type Block } from './support/listening.js';

const { dir, remove } = scratch('outside files');
afterAll(remove);

describe('an hour of MP3 whose rate changes and that has no index', () => {
  /** 576 samples at 16 kHz. */
  const FRAME_SECONDS = 0.036;
  /** What the encoder puts before the sound, seconds (1105 samples). */
  const DELAY = 0.069;
  const path = join(dir, 'an hour.mp3');
  const session = join(dir, 'an hour');
  const said: { at: number; block: Block }[] = [];
  let ran: Ran;

  beforeAll(async () => {
    // no frame leans on the one before (no bit reservoir), so frames can be repeated at will
    const frames = (name: string): Buffer[] => {
      const bytes = readFileSync(fixture(name));
      const kbits = Number(/-(\d+)\.mp3$/.exec(name)?.[1]);
      const length = (72 * kbits * 1000) / 16_000;
      return Array.from({ length: bytes.length / length }, (_, n) => bytes.subarray(n * length, (n + 1) * length));
    };
    const middle = (list: readonly Buffer[]): Buffer => list[Math.floor(list.length / 2)] ?? Buffer.alloc(0);
    const quiet = { 8: middle(frames('frames-silence-8.mp3')), 64: middle(frames('frames-silence-64.mp3')) };
    const [i, e, r] = await blocks('west-1-instruction', 'east-2-instruction', 'west-2-readback');
    const talk = [
      { minute: 5, block: i, frames: frames('frames-west-1-instruction-32.mp3') },
      { minute: 30, block: e, frames: frames('frames-east-2-instruction-64.mp3') },
      { minute: 55, block: r, frames: frames('frames-west-2-readback-40.mp3') },
    ];
    const hour: Buffer[] = [];
    for (const { minute, block, frames: sound } of talk) {
      // the silence from the tenth to the twentieth minute takes eight times the room of the rest
      while (hour.length * FRAME_SECONDS < minute * 60) hour.push(hour.length * FRAME_SECONDS >= 600 && hour.length * FRAME_SECONDS < 1200 ? quiet[64] : quiet[8]);
      said.push({ at: hour.length * FRAME_SECONDS + DELAY, block });
      hour.push(...sound);
    }
    while (hour.length < 3600 / FRAME_SECONDS) hour.push(quiet[8]);
    writeFileSync(path, Buffer.concat(hour));
    ran = await hearback(['monitor', path, '--speed', 'max', '--json', '--session', session]);
  }, 300_000);

  it('is sixty minutes long, before it is read and after', async () => {
    expect(Math.abs(((await openAudio(path)).duration ?? 0) - 3600)).toBeLessThan(1);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/^(1:00:00|59:59) of audio/m);
  });
  it('has its transmissions at 5, 30 and 55 minutes, and what is stored for each is that transmission', async () => {
    const log = openSession(session, { readonly: true });
    const found = [...log.state.transmissions.values()];
    expect(found.map((t) => t.recognition?.text)).toEqual(said.map(({ block }) => block.text));
    for (const [n, { at, block }] of said.entries()) {
      const { capture } = found[n] ?? {};
      if (capture === undefined) throw new Error('not captured');
      const { samples } = await readWavSamples(join(session, capture.audio));
      expect(samples.length / 16_000).toBeCloseTo(capture.end - capture.start, 2);
      const { lag, likeness } = lagOf(block.samples, samples);
      expect(likeness, `transmission ${n + 1}`).toBeGreaterThan(0.9);
      // the place of the sound in the recording, by its own samples
      expect(Math.abs(capture.start + lag - at)).toBeLessThan(0.3);
    }
    log.close();
  });
});

/** Where in `audio` the first second of `sound` lies best (seconds), and how much alike they are there (0…1). */
function lagOf(sound: Float32Array, audio: Float32Array): { lag: number; likeness: number } {
  const piece = sound.subarray(4000, 20_000);
  let best = { lag: 0, likeness: -1 };
  const energy = piece.reduce((sum, x) => sum + x * x, 0);
  for (let from = 0; from + piece.length <= audio.length; from++) {
    let product = 0;
    let other = 0;
    // every second sample in the search is enough for speech below 4 kHz
    for (let k = 0; k < piece.length; k += 2) {
      const y = audio[from + k] ?? 0;
      product += (piece[k] ?? 0) * y;
      other += y * y;
    }
    const likeness = (2 * product) / Math.sqrt(energy * 2 * other || Infinity);
    if (likeness > best.likeness) best = { lag: (from - 4000) / 16_000, likeness };
  }
  return best;
}

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
