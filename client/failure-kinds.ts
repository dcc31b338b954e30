import type { ClientErrorKind, Failure } from './errors.ts'
import type { ErrorKind, RetriedKind } from './methods.ts'

/** Kinds after which a read is retried. The type forces the list to be complete. */
export const RETRIED: Readonly<Record<RetriedKind, true>> = {
  RATE_LIMITED: true,
  UNAVAILABLE: true,
  SOURCE_TIMEOUT: true,
  NO_WORKERS: true,
}

/** Temporary failures. Loops that wait for data continue after these kinds. */
export const PASSING: Readonly<Partial<Record<ClientErrorKind, true>>> = { ...RETRIED, NETWORK: true, TIMEOUT: true }

const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'NOT_A_TOKEN',
  413: 'TOO_LARGE',
  422: 'INVALID_PARAMS',
  429: 'RATE_LIMITED',
  500: 'INTERNAL',
  501: 'NOT_SERVED',
  504: 'SOURCE_TIMEOUT',
  533: 'STACK_TOO_DEEP',
  542: 'NO_WORKERS',
}

/** The failure kind of an HTTP status, for responses without a kind. 408, 429 and 5xx can be retried, except 501 (not served) and 533 (too deep). */
export const byStatus = (status: number): Pick<Failure, 'kind' | 'retry'> => ({
  kind: KINDS[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'HTTP'),
  retry: status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 533),
})
