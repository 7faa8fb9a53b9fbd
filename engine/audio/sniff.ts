/**
 * What a file really is, told by its bytes; the ending of its name is never asked.
 */
import type { FileReader } from './file-reader.js';
import { adtsLength, findFrames } from './mpeg-header.js';

/** Kinds that this room decodes. */
export type ReadableKind = 'wav' | 'w64' | 'aiff' | 'au' | 'caf' | 'sphere' | 'flac' | 'ogg' | 'mp3';

export type Sniffed =
  | { readonly readable: true; readonly kind: ReadableKind; /** Where the format itself begins (behind tags). */ readonly start: number }
  /** `audio`: it carries sound and can be converted. `label` fits after "is". */
  | { readonly readable: false; readonly audio: boolean; readonly label: string };

const readable = (kind: ReadableKind, start = 0): Sniffed => ({ readable: true, kind, start });
const sound = (label: string): Sniffed => ({ readable: false, audio: true, label });
const other = (label: string): Sniffed => ({ readable: false, audio: false, label });

const HEAD = 64 * 1024;

/** Size of an ID3v2 tag that begins at `at`, header and footer included; 0 when there is none. */
export function id3Size(bytes: Buffer, at = 0): number {
  if (bytes.length < at + 10 || bytes.toString('latin1', at, at + 3) !== 'ID3') return 0;
  const sizes = [6, 7, 8, 9].map((i) => bytes[at + i] ?? 0x80);
  if (sizes.some((b) => b >= 0x80)) return 0;
  const size = sizes.reduce((n, b) => n * 128 + b, 0);
  return 10 + size + (((bytes[at + 5] ?? 0) & 0x10) !== 0 ? 10 : 0);
}

interface Magic {
  readonly at: number;
  readonly text: string;
  readonly found: Sniffed;
}
const magic = (text: string, found: Sniffed, at = 0): Magic => ({ at, text, found });

/** Fixed byte patterns, as Latin-1 text. Order matters only where one is the beginning of another. */
const MAGICS: readonly Magic[] = [
  magic('fLaC', readable('flac')),
  magic('OggS', readable('ogg')),
  magic('riff\x2e\x91\xcf\x11', readable('w64')),
  magic('.snd', readable('au')),
  magic('caff', readable('caf')),
  magic('NIST_1A', readable('sphere')),
  magic('\x1aE\xdf\xa3', sound('a Matroska or WebM file')),
  magic('\x30\x26\xb2\x75\x8e\x66\xcf\x11', sound('a Windows Media file (ASF, WMA or WMV)')),
  magic('FLV\x01', sound('a Flash video')),
  magic('#!AMR', sound('AMR speech')),
  magic('#!SILK', sound('SILK speech')),
  magic('\x02#!SILK', sound('SILK speech')),
  magic('ADIF', sound('AAC audio (ADIF)')),
  magic('MAC ', sound("Monkey's Audio (APE)")),
  magic('wvpk', sound('WavPack audio')),
  magic('TTA1', sound('True Audio (TTA)')),
  magic('MPCK', sound('Musepack audio')),
  magic('MP+', sound('Musepack audio')),
  magic('ajkg', sound('Shorten audio')),
  magic('DSD ', sound('DSD audio (DSF)')),
  magic('FRM8', sound('DSD audio (DSDIFF)')),
  magic('.RMF', sound('a RealMedia file')),
  magic('.ra\xfd', sound('RealAudio')),
  magic('Creative Voice File', sound('a Creative Voice file (VOC)')),
  magic('OFR ', sound('OptimFROG audio')),
  magic('\x0b\x77', sound('Dolby Digital audio (AC-3)')),
  magic('\x7f\xfe\x80\x01', sound('DTS audio')),
  magic('\x00\x00\x01\xba', sound('an MPEG programme stream')),
  magic('\x00\x00\x01\xb3', sound('an MPEG video')),
  magic('MThd', other('a MIDI file (notes, not sound)')),
  magic('%PDF', other('a PDF document')),
  magic('{\\rtf', other('an RTF document')),
  magic('PK\x03\x04', other('a ZIP archive (or an office document)')),
  magic('PK\x05\x06', other('an empty ZIP archive')),
  magic('Rar!', other('a RAR archive')),
  magic('7z\xbc\xaf\x27\x1c', other('a 7-Zip archive')),
  magic('\x1f\x8b', other('a gzip archive')),
  magic('BZh', other('a bzip2 archive')),
  magic('\xfd7zXZ', other('an xz archive')),
  magic('\x28\xb5\x2f\xfd', other('a Zstandard archive')),
  magic('ustar', other('a tar archive'), 257),
  magic('\x89PNG', other('a PNG image')),
  magic('\xff\xd8\xff', other('a JPEG image')),
  magic('GIF8', other('a GIF image')),
  magic('II*\x00', other('a TIFF image')),
  magic('MM\x00*', other('a TIFF image')),
  magic('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', other('an old office document')),
  magic('SQLite format 3\x00', other('an SQLite database')),
  magic('\x7fELF', other('a program (ELF)')),
  magic('MZ', other('a Windows program or library')),
  magic('version https://git-lfs', other('a Git LFS pointer: the recording itself has not been fetched')),
];

/** Four-letter kinds behind a RIFF header. */
function riffKind(form: string): Sniffed {
  switch (form) {
    case 'WAVE':
      return readable('wav');
    case 'AVI ':
      return sound('an AVI video');
    case 'WEBP':
      return other('a WebP image');
    case 'RMID':
      return other('a MIDI file (notes, not sound)');
    default:
      return other('a RIFF file that is not WAVE');
  }
}

/** ISO base media: the brand tells more than "MP4". */
function isoKind(brand: string): Sniffed {
  if (/^(M4A|M4B|M4P)/.test(brand)) return sound('MPEG-4 audio (M4A, mostly AAC)');
  if (brand.startsWith('qt')) return sound('a QuickTime movie');
  if (brand.startsWith('3g')) return sound('a 3GPP file (mostly AMR or AAC)');
  if (/^(heic|heix|mif1|avif|msf1)/.test(brand)) return other('an HEIF or AVIF image');
  return sound('an MPEG-4 file (MP4, mostly AAC)');
}

/** Text of any kind: HTML, XML, JSON or plain. */
function textKind(head: Buffer): Sniffed | undefined {
  let text: string;
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    // UTF-16 has the same byte order mark as a possible MPEG frame: it is text only when it reads as such
    const le = head[0] === 0xff;
    const even = head.subarray(2, 2 + ((head.length - 2) & ~1));
    text = (le ? even : Buffer.from(even).swap16()).toString('utf16le');
    let latin = 0;
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x250) latin++;
    if (latin * 2 < text.length) return undefined;
  } else {
    try {
      // `stream` lets a character that the end of the head cuts in two pass
      text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    } catch {
      return undefined;
    }
  }
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return undefined;
  const start = text.trimStart().slice(0, 200).toLowerCase();
  if (/^(<!doctype html|<html|<head|<body)/.test(start)) return other('a web page (HTML), perhaps an error page saved in place of the recording');
  if (start.startsWith('<?xml') || start.startsWith('<svg')) return other('an XML document');
  if (/^[[{]\s*["[{\d]/.test(start)) return other('a JSON text');
  if (/^#extm3u|^\[playlist\]/.test(start)) return other('a playlist: it names recordings and holds none');
  return other('a text file');
}

/**
 * Tells the kind of a file from its content. The file must not be empty.
 *
 * @throws HearbackError `unreadable` when the disk fails.
 */
export async function sniff(file: FileReader): Promise<Sniffed> {
  let start = 0;
  let head = await file.read(0, HEAD);
  // tags may stand before any format, and more than one of them
  for (let size = id3Size(head); size > 0; size = id3Size(head)) {
    start += size;
    head = await file.read(start, HEAD);
    if (head.length === 0) return other('a tag without any audio behind it');
  }
  const latin = (from: number, to: number): string => head.toString('latin1', from, to);

  if (/^(RIFF|RIFX|RF64|BW64)$/.test(latin(0, 4))) return head.length >= 12 ? at(riffKind(latin(8, 12)), start) : readable('wav', start);
  if (latin(0, 4) === 'FORM' && /^AIF[FC]$/.test(latin(8, 12))) return readable('aiff', start);
  if (latin(4, 8) === 'ftyp') return isoKind(latin(8, 12));
  if (/^(moov|mdat|wide|free|skip)$/.test(latin(4, 8))) return sound('a QuickTime or MPEG-4 file');
  for (const m of MAGICS) if (latin(m.at, m.at + m.text.length) === m.text) return at(m.found, start);
  if (head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47) return sound('an MPEG transport stream');

  const text = textKind(head.subarray(0, 4096));
  const plain = text?.readable === false && start === 0;
  if (plain) return text;

  if (head.every((b) => b === 0) && (await onlyZeros(file))) return other('nothing but zero bytes: its content was never written or has been lost');
  // raw AAC and MPEG audio have no magic number, only frames that follow each other
  if (adtsLength(head) > 0) return sound('AAC audio (ADTS)');
  const mpeg = findFrames(head, start + head.length >= file.size);
  if (mpeg !== undefined) return readable('mp3', start + mpeg);
  return other('of no kind known here');
}

function at(found: Sniffed, start: number): Sniffed {
  return found.readable ? { ...found, start: start + found.start } : found;
}

async function onlyZeros(file: FileReader): Promise<boolean> {
  for (let position = 0; position < file.size; position += 1 << 20) {
    const part = await file.read(position, 1 << 20);
    if (part.length === 0) return true;
    if (!part.every((b) => b === 0)) return false;
  }
  return true;
}
