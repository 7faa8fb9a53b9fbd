/**
 * Language model providers behind one interface (`LanguageModel` in engine/domain). See docs/llm.md.
 */
export { openAiModel, type OpenAiOptions } from './openai.js';
export { isPairScorer, openPairScorer } from './pair-scorer.js';
export { onnxModel, type OnnxOptions } from './onnx.js';
export { parseByModel, parserPrompt, type ParsedByModel } from './task1/parser.js';
export { PARSER_CONDITIONS, type ParserCondition } from './task1/prompts-v1.js';
export { ggufModel, type GgufOptions } from './gguf.js';

export const LLM_PROVIDERS = ['openai', 'gguf', 'onnx'] as const;
export type LlmProvider = (typeof LLM_PROVIDERS)[number];
