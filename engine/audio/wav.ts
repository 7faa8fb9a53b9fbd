/**
 * WAV headers as they are found in the field: RIFF, RIFX, RF64/BW64 and Sony Wave64, with every fault that a crashed,
 * streaming or careless writer leaves behind. Sizes in headers are hints; what is on disk decides. The file is never changed.
 */
import { HearbackError } from '../domain/result.js';
import { convertHint, quote, spokenTime } from './decoder.js';
import type { Decoder, NoticeList } from './decoder.js';
import type { FileReader } from './file-reader.js';
import { checkFormat, PcmDecoder } from './pcm.js';
import type { Encoding, PcmFormat } from './pcm.js';

/** Names of the compressed formats that WAV files carry in practice (mmreg.h). */
const CODEC_NAMES: Readonly<Record<number, string>> = {
  0x0002: 'Microsoft ADPCM',
  0x0005: 'IBM CVSD',
  0x0010: 'OKI ADPCM',
  0x0011: 'IMA ADPCM',
  0x0014: 'G.723 ADPCM',
  0x0017: 'Dialogic OKI ADPCM',
  0x0022: 'TrueSpeech',
  0x0031: 'GSM 6.10',
  0x0040: 'G.721 ADPCM',
  0x0045: 'G.726 ADPCM',
  0x0064: 'G.726 ADPCM',
  0x0065: 'G.722',
  0x0083: 'G.729',
  0x00ff: 'AAC',
  0x0160: 'Windows Media Audio 1',
  0x0161: 'Windows Media Audio 2',
  0x0162: 'Windows Media Audio Pro',
  0x1610: 'AAC',
  0x2000: 'Dolby AC-3',
  0x2001: 'DTS',
  0x566f: 'Vorbis',
  0xf1ac: 'FLAC',
};

interface Fmt {
  readonly tag: number;
  readonly channels: number;
  readonly rate: number;
  readonly byteRate: number;
  readonly blockAlign: number;
  readonly bits: number;
}

/** What a header says and where the audio is. `mpeg`: the data chunk is an MP3 stream. */
export type WavContent = { readonly mpeg: false; readonly decoder: Decoder } | { readonly mpeg: true; readonly start: number; readonly end: number };

const KNOWN_CHUNKS = new Set([
  'fmt ', 'data', 'LIST', 'fact', 'bext', 'JUNK', 'junk', 'PAD ', 'FLLR', 'cue ', 'smpl', 'inst', 'iXML', '_PMX', 'id3 ', 'ID3 ', 'PEAK', 'cart',
  'levl', 'plst', 'labl', 'note', 'ltxt', 'wavl', 'slnt', 'DISP', 'auxi', 'acid', 'strc', 'umid', 'minf', 'elm1', 'regn', 'ovwf', 'axml', 'chna', 'aXML', 'ds64', 'afsp', 'qlty',
]); // prettier-ignore

/** First size value that no recorder means: placeholders are all ones, the largest signed number, or two thousand million. */
const PLACEHOLDER = 1_900_000_000;

const isChunkId = (id: string): boolean => /^[\x20-\x7e]{4}$/.test(id);

class Endian {
  constructor(private readonly big: boolean) {}
  u16(b: Buffer, at: number): number {
    return this.big ? b.readUInt16BE(at) : b.readUInt16LE(at);
  }
  u32(b: Buffer, at: number): number {
    return this.big ? b.readUInt32BE(at) : b.readUInt32LE(at);
  }
  u64(b: Buffer, at: number): number {
    return Number(this.big ? b.readBigUInt64BE(at) : b.readBigUInt64LE(at));
  }
}

function parseFmt(b: Buffer, endian: Endian): Fmt | undefined {
  if (b.length < 14) return undefined;
  let tag = endian.u16(b, 0);
  // WAVE_FORMAT_EXTENSIBLE: the true tag is the beginning of the sub-format's GUID
  if (tag === 0xfffe && b.length >= 26) tag = endian.u16(b, 24);
  return { tag, channels: endian.u16(b, 2), rate: endian.u32(b, 4), byteRate: endian.u32(b, 8), blockAlign: endian.u16(b, 12), bits: b.length >= 16 ? endian.u16(b, 14) : 0 };
}

const FORMAT_BEHIND = 'has its format behind the audio';

interface Found {
  fmt: Fmt | undefined;
  /** Start of the audio and the size that the header gives it. */
  data: { readonly start: number; readonly size: number } | undefined;
  /** Faults of the header in the order in which they were met: ends of the sentence "The header …". */
  readonly faults: string[];
}

/** Walks the chunks of a RIFF file until format and data are known. */
async function walkRiff(file: FileReader, endian: Endian, start: number): Promise<Found> {
  const found: Found = { fmt: undefined, data: undefined, faults: [] };
  let size64: number | undefined;
  let at = start + 12;
  while (at + 8 <= file.size) {
    const head = await file.read(at, 10);
    const id = head.toString('latin1', 0, 4);
    if (!isChunkId(id)) {
      if (found.data !== undefined) break;
      const data = await findData(file, at);
      if (data !== undefined) {
        found.faults.push('has damaged chunks before the audio');
        at = data;
        continue;
      }
      if (found.fmt !== undefined && file.size - at > 8) {
        found.faults.push('has lost the mark where the audio begins');
        found.data = { start: at + 8, size: file.size - at - 8 };
      }
      break;
    }
    const size = endian.u32(head, 4);
    const body = at + 8;
    if (id === 'data') {
      // a second data chunk is not audio of the same take: the first counts
      found.data ??= { start: body, size: size === 0xffffffff && size64 !== undefined && size64 > 0 ? size64 : size };
      if (found.fmt !== undefined) break;
    } else if (id === 'fmt ') {
      found.fmt ??= parseFmt(await file.read(body, Math.min(size, 64)), endian);
      if (found.data !== undefined) {
        found.faults.push(FORMAT_BEHIND);
        break;
      }
    } else if (id === 'ds64' && size >= 16) {
      const ds64 = await file.read(body, 16);
      if (ds64.length === 16) size64 = endian.u64(ds64, 8);
    }
    let next = body + size;
    if (next > file.size && found.data === undefined) {
      const data = await findData(file, body);
      if (data === undefined) break;
      found.faults.push(`gives the chunk ${quote(id)} more bytes than the file has`);
      next = data;
    } else if (size % 2 === 1) {
      // chunks are padded to even sizes; some writers forget it
      const peek = (await file.read(next, 5)).toString('latin1');
      const unpadded = peek.slice(0, 4);
      if (KNOWN_CHUNKS.has(unpadded) && !KNOWN_CHUNKS.has(peek.slice(1, 5))) found.faults.push('leaves out a padding byte');
      else next += 1;
    }
    at = next;
  }
  if (found.fmt === undefined && found.data !== undefined) {
    // the size of a data chunk may be false; a format chunk behind the audio can still be found near the end
    const from = Math.max(start, file.size - 65_536);
    const tail = await file.read(from, 65_536);
    const index = tail.lastIndexOf('fmt ', undefined, 'latin1');
    if (index >= 0) {
      found.fmt = parseFmt(tail.subarray(index + 8, index + 72), endian);
      found.faults.push(FORMAT_BEHIND);
      if (from + index > found.data.start) found.data = { start: found.data.start, size: Math.min(found.data.size || Infinity, from + index - found.data.start) };
    }
  }
  return found;
}

/** Position of a chunk "data" within the next megabyte, for headers whose chunk sizes lead nowhere. */
async function findData(file: FileReader, from: number): Promise<number | undefined> {
  const index = (await file.read(from, 1 << 20)).indexOf('data', undefined, 'latin1');
  return index < 0 ? undefined : from + index;
}

/** Sony Wave64: sixteen-byte ids whose first four letters are RIFF's, sizes of 64 bits that count their own header, padding to eight bytes. */
async function walkW64(file: FileReader, start: number): Promise<Found> {
  const found: Found = { fmt: undefined, data: undefined, faults: [] };
  const endian = new Endian(false);
  let at = start + 40;
  while (at + 24 <= file.size) {
    const head = await file.read(at, 24);
    const id = head.toString('latin1', 0, 4);
    const size = endian.u64(head, 16) - 24;
    if (id === 'data') {
      found.data = { start: at + 24, size };
      if (found.fmt !== undefined) break;
    } else if (id === 'fmt ') {
      found.fmt = parseFmt(await file.read(at + 24, Math.min(size, 64)), endian);
    }
    if (!(size >= 0)) break;
    at += 24 + Math.ceil(size / 8) * 8;
  }
  return found;
}

/** From the format chunk to the layout of a sample, mending what can be told from the other fields. */
function layout(name: string, fmt: Fmt, bigEndian: boolean, faults: string[]): PcmFormat {
  const { tag } = fmt;
  if (tag !== 1 && tag !== 3 && tag !== 6 && tag !== 7) {
    const codec = CODEC_NAMES[tag] ?? `a compressed format (number 0x${tag.toString(16).padStart(4, '0')})`;
    throw new HearbackError('unsupported', `${quote(name)} is a WAV file that carries ${codec}, which is not read here.`, { hint: convertHint(name) });
  }
  let { channels, rate, bits } = fmt;
  if (channels === 0 && fmt.blockAlign > 0) {
    channels = Math.max(1, Math.floor(fmt.blockAlign / Math.max(1, Math.ceil(bits / 8))));
    faults.push(`gives no channels (${channels} follow from the other fields)`);
  }
  if (tag === 6 || tag === 7) bits = 8;
  else if (bits === 0 && channels > 0) bits = (8 * fmt.blockAlign) / channels;
  if (rate === 0 && fmt.blockAlign > 0 && fmt.byteRate > 0) {
    rate = Math.round(fmt.byteRate / fmt.blockAlign);
    faults.push(`gives no sample rate (${rate} Hz follows from the other fields)`);
  }
  checkFormat(name, { rate, channels });

  // narrower samples are left-justified in their container, so the container's own width is what is read
  const widths: Readonly<Record<number, Encoding | undefined>> =
    tag === 6 ? { 1: 'alaw' } : tag === 7 ? { 1: 'ulaw' } : tag === 3 ? { 4: 'f32', 8: 'f64' } : { 1: 'u8', 2: 's16', 3: 's24', 4: 's32' };
  const needed = Math.ceil(bits / 8);
  let container = fmt.blockAlign / channels;
  if (container < needed || widths[container] === undefined) {
    if (fmt.blockAlign !== 0) faults.push(`contradicts itself about the size of a sample (${bits} bits are taken as true)`);
    container = needed;
  }
  const encoding = widths[container];
  if (encoding === undefined || bits < 1)
    throw new HearbackError('unsupported', `${quote(name)} holds ${tag === 3 ? 'floating-point' : 'whole-number'} samples of ${bits} bits, which is not read here.`, { hint: convertHint(name) });
  return { encoding, bigEndian, channels, rate, container };
}

/**
 * Reads the header of a WAV file that begins at `start`.
 *
 * @throws HearbackError `empty` (no audio in it), `not-audio` (no format), `unsupported` (compressed or absurd).
 */
export async function openWav(file: FileReader, kind: 'wav' | 'w64', start: number, notices: NoticeList): Promise<WavContent> {
  const name = file.name;
  const riff = (await file.read(start, 12)).toString('latin1');
  const bigEndian = riff.startsWith('RIFX');
  const endian = new Endian(bigEndian);
  const found = kind === 'w64' ? await walkW64(file, start) : await walkRiff(file, endian, start);
  const { fmt, data, faults } = found;
  if (fmt === undefined) {
    const headerOnly = file.size - start <= 44;
    throw headerOnly
      ? new HearbackError('empty', `${quote(name)} is only the beginning of a WAV header (${file.size} bytes) and holds no audio.`, { hint: 'The recorder stopped before it wrote anything; there is nothing to recover.' })
      : new HearbackError('not-audio', `${quote(name)} is a WAV file without a format description, so its samples cannot be told.`, {
          hint: 'If you know the format, rebuild it, for example: ffmpeg -f s16le -ar 16000 -ac 1 -i FILE rebuilt.wav',
        });
  }
  if (data === undefined || data.start >= file.size) {
    throw new HearbackError('empty', `${quote(name)} is a WAV header without any audio behind it.`, { hint: 'The recorder stopped before it wrote sound; there is nothing to recover.' });
  }
  if (fmt.tag === 0x0050 || fmt.tag === 0x0055) return { mpeg: true, start: data.start, end: file.size };

  const format = layout(name, fmt, bigEndian, faults);
  const frameBytes = format.container * format.channels;
  const there = file.size - data.start;
  let bytes = Math.min(data.size, there);
  const seconds = (n: number): string => spokenTime(Math.floor(n / frameBytes) / format.rate);
  let cut = false;
  if (data.size > there) {
    if (data.size >= PLACEHOLDER) faults.push(`gives the audio a size that was never filled in (${data.size} bytes)`);
    else cut = true;
  } else if (data.size < there) {
    const rest = there - data.size;
    const follows = await whatFollows(file, data.start + data.size);
    if (data.size === 0) {
      if (follows === 'chunks') bytes = 0;
      else {
        bytes = there;
        faults.push('gives the audio a size of 0');
      }
    } else if (rest > 0xffff_0000 - 0xffff && kind === 'wav' && follows !== 'chunks') {
      bytes = there;
      faults.push('counts the audio in 32 bits, too few for its size');
    } else if (follows === 'samples' && rest >= format.rate * frameBytes) {
      bytes = there;
      faults.push(`counts only ${seconds(data.size)} of the audio`);
    }
  }
  const frames = Math.floor(bytes / frameBytes);
  if (frames === 0) {
    throw new HearbackError('empty', `${quote(name)} is a complete WAV file of zero length: it holds no audio.`, { hint: 'Record it again; there is nothing to recover.' });
  }
  if (faults.length === 0 && kind === 'wav') {
    const claimed = endian.u32(await file.read(start + 4, 4), 0) + 8 + start;
    // a missing last padding byte is not worth a word, and RF64 fills this field with ones on purpose
    if (claimed === 8 + start) faults.push('gives the file a size of 0');
    else if (!/^(RF64|BW64)/.test(riff) && !cut && claimed - file.size > 1)
      faults.push(claimed - 8 - start >= PLACEHOLDER ? `gives the file a size that was never filled in (${claimed - 8 - start} bytes)` : `gives the file ${claimed - file.size} bytes too many`);
  }
  if (cut) {
    notices.add('truncated', 'warning', `${quote(name)} is cut off: its header promises ${seconds(data.size)}, ${seconds(bytes)} are there and are used.`);
  }
  if (faults.length > 0) {
    notices.add('wav-header', 'warning', `The header of ${quote(name)} ${faults.join(', and ')}; the ${seconds(bytes)} of audio that are in the file are used, and the file is left as it is.`);
  }
  const left = bytes % frameBytes;
  if (left > 0 && !cut) notices.add('truncated-sample', 'info', `${quote(name)} ends in the middle of a sample; the last ${left} ${left === 1 ? 'byte is' : 'bytes are'} left out.`);
  const kindName = kind === 'w64' ? 'Wave64' : 'WAV';
  return { mpeg: false, decoder: new PcmDecoder(name, kindName, format, data.start, bytes, notices) };
}

/** What stands behind the audio as the header counts it: further chunks, tags or padding, or more samples. */
async function whatFollows(file: FileReader, at: number): Promise<'chunks' | 'other' | 'samples'> {
  for (const from of [at + (at % 2), at]) {
    const head = await file.read(from, 8);
    if (head.length < 8) return 'other';
    const id = head.toString('latin1', 0, 4);
    const size = Math.min(head.readUInt32LE(4), head.readUInt32BE(4));
    if (isChunkId(id) && (KNOWN_CHUNKS.has(id) || from + 8 + size <= file.size) && size > 0) return 'chunks';
    if (id.startsWith('TAG') || id.startsWith('ID3') || id === 'APET') return 'other';
  }
  // zeros up to the end are space that was reserved and never used
  for (let position = at; position < file.size; position += 1 << 20) {
    if (!(await file.read(position, 1 << 20)).every((b) => b === 0)) return 'samples';
  }
  return 'other';
}
