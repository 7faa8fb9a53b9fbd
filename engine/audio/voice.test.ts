/** Synthetic speakers: the demonstration's, each with a radio of its own, by the truth that its script wrote down. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readAudio } from './source.js';
import { sameSpeaker, voiceFeatures, type VoiceFeatures } from './voice.js';

const RATE = 16_000;
const demo = new URL('../../fixtures/demo/', import.meta.url);
const { transmissions } = JSON.parse(readFileSync(new URL('tower-and-approach.truth.json', demo), 'utf8')) as { transmissions: { start: number; end: number; voice: string }[] };
const samples = await readAudio(fileURLToPath(new URL('tower-and-approach.ogg', demo)));
const cut = (from: number, to: number): VoiceFeatures => {
  const features = voiceFeatures(samples.subarray(Math.round(from * RATE), Math.round(to * RATE)));
  if (features === undefined) throw new Error('too short');
  return features;
};

describe('V7 neighbouring voices', () => {
  it('of two speakers are never taken for one that went on', () => {
    const pairs = transmissions.flatMap((one, at) => {
      const next = transmissions[at + 1];
      return next === undefined || next.voice === one.voice || next.start - one.end > 1 ? [] : [[one, next] as const];
    });
    expect(pairs.length).toBeGreaterThan(30);
    for (const [one, next] of pairs) {
      // as much around the speech as a segment has, at most to the middle of the gap
      const middle = (one.end + next.start) / 2;
      const same = sameSpeaker(cut(one.start - 0.25, Math.min(one.end + 0.2, middle)), cut(Math.max(next.start - 0.25, middle), next.end + 0.2));
      expect(same, `at ${one.start} s`).toBeLessThan(0.8);
    }
  });
  it('with the same spectrum, pitch and level over the same floor are one', () => {
    const shape = Float64Array.from({ length: 22 }, (_, band) => 8 - band);
    const floor = new Float64Array(22);
    const voice: VoiceFeatures = { speechShape: shape, speechLevel: -25, floorShape: floor, floorLevel: -55, headShape: floor, headLevel: -55, tailShape: floor, tailLevel: -55, pitch: 110 };
    expect(sameSpeaker(voice, voice)).toBeGreaterThan(0.8);
    const higher = { ...voice, speechShape: shape.map((value, band) => value + (band % 4) * 2), speechLevel: -20, pitch: 190 };
    expect(sameSpeaker(voice, higher)).toBeLessThan(0.5);
  });
  it('whose segment was cut inside speech are neither one nor two', () => {
    const parts = transmissions.filter((one) => one.end - one.start > 2.4);
    expect(parts.length).toBeGreaterThan(20);
    let inside = 0;
    for (const { start, end } of parts) {
      // cut in the middle, wherever that is
      const middle = (start + end) / 2;
      const [a, b] = [cut(start - 0.25, middle), cut(middle, end + 0.2)];
      const within = a.tailLevel - a.floorLevel > 0.6 * (a.speechLevel - a.floorLevel) || b.headLevel - b.floorLevel > 0.6 * (b.speechLevel - b.floorLevel);
      if (!within) continue;
      inside++;
      expect(sameSpeaker(a, b), `at ${start} s`).toBeGreaterThanOrEqual(0.3);
      expect(sameSpeaker(a, b), `at ${start} s`).toBeLessThanOrEqual(0.7);
    }
    expect(inside).toBeGreaterThan(parts.length * 0.6);
  });
  it('are not looked at when shorter than a third of a second', () => {
    expect(voiceFeatures(new Float32Array(4_000))).toBeUndefined();
  });
});
