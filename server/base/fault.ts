import { type ErrorKind, TonError } from '../../shared/errors.ts'

/** An error of a room below the handlers. Its class decides how callers are answered, so that no code has to compare its name or text. */
export abstract class Fault extends Error {
  abstract readonly answeredAs: ErrorKind
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined = undefined
  /** Whether it is logged for operators. True only for errors that no parameter of a caller can cause. */
  readonly isLogged: boolean = false
}

/** The error that callers get for a fault. `text` replaces the fault's own text where TON Center defines the wording. */
export const callerErrorOf = (fault: Fault, text = fault.message): TonError =>
  new TonError(fault.answeredAs, text, { cause: fault, retryAfter: fault.retryAfter })

/** The text that TON Center documents for a source that does not answer in time. */
export const TIMEOUT_TEXT = 'LITE_SERVER_NETWORK timeout'

/** Whether a signal's reason is that its time has passed (AbortSignal.timeout). */
export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'

/** Whether a signal's reason is that its caller has left. */
const isLeaving = (reason: unknown): boolean => reason instanceof Error && reason.name === 'AbortError'

export const outOfTime = (cause: unknown): TonError => new TonError('SOURCE_TIMEOUT', TIMEOUT_TEXT, { cause })

/** The error that callers get for a thrown value; undefined if the value shows a bug. */
export const toCallerError = (thrown: unknown): TonError | undefined => {
  if (thrown instanceof TonError) return thrown
  if (thrown instanceof Fault) return callerErrorOf(thrown)
  if (isTimeout(thrown)) return outOfTime(thrown)
  return isLeaving(thrown) ? new TonError('UNAVAILABLE', 'the caller left before the answer was ready', { cause: thrown }) : undefined
}
