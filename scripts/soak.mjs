/**
 * `npm run bench:soak -- [minutes]`: memory over a long recording. The demo recording is repeated to an hour (default) of WAV, run through
 * `monitor --speed max`, and the resident memory of the engine and its recogniser is sampled. Prints peaks and growth; exit code 3 when
 * the peak is above 700 MB or the second half needs more than 10 % more than the first.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAudio } from '../dist/engine/audio/index.js';

const minutes = Number(process.argv[2] ?? 60);
const dir = mkdtempSync(join(tmpdir(), 'hearback-soak-'));
const root = new URL('..', import.meta.url).pathname;
const wav = join(dir, 'hour.wav');

const once = [];
for await (const { samples } of (await openAudio(join(root, 'fixtures/demo/tower-and-approach.ogg'))).chunks()) once.push(Buffer.from(Int16Array.from(samples, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32767)))).buffer));
const demo = Buffer.concat(once);
const bytes = Math.floor(minutes * 60 * 32000);
const header = Buffer.alloc(44);
header.write('RIFF', 0);
header.writeUInt32LE(36 + bytes, 4);
header.write('WAVEfmt ', 8);
header.writeUInt32LE(16, 16);
header.writeUInt16LE(1, 20);
header.writeUInt16LE(1, 22);
header.writeUInt32LE(16000, 24);
header.writeUInt32LE(32000, 28);
header.writeUInt16LE(2, 32);
header.writeUInt16LE(16, 34);
header.write('data', 36);
header.writeUInt32LE(bytes, 40);
const out = createWriteStream(wav);
out.write(header);
for (let left = bytes; left > 0; left -= demo.length) if (!out.write(demo.subarray(0, Math.min(left, demo.length)))) await new Promise((resolve) => out.once('drain', resolve));
await new Promise((resolve) => out.end(resolve));

/** Resident bytes of a process and its children, from /proc (Linux); zombies and gone ones count nothing. */
function resident(pid) {
  let sum = 0;
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map();
  for (const id of all) {
    try {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      parents.set(Number(id), { parent: Number(/PPid:\s+(\d+)/.exec(status)?.[1]), rss: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024 });
    } catch {
      // it ended while we looked
    }
  }
  for (const [id, { parent, rss }] of parents) if (id === pid || parent === pid) sum += rss;
  return sum;
}

if (process.platform !== 'linux') console.log('Memory is read from /proc: this command measures on Linux only.');
const started = Date.now();
const child = spawn(process.execPath, [join(root, 'dist/engine/cli/main.js'), 'monitor', wav, '--speed', 'max', '--session', join(dir, 'session'), '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
let events = 0;
let flags = 0;
child.stdout.on('data', (data) => {
  const text = data.toString('utf8');
  events += text.split('\n').length - 1;
  flags += (text.match(/"type":"finding.made"/g) ?? []).length;
});
const samples = [];
const timer = setInterval(() => samples.push(resident(child.pid)), 500);
const code = await new Promise((resolve) => child.once('close', resolve));
clearInterval(timer);
const seconds = (Date.now() - started) / 1000;
const mega = (value) => Math.round(value / 1e6);
const settled = samples.slice(Math.floor(samples.length * 0.1));
const half = Math.floor(settled.length / 2);
const first = Math.max(...settled.slice(0, half));
const second = Math.max(...settled.slice(half));
const size = spawnSync('du', ['-sm', join(dir, 'session')], { encoding: 'utf8' }).stdout.split('\t')[0];
console.log(`${minutes} minutes of audio in ${seconds.toFixed(0)} s (${((minutes * 60) / seconds).toFixed(1)} times real time), ${events} events, ${flags} findings, session ${size} MB`);
console.log(`peak RSS of engine and recogniser together ${mega(Math.max(...samples))} MB; first half ${mega(first)} MB, second half ${mega(second)} MB`);
rmSync(dir, { recursive: true, force: true });
process.exit(code !== 0 ? 1 : Math.max(...samples) > 700e6 || second > first * 1.1 ? 3 : 0);
