/**
 * Downloads over HTTP that survive a broken line: ranges, retries, patience with a busy server.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HearbackError } from '../domain/result.js';
import { retryAfter } from '../domain/retry-after.js';
import { fileFailure, systemCode } from './disk.js';
import type { ProgressReporter } from './progress.js';

/** How patient to be. Times in milliseconds; the defaults are for people's networks, tests use shorter ones. */
export interface Patience {
  /** Attempts in a row that bring no byte before giving up. */
  readonly attempts: number;
  /** Attempts for the very first contact: a machine without a network should say so quickly. */
  readonly firstAttempts: number;
  /** First pause; it doubles with every attempt. */
  readonly pause: number;
  /** Longest pause, and the longest that a server may ask for. */
  readonly longestPause: number;
  /** Silence in the middle of a download that counts as broken. */
  readonly idle: number;
}
export const PATIENCE: Patience = { attempts: 6, firstAttempts: 2, pause: 1000, longestPause: 120_000, idle: 45_000 };

/** What a session of requests shares. */
export class HttpClient {
  /** Whether any answer came yet. */
  #reached = false;

  constructor(
    readonly patience: Patience,
    readonly env: NodeJS.ProcessEnv,
    readonly signal: AbortSignal | undefined,
    readonly progress: ProgressReporter,
    /** Sent to the first host only, never along a redirect to another one. */
    readonly authorization: string | undefined,
  ) {}

  /** @throws HearbackError `cancelled` */
  checkCancelled(): void {
    if (this.signal?.aborted === true) throw cancelled();
  }

  /**
   * Sends one request and follows redirects by hand, handing every answer on the way to `onAnswer`; that may return
   * true to stop there. The limit is on waiting for the head of an answer; the body is watched by who reads it.
   */
  async #send(url: string, method: 'GET' | 'HEAD', headers: Readonly<Record<string, string>>, abort: AbortController, onAnswer: (response: Response) => boolean): Promise<Response> {
    const first = new URL(url);
    let at = first;
    for (let hop = 0; hop < 10; hop++) {
      const own: Record<string, string> = { 'user-agent': 'hearback', 'accept-encoding': 'identity', ...headers };
      if (this.authorization !== undefined && at.origin === first.origin) own.authorization = this.authorization;
      const timer = setTimeout(() => {
        abort.abort(new IdleError());
      }, this.patience.idle);
      let response: Response;
      try {
        response = await fetch(at, { method, headers: own, redirect: 'manual', signal: abort.signal });
      } finally {
        clearTimeout(timer);
      }
      this.#reached = true;
      const target = response.headers.get('location');
      const redirect = response.status >= 300 && response.status < 400 && response.status !== 304 && target !== null;
      if (onAnswer(response) || !redirect) return response;
      await response.body?.cancel();
      at = new URL(target, at);
      if (at.protocol !== 'https:' && at.protocol !== first.protocol) throw new HearbackError('unsupported', `${first.origin} redirects to ${at.protocol}//${at.host}, which is not safe.`, { hint: 'Nothing was downloaded from there.' });
    }
    throw new HearbackError('unsupported', `${first.origin} redirects in a circle.`, { hint: 'Try again later.' });
  }

  /**
   * Runs `attempt` until it succeeds, pausing between attempts. An attempt that made progress resets the count.
   *
   * @param what named in the sentence when it is given up
   */
  async retrying<T>(what: string, url: string, attempt: (abort: AbortController) => Promise<T>, madeProgress: () => boolean): Promise<T> {
    let failures = 0;
    for (;;) {
      this.checkCancelled();
      const abort = new AbortController();
      const forward = (): void => {
        abort.abort(cancelled());
      };
      this.signal?.addEventListener('abort', forward, { once: true });
      let failure: unknown;
      try {
        return await attempt(abort);
      } catch (thrown) {
        failure = abort.signal.aborted && !(thrown instanceof HearbackError) ? abort.signal.reason : thrown;
      } finally {
        this.signal?.removeEventListener('abort', forward);
        // ends a body that nobody reads to the end
        abort.abort(new IdleError());
      }
      this.checkCancelled();
      if (!(failure instanceof Busy) && (failure instanceof HearbackError || isFileError(failure))) throw failure;
      failures = madeProgress() ? 1 : failures + 1;
      if (failures >= (this.#reached ? this.patience.attempts : this.patience.firstAttempts)) throw this.#givenUp(what, url, failure);
      const asked = failure instanceof Busy ? failure.waitMs : undefined;
      if (asked !== undefined && asked > this.patience.longestPause) throw this.#givenUp(what, url, failure);
      const pause = asked ?? Math.min(this.patience.longestPause, this.patience.pause * 2 ** (failures - 1));
      try {
        await this.progress.pause(sleep(pause, undefined, this.signal === undefined ? {} : { signal: this.signal }));
      } catch {
        throw cancelled();
      }
    }
  }

  #givenUp(what: string, url: string, failure: unknown): HearbackError {
    const host = new URL(url).host;
    if (failure instanceof Busy) {
      const wait = failure.waitMs === undefined ? '' : ` and asks to wait ${Math.ceil(failure.waitMs / 1000)} seconds`;
      return new HearbackError('offline', `${host} does not give ${what} now: it answers ${failure.status}${wait}.`, { hint: 'Try again later; what was downloaded is kept.' });
    }
    if (failure instanceof IdleError) return new HearbackError('offline', `${host} went silent while sending ${what}.`, { hint: 'Run the same command again: it goes on where it stopped.' });
    const code = systemCode(failure);
    const reason = failure instanceof Error ? (failure.cause instanceof Error ? failure.cause.message : failure.message) : String(failure);
    if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/u.test(code)) {
      return new HearbackError('offline', `${host} could not be trusted (${reason}).`, { hint: 'If your network inspects traffic, give its certificate in NODE_EXTRA_CA_CERTS.', cause: failure });
    }
    const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => (this.env[name] ?? '') !== '') && this.env.NODE_USE_ENV_PROXY !== '1';
    const hint = proxy
      ? 'A proxy is set, but Node uses it only with NODE_USE_ENV_PROXY=1 (Node 22.21, 24 and later).'
      : this.#reached
        ? 'Run the same command again: it goes on where it stopped.'
        : 'Is this machine online? Where the hub cannot be reached, set HF_ENDPOINT to a mirror, try another --source, or copy the files into the folder by hand (docs/models.md).';
    return new HearbackError('offline', this.#reached ? `The connection to ${host} broke while fetching ${what} (${reason}).` : `${host} cannot be reached (${reason}).`, { hint, cause: failure });
  }

  /**
   * Asks for the head of a file, following redirects only as long as they stay on the host and do not tell what the
   * file is: a hub says so in its own answer, before it sends the client to where the bytes lie.
   *
   * @returns all headers met on the way, later ones winning
   */
  async head(url: string, what: string, informative: (headers: Headers) => boolean): Promise<Headers> {
    return this.retrying(
      what,
      url,
      async (abort) => {
        const met = new Headers();
        const response = await this.#send(url, 'HEAD', {}, abort, (answer) => {
          answer.headers.forEach((value, name) => {
            met.set(name, value);
          });
          const target = answer.headers.get('location');
          return informative(met) || (target !== null && new URL(target, url).origin !== new URL(url).origin);
        });
        if (response.status >= 400) throw refusal(response, what, url);
        return met;
      },
      () => false,
    );
  }

  /**
   * Downloads `url` to `target`, going on where an earlier call stopped. The bytes lie in `target` + ".part" until all
   * are there. Content is not checked here beyond its length.
   *
   * @param identity checksum that the server gives for the content; a partial download of another content is thrown away
   * @param size expected length, where it is known
   */
  async download(url: string, target: string, what: string, expected: { identity: string | undefined; size: number | undefined }): Promise<void> {
    const part = `${target}.part`;
    const note = `${part}.json`;
    try {
      await mkdir(dirname(target), { recursive: true });
      const kept = await readNote(note);
      let offset = await lengthOf(part);
      // either the hub says that the content is still the same, or the server is asked to look (If-Range)
      const same = expected.identity === undefined ? kept?.url === url && kept.validator !== undefined : kept?.identity === expected.identity;
      let validator = same ? kept?.validator : undefined;
      if (!same && offset > 0) {
        await truncate(part, 0);
        offset = 0;
      }
      this.progress.skip(offset);
      let progressed = false;
      await this.retrying(
        what,
        url,
        async (abort) => {
          progressed = false;
          if (expected.size !== undefined && offset >= expected.size) {
            if (offset === expected.size) return;
            this.progress.add(-offset);
            await truncate(part, 0);
            offset = 0;
          }
          const headers: Record<string, string> = {};
          if (offset > 0) {
            headers.range = `bytes=${offset}-`;
            if (validator !== undefined) headers['if-range'] = validator;
          }
          const response = await this.#send(url, 'GET', headers, abort, () => false);
          if (response.status === 416) {
            // what is kept is no beginning of what is there now
            this.progress.add(-offset);
            await truncate(part, 0);
            offset = 0;
            validator = undefined;
            throw new Error('the server refused to go on from there');
          }
          if (response.status !== 200 && response.status !== 206) throw refusal(response, what, url);
          const starts = response.status === 206 ? Number(/^bytes (\d+)-/u.exec(response.headers.get('content-range') ?? '')?.[1]) : 0;
          if (starts !== offset) {
            if (starts !== 0) throw new HearbackError('unsupported', `${new URL(url).host} sent another part of ${what} than the one asked for.`, { hint: 'Delete the partial download and try again.' });
            this.progress.add(-offset);
            await truncate(part, 0);
            offset = 0;
          }
          const etag = response.headers.get('etag');
          // only a strong validator may be used with If-Range (RFC 9110, 13.1.5)
          validator = etag !== null && !etag.startsWith('W/') ? etag : undefined;
          await writeFile(note, JSON.stringify({ url, identity: expected.identity, validator } satisfies Note));
          if (response.body === null) throw new Error('the answer has no body');
          await this.#write(response.body, part, offset, expected.size, what, abort, (count) => {
            offset += count;
            progressed = true;
            this.progress.add(count);
          });
          if (expected.size !== undefined && offset < expected.size) throw new Error(`the answer ended after ${offset} of ${expected.size} bytes`);
        },
        () => progressed,
      );
      // an empty file has no body to write
      if (offset === 0) await writeFile(part, '');
      await rename(part, target);
      await rm(note, { force: true });
    } catch (thrown) {
      if (thrown instanceof HearbackError && thrown.code === 'checksum') await Promise.all([rm(part, { force: true }), rm(note, { force: true })]);
      throw isFileError(thrown) ? fileFailure(thrown, part) : thrown;
    }
  }

  /** Appends a body to a file, watching for silence and for more bytes than there should be. */
  async #write(body: ReadableStream, part: string, offset: number, size: number | undefined, what: string, abort: AbortController, onBytes: (count: number) => void): Promise<void> {
    const file = createWriteStream(part, { flags: 'a' });
    const failed = new Promise<never>((_, reject) => file.once('error', reject));
    failed.catch(() => undefined);
    let at = offset;
    let timer = setTimeout(() => {
      abort.abort(new IdleError());
    }, this.patience.idle);
    try {
      for await (const chunk of Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])) {
        clearTimeout(timer);
        const bytes = chunk as Uint8Array;
        at += bytes.length;
        if (size !== undefined && at > size) throw new HearbackError('checksum', `${what} is longer than the ${size} bytes that it should have.`, { hint: 'It is not the file that the catalogue means; nothing of it was kept.' });
        await Promise.race([new Promise<void>((resolve, reject) => file.write(bytes, (error) => { if (error == null) resolve(); else reject(error); })), failed]);
        onBytes(bytes.length);
        timer = setTimeout(() => {
          abort.abort(new IdleError());
        }, this.patience.idle);
      }
    } finally {
      clearTimeout(timer);
      await new Promise<void>((resolve) => {
        if (file.closed) resolve();
        else {
          file.once('close', resolve);
          file.end();
        }
      });
    }
  }
}

const Note = z.object({ url: z.string(), identity: z.string().optional(), validator: z.string().optional() });
interface Note {
  url: string;
  identity: string | undefined;
  validator: string | undefined;
}

async function readNote(file: string): Promise<z.infer<typeof Note> | undefined> {
  try {
    const parsed = Note.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

async function lengthOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return 0;
    throw thrown;
  }
}

/** The failure of a pull that was asked to stop. */
export const cancelled = (): HearbackError => new HearbackError('cancelled', 'The pull was stopped.', { hint: 'What was downloaded is kept: the same command goes on from there.' });

/** The server is too busy; it may say for how long. */
class Busy extends Error {
  constructor(
    readonly status: number,
    readonly waitMs: number | undefined,
  ) {
    super(`the server answers ${status}`);
  }
}

/** No byte came for too long. */
class IdleError extends Error {
  constructor() {
    super('no answer for too long');
  }
}

/** Failures of the local disk carry these codes; those of a connection have others. */
function isFileError(thrown: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EMFILE', 'EIO', 'ENAMETOOLONG'].includes(systemCode(thrown) ?? '') && !(thrown instanceof TypeError);
}

/** What a status that is no success means. */
function refusal(response: Response, what: string, url: string): Error {
  const { status } = response;
  const host = new URL(url).host;
  if (status === 408 || status === 425 || status === 429 || status >= 500) return new Busy(status, retryAfter(response.headers.get('retry-after'), Date.now()));
  if (status === 401 || status === 403) {
    return new HearbackError('not-found', `${host} does not give out ${what} (${status}): it does not exist, or it is not open to everybody.`, {
      hint: 'Accept its licence on the hub with your account and set HF_TOKEN to a read token.',
    });
  }
  if (status === 404 || status === 410) return new HearbackError('not-found', `${host} has no ${what} (${status}).`, { hint: 'It may have been moved or renamed; try another --source, or a newer Hearback.' });
  return new HearbackError('unsupported', `${host} answers ${status} for ${what}.`, { hint: 'Check HF_ENDPOINT, or try again later.' });
}
