/** The queue: filters, progress, and one line an exchange. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ERROR_TYPES } from '../../engine/server/protocol-view.js';
import type { ExchangeRow, SessionView } from '../engine/session-view.js';
import { Icon } from '../parts/icons.js';
import { kindText, Shape, shortClock } from '../parts/result.js';
import { LOOK_NAMES } from '../../engine/server/protocol-view.js';
import { T } from '../texts.js';
import { answerBy, decisionOf, lookFor, NO_FILTERS, type Filters } from './queue.js';

const HEIGHT = 48;

export interface QueueProps {
  readonly view: SessionView;
  readonly rows: readonly ExchangeRow[];
  readonly selected: string | undefined;
  readonly reviewer: string;
  readonly filters: Filters;
  readonly channels: readonly string[];
  readonly onFilters: (filters: Filters) => void;
  readonly onSelect: (id: string) => void;
  /** What stands at its foot. */
  readonly children: ReactNode;
}

export function Queue({ view, rows, selected, reviewer, filters, channels, onFilters, onSelect, children }: QueueProps) {
  const [open, setOpen] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => HEIGHT, getItemKey: (at) => rows[at]?.id ?? at, overscan: 10 });
  useEffect(() => {
    const at = rows.findIndex((row) => row.id === selected);
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
    // only when the choice changes
  }, [selected]);
  const done = rows.filter((row) => decisionOf(view.state.exchanges.get(row.id), reviewer) !== undefined).length;
  const narrowed = JSON.stringify({ ...filters, which: '' }) !== JSON.stringify({ ...NO_FILTERS, which: '' });
  const set = (change: Partial<Filters>): void => {
    onFilters({ ...filters, ...change });
  };
  return (
    <section className="queue" aria-label={T.review.queue}>
      <div className="queue-head">
        <select
          aria-label={T.review.show}
          value={filters.which}
          onChange={({ target }) => {
            set({ which: target.value as Filters['which'] });
          }}
        >
          <option value="flagged">{T.review.showFlagged}</option>
          <option value="all">{T.review.showAll}</option>
          <option value="open">{T.review.showOpen}</option>
          <option value="decided">{T.review.showDecided}</option>
        </select>
        <button
          type="button"
          className="icon-only"
          aria-label={T.review.filters}
          title={T.review.filters}
          aria-expanded={open}
          aria-pressed={narrowed}
          onClick={() => {
            setOpen(!open);
          }}
        >
          <Icon name="search" />
        </button>
      </div>
      {open && (
        <div className="filters">
          <Choice label={T.review.type} value={filters.type} any={T.review.anyType} options={ERROR_TYPES.map((type) => [type, `${T.types[type] ?? type} · ${type}`])} onChange={(type) => {
            set({ type });
          }} />
          <Choice label={T.review.verdict} value={filters.verdict} any={T.review.anyVerdict} options={Object.entries(T.review.verdicts)} onChange={(verdict) => {
            set({ verdict });
          }} />
          <Choice label={T.review.risk} value={filters.risk} any={T.review.anyRisk} options={(['EXTREME', 'CRITICAL', 'HIGH', 'CORRECT'] as const).map((risk) => [risk, LOOK_NAMES[risk]])} onChange={(risk) => {
            set({ risk });
          }} />
          <Choice label={T.review.frequency} value={filters.frequency} any={T.review.anyFrequency} options={channels.map((channel) => [channel, channel])} onChange={(frequency) => {
            set({ frequency });
          }} />
          <label className="field">
            {T.review.callsign}
            <input
              type="search"
              value={filters.callsign}
              onChange={({ target }) => {
                set({ callsign: target.value });
              }}
            />
          </label>
          <button
            type="button"
            disabled={!narrowed}
            onClick={() => {
              onFilters({ ...NO_FILTERS, which: filters.which });
            }}
          >
            {T.review.clear}
          </button>
        </div>
      )}
      <div className="queue-progress">
        <progress aria-label={T.review.progress} max={Math.max(1, rows.length)} value={done} />
        <span className="small quiet number">{T.review.done(done, rows.length)}</span>
      </div>
      {rows.length === 0 ? (
        <p className="quiet queue-empty">{filters.which === 'flagged' && !narrowed ? T.review.nothingFlagged : T.review.nothing}</p>
      ) : (
        <div ref={scroller} className="queue-rows" role="listbox" tabIndex={0} aria-label={T.review.queue} aria-activedescendant={selected === undefined ? undefined : `queue-${selected}`}>
          <div className="rows-inner" style={{ height: virtual.getTotalSize() }} role="presentation">
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index];
              if (row === undefined) return null;
              const state = view.state.exchanges.get(row.id);
              // one’s own decision, never another reviewer’s
              const mine = state === undefined ? undefined : answerBy(state, reviewer);
              const decided = mine !== undefined;
              const answer = mine ?? row.exchange.judged.machine;
              const look = lookFor(row, answer);
              return (
                <div
                  key={item.key}
                  id={`queue-${row.id}`}
                  role="option"
                  aria-selected={row.id === selected}
                  aria-setsize={rows.length}
                  aria-posinset={item.index + 1}
                  className={`queue-row ${look}`}
                  style={{ transform: `translateY(${item.start}px)` }}
                  onClick={() => {
                    onSelect(row.id);
                  }}
                >
                  <Shape look={look} />
                  <span className="queue-who">
                    <b>{row.exchange.callsign ?? T.results.callsignUnknown}</b>
                    <span className="small quiet">
                      {LOOK_NAMES[look]}
                      {kindText(answer) === '' ? '' : `, ${kindText(answer)}`}
                    </span>
                  </span>
                  <span className="small quiet number">{shortClock(row.exchange.start)}</span>
                  <span className="queue-done">
                    {decided && (
                      <>
                        <Icon name="check" />
                        <span className="visually-hidden">{T.review.decided}</span>
                      </>
                    )}
                  </span>
                </div>
              );
            })}
          </div>
        </div>
      )}
      <div className="queue-foot">{children}</div>
    </section>
  );
}

function Choice({ label, value, any, options, onChange }: { readonly label: string; readonly value: string; readonly any: string; readonly options: readonly (readonly [string, string])[]; readonly onChange: (value: string) => void }) {
  return (
    <label className="field">
      {label}
      <select
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      >
        <option value="">{any}</option>
        {options.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
