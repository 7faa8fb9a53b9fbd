/**
 * Files of one JSON line an answer, to which a run appends and from which it goes on.
 */
import { existsSync, readFileSync, truncateSync } from 'node:fs';

/** The whole lines of a file, none when there is no file; half a line at the end, left by a kill, is cut off. */
export function wholeLines(path: string): string[] {
  if (!existsSync(path)) return [];
  const content = readFileSync(path);
  const end = content.lastIndexOf(0x0a) + 1;
  if (end !== content.length) truncateSync(path, end);
  return content.subarray(0, end).toString('utf8').split('\n').filter((line) => line !== '');
}
