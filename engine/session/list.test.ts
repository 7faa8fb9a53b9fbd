import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { captured, errorOf, started, storeSample, eachInAFolder, tone } from '../../test/support/session.js';
import { countsOf, createSession, deleteSession, listSessions, openSession } from './index.js';

let root: string;
eachInAFolder((path) => {
  root = path;
});

describe('the list of sessions', () => {
  it('gives of each what its log says, newest first, and broken ones with the reason', () => {
    storeSample(join(root, 'sample'));
    const newer = createSession(join(root, 'newer'), { name: 'Night shift', source: 'line in' });
    newer.appendAll([started({ source: 'line in' }), captured('t1', 60, { audio: newer.saveAudio('t1', tone(0.1)) })]);
    mkdirSync(join(root, 'broken'));
    writeFileSync(join(root, 'broken', 'session.db'), 'not a database at all, but long enough to look at. '.repeat(99));
    mkdirSync(join(root, 'something else'));
    writeFileSync(join(root, 'file.txt'), 'x');
    const list = listSessions(root);
    expect(list.map((each) => each.path)).toEqual([join(root, 'newer'), join(root, 'sample'), join(root, 'broken')]);
    const [first, second, third] = list;
    expect(first).toMatchObject({ kind: 'session', name: 'Night shift', source: 'line in', seconds: 62, ended: undefined, writer: { pid: process.pid } });
    expect(second).toMatchObject({
      kind: 'session',
      name: 'Úžice tower and approach, evening.wav',
      source: 'Úžice tower and approach, evening.wav',
      seconds: 152.4,
      ended: 'end-of-audio',
      writer: undefined,
      counts: { exchanges: 12, risk: { CORRECT: 6, HIGH: 1, CRITICAL: 2, EXTREME: 1 }, uncertain: 1, open: 1, pending: 1, failed: 1 },
    });
    expect(second?.bytes).toBeGreaterThan(27 * 3244);
    expect(third?.kind === 'broken' ? third.reason.code : '').toBe('unreadable');
    newer.close();
    const full = openSession(join(root, 'sample'), { readonly: true });
    expect(second?.kind === 'session' ? second.counts : undefined).toEqual(countsOf(full.state));
    full.close();
  });

  it('of a folder that is one is that one, and of a place that is not there is empty', () => {
    storeSample(join(root, 'sample'));
    expect(listSessions(join(root, 'sample')).map(({ path }) => path)).toEqual([join(root, 'sample')]);
    expect(listSessions(join(root, 'nowhere'))).toEqual([]);
    expect(listSessions(join(root, 'sample', 'audio'))).toEqual([]);
  });
});

describe('deleting', () => {
  it('takes a session and its folder', () => {
    storeSample(join(root, 'sample'));
    expect(deleteSession(join(root, 'sample'))).toEqual({ path: join(root, 'sample'), left: [] });
    expect(readdirSync(root)).toEqual([]);
  });

  it('leaves what no session made, and says so', () => {
    const dir = join(root, 'sample');
    storeSample(dir);
    writeFileSync(join(dir, 'my notes.txt'), 'mine');
    writeFileSync(join(dir, 'audio', 'Favourite.WAV'), 'mine');
    expect([...deleteSession(dir).left].sort()).toEqual(['audio', 'my notes.txt']);
    expect(readdirSync(join(dir, 'audio'))).toEqual(['Favourite.WAV']);
    expect(readFileSync(join(dir, 'my notes.txt'), 'utf8')).toBe('mine');
    expect(existsSync(join(dir, 'session.db'))).toBe(false);
  });

  it('is refused while somebody writes, and for what is not a session', () => {
    const session = createSession(join(root, 'open'));
    expect(errorOf(() => deleteSession(join(root, 'open'))).message).toContain('being written');
    session.append(started());
    session.close();
    symlinkSync(join(root, 'open'), join(root, 'link'));
    mkdirSync(join(root, 'holiday'));
    writeFileSync(join(root, 'holiday', 'beach.wav'), 'x');
    mkdirSync(join(root, 'browser'));
    const foreign = new Libsql(join(root, 'browser', 'session.db'));
    foreign.exec('CREATE TABLE cookies (name TEXT)');
    foreign.close();
    mkdirSync(join(root, 'garbled'));
    writeFileSync(join(root, 'garbled', 'session.db'), 'x'.repeat(9000));
    for (const name of ['link', 'holiday', 'holiday/beach.wav', 'browser', 'garbled', '.']) {
      expect(errorOf(() => deleteSession(join(root, name))).code, name).toBe('invalid-input');
    }
    expect(errorOf(() => deleteSession(join(root, 'nowhere'))).code).toBe('not-found');
    expect(existsSync(join(root, 'holiday', 'beach.wav'))).toBe(true);
    expect(existsSync(join(root, 'browser', 'session.db'))).toBe(true);
    expect(existsSync(join(root, 'garbled', 'session.db'))).toBe(true);
    openSession(join(root, 'open'), { readonly: true }).close();
  });

  it('takes a damaged session when nothing else is in the folder', () => {
    const dir = join(root, 'damaged');
    storeSample(dir);
    writeFileSync(join(dir, 'session.db'), 'x'.repeat(9000));
    for (const name of ['session.db-wal', 'session.db-shm']) rmSync(join(dir, name), { force: true });
    cpSync(dir, join(root, 'with notes'), { recursive: true });
    writeFileSync(join(root, 'with notes', 'notes.txt'), 'mine');
    expect(deleteSession(dir).left).toEqual([]);
    expect(existsSync(dir)).toBe(false);
    expect(errorOf(() => deleteSession(join(root, 'with notes'))).message).toContain('notes.txt');
    expect(existsSync(join(root, 'with notes', 'session.db'))).toBe(true);
  });
});

