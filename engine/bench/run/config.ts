/**
 * What a run is asked for: a YAML file, or the command's options. Every field is checked and named in what is said about it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { DEVICES } from '../../asr/device-choice.js';
import { HearbackError } from '../../domain/result.js';
import { PROMPT_CONDITIONS } from '../../judge/index.js';
import { LLM_PROVIDERS, PARSER_CONDITIONS } from '../../llm/index.js';
import { TASKS } from './items.js';

/** `string-difference` compares words, without understanding: the bar that a judge has to be above. */
export const BENCH_JUDGES = ['rules', 'llm', 'consensus', 'string-difference'] as const;

/** Who labels (Task 1): the rules, a language model, or both. */
export const BENCH_PARSERS = ['rules', 'llm', 'consensus'] as const;

const name = z.string().regex(/^[\w.+-]+$/u, 'letters, figures, ".", "_", "+" and "-" only: it becomes the name of a folder').refine((text) => !/^\.+$/u.test(text), 'is no name');

const Snr = z.union([z.literal('clean'), z.number().min(-30).max(60)]);
export type Snr = z.infer<typeof Snr>;
const InputChoice = z.union(
  [
    z.enum(['text', 'recordings', 'hypotheses']),
    z.strictObject({ snr: z.union([Snr, z.array(Snr).min(1)]) }),
    z.strictObject({ recorded: z.string().min(1), name }),
  ],
  { error: 'is "text", "recordings", "hypotheses", {snr: [clean, 20, …]} or {recorded: FILE, name: NAME}' },
);

const SystemChoice = z.strictObject({
  /** How results call it; default: what judges, and the model. */
  name: name.optional(),
  parser: z.enum(BENCH_PARSERS).default('rules'),
  judge: z.enum(BENCH_JUDGES).default('rules'),
  provider: z.enum(LLM_PROVIDERS).optional(),
  url: z.string().optional(),
  model: z.string().min(1).optional(),
  prompt: z.enum(PROMPT_CONDITIONS).optional(),
  /** Seconds for one judgement, or one labelling. */
  time_limit: z.number().positive().optional(),
});
export type SystemChoice = z.infer<typeof SystemChoice>;

const RecogniserChoice = z.strictObject({
  model: z.string().min(1).optional(),
  device: z.enum(DEVICES).optional(),
  threads: z.number().int().positive().optional(),
  /** Recognisers beside each other, each with `threads` of its own. */
  workers: z.number().int().positive().max(64).optional(),
});

const RunFile = z.strictObject({
  /** Folder with task1.jsonl, task2.jsonl, ground.jsonl, speech.jsonl, as many as there are. */
  data: z.string().min(1).optional(),
  /** Folder of speech for the items; default: voice/ in the folder of the items. */
  voice: z.string().min(1).optional(),
  tasks: z.array(z.enum(TASKS)).min(1).optional(),
  inputs: z.array(InputChoice).min(1).default(['text']),
  recogniser: RecogniserChoice.default({}),
  systems: z.array(SystemChoice).min(1).default([{ parser: 'rules', judge: 'rules' }]),
  /** The first items of each task. */
  limit: z.number().int().positive().optional(),
  /** Of the radio channel's noise. */
  seed: z.number().int().nonnegative().default(1),
});

/** Where the words come from. `name` is that of its folder. */
export type Input =
  | { readonly kind: 'text'; readonly name: 'text' }
  | { readonly kind: 'voice'; readonly name: string; readonly snr: Snr }
  | { readonly kind: 'recordings'; readonly name: 'recordings' }
  | { readonly kind: 'hypotheses'; readonly name: 'hypotheses' }
  | { readonly kind: 'recorded'; readonly name: string; readonly file: string };

export interface RunRequest {
  readonly data: string;
  readonly voice: string | undefined;
  /** undefined: those whose items are there. */
  readonly tasks: readonly (typeof TASKS)[number][] | undefined;
  readonly inputs: readonly Input[];
  readonly recogniser: z.infer<typeof RecogniserChoice>;
  readonly systems: readonly (SystemChoice & { readonly name: string })[];
  readonly limit: number | undefined;
  readonly seed: number;
}

export const snrName = (snr: Snr): string => (snr === 'clean' ? 'clean' : `${String(snr)}dB`);

function inputsOf(choice: z.infer<typeof InputChoice>, folder: string): Input[] {
  if (typeof choice === 'string') return [{ kind: choice, name: choice } as Input];
  if ('recorded' in choice) return [{ kind: 'recorded', name: choice.name, file: at(folder, choice.recorded) }];
  return [choice.snr].flat().map((snr) => ({ kind: 'voice', name: snrName(snr), snr }));
}

const at = (folder: string, path: string): string => (isAbsolute(path) ? path : resolve(folder, path));

const plainName = (text: string): string => text.replace(/\.gguf$/iu, '').replace(/^.*[/\\]/u, '').replace(/[^\w.+-]+/gu, '-');

const asksModel = (judge: SystemChoice['judge']): boolean => judge === 'llm' || judge === 'consensus';

/** True where judging needs a language model and none is named: then the network that ships judges. */
export const judgesEmbedded = ({ judge, provider, model }: Pick<SystemChoice, 'judge' | 'provider' | 'model'>): boolean => asksModel(judge) && provider === undefined && model === undefined;

/** What of a system does not go together, by its field; undefined: nothing. */
function contradiction(system: SystemChoice): { readonly field: string; readonly why: string; readonly hint: string } | undefined {
  const { parser, judge, provider, model, prompt } = system;
  const named = (['provider', 'url', 'model', 'prompt', 'time_limit'] as const).find((key) => system[key] !== undefined);
  if (parser === 'rules' && !asksModel(judge) && named !== undefined) return { field: named, why: `the judge is "${judge}", which asks no language model`, hint: 'Set "judge: llm", "judge: consensus" or "parser: llm", or take the field out.' };
  if (parser !== 'rules' && (provider === undefined || model === undefined)) return { field: 'parser', why: `"${parser}" needs a language model, and the network that ships does not label`, hint: 'Name one with provider and model (openai: and url).' };
  if (parser !== 'rules' && !PARSER_CONDITIONS.some((each) => each === (prompt ?? 'full'))) return { field: 'prompt', why: `there is no "${String(prompt)}" for labelling`, hint: `Take one of ${PARSER_CONDITIONS.join(', ')}.` };
  const unused = (['url', 'prompt', 'time_limit'] as const).find((key) => system[key] !== undefined);
  if (judgesEmbedded(system) && unused !== undefined) return { field: unused, why: 'the network that ships has no server, no prompt and no time limit', hint: 'Take the field out, or name another model with provider and model.' };
  return undefined;
}

function systemName(choice: SystemChoice): string {
  if (choice.name !== undefined) return choice.name;
  const { parser, judge, model, prompt } = choice;
  const asks = asksModel(judge) || parser !== 'rules';
  return [...(parser === 'rules' ? [] : [`parser-${parser}`]), ...(parser === 'rules' || asksModel(judge) ? [judge] : []), ...(asks && model !== undefined ? [plainName(model)] : []), ...(asks && prompt !== undefined ? [prompt] : [])].join('-');
}

/** `value`: what a YAML file holds, or the same from options; paths are relative to `folder`. @throws HearbackError usage, with the field named */
export function readRequest(value: unknown, folder: string, from: string, defaults: { readonly data: string }, place: (path: readonly PropertyKey[]) => string = () => ''): RunRequest {
  const parsed = RunFile.safeParse(value ?? {});
  if (!parsed.success) {
    const wrong = parsed.error.issues.slice(0, 5).map(({ path, message, code, ...more }) => {
      const field = fieldName(path);
      const unknown = code === 'unrecognized_keys' && 'keys' in more ? more.keys : undefined;
      if (unknown !== undefined) return `${place([...path, unknown[0] ?? ''])}${field === '' ? '' : `${field} has `}no field "${unknown.join('", "')}"`;
      return `${place(path)}"${field === '' ? 'the file' : field}": ${message}`;
    });
    throw new HearbackError('usage', `${from} cannot be used: ${wrong.join('; ')}.`, { hint: `Fields are ${Object.keys(RunFile.shape).join(', ')} (docs/benchmark.md).` });
  }
  const file = parsed.data;
  const inputs = file.inputs.flatMap((choice) => inputsOf(choice, folder));
  const systems = file.systems.map((system) => ({ ...system, name: systemName(system) }));
  const double = (names: readonly string[]): string | undefined => names.find((each, i) => names.indexOf(each) !== i);
  const twice = double(inputs.map((input) => input.name));
  if (twice !== undefined) throw new HearbackError('usage', `${from} cannot be used: "inputs": two are called "${twice}".`, { hint: 'Give recorded hypotheses another name, and each ratio once.' });
  const same = double(systems.map((system) => system.name));
  if (same !== undefined) throw new HearbackError('usage', `${from} cannot be used: "systems": two are called "${same}".`, { hint: 'Give each a name of its own ("name: …").' });
  for (const [i, system] of systems.entries()) {
    const wrong = contradiction(system);
    if (wrong !== undefined) throw new HearbackError('usage', `${from} cannot be used: "systems[${String(i)}].${wrong.field}": ${wrong.why}.`, { hint: wrong.hint });
  }
  return { data: file.data === undefined ? defaults.data : at(folder, file.data), voice: file.voice === undefined ? undefined : at(folder, file.voice), tasks: file.tasks, inputs, recogniser: file.recogniser, systems, limit: file.limit, seed: file.seed };
}

/** ["inputs", 0, "snr"] → "inputs[0].snr". */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${String(key)}]` : text === '' ? String(key) : `${text}.${String(key)}`), '');
}

/** Reads a YAML (or JSON) file of `bench run --config`. @throws HearbackError not-found; usage, with field and line named */
export function readRunFile(path: string, defaults: { readonly data: string }): RunRequest {
  if (!existsSync(path)) throw new HearbackError('not-found', `${path} does not exist.`, { hint: 'fixtures/bench/quick.yaml is one to start from; docs/benchmark.md says what it holds.' });
  const lines = new LineCounter();
  const text = readFileSync(path, 'utf8');
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw new HearbackError('usage', `${path} is not YAML: line ${String(lines.linePos(error.pos[0]).line)}: ${error.message}.`, { hint: 'Most often it is the indentation, or a ":" that needs quotes around the text.' });
  const place = (keys: readonly PropertyKey[]): string => {
    // the nearest field above that stands in the file
    for (let length = keys.length; length > 0; length--) {
      const node: unknown = document.getIn(keys.slice(0, length), true);
      const range = typeof node === 'object' && node !== null && 'range' in node ? (node.range as readonly number[] | null) : undefined;
      if (range?.[0] !== undefined) return `line ${String(lines.linePos(range[0]).line)}: `;
    }
    return '';
  };
  return readRequest(document.toJS() as unknown, dirname(resolve(path)), path, defaults, place);
}

/** Folder of the speech of a request. */
export const voiceFolder = ({ voice, data }: Pick<RunRequest, 'voice' | 'data'>): string => voice ?? join(data, 'voice');
