/**
 * Fits how sure the recogniser's words are, and draws how well that holds. Run `npm run build` first.
 *
 *     node training/confidence/fit.mjs --model models/whisper-base-radio --speech SPEECH [--count 1500] [--plot FILE.svg] [--write]
 *
 * SPEECH is a folder of training/speech: manifest*.jsonl with file, text, engine and voice, and FLAC beside it. Every clip goes over a
 * simulated channel at 0 to 25 dB. A third of the voices is kept apart: all figures printed and drawn are those of voices that the fit
 * never heard. A word is right when it stands in the best alignment with what was said. --write puts the fit into the model's config.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { confidenceFeatures, decoderConfidences, FEATURES } from '../../dist/engine/asr/confidence.js';
import { highPass } from '../../dist/engine/asr/levels.js';
import { openModelFolder } from '../../dist/engine/asr/model-folder.js';
import { plainWord, wordsOfTokens } from '../../dist/engine/asr/token-text.js';
import { openWhisper } from '../../dist/engine/asr/whisper.js';
import { readAudio } from '../../dist/engine/audio/index.js';
import { overTheRadio } from '../../dist/engine/audio/radio-channel.js';
import { generator } from '../../dist/engine/domain/random.js';
import { rowsOf, shuffle, withPauses } from '../clips.mjs';

const { values: options } = parseArgs({
  options: { model: { type: 'string' }, speech: { type: 'string' }, count: { type: 'string', default: '1500' }, plot: { type: 'string' }, write: { type: 'boolean' } },
});
if (options.model === undefined || options.speech === undefined) {
  console.error('usage: node fit.mjs --model FOLDER --speech FOLDER [--count N] [--plot FILE.svg] [--write]');
  process.exit(2);
}

const random = generator(20);

/** The voices of a clip: a mixed one has two. */
const voicesOf = ({ engine, voice }) => voice.replace(/\/.*$/u, '').split(/[*]?[\d.]*\+/u).map((name) => `${engine}:${name}`);
const hash = (text) => [...text].reduce((sum, c) => (Math.imul(sum, 31) + c.codePointAt(0)) >>> 0, 7);
const heldOut = (voice) => hash(voice) % 3 === 0;

const clips = [];
for (const row of rowsOf(options.speech)) {
  const sides = new Set(voicesOf(row).map(heldOut));
  if (sides.size === 1) clips.push({ ...row, test: sides.has(true) });
}
shuffle(clips, random);

/** With pauses before and behind the speech, as the segmenter leaves them. */
async function samplesOf(file) {
  const speech = await readAudio(file, { channel: 'mix' });
  const pause = () => Math.round((0.2 + 0.4 * random()) * 16_000);
  return withPauses(speech, pause(), pause());
}

const SAME = new Map([['alpha', 'alfa'], ['juliet', 'juliett'], ['niner', 'nine'], ['point', 'decimal'], ['um', 'uh'], ['ah', 'uh'], ['okay', 'ok'], ['centre', 'center']]);
const canonical = (word) => SAME.get(word) ?? word;

/** Which of the read words are right, by the alignment with the fewest errors. */
function rightWords(said, read) {
  const rows = [Array.from({ length: read.length + 1 }, (_, j) => j)];
  said.forEach((word, i) => {
    const row = [i + 1];
    for (let j = 1; j <= read.length; j++) row.push(Math.min(rows[i][j] + 1, row[j - 1] + 1, rows[i][j - 1] + (word === read[j - 1] ? 0 : 1)));
    rows.push(row);
  });
  const right = read.map(() => false);
  let [i, j] = [said.length, read.length];
  while (i > 0 && j > 0) {
    const same = said[i - 1] === read[j - 1];
    if (rows[i][j] === rows[i - 1][j - 1] + (same ? 0 : 1)) {
      right[j - 1] = same;
      i--;
      j--;
    } else if (rows[i][j] === rows[i - 1][j] + 1) i--;
    else j--;
  }
  return right;
}

const folder = openModelFolder(options.model);
const whisper = await openWhisper(folder, { provider: 'cpu', threads: 2 });
const words = [];
let used = 0;
for (const clip of clips) {
  if (used >= Number(options.count)) break;
  if (clip.seconds > folder.config.bestSeconds - 2) continue;
  let samples;
  try {
    samples = await samplesOf(join(options.speech, clip.file));
  } catch {
    continue; // not written yet
  }
  used++;
  const snr = 25 * random();
  const decoded = await whisper.decode(highPass(overTheRadio(samples, { seed: used, snr })));
  const tokenWords = wordsOfTokens(decoded.tokens, folder.vocabulary);
  const right = rightWords(clip.text.split(' ').map(canonical), tokenWords.map(({ text }) => canonical(plainWord(text))));
  const raw = decoderConfidences(decoded, tokenWords);
  confidenceFeatures(decoded, tokenWords).forEach((x, at) => words.push({ x, raw: raw[at], right: right[at], test: clip.test, snr }));
  if (used % 100 === 0) console.error(`${used} clips, ${words.length} words`);
}
await whisper.close();

/** Logistic regression by Newton's method with a small ridge penalty. */
function fit(rows) {
  const size = FEATURES.length + 1;
  let w = new Array(size).fill(0);
  for (let round = 0; round < 25; round++) {
    const gradient = new Array(size).fill(0);
    const hessian = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => (i === j ? 1 : 0)));
    for (const { x, right } of rows) {
      const z = [...x, 1];
      const p = 1 / (1 + Math.exp(-z.reduce((sum, value, k) => sum + value * w[k], 0)));
      for (let i = 0; i < size; i++) {
        gradient[i] += ((right ? 1 : 0) - p) * z[i];
        for (let j = 0; j < size; j++) hessian[i][j] += p * (1 - p) * z[i] * z[j];
      }
    }
    for (let i = 0; i < size - 1; i++) gradient[i] -= w[i];
    const step = solve(hessian, gradient);
    w = w.map((value, k) => value + step[k]);
  }
  return { weights: w.slice(0, -1), bias: w.at(-1) };
}
function solve(matrix, vector) {
  const rows = matrix.map((row, i) => [...row, vector[i]]);
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows.slice(i).reduce((best, _, k) => (Math.abs(rows[i + k][i]) > Math.abs(rows[best][i]) ? i + k : best), i);
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let k = 0; k < rows.length; k++) {
      if (k === i) continue;
      const factor = rows[k][i] / rows[i][i];
      for (let j = i; j <= rows.length; j++) rows[k][j] -= factor * rows[i][j];
    }
  }
  return rows.map((row, i) => row.at(-1) / row[i]);
}
const apply = ({ weights, bias }, x) => 1 / (1 + Math.exp(-x.reduce((sum, value, k) => sum + value * weights[k], bias)));

const BINS = 10;
function reliability(list) {
  const bins = Array.from({ length: BINS }, () => ({ n: 0, p: 0, right: 0 }));
  for (const { p, right } of list) {
    const bin = bins[Math.min(BINS - 1, Math.floor(p * BINS))];
    bin.n++;
    bin.p += p;
    bin.right += right ? 1 : 0;
  }
  const error = bins.reduce((sum, { n, p, right }) => sum + Math.abs(p - right), 0) / list.length;
  const brier = list.reduce((sum, { p, right }) => sum + (p - (right ? 1 : 0)) ** 2, 0) / list.length;
  const loss = list.reduce((sum, { p, right }) => sum - Math.log(Math.max(1e-6, right ? p : 1 - p)), 0) / list.length;
  // probability that a right word is surer than a wrong one
  const sorted = [...list].sort((a, b) => a.p - b.p);
  let wrongBelow = 0;
  let pairs = 0;
  for (const { right } of sorted) {
    if (right) pairs += wrongBelow;
    else wrongBelow++;
  }
  return { bins, error, brier, loss, area: pairs / (wrongBelow * (list.length - wrongBelow)) };
}

const training = words.filter(({ test }) => !test);
const test = words.filter((word) => word.test);
const model = fit(training);
const round = (value) => Number(value.toFixed(3));
const rounded = { weights: model.weights.map(round), bias: round(model.bias) };
const before = reliability(test.map(({ raw, right }) => ({ p: raw, right })));
const after = reliability(test.map(({ x, right }) => ({ p: apply(rounded, x), right })));
const only = { ...fit(training.map((word) => ({ ...word, x: word.x.map((value, k) => (k === 0 ? value : 0)) }))) };
const platt = reliability(test.map(({ x, right }) => ({ p: apply(only, x), right })));
const say = (name, r) => console.log(`${name.padEnd(28)} expected calibration error ${r.error.toFixed(3)}  Brier ${r.brier.toFixed(3)}  log loss ${r.loss.toFixed(3)}  area under ROC ${r.area.toFixed(3)}`);
console.log(`${used} clips; fitted on ${training.length} words, figures on ${test.length} words of other voices (${((100 * test.filter((w) => w.right).length) / test.length).toFixed(1)} % right)`);
say('decoder', before);
say('log odds of the word alone', platt);
say('calibrated', after);
for (const [low, high] of [[0, 5], [5, 10], [10, 15], [15, 20], [20, 25]]) {
  const among = test.filter(({ snr }) => snr >= low && snr < high);
  const [a, b] = [among.map(({ raw, right }) => ({ p: raw, right })), among.map(({ x, right }) => ({ p: apply(rounded, x), right }))].map(reliability);
  console.log(`  ${low} to ${high} dB: right ${((100 * among.filter((w) => w.right).length) / among.length).toFixed(0)} %, calibration error ${a.error.toFixed(3)} → ${b.error.toFixed(3)}`);
}
console.log(FEATURES.map((name, k) => `${name} ${rounded.weights[k]}`).join(', '), `bias ${rounded.bias}`);

function plot() {
  const size = 300;
  const panel = (at, title, r) => {
    const x = (p) => at + 50 + p * size;
    const y = (p) => 40 + (1 - p) * size;
    const most = Math.max(...r.bins.map(({ n }) => n));
    const bars = r.bins.map(({ n }, k) => `<rect x="${x(k / BINS).toFixed(1)}" y="${y((0.25 * n) / most).toFixed(1)}" width="${size / BINS - 1}" height="${((0.25 * n * size) / most).toFixed(1)}" fill="#c9d6e3"/>`);
    const filled = r.bins.filter(({ n }) => n >= 10);
    const points = filled.map(({ n, p, right }) => `${x(p / n).toFixed(1)},${y(right / n).toFixed(1)}`);
    return [
      ...bars,
      `<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#888" stroke-dasharray="4 4"/>`,
      `<polyline points="${points.join(' ')}" fill="none" stroke="#14507a" stroke-width="2"/>`,
      ...points.map((point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3.5" fill="#14507a"/>`),
      `<rect x="${x(0)}" y="${y(1)}" width="${size}" height="${size}" fill="none" stroke="#444"/>`,
      `<text x="${x(0.5)}" y="24" text-anchor="middle" font-weight="bold">${title}: calibration error ${r.error.toFixed(3)}</text>`,
      ...[0, 0.25, 0.5, 0.75, 1].flatMap((p) => [`<text x="${x(p)}" y="${y(0) + 16}" text-anchor="middle">${p}</text>`, `<text x="${x(0) - 6}" y="${y(p) + 4}" text-anchor="end">${p}</text>`]),
      `<text x="${x(0.5)}" y="${y(0) + 34}" text-anchor="middle">confidence</text>`,
    ].join('\n');
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 400" font-family="sans-serif" font-size="12">
<rect width="780" height="400" fill="#fff"/>
<text transform="translate(14 ${40 + size / 2}) rotate(-90)" text-anchor="middle">share of words that are right</text>
${panel(10, 'Decoder', before)}
${panel(400, 'Calibrated', after)}
<text x="390" y="394" text-anchor="middle">${folder.config.name}: ${test.length} words of voices that the fit did not hear, 0 to 25 dB; bars: how many words have that confidence</text>
</svg>
`;
}
if (options.plot !== undefined) writeFileSync(options.plot, plot());
if (options.write === true) {
  const path = join(dirname(folder.encoderPath), 'config.json');
  const config = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, `${JSON.stringify({ ...config, confidence: rounded }, null, 2)}\n`);
  console.log(`written to ${path}`);
}
