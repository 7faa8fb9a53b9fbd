/**
 * Puts the stages together: source → segmenter → recogniser → parser → dialogue → judge → log.
 *
 * The live monitor, the replay, the demo and the server run this same object with other ends. Order is kept: within a
 * channel, transmissions reach the dialogue in the order in which they were spoken. Segmenting runs ahead of
 * recognition by a bounded number of segments, so memory does not grow with the length of the recording.
 */
import type { HearbackEvent, LoggedEvent } from './domain/events.js';
import { toHearbackError } from './domain/result.js';
import type { AudioSource, Dialogue, DialogueChange, DialogueInput, Judge, Notice, Pair, Recogniser, Recognition, Segment, Segmenter, Understand } from './domain/stages.js';
import { SAMPLE_RATE } from './domain/stages.js';
import type { Profile } from './domain/taxonomy.js';
import type { Context, Understanding, Word } from './domain/understanding.js';

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
  readonly createDialogue: (channel: string) => Dialogue;
  readonly judge: Judge;
  readonly profile: Profile;
  readonly context?: Context;
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

export interface PipelineOptions {
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

/**
 * One or two halves of a readback as one understanding: what the judge compares with the instruction.
 * Spans of later halves move behind the words of the earlier ones.
 */
export function joinReadbacks(parts: readonly Understanding[], listener: Listener): Understanding | undefined {
  const first = parts[0];
  if (first === undefined || parts.length === 1) return first;
  const words: Word[] = parts.flatMap((part) => part.words);
  return listener.hear({ id: parts.map((p) => p.id).join('+'), text: parts.map((p) => p.text).join(' '), words });
}

type Job =
  | { readonly kind: 'segment'; readonly id: string; readonly segment: Segment; readonly arrived: number }
  | { readonly kind: 'tick'; readonly channel: string; readonly now: number };

interface Channel {
  readonly segmenter: Segmenter;
  readonly dialogue: Dialogue;
  readonly listener: Listener;
  lastTick: number;
  end: number;
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
  const told = new Set<string>();
  let failed = 0;
  let transmissions = 0;
  let seconds = 0;
  let reason: PipelineResult['reason'] = 'end-of-audio';
  const state: { closed: boolean; recogniserGone: boolean; failure?: unknown } = { closed: false, recogniserGone: false };

  const emit = (event: HearbackEvent): void => {
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

  const channels = new Map<string, Channel>();
  for (const name of source.channels) {
    channels.set(name, {
      segmenter: await parts.createSegmenter(name),
      dialogue: parts.createDialogue(name),
      listener: new Listener(parts.understand, parts.context),
      lastTick: 0,
      end: 0,
    });
  }

  async function judgePair(pair: Pair, channel: Channel, arrived: number): Promise<void> {
    const readback = joinReadbacks(pair.readbacks.map((r) => r.understanding), channel.listener);
    if (readback === undefined) return;
    const finding = await judge.judge({
      instruction: pair.instruction.understanding,
      readback,
      guards: { instruction: pair.instruction.guards, readback: pair.readbacks.flatMap((r) => [...r.guards]) },
      profile,
      pairingConfidence: pair.exchange.pairing_confidence,
      ...(parts.context === undefined ? {} : { context: parts.context }),
    });
    emit({ type: 'finding.made', exchange: pair.exchange.id, finding, latency_ms: Math.round(performance.now() - arrived) });
  }

  async function apply(changes: readonly DialogueChange[], channel: Channel, arrived: number): Promise<void> {
    for (const change of changes) {
      switch (change.kind) {
        case 'opened':
          emit({ type: 'exchange.opened', exchange: change.exchange });
          break;
        case 'updated':
          emit({ type: 'exchange.updated', exchange: change.exchange });
          break;
        case 'judge':
          await judgePair(change.pair, channel, arrived);
          break;
        case 'alert':
          emit({ type: 'alert.raised', exchange: change.exchange.id, alert: change.alert, text: change.text });
          break;
      }
    }
  }

  async function recogniseSegment(id: string, segment: Segment): Promise<Recognition | undefined> {
    if (state.recogniserGone) {
      failed++;
      emit({ type: 'transmission.failed', transmission: id, attempt: 1, error: 'The recogniser is gone; the audio is kept and can be recognised later.' });
      return undefined;
    }
    try {
      return await recogniser.recognise(segment.samples, parts.context === undefined ? {} : { context: parts.context });
    } catch (thrown) {
      const error = toHearbackError(thrown);
      failed++;
      state.recogniserGone = error.code === 'worker-died' || error.code === 'model-missing' || error.code === 'model-broken';
      emit({ type: 'transmission.failed', transmission: id, attempt: 1, error: error.sentence });
      if (state.recogniserGone) tellNotices([{ kind: 'recogniser-gone', severity: 'error', text: `${error.sentence} Audio is still being recorded.` }]);
      return undefined;
    } finally {
      tellNotices(recogniser.notices);
    }
  }

  async function work(job: Job): Promise<void> {
    const channel = channels.get(job.kind === 'tick' ? job.channel : job.segment.channel);
    if (channel === undefined) return;
    if (job.kind === 'tick') {
      await apply(channel.dialogue.tick(job.now), channel, performance.now());
      return;
    }
    const { segment, id } = job;
    const recognition = await recogniseSegment(id, segment);
    if (recognition === undefined) return;
    const offset = segment.startSample / SAMPLE_RATE;
    const words: Word[] = recognition.words.map((word) => ({
      ...word,
      ...(word.start === undefined ? {} : { start: round(word.start + offset) }),
      ...(word.end === undefined ? {} : { end: round(word.end + offset) }),
    }));
    emit({
      type: 'transmission.recognised',
      transmission: id,
      text: recognition.text,
      words,
      confidence: recognition.confidence,
      guards: [...recognition.guards],
      model: recognition.model,
      device: recognition.device,
      milliseconds: recognition.milliseconds,
      ...(recognition.unbiasedText === undefined ? {} : { unbiased_text: recognition.unbiasedText }),
    });
    const understanding = channel.listener.hear({ id, text: recognition.text, words, guards: recognition.guards });
    emit({ type: 'transmission.understood', transmission: id, understanding });
    const input: DialogueInput = {
      id,
      channel: segment.channel,
      start: round(segment.speechStart / SAMPLE_RATE),
      end: round(segment.speechEnd / SAMPLE_RATE),
      guards: recognition.guards,
      understanding,
    };
    await apply(channel.dialogue.accept(input), channel, job.arrived);
  }

  // A single worker keeps the order; reading waits when too many segments are queued.
  const queue: Job[] = [];
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
      await work(job);
      if (job.kind === 'segment') waiting--;
      wakeReader?.();
    }
  })().catch((thrown: unknown) => {
    state.failure = thrown;
    wakeReader?.();
  });
  const enqueue = (job: Job): void => {
    queue.push(job);
    wakeWorker?.();
  };
  const take = (segments: readonly Segment[]): void => {
    for (const segment of segments) {
      transmissions++;
      const id = `t${String(transmissions).padStart(5, '0')}`;
      // the audio is safe before anything is asked of the recogniser
      const audio = sink.saveAudio(id, segment.samples);
      emit({
        type: 'transmission.captured',
        transmission: id,
        channel: segment.channel,
        start: round(segment.startSample / SAMPLE_RATE),
        end: round(segment.endSample / SAMPLE_RATE),
        audio,
        ended: segment.end,
      });
      waiting++;
      enqueue({ kind: 'segment', id, segment, arrived: performance.now() });
    }
  };
  const finishWorker = async (): Promise<void> => {
    state.closed = true;
    wakeWorker?.();
    await worker;
    if (state.failure !== undefined) throw toHearbackError(state.failure);
  };

  let sourceFailure: unknown;
  try {
    for await (const chunk of source.chunks(signal)) {
      if (signal?.aborted === true) break;
      const channel = channels.get(chunk.channel);
      if (channel === undefined) continue;
      channel.end = chunk.startSample + chunk.samples.length;
      take(await channel.segmenter.push(chunk));
      seconds = Math.max(seconds, channel.end / SAMPLE_RATE);
      const { phase, since } = channel.segmenter.state;
      const now = (phase === 'quiet' ? channel.end : since) / SAMPLE_RATE;
      if (now - channel.lastTick >= 1) {
        channel.lastTick = now;
        enqueue({ kind: 'tick', channel: chunk.channel, now });
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
  for (const channel of channels.values()) await apply(channel.dialogue.end(channel.end / SAMPLE_RATE), channel, performance.now());
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
