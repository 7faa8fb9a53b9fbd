import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Catalogue, loadCatalogue, nearestIds, parseCatalogue, unknownId } from './catalogue.js';
import { packageRoot } from './paths.js';
import { verifyModel } from './verify.js';

const shipped = loadCatalogue(join(packageRoot(), 'models', 'catalogue.json'));
const sum = 'a'.repeat(64);

/** A catalogue of one pullable model, with changes. */
function one(change: Record<string, unknown> = {}): string {
  const model = {
    id: 'm',
    title: 'M',
    purpose: 'recogniser',
    layout: 'ct2',
    embedded: false,
    licence: { spdx: 'MIT', note: 'n' },
    origin: 'o',
    sources: [{ kind: 'pypi', packages: [{ name: 'p', version: '1', size: 3, sha256: sum }], files: { 'a.bin': [{ package: 'p', member: 'p/a' }] } }],
    files: [{ path: 'a.bin', size: 3, sha256: sum }],
    use: 'u',
    status: 'checked',
    ...change,
  };
  return JSON.stringify({ version: 1, models: [model] });
}

describe('the shipped catalogue', () => {
  const embedded = shipped.models.filter((model) => model.embedded);

  it('has the recogniser and the voice activity detector embedded', () => {
    expect(embedded.map((model) => model.id)).toEqual(expect.arrayContaining(['whisper-base-radio', 'silero-vad']));
  });

  it.each(embedded.map((model) => model.id))('describes %s as it lies in models/', async (id) => {
    const checked = await verifyModel(id);
    expect(checked.text).toContain('is whole');
    expect(checked.status).toBe('ok');
  });

  it('offers nothing under a licence that does not allow passing on', () => {
    for (const model of shipped.models) expect(['MIT', 'Apache-2.0', 'CC0-1.0']).toContain(model.licence.spdx);
  });

  it('says so where a checksum is not known', () => {
    for (const model of shipped.models.filter((item) => item.files.some((file) => file.sha256 === null))) {
      expect(model.status).toBe('not-run');
      expect(model.note, model.id).toMatch(/was not run|were? run|was run/u);
    }
  });

  it('stands in docs/models.md, model by model, with licence and sources', () => {
    const rows = readFileSync(join(packageRoot(), 'docs', 'models.md'), 'utf8').split('\n');
    const listed = rows.map((row) => /^\| `([^`]+)` \|.*\| ([^|]+) \| ([^|]+) \| [^|]+ \|$/u.exec(row)).filter((row) => row !== null).map((row) => row.slice(1, 4));
    expect(listed).toEqual(shipped.models.map((model) => [model.id, model.licence.spdx, model.embedded ? 'shipped' : model.sources.map((source) => source.kind).join(', ')]));
  });

  it('gives a conversion only commands whose placeholders are known', () => {
    for (const model of shipped.models) {
      const placeholders = [...(model.convert?.command ?? '').matchAll(/\{(\w+)\}/gu)].map((match) => match[1]);
      for (const placeholder of placeholders) expect(['directory', 'models']).toContain(placeholder);
    }
  });
});

describe('checking a catalogue', () => {
  it('accepts a sound one', () => {
    expect(parseCatalogue(one(), 'test').models[0]?.id).toBe('m');
  });

  it.each([
    ['an embedded model with a source', { embedded: true }, 'no source to pull from'],
    ['a model without any source', { sources: [] }, 'needs a source'],
    ['a checked model without a checksum', { files: [{ path: 'a.bin', size: 3, sha256: null }] }, 'size and sha256'],
    ['a file that no package brings', { files: [{ path: 'a.bin', size: 3, sha256: sum }, { path: 'b.bin', size: 3, sha256: sum }] }, '"b.bin"'],
    ['a file named twice', { files: [{ path: 'a.bin', size: 3, sha256: sum }, { path: 'a.bin', size: 3, sha256: sum }] }, 'twice'],
    ['a package that is not listed', { sources: [{ kind: 'pypi', packages: [{ name: 'p', version: '1', size: 3, sha256: sum }], files: { 'a.bin': [{ package: 'q', member: 'a' }] } }] }, '"q"'],
    ['a checksum that is too short', { files: [{ path: 'a.bin', size: 3, sha256: 'abc' }] }, '64'],
    ['a field that nobody knows', { colour: 'red' }, 'colour'],
  ])('refuses %s', (_, change, words) => {
    expect(() => parseCatalogue(one(change), 'test')).toThrow(words);
  });

  it('refuses the same id twice', () => {
    const { models } = JSON.parse(one()) as { models: unknown[] };
    expect(() => parseCatalogue(JSON.stringify({ version: 1, models: [...models, ...models] }), 'test')).toThrow('used twice');
  });

  it('names the file that is not JSON', () => {
    expect(() => parseCatalogue('{', 'cat.json')).toThrow('cat.json is not JSON');
  });

  it.each(['../a', 'a/../../b', '/etc/passwd', 'a\\b', 'C:a', '', 'a//b', './a', 'a/.', 'a\0b'])('refuses the path %j, which may leave the folder', (path) => {
    const changed = one({ files: [{ path, size: 3, sha256: sum }], sources: [{ kind: 'huggingface', repo: 'o/n', revision: 'main' }] });
    expect(Catalogue.safeParse(JSON.parse(changed)).success).toBe(false);
  });

  it('never accepts a path that resolves outside its folder', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'b.bin', '...', 'C:', '\\', '~');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const path = parts.join('/');
        const accepted = Catalogue.safeParse(JSON.parse(one({ files: [{ path, size: 3, sha256: sum }], sources: [{ kind: 'huggingface', repo: 'o/n', revision: 'main' }] }))).success;
        if (accepted) expect(join('/models/m', path).startsWith('/models/m/')).toBe(true);
      }),
    );
  });
});

describe('ids that nobody knows', () => {
  const ids = shipped.models.map((model) => model.id);

  it.each([
    ['whisper-bse-radio', 'whisper-base-radio'],
    ['whisper-base-raido', 'whisper-base-radio'],
    ['Silero_VAD', 'silero-vad'],
    ['silero', 'silero-vad'],
    ['smollm2', 'smollm2-135m-instruct-gguf'],
  ])('takes "%s" for "%s"', (typed, meant) => {
    expect(nearestIds(typed, ids)[0]).toBe(meant);
  });

  it.each(['', '   ', 'zzzzzzzzzzzzzzz', 'q'])('has no guess for "%s"', (typed) => {
    expect(nearestIds(typed, ids)).toEqual([]);
  });

  it('finds every id again after one slip of the finger', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ids), fc.nat(), fc.constantFrom('x', '-', '7', ''), (id, at, letter) => {
        const position = at % id.length;
        expect(nearestIds(id.slice(0, position) + letter + id.slice(position + 1), ids)).toContain(id);
      }),
    );
  });

  it('names the nearest in the sentence', () => {
    const error = unknownId('whisper-base-raido', ids);
    expect(error.code).toBe('unknown-id');
    expect(error.sentence).toContain('Did you mean "whisper-base-radio"');
  });
});
