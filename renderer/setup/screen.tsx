/** What new sessions use: recogniser, judge, language model and where text goes, storage; speed test and doctor. */
import { useEffect, useState } from 'react';
import type { Settings } from '../../engine/server/protocol.js';
import { textGoes } from '../../engine/server/protocol-text.js';
import { PROFILES, type Profile } from '../../engine/server/protocol-view.js';
import { api, sentenceOf } from '../engine/api.js';
import { useAnswer, useSnapshot } from '../parts/hooks.js';
import { Message } from '../parts/message.js';
import { Shape } from '../parts/result.js';
import { T } from '../texts.js';

export function SetupScreen() {
  const { engine, tasks } = useSnapshot();
  const settings = useAnswer(api.settings, []);
  const models = useAnswer(api.models, [[...tasks.values()].filter((task) => task.kind === 'model-pull' && task.state === 'done').length]);
  const judges = useAnswer(api.judges, []);
  const [draft, setDraft] = useState<Settings>();
  const [state, setState] = useState<'saved' | 'saving' | undefined>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setDraft(settings.answer);
  }, [settings.answer]);
  const failed = settings.problem ?? models.problem ?? judges.problem;
  if (draft === undefined) return <div className="empty">{failed === undefined ? T.common.loading : <Message>{failed}</Message>}</div>;

  const set = (change: Partial<Settings>): void => {
    setDraft({ ...draft, ...change });
    setState(undefined);
  };
  const setLlm = (name: 'provider' | 'url' | 'model' | 'prompt' | 'time_limit', value: string | number | undefined): void => {
    const llm: Record<string, unknown> = { ...draft.llm };
    if (value === undefined || value === '') {
      // what is left out takes its default
      Reflect.deleteProperty(llm, name);
    } else llm[name] = value;
    set({ llm });
  };
  const save = (next: Settings): void => {
    setState('saving');
    setProblem(undefined);
    api.saveSettings(next).then(
      () => {
        setState('saved');
        settings.again();
      },
      (thrown: unknown) => {
        setState(undefined);
        setProblem(sentenceOf(thrown));
      },
    );
  };
  const changed = JSON.stringify(draft) !== JSON.stringify(settings.answer);
  const judge = judges.answer?.judges.find((each) => each.name === draft.judge);
  const recognisers = models.answer?.models.filter((each) => each.purpose === 'recogniser' && each.usable) ?? [];
  const provider = draft.llm.provider ?? '';
  const texts = textGoes({ judge: draft.judge, provider: draft.llm.provider, url: draft.llm.url });
  return (
    <div className="page scrolls" tabIndex={0} aria-label={T.setup.title} role="region">
      <div className="page-head">
        <div>
          <h1>{T.setup.title}</h1>
          <p className="quiet">{T.setup.lead}</p>
        </div>
      </div>
      {engine?.notices.map((notice) => (
        <Message key={notice.text} kind={notice.severity}>
          {notice.text}
        </Message>
      ))}
      <div className="setup">
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            save(draft);
          }}
        >
          <section className="card stack">
            <h2>{T.setup.recogniser}</h2>
            <label className="field">
              {T.setup.model}
              <select value={draft.model} onChange={({ target }) => { set({ model: target.value }); }}>
                {!recognisers.some((each) => each.id === draft.model) && <option value={draft.model}>{draft.model}</option>}
                {recognisers.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.title}
                  </option>
                ))}
              </select>
            </label>
            <p className="small quiet">{recognisers.find((each) => each.id === draft.model)?.use ?? ''}</p>
            <label className="field">
              {T.setup.device}
              <select value={draft.device} onChange={({ target }) => { set({ device: target.value }); }}>
                {[...new Set([draft.device, ...(models.answer?.devices ?? [])])].map((device) => (
                  <option key={device} value={device}>
                    {T.setup.devices[device] ?? device}
                  </option>
                ))}
              </select>
            </label>
          </section>
          <section className="card stack">
            <h2>{T.setup.judging}</h2>
            <label className="field">
              {T.setup.judge}
              <select value={draft.judge} onChange={({ target }) => { set({ judge: target.value }); }}>
                {(judges.answer?.judges ?? [{ name: draft.judge, title: draft.judge }]).map((each) => (
                  <option key={each.name} value={each.name}>
                    {each.title}
                  </option>
                ))}
              </select>
            </label>
            <label className="field">
              {T.setup.profile}
              <select value={draft.profile} onChange={({ target }) => { set({ profile: target.value as Profile }); }}>
                {PROFILES.map((profile) => (
                  <option key={profile} value={profile}>
                    {T.setup.profiles[profile]}
                  </option>
                ))}
              </select>
            </label>
            {judge?.needs_model === true && (
              <>
                <h3>{T.setup.llm}</h3>
                <label className="field">
                  {T.setup.provider}
                  <select
                    value={provider}
                    onChange={({ target }) => {
                      // the network that is built in has neither server nor prompt
                      const { url: _url, ...rest } = draft.llm;
                      set({ llm: target.value === '' ? {} : { ...(target.value === 'openai' ? draft.llm : rest), provider: target.value } });
                    }}
                  >
                    <option value="">{T.setup.builtIn}</option>
                    {judges.answer?.providers.map((each) => (
                      <option key={each} value={each}>
                        {T.setup.providers[each] ?? each}
                      </option>
                    ))}
                  </select>
                </label>
                {provider === 'openai' && (
                  <>
                    <label className="field">
                      {T.setup.url}
                      <input type="url" required placeholder="http://127.0.0.1:8080/v1" value={draft.llm.url ?? ''} onChange={({ target }) => { setLlm('url', target.value); }} />
                    </label>
                    <p className="small quiet">{judges.answer?.key_set === true ? T.setup.keySet : T.setup.keyMissing}</p>
                  </>
                )}
                {provider !== '' && (
                  <>
                    <label className="field">
                      {T.setup.llmModel}
                      <input type="text" required list="language-models" placeholder={provider === 'openai' ? '' : T.setup.modelOfThisMachine} value={draft.llm.model ?? ''} onChange={({ target }) => { setLlm('model', target.value); }} />
                      <datalist id="language-models">{provider === 'gguf' && models.answer?.models.filter((each) => each.purpose === 'language-model' && each.present).map((each) => <option key={each.id} value={each.id} />)}</datalist>
                    </label>
                    <div className="pair">
                      <label className="field">
                        {T.setup.prompt}
                        <select value={draft.llm.prompt ?? ''} onChange={({ target }) => { setLlm('prompt', target.value); }}>
                          <option value="">{T.setup.usual}</option>
                          {judges.answer?.prompts.map((prompt) => <option key={prompt}>{prompt}</option>)}
                        </select>
                      </label>
                      <label className="field">
                        {T.setup.timeLimit}
                        <input type="number" min={1} max={3600} value={draft.llm.time_limit ?? ''} onChange={({ target }) => { setLlm('time_limit', target.value === '' ? undefined : Number(target.value)); }} />
                      </label>
                    </div>
                  </>
                )}
              </>
            )}
            <div className="message info text-goes">
              <span>
                <b>{texts === engine?.text_goes ? T.setup.textGoes : T.setup.textWillGo}:</b> {texts}
              </span>
            </div>
          </section>
          <section className="card stack">
            <h2>{T.setup.storage}</h2>
            <div className="row">
              <label className="check">
                <input type="checkbox" checked={draft.retention_days !== null} onChange={({ target }) => { set({ retention_days: target.checked ? 30 : null }); }} />
                {T.setup.retention}
              </label>
              <input type="number" aria-label={`${T.setup.retention} (${T.setup.retentionDays})`} className="days" min={1} max={36_500} disabled={draft.retention_days === null} value={draft.retention_days ?? ''} onChange={({ target }) => { if (Number(target.value) >= 1) set({ retention_days: Math.round(Number(target.value)) }); }} />
              <span className="quiet">{T.setup.retentionDays}</span>
            </div>
            <label className="check">
              <input type="checkbox" checked={draft.keep_recording} onChange={({ target }) => { set({ keep_recording: target.checked }); }} />
              {T.setup.keepRecording}
            </label>
          </section>
          <div className="row save">
            <button type="submit" className="primary" disabled={!changed || state === 'saving'}>
              {state === 'saving' ? T.setup.saving : T.setup.save}
            </button>
            <span className="quiet" role="status">
              {state === 'saved' ? T.setup.saved : changed ? T.setup.changed : ''}
            </span>
          </div>
          {problem !== undefined && <Message>{problem}</Message>}
        </form>
        <div className="stack">
          <SpeedCard
            onUse={(model) => {
              const next = { ...draft, model };
              setDraft(next);
              save(next);
            }}
            now={settings.answer?.model ?? ''}
          />
          <ModelsCard models={models} />
          <DoctorCard />
        </div>
      </div>
    </div>
  );
}

function SpeedCard({ onUse, now }: { readonly onUse: (model: string) => void; readonly now: string }) {
  const { tasks } = useSnapshot();
  const task = [...tasks.values()].filter((each) => each.kind === 'speed-test').at(-1);
  const running = task?.state === 'running' || task?.state === 'waiting';
  const { answer, problem } = useAnswer(api.speedTest, [task?.state]);
  const [failure, setFailure] = useState<string>();
  return (
    <section className="card stack">
      <h2>{T.setup.speed}</h2>
      <p className="quiet">{T.setup.speedText}</p>
      {answer != null && (
        <>
          <table className="differences">
            <tbody>
              {answer.rows.map((row) => (
                <tr key={`${row.model} ${row.device}`}>
                  <td>
                    <b>{row.model}</b> <span className="quiet">{T.top.on(row.device)}</span>
                  </td>
                  <td>{row.error ?? T.setup.times(row.times_real_time)}</td>
                  <td className="quiet">{row.error === undefined ? T.setup.load(row.load_ms) : ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>{answer.why}</p>
        </>
      )}
      <div className="row">
        <button
          type="button"
          disabled={running}
          onClick={() => {
            setFailure(undefined);
            api.startSpeedTest().catch((thrown: unknown) => {
              setFailure(sentenceOf(thrown));
            });
          }}
        >
          {running ? T.setup.speedRunning : answer == null ? T.setup.speedGo : T.setup.speedAgain}
        </button>
        {answer?.recommended != null && answer.recommended !== now && (
          <button type="button" className="primary" onClick={() => { if (answer.recommended !== null) onUse(answer.recommended); }}>
            {T.setup.useIt(answer.recommended)}
          </button>
        )}
        {running && <progress aria-label={T.setup.speedRunning} {...(task.total === undefined || task.done === undefined ? {} : { max: task.total, value: task.done })} />}
      </div>
      {(failure ?? problem ?? (task?.state === 'failed' ? task.text : undefined)) !== undefined && <Message>{failure ?? problem ?? task?.text}</Message>}
    </section>
  );
}

function ModelsCard({ models }: { readonly models: { readonly answer: Awaited<ReturnType<typeof api.models>> | undefined } }) {
  const { tasks } = useSnapshot();
  const [failure, setFailure] = useState<string>();
  const pulls = [...tasks.values()].filter((task) => task.kind === 'model-pull');
  const others = models.answer?.models.filter((each) => !each.present && each.pullable) ?? [];
  const elsewhere = models.answer?.models.filter((each) => !each.usable && each.not_from_here !== undefined) ?? [];
  if (others.length + pulls.length + elsewhere.length === 0) return null;
  return (
    <section className="card stack">
      <h2>{T.setup.moreModels}</h2>
      <ul className="stack">
        {others.map((each) => (
          <li key={each.id} className="model">
            <div>
              <b>{each.title}</b> <span className="small quiet">{each.size === null ? '' : `${Math.round(each.size / 1e6)} MB · `}{each.licence}</span>
              <div className="small quiet">{each.use}</div>
            </div>
            <button
              type="button"
              aria-label={`${T.setup.get}: ${each.title}`}
              onClick={() => {
                api.pull(each.id).catch((thrown: unknown) => {
                  setFailure(sentenceOf(thrown));
                });
              }}
            >
              {T.setup.get}
            </button>
          </li>
        ))}
      </ul>
      {pulls.map((task) => (
        <div key={task.task} className="stack">
          <span className="small">
            {task.title}: {task.text ?? T.sessions.taskStates[task.state]}
          </span>
          {task.state === 'running' && <progress aria-label={task.title} {...(task.total === undefined || task.done === undefined ? {} : { max: task.total, value: task.done })} />}
        </div>
      ))}
      {failure !== undefined && <Message>{failure}</Message>}
      {others.length > 0 && <p className="small quiet">{T.setup.pulledNote}</p>}
      {elsewhere.length > 0 && (
        <details>
          <summary>{T.setup.otherModels}</summary>
          <ul className="stack why">
            {elsewhere.map((each) => (
              <li key={each.id}>
                <b>{each.title}</b> <span className="small quiet">{each.not_from_here}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function DoctorCard() {
  const { answer, problem } = useAnswer(api.doctor, []);
  return (
    <section className="card stack">
      <h2>{T.setup.doctor}</h2>
      <p className="quiet">{T.setup.doctorText}</p>
      {problem !== undefined && <Message>{problem}</Message>}
      {answer === undefined && problem === undefined && <p className="quiet">{T.common.loading}</p>}
      <ul className="checks">
        {answer?.checks.map((check) => (
          <li key={check.name}>
            <Shape look={check.status === 'ok' ? 'CORRECT' : check.status === 'note' ? 'OPEN' : 'CRITICAL'} />
            <div>
              <b>{check.name}</b> <span className="visually-hidden">{T.setup.checks[check.status]}</span> {check.text}
              {check.hint !== undefined && <div className="small quiet">{check.hint}</div>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
