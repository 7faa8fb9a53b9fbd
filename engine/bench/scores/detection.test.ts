import { describe, expect, test } from 'vitest';
import { RISK_OF, type ErrorType } from '../../domain/taxonomy.js';
import { detection, type WatchedItem } from './detection.js';
import { scoreHeard } from './heard.js';

const gold = (error_type: ErrorType) => ({ error_type, risk_level: RISK_OF[error_type], is_correct: RISK_OF[error_type] === 'CORRECT' });
const item = (is: ErrorType, said: ErrorType | null, verdict?: 'correct' | 'error' | 'uncertain', seconds?: number): WatchedItem => ({ gold: gold(is), answer: said === null ? null : { ...gold(said), verdict }, seconds });

describe('a judge as an alarm', () => {
  const items = [
    ...Array.from({ length: 6 }, () => item('CORRECT', 'CORRECT', 'correct', 10)),
    item('CORRECT', 'VALUE_CRITICAL', 'uncertain', 10),
    item('CORRECT', 'VALUE_CRITICAL', 'error', 10),
    item('VALUE_HIGH', 'VALUE_HIGH', 'error', 10),
    item('VALUE_CRITICAL', 'VALUE_CRITICAL', 'uncertain', 10),
    item('VALUE_CRITICAL', null, undefined, 10),
    item('MULTI_ERROR', 'VALUE_CRITICAL', 'error', 10),
  ];
  const { alarms, hours } = detection(items, 0.1, { rounds: 50 });
  test('who is told, by hand', () => {
    expect([alarms.sure.found.value, alarms.doubtful.found.value]).toEqual([2 / 4, 3 / 4]);
    expect([alarms.sure.byRisk.HIGH.value, alarms.sure.byRisk.CRITICAL.value, alarms.sure.byRisk.EXTREME.value]).toEqual([1, 0, 1]);
    expect([alarms.sure.falseAlarms.value, alarms.doubtful.falseAlarms.value]).toEqual([1 / 8, 2 / 8]);
    expect([alarms.sure.precision.value, alarms.doubtful.precision.value]).toEqual([2 / 3, 3 / 5]);
    // one readback in ten is wrong: .1 · .5 / (.1 · .5 + .9 · .125)
    expect(alarms.sure.precisionAtBaseRate.value).toBeCloseTo(0.05 / 0.1625, 12);
  });
  test('an hour is one of right exchanges', () => {
    expect(hours).toBeCloseTo(80 / 3600, 12);
    expect(alarms.sure.falseAlarmsPerHour?.value).toBeCloseTo(45, 9);
    const quiet = detection(items.slice(0, 6), 0.1, { rounds: 10 }).alarms.sure.falseAlarmsPerHour;
    expect(quiet).toMatchObject({ value: 0, low: 0, by: '3/n' });
    expect(quiet?.high).toBeCloseTo(3 / (60 / 3600), 9);
  });
  test('a judge without verdicts is sure; without audio there are no hours', () => {
    const plain = detection([item('CORRECT', 'VALUE_HIGH'), item('VALUE_HIGH', 'VALUE_HIGH')], 0.01, { rounds: 5 });
    expect([plain.alarms.sure.found.value, plain.alarms.sure.falseAlarms.value, plain.hours, plain.alarms.sure.falseAlarmsPerHour]).toEqual([1, 1, undefined, undefined]);
  });
});

test('hearing: callsigns and values that are in what was said and in what was heard, time over audio', () => {
  const said = 'germania two one turn left heading two one zero descend flight level eight zero';
  const figures = scoreHeard(
    [
      { gold: { text: said }, text: said, ms: 100, seconds: 4 },
      { gold: { text: said }, text: said.replace('heading two one zero', 'heading two two zero'), ms: 300, seconds: 4 },
      { gold: { text: said }, text: said.replace('germania two one', 'germania two four'), ms: 200, seconds: 2 },
      { gold: { text: said }, text: null },
    ],
    { rounds: 20 },
  );
  expect([figures.callsign.value, figures.otherCallsign, figures.values.value, figures.slots.heading.value, figures.slots.heading.invented, figures.slots.level.value]).toEqual([0.5, 1, 5 / 8, 0.5, 1, 0.75]);
  expect([figures.ms, figures.realTimeFactor, figures.failed]).toEqual([{ p50: 200, p95: 300 }, 0.06, 1]);
  // two words of 14 exchanged, one transmission lost, of four times 14
  expect(figures.scores.wer.value).toBeCloseTo(16 / 56, 12);
});
