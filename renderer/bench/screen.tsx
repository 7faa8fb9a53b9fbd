/** Benchmark runs: scores with their intervals, two runs beside each other, the report. */
import { useState } from 'react';
import { api } from '../engine/api.js';
import { useAnswer, useSnapshot } from '../parts/hooks.js';
import { Message } from '../parts/message.js';
import { T } from '../texts.js';

interface Score {
  readonly value: number | null;
  readonly low?: number | null | undefined;
  readonly high?: number | null | undefined;
}
const figure = (value: number | null | undefined): string => (value == null ? '–' : value.toFixed(3));
const interval = (score: Score | null): string => (score?.low == null || score.high == null ? '' : `${figure(score.low)} – ${figure(score.high)}`);
const when = (iso: string): string => new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function BenchmarkScreen() {
  const { link } = useSnapshot();
  const { answer, problem, again } = useAnswer(api.benchmarks, []);
  const [chosen, setChosen] = useState<string>();
  const [other, setOther] = useState('');
  const runs = answer?.runs ?? [];
  const run = runs.find((each) => each.run === chosen) ?? runs[0];
  return (
    <div className="page scrolls" tabIndex={0} aria-label={T.bench.title} role="region">
      <div className="page-head">
        <div>
          <h1>{T.bench.title}</h1>
          <p className="quiet">{T.bench.lead}</p>
        </div>
        <button type="button" className="push" onClick={again}>
          {T.bench.reload}
        </button>
      </div>
      {problem !== undefined && link === 'open' && <Message>{problem}</Message>}
      {answer !== undefined && runs.length === 0 && (
        <div className="empty page-empty">
          <h2>{T.bench.empty}</h2>
          <p>{T.bench.emptyText}</p>
          {T.bench.emptyCommands(answer.folder).map((command) => (
            <p key={command}>
              <code>{command}</code>
            </p>
          ))}
          <p className="small">{T.bench.folder(answer.folder)}</p>
        </div>
      )}
      {run !== undefined && (
        <div className="bench">
          <nav className="card runs-list" aria-label={T.bench.runs}>
            {runs.map((each) => (
              <button
                key={each.run}
                type="button"
                className="plain"
                aria-pressed={each.run === run.run}
                onClick={() => {
                  setChosen(each.run);
                  setOther('');
                }}
              >
                <b>{each.run}</b>
                <span className="small quiet">
                  {when(each.started)}
                  {each.ended === null ? ` · ${T.bench.running}` : ''}
                </span>
              </button>
            ))}
          </nav>
          <Run
            key={run.run}
            run={run.run}
            other={other}
            others={runs.filter((each) => each.run !== run.run).map((each) => each.run)}
            config={run.config}
            onOther={setOther}
          />
        </div>
      )}
    </div>
  );
}

function Run({ run, other, others, config, onOther }: { readonly run: string; readonly other: string; readonly others: readonly string[]; readonly config: Readonly<Record<string, unknown>>; readonly onOther: (run: string) => void }) {
  const { answer, problem } = useAnswer(() => api.benchmark(run), [run]);
  return (
    <div className="stack">
      <section className="card stack">
        <div className="row">
          <h2>{run}</h2>
          <label className="row push small quiet">
            {T.bench.compareWith}
            <select value={other} disabled={others.length === 0} onChange={({ target }) => { onOther(target.value); }}>
              <option value="">{T.bench.nothing}</option>
              {others.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        </div>
        <p className="small quiet">
          {Object.entries(config)
            .filter(([name, value]) => name !== 'code' && (typeof value === 'string' || typeof value === 'number'))
            .map(([name, value]) => `${name}: ${String(value)}`)
            .join(' · ')}
        </p>
        {problem !== undefined && <Message>{problem}</Message>}
        {other === '' ? (
          answer?.tasks.map((task) => (
            <table key={task.task} className="differences">
              <caption>
                {task.task} · {T.bench.items(task.items)}
              </caption>
              <thead>
                <tr>
                  <th scope="col">{T.bench.score}</th>
                  <th scope="col">{T.bench.value}</th>
                  <th scope="col">{T.bench.interval}</th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(task.scores).map(([name, score]) => (
                  <tr key={name}>
                    <td>
                      <ScoreName name={name} />
                    </td>
                    <td>
                      <b>{figure(score.value)}</b>
                    </td>
                    <td className="quiet">{interval(score)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ))
        ) : (
          <Comparison a={run} b={other} />
        )}
      </section>
      {answer !== undefined && (
        <section className="card stack">
          <h2>{T.bench.report}</h2>
          {answer.report === '' ? (
            <p>
              {T.bench.noReport} <code>{T.bench.reportCommand(run)}</code>
            </p>
          ) : (
            <iframe className="report" title={T.bench.report} sandbox="" tabIndex={0} srcDoc={answer.page === '' ? page(answer.report) : answer.page} />
          )}
        </section>
      )}
    </div>
  );
}

function Comparison({ a, b }: { readonly a: string; readonly b: string }) {
  const { answer, problem } = useAnswer(() => api.compare(a, b), [a, b]);
  if (problem !== undefined) return <Message>{problem}</Message>;
  return (
    <>
      <table className="differences">
        <thead>
          <tr>
            <th scope="col">{T.bench.task}</th>
            <th scope="col">{T.bench.score}</th>
            <th scope="col">{a}</th>
            <th scope="col">{b}</th>
            <th scope="col">{T.bench.difference}</th>
          </tr>
        </thead>
        <tbody>
          {answer?.rows.map((row) => (
            <tr key={`${row.task} ${row.score}`}>
              <td className="quiet">{row.task}</td>
              <td>
                <ScoreName name={row.score} />
              </td>
              <td>
                <b>{figure(row.a?.value)}</b> <span className="small quiet">{interval(row.a)}</span>
              </td>
              <td>
                <b>{figure(row.b?.value)}</b> <span className="small quiet">{interval(row.b)}</span>
              </td>
              <td>{row.difference === null ? '' : `${row.difference > 0 ? '+' : ''}${row.difference.toFixed(3)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small quiet">
        {T.bench.byChance} <code>{T.bench.compareCommand(a, b)}</code>
      </p>
    </>
  );
}

function ScoreName({ name }: { readonly name: string }) {
  const long = T.bench.scoreNames[name];
  return long === undefined ? (
    name
  ) : (
    <>
      {long} <span className="small quiet">{name}</span>
    </>
  );
}

/** The report as text: a frame without rights shows it, so that nothing in it can run. */
function page(markdown: string): string {
  const safe = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="${document.documentElement.dataset['theme'] ?? 'dark'}"><pre>${safe}</pre>`;
}
