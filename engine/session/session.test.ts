import Libsql from 'libsql';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, copyFileSync, cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import wavefile from 'wavefile';
import { describe, expect, it } from 'vitest';
import type { HearbackEvent } from '../domain/events.js';
import { captured, errorOf, recognised, sampleEvents, started, eachInAFolder, tone } from '../../test/support/session.js';
import { createSession, foldEvents, listSessions, openSession, pendingTransmissions } from './index.js';
import { MIGRATIONS, type Migration } from './schema.js';

/** The built room, for tests that need a process of its own to kill or to take rights from. */
const BUILT = new URL('../../dist/engine/session/index.js', import.meta.url);
function built(): string {
  if (!existsSync(BUILT)) throw new Error('dist/engine/session/index.js is missing: run `npm run build` before this test.');
  return BUILT.href;
}

let root: string;
eachInAFolder((path) => {
  root = path;
});

describe('the log', () => {
  it('gives events back as they were logged, numbered from 1 without holes, after reopening too', () => {
    const dir = join(root, 'one');
    const session = createSession(dir, { source: 'a.wav' });
    const events: HearbackEvent[] = [started(), captured('t1'), recognised('t1', 'novak seven seven'), { type: 'session.ended', reason: 'stopped', seconds: 3 }];
    const logged = events.map((event) => session.append(event));
    expect(logged.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(logged.map(({ event }) => event)).toEqual(events);
    session.close();
    const again = openSession(dir, { readonly: true });
    expect(again.events()).toEqual(logged);
    expect(again.events(2).map(({ seq }) => seq)).toEqual([3, 4]);
    again.close();
    const writer = openSession(dir);
    expect(writer.append(started()).seq).toBe(5);
    writer.close();
  });

  it('keeps what was logged when the caller changes the event afterwards', () => {
    const session = createSession(join(root, 'one'));
    const event = { ...started(), channels: ['tower'] } as Extract<HearbackEvent, { type: 'session.started' }>;
    session.append(event);
    event.channels.push('ground');
    expect(session.state.meta?.channels).toEqual(['tower']);
    expect(session.events()[0]?.event).toEqual(started());
    session.close();
  });

  it('refuses an event that is not one, and logs none of a batch that has one', () => {
    const session = createSession(join(root, 'one'));
    const broken = { type: 'session.ended', reason: 'bored', seconds: 1 } as unknown as HearbackEvent;
    expect(errorOf(() => session.append(broken)).code).toBe('invalid-input');
    expect(errorOf(() => session.appendAll([started(), broken])).code).toBe('invalid-input');
    expect(errorOf(() => session.append({ type: 'session.ended', reason: 'stopped', seconds: Number.NaN })).message).toContain('seconds');
    expect(session.events()).toEqual([]);
    expect(session.append(started()).seq).toBe(1);
    session.close();
  });

  it('is append-only in the database itself: no change, no removal, no replacement, no hole', () => {
    const dir = join(root, 'one');
    const session = createSession(dir);
    session.appendAll([started(), captured('t1')]);
    session.close();
    const raw = new Libsql(join(dir, 'session.db'));
    const body = JSON.stringify(started());
    for (const sql of [
      `UPDATE events SET body = '{}' WHERE seq = 1`,
      `DELETE FROM events WHERE seq = 2`,
      `DELETE FROM events`,
      `INSERT OR REPLACE INTO events (seq, at, type, body) VALUES (1, '', 'session.started', '${body}')`,
      `INSERT INTO events (seq, at, type, body) VALUES (4, '', 'session.started', '${body}')`,
      `INSERT INTO events (seq, at, type, body) VALUES (3, '', 'session.started', 'not json')`,
      `UPDATE meta SET value = 'x'`,
      `DELETE FROM meta`,
      `INSERT OR REPLACE INTO meta (key, value) VALUES ('id', 'x')`,
    ]) {
      expect(() => raw.exec(sql), sql).toThrow();
    }
    raw.close();
    const again = openSession(dir, { readonly: true });
    expect(again.events().map(({ event }) => event)).toEqual([started(), captured('t1')]);
    again.close();
  });

  it('is in write-ahead mode, and the same live, reopened and folded', () => {
    const dir = join(root, 'one');
    const session = createSession(dir);
    for (const event of sampleEvents()) session.append(event);
    const live = structuredClone(session.state);
    session.close();
    const raw = new Libsql(join(dir, 'session.db'));
    expect(raw.pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    raw.close();
    const again = openSession(dir, { readonly: true });
    expect(again.state).toEqual(live);
    expect(foldEvents(again.events())).toEqual(live);
    again.close();
  });

  it('takes no more after closing, and closing twice is fine', () => {
    const session = createSession(join(root, 'one'));
    session.close();
    session.close();
    for (const work of [() => session.append(started()), () => session.saveAudio('t1', tone(0.1)), () => session.events()]) {
      expect(errorOf(work).code).toBe('session');
    }
  });
});

describe('writers and readers', () => {
  it('lets readers in beside a writer and shows them what is new', () => {
    const dir = join(root, 'one');
    const writer = createSession(dir);
    writer.append(started());
    const reader = openSession(dir, { readonly: true });
    expect(reader.lastSeq).toBe(1);
    writer.append(captured('t1'));
    expect(reader.refresh().map(({ seq }) => seq)).toEqual([2]);
    expect(reader.refresh()).toEqual([]);
    expect(reader.state).toEqual(writer.state);
    const refused = errorOf(() => reader.append(started()));
    expect(refused.sentence).toMatch(/reading only/);
    expect(errorOf(() => reader.saveAudio('t2', tone(0.1))).code).toBe('session');
    reader.close();
    expect(writer.append(captured('t2', 3)).seq).toBe(3);
    writer.close();
  });

  it('refuses a second writer with a sentence that names the first, and lets it in afterwards', () => {
    const dir = join(root, 'one');
    const first = createSession(dir);
    const refused = errorOf(() => openSession(dir));
    expect(refused.code).toBe('session');
    expect(refused.message).toContain(`process ${process.pid}`);
    expect(refused.hint).toBeDefined();
    expect(first.append(started()).seq).toBe(1);
    first.close();
    const second = openSession(dir);
    expect(second.append(captured('t1')).seq).toBe(2);
    second.close();
  });

  it('is not locked out by a writer that was killed', async () => {
    const dir = join(root, 'one');
    const { child, seen } = startLogger(dir);
    await untilSeen(seen, 3);
    const refused = errorOf(() => openSession(dir));
    expect(refused.message).toContain(`process ${String(child.pid)}`);
    const reader = openSession(dir, { readonly: true });
    expect(reader.lastSeq).toBeGreaterThanOrEqual(3);
    reader.close();
    const [running] = listSessions(dir);
    expect(running?.kind === 'session' ? running.writer?.pid : undefined).toBe(child.pid);
    await kill(child);
    openSession(dir).close();
    const [stopped] = listSessions(dir);
    expect(stopped?.kind === 'session' ? stopped.writer : 'broken').toBeUndefined();
  });
});

function startLogger(dir: string): { child: ReturnType<typeof spawn>; seen: number[] } {
  const child = spawn(process.execPath, [fileURLToPath(new URL('fixtures/append-until-killed.mjs', import.meta.url)), built(), dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const seen: number[] = [];
  let rest = '';
  child.stdout.on('data', (data: Buffer) => {
    const lines = (rest + data.toString()).split('\n');
    rest = lines.pop() ?? '';
    seen.push(...lines.map(Number));
  });
  return { child, seen };
}
async function untilSeen(seen: readonly number[], count: number): Promise<void> {
  for (let turn = 0; seen.length < count; turn += 1) {
    if (turn > 1000) throw new Error('the logging process said nothing');
    await wait(10);
  }
}
/** Kills as a crash does, and waits until everything that it had said is read. */
async function kill(child: ReturnType<typeof spawn>): Promise<void> {
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await gone;
}

describe('SIGKILL', () => {
  it('loses no event that was told, leaves audio that plays, and the session goes on', async () => {
    for (let round = 0; round < 5; round += 1) {
      const dir = join(root, `round ${round}`);
      const { child, seen } = startLogger(dir);
      await untilSeen(seen, 2);
      await wait(40 + Math.random() * 250);
      await kill(child);
      expect(seen).toEqual(seen.map((_, index) => index + 1));
      const session = openSession(dir);
      const numbers = session.events().map(({ seq }) => seq);
      expect(numbers.length).toBeGreaterThanOrEqual(seen.length);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(session.audioCheck.missing).toEqual([]);
      for (const [id, { capture }] of session.state.transmissions) {
        expect(capture).toBeDefined();
        const n = Number(id.slice(1));
        expect(session.readAudio(id).length).toBe(8000 + 100 * (n % 50));
        const wav = new wavefile.WaveFile(readFileSync(session.audioFile(id)));
        expect(wav.fmt).toMatchObject({ numChannels: 1, sampleRate: 16000, bitsPerSample: 16 });
      }
      // nothing half-written is left, and what is there and not in the log is told
      const files = readdirSync(join(dir, 'audio'));
      expect(files.filter((name) => !name.endsWith('.wav'))).toEqual([]);
      expect(files.length).toBe(session.state.transmissions.size + session.audioCheck.unlogged.length);
      // those that were waiting can be recognised now
      const waiting = pendingTransmissions(session.state).map(({ id }) => id);
      expect(waiting).toEqual([...session.state.transmissions.values()].filter((each) => each.recognition === undefined).map(({ id }) => id));
      for (const id of waiting) session.append(recognised(id, 'cleared to land'));
      expect(pendingTransmissions(session.state)).toEqual([]);
      const { state } = session;
      session.close();
      const again = openSession(dir, { readonly: true });
      expect(again.state).toEqual(state);
      again.close();
    }
  }, 60_000);
});

describe('folders', () => {
  it.each([
    ['composed', 'Flüge Антон/東京 塔'.normalize('NFC')],
    ['decomposed', 'Flüge Антон/東京 塔'.normalize('NFD')],
    ['with signs that addresses use', '100% #1 ?mode=ro & more'],
  ])('may have any name (%s), and names come out unchanged', (_, name) => {
    const dir = join(root, name);
    const source = join(dir, 'Anflug Zürich – утро.wav');
    const session = createSession(dir, { source });
    session.append(started({ source }));
    session.append(captured('Ü 1', 0, { audio: session.saveAudio('Ü 1', tone(0.2)), channel: 'Türm' }));
    expect(session.readAudio('Ü 1').length).toBe(3200);
    session.close();
    const [only] = listSessions(dir);
    expect(only).toMatchObject({ kind: 'session', path: dir, name: 'Anflug Zürich – утро.wav', source });
    const reader = openSession(dir, { readonly: true });
    expect(reader.identity.source).toBe(source);
    expect(reader.state.transmissions.get('Ü 1')?.capture?.channel).toBe('Türm');
    expect(reader.readAudio('Ü 1').length).toBe(3200);
    reader.close();
    expect(existsSync(join(dir, 'session.db'))).toBe(true);
  });

  it('are not taken when there is something else in them', () => {
    const session = createSession(join(root, 'one'));
    session.close();
    expect(errorOf(() => createSession(join(root, 'one'))).message).toContain('already holds a session');
    mkdirSync(join(root, 'notes'));
    writeFileSync(join(root, 'notes', 'todo.txt'), 'x');
    const refused = errorOf(() => createSession(join(root, 'notes')));
    expect(refused.message).toContain('todo.txt');
    expect(readdirSync(join(root, 'notes'))).toEqual(['todo.txt']);
    writeFileSync(join(root, 'file'), 'x');
    expect(errorOf(() => createSession(join(root, 'file'))).hint).toBeDefined();
    mkdirSync(join(root, 'empty'));
    createSession(join(root, 'empty')).close();
  });

  it('that are no sessions are told apart, each with what to do', () => {
    expect(errorOf(() => openSession(join(root, 'nowhere'))).code).toBe('not-found');
    expect(errorOf(() => openSession(root)).message).toContain('session.db');
    writeFileSync(join(root, 'file'), 'x');
    expect(errorOf(() => openSession(join(root, 'file'))).message).toContain('a file, not a session folder');
    mkdirSync(join(root, 'text'));
    writeFileSync(join(root, 'text', 'session.db'), 'cleared to land, runway two four. '.repeat(300));
    expect(errorOf(() => openSession(join(root, 'text'))).code).toBe('unreadable');
    expect(errorOf(() => openSession(join(root, 'text'), { readonly: true })).message).toContain('not a session log');
    mkdirSync(join(root, 'foreign'));
    const foreign = new Libsql(join(root, 'foreign', 'session.db'));
    foreign.exec('CREATE TABLE cookies (name TEXT)');
    foreign.close();
    for (const readonly of [true, false]) expect(errorOf(() => openSession(join(root, 'foreign'), { readonly })).message).toContain('another program');
    mkdirSync(join(root, 'unfinished'));
    writeFileSync(join(root, 'unfinished', 'session.db'), '');
    for (const readonly of [true, false]) expect(errorOf(() => openSession(join(root, 'unfinished'), { readonly })).message).toContain('not finished being made');
    createSession(join(root, 'unfinished')).close();
  });

  it('with a damaged log are refused, not read in part', () => {
    const dir = join(root, 'one');
    const session = createSession(dir);
    session.appendAll([started(), ...Array.from({ length: 200 }, (_, n) => recognised(`t${n}`, 'novak seven seven hold short of runway two four'))]);
    session.close();
    const file = join(dir, 'session.db');
    copyFileSync(file, join(root, 'good'));
    const handle = openSync(file, 'r+');
    for (let at = 4096 * 4; at < statSync(file).size; at += 4096) writeSync(handle, Buffer.alloc(300, 0xee), 0, 300, at);
    closeSync(handle);
    const damaged = errorOf(() => openSession(dir, { readonly: true }));
    expect(damaged.code).toBe('unreadable');
    expect(damaged.hint).toContain('backup');
    copyFileSync(join(root, 'good'), file);
    truncateSync(file, 4096 * 3);
    expect(errorOf(() => openSession(dir, { readonly: true })).code).toBe('unreadable');
    copyFileSync(join(root, 'good'), file);
    openSession(dir, { readonly: true }).close();
  });

  it('with an event that this version does not know are refused by its number', () => {
    const dir = join(root, 'one');
    const session = createSession(dir);
    session.append(started());
    session.close();
    const raw = new Libsql(join(dir, 'session.db'));
    raw.exec(`INSERT INTO events (seq, at, type, body) VALUES (2, '2026-01-01T00:00:00Z', 'weather', '{"type":"weather"}')`);
    raw.close();
    const refused = errorOf(() => openSession(dir, { readonly: true }));
    expect(refused.code).toBe('unreadable');
    expect(refused.message).toContain('Event 2');
  });
});

/** Runs a script beside the built room, without rights (root ignores a read-only folder) and with limits if wanted. */
function withoutRights(script: string, shellLimit?: string): string {
  const file = join(root, 'script.mjs');
  writeFileSync(file, script);
  chmodSync(root, 0o755);
  const drop = process.getuid?.() === 0 && shellLimit === undefined ? { uid: 65534, gid: 65534 } : {};
  const ran =
    shellLimit === undefined
      ? spawnSync(process.execPath, [file], { encoding: 'utf8', ...drop })
      : spawnSync('sh', ['-c', `${shellLimit}; exec "$0" "$1"`, process.execPath, file], { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  expect(ran.status).toBe(0);
  return ran.stdout;
}

describe.skipIf(process.platform === 'win32')('disks', () => {
  it.each([false, true])('a read-only folder is read (waiting write-ahead log: %s) and refuses a writer with what to do', (waiting) => {
    const dir = join(root, 'one');
    const session = createSession(dir);
    session.appendAll([started(), captured('t1', 0, { audio: session.saveAudio('t1', tone(0.1)) })]);
    if (waiting) {
      // what a crash leaves: the log's end is still in the write-ahead file
      cpSync(dir, join(root, 'crashed'), { recursive: true });
      session.close();
    } else {
      session.close();
      cpSync(dir, join(root, 'crashed'), { recursive: true });
    }
    const still = join(root, 'crashed');
    for (const name of ['session.db-shm', ...(waiting ? [] : ['session.db-wal'])]) if (existsSync(join(still, name))) spawnSync('rm', [join(still, name)]);
    expect(existsSync(join(still, 'session.db-wal')) && statSync(join(still, 'session.db-wal')).size > 0).toBe(waiting);
    chmodSync(join(still, 'audio'), 0o555);
    for (const name of readdirSync(still)) if (name !== 'audio') chmodSync(join(still, name), 0o444);
    chmodSync(still, 0o555);
    const before = readdirSync(still);
    const out = withoutRights(`
      const { openSession, createSession } = await import(${JSON.stringify(built())});
      const dir = ${JSON.stringify(still)};
      const reader = openSession(dir, { readonly: true });
      console.log(reader.events().length, reader.readAudio('t1').length);
      reader.close();
      for (const work of [() => openSession(dir), () => createSession(dir + '/new')]) try { work(); console.log('no error'); } catch (e) { console.log(e.name, e.code, e.sentence); }
    `);
    chmodSync(still, 0o755);
    expect(readdirSync(still)).toEqual(before);
    const [read, reopen, create] = out.split('\n');
    expect(read).toBe('2 1600');
    expect(reopen).toMatch(/^HearbackError session .*read-only.*permissions/);
    expect(create).toMatch(/^HearbackError session .*read-only.*permissions/);
  });

  it('a full disk fails the append and the audio with what to do, keeps what was told, and goes on when there is room', () => {
    const dir = join(root, 'one');
    // a limit on file size stands in for the full disk: the writes fail half-way in the same calls
    const out = withoutRights(
      `
      import { readFileSync, writeFileSync } from 'node:fs';
      const { createSession, exportSession } = await import(${JSON.stringify(built())});
      const dir = ${JSON.stringify(dir)};
      const session = createSession(dir);
      let told = 0;
      const attempt = (work) => { try { return work(); } catch (e) { return e.name + ' ' + e.code + ' ' + e.sentence; } };
      for (const transmission of ['a', 'b', 'c']) {
        const audio = session.saveAudio(transmission, new Float32Array(48000));
        session.append({ type: 'transmission.captured', transmission, channel: 'tower', start: 0, end: 3, audio, ended: 'silence' });
      }
      const page = ${JSON.stringify(join(root, 'page.html'))};
      writeFileSync(page, 'the page of yesterday');
      console.log(attempt(() => exportSession(dir, 'html', { out: page, force: true })), readFileSync(page, 'utf8'));
      for (;;) {
        const logged = attempt(() => session.append({ type: 'notice', kind: 'filler', text: 'x'.repeat(3000), severity: 'info' }));
        if (typeof logged === 'string') { console.log(logged); break; }
        told = logged.seq;
        if (told > 5000) { console.log('never full'); break; }
      }
      console.log(session.lastSeq === told, session.events().length === told);
      console.log(attempt(() => session.saveAudio('t1', new Float32Array(16000 * 30))));
      session.close();
      console.log(told);
    `,
      'ulimit -f 600',
    );
    const [page, full, kept, audio, told] = out.split('\n');
    expect(page).toMatch(/^HearbackError disk-full .*page\.html.* the page of yesterday$/);
    expect(full).toMatch(/^HearbackError (disk-full|session) .*(space|Check the disk).*kept/);
    expect(kept).toBe('true true');
    expect(audio).toMatch(/^HearbackError disk-full .*Free some space/);
    const session = openSession(dir);
    expect(session.lastSeq).toBe(Number(told));
    expect(session.lastSeq).toBeGreaterThan(20);
    expect(readdirSync(join(dir, 'audio')).sort()).toEqual(['a.wav', 'b.wav', 'c.wav']);
    expect(existsSync(join(root, 'page.html.part'))).toBe(false);
    session.append(captured('t1', 0, { audio: session.saveAudio('t1', tone(0.1)) }));
    session.close();
  });
});

describe('formats of the log', () => {
  const NEXT: Migration = { version: 2, sql: 'CREATE TABLE notes (text TEXT) STRICT; CREATE INDEX events_by_type ON events (type);' };

  /** A log written by format 1, kept as it was; later versions of the program must go on reading it. */
  function old(): string {
    const dir = join(root, 'old');
    cpSync(new URL('fixtures/format-1/', import.meta.url), dir, { recursive: true });
    return dir;
  }
  const check = (dir: string, options: Parameters<typeof openSession>[1]): void => {
    const session = openSession(dir, options);
    expect(session.identity).toMatchObject({ id: '6f1d9c1e-6d53-4b8e-9a39-0b5c1f0c7a11', name: 'format one.wav', source: 'recordings/format one.wav' });
    expect(session.events().map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'session.started'],
      [2, 'transmission.captured'],
      [3, 'transmission.recognised'],
      [4, 'session.ended'],
    ]);
    expect(session.state.transmissions.get('t1')?.recognition?.text).toBe('novak seven seven hold position');
    expect(session.readAudio('t1').length).toBe(1600);
    session.close();
  };
  const version = (dir: string): unknown => {
    const raw = new Libsql(join(dir, 'session.db'));
    const [row] = raw.pragma('user_version') as { user_version: number }[];
    raw.close();
    return row?.user_version;
  };

  it('format 1 is read and written by this version', () => {
    const dir = old();
    check(dir, { readonly: true });
    check(dir, {});
    const session = openSession(dir);
    expect(session.append(started()).seq).toBe(5);
    session.close();
  });

  it('an older format is brought up to date by a writer, and read without touching it by a reader', () => {
    const dir = old();
    const migrations = [...MIGRATIONS, NEXT];
    const bytes = readFileSync(join(dir, 'session.db'));
    check(dir, { readonly: true, migrations });
    expect(readFileSync(join(dir, 'session.db')).equals(bytes)).toBe(true);
    check(dir, { migrations });
    expect(version(dir)).toBe(2);
    check(dir, { readonly: true, migrations });
  });

  it('a step that fails leaves the old format whole', () => {
    const dir = old();
    expect(() => openSession(dir, { migrations: [...MIGRATIONS, NEXT, { version: 3, sql: 'CREATE TABLE half (a); CREATE TABLE events (again);' }] })).toThrow();
    expect(version(dir)).toBe(1);
    check(dir, {});
  });

  it('a newer format is refused by name of the version, and left alone', () => {
    const dir = old();
    openSession(dir, { migrations: [...MIGRATIONS, NEXT] }).close();
    for (const readonly of [true, false]) {
      const refused = errorOf(() => openSession(dir, { readonly }));
      expect(refused.code).toBe('unsupported');
      expect(refused.message).toMatch(/newer version.*log format 2.*up to 1/);
      expect(refused.hint).toContain('update');
    }
    expect(version(dir)).toBe(2);
  });
});

