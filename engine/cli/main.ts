#!/usr/bin/env node
/** `hearback …`: reads the command line, calls the rooms, turns failures into sentences and exit codes. */
import { Command, CommanderError } from 'commander';
import { productVersion } from '../assembly.js';
import { toHearbackError } from '../domain/result.js';
import { addLanguageCommands } from './commands/language.js';
import { EXIT, note, paint } from './io.js';

const version = productVersion();
const program = new Command('hearback')
  .description('Listens to air traffic control radio, pairs every instruction with its readback and flags wrong readbacks.\nFor training, simulation and research. Not certified for operational use.')
  .version(version)
  .showHelpAfterError('(add --help for what the command takes)')
  .addHelpText('after', '\nResults go to stdout, everything else to stderr. Exit codes: 0 done, 1 failure, 2 usage, 3 a threshold not met.')
  .exitOverride();

// the text commands are called once a pair by scripts: they start without loading what decodes and recognises audio
const TEXT_COMMANDS: readonly (string | undefined)[] = ['understand', 'judge', 'dialogue'];
addLanguageCommands(program);
if (!TEXT_COMMANDS.includes(process.argv[2])) {
  const [app, bench, demo, doctor, models, monitor, schemas, sessions, transcribe] = await Promise.all([
    import('./commands/app.js'),
    import('./commands/bench.js'),
    import('./commands/demo.js'),
    import('./commands/doctor.js'),
    import('./commands/models.js'),
    import('./commands/monitor.js'),
    import('./commands/schemas.js'),
    import('./commands/sessions.js'),
    import('./commands/transcribe.js'),
  ]);
  bench.addBench(program);
  demo.addDemo(program, version);
  monitor.addMonitor(program, version);
  transcribe.addTranscribe(program);
  sessions.addSessions(program);
  models.addModels(program);
  app.addServe(program);
  doctor.addDoctor(program);
  schemas.addSchemas(program);
}

// a reader that has seen enough (`hearback … | head`) is not a failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  // given, because commander takes the desktop shell's engine for a packaged app without a script in front
  await program.parseAsync(process.argv);
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
