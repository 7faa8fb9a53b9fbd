/**
 * One segment to words: cuts long audio at quiet points, leaves out what is plainly not speech, decodes, times and guards.
 */
import { SAMPLE_RATE, type Recognition } from '../domain/stages.js';
import type { Context, Guard, Word } from '../domain/understanding.js';
import type { CallsignBias } from './context-bias.js';
import type { Provider } from './device-choice.js';
import { edgeGuards, LIMITS, meanConfidence, textGuards } from './guards.js';
import { activityOf, FRAME, FRAMES_PER_SECOND, frameLevels, highPass, steadyTail, windowCuts, type Activity } from './levels.js';
import { findLoop, withoutLoop } from './loops.js';
import { spectrumFigures, type SpectrumFigures } from './spectrum.js';

/**
 * Steady noise behind the last word is left out when it is longer than this, but for a little, s. So the text does not depend
 * on how long the carrier stays on, and there is nothing to invent words for.
 */
const TAIL_SECONDS = 1;
const TAIL_KEPT_SECONDS = 0.4;
/** What is kept ends on a multiple of half a second (frames): where the noise begins is only found to a frame or two. */
const TAIL_GRID = 25;
/** More power than this in one line is a tone, not a voice (voices up to .6). */
const TONE = 0.72;
/** Nothing is recognised below this level, dB. */
const SILENCE_DB = -95;
/** A recognition before the recogniser puts its name and device to it. */
export type Transcript = Omit<Recognition, 'model' | 'device'>;

/** What a reader makes of one window, before anything is judged. */
export interface ReadWindow {
  /** Times in seconds from the start of the window. */
  readonly words: readonly Word[];
  /** The words without a traffic list, where it changed any. */
  readonly unbiased?: readonly Word[];
  /** Ordinary tokens that the words were made of. */
  readonly tokens: number;
  /** Probabilities of the ordinary tokens of greedy decoding, without the end token's. */
  readonly probabilities: readonly number[];
  /** Decoding was stopped before the model ended the text. */
  readonly hitTokenLimit: boolean;
  /** Probability of "no speech" where the model was trained to give one; 0 for a trained model that does not tell it. */
  readonly trained: number | undefined;
  /** Probability that the text ends before its first word; 0 where it is not known. */
  readonly nothing: number;
  /** Milliseconds. */
  readonly encode: number;
  readonly decode: number;
}

/** Something that turns one window of audio into words: Whisper by our own graphs, or by transformers.js. */
export interface WindowReader {
  readonly provider: Provider;
  /** True when it can look for the callsigns of a traffic list. */
  readonly knowsLists: boolean;
  /** Longest window that it reads well, s. */
  readonly bestSeconds: number;
  /** `audio`: mono 16 kHz without offset. `bias` is left alone by a reader that does not know lists. @throws the signal's reason when it is aborted */
  read(audio: Float32Array, context: { levels: Float32Array; activity: Activity; bias?: CallsignBias }, signal?: AbortSignal): Promise<ReadWindow>;
  close(): Promise<void>;
}

interface WindowResult {
  readonly words: Word[];
  /** The words as they were decoded: with a loop that they have lost. */
  readonly decoded: Word[];
  /** Text without a traffic list. */
  readonly unbiased: string;
  readonly tokens: number;
  readonly noSpeechProbability: number;
  readonly hitTokenLimit: boolean;
  /** Why it may be no speech; the words are left out when that is nearly certain. */
  readonly doubt: Guard | undefined;
  readonly encode: number;
  readonly decode: number;
}

/** What the decision between speech and not speech rests on. */
export interface SpeechEvidence {
  /** Probabilities of the ordinary tokens, without the end token's. */
  readonly probabilities: readonly number[];
  readonly seconds: number;
  readonly activity: Activity;
  readonly spectrum: SpectrumFigures;
  /** Probability of the trained no-speech token, where the model has one. */
  readonly trained: number | undefined;
}

/**
 * How likely it is that there was no speech; 0…1.
 *
 * Models trained on speech only have no token for "nothing was said": on noise they write a filler with a low probability.
 * So it is a logistic function of what decoding saw (mean log probability of the tokens, tokens a second) and of the audio
 * (how much the spectrum changes its shape, tonality, clicks), fitted on synthetic radio speech at −4 to 25 dB and single words
 * against noise, tones, hum, beeps, clicks and squelch (training/export/README.md). Models with a trained no-speech token are
 * believed when they say no speech; the audio can raise it.
 */
export function noSpeechOf(e: SpeechEvidence): number {
  const variation = Math.min(3, e.spectrum.variation);
  const tonality = Math.max(0, e.spectrum.tonality - 0.6);
  const clicks = e.activity.kind === 'clicks' ? 1 : 0;
  if (e.trained !== undefined) return 1 - (1 - e.trained) * (1 - logistic(4.21 - 2.8 * variation + 12.4 * tonality + 4.07 * clicks));
  if (e.probabilities.length === 0) return 1;
  const logMean = e.probabilities.reduce((sum, p) => sum + Math.log(Math.max(p, 1e-3)), 0) / e.probabilities.length;
  const rate = Math.min(4, e.probabilities.length / Math.max(0.5, e.seconds));
  return logistic(4.71 - 2.71 * logMean - 1.41 * rate - 2.64 * variation + 3.43 * tonality + 1.63 * clicks);
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Spectra of noise vary less than this, those of the noisiest speech that can be read more; dB. See SpectrumFigures. */
const NOISE_VARIATION = 1.2;
/** A window is taken for empty, and its text left out, above this; on a spectrum of noise above the other. */
const EMPTY = 0.9;
const EMPTY_ON_NOISE = 0.5;
/** So likely must an end before the first word have been for words of low confidence to be left out (training/confidence/no-speech.mjs). */
const NEARLY_NOTHING = 0.1;

/**
 * Transcribes one piece of audio of any length. `samples`: mono 16 kHz; `context`: whose callsigns to expect.
 *
 * @throws the signal's reason when it is aborted
 */
export async function transcribe(reader: WindowReader, samples: Float32Array, signal?: AbortSignal, context?: Context): Promise<Transcript> {
  const callsigns = context?.callsigns ?? [];
  const bias = callsigns.length === 0 ? undefined : { callsigns, strength: context?.strength ?? 1 };
  const started = performance.now();
  signal?.throwIfAborted();
  const audio = highPass(samples);
  const levels = frameLevels(audio);
  const activity = activityOf(levels);
  const tail = steadyTail(levels, TAIL_SECONDS);
  const kept = tail < TAIL_KEPT_SECONDS * FRAMES_PER_SECOND ? levels.length : Math.min(levels.length, TAIL_GRID * Math.ceil((tail + TAIL_KEPT_SECONDS * FRAMES_PER_SECOND) / TAIL_GRID));
  const cuts = [0, ...windowCuts(levels.subarray(0, kept), reader.bestSeconds), kept];
  const windows: WindowResult[] = [];
  // digital silence needs no recogniser
  if (activity.loudDb > SILENCE_DB) {
    for (let i = 1; i < cuts.length; i++) {
      const from = cuts[i - 1] ?? 0;
      const to = cuts[i] ?? 0;
      windows.push(await transcribeWindow(reader, audio.subarray(from * FRAME, Math.min(audio.length, to * FRAME)), levels.subarray(from, to), from / FRAMES_PER_SECOND, bias, signal));
    }
  }
  const words = windows.flatMap((window) => window.words);
  const text = words.map((word) => word.text).join(' ');
  const unbiased = windows.map((window) => window.unbiased).filter((each) => each !== '').join(' ');
  const written = windows.filter((window) => window.words.length > 0);
  const sum = (of: (window: WindowResult) => number): number => windows.reduce((total, window) => total + of(window), 0);
  // windows that were left out explain an empty text; beside a text they are the pauses of a long piece
  const doubts = windows.flatMap((window) => (window.doubt !== undefined && (words.length === 0 || window.words.length > 0) ? [window.doubt] : []));
  const evidence = { words: windows.flatMap((window) => window.decoded), tokens: sum((window) => (window.words.length > 0 ? window.tokens : 0)), activity, audio };
  return {
    text,
    words,
    confidence: meanConfidence(words),
    noSpeechProbability: Math.min(1, ...(written.length > 0 ? written : windows).map((window) => window.noSpeechProbability)),
    guards: oneOfEach([...doubts, ...textGuards({ ...evidence, hitTokenLimit: written.some((window) => window.hitTokenLimit), doubted: doubts.length > 0 }), ...edgeGuards(audio)]),
    ...(unbiased === text ? {} : { unbiasedText: unbiased }),
    milliseconds: { encode: sum((window) => window.encode), decode: sum((window) => window.decode), total: performance.now() - started },
  };
}

/** Windows may share a reason: the first is kept for each. */
function oneOfEach(guards: readonly Guard[]): Guard[] {
  return guards.filter((guard, at) => guards.findIndex((other) => other.reason === guard.reason) === at);
}

/** One window: `audio` without offset, its levels, and where it starts in the piece (s). Word times are those of the piece. */
async function transcribeWindow(reader: WindowReader, audio: Float32Array, levels: Float32Array, offset: number, bias: CallsignBias | undefined, signal: AbortSignal | undefined): Promise<WindowResult> {
  const activity = activityOf(levels);
  const read = await reader.read(audio, { levels, activity, ...(bias === undefined ? {} : { bias }) }, signal);
  const words = read.words.map((word) => ({ ...word, start: (word.start ?? 0) + offset, end: (word.end ?? 0) + offset }));
  const spectrum = spectrumFigures(audio);
  const noSpeechProbability = noSpeechOf({ probabilities: read.probabilities, seconds: audio.length / SAMPLE_RATE, activity, spectrum, trained: read.trained });
  const onNoise = spectrum.variation < NOISE_VARIATION;
  // a level and a spectrum that both stay as they are: whatever the recogniser wrote, nobody spoke
  const steady = onNoise && activity.kind === 'steady';
  // a filler that the model itself was about to leave out
  const filler = words.length > 0 && read.nothing > NEARLY_NOTHING && meanConfidence(words) < LIMITS.confidence;
  const empty = steady || filler || noSpeechProbability > (onNoise ? EMPTY_ON_NOISE : EMPTY);
  const text = words.map((word) => word.text).join(' ');
  const figures = `no-speech ${noSpeechProbability.toFixed(2)}, no first word ${read.nothing.toFixed(2)}, spectrum varies by ${spectrum.variation.toFixed(1)} dB (noise about 1), strongest line ${(100 * spectrum.tonality).toFixed(0)} % of the power; ${activity.detail}`;
  const told = (all: readonly Word[]): Word[] => (empty ? [] : read.hitTokenLimit ? onceEach(all) : [...all]);
  return {
    words: told(words),
    decoded: empty ? [] : words,
    unbiased: told(read.unbiased ?? words).map((word) => word.text).join(' '),
    tokens: read.tokens,
    noSpeechProbability,
    hitTokenLimit: read.hitTokenLimit,
    doubt: doubtOf({ text, empty, onNoise, noSpeechProbability, tonal: spectrum.tonality > TONE, figures }),
    encode: read.encode,
    decode: read.decode,
  };
}

/** Words without what a decoder that found no end wrote again and again: nobody said it, and the guard "repetition" tells that it stood there. */
function onceEach(words: readonly Word[]): Word[] {
  const loop = findLoop(words.map((word) => word.text));
  return loop === undefined ? [...words] : withoutLoop(words, loop);
}

/** Why a window may hold no speech, or more than one voice. */
function doubtOf(w: { text: string; empty: boolean; onNoise: boolean; noSpeechProbability: number; tonal: boolean; figures: string }): Guard | undefined {
  if (w.empty) return { reason: 'no-speech', detail: w.text === '' ? `nothing was recognised (${w.figures})` : `the recogniser wrote "${w.text}" for what is probably not speech; it was left out (${w.figures})` };
  if (w.text === '') return undefined;
  if (w.onNoise || w.noSpeechProbability > LIMITS.noSpeech) return { reason: 'no-speech', detail: `the audio may not be speech (${w.figures})` };
  if (w.tonal) return { reason: 'overlap', detail: `a tone is louder than any voice: two stations may be transmitting at once, or it is no speech (${w.figures})` };
  return undefined;
}
