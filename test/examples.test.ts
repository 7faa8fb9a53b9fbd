/** The example clients of docs/examples against the real engine, and a short run of the simulated simulator. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeWav } from '../engine/session/index.js';
import { fromInt16 } from '../engine/domain/pcm.js';
import { root, scratch } from './command.js';
import { pcmOf, startEngine, type RunningEngine } from './support/engine.js';

const { dir, remove } = scratch('examples');
let engine: RunningEngine;
const wav = join(dir, 'pair.wav');

beforeAll(async () => {
  writeFileSync(wav, encodeWav(fromInt16(await pcmOf('fixtures/clips/radio-pair-quarter-second.flac'))));
  engine = await startEngine(join(dir, 'sessions'));
}, 60_000);
afterAll(async () => {
  await engine.stop();
  remove();
}, 60_000);

const run = (command: string, args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString('utf8')));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });

const finding = /^ *(correct|error|uncertain) [A-Z_]+: /m;

it('X1 the TypeScript client plays a recording and prints what was found, in less than 60 lines', { timeout: 180_000 }, async () => {
  const source = readFileSync(join(root, 'docs/examples/simulator.ts'), 'utf8');
  expect(source.trimEnd().split('\n').length).toBeLessThan(60);
  // below the repository, so that the client finds the package it imports
  mkdirSync(join(root, 'test-output'), { recursive: true });
  const program = join(root, 'test-output', `simulator-${process.pid}.mjs`);
  writeFileSync(program, ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } }).outputText);
  const ran = await run(process.execPath, [program, engine.url, engine.token, wav]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toMatch(finding);
  const refused = await run(process.execPath, [program, engine.url, 'guess', wav]);
  expect(refused.code).toBe(1);
});

it.skipIf(spawnSync('python3', ['--version']).status !== 0)('X2 the Python client does the same', { timeout: 180_000 }, async () => {
  const path = join(root, 'docs/examples/simulator.py');
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBeLessThan(60);
  const ran = await run('python3', [path, engine.url, engine.token, wav]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toMatch(finding);
  expect((await run('python3', [path, engine.url, 'guess', wav])).code).toBe(1);
});

it('X3 a simulator with four frequencies at real time receives every finding', { timeout: 300_000 }, async () => {
  const ran = await run(process.execPath, [join(root, 'scripts/bench-live.mjs'), '--seconds', '12', '--json']);
  expect(ran.code, ran.stderr + ran.stdout).toBe(0);
  const result = JSON.parse(ran.stdout) as { transmissions: number; findings_missing: number; errors: string[] };
  expect(result.transmissions).toBeGreaterThanOrEqual(4);
  expect([result.findings_missing, result.errors]).toEqual([0, []]);
});
