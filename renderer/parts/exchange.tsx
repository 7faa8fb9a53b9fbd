/** Pieces of an exchange in full: differences, why, doubts. Shared by the board and the review desk. */
import { LOOK_NAMES, lookOf, type Comparison, type ReportExchange } from '../../engine/server/protocol-view.js';
import { T } from '../texts.js';
import { Badge, kindText, slotName } from './result.js';

/** The table "said, read back, difference". */
export function Differences({ comparisons }: { readonly comparisons: readonly Comparison[] }) {
  if (comparisons.length === 0) return <p className="why quiet">{T.results.noComparison}</p>;
  return (
    <table className="differences">
      <caption className="visually-hidden">{T.results.differences}</caption>
      <thead>
        <tr>
          <th scope="col">{T.results.slot}</th>
          <th scope="col">{T.results.said}</th>
          <th scope="col">{T.results.back}</th>
          <th scope="col">{T.results.difference}</th>
        </tr>
      </thead>
      <tbody>
        {comparisons.map((each, at) => (
          <tr key={at}>
            <td className="quiet">{slotName(each.slot)}</td>
            <td>
              <b>{each.instruction ?? '–'}</b>
            </td>
            <td>
              <b>{each.readback ?? (each.outcome === 'missing' ? T.results.nothing : '–')}</b>
            </td>
            <td className={`outcome-${each.outcome}`}>{T.results.outcome[each.outcome] ?? each.outcome}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What holds, by whom, and what the machine said where that is something else. */
export function Verdict({ exchange }: { readonly exchange: ReportExchange }) {
  const { holds, machine, review } = exchange.judged;
  const look = lookOf(holds);
  const other = review?.decision === 'overrule';
  return (
    <>
      <div className="row">
        <Badge look={look === 'OTHER' && exchange.readback.length === 0 ? 'OPEN' : look} answer={holds} />
        <span className="quiet">{kindText(holds)}</span>
      </div>
      {review !== undefined && (
        <p className="small quiet decided">
          {T.results.decidedBy(review.reviewer, review.decision === 'agree')}
          {other && machine.verdict !== null && (
            <>
              {' · '}
              {T.results.machineSaid}: {LOOK_NAMES[lookOf(machine)]}
              {kindText(machine) === '' ? '' : `, ${kindText(machine)}`}
            </>
          )}
        </p>
      )}
    </>
  );
}

/** The judge's sentence, its doubts, advice, alerts and notes on the pairing. */
export function Reasons({ exchange }: { readonly exchange: ReportExchange }) {
  const record = exchange.judged.finding;
  const finding = record?.finding;
  return (
    <>
      {finding !== undefined && <p className="why">{finding.explanation}</p>}
      {finding !== undefined && finding.doubts.length > 0 && (
        <ul className="doubts">
          {finding.doubts.map((doubt) => (
            <li key={doubt}>{doubt}</li>
          ))}
        </ul>
      )}
      {finding !== undefined && finding.advisories.length > 0 && (
        <ul className="advice">
          {finding.advisories.map((advisory) => (
            <li key={advisory.text}>{advisory.text}</li>
          ))}
        </ul>
      )}
      {exchange.alerts.map((alert) => (
        <p key={alert.seq} className="why">
          <b>{alert.text}</b>
        </p>
      ))}
      {exchange.note !== undefined && <p className="why quiet">{exchange.note}</p>}
      {exchange.editedSince !== false && <p className="why quiet">{T.results.editedSince[exchange.editedSince]}</p>}
      {finding !== undefined && (
        <p className="small quiet why number">
          {T.results.sure(Math.round(finding.confidence * 100), finding.judge)}
          {record?.latency_ms === undefined ? '' : ` · ${T.results.latency(record.latency_ms)}`}
        </p>
      )}
    </>
  );
}
