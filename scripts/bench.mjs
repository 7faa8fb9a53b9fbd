/**
 * `npm run bench:quick`: all items as text, limits that must be kept; a minute or two. Report in test-output/bench-quick.
 * `npm run bench:full [-- --limit N] [--fresh | --answer-again]`: text, and voice at all ratios, by rules, embedded judge and consensus; about half an hour on two cores that do nothing else.
 *   Killed or stopped, the same command goes on; --fresh begins anew, --answer-again keeps what was heard. All files in test-output/bench-full/report; page, Markdown, CSV and JSON also in docs/results/bench, unless
 *   there is a --limit.
 * `npm run bench:memory [-- N]`: N items (21,000) through `bench run --judge rules` and `bench score`; exit code 3 above 350 MB.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [what, ...rest] = process.argv.slice(2);

/** Runs the command line; ends with its exit code where it failed and that was not expected. */
function hearback(args, expected = [0]) {
  const ran = spawnSync(process.execPath, [join(root, 'dist/engine/cli/main.js'), 'bench', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28 });
  if (ran.status === null || !expected.includes(ran.status)) {
    process.stdout.write(ran.stdout ?? '');
    process.exit(ran.status ?? 1);
  }
  return ran.stdout.toString('utf8');
}

switch (what) {
  case 'quick': {
    const out = join(root, 'test-output/bench-quick');
    rmSync(out, { recursive: true, force: true });
    hearback(['run', '--config', join(root, 'fixtures/bench/quick.yaml'), '--out', join(out, 'run')]);
    // what must not get worse: some way below where the product stands
    const limits = ['--min', 'text/rules:task1.ar_geo=0.9', '--min', 'text/rules:task1.strict=0.9', '--min', 'text/rules:task2.is_correct=0.98', '--min', 'text/rules:task2.et_f1=0.97', '--max', 'text/rules:task2.ddr=0.01', '--max', 'text/rules:task2.missed=0.01', '--min', 'text/rules:ground.risk_score=0.6'];
    process.stdout.write(hearback(['report', join(out, 'run'), '--out', out, '--title', 'Benchmark, text', '--rounds', '200', ...limits]));
    break;
  }
  case 'full': {
    const run = join(root, 'test-output/bench-full');
    if (rest.includes('--fresh')) rmSync(run, { recursive: true, force: true });
    hearback(['run', '--config', join(root, 'fixtures/bench/full.yaml'), '--out', run, ...rest.filter((word) => word !== '--fresh')], [0, 1]);
    const written = hearback(['report', run, '--title', 'Benchmark, text and voice']);
    if (rest.includes('--limit')) process.stdout.write(written);
    else {
      const out = join(root, 'docs/results/bench');
      mkdirSync(out, { recursive: true });
      for (const name of ['report.html', 'report.md', 'scores.csv', 'scores.json']) {
        copyFileSync(join(run, 'report', name), join(out, name));
        console.log(join(out, name));
      }
    }
    break;
  }
  case 'memory': {
    const wanted = Number(rest[0] ?? 21_000);
    const folder = join(root, 'test-output/bench-memory');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'data'), { recursive: true });
    const lines = readFileSync(join(root, 'fixtures/bench/task2.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
    writeFileSync(join(folder, 'data/task2.jsonl'), Array.from({ length: wanted }, (_, i) => `${JSON.stringify({ ...lines[i % lines.length], id: `${i}` })}\n`).join(''));
    const { peak_memory_mb: peak, counts } = JSON.parse(hearback(['run', '--data', join(folder, 'data'), '--judge', 'rules', '--out', join(folder, 'run')]));
    console.log(`${counts['text/rules'].task2.first_time} items, peak resident memory of the run ${peak.program} MB (at most 350)`);
    rmSync(join(folder, 'data'), { recursive: true });
    process.exitCode = peak.program <= 350 && counts['text/rules'].task2.first_time === wanted ? 0 : 3;
    break;
  }
  default:
    console.error('Say quick, full or memory.');
    process.exit(2);
}
