/**
 * MP3 that comes in as it is made: what most audio streams over HTTP are.
 */
import { MPEGDecoder } from 'mpg123-decoder';
import { HearbackError } from '../domain/result.js';
import type { AudioSource, Notice, PcmChunk } from '../domain/stages.js';
import { NoticeList, quote, release, throwIfStopped, withoutDecoderMessages } from './decoder.js';
import { Converter } from './source.js';

/** A stream that gives no sound in so many bytes is no MP3. */
const PATIENCE_BYTES = 256 * 1024;

/**
 * A live source of a stream of MP3 bytes; stereo is mixed down. Can be read once. What cannot be decoded is passed over and told.
 *
 * @throws HearbackError while reading: `not-audio`, `unreadable`, `cancelled`.
 */
export function openMp3Stream(bytes: AsyncIterable<Uint8Array>, name: string): AudioSource {
  const told = new NoticeList();
  return {
    name,
    channels: ['mono'],
    duration: undefined,
    get notices(): readonly Notice[] {
      return told.list;
    },
    async *chunks(signal?: AbortSignal): AsyncIterable<PcmChunk> {
      throwIfStopped(signal, name);
      const decoder = new MPEGDecoder();
      await decoder.ready;
      const outlets = (channels: number): Converter => new Converter([{ name: 'mono', weights: Array.from({ length: channels }, (_, channel) => ({ channel, weight: 1 / channels })) }]);
      let converter: Converter | undefined;
      let unheard = 0;
      try {
        for await (const piece of bytes) {
          throwIfStopped(signal, name);
          const decoded = withoutDecoderMessages(() => decoder.decode(piece));
          if (decoded.errors.length > 0 && converter !== undefined) told.add('damaged', 'warning', `${quote(name)} sent bytes that cannot be decoded; they are passed over.`, 'damaged');
          if (decoded.samplesDecoded === 0) {
            unheard += piece.length;
            if (converter === undefined && unheard > PATIENCE_BYTES) throw new HearbackError('not-audio', `${quote(name)} holds no MP3 frame that could be decoded.`, { hint: 'Open the address in a player; it may lead to a playlist or a page instead of to the stream.' });
            continue;
          }
          converter ??= outlets(decoded.channelData.length);
          yield* converter.push({ rate: decoded.sampleRate, channels: decoded.channelData });
        }
      } catch (thrown) {
        throwIfStopped(signal, name);
        if (thrown instanceof HearbackError) throw thrown;
        throw new HearbackError('unreadable', `${quote(name)} broke off: ${thrown instanceof Error ? thrown.message : String(thrown)}.`, { cause: thrown });
      } finally {
        release(decoder);
      }
      if (converter !== undefined) yield* converter.flush();
      else told.add('empty', 'warning', `${quote(name)} ended without any audio.`);
    },
  };
}
