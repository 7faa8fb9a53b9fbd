/** Recognisers beside each other: the same lines and the same events in the same order as with one. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hearback, jsonLines, root } from './command.js';

const TIMES = new Set(['milliseconds', 'latency_ms', 'at', 'seq', 'wall', 'logged_at']);
/** Without what a clock says. */
function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timeless);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (TIMES.has(key) ? [] : [[key, timeless(inner)]])));
}

describe('--workers', () => {
  it('transcribe: a folder gives the same lines in the same order', { timeout: 180_000 }, async () => {
    const folder = join(root, 'fixtures', 'blocks');
    const [one, three] = [await hearback(['transcribe', folder, '--json', '--workers', '1']), await hearback(['transcribe', folder, '--json', '--workers', '3'])];
    expect([one.code, three.code]).toEqual([0, 0]);
    expect(jsonLines(one.stdout)).toHaveLength(10);
    expect(jsonLines(three.stdout)).toEqual(jsonLines(one.stdout));
  });

  it('monitor: a recording gives the same events in the same order, findings among them', { timeout: 240_000 }, async () => {
    const recording = join(root, 'fixtures', 'demo', 'tower-and-approach.ogg');
    const events = async (workers: string): Promise<unknown[]> => {
      const ran = await hearback(['monitor', recording, '--speed', 'max', '--no-session', '--json', '--workers', workers]);
      expect(ran.code, ran.stderr).toBe(0);
      return jsonLines(ran.stdout).map(timeless);
    };
    const [one, two] = [await events('1'), await events('2')];
    const kinds = one.map((line) => (line as { event: { type: string } }).event.type);
    expect(kinds.filter((kind) => kind === 'finding.made').length).toBeGreaterThan(15);
    // reading is ahead of hearing by as much as there is time for: only what follows from what was heard has an order
    const heard = (lines: unknown[]): unknown[] => lines.filter((line) => (line as { event: { type: string } }).event.type !== 'transmission.captured');
    expect(heard(two)).toEqual(heard(one));
  });
});
