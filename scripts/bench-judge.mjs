/**
 * `npm run bench:judge -- [options]`: judges beside each other on readbacks whose gold is known. Answers are kept in --work and a later call goes
 * on there; the report is made of what is there.
 *
 *     --work FOLDER      answers (default test-output/bench-judge)
 *     --systems A,B      of rules, embedded, consensus, qwen-zero-shot (condition A), qwen-full (condition B); default: the first three
 *     --only NAME        the same, by how their names begin: --only qwen
 *     --each N           the first N pairs of every type (default all; 20 for qwen); they are asked in turn of the types, so that a part is balanced too
 *     --count N          the same as a number of pairs, a tenth of each type: --count 200
 *     --limit N          at most N new answers of each system in this call
 *     --data NAME=FILE   another set of pairs beside the benchmark; may be repeated. Those of the record: `training/judge/pairs.py --held-out`, held-out with --seed 900001
 *                        --count 500, choosing with --seed 900011 --count 1500, unseen with --seed 990014 --count 3000
 *     --judge FOLDER     the embedded judge (default: the shipped one)
 *     --gguf ID          the model behind qwen-… (default qwen2.5-coder-1.5b-instruct-gguf); HEARBACK_LLAMA_CPP as in docs/llm.md
 *     --out FOLDER       writes judge.md and judge.json there (docs/results for the record); without it the report is printed. Answers of language models,
 *                        which take hours, are kept in FOLDER/judge-answers as well, and a call whose --work lacks them goes on from there
 *
 * Every system runs in a process of its own, so that the memory is its own.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { balanced, figuresOf, hashesOfCode, JudgedPair, judgesReport, policiesOf, readJudged, runJudge, wordComparison } from '../dist/engine/bench/judges/index.js';

const script = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const SYSTEMS = ['rules', 'embedded', 'consensus', 'qwen-zero-shot', 'qwen-full'];
const fail = (message) => {
  console.error(message);
  process.exit(2);
};
let options;
try {
  ({ values: options } = parseArgs({
    options: { work: { type: 'string' }, systems: { type: 'string' }, each: { type: 'string' }, limit: { type: 'string' }, data: { type: 'string', multiple: true }, judge: { type: 'string' }, gguf: { type: 'string' }, out: { type: 'string' }, only: { type: 'string' }, count: { type: 'string' }, child: { type: 'string' } },
  }));
} catch (error) {
  fail(`${error.message}. The head of scripts/bench-judge.mjs lists the options.`);
}
const whole = (name) => {
  if (options[name] === undefined) return undefined;
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 0) fail(`--${name} is a whole number.`);
  return value;
};
const [count, limit] = [whole('count'), whole('limit')];
const each = whole('each') ?? (count === undefined ? undefined : Math.ceil(count / 10));
const systems = options.only === undefined ? (options.systems ?? 'rules,embedded,consensus').split(',') : SYSTEMS.filter((name) => name.startsWith(options.only));
if (systems.length === 0) fail(`No system begins with ${options.only}. There are ${SYSTEMS.join(', ')}.`);
const unknown = systems.filter((name) => !SYSTEMS.includes(name));
if (unknown.length > 0) fail(`Not known: ${unknown.join(', ')}. There are ${SYSTEMS.join(', ')}.`);
const work = options.work ?? join(root, 'test-output', 'bench-judge');
const embedded = options.judge === undefined ? {} : { llmProvider: 'onnx', llmModel: options.judge };
const qwen = { judge: 'llm', llmProvider: 'gguf', llmModel: options.gguf ?? 'qwen2.5-coder-1.5b-instruct-gguf', llmTimeLimit: 600 };
const CHOICES = { rules: { judge: 'rules' }, embedded: { judge: 'llm', ...embedded }, consensus: { judge: 'consensus', ...embedded }, 'qwen-zero-shot': { ...qwen, llmPrompt: 'zero-shot' }, 'qwen-full': { ...qwen, llmPrompt: 'full' } };

const sets = [['benchmark', join(root, 'fixtures', 'bench', 'task2.jsonl')], ...(options.data ?? []).map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)])];
for (const [name, file] of sets) if (name === '' || !existsSync(file)) fail(`There is no file ${file} (--data NAME=FILE).`);
const read = (file) => readFileSync(file, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => JudgedPair.parse(JSON.parse(line)));
const pairsFor = (system, pairs) => balanced(pairs, each ?? (system.startsWith('qwen') ? 20 : Infinity));

if (options.child !== undefined) {
  // a child: one system on one set
  const [set, system] = options.child.split('/');
  const stop = new globalThis.AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => { stop.abort(); });
  const [, file] = sets.find(([name]) => name === set);
  const began = Date.now();
  let told = 0;
  try {
    // answers of the product's own judges are of one state of its code and network; those of a prompted model hang on prompt and file alone
    const state = system.startsWith('qwen') ? '' : `${(await hashesOfCode(false)).code} ${createHash('sha256').update(readFileSync(join(options.judge ?? join(root, 'models', 'readback-judge-small'), 'model.onnx'))).digest('hex')}`;
    const kept = join(work, set, system, 'state.txt');
    if (state !== '' && existsSync(join(work, set, system)) && (existsSync(kept) ? readFileSync(kept, 'utf8') : '') !== state) rmSync(join(work, set, system), { recursive: true });
    mkdirSync(join(work, set, system), { recursive: true });
    if (state !== '') writeFileSync(kept, state);
    const { done, left } = await runJudge({ out: join(work, set, system), system, choice: CHOICES[system], pairs: pairsFor(system, read(file)), signal: stop.signal, ...(limit === undefined ? {} : { limit }), progress: (at, of) => {
      if (Date.now() - told < 30_000) return;
      told = Date.now();
      console.error(`${set}, ${system}: ${at} of ${of} (${((Date.now() - began) / 1000).toFixed(0)} s)`);
    } });
    console.error(`${set}, ${system}: ${done} answers, ${left} left.`);
  } catch (error) {
    console.error(`${set}, ${system}: ${error.sentence ?? error.message}`);
    process.exit(1);
  }
  process.exit(0);
}

mkdirSync(work, { recursive: true });
/** Answers that are dear: from where they were kept, and to there. */
const dear = SYSTEMS.filter((name) => name.startsWith('qwen'));
const keptIn = (set, system) => join(options.out ?? join(root, 'docs', 'results'), 'judge-answers', set, system);
for (const [set] of sets) for (const system of dear) if (existsSync(keptIn(set, system)) && !existsSync(join(work, set, system))) cpSync(keptIn(set, system), join(work, set, system), { recursive: true });
let failed = false;
for (const [set] of sets) for (const system of systems) failed = spawnSync(process.execPath, [script, ...process.argv.slice(2), '--child', `${set}/${system}`], { stdio: 'inherit' }).status !== 0 || failed;

const ABOUT = 'The reconstruction of Task 2 (fixtures/bench): **synthetic, and ours**; a figure on it is no figure on the authors\' data.';
const measured = sets.map(([name, file]) => {
  const pairs = read(file);
  const judged = new Map(SYSTEMS.map((system) => [system, readJudged(join(work, name, system))]));
  const there = SYSTEMS.filter((system) => judged.get(system).lines.length > 0);
  const lines = (system) => judged.get(system).lines;
  return {
    name: name === 'benchmark' ? 'Benchmark' : name,
    about: name === 'benchmark' ? ABOUT : `${pairs.length} synthetic pairs of the training's generator with seeds, names and wordings that training never saw${name === 'choosing' ? '; the policy of the consensus was chosen on them' : ''}.`,
    systems: [wordComparison(pairs), ...there.map((system) => figuresOf(system, pairsFor(system, pairs), lines(system), judged.get(system).manifest?.rss || null))],
    policies: policiesOf(pairs, lines('rules'), lines('embedded')),
  };
});
const setting = `on ${new Date().toISOString().slice(0, 10)}; Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`;
const report = judgesReport(measured, 'npm run bench:judge', setting);
if (options.out === undefined) console.log(report);
else {
  mkdirSync(options.out, { recursive: true });
  for (const [set] of sets) for (const system of dear) if (existsSync(join(work, set, system, 'answers.jsonl'))) cpSync(join(work, set, system), keptIn(set, system), { recursive: true });
  writeFileSync(join(options.out, 'judge.md'), report);
  writeFileSync(join(options.out, 'judge.json'), `${JSON.stringify(measured, null, 1)}\n`);
}
process.exit(failed ? 1 : 0);
