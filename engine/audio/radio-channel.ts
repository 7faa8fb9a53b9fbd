/**
 * A simulated VHF AM voice channel, for testing how recognition and judging bear worse and worse radio.
 *
 * Order as in a real link: key pressed late, speech band-passed in the transmitter, fading on the way, somebody else on the frequency, noise of
 * the receiver, automatic gain (which brings the noise up in pauses), overdriven amplifier, squelch tail. Everything follows from the seed.
 */
import { generator } from '../domain/random.js';
import { SAMPLE_RATE } from '../domain/stages.js';

export interface RadioChannel {
  /** Whole number; the same seed gives the same noise. */
  readonly seed: number;
  /** Power of the speech while somebody speaks over power of the noise, both behind the band-pass, dB. `Infinity`: none. */
  readonly snr: number;
  /** Edges of the band (−3 dB), Hz. Default 300 to 3400; aeronautical sets pass somewhat less (350–2500 Hz). */
  readonly low?: number;
  readonly high?: number;
  /** Default true: automatic gain, by which everything ends at about `level`. */
  readonly gainControl?: boolean;
  /** RMS of the result while somebody speaks, dBFS. Default −19. */
  readonly level?: number;
  /** By how much the loudest tenth of a second is driven over full scale, dB. Default none. */
  readonly overdrive?: number;
  /** Seconds cut from the beginning: the key came late. Default 0. */
  readonly lateKey?: number;
  /** Seconds of loud noise behind the end, until the squelch closes. Default 0. */
  readonly squelchTail?: number;
  /** The field strength goes up and down: by at most `depth` dB, about `rate` times a second. The ratio is then that to the faded speech. */
  readonly fading?: { readonly depth: number; readonly rate: number };
  /** Another station talks at the same time: mono, 16 kHz, from `at` seconds behind the key, `below` dB under the speech (both while active). */
  readonly crossTalk?: { readonly samples: Float32Array; readonly below: number; readonly at: number };
}

/** A transmission as it is heard. */
export interface Received {
  /** −1…1; shorter than the speech by `lateKey`, longer by `squelchTail`. */
  readonly samples: Float32Array;
  /** Measured before gain control: in-band power of the speech while somebody speaks over that of the noise in the same time, dB. */
  readonly snr: number;
}

/** One second-order section, coefficients for a0 = 1 (R. Bristow-Johnson's cookbook forms). */
interface Section {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

function section(kind: 'low' | 'high', frequency: number, q: number): Section {
  const w = (2 * Math.PI * frequency) / SAMPLE_RATE;
  const cos = Math.cos(w);
  const alpha = Math.sin(w) / (2 * q);
  const a0 = 1 + alpha;
  const side = kind === 'low' ? 1 - cos : 1 + cos;
  return { b0: side / 2 / a0, b1: (kind === 'low' ? side : -side) / a0, b2: side / 2 / a0, a1: (-2 * cos) / a0, a2: (1 - alpha) / a0 };
}

function filter(samples: Float32Array, sections: readonly Section[]): Float32Array {
  let x = samples;
  for (const s of sections) {
    const y = new Float32Array(x.length);
    let z1 = 0;
    let z2 = 0;
    for (let i = 0; i < x.length; i++) {
      const v = x[i] ?? 0;
      const out = s.b0 * v + z1;
      z1 = s.b1 * v - s.a1 * out + z2;
      z2 = s.b2 * v - s.a2 * out;
      y[i] = out;
    }
    x = y;
  }
  return x;
}

/** Butterworth, fourth order at the lower and sixth at the upper edge. */
const bandPass = (low: number, high: number): Section[] => [
  ...[0.5412, 1.3066].map((q) => section('high', low, q)),
  ...[0.5176, 0.7071, 1.9319].map((q) => section('low', Math.min(high, 0.45 * SAMPLE_RATE), q)),
];

/** Noise of a receiver: as coloured as the speech it lies under, with a rumble below 100 Hz. Not scaled. */
function receiverNoise(length: number, random: () => number, low: number, high: number): Float32Array {
  const white = Float32Array.from({ length }, () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  const inBand = filter(white, [...bandPass(low, high), section('low', 1200, 0.5)]);
  const rumble = filter(white, [section('low', 90, 0.7071)]);
  return inBand.map((v, i) => v + 0.5 * (rumble[i] ?? 0));
}

const FRAME = SAMPLE_RATE / 50;

const framePowers = (samples: Float32Array): number[] =>
  Array.from({ length: Math.ceil(samples.length / FRAME) }, (_, i) => power(samples.subarray(i * FRAME, (i + 1) * FRAME)));

/** Which frames (20 ms) are within 20 dB of the loudest: the speech without its pauses. All of them when there is no sound. */
function activeFrames(samples: Float32Array): boolean[] {
  const powers = framePowers(samples);
  const loudest = powers.reduce((a, b) => Math.max(a, b), 0);
  return powers.map((p) => p >= loudest / 100);
}

/** Mean power over the frames that are marked. */
function powerWhile(active: readonly boolean[], samples: Float32Array): number {
  const marked = framePowers(samples).filter((_, i) => active[i] === true);
  return marked.length === 0 ? 0 : marked.reduce((a, b) => a + b, 0) / marked.length;
}

const power = (samples: Float32Array): number => (samples.length === 0 ? 0 : samples.reduce((sum, v) => sum + v * v, 0) / samples.length);
const fromDecibel = (dB: number): number => 10 ** (dB / 20);

/** Gain that follows the envelope: 10 ms to come down, 400 ms to go up, at most 24 dB above what the speech needs. */
function automaticGain(samples: Float32Array, loudest: number): Float32Array {
  const attack = Math.exp(-1 / (0.01 * SAMPLE_RATE));
  const recovery = Math.exp(-1 / (0.4 * SAMPLE_RATE));
  const floor = loudest / fromDecibel(24);
  let mean = loudest ** 2;
  return samples.map((v) => {
    const p = v * v;
    const keep = p > mean ? attack : recovery;
    mean = keep * mean + (1 - keep) * p;
    return v / Math.max(Math.sqrt(mean), floor, 1e-9);
  });
}

/** Speech whose strength wanders: two slow swings, so that it does not come back regularly. */
function faded(samples: Float32Array, { depth, rate }: { readonly depth: number; readonly rate: number }, random: () => number): Float32Array {
  const phases = [2 * Math.PI * random(), 2 * Math.PI * random()] as const;
  return samples.map((v, i) => {
    const turn = (2 * Math.PI * rate * i) / SAMPLE_RATE;
    const swing = 0.6 * Math.sin(turn + phases[0]) + 0.4 * Math.sin(1.7 * turn + phases[1]);
    return v * fromDecibel((-depth * (1 + swing)) / 2);
  });
}

/** Sends a transmission over the channel; see {@link transmit}. */
export const overTheRadio = (speech: Float32Array, channel: RadioChannel): Float32Array => transmit(speech, channel).samples;

/**
 * Sends a transmission over the channel and says how much noise there was.
 *
 * @param speech clean, mono, 16 kHz, −1…1.
 */
export function transmit(speech: Float32Array, channel: RadioChannel): Received {
  const { seed, snr, low = 300, high = 3400, gainControl = true, level = -19, overdrive, lateKey = 0, squelchTail = 0, fading, crossTalk } = channel;
  const random = generator(seed);
  const keyed = speech.subarray(Math.round(lateKey * SAMPLE_RATE));
  const limited = filter(keyed, bandPass(low, high));
  // draws of its own: noise is the same with and without fading
  const sent = fading === undefined ? limited : faded(limited, fading, generator(seed ^ 0x5eed));
  const tail = Math.round(squelchTail * SAMPLE_RATE);
  const raw = receiverNoise(sent.length + tail, random, low, high);
  const active = activeFrames(sent);
  const speechPower = powerWhile(active, sent);
  // without any speech the ratio has no meaning: a carrier with noise at the level that speech would have had
  const reference = speechPower > 0 ? speechPower : fromDecibel(level) ** 2;
  const inBand = power(filter(raw, bandPass(low, high)));
  const scale = snr === Infinity || inBand === 0 ? 0 : Math.sqrt(reference / inBand) * fromDecibel(-snr);
  const received = sent.map((v, i) => v + scale * (raw[i] ?? 0));
  const noisePower = scale ** 2 * powerWhile(active, filter(raw, bandPass(low, high)));
  const measured = speechPower === 0 ? -Infinity : noisePower === 0 ? Infinity : 10 * Math.log10(speechPower / noisePower);
  if (crossTalk !== undefined) {
    const other = filter(crossTalk.samples, bandPass(low, high));
    const otherPower = powerWhile(activeFrames(other), other);
    const gain = otherPower === 0 ? 0 : Math.sqrt(reference / otherPower) * fromDecibel(-crossTalk.below);
    const from = Math.round(crossTalk.at * SAMPLE_RATE);
    for (let i = 0; i < other.length && from + i < received.length; i++) received[from + i] = (received[from + i] ?? 0) + gain * (other[i] ?? 0);
  }

  const target = fromDecibel(level);
  let out = gainControl ? automaticGain(received, Math.sqrt(powerWhile(active, received))) : received;
  const now = powerWhile(active, out);
  if (now > 0) out = out.map((v) => (v * target) / Math.sqrt(now));
  if (overdrive !== undefined) {
    let loudest = 0;
    for (let from = 0; from < out.length; from += 5 * FRAME) loudest = Math.max(loudest, Math.sqrt(2 * power(out.subarray(from, from + 5 * FRAME))));
    const gain = loudest === 0 ? 1 : fromDecibel(overdrive) / loudest;
    out = out.map((v) => v * gain);
  }
  if (tail > 0) {
    // without a carrier the receiver hears noise alone, as loud as its gain makes it
    const noise = raw.subarray(sent.length);
    const gain = (1.4 * target) / Math.sqrt(power(noise));
    const whole = new Float32Array(out.length + tail);
    whole.set(out);
    for (let i = 0; i < tail; i++) whole[out.length + i] = gain * (noise[i] ?? 0);
    out = whole;
  }
  return { samples: out.map((v) => Math.max(-1, Math.min(1, v))), snr: measured };
}
