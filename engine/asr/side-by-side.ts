/**
 * Several recognisers of one model beside each other, for recordings that are read as fast as they can be. Each piece is heard by one of
 * them alone, so what is heard does not depend on what was read beside it, unlike in pieces that share one run of an 8-bit network
 * (docs/architecture.md, recogniser).
 */
import { availableParallelism } from 'node:os';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { Notice, Recogniser, Recognition } from '../domain/stages.js';
import { createRecogniser, THREADS_AT_MOST, type RecogniserOptions } from './recogniser.js';

interface Member {
  readonly recogniser: Promise<Recogniser>;
  /** Pieces that it has been given and has not answered yet. */
  given: number;
  gone: boolean;
}

/** What a recogniser says when it will never answer again. */
const GONE = new Set(['worker-died', 'model-missing', 'model-broken']);

/**
 * Opens the first; the others follow when there is more to do than those that are open can take. `threads` is for each of them; where it is
 * not given, they share what a single one would use.
 *
 * @throws HearbackError as `createRecogniser`
 */
export async function createRecognisers(options: RecogniserOptions & { readonly workers: number }): Promise<Recogniser> {
  const { workers, ...one } = options;
  const threads = one.threads ?? Math.max(1, Math.floor(Math.min(THREADS_AT_MOST, availableParallelism()) / workers));
  const all = new SideBySide(workers, () => createRecogniser({ ...one, threads }));
  await all.first();
  return all;
}

/** Exported for its tests. */
export class SideBySide implements Recogniser {
  readonly atOnce: number;
  readonly #open: () => Promise<Recogniser>;
  readonly #members: Member[] = [];
  readonly #notices: Notice[] = [];
  #known: readonly Recogniser[] = [];
  /** Another one could not be opened: it is not tried again. */
  #enough = false;
  #closed = false;

  constructor(atOnce: number, open: () => Promise<Recogniser>) {
    this.atOnce = atOnce;
    this.#open = open;
  }

  /** Opens one. @throws what opening throws */
  async first(): Promise<void> {
    await this.#another().recogniser;
  }

  get model(): string {
    return this.#known[0]?.model ?? '';
  }
  get device(): string {
    return this.#known[0]?.device ?? '';
  }
  get notices(): readonly Notice[] {
    const all = [...this.#notices, ...this.#known.flatMap(({ notices }) => notices)];
    return all.filter(({ text }, at) => all.findIndex((other) => other.text === text) === at);
  }

  async recognise(samples: Float32Array, options?: Parameters<Recogniser['recognise']>[1]): Promise<Recognition> {
    for (;;) {
      if (this.#closed) throw new HearbackError('internal', 'The recogniser has been closed.');
      const member = this.#choose();
      member.given++;
      let opened = false;
      try {
        const recogniser = await member.recogniser;
        opened = true;
        return await recogniser.recognise(samples, options);
      } catch (thrown) {
        const error = toHearbackError(thrown);
        if (opened && !GONE.has(error.code)) throw error;
        member.gone = true;
        this.#enough = true;
        if (this.#members.every(({ gone }) => gone)) throw error;
        const text = `One of ${this.atOnce} recognisers beside each other ${opened ? 'is gone' : 'could not be started'}; the others go on. ${error.sentence}`;
        if (!this.#notices.some((known) => known.text === text)) this.#notices.push({ kind: 'recogniser', severity: 'warning', text });
      } finally {
        member.given--;
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#members.map(async ({ recogniser }) => (await recogniser.catch(() => undefined))?.close()));
  }

  #another(): Member {
    const recogniser = this.#open();
    const member: Member = { recogniser, given: 0, gone: false };
    this.#members.push(member);
    recogniser.then(
      (opened) => {
        this.#known = [...this.#known, opened];
      },
      () => {
        member.gone = true;
      },
    );
    return member;
  }

  /** One that has nothing to do; a new one where all are at work; else the one with least before it. */
  #choose(): Member {
    const here = this.#members.filter(({ gone }) => !gone);
    const least = (here.length > 0 ? here : this.#members).reduce<Member | undefined>((best, each) => (best === undefined || each.given < best.given ? each : best), undefined);
    if (least !== undefined && (least.given === 0 || this.#enough || this.#members.length >= this.atOnce)) return least;
    return this.#another();
  }
}
