/** Highest resident memory of this process and of those that it started. */
import { readdirSync, readFileSync } from 'node:fs';

export const programPeak = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

/** MB, summed over the processes that run now; null where /proc does not tell. */
export function childrenPeak(): number | null {
  try {
    const ids = readdirSync('/proc/self/task').flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter((id) => id !== ''));
    return Math.round(ids.reduce((sum, id) => sum + Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0), 0) / 1024);
  } catch {
    return null;
  }
}
