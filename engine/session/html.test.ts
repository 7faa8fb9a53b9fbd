import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HearbackEvent } from '../domain/events.js';
import { captured, finding, opened, recognised, sampleEvents, started } from '../../test/support/session.js';
import { toHtml, type AudioLink } from './html.js';
import { foldEvents } from './index.js';
import { reportOf, type Report } from './report.js';

const report = (events: readonly HearbackEvent[], name = 'evening.wav'): Report =>
  reportOf({ id: 'id', name, created: '2026-01-01T00:00:00Z' }, foldEvents(events.map((event, index) => ({ seq: index + 1, at: '2026-01-01T00:00:00Z', event }))));
const page = (events: readonly HearbackEvent[]): string => toHtml(report(events), new Map());
/** The rows of the table of exchanges. */
const rows = (text: string): string[] => [...text.matchAll(/<tr id="x\d+"[\s\S]*?<\/tr>/g)].map(([row]) => row);
const plain = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim();

describe('the page', () => {
  it('stands alone: no script, no address outside of it, nothing loaded', () => {
    const text = page(sampleEvents());
    expect(text).not.toMatch(/<script|javascript:|\son\w+=|@import|<link|<iframe|<img/i);
    expect(text).not.toMatch(/https?:|\/\//);
    expect(text).toContain(`default-src 'none'`);
  });

  it('says what it is for, twice', () => {
    expect(page(sampleEvents()).match(/For training, simulation and research only\. Not certified for operational use\./g)?.length).toBe(2);
  });

  it('shows each level as word and shape, one row an exchange in order of time', () => {
    const told = rows(page(sampleEvents()));
    expect(told.map((row) => [/class="badge (\w+)"/.exec(row)?.[1], /href="#shape-(\w+)"/.exec(row)?.[1], /<span>([A-Z][a-z ]+)<\/span>/.exec(row)?.[1]])).toEqual(
      (
        [
          ['CORRECT', 'Correct'], ['CORRECT', 'Correct'], ['CRITICAL', 'Critical'], ['CRITICAL', 'Critical'], ['CORRECT', 'Correct'], ['UNCERTAIN', 'Uncertain'],
          ['HIGH', 'High'], ['EXTREME', 'Extreme'], ['OPEN', 'No readback'], ['CORRECT', 'Correct'], ['CORRECT', 'Correct'], ['CORRECT', 'Correct'],
        ] as const
      ).map(([look, word]) => [look, look, word]),
    );
    const shapes = [...page(sampleEvents()).matchAll(/<symbol id="shape-\w+"[^>]*>(.*?)<\/symbol>/g)].map(([, inner]) => inner);
    expect(new Set(shapes).size).toBe(8);
  });

  it('marks the deciding words in both halves', () => {
    const told = rows(page(sampleEvents()));
    const marks = (row: string | undefined): string[] => [...(row ?? '').matchAll(/<mark class="m-([\w-]+)"[^>]*>(.*?)<\/mark>/g)].map(([, mark, words]) => `${mark ?? ''}: ${words ?? ''}`);
    expect(marks(told[2])).toEqual([
      'right: skybird three one eight', 'right: heading one niner zero', 'wrong: four thousand feet',
      'right: heading one niner zero', 'wrong: five thousand feet', 'right: skybird three one eight',
    ]);
    expect(marks(told[3])).toContain('missing: hold short of runway two four');
    // the words of a readback in two transmissions are counted on
    expect(marks(told[9]).slice(-2)).toEqual(['right: one zero zero four', 'right: three thousand feet']);
  });

  it('marks the words that a judge named without saying where they stand', () => {
    const evidence = { instruction_words: ['Runway two'], readback_words: ['three'], comparisons: [] };
    const [row] = rows(page([started(), captured('t1'), recognised('t1', 'cross runway two'), captured('t2', 3), recognised('t2', 'cross three'), opened('e1', 't1', ['t2']), { type: 'finding.made', exchange: 'e1', finding: finding({ evidence }) }]));
    expect(row).toContain('cross <mark class="m-wrong" title="differs">runway two</mark>');
    expect(row).toContain('cross <mark class="m-wrong" title="differs">three</mark>');
  });

  it('never shows an uncertain, unreadable or wrong readback with the sign of a correct one', () => {
    for (const [verdict, look] of [['uncertain', 'UNCERTAIN'], ['unreadable', 'UNCERTAIN'], ['error', 'ERROR']] as const) {
      const [row] = rows(page([started(), captured('t1'), recognised('t1', 'a'), opened('e1', 't1', ['t1']), { type: 'finding.made', exchange: 'e1', finding: finding({ verdict, error_type: 'CORRECT', risk_level: 'CORRECT' }) }]));
      expect(row).toContain(`badge ${look}`);
      expect(row).not.toContain('shape-CORRECT');
      expect(row).not.toContain('calm');
    }
  });

  it('gives times, explanation, doubts, the reviewer’s decision, and the machine’s answer beside it', () => {
    const told = rows(page(sampleEvents())).map(plain);
    expect(told[2]).toContain('00:18.4–00:23.1');
    expect(told[2]).toContain('The altitude came back as 5000 feet; the controller said 4000 feet.');
    expect(told[5]).toContain('may be the rest of &quot;120.2&quot;');
    expect(told[3]).toMatch(/Confirmed by Ines Čermák Good one for the next refresher\./);
    expect(told[10]).toMatch(/Overruled by Ines Čermák as CORRECT Listened twice: he says three one eight\. Machine: Critical TARGET_CRITICAL · callsign/);
    expect(told[10]).toMatch(/runway two four cleared to land skybird three one eight Corrected by Ines Čermák \. Machine: runway two four cleared to land skybird three eight one/);
    expect(told[8]).toContain('None heard');
  });

  it('tells what is not recognised yet, and lists it', () => {
    const text = page(sampleEvents());
    expect(plain(text)).toContain('1 transmission waits for the recogniser; 1 could not be recognised.');
    expect(text).toContain('Not recognised yet');
    expect(text).toContain('The recogniser stopped answering');
  });

  it('puts each audio in once, and refers to it where it comes again', () => {
    const wav = Uint8Array.of(1, 2, 3, 4, 5, 6);
    const events = [started(), captured('t1'), recognised('t1', 'hold'), captured('t2', 3), recognised('t2', 'hold'), opened('e1', 't1', ['t2']), opened('e2', 't1', ['t2'])];
    const links = new Map<string, AudioLink>([['t1', { kind: 'data', wav }], ['t2', { kind: 'file', href: '../s/audio/t%202.wav' }]]);
    const text = toHtml(report(events), links);
    expect(text.match(/src="data:audio\/wav;base64,AQIDBAUG"/g)?.length).toBe(1);
    expect(text.match(/src="\.\.\/s\/audio\/t%202\.wav"/g)?.length).toBe(2);
    const again = /class="again no-print" href="#([\w-]+)"/.exec(text)?.[1];
    expect(text).toContain(`id="${again ?? 'none'}" class="no-print" controls`);
  });

  it('has the same structure whatever the texts say', () => {
    const told = (word: string): HearbackEvent[] => [
      started({ source: `${word}.wav`, channels: [word], recogniser: word, device: word, judge: word }),
      captured('t1', 0, { channel: word }), recognised('t1', 'one'), captured('t2', 3, { channel: word }), recognised('t2', 'two'),
      { type: 'exchange.opened', exchange: { id: 'e1', callsign: word, instruction: 't1', readbacks: ['t2'], status: 'answered', pairing_confidence: 1, note: word, channel: word } },
      { type: 'finding.made', exchange: 'e1', finding: finding({ explanation: word, doubts: [word], affected_slot: word, judge: word, advisories: [{ kind: word, text: word }], evidence: { instruction_words: [], readback_words: [], comparisons: [{ slot: word, outcome: 'wrong', instruction: word, readback: word, instruction_span: null, readback_span: null, confidence: 1 }] } }) },
      { type: 'alert.raised', exchange: 'e1', alert: 'similar-callsigns', text: word },
      { type: 'notice', kind: word, text: word, severity: 'warning' },
      { type: 'review.text-edited', transmission: 't1', reviewer: word, text: word },
      { type: 'review.decided', exchange: 'e1', reviewer: word, decision: 'overrule', error_type: word, note: word },
      captured('t3', 9, { channel: word }),
      { type: 'transmission.failed', transmission: 't3', attempt: 1, error: word },
    ];
    // tags with their attributes' names; what is between and inside quotes may differ
    const structure = (events: readonly HearbackEvent[]): string[] => [...toHtml(report(events, 'x'), new Map()).matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
    const usual = structure(told('x'));
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onfocus='x", '</style><b>', '&lt;b&gt;', '<!--', ']]>', '${1}')).filter((word) => word.trim() !== '' && word !== '-'),
        (word) => {
          expect(structure(told(word))).toEqual(usual);
        },
      ),
      { numRuns: 150 },
    );
    expect(page(told('<b>&"\''))).toContain('&lt;b&gt;&amp;&quot;&#39;');
  });
});
