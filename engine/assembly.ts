/**
 * Builds the stages from a user's choices: which model, device, profile and judge. The command line and the server both
 * come through here, so that they run the same pipeline.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { DeviceChoice } from './asr/index.js';
import { createDialogue } from './dialogue/index.js';
import { HearbackError } from './domain/result.js';
import type { LanguageModel } from './domain/language-model.js';
import type { Judge, Recogniser, Segmenter } from './domain/stages.js';
import type { Profile } from './domain/taxonomy.js';
import type { Context } from './domain/understanding.js';
import { createConsensusJudge, createEmbeddedJudge, createLlmJudge, createRulesJudge, DEFAULT_POLICY, EMBEDDED_POLICY, type PromptCondition } from './judge/index.js';
import { ggufModel, isPairScorer, onnxModel, openAiModel, openPairScorer, type LlmProvider } from './llm/index.js';
import { modelDirectory, packageRoot, requireModel } from './models/index.js';
import type { PipelineParts } from './pipeline.js';
import { understand } from './understanding/index.js';

/** The recogniser that ships with the product. */
export const DEFAULT_MODEL = 'whisper-base-radio';

/** The network that judges when no language model is named. */
export const DEFAULT_JUDGE = 'readback-judge-small';

export const JUDGES = ['rules', 'llm', 'consensus'] as const;
export type JudgeName = (typeof JUDGES)[number];

/** The version in package.json. */
export function productVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string' ? parsed.version : 'unknown';
}

/** Which language model judges, where one does. */
export interface LanguageModelChoice {
  readonly llmProvider?: LlmProvider | undefined;
  /** openai: the server's address, up to and with its version. */
  readonly llmUrl?: string | undefined;
  /** openai: the server's name for the model. gguf: an id of the catalogue, or the path of a .gguf file. */
  readonly llmModel?: string | undefined;
  readonly llmPrompt?: PromptCondition | undefined;
  /** Seconds for one judgement. */
  readonly llmTimeLimit?: number | undefined;
}

export interface JudgeChoice extends LanguageModelChoice {
  readonly judge?: JudgeName | undefined;
}

/**
 * @throws HearbackError model-missing: a language model is wanted, and none was named or the named one is not there; nothing stands
 *   in for it. usage: options that do not go together. model-broken
 */
export async function openJudge(choice: JudgeChoice): Promise<Judge> {
  const name = choice.judge ?? 'rules';
  if (name === 'rules') {
    const unused = (['llmProvider', 'llmUrl', 'llmModel', 'llmPrompt', 'llmTimeLimit'] as const).filter((key) => choice[key] !== undefined);
    if (unused.length > 0) throw new HearbackError('usage', 'A language model is named, but the rules judge without one.', { hint: 'Add --judge llm or --judge consensus.' });
    return createRulesJudge();
  }
  const embedded = await openEmbedded(choice);
  const second = embedded ?? (await openPrompted(name, choice));
  return name === 'llm' ? second : createConsensusJudge(createRulesJudge(), second, embedded === undefined ? DEFAULT_POLICY : EMBEDDED_POLICY);
}

/** The embedded network that a choice means, and its folder; undefined where it means another model. @throws HearbackError model-missing */
export function embeddedNetwork({ llmProvider: provider, llmModel: model }: LanguageModelChoice): { readonly id: string; readonly folder: string } | undefined {
  const named = provider === undefined && model === undefined ? DEFAULT_JUDGE : provider === 'onnx' ? model : undefined;
  if (named === undefined) return undefined;
  const isFolder = existsSync(join(named, 'config.json'));
  if (!isPairScorer(isFolder ? named : modelDirectory(named))) return undefined;
  return { id: named, folder: isFolder ? named : requireModel(named) };
}

async function openEmbedded(choice: LanguageModelChoice): Promise<Judge | undefined> {
  const network = embeddedNetwork(choice);
  if (network === undefined) return undefined;
  const unused = (['llmUrl', 'llmPrompt', 'llmTimeLimit'] as const).filter((key) => choice[key] !== undefined);
  if (unused.length > 0) throw new HearbackError('usage', 'The embedded judge has no prompt, no server and no time limit.', { hint: 'Leave --llm-prompt, --llm-url and --llm-time-limit out, or name another model with --llm-provider.' });
  return createEmbeddedJudge(await openPairScorer(network.folder));
}

async function openPrompted(name: JudgeName, choice: LanguageModelChoice): Promise<Judge> {
  const model = await openLanguageModel(`The ${name} judge`, choice);
  return createLlmJudge({
    model,
    ...(choice.llmPrompt === undefined ? {} : { condition: choice.llmPrompt }),
    ...(choice.llmTimeLimit === undefined ? {} : { timeLimit: choice.llmTimeLimit * 1000 }),
  });
}

/**
 * The language model that a user named, for a judge or a parser.
 *
 * @throws HearbackError as `openJudge`
 */
export function openLanguageModel(what: string, choice: LanguageModelChoice): LanguageModel | Promise<LanguageModel> {
  const { llmProvider: provider, llmUrl: url, llmModel: model } = choice;
  if (provider === undefined) {
    throw new HearbackError('model-missing', `${what} needs a language model, and none was named.`, {
      hint: 'Name one with --llm-provider openai --llm-url URL --llm-model NAME, or --llm-provider gguf --llm-model ID; the rules need none.',
    });
  }
  switch (provider) {
    case 'openai': {
      if (url === undefined || model === undefined) throw new HearbackError('usage', 'The openai provider needs to know the server and the model.', { hint: 'Give --llm-url (such as http://127.0.0.1:8080/v1) and --llm-model.' });
      const apiKey = process.env['HEARBACK_LLM_KEY'];
      return openAiModel({ baseUrl: url, model, ...(apiKey === undefined || apiKey === '' ? {} : { apiKey }) });
    }
    case 'onnx': {
      if (url !== undefined) throw new HearbackError('usage', 'The onnx provider runs the model itself and has no use for an address.', { hint: 'Leave --llm-url out, or use --llm-provider openai.' });
      if (model === undefined) throw new HearbackError('usage', 'The onnx provider needs a model.', { hint: `Give --llm-model with an id from "hearback models list" or a folder; or name no provider for the embedded judge.` });
      return onnxModel({ folder: existsSync(model) ? model : requireModel(model), ...(existsSync(model) ? {} : { model }) });
    }
    case 'gguf': {
      if (url !== undefined) throw new HearbackError('usage', 'The gguf provider runs the model itself and has no use for an address.', { hint: 'Leave --llm-url out, or use --llm-provider openai.' });
      if (model === undefined) throw new HearbackError('usage', 'The gguf provider needs a model.', { hint: 'Give --llm-model with an id from "hearback models list" or the path of a .gguf file.' });
      const libraryFolder = process.env['HEARBACK_LLAMA_CPP'];
      return ggufModel({ ...ggufFile(model), ...(libraryFolder === undefined || libraryFolder === '' ? {} : { libraryFolder }) });
    }
  }
}

/** A .gguf file as it is, or the one in the folder of a model of the catalogue. */
function ggufFile(model: string): { path: string; model?: string } {
  if (/\.gguf$/i.test(model) || existsSync(model)) return { path: model };
  const folder = requireModel(model);
  const file = readdirSync(folder).find((each) => each.endsWith('.gguf'));
  if (file === undefined) throw new HearbackError('usage', `The model ${model} is not a GGUF model.`, { hint: '"hearback models list" shows which are.' });
  return { path: join(folder, file), model };
}

export interface RecogniserChoice {
  readonly model?: string | undefined;
  readonly device?: DeviceChoice | undefined;
  readonly threads?: number | undefined;
  /** Recognisers beside each other, for recordings; default 1. `threads` are those of each. */
  readonly workers?: number | undefined;
}

/**
 * A recogniser by its id, or by its folder: a path, or a name here that holds a config.json.
 *
 * @throws HearbackError unknown-id, model-missing, model-broken
 */
export function recogniserFolder(model: string): { readonly id: string; readonly folder: string } {
  const isFolder = /[\\/]/u.test(model) || existsSync(join(model, 'config.json'));
  if (!isFolder) return { id: model, folder: requireModel(model) };
  const folder = resolve(model);
  return { id: basename(folder), folder };
}

/** @throws HearbackError unknown-id, model-missing, model-broken, device */
export async function openRecogniser(choice: RecogniserChoice): Promise<Recogniser> {
  const { id, folder: modelDir } = recogniserFolder(choice.model ?? DEFAULT_MODEL);
  // what runs models is loaded only when it is needed: the text commands start without it
  const { createRecogniser, createRecognisers } = await import('./asr/index.js');
  const options = { modelId: id, modelDir, device: choice.device ?? 'auto', ...(choice.threads === undefined ? {} : { threads: choice.threads }) };
  const { workers = 1 } = choice;
  return workers === 1 ? createRecogniser(options) : createRecognisers({ ...options, workers });
}

/** A segmenter for one channel; the voice activity model is loaded once and shared. */
export async function openSegmenter(): Promise<Segmenter> {
  const { createSegmenter } = await import('./audio/index.js');
  return createSegmenter({ modelPath: join(requireModel('silero-vad'), 'silero_vad.onnx') });
}

export interface PipelineChoice extends RecogniserChoice, JudgeChoice {
  readonly profile?: Profile | undefined;
  readonly context?: Context | undefined;
}

/** All stages but the sink; the caller closes `recogniser` and `judge`. */
export async function assemble(choice: PipelineChoice): Promise<Omit<PipelineParts, 'sink'>> {
  const judge = await openJudge(choice);
  const recogniser = await openRecogniser(choice).catch(async (thrown: unknown) => {
    await judge.close?.();
    throw thrown;
  });
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
