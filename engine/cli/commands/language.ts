/** `understand`, `judge` and `dialogue`: the parts that work on text and need no model. */
import { Option, type Command } from 'commander';
import { openJudge, openLanguageModel, type JudgeChoice, type LanguageModelChoice } from '../../assembly.js';
import { DialogueInputLine, JudgeInput, UnderstandInput, type DialogueOutput } from '../../domain/contract.js';
import type { Transmission } from '../../domain/exchange.js';
import { HearbackError } from '../../domain/result.js';
import type { DialogueInput, Judge } from '../../domain/stages.js';
import type { Profile } from '../../domain/taxonomy.js';
import type { Context, Understanding } from '../../domain/understanding.js';
import { PARSER_CONDITIONS, parseByModel } from '../../llm/index.js';
import { pairTransmissions } from '../../dialogue/index.js';
import { judgeExchange, Listener } from '../../pipeline.js';
import { understand } from '../../understanding/index.js';
import { opinionText, verdictText } from '../board.js';
import { addJudgeOptions, addLanguageModelOptions, contextOption, jsonOption, judgeChoice, profileOption } from '../options.js';
import { EXIT, note, paint, print, printJson, readContext, readJsonLines, type BadLine } from '../io.js';

/** Counts bad lines and tells each. */
function badLines(file: string): { tell: (bad: BadLine) => void; count: () => number } {
  let count = 0;
  return {
    tell: (bad) => {
      count++;
      note(`${paint('red', '✗')} ${file}: ${bad.error.sentence}`);
    },
    count: () => count,
  };
}

function finish(bad: number, done: number): void {
  if (bad > 0) {
    note(`${done} lines done, ${bad} could not be used.`);
    process.exitCode = EXIT.failure;
  }
}

const PARSERS = ['rules', 'llm'] as const;

/** Task 1 by a language model: what it answered, with its prompt and word for word. Exit code 1 where an answer cannot be read. */
async function labelByModel(text: readonly string[], options: LanguageModelChoice & { in?: string; context?: string }): Promise<void> {
  const condition = PARSER_CONDITIONS.find((each) => each === (options.llmPrompt ?? 'full'));
  if (condition === undefined) throw new HearbackError('usage', `There is no prompt ${String(options.llmPrompt)} for labelling.`, { hint: `Take one of ${PARSER_CONDITIONS.join(', ')}.` });
  if (options.context !== undefined) throw new HearbackError('usage', 'A language model is given no traffic list.', { hint: 'Leave --context out, or use --parser rules.' });
  if (options.in === undefined && text.length === 0) throw new HearbackError('usage', 'There is nothing to understand.', { hint: 'Give a transmission as text, or --in FILE.jsonl.' });
  const model = await openLanguageModel('The llm parser', options);
  for (const notice of model.notices) note(paint('grey', `i ${notice.text}`));
  const label = async (id: string, utterance: string): Promise<void> => {
    const { labelled, answers, ...more } = await parseByModel(model, utterance, { condition, ...(options.llmTimeLimit === undefined ? {} : { timeLimit: options.llmTimeLimit * 1000 }) });
    if (labelled === undefined) process.exitCode = EXIT.failure;
    printJson({ id, ...(labelled ?? { utterance, utterance_action: null, tokens: null }), parser: { provider: model.provider, model: model.model, destination: model.destination.address, ...more, milliseconds: Math.round(answers.reduce((sum, { milliseconds }) => sum + milliseconds, 0)) } });
  };
  try {
    if (options.in === undefined) {
      await label('1', text.join(' '));
      return;
    }
    const bad = badLines(options.in);
    let done = 0;
    for await (const { line, value } of readJsonLines(options.in, UnderstandInput, bad.tell)) {
      await label(value.id ?? String(line), value.text);
      done++;
    }
    finish(bad.count(), done);
  } finally {
    await model.close();
  }
}

/** Opens the chosen judge, says on stderr where text goes and what it had to do without, and closes it. */
async function withJudge<T>(options: JudgeChoice, work: (judge: Judge) => Promise<T>): Promise<T> {
  const judge = await openJudge(judgeChoice(options));
  const told = new Set<string>();
  const tell = (): void => {
    for (const { text, severity } of judge.notices ?? []) {
      if (!told.has(text)) note(severity === 'info' ? paint('grey', `i ${text}`) : `${paint('yellow', '!')} ${text}`);
      told.add(text);
    }
  };
  tell();
  try {
    return await work({
      name: judge.name,
      judge: async (pair) => {
        const finding = await judge.judge(pair);
        tell();
        if (finding.model_answers?.some((answer) => answer.outcome === 'failed') === true) process.exitCode = EXIT.failure;
        return finding;
      },
    });
  } finally {
    await judge.close?.();
  }
}

export function addLanguageCommands(program: Command): void {
  const understandCommand = program
    .command('understand')
    .description('Says what a transmission means: role, callsign, actions and labelled chunks (Task 1), canonical values.')
    .argument('[text...]', 'one transmission')
    .option('--in <file>', 'JSON lines {id, text, context?}; "-" for standard input. One JSON line out for each.');
  addLanguageModelOptions(understandCommand.addOption(new Option('--parser <name>', 'who labels: rules, or a language model (actions and chunks alone; docs/llm.md)').choices(PARSERS).default('rules')))
    .addOption(contextOption())
    .addOption(jsonOption('print JSON for a transmission given as text'))
    .action(async (text: string[], options: LanguageModelChoice & { parser: (typeof PARSERS)[number]; in?: string; context?: string; json?: true }) => {
      if (options.parser === 'llm') {
        await labelByModel(text, options);
        return;
      }
      const context = await readContext(options.context);
      if (options.in === undefined) {
        if (text.length === 0) throw new HearbackError('usage', 'There is nothing to understand.', { hint: 'Give a transmission as text, or --in FILE.jsonl.' });
        const result = understand({ id: '1', text: text.join(' '), ...(context === undefined ? {} : { context }) });
        if (options.json === true) printJson(result);
        else showUnderstanding(result);
        return;
      }
      const bad = badLines(options.in);
      let done = 0;
      for await (const { line, value } of readJsonLines(options.in, UnderstandInput, bad.tell)) {
        const lineContext: Context | undefined = value.context ?? context;
        printJson(
          understand({
            id: value.id ?? String(line),
            text: value.text,
            ...(value.words === undefined ? {} : { words: value.words }),
            ...(lineContext === undefined ? {} : { context: lineContext }),
          }),
        );
        done++;
      }
      finish(bad.count(), done);
    });

  const judgeCommand = program
    .command('judge')
    .description('Judges a readback against its instruction: error type, risk level, and the words that decide (Task 2).')
    .argument('[instruction]', 'what the controller said')
    .argument('[readback]', 'what the pilot read back')
    .option('--in <file>', 'JSON lines {id, instruction, readback}; "-" for standard input. One JSON line out for each.')
    .addOption(profileOption());
  addJudgeOptions(judgeCommand)
    .addOption(contextOption())
    .addOption(jsonOption('print JSON for a pair given as text'))
    .action(async (instruction: string | undefined, readback: string | undefined, options: JudgeChoice & { in?: string; profile: Profile; context?: string; json?: true }) => {
      const context = await readContext(options.context);
      await withJudge(options, async (judge) => {
        const judgePair = async (pair: { id: string; instruction: string; readback: string; context?: Context | undefined }) => {
          const known = pair.context === undefined ? {} : { context: pair.context };
          const said = understand({ id: `${pair.id}/instruction`, text: pair.instruction, ...known });
          const heard = said.callsign === null ? [] : [said.callsign];
          const answer = understand({ id: `${pair.id}/readback`, text: pair.readback, heard, ...known });
          return judge.judge({ instruction: said, readback: answer, profile: options.profile, ...known });
        };
        if (options.in === undefined) {
          if (instruction === undefined || readback === undefined) throw new HearbackError('usage', 'An instruction and a readback are needed.', { hint: 'Put each in quotes, or give --in FILE.jsonl.' });
          const finding = await judgePair({ id: '1', instruction, readback, context });
          if (options.json === true) {
            printJson({ id: '1', ...finding });
            return;
          }
          print(`${verdictText(finding)}${finding.affected_slot === null ? '' : `  ${finding.affected_slot}`}`);
          print(finding.explanation);
          for (const doubt of finding.doubts) print(`doubt: ${doubt}`);
          for (const advisory of finding.advisories) print(`note: ${advisory.text}`);
          for (const opinion of finding.opinions ?? []) print(`${opinion.judge}: ${opinionText(opinion)}`);
          return;
        }
        const bad = badLines(options.in);
        let done = 0;
        for await (const { line, value } of readJsonLines(options.in, JudgeInput, bad.tell)) {
          const id = value.id ?? String(line);
          printJson({ id, ...(await judgePair({ id, instruction: value.instruction, readback: value.readback, context: value.context ?? context })) });
          done++;
        }
        finish(bad.count(), done);
      });
    });

  const dialogueCommand = program
    .command('dialogue')
    .description('Pairs the transmissions of one recording into exchanges and judges each.')
    .requiredOption('--in <file>', 'JSON lines {id, start, end, speaker?, text}; "-" for standard input. One JSON line out for each exchange.')
    .addOption(profileOption());
  addJudgeOptions(dialogueCommand)
    .addOption(contextOption())
    .addOption(jsonOption('accepted for symmetry: the output is always JSON lines'))
    .action(async (options: JudgeChoice & { in: string; profile: Profile; context?: string }) => {
      const context = await readContext(options.context);
      const bad = badLines(options.in);
      const transmissions: Transmission[] = [];
      const ids = new Set<string>();
      for await (const { line, value } of readJsonLines(options.in, DialogueInputLine, bad.tell)) {
        if (ids.has(value.id)) {
          bad.tell({ line, error: new HearbackError('invalid-input', `line ${line} repeats the id "${value.id}".`, { hint: 'Every transmission needs an id of its own.' }) });
          continue;
        }
        ids.add(value.id);
        transmissions.push(value);
      }
      const outputs = await withJudge(options, (judge) => judgeDialogue(transmissions, judge, options.profile, context));
      for (const output of outputs) printJson(output);
      finish(bad.count(), transmissions.length);
    });
}

/** One recording's transmissions (any order) → exchanges with findings, in order of the instruction. */
export async function judgeDialogue(transmissions: readonly Transmission[], judge: Judge, profile: Profile, context?: Context): Promise<DialogueOutput[]> {
  const listener = new Listener(understand, context);
  // corpora list transmissions out of time order, and shortened callsigns need what was said before; without times the given order is all there is
  const ordered = transmissions.every((t) => t.start !== undefined) ? [...transmissions].sort((a, b) => (a.start ?? 0) - (b.start ?? 0)) : transmissions;
  const inputs: DialogueInput[] = ordered.map((t) => ({
    id: t.id,
    guards: t.guards ?? [],
    understanding: listener.hear({
      id: t.id,
      text: t.text,
      ...(t.words === undefined ? {} : { words: t.words }),
      ...(t.guards === undefined ? {} : { guards: t.guards }),
      ...(t.context === undefined ? {} : { context: t.context }),
    }),
    ...(t.channel === undefined ? {} : { channel: t.channel }),
    ...(t.start === undefined ? {} : { start: t.start }),
    ...(t.end === undefined ? {} : { end: t.end }),
    ...(t.speaker === undefined ? {} : { speaker: t.speaker }),
  }));
  const outputs: DialogueOutput[] = [];
  for (const { exchange, pair } of pairTransmissions(inputs, { understand })) {
    const finding = pair === undefined ? undefined : await judgeExchange(pair, judge, profile, context, understand);
    outputs.push({
      instruction: exchange.instruction,
      readback: exchange.readbacks[0] ?? null,
      readbacks: exchange.readbacks,
      status: exchange.status,
      exchange: exchange.id,
      callsign: exchange.callsign,
      pairing_confidence: exchange.pairing_confidence,
      ...(exchange.note === undefined ? {} : { note: exchange.note }),
      ...finding,
    });
  }
  return outputs;
}

function showUnderstanding(result: Understanding): void {
  const percent = (value: number): string => `${Math.round(value * 100)} %`;
  print(`role      ${result.role} (${percent(result.role_confidence)}), ${result.intent}`);
  print(`callsign  ${result.callsign ?? 'none heard'}`);
  print(`actions   ${result.utterance_action.join(', ') || 'none'}`);
  print(`chunks    ${result.tokens.map((chunk) => `${chunk.text} ${paint('grey', `[${chunk.label}]`)}`).join('  ')}`);
  for (const [slot, values] of Object.entries(result.values)) print(`value     ${slot}: ${values.join(', ')}`);
  for (const condition of result.conditions) print(`condition ${condition.text} ${paint('grey', `(${condition.key})`)}`);
}
