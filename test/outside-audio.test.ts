/**
 * Faults of audio that were reported of neighbouring programs, each made anew from building blocks: two frequencies in one
 * stereo file, sizes that a streaming writer never filled in, an aircraft far below the controller, an offset on the input.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAudio, openPcmStream } from '../engine/audio/index.js';
import { hearback, jsonLines, scratch } from './command.js';
import { place, wavBytes } from './support/audio.js';
import { blocks, hiss, inShort, listen, live, mixed, peakAt, startEngine, type Block, type Engine, type Heard, type HeardTransmission } from './support/listening.js';

const { dir, remove } = scratch('outside audio');
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
}, 120_000);
afterAll(async () => {
  await engine.recogniser.close();
  remove();
});

const RATE = 16_000;
const at = (seconds: number, block: Block): { at: number; samples: Float32Array } => ({ at: seconds, samples: block.samples });
const file = (name: string, bytes: Uint8Array): string => {
  const path = join(dir, name);
  writeFileSync(path, bytes);
  return path;
};

describe('two frequencies on the two sides of a stereo recording', () => {
  const sides = async (): Promise<{ left: Float32Array; right: Float32Array; said: { channel: string; at: number; block: Block }[] }> => {
    const [w1, w1r, w2, w2r, e1, e1r, e2, e2r] = await blocks(
      'west-1-instruction', 'west-1-readback', 'west-2-instruction', 'west-2-readback',
      'east-1-instruction', 'east-1-readback', 'east-2-instruction', 'east-2-readback',
    ); // prettier-ignore
    // the last instruction on the right begins two seconds before the readback on the left has ended
    const overlap = 36 + w2r.seconds - 2;
    const left = [at(2, w1), at(6, w1r), at(31, w2), at(36, w2r)];
    const right = [at(12, e1), at(18, e1r), at(overlap, e2), at(44, e2r)];
    const all = [w1, w1r, w2, w2r, e1, e1r, e2, e2r];
    const said = [...left.map((p) => ({ ...p, channel: 'left' })), ...right.map((p) => ({ ...p, channel: 'right' }))].map((p, i) => ({ channel: p.channel, at: p.at, block: all[i] as Block }));
    return { left: place(60, RATE, left), right: place(60, RATE, right), said };
  };

  it('gives every transmission once, on its side, and pairs each side for itself', { timeout: 120_000 }, async () => {
    const { left, right, said } = await sides();
    const source = await openAudio(file('both sides.wav', wavBytes([left, right])));
    expect(source.channels).toEqual(['left', 'right']);
    expect(source.notices.map((notice) => notice.kind)).toEqual(['channels']);
    const heard = await listen(engine, source);
    expect(heard.transmissions, inShort(heard)).toHaveLength(8);
    for (const each of said) {
      const found = heard.transmissions.find((t) => t.channel === each.channel && Math.abs(t.start - each.at) < 0.5);
      expect(found, `${each.block.name}\n${inShort(heard)}`).toBeDefined();
      expect(found?.text).toBe(each.block.text);
      expect(Math.abs((found?.end ?? 0) - (each.at + each.block.seconds))).toBeLessThan(0.5);
    }
    expect(heard.exchanges, inShort(heard)).toHaveLength(4);
    for (const exchange of heard.exchanges) {
      expect(exchange.status, inShort(heard)).toBe('answered');
      expect(exchange.channelsOfReadbacks).toEqual([exchange.channelOfInstruction]);
      expect(exchange.judged?.verdict).not.toBe('error');
    }
    expect(new Set(heard.exchanges.map((exchange) => exchange.callsign))).toEqual(new Set(['DLH328', 'BAW761', 'KLM27R', 'EIN205']));
  });

  it('says so when one side is silent, and hears the other one', { timeout: 120_000 }, async () => {
    const { left, right } = await sides();
    for (const [name, channels, side, calls] of [
      ['silent left.wav', [new Float32Array(left.length), right], 'right', ['KLM27R', 'EIN205']],
      ['silent right.wav', [left, new Float32Array(left.length)], 'left', ['DLH328', 'BAW761']],
    ] as const) {
      const source = await openAudio(file(name, wavBytes(channels)));
      expect(source.channels).toEqual([side]);
      expect(source.notices.map((notice) => notice.kind)).toEqual(['silent-channel']);
      const heard = await listen(engine, source);
      expect(heard.exchanges.map((exchange) => exchange.callsign), inShort(heard)).toEqual(calls);
      expect(heard.transmissions.map((t) => t.channel)).toEqual([side, side, side, side]);
    }
  });

  it('tells on the command line, before the first line of text, which channels are followed', { timeout: 120_000 }, async () => {
    const { left, right } = await sides();
    const path = file('told.wav', wavBytes([left, right]));
    const ran = await hearback(['monitor', path, '--speed', 'max', '--json', '--no-session']);
    expect(ran.code, ran.stderr).toBe(0);
    const types = jsonLines(ran.stdout).map((line) => line['event'] as { type: string; kind?: string; channels?: string[] });
    expect(types[0]).toMatchObject({ type: 'session.started', channels: ['left', 'right'] });
    expect(types[1]).toMatchObject({ type: 'notice', kind: 'channels' });
  });
});

describe('sizes in a WAV header that a streaming writer left behind', () => {
  const files: Record<string, { bytes: Buffer; hash: string }> = {};
  let texts: string[] = [];
  const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

  beforeAll(async () => {
    const [i, r] = await blocks('west-2-instruction', 'west-2-readback');
    const samples = place(12, RATE, [at(1.5, i), at(7, r)]);
    const exact = wavBytes([samples]);
    const made: [string, Buffer][] = [
      ['all ones', wavBytes([samples], { dataSize: 0xffffffff, riffSize: 0xffffffff })],
      ['largest signed', wavBytes([samples], { dataSize: 0x7fffffff, riffSize: 0x7fffffff })],
      ['two thousand million', wavBytes([samples], { dataSize: 2_000_000_000, riffSize: 2_000_000_036 })],
      ['exact', exact],
      ['eight too many', wavBytes([samples], { riffSize: exact.length })],
    ];
    for (const [name, bytes] of made) files[file(`${name}.wav`, bytes)] = { bytes, hash: hash(bytes) };
    texts = [i.text, r.text];
  });

  it('are no reason for other lengths: twelve seconds, little memory, nothing changed on disk', async () => {
    for (const [path, { hash: before }] of Object.entries(files)) {
      const rss = process.memoryUsage().rss;
      const source = await openAudio(path);
      expect(source.duration).toBe(12);
      let samples = 0;
      for await (const chunk of source.chunks()) {
        samples += chunk.samples.length;
        expect(process.memoryUsage().rss - rss).toBeLessThan(300e6);
      }
      expect(samples / RATE).toBe(12);
      expect(source.notices, path).toHaveLength(path.includes('exact') ? 0 : 1);
      expect(hash(readFileSync(path))).toBe(before);
    }
  });

  it('give five times the same text; each fault is told once and no time left is in hours', { timeout: 120_000 }, async () => {
    const ran = await hearback(['transcribe', ...Object.keys(files), '--json']);
    expect(ran.code, ran.stderr).toBe(0);
    const lines = jsonLines(ran.stdout);
    for (const path of Object.keys(files)) {
      const own = lines.filter((line) => line['file'] === path);
      expect(own.map((line) => line['text']), path).toEqual(texts);
      expect(own.every((line) => Number(line['end']) <= 12)).toBe(true);
      expect(ran.stderr.split('\n').filter((line) => line.includes(path) && line.includes('header'))).toHaveLength(path.includes('exact') ? 0 : 1);
    }
    expect(ran.stderr).not.toMatch(/\d:\d\d:\d\d/);
  });

  it('do not matter on standard input either', { timeout: 60_000 }, async () => {
    for (const { bytes } of Object.values(files)) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, n) => bytes.subarray(n * 4096, (n + 1) * 4096));
      const heard = await listen(engine, openPcmStream(Readable.from(pieces), { name: 'standard input' }));
      expect(heard.seconds).toBe(12);
      expect(heard.transmissions.map((t) => t.text)).toEqual(texts);
    }
  });
});

describe('an aircraft thirty-five decibels below the controller', () => {
  const recording = async (readback: 'west-1-readback' | 'west-1-readback-wrong', noise: number): Promise<{ samples: Float32Array; from: number; to: number }> => {
    const [i, r] = await blocks('west-1-instruction', readback);
    const from = 2 + i.seconds + 2;
    const said = place(16, RATE, [{ at: 2, samples: peakAt(i.samples, -12) }, { at: from, samples: peakAt(r.samples, -47) }]);
    return { samples: mixed(said, hiss(16, noise, 5)), from, to: from + r.seconds };
  };
  const heardThere = (heard: Heard, from: number, to: number): HeardTransmission[] => heard.transmissions.filter((t) => t.start < to && t.end > from);
  /** Nowhere does it say that no readback was heard. */
  const notMissing = (heard: Heard): boolean =>
    heard.exchanges[0]?.judged !== undefined && heard.exchanges.every((exchange) => exchange.status !== 'unanswered' && exchange.status !== 'open' && !exchange.alerts.includes('no-readback'));
  const ways: [string, (samples: Float32Array) => Promise<Heard>][] = [
    ['live', (samples) => listen(engine, live(samples))],
    ['from a file', async (samples) => listen(engine, await openAudio(file('faint.wav', wavBytes([samples], { type: 's24' }))))],
  ];
  // the level of noise as its peaks and as its root mean square
  describe.each([-74, -65])('over noise at %d dB', (noise) => {
    it.each(ways)('is heard, and its right readback is not called missing (%s)', { timeout: 60_000 }, async (_way, run) => {
      const { samples, from, to } = await recording('west-1-readback', noise);
      const heard = await run(samples);
      const there = heardThere(heard, from, to);
      expect(there.length, inShort(heard)).toBeGreaterThan(0);
      // all of it, not a piece
      expect(Math.min(...there.map((t) => t.start))).toBeLessThan(from + 0.2);
      expect(Math.max(...there.map((t) => t.end))).toBeGreaterThan(to - 0.3);
      expect(notMissing(heard), inShort(heard)).toBe(true);
      expect(['correct', 'uncertain'], inShort(heard)).toContain(heard.exchanges[0]?.judged?.verdict);
    });
    it.each(ways)('is heard, and its wrong level does not pass as right (%s)', { timeout: 60_000 }, async (_way, run) => {
      const { samples, from, to } = await recording('west-1-readback-wrong', noise);
      const heard = await run(samples);
      expect(heardThere(heard, from, to).length, inShort(heard)).toBeGreaterThan(0);
      expect(['error', 'uncertain'], inShort(heard)).toContain(heard.exchanges[0]?.judged?.verdict);
      expect(heard.exchanges[0]?.judged?.risk_level, inShort(heard)).not.toBe('CORRECT');
    });
    it('is not called missing when its level is wrong', { timeout: 60_000 }, async () => {
      const { samples } = await recording('west-1-readback-wrong', noise);
      const heard = await listen(engine, live(samples));
      expect(notMissing(heard), inShort(heard)).toBe(true);
    });
  });
});

describe('an offset on the sound input', () => {
  let clean: Float32Array;
  let reference: Heard;
  beforeAll(async () => {
    const [i, r] = await blocks('west-1-instruction', 'west-1-readback');
    clean = place(14, RATE, [{ at: 0.1, samples: peakAt(i.samples, -20) }, { at: 7.1, samples: peakAt(r.samples, -20) }]);
    reference = await listen(engine, live(clean));
    expect(reference.transmissions.map((t) => t.text), inShort(reference)).toEqual([i.text, r.text]);
  }, 60_000);

  const same = (heard: Heard): void => {
    expect(heard.transmissions.map((t) => t.text), inShort(heard)).toEqual(reference.transmissions.map((t) => t.text));
    for (const [n, t] of heard.transmissions.entries()) {
      expect(Math.abs(t.start - (reference.transmissions[n]?.start ?? NaN)), inShort(heard)).toBeLessThan(0.2);
      expect(Math.abs(t.end - (reference.transmissions[n]?.end ?? NaN)), inShort(heard)).toBeLessThan(0.2);
      expect(t.ended).toBe('silence');
    }
    expect(heard.exchanges.map((e) => [e.status, e.judged?.verdict])).toEqual(reference.exchanges.map((e) => [e.status, e.judged?.verdict]));
  };
  it.each([0.25, -0.25])('that is always there (%d of full scale) changes nothing', { timeout: 60_000 }, async (offset) => {
    same(await listen(engine, live(clean.map((x) => x + offset))));
  });
  it.each<[string, (n: number) => number]>([
    ['in a straight line', (n) => Math.max(0, 1 - n / 8000)],
    ['like a capacitor', (n) => (n < 8000 ? Math.exp(-n / 1600) : 0)],
  ])('that dies away in the first half second (%s) does not take the first word with it', { timeout: 60_000 }, async (_how, decay) => {
    const heard = await listen(engine, live(clean.map((x, n) => x + 0.8 * decay(n))));
    expect(heard.transmissions[0]?.text.split(' ')[0], inShort(heard)).toBe('lufthansa');
    same(heard);
  });
});
