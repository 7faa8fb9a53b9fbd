/** `doctor`: what this machine has, in plain words. */
import type { Command } from 'commander';
import { examineSystem } from '../../models/index.js';
import { EXIT, paint, print, printJson } from '../io.js';
import { jsonOption } from '../options.js';
import { sessionsRoot } from '../places.js';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Runtime, cores, instruction sets, providers, models, microphone, space: what is there and what is missing. Exit code 1 when something stands in the way.')
    .addOption(jsonOption('one JSON object a check'))
    .action(async (options: { json?: true }) => {
      for (const check of await examineSystem({ sessionsRoot: sessionsRoot() })) {
        if (check.status === 'problem') process.exitCode = EXIT.failure;
        if (options.json === true) {
          printJson(check);
          continue;
        }
        const look = check.status === 'ok' ? paint('green', '✓') : check.status === 'note' ? paint('yellow', '•') : paint('red', '✗');
        print(`${look} ${check.name.padEnd(20)} ${check.text}${check.hint === undefined ? '' : `\n  ${' '.repeat(20)} ${check.hint}`}`);
      }
    });
}
