import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryAfter } from '../domain/retry-after.js';
import { readHubHeaders } from './huggingface.js';
import type { ModelPlaces } from './paths.js';
import type { PullProgress } from './progress.js';
import { pullModel, type PullOptions, type PullResult } from './pull.js';
import { verifyModel } from './verify.js';

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const blobId = (content: Buffer): string => createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

/** Bytes that differ everywhere, so that a piece in the wrong place shows. */
function bytes(length: number, seed: number): Buffer {
  const content = Buffer.alloc(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    content[i] = state >>> 24;
  }
  return content;
}

const WEIGHTS = bytes(400_000, 7);
const CONFIG = Buffer.from('{"layers": 4}\n');
const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** One request that reached a server. */
interface Seen {
  readonly host: 'hub' | 'store';
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/**
 * A hub as the public one behaves: it answers for small files itself, and sends the client to a store on another host
 * for large ones, saying in its own answer what they contain. `onStore` and `onHub` may answer in its place.
 */
class Hub {
  readonly seen: Seen[] = [];
  readonly files = new Map<string, { content: Buffer; large: boolean }>([
    ['model.bin', { content: WEIGHTS, large: true }],
    ['config.json', { content: CONFIG, large: false }],
  ]);
  onHub: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  onStore: ((request: IncomingMessage, response: ServerResponse, content: Buffer) => boolean) | undefined;
  /** Whether the store gives an ETag. */
  storeEtag = true;
  #hub: Server;
  #store: Server;

  constructor() {
    this.#hub = createServer((request, response) => {
      this.#note('hub', request);
      if (this.onHub?.(request, response) === true) return;
      const match = /^\/owner\/name\/resolve\/([^/]+)\/(.+)$/u.exec(request.url ?? '');
      const cached = /^\/cache\/(.+)$/u.exec(request.url ?? '');
      const name = match?.[2] ?? cached?.[1] ?? '';
      const file = this.files.get(name);
      if (file === undefined || (match !== null && match[1] !== 'main' && match[1] !== COMMIT)) {
        response.writeHead(404).end('not found');
        return;
      }
      response.setHeader('x-repo-commit', COMMIT);
      if (file.large) {
        response.writeHead(302, { location: `${this.storeAddress}/blobs/${name}`, 'x-linked-etag': `"${sha256(file.content)}"`, 'x-linked-size': String(file.content.length) }).end();
      } else if (match !== null) {
        response.writeHead(307, { location: `/cache/${name}` }).end();
      } else {
        response.writeHead(200, { etag: `"${blobId(file.content)}"`, 'content-length': file.content.length });
        response.end(request.method === 'HEAD' ? undefined : file.content);
      }
    });
    this.#store = createServer((request, response) => {
      this.#note('store', request);
      const content = this.files.get((request.url ?? '').replace('/blobs/', ''))?.content ?? Buffer.alloc(0);
      if (this.onStore?.(request, response, content) === true) return;
      this.serve(request, response, content);
    });
  }

  /** Answers as a file store does: whole, or from where the range begins if the content is still the same. */
  serve(request: IncomingMessage, response: ServerResponse, content: Buffer, cutAfter = Infinity): void {
    const etag = `"${createHash('md5').update(content).digest('hex')}"`;
    const start = Number(/^bytes=(\d+)-$/u.exec(request.headers.range ?? '')?.[1] ?? 0);
    const same = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
    if (this.storeEtag) response.setHeader('etag', etag);
    if (start >= content.length && start > 0 && same) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
      return;
    }
    const from = same ? start : 0;
    const part = content.subarray(from);
    if (from > 0) response.writeHead(206, { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}`, 'content-length': part.length });
    else response.writeHead(200, { 'content-length': part.length });
    if (part.length <= cutAfter) response.end(part);
    else response.write(part.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 120));
  }

  #note(host: 'hub' | 'store', request: IncomingMessage): void {
    this.seen.push({ host, method: request.method ?? '', path: request.url ?? '', headers: request.headers });
  }

  /** Downloads from the store, in order. */
  get downloads(): Seen[] {
    return this.seen.filter((request) => request.host === 'store' && request.method === 'GET');
  }

  async open(): Promise<void> {
    for (const server of [this.#hub, this.#store]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    for (const server of [this.#hub, this.#store]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#hub.address() as AddressInfo).port}`;
  }

  get storeAddress(): string {
    return `http://127.0.0.1:${(this.#store.address() as AddressInfo).port}`;
  }
}

let hub: Hub;
let folder: string;
let places: ModelPlaces;
let home: string;

/** Writes a catalogue of one model; `known`: with sizes and checksums. */
async function catalogue(known: boolean, files: readonly string[] = ['model.bin', 'config.json'], sums: { weights?: string } = {}): Promise<void> {
  const content: Readonly<Record<string, Buffer>> = { 'model.bin': WEIGHTS, 'config.json': CONFIG };
  await writeFile(
    join(places.embedded, 'catalogue.json'),
    JSON.stringify({
      version: 1,
      models: [
        {
          id: 'm',
          title: 'M',
          purpose: 'recogniser',
          layout: 'transformers',
          embedded: false,
          licence: { spdx: 'MIT', note: 'n' },
          origin: 'o',
          sources: [{ kind: 'huggingface', repo: 'owner/name', revision: 'main' }],
          files: files.map((path) => {
            const file = content[path] ?? Buffer.alloc(0);
            return known ? { path, size: file.length, sha256: path === 'model.bin' ? (sums.weights ?? sha256(file)) : sha256(file) } : { path, size: null, sha256: null };
          }),
          use: 'u',
          status: known ? 'checked' : 'not-run',
        },
      ],
    }),
  );
}

const PATIENCE = { attempts: 4, firstAttempts: 2, pause: 5, longestPause: 2000, idle: 5000 };
const pull = async (options: PullOptions = {}): Promise<PullResult> => pullModel('m', { places, patience: PATIENCE, ...options, env: options.env ?? { HF_ENDPOINT: hub.address } });
const partial = (name: string): string => join(places.pulled, '.partial', 'm', 'ready', name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearback-hub-'));
  // a folder of its own each time, since a catalogue file is read once a process
  places = { embedded: join(folder, 'shipped'), pulled: join(folder, 'data') };
  home = join(places.pulled, 'm');
  await mkdir(places.embedded);
  hub = new Hub();
  await hub.open();
});
afterEach(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

describe('pulling from a hub', () => {
  it('brings every file, whole, and leaves nothing half done behind', async () => {
    await catalogue(true);
    const told: PullProgress[] = [];
    const result = await pull({ onProgress: (progress) => told.push(progress) });
    expect(result).toMatchObject({ fetched: true, directory: home, from: `owner/name@${COMMIT}`, bytes: WEIGHTS.length + CONFIG.length });
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
    expect(sha256(await readFile(join(home, 'config.json')))).toBe(sha256(CONFIG));
    expect((await verifyModel('m', { places })).status).toBe('ok');
    expect(existsSync(join(places.pulled, '.partial', 'm'))).toBe(false);
    expect(told.map((progress) => progress.stage)).toEqual(expect.arrayContaining(['planning', 'downloading', 'verifying', 'done']));
    expect(Math.max(...told.filter((progress) => progress.stage === 'downloading').map((progress) => progress.bytesTotal ?? 0))).toBe(WEIGHTS.length + CONFIG.length);
  });

  it('does nothing the second time', async () => {
    await catalogue(true);
    await pull();
    hub.seen.length = 0;
    expect(await pull()).toMatchObject({ fetched: false, directory: home });
    expect(hub.seen).toEqual([]);
  });

  it('takes all files from one commit', async () => {
    await catalogue(true);
    await pull();
    const bodies = hub.seen.filter((request) => request.host === 'hub' && request.method === 'GET' && request.path.includes('/resolve/'));
    expect(bodies.length).toBe(2);
    for (const request of bodies) expect(request.path).toContain(`/resolve/${COMMIT}/`);
  });

  it('fetches again only the file that was damaged', async () => {
    await catalogue(true);
    await pull();
    await writeFile(join(home, 'config.json'), '{"layers": 5}\n');
    hub.seen.length = 0;
    await pull();
    expect(hub.downloads).toEqual([]);
    expect((await verifyModel('m', { places })).status).toBe('ok');
  });

  it('shows the token to the hub only, never to the store that the hub points at', async () => {
    await catalogue(true);
    await pull({ env: { HF_ENDPOINT: hub.address, HF_TOKEN: 'secret' } });
    for (const request of hub.seen) expect(request.headers.authorization).toBe(request.host === 'hub' ? 'Bearer secret' : undefined);
    expect(hub.downloads.length).toBe(1);
  });

  it('trusts the hub for checksums that the catalogue has not, and remembers them', async () => {
    await catalogue(false);
    const result = await pull();
    expect(result.notices).toEqual([]);
    expect((await verifyModel('m', { places })).status).toBe('ok');
    await writeFile(join(home, 'model.bin'), bytes(WEIGHTS.length, 8));
    expect((await verifyModel('m', { places })).status).toBe('broken');
  });

  it('says so where nobody has a checksum', async () => {
    await catalogue(false, ['config.json']);
    hub.onHub = (request, response) => {
      response.writeHead(200, { 'content-length': CONFIG.length }).end(request.method === 'HEAD' ? undefined : CONFIG);
      return true;
    };
    const result = await pull();
    expect(result.notices).toMatchObject([{ kind: 'no-checksum', severity: 'warning' }]);
    expect((await verifyModel('m', { places })).status).toBe('not-checked');
  });

  it('brings an empty file', async () => {
    hub.files.set('config.json', { content: Buffer.alloc(0), large: false });
    await catalogue(false, ['config.json']);
    await pull();
    expect((await stat(join(home, 'config.json'))).size).toBe(0);
  });
});

describe('a broken line', () => {
  it('cut in the middle is gone on with from there', async () => {
    await catalogue(true);
    let cuts = 0;
    hub.onStore = (request, response, content) => {
      if (cuts++ >= 6) return false;
      hub.serve(request, response, content, 50_000);
      return true;
    };
    // more cuts than attempts: one that brings something does not count as failed
    await pull();
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
    const starts = hub.downloads.map((request) => Number(/(\d+)/u.exec(request.headers.range ?? '0')?.[1]));
    expect(starts.length).toBe(7);
    expect(starts[0]).toBe(0);
    for (const [index, start] of starts.entries()) if (index > 0) expect(start).toBeGreaterThan(starts[index - 1] ?? Infinity);
    expect(hub.downloads[1]?.headers['if-range']).toMatch(/^"[0-9a-f]{32}"$/u);
  });

  it('cut for good is kept, and the next pull goes on from there', async () => {
    await catalogue(true);
    let served = 0;
    hub.onStore = (request, response, content) => {
      if (served++ === 0) hub.serve(request, response, content, 150_000);
      else response.destroy();
      return true;
    };
    const failure: unknown = await pull().catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'offline' });
    expect((failure as Error).message).toContain('broke while fetching model.bin');
    const kept = (await stat(`${partial('model.bin')}.part`)).size;
    expect(kept).toBeGreaterThan(0);
    hub.onStore = undefined;
    hub.seen.length = 0;
    await pull();
    expect(hub.downloads.map((request) => request.headers.range)).toEqual([`bytes=${kept}-`]);
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
  });

  it.each([true, false])('with another content at the next try begins anew (ETag: %s)', async (etag) => {
    await catalogue(false);
    hub.storeEtag = etag;
    let served = 0;
    hub.onStore = (request, response, content) => {
      if (served++ === 0) hub.serve(request, response, content, 150_000);
      else response.destroy();
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'offline' });
    const other = bytes(350_000, 99);
    hub.files.set('model.bin', { content: other, large: true });
    hub.onStore = undefined;
    hub.seen.length = 0;
    await pull();
    expect(hub.downloads.map((request) => request.headers.range)).toEqual([undefined]);
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(other));
  });

  it('to a file that nobody vouches for is gone on with only if the server says that it is the same', async () => {
    await catalogue(false, ['model.bin']);
    let content = WEIGHTS;
    let cut = 150_000;
    hub.onHub = (request, response) => {
      if (request.method === 'HEAD') response.writeHead(200, { 'content-length': content.length }).end();
      else hub.serve(request, response, content, cut);
      return true;
    };
    const stop = new AbortController();
    const stopped = pull({
      signal: stop.signal,
      onProgress: (progress) => {
        if (progress.stage === 'waiting') stop.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect((await stat(`${partial('model.bin')}.part`)).size).toBe(150_000);
    content = bytes(WEIGHTS.length, 12);
    cut = Infinity;
    hub.seen.length = 0;
    await pull();
    expect(hub.seen.filter((request) => request.method === 'GET').map((request) => request.headers.range)).toEqual(['bytes=150000-']);
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(content));
  });

  it('to a store that knows no ranges begins anew', async () => {
    await catalogue(true);
    let served = 0;
    hub.onStore = (request, response, content) => {
      delete request.headers.range;
      hub.serve(request, response, content, served++ === 0 ? 200_000 : Infinity);
      return true;
    };
    await pull();
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
  });

  it('to a store without an ETag is gone on with all the same: the hub vouches for the content', async () => {
    await catalogue(true);
    hub.storeEtag = false;
    let served = 0;
    hub.onStore = (request, response, content) => {
      hub.serve(request, response, content, served++ === 0 ? 200_000 : Infinity);
      return true;
    };
    await pull();
    expect(hub.downloads.length).toBe(2);
    expect(hub.downloads[1]?.headers.range).toBeDefined();
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
  });

  it('that falls silent is taken for broken', async () => {
    await catalogue(true);
    let served = 0;
    hub.onStore = (_, response, content) => {
      if (served++ > 0) return false;
      response.writeHead(200, { 'content-length': content.length, etag: '"x"' });
      response.write(content.subarray(0, 1000));
      return true;
    };
    await pull({ patience: { ...PATIENCE, idle: 400 } });
    expect(hub.downloads.length).toBe(2);
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
  });

  it('that was never there is told at once', async () => {
    await catalogue(true);
    const address = hub.address;
    await hub.close();
    const failure: unknown = await pull({ env: { HF_ENDPOINT: address } }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'offline' });
    expect((failure as { sentence: string }).sentence).toMatch(/cannot be reached.*online\?.*HF_ENDPOINT/u);
    await hub.open();
  });

  it('is put down to the proxy that Node does not use, where one is set', async () => {
    await catalogue(true);
    const address = hub.address;
    await hub.close();
    await expect(pull({ env: { HF_ENDPOINT: address, HTTPS_PROXY: 'http://127.0.0.1:9' } })).rejects.toMatchObject({ hint: expect.stringContaining('NODE_USE_ENV_PROXY') as unknown });
    await hub.open();
  });

  it('is not tried when the user said that there is none', async () => {
    await catalogue(true);
    await expect(pull({ env: { HF_ENDPOINT: hub.address, HF_HUB_OFFLINE: '1' } })).rejects.toMatchObject({ code: 'offline' });
    expect(hub.seen).toEqual([]);
  });
});

describe('a hub that refuses', () => {
  it.each([429, 503])('for a while (%d) is asked again after the time that it names', async (status) => {
    await catalogue(true);
    let refused = 0;
    let at = 0;
    const stages: string[] = [];
    hub.onStore = (_, response) => {
      if (refused++ > 0) return false;
      at = performance.now();
      response.writeHead(status, { 'retry-after': '1' }).end();
      return true;
    };
    await pull({
      onProgress: (progress) => {
        stages.push(progress.stage);
      },
    });
    expect(performance.now() - at).toBeGreaterThan(950);
    expect(stages).toContain('waiting');
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
  });

  it('for an hour is not waited for', async () => {
    await catalogue(true);
    hub.onStore = (_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'offline', message: expect.stringContaining('429 and asks to wait 3600 seconds') as unknown });
  });

  it('again and again is given up after some tries', async () => {
    await catalogue(true);
    hub.onHub = (_, response) => {
      response.writeHead(500).end();
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'offline', message: expect.stringContaining('answers 500') as unknown });
    expect(hub.seen.length).toBe(PATIENCE.attempts);
  });

  it('a file that does not exist is told by name, without a second try', async () => {
    await catalogue(true);
    hub.files.delete('config.json');
    await expect(pull()).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('owner/name/config.json (404)') as unknown });
    expect(existsSync(home)).toBe(false);
  });

  it('a file that is not open to everybody is told with the way in', async () => {
    await catalogue(true);
    hub.onHub = (_, response) => {
      response.writeHead(401).end();
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'not-found', hint: expect.stringContaining('HF_TOKEN') as unknown });
  });

  it.each(['http://example.org', 'ftp://127.0.0.1', 'nonsense'])('an endpoint that is not safe or no address (%s) is not used', async (endpoint) => {
    await catalogue(true);
    await expect(pull({ env: { HF_ENDPOINT: endpoint } })).rejects.toMatchObject({ code: 'usage' });
  });

  it('a circle of redirects ends', async () => {
    await catalogue(true);
    hub.onHub = (request, response) => {
      response.writeHead(302, { location: request.url ?? '/' }).end();
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'unsupported', message: expect.stringContaining('circle') as unknown });
  });
});

describe('content that is not what it should be', () => {
  it('is refused before the download when the hub itself says so', async () => {
    await catalogue(true, undefined, { weights: 'f'.repeat(64) });
    await expect(pull()).rejects.toMatchObject({ code: 'checksum', message: expect.stringContaining('another model.bin') as unknown });
    expect(hub.downloads).toEqual([]);
  });

  it('is refused when it changed on the way, deleted, and the model does not appear', async () => {
    await catalogue(true);
    const damaged = Buffer.from(WEIGHTS);
    damaged.writeUInt8(damaged.readUInt8(1234) ^ 1, 1234);
    hub.onStore = (request, response) => {
      hub.serve(request, response, damaged);
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'checksum', message: expect.stringContaining(sha256(damaged)) as unknown });
    expect(existsSync(partial('model.bin'))).toBe(false);
    expect(existsSync(home)).toBe(false);
    hub.onStore = undefined;
    expect(await pull()).toMatchObject({ fetched: true });
  });

  it('is refused for small files by their git object id', async () => {
    await catalogue(false);
    hub.onHub = (request, response) => {
      if (request.method === 'HEAD' || !(request.url ?? '').startsWith('/cache/')) return false;
      response.writeHead(200, { 'content-length': CONFIG.length }).end(Buffer.from('{"layers": 9}\n'));
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'checksum', message: expect.stringContaining(blobId(CONFIG)) as unknown });
  });

  it('is refused when more comes than should, and does not fill the disk', async () => {
    await catalogue(true);
    hub.onStore = (_, response, content) => {
      response.writeHead(200).end(Buffer.concat([content, content]));
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'checksum', message: expect.stringContaining('longer than') as unknown });
    expect(existsSync(`${partial('model.bin')}.part`)).toBe(false);
  });

  it('leaves a model that is there alone', async () => {
    await catalogue(true);
    await pull();
    await writeFile(join(home, 'config.json'), 'damaged');
    hub.onHub = (request, response) => {
      if (!(request.url ?? '').startsWith('/cache/') || request.method === 'HEAD') return false;
      response.writeHead(200, { 'content-length': CONFIG.length }).end(Buffer.alloc(CONFIG.length));
      return true;
    };
    await expect(pull()).rejects.toMatchObject({ code: 'checksum' });
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
    expect(await readFile(join(home, 'config.json'), 'utf8')).toBe('damaged');
  });
});

describe('the disk', () => {
  it('that is too small is refused before the download', async () => {
    await catalogue(true);
    await expect(pull({ free: () => Promise.resolve(33_000_000) })).rejects.toMatchObject({ code: 'disk-full', message: expect.stringContaining('400.0 kB are needed') as unknown });
    expect(hub.downloads).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full'))('that runs full in the middle is told as full', async () => {
    await catalogue(true);
    await mkdir(join(places.pulled, '.partial', 'm', 'ready'), { recursive: true });
    // a device of the system that answers every write as a full disk does
    await symlink('/dev/full', `${partial('model.bin')}.part`);
    await expect(pull()).rejects.toMatchObject({ code: 'disk-full', message: expect.stringContaining('model.bin.part') as unknown });
    expect(existsSync(home)).toBe(false);
  });

  it('whose place is taken by a file is told with its path', async () => {
    await catalogue(true);
    await writeFile(places.pulled, 'a file');
    const failure: unknown = await pull().catch((thrown: unknown) => thrown);
    expect((failure as Error).message).toContain(places.pulled);
  });
});

describe('a user who stops', () => {
  it('in the middle of a slow download keeps what came, and it ends at once', async () => {
    await catalogue(true);
    const stop = new AbortController();
    hub.onStore = (_, response, content) => {
      response.writeHead(200, { 'content-length': content.length, etag: '"x"' });
      response.write(content.subarray(0, 50_000));
      setTimeout(() => {
        stop.abort();
      }, 150);
      return true;
    };
    await expect(pull({ signal: stop.signal, patience: { ...PATIENCE, idle: 30_000 } })).rejects.toMatchObject({ code: 'cancelled', hint: expect.stringContaining('kept') as unknown });
    expect((await stat(`${partial('model.bin')}.part`)).size).toBe(50_000);
    hub.onStore = undefined;
    // the lock was given back
    expect(await pull()).toMatchObject({ fetched: true });
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(WEIGHTS));
  });

  it('while the hub wants to be waited for does not wait', async () => {
    await catalogue(true);
    const stop = new AbortController();
    hub.onStore = (_, response) => {
      response.writeHead(503, { 'retry-after': '2' }).end();
      setTimeout(() => {
        stop.abort();
      }, 50);
      return true;
    };
    const started = performance.now();
    await expect(pull({ signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect(performance.now() - started).toBeLessThan(1500);
  });

  it('before it began has not touched the disk', async () => {
    await catalogue(true);
    await expect(pull({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(existsSync(places.pulled)).toBe(false);
  });
});

describe('two pulls of one model', () => {
  it('do not run at once: the second is told, the first is whole', async () => {
    await catalogue(true);
    const results = await Promise.allSettled([pull(), pull()]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'usage', message: expect.stringContaining('being pulled already') as unknown });
    expect((await verifyModel('m', { places })).status).toBe('ok');
  });
});

describe('what the user asks for', () => {
  it('an id that nobody knows is answered with the nearest', async () => {
    await catalogue(true);
    await expect(pullModel('mm', { places })).rejects.toMatchObject({ code: 'unknown-id', hint: expect.stringContaining('"m"') as unknown });
  });

  it('a source that the model has not is answered with those that it has', async () => {
    await catalogue(true);
    await expect(pull({ source: 'pypi' })).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('huggingface') as unknown });
  });
});

describe('headers', () => {
  it('of a large file name its content and length, not those of the redirect', () => {
    const headers = new Headers({ 'x-linked-etag': `"${'A'.repeat(64)}"`, 'x-linked-size': '5', 'content-length': '1200', 'x-repo-commit': COMMIT, etag: '"other"' });
    expect(readHubHeaders(headers)).toEqual({ size: 5, sha256: 'a'.repeat(64), blob: undefined, commit: COMMIT });
  });

  it('of a small file name its git object', () => {
    expect(readHubHeaders(new Headers({ etag: `W/"${'b'.repeat(40)}"`, 'content-length': '7' }))).toEqual({ size: 7, sha256: undefined, blob: 'b'.repeat(40), commit: undefined });
  });

  it('of another kind prove nothing', () => {
    expect(readHubHeaders(new Headers({ etag: `"${'c'.repeat(32)}"` }))).toEqual({ size: undefined, sha256: undefined, blob: undefined, commit: undefined });
  });

  it.each([
    ['120', 120_000],
    ['Thu, 01 Jan 1970 00:01:40 GMT', 60_000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 0],
    ['soon', undefined],
  ])('Retry-After %s at 00:00:40 means %s ms', (value, ms) => {
    expect(retryAfter(value, 40_000)).toBe(ms);
  });
});
