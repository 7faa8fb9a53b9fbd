/** `demo`: the bundled recording through the real pipeline, and its truth beside what was found. */
import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openAudio } from '../../audio/index.js';
import type { LoggedEvent } from '../../domain/events.js';
import { Exchange } from '../../domain/exchange.js';
import type { Finding } from '../../domain/finding.js';
import { HearbackError } from '../../domain/result.js';
import { ErrorType, RISK_OF, type Profile } from '../../domain/taxonomy.js';
import { packageRoot } from '../../models/index.js';
import { createSession } from '../../session/index.js';
import { clock, EXIT, note, paint, print, printJson, readContext } from '../io.js';
import { deviceOption, jsonOption, modelOption, profileOption, speed, threadsOption, workersOf, workersOption } from '../options.js';
import { newSessionFolder } from '../places.js';
import { monitorSource, type MonitorChoice } from './monitor.js';

/** The truth of the bundled recording: how its script was written (fixtures/demo/README.md). Times in seconds. */
export const DemoTruth = z.object({
  transmissions: z.array(z.object({ id: z.string(), start: z.number(), end: z.number(), speaker: z.string(), text: z.string() })),
  exchanges: z.array(
    z.object({
      instruction: z.string(),
      readbacks: z.array(z.string()),
      status: Exchange.shape.status,
      /** In the icao profile; null when there was no readback. */
      error_type: ErrorType.nullable(),
      /** Where the paper profile answers otherwise. */
      paper: z.object({ error_type: ErrorType }).optional(),
    }),
  ),
});
export type DemoTruth = z.infer<typeof DemoTruth>;

/** How one exchange of the truth fared. */
export interface DemoRow {
  readonly start: number;
  readonly instruction: string;
  readonly readback: string;
  readonly truth: string;
  readonly found: string;
  /** right: same answer. level: an error, rightly flagged, other type. uncertain: shown as such. */
  readonly outcome: 'right' | 'other-type' | 'uncertain' | 'missed' | 'false alarm' | 'not paired';
}

export interface DemoComparison {
  readonly rows: readonly DemoRow[];
  /** Flags on exchanges that the truth does not have. */
  readonly extra: readonly { readonly start: number; readonly found: string }[];
  readonly summary: {
    readonly errors: number;
    readonly flagged: number;
    readonly flaggedRightType: number;
    readonly errorsUncertain: number;
    readonly missed: number;
    readonly correct: number;
    readonly passed: number;
    readonly correctUncertain: number;
    readonly falseAlarms: number;
    readonly unanswered: number;
    readonly unansweredFound: number;
  };
}

/**
 * Lays findings beside the truth. A found exchange belongs to the true one whose instruction overlaps its instruction most.
 * An error counts as flagged when a finding with verdict `error` stands on it, whatever its type; `uncertain` is counted apart.
 */
export function compareWithTruth(truth: DemoTruth, events: readonly LoggedEvent[], profile: Profile): DemoComparison {
  const truthOf = (expected: DemoTruth['exchanges'][number] | undefined): ErrorType | null => (profile === 'paper' ? (expected?.paper?.error_type ?? expected?.error_type) : expected?.error_type) ?? null;
  const spans = new Map<string, { start: number; end: number }>();
  const exchanges = new Map<string, Exchange>();
  const findings = new Map<string, Finding>();
  for (const { event } of events) {
    if (event.type === 'transmission.captured') spans.set(event.transmission, event);
    else if (event.type === 'exchange.opened' || event.type === 'exchange.updated') {
      exchanges.set(event.exchange.id, event.exchange);
      // what looked like its readback was taken back
      if (event.exchange.readbacks.length === 0) findings.delete(event.exchange.id);
    } else if (event.type === 'finding.made') findings.set(event.exchange, event.finding);
  }
  const overlap = (a: { start: number; end: number }, b: { start: number; end: number }): number => Math.min(a.end, b.end) - Math.max(a.start, b.start);
  const said = new Map(truth.transmissions.map((transmission) => [transmission.id, transmission]));
  const free = new Set(exchanges.keys());
  const rows: DemoRow[] = [];
  for (const expected of truth.exchanges) {
    const instruction = said.get(expected.instruction);
    if (instruction === undefined) continue;
    let best: string | undefined;
    let most = 0.3;
    for (const id of free) {
      const at = spans.get(exchanges.get(id)?.instruction ?? '');
      const shared = at === undefined ? 0 : overlap(at, instruction);
      if (shared > most) {
        most = shared;
        best = id;
      }
    }
    if (best !== undefined) free.delete(best);
    const exchange = best === undefined ? undefined : exchanges.get(best);
    const finding = best === undefined ? undefined : findings.get(best);
    rows.push({
      start: instruction.start,
      instruction: instruction.text,
      readback: expected.readbacks.map((id) => said.get(id)?.text ?? '').join(' … '),
      truth: truthOf(expected) ?? expected.status,
      found: finding === undefined ? (exchange?.status ?? 'not found') : finding.verdict === 'uncertain' ? `uncertain (${finding.error_type})` : finding.error_type,
      outcome: outcomeOf(truthOf(expected), finding, exchange?.status, expected.status),
    });
  }
  const extra = [...free].flatMap((id) => {
    const finding = findings.get(id);
    return finding?.verdict === 'error' ? [{ start: spans.get(exchanges.get(id)?.instruction ?? '')?.start ?? 0, found: finding.error_type }] : [];
  });
  const wrong = rows.filter((_, at) => isError(truthOf(truth.exchanges[at])));
  const right = rows.filter((_, at) => isCorrect(truthOf(truth.exchanges[at])));
  const unanswered = rows.filter((_, at) => truthOf(truth.exchanges[at]) === null);
  const count = (among: readonly DemoRow[], ...outcomes: DemoRow['outcome'][]): number => among.filter((row) => outcomes.includes(row.outcome)).length;
  return {
    rows,
    extra,
    summary: {
      errors: wrong.length,
      flagged: count(wrong, 'right', 'other-type'),
      flaggedRightType: count(wrong, 'right'),
      errorsUncertain: count(wrong, 'uncertain'),
      missed: count(wrong, 'missed', 'not paired'),
      correct: right.length,
      passed: count(right, 'right'),
      correctUncertain: count(right, 'uncertain'),
      falseAlarms: count(right, 'false alarm') + extra.length,
      unanswered: unanswered.length,
      unansweredFound: count(unanswered, 'right'),
    },
  };
}

const isCorrect = (type: ErrorType | null): boolean => type !== null && RISK_OF[type] === 'CORRECT';
const isError = (type: ErrorType | null): boolean => type !== null && RISK_OF[type] !== 'CORRECT';

function outcomeOf(truth: ErrorType | null, finding: Finding | undefined, status: Exchange['status'] | undefined, expected: Exchange['status']): DemoRow['outcome'] {
  if (truth === null) {
    if (finding?.verdict === 'error') return 'false alarm';
    return status === expected || (finding === undefined && status !== undefined) ? 'right' : 'not paired';
  }
  if (finding === undefined) return 'not paired';
  if (finding.verdict === 'uncertain' || finding.verdict === 'unreadable') return 'uncertain';
  if (isCorrect(truth)) return finding.verdict === 'correct' ? 'right' : 'false alarm';
  if (finding.verdict === 'correct') return 'missed';
  return finding.error_type === truth ? 'right' : 'other-type';
}

const LOOK: Readonly<Record<DemoRow['outcome'], string>> = {
  right: paint('green', '✓ right'),
  'other-type': paint('yellow', '~ flagged, other type'),
  uncertain: paint('cyan', '? uncertain'),
  missed: paint('red', '✗ MISSED'),
  'false alarm': paint('red', '✗ false alarm'),
  'not paired': paint('red', '✗ not paired'),
};

export function addDemo(program: Command, version: string): void {
  program
    .command('demo')
    .description('Plays the bundled synthetic recording through the whole pipeline and lays its truth beside what was found.')
    .option('--speed <factor>', 'replay speed: 1 is real time, "max" as fast as it goes', speed, 'max')
    .option('--no-store', 'keep no session')
    .option('--quiet', 'show the comparison only')
    .addOption(modelOption())
    .addOption(deviceOption())
    .addOption(threadsOption())
    .addOption(workersOption(' with --speed max, else 1'))
    .addOption(profileOption())
    .addOption(jsonOption('print the comparison as one JSON object'))
    .action(async (options: Omit<MonitorChoice, 'json' | 'all' | 'context' | 'judge'> & { store: boolean; json?: true; quiet?: true }) => {
      const folder = join(packageRoot(), 'fixtures', 'demo');
      const recording = join(folder, 'tower-and-approach.ogg');
      const truth = DemoTruth.safeParse(JSON.parse(readFileSync(join(folder, 'tower-and-approach.truth.json'), 'utf8')));
      if (!truth.success) throw new HearbackError('internal', 'The truth of the demo recording does not fit its schema.', { cause: truth.error });
      const context = await readContext(join(folder, 'traffic.json'));
      const source = await openAudio(recording, {});
      const session = options.store ? createSession(newSessionFolder('demo'), { name: 'Demo: tower and approach', source: 'tower-and-approach.ogg', version }) : undefined;
      try {
        const silent = options.json === true || options.quiet === true;
        const run = await monitorSource(source, session, { ...options, workers: workersOf(options, options.speed === 'max'), context, judge: 'rules', json: false, all: !silent }, { keepEvents: true, silent });
        const compared = compareWithTruth(truth.data, run.events, options.profile);
        if (options.json === true) printJson({ ...compared, seconds: run.result.seconds, elapsed_seconds: run.elapsed });
        else show(compared, run.result.seconds, run.elapsed);
        if (session !== undefined) note(`Session: ${session.dir}\nLook at it as a page: hearback export "${session.dir}" --format html   (npm run hearback -- export …)`);
        if (run.result.reason !== 'end-of-audio') process.exitCode = EXIT.failure;
      } finally {
        session?.close();
      }
    });
}

function show(compared: DemoComparison, seconds: number, elapsed: number): void {
  print('');
  print(paint('bold', 'The truth of this synthetic recording beside what was found'));
  const wide = Math.max(...compared.rows.map((row) => row.truth.length), 5);
  const found = Math.max(...compared.rows.map((row) => row.found.length), 5);
  for (const row of compared.rows) print(`${clock(row.start).padStart(7)}  ${row.truth.padEnd(wide)}  ${row.found.padEnd(found)}  ${LOOK[row.outcome]}`);
  for (const each of compared.extra) print(`${clock(each.start).padStart(7)}  ${'(nothing)'.padEnd(wide)}  ${each.found.padEnd(found)}  ${LOOK['false alarm']}`);
  const s = compared.summary;
  print('');
  print(`Wrong readbacks: ${s.errors}. Flagged ${s.flagged} (${s.flaggedRightType} with the right type), uncertain ${s.errorsUncertain}, missed ${s.missed}.`);
  print(`Right readbacks: ${s.correct}. Passed ${s.passed}, uncertain ${s.correctUncertain}. False alarms: ${s.falseAlarms}.`);
  print(`Never read back: ${s.unanswered}. Shown as open: ${s.unansweredFound}.`);
  print(`${clock(seconds)} of audio in ${elapsed.toFixed(1)} s (${(seconds / elapsed).toFixed(1)} times real time).`);
  print(paint('grey', 'For training, simulation and research. Not certified for operational use.'));
}
