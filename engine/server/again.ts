/**
 * Doing stored work once more: recognising a transmission, judging an exchange. How transmissions are paired stays as it was.
 */
import { understand } from '../understanding/index.js';
import { joinUnderstandings } from '../dialogue/index.js';
import type { HearbackEvent } from '../domain/events.js';
import { HearbackError } from '../domain/result.js';
import type { DialogueInput, Judge, Recogniser } from '../domain/stages.js';
import type { Profile } from '../domain/taxonomy.js';
import type { Context, Guard, Understanding, Word } from '../domain/understanding.js';
import { judgeExchange } from '../pipeline.js';
import type { ExchangeState, Session, SessionState, TransmissionState } from '../session/index.js';

/** How many callsigns heard in full before a transmission help to read it. */
const HEARD = 60;

export interface Means {
  readonly judge: Judge;
  readonly profile: Profile;
}

/** Who was known to be on the channel. */
function contextOf(state: SessionState, channel: string): Context | undefined {
  const callsigns = state.traffic.get(channel) ?? state.traffic.get('');
  return callsigns === undefined ? undefined : { callsigns: [...callsigns] };
}

/** Callsigns heard in full on the channel before a time: shortened forms are understood by them. */
function heardBefore(state: SessionState, transmission: TransmissionState): string[] {
  const { channel, start } = transmission.capture ?? {};
  const heard = [...state.transmissions.values()].flatMap(({ capture, understanding }) => {
    const best = understanding?.callsign_candidates[0];
    const full = best !== undefined && (best.form === 'full' || best.form === 'list');
    return full && understanding?.callsign != null && capture?.channel === channel && (capture?.start ?? 0) < (start ?? Infinity) ? [understanding.callsign] : [];
  });
  return [...new Set(heard)].slice(-HEARD);
}

/** What a transmission means by the words and the speaker that hold now. */
function meaning(state: SessionState, transmission: TransmissionState, heard?: { readonly text: string; readonly words: readonly Word[]; readonly guards: readonly Guard[] }): { readonly understanding: Understanding; readonly guards: readonly Guard[] } {
  const edit = transmission.edits.at(-1);
  const speaker = transmission.speakers?.at(-1);
  const context = contextOf(state, transmission.capture?.channel ?? '');
  const said = edit === undefined ? (heard ?? transmission.recognition) : { text: edit.text, words: undefined, guards: [] };
  const understood = understand({
    id: transmission.id,
    text: said?.text ?? '',
    ...(said?.words === undefined ? {} : { words: said.words }),
    guards: said?.guards ?? [],
    heard: heardBefore(state, transmission),
    ...(context === undefined ? {} : { context }),
  });
  const understanding =
    speaker === undefined ? understood : { ...understood, role: speaker.role, role_confidence: 1, ...(speaker.callsign === undefined ? {} : { callsign: speaker.callsign }) };
  return { understanding, guards: said?.guards ?? [] };
}

/** Events of a judgement of an exchange by what holds, with `fresh` in place of stored meanings. */
async function judgement(state: SessionState, exchange: ExchangeState, means: Means, fresh: ReadonlyMap<string, { readonly understanding: Understanding; readonly guards: readonly Guard[] }>): Promise<HearbackEvent[]> {
  const about = exchange.exchange;
  const input = (id: string): DialogueInput => {
    const of = state.transmissions.get(id);
    const { understanding, guards } = fresh.get(id) ?? meaning(state, of ?? { id, edits: [] });
    return { id, guards, understanding, ...(of?.capture === undefined ? {} : { channel: of.capture.channel, start: of.capture.start, end: of.capture.end }) };
  };
  if (about.readbacks.length === 0) return [];
  const instructions = (about.instructions ?? [about.instruction]).map(input);
  const [first] = instructions;
  if (first === undefined) return [];
  const instruction: DialogueInput = { ...first, guards: instructions.flatMap((each) => [...each.guards]), understanding: joinUnderstandings(instructions.map((each) => each.understanding)) };
  const finding = await judgeExchange({ exchange: about, instruction, readbacks: about.readbacks.map(input) }, means.judge, means.profile, contextOf(state, about.channel ?? ''), understand);
  return [{ type: 'finding.made', exchange: exchange.id, finding, rerun: true }];
}

const exchangesWith = (state: SessionState, transmission: string): ExchangeState[] =>
  [...state.exchanges.values()].filter(({ exchange }) => exchange.instruction === transmission || exchange.instructions?.includes(transmission) === true || exchange.readbacks.includes(transmission));

/** Recognises a stored transmission again. @throws HearbackError unknown-id, not-found: no audio; worker-died … */
export async function recogniseAgain(session: Session, transmission: string, recogniser: Recogniser, means: Means): Promise<HearbackEvent[]> {
  const { state } = session;
  const of = state.transmissions.get(transmission);
  if (of?.capture === undefined) throw new HearbackError('unknown-id', `The session has no transmission ${transmission}.`);
  const { start, channel } = of.capture;
  const context = contextOf(state, channel);
  const recognition = await recogniser.recognise(session.readAudio(transmission), context === undefined ? {} : { context });
  const at = (time: number | undefined): number | undefined => (time === undefined ? undefined : Math.round((time + start) * 1000) / 1000);
  const words = recognition.words.map((word) => {
    const [from, to] = [at(word.start), at(word.end)];
    return { ...word, ...(from === undefined ? {} : { start: from }), ...(to === undefined ? {} : { end: to }) };
  });
  const heard = { text: recognition.text, words, guards: [...recognition.guards] };
  const fresh = meaning(state, of, heard);
  const events: HearbackEvent[] = [
    {
      type: 'transmission.recognised',
      transmission,
      ...heard,
      confidence: recognition.confidence,
      model: recognition.model,
      device: recognition.device,
      milliseconds: recognition.milliseconds,
      rerun: true,
      ...(recognition.unbiasedText === undefined ? {} : { unbiased_text: recognition.unbiasedText }),
    },
    { type: 'transmission.understood', transmission, understanding: fresh.understanding },
  ];
  for (const exchange of exchangesWith(state, transmission)) events.push(...(await judgement(state, exchange, means, new Map([[transmission, fresh]]))));
  return events;
}

/** Judges an exchange again by the texts and speakers that hold. @throws HearbackError unknown-id; usage: nothing to judge */
export async function judgeAgain(session: Session, exchange: string, means: Means): Promise<HearbackEvent[]> {
  const { state } = session;
  const of = state.exchanges.get(exchange);
  if (of === undefined) throw new HearbackError('unknown-id', `The session has no exchange ${exchange}.`);
  const ids = [...new Set([...(of.exchange.instructions ?? [of.exchange.instruction]), ...of.exchange.readbacks])];
  const fresh = new Map(ids.map((id) => [id, meaning(state, state.transmissions.get(id) ?? { id, edits: [] })]));
  const events = await judgement(state, of, means, fresh);
  if (events.length === 0) throw new HearbackError('usage', 'This exchange has no readback that could be judged.');
  const corrected = ids.filter((id) => {
    const transmission = state.transmissions.get(id);
    return (transmission?.edits.length ?? 0) > 0 || (transmission?.speakers?.length ?? 0) > 0;
  });
  return [...corrected.flatMap((id): HearbackEvent[] => { const { understanding } = fresh.get(id) ?? {}; return understanding === undefined ? [] : [{ type: 'transmission.understood', transmission: id, understanding }]; }), ...events]; // prettier-ignore
}

