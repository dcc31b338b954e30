import { type ErrorKind, TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { sharedAbort } from '../base/abort.ts'
import type { Call, Leaving } from '../base/call.ts'
import type { Outcome } from './types.ts'

/** An answer that is an error. */
export const refusal = (kind: ErrorKind, message: string): Outcome => ({ ok: false, error: new TonError(kind, message) })

/** One object for all: whoever floods costs no stack trace. A second after it, what was refused has room again. */
export const LIMITED = new TonError('RATE_LIMITED', 'Ratelimit exceeded', { retryAfter: 1 })

/** v2.md 1.4: what TON Center's documents promise for an upstream that does not answer in time. */
const TIMEOUT_TEXT = 'LITE_SERVER_NETWORK timeout'
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

/** Faults that carry a text of TON itself, by the class that throws them: the caller sees the text, the log gets a line. */
const CHAIN_FAULTS: Readonly<Record<string, true>> = { CellError: true, LiteServerError: true }

/** The error as this caller may see it: its detail is for callers on this machine. */
export const toldTo = (error: TonError, { localAllowed }: Pick<Call, 'localAllowed'>): TonError => {
  const { kind, message, detail, retryAfter, issues } = error
  if (detail === undefined || !localAllowed) return error
  return new TonError(kind, `${message}: ${detail}`, { cause: error, retryAfter, issues })
}

/** Whatever was thrown as the error that leaves the service. An unknown throwable keeps its text in the log. */
export const toTonError = (thrown: unknown, method: string, call: Call): TonError => {
  if (thrown instanceof TonError) return toldTo(thrown, call)
  const error = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`)
  if (error.name === 'AbortError') return new TonError('UNAVAILABLE', 'the request was given up', { cause: error })
  if (error.name === 'TimeoutError') return new TonError('SOURCE_TIMEOUT', TIMEOUT_TEXT, { cause: error })
  if (error.name === 'TvmError') return tvmFault(error as Error & { kind?: string })
  if (Object.hasOwn(CHAIN_FAULTS, error.name)) {
    call.log.warn('handler.fault', { method, err: error })
    return new TonError('CHAIN', error.message, { cause: error })
  }
  call.log.error('handler.failed', { method, err: error })
  return new TonError('INTERNAL', `internal error, request ${call.requestId}`, { cause: error })
}

const tvmFault = (error: Error & { kind?: string }): TonError => {
  if (error.kind === 'timeout') return new TonError('SOURCE_TIMEOUT', error.message, { cause: error })
  if (error.kind === 'overloaded' || error.kind === 'closed')
    return new TonError('NO_WORKERS', error.message, { cause: error, retryAfter: 1 })
  return new TonError('CHAIN', error.message, { cause: error })
}
