/**
 * Any causal language model in ONNX form in this process: a folder as transformers.js wants it (config.json, tokenizer.json,
 * tokenizer_config.json, onnx/model*.onnx with a key-value cache). Nothing is fetched.
 */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { AutoModelForCausalLM, AutoTokenizer, env, InterruptableStoppingCriteria, LogitsProcessor, LogitsProcessorList, type PreTrainedTokenizer, type Tensor } from '@huggingface/transformers';
import { z } from 'zod';
import type { LanguageAnswer, LanguageModel, LanguageRequest } from '../domain/language-model.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import type { Notice } from '../domain/stages.js';
import type { Deadline } from './deadline.js';
import { oneAtATime } from './in-process.js';
import { askStructured } from './structured.js';

export interface OnnxOptions {
  readonly folder: string;
  /** Name for people (default: the folder's). */
  readonly model?: string;
  /** Default: as many as there are cores, at most 4. */
  readonly threads?: number;
}

/** Kinds of weights by the ending of their files, best first for a CPU. */
const PRECISIONS = [
  ['q8', '_quantized'],
  ['int8', '_int8'],
  ['uint8', '_uint8'],
  ['q4', '_q4'],
  ['fp32', ''],
  ['fp16', '_fp16'],
] as const;
const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const;
const MAX_THREADS = 4;

/** Sums the logarithms of the probabilities of the tokens that greedy decoding takes, and changes nothing. */
class ProbabilityRecorder extends LogitsProcessor {
  logProbability = 0;
  tokens = 0;
  override _call(_ids: bigint[][], logits: Tensor): Tensor {
    const data = logits.data as Float32Array;
    let top = -Infinity;
    for (const value of data) top = Math.max(top, value);
    let sum = 0;
    for (const value of data) sum += Math.exp(value - top);
    this.logProbability -= Math.log(sum);
    this.tokens++;
    return logits;
  }
}

/** The folder's positions, or none known. */
function positionsOf(folder: string): number {
  const config = z.object({ max_position_embeddings: z.number().optional() }).safeParse(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')));
  return (config.success ? config.data.max_position_embeddings : undefined) ?? Infinity;
}

/** A chat as the model was trained to see it; without a template of its own the messages in order, the last one to be answered. */
function inputOf(tokenizer: PreTrainedTokenizer, request: LanguageRequest): { input_ids: Tensor; attention_mask: Tensor } {
  const messages = request.messages.map(({ role, content }) => ({ role, content }));
  const text = tokenizer.chat_template === null ? `${messages.map(({ content }) => content).join('\n\n')}\n` : tokenizer.apply_chat_template(messages, { tokenize: false, add_generation_prompt: true });
  if (typeof text !== 'string') throw new HearbackError('model-broken', 'The chat template of the model gives no text.');
  return tokenizer(text, { add_special_tokens: tokenizer.chat_template === null });
}

/**
 * Loads the model. One question at a time. The shape of an answer is held by the words of the prompt alone, and checked.
 *
 * @throws HearbackError model-missing: the folder lacks a file; model-broken: it does not load.
 */
export async function onnxModel(options: OnnxOptions): Promise<LanguageModel> {
  const folder = resolve(options.folder);
  for (const name of FILES) {
    if (!existsSync(join(folder, name))) throw new HearbackError('model-missing', `The model folder ${folder} lacks ${name}.`, { hint: 'Name a folder with config.json, tokenizer.json, tokenizer_config.json and onnx/model*.onnx.' });
  }
  const precision = PRECISIONS.find(([, ending]) => existsSync(join(folder, 'onnx', `model${ending}.onnx`)));
  if (precision === undefined) throw new HearbackError('model-missing', `The folder ${join(folder, 'onnx')} has no model*.onnx.`, { hint: 'Export the model to ONNX with a key-value cache.' });
  const name = options.model ?? basename(folder);
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = dirname(folder);
  const load = async (): Promise<[Awaited<ReturnType<typeof AutoTokenizer.from_pretrained>>, Awaited<ReturnType<typeof AutoModelForCausalLM.from_pretrained>>, number]> => [
    await AutoTokenizer.from_pretrained(basename(folder)),
    await AutoModelForCausalLM.from_pretrained(basename(folder), { dtype: precision[0], device: 'cpu', session_options: { intraOpNumThreads: options.threads ?? Math.min(MAX_THREADS, availableParallelism()), extra: { session: { intra_op: { allow_spinning: '0' } } } } }),
    positionsOf(folder),
  ];
  let loaded: Awaited<ReturnType<typeof load>>;
  try {
    loaded = await load();
  } catch (thrown) {
    throw new HearbackError('model-broken', `The language model ${name} does not load: ${toHearbackError(thrown).message.split('\n')[0] ?? ''}`, { hint: 'It must be a causal language model with ONNX files for transformers.js.', cause: thrown });
  }
  const [tokenizer, model, positions] = loaded;
  const notices: Notice[] = [{ kind: 'text-goes-to', severity: 'info', text: `The language model ${name} runs in this process: no text leaves this machine.` }];

  async function ask(request: LanguageRequest, until: Deadline, startedAt: number): Promise<LanguageAnswer> {
    const maxTokens = request.maxTokens ?? 512;
    const inputs = inputOf(tokenizer, request);
    const size = inputs.input_ids.dims.at(-1) ?? 0;
    if (size + maxTokens > positions) throw new HearbackError('usage', `The prompt (${size} tokens) and an answer of up to ${maxTokens} do not fit into the ${positions} tokens of ${name}.`, { hint: 'Use a shorter prompt (--llm-prompt zero-shot) or another model.' });
    const recorder = new ProbabilityRecorder();
    const processors = new LogitsProcessorList();
    processors.push(recorder);
    const stop = new InterruptableStoppingCriteria();
    const interrupt = (): void => {
      stop.interrupt();
    };
    until.signal.addEventListener('abort', interrupt, { once: true });
    try {
      const temperature = request.temperature ?? 0;
      const output = (await model.generate({ ...inputs, max_new_tokens: maxTokens, do_sample: temperature > 0, ...(temperature > 0 ? { temperature } : {}), logits_processor: processors, stopping_criteria: stop })) as Tensor;
      until.signal.throwIfAborted();
      const generated = ((output.tolist() as (bigint | number)[][])[0] ?? []).slice(size);
      return {
        text: generated.length === 0 ? '' : tokenizer.decode(generated.map(Number), { skip_special_tokens: true }),
        constraint: 'prompt',
        finish: recorder.tokens >= maxTokens ? 'length' : 'stop',
        tokens: { prompt: size, answer: recorder.tokens },
        milliseconds: performance.now() - startedAt,
        attempts: 1,
        ...(temperature > 0 ? {} : { logProbability: recorder.logProbability }),
      };
    } finally {
      until.signal.removeEventListener('abort', interrupt);
    }
  }

  const complete = oneAtATime(ask);

  return {
    provider: 'onnx',
    model: name,
    destination: { kind: 'this-process', address: basename(folder) },
    notices,
    complete,
    answer: (request, check) => askStructured(complete, request, check),
    close: async () => {
      await model.dispose();
    },
  };
}
