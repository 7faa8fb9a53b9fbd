/**
 * How fast the recognisers that are here run on this machine, and which of them to use.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DEFAULT_MODEL, openRecogniser, type RecogniserChoice } from '../assembly.js';
import { readAudio } from '../audio/index.js';
import { toHearbackError } from '../domain/result.js';
import { SAMPLE_RATE } from '../domain/stages.js';
import { listModels, resourceFolder } from '../models/index.js';
import { SpeedTest } from './protocol.js';

/** Transmissions of the bundled recording that are read. */
const CLIPS = 6;
/** A frequency is quiet most of the time; with several of them, somebody may wait for somebody else. */
const ENOUGH = 4;

type Row = SpeedTest['rows'][number];

/** In the folder of the sessions. */
const RESULT_FILE = 'speed-test.json';

/** The newest result; null before the first, and when it cannot be read. */
export function loadSpeedTest(root: string): SpeedTest | null {
  try {
    return SpeedTest.parse(JSON.parse(readFileSync(join(root, RESULT_FILE), 'utf8')));
  } catch {
    return null;
  }
}

export function storeSpeedTest(root: string, result: SpeedTest): void {
  writeFileSync(join(root, RESULT_FILE), `${JSON.stringify(result, null, 1)}\n`);
}

/**
 * Which model to use by what was measured: the one made for radio where it is quick enough, else the quickest. Others may write better or
 * worse text; nobody measured that here. Pure.
 */
export function recommend(rows: readonly Row[]): { readonly recommended: string | null; readonly why: string } {
  const ran = rows.filter((row) => row.error === undefined);
  const own = ran.find((row) => row.model === DEFAULT_MODEL);
  const times = (row: Row): string => `${row.times_real_time.toFixed(1)} times real time`;
  if (own !== undefined && own.times_real_time >= ENOUGH) return { recommended: own.model, why: `It was trained on radio speech and runs at ${times(own)} here, which is enough for several frequencies.` };
  const [quickest] = [...ran].sort((a, b) => b.times_real_time - a.times_real_time);
  if (quickest === undefined) return { recommended: null, why: 'No recogniser could be run. "Doctor" says what is missing.' };
  const slow = quickest.times_real_time < ENOUGH ? ` That is below ${ENOUGH} times: expect to wait when more than one frequency is busy.` : '';
  return { recommended: quickest.model, why: `It is the quickest here, at ${times(quickest)}.${slow}` };
}

async function measure(model: string, choice: RecogniserChoice, clips: readonly Float32Array[], audioSeconds: number): Promise<Row> {
  const row = { model, device: choice.device ?? 'auto', load_ms: 0, audio_seconds: audioSeconds, milliseconds: 0, times_real_time: 0 };
  const began = performance.now();
  try {
    const recogniser = await openRecogniser({ ...choice, model });
    try {
      const loaded = performance.now();
      for (const clip of clips) await recogniser.recognise(clip);
      const milliseconds = performance.now() - loaded;
      return { ...row, device: recogniser.device, load_ms: Math.round(loaded - began), milliseconds: Math.round(milliseconds), times_real_time: Math.round((audioSeconds / milliseconds) * 10_000) / 10 };
    } finally {
      await recogniser.close();
    }
  } catch (thrown) {
    return { ...row, error: toHearbackError(thrown).sentence };
  }
}

/** @param tell how many of how many models are done. */
export async function runSpeedTest(choice: RecogniserChoice, tell: (done: number, total: number) => void, signal: AbortSignal): Promise<SpeedTest> {
  const folder = resourceFolder('fixtures', 'demo');
  const sound = await readAudio(join(folder, 'tower-and-approach.ogg'));
  const Spans = z.object({ transmissions: z.array(z.object({ start: z.number(), end: z.number() })) });
  const spans = Spans.parse(JSON.parse(readFileSync(join(folder, 'tower-and-approach.truth.json'), 'utf8'))).transmissions.slice(0, CLIPS);
  const clips = spans.map(({ start, end }) => sound.slice(Math.round(start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE)));
  const audioSeconds = clips.reduce((sum, clip) => sum + clip.length, 0) / SAMPLE_RATE;
  const models = (await listModels()).filter((model) => model.purpose === 'recogniser' && model.present && !model.convert);
  const rows: Row[] = [];
  for (const [at, { id }] of models.entries()) {
    if (signal.aborted) break;
    tell(at, models.length);
    rows.push(await measure(id, choice, clips, audioSeconds));
  }
  tell(models.length, models.length);
  return { at: new Date().toISOString(), rows, ...recommend(rows) };
}
