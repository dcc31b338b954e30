import { type ErrorKind, TonError } from '../../shared/errors.ts'

/** An error of a room below the handlers. Its class says how callers are answered, so nobody has to know its name or its text. */
export abstract class Fault extends Error {
  abstract readonly answeredAs: ErrorKind
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined = undefined
  /** Whether operators want to read of it: no caller's parameters lead to it. */
  readonly isLogged: boolean = false
}

/** A fault as callers are answered. `text` takes the place of its own where somebody else defines the text. */
export const answered = (fault: Fault, text = fault.message): TonError =>
  new TonError(fault.answeredAs, text, { cause: fault, retryAfter: fault.retryAfter })

/** v2.md 1.4: what TON Center's documents promise for an upstream that does not answer in time. */
export const TIMEOUT_TEXT = 'LITE_SERVER_NETWORK timeout'

/** Whether a signal's reason is that its time has passed (AbortSignal.timeout). */
export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'

/** Whether a signal's reason is that its caller has left. */
const isLeaving = (reason: unknown): boolean => reason instanceof Error && reason.name === 'AbortError'

export const outOfTime = (cause: unknown): TonError => new TonError('SOURCE_TIMEOUT', TIMEOUT_TEXT, { cause })

/** Whatever was thrown, where the service knows how it is answered; undefined for a bug. */
export const known = (thrown: unknown): TonError | undefined => {
  if (thrown instanceof TonError) return thrown
  if (thrown instanceof Fault) return answered(thrown)
  if (isTimeout(thrown)) return outOfTime(thrown)
  return isLeaving(thrown) ? new TonError('UNAVAILABLE', 'the request was given up', { cause: thrown }) : undefined
}
