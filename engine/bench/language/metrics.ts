/**
 * Figures of the language part, as pure functions: shares with their intervals, precision and recall of pairing, verdicts, times.
 */

/** A share: how many of how many, with the Wilson interval at 95 % (which holds near 0 and 1); `rate` null when there was nothing to count. */
export interface Share {
  readonly of: number;
  readonly right: number;
  readonly rate: number | null;
  readonly low: number;
  readonly high: number;
}

const Z = 1.959964;

/** The share of `right` in `of`. Wilson (1927): centre (p + z²/2n) / (1 + z²/n), half width z √(p(1−p)/n + z²/4n²) / (1 + z²/n). */
export function share(right: number, of: number): Share {
  if (of === 0) return { of, right, rate: null, low: 0, high: 1 };
  const p = right / of;
  const z2 = (Z * Z) / of;
  const centre = (p + z2 / 2) / (1 + z2);
  const half = (Z * Math.sqrt((p * (1 - p)) / of + z2 / (4 * of))) / (1 + z2);
  return { of, right, rate: p, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** One exchange as ids: what instructs, and what reads it back (empty: nothing does). */
export interface Answered {
  readonly instructions: readonly string[];
  readonly readbacks: readonly string[];
}

export interface Pairing {
  readonly precision: Share;
  readonly recall: Share;
  /** "instruction>readback" links that were found and are none, and that are and were not found. */
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

/** All "instruction>readback" links of an exchange: every transmission of one half with every one of the other. */
export const linksOf = (exchange: Answered): string[] => exchange.instructions.flatMap((i) => exchange.readbacks.map((r) => `${i}>${r}`));

/**
 * Precision and recall over links. An exchange of one instruction and a readback in two halves has two links. Links of `neither`
 * count nowhere, found or not. A transmission that holds both halves links to itself.
 */
export function pairing(found: readonly Answered[], gold: readonly Answered[], neither: readonly Answered[] = []): Pairing {
  const passed = new Set(neither.flatMap(linksOf));
  const links = new Set(found.flatMap(linksOf).filter((link) => !passed.has(link)));
  const wanted = new Set(gold.flatMap(linksOf).filter((link) => !passed.has(link)));
  const wrong = [...links].filter((link) => !wanted.has(link));
  const missed = [...wanted].filter((link) => !links.has(link));
  return { precision: share(links.size - wrong.length, links.size), recall: share(wanted.size - missed.length, wanted.size), wrong, missed };
}

/** Counts of what was answered, by what is right. Rows and columns are in the order in which they first came. */
export type Confusion = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Counts of [gold, answer]. */
export function confusion(answers: readonly (readonly [gold: string, answer: string])[]): Confusion {
  const table: Record<string, Record<string, number>> = {};
  for (const [gold, answer] of answers) {
    const row = (table[gold] ??= {});
    row[answer] = (row[answer] ?? 0) + 1;
  }
  return table;
}

/** The value below which that part of the values lies, by nearest rank: of 1, 2, 3, 4 the median is 2, the 99th percentile 4. NaN for none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/** Milliseconds of repeated runs. */
export interface Times {
  readonly runs: number;
  /** Over all runs: what else the machine was doing is in them. */
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
  /** The 99th percentile over the inputs of each one's median: how long the slowest inputs take. */
  readonly slowest: number;
}

/** Median, 99th percentile and longest of durations in milliseconds; one list of runs for each input. */
export function times(byInput: readonly (readonly number[])[]): Times {
  const all = byInput.flat();
  return { runs: all.length, median: quantile(all, 0.5), p99: quantile(all, 0.99), longest: all.reduce((most, value) => Math.max(most, value), 0), slowest: quantile(byInput.map((runs) => quantile(runs, 0.5)), 0.99) };
}
