import { TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { Call } from '../base/call.ts'
import { Fault, TIMEOUT_TEXT, toCallerError } from '../base/fault.ts'

/** One shared error, because creating a stack trace for each refusal of a flood would be expensive. A limit always has room again after a second. */
export const LIMITED = new TonError('RATE_LIMITED', 'Ratelimit exceeded', { retryAfter: 1 })

const INDEX_TIMEOUT_TEXT = 'the database did not answer in time'

export const timeoutText = (needs: MethodDef['needs']): string => (needs === 'index' ? INDEX_TIMEOUT_TEXT : TIMEOUT_TEXT)

/** For callers with local access, appends the error's `detail` to its message. Other callers do not see the detail. */
export const errorFor = (error: TonError, call: Partial<Pick<Call, 'localAllowed'>>): TonError => {
  const { kind, message, detail, retryAfter, issues, headers } = error
  if (detail === undefined || !call.localAllowed) return error
  return new TonError(kind, `${message}: ${detail}`, { cause: error, retryAfter, issues, headers })
}

/**
 * Converts a thrown value to the error that the caller gets. The text of an unexpected error is only logged; the caller gets the request id instead.
 * `method`: undefined if no method was called. `localAllowed`: false by default.
 */
export const toTonError = (
  thrown: unknown,
  call: Pick<Call, 'requestId' | 'log'> & Partial<Pick<Call, 'localAllowed'>>,
  method?: string,
): TonError => {
  const error = toCallerError(thrown)
  if (error === undefined) {
    const err = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`)
    call.log.error(method === undefined ? 'request.failed' : 'handler.failed', { method, err })
    return new TonError('INTERNAL', `internal error, request ${call.requestId}`, { cause: thrown })
  }
  if (thrown instanceof Fault && thrown.isLogged) call.log.warn('handler.fault', { method, err: thrown })
  return errorFor(error, call)
}
