import { ERRORS, type ErrorKind, TonError } from '../../shared/errors.ts'
import { LiteServerError } from './liteserver.ts'

/*
 * Failures of a pool that tonway's lite-server port passes on, so that a tonway that reads this port answers as if it had the pool itself. On the wire they
 * have the codes of JSON-RPC, which lite-servers do not use.
 */

const RELAYED: readonly ErrorKind[] = ['NO_WORKERS', 'SOURCE_TIMEOUT', 'UNAVAILABLE']

/** Converts a failure of a pool to the error answer that relays it. Undefined for any other value. */
export const toRelayed = (error: unknown): LiteServerError | undefined =>
  error instanceof TonError && RELAYED.includes(error.kind) ? new LiteServerError(ERRORS[error.kind].rpc, error.message) : undefined

const kindOf = ({ code }: LiteServerError): ErrorKind | undefined => RELAYED.find((kind) => ERRORS[kind].rpc === code)

/** Returns whether the answer relays a failure of other servers, so that it is not about the query. */
export const isRelayed = (error: LiteServerError): boolean => kindOf(error) !== undefined

/** Converts an error answer that relays a failure back to that failure. Returns any other error unchanged. */
export const fromRelayed = (error: LiteServerError): LiteServerError | TonError => {
  const kind = kindOf(error)
  return kind === undefined ? error : new TonError(kind, error.message, { retryAfter: kind === 'UNAVAILABLE' ? 1 : undefined })
}
