/**
 * Task 1: the words of one transmission to role, intent, callsign, values, commands, conditions and labelled chunks.
 *
 * Sources: arXiv 2608.24621 (Tables 12–15, C.1–C.3, K.1–K.6), ICAO Doc 4444 §12, Annex 10 vol. II §5.2. Pure, and defined for any text.
 */
import { findCallsigns, meaningful, numberAtHead, resolveCallsign, splitWords, tokenise, type CallsignMatch, type RawCallsign, type Token } from '../phraseology/index.js';
import type { Understand } from '../domain/stages.js';
import { ACTIONS, type Action, type ChunkLabel } from '../domain/taxonomy.js';
import { withRefusal } from '../domain/mend.js';
import type { CallsignReading, Chunk, Command, Guard, Item, Span, Understanding, Values, ValueSlot, Word } from '../domain/understanding.js';
import { parse, type Parsed } from './parse.js';
import { likelyPilot, readIntent, readRole } from './role.js';

export { GROUND_ACTIONS, readGround, type GroundAction, type GroundReading, type GroundSlot } from './ground.js';

/** Understands one transmission; see {@link Understand}. Never throws. */
export const understand: Understand = ({ id, text, words: given, guards = [], context, heard = [] }) => {
  const words = alignWords(text, given);
  const all = tokenise(words.map((word) => word.text));
  const tokens = meaningful(all);
  const listed = (context?.callsigns ?? []).map(normaliseCallsign).filter((callsign) => callsign !== '');
  const known = heard.map(normaliseCallsign).filter((callsign) => callsign !== '');
  const sureness = (from: number, to: number): number => wordSureness(words, tokens, from, to);

  const { matches, spans, dropped, others } = chooseCallsign(tokens, listed, known, sureness);
  const pilotFirst = likelyPilot(tokens, spans);
  const parsed = parse({ tokens, callsigns: spans, dropped, others, likelyPilot: pilotFirst, sureness });
  const courtesy = courtesyAround(all, tokens, spans);
  const greeting = courtesy.before || courtesy.after;
  const { role, confidence: roleConfidence } = readRole({ tokens, callsigns: spans, parsed, courtesy });
  const { items: settled, commands: ordered } = settleModality(parsed, role, spans, tokens);
  const refused = withRefusal({ role, words, items: markClipped(settled, guards, words.length), commands: ordered });
  const { items, commands } = handOver(refused, role, all, tokens, spans);
  const intent = readIntent({ ...parsed, items, commands }, role, spans, tokens, greeting);
  const [best] = matches;
  const chunks = chunk(words, tokens, parsed.labels);

  const understanding: Understanding = {
    id,
    text,
    words,
    role,
    role_confidence: roleConfidence,
    intent,
    callsign: best?.value ?? null,
    callsign_candidates: matches.map((match) => reading(match, tokens)),
    utterance_action: actionsOf(chunks),
    tokens: chunks,
    values: valuesOf(items),
    items,
    commands,
    conditions: withText(parsed, words),
    fillers: fillerPositions(words, all, tokens, parsed),
    acknowledgements: [...parsed.acknowledgements],
    retracted: [...parsed.retracted],
    confidence: overall(words, items, roleConfidence),
  };
  return understanding;
};

/** "OK-PMB", "dlh 9tp" → "OKPMB", "DLH9TP". */
const normaliseCallsign = (callsign: string): string => callsign.toUpperCase().replace(/[^A-Z0-9]/gu, '');

/**
 * The words that every position refers to: the text split at white space, with times and confidences of the recogniser's words where both
 * agree. A recogniser's word that holds blanks is split and its confidence shared.
 */
function alignWords(text: string, given: readonly Word[] | undefined): Word[] {
  const plain = splitWords(text);
  if (given === undefined || given.length === 0) return plain.map((word) => ({ text: word }));
  const parts = given.flatMap((word) => splitWords(word.text).map((piece) => ({ ...word, text: piece })));
  if (parts.length === plain.length && parts.every((part, index) => part.text === plain[index])) return parts;
  if (plain.length === 0) return parts;
  // the text was edited or joined differently: take over what belongs to equal words, in order
  let at = 0;
  return plain.map((word) => {
    for (let index = at; index < Math.min(parts.length, at + 4); index++) {
      const part = parts[index];
      if (part?.text.toLowerCase() !== word.toLowerCase()) continue;
      at = index + 1;
      return { ...part, text: word };
    }
    return { text: word };
  });
}

/** The least sure word of a token range: a value is as good as its weakest digit. 1 where nothing is known. */
function wordSureness(words: readonly Word[], tokens: readonly Token[], from: number, to: number): number {
  let least = 1;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token === undefined) continue;
    for (let position = token.from; position < token.to; position++) {
      const confidence = words[position]?.confidence;
      if (confidence !== undefined && confidence < least) least = confidence;
    }
  }
  return least;
}

/** The best callsign of the transmission, all readings, and every place where it is said. */
function chooseCallsign(
  tokens: readonly Token[],
  listed: readonly string[],
  heard: readonly string[],
  sureness: (from: number, to: number) => number,
): { readonly matches: readonly CallsignMatch[]; readonly spans: readonly Span[]; readonly dropped: readonly Span[]; readonly others: readonly Span[] } {
  const found = findCallsigns(tokens);
  const raws = found.filter((raw) => !isPath(raw, found, tokens));
  const ranked = raws
    .filter((raw) => !raw.traffic)
    .map((raw) => {
      const readings = resolveCallsign(raw, listed, heard);
      const sure = sureness(raw.from, raw.to);
      return { raw: readings[0]?.raw ?? raw, fit: readings[0]?.score ?? 0, readings: readings.map((match) => ({ ...match, score: Math.max(0, Math.min(1, match.score * sure)) })) };
    })
    // how well the words make a callsign, not how surely they were heard: a callsign hardly heard is compared all the same (J29)
    .filter(({ raw, fit, readings }) => fit >= 0.1 && (raw.chars !== '' || readings[0]?.form === 'list'));
  if (ranked.length === 0) {
    const number = numberAtHead(tokens, sureness);
    if (number === undefined) return { matches: [], spans: [], dropped: [], others: [] };
    const sure = sureness(number.from, number.to);
    return { matches: resolveCallsign(number, listed, heard).map((match) => ({ ...match, score: match.score * sure })), spans: [[number.from, number.to]], dropped: [], others: [] };
  }
  const rank = ({ raw, fit, readings: [top] }: (typeof ranked)[number]): number => fit + (top?.form === 'list' ? 0.3 : 0) + (raw.telephony !== undefined && raw.codes.length > 0 ? 0.1 : 0);
  // after a correction the later one counts
  const correction = tokens.findIndex((token) => token.text === 'correction');
  const usable = correction > 0 && ranked.some(({ raw }) => raw.from === correction + 1) ? ranked.filter(({ raw }) => raw.from > correction || raw.to < correction - 1) : ranked;
  const sorted = [...usable].sort((a, b) => rank(b) - rank(a));
  const [best, ...rest] = sorted;
  if (best === undefined) return { matches: [], spans: [], dropped: [], others: [] };
  const dropped = ranked.filter((entry) => !usable.includes(entry)).map(({ raw }): Span => [raw.from, correction + 1]);
  const same = rest.filter(({ raw, readings }) => readings.some((match) => match.value === best.readings[0]?.value) || (raw.chars === best.raw.chars) || (raw.chars.length >= 2 && best.raw.chars.endsWith(raw.chars)));
  const spans = [best.raw, ...same.map(({ raw }) => raw)].map((raw): Span => [raw.from, raw.to]).sort((a, b) => a[0] - b[0]);
  const others = rest.filter((entry) => !same.includes(entry)).flatMap(({ readings }) => readings.map((match) => ({ ...match, score: match.score * 0.5 })));
  // a second aircraft that is named in full: its number is no value
  const named = rest.filter((entry) => !same.includes(entry) && entry.raw.codes.length > 0 && /\d/u.test(entry.raw.chars)).map(({ raw }): Span => [raw.from, raw.to]);
  return { matches: [...best.readings, ...others], spans, dropped, others: named.filter(([from, to]) => !spans.some((span) => from < span[1] && to > span[0])) };
}

/** "delta three lima hold short … speedbird six lima": an alphabet word and a figure are taxiways where another aircraft is named in full. */
function isPath(raw: RawCallsign, all: readonly RawCallsign[], tokens: readonly Token[]): boolean {
  if (raw.telephony === undefined || tokens[raw.from]?.letter === undefined || !/^\d{1,2}[A-Z]?$/u.test(raw.chars)) return false;
  return tokens.some((token) => /^(?:taxi|taxiing|via|hold|holding|short|taxiway|stand|apron|cross|crossing)$/u.test(token.text)) && all.some((other) => other !== raw && other.telephony !== undefined && other.codes.length > 0 && tokens[other.from]?.letter === undefined && /\d/u.test(other.chars) && !other.traffic);
}

const reading = (match: CallsignMatch, tokens: readonly Token[]): CallsignReading => ({
  value: match.value,
  span: [tokens[match.raw.from]?.from ?? 0, tokens[match.raw.to - 1]?.to ?? 0],
  form: match.form,
  score: match.score,
  ...(match.designator === undefined ? {} : { designator: match.designator }),
  ...(match.flight === undefined ? {} : { flight: match.flight }),
});

/**
 * What a pilot says in a first call or a position report is where the aircraft is, not a readback: behind a unit's name and the callsign, or
 * behind a callsign at the head, values without a clearance verb are reports.
 */
function settleModality(parsed: Parsed, role: Understanding['role'], spans: readonly Span[], tokens: readonly Token[]): { items: Item[]; commands: Command[] } {
  const [first] = spans;
  const last = spans[spans.length - 1];
  if (role !== 'pilot' || first === undefined || last === undefined) return { items: [...parsed.items], commands: [...parsed.commands] };
  const start = tokens[first[1]]?.from ?? Number.MAX_SAFE_INTEGER;
  const unitCall = parsed.labels.slice(0, first[0]).includes('controller') && parsed.labels.slice(0, first[0]).every((label) => label === 'controller' || label === 'O');
  const callFirst = (first[0] <= 1 || unitCall) && last[1] < tokens.length;
  const reports = parsed.items.some((item) => item.modality === 'report' && item.slot !== 'information');
  const wordBefore = (item: Item): string => tokens.findLast((token) => token.to <= item.span[0])?.text ?? '';
  const items = parsed.items.map((item): Item => {
    if (item.modality !== 'command') return item;
    const report: Item = { ...item, modality: 'report' };
    if (item.verb === 'report') return report;
    if (item.slot === 'altitude' && reports && (parsed.signs.progressive > 0 || unitCall)) return report;
    if (!callFirst || item.span[0] < start) return item;
    if (item.verb === 'join_pattern' || (item.slot === 'qnh' && unitCall)) return report;
    if (item.verb !== undefined) return item;
    if (unitCall) return report;
    if (item.slot === 'altitude') return /^(?:at|below|above|is|now|over|overhead)$/u.test(wordBefore(item)) || parsed.items.some((other) => other.slot === 'waypoint' && other.span[1] <= item.span[0]) ? report : item;
    return ['runway', 'waypoint', 'stand', 'holding_point', 'taxiway'].includes(item.slot) && /^(?:at|on|holding|over|overhead|approaching|near|abeam|vacated|stand|is|base|final|ils|established)$/u.test(wordBefore(item)) ? report : item;
  });
  const commands = parsed.commands.map((command): Command => (callFirst && command.span[0] >= start && command.verb === 'join_pattern' && command.modality === 'command' ? { ...command, modality: 'report' } : command));
  return { items, commands };
}

/** "Swiss four one, departure, bye": a hand-over without a verb. A unit that greets names itself, and one that a pilot takes leave of is the one he leaves. */
function handOver(said: Pick<Understanding, 'items' | 'commands'>, role: Understanding['role'], all: readonly Token[], tokens: readonly Token[], spans: readonly Span[]): Pick<Understanding, 'items' | 'commands'> {
  const [unit, ...others] = said.items;
  const end = tokens[(spans[0]?.[1] ?? 0) - 1]?.to;
  if (role !== 'controller' || unit?.slot !== 'controller' || unit.modality !== 'information' || others.length > 0 || said.commands.length > 0 || unit.span[0] !== end) return said;
  const behind = all.filter((token) => token.filler === 'greeting' && token.from >= unit.span[1]).map((token) => token.text).join(' ');
  if (!/\b(?:bye|byebye|goodbye|ciao|tschuss|servus|see you|au revoir|aurevoir|nashledanou|na shledanou|naslysenou|ahoj|adios|arrivederci|auf wiedersehen|do widzenia|cheers)\b/u.test(behind)) return said;
  return { items: [{ ...unit, verb: 'contact', action: 'contact', modality: 'command' }], commands: [{ verb: 'contact', action: 'contact', modality: 'command', span: unit.span, confidence: unit.confidence, items: [0] }] };
}

/** A talk key that cut the audio may have cut the first or the last number. */
function markClipped(items: readonly Item[], guards: readonly Guard[], words: number): Item[] {
  const start = guards.some((guard) => guard.reason === 'clipped-start');
  const end = guards.some((guard) => guard.reason === 'clipped-end');
  return items.map((item) => {
    const head = start && item.span[0] === 0;
    const tail = end && item.span[1] === words;
    if (item.clipped !== undefined || (!head && !tail)) return item;
    return { ...item, clipped: head ? 'head' : 'tail', confidence: item.confidence * 0.6 };
  });
}

/** Where thanks and greetings stand beside the callsign. */
function courtesyAround(all: readonly Token[], tokens: readonly Token[], spans: readonly Span[]): { thanksBefore: boolean; before: boolean; after: boolean } {
  const first = tokens[spans[0]?.[0] ?? -1]?.from ?? Number.MAX_SAFE_INTEGER;
  const last = tokens[(spans.at(-1)?.[1] ?? 0) - 1]?.to ?? 0;
  const greetings = all.filter((token) => token.filler === 'greeting');
  return {
    thanksBefore: greetings.some((token) => token.to <= first && /^(?:thank|thanks|merci|danke|gracias|grazie)$/u.test(token.text)),
    before: greetings.some((token) => token.to <= first),
    after: greetings.some((token) => token.from >= last),
  };
}

const isAction = (label: ChunkLabel): label is Action => (ACTIONS as readonly string[]).includes(label);

/** Chunks over all words: neighbours with the same label are one (conventions 17). */
function chunk(words: readonly Word[], tokens: readonly Token[], labels: readonly ChunkLabel[]): Chunk[] {
  const byWord: (ChunkLabel | undefined)[] = words.map(() => undefined);
  tokens.forEach((token, index) => {
    const label = labels[index] ?? 'O';
    for (let position = token.from; position < token.to; position++) if (byWord[position] === undefined || (byWord[position] === 'O' && label !== 'O')) byWord[position] = label;
  });
  const chunks: { text: string; label: ChunkLabel }[] = [];
  words.forEach((word, position) => {
    const label = byWord[position] ?? 'O';
    const last = chunks[chunks.length - 1];
    if (last?.label === label) last.text += ` ${word.text}`;
    else chunks.push({ text: word.text, label });
  });
  return chunks;
}

function actionsOf(chunks: readonly Chunk[]): Action[] {
  const actions: Action[] = [];
  for (const { label } of chunks) if (isAction(label) && !actions.includes(label)) actions.push(label);
  return actions;
}

function valuesOf(items: readonly Item[]): Values {
  const values: Partial<Record<ValueSlot, string[]>> = {};
  for (const item of items) (values[item.slot] ??= []).push(item.value);
  return values;
}

const withText = (parsed: Parsed, words: readonly Word[]): Understanding['conditions'] =>
  parsed.conditions.map((condition) => ({ ...condition, text: words.slice(condition.span[0], condition.span[1]).map((word) => word.text).join(' ') }));

function fillerPositions(words: readonly Word[], all: readonly Token[], tokens: readonly Token[], parsed: Parsed): number[] {
  const positions = new Set<number>();
  for (const token of all) if (token.filler !== undefined) for (let position = token.from; position < token.to; position++) positions.add(position);
  for (const index of parsed.fillers) {
    const token = tokens[index];
    if (token !== undefined && parsed.labels[index] === 'O') for (let position = token.from; position < token.to; position++) positions.add(position);
  }
  return [...positions].filter((position) => position < words.length).sort((a, b) => a - b);
}

/** Mean of what is known about words and items; no value and no word confidence gives a middling figure. */
function overall(words: readonly Word[], items: readonly Item[], role: number): number {
  const parts = [...items.map((item) => item.confidence), ...words.flatMap((word) => (word.confidence === undefined ? [] : [word.confidence]))];
  if (words.length === 0) return 0;
  if (parts.length === 0) return role;
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}
