/**
 * What can be said about audio from its level alone: where it is steady (noise, silence, a tone), where something happens,
 * and where it is quietest. Pure functions over 16 kHz samples; levels are in dB below full scale.
 */
import { SAMPLE_RATE } from '../domain/stages.js';

/** Length of a level frame: 20 ms, the same as one position of the encoder. */
export const FRAME = 320;
export const FRAMES_PER_SECOND = SAMPLE_RATE / FRAME;
const FLOOR_DB = -100;
/** Low edge of the pass band, Hz: under the voice, above rumble and what a sound card adds. */
const HIGH_PASS_HZ = 100;

/**
 * Removes a constant or slowly drifting offset: a Butterworth high-pass of second order. Starts settled on the first sample,
 * so that an offset that is there from the beginning makes no thump.
 */
export function highPass(samples: Float32Array): Float32Array {
  const k = Math.tan((Math.PI * HIGH_PASS_HZ) / SAMPLE_RATE);
  const norm = 1 / (1 + Math.SQRT2 * k + k * k);
  const a1 = 2 * (k * k - 1) * norm;
  const a2 = (1 - Math.SQRT2 * k + k * k) * norm;
  const out = new Float32Array(samples.length);
  const first = samples[0] ?? 0;
  let x1 = first;
  let x2 = first;
  let y1 = 0;
  let y2 = 0;
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] ?? 0;
    // a single NaN would stay in the filter for ever
    const x = Number.isFinite(sample) ? sample : 0;
    const y = norm * (x - 2 * x1 + x2) - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    out[i] = y;
  }
  return out;
}

const toDb = (power: number): number => Math.max(FLOOR_DB, 10 * Math.log10(power + 1e-12));

/** Mean power of every whole frame and of the rest, in dB. */
export function frameLevels(samples: Float32Array): Float32Array {
  const count = Math.ceil(samples.length / FRAME);
  const levels = new Float32Array(count);
  for (let f = 0; f < count; f++) {
    const end = Math.min(samples.length, (f + 1) * FRAME);
    let power = 0;
    for (let i = f * FRAME; i < end; i++) power += (samples[i] ?? 0) ** 2;
    levels[f] = toDb(power / (end - f * FRAME));
  }
  return levels;
}

/** Mean power over `2 * reach + 1` frames (fewer at the ends), in dB. */
export function smoothLevels(levels: Float32Array, reach: number): Float32Array {
  const out = new Float32Array(levels.length);
  for (let f = 0; f < levels.length; f++) {
    const from = Math.max(0, f - reach);
    const to = Math.min(levels.length, f + reach + 1);
    let power = 0;
    for (let i = from; i < to; i++) power += 10 ** ((levels[i] ?? FLOOR_DB) / 10);
    out[f] = toDb(power / (to - from));
  }
  return out;
}

/** The value below which `share` (0…1) of the values lie; -100 for none. */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? FLOOR_DB;
}

/** Smoothed over 100 ms, band-limited noise stays within ±1.5 dB; speech does not, not even compressed or at 0 dB over noise. */
const STEADY_DB = 2;
const SMOOTHING_REACH = 2;

/**
 * First frame of the steady part (carrier noise, silence) at the end, or the number of frames when there is none of at least
 * `minimumSeconds`. A frame belongs to it while its 100 ms level stays within 2 dB of the median level of the last half second.
 */
export function steadyTail(levels: Float32Array, minimumSeconds: number): number {
  const smooth = smoothLevels(levels, SMOOTHING_REACH);
  const reference = percentile(smooth.subarray(Math.max(0, smooth.length - FRAMES_PER_SECOND / 2)), 0.5);
  let from = smooth.length;
  while (from > 0 && Math.abs((smooth[from - 1] ?? FLOOR_DB) - reference) <= STEADY_DB) from--;
  return smooth.length - from >= minimumSeconds * FRAMES_PER_SECOND ? from : smooth.length;
}

/** What the level says about a piece of audio. */
export interface Activity {
  /** Nothing that could be a word: `steady` noise, silence or tone, or only bursts shorter than a word (key clicks). */
  readonly kind: 'steady' | 'clicks' | 'varying';
  /** Seconds in which the level stands out of the quiet parts. */
  readonly seconds: number;
  /** Level of the quiet parts and of the loud parts (10th and 90th percentile of 100 ms levels), dB. */
  readonly quietDb: number;
  readonly loudDb: number;
  /** One sentence with the figures. */
  readonly detail: string;
}

/** A burst up to this long is a click, not a word: the shortest words of the phraseology take a quarter of a second. */
const CLICK_FRAMES = 6;
const CLICK_TOTAL_SECONDS = 0.4;
/** A click stands out; peaks of noisy speech that are no higher than this over the rest do not count as clicks, dB. */
const CLICK_DB = 12;
/** How far a frame must stand out of the quiet parts to count as active, dB. */
const ACTIVE_DB = 4;
/** The first sound of a word may be this much weaker than the loud parts, dB. */
const ONSET_UNDER_LOUD_DB = 20;

/** Tells steady audio and clicks from audio that may be speech. */
export function activityOf(levels: Float32Array): Activity {
  const smooth = smoothLevels(levels, SMOOTHING_REACH);
  const quietDb = percentile(smooth, 0.1);
  const loudDb = percentile(smooth, 0.9);
  const median = percentile(smooth, 0.5);
  const spread = `levels from ${quietDb.toFixed(1)} to ${loudDb.toFixed(1)} dB`;
  let activeFrames = 0;
  for (const level of smooth) if (level > quietDb + ACTIVE_DB) activeFrames++;
  const seconds = activeFrames / FRAMES_PER_SECOND;
  const steadyFrames = smooth.filter((level) => Math.abs(level - median) <= STEADY_DB).length;
  if (steadyFrames === smooth.length) return { kind: 'steady', seconds: 0, quietDb, loudDb, detail: `the level is steady for ${(levels.length / FRAMES_PER_SECOND).toFixed(1)} s (${spread})` };

  // runs of unsmoothed frames above the steady rest
  const base = percentile(levels, 0.5);
  let longest = 0;
  let highest = base;
  let total = 0;
  let run = 0;
  let rest = 0;
  let steadyRest = 0;
  for (const level of levels) {
    if (level > base + ACTIVE_DB) {
      run++;
      total++;
      longest = Math.max(longest, run);
      highest = Math.max(highest, level);
    } else {
      run = 0;
      rest++;
      if (Math.abs(level - base) <= 2 * STEADY_DB) steadyRest++;
    }
  }
  const clicksOnly = highest > base + CLICK_DB && longest <= CLICK_FRAMES && total / FRAMES_PER_SECOND <= CLICK_TOTAL_SECONDS && steadyRest >= 0.95 * rest;
  if (clicksOnly) {
    return { kind: 'clicks', seconds: total / FRAMES_PER_SECOND, quietDb, loudDb, detail: `only bursts of up to ${((longest * 1000) / FRAMES_PER_SECOND).toFixed(0)} ms stand out of a steady level (${spread})` };
  }
  return { kind: 'varying', seconds, quietDb, loudDb, detail: `${seconds.toFixed(1)} s stand out of the quiet parts (${spread})` };
}

/** The first frame before `limit` that stands out of the quiet parts and is not far under the loud ones; 0 when there is none. */
export function onset(levels: Float32Array, activity: Activity, limit: number): number {
  const threshold = Math.max(activity.quietDb + ACTIVE_DB, activity.loudDb - ONSET_UNDER_LOUD_DB);
  const found = levels.subarray(0, limit).findIndex((level) => level >= threshold);
  return Math.max(0, found);
}

/** A pause at least this long ends a sentence, and models that were trained on single transmissions stop writing there, s. */
const PAUSE_SECONDS = 0.6;
/** Pauses can be told from speech only when the loud parts stand out this far, dB; they lie in this lowest share of the range. */
const PAUSE_RANGE_DB = 8;
const PAUSE_SHARE = 0.3;

/** Middle frames of the pauses inside the audio, in order; the quiet at its two ends is none. */
function pauses(levels: Float32Array): number[] {
  const { quietDb, loudDb } = activityOf(levels);
  if (loudDb - quietDb < PAUSE_RANGE_DB) return [];
  const threshold = quietDb + PAUSE_SHARE * (loudDb - quietDb);
  const smooth = smoothLevels(levels, SMOOTHING_REACH);
  const found: number[] = [];
  let from: number | undefined = 0;
  smooth.forEach((level, f) => {
    if (level <= threshold) {
      from ??= f;
      return;
    }
    if (from !== undefined && from > 0 && f - from >= PAUSE_SECONDS * FRAMES_PER_SECOND) found.push(Math.floor((from + f) / 2));
    from = undefined;
  });
  return found;
}

/**
 * Where to cut audio into windows: frame positions in order. First at every pause; then, where a piece is still longer than
 * `bestSeconds`, at the middle of the quietest 200 ms in the second half of what one window may hold, so that a cut depends on
 * nothing that comes much later.
 */
export function windowCuts(levels: Float32Array, bestSeconds: number): number[] {
  const best = Math.floor(bestSeconds * FRAMES_PER_SECOND);
  const smooth = smoothLevels(levels, 5);
  const cuts: number[] = [];
  let from = 0;
  for (const end of [...pauses(levels), levels.length]) {
    while (end - from > best) {
      let cut = from + Math.ceil(best / 2);
      for (let f = cut; f < from + best; f++) if ((smooth[f] ?? 0) < (smooth[cut] ?? 0)) cut = f;
      cuts.push(cut);
      from = cut;
    }
    if (end < levels.length) cuts.push(end);
    from = end;
  }
  return cuts;
}
