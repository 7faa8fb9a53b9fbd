/**
 * The board: one line an exchange, in order of time, newest at the foot. Rows have fixed heights, so that nothing moves while words come in, and
 * only those in view are drawn.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { ExchangeRow, LineRow, Row } from '../engine/session-view.js';
import { useWidth } from '../parts/hooks.js';
import { STATUS_TEXT, type Line } from '../../engine/server/protocol-view.js';
import { Badge, kindText, MarkedWords, shortClock, silentText } from '../parts/result.js';
import { T } from '../texts.js';

const EXCHANGE_HEIGHT = 60;
const LINE_HEIGHT = 32;
/** Pixels from the end within which the list counts as being at its end. */
const NEAR_END = 24;
/** Width of a letter of the rows, and of what stands beside the words, in pixels. */
const LETTER = 7.9;
const BESIDE = 446;

export interface BoardListProps {
  readonly rows: readonly Row[];
  readonly many: boolean;
  readonly selected: string | undefined;
  readonly following: boolean;
  /** Seconds that the session has heard; open exchanges count against it. */
  readonly heard: number | undefined;
  readonly running: boolean;
  readonly onSelect: (id: string) => void;
  readonly onFollow: (following: boolean) => void;
}

export function BoardList({ rows, many, selected, following, heard, running, onSelect, onFollow }: BoardListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [measure, width] = useWidth();
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      measure(element);
    },
    [measure],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (rows[at]?.kind === 'line' ? LINE_HEIGHT : EXCHANGE_HEIGHT),
    getItemKey: (at) => rows[at]?.id ?? at,
    overscan: 8,
  });
  const total = virtual.getTotalSize();
  // heights depend on the kinds of the rows only
  useLayoutEffect(() => {
    virtual.measure();
  }, [rows, virtual]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (following && element !== null) element.scrollTop = element.scrollHeight;
  }, [following, rows, total]);
  useEffect(() => {
    if (selected === undefined) return;
    const at = rows.findIndex((row) => row.id === selected);
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
    // only when the choice changes: rows that come in must not move the list
  }, [selected]);

  const room = Math.max(24, Math.floor((width - BESIDE - (many ? 84 : 0)) / LETTER));
  return (
    <div
      ref={attach}
      className="rows"
      role="listbox"
      tabIndex={0}
      aria-label={T.live.board}
      aria-activedescendant={selected === undefined ? undefined : `row-${selected}`}
      onWheel={(event) => {
        if (event.deltaY < 0) onFollow(false);
      }}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (!following && scrollHeight - scrollTop - clientHeight < NEAR_END && selected === undefined) onFollow(true);
        if (following && scrollHeight - scrollTop - clientHeight > EXCHANGE_HEIGHT * 3) onFollow(false);
      }}
    >
      <div className="rows-inner" style={{ height: total }} role="presentation">
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const shared = { top: item.start, position: item.index + 1, size: rows.length, selected: row.id === selected, many, onSelect };
          return row.kind === 'exchange' ? <Exchange key={item.key} row={row} room={room} heard={heard} running={running} {...shared} /> : <LooseLine key={item.key} row={row} {...shared} />;
        })}
      </div>
    </div>
  );
}

interface Placed {
  readonly top: number;
  readonly position: number;
  readonly size: number;
  readonly selected: boolean;
  readonly many: boolean;
  readonly onSelect: (id: string) => void;
}

function Exchange({ row, top, position, size, selected, many, room, heard, running, onSelect }: Placed & { readonly row: ExchangeRow; readonly room: number; readonly heard: number | undefined; readonly running: boolean }) {
  const { exchange, look } = row;
  const { holds } = exchange.judged;
  const beside = holds.verdict !== null ? kindText(holds) : (exchange.alerts.at(-1)?.text ?? (exchange.status === 'open' || exchange.status === 'answered' ? '' : STATUS_TEXT[exchange.status]));
  return (
    <div
      id={`row-${row.id}`}
      role="option"
      aria-selected={selected}
      aria-setsize={size}
      aria-posinset={position}
      className={`xrow ${look}${many ? ' many' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        onSelect(row.id);
      }}
    >
      <span className="when">{shortClock(exchange.start)}</span>
      {many && <span className="when">{exchange.channel}</span>}
      {exchange.callsign === null ? <span className="who unknown">{T.results.callsignUnknown}</span> : <span className="who">{exchange.callsign}</span>}
      <div className="halves">
        <Half side={T.results.instruction} lines={exchange.instruction} room={room} />
        {exchange.readback.length > 0 ? (
          <Half side={T.results.readback} lines={exchange.readback} room={room} />
        ) : (
          <div className="half">
            <span className="side">{T.results.readback}</span>
            <span className="said none">
              {exchange.status === 'open' && running ? <Waiting since={exchange.end} heard={heard} /> : T.results.none}
            </span>
          </div>
        )}
      </div>
      <div className="result">
        <Badge look={look} answer={holds} small />
        <div className="kind" title={beside}>
          {beside}
        </div>
      </div>
    </div>
  );
}

/** Counts in the recording's time, so that a pause stops it. */
function Waiting({ since, heard }: { readonly since: number | undefined; readonly heard: number | undefined }) {
  return T.results.waiting(since === undefined || heard === undefined ? 0 : Math.max(0, Math.floor(heard - since)));
}

function Half({ side, lines, room }: { readonly side: string; readonly lines: readonly Line[]; readonly room: number }) {
  const silent = lines.length === 1 && lines[0] !== undefined ? silentText(lines[0]) : undefined;
  return (
    <div className="half">
      <span className="side">{side}</span>
      {silent !== undefined ? (
        <span className="said none">{silent}</span>
      ) : (
        <span className="said">
          {lines.map((line, at) => (
            <span key={line.id}>
              {at > 0 && ' … '}
              {line.editor === undefined && line.words.length > 0 ? <MarkedWords words={line.words} room={room / lines.length} /> : (line.text ?? '')}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

function LooseLine({ row, top, position, size, selected, many, onSelect }: Placed & { readonly row: LineRow }) {
  const { line } = row;
  const silent = silentText(line);
  const who = line.role === 'controller' ? T.live.controller : line.role === 'pilot' ? T.live.pilot : T.live.unknownSpeaker;
  return (
    <div
      id={`row-${row.id}`}
      role="option"
      aria-selected={selected}
      aria-setsize={size}
      aria-posinset={position}
      className={`lrow${many ? ' many' : ''}${silent === undefined ? '' : ' silent'}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        onSelect(row.id);
      }}
    >
      <span className="when">{shortClock(line.start)}</span>
      {many && <span className="when">{line.channel}</span>}
      <span>{who}</span>
      <span className="said">{silent ?? line.text}</span>
    </div>
  );
}

