/**
 * One pass over the tokens of a transmission: action phrases, values, conditions. Gives every token a Task 1 label (arXiv 2608.24621,
 * C.1–C.3, K.4) and builds the semantic items beside it, so that chunks and values cannot disagree.
 */
import type { ChunkLabel } from '../domain/taxonomy.js';
import type { Command, Condition, Item, Span } from '../domain/understanding.js';
import { advisory, aircraftSpokenOf, reports } from './advisories.js';
import { bareNumber } from './bare-numbers.js';
import { carrierWord, groundPlace, namedFix, pathOrLetters, unitName } from './carriers.js';
import { actionPhrase, clearedPhrase } from './clearances.js';
import { boundOnly, gate } from './gates.js';
import { restriction } from './restrictions.js';
import { Scanner, type ParseInput, type Signs } from './scanner.js';
import { attachRunways, retract } from './settle.js';
import { talk } from './talk.js';
import { ATTRIBUTES, POLARITY, RELATIONS } from './terms.js';

export interface Parsed {
  /** One label a token. */
  readonly labels: readonly ChunkLabel[];
  readonly items: readonly Item[];
  readonly commands: readonly Command[];
  readonly conditions: readonly Condition[];
  /** Word ranges that were taken back. */
  readonly retracted: readonly Span[];
  readonly acknowledgements: readonly string[];
  /** Token positions that only fill. */
  readonly fillers: readonly number[];
  readonly signs: Signs;
}

/** Rules in order of precedence; each takes what it knows and moves on, or leaves the token to the next. */
const RULES: readonly ((s: Scanner, at: number) => boolean)[] = [
  talk, restriction, gate, boundOnly, advisory, reports, clearedPhrase, actionPhrase, carrierWord, unitName, aircraftSpokenOf, bareNumber, pathOrLetters, groundPlace, namedFix, connector,
];

/** Parses the meaningful tokens of one transmission. Never throws; what nothing explains gets label O. */
export function parse(input: ParseInput): Parsed {
  const s = new Scanner(input);
  s.ground = s.t.some((token) => /^(?:taxi|taxiing|apron|stand|taxiway|pushback|bay|greens)$/u.test(token.text)) || s.hasText('hold', 'short') || s.hasText('holding', 'short') || s.hasText('holding', 'point') || s.hasText('next', 'left') || s.hasText('next', 'right') || s.hasText('first', 'left') || s.hasText('first', 'right');
  while (s.at < s.t.length) {
    const before = s.at;
    step(s);
    if (s.at <= before) s.at = before + 1;
  }
  s.closeVerb();
  attachRunways(s);
  retract(s);
  return {
    labels: s.labels.map((label) => label ?? 'O'),
    items: s.items,
    commands: s.commands,
    conditions: s.conditions,
    retracted: s.retracted,
    acknowledgements: s.acknowledgements,
    fillers: s.fillers,
    signs: s.signs,
  };
}

function step(s: Scanner): void {
  const at = s.at;
  if (s.t[at]?.question === true) s.signs.question = true;
  if (s.masked[at] === true) {
    s.labels[at] ??= 'callsign';
    if (s.modality !== 'request') s.modality = 'command';
    s.reset();
    s.at = at + 1;
    return;
  }
  if (RULES.some((rule) => rule(s, at))) return;
  // "direct to … looking for … near INNSBRUCK": the name that was expected did not come
  if (!s.oneOf(at, /^(?:the|a|an|your|point|waypoint|position|now|then|and|of)$/u)) s.expectFix = false;
  s.fill(at, at + 1);
  s.at = at + 1;
}

/** Negations, connectors and descriptors that no other rule has taken. */
function connector(s: Scanner, i: number): boolean {
  const text = s.text(i);
  if (POLARITY.has(text) || s.is(i, 'do', 'not')) {
    const to = text === 'do' ? i + 2 : i + 1;
    s.mark(i, to, 'polarity');
    if (text === 'unable') s.acknowledgements.push('unable');
    else s.negated = text !== 'no' || !s.oneOf(i + 1, /^(?:speed|delay|problem|sorry|need)$/u);
    s.at = to;
    return true;
  }
  if (RELATIONS.has(text)) {
    if (text === 'via') {
      s.path = s.ground || s.verb === 'vacate' || s.verb === 'taxi' || s.verb === 'line_up' || s.verb === 'backtrack' || (s.items.at(-1)?.slot === 'runway' && s.letter(i + 1) !== undefined);
      if (!s.path) s.expectFix = true;
    }
    if (/^(?:to|for|into|onto)$/u.test(text) && s.verb === 'taxi') s.path = true;
    if (/^(?:at|on|of)$/u.test(text) && (s.verb === 'cross_runway' || s.verb === 'hold_short' || s.verb === 'vacate' || s.verb === 'line_up')) s.path = true;
    s.mark(i, i + 1, 'relation');
    s.at = i + 1;
    return true;
  }
  if (text === 'facing' && s.oneOf(i + 1, /^(?:north|south|east|west|northeast|northwest|southeast|southwest)$/u)) {
    s.mark(i, i + 2, 'attribute');
    s.at = i + 2;
    return true;
  }
  if (ATTRIBUTES.has(text)) {
    const to = s.is(i, 'straight', 'ahead') ? i + 2 : i + 1;
    s.mark(i, to, 'attribute');
    s.at = to;
    return true;
  }
  return false;
}
