import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERROR_TYPES, RISK_OF, type ErrorType } from '../../domain/taxonomy.js';
import { scoreTask2, type Judged, type JudgedItem } from './task2.js';

const judged = (error_type: ErrorType): Judged => ({ error_type, risk_level: RISK_OF[error_type], is_correct: RISK_OF[error_type] === 'CORRECT' });
const item = (gold: ErrorType, answer: ErrorType | null): JudgedItem => ({ gold: judged(gold), answer: answer === null ? null : judged(answer) });

describe('by hand', () => {
  const items = [item('CORRECT', 'CORRECT'), item('FILLER_CORRECT', 'CORRECT'), item('NUMBER_FORMAT', 'VALUE_CRITICAL'), item('VALUE_CRITICAL', 'VALUE_HIGH'), item('MULTI_ERROR', 'VALUE_CRITICAL'), item('MULTI_ERROR', null), item('CONSTRAINT_HIGH', 'CORRECT'), item('TARGET_CRITICAL', 'TARGET_CRITICAL')];
  const { scores, byType, risk, unreadable } = scoreTask2(items);
  test('rates', () => {
    // right: 1, 2, 4, 5, 8; levels right: 1, 2, 8; downgrades: 4 (1 level), 5 (1), 6 (3, unreadable), 7 (1)
    expect(scores.is_correct.value).toBe(5 / 8);
    expect(scores.rl_acc.value).toBe(3 / 8);
    expect(scores.ddr.value).toBe(4 / 8);
    expect(scores.wds.value).toBeCloseTo((1 / 3 + 1 / 3 + 1 + 1 / 3) / 8, 10);
    expect(scores.upgrade_rate.value).toBe(1 / 8);
    expect([scores.false_alarms.value, scores.false_alarms.of]).toEqual([1 / 3, 3]);
    expect([scores.missed.value, scores.missed.of]).toEqual([2 / 5, 5]);
    expect(unreadable).toBe(1);
  });
  test('types', () => {
    // CORRECT: 1 of gold 1, answered 3 → 1/2; TARGET 1; the other six that occur 0 (VALUE_HIGH is only answered)
    expect(byType.CORRECT.f1).toBeCloseTo(0.5, 10);
    expect(scores.et_f1.value).toBeCloseTo(1.5 / 8, 10);
  });
  test('risk matrix', () => {
    expect(risk.EXTREME).toEqual({ CORRECT: 0, HIGH: 0, CRITICAL: 1, EXTREME: 0, UNREADABLE: 1 });
    expect(Object.values(risk).flatMap((row) => Object.values(row)).reduce((sum, count) => sum + count, 0)).toBe(8);
  });
});

test('over-estimation is no downgrade; nothing found in n has 3/n as its bound', () => {
  const all = scoreTask2(ERROR_TYPES.map((type) => item(type, 'MULTI_ERROR')));
  expect([all.scores.ddr.value, all.scores.wds.value, all.scores.upgrade_rate.value]).toEqual([0, 0, 0.9]);
  expect(all.scores.ddr).toMatchObject({ low: 0, high: 0.3, by: '3/n' });
});

const anyItem = fc.tuple(fc.constantFrom(...ERROR_TYPES), fc.option(fc.constantFrom(...ERROR_TYPES))).map(([gold, answer]) => item(gold, answer));
test('DDR = 0 ⇔ WDS = 0; WDS between a third of DDR and DDR; the gold answered is perfect', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { minLength: 1, maxLength: 20 }), (items) => {
      const { ddr, wds } = scoreTask2(items, { rounds: 2 }).scores;
      expect(ddr.value === 0).toBe(wds.value === 0);
      expect(wds.value ?? -1).toBeLessThanOrEqual((ddr.value ?? 0) + 1e-12);
      expect(wds.value ?? -1).toBeGreaterThanOrEqual((ddr.value ?? 0) / 3 - 1e-12);
      const own = scoreTask2(items.map(({ gold }) => ({ gold, answer: gold })), { rounds: 2 }).scores;
      expect([own.is_correct.value, own.et_f1.value, own.rl_acc.value, own.ddr.value]).toEqual([1, 1, 1, 0]);
    }),
  );
});
