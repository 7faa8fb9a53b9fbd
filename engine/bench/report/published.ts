/**
 * Rows that others published, on their own items: beside ours for orientation, never as a comparison.
 */
import type { Task } from '../run/items.js';

export interface PublishedRow {
  readonly name: string;
  readonly how: string;
  readonly values: Readonly<Record<string, number>>;
  /** Seconds an answer. */
  readonly seconds?: number;
}
export interface PublishedTable {
  readonly source: string;
  readonly rows: readonly PublishedRow[];
}

const table = (source: string, keys: readonly string[], rows: readonly (readonly [name: string, how: string, values: readonly number[], seconds?: number])[]): PublishedTable => ({
  source,
  rows: rows.map(([name, how, values, seconds]) => ({ name, how, values: Object.fromEntries(keys.map((key, i) => [key, values[i] ?? Number.NaN])), ...(seconds === undefined ? {} : { seconds }) })),
});

const TASK1 = ['ner_f1', 'ner_lin', 'ner_geo', 'act_ex', 'ar_lin', 'ar_geo', 'strict'];
const TASK2 = ['is_correct', 'et_f1', 'rl_acc', 'ddr', 'wds'];
const GROUND = ['speaker_f1', 'intention_f1', 'action_f1', 'rw_er', 'entity_f1', 'action_macro', 'action_weighted', 'risk_score', 'risk_strict'];
const [ZERO, FULL, TUNED] = ['zero-shot', 'full prompt', 'fine-tuned'];

/** All rows of arXiv 2608.24621, Tables 4 and 6, and of arXiv 2605.11769, Tables V and VI. */
export const PUBLISHED: Readonly<Partial<Record<Task, PublishedTable>>> = {
  task1: table('arXiv 2608.24621, Table 4 (500 items)', TASK1, [
    ['gpt-5.4', ZERO, [0.737, 0.768, 0.443, 0.494, 0.774, 0.541, 0.442], 2.3],
    ['gpt-5.1', ZERO, [0.72, 0.752, 0.415, 0.474, 0.722, 0.451, 0.36], 2.3],
    ['DeepSeek-V4-Flash', ZERO, [0.667, 0.699, 0.404, 0.448, 0.746, 0.487, 0.414], 2.5],
    ['claude-haiku-4.5', ZERO, [0.634, 0.667, 0.347, 0.468, 0.719, 0.431, 0.362]],
    ['gpt-4o-mini', ZERO, [0.647, 0.69, 0.331, 0.354, 0.667, 0.338, 0.258], 2.5],
    ['qwen-plus', ZERO, [0.644, 0.676, 0.33, 0.454, 0.639, 0.343, 0.278], 3.5],
    ['qwen3-14b', ZERO, [0.546, 0.573, 0.234, 0.392, 0.561, 0.255, 0.196], 3.4],
    ['qwen3-8b', ZERO, [0.308, 0.33, 0.076, 0.432, 0.29, 0.109, 0.08], 4.4],
    ['DeepSeek-V4-Flash', FULL, [0.773, 0.798, 0.555, 0.612, 0.836, 0.707, 0.614], 2.3],
    ['gpt-4o-mini', FULL, [0.751, 0.784, 0.49, 0.576, 0.775, 0.589, 0.512], 2.9],
    ['qwen-plus', FULL, [0.773, 0.8, 0.528, 0.582, 0.783, 0.609, 0.53], 4],
    ['qwen3-8b', FULL, [0.684, 0.708, 0.429, 0.548, 0.701, 0.489, 0.372], 3.2],
    ['qwen3-4b', ZERO, [0.213, 0.232, 0.037, 0.316, 0.118, 0.041, 0.024]],
    ['qwen3-4b', `${TUNED}, Risk-LoRA`, [0.762, 0.783, 0.554, 0.606, 0.777, 0.648, 0.538]],
    ['qwen3-8b', `${TUNED}, cross-entropy`, [0.7, 0.731, 0.424, 0.464, 0.746, 0.515, 0.396], 6.9],
    ['qwen3-8b', `${TUNED}, Risk-LoRA`, [0.772, 0.792, 0.57, 0.638, 0.805, 0.686, 0.584], 5.5],
    ['Llama-3.1-8B', ZERO, [0.223, 0.246, 0.048, 0.378, 0.197, 0.057, 0.032]],
    ['Llama-3.1-8B', `${TUNED}, Risk-LoRA`, [0.767, 0.788, 0.559, 0.62, 0.813, 0.697, 0.6]],
  ]),
  task2: table('arXiv 2608.24621, Table 6 (1,000 items)', TASK2, [
    ['DeepSeek-V4-Flash', ZERO, [0.774, 0.563, 0.646, 0.1, 0.034], 1.5],
    ['gpt-4o-mini', ZERO, [0.794, 0.533, 0.485, 0.459, 0.163], 1.7],
    ['qwen-plus', ZERO, [0.778, 0.461, 0.53, 0.049, 0.016], 2.5],
    ['qwen3-4b', ZERO, [0.714, 0.17, 0.33, 0.24, 0.09]],
    ['qwen3-8b', ZERO, [0.72, 0.268, 0.382, 0.157, 0.052], 1.7],
    ['Llama-3.1-8B', ZERO, [0.706, 0.286, 0.244, 0.031, 0.011]],
    ['DeepSeek-V4-Flash', FULL, [0.896, 0.84, 0.878, 0.057, 0.022], 8.2],
    ['gpt-4o-mini', FULL, [0.802, 0.466, 0.54, 0.049, 0.016], 2],
    ['qwen-plus', FULL, [0.812, 0.565, 0.64, 0.023, 0.009], 2.6],
    ['qwen3-8b', FULL, [0.758, 0.36, 0.526, 0.089, 0.03], 2.1],
    ['qwen3-4b', `${TUNED}, Risk-LoRA`, [0.946, 0.914, 0.93, 0.06, 0.02]],
    ['qwen3-8b', `${TUNED}, Risk-LoRA`, [0.93, 0.893, 0.906, 0.083, 0.029], 1.2],
    ['Llama-3.1-8B', `${TUNED}, Risk-LoRA`, [0.944, 0.931, 0.936, 0.08, 0.027]],
  ]),
  ground: table('arXiv 2605.11769, Tables V and VI (1,000 utterances)', GROUND, [
    ['qwen3-8b', 'text', [0.3182, 0.2407, 0.3367, 0.4853, 0.5122, 0.3962, 0.3695, 0.288, 0.102], 5.19],
    ['qwen3-14b', 'text', [0.2938, 0.2103, 0.4355, 0.3786, 0.3914, 0.3753, 0.3194, 0.2585, 0.092], 7.88],
    ['qwen3-32b', 'text', [0.3987, 0.2152, 0.5179, 0.4021, 0.4174, 0.5556, 0.5586, 0.4249, 0.206], 9.19],
    ['qwen-plus', 'text', [0.655, 0.4871, 0.5544, 0.6236, 0.6407, 0.5511, 0.5717, 0.4352, 0.164], 4.77],
    ['qwen3-max', 'text', [0.7003, 0.5167, 0.4881, 0.8293, 0.8317, 0.6361, 0.7348, 0.5234, 0.244], 7.98],
    ['deepseek-chat', 'text', [0.6801, 0.5699, 0.6172, 0.774, 0.7801, 0.5189, 0.4425, 0.4003, 0.092], 6.27],
    ['grok-4-1-fast-reasoning', 'text', [0.7252, 0.6321, 0.5401, 0.7793, 0.7843, 0.5978, 0.6062, 0.5206, 0.1809], 20.15],
    ['gemini-3-flash-preview', 'text', [0.9221, 0.7865, 0.6583, 0.8234, 0.8236, 0.7292, 0.7818, 0.6922, 0.2528], 15.9],
    ['gemini-3-pro-preview', 'text', [0.9532, 0.8518, 0.6423, 0.8598, 0.8615, 0.7265, 0.7788, 0.6884, 0.2647], 14.6],
    ['gpt-4o-mini', 'text', [0.4111, 0.2624, 0.4169, 0.612, 0.6216, 0.5348, 0.5443, 0.4483, 0.163], 3.4],
    ['gpt-5.1', 'text', [0.7298, 0.4852, 0.5478, 0.7698, 0.7734, 0.7512, 0.8759, 0.6775, 0.424], 4],
    ['gpt-4o-mini', 'voice, Whisper large', [0.33, 0.25, 0.38, 0.18, 0.21, 0.24, 0.08, 0.07, 0]],
    ['gpt-4o-mini', 'voice, Whisper medium', [0.37, 0.29, 0.43, 0.17, 0.21, 0.23, 0.07, 0.07, 0]],
    ['gpt-4o-mini', 'voice, Whisper small', [0.34, 0.26, 0.37, 0.12, 0.16, 0.18, 0.04, 0.04, 0]],
    ['gpt-4o-mini', 'voice, Whisper tiny', [0.33, 0.26, 0.42, 0.15, 0.18, 0.23, 0.07, 0.06, 0]],
    ['gpt-4o-mini', 'voice, wav2vec2', [0.25, 0.19, 0.19, 0.04, 0.05, 0.06, 0.01, 0.01, 0]],
  ]),
};

export const ON_OTHER_DATA = 'published, on other data';
