import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HearbackError } from '../domain/result.js';
import { fileFailure, formatBytes, freeBytes, requireSpace, sumsOf, systemCode } from './disk.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearback-disk-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('checksums', () => {
  // published values: FIPS 180-2 appendix B.1, and git's ids of an empty file and of "hello\n"
  it.each([
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f'],
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'],
    ['hello\n', '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03', 'ce013625030ba8dba906f756967f9e9ca394464a'],
  ])('of %j', async (content, sha256, blob) => {
    const file = join(folder, 'f');
    await writeFile(file, content);
    let counted = 0;
    expect(await sumsOf(file, content.length, undefined, (count) => (counted += count))).toEqual({ size: content.length, sha256, blob });
    expect(counted).toBe(content.length);
  });
});

describe('space', () => {
  const MB = 1_000_000;
  it('lets pass what fits with something left over', () => {
    expect(() => {
      requireSpace('/x', 100 * MB, 140 * MB);
    }).not.toThrow();
  });

  it('refuses what would fill the disk to the brim, with both figures', () => {
    expect(() => {
      requireSpace('/x', 100 * MB, 110 * MB);
    }).toThrow(/100\.0 MB are needed in \/x.*110\.0 MB are free/u);
  });

  it('needs none for nothing', () => {
    expect(() => {
      requireSpace('/x', 0, 0);
    }).not.toThrow();
  });

  it('is asked of the system', async () => {
    expect(await freeBytes(folder)).toBeGreaterThan(0);
  });
});

describe('file failures', () => {
  it.skipIf(!existsSync('/dev/full'))('a full disk is told as one', async () => {
    const failure: unknown = await writeFile('/dev/full', 'x').catch((thrown: unknown) => thrown);
    expect(systemCode(failure)).toBe('ENOSPC');
    const told = fileFailure(failure, '/models/a.bin');
    expect(told.code).toBe('disk-full');
    expect(told.sentence).toContain('/models/a.bin');
  });

  it.each([
    ['EDQUOT', 'disk-full'],
    ['EACCES', 'usage'],
    ['EROFS', 'usage'],
    ['EIO', 'internal'],
  ])('%s is %s', (code, told) => {
    expect(fileFailure(Object.assign(new Error('failed'), { code }), '/x').code).toBe(told);
  });

  it('finds the code behind other errors', () => {
    expect(systemCode(new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ENOSPC' }) }))).toBe('ENOSPC');
  });

  it('leaves an error alone that says what is wrong already', () => {
    const error = new HearbackError('checksum', 'm');
    expect(fileFailure(error, '/x')).toBe(error);
  });
});

describe('sizes for people', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_940, '999.9 kB'],
    [999_960, '1.0 MB'],
    [23_149_697, '23.1 MB'],
    [1_117_320_768, '1.1 GB'],
  ])('%d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
