/**
 * Two systems on the same items: is the difference more than chance?
 */
import { generator } from '../../domain/random.js';
import type { Resampling } from './interval.js';

/** `difference`: second less first, with its interval at 95 %. */
export interface Difference {
  readonly first: number | null;
  readonly second: number | null;
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Two-sided; that of the test named in `test`. */
  readonly p: number | null;
  readonly test: 'mcnemar' | 'bootstrap';
  /** Of a share: items of which it is true of one alone. */
  readonly only?: { readonly first: number; readonly second: number };
  readonly of: number;
}

/**
 * McNemar's test, exact: of the items of which it is true of one system alone, as many should be the first's as the second's. Two-sided
 * binomial, at most 1.
 */
export function mcnemar(firstOnly: number, secondOnly: number): number {
  const n = firstOnly + secondOnly;
  const least = Math.min(firstOnly, secondOnly);
  // ln C(n, k) − n ln 2, summed from k = 0
  let term = -n * Math.LN2;
  let sum = 0;
  for (let k = 0; k <= least; k++) {
    sum += Math.exp(term);
    term += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, 2 * sum);
}

/** A figure of both systems over one sample. */
export type Both<T> = (sample: readonly T[]) => readonly [first: number, second: number];

/**
 * Percentile interval of the difference over resamples of the pairs (or of `groupOf`'s groups); p: how often a resample's difference is on the
 * other side of 0, twice the smaller share, no less than 2 / (rounds + 1).
 */
export function pairedBootstrap<T>(items: readonly T[], both: Both<T>, { seed = 1, rounds = 1000 }: Resampling = {}, groupOf: (item: T) => string | undefined = () => undefined): Difference {
  if (items.length === 0) return { first: null, second: null, difference: null, low: null, high: null, p: null, test: 'bootstrap', of: 0 };
  const groups = new Map<string, T[]>();
  items.forEach((item, index) => {
    const key = groupOf(item) ?? `item ${String(index)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  });
  const drawable = [...groups.values()];
  const random = generator(seed);
  const differences: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const sample: T[] = [];
    for (let i = 0; i < drawable.length; i++) for (const item of drawable[Math.floor(random() * drawable.length)] ?? []) sample.push(item);
    const [a, b] = both(sample);
    if (Number.isFinite(b - a)) differences.push(b - a);
  }
  differences.sort((a, b) => a - b);
  const at = (part: number): number | null => differences[Math.round(part * (differences.length - 1))] ?? null;
  const [first, second] = both(items);
  const below = differences.filter((value) => value <= 0).length;
  const above = differences.filter((value) => value >= 0).length;
  return { first, second, difference: second - first, low: at(0.025), high: at(0.975), p: Math.min(1, (2 * (1 + Math.min(below, above))) / (rounds + 1)), test: 'bootstrap', of: items.length };
}

/** Shares of items: McNemar's p beside the interval of the bootstrap. Where items belong to recordings they are not independent, and p is the bootstrap's. */
export function pairedShare<T>(items: readonly T[], is: (item: T) => readonly [first: boolean, second: boolean], resampling: Resampling = {}, groupOf: (item: T) => string | undefined = () => undefined): Difference {
  const rows = items.map((item) => ({ group: groupOf(item), hit: is(item) }));
  const share = (sample: typeof rows, which: 0 | 1): number => sample.filter(({ hit }) => hit[which]).length / sample.length;
  const found = pairedBootstrap(rows, (sample) => [share(sample as typeof rows, 0), share(sample as typeof rows, 1)], resampling, ({ group }) => group);
  const only = { first: rows.filter(({ hit }) => hit[0] && !hit[1]).length, second: rows.filter(({ hit }) => !hit[0] && hit[1]).length };
  if (rows.some(({ group }) => group !== undefined)) return { ...found, only };
  return { ...found, only, ...(rows.length === 0 ? {} : { p: mcnemar(only.first, only.second) }), test: 'mcnemar' };
}

/** Holm's correction for several tests at once, in the order given; null stays null. */
export function holm(values: readonly (number | null)[]): (number | null)[] {
  const order = values.flatMap((p, i) => (p === null ? [] : [{ p, i }])).sort((a, b) => a.p - b.p);
  const out: (number | null)[] = values.map(() => null);
  let most = 0;
  order.forEach(({ p, i }, rank) => {
    most = Math.max(most, Math.min(1, p * (order.length - rank)));
    out[i] = most;
  });
  return out;
}
