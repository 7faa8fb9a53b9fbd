/**
 * Going on with a session after a stop or a crash.
 */
import { isDeepStrictEqual } from 'node:util';
import type { HearbackEvent } from '../domain/events.js';
import type { Notice } from '../domain/stages.js';
import type { Word, Guard } from '../domain/understanding.js';
import type { AudioCheck } from './audio-store.js';
import type { Session } from './session.js';
import { capturedUntil, type SessionState } from './state.js';

/**
 * Whether a state already shows exactly what an event says of a transmission or an exchange, so that a run which goes over the
 * same transmissions again logs only what is new. Field order and latency do not count; starts, ends, captures, recognitions
 * and people's decisions may happen again and are never "already shown".
 */
export function showsAlready(state: SessionState): (event: HearbackEvent) => boolean {
  // as it would come back from the log: without undefined fields
  const same = (told: unknown, shown: unknown): boolean => shown !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(told)), shown);
  return (event) => {
    switch (event.type) {
      case 'exchange.opened':
      case 'exchange.updated':
        return same(event.exchange, state.exchanges.get(event.exchange.id)?.exchange);
      case 'finding.made':
        return same(event.finding, state.exchanges.get(event.exchange)?.findings.at(-1)?.finding);
      case 'alert.raised':
        return state.exchanges.get(event.exchange)?.alerts.some((alert) => alert.alert === event.alert && alert.text === event.text) === true;
      case 'transmission.understood':
        return same(event.understanding, state.transmissions.get(event.transmission)?.understanding);
      default:
        return false;
    }
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

/** What the log already holds, as a pipeline wants it that goes on with the session. */
export function resumeState(session: Session): {
  readonly capturedUntil: ReadonlyMap<string, number>;
  readonly transmissions: readonly {
    readonly id: string;
    readonly channel: string;
    readonly start: number;
    readonly end: number;
    readonly load: () => Float32Array;
    readonly recognised?: { readonly text: string; readonly words: readonly Word[]; readonly guards: readonly Guard[] };
  }[];
  readonly shows: (event: HearbackEvent) => boolean;
  readonly notices: readonly Notice[];
} {
  const { state } = session;
  return {
    capturedUntil: capturedUntil(state),
    transmissions: [...state.transmissions.values()].flatMap(({ id, capture, recognition }) =>
      capture === undefined
        ? []
        : [
            {
              id,
              channel: capture.channel,
              start: capture.start,
              end: capture.end,
              load: () => session.readAudio(id),
              ...(recognition === undefined ? {} : { recognised: { text: recognition.text, words: recognition.words, guards: recognition.guards } }),
            },
          ],
    ),
    shows: showsAlready(state),
    notices: audioNotices(session.audioCheck),
  };
}
