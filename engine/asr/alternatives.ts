/**
 * Word alternatives: what else the recogniser thinks possible where it wrote a word. They come from the probabilities of the greedy
 * pass; where it is not clear from one token which word it begins ("fif" of "fifteen" and "fifty"), decoding goes on with that token for
 * a moment. So "two four zero" may come with "five" beside the "four", and a judge can say "240 or 250".
 */
import type { WordAlternative } from '../domain/understanding.js';
import { DECIMAL_WORDS, DIGIT_WORDS, LETTER_WORDS, TEEN_WORDS, TENS_WORDS } from '../phraseology/index.js';
import { plainWord, type TokenWord } from './token-text.js';
import type { Branch, Candidate, Decoded } from './whisper.js';

/** Less likely words are not named. */
const LEAST = 0.02;
/** Words that decide nothing get alternatives only above this: most of theirs are pieces of names. */
const LEAST_ELSEWHERE = 0.1;
/** Most words beside a written one. */
const MOST = 3;
/** Runs of the decoder for one window, at most: on bad audio every word has rivals, and the first ones tell enough. */
const RUNS = 10;
/** A word that takes more tokens than this to finish is left out. */
const LONGEST = 3;

const BLANK = 0x20;

/** Words of which a readback is right or wrong, besides numbers and letters. */
const DECIDING: ReadonlySet<string> = new Set([
  ...['hundred', 'thousand', 'left', 'right', 'center', 'centre', 'climb', 'descend', 'maintain', 'hold', 'cross', 'short', 'below', 'above', 'less', 'greater', 'negative', 'affirm', 'unable', 'not', 'triple', 'double'],
  ...[DIGIT_WORDS, TEEN_WORDS, TENS_WORDS, LETTER_WORDS].flatMap((words) => [...words.keys()]),
  ...DECIMAL_WORDS,
]);

/** True for numbers, letters of the alphabet and the words that turn a clearance into another one. */
export const isDeciding = (word: string): boolean => DECIDING.has(word);

interface Question {
  readonly word: number;
  /** Step at which the other token would stand. */
  readonly step: number;
  readonly token: number;
  readonly probability: number;
  readonly weight: number;
}

const decoder = new TextDecoder('utf-8');

/**
 * Alternatives for each of `words` (which `decoded` was split into), likeliest first; probabilities are those of the decoder, given
 * the text before.
 *
 * @throws the signal's reason when it is aborted
 */
export async function alternativesOf(decoded: Decoded, words: readonly TokenWord[], vocabulary: readonly (Uint8Array | null)[], eos: number, signal?: AbortSignal): Promise<WordAlternative[][]> {
  const found = words.map(() => new Map<string, number>());
  const bytesOf = (tokens: readonly number[]): number[] => tokens.flatMap((token) => [...(vocabulary[token] ?? [])]);
  const startsWord = (token: number): boolean => token === eos || vocabulary[token]?.[0] === BLANK;
  const textOf = (tokens: readonly number[]): string => decoder.decode(Uint8Array.from(bytesOf(tokens)));
  const plain = words.map(({ text }) => plainWord(text));
  const add = (word: number, text: string, probability: number): void => {
    if (text === '' || text === plain[word]) return;
    found[word]?.set(text, (found[word].get(text) ?? 0) + probability);
  };

  const questions: Question[] = [];
  words.forEach(({ from, to }, word) => {
    const last = to === decoded.tokens.length && decoded.probabilities.length > to;
    // how likely the text of the word is up to the step
    let before = 1;
    for (let step = from; step < to + (last ? 1 : 0); step++) {
      const chosen = decoded.candidates[step]?.[0];
      for (const { token, probability } of decoded.candidates[step]?.slice(1) ?? []) {
        const likely = before * probability;
        if (likely < LEAST) continue;
        if (step > from && step < to && startsWord(token)) {
          // the word would have ended before this token
          add(word, plainWord(textOf(decoded.tokens.slice(from, step))), likely);
        } else if (token !== eos) {
          const deciding = isDeciding(plain[word] ?? '') || isDeciding(plainWord(textOf([...decoded.tokens.slice(from, step), token])));
          if (deciding || likely >= LEAST_ELSEWHERE) questions.push({ word, step, token, probability: likely, weight: likely * (deciding ? 1 : 0.2) });
        }
      }
      before *= chosen?.probability ?? 0;
    }
  });

  let runs = 0;
  for (const { word, step, token, probability } of questions.sort((a, b) => b.weight - a.weight)) {
    if (runs >= RUNS) break;
    const from = words[word]?.from ?? step;
    let tokens = [...decoded.tokens.slice(from, step), token];
    runs++;
    let branch: Branch = await decoded.branch(step, [token], signal);
    for (;;) {
      const next = best(branch.next);
      if (next === undefined || startsWord(next.token)) {
        const text = textOf(tokens).split(' ').map(plainWord).filter((part) => part !== '').join(' ');
        add(word, text, probability);
        break;
      }
      tokens = [...tokens, next.token];
      if (tokens.length - (step - from) > LONGEST || runs >= RUNS) break;
      runs++;
      branch = await branch.extend([next.token], signal);
    }
  }
  return found.map((texts) =>
    [...texts]
      .map(([text, probability]) => ({ text, probability: Math.min(1, probability) }))
      .filter(({ probability }) => probability >= LEAST)
      .sort((a, b) => b.probability - a.probability)
      .slice(0, MOST),
  );
}

function best(logarithms: Float32Array): Candidate | undefined {
  let token = -1;
  let top = -Infinity;
  for (let i = 0; i < logarithms.length; i++) {
    const value = logarithms[i] ?? -Infinity;
    if (value > top) {
      top = value;
      token = i;
    }
  }
  return token < 0 ? undefined : { token, probability: Math.exp(top) };
}
