import type { ErrorKind, ParamIssue } from './methods.ts'

/**
 * Kinds of errors that the client itself raises. NETWORK: no answer, or only part of it. TIMEOUT: no answer in time. ABORTED: the caller gave up.
 * PROTOCOL: an invalid answer (HTML, broken JSON, a call left out or answered twice). HTTP: a status for which there is no other kind.
 */
export type LocalKind = 'NETWORK' | 'TIMEOUT' | 'ABORTED' | 'PROTOCOL' | 'ANSWER_TOO_LARGE' | 'QUEUE_FULL' | 'HTTP'

/** All kinds of errors: the server's and the client's own. */
export type ClientErrorKind = ErrorKind | LocalKind

/** Why a call failed, before it becomes the TonClientError of a method. */
export interface Failure {
  readonly kind: ClientErrorKind
  readonly message: string
  /** Origin and path of the server, without the parts that could contain a key. */
  readonly endpoint: string
  /** Whether the same read may succeed if it is sent again. */
  readonly retry?: boolean
  readonly retryAfterMs?: number | undefined
  readonly status?: number | undefined
  readonly issues?: readonly ParamIssue[] | undefined
  readonly cause?: unknown
}

/** The only error class. Branch on `kind`, never on the text. It contains no key. */
export class TonClientError extends Error {
  override readonly name = 'TonClientError'
  declare readonly kind: ClientErrorKind
  readonly method: string
  declare readonly endpoint: string
  /** Milliseconds to wait before the next attempt, if the server said so. */
  declare readonly retryAfterMs: number | undefined
  /** HTTP status, if it was an error status. */
  declare readonly status: number | undefined
  /** For INVALID_PARAMS: each refused parameter and what it accepts. */
  declare readonly issues: readonly ParamIssue[] | undefined
  constructor(method: string, { message, cause, retry: _, ...details }: Failure) {
    const param = details.issues?.[0]?.param
    // Texts of TON Center's own do not say which parameter they are about.
    const about = param === undefined || message.includes(param) ? '' : ` (parameter ${param})`
    super(`${method}: ${message}${about}`, cause === undefined ? undefined : { cause })
    this.method = method
    Object.assign(this, details)
  }
}

/** The failure of a call whose signal was aborted: TIMEOUT for a signal of AbortSignal.timeout, else ABORTED. */
export const abortedBy = (signal: AbortSignal, endpoint: string): Failure => ({
  kind: (signal.reason as Error | undefined)?.name === 'TimeoutError' ? 'TIMEOUT' : 'ABORTED',
  message: 'given up by its signal',
  endpoint,
  cause: signal.reason,
})
