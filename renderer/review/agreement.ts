/** How far two people agree: Cohen (1960), "A coefficient of agreement for nominal scales". */
export interface Agreement {
  /** Items that both judged. */
  readonly both: number;
  /** Share of equal answers, 0…1. */
  readonly observed: number;
  /** 1: always agree; 0: as often as chance; undefined where chance alone would agree always, or nothing was judged by both. */
  readonly kappa: number | undefined;
}

/** @param pairs the two answers on each item that both judged. */
export function agreement(pairs: readonly (readonly [string, string])[]): Agreement {
  const both = pairs.length;
  if (both === 0) return { both, observed: 0, kappa: undefined };
  const share = (side: 0 | 1, answer: string): number => pairs.filter((pair) => pair[side] === answer).length / both;
  const observed = pairs.filter(([a, b]) => a === b).length / both;
  const answers = new Set(pairs.flat());
  const expected = [...answers].reduce((sum, answer) => sum + share(0, answer) * share(1, answer), 0);
  return { both, observed, kappa: expected >= 1 ? undefined : (observed - expected) / (1 - expected) };
}
