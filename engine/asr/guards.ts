/**
 * Guards: pure checks that a recognised text can be what was said. A tripped guard never changes the text; it makes later
 * stages treat it as weak evidence (docs/behaviour.md, guards). Every detail names the figures.
 */
import { deflateSync } from 'node:zlib';
import { SAMPLE_RATE } from '../domain/stages.js';
import type { Guard, Word } from '../domain/understanding.js';
import { FRAME, FRAMES_PER_SECOND, frameLevels, percentile, smoothLevels, type Activity } from './levels.js';
import { findLoop } from './loops.js';
import { spectrumFigures } from './spectrum.js';

/** What is known about one recognised piece of audio. Times in seconds from its start. */
export interface Evidence {
  readonly words: readonly Word[];
  /** Ordinary tokens decoded. */
  readonly tokens: number;
  readonly activity: Activity;
  /** The piece itself, mono 16 kHz, without offset. */
  readonly audio: Float32Array;
  /** Decoding was stopped at its limit of tokens before the model ended the text. */
  readonly hitTokenLimit: boolean;
  /** Something else already says that it may be no speech. */
  readonly doubted: boolean;
}

/** Limits, with where they come from. */
export const LIMITS = {
  /** Fast controllers speak about 7 words a second in digits, one token each. */
  tokensPerSecond: 10,
  /** Fast speech is about 20 letters a second. */
  lettersPerSecond: 30,
  /** Slow dictation is one word a second; measured over the loud part. */
  wordsPerSecond: 0.4,
  /** Stretch of speech level without a word, s. */
  wordlessSeconds: 2.5,
  /** Mean word confidence; below it, more than half of the words were wrong on noisy synthetic radio. */
  confidence: 0.55,
  /** OpenAI's limit for looping text: length by deflated length. */
  compression: 2.4,
  noSpeech: 0.5,
  /** A phrase that is also said on frequencies counts as invented below this confidence. */
  invented: 0.7,
} as const;

/** Whole texts that Whisper writes on noise and silence; film subtitles, as it was trained on. */
const INVENTED_ALONE = new Set(['you', 'thank you', 'thanks', 'thank you very much', 'thank you so much', 'bye', 'bye bye', 'okay', 'so', 'oh', 'uh', 'um', 'hmm', 'yeah', 'music', 'applause', 'laughter', 'silence', 'the end', 'hello']);
/** Phrases that nobody says on a frequency. */
const INVENTED_ANYWHERE = [
  /\bthanks? (you )?for (watching|listening|viewing)\b/u,
  /\b(please |don't forget to )?(like and )?subscribe\b/u,
  /\b(sub)?titles? (by|made by|provided by)\b/u,
  /\b(transcri(bed|ption)|captions?|captioning) (by|provided)\b/u,
  /\bamara\.? ?org\b/u,
  /\bsee you (in the )?next (video|time|one)\b/u,
  /\bi'll see you (guys )?(in|next)\b/u,
  /\ball rights reserved\b/u,
  /\bmicrosoft office word\b/u,
];

const textOf = (words: readonly Word[]): string => words.map((word) => word.text).join(' ');
const secondsOf = (e: Evidence): number => e.audio.length / SAMPLE_RATE;
const fixed = (value: number, digits = 1): string => value.toFixed(digits);

/** The text that subtitles end with, on weak evidence or anywhere. */
export function inventedPhrase(text: string, weak: boolean): string | undefined {
  for (const pattern of INVENTED_ANYWHERE) {
    const found = pattern.exec(text);
    if (found !== null) return found[0];
  }
  // "thank you" is also said on frequencies: alone it only counts when the evidence is weak
  return weak && INVENTED_ALONE.has(text) ? text : undefined;
}

/** Length of the text by its deflated length: loops compress well. 0 for short texts, which always compress badly. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length < 60 ? 0 : bytes.length / deflateSync(bytes).length;
}

function repetition(words: readonly Word[]): Guard | undefined {
  const items = words.map((word) => word.text);
  const loop = findLoop(items);
  if (loop !== undefined) {
    return { reason: 'repetition', detail: `"${items.slice(loop.from, loop.from + loop.length).join(' ')}" stands ${loop.times} times in a row` };
  }
  const ratio = compressionRatio(textOf(words));
  return ratio > LIMITS.compression ? { reason: 'repetition', detail: `the text compresses ${fixed(ratio)} times (limit ${LIMITS.compression}): it repeats itself` } : undefined;
}

/** Speech-like time of the piece: what stands out of the quiet parts, but at least the time between first and last word. */
const speechSeconds = (e: Evidence): number => {
  const first = e.words[0]?.start ?? 0;
  const last = e.words.at(-1)?.end ?? 0;
  return Math.max(0.2, Math.min(secondsOf(e), Math.max(e.activity.seconds, last - first)));
};

function length(e: Evidence): Guard[] {
  const found: Guard[] = [];
  const available = Math.max(0.2, secondsOf(e));
  const tokenRate = e.tokens / available;
  if (e.tokens >= 6 && tokenRate > LIMITS.tokensPerSecond) {
    found.push({ reason: 'too-many-tokens-per-second', detail: `${e.tokens} tokens in ${fixed(available)} s of audio are ${fixed(tokenRate)} a second (limit ${LIMITS.tokensPerSecond})` });
  }
  const letters = textOf(e.words).length;
  const letterRate = letters / speechSeconds(e);
  if (letters >= 12 && (letters / available > LIMITS.lettersPerSecond || letterRate > 2 * LIMITS.lettersPerSecond)) {
    found.push({ reason: 'text-too-long-for-audio', detail: `${letters} letters in ${fixed(available)} s of audio (${fixed(speechSeconds(e))} s of it active) are more than can be spoken` });
  }
  return found;
}

/** A frame this far under the words' own level is not one of a word, dB. */
const UNDER_WORDS_DB = 8;
/** Less change of the spectrum than this is noise that automatic gain has brought up to the level of speech, dB. */
const SPEECH_VARIATION = 1.3;

/**
 * Loud time of the piece, and its longest loud stretch that no word starts in. Loud is what reaches the level that the audio
 * has under the words that were recognised; so the stretch must also change its spectrum as speech does.
 */
export function coverage(words: readonly Word[], audio: Float32Array): { readonly loudSeconds: number; readonly wordless: { readonly from: number; readonly to: number } | undefined } {
  const levels = smoothLevels(frameLevels(audio), 2);
  const frame = (seconds: number): number => Math.round(seconds * FRAMES_PER_SECOND);
  const timed = words.flatMap(({ start, end }) => (start === undefined || end === undefined ? [] : [{ start, end }]));
  const underWords = timed.flatMap(({ start, end }) => [...levels.subarray(frame(start), frame(end))]);
  const loud = percentile(underWords, 0.5) - UNDER_WORDS_DB;
  const loudSecondsOf = (from: number, to: number): number => levels.subarray(frame(from), frame(to)).filter((level) => level >= loud).length / FRAMES_PER_SECOND;
  const seconds = audio.length / SAMPLE_RATE;
  const edges = [0, ...timed.map(({ start }) => start), seconds];
  let wordless: { from: number; to: number } | undefined;
  for (let i = 1; timed.length > 0 && i < edges.length; i++) {
    // the word before takes its own time
    const from = (edges[i - 1] ?? 0) + (i === 1 ? 0 : 0.6);
    const to = edges[i] ?? 0;
    if (to - from < LIMITS.wordlessSeconds || to - from <= (wordless === undefined ? 0 : wordless.to - wordless.from)) continue;
    if (loudSecondsOf(from, to) < 0.5 * LIMITS.wordlessSeconds) continue;
    if (spectrumFigures(audio.subarray(from * SAMPLE_RATE, to * SAMPLE_RATE)).variation >= SPEECH_VARIATION) wordless = { from, to };
  }
  return { loudSeconds: loudSecondsOf(0, seconds), wordless };
}

function tooShort(e: Evidence): Guard | undefined {
  if (e.words.length === 0) return undefined;
  const { loudSeconds, wordless } = coverage(e.words, e.audio);
  if (wordless !== undefined) return { reason: 'text-too-short-for-audio', detail: `from ${fixed(wordless.from)} to ${fixed(wordless.to)} s the audio is as loud and as changing as speech, but no word was written` };
  const rate = e.words.length / loudSeconds;
  if (loudSeconds >= 3 && rate < LIMITS.wordsPerSecond) return { reason: 'text-too-short-for-audio', detail: `${e.words.length} words for ${fixed(loudSeconds)} s of loud audio (${fixed(rate, 2)} a second, limit ${LIMITS.wordsPerSecond})` };
  return undefined;
}

/** Mean over the words; 0 when there are none. */
export function meanConfidence(words: readonly Word[]): number {
  return words.length === 0 ? 0 : words.reduce((sum, word) => sum + (word.confidence ?? 0), 0) / words.length;
}

/** Every guard on the text that trips, most telling first. */
export function textGuards(e: Evidence): Guard[] {
  const text = textOf(e.words);
  const confidence = meanConfidence(e.words);
  const found: Guard[] = [];
  if (e.words.length === 0) {
    if (e.doubted) return found;
    if (e.activity.kind === 'varying' && e.activity.seconds >= 0.4) return [{ reason: 'speech-without-text', detail: `no words were recognised, but ${e.activity.detail}` }];
    return [{ reason: 'no-speech', detail: e.activity.detail }];
  }
  const invented = inventedPhrase(text, e.doubted || e.activity.kind !== 'varying' || confidence < LIMITS.invented);
  if (invented !== undefined) found.push({ reason: 'no-speech', detail: `"${invented}" is a phrase that the recogniser invents on noise (confidence ${fixed(confidence, 2)})` });
  const loop = repetition(e.words);
  if (loop !== undefined) found.push(loop);
  if (e.hitTokenLimit) found.push({ reason: 'token-limit', detail: `the text was cut off after ${e.tokens} tokens in ${fixed(secondsOf(e))} s of audio` });
  found.push(...length(e));
  const short = tooShort(e);
  if (short !== undefined) found.push(short);
  if (confidence < LIMITS.confidence) found.push({ reason: 'low-confidence', detail: `mean word confidence is ${fixed(confidence, 2)} (limit ${LIMITS.confidence})` });
  return found;
}

/** The first and last 40 ms decide whether speech was cut. */
const EDGE_SAMPLES = 640;
/** Speech at the edge: at most this far under the loud parts and at least that far over the quiet ones, dB. */
const UNDER_LOUD_DB = 10;
const OVER_QUIET_DB = 4;
/** A voice repeats itself after 2.5 to 12.5 ms (80 to 400 Hz). */
const SHORTEST_LAG = 40;
const LONGEST_LAG = 200;
const VOICED = 0.5;

/** Highest normalised autocorrelation at the lags of a voice's pitch; noise stays below .4, voiced speech above .5. */
export function voicing(samples: Float32Array): number {
  let best = 0;
  for (let lag = SHORTEST_LAG; lag <= LONGEST_LAG; lag++) {
    let product = 0;
    let a = 1e-12;
    let b = 1e-12;
    for (let i = 0; i + lag < samples.length; i++) {
      const x = samples[i] ?? 0;
      const y = samples[i + lag] ?? 0;
      product += x * y;
      a += x * x;
      b += y * y;
    }
    best = Math.max(best, product / Math.sqrt(a * b));
  }
  return best;
}

/**
 * clipped-start and clipped-end: the audio begins or ends in a voice, so that a word may be cut. `samples` without offset (see
 * highPass). Level alone would not do: automatic gain brings the noise before a transmission up to the level of speech. A
 * word that is cut in an unvoiced sound is not noticed.
 */
export function edgeGuards(samples: Float32Array): Guard[] {
  if (samples.length < 16 * FRAME) return [];
  const levels = smoothLevels(frameLevels(samples), 1);
  const quiet = percentile(levels, 0.1);
  const loud = percentile(levels, 0.8);
  const guard = (reason: 'clipped-start' | 'clipped-end', edge: Float32Array, which: string, what: string): Guard[] => {
    const db = 10 * Math.log10(edge.reduce((sum, x) => sum + x * x, 0) / edge.length + 1e-12);
    if (db < loud - UNDER_LOUD_DB || db < quiet + OVER_QUIET_DB) return [];
    const voice = voicing(edge);
    if (voice < VOICED) return [];
    return [{ reason, detail: `the ${which} 40 ms are voiced (periodicity ${fixed(voice, 2)}) at ${fixed(db)} dB, where speech has ${fixed(loud)} and pauses ${fixed(quiet)} dB: the ${what} may be cut off` }];
  };
  return [
    ...guard('clipped-start', samples.subarray(0, EDGE_SAMPLES), 'first', 'beginning'),
    ...guard('clipped-end', samples.subarray(samples.length - EDGE_SAMPLES), 'last', 'end'),
  ];
}
