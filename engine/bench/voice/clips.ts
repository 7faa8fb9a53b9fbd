/**
 * Speech for the items of a benchmark (training/held_out/speak_bench.py): a folder with manifest.jsonl and clips, dry.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { HearbackError } from '../../domain/result.js';
import { PARTS, type BenchItem, type OnBad, type Part, type Sound } from '../loaders/item.js';
import { jsonLines } from '../loaders/text.js';

/** One line of the manifest: who says what of which item. `item_sha256`: of the text as the item writes it; `text`: as it is said. */
export const VoiceClip = z.object({
  id: z.string(),
  part: z.enum(PARTS),
  file: z.string(),
  text: z.string(),
  item_sha256: z.string(),
  engine: z.string(),
  voice: z.string(),
  licence: z.string(),
  seconds: z.number().positive(),
  sha256: z.string(),
});
export type VoiceClip = z.infer<typeof VoiceClip>;

/** The clips of a folder by item, in its manifest's order. @throws HearbackError not-found, invalid-input */
export async function readVoices(folder: string): Promise<ReadonlyMap<string, readonly VoiceClip[]>> {
  const path = join(folder, 'manifest.jsonl');
  if (!existsSync(path)) throw new HearbackError('not-found', `${path} does not exist.`, { hint: 'Make speech with `hearback bench speak`.' });
  const clips = new Map<string, VoiceClip[]>();
  for await (const { line, value } of jsonLines(path)) {
    const clip = VoiceClip.safeParse(value);
    if (!clip.success) throw new HearbackError('invalid-input', `Line ${String(line)} of ${path} is no clip: ${clip.error.issues[0]?.path.join('.') ?? 'it'} does not fit.`, { hint: 'The same `hearback bench speak` mends it.' });
    const of = clips.get(clip.data.id);
    if (of === undefined) clips.set(clip.data.id, [clip.data]);
    else of.push(clip.data);
  }
  return clips;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Items with their speech. A clip of another text than the item has is told and left out; items that nobody spoke pass as they are. */
export async function* withVoices(items: AsyncIterable<BenchItem>, folder: string, onBad: OnBad): AsyncGenerator<BenchItem> {
  const voices = await readVoices(folder);
  for await (const item of items) {
    const audio: Partial<Record<Part, Sound>> = {};
    for (const { part, file, item_sha256: of, text: words, sha256 } of voices.get(item.id) ?? []) {
      const text = item.texts[part];
      if (text === undefined) continue;
      if (hashOf(text) === of) audio[part] = { file: join(folder, file), dry: true, words, sha256 };
      else onBad({ where: join(folder, 'manifest.jsonl'), why: `${file} says another text than ${item.id} has` });
    }
    yield Object.keys(audio).length === 0 || item.audio !== undefined ? item : { ...item, audio };
  }
}
