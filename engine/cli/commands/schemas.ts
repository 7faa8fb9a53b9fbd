/** `schemas`: the JSON contract of the command line as JSON Schema. */
import type { Command } from 'commander';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DialogueInputLine, DialogueOutput, JudgeInput, JudgeOutput, TrafficList, TranscribeLine, UnderstandInput, UnderstandOutput } from '../../domain/contract.js';
import { LoggedEvent } from '../../domain/events.js';
import { HearbackError } from '../../domain/result.js';
import { ClientMessage, ServerMessage } from '../../server/protocol.js';
import { EXIT, note, print } from '../io.js';

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'traffic-list': TrafficList,
  'transcribe-line': TranscribeLine,
  'understand-input': UnderstandInput,
  'understand-output': UnderstandOutput,
  'judge-input': JudgeInput,
  'judge-output': JudgeOutput,
  'dialogue-input': DialogueInputLine,
  'dialogue-output': DialogueOutput,
  'event': LoggedEvent,
  'client-message': ClientMessage,
  'server-message': ServerMessage,
};

const render = (name: string, schema: z.ZodType): string =>
  `${JSON.stringify({ title: name, ...z.toJSONSchema(schema, { io: name.endsWith('input') || name.startsWith('client') ? 'input' : 'output', unrepresentable: 'any' }) }, null, 2)}\n`;

export function addSchemas(program: Command): void {
  program
    .command('schemas')
    .description('Writes the JSON Schemas of inputs and outputs (docs/schema/ holds them for reading).')
    .option('--out <dir>', 'folder to write to')
    .option('--check <dir>', 'exit code 1 when the files there are not up to date')
    .action((options: { out?: string; check?: string }) => {
      if (options.out === undefined && options.check === undefined) throw new HearbackError('usage', 'Say where to: --out DIR, or --check DIR.');
      let stale = 0;
      for (const [name, schema] of Object.entries(SCHEMAS)) {
        const text = render(name, schema);
        if (options.out !== undefined) {
          mkdirSync(options.out, { recursive: true });
          writeFileSync(join(options.out, `${name}.json`), text);
          print(join(options.out, `${name}.json`));
        }
        if (options.check !== undefined) {
          const file = join(options.check, `${name}.json`);
          let there = '';
          try {
            there = readFileSync(file, 'utf8');
          } catch {
            // a missing file is as stale as a different one
          }
          if (there !== text) {
            stale++;
            note(`${file} is not up to date. Run: npm run schemas`);
          }
        }
      }
      if (stale > 0) process.exitCode = EXIT.failure;
      else if (options.check !== undefined) print(`${Object.keys(SCHEMAS).length} schemas are up to date.`);
    });
}
