/**
 * Where the words come from: as the gold has them, heard in speech or recordings, or recorded by somebody else.
 */
import { resolve } from 'node:path';
import { readAudio } from '../../audio/index.js';
import { HearbackError } from '../../domain/result.js';
import { SAMPLE_RATE, type Recogniser } from '../../domain/stages.js';
import { onAir } from '../voice/channel.js';
import type { Input } from './config.js';
import { HeardLine, PARTS, type Gold, type Part, type Task, type Voices } from './items.js';
import type { Words } from './judges.js';
import { LineFile } from './store.js';

/** The text of one part of an item; undefined where the gold has none. */
export function writtenPart(task: Task, gold: Gold, part: Part): string | undefined {
  const text = (gold as Readonly<Record<string, unknown>>)[task === 'speech' ? 'text' : part];
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** Key of a part in a file of heard lines. */
export const heardKey = (id: string, part: Part): string => `${part} ${id}`;

const heardFacts = (task: Task) => (value: unknown) => {
  const line = HeardLine.parse(value);
  return { key: heardKey(line.id, line.part ?? PARTS[task][0]), settled: line.error === undefined };
};

export const openHeard = (path: string, task: Task): Promise<LineFile> => LineFile.open(path, heardFacts(task));

/** Recorded hypotheses, checked line by line. @throws HearbackError invalid-input with the line's number */
export async function openRecorded(path: string, task: Task): Promise<LineFile> {
  let number = 0;
  return LineFile.openToRead(path, (value) => {
    number++;
    const line = HeardLine.safeParse(value);
    const why = !line.success ? `"${line.error.issues[0]?.path.join('.') ?? ''}": ${line.error.issues[0]?.message ?? 'does not fit'}` : line.data.part === undefined && PARTS[task].length > 1 ? `"part" is missing; it is one of ${PARTS[task].join(', ')}` : undefined;
    if (why !== undefined || !line.success) throw new HearbackError('invalid-input', `${path}, line ${String(number)}: ${why ?? 'does not fit'}.`, { hint: 'A line of recorded hypotheses is {"id": …, "part": …, "text": …}.' });
    return { key: heardKey(line.data.id, line.data.part ?? PARTS[task][0]), settled: line.data.error === undefined };
  });
}

/** Sound of one part, or why it is not there. `reference`: what is said, where it is known better than from the gold. */
export interface Sound {
  readonly samples: () => Promise<Float32Array>;
  readonly reference?: string;
}

/** What sounds in an input; undefined: this item has none there. */
export function soundOf(input: Input, task: Task, gold: Gold, part: Part, data: string, voices: Voices | undefined, seed: number): Sound | undefined {
  if (input.kind === 'recordings') {
    const stretch = gold.audio?.[part];
    return stretch === undefined ? undefined : { samples: () => readStretch(resolve(data, stretch.file), stretch.start, stretch.end) };
  }
  if (input.kind !== 'voice') return undefined;
  const snr = input.snr === 'clean' ? Infinity : input.snr;
  const reference = voices?.said(task, gold.id, part, writtenPart(task, gold, part));
  if (voices !== undefined && reference !== undefined) return { reference, samples: () => voices.sound(task, gold.id, part, snr, seed) };
  const dry = gold.audio?.[part];
  if (dry?.dry !== true) return undefined;
  return { samples: async () => (await onAir(await readStretch(resolve(data, dry.file), dry.start, dry.end), `${gold.id} ${part}`, snr, seed)).samples };
}

async function readStretch(path: string, start: number | undefined, end: number | undefined): Promise<Float32Array> {
  const whole = await readAudio(path);
  const samples = whole.slice(Math.round((start ?? 0) * SAMPLE_RATE), end === undefined ? undefined : Math.round(end * SAMPLE_RATE));
  if (samples.length === 0) throw new HearbackError('empty', `${path} has no sound from ${String(start ?? 0)} s to ${end === undefined ? 'its end' : `${String(end)} s`}.`);
  return samples;
}

/** What the recogniser makes of a sound, as a line; `reference` as in `Sound`. The recogniser sees nothing but the sound. */
export async function hear(recogniser: Recogniser, id: string, part: Part, samples: Float32Array, reference: string | undefined, signal: AbortSignal | undefined): Promise<HeardLine> {
  const started = performance.now();
  const { text, words, guards } = await recogniser.recognise(samples, signal === undefined ? {} : { signal });
  const ms = Math.round((performance.now() - started) * 10) / 10;
  return { id, part, text, ...(reference === undefined ? {} : { reference }), words: [...words], guards: [...guards], ms, seconds: Math.round((samples.length / SAMPLE_RATE) * 1000) / 1000 };
}

/** A heard line as the words that a parser reads. */
export const wordsOfLine = ({ text, words, guards }: HeardLine): Words => ({ text: text ?? '', ...(words === undefined ? {} : { words }), ...(guards === undefined ? {} : { guards }) });
