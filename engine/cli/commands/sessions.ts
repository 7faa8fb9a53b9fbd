/** `sessions` and `export`: what was stored, and what comes out of it. */
import { Option, type Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deleteSession, EXPORT_FORMATS, exportSession, listSessions, type ExportFormat } from '../../session/index.js';
import { clock, EXIT, note, paint, print, printJson } from '../io.js';
import { jsonOption } from '../options.js';
import { sessionsRoot } from '../places.js';

/** A session is given as a folder, or as the name of a folder among the stored sessions. */
function folderOf(session: string): string {
  if (existsSync(session)) return session;
  const stored = join(sessionsRoot(), session);
  return existsSync(stored) ? stored : session;
}

export function addSessions(program: Command): void {
  const sessions = program
    .command('sessions')
    .description('The stored sessions, newest first.')
    .option('--in <dir>', 'another folder than the data folder')
    .addOption(jsonOption('one JSON object a session'))
    .action((options: { in?: string; json?: true }) => {
      const root = options.in ?? sessionsRoot();
      const found = listSessions(root);
      if (found.length === 0 && options.json !== true) print(`No sessions in ${root} yet. "hearback monitor FILE" makes one.`);
      for (const session of found) {
        if (session.kind === 'broken') {
          process.exitCode = EXIT.failure;
          if (options.json === true) printJson({ ...session, reason: session.reason.sentence });
          note(`${paint('red', '✗')} ${session.path}: ${session.reason.sentence}`);
          continue;
        }
        if (options.json === true) {
          printJson(session);
          continue;
        }
        const { counts } = session;
        const flags = (['EXTREME', 'CRITICAL', 'HIGH'] as const).flatMap((level) => (counts.risk[level] > 0 ? [`${counts.risk[level]} ${level}`] : []));
        const parts = [
          `${counts.exchanges} exchanges`,
          ...flags,
          ...(counts.uncertain > 0 ? [`${counts.uncertain} uncertain`] : []),
          ...(counts.open > 0 ? [`${counts.open} open`] : []),
          ...(counts.pending > 0 ? [paint('yellow', `${counts.pending} not recognised yet`)] : []),
        ];
        print(`${session.started.slice(0, 16).replace('T', ' ')}  ${clock(session.seconds).padStart(7)}  ${paint('bold', session.name)}  ${parts.join(', ')}`);
        print(paint('grey', `    ${session.path}`));
      }
    });

  sessions
    .command('delete')
    .description('Deletes a session with its audio.')
    .argument('<session>', 'folder, or name among the stored sessions')
    .action((session: string) => {
      const deleted = deleteSession(folderOf(session));
      print(`Deleted ${deleted.path}.`);
      if (deleted.left.length > 0) note(`Left alone, since no session made them: ${deleted.left.join(', ')}`);
    });

  program
    .command('export')
    .description('Writes a session as a page for people, a table, subtitles, a Praat TextGrid, or JSON lines.')
    .argument('<session>', 'folder, or name among the stored sessions')
    .addOption(new Option('--format <format>', 'what to write').choices(EXPORT_FORMATS).default('html'))
    .option('--out <file>', 'where to write; "-" for standard output (default: named after the recording, here)')
    .option('--force', 'replace a file that is there')
    .addOption(jsonOption('print what was written as JSON'))
    .action((session: string, options: { format: ExportFormat; out?: string; force?: true; json?: true }) => {
      const written = exportSession(folderOf(session), options.format, {
        ...(options.out === undefined ? {} : { out: options.out }),
        ...(options.force === undefined ? {} : { force: true }),
      });
      if (options.out === '-') {
        process.stdout.write(written.text);
        return;
      }
      if (options.json === true) printJson({ path: written.path, format: options.format, exchanges: written.exchanges });
      else print(`Wrote ${written.path} (${written.exchanges} exchanges).`);
      for (const notice of written.notices) note(`! ${notice.text}`);
    });
}
