/**
 * A judge as an alarm: what it finds, by risk, and how often it cries wolf, where wrong readbacks are as rare as on the radio.
 */
import { RISK_LEVELS, type RiskLevel } from '../../domain/taxonomy.js';
import type { Verdict } from '../../domain/finding.js';
import { bootstrap, recordingOf, shareOf, type Estimate, type OfRecording, type Resampling } from './interval.js';
import type { Judged } from './task2.js';

export interface WatchedItem {
  readonly gold: Judged & OfRecording;
  readonly answer: (Judged & { readonly verdict?: Verdict | undefined }) | null;
  /** Audio of both halves, seconds, where it was heard. */
  readonly seconds?: number | undefined;
}

/**
 * When a person is alarmed. `sure`: the judge says that it is wrong. `doubtful`: also where it is uncertain. A judge without verdicts is
 * always sure.
 */
export const ALARMS = ['sure', 'doubtful'] as const;
export type AlarmKind = (typeof ALARMS)[number];

function alarmed(kind: AlarmKind): (item: WatchedItem) => boolean {
  return ({ answer }) => answer !== null && (answer.verdict === undefined ? !answer.is_correct : answer.verdict === 'error' || (kind === 'doubtful' && answer.verdict !== 'correct'));
}

export interface AlarmFigures {
  /** Wrong readbacks that raise it, in all and by their level. */
  readonly found: Estimate;
  readonly byRisk: Readonly<Record<Exclude<RiskLevel, 'CORRECT'>, Estimate>>;
  /** Right readbacks that raise it. */
  readonly falseAlarms: Estimate;
  /** Of what it raises on these items, the share that is wrong. */
  readonly precision: Estimate;
  /** The same where a readback is wrong as often as the base rate says: p·found / (p·found + (1 − p)·falseAlarms). */
  readonly precisionAtBaseRate: Estimate;
  /** False alarms an hour of right exchanges, by their audio; undefined without audio. */
  readonly falseAlarmsPerHour?: Estimate;
}

export interface Detection {
  readonly baseRate: number;
  readonly alarms: Readonly<Record<AlarmKind, AlarmFigures>>;
  /** Hours of audio of right exchanges. */
  readonly hours?: number;
}

/** A share of wrong readbacks as in real traffic: one in a hundred. Reports of field studies go from well below one to some per cent. */
export const BASE_RATE = 0.01;

const LEVELS = RISK_LEVELS.filter((level) => level !== 'CORRECT');

/** Alarms over a set of judged readbacks. */
export function detection(items: readonly WatchedItem[], baseRate = BASE_RATE, resampling: Resampling = {}): Detection {
  const right = items.filter(({ gold }) => gold.is_correct);
  const wrong = items.filter(({ gold }) => !gold.is_correct);
  const heard = right.every(({ seconds }) => seconds !== undefined) && right.length > 0;
  const hours = right.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0) / 3600;
  const figures = (kind: AlarmKind): AlarmFigures => {
    const is = alarmed(kind);
    const found = shareOf(wrong, is, resampling);
    const falseAlarms = shareOf(right, is, resampling);
    return {
      found,
      byRisk: Object.fromEntries(LEVELS.map((level) => [level, shareOf(wrong.filter(({ gold }) => gold.risk_level === level), is, resampling)])) as Record<Exclude<RiskLevel, 'CORRECT'>, Estimate>,
      falseAlarms,
      precision: shareOf(items.filter(is), ({ gold }) => !gold.is_correct, resampling),
      precisionAtBaseRate: atBaseRate(found, falseAlarms, baseRate),
      ...(heard ? { falseAlarmsPerHour: perHour(right, is, resampling) } : {}),
    };
  };
  return { baseRate, alarms: { sure: figures('sure'), doubtful: figures('doubtful') }, ...(heard ? { hours } : {}) };
}

/** The interval takes the worse ends of both together, so it is wider than one at 95 %. */
function atBaseRate(found: Estimate, falseAlarms: Estimate, base: number): Estimate {
  const of = found.of + falseAlarms.of;
  const precision = (r: number | null, f: number | null): number | null => {
    if (r === null || f === null) return null;
    const all = base * r + (1 - base) * f;
    return all === 0 ? null : (base * r) / all;
  };
  return { value: precision(found.value, falseAlarms.value), low: precision(found.low, falseAlarms.high), high: precision(found.high, falseAlarms.low), of, by: 'bounds' };
}

/** Three in all the hours where there was none. */
function perHour(right: readonly WatchedItem[], is: (item: WatchedItem) => boolean, resampling: Resampling): Estimate {
  const hoursOf = (sample: readonly WatchedItem[]): number => sample.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0) / 3600;
  const { it } = bootstrap(right, { it: (sample) => sample.filter(is).length / hoursOf(sample) }, resampling, recordingOf);
  return it.value === 0 ? { ...it, low: 0, high: 3 / hoursOf(right), by: '3/n' } : it;
}
