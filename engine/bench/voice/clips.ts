/**
 * Speech for the items of a benchmark (training/held_out/speak_bench.py): a folder with manifest.jsonl and dry clips, which go over a simulated
 * radio when they are heard.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readAudio } from '../../audio/index.js';
import { HearbackError } from '../../domain/result.js';
import { jsonLines } from '../loaders/text.js';
import { Part, type Task, type Voices } from '../run/items.js';
import { CHANNEL_VERSION, onAir } from './channel.js';

/** One line of the manifest: who says what. `item_sha256`: of the text as the item writes it; `text`: as it is said. */
const VoiceClip = z.object({ id: z.string(), task: z.string(), part: Part, file: z.string(), text: z.string(), item_sha256: z.string(), seconds: z.number().positive(), sha256: z.string() });
type VoiceClip = z.infer<typeof VoiceClip>;

const KEPT = 6;

const keyOf = (task: string, id: string, part: Part): string => `${task} ${part} ${id}`;
const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** The speech of a folder. Nothing is decoded yet. @throws HearbackError not-found, invalid-input */
export async function openVoices(folder: string): Promise<Voices> {
  const path = join(folder, 'manifest.jsonl');
  if (!existsSync(path)) throw new HearbackError('not-found', `${path} does not exist.`, { hint: 'Make speech with `hearback bench speak`.' });
  const clips = new Map<string, VoiceClip>();
  const order: VoiceClip[] = [];
  for await (const { line, value } of jsonLines(path)) {
    const clip = VoiceClip.safeParse(value);
    if (!clip.success) throw new HearbackError('invalid-input', `Line ${String(line)} of ${path} is no clip: "${clip.error.issues[0]?.path.join('.') ?? ''}" does not fit.`, { hint: 'The same `hearback bench speak` mends it.' });
    clips.set(keyOf(clip.data.task, clip.data.id, clip.data.part), clip.data);
    order.push(clip.data);
  }

  const decode = async ({ file, sha256 }: VoiceClip): Promise<Float32Array> => {
    const found = hashOf(readFileSync(join(folder, file)));
    if (found !== sha256) throw new HearbackError('checksum', `${join(folder, file)} has the sha256 ${found} instead of ${sha256}.`, { hint: 'Restore it with `git checkout`, or delete it and make it again with `hearback bench speak`.' });
    return readAudio(join(folder, file));
  };
  /** The last few clips: one is heard at several ratios, one after the other. Nobody writes into what is given out. */
  const kept = new Map<string, Promise<Float32Array>>();
  const read = (clip: VoiceClip): Promise<Float32Array> => {
    const known = kept.get(clip.file);
    if (known !== undefined) return known;
    const reading = decode(clip);
    kept.set(clip.file, reading);
    reading.catch(() => kept.delete(clip.file));
    for (const file of [...kept.keys()].slice(0, -KEPT)) kept.delete(file);
    return reading;
  };
  /** Somebody who talks into it: another item's clip. */
  const other = (id: string, which: number): VoiceClip | undefined => {
    const others = order.filter((clip) => clip.id !== id);
    return others[Math.floor(which * others.length)];
  };

  return {
    sha256: hashOf(`${String(CHANNEL_VERSION)}\n${order.map((clip) => `${keyOf(clip.task, clip.id, clip.part)} ${clip.sha256} ${clip.text}\n`).join('')}`),
    // `written`: the item's text, so that speech of another text is not taken for its
    said: (task: Task, id: string, part: Part, written?: string) => {
      const clip = clips.get(keyOf(task, id, part));
      return clip === undefined || (written !== undefined && hashOf(written) !== clip.item_sha256) ? undefined : clip.text;
    },
    async sound(task: Task, id: string, part: Part, snr: number, seed: number) {
      const clip = clips.get(keyOf(task, id, part));
      if (clip === undefined) throw new HearbackError('not-found', `${folder} has no speech for the ${part} of ${id}.`);
      return (await onAir(await read(clip), `${id} ${part}`, snr, seed, async (which) => {
        const talker = other(id, which);
        return talker === undefined ? undefined : read(talker);
      })).samples;
    },
  };
}

