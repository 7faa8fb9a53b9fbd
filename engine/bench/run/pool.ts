/**
 * A few of something that is dear to open and does one thing at a time: recognisers, each in a process of its own. Unlike
 * `SideBySide` of engine/asr it lets the caller wait for a free one, so that the time a piece takes can be measured without the waiting.
 */
interface Closable {
  close(): Promise<void>;
}

export class Pool<T extends Closable> {
  readonly #open: () => Promise<T>;
  readonly #most: number;
  readonly #opened: Promise<T>[] = [];
  readonly #free: T[] = [];
  readonly #waiting: { readonly take: (one: T) => void; readonly fail: (why: unknown) => void }[] = [];

  /** At most `most`, each opened when it is first needed. */
  constructor(most: number, open: () => Promise<T>) {
    this.#most = most;
    this.#open = open;
  }

  /** Does `work` with one that nobody else has meanwhile; waits for one where all are taken, in turn. @throws what opening and `work` throw */
  async with<R>(work: (one: T) => Promise<R>): Promise<R> {
    const one = await this.#take();
    try {
      return await work(one);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(one);
      else next.take(one);
    }
  }

  async #take(): Promise<T> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#opened.length < this.#most) {
      const opening = this.#open();
      this.#opened.push(opening);
      try {
        return await opening;
      } catch (thrown) {
        // so that the next one tries again instead of waiting for what never comes
        void this.#opened.splice(this.#opened.indexOf(opening), 1);
        if (this.#opened.length === 0) for (const { fail } of this.#waiting.splice(0)) fail(thrown);
        throw thrown;
      }
    }
    return new Promise((take, fail) => this.#waiting.push({ take, fail }));
  }

  /** Closes all that were opened. */
  async close(): Promise<void> {
    for (const opening of this.#opened.splice(0)) await (await opening.catch(() => undefined))?.close();
    this.#free.length = 0;
  }
}
