/** The text commands as another program uses them: JSON lines in, JSON lines out, checked against the published schemas. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DialogueOutput, JudgeOutput, UnderstandOutput } from '../engine/domain/contract.js';
import { hearback, jsonLines, scratch } from './command.js';

const { dir, remove } = scratch('language');
afterAll(remove);

describe('C1 understand', () => {
  it('gives role, callsign, values and chunks for each line, with the id that came in', async () => {
    const ran = await hearback(['understand', '--in', '-'], {
      input: `${JSON.stringify({ id: 'a', text: 'lufthansa nine tango papa descend flight level one hundred', context: { callsigns: ['DLH9TP', 'OKPMB'] } })}\n${JSON.stringify({ id: 7, text: 'oscar kilo papa mike bravo turn left heading two four zero' })}\n`,
    });
    expect(ran.code).toBe(0);
    const [first, second] = jsonLines(ran.stdout).map((line) => UnderstandOutput.parse(line));
    expect(first).toMatchObject({ id: 'a', role: 'controller', callsign: 'DLH9TP', values: { altitude: ['FL100'] }, utterance_action: ['altitude_control'] });
    expect(second).toMatchObject({ id: '7', callsign: 'OKPMB', values: { heading: ['240'] } });
    expect(first?.tokens.map((chunk) => chunk.text).join(' ')).toBe('lufthansa nine tango papa descend flight level one hundred');
  });
  it('names bad lines by number, does the others and ends with 1', async () => {
    const ran = await hearback(['understand', '--in', '-'], { input: '{"text":"speedbird one two nine roger"}\nnot json\n{"id":"x"}\n' });
    expect(ran.code).toBe(1);
    expect(jsonLines(ran.stdout)).toHaveLength(1);
    expect(ran.stderr).toMatch(/line 2 is not JSON/);
    expect(ran.stderr).toMatch(/line 3 does not fit.*"text"/);
  });
});

describe('C2 judge', () => {
  it('judges a pair given in words', async () => {
    const ran = await hearback(['judge', 'austrian two one five climb flight level one two zero', 'climb flight level one three zero austrian two one five', '--json']);
    expect(ran.code).toBe(0);
    const [finding] = jsonLines(ran.stdout).map((line) => JudgeOutput.parse(line));
    expect(finding).toMatchObject({ is_correct: false, error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'altitude', verdict: 'error' });
  });
  it('judges with the shipped network where no language model is named, alone and beside the rules, and says that nothing leaves the machine', async () => {
    const pair = ['austrian two one five climb flight level one two zero', 'climb flight level one three zero austrian two one five', '--json', '--profile', 'paper'];
    for (const [judge, name] of [['llm', 'readback-judge-small'], ['consensus', 'consensus']] as const) {
      const ran = await hearback(['judge', '--judge', judge, ...pair]);
      expect(ran.code).toBe(0);
      expect(ran.stderr).toContain('no text leaves this machine');
      expect(jsonLines(ran.stdout).map((line) => JudgeOutput.parse(line))).toMatchObject([{ error_type: 'VALUE_CRITICAL', verdict: 'error', affected_slot: 'altitude', judge: name, model_answers: [{ provider: 'onnx', outcome: 'read' }] }]);
    }
  });
  it('refuses a language model that is not there, and does not stand in for it', async () => {
    const ran = await hearback(['judge', '--judge', 'llm', '--llm-provider', 'onnx', '--llm-model', 'no-such-model', 'swiss one two climb flight level nine zero', 'nine zero swiss one two']);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(/There is no model "no-such-model"/);
  });
  it('tells QNH apart by profile', async () => {
    const pair = ['klm two seven romeo descend four thousand feet q n h one zero one two', 'four thousand feet q n h one zero two one klm two seven romeo', '--json'];
    const [icao] = jsonLines((await hearback(['judge', ...pair])).stdout);
    const [paper] = jsonLines((await hearback(['judge', ...pair, '--profile', 'paper'])).stdout);
    expect(icao).toMatchObject({ verdict: 'error', error_type: 'VALUE_CRITICAL', affected_slot: 'qnh' });
    expect(paper).toMatchObject({ verdict: 'correct' });
  });
});

describe('C3 dialogue', () => {
  it('pairs a recording whose lines are out of order, one line an exchange', async () => {
    const file = join(dir, 'recording.jsonl');
    const lines = [
      { id: 'r1', start: 5, end: 8, text: 'heading one eight zero finnair eight three seven' },
      { id: 'i1', start: 1, end: 4.5, text: 'finnair eight three seven turn right heading one eight zero' },
      { id: 'i2', start: 9, end: 12, text: 'iberia three four contact tower one one eight decimal one' },
    ];
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const ran = await hearback(['dialogue', '--in', file]);
    expect(ran.code).toBe(0);
    const [first, second] = jsonLines(ran.stdout).map((line) => DialogueOutput.parse(line));
    expect(first).toMatchObject({ instruction: 'i1', readback: 'r1', status: 'answered', is_correct: true, verdict: 'correct' });
    expect(second).toMatchObject({ instruction: 'i2', readback: null, status: 'unanswered' });
  });
});

describe('C4 usage', () => {
  it.each([
    [['judge', 'only one half']],
    [['monitor', 'x.wav', '--speed', 'fast']],
    [['export', 'x', '--format', 'docx']],
    [['nonsense']],
    [['dialogue']],
    [['models', 'pull', 'whisper-gigantic']],
  ])('%j ends with 2 and says what is wrong', async (args) => {
    const ran = await hearback(args);
    expect(ran.code).toBe(2);
    expect(ran.stderr.length).toBeGreaterThan(10);
  });
  it.each(['monitor', 'transcribe', 'understand', 'judge', 'dialogue', 'sessions', 'export', 'models', 'serve', 'doctor', 'demo', 'schemas'])('%s has --help', async (command) => {
    const ran = await hearback([command, '--help']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Usage: hearback');
  });
});
