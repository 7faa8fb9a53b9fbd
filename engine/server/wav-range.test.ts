import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChannelAudio } from '../session/index.js';
import { peaksOf, rangeOf, wavBytes, wavPart } from './wav-range.js';

const SAMPLES = 200_003;
const sound = Int16Array.from({ length: SAMPLES }, (_, n) => ((n * 7919) % 65_536) - 32_768);
const audio: ChannelAudio = { index: 0, channel: 'a', kind: 'whole', samples: SAMPLES, read: (from, count) => sound.slice(from, from + count) };

async function bytesOf(from: number, to: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of wavPart(audio, from, to)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

it('any part of the WAV equals that part of the whole', async () => {
  const whole = await bytesOf(0, wavBytes(audio) - 1);
  expect(whole.length).toBe(44 + SAMPLES * 2);
  expect(whole.toString('latin1', 0, 4) + whole.toString('latin1', 8, 16) + whole.toString('latin1', 36, 40)).toBe('RIFFWAVEfmt data');
  expect([whole.readUInt32LE(4), whole.readUInt32LE(24), whole.readUInt16LE(22), whole.readUInt16LE(34), whole.readUInt32LE(40)]).toEqual([36 + SAMPLES * 2, 16_000, 1, 16, SAMPLES * 2]);
  expect([0, 1, 77, SAMPLES - 1].map((n) => whole.readInt16LE(44 + 2 * n))).toEqual([0, 1, 77, SAMPLES - 1].map((n) => sound[n]));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(300_000), async (from, length) => {
      const to = Math.min(whole.length - 1, from + length);
      expect((await bytesOf(from, to)).equals(whole.subarray(from, to + 1))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it.each([
  [undefined, { from: 0, to: 999, partial: false }],
  ['bytes=0-', { from: 0, to: 999, partial: true }],
  ['bytes=10-19', { from: 10, to: 19, partial: true }],
  ['bytes=990-5000', { from: 990, to: 999, partial: true }],
  ['bytes=-10', { from: 990, to: 999, partial: true }],
  ['bytes=-5000', { from: 0, to: 999, partial: true }],
  ['bytes=1000-', undefined],
  ['bytes=20-10', undefined],
  ['bytes=-0', undefined],
  ['bytes=0-1,5-6', { from: 0, to: 999, partial: false }],
  ['lines=1-2', { from: 0, to: 999, partial: false }],
])('of a thousand bytes, %s is %o', (header, range) => {
  expect(rangeOf(header, 1000)).toEqual(range);
});

it('peaks are the lowest and highest sample of each stretch', () => {
  const { low, high } = peaksOf(audio, 0, SAMPLES / 16_000, 7);
  for (let bin = 0; bin < 7; bin++) {
    const part = sound.filter((_, n) => Math.floor((n / SAMPLES) * 7) === bin);
    expect(low[bin]).toBeCloseTo(Math.min(...part) / 32_768, 3);
    expect(high[bin]).toBeCloseTo(Math.max(...part) / 32_768, 3);
  }
  expect(peaksOf(audio, 500, 600, 2)).toMatchObject({ low: [0, 0], high: [0, 0] });
});
