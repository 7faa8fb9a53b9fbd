/** Several things under way at once, told one after the other. */

/** One item's lines while it may still be under way. */
export interface InOrder<Item, Line> {
  readonly item: Item;
  readonly index: number;
  /** Throws what the work on this item threw, behind the lines that came before. */
  readonly lines: AsyncIterable<Line>;
}

/** How many items may be finished and wait to be told, for each that may be under way. */
const WAITING = 8;

class Pump<Line> {
  readonly #lines: Line[] = [];
  readonly #source: AsyncIterator<Line>;
  #ended = false;
  #failure: { readonly thrown: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(source: AsyncIterable<Line>, onEnd: () => void) {
    this.#source = source[Symbol.asyncIterator]();
    void this.#run().finally(onEnd);
  }

  async #run(): Promise<void> {
    try {
      for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) {
        this.#lines.push(next.value);
        this.#wake?.();
      }
    } catch (thrown) {
      this.#failure = { thrown };
    }
    this.#ended = true;
    this.#wake?.();
  }

  /** Ends the work at its next line. */
  stop(): void {
    void this.#source.return?.().catch(() => undefined);
  }

  async *lines(): AsyncGenerator<Line> {
    for (;;) {
      while (this.#lines.length > 0) yield this.#lines.shift() as Line;
      if (this.#ended) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure.thrown;
  }
}

/** Works on up to `atOnce` items at a time, and gives what each yields in the order of the items. Whoever leaves early ends the work on all. */
export function* inOrder<Item, Line>(items: readonly Item[], atOnce: number, work: (item: Item, index: number) => AsyncIterable<Line>): Generator<InOrder<Item, Line>> {
  const started: Pump<Line>[] = [];
  let underWay = 0;
  let told = 0;
  let left = false;
  const start = (): void => {
    while (!left && underWay < atOnce && started.length < items.length && started.length - told < atOnce * WAITING) {
      const index = started.length;
      underWay++;
      started.push(
        new Pump(work(items[index] as Item, index), () => {
          underWay--;
          start();
        }),
      );
    }
  };
  try {
    for (const [index, item] of items.entries()) {
      start();
      const pump = started[index];
      if (pump === undefined) return;
      yield { item, index, lines: pump.lines() };
      told = index + 1;
    }
  } finally {
    left = true;
    for (const pump of started.slice(told)) pump.stop();
  }
}
