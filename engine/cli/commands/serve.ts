/** `serve`: the engine as a local server. */
import type { Command } from 'commander';
import type { DeviceChoice } from '../../asr/index.js';
import type { JudgeChoice } from '../../assembly.js';
import type { Profile } from '../../domain/taxonomy.js';
import { startServer } from '../../server/index.js';
import { note, print, printJson, stopSignal } from '../io.js';
import { addJudgeOptions, deviceOption, jsonOption, modelOption, port, profileOption, threadsOption } from '../options.js';
import { sessionsRoot } from '../places.js';

interface ServeOptions extends JudgeChoice {
  readonly port: number;
  readonly sessions?: string;
  readonly model: string;
  readonly device: DeviceChoice;
  readonly threads?: number;
  readonly profile: Profile;
  readonly json?: true;
}

export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('The engine as a server on this machine only: audio in and events out over a WebSocket (docs/protocol.md).')
    .option('--port <n>', 'port on the loopback address; 0 takes a free one', port, 0)
    .option('--sessions <dir>', 'folder in which sessions are made')
    .addOption(modelOption())
    .addOption(deviceOption())
    .addOption(threadsOption())
    .addOption(profileOption());
  addJudgeOptions(command)
    .addOption(jsonOption('print address and token as JSON'))
    .action(async (options: ServeOptions) => {
      const server = await startServer({ ...options, sessionsRoot: options.sessions ?? sessionsRoot() });
      if (options.json === true) printJson({ url: server.url, token: server.token });
      else {
        print(`Hearback listens on ${server.url}`);
        print(`Clients connect to ${server.url.replace('http', 'ws')}/v1?token=${server.token}`);
        print('The token is good until the engine ends. Press Ctrl-C to end it.');
      }
      for (const notice of server.notices) note(`! ${notice.text}`);
      await new Promise<void>((resolve) => {
        const signal = stopSignal(() => {
          resolve();
        });
        if (signal.aborted) resolve();
      });
      note('Ending: open sessions are being finished. Press again to end at once.');
      await server.close();
    });
}
