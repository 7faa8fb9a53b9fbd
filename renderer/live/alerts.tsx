/** Flags that nobody has acknowledged: the most urgent first, one an exchange, in a bar whose place is always kept. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { LOOK_NAMES, lookOf, URGENCY } from '../../engine/server/protocol-view.js';
import { chime } from '../audio/play.js';
import type { ExchangeRow, Row } from '../engine/session-view.js';
import { Badge, kindText } from '../parts/result.js';
import { T } from '../texts.js';

const flagged = (row: Row): row is ExchangeRow => row.kind === 'exchange' && row.exchange.judged.review === undefined && (row.look === 'HIGH' || row.look === 'CRITICAL' || row.look === 'EXTREME' || row.look === 'ERROR');

const keptName = (session: string): string => `hearback.acknowledged.${session}`;

function readKept(session: string): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keptName(session)) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []);
  } catch {
    return new Set();
  }
}

export interface Alerts {
  /** Most urgent first, then newest first. */
  readonly open: readonly ExchangeRow[];
  readonly acknowledge: (id: string) => void;
}

/** @param loud whether a new flag sounds; flags that were there when the session was opened never do. */
export function useAlerts(session: string, rows: readonly Row[], loaded: boolean, loud: boolean): Alerts {
  const [acknowledged, setAcknowledged] = useState(() => readKept(session));
  const sounded = useRef<Set<string> | undefined>(undefined);
  const open = useMemo(
    () =>
      rows
        .filter(flagged)
        .filter((row) => !acknowledged.has(row.id))
        .sort((a, b) => URGENCY.indexOf(a.look) - URGENCY.indexOf(b.look) || b.start - a.start),
    [rows, acknowledged],
  );
  useEffect(() => {
    const ids = rows.filter(flagged).map((row) => row.id);
    if (!loaded || sounded.current === undefined) {
      sounded.current = new Set(ids);
      return;
    }
    const known = sounded.current;
    const fresh = ids.filter((id) => !known.has(id));
    for (const id of fresh) known.add(id);
    if (loud && fresh.length > 0) chime();
  }, [rows, loaded, loud]);
  return {
    open,
    acknowledge(id) {
      const next = new Set(acknowledged).add(id);
      setAcknowledged(next);
      try {
        sessionStorage.setItem(keptName(session), JSON.stringify([...next]));
      } catch {
        // kept until the page is closed
      }
    },
  };
}

export function AlertBar({ alerts, onShow, rest }: { readonly alerts: Alerts; readonly onShow: (id: string) => void; readonly rest: React.ReactNode }) {
  const first = alerts.open[0];
  if (first === undefined) return <div className="alert-bar">{rest}</div>;
  const { exchange, look } = first;
  const { holds, finding } = exchange.judged;
  return (
    <div className={`alert-bar on ${look}`}>
      <Badge look={look} answer={holds} small />
      <b>{exchange.callsign ?? T.results.callsignUnknown}</b>
      <span className="what">{finding?.finding.explanation ?? kindText(holds)}</span>
      <span className="push quiet">{alerts.open.length > 1 ? T.live.moreFlags(alerts.open.length - 1) : ''}</span>
      <button
        type="button"
        className="plain"
        onClick={() => {
          onShow(first.id);
        }}
      >
        {T.live.showFlag}
      </button>
      <button
        type="button"
        onClick={() => {
          alerts.acknowledge(first.id);
        }}
      >
        {T.live.acknowledge} <kbd>A</kbd>
      </button>
    </div>
  );
}

/** The same for a screen reader, said once a flag. */
export function AlertVoice({ alerts }: { readonly alerts: Alerts }) {
  const first = alerts.open[0];
  return (
    <div className="visually-hidden" role="status">
      {first === undefined ? '' : `${LOOK_NAMES[lookOf(first.exchange.judged.holds)]}, ${first.exchange.callsign ?? T.results.callsignUnknown}: ${first.exchange.judged.finding?.finding.explanation ?? ''}`}
    </div>
  );
}
