/**
 * Ogg (RFC 3533): pages are found and checked here, and the audio in them is decoded by libopus, libvorbis or libFLAC
 * (WebAssembly), whichever the first page names.
 *
 * Page positions (granules) keep the time line whole when pages are lost.
 */
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { HearbackError } from '../domain/result.js';
import { convertHint, damageText, MAX_GAP_SECONDS, quote, release, silence, spokenTime, throwIfStopped, withoutDecoderMessages } from './decoder.js';
import type { Block, Decoder, NoticeList } from './decoder.js';
import { ByteWindow, FileReader } from './file-reader.js';
import { checkFormat } from './pcm.js';

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let c = byte << 24;
  for (let k = 0; k < 8; k++) c = (c & 0x8000_0000) !== 0 ? (c << 1) ^ 0x04c1_1db7 : c << 1;
  return c >>> 0;
});

interface Page {
  readonly bytes: Buffer;
  readonly body: Buffer;
  readonly serial: number;
  readonly sequence: number;
  /** Position at the end of the last packet that ends here; undefined when none does. */
  readonly granule: number | undefined;
  readonly first: boolean;
  readonly last: boolean;
  /** Bytes before it could not be understood. */
  readonly afterDamage: boolean;
}

/** The checksum is made over the page with its own field as zeros. */
function checksum(page: Buffer): number {
  let c = 0;
  for (let i = 0; i < page.length; i++) c = ((c << 8) ^ (CRC[((c >>> 24) ^ (i >= 22 && i < 26 ? 0 : (page[i] ?? 0))) & 0xff] ?? 0)) >>> 0;
  return c;
}

/** Cuts a file into pages whose checksums are right. */
class Pager {
  readonly #window: ByteWindow;
  #damaged = false;
  cut = false;

  constructor(file: FileReader, start: number) {
    this.#window = new ByteWindow(file, start, file.size);
  }

  /** The next page; undefined at the end. Views: valid until the next call. */
  async next(): Promise<Page | undefined> {
    const w = this.#window;
    for (;;) {
      // the largest possible page
      while (w.bytes.length < 65_307 && (await w.more()));
      const b = w.bytes;
      if (b.length < 4) return undefined;
      const segments = b[26] ?? 0;
      if (b.toString('latin1', 0, 4) === 'OggS' && b.length >= 27 + segments) {
        let length = 27 + segments;
        for (let i = 0; i < segments; i++) length += b[27 + i] ?? 0;
        if (length <= b.length) {
          const bytes = b.subarray(0, length);
          if (checksum(bytes) === bytes.readUInt32LE(22)) {
            w.consume(length);
            const flags = bytes[5] ?? 0;
            const granule = bytes.readBigInt64LE(6);
            const page = {
              bytes,
              body: bytes.subarray(27 + segments),
              serial: bytes.readUInt32LE(14),
              sequence: bytes.readUInt32LE(18),
              granule: granule < 0n ? undefined : Number(granule),
              first: (flags & 2) !== 0,
              last: (flags & 4) !== 0,
              afterDamage: this.#damaged,
            };
            this.#damaged = false;
            return page;
          }
        } else if (b.indexOf('OggS', 4, 'latin1') < 0) {
          this.cut = true;
          return undefined;
        }
      }
      this.#damaged = true;
      const next = b.indexOf('OggS', 1, 'latin1');
      w.consume(next >= 0 ? next : w.exhausted ? b.length : b.length - 3);
    }
  }
}

type Codec = 'opus' | 'vorbis' | 'flac';

interface Stream {
  readonly codec: Codec;
  /** Of the decoded sound and of the page positions, Hz. */
  readonly rate: number;
  readonly channels: number;
  /** Samples at the beginning that positions count and that are not heard (Opus). */
  readonly preSkip: number;
  /** Pages before the sound: first page, comments, set-up. */
  readonly headers: Buffer[];
  /** The headers are over. */
  heard: boolean;
}

/** What the first page of a logical stream says. */
function identify(body: Buffer): { readonly stream: Stream } | { readonly foreign: string } {
  const text = body.toString('latin1', 0, 8);
  if (text === 'OpusHead' && body.length >= 19) return { stream: { codec: 'opus', rate: 48_000, channels: body[9] ?? 0, preSkip: body.readUInt16LE(10), headers: [], heard: false } };
  if (text.startsWith('\x01vorbis') && body.length >= 16) return { stream: { codec: 'vorbis', rate: body.readUInt32LE(12), channels: body[11] ?? 0, preSkip: 0, headers: [], heard: false } };
  if (text.startsWith('\x7fFLAC') && body.length >= 51) {
    // stream info behind "\x7fFLAC", version, packet count, "fLaC" and a block header
    const bits = body.readBigUInt64BE(13 + 4 + 10);
    return { stream: { codec: 'flac', rate: Number(bits >> 44n), channels: Number((bits >> 41n) & 7n) + 1, preSkip: 0, headers: [], heard: false } };
  }
  if (text.startsWith('Speex')) return { foreign: 'Speex speech' };
  if (/^.?theora/.test(text) || text.startsWith('\x80theora')) return { foreign: 'Theora video' };
  if (text.startsWith('fishead')) return { foreign: 'a skeleton' };
  return { foreign: 'an unknown codec' };
}

interface Decoded {
  readonly channelData: Float32Array[];
  readonly samplesDecoded: number;
  readonly errors: readonly unknown[];
}

interface PageDecoder {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): Promise<Decoded>;
  flush(): Promise<Decoded>;
  free(): void;
}

function newDecoder(codec: Codec): PageDecoder {
  switch (codec) {
    case 'opus': {
      const d = new OggOpusDecoder();
      return { ready: d.ready, decode: (b) => Promise.resolve(d.decode(b)), flush: () => d.flush(), free: () => { d.free(); } }; // prettier-ignore
    }
    case 'vorbis':
      return new OggVorbisDecoder();
    case 'flac':
      return new FLACDecoder();
  }
}

/**
 * One run of pages without a break through one decoder. The decoder gives the sound of a page when it sees the next
 * one, so each result is paired with the page before.
 */
class Run {
  readonly #decoder: PageDecoder;
  #before: number | undefined;
  /** Results since the last page that carried a position. */
  #waiting: Float32Array[][] = [];
  #started = false;
  /** The decoder has given up; nothing more comes of this run. */
  dead = false;

  constructor(private readonly stream: Stream) {
    this.#decoder = newDecoder(stream.codec);
  }

  /** Sound that is complete, with the stream position of its end where a page told it. */
  async push(bytes: Buffer, granule: number | undefined): Promise<Sound | undefined> {
    if (!this.#started) {
      await this.#decoder.ready;
      this.#started = true;
      for (const header of this.stream.headers) await this.#run(() => this.#decoder.decode(header), undefined);
    }
    // a copy: the decoder keeps what it has not yet used
    const page = Uint8Array.from(bytes);
    const sound = await this.#run(() => this.#decoder.decode(page), this.#before);
    this.#before = granule;
    return sound;
  }

  /** The rest. Afterwards the run is over and its memory is given back. */
  async end(): Promise<Sound | undefined> {
    if (!this.#started) return undefined;
    const sound = await this.#run(() => this.#decoder.flush(), this.#before, true);
    release(this.#decoder);
    return sound;
  }

  async #run(step: () => Promise<Decoded>, granule: number | undefined, final = false): Promise<Sound | undefined> {
    if (this.dead) return undefined;
    let broken = false;
    try {
      const decoded = await withoutDecoderMessages(step);
      broken = decoded.errors.length > 0;
      if (decoded.samplesDecoded > 0) this.#waiting.push(decoded.channelData);
    } catch {
      // pages with a right checksum whose content the decoder cannot bear
      this.dead = true;
    }
    broken ||= this.dead;
    if (!broken && (this.#waiting.length === 0 || (granule === undefined && !final))) return undefined;
    const parts = this.#waiting;
    this.#waiting = [];
    return { parts, end: granule === undefined ? undefined : granule - this.stream.preSkip, broken };
  }
}

interface Sound {
  readonly parts: readonly Float32Array[][];
  /** Position of its end in the stream's own count, pre-skip taken off. */
  readonly end: number | undefined;
  readonly broken: boolean;
}

const lengthOf = (parts: readonly Float32Array[][]): number => parts.reduce((n, p) => n + (p[0]?.length ?? 0), 0);

/** Follows the one stream of sound through the pages: the first that is found, and those chained behind its end. */
class Follower {
  stream: Stream | undefined;
  /** Codecs met that are not read. */
  readonly foreign: string[] = [];
  #serial = -1;
  #sequence = -1;

  /** The stream has not come to its proper end. */
  get open(): boolean {
    return this.#serial >= 0;
  }

  /** `new`: a stream begins; `header`: set-up; `sound` (`lost`: pages are missing before it); `other`: not of this stream. */
  see(page: Page): 'new' | 'header' | 'sound' | 'lost' | 'other' {
    if (page.first) {
      const id = identify(page.body);
      if ('foreign' in id) {
        this.foreign.push(id.foreign);
        return 'other';
      }
      if (this.#serial >= 0 && page.serial !== this.#serial) {
        // either side by side with the one that is followed, or the next one after a cut without an end
        if (this.#sequence === 0) return 'other';
      }
      this.stream = id.stream;
      this.#serial = page.serial;
      this.#sequence = page.sequence;
      this.stream.headers.push(Buffer.from(page.bytes));
      return 'new';
    }
    if (page.serial !== this.#serial || this.stream === undefined) return 'other';
    const lost = page.afterDamage || page.sequence !== this.#sequence + 1;
    this.#sequence = page.sequence;
    if (page.last) this.#serial = -1;
    if (!lost && !this.#heard && (page.granule === 0 || page.granule === undefined) && !page.last) {
      this.stream.headers.push(Buffer.from(page.bytes));
      return 'header';
    }
    this.#heard = true;
    return lost ? 'lost' : 'sound';
  }

  get #heard(): boolean {
    return this.stream?.heard ?? false;
  }
  set #heard(value: boolean) {
    if (this.stream !== undefined) this.stream.heard = value;
  }
}

class OggDecoder implements Decoder {
  readonly kind: string;
  readonly rate: number;
  readonly channelCount: number;
  /** Where the first stream's positions begin, samples; known after the first block. */
  base = 0;

  constructor(
    private readonly path: string,
    private readonly start: number,
    stream: Stream,
    readonly seconds: number | undefined,
    private readonly notices: NoticeList,
  ) {
    this.kind = { opus: 'Ogg Opus', vorbis: 'Ogg Vorbis', flac: 'Ogg FLAC' }[stream.codec];
    this.rate = stream.rate;
    this.channelCount = stream.channels;
  }

  async *blocks(signal?: AbortSignal): AsyncGenerator<Block, void, undefined> {
    const file = await FileReader.open(this.path);
    let run: Run | undefined;
    try {
      const pager = new Pager(file, this.start);
      const follower = new Follower();
      let stream: Stream | undefined;
      /** Samples given of this logical stream, and the position at which it began. */
      let given = 0;
      let base: number | undefined;
      /** Seconds given of all streams. */
      let seconds = 0;
      /** Pages were lost, and the next position will tell how much sound they held. */
      let broken = false;
      const give = (sound: Sound | undefined): Block[] => {
        if (sound === undefined || stream === undefined) return [];
        const { rate, channels } = stream;
        const length = lengthOf(sound.parts);
        if (sound.broken) {
          this.#tellDamage(seconds);
          broken = true;
        }
        const out: Block[] = [];
        if (sound.end !== undefined) {
          if (base === undefined) {
            base = broken ? 0 : Math.max(0, sound.end - length);
            if (seconds === 0) this.base = base;
          }
          const gap = sound.end - base - length - given;
          if (broken && gap > 0 && gap <= MAX_GAP_SECONDS * rate) {
            out.push(...silence(gap, rate, channels));
            given += gap;
            seconds += gap / rate;
          }
          broken = false;
        }
        for (const part of sound.parts) out.push({ rate, channels: part });
        given += length;
        seconds += length / rate;
        return out;
      };
      for (let page = await pager.next(); page !== undefined; page = await pager.next()) {
        throwIfStopped(signal, this.path);
        const kind = follower.see(page);
        if (kind === 'other' || kind === 'header') continue;
        if (kind === 'new' || kind === 'lost' || run?.dead === true) {
          if (run !== undefined) yield* give(await run.end());
          run = undefined;
        }
        if (kind === 'new') {
          stream = follower.stream;
          given = 0;
          base = undefined;
          broken = false;
          continue;
        }
        if (stream === undefined) continue;
        if (kind === 'lost') {
          this.#tellDamage(seconds);
          broken = true;
        }
        run ??= new Run(stream);
        yield* give(await run.push(page.bytes, page.granule));
      }
      const last = run;
      run = undefined;
      yield* give(await last?.end());
    } finally {
      await file.close();
      await run?.end();
    }
  }

  #tellDamage(seconds: number): void {
    this.notices.add('damaged', 'warning', damageText(this.path, seconds), 'damaged');
  }
}

/**
 * Opens the sound in an Ogg file.
 *
 * @throws HearbackError `unsupported` (no codec known here), `empty` (headers only), `not-audio` (no whole page).
 */
export async function openOgg(file: FileReader, start: number, notices: NoticeList): Promise<Decoder> {
  const name = file.name;
  const pager = new Pager(file, start);
  const follower = new Follower();
  let first: Stream | undefined;
  let current: Stream | undefined;
  let pages = 0;
  let heard = false;
  /** Seconds of the streams before the current one, and the last position in the current one. */
  let before = 0;
  let end = 0;
  let damagedAt: number | undefined;
  const seconds = (): number => (current === undefined ? 0 : Math.max(0, end - current.preSkip) / current.rate);
  for (let page = await pager.next(); page !== undefined; page = await pager.next()) {
    pages++;
    const kind = follower.see(page);
    if (kind === 'new') {
      before += seconds();
      current = follower.stream;
      first ??= current;
      end = 0;
    } else if (kind === 'sound' || kind === 'lost') {
      if (kind === 'lost') damagedAt ??= before + seconds();
      heard = true;
      end = Math.max(end, page.granule ?? 0);
    }
  }
  if (first === undefined) {
    const codec = follower.foreign.find((f) => f !== 'a skeleton');
    if (codec !== undefined) throw new HearbackError('unsupported', `${quote(name)} is an Ogg file that carries ${codec}, which is not read here.`, { hint: convertHint(name) });
    throw pages > 0
      ? new HearbackError('not-audio', `${quote(name)} is an Ogg file whose beginning is missing, and with it what is needed to decode it.`, { hint: 'Fetch or export it again.' })
      : new HearbackError('not-audio', `${quote(name)} is an Ogg file in which no page is whole.`, { hint: 'It is damaged throughout; fetch or export it again.' });
  }
  checkFormat(name, first);
  if (!heard) throw new HearbackError('empty', `${quote(name)} is an Ogg header without any audio behind it.`, { hint: 'It is cut off right after its beginning, or nothing was recorded.' });
  const total = before + seconds();
  if (damagedAt !== undefined) notices.add('damaged', 'warning', damageText(name, damagedAt), 'damaged');
  // recordings of a running stream begin at the position where the stream was
  const probe = new OggDecoder(name, start, first, undefined, notices);
  for await (const _ of probe.blocks()) break;
  const length = Math.max(0, total - probe.base / first.rate);
  if (length === 0) throw new HearbackError('empty', `${quote(name)} is a complete Ogg file of zero length: it holds no audio.`, { hint: 'Record it again; there is nothing to recover.' });
  if (pager.cut) notices.add('truncated', 'warning', `${quote(name)} is cut off in the middle of a page; the ${spokenTime(length)} before it are used.`);
  else if (follower.open) notices.add('truncated', 'info', `${quote(name)} has no proper end; the ${spokenTime(length)} that are there are used.`);
  return new OggDecoder(name, start, first, length, notices);
}
