/**
 * What a traffic list does to callsigns. Run `npm run build` first.
 *
 *     node training/context/measure.mjs --model models/whisper-base-radio --speech SPEECH [--count 300] [--show]
 *
 * SPEECH is a folder of training/speech. Every clip with a whole airline callsign goes over a simulated channel at 0 to 20 dB and is
 * decoded once; then twice with a list of 20: one that holds the callsign, and one that holds a look-alike in its place (one digit or
 * letter another, two changed places, or the same number of another operator). "Hidden" is a transmission whose own callsign was heard
 * right without the list and became the look-alike with it.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MARGINS, pullToList } from '../../dist/engine/asr/context-bias.js';
import { highPass } from '../../dist/engine/asr/levels.js';
import { openModelFolder } from '../../dist/engine/asr/model-folder.js';
import { plainWord, wordsOfTokens } from '../../dist/engine/asr/token-text.js';
import { openWhisper } from '../../dist/engine/asr/whisper.js';
import { readAudio } from '../../dist/engine/audio/index.js';
import { overTheRadio } from '../../dist/engine/audio/radio-channel.js';
import { generator } from '../../dist/engine/domain/random.js';
import { understand } from '../../dist/engine/understanding/index.js';
import { rowsOf, shuffle, withPauses } from '../clips.mjs';

const { values: options } = parseArgs({ options: { model: { type: 'string' }, speech: { type: 'string' }, count: { type: 'string', default: '300' }, show: { type: 'boolean' } } });
if (options.model === undefined || options.speech === undefined) {
  console.error('usage: node measure.mjs --model FOLDER --speech FOLDER [--count N] [--show]');
  process.exit(2);
}
const random = generator(11);
const pick = (list) => list[Math.floor(random() * list.length)];

const AIRLINE = /^([A-Z]{3})(\d[A-Z0-9]+)$/u;
const callsignOf = (text, callsigns) => understand({ id: '', text, ...(callsigns === undefined ? {} : { context: { callsigns } }) }).callsign;
const clips = [...rowsOf(options.speech)].filter((row) => row.seconds < 12 && AIRLINE.test(row.callsign ?? '') && callsignOf(row.text) === row.callsign);
shuffle(clips, random);
const everybody = [...new Set(clips.map(({ callsign }) => callsign))];

function lookAlike(callsign) {
  const [, airline, flight] = AIRLINE.exec(callsign);
  const kind = random();
  if (kind < 0.2) {
    const other = pick(everybody.filter((each) => !each.startsWith(airline)));
    return `${other.slice(0, 3)}${flight}`;
  }
  const at = Math.floor(random() * flight.length);
  if (kind < 0.35 && at + 1 < flight.length && flight[at] !== flight[at + 1] && /\d/u.test(flight[at + 1])) return `${airline}${flight.slice(0, at)}${flight[at + 1]}${flight[at]}${flight.slice(at + 2)}`;
  const others = [.../\d/u.test(flight[at]) ? '0123456789' : 'ABCDEFGHJKLMNPQRSTUVWXYZ'].filter((char) => char !== flight[at]);
  return `${airline}${flight.slice(0, at)}${pick(others)}${flight.slice(at + 1)}`;
}

const folder = openModelFolder(options.model);
const whisper = await openWhisper(folder, { provider: 'cpu', threads: 2 });
const STRENGTHS = [0.5, 1, 1.5, 2, 3];
const count = { clips: 0, heard: 0, parser: 0 };
const table = STRENGTHS.map((strength) => ({ strength, right: 0, pulled: 0, spoilt: 0, hidden: 0, hiddenText: 0, ms: 0 }));
for (const clip of clips) {
  if (count.clips >= Number(options.count)) break;
  let samples;
  try {
    samples = withPauses(await readAudio(join(options.speech, clip.file), { channel: 'mix' }), 6_400, 6_400);
  } catch {
    continue;
  }
  count.clips++;
  const decoded = await whisper.decode(highPass(overTheRadio(samples, { seed: count.clips, snr: 20 * random() })));
  const words = wordsOfTokens(decoded.tokens, folder.vocabulary).filter(({ text }) => plainWord(text) !== '');
  const question = { decoded, words, vocabulary: folder.vocabulary, eos: folder.config.eos };
  const plain = words.map(({ text }) => plainWord(text));
  const others = Array.from({ length: 19 }, () => pick(everybody)).filter((each) => each !== clip.callsign);
  const own = [...others, clip.callsign];
  const wrong = lookAlike(clip.callsign);
  const alike = [...others, wrong];
  const alone = callsignOf(plain.join(' '));
  if (alone === clip.callsign) count.heard++;
  if (callsignOf(plain.join(' '), own) === clip.callsign) count.parser++;
  const ends = (pulled) => (pulled === undefined ? plain : [...plain.slice(0, pulled.from), ...pulled.words, ...plain.slice(pulled.to)]).join(' ');
  for (const row of table) {
    const started = performance.now();
    const pulled = await pullToList(question, { callsigns: own, strength: row.strength });
    row.ms += performance.now() - started;
    if (pulled !== undefined) row.pulled++;
    const after = callsignOf(ends(pulled), own);
    if (after === clip.callsign) row.right++;
    else if (alone === clip.callsign && pulled !== undefined) row.spoilt++;
    const misled = await pullToList(question, { callsigns: alike, strength: row.strength });
    // without the parser's own use of the list: what the words alone say
    if (misled?.callsign === wrong) {
      if (alone === clip.callsign) row.hidden++;
      // the look-alike took the place of something else than the callsign that was said, or of a garbled one
      else row.hiddenText++;
      if (options.show && row.strength === 1) console.log(`${alone === clip.callsign ? 'HIDDEN' : 'garbled'}: said ${clip.callsign}, listed ${wrong}\n   ${clip.text}\n   ${plain.join(' ')}\n   ${ends(misled)} (${misled.confidence.toFixed(2)})`);
    }
    if (options.show && row.strength === 1 && pulled !== undefined) console.log(`${pulled.callsign === clip.callsign ? 'right' : 'WRONG'} pull to ${pulled.callsign}: ${plain.slice(pulled.from, pulled.to).join(' ')} → ${pulled.words.join(' ')} (${pulled.confidence.toFixed(2)}) in: ${plain.join(' ')}`);
  }
}
await whisper.close();
const share = (n) => `${((100 * n) / count.clips).toFixed(1)} %`;
console.log(`${count.clips} transmissions at 0 to 20 dB; margins ${JSON.stringify(MARGINS)}`);
console.log(`callsign right without a list ${share(count.heard)}, with it in the parser alone ${share(count.parser)}`);
for (const row of table) {
  console.log(`strength ${row.strength}: with it in the recogniser too ${share(row.right)} (${row.pulled} pulled, ${row.spoilt} spoilt, ${(row.ms / count.clips).toFixed(1)} ms); look-alike listed: ${row.hidden} hidden, ${row.hiddenText} garbled ones pulled`);
}
