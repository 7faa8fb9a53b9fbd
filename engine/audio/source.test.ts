import { chmod, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { amplitude, collect, collectOne, difference, failure, fixture, formatBody, noise, place, rms, testFolder, tone, wavBytes } from '../../test/support/audio.js';
import { fileError } from './file-reader.js';
import { openAudio } from './source.js';

const RATE = 16_000;
const folder = await testFolder();
let count = 0;
async function wav(channels: readonly Float32Array[], options: Parameters<typeof wavBytes>[1] = {}): Promise<string> {
  const path = join(folder, `${count++}.wav`);
  await writeFile(path, wavBytes(channels, options));
  return path;
}
const add = (a: Float32Array, b: Float32Array, gain = 1): Float32Array => a.map((v, i) => v + gain * (b[i] ?? 0));
const silence = (seconds: number): Float32Array => new Float32Array(seconds * RATE);
const kinds = (source: { notices: readonly { kind: string }[] }): string[] => source.notices.map((n) => n.kind);

/** Talk of one frequency: bursts of noise, as different from another one's as speech is. */
const talk = (seconds: number, at: readonly number[], seed: number, level = 0.3): Float32Array =>
  place(
    seconds,
    RATE,
    at.map((t, i) => ({ at: t, samples: noise(2 * RATE, level, seed + i) })),
  );

describe('channel "auto" of a stereo recording', () => {
  it('two frequencies are both followed, marked, and nothing of either is lost, not even where they overlap', async () => {
    const left = talk(60, [2, 6, 30, 35], 1);
    const right = talk(60, [12, 16, 36, 50], 50);
    const source = await openAudio(await wav([left, right]));
    expect(source.channels).toEqual(['left', 'right']);
    expect(source.duration).toBe(60);
    const got = await collect(source);
    expect(difference(got.get('left') ?? silence(0), left)).toBeLessThan(2 ** -15);
    expect(difference(got.get('right') ?? silence(0), right)).toBeLessThan(2 ** -15);
    expect(source.notices.map((n) => [n.kind, n.severity])).toEqual([['channels', 'info']]);
  });

  it('a faint side beside a loud one is followed too', async () => {
    // an aircraft at −47 dBFS peak on the right, nothing else there
    const source = await openAudio(await wav([talk(20, [2, 8], 1, 0.25), talk(20, [14], 9, 10 ** (-47 / 20))]));
    expect(source.channels).toEqual(['left', 'right']);
  });

  it('one second of talk on the right in a long recording is found', async () => {
    const source = await openAudio(await wav([talk(130, [2, 60, 100], 1), place(130, RATE, [{ at: 120, samples: noise(RATE, 0.2, 8) }])]));
    expect(source.channels).toEqual(['left', 'right']);
  });

  it('a silent side is left out and told, whichever it is, also with a constant offset or the last bit flickering', async () => {
    const sound = talk(5, [1], 3);
    for (const quiet of [silence(5), silence(5).fill(0.2), noise(5 * RATE, 1 / 32768, 4)]) {
      for (const [channels, name] of [[[quiet, sound], 'right'], [[sound, quiet], 'left']] as const) { // prettier-ignore
        const source = await openAudio(await wav(channels));
        expect(source.channels).toEqual([name]);
        expect(kinds(source)).toEqual(['silent-channel']);
        expect(source.notices[0]?.text).toContain(`${name} is used`);
        expect(difference(await collectOne(source), sound)).toBeLessThan(2 ** -15);
      }
    }
  });

  it('silence on both is told and gives one channel', async () => {
    const source = await openAudio(await wav([silence(2), silence(2)]));
    expect(source.channels).toEqual(['mono']);
    expect(kinds(source)).toEqual(['silent']);
    expect(await collectOne(source)).toHaveLength(2 * RATE);
  });

  it('the same sound on both becomes one channel with exactly that sound', async () => {
    const sound = talk(5, [1], 3);
    const source = await openAudio(await wav([sound, sound]));
    expect(source.channels).toEqual(['mono']);
    expect(source.notices).toEqual([]);
    expect(difference(await collectOne(source), sound)).toBeLessThan(2 ** -15);
  });

  it('the same sound with other noise, another level, or upside down becomes one channel that still holds it', async () => {
    const sound = talk(10, [1, 5], 3, 0.4);
    const hiss = (seed: number): Float32Array => noise(sound.length, 0.4 * 10 ** (-32 / 20), seed);
    for (const other of [add(sound, hiss(5)), sound.map((v) => 0.4 * v), sound.map((v) => -v)]) {
      const source = await openAudio(await wav([add(sound, hiss(6)), other]));
      expect(source.channels).toEqual(['mono']);
      expect(rms(await collectOne(source), 1, 3)).toBeGreaterThan(0.5 * rms(sound, 1, 3));
    }
  });

  it('a click on one side does not make two frequencies, half a second of talk does', async () => {
    const sound = talk(20, [1, 9], 3);
    const click = add(sound, place(20, RATE, [{ at: 15, samples: noise(400, 0.9, 1) }]));
    expect((await openAudio(await wav([sound, click]))).channels).toEqual(['mono']);
    const word = add(sound, place(20, RATE, [{ at: 15, samples: noise(0.7 * RATE, 0.2, 1) }]));
    expect((await openAudio(await wav([sound, word]))).channels).toEqual(['left', 'right']);
  });

  it('one room recorded in stereo is split, but the way out is told', async () => {
    const sound = talk(10, [1, 5], 3);
    const near = add(sound, talk(10, [1, 5], 70), 0.5);
    const source = await openAudio(await wav([sound, near]));
    expect(source.channels).toEqual(['left', 'right']);
    expect(source.notices.map((n) => [n.severity, /choose the channel "mix"/.test(n.text)])).toEqual([['warning', true]]);
  });

  it('the choice does not depend on the rate or the kind of file', async () => {
    const a = tone(440, 3, 44_100);
    const b = tone(660, 3, 44_100);
    expect((await openAudio(await wav([a, b], { rate: 44_100, type: 's24' }))).channels).toEqual(['left', 'right']);
    expect((await openAudio(await wav([a, a], { rate: 44_100, type: 'f32' }))).channels).toEqual(['mono']);
  });
});

describe('channels by choice', () => {
  const left = tone(500, 1, RATE);
  const right = tone(900, 1, RATE);

  it('left, right, number, mix, split', async () => {
    const path = await wav([left, right]);
    for (const [channel, names, at500, at900] of [
      ['left', ['left'], 0.5, 0],
      ['right', ['right'], 0, 0.5],
      [1, ['left'], 0.5, 0],
      [2, ['right'], 0, 0.5],
      ['mix', ['mono'], 0.25, 0.25],
    ] as const) {
      const source = await openAudio(path, { channel });
      expect(source.channels).toEqual(names);
      const y = await collectOne(source);
      expect(amplitude(y, 500, 0.1, 0.9)).toBeCloseTo(at500, 3);
      expect(amplitude(y, 900, 0.1, 0.9)).toBeCloseTo(at900, 3);
      expect(source.notices).toEqual([]);
    }
    expect((await openAudio(path, { channel: 'split' })).channels).toEqual(['left', 'right']);
    expect((await openAudio(await wav([left, left]), { channel: 'split' })).channels).toEqual(['left', 'right']);
  });

  it('more than two channels are followed for themselves; silent ones are left out and told', async () => {
    const source = await openAudio(await wav([left, silence(1), right, tone(1300, 1, RATE)]));
    expect(source.channels).toEqual(['ch1', 'ch3', 'ch4']);
    expect(source.notices[0]?.text).toContain('silent on the channel ch2');
    const got = await collect(source);
    expect(amplitude(got.get('ch4') ?? silence(0), 1300, 0.1, 0.9)).toBeCloseTo(0.5, 3);
    expect((await openAudio(await wav([left, right, left]), { channel: 3 })).channels).toEqual(['ch3']);
  });

  it('a channel that is not there is refused before anything starts', async () => {
    for (const channel of [3, 0, -1, 1.5] as const) expect((await failure(openAudio(await wav([left, right]), { channel }))).code).toBe('usage');
    const error = await failure(openAudio(await wav([left]), { channel: 'right' }));
    expect(error.message).toContain('has one channel; channel right is not among them');
    expect((await openAudio(await wav([left]), { channel: 'left' })).channels).toEqual(['mono']);
  });
});

describe('reading', () => {
  it('chunks are short, in order and end where the duration says', async () => {
    const source = await openAudio(await wav([noise(48_000 * 7, 0.5, 1), noise(48_000 * 7, 0.5, 2)], { rate: 48_000 }));
    const ends = new Map<string, number>();
    for await (const chunk of source.chunks()) {
      expect(chunk.startSample).toBe(ends.get(chunk.channel) ?? 0);
      expect(chunk.samples.length).toBeLessThanOrEqual(RATE / 2);
      ends.set(chunk.channel, chunk.startSample + chunk.samples.length);
    }
    expect([...ends.values()]).toEqual([7 * RATE, 7 * RATE]);
  });

  it('chunks belong to the receiver: later ones do not change earlier ones', async () => {
    const sound = noise(3 * RATE, 0.5, 1);
    for (const channel of ['split', 'mix'] as const) {
      const chunks = [];
      for await (const chunk of (await openAudio(await wav([sound, sound]), { channel })).chunks()) chunks.push({ chunk, copy: chunk.samples.slice() });
      for (const { chunk, copy } of chunks) expect(difference(chunk.samples, copy)).toBe(0);
    }
  });

  it('may be given up in the middle and begun again', async () => {
    for (const path of [await wav([noise(20 * RATE, 0.5, 1)]), fixture('bursts-cbr.mp3'), fixture('bursts.flac'), fixture('bursts.opus')]) {
      const source = await openAudio(path);
      for await (const chunk of source.chunks()) if (chunk.startSample > 8000) break;
      expect((await collectOne(source)).length / RATE).toBeCloseTo(source.duration ?? 0, 2);
    }
  });

  it('two readers at once get the same', async () => {
    const source = await openAudio(fixture('bursts.flac'));
    const [a, b] = await Promise.all([collectOne(source), collectOne(source)]);
    expect(difference(a, b)).toBe(0);
  });

  it('stops when it is told to, before, at the beginning and in between', async () => {
    const path = await wav([noise(20 * RATE, 0.5, 1), noise(20 * RATE, 0.5, 2)]);
    expect((await failure(openAudio(path, { signal: AbortSignal.abort() }))).code).toBe('cancelled');
    const source = await openAudio(path);
    const stop = new AbortController();
    let chunks = 0;
    const error = await failure(
      (async () => {
        for await (const _ of source.chunks(stop.signal)) if (++chunks === 5) stop.abort();
      })(),
    );
    expect(error.code).toBe('cancelled');
    expect(error.message).toContain(path);
    expect(chunks).toBeLessThan(10);
  });

  it('a file that becomes shorter while it is read is told', async () => {
    const path = await wav([noise(20 * RATE, 0.5, 1)]);
    const source = await openAudio(path);
    await writeFile(path, (await readFile(path)).subarray(0, 44 + 10 * 2 * RATE));
    expect((await collectOne(source)).length).toBe(10 * RATE);
    expect(source.notices.map((n) => n.text)).toEqual([expect.stringContaining('became shorter while it was read')]);
  });

  it('names come out as they went in, in any script and spelling', async () => {
    const odd = join(folder, 'Flüge Антон', '東京 塔');
    await mkdir(odd, { recursive: true });
    const path = join(odd, 'u\u0308bung [1] "zwei".wav');
    await writeFile(path, wavBytes([tone(500, 1, RATE)], { dataSize: 0 }));
    const source = await openAudio(path);
    expect(source.name).toBe(path);
    expect(source.notices[0]?.text).toContain(path);
  });

  it('a day and more is no reason to refuse, and is told', async () => {
    // 8 kHz µ-law, 25 hours, as a file with a hole: nothing of it lies on the disk
    const path = join(folder, 'long.wav');
    const head = wavBytes([new Float32Array(0)], { type: 'ulaw', rate: 8000, dataSize: 25 * 3600 * 8000, riffSize: 36 + 25 * 3600 * 8000 });
    await writeFile(path, head);
    await truncate(path, 44 + 25 * 3600 * 8000);
    const source = await openAudio(path);
    expect(source.duration).toBe(25 * 3600);
    expect(source.notices.map((n) => n.text)).toEqual([expect.stringContaining('is 25 h 00 min long')]);
    for await (const chunk of source.chunks()) {
      expect(chunk.samples.length).toBeGreaterThan(0);
      break;
    }
  });
});

describe('memory', () => {
  it('does not grow with the recording', async () => {
    // three hours of 16-bit samples as a file with a hole: 346 MB that take no room on the disk
    const path = join(folder, 'hours.wav');
    const bytes = 3 * 3600 * 2 * RATE;
    await writeFile(path, wavBytes([new Float32Array(0)], { dataSize: bytes, riffSize: 36 + bytes }));
    await truncate(path, 44 + bytes);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    let samples = 0;
    for await (const chunk of (await openAudio(path)).chunks()) {
      samples += chunk.samples.length;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(samples).toBe(bytes / 2);
    expect(most / 1e6).toBeLessThan(80); // what the collector leaves lying about; the recording as floats would be 690 MB
  });
});

describe('files that cannot be opened have a sentence each', () => {
  it('not there, a folder, a circle of links, a pipe', async () => {
    const missing = await failure(openAudio(join(folder, 'nowhere.wav')));
    expect([missing.code, missing.message]).toEqual(['not-found', `"${join(folder, 'nowhere.wav')}" does not exist.`]);
    const dir = await failure(openAudio(folder));
    expect([dir.code, dir.message]).toEqual(['unreadable', `"${folder}" is a folder, not a recording.`]);
    const loop = join(folder, 'loop.wav');
    await symlink(loop, loop);
    expect((await failure(openAudio(loop))).message).toContain('leads in a circle');
    if (process.platform !== 'win32') expect((await failure(openAudio('/dev/null'))).message).toBe('"/dev/null" is a device or a pipe, not a file.');
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('no permission', async () => {
    const path = await wav([tone(500, 1, RATE)]);
    await chmod(path, 0o000);
    const error = await failure(openAudio(path));
    expect([error.code, error.message]).toEqual(['unreadable', `"${path}" may not be read: permission denied.`]);
  });

  it('what the system says is turned into that sentence', () => {
    const said = (code: string): string => fileError(Object.assign(new Error(`${code}: from the system`), { code }), 'a.wav').message;
    expect(said('EACCES')).toBe('"a.wav" may not be read: permission denied.');
    expect(said('EMFILE')).toContain('too many files are open');
    expect(said('EIO')).toBe('"a.wav" cannot be read (EIO: from the system).');
  });

  it('a format that contradicts itself beyond mending', async () => {
    const error = await failure(openAudio(await wav([tone(500, 1, RATE)], { format: formatBody('s16', 1, 16_000).fill(0) })));
    expect(error.code).toBe('unsupported');
  });
});
