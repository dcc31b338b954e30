import { type ErrorKind, TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { sharedAbort } from '../base/abort.ts'
import type { Call, Leaving } from '../base/call.ts'
import { Fault, known, TIMEOUT_TEXT } from '../base/fault.ts'
import type { Outcome } from './types.ts'

/** An answer that is an error. */
export const refusal = (kind: ErrorKind, message: string): Outcome => ({ ok: false, error: new TonError(kind, message) })

/** One object for all: whoever floods costs no stack trace. A second after it, what was refused has room again. */
export const LIMITED = new TonError('RATE_LIMITED', 'Ratelimit exceeded', { retryAfter: 1 })

/** What is said of a method that reads the index: no lite-server is asked for it. */
const INDEX_TIMEOUT_TEXT = 'the database did not answer in time'

/** What a method of these needs waited for in vain. */
export const timeoutText = (needs: MethodDef['needs']): string => (needs === 'index' ? INDEX_TIMEOUT_TEXT : TIMEOUT_TEXT)

/** Runs work that is given up after so many milliseconds, with this text: its controller is aborted, and the wait ends even if the work does not. */
export const beforeDeadline = <T>(deadline: number, text: string, controller: AbortController, work: () => Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = new TonError('SOURCE_TIMEOUT', text)
      reject(late)
      controller.abort(late)
    }, deadline)
    work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })

/** Runs work with a controller that is aborted when its one caller leaves; the wait ends then even if the work does not. */
export const withCaller = <T>(caller: Leaving, work: (controller: AbortController) => Promise<T>): Promise<T> => {
  if (caller.aborted) return Promise.reject(caller.reason)
  return new Promise<T>((resolve, reject) => {
    const controller = sharedAbort()
    const hangUp = (): void => {
      reject(caller.reason)
      controller.abort(caller.reason)
    }
    caller.addEventListener('abort', hangUp)
    work(controller)
      .then(resolve, reject)
      .finally(() => caller.removeEventListener('abort', hangUp))
  })
}

/** The error as this caller may see it: its detail is for callers on this machine. */
export const toldTo = (error: TonError, { localAllowed = false }: Partial<Pick<Call, 'localAllowed'>>): TonError => {
  const { kind, message, detail, retryAfter, issues, headers } = error
  if (detail === undefined || !localAllowed) return error
  return new TonError(kind, `${message}: ${detail}`, { cause: error, retryAfter, issues, headers })
}

/**
 * Whatever was thrown, anywhere, as the error that leaves the service; each door writes it in its own form (http/error-text.ts). The text of an unknown throwable
 * stays in the log, and the caller is shown the id of the request. `method`: undefined where no method was called. `localAllowed`: false unless given.
 */
export const toTonError = (
  thrown: unknown,
  call: Pick<Call, 'requestId' | 'log'> & Partial<Pick<Call, 'localAllowed'>>,
  method?: string,
): TonError => {
  const error = known(thrown)
  if (error === undefined) {
    const err = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`)
    call.log.error(method === undefined ? 'request.failed' : 'handler.failed', { method, err })
    return new TonError('INTERNAL', `internal error, request ${call.requestId}`, { cause: thrown })
  }
  if (thrown instanceof Fault && thrown.isLogged) call.log.warn('handler.fault', { method, err: thrown })
  return toldTo(error, call)
}
