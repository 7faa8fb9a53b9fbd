import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clip, clips, MODEL_DIR, noise, sum } from '../../test/support/asr-audio.js';
import { alternativesOf, isDeciding } from './alternatives.js';
import { highPass } from './levels.js';
import { openModelFolder } from './model-folder.js';
import { wordsOfTokens } from './token-text.js';
import { openWhisper, type Branch, type Candidate, type Decoded, type Whisper } from './whisper.js';

const EOS = 0;
const VOCABULARY = [null, ' heading', ' four', ' five', ' fif', 'teen', 'ty', ' left', ' fan', 'ik', ' star'].map((text) => (text === null ? null : new TextEncoder().encode(text)));
const row = (text: string): number => VOCABULARY.findIndex((bytes) => bytes !== null && new TextDecoder().decode(bytes) === text);

/**
 * A decoded text by its steps, each the candidates with their probabilities, the chosen one first ('' ends the text). `follows`: what
 * comes after a token; the text ends after all others.
 */
function decodedOf(steps: Record<string, number>[], follows: Record<string, string> = {}): Decoded {
  const candidates = steps.map((step) => Object.entries(step).map(([text, probability]): Candidate => ({ token: text === '' ? EOS : row(text), probability })));
  const tokens = candidates.map((list) => list[0]?.token ?? EOS).filter((token) => token !== EOS);
  const branchAfter = (fed: readonly number[]): Branch => {
    const bytes = VOCABULARY[fed.at(-1) ?? EOS];
    const next = follows[new TextDecoder().decode(bytes ?? new Uint8Array())];
    return {
      next: Float32Array.from(VOCABULARY, (_, at) => (at === (next === undefined ? EOS : row(next)) ? 0 : -Infinity)),
      extend: (more) => Promise.resolve(branchAfter([...fed, ...more])),
    };
  };
  return {
    tokens,
    candidates,
    probabilities: candidates.map((list) => list[0]?.probability ?? 0),
    steps: [],
    branch: (length, more) => Promise.resolve(branchAfter([...tokens.slice(0, length), ...more])),
    hitTokenLimit: false,
    greedy: [],
    noSpeech: undefined, nothing: 0,
    encode: 0,
    decode: 0,
  };
}

const ask = async (steps: Record<string, number>[], follows?: Record<string, string>): Promise<string[][]> => {
  const decoded = decodedOf(steps, follows);
  const found = await alternativesOf(decoded, wordsOfTokens(decoded.tokens, VOCABULARY), VOCABULARY, EOS);
  return found.map((list) => list.map(({ text, probability }) => `${text} ${probability.toFixed(2)}`));
};

describe('word alternatives', () => {
  it('names the digit that may have been said instead', async () => {
    expect(await ask([{ ' heading': 1 }, { ' four': 0.7, ' five': 0.25 }, { '': 1 }])).toEqual([[], ['five 0.25']]);
  });

  it('finishes a word that another token only begins', async () => {
    expect(await ask([{ ' four': 0.6, ' fif': 0.4 }, { '': 1 }], { ' fif': 'ty' })).toEqual([['fifty 0.40']]);
  });

  it('sees a rival inside a word, and its probability is that of the whole way there', async () => {
    expect(await ask([{ ' fif': 0.5 }, { teen: 0.6, ty: 0.4 }, { '': 1 }])).toEqual([['fifty 0.20']]);
  });

  it('sees that a word may be shorter, or the text longer', async () => {
    expect(await ask([{ ' four': 0.9 }, { teen: 0.6, ' left': 0.3, '': 0.1 }, { '': 1 }])).toEqual([['four 0.36']]);
    expect(await ask([{ ' heading': 1 }, { ' five': 1 }, { '': 0.6, ' left': 0.4 }])).toEqual([[], ['five left 0.40']]);
  });

  it('counts one word once, however it was put together, and never the word itself', async () => {
    // "fif" + "ty" twice: by another first token, and inside the word
    expect(await ask([{ ' fif': 0.5, ' four': 0.2 }, { teen: 0.5, ty: 0.5 }, { '': 1 }], { ' four': 'teen' })).toEqual([['fifty 0.25', 'fourteen 0.20']]);
    expect(await ask([{ ' fif': 0.6 }, { ty: 1 }, { '': 0.9 }])).toEqual([[]]);
  });

  it('leaves out what is hardly possible, and rivals of words that decide nothing unless they are strong', async () => {
    expect(await ask([{ ' four': 0.98, ' five': 0.015 }, { '': 1 }])).toEqual([[]]);
    expect(await ask([{ ' fan': 0.9, ' star': 0.05 }, { ik: 1 }, { '': 1 }])).toEqual([[]]);
    expect(await ask([{ ' fan': 0.7, ' star': 0.2 }, { ik: 1 }, { '': 1 }])).toEqual([['star 0.20']]);
    expect(['seven', 'fifty', 'papa', 'left', 'decimal'].every(isDeciding)).toBe(true);
    expect(['lufthansa', 'good', 'runway'].some(isDeciding)).toBe(false);
  });
});

describe('word alternatives of real audio', () => {
  let whisper: Whisper;
  beforeAll(async () => {
    whisper = await openWhisper(openModelFolder(MODEL_DIR), { provider: 'cpu', threads: 2 });
  });
  afterAll(() => whisper.close());

  it('takes decoding up again at any token and comes to what was written', async () => {
    const decoded = await whisper.decode(highPass(clip('tower.wav').samples));
    for (const length of [0, 1, 4, decoded.tokens.length - 1, decoded.tokens.length]) {
      const { next } = await decoded.branch(length, []);
      const wanted = decoded.tokens[length] ?? whisper.folder.config.eos;
      expect(next.indexOf(Math.max(...next))).toBe(wanted);
      expect(Math.exp(next[wanted] ?? 0)).toBeCloseTo(decoded.probabilities[length] ?? 0, 2);
    }
    const first = await decoded.branch(2, decoded.tokens.slice(2, 3));
    const further = await first.extend(decoded.tokens.slice(3, 4));
    expect(further.next.indexOf(Math.max(...further.next))).toBe(decoded.tokens[4]);
  });

  it('follows more texts only where greedy decoding left doubt, and then finds a text that it is surer of', async () => {
    const mean = (probabilities: readonly number[]): number => probabilities.reduce((total, p) => total + Math.log(p), 0) / probabilities.length;
    const { samples } = clip('climb.wav');
    const clear = highPass(samples);
    expect((await whisper.decode(clear, undefined, 4)).tokens).toEqual((await whisper.decode(clear)).tokens);
    let others = 0;
    for (const [at, { samples: spoken }] of clips().entries()) {
      const noisy = highPass(sum(spoken, noise(spoken.length / 16_000 + 1, 0.1 + 0.04 * (at % 3), at + 1)));
      const greedy = await whisper.decode(noisy);
      const wider = await whisper.decode(noisy, undefined, 4);
      expect(greedy.hitTokenLimit || mean(wider.probabilities) >= mean(greedy.probabilities)).toBe(true);
      expect(wider.greedy).toEqual(greedy.greedy);
      expect(wider.probabilities).toHaveLength(wider.candidates.length);
      if (wider.tokens.join() === greedy.tokens.join()) continue;
      others++;
      // the branch belongs to the text that was taken
      const { next } = await wider.branch(1, []);
      expect(Math.exp(next[wider.tokens[1] ?? whisper.folder.config.eos] ?? 0)).toBeCloseTo(wider.probabilities[1] ?? 0, 4);
    }
    expect(others).toBeGreaterThan(0);
  });

  it('holds the right word for many of the wrong ones on noisy speech', async () => {
    let wrong = 0;
    let rescued = 0;
    for (const { text, samples } of clips()) {
      for (const seed of [1, 2, 3]) {
        const noisy = highPass(sum(samples, noise(samples.length / 16_000 + 1, 0.09, seed)));
        const decoded = await whisper.decode(noisy);
        const words = wordsOfTokens(decoded.tokens, whisper.folder.vocabulary);
        const said = text.split(' ');
        const found = await alternativesOf(decoded, words, whisper.folder.vocabulary, whisper.folder.config.eos);
        // only texts whose words stand one to one can be compared without an alignment
        if (words.length !== said.length) continue;
        words.forEach((word, at) => {
          if (word.text.trim() === said[at]) return;
          wrong++;
          if (found[at]?.some((other) => other.text === said[at]) === true) rescued++;
        });
        for (const [at, list] of found.entries()) {
          const { from = 0, to = 0 } = words[at] ?? {};
          // the last word is only that word when the text ends behind it
          const own = decoded.probabilities.slice(from, to + (to === decoded.tokens.length ? 1 : 0)).reduce((product, p) => product * p, 1);
          expect(own + list.reduce((total, { probability }) => total + probability, 0)).toBeLessThanOrEqual(1.001);
        }
      }
    }
    expect(wrong).toBeGreaterThan(3);
    expect(rescued / wrong).toBeGreaterThan(0.2);
  });
});
