import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRequest } from './config.js';
import { AnswerLine, HeardLine, Task2Gold } from './items.js';
import { judgeByDifference } from './judges.js';
import { difference, readManifest } from './manifest.js';
import { mergeRuns } from './merge.js';
import { runBenchmark, type RunOptions } from './run.js';
import { scoreAnswers, scoreRun } from './score.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-run-'));
  mkdirSync(join(folder, 'data'));
  const pairs = Array.from({ length: 12 }, (_, i) => ({ id: `p${String(i)}`, instruction: `germania ${i % 2 === 0 ? 'two' : 'four'} one climb flight level two ${i < 6 ? 'one' : 'three'} zero`, readback: `climbing flight level two ${i % 3 === 0 ? 'one' : 'three'} zero germania ${i % 2 === 0 ? 'two' : 'four'} one`, is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT' }));
  writeFileSync(join(folder, 'data', 'task2.jsonl'), pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const bad: string[] = [];
const run = (changes: Partial<RunOptions> = {}, settings: Record<string, unknown> = {}) => {
  bad.length = 0;
  const request = readRequest({ tasks: ['task2'], ...settings }, folder, 'the test', { data: join(folder, 'data') });
  return runBenchmark(request, { out: join(folder, 'run'), retryErrors: false, progress: () => undefined, onBad: (task, line, why) => bad.push(`${task} ${String(line)}: ${why}`), onNotice: () => undefined, ...changes });
};
const FILE = join('text', 'rules', 'task2.jsonl');
const lines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter((line) => line !== '');
const answers = (name = 'run', file = FILE): AnswerLine[] => lines(join(folder, name, file)).map((line) => AnswerLine.parse(JSON.parse(line)));
const gold = (): Task2Gold[] => lines(join(folder, 'run', 'gold-task2.jsonl')).map((line) => Task2Gold.parse(JSON.parse(line)));
const withoutTimes = (all: readonly AnswerLine[]): unknown[] => all.map(({ id, answer }) => ({ id, answer }));
const counts = (changes: Record<string, number>) => ({ items: 12, first_time: 0, retried: 0, unreadable: 0, error: 0, skipped: 0, ...changes });

describe('a run', () => {
  test('goes on after a kill in the middle of a line: nothing lost, nothing twice, the same answers', async () => {
    await run();
    const whole = answers();
    expect(whole.map(({ id }) => id)).toEqual(gold().map(({ id }) => id));
    // as a kill leaves it: seven whole lines and half an eighth
    const written = readFileSync(join(folder, 'run', FILE), 'utf8').split('\n');
    writeFileSync(join(folder, 'run', FILE), `${written.slice(0, 7).join('\n')}\n${(written[7] ?? '').slice(0, 30)}`);
    const manifest = await run();
    expect(manifest.counts['text/rules']?.task2).toEqual(counts({ first_time: 12 }));
    expect(withoutTimes(answers())).toEqual(withoutTimes(whole));
    expect(manifest.starts).toHaveLength(2);
  });

  test('stops when told to and goes on', async () => {
    const controller = new AbortController();
    let steps = 0;
    await expect(run({ signal: controller.signal, progress: () => { if (++steps === 4) controller.abort(); } })).rejects.toThrow('Stopped');
    expect(answers()).toHaveLength(4);
    expect(readManifest(join(folder, 'run'))).toMatchObject({ ended: null, counts: { 'text/rules': { task2: counts({ first_time: 4, skipped: 8 }) } } });
    await run();
    expect(answers()).toHaveLength(12);
  });

  test('refuses to go on with other settings or other items, and names what differs', async () => {
    await run();
    await expect(run({}, { systems: [{ name: 'rules', judge: 'string-difference' }] })).rejects.toThrow(/"systems\[0\]\.judge" was "rules" and is "string-difference"/u);
    await expect(run({}, { limit: 3 })).rejects.toThrow(/"limit" was null and is 3/u);
    await expect(run({}, { seed: 2 })).rejects.toThrow(/"seed" was 1 and is 2/u);
    await expect(run({ shard: { index: 1, of: 2 } })).rejects.toThrow(/"shard"/u);
    appendFileSync(join(folder, 'data', 'task2.jsonl'), '\n');
    await expect(run()).rejects.toThrow(/"data\.task2" was/u);
    expect(answers()).toHaveLength(12);
  });

  test('answers again what was heard before when told to, and only where hearing is the same', async () => {
    await run();
    const whole = answers();
    const path = join(folder, 'run', 'manifest.json');
    const other = readManifest(join(folder, 'run'));
    writeFileSync(path, JSON.stringify({ ...other, config: { ...other.config, code: 'of other rules' } }));
    writeFileSync(join(folder, 'run', FILE), whole.map((line) => `${JSON.stringify({ ...line, answer: undefined, error: 'of other rules' })}\n`).join(''));
    await expect(run()).rejects.toThrow(/"code" was "of other rules"/u);
    const manifest = await run({ answerAgain: true });
    expect(manifest).toMatchObject({ config: { code: other.config.code }, counts: { 'text/rules': { task2: counts({ first_time: 12 }) } } });
    expect(manifest.starts).toHaveLength(2);
    expect(withoutTimes(answers())).toEqual(withoutTimes(whole));
    // another judge answers other files; what the old one said is gone
    await run({ answerAgain: true }, { systems: [{ name: 'words', judge: 'string-difference' }] });
    expect(existsSync(join(folder, 'run', FILE))).toBe(false);
    expect(answers('run', join('text', 'words', 'task2.jsonl'))).toHaveLength(12);
    // what hearing depends on
    await expect(run({ answerAgain: true }, { seed: 2 })).rejects.toThrow(/cannot keep what it heard: "seed" was 1 and is 2/u);
    expect(answers('run', join('text', 'words', 'task2.jsonl'))).toHaveLength(12);
  });

  test('is made by one process at a time; what a killed one leaves behind is no hindrance', async () => {
    mkdirSync(join(folder, 'run'));
    // the parent of this process lives for as long as the test does
    writeFileSync(join(folder, 'run', 'lock'), `${(await import('node:os')).hostname()} ${String(process.ppid)}`);
    await expect(run()).rejects.toThrow(`going on in process ${String(process.ppid)}`);
    writeFileSync(join(folder, 'run', 'lock'), `${(await import('node:os')).hostname()} 999999999`);
    await run();
    expect(existsSync(join(folder, 'run', 'lock'))).toBe(false);
  });

  test('asks again for failures and unreadable answers, and only when told to', async () => {
    await run();
    const failed = lines(join(folder, 'run', FILE)).map((line, i) => (i === 2 || i === 9 ? JSON.stringify({ id: `p${String(i)}`, ms: 1, error: 'The server did not answer.' }) : i === 5 ? JSON.stringify({ id: 'p5', ms: 1, answer: 'is_correct: probably' }) : line));
    writeFileSync(join(folder, 'run', FILE), `${failed.join('\n')}\n`);
    expect(scoreAnswers('task2', gold(), answers(), { rounds: 2 })).toMatchObject({ items: 12, failed: 2, missing: 0, unreadable: 1 });
    expect((await run()).counts['text/rules']?.task2).toEqual(counts({ first_time: 9, error: 2, unreadable: 1 }));
    expect((await run({ retryErrors: true })).counts['text/rules']?.task2).toEqual(counts({ first_time: 9, retried: 3 }));
    const mended = scoreAnswers('task2', gold(), answers(), { rounds: 2 });
    expect(mended).toMatchObject({ items: 12, failed: 0, missing: 0, unreadable: 0 });
    // the figures of one clean run
    await run({ out: join(folder, 'clean') });
    expect(mended.scores).toEqual(scoreAnswers('task2', gold(), answers('clean'), { rounds: 2 }).scores);
  });

  test('leaves out broken and repeated lines and says which', async () => {
    appendFileSync(join(folder, 'data', 'task2.jsonl'), '{"id": "x"}\nnot json\n{"id":"p0","instruction":"a","readback":"b","is_correct":true,"error_type":"CORRECT","risk_level":"CORRECT"}\n');
    await run();
    expect(bad).toEqual([expect.stringMatching(/^task2 13: "is_correct": /u), 'task2 14: it is not JSON', 'task2 15: it repeats the id "p0"']);
    expect(answers()).toHaveLength(12);
  });
});

describe('shards', () => {
  test('put together are the run that was never divided, whatever the order of their folders', async () => {
    await run();
    for (const index of [1, 2, 3]) await run({ out: join(folder, `part${String(index)}`), shard: { index, of: 3 } });
    expect(answers('part2').map(({ id }) => id)).toEqual(['p1', 'p4', 'p7', 'p10']);
    await expect(mergeRuns([join(folder, 'part1'), join(folder, 'part3')], join(folder, 'whole'), false)).rejects.toThrow('Shard 2/3 is missing');
    await expect(mergeRuns([1, 1, 2, 3].map((index) => join(folder, `part${String(index)}`)), join(folder, 'whole'), false)).rejects.toThrow('Shard 1/3 is there twice');
    const merged = await mergeRuns([3, 1, 2].map((index) => join(folder, `part${String(index)}`)), join(folder, 'whole'), false);
    expect(withoutTimes(answers('whole'))).toEqual(withoutTimes(answers()));
    expect(merged.config).toEqual(readManifest(join(folder, 'run')).config);
    expect(merged.counts).toEqual(readManifest(join(folder, 'run')).counts);
    const scored = async (name: string) => (await scoreRun(join(folder, name), { rounds: 20 })).conditions.map(({ condition, tasks }) => ({ condition, scores: tasks.task2?.scores, counts: tasks.task2?.counts }));
    expect(await scored('whole')).toEqual(await scored('run'));
  });

  test('of different runs are refused, with the field; a part that has not ended is merged only when asked for', async () => {
    await run({ out: join(folder, 'part1'), shard: { index: 1, of: 2 } });
    await run({ out: join(folder, 'other'), shard: { index: 2, of: 2 } }, { limit: 6 });
    await expect(mergeRuns([join(folder, 'part1'), join(folder, 'other')], join(folder, 'whole'), false)).rejects.toThrow(/"limit" was null and is 6/u);
    await expect(mergeRuns([join(folder, 'part1')], join(folder, 'whole'), false)).rejects.toThrow('Shard 2/2 is missing');
    const partial = await mergeRuns([join(folder, 'part1')], join(folder, 'run'), true);
    expect([partial.ended, partial.counts['text/rules']?.task2]).toEqual([null, counts({ first_time: 6, skipped: 6 })]);
    // and can be gone on with
    expect((await run()).counts['text/rules']?.task2).toEqual(counts({ first_time: 12 }));
  });
});

describe('inputs', () => {
  const hypotheses = (changes: (id: string, part: string, text: string) => object | undefined): string => {
    const path = join(folder, 'heard.jsonl');
    const data = lines(join(folder, 'data', 'task2.jsonl')).map((line) => Task2Gold.parse(JSON.parse(line)));
    writeFileSync(path, data.flatMap((pair) => (['instruction', 'readback'] as const).flatMap((part) => { const line = changes(pair.id, part, pair[part]); return line === undefined ? [] : [JSON.stringify(line)]; })).join('\n'));
    return path;
  };

  test('recorded hypotheses: heard in place of the text, kept in the run, scored against it; what has none is left out', async () => {
    hypotheses((id, part, text) => (id === 'p11' ? undefined : { id, part, text: text.replace('germania', 'romania'), seconds: 3, ms: 30 }));
    const settings = { inputs: ['text', { recorded: 'heard.jsonl', name: 'other' }] };
    const manifest = await run({}, settings);
    expect(manifest.counts['other/rules']?.task2).toEqual(counts({ first_time: 11, skipped: 1 }));
    expect(lines(join(folder, 'run', 'other', 'heard-task2.jsonl'))).toHaveLength(22);
    const { conditions, heard } = await scoreRun(join(folder, 'run'), { rounds: 20 });
    expect(conditions.map(({ condition, tasks }) => [condition, tasks.task2?.items])).toEqual([['text/rules', 12], ['other/rules', 11]]);
    // one word of nine in every half
    expect(heard[0]?.tasks.task2).toMatchObject({ transmissions: 22, seconds: 66, realTimeFactor: 0.01 });
    expect(heard[0]?.tasks.task2?.scores.wer.value).toBeCloseTo(1 / 9, 10);
    // changed hypotheses are another run
    hypotheses((id, part, text) => ({ id, part, text }));
    await expect(run({}, settings)).rejects.toThrow(/"inputs\[1\]\.sha256"/u);
  });

  test('what could not be heard is a failure of the answer, and heard again when asked for', async () => {
    hypotheses((id, part, text) => (id === 'p1' && part === 'readback' ? { id, part, error: 'the recogniser stopped' } : { id, part, text }));
    const settings = { inputs: [{ recorded: 'heard.jsonl', name: 'other' }] };
    expect((await run({}, settings)).counts['other/rules']?.task2).toEqual(counts({ first_time: 11, error: 1 }));
    expect(answers('run', join('other', 'rules', 'task2.jsonl'))[1]).toMatchObject({ id: 'p1', error: 'It was not heard: the recogniser stopped' });
    // heard after all
    appendFileSync(join(folder, 'run', 'other', 'heard-task2.jsonl'), `${JSON.stringify({ id: 'p1', part: 'readback', text: 'climbing flight level two three zero germania four one' })}\n`);
    expect((await run({ retryErrors: true }, settings)).counts['other/rules']?.task2).toEqual(counts({ first_time: 11, retried: 1 }));
  });

  test('a line that is no hypothesis is told by its number', async () => {
    writeFileSync(join(folder, 'heard.jsonl'), '{"id":"p0","part":"instruction","text":"x"}\n{"id":"p1","text":"x"}\n');
    await expect(run({}, { inputs: [{ recorded: 'heard.jsonl', name: 'other' }] })).rejects.toThrow(/heard\.jsonl, line 2: "part" is missing/u);
    await expect(run({ out: join(folder, 'b') }, { inputs: [{ recorded: 'nothing.jsonl', name: 'other' }] })).rejects.toThrow(/nothing\.jsonl does not exist/u);
  });

  test('hypotheses that stand beside the gold', async () => {
    const data = lines(join(folder, 'data', 'task2.jsonl')).map((line) => ({ ...Task2Gold.parse(JSON.parse(line)), hypotheses: { instruction: 'germania two one climb flight level two one zero', readback: 'climbing flight level two one zero germania two one' } }));
    writeFileSync(join(folder, 'data', 'task2.jsonl'), data.map((each) => `${JSON.stringify(each)}\n`).join(''));
    await run({}, { inputs: ['hypotheses'] });
    expect(answers('run', join('hypotheses', 'rules', 'task2.jsonl')).every(({ answer }) => (answer as { error_type: string }).error_type === 'CORRECT')).toBe(true);
    expect(HeardLine.parse(JSON.parse(lines(join(folder, 'run', 'hypotheses', 'heard-task2.jsonl'))[1] ?? ''))).toMatchObject({ part: 'readback' });
  });
});

describe('scoring', () => {
  const item = (id: string, error_type: 'CORRECT' | 'MULTI_ERROR'): Task2Gold => ({ id, instruction: '', readback: '', error_type, is_correct: error_type === 'CORRECT', risk_level: error_type === 'CORRECT' ? 'CORRECT' : 'EXTREME' });
  test('missing, failed and unreadable answers score 0 and count as the dangerous reading; the last line of an id counts', () => {
    const items = [item('a', 'MULTI_ERROR'), item('b', 'MULTI_ERROR'), item('c', 'MULTI_ERROR'), item('d', 'MULTI_ERROR')];
    const right = { is_correct: false, error_type: 'MULTI_ERROR', risk_level: 'EXTREME' };
    const scored = scoreAnswers('task2', items, [AnswerLine.parse({ id: 'a', answer: 'I think it is fine' }), AnswerLine.parse({ id: 'b', error: 'timeout' }), AnswerLine.parse({ id: 'd', answer: null }), AnswerLine.parse({ id: 'd', ...right }), AnswerLine.parse({ id: 'z', answer: right })], { rounds: 2 });
    expect(scored).toMatchObject({ items: 4, missing: 1, failed: 1, unreadable: 1, unknown: 1, risk: { EXTREME: { EXTREME: 1, UNREADABLE: 3 } } });
    expect([scored.scores['ddr']?.value, scored.scores['wds']?.value, scored.scores['is_correct']?.value]).toEqual([0.75, 0.75, 0.25]);
  });

  test('all four tasks are read', () => {
    const ground = { id: 'g', speaker: 'pilot', intention: 'readback', action: 'HOLD', entities: [{ type: 'Callsign', text: 'germania one' }] } as const;
    expect(scoreAnswers('ground', [{ ...ground, entities: [{ type: 'callsign', text: 'germania one' }] }], [AnswerLine.parse(ground)], { rounds: 2 }).scores['risk_strict']?.value).toBe(1);
    expect(scoreAnswers('speech', [{ id: 's', text: 'hold short' }], [AnswerLine.parse({ id: 's', text: 'old short' })], { rounds: 2 }).scores['wer']?.value).toBe(0.5);
    const chunks = { id: 't', utterance: 'climb', utterance_action: ['altitude_control'], tokens: [{ text: 'climb', label: 'altitude_control' }] };
    expect(scoreAnswers('task1', [chunks], [AnswerLine.parse(chunks)], { rounds: 2 }).scores['strict']?.value).toBe(1);
  });

  test('with another normaliser, a slot that is written otherwise is the same slot', () => {
    const chunks = (text: string) => ({ id: 't', utterance: '', utterance_action: ['altitude_control'], tokens: [{ text: 'climb', label: 'altitude_control' }, { text, label: 'altitude' }] });
    const strict = (normaliser: 'written' | 'atc-1') => scoreAnswers('task1', [chunks('flight level two four zero')], [AnswerLine.parse(chunks('FL240'))], { rounds: 2, normaliser }).scores['strict']?.value;
    expect([strict('written'), strict('atc-1')]).toEqual([0, 1]);
  });
});

test('the difference of words: the same words are right in any order, hesitations aside', () => {
  expect(judgeByDifference('climb now germania one', 'uh germania one climb now').error_type).toBe('FILLER_CORRECT');
  expect(judgeByDifference('germania one climb flight level two', 'climb flight level three germania one').error_type).toBe('VALUE_CRITICAL');
  expect(judgeByDifference('germania one climb when ready', 'climb germania one').error_type).toBe('CONSTRAINT_HIGH');
});

test('the first field that differs is named by its path, with both values', () => {
  expect(difference({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toBe('"a[1].b" was 2 and is 3');
  expect(difference({ a: 1 }, { a: 1, c: null })).toBe('"c" was absent and is null');
  expect(difference({ a: [1] }, { a: [1] })).toBeUndefined();
});
