/**
 * `npm test`: everything that must hold, on a clean clone, with Node and nothing else.
 *
 * Builds, lints, checks the import rule between rooms, looks for dead code and out-of-date published files, runs all
 * tests, and prints `N passed, N failed` as its last line. Exit code 0 only when nothing failed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const report = new URL('test-output/vitest.json', root);
let passed = 0;
let failed = 0;

function step(name, command, args) {
  const started = Date.now();
  process.stdout.write(`── ${name}\n`);
  const ran = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32', env: { ...process.env, FORCE_COLOR: '0' } });
  const good = ran.status === 0;
  process.stdout.write(`   ${good ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  return good;
}
const count = (good) => (good ? passed++ : failed++);
const bin = (name) => `node_modules/.bin/${name}`;

if (!step('build', bin('tsc'), ['-p', 'tsconfig.build.json']) || !step('build of the page', bin('vite'), ['build', '--logLevel', 'warn'])) {
  process.stdout.write('The build failed, so nothing else was run.\n0 passed, 1 failed\n');
  process.exit(1);
}
passed++;
count(step('types of tests and scripts', bin('tsc'), ['--noEmit']));
count(step('types of the page', bin('tsc'), ['-p', 'renderer/tsconfig.json', '--noEmit']));
count(step('lint', bin('eslint'), ['.', '--max-warnings', '0']));
count(step('import rule between rooms', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'engine', 'renderer', 'electron']));
count(step('dead code', bin('knip'), []));
count(step('published JSON Schemas are up to date', process.execPath, ['dist/engine/cli/main.js', 'schemas', '--check', 'docs/schema']));
count(step('list of third parties is up to date', process.execPath, ['scripts/third-party.mjs', '--check']));
count(step('benchmark as text keeps its limits', process.execPath, ['scripts/bench.mjs', 'quick']));
count(step('model catalogue matches the shipped files', process.execPath, ['dist/engine/cli/main.js', 'models', 'verify', '--embedded']));

mkdirSync(new URL('test-output/', root), { recursive: true });
rmSync(report, { force: true });
step('tests', bin('vitest'), ['run', '--reporter=default', '--reporter=json', '--outputFile.json=test-output/vitest.json', ...process.argv.slice(2)]);
let skipped = 0;
if (existsSync(report)) {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  passed += result.numPassedTests;
  skipped = result.numPendingTests + result.numTodoTests;
  // a file that cannot even be loaded has no tests to fail, so it is counted itself
  const brokenFiles = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')).length;
  failed += result.numFailedTests + brokenFiles;
  if (result.numTotalTests === 0) failed++;
} else {
  process.stdout.write('vitest left no report: counted as one failure.\n');
  failed++;
}
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(failed === 0 ? 0 : 1);
