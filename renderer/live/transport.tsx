/** Play, pause, seek and speed of a replay. */
import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../engine/api.js';
import type { Replay } from '../engine/connection.js';
import { Icon } from '../parts/icons.js';
import { useEngine } from '../parts/hooks.js';
import { shortClock } from '../parts/result.js';
import { T } from '../texts.js';
import { FASTEST_HEARD, positionNow, StepPlayer } from './step-player.js';

const SPEEDS = [0.5, 1, 1.5, 2, 5, 10, 20, 'max'] as const;

export interface Control {
  readonly toggle: () => void;
  readonly seek: (by: number) => void;
}

/** What drives a replay, for buttons and keys alike. */
export function useControl(session: string, replay: Replay | undefined, onProblem: (sentence: string) => void): Control & { readonly send: (change: { playing?: boolean; position?: number; speed?: Replay['speed'] }) => void } {
  const engine = useEngine();
  const send = (change: { playing?: boolean; position?: number; speed?: Replay['speed'] }): void => {
    engine.ask({ type: 'replay.control', session, ...change }).catch((thrown: unknown) => {
      onProblem(sentenceOf(thrown));
    });
  };
  return {
    send,
    toggle() {
      if (replay !== undefined) send({ playing: !replay.playing });
    },
    seek(by) {
      if (replay !== undefined) send({ position: Math.max(0, positionNow(replay) + by) });
    },
  };
}

export function Transport({ session, replay, channels, control }: { readonly session: string; readonly replay: Replay; readonly channels: number; readonly control: ReturnType<typeof useControl> }) {
  const [hearing, setHearing] = useState(false);
  const [dragged, setDragged] = useState<number>();
  const [, redraw] = useState(0);
  const player = useRef<StepPlayer | undefined>(undefined);
  useEffect(() => {
    if (!replay.playing) return;
    const timer = setInterval(() => {
      redraw((round) => round + 1);
    }, 250);
    return () => {
      clearInterval(timer);
    };
  }, [replay.playing]);
  useEffect(() => {
    player.current?.follow(replay);
  }, [replay]);
  useEffect(() => {
    if (!hearing) return;
    const mine = new StepPlayer(session, channels);
    player.current = mine;
    mine.follow(replay);
    mine.start();
    return () => {
      mine.stop();
      player.current = undefined;
    };
    // a replay's changes reach the player by the effect above
  }, [hearing, session, channels]);

  const position = dragged ?? positionNow(replay);
  const tooFast = replay.speed === 'max' || replay.speed > FASTEST_HEARD;
  const letGo = (): void => {
    if (dragged !== undefined) control.send({ position: dragged });
    setDragged(undefined);
  };
  return (
    <div className="transport">
      <button type="button" className="icon-only" aria-label={replay.playing ? T.live.pause : T.live.play} title={`${replay.playing ? T.live.pause : T.live.play} (Space)`} onClick={control.toggle}>
        <Icon name={replay.playing ? 'pause' : 'play'} />
      </button>
      <input
        type="range"
        aria-label={T.live.position}
        aria-valuetext={shortClock(position)}
        min={0}
        max={replay.duration ?? Math.max(replay.heard, position, 1)}
        step={0.5}
        value={position}
        onChange={({ target }) => {
          setDragged(Number(target.value));
        }}
        onPointerUp={letGo}
        onKeyUp={letGo}
        onBlur={letGo}
      />
      <span className="time number">
        {shortClock(position)}
        {replay.duration === undefined ? '' : ` / ${shortClock(replay.duration)}`}
      </span>
      <select
        aria-label={T.live.speed}
        value={String(replay.speed)}
        onChange={({ target }) => {
          control.send({ speed: target.value === 'max' ? 'max' : Number(target.value) });
        }}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={String(speed)}>
            {T.live.speeds[speed] ?? `${speed}×`}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="icon-only"
        aria-pressed={hearing}
        aria-label={hearing ? T.live.listenOff : T.live.listen}
        title={tooFast && hearing ? T.live.muteFast : hearing ? T.live.listenOff : T.live.listen}
        onClick={() => {
          setHearing(!hearing);
        }}
      >
        <Icon name={hearing && !tooFast ? 'sound' : 'muted'} />
      </button>
    </div>
  );
}
