/**
 * Figures for other programs: CSV, JUnit, and what NIST's sclite reads.
 */
import type { RunScores } from '../run/score.js';
import type { Estimate } from '../scores/interval.js';
import type { HeardFigures } from '../scores/heard.js';
import { limitSentence, type Checked } from './limits.js';

const cell = (value: string | number | null | undefined): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Every figure a line: condition, input, snr, system, task, score, value, interval, its kind, and over how many items. */
export function csv({ conditions, heard }: RunScores): string {
  const out = ['condition,input,snr,system,task,score,value,low,high,interval,of'];
  const add = (where: readonly (string | number | undefined)[], score: string, { value, low, high, by, of }: Estimate): void => {
    out.push([...where, score, value, low, high, low === null ? '' : by, of].map(cell).join(','));
  };
  for (const { condition, input, snr, system, tasks } of conditions) {
    for (const [task, scored] of Object.entries(tasks)) {
      const where = [condition, input, snr, system, task];
      for (const [score, estimate] of Object.entries(scored.scores)) add(where, score, estimate);
      for (const [type, { gold, f1 }] of Object.entries(scored.byType ?? {})) add(where, `f1.${type}`, { value: f1, low: null, high: null, of: gold, by: 'bootstrap' });
      for (const [label, { gold, hits }] of Object.entries(scored.byLabel ?? {})) add(where, `recall.${label}`, { value: gold === 0 ? null : hits / gold, low: null, high: null, of: gold, by: 'bootstrap' });
      for (const [alarm, figures] of Object.entries(scored.detection?.alarms ?? {})) {
        add(where, `${alarm}.found`, figures.found);
        for (const [level, estimate] of Object.entries(figures.byRisk)) add(where, `${alarm}.found.${level}`, estimate);
        add(where, `${alarm}.false_alarms`, figures.falseAlarms);
        add(where, `${alarm}.precision`, figures.precision);
        add(where, `${alarm}.precision_at_base_rate`, figures.precisionAtBaseRate);
        if (figures.falseAlarmsPerHour !== undefined) add(where, `${alarm}.false_alarms_per_hour`, figures.falseAlarmsPerHour);
      }
      for (const [name, value] of Object.entries(scored.ms ?? {})) add(where, `ms.${name}`, { value, low: null, high: null, of: scored.items, by: 'bootstrap' });
    }
  }
  for (const { input, snr, tasks } of heard) for (const [task, figures] of Object.entries(tasks)) heardRows(figures, (score, estimate) => { add([input, input, snr, '', task], score, estimate); });
  return `${out.join('\n')}\n`;
}

function heardRows(figures: HeardFigures, add: (score: string, estimate: Estimate) => void): void {
  for (const [score, estimate] of Object.entries(figures.scores)) add(score, estimate);
  add('callsign', figures.callsign);
  add('values', figures.values);
  for (const [slot, estimate] of Object.entries(figures.slots)) add(`value.${slot}`, estimate);
  const plain = (score: string, value: number | undefined): void => {
    if (value !== undefined) add(score, { value, low: null, high: null, of: figures.transmissions, by: 'bootstrap' });
  };
  plain('ms.p50', figures.ms?.p50);
  plain('ms.p95', figures.ms?.p95);
  plain('real_time_factor', figures.realTimeFactor);
}

export const xml = (text: string): string => text.replace(/[&<>"']/gu, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[mark] ?? mark);

/** One test case a limit. */
export function junit(checked: readonly Checked[]): string {
  const failed = checked.filter(({ met }) => !met).length;
  const cases = checked.map((each) => {
    const name = `${each.limit.score} ${each.limit.kind === 'min' ? '≥' : '≤'} ${String(each.limit.value)}`;
    const head = `    <testcase classname="${xml(`benchmark.${each.condition}`)}" name="${xml(name)}"`;
    return each.met ? `${head}/>` : `${head}>\n      <failure message="${xml(limitSentence(each))}"/>\n    </testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="hearback bench" tests="${String(checked.length)}" failures="${String(failed)}">\n${cases.join('\n')}${cases.length > 0 ? '\n' : ''}  </testsuite>\n</testsuites>\n`;
}

/** A transmission as sclite gets it. */
export interface Spoken {
  /** Unique; of letters, figures, "-", "_" and ".". */
  readonly id: string;
  readonly reference: string;
  readonly said: string;
  readonly seconds?: number | undefined;
  /** Words of the recogniser with their times, seconds from the start of the clip. */
  readonly words?: readonly { readonly text: string; readonly start?: number | undefined; readonly end?: number | undefined; readonly confidence?: number | undefined }[] | undefined;
}

/** One name for what sclite takes apart at blanks and brackets. */
export const scliteId = (text: string): string => text.replace(/[^\w.-]+/gu, '_');

/** A line of a trn file: the words, then the name in brackets. */
export const trnLine = (words: string, id: string): string => `${words}${words === '' ? '' : ' '}(${scliteId(id)})\n`;

/** A line of an stm file: each clip is a recording of its own, with one speaker. */
export const stmLine = ({ id, reference, seconds = 0 }: Spoken): string => `${scliteId(id)} 1 ${scliteId(id)} 0.000 ${seconds.toFixed(3)} ${reference}\n`;

/** Lines of a ctm file, a word each; words without times share the clip evenly. */
export function ctmLines({ id, said, seconds = 0, words }: Spoken): string {
  const plain = said.split(/\s+/u).filter((word) => word !== '');
  const timed = words !== undefined && words.length > 0 && words.every(({ start, end }) => start !== undefined && end !== undefined);
  const rows = timed
    ? words.flatMap(({ text, start = 0, end = 0, confidence }) => {
        const parts = text.split(/\s+/u).filter((word) => word !== '');
        return parts.map((word, i) => ({ word, start: start + ((end - start) * i) / parts.length, length: (end - start) / parts.length, confidence }));
      })
    : plain.map((word, i) => ({ word, start: (seconds * i) / plain.length, length: seconds / plain.length, confidence: undefined }));
  return rows.map(({ word, start, length, confidence }) => `${scliteId(id)} 1 ${start.toFixed(3)} ${length.toFixed(3)} ${word}${confidence === undefined ? '' : ` ${confidence.toFixed(3)}`}\n`).join('');
}
