import { type ErrorKind, TonError } from '../../shared/errors.ts'

/** Base class of errors below the handlers. `answeredAs` is the kind of error that callers get, so that no code compares names or texts. */
export abstract class Fault extends Error {
  abstract readonly answeredAs: ErrorKind
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined = undefined
  /** True if the error is logged for operators. Only for errors that no caller can cause by parameters, because callers could flood the log. */
  readonly isLogged: boolean = false
}

/** Converts a fault to the error that callers get. `text`: replaces the fault's own text where TON Center defines the wording. */
export const callerErrorOf = (fault: Fault, text = fault.message): TonError =>
  new TonError(fault.answeredAs, text, { cause: fault, retryAfter: fault.retryAfter })

/** The text that TON Center documents for a lite-server that does not answer in time. */
export const TIMEOUT_TEXT = 'LITE_SERVER_NETWORK timeout'

export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'

/** Returns whether the reason of an abort is that the caller disconnected. */
const isLeaving = (reason: unknown): boolean => reason instanceof Error && reason.name === 'AbortError'

export const outOfTime = (cause: unknown): TonError => new TonError('SOURCE_TIMEOUT', TIMEOUT_TEXT, { cause })

/** Converts a thrown value to the error that callers get. Returns undefined for an unexpected value, which means a bug. */
export const toCallerError = (thrown: unknown): TonError | undefined => {
  if (thrown instanceof TonError) return thrown
  if (thrown instanceof Fault) return callerErrorOf(thrown)
  if (isTimeout(thrown)) return outOfTime(thrown)
  return isLeaving(thrown) ? new TonError('UNAVAILABLE', 'the caller left before the answer was ready', { cause: thrown }) : undefined
}
