/**
 * A short recording as a whole, such as the audio of one transmission. (The session room writes those: it keeps them.)
 */
import type { Notice } from '../domain/stages.js';
import { NoticeList } from './decoder.js';
import { fileError } from './file-reader.js';
import { openDecoder } from './source.js';

/**
 * Reads a whole short recording at its own rate, channels averaged. For files of this program; long recordings go
 * through `openAudio`.
 *
 * @throws HearbackError as `openAudio` does.
 */
export async function readWavSamples(path: string): Promise<{ readonly samples: Float32Array; readonly rate: number; readonly notices: readonly Notice[] }> {
  const notices = new NoticeList();
  const decoder = await openDecoder(path, notices);
  const parts: Float32Array[] = [];
  let length = 0;
  try {
    for await (const block of decoder.blocks()) {
      const part = new Float32Array(block.channels[0]?.length ?? 0);
      for (const channel of block.channels) for (let i = 0; i < part.length; i++) part[i] = (part[i] ?? 0) + (channel[i] ?? 0) / block.channels.length;
      parts.push(part);
      length += part.length;
    }
  } catch (thrown) {
    throw fileError(thrown, path);
  }
  const samples = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, rate: decoder.rate, notices: notices.list };
}
