/**
 * Headers of further uncompressed formats: AIFF and AIFF-C, Sun/NeXT AU, Apple CAF (linear PCM), NIST SPHERE (in which
 * radio corpora are published). What they hold in compressed form is named and refused.
 */
import { HearbackError } from '../domain/result.js';
import { convertHint, quote, spokenTime } from './decoder.js';
import type { Decoder, NoticeList } from './decoder.js';
import type { FileReader } from './file-reader.js';
import { checkFormat, ENCODING_BYTES, PcmDecoder } from './pcm.js';
import type { Encoding } from './pcm.js';

interface Header {
  readonly encoding: Encoding | undefined;
  readonly bigEndian: boolean;
  readonly channels: number;
  readonly rate: number;
  readonly offset: number;
  /** Bytes of audio as the header gives them; undefined when it says that it does not know. */
  readonly size: number | undefined;
  /** What is inside, for the refusal. */
  readonly codec: string;
}

const integer = (bits: number): Encoding | undefined => (({ 1: 's8', 2: 's16', 3: 's24', 4: 's32' }) as const)[Math.ceil(bits / 8)];

/** 80-bit extended float, big-endian, as AIFF stores its rate. */
function extended(b: Buffer, at: number): number {
  const exponent = b.readUInt16BE(at) & 0x7fff;
  return Number(b.readBigUInt64BE(at + 2)) * 2 ** (exponent - 16383 - 63);
}

async function aiff(file: FileReader, start: number): Promise<Header | undefined> {
  const compressed = (await file.read(start + 8, 4)).toString('latin1') === 'AIFC';
  let common: { channels: number; bits: number; rate: number; codec: string } | undefined;
  let sound: { offset: number; size: number } | undefined;
  for (let at = start + 12; at + 8 <= file.size && !(common && sound); ) {
    const head = await file.read(at, 16);
    const id = head.toString('latin1', 0, 4);
    const size = head.readUInt32BE(4);
    if (id === 'COMM') {
      const b = await file.read(at + 8, 22);
      if (b.length < 18) return undefined;
      common = { channels: b.readUInt16BE(0), bits: b.readUInt16BE(6), rate: Math.round(extended(b, 8)), codec: compressed && b.length >= 22 ? b.toString('latin1', 18, 22) : 'NONE' };
    } else if (id === 'SSND') {
      const skip = head.length >= 12 ? head.readUInt32BE(8) : 0;
      sound = { offset: at + 16 + skip, size: Math.max(0, size - 8 - skip) };
    }
    at += 8 + size + (size % 2);
  }
  if (common === undefined || sound === undefined) return undefined;
  const { channels, bits, rate, codec } = common;
  const table: Readonly<Record<string, Encoding | undefined>> = { NONE: integer(bits), twos: integer(bits), sowt: integer(bits), in24: 's24', in32: 's32', fl32: 'f32', FL32: 'f32', fl64: 'f64', FL64: 'f64', alaw: 'alaw', ALAW: 'alaw', ulaw: 'ulaw', ULAW: 'ulaw' };
  // a size of 0 is what a recorder leaves that was cut off
  return { encoding: table[codec], bigEndian: codec !== 'sowt', channels, rate, offset: sound.offset, size: sound.size === 0 ? undefined : sound.size, codec: `an AIFF-C file that carries ${quote(codec)}` };
}

async function au(file: FileReader, start: number): Promise<Header | undefined> {
  const b = await file.read(start, 24);
  if (b.length < 24) return undefined;
  const size = b.readUInt32BE(8);
  const code = b.readUInt32BE(12);
  const table: Readonly<Record<number, Encoding | undefined>> = { 1: 'ulaw', 2: 's8', 3: 's16', 4: 's24', 5: 's32', 6: 'f32', 7: 'f64', 27: 'alaw' };
  return { encoding: table[code], bigEndian: true, rate: b.readUInt32BE(16), channels: b.readUInt32BE(20), offset: start + Math.max(24, b.readUInt32BE(4)), size: size === 0xffffffff || size === 0 ? undefined : size, codec: `a Sun AU file of encoding ${code}` };
}

async function caf(file: FileReader, start: number): Promise<Header | undefined> {
  let description: { rate: number; codec: string; flags: number; packet: number; channels: number } | undefined;
  for (let at = start + 8; at + 12 <= file.size; ) {
    const head = await file.read(at, 12);
    const id = head.toString('latin1', 0, 4);
    const size = Number(head.readBigInt64BE(4));
    if (id === 'desc') {
      const b = await file.read(at + 12, 32);
      if (b.length < 32) return undefined;
      description = { rate: Math.round(b.readDoubleBE(0)), codec: b.toString('latin1', 8, 12), flags: b.readUInt32BE(12), packet: b.readUInt32BE(16), channels: b.readUInt32BE(24) };
    } else if (id === 'data' && description !== undefined) {
      const { rate, codec, flags, packet, channels } = description;
      const width = packet / Math.max(1, channels);
      const encoding: Encoding | undefined = codec === 'lpcm' ? ((flags & 1) !== 0 ? ({ 4: 'f32', 8: 'f64' } as const)[width] : integer(width * 8)) : ({ alaw: 'alaw', ulaw: 'ulaw' } as const)[codec];
      // four bytes of edit count stand before the samples; a size of −1 means: up to the end
      return { encoding, bigEndian: (flags & 2) === 0, channels, rate, offset: at + 16, size: size < 4 ? undefined : size - 4, codec: `a Core Audio file (CAF) that carries ${quote(codec.trim())}` };
    }
    if (size < 0) return undefined;
    at += 12 + size;
  }
  return undefined;
}

async function sphere(file: FileReader, start: number): Promise<Header | undefined> {
  const text = (await file.read(start, 16_384)).toString('latin1');
  const length = Number(/^NIST_1A\s+(\d+)/.exec(text)?.[1]);
  if (!(length > 0)) return undefined;
  const field = (name: string): string | undefined => new RegExp(`^${name} -\\S+ (.*)$`, 'm').exec(text.slice(0, length))?.[1]?.trim();
  const number = (name: string, otherwise: number): number => Number(field(name) ?? otherwise);
  const coding = field('sample_coding') ?? 'pcm';
  const bytes = number('sample_n_bytes', 2);
  const channels = number('channel_count', 1);
  const count = number('sample_count', 0);
  const encoding: Encoding | undefined = coding === 'pcm' || coding === 'linear' ? integer(bytes * 8) : ({ ulaw: 'ulaw', 'mu-law': 'ulaw', alaw: 'alaw' } as const)[coding];
  return { encoding, bigEndian: field('sample_byte_format') !== '01', channels, rate: number('sample_rate', 0), offset: start + length, size: count > 0 ? count * bytes * channels : undefined, codec: `a NIST SPHERE file coded as ${quote(coding)}` };
}

/**
 * Opens one of these formats.
 *
 * @throws HearbackError `empty`, `not-audio` (damaged header), `unsupported` (compressed inside).
 */
export async function openOther(file: FileReader, kind: 'aiff' | 'au' | 'caf' | 'sphere', start: number, notices: NoticeList): Promise<Decoder> {
  const readers = { aiff, au, caf, sphere };
  const label = { aiff: 'AIFF', au: 'AU', caf: 'CAF', sphere: 'NIST SPHERE' }[kind];
  const name = file.name;
  const header = await readers[kind](file, start);
  if (header === undefined) throw new HearbackError('empty', `${quote(name)} is the beginning of a file of the kind ${label} without any audio.`, { hint: 'It is cut off or damaged; there is nothing to recover.' });
  if (header.encoding === undefined) throw new HearbackError('unsupported', `${quote(name)} is ${header.codec}, which is not read here.`, { hint: convertHint(name) });
  checkFormat(name, header);
  const container = ENCODING_BYTES[header.encoding];
  const frameBytes = container * header.channels;
  const there = Math.max(0, file.size - header.offset);
  const bytes = Math.min(header.size ?? there, there);
  if (bytes < frameBytes) throw new HearbackError('empty', `${quote(name)} is a complete ${label} file of zero length: it holds no audio.`, { hint: 'Record it again; there is nothing to recover.' });
  const seconds = (n: number): string => spokenTime(Math.floor(n / frameBytes) / header.rate);
  if (header.size !== undefined && header.size > there)
    notices.add('truncated', 'warning', `${quote(name)} is cut off: its header promises ${seconds(header.size)}, ${seconds(there)} are there and are used.`);
  return new PcmDecoder(name, label, { encoding: header.encoding, bigEndian: header.bigEndian, channels: header.channels, rate: header.rate, container }, header.offset, bytes, notices);
}
