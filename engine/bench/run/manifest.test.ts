/**
 * The hash over the code that hears has to take in every room whose code can change what is heard: a room that one of them begins to
 * import and that is not in the list would let a run go on, or keep hearings, that are of another program.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ANSWERING, HEARING } from './manifest.js';

const ENGINE = fileURLToPath(new URL('../../', import.meta.url));
/** Rooms that are imported and change nothing of it, and why. */
const NEUTRAL: Readonly<Record<string, string>> = {
  models: 'finds the folder of a model; what is in the folder has a hash of its own',
  'bench/loaders': 'reads lines of a file; the file has a hash of its own',
  'bench/run': 'what an item is; the items have a hash of their own',
};

/** Rooms (folders under engine/) whose values the files of a room import, other than its own. */
function importedBy(room: string): Set<string> {
  const rooms = new Set<string>();
  for (const entry of readdirSync(join(ENGINE, room), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.d|\.test)\.ts$/u.test(entry.name)) continue;
    for (const [, from = ''] of readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)';/gmu)) {
      const target = join(entry.parentPath, from.replace(/\.js$/u, '.ts'));
      expect(existsSync(target), target).toBe(true);
      const name = relative(ENGINE, dirname(target));
      if (name !== room && !name.startsWith(`${room}/`)) rooms.add(name);
    }
  }
  return rooms;
}

describe.each([
  ['hears', HEARING],
  ['parses and judges', ANSWERING],
])('the hash over the code that %s', (_what, list) => {
  it('takes in every room that this code imports values from', () => {
    const imported = new Set(list.flatMap((room) => [...importedBy(room)]));
    // the search finds something: all of these rooms speak in the terms of domain
    expect(imported).toContain('domain');
    expect([...imported].filter((room) => !list.includes(room) && !Object.hasOwn(NEUTRAL, room))).toEqual([]);
  });
});
