/**
 * The held-out set (fixtures/asr-held-out/): transmissions with their truth, and speech in other languages.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { readAudio } from '../../audio/index.js';
import { overTheRadio } from '../../audio/radio-channel.js';
import { fromInt16, toInt16 } from '../../domain/pcm.js';
import { between, generator, seedOf } from '../../domain/random.js';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import { SAMPLE_RATE } from '../../domain/stages.js';
import { SLOT_NAMES } from './score.js';

const Slot = z.enum(SLOT_NAMES as [(typeof SLOT_NAMES)[number], ...(typeof SLOT_NAMES)[number][]]);

/** One line of manifest.jsonl. */
export const HeldOutClip = z.object({
  id: z.string(),
  file: z.string(),
  text: z.string(),
  role: z.enum(['controller', 'pilot']),
  region: z.enum(['icao', 'faa']),
  /** standard: in the book's words (PANS-ATM chapter 12); the others in words of their own: instruction or readback, another whole transmission, a piece. */
  kind: z.enum(['standard', 'exchange', 'single', 'fragment']),
  callsign: z.string().nullable(),
  slots: z.partialRecord(Slot, z.array(z.string())),
  /** Of a readback: whether it is right; where it is not, which value was instructed and which is read back. */
  readback: z.union([z.object({ right: z.literal(true) }), z.object({ right: z.literal(false), slot: Slot, instructed: z.string(), read: z.string() })]).optional(),
  engine: z.string(),
  voice: z.string(),
  seconds: z.number().positive(),
  sha256: z.string(),
});
export type HeldOutClip = z.infer<typeof HeldOutClip>;

/** ICAO codes of the operators that the set draws beside the busy ones (SELDOM of training/held_out/script.py): names that training has no oftener than any other of the product's table. */
export const SELDOM: ReadonlySet<string> = new Set('CRL TCX VKG NRS AMC SXS CAI FHY DTR TYR LBT VOE AWE PDT JIA ASQ CPZ ASH LOF POE CKS PAC'.split(' '));

/** What a callsign is made of: the name of a busy operator, of a seldom one, or letters and digits alone. */
export type CallsignKind = 'busy' | 'seldom' | 'registration';

export const callsignKind = (callsign: string): CallsignKind => {
  const code = /^([A-Z]{3})\d/u.exec(callsign)?.[1];
  return code === undefined ? 'registration' : SELDOM.has(code) ? 'seldom' : 'busy';
};

const ForeignClip = z.object({ file: z.string(), language: z.string(), sha256: z.string() });

function lines<T>(path: string, schema: z.ZodType<T>): T[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new HearbackError('not-found', `${path} is not there.`, { hint: 'The held-out set is part of the repository, not of the installed package.', cause });
  }
  return text.split('\n').filter((line) => line !== '').map((line, i) => {
    const parsed = schema.safeParse(JSON.parse(line));
    if (!parsed.success) throw new HearbackError('invalid-input', `Line ${i + 1} of ${path} does not fit: ${parsed.error.issues[0]?.message ?? 'unknown reason'} at "${parsed.error.issues[0]?.path.join('.') ?? ''}".`);
    return parsed.data;
  });
}

/** The manifest, in its order. @throws HearbackError not-found, invalid-input */
export const readHeldOut = (folder: string): HeldOutClip[] => lines(join(folder, 'manifest.jsonl'), HeldOutClip);

/** SHA-256 over the clips' checksums and truths: what results are of. */
export function hashOf(clips: readonly HeldOutClip[]): string {
  const hash = createHash('sha256');
  for (const clip of clips) hash.update(`${clip.id} ${clip.sha256} ${clip.text} ${clip.callsign ?? ''} ${JSON.stringify(clip.slots)}\n`);
  return hash.digest('hex');
}

/** Dry speech of a clip, 16 kHz. @throws HearbackError checksum when the file is another than the manifest's */
export async function loadClip(folder: string, clip: { readonly file: string; readonly sha256: string }): Promise<Float32Array> {
  const path = join(folder, clip.file);
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found !== clip.sha256) throw new HearbackError('checksum', `${path} has the sha256 ${found} instead of ${clip.sha256}.`, { hint: 'Restore it with `git checkout`, or build the set again with training/held_out/make.py.' });
  return readAudio(path);
}

/** Speech in other languages: of the set, and every recording in `more` that can be read; `onBad` is told of the others. */
export async function loadForeign(folder: string, more?: string, onBad: (sentence: string) => void = () => undefined): Promise<{ what: string; samples: Float32Array }[]> {
  const out: { what: string; samples: Float32Array }[] = [];
  for (const clip of lines(join(folder, 'foreign.jsonl'), ForeignClip)) out.push({ what: clip.language, samples: await loadClip(folder, clip) });
  if (more === undefined) return out;
  let names: string[];
  try {
    names = readdirSync(more, { recursive: true, encoding: 'utf8' });
  } catch (cause) {
    throw new HearbackError('not-found', `The folder ${more} cannot be read.`, { cause });
  }
  const recordings = names.filter((name) => ['.wav', '.flac', '.ogg', '.opus', '.mp3'].includes(extname(name).toLowerCase())).sort();
  if (recordings.length === 0) throw new HearbackError('not-found', `There are no recordings in ${more}.`, { hint: 'WAV, FLAC, Ogg or MP3.' });
  const before = out.length;
  for (const name of recordings) {
    try {
      out.push({ what: basename(name), samples: await readAudio(join(more, name)) });
    } catch (thrown) {
      onBad(toHearbackError(thrown).message);
    }
  }
  if (out.length === before) throw new HearbackError('not-found', `None of the ${String(recordings.length)} recordings in ${more} can be read.`, { hint: 'WAV, FLAC, Ogg or MP3.' });
  return out;
}

/**
 * The clip as it is heard at that ratio of speech to noise, dB: quiet of .3 to .7 s before and behind, then the channel with an edge, a level
 * (−32 to −12 dBFS) and a squelch tail of its own. `Infinity`: no channel at all, but the level. Edges, level and noise follow from the
 * clip and the seed and are the same at every ratio. 16-bit steps, as recordings have.
 */
export function heardAt(speech: Float32Array, id: string, snr: number, seed: number): Float32Array {
  const random = generator(seedOf(`${seed} ${id}`));
  const lead = Math.round(between(random, 0.3, 0.7) * SAMPLE_RATE);
  const trail = Math.round(between(random, 0.3, 0.7) * SAMPLE_RATE);
  const level = between(random, -32, -12);
  const low = between(random, 280, 380);
  const high = between(random, 2500, 3500);
  const squelchTail = random() < 0.3 ? between(random, 0.04, 0.15) : 0;
  const noiseSeed = Math.floor(random() * 2 ** 31);
  const whole = new Float32Array(lead + speech.length + trail);
  whole.set(speech, lead);
  if (snr !== Infinity) return fromInt16(toInt16(overTheRadio(whole, { seed: noiseSeed, snr, level, low, high, squelchTail })));
  const rms = Math.sqrt(speech.reduce((sum, v) => sum + v * v, 0) / Math.max(1, speech.length));
  const gain = rms === 0 ? 0 : 10 ** (level / 20) / rms;
  return fromInt16(toInt16(whole.map((v) => v * gain)));
}

/** Speech of exactly that many seconds, for measuring times: clips one after another with a quarter of a second between, cut at the end. */
export function ofLength(speech: readonly Float32Array[], first: number, seconds: number): Float32Array {
  const whole = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  for (let at = 0, i = first; at < whole.length; i++) {
    const clip = speech[i % speech.length];
    if (clip === undefined || clip.length === 0) break;
    whole.set(clip.subarray(0, whole.length - at), at);
    at += clip.length + SAMPLE_RATE / 4;
  }
  return whole;
}
