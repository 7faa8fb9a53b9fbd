/**
 * How well the recogniser knows that nobody speaks. Run `npm run build` first.
 *
 *     node training/confidence/no-speech.mjs --model models/whisper-base-radio --speech SPEECH [--count 300]
 *
 * `count` clips of 1 to 6 s of noise (the kinds of the benchmark, other seeds) and of music, and as many of a training/speech folder over a
 * simulated channel at −4 to 25 dB. Told are pieces that give text with and without the rule on `nothing`, the probability that the text ends
 * before its first word (NEARLY_NOTHING in engine/asr/transcriber.ts), and each piece where that makes a difference.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createWhisperReader } from '../../dist/engine/asr/whisper-reader.js';
import { openModelFolder } from '../../dist/engine/asr/model-folder.js';
import { transcribe } from '../../dist/engine/asr/transcriber.js';
import { openWhisper } from '../../dist/engine/asr/whisper.js';
import { readAudio } from '../../dist/engine/audio/index.js';
import { overTheRadio } from '../../dist/engine/audio/radio-channel.js';
import { music, noise, NOISES } from '../../dist/engine/bench/asr/sounds.js';
import { generator } from '../../dist/engine/domain/random.js';
import { rowsOf, shuffle, withPauses } from '../clips.mjs';

const { values: options } = parseArgs({ options: { model: { type: 'string' }, speech: { type: 'string' }, count: { type: 'string', default: '300' }, seed: { type: 'string', default: '77' } } });
if (options.model === undefined || options.speech === undefined) {
  console.error('usage: node no-speech.mjs --model FOLDER --speech FOLDER [--count N] [--seed N]');
  process.exit(2);
}
const count = Number(options.count);
const random = generator(Number(options.seed));
const whisper = await openWhisper(openModelFolder(options.model), { provider: 'cpu', threads: 2 });
const whisperReader = createWhisperReader(whisper);
let read = [];
// the same windows twice: as they are, and with `nothing` unknown
const listening = { ...whisperReader, read: async (...given) => read[read.push(await whisperReader.read(...given)) - 1] };
const replaying = { ...whisperReader, read: () => Promise.resolve({ ...read.shift(), nothing: 0 }) };

const rows = [];
const hear = async (kind, samples, said) => {
  read = [];
  const now = await transcribe(listening, samples);
  const nothing = Math.min(...read.filter(({ words }) => words.length > 0).map((window) => window.nothing));
  const before = await transcribe(replaying, samples);
  rows.push({ kind, said, now: now.text, before: before.text, nothing, guards: before.guards.map(({ reason }) => reason) });
};
for (let i = 0; i < count; i++) {
  const seconds = 1 + 5 * random();
  const soundSeed = Number(options.seed) * 100_000 + i;
  const kind = i % 6 === 5 ? 'music' : NOISES[i % NOISES.length];
  await hear(kind, kind === 'music' ? music(seconds, soundSeed) : noise(kind, seconds, soundSeed));
}
const clips = [...rowsOf(options.speech)].filter(({ seconds }) => seconds < 10);
shuffle(clips, random);
for (const [i, clip] of clips.slice(0, count).entries()) {
  const speech = await readAudio(join(options.speech, clip.file), { channel: 'mix' });
  const snr = -4 + 29 * random();
  await hear(`speech ${snr < 2 ? '-4' : snr < 9 ? ' 2' : ' 9'}`, overTheRadio(withPauses(speech, 4000, 4000), { seed: i, snr }), clip.text);
}
await whisper.close();

const tell = (name, some) => {
  const [before, now] = ['before', 'now'].map((which) => some.filter((row) => row[which] !== '').length);
  console.log(`${name}: ${before} of ${some.length} give text without the rule, ${now} with it`);
};
const spoken = rows.filter(({ said }) => said !== undefined);
tell('nobody speaks', rows.filter(({ said }) => said === undefined));
for (const kind of [...new Set(spoken.map(({ kind }) => kind))].sort()) tell(kind, spoken.filter((row) => row.kind === kind));
for (const { kind, said, before, now, nothing, guards } of rows) {
  if (said === undefined ? before !== '' : before !== now) console.log(`${kind}: ${JSON.stringify(said ?? '')} heard as ${JSON.stringify(before)}, now ${JSON.stringify(now)} (${nothing.toFixed(3)}; ${guards.join(', ')})`);
}
