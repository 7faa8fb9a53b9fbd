/** One exchange in full, beside the board. */
import { lineOf, type Line } from '../../engine/server/protocol-view.js';
import { playAll } from '../audio/play.js';
import { transmissionAudio } from '../engine/api.js';
import type { Row, SessionView } from '../engine/session-view.js';
import { Differences, Reasons, Verdict } from '../parts/exchange.js';
import { Icon } from '../parts/icons.js';
import { MarkedWords, shortClock, silentText } from '../parts/result.js';
import { T } from '../texts.js';

/** Addresses of everything said in a row. */
export function audioOf(session: string, row: Row): readonly string[] {
  const lines = row.kind === 'line' ? [row.line] : [...row.exchange.instruction, ...row.exchange.readback];
  return lines.filter((line) => line.audio !== undefined).map((line) => transmissionAudio(session, line.id));
}

export function Words({ line }: { readonly line: Line }) {
  const silent = silentText(line);
  if (silent !== undefined) return <p className="words none">{silent}</p>;
  return (
    <>
      <p className="words">{line.editor === undefined && line.words.length > 0 ? <MarkedWords words={line.words} /> : line.text}</p>
      {line.editor !== undefined && (
        <p className="small quiet">
          {T.results.correctedBy(line.editor)}. {T.results.heardText}: {line.machineText}
        </p>
      )}
      {line.guards.map((guard) => (
        <p key={guard} className="small quiet">
          {guard}
        </p>
      ))}
    </>
  );
}

function Turn({ label, line, session }: { readonly label: string; readonly line: Line; readonly session: string }) {
  return (
    <div className="turn">
      <div className="turn-head">
        <b>{label}</b>
        <span className="number">{shortClock(line.start)}</span>
        {line.audio !== undefined && (
          <button
            type="button"
            className="plain"
            onClick={() => {
              void playAll([transmissionAudio(session, line.id)]);
            }}
          >
            <Icon name="play" /> {T.live.hear}
          </button>
        )}
      </div>
      <Words line={line} />
    </div>
  );
}

export function Detail({ view, row, fresh, onReview }: { readonly view: SessionView; readonly row: Row | undefined; readonly fresh: boolean; readonly onReview: (id: string) => void }) {
  if (row === undefined) {
    return (
      <aside className="detail" aria-label={T.live.detail}>
        <p className="quiet">{T.live.detailEmpty}</p>
      </aside>
    );
  }
  if (row.kind === 'line') {
    const transmission = view.state.transmissions.get(row.id);
    return (
      <aside className="detail" aria-label={T.live.detail} tabIndex={0}>
        <Turn label={row.line.role === 'controller' ? T.live.controller : row.line.role === 'pilot' ? T.live.pilot : ''} line={transmission === undefined ? row.line : lineOf(transmission)} session={view.id} />
        {row.line.text === '' && <p className="why">{T.live.transmissionSilent}</p>}
      </aside>
    );
  }
  const { exchange } = row;
  const comparisons = exchange.judged.finding?.finding.evidence.comparisons;
  return (
    <aside className="detail" aria-label={T.live.detail} tabIndex={0}>
      <header>
        <h2>{exchange.callsign ?? T.results.callsignUnknown}</h2>
        <span className="quiet number">{shortClock(exchange.start)}</span>
        {fresh && <span className="quiet small">{T.live.newest}</span>}
      </header>
      <Verdict exchange={exchange} />
      {exchange.instruction.map((line) => (
        <Turn key={line.id} label={T.results.instructionLong} line={line} session={view.id} />
      ))}
      {exchange.readback.map((line) => (
        <Turn key={line.id} label={T.results.readbackLong} line={line} session={view.id} />
      ))}
      {exchange.readback.length === 0 && <p className="turn words none">{T.results.none}</p>}
      {comparisons !== undefined && <Differences comparisons={comparisons} />}
      <Reasons exchange={exchange} />
      <div className="row why">
        <button
          type="button"
          onClick={() => {
            onReview(exchange.id);
          }}
        >
          {T.live.openInReview} <kbd>R</kbd>
        </button>
      </div>
    </aside>
  );
}
