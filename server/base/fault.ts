import { type ErrorKind, TonError } from '../../shared/errors.ts'

/** An error of code below the handlers. Its class determines the error that callers get, so that no code has to compare names or texts. */
export abstract class Fault extends Error {
  abstract readonly answeredAs: ErrorKind
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined = undefined
  /** True if the error is logged for operators. Only for errors that no caller can cause by parameters, because callers could flood the log. */
  readonly isLogged: boolean = false
}

/** The error that callers get for a fault. `text` replaces the fault's own text where TON Center defines the wording. */
export const callerErrorOf = (fault: Fault, text = fault.message): TonError =>
  new TonError(fault.answeredAs, text, { cause: fault, retryAfter: fault.retryAfter })

/** The text that TON Center documents for a lite-server that does not answer in time. */
export const TIMEOUT_TEXT = 'LITE_SERVER_NETWORK timeout'

/** Returns whether the reason of an abort is a timeout (AbortSignal.timeout). */
export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'

/** Returns whether the reason of an abort is that the caller disconnected. */
const isLeaving = (reason: unknown): boolean => reason instanceof Error && reason.name === 'AbortError'

export const outOfTime = (cause: unknown): TonError => new TonError('SOURCE_TIMEOUT', TIMEOUT_TEXT, { cause })

/** The error that callers get for a thrown value. undefined if the value is unexpected, which means a bug. */
export const toCallerError = (thrown: unknown): TonError | undefined => {
  if (thrown instanceof TonError) return thrown
  if (thrown instanceof Fault) return callerErrorOf(thrown)
  if (isTimeout(thrown)) return outOfTime(thrown)
  return isLeaving(thrown) ? new TonError('UNAVAILABLE', 'the caller left before the answer was ready', { cause: thrown }) : undefined
}
