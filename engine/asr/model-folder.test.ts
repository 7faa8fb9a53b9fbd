import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MODEL_DIR } from '../../test/support/asr-audio.js';
import { HearbackError } from '../domain/result.js';
import { openModelFolder } from './model-folder.js';

const scratch = mkdtempSync(join(tmpdir(), 'hearback-model-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

let count = 0;
/** A copy of the shipped model's folder with one file changed (null: taken away). */
function changed(name: string, content: string | null): string {
  const folder = join(scratch, String(count++));
  for (const file of ['encoder.onnx', 'decoder.onnx']) cpSync(join(MODEL_DIR, 'config.json'), join(folder, file), { recursive: true });
  for (const file of ['config.json', 'vocab.json']) cpSync(join(MODEL_DIR, file), join(folder, file));
  rmSync(join(folder, name));
  if (content !== null) writeFileSync(join(folder, name), content);
  return folder;
}

function failure(folder: string): HearbackError {
  try {
    openModelFolder(folder);
  } catch (error) {
    if (error instanceof HearbackError) return error;
    throw error;
  }
  throw new Error('the folder was opened');
}

const config = (): Record<string, unknown> => JSON.parse(readFileSync(join(MODEL_DIR, 'config.json'), 'utf8')) as Record<string, unknown>;

describe('model folder', () => {
  it('of the shipped model opens', () => {
    const folder = openModelFolder(MODEL_DIR);
    expect(folder.vocabulary).toHaveLength(folder.config.vocabulary);
    expect(folder.vocabulary[folder.config.eos]).toBeNull();
    for (const row of folder.config.prompt) expect(folder.vocabulary[row]).toBeNull();
    expect(new TextDecoder().decode(folder.vocabulary.find((token) => token?.length === 7) ?? undefined)).toHaveLength(7);
  });

  it('opens through a link and under a name with blanks and other scripts', () => {
    const link = join(scratch, 'Flüge Антон 東京');
    symlinkSync(MODEL_DIR, link);
    expect(openModelFolder(link).config.name).toBe('whisper-base-radio');
  });

  it('that is not there, or lacks a file, is missing', () => {
    expect(failure(join(scratch, 'nowhere'))).toMatchObject({ code: 'model-missing' });
    const lacking = failure(changed('decoder.onnx', null));
    expect(lacking).toMatchObject({ code: 'model-missing' });
    expect(lacking.message).toContain('decoder.onnx');
    expect(lacking.hint).toContain('models pull');
  });

  it.each([
    ['an empty graph', 'encoder.onnx', '', 'encoder.onnx'],
    ['a configuration that is no JSON', 'config.json', '{"format": 1,', 'config.json'],
    ['a configuration without an end token', 'config.json', JSON.stringify({ ...config(), eos: undefined }), 'eos'],
    ['a configuration of another format', 'config.json', JSON.stringify({ ...config(), format: 2 }), 'format'],
    ['a vocabulary of another model', 'vocab.json', '["a","b"]', '2 tokens'],
    ['a vocabulary that is no list', 'vocab.json', '{"a": 1}', 'vocab.json'],
  ])('with %s is broken', (_, name, content, named) => {
    const error = failure(changed(name, content));
    expect(error.code).toBe('model-broken');
    expect(error.message).toContain(named);
  });
});
