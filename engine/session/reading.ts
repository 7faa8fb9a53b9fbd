/**
 * Transmissions and exchanges as they are read: what holds, what the machine said, how each word fared. Pure, and free of anything that
 * only Node has: exports and screens share it.
 */
import type { COMPARISONS } from '../domain/finding.js';
import type { Word } from '../domain/understanding.js';
import { judged, machineTextOf, textOf, type Judged } from './answer.js';
import { stageOf, type Alert, type ExchangeState, type Note, type SessionState, type Stage, type TransmissionState } from './state.js';

/** How a word fared in the comparison; undefined for words that decide nothing. */
export type Mark = (typeof COMPARISONS)[number];

/** One transmission as a line. */
export interface Line {
  readonly id: string;
  readonly channel: string;
  /** Seconds from the start of the recording; undefined when only text was given. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly stage: Stage;
  /** What holds: a person's correction before the recogniser's words; undefined while there are none. */
  readonly text: string | undefined;
  readonly machineText: string | undefined;
  /** Who corrected the text. */
  readonly editor: string | undefined;
  /** The recogniser's words, with the marks of the finding where the line is part of an exchange. */
  readonly words: readonly { readonly text: string; readonly mark: Mark | undefined }[];
  /** The words are those of the correction, by which the exchange was judged again. */
  readonly judgedAsCorrected: boolean;
  /** Why the text is not to be trusted. */
  readonly guards: readonly string[];
  readonly error: string | undefined;
  readonly role: string | undefined;
  /** Path inside the session folder; undefined when no audio was kept. */
  readonly audio: string | undefined;
}

export interface ReportExchange {
  readonly id: string;
  readonly channel: string;
  readonly callsign: string | null;
  readonly status: ExchangeState['exchange']['status'];
  readonly note: string | undefined;
  readonly follows: string | undefined;
  readonly pairingConfidence: number;
  readonly instruction: readonly Line[];
  readonly readback: readonly Line[];
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly judged: Judged;
  readonly alerts: readonly Alert[];
  /** What people remarked, the word that goes with the decision in force first. */
  readonly remarks: readonly Pick<Note, 'reviewer' | 'text'>[];
  /** What was corrected after the machine judged the exchange. */
  readonly editedSince: 'text' | 'speaker' | false;
}

/** The recogniser's words of a transmission, which word positions in findings count. */
function wordsOf(transmission: TransmissionState): readonly Word[] {
  if (transmission.understanding !== undefined) return transmission.understanding.words;
  if (transmission.recognition !== undefined) return transmission.recognition.words;
  return [];
}

/** A transmission as a line; `marks` one a word. */
export function lineOf(transmission: TransmissionState, marks: readonly (Mark | undefined)[] = []): Line {
  const { capture, recognition } = transmission;
  const edit = transmission.edits.at(-1);
  return {
    id: transmission.id,
    channel: capture?.channel ?? '',
    start: capture?.start,
    end: capture?.end,
    stage: stageOf(transmission),
    text: textOf(transmission),
    machineText: machineTextOf(transmission),
    editor: edit?.reviewer,
    words: wordsOf(transmission).map((word, index) => ({ text: word.text, mark: marks[index] })),
    judgedAsCorrected: edit !== undefined && transmission.understanding?.text === edit.text,
    guards: recognition?.guards.map((guard) => guard.detail) ?? [],
    error: transmission.failure?.error,
    role: transmission.speakers?.at(-1)?.role ?? transmission.understanding?.role,
    audio: capture === undefined || capture.audio === '' ? undefined : capture.audio,
  };
}

/** Strongest first: where spans overlap, a word shows the worse. */
const MARK_ORDER: readonly Mark[] = ['wrong', 'missing', 'unit-changed', 'added', 'uncertain', 'right', 'not-required'];

/**
 * Marks of one half of an exchange. Word positions run on over all transmissions of the half.
 *
 * @returns one list of marks a transmission.
 */
function marksOf(half: 'instruction' | 'readback', exchange: ExchangeState, said: readonly TransmissionState[]): readonly (readonly (Mark | undefined)[])[] {
  const words = said.map(wordsOf);
  const flat = words.flat();
  const marks: (Mark | undefined)[] = flat.map(() => undefined);
  const finding = exchange.findings.at(-1)?.finding;
  if (finding !== undefined) {
    let pointed = false;
    for (const comparison of finding.evidence.comparisons) {
      const span = half === 'instruction' ? comparison.instruction_span : comparison.readback_span;
      if (span === null || comparison.outcome === 'not-required') continue;
      pointed = true;
      for (let at = Math.max(0, span[0]); at < Math.min(span[1], flat.length); at += 1) {
        const before = marks[at];
        if (before === undefined || MARK_ORDER.indexOf(comparison.outcome) < MARK_ORDER.indexOf(before)) marks[at] = comparison.outcome;
      }
    }
    if (!pointed && finding.verdict !== 'correct') {
      // a judge that gives decisive words without positions: a language model
      const decisive = new Set((half === 'instruction' ? finding.evidence.instruction_words : finding.evidence.readback_words).flatMap((word) => word.toLowerCase().split(/\s+/)));
      flat.forEach((word, at) => {
        if (decisive.has(word.text.toLowerCase())) marks[at] = finding.verdict === 'error' ? 'wrong' : 'uncertain';
      });
    }
  }
  let from = 0;
  return words.map((own) => marks.slice(from, (from += own.length)));
}

function remarksOf(exchange: ExchangeState, review: Judged['review']): ReportExchange['remarks'] {
  const decision = review?.note === undefined || review.note === '' ? [] : [{ reviewer: review.reviewer, text: review.note }];
  return [...decision, ...(exchange.notes ?? []).map(({ reviewer, text }) => ({ reviewer, text }))];
}

/** An exchange with everything that was said in it. */
export function exchangeOf(exchange: ExchangeState, state: SessionState): ReportExchange {
  const about = exchange.exchange;
  const find = (ids: readonly string[]): readonly TransmissionState[] => ids.map((id) => state.transmissions.get(id) ?? { id, edits: [] });
  const instructions = about.instructions ?? (about.instruction === '' ? [] : [about.instruction]);
  const halves = { instruction: find(instructions), readback: find(about.readbacks) };
  const lines = (half: 'instruction' | 'readback'): readonly Line[] => {
    const marks = marksOf(half, exchange, halves[half]);
    return halves[half].map((transmission, index) => lineOf(transmission, marks[index]));
  };
  const instruction = lines('instruction');
  const readback = lines('readback');
  const all = [...instruction, ...readback];
  const times = (pick: (line: Line) => number | undefined): number[] => all.flatMap((line) => pick(line) ?? []);
  const answer = judged(exchange);
  const judgedAt = answer.finding?.seq ?? Infinity;
  const since = (said: readonly { readonly seq: number }[] | undefined): boolean => said?.some(({ seq }) => seq > judgedAt) === true;
  const halvesSaid = [...halves.instruction, ...halves.readback];
  const edited = halvesSaid.some(({ edits }) => since(edits)) ? 'text' : halvesSaid.some(({ speakers }) => since(speakers)) ? 'speaker' : false;
  const starts = times((line) => line.start);
  const ends = times((line) => line.end);
  return {
    id: exchange.id,
    channel: about.channel ?? all[0]?.channel ?? '',
    callsign: about.callsign,
    status: about.status,
    note: about.note,
    follows: about.follows,
    pairingConfidence: about.pairing_confidence,
    instruction,
    readback,
    start: starts.length === 0 ? undefined : Math.min(...starts),
    end: ends.length === 0 ? undefined : Math.max(...ends),
    judged: answer,
    alerts: exchange.alerts,
    remarks: remarksOf(exchange, answer.review),
    editedSince: edited,
  };
}

/** Text of a half, its transmissions joined; undefined while there is none at all. */
export function halfText(lines: readonly Line[], pick: (line: Line) => string | undefined): string | undefined {
  const texts = lines.flatMap((line) => pick(line) ?? []);
  return texts.length === 0 ? undefined : texts.join(' ');
}

/** One line for people: "CRITICAL VALUE_CRITICAL (altitude)", "uncertain, at worst …", "no readback". */
export function answerText(exchange: ReportExchange): string {
  const { holds, review } = exchange.judged;
  const by = review === undefined ? '' : `, ${review.decision === 'agree' ? 'confirmed' : 'overruled'} by ${review.reviewer}`;
  const kind = [holds.errorType ?? 'kind not told', holds.slot === null ? '' : `(${holds.slot})`].filter((part) => part !== '').join(' ');
  switch (holds.verdict) {
    case null:
      return exchange.status === 'open' || exchange.status === 'unanswered' ? `no readback${by}` : `${exchange.status}${by}`;
    case 'correct':
      return `${holds.errorType ?? 'CORRECT'}${by}`;
    case 'error':
      return `${holds.risk ?? 'ERROR'} ${kind}${by}`;
    case 'uncertain':
      return `uncertain, at worst ${holds.risk ?? 'unknown'} ${kind}${by}`;
    case 'unreadable':
      return `unreadable answer of the judge${by}`;
  }
}

/** Seconds as h:mm:ss.s for people. */
export function clockTime(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const tenths = Math.round(seconds * 10);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(tenths / 36000);
  return `${hours > 0 ? `${hours}:` : ''}${two(Math.floor(tenths / 600) % 60)}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
}

