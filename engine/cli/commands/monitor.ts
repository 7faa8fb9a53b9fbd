/** `monitor`: the live pipeline over a recording or standard input. `demo`: the same over the bundled recording, beside its truth. */
import type { Command } from 'commander';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { assemble, type JudgeChoice } from '../../assembly.js';
import { expandInputs, openAudio, openPcmStream, pace, type ChannelChoice } from '../../audio/index.js';
import type { DeviceChoice } from '../../asr/index.js';
import type { LoggedEvent } from '../../domain/events.js';
import { HearbackError } from '../../domain/result.js';
import type { AudioSource } from '../../domain/stages.js';
import type { Profile } from '../../domain/taxonomy.js';
import type { Context } from '../../domain/understanding.js';
import { passingSink, runPipeline, type PipelineResult } from '../../pipeline.js';
import { createSession, openSession, resumeState, type Session } from '../../session/index.js';
import { Board } from '../board.js';
import { clock, endProgress, EXIT, note, paint, print, printJson, readContext, showProgress, stopSignal } from '../io.js';
import { addJudgeOptions, channelOption, contextOption, deviceOption, jsonOption, modelOption, positiveInteger, profileOption, speed, strengthOption, threadsOption, workersOf, workersOption } from '../options.js';
import { newSessionFolder } from '../places.js';

export interface MonitorChoice extends JudgeChoice {
  readonly model: string;
  readonly device: DeviceChoice;
  readonly threads?: number;
  readonly workers?: number;
  readonly profile: Profile;
  readonly context?: Context | undefined;
  readonly speed: number | 'max';
  readonly json: boolean;
  readonly all: boolean;
}

/** Everything that a run leaves behind for whoever started it. */
export interface MonitorRun {
  readonly result: PipelineResult;
  readonly session: string | undefined;
  readonly events: readonly LoggedEvent[];
  /** Seconds from the first read to the last finding. */
  readonly elapsed: number;
}

/**
 * Runs the pipeline over a source with the board (or JSON lines) on stdout. Every event is stored before it is shown.
 *
 * @param wishes keepEvents: hand all events back (for the demo's comparison). silent: print nothing but progress.
 */
export async function monitorSource(source: AudioSource, session: Session | undefined, choice: MonitorChoice, wishes: { keepEvents?: boolean; silent?: boolean } = {}): Promise<MonitorRun> {
  const parts = await assemble(choice);
  const events: LoggedEvent[] = [];
  const board = new Board(source.channels.length, choice.all);
  const startedAt = performance.now();
  const controller = stopSignal(() => {
    note('Stopping: what was heard so far is being finished. Press again to stop at once.');
  });
  try {
    const resume = session === undefined || session.lastSeq === 0 ? undefined : resumeState(session);
    if (resume !== undefined && session !== undefined) note(`Going on with the session: ${resume.transmissions.length} transmissions are there, ${session.pending({ retryBelow: Infinity }).length} of them wait for the recogniser.`);
    const result = await runPipeline(choice.speed === 'max' ? source : pace(source, choice.speed), { ...parts, sink: session ?? passingSink() }, {
      signal: controller,
      ...(resume === undefined ? {} : { resume }),
      onEvent: (logged) => {
        if (wishes.keepEvents === true) events.push(logged);
        if (wishes.silent === true) return;
        if (choice.json) {
          printJson(logged);
          return;
        }
        const lines = board.lines(logged.event);
        if (lines.length > 0) endProgress();
        for (const line of lines) print(line);
      },
      onProgress: ({ seconds, duration, waiting }) => {
        if (choice.speed === 'max') showProgress(`${clock(seconds)} heard${waiting > 0 ? `, ${waiting} waiting` : ''}`, seconds, duration, startedAt);
      },
    });
    endProgress();
    return { result, session: session?.dir, events, elapsed: (performance.now() - startedAt) / 1000 };
  } finally {
    endProgress();
    await parts.recogniser.close();
    await parts.judge.close?.();
  }
}

/** The one recording that a name stands for, in whatever Unicode spelling it lies on disk. */
async function oneRecording(name: string): Promise<string> {
  const { files, failures } = await expandInputs([name]);
  if (failures[0] !== undefined) throw failures[0].error;
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw new HearbackError('usage', `${name} stands for ${files.length} recordings, and monitor follows one.`, { hint: 'Name one of them; "hearback transcribe" takes many.' });
  return file;
}

/** Whether two names lead to the same recording: the same but for Unicode spelling, or another way to the same file. */
function sameRecording(one: string, other: string): boolean {
  if (one.normalize('NFC') === other.normalize('NFC')) return true;
  const real = (path: string): string | undefined => {
    try {
      return realpathSync(path);
    } catch {
      return undefined;
    }
  };
  const there = real(one);
  return there !== undefined && there === real(other);
}

/**
 * A new session in DIR, or the one that is there, to go on with.
 *
 * @throws HearbackError session: what is there came from another recording, or from a live input, which cannot be heard again.
 */
function openOrCreateSession(dir: string, source: string, live: boolean, version: string): Session {
  if (!existsSync(join(dir, 'session.db'))) return createSession(dir, { source, version });
  const session = openSession(dir);
  const before = session.identity.source;
  if (!live && (before === undefined || sameRecording(before, source))) return session;
  session.close();
  throw new HearbackError('session', live ? `${dir} already holds a session, and a live input cannot be taken up again.` : `${dir} holds the session of ${before ?? 'another source'}, not of ${source}.`, {
    hint: 'Choose a new folder with --session.',
  });
}

interface MonitorOptions extends Omit<MonitorChoice, 'context' | 'json' | 'all'> {
  readonly context?: string;
  readonly contextStrength?: number;
  readonly session?: string | false;
  readonly json?: true;
  readonly all?: true;
  readonly channel: ChannelChoice;
  readonly rate: number;
}

/** The last words of a run on stderr, and its exit code. */
export function closeRun({ result, session }: MonitorRun): void {
  note(`${clock(result.seconds)} of audio, ${result.transmissions} transmissions${result.failed > 0 ? `, ${result.failed} not recognised` : ''}.${result.reason === 'stopped' ? ' Stopped before the end.' : ''}`);
  if (session !== undefined) note(`Session: ${session}  (hearback export "${session}" --format html)`);
  if (result.failed > 0 || result.reason === 'failed') process.exitCode = EXIT.failure;
}

export function addMonitor(program: Command, version: string): void {
  const command = program
    .command('monitor')
    .description('The live pipeline: exchanges and flags as they happen, stored in a session. The same folder given again goes on where it stopped.')
    .argument('<file>', 'a recording, or "-" for 16-bit little-endian mono PCM on standard input')
    .option('--session <dir>', 'folder of the session (default: a new one in the data folder)')
    .option('--no-session', 'store nothing')
    .option('--speed <factor>', 'replay speed: 1 is real time, "max" as fast as it goes', speed, 1)
    .option('--rate <hz>', 'sample rate of standard input', positiveInteger, 16_000)
    .option('--all', 'show every transmission, and correct readbacks in full')
    .addOption(modelOption())
    .addOption(deviceOption())
    .addOption(threadsOption())
    .addOption(workersOption(' with --speed max, else 1'))
    .addOption(channelOption())
    .addOption(profileOption());
  addJudgeOptions(command)
    .addOption(contextOption())
    .addOption(strengthOption())
    .addOption(jsonOption('one JSON event a line, as it lies in the log'))
    .action(async (file: string, options: MonitorOptions) => {
      const context = await readContext(options.context, options.contextStrength);
      const live = file === '-';
      const source = live ? openPcmStream(process.stdin, { name: 'standard input', sampleRate: options.rate }) : await openAudio(await oneRecording(file), { channel: options.channel });
      const session = options.session === false ? undefined : openOrCreateSession(options.session ?? newSessionFolder(source.name), source.name, live, version);
      try {
        const workers = workersOf(options, !live && options.speed === 'max');
        const run = await monitorSource(source, session, { ...options, workers, context, json: options.json === true, all: options.all === true, speed: live ? 'max' : options.speed });
        closeRun(run);
      } finally {
        session?.close();
      }
      if (options.json !== true) note(paint('grey', 'For training, simulation and research. Not certified for operational use.'));
    });
}
