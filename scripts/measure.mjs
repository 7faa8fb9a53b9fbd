/** What the measurements of memory share: a WAV header, and a run of `monitor` whose resident memory is sampled. */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** Header of a WAV file of whole-number samples with `bytes` of audio behind it. */
export function wavHeader({ bytes, channels, rate, bits }) {
  const header = Buffer.alloc(44);
  const frame = (channels * bits) / 8;
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * frame, 28);
  header.writeUInt16LE(frame, 32);
  header.writeUInt16LE(bits, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}

/** Resident bytes of a process and of its children, from /proc (Linux); what has ended counts nothing. */
function resident(pid) {
  let own = 0;
  let children = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
      if (Number(id) === pid) own = rss;
      else if (Number(/PPid:\s+(\d+)/.exec(status)?.[1]) === pid) children += rss;
    } catch {
      // it ended while we looked
    }
  }
  return { own, all: own + children };
}

/**
 * Runs the command line with these arguments and hands every line of its output to `onLine`. Memory is read four times a second.
 * `samples`: resident bytes of the program alone (`own`) and together with its recogniser (`all`), in order.
 */
export async function measured(main, args, onLine) {
  if (process.platform !== 'linux') console.log('Memory is read from /proc: it is measured on Linux only.');
  const started = Date.now();
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const samples = [];
  const timer = process.platform === 'linux' ? setInterval(() => samples.push(resident(child.pid)), 250) : undefined;
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  return { code, samples, seconds: (Date.now() - started) / 1000 };
}

/** Whole megabytes. */
export const mega = (bytes) => Math.round(bytes / 1e6);
/** 0 for no samples, so that nothing is above a limit where nothing could be measured. */
export const highest = (values) => values.reduce((most, value) => Math.max(most, value), 0);
