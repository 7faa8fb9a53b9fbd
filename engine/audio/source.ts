/**
 * A recording on disk as a source of 16 kHz audio.
 */
import { HearbackError } from '../domain/result.js';
import type { AudioSource, Notice, PcmChunk } from '../domain/stages.js';
import { chooseOutlets, mixDown } from './channels.js';
import type { ChannelChoice, Outlet } from './channels.js';
import { convertHint, NoticeList, quote, spokenTime, throwIfStopped } from './decoder.js';
import type { Block, Decoder } from './decoder.js';
import { FileReader } from './file-reader.js';
import { openFlac } from './flac.js';
import { openMp3 } from './mp3.js';
import { openOgg } from './ogg.js';
import { openOther } from './other-headers.js';
import { Resampler } from './resampler.js';
import { sniff } from './sniff.js';
import { openWav } from './wav.js';

export interface OpenOptions {
  /** Default `auto`. */
  readonly channel?: ChannelChoice;
  readonly signal?: AbortSignal;
}

/** From here on a recording is worth a word about its length, seconds. */
const LONG = 24 * 3600;

/**
 * Finds out what a file is and how to decode it; nothing is decoded yet.
 *
 * @throws HearbackError `not-found`, `unreadable`, `empty`, `not-audio`, `unsupported`.
 */
export async function openDecoder(path: string, notices: NoticeList): Promise<Decoder> {
  const file = await FileReader.open(path);
  try {
    if (file.size === 0) throw new HearbackError('empty', `${quote(path)} is empty (0 bytes).`, { hint: 'The recording was never written, or the copy failed; there is nothing to recover.' });
    const found = await sniff(file);
    if (!found.readable)
      throw found.audio
        ? new HearbackError('unsupported', `${quote(path)} is ${found.label}, which is not read here.`, { hint: convertHint(path) })
        : new HearbackError('not-audio', `${quote(path)} is not a recording: it is ${found.label}.`, { hint: 'WAV, FLAC, MP3, Ogg Opus, Ogg Vorbis, AIFF, AU, CAF and SPHERE can be read. Raw samples need a header: ffmpeg -f s16le -ar 16000 -ac 1 -i FILE out.wav' });
    switch (found.kind) {
      case 'wav':
      case 'w64': {
        const content = await openWav(file, found.kind, found.start, notices);
        return content.mpeg ? await openMp3(file, content.start, content.end, notices) : content.decoder;
      }
      case 'mp3':
        return await openMp3(file, found.start, file.size, notices);
      case 'flac':
        return await openFlac(file, found.start, notices);
      case 'ogg':
        return await openOgg(file, found.start, notices);
      case 'aiff':
      case 'au':
      case 'caf':
      case 'sphere':
        return await openOther(file, found.kind, found.start, notices);
    }
  } finally {
    await file.close();
  }
}

/** Carries the channels that come out of blocks of any rate to 16 kHz, keeping each channel's position. */
export class Converter {
  #rate = 0;
  #resamplers: Resampler[] = [];
  #positions: number[];

  constructor(private readonly outlets: readonly Outlet[]) {
    this.#positions = outlets.map(() => 0);
  }

  /** Chunks that are complete after this block. */
  push(block: Block): PcmChunk[] {
    const done: PcmChunk[] = [];
    if (block.rate !== this.#rate) {
      // a stream may change its rate in the middle: what is under way is finished at the old one
      done.push(...this.flush());
      this.#rate = block.rate;
      this.#resamplers = this.outlets.map(() => new Resampler(block.rate));
    }
    for (const [i, outlet] of this.outlets.entries()) {
      const samples = this.#resamplers[i]?.process(mixDown(outlet, block.channels));
      if (samples !== undefined && samples.length > 0) done.push(this.#chunk(i, outlet, samples));
    }
    return done;
  }

  /** What is left at the end. */
  flush(): PcmChunk[] {
    const done: PcmChunk[] = [];
    for (const [i, outlet] of this.outlets.entries()) {
      const samples = this.#resamplers[i]?.flush();
      if (samples !== undefined && samples.length > 0) done.push(this.#chunk(i, outlet, samples));
    }
    this.#resamplers = [];
    this.#rate = 0;
    return done;
  }

  #chunk(index: number, outlet: Outlet, samples: Float32Array): PcmChunk {
    const startSample = this.#positions[index] ?? 0;
    this.#positions[index] = startSample + samples.length;
    return { channel: outlet.name, startSample, samples };
  }
}

class FileSource implements AudioSource {
  readonly channels: readonly string[];
  readonly duration: number | undefined;

  constructor(
    readonly name: string,
    private readonly decoder: Decoder,
    private readonly outlets: readonly Outlet[],
    private readonly told: NoticeList,
  ) {
    this.channels = outlets.map((o) => o.name);
    this.duration = decoder.seconds;
  }

  get notices(): readonly Notice[] {
    return this.told.list;
  }

  async *chunks(signal?: AbortSignal): AsyncIterable<PcmChunk> {
    throwIfStopped(signal, this.name);
    const converter = new Converter(this.outlets);
    for await (const block of this.decoder.blocks(signal)) {
      yield* converter.push(block);
      throwIfStopped(signal, this.name);
    }
    yield* converter.flush();
  }
}

/**
 * Opens a recording. Its kind is told by its content, its length counted from what is there, and faults of its container
 * are mended and told in `notices`. The file on disk is never changed. `chunks()` may be called as often as wanted; it reads
 * as fast as it is asked and holds about a second of audio.
 *
 * Channels: `auto` follows both channels of a stereo file for themselves ("left", "right") unless they carry the same sound
 * or one is silent; more than two are followed for themselves ("ch1" …); `mix` averages all; a number counts from 1.
 *
 * @param path name for people and for the file system; shown as given.
 * @throws HearbackError `not-found`, `unreadable`, `empty`, `not-audio`, `unsupported`, `usage` (no such channel), `cancelled`.
 */
export async function openAudio(path: string, options: OpenOptions = {}): Promise<AudioSource> {
  throwIfStopped(options.signal, path);
  const notices = new NoticeList();
  const decoder = await openDecoder(path, notices);
  const { seconds } = decoder;
  if (seconds !== undefined && seconds > LONG)
    notices.add('long', 'info', `${quote(path)} is ${spokenTime(seconds)} long; it is read piece by piece, but will take its time.`);
  const outlets = await chooseOutlets(decoder, path, options.channel ?? 'auto', notices, options.signal);
  return new FileSource(path, decoder, outlets, notices);
}

/**
 * All samples of a short recording with one channel (or mixed down to one), 16 kHz, −1…1. What may be long is read in chunks.
 *
 * @throws HearbackError as {@link openAudio}
 */
export async function readAudio(path: string, options: OpenOptions = {}): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for await (const { samples } of (await openAudio(path, options)).chunks()) parts.push(samples);
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
