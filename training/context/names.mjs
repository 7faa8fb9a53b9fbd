/**
 * What asking for known operators does to names that no operator has (engine/asr/operator-names.ts). Run `npm run build` first.
 *
 *     node training/context/names.mjs --model models/whisper-base-radio --speech SPEECH [SPEECH …] [--count 600] [--show]
 *
 * SPEECH are folders of training/speech. Every clip with a whole airline callsign goes over a simulated channel at 0 to 25 dB, a quarter
 * without one, and is decoded once. For each margin: callsigns read right before and after; and, as if the product did not know the
 * operator that was said (its names are not asked for), how many callsigns become another known operator's.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bestBorneOut } from '../../dist/engine/asr/context-bias.js';
import { highPass } from '../../dist/engine/asr/levels.js';
import { openModelFolder } from '../../dist/engine/asr/model-folder.js';
import { misspelledNames } from '../../dist/engine/asr/operator-names.js';
import { plainWord, wordsOfTokens } from '../../dist/engine/asr/token-text.js';
import { openWhisper } from '../../dist/engine/asr/whisper.js';
import { readAudio } from '../../dist/engine/audio/index.js';
import { overTheRadio } from '../../dist/engine/audio/radio-channel.js';
import { generator } from '../../dist/engine/domain/random.js';
import { designatorsOf } from '../../dist/engine/phraseology/index.js';
import { understand } from '../../dist/engine/understanding/index.js';
import { rowsOf, shuffle, withPauses } from '../clips.mjs';

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { model: { type: 'string' }, speech: { type: 'string', multiple: true }, count: { type: 'string', default: '600' }, show: { type: 'boolean' } } });
const folders = [...(options.speech ?? []), ...positionals];
if (options.model === undefined || folders.length === 0) {
  console.error('usage: node names.mjs --model FOLDER --speech FOLDER [FOLDER …] [--count N] [--show]');
  process.exit(2);
}
const random = generator(12);
const callsignOf = (text) => understand({ id: '', text }).callsign;
const clips = folders.flatMap((folder) => [...rowsOf(folder)].map((row) => ({ ...row, path: join(folder, row.file), callsign: callsignOf(row.text) }))).filter((row) => row.seconds < 12 && /^[A-Z]{3}\d/u.test(row.callsign ?? ''));
shuffle(clips, random);

const folder = openModelFolder(options.model);
const whisper = await openWhisper(folder, { provider: 'cpu', threads: 2 });
const MARGINS = [0, 1, 2, 3, 4, 5, 6, 8, 10];
const count = { clips: 0, heard: 0, misspelled: 0 };
const table = MARGINS.map((margin) => ({ margin, renamed: 0, right: 0, mended: 0, spoilt: 0, unknown: 0 }));
for (const clip of clips.slice(0, Number(options.count))) {
  let samples;
  try {
    samples = withPauses(await readAudio(clip.path, { channel: 'mix' }), 6_400, 6_400);
  } catch {
    continue;
  }
  count.clips++;
  const decoded = await whisper.decode(highPass(random() < 0.25 ? samples : overTheRadio(samples, { seed: count.clips, snr: 25 * random() })));
  const words = wordsOfTokens(decoded.tokens, folder.vocabulary).filter(({ text }) => plainWord(text) !== '');
  const plain = words.map(({ text }) => plainWord(text));
  const question = { decoded, words, vocabulary: folder.vocabulary, eos: folder.config.eos };
  const alone = callsignOf(plain.join(' '));
  if (alone === clip.callsign) count.heard++;
  const asked = misspelledNames(plain);
  const designator = clip.callsign.slice(0, 3);
  const others = asked.filter((each) => !designatorsOf(each.words.join(' ')).includes(designator));
  if (asked.length > 0) count.misspelled++;
  for (const row of table) {
    const named = await bestBorneOut(question, asked, () => row.margin);
    if (named !== undefined) row.renamed++;
    const after = named === undefined ? alone : callsignOf([...plain.slice(0, named.from), ...named.words, ...plain.slice(named.to)].join(' '));
    if (after === clip.callsign) row.right++;
    if (after === clip.callsign && alone !== clip.callsign) row.mended++;
    if (after !== clip.callsign && alone === clip.callsign) row.spoilt++;
    if ((await bestBorneOut(question, others, () => row.margin)) !== undefined) row.unknown++;
    if (options.show && row.margin === 6 && named !== undefined) console.log(`${after === clip.callsign ? 'right' : 'WRONG'} ${clip.callsign}: ${plain.slice(named.from, named.to).join(' ')} → ${named.words.join(' ')} (lead ${named.lead.toFixed(1)}, likeness ${named.likeness.toFixed(2)}) in: ${plain.join(' ')}`);
  }
}
await whisper.close();
console.log(`${count.clips} transmissions, a quarter without a channel, else at 0 to 25 dB; callsign right ${count.heard}; with a name that no operator has ${count.misspelled}`);
for (const row of table) console.log(`margin ${row.margin}: ${row.renamed} renamed, callsign right ${row.right} (${row.mended} mended, ${row.spoilt} spoilt); operator not known: ${row.unknown} renamed to another`);
