/**
 * Situations on a busy frequency (test/dialogues), each as a written dialogue: which transmission answers which, what is judged of it,
 * and which alerts are given. Numbers: docs/behaviour-judging.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hearDialogue, WrittenDialogue } from '../engine/bench/index.js';
import { createDialogue, pairTransmissions } from '../engine/dialogue/index.js';
import type { Exchange } from '../engine/domain/exchange.js';
import type { Finding } from '../engine/domain/finding.js';
import type { DialogueInput } from '../engine/domain/stages.js';
import { createRulesJudge } from '../engine/judge/index.js';
import { judgeExchange } from '../engine/pipeline.js';
import { understand } from '../engine/understanding/index.js';

const dialogues = readdirSync(new URL('dialogues/', import.meta.url))
  .filter((file) => file.endsWith('.jsonl'))
  .sort()
  .flatMap((file) => readFileSync(new URL(`dialogues/${file}`, import.meta.url), 'utf8').split('\n'))
  .filter((line) => line !== '')
  .map((line) => WrittenDialogue.parse(JSON.parse(line)));

/** The last state of every exchange and its finding, in order of opening, and the kinds of alerts. A minute of quiet follows. */
async function live(inputs: readonly DialogueInput[]): Promise<{ exchanges: { exchange: Exchange; finding: Finding | undefined }[]; alerts: string[] }> {
  const dialogue = createDialogue({ understand });
  const judge = createRulesJudge();
  const last = new Map<string, { exchange: Exchange; finding: Finding | undefined }>();
  const alerts: string[] = [];
  for (const change of [...inputs.flatMap((input) => [...dialogue.accept(input)]), ...dialogue.end((inputs.at(-1)?.end ?? 0) + 60)]) {
    if (change.kind === 'alert') alerts.push(change.alert);
    else if (change.kind === 'judge') last.set(change.pair.exchange.id, { exchange: change.pair.exchange, finding: await judgeExchange(change.pair, judge, 'icao') });
    else last.set(change.exchange.id, { exchange: change.exchange, finding: change.exchange.readbacks.length === 0 ? undefined : last.get(change.exchange.id)?.finding });
  }
  return { exchanges: [...last.values()], alerts };
}

describe('situations', () => {
  test('every one has a name of its own', () => {
    expect(new Set(dialogues.map(({ id }) => id)).size).toBe(dialogues.length);
  });
  test.each(dialogues)('$shows $id: $why', async (dialogue) => {
    const { exchanges, alerts } = await live(hearDialogue(dialogue));
    const found = exchanges.map(({ exchange, finding }) => ({ instructions: exchange.instructions ?? [exchange.instruction], readbacks: exchange.readbacks, status: exchange.status, verdict: finding?.verdict, error_type: finding?.error_type }));
    expect(found.map(({ instructions, readbacks }) => [instructions, readbacks])).toEqual(dialogue.exchanges.map(({ instructions, readbacks }) => [instructions, readbacks]));
    dialogue.exchanges.forEach((expected, i) => {
      expect(found[i]).toMatchObject({ status: expected.status ?? (expected.readbacks.length > 0 ? 'answered' : 'unanswered'), ...(expected.verdict === undefined ? {} : { verdict: expected.verdict }), ...(expected.error_type === undefined ? {} : { error_type: expected.error_type }) });
    });
    expect([...new Set(alerts)].sort()).toEqual([...dialogue.alerts].sort());
  });
});

describe('what must not change a situation', () => {
  const shape = (inputs: readonly DialogueInput[]): unknown[] => pairTransmissions(inputs, { understand }).map(({ exchange }) => [exchange.instruction, exchange.readbacks, exchange.status]);
  const talk = dialogues.map((dialogue) => ({ id: dialogue.id, inputs: hearDialogue(dialogue) }));
  test.each(talk)('$id: speaker labels that say the same for everybody', ({ inputs }) => {
    expect(shape(inputs.map((input) => ({ ...input, speaker: 'UNK' })))).toEqual(shape(inputs));
  });
  test.each(talk)('$id: another channel talking at the same time', ({ inputs }) => {
    const other = hearDialogue({ id: 'other', shows: '', why: '', exchanges: [], alerts: [], lines: [{ text: 'edelweiss nine climb flight level two zero zero' }, { text: 'climb flight level two zero zero edelweiss nine' }] }).map((input) => ({ ...input, id: `o${input.id}`, channel: 'other' }));
    const both = [...inputs.map((input) => ({ ...input, channel: 'own' })), ...other];
    expect(shape(both).filter((entry) => !JSON.stringify(entry).includes('"o1"'))).toEqual(shape(inputs));
  });
  test('no wrong readback is called right when times and voices are not known', async () => {
    const judge = createRulesJudge();
    for (const dialogue of dialogues) {
      const bare = hearDialogue(dialogue).map((input): DialogueInput => ({ id: input.id, guards: input.guards, understanding: input.understanding }));
      for (const { pair } of pairTransmissions(bare, { understand })) {
        if (pair === undefined) continue;
        const finding = await judgeExchange(pair, judge, 'icao');
        const gold = dialogue.exchanges.find((e) => e.readbacks.join() === pair.exchange.readbacks.join() && e.instructions.join() === (pair.exchange.instructions ?? [pair.exchange.instruction]).join());
        if (gold?.verdict === 'error') expect([dialogue.id, finding.verdict]).not.toEqual([dialogue.id, 'correct']);
      }
    }
  });
});
