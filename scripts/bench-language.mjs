/**
 * `npm run bench:language -- [--data FILE] [--out FOLDER] [--rounds N]`: understanding, dialogue and rules judge, measured on text. Writes language.md and
 * language.json (docs/results by default) and prints the aims. FILE: real transmissions with labels in test/gold (default: HEARBACK_REAL_DATA, else
 * ../shared/data/atco2_dev.jsonl); left out with a message when it is not there. Exit code 3 when an aim is not met, 2 for a usage error.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { aimsOf, languageReport, measureDialogues, measurePairs, measureReal, measureTimes, RealGold, RealTransmission, WrittenDialogue } from '../dist/engine/bench/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
let options;
try {
  ({ values: options } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string' }, rounds: { type: 'string' } } }));
} catch (error) {
  console.error(`${error.message}. Known are --data FILE, --out FOLDER and --rounds N.`);
  process.exit(2);
}
const rounds = Number(options.rounds ?? 10);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('--rounds is a whole number from 1.');
  process.exit(2);
}
const lines = (path) => readFileSync(path, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line));

const written = {};
for (const name of readdirSync(join(root, 'test/pairs')).filter((file) => file.endsWith('.jsonl')).sort()) {
  const list = (value) => (Array.isArray(value) ? value : [value]);
  written[name.replace('.jsonl', '')] = lines(join(root, 'test/pairs', name)).map((pair) => ({ ...pair, profile: pair.profile ?? 'paper', verdict: pair.verdict ?? [pair.is_correct ? 'correct' : 'error'], error_type: list(pair.error_type) }));
}
const dialogues = readdirSync(join(root, 'test/dialogues')).filter((file) => file.endsWith('.jsonl')).sort().flatMap((file) => lines(join(root, 'test/dialogues', file)).map((line) => WrittenDialogue.parse(line)));

const named = options.data ?? process.env.HEARBACK_REAL_DATA;
const data = resolve(named ?? join(root, '../shared/data/atco2_dev.jsonl'));
const real = [];
if (existsSync(data)) {
  const bytes = readFileSync(data);
  const gold = RealGold.parse(JSON.parse(readFileSync(join(root, 'test/gold/atco2-dev.json'), 'utf8')));
  if (createHash('sha256').update(bytes).digest('hex') !== gold.sha256) {
    console.error(`${data} is not the file that test/gold/atco2-dev.json has labels for (another sha256).`);
    process.exit(1);
  }
  const rows = lines(data).map((line) => RealTransmission.parse(line));
  const way = { words: 'text', list: false, labels: false, times: true, profile: 'icao' };
  const ways = [way, { ...way, list: true }, { ...way, labels: true }, { ...way, times: false }];
  for (const words of Object.keys(rows[0]?.hyp ?? {}).sort()) ways.push({ ...way, words }, { ...way, words, list: true });
  for (const each of ways) real.push(await measureReal(rows, gold, each));
} else if (named === undefined) console.error('Real transmissions are left out: no data file (--data FILE or HEARBACK_REAL_DATA).');
else {
  console.error(`There is no file ${data}.`);
  process.exit(1);
}

const pairs = Object.fromEntries(Object.entries(written).map(([name, list]) => [name, measurePairs(list)]));
const all = Object.values(written).flat();
const measured = { pairs, dialogues: { 'times and voices': await measureDialogues(dialogues, 'icao', true), 'words alone': await measureDialogues(dialogues, 'icao', false) }, real, times: measureTimes(all, all.flatMap((pair) => [pair.instruction, pair.readback]), rounds) };
const aims = aimsOf(measured);
const results = { made: new Date().toISOString().slice(0, 10), machine: `Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`, ...measured, aims };
const out = resolve(options.out ?? join(root, 'docs/results'));
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'language.md'), languageReport(results));
writeFileSync(join(out, 'language.json'), `${JSON.stringify(results)}\n`);
for (const aim of aims) console.log(`${aim.met ? 'met    ' : 'NOT MET'} ${aim.name}: ${aim.measured.toFixed(3)} (${aim.kind} ${aim.limit})`);
console.log(`Report: ${join(out, 'language.md')}`);
process.exitCode = aims.every((aim) => aim.met) ? 0 : 3;
