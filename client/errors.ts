import type { ErrorKind, ParamIssue } from './methods.ts'

/**
 * Kinds that arise on this side of the wire. NETWORK: no answer came, or not all of it. TIMEOUT: not in time. ABORTED: given up by the caller.
 * PROTOCOL: an answer that is none (HTML, broken JSON, a call left out or answered twice). HTTP: a status that says nothing more.
 */
export type LocalKind = 'NETWORK' | 'TIMEOUT' | 'ABORTED' | 'PROTOCOL' | 'ANSWER_TOO_LARGE' | 'QUEUE_FULL' | 'HTTP'

/** Every kind an error may have: the server's and the client's own. */
export type ClientErrorKind = ErrorKind | LocalKind

/** Why a call failed, before it is an error of one method. */
export interface Failure {
  readonly kind: ClientErrorKind
  readonly message: string
  /** Where: origin and path, nothing that could hold a key. */
  readonly endpoint: string
  /** The same read may succeed if it is sent again. */
  readonly retry?: boolean
  readonly retryAfterMs?: number | undefined
  readonly status?: number | undefined
  readonly issues?: readonly ParamIssue[] | undefined
  readonly cause?: unknown
}

/** The one error class: branch on `kind`, never on the text. Holds no key. */
export class TonClientError extends Error {
  override readonly name = 'TonClientError'
  declare readonly kind: ClientErrorKind
  readonly method: string
  declare readonly endpoint: string
  /** When the server said how long to wait: milliseconds. */
  declare readonly retryAfterMs: number | undefined
  /** HTTP status, where a bad one came. */
  declare readonly status: number | undefined
  /** Of INVALID_PARAMS: every refused parameter with what is accepted. */
  declare readonly issues: readonly ParamIssue[] | undefined
  constructor(method: string, { message, cause, retry: _, ...told }: Failure) {
    super(`${method}: ${message}`, cause === undefined ? undefined : { cause })
    this.method = method
    Object.assign(this, told)
  }
}

/** The failure of a call whose signal was aborted; a signal of AbortSignal.timeout is a TIMEOUT. */
export const abortedBy = (signal: AbortSignal, endpoint: string): Failure => ({
  kind: (signal.reason as Error | undefined)?.name === 'TimeoutError' ? 'TIMEOUT' : 'ABORTED',
  message: 'given up by its signal',
  endpoint,
  cause: signal.reason,
})
