/**
 * The figures of a run as one page that needs nothing else: no network, no script to be read, light and dark, on paper too.
 */
import { ERROR_TYPES, RISK_LEVELS, riskRank } from '../../domain/taxonomy.js';
import { SLOT_NAMES } from '../asr/score.js';
import { CAUSES, type Fault } from '../degradation/degradation.js';
import { TASKS, type Task } from '../run/items.js';
import type { ConditionScores, InputScores, RunScores, Scored } from '../run/score.js';
import { ALARMS } from '../scores/detection.js';
import type { Estimate } from '../scores/interval.js';
import type { Example, ExampleGroup } from './examples.js';
import { xml } from './exchange.js';
import { limitSentence, type Checked } from './limits.js';
import { countsText, runSentences } from './markdown.js';
import { duration, figure, inputTitle, isLess, isVariant, scoreTitle, TASK_TITLES } from './names.js';
import { ON_OTHER_DATA, PUBLISHED } from './published.js';
import { curves, dots, legend, MOST_SERIES, stacks, times, type Point, type Series } from './svg.js';
import { STYLE } from './style.js';

interface PageOptions {
  readonly title: string;
  readonly checked: readonly Checked[];
  readonly examples: readonly ExampleGroup[];
}

const percent = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : `${(100 * value).toFixed(1)} %`);
const count = (value: number): string => value.toLocaleString('en-GB');

/** Value, its interval small beside it, and its basis as a tip. */
function cell(estimate: Estimate | undefined, digits = 3): string {
  if (estimate === undefined) return '<td class="none">–</td>';
  const { value, low, high, of, by } = estimate;
  const range = low === null || high === null ? '' : `<small>${figure(low, digits)}–${figure(high, digits)}</small>`;
  return `<td title="of ${count(of)}${range === '' ? '' : `; interval: ${{ bootstrap: 'bootstrap', wilson: 'Wilson', '3/n': 'rule of three', bounds: 'from the worse ends of what it is made of' }[by]}`}">${figure(value, digits)}${range}</td>`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[], options: { readonly caption?: string; readonly class?: string } = {}): string =>
  `<div class="scroll"><table${options.class === undefined ? '' : ` class="${options.class}"`}>${options.caption === undefined ? '' : `<caption>${options.caption}</caption>`}<thead><tr>${head.map((title, i) => `<th scope="col"${i === 0 ? ' class="name"' : ''}>${title}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.join('')}</tr>`).join('')}</tbody></table></div>`;
const nameCell = (text: string, note = ''): string => `<th scope="row">${xml(text)}${note === '' ? '' : `<small>${xml(note)}</small>`}</th>`;
const td = (text: string): string => `<td>${text}</td>`;
const more = (title: string, content: string): string => `<details><summary>${xml(title)}</summary>${content}</details>`;

/** Condition in words: "text", "voice, 10 dB"; with the system where there are several. */
const conditionTitle = ({ input, snr, system }: ConditionScores, several: boolean): string => `${inputTitle(input, snr)}${several ? ` · ${system}` : ''}`;

/** Scores that a task is summed up with, and what its curves show. */
const MAIN: Readonly<Record<Exclude<Task, 'speech'>, { readonly table: readonly string[]; readonly best: string; readonly panels: readonly { readonly title: string; readonly keys: readonly string[] }[]; readonly bySystem: readonly string[] }>> = {
  task2: { table: ['is_correct', 'et_f1', 'rl_acc', 'ddr', 'wds', 'missed', 'false_alarms'], best: 'rl_acc', panels: [{ title: 'Judged correctly', keys: ['is_correct', 'rl_acc', 'et_f1'] }, { title: 'What must be small', keys: ['ddr', 'missed', 'false_alarms'] }], bySystem: ['rl_acc', 'ddr', 'false_alarms'] },
  task1: { table: ['ner_f1', 'ner_lin', 'ner_geo', 'act_ex', 'ar_lin', 'ar_geo', 'strict'], best: 'ar_geo', panels: [{ title: 'Understood', keys: ['act_ex', 'ar_geo', 'strict'] }], bySystem: ['ar_geo'] },
  ground: { table: ['speaker_f1', 'intention_f1', 'action_f1', 'entity_f1', 'rw_er', 'risk_score', 'risk_strict'], best: 'risk_score', panels: [{ title: 'Understood', keys: ['action_f1', 'risk_score', 'risk_strict'] }], bySystem: ['risk_score'] },
};

const INTRO: Readonly<Record<Task, string>> = {
  task2: 'An instruction and its readback: is it right, what kind of error is it, how grave? DDR is the share of items whose risk is called lower than it is; WDS weighs that by how much lower. The profile is exactly that of the paper. Where the judge is uncertain, its most severe reading is scored.',
  task1: 'Which actions a transmission holds, and every word with its label. AR-Geo asks whether an action could be carried out: one slot missed that matters, and it falls to almost nothing. Strict: all actions and all their slots.',
  ground: 'Who speaks, what for, which action on the ground, with its slots, weighed by what a mistake would cost. Risk Strict: the action and every critical slot.',
  speech: 'What was heard, against what was said.',
};

/** The inputs to show where not all have room: text, the first that was heard, the middle, the last. */
function fewInputs(conditions: readonly { readonly input: string; readonly kind: string }[]): string[] {
  const all = [...new Map(conditions.map((condition) => [condition.input, condition])).values()];
  const heard = all.filter(({ kind }) => kind !== 'text').map(({ input }) => input);
  const text = all.filter(({ kind }) => kind === 'text').map(({ input }) => input);
  return heard.length <= 3 ? all.map(({ input }) => input) : [...text, ...new Set([0, Math.floor(heard.length / 2), heard.length - 1].map((i) => heard[i] ?? ''))];
}

const systemsOf = (conditions: readonly { readonly system: string }[]): string[] => [...new Set(conditions.map(({ system }) => system))];
const fewOf = (conditions: readonly ConditionScores[]): ConditionScores[] => conditions.filter(({ input }) => fewInputs(conditions).includes(input));

/** As many as a chart tells apart: of one system the few inputs; of several systems text, and the middle of what was heard. */
function forChart(conditions: readonly ConditionScores[]): ConditionScores[] {
  const few = fewInputs(conditions);
  if (systemsOf(conditions).length === 1) return fewOf(conditions).slice(0, MOST_SERIES);
  const inputs = few.length < 3 ? few : [few[0], few[Math.floor(few.length / 2)]];
  return conditions.filter(({ input }) => inputs.includes(input)).slice(0, MOST_SERIES);
}

/** The page. */
export function page(scores: RunScores, { title, checked, examples }: PageOptions): string {
  const { manifest, conditions, heard } = scores;
  const systems = [...new Set(conditions.map(({ system }) => system))];
  const several = systems.length > 1;
  const tasks = (['task2', 'task1', 'ground'] as const).filter((task) => conditions.some((condition) => condition.tasks[task] !== undefined));
  const induced = conditions.filter((condition) => condition.induced !== undefined);
  const sections: { readonly id: string; readonly title: string; readonly body: string }[] = [
    { id: 'short', title: 'In short', body: inShort(scores, checked) },
    ...tasks.map((task) => ({ id: task, title: TASK_TITLES[task], body: taskSection(task, conditions.filter((condition) => condition.tasks[task] !== undefined), several) })),
    ...(heard.length === 0 ? [] : [{ id: 'heard', title: 'What was heard', body: heardSection(heard) }]),
    ...(induced.length === 0 ? [] : [{ id: 'cost', title: 'What recognition costs', body: costSection(induced, several) }]),
    { id: 'time', title: 'Time and memory', body: timeSection(scores, several) },
    ...(examples.length === 0 ? [] : [{ id: 'examples', title: 'What failures look like', body: exampleSection(examples, conditions, several) }]),
    { id: 'published', title: 'What others published', body: publishedSection(tasks) },
    { id: 'made', title: 'How this was made', body: madeSection(scores) },
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Hearback ${xml(manifest.config.hearback)}">
<title>${xml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${xml(title)}</h1>
<p class="lead">${xml(scores.about)}</p>
<p class="lead">Hearback ${xml(manifest.config.hearback)}, ${day(manifest.ended ?? manifest.starts.at(-1)?.at)}${manifest.ended === null ? ', <strong>not ended: figures are of what there is so far</strong>' : ''}. Small figures are intervals at 95 %.</p>
<nav aria-label="Contents">${sections.map(({ id, title: text }) => `<a href="#${id}">${xml(text)}</a>`).join('')}</nav>
</header>
<main>
${sections.map(({ id, title: text, body }) => `<section id="${id}">\n<h2>${xml(text)}</h2>\n${body}\n</section>`).join('\n')}
</main>
<footer><p>For training, simulation and research. Not certified for operational use.</p></footer>
</body>
</html>
`;
}

function day(at: string | undefined): string {
  return at === undefined ? '' : new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** A few sentences that hold whatever the figures are. */
function inShort({ conditions, heard }: RunScores, checked: readonly Checked[]): string {
  const several = systemsOf(conditions).length > 1;
  const told = ({ tasks: { task2, task1, ground } }: ConditionScores): string => {
    const parts: string[] = [];
    if (task2 !== undefined) {
      const { is_correct, missed, false_alarms } = task2.scores;
      const number = (estimate: Estimate | undefined): number => Math.round((estimate?.value ?? 0) * (estimate?.of ?? 0));
      const of = (estimate: Estimate | undefined): string => `${count(number(estimate))} of ${count(estimate?.of ?? 0)}`;
      const unsure = number(false_alarms) - number(task2.detection?.alarms.sure.falseAlarms);
      parts.push(`${percent(is_correct?.value)} of ${count(task2.items)} readbacks judged correctly; ${of(missed)} wrong ones called right, ${of(false_alarms)} right ones not called right${unsure > 0 ? ` (${count(unsure)} of them left uncertain)` : ''}`);
    }
    if (task1 !== undefined) parts.push(`every action with all its slots in ${percent(task1.scores['strict']?.value)} of ${count(task1.items)} transmissions`);
    if (ground !== undefined) parts.push(`action and critical slots in ${percent(ground.scores['risk_strict']?.value)} of ${count(ground.items)} on the ground`);
    return `${parts.join('; ')}.`;
  };
  const items = fewInputs(conditions).map((input) => {
    const own = conditions.filter((condition) => condition.input === input);
    const words = heard.find((each) => each.input === input);
    const wer = words?.tasks.task2?.scores.wer.value ?? words?.tasks.task1?.scores.wer.value;
    const title = `<strong>${xml(inputTitle(input, own[0]?.snr))}</strong>${wer === undefined || wer === null ? '' : ` (${percent(wer)} of words wrong)`}`;
    return several ? `<li>${title}<ul>${own.map((condition) => `<li>${xml(condition.system)}: ${told(condition)}</li>`).join('')}</ul></li>` : `<li>${title}: ${own.map(told).join(' ')}</li>`;
  });
  const limits = checked.length === 0 ? '' : `<h3>Limits</h3><ul>${checked.map((each) => `<li>${each.met ? '✓' : '<strong class="danger">✗ not met</strong>'} ${xml(limitSentence(each))}</li>`).join('')}</ul>`;
  return `<ul class="short">${items.join('')}</ul>${limits}`;
}

function taskSection(task: Exclude<Task, 'speech'>, conditions: readonly ConditionScores[], several: boolean): string {
  const { table: keys, best } = MAIN[task];
  const out = [`<p>${xml(INTRO[task])}</p>`];
  const published = PUBLISHED[task];
  const rows = conditions.map((condition) => `<tr>${nameCell(conditionTitle(condition, several), `${count(condition.tasks[task]?.items ?? 0)} items`)}${keys.map((key) => cell(condition.tasks[task]?.scores[key])).join('')}</tr>`).join('');
  const top = [...(published?.rows ?? [])].sort((a, b) => (b.values[best] ?? 0) - (a.values[best] ?? 0)).slice(0, 3);
  const others = published === undefined ? '' : `<tbody class="others"><tr><th scope="rowgroup" colspan="${String(keys.length + 1)}">${ON_OTHER_DATA}: ${xml(published.source)}</th></tr>${top.map(({ name, how, values }) => `<tr>${nameCell(name, how)}${keys.map((key) => td(figure(values[key]))).join('')}</tr>`).join('')}</tbody>`;
  out.push(`<div class="scroll"><table class="main"><thead><tr><th scope="col" class="name">condition</th>${keys.map((key) => `<th scope="col">${xml(scoreTitle(key))}</th>`).join('')}</tr></thead><tbody>${rows}</tbody>${others}</table></div>`);
  for (const condition of conditions) {
    const scored = condition.tasks[task];
    if (scored !== undefined && scored.missing + scored.failed + scored.unreadable > 0) out.push(`<p class="note">${xml(conditionTitle(condition, several))}: ${xml(countsText(scored))}</p>`);
  }
  out.push(curvesOf(task, conditions, several));
  const chart = forChart(conditions);
  if (task === 'task2') out.push(matrices(conditions, several), byType(chart, several), alarms(conditions, several));
  if (task === 'task1') out.push(byLabel(chart, several));
  const variants = Object.keys(conditions[0]?.tasks[task]?.scores ?? {}).filter(isVariant);
  if (variants.length > 0) out.push(more('How far the scores hang on their weights and slots', `<p>Uniform: all weights 1. High × 0.8 and × 1.2: the slots of high consequence weigh less and more. NoCond: without conditions. CoreOnly: only the slot that an action is about. ERP: an exponential penalty in place of the geometric mean.</p>${table(['condition', ...variants.map((key) => xml(scoreTitle(key)))], conditions.map((condition) => [nameCell(conditionTitle(condition, several)), ...variants.map((key) => cell(condition.tasks[task]?.scores[key]))]))}`));
  return out.join('\n');
}

/** The order of an axis: text, then from clean to the most noise. */
function axisOf(conditions: readonly { readonly input: string; readonly snr?: ConditionScores['snr']; readonly kind?: string }[]): { readonly inputs: string[]; readonly names: string[]; readonly apart: boolean } {
  const level = ({ snr }: { readonly snr?: ConditionScores['snr'] }): number => (snr === 'clean' ? Infinity : (snr ?? Number.NaN));
  const text = conditions.some(({ input }) => input === 'text');
  const voice = [...new Map(conditions.filter(({ snr }) => snr !== undefined).map((each) => [each.input, each])).values()].sort((a, b) => level(b) - level(a));
  return { inputs: [...(text ? ['text'] : []), ...voice.map(({ input }) => input)], names: [...(text ? ['text'] : []), ...voice.map(({ snr }) => (snr === 'clean' ? 'clean' : `${String(snr)} dB`))], apart: text && voice.length > 0 };
}

const figureBox = (title: string, chart: string, names: readonly string[]): string => `<figure><figcaption>${xml(title)}</figcaption>${chart}${names.length > 0 ? legend(names) : ''}</figure>`;

function curvesOf(task: Exclude<Task, 'speech'>, conditions: readonly ConditionScores[], several: boolean): string {
  const { inputs, names, apart } = axisOf(conditions);
  if (inputs.length < 2) return '';
  const points = (own: readonly ConditionScores[], key: string): Point[] =>
    own.flatMap(({ input, tasks }) => {
      const estimate = tasks[task]?.scores[key];
      const at = inputs.indexOf(input);
      return at < 0 || estimate === undefined || estimate.value === null ? [] : [{ at, value: estimate.value, low: estimate.low, high: estimate.high }];
    });
  const systems = [...new Set(conditions.map(({ system }) => system))].slice(0, MOST_SERIES);
  const panels = several && systems.length > 1
    ? MAIN[task].bySystem.map((key) => ({ title: scoreTitle(key), series: systems.map((system): Series => ({ name: system, points: points(conditions.filter((each) => each.system === system), key) })) }))
    : MAIN[task].panels.map(({ title, keys }) => ({ title, series: keys.map((key): Series => ({ name: scoreTitle(key), points: points(conditions, key) })) }));
  return `<div class="panels">${panels.map(({ title, series }) => figureBox(title, curves(`${TASK_TITLES[task]}: ${title}`, names, series, apart), series.map(({ name }) => name))).join('')}</div>`;
}

/** Gold level by the level answered; what is called less grave than it is stands out by frame, mark and colour. */
function matrices(conditions: readonly ConditionScores[], several: boolean): string {
  const one = (condition: ConditionScores): string => {
    const scored = condition.tasks.task2;
    if (scored?.risk === undefined) return '';
    const { risk } = scored;
    const silent = RISK_LEVELS.some((level) => risk[level].UNREADABLE > 0);
    const rows = RISK_LEVELS.map((level) => {
      const sum = [...RISK_LEVELS, 'UNREADABLE' as const].reduce((all, said) => all + risk[level][said], 0);
      const cells = RISK_LEVELS.map((said) => {
        const number = risk[level][said];
        const danger = riskRank(said) < riskRank(level);
        const kind = number === 0 ? 'zero' : said === level ? 'right' : danger ? 'down' : 'up';
        const part = sum === 0 ? 0 : number / sum;
        return `<td class="${kind}" style="--part:${part.toFixed(2)}" title="${level} called ${said}: ${count(number)} of ${count(sum)}">${danger && number > 0 ? '<span aria-hidden="true">▼</span>' : ''}${count(number)}</td>`;
      });
      return `<tr><th scope="row">${level}</th>${cells.join('')}${silent ? `<td class="${risk[level].UNREADABLE > 0 && level !== 'CORRECT' ? 'down' : 'zero'}">${count(risk[level].UNREADABLE)}</td>` : ''}</tr>`;
    });
    return `<table class="matrix"><caption>${xml(conditionTitle(condition, several))}</caption><thead><tr><th scope="col" class="name">is, called</th>${[...RISK_LEVELS.map((level) => level.charAt(0) + level.slice(1).toLowerCase()), ...(silent ? ['no answer'] : [])].map((level) => `<th scope="col">${level}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
  };
  return `<h3>Risk, as it is and as it was called</h3><p>Rows: what the readback is. Columns: what it was called. <span class="key down">▼ framed</span>: called less grave than it is, the dangerous way; <span class="key up">dashed</span>: graver.</p>${fewAndRest(conditions, (some) => `<div class="matrices">${some.map(one).join('')}</div>`)}`;
}

/** The few inputs in sight, the others to be opened. */
function fewAndRest(conditions: readonly ConditionScores[], show: (some: readonly ConditionScores[]) => string): string {
  const few = fewOf(conditions);
  const rest = conditions.filter((condition) => !few.includes(condition));
  return `${show(few)}${rest.length === 0 ? '' : more(`The other inputs: ${[...new Set(rest.map(({ input, snr }) => inputTitle(input, snr)))].join('; ')}`, show(rest))}`;
}

function byType(conditions: readonly ConditionScores[], several: boolean): string {
  const names = conditions.map((condition) => conditionTitle(condition, several)).slice(0, MOST_SERIES);
  const of = (condition: ConditionScores): NonNullable<Scored['byType']> | undefined => condition.tasks.task2?.byType;
  const f1 = (type: (typeof ERROR_TYPES)[number], condition: ConditionScores): number | null => {
    const counts = of(condition)?.[type];
    return counts === undefined || counts.gold + counts.predicted === 0 ? null : counts.f1;
  };
  const rows = ERROR_TYPES.map((type) => ({ name: type, note: count(conditions[0] === undefined ? 0 : (of(conditions[0])?.[type].gold ?? 0)), values: conditions.slice(0, MOST_SERIES).map((condition) => f1(type, condition)) }));
  const detail = table(['type', ...conditions.map((condition) => xml(conditionTitle(condition, several)))], ERROR_TYPES.map((type) => [nameCell(type), ...conditions.map((condition) => { const counts = of(condition)?.[type]; return td(counts === undefined ? '–' : `${figure(f1(type, condition))}<small>${count(counts.hits)} right of ${count(counts.gold)}; answered ${count(counts.predicted)} times</small>`); })]));
  return `<h3>F1 by type of error</h3>${figureBox('F1; at the right how many items', dots('F1 by type of error', rows, names), names)}${more('The same as a table', detail)}`;
}

function alarms(conditions: readonly ConditionScores[], several: boolean): string {
  const base = conditions[0]?.tasks.task2?.detection?.baseRate ?? 0;
  const perHour = conditions.some(({ tasks }) => tasks.task2?.detection?.alarms.sure.falseAlarmsPerHour !== undefined);
  const rows = (some: readonly ConditionScores[]): string[][] => some.flatMap((condition) => {
    const detection = condition.tasks.task2?.detection;
    if (detection === undefined) return [];
    return ALARMS.map((kind) => {
      const { found, byRisk, falseAlarms, precision, precisionAtBaseRate, falseAlarmsPerHour } = detection.alarms[kind];
      return [nameCell(conditionTitle(condition, several), kind === 'sure' ? 'judged wrong' : 'judged wrong or uncertain'), cell(found), cell(byRisk.HIGH), cell(byRisk.CRITICAL), cell(byRisk.EXTREME), cell(falseAlarms), cell(precision), cell(precisionAtBaseRate), ...(perHour ? [cell(falseAlarmsPerHour, 1)] : [])];
    });
  });
  const rate = figure(base, base < 0.01 ? 4 : 2);
  return `<h3>As an alarm</h3><p>How many wrong readbacks would reach a person, and how often a person would be called for nothing. On these items ${percent(conditions[0]?.tasks.task2 === undefined ? null : wrongShare(conditions[0].tasks.task2))} of readbacks are wrong; on the radio far fewer are. Precision at ${rate} is what it would be if ${percent(base)} were, as wide as the worse ends of what it is made of.${perHour ? ' False alarms an hour: over the audio of right exchanges, back to back.' : ''}</p>${fewAndRest(conditions, (some) => table(['condition', 'errors found', 'HIGH', 'CRITICAL', 'EXTREME', 'false alarms\u00a0↓', 'precision here', `precision at ${rate}`, ...(perHour ? ['false alarms an hour\u00a0↓'] : [])], rows(some)))}`;
}

const wrongShare = ({ risk, items }: Scored): number => (risk === undefined || items === 0 ? 0 : 1 - Object.values(risk.CORRECT).reduce((sum, number) => sum + number, 0) / items);

function byLabel(conditions: readonly ConditionScores[], several: boolean): string {
  const names = conditions.map((condition) => conditionTitle(condition, several)).slice(0, MOST_SERIES);
  const labels = Object.entries(conditions[0]?.tasks.task1?.byLabel ?? {}).filter(([, { gold }]) => gold > 0).sort(([, a], [, b]) => b.gold - a.gold);
  const rows = labels.map(([label, { gold }]) => ({ name: label, note: count(gold), values: conditions.slice(0, MOST_SERIES).map(({ tasks }) => { const counts = tasks.task1?.byLabel?.[label]; return counts === undefined || counts.gold === 0 ? null : counts.hits / counts.gold; }) }));
  return `<h3>Slots and action phrases, word for word</h3>${figureBox('Share found exactly; at the right how many', dots('Share of spans found exactly, by label', rows, names), names)}`;
}

function heardSection(heard: readonly InputScores[]): string {
  const out = ['<p>Word error rate (WER) and character error rate (CER): errors over the length of what was said, as written and after the normaliser (numbers digit by digit, one spelling). Callsigns and values: those that the parser reads in the words that were said and also in the words that were heard.</p>'];
  const { inputs, names } = axisOf(heard);
  const tasks = TASKS.filter((task) => heard.some((each) => each.tasks[task] !== undefined));
  if (inputs.length > 1) {
    const panel = (title: string, pick: (input: InputScores, task: Task) => Estimate | undefined): string => {
      const series = tasks.map((task): Series => ({ name: TASK_TITLES[task].split(':')[0] ?? task, points: heard.flatMap((input) => { const estimate = pick(input, task); const at = inputs.indexOf(input.input); return at < 0 || estimate === undefined || estimate.value === null ? [] : [{ at, value: estimate.value, low: estimate.low, high: estimate.high }]; }) }));
      return figureBox(title, curves(title, names, series, false), series.map(({ name }) => name));
    };
    out.push(`<div class="panels">${panel('Words wrong (WER, normalised) ↓', (input, task) => input.tasks[task]?.scores.wer)}${panel('Callsigns heard', (input, task) => input.tasks[task]?.callsign)}${panel('Values heard', (input, task) => input.tasks[task]?.values)}</div>`);
  }
  for (const task of tasks) {
    const own = heard.filter((each) => each.tasks[task] !== undefined);
    out.push(
      table(
        ['input', 'WER as written\u00a0↓', 'WER\u00a0↓', 'CER\u00a0↓', 'callsigns', 'values', 'with a guard', 'real-time factor\u00a0↓'],
        own.map(({ input, snr, tasks: figures }) => { const of = figures[task]; return of === undefined ? [] : [nameCell(inputTitle(input, snr), `${count(of.transmissions)} transmissions, ${count(of.words)} words`), cell(of.scores.wer_raw), cell(of.scores.wer), cell(of.scores.cer), cell(of.callsign), cell(of.values), td(`${count(of.guarded)}${of.failed > 0 ? `; ${count(of.failed)} failed` : ''}`), td(figure(of.realTimeFactor))]; }),
        { caption: xml(TASK_TITLES[task]) },
      ),
      more(`Values by slot, ${TASK_TITLES[task].split(':')[0] ?? task}`, table(['input', ...SLOT_NAMES], own.map(({ input, snr, tasks: figures }) => [nameCell(inputTitle(input, snr)), ...SLOT_NAMES.map((slot) => { const one = figures[task]?.slots[slot]; return one === undefined || one.of === 0 ? '<td class="none">–</td>' : `<td>${figure(one.value)}<small>of ${count(one.of)}${one.invented > 0 ? `, ${count(one.invented)} invented` : ''}</small></td>`; })]))),
    );
  }
  out.push('<p class="note">A guard is a reason that the recogniser itself gives not to trust a text; such a text never makes a readback right.</p>');
  return out.join('\n');
}

const CAUSE_NAMES = { instruction: 'instruction misheard', readback: 'readback misheard', both: 'both misheard', neither: 'neither: the same meaning, judged otherwise' } as const;

function costSection(conditions: readonly ConditionScores[], several: boolean): string {
  const out = ['<p>The same items, by the same system, as text and as they were heard. Change: heard less text; kept: heard over text. Both sides are drawn together, so the interval is that of the difference.</p>'];
  for (const task of ['task2', 'task1', 'ground'] as const) {
    const own = conditions.filter(({ induced }) => induced?.[task] !== undefined);
    const [first] = own;
    if (first === undefined) continue;
    const keys = MAIN[task].table.filter((key) => first.induced?.[task]?.changes[key] !== undefined);
    const changed = (some: readonly ConditionScores[]): string => table(['condition', ...keys.map((key) => xml(scoreTitle(key)))], some.map((condition) => [nameCell(conditionTitle(condition, several), `${count(condition.tasks[task]?.items ?? 0)} items`), ...keys.map((key) => { const change = condition.induced?.[task]?.changes[key]; const value = change?.change.value; return change === undefined || value === null || value === undefined ? '<td class="none">–</td>' : `<td title="text ${figure(change.text)}, heard ${figure(change.voice)}">${value > 0 ? '+' : ''}${figure(value)}<small>${figure(change.change.low)} to ${figure(change.change.high)}</small>${change.retained.value === null || isLess(key) ? '' : `<small>${percent(change.retained.value)} kept</small>`}</td>`; })]), { caption: xml(TASK_TITLES[task]) });
    out.push(fewAndRest(own, changed));
  }
  const own = conditions.flatMap((condition) => (condition.induced?.task2?.exchanges === undefined ? [] : [{ name: conditionTitle(condition, several), exchanges: condition.induced.task2.exchanges }]));
  if (own.length > 0) {
    const names = CAUSES.map((cause) => CAUSE_NAMES[cause]);
    const chart = (title: string, pick: (exchanges: (typeof own)[number]['exchanges']) => Fault): string => own.every(({ exchanges }) => pick(exchanges).count === 0)
        ? `<figure><figcaption>${xml(title)}</figcaption><p>None.</p></figure>`
        : figureBox(title, stacks(title, own.map(({ name, exchanges }) => ({ name, parts: CAUSES.map((cause) => pick(exchanges).causes[cause]) })), names), []);
    out.push(
      '<h3>Where it was lost</h3><p>A half is misheard when the parser reads another callsign, value, action or condition in what was heard. <strong>Phantom</strong>: the readback is right and passed as text, and was flagged when heard. <strong>Masked</strong>: it is wrong and was flagged as text, and passed when heard; that is the dangerous one.</p>',
      legend(names),
      chart('Level right as text, wrong when heard', ({ lost }) => lost),
      chart('Phantom flags', ({ phantom }) => phantom),
      chart('Masked errors', ({ masked }) => masked),
      table(['condition', 'level lost', 'level gained', 'phantom flags\u00a0↓', 'masked errors\u00a0↓', ...names.map((name) => name.split(':')[0] ?? name)], own.map(({ name, exchanges }) => [nameCell(name, `${count(exchanges.exchanges)} exchanges`), ...[exchanges.lost, exchanges.gained, exchanges.phantom, exchanges.masked].map(({ share }) => cell(share)), ...CAUSES.map((cause) => td(count(exchanges.misheard[cause])))])),
      '<p class="note">Phantom flags are of right readbacks, masked errors of wrong ones, the others of all. The last four columns: exchanges by what was misheard.</p>',
    );
  }
  return out.join('\n');
}

function timeSection({ manifest, conditions, heard }: RunScores, several: boolean): string {
  const few = fewInputs(conditions);
  const rows = [
    ...heard.flatMap(({ input, snr, tasks }) => Object.entries(tasks).flatMap(([task, { ms }]) => (ms === undefined ? [] : [{ input, name: `hearing, ${inputTitle(input, snr)}, ${task}`, ms }]))),
    ...conditions.flatMap((condition) => Object.entries(condition.tasks).flatMap(([task, { ms }]) => (ms === undefined ? [] : [{ input: condition.input, name: `${task === 'task2' ? 'judging' : 'parsing'}, ${conditionTitle(condition, several)}, ${task}`, ms }]))),
  ].map(({ input, name, ms }) => ({ input, name, ...ms, text: `${duration(ms.p50)} / ${duration(ms.p95)}` }));
  const chart = (some: typeof rows): string => (some.length === 0 ? '' : figureBox('Time of a transmission or an answer: median, and where 95 % are done', times('Time of a transmission or an answer', some), []));
  const rest = rows.filter(({ input }) => !few.includes(input));
  const memory = `<p>Highest memory: ${count(manifest.peak_memory_mb.program)} MB${manifest.peak_memory_mb.children === null || manifest.peak_memory_mb.children === 0 ? '' : `, ${(manifest.config.recogniser?.workers ?? 1) > 1 ? 'and the recognisers’ processes together' : 'and the recogniser’s process'} ${count(manifest.peak_memory_mb.children)} MB`}. Load of the machine when it began: ${manifest.starts.map(({ load }) => load.toFixed(1)).join(', ')}, on ${String(manifest.starts[0]?.cores ?? 0)} cores${(manifest.starts[0]?.load ?? 0) > (manifest.starts[0]?.cores ?? 1) ? ': it was busy with other things, so times are longer than they need be' : ''}.</p>`;
  const beside = (manifest.config.recogniser?.workers ?? 1) > 1 ? `<p>${String(manifest.config.recogniser?.workers)} recognisers heard at the same time, ${manifest.config.recogniser?.threads === null ? 'each with threads of its own' : `each with ${String(manifest.config.recogniser?.threads)} thread${manifest.config.recogniser?.threads === 1 ? '' : 's'}`}: a transmission takes longer than one recogniser with the machine to itself would need.</p>` : '';
  return `${chart(rows.filter((row) => !rest.includes(row)))}${rest.length === 0 ? '' : more('Times of the other inputs', chart(rest))}${beside}${memory}`;
}

function exampleSection(groups: readonly ExampleGroup[], conditions: readonly ConditionScores[], several: boolean): string {
  const titles = new Map(conditions.map((condition) => [condition.condition, conditionTitle(condition, several)]));
  const out = ['<p>The first items of each kind, in the order of the set; nothing is picked. Of those that were heard, some can be listened to as they came out of the radio.</p>'];
  for (const condition of new Set(groups.map((group) => group.condition))) {
    const own = groups.filter((group) => group.condition === condition);
    const body = own.map(({ task, kind, count: number, examples }) => `<h4>${xml(TASK_TITLES[task].split(':')[0] ?? task)}: ${xml(kind.charAt(0).toLowerCase() + kind.slice(1))} <small>${count(number)}</small></h4>${examples.map(example).join('')}`).join('');
    out.push(`<details${condition === groups[0]?.condition ? ' open' : ''}><summary>${xml(titles.get(condition) ?? condition)}: ${count(own.reduce((sum, group) => sum + group.count, 0))} failures${own.some(({ examples }) => examples.some(({ parts }) => parts.some(({ sound }) => sound !== undefined))) ? ', some to listen to' : ''}</summary>${body}</details>`);
  }
  return out.join('\n');
}

function example({ id, parts, gold, answer, why }: Example): string {
  const lines = parts.map(({ part, said, heard, sound }) => `<dt>${part}</dt><dd>${xml(said)}${heard === undefined ? '' : heard === said ? '<br><span class="heard">heard so</span>' : `<br><span class="heard">heard:</span> ${heard === '' ? '<em>nothing</em>' : xml(heard)}`}${sound === undefined ? '' : `<br><audio controls preload="none" src="${sound}"></audio>`}</dd>`);
  return `<article><dl>${lines.join('')}<dt>it is</dt><dd>${xml(gold)}</dd><dt>answered</dt><dd>${xml(answer)}${why === undefined ? '' : `<br><span class="why">${xml(why)}</span>`}</dd></dl><p class="id">${xml(id)}</p></article>`;
}

function publishedSection(tasks: readonly Task[]): string {
  const out = [`<p>Rows of the papers as they print them: <strong>${ON_OTHER_DATA}</strong>. The authors' items are not those of this page, so a distance between their rows and ours says nothing about the systems.</p>`];
  for (const task of tasks) {
    const published = PUBLISHED[task];
    if (published === undefined) continue;
    const keys = [...new Set(published.rows.flatMap(({ values }) => Object.keys(values)))];
    out.push(more(`${TASK_TITLES[task].split(':')[0] ?? task}: ${published.source}, ${String(published.rows.length)} rows`, table(['model', ...keys.map((key) => xml(scoreTitle(key))), 'seconds an answer'], published.rows.map(({ name, how, values, seconds }) => [nameCell(name, how), ...keys.map((key) => td(figure(values[key]))), td(seconds === undefined ? '–' : String(seconds))]))));
  }
  return out.join('\n');
}

function madeSection(scores: RunScores): string {
  const { config, normaliser } = scores.manifest;
  const facts: [string, string][] = [
    ...Object.entries(config.data).map(([task, sum]): [string, string] => [`items, ${task}`, sum]),
    ['code of parser and judge', config.code],
    ...(config.voice === null ? [] : [['speech', config.voice] as [string, string]]),
    ...(config.recogniser === null ? [] : [[`recogniser ${config.recogniser.model}`, config.recogniser.sha256] as [string, string]]),
    ...config.systems.flatMap(({ name, prompt, prompt_sha256, parser_prompt, parser_prompt_sha256, model, model_sha256 }): [string, string][] => [...(parser_prompt_sha256 === null ? [] : [[`${name}: prompt ${parser_prompt ?? ''}`, parser_prompt_sha256] as [string, string]]), ...(prompt_sha256 === null ? [] : [[`${name}: prompt ${prompt ?? ''}`, prompt_sha256] as [string, string]]), ...(model === null ? [] : [[`${name}: model ${model}`, model_sha256 ?? 'not told by the server'] as [string, string]])]),
    [`normaliser, version ${String(normaliser.version)}`, normaliser.sha256],
  ];
  return `${runSentences(scores).map((sentence) => `<p>${xml(sentence)}</p>`).join('')}<p>Seed of the radio channel: ${String(config.seed)}. Made again with <code>hearback bench run</code>, scored and written by <code>hearback bench report</code>.</p>${more('Hashes (SHA-256)', `<div class="scroll"><table class="hashes"><tbody>${facts.map(([name, sum]) => `<tr>${nameCell(name)}<td><code>${xml(sum)}</code></td></tr>`).join('')}</tbody></table></div>`)}`;
}
