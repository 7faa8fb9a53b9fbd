/**
 * Word error rate with its interval.
 */
import { bootstrap } from '../scores/interval.js';

/** Errors of one text against its reference; `words`: of the reference. */
export interface WordErrors {
  readonly words: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}

/** Least number of substitutions, deletions and insertions that make `reference` into `said` (Levenshtein over words). Of equal sums, the one with most substitutions. */
export function wordErrors(reference: readonly string[], said: readonly string[]): WordErrors {
  interface Cell {
    readonly cost: number;
    readonly s: number;
    readonly d: number;
    readonly i: number;
  }
  let row: Cell[] = Array.from({ length: said.length + 1 }, (_, j) => ({ cost: j, s: 0, d: 0, i: j }));
  for (const [at, word] of reference.entries()) {
    const next: Cell[] = [{ cost: at + 1, s: 0, d: at + 1, i: 0 }];
    for (let j = 1; j <= said.length; j++) {
      const diagonal = row[j - 1];
      const above = row[j];
      const left = next[j - 1];
      if (diagonal === undefined || above === undefined || left === undefined) continue;
      const same = word === said[j - 1];
      const candidates: Cell[] = [
        same ? diagonal : { ...diagonal, cost: diagonal.cost + 1, s: diagonal.s + 1 },
        { ...above, cost: above.cost + 1, d: above.d + 1 },
        { ...left, cost: left.cost + 1, i: left.i + 1 },
      ];
      next.push(candidates.reduce((best, cell) => (cell.cost < best.cost ? cell : best)));
    }
    row = next;
  }
  const end = row[said.length];
  return { words: reference.length, substitutions: end?.s ?? 0, deletions: end?.d ?? 0, insertions: end?.i ?? 0 };
}

/** A rate over clips with its 95 % interval; `rate` null when there was nothing to count. */
export interface Rate {
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly errors: number;
  readonly of: number;
}

/**
 * Sum of errors over sum of words, and the percentile interval of `rounds` resamples of whole clips (the words of one clip do not err
 * independently of each other).
 */
export function bootstrapRate(clips: readonly { readonly errors: number; readonly of: number }[], seed = 1, rounds = 1000): Rate {
  const sum = (list: typeof clips, key: 'errors' | 'of'): number => list.reduce((total, clip) => total + clip[key], 0);
  const [errors, of] = [sum(clips, 'errors'), sum(clips, 'of')];
  if (of === 0) return { rate: null, low: null, high: null, errors, of };
  const { rate } = bootstrap(clips, { rate: (drawn) => sum(drawn, 'errors') / sum(drawn, 'of') }, { seed, rounds });
  return { rate: rate.value, low: rate.low, high: rate.high, errors, of };
}
