import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amplitude, collect, collectOne, difference, failure, interleave, noise, tone, wavBytes } from '../../test/support/audio.js';
import { openPcmStream } from './pcm-stream.js';
import { resample } from './resampler.js';

/** Cuts bytes at the given lengths, again and again. */
function pieces(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const out: Buffer[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const n = lengths[i % lengths.length] ?? 1;
    out.push(bytes.subarray(at, at + n));
    at += n;
  }
  return out;
}

describe('a live stream of samples', () => {
  it('gives what was written, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6000 }),
        fc.array(fc.integer({ min: 1, max: 3001 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('s16le', 'f32le' as const),
        fc.integer({ min: 1, max: 3 }),
        fc.integer(),
        async (length, cuts, format, channels, seed) => {
          const sent = Array.from({ length: channels }, (_, c) => noise(length, 0.9, seed + c));
          const bytes = interleave(sent, format === 's16le' ? 's16' : 'f32');
          const source = openPcmStream(Readable.from(pieces(bytes, cuts)), { name: 'radio', format, channels });
          const got = [...(await collect(source)).values()];
          for (const [c, samples] of got.entries()) expect(difference(samples, sent[c] ?? new Float32Array(0))).toBeLessThan(2 ** -15);
          expect(source.notices).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of another rate is brought to 16 kHz as a whole would be', async () => {
    const x = noise(44_100, 0.8, 1);
    const source = openPcmStream(Readable.from(pieces(interleave([x], 'f32'), [4097, 33])), { name: 'radio', sampleRate: 44_100, format: 'f32le' });
    expect(source.duration).toBeUndefined();
    expect(difference(await collectOne(source), resample(x, 44_100))).toBe(0);
  });

  it('is handed over while it comes in, not at its end', async () => {
    const live = new PassThrough();
    const chunks = openPcmStream(live, { name: 'radio' }).chunks()[Symbol.asyncIterator]();
    live.write(interleave([tone(500, 0.1, 16_000)], 's16'));
    const first = await chunks.next();
    expect(first.done).toBe(false);
    live.end();
    expect((await chunks.next()).done).toBe(true);
  });

  it('that ends in the middle of a sample, or without any, is told', async () => {
    const cut = openPcmStream(Readable.from([interleave([tone(500, 0.1, 16_000)], 's16'), Buffer.from([1])]), { name: 'radio' });
    expect(await collectOne(cut)).toHaveLength(1600);
    expect(cut.notices.map((n) => n.text)).toEqual(['"radio" ended in the middle of a sample; the last 1 byte is left out.']);
    const none = openPcmStream(Readable.from([]), { name: 'radio' });
    expect(await collectOne(none)).toHaveLength(0);
    expect(none.notices.map((n) => n.kind)).toEqual(['empty']);
    const letters = openPcmStream(Readable.from([Buffer.from('RIFF')]), { name: 'radio' });
    await collectOne(letters);
    expect(letters.notices.map((n) => n.kind)).toEqual(['truncated-sample', 'empty']);
    const short = openPcmStream(Readable.from([Buffer.alloc(6)]), { name: 'radio' });
    expect(await collectOne(short)).toHaveLength(3);
  });

  it('that is really a WAV file is read by its header, which is not heard', async () => {
    const x = tone(700, 1, 48_000);
    const source = openPcmStream(Readable.from(pieces(wavBytes([x, x], { rate: 48_000, type: 's24', dataSize: 0xffffffff }), [7, 1000])), { name: 'radio' });
    const y = await collectOne(source);
    expect(y).toHaveLength(16_000);
    expect(amplitude(y, 700, 0.1, 0.9)).toBeCloseTo(0.5, 3);
    expect(source.notices.map((n) => [n.kind, n.severity])).toEqual([['wav-stream', 'info'], ['channels', 'warning']]); // prettier-ignore
    const bad = openPcmStream(Readable.from([wavBytes([x], { format: Buffer.alloc(16, 1) })]), { name: 'radio' });
    expect((await failure(collectOne(bad))).code).toBe('unsupported');
  });

  it('can be read once only, be stopped, and break off', async () => {
    const live = new PassThrough();
    const source = openPcmStream(live, { name: 'radio' });
    const stop = new AbortController();
    live.write(Buffer.alloc(3200));
    const reading = (async () => {
      for await (const _ of source.chunks(stop.signal)) stop.abort();
    })();
    expect((await failure(reading)).code).toBe('cancelled');
    expect((await failure(collectOne(source))).message).toContain('can be read only once');

    const broken = new PassThrough();
    broken.write(Buffer.alloc(3200));
    setImmediate(() => broken.destroy(new Error('line lost')));
    const error = await failure(collectOne(openPcmStream(broken, { name: 'radio' })));
    expect([error.code, error.message]).toEqual(['unreadable', '"radio" broke off: line lost.']);
  });

  it('with absurd figures is refused', () => {
    expect(() => openPcmStream(Readable.from([]), { name: 'radio', sampleRate: 0 })).toThrow(/claims 0 samples a second/);
    expect(() => openPcmStream(Readable.from([]), { name: 'radio', channels: 0 })).toThrow(/claims 0 channels/);
  });
});
