import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, clips, joined, noise, sum, tone } from '../../test/support/asr-audio.js';
import { activityOf, FRAME, FRAMES_PER_SECOND, frameLevels, highPass, onset, steadyTail, windowCuts } from './levels.js';

const power = (samples: Float32Array): number => samples.reduce((total, x) => total + x * x, 0) / samples.length;

describe('high-pass', () => {
  it('takes a constant offset away from the first sample on', () => {
    const speech = clip('climb.wav').samples;
    const plain = highPass(speech);
    const shifted = highPass(speech.map((x) => x + 0.25));
    expect(Math.max(...shifted.map((x, i) => Math.abs(x - (plain[i] ?? 0))))).toBeLessThan(1e-3);
  });

  it('leaves an offset that decays within half a second far under the speech', () => {
    const drift = Float32Array.from({ length: 16_000 }, (_, i) => 0.8 * Math.max(0, 1 - i / 8_000));
    expect(Math.max(...highPass(drift).map(Math.abs))).toBeLessThan(0.01);
  });

  it('passes the voice and stops what is below it', () => {
    const gain = (hertz: number): number => 10 * Math.log10(power(highPass(tone(1, hertz, 0.5)).subarray(4_000)) / power(tone(1, hertz, 0.5)));
    expect(gain(300)).toBeGreaterThan(-0.2);
    expect(gain(3_000)).toBeGreaterThan(-0.1);
    expect(gain(20)).toBeLessThan(-25);
  });

  it('does not spread a sample that is no number', () => {
    const samples = tone(1, 440, 0.5);
    samples[100] = NaN;
    samples[200] = Infinity;
    expect(highPass(samples).every(Number.isFinite)).toBe(true);
  });
});

describe('activity', () => {
  it.each([
    ['silence', new Float32Array(32_000)],
    ['nothing', new Float32Array(0)],
    ['noise', noise(3, 0.05)],
    ['faint noise', noise(3, 0.0005)],
    ['a tone', tone(2, 1_000, 0.4)],
  ])('calls %s steady', (_, samples) => {
    expect(activityOf(frameLevels(samples)).kind).toBe('steady');
  });

  it.each([0, 0.005])('calls two key clicks of 80 ms clicks (noise at %f)', (level) => {
    const samples = noise(2, level === 0 ? 1e-9 : level);
    for (const at of [0.4, 1.1]) samples.set(noise(0.08, 0.3, 5), at * 16_000);
    expect(activityOf(frameLevels(samples)).kind).toBe('clicks');
  });

  it('calls every spoken fixture varying, also in noise of the same power', () => {
    for (const { samples } of clips()) {
      expect(activityOf(frameLevels(samples)).kind).toBe('varying');
      const noisy = sum(samples, noise(samples.length / 16_000, Math.sqrt(power(samples))));
      expect(activityOf(frameLevels(noisy)).kind).toBe('varying');
    }
  });
});

describe('steady tail', () => {
  it('starts where the speech ends and the carrier stays on', () => {
    const speech = clip('heading.wav').samples;
    const samples = sum(joined([speech, new Float32Array(48_000)]), noise(speech.length / 16_000 + 3, 0.01));
    const tail = steadyTail(frameLevels(samples), 1) / FRAMES_PER_SECOND;
    // the recording has a quarter of a second behind the last word
    expect(tail).toBeGreaterThan(speech.length / 16_000 - 0.4);
    expect(tail).toBeLessThan(speech.length / 16_000 + 0.1);
  });

  it('finds none behind speech that goes on to the end', () => {
    const levels = frameLevels(clip('heading.wav').samples);
    expect(steadyTail(levels, 1)).toBe(levels.length);
  });

  it('does not depend on how long the carrier stays on', () => {
    const speech = clip('tower.wav').samples;
    const all = sum(joined([speech, new Float32Array(160_000)]), noise(speech.length / 16_000 + 10, 0.02));
    const tails = [2, 3.5, 7, 10].map((more) => steadyTail(frameLevels(all.subarray(0, speech.length + more * 16_000)), 1));
    expect(Math.max(...tails) - Math.min(...tails)).toBeLessThanOrEqual(2);
  });
});

describe('onset', () => {
  it('is where the speech begins', () => {
    for (const { samples } of clips()) {
      const levels = frameLevels(highPass(samples));
      const at = onset(levels, activityOf(levels), levels.length) / FRAMES_PER_SECOND;
      // a quarter of a second was put before it
      expect(at).toBeGreaterThan(0.15);
      expect(at).toBeLessThan(0.45);
    }
  });
});

/** The fixtures twice, `gap` seconds apart, and the sample ranges in which nothing is said. */
function withPauses(gap: number): { audio: Float32Array; quiet: [number, number][] } {
  const pieces = [...clips(), ...clips()].map(({ samples }) => samples);
  const quiet: [number, number][] = [];
  let at = 0;
  for (const piece of pieces) {
    at += piece.length;
    // the pause and the quarter of a second at the end of one recording and at the start of the next
    quiet.push([at - 4_500, at + gap * 16_000 + 4_500]);
    at += gap * 16_000;
  }
  return { audio: joined(pieces, gap), quiet };
}

describe('cuts into windows', () => {
  it('of long speech fall between words where there is a pause', () => {
    const { audio, quiet } = withPauses(0);
    const cuts = windowCuts(frameLevels(audio), 14);
    expect(cuts.length).toBeGreaterThanOrEqual(2);
    for (const cut of cuts) expect(quiet.some(([from, to]) => cut * FRAME >= from && cut * FRAME <= to)).toBe(true);
  });

  it('fall into every pause that ends a sentence, also in noise', () => {
    const { audio, quiet } = withPauses(0.8);
    for (const level of [1e-9, 0.005, 0.02]) {
      const cuts = windowCuts(frameLevels(sum(audio, noise(audio.length / 16_000, level))), 14);
      const hit = quiet.slice(0, -1).map(([from, to]) => cuts.filter((cut) => cut * FRAME >= from && cut * FRAME <= to).length);
      expect(hit).toEqual(hit.map(() => 1));
      expect(cuts).toHaveLength(hit.length);
    }
  });

  it('are none in a single transmission', () => {
    for (const { samples } of clips()) expect(windowCuts(frameLevels(samples), 14)).toEqual([]);
  });

  it('leave no window longer than allowed and none empty, and cover everything', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -80, max: 0, noNaN: true }), { minLength: 1, maxLength: 1_500 }), fc.integer({ min: 2, max: 10 }), (values, best) => {
        const edges = [0, ...windowCuts(Float32Array.from(values), best), values.length];
        for (let i = 1; i < edges.length; i++) {
          const length = (edges[i] ?? 0) - (edges[i - 1] ?? 0);
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual(best * FRAMES_PER_SECOND);
        }
      }),
    );
  });
});
