import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBoundaries, SegmenterMachine } from './segmenter-machine.js';
import type { Boundary, FrameEvidence, MachineOptions, MachineState } from './segmenter-machine.js';

/** Samples a frame (32 ms). */
const FRAME = 512;
const SECOND = 16_000;
/** How far the machine may place an edge of speech from the frame where the probability changes: two frames. */
const NEAR = 2 * FRAME;

const options: MachineOptions = {
  startThreshold: 0.5,
  stopFraction: 0.8,
  stopThreshold: 0.35,
  minimumSpeech: 5 * 0.032,
  minimumSilence: 4 * 0.032,
  hesitation: 0.18,
  preRoll: 0.25,
  hangOver: 0.2,
  maximumLength: 25,
};

/** `count` frames of one probability and one loudness. */
const run = (count: number, probability: number, loudness = probability > 0.5 ? -25 : -60): FrameEvidence[] =>
  Array.from({ length: count }, () => ({ probability, energies: [loudness, loudness, loudness, loudness] }));

const speech = (count: number): FrameEvidence[] => run(count, 0.98);
const silence = (count: number): FrameEvidence[] => run(count, 0.02);

/** No speech, but nearly as loud: what an automatic gain makes of a pause. Loudness tells nothing there. */
const noise = (count: number): FrameEvidence[] => run(count, 0.02, -33);

const boundaries = (...parts: FrameEvidence[][]): Boundary[] => findBoundaries(parts.flat(), options);

/** Phases in the order in which they were entered. */
function phases(...parts: FrameEvidence[][]): string[] {
  const machine = new SegmenterMachine(options);
  const seen: string[] = [machine.state.phase];
  for (const frame of parts.flat()) {
    machine.next(frame);
    if (machine.state.phase !== seen[seen.length - 1]) seen.push(machine.state.phase);
  }
  return seen;
}

const expectNear = (position: number | undefined, frame: number): void => {
  expect(Math.abs((position ?? NaN) - frame * FRAME)).toBeLessThanOrEqual(NEAR);
};

describe('V1: phases', () => {
  it('goes quiet, starting, speaking, stopping, quiet over a transmission', () => {
    expect(phases(silence(20), speech(40), silence(20))).toEqual(['quiet', 'starting', 'speaking', 'stopping', 'quiet']);
  });

  it('goes back to quiet after something too short to be speech', () => {
    expect(phases(silence(20), speech(3), silence(20))).toEqual(['quiet', 'starting', 'quiet']);
  });

  it('goes back to speaking after a dip', () => {
    expect(phases(silence(20), speech(20), silence(2), speech(20))).toEqual(['quiet', 'starting', 'speaking', 'stopping', 'speaking']);
  });

  it('goes from stopping to starting when speech follows a gap shorter than the hang-over', () => {
    expect(phases(silence(20), speech(40), noise(4), speech(10))).toEqual(['quiet', 'starting', 'speaking', 'stopping', 'starting', 'speaking']);
  });

  it('never goes from quiet to speaking or stopping at once, nor from starting to stopping without a transmission before (any probabilities)', () => {
    const allowed: Record<MachineState['phase'], readonly string[]> = {
      quiet: ['quiet', 'starting'],
      starting: ['starting', 'speaking', 'quiet', 'stopping'],
      speaking: ['speaking', 'stopping'],
      stopping: ['stopping', 'speaking', 'starting', 'quiet'],
    };
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 400 }), (probabilities) => {
        const machine = new SegmenterMachine(options);
        for (const probability of probabilities) {
          const before = machine.state;
          machine.next({ probability, energies: [-30, -30, -30, -30] });
          expect(allowed[before.phase]).toContain(machine.state.phase);
          if (before.phase === 'starting' && before.before === undefined) expect(machine.state.phase).not.toBe('stopping');
        }
      }),
    );
  });
});

describe('finding one transmission', () => {
  it('places its edges, its pads and its probability', () => {
    const [only, ...rest] = boundaries(silence(50), speech(60), silence(50));
    expect(rest).toEqual([]);
    expectNear(only?.speechStart, 50);
    expectNear(only?.speechEnd, 110);
    expect((only?.speechStart ?? 0) - (only?.start ?? 0)).toBe(0.25 * SECOND);
    expect((only?.end ?? 0) - (only?.speechEnd ?? 0)).toBe(0.2 * SECOND);
    expect(only?.reason).toBe('silence');
    expect(only?.speechProbability).toBeGreaterThan(0.9);
  });

  it('hands it out as soon as its hang-over is full', () => {
    const machine = new SegmenterMachine(options);
    for (const frame of [...silence(50), ...speech(60)]) expect(machine.next(frame)).toEqual([]);
    let waited = 0;
    while (machine.next(silence(1)[0] ?? { probability: 0, energies: [] }).length === 0) waited += 1;
    expect((waited + 1) * 0.032).toBeLessThanOrEqual(0.2 + 0.032);
  });

  it('has no pre-roll before the first sample', () => {
    expect(boundaries(silence(3), speech(40), silence(30))[0]?.start).toBe(0);
  });

  it('drops noises: a burst of five frames that the detector half believes, single frames here and there', () => {
    expect(boundaries(silence(30), run(6, 0.45), silence(30))).toEqual([]);
    const sparse = Array.from({ length: 40 }, () => [...speech(1), ...silence(6)]).flat();
    expect(boundaries(sparse)).toEqual([]);
  });

  it('keeps a short answer', () => {
    expect(boundaries(silence(30), speech(7), silence(30))).toHaveLength(1);
  });

  it('takes a noise right after speech along instead of losing the last syllable', () => {
    // a gap of four frames, then three of speech: too short to stand alone
    const found = boundaries(silence(30), speech(40), noise(4), speech(3), silence(40));
    expect(found).toHaveLength(1);
    expectNear(found[0]?.speechEnd, 77);
  });
});

describe('V2, V3: two speakers', () => {
  it('separates them when the detector hears four frames of silence, and shares the gap at its quietest point', () => {
    const gap = [-33, -33, -36, -33].flatMap((loudness) => run(1, 0.02, loudness));
    const found = boundaries(silence(30), speech(40), gap, speech(40), silence(30));
    expect(found).toHaveLength(2);
    expect(found[0]?.end).toBe(found[1]?.start);
    // the third frame of the gap is the quietest
    expect(found[0]?.end).toBeGreaterThanOrEqual(72 * FRAME);
    expect(found[0]?.end).toBeLessThanOrEqual(73 * FRAME);
    expect(found[0]?.reason).toBe('silence');
  });

  it('does not separate at three frames', () => {
    expect(boundaries(silence(30), speech(40), noise(3), speech(40), silence(30))).toHaveLength(1);
  });

  it('believes the loudness where the voice stands out: four silent frames with a quiet stretch of 96 ms are a hesitation', () => {
    const dip = [...run(1, 0.02, -25), ...run(3, 0.02, -60)];
    expect(boundaries(silence(30), speech(40), dip, speech(40), silence(30))).toHaveLength(1);
    // the same dip where noise hides the loudness: the detector alone decides
    expect(boundaries(silence(30), speech(40), noise(4), speech(40), silence(30))).toHaveLength(2);
    // and silence that the detector is sure of needs no second witness
    expect(boundaries(silence(30), speech(40), [...run(4, 0.02, -25), ...run(3, 0.02, -60)], speech(40), silence(30))).toHaveLength(2);
  });

  it('judges the dip by how sure the detector usually is of this voice', () => {
    // .6 is a gap in a clear voice and nothing in a noisy one
    const dip = run(6, 0.6, -40);
    expect(boundaries(silence(30), run(60, 0.99, -25), dip, run(60, 0.99, -25), silence(30))).toHaveLength(2);
    expect(boundaries(silence(30), run(60, 0.7, -25), dip, run(60, 0.7, -25), silence(30))).toHaveLength(1);
  });

  it('gives the second no pre-roll that the first already has', () => {
    for (let gap = 4; gap < 40; gap += 1) {
      const found = boundaries(silence(30), speech(40), noise(gap), speech(40), silence(30));
      expect(found).toHaveLength(2);
      const [first, second] = found;
      expect(second?.start).toBeGreaterThanOrEqual(first?.end ?? Infinity);
      expect(first?.end).toBeLessThanOrEqual((70 + gap) * FRAME);
      expect(second?.start).toBeLessThanOrEqual((70 + gap) * FRAME);
    }
  });
});

describe('V4: the maximum length', () => {
  it('cuts at the quietest point of the second half', () => {
    // 20 s in: three frames that the detector does not notice, but they are quiet
    const frames = [...speech(620), ...run(3, 0.98, -50), ...speech(400)];
    const found = boundaries(silence(10), frames, silence(30));
    expect(found.map(({ reason }) => reason)).toEqual(['max-length', 'silence']);
    expect(found[0]?.end).toBeGreaterThanOrEqual(630 * FRAME);
    expect(found[0]?.end).toBeLessThanOrEqual(633 * FRAME);
    expect(found[1]?.start).toBe(found[0]?.end);
  });

  it('prefers the quieter of two pauses and the later of two equal ones', () => {
    const pause = (loudness: number): FrameEvidence[] => run(3, 0.98, loudness);
    const at = (first: number, second: number): number => (boundaries(silence(10), speech(500), pause(first), speech(100), pause(second), speech(400), silence(30))[0]?.end ?? 0) / FRAME;
    expect(at(-60, -50)).toBeLessThan(520);
    expect(at(-50, -60)).toBeGreaterThan(600);
    expect(at(-50, -50)).toBeGreaterThan(600);
  });

  it('never exceeds it, loses nothing and overlaps nothing, whatever the loudness', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -70, max: -10 }), { minLength: 900, maxLength: 2500 }), (loudness) => {
        const found = findBoundaries(
          loudness.map((value) => ({ probability: 0.98, energies: [value, value, value, value] })),
          { ...options, maximumLength: 10 },
        );
        for (const [index, { start, end }] of found.entries()) {
          expect(end - start).toBeLessThanOrEqual(10 * SECOND);
          expect(start).toBe(index === 0 ? 0 : found[index - 1]?.end);
        }
        expect(found[found.length - 1]?.end).toBe(loudness.length * FRAME);
      }),
      { numRuns: 20 },
    );
  });
});

describe('V5: the end of the audio', () => {
  it('closes speech that is going on', () => {
    const found = boundaries(silence(20), speech(40));
    expect(found).toMatchObject([{ reason: 'end-of-audio', end: 60 * FRAME }]);
  });

  it('tells silence from the end when the silence was long enough', () => {
    expect(boundaries(silence(20), speech(40), silence(4))[0]?.reason).toBe('silence');
    expect(boundaries(silence(20), speech(40), silence(2))[0]?.reason).toBe('end-of-audio');
  });

  it('drops what is too short, and adds it to a transmission right before it', () => {
    expect(boundaries(silence(20), speech(3))).toEqual([]);
    const found = boundaries(silence(20), speech(40), noise(4), speech(2));
    expect(found).toHaveLength(1);
    expect(found[0]?.end).toBe(66 * FRAME);
  });

  it('does not go beyond the last sample when the last frame was filled up', () => {
    const machine = new SegmenterMachine(options);
    for (const frame of [...silence(20), ...speech(40)]) machine.next(frame);
    const [only] = machine.finish(59 * FRAME + 100);
    expect(only?.end).toBe(59 * FRAME + 100);
    expect(only?.speechEnd).toBeLessThanOrEqual(59 * FRAME + 100);
    expect(machine.state.phase).toBe('quiet');
  });
});

describe('any evidence', () => {
  const evidence = fc.array(
    // stretches, so that long speech and long silence occur
    fc.record({ count: fc.integer({ min: 1, max: 60 }), probability: fc.double({ min: 0, max: 1, noNaN: true }), loudness: fc.integer({ min: -90, max: 0 }) }),
    { maxLength: 60 },
  );

  it('gives boundaries in order, without overlap, within the audio and not longer than allowed', () => {
    fc.assert(
      fc.property(evidence, (stretches) => {
        const frames = stretches.flatMap(({ count, probability, loudness }) => run(count, probability, loudness));
        let before = 0;
        for (const boundary of findBoundaries(frames, { ...options, maximumLength: 6 })) {
          expect(boundary.start).toBeGreaterThanOrEqual(before);
          expect(boundary.speechStart).toBeGreaterThanOrEqual(boundary.start);
          expect(boundary.speechEnd).toBeGreaterThan(boundary.speechStart);
          expect(boundary.end).toBeGreaterThanOrEqual(boundary.speechEnd);
          expect(boundary.end).toBeLessThanOrEqual(frames.length * FRAME);
          expect(boundary.end - boundary.start).toBeLessThanOrEqual(6 * SECOND);
          expect(boundary.speechProbability).toBeGreaterThanOrEqual(0);
          expect(boundary.speechProbability).toBeLessThanOrEqual(1);
          before = boundary.end;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('covers every stretch of sure speech', () => {
    fc.assert(
      fc.property(evidence, (stretches) => {
        const frames = stretches.flatMap(({ count, probability, loudness }) => run(count, probability, loudness));
        const found = findBoundaries(frames, options);
        for (let from = 0; from + 10 <= frames.length; from += 1) {
          if (!frames.slice(from, from + 10).every(({ probability }) => probability > 0.9)) continue;
          // the last frames of such a stretch may lie in the moment by which the end is moved back
          const middle = (from + 5) * FRAME;
          expect(found.some(({ start, end }) => start <= middle && end >= middle)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('needs audio no further back than the running segment', () => {
    fc.assert(
      fc.property(evidence, (stretches) => {
        const machine = new SegmenterMachine({ ...options, maximumLength: 6 });
        let count = 0;
        let needed = 0;
        for (const frame of stretches.flatMap((stretch) => run(stretch.count, stretch.probability, stretch.loudness))) {
          const done = machine.next(frame);
          count += 1;
          for (const { start } of done) expect(start).toBeGreaterThanOrEqual(needed);
          expect(machine.needed).toBeGreaterThanOrEqual(needed);
          expect(count * FRAME - machine.needed).toBeLessThanOrEqual(8 * SECOND);
          needed = machine.needed;
        }
      }),
      { numRuns: 200 },
    );
  });
});
