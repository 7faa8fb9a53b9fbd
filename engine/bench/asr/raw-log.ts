/**
 * What recognisers answered, one JSON line each, so that a stopped run goes on where it was: a file a system.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Heard } from './systems.js';

const Line = z.object({ key: z.string(), text: z.string(), ms: z.number(), guards: z.array(z.string()) });

export class RawLog {
  readonly #path: string;
  readonly #known = new Map<string, Heard>();

  /** Reads what is there; half a line at the end, left by a kill, is cut off. */
  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) return;
    const content = readFileSync(path, 'utf8');
    const whole = content.slice(0, content.lastIndexOf('\n') + 1);
    if (whole.length !== content.length) writeFileSync(path, whole);
    for (const line of whole.split('\n')) {
      if (line === '') continue;
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
