/**
 * Measures understanding, dialogue and rules judge on text: pairs and dialogues that were written for it, and real transmissions where
 * a data file is given. Docs: docs/results/language.md. Results hold ids and counts, never words of the data.
 */
import { z } from 'zod';
import { pairTransmissions } from '../../dialogue/index.js';
import { EXCHANGE_STATUSES } from '../../domain/exchange.js';
import { VERDICTS } from '../../domain/finding.js';
import type { DialogueInput } from '../../domain/stages.js';
import type { Profile } from '../../domain/taxonomy.js';
import type { Context, Guard, Understanding } from '../../domain/understanding.js';
import { createRulesJudge, judgeByRules } from '../../judge/index.js';
import { judgeExchange, Listener } from '../../pipeline.js';
import { understand } from '../../understanding/index.js';
import { isNamed, labelledRole, namedBy, type RealGold, type RealTransmission } from './gold.js';
import { confusion, pairing, share, times, type Answered, type Confusion, type Pairing, type Share, type Times } from './metrics.js';

/** A written pair: what was made of it is what the judge has to say. */
export interface WrittenPair {
  readonly id: string;
  readonly instruction: string;
  readonly readback: string;
  readonly profile: Profile;
  /** Verdicts and types any of which is right. */
  readonly verdict: readonly string[];
  readonly error_type: readonly string[];
}

export interface PairFigures {
  readonly pairs: number;
  /** Verdict and type right. */
  readonly right: Share;
  /** Of the pairs with an error: the verdict is `error` (found), and not `correct` (not passed over). */
  readonly found: Share;
  readonly noticed: Share;
  /** Of the right readbacks: the verdict is `error`. */
  readonly falseAlarms: Share;
  readonly verdicts: Confusion;
  readonly types: Confusion;
  readonly wrong: readonly string[];
}

/** Parses both halves by themselves and judges them. */
export function measurePairs(pairs: readonly WrittenPair[]): PairFigures {
  const answers = pairs.map((pair) => {
    const finding = judgeByRules({ instruction: understand({ id: `${pair.id}-i`, text: pair.instruction }), readback: understand({ id: `${pair.id}-r`, text: pair.readback }), profile: pair.profile });
    return { pair, verdict: finding.verdict, type: finding.error_type, right: pair.verdict.includes(finding.verdict) && pair.error_type.includes(finding.error_type) };
  });
  const mistaken = answers.filter(({ pair }) => pair.verdict[0] === 'error');
  const fair = answers.filter(({ pair }) => pair.verdict[0] === 'correct');
  const count = (list: typeof answers, verdict: string): number => list.filter((answer) => answer.verdict === verdict).length;
  return {
    pairs: pairs.length,
    right: share(answers.filter((answer) => answer.right).length, answers.length),
    found: share(count(mistaken, 'error'), mistaken.length),
    noticed: share(mistaken.length - count(mistaken, 'correct'), mistaken.length),
    falseAlarms: share(count(fair, 'error'), fair.length),
    verdicts: confusion(answers.map(({ pair, verdict }) => [pair.verdict[0] ?? '', verdict])),
    types: confusion(answers.map(({ pair, type }) => [pair.error_type.includes(type) ? type : (pair.error_type[0] ?? ''), type])),
    wrong: answers.filter((answer) => !answer.right).map(({ pair }) => pair.id),
  };
}

/** A written dialogue and the exchanges that it holds. Transmissions are numbered from "1" in the order in which they are spoken. */
export const WrittenDialogue = z.object({
  id: z.string(),
  /** Number of the behaviour (docs/behaviour-judging.md), and what happens. */
  shows: z.string(),
  why: z.string(),
  lines: z.array(
    z.object({
      text: z.string(),
      /** Seconds after the end of the one before; 0.7 when left out. */
      gap: z.number().optional(),
      /** What the comparison of the voices says (DialogueInput.sameSpeaker). */
      same: z.number().optional(),
      /** Speech of two seconds without words. */
      unread: z.literal(true).optional(),
    }),
  ),
  exchanges: z.array(
    z.object({
      instructions: z.array(z.string()),
      readbacks: z.array(z.string()),
      /** `answered` with readbacks, when left out. */
      status: z.enum(EXCHANGE_STATUSES).optional(),
      verdict: z.enum(VERDICTS).optional(),
      error_type: z.string().optional(),
    }),
  ),
  alerts: z.array(z.string()),
});
export type WrittenDialogue = z.infer<typeof WrittenDialogue>;

/** One word takes about this long, seconds. */
const WORD = 0.38;

/** What the dialogue gets of a written dialogue: parsed in order, with times made from the number of words. */
export function hearDialogue(dialogue: WrittenDialogue): DialogueInput[] {
  const listener = new Listener(understand);
  let now = 0;
  return dialogue.lines.map(({ text, gap, same, unread }, i) => {
    const start = now + (gap ?? 0.7);
    now = start + (unread === true ? 2 : Math.max(0.6, text.split(' ').length * WORD));
    const id = String(i + 1);
    const guards: Guard[] = unread === true ? [{ reason: 'speech-without-text', detail: 'Two seconds of speech gave no words.' }] : [];
    return { id, start, end: now, guards, understanding: listener.hear({ id, text, guards }), ...(same === undefined ? {} : { sameSpeaker: same }) };
  });
}

export interface DialogueFigures {
  readonly dialogues: number;
  readonly transmissions: number;
  readonly pairing: Pick<Pairing, 'precision' | 'recall'>;
  readonly verdicts: Confusion;
  /** Dialogues in which a link is wrong or missing. */
  readonly wrong: readonly string[];
}

/** Pairs and judges each dialogue by itself; `timed`: with times and voices, else the words in their order alone. */
export async function measureDialogues(dialogues: readonly WrittenDialogue[], profile: Profile, timed: boolean): Promise<DialogueFigures> {
  const found: Answered[] = [];
  const gold: Answered[] = [];
  const answers: [string, string][] = [];
  const wrong: string[] = [];
  for (const dialogue of dialogues) {
    const inputs = hearDialogue(dialogue).map((input): DialogueInput => (timed ? input : { id: input.id, guards: input.guards, understanding: input.understanding }));
    const exchanges = await judged(inputs, profile);
    const named = (list: readonly Answered[]): Answered[] => list.map(({ instructions, readbacks }) => ({ instructions: instructions.map((id) => `${dialogue.id}/${id}`), readbacks: readbacks.map((id) => `${dialogue.id}/${id}`) }));
    const own = pairing(named(exchanges), named(dialogue.exchanges));
    if (own.wrong.length + own.missed.length > 0) wrong.push(dialogue.id);
    found.push(...named(exchanges));
    gold.push(...named(dialogue.exchanges));
    for (const exchange of dialogue.exchanges) {
      if (exchange.verdict === undefined) continue;
      const same = exchanges.find((e) => e.instructions.join() === exchange.instructions.join() && e.readbacks.join() === exchange.readbacks.join());
      answers.push([exchange.verdict, same?.finding?.verdict ?? 'not paired']);
    }
  }
  const { precision, recall } = pairing(found, gold);
  return { dialogues: dialogues.length, transmissions: dialogues.reduce((sum, { lines }) => sum + lines.length, 0), pairing: { precision, recall }, verdicts: confusion(answers), wrong };
}

/** Exchanges with their findings. */
async function judged(inputs: readonly DialogueInput[], profile: Profile, context?: Context) {
  const judge = createRulesJudge();
  const exchanges = [];
  for (const { exchange, pair } of pairTransmissions(inputs, { understand })) {
    const finding = pair === undefined ? undefined : await judgeExchange(pair, judge, profile, context, understand);
    exchanges.push({ instructions: exchange.instructions ?? [exchange.instruction], readbacks: exchange.readbacks, finding });
  }
  return exchanges;
}

/** How the real transmissions are given to the product. */
export interface RealOptions {
  /** 'text': what people wrote down; else the recogniser whose output it is. */
  readonly words: string;
  /** With the aircraft around at that time as a traffic list. */
  readonly list: boolean;
  /** With the corpus's speaker labels. */
  readonly labels: boolean;
  /** With start and end times; without, in order of time. */
  readonly times: boolean;
  readonly profile: Profile;
}

export interface RealFigures {
  readonly options: RealOptions;
  readonly role: { readonly all: Share; readonly said: Share; readonly none: number; readonly wrong: readonly string[] };
  readonly callsign: { readonly all: Share; readonly none: Share; readonly wrong: readonly string[] };
  readonly pairing: Pairing;
  /** On the readbacks that are right by hand. */
  readonly falseAlarms: Share;
  readonly uncertain: Share;
  readonly alarmed: readonly string[];
  readonly doubted: readonly string[];
  /** Of those that are wrong by hand: not called correct. */
  readonly noticed: Share;
  readonly passed: readonly string[];
  readonly verdicts: Confusion;
}

/** Measures one way of giving the transmissions. `rows` in the order of the file; ids in the result are line numbers. */
export async function measureReal(rows: readonly RealTransmission[], gold: RealGold, options: RealOptions): Promise<RealFigures> {
  const lines = rows.map((row, i) => ({ line: i + 1, row, text: options.words === 'text' ? row.text : (row.hyp?.[options.words] ?? '') }));
  const recordings = new Map<string, typeof lines>();
  for (const line of lines) recordings.set(line.row.recording, [...(recordings.get(line.row.recording) ?? []), line]);
  const understandings = new Map<string, Understanding>();
  const found: (Answered & { readonly verdict: string | undefined })[] = [];
  for (const recording of recordings.values()) {
    const ordered = recording.sort((a, b) => a.row.start - b.row.start);
    const callsigns = options.list ? [...new Set(ordered.flatMap(({ row }) => row.callsigns))] : [];
    const context = callsigns.length > 0 ? { callsigns } : undefined;
    const listener = new Listener(understand, context);
    const inputs = ordered.map(({ line, row, text }): DialogueInput => {
      const understanding = listener.hear({ id: String(line), text, guards: [] });
      understandings.set(understanding.id, understanding);
      return { id: understanding.id, guards: [], understanding, ...(options.times ? { start: row.start, end: row.end } : {}), ...(options.labels ? { speaker: row.speaker } : {}) };
    });
    const exchanges = await judged(inputs, options.profile, context);
    found.push(...exchanges.map(({ instructions, readbacks, finding }) => ({ instructions, readbacks, verdict: finding?.verdict })));
  }

  const roles = new Map<number, string>(lines.map(({ line, row }) => [line, labelledRole(row.speaker)]));
  for (const role of ['controller', 'pilot'] as const) for (const line of gold.role[role]) roles.set(line, role);
  const unsaid = new Set(gold.role.unsaid);
  const spoken = lines.filter(({ line }) => roles.get(line) !== 'unknown');
  const isRole = ({ line }: { line: number }): boolean => understandings.get(String(line))?.role === roles.get(line);
  const telling = spoken.filter(({ line }) => !unsaid.has(line));

  const named = gold.callsign.at.map(([line, from, to]) => ({ line, named: namedBy((rows[line - 1]?.text ?? '').split(/\s+/u).slice(from, to)), listed: options.list ? (rows[line - 1]?.callsigns ?? []) : [] }));
  const wrongCallsigns = named.filter(({ line, named: names, listed }) => !isNamed(understandings.get(String(line))?.callsign ?? null, names, listed)).map(({ line }) => line);
  const invented = gold.callsign.none.filter((line) => (understandings.get(String(line))?.callsign ?? null) !== null);

  const asText = (numbers: readonly number[]): string[] => numbers.map(String);
  const goldExchanges = gold.exchanges.map(([instructions, readbacks, kind]) => ({ instructions: asText(instructions), readbacks: asText(readbacks), kind }));
  const neither = gold.neither.map(([instructions, readbacks]) => ({ instructions: asText(instructions), readbacks: asText(readbacks) }));
  const verdictOf = (exchange: Answered): string => {
    // the exchange that holds the last instruction and the first readback, however it was put together
    const same = found.find((e) => e.instructions.some((id) => exchange.instructions.includes(id)) && e.readbacks.some((id) => exchange.readbacks.includes(id)));
    return same?.verdict ?? 'not paired';
  };
  const answers = goldExchanges.map((exchange) => ({ exchange, verdict: verdictOf(exchange) }));
  const name = ({ exchange }: { exchange: Answered }): string => `${exchange.instructions.join('+')}>${exchange.readbacks.join('+')}`;
  const rightOnes = answers.filter(({ exchange, verdict }) => exchange.kind === 'right' && verdict !== 'not paired');
  const wrongOnes = answers.filter(({ exchange, verdict }) => exchange.kind === 'wrong' && verdict !== 'not paired');
  const alarmed = rightOnes.filter(({ verdict }) => verdict === 'error');
  const doubted = rightOnes.filter(({ verdict }) => verdict === 'uncertain');
  const passed = wrongOnes.filter(({ verdict }) => verdict === 'correct');
  return {
    options,
    role: { all: share(spoken.filter(isRole).length, spoken.length), said: share(telling.filter(isRole).length, telling.length), none: telling.filter(({ line }) => understandings.get(String(line))?.role === 'unknown').length, wrong: telling.filter((line) => !isRole(line)).map(({ line }) => String(line)) },
    callsign: { all: share(named.length - wrongCallsigns.length, named.length), none: share(gold.callsign.none.length - invented.length, gold.callsign.none.length), wrong: [...wrongCallsigns, ...invented].sort((a, b) => a - b).map(String) },
    pairing: pairing(found, goldExchanges, neither),
    falseAlarms: share(alarmed.length, rightOnes.length),
    uncertain: share(doubted.length, rightOnes.length),
    alarmed: alarmed.map(name),
    doubted: doubted.map(name),
    noticed: share(wrongOnes.length - passed.length, wrongOnes.length),
    passed: passed.map(name),
    verdicts: confusion(answers.map(({ exchange, verdict }) => [exchange.kind, verdict])),
  };
}

/** Times of parsing each text and of judging each pair, in milliseconds, warmed up. */
export function measureTimes(pairs: readonly WrittenPair[], texts: readonly string[], rounds: number): { readonly parse: Times; readonly judge: Times } {
  const parsed = pairs.map((pair) => ({ instruction: understand({ id: 'i', text: pair.instruction }), readback: understand({ id: 'r', text: pair.readback }), profile: pair.profile }));
  const parse = texts.map((): number[] => []);
  const judge = parsed.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    texts.forEach((text, i) => {
      const started = performance.now();
      understand({ id: '1', text });
      if (round > 0) parse[i]?.push(performance.now() - started);
    });
    parsed.forEach((pair, i) => {
      const started = performance.now();
      judgeByRules(pair);
      if (round > 0) judge[i]?.push(performance.now() - started);
    });
  }
  return { parse: times(parse), judge: times(judge) };
}
