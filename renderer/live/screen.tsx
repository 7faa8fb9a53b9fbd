/** The live board: a session as it happens, or a stored one as it was. */
import { useEffect, useMemo, useState } from 'react';
import { LOOK_NAMES, URGENCY, type Look } from '../../engine/server/protocol-view.js';
import { playAll } from '../audio/play.js';
import { sentenceOf } from '../engine/api.js';
import type { SessionView } from '../engine/session-view.js';
import { Icon } from '../parts/icons.js';
import { useEngine, useKeys, useSession, useSnapshot } from '../parts/hooks.js';
import { Message } from '../parts/message.js';
import { Shape, shortClock } from '../parts/result.js';
import { T } from '../texts.js';
import { AlertBar, AlertVoice, useAlerts } from './alerts.js';
import { BoardList } from './board-list.js';
import { audioOf, Detail } from './detail.js';
import { Meters } from './meters.js';
import { Transport, useControl } from './transport.js';

const FLAGGED: readonly Look[] = ['EXTREME', 'CRITICAL', 'HIGH', 'ERROR', 'UNCERTAIN'];

export interface LiveProps {
  readonly session: string;
  readonly loud: boolean;
  /** The microphone feeds this session. */
  readonly listening: boolean;
  readonly onLoud: () => void;
  readonly onStop: () => void;
  readonly onLeave: () => void;
  readonly onReview: (session: string, exchange?: string) => void;
}

export function LiveScreen(props: LiveProps) {
  const view = useSession(props.session);
  if (view?.problem !== undefined) {
    return (
      <div className="empty">
        <Message>{sentenceOf(view.problem)}</Message>
        <button type="button" onClick={props.onLeave}>
          {T.live.close}
        </button>
      </div>
    );
  }
  if (view === undefined || (!view.loaded && view.seq === 0)) return <div className="empty">{T.common.loading}</div>;
  return <Board key={view.id} {...props} view={view} />;
}

function Board({ view, loud, listening, onLoud, onStop, onLeave, onReview }: LiveProps & { readonly view: SessionView }) {
  const engine = useEngine();
  const { replays } = useSnapshot();
  const { rows, state } = view;
  const [selected, setSelected] = useState<string>();
  const [following, setFollowing] = useState(true);
  const [held, setHeld] = useState(0);
  const [problem, setProblem] = useState<string>();
  const [heard, setHeard] = useState<number>();
  const alerts = useAlerts(view.id, rows, view.loaded, loud);
  const replay = replays.get(view.id);
  const control = useControl(view.id, replay, setProblem);
  const running = state.ended === undefined && state.meta !== undefined;
  const channels = useMemo(() => state.meta?.channels ?? [], [state.meta]);
  const many = channels.length > 1;

  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      setHeard(engine.levels(view.id)?.seconds);
    }, 500);
    return () => {
      clearInterval(timer);
    };
  }, [engine, view.id, running]);

  const tallies = useMemo(() => {
    const count = new Map<Look, number>();
    for (const row of rows) if (row.kind === 'exchange') count.set(row.look, (count.get(row.look) ?? 0) + 1);
    return count;
  }, [rows]);
  const flagged = FLAGGED.reduce((sum, look) => sum + (tallies.get(look) ?? 0), 0);

  const newest = useMemo(() => rows.findLast((row) => row.kind === 'exchange' && FLAGGED.includes(row.look)), [rows]);
  const shown = selected === undefined ? newest : rows.find((row) => row.id === selected);

  const follow = (on: boolean): void => {
    if (on) setSelected(undefined);
    else setHeld(rows.length);
    setFollowing(on);
  };
  const select = (id: string): void => {
    if (following) setHeld(rows.length);
    setFollowing(false);
    setSelected(id);
  };
  const move = (by: number): void => {
    const at = rows.findIndex((row) => row.id === selected);
    const next = at < 0 ? rows.length - (by < 0 ? 1 : 0) : at + by;
    const row = rows[Math.max(0, Math.min(rows.length - 1, next))];
    if (row !== undefined) select(row.id);
  };
  const review = (id: string | undefined): void => {
    onReview(view.id, id);
  };
  useKeys({
    a: () => {
      const first = alerts.open[0];
      if (first !== undefined) alerts.acknowledge(first.id);
    },
    f: () => {
      follow(!following);
    },
    s: onLoud,
    r: () => {
      review(shown?.kind === 'exchange' ? shown.id : undefined);
    },
    ' ': replay === undefined ? undefined : control.toggle,
    ArrowLeft: () => {
      control.seek(-5);
    },
    ArrowRight: () => {
      control.seek(5);
    },
    ArrowUp: () => {
      move(-1);
    },
    ArrowDown: () => {
      move(1);
    },
    Enter: () => {
      if (shown !== undefined) void playAll(audioOf(view.id, shown));
    },
    Escape: () => {
      setSelected(undefined);
    },
    Home: () => {
      const first = rows[0];
      if (first !== undefined) select(first.id);
    },
    End: () => {
      follow(true);
    },
  });

  const waiting = view.waiting.length;
  const name = state.name ?? state.meta?.source.split(/[\\/]/).at(-1) ?? '';
  return (
    <div className="live">
      <h1 className="visually-hidden">{T.live.title}</h1>
      <div className="live-bar">
        <span className="name" title={name}>
          {name}
        </span>
        {running && <Meters session={view.id} channels={channels} />}
        {running && replay !== undefined && <Transport session={view.id} replay={replay} channels={channels.length} control={control} />}
        {running && (
          <button type="button" onClick={onStop}>
            <Icon name="stop" /> {listening ? T.live.stopMicrophone : T.live.stop}
          </button>
        )}
        <div className="tallies" role="group" aria-label={T.live.tallies}>
          {URGENCY.filter((look) => look !== 'ERROR' || (tallies.get(look) ?? 0) > 0).map((look) => (
            <span key={look} className={`tally${(tallies.get(look) ?? 0) === 0 ? ' none' : ''}`} title={LOOK_NAMES[look]}>
              <Shape look={look} /> {tallies.get(look) ?? 0} <span className="visually-hidden">{LOOK_NAMES[look]}</span>
            </span>
          ))}
        </div>
        <button type="button" className="plain icon-only" aria-label={T.live.close} title={T.live.close} onClick={onLeave}>
          <Icon name="close" />
        </button>
      </div>
      <AlertBar
        alerts={alerts}
        onShow={select}
        rest={
          running ? (
            <span className="quiet">{T.live.noFlags}</span>
          ) : (
            <>
              <span>{state.ended === undefined ? '' : T.live.ended[state.ended.reason]}</span>
              <span className="quiet number">{T.results.many(rows.filter((row) => row.kind === 'exchange').length)}</span>
              <button
                type="button"
                onClick={() => {
                  review(undefined);
                }}
              >
                {flagged > 0 ? T.live.review : T.live.reviewAll}
              </button>
            </>
          )
        }
      />
      <AlertVoice alerts={alerts} />
      <div className="board">
        <div className="board-list">
          {rows.length === 0 ? (
            <div className="empty">
              <p>{T.live.listening}</p>
            </div>
          ) : (
            <BoardList rows={rows} many={many} selected={selected} following={following} heard={heard} running={running} onSelect={select} onFollow={follow} />
          )}
          <div className="board-foot">
            <button
              type="button"
              aria-pressed={following}
              title={T.live.followHint}
              onClick={() => {
                follow(!following);
              }}
            >
              <Icon name={following ? 'follow' : 'hold'} /> {following ? T.live.follow : T.live.hold} <kbd>F</kbd>
            </button>
            {!following && rows.length > held && <span>{T.live.newBelow(rows.length - held)}</span>}
            {problem !== undefined && <span role="alert">{problem}</span>}
            <span className="push">{running ? (waiting > 0 ? T.live.waitingWords(waiting) : T.live.quiet) : ''}</span>
            {heard !== undefined && running && <span className="number">{T.live.heard(shortClock(heard))}</span>}
          </div>
        </div>
        <Detail view={view} row={shown} fresh={selected === undefined} onReview={review} />
      </div>
    </div>
  );
}
