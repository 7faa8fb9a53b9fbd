/**
 * Puts the stages together: source → segmenter → recogniser → parser → dialogue → judge → log.
 *
 * The live monitor, the replay, the demo and the server run this same object with other ends. Order is kept: within a
 * channel, transmissions reach the dialogue in the order in which they were spoken. Segmenting runs ahead of
 * recognition by a bounded number of segments, so memory does not grow with the length of the recording.
 */
import { sameSpeaker, voiceFeatures, type VoiceFeatures } from './audio/voice.js';
import { joinUnderstandings } from './dialogue/index.js';
import type { HearbackEvent, LoggedEvent } from './domain/events.js';
import type { Finding } from './domain/finding.js';
import { fromInt16, toInt16 } from './domain/pcm.js';
import { toHearbackError } from './domain/result.js';
import type { AudioSource, Dialogue, DialogueChange, DialogueInput, Judge, Notice, Pair, PcmChunk, Recogniser, Recognition, Segment, Segmenter, Understand } from './domain/stages.js';
import { SAMPLE_RATE } from './domain/stages.js';
import type { Profile } from './domain/taxonomy.js';
import type { Context, Guard, Understanding, Word } from './domain/understanding.js';
import { createRulesJudge, weighAlternatives } from './judge/index.js';

/** Where events and audio go. Both calls return only when the thing is safe (for a session: on disk). */
export interface EventSink {
  append(event: HearbackEvent): LoggedEvent;
  /** Stores the audio of a transmission and returns its path inside the session, or '' when nothing is kept. */
  saveAudio(transmission: string, samples: Float32Array): string;
}

/** A sink that numbers events and keeps nothing. */
export function passingSink(): EventSink {
  let seq = 0;
  return {
    append: (event) => ({ seq: ++seq, at: new Date().toISOString(), event }),
    saveAudio: () => '',
  };
}

export interface PipelineParts {
  readonly createSegmenter: (channel: string) => Promise<Segmenter>;
  readonly recogniser: Recogniser;
  readonly understand: Understand;
  /** One dialogue for all channels; it keeps them apart by the channel of each transmission. */
  readonly createDialogue: () => Dialogue;
  readonly judge: Judge;
  readonly profile: Profile;
  readonly context?: Context;
  /** Who is on frequency now, where that changes while the pipeline runs; takes the place of `context`. */
  readonly contextOf?: (channel: string) => Context | undefined;
  readonly sink: EventSink;
  readonly version: string;
}

export interface PipelineProgress {
  /** Seconds of the recording read so far. */
  readonly seconds: number;
  readonly duration: number | undefined;
  /** Segments waiting for the recogniser. */
  readonly waiting: number;
}

/** What a session already holds, for going on after a stop or a crash. */
export interface ResumeState {
  /** Seconds up to which each channel's audio is safe; what lies before is not read again. */
  readonly capturedUntil: ReadonlyMap<string, number>;
  /** All transmissions of the log in the order in which they were captured. */
  readonly transmissions: readonly ResumedTransmission[];
  /** True when the log's state already shows exactly this, so that it is not said twice. */
  readonly shows: (event: HearbackEvent) => boolean;
  /** Told to the user and logged before going on: what opening found in the audio folder. */
  readonly notices: readonly Notice[];
}

export interface ResumedTransmission {
  readonly id: string;
  readonly channel: string;
  readonly start: number;
  readonly end: number;
  readonly recognised?: { readonly text: string; readonly words: readonly Word[]; readonly guards: readonly Guard[] };
  /** Reads the stored audio: of a pending transmission, and of one whose voice is compared with its neighbour's. @throws HearbackError when it is gone. */
  readonly load: () => Float32Array;
}

export interface PipelineOptions {
  readonly resume?: ResumeState;
  readonly signal?: AbortSignal;
  /** Called after the event is safe in the sink. */
  readonly onEvent?: (event: LoggedEvent) => void;
  readonly onProgress?: (progress: PipelineProgress) => void;
}

export interface PipelineResult {
  readonly seconds: number;
  readonly transmissions: number;
  readonly failed: number;
  readonly reason: 'end-of-audio' | 'stopped' | 'failed';
}

/** How many segments may wait for the recogniser before reading pauses. */
const QUEUE_LIMIT = 8;
/** Longest gap, seconds, over which two segments may be one transmission with a pause in it. */
const SAME_SPEAKER_WITHIN = 1;
/** How many callsigns heard in full are remembered for shortened forms, per channel. */
const HEARD_LIMIT = 60;

/**
 * Remembers the callsigns heard in full on one channel and hands them to the parser, which needs them for the shortened
 * forms that are allowed after first contact (ICAO Annex 10 Vol. II §5.2.1.7.2.2).
 */
export class Listener {
  readonly #heard: string[] = [];
  readonly #understand: Understand;
  readonly #context: Context | undefined;
  constructor(understand: Understand, context?: Context) {
    this.#understand = understand;
    this.#context = context;
  }
  hear(input: Omit<Parameters<Understand>[0], 'heard'>): Understanding {
    const context = input.context ?? this.#context;
    const understanding = this.#understand({ ...input, heard: this.#heard, ...(context === undefined ? {} : { context }) });
    const best = understanding.callsign_candidates[0];
    if (best !== undefined && (best.form === 'full' || best.form === 'list') && understanding.callsign !== null) {
      const at = this.#heard.indexOf(understanding.callsign);
      if (at >= 0) this.#heard.splice(at, 1);
      this.#heard.push(understanding.callsign);
      if (this.#heard.length > HEARD_LIMIT) this.#heard.shift();
    }
    return understanding;
  }
}

/** A stretch of speech on its way to the recogniser. Times in seconds of the recording. */
interface Spoken {
  readonly id: string;
  readonly channel: string;
  readonly start: number;
  readonly end: number;
  readonly samples: Float32Array;
}

/** The sound of a transmission and where it lies, seconds; looked at only when another one comes close. */
interface Sound {
  readonly start: number;
  readonly end: number;
  readonly features: () => VoiceFeatures | undefined;
}

type Job =
  | { readonly kind: 'speech'; readonly spoken: Spoken; readonly arrived: number; /** Where it was begun ahead of its turn. */ heard?: Promise<Recognition> }
  | { readonly kind: 'tick'; readonly now: number };

interface Channel {
  readonly segmenter: Segmenter;
  readonly listener: Listener;
  /** The sound of the newest transmission that was followed. */
  sound: Sound | undefined;
  /** Samples read so far. */
  end: number;
  /** Seconds up to which nothing more can come: where the channel is quiet, else where speech began. */
  settled: number;
}

/**
 * Runs a source through all stages until it ends or is stopped. What was captured before a stop is still recognised
 * and judged. A recogniser that is gone for good does not stop the recording: transmissions stay pending in the log.
 *
 * @throws HearbackError when the source cannot be read or the sink cannot store (disk full): nothing could be promised then.
 */
export async function runPipeline(source: AudioSource, parts: PipelineParts, options: PipelineOptions = {}): Promise<PipelineResult> {
  const { sink, recogniser, judge, profile } = parts;
  const { signal } = options;
  const contextOf = (channel: string): { context?: Context } => {
    const context = parts.contextOf === undefined ? parts.context : parts.contextOf(channel);
    return context === undefined ? {} : { context };
  };
  const told = new Set<string>();
  let failed = 0;
  let transmissions = 0;
  let seconds = 0;
  let reason: PipelineResult['reason'] = 'end-of-audio';
  const state: { closed: boolean; recogniserGone: boolean; failure?: unknown } = { closed: false, recogniserGone: false };

  // while going over what a session already holds, only where things end up counts: it is said afterwards if it is new
  let goingOver: Map<string, HearbackEvent> | undefined;
  const emit = (event: HearbackEvent): void => {
    const place = goingOver === undefined ? undefined : placeOf(event);
    if (goingOver !== undefined && place !== undefined) {
      goingOver.set(place, event);
      return;
    }
    const logged = sink.append(event);
    options.onEvent?.(logged);
  };
  const tellNotices = (notices: readonly Notice[]): void => {
    for (const notice of notices) {
      const key = `${notice.kind}\u0000${notice.text}`;
      if (told.has(key)) continue;
      told.add(key);
      emit({ type: 'notice', ...notice });
    }
  };

  emit({
    type: 'session.started',
    source: source.name,
    channels: [...source.channels],
    recogniser: recogniser.model,
    device: recogniser.device,
    judge: judge.name,
    profile,
    version: parts.version,
  });
  tellNotices(source.notices);
  tellNotices(recogniser.notices);
  tellNotices(judge.notices ?? []);

  const dialogue = parts.createDialogue();
  let lastTick = 0;
  const channels = new Map<string, Channel>();
  for (const name of source.channels) {
    channels.set(name, {
      segmenter: await parts.createSegmenter(name),
      listener: new Listener(parts.understand, parts.context),
      sound: undefined,
      end: 0,
      settled: 0,
    });
  }

  // how often an exchange was judged: a late answer about what it was before says nothing about what it is now
  const judged = new Map<string, number>();
  async function findingOf(pair: Pair, arrived: number): Promise<void> {
    const exchange = pair.exchange.id;
    const turn = (judged.get(exchange) ?? 0) + 1;
    judged.set(exchange, turn);
    const made = (finding: Finding): void => {
      tellNotices(judge.notices ?? []);
      emit({ type: 'finding.made', exchange, finding, latency_ms: Math.round(performance.now() - arrived) });
    };
    const later = (finding: Finding): void => {
      if (judged.get(exchange) !== turn) return;
      try {
        made(finding);
      } catch (thrown) {
        state.failure ??= thrown;
      }
    };
    made(await judgeExchange(pair, judge, profile, contextOf(pair.exchange.channel ?? '').context, parts.understand, goingOver === undefined ? later : undefined));
  }

  async function apply(changes: readonly DialogueChange[], arrived: number): Promise<void> {
    for (const change of changes) {
      switch (change.kind) {
        case 'opened':
          emit({ type: 'exchange.opened', exchange: change.exchange });
          break;
        case 'updated':
          emit({ type: 'exchange.updated', exchange: change.exchange });
          break;
        case 'judge':
          await findingOf(change.pair, arrived);
          break;
        case 'alert':
          emit({ type: 'alert.raised', exchange: change.exchange.id, alert: change.alert, text: change.text });
          break;
      }
    }
  }

  function fail(transmission: string, error: string): void {
    failed++;
    emit({ type: 'transmission.failed', transmission, attempt: 1, error });
  }

  async function recognise({ id, channel, samples }: Spoken, begun?: Promise<Recognition>): Promise<Recognition | undefined> {
    if (state.recogniserGone) {
      fail(id, 'The recogniser is gone; the audio is kept and can be recognised later.');
      return undefined;
    }
    try {
      return await (begun ?? recogniser.recognise(samples, contextOf(channel)));
    } catch (thrown) {
      const error = toHearbackError(thrown);
      state.recogniserGone = error.code === 'worker-died' || error.code === 'model-missing' || error.code === 'model-broken';
      fail(id, error.sentence);
      if (state.recogniserGone) tellNotices([{ kind: 'recogniser-gone', severity: 'error', text: `${error.sentence} Audio is still being recorded.` }]);
      return undefined;
    } finally {
      tellNotices(recogniser.notices);
    }
  }

  /** From words on: parse, pair, judge. */
  async function follow(spoken: Omit<Spoken, 'samples'>, sound: Sound, text: string, words: readonly Word[], guards: readonly Guard[], channel: Channel, arrived: number): Promise<void> {
    const { id } = spoken;
    const understanding = channel.listener.hear({ id, text, words, guards, ...contextOf(spoken.channel) });
    emit({ type: 'transmission.understood', transmission: id, understanding });
    const same = goesOn(channel.sound, sound);
    channel.sound = sound;
    const input: DialogueInput = { id, channel: spoken.channel, start: spoken.start, end: spoken.end, guards, understanding, ...(same === undefined ? {} : { sameSpeaker: same }) };
    await apply(dialogue.accept(input), arrived);
  }

  async function work(job: Job): Promise<void> {
    if (job.kind === 'tick') {
      await apply(dialogue.tick(job.now), performance.now());
      return;
    }
    const { spoken } = job;
    const channel = channels.get(spoken.channel);
    if (channel === undefined) return;
    const recognising = recognise(spoken, job.heard);
    const sound = soundOf(spoken, () => spoken.samples);
    goesOn(channel.sound, sound); // the features are kept: looked at here, they cost no time after the recogniser's
    const recognition = await recognising;
    if (recognition === undefined) return;
    const words = shiftWords(recognition.words, spoken.start);
    emit({
      type: 'transmission.recognised',
      transmission: spoken.id,
      text: recognition.text,
      words,
      confidence: recognition.confidence,
      guards: [...recognition.guards],
      model: recognition.model,
      device: recognition.device,
      milliseconds: recognition.milliseconds,
      ...(recognition.unbiasedText === undefined ? {} : { unbiased_text: recognition.unbiasedText }),
    });
    await follow(spoken, sound, recognition.text, words, recognition.guards, channel, job.arrived);
  }

  // A single worker keeps the order; reading waits when too many segments are queued.
  const queue: Job[] = [];
  const { atOnce = 1 } = recogniser;
  /** What comes next is heard while what stands before it is: as much as the recogniser takes at once, and nothing where that is one. */
  const hearAhead = (): void => {
    let left = atOnce - (working ? 1 : 0);
    if (atOnce === 1 || state.recogniserGone) return;
    for (const job of queue) {
      if (left === 0) return;
      if (job.kind !== 'speech') continue;
      left--;
      job.heard ??= recogniser.recognise(job.spoken.samples, contextOf(job.spoken.channel));
      job.heard.catch(() => undefined); // told when it is its turn
    }
  };
  let working = false;
  let waiting = 0;
  let wakeWorker: (() => void) | undefined;
  let wakeReader: (() => void) | undefined;
  const worker = (async () => {
    for (;;) {
      const job = queue.shift();
      if (job === undefined) {
        if (state.closed) return;
        await new Promise<void>((resolve) => {
          wakeWorker = resolve;
        });
        continue;
      }
      working = job.kind === 'speech';
      hearAhead();
      await work(job);
      working = false;
      if (job.kind === 'speech') waiting--;
      wakeReader?.();
    }
  })().catch((thrown: unknown) => {
    state.failure = thrown;
    wakeReader?.();
  });
  const enqueue = (job: Job): void => {
    queue.push(job);
    hearAhead();
    wakeWorker?.();
  };
  const safeUntil = (channel: string): number => options.resume?.capturedUntil.get(channel) ?? 0;
  const take = (segments: readonly Segment[]): void => {
    for (const whole of segments) {
      const segment = partAfter(whole, safeUntil(whole.channel));
      if (segment === undefined) continue;
      transmissions++;
      const id = `t${String(transmissions).padStart(5, '0')}`;
      // the audio is safe before anything is asked of the recogniser
      const audio = sink.saveAudio(id, segment.samples);
      const start = round(segment.startSample / SAMPLE_RATE);
      const end = round(segment.endSample / SAMPLE_RATE);
      emit({
        type: 'transmission.captured',
        transmission: id,
        channel: segment.channel,
        start,
        end,
        audio,
        ended: segment.end,
      });
      waiting++;
      enqueue({ kind: 'speech', spoken: { id, channel: segment.channel, start, end, samples: asStored(segment.samples) }, arrived: performance.now() });
    }
  };
  const finishWorker = async (): Promise<void> => {
    state.closed = true;
    wakeWorker?.();
    await worker;
    if (state.failure !== undefined) throw toHearbackError(state.failure);
  };

  if (options.resume !== undefined) {
    tellNotices(options.resume.notices);
    const places = new Map<string, HearbackEvent>();
    goingOver = places;
    for (const earlier of options.resume.transmissions) {
      transmissions++;
      const channel = channels.get(earlier.channel);
      if (channel === undefined) continue;
      if (earlier.recognised !== undefined) {
        const { text, words, guards } = earlier.recognised;
        await follow(earlier, soundOf(earlier, earlier.load), text, words, guards, channel, performance.now());
        continue;
      }
      let samples: Float32Array;
      try {
        samples = earlier.load();
      } catch (thrown) {
        fail(earlier.id, toHearbackError(thrown).sentence);
        continue;
      }
      await work({ kind: 'speech', spoken: { ...earlier, samples }, arrived: performance.now() });
    }
    goingOver = undefined;
    for (const event of places.values()) if (!options.resume.shows(event)) emit(event);
  }

  let sourceFailure: unknown;
  try {
    for await (const read of source.chunks(signal)) {
      if (signal?.aborted === true) break;
      const channel = channels.get(read.channel);
      if (channel === undefined) continue;
      const chunk = after(read, warmUpFrom(safeUntil(read.channel)));
      if (chunk === undefined) continue;
      channel.end = chunk.startSample + chunk.samples.length;
      take(await channel.segmenter.push(chunk));
      seconds = Math.max(seconds, channel.end / SAMPLE_RATE);
      if (channel.end <= safeUntil(read.channel) * SAMPLE_RATE) continue;
      const { phase, since } = channel.segmenter.state;
      channel.settled = Math.max((phase === 'quiet' ? channel.end : since) / SAMPLE_RATE, safeUntil(read.channel));
      // time has passed for an unanswered instruction only where no readback is being spoken
      const now = Math.min(...[...channels.values()].map((each) => each.settled));
      if (now - lastTick >= 1) {
        lastTick = now;
        enqueue({ kind: 'tick', now });
      }
      tellNotices(source.notices);
      options.onProgress?.({ seconds, duration: source.duration, waiting });
      while (waiting > QUEUE_LIMIT && state.failure === undefined) {
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
      if (state.failure !== undefined) break;
    }
  } catch (thrown) {
    if (signal?.aborted !== true) sourceFailure = thrown;
  }
  if (signal?.aborted === true) reason = 'stopped';
  if (state.failure === undefined) {
    for (const channel of channels.values()) take(await channel.segmenter.flush());
  }
  tellNotices(source.notices);
  await finishWorker();
  await apply(dialogue.end(seconds), performance.now());
  await judge.settled?.();
  if (state.failure !== undefined) throw toHearbackError(state.failure);
  if (sourceFailure !== undefined) {
    const error = toHearbackError(sourceFailure);
    tellNotices([{ kind: error.code, severity: 'error', text: error.sentence }]);
  }
  if (sourceFailure !== undefined || state.recogniserGone) reason = 'failed';
  emit({ type: 'session.ended', reason, seconds: round(seconds) });
  options.onProgress?.({ seconds, duration: source.duration, waiting: 0 });
  if (sourceFailure !== undefined) throw toHearbackError(sourceFailure, 'unreadable');
  return { seconds, transmissions, failed, reason };
}

/** Milliseconds are as fine as a talk key is. */
const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Word times relative to a segment become times in the recording. */
function shiftWords(words: readonly Word[], offset: number): Word[] {
  return words.map((word) => ({
    ...word,
    ...(word.start === undefined ? {} : { start: round(word.start + offset) }),
    ...(word.end === undefined ? {} : { end: round(word.end + offset) }),
  }));
}

/**
 * Judges what the dialogue has paired: the halves of the readback as one, with all their guards. With `understand`, words that the
 * recogniser gave alternatives for are weighed as well (J36): by rule whoever judged, since a language model would be asked many times.
 */
export async function judgeExchange(pair: Pair, judge: Judge, profile: Profile, context?: Context, understand?: Understand, later?: (finding: Finding) => void): Promise<Finding> {
  const weighed = async (finding: Finding): Promise<Finding> => (understand === undefined ? finding : weighAlternatives(finding, pair, { judge: createRulesJudge(), understand, join: joinUnderstandings, profile, context }));
  return weighed(
    await judge.judge({
      instruction: pair.instruction.understanding,
      readback: joinUnderstandings(pair.readbacks.map((half) => half.understanding)),
      guards: { instruction: pair.instruction.guards, readback: pair.readbacks.flatMap((half) => [...half.guards]) },
      profile,
      pairingConfidence: pair.exchange.pairing_confidence,
      ...(context === undefined ? {} : { context }),
      ...(later === undefined ? {} : { later: (finding) => weighed(finding).then(later) }),
    }),
  );
}

/** `load` is called at most once, and not before somebody asks; audio that is gone says nothing about the voice. */
function soundOf({ start, end }: { readonly start: number; readonly end: number }, load: () => Float32Array): Sound {
  let looked: { readonly features: VoiceFeatures | undefined } | undefined;
  const look = (): VoiceFeatures | undefined => {
    let samples: Float32Array;
    try {
      samples = load();
    } catch {
      return undefined;
    }
    return voiceFeatures(samples);
  };
  return { start, end, features: () => (looked ??= { features: look() }).features };
}

/** How much a transmission sounds like the one before it going on; undefined when there was none just before, or either is too short. */
function goesOn(before: Sound | undefined, sound: Sound): number | undefined {
  if (before === undefined || sound.start - before.end > SAME_SPEAKER_WITHIN) return undefined;
  const [first, second] = [before.features(), sound.features()];
  return first === undefined || second === undefined ? undefined : round(sameSpeaker(first, second));
}

/** One transmission as text, with times in seconds from the start of the recording. */
export interface TranscribedSegment {
  readonly segment: Segment;
  readonly recognition: Recognition;
  readonly words: readonly Word[];
}

/**
 * The first half of the pipeline alone: source → segmenter → recogniser. Yields in the order of the segments' ends.
 *
 * @throws HearbackError when the source cannot be read further, or the recogniser is gone.
 */
export async function* transcribe(
  source: AudioSource,
  parts: Pick<PipelineParts, 'createSegmenter' | 'recogniser' | 'context'>,
  options: { signal?: AbortSignal; onProgress?: (progress: PipelineProgress) => void } = {},
): AsyncGenerator<TranscribedSegment> {
  const { signal } = options;
  const segmenters = new Map<string, Segmenter>();
  for (const name of source.channels) segmenters.set(name, await parts.createSegmenter(name));
  const recogniseOptions = { ...(parts.context === undefined ? {} : { context: parts.context }), ...(signal === undefined ? {} : { signal }) };
  // segmenting runs ahead of the recogniser by a few segments; results keep their order
  const ahead: { segment: Segment; recognition: Promise<Recognition> }[] = [];
  const start = (segments: readonly Segment[]): void => {
    for (const segment of segments) {
      const recognition = parts.recogniser.recognise(asStored(segment.samples), recogniseOptions);
      recognition.catch(() => undefined); // awaited below; a rejection before that is not "unhandled"
      ahead.push({ segment, recognition });
    }
  };
  async function* drain(limit: number): AsyncGenerator<TranscribedSegment> {
    while (ahead.length > limit) {
      const next = ahead.shift();
      if (next === undefined) return;
      const recognition = await next.recognition;
      yield { segment: next.segment, recognition, words: shiftWords(recognition.words, next.segment.startSample / SAMPLE_RATE) };
    }
  }
  for await (const chunk of source.chunks(signal)) {
    if (signal?.aborted === true) break;
    const segmenter = segmenters.get(chunk.channel);
    if (segmenter === undefined) continue;
    start(await segmenter.push(chunk));
    options.onProgress?.({ seconds: (chunk.startSample + chunk.samples.length) / SAMPLE_RATE, duration: source.duration, waiting: ahead.length });
    yield* drain(QUEUE_LIMIT);
  }
  if (signal?.aborted !== true) for (const segmenter of segmenters.values()) start(await segmenter.flush());
  yield* drain(0);
}

/** What an event is about, when a later event of the same place takes its place in the state; undefined for all others. */
function placeOf(event: HearbackEvent): string | undefined {
  switch (event.type) {
    case 'exchange.opened':
    case 'exchange.updated':
      return `exchange ${event.exchange.id}`;
    case 'finding.made':
      return `finding ${event.exchange}`;
    case 'alert.raised':
      return `alert ${event.exchange} ${event.alert}`;
    case 'transmission.understood':
      return `understood ${event.transmission}`;
    default:
      return undefined;
  }
}

/** What is heard again before going on, so that detector and noise estimate stand where they stood, seconds. */
const WARM_UP = 60;
/** Going on begins at a multiple of this, samples: on the frames of an undisturbed run. */
const FRAME_GRID = 512;
/** Less speech than this behind the safe audio is the end of what is safe already, seconds. */
const NEW_SPEECH = 0.16;

/** Seconds from which audio is heard again when it is safe up to `until`. */
const warmUpFrom = (until: number): number => (Math.floor((Math.max(0, until - WARM_UP) * SAMPLE_RATE) / FRAME_GRID) * FRAME_GRID) / SAMPLE_RATE;

/** What is new in a segment when its channel's audio is safe up to `until` seconds; undefined when no speech is. */
function partAfter(segment: Segment, until: number): Segment | undefined {
  const safe = Math.round(until * SAMPLE_RATE);
  const skip = safe - segment.startSample;
  if (skip <= 0) return segment;
  if (segment.speechEnd - safe < NEW_SPEECH * SAMPLE_RATE) return undefined;
  return { ...segment, startSample: safe, samples: segment.samples.slice(skip), speechStart: Math.max(safe, segment.speechStart) };
}

/** Samples as they come back from a 16-bit file: a transmission gives the same words at once, from its stored audio, and with or without a session. */
function asStored(samples: Float32Array): Float32Array {
  return fromInt16(toInt16(samples));
}

/** The part of a chunk that lies behind a time (seconds), or undefined when nothing does. */
function after(chunk: PcmChunk, until: number): PcmChunk | undefined {
  const skip = Math.round(until * SAMPLE_RATE) - chunk.startSample;
  if (skip <= 0) return chunk;
  if (skip >= chunk.samples.length) return undefined;
  return { ...chunk, startSample: chunk.startSample + skip, samples: chunk.samples.subarray(skip) };
}
