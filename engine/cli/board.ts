/**
 * The live board for a terminal: one block an exchange, the decisive words marked in both halves, the level as word,
 * shape and colour. Fed with the same events that lie in the log.
 */
import type { HearbackEvent } from '../domain/events.js';
import type { Finding, Opinion } from '../domain/finding.js';
import type { RiskLevel } from '../domain/taxonomy.js';
import { clock, paint, type Paint } from './io.js';

/** Shape and colour of a level; never the colour alone. */
const LOOK: Readonly<Record<RiskLevel, { shape: string; colour: Paint }>> = {
  CORRECT: { shape: '✓', colour: 'green' },
  HIGH: { shape: '▲', colour: 'yellow' },
  CRITICAL: { shape: '■', colour: 'red' },
  EXTREME: { shape: '◆', colour: 'magenta' },
};

/** "■ CRITICAL  VALUE_CRITICAL", "? uncertain (could be HIGH)" … */
export function verdictText(finding: Finding): string {
  if (finding.verdict === 'uncertain') {
    const worst = finding.risk_level === 'CORRECT' ? '' : ` (could be ${finding.risk_level} ${finding.error_type})`;
    return paint('cyan', `? uncertain${worst}`);
  }
  if (finding.verdict === 'unreadable') return paint('cyan', '? unreadable answer of the judge');
  const look = LOOK[finding.risk_level];
  return paint(look.colour, `${look.shape} ${finding.risk_level}${finding.error_type === finding.risk_level ? '' : `  ${finding.error_type}`}`);
}

/** "error VALUE_CRITICAL, altitude": what one judge of several found. */
export function opinionText({ verdict, error_type, affected_slot }: Opinion): string {
  return `${verdict} ${error_type}${affected_slot === null ? '' : `, ${affected_slot}`}`;
}

/** Marks the words that decide. */
function mark(words: readonly string[], spans: readonly (readonly [number, number])[]): string {
  return words.map((word, at) => (spans.some(([from, to]) => at >= from && at < to) ? paint('inverse', `[${word}]`) : word)).join(' ').replaceAll('] [', ' ');
}

interface Said {
  readonly start: number;
  readonly channel: string;
  words: readonly string[];
}

/** Turns events into lines. */
export class Board {
  readonly #said = new Map<string, Said>();
  readonly #exchanges = new Map<string, { instruction: string; readbacks: readonly string[]; callsign: string | null }>();
  readonly #many: boolean;
  /** @param showAll also show transmissions as they come and correct readbacks in full. */
  constructor(
    channels: number,
    private readonly showAll: boolean,
  ) {
    this.#many = channels > 1;
  }

  /** The lines to print for one event; none for most. */
  lines(event: HearbackEvent): readonly string[] {
    switch (event.type) {
      case 'session.started':
        return [paint('grey', `${event.source} · recogniser ${event.recogniser} on ${event.device} · judge ${event.judge} · profile ${event.profile}`)];
      case 'notice':
        return [paint(event.severity === 'info' ? 'grey' : 'yellow', `${event.severity === 'info' ? 'i' : '!'} ${event.text}`)];
      case 'transmission.captured':
        this.#said.set(event.transmission, { start: event.start, channel: event.channel, words: [] });
        return [];
      case 'transmission.recognised': {
        const said = this.#said.get(event.transmission);
        const words = event.words.map((word) => word.text);
        if (said !== undefined) said.words = words;
        if (!this.showAll) return [];
        const text = event.text === '' ? paint('cyan', '(speech without text)') : event.text;
        const doubt = event.guards.length === 0 ? '' : paint('cyan', `  ? ${event.guards.map((guard) => guard.reason).join(', ')}`);
        return [`${this.#when(event.transmission)}  ${text}${doubt}`];
      }
      case 'transmission.failed':
        return [`${this.#when(event.transmission)}  ${paint('red', `✗ not recognised: ${event.error}`)}`];
      case 'transmission.understood':
        return [];
      case 'exchange.opened':
      case 'exchange.updated': {
        const { exchange } = event;
        this.#exchanges.set(exchange.id, exchange);
        if (exchange.status === 'unanswered') return this.#block(exchange.id, paint('yellow', '○ no readback heard'), undefined);
        return [];
      }
      case 'alert.raised':
        return event.alert === 'no-readback' ? [] : [`         ${paint('yellow', `! ${event.text}`)}`];
      case 'finding.made':
        return this.#block(event.exchange, verdictText(event.finding), event.finding);
      case 'session.ended':
      case 'review.decided':
      case 'review.text-edited':
      case 'review.speaker-edited':
      case 'review.noted':
      case 'review.undone':
      case 'session.renamed':
      case 'session.retention':
      case 'context.changed':
        return [];
    }
  }

  #when(transmission: string): string {
    const said = this.#said.get(transmission);
    const time = clock(said?.start ?? 0).padStart(7);
    return paint('grey', this.#many && said !== undefined ? `${time} ${said.channel.padEnd(5)}` : time);
  }

  #block(id: string, verdict: string, finding: Finding | undefined): readonly string[] {
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return [];
    const slot = finding?.affected_slot == null ? '' : `  ${finding.affected_slot}`;
    const head = `${this.#when(exchange.instruction)}  ${verdict}${slot}  ${paint('bold', exchange.callsign ?? 'callsign unknown')}`;
    if (finding?.verdict === 'correct' && !this.showAll && finding.advisories.length === 0) return [head];
    const deciding = (finding?.evidence.comparisons ?? []).filter((c) => c.outcome !== 'right' && c.outcome !== 'not-required');
    const spans = (side: 'instruction_span' | 'readback_span'): (readonly [number, number])[] => deciding.flatMap((c) => (c[side] === null ? [] : [c[side]]));
    const lines = [head, `           said       ${mark(this.#said.get(exchange.instruction)?.words ?? [], spans('instruction_span'))}`];
    if (exchange.readbacks.length > 0) {
      const words = exchange.readbacks.flatMap((readback) => this.#said.get(readback)?.words ?? []);
      lines.push(`           read back  ${mark(words, spans('readback_span'))}`);
    }
    if (finding !== undefined) {
      if (finding.verdict !== 'correct') lines.push(`           why        ${finding.explanation}`);
      for (const doubt of finding.doubts) lines.push(`           doubt      ${doubt}`);
      for (const advisory of finding.advisories) lines.push(paint('grey', `           note       ${advisory.text}`));
      if (finding.opinions !== undefined) lines.push(paint('grey', `           judges     ${finding.opinions.map((opinion) => `${opinion.judge}: ${opinionText(opinion)}`).join(' · ')}`));
    }
    return lines;
  }
}
