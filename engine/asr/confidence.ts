/**
 * How sure a word is. The probability that a decoder gives its own tokens is not how often it is right: on noise it is too sure of
 * itself, and what stands around a word says more. A logistic function of a few such figures is fitted for each model on speech by
 * voices of its own (training/confidence/) and stands in the model's config.json.
 */
import type { AlignmentStep } from './alignment.js';
import type { ModelConfig } from './model-folder.js';
import type { TokenWord } from './token-text.js';
import type { Decoded } from './whisper.js';

/** The figures that a calibration may weigh, in the order of its weights. */
export const FEATURES = ['word', 'weakest', 'margin', 'before', 'after', 'window', 'tokens', 'attention'] as const;

export type Calibration = NonNullable<ModelConfig['confidence']>;

/** Probabilities closer to 0 or 1 than this tell no more. */
const EDGE = 1e-4;
const logit = (p: number): number => {
  const inside = Math.min(1 - EDGE, Math.max(EDGE, p));
  return Math.log(inside / (1 - inside));
};
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/**
 * Probability of each word given the text before it: the product over its tokens. The last word also carries the probability that the
 * text ends there: a runway or level whose last digit was left out shows in nothing else.
 */
export function decoderConfidences(decoded: Pick<Decoded, 'tokens' | 'probabilities' | 'hitTokenLimit'>, words: readonly TokenWord[]): number[] {
  return words.map(({ from, to }) => {
    const end = to === decoded.tokens.length && !decoded.hitTokenLimit ? to + 1 : to;
    return decoded.probabilities.slice(from, end).reduce((product, p) => product * p, 1);
  });
}

/** How much of a step's attention lies at one place, mean over heads: high where the decoder listens to something, low where it guesses. */
function concentration(step: AlignmentStep | undefined): number {
  if (step === undefined || step.heads === 0) return 0;
  let best = 0;
  for (let p = 0; p < step.positions; p++) {
    let here = 0;
    for (let h = 0; h < step.heads; h++) here += step.weights[h * step.positions + p] ?? 0;
    best = Math.max(best, here / step.heads);
  }
  return best;
}

/**
 * One row of {@link FEATURES} for each word: log odds of the word and of its weakest token, lead of its first token over the second
 * choice (nats, at most 8), log odds of the words before and behind (the word's own at the ends), mean log probability of the window's
 * tokens, logarithm of the number of tokens, and concentration of the attention.
 */
export function confidenceFeatures(decoded: Decoded, words: readonly TokenWord[]): number[][] {
  const raw = decoderConfidences(decoded, words).map(logit);
  const { probabilities, tokens, candidates, steps } = decoded;
  const written = probabilities.slice(0, tokens.length);
  const window = written.reduce((sum, p) => sum + Math.log(Math.max(EDGE, p)), 0) / Math.max(1, written.length);
  return words.map(({ from, to }, at) => {
    const own = raw[at] ?? 0;
    const [first, second] = candidates[from] ?? [];
    const lead = Math.log((first?.probability ?? EDGE) / Math.max(EDGE, second?.probability ?? EDGE));
    const listening = steps.slice(from, to).reduce((sum, step) => sum + concentration(step), 0) / Math.max(1, to - from);
    return [own, logit(Math.min(1, ...probabilities.slice(from, to))), Math.min(8, lead), raw[at - 1] ?? own, raw[at + 1] ?? own, window, Math.log(Math.max(1, to - from)), listening];
  });
}

/**
 * Confidence of each word, 0…1: calibrated where the model has a calibration, else what the decoder says. The last word is never surer
 * than that the text ends there.
 */
export function wordConfidences(decoded: Decoded, words: readonly TokenWord[], calibration: Calibration | undefined): number[] {
  if (calibration === undefined) return decoderConfidences(decoded, words);
  return confidenceFeatures(decoded, words).map((row, at) => {
    const sure = logistic(row.reduce((sum, value, k) => sum + value * (calibration.weights[k] ?? 0), calibration.bias));
    const ends = words[at]?.to === decoded.tokens.length && !decoded.hitTokenLimit ? (decoded.probabilities.at(-1) ?? 1) : 1;
    return Math.min(sure, ends);
  });
}
