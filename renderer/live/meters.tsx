/** A level meter a frequency. Drawn once a frame from the newest levels, past React. */
import { useEffect, useRef } from 'react';
import { useEngine } from '../parts/hooks.js';
import { T } from '../texts.js';

const FLOOR_DB = -60;

export function Meters({ session, channels }: { readonly session: string; readonly channels: readonly string[] }) {
  const engine = useEngine();
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = (): void => {
      const levels = engine.levels(session)?.channels ?? [];
      for (const element of holder.current?.querySelectorAll<HTMLElement>('.channel') ?? []) {
        const level = levels.find((each) => each.channel === element.dataset['channel']);
        const share = level === undefined ? 0 : Math.max(0, Math.min(1, 1 - level.rms_db / FLOOR_DB));
        const speaking = level !== undefined && level.phase !== 'quiet' && level.phase !== 'starting';
        const meter = element.querySelector<HTMLElement>('.meter');
        const bar = element.querySelector<HTMLElement>('i');
        if (bar !== null) bar.style.transform = `scaleX(${share})`;
        meter?.classList.toggle('speaking', speaking);
        const word = element.querySelector<HTMLElement>('.state');
        const text = speaking ? T.live.speaking : T.live.silent;
        if (word !== null && word.textContent !== text) word.textContent = text;
      }
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [engine, session]);
  return (
    <div className="channels" ref={holder}>
      {channels.map((channel) => (
        <div key={channel} className="channel" data-channel={channel}>
          <span className="channel-head">
            <b>{channel}</b> <span className="state">{T.live.silent}</span>
          </span>
          <div className="meter" aria-hidden="true">
            <i />
          </div>
        </div>
      ))}
    </div>
  );
}
