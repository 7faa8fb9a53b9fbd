/** What the recogniser thought possible besides the words that it wrote (J36). Texts go through the real parser and the rules judge. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinUnderstandings } from '../dialogue/index.js';
import type { Exchange } from '../domain/exchange.js';
import type { Finding } from '../domain/finding.js';
import type { DialogueInput, Judge } from '../domain/stages.js';
import { riskRank } from '../domain/taxonomy.js';
import type { Word } from '../domain/understanding.js';
import { judgeExchange } from '../pipeline.js';
import { understand } from '../understanding/index.js';
import { createRulesJudge, weighAlternatives } from './index.js';

/** Words of a text; "five|four:.4" is "five" with .6 and the alternative "four" with .4, "five|four:.4,nine:.1" has two. "_" is a blank inside an alternative. */
function wordsOf(marked: string): Word[] {
  return marked.split(' ').map((each): Word => {
    const [text = '', others] = each.split('|');
    if (others === undefined) return { text, confidence: 0.98 };
    const alternatives = others.split(',').map((other) => {
      const [word = '', probability = '0'] = other.split(':');
      return { text: word.replaceAll('_', ' '), probability: Number(probability) };
    });
    return { text, confidence: 1 - alternatives.reduce((sum, { probability }) => sum + probability, 0), alternatives };
  });
}

const inputOf = (id: string, words: readonly Word[], heard: readonly string[] = []): DialogueInput => ({ id, guards: [], understanding: understand({ id, text: words.map((w) => w.text).join(' '), words, heard }) });

interface Told {
  readonly before: Finding;
  readonly after: Finding;
  /** How often the judge was asked for the second look. */
  readonly asked: number;
}

async function judgeWords(instruction: readonly Word[], readbacks: readonly (readonly Word[])[], callsigns?: string[]): Promise<Told> {
  const given = inputOf('i', instruction);
  const said = readbacks.map((words, n) => inputOf(`r${String(n)}`, words, given.understanding.callsign === null ? [] : [given.understanding.callsign]));
  const rules = createRulesJudge();
  const context = callsigns === undefined ? {} : { context: { callsigns } };
  const before = await rules.judge({ instruction: given.understanding, readback: joinUnderstandings(said.map((s) => s.understanding)), profile: 'icao', ...context });
  let asked = 0;
  const judge: Judge = { name: 'rules', judge: (pair) => (asked++, rules.judge(pair)) };
  const exchange: Exchange = { id: 'x', callsign: given.understanding.callsign, instruction: 'i', readbacks: said.map((s) => s.id), status: 'answered', pairing_confidence: 1 };
  const after = await weighAlternatives(before, { exchange, instruction: given, readbacks: said }, { judge, understand, join: joinUnderstandings, profile: 'icao', ...context });
  return { before, after, asked };
}

const judge = (instruction: string, ...readbacks: string[]): Promise<Told> => judgeWords(wordsOf(instruction), readbacks.map(wordsOf));

const HEADING = 'finnair six one turn left heading two four zero';

describe('J36 an error that another word makes right', () => {
  test('in the readback: 250, but 240 is nearly as likely', async () => {
    const { before, after } = await judge(HEADING, 'left heading two five|four:.4 zero finnair six one');
    expect(before).toMatchObject({ verdict: 'error', error_type: 'VALUE_CRITICAL', affected_slot: 'heading' });
    expect(after).toMatchObject({ verdict: 'uncertain', is_correct: false, error_type: 'VALUE_CRITICAL', affected_slot: 'heading', risk_level: before.risk_level });
    expect(after.explanation).toContain('"heading two five zero" in the readback, but "heading two four zero" is nearly as likely (40 % beside 60 %)');
    expect(after.evidence.readback_words.join(' ')).toContain('two five (or four) zero');
    expect(after.evidence.instruction_words).toEqual(before.evidence.instruction_words);
    expect(after.evidence.comparisons.find((c) => c.slot === 'heading')?.outcome).toBe('uncertain');
    expect(after.evidence.comparisons.find((c) => c.slot === 'callsign')?.outcome).toBe('right');
    expect(after.confidence).toBeLessThanOrEqual(0.5);
    expect(after.doubts).toHaveLength(1);
  });

  test.each([
    ['in the instruction', 'finnair six one turn left heading two five|four:.3 zero', 'left heading two four zero finnair six one'],
    ['the side of a turn, outside the value', HEADING, 'right|left:.35 heading two four zero finnair six one'],
    ['a number in two words', 'finnair six one descend flight level one fifty', 'descend flight level one fifteen|fifty:.3 finnair six one'],
    ['two words for one', 'finnair six one cleared ils approach runway one five left', 'cleared ils approach runway one five|five_left:.3 finnair six one'],
    ['the callsign', 'finnair six one descend flight level eight zero', 'descend flight level eight zero finnair six nine|one:.3'],
    ['the callsign of the instruction', 'finnair six nine|one:.3 descend flight level eight zero', 'descend flight level eight zero finnair six one'],
    ['a clearance without its verb', 'finnair six one runway two two cleared to land', 'runway two two clear to lamp|land:.3 finnair six one'],
  ])('%s', async (_, instruction, readback) => {
    const { before, after } = await judge(instruction, readback);
    expect(before.verdict).toBe('error');
    expect(after).toMatchObject({ verdict: 'uncertain', error_type: before.error_type, risk_level: before.risk_level });
  });

  test('in the second half of a readback', async () => {
    const { before, after } = await judge('finnair six one descend flight level eight zero turn left heading two four zero', 'descend flight level eight zero finnair six one', 'left heading two five|four:.3 zero finnair six one');
    expect([before.verdict, after.verdict]).toEqual(['error', 'uncertain']);
    expect(after.explanation).toContain('"heading two four zero"');
  });

  test('less likely than .15, another word, or one of two errors: still an error, the same finding', async () => {
    for (const readback of ['left heading two five|four:.14 zero finnair six one', 'left heading two five|nine:.4 zero finnair six one', 'left heading two five|four:.4 one finnair six one']) {
      const { before, after } = await judge(HEADING, readback);
      expect(before.verdict).toBe('error');
      expect(after).toBe(before);
    }
  });
});

describe('J36 a right readback that another word makes a critical error', () => {
  test('in the readback', async () => {
    const { before, after } = await judge(HEADING, 'left heading two four|five:.35 zero finnair six one');
    expect(before).toMatchObject({ verdict: 'correct', error_type: 'CORRECT' });
    expect(after).toMatchObject({ verdict: 'uncertain', is_correct: false, error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'heading', confidence: 0.35 });
    expect(after.explanation).toContain('"heading two five zero" is nearly as likely (35 % beside 65 %)');
    expect(after.evidence.instruction_words.join(' ')).toContain('two four zero');
  });

  test.each([
    ['in the instruction', 'finnair six one climb flight level one two|three:.3 zero', 'climb flight level one two zero finnair six one', 'VALUE_CRITICAL'],
    ['the callsign', 'finnair six one climb flight level one two zero', 'climb flight level one two zero finnair six one|nine:.3', 'TARGET_CRITICAL'],
    ['the side of a turn', HEADING, 'left|right:.35 heading two four zero finnair six one', 'VALUE_CRITICAL'],
    ['the side of a runway', 'finnair six one cleared to land runway two two left', 'cleared to land runway two two left|right:.4 finnair six one', 'VALUE_CRITICAL'],
  ])('%s', async (_, instruction, readback, type) => {
    const { before, after } = await judge(instruction, readback);
    expect(before.verdict).toBe('correct');
    expect(after).toMatchObject({ verdict: 'uncertain', error_type: type });
  });

  test.each([
    ['a number in another form', HEADING, 'left heading two four zero finnair six|sixty:.4 one'],
    ['less likely than .3', HEADING, 'left heading two four|five:.29 zero finnair six one'],
    ['an error that is not critical', 'finnair six one reduce speed one eight zero knots', 'reduce speed one eight|six:.4 zero knots finnair six one'],
    ['a word that decides nothing', HEADING, 'good|bad:.4 morning left heading two four zero finnair six one'],
    ['a word that says the same', HEADING, 'left heading two four zero finnair six one|won:.4'],
    ['words of one sound', 'finnair six one climb flight level two four zero', 'climb flight level two|to:.4 four zero finnair six one'],
  ])('%s: the same finding', async (_, instruction, readback) => {
    const { before, after } = await judge(instruction, readback);
    expect(before.verdict).toBe('correct');
    expect(after).toBe(before);
  });

  test('what was heard in place of a callsign of the list stands for all of its words', async () => {
    const readback: Word[] = [...wordsOf('climb flight level one two zero'), { text: 'air', confidence: 0.6, listed: true, alternatives: [{ text: 'fair', probability: 0.4 }] }, { text: 'france', confidence: 0.6, listed: true }, ...wordsOf('six one')];
    const { before, after } = await judgeWords(wordsOf('air france six one climb flight level one two zero'), [readback], ['AFR61']);
    expect(before.verdict).toBe('correct');
    expect(after).toBe(before);
  });
});

test('J36 what it costs: nothing without likely alternatives where they decide, else one judgement a word (at most six) and one as heard', async () => {
  const none = await judge(HEADING, 'left heading two five zero finnair six one');
  expect([none.after === none.before, none.asked]).toEqual([true, 0]);
  const elsewhere = await judge(HEADING, 'left heading two five zero finnair six one good|bad:.4 day|night:.4');
  expect(elsewhere.asked).toBe(0);
  const many = await judge(HEADING, 'left heading two|one:.16,eight:.16,nine:.16 five|six:.16,eight:.16,nine:.16 zero|one:.16,two:.16,nine:.16 finnair six one');
  expect([many.before.verdict, many.after.verdict, many.asked]).toEqual(['error', 'error', 7]);
});

test('J36 exchanges are judged with it where transmissions can be read anew', async () => {
  const instruction = inputOf('i', wordsOf(HEADING));
  const readback = inputOf('r', wordsOf('left heading two five|four:.4 zero finnair six one'));
  const exchange: Exchange = { id: 'x', callsign: 'FIN61', instruction: 'i', readbacks: ['r'], status: 'answered', pairing_confidence: 1 };
  const pair = { exchange, instruction, readbacks: [readback] };
  expect((await judgeExchange(pair, createRulesJudge(), 'icao')).verdict).toBe('error');
  expect((await judgeExchange(pair, createRulesJudge(), 'icao', undefined, understand)).verdict).toBe('uncertain');
});

describe('J36 over any alternatives', () => {
  const EXCHANGES = [
    [HEADING, 'left heading two four zero finnair six one'],
    [HEADING, 'left heading two five zero finnair six one'],
    [HEADING, 'right heading two four zero finnair six one'],
    [HEADING, 'roger finnair six one'],
    ['speedbird four kilo descend flight level one two zero', 'descend flight level one two zero speedbird four kilo'],
    ['speedbird four kilo descend flight level one two zero', 'descend flight level one two zero speedbird five kilo'],
    ['speedbird four kilo hold short of runway two two left', 'crossing runway two two left speedbird four kilo'],
    ['speedbird four kilo contact tower one one eight decimal one', 'one one eight decimal seven speedbird four kilo'],
    ['speedbird four kilo descend flight level mango', 'descend flight level nine zero speedbird four kilo'],
  ] as const;
  const other = fc.constantFrom('zero', 'one', 'two', 'four', 'five', 'nine', 'left', 'right', 'kilo', 'finnair', 'to', 'five left', 'roger', 'land', 'short', '');
  const alternatives = fc.array(fc.record({ text: other, probability: fc.double({ min: 0, max: 1, noNaN: true }) }), { minLength: 1, maxLength: 3 });
  const marks = fc.array(fc.option(alternatives, { nil: undefined }), { minLength: 14, maxLength: 14 });

  test('they make nothing correct that was not, and lower no level', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...EXCHANGES), marks, marks, fc.double({ min: 0.05, max: 1, noNaN: true }), async ([instruction, readback], first, second, confidence) => {
        const marked = (text: string, given: typeof first): Word[] => text.split(' ').map((word, at) => ({ text: word, confidence: given[at] === undefined ? 0.95 : confidence, ...(given[at] === undefined ? {} : { alternatives: given[at] }) }));
        const { before, after } = await judgeWords(marked(instruction, first), [marked(readback, second)]);
        if (before.verdict !== 'correct') expect(after.verdict).not.toBe('correct');
        if (before.verdict === 'uncertain') expect(after).toBe(before);
        expect(riskRank(after.risk_level)).toBeGreaterThanOrEqual(riskRank(before.risk_level));
        if (after !== before) expect(after).toMatchObject({ verdict: 'uncertain', is_correct: false });
      }),
      { numRuns: 150 },
    );
  });
});
