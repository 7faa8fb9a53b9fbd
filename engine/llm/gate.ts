/**
 * How many requests run at once and how many begin in a stretch of time. First come, first served.
 */

export interface RateLimit {
  readonly requests: number;
  /** Milliseconds in which at most so many begin. */
  readonly per: number;
}

export class Gate {
  readonly #concurrency: number;
  readonly #rate: RateLimit | undefined;
  #running = 0;
  #turn: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;
  readonly #starts: number[] = [];

  constructor(concurrency: number, rate?: RateLimit) {
    this.#concurrency = concurrency;
    this.#rate = rate;
  }

  /** Runs `work` when there is a place. @throws the signal's reason when it fires while waiting. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#turn;
    let done: () => void = () => undefined;
    this.#turn = new Promise((resolve) => {
      done = resolve;
    });
    try {
      await orAborted(before, signal);
      while (this.#running >= this.#concurrency) {
        await orAborted(
          new Promise<void>((resolve) => {
            this.#wake = resolve;
          }),
          signal,
        );
      }
      await this.startable(signal);
      this.#running++;
    } finally {
      // whoever gives up waiting hands the turn on only after those before have had theirs
      void before.then(done);
    }
    try {
      return await work();
    } finally {
      this.#running--;
      this.#wake?.();
    }
  }

  /** Waits until one more may begin, and counts it: an attempt that is repeated counts again. */
  async startable(signal: AbortSignal): Promise<void> {
    if (this.#rate === undefined) return;
    const { requests, per } = this.#rate;
    for (;;) {
      const now = performance.now();
      while ((this.#starts[0] ?? Infinity) <= now - per) this.#starts.shift();
      if (this.#starts.length < requests) {
        this.#starts.push(now);
        return;
      }
      await pause((this.#starts[0] ?? now) + per - now + 1, signal);
    }
  }
}

/** The promise's outcome, unless the signal fires first. @throws the signal's reason. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits so many milliseconds. @throws the signal's reason when it fires first. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await orAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
