/**
 * Figures with their intervals at 95 %: bootstrap over items or recordings, Wilson near 0 and 1, 3/n where nothing was found.
 */
import { generator } from '../../domain/random.js';
import { share } from '../language/metrics.js';

/** One figure. `of`: the items that it is taken over; `value` null where there were none. */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly of: number;
  /** How the interval was made; `bounds`: from those of the figures that it is made of. */
  readonly by: 'bootstrap' | 'wilson' | '3/n' | 'bounds';
}

export interface Resampling {
  readonly seed?: number;
  /** Resamples; 1,000 in the paper (arXiv 2608.24621, D.4). */
  readonly rounds?: number;
}

/**
 * Figures over one sample, and their percentile intervals over resamples drawn with replacement. All figures see the same resamples. A
 * figure of 0 or 1 that no resample changes has 3/n as its far end: as if, of what was drawn as a whole, so many could fail altogether.
 * `groupOf`: what is drawn as a whole (the items of one recording do not err independently); undefined: the item alone.
 */
export function bootstrap<T, K extends string>(items: readonly T[], figures: Readonly<Record<K, (sample: readonly T[]) => number>>, { seed = 1, rounds = 1000 }: Resampling = {}, groupOf: (item: T) => string | undefined = () => undefined): Record<K, Estimate> {
  const names = Object.keys(figures) as K[];
  const groups = new Map<string, T[]>();
  items.forEach((item, index) => {
    const key = groupOf(item) ?? `item ${String(index)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  });
  const drawable = [...groups.values()];
  const random = generator(seed);
  const drawn = new Map<K, number[]>(names.map((name) => [name, []]));
  if (items.length > 0) {
    for (let round = 0; round < rounds; round++) {
      const sample: T[] = [];
      for (let i = 0; i < drawable.length; i++) for (const item of drawable[Math.floor(random() * drawable.length)] ?? []) sample.push(item);
      for (const name of names) drawn.get(name)?.push(figures[name](sample));
    }
  }
  const estimate = (name: K): Estimate => {
    if (items.length === 0) return { value: null, low: null, high: null, of: 0, by: 'bootstrap' };
    const sorted = (drawn.get(name) ?? []).filter(Number.isFinite).sort((a, b) => a - b);
    const at = (part: number): number | null => sorted[Math.round(part * (sorted.length - 1))] ?? null;
    const value = figures[name](items);
    const [low, high] = [at(0.025), at(0.975)];
    // resamples of what never fails never fail, which says nothing of how rare failures are
    if (value === low && value === high && (value === 0 || value === 1)) return { value, low: value === 0 ? 0 : Math.max(0, 1 - 3 / drawable.length), high: value === 1 ? 1 : Math.min(1, 3 / drawable.length), of: items.length, by: '3/n' };
    return { value, low, high, of: items.length, by: 'bootstrap' };
  };
  return Object.fromEntries(names.map((name) => [name, estimate(name)])) as Record<K, Estimate>;
}

/** Below this share of hits, or misses, resampling says too little and Wilson's interval is taken. */
const NEAR = 0.05;

/**
 * The interval of a share by its size: the given one in the middle; Wilson's within 5 % of 0 or 1; with none (or all) in n, 3/n ("rule of
 * three") as the far end. `groups`: of how many recordings, where items belong to some; they are the n then, and Wilson's, which takes
 * items for independent, is not used.
 */
export function proportion(hits: number, of: number, middle: Estimate, groups = of): Estimate {
  if (of === 0) return { value: null, low: null, high: null, of, by: 'wilson' };
  const value = hits / of;
  if (hits === 0) return { value, low: 0, high: Math.min(1, 3 / groups), of, by: '3/n' };
  if (hits === of) return { value, low: Math.max(0, 1 - 3 / groups), high: 1, of, by: '3/n' };
  if (groups < of || (value >= NEAR && value <= 1 - NEAR)) return middle;
  const { low, high } = share(hits, of);
  return { value, low, high, of, by: 'wilson' };
}

/** What of a gold item says which recording it belongs to. */
export interface OfRecording {
  readonly recording?: string | undefined;
}
export const recordingOf = ({ gold }: { readonly gold: OfRecording }): string | undefined => gold.recording;

/** How many recordings there are, items without one counted each. */
export function groupsOf(items: readonly { readonly gold: OfRecording }[]): number {
  const named = items.flatMap(({ gold }) => (gold.recording === undefined ? [] : [gold.recording]));
  return items.length - named.length + new Set(named).size;
}

/** The share of items of which something is true, with its interval. */
export function shareOf<T extends { readonly gold: OfRecording }>(items: readonly T[], is: (item: T) => boolean, resampling: Resampling = {}): Estimate {
  return proportion(items.filter(is).length, items.length, bootstrap(items, { it: (sample) => mean(sample.map((item) => (is(item) ? 1 : 0))) }, resampling, recordingOf).it, groupsOf(items));
}

export const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);

/** F1 of counts. An empty side gives 0, both empty 1. */
export function f1(hits: number, gold: number, predicted: number): number {
  if (gold === 0 && predicted === 0) return 1;
  return gold === 0 || predicted === 0 ? 0 : (2 * hits) / (gold + predicted);
}
