/**
 * node fit.mjs PAIRS — fits the weights of engine/audio/voice.ts (logistic regression) on what pairs.py wrote, and prints five-fold
 * cross-validated figures. Run `npm run build` first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWavSamples } from '../../dist/engine/audio/index.js';
import { voiceDifferences, voiceFeatures } from '../../dist/engine/audio/voice.js';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node fit.mjs PAIRS');
  process.exit(2);
}
const cases = [];
for (const row of JSON.parse(readFileSync(join(folder, 'pairs.json'), 'utf8'))) {
  const { samples } = await readWavSamples(join(folder, row.file));
  const a = voiceFeatures(samples.subarray(...row.a));
  const b = voiceFeatures(samples.subarray(...row.b));
  if (a !== undefined && b !== undefined) cases.push({ x: voiceDifferences(a, b), same: row.same, kind: row.kind });
}

function fit(from, rounds = 3000, rate = 0.3, ridge = 0.002) {
  const weights = new Array(from[0].x.length).fill(0);
  let bias = 0;
  for (let round = 0; round < rounds; round++) {
    const slope = weights.map(() => 0);
    let biasSlope = 0;
    for (const { x, same } of from) {
      const error = probability({ weights, bias }, x) - (same ? 1 : 0);
      biasSlope += error / from.length;
      x.forEach((value, k) => (slope[k] += (error * value) / from.length));
    }
    slope.forEach((value, k) => (weights[k] -= rate * (value + ridge * weights[k])));
    bias -= rate * biasSlope;
  }
  return { weights, bias };
}
const probability = ({ weights, bias }, x) => 1 / (1 + Math.exp(-x.reduce((sum, value, k) => sum + value * weights[k], bias)));

const judged = [];
for (let fold = 0; fold < 5; fold++) {
  const model = fit(cases.filter((_, at) => at % 5 !== fold));
  for (const each of cases.filter((_, at) => at % 5 === fold)) judged.push({ ...each, p: probability(model, each.x) });
}
for (const kind of ['receiver', 'feed', 'floor']) {
  const among = judged.filter((each) => each.kind === kind);
  const share = (list, right) => `${list.filter(right).length} of ${list.length}`;
  console.log(
    `${kind}: right ${share(among, (e) => e.p > 0.5 === e.same)}; p >= .8 right ${share(among.filter((e) => e.p >= 0.8), (e) => e.same)}; p <= .2 right ${share(among.filter((e) => e.p <= 0.2), (e) => !e.same)}`,
  );
}
const { weights, bias } = fit(cases);
console.log(JSON.stringify({ weights: weights.map((w) => Number(w.toFixed(2))), bias: Number(bias.toFixed(2)) }));
