/**
 * `npm run bench:large -- [minutes]`: memory over a large file. An hour (default) of stereo WAV at 48 kHz and 24 bits, about a gigabyte,
 * with one exchange a minute, on the left and on the right in turn, is run through `monitor --speed max`. Prints the peak of
 * the resident memory and what was found; exit code 3 when the peak is above 700 MB or an exchange was not found.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAudio, resample } from '../dist/engine/audio/index.js';
import { highest, measured, mega, wavHeader } from './measure.mjs';

const minutes = Number(process.argv[2] ?? 60);
const root = fileURLToPath(new URL('..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'hearback-large-'));
process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
const wav = join(dir, 'large.wav');
const RATE = 48_000;
const FRAME = 6;

/** A block of fixtures/blocks at 48 kHz. */
async function block(name) {
  return resample(await readAudio(join(root, 'fixtures/blocks', `${name}.flac`)), 16_000, RATE);
}

/** One minute as it lies in the file: an exchange on one side, silence on the other. */
async function minute(exchange, side) {
  const bytes = Buffer.alloc(60 * RATE * FRAME);
  let at = 5 * RATE;
  for (const half of ['instruction', 'readback']) {
    const samples = await block(`${exchange}-${half}`);
    for (const [n, value] of samples.entries()) bytes.writeIntLE(Math.max(-8388608, Math.min(8388607, Math.round(value * 8388608))), (at + n) * FRAME + side * 3, 3);
    at += samples.length + RATE;
  }
  return bytes;
}

const four = await Promise.all([minute('west-1', 0), minute('east-1', 1), minute('west-2', 0), minute('east-2', 1)]);
const out = createWriteStream(wav);
out.write(wavHeader({ bytes: minutes * 60 * RATE * FRAME, channels: 2, rate: RATE, bits: 24 }));
for (let n = 0; n < minutes; n++) if (!out.write(four[n % 4])) await new Promise((resolve) => out.once('drain', resolve));
await new Promise((resolve) => out.end(resolve));
console.log(`${minutes} minutes of stereo at 48 kHz and 24 bits: ${mega(statSync(wav).size)} MB`);

const verdicts = {};
const pairs = new Set();
const { code, samples, seconds } = await measured(join(root, 'dist/engine/cli/main.js'), ['monitor', wav, '--speed', 'max', '--workers', '1', '--session', join(dir, 'session'), '--json'], (line) => {
  const { event } = JSON.parse(line);
  if (event.type !== 'finding.made') return;
  pairs.add(event.exchange);
  verdicts[event.finding.verdict] = (verdicts[event.finding.verdict] ?? 0) + 1;
});
const peak = highest(samples.map(({ all }) => all));
console.log(`${seconds.toFixed(0)} s (${((minutes * 60) / seconds).toFixed(1)} times real time); ${pairs.size} of ${minutes} exchanges judged: ${JSON.stringify(verdicts)}`);
console.log(`peak RSS of engine and recogniser together ${mega(peak)} MB (engine alone ${mega(highest(samples.map(({ own }) => own)))} MB)`);
process.exitCode = code !== 0 ? 1 : peak > 700e6 || pairs.size < minutes ? 3 : 0;
