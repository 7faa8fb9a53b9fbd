/**
 * Expected failures travel as values; exceptions are for bugs.
 */
export type Result<T, E = HearbackError> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** Machine-readable kinds of expected failure. */
export type ErrorCode =
  | 'usage'
  | 'not-found'
  | 'unreadable'
  | 'empty'
  | 'not-audio'
  | 'unsupported'
  | 'truncated'
  | 'too-large'
  | 'offline'
  | 'checksum'
  | 'disk-full'
  | 'unknown-id'
  | 'model-missing'
  | 'model-broken'
  | 'device'
  | 'worker-died'
  | 'timeout'
  | 'cancelled'
  | 'invalid-input'
  | 'session'
  | 'internal';

/**
 * A failure that a person can act on.
 *
 * `message` names what is wrong in one sentence; `hint` says what to do about it.
 */
export class HearbackError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HearbackError';
    this.code = code;
    this.hint = options.hint;
  }
  /** One line for a terminal or a log: the message and what to do. */
  get sentence(): string {
    return this.hint === undefined ? this.message : `${this.message} ${this.hint}`;
  }
}

/** Turns anything thrown into a HearbackError without losing its message. */
export function toHearbackError(thrown: unknown, code: ErrorCode = 'internal'): HearbackError {
  if (thrown instanceof HearbackError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new HearbackError(code, message, { cause: thrown });
}
