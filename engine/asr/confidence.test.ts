import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confidenceFeatures, decoderConfidences, FEATURES, wordConfidences } from './confidence.js';
import type { Decoded } from './whisper.js';

const decodedOf = (probabilities: number[], ended = true): Decoded => ({
  tokens: probabilities.slice(0, ended ? -1 : undefined).map((_, at) => at),
  probabilities,
  candidates: probabilities.map((probability, token) => [{ token, probability }, { token: token + 100, probability: (1 - probability) / 2 }]),
  steps: probabilities.map((_, at) => ({ heads: 2, positions: 4, weights: Float32Array.from({ length: 8 }, (_, i) => (i % 4 === at % 4 ? 0.7 : 0.1)) })),
  branch: () => Promise.reject(new Error('not asked for')),
  hitTokenLimit: !ended,
  greedy: [],
  noSpeech: undefined, nothing: 0,
  encode: 0,
  decode: 0,
});
const words = [{ text: ' star', from: 0, to: 2 }, { text: ' five', from: 2, to: 3 }];

describe('confidence of words', () => {
  it('is what the decoder says without a calibration: the product of the tokens, and for the last word of the end as well', () => {
    expect(decoderConfidences(decodedOf([0.8, 0.5, 0.9, 0.6]), words)).toEqual([0.4, 0.54]);
    expect(wordConfidences(decodedOf([0.8, 0.5, 0.9, 0.6]), words, undefined)).toEqual([0.4, 0.54]);
    // a text that was cut off has no end to be sure of
    expect(decoderConfidences(decodedOf([0.8, 0.5, 0.9], false), words)).toEqual([0.4, 0.9]);
  });

  it('takes the figures that a calibration names', () => {
    const [star = [], five = []] = confidenceFeatures(decodedOf([0.8, 0.5, 0.9, 0.6]), words);
    const at = (row: number[], name: (typeof FEATURES)[number]): number => row[FEATURES.indexOf(name)] ?? NaN;
    expect(star).toHaveLength(FEATURES.length);
    expect(at(star, 'word')).toBeCloseTo(Math.log(0.4 / 0.6), 6);
    expect(at(star, 'weakest')).toBeCloseTo(0, 6);
    expect(at(star, 'margin')).toBeCloseTo(Math.log(0.8 / 0.1), 6);
    expect(at(star, 'after')).toBeCloseTo(Math.log(0.54 / 0.46), 6);
    expect(at(star, 'before')).toBe(at(star, 'word'));
    expect(at(five, 'before')).toBe(at(star, 'word'));
    expect(at(five, 'window')).toBeCloseTo(Math.log(0.8 * 0.5 * 0.9) / 3, 6);
    expect(at(star, 'tokens')).toBeCloseTo(Math.log(2), 6);
    expect(at(star, 'attention')).toBeCloseTo(0.7, 5);
  });

  it('follows a calibration as a logistic function of them', () => {
    const weights = FEATURES.map((name) => (name === 'word' ? 0.5 : 0));
    const [star = 0] = wordConfidences(decodedOf([0.8, 0.5, 0.9, 0.6]), words, { weights, bias: -1 });
    expect(star).toBeCloseTo(1 / (1 + Math.exp(1 - 0.5 * Math.log(0.4 / 0.6))), 6);
  });

  it('is never surer of the last word than of the end of the text', () => {
    const weights = FEATURES.map(() => 0);
    expect(wordConfidences(decodedOf([0.8, 0.5, 0.9, 0.6]), words, { weights, bias: 3 })).toEqual([1 / (1 + Math.exp(-3)), 0.6]);
    expect(wordConfidences(decodedOf([0.8, 0.5, 0.9], false), words, { weights, bias: 3 })[1]).toBeGreaterThan(0.9);
  });

  it('is between 0 and 1 whatever the decoder says', () => {
    const weights = FEATURES.map(() => 3);
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }), fc.double({ min: -50, max: 50, noNaN: true }), (probabilities, bias) => {
        for (const sure of wordConfidences(decodedOf(probabilities), words, { weights, bias })) {
          expect(sure).toBeGreaterThanOrEqual(0);
          expect(sure).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
