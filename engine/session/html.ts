/**
 * A session as one page for a trainer: read on a screen, light or dark, or printed. No script, nothing from the network.
 */
import type { Answer } from './answer.js';
import { STYLE } from './html-style.js';
import { LOOK_NAMES, lookOf, lookOfExchange, MARK_TITLES, SHAPES, STATUS_TEXT, URGENCY, type Look } from './looks.js';
import { clockTime, type Line, type Mark, type ReportExchange } from './reading.js';
import type { Report } from './report.js';
import { PURPOSE } from './text-formats.js';

/** Audio of one transmission for the page: its WAV, or a relative link to it. */
export type AudioLink = { readonly kind: 'data'; readonly wav: Uint8Array } | { readonly kind: 'file'; readonly href: string };

/** Markup that is safe to put into the page. */
class Markup {
  constructor(readonly text: string) {}
}
type Piece = string | number | Markup | undefined | readonly Piece[];

/** Text as HTML: what a session holds may come from anywhere. Control characters, which HTML forbids, are dropped. */
const escaped = (text: string): string =>
  text
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

function markupOf(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'string') return escaped(piece);
  if (typeof piece === 'number') return String(piece);
  return piece.map(markupOf).join('');
}

/** Template whose values are escaped unless they are markup themselves; undefined leaves nothing. */
function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return new Markup(parts.map((part, index) => part + markupOf(values[index])).join(''));
}

const shape = (look: Look): Markup => html`<svg class="shape" viewBox="0 0 16 16" aria-hidden="true"><use href="#shape-${look}"/></svg>`;

function badge(look: Look, answer: Answer): Markup {
  const word = look === 'UNCERTAIN' && answer.verdict === 'unreadable' ? 'Unreadable answer' : LOOK_NAMES[look];
  return html`<span class="badge ${look}">${shape(look)}<span>${word}</span></span>`;
}

/** "VALUE_CRITICAL · altitude", and for an uncertain one what it would be at worst. */
function kindOf(answer: Answer): Markup | undefined {
  if (answer.verdict === null || (answer.errorType === null && answer.verdict !== 'error')) return undefined;
  const worst = answer.verdict === 'uncertain' && answer.risk !== null && answer.risk !== 'CORRECT' ? `at worst ${answer.risk.toLowerCase()}: ` : '';
  if (answer.verdict === 'uncertain' && worst === '') return undefined;
  // the badge has said it
  if (answer.verdict === 'unreadable' || answer.errorType === 'CORRECT') return undefined;
  return html`<span class="kind">${worst}<code>${answer.errorType ?? 'kind not told'}</code>${answer.slot === null ? undefined : html` · ${answer.slot.replaceAll('_', ' ')}`}</span>`;
}

/** Words with neighbouring words of one mark under one mark. */
function markedWords(words: Line['words']): Markup {
  const runs: { mark: Mark | undefined; texts: string[] }[] = [];
  for (const { text, mark } of words) {
    const last = runs.at(-1);
    if (last?.mark === mark && last !== undefined) last.texts.push(text);
    else runs.push({ mark, texts: [text] });
  }
  return html`${runs.map(({ mark, texts }, index) => {
    const gap = index === 0 ? '' : ' ';
    const title = mark === undefined ? undefined : MARK_TITLES[mark];
    return title === undefined || mark === undefined ? html`${gap}${texts.join(' ')}` : html`${gap}<mark class="m-${mark}" title="${title}">${texts.join(' ')}</mark>`;
  })}`;
}

/** A person said otherwise than the machine. */
const takenBack = ({ judged: { review } }: ReportExchange): boolean => review?.decision === 'overrule';

/** Writes the page. `audio` by transmission id; one that is missing gets no player. */
export function toHtml(report: Report, audio: ReadonlyMap<string, AudioLink>): string {
  const played = new Map<string, string>();
  const many = new Set(report.lines.map((line) => line.channel)).size > 1;

  /** A player; audio inside the page is put in once and referred to afterwards. */
  const player = (line: Line, where: string): Markup | undefined => {
    const link = audio.get(line.id);
    if (link === undefined) return line.audio === undefined ? undefined : html`<span class="quiet no-print">audio missing</span>`;
    const before = played.get(line.id);
    if (before !== undefined) return html`<a class="again no-print" href="#${before}">listen above</a>`;
    const anchor = `${where}-${played.size + 1}`;
    if (link.kind === 'data') played.set(line.id, anchor);
    const source = link.kind === 'data' ? `data:audio/wav;base64,${Buffer.from(link.wav).toString('base64')}` : link.href;
    return html`<audio id="${anchor}" class="no-print" controls preload="${link.kind === 'data' ? 'metadata' : 'none'}" src="${source}" aria-label="Audio from ${clockTime(line.start)}"></audio>`;
  };

  /** @param plain without the marks of a finding that a person took back. */
  const said = (line: Line, plain = false): Markup => {
    if (line.text === undefined) {
      return line.stage === 'failed' ? html`<p class="words none">Not recognised: ${line.error ?? 'no reason given'}</p>` : html`<p class="words none">Not recognised yet</p>`;
    }
    const machine = line.words.length > 0 ? markedWords(line.words) : html`${line.machineText ?? ''}`;
    if (line.editor === undefined) return line.text === '' ? html`<p class="words none">Speech without words</p>` : html`<p class="words">${plain ? line.text : machine}</p>`;
    const [corrected, heard] = line.judgedAsCorrected ? [plain ? line.text : machine, line.machineText] : [line.text, machine];
    return html`<p class="words">${corrected}</p><p class="aside">Corrected by <b>${line.editor}</b>. Machine: <span class="machine">${heard}</span></p>`;
  };

  const turn = (label: string, line: Line, where: string, plain: boolean): Markup =>
    html`<div class="turn">
<div class="who"><b>${label}</b><span class="time">${line.start === undefined ? '' : `${clockTime(line.start)}–${clockTime(line.end)}`}</span></div>
<div class="said">${said(line, plain)}${line.guards.length === 0 ? undefined : html`<p class="aside doubt">${line.guards.join(' ')}</p>`}</div>
${player(line, where)}
</div>`;

  const comparisons = (exchange: ReportExchange): Markup | undefined => {
    const told = (exchange.judged.finding?.finding.evidence.comparisons ?? []).filter((each) => each.outcome !== 'right' && each.outcome !== 'not-required');
    if (told.length === 0) return undefined;
    return html`<ul class="slots">${told.map(
      (each) =>
        html`<li><span class="slot">${each.slot.replaceAll('_', ' ')}</span> <span class="value">${each.instruction ?? '–'}</span> <span class="arrow" role="img" aria-label="read back as">→</span> <span class="value got m-${each.outcome}">${each.readback ?? 'nothing'}</span> <span class="quiet">${each.outcome.replace('-', ' ')}</span></li>`,
    )}</ul>`;
  };

  const reviewed = (exchange: ReportExchange): Markup | undefined => {
    const { review, machine, findingIsNewer } = exchange.judged;
    const remarks = html`${exchange.remarks.map(({ reviewer, text }) => html`<p class="note">${text}${reviewer === review?.reviewer ? undefined : html` <span class="quiet">– ${reviewer}</span>`}</p>`)}`;
    if (review === undefined) return exchange.remarks.length === 0 ? undefined : html`<div class="review">${remarks}</div>`;
    return html`<div class="review">
<p><b>${review.decision === 'agree' ? 'Confirmed' : 'Overruled'}</b> by ${review.reviewer}${review.error_type === undefined ? undefined : html` as <code>${review.error_type}</code>`}</p>
${remarks}
${review.decision === 'agree' && review.error_type === undefined && !findingIsNewer ? undefined : html`<p class="aside">Machine: ${machine.verdict === null ? 'no finding' : html`${badge(lookOf(machine), machine)} ${kindOf(machine)}`}${findingIsNewer ? ' (newer than the decision)' : ''}</p>`}
</div>`;
  };

  const finding = (exchange: ReportExchange, look: Look): Markup => {
    const { holds, finding: record } = exchange.judged;
    const explained = record?.finding;
    const before = takenBack(exchange) ? 'Machine: ' : '';
    return html`<div class="verdict">${badge(look, holds)} ${kindOf(holds)}</div>
${reviewed(exchange)}
${explained === undefined ? undefined : html`<p class="why${before === '' ? '' : ' overruled'}">${before}${explained.explanation}</p>`}
${comparisons(exchange)}
${explained === undefined || explained.doubts.length === 0 ? undefined : html`<ul class="doubts">${explained.doubts.map((doubt) => html`<li>${doubt}</li>`)}</ul>`}
${explained === undefined || explained.advisories.length === 0 ? undefined : html`<ul class="advice">${explained.advisories.map((advisory) => html`<li>${advisory.text}</li>`)}</ul>`}
${exchange.alerts.map((alert) => html`<p class="alert">${alert.text}</p>`)}
${exchange.note === undefined ? undefined : html`<p class="quiet">${exchange.note}</p>`}
${exchange.editedSince === false ? undefined : html`<p class="quiet">${exchange.editedSince === 'text' ? 'A text' : 'The speaker'} was corrected after the machine judged this exchange.</p>`}
<p class="quiet small">${[exchange.status === 'answered' ? '' : STATUS_TEXT[exchange.status], explained === undefined ? '' : `judge ${explained.judge}, ${Math.round(explained.confidence * 100)} % sure`].filter((part) => part !== '').join(' · ')}</p>`;
  };

  const row = (exchange: ReportExchange, index: number): Markup => {
    const look = lookOfExchange(exchange);
    const anchor = `x${index + 1}`;
    const plain = look === 'CORRECT' && takenBack(exchange);
    const calm = look === 'CORRECT' || look === 'OTHER';
    return html`<tr id="${anchor}" class="${look}${calm && exchange.alerts.length === 0 && exchange.judged.review === undefined ? ' calm' : ''}">
<th scope="row"><a class="number" href="#${anchor}">${index + 1}</a><span class="when">${clockTime(exchange.start)}</span><span class="callsign">${exchange.callsign ?? 'callsign unknown'}</span>${many ? html`<span class="quiet">${exchange.channel}</span>` : undefined}</th>
<td>${exchange.instruction.map((line) => turn('Instruction', line, anchor, plain))}
${exchange.readback.length === 0 ? html`<div class="turn"><div class="who"><b>Readback</b></div><div class="said"><p class="words none">None heard</p></div></div>` : exchange.readback.map((line) => turn('Readback', line, anchor, plain))}</td>
<td>${finding(exchange, look)}</td>
</tr>`;
  };

  const looks = report.exchanges.map(lookOfExchange);
  const count = (look: Look): number => looks.filter((each) => each === look).length;
  const tiles = URGENCY.filter((look) => count(look) > 0 || look === 'EXTREME' || look === 'CRITICAL' || look === 'HIGH' || look === 'UNCERTAIN' || look === 'CORRECT');
  const calmCount = looks.filter((look) => look === 'CORRECT' || look === 'OTHER').length;
  const { meta } = report.state;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Monitored', `${report.started.slice(0, 10)} ${report.started.slice(11, 16)} UTC`],
    ['Length', clockTime(report.seconds)],
    ['Transmissions', String(report.lines.length)],
    ['Channels', meta === undefined || meta.channels.length < 2 ? undefined : meta.channels.join(', ')],
    ['Recogniser', meta === undefined ? undefined : `${meta.recogniser} on ${meta.device}`],
    ['Judge', meta === undefined ? undefined : `${meta.judge}, profile ${meta.profile}`],
    ['Session', report.name === report.recording ? undefined : report.name],
  ];
  const exchanges = report.exchanges.map(row);
  const others = report.lines.map(
    (line) => html`<tr><td class="time">${clockTime(line.start)}</td>${many ? html`<td>${line.channel}</td>` : undefined}<td>${line.role === undefined || line.role === 'unknown' ? '' : line.role}</td>
<td>${said(line)}${line.guards.length === 0 ? undefined : html`<p class="aside doubt">${line.guards.join(' ')}</p>`}${report.exchanged.has(line.id) ? undefined : player(line, 'a')}</td></tr>`,
  );
  const warnings = report.state.notices.filter((notice) => notice.severity !== 'info');
  const { pending, failed } = report.counts;

  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="Hearback">
<meta name="hearback-session" content="${report.identity.id}">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; media-src data: file: 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${report.recording} – Hearback</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<svg class="shapes" aria-hidden="true">${URGENCY.map((look) => html`<symbol id="shape-${look}" viewBox="0 0 16 16">${new Markup(SHAPES[look])}</symbol>`)}</svg>
<header>
<p class="brand">Hearback <span>readback report</span></p>
<h1>${report.recording}</h1>
<dl class="facts">${facts.map(([name, value]) => (value === undefined ? undefined : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}</dl>
</header>
<p class="purpose">${PURPOSE}</p>
<section class="tiles" aria-label="Exchanges by result">${tiles.map((look) => html`<div class="tile ${look}${count(look) === 0 ? ' zero' : ''}">${shape(look)}<b>${count(look)}</b><span>${LOOK_NAMES[look]}</span></div>`)}</section>
${timeline(report, looks, many)}
${pending + failed === 0 ? undefined : html`<p class="banner">${[pending === 0 ? '' : `${pending} ${pending === 1 ? 'transmission waits' : 'transmissions wait'} for the recogniser`, failed === 0 ? '' : `${failed} could not be recognised`].filter((part) => part !== '').join('; ')}. What was said in them is not judged.</p>`}
${warnings.map((notice) => html`<p class="banner">${notice.text}</p>`)}
<main>
<div class="bar"><h2>Exchanges</h2>
${calmCount === 0 || calmCount === looks.length ? undefined : html`<fieldset class="filter no-print"><legend>Show</legend><label><input type="radio" name="show" checked> all ${looks.length}</label><label><input type="radio" name="show" id="flagged"> only those to look at (${looks.length - calmCount})</label></fieldset>`}</div>
${exchanges.length === 0 ? html`<p class="quiet">No exchange was heard.</p>` : html`<table class="exchanges"><thead><tr><th scope="col">When, who</th><th scope="col">What was said</th><th scope="col">Finding</th></tr></thead>
<tbody>${exchanges}</tbody></table>`}
<p class="legend"><b>Marked words:</b> ${(['wrong', 'missing', 'added', 'unit-changed', 'uncertain', 'right'] as const).map((mark) => html`<mark class="m-${mark}">${MARK_TITLES[mark] ?? mark}</mark> `)}</p>
<details><summary>All ${report.lines.length} transmissions</summary>
<table class="lines"><thead><tr><th scope="col">Start</th>${many ? html`<th scope="col">Channel</th>` : undefined}<th scope="col">Speaker</th><th scope="col">Text</th></tr></thead><tbody>${others}</tbody></table></details>
</main>
<footer><p>${PURPOSE} A flag says that a readback deserves a second look; no flag does not say that it was right. Times count from the start of the recording.</p></footer>
</body>
</html>
`;
  return page.text;
}

/** Where in the recording the exchanges lie: one row a channel, the same shapes as in the table, each a link to its row. */
function timeline(report: Report, looks: readonly Look[], many: boolean): Markup | undefined {
  if (report.seconds <= 0 || report.exchanges.every((exchange) => exchange.start === undefined)) return undefined;
  const channels = [...new Set(report.exchanges.map((exchange) => exchange.channel))];
  const width = 1000;
  const left = many ? 110 : 12;
  const rowHeight = 34;
  const height = channels.length * rowHeight + 22;
  const x = (seconds: number): number => Math.round((left + (seconds / report.seconds) * (width - left - 24)) * 10) / 10;
  const step = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].find((each) => report.seconds / each <= 12) ?? 7200;
  const ticks = Array.from({ length: Math.floor(report.seconds / step) + 1 }, (_, index) => index * step);
  const marks = report.exchanges
    .map((exchange, index) => ({ exchange, index, look: looks[index] ?? 'OTHER' }))
    // the urgent ones are drawn last, over the others
    .sort((a, b) => URGENCY.indexOf(b.look) - URGENCY.indexOf(a.look) || a.index - b.index)
    .map(({ exchange, index, look }) => {
      if (exchange.start === undefined) return undefined;
      const y = channels.indexOf(exchange.channel) * rowHeight + rowHeight / 2;
      const size = look === 'CORRECT' || look === 'OTHER' ? 13 : 18;
      const from = x(exchange.start);
      return html`<a href="#x${index + 1}" class="${look}"><title>${clockTime(exchange.start)} ${exchange.callsign ?? ''} ${LOOK_NAMES[look]}</title><rect x="${from}" y="${y - 2}" width="${Math.max(2, Math.round((x(exchange.end ?? exchange.start) - from) * 10) / 10)}" height="4" rx="2" fill="currentColor" opacity=".35"/><use href="#shape-${look}" x="${Math.round((from - size / 2) * 10) / 10}" y="${y - size / 2}" width="${size}" height="${size}"/></a>`;
    });
  return html`<div class="timeline"><svg viewBox="0 0 ${width} ${height}" role="group" aria-label="Time line of the exchanges">
${channels.map((channel, index) => html`<line class="lane" x1="${left}" x2="${width - 12}" y1="${index * rowHeight + rowHeight / 2}" y2="${index * rowHeight + rowHeight / 2}"/>${many ? html`<text class="lane-name" x="0" y="${index * rowHeight + rowHeight / 2 + 4}">${channel.slice(0, 14)}</text>` : undefined}`)}
${ticks.map((seconds) => html`<text class="tick" x="${x(seconds)}" y="${height - 5}">${clockTime(seconds).replace(/\.0$/, '').replace(/^0(?=\d)/, '')}</text>`)}
${marks}
</svg></div>`;
}
