import { describe, expect, it } from 'vitest';
import { alignSteps, type AlignmentStep } from './alignment.js';

/** Attention of two heads: one that looks at `centre`, one that looks everywhere. */
const looking = (centre: number, positions: number): AlignmentStep => {
  const weights = new Float32Array(2 * positions);
  for (let p = 0; p < positions; p++) {
    weights[p] = Math.exp(-(((p - centre) / 3) ** 2)) / 5;
    weights[positions + p] = 1 / positions;
  }
  return { heads: 2, positions, weights };
};

describe('alignment', () => {
  it('follows where the heads look', () => {
    const centres = [10, 30, 70, 95];
    const starts = alignSteps(
      centres.map((centre) => looking(centre, 120)),
      100,
    );
    // a step starts between its own centre and the one before
    starts.forEach((start, i) => {
      expect(start).toBeLessThanOrEqual(centres[i] ?? 0);
      if (i > 0) expect(start).toBeGreaterThan(centres[i - 1] ?? 0);
    });
  });

  it('never goes back, even when the looks do', () => {
    const starts = alignSteps(
      [50, 20, 80, 10, 90].map((centre) => looking(centre, 100)),
      100,
    );
    for (let i = 1; i < starts.length; i++) expect(starts[i] ?? 0).toBeGreaterThanOrEqual(starts[i - 1] ?? 0);
  });

  it('has an answer for no steps, no positions, and more steps than positions', () => {
    expect(alignSteps([], 10)).toEqual([]);
    expect(alignSteps([looking(3, 10)], 0)).toEqual([0]);
    expect(
      alignSteps(
        [1, 1, 2, 2, 2].map((centre) => looking(centre, 10)),
        3,
      ),
    ).toHaveLength(5);
  });
});
