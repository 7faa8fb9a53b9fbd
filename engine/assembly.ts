/**
 * Builds the stages from a user's choices: which model, device, profile and judge. The command line and the server both
 * come through here, so that they run the same pipeline.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceChoice } from './asr/index.js';
import { createDialogue } from './dialogue/index.js';
import { HearbackError } from './domain/result.js';
import type { Judge, Recogniser, Segmenter } from './domain/stages.js';
import type { Profile } from './domain/taxonomy.js';
import type { Context } from './domain/understanding.js';
import { createRulesJudge } from './judge/index.js';
import { packageRoot, requireModel } from './models/index.js';
import type { PipelineParts } from './pipeline.js';
import { understand } from './understanding/index.js';

/** The recogniser that ships with the product. */
export const DEFAULT_MODEL = 'whisper-tiny-radio';

export const JUDGES = ['rules', 'llm', 'consensus'] as const;
export type JudgeName = (typeof JUDGES)[number];

/** The version in package.json. */
export function productVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string' ? parsed.version : 'unknown';
}

/**
 * @throws HearbackError model-missing: asked for a language model that is not installed. Nothing stands in for it.
 */
export function pickJudge(name: JudgeName): Judge {
  switch (name) {
    case 'rules':
      return createRulesJudge();
    case 'llm':
    case 'consensus':
      throw new HearbackError('model-missing', `The ${name} judge needs a language model and this version has none built in.`, { hint: 'Use --judge rules.' });
  }
}

export interface RecogniserChoice {
  readonly model?: string | undefined;
  readonly device?: DeviceChoice | undefined;
  readonly threads?: number | undefined;
}

/** @throws HearbackError unknown-id, model-missing, model-broken, device */
export async function openRecogniser(choice: RecogniserChoice): Promise<Recogniser> {
  const id = choice.model ?? DEFAULT_MODEL;
  const modelDir = requireModel(id);
  // what runs models is loaded only when it is needed: the text commands start without it
  const { createRecogniser } = await import('./asr/index.js');
  return createRecogniser({ modelId: id, modelDir, device: choice.device ?? 'auto', ...(choice.threads === undefined ? {} : { threads: choice.threads }) });
}

/** A segmenter for one channel; the voice activity model is loaded once and shared. */
export async function openSegmenter(): Promise<Segmenter> {
  const { createSegmenter } = await import('./audio/index.js');
  return createSegmenter({ modelPath: join(requireModel('silero-vad'), 'silero_vad.onnx') });
}

export interface PipelineChoice extends RecogniserChoice {
  readonly judge?: JudgeName | undefined;
  readonly profile?: Profile | undefined;
  readonly context?: Context | undefined;
}

/** All stages but the sink; the caller closes `recogniser`. */
export async function assemble(choice: PipelineChoice): Promise<Omit<PipelineParts, 'sink'>> {
  const judge = pickJudge(choice.judge ?? 'rules');
  const recogniser = await openRecogniser(choice);
  return {
    createSegmenter: () => openSegmenter(),
    recogniser,
    understand,
    createDialogue: () => createDialogue({ understand }),
    judge,
    profile: choice.profile ?? 'icao',
    version: productVersion(),
    ...(choice.context === undefined ? {} : { context: choice.context }),
  };
}
