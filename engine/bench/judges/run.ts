/**
 * Judges on the same readbacks: each answers every pair once and every finding is kept, so that a stopped run goes on where it was and
 * policies of the consensus can be compared without asking anybody again.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openJudge, type JudgeChoice } from '../../assembly.js';
import { Finding } from '../../domain/finding.js';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import type { Judge } from '../../domain/stages.js';
import { ErrorType, RiskLevel } from '../../domain/taxonomy.js';
import { understand } from '../../understanding/index.js';
import { wholeLines } from '../lines.js';

/** A pair with its gold; anything else about it is passed over. */
export const JudgedPair = z.object({ id: z.coerce.string(), instruction: z.string(), readback: z.string(), is_correct: z.boolean().optional(), error_type: ErrorType, risk_level: RiskLevel, profile: z.enum(['paper', 'icao']).default('paper') });
export type JudgedPair = z.infer<typeof JudgedPair>;

/** What a judge answered. `error`: it failed altogether. */
const Line = z.object({ id: z.string(), ms: z.number(), finding: Finding.optional(), error: z.string().optional() });
export type JudgedLine = z.infer<typeof Line>;

/** What decides the answers of a folder, and the memory that its process needed. */
const Manifest = z.object({ system: z.string(), choice: z.record(z.string(), z.union([z.string(), z.number()])), rss: z.number(), sittings: z.number() });
type Manifest = z.infer<typeof Manifest>;

/** The first `each` pairs of every type in turn: the first of each, then the second of each, so that any beginning of it is balanced as well. */
export function balanced(pairs: readonly JudgedPair[], each: number): JudgedPair[] {
  const counts = new Map<string, number>();
  const placed = pairs.map((pair) => {
    const place = counts.get(pair.error_type) ?? 0;
    counts.set(pair.error_type, place + 1);
    return { pair, place };
  });
  return placed.filter(({ place }) => place < each).sort((a, b) => a.place - b.place).map(({ pair }) => pair);
}

export interface JudgesRun {
  /** A folder for this system alone. */
  readonly out: string;
  readonly system: string;
  readonly choice: JudgeChoice;
  readonly pairs: readonly JudgedPair[];
  /** At most so many answers in this sitting. */
  readonly limit?: number;
  readonly progress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

/** All whole lines of a system's folder; a later line of an id takes the place of an earlier one. */
export function readJudged(out: string): { lines: JudgedLine[]; manifest: Manifest | undefined } {
  const path = join(out, 'manifest.json');
  const byId = new Map(wholeLines(join(out, 'answers.jsonl')).map((text) => Line.parse(JSON.parse(text))).map((line) => [line.id, line]));
  return { lines: [...byId.values()], manifest: existsSync(path) ? Manifest.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined };
}

/**
 * Asks one system for every pair that has no answer yet.
 *
 * @throws HearbackError usage: the folder holds answers of another system or choice; model-missing and the like: the judge cannot be had
 */
export async function runJudge(run: JudgesRun): Promise<{ done: number; left: number }> {
  const { out, system, pairs } = run;
  mkdirSync(out, { recursive: true });
  const choice = Object.fromEntries(Object.entries(run.choice as Readonly<Record<string, string | number | undefined>>).filter((entry): entry is [string, string | number] => entry[1] !== undefined));
  const { lines, manifest: before } = readJudged(out);
  if (before !== undefined && JSON.stringify([before.system, before.choice]) !== JSON.stringify([system, choice])) throw new HearbackError('usage', `${out} holds answers of ${before.system} ${JSON.stringify(before.choice)}.`, { hint: 'Give another folder with --work.' });
  const known = new Set(lines.filter(({ error }) => error === undefined).map(({ id }) => id));
  const open = pairs.filter(({ id }) => !known.has(id)).slice(0, run.limit);
  const path = join(out, 'answers.jsonl');
  let judge: Judge | undefined;
  let done = 0;
  try {
    if (open.length > 0) judge = await openJudge(run.choice);
    for (const pair of open) {
      if (judge === undefined || run.signal?.aborted === true) break;
      const started = performance.now();
      const ms = (): number => Math.round((performance.now() - started) * 1000) / 1000;
      try {
        const said = understand({ id: `${pair.id}/instruction`, text: pair.instruction });
        const back = understand({ id: `${pair.id}/readback`, text: pair.readback, heard: said.callsign === null ? [] : [said.callsign] });
        const finding = await judge.judge({ instruction: said, readback: back, profile: pair.profile });
        appendFileSync(path, `${JSON.stringify({ id: pair.id, ms: ms(), finding })}\n`);
      } catch (thrown) {
        appendFileSync(path, `${JSON.stringify({ id: pair.id, ms: ms(), error: toHearbackError(thrown).sentence })}\n`);
      }
      done++;
      run.progress?.(known.size + done, pairs.length);
    }
  } finally {
    await judge?.close?.();
    // kilobytes on every platform
    const rss = Math.max(before?.rss ?? 0, open.length === 0 ? 0 : process.resourceUsage().maxRSS * 1024);
    writeFileSync(join(out, 'manifest.json.new'), `${JSON.stringify({ system, choice, rss, sittings: (before?.sittings ?? 0) + (open.length === 0 ? 0 : 1) } satisfies Manifest)}\n`);
    renameSync(join(out, 'manifest.json.new'), join(out, 'manifest.json'));
  }
  return { done, left: pairs.length - known.size - done };
}
