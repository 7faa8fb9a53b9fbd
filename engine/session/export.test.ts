import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captured, errorOf, finding, opened, recognised, started, storeSample, eachInAFolder } from '../../test/support/session.js';
import { createSession, EXPORT_FORMATS, exportName, exportSession, openSession } from './index.js';

let root: string;
eachInAFolder((path) => {
  root = path;
});

it('every format holds the corrected text, the decision and the note, the machine’s own answer beside them, and comes out the same after a restart', () => {
  const dir = join(root, 's');
  const session = createSession(dir, { source: 'evening.wav' });
  session.appendAll([
    started(), captured('t1', 1), recognised('t1', 'novak seven seven climb flight level nine zero'), captured('t2', 4), recognised('t2', 'climb flight level five zero novak seven seven'), opened('e1', 't1', ['t2']),
    { type: 'finding.made', exchange: 'e1', finding: finding({ explanation: 'The level came back as FL50.' }) },
  ]);
  const before = EXPORT_FORMATS.map((format) => exportSession(dir, format, { out: '-' }).text);
  // review, and export while the session is still open in review
  session.append({ type: 'review.text-edited', transmission: 't2', reviewer: 'Ines', text: 'climb flight level niner zero novak seven seven' });
  session.append({ type: 'review.decided', exchange: 'e1', reviewer: 'Ines', decision: 'overrule', error_type: 'NUMBER_FORMAT', note: 'said clearly' });
  const texts = EXPORT_FORMATS.map((format) => exportSession(dir, format, { out: '-' }).text);
  session.close();
  openSession(dir).close();
  EXPORT_FORMATS.forEach((format, index) => {
    const text = texts[index] ?? '';
    const readable = text.replaceAll(/<[^>]*>/g, '');
    expect(text, format).not.toBe(before[index]);
    // a benchmark holds what was decided; it has no place for who decided what, nor for the machine's answer
    if (format === 'bench') expect(text).toMatch(/"readback":"climb flight level niner zero novak seven seven".*"error_type":"NUMBER_FORMAT"/);
    else for (const part of ['climb flight level niner zero novak seven seven', 'climb flight level five zero novak seven seven', 'NUMBER_FORMAT', 'VALUE_CRITICAL', 'Ines', 'said clearly']) expect(readable, format).toContain(part);
    expect(exportSession(dir, format, { out: '-' }).text, format).toBe(text);
  });
});

describe('where an export goes', () => {
  it('is named after the recording, letters unchanged', () => {
    expect(exportName('Flüge Антон 東京 塔.flac', 'csv')).toBe('Flüge Антон 東京 塔.csv');
    const decomposed = 'Flu\u0308ge.wav';
    expect(exportName(decomposed, 'textgrid')).toBe('Flu\u0308ge.TextGrid');
    expect(exportName('LKPR 118.105', 'srt')).toBe('LKPR 118.105.srt');
    expect(exportName('.wav', 'html')).toBe('.wav.html');
    expect(exportName('a/b:c?.mp3', 'jsonl')).toBe('a_b_c_.jsonl');
    expect(exportName('...', 'html')).toBe('session.html');
  });

  it('is the folder or file given; a folder that is not there is told', () => {
    storeSample(join(root, 's'));
    mkdirSync(join(root, 'out 東京'));
    const written = exportSession(join(root, 's'), 'csv', { out: join(root, 'out 東京') });
    expect(written.path).toBe(join(root, 'out 東京', 'Úžice tower and approach, evening.csv'));
    expect(readFileSync(written.path ?? '', 'utf8')).toBe(written.text);
    expect(written).toMatchObject({ exchanges: 12, transmissions: 27, notices: [] });
    expect(exportSession(join(root, 's'), 'srt', { out: join(root, 'my own name.txt') }).path).toBe(join(root, 'my own name.txt'));
    expect(errorOf(() => exportSession(join(root, 's'), 'srt', { out: join(root, 'no', 'such', 'x.srt') })).code).toBe('not-found');
    expect(readdirSync(join(root, 'out 東京'))).toEqual(['Úžice tower and approach, evening.csv']);
  });

  it('is not written over something else, unless forced', () => {
    storeSample(join(root, 's'));
    const out = join(root, 'evening.srt');
    writeFileSync(out, 'my own subtitles');
    const refused = errorOf(() => exportSession(join(root, 's'), 'srt', { out }));
    expect(refused.code).toBe('invalid-input');
    expect(refused.hint).toContain('--force');
    expect(readFileSync(out, 'utf8')).toBe('my own subtitles');
    const { text } = exportSession(join(root, 's'), 'srt', { out, force: true });
    expect(readFileSync(out, 'utf8')).toBe(text);
    // the same again is no loss
    exportSession(join(root, 's'), 'srt', { out });
    // an older export of the same session is
    const page = join(root, 'page.html');
    exportSession(join(root, 's'), 'html', { out: page, audio: 'none' });
    const session = openSession(join(root, 's'));
    session.append({ type: 'review.decided', exchange: 'e01', reviewer: 'Ines', decision: 'agree' });
    session.close();
    exportSession(join(root, 's'), 'html', { out: page, audio: 'none' });
    storeSample(join(root, 'other'));
    expect(errorOf(() => exportSession(join(root, 'other'), 'html', { out: page })).code).toBe('invalid-input');
  });
});

describe('audio of the page', () => {
  it('is inside a small one, each transmission once, and plays', () => {
    storeSample(join(root, 's'));
    const { text, notices } = exportSession(join(root, 's'), 'html', { out: '-' });
    const clips = [...text.matchAll(/src="data:audio\/wav;base64,([^"]*)"/g)].map(([, data]) => Buffer.from(data ?? '', 'base64'));
    expect(clips.length).toBe(27);
    const wav = readFileSync(join(root, 's', 'audio', 't001.wav'));
    expect(clips[0]?.equals(wav)).toBe(true);
    expect(notices).toEqual([]);
  });

  it('is linked from a big one, or on request, relative to where the page lies', () => {
    const dir = join(root, 'Flüge #1 100%');
    storeSample(dir);
    mkdirSync(join(root, 'out'));
    const { text, path } = exportSession(dir, 'html', { out: join(root, 'out'), audio: 'link' });
    const links = [...text.matchAll(/<audio [^>]*src="([^"]*)"/g)].map(([, href]) => href ?? '');
    expect(links.length).toBe(27);
    for (const href of links) {
      expect(href.startsWith('../')).toBe(true);
      expect(existsSync(resolve(dirname(path ?? ''), decodeURIComponent(href)))).toBe(true);
    }
    const session = openSession(dir);
    session.append(captured('long', 200));
    session.close();
    writeFileSync(join(dir, 'audio', 'long.wav'), Buffer.alloc(20_000_000));
    expect(exportSession(dir, 'html', { out: '-' }).text).not.toContain('data:audio');
    expect(exportSession(dir, 'html', { out: '-', audio: 'none' }).text).not.toContain('<audio');
  });

  it('that is missing, or lies outside of the session, is told and left out', () => {
    const dir = join(root, 's');
    storeSample(dir);
    writeFileSync(join(root, 'secret.wav'), 'secret');
    const session = openSession(dir);
    session.append(captured('spy', 300, { audio: '../secret.wav' }));
    session.close();
    rmSync(join(dir, 'audio', 't002.wav'));
    const { text, notices } = exportSession(dir, 'html', { out: '-' });
    expect(notices.map(({ kind, severity }) => [kind, severity])).toEqual([['audio-missing', 'warning'], ['audio-missing', 'warning']]);
    expect(notices.map((notice) => notice.text).join(' ')).toMatch(/t002\.wav.*\.\.\/secret\.wav/);
    expect(text).not.toContain(Buffer.from('secret').toString('base64'));
    expect(text).not.toContain('href="../secret');
  });
});
