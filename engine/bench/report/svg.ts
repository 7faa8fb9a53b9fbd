/**
 * Charts as inline SVG. Colours are the page's variables, so that they follow light and dark; series differ in their marks as well.
 */
import { xml } from './exchange.js';
import { figure } from './names.js';

export interface Point {
  /** Position among the chart's categories. */
  readonly at: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** More series than these would not be told apart. */
export const MARKS = ['●', '■', '▲', '◆', '▼', '✚'] as const;
export const MOST_SERIES = MARKS.length;

const colour = (series: number): string => `var(--series-${String((series % MOST_SERIES) + 1)})`;
const n = (value: number): string => value.toFixed(1).replace(/\.0$/u, '');

/** The mark of a series around a point. */
function mark(series: number, x: number, y: number, title: string): string {
  const r = 4;
  const shape = ((): string => {
    switch (MARKS[series % MOST_SERIES]) {
      case '■':
        return `<rect x="${n(x - r)}" y="${n(y - r)}" width="${String(2 * r)}" height="${String(2 * r)}"/>`;
      case '▲':
        return `<path d="M${n(x)} ${n(y - r - 1)}L${n(x + r + 1)} ${n(y + r)}H${n(x - r - 1)}Z"/>`;
      case '◆':
        return `<path d="M${n(x)} ${n(y - r - 1)}L${n(x + r + 1)} ${n(y)}L${n(x)} ${n(y + r + 1)}L${n(x - r - 1)} ${n(y)}Z"/>`;
      case '▼':
        return `<path d="M${n(x)} ${n(y + r + 1)}L${n(x + r + 1)} ${n(y - r)}H${n(x - r - 1)}Z"/>`;
      case '✚':
        return `<path d="M${n(x - 1.5)} ${n(y - r - 1)}h3v${n(r - 0.5)}h${n(r - 0.5)}v3h${n(-r + 0.5)}v${n(r - 0.5)}h-3v${n(-r + 0.5)}h${n(-r + 0.5)}v-3h${n(r - 0.5)}Z"/>`;
      default:
        return `<circle cx="${n(x)}" cy="${n(y)}" r="${String(r)}"/>`;
    }
  })();
  return `<g fill="${colour(series)}" stroke="var(--paper)" stroke-width="1"><title>${xml(title)}</title>${shape}</g>`;
}

/** A legend under a chart, in words. */
export const legend = (names: readonly string[]): string => `<p class="legend">${names.map((name, i) => `<span><i style="color:${colour(i)}" aria-hidden="true">${MARKS[i % MOST_SERIES] ?? ''}</i> ${xml(name)}</span>`).join('')}</p>`;

const WIDTH = 480;
const HEIGHT = 250;

/** Upper end of a scale from 0: 1, or a round number above. */
function scaleEnd(most: number): number {
  if (most > 0.5 && most <= 1) return 1;
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 1.5, 2, 3, 4, 5];
  return steps.find((step) => most <= step) ?? Math.ceil(most);
}

/**
 * Values over ordered categories, each with its interval as a band. The first category may stand apart (`apart`: text, beside what was heard):
 * its point is not joined.
 */
export function curves(title: string, categories: readonly string[], series: readonly Series[], apart: boolean): string {
  const top = 14;
  const [left, right, bottom] = [44, 14, 42];
  const [w, h] = [WIDTH - left - right, HEIGHT - top - bottom];
  const end = scaleEnd(Math.max(0.01, ...series.flatMap(({ points }) => points.flatMap(({ value, high }) => [value, high ?? value]))));
  const gap = apart && categories.length > 1 ? 0.4 : 0;
  const span = Math.max(1, categories.length - 1 + gap);
  const x = (at: number): number => left + 14 + ((w - 28) * (at + (apart && at > 0 ? gap : 0))) / span;
  const y = (value: number): number => top + h * (1 - value / end);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => part * end);
  const out = [`<svg class="chart" viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" role="img" aria-label="${xml(title)}"><title>${xml(title)}</title>`];
  for (const tick of ticks) out.push(`<line class="grid" x1="${String(left)}" x2="${String(WIDTH - right)}" y1="${n(y(tick))}" y2="${n(y(tick))}"/><text class="tick" x="${String(left - 6)}" y="${n(y(tick) + 4)}" text-anchor="end">${figure(tick, Math.abs(tick * 100 - Math.round(tick * 100)) < 1e-9 ? 2 : 3)}</text>`);
  categories.forEach((name, i) => out.push(`<text class="tick" x="${n(x(i))}" y="${String(HEIGHT - bottom + 18)}" text-anchor="middle">${xml(name)}</text>`));
  if (apart && categories.length > 1) {
    const between = n((x(0) + x(1)) / 2);
    out.push(`<line class="apart" x1="${between}" x2="${between}" y1="${String(top)}" y2="${String(top + h)}"/>`);
    out.push(`<text class="axis" x="${n((x(1) + x(categories.length - 1)) / 2)}" y="${String(HEIGHT - 6)}" text-anchor="middle">heard, by ratio of speech to noise</text>`);
  }
  series.forEach(({ points }, s) => {
    const joined = points.filter(({ at }) => !apart || at > 0);
    const banded = joined.flatMap(({ at, low, high }) => (low === null || high === null ? [] : [{ at, low, high }]));
    if (banded.length > 1) out.push(`<path d="M${banded.map(({ at, high }) => `${n(x(at))} ${n(y(high))}`).join('L')}L${[...banded].reverse().map(({ at, low }) => `${n(x(at))} ${n(y(low))}`).join('L')}Z" fill="${colour(s)}" opacity=".14"/>`);
    if (joined.length > 1) out.push(`<polyline points="${joined.map(({ at, value }) => `${n(x(at))},${n(y(value))}`).join(' ')}" fill="none" stroke="${colour(s)}" stroke-width="2"/>`);
  });
  series.forEach(({ name, points }, s) => {
    for (const { at, value, low, high } of points) {
      if (apart && at === 0 && low !== null && high !== null) out.push(`<line x1="${n(x(at))}" x2="${n(x(at))}" y1="${n(y(low))}" y2="${n(y(high))}" stroke="${colour(s)}" stroke-width="2" opacity=".5"/>`);
      out.push(mark(s, x(at), y(value), `${name}, ${categories[at] ?? ''}: ${figure(value)}${low === null || high === null ? '' : ` (${figure(low)} to ${figure(high)})`}`));
    }
  });
  out.push('</svg>');
  return out.join('');
}

/** Rows with marks on a scale from 0 to 1: the same thing in several conditions. */
export function dots(title: string, rows: readonly { readonly name: string; readonly note: string; readonly values: readonly (number | null)[] }[], conditions: readonly string[]): string {
  const [left, right, top, step] = [160, 64, 8, 24];
  const width = 640;
  const height = top + rows.length * step + 26;
  const x = (value: number): number => left + (width - left - right) * value;
  const out = [`<svg class="chart wide" viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-label="${xml(title)}"><title>${xml(title)}</title>`];
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) out.push(`<line class="grid" x1="${n(x(tick))}" x2="${n(x(tick))}" y1="${String(top)}" y2="${String(top + rows.length * step)}"/><text class="tick" x="${n(x(tick))}" y="${String(height - 8)}" text-anchor="middle">${figure(tick, 2)}</text>`);
  rows.forEach(({ name, note, values }, i) => {
    const y = top + i * step + step / 2;
    out.push(`<text class="row" x="${String(left - 12)}" y="${n(y + 4)}" text-anchor="end">${xml(name)}</text><text class="tick" x="${String(width - right + 14)}" y="${n(y + 4)}">${xml(note)}</text>`);
    const there = values.filter((value) => value !== null);
    if (there.length > 1) out.push(`<line class="rail" x1="${n(x(Math.min(...there)))}" x2="${n(x(Math.max(...there)))}" y1="${n(y)}" y2="${n(y)}"/>`);
    // the first condition lies on top
    for (let s = values.length - 1; s >= 0; s--) {
      const value = values[s];
      if (value !== null && value !== undefined) out.push(mark(s, x(value), y, `${name}, ${conditions[s] ?? ''}: ${figure(value)}`));
    }
  });
  out.push('</svg>');
  return out.join('');
}

/** From the median to the 95th percentile, on a scale of powers of ten. */
export function times(title: string, rows: readonly { readonly name: string; readonly p50: number; readonly p95: number; readonly text: string }[]): string {
  const [left, right, top, step] = [310, 140, 8, 26];
  const width = 840;
  const height = top + rows.length * step + 26;
  const lowest = Math.floor(Math.log10(Math.max(0.01, Math.min(...rows.map(({ p50 }) => p50)))));
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...rows.map(({ p95 }) => p95), 0.1))));
  const x = (ms: number): number => left + ((width - left - right) * (Math.log10(Math.max(ms, 10 ** lowest)) - lowest)) / (highest - lowest);
  const out = [`<svg class="chart wide" viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-label="${xml(title)}"><title>${xml(title)}</title>`];
  for (let power = lowest; power <= highest; power++) {
    const label = power >= 3 ? `${String(10 ** (power - 3))} s` : `${String(Number((10 ** power).toPrecision(1)))} ms`;
    out.push(`<line class="grid" x1="${n(x(10 ** power))}" x2="${n(x(10 ** power))}" y1="${String(top)}" y2="${String(top + rows.length * step)}"/><text class="tick" x="${n(x(10 ** power))}" y="${String(height - 8)}" text-anchor="middle">${label}</text>`);
  }
  rows.forEach(({ name, p50, p95, text }, i) => {
    const y = top + i * step + step / 2;
    out.push(`<text class="row" x="${String(left - 12)}" y="${n(y + 4)}" text-anchor="end">${xml(name)}</text><line x1="${n(x(p50))}" x2="${n(x(p95))}" y1="${n(y)}" y2="${n(y)}" stroke="${colour(0)}" stroke-width="6" stroke-linecap="round" opacity=".35"/>`, mark(0, x(p50), y, `${name}: ${text}`), `<text class="tick" x="${String(width - right + 12)}" y="${n(y + 4)}">${xml(text)}</text>`);
  });
  out.push('</svg>');
  return out.join('');
}

/** Parts of a count as bars beside each other, a row a condition; each part bears its number where there is room. */
export function stacks(title: string, rows: readonly { readonly name: string; readonly parts: readonly number[] }[], names: readonly string[]): string {
  const [left, right, top, step] = [190, 50, 8, 28];
  const width = 710;
  const height = top + rows.length * step + 4;
  const most = Math.max(1, ...rows.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)));
  const out = [`<svg class="chart wide" viewBox="0 0 ${String(width)} ${String(height)}" role="img" aria-label="${xml(title)}"><title>${xml(title)}</title>`];
  rows.forEach(({ name, parts }, i) => {
    const y = top + i * step;
    let at = left;
    out.push(`<text class="row" x="${String(left - 12)}" y="${n(y + step / 2 + 4)}" text-anchor="end">${xml(name)}</text>`);
    parts.forEach((part, s) => {
      const w = ((width - left - right) * part) / most;
      if (part === 0) return;
      out.push(`<g><title>${xml(`${name}, ${names[s] ?? ''}: ${String(part)}`)}</title><rect x="${n(at)}" y="${n(y + 4)}" width="${n(Math.max(1, w - 1))}" height="${String(step - 8)}" fill="${colour(s)}"/>${w > 18 ? `<text class="inside" x="${n(at + w / 2)}" y="${n(y + step / 2 + 4)}" text-anchor="middle">${String(part)}</text>` : ''}</g>`);
      at += w;
    });
    out.push(`<text class="tick" x="${n(at + 8)}" y="${n(y + step / 2 + 4)}">${String(parts.reduce((sum, part) => sum + part, 0))}</text>`);
  });
  out.push('</svg>');
  return out.join('');
}
