/** Everything that was listened to: search, open, name, keep, delete, import. */
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { SessionEntry } from '../../engine/server/protocol.js';
import { URGENCY, type Look } from '../../engine/server/protocol-view.js';
import { api, sentenceOf } from '../engine/api.js';
import { Dialog } from '../parts/dialog.js';
import { useAnswer, useEngine, useSnapshot } from '../parts/hooks.js';
import { Icon } from '../parts/icons.js';
import { Message } from '../parts/message.js';
import { Shape, shortClock } from '../parts/result.js';
import { T } from '../texts.js';

type Entry = z.infer<typeof SessionEntry>;
type Stored = Extract<Entry, { kind: 'session' }>;

const PERIODS = [7, 30, 90, 365];

const size = (bytes: number): string => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);
const when = (iso: string): string => new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function found(entry: Stored): readonly (readonly [Look, number])[] {
  const { counts } = entry;
  const of = (look: Look): number => {
    switch (look) {
      case 'UNCERTAIN':
        return counts.uncertain;
      case 'OPEN':
        return counts.open;
      case 'ERROR':
        return counts.untyped;
      case 'OTHER':
        return 0;
      default:
        return counts.risk[look];
    }
  };
  return URGENCY.map((look) => [look, of(look)] as const).filter(([, count]) => count > 0);
}

export interface SessionsProps {
  readonly onReview: (session: string) => void;
  readonly onBoard: (session: string) => void;
  readonly onImport: (files: readonly File[]) => void;
}

export function SessionsScreen({ onReview, onBoard, onImport }: SessionsProps) {
  const engine = useEngine();
  const { sessionsVersion, tasks, link } = useSnapshot();
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const { answer, problem, again } = useAnswer(() => api.sessions(search), [search, sessionsVersion]);
  const [renaming, setRenaming] = useState<Stored>();
  const [removing, setRemoving] = useState<Entry>();
  const [failure, setFailure] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(typed.trim());
    }, 250);
    return () => {
      clearTimeout(timer);
    };
  }, [typed]);

  const act = (work: Promise<unknown>): void => {
    setFailure(undefined);
    work.then(again, (thrown: unknown) => {
      setFailure(sentenceOf(thrown));
    });
  };
  const imports = [...tasks.values()].filter((task) => task.kind === 'import');
  const folders = [...tasks.values()].filter((task) => task.kind === 'folder' && task.state !== 'stopped');
  const entries = answer?.sessions ?? [];
  return (
    <div className="page scrolls" tabIndex={0} aria-label={T.sessions.title} role="region">
      <div className="page-head">
        <div>
          <h1>{T.sessions.title}</h1>
          <p className="quiet">{T.sessions.lead}</p>
        </div>
        <input
          type="search"
          className="push"
          aria-label={T.sessions.search}
          placeholder={T.sessions.searchShort}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
          }}
        />
        <button type="button" className="primary" onClick={() => picker.current?.click()}>
          <Icon name="file" /> {T.sessions.import}
        </button>
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          accept="audio/*,.wav,.mp3,.flac,.ogg,.opus"
          onChange={({ target }) => {
            if (target.files !== null && target.files.length > 0) onImport([...target.files]);
            target.value = '';
          }}
        />
      </div>
      {(failure ?? (link === 'open' ? problem : undefined)) !== undefined && <Message onDismiss={failure === undefined ? undefined : () => { setFailure(undefined); }}>{failure ?? problem}</Message>}
      {imports.length > 0 && (
        <section className="card imports" aria-label={T.sessions.importing}>
          <h2>{T.sessions.importing}</h2>
          <ul>
            {imports.map((task) => (
              <li key={task.task}>
                <span className="import-name">{task.title}</span>
                {task.state === 'running' || task.state === 'waiting' ? <progress aria-label={task.title} {...(task.total === undefined || task.done === undefined ? {} : { max: task.total, value: task.done })} /> : <span className="quiet">{task.text ?? ''}</span>}
                <span className={`quiet${task.state === 'failed' ? ' failed' : ''}`}>{T.sessions.taskStates[task.state]}</span>
                {task.state === 'running' || task.state === 'waiting' ? (
                  <button type="button" onClick={() => { act(api.stopTask(task.task)); }}>
                    {T.sessions.stopImport}
                  </button>
                ) : (
                  <button type="button" className="plain" onClick={() => { engine.forgetTask(task.task); }}>
                    {T.sessions.dismiss}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {folders.map((task) => (
        <div key={task.task} className={`message ${task.state === 'failed' ? 'error' : 'info'}`} role="status">
          <span>
            <b>{T.sessions.watching}:</b> {task.title} {task.text ?? ''}
          </span>
          <button type="button" onClick={() => { if (task.state === 'failed') engine.forgetTask(task.task); else act(api.stopTask(task.task)); }}>
            {task.state === 'failed' ? T.sessions.dismiss : T.sessions.stopWatching}
          </button>
        </div>
      ))}
      {answer !== undefined && entries.length === 0 && (
        <div className="empty page-empty">
          <h2>{search === '' ? T.sessions.empty : T.sessions.emptySearch(search)}</h2>
          <p>{search === '' ? T.sessions.emptyText : T.sessions.emptySearchText}</p>
        </div>
      )}
      {entries.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{T.sessions.columns.name}</th>
              <th scope="col">{T.sessions.columns.started}</th>
              <th scope="col">{T.sessions.columns.length}</th>
              <th scope="col">{T.sessions.columns.found}</th>
              <th scope="col">{T.sessions.columns.state}</th>
              <th scope="col">{T.sessions.columns.size}</th>
              <th scope="col">{T.sessions.keep}</th>
              <th scope="col">
                <span className="visually-hidden">{T.sessions.columns.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) =>
              entry.kind === 'broken' ? (
                <tr key={entry.session}>
                  <td>{entry.session}</td>
                  <td colSpan={4} className="failed">
                    {T.sessions.broken}: {entry.reason}
                  </td>
                  <td className="number">{size(entry.bytes)}</td>
                  <td />
                  <td className="acts">
                    <Remove name={entry.session} onClick={() => { setRemoving(entry); }} />
                  </td>
                </tr>
              ) : (
                <tr key={entry.session}>
                  <td>
                    <b>{entry.name}</b>
                    {entry.source !== undefined && entry.source !== entry.name && <div className="small quiet">{entry.source}</div>}
                  </td>
                  <td className="number">{when(entry.started)}</td>
                  <td className="number">{shortClock(entry.seconds)}</td>
                  <td>
                    <span className="row found">
                      {found(entry).map(([look, count]) => (
                        <span key={look} className="tally-small number">
                          <Shape look={look} /> {count}
                        </span>
                      ))}
                      {entry.counts.reviewed > 0 && <span className="small quiet">{T.sessions.reviewed(entry.counts.reviewed)}</span>}
                      {entry.counts.exchanges === 0 && <span className="small quiet">{T.sessions.transmissions(entry.counts.transmissions)}</span>}
                    </span>
                  </td>
                  <td className={entry.state === 'failed' ? 'failed' : 'quiet'}>
                    {T.sessions.states[entry.state]}
                    {entry.state === 'cut-off' && <div className="small cut-off">{T.sessions.cutOff}</div>}
                  </td>
                  <td className="number quiet">{size(entry.bytes)}</td>
                  <td>
                    <select
                      aria-label={`${T.sessions.keep}: ${entry.name}`}
                      value={entry.retention_days === undefined ? 'default' : String(entry.retention_days)}
                      disabled={entry.state === 'elsewhere'}
                      onChange={({ target }) => {
                        act(api.change(entry.session, { retention_days: target.value === 'null' ? null : target.value === 'default' ? 'default' : Number(target.value) }));
                      }}
                    >
                      <option value="default">{T.sessions.keepDefault}</option>
                      <option value="null">{T.sessions.keepForever}</option>
                      {[...new Set([...PERIODS, ...(entry.retention_days == null ? [] : [entry.retention_days])])].sort((a, b) => a - b).map((days) => (
                        <option key={days} value={days}>
                          {T.sessions.keepDays(days)}
                        </option>
                      ))}
                    </select>
                  </td>
                  <td className="acts">
                    <button type="button" aria-label={`${T.sessions.open}: ${entry.name}`} onClick={() => { onReview(entry.session); }}>
                      {T.sessions.open}
                    </button>
                    <button type="button" aria-label={`${T.sessions.board}: ${entry.name}`} onClick={() => { onBoard(entry.session); }}>
                      {T.sessions.board}
                    </button>
                    <button type="button" className="plain icon-only" aria-label={`${T.sessions.rename}: ${entry.name}`} title={T.sessions.rename} disabled={entry.state === 'elsewhere'} onClick={() => { setRenaming(entry); }}>
                      <Icon name="edit" />
                    </button>
                    <Remove name={entry.name} disabled={entry.state === 'running' || entry.state === 'elsewhere'} onClick={() => { setRemoving(entry); }} />
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      )}
      {renaming !== undefined && (
        <RenameDialog
          first={renaming.name}
          onClose={() => { setRenaming(undefined); }}
          onSave={(name) => {
            act(api.change(renaming.session, { name }));
            setRenaming(undefined);
          }}
        />
      )}
      {removing !== undefined && (
        <Dialog title={T.sessions.removeTitle(removing.kind === 'session' ? removing.name : removing.session)} onClose={() => { setRemoving(undefined); }}>
          <p className="why">{T.sessions.removeText}</p>
          <div className="actions">
            <button type="button" autoFocus onClick={() => { setRemoving(undefined); }}>
              {T.sessions.cancel}
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                act(api.remove(removing.session));
                setRemoving(undefined);
              }}
            >
              {T.sessions.removeGo}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function Remove({ name, disabled = false, onClick }: { readonly name: string; readonly disabled?: boolean; readonly onClick: () => void }) {
  return (
    <button type="button" className="plain icon-only danger" aria-label={`${T.sessions.remove}: ${name}`} title={T.sessions.remove} disabled={disabled} onClick={onClick}>
      <Icon name="trash" />
    </button>
  );
}

function RenameDialog({ first, onSave, onClose }: { readonly first: string; readonly onSave: (name: string) => void; readonly onClose: () => void }) {
  const [name, setName] = useState(first);
  return (
    <Dialog title={T.sessions.rename} onClose={onClose}>
      <form
        className="stack why"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') onSave(name.trim());
        }}
      >
        <label className="field">
          {T.sessions.renameTitle}
          <input
            type="text"
            autoFocus
            maxLength={200}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
            }}
          />
        </label>
        <div className="actions">
          <button type="button" onClick={onClose}>
            {T.sessions.cancel}
          </button>
          <button type="submit" className="primary">
            {T.sessions.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
