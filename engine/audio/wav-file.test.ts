import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { difference, testFolder, tone, wavBytes } from '../../test/support/audio.js';
import { readWavSamples } from './wav-file.js';

const folder = await testFolder();

it('the audio of several channels is averaged when read', async () => {
  const path = join(folder, 'two.wav');
  await writeFile(path, wavBytes([tone(440, 0.1, 16_000), new Float32Array(1600)]));
  expect(difference((await readWavSamples(path)).samples, tone(440, 0.1, 16_000, 0.25))).toBeLessThan(1e-4);
});
