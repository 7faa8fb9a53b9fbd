/**
 * The tables of session.db and their numbered, forward-only migrations.
 */
import { HearbackError } from '../domain/result.js';
import { inTransaction, pragmaNumber, type Database } from './database.js';

/** Marks the file as ours (PRAGMA application_id): the bytes "HEAR". */
const APPLICATION_ID = 0x48454152;

/** One step: from the version before it to `version`. Never edited after a release. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/**
 * Version 1: the log. `body` is the event as JSON; `type` is repeated beside it for queries by hand.
 * The insert trigger keeps `seq` free of holes and also stops INSERT OR REPLACE, which does not fire delete triggers.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
      CREATE TRIGGER meta_is_kept_update BEFORE UPDATE ON meta BEGIN SELECT RAISE(ABORT, 'meta is append-only'); END;
      CREATE TRIGGER meta_is_kept_delete BEFORE DELETE ON meta BEGIN SELECT RAISE(ABORT, 'meta is append-only'); END;
      CREATE TRIGGER meta_is_kept_insert BEFORE INSERT ON meta WHEN EXISTS (SELECT 1 FROM meta WHERE key = NEW.key)
        BEGIN SELECT RAISE(ABORT, 'meta is append-only'); END;
      CREATE TABLE events (
        seq INTEGER PRIMARY KEY NOT NULL,
        at TEXT NOT NULL,
        type TEXT NOT NULL,
        body TEXT NOT NULL CHECK (json_valid(body))
      ) STRICT;
      CREATE TRIGGER events_are_kept_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
      CREATE TRIGGER events_are_kept_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
      CREATE TRIGGER events_have_no_holes BEFORE INSERT ON events WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events)
        BEGIN SELECT RAISE(ABORT, 'event numbers have no holes'); END;
    `,
  },
];

/** Newest version that `migrations` leads to. */
export const newestVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

/** What a session.db is to this program. */
export type SchemaState =
  | { readonly kind: 'ours'; readonly version: number }
  /** Nothing in it yet: the program stopped while the session was being made. */
  | { readonly kind: 'empty' };

/**
 * Looks at a database without changing it.
 *
 * @throws HearbackError `invalid-input` when another program made it, `unsupported` when a newer version of this one did.
 */
export function inspectSchema(database: Database, file: string, migrations: readonly Migration[] = MIGRATIONS): SchemaState {
  const application = pragmaNumber(database, 'application_id');
  const version = pragmaNumber(database, 'user_version');
  if (application !== APPLICATION_ID) {
    const tables = database.prepare('SELECT count(*) AS n FROM sqlite_master').get()?.['n'];
    if (application === 0 && version === 0 && tables === 0) return { kind: 'empty' };
    throw new HearbackError('invalid-input', `${file} is a database of another program, not a session log.`, { hint: 'Choose a session folder.' });
  }
  const newest = newestVersion(migrations);
  if (version > newest) {
    throw new HearbackError('unsupported', `${file} was written by a newer version of Hearback (log format ${version}; this one knows up to ${newest}).`, {
      hint: 'Open it with that version, or update this one.',
    });
  }
  return { kind: 'ours', version };
}

/**
 * Brings the database from its version to the newest, all in one transaction, so that a crash leaves the old one whole.
 *
 * @param last what else belongs to that transaction.
 */
export function migrate(database: Database, from: number, migrations: readonly Migration[] = MIGRATIONS, last?: () => void): void {
  const steps = migrations.filter((step) => step.version > from);
  if (steps.length === 0) return;
  inTransaction(database, () => {
    if (from === 0) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    for (const step of steps) {
      database.exec(step.sql);
      database.exec(`PRAGMA user_version = ${step.version}`);
    }
    last?.();
  });
}
