/**
 * A simulator's side of Hearback, in TypeScript: `npm install ws`, then `node simulator.ts URL TOKEN FILE.wav` (Node 22.18 or later).
 * FILE.wav: 16 kHz, mono, 16 bits. It is sent at real time as one frequency, and every finding is printed.
 */
import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';

const [url = '', token = '', file = ''] = process.argv.slice(2);
const wav = readFileSync(file);
const pcm = wav.subarray(wav.indexOf('data') + 8);
const PIECE = 3200; // bytes: a tenth of a second
const socket = new WebSocket(`${url.replace('http', 'ws')}/v2?token=${token}`);
const send = (message: object): void => socket.send(JSON.stringify(message));
const said = new Map<string, string>();

function frame(stream: number, channel: number, clock: number, samples: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt8(2, 0);
  header.writeUInt16LE(stream, 2);
  header.writeUInt16LE(channel, 4);
  header.writeDoubleLE(clock, 8);
  return Buffer.concat([header, samples]);
}

async function play(session: string, stream: number): Promise<void> {
  send({ type: 'context.update', session, channel: '118.105', callsigns: ['DLH328', 'SWR426'] });
  const began = performance.now();
  for (let at = 0; at < pcm.length; at += PIECE) {
    const clock = at / 32_000; // the simulator's own time, seconds
    socket.send(frame(stream, 0, clock, pcm.subarray(at, at + PIECE)));
    await new Promise((resolve) => setTimeout(resolve, began + (clock + 0.1) * 1000 - performance.now()));
  }
  send({ type: 'session.end', session });
}

socket.onmessage = ({ data }): void => {
  const message = JSON.parse(String(data));
  if (message.type === 'hello') send({ type: 'session.open', name: 'example', source: { kind: 'push', channels: ['118.105'] } });
  else if (message.type === 'session.opened') void play(message.session, message.stream);
  else if (message.type === 'error') console.error(`${message.code}: ${message.message}`);
  else if (message.type === 'event') {
    const { event } = message.logged;
    if (event.type === 'transmission.recognised') said.set(event.transmission, event.text);
    else if (event.type === 'exchange.opened') console.log(`${event.exchange.callsign ?? '?'}: ${said.get(event.exchange.instruction)}`);
    else if (event.type === 'finding.made') console.log(`  ${event.finding.verdict} ${event.finding.error_type}: ${event.finding.explanation}`);
    else if (event.type === 'session.ended') socket.close();
  }
};
socket.onerror = (): void => {
  console.error('No connection: is the engine running, and is the token right?');
  process.exitCode = 1;
};
