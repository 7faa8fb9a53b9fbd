/**
 * Loops: a recogniser that has lost the audio writes the same words again and again.
 */

/**
 * The longest loop in `items`: a sequence that is repeated directly after itself.
 *
 * @returns its length, how often it stands, where it begins, and where what follows it begins (a last unfinished round belongs to it); undefined when nothing is repeated more often than speech does
 */
export function findLoop(items: readonly (string | number)[]): { readonly length: number; readonly times: number; readonly from: number; readonly to: number } | undefined {
  let worst: { length: number; times: number; from: number; to: number } | undefined;
  for (let length = 1; length <= Math.min(12, Math.floor(items.length / 3)); length++) {
    // digits come in rows ("seven seven seven seven", "one one one one"), commands are said twice or three times
    const allowed = length === 1 ? 5 : length === 2 ? 3 : 2;
    let same = 0;
    for (let i = length; i <= items.length; i++) {
      if (i < items.length && items[i] === items[i - length]) {
        same++;
        continue;
      }
      const times = Math.floor(same / length) + 1;
      if (times > allowed && (worst === undefined || times * length > worst.times * worst.length)) worst = { length, times, from: i - same - length, to: i };
      same = 0;
    }
  }
  return worst;
}

/** `items` with that loop standing once. */
export function withoutLoop<T>(items: readonly T[], loop: { readonly length: number; readonly from: number; readonly to: number }): T[] {
  return [...items.slice(0, loop.from + loop.length), ...items.slice(loop.to)];
}
