import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { beforeAll, describe, expect, it } from 'vitest';
import { FRAME_SAMPLES, loadSilero } from './silero.js';

const MODEL = new URL('../../models/silero-vad/', import.meta.url);
let voice = new Float32Array(0);

beforeAll(async () => {
  const decoder = new FLACDecoder();
  await decoder.ready;
  const { channelData } = await decoder.decodeFile(readFileSync(new URL('../../fixtures/segmenter/turn-heading.flac', import.meta.url)));
  decoder.free();
  const samples = channelData[0] ?? new Float32Array(0);
  voice = samples.slice(0, Math.floor(samples.length / FRAME_SAMPLES) * FRAME_SAMPLES);
});

describe('Silero VAD', () => {
  it('is the file whose origin is written down', () => {
    const digest = createHash('sha256')
      .update(readFileSync(new URL('silero_vad.onnx', MODEL)))
      .digest('hex');
    expect(readFileSync(new URL('sha256', MODEL), 'utf8')).toBe(`${digest}  silero_vad.onnx\n`);
  });

  it('hears speech from the first word and none in silence', async () => {
    const detector = await loadSilero();
    const spoken = await detector.open().probabilities(voice);
    expect(spoken).toHaveLength(voice.length / FRAME_SAMPLES);
    // a stream that has not heard its half second of noise gives .25 here
    expect(spoken.subarray(0, 10).reduce((sum, value) => sum + value, 0) / 10).toBeGreaterThan(0.5);
    const silent = await detector.open().probabilities(new Float32Array(100 * FRAME_SAMPLES));
    expect(Math.max(...silent.subarray(10))).toBeLessThan(0.2);
  });

  it('gives the same frame by frame as in one call, and after a reset as at first', async () => {
    const detector = await loadSilero();
    const stream = detector.open();
    const expected = await stream.probabilities(voice);
    for (let turn = 0; turn < 2; turn += 1) {
      stream.reset();
      for (const [index, probability] of expected.entries()) {
        const [single] = await stream.probabilities(voice.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES));
        expect(single).toBeCloseTo(probability, 5);
      }
    }
  });

  it('keeps the memories of two channels apart', async () => {
    const detector = await loadSilero();
    const [one, other] = [detector.open(), detector.open()];
    const expected = await detector.open().probabilities(voice);
    const half = Math.floor(expected.length / 2) * FRAME_SAMPLES;
    const first = await one.probabilities(voice.subarray(0, half));
    await other.probabilities(new Float32Array(half));
    const second = await one.probabilities(voice.subarray(half));
    for (const [index, probability] of [...first, ...second].entries()) expect(probability).toBeCloseTo(expected[index] ?? NaN, 5);
  });

  it('loads a file once', async () => {
    expect(await loadSilero()).toBe(await loadSilero());
  });

  it('names a file that is missing, damaged or another network', async () => {
    await expect(loadSilero('/nowhere/silero.onnx')).rejects.toMatchObject({ code: 'model-missing', message: expect.stringContaining('/nowhere/silero.onnx') as string });
    await expect(loadSilero(new URL('ORIGIN.md', MODEL).pathname)).rejects.toMatchObject({ code: 'model-broken' });
    const other = new URL('../../models/whisper-base-radio/encoder.onnx', import.meta.url).pathname;
    await expect(loadSilero(other)).rejects.toMatchObject({ code: 'model-broken', message: expect.stringContaining('another network') as string });
  });
});
