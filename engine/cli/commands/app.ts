/** `app` and `serve`: the engine as a local server, with the page in front of it or without. */
import type { Command } from 'commander';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PipelineChoice } from '../../assembly.js';
import { toHearbackError } from '../../domain/result.js';
import { packageRoot } from '../../models/index.js';
import { startServer, type RunningServer, type ServerOptions } from '../../server/index.js';
import { EXIT, note, paint, print, printJson, stopSignal } from '../io.js';
import { addJudgeOptions, deviceOption, jsonOption, modelOption, port, profileOption, speed, threadsOption } from '../options.js';
import { sessionsRoot } from '../places.js';

interface ServeOptions extends PipelineChoice {
  readonly port: number;
  readonly sessions?: string;
  readonly benchmarks?: string;
  readonly json?: true;
}

interface AppOptions extends ServeOptions {
  readonly open: boolean;
  readonly browser?: true;
  readonly speed: number | 'max';
}

/** Options of both. What is not said comes from the settings that the page stores. */
function serverOptions(command: Command): Command {
  command
    .option('--port <n>', 'port on the loopback address; 0 takes a free one', port, 0)
    .option('--sessions <dir>', 'folder in which sessions are kept')
    .option('--benchmarks <dir>', 'folder with runs of `hearback bench run` (default: benchmarks/ beside the sessions)')
    .addOption(modelOption().default(undefined))
    .addOption(deviceOption().default(undefined))
    .addOption(threadsOption())
    .addOption(profileOption().default(undefined));
  addJudgeOptions(command);
  command.options.find(({ long }) => long === '--judge')?.default(undefined);
  command.setOptionValue('judge', undefined);
  return command.addOption(jsonOption('print address and token as JSON'));
}

const start = (options: ServeOptions, more: Partial<ServerOptions> = {}): Promise<RunningServer> => startServer({ ...options, ...more, sessionsRoot: options.sessions ?? sessionsRoot() });

/** Serves until it is told to stop: by a signal, or by whoever started it as a part of the desktop app. */
async function serve(server: RunningServer): Promise<void> {
  for (const notice of server.notices) note(`! ${notice.text}`);
  await new Promise<void>((resolve) => {
    const signal = stopSignal(() => {
      resolve();
    });
    if (signal.aborted) resolve();
    // the desktop shell runs the engine as a child and ends it by letting go
    process.once('disconnect', resolve);
  });
  note('Ending: open sessions are being finished. Press again to end at once.');
  await server.close();
}

/** The desktop shell's program, where it has been fetched; an install without scripts leaves it out. */
function electronProgram(): string | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
    const program = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/** Shows an address in the user's browser; where that fails, the printed address is there to be opened by hand. */
function openBrowser(url: string): void {
  const [program, ...args] = process.platform === 'darwin' ? ['open', url] : process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', url] : ['xdg-open', url];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {
    note('No browser could be opened; open the address above.');
  });
  child.unref();
}

export function addServe(program: Command): void {
  serverOptions(program.command('serve').description('The engine as a server on this machine only: audio in and events out over a WebSocket (docs/protocol.md).')).action(async (options: ServeOptions) => {
    const server = await start(options);
    if (options.json === true) printJson({ url: server.url, token: server.token });
    else {
      print(`Hearback listens on ${server.url}`);
      print(`Clients connect to ${server.url.replace('http', 'ws')}/v2?token=${server.token}`);
      print('The token is good until the engine ends. Press Ctrl-C to end it.');
    }
    await serve(server);
  });

  serverOptions(
    program
      .command('app')
      .description('The app: live board, review desk, sessions, benchmarks. Opens in the desktop shell where that is installed, else in the browser.')
      .argument('[recordings...]', 'recordings to open; "-" listens to 16-bit little-endian mono PCM at 16 kHz on standard input')
      .option('--no-open', 'only print the address')
      .option('--browser', 'the browser, even where the desktop shell is installed')
      .option('--speed <factor>', 'how fast the recordings are heard: 1 is real time, "max" as fast as it goes', speed, 'max'),
  ).action(async (recordings: string[], options: AppOptions, command: Command) => {
    const shell = options.open && options.browser !== true && options.json !== true && !recordings.includes('-') ? electronProgram() : undefined;
    const main = join(packageRoot(), 'dist', 'electron', 'main.js');
    if (shell !== undefined && existsSync(main)) {
      // it starts an engine of its own with the same words
      const child = spawn(shell, [main, ...command.parent === null ? [] : process.argv.slice(process.argv.indexOf('app') + 1)], { stdio: 'inherit' });
      process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => { resolve(code ?? EXIT.failure); })); // prettier-ignore
      return;
    }
    const server = await start(options, { stdin: recordings.includes('-'), sameDoor: true });
    const address = `${server.url}/?token=${server.token}`;
    if (options.json === true) printJson({ url: server.url, token: server.token });
    else {
      print(`Hearback is at ${paint('bold', address)}`);
      print(paint('grey', 'This machine only; whoever has the address can see and hear what is stored. Press Ctrl-C to end it.'));
      print(paint('grey', 'For training, simulation and research. Not certified for operational use.'));
    }
    // started again by the desktop shell: what was running goes on by itself
    for (const recording of process.env['HEARBACK_GO_ON'] === undefined ? recordings : []) {
      const pace = options.speed === 'max' ? 'max' : Math.min(20, Math.max(0.25, options.speed));
      await server.sessions.open(recording === '-' ? { kind: 'stdin' } : { kind: 'file', path: recording, speed: pace }, {}).catch((thrown: unknown) => {
        process.exitCode = EXIT.failure;
        note(`${paint('red', '✗')} ${toHearbackError(thrown).sentence}`);
      });
    }
    if (options.open && options.json !== true) openBrowser(address);
    await serve(server);
  });
}
