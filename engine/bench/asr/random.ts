/**
 * What the benchmark draws with: seeds from texts, and choices. The numbers come from domain/random.ts.
 */

/** A whole number for a text (FNV-1a, 32 bits), as a seed. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

export const between = (random: () => number, low: number, high: number): number => low + (high - low) * random();

/** One of a list that is not empty. */
export function oneOf<T>(random: () => number, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0];
}
