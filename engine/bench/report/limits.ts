/**
 * Limits that figures have to keep, for builds that must not get worse.
 */
import { HearbackError } from '../../domain/result.js';
import type { Scored } from '../run/score.js';
import type { Estimate } from '../scores/interval.js';
import { figure } from './names.js';

/** "ar_geo", "task1.ar_geo", or with its condition "text/rules:task1.ar_geo". */
export interface Limit {
  readonly score: string;
  readonly kind: 'min' | 'max';
  readonly value: number;
}

/** Figures of several conditions, the first of which is meant where a limit names none. */
export type Measured = readonly { readonly condition: string; readonly tasks: Readonly<Partial<Record<string, Pick<Scored, 'task' | 'scores'>>>> }[];

export interface Checked {
  readonly limit: Limit;
  readonly condition: string;
  readonly measured: Estimate;
  readonly met: boolean;
}

/** "ar_geo=0.7"; undefined where it is no limit. */
export function readLimit(text: string, kind: Limit['kind']): Limit | undefined {
  const at = text.lastIndexOf('=');
  const [score, value] = [text.slice(0, at).trim(), text.slice(at + 1)];
  return at <= 0 || value.trim() === '' || !Number.isFinite(Number(value)) ? undefined : { score, kind, value: Number(value) };
}

/** @throws HearbackError usage where no such score was taken */
export function checkLimits(limits: readonly Limit[], measured: Measured): Checked[] {
  return limits.map((limit) => {
    const at = limit.score.lastIndexOf(':');
    const [condition, name] = at < 0 ? [undefined, limit.score] : [limit.score.slice(0, at), limit.score.slice(at + 1)];
    const own = measured.filter((each) => condition === undefined || each.condition === condition);
    for (const each of own) {
      for (const [task, scored] of Object.entries(each.tasks)) {
        const estimate = scored?.scores[name.startsWith(`${task}.`) ? name.slice(task.length + 1) : name];
        if (estimate !== undefined) return { limit, condition: each.condition, measured: estimate, met: estimate.value !== null && (limit.kind === 'min' ? estimate.value >= limit.value : estimate.value <= limit.value) };
      }
    }
    const known = [...new Set(measured.flatMap(({ tasks }) => Object.entries(tasks).flatMap(([task, scored]) => Object.keys(scored?.scores ?? {}).map((score) => `${task}.${score}`))))];
    throw new HearbackError('usage', `No score is called "${limit.score}".`, { hint: condition !== undefined && own.length === 0 ? `Conditions here: ${measured.map((each) => each.condition).join(', ')}.` : `Known here: ${known.join(', ')}.` });
  });
}

export function limitSentence({ limit, condition, measured, met }: Checked): string {
  const asked = `${limit.kind === 'min' ? 'at least' : 'at most'} ${String(limit.value)}`;
  return `${condition === '' || limit.score.includes(':') ? '' : `${condition}: `}${limit.score} is ${measured.value === null ? 'without items' : figure(measured.value, 4)}; ${asked} was asked for${met ? ', and is met' : ''}.`;
}
