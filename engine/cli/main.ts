#!/usr/bin/env node
/** `hearback …`: reads the command line, calls the rooms, turns failures into sentences and exit codes. */
import { Command, CommanderError } from 'commander';
import { productVersion } from '../assembly.js';
import { toHearbackError } from '../domain/result.js';
import { addDemo } from './commands/demo.js';
import { addDoctor } from './commands/doctor.js';
import { addLanguageCommands } from './commands/language.js';
import { addModels } from './commands/models.js';
import { addMonitor } from './commands/monitor.js';
import { addSchemas } from './commands/schemas.js';
import { addServe } from './commands/serve.js';
import { addSessions } from './commands/sessions.js';
import { addTranscribe } from './commands/transcribe.js';
import { EXIT, note, paint } from './io.js';

const version = productVersion();
const program = new Command('hearback')
  .description('Listens to air traffic control radio, pairs every instruction with its readback and flags wrong readbacks.\nFor training, simulation and research. Not certified for operational use.')
  .version(version)
  .showHelpAfterError('(add --help for what the command takes)')
  .addHelpText('after', '\nResults go to stdout, everything else to stderr. Exit codes: 0 done, 1 failure, 2 usage, 3 a threshold not met.')
  .exitOverride();

addDemo(program, version);
addMonitor(program, version);
addTranscribe(program);
addLanguageCommands(program);
addSessions(program);
addModels(program);
addServe(program);
addDoctor(program);
addSchemas(program);
// commander copies exitOverride to sub-commands only when they are made after it through .command(); ours are

// a reader that has seen enough (`hearback … | head`) is not a failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  await program.parseAsync();
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    process.exitCode = thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
  } else {
    const error = toHearbackError(thrown);
    note(`${paint('red', '✗')} ${error.sentence}`);
    if (error.code === 'internal' && process.env['HEARBACK_DEBUG'] !== undefined) note(String(thrown instanceof Error ? thrown.stack : thrown));
    process.exitCode = error.code === 'usage' || error.code === 'unknown-id' ? EXIT.usage : EXIT.failure;
  }
}
