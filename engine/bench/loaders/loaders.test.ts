import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { storeSample } from '../../../test/support/session.js';
import { readAudio } from '../../audio/index.js';
import { packageRoot } from '../../models/index.js';
import { exportSession } from '../../session/index.js';
import { GOLD, type Task } from '../run/items.js';
import { importBenchmark } from './import.js';
import { loadBenchmark, type Bad, type BenchItem, type Format, type LoadOptions } from './index.js';
import { spokenWords } from './text.js';

const root = join(packageRoot(), 'fixtures', 'layouts');
const scratch = mkdtempSync(join(tmpdir(), 'hearback layouts '));
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

/** All items, and what was left out as "FILE:LINE why". */
async function load(path: string, format: Format, options: Omit<LoadOptions, 'onBad'> = {}): Promise<{ items: BenchItem[]; bad: string[] }> {
  const bad: string[] = [];
  const items: BenchItem[] = [];
  for await (const item of loadBenchmark(path, format, { ...options, onBad: ({ where, line, why }: Bad) => bad.push(`${where}${line === undefined ? '' : `:${String(line)}`} ${why}`) })) items.push(item);
  return { items, bad };
}
const texts = (items: readonly BenchItem[]): unknown[] => items.map(({ gold }) => ('text' in gold ? gold.text : 'readback' in gold ? [gold.instruction, gold.readback] : gold.utterance));
const sounds = (items: readonly BenchItem[]): unknown[] => items.map(({ gold }) => [gold.audio?.utterance?.start, gold.audio?.utterance?.end]);

describe('recordings and their words', () => {
  test('ATCO2: segments of the XML, who speaks, callsigns nearby; what is foreign, not understood or turned round is told by line', async () => {
    const { items, bad } = await load(join(root, 'atco2'), 'atco2');
    expect(texts(items)).toEqual(['tailwind six two wind calm runway two four cleared to land', 'runway two four cleared to land wind six two']);
    expect(sounds(items)).toEqual([[0, 2.84], [3.04, 5.45]]);
    expect(items.map(({ around }) => around)).toEqual([{ role: 'controller', callsigns: ['TWI62', 'MAH41'] }, { role: 'pilot', callsigns: ['TWI62', 'MAH41'] }]);
    expect(new Set(items.map(({ gold }) => gold.recording))).toEqual(new Set(['DATA/LKXX_KOBRA_Tower_118_100MHz_20260301_101500']));
    const file = join('DATA', 'LKXX_KOBRA_Tower_118_100MHz_20260301_101500.xml');
    expect(bad).toEqual([`${file}:26 it is not in English`, `${file}:34 it ends at 5.5 s and begins at 5.6 s`, `${file}:41 a part of it was not understood by whoever wrote it down`]);
    // the stretches are there
    const whole = await readAudio(items[0]?.gold.audio?.utterance?.file ?? '');
    expect(whole.length / 16_000).toBeCloseTo(5.65, 1);
  });
  test('ATCO2 and others as segment lists (Kaldi)', async () => {
    for (const format of ['atco2', 'kaldi'] as const) {
      const { items, bad } = await load(join(root, 'atco2-lists'), format);
      expect(texts(items)).toEqual(['porter nine hold position', 'holding porter nine']);
      expect(sounds(items)).toEqual([[0, 1.26], [1.46, 2.46]]);
      expect(items.map(({ around }) => around)).toEqual([{ role: 'controller', callsigns: ['POE9', 'MAH41'] }, { role: 'pilot', callsigns: ['POE9', 'MAH41'] }]);
      expect(bad).toEqual(['text:3 the sound of "rec2" is a command; only files are read', 'text:4 the segment "rec1-C-000250-000240" ends at 2.4 and begins at 2.5', 'text:5 segments has no "rec1-D-000000-000100"']);
    }
  });
  test('ATCOSIM: two trees', async () => {
    const { items, bad } = await load(join(root, 'atcosim'), 'atcosim');
    expect(texts(items)).toEqual(['malev four one contact radar']);
    expect(items[0]?.gold.id).toBe('WAVdata/zf1/zf1_01/zf1_01_001');
    expect(bad).toEqual([`${join('TXTdata', 'zf1', 'zf1_01', 'zf1_01_002.txt')} a part of it was not understood by whoever wrote it down`, `${join('WAVdata', 'zf1', 'zf1_01', 'zf1_01_003.wav')} it has no .txt of the same name beside it`]);
  });
  test('UWB-ATCC: Transcriber in Windows-1250, sides, letters and figures as they are written there', async () => {
    const { items, bad } = await load(join(root, 'uwb'), 'uwb');
    expect(texts(items)).toEqual(['cubana two descend flight level eight zero', 'descending eight zero cubana two']);
    expect(sounds(items)).toEqual([[0, 1.92], [1.92, 3.54]]);
    expect(items.map(({ around }) => around.role)).toEqual(['controller', 'pilot']);
    expect(bad).toEqual([`${join('transcripts', 'a0001.trs')}:11 it is not in English`, `${join('transcripts', 'a0001.trs')}:13 a part of it was not understood by whoever wrote it down`]);
  });
  test('a folder of recordings with TXT, STM or TextGrid', async () => {
    const { items, bad } = await load(join(root, 'folder'), 'folder');
    expect(texts(items)).toEqual(['jazeera five squawk four two two one', 'corsair seven say again', 'volotea three line up', 'lining up volotea three']);
    expect(sounds(items)).toEqual([[undefined, undefined], [0, 1.2], [0, 1.12], [1.32, 2.63]]);
    expect(items.map(({ around }) => around.role)).toEqual([undefined, undefined, 'controller', 'pilot']);
    expect(bad).toEqual(['no-words.wav it has no .txt, .xml, .stm, .TextGrid, .trs of the same name beside it', 'two.stm:4 it is not `file channel speaker start end words`']);
  });
  test('a TextGrid in its short form; points are no intervals', async () => {
    const folder = join(scratch, 'short');
    cpSync(join(root, 'folder', 'three.wav'), join(folder, 'a.wav'));
    writeFileSync(join(folder, 'a.TextGrid'), 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1.27\n<exists>\n2\n"TextTier"\n"key"\n0\n1.27\n1\n1.2\n"pressed"\n"IntervalTier"\n"words"\n0\n1.27\n3\n0\n0.4\n"corsair"\n0.4\n0.6\n""\n0.6\n1.27\n"seven"\n');
    const { items, bad } = await load(folder, 'folder');
    expect(texts(items)).toEqual(['corsair', 'seven']);
    expect(sounds(items)).toEqual([[0, 0.4], [0.6, 1.27]]);
    expect(bad).toEqual([]);
  });
  test('the audio folder of Hugging Face', async () => {
    const { items, bad } = await load(join(root, 'huggingface'), 'huggingface');
    expect(texts(items)).toEqual(['israir one taxi to stand four']);
    expect(items[0]?.gold.audio?.utterance?.file).toBe(join(root, 'huggingface', 'clip-1.wav'));
    expect(bad).toEqual(['metadata.csv:3 "text" does not fit (Invalid input: expected string, received undefined)']);
  });
  test('XML that is broken is told by line, and what stood before is kept', async () => {
    const folder = join(scratch, 'broken');
    cpSync(join(root, 'atco2'), folder, { recursive: true });
    const file = join(folder, 'DATA', 'LKXX_KOBRA_Tower_118_100MHz_20260301_101500.xml');
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, 17).join('\n'));
    const { items, bad } = await load(folder, 'atco2');
    expect(items).toHaveLength(1);
    expect(bad).toHaveLength(1);
    expect(bad[0]).toMatch(/\.xml:17 the XML is broken from here/u);
  });
});

describe('tables with names of their own', () => {
  const fields = { id: 'nr', instruction: 'controller', readback: 'pilot', error_type: 'verdict', 'audio.instruction.file': 'sound_controller', 'audio.readback.file': 'sound_pilot', 'hypotheses.readback': 'asr_pilot' };
  test('CSV', async () => {
    const { items, bad } = await load(join(root, 'table', 'pairs.csv'), 'table', { mapping: { task: 'task2', fields } });
    expect(items).toHaveLength(2);
    expect(items[0]?.gold).toEqual({
      id: '1', instruction: 'midland six, climb five thousand feet', readback: 'climbing five thousand, midland six', is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT',
      audio: { instruction: { file: join(root, 'table', 'pair-1-i.wav') }, readback: { file: join(root, 'table', 'pair-1-r.wav') } },
      hypotheses: { readback: 'climbing nine thousand midland six' },
    });
    expect(items[1]?.gold).toMatchObject({ id: '2', is_correct: false, risk_level: 'CRITICAL' });
    expect(items[1]?.gold.audio).toBeUndefined();
    expect(bad).toEqual(['pairs.csv:4 it has 3 fields of 7', 'pairs.csv:5 "error_type" is "ALRIGHT", which the taxonomy has not']);
  });
  test('JSON lines', async () => {
    const { items, bad } = await load(join(root, 'table', 'words.jsonl'), 'table', { mapping: { task: 'speech', fields: { text: 'sentence', 'audio.utterance.file': 'wav', 'audio.utterance.start': 'from', 'audio.utterance.end': 'to', 'hypotheses.utterance': 'asr.small' } } });
    expect(items.map(({ gold }) => gold)).toEqual([{ id: 'words-1', text: 'midland six climb five thousand feet', audio: { utterance: { file: join(root, 'table', 'pair-1-i.wav'), start: 0, end: 1.72 } }, hypotheses: { utterance: 'midland six climb nine thousand feet' } }]);
    expect(bad[0]).toBe('words.jsonl:2 it has no "sentence"');
    expect(bad[1]).toMatch(/^words\.jsonl:3 it is not JSON/u);
  });
  test('a table without a mapping is refused', async () => {
    await expect(load(join(root, 'table', 'pairs.csv'), 'table')).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('the layout of the authors of arXiv 2608.24621', () => {
  test('Task 1: chats and plain objects (K.1)', async () => {
    const { items, bad } = await load(join(root, 'paper', 'task1.jsonl'), 'paper');
    expect(items.map(({ task, gold }) => [task, gold.id, 'utterance_action' in gold ? gold.utterance_action : undefined])).toEqual([['task1', 'task1-1', ['altitude_control']], ['task1', 'task1-2', []]]);
    expect(texts(items)).toEqual(['iran air two climb flight level nine zero', 'yemeni three say again']);
    expect(bad[0]).toBe('task1.jsonl:3 the gold is of another utterance than the one that is asked about');
    expect(bad[1]).toMatch(/^task1\.jsonl:4 it is not JSON/u);
    expect(bad).toHaveLength(2);
  });
  test('Task 2: a JSON array of chats in both common spellings, examples before the pair; gold that contradicts itself is refused', async () => {
    const { items, bad } = await load(join(root, 'paper', 'task2.json'), 'paper');
    expect(texts(items)).toEqual([['wideroe five one turn right heading zero four zero', 'right heading zero five zero wideroe five one'], ['wideroe five one maintain flight level one four zero', 'maintaining one four zero wideroe five one']]);
    expect(items.map(({ gold, around }) => ['error_type' in gold ? gold.error_type : '', around.affected_slot, around.explanation])).toEqual([['VALUE_CRITICAL', 'heading', '050 instead of 040.'], ['CORRECT', null, 'As instructed.']]);
    expect(bad).toEqual(['task2.json entry 3: the assistant message is not one JSON object', 'task2.json entry 4: "is_correct" is true, but VALUE_HIGH is HIGH']);
  });
});

describe('our own layout', () => {
  test('lines of any task, told by their fields', async () => {
    const { items, bad } = await load(join(root, 'hearback.jsonl'), 'hearback');
    expect(items.map(({ task, gold }) => [task, gold.id])).toEqual([['task2', 'a'], ['ground', 'b'], ['speech', 'c']]);
    expect(items[0]?.gold).toMatchObject({ is_correct: true, risk_level: 'CORRECT', recording: 'evening', audio: { readback: { file: join(root, 'folder', 'one.wav'), start: 0.5, end: 1.5 } }, hypotheses: { readback: 'descending tree thousand clipper four' } });
    expect(items[2]).toMatchObject({ gold: { text: 'clipper four one two one decimal nine' }, around: { role: 'controller', callsigns: ['PAA4'] } });
    expect(bad).toEqual(['hearback.jsonl:4 it is no item: it has neither tokens, nor instruction and readback, nor entities, nor text', 'hearback.jsonl:5 "is_correct" is false, but CORRECT is CORRECT']);
  });
  test('the frozen benchmark: every line', async () => {
    const { items, bad } = await load(join(packageRoot(), 'fixtures', 'bench'), 'hearback');
    expect(bad).toEqual([]);
    const counts: Partial<Record<Task, number>> = {};
    for (const { task } of items) counts[task] = (counts[task] ?? 0) + 1;
    expect(counts).toEqual({ task1: 500, task2: 1000, ground: 1000 });
  });
});

test('exported sessions: what a reviewer decided is the gold, what the recogniser wrote the hypothesis', async () => {
  const folder = join(scratch, 'session');
  storeSample(folder);
  const { path } = exportSession(folder, 'jsonl', { out: join(folder, 'session.jsonl') });
  const { items, bad } = await load(path ?? '', 'session');
  expect(items.map(({ gold }) => gold)).toEqual([
    {
      id: 'e04', recording: 'Úžice tower and approach, evening.wav', instruction: 'novak seven seven hold short of runway two four at bravo', readback: 'roger novak seven seven', is_correct: false, error_type: 'OMISSION_CRITICAL', risk_level: 'CRITICAL',
      hypotheses: { instruction: 'novak seven seven hold short of runway two four at bravo', readback: 'roger novak seven seven' },
      audio: { instruction: { file: join(folder, 'audio', 't007.wav') }, readback: { file: join(folder, 'audio', 't008.wav') } },
    },
    {
      // the reviewer corrected the readback's text, and overruled TARGET_CRITICAL
      id: 'e11', recording: 'Úžice tower and approach, evening.wav', instruction: 'skybird three one eight wind two five zero one two knots runway two four cleared to land', readback: 'runway two four cleared to land skybird three one eight', is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT',
      hypotheses: { instruction: 'skybird three one eight wind two five zero one two knots runway two four cleared to land', readback: 'runway two four cleared to land skybird three eight one' },
      audio: { instruction: { file: join(folder, 'audio', 't021.wav') }, readback: { file: join(folder, 'audio', 't022.wav') } },
    },
  ]);
  expect(bad).toEqual(['session.jsonl 10 exchanges that nobody reviewed']);
});

test('an import is a folder that can be run: its lines fit, and load again as they were', async () => {
  const out = join(scratch, 'imported');
  const told: string[] = [];
  const counts = await importBenchmark(join(root, 'atco2'), 'atco2', out, { onBad: ({ why }) => told.push(why) });
  expect(counts).toEqual({ items: { speech: 2 }, left_out: 3 });
  expect(told).toHaveLength(3);
  for (const line of readFileSync(join(out, 'speech.jsonl'), 'utf8').trimEnd().split('\n')) expect(GOLD.speech.safeParse(JSON.parse(line)).success).toBe(true);
  expect((await load(out, 'hearback')).items).toEqual((await load(join(root, 'atco2'), 'atco2')).items);
  await expect(importBenchmark(join(root, 'atco2'), 'atco2', out, { onBad: () => undefined })).rejects.toMatchObject({ code: 'usage' });
});

test('what is not there is said', async () => {
  await expect(load(join(root, 'nowhere'), 'atco2')).rejects.toMatchObject({ code: 'not-found' });
  await expect(load(join(root, 'paper'), 'folder')).rejects.toMatchObject({ code: 'empty' });
  await expect(load(join(root, 'folder'), 'huggingface')).rejects.toMatchObject({ code: 'not-found' });
});

test.each([
  // the cases of training/adapt/test_adapt.py
  ['Contact Tower 118.35, Speedbird 12', 'contact tower one one eight decimal three five speedbird one two'],
  ['[#callsign]Oscar Kilo[/#callsign] descend [HNOISE] <s>', 'oscar kilo descend'],
  ['@zurich ~k~l~m tr= <FL> guten tag </FL> five', 'zurich klm tr five'],
  ['[ground_|] (CSA(see es ay)) one [|_air]', 'csa one'],
  ['niner tree alpha centre', 'nine three alfa center'],
  ['climb [unintelligible] two', undefined],
  ['climb *** two', undefined],
  ['<unk> climb', undefined],
])('words of "%s"', (text, words) => {
  expect(spokenWords(text)).toBe(words);
});
