import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import wavefile from 'wavefile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { difference, failure, noise, testFolder, tone, wavBytes } from '../../test/support/audio.js';
import { readWavSamples, writeError, writeWav } from './wav-file.js';

const folder = await testFolder();

describe('the audio of a transmission on disk', () => {
  it('comes back as it was written, to half a step of 16 bits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom(8000, 16_000, 48_000), fc.integer(), async (length, rate, seed) => {
        const path = join(folder, 'round.wav');
        const sent = noise(length, 0.999, seed);
        await writeWav(path, sent, rate);
        const got = await readWavSamples(path);
        expect(got.rate).toBe(rate);
        expect(got.notices).toEqual([]);
        expect(difference(got.samples, sent)).toBeLessThanOrEqual(0.5 / 32768);
      }),
      { numRuns: 30 },
    );
  });

  it('is a plain mono 16-bit PCM file for everybody else', async () => {
    const path = join(folder, 'plain.wav');
    await writeWav(path, tone(440, 0.5, 16_000));
    const other = new wavefile.WaveFile(await readFile(path));
    const fmt = other.fmt as { numChannels: number; sampleRate: number; audioFormat: number };
    expect([fmt.audioFormat, fmt.numChannels, fmt.sampleRate, other.bitDepth]).toEqual([1, 1, 16_000, '16']);
    expect((await readFile(path)).length).toBe(44 + 16_000);
  });

  it('is limited at full scale, and 0 where there is no number', async () => {
    const path = join(folder, 'limits.wav');
    await writeWav(path, Float32Array.from([1, 1.5, -1, -7, NaN, Infinity, -Infinity, 0]));
    expect([...(await readWavSamples(path)).samples].map((v) => v * 32768)).toEqual([32767, 32767, -32768, -32768, 0, 32767, -32768, 0]);
  });

  it('replaces an older one as a whole and leaves nothing else behind', async () => {
    const inside = join(folder, 'replace');
    await mkdir(inside);
    const path = join(inside, 'übung 東京.wav');
    await writeFile(path, 'something else');
    await writeWav(path, tone(440, 0.1, 16_000));
    expect((await readWavSamples(path)).samples).toHaveLength(1600);
    expect(await readdir(inside)).toEqual(['übung 東京.wav']);
  });

  it('that cannot be written is told, and no part of it stays', async () => {
    const missing = await failure(writeWav(join(folder, 'no such folder', 'a.wav'), tone(440, 0.1, 16_000)));
    expect(missing.code).toBe('not-found');
    const blocked = join(folder, 'blocked');
    await mkdir(join(blocked, 'a.wav'), { recursive: true }); // the name is taken by a folder
    await failure(writeWav(join(blocked, 'a.wav'), tone(440, 0.1, 16_000)));
    expect(await readdir(blocked)).toEqual(['a.wav']);
  });

  it.skipIf(process.platform !== 'linux')('on a full disk fails with that sentence', async () => {
    // what the system says on a device without any room left
    const file = await open('/dev/full', 'w');
    const thrown: unknown = await file.writeFile('x').catch((e: unknown) => e);
    await file.close();
    const error = writeError(thrown, 'talk.wav');
    expect([error.code, error.message]).toEqual(['disk-full', '"talk.wav" could not be written: the disk is full.']);
  });

  it('of several channels is averaged when read', async () => {
    const path = join(folder, 'two.wav');
    await writeFile(path, wavBytes([tone(440, 0.1, 16_000), new Float32Array(1600)]));
    expect(difference((await readWavSamples(path)).samples, tone(440, 0.1, 16_000, 0.25))).toBeLessThan(1e-4);
  });
});
