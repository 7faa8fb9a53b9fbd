/** One signal out of a user's wish to stop and a time limit, and the error that tells which of the two it was. */
import { HearbackError } from '../domain/result.js';

export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds left; Infinity without a limit. */
  left(): number;
  /** The error when either has fired, else undefined. */
  failure(): HearbackError | undefined;
  clear(): void;
}

export function deadline(signal: AbortSignal | undefined, timeLimit: number | undefined): Deadline {
  const controller = new AbortController();
  const startedAt = performance.now();
  const state = { late: false };
  const timer =
    timeLimit === undefined
      ? undefined
      : setTimeout(() => {
          state.late = true;
          controller.abort(late());
        }, timeLimit);
  const late = (): HearbackError =>
    new HearbackError('timeout', `The language model did not answer within ${((timeLimit ?? 0) / 1000).toFixed(1)} s.`, { hint: 'Give it more time, or use a smaller model or a shorter prompt.' });
  const stop = (): void => {
    controller.abort(new HearbackError('cancelled', 'The question to the language model was cancelled.'));
  };
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    left: () => (timeLimit === undefined ? Infinity : timeLimit - (performance.now() - startedAt)),
    failure: () => {
      const reason: unknown = controller.signal.reason;
      return controller.signal.aborted && reason instanceof HearbackError ? reason : undefined;
    },
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}
