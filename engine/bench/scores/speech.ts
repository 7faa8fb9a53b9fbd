/**
 * Word and character error rate of recognised text, as written and after the normaliser of the recogniser's benchmark.
 */
import { NORMALISER_VERSION, normalise } from '../asr/normalise.js';
import { bootstrap, type Estimate, type Resampling } from './interval.js';

export interface SpeechItem {
  readonly gold: { readonly text: string; readonly recording?: string | undefined };
  /** null: nothing was recognised, or the answer was lost; counts as all words deleted. */
  readonly answer: { readonly text: string } | null;
}

export const SPEECH_SCORES = ['wer_raw', 'wer', 'cer_raw', 'cer'] as const;
export type SpeechScore = (typeof SPEECH_SCORES)[number];

export interface SpeechFigures {
  readonly scores: Readonly<Record<SpeechScore, Estimate>>;
  readonly unreadable: number;
  readonly words: number;
  readonly normaliser: number;
}

interface Errors {
  readonly errors: number;
  readonly of: number;
}
/** Least number of substitutions, deletions and insertions (Levenshtein). Of characters there are many: numbers in one row, nothing else. */
function between(reference: readonly string[], said: readonly string[]): Errors {
  const row = Uint32Array.from({ length: said.length + 1 }, (_, j) => j);
  reference.forEach((token, i) => {
    let diagonal = i;
    let left = i + 1;
    row[0] = left;
    for (let j = 1; j <= said.length; j++) {
      const above = row[j] ?? 0;
      left = Math.min(diagonal + (token === said[j - 1] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      row[j] = left;
    }
  });
  return { errors: row[said.length] ?? 0, of: reference.length };
}
const rawWords = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');
const characters = (words: readonly string[]): string[] => Array.from(words.join(' '));

/** Errors over reference length, summed over the corpus; characters include the blanks between words. Drawn by recording where the gold names one. */
export function scoreSpeech(items: readonly SpeechItem[], resampling: Resampling = {}): SpeechFigures {
  const rows = items.map(({ gold, answer }) => {
    const said = answer?.text ?? '';
    const [plain, plainSaid, words, wordsSaid] = [rawWords(gold.text), rawWords(said), normalise(gold.text), normalise(said)];
    return { recording: gold.recording, wer_raw: between(plain, plainSaid), wer: between(words, wordsSaid), cer_raw: between(characters(plain), characters(plainSaid)), cer: between(characters(words), characters(wordsSaid)) };
  });
  type Row = (typeof rows)[number];
  const rate = (name: SpeechScore) => (sample: readonly Row[]): number => sample.reduce((sum, row) => sum + row[name].errors, 0) / sample.reduce((sum, row) => sum + row[name].of, 0);
  const scores = bootstrap(rows, { wer_raw: rate('wer_raw'), wer: rate('wer'), cer_raw: rate('cer_raw'), cer: rate('cer') }, resampling, ({ recording }) => recording);
  return { scores, unreadable: items.filter(({ answer }) => answer === null).length, words: rows.reduce((sum, row) => sum + row.wer.of, 0), normaliser: NORMALISER_VERSION };
}
