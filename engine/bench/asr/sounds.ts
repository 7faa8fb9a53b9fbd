/**
 * An hour in which nobody says anything that a recogniser of English radio should write down: noise of many kinds and music, made from a
 * seed; and speech in other languages, laid out from recordings.
 */
import { overTheRadio } from '../../audio/radio-channel.js';
import { between, generator, oneOf, seedOf } from '../../domain/random.js';
import { SAMPLE_RATE } from '../../domain/stages.js';

const TAU = 2 * Math.PI;
const fromDecibel = (dB: number): number => 10 ** (dB / 20);

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(TAU * random());
}

/** Brought to that root mean square, dBFS, and cut at full scale. */
function atLevel(samples: Float32Array, level: number): Float32Array {
  const rms = Math.sqrt(samples.reduce((sum, v) => sum + v * v, 0) / Math.max(1, samples.length));
  const gain = rms === 0 ? 0 : fromDecibel(level) / rms;
  return samples.map((v) => Math.max(-1, Math.min(1, v * gain)));
}

/** One pole: `keep` of the last output, the rest of the input. */
function smooth(samples: Float32Array, keep: number): Float32Array {
  let state = 0;
  return samples.map((v) => (state = keep * state + (1 - keep) * v));
}

const white = (length: number, random: () => number): Float32Array => Float32Array.from({ length }, () => gauss(random));

/** Noise as a receiver gives it: over the channel without any speech. */
const receiver = (length: number, random: () => number): Float32Array => overTheRadio(new Float32Array(length), { seed: Math.floor(random() * 2 ** 31), snr: 0, gainControl: false, low: between(random, 200, 400), high: between(random, 2300, 3800), level: -20 });

/** Pieces of `samples` where `on` is true stay, the others get `quiet` of it. Lengths in seconds are drawn from [shortest, longest]. */
function gated(samples: Float32Array, random: () => number, shortest: number, longest: number, quiet: number): Float32Array {
  const out = new Float32Array(samples.length);
  let on = random() < 0.5;
  for (let at = 0; at < samples.length; on = !on) {
    const until = Math.min(samples.length, at + Math.round(between(random, shortest, longest) * SAMPLE_RATE));
    for (; at < until; at++) out[at] = (samples[at] ?? 0) * (on ? 1 : quiet);
  }
  return out;
}

export const NOISES = ['hiss', 'receiver', 'carrier-keyed', 'hum', 'whistle', 'ignition', 'engine', 'beeps', 'pumping', 'digital-silence'] as const;
export type Noise = (typeof NOISES)[number];

/** One stretch of noise of a kind, its level drawn between −40 and −14 dBFS. */
export function noise(kind: Noise, seconds: number, seed: number): Float32Array {
  const random = generator(seed);
  const length = Math.round(seconds * SAMPLE_RATE);
  const level = between(random, -40, -14);
  switch (kind) {
    case 'hiss':
      return atLevel(white(length, random), level);
    case 'receiver':
      return atLevel(receiver(length, random), level);
    // somebody presses the key and says nothing: the carrier is quieter than the open squelch, with a click at both ends
    case 'carrier-keyed':
      return atLevel(gated(receiver(length, random), random, 0.3, 4, 0.15), level);
    case 'hum': {
      const mains = oneOf(random, [50, 60, 400]);
      const floor = receiver(length, random);
      return atLevel(floor.map((v, i) => 0.3 * v + 0.1 * [1, 2, 3, 5, 7].reduce((sum, k) => sum + Math.sin((TAU * mains * k * i) / SAMPLE_RATE) / k, 0)), level);
    }
    // heterodyne of two carriers, drifting
    case 'whistle': {
      const floor = receiver(length, random);
      let phase = 0;
      let frequency = between(random, 300, 2400);
      return atLevel(floor.map((v) => {
        frequency = Math.max(200, Math.min(3000, frequency + between(random, -0.05, 0.05)));
        phase += (TAU * frequency) / SAMPLE_RATE;
        return 0.5 * v + 0.08 * Math.sin(phase);
      }), level);
    }
    // sparks: short impulses at a rate of an engine
    case 'ignition': {
      const floor = receiver(length, random);
      const period = Math.round(SAMPLE_RATE / between(random, 15, 60));
      const impulses = new Float32Array(length);
      for (let at = 0; at < length; at += Math.round(period * between(random, 0.9, 1.1))) impulses[at] = between(random, 2, 6) * (random() < 0.5 ? 1 : -1);
      const ringing = smooth(impulses, 0.6);
      return atLevel(floor.map((v, i) => 0.5 * v + (ringing[i] ?? 0)), level);
    }
    // propeller and airflow through an open microphone
    case 'engine': {
      const blade = between(random, 60, 110);
      const air = smooth(white(length, random), 0.93);
      return atLevel(air.map((v, i) => {
        const turn = (TAU * blade * i) / SAMPLE_RATE + 0.4 * Math.sin((TAU * 0.7 * i) / SAMPLE_RATE);
        return v + 0.12 * [1, 2, 3, 4, 6].reduce((sum, k) => sum + Math.sin(k * turn) / Math.sqrt(k), 0);
      }), level);
    }
    // identification of a beacon, selective calls, tones of a recorder
    case 'beeps': {
      const floor = receiver(length, random);
      const tones = new Float32Array(length);
      for (let at = 0; at < length; ) {
        const on = Math.round(between(random, 0.06, 0.5) * SAMPLE_RATE);
        const frequency = oneOf(random, [400, 700, 1020, 1400, 2100]);
        for (let i = at; i < Math.min(length, at + on); i++) tones[i] = 0.2 * Math.sin((TAU * frequency * (i - at)) / SAMPLE_RATE);
        at += on + Math.round(between(random, 0.05, 1.5) * SAMPLE_RATE);
      }
      return atLevel(floor.map((v, i) => 0.3 * v + (tones[i] ?? 0)), level);
    }
    // a gain that breathes
    case 'pumping': {
      const floor = receiver(length, random);
      const rate = between(random, 0.2, 3);
      return atLevel(floor.map((v, i) => v * (0.55 + 0.45 * Math.sin((TAU * rate * i) / SAMPLE_RATE))), level);
    }
    case 'digital-silence':
      return Float32Array.from({ length }, () => (random() < 0.01 ? 1 / 32768 : 0));
  }
}

/** Chords as steps of the scale. */
const PROGRESSIONS: readonly [readonly number[], ...(readonly number[])[]] = [[0, 5, 3, 4], [0, 3, 4, 0], [5, 3, 0, 4], [0, 4, 5, 3], [1, 4, 0, 0]];
const SCALES: readonly [readonly number[], ...(readonly number[])[]] = [[0, 2, 4, 5, 7, 9, 11], [0, 2, 3, 5, 7, 8, 10]];

/** One piece of music: chords, bass, melody with vibrato (the part most like a voice) and, mostly, drums. */
export function music(seconds: number, seed: number): Float32Array {
  const random = generator(seed);
  const length = Math.round(seconds * SAMPLE_RATE);
  const out = new Float32Array(length);
  const scale = oneOf(random, SCALES);
  const root = between(random, 43, 55);
  const beat = 60 / between(random, 66, 150);
  const progression = oneOf(random, PROGRESSIONS);
  const partials = Math.floor(between(random, 2, 9));
  const drums = random() < 0.7;
  const pitch = (step: number): number => 440 * 2 ** ((root + 12 * Math.floor(step / 7) + (scale[((step % 7) + 7) % 7] ?? 0) - 69) / 12);
  const tone = (from: number, lasts: number, frequency: number, loud: number, decay: number, vibrato: number): void => {
    const start = Math.round(from * SAMPLE_RATE);
    const end = Math.min(length, Math.round((from + lasts) * SAMPLE_RATE));
    const used = Math.min(partials, Math.max(1, Math.floor(7000 / frequency)));
    for (let i = start; i < end; i++) {
      const t = (i - start) / SAMPLE_RATE;
      const envelope = Math.min(1, t / 0.02) * Math.exp(-decay * t) * Math.min(1, (end - i) / (0.03 * SAMPLE_RATE));
      const phase = TAU * frequency * t + vibrato * Math.sin(TAU * 5.5 * t);
      let sum = 0;
      for (let k = 1; k <= used; k++) sum += Math.sin(k * phase) / k;
      out[i] = (out[i] ?? 0) + loud * envelope * sum;
    }
  };
  for (let bar = 0, at = 0; at < seconds; bar++, at += 4 * beat) {
    const chord = progression[bar % progression.length] ?? 0;
    for (const third of [0, 2, 4]) tone(at, 4 * beat, pitch(chord + third + 7), 0.1, 0.5, 0);
    for (const half of [0, 2]) tone(at + half * beat, 1.8 * beat, pitch(chord), 0.25, 1.5, 0);
    for (let quarter = 0; quarter < 4; ) {
      const lasts = oneOf(random, [0.5, 1, 1, 1.5, 2]);
      if (random() < 0.85) tone(at + quarter * beat, Math.min(lasts, 4 - quarter) * beat, pitch(chord + Math.floor(between(random, 10, 19))), 0.22, 0.8, 0.6);
      quarter += lasts;
    }
    if (!drums) continue;
    for (let eighth = 0; eighth < 8; eighth++) {
      const start = Math.round((at + (eighth * beat) / 2) * SAMPLE_RATE);
      const kick = eighth % 4 === 0;
      const snare = eighth % 4 === 2;
      for (let i = 0; i < 0.15 * SAMPLE_RATE && start + i < length; i++) {
        const t = i / SAMPLE_RATE;
        const hit = (kick ? 0.5 * Math.sin(TAU * 60 * t * (1 + 2 * Math.exp(-30 * t))) * Math.exp(-18 * t) : 0) + (snare ? 0.25 * gauss(random) * Math.exp(-25 * t) : 0) + 0.06 * gauss(random) * Math.exp(-70 * t);
        out[start + i] = (out[start + i] ?? 0) + hit;
      }
    }
  }
  // half of it as it sounds behind an open microphone: over the channel
  const level = between(random, -32, -14);
  return random() < 0.5 ? atLevel(out, level) : overTheRadio(atLevel(out, -18), { seed, snr: between(random, 5, 25), level });
}

/** A stretch of the hour. */
export interface Stretch {
  readonly kind: 'noise' | 'music' | 'speech';
  /** What it is more exactly. */
  readonly what: string;
  readonly samples: Float32Array;
}

/**
 * `minutes` of each: noise of all kinds in turn, pieces of music, and `speech` in other languages, again and again with pauses and another
 * channel each time (5 to 25 dB). Every stretch is made when it is asked for, so an hour needs no more memory than two minutes.
 */
export function* stretches(minutes: number, speech: readonly { readonly what: string; readonly samples: Float32Array }[], seed: number): Generator<Stretch> {
  const seconds = 60 * minutes;
  const piece = Math.min(120, seconds / NOISES.length);
  for (let at = 0, i = 0; at < seconds - 0.5; at += piece, i++) {
    const kind = NOISES[i % NOISES.length] ?? 'hiss';
    yield { kind: 'noise', what: kind, samples: noise(kind, Math.min(piece, seconds - at), seedOf(`${seed} noise ${i}`)) };
  }
  for (let at = 0, i = 0; at < seconds - 0.5; at += piece, i++) yield { kind: 'music', what: `piece ${i + 1}`, samples: music(Math.min(piece, seconds - at), seedOf(`${seed} music ${i}`)) };
  if (speech.length === 0) return;
  for (let at = 0, i = 0; at < seconds; i++) {
    const random = generator(seedOf(`${seed} speech ${i}`));
    const said = speech[i % speech.length];
    if (said === undefined) break;
    const pause = Math.round(between(random, 0.5, 3) * SAMPLE_RATE);
    const padded = new Float32Array(Math.min(said.samples.length + pause, Math.ceil((seconds - at) * SAMPLE_RATE)));
    padded.set(said.samples.subarray(0, padded.length));
    at += padded.length / SAMPLE_RATE;
    yield { kind: 'speech', what: said.what, samples: overTheRadio(padded, { seed: Math.floor(random() * 2 ** 31), snr: between(random, 5, 25), level: between(random, -30, -14), high: between(random, 2500, 3600) }) };
  }
}

/** One stretch cut into clips of 1 to 6 s, as a segmenter that lets everything through would give them; what is left over is dropped. */
export function clipsOf(samples: Float32Array, seed: number): Float32Array[] {
  const random = generator(seed);
  const clips: Float32Array[] = [];
  for (let at = 0; ; ) {
    const length = Math.round(between(random, 1, 6) * SAMPLE_RATE);
    if (at + length > samples.length) return clips;
    clips.push(samples.subarray(at, at + length));
    at += length;
  }
}
