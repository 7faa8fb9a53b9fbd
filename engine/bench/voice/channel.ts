/**
 * The radio of the benchmark: what it does to a transmission is drawn from the seed and the transmission's key, and is the same at every ratio
 * of speech to noise. Not the channel that the recogniser is trained on (training/recogniser/radio.py).
 */
import { transmit, type RadioChannel } from '../../audio/radio-channel.js';
import { fromInt16, toInt16 } from '../../domain/pcm.js';
import { between, generator, seedOf } from '../../domain/random.js';
import { SAMPLE_RATE } from '../../domain/stages.js';

/** Rises when the same draw sounds otherwise. */
export const CHANNEL_VERSION = 1;

export interface Impairments extends Omit<RadioChannel, 'snr' | 'crossTalk'> {
  /** Quiet before and behind the speech, seconds. */
  readonly lead: number;
  readonly trail: number;
  /** Somebody else: `which`, a share of the way through the other clips; from which share of the speech on; dB under it. */
  readonly crossTalk?: { readonly which: number; readonly from: number; readonly below: number };
}

/**
 * The draw for a transmission: clipped start 15 % (.05–.25 s of speech lost), fading 30 % (4–12 dB, .3–2 Hz), overdriven 20 % (3–9 dB), squelch
 * tail 35 % (.04–.15 s), somebody else 6 % (8–18 dB under); band 280–380 to 2500–3500 Hz, level −32 to −12 dBFS, gain control always.
 */
export function impairmentsOf(key: string, seed: number): Impairments {
  const random = generator(seedOf(`${String(seed)} ${key}`));
  const maybe = <T>(share: number, make: () => T): T | undefined => {
    // drawn in any case, so that one draw never moves the next
    const made = make();
    return random() < share ? made : undefined;
  };
  const clipped = maybe(0.15, () => between(random, 0.05, 0.25));
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
    ...(clipped === undefined ? {} : { lateKey: lead + clipped }),
    ...(fading === undefined ? {} : { fading }),
    ...(overdrive === undefined ? {} : { overdrive }),
    ...(squelchTail === undefined ? {} : { squelchTail }),
    ...(crossTalk === undefined ? {} : { crossTalk }),
  };
}

/**
 * Dry speech as a recogniser gets it: 16 kHz, mono, −1…1, in 16-bit steps, and the ratio that was measured (dB).
 *
 * @param snr dB; `Infinity`: clean, no channel, only quiet around it and a level.
 * @param other another clip, for cross-talk; undefined: nobody talks into it.
 */
export async function onAir(speech: Float32Array, key: string, snr: number, seed: number, other?: (which: number) => Promise<Float32Array | undefined>): Promise<{ readonly samples: Float32Array; readonly snr: number }> {
  const { lead, trail, crossTalk, ...channel } = impairmentsOf(key, seed);
  const before = Math.round(lead * SAMPLE_RATE);
  const padded = new Float32Array(before + speech.length + Math.round(trail * SAMPLE_RATE));
  padded.set(speech, before);
  if (snr === Infinity) {
    const rms = Math.sqrt(speech.reduce((sum, v) => sum + v * v, 0) / Math.max(1, speech.length));
    const gain = rms === 0 ? 0 : 10 ** ((channel.level ?? -19) / 20) / rms;
    return { samples: sixteenBit(padded.map((v) => v * gain)), snr };
  }
  const talk = crossTalk === undefined ? undefined : await other?.(crossTalk.which);
  const received = transmit(padded, { ...channel, snr, ...(talk === undefined || crossTalk === undefined ? {} : { crossTalk: { samples: talk, below: crossTalk.below, at: (crossTalk.from * speech.length) / SAMPLE_RATE } }) });
  return { samples: sixteenBit(received.samples), snr: received.snr };
}

const sixteenBit = (samples: Float32Array): Float32Array => fromInt16(toInt16(samples));
