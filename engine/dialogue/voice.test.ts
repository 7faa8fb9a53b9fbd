/**
 * D35: the voice is evidence and no verdict. Whatever `sameSpeaker` says, an exchange that has no readback of the pilot is
 * never judged correct because two transmissions were heard as one.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DialogueInput } from '../domain/stages.js';
import { judgeByRules } from '../judge/index.js';
import { understand } from '../understanding/index.js';
import { createDialogue, joinUnderstandings } from './index.js';

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly sameSpeaker?: number;
}

/** Verdict and type of every exchange, by the transmission that its instruction starts with. */
function verdicts(lines: readonly Line[], options: Parameters<typeof createDialogue>[0] = { understand }): Map<string, string> {
  const dialogue = createDialogue(options);
  const found = new Map<string, { instruction: string; verdict: string }>();
  const inputs = lines.map(({ text, ...rest }, i): DialogueInput => ({ id: String(i + 1), guards: [], understanding: understand({ id: String(i + 1), text }), ...rest }));
  for (const change of [...inputs.flatMap((input) => [...dialogue.accept(input)]), ...dialogue.end()]) {
    if (change.kind === 'alert') continue;
    const exchange = change.kind === 'judge' ? change.pair.exchange : change.exchange;
    const before = found.get(exchange.id)?.verdict;
    if (change.kind !== 'judge') {
      found.set(exchange.id, { instruction: exchange.instruction, verdict: exchange.status === 'answered' && before !== undefined ? before : exchange.status });
      continue;
    }
    const { instruction, readbacks } = change.pair;
    const finding = judgeByRules({ instruction: instruction.understanding, readback: joinUnderstandings(readbacks.map((r) => r.understanding)), profile: 'icao', pairingConfidence: exchange.pairing_confidence });
    found.set(exchange.id, { instruction: exchange.instruction, verdict: finding.verdict === 'correct' ? 'correct' : `${finding.verdict} ${finding.error_type}` });
  }
  return new Map([...found.values()].map(({ instruction, verdict }) => [instruction, verdict]));
}

describe('D35 a voice that is taken for the same', () => {
  const order = 'condor six one four climb flight level one three zero';
  const repeated = (last: string, gap: number, sameSpeaker: number): Line[] => [
    { text: order, start: 0, end: 4 },
    { text: order, start: 7, end: 11 },
    { text: last, start: 11 + gap, end: 12.5 + gap, sameSpeaker },
  ];
  test.each([0.05, 0.5, 0.81, 0.88, 0.99])('the instruction again, then the callsign alone (%s)', (sameSpeaker) => {
    for (const options of [{ understand }, {}]) {
      expect(Object.fromEntries(verdicts(repeated('condor six one four', 0.8, sameSpeaker), options))).toEqual({ 1: 'superseded', 2: 'error OMISSION_CRITICAL' });
    }
  });
  test('the instruction again, then the answer with the wrong level', () => {
    expect(verdicts(repeated('climb flight level one four zero condor six one four', 0.8, 0.9)).get('2')).not.toBe('correct');
  });
  test('the instruction again in two pieces, then the callsign alone', () => {
    const lines: Line[] = [
      { text: order, start: 0, end: 4 },
      { text: 'condor six one four', start: 7, end: 8.3 },
      { text: 'climb flight level one three zero', start: 8.7, end: 10.9, sameSpeaker: 0.95 },
      { text: 'condor six one four', start: 11.6, end: 12.9, sameSpeaker: 0.86 },
    ];
    expect([...verdicts(lines).values()]).not.toContain('correct');
  });
  test('a readback in two pieces of one voice is still right', () => {
    const lines: Line[] = [
      { text: 'condor six one four turn left heading two four zero climb flight level one three zero', start: 0, end: 6 },
      { text: 'left heading two four zero', start: 6.8, end: 8.4, sameSpeaker: 0.02 },
      { text: 'climb flight level one three zero condor six one four', start: 8.8, end: 12, sameSpeaker: 0.95 },
    ];
    expect(verdicts(lines).get('1')).toBe('correct');
  });

  const callsign = fc.constantFrom('condor six one four', 'condor six four one', 'oscar kilo delta mike papa');
  const words = fc.constantFrom('climb flight level one three zero', 'climb flight level one four zero', 'turn left heading two four zero', 'cleared to land runway two five', 'hold position', 'climb flight level', 'one three zero', 'roger', 'say again', '');
  const text = fc.record({ callsign, words, more: words, shape: fc.nat(4) }).map(({ callsign: c, words: w, more, shape }) => ([`${c} ${w}`, `${w} ${c}`, w, `${c} ${w} ${more}`, c][shape] ?? '').trim());
  const talk = fc.record({ callsign, words }).chain((first) =>
    fc.array(fc.record({ text: fc.oneof(text, fc.constant(`${first.callsign} ${first.words}`.trim()), fc.constant(first.callsign)), gap: fc.double({ min: 0.3, max: 5, noNaN: true }), same: fc.double({ min: 0.8, max: 1, noNaN: true }) }), { minLength: 2, maxLength: 2 }).map((lines): Line[] => {
      let now = 3;
      return [{ text: `${first.callsign} ${first.words}`.trim(), start: 0, end: 3 }, ...lines.map((line, i) => {
        const start = now + line.gap;
        now = start + 2;
        // the voice is wrong about the last one only
        return { text: line.text, start, end: now, sameSpeaker: i === lines.length - 1 ? line.same : 0.5 };
      })];
    }),
  );
  test.each([['read again as a whole', { understand }], ['put together', {}]])('never makes an exchange correct (%s)', (_name, options) => {
    fc.assert(
      fc.property(talk, (lines) => {
        const apart = verdicts(lines.map((line) => ({ ...line, sameSpeaker: 0.5 })), options);
        for (const [instruction, verdict] of verdicts(lines, options)) if (verdict === 'correct') expect([instruction, apart.get(instruction)]).toEqual([instruction, 'correct']);
      }),
      { numRuns: 600 },
    );
  });
});
