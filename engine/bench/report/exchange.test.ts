import { describe, expect, test } from 'vitest';
import { ctmLines, junit, stmLine, trnLine } from './exchange.js';
import { checkLimits, limitSentence, readLimit, type Measured } from './limits.js';
import { PUBLISHED } from './published.js';

const estimate = (value: number) => ({ value, low: value, high: value, of: 10, by: 'bootstrap' }) as const;
const measured: Measured = [
  { condition: 'text/rules', tasks: { task2: { task: 'task2', scores: { ddr: estimate(0.02), is_correct: estimate(0.9) } } } },
  { condition: '0dB/rules', tasks: { task2: { task: 'task2', scores: { ddr: estimate(0.2) } } } },
];
const limit = (text: string, kind: 'min' | 'max') => readLimit(text, kind) ?? { score: '', kind, value: Number.NaN };

describe('limits', () => {
  test('are of the first condition that has the score, unless they name one', () => {
    const checked = checkLimits([limit('ddr=0.05', 'max'), limit('0dB/rules:task2.ddr=0.05', 'max'), limit('task2.is_correct=0.9', 'min')], measured);
    expect(checked.map(({ condition, met }) => [condition, met])).toEqual([['text/rules', true], ['0dB/rules', false], ['text/rules', true]]);
    expect(checked.map(limitSentence)[1]).toBe('0dB/rules:task2.ddr is .2000; at most 0.05 was asked for.');
    const xml = junit(checked);
    expect(xml).toContain('tests="3" failures="1"');
    expect(xml.match(/<failure /gu)).toHaveLength(1);
  });
  test('of what was not measured, or in no form, are refused', () => {
    expect(() => checkLimits([limit('wer=0.1', 'max')], measured)).toThrow(/No score is called "wer"/u);
    expect(['ddr', '=1', 'ddr=', 'ddr=x'].map((text) => readLimit(text, 'max'))).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('what sclite reads', () => {
  const spoken = { id: 'task2-t2 (1)-readback', reference: 'climb now', said: 'climb now sir', seconds: 3 };
  test('trn, stm, ctm', () => {
    expect(trnLine('climb now', spoken.id)).toBe('climb now (task2-t2_1_-readback)\n');
    expect(trnLine('', 'a')).toBe('(a)\n');
    expect(stmLine(spoken)).toBe('task2-t2_1_-readback 1 task2-t2_1_-readback 0.000 3.000 climb now\n');
    expect(ctmLines(spoken)).toBe(['0.000 1.000 climb', '1.000 1.000 now', '2.000 1.000 sir'].map((line) => `task2-t2_1_-readback 1 ${line}\n`).join(''));
    expect(ctmLines({ ...spoken, words: [{ text: 'climb now', start: 0.5, end: 1.5, confidence: 0.9 }] })).toBe('task2-t2_1_-readback 1 0.500 0.500 climb 0.900\ntask2-t2_1_-readback 1 1.000 0.500 now 0.900\n');
  });
});

test('published rows: as many as the tables have, every column a share, the best ones where the papers say', () => {
  expect([PUBLISHED.task1?.rows.length, PUBLISHED.task2?.rows.length, PUBLISHED.ground?.rows.length]).toEqual([18, 13, 16]);
  for (const table of Object.values(PUBLISHED)) for (const { values } of table.rows) for (const value of Object.values(values)) expect(value >= 0 && value <= 1).toBe(true);
  const best = (task: 'task1' | 'task2' | 'ground', key: string, pick: (...values: number[]) => number) => pick(...(PUBLISHED[task]?.rows ?? []).map(({ values }) => values[key] ?? Number.NaN));
  // arXiv 2608.24621, abstract and section 6; arXiv 2605.11769, abstract
  expect([best('task1', 'ar_geo', Math.max), best('task2', 'is_correct', Math.max), best('task2', 'ddr', Math.min), best('ground', 'risk_score', Math.max), best('ground', 'risk_strict', Math.max)]).toEqual([0.707, 0.946, 0.023, 0.6922, 0.424]);
});
