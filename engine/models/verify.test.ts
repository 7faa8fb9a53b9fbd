import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultPlaces, platformDataFolder, type ModelPlaces } from './paths.js';
import { listModels, modelDirectory, requireModel, verifyModel } from './verify.js';

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const CONTENT: Readonly<Record<string, string>> = { 'model.bin': 'weights '.repeat(1000), 'sub/config.json': '{"layers":4}' };

let folder: string;
let places: ModelPlaces;
let home: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearback-verify-'));
  places = { embedded: join(folder, 'shipped'), pulled: join(folder, 'data') };
  const base = { title: 'T', purpose: 'recogniser', layout: 'ct2', licence: { spdx: 'MIT', note: 'n' }, origin: 'o', use: 'u' };
  const hub = [{ kind: 'huggingface', repo: 'o/n', revision: 'main' }];
  const files = Object.entries(CONTENT).map(([path, content]) => ({ path, size: content.length, sha256: sha256(content) }));
  await mkdir(places.embedded, { recursive: true });
  await writeFile(
    join(places.embedded, 'catalogue.json'),
    JSON.stringify({
      version: 1,
      models: [
        { ...base, id: 'shipped-one', embedded: true, sources: [], files, status: 'checked' },
        { ...base, id: 'pulled-one', embedded: false, sources: hub, files, status: 'checked' },
        { ...base, id: 'hub-one', embedded: false, sources: hub, files: [{ path: 'a', size: null, sha256: null }], status: 'not-run' },
        { ...base, id: 'empty-one', embedded: true, sources: [], files: [], status: 'checked' },
      ],
    }),
  );
  home = join(places.pulled, 'pulled-one');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function put(directory: string): Promise<void> {
  for (const [path, content] of Object.entries(CONTENT)) {
    await mkdir(join(directory, path, '..'), { recursive: true });
    await writeFile(join(directory, path), content);
  }
}

describe('verifying', () => {
  it('finds a whole model whole', async () => {
    await put(home);
    expect(await verifyModel('pulled-one', { places })).toMatchObject({ status: 'ok', directory: home });
    expect(requireModel('pulled-one', places)).toBe(home);
  });

  it('finds a shipped model beside the catalogue', async () => {
    await put(join(places.embedded, 'shipped-one'));
    expect(await verifyModel('shipped-one', { places })).toMatchObject({ status: 'ok', directory: join(places.embedded, 'shipped-one') });
  });

  it('says which command fetches a model that is not here', async () => {
    const result = await verifyModel('pulled-one', { places });
    expect(result.status).toBe('absent');
    expect(result.text).toContain('hearback models pull pulled-one');
    expect(() => requireModel('pulled-one', places)).toThrow(expect.objectContaining({ code: 'model-missing' }));
  });

  it('names the missing file', async () => {
    await put(home);
    await rm(join(home, 'sub/config.json'));
    const result = await verifyModel('pulled-one', { places });
    expect(result.status).toBe('broken');
    expect(result.text).toContain('sub/config.json is missing');
    expect(() => requireModel('pulled-one', places)).toThrow(expect.objectContaining({ code: 'model-broken' }));
  });

  it('takes a folder in the place of a file for missing', async () => {
    await put(home);
    await rm(join(home, 'model.bin'));
    await mkdir(join(home, 'model.bin'));
    expect((await verifyModel('pulled-one', { places })).files.find((file) => file.path === 'model.bin')?.status).toBe('missing');
  });

  it('names the file that was cut off, with both sizes', async () => {
    await put(home);
    await truncate(join(home, 'model.bin'), 4000);
    const result = await verifyModel('pulled-one', { places });
    expect(result.status).toBe('broken');
    expect(result.text).toContain('model.bin has 4000 bytes instead of 8000');
    expect(() => requireModel('pulled-one', places)).toThrow('model.bin');
  });

  it('finds any single changed byte', async () => {
    await put(home);
    const whole = Buffer.from(CONTENT['model.bin'] ?? '');
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(whole);
        changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
        await writeFile(join(home, 'model.bin'), changed);
        const result = await verifyModel('pulled-one', { places });
        expect(result.status).toBe('broken');
        expect(result.files.find((file) => file.path === 'model.bin')?.status).toBe('changed');
        expect(result.files.find((file) => file.path === 'sub/config.json')?.status).toBe('ok');
      }),
      { numRuns: 30 },
    );
  });

  it('never calls a model right that has no files listed', async () => {
    await mkdir(join(places.embedded, 'empty-one'));
    expect((await verifyModel('empty-one', { places })).status).toBe('absent');
    expect(() => requireModel('empty-one', places)).toThrow(expect.objectContaining({ code: 'model-missing' }));
  });

  it('does not call right what it has no checksum for', async () => {
    await mkdir(join(places.pulled, 'hub-one'), { recursive: true });
    await writeFile(join(places.pulled, 'hub-one', 'a'), 'x');
    expect((await verifyModel('hub-one', { places })).status).toBe('not-checked');
  });

  it('takes checksums from the note of the pull where the catalogue has none', async () => {
    const directory = join(places.pulled, 'hub-one');
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'a'), 'x');
    const note = (checkedAgainst: string): string =>
      JSON.stringify({ id: 'hub-one', source: 'huggingface', from: 'o/n@c', pulled: '2026-01-01T00:00:00Z', licence: 'MIT', files: [{ path: 'a', size: 1, sha256: sha256('x'), checkedAgainst }] });
    await writeFile(join(directory, 'hearback-model.json'), note('hub'));
    expect((await verifyModel('hub-one', { places })).status).toBe('ok');
    await writeFile(join(directory, 'a'), 'y');
    expect((await verifyModel('hub-one', { places })).status).toBe('broken');
    // a sum that nobody vouched for proves nothing
    await writeFile(join(directory, 'hearback-model.json'), note('nothing'));
    expect((await verifyModel('hub-one', { places })).status).toBe('not-checked');
  });

  it('does not let a note of a pull overrule the catalogue', async () => {
    await put(home);
    await writeFile(join(home, 'model.bin'), 'w'.repeat(8000));
    await writeFile(
      join(home, 'hearback-model.json'),
      JSON.stringify({ id: 'pulled-one', source: 'huggingface', from: '', pulled: '', licence: 'MIT', files: [{ path: 'model.bin', size: 8000, sha256: sha256('w'.repeat(8000)), checkedAgainst: 'hub' }] }),
    );
    expect((await verifyModel('pulled-one', { places })).status).toBe('broken');
  });

  it('can be stopped', async () => {
    await put(home);
    await expect(verifyModel('pulled-one', { places, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('knows a folder of the user by its name, and guesses at a slip', async () => {
    await mkdir(join(places.pulled, 'my-tower-model'), { recursive: true });
    expect(modelDirectory('my-tower-model', places)).toBe(join(places.pulled, 'my-tower-model'));
    expect((await verifyModel('my-tower-model', { places })).status).toBe('not-checked');
    expect(() => modelDirectory('my-towr-model', places)).toThrow(expect.objectContaining({ code: 'unknown-id', hint: expect.stringContaining('my-tower-model') as unknown }));
    expect(() => modelDirectory('../shipped', places)).toThrow(expect.objectContaining({ code: 'unknown-id' }));
  });
});

describe('listing', () => {
  it('tells of each model whether it is here', async () => {
    await put(home);
    await mkdir(join(places.embedded, 'shipped-one'), { recursive: true });
    await writeFile(join(places.embedded, 'shipped-one', 'model.bin'), CONTENT['model.bin'] ?? '');
    await mkdir(join(places.pulled, 'own'), { recursive: true });
    await mkdir(join(places.pulled, '.partial'), { recursive: true });
    const states = Object.fromEntries((await listModels(places)).map((model) => [model.id, model.state]));
    expect(states).toEqual({ 'shipped-one': 'incomplete', 'pulled-one': 'pulled', 'hub-one': 'absent', 'empty-one': 'absent', own: 'own' });
  });
});

describe('places', () => {
  it('follow HEARBACK_MODELS', () => {
    expect(defaultPlaces({ HEARBACK_MODELS: folder }).pulled).toBe(folder);
  });

  it('are never inside node_modules', () => {
    expect(() => defaultPlaces({ HEARBACK_MODELS: join(folder, 'node_modules', 'hearback', 'models') })).toThrow('node_modules');
  });

  it.each([
    ['linux', {}, '/home/a/.local/share/hearback'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/hearback'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/a/.local/share/hearback'],
    ['darwin', {}, '/home/a/Library/Application Support/Hearback'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/Hearback'],
  ] as const)('on %s with %j are %s', (platform, env, expected) => {
    expect(platformDataFolder(env, platform, '/home/a').replaceAll('\\', '/')).toBe(expected);
  });
});
