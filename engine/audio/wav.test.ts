import { createHash } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amplitude, chunk, collect, collectOne, difference, failure, fixture, formatBody, interleave, noise, place, testFolder, tone, wavBytes } from '../../test/support/audio.js';
import type { SampleType, WavOptions } from '../../test/support/audio.js';
import { openAudio } from './source.js';

const folder = await testFolder();
let count = 0;
async function file(bytes: Uint8Array, name = `${count++}.wav`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}
const sha = async (path: string): Promise<string> => createHash('sha256').update(await readFile(path)).digest('hex');

/** Twelve seconds whose content tells where one is: a tone of another height every two seconds. */
const TALK = place(
  12,
  16_000,
  [500, 700, 900, 1100, 1300, 1500].map((f, i) => ({ at: 2 * i, samples: tone(f, 1, 16_000) })),
);
/** What 16 bits make of it. */
const TALK16 = TALK.map((v) => Math.max(-32768, Math.min(32767, Math.round(v * 32768))) / 32768);

describe('WAV samples', () => {
  it('come out as they went in, whatever their width and number, mono or in several channels', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<SampleType>('u8', 's16', 's24', 's32', 'f32', 'f64'),
        fc.integer({ min: 1, max: 9000 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        fc.integer(),
        async (type, length, channels, extensible, seed) => {
          const sent = Array.from({ length: channels }, (_, c) => noise(length, 0.99, seed + c));
          const path = await file(wavBytes(sent, { type, extensible }), 'round.wav');
          const source = await openAudio(path, { channel: 'split' });
          expect(source.duration).toBe(length / 16_000);
          const got = [...(await collect(source)).values()];
          expect(got).toHaveLength(channels);
          const step = { u8: 1 / 128, s16: 2 ** -15, s24: 2 ** -23, s32: 2 ** -24, f32: 0, f64: 0, alaw: 0, ulaw: 0 }[type];
          for (const [c, samples] of got.entries()) {
            expect(samples).toHaveLength(length);
            let off = 0;
            for (let i = 0; i < length; i++) off = Math.max(off, Math.abs((samples[i] ?? 9) - (sent[c]?.[i] ?? -9)));
            expect(off).toBeLessThanOrEqual(step);
          }
          expect(source.notices).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of G.711 have the values of the standard', async () => {
    // Table 1a and 2a of ITU-T G.711, decoder output values of the first and last codes of segments, positive side
    const alaw = Float32Array.from([0xd5, 0xd4, 0xaa, 0x2a, 0x55]); // +8, +24 (of 32768), largest, −largest, −8
    const ulaw = Float32Array.from([0xff, 0xfe, 0x80, 0x00, 0x7f]); // 0, +8, largest, −largest, −0
    const a = await collectOne(await openAudio(await file(wavBytes([alaw], { type: 'alaw' }))));
    expect([...a].map((v) => v * 32768)).toEqual([8, 24, 32256, -32256, -8]);
    const u = await collectOne(await openAudio(await file(wavBytes([ulaw], { type: 'ulaw' }))));
    expect([...u].map((v) => Math.abs(v) * 32768 * Math.sign(v || 1))).toEqual([0, 8, 32124, -32124, 0]);
  });

  it('that are not numbers become silence and are told once, with the first place', async () => {
    const x = tone(500, 3, 16_000);
    x[16_000] = NaN;
    x[24_000] = Infinity;
    x[24_001] = -Infinity;
    x[100] = 1.75;
    const source = await openAudio(await file(wavBytes([x], { type: 'f32' }), 'nan.wav'));
    const y = await collectOne(source);
    expect([y[16_000], y[24_000], y[24_001], y[100]]).toEqual([0, 0, 0, 1.75]);
    expect(y.every((v) => Number.isFinite(v))).toBe(true);
    expect(source.notices.map((n) => n.kind)).toEqual(['not-a-number']);
    expect(source.notices[0]?.text).toMatch(/not numbers \(the first at 1\.0 s\)/);
  });

  it('in a wider container and in big-endian files are read', async () => {
    // 24 bits left-justified in 32, as WAVE_FORMAT_EXTENSIBLE allows
    const wide = formatBody('s32', 1, 16_000, true);
    wide.writeUInt16LE(24, 18);
    const y = await collectOne(await openAudio(await file(wavBytes([TALK], { type: 's32', format: wide }))));
    expect(amplitude(y, 500, 0.1, 0.9)).toBeCloseTo(0.5, 3);

    const little = wavBytes([TALK.subarray(0, 16_000)]);
    const big = Buffer.from(little);
    big.write('RIFX', 0);
    for (const at of [4, 16, 24, 28, 40]) big.writeUInt32BE(little.readUInt32LE(at), at);
    for (const at of [20, 22, 32, 34]) big.writeUInt16BE(little.readUInt16LE(at), at);
    for (let at = 44; at < big.length; at += 2) big.writeInt16BE(little.readInt16LE(at), at);
    expect(difference(await collectOne(await openAudio(await file(big))), TALK16.slice(0, 16_000))).toBe(0);
  });
});

describe('WAV headers with false sizes', () => {
  const exact = TALK.length * 2;
  const cases: readonly (readonly [string, WavOptions, RegExp | undefined])[] = [
    ['exact', {}, undefined],
    ['all ones', { dataSize: 0xffffffff, riffSize: 0xffffffff }, /size that was never filled in \(4294967295 bytes\)/],
    ['largest signed number', { dataSize: 0x7fffffff, riffSize: 0x7fffffff }, /never filled in \(2147483647 bytes\)/],
    ['two thousand million', { dataSize: 2_000_000_000 }, /never filled in \(2000000000 bytes\)/],
    ['RIFF size eight too high', { riffSize: exact + 36 + 8 }, /gives the file 8 bytes too many/],
    ['zero', { dataSize: 0, riffSize: 0 }, /gives the audio a size of 0/],
    ['RIFF size zero', { riffSize: 0 }, /gives the file a size of 0/],
    ['RIFF size all ones', { riffSize: 0xffffffff }, /gives the file a size that was never filled in/],
    ['counted when it was a second long', { dataSize: 32_000, riffSize: 32_036 }, /counts only 1\.0 s of the audio/],
  ];
  it.each(cases)('%s: all 12 s are read, told once, the file stays as it is', async (_, options, sentence) => {
    const path = await file(wavBytes([TALK], options));
    const before = await sha(path);
    const source = await openAudio(path);
    expect(source.duration).toBe(12);
    expect(difference(await collectOne(source), TALK16)).toBe(0);
    expect(difference(await collectOne(source), TALK16)).toBe(0); // reading again tells nothing again
    expect(source.notices.map((n) => n.text)).toEqual(sentence === undefined ? [] : [expect.stringMatching(sentence)]);
    expect(await sha(path)).toBe(before);
  });

  it('cut off: what is there is used, and the sentence gives both lengths', async () => {
    const path = await file(wavBytes([TALK]), 'cut.wav');
    await truncate(path, 44 + 5 * 32_000 + 1);
    const source = await openAudio(path);
    expect(source.duration).toBe(5);
    expect(difference(await collectOne(source), TALK16.slice(0, 80_000))).toBe(0);
    expect(source.notices.map((n) => n.text)).toEqual([`"${path}" is cut off: its header promises 12.0 s, 5.0 s are there and are used.`]);
  });

  it('any size field at all: never more and never less than what is on disk', async () => {
    const bytes = wavBytes([TALK.subarray(0, 32_000)]);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 0xffffffff }), fc.nat({ max: 0xffffffff }), async (riff, data) => {
        // sizes smaller than the file may be meant (something else follows); the others cannot be
        const size = data < 64_000 ? data + 64_000 : data;
        const b = Buffer.from(bytes);
        b.writeUInt32LE(riff, 4);
        b.writeUInt32LE(size, 40);
        const source = await openAudio(await file(b, 'sizes.wav'));
        expect(source.duration).toBe(2);
        expect(difference(await collectOne(source), TALK16.slice(0, 32_000))).toBe(0);
        expect(source.notices.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 30 },
    );
  });
});

describe('WAV chunks', () => {
  const junk = noise(600, 1, 3);
  const others = Buffer.concat([
    chunk('LIST', Buffer.from('INFOISFT\x08\x00\x00\x00recorder')),
    chunk('fact', Buffer.alloc(4)),
    chunk('JUNK', Buffer.from(junk.buffer)),
    chunk('bext', Buffer.alloc(603)),
    chunk('xyz1', Buffer.from('odd')),
  ]);

  it('before and behind the audio are not heard', async () => {
    const source = await openAudio(await file(wavBytes([TALK], { before: others, after: Buffer.concat([chunk('LIST', Buffer.alloc(5000, 65)), chunk('id3 ', Buffer.from('ID3'))]) })));
    expect(difference(await collectOne(source), TALK16)).toBe(0);
    expect(source.notices).toEqual([]);
  });

  it('of odd size without their padding byte are got over', async () => {
    const source = await openAudio(await file(wavBytes([TALK], { before: chunk('LIST', Buffer.from('odd'), 3, false) })));
    expect(difference(await collectOne(source), TALK16)).toBe(0);
    expect(source.notices.map((n) => n.text)).toEqual([expect.stringContaining('leaves out a padding byte')]);
  });

  it('with a size beyond the file are got over', async () => {
    const source = await openAudio(await file(wavBytes([TALK], { before: chunk('LIST', Buffer.from('INFO'), 0x40000000) })));
    expect(difference(await collectOne(source), TALK16)).toBe(0);
    expect(source.notices.map((n) => n.text)).toEqual([expect.stringContaining('gives the chunk "LIST" more bytes than the file has')]);
  });

  it('in the wrong order are understood, with a true and with a false size of the audio', async () => {
    for (const options of [{}, { dataSize: 0xffffffff }]) {
      const source = await openAudio(await file(wavBytes([TALK], { ...options, formatLast: true })));
      expect(difference(await collectOne(source), TALK16)).toBe(0);
      expect(source.notices.map((n) => n.text)).toEqual([expect.stringContaining('has its format behind the audio')]);
    }
  });

  it('whose mark has been lost give the audio that follows the format', async () => {
    const bytes = wavBytes([TALK]);
    bytes.fill(0, 36, 44);
    const source = await openAudio(await file(bytes));
    expect(difference(await collectOne(source), TALK16)).toBe(0);
    expect(source.notices.map((n) => n.text)).toEqual([expect.stringContaining('has lost the mark where the audio begins')]);
  });

  it('behind audio of size 0 mean that there is no audio', async () => {
    const bytes = wavBytes([new Float32Array(0)], { after: chunk('LIST', Buffer.from('INFOISFT\x08\x00\x00\x00recorder')) });
    const error = await failure(openAudio(await file(bytes)));
    expect(error.code).toBe('empty');
    expect(error.message).toContain('zero length');
  });

  it('of an odd u8 recording gain no sample from their padding', async () => {
    const x = noise(12_345, 0.9, 9);
    const source = await openAudio(await file(wavBytes([x], { type: 'u8', after: chunk('LIST', Buffer.alloc(10)) })));
    expect(await collectOne(source)).toHaveLength(12_345);
    expect(source.notices).toEqual([]);
  });

  it('of a last sample that is not whole are read up to it, and it is told', async () => {
    const bytes = wavBytes([TALK, TALK]);
    const source = await openAudio(await file(Buffer.concat([bytes.subarray(0, bytes.length - 3)])));
    expect(await collectOne(source)).toHaveLength(TALK.length - 1);
    const odd = Buffer.concat([wavBytes([TALK, TALK]), Buffer.from([1])]);
    odd.writeUInt32LE(TALK.length * 4 + 1, 40);
    odd.writeUInt32LE(odd.length - 8, 4);
    const second = await openAudio(await file(odd));
    expect(await collectOne(second)).toHaveLength(TALK.length);
    expect(second.notices.map((n) => n.text)).toEqual([expect.stringContaining('the last 1 byte is left out')]);
  });
});

describe('large-file variants', () => {
  it('RF64 gives its sizes in ds64', async () => {
    for (const size of [BigInt(TALK.length * 2), 0n, 0xffff_ffff_ffff_ffffn]) {
      const ds64 = Buffer.alloc(28);
      ds64.writeBigUInt64LE(size, 8);
      const fmt = chunk('fmt ', formatBody('s16', 1, 16_000));
      const body = Buffer.concat([Buffer.from('WAVE'), chunk('ds64', ds64), fmt, chunk('data', interleave([TALK], 's16'), 0xffffffff)]);
      const head = Buffer.from('RF64\xff\xff\xff\xff', 'latin1');
      const source = await openAudio(await file(Buffer.concat([head, body])));
      expect(source.duration).toBe(12);
      expect(difference(await collectOne(source), TALK16)).toBe(0);
      expect(source.notices).toHaveLength(size === BigInt(TALK.length * 2) ? 0 : 1);
    }
  });

  it('Wave64 is read', async () => {
    const tail = Buffer.from('f3acd3118cd100c04f8edb8a', 'hex');
    const part = (id: string, body: Buffer): Buffer => {
      const head = Buffer.alloc(24);
      head.write(id);
      tail.copy(head, 4);
      head.writeBigUInt64LE(BigInt(24 + body.length), 16);
      return Buffer.concat([head, body, Buffer.alloc((8 - (body.length % 8)) % 8)]);
    };
    const riff = Buffer.concat([Buffer.from('riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00', 'latin1'), Buffer.alloc(8), Buffer.from('wave'), tail]);
    const source = await openAudio(await file(Buffer.concat([riff, part('fmt ', formatBody('s16', 1, 16_000)), part('data', interleave([TALK], 's16'))])));
    expect(difference(await collectOne(source), TALK16)).toBe(0);
    expect(source.notices).toEqual([]);
  });
});

describe('WAV that cannot be read', () => {
  const bare = wavBytes([TALK]);
  const changed = (change: (b: Buffer) => void): Buffer => {
    const b = Buffer.from(bare);
    change(b);
    return b;
  };
  const cases: readonly (readonly [string, Buffer, string, RegExp])[] = [
    ['the first bytes only', bare.subarray(0, 7), 'empty', /only the beginning of a WAV header \(7 bytes\)/],
    ['twelve bytes', bare.subarray(0, 12), 'empty', /only the beginning of a WAV header/],
    ['a header only', bare.subarray(0, 44), 'empty', /a WAV header without any audio/],
    ['a header without a data chunk', bare.subarray(0, 36), 'empty', /a WAV header without any audio/],
    ['no frame', bare.subarray(0, 45), 'empty', /zero length/],
    ['no format', Buffer.concat([bare.subarray(0, 12), bare.subarray(36)]), 'not-audio', /without a format description/],
    ['no sample rate', changed((b) => b.fill(0, 24, 32)), 'unsupported', /claims 0 samples a second/],
    ['an absurd rate', changed((b) => b.writeUInt32LE(4_000_000_000, 24)), 'unsupported', /claims 4000000000 samples a second/],
    ['absurd channels', changed((b) => b.writeUInt16LE(60_000, 22)), 'unsupported', /claims 60000 channels/],
    ['48 bits', changed((b) => b.writeUInt16LE(48, 34)), 'unsupported', /whole-number samples of 48 bits/],
    ['an unknown codec', changed((b) => b.writeUInt16LE(0x7777, 20)), 'unsupported', /compressed format \(number 0x7777\)/],
    ['GSM', changed((b) => b.writeUInt16LE(0x31, 20)), 'unsupported', /carries GSM 6\.10/],
  ];
  it.each(cases)('%s', async (_, bytes, code, sentence) => {
    const error = await failure(openAudio(await file(bytes)));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(sentence);
    expect(error.hint).toMatch(/\w/);
  });

  it('ADPCM is named, with the way to convert it', async () => {
    const error = await failure(openAudio(fixture('burst-adpcm.wav')));
    expect(error.code).toBe('unsupported');
    expect(error.message).toContain('IMA ADPCM');
    expect(error.hint).toContain('ffmpeg -i');
  });

  it('fields that contradict each other are mended from the others', async () => {
    for (const change of [(b: Buffer) => b.writeUInt32LE(0, 24), (b: Buffer) => b.writeUInt16LE(0, 22), (b: Buffer) => b.writeUInt16LE(7, 32)]) {
      const source = await openAudio(await file(changed(change)));
      expect(difference(await collectOne(source), TALK16)).toBe(0);
      expect(source.notices.map((n) => n.kind)).toEqual(['wav-header']);
    }
  });
});
