/**
 * Sample rate conversion to the pipeline's rate: polyphase windowed-sinc filter (Kaiser window), streaming.
 *
 * Why not a library: docs/decisions/0020-resampler-of-our-own.md.
 */
import { SAMPLE_RATE } from '../domain/stages.js';

/** Stop-band attenuation the filters are designed for, dB. */
const ATTENUATION = 75;
/** Kaiser's β for that attenuation (Oppenheim and Schafer, Discrete-Time Signal Processing, eq. 7.75). */
const BETA = 0.1102 * (ATTENUATION - 8.7);
/** Above this many phases the filter is read between the rows of a table instead of one row a phase. */
const MAX_PHASES = 512;
/** Upper edge of the band that is kept untouched and the frequency from which nothing may remain, as parts of the lower rate. */
const DOWN_PASS = 0.425;
const UP_PASS = 0.46;
const STOP = 0.5;

/** Modified Bessel function of the first kind, order zero. */
function bessel0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-12 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/**
 * One filter from one rate to another. `pass` and `stop` in Hz.
 *
 * Output n lies at input time n·M/L, kept in integers, so that nothing drifts over hours and the result does not
 * depend on how the input is cut into pieces. The filter's delay is taken out: output 0 is input 0.
 */
class Stage {
  readonly #up: number;
  readonly #down: number;
  readonly #taps: number;
  readonly #rows: Float64Array[];
  /** Rows are shared by phases (false), or every phase lies between two rows (true). */
  readonly #between: boolean;
  #buffer = new Float64Array(0);
  #filled: number;
  /** Position of the next output's first tap in the buffer, and the fraction of a sample behind it as part of `up`. */
  #at = 0;
  #rest = 0;
  #inputs = 0;
  #outputs = 0;

  constructor(from: number, to: number, pass: number, stop: number) {
    const g = gcd(from, to);
    this.#up = to / g;
    this.#down = from / g;
    const width = (2 * Math.PI * (stop - pass)) / from;
    this.#taps = Math.max(8, 4 * Math.ceil((ATTENUATION - 8) / (2.285 * width) / 4));
    const half = this.#taps / 2;
    const cutoff = (pass + stop) / from; // two times the centre of the transition band, as part of the rate
    this.#between = this.#up > MAX_PHASES;
    this.#rows = table(this.#taps, Math.min(this.#up, MAX_PHASES), this.#between, cutoff);
    this.#filled = half - 1; // what lies before the first sample is silence
    this.#buffer = new Float64Array(this.#filled + this.#taps);
  }

  process(input: Float32Array): Float32Array {
    this.#inputs += input.length;
    this.#append(input, input.length);
    return this.#run(Infinity);
  }

  /** What the last samples still give, as if silence followed. Afterwards the stage is at its end. */
  flush(): Float32Array {
    const total = Math.round((this.#inputs * this.#up) / this.#down);
    this.#append(undefined, this.#taps + Math.ceil(this.#down / this.#up));
    return this.#run(total - this.#outputs);
  }

  #append(input: Float32Array | undefined, length: number): void {
    const needed = this.#filled + length;
    if (needed > this.#buffer.length) {
      const larger = new Float64Array(needed + this.#taps);
      larger.set(this.#buffer.subarray(0, this.#filled));
      this.#buffer = larger;
    }
    if (input === undefined) this.#buffer.fill(0, this.#filled, needed);
    else this.#buffer.set(input, this.#filled);
    this.#filled = needed;
  }

  #run(limit: number): Float32Array {
    const up = this.#up;
    const down = this.#down;
    const taps = this.#taps;
    const buffer = this.#buffer;
    const last = this.#filled - taps;
    const possible = this.#at > last ? 0 : Math.floor(((last - this.#at + 1) * up - this.#rest - 1) / down) + 1;
    const count = Math.max(0, Math.min(possible, limit));
    const out = new Float32Array(count);
    const stepWhole = Math.floor(down / up);
    const stepRest = down % up;
    let at = this.#at;
    let rest = this.#rest;
    for (let n = 0; n < count; n++) {
      if (this.#between) {
        const exact = (rest / up) * MAX_PHASES;
        const row = Math.floor(exact);
        const t = exact - row;
        const a = dot(buffer, at, this.#rows[row] ?? EMPTY, taps);
        const b = dot(buffer, at, this.#rows[row + 1] ?? EMPTY, taps);
        out[n] = a + t * (b - a);
      } else {
        out[n] = dot(buffer, at, this.#rows[rest] ?? EMPTY, taps);
      }
      at += stepWhole;
      rest += stepRest;
      if (rest >= up) {
        rest -= up;
        at += 1;
      }
    }
    // keep only what later outputs still need
    const drop = Math.min(at, this.#filled);
    buffer.copyWithin(0, drop, this.#filled);
    this.#filled -= drop;
    this.#at = at - drop;
    this.#rest = rest;
    this.#outputs += count;
    return out;
  }
}

const EMPTY = new Float64Array(0);

const tables = new Map<string, Float64Array[]>();

/** The filter's taps for each phase, and for the phase after the last one when values between rows are wanted. Kept for the next channel. */
function table(length: number, phases: number, between: boolean, cutoff: number): Float64Array[] {
  const key = `${length} ${phases} ${between} ${cutoff}`;
  const kept = tables.get(key);
  if (kept !== undefined) return kept;
  const half = length / 2;
  const i0 = bessel0(BETA);
  const rows = Array.from({ length: between ? phases + 1 : phases }, (_, row) => {
    const taps = Float64Array.from({ length }, (_unused, k) => {
      const u = k - (half - 1) - row / phases;
      const edge = 1 - (u / half) ** 2;
      const window = edge <= 0 ? 0 : bessel0(BETA * Math.sqrt(edge)) / i0;
      const x = Math.PI * cutoff * u;
      return window * cutoff * (x === 0 ? 1 : Math.sin(x) / x);
    });
    // equal gain at 0 Hz for every phase: no ripple on a constant
    const sum = taps.reduce((a, b) => a + b, 0);
    return taps.map((t) => t / sum);
  });
  if (tables.size >= 8) tables.clear();
  tables.set(key, rows);
  return rows;
}

/** Sum of x[at+k]·h[k]; `taps` is a multiple of four. */
function dot(x: Float64Array, at: number, h: Float64Array, taps: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let k = 0; k < taps; k += 4) {
    const p = at + k;
    // indexes are inside by construction; the fall-backs only satisfy the type and cost nothing measurable
    a += (x[p] ?? 0) * (h[k] ?? 0);
    b += (x[p + 1] ?? 0) * (h[k + 1] ?? 0);
    c += (x[p + 2] ?? 0) * (h[k + 2] ?? 0);
    d += (x[p + 3] ?? 0) * (h[k + 3] ?? 0);
  }
  return a + b + (c + d);
}

/**
 * Converts one channel from any whole rate to `to` (16 kHz).
 *
 * Kept: 0…6.8 kHz within 0.1 dB when coming from 16 kHz and more, 0…0.46 of the input rate when coming from less.
 * Frequencies that the new rate cannot hold are at least 70 dB down. As many samples come out as the time holds:
 * round(n·to/from), one more or less from rates above 64 kHz, where two or more stages follow each other.
 */
export class Resampler {
  readonly #stages: Stage[] = [];

  /** @param from input rate, Hz, a positive whole number. */
  constructor(from: number, to: number = SAMPLE_RATE) {
    let rate = from;
    // a cheap first halving: only what would fold into the kept band has to go, so the filter is short
    while (rate % 2 === 0 && rate >= 4 * to) {
      this.#stages.push(new Stage(rate, rate / 2, DOWN_PASS * to, rate / 2 - STOP * to));
      rate /= 2;
    }
    if (rate !== to) {
      const lower = Math.min(rate, to);
      this.#stages.push(new Stage(rate, to, (rate > to ? DOWN_PASS : UP_PASS) * lower, STOP * lower));
    }
  }

  /** The next samples; gives what is complete so far. The result is a new array. */
  process(input: Float32Array): Float32Array {
    let x = input;
    for (const stage of this.#stages) x = stage.process(x);
    return x === input ? input.slice() : x;
  }

  /** The rest, at the end of the audio. */
  flush(): Float32Array {
    let tail = new Float32Array(0);
    for (const stage of this.#stages) {
      const a = stage.process(tail);
      const b = stage.flush();
      tail = new Float32Array(a.length + b.length);
      tail.set(a);
      tail.set(b, a.length);
    }
    return tail;
  }
}

/** Converts a whole array. */
export function resample(samples: Float32Array, from: number, to: number = SAMPLE_RATE): Float32Array {
  const r = new Resampler(from, to);
  const head = r.process(samples);
  const tail = r.flush();
  const out = new Float32Array(head.length + tail.length);
  out.set(head);
  out.set(tail, head.length);
  return out;
}
