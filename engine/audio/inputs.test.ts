import { link, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testFolder } from '../../test/support/audio.js';
import { expandInputs } from './inputs.js';

const folder = await testFolder();
const at = (...names: string[]): string => join(folder, ...names);
async function put(path: string, content = path): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
}
const below = (files: readonly string[], base = folder): string[] => files.map((f) => relative(base, f).replaceAll('\\', '/'));

// ü, é and が as one character, and as letter and mark
const COMPOSED = 'Fl\u00fcge caf\u00e9 \u304c.wav';
const DECOMPOSED = 'Flu\u0308ge cafe\u0301 \u304b\u3099.wav';

describe('expanding inputs', () => {
  beforeAll(async () => {
    for (const name of ['day/10 tower.wav', 'day/2 tower.WAV', 'day/1 tower.flac', 'day/notes.txt', 'day/.hidden.wav', 'day/night/app.mp3', 'day/night/old.m4a', 'day/._1 tower.flac', 'brackets/take [1].wav', 'brackets/take 1.wav'])
      await put(at(name));
    await mkdir(at('empty'));
  });

  it('files stay in the order given, with their names as given', async () => {
    const given = [at('day', 'night', '..', '10 tower.wav'), at('day/notes.txt'), at('day/1 tower.flac')];
    expect(await expandInputs(given)).toEqual({ files: given, failures: [] });
  });

  it('folders give the recordings below them, as people count, hidden ones and other files left out', async () => {
    const { files, failures } = await expandInputs([at('day')]);
    expect(below(files)).toEqual(['day/1 tower.flac', 'day/2 tower.WAV', 'day/10 tower.wav', 'day/night/app.mp3', 'day/night/old.m4a']);
    expect(failures).toEqual([]);
  });

  it('patterns give what they match', async () => {
    expect(below((await expandInputs([at('day/*.{wav,WAV}')])).files)).toEqual(['day/2 tower.WAV', 'day/10 tower.wav']);
    expect(below((await expandInputs([at('day/**/*.m*')])).files)).toEqual(['day/night/app.mp3', 'day/night/old.m4a']);
    expect(below((await expandInputs([at('day/*.txt')])).files)).toEqual(['day/notes.txt']);
  });

  it('patterns may stand behind folders with pattern characters in their names, and hold folders in braces', async () => {
    await put(at('old [2019] (1)', 'x.wav'));
    expect(below((await expandInputs([at('old [2019] (1)/*.wav')])).files)).toEqual(['old [2019] (1)/x.wav']);
    expect(below((await expandInputs([at('{day/night,brackets}/*1*.{wav,mp3}'), at('{day/night,brackets}/app.*')])).files)).toEqual(['brackets/take [1].wav', 'brackets/take 1.wav', 'day/night/app.mp3']);
  });

  it('a name with pattern characters that exists is that file', async () => {
    expect(below((await expandInputs([at('brackets/take [1].wav')])).files)).toEqual(['brackets/take [1].wav']);
    expect(below((await expandInputs([at('brackets/take [0-9].wav')])).files)).toEqual(['brackets/take 1.wav']);
  });

  it('nothing is listed twice, by whatever way it is reached', async () => {
    await symlink(at('day/10 tower.wav'), at('link.wav'));
    await symlink(at('day'), at('day/night/again')); // a circle
    const { files } = await expandInputs([at('link.wav'), at('day'), at('day/*.wav'), at('day', 'night', '..', '1 tower.flac'), at('day/night')]);
    expect(below(files)).toEqual(['link.wav', 'day/1 tower.flac', 'day/2 tower.WAV', 'day/night/app.mp3', 'day/night/old.m4a']);
  });

  it('what cannot be had is told, one by one, and the others are kept', async () => {
    const { files, failures } = await expandInputs([at('gone.wav'), at('empty'), at('day/*.ogg'), '', at('day/1 tower.flac'), at('day/1 tower.flac/x.wav')]);
    expect(below(files)).toEqual(['day/1 tower.flac']);
    expect(failures.map((f) => [f.input, f.error.code])).toEqual([
      [at('gone.wav'), 'not-found'],
      [at('empty'), 'not-found'],
      [at('day/*.ogg'), 'not-found'],
      ['', 'usage'],
      [at('day/1 tower.flac/x.wav'), 'not-found'],
    ]);
    expect(new Set(failures.map((f) => f.error.message)).size).toBe(5);
  });
});

describe('names outside ASCII', () => {
  it('are found in either spelling and come out as they are on disk, or as given where that exists', async () => {
    const base = at('Flüge Антон', '東京 塔');
    await put(join(base, DECOMPOSED));
    const [onDisk] = await readdir(base);
    const path = join(base, onDisk ?? '');
    const { files, failures } = await expandInputs([join(base, COMPOSED).normalize('NFC')]);
    expect(failures).toEqual([]);
    expect(files.map((f) => f.normalize('NFC'))).toEqual([path.normalize('NFC')]);
    expect((await expandInputs([base])).files).toEqual([path]);
    expect((await expandInputs([join(base, `${COMPOSED.slice(0, 3)}*`)])).files).toEqual([path]);
    expect((await expandInputs([join(base, COMPOSED), join(base, DECOMPOSED), base])).files).toHaveLength(1);
  });

  it('the same file under both spellings is processed once; different files of both spellings are both', async () => {
    const same = at('same');
    await put(join(same, COMPOSED), 'one recording');
    await put(join(same, DECOMPOSED), 'one recording');
    expect((await expandInputs([same])).files).toHaveLength(1);
    const different = at('different');
    await put(join(different, COMPOSED), 'one recording');
    await put(join(different, DECOMPOSED), 'another recording');
    // on systems that hold both names apart, both are there
    expect((await expandInputs([different])).files).toHaveLength((await readdir(different)).length);
  });

  it('equal content under different names is not the same file', async () => {
    await put(at('twins', 'a.wav'), 'same bytes');
    await put(at('twins', 'b.wav'), 'same bytes');
    await link(at('twins', 'a.wav'), at('twins', 'c.wav'));
    expect((await expandInputs([at('twins')])).files).toHaveLength(3);
  });
});
