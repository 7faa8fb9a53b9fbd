/** `models list | verify | pull`. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { formatProgress, listModels, pullModel, SOURCE_KINDS, verifyModel, type SourceKind } from '../../models/index.js';
import { EXIT, endProgress, note, paint, print, printJson, stopSignal } from '../io.js';
import { jsonOption } from '../options.js';

export function addModels(program: Command): void {
  const models = program.command('models').description('What models there are, whether they are whole, and how to get more.');

  models
    .command('list')
    .description('All models of the catalogue, with licence, size and whether they are here.')
    .addOption(jsonOption('one JSON object a model'))
    .action(async (options: { json?: true }) => {
      for (const model of await listModels()) {
        if (options.json === true) {
          printJson(model);
          continue;
        }
        print(`${model.present ? paint('green', '✓') : ' '} ${paint('bold', model.id.padEnd(32))} ${model.text}`);
      }
    });

  models
    .command('verify')
    .description('Compares size and checksum of every file with the catalogue.')
    .argument('[id...]', 'models to check; all that are here when left out')
    .option('--embedded', 'only those that ship with the product')
    .addOption(jsonOption('one JSON object a model'))
    .action(async (ids: string[], options: { json?: true; embedded?: true }) => {
      const wanted = ids.length > 0 ? ids : (await listModels()).filter((model) => (options.embedded === true ? model.embedded : model.state !== 'absent')).map((model) => model.id);
      for (const id of wanted) {
        const checked = await verifyModel(id);
        if (options.json === true) printJson(checked);
        else print(`${checked.status === 'ok' ? paint('green', '✓') : checked.status === 'not-checked' ? paint('yellow', '?') : paint('red', '✗')} ${checked.text}`);
        if (checked.status === 'broken' || checked.status === 'absent') process.exitCode = EXIT.failure;
      }
    });

  models
    .command('pull')
    .description('Fetches a model, checks it, and puts it into the data folder. A broken download goes on where it stopped.')
    .argument('<id>', 'an id from `hearback models list`')
    .addOption(new Option('--source <kind>', 'where to fetch from, when the model has more than one source').choices(SOURCE_KINDS))
    .addOption(jsonOption('print what was fetched as JSON'))
    .action(async (id: string, options: { source?: SourceKind; json?: true }) => {
      const signal = stopSignal(() => {
        note('Stopping; what was fetched is kept for the next try.');
      });
      let last = 0;
      const pulled = await pullModel(id, {
        signal,
        ...(options.source === undefined ? {} : { source: options.source }),
        onProgress: (progress) => {
          const now = performance.now();
          if (now - last < (process.stderr.isTTY ? 200 : 5000)) return;
          last = now;
          process.stderr.write(process.stderr.isTTY ? `\r\u001b[2K${formatProgress(progress)}` : `${formatProgress(progress)}\n`);
        },
      });
      endProgress();
      if (process.stderr.isTTY) process.stderr.write('\n');
      if (options.json === true) printJson(pulled);
      else {
        for (const notice of pulled.notices) print(`${paint('yellow', '!')} ${notice.text}`);
        print(`${paint('green', '✓')} ${pulled.text}`);
      }
    });
}
