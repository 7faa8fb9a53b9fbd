import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HearbackEvent } from '../domain/events.js';
import { captured, finding, opened, recognised, sampleEvents, started } from '../../test/support/session.js';
import { foldEvents } from './index.js';
import { reportOf, type Report } from './report.js';
import { CSV_COLUMNS, toCsv, toJsonLines, toSrt, toTextGrid } from './text-formats.js';

const report = (events: readonly HearbackEvent[]): Report =>
  reportOf({ id: 'id', name: 'evening.wav', created: '2026-01-01T00:00:00Z' }, foldEvents(events.map((event, index) => ({ seq: index + 1, at: '2026-01-01T00:00:00Z', event }))));

/** A reader of CSV written from RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        if (at >= text.length) throw new Error('a quote is not closed');
        if (text[at] === '"' && text[at + 1] === '"') {
          field += '"';
          at += 2;
        } else if (text[at] === '"') {
          at += 1;
          break;
        } else field += text[at++] ?? '';
      }
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r') field += text[at++] ?? '';
    row.push(field);
    if (text[at] === ',') {
      at += 1;
      // a comma at the end of the text would begin one more field
      if (at === text.length) row.push('');
    } else if (text.startsWith('\r\n', at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else throw new Error(`neither comma nor CRLF after a field at ${at}`);
  }
  return rows;
}
function csvRecords(text: string): Record<string, string>[] {
  const [head = [], ...rows] = parseCsv(text);
  return rows.map((row) => {
    expect(row.length).toBe(head.length);
    return Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']));
  });
}

interface Tier {
  readonly name: string;
  readonly xmax: number;
  readonly intervals: { readonly xmin: number; readonly xmax: number; readonly text: string }[];
}
/** A reader of TextGrids that, as Praat does, takes the numbers and quoted texts in order and ignores what stands between. */
function parseTextGrid(text: string): { readonly xmin: number; readonly xmax: number; readonly tiers: Tier[] } {
  const tokens = [...text.replaceAll(/\[\d*\]/g, '').matchAll(/"((?:[^"]|"")*)"|(?<![\w"])-?\d+(?:\.\d+)?(?![\w"])|<exists>/g)].map((match) => (match[1] === undefined ? match[0] : { quoted: match[1].replaceAll('""', '"') }));
  let at = 0;
  const word = (): string => {
    const token = tokens[at++];
    if (typeof token !== 'object') throw new Error(`a text was expected, not ${String(token)}`);
    return token.quoted;
  };
  const number = (): number => {
    const token = tokens[at++];
    if (typeof token !== 'string') throw new Error('a number was expected');
    return Number(token);
  };
  expect([word(), word()]).toEqual(['ooTextFile', 'TextGrid']);
  const xmin = number();
  const xmax = number();
  expect(tokens[at++]).toBe('<exists>');
  const tiers = Array.from({ length: number() }, (): Tier => {
    expect(word()).toBe('IntervalTier');
    const name = word();
    expect(number()).toBe(0);
    const end = number();
    return { name, xmax: end, intervals: Array.from({ length: number() }, () => ({ xmin: number(), xmax: number(), text: word() })) };
  });
  expect(at).toBe(tokens.length);
  return { xmin, xmax, tiers };
}

function parseSrt(text: string): { readonly start: number; readonly end: number; readonly lines: string[] }[] {
  if (text === '') return [];
  return text.trimEnd().split('\n\n').map((block, index) => {
    const [number, times = '', ...lines] = block.split('\n');
    expect(number).toBe(String(index + 1));
    const match = /^(\d\d+):(\d\d):(\d\d),(\d{3}) --> (\d\d+):(\d\d):(\d\d),(\d{3})$/.exec(times);
    expect(match).not.toBeNull();
    const [h = 0, m = 0, s = 0, ms = 0, h2 = 0, m2 = 0, s2 = 0, ms2 = 0] = (match ?? []).slice(1).map(Number);
    return { start: h * 3600 + m * 60 + s + ms / 1000, end: h2 * 3600 + m2 * 60 + s2 + ms2 / 1000, lines };
  });
}

const nasty = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('"', '""', 'a,b', 'x\r\ny', 'x\n\ny', ' lead', 'trail ', '=1+1', '@SUM(A1)', '-2', '+3', '\t=1', '1\n00:00:00,000 --> 00:00:01,000', 'text = "x"', '東京 塔', '</p>'));

/** One exchange a text, two channels, times that may overlap. */
const storied = fc.array(fc.record({ text: nasty, note: nasty, start: fc.integer({ min: 0, max: 30_000 }), length: fc.integer({ min: 0, max: 9000 }), ground: fc.boolean() }), { maxLength: 14 }).map((parts) => ({
  parts,
  report: report([
    started({ channels: ['tower', 'ground'] }),
    ...parts.flatMap(({ text, note, start, length, ground }, n): HearbackEvent[] => [
      captured(`t${n}`, start / 1000, { end: (start + length) / 1000, channel: ground ? 'ground' : 'tower' }),
      recognised(`t${n}`, text),
      opened(`e${n}`, `t${n}`),
      { type: 'finding.made', exchange: `e${n}`, finding: finding({ explanation: note }) },
    ]),
  ]),
}));
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('CSV', () => {
  it('gives every text back through a reader of RFC 4180, and no cell that a spreadsheet would run', () => {
    fc.assert(
      fc.property(storied, ({ parts, report: told }) => {
        const records = csvRecords(toCsv(told));
        expect(records.map(({ id }) => id).sort()).toEqual(parts.map((_, n) => `e${n}`).sort());
        for (const record of records) {
          const part = parts[Number(record['id']?.slice(1))];
          const unguarded = (cell: string | undefined): string | undefined => (cell !== undefined && /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);
          expect(unguarded(record['instruction_text'])).toBe(part?.text);
          expect(unguarded(record['explanation'])).toBe(part?.note);
          for (const cell of Object.values(record)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
        }
      }),
    );
  });

  it('has a row an exchange and a row for each transmission outside of exchanges, by start time', () => {
    const text = toCsv(report(sampleEvents()));
    const records = csvRecords(text);
    expect(Object.keys(records[0] ?? {})).toEqual([...CSV_COLUMNS]);
    expect(records.filter(({ record }) => record === 'exchange').length).toBe(12);
    expect(records.filter(({ record }) => record === 'transmission').map(({ start, status }) => [start, status])).toEqual([
      ['134.2', 'recognised'],
      ['141', 'failed'],
      ['147.6', 'pending'],
    ]);
    const starts = records.map(({ start }) => Number(start));
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(records.find(({ id }) => id === 'e10')).toMatchObject({ readback_text: 'one zero zero four and down to three thousand feet novak four two bravo uh thanks', error_type: 'FILLER_CORRECT' });
    expect(text.startsWith('record,')).toBe(true);
    expect(toCsv(report(sampleEvents()), { bom: true })).toBe(`\uFEFF${text}`);
  });
});

describe('TextGrid', () => {
  it('has, for each channel, tiers without gaps, overlaps or lost texts from 0 to the end', () => {
    fc.assert(
      fc.property(storied, ({ parts, report: told }) => {
        const grid = parseTextGrid(toTextGrid(told));
        expect(grid.xmin).toBe(0);
        expect(grid.tiers.map(({ name }) => name)).toEqual(['tower', 'tower findings', 'tower corrections', 'ground', 'ground findings', 'ground corrections']);
        for (const tier of grid.tiers) {
          expect(tier.xmax).toBe(grid.xmax);
          expect(tier.intervals[0]?.xmin).toBe(0);
          expect(tier.intervals.at(-1)?.xmax).toBe(grid.xmax);
          tier.intervals.forEach((interval, index) => {
            expect(interval.xmax).toBeGreaterThan(interval.xmin);
            if (index > 0) expect(interval.xmin).toBe(tier.intervals[index - 1]?.xmax);
          });
        }
        for (const { text, ground } of parts) {
          const all = (grid.tiers.find(({ name }) => name === (ground ? 'ground' : 'tower'))?.intervals ?? []).map((interval) => interval.text).join('|');
          expect(all).toContain(oneLine(text));
        }
      }),
    );
  });

  it('places the sample where it was said', () => {
    const grid = parseTextGrid(toTextGrid(report(sampleEvents())));
    expect(grid.xmax).toBe(152.4);
    const [texts, findings] = grid.tiers;
    expect(texts?.intervals.find(({ xmin }) => xmin === 9.5)).toEqual({ xmin: 9.5, xmax: 12.71, text: 'oscar echo line up and wait runway two four' });
    expect(findings?.intervals.find(({ xmin }) => xmin === 31.79)?.text).toMatch(/^CRITICAL OMISSION_CRITICAL \(hold_short\), confirmed by Ines Čermák .*"roger" only/);
  });
});

describe('SubRip', () => {
  it('has numbered cues in order of time, each with its text on a line of its own', () => {
    fc.assert(
      fc.property(storied, ({ parts, report: told }) => {
        const cues = parseSrt(toSrt(told));
        expect(cues.length).toBe(parts.length);
        cues.forEach((cue, index) => {
          expect(cue.end).toBeGreaterThan(cue.start);
          expect(cue.start).toBeGreaterThanOrEqual(cues[index - 1]?.start ?? 0);
        });
        const texts = cues.map(({ lines }) => lines[0]);
        const many = new Set(parts.map(({ ground }) => ground)).size > 1;
        for (const { text, ground } of parts) {
          const shown = oneLine(text).replaceAll('-->', '->');
          expect(texts).toContain(`${many ? `${ground ? 'ground' : 'tower'}: ` : ''}${shown === '' ? (text === '' ? '[no words]' : '') : shown}`.trim());
        }
      }),
    );
  });

  it('tells hours, what is not recognised, and findings at the end of their exchange', () => {
    const cues = parseSrt(toSrt(report(sampleEvents())));
    expect(cues.length).toBe(27);
    expect(cues.find(({ start }) => start === 23.96)?.lines).toEqual([
      'approach: left heading one niner zero descend five thousand feet skybird three one eight',
      '(CRITICAL VALUE_CRITICAL (altitude) – The altitude came back as 5000 feet; the controller said 4000 feet.)',
    ]);
    expect(cues.at(-1)?.lines).toEqual(['tower: [not yet recognised]']);
    expect(cues.at(-2)?.lines[0]).toMatch(/^approach: \[not recognised: .*30 seconds/);
    const [late] = parseSrt(toSrt(report([started(), captured('t1', 3725.5), recognised('t1', 'roger')])));
    expect(late).toEqual({ start: 3725.5, end: 3727.5, lines: ['roger'] });
    expect(toSrt(report([started(), captured('t1', 3725.5), recognised('t1', 'roger')]))).toContain('01:02:05,500 --> 01:02:07,500');
  });
});

it('JSON Lines hold the session, every transmission and every exchange, with all that the log says of them', () => {
  const told = report(sampleEvents());
  const text = toJsonLines(told);
  expect(text.endsWith('\n')).toBe(true);
  const records = text.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records.map(({ record }) => record)).toEqual(['session', ...Array<string>(27).fill('transmission'), ...Array<string>(12).fill('exchange')]);
  expect(records[0]).toMatchObject({ recording: 'Úžice tower and approach, evening.wav', seconds: 152.4, ended: 'end-of-audio' });
  expect(records.find(({ id }) => id === 'e03')).toMatchObject({
    callsign: 'SKB318',
    status: 'answered',
    verdict: 'error',
    error_type: 'VALUE_CRITICAL',
    risk_level: 'CRITICAL',
    affected_slot: 'altitude',
    decided_by: 'machine',
    finding: { evidence: { instruction_words: ['four', 'thousand', 'feet'], readback_words: ['five', 'thousand', 'feet'] } },
  });
  expect(records.find(({ id }) => id === 'e09')).toMatchObject({ status: 'unanswered', verdict: null, readback: [], alerts: [{ alert: 'no-readback' }] });
});
