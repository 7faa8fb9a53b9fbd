/** One half of an exchange on the desk: words to click, or a field to correct them and the speaker. */
import { useEffect, useRef } from 'react';
import type { Line, TransmissionState } from '../../engine/server/protocol-view.js';
import { Icon } from '../parts/icons.js';
import { shortClock, silentText } from '../parts/result.js';
import { T } from '../texts.js';

export interface Draft {
  readonly text: string;
  readonly role: string;
}

export interface HalfProps {
  readonly title: string;
  readonly hotkey: string;
  readonly line: Line;
  readonly transmission: TransmissionState | undefined;
  /** Position of the line's first word in its half. */
  readonly from: number;
  /** Words that a reviewer takes as decisive, by position in the half; undefined while they are not being chosen. */
  readonly chosen: ReadonlySet<number> | undefined;
  /** Word that the keys are at, by position in the half. */
  readonly cursor: number | undefined;
  readonly draft: Draft | undefined;
  readonly onHear: (from: number, to: number) => void;
  readonly onTake: (position: number) => void;
  readonly onDraft: (draft: Draft | undefined) => void;
  readonly onSave: () => void;
  readonly onLeave: () => void;
}

export function HalfDesk({ title, hotkey, line, transmission, from, chosen, cursor, draft, onHear, onTake, onDraft, onSave, onLeave }: HalfProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const editing = draft !== undefined;
  useEffect(() => {
    if (editing) {
      field.current?.focus();
      field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
    }
  }, [editing]);
  const words = transmission?.understanding?.words ?? transmission?.recognition?.words ?? [];
  const silent = silentText(line);
  return (
    <div className="desk-half">
      <div className="turn-head">
        <b>{title}</b>
        <span>{line.role === 'controller' ? T.live.controller : line.role === 'pilot' ? T.live.pilot : ''}</span>
        <span className="number">{shortClock(line.start)}</span>
        <button
          type="button"
          className="plain"
          onClick={() => {
            onDraft(editing ? undefined : { text: line.text ?? '', role: line.role ?? 'unknown' });
          }}
        >
          <Icon name="edit" /> {T.review.edit} <kbd>{hotkey}</kbd>
        </button>
      </div>
      {editing ? (
        <form
          className="desk-edit"
          onSubmit={(event) => {
            event.preventDefault();
            onSave();
          }}
        >
          <textarea
            ref={field}
            rows={2}
            aria-label={`${T.review.transcript}: ${title}`}
            value={draft.text}
            spellCheck={false}
            onChange={({ target }) => {
              onDraft({ ...draft, text: target.value });
            }}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault();
                onSave();
              } else if (event.key === 'Escape') {
                event.preventDefault();
                onLeave();
              }
            }}
          />
          <div className="row">
            <select
              aria-label={`${T.review.speaker}: ${title}`}
              value={draft.role}
              onChange={({ target }) => {
                onDraft({ ...draft, role: target.value });
              }}
            >
              <option value="controller">{T.live.controller}</option>
              <option value="pilot">{T.live.pilot}</option>
              <option value="unknown">{T.review.speakerUnknown}</option>
            </select>
            <button type="submit" className="primary">
              {T.review.save} <kbd>Enter</kbd>
            </button>
            <button
              type="button"
              onClick={() => {
                onDraft(undefined);
                onLeave();
              }}
            >
              {T.review.cancel}
            </button>
          </div>
        </form>
      ) : silent !== undefined && line.editor === undefined ? (
        <p className="words none">{silent}</p>
      ) : (
        <>
          {line.editor !== undefined && <p className="words">{line.text}</p>}
          {line.editor !== undefined && (
            <p className="small quiet">
              {T.results.correctedBy(line.editor)}. {T.results.heardText}:
            </p>
          )}
          <p className={line.editor === undefined ? 'words' : 'words heard'}>
            {line.words.map((word, at) => {
              const position = from + at;
              const times = words[at];
              const taken = chosen?.has(position) === true;
              return (
                <button
                  key={position}
                  type="button"
                  tabIndex={-1}
                  className={`word${word.mark === undefined ? '' : ` m-${word.mark}`}${taken ? ' taken' : ''}${cursor === position ? ' at' : ''}`}
                  title={chosen === undefined ? T.review.hearFrom(word.text) : undefined}
                  aria-pressed={chosen === undefined ? undefined : taken}
                  onClick={() => {
                    if (chosen !== undefined) onTake(position);
                    else onHear(times?.start ?? line.start ?? 0, times?.end ?? line.end ?? 0);
                  }}
                >
                  {word.text}
                </button>
              );
            })}
          </p>
        </>
      )}
      {line.guards.map((guard) => (
        <p key={guard} className="small quiet">
          {guard}
        </p>
      ))}
      {transmission?.notes?.map((note) => (
        <p key={note.seq} className="small">
          <b>{note.reviewer}:</b> {note.text}
        </p>
      ))}
    </div>
  );
}
