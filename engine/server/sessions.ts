/**
 * Starting sessions: from a client's frames, recordings on disk and uploaded, folders, streams, sound inputs.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPcmStream } from '../audio/index.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { AudioSource } from '../domain/stages.js';
import type { Profile } from '../domain/taxonomy.js';
import type { Context } from '../domain/understanding.js';
import type { Hub, OpenLog, StartOptions } from './hub.js';
import type { Settings, SourceChoice } from './protocol.js';
import { PushedSource } from './pushed.js';
import { Replay, type Speed } from './replay.js';
import { openDemo, openDevice, openRecording, openStream, openUpload } from './sources.js';
import type { Tasks } from './tasks.js';

/** Largest upload, bytes: 24 hours of 48 kHz stereo in 24 bits are 25 GB. */
const MAX_UPLOAD = 32 * 1024 ** 3;
/** A folder is looked at so often; a file that has not grown in between is complete. Milliseconds. */
const LOOK = 2000;
/** In the folder of the sessions: recordings on their way in. */
const UPLOADS = '.uploads';

const RECORDING = /\.(wav|wave|w64|rf64|bwf|flac|mp3|mp2|ogg|oga|opus|aif|aiff|au|snd|caf|sph|m4a|mp4|aac|wma|webm)$/i;

/** What of a session's opening does not depend on the source. */
export interface Opening {
  readonly name?: string | undefined;
  readonly profile?: Profile | undefined;
  readonly context?: Context | undefined;
}

/** How to hear a file again after the engine was lost. */
interface Again {
  readonly file?: string;
  /** A recording that was sent in, by its name among the uploads. */
  readonly upload?: string;
  readonly demo?: true;
  readonly speed?: Speed;
  /** Nothing more can come: what waits is done. */
  readonly channels?: readonly string[];
}

const replayed = (speed: Speed): NonNullable<StartOptions['replay']> => (source, changed) => {
  const replay: Replay = new Replay(source, speed, () => {
    changed(replay);
  });
  return replay;
};

export class Sessions {
  readonly #folders = new Map<string, NodeJS.Timeout>();
  #imports: Promise<unknown> = Promise.resolve();
  #stdinTaken = false;

  constructor(
    private readonly hub: Hub,
    private readonly tasks: Tasks,
    private readonly settings: () => Settings,
    /** Standard input may be listened to. */
    readonly stdin: boolean,
  ) {
    // what was on its way in when an engine was lost is of no use; what had arrived is heard on
    const wanted = new Set(hub.interrupted().map(([, how]) => (how as Again).upload));
    const folder = join(hub.root, UPLOADS);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) if (!wanted.has(name)) rmSync(join(folder, name), { force: true });
  }

  /** @returns undefined for a watched folder. @throws HearbackError */
  async open(source: SourceChoice, opening: Opening): Promise<OpenLog | undefined> {
    const common = { profile: opening.profile, context: opening.context, keepRecording: this.settings().keep_recording };
    switch (source.kind) {
      case 'push': {
        const name = opening.name ?? 'live';
        const pushed = new PushedSource(name, source.channels, source.sample_rate);
        return this.hub.start({ ...common, name, source: pushed, pushed, urgency: 'live', again: { channels: source.channels } satisfies Again });
      }
      case 'file': {
        const path = resolve(source.path);
        const recording = await openRecording(path);
        const name = opening.name ?? basename(path);
        if (source.speed === 'max') return (await this.#import(recording, name, { ...common, again: { file: path, speed: 'max' } satisfies Again })).log;
        return this.hub.start({ ...common, name, source: recording, urgency: 'live', replay: replayed(source.speed), again: { file: path, speed: source.speed } satisfies Again });
      }
      case 'demo': {
        const { source: recording, context } = await openDemo();
        return this.hub.start({
          ...common,
          context: opening.context ?? context,
          name: opening.name ?? 'Demo: tower and approach',
          source: recording,
          urgency: 'live',
          replay: replayed(source.speed),
          again: { demo: true, speed: source.speed } satisfies Again,
        });
      }
      case 'folder':
        this.#watch(resolve(source.path));
        return undefined;
      case 'stdin': {
        if (!this.stdin || this.#stdinTaken) throw new HearbackError('usage', this.stdin ? 'Standard input is being listened to already.' : 'The engine was not started with a standard input.', { hint: 'Start it as: arecord … | hearback app -' });
        this.#stdinTaken = true;
        const piped = openPcmStream(process.stdin, { name: 'standard input' });
        return this.hub.start({ ...common, name: opening.name ?? 'standard input', source: piped, urgency: 'live', again: { channels: piped.channels } satisfies Again });
      }
      case 'stream':
      case 'device': {
        const opened = source.kind === 'stream' ? await openStream(source.url) : await openDevice(source.device);
        try {
          return await this.hub.start({ ...common, name: opening.name ?? opened.source.name, source: opened.source, urgency: 'live', again: { channels: opened.source.channels } satisfies Again, ...(opened.close === undefined ? {} : { after: opened.close }) });
        } catch (thrown) {
          opened.close?.();
          throw thrown;
        }
      }
    }
  }

  /** Takes a recording in: to disk first, then opened, then listened to when its turn comes. @throws HearbackError */
  async upload(body: Readable, name: string, speed: Speed): Promise<{ readonly log: OpenLog; readonly task: string }> {
    const folder = join(this.hub.root, UPLOADS);
    const upload = randomBytes(8).toString('hex');
    const path = join(folder, upload);
    const away = (): void => {
      void rm(path, { force: true });
    };
    try {
      mkdirSync(folder, { recursive: true });
      let bytes = 0;
      const limit = new Transform({
        transform(piece: Buffer, _encoding, done) {
          bytes += piece.length;
          if (bytes > MAX_UPLOAD) done(new HearbackError('too-large', 'The recording is larger than 32 GB.', { hint: 'Cut it into parts.' }));
          else done(null, piece);
        },
      });
      await pipeline(body, limit, createWriteStream(path));
      const recording = await openUpload(path, name);
      const common = { keepRecording: this.settings().keep_recording, again: { upload, speed } satisfies Again };
      if (speed === 'max') return await this.#import(recording, name, { ...common, after: away });
      const log = await this.hub.start({ ...common, name, source: recording, urgency: 'live', replay: replayed(speed), after: away });
      return { log, task: '' };
    } catch (thrown) {
      away();
      if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT')) throw new HearbackError('disk-full', 'There is no room left on the disk for the recording.', { hint: 'Free some space, or delete old sessions.' });
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE') throw new HearbackError('truncated', 'The recording did not arrive whole.', { hint: 'Send it again.' });
      throw thrown;
    }
  }

  /** Sessions that were running when the engine was lost go on. Returns what could not, as sentences. */
  async goOn(): Promise<string[]> {
    const failures: string[] = [];
    for (const [id, how] of this.hub.interrupted()) {
      const again = how as Again;
      try {
        const { name } = this.hub.look(id).session.identity;
        const { source, context, after } = await this.#sourceAgain(again, name);
        const speed = again.speed ?? 'max';
        if (speed === 'max' && again.channels === undefined) {
          await this.#import(source, name, { context, keepRecording: this.settings().keep_recording, again, ...(after === undefined ? {} : { after }) }, id);
          continue;
        }
        await this.hub.resume(id, {
          name: '',
          source,
          context,
          urgency: speed === 'max' ? 'file' : 'live',
          keepRecording: this.settings().keep_recording,
          ...(again.channels === undefined ? { replay: replayed(speed) } : {}),
          again,
          ...(after === undefined ? {} : { after }),
        });
      } catch (thrown) {
        if (toHearbackError(thrown).code === 'session') continue; // another engine runs it
        this.hub.forget(id);
        const failure = `The session ${id} could not be taken up again. ${toHearbackError(thrown).sentence}`;
        failures.push(failure);
        // for those who look at the page and not at the terminal
        this.tasks.end(this.tasks.add('import', id, () => undefined, { session: id }), new HearbackError(toHearbackError(thrown).code, failure));
      }
    }
    return failures;
  }

  /** The source of a session that was interrupted. @throws HearbackError not-found … */
  async #sourceAgain(again: Again, name: string): Promise<{ readonly source: AudioSource; readonly context?: Context; readonly after?: () => void }> {
    if (again.demo === true) return openDemo();
    if (again.upload !== undefined) {
      const path = join(this.hub.root, UPLOADS, again.upload);
      return { source: await openUpload(path, name), after: () => void rm(path, { force: true }) };
    }
    return { source: again.file === undefined ? nothingMore(again.channels ?? []) : await openRecording(again.file) };
  }

  /** Lets go of watched folders. */
  close(): void {
    for (const timer of this.#folders.values()) clearInterval(timer);
    this.#folders.clear();
  }

  /** Imports run one after the other: each takes all the recogniser that live sessions leave. @param id of a session that goes on */
  async #import(source: AudioSource, name: string, options: Pick<StartOptions, 'keepRecording' | 'context' | 'profile' | 'after' | 'again'>, id?: string): Promise<{ log: OpenLog; task: string }> {
    let stop = (): void => undefined;
    let task = '';
    const before = this.#imports;
    let free = (): void => undefined;
    this.#imports = new Promise<void>((done) => {
      free = done;
    });
    try {
      task = this.tasks.add('import', name, () => { stop(); }, source.duration === undefined ? {} : { total: source.duration }); // prettier-ignore
      const start: StartOptions = {
        ...options,
        name,
        source,
        urgency: 'file',
        replay: replayed('max'),
        turn: before.then(() => {
          this.tasks.update(task, { state: 'running' });
        }),
        onProgress: (seconds) => {
          this.tasks.update(task, { done: seconds });
        },
        after: () => {
          free();
          options.after?.();
        },
      };
      const log = await (id === undefined ? this.hub.start(start) : this.hub.resume(id, start));
      stop = () => log.run?.stop.abort();
      this.tasks.update(task, { session: log.id });
      void log.run?.done.then(() => {
        const reason = log.session.state.ended?.reason;
        if (reason === 'stopped') this.tasks.update(task, { state: 'stopped' });
        else this.tasks.end(task, reason === 'failed' || reason === undefined ? new HearbackError('internal', log.session.state.notices.at(-1)?.text ?? 'The recording could not be read to its end.') : undefined);
      });
      return { log, task };
    } catch (thrown) {
      free();
      if (task !== '') this.tasks.end(task, thrown);
      throw thrown;
    }
  }

  #watch(folder: string): void {
    const names = (): string[] => {
      try {
        return readdirSync(folder).filter((name) => !name.startsWith('.') && RECORDING.test(name));
      } catch (thrown) {
        throw new HearbackError('not-found', `The folder ${folder} cannot be read.`, { hint: 'Check the path.', cause: thrown });
      }
    };
    const seen = new Set(names());
    const growing = new Map<string, number>();
    const task = this.tasks.add('folder', folder, () => {
      clearInterval(this.#folders.get(task));
      this.#folders.delete(task);
    });
    this.tasks.update(task, { state: 'running' });
    const look = (): void => {
      let found: string[];
      try {
        found = names();
      } catch (thrown) {
        clearInterval(this.#folders.get(task));
        this.tasks.end(task, thrown);
        return;
      }
      for (const name of found) {
        if (seen.has(name)) continue;
        const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
        if (size === 0 || growing.get(name) !== size) {
          growing.set(name, size);
          continue;
        }
        growing.delete(name);
        seen.add(name);
        const path = join(folder, name);
        openRecording(path)
          .then((source) => this.#import(source, name, { keepRecording: this.settings().keep_recording, again: { file: path, speed: 'max' } satisfies Again }))
          .catch((thrown: unknown) => {
            const failed = this.tasks.add('import', name, () => undefined);
            this.tasks.end(failed, thrown);
          });
      }
    };
    this.#folders.set(task, setInterval(look, LOOK).unref());
  }
}

/** What is left of a live input that cannot be heard again: its channels, and no more audio. */
function nothingMore(channels: readonly string[]): AudioSource {
  const ended = new PushedSource('live', channels, 16_000);
  ended.end();
  return ended;
}
