/** Options that several commands share, with their checks. */
import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { DEVICES, type DeviceChoice } from '../asr/device-choice.js';
import { JUDGES, type JudgeChoice } from '../assembly.js';
import { PROFILES } from '../domain/taxonomy.js';
import { PROMPT_CONDITIONS } from '../judge/index.js';
import { LLM_PROVIDERS } from '../llm/index.js';

const CHANNELS = ['auto', 'left', 'right', 'mix', 'split'] as const;

export const jsonOption = (what: string): Option => new Option('--json', what);
export const modelOption = (): Option => new Option('--model <id or folder>', 'recogniser: an id from `hearback models list`, or a folder that the export or the adaptation kit made').default('whisper-base-radio');
export const deviceOption = (): Option => new Option('--device <name>', 'where the recogniser runs; another device than asked for is said').choices(DEVICES).default('auto');
export const channelOption = (): Option => new Option('--channel <which>', 'stereo recordings: auto finds out whether the sides differ').choices(CHANNELS).default('auto');
export const profileOption = (): Option => new Option('--profile <name>', 'icao: also QNH, squawk, route … (PANS-ATM 4.5.7.5); paper: exactly the published taxonomy').choices(PROFILES).default('icao');
/** --judge and what a language model behind it needs. */
export const addJudgeOptions = (command: Command): Command =>
  addLanguageModelOptions(command.addOption(new Option('--judge <name>', 'who judges: rules, a language model, or both (docs/llm.md)').choices(JUDGES).default('rules')));
/** Which language model, and how it is asked. */
export const addLanguageModelOptions = (command: Command): Command =>
  command
    .addOption(new Option('--llm-provider <name>', 'openai: a server that speaks its protocol, here or elsewhere (key from HEARBACK_LLM_KEY); gguf, onnx: a model in this process').choices(LLM_PROVIDERS))
    .addOption(new Option('--llm-url <url>', 'openai: address of the server, such as http://127.0.0.1:8080/v1; text goes there and nowhere else'))
    .addOption(new Option('--llm-model <name>', 'openai: the model as the server calls it; gguf: an id from `hearback models list` or a .gguf file; onnx: an id or a folder'))
    .addOption(new Option('--llm-prompt <name>', 'what the model is told (default: full)').choices(PROMPT_CONDITIONS))
    .addOption(new Option('--llm-time-limit <s>', 'seconds for one answer (default: 30, to label: 60)').argParser((text) => positiveInteger(text)));
/** The part of a command's options that names the judge. */
export const judgeChoice = (options: JudgeChoice): JudgeChoice => ({
  judge: options.judge,
  llmProvider: options.llmProvider,
  llmUrl: options.llmUrl,
  llmModel: options.llmModel,
  llmPrompt: options.llmPrompt,
  llmTimeLimit: options.llmTimeLimit,
});
export const contextOption = (): Option => new Option('--context <file>', 'traffic list: {"callsigns": ["DLH9TP", …]}');
export const strengthOption = (): Option =>
  new Option('--context-strength <n>', 'how far the recogniser goes towards the traffic list: 0 not at all, to 3; above 1 it may hide a wrong callsign (default: 1)').argParser(strength);
export const threadsOption = (): Option => new Option('--threads <n>', 'threads of the recogniser').argParser((text) => positiveInteger(text));
/** Recognisers beside each other where a recording is read as fast as it goes: two share what one leaves idle while it decodes with a single thread. */
const WORKERS = Math.min(2, availableParallelism());
export const workersOption = (when = ''): Option =>
  new Option('--workers <n>', `recognisers beside each other, each with memory and threads of its own (default: ${String(WORKERS)}${when})`).argParser((text) => positiveInteger(text));
/** How many recognisers a choice comes to; a device other than the processor works on one thing at a time. */
export const workersOf = (choice: { readonly workers?: number | undefined; readonly device: DeviceChoice }, fast = true): number =>
  choice.workers ?? (fast && (choice.device === 'cpu' || choice.device === 'auto') ? WORKERS : 1);

/** @throws InvalidArgumentError (exit code 2) */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number above 0.');
  return value;
}

/** How strongly a traffic list counts. @throws InvalidArgumentError */
export function strength(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0 || value > 3) throw new InvalidArgumentError('must be a number from 0 to 3.');
  return value;
}

/** A port, 0 for "any free one". @throws InvalidArgumentError */
export function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new InvalidArgumentError('must be a port, 0 to 65535.');
  return value;
}

/** Replay speed: a factor, or max. @throws InvalidArgumentError */
export function speed(text: string): number | 'max' {
  if (text === 'max') return 'max';
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0 || value > 100) throw new InvalidArgumentError('must be a factor above 0 and up to 100, or "max".');
  return value;
}
