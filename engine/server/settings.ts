/**
 * What the user has chosen, kept in the folder of the sessions. No secrets: the key of a language model comes from the environment.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { DEVICES } from '../asr/device-choice.js';
import { DEFAULT_MODEL, JUDGES, type PipelineChoice } from '../assembly.js';
import { HearbackError } from '../domain/result.js';
import type { Notice } from '../domain/stages.js';
import { PROMPT_CONDITIONS } from '../judge/index.js';
import { LLM_PROVIDERS } from '../llm/index.js';
import { Settings } from './protocol.js';

const SETTINGS_FILE = 'settings.json';
const Stored = Settings.partial();

const DEFAULTS: Settings = { model: DEFAULT_MODEL, device: 'auto', judge: 'rules', profile: 'icao', llm: {}, retention_days: null, keep_recording: true };

/** Defaults, over them what was stored, over that what the command line says. A file that cannot be read is told and left alone. */
export function loadSettings(root: string, command: PipelineChoice): { readonly settings: Settings; readonly notices: readonly Notice[] } {
  const notices: Notice[] = [];
  let stored: z.output<typeof Stored> = {};
  const path = join(root, SETTINGS_FILE);
  try {
    stored = Stored.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    if (!missing) notices.push({ kind: 'settings', severity: 'warning', text: `The settings in ${path} cannot be read; the usual ones are used.` });
  }
  const { model, device, judge, profile, llmProvider, llmUrl, llmModel, llmPrompt, llmTimeLimit } = command;
  const llm = { provider: llmProvider, url: llmUrl, model: llmModel, prompt: llmPrompt, time_limit: llmTimeLimit };
  const said = Object.fromEntries(Object.entries({ model, device, judge, profile }).filter(([, value]) => value !== undefined)) as Partial<Settings>;
  const saidLlm = Object.fromEntries(Object.entries(llm).filter(([, value]) => value !== undefined));
  return { settings: Settings.parse({ ...DEFAULTS, ...stored, ...said, llm: judge === 'rules' ? {} : { ...stored.llm, ...saidLlm } }), notices };
}

export function storeSettings(root: string, settings: Settings): void {
  const path = join(root, SETTINGS_FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(settings, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}

/** The stages that settings ask for. @throws HearbackError usage: a name that nothing has */
export function choiceOf(settings: Settings, threads: number | undefined): PipelineChoice {
  const one = <T extends string>(list: readonly T[], value: string, what: string): T => {
    const found = list.find((each) => each === value);
    if (found === undefined) throw new HearbackError('usage', `There is no ${what} ${value}.`, { hint: `There are ${list.join(', ')}.` });
    return found;
  };
  const { llm } = settings;
  const judge = one(JUDGES, settings.judge, 'judge');
  return {
    model: settings.model,
    device: one(DEVICES, settings.device, 'device'),
    judge,
    profile: settings.profile,
    threads,
    ...(judge === 'rules'
      ? {}
      : {
          llmProvider: llm.provider === undefined ? undefined : one(LLM_PROVIDERS, llm.provider, 'provider'),
          llmUrl: llm.url,
          llmModel: llm.model,
          llmPrompt: llm.prompt === undefined ? undefined : one(PROMPT_CONDITIONS, llm.prompt, 'prompt'),
          llmTimeLimit: llm.time_limit,
        }),
  };
}
