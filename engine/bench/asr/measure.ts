/**
 * The measurements themselves. Systems take turns at every clip, each time another one first, so that whatever else the machine does
 * falls on all alike. What was answered before is not asked again.
 */
import { fromInt16, toInt16 } from '../../domain/pcm.js';
import { seedOf } from '../../domain/random.js';
import { SAMPLE_RATE, type Segmenter } from '../../domain/stages.js';
import { quantile, share, type Share } from '../language/metrics.js';
import { callsignKind, heardAt, ofLength, type CallsignKind, type HeldOutClip } from './held-out.js';
import type { RawLog } from './raw-log.js';
import { heardWrong, scoreClip, SLOT_NAMES, type ClipScore, type SlotName } from './score.js';
import { clipsOf, stretches, type Stretch } from './sounds.js';
import type { Heard, System } from './systems.js';
import { bootstrapRate, type Rate } from './wer.js';

export interface Contender {
  readonly system: System;
  readonly log: RawLog;
}

export interface Control {
  readonly signal: AbortSignal;
  /** One step of `total` in what is going on. */
  readonly progress: (what: string, done: number, total: number) => void;
}

/** @throws the signal's reason */
async function ask({ system, log }: Contender, key: string, samples: () => Float32Array, signal: AbortSignal): Promise<Heard> {
  const known = log.get(key);
  if (known !== undefined) return known;
  signal.throwIfAborted();
  const heard = await system.hear(samples());
  log.put(key, heard);
  return heard;
}

/** The list, its start moved by `by`. */
const turned = <T>(list: readonly T[], by: number): T[] => list.map((_, i) => list[(i + by) % list.length]).filter((each): each is T => each !== undefined);

export interface SlotFigures {
  readonly found: Share;
  /** Values read that nobody said. */
  readonly invented: number;
}

/** Figures of one system at one ratio of speech to noise. */
export interface Accuracy {
  readonly wer: Rate;
  /** Errors by kind, words of the reference. */
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
  readonly callsign: Share;
  /** The same by what it is made of. */
  readonly callsignBy: Readonly<Record<CallsignKind, Share>>;
  /** Another callsign was read than the one that was said. */
  readonly otherCallsign: number;
  readonly values: SlotFigures;
  readonly slots: Readonly<Record<SlotName, SlotFigures>>;
  /** Wrong readbacks: the wrong value was heard as it was said, as it had been instructed (which would hide the error), or neither. */
  readonly wrongReadbacks: { readonly of: number; readonly asSaid: number; readonly asInstructed: number; readonly neither: number };
  /** Share of clips with any guard, and with no text. */
  readonly guarded: number;
  readonly empty: number;
  /** Of parts of the set: the book's words, own words, each engine of voices. */
  readonly werBy: Readonly<Record<string, Rate>>;
  /** Wall time over audio time, all clips. */
  readonly realTimeFactor: number;
}

/** What the texts are worth; `ms`, `guards` of systems only. */
export function accuracyOf(clips: readonly HeldOutClip[], heard: readonly Heard[], seconds: readonly number[]): Accuracy {
  const scores = clips.map((clip, i): ClipScore => scoreClip(clip, heard[i]?.text ?? ''));
  const sum = (of: (score: ClipScore) => number): number => scores.reduce((total, score) => total + of(score), 0);
  const errorsOf = (score: ClipScore): number => score.errors.substitutions + score.errors.deletions + score.errors.insertions;
  const slot = (name: SlotName): SlotFigures => ({ found: share(sum((s) => s.slots[name].found), sum((s) => s.slots[name].of)), invented: sum((s) => s.slots[name].invented) });
  const slots = Object.fromEntries(SLOT_NAMES.map((name) => [name, slot(name)])) as Record<SlotName, SlotFigures>;
  const called = scores.flatMap(({ callsign }, i) => (callsign === undefined ? [] : [{ callsign, kind: callsignKind(clips[i]?.callsign ?? '') }]));
  const readRight = (of: typeof called): Share => share(of.filter(({ callsign }) => callsign === 'right').length, of.length);
  const readRightOf = (wanted: CallsignKind): Share => readRight(called.filter(({ kind }) => kind === wanted));
  const wrong = clips.flatMap((clip, i) => (clip.readback?.right === false ? [heardWrong(clip.readback.slot, clip.readback.read, clip.readback.instructed, heard[i]?.text ?? '')] : []));
  const audio = seconds.reduce((total, value) => total + value, 0);
  const rateOf = (part: (clip: HeldOutClip) => boolean): Rate => bootstrapRate(scores.flatMap((score, i) => (clips[i] !== undefined && part(clips[i]) ? [{ errors: errorsOf(score), of: score.errors.words }] : [])));
  const werBy: Record<string, Rate> = { standard: rateOf(({ kind }) => kind === 'standard'), own: rateOf(({ kind }) => kind !== 'standard') };
  for (const engine of new Set(clips.map((clip) => clip.engine))) werBy[engine] = rateOf((clip) => clip.engine === engine);
  return {
    wer: bootstrapRate(scores.map((score) => ({ errors: errorsOf(score), of: score.errors.words }))),
    substitutions: sum((s) => s.errors.substitutions),
    deletions: sum((s) => s.errors.deletions),
    insertions: sum((s) => s.errors.insertions),
    callsign: readRight(called),
    callsignBy: { busy: readRightOf('busy'), seldom: readRightOf('seldom'), registration: readRightOf('registration') },
    otherCallsign: called.filter(({ callsign }) => callsign === 'other').length,
    values: { found: share(SLOT_NAMES.reduce((n, name) => n + slots[name].found.right, 0), SLOT_NAMES.reduce((n, name) => n + slots[name].found.of, 0)), invented: SLOT_NAMES.reduce((n, name) => n + slots[name].invented, 0) },
    slots,
    wrongReadbacks: { of: wrong.length, asSaid: wrong.filter((w) => w === 'as-said').length, asInstructed: wrong.filter((w) => w === 'as-instructed').length, neither: wrong.filter((w) => w === 'neither').length },
    guarded: heard.filter(({ guards }) => guards.length > 0).length,
    empty: heard.filter(({ text }) => text === '').length,
    werBy,
    realTimeFactor: heard.reduce((total, { ms }) => total + ms, 0) / 1000 / Math.max(1e-9, audio),
  };
}

/** "10", "clean": how a ratio is written. */
export const snrName = (snr: number): string => (snr === Infinity ? 'clean' : String(snr));

/** All clips at all ratios by all systems that are `asked` there. Result: system id → ratio → figures. */
export async function measureAccuracy(contenders: readonly Contender[], clips: readonly HeldOutClip[], speech: readonly Float32Array[], snrs: readonly number[], asked: (system: System, snr: number) => boolean, seed: number, control: Control): Promise<Map<string, Record<string, Accuracy>>> {
  const heard = new Map<string, Heard[][]>(contenders.map(({ system }) => [system.id, snrs.map(() => [])]));
  const seconds: number[][] = snrs.map(() => []);
  const total = clips.length * snrs.length;
  let done = 0;
  for (const [level, snr] of snrs.entries()) {
    for (const [i, clip] of clips.entries()) {
      const samples = heardAt(speech[i] ?? new Float32Array(), clip.id, snr, seed);
      seconds[level]?.push(samples.length / SAMPLE_RATE);
      for (const contender of turned(contenders, i)) {
        if (!asked(contender.system, snr)) continue;
        heard.get(contender.system.id)?.[level]?.push(await ask(contender, `clip ${clip.id} ${clip.sha256.slice(0, 12)} ${snrName(snr)} ${seed}`, () => samples, control.signal));
      }
      control.progress(`clips at ${snr === Infinity ? 'no noise' : `${snr} dB`}`, ++done, total);
    }
  }
  return new Map(contenders.map(({ system }) => [system.id, Object.fromEntries(snrs.flatMap((snr, level) => (asked(system, snr) ? [[snrName(snr), accuracyOf(clips, heard.get(system.id)?.[level] ?? [], seconds[level] ?? [])]] : [])))]));
}

/** Milliseconds for audio of one length. */
export interface Latency {
  readonly seconds: number;
  readonly runs: number;
  readonly median: number;
  readonly p95: number;
}

export const LENGTHS: readonly number[] = [2, 4, 8, 14];
const RUNS = 20;
const WARM_UPS = 3;

/** Times at 10 dB for audio of exactly 2, 4, 8 and 14 seconds, the same for all; the first runs of each length do not count. */
export async function measureLatency(contenders: readonly Contender[], speech: readonly Float32Array[], seed: number, control: Control): Promise<Map<string, Latency[]>> {
  const out = new Map<string, Latency[]>(contenders.map(({ system }) => [system.id, []]));
  let done = 0;
  for (const seconds of LENGTHS) {
    const times = new Map<string, number[]>(contenders.map(({ system }) => [system.id, []]));
    for (let run = -WARM_UPS; run < RUNS; run++) {
      const samples = (): Float32Array => fromInt16(toInt16(heardAt(ofLength(speech, Math.max(0, run) * 3, seconds), `length ${seconds} ${run}`, 10, seed).subarray(0, seconds * SAMPLE_RATE)));
      for (const contender of turned(contenders, run + WARM_UPS)) {
        control.signal.throwIfAborted();
        // times depend on what else the machine does: they are all of this run, never of an earlier one
        const { ms } = await contender.system.hear(samples());
        if (run >= 0) times.get(contender.system.id)?.push(ms);
      }
      control.progress('times by length', ++done, LENGTHS.length * (RUNS + WARM_UPS));
    }
    for (const [id, list] of times) out.get(id)?.push({ seconds, runs: list.length, median: quantile(list, 0.5), p95: quantile(list, 0.95) });
  }
  return out;
}

/** What was written for sound in which there is nothing to write down. */
export interface Invention {
  /** Pieces that were given to the recogniser. */
  readonly pieces: number;
  /** Of them: without any text; and without text or with a guard that says not to trust it. */
  readonly nothing: Share;
  readonly nothingTrusted: Share;
  /** Characters an hour of sound: all, and those without a guard. */
  readonly charactersAnHour: number;
  readonly trustedAnHour: number;
  readonly seconds: number;
  /** The longest texts. */
  readonly examples: readonly string[];
}

/** `recogniser`: clips of 1 to 6 s given straight to it. `product`: the sound through the segmenter, and what that lets through to the recogniser. */
export interface Inventions {
  readonly recogniser: Readonly<Record<Stretch['kind'], Invention>>;
  readonly product: Readonly<Record<Stretch['kind'], Invention>>;
}

class Tally {
  pieces = 0;
  empty = 0;
  guarded = 0;
  characters = 0;
  trusted = 0;
  seconds = 0;
  texts: string[] = [];
  add({ text, guards }: Heard): void {
    this.pieces++;
    this.characters += text.length;
    if (text === '') this.empty++;
    else if (guards.length > 0) this.guarded++;
    else this.trusted += text.length;
    if (text !== '') this.texts.push(guards.length > 0 ? `${text} [${guards.join(', ')}]` : text);
  }
  figures(): Invention {
    const hours = Math.max(1e-9, this.seconds / 3600);
    return {
      pieces: this.pieces,
      nothing: share(this.empty, this.pieces),
      nothingTrusted: share(this.empty + this.guarded, this.pieces),
      charactersAnHour: this.characters / hours,
      trustedAnHour: this.trusted / hours,
      seconds: this.seconds,
      examples: [...this.texts].sort((a, b) => b.length - a.length).slice(0, 5),
    };
  }
}

type Tallies = Record<Stretch['kind'], Tally>;
const tallies = (): Tallies => ({ noise: new Tally(), music: new Tally(), speech: new Tally() });
const figuresOf = (all: Tallies): Record<Stretch['kind'], Invention> => ({ noise: all.noise.figures(), music: all.music.figures(), speech: all.speech.figures() });

/** How much the segmenter is given at a time. */
const CHUNK = SAMPLE_RATE / 2;

/** The hour of sound without anything to write down, by all systems of the product. `name`: what the speech in it is, for the log of answers. */
export async function measureInvention(contenders: readonly Contender[], openSegmenter: () => Promise<Segmenter>, speech: readonly { readonly what: string; readonly samples: Float32Array }[], name: string, minutes: number, seed: number, control: Control): Promise<Map<string, Inventions>> {
  const alone = new Map<string, Tallies>(contenders.map(({ system }) => [system.id, tallies()]));
  const whole = new Map<string, Tallies>(contenders.map(({ system }) => [system.id, tallies()]));
  const total = minutes * 60 * (speech.length === 0 ? 2 : 3);
  let done = 0;
  for (const [number, stretch] of numbered(stretches(minutes, speech, seed))) {
    const seconds = stretch.samples.length / SAMPLE_RATE;
    const sound = fromInt16(toInt16(stretch.samples));
    const key = `${name} ${minutes} ${seed} ${number}`;
    const clips = clipsOf(sound, seedOf(key));
    for (const [i, clip] of clips.entries()) {
      for (const contender of turned(contenders, i)) alone.get(contender.system.id)?.[stretch.kind].add(await ask(contender, `sound ${key} ${i}`, () => clip, control.signal));
    }
    const segmenter = await openSegmenter();
    const segments = [];
    for (let at = 0; at < sound.length; at += CHUNK) segments.push(...(await segmenter.push({ channel: 'mono', startSample: at, samples: sound.slice(at, at + CHUNK) })));
    segments.push(...(await segmenter.flush()));
    for (const [i, segment] of segments.entries()) {
      for (const contender of turned(contenders, i)) whole.get(contender.system.id)?.[stretch.kind].add(await ask(contender, `segment ${key} ${segment.startSample} ${segment.endSample}`, () => fromInt16(toInt16(segment.samples)), control.signal));
    }
    for (const { system } of contenders) {
      for (const [all, length] of [[alone, clips.reduce((sum, clip) => sum + clip.length, 0) / SAMPLE_RATE], [whole, seconds]] as const) {
        const tally = all.get(system.id)?.[stretch.kind];
        if (tally !== undefined) tally.seconds += length;
      }
    }
    done += seconds;
    control.progress(`sound without radio speech (${stretch.kind})`, done, total);
  }
  return new Map(contenders.map(({ system }) => [system.id, { recogniser: figuresOf(alone.get(system.id) ?? tallies()), product: figuresOf(whole.get(system.id) ?? tallies()) }]));
}

function* numbered<T>(items: Iterable<T>): Generator<[number, T]> {
  let number = 0;
  for (const item of items) yield [number++, item];
}
