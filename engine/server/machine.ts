/**
 * What sessions are worked with: recogniser and judge by the user's settings. Another choice takes effect for new sessions, when it is loaded;
 * sessions that run keep what they have until they end.
 */
import { assemble, openRecogniser, type PipelineChoice } from '../assembly.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { Notice, Recogniser } from '../domain/stages.js';
import type { PipelineParts } from '../pipeline.js';
import { textGoes } from './protocol-text.js';
import type { EngineState } from './protocol.js';
import { Turns } from './turns.js';

type Parts = Omit<PipelineParts, 'sink'>;

interface Loaded {
  readonly choice: PipelineChoice;
  readonly parts: Parts;
  readonly turns: Turns;
  users: number;
  retired: boolean;
}

/** One session's hold on the machine. */
export interface Hold {
  readonly parts: Parts;
  readonly turns: Turns;
  release(): void;
}

/** Another recogniser than the one in use is kept so long after its last rerun, milliseconds. */
const SPARE_FOR = 120_000;

export class Machine {
  #loaded: Loaded;
  #busy = false;
  #closing: Promise<unknown>[] = [];
  #spare: { readonly model: string; readonly recogniser: Promise<Recogniser>; timer: NodeJS.Timeout | undefined } | undefined;

  private constructor(
    first: { readonly choice: PipelineChoice; readonly parts: Parts },
    private readonly onState: () => void,
  ) {
    this.#loaded = this.#wrap(first);
  }

  /**
   * @param onState told when {@link state} is another one.
   * @throws HearbackError as of assemble
   */
  static async open(choice: PipelineChoice, onState: () => void): Promise<Machine> {
    return new Machine({ choice, parts: await assemble(choice) }, onState);
  }

  get state(): EngineState {
    const { parts, turns, choice } = this.#loaded;
    return {
      version: parts.version,
      recogniser: parts.recogniser.model,
      device: parts.recogniser.device,
      judge: parts.judge.name,
      profile: parts.profile,
      status: this.#busy ? 'busy' : turns.lost === undefined ? 'ready' : 'lost',
      notices: [...this.notices, ...(turns.lost === undefined ? [] : [{ kind: 'recogniser-gone', severity: 'error' as const, text: turns.lost.sentence }])],
      text_goes: textGoes({ judge: choice.judge ?? 'rules', provider: choice.llmProvider, url: choice.llmUrl }),
    };
  }

  get notices(): readonly Notice[] {
    return [...this.#loaded.parts.recogniser.notices, ...(this.#loaded.parts.judge.notices ?? [])];
  }

  /** For one session, until it releases it. A recogniser that has given up is started anew first. @throws HearbackError when that fails */
  async hold(): Promise<Hold> {
    if (this.#loaded.turns.lost !== undefined) await this.change(this.#loaded.choice);
    const loaded = this.#loaded;
    loaded.users++;
    let held = true;
    return {
      parts: loaded.parts,
      turns: loaded.turns,
      release: () => {
        if (!held) return;
        held = false;
        loaded.users--;
        this.#settle(loaded);
      },
    };
  }

  /** Loads another choice for new sessions; the old one stays when that fails. @throws HearbackError */
  async change(choice: PipelineChoice): Promise<void> {
    if (this.#busy) throw new HearbackError('usage', 'Another choice is being loaded.', { hint: 'Wait until it is, and try again.' });
    this.#busy = true;
    this.onState();
    try {
      const parts = await assemble(choice);
      const before = this.#loaded;
      this.#loaded = this.#wrap({ choice, parts });
      before.retired = true;
      this.#settle(before);
    } finally {
      this.#busy = false;
      this.onState();
    }
  }

  /** The recogniser in use, or another one, for recognising something once more. @throws HearbackError model-missing, unknown-id … */
  async recogniser(model: string | undefined): Promise<Recogniser> {
    const { parts, turns } = this.#loaded;
    if (model === undefined || model === parts.recogniser.model) return turns.seat('asked');
    if (this.#spare?.model !== model) {
      this.#dropSpare();
      this.#spare = { model, recogniser: openRecogniser({ model, device: this.#loaded.choice.device, threads: this.#loaded.choice.threads }), timer: undefined };
    }
    const spare = this.#spare;
    try {
      const recogniser = await spare.recogniser;
      clearTimeout(spare.timer);
      spare.timer = setTimeout(() => {
        if (this.#spare === spare) this.#dropSpare();
      }, SPARE_FOR).unref();
      return recogniser;
    } catch (thrown) {
      if (this.#spare === spare) this.#spare = undefined;
      throw toHearbackError(thrown);
    }
  }

  async close(): Promise<void> {
    this.#dropSpare();
    this.#loaded.retired = true;
    this.#loaded.users = 0;
    this.#settle(this.#loaded);
    await Promise.allSettled(this.#closing);
  }

  #wrap({ choice, parts }: { readonly choice: PipelineChoice; readonly parts: Parts }): Loaded {
    return { choice, parts, turns: new Turns(parts.recogniser, () => { this.onState(); }), users: 0, retired: false }; // prettier-ignore
  }

  /** Closes what nobody uses any more. */
  #settle(loaded: Loaded): void {
    if (!loaded.retired || loaded.users > 0) return;
    this.#closing.push(loaded.parts.recogniser.close(), loaded.parts.judge.close?.() ?? Promise.resolve());
  }

  #dropSpare(): void {
    const spare = this.#spare;
    this.#spare = undefined;
    clearTimeout(spare?.timer);
    if (spare !== undefined) this.#closing.push(spare.recogniser.then((recogniser) => recogniser.close()));
  }
}
