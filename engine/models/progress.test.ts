import { describe, expect, it } from 'vitest';
import { formatProgress, formatSeconds, ProgressReporter, SpeedMeter, type PullProgress } from './progress.js';

/** A clock that is set by hand, in milliseconds. */
function clock(): { now: () => number; tick: (ms: number) => void } {
  let at = 0;
  return {
    now: () => at,
    tick: (ms) => {
      at += ms;
    },
  };
}

describe('speed', () => {
  it('is unknown before anything was measured', () => {
    expect(new SpeedMeter(clock().now).rate).toBeUndefined();
  });

  it('is bytes by seconds', () => {
    const { now, tick } = clock();
    const meter = new SpeedMeter(now);
    for (let bytes = 0; bytes <= 50_000; bytes += 500) {
      meter.add(bytes);
      tick(100);
    }
    expect(meter.rate).toBeCloseTo(5000, 5);
  });

  it('follows a change within its window', () => {
    const { now, tick } = clock();
    const meter = new SpeedMeter(now);
    let bytes = 0;
    for (let i = 0; i < 300; i++) {
      tick(100);
      bytes += 10_000;
      meter.add(bytes);
    }
    for (let i = 0; i < 120; i++) {
      tick(100);
      bytes += 100;
      meter.add(bytes);
    }
    // twelve seconds at 1,000 a second: nothing of the 100,000 a second before is left
    expect(meter.rate).toBeCloseTo(1000, 0);
  });

  it('keeps its measure when thousands of chunks come a second', () => {
    const { now, tick } = clock();
    const meter = new SpeedMeter(now);
    let bytes = 0;
    for (let i = 0; i < 40_000; i++) {
      tick(0.25);
      bytes += 25;
      meter.add(bytes);
    }
    expect(meter.rate).toBeCloseTo(100_000, -2);
  });
});

describe('reports', () => {
  it('give the time left from the speed of now', () => {
    const { now, tick } = clock();
    const told: PullProgress[] = [];
    const reporter = new ProgressReporter('m', (progress) => told.push(progress), now);
    reporter.stage('downloading', 10_000);
    for (let i = 0; i < 5; i++) {
      tick(1000);
      reporter.add(1000);
    }
    expect(told.at(-1)).toMatchObject({ id: 'm', stage: 'downloading', bytesDone: 5000, bytesTotal: 10_000 });
    expect(told.at(-1)?.secondsLeft).toBeCloseTo(5, 5);
  });

  it('do not take the time before the first byte for slowness', () => {
    const { now, tick } = clock();
    const told: PullProgress[] = [];
    const reporter = new ProgressReporter('m', (progress) => told.push(progress), now);
    reporter.stage('downloading', 100_000);
    tick(8000);
    for (let i = 0; i < 5; i++) {
      tick(200);
      reporter.add(1000);
    }
    expect(told.at(-1)?.bytesPerSecond).toBeCloseTo(5000, 5);
  });

  it('do not count what was there before as speed', () => {
    const { now, tick } = clock();
    const told: PullProgress[] = [];
    const reporter = new ProgressReporter('m', (progress) => told.push(progress), now);
    reporter.stage('downloading', 2_000_000);
    reporter.skip(1_000_000);
    tick(1000);
    reporter.add(1000);
    expect(told.at(-1)?.bytesDone).toBe(1_001_000);
    expect(told.at(-1)?.bytesPerSecond).toBeCloseTo(1000, 5);
  });

  it('come at most ten times a second, but always with a new stage or file', () => {
    const { now, tick } = clock();
    const told: PullProgress[] = [];
    const reporter = new ProgressReporter('m', (progress) => told.push(progress), now);
    reporter.stage('downloading', 1000);
    for (let i = 0; i < 1000; i++) {
      tick(1);
      reporter.add(1);
    }
    expect(told.length).toBeGreaterThanOrEqual(9);
    expect(told.length).toBeLessThanOrEqual(12);
    const before = told.length;
    reporter.file('b');
    reporter.stage('verifying', 1000);
    expect(told.length).toBe(before + 2);
  });

  it('say that they wait, and then what they did before', async () => {
    const { now, tick } = clock();
    const told: PullProgress[] = [];
    const reporter = new ProgressReporter('m', (progress) => told.push(progress), now);
    reporter.stage('downloading', 10);
    await reporter.pause(Promise.resolve());
    expect(told.at(-1)?.stage).toBe('waiting');
    tick(1000);
    reporter.add(1);
    expect(told.at(-1)?.stage).toBe('downloading');
  });
});

describe('for people', () => {
  it.each([
    [0, '0 s'],
    [7.2, '8 s'],
    [60, '1 min'],
    [200, '3 min 20 s'],
    [4320, '1 h 12 min'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });

  it('a line has share, size, speed and time left', () => {
    const line = formatProgress({ id: 'm', stage: 'downloading', file: 'model.bin', bytesDone: 31_200_000, bytesTotal: 70_700_000, bytesPerSecond: 4_100_000, secondsLeft: 9.6 });
    expect(line).toBe('downloading model.bin 44 % (31.2 MB of 70.7 MB, 4.1 MB/s, 10 s left)');
  });

  it('a line without a total has no share', () => {
    expect(formatProgress({ id: 'm', stage: 'downloading', file: 'a', bytesDone: 1500, bytesTotal: undefined, bytesPerSecond: 1, secondsLeft: undefined })).toBe('downloading a (1.5 kB)');
  });
});
