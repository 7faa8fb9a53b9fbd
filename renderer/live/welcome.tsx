/** The first thing that is seen: what this does, and four ways to begin. */
import { useRef } from 'react';
import { LOOK_NAMES, type Look } from '../../engine/server/protocol-view.js';
import { api } from '../engine/api.js';
import { useAnswer, useKept } from '../parts/hooks.js';
import { Icon, type IconName } from '../parts/icons.js';
import { Message } from '../parts/message.js';
import { Shape } from '../parts/result.js';
import { T } from '../texts.js';

const SHOWN: readonly Look[] = ['EXTREME', 'CRITICAL', 'HIGH', 'UNCERTAIN', 'OPEN', 'CORRECT'];

export interface Doors {
  readonly demo: () => void;
  readonly microphone: () => void;
  readonly file: (file: File) => void;
  readonly others: () => void;
  readonly speedTest: () => void;
}

export function Welcome({ doors, busy, problem, onDismiss }: { readonly doors: Doors; readonly busy: string | undefined; readonly problem: string | undefined; readonly onDismiss: () => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const speed = useAnswer(api.speedTest, []);
  const [tested, setTested] = useKept('speed-tested', '');
  const door = (icon: IconName, title: string, text: string, action: () => void, first = false) => (
    <button type="button" className={`door${first ? ' first' : ''}`} onClick={action} disabled={busy !== undefined}>
      <Icon name={icon} />
      <b>{title}</b>
      <span>{text}</span>
    </button>
  );
  return (
    <div className="welcome">
      <div>
        <h1>{T.live.title}</h1>
        <p className="lead">{T.live.lead}</p>
        <div className="doors">
          {door('play', T.live.demo, T.live.demoText, doors.demo, true)}
          {door('file', T.live.file, T.live.fileText, () => picker.current?.click())}
          {door('microphone', T.live.microphone, T.live.microphoneText, doors.microphone)}
          {door('plug', T.live.others, T.live.othersText, doors.others)}
        </div>
        <input
          ref={picker}
          type="file"
          hidden
          accept="audio/*,.wav,.mp3,.flac,.ogg,.opus"
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file !== undefined) doors.file(file);
            target.value = '';
          }}
        />
        <div aria-live="polite">{busy !== undefined && <p className="lead">{busy}</p>}</div>
        {problem !== undefined && <Message onDismiss={onDismiss}>{problem}</Message>}
        {tested === '' && speed.answer === null && (
          <p className="row quiet first-run">
            {T.live.firstRun}
            <button
              type="button"
              onClick={() => {
                setTested('yes');
                doors.speedTest();
              }}
            >
              {T.setup.speedGo}
            </button>
          </p>
        )}
        <h2 className="quiet">{T.live.legend}</h2>
        <p className="legend why">
          {SHOWN.map((look) => (
            <span key={look} className="item">
              <Shape look={look} /> {LOOK_NAMES[look]}
            </span>
          ))}
          {(['wrong', 'missing', 'uncertain'] as const).map((mark) => (
            <span key={mark} className="item">
              <mark className={`m-${mark}`}>{T.results.outcome[mark]}</mark>
            </span>
          ))}
        </p>
      </div>
    </div>
  );
}
