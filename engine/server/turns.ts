/**
 * One recogniser for all sessions: whose turn it is.
 *
 * The process behind it reads one transmission at a time. Every session has at most one waiting (the pipeline keeps their order), so the
 * choice is between sessions: what a person waits for, then live audio, then replays and imports; of live ones the newest first, because its
 * flag still helps, unless another has waited so long that it would never come.
 */
import type { HearbackError} from '../domain/result.js';
import { toHearbackError } from '../domain/result.js';
import type { Recogniser, Recognition } from '../domain/stages.js';

/** asked: a person waits. live: audio as it happens. file: a replay or an import. */
export type Urgency = 'asked' | 'live' | 'file';
const RANK: Readonly<Record<Urgency, number>> = { asked: 0, live: 1, file: 2 };
/** After so many milliseconds the oldest goes first, whatever its rank. */
const LONGEST_WAIT = 5000;

interface Waiting {
  readonly rank: number;
  readonly since: number;
  readonly start: () => void;
}

/** Index of the one whose turn it is; -1 when nobody waits. Pure. */
export function nextTurn(waiting: readonly Pick<Waiting, 'rank' | 'since'>[], now: number): number {
  const late = (each: Pick<Waiting, 'since'>): boolean => now - each.since > LONGEST_WAIT;
  const before = (a: Pick<Waiting, 'rank' | 'since'>, b: Pick<Waiting, 'rank' | 'since'>): boolean => {
    if (late(a) || late(b)) return a.since < b.since;
    if (a.rank !== b.rank) return a.rank < b.rank;
    return a.rank === RANK.live ? a.since > b.since : a.since < b.since;
  };
  let best = -1;
  waiting.forEach((each, at) => {
    const held = waiting[best];
    if (held === undefined || before(each, held)) best = at;
  });
  return best;
}

/** Hands out recognisers that share one. */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #busy = false;
  #lost: HearbackError | undefined;

  /** @param onLost told once when the recogniser has given up. */
  constructor(
    private readonly recogniser: Recogniser,
    private readonly onLost: (error: HearbackError) => void = () => undefined,
  ) {}

  /** Why nothing can be recognised any more. */
  get lost(): HearbackError | undefined {
    return this.#lost;
  }

  /** The recogniser as one session sees it. Closing it closes nothing. */
  seat(urgency: Urgency): Recogniser {
    const { recogniser } = this;
    return {
      get model() {
        return recogniser.model;
      },
      get device() {
        return recogniser.device;
      },
      get notices() {
        return recogniser.notices;
      },
      recognise: (samples, options) => this.#run(urgency, () => recogniser.recognise(samples, options)),
      close: () => Promise.resolve(),
    };
  }

  async #run(urgency: Urgency, work: () => Promise<Recognition>): Promise<Recognition> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ rank: RANK[urgency], since: performance.now(), start: resolve });
      this.#next();
    });
    try {
      return await work();
    } catch (thrown) {
      const error = toHearbackError(thrown);
      if (this.#lost === undefined && ['worker-died', 'model-missing', 'model-broken'].includes(error.code)) {
        this.#lost = error;
        this.onLost(error);
      }
      throw error;
    } finally {
      this.#busy = false;
      this.#next();
    }
  }

  #next(): void {
    const at = this.#busy ? -1 : nextTurn(this.#waiting, performance.now());
    if (at < 0) return;
    const [next] = this.#waiting.splice(at, 1);
    if (next === undefined) return;
    this.#busy = true;
    next.start();
  }
}
