/**
 * Random talk through the dialogue: whatever comes, in whatever order, the state stays sound (D33). fast-check prints seeds.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../domain/exchange.js';
import type { DialogueInput } from '../domain/stages.js';
import type { GuardReason, Understanding } from '../domain/understanding.js';
import { understand } from '../understanding/index.js';
import { createDialogue, pairTransmissions } from './index.js';

const CALLSIGNS = ['lufthansa four five six', 'lufthansa four six five', 'swiss one two kilo', 'november three four five mike bravo', 'oscar kilo papa mike bravo'] as const;
const ORDERS = ['descend flight level one zero zero', 'turn left heading two two zero', 'reduce speed two one zero knots', 'contact tower one one eight decimal one', 'cleared to land runway two four', 'hold short of runway three zero', 'report final', 'squawk two one zero zero', 'when ready descend four thousand feet'] as const;
const TALK = ['say again', 'stand by', 'roger', 'wilco', 'negative', 'disregard', 'readback correct', 'affirm', 'good day', 'request direct', 'traffic in sight', 'unable', 'correction', 'break break', 'uh', ''] as const;

const sentence = fc.record({ callsign: fc.constantFrom(...CALLSIGNS), order: fc.constantFrom(...ORDERS), second: fc.option(fc.constantFrom(...ORDERS), { nil: undefined }), talk: fc.constantFrom(...TALK), shape: fc.nat(7) }).map(({ callsign, order, second, talk, shape }) => {
  const orders = second === undefined ? order : `${order} ${second}`;
  return [`${callsign} ${orders}`, `${orders} ${callsign}`, orders, `${callsign} ${talk}`, `${talk} ${callsign}`, talk, `${callsign} ${talk} ${orders}`, `${callsign} ${orders} ${orders} ${callsign}`][shape] ?? '';
});
const parsed = new Map<string, Understanding>();
const read = (id: string, text: string): Understanding => {
  const known = parsed.get(text) ?? understand({ id, text });
  parsed.set(text, known);
  return { ...known, id };
};

const talk = fc
  .array(fc.record({ text: sentence, gap: fc.double({ min: 0, max: 20, noNaN: true }), channel: fc.constantFrom('a', 'b'), same: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }), guard: fc.option(fc.constantFrom<GuardReason>('overlap', 'speech-without-text', 'clipped-start'), { nil: undefined, freq: 5 }) }), { minLength: 1, maxLength: 14 })
  .chain((lines) => fc.record({ lines: fc.constant(lines), times: fc.boolean() }))
  .map(({ lines, times }) => {
    let now = 0;
    return lines.map((line, i): DialogueInput => {
      const start = now + line.gap;
      now = start + 2;
      const id = `t${String(i)}`;
      return {
        id,
        channel: line.channel,
        guards: line.guard === undefined ? [] : [{ reason: line.guard, detail: 'Told.' }],
        understanding: read(id, line.text),
        ...(times ? { start, end: now } : {}),
        ...(line.same === undefined ? {} : { sameSpeaker: line.same }),
      };
    });
  });

function check(inputs: readonly DialogueInput[], options: Parameters<typeof createDialogue>[0]): void {
  const dialogue = createDialogue(options);
  const channelOf = new Map(inputs.map((i) => [i.id, i.channel]));
  const state = new Map<string, Exchange>();
  const apply = (changes: ReturnType<typeof dialogue.accept>): void => {
    for (const change of changes) {
      if (change.kind === 'opened') {
        expect(state.has(change.exchange.id)).toBe(false);
        state.set(change.exchange.id, change.exchange);
      } else if (change.kind === 'updated') {
        expect(state.has(change.exchange.id)).toBe(true);
        state.set(change.exchange.id, change.exchange);
      } else if (change.kind === 'judge') {
        expect(state.has(change.pair.exchange.id)).toBe(true);
        expect(change.pair.readbacks.length).toBeGreaterThan(0);
      }
    }
    // what was told is what is
    const open = [...state.values()].filter((e) => e.status === 'open').map((e) => e.id);
    expect(dialogue.open.map((e) => e.id).sort()).toEqual(open.sort());
  };
  for (const input of inputs) apply(dialogue.accept(input));
  apply(dialogue.end());
  expect(dialogue.open).toEqual([]);
  for (const exchange of state.values()) {
    const ids = [...(exchange.instructions ?? [exchange.instruction]), ...exchange.readbacks];
    for (const id of ids) expect(channelOf.get(id)).toBe(exchange.channel);
    expect(exchange.instruction).toBe((exchange.instructions ?? [exchange.instruction])[0]);
    if (exchange.status === 'answered') expect(exchange.readbacks.length).toBeGreaterThan(0);
    if (exchange.status === 'unanswered') expect(exchange.readbacks).toEqual([]);
    expect(exchange.pairing_confidence).toBeGreaterThanOrEqual(0);
    expect(exchange.pairing_confidence).toBeLessThanOrEqual(1);
  }
}

describe('D33 any talk', () => {
  test('keeps the exchanges sound, pieces read again as a whole', () => {
    fc.assert(fc.property(talk, (inputs) => { check(inputs, { understand }); }), { numRuns: 250 });
  });
  test('keeps the exchanges sound, pieces put together', () => {
    fc.assert(fc.property(talk, (inputs) => { check(inputs, {}); }), { numRuns: 250 });
  });
  test('D30 the order in the file does not matter when there are times', () => {
    fc.assert(
      fc.property(talk.filter((inputs) => inputs.every((i) => i.start !== undefined)), fc.infiniteStream(fc.nat()), (inputs, random) => {
        const shuffled = [...inputs].map((input) => ({ input, key: Number(random.next().value) })).sort((a, b) => a.key - b.key).map(({ input }) => input);
        expect(pairTransmissions(shuffled)).toEqual(pairTransmissions(inputs));
      }),
      { numRuns: 100 },
    );
  });
});
