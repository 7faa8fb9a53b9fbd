/**
 * Who answers the items: a parser for Task 1 and ground, a judge for Task 2.
 */
import { openJudge, openLanguageModel, type JudgeName } from '../../assembly.js';
import type { Finding } from '../../domain/finding.js';
import type { LanguageModel } from '../../domain/language-model.js';
import type { Judge, Notice } from '../../domain/stages.js';
import type { ErrorType, RiskLevel } from '../../domain/taxonomy.js';
import type { Guard, Word } from '../../domain/understanding.js';
import { PARSER_CONDITIONS, parseByModel } from '../../llm/index.js';
import { readGround, understand } from '../../understanding/index.js';
import { judgesEmbedded, type SystemChoice } from './config.js';
import type { GroundGold, Task1Gold, Task2Gold } from './items.js';

/** Words of one transmission, as they are read or were heard. */
export interface Words {
  readonly text: string;
  readonly words?: readonly Word[];
  readonly guards?: readonly Guard[];
}

/** What comes of one item: an answer; or what came instead of one (`answer` is then no answer of the task); or why there is none. */
export type Outcome = { readonly answer: unknown; readonly error?: never } | { readonly error: string; readonly answer?: never };

const HESITATIONS = new Set(['uh', 'um', 'er', 'ehm', 'ah']);
const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/u).filter((word) => !HESITATIONS.has(word));

/** Words of one text that the other lacks, each counted. */
function lacking(from: readonly string[], within: readonly string[]): string[] {
  const left = [...within];
  return from.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

interface Judgement {
  readonly is_correct: boolean;
  readonly error_type: ErrorType;
  readonly risk_level: RiskLevel;
  readonly affected_slot: string | null;
  readonly explanation: string;
}

/**
 * What can be had without understanding: hesitations aside, a readback with the instruction's words in any order is right; else the difference
 * says what is wrong — a word too many is a value, the first word that is missing tells which kind. The bar that a judge has to be above.
 */
export function judgeByDifference(instruction: string, readback: string): Judgement {
  const [said, back] = [wordsOf(instruction), wordsOf(readback)];
  const missing = lacking(said, back);
  const added = lacking(back, said);
  const fillers = readback.toLowerCase().split(/\s+/u).some((word) => HESITATIONS.has(word));
  if (missing.length === 0 && added.length === 0) return { is_correct: true, error_type: fillers ? 'FILLER_CORRECT' : 'CORRECT', risk_level: 'CORRECT', affected_slot: null, explanation: 'The same words.' };
  const explanation = `Missing: ${missing.join(' ') || 'nothing'}; added: ${added.join(' ') || 'nothing'}.`;
  if (added.length > 0) return { is_correct: false, error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: null, explanation };
  if (missing.some((word) => ['after', 'when', 'until', 'before', 'not', 'behind'].includes(word))) return { is_correct: false, error_type: 'CONSTRAINT_HIGH', risk_level: 'HIGH', affected_slot: 'condition', explanation };
  if (missing.some((word) => ['knots', 'speed', 'decimal', 'point'].includes(word))) return { is_correct: false, error_type: 'OMISSION_HIGH', risk_level: 'HIGH', affected_slot: null, explanation };
  return { is_correct: false, error_type: 'OMISSION_CRITICAL', risk_level: 'CRITICAL', affected_slot: null, explanation };
}

interface Labelling {
  readonly utterance: string;
  readonly utterance_action: readonly string[];
  readonly tokens: readonly { readonly text: string; readonly label: string }[];
}

/** Task 1 in the output contract K.1, by the rules. */
function labelByRules(id: string, { text, words, guards }: Words): Labelling {
  const { utterance_action, tokens } = understand({ id, text, ...(words === undefined ? {} : { words }), ...(guards === undefined ? {} : { guards }) });
  return { utterance: text, utterance_action, tokens };
}

const labelled = ({ tokens }: Labelling): string[] => tokens.filter(({ label }) => label !== 'O').map(({ text, label }) => `${label}: ${text}`);

/**
 * One labelling of two, which rules and model made by themselves: the rules' own, but where they find nothing that is commanded and the model does.
 * `opinions` says who found what alone.
 */
export function combineLabellings(rules: Labelling, model: Labelling): Labelling & { readonly policy: string; readonly opinions: readonly { readonly parser: string; readonly alone: readonly string[] }[] } {
  const [one, other] = [labelled(rules), labelled(model)];
  const alone = (own: readonly string[], others: readonly string[]): string[] => own.filter((chunk) => !others.includes(chunk));
  return { ...(rules.utterance_action.length === 0 && model.utterance_action.length > 0 ? model : rules), policy: 'rules-first@1', opinions: [{ parser: 'rules', alone: alone(one, other) }, { parser: 'llm', alone: alone(other, one) }] };
}

/** Task 1 by a language model, or by both, with every raw answer. What cannot be read is no answer of `llm`; of `consensus` the rules' stands, marked. */
async function labelByModel(model: LanguageModel, id: string, words: Words, { parser, prompt, time_limit }: SystemChoice): Promise<Outcome> {
  const condition = PARSER_CONDITIONS.find((each) => each === (prompt ?? 'full')) ?? 'full';
  const parsed = await parseByModel(model, words.text, { condition, ...(time_limit === undefined ? {} : { timeLimit: time_limit * 1000 }) });
  const { raw, answers } = parsed;
  const last = answers.at(-1);
  const model_answers = [{ provider: model.provider, model: model.model, destination: model.destination.address, prompt: parsed.prompt, prompt_sha256: parsed.prompt_sha256, raw, ...(last === undefined ? {} : { constraint: last.constraint, tokens: last.tokens }), milliseconds: Math.round(answers.reduce((sum, { milliseconds }) => sum + milliseconds, 0)) }];
  if (parsed.labelled === undefined) return parser === 'llm' ? { answer: { unreadable: parsed.why ?? 'no answer that can be read', model_answers } } : { answer: { ...labelByRules(id, words), doubts: [`unreadable: ${parsed.why ?? 'no answer'}`], model_answers } };
  return { answer: { ...(parser === 'llm' ? parsed.labelled : combineLabellings(labelByRules(id, words), parsed.labelled)), model_answers } };
}

/** Intents of the product as the four classes of arXiv 2605.11769: a request, a report and what else is neither are "inform". */
const INTENTIONS: Readonly<Record<string, string>> = { instruction: 'instruction', correction: 'instruction', readback: 'readback', acknowledge: 'readback', greet: 'greet' };

/** The answer to a ground item. */
function answerGround({ id }: Pick<GroundGold, 'id'>, { text, words, guards }: Words): Outcome {
  const understanding = understand({ id, text, ...(words === undefined ? {} : { words }), ...(guards === undefined ? {} : { guards }) });
  const { action, slots } = readGround(understanding);
  return { answer: { speaker: understanding.role, intention: INTENTIONS[understanding.intent] ?? 'inform', action, entities: slots.map(({ type, text: words_ }) => ({ type, text: words_ })) } };
}

/** A finding as an answer in the output contract K.2, with what the judges said; of a judge that is silent, what there was instead. */
function outcomeOf(finding: Finding, judge: string): Outcome {
  const { is_correct, error_type, risk_level, affected_slot, explanation, verdict, confidence, doubts, model_answers, opinions, policy } = finding;
  const more = { ...(doubts.length === 0 ? {} : { doubts }), ...(opinions === undefined ? {} : { opinions }), ...(policy === undefined ? {} : { policy }), ...(model_answers === undefined ? {} : { model_answers }) };
  const silent = model_answers?.find(({ outcome }) => outcome === 'late' || outcome === 'failed');
  // the rules alone are not what was asked for: with a server that is down, a run of "consensus" would be one of "rules"
  if (silent !== undefined) return { error: doubts.find((doubt) => /^(?:late|failed):/u.test(doubt)) ?? `The language model was ${silent.outcome}.` };
  // a half without words is not asked about: the judge says "uncertain, as grave as can be", and that is its answer
  if (judge === 'llm' && model_answers?.some(({ outcome }) => outcome === 'unreadable') === true) return { answer: { unreadable: doubts[0] ?? 'no answer that can be read', ...more } };
  return { answer: { is_correct, error_type, risk_level, affected_slot, explanation, verdict, confidence, ...more } };
}

/** A parser and a judge, open. */
export interface System {
  readonly name: string;
  readonly notices: readonly Notice[];
  /** Opens the model that a task needs, if one. @throws HearbackError as openJudge */
  prepare(task: 'task1' | 'task2' | 'ground'): Promise<void>;
  task1(gold: Pick<Task1Gold, 'id'>, utterance: Words): Promise<Outcome>;
  ground(gold: Pick<GroundGold, 'id'>, utterance: Words): Outcome;
  /** Under the published taxonomy (profile `paper`). */
  task2(gold: Pick<Task2Gold, 'id'>, instruction: Words, readback: Words): Promise<Outcome>;
  close(): Promise<void>;
}

/** A model is opened by `prepare`, or when it is first asked. */
export function openSystem(choice: SystemChoice & { readonly name: string }): System {
  const { name, judge: kind, parser, provider: llmProvider, url: llmUrl, model: llmModel, prompt: llmPrompt, time_limit: llmTimeLimit } = choice;
  const named = { llmProvider, llmUrl, llmModel, llmPrompt, llmTimeLimit };
  let judge: Judge | undefined;
  let model: LanguageModel | undefined;
  const openedJudge = async (which: JudgeName): Promise<Judge> => (judge ??= await openJudge({ judge: which, ...(which === 'rules' || judgesEmbedded(choice) ? {} : named) }));
  const openedModel = async (): Promise<LanguageModel> => (model ??= await openLanguageModel(`The ${parser} parser`, named));
  return {
    name,
    get notices() {
      return [...(judge?.notices ?? []), ...(model?.notices ?? [])];
    },
    prepare: async (task) => {
      if (task === 'task1' && parser !== 'rules') await openedModel();
      if (task === 'task2' && kind !== 'string-difference') await openedJudge(kind);
    },
    task1: async ({ id }, utterance) => (parser === 'rules' ? { answer: labelByRules(id, utterance) } : labelByModel(await openedModel(), id, utterance, choice)),
    ground: answerGround,
    task2: async ({ id }, instruction, readback) => {
      if (kind === 'string-difference') return { answer: judgeByDifference(instruction.text, readback.text) };
      const asked = await openedJudge(kind);
      const said = understand({ id: `${id}/instruction`, ...instruction });
      const back = understand({ id: `${id}/readback`, ...readback, heard: said.callsign === null ? [] : [said.callsign] });
      return outcomeOf(await asked.judge({ instruction: said, readback: back, profile: 'paper', guards: { instruction: instruction.guards ?? [], readback: readback.guards ?? [] } }), kind);
    },
    close: async () => {
      await judge?.close?.();
      await model?.close();
    },
  };
}
