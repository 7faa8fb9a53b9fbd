/**
 * The dialogue: which transmission answers which. Pure state machine per channel, and a helper for whole recordings.
 */
import type { Exchange } from '../domain/exchange.js';
import type { Dialogue, DialogueChange, DialogueInput, Pair } from '../domain/stages.js';
import { ChannelMachine, NOT_AN_INSTRUCTION } from './machine.js';
import { DEFAULTS, type DialogueOptions } from './options.js';

export { DEFAULTS, type DialogueOptions } from './options.js';
export { joinUnderstandings, sliceUnderstanding } from './parts.js';
export { splitTurns } from './turns.js';
export { needsReadback } from './echo.js';

/** A dialogue over one or more channels; exchanges never cross channels. Exchange ids: "x1", "x2", … in order of opening. */
export function createDialogue(options: DialogueOptions = {}): Dialogue {
  const settings = { ...DEFAULTS, ...options };
  const machines = new Map<string, ChannelMachine>();
  let count = 0;
  const nextId = (): string => `x${String(++count)}`;
  const machineOf = (channel: string | undefined): ChannelMachine => {
    const key = channel ?? '';
    let machine = machines.get(key);
    if (machine === undefined) {
      machine = new ChannelMachine(settings, channel, nextId);
      machines.set(key, machine);
    }
    return machine;
  };
  const all = (act: (machine: ChannelMachine) => readonly DialogueChange[]): readonly DialogueChange[] => [...machines.values()].flatMap(act);
  return {
    accept: (input) => machineOf(input.channel).accept(input),
    tick: (now) => all((machine) => machine.tick(now)),
    end: (now) => all((machine) => machine.end(now)),
    get open() {
      return [...machines.values()].flatMap((machine) => machine.open);
    },
  };
}

/** An exchange in its last state, and what is to be judged of it, if anything. */
export interface PairedExchange {
  readonly exchange: Exchange;
  readonly pair?: Pair;
}

/**
 * Pairs the transmissions of one whole recording. Transmissions with times are put in order first (stable; files list
 * them out of order), those without keep their place. One entry an exchange, in order of opening.
 */
export function pairTransmissions(inputs: readonly DialogueInput[], options: DialogueOptions = {}): readonly PairedExchange[] {
  const dialogue = createDialogue(options);
  const exchanges = new Map<string, Exchange>();
  const pairs = new Map<string, Pair>();
  const apply = (changes: readonly DialogueChange[]): void => {
    for (const change of changes) {
      switch (change.kind) {
        case 'opened':
        case 'updated':
          exchanges.set(change.exchange.id, change.exchange);
          // taken back: what looked like the readback was the instruction again
          if (change.exchange.status === 'superseded' && change.exchange.readbacks.length === 0) pairs.delete(change.exchange.id);
          break;
        case 'judge':
          pairs.set(change.pair.exchange.id, change.pair);
          break;
        case 'alert':
          break;
      }
    }
  };
  for (const input of inOrder(inputs)) apply(dialogue.accept(input));
  apply(dialogue.end());
  return [...exchanges.values()].filter((exchange) => exchange.note !== NOT_AN_INSTRUCTION).map((exchange) => {
    const pair = pairs.get(exchange.id);
    return { exchange, ...(pair === undefined ? {} : { pair: { ...pair, exchange } }) };
  });
}

/** By start time where every transmission has one; else as given. */
function inOrder(inputs: readonly DialogueInput[]): readonly DialogueInput[] {
  if (inputs.some((i) => i.start === undefined)) return inputs;
  return [...inputs].sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
}
