/**
 * The benchmark as files: one JSON line an item, and a manifest with their hashes.
 */
import { createHash } from 'node:crypto';
import { makeGround } from '../ground/make.js';
import { makeTask1 } from './task1.js';
import { makeTask2 } from './task2.js';

/** Rises when the same seed gives other items. */
export const GENERATOR_VERSION = 1;
/** Of the frozen files in fixtures/bench. */
export const FROZEN_SEED = 2026;

export const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex');

/** File names with their content for a seed. Takes a few seconds. */
export function benchmarkFiles(seed: number): ReadonlyMap<string, string> {
  const lines = (items: readonly unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const files = new Map([
    ['task1.jsonl', lines(makeTask1(seed))],
    ['task2.jsonl', lines(makeTask2(seed))],
    ['ground.jsonl', lines(makeGround(seed))],
  ]);
  const about = 'Reconstruction of the Task 1 and Task 2 sets of arXiv 2608.24621 and of the ground set of arXiv 2605.11769 from their published counts. Synthetic; not the authors\' items. CC0-1.0.';
  const manifest = { format: 1, about, generator: GENERATOR_VERSION, seed, sha256: Object.fromEntries([...files].map(([name, content]) => [name, sha256Of(content)])) };
  return files.set('benchmark.json', `${JSON.stringify(manifest, null, 1)}\n`);
}
