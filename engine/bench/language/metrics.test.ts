/** Expected values are worked out by hand. */
import { describe, expect, test } from 'vitest';
import { isNamed, labelledRole, namedBy } from './gold.js';
import { measureDialogues, measurePairs, measureReal, measureTimes, type WrittenDialogue } from './measure.js';
import { confusion, linksOf, pairing, quantile, share, times } from './metrics.js';
import { aimsOf, languageReport } from './report.js';

describe('shares', () => {
  test('the Wilson interval: 9 of 10 is .596 to .982', () => {
    // centre (.9 + .19207) / 1.38415 = .78898; half width 1.959964 √(.009 + .0096036) / 1.38415 = .19314
    const nine = share(9, 10);
    expect(nine.rate).toBe(0.9);
    expect(nine.low).toBeCloseTo(0.5958, 3);
    expect(nine.high).toBeCloseTo(0.9821, 3);
  });
  test('none in a hundred may still be 3.7 in a hundred; nothing counted says nothing', () => {
    expect(share(0, 100).low).toBe(0);
    expect(share(0, 100).high).toBeCloseTo(0.037, 3);
    expect(share(0, 0)).toMatchObject({ rate: null, low: 0, high: 1 });
  });
});

describe('pairing', () => {
  test('links: every instruction with every readback', () => {
    expect(linksOf({ instructions: ['1', '2'], readbacks: ['3', '4'] })).toEqual(['1>3', '1>4', '2>3', '2>4']);
    expect(linksOf({ instructions: ['1'], readbacks: [] })).toEqual([]);
  });
  test('three links found, two of them right, of four', () => {
    const found = [{ instructions: ['1'], readbacks: ['2'] }, { instructions: ['3'], readbacks: ['5'] }, { instructions: ['6'], readbacks: ['7'] }];
    const gold = [{ instructions: ['1'], readbacks: ['2'] }, { instructions: ['3'], readbacks: ['4'] }, { instructions: ['6'], readbacks: ['7', '8'] }];
    const result = pairing(found, gold);
    expect([result.precision.right, result.precision.of, result.recall.right, result.recall.of]).toEqual([2, 3, 2, 4]);
    expect([result.wrong, result.missed]).toEqual([['3>5'], ['3>4', '6>8']]);
  });
  test('what may be paired or not counts nowhere', () => {
    const found = [{ instructions: ['1'], readbacks: ['2'] }, { instructions: ['3'], readbacks: ['4'] }];
    const result = pairing(found, [{ instructions: ['1'], readbacks: ['2'] }], [{ instructions: ['3'], readbacks: ['4'] }]);
    expect([result.precision.of, result.recall.of, result.wrong]).toEqual([1, 1, []]);
  });
});

describe('counts and times', () => {
  test('confusion', () => {
    expect(confusion([['error', 'error'], ['error', 'uncertain'], ['correct', 'correct'], ['error', 'error']])).toEqual({ error: { error: 2, uncertain: 1 }, correct: { correct: 1 } });
  });
  test('quantiles by nearest rank', () => {
    expect([quantile([4, 1, 3, 2], 0.5), quantile([4, 1, 3, 2], 0.99), quantile([7], 0.5)]).toEqual([2, 4, 7]);
    expect(quantile([], 0.5)).toBeNaN();
  });
  test('one slow run of a quick input is no slow input', () => {
    expect(times([[1, 1, 50], [2, 3, 4]])).toEqual({ runs: 6, median: 2, p99: 50, longest: 50, slowest: 3 });
  });
});

describe('labels', () => {
  test('who speaks, by a corpus label', () => {
    expect(['ATCO tower', 'DLH5N', 'pilot', 'UNK-1', '', 'Crosstalk', 'OK-ABC'].map(labelledRole)).toEqual(['controller', 'pilot', 'pilot', 'unknown', 'unknown', 'unknown', 'pilot']);
  });
  test('callsigns by their words', () => {
    expect(namedBy(['oscar', 'kilo', 'alfa', 'bravo'])).toEqual(['OKAB']);
    expect(namedBy(['lufthansa', 'four', 'niner', 'x-ray'])).toContain('DLH49X');
    expect(namedBy(['heli', 'hotel', 'triple', 'golf'])).toEqual(['HGGG']);
    expect(namedBy(['starjet', 'four', 'one'])).toEqual(['STARJET41']);
    expect(namedBy(['climb', 'level'])).toEqual([]);
  });
  test('what counts as the callsign that was said', () => {
    expect(isNamed('DLH49X', ['DLH49X'])).toBe(true);
    expect(isNamed('DLH49', ['DLH49X'])).toBe(false);
    expect(isNamed('HBABC', ['HBC'])).toBe(true); // heard in full before
    expect(isNamed(null, ['HBC'])).toBe(false);
    // one listed aircraft fits the words: that one
    expect(isNamed('BC', ['BC'], ['HBABC', 'DLH1'])).toBe(false);
    expect(isNamed('HBABC', ['BC'], ['HBABC', 'DLH1'])).toBe(true);
    expect(isNamed('DLH1', ['BC'], ['HBABC', 'DLH1'])).toBe(false);
  });
});

describe('the measures on a few made-up items', () => {
  const pairs = [
    { id: 'a', profile: 'icao' as const, instruction: 'klm one two climb flight level niner zero', readback: 'climb flight level niner zero klm one two', verdict: ['correct'], error_type: ['CORRECT'] },
    { id: 'b', profile: 'icao' as const, instruction: 'klm one two climb flight level niner zero', readback: 'climb flight level eight zero klm one two', verdict: ['error'], error_type: ['VALUE_CRITICAL'] },
    // labelled wrongly on purpose: the measure must say so
    { id: 'c', profile: 'icao' as const, instruction: 'klm one two climb flight level niner zero', readback: 'climb flight level niner zero klm one two', verdict: ['error'], error_type: ['VALUE_CRITICAL'] },
  ];
  test('pairs', () => {
    const figures = measurePairs(pairs);
    expect([figures.right.right, figures.right.of, figures.found.right, figures.found.of, figures.noticed.right, figures.falseAlarms.right, figures.falseAlarms.of]).toEqual([2, 3, 1, 2, 1, 0, 1]);
    expect([figures.wrong, figures.verdicts]).toEqual([['c'], { correct: { correct: 1 }, error: { error: 1, correct: 1 } }]);
  });
  const dialogue = (id: string, readback: string): WrittenDialogue => ({ id, shows: 'D11', why: '', alerts: [], lines: [{ text: 'klm one two climb flight level niner zero' }, { text: 'climb flight level niner zero klm one two' }], exchanges: [{ instructions: ['1'], readbacks: [readback], verdict: 'correct' }] });
  test('dialogues', async () => {
    const figures = await measureDialogues([dialogue('right', '2'), dialogue('labelled-wrongly', '3')], 'icao', true);
    expect([figures.pairing.precision.right, figures.pairing.precision.of, figures.pairing.recall.right, figures.pairing.recall.of]).toEqual([1, 2, 1, 2]);
    expect([figures.wrong, figures.verdicts]).toEqual([['labelled-wrongly'], { correct: { correct: 1, 'not paired': 1 } }]);
  });
  const rows = ['klm one two climb flight level niner zero', 'climb flight level niner zero klm one two', 'klm one two', 'climb flight level eight zero klm one two'].map((text, i) => ({ id: String(i), recording: i < 3 ? 'one' : 'two', start: i * 10, end: i * 10 + 5, speaker: i % 2 === 0 ? 'ATCO' : 'KLM12', text, callsigns: ['KLM12'], hyp: { poor: text.replace('niner', 'eight') } }));
  const gold = { about: '', lines: 4, sha256: '', role: { controller: [], pilot: [], unsaid: [3] }, callsign: { unsaid: [], none: [], at: [[1, 0, 3], [2, 5, 8], [3, 0, 3], [4, 5, 8]] as [number, number, number][] }, exchanges: [[[1], [2], 'right']] as [number[], number[], 'right'][], neither: [] };
  const options = { words: 'text', list: false, labels: false, times: true, profile: 'icao' as const };
  test('real transmissions', async () => {
    const figures = await measureReal(rows, gold, options);
    expect([figures.role.said.right, figures.role.said.of, figures.role.all.of, figures.callsign.all.right, figures.callsign.all.of]).toEqual([3, 3, 4, 4, 4]);
    expect([figures.pairing.precision.rate, figures.pairing.recall.rate, figures.falseAlarms.right, figures.falseAlarms.of]).toEqual([1, 1, 0, 1]);
    expect((await measureReal(rows, gold, { ...options, words: 'poor' })).verdicts).toEqual({ right: { correct: 1 } });
  });
  test('the report has the figures and the aims, and no words of the data', async () => {
    const measured = { pairs: { made: measurePairs(pairs) }, dialogues: { timed: await measureDialogues([dialogue('right', '2')], 'icao', true) }, real: [await measureReal(rows, gold, options)], times: measureTimes(pairs, ['roger'], 2) };
    const aims = aimsOf(measured);
    expect(aims.find((aim) => aim.name === 'written errors noticed, made')).toMatchObject({ measured: 0.5, limit: 1, met: false });
    expect(aims.find((aim) => aim.name.startsWith('role'))).toMatchObject({ measured: 1, met: true });
    const report = languageReport({ made: 'today', machine: 'here', ...measured, aims });
    expect(report).toContain('1.000 (3/3;');
    for (const { text } of rows) expect(report + JSON.stringify(measured)).not.toContain(text.slice(0, 20));
    expect(languageReport({ made: '', machine: '', ...measured, real: [], aims })).toContain('Skipped');
  });
});
