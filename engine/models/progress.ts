/**
 * How far a pull is, how fast, and how long it will still take.
 */
import { formatBytes } from './disk.js';

/** What a pull is doing. Bytes are those of the whole pull, not of one file. */
export interface PullProgress {
  readonly id: string;
  readonly stage: 'planning' | 'downloading' | 'waiting' | 'unpacking' | 'verifying' | 'done';
  /** File or package that it is about. */
  readonly file?: string;
  readonly bytesDone: number;
  /** Undefined while a hub has not said how large its files are. */
  readonly bytesTotal: number | undefined;
  readonly bytesPerSecond: number | undefined;
  readonly secondsLeft: number | undefined;
}

/** Seconds that the speed is averaged over: long enough to be calm, short enough to follow a change. */
const WINDOW = 10;

/** Measures speed over the last ten seconds. `now` gives milliseconds. */
export class SpeedMeter {
  readonly #now: () => number;
  #marks: { at: number; bytes: number }[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes note that `bytes` have been done in all. */
  add(bytes: number): void {
    const at = this.#now();
    this.#marks.push({ at, bytes });
    const oldest = at - WINDOW * 1000;
    // keep one mark from before the window, so that there is always a full window to measure over
    while (this.#marks.length > 2 && (this.#marks[1]?.at ?? at) < oldest) this.#marks.shift();
    // a fast download calls thousands of times a second
    if (this.#marks.length > 512) this.#marks = this.#marks.filter((_, index) => index % 2 === 0 || index === this.#marks.length - 1);
  }

  /** Bytes a second, or undefined before there is anything to measure. */
  get rate(): number | undefined {
    const first = this.#marks[0];
    const last = this.#marks.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const seconds = (last.at - first.at) / 1000;
    if (seconds < 0.2) return undefined;
    return (last.bytes - first.bytes) / seconds;
  }

  /** Forgets everything: another kind of work begins, with another speed. */
  reset(): void {
    this.#marks = [];
  }
}

/** Seconds for people: "8 s", "3 min 20 s", "1 h 12 min". */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return whole % 60 === 0 ? `${Math.floor(whole / 60)} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** One line for a terminal, without the id. */
export function formatProgress(progress: PullProgress): string {
  const about = progress.file === undefined ? '' : ` ${progress.file}`;
  if (progress.stage === 'done') return 'done';
  if (progress.bytesTotal === undefined || progress.bytesTotal === 0) return `${progress.stage}${about}${progress.bytesDone > 0 ? ` (${formatBytes(progress.bytesDone)})` : ''}`;
  const percent = Math.min(100, Math.floor((100 * progress.bytesDone) / progress.bytesTotal));
  const details = [`${formatBytes(progress.bytesDone)} of ${formatBytes(progress.bytesTotal)}`];
  if (progress.bytesPerSecond !== undefined && progress.bytesPerSecond > 0) details.push(`${formatBytes(progress.bytesPerSecond)}/s`);
  if (progress.secondsLeft !== undefined) details.push(`${formatSeconds(progress.secondsLeft)} left`);
  return `${progress.stage}${about} ${percent} % (${details.join(', ')})`;
}

/** Turns byte counts of one pull into progress reports, at most ten a second plus every change of stage or file. */
export class ProgressReporter {
  readonly #id: string;
  readonly #tell: ((progress: PullProgress) => void) | undefined;
  readonly #meter: SpeedMeter;
  readonly #now: () => number;
  #stage: PullProgress['stage'] = 'planning';
  #file: string | undefined;
  #done = 0;
  #total: number | undefined;
  #told = -Infinity;
  /** Whether a byte came since the stage began: the time before it is start-up, not speed. */
  #moving = false;

  constructor(id: string, tell: ((progress: PullProgress) => void) | undefined, now: () => number = () => performance.now()) {
    this.#id = id;
    this.#tell = tell;
    this.#now = now;
    this.#meter = new SpeedMeter(now);
  }

  /** Begins a stage of `total` bytes, of which `done` were there before (they do not count as speed). */
  stage(stage: PullProgress['stage'], total: number | undefined, done = 0): void {
    this.#stage = stage;
    this.#file = undefined;
    this.#total = total;
    this.#done = done;
    this.#moving = false;
    this.#meter.reset();
    this.#meter.add(done);
    this.#emit(true);
  }

  /** Names the file at hand. */
  file(file: string): void {
    if (file === this.#file) return;
    this.#file = file;
    this.#emit(true);
  }

  /** Takes note of `count` more bytes, or fewer: a broken download may have to begin again. */
  add(count: number): void {
    this.set(this.#done + count);
  }

  /** Counts bytes that were there already: progress, but no speed. */
  skip(count: number): void {
    this.#done += count;
    this.#moving = true;
    this.#meter.reset();
    this.#meter.add(this.#done);
    this.#emit(true);
  }

  /** Sets how many bytes of the stage are done. */
  set(done: number): void {
    // going back is not speed: measure anew
    if (done < this.#done || (!this.#moving && done > this.#done)) this.#meter.reset();
    this.#moving ||= done > this.#done;
    this.#done = done;
    this.#meter.add(done);
    this.#emit(false);
  }

  /** Reports a pause, then the stage that went on before. */
  async pause<T>(wait: Promise<T>): Promise<T> {
    const stage = this.#stage;
    this.#stage = 'waiting';
    this.#emit(true);
    try {
      return await wait;
    } finally {
      this.#stage = stage;
      this.#meter.reset();
      this.#meter.add(this.#done);
    }
  }

  #emit(always: boolean): void {
    if (this.#tell === undefined) return;
    const now = this.#now();
    if (!always && now - this.#told < 100) return;
    this.#told = now;
    const rate = this.#stage === 'waiting' ? undefined : this.#meter.rate;
    const secondsLeft = this.#total === undefined || rate === undefined || rate <= 0 ? undefined : Math.max(0, this.#total - this.#done) / rate;
    this.#tell({
      id: this.#id,
      stage: this.#stage,
      ...(this.#file === undefined ? {} : { file: this.#file }),
      bytesDone: this.#done,
      bytesTotal: this.#total,
      bytesPerSecond: rate,
      secondsLeft,
    });
  }
}
