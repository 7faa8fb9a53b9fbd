/**
 * What judges are worth: scores of Task 2 with intervals, by type, time and memory, and what a user would see.
 */
import { ERROR_TYPES } from '../../domain/taxonomy.js';
import { judgeByDifference } from '../run/judges.js';
import type { Estimate } from '../scores/interval.js';
import { scoreTask2, TASK2_SCORES, type JudgedItem, type Task2Figures } from '../scores/task2.js';
import { comparePolicies, verdictFigures, type PolicyFigures, type VerdictFigures } from './policies.js';
import type { JudgedLine, JudgedPair } from './run.js';

export interface SystemFigures {
  readonly system: string;
  /** Name of the model, where there is one. */
  readonly model: string | null;
  readonly prompt: string | null;
  readonly scores: Task2Figures;
  readonly verdicts: VerdictFigures;
  /** Answered pairs of those asked for. */
  readonly of: number;
  readonly asked: number;
  readonly median: number | null;
  readonly p95: number | null;
  /** Peak memory of the process, bytes; null where nothing was measured. */
  readonly rss: number | null;
}

const SILENT = new Set(['unreadable', 'late', 'failed', 'not-asked']);

/** Null: no answer that can be read. What a finding then says is the judge's caution and no answer of the model. */
function answerOf({ finding }: JudgedLine): JudgedItem['answer'] {
  if (finding === undefined) return null;
  const silent = finding.opinions === undefined && (finding.model_answers ?? []).some(({ outcome }) => SILENT.has(outcome));
  return silent ? null : { is_correct: finding.is_correct, error_type: finding.error_type, risk_level: finding.risk_level };
}

const quantile = (values: readonly number[], part: number): number | null => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? null;

export function figuresOf(system: string, pairs: readonly JudgedPair[], lines: readonly JudgedLine[], rss: number | null): SystemFigures {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const answered = pairs.flatMap((pair) => {
    const line = byId.get(pair.id);
    return line === undefined ? [] : [{ pair, line }];
  });
  const gold = ({ risk_level, error_type }: JudgedPair): JudgedItem['gold'] => ({ is_correct: risk_level === 'CORRECT', error_type, risk_level });
  const asked = answered.flatMap(({ line }) => line.finding?.model_answers ?? []);
  const times = answered.map(({ line }) => line.ms);
  return {
    system,
    model: asked[0]?.model ?? null,
    prompt: asked[0] === undefined ? null : `${asked[0].prompt} ${asked[0].prompt_sha256.slice(0, 12)}`,
    scores: scoreTask2(answered.map(({ pair, line }) => ({ gold: gold(pair), answer: answerOf(line) }))),
    verdicts: verdictFigures(answered.flatMap(({ pair, line }) => (line.finding === undefined ? [] : [{ pair, finding: line.finding }]))),
    of: answered.length,
    asked: pairs.length,
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    rss,
  };
}

/** The bar: comparing words (engine/bench/run). */
export function wordComparison(pairs: readonly JudgedPair[]): SystemFigures {
  const items = pairs.map(({ instruction, readback, error_type, risk_level }): JudgedItem => ({ gold: { is_correct: risk_level === 'CORRECT', error_type, risk_level }, answer: judgeByDifference(instruction, readback) }));
  return { system: 'comparing words', model: null, prompt: null, scores: scoreTask2(items), verdicts: { right: 0, wrong: 0, falseAlarms: 0, rightUncertain: 0, misses: 0, wrongUncertain: 0 }, of: items.length, asked: pairs.length, median: null, p95: null, rss: null };
}

/** Policies over the findings of two systems, on the pairs that both answered. */
export function policiesOf(pairs: readonly JudgedPair[], first: readonly JudgedLine[], second: readonly JudgedLine[]): PolicyFigures[] {
  const [a, b] = [first, second].map((lines) => new Map(lines.map(({ id, finding }) => [id, finding])));
  return comparePolicies(
    pairs.flatMap((pair) => {
      const [one, other] = [a?.get(pair.id), b?.get(pair.id)];
      return one === undefined || other === undefined ? [] : [{ pair, first: one, second: other }];
    }),
  );
}

export interface JudgeSet {
  readonly name: string;
  readonly about: string;
  readonly systems: readonly SystemFigures[];
  readonly policies: readonly PolicyFigures[];
}

const number = (value: number, digits = 3): string => value.toFixed(digits).replace(/^0(?=\.)/u, '');
const estimate = ({ value, low, high }: Estimate): string => (value === null ? '–' : `${number(value)} (${number(low ?? value)}–${number(high ?? value)})`);
const share = (count: number, of: number): string => (of === 0 ? '–' : `${number(count / of)} (${String(count)}/${String(of)})`);

const HEADS = { is_correct: 'isCorr', et_f1: 'ET F1', rl_acc: 'RL Acc', ddr: 'DDR', wds: 'WDS', upgrade_rate: 'upgrade rate', false_alarms: 'right, called wrong', missed: 'wrong, called right' } as const;

function setReport({ name, about, systems, policies }: JudgeSet): string[] {
  const seen = systems.filter(({ verdicts }) => verdicts.right + verdicts.wrong > 0);
  const told = ({ right, wrong, falseAlarms, rightUncertain, misses, wrongUncertain }: VerdictFigures): string => `${share(falseAlarms, right)} | ${share(rightUncertain, right)} | ${share(misses, wrong)} | ${share(wrongUncertain, wrong)}`;
  return [
    `## ${name}`,
    '',
    about,
    '',
    `| judge | pairs | ${TASK2_SCORES.map((score) => HEADS[score]).join(' | ')} | unreadable | median ms | p95 ms | peak MB |`,
    `|---|---|${TASK2_SCORES.map(() => '---|').join('')}---|---|---|---|`,
    ...systems.map((s) => `| ${s.system} | ${s.of === s.asked ? String(s.of) : `${String(s.of)} of ${String(s.asked)}`} | ${TASK2_SCORES.map((score) => estimate(s.scores.scores[score])).join(' | ')} | ${share(s.scores.unreadable, s.of)} | ${s.median === null ? '–' : number(s.median, s.median < 10 ? 1 : 0)} | ${s.p95 === null ? '–' : number(s.p95, s.p95 < 10 ? 1 : 0)} | ${s.rss === null ? '–' : String(Math.round(s.rss / 1e6))} |`),
    '',
    'F1 by type:',
    '',
    `| judge | ${ERROR_TYPES.join(' | ')} |`,
    `|---|${ERROR_TYPES.map(() => '---|').join('')}`,
    ...systems.map((s) => `| ${s.system} | ${ERROR_TYPES.map((type) => number(s.scores.byType[type].f1)).join(' | ')} |`),
    '',
    'What a user is told (the scores above take the fields of a finding, also where its verdict is "uncertain"):',
    '',
    '| judge | false alarms: right, told as error | right, told as uncertain | misses: wrong, told as correct | wrong, told as uncertain |',
    '|---|---|---|---|---|',
    ...seen.map(({ system, verdicts }) => `| ${system} | ${told(verdicts)} |`),
    '',
    ...(policies.length === 0 || policies.every(({ right, wrong }) => right + wrong === 0) ? [] : [
      'Policies of the consensus, over the answers of rules and embedded judge (docs/llm.md):',
      '',
      '| policy | isCorr | ET F1 | RL Acc | DDR | false alarms: right, told as error | right, told as uncertain | misses: wrong, told as correct | wrong, told as uncertain |',
      '|---|---|---|---|---|---|---|---|---|',
      ...policies.map((p) => `| ${p.policy} | ${(['is_correct', 'et_f1', 'rl_acc', 'ddr'] as const).map((key) => number(p.scores[key])).join(' | ')} | ${told(p)} |`),
      '',
    ]),
  ];
}

/** docs/results/judge.md. `command`: what makes it; `setting`: machine and date. */
export function judgesReport(sets: readonly JudgeSet[], command: string, setting: string): string {
  // the first set's wording of a system stands
  const models = new Map([...sets].reverse().flatMap(({ systems }) => systems.flatMap(({ system, model, prompt }): [string, string][] => (model === null ? [] : [[system, `${model}, ${prompt ?? ''}`]]))));
  return [
    '# Judges',
    '',
    `Made by \`${command}\` ${setting}. Shares stand with their counts; intervals are at 95 % (1,000 resamples of pairs; Wilson near 0 and 1, 3/n for none in n). An unreadable answer scores`,
    '0 and counts as CORRECT for DDR and WDS. Times are those of one judgement with both halves read; on a machine that does other work they are too long.',
    '',
    ...(models.size === 0 ? [] : ['| judge | model and prompt (SHA-256) |', '|---|---|', ...[...models].map(([system, model]) => `| ${system} | ${model} |`), '']),
    ...sets.flatMap(setReport),
  ].join('\n');
}
