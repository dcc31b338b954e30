import type { ErrorKind, ParamIssue } from './methods.ts'

/**
 * Error kinds that the client itself raises. NETWORK: no response, or an incomplete one. TIMEOUT: no response in time. ABORTED: the caller aborted the
 * call. PROTOCOL: an invalid response (HTML, broken JSON, a missing or repeated answer to a call). ANSWER_TOO_LARGE: a response above `maxAnswerBytes`.
 * QUEUE_FULL: too many requests wait. HTTP: an HTTP status for which there is no kind.
 */
export type LocalKind = 'NETWORK' | 'TIMEOUT' | 'ABORTED' | 'PROTOCOL' | 'ANSWER_TOO_LARGE' | 'QUEUE_FULL' | 'HTTP'

export type ClientErrorKind = ErrorKind | LocalKind

/** Why a call failed, before it is converted to the TonClientError of a method. */
export interface Failure {
  readonly kind: ClientErrorKind
  readonly message: string
  /** Origin and path of the server, without the parts that could contain a key. */
  readonly endpoint: string
  /** True if the same read may succeed when it is sent again. */
  readonly retry?: boolean
  readonly retryAfterMs?: number | undefined
  readonly status?: number | undefined
  readonly issues?: readonly ParamIssue[] | undefined
  readonly cause?: unknown
}

/** The error of every failed call. Branch on `kind`, never on the text. The error never contains the API key. */
export class TonClientError extends Error {
  override readonly name = 'TonClientError'
  declare readonly kind: ClientErrorKind
  readonly method: string
  declare readonly endpoint: string
  /** Milliseconds to wait before the next attempt, if the server sent them. */
  declare readonly retryAfterMs: number | undefined
  /** HTTP status, if it is an error status. */
  declare readonly status: number | undefined
  /** For INVALID_PARAMS: each rejected parameter and what it accepts. */
  declare readonly issues: readonly ParamIssue[] | undefined
  constructor(method: string, { message, cause, retry: _, ...details }: Failure) {
    const param = details.issues?.[0]?.param
    // TON Center's messages do not always name the parameter.
    const about = typeof param !== 'string' || message.includes(param) ? '' : ` (parameter ${param})`
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
