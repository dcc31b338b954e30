import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../shared/errors.ts'
import { callerErrorOf, isTimeout, outOfTime } from '../base/fault.ts'
import { traced } from '../base/tracing/tracer.ts'
import { TvmError } from '../tvm/tvm.ts'
import { type LiteServer, LiteServerError } from './liteserver.ts'
import { ProofError } from './proofs/error.ts'

/** Queries the source and checks the answer. The caller gets only answers that passed the check. */
export type CheckedQuery = NonNullable<LiteServer['checked']>

/** Names of the error codes in common/errorcode.h of ton-blockchain/ton. Every other code is UNKNOWN, as in tonlib. */
const FAMILIES: ReadonlyMap<number, string> = new Map([
  [601, 'FAILURE'],
  [602, 'ERROR'],
  [603, 'WARNING'],
  [621, 'PROTOVIOLATION'],
  [651, 'NOTREADY'],
  [652, 'TIMEOUT'],
  [653, 'CANCELLED'],
])

/**
 * Converts an error of a source, a check or the TVM into the error for callers, with tonlib's text. Other errors are returned unchanged. If the signal is
 * aborted, returns the signal's reason instead; a missed deadline becomes SOURCE_TIMEOUT.
 */
export const chainError = (error: unknown, signal: AbortSignal): unknown => {
  if (error instanceof TonError) return error
  if (signal.aborted) return isTimeout(signal.reason) ? outOfTime(signal.reason) : signal.reason
  if (error instanceof LiteServerError)
    return callerErrorOf(error, `LITE_SERVER_${FAMILIES.get(error.code) ?? 'UNKNOWN'}: ${error.message}`)
  if (error instanceof ProofError) return callerErrorOf(error, `INVALID_PROOF: ${error.message}`)
  return error instanceof TvmError ? callerErrorOf(error) : error
}

type QuerySource = Pick<LiteServer, 'query' | 'checked'>

/**
 * Makes a query function that does not convert errors of the source and of the checks. If the source has several servers and one server's answer fails the
 * check, another server is queried.
 */
export const createRawQuery =
  (source: QuerySource): CheckedQuery =>
  async (fn, args, signal, check, options) => {
    signal.throwIfAborted()
    return await traced({ name: `chain.${fn}`, kind: 'step', attributes: {} }, async () =>
      source.checked ? await source.checked(fn, args, signal, check, options) : await check(await source.query(fn, args, signal)),
    )
  }

/** Makes a query function that converts errors for callers of the service (chainError). */
export const createCheckedQuery = (source: QuerySource): CheckedQuery => {
  const ask = createRawQuery(source)
  return async (fn, args, signal, check, options) => {
    try {
      return await ask(fn, args, signal, check, options)
    } catch (error) {
      throw chainError(error, signal)
    }
  }
}

export interface Patience {
  readonly tries: number
  /** Milliseconds before the second attempt; doubled for each further attempt. */
  readonly pause: number
  /** Called with the error of each failed attempt except the last. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/**
 * Makes a query function that repeats a query until its answer passes the check. After a LiteServerError, which is an answer of the source, the query is
 * not repeated.
 */
export const createPatientQuery =
  (ask: CheckedQuery, { tries, pause, onFailure }: Patience): CheckedQuery =>
  async (fn, args, signal, check, options) => {
    for (let left = tries, wait = pause; ; wait *= 2) {
      try {
        return await ask(fn, args, signal, check, options)
      } catch (error) {
        left -= 1
        if (signal.aborted || left === 0 || error instanceof LiteServerError) throw error
        onFailure?.(error)
        await sleep(wait, undefined, { signal })
      }
    }
  }
