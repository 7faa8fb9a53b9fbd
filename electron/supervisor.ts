/**
 * Keeps the engine running: starts it, reads where it listens, starts it again when it ends without being told to, and gives up when that keeps
 * happening. Knows nothing of Electron, so that it is tested with real processes.
 */

/** A process that runs the engine. */
export interface EngineProcess {
  /** What it writes to its output, as text. */
  onOutput(listener: (text: string) => void): void;
  /** What it complains of. */
  onComplaint(listener: (text: string) => void): void;
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

export interface Address {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly token: string;
}

export type EngineStatus = { readonly state: 'up'; readonly text: string } | { readonly state: 'lost'; readonly text: string };

/** Waits before it is started again, milliseconds; after the last one it is given up. */
export const WAITS: readonly number[] = [250, 1000, 2000, 5000, 10_000];
/** One that ran for so long has recovered: its next end counts as the first, milliseconds. */
export const STEADY = 60_000;

/** The address in the first line that the engine prints; undefined while that line is not whole or says something else. */
export function addressIn(output: string): Address | undefined {
  const end = output.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const parsed: unknown = JSON.parse(output.slice(0, end));
    if (typeof parsed !== 'object' || parsed === null || !('url' in parsed) || !('token' in parsed)) return undefined;
    const { url, token } = parsed;
    return typeof url === 'string' && /^http:\/\/127\.0\.0\.1:\d+$/.test(url) && typeof token === 'string' && token !== '' ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}

export class Supervisor {
  #process: EngineProcess | undefined;
  #address: Address | undefined;
  #waiting: ((address: Address) => void)[] = [];
  #ends = 0;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #complaint = '';

  /**
   * @param start starts a process.
   * @param tell told when the engine is up, and when it was lost, with a sentence for people.
   */
  constructor(
    private readonly start: () => EngineProcess,
    private readonly tell: (status: EngineStatus) => void,
    private readonly waits: readonly number[] = WAITS,
  ) {}

  get address(): Address | undefined {
    return this.#address;
  }

  /** Where the engine is; waits until it is up. */
  whenUp(): Promise<Address> {
    return this.#address === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(this.#address);
  }

  /** Starts the engine; also after it was given up. */
  run(): void {
    if (this.#stopped || this.#process !== undefined) return;
    clearTimeout(this.#timer);
    let output = '';
    const began = Date.now();
    const engine = this.start();
    this.#process = engine;
    engine.onComplaint((text) => {
      this.#complaint = (this.#complaint + text).slice(-2000);
    });
    engine.onOutput((text) => {
      if (this.#address !== undefined || this.#process !== engine) return;
      output += text;
      this.#address = addressIn(output);
      if (this.#address === undefined) return;
      for (const resolve of this.#waiting.splice(0)) resolve(this.#address);
      this.tell({ state: 'up', text: 'The engine is running.' });
    });
    engine.onExit((code) => {
      if (this.#process !== engine) return;
      this.#process = undefined;
      this.#address = undefined;
      if (this.#stopped) return;
      if (Date.now() - began > STEADY) this.#ends = 0;
      const wait = this.waits[this.#ends++];
      const last = this.#complaint.trim().split('\n').at(-1) ?? '';
      const how = `The engine ended${code === null ? '' : ` with code ${code}`}${last === '' ? '.' : `: ${last}`}`;
      if (wait === undefined) {
        this.tell({ state: 'lost', text: `${how} It was started ${this.#ends} times and is not started again. What was recorded is kept; close Hearback and open it again.` });
        return;
      }
      this.tell({ state: 'lost', text: `${how} It is being started again; what was recorded is kept.` });
      this.#timer = setTimeout(() => {
        this.run();
      }, wait);
    });
  }

  /** Ends the engine and leaves it ended. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#process?.kill();
  }
}
