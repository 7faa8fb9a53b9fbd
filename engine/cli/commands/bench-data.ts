/** `bench import` and `bench speak`: items from elsewhere, and speech for items. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { FORMATS, importBenchmark, TASKS, type Format, type Task } from '../../bench/index.js';
import { HearbackError } from '../../domain/result.js';
import { packageRoot } from '../../models/index.js';
import { EXIT, note, paint, printJson } from '../io.js';
import { positiveInteger } from '../options.js';

/** "audio.readback.file=COLUMN". */
function field(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('must be FIELD=COLUMN, e.g. text=sentence.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

export function addBenchData(bench: Command): void {
  bench
    .command('import')
    .description('Carries a corpus or benchmark of another layout into ours, which `bench run` reads. What cannot be used is told by line, left out and counted.')
    .argument('<path>', 'file or folder')
    .addOption(new Option('--format <name>', 'its layout (docs/benchmark-data.md)').choices(FORMATS).makeOptionMandatory())
    .requiredOption('--out <folder>', 'where task1.jsonl, task2.jsonl, ground.jsonl, speech.jsonl go; recordings stay where they are')
    .addOption(new Option('--task <name>', 'table: what its rows are').choices(TASKS))
    .option('--field <field=column>', 'table: what a field of ours is called there; may be repeated', field, {})
    .action(async (path: string, options: { format: Format; out: string; task?: Task; field: Record<string, string> }) => {
      const mapping = options.task === undefined ? {} : { mapping: { task: options.task, fields: options.field } };
      const counts = await importBenchmark(path, options.format, options.out, {
        ...mapping,
        onBad: ({ where, line, why }) => {
          note(`${paint('yellow', '•')} ${where}${line === undefined ? '' : `, line ${String(line)}`}, is left out: ${why}`);
        },
      });
      printJson({ out: options.out, ...counts });
    });

  bench
    .command('speak')
    .description('Makes speech for the items of fixtures/bench with free voices (Python; training/held_out/README.md says what it needs). Goes on after a stop.')
    .requiredOption('--work <folder>', 'where the voices are')
    .option('--out <folder>', 'default: fixtures/bench/voice')
    .option('--python <path>', 'which Python', 'python3')
    .option('--all', 'every item, not only those that are in the repository', false)
    .option('--limit <n>', 'only so many transmissions', positiveInteger)
    .action(async (options: { work: string; out?: string; python: string; all: boolean; limit?: number }) => {
      const script = join(packageRoot(), 'training', 'held_out', 'speak_bench.py');
      if (!existsSync(script)) throw new HearbackError('not-found', `${script} is not there.`, { hint: 'The maker of speech is part of the repository, not of the installed package.' });
      const code = await new Promise<number | null>((resolve, reject) => {
        const child = spawn(options.python, [script, '--work', options.work, ...(options.out === undefined ? [] : ['--out', options.out]), ...(options.all ? ['--all'] : []), ...(options.limit === undefined ? [] : ['--limit', String(options.limit)])], { stdio: ['ignore', 'inherit', 'inherit'] });
        child.once('error', () => {
          reject(new HearbackError('not-found', `${options.python} cannot be started.`, { hint: 'Name a Python that has the packages with --python.' }));
        });
        child.once('close', resolve);
      });
      if (code !== 0) process.exitCode = EXIT.failure;
    });
}
