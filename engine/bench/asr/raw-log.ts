/**
 * What recognisers answered, one JSON line each, so that a stopped run goes on where it was: a file a system.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { wholeLines } from '../lines.js';
import type { Heard } from './systems.js';

const Line = z.object({ key: z.string(), text: z.string(), ms: z.number(), guards: z.array(z.string()) });

export class RawLog {
  readonly #path: string;
  readonly #known = new Map<string, Heard>();

  /** Reads what is there; half a line at the end, left by a kill, is cut off. */
  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    for (const line of wholeLines(path)) {
      const { key, ...heard } = Line.parse(JSON.parse(line));
      this.#known.set(key, heard);
    }
  }

  get(key: string): Heard | undefined {
    return this.#known.get(key);
  }

  put(key: string, heard: Heard): void {
    this.#known.set(key, heard);
    appendFileSync(this.#path, `${JSON.stringify({ key, ...heard })}\n`);
  }
}
