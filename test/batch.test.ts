/** Many files, some bad: each bad one has its own sentence, every good one is done, the exit code tells. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hearback, jsonLines, root, scratch } from './command.js';

const { dir, remove } = scratch('batch');
const folder = join(dir, 'day');
const clips = join(root, 'fixtures', 'clips');
const good = ['clean-descend.flac', 'clean-heading.flac', 'radio-18-db-heading.flac'];
/** Ten ways to be bad, each with what the sentence must name. */
const bad: Readonly<Record<string, { bytes: Uint8Array | string; says: RegExp }>> = {
  '01-empty.wav': { bytes: '', says: /empty/i },
  '02-text.wav': { bytes: 'This is a note about the recording and not the recording itself.\n'.repeat(20), says: /text/i },
  '03-movie.mp3': { bytes: Buffer.concat([Buffer.from([0, 0, 0, 0x20]), Buffer.from('ftypM4A mp42isom'), Buffer.alloc(400)]), says: /MP4|AAC|M4A/ },
  '04-picture.wav': { bytes: Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(400)]), says: /PNG|picture|image/i },
  '05-document.wav': { bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(400)]), says: /PDF/ },
  '06-archive.wav': { bytes: Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400)]), says: /ZIP/i },
  '07-header-only.wav': { bytes: wavHeader(0), says: /no (audio|sound|samples)|zero|empty|nothing/i },
  '08-noise.wav': { bytes: Buffer.from(Array.from({ length: 900 }, (_, n) => (n * 7919 + 13) % 251)), says: /not|unknown|recogni[sz]ed/i },
  '09-web-page.mp3': { bytes: '<!DOCTYPE html><html><body>404 not found</body></html>', says: /HTML|web page/i },
  '10-matroska.ogg': { bytes: Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(400)]), says: /Matroska|WebM/i },
};

function wavHeader(dataBytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const name of good) cpSync(join(clips, name), join(folder, name));
  // a good FLAC with the wrong ending is decoded by its content
  writeFileSync(join(folder, 'mislabelled.wav'), readFileSync(join(clips, 'clean-say-again.flac')));
  for (const [name, { bytes }] of Object.entries(bad)) writeFileSync(join(folder, name), bytes);
});
afterAll(remove);

describe('E5 a folder with ten bad files among good ones', () => {
  it('gives ten sentences, does all good ones, and ends with 1', { timeout: 180_000 }, async () => {
    const ran = await hearback(['transcribe', folder, '--json']);
    expect(ran.code).toBe(1);
    const done = new Set(jsonLines(ran.stdout).map((line) => String(line['file']).split('/').at(-1)));
    expect([...done].sort()).toEqual([...good, 'mislabelled.wav'].sort());
    const sentences = ran.stderr.split('\n').filter((line) => line.startsWith('✗'));
    expect(sentences).toHaveLength(10);
    for (const [name, { says }] of Object.entries(bad)) {
      const sentence = sentences.find((line) => line.includes(name));
      expect(sentence, name).toMatch(says);
    }
    expect(new Set(sentences.map((line) => line.replace(/^.*?: /, ''))).size, 'each its own sentence').toBe(10);
    expect(ran.stderr).toContain('4 of 14 done, 10 failed.');
  });
});

describe('a recogniser by its folder', () => {
  it('is read like one by its id, and a folder that is none is named', { timeout: 120_000 }, async () => {
    const clip = join(root, 'fixtures', 'clips', 'clean-heading.flac');
    const own = join(dir, 'adapted', 'model');
    cpSync(join(root, 'models', 'whisper-base-radio'), own, { recursive: true });
    const [byId, byFolder] = [await hearback(['transcribe', clip]), await hearback(['transcribe', clip, '--model', own])];
    expect(byFolder).toMatchObject({ code: 0, stdout: byId.stdout });
    expect(byFolder.stdout).toMatch(/heading/);
    const missing = await hearback(['transcribe', clip, '--model', join(dir, 'nothing')]);
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain(`There is no model folder at ${join(dir, 'nothing')}`);
  });
});
