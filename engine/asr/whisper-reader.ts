/**
 * Reads windows with Whisper: tokens to words, with confidences and times.
 */
import type { Word, WordAlternative } from '../domain/understanding.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import { alignSteps } from './alignment.js';
import { alternativesOf } from './alternatives.js';
import { wordConfidences } from './confidence.js';
import { pullToList, pullToName, withPulled } from './context-bias.js';
import { onset } from './levels.js';
import { plainWord, wordsOfTokens } from './token-text.js';
import type { WindowReader } from './transcriber.js';
import type { Whisper } from './whisper.js';

/** Texts that are followed side by side where greedy decoding left doubt. */
const BEAM = 2;
/** Encoder positions a second. */
const POSITIONS_PER_SECOND = 50;

/** Alternatives cannot be likelier together than the word is unlikely: those of a calibrated word are brought down to `left`. */
function shared(alternatives: readonly WordAlternative[], left: number): WordAlternative[] {
  const total = alternatives.reduce((sum, { probability }) => sum + probability, 0);
  const scale = total > left ? Math.max(0, left) / total : 1;
  return alternatives.map(({ text, probability }) => ({ text, probability: probability * scale }));
}

/** `beam`: texts followed side by side in doubt; 1 for greedy decoding alone. Words with confidences, alternatives and times; the times are estimates from the attention. */
export function createWhisperReader(whisper: Whisper, beam = BEAM): WindowReader {
  const { config, vocabulary } = whisper.folder;
  return {
    provider: whisper.provider,
    knowsLists: true,
    bestSeconds: Math.min(config.bestSeconds, config.padding.maxSeconds - config.padding.appendSeconds),
    close: () => whisper.close(),
    async read(audio, { levels, activity, bias }, signal) {
      const seconds = audio.length / SAMPLE_RATE;
      const decoded = await whisper.decode(audio, signal, beam);
      const positions = Math.min(Math.ceil(seconds * POSITIONS_PER_SECOND), decoded.steps[0]?.positions ?? 0);
      const starts = alignSteps(decoded.steps, positions);
      // the path starts at the first position by construction; the first word starts where the level rises
      if (starts.length > 0) starts[0] = Math.min(starts[1] ?? positions, onset(levels, activity, positions));
      const words: Word[] = [];
      const split = wordsOfTokens(decoded.tokens, vocabulary).filter(({ text }) => plainWord(text) !== '');
      const confidences = wordConfidences(decoded, split, config.confidence);
      const began = performance.now();
      const alternatives = await alternativesOf(decoded, split, vocabulary, config.eos, signal);
      const question = { decoded, words: split, vocabulary, eos: config.eos };
      const listed = bias === undefined ? undefined : await pullToList(question, bias, signal);
      // what is on the list is asked first: of two names that may be meant, it has the likelier one
      const named = listed === undefined ? await pullToName(question, signal) : undefined;
      const extra = performance.now() - began;
      for (const [at, word] of split.entries()) {
        const text = plainWord(word.text);
        const confidence = confidences[at] ?? 0;
        const start = (starts[word.from] ?? 0) / POSITIONS_PER_SECOND;
        const end = Math.min(seconds, Math.max(start + 0.02, (starts[word.to] ?? positions) / POSITIONS_PER_SECOND));
        const others = shared(alternatives[at] ?? [], 1 - confidence);
        words.push({ text, start, end, confidence, ...(others.length === 0 ? {} : { alternatives: others }) });
      }
      return {
        words: listed !== undefined ? withPulled(words, listed, true) : named !== undefined ? withPulled(words, named, false) : words,
        ...(listed === undefined ? {} : { unbiased: words }),
        tokens: decoded.tokens.length,
        probabilities: decoded.greedy,
        hitTokenLimit: decoded.hitTokenLimit,
        trained: decoded.noSpeech,
        nothing: decoded.nothing,
        encode: decoded.encode,
        decode: decoded.decode + extra,
      };
    },
  };
}
