/** Review without a session: which one? */
import { api } from '../engine/api.js';
import { useAnswer, useSnapshot } from '../parts/hooks.js';
import { Message } from '../parts/message.js';
import { T } from '../texts.js';

export function SessionChooser({ onChoose }: { readonly onChoose: (session: string) => void }) {
  const { sessionsVersion, link } = useSnapshot();
  const { answer, problem } = useAnswer(() => api.sessions(), [sessionsVersion]);
  const sessions = answer?.sessions.flatMap((entry) => (entry.kind === 'session' && entry.counts.exchanges > 0 ? [entry] : [])) ?? [];
  return (
    <div className="welcome">
      <div>
        <h1>{T.review.choose}</h1>
        <p className="lead">{T.review.chooseText}</p>
        {problem !== undefined && link === 'open' && <Message>{problem}</Message>}
        <div className="choices">
          {sessions.slice(0, 12).map((entry) => (
            <button key={entry.session} type="button" className="door" onClick={() => { onChoose(entry.session); }}>
              <b>{entry.name}</b>
              <span>
                {new Date(entry.started).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })} · {T.results.many(entry.counts.exchanges)}
                {entry.counts.reviewed > 0 ? ` · ${T.sessions.reviewed(entry.counts.reviewed)}` : ''}
              </span>
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}
