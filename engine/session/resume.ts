/**
 * Going on with a session after a stop or a crash.
 */
import { HearbackEvent, type LoggedEvent } from '../domain/events.js';
import type { Notice } from '../domain/stages.js';
import type { AudioCheck } from './audio-store.js';

/**
 * What an event says, whatever the order of its fields and however long it took; undefined for events that are never repeated
 * (starts, ends, captures, recognitions, people's decisions).
 */
function saying(event: HearbackEvent): string | undefined {
  const parsed = HearbackEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const said = parsed.data;
  switch (said.type) {
    case 'exchange.opened':
    case 'exchange.updated':
      return JSON.stringify(['exchange', said.exchange]);
    case 'finding.made':
      return JSON.stringify(['finding', said.exchange, said.finding]);
    case 'alert.raised':
    case 'transmission.understood':
      return JSON.stringify(said);
    default:
      return undefined;
  }
}

/**
 * Whether the log already says exactly this of a transmission or an exchange, so that a run which goes over the same
 * transmissions again says only what is new.
 *
 * @param events the log at the time of going on.
 */
export function saidBefore(events: Iterable<LoggedEvent>): (event: HearbackEvent) => boolean {
  const said = new Set<string>();
  for (const { event } of events) {
    const words = saying(event);
    if (words !== undefined) said.add(words);
  }
  return (event) => {
    const words = saying(event);
    return words !== undefined && said.has(words);
  };
}

/** What opening a session found in its audio folder, as sentences to tell and to log. None when all is well. */
export function audioNotices(check: AudioCheck): readonly Notice[] {
  const notice = (paths: readonly string[], severity: Notice['severity'], text: (count: string) => string): readonly Notice[] =>
    paths.length === 0 ? [] : [{ kind: 'audio-folder', severity, text: `${text(`${paths.length} audio ${paths.length === 1 ? 'file' : 'files'}`)}: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ' …' : ''}` }];
  return [
    ...notice(check.missing, 'error', (count) => `${count} named in the log ${check.missing.length === 1 ? 'is' : 'are'} missing`),
    ...notice(check.mended, 'warning', (count) => `${count} cut off when the program stopped ${check.mended.length === 1 ? 'was' : 'were'} completed as far as the sound goes`),
    ...notice(check.removed, 'info', (count) => `${count} without any sound, begun when the program stopped, ${check.removed.length === 1 ? 'was' : 'were'} removed`),
    ...notice(check.unlogged, 'info', (count) => `${count} ${check.unlogged.length === 1 ? 'is' : 'are'} in the folder but not in the log`),
  ];
}
