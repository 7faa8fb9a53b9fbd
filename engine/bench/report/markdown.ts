/**
 * Figures as Markdown, beside the published ones.
 */
import { ERROR_TYPES, RISK_LEVELS, riskRank } from '../../domain/taxonomy.js';
import { SLOT_NAMES } from '../asr/score.js';
import { TASKS } from '../run/items.js';
import type { Counts } from '../run/manifest.js';
import type { RunScores, Scored } from '../run/score.js';
import type { HeardFigures } from '../scores/heard.js';
import { ALARMS } from '../scores/detection.js';
import type { Estimate } from '../scores/interval.js';
import { limitSentence, type Checked } from './limits.js';
import { duration, figure, inputTitle, intervalText, isVariant, scoreTitle, TASK_TITLES } from './names.js';
import { ON_OTHER_DATA, PUBLISHED } from './published.js';

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

/** What was run, in a line or two. */
export function runSentences({ manifest, about, normaliser, resampling }: RunScores): string[] {
  const { config, starts, ended } = manifest;
  const [first] = starts;
  const systems = config.systems.map(({ name, parser, judge, model, prompt, prompt_sha256, parser_prompt }) => `${name} (${[...(parser === 'rules' ? [] : [`parser ${parser}`]), `judge ${judge}`, ...(model === null ? [] : [model]), ...(parser_prompt === null ? [] : [`prompt ${parser_prompt}`]), ...(prompt === null || prompt_sha256 === null ? [] : [`prompt ${prompt}`])].join(', ')})`);
  return [
    `Hearback ${config.hearback}; systems: ${systems.join('; ')}; profile paper.`,
    ...(config.recogniser === null ? [] : [`Recogniser ${config.recogniser.model}${config.recogniser.threads === null ? '' : `, ${String(config.recogniser.threads)} thread${config.recogniser.threads === 1 ? '' : 's'}`}${config.recogniser.workers > 1 ? `, ${String(config.recogniser.workers)} of them beside each other` : ''}, device ${config.recogniser.device}. Each transmission is recognised by itself, as one push of the key.`]),
    `Items: ${about}${config.limit === null ? '' : ` The first ${String(config.limit)} of each task.`}${config.shard === null ? '' : ` Shard ${config.shard} alone.`}`,
    `${first === undefined ? '' : `${first.cpu}, ${String(first.cores)} cores, ${first.system}, Node ${first.node}; load ${starts.map(({ load }) => load.toFixed(1)).join(', ')} at the start. `}${first?.at ?? ''} to ${ended ?? 'not ended yet'}${starts.length > 1 ? `, begun ${String(starts.length)} times` : ''}. Peak memory ${String(manifest.peak_memory_mb.program)} MB${manifest.peak_memory_mb.children === null || manifest.peak_memory_mb.children === 0 ? '' : `, ${config.recogniser !== null && config.recogniser.workers > 1 ? 'recognisers together' : 'recogniser'} ${String(manifest.peak_memory_mb.children)} MB`}.`,
    `Intervals at 95 %: ${resampling.rounds.toLocaleString('en-GB')} resamples of items, or of recordings where items name one (seed ${String(resampling.seed)}); W: Wilson; 3/n: none, or all, of n. Texts of slots compared ${normaliser.slots === 'written' ? 'as written' : `after normaliser ${normaliser.slots}`}; normaliser version ${String(normaliser.version)}.`,
  ];
}

/** How many items there were and what became of them. */
export function countsText({ items, missing, failed, unreadable, unknown, ms, counts }: Scored & { readonly counts?: Counts }): string {
  const silent = missing + failed + unreadable;
  const parts = [
    `${items.toLocaleString('en-GB')} items`,
    ...(silent === 0 ? [] : [`without an answer ${String(missing)}, failed ${String(failed)}, unreadable ${String(unreadable)} (all three score 0 and, for DDR and WDS, count as "correct")`]),
    ...(unknown === 0 ? [] : [`answers to unknown items ${String(unknown)}`]),
    ...(counts === undefined || counts.retried === 0 ? [] : [`${String(counts.retried)} answered in a later try`]),
    ...(counts === undefined || counts.items === items ? [] : [`${String(counts.items - items)} left out, as there is nothing to hear for them`]),
  ];
  return `${parts.join('; ')}.${ms === undefined ? '' : ` Time of an answer: ${duration(ms.p50)} median, ${duration(ms.p95)} at 95 %.`}`;
}

function scoredTables(scored: Scored): string[] {
  const { scores, byType, risk, byLabel, detection } = scored;
  const keys = Object.keys(scores);
  const table = (of: readonly string[]): string => markdownTable(['score', 'value', '95 % interval', 'of'], of.map((key) => [scoreTitle(key), figure(scores[key]?.value), scores[key] === undefined ? '–' : intervalText(scores[key]), String(scores[key]?.of ?? 0)]));
  const out = [table(keys.filter((key) => !isVariant(key)))];
  const variants = keys.filter(isVariant);
  if (variants.length > 0) out.push('Sensitivity of the scores to their weights and slots:', table(variants));
  if (byType !== undefined) out.push(markdownTable(['type', 'items', 'answered', 'right', 'F1'], ERROR_TYPES.map((type) => [type, String(byType[type].gold), String(byType[type].predicted), String(byType[type].hits), byType[type].gold + byType[type].predicted === 0 ? '–' : figure(byType[type].f1)])));
  if (risk !== undefined) {
    out.push(
      markdownTable(['gold level \\ answered', ...RISK_LEVELS, 'no answer'], RISK_LEVELS.map((level) => [level, ...RISK_LEVELS.map((said) => (riskRank(said) < riskRank(level) && risk[level][said] > 0 ? `**${String(risk[level][said])}**` : String(risk[level][said]))), String(risk[level].UNREADABLE)])),
      'Bold: dangerous downgrades.',
    );
  }
  if (detection !== undefined) {
    out.push(
      markdownTable(
        ['as an alarm', 'errors found', 'HIGH', 'CRITICAL', 'EXTREME', 'false alarms', 'precision here', `precision when ${figure(detection.baseRate, 2)} of readbacks are wrong`, 'false alarms an hour'],
        ALARMS.map((kind) => {
          const { found, byRisk, falseAlarms, precision, precisionAtBaseRate, falseAlarmsPerHour } = detection.alarms[kind];
          const both = (estimate: Estimate): string => `${figure(estimate.value)} (${intervalText(estimate)})`;
          return [kind === 'sure' ? 'judged wrong' : 'judged wrong or uncertain', both(found), figure(byRisk.HIGH.value), figure(byRisk.CRITICAL.value), figure(byRisk.EXTREME.value), both(falseAlarms), figure(precision.value), both(precisionAtBaseRate), falseAlarmsPerHour === undefined ? '–' : `${figure(falseAlarmsPerHour.value, 1)} (${figure(falseAlarmsPerHour.low, 1)}–${figure(falseAlarmsPerHour.high, 1)})`];
        }),
      ),
    );
  }
  if (byLabel !== undefined) out.push(markdownTable(['label', 'spans', 'answered', 'exact', 'recall'], Object.entries(byLabel).sort(([, a], [, b]) => b.gold - a.gold).map(([label, { gold, predicted, hits }]) => [label, String(gold), String(predicted), String(hits), gold === 0 ? '–' : figure(hits / gold)])));
  return out;
}

const heardRow = (name: string, { transmissions, words, scores, callsign, values, ms, realTimeFactor, guarded, failed }: HeardFigures): string[] => [name, String(transmissions), String(words), ...(['wer_raw', 'wer', 'cer'] as const).map((key) => `${figure(scores[key].value)} (${intervalText(scores[key])})`), figure(callsign.value), figure(values.value), `${String(guarded)}${failed === 0 ? '' : `; ${String(failed)} failed`}`, ms === undefined ? '–' : `${duration(ms.p50)} / ${duration(ms.p95)}`, figure(realTimeFactor)];

/** The whole run. */
export function markdownReport(scores: RunScores, checked: readonly Checked[]): string {
  const out = ['# Benchmark', ...runSentences(scores)];
  if (checked.length > 0) out.push(['Limits:', ...checked.map((each) => `- ${each.met ? 'met' : '**not met**'}: ${limitSentence(each)}`)].join('\n'));
  for (const task of TASKS) {
    const own = scores.conditions.filter(({ tasks }) => tasks[task] !== undefined);
    const heard = scores.heard.filter(({ tasks }) => tasks[task] !== undefined);
    if (own.length === 0 && heard.length === 0) continue;
    out.push(`## ${TASK_TITLES[task]}`);
    const keys = Object.keys(own[0]?.tasks[task]?.scores ?? {}).filter((key) => !isVariant(key));
    if (own.length > 0) out.push(markdownTable(['condition', 'items', ...keys.map(scoreTitle)], own.map(({ condition, tasks }) => [condition, String(tasks[task]?.items ?? 0), ...keys.map((key) => figure(tasks[task]?.scores[key]?.value))])));
    if (heard.length > 0) out.push(markdownTable(['heard', 'transmissions', 'words', 'WER as written ↓', 'WER normalised ↓', 'CER normalised ↓', 'callsign', 'values', 'guarded', 'recognition, median / 95 %', 'RTF'], heard.flatMap(({ input, snr, tasks }) => (tasks[task] === undefined ? [] : [heardRow(inputTitle(input, snr), tasks[task])]))), markdownTable(['values heard', ...SLOT_NAMES], heard.map(({ input, snr, tasks }) => [inputTitle(input, snr), ...SLOT_NAMES.map((slot) => { const part = tasks[task]?.slots[slot]; return part === undefined || part.of === 0 ? '–' : `${figure(part.value)} of ${String(part.of)}${part.invented === 0 ? '' : `, ${String(part.invented)} invented`}`; })])));
    for (const { condition, tasks } of own) if (tasks[task] !== undefined) out.push(`### ${condition}`, countsText(tasks[task]), ...scoredTables(tasks[task]));
    const published = PUBLISHED[task];
    if (published !== undefined) {
      const columns = [...new Set(published.rows.flatMap(({ values }) => Object.keys(values)))];
      out.push(`### Others: ${ON_OTHER_DATA}`, `${published.source}. Their items, not these: no comparison of systems.`, markdownTable(['model', 'how', ...columns.map(scoreTitle), 'seconds an answer'], published.rows.map(({ name, how, values, seconds }) => [name, how, ...columns.map((key) => figure(values[key])), seconds === undefined ? '–' : String(seconds)])));
    }
  }
  return `${out.join('\n\n')}\n`;
}
