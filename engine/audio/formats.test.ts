import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { amplitude, collect, collectOne, difference, failure, fixture, noise, place, rms, testFolder, tone, wavBytes } from '../../test/support/audio.js';
import { HearbackError } from '../domain/result.js';
import { openAudio } from './source.js';

const folder = await testFolder();
async function file(bytes: Uint8Array | string, name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** Where `fixtures/audio/bursts` sounds: frequency and seconds (fixtures/audio/ORIGIN.md). */
const BURSTS = [
  { frequency: 500, from: 1, to: 1.5 },
  { frequency: 1000, from: 3, to: 3.5 },
  { frequency: 2000, from: 5, to: 5.5 },
];

/** Checks content and time of the bursts; `late`: how much later they may be (delay of an encoder without figures for it). */
function expectBursts(samples: Float32Array, late = 0, which = BURSTS): void {
  for (const b of which) {
    expect(amplitude(samples, b.frequency, b.from + 0.05 + late, b.to - 0.05), `${b.frequency} Hz`).toBeGreaterThan(0.44);
    expect(amplitude(samples, b.frequency, b.from + 0.05 + late, b.to - 0.05), `${b.frequency} Hz`).toBeLessThan(0.56);
    // the edges are where they belong within 10 ms
    expect(rms(samples, b.from - 0.25, b.from - 0.01)).toBeLessThan(0.02);
    expect(rms(samples, b.from + 0.01 + late, b.from + 0.06 + late)).toBeGreaterThan(0.25);
    expect(rms(samples, b.to - 0.06, b.to - 0.01)).toBeGreaterThan(0.25);
    expect(rms(samples, b.to + 0.01 + late, b.to + 0.25)).toBeLessThan(0.02);
  }
}

const READABLE = ['bursts-cbr.mp3', 'bursts.flac', 'bursts.opus', 'bursts.ogg', 'bursts-flac.oga', 'bursts-mp3.wav', 'bursts-vbr-no-index.mp3'] as const;
/** Files without figures for their encoder's delay: LAME's 576 and the decoder's 529 samples at 22.05 kHz stay in. */
const lateness = (name: string): number => (/no-index|mp3\.wav/.test(name) ? 1105 / 22_050 : 0);

describe('compressed recordings', () => {
  it.each(READABLE)('%s: right sound at the right time, length counted from the content', async (name) => {
    const source = await openAudio(fixture(name));
    expect(source.channels).toEqual(['mono']);
    expect(source.notices).toEqual([]);
    const samples = await collectOne(source);
    expectBursts(samples, lateness(name));
    expect(Math.abs((source.duration ?? 0) - 6)).toBeLessThan(lateness(name) === 0 ? 0.001 : 0.1);
    expect(Math.abs(samples.length / 16_000 - (source.duration ?? 0))).toBeLessThan(0.001);
    expect(source.notices).toEqual([]);
    expect(difference(await collectOne(source), samples)).toBe(0); // the same again
  });

  it('stereo MP3: two sides with different sound become two channels', async () => {
    const source = await openAudio(fixture('bursts-stereo.mp3'));
    const all = await collect(source);
    expect([...all.keys()]).toEqual(['left', 'right']);
    expectBursts(all.get('left') ?? new Float32Array(0));
    const backwards = BURSTS.map((b) => ({ frequency: b.frequency, from: 6 - b.to, to: 6 - b.from }));
    expectBursts(all.get('right') ?? new Float32Array(0), 0, backwards);
  });

  it.each(READABLE)('%s under a false name is known by its content', async (name) => {
    const source = await openAudio(await file(await readFile(fixture(name)), `${name}.${name.endsWith('wav') ? 'mp3' : 'wav'}`));
    expectBursts(await collectOne(source), lateness(name));
  });

  it('tags in front and behind are got over', async () => {
    const id3 = Buffer.concat([Buffer.from('ID3\x04\x00\x00\x00\x02\x00\x00', 'latin1'), Buffer.alloc(32_768, 0xff)]); // 2·128² bytes
    const v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 65)]);
    const ape = Buffer.alloc(32 + 40);
    ape.write('APETAGEX');
    ape.writeUInt32LE(40, 12);
    for (const name of ['bursts-cbr.mp3', 'bursts-vbr-no-index.mp3', 'bursts.flac']) {
      const source = await openAudio(await file(Buffer.concat([id3, id3, await readFile(fixture(name)), ape, v1]), `tagged-${name}`));
      const samples = await collectOne(source);
      expectBursts(samples, lateness(name));
      expect(Math.abs((source.duration ?? 0) - samples.length / 16_000)).toBeLessThan(0.001);
      expect(source.notices).toEqual([]);
    }
  });

  it('a stream recording that begins in the middle of a frame, or of a stream, is read', async () => {
    const mp3 = await readFile(fixture('bursts-vbr-no-index.mp3'));
    const whole = await collectOne(await openAudio(fixture('bursts-vbr-no-index.mp3')));
    const cut = await collectOne(await openAudio(await file(mp3.subarray(777), 'mid.mp3')));
    const missing = (whole.length - cut.length) / 16_000;
    expect(missing).toBeGreaterThan(0.1);
    expect(missing).toBeLessThan(1.5);
    expect(amplitude(cut, 2000, 5.1 - missing, 5.45 - missing)).toBeGreaterThan(0.44);

    // two files one after the other: chained Ogg, joined MP3
    for (const name of ['bursts.opus', 'bursts.ogg', 'bursts-cbr.mp3']) {
      const once = await readFile(fixture(name));
      const source = await openAudio(await file(Buffer.concat([once, once]), `twice-${name}`));
      const samples = await collectOne(source);
      expect(Math.abs((source.duration ?? 0) - samples.length / 16_000)).toBeLessThan(0.001);
      expect(samples.length / 16_000).toBeGreaterThan(11.99);
      expect(samples.length / 16_000).toBeLessThan(12.15);
      expect(amplitude(samples, 1000, 9.2, 9.4)).toBeGreaterThan(0.4);
    }
  });
});

describe('length without an index', () => {
  it('an MP3 of very variable rate has the length of its frames', async () => {
    // a quarter of an hour put together from quiet (small) and loud (large) frames, without any index
    const bytes = await readFile(fixture('bursts-vbr-no-index.mp3'));
    const many = Buffer.concat(Array.from({ length: 150 }, () => bytes));
    const one = await openAudio(fixture('bursts-vbr-no-index.mp3'));
    const source = await openAudio(await file(many, 'long.mp3'));
    expect(Math.abs((source.duration ?? 0) - 150 * (one.duration ?? 0))).toBeLessThan(0.1);
    expect(source.duration ?? 0).toBeGreaterThan(900);
  });
});

describe('damage in the middle', () => {
  // somewhere between the first and the last burst (Vorbis has long headers, so its middle comes later in the file)
  const damaged = async (name: string, change: (b: Buffer, at: number) => Buffer): Promise<string> => {
    const b = Buffer.from(await readFile(fixture(name)));
    return file(change(b, Math.round(b.length * (name === 'bursts.ogg' ? 0.6 : 0.37))), `damaged-${name}`);
  };
  const NAMES = ['bursts-cbr.mp3', 'bursts.flac', 'bursts.opus', 'bursts.ogg', 'bursts-flac.oga'];

  it.each(NAMES)('%s overwritten: told where, later sound stays at its time', async (name) => {
    const source = await openAudio(await damaged(name, (b, at) => (b.fill(0x5a, at, at + 600), b)));
    const samples = await collectOne(source);
    const told = source.notices.filter((n) => n.kind === 'damaged');
    expect(told).toHaveLength(1);
    const seconds = Number(/damaged at ([\d.]+) s/.exec(told[0]?.text ?? '')?.[1]);
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(4);
    expect(Math.abs(samples.length / 16_000 - 6)).toBeLessThan(0.06);
    expect(amplitude(samples, 500, 1.05, 1.45)).toBeGreaterThan(0.44);
    // found by its own sound: the last burst begins at 5.0 s
    expect(rms(samples, 4.5, 4.94)).toBeLessThan(0.02);
    expect(amplitude(samples, 2000, 5.06, 5.44)).toBeGreaterThan(0.44);
    expect(rms(samples, 5.56, 5.9)).toBeLessThan(0.02);
  });

  it.each(['bursts.flac', 'bursts.opus', 'bursts.ogg', 'bursts-flac.oga'])('%s with bytes missing: later sound stays at its time', async (name) => {
    const source = await openAudio(await damaged(name, (b, at) => Buffer.concat([b.subarray(0, at), b.subarray(at + 700)])));
    const samples = await collectOne(source);
    expect(source.notices.filter((n) => n.kind === 'damaged')).toHaveLength(1);
    expect(rms(samples, 4.5, 4.99)).toBeLessThan(0.02);
    expect(amplitude(samples, 2000, 5.02, 5.48)).toBeGreaterThan(0.44);
  });

  it.each([...NAMES, 'bursts-vbr-no-index.mp3', 'bursts-mp3.wav'])('%s cut off: what is there is used, and it is told', async (name) => {
    const b = await readFile(fixture(name));
    const source = await openAudio(await file(b.subarray(0, Math.round(b.length * 0.7)), `cut-${name}`));
    const samples = await collectOne(source);
    expect(source.notices.map((n) => n.kind)).toEqual(['truncated']);
    expect(samples.length / 16_000).toBeGreaterThan(2.5);
    expect(samples.length / 16_000).toBeLessThan(5.6);
    expect(Math.abs((source.duration ?? 0) - samples.length / 16_000)).toBeLessThan(0.001);
    expect(amplitude(samples, 500, 1.06, 1.44)).toBeGreaterThan(0.4);
  });

  it('whatever is done to a file, it ends with sound or with a sentence, and writes nothing to the terminal', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      const originals = await Promise.all([...READABLE, 'bursts-stereo.mp3'].map(async (n) => [n, await readFile(fixture(n))] as const));
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...originals),
          fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 400 }), fc.constantFrom('set', 'cut', 'repeat'), fc.nat(255)), { minLength: 1, maxLength: 4 }),
          async ([name, original], changes) => {
            let b = Buffer.from(original);
            for (const [where, length, what, value] of changes) {
              const at = Math.floor(where * b.length);
              if (what === 'set') for (let i = at; i < Math.min(b.length, at + length); i++) b[i] = (Math.imul(i + value, 2_654_435_761) >>> 13) & 0xff;
              else if (what === 'cut') b = Buffer.concat([b.subarray(0, at), b.subarray(at + length)]);
              else b = Buffer.concat([b.subarray(0, at + length), b.subarray(at)]);
            }
            try {
              const source = await openAudio(await file(b, `fuzz-${name}`), { channel: 'mix' });
              const samples = await collectOne(source);
              expect(samples.every((v) => Number.isFinite(v))).toBe(true);
              // no length out of thin air: damaged positions may add no more than the file could hold
              expect(samples.length / 16_000).toBeLessThan(60);
            } catch (thrown) {
              if (!(thrown instanceof HearbackError)) throw thrown;
              expect(thrown.message).toContain('fuzz-');
            }
          },
        ),
        { numRuns: 60 },
      );
      expect(error).not.toHaveBeenCalled();
      expect(warn).not.toHaveBeenCalled();
    } finally {
      error.mockRestore();
      warn.mockRestore();
    }
  }, 120_000);
});

describe('further uncompressed kinds', () => {
  const sound = place(1, 16_000, [{ at: 0.25, samples: tone(900, 0.5, 16_000) }]);
  const pcm = Buffer.alloc(32_000);
  sound.forEach((v, i) => pcm.writeInt16BE(Math.round(v * 32767), 2 * i));
  const swapped = Buffer.from(pcm).swap16();
  const be = (...parts: (number | string | Buffer)[]): Buffer =>
    Buffer.concat(
      parts.map((p) => {
        if (Buffer.isBuffer(p)) return p;
        if (typeof p === 'string') return Buffer.from(p, 'latin1');
        const b = Buffer.alloc(4);
        b.writeUInt32BE(p);
        return b;
      }),
    );
  // 16000 Hz as an 80-bit float: 1.953125·2¹³
  const rate80 = Buffer.from('400cfa00000000000000', 'hex');
  const comm = (codec: string): Buffer => be('COMM', codec === '' ? 18 : 22, Buffer.from([0, 1]), 16_000, Buffer.from([0, 16]), rate80, codec);
  const kinds: readonly (readonly [string, Buffer])[] = [
    ['AIFF', be('FORM', 46 + 32_000, 'AIFF', comm(''), 'SSND', 32_008, 0, 0, pcm)],
    ['AIFF-C, other byte order', be('FORM', 0, 'AIFC', comm('sowt'), 'SSND', 32_008, 0, 0, swapped)],
    ['AIFF whose recorder crashed', be('FORM', 0, 'AIFF', comm(''), 'SSND', 0, 0, 0, pcm)],
    ['AU', be('.snd', 24, 32_000, 3, 16_000, 1, pcm)],
    ['AU of unknown length', be('.snd', 28, 0xffffffff, 3, 16_000, 1, 0, pcm)],
    ['CAF', be('caff', Buffer.from([0, 1, 0, 0]), 'desc', 0, 32, Buffer.from('40cf400000000000', 'hex'), 'lpcm', 0, 2, 1, 1, 16, 'data', 0xffffffff, 0xffffffff, 0, pcm)],
    ['SPHERE', be('NIST_1A\n   1024\nsample_rate -i 16000\nchannel_count -i 1\nsample_n_bytes -i 2\nsample_byte_format -s2 10\nsample_coding -s3 pcm\nsample_count -i 16000\nend_head\n'.padEnd(1024), pcm)],
  ];
  it.each(kinds)('%s', async (name, bytes) => {
    const source = await openAudio(await file(bytes, 'other.bin'));
    const samples = await collectOne(source);
    expect(source.duration, name).toBe(1);
    expect(Math.abs(amplitude(samples, 900, 0.3, 0.7) - 0.5)).toBeLessThan(0.001);
    expect(difference(samples, sound)).toBeLessThan(1e-4);
    const cut = await openAudio(await file(bytes.subarray(0, bytes.length - 16_001), 'other-cut.bin'));
    expect(cut.duration).toBe(0.5 - 1 / 16_000);
  });

  it('compressed or empty inside is told', async () => {
    expect((await failure(openAudio(await file(be('FORM', 0, 'AIFC', comm('ima4'), 'SSND', 40, 0, 0, Buffer.alloc(32)), 'ima4.aif')))).message).toContain('carries "ima4"');
    expect((await failure(openAudio(await file(be('.snd', 24, 0, 3, 16_000, 1), 'empty.au')))).message).toContain('zero length');
    expect((await failure(openAudio(await file(be('FORM', 4, 'AIFF'), 'short.aif')))).code).toBe('empty');
  });
});

describe('what is not read has its true kind named', () => {
  const html = '<!DOCTYPE html>\n<html><head><title>404</title></head></html>';
  const zip = Buffer.from('PK\x03\x04\x14\x00\x00\x00\x08\x00', 'latin1');
  const cases: readonly (readonly [string, string | Buffer, string, RegExp])[] = [
    ['empty.wav', '', 'empty', /is empty \(0 bytes\)/],
    ['text.wav', 'Tower recording, Tuesday evening. See attached.\n', 'not-audio', /not a recording: it is a text file/],
    ['umlaut.wav', 'Aufnahme vom Türmer, zweiter Teil: ' + 'ü'.repeat(3000), 'not-audio', /text file/],
    ['utf16.wav', Buffer.from('\ufeffnotes of the evening', 'utf16le'), 'not-audio', /text file/],
    ['error.mp3', html, 'not-audio', /web page \(HTML\)/],
    ['data.mp3', '{"error": "gone"}', 'not-audio', /JSON/],
    ['list.mp3', '#EXTM3U\ntower.mp3\n', 'not-audio', /playlist/],
    ['chart.wav', '%PDF-1.7\n%\xe2\xe3\xcf\xd3', 'not-audio', /PDF/],
    ['pack.wav', zip, 'not-audio', /ZIP archive/],
    ['pic.wav', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'not-audio', /PNG image/],
    ['pic2.mp3', Buffer.from('ffd8ffe000104a464946', 'hex'), 'not-audio', /JPEG image/],
    ['zeros.wav', Buffer.alloc(200_000), 'not-audio', /nothing but zero bytes/],
    ['noise.mp3', Buffer.from(noise(20_000, 1, 5).buffer), 'not-audio', /of no kind known here/],
    ['movie.wav', Buffer.from('\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00', 'latin1'), 'unsupported', /QuickTime/],
    ['film.wav', Buffer.from('RIFF\x24\x00\x00\x00AVI LIST', 'latin1'), 'unsupported', /AVI video/],
    ['wma.mp3', Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), 'unsupported', /Windows Media/],
    ['amr.wav', '#!AMR\n\x04', 'unsupported', /AMR/],
    ['pointer.wav', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n', 'not-audio', /Git LFS pointer/],
    ['tag.mp3', Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x00', 'latin1'), 'not-audio', /a tag without any audio/],
    ['header.flac', Buffer.concat([Buffer.from('fLaC\x80\x00\x00\x22', 'latin1'), Buffer.from('10001000', 'hex'), Buffer.alloc(6), Buffer.from('03e800f000000000', 'hex'), Buffer.alloc(16)]), 'empty', /FLAC header without any audio/],
    ['broken.flac', 'fLaC', 'not-audio', /description is missing/],
  ];
  it.each(cases)('%s', async (name, bytes, code, sentence) => {
    const error = await failure(openAudio(await file(bytes, name)));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(sentence);
    expect(error.message).toContain(name);
    expect(error.hint).toMatch(/\w/);
  });

  it.each([
    ['burst.m4a', /MPEG-4 audio/],
    ['burst.aac', /AAC audio \(ADTS\)/],
    ['burst.webm', /Matroska or WebM/],
    ['burst.spx', /Speex/],
  ])('%s named .mp3', async (name, sentence) => {
    const path = await file(await readFile(fixture(name)), `${name}.mp3`);
    const error = await failure(openAudio(path));
    expect(error.code).toBe('unsupported');
    expect(error.message).toMatch(sentence);
    expect(error.hint).toContain(`ffmpeg -i "${path}"`);
  });
});

describe('a WAV', () => {
  it('of any rate is brought to 16 kHz', async () => {
    for (const rate of [8000, 11_025, 44_100, 48_000, 96_000]) {
      const source = await openAudio(await file(wavBytes([tone(700, 1.5, rate)], { rate }), `${rate}.wav`));
      const samples = await collectOne(source);
      expect(samples).toHaveLength(Math.round((Math.round(1.5 * rate) * 16_000) / rate));
      expect(amplitude(samples, 700, 0.2, 1.3)).toBeCloseTo(0.5, 3);
    }
  });
});
