/**
 * Reads windows with Whisper: tokens to words, with confidences and times.
 */
import type { Word } from '../domain/understanding.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import { alignSteps } from './alignment.js';
import { alternativesOf } from './alternatives.js';
import { onset } from './levels.js';
import { plainWord, wordsOfTokens } from './token-text.js';
import type { WindowReader } from './transcriber.js';
import type { Whisper } from './whisper.js';

/** Encoder positions a second. */
const POSITIONS_PER_SECOND = 50;

/**
 * The confidence of a word is the product of its tokens' probabilities; its times are estimates from the attention. The last
 * word also carries the probability that the text ends there: a runway or level whose last digit was left out shows in nothing else.
 */
export function createWhisperReader(whisper: Whisper): WindowReader {
  const { config, vocabulary } = whisper.folder;
  return {
    provider: whisper.provider,
    bestSeconds: Math.min(config.bestSeconds, config.padding.maxSeconds - config.padding.appendSeconds),
    close: () => whisper.close(),
    async read(audio, { levels, activity }, signal) {
      const seconds = audio.length / SAMPLE_RATE;
      const decoded = await whisper.decode(audio, signal);
      const positions = Math.min(Math.ceil(seconds * POSITIONS_PER_SECOND), decoded.steps[0]?.positions ?? 0);
      const starts = alignSteps(decoded.steps, positions);
      // the path starts at the first position by construction; the first word starts where the level rises
      if (starts.length > 0) starts[0] = Math.min(starts[1] ?? positions, onset(levels, activity, positions));
      const words: Word[] = [];
      const split = wordsOfTokens(decoded.tokens, vocabulary);
      const began = performance.now();
      const alternatives = await alternativesOf(decoded, split, vocabulary, config.eos, signal);
      const extra = performance.now() - began;
      for (const [at, word] of split.entries()) {
        const text = plainWord(word.text);
        if (text === '') continue;
        let confidence = 1;
        // one token further for the last word: the end token
        const to = word.to === decoded.tokens.length && !decoded.hitTokenLimit ? word.to + 1 : word.to;
        for (let t = word.from; t < to; t++) confidence *= decoded.probabilities[t] ?? 0;
        const start = (starts[word.from] ?? 0) / POSITIONS_PER_SECOND;
        const end = Math.min(seconds, Math.max(start + 0.02, (starts[word.to] ?? positions) / POSITIONS_PER_SECOND));
        const others = alternatives[at] ?? [];
        words.push({ text, start, end, confidence, ...(others.length === 0 ? {} : { alternatives: others }) });
      }
      return {
        words,
        probabilities: decoded.probabilities.slice(0, decoded.tokens.length),
        hitTokenLimit: decoded.hitTokenLimit,
        trained: decoded.noSpeech,
        encode: decoded.encode,
        decode: decoded.decode + extra,
      };
    },
  };
}
