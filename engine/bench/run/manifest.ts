/**
 * What a run was made with, so that it can be made again, and what came of it: manifest.json in its folder.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { HearbackError } from '../../domain/result.js';
import { NORMALISER_VERSION, normalise } from '../asr/normalise.js';
import { TASKS } from './items.js';

const hash = z.string();
/** What decides the answers. A run goes on only with the same. */
const RunConfig = z.object({
  hearback: z.string(),
  /** SHA-256 over the code that answers: parsing, judging, language models; and hearing, where something is heard. */
  code: hash,
  /** SHA-256 over the part of it that makes sound and hears; null where nothing is heard, and in a run of before it was kept. */
  hearing: hash.nullable().default(null),
  /** SHA-256 of the items, by task. */
  data: z.partialRecord(z.enum(TASKS), hash),
  inputs: z.array(z.object({ name: z.string(), kind: z.enum(['text', 'voice', 'recordings', 'hypotheses', 'recorded']), snr: z.union([z.literal('clean'), z.number()]).optional(), sha256: hash.optional() })),
  /** SHA-256 of the speech. */
  voice: hash.nullable(),
  recogniser: z.object({ model: z.string(), sha256: hash, device: z.string(), threads: z.number().nullable(), workers: z.number().default(1) }).nullable(),
  systems: z.array(
    z.object({
      name: z.string(),
      parser: z.string(),
      judge: z.string(),
      profile: z.literal('paper'),
      provider: z.string().nullable(),
      model: z.string().nullable(),
      /** Of a model file; a server tells none. */
      model_sha256: hash.nullable(),
      prompt: z.string().nullable(),
      /** Of a network without a prompt, the hash of its folder stands in `model_sha256` alone. */
      prompt_sha256: hash.nullable(),
      parser_prompt: z.string().nullable().default(null),
      parser_prompt_sha256: hash.nullable().default(null),
      time_limit: z.number().nullable(),
    }),
  ),
  limit: z.number().nullable(),
  seed: z.number(),
  shard: z.string().nullable(),
});
export type RunConfig = z.infer<typeof RunConfig>;

/** items = first_time + retried + unreadable + error + skipped; `retried` were answered in a later try; `skipped`: nothing to hear or to read for them. */
const Counts = z.object({ items: z.number(), first_time: z.number(), retried: z.number(), unreadable: z.number(), error: z.number(), skipped: z.number() });
export type Counts = z.infer<typeof Counts>;

export const RunManifest = z.object({
  format: z.literal(2),
  config: RunConfig,
  /** Of the figures made with this version; scoring can take another one. */
  normaliser: z.object({ version: z.number(), sha256: hash }),
  /** One for every time that it was begun or gone on with. */
  starts: z.array(z.object({ at: z.string(), node: z.string(), system: z.string(), cpu: z.string(), cores: z.number(), load: z.number() })),
  ended: z.string().nullable(),
  /** "text/rules" → "task2" → counts; of a run that was killed, those of its last end. */
  counts: z.record(z.string(), z.partialRecord(z.enum(TASKS), Counts)),
  /** Highest resident memory, MB; of processes that it started (recogniser) where the system tells. */
  peak_memory_mb: z.object({ program: z.number(), children: z.number().nullable() }),
});
export type RunManifest = z.infer<typeof RunManifest>;

export async function hashOfFile(path: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const part of createReadStream(path)) sum.update(part as Buffer);
  return sum.digest('hex');
}

/** SHA-256 over names and contents of the files of a folder. */
export async function hashOfFolder(folder: string, take: (name: string) => boolean = () => true): Promise<string> {
  const sum = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && take(entry.name)).map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const path of names) {
    sum.update(`${path.slice(folder.length)}\n`);
    for await (const part of createReadStream(path)) sum.update(part as Buffer);
  }
  return sum.digest('hex');
}

/** Rooms under engine/ whose code decides what is parsed and judged. */
export const ANSWERING: readonly string[] = ['domain', 'phraseology', 'understanding', 'judge', 'llm'];
/** Those whose code decides what is heard, with what they take of others: the words of the radio, for names in a traffic list. */
export const HEARING: readonly string[] = ['domain', 'phraseology', 'asr', 'audio', 'bench/voice'];

/** SHA-256 over the code that parses and judges, as it runs; with `listens`, also over what makes sound and hears it; and over the latter alone. */
export async function hashesOfCode(listens: boolean): Promise<Pick<RunConfig, 'code' | 'hearing'>> {
  return { code: await hashOfRooms([...new Set([...ANSWERING, ...(listens ? HEARING : [])])]), hearing: listens ? await hashOfRooms(HEARING) : null };
}

async function hashOfRooms(rooms: readonly string[]): Promise<string> {
  const sum = createHash('sha256');
  for (const room of rooms) sum.update(await hashOfFolder(fileURLToPath(new URL(`../../${room}/`, import.meta.url)), (name) => /(?<!\.d|\.test)\.[jt]s$/u.test(name)));
  return sum.digest('hex');
}

/** Spellings, numbers in all forms, marks, letters: what the normaliser has a rule for. */
const PROBE = 'FL350 flight level three fifty 3-5-0. 118,1 one hundred and twenty 2,500 feet ten thousand five hundred niner fife tree point oh double two qnh1013 q n h 27R runway 27R 160kts [noise] push back alpha uh Héading °';

/** Version of the normaliser, and a hash of what it makes of a probe. */
export const normaliserFacts = (): RunManifest['normaliser'] => ({ version: NORMALISER_VERSION, sha256: createHash('sha256').update(normalise(PROBE).join(' ')).digest('hex') });

/** @throws HearbackError where the folder holds no run */
export function readManifest(folder: string): RunManifest {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) throw new HearbackError('not-found', `${folder} holds no run: manifest.json is missing.`, { hint: 'Make one with `hearback bench run --out FOLDER`.' });
  try {
    return RunManifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new HearbackError('unreadable', `${path} cannot be read.`, { hint: 'It may be of another version. Take another folder with --out.', cause });
  }
}

export function writeManifest(folder: string, manifest: RunManifest): void {
  const path = join(folder, 'manifest.json');
  writeFileSync(`${path}.new`, `${JSON.stringify(manifest, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? 'absent' : text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** What hearing depends on: heard words stay good where only the rest changes. */
export const heardWith = ({ hearing, data, inputs, voice, recogniser, limit, seed, shard }: RunConfig): Omit<RunConfig, 'hearback' | 'code' | 'systems'> => ({ hearing, data, inputs, voice, recogniser, limit, seed, shard });

/** The first field in which two values differ, with both: `"systems[0].judge" was "rules" and is "llm"`. */
export function difference(before: unknown, now: unknown, path = ''): string | undefined {
  if (JSON.stringify(before) === JSON.stringify(now)) return undefined;
  const both = [before, now];
  if (both.every((value) => typeof value === 'object' && value !== null) && Array.isArray(before) === Array.isArray(now)) {
    const [a, b] = both as [Record<string, unknown>, Record<string, unknown>];
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = difference(a[key], b[key], Array.isArray(before) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
  }
  return `"${path}" was ${shown(before)} and is ${shown(now)}`;
}

const About = z.object({ about: z.string(), sha256: z.record(z.string(), z.string()) });
/** What the makers of a run's items say of them, where exactly these items came with a benchmark.json; else their hashes. */
export function aboutData(folder: string, { config }: RunManifest): string {
  const path = join(folder, 'benchmark.json');
  const about = existsSync(path) ? About.safeParse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  const hashes = Object.entries(config.data);
  if (about?.success === true && hashes.every(([task, sum]) => about.data.sha256[`${task}.jsonl`] === sum)) return about.data.about;
  return `SHA-256 ${hashes.map(([task, sum]) => `${task} ${sum.slice(0, 16)}`).join(', ')}.`;
}
