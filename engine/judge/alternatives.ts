/**
 * A second look at a finding with what the recogniser thought possible besides the words that it wrote: "240 or 250" (J36). A word that
 * decides is exchanged for its alternative, the transmission is read anew and judged again; what comes out can only turn `error` or
 * `correct` into `uncertain`.
 */
import type { Comparison, Finding } from '../domain/finding.js';
import type { DialogueInput, Judge, Pair, Understand } from '../domain/stages.js';
import type { ErrorType, Profile } from '../domain/taxonomy.js';
import type { Context, Span, Understanding, Word } from '../domain/understanding.js';
import { SAME_SOUND } from './sound.js';
import { plainWord } from './surface.js';

/**
 * Least probability of another word with which a wrong readback would be right. It fits the other half exactly, which a chance rival
 * seldom does; less likely than one in six or seven it is still no reason to doubt.
 */
const LEAST_BESIDE_ERROR = 0.15;
/**
 * Least probability of another word with which a right readback would be wrong: the other half, heard as it is, speaks against it. Of 48 right readbacks
 * of the held-out set at 10 and 15 dB, 29 are judged right by their words; .3 doubts none of them, .25 one, .2 two. No wrong one was judged right.
 */
const LEAST_BESIDE_RIGHT = 0.3;
/** Words that are tried, at most, likeliest first. */
const MOST_TRIED = 6;
/** The confidence of a finding that is not certain is no higher (as in rules.ts). */
const MOST_CONFIDENT = 0.5;
/** Words before a value among which its verb is looked for. */
const BEFORE_VALUE = 3;
/** Words on either side that are quoted with the doubtful one, at most. */
const QUOTED = 4;

/** Errors that make a right finding doubtful. */
const CRITICAL: ReadonlySet<ErrorType> = new Set<ErrorType>(['VALUE_CRITICAL', 'TARGET_CRITICAL', 'MULTI_ERROR']);

/** What the second look needs of the other stages. */
export interface SecondLook {
  readonly judge: Judge;
  readonly understand: Understand;
  /** Several transmissions of one speaker as one, in order. */
  readonly join: (parts: readonly Understanding[]) => Understanding;
  readonly profile: Profile;
  readonly context?: Context | undefined;
}

type Side = 'instruction' | 'readback';

/** Another word that may have been said. */
interface Chance {
  readonly side: Side;
  readonly part: DialogueInput;
  /** Word positions [from, to) in that part's words that it stands for. */
  readonly from: number;
  readonly to: number;
  /** Words of the same side before that part. */
  readonly offset: number;
  readonly text: string;
  readonly probability: number;
  readonly confidence: number | undefined;
}

/**
 * The finding of a judge, or an `uncertain` one where a word that decides it may have been another: an error that another word (.15 or
 * more) makes right, a right readback that another word (.3 or more) makes a critical error. Nothing becomes `correct`, no level is lowered, and without
 * such alternatives the very same finding comes back. Judges again once for each word tried, at most six, and once for each transmission as it was heard.
 */
export async function weighAlternatives(finding: Finding, pair: Pick<Pair, 'exchange' | 'instruction' | 'readbacks'>, look: SecondLook): Promise<Finding> {
  if (finding.verdict !== 'error' && finding.verdict !== 'correct') return finding;
  const chances = chancesOf(finding, pair, look.join).slice(0, MOST_TRIED);
  if (chances.length === 0) return finding;

  const heard = [...new Set([pair.exchange.callsign, ...[pair.instruction, ...pair.readbacks].map((part) => fullCallsign(part.understanding))].filter((c) => c !== null))];
  const read = ({ understanding, guards }: DialogueInput, words: readonly Word[]): Understanding => {
    const text = words.map((word) => word.text).join(' ');
    const { role, role_confidence, intent } = understanding;
    return { ...look.understand({ id: understanding.id, text, words, guards, heard, ...(look.context === undefined ? {} : { context: look.context }) }), role, role_confidence, intent };
  };
  /** Judges with other words in one part: by what they say, as if all of it had been heard surely. */
  const judgeWith = (part: DialogueInput, words: readonly Word[]): Promise<Finding> => {
    const changed = (each: DialogueInput): Understanding => (each === part ? read(part, words) : each.understanding);
    return look.judge.judge({
      instruction: surely(changed(pair.instruction)),
      readback: surely(look.join(pair.readbacks.map(changed))),
      profile: look.profile,
      ...(look.context === undefined ? {} : { context: look.context }),
    });
  };

  const asHeard = new Map<DialogueInput, boolean>();
  for (const chance of chances) {
    const { part, from, to } = chance;
    const { words } = part.understanding;
    let same = asHeard.get(part);
    if (same === undefined) {
      // what the words alone do not give again (an earlier call, a turn cut out of a longer text) cannot be asked what other words would give
      const again = await judgeWith(part, words);
      same = again.verdict === finding.verdict && again.error_type === finding.error_type;
      asHeard.set(part, same);
    }
    if (!same) continue;
    const supposed = chance.text.split(/\s+/).map((text): Word => ({ text, confidence: 1 }));
    const other = await judgeWith(part, [...words.slice(0, from), ...supposed, ...words.slice(to)]);
    if (finding.verdict === 'error' && other.verdict === 'correct') return doubtError(finding, chance, quotes(finding, chance, pair, look.join));
    if (finding.verdict === 'correct' && other.verdict === 'error' && CRITICAL.has(other.error_type)) return doubtRight(finding, other, chance, quotes(finding, chance, pair, look.join));
  }
  return finding;
}

/** The aircraft of a transmission where it was named in full: shortened forms go back to it. */
function fullCallsign({ callsign, callsign_candidates: [best] }: Understanding): string | null {
  return best?.form === 'full' || best?.form === 'list' ? callsign : null;
}

/** The same words as if they had been heard beyond doubt: only what they say is to be judged. */
function surely(understanding: Understanding): Understanding {
  const sure = <T extends { readonly confidence: number }>(part: T): T => ({ ...part, confidence: 1 });
  return {
    ...understanding,
    words: understanding.words.map(({ text }) => ({ text })),
    items: understanding.items.map(sure),
    commands: understanding.commands.map(sure),
    conditions: understanding.conditions.map(sure),
    callsign_candidates: understanding.callsign_candidates.map((candidate) => ({ ...candidate, score: 1 })),
    confidence: 1,
  };
}

// --- which words decide ------------------------------------------------------------------------------------------------

const spanOf = (comparison: Comparison, side: Side): Span | null => (side === 'instruction' ? comparison.instruction_span : comparison.readback_span);

const spansOf = (comparisons: readonly Comparison[], side: Side): Span[] => comparisons.map((comparison) => spanOf(comparison, side)).filter((span) => span !== null);

const overlap = (a: Span, b: Span): boolean => a[0] < b[1] && b[0] < a[1];

/** Positions of the words that decide: compared values and callsigns with the orders that they belong to; where something is missing, any word may be it. */
function deciding(finding: Finding, side: Side, understanding: Understanding): ReadonlySet<number> {
  const faulty = finding.evidence.comparisons.filter(({ outcome }) => finding.verdict === 'correct' || (outcome !== 'right' && outcome !== 'not-required'));
  const positions = new Set<number>();
  const add = ([from, to]: Span): void => {
    for (let at = from; at < to; at++) positions.add(at);
  };
  const spans = spansOf(faulty, side);
  spans.forEach(add);
  for (const command of understanding.commands) {
    const own: Span[] = [command.span, ...command.items.flatMap((index) => [understanding.items[index]?.span].filter((span) => span !== undefined))];
    if (faulty.some(({ slot }) => slot === command.verb) || own.some((span) => spans.some((compared) => overlap(span, compared)))) add(command.span);
  }
  // "turn left" before a heading, "descend to" before a level: what is done with a value stands in front of it
  const elsewhere = [...understanding.items, ...understanding.conditions, ...understanding.callsign_candidates].map(({ span }) => span);
  for (const { verb, span } of understanding.items) {
    if (verb === undefined || !spans.some((compared) => overlap(span, compared))) continue;
    for (let at = span[0] - 1; at >= Math.max(0, span[0] - BEFORE_VALUE) && !elsewhere.some(([from, to]) => at >= from && at < to); at--) positions.add(at);
  }
  const absent = side === 'readback' ? 'missing' : 'added';
  if (finding.verdict === 'error' && faulty.some(({ outcome }) => outcome === absent)) add([0, understanding.words.length]);
  return positions;
}

/** Other words worth trying, likeliest first. */
function chancesOf(finding: Finding, pair: Pick<Pair, 'instruction' | 'readbacks'>, join: SecondLook['join']): readonly Chance[] {
  const right = finding.verdict === 'correct';
  const least = right ? LEAST_BESIDE_RIGHT : LEAST_BESIDE_ERROR;
  const likely = (part: DialogueInput): boolean => part.understanding.words.some((word) => word.alternatives?.some(({ probability }) => probability >= least) === true);
  const found: Chance[] = [];
  const look = (side: Side, parts: readonly DialogueInput[]): void => {
    if (!parts.some(likely)) return;
    const positions = deciding(finding, side, join(parts.map((part) => part.understanding)));
    let offset = 0;
    for (const part of parts) {
      const { words } = part.understanding;
      words.forEach((word, from) => {
        if (word.alternatives === undefined || !positions.has(offset + from)) return;
        // a word that was cut in pieces: its alternatives stand for the whole
        if (words[from - 1]?.alternatives === word.alternatives || words[from + 1]?.alternatives === word.alternatives) return;
        let to = from + 1;
        // what was heard in place of a callsign of the list stands beside the first of its words
        while (word.listed === true && words[to]?.listed === true && words[to]?.alternatives === undefined) to++;
        for (const { text, probability } of word.alternatives) {
          if (probability < least || text.trim() === '' || (right && soundsAlike(text, word.text))) continue;
          found.push({ side, part, from, to, offset, text: text.trim(), probability, confidence: word.confidence });
        }
      });
      offset += words.length;
    }
  };
  look('instruction', [pair.instruction]);
  look('readback', pair.readbacks);
  return found.sort((a, b) => b.probability - a.probability);
}

function soundsAlike(one: string, other: string): boolean {
  const [a, b] = [plainWord(one), plainWord(other)];
  // as an alternative of each other they say nothing against a right readback
  return a === b || SAME_SOUND.some((words) => words.has(a) && words.has(b));
}

// --- how it is told ----------------------------------------------------------------------------------------------------

/** What was heard and what may have been said. */
interface Quotes {
  /** A clause without a full stop. */
  readonly clause: string;
  /** The decisive words with the other one behind the heard one. */
  readonly words: readonly string[];
}

function quotes(finding: Finding, { side, part, from, to, offset, text, probability, confidence }: Chance, pair: Pick<Pair, 'instruction' | 'readbacks'>, join: SecondLook['join']): Quotes {
  const all = (side === 'instruction' ? part.understanding : join(pair.readbacks.map((each) => each.understanding))).words.map((word) => word.text);
  const [first, last] = [offset + from, offset + to];
  const around = spansOf(finding.evidence.comparisons, side).filter((span) => span[0] <= first && span[1] > first);
  const [start, end] = around.sort((a, b) => a[1] - a[0] - (b[1] - b[0]))[0] ?? [first, last];
  const before = all.slice(Math.max(start, first - QUOTED), first);
  const after = all.slice(last, Math.min(Math.max(end, last), last + QUOTED));
  const heard = all.slice(first, last);
  const percent = (value: number): string => `${String(Math.round(value * 100))} %`;
  const likely =
    confidence === undefined || probability < confidence / 2 ? 'possible' : probability < confidence ? 'nearly as likely' : 'as likely';
  const figures = confidence === undefined ? percent(probability) : `${percent(probability)} beside ${percent(confidence)}`;
  return {
    clause: `heard "${[...before, ...heard, ...after].join(' ')}" in the ${side}, but "${[...before, text, ...after].join(' ')}" is ${likely} (${figures})`,
    words: [...before, ...heard, `(or ${text})`, ...after],
  };
}

/** The comparisons with those that rest on the word as uncertain. */
function doubtful(finding: Finding, { side, from, offset }: Chance): Comparison[] {
  return finding.evidence.comparisons.map((comparison) => {
    const span = spanOf(comparison, side);
    return comparison.outcome === 'not-required' || span === null || offset + from < span[0] || offset + from >= span[1] ? comparison : { ...comparison, outcome: 'uncertain' };
  });
}

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** An error that another word makes right: type and level stay, as for every doubtful mismatch (J25). */
function doubtError(finding: Finding, chance: Chance, { clause, words }: Quotes): Finding {
  return {
    ...finding,
    verdict: 'uncertain',
    explanation: `Not certain: ${clause}; as heard: ${finding.explanation}`,
    confidence: Math.min(MOST_CONFIDENT, finding.confidence),
    evidence: { ...finding.evidence, [`${chance.side}_words`]: [...words], comparisons: doubtful(finding, chance) },
    doubts: [...finding.doubts, sentence(clause)],
  };
}

/** A right readback that another word makes a critical error: that error, as likely as the word. */
function doubtRight(finding: Finding, other: Finding, chance: Chance, { clause, words }: Quotes): Finding {
  return {
    ...finding,
    is_correct: false,
    error_type: other.error_type,
    risk_level: other.risk_level,
    affected_slot: other.affected_slot,
    verdict: 'uncertain',
    explanation: `Not certain: ${clause}; then: ${other.explanation}`,
    confidence: Math.min(MOST_CONFIDENT, chance.probability),
    evidence: {
      instruction_words: other.evidence.instruction_words,
      readback_words: other.evidence.readback_words,
      [`${chance.side}_words`]: [...words],
      comparisons: doubtful(finding, chance),
    },
    doubts: [...finding.doubts, sentence(clause)],
  };
}
