/**
 * FLAC: frames are found and checked here (RFC 9639), decoded by libFLAC (WebAssembly).
 *
 * Every frame carries its own position and two checksums, so damage in the middle costs exactly the frames that it hit.
 */
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import type { FLACDecodedAudio } from '@wasm-audio-decoders/flac';
import { HearbackError } from '../domain/result.js';
import { damageText, MAX_GAP_SECONDS, quote, release, silence, spokenTime, throwIfStopped, withoutDecoderMessages } from './decoder.js';
import type { Block, Decoder, NoticeList } from './decoder.js';
import { ByteWindow, FileReader } from './file-reader.js';
import { checkFormat } from './pcm.js';

const CRC8 = Uint8Array.from({ length: 256 }, (_, byte) => {
  let c = byte;
  for (let k = 0; k < 8; k++) c = (c & 0x80) !== 0 ? ((c << 1) ^ 0x07) & 0xff : (c << 1) & 0xff;
  return c;
});
const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let c = byte << 8;
  for (let k = 0; k < 8; k++) c = (c & 0x8000) !== 0 ? ((c << 1) ^ 0x8005) & 0xffff : (c << 1) & 0xffff;
  return c;
});

interface StreamInfo {
  readonly maxBlock: number;
  readonly rate: number;
  readonly channels: number;
  readonly bits: number;
  /** Samples a channel; 0 when the encoder did not know. */
  readonly total: number;
}

interface FrameHeader {
  readonly variable: boolean;
  readonly block: number;
  /** Hz; 0: as in the stream info. */
  readonly rate: number;
  readonly channels: number;
  /** Frame number, or number of the first sample when `variable`. */
  readonly number: number;
  /** Bytes. */
  readonly length: number;
}

const BLOCKS = [0, 192, 576, 1152, 2304, 4608, -8, -16, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];
const RATES = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000, -1, -2, -3];
/** No header is longer. */
const MAX_HEADER = 16;

/** The frame header at `at` when its checksum is right (RFC 9639 §9.1). */
function frameHeader(b: Buffer, at: number): FrameHeader | undefined {
  const b1 = b[at + 1] ?? 0;
  const b2 = b[at + 2] ?? 0;
  const b3 = b[at + 3] ?? 0;
  if (b[at] !== 0xff || (b1 & 0xfe) !== 0xf8 || (b3 & 1) !== 0) return undefined;
  const blockCode = BLOCKS[b2 >> 4] ?? 0;
  const rateCode = RATES[b2 & 15];
  const assignment = b3 >> 4;
  const bitsCode = (b3 >> 1) & 7;
  if (blockCode === 0 || rateCode === undefined || assignment > 10 || bitsCode === 3) return undefined;
  // the number is written like a UTF-8 character of up to seven bytes
  let p = at + 4;
  const lead = b[p++] ?? 0xff;
  let number = lead;
  if (lead >= 0x80) {
    const extra = Math.clz32(~(lead << 24)) - 1;
    if (extra < 1 || extra > 6) return undefined;
    number = extra === 6 ? 0 : lead & (0x3f >> extra);
    for (let i = 0; i < extra; i++) {
      const c = b[p++] ?? 0;
      if ((c & 0xc0) !== 0x80) return undefined;
      number = number * 64 + (c & 0x3f);
    }
  }
  let block = blockCode;
  if (blockCode === -8) block = (b[p++] ?? 0) + 1;
  else if (blockCode === -16) {
    block = (((b[p] ?? 0) << 8) | (b[p + 1] ?? 0)) + 1;
    p += 2;
  }
  let rate = rateCode;
  if (rateCode === -1) rate = (b[p++] ?? 0) * 1000;
  else if (rateCode < -1) {
    rate = (((b[p] ?? 0) << 8) | (b[p + 1] ?? 0)) * (rateCode === -3 ? 10 : 1);
    p += 2;
  }
  if (p >= b.length) return undefined;
  let crc = 0;
  for (let i = at; i < p; i++) crc = CRC8[crc ^ (b[i] ?? 0)] ?? 0;
  if (crc !== b[p]) return undefined;
  return { variable: (b1 & 1) === 1, block, rate, channels: assignment < 8 ? assignment + 1 : 2, number, length: p + 1 - at };
}

interface Frame {
  readonly header: FrameHeader;
  readonly bytes: Buffer;
  /** Bytes before it could not be understood. */
  readonly afterDamage: boolean;
}

/** Cuts a byte range into the frames whose checksums are right. */
class Framer {
  readonly #window: ByteWindow;
  readonly #limit: number;
  #damaged = false;
  /** The file ends inside a frame. */
  cut = false;

  constructor(
    file: FileReader,
    start: number,
    private readonly info: StreamInfo,
  ) {
    this.#window = new ByteWindow(file, start, file.size);
    // no frame is longer than its samples uncompressed and a little over
    this.#limit = Math.ceil((info.maxBlock * info.channels * (info.bits + 1)) / 8) + 1024;
  }

  /** The next frame; undefined at the end. `bytes` is valid until the next call. */
  async next(): Promise<Frame | undefined> {
    const w = this.#window;
    for (;;) {
      while (w.bytes.length < this.#limit + MAX_HEADER && (await w.more()));
      const b = w.bytes;
      if (b.length === 0) return undefined;
      const header = this.#plausible(b, 0);
      if (header === undefined) {
        const tag = b.length < 8 ? 0 : trailingTag(b, 0);
        if (tag > 0) {
          w.consume(tag);
          continue;
        }
        this.#damaged = true;
        w.consume(this.#nextHeader(b, 1) ?? Math.max(1, w.exhausted ? b.length : b.length - MAX_HEADER));
        continue;
      }
      const end = this.#frameEnd(b, header);
      if (end !== undefined) {
        const frame = { header, bytes: b.subarray(0, end), afterDamage: this.#damaged };
        this.#damaged = false;
        w.consume(end);
        return frame;
      }
      const next = this.#nextHeader(b.subarray(0, this.#limit + MAX_HEADER), header.length);
      if (next === undefined && w.exhausted && b.length <= this.#limit) {
        this.cut = true;
        w.consume(b.length);
        return undefined;
      }
      this.#damaged = true;
      w.consume(next ?? header.length);
    }
  }

  /** Length of the frame at the beginning: its checksum is right there, and a frame, a tag or nothing follows. */
  #frameEnd(b: Buffer, header: FrameHeader): number | undefined {
    const end = Math.min(b.length, this.#limit + MAX_HEADER);
    let crc = 0;
    for (let i = 0; i < end; i++) {
      const byte = b[i] ?? 0;
      if (crc === 0 && i > header.length && (byte === 0xff ? this.#plausible(b, i) !== undefined : trailingTag(b, i) > 0)) return i;
      crc = ((crc << 8) ^ (CRC16[(crc >> 8) ^ byte] ?? 0)) & 0xffff;
    }
    return crc === 0 && end === b.length && this.#window.exhausted ? end : undefined;
  }

  #nextHeader(b: Buffer, from: number): number | undefined {
    for (let i = b.indexOf(0xff, from); i >= 0; i = b.indexOf(0xff, i + 1)) if (this.#plausible(b, i) !== undefined) return i;
    return undefined;
  }

  #plausible(b: Buffer, at: number): FrameHeader | undefined {
    const h = frameHeader(b, at);
    if (h === undefined || h.channels !== this.info.channels || h.block > this.info.maxBlock) return undefined;
    return h.rate === 0 || h.rate === this.info.rate ? h : undefined;
  }
}

/** Tags that other programs hang behind the audio. */
function trailingTag(b: Buffer, at: number): number {
  const first = b[at];
  if (first !== 0x54 && first !== 0x41 && first !== 0x49) return 0;
  const text = b.toString('latin1', at, at + 8);
  return text.startsWith('TAG') || text === 'APETAGEX' || text.startsWith('ID3') ? b.length - at : 0;
}

/** Position of a frame's first sample in the stream. */
const positionOf = (h: FrameHeader, info: StreamInfo): number => (h.variable ? h.number : h.number * info.maxBlock);

/** Reads the metadata blocks; `audio` is where the first frame should be. */
async function readMetadata(file: FileReader, start: number): Promise<{ info: StreamInfo | undefined; audio: number }> {
  let info: StreamInfo | undefined;
  let at = start + 4;
  for (;;) {
    const head = await file.read(at, 4 + 34);
    if (head.length < 4) return { info, audio: file.size };
    const type = (head[0] ?? 0) & 0x7f;
    // frames begin with bits that no block type has: the metadata is damaged or was cut out
    if (type === 127) return { info, audio: at };
    const length = head.readUIntBE(1, 3);
    if (type === 0 && head.length >= 4 + 18) {
      const b = head.subarray(4);
      const bits = b.readBigUInt64BE(10);
      info = {
        maxBlock: b.readUInt16BE(2),
        rate: Number(bits >> 44n),
        channels: Number((bits >> 41n) & 7n) + 1,
        bits: Number((bits >> 36n) & 31n) + 1,
        total: Number(bits & 0xf_ffff_ffffn),
      };
    }
    at += 4 + length;
    if (((head[0] ?? 0) & 0x80) !== 0) return { info, audio: Math.min(at, file.size) };
  }
}

class FlacDecoder implements Decoder {
  readonly kind = 'FLAC';
  readonly rate: number;
  readonly channelCount: number;

  constructor(
    private readonly path: string,
    private readonly audio: number,
    private readonly info: StreamInfo,
    readonly seconds: number | undefined,
    private readonly notices: NoticeList,
  ) {
    this.rate = info.rate;
    this.channelCount = info.channels;
  }

  async *blocks(signal?: AbortSignal): AsyncGenerator<Block, void, undefined> {
    const { rate, channels } = this.info;
    const file = await FileReader.open(this.path);
    let decoder = new FLACDecoder();
    const damage = (at: number): void => {
      this.notices.add('damaged', 'warning', damageText(this.path, at / rate), 'damaged');
    };
    try {
      await decoder.ready;
      const framer = new Framer(file, this.audio, this.info);
      /** Samples given so far, and what a frame's own position has to be lowered by to be on the same scale. */
      let given = 0;
      let base: number | undefined;
      for (let frame = await framer.next(); frame !== undefined; frame = await framer.next()) {
        throwIfStopped(signal, this.path);
        const { header } = frame;
        const position = positionOf(header, this.info);
        base ??= frame.afterDamage ? 0 : position;
        let gap = position - base - given;
        if (gap < 0 || gap > MAX_GAP_SECONDS * rate) {
          // another stream was appended, or the number is not to be believed: go on from here
          base = position - given;
          gap = 0;
        }
        if (frame.afterDamage || gap > 0) damage(given);
        for (const block of silence(gap, rate, channels)) yield block;
        given += gap;
        const bytes = frame.bytes;
        const current = decoder;
        let decoded: FLACDecodedAudio | undefined;
        try {
          decoded = await withoutDecoderMessages(() => current.decodeFrames([bytes]));
        } catch {
          // the decoder itself broke on it: go on with a fresh one
          release(decoder);
          decoder = new FLACDecoder();
          await decoder.ready;
        }
        const whole = decoded?.errors.length === 0 && decoded.samplesDecoded === header.block && decoded.channelData.length === channels;
        if (decoded !== undefined && whole) yield { rate, channels: decoded.channelData };
        else {
          damage(given);
          for (const block of silence(header.block, rate, channels)) yield block;
        }
        given += header.block;
      }
      if (this.info.total > 0) tellCut(this.notices, this.path, this.info, given);
      else if (framer.cut) this.notices.add('truncated', 'info', `${quote(this.path)} ends in the middle of a frame; less than ${spokenTime(this.info.maxBlock / rate)} are lost.`);
    } finally {
      release(decoder);
      await file.close();
    }
  }
}

function tellCut(notices: NoticeList, name: string, info: StreamInfo, samples: number): void {
  if (info.total > samples)
    notices.add('truncated', 'warning', `${quote(name)} is cut off: its header promises ${spokenTime(info.total / info.rate)}, ${spokenTime(samples / info.rate)} are there and are used.`, 'truncated');
}

/**
 * Opens a native FLAC stream that begins at `start`.
 *
 * @throws HearbackError `empty`, `not-audio` (no frame, no stream info).
 */
export async function openFlac(file: FileReader, start: number, notices: NoticeList): Promise<Decoder> {
  const name = file.name;
  const { info, audio } = await readMetadata(file, start);
  if (info === undefined || info.rate === 0 || info.maxBlock === 0)
    throw new HearbackError('not-audio', `${quote(name)} begins like FLAC, but its stream description is missing or damaged.`, { hint: 'Fetch or export it again.' });
  if (audio >= file.size) throw new HearbackError('empty', `${quote(name)} is a FLAC header without any audio behind it.`, { hint: 'It is cut off right after its beginning; fetch or export it again.' });
  checkFormat(name, info);
  const first = await new Framer(file, audio, info).next();
  if (first === undefined) throw new HearbackError('not-audio', `${quote(name)} is a FLAC file in which no frame is whole.`, { hint: 'It is damaged throughout; fetch or export it again.' });
  const base = first.afterDamage ? 0 : positionOf(first.header, info);
  // the length follows from the last whole frame, which carries its position
  const tail = new Framer(file, Math.max(audio, file.size - 4 * 1024 * 1024), info);
  let end: number | undefined;
  for (let frame = await tail.next(); frame !== undefined; frame = await tail.next()) end = positionOf(frame.header, info) + frame.header.block;
  const samples = end === undefined || end <= base ? undefined : end - base;
  if (samples !== undefined) tellCut(notices, name, info, samples);
  return new FlacDecoder(name, audio, info, samples === undefined ? undefined : samples / info.rate, notices);
}
