/**
 * Models from a Hugging Face hub: `HF_ENDPOINT`/OWNER/NAME/resolve/REVISION/PATH over HTTPS.
 *
 * The hub tells in the head of its own answer which commit a file belongs to (`X-Repo-Commit`), how long it is and what
 * it contains: `X-Linked-Etag` is the SHA-256 of a large file, `ETag` git's object id of a small one. Those vouch for
 * files that the catalogue has no checksum of.
 */
import { join } from 'node:path';
import { HearbackError } from '../domain/result.js';
import type { HuggingFaceSource } from './catalogue.js';
import { HttpClient } from './http.js';
import type { Expectation, ModelSource, PullContext, PullPlan } from './source.js';

/** The public hub; `HF_ENDPOINT` names another. */
const PUBLIC_HUB = 'https://huggingface.co';

/** What the hub says of one file. */
interface HubFile {
  readonly size: number | undefined;
  readonly sha256: string | undefined;
  readonly blob: string | undefined;
  readonly commit: string | undefined;
}

/** An ETag without its quotes and weakness mark. */
const bare = (etag: string | null): string | undefined => etag?.replace(/^W\//u, '').replaceAll('"', '').toLowerCase();

/** Reads what a hub says in the head of an answer. */
export function readHubHeaders(headers: Headers): HubFile {
  const linked = bare(headers.get('x-linked-etag'));
  const own = bare(headers.get('etag'));
  const length = headers.get('x-linked-size') ?? (linked === undefined ? headers.get('content-length') : null);
  const sum = linked ?? own;
  return {
    size: length !== null && /^\d+$/u.test(length) ? Number(length) : undefined,
    sha256: sum !== undefined && /^[0-9a-f]{64}$/u.test(sum) ? sum : undefined,
    blob: sum !== undefined && /^[0-9a-f]{40}$/u.test(sum) ? sum : undefined,
    commit: headers.get('x-repo-commit') ?? undefined,
  };
}

/** A path as part of a URL. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

function endpointOf(env: NodeJS.ProcessEnv): string {
  const wanted = env.HF_ENDPOINT === undefined || env.HF_ENDPOINT === '' ? PUBLIC_HUB : env.HF_ENDPOINT;
  let url: URL;
  try {
    url = new URL(wanted);
  } catch (thrown) {
    throw new HearbackError('usage', `HF_ENDPOINT is "${wanted}", which is not an address.`, { hint: 'It has to begin with https://.', cause: thrown });
  }
  const here = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d+){3}$/u.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here)) {
    throw new HearbackError('usage', `HF_ENDPOINT is "${wanted}": only https is safe for another machine.`, { hint: 'Use an https:// address; http:// is allowed for this machine alone.' });
  }
  return wanted.replace(/\/+$/u, '');
}

/** The source for one repository. */
export function huggingFace(source: HuggingFaceSource): ModelSource {
  return {
    kind: 'huggingface',
    async plan(context: PullContext): Promise<PullPlan> {
      const { env, progress } = context;
      if (['1', 'true', 'yes', 'on'].includes((env.HF_HUB_OFFLINE ?? '').toLowerCase())) {
        throw new HearbackError('offline', 'HF_HUB_OFFLINE is set, so the hub is not asked.', { hint: 'Unset it, or copy the files into the folder by hand (docs/models.md).' });
      }
      const endpoint = endpointOf(env);
      const token = env.HF_TOKEN;
      const client = new HttpClient(context.patience, env, context.signal, progress, token === undefined || token === '' ? undefined : `Bearer ${token}`);
      const inRepository = (path: string): string => source.files?.[path] ?? path;
      const address = (path: string, revision: string): string => `${endpoint}/${source.repo}/resolve/${encodeURIComponent(revision)}/${encodePath(inRepository(path))}`;

      let commit: string | undefined;
      const expected = new Map<string, Expectation>();
      const addresses = new Map<string, string>();
      for (const file of context.wanted) {
        progress.file(file.path);
        // all files from the commit that the first one belongs to, so that a push in between cannot mix two versions
        const url = address(file.path, commit ?? source.revision);
        const said = readHubHeaders(await client.head(url, `${source.repo}/${inRepository(file.path)}`, (headers) => headers.has('x-linked-etag')));
        commit ??= said.commit;
        if (file.size !== null && said.size !== undefined && said.size !== file.size) {
          throw new HearbackError('checksum', `${source.repo} has a ${file.path} of ${said.size} bytes; the catalogue means one of ${file.size}.`, { hint: 'The repository was changed. Try another --source, or a newer Hearback.' });
        }
        if (file.sha256 !== null && said.sha256 !== undefined && said.sha256 !== file.sha256) {
          throw new HearbackError('checksum', `${source.repo} has another ${file.path} than the catalogue means (sha256 ${said.sha256} instead of ${file.sha256}).`, {
            hint: 'The repository was changed. Try another --source, or a newer Hearback.',
          });
        }
        const vouchedBy = file.sha256 !== null ? 'catalogue' : said.sha256 !== undefined || said.blob !== undefined ? 'hub' : 'nothing';
        if (vouchedBy === 'nothing') {
          context.notice({ kind: 'no-checksum', severity: 'warning', text: `Neither the catalogue nor the hub gives a checksum for ${file.path}; only its length can be checked.` });
        }
        expected.set(file.path, { size: file.size ?? said.size, sha256: file.sha256 ?? said.sha256, blob: file.sha256 === null ? said.blob : undefined, vouchedBy });
        addresses.set(file.path, commit === undefined ? url : address(file.path, commit));
      }
      const sizes = [...expected.values()].map((file) => file.size);
      const bytes = sizes.some((size) => size === undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
      return {
        from: `${source.repo}@${commit ?? source.revision}`,
        expected,
        bytesNeeded: bytes,
        async fetch(folder: string): Promise<void> {
          progress.stage('downloading', bytes);
          for (const [path, url] of addresses) {
            const file = expected.get(path);
            progress.file(path);
            await client.download(url, join(folder, path), path, { identity: file?.sha256 ?? file?.blob, size: file?.size });
          }
        },
      };
    },
  };
}
