/**
 * Whether two neighbouring stretches of speech are one transmission with a pause in it, or two speakers.
 *
 * A pause for breath and a change of speaker can both last a quarter of a second, and the words alone often do not tell. What
 * tells on the radio is the sound: voice (spectrum, pitch), transmitter and path (level, noise floor, colour of the noise), and what
 * is in the gap (carrier noise goes on in a pause; between transmissions the squelch closes or bursts). The figures below are fitted on
 * synthetic pairs (training/voice/README.md says how, and how well it does).
 */
import FFT from 'fft.js';
import { SAMPLE_RATE } from '../domain/stages.js';

const SIZE = 512;
const HOP = 256;
const BANDS = 22;
/** Hz. The passband of VHF voice. */
const LOW = 200;
const HIGH = 3600;

/** What is kept of a segment for comparing it with the next one. Small: about 100 numbers. */
export interface VoiceFeatures {
  /** Mean log energy by band over the loud frames, dB, mean removed. */
  readonly speechShape: Float64Array;
  /** The same over the quietest frames: the noise floor. */
  readonly floorShape: Float64Array;
  /** Mean band energy of loud and of quiet frames, dB. */
  readonly speechLevel: number;
  readonly floorLevel: number;
  /** Median pitch of voiced frames, Hz; 0 when there is none. */
  readonly pitch: number;
  /** Band energy of the first and of the last 50 ms, dB, and their shapes. */
  readonly headLevel: number;
  readonly tailLevel: number;
  readonly headShape: Float64Array;
  readonly tailShape: Float64Array;
}

const transform = new FFT(SIZE);
const window = Float64Array.from({ length: SIZE }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / SIZE));
/** Edges of the bands on the mel scale, as FFT bins. */
const edges = (() => {
  const mel = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
  const hertz = (m: number): number => 700 * (10 ** (m / 2595) - 1);
  return Array.from({ length: BANDS + 1 }, (_, k) => Math.round((hertz(mel(LOW) + ((mel(HIGH) - mel(LOW)) * k) / BANDS) * SIZE) / SAMPLE_RATE));
})();

/** Features of one segment. `samples`: mono 16 kHz. Undefined when it is shorter than a third of a second. */
export function voiceFeatures(samples: Float32Array): VoiceFeatures | undefined {
  const count = Math.floor((samples.length - SIZE) / HOP) + 1;
  if (count < 18) return undefined;
  const bands: Float64Array[] = [];
  const levels = new Float64Array(count);
  const pitches: number[] = [];
  const frame = new Array<number>(SIZE);
  const spectrum = transform.createComplexArray();
  for (let f = 0; f < count; f++) {
    for (let n = 0; n < SIZE; n++) frame[n] = (samples[f * HOP + n] ?? 0) * (window[n] ?? 0);
    transform.realTransform(spectrum, frame);
    const energies = new Float64Array(BANDS);
    let sum = 0;
    for (let b = 0; b < BANDS; b++) {
      let energy = 1e-9;
      const from = edges[b] ?? 0;
      const to = Math.max(from + 1, edges[b + 1] ?? 0);
      for (let k = from; k < to; k++) energy += (spectrum[2 * k] ?? 0) ** 2 + (spectrum[2 * k + 1] ?? 0) ** 2;
      energies[b] = 10 * Math.log10(energy / (to - from));
      sum += energies[b] ?? 0;
    }
    bands.push(energies);
    levels[f] = sum / BANDS;
  }
  const order = Array.from(levels.keys()).sort((a, b) => (levels[a] ?? 0) - (levels[b] ?? 0));
  const loud = order.slice(Math.floor(count * 0.55));
  const quiet = order.slice(0, Math.max(3, Math.floor(count * 0.12)));
  for (const f of loud) {
    const pitch = pitchAt(samples, f * HOP);
    if (pitch > 0) pitches.push(pitch);
  }
  pitches.sort((a, b) => a - b);
  const speech = average(bands, loud);
  const floor = average(bands, quiet);
  const head = average(bands, [0, 1, 2]);
  const tail = average(bands, [count - 3, count - 2, count - 1]);
  return {
    speechShape: speech.shape,
    speechLevel: speech.level,
    floorShape: floor.shape,
    floorLevel: floor.level,
    headShape: head.shape,
    headLevel: head.level,
    tailShape: tail.shape,
    tailLevel: tail.level,
    pitch: pitches.length < 4 ? 0 : (pitches[pitches.length >> 1] ?? 0),
  };
}

function average(bands: readonly Float64Array[], frames: readonly number[]): { shape: Float64Array; level: number } {
  const shape = new Float64Array(BANDS);
  for (const f of frames) for (let b = 0; b < BANDS; b++) shape[b] = (shape[b] ?? 0) + (bands[f]?.[b] ?? 0) / frames.length;
  const level = shape.reduce((sum, value) => sum + value, 0) / BANDS;
  for (let b = 0; b < BANDS; b++) shape[b] = (shape[b] ?? 0) - level;
  return { shape, level };
}

/** Pitch by autocorrelation between 75 and 350 Hz; 0 for an unvoiced frame. The passband lacks the fundamental, its harmonics keep the period. */
function pitchAt(samples: Float32Array, at: number): number {
  const length = 640;
  if (at + length + 214 > samples.length) return 0;
  let energy = 0;
  for (let n = 0; n < length; n++) energy += (samples[at + n] ?? 0) ** 2;
  if (energy === 0) return 0;
  let best = 0;
  let bestLag = 0;
  for (let lag = 46; lag <= 213; lag++) {
    let product = 0;
    let shifted = 0;
    // every second sample is enough for voices below 4 kHz
    for (let n = 0; n < length; n += 2) {
      const b = samples[at + n + lag] ?? 0;
      product += (samples[at + n] ?? 0) * b;
      shifted += b * b;
    }
    const likeness = product / Math.sqrt((energy / 2) * shifted + 1e-12);
    // the shorter period of equals: a multiple of the period fits as well
    if (likeness > best * 1.03) {
      best = likeness;
      bestLag = lag;
    }
  }
  return best > 0.4 ? SAMPLE_RATE / bestLag : 0;
}

const distance = (a: Float64Array, b: Float64Array): number => Math.sqrt(a.reduce((sum, value, k) => sum + (value - (b[k] ?? 0)) ** 2, 0) / a.length);

/** Differences that tell speakers apart; each is 0 for equals. Exported for fitting (training/voice). */
export function voiceDifferences(a: VoiceFeatures, b: VoiceFeatures): readonly number[] {
  const pitch = a.pitch > 0 && b.pitch > 0 ? Math.abs(Math.log2(a.pitch / b.pitch)) : 0.25;
  return [
    distance(a.speechShape, b.speechShape) / 5,
    Math.abs(a.speechLevel - b.speechLevel) / 5,
    distance(a.floorShape, b.floorShape) / 5,
    Math.abs(a.floorLevel - b.floorLevel) / 5,
    Math.min(0.6, pitch) * 2,
    distance(a.tailShape, b.headShape) / 5,
    Math.abs(a.tailLevel - b.headLevel) / 5,
    // speech above floor: how noisy the transmitter is
    Math.abs(a.speechLevel - a.floorLevel - (b.speechLevel - b.floorLevel)) / 5,
    Math.abs(a.floorLevel - a.tailLevel) / 5,
    Math.abs(b.floorLevel - b.headLevel) / 5,
  ];
}

/** Logistic regression over the differences above, fitted by training/voice. */
const WEIGHTS: readonly number[] = [-0.56, -1.84, -0.88, -1.17, -2.82, -1.34, -2.42, 0.68, -0.96, 0.25];
const BIAS = 4.07;

/** How far from the floor to the speech an edge must come up to count as cut inside speech. */
const INSIDE = 0.6;
/** What is said at most for or against one speaker where an edge was cut inside speech. */
const UNSURE: readonly [number, number] = [0.3, 0.7];

/**
 * Whether an edge holds speech and no pause: the segment was cut inside it. What is compared at the edges then differs for one speaker
 * as for two.
 */
const isInside = (level: number, { speechLevel, floorLevel }: VoiceFeatures): boolean => level - floorLevel > INSIDE * (speechLevel - floorLevel);

/** Probability 0…1 that `b`, shortly after `a`, is the same speaker's transmission going on; 0.5 says nothing. */
export function sameSpeaker(a: VoiceFeatures, b: VoiceFeatures): number {
  const sum = voiceDifferences(a, b).reduce((total, value, k) => total + value * (WEIGHTS[k] ?? 0), BIAS);
  const same = 1 / (1 + Math.exp(-sum));
  if (!isInside(a.tailLevel, a) && !isInside(b.headLevel, b)) return same;
  return Math.min(UNSURE[1], Math.max(UNSURE[0], same));
}
