/**
 * `npm run bench:live`: a simulator's part, played against the real engine. Four frequencies at real time, each with its clock and its
 * traffic list; measured is the time from the last sample of a readback's speech being sent to its finding being received.
 *
 *     node scripts/bench-live.mjs [--seconds 120] [--frequencies 4] [--json]
 *
 * Each frequency plays the bundled recording from another place, so that talk overlaps. Exit code 1 when a finding is missing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { readAudio } from '../dist/engine/audio/index.js';
import { encodeFrame } from '../dist/engine/server/protocol.js';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' }, frequencies: { type: 'string', default: '4' }, json: { type: 'boolean', default: false } } });
const seconds = Number(values.seconds);
const count = Number(values.frequencies);
const root = new URL('..', import.meta.url);
const RATE = 16_000;
const PIECE = RATE / 10;

const demo = new URL('fixtures/demo/', root);
const { callsigns } = JSON.parse(readFileSync(new URL('traffic.json', demo), 'utf8'));
const sound = await readAudio(new URL('tower-and-approach.ogg', demo).pathname);
const pcm = Int16Array.from(sound, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32768))));
const names = ['118.105', '121.800', '119.700', '125.325', '134.000', '127.550', '120.225', '124.025'].slice(0, count);
// as far apart as can be, so that the frequencies are busy at different moments and now and then at the same one
const offsets = names.map((_, at) => Math.floor((at * pcm.length) / count));

const folder = mkdtempSync(join(tmpdir(), 'hearback-live-'));
const engine = spawn(process.execPath, ['dist/engine/cli/main.js', 'serve', '--json', '--sessions', folder], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(engine.stdout, 'data');
const { url, token } = JSON.parse(line.toString('utf8'));
const socket = new WebSocket(`${url.replace('http', 'ws')}/v2?token=${token}`);

/** By transmission: where it lies in the clock, and when its last sample was sent. */
const captured = new Map();
const exchanges = new Map();
const latencies = [];
const errors = [];
let flags = 0;
let opened;
const ready = new Promise((resolve) => { opened = resolve; });
let ended;
const over = new Promise((resolve) => { ended = resolve; });
let began = 0;
/** Wall-clock time at which the sample at `clock` seconds was sent. */
const sentAt = (clock) => began + (Math.ceil((clock * RATE) / PIECE) * PIECE * 1000) / RATE;

socket.on('message', (data) => {
  const message = JSON.parse(data.toString('utf8'));
  if (message.type === 'session.opened') opened(message);
  if (message.type === 'error') errors.push(message.message);
  if (message.type !== 'event') return;
  const now = performance.now();
  const { event } = message.logged;
  if (event.type === 'transmission.captured') captured.set(event.transmission, event);
  else if (event.type === 'transmission.recognised') {
    const last = event.words.at(-1)?.end;
    const of = captured.get(event.transmission);
    if (of !== undefined) of.spoken = last ?? of.end;
  } else if (event.type === 'exchange.opened' || event.type === 'exchange.updated') exchanges.set(event.exchange.id, { ...exchanges.get(event.exchange.id), ...event.exchange });
  else if (event.type === 'finding.made') {
    const exchange = exchanges.get(event.exchange);
    const readback = captured.get(exchange?.readbacks.at(-1));
    if (exchange !== undefined) exchange.found = true;
    if (readback !== undefined && readback.ended === 'silence') latencies.push(now - sentAt(readback.spoken));
    if (event.finding.verdict !== 'correct') flags++;
  } else if (event.type === 'session.ended') ended();
});
await once(socket, 'open');
socket.send(JSON.stringify({ type: 'session.open', name: 'simulated simulator', source: { kind: 'push', channels: names } }));
const { session, stream } = await ready;
for (const channel of names) socket.send(JSON.stringify({ type: 'context.update', session, channel, callsigns }));

began = performance.now();
const pieces = Math.floor((seconds * RATE) / PIECE);
for (let at = 0; at < pieces; at++) {
  // a piece is sent when its last sample has been spoken
  const due = began + ((at + 1) * PIECE * 1000) / RATE;
  const wait = due - performance.now();
  if (wait > 0) await new Promise((resolve) => { setTimeout(resolve, wait); });
  for (const [channel] of names.entries()) {
    const from = ((offsets[channel] ?? 0) + at * PIECE) % (pcm.length - PIECE);
    socket.send(encodeFrame({ stream, channel, clock: (at * PIECE) / RATE, pcm: pcm.subarray(from, from + PIECE) }));
  }
}
socket.send(JSON.stringify({ type: 'session.end', session }));
await over;
socket.close();
const [code] = await Promise.all([once(engine, 'exit').then(([status]) => status), engine.kill('SIGINT')]);
rmSync(folder, { recursive: true, force: true });

const sorted = latencies.sort((a, b) => a - b);
const quantile = (q) => (sorted.length === 0 ? null : Math.round(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]));
const answered = [...exchanges.values()].filter(({ readbacks }) => readbacks.length > 0);
const missing = answered.filter(({ found }) => found !== true).length;
const result = {
  frequencies: count,
  seconds,
  transmissions: captured.size,
  exchanges: exchanges.size,
  answered: answered.length,
  findings_missing: missing,
  flags,
  latency_ms: { p50: quantile(0.5), p95: quantile(0.95), of: sorted.length },
  errors,
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`,
};
if (values.json) console.log(JSON.stringify(result));
else {
  console.log(`${count} frequencies for ${seconds} s: ${captured.size} transmissions, ${exchanges.size} exchanges, ${answered.length} of them answered, ${missing} without a finding, ${flags} flagged or uncertain.`);
  console.log(`From the end of the readback's last word to the finding: p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms (${sorted.length} findings; ${result.machine}).`);
  for (const error of errors) console.log(`! ${error}`);
}
process.exitCode = missing === 0 && errors.length === 0 && code === 0 ? 0 : 1;
