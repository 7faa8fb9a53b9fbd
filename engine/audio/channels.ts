/**
 * Which channels of a recording are followed, and how they are made from what is in the file.
 *
 * A stereo recording of radio is either one frequency on both sides or two frequencies side by side, and which one it is
 * decides whether something is lost. So both are compared over the whole recording before anything else happens; see
 * docs/decisions/0022-comparing-two-sides.md for the figures.
 */
import { HearbackError } from '../domain/result.js';
import { quote, throwIfStopped } from './decoder.js';
import type { Decoder, NoticeList } from './decoder.js';

/** `auto`: decided by the content. A number counts from 1. */
export type ChannelChoice = 'auto' | 'left' | 'right' | 'mix' | 'split' | number;

/** One channel that comes out: its name and the weight of each channel of the file in it. */
export interface Outlet {
  readonly name: string;
  readonly weights: readonly { readonly channel: number; readonly weight: number }[];
}

const single = (name: string, channel: number): Outlet => ({ name, weights: [{ channel, weight: 1 }] });

/** Names of the channels of a file with `count` of them. */
export const channelName = (index: number, count: number): string => (count === 1 ? 'mono' : count === 2 ? (index === 0 ? 'left' : 'right') : `ch${index + 1}`);

const split = (count: number): Outlet[] => Array.from({ length: count }, (_, i) => single(channelName(i, count), i));
const mix = (count: number): Outlet => ({ name: 'mono', weights: Array.from({ length: count }, (_, channel) => ({ channel, weight: 1 / count })) });

/** Weighted sum of one block. The result is a new array unless one channel is passed on as it is. */
export function mixDown(outlet: Outlet, channels: readonly Float32Array[]): Float32Array {
  const [first] = outlet.weights;
  if (outlet.weights.length === 1 && first?.weight === 1) return channels[first.channel] ?? new Float32Array(channels[0]?.length ?? 0);
  const out = new Float32Array(channels[0]?.length ?? 0);
  for (const { channel, weight } of outlet.weights) {
    const x = channels[channel];
    if (x === undefined) continue;
    for (let i = 0; i < out.length; i++) out[i] = (out[i] ?? 0) + weight * (x[i] ?? 0);
  }
  return out;
}

/** Length of the stretches that are compared, seconds. */
const STRETCH = 0.1;
/** Half the peak-to-peak range below which a channel counts as silent: −80 dBFS, three steps of 16 bits. */
const SILENT = 1e-4;
/** A stretch differs when what one channel does not explain of the other is above this part of the stretch's energy (−12 dB) … */
const DIFFERS_WITHIN = 10 ** -1.2;
/** … and above this part of the energy of the loud stretches (−25 dB), so that the hiss of two inputs does not count. */
const DIFFERS_AGAINST_LOUD = 10 ** -2.5;
/** So much of it makes two channels different, seconds: less may be a click on one side. */
const DIFFERENT_SECONDS = 0.5;
/** A decision for "different" is looked for every so many seconds, since it ends the scan. */
const LOOK_EVERY = 60;

/** What a scan of the file has told. */
interface Findings {
  /** Channels that are silent throughout. */
  readonly silent: readonly boolean[];
  /** For two channels: do they carry different sound? */
  readonly different: boolean;
  /** For two channels: −1 when one is the other upside down. */
  readonly sign: 1 | -1;
  /** For two channels, −1…1: likeness over the whole recording. */
  readonly correlation: number;
}

/** Sums over one stretch of two channels, means taken off (a constant offset is not sound). */
interface Stretch {
  readonly xx: number;
  readonly yy: number;
  readonly xy: number;
}

function compare(stretches: readonly Stretch[]): { different: boolean; sign: 1 | -1; correlation: number } {
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const s of stretches) {
    xx += s.xx;
    yy += s.yy;
    xy += s.xy;
  }
  if (xx === 0 || yy === 0) return { different: false, sign: 1, correlation: 0 };
  // how much of the louder channel is in the other one
  const forward = xx >= yy;
  const gain = xy / Math.max(xx, yy);
  const explained = stretches.map((s) => gain * gain * (forward ? s.xx : s.yy));
  const own = stretches.map((s) => (forward ? s.yy : s.xx));
  const loudness = own.map((o, i) => Math.max(o, explained[i] ?? 0));
  const loud = loudness.toSorted((a, b) => a - b)[Math.floor(0.95 * (loudness.length - 1))] ?? 0;
  let count = 0;
  for (const [i, s] of stretches.entries()) {
    const rest = (own[i] ?? 0) - 2 * gain * s.xy + (explained[i] ?? 0);
    if (rest > DIFFERS_WITHIN * (loudness[i] ?? 0) && rest > DIFFERS_AGAINST_LOUD * loud) count++;
  }
  return { different: count * STRETCH >= DIFFERENT_SECONDS, sign: xy < 0 ? -1 : 1, correlation: xy / Math.sqrt(xx * yy) };
}

/** Decodes the recording once and compares its channels. Ends early as soon as two channels are known to differ. */
async function scan(decoder: Decoder, name: string, signal: AbortSignal | undefined): Promise<Findings> {
  const count = decoder.channelCount;
  const low = new Float64Array(count);
  const high = new Float64Array(count);
  const range = new Float64Array(count);
  const stretches: Stretch[] = [];
  let n = 0;
  let sx = 0;
  let sy = 0;
  let sxx = 0;
  let syy = 0;
  let sxy = 0;
  low.fill(Infinity);
  high.fill(-Infinity);
  const close = (): void => {
    if (n === 0) return;
    for (let c = 0; c < count; c++) range[c] = Math.max(range[c] ?? 0, ((high[c] ?? 0) - (low[c] ?? 0)) / 2);
    low.fill(Infinity);
    high.fill(-Infinity);
    if (count === 2) stretches.push({ xx: Math.max(0, sxx - (sx * sx) / n), yy: Math.max(0, syy - (sy * sy) / n), xy: sxy - (sx * sy) / n });
    n = sx = sy = sxx = syy = sxy = 0;
  };
  for await (const block of decoder.blocks(signal)) {
    throwIfStopped(signal, name);
    const length = block.channels[0]?.length ?? 0;
    const size = Math.max(1, Math.round(block.rate * STRETCH));
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + size - n);
      for (let c = 0; c < count; c++) {
        const x = block.channels[c];
        if (x === undefined) continue;
        let lo = low[c] ?? 0;
        let hi = high[c] ?? 0;
        for (let i = from; i < to; i++) {
          const v = x[i] ?? 0;
          if (v < lo) lo = v;
          if (v > hi) hi = v;
        }
        low[c] = lo;
        high[c] = hi;
      }
      const [x, y] = block.channels;
      if (count === 2 && x !== undefined && y !== undefined) {
        for (let i = from; i < to; i++) {
          const a = x[i] ?? 0;
          const b = y[i] ?? 0;
          sx += a;
          sy += b;
          sxx += a * a;
          syy += b * b;
          sxy += a * b;
        }
      }
      n += to - from;
      from = to;
      if (n >= size) {
        close();
        // a channel that is silent so far may turn out to be silent throughout, so that cannot end the scan
        if (count === 2 && stretches.length % (LOOK_EVERY / STRETCH) === 0 && range.every((r) => r >= SILENT)) {
          const so = compare(stretches);
          if (so.different) return { silent: [false, false], ...so };
        }
      }
    }
  }
  close();
  return { silent: [...range].map((r) => r < SILENT), ...compare(stretches) };
}

/**
 * Decides what comes out of a recording.
 *
 * @throws HearbackError `usage` for a channel that the recording does not have.
 */
export async function chooseOutlets(decoder: Decoder, name: string, choice: ChannelChoice, notices: NoticeList, signal?: AbortSignal): Promise<readonly Outlet[]> {
  const count = decoder.channelCount;
  const wanted = choice === 'left' ? 1 : choice === 'right' ? 2 : choice;
  if (typeof wanted === 'number') {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > count)
      throw new HearbackError('usage', `${quote(name)} has ${count === 1 ? 'one channel' : `${count} channels`}; channel ${choice} is not among them.`, { hint: 'Choose another channel, or leave the choice out.' });
    return [single(channelName(wanted - 1, count), wanted - 1)];
  }
  if (count === 1) return split(1);
  if (wanted === 'mix') return [mix(count)];
  if (wanted === 'split') return split(count);

  const found = await scan(decoder, name, signal);
  const all = split(count);
  const sounding = all.filter((_, i) => found.silent[i] !== true);
  const names = (outlets: readonly Outlet[]): string => outlets.map((o) => o.name).join(', ');
  if (sounding.length === 0) {
    notices.add('silent', 'warning', `${quote(name)} is silent on all ${count} channels.`);
    return [mix(count)];
  }
  if (sounding.length < count) {
    const silent = all.filter((o) => !sounding.includes(o));
    notices.add('silent-channel', 'info', `${quote(name)} is silent on ${silent.length === 1 ? 'the channel' : 'the channels'} ${names(silent)}; ${names(sounding)} ${sounding.length === 1 ? 'is' : 'are'} used.`);
    return sounding;
  }
  if (count === 2 && !found.different)
    return [{ name: 'mono', weights: [{ channel: 0, weight: 0.5 }, { channel: 1, weight: 0.5 * found.sign }] }]; // prettier-ignore
  const alike = count === 2 && Math.abs(found.correlation) > 0.5;
  notices.add(
    'channels',
    alike ? 'warning' : 'info',
    (count === 2 ? `${quote(name)} carries different sound on its two channels; each` : `${quote(name)} has ${count} channels; each`) +
      ` is followed for itself (${names(all)}).` +
      (alike ? ' They are much alike: if it is one frequency recorded in stereo, choose the channel "mix".' : ''),
  );
  return all;
}
