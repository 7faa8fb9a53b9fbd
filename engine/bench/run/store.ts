/**
 * Files of one JSON line a result: appended to as results are made, read again where a run goes on. What is kept in memory of a line is its
 * place, not its content.
 */
import { closeSync, createReadStream, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { HearbackError } from '../../domain/result.js';

const STEP = 65_536;
const NEWLINE = 0x0a;

/** Length of the whole lines: half a line at the end, left by a kill, does not count. */
function wholeLength(fd: number): number {
  const buffer = Buffer.alloc(STEP);
  for (let end = fstatSync(fd).size; end > 0; ) {
    const from = Math.max(0, end - STEP);
    const at = buffer.subarray(0, readSync(fd, buffer, 0, end - from, from)).lastIndexOf(NEWLINE);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}

interface Place {
  readonly at: number;
  readonly length: number;
  readonly settled: boolean;
  /** The line of the same key before. */
  readonly before: Place | undefined;
}

/** What a line is about, and whether it need not be made again. */
export interface LineFacts {
  readonly key: string;
  readonly settled: boolean;
}

/** `withLast`: also what stands behind the last line's end, as files that people write have it. */
async function* wholeLines(path: string, withLast: boolean): AsyncGenerator<{ readonly text: string; readonly at: number; readonly length: number }> {
  let rest: Buffer = Buffer.alloc(0);
  let at = 0;
  for await (const part of createReadStream(path, { highWaterMark: STEP })) {
    rest = rest.length === 0 ? (part as Buffer) : Buffer.concat([rest, part as Buffer]);
    let from = 0;
    for (let end = rest.indexOf(NEWLINE, from); end >= 0; end = rest.indexOf(NEWLINE, from)) {
      if (end > from) yield { text: rest.toString('utf8', from, end), at: at + from, length: end - from };
      from = end + 1;
    }
    at += from;
    rest = rest.subarray(from);
  }
  if (withLast && rest.length > 0) yield { text: rest.toString('utf8'), at, length: rest.length };
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HearbackError('unreadable', `${path} holds a line that is not JSON: ${text.slice(0, 60)}`, { hint: 'It was changed by something else than a run. Take the line out, or begin in another folder.', cause });
  }
}

/** The values of a file of whole JSON lines, one at a time; none where there is no file, and no half line at its end. @throws HearbackError unreadable */
export async function* readLines(path: string): AsyncGenerator {
  if (!existsSync(path)) return;
  for await (const { text } of wholeLines(path, false)) yield parsed(path, text);
}

/** Results by key; the last line of a key counts. */
export class LineFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #places = new Map<string, Place>();
  readonly #facts: (value: unknown) => LineFacts;
  #end: number;

  private constructor(path: string, facts: (value: unknown) => LineFacts, flags: 'a+' | 'r') {
    this.#path = path;
    this.#facts = facts;
    this.#fd = openSync(path, flags);
    this.#end = wholeLength(this.#fd);
    if (flags === 'a+' && this.#end !== fstatSync(this.#fd).size) ftruncateSync(this.#fd, this.#end);
  }

  /** Opens or makes the file; half a line at its end, left by a kill, is cut off. @throws HearbackError unreadable */
  static open(path: string, facts: (value: unknown) => LineFacts): Promise<LineFile> {
    return LineFile.#filled(new LineFile(path, facts, 'a+'), path, false);
  }

  /** The same of a file that is left as it is. */
  static openToRead(path: string, facts: (value: unknown) => LineFacts): Promise<LineFile> {
    return LineFile.#filled(new LineFile(path, facts, 'r'), path, true);
  }

  static async #filled(file: LineFile, path: string, withLast: boolean): Promise<LineFile> {
    for await (const { text, at, length } of wholeLines(path, withLast)) if (text.trim() !== '') file.#put(parsed(path, text), at, length);
    return file;
  }

  #put(value: unknown, at: number, length: number): void {
    const { key, settled } = this.#facts(value);
    this.#places.set(key, { at, length, settled, before: this.#places.get(key) });
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  settled(key: string): boolean {
    return this.#places.get(key)?.settled === true;
  }

  /** How often the key was written. */
  tries(key: string): number {
    let count = 0;
    for (let place = this.#places.get(key); place !== undefined; place = place.before) count++;
    return count;
  }

  /** The last value of a key; undefined without one. */
  get(key: string): unknown {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#read(place);
  }

  /** All values of a key, oldest first. */
  all(key: string): unknown[] {
    const values: unknown[] = [];
    for (let place = this.#places.get(key); place !== undefined; place = place.before) values.unshift(this.#read(place));
    return values;
  }

  #read(place: Place): unknown {
    const buffer = Buffer.alloc(place.length);
    readSync(this.#fd, buffer, 0, place.length, place.at);
    return parsed(this.#path, buffer.toString('utf8'));
  }

  /** One write, so that a kill leaves a whole line or the head of one. */
  append(value: unknown): void {
    const line = Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
    for (let done = 0; done < line.length; ) done += writeSync(this.#fd, line, done);
    this.#put(value, this.#end, line.length - 1);
    this.#end += line.length;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
