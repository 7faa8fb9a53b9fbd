import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noise, place } from '../../../test/support/audio.js';
import { packageRoot } from '../../models/index.js';
import { onAir, impairmentsOf } from './channel.js';
import { openVoices } from './clips.js';

const RATE = 16_000;
const bench = join(packageRoot(), 'fixtures', 'bench');
const folder = join(bench, 'voice');
interface Line {
  readonly id: string;
  readonly task: string;
  readonly part: 'utterance' | 'instruction' | 'readback';
  readonly file: string;
  readonly text: string;
  readonly item_sha256: string;
  readonly engine: string;
  readonly voice: string;
  readonly licence: string;
  readonly seconds: number;
  readonly sha256: string;
}
const read = (path: string): unknown[] => readFileSync(path, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
const manifest = read(join(folder, 'manifest.jsonl')) as Line[];
const written = new Map<string, string | undefined>((['task1', 'task2'] as const).flatMap((task) => (read(join(bench, `${task}.jsonl`)) as Record<string, string>[]).flatMap((item) => (['utterance', 'instruction', 'readback'] as const).map((part) => [`${task} ${item['id'] ?? ''} ${part}`, item[part]] as const))));
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

describe('speech of the benchmark', () => {
  test('at least 300 pairs, 30 of each type, and 200 utterances, in 12 MB', () => {
    const pairs = manifest.filter(({ part }) => part === 'instruction').filter(({ id }) => manifest.some((other) => other.id === id && other.part === 'readback'));
    expect(pairs.length).toBeGreaterThanOrEqual(300);
    expect(manifest.filter(({ task }) => task === 'task1').length).toBeGreaterThanOrEqual(200);
    const types = new Map((read(join(bench, 'task2.jsonl')) as Record<string, string>[]).map((item) => [item['id'], item['error_type']]));
    const counts = new Map<string | undefined, number>();
    for (const { id } of pairs) counts.set(types.get(id), (counts.get(types.get(id)) ?? 0) + 1);
    expect([...counts.values()].every((count) => count >= 30)).toBe(true);
    expect(counts.size).toBe(10);
    expect(manifest.reduce((sum, { file }) => sum + statSync(join(folder, file)).size, 0)).toBeLessThan(12e6);
  });
  test('every clip is what the manifest says, of the text that the item has', () => {
    for (const { id, task, part, file, item_sha256: of, sha256: hash, licence } of manifest) {
      expect(sha256(readFileSync(join(folder, file))), file).toBe(hash);
      expect(sha256(written.get(`${task} ${id} ${part}`) ?? ''), file).toBe(of);
      expect(licence).not.toBe('');
    }
  });
  test('texts are words, and the item\'s own where it writes none otherwise', () => {
    for (const { id, task, part, text } of manifest) {
      expect(text).toMatch(/^[a-z ]+$/u);
      const own = written.get(`${task} ${id} ${part}`) ?? '';
      if (/^[a-z ]+$/u.test(own)) expect(text).toBe(own);
    }
  });
  test('nobody who is trained on; the two of a pair are not the same', () => {
    const heldOut = /HELD_OUT = "([^"]+)"/u.exec(readFileSync(join(packageRoot(), 'training', 'speech', 'synthesise.py'), 'utf8'))?.[1]?.split(' ') ?? [];
    const speakers = new Map(manifest.map(({ id, part, engine, voice }) => [`${id} ${part}`, `${engine} ${voice}`]));
    for (const { id, part, engine, voice } of manifest) {
      expect(['pico en-US', 'pico en-GB', 'festival ked', ...heldOut.map((name) => `kokoro ${name}`)]).toContain(`${engine} ${voice}`);
      if (part === 'readback') expect(speakers.get(`${id} instruction`)).not.toBe(`${engine} ${voice}`);
    }
    expect(new Set(speakers.values()).size).toBeGreaterThan(5);
  });
  test('is heard: 16 kHz, the same for the same seed, longer than dry by the quiet around it; of another text it is not had', async () => {
    const voices = await openVoices(folder);
    const [clip] = manifest;
    if (clip === undefined) throw new Error('the manifest is empty');
    const heard = await voices.sound('task2', clip.id, clip.part, 10, 1);
    expect(await voices.sound('task2', clip.id, clip.part, 10, 1)).toEqual(heard);
    expect(await voices.sound('task2', clip.id, clip.part, 10, 2)).not.toEqual(heard);
    expect(heard.length / RATE - clip.seconds).toBeGreaterThan(0);
    expect(voices.said('task2', clip.id, clip.part)).toBe(clip.text);
    expect(voices.said('task2', 'nobody', clip.part)).toBeUndefined();
    await expect(voices.sound('task2', 'nobody', 'readback', 10, 1)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('the drawn radio', () => {
  const speech = place(2, RATE, [0, 0.7, 1.4].map((at, i) => ({ at, samples: noise(0.5 * RATE, 0.3, i + 1) })));
  test.each([20, 15, 10, 5, 0])('measures the ratio that was asked for: %d dB', async (snr) => {
    for (const key of ['a', 'b', 'c']) expect(Math.abs((await onAir(speech, key, snr, 1)).snr - snr)).toBeLessThan(0.5);
  });
  test('clean is without a channel: the speech alone, at a level', async () => {
    const { samples, snr } = await onAir(speech, 'a', Infinity, 1);
    expect(snr).toBe(Infinity);
    expect(samples.subarray(0, 0.3 * RATE).every((v) => v === 0)).toBe(true);
    const { lead } = impairmentsOf('a', 1);
    const from = Math.round(lead * RATE);
    const gain = (samples[from + 100] ?? 0) / (speech[100] ?? 1);
    for (let i = 0; i < speech.length; i += 997) expect(Math.abs((samples[from + i] ?? 0) - gain * (speech[i] ?? 0))).toBeLessThan(1e-3);
  });
  test('what it does besides noise does not depend on the ratio, and comes as often as it says', () => {
    const drawn = Array.from({ length: 4000 }, (_, i) => impairmentsOf(`item ${String(i)}`, 1));
    const share = (is: (one: (typeof drawn)[number]) => boolean): number => drawn.filter(is).length / drawn.length;
    expect(share(({ lateKey }) => lateKey !== undefined)).toBeCloseTo(0.15, 1);
    expect(share(({ fading }) => fading !== undefined)).toBeCloseTo(0.3, 1);
    expect(share(({ overdrive }) => overdrive !== undefined)).toBeCloseTo(0.2, 1);
    expect(share(({ squelchTail }) => squelchTail !== undefined)).toBeCloseTo(0.35, 1);
    expect(share(({ crossTalk }) => crossTalk !== undefined)).toBeCloseTo(0.06, 1);
    expect(impairmentsOf('item 1', 1)).toEqual(drawn[1]);
    expect(impairmentsOf('item 1', 2)).not.toEqual(drawn[1]);
  });
  test('somebody else is asked for only where one is drawn', async () => {
    const asked: string[] = [];
    for (let i = 0; i < 60; i++) {
      const key = `item ${String(i)}`;
      await onAir(speech.subarray(0, 1600), key, 10, 1, () => {
        asked.push(key);
        return Promise.resolve(speech);
      });
    }
    expect(asked).toEqual(Array.from({ length: 60 }, (_, i) => `item ${String(i)}`).filter((key) => impairmentsOf(key, 1).crossTalk !== undefined));
    expect(asked.length).toBeGreaterThan(0);
  });
});
