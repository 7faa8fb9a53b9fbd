/**
 * The language benchmark as Markdown. Ids and counts only.
 */
import type { DialogueFigures, PairFigures, RealFigures } from './measure.js';
import type { Confusion, Share, Times } from './metrics.js';

export interface LanguageResults {
  readonly made: string;
  readonly machine: string;
  readonly pairs: Readonly<Record<string, PairFigures>>;
  /** By how the transmissions are given. */
  readonly dialogues: Readonly<Record<string, DialogueFigures>>;
  /** Empty when the data file is not there. */
  readonly real: readonly RealFigures[];
  readonly times: { readonly parse: Times; readonly judge: Times };
  readonly aims: readonly Aim[];
}

/** One aim: what was measured against it. */
export interface Aim {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  readonly kind: 'at least' | 'at most';
  readonly met: boolean;
}

const figure = (value: number): string => value.toFixed(3).replace(/^0/u, '');
const of = (s: Share): string => (s.rate === null ? '–' : `${figure(s.rate)} (${String(s.right)}/${String(s.of)}; ${figure(s.low)}–${figure(s.high)})`);
const milliseconds = (t: Times): string => `${t.median.toFixed(3)} | ${t.slowest.toFixed(3)} | ${t.p99.toFixed(3)} | ${t.longest.toFixed(1)} | ${String(t.runs)}`;
const ids = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '));

function table(counts: Confusion, corner: string): string[] {
  const rows = Object.keys(counts);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(counts[row] ?? {})))];
  return [`| ${corner} | ${columns.join(' | ')} |`, `|---|${columns.map(() => '---').join('|')}|`, ...rows.map((row) => `| ${row} | ${columns.map((column) => String(counts[row]?.[column] ?? 0)).join(' | ')} |`)];
}

/** What is compared with the aims of the language part. */
export function aimsOf(results: Omit<LanguageResults, 'aims' | 'made' | 'machine'>): Aim[] {
  const aim = (name: string, measured: number | null, kind: Aim['kind'], limit: number): Aim[] => (measured === null ? [] : [{ name, measured, limit, kind, met: kind === 'at least' ? measured >= limit : measured <= limit }]);
  const plain = results.real.find(({ options }) => options.words === 'text' && !options.list && !options.labels && options.times);
  const listed = results.real.find(({ options }) => options.words === 'text' && options.list && !options.labels && options.times);
  return [
    ...(plain === undefined ? [] : [...aim('role, real transmissions where the words allow', plain.role.said.rate, 'at least', 0.97), ...aim('callsign without list, real transmissions where the words allow', plain.callsign.all.rate, 'at least', 0.95), ...aim('false alarms on real right readbacks', plain.falseAlarms.rate, 'at most', 0.02)]),
    ...(listed === undefined ? [] : aim('callsign with list, real transmissions where the words allow', listed.callsign.all.rate, 'at least', 0.95)),
    ...Object.entries(results.pairs).flatMap(([name, figures]) => aim(`written errors noticed, ${name}`, figures.noticed.rate, 'at least', 1)),
    ...aim('a judgement, median ms', results.times.judge.median, 'at most', 1),
    ...aim('a judgement, 99th percentile over pairs, ms', results.times.judge.slowest, 'at most', 5),
  ];
}

/** The report. */
export function languageReport(results: LanguageResults): string {
  const out: string[] = [
    '# Language: understanding, dialogue, rules judge',
    '',
    `Made by \`npm run bench:language\` on ${results.made}; ${results.machine}. Shares stand with their counts and the Wilson interval at 95 %.`,
    '',
    '## Aims',
    '',
    '| | measured | aim | met |',
    '|---|---|---|---|',
    ...results.aims.map((aim) => `| ${aim.name} | ${figure(aim.measured)} | ${aim.kind} ${figure(aim.limit)} | ${aim.met ? 'yes' : '**no**'} |`),
    '',
    '## Written pairs (test/pairs)',
    '',
    '| set | pairs | verdict and type right | errors found | errors noticed (found or uncertain) | false alarms |',
    '|---|---|---|---|---|---|',
    ...Object.entries(results.pairs).map(([name, f]) => `| ${name} | ${String(f.pairs)} | ${of(f.right)} | ${of(f.found)} | ${of(f.noticed)} | ${of(f.falseAlarms)} |`),
    '',
    ...Object.entries(results.pairs).flatMap(([name, f]) => [`Verdicts, ${name} (not right: ${ids(f.wrong)}):`, '', ...table(f.verdicts, 'gold'), '']),
    '## Written dialogues (test/dialogues)',
    '',
    'Situations on a busy frequency, one each; links instruction → readback.',
    '',
    '| given with | dialogues | transmissions | pairing precision | recall | with a fault |',
    '|---|---|---|---|---|---|',
    ...Object.entries(results.dialogues).map(([name, f]) => `| ${name} | ${String(f.dialogues)} | ${String(f.transmissions)} | ${of(f.pairing.precision)} | ${of(f.pairing.recall)} | ${ids(f.wrong)} |`),
    '',
    ...Object.entries(results.dialogues).flatMap(([name, f]) => [`Verdicts, ${name}:`, '', ...table(f.verdicts, 'gold'), '']),
    '## Time',
    '',
    '"Slowest inputs": the 99th percentile over the inputs of each one’s median. The 99th percentile of all runs holds what else the machine was doing (load above).',
    '',
    '| | median ms | slowest inputs ms | 99th percentile of all runs ms | longest ms | runs |',
    '|---|---|---|---|---|---|',
    `| parsing one transmission | ${milliseconds(results.times.parse)} |`,
    `| judging one pair | ${milliseconds(results.times.judge)} |`,
    '',
    '## Real transmissions',
    '',
  ];
  if (results.real.length === 0) out.push('Skipped: no data file was given (`--data FILE` or `HEARBACK_REAL_DATA`).');
  else out.push(...realReport(results.real));
  return `${out.join('\n')}\n`;
}

const HOW_COUNTED = `656 transmissions of four airports; the data is not part of the product, its labels by hand are (test/gold/atco2-dev.json: line numbers and
word positions). The set was looked at while the product was made: expect less elsewhere.

- **Role**: "all" are the transmissions whose speaker is known, by the corpus label or by hand where that says nothing (UNK, crosstalk, empty) or contradicts the
  words (13 lines). "Where the words allow" leaves out those whose words could be either's: a bare callsign, courtesy, "roger", a readback that begins with the
  callsign like an instruction, fragments (\`role.unsaid\`). Each transmission is read by itself; "unknown" counts as wrong.
- **Callsign**: where callsign words stand (\`callsign.at\`); lines that cannot be read surely are left out (\`callsign.unsaid\`). Right is what exactly these words
  name, decoded apart from the product's parser, or the longer form of an aircraft heard before in the recording. With the list: the one listed aircraft that fits
  the words, where one does. "None" are transmissions without a callsign for which none was read.
- **Pairing**: links instruction → readback, each recording by itself; the gold is by hand in order of time (\`exchanges\`). Answers to questions, reports and
  information count neither way (\`neither\`). Of recogniser output the gold is the same: who answered whom did not change.
- **False alarms**: verdict \`error\` on the readbacks that are right by hand and were paired; on recogniser output this holds the recogniser's errors against the
  judge, without any word confidences. **Noticed**: readbacks that are wrong by hand and were not called correct.`;

function realReport(real: readonly RealFigures[]): string[] {
  const name = ({ options: o }: RealFigures): string => `${o.words === 'text' ? 'text' : `recogniser ${o.words}`}${o.list ? ', list' : ''}${o.labels ? ', speaker labels' : ''}${o.times ? '' : ', no times'}`;
  return [
    HOW_COUNTED,
    '',
    '| input | role, all | role, words allow | callsign | none | pairing precision | recall |',
    '|---|---|---|---|---|---|---|',
    ...real.map((r) => `| ${name(r)} | ${of(r.role.all)} | ${of(r.role.said)} | ${of(r.callsign.all)} | ${of(r.callsign.none)} | ${of(r.pairing.precision)} | ${of(r.pairing.recall)} |`),
    '',
    '| input | false alarms | uncertain on right ones | wrong ones noticed |',
    '|---|---|---|---|',
    ...real.map((r) => `| ${name(r)} | ${of(r.falseAlarms)} | ${of(r.uncertain)} | ${of(r.noticed)} |`),
    '',
    'Verdicts on text without a list:',
    '',
    ...table(real[0]?.verdicts ?? {}, 'by hand'),
    '',
    ...real.filter(({ options }) => options.words === 'text').flatMap((r) => [
      `${name(r)}:`,
      '',
      `- role wrong where the words allow (${String(r.role.none)} of them unknown): ${ids(r.role.wrong)}`,
      `- callsign wrong: ${ids(r.callsign.wrong)}`,
      `- links wrong: ${ids(r.pairing.wrong)}; missed: ${ids(r.pairing.missed)}`,
      `- false alarms: ${ids(r.alarmed)}; uncertain on right ones: ${ids(r.doubted)}; wrong ones passed: ${ids(r.passed)}`,
      '',
    ]),
  ];
}
