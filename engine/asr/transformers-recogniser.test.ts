import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from '@huggingface/transformers';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createRecogniser } from './recogniser.js';
import { groupTokens, openTransformers, spreadWords } from './transformers-recogniser.js';

const scratch = mkdtempSync(join(tmpdir(), 'hearback-transformers-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

describe('models in the layout of transformers.js', () => {
  it('from a hub that cannot be reached are told to be offline', async () => {
    // nothing listens on the discard port of this machine
    env.remoteHost = 'http://127.0.0.1:9/';
    env.cacheDir = join(scratch, 'cache');
    await expect(openTransformers({ kind: 'hub', id: 'nobody/whisper-nothing' }, 'cpu', 1)).rejects.toMatchObject({ code: 'offline' });
  });

  it('in a folder that lacks a file are told to be missing, by name, through the worker too', async () => {
    const folder = join(scratch, 'half');
    mkdirSync(join(folder, 'onnx'), { recursive: true });
    const message = expect.stringContaining('config.json') as string;
    await expect(openTransformers({ kind: 'folder', path: folder }, 'cpu', 1)).rejects.toMatchObject({ code: 'model-missing', message });
    await expect(createRecogniser({ modelDir: folder, modelId: 'half', device: 'cpu' })).rejects.toMatchObject({ code: 'model-missing', message });
  });

  it('in a folder without an encoder, or with files that are none, are told to be missing or broken', async () => {
    const folder = join(scratch, 'broken');
    mkdirSync(join(folder, 'onnx'), { recursive: true });
    for (const name of ['config.json', 'tokenizer.json', 'preprocessor_config.json']) writeFileSync(join(folder, name), '{}');
    await expect(openTransformers({ kind: 'folder', path: folder }, 'cpu', 1)).rejects.toMatchObject({ code: 'model-missing' });
    writeFileSync(join(folder, 'onnx', 'encoder_model.onnx'), 'no graph');
    await expect(openTransformers({ kind: 'folder', path: folder }, 'cpu', 1)).rejects.toMatchObject({ code: 'model-broken' });
  });
});

describe('words of tokens', () => {
  it('start at blanks', () => {
    expect(groupTokens([' Speed', 'bird', ' one', ',', ' two'])).toEqual([
      { text: ' Speedbird', from: 0, to: 2 },
      { text: ' one,', from: 2, to: 4 },
      { text: ' two', from: 4, to: 5 },
    ]);
    expect(groupTokens([])).toEqual([]);
  });

  it('are spread over the speech without gaps, longer ones longer', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 20 }), fc.float({ min: 0, max: 5, noNaN: true }), fc.float({ min: 6, max: 28, noNaN: true }), (texts, from, to) => {
        const words = spreadWords(
          texts.map((text) => ({ text, confidence: 1 })),
          from,
          to,
        );
        expect(words[0]?.start).toBeCloseTo(from);
        expect(words.at(-1)?.end).toBeCloseTo(to);
        words.forEach((word, i) => {
          if (i > 0) expect(word.start).toBeCloseTo(words[i - 1]?.end ?? -1);
          expect(word.end ?? 0).toBeGreaterThan(word.start ?? 0);
        });
      }),
    );
  });
});
