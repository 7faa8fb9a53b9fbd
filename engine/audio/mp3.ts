/**
 * MPEG audio (MP3, MP2): frames are found here, decoded by mpg123 (WebAssembly).
 *
 * Framing is done here because it is what gives a true length without an index header (variable bit rate), and what keeps
 * the time line whole when bytes in the middle are damaged.
 */
import { MPEGDecoder } from 'mpg123-decoder';
import type { MPEGDecodedAudio } from 'mpg123-decoder';
import { HearbackError } from '../domain/result.js';
import { damageText, MAX_GAP_SECONDS, quote, release, silence, spokenTime, throwIfStopped, withoutDecoderMessages } from './decoder.js';
import type { Block, Decoder, NoticeList } from './decoder.js';
import { ByteWindow, FileReader } from './file-reader.js';
import { mpegHeader, sameStream } from './mpeg-header.js';
import type { MpegHeader } from './mpeg-header.js';
import { id3Size } from './sniff.js';

interface Frame {
  readonly header: MpegHeader;
  readonly bytes: Uint8Array;
  /** Foreign bytes between the frame before and this one (tags are not counted). */
  readonly skipped: number;
}

/** Delay of an MP3 decoder, samples (LAME's convention for the numbers in its tag). */
const DECODER_DELAY = 529;

/** Cuts a byte range into frames. */
class Framer {
  readonly #window: ByteWindow;
  #last: MpegHeader | undefined;
  #skipped = 0;
  /** Bytes of a frame that the end of the file cuts off. */
  cut = 0;

  constructor(file: FileReader, start: number, end: number) {
    this.#window = new ByteWindow(file, start, end);
  }

  /** The frames in the next piece of the file; undefined at the end. Views: valid until the next call. */
  async next(): Promise<readonly Frame[] | undefined> {
    for (;;) {
      if (!(await this.#window.more()) && this.#window.bytes.length < 4) return undefined;
      const frames: Frame[] = [];
      const bytes = this.#window.bytes;
      const atEnd = this.#window.exhausted;
      let at = 0;
      while (at + 4 <= bytes.length) {
        const header = mpegHeader(bytes, at);
        const verdict = header === undefined ? 'no' : this.#judge(bytes, at, header, atEnd);
        if (verdict === 'wait') break;
        if (verdict === 'cut') {
          this.cut = bytes.length - at;
          at = bytes.length;
          break;
        }
        if (header !== undefined && verdict === 'yes') {
          frames.push({ header, bytes: bytes.subarray(at, at + header.length), skipped: this.#skipped });
          this.#skipped = 0;
          this.#last = header;
          at += header.length;
          continue;
        }
        const tag = tagSize(bytes, at);
        if (tag === 'wait' && !atEnd) break;
        if (typeof tag === 'number' && tag > 0) {
          at += tag; // may lie beyond what is loaded
          continue;
        }
        at++;
        this.#skipped++;
      }
      if (atEnd && at < bytes.length) at = bytes.length;
      this.#window.consume(at);
      if (frames.length > 0) return frames;
      if (atEnd) return undefined;
    }
  }

  /** Is there really a frame? One is believed when the next one follows, or, for a known stream, at the end of the file. */
  #judge(bytes: Buffer, at: number, header: MpegHeader, atEnd: boolean): 'yes' | 'no' | 'wait' | 'cut' {
    const end = at + header.length;
    const known = this.#last !== undefined && sameStream(header, this.#last);
    if (end + 4 > bytes.length) {
      if (!atEnd) return 'wait';
      if (end > bytes.length) return known ? 'cut' : 'no';
      return known || this.#last === undefined ? 'yes' : 'no';
    }
    const following = mpegHeader(bytes, end);
    if (following !== undefined && sameStream(following, header)) return 'yes';
    // a last frame before a tag or damage: only in the stream and in step with it
    return known && this.#skipped === 0 ? 'yes' : 'no';
  }
}

/** Size of an ID3v1, ID3v2, APE or Lyrics3 tag at this place; 0 when there is none. */
function tagSize(bytes: Buffer, at: number): number | 'wait' {
  const first = bytes[at];
  if (first !== 0x49 && first !== 0x54 && first !== 0x41 && first !== 0x4c) return 0;
  if (at + 32 > bytes.length) return 'wait';
  const text = bytes.toString('latin1', at, at + 11);
  if (text.startsWith('ID3')) return id3Size(bytes, at);
  if (text.startsWith('TAG')) return 128;
  if (text.startsWith('APETAGEX')) return 32 + bytes.readUInt32LE(at + 12);
  if (text === 'LYRICSBEGIN') {
    const end = bytes.indexOf('LYRICS', at + 11, 'latin1');
    return end < 0 ? 0 : end + 9 - at;
  }
  return 0;
}

interface Info {
  /** The frame holds an index, not sound. */
  readonly index: boolean;
  /** Samples to drop at the beginning and at the end, when the encoder has written them down. */
  readonly head: number;
  readonly tail: number;
  /** Frames that the index promises. */
  readonly frames: number | undefined;
}

/** Reads a Xing, Info or VBRI index frame, and LAME's delay and padding in it. */
function readInfo(frame: Frame): Info {
  const none: Info = { index: false, head: 0, tail: 0, frames: undefined };
  if (frame.header.layer !== 3) return none;
  const b = Buffer.from(frame.bytes.buffer, frame.bytes.byteOffset, frame.bytes.length);
  const text = (at: number, n: number): string => b.toString('latin1', at, at + n);
  if (text(36, 4) === 'VBRI') return { ...none, index: true, frames: b.length >= 54 ? b.readUInt32BE(50) : undefined };
  // some writers forget the checksum's two bytes when they place the tag
  const at = [frame.header.sideEnd, frame.header.sideEnd - 2].find((p) => p > 0 && /^(Xing|Info)$/.test(text(p, 4)));
  if (at === undefined || at + 8 > b.length) return none;
  const flags = b.readUInt32BE(at + 4);
  let p = at + 8;
  let frames: number | undefined;
  if ((flags & 1) !== 0 && p + 4 <= b.length) {
    frames = b.readUInt32BE(p);
    p += 4;
  }
  if ((flags & 2) !== 0) p += 4;
  if ((flags & 4) !== 0) p += 100;
  if ((flags & 8) !== 0) p += 4;
  if (p + 24 <= b.length) {
    const delays = b.readUIntBE(p + 21, 3);
    const delay = delays >> 12;
    const padding = delays & 0xfff;
    if (delays !== 0) return { index: true, head: delay + DECODER_DELAY, tail: Math.max(0, padding - DECODER_DELAY), frames };
  }
  return { ...none, index: true, frames };
}

interface Survey {
  readonly rate: number;
  readonly channels: 1 | 2;
  /** Samples a channel that are to come out. */
  readonly samples: number;
  readonly info: Info;
  /** Mean bytes of a frame, for telling how much sound a damaged stretch held. */
  readonly meanLength: number;
  readonly seconds: number;
}

/** What a gap of foreign bytes stood for, in samples: as many whole frames as would have fitted. */
const gapSamples = (skipped: number, meanLength: number, header: MpegHeader): number =>
  Math.min(Math.round(skipped / meanLength) * header.samples, MAX_GAP_SECONDS * header.rate);

const NO_SAMPLES = new Float32Array(0);

function exactly(samples: Float32Array, length: number): Float32Array {
  if (samples.length === length) return samples;
  const out = new Float32Array(length);
  out.set(samples.subarray(0, length));
  return out;
}

class Mp3Decoder implements Decoder {
  readonly kind: string;
  readonly rate: number;
  readonly channelCount: number;
  readonly seconds: number;

  constructor(
    private readonly path: string,
    private readonly start: number,
    private readonly end: number,
    private readonly survey: Survey,
    layer: number,
    private readonly notices: NoticeList,
  ) {
    this.kind = layer === 3 ? 'MP3' : `MPEG audio layer ${layer}`;
    this.rate = survey.rate;
    this.channelCount = survey.channels;
    this.seconds = survey.seconds;
  }

  async *blocks(signal?: AbortSignal): AsyncGenerator<Block, void, undefined> {
    const { info, meanLength, channels } = this.survey;
    const file = await FileReader.open(this.path);
    let decoder = new MPEGDecoder({ enableGapless: false });
    try {
      await decoder.ready;
      const framer = new Framer(file, this.start, this.end);
      let first = true;
      let drop = info.head;
      let left = this.survey.samples;
      let seconds = 0;
      const cut = (block: Block): Block => {
        const length = block.channels[0]?.length ?? 0;
        const from = Math.min(drop, length);
        drop -= from;
        const to = Math.min(length, from + left);
        left -= to - from;
        return from === 0 && to === length ? block : { rate: block.rate, channels: block.channels.map((c) => c.subarray(from, to)) };
      };
      for (let frames = await framer.next(); frames !== undefined; frames = await framer.next()) {
        throwIfStopped(signal, this.path);
        for (const frame of frames) {
          const { header } = frame;
          if (first && info.index) {
            first = false;
            continue;
          }
          if (frame.skipped > 0 && !first) {
            const lost = gapSamples(frame.skipped, meanLength, header);
            this.#tellDamage(seconds);
            for (const gap of silence(lost, header.rate, channels)) yield cut(gap);
            seconds += lost / header.rate;
          }
          first = false;
          const current = decoder;
          let decoded: MPEGDecodedAudio | undefined;
          try {
            decoded = withoutDecoderMessages(() => current.decode(frame.bytes));
          } catch {
            // the decoder itself broke on it: go on with a fresh one
            release(decoder);
            decoder = new MPEGDecoder({ enableGapless: false });
            await decoder.ready;
          }
          if (decoded === undefined || decoded.errors.length > 0) this.#tellDamage(seconds);
          seconds += header.samples / header.rate;
          // mpg123 always gives two channels; a frame that cannot be decoded (often the one behind a gap, whose
          // beginning lay in it) becomes silence of its length
          const [one, two] = [0, 1].map((c) => exactly(decoded?.channelData[c] ?? NO_SAMPLES, header.samples));
          if (one === undefined || two === undefined) continue;
          yield cut({ rate: header.rate, channels: channels === 1 ? [one] : header.channels === 1 ? [one, one] : [one, two] });
        }
      }
    } finally {
      release(decoder);
      await file.close();
    }
  }

  #tellDamage(seconds: number): void {
    this.notices.add('damaged', 'warning', damageText(this.path, seconds), 'damaged');
  }
}

/**
 * Opens the MPEG audio in a byte range.
 *
 * @throws HearbackError `not-audio` when no frame can be found.
 */
export async function openMp3(file: FileReader, start: number, end: number, notices: NoticeList): Promise<Decoder> {
  const framer = new Framer(file, start, end);
  let firstFrame: MpegHeader | undefined;
  let info: Info = { index: false, head: 0, tail: 0, frames: undefined };
  let count = 0;
  let bytes = 0;
  let samples = 0;
  let seconds = 0;
  let channels: 1 | 2 = 1;
  let oneRate = true;
  const gaps: { skipped: number; at: number; header: MpegHeader }[] = [];
  for (let frames = await framer.next(); frames !== undefined; frames = await framer.next()) {
    for (const frame of frames) {
      if (firstFrame === undefined) {
        firstFrame = frame.header;
        info = readInfo(frame);
        if (info.index) continue;
      } else if (frame.skipped > 0) {
        gaps.push({ skipped: frame.skipped, at: seconds, header: frame.header });
      }
      count++;
      bytes += frame.bytes.length;
      samples += frame.header.samples;
      seconds += frame.header.samples / frame.header.rate;
      if (frame.header.channels === 2) channels = 2;
      if (frame.header.rate !== firstFrame.rate) oneRate = false;
    }
  }
  if (firstFrame === undefined) throw new HearbackError('not-audio', `${quote(file.name)} holds no MP3 frame that could be decoded.`, { hint: 'It is damaged throughout; fetch or export it again.' });
  if (count === 0) throw new HearbackError('empty', `${quote(file.name)} is an MP3 header without any audio behind it.`, { hint: 'It is cut off right after its beginning; fetch or export it again.' });
  const meanLength = bytes / count;
  for (const gap of gaps) {
    const lost = gapSamples(gap.skipped, meanLength, gap.header);
    samples += lost;
    seconds += lost / gap.header.rate;
  }
  const [gap] = gaps;
  if (gap !== undefined) notices.add('damaged', 'warning', damageText(file.name, gap.at), 'damaged');
  const frameSeconds = firstFrame.samples / firstFrame.rate;
  if (info.frames !== undefined && info.frames * frameSeconds - seconds > 1)
    notices.add('truncated', 'warning', `${quote(file.name)} is cut off: its header promises ${spokenTime(info.frames * frameSeconds)}, ${spokenTime(seconds)} are there and are used.`);
  else if (framer.cut > 0) notices.add('truncated', 'info', `${quote(file.name)} ends in the middle of a frame; at most ${Math.ceil(frameSeconds * 1000)} ms are lost.`);
  const trimmed = Math.min(samples, info.head + info.tail);
  samples -= trimmed;
  // for one rate throughout, counted in samples: a sum of fractions would drift
  seconds = oneRate ? samples / firstFrame.rate : seconds - trimmed / firstFrame.rate;
  if (samples === 0) throw new HearbackError('empty', `${quote(file.name)} is a complete MP3 file of zero length: it holds no audio.`, { hint: 'Record it again; there is nothing to recover.' });
  return new Mp3Decoder(file.name, start, end, { rate: firstFrame.rate, channels, samples, info, meanLength, seconds }, firstFrame.layer, notices);
}
