/**
 * A run's figures as files: a page, Markdown, CSV, JSON, JUnit, and what sclite reads.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalise } from '../asr/normalise.js';
import { HeardLine, PARTS, TASKS } from '../run/items.js';
import { writtenPart } from '../run/inputs.js';
import { heardFile, itemsOf } from '../run/run.js';
import type { RunScores } from '../run/score.js';
import { readLines } from '../run/store.js';
import { csv, ctmLines, junit, scliteId, stmLine, trnLine, type Spoken } from './exchange.js';
import { collectExamples, type Places } from './examples.js';
import { page } from './html.js';
import type { Checked } from './limits.js';
import { markdownReport } from './markdown.js';

export const REPORT_FORMATS = ['html', 'md', 'csv', 'json', 'junit', 'sclite'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface ReportOptions {
  readonly formats: readonly ReportFormat[];
  readonly checked: readonly Checked[];
  readonly title: string;
  /** Where items and speech lie, for the sound of examples; what is not there is left out. */
  readonly places: Places;
}

/** Writes the files and gives their paths. */
export async function writeReport(run: string, scores: RunScores, out: string, { formats, checked, title, places }: ReportOptions): Promise<string[]> {
  mkdirSync(out, { recursive: true });
  const written: string[] = [];
  const write = (name: string, content: string): void => {
    writeFileSync(join(out, name), content);
    written.push(join(out, name));
  };
  if (formats.includes('html')) write('report.html', page(scores, { title, checked, examples: await collectExamples(run, scores, places) }));
  if (formats.includes('md')) write('report.md', markdownReport(scores, checked));
  if (formats.includes('csv')) write('scores.csv', csv(scores));
  if (formats.includes('json')) write('scores.json', `${JSON.stringify(scores, null, 1)}\n`);
  if (formats.includes('junit')) write('junit.xml', junit(checked));
  if (formats.includes('sclite')) {
    for (const { input } of scores.heard) {
      const folder = join('sclite', input);
      mkdirSync(join(out, folder), { recursive: true });
      const files = { 'ref.trn': '', 'hyp.trn': '', 'ref-normalised.trn': '', 'hyp-normalised.trn': '', 'ref.stm': '', 'hyp.ctm': '' };
      for await (const spoken of spokenOf(run, scores, input)) {
        const { id, reference, said } = spoken;
        files['ref.trn'] += trnLine(reference, id);
        files['hyp.trn'] += trnLine(said, id);
        files['ref-normalised.trn'] += trnLine(normalise(reference).join(' '), id);
        files['hyp-normalised.trn'] += trnLine(normalise(said).join(' '), id);
        files['ref.stm'] += stmLine(spoken);
        files['hyp.ctm'] += ctmLines(spoken);
      }
      for (const [name, content] of Object.entries(files)) write(join(folder, name), content);
    }
  }
  return written;
}

/** Every transmission that was heard in an input, in the order of the items. */
async function* spokenOf(run: string, { manifest }: RunScores, input: string): AsyncGenerator<Spoken> {
  const { limit, shard, data } = manifest.config;
  for (const task of TASKS) {
    if (data[task] === undefined || !existsSync(heardFile(run, input, task))) continue;
    const lines = new Map<string, HeardLine>();
    for await (const value of readLines(heardFile(run, input, task))) {
      const line = HeardLine.parse(value);
      lines.set(`${line.part ?? PARTS[task][0]} ${line.id}`, line);
    }
    for await (const gold of itemsOf(run, task, limit, shard)) {
      for (const part of PARTS[task]) {
        const line = lines.get(`${part} ${gold.id}`);
        if (line === undefined) continue;
        yield { id: scliteId(`${task}-${gold.id}-${part}`), reference: line.reference ?? writtenPart(task, gold, part) ?? '', said: line.text ?? '', seconds: line.seconds, words: line.words };
      }
    }
  }
}

/** Where a run found its items and speech, as it noted beside its results. */
export function placesOf(run: string): Places {
  const path = join(run, 'places.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Places) : {};
}
