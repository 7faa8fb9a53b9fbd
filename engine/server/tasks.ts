/**
 * Long work that is told to everybody: imports, a watched folder, the speed test, fetching a model.
 */
import { randomBytes } from 'node:crypto';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { Task } from './protocol.js';

/** Progress is told at most so often, milliseconds. */
const TELL = 250;
/** Ended tasks that are remembered. */
const REMEMBERED = 100;

export class Tasks {
  readonly #tasks = new Map<string, { task: Task; readonly stop: () => void; told: number }>();

  constructor(private readonly tell: (task: Task) => void) {}

  get list(): readonly Task[] {
    return [...this.#tasks.values()].map(({ task }) => task);
  }

  /** @param stop asks the work to end. */
  add(kind: Task['kind'], title: string, stop: () => void, more: Partial<Task> = {}): string {
    const id = randomBytes(6).toString('hex');
    for (const [old, { task }] of this.#tasks) {
      if (this.#tasks.size < REMEMBERED) break;
      if (['done', 'failed', 'stopped'].includes(task.state)) this.#tasks.delete(old);
    }
    this.#tasks.set(id, { task: { task: id, kind, title, state: 'waiting', ...more }, stop, told: 0 });
    this.update(id, {});
    return id;
  }

  update(id: string, change: Partial<Task>): void {
    const held = this.#tasks.get(id);
    if (held === undefined) return;
    held.task = { ...held.task, ...change };
    const now = Date.now();
    if (change.state === undefined && now - held.told < TELL) return;
    held.told = now;
    this.tell(held.task);
  }

  /** How it went: done, or failed with a sentence. A task that was stopped stays that. */
  end(id: string, failure?: unknown): void {
    if (this.#tasks.get(id)?.task.state === 'stopped') return;
    this.update(id, failure === undefined ? { state: 'done' } : { state: 'failed', text: toHearbackError(failure).sentence });
  }

  /** @throws HearbackError unknown-id */
  stop(id: string): void {
    const held = this.#tasks.get(id);
    if (held === undefined) throw new HearbackError('unknown-id', `There is no task ${id}.`);
    if (held.task.state !== 'running' && held.task.state !== 'waiting') return;
    this.update(id, { state: 'stopped' });
    held.stop();
  }
}
