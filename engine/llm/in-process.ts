/** Questions to a model in this process: one at a time, each with its time limit. */
import type { LanguageAnswer, LanguageRequest } from '../domain/language-model.js';
import { toHearbackError } from '../domain/result.js';
import { deadline, type Deadline } from './deadline.js';
import { Gate, orAborted } from './gate.js';

/**
 * `complete` of a LanguageModel. `ask` answers one request; `startedAt` (performance.now(), ms) is when it was put, waiting included.
 * @throws HearbackError of the deadline where that passed, else what `ask` threw, `model-broken` unless it says otherwise.
 */
export function oneAtATime(ask: (request: LanguageRequest, until: Deadline, startedAt: number) => Promise<LanguageAnswer>): (request: LanguageRequest) => Promise<LanguageAnswer> {
  const gate = new Gate(1);
  return async (request) => {
    const startedAt = performance.now();
    const until = deadline(request.signal, request.timeLimit);
    try {
      // the libraries stop between tokens or batches only: whoever asked does not wait for that, the next question does
      const asking = gate.run(() => ask(request, until, startedAt), until.signal);
      asking.catch(() => undefined);
      return await orAborted(asking, until.signal);
    } catch (thrown) {
      throw until.failure() ?? toHearbackError(thrown, 'model-broken');
    } finally {
      until.clear();
    }
  };
}
