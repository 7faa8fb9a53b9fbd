/**
 * Recordings made from the building blocks under fixtures/, and the whole pipeline over them in this process: real
 * detector, real recogniser, real judge.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { assemble } from '../../engine/assembly.js';
import { openAudio, openPcmStream } from '../../engine/audio/index.js';
import type { HearbackEvent } from '../../engine/domain/events.js';
import type { Exchange } from '../../engine/domain/exchange.js';
import type { Finding } from '../../engine/domain/finding.js';
import type { AudioSource } from '../../engine/domain/stages.js';
import type { Guard } from '../../engine/domain/understanding.js';
import { runPipeline, type PipelineParts } from '../../engine/pipeline.js';
import { foldEvents } from '../../engine/session/index.js';
import { root } from '../command.js';
import { collectOne } from './audio.js';

const Truth = z.object({
  recordings: z.array(z.object({ recording: z.string(), duration: z.number(), transmissions: z.array(z.object({ id: z.string(), text: z.string() })) })),
});

/** One clean transmission: sound at 16 kHz and what is said in it. */
export interface Block {
  readonly name: string;
  readonly text: string;
  readonly samples: Float32Array;
  readonly seconds: number;
}

/** The blocks with these names, in this order. */
export async function blocks<const N extends readonly string[]>(...names: N): Promise<{ [K in keyof N]: Block }> {
  const folder = join(root, 'fixtures', 'blocks');
  const truth = Truth.parse(JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')));
  const found = await Promise.all(
    names.map(async (name): Promise<Block> => {
      const recording = truth.recordings.find((each) => each.transmissions[0]?.id === name);
      if (recording === undefined) throw new Error(`no block ${name}`);
      const samples = await collectOne(await openAudio(join(folder, recording.recording)));
      return { name, text: recording.transmissions[0]?.text ?? '', samples, seconds: samples.length / 16_000 };
    }),
  );
  return found as { [K in keyof N]: Block };
}

const decibels = (db: number): number => 10 ** (db / 20);
const peakOf = (samples: Float32Array): number => samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/** The same sound with its highest sample at `db` below full scale. */
export function peakAt(samples: Float32Array, db: number): Float32Array {
  const factor = decibels(db) / peakOf(samples);
  return samples.map((x) => x * factor);
}

/** Receiver noise whose root mean square is `db` below full scale: normal distribution, the same every time. */
export function hiss(seconds: number, db: number, seed = 1): Float32Array {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const level = decibels(db);
  return Float32Array.from({ length: Math.round(seconds * 16_000) }, () => level * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}

export const mixed = (a: Float32Array, b: Float32Array): Float32Array => a.map((x, i) => x + (b[i] ?? 0));

/** A source of one channel as it comes from a sound card: 16-bit samples in pieces of 20 ms. */
export function live(samples: Float32Array): AudioSource {
  const pcm = Int16Array.from(samples, (x) => Math.max(-32768, Math.min(32767, Math.round(x * 32768))));
  const bytes = Buffer.from(pcm.buffer);
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += 640) yield bytes.subarray(at, at + 640);
  };
  return openPcmStream(Readable.from(pieces()), { name: 'sound card' });
}

export interface HeardTransmission {
  readonly id: string;
  readonly channel: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  readonly ended: string;
  readonly text: string;
  readonly guards: readonly Guard[];
  /** What was stored. */
  readonly audio: Float32Array;
}

export interface HeardExchange extends Exchange {
  /** The texts of the instruction and of all readbacks. */
  readonly said: string;
  readonly answered: string;
  readonly channelOfInstruction: string;
  readonly channelsOfReadbacks: readonly string[];
  /** The finding in force; none while there is no readback. */
  readonly judged: Finding | undefined;
  readonly alerts: readonly string[];
}

/** What came out of a run. */
export interface Heard {
  readonly transmissions: readonly HeardTransmission[];
  readonly exchanges: readonly HeardExchange[];
  readonly notices: readonly { readonly kind: string; readonly text: string }[];
  /** Events in the order in which they were stored. */
  readonly events: readonly HearbackEvent[];
  readonly seconds: number;
}

export type Engine = Omit<PipelineParts, 'sink'>;
export const startEngine = (): Promise<Engine> => assemble({});

/** Runs the whole pipeline over a source. */
export async function listen(engine: Engine, source: AudioSource): Promise<Heard> {
  const audio = new Map<string, Float32Array>();
  const events: HearbackEvent[] = [];
  const result = await runPipeline(source, {
    ...engine,
    sink: {
      append: (event) => {
        events.push(event);
        return { seq: events.length, at: new Date(0).toISOString(), event };
      },
      saveAudio: (transmission, samples) => {
        audio.set(transmission, samples);
        return `audio/${transmission}.wav`;
      },
    },
  });
  const state = foldEvents(events.map((event, at) => ({ seq: at + 1, at: new Date(0).toISOString(), event })));
  const transmissions = [...state.transmissions.values()].map(({ id, capture, recognition }): HeardTransmission => {
    if (capture === undefined || recognition === undefined) throw new Error(`transmission ${id} was not recognised`);
    return { id, channel: capture.channel, start: capture.start, end: capture.end, ended: capture.ended, text: recognition.text, guards: recognition.guards, audio: audio.get(id) ?? new Float32Array(0) };
  });
  const by = new Map(transmissions.map((each) => [each.id, each]));
  const exchanges = [...state.exchanges.values()].map(({ exchange, findings, alerts }): HeardExchange => {
    const said = (exchange.instructions ?? [exchange.instruction]).map((id) => by.get(id)?.text ?? '').join(' ');
    const readbacks = exchange.readbacks.map((id) => by.get(id));
    return {
      ...exchange,
      said,
      answered: readbacks.map((each) => each?.text ?? '').join(' '),
      channelOfInstruction: by.get(exchange.instruction)?.channel ?? '',
      channelsOfReadbacks: readbacks.map((each) => each?.channel ?? ''),
      judged: exchange.readbacks.length === 0 ? undefined : findings.at(-1)?.finding,
      alerts: alerts.map(({ alert }) => alert),
    };
  });
  return { transmissions, exchanges, notices: state.notices, events, seconds: result.seconds };
}

/** A run in short, for messages of tests that fail. */
export const inShort = (heard: Heard): string =>
  [
    ...heard.transmissions.map((t) => `${t.id} ${t.channel} ${t.start}–${t.end} "${t.text}" ${t.guards.map((g) => g.reason).join(',')}`),
    ...heard.exchanges.map((e) => `${e.id} ${e.status} "${e.said}" / "${e.answered}" → ${e.judged === undefined ? 'no finding' : `${e.judged.verdict} ${e.judged.error_type} ${e.judged.affected_slot ?? ''} (${e.judged.doubts.join('; ')})`}`),
  ].join('\n');
