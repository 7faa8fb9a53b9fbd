/**
 * `npm run bench:soak -- [minutes]`: memory over a long recording. The demo recording is repeated to an hour (default) of WAV, run through
 * `monitor --speed max --workers 1`, and the resident memory of the engine and its recogniser is sampled. Prints peaks and growth; exit code 3 when
 * the peak is above 700 MB or the second half needs more than 10 % more than the first.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAudio } from '../dist/engine/audio/index.js';
import { highest, measured, mega, wavHeader } from './measure.mjs';

const minutes = Number(process.argv[2] ?? 60);
const root = fileURLToPath(new URL('..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'hearback-soak-'));
process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
const wav = join(dir, 'hour.wav');

const once = [];
for await (const { samples } of (await openAudio(join(root, 'fixtures/demo/tower-and-approach.ogg'))).chunks()) once.push(Buffer.from(Int16Array.from(samples, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32767)))).buffer));
const demo = Buffer.concat(once);
const bytes = Math.floor(minutes * 60 * 32000);
const out = createWriteStream(wav);
out.write(wavHeader({ bytes, channels: 1, rate: 16000, bits: 16 }));
for (let left = bytes; left > 0; left -= demo.length) if (!out.write(demo.subarray(0, Math.min(left, demo.length)))) await new Promise((resolve) => out.once('drain', resolve));
await new Promise((resolve) => out.end(resolve));

let events = 0;
let findings = 0;
const { code, samples, seconds } = await measured(join(root, 'dist/engine/cli/main.js'), ['monitor', wav, '--speed', 'max', '--workers', '1', '--session', join(dir, 'session'), '--json'], (line) => {
  events++;
  if (line.includes('"type":"finding.made"')) findings++;
});
// what loading takes is not growth
const settled = samples.slice(Math.floor(samples.length * 0.1)).map(({ all }) => all);
const half = Math.floor(settled.length / 2);
const first = highest(settled.slice(0, half));
const second = highest(settled.slice(half));
const peak = highest(samples.map(({ all }) => all));
const size = spawnSync('du', ['-sm', join(dir, 'session')], { encoding: 'utf8' }).stdout.split('\t')[0];
console.log(`${minutes} minutes of audio in ${seconds.toFixed(0)} s (${((minutes * 60) / seconds).toFixed(1)} times real time), ${events} events, ${findings} findings, session ${size} MB`);
console.log(`peak RSS of engine and recogniser together ${mega(peak)} MB (engine alone ${mega(highest(samples.map(({ own }) => own)))} MB); first half ${mega(first)} MB, second half ${mega(second)} MB`);
process.exitCode = code !== 0 ? 1 : peak > 700e6 || second > first * 1.1 ? 3 : 0;
