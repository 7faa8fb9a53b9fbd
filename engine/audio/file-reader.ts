/**
 * Reading bytes from a file in pieces, with the operating system's failures turned into sentences.
 */
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { HearbackError } from '../domain/result.js';
import { quote } from './decoder.js';

function errno(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

/** Turns what node:fs throws into what a person can act on. */
export function fileError(thrown: unknown, name: string): HearbackError {
  if (thrown instanceof HearbackError) return thrown;
  const code = errno(thrown);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new HearbackError('not-found', `${quote(name)} does not exist.`, { hint: 'Check the spelling and the folder.', cause: thrown });
    case 'EACCES':
    case 'EPERM':
      return new HearbackError('unreadable', `${quote(name)} may not be read: permission denied.`, { hint: 'Give your account the right to read it, or copy it to a folder of your own.', cause: thrown });
    case 'EISDIR':
      return new HearbackError('unreadable', `${quote(name)} is a folder, not a recording.`, { hint: 'Name the files in it, or give the folder to a command that takes folders.', cause: thrown });
    case 'ELOOP':
      return new HearbackError('unreadable', `${quote(name)} is a symbolic link that leads in a circle.`, { hint: 'Mend the link or name the file itself.', cause: thrown });
    case 'ENAMETOOLONG':
      return new HearbackError('not-found', `${quote(name)} is longer than a file name can be.`, { cause: thrown });
    case 'EMFILE':
    case 'ENFILE':
      return new HearbackError('unreadable', `${quote(name)} cannot be opened: too many files are open.`, { hint: 'Process fewer files at once.', cause: thrown });
    default: {
      const detail = thrown instanceof Error ? thrown.message : String(thrown);
      return new HearbackError('unreadable', `${quote(name)} cannot be read (${detail}).`, { hint: 'The disk or the connection to it may be failing; copy the file and try again.', cause: thrown });
    }
  }
}

/** Random access to one open file. Always `close()` it. */
export class FileReader {
  readonly #handle: FileHandle;
  private constructor(
    readonly name: string,
    /** Bytes, as they were when the file was opened. */
    readonly size: number,
    handle: FileHandle,
  ) {
    this.#handle = handle;
  }

  /** @throws HearbackError `not-found` or `unreadable`. */
  static async open(path: string): Promise<FileReader> {
    let handle: FileHandle | undefined;
    try {
      // before opening: opening a pipe that nobody writes to would wait for ever
      const before = await stat(path);
      if (before.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
      if (!before.isFile())
        throw new HearbackError('unreadable', `${quote(path)} is a device or a pipe, not a file.`, { hint: 'Feed live audio through standard input instead.' });
      handle = await open(path, 'r');
      const info = await handle.stat();
      return new FileReader(path, info.size, handle);
    } catch (thrown) {
      await handle?.close();
      throw fileError(thrown, path);
    }
  }

  /** Fills `target` from `position`; returns how many bytes there were (fewer only at the end of the file). */
  async readInto(target: Uint8Array, position: number): Promise<number> {
    let done = 0;
    try {
      while (done < target.length) {
        const { bytesRead } = await this.#handle.read(target, done, target.length - done, position + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
    } catch (thrown) {
      throw fileError(thrown, this.name);
    }
    return done;
  }

  /** Up to `length` bytes from `position`. */
  async read(position: number, length: number): Promise<Buffer> {
    const target = Buffer.alloc(Math.max(0, Math.min(length, this.size - position)));
    return target.subarray(0, await this.readInto(target, position));
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * A window that slides over a byte range of a file: `bytes` holds what has been read and not yet consumed.
 * Framers look at it synchronously and ask for more when a frame is not complete.
 */
export class ByteWindow {
  #buffer = Buffer.alloc(0);
  #from = 0;
  #to = 0;
  #next: number;

  constructor(
    private readonly reader: FileReader,
    start: number,
    private readonly end: number,
    private readonly step = 256 * 1024,
  ) {
    this.#next = start;
  }

  /** Unconsumed bytes. A view: valid until the next `more()`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#from, this.#to);
  }
  /** File position of the first unconsumed byte. */
  get position(): number {
    return this.#next - (this.#to - this.#from);
  }
  /** Nothing further can be read into the window. */
  get exhausted(): boolean {
    return this.#next >= this.end;
  }

  consume(count: number): void {
    this.#from += count;
    if (this.#from > this.#to) {
      // skipping past what is loaded (large tags) needs no reading
      this.#next = Math.min(this.end, this.#next + (this.#from - this.#to));
      this.#from = this.#to = 0;
    }
  }

  /** Reads one step more; false when there is nothing more to read. */
  async more(): Promise<boolean> {
    if (this.exhausted) return false;
    const left = this.#to - this.#from;
    const want = Math.min(this.step, this.end - this.#next);
    if (this.#to + want > this.#buffer.length) {
      if (left + want <= this.#buffer.length) {
        this.#buffer.copyWithin(0, this.#from, this.#to);
      } else {
        const larger = Buffer.alloc(Math.max(left + want, this.step * 2));
        this.#buffer.copy(larger, 0, this.#from, this.#to);
        this.#buffer = larger;
      }
      this.#from = 0;
      this.#to = left;
    }
    const got = await this.reader.readInto(this.#buffer.subarray(this.#to, this.#to + want), this.#next);
    this.#to += got;
    // a file that has become shorter meanwhile ends here
    this.#next = got < want ? this.end : this.#next + got;
    return got > 0;
  }
}
