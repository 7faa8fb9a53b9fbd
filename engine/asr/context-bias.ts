/**
 * Callsigns of a traffic list in a decoded text. The text is decoded without the list; then the decoder is asked, over the same audio
 * and with everything before kept, how likely a listed callsign is where something like it was written. Values are never touched, and
 * what was heard without the list stays beside the text. Operators' names that are spelled as nobody is called are asked for in the same way.
 */
import type { Word } from '../domain/understanding.js';
import { replacementsOf, type Replacement, type Rewording } from './listed-callsigns.js';
import { misspelledNames } from './operator-names.js';
import { plainWord, type TokenWord } from './token-text.js';
import type { Branch, Decoded } from './whisper.js';

/** What a traffic list may do to one window. */
export interface CallsignBias {
  readonly callsigns: readonly string[];
  /** 0: nothing. 1: the default. See {@link MARGINS}. */
  readonly strength: number;
}

/**
 * How much less likely than the unbiased words (natural logarithm, at strength 1) the listed ones may be. A misspelled name is taken
 * back to the listed one when that is not out of the question; where the words say something else, never against the audio. `name`: a
 * known operator's name in place of one that nobody has (training/context/names.mjs).
 */
export const MARGINS = { spelling: 6, contradiction: 0, name: 6 } as const;
/** How many replacements are asked of the decoder for one window, the likest first. */
const ASKED = 8;

/** Something that the audio bears out. `confidence`, 0…1: how sure, with what is asked for as likely beforehand as the margin says. */
export type BorneOut<T extends Rewording = Rewording> = T & { readonly confidence: number };

/** A replacement by a listed callsign that the audio bears out. */
export type Pulled = BorneOut<Replacement>;

/** The decoded text that is asked about, and what asking takes. */
export interface Question {
  readonly decoded: Decoded;
  readonly words: readonly TokenWord[];
  readonly vocabulary: readonly (Uint8Array | null)[];
  readonly eos: number;
}

/** The replacement that the audio bears out best, or undefined. @throws the signal's reason when it is aborted */
export async function pullToList(question: Question, bias: CallsignBias, signal?: AbortSignal): Promise<Pulled | undefined> {
  if (bias.strength <= 0) return undefined;
  const asked = replacementsOf(plainWords(question), bias.callsigns).sort((a, b) => b.likeness - a.likeness);
  return bestBorneOut(question, asked, (each) => bias.strength * (each.contradicts ? MARGINS.contradiction : MARGINS.spelling), signal);
}

/** The known operator's name that the audio bears out best in place of one that nobody has, or undefined. @throws the signal's reason when it is aborted */
export const pullToName = (question: Question, signal?: AbortSignal): Promise<BorneOut | undefined> => bestBorneOut(question, misspelledNames(plainWords(question)), () => MARGINS.name, signal);

const plainWords = ({ words }: Question): string[] => words.map(({ text }) => plainWord(text));

/** Of those that are asked for, the first ones count: the one with the best lead over what was written, where it is at most the margin behind. */
export async function bestBorneOut<T extends Rewording>({ decoded, words, vocabulary, eos }: Question, asked: readonly T[], marginOf: (each: T) => number, signal?: AbortSignal): Promise<BorneOut<T> | undefined> {
  if (asked.length === 0) return undefined;
  const scorer = new Scorer(decoded, vocabulary, eos, signal);
  let best: (BorneOut<T> & { readonly lead: number }) | undefined;
  for (const each of asked.slice(0, ASKED)) {
    const from = words[each.from]?.from;
    const to = words[each.to - 1]?.to;
    if (from === undefined || to === undefined) continue;
    const margin = marginOf(each);
    const written = scorer.written(from, to);
    const lead = (await scorer.score(from, to, each.words, written - margin)) - written;
    if (lead < -margin || (best !== undefined && best.lead >= lead)) continue;
    best = { ...each, lead, confidence: 1 / (1 + Math.exp(-lead - margin)) };
  }
  return best;
}

/** Log probabilities of other words at a place of the decoded text, with the words behind them as they are. */
class Scorer {
  readonly #decoded: Decoded;
  readonly #vocabulary: readonly (Uint8Array | null)[];
  readonly #eos: number;
  readonly #signal: AbortSignal | undefined;
  /** The prefix tree: what comes after which tokens at which place; candidates that begin alike share it. */
  readonly #tree = new Map<string, Promise<Branch>>();

  constructor(decoded: Decoded, vocabulary: readonly (Uint8Array | null)[], eos: number, signal: AbortSignal | undefined) {
    this.#decoded = decoded;
    this.#vocabulary = vocabulary;
    this.#eos = eos;
    this.#signal = signal;
  }

  /** Log probability of the written tokens [from, to) and of the one behind them. */
  written(from: number, to: number): number {
    return this.#decoded.probabilities.slice(from, to + 1).reduce((sum, p) => sum + Math.log(Math.max(p, 1e-9)), 0);
  }

  /**
   * Log probability of `words` in place of the tokens [from, to), and of the token behind them; −Infinity when it is below `least`. How
   * the words fall into tokens is the decoder's own choice: at each step the likeliest token that goes on with the words, or the longest.
   */
  score(from: number, to: number, words: readonly string[], least: number): Promise<number> {
    return this.#score(from, to, new TextEncoder().encode(words.map((word) => ` ${word}`).join('')), [], 0, least);
  }

  async #score(from: number, to: number, rest: Uint8Array, path: readonly number[], sum: number, least: number): Promise<number> {
    if (sum < least) return -Infinity;
    const { next } = await this.#at(from, path);
    if (rest.length === 0) {
      const whole = sum + (next[this.#decoded.tokens[to] ?? this.#eos] ?? -Infinity);
      return whole < least ? -Infinity : whole;
    }
    let likeliest = -1;
    let longest = -1;
    let length = 0;
    this.#vocabulary.forEach((bytes, row) => {
      if (bytes === null || bytes.length === 0 || bytes.length > rest.length || !bytes.every((byte, at) => byte === rest[at])) return;
      if (likeliest < 0 || (next[row] ?? -Infinity) > (next[likeliest] ?? -Infinity)) likeliest = row;
      if (bytes.length > length) {
        longest = row;
        length = bytes.length;
      }
    });
    let best = -Infinity;
    for (const token of new Set([likeliest, longest])) {
      if (token < 0) continue;
      const behind = rest.slice(this.#vocabulary[token]?.length);
      best = Math.max(best, await this.#score(from, to, behind, [...path, token], sum + (next[token] ?? -Infinity), Math.max(least, best)));
    }
    return best;
  }

  #at(from: number, path: readonly number[]): Promise<Branch> {
    const key = `${from}:${path.join(',')}`;
    let branch = this.#tree.get(key);
    if (branch === undefined) {
      const last = path.at(-1);
      branch = last === undefined ? this.#decoded.branch(from, [], this.#signal) : this.#at(from, path.slice(0, -1)).then((parent) => parent.extend([last], this.#signal));
      this.#tree.set(key, branch);
    }
    return branch;
  }
}

/**
 * The words with the replacement in. New words share the time of those that they replace, have what was written as their alternative, and
 * say it when they come from the list.
 */
export function withPulled(words: readonly Word[], pulled: BorneOut, listed: boolean): Word[] {
  const old = words.slice(pulled.from, pulled.to);
  const start = old[0]?.start ?? 0;
  const end = old.at(-1)?.end ?? start;
  const letters = pulled.words.reduce((sum, word) => sum + word.length, 0);
  let at = 0;
  const fresh = pulled.words.map((text, index): Word => {
    const from = start + ((end - start) * at) / letters;
    at += text.length;
    const others = index === 0 && pulled.confidence < 1 ? [{ text: old.map((word) => word.text).join(' '), probability: 1 - pulled.confidence }] : [];
    return { text, start: from, end: start + ((end - start) * at) / letters, confidence: pulled.confidence, ...(others.length === 0 ? {} : { alternatives: others }), ...(listed ? { listed } : {}) };
  });
  return [...words.slice(0, pulled.from), ...fresh, ...words.slice(pulled.to)];
}
