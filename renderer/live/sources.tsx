/** Where else audio may come from: a sound input of the engine's machine, a watched folder, a stream, a simulator. */
import { useState } from 'react';
import type { SourceChoice } from '../../engine/server/protocol.js';
import { api, sentenceOf } from '../engine/api.js';
import { CloseRow, Dialog } from '../parts/dialog.js';
import { useAnswer, useEngine } from '../parts/hooks.js';
import { Message } from '../parts/message.js';
import { T } from '../texts.js';

export function SourcesDialog({ onOpen, onClose }: { readonly onOpen: (source: SourceChoice) => void; readonly onClose: () => void }) {
  const engine = useEngine();
  const { answer, problem } = useAnswer(api.sources, []);
  const [device, setDevice] = useState('');
  const [folder, setFolder] = useState('');
  const [url, setUrl] = useState('');
  const [said, setSaid] = useState<{ readonly kind: 'info' | 'error'; readonly text: string }>();
  const devices = answer?.devices ?? [];
  return (
    <Dialog title={T.live.others} onClose={onClose}>
      <div className="stack why sources">
        {problem !== undefined && <Message>{problem}</Message>}
        <form
          className="source"
          onSubmit={(event) => {
            event.preventDefault();
            const chosen = device === '' ? devices[0]?.device : device;
            if (chosen !== undefined) onOpen({ kind: 'device', device: chosen });
          }}
        >
          <label className="field">
            {T.live.device}
            <select value={device} disabled={devices.length === 0} onChange={({ target }) => { setDevice(target.value); }}>
              {devices.length === 0 && <option value="">{T.live.deviceNone}</option>}
              {devices.map((each) => (
                <option key={each.device} value={each.device}>
                  {each.title} ({each.through})
                </option>
              ))}
            </select>
          </label>
          <button type="submit" disabled={devices.length === 0}>
            {T.live.listenTo}
          </button>
          {devices.length === 0 && answer?.hint !== undefined && <p className="small quiet">{answer.hint}</p>}
        </form>
        <form
          className="source"
          onSubmit={(event) => {
            event.preventDefault();
            if (url.trim() !== '') onOpen({ kind: 'stream', url: url.trim() });
          }}
        >
          <label className="field">
            {T.live.stream}
            <input type="url" placeholder="http://…" value={url} onChange={({ target }) => { setUrl(target.value); }} />
          </label>
          <button type="submit" disabled={url.trim() === ''}>
            {T.live.listenTo}
          </button>
          <p className="small quiet">{T.live.streamText}</p>
        </form>
        <form
          className="source"
          onSubmit={(event) => {
            event.preventDefault();
            engine.ask({ type: 'session.open', source: { kind: 'folder', path: folder.trim() } }).then(
              () => {
                setSaid({ kind: 'info', text: T.live.folderStarted });
              },
              (thrown: unknown) => {
                setSaid({ kind: 'error', text: sentenceOf(thrown) });
              },
            );
          }}
        >
          <label className="field">
            {T.live.folder}
            <input type="text" value={folder} onChange={({ target }) => { setFolder(target.value); }} />
          </label>
          <button type="submit" disabled={folder.trim() === ''}>
            {T.live.watch}
          </button>
          <p className="small quiet">{T.live.folderText}</p>
        </form>
        {answer?.stdin === true && (
          <button type="button" onClick={() => { onOpen({ kind: 'stdin' }); }}>
            {T.live.stdin}
          </button>
        )}
        {said !== undefined && <Message kind={said.kind}>{said.text}</Message>}
        <section>
          <h3>{T.live.simulator}</h3>
          <p className="small quiet">{T.live.simulatorText}</p>
        </section>
      </div>
      <CloseRow onClose={onClose} />
    </Dialog>
  );
}
