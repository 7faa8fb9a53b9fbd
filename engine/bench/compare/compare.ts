/**
 * Two conditions of one run or of two, item by item.
 */
import { existsSync } from 'node:fs';
import { HearbackError } from '../../domain/result.js';
import { wordErrors } from '../asr/wer.js';
import { normalise } from '../asr/normalise.js';
import { ANSWERS, GroundGold, PARTS, Task1Gold, Task2Gold, TASKS, type AnswerLine, type Gold, type Task } from '../run/items.js';
import { readManifest, type RunManifest } from '../run/manifest.js';
import { writtenPart } from '../run/inputs.js';
import { answerFile, cellsOf, conditionName, itemsOf, type Cell } from '../run/run.js';
import { answersOf, heardOf, inForm, pairs } from '../run/answers.js';
import { NORMALISERS, type Scoring } from '../run/score.js';
import { GROUND_FIGURES, GROUND_HITS, GROUND_SCORES, type GroundItem } from '../scores/ground.js';
import { figure, scoreTitle, TASK_TITLES } from '../report/names.js';
import { mean, type OfRecording } from '../scores/interval.js';
import { holm, pairedBootstrap, pairedShare, type Difference } from '../scores/paired.js';
import { scoreUtterance, TASK1_SCORES, type Task1Score } from '../scores/task1.js';
import { TASK2_HITS, TASK2_SCORES, TASK2_WHOLE, type JudgedItem } from '../scores/task2.js';

/** A run, or one condition of it. */
export interface Side {
  readonly folder: string;
  /** "text/rules". */
  readonly condition: string | undefined;
}

/** "RUN" or "RUN#CONDITION". */
export function readSide(text: string): Side {
  const at = text.lastIndexOf('#');
  return at < 0 ? { folder: text, condition: undefined } : { folder: text.slice(0, at), condition: text.slice(at + 1) };
}

export interface Comparison {
  readonly task: Task;
  readonly first: string;
  readonly second: string;
  /** Items that both have an answer to, or could have. */
  readonly items: number;
  /** What is to be known of how far the two are comparable; empty where they are of the same items. */
  readonly remarks: readonly string[];
  readonly differences: readonly ({ readonly score: string; readonly holm: number | null } & Difference)[];
}

/** @throws HearbackError usage: there is nothing that both have */
export async function compareRuns(first: Side, second: Side, scoring: Scoring = {}): Promise<Comparison[]> {
  const sides = [first, second].map((side) => ({ ...side, manifest: readManifest(side.folder) })) as [Opened, Opened];
  const pairsOfCells = match(sides);
  const out: Comparison[] = [];
  for (const task of TASKS) {
    for (const cells of pairsOfCells.filter(([cell]) => cell.task === task)) {
      const compared = await compareCells(sides, cells, scoring);
      if (compared !== undefined) out.push(compared);
    }
  }
  if (out.length === 0) throw new HearbackError('usage', 'The two have no answers to the same items.', { hint: 'Name conditions with RUN#INPUT/SYSTEM; `hearback bench list RUN` shows them.' });
  return out;
}

interface Opened extends Side {
  readonly manifest: RunManifest;
}

/** Conditions of the same name, unless one is named on each side. */
function match([first, second]: readonly [Opened, Opened]): [Cell, Cell][] {
  const cells = [first, second].map(({ manifest, condition, folder }) => {
    const all = cellsOf(manifest.config);
    const own = condition === undefined ? all : all.filter((cell) => conditionName(cell) === condition);
    if (own.length === 0) throw new HearbackError('usage', `${folder} has no condition "${condition ?? ''}".`, { hint: `It has ${[...new Set(all.map(conditionName))].join(', ')}.` });
    return own;
  }) as [Cell[], Cell[]];
  const named = first.condition !== undefined || second.condition !== undefined;
  const single = cells.map((own) => new Set(own.map(conditionName)).size === 1);
  return cells[0].flatMap((cell): [Cell, Cell][] => {
    const other = cells[1].find((each) => each.task === cell.task && ((named && single[0] === true && single[1] === true) || conditionName(each) === conditionName(cell) || (single[0] === true && single[1] === true)));
    return other === undefined ? [] : [[cell, other]];
  });
}

const compareText = (gold: Gold): string => JSON.stringify({ ...gold, audio: undefined, hypotheses: undefined });

async function compareCells(sides: readonly [Opened, Opened], cells: readonly [Cell, Cell], scoring: Scoring): Promise<Comparison | undefined> {
  const { task } = cells[0];
  const read = async ({ folder, manifest }: Opened, cell: Cell): Promise<{ gold: Map<string, Gold>; answers: Map<string, AnswerLine>; heard: Map<string, boolean> } | undefined> => {
    if (!existsSync(answerFile(folder, cell))) return undefined;
    const gold = new Map<string, Gold>();
    for await (const item of itemsOf(folder, task, manifest.config.limit, manifest.config.shard)) gold.set(item.id, item);
    const lines = cell.input === 'text' ? undefined : await heardOf(folder, cell.input, task);
    const heard = new Map([...gold.keys()].map((id) => [id, lines === undefined || PARTS[task].every((part) => lines.has(`${part} ${id}`))]));
    return { gold, answers: new Map((await answersOf(answerFile(folder, cell))).map((line) => [line.id, line])), heard };
  };
  const [a, b] = [await read(sides[0], cells[0]), await read(sides[1], cells[1])];
  if (a === undefined || b === undefined) return undefined;

  const remarks: string[] = [];
  const shared = [...a.gold.keys()].filter((id) => b.gold.has(id));
  const changed = shared.filter((id) => compareText(a.gold.get(id) as Gold) !== compareText(b.gold.get(id) as Gold));
  const outside = a.gold.size + b.gold.size - 2 * shared.length;
  if (outside > 0) remarks.push(`The two are not on the same items: ${String(a.gold.size - shared.length)} are in the first alone, ${String(b.gold.size - shared.length)} in the second alone. Only what both have is compared.`);
  if (changed.length > 0) remarks.push(`${String(changed.length)} items have the same id in both and are not the same (${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ' …' : ''}): left out.`);
  const other = new Set(changed);
  const usable = shared.filter((id) => !other.has(id));
  const both = usable.filter((id) => a.heard.get(id) === true && b.heard.get(id) === true);
  if (both.length < usable.length) remarks.push(`${String(usable.length - both.length)} items have no speech in one of the two: left out.`);
  const late = both.filter((id) => !a.answers.has(id) || !b.answers.has(id)).length;
  if (late > 0) remarks.push(`${String(late)} items have no answer yet in one of the two: they count as without an answer.`);
  for (const key of ['hearback', 'code'] as const) if (sides[0].manifest.config[key] !== sides[1].manifest.config[key]) remarks.push(`"${key}" differs: the two were made with different versions of the program.`);
  if (both.length === 0) return undefined;

  const gold = both.map((id) => a.gold.get(id) as Gold);
  const differences = differencesOf(task, gold, a.answers, b.answers, scoring);
  if (cells[0].input !== 'text' && cells[1].input !== 'text') differences.push(['wer', await werDifference(sides, cells, gold, scoring)]);
  const corrected = holm(differences.map(([, { p }]) => p));
  const name = (i: 0 | 1): string => `${sides[i].folder}#${conditionName(cells[i])}`;
  return { task, first: name(0), second: name(1), items: both.length, remarks, differences: differences.map(([score, difference], i) => ({ score, holm: corrected[i] ?? null, ...difference })) };
}

interface Paired<G, A> {
  readonly gold: G & OfRecording;
  readonly first: A | null;
  readonly second: A | null;
}
const recording = ({ gold }: { readonly gold: OfRecording }): string | undefined => gold.recording;

function differencesOf(task: Task, gold: readonly Gold[], first: ReadonlyMap<string, AnswerLine>, second: ReadonlyMap<string, AnswerLine>, scoring: Scoring): [string, Difference][] {
  const form = NORMALISERS[scoring.normaliser ?? 'written'];
  const join = <G extends OfRecording, A>(a: readonly { gold: G; answer: A | null }[], b: readonly { gold: G; answer: A | null }[]): Paired<G, A>[] => a.map(({ gold: item, answer }, i) => ({ gold: item, first: answer, second: b[i]?.answer ?? null }));
  switch (task) {
    case 'task1': {
      const rows = join(pairs(gold, first, Task1Gold, ANSWERS.task1), pairs(gold, second, Task1Gold, ANSWERS.task1)).map((row) => ({ gold: row.gold, first: scoreUtterance(row.gold, row.first, form), second: scoreUtterance(row.gold, row.second, form) }));
      const share: readonly Task1Score[] = ['act_ex', 'strict'];
      return TASK1_SCORES.map((score): [string, Difference] => [
        score,
        share.includes(score)
          ? pairedShare(rows, (row) => [row.first[score] === 1, row.second[score] === 1], scoring, recording)
          : pairedBootstrap(rows, (sample) => [mean(sample.map((row) => row.first[score])), mean(sample.map((row) => row.second[score]))], scoring, recording),
      ]);
    }
    case 'task2': {
      const rows = join(pairs(gold, first, Task2Gold, ANSWERS.task2), pairs(gold, second, Task2Gold, ANSWERS.task2));
      const of = (row: (typeof rows)[number], which: 'first' | 'second'): JudgedItem => ({ gold: row.gold, answer: row[which] });
      return TASK2_SCORES.map((score): [string, Difference] => {
        if (score === 'et_f1' || score === 'wds') return [score, pairedBootstrap(rows, (sample) => [TASK2_WHOLE[score](sample.map((row) => of(row, 'first'))), TASK2_WHOLE[score](sample.map((row) => of(row, 'second')))], scoring, recording)];
        const { is, among = () => true } = TASK2_HITS[score];
        return [score, pairedShare(rows.filter((row) => among(of(row, 'first'))), (row) => [is(of(row, 'first')), is(of(row, 'second'))], scoring, recording)];
      });
    }
    case 'ground': {
      const rows = join(inForm(pairs(gold, first, GroundGold, ANSWERS.ground), form), inForm(pairs(gold, second, GroundGold, ANSWERS.ground), form));
      const of = (row: (typeof rows)[number], which: 'first' | 'second'): GroundItem => ({ gold: row.gold, answer: row[which] });
      return GROUND_SCORES.map((score): [string, Difference] =>
        score === 'risk_strict'
          ? [score, pairedShare(rows, (row) => [GROUND_HITS[score](of(row, 'first')), GROUND_HITS[score](of(row, 'second'))], scoring, recording)]
          : [score, pairedBootstrap(rows, (sample) => [GROUND_FIGURES[score](sample.map((row) => of(row, 'first'))), GROUND_FIGURES[score](sample.map((row) => of(row, 'second')))], scoring, recording)],
      );
    }
    case 'speech':
      return [];
  }
}

/** Word error rate of what both heard of the same items, normalised. */
async function werDifference(sides: readonly [Opened, Opened], cells: readonly [Cell, Cell], gold: readonly Gold[], scoring: Scoring): Promise<Difference> {
  const { task } = cells[0];
  const heard = [await heardOf(sides[0].folder, cells[0].input, task), await heardOf(sides[1].folder, cells[1].input, task)] as const;
  const errors = (key: string, which: 0 | 1, text: string): { errors: number; of: number } => {
    const line = heard[which].get(key);
    const { words, substitutions, deletions, insertions } = wordErrors(normalise(line?.reference ?? text), normalise(line?.text ?? ''));
    return { errors: substitutions + deletions + insertions, of: words };
  };
  const rows = gold.flatMap((item) => PARTS[task].map((part) => {
    const key = `${part} ${item.id}`;
    const text = writtenPart(task, item, part) ?? '';
    return { gold: item, counts: [errors(key, 0, text), errors(key, 1, text)] as const };
  }));
  const rate = (sample: typeof rows, which: 0 | 1): number => sample.reduce((sum, row) => sum + row.counts[which].errors, 0) / sample.reduce((sum, row) => sum + row.counts[which].of, 0);
  return pairedBootstrap(rows, (sample) => [rate(sample as typeof rows, 0), rate(sample as typeof rows, 1)], scoring, recording);
}

/** A comparison as text for a terminal. */
export function comparisonText({ task, first, second, items, remarks, differences }: Comparison): string {
  const head = ['score', 'first', 'second', 'difference', '95 % interval', 'p', 'p (Holm)', 'test'];
  const rows = differences.map(({ score, first: a, second: b, difference, low, high, p, holm: corrected, test, only, of }) => [scoreTitle(score), figure(a), figure(b), figure(difference), low === null || high === null ? '–' : `${figure(low)} to ${figure(high)}`, chance(p), chance(corrected), `${test === 'mcnemar' ? 'McNemar' : 'bootstrap'}${only === undefined ? '' : ` (${String(only.first)} : ${String(only.second)} of ${String(of)})`}`]);
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ').trimEnd();
  return [TASK_TITLES[task], `  first:  ${first}`, `  second: ${second}`, `  ${String(items)} items`, ...remarks.map((remark) => `  ! ${remark}`), '', line(head), ...rows.map(line), ''].join('\n');
}

const chance = (p: number | null): string => (p === null ? '–' : p < 0.001 ? '< .001' : figure(p));
