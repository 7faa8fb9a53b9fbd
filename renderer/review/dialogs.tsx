/** Dialogs of the desk: type, level, another model, export, agreement, name of the reviewer. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ERROR_TYPES, RISK_OF, type ErrorType, type RiskLevel } from '../../engine/server/protocol-view.js';
import { api, exportAddress, sentenceOf } from '../engine/api.js';
import { CloseRow, Dialog } from '../parts/dialog.js';
import { useAnswer } from '../parts/hooks.js';
import { Message } from '../parts/message.js';
import { Badge } from '../parts/result.js';
import { T } from '../texts.js';
import { agreements } from './queue.js';
import type { SessionView } from '../engine/session-view.js';

interface Option<V> {
  readonly key: string;
  readonly value: V;
  readonly face: ReactNode;
}

/** One of a few, by its key, or by arrows and Enter. */
function Pick<V>({ title, text, options, first, onPick, onClose }: { readonly title: string; readonly text: string; readonly options: readonly Option<V>[]; readonly first: number; readonly onPick: (value: V) => void; readonly onClose: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelectorAll('button')[first]?.focus();
  }, [first]);
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="quiet">{text}</p>
      <div
        ref={list}
        className="picks"
        onKeyDown={(event) => {
          const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
          const at = buttons.findIndex((button) => button === document.activeElement);
          const option = options.find((each) => each.key === event.key.toLowerCase());
          if (option !== undefined) {
            event.preventDefault();
            onPick(option.value);
          } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            buttons[(at + (event.key === 'ArrowDown' ? 1 : buttons.length - 1)) % buttons.length]?.focus();
          }
        }}
      >
        {options.map((option) => (
          <button
            key={option.key}
            type="button"
            className="plain pick"
            onClick={() => {
              onPick(option.value);
            }}
          >
            <kbd>{option.key}</kbd> {option.face}
          </button>
        ))}
      </div>
      <div className="actions">
        <button type="button" onClick={onClose}>
          {T.review.cancel} <kbd>Esc</kbd>
        </button>
      </div>
    </Dialog>
  );
}

export function TypeDialog({ now, onPick, onClose }: { readonly now: string | null; readonly onPick: (type: ErrorType) => void; readonly onClose: () => void }) {
  return (
    <Pick
      title={T.review.changeTitle}
      text={T.review.changeText}
      first={Math.max(0, ERROR_TYPES.findIndex((type) => type === now))}
      options={ERROR_TYPES.map((type, at) => ({
        key: String(at),
        value: type,
        face: (
          <>
            <Badge look={RISK_OF[type]} small />
            <span>
              {T.typesLong[type]} <span className="small quiet">{type}</span>
            </span>
          </>
        ),
      }))}
      onPick={onPick}
      onClose={onClose}
    />
  );
}

export function LevelDialog({ onPick, onClose }: { readonly onPick: (level: RiskLevel | undefined) => void; readonly onClose: () => void }) {
  const levels = ['HIGH', 'CRITICAL', 'EXTREME'] as const;
  return (
    <Pick<RiskLevel | undefined>
      title={T.review.levelTitle}
      text={T.review.levelText}
      first={0}
      options={[{ key: '0', value: undefined, face: T.review.asType }, ...levels.map((level, at) => ({ key: String(at + 1), value: level, face: <Badge look={level} small /> }))]}
      onPick={onPick}
      onClose={onClose}
    />
  );
}

export function RerunDialog({ halves, onRun, onClose }: { readonly halves: readonly { readonly id: string; readonly title: string; readonly text: string; readonly model: string | undefined }[]; readonly onRun: (transmission: string, model: string) => void; readonly onClose: () => void }) {
  const { answer, problem } = useAnswer(api.models, []);
  const [transmission, setTransmission] = useState(halves.at(-1)?.id ?? '');
  const [model, setModel] = useState('');
  const before = halves.find((half) => half.id === transmission)?.model;
  // first those that have not had their say
  const usable = (answer?.models.filter((each) => each.usable && each.purpose === 'recogniser') ?? []).sort((a, b) => Number(a.id === before) - Number(b.id === before));
  return (
    <Dialog title={T.review.rerunTitle} onClose={onClose}>
      <p className="quiet">{T.review.rerunText}</p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = model === '' ? usable[0]?.id : model;
          if (chosen !== undefined && transmission !== '') onRun(transmission, chosen);
        }}
      >
        <label className="field">
          {T.review.rerunWhat}
          <select
            value={transmission}
            onChange={({ target }) => {
              setTransmission(target.value);
            }}
          >
            {halves.map((half) => (
              <option key={half.id} value={half.id}>
                {half.title}: {half.text}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          {T.review.rerun}
          <select
            value={model}
            onChange={({ target }) => {
              setModel(target.value);
            }}
          >
            {usable.map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </select>
        </label>
        {usable.length === 1 && <p className="small quiet">{T.review.rerunOnly}</p>}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {T.review.cancel}
          </button>
          <button type="submit" className="primary" disabled={usable.length === 0}>
            {T.review.rerunGo}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The debrief sheet in a frame nobody sees, handed to the browser’s print dialog. The frame has this page’s policy: no script of its own runs. */
async function printSheet(session: string): Promise<void> {
  const page = await api.sheet(session);
  const frame = document.createElement('iframe');
  frame.className = 'visually-hidden';
  frame.title = T.review.export;
  frame.srcdoc = page;
  frame.onload = () => {
    frame.contentWindow?.addEventListener('afterprint', () => {
      frame.remove();
    });
    frame.contentWindow?.print();
  };
  document.body.append(frame);
}

export function ExportDialog({ session, onClose }: { readonly session: string; readonly onClose: () => void }) {
  const [problem, setProblem] = useState<string>();
  const line = (name: string) => {
    const [title, text] = T.review.exports[name] ?? [name, ''];
    return (
      <span>
        <b>{title}</b>
        <br />
        <span className="small quiet">{text}</span>
      </span>
    );
  };
  return (
    <Dialog title={T.review.export} onClose={onClose}>
      <p className="quiet">{T.review.exportText}</p>
      {problem !== undefined && <Message>{problem}</Message>}
      <div className="exports">
        <a className="button" href={exportAddress(session, 'html')} download>
          {line('html')}
        </a>
        <button
          type="button"
          onClick={() => {
            printSheet(session).catch((thrown: unknown) => {
              setProblem(sentenceOf(thrown));
            });
          }}
        >
          {line('pdf')}
        </button>
        {(['csv', 'jsonl', 'textgrid', 'srt', 'bench'] as const).map((format) => (
          <a key={format} className="button" href={exportAddress(session, format)} download>
            {line(format)}
          </a>
        ))}
      </div>
      <CloseRow onClose={onClose} />
    </Dialog>
  );
}

export function AgreementDialog({ view, onGo, onClose }: { readonly view: SessionView; readonly onGo: (exchange: string) => void; readonly onClose: () => void }) {
  const all = agreements(view).filter((each) => each.onType.both > 0);
  const figure = (kappa: number | undefined): string => (kappa === undefined ? '–' : kappa.toFixed(2));
  return (
    <Dialog title={T.review.agreement} onClose={onClose}>
      <p className="quiet">{T.review.agreementText}</p>
      {all.length === 0 && <p className="why">{T.review.agreementFew}</p>}
      {all.map(({ names, onType, onRight, differ }) => (
        <section key={names.join('/')} className="why">
          <h3>{names.join(' · ')}</h3>
          <p>{T.review.agreementBoth(onType.both)}</p>
          <table className="differences">
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">{T.review.agreementOn}</span>
                </th>
                <th scope="col">{T.review.sameShare}</th>
                <th scope="col">{T.review.kappa}</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>{T.review.kappaRight}</td>
                <td>{Math.round(onRight.observed * 100)} %</td>
                <td>
                  <b>{figure(onRight.kappa)}</b>
                </td>
              </tr>
              <tr>
                <td>{T.review.kappaType}</td>
                <td>{Math.round(onType.observed * 100)} %</td>
                <td>
                  <b>{figure(onType.kappa)}</b>
                </td>
              </tr>
            </tbody>
          </table>
          {differ.length > 0 && (
            <p className="row why">
              {T.review.agreementDiffer}:
              {differ.slice(0, 20).map((id) => (
                <button
                  key={id}
                  type="button"
                  onClick={() => {
                    onGo(id);
                  }}
                >
                  {view.state.exchanges.get(id)?.exchange.callsign ?? id}
                </button>
              ))}
            </p>
          )}
        </section>
      ))}
      <CloseRow onClose={onClose} />
    </Dialog>
  );
}

export function ReviewerDialog({ first, onSave, onClose }: { readonly first: string; readonly onSave: (name: string) => void; readonly onClose: () => void }) {
  const [name, setName] = useState(first);
  return (
    <Dialog title={T.review.reviewerAsk} onClose={onClose}>
      <p className="quiet">{T.review.reviewerText}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') onSave(name.trim());
        }}
      >
        <label className="field">
          {T.review.reviewer}
          <input
            type="text"
            autoFocus
            maxLength={100}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
            }}
          />
        </label>
        <div className="actions">
          <button type="submit" className="primary" disabled={name.trim() === ''}>
            {T.review.reviewerSave}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

