/**
 * An item's sound as a recogniser gets it: as it was received, or dry speech over a simulated radio at a ratio asked for.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readAudio } from '../../audio/index.js';
import { transmit, type RadioChannel } from '../../audio/radio-channel.js';
import { fromInt16, toInt16 } from '../../domain/pcm.js';
import { generator } from '../../domain/random.js';
import { HearbackError } from '../../domain/result.js';
import { SAMPLE_RATE } from '../../domain/stages.js';
import { between, seedOf } from '../asr/random.js';
import type { BenchItem, Part, Sound } from '../loaders/item.js';

/** Ratios of the benchmark, dB, best first. Infinity: clean, without any channel. */
export const SNRS = [Infinity, 20, 15, 10, 5, 0] as const;

/** What the radio does to a transmission besides noise. Drawn for each one; the same at every ratio. */
export interface Impairments extends Omit<RadioChannel, 'snr' | 'crossTalk'> {
  /** Quiet before and behind the speech, seconds. */
  readonly lead: number;
  readonly trail: number;
  /** Which other clip talks into it (a share of the way through the folder's list), from which share of the speech, how far under it. */
  readonly crossTalk?: { readonly which: number; readonly from: number; readonly below: number };
}

/**
 * The draw for a transmission. Shares: clipped start 15 % (.05–.25 s of speech lost), fading 30 % (4–12 dB, .3–2 Hz), overdriven 20 % (3–9 dB),
 * squelch tail 35 % (.04–.15 s), somebody else 6 % (8–18 dB under); band 280–380 to 2500–3500 Hz, level −32 to −12 dBFS, gain control always.
 */
export function impairmentsOf(key: string, seed: number): Impairments {
  const random = generator(seedOf(`${String(seed)} ${key}`));
  const maybe = <T>(share: number, make: () => T): T | undefined => {
    const made = make(); // drawn in any case, so that one draw never moves the next
    return random() < share ? made : undefined;
  };
  const clippedStart = maybe(0.15, () => between(random, 0.05, 0.25));
  const fading = maybe(0.3, () => ({ depth: between(random, 4, 12), rate: between(random, 0.3, 2) }));
  const overdrive = maybe(0.2, () => between(random, 3, 9));
  const squelchTail = maybe(0.35, () => between(random, 0.04, 0.15));
  const crossTalk = maybe(0.06, () => ({ which: random(), from: between(random, 0, 0.8), below: between(random, 8, 18) }));
  const lead = between(random, 0.3, 0.6);
  return {
    lead,
    trail: between(random, 0.3, 0.6),
    level: between(random, -32, -12),
    low: between(random, 280, 380),
    high: between(random, 2500, 3500),
    seed: Math.floor(random() * 2 ** 31),
    ...(clippedStart === undefined ? {} : { lateKey: lead + clippedStart }),
    ...(fading === undefined ? {} : { fading }),
    ...(overdrive === undefined ? {} : { overdrive }),
    ...(squelchTail === undefined ? {} : { squelchTail }),
    ...(crossTalk === undefined ? {} : { crossTalk }),
  };
}

/** What a recogniser gets. */
export interface Heard {
  /** 16 kHz, mono, −1…1, in 16-bit steps. */
  readonly samples: Float32Array;
  /** Measured ratio, dB; Infinity for clean speech; undefined for a recording whose noise is not known. */
  readonly snr: number | undefined;
}

export interface Ear {
  /**
   * @param snr dB, of dry speech; Infinity: no channel, only a level. Undefined: as it was received (dry speech: clean).
   * @throws HearbackError usage where a received recording is asked for at a ratio; checksum, not-found … of the file
   */
  hear(item: BenchItem, part: Part, snr?: number): Promise<Heard>;
}

/** Holds one recording and one folder's list at a time. Everything drawn follows from the seed, the item's id and the part. */
export function createEar(seed: number): Ear {
  let last: { readonly file: string; readonly samples: Float32Array } | undefined;
  let list: { readonly folder: string; readonly files: readonly string[] } | undefined;

  const read = async ({ file, sha256 }: Pick<Sound, 'file' | 'sha256'>): Promise<Float32Array> => {
    if (last?.file === file) return last.samples;
    const samples = await readAudio(file);
    const found = sha256 === undefined ? undefined : createHash('sha256').update(readFileSync(file)).digest('hex');
    if (found !== sha256) throw new HearbackError('checksum', `${file} has the sha256 ${found ?? ''} instead of ${sha256 ?? ''}.`, { hint: 'Restore it with `git checkout`, or delete it and make it again with `hearback bench speak`.' });
    last = { file, samples };
    return samples;
  };
  /** Another clip of the folder, never the one that is heard nor the other half of its pair. */
  const other = async (file: string, id: string, which: number): Promise<Float32Array | undefined> => {
    const folder = dirname(file);
    if (list?.folder !== folder) list = { folder, files: (await readdir(folder)).filter((name) => name.endsWith('.opus')).sort() };
    const files = list.files.filter((name) => !name.startsWith(id));
    const name = files[Math.floor(which * files.length)];
    return name === undefined ? undefined : readAudio(join(folder, name));
  };

  return {
    async hear(item, part, snr) {
      const sound = item.audio?.[part];
      if (sound === undefined) throw new HearbackError('not-found', `${item.id} has no sound for its ${part}.`);
      const whole = await read(sound);
      const speech = whole.subarray(Math.round((sound.start ?? 0) * SAMPLE_RATE), sound.end === undefined ? whole.length : Math.round(sound.end * SAMPLE_RATE));
      if (!sound.dry) {
        if (snr !== undefined) throw new HearbackError('usage', `${item.id} was received with its own noise; no ratio can be given to it.`, { hint: 'Ratios are for dry speech, as `hearback bench speak` makes it.' });
        return { samples: speech.slice(), snr: sound.snr };
      }
      const { lead, trail, crossTalk, ...channel } = impairmentsOf(`${item.id} ${part}`, seed);
      if (snr === undefined || snr === Infinity) {
        const padded = inQuiet(speech, lead, trail);
        const rms = Math.sqrt(speech.reduce((sum, v) => sum + v * v, 0) / Math.max(1, speech.length));
        const gain = rms === 0 ? 0 : 10 ** ((channel.level ?? -19) / 20) / rms;
        return { samples: sixteenBit(padded.map((v) => v * gain)), snr: Infinity };
      }
      const talk = crossTalk === undefined ? undefined : await other(sound.file, item.id, crossTalk.which);
      const received = transmit(inQuiet(speech, lead, trail), {
        ...channel,
        snr,
        ...(talk === undefined || crossTalk === undefined ? {} : { crossTalk: { samples: talk, below: crossTalk.below, at: (crossTalk.from * speech.length) / SAMPLE_RATE } }),
      });
      return { samples: sixteenBit(received.samples), snr: received.snr };
    },
  };
}

function inQuiet(speech: Float32Array, lead: number, trail: number): Float32Array {
  const before = Math.round(lead * SAMPLE_RATE);
  const out = new Float32Array(before + speech.length + Math.round(trail * SAMPLE_RATE));
  out.set(speech, before);
  return out;
}

const sixteenBit = (samples: Float32Array): Float32Array => fromInt16(toInt16(samples));
