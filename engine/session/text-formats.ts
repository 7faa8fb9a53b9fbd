/**
 * Exports as text: JSON Lines, CSV, SubRip subtitles, Praat TextGrid. What a person corrected or decided holds; the machine's own
 * answer stands beside it.
 */
import { ErrorType, RISK_OF } from '../domain/taxonomy.js';
import type { Answer } from './answer.js';
import { answerText, halfText, type Line, type ReportExchange } from './reading.js';
import type { Report } from './report.js';

/** Told in every format that has room for it. */
export const PURPOSE = 'For training, simulation and research only. Not certified for operational use.';

const answerJson = (answer: Answer) => ({ verdict: answer.verdict, error_type: answer.errorType, risk_level: answer.risk, affected_slot: answer.slot });

const lineJson = (line: Line) => ({
  id: line.id,
  channel: line.channel,
  start: line.start ?? null,
  end: line.end ?? null,
  text: line.text ?? null,
  text_machine: line.machineText ?? null,
  edited_by: line.editor ?? null,
});

/**
 * JSON Lines: a line `session` with the origin and the counts, a line `transmission` each, a line `exchange` each, in the order of the
 * recording. `text` and the answer fields hold what is in force; `text_machine` and `machine` what the machine said; `finding` is its
 * finding in full.
 */
export function toJsonLines(report: Report): string {
  const { identity, state } = report;
  const session = {
    record: 'session',
    ...identity,
    recording: report.recording,
    started: report.started,
    seconds: report.seconds,
    ...(state.meta === undefined
      ? {}
      : { channels: state.meta.channels, recogniser: state.meta.recogniser, device: state.meta.device, judge: state.meta.judge, profile: state.meta.profile }),
    ended: state.ended?.reason ?? null,
    events: state.seq,
    counts: report.counts,
    notices: state.notices.map(({ kind, text, severity, at }) => ({ at, kind, severity, text })),
    purpose: PURPOSE,
  };
  const transmissions = report.lines.map((line) => {
    const known = state.transmissions.get(line.id);
    return {
      record: 'transmission',
      ...lineJson(line),
      stage: line.stage,
      edits: known?.edits ?? [],
      audio: line.audio ?? null,
      recognition: known?.recognition ?? null,
      understanding: known?.understanding ?? null,
      failure: known?.failure ?? null,
    };
  });
  const exchanges = report.exchanges.map((exchange) => {
    const { holds, machine, finding, review, findingIsNewer } = exchange.judged;
    return {
      record: 'exchange',
      id: exchange.id,
      channel: exchange.channel,
      callsign: exchange.callsign,
      status: exchange.status,
      start: exchange.start ?? null,
      end: exchange.end ?? null,
      instruction: exchange.instruction.map(lineJson),
      readback: exchange.readback.map(lineJson),
      ...answerJson(holds),
      decided_by: review?.reviewer ?? (finding === undefined ? null : 'machine'),
      review: review ?? null,
      reviews: state.exchanges.get(exchange.id)?.reviews ?? [],
      notes: state.exchanges.get(exchange.id)?.notes ?? [],
      machine: answerJson(machine),
      finding: finding?.finding ?? null,
      finding_after_review: findingIsNewer,
      text_edited_after_finding: exchange.editedSince === 'text',
      latency_ms: finding?.latency_ms ?? null,
      alerts: exchange.alerts,
      pairing_confidence: exchange.pairingConfidence,
      follows: exchange.follows ?? null,
      note: exchange.note ?? null,
    };
  });
  return [session, ...transmissions, ...exchanges].map((record) => `${JSON.stringify(record)}\n`).join('');
}

/**
 * One CSV field: RFC 4180 quoting, and an apostrophe before what a spreadsheet would run as a formula (=, +, -, @, tab, return
 * at the start), since texts of a session may come from anywhere.
 */
function csvField(value: string | number | null | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /["\n\r,]/.test(safe) || /^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Columns of the CSV, in order. */
export const CSV_COLUMNS = [
  'record', 'id', 'channel', 'start', 'end', 'callsign', 'status',
  'instruction_ids', 'instruction_start', 'instruction_end', 'instruction_text', 'instruction_text_machine',
  'readback_ids', 'readback_start', 'readback_end', 'readback_text', 'readback_text_machine',
  'text_edited_by', 'verdict', 'error_type', 'risk_level', 'affected_slot',
  'review_decision', 'reviewer', 'review_note',
  'machine_verdict', 'machine_error_type', 'machine_risk_level', 'machine_affected_slot',
  'explanation', 'doubts', 'advisories', 'alerts', 'confidence', 'pairing_confidence', 'judge', 'profile', 'latency_ms', 'note',
] as const;
type CsvRow = Partial<Record<(typeof CSV_COLUMNS)[number], string | number | null | undefined>>;

function halfColumns(half: 'instruction' | 'readback', lines: readonly Line[]): CsvRow {
  return {
    [`${half}_ids`]: lines.map((line) => line.id).join(' '),
    [`${half}_start`]: lines[0]?.start,
    [`${half}_end`]: lines.at(-1)?.end,
    [`${half}_text`]: halfText(lines, (line) => line.text),
    [`${half}_text_machine`]: halfText(lines, (line) => line.machineText),
  };
}

/** What people remarked as one text; who said it stands with what did not come with the decision. */
const remarkText = ({ remarks, judged: { review } }: ReportExchange): string => remarks.map(({ reviewer, text }) => (reviewer === review?.reviewer && text === review.note ? text : `${reviewer}: ${text}`)).join('; ');

function exchangeRow(exchange: ReportExchange): CsvRow {
  const { holds, machine, finding, review } = exchange.judged;
  return {
    record: 'exchange',
    id: exchange.id,
    channel: exchange.channel,
    start: exchange.start,
    end: exchange.end,
    callsign: exchange.callsign,
    status: exchange.status,
    ...halfColumns('instruction', exchange.instruction),
    ...halfColumns('readback', exchange.readback),
    text_edited_by: [...new Set([...exchange.instruction, ...exchange.readback].flatMap((line) => line.editor ?? []))].join('; '),
    verdict: holds.verdict,
    error_type: holds.errorType,
    risk_level: holds.risk,
    affected_slot: holds.slot,
    review_decision: review?.decision,
    reviewer: review?.reviewer,
    review_note: remarkText(exchange),
    machine_verdict: machine.verdict,
    machine_error_type: machine.errorType,
    machine_risk_level: machine.risk,
    machine_affected_slot: machine.slot,
    explanation: finding?.finding.explanation,
    doubts: finding?.finding.doubts.join(' '),
    advisories: finding?.finding.advisories.map((advisory) => advisory.text).join(' '),
    alerts: exchange.alerts.map((alert) => alert.text).join(' '),
    confidence: finding?.finding.confidence,
    pairing_confidence: exchange.pairingConfidence,
    judge: finding?.finding.judge,
    profile: finding?.finding.profile,
    latency_ms: finding?.latency_ms,
    note: exchange.note,
  };
}

/** A transmission that belongs to no exchange, in the columns of the half that its speaker would have. */
function lineRow(line: Line): CsvRow {
  return {
    record: 'transmission',
    id: line.id,
    channel: line.channel,
    start: line.start,
    end: line.end,
    status: line.stage,
    ...halfColumns(line.role === 'pilot' ? 'readback' : 'instruction', [line]),
    text_edited_by: line.editor,
    note: line.error,
  };
}

/**
 * CSV after RFC 4180 (CRLF, header line): a row `exchange` each and a row `transmission` for each transmission outside of
 * exchanges, by start time. `X` is what holds, `X_machine` and `machine_X` what the machine said.
 *
 * @param bom put a byte order mark first, which some spreadsheets need to read letters outside ASCII.
 */
export function toCsv(report: Report, options: { bom?: boolean } = {}): string {
  const rows = [
    ...report.exchanges.map((exchange) => ({ at: exchange.start ?? Infinity, row: exchangeRow(exchange) })),
    ...report.lines.filter((line) => !report.exchanged.has(line.id)).map((line) => ({ at: line.start ?? Infinity, row: lineRow(line) })),
  ].sort((a, b) => (a.at === b.at ? 0 : a.at - b.at));
  const lines = [CSV_COLUMNS.join(','), ...rows.map(({ row }) => CSV_COLUMNS.map((column) => csvField(row[column])).join(','))];
  return `${options.bom === true ? '\uFEFF' : ''}${lines.join('\r\n')}\r\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What a reader of subtitles or tiers sees of a transmission. */
function shownText(line: Line): string {
  if (line.text !== undefined) return line.text === '' ? '[no words]' : oneLine(line.text);
  return line.stage === 'failed' ? `[not recognised: ${oneLine(line.error ?? '')}]` : '[not yet recognised]';
}

/** The machine's words beside a corrected text; empty when nothing was corrected. */
function machineAside(line: Line): string {
  return line.editor === undefined ? '' : `[corrected by ${oneLine(line.editor)}; machine: ${oneLine(line.machineText ?? '')}]`;
}

/** What to say of an exchange at its last transmission. */
function exchangeAside(exchange: ReportExchange): string {
  const { machine, review, finding } = exchange.judged;
  const parts = [answerText(exchange)];
  if (exchange.judged.holds.verdict !== 'correct' && finding !== undefined) parts.push(oneLine(finding.finding.explanation));
  if (exchange.remarks.length > 0) parts.push(`note: ${oneLine(remarkText(exchange))}`);
  if (review !== undefined) parts.push(`machine: ${machine.verdict === null ? 'no finding' : [machine.verdict, machine.risk ?? '', machine.errorType ?? ''].join(' ').trim()}`);
  return parts.join(' – ');
}

/** Exchanges by the transmission at whose end they are told. */
function asidesByLine(report: Report): ReadonlyMap<string, readonly ReportExchange[]> {
  const asides = new Map<string, ReportExchange[]>();
  for (const exchange of report.exchanges) {
    const last = exchange.readback.at(-1) ?? exchange.instruction.at(-1);
    if (last === undefined) continue;
    asides.set(last.id, [...(asides.get(last.id) ?? []), exchange]);
  }
  return asides;
}

function srtTime(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${pad(Math.floor(ms / 3_600_000), 2)}:${pad(Math.floor(ms / 60_000) % 60, 2)}:${pad(Math.floor(ms / 1000) % 60, 2)},${pad(ms % 1000, 3)}`;
}

/** An arrow would end a cue's time line, and a blank line its text. */
const srtText = (text: string): string => oneLine(text).replaceAll('-->', '->');

/**
 * SubRip: a cue a transmission, by start time. Where an exchange ends, a line says what came of it; a line of its own tells the machine's
 * words where a person corrected them. With several channels, each text begins with its channel.
 */
export function toSrt(report: Report): string {
  const asides = asidesByLine(report);
  const timed = report.lines.filter((line) => line.start !== undefined && line.end !== undefined);
  const many = new Set(timed.map((line) => line.channel)).size > 1;
  const cues = timed.map((line, index) => {
    const start = line.start ?? 0;
    const texts = [`${many ? `${line.channel}: ` : ''}${shownText(line)}`, machineAside(line), ...(asides.get(line.id) ?? []).map((exchange) => `(${exchangeAside(exchange)})`)];
    return `${index + 1}\n${srtTime(start)} --> ${srtTime(Math.max(line.end ?? 0, start + 0.001))}\n${texts.map(srtText).filter((text) => text !== '').join('\n')}\n`;
  });
  return cues.join('\n');
}

interface Interval {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}

/**
 * Intervals of one channel without gaps or overlaps. Where two transmissions overlap (pre-roll of one reaches into the hang-over of the other) they
 * meet in the middle; one inside another is told in the same interval, so that no text is lost.
 *
 * @param texts of a line, one for each tier.
 */
function intervalsOf(lines: readonly Line[], until: number, tiers: number, texts: (line: Line) => readonly string[]): readonly Interval[] {
  const spans: { start: number; end: number; texts: readonly string[] }[] = [];
  for (const line of lines) {
    const start = round(Math.max(0, line.start ?? 0));
    const end = round(Math.max(line.end ?? 0, start + 0.001));
    const last = spans.at(-1);
    const own = texts(line);
    if (last !== undefined && end <= last.end) {
      last.texts = last.texts.map((text, tier) => [text, own[tier] ?? ''].filter((part) => part !== '').join(' / '));
      continue;
    }
    if (last !== undefined && start < last.end) {
      const middle = round((Math.max(start, last.start) + last.end) / 2);
      if (middle > last.start && middle < end) {
        last.end = middle;
        spans.push({ start: middle, end, texts: own });
        continue;
      }
      last.texts = last.texts.map((text, tier) => [text, own[tier] ?? ''].filter((part) => part !== '').join(' / '));
      last.end = end;
      continue;
    }
    spans.push({ start, end, texts: own });
  }
  const blank = Array.from({ length: tiers }, () => '');
  const intervals: Interval[] = [];
  let at = 0;
  for (const span of spans) {
    if (span.start > at) intervals.push({ start: at, end: span.start, texts: blank });
    intervals.push(span);
    at = span.end;
  }
  if (until > at || intervals.length === 0) intervals.push({ start: at, end: until, texts: blank });
  return intervals;
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/**
 * Praat TextGrid, long text format: for each channel a tier with the texts, a tier with the findings (at the transmission that ends the
 * exchange) and a tier with the machine's words where a person corrected them. Quotes are doubled, as Praat wants.
 */
export function toTextGrid(report: Report): string {
  const asides = asidesByLine(report);
  const timed = report.lines.filter((line) => line.start !== undefined && line.end !== undefined);
  const until = round(Math.max(report.seconds, 0.001, ...timed.map((line) => Math.max(line.end ?? 0, (line.start ?? 0) + 0.001))));
  const channels = [...new Set([...(report.state.meta?.channels ?? []), ...timed.map((line) => line.channel)])];
  const tiers = (channels.length === 0 ? [''] : channels).flatMap((channel) => {
    const name = channel === '' ? 'transmissions' : channel;
    const intervals = intervalsOf(timed.filter((line) => line.channel === channel), until, 3, (line) => [
      shownText(line),
      (asides.get(line.id) ?? []).map(exchangeAside).join(' / '),
      machineAside(line),
    ]);
    return [name, `${name} findings`, `${name} corrections`].map((title, tier) => ({
      title,
      intervals: intervals.map(({ start, end, texts }) => ({ start, end, text: texts[tier] ?? '' })),
    }));
  });
  const quoted = (text: string): string => `"${oneLine(text).replaceAll('"', '""')}"`;
  const out = ['File type = "ooTextFile"', 'Object class = "TextGrid"', '', 'xmin = 0', `xmax = ${until}`, 'tiers? <exists>', `size = ${tiers.length}`, 'item []:'];
  tiers.forEach(({ title, intervals }, index) => {
    out.push(`    item [${index + 1}]:`, '        class = "IntervalTier"', `        name = ${quoted(title)}`, '        xmin = 0', `        xmax = ${until}`, `        intervals: size = ${intervals.length}`);
    intervals.forEach(({ start, end, text }, at) => {
      out.push(`        intervals [${at + 1}]:`, `            xmin = ${start}`, `            xmax = ${end}`, `            text = ${quoted(text)}`);
    });
  });
  return `${out.join('\n')}\n`;
}

/**
 * What reviewers decided, as Task 2 items for a benchmark: instruction and readback as they hold, and the type and level that were decided.
 * Exchanges that nobody looked at, that stay uncertain, or whose error has no type of the taxonomy are left out.
 */
export function toBenchmark(report: Report): string {
  const lines = report.exchanges.flatMap((exchange) => {
    const { holds, review } = exchange.judged;
    const type = ErrorType.safeParse(holds.errorType);
    const instruction = halfText(exchange.instruction, (line) => line.text);
    const readback = halfText(exchange.readback, (line) => line.text);
    if (review === undefined || !type.success || (holds.verdict !== 'correct' && holds.verdict !== 'error') || instruction === undefined || readback === undefined) return [];
    return [
      {
        id: `${report.identity.id}/${exchange.id}`,
        recording: report.identity.id,
        instruction,
        readback,
        is_correct: holds.verdict === 'correct',
        error_type: type.data,
        risk_level: holds.risk ?? RISK_OF[type.data],
      },
    ];
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
