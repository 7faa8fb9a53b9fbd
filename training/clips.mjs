/**
 * What the fits and measurements on synthetic clips share: the corpus of training/speech, an order that a seed gives, and the quiet that the
 * segmenter leaves around speech. Run `npm run build` first.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Rows of manifest*.jsonl under a folder that have a file and a text. */
export function* rowsOf(folder) {
  for (const name of readdirSync(folder).filter((file) => /^manifest.*\.jsonl$/u.test(file)).sort()) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      let row;
      try {
        row = JSON.parse(line);
      } catch {
        continue; // a manifest that is still being written may end in half a line
      }
      if (row.file !== undefined && row.text !== undefined) yield row;
    }
  }
}

/** Shuffles in place (Fisher and Yates). */
export function shuffle(list, random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
}

/** The samples with so many samples of silence before and behind. */
export function withPauses(samples, before, behind) {
  const out = new Float32Array(before + samples.length + behind);
  out.set(samples, before);
  return out;
}
