/** Recordings in other languages beside the held-out set: one that cannot be read is told, and the others are used. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encodeWav } from '../../session/index.js';
import { loadForeign } from './held-out.js';

const dir = mkdtempSync(join(tmpdir(), 'hearback-foreign-'));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});
const set = join(dir, 'set');
const more = join(dir, 'more');
mkdirSync(set);
mkdirSync(more);
writeFileSync(join(set, 'foreign.jsonl'), '');
writeFileSync(join(more, 'broken.wav'), 'RIFF');

test('none that can be read is an error, one of two is reported', async () => {
  await expect(loadForeign(set, more)).rejects.toThrow(/None of the 1 recordings/);
  writeFileSync(join(more, 'good.wav'), encodeWav(new Float32Array(16_000).map((_, i) => 0.25 * Math.sin(i / 5))));
  const told: string[] = [];
  const found = await loadForeign(set, more, (sentence) => told.push(sentence));
  expect(found.map(({ what, samples }) => [what, samples.length])).toEqual([['good.wav', 16_000]]);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('broken.wav');
});
