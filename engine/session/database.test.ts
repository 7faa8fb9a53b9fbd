import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf, eachInAFolder } from '../../test/support/session.js';
import { inTransaction, openDatabase, pragmaNumber, storageError } from './database.js';

let root: string;
eachInAFolder((path) => {
  root = path;
});

describe('failures of the storage', () => {
  it('a database without room is a full disk, and the transaction leaves nothing', () => {
    const database = openDatabase(join(root, 'x.db'), 'write');
    database.exec('CREATE TABLE t (a TEXT) STRICT; PRAGMA max_page_count = 4');
    const insert = database.prepare('INSERT INTO t VALUES (?)');
    insert.run('kept');
    const full = errorOf(() =>
      inTransaction(database, () => {
        for (;;) insert.run('x'.repeat(1000));
      }),
    );
    expect(full.code).toBe('disk-full');
    expect(full.hint).toMatch(/space/);
    expect([...database.prepare('SELECT a FROM t').rows()].map(({ a }) => a)).toEqual(['kept']);
    database.close();
  });

  it('a lock that another holds is told as such, at once', () => {
    const first = openDatabase(join(root, 'x.db'), 'write');
    first.exec('BEGIN EXCLUSIVE');
    const second = openDatabase(join(root, 'x.db'), 'write', 0);
    expect(errorOf(() => { second.exec('BEGIN IMMEDIATE'); }).message).toContain('being written by another program');
    second.close();
    first.close();
  });

  it('a reader does not make a database where there is none', () => {
    expect(errorOf(() => openDatabase(join(root, 'none.db'), 'read')).code).toBe('not-found');
  });

  it('commits are synced in full by default', () => {
    const database = openDatabase(join(root, 'x.db'), 'write');
    expect(pragmaNumber(database, 'synchronous')).toBe(2);
    database.close();
  });

  it.each([
    ['ENOSPC', 'disk-full'],
    ['EDQUOT', 'disk-full'],
    ['EROFS', 'session'],
    ['EACCES', 'session'],
    ['ENOENT', 'not-found'],
    ['ENAMETOOLONG', 'session'],
    ['EIO', 'session'],
  ])('%s of the file system is %s, with what to do', (code, expected) => {
    const error = storageError(Object.assign(new Error('write failed'), { code }), '/somewhere/session.db');
    expect(error.code).toBe(expected);
    expect(error.message).toContain('/somewhere/session.db');
    expect(error.hint).toBeDefined();
  });
});
