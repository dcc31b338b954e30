import { TonError } from '../../shared/errors.ts'
import { TvmError } from '../tvm/tvm.ts'
import { type AskOptions, type LiteAnswer, type LiteArgs, type LiteFunction, type LiteServer, LiteServerError } from './liteserver.ts'
import { ProofError } from './proofs/error.ts'

/** Asks the source and checks the answer. The caller sees only answers that pass the check. */
export type Ask = <F extends LiteFunction, T>(
  fn: F,
  args: LiteArgs<F>,
  signal: AbortSignal,
  check: (answer: LiteAnswer<F>) => T,
  options?: AskOptions,
) => Promise<T>

/** Names of the error codes of ton-blockchain/ton (common/errorcode.h); every other code is UNKNOWN, as in tonlib. */
const FAMILIES: ReadonlyMap<number, string> = new Map([
  [601, 'FAILURE'],
  [602, 'ERROR'],
  [603, 'WARNING'],
  [621, 'PROTOVIOLATION'],
  [651, 'NOTREADY'],
  [652, 'TIMEOUT'],
  [653, 'CANCELLED'],
])

/** Turns the error of a lite-server or of a check into the error that callers see. The reason of an abort is kept, but a missed deadline becomes SOURCE_TIMEOUT. */
export const toTonError = (error: unknown, signal: AbortSignal): unknown => {
  if (error instanceof TonError) return error
  if (signal.aborted) {
    const reason: unknown = signal.reason
    const late = reason instanceof Error && reason.name === 'TimeoutError'
    return late ? new TonError('SOURCE_TIMEOUT', 'LITE_SERVER_NETWORK timeout', { cause: reason }) : reason
  }
  if (error instanceof LiteServerError) {
    return new TonError('CHAIN', `LITE_SERVER_${FAMILIES.get(error.code) ?? 'UNKNOWN'}: ${error.message}`, { cause: error })
  }
  if (error instanceof ProofError) return new TonError('CHAIN', `INVALID_PROOF: ${error.message}`, { cause: error })
  if (error instanceof TvmError) return fromTvm(error)
  return error
}

const fromTvm = (error: TvmError): TonError => {
  if (error.kind === 'timeout') return new TonError('SOURCE_TIMEOUT', error.message, { cause: error })
  if (error.kind === 'overloaded' || error.kind === 'closed') return new TonError('UNAVAILABLE', error.message, { cause: error })
  return new TonError('CHAIN', error.message, { cause: error })
}

/** `ask` over a source. */
export const createAsk =
  (source: Pick<LiteServer, 'query' | 'checked'>): Ask =>
  async (fn, args, signal, check, options) => {
    try {
      signal.throwIfAborted()
      if (source.checked) return await source.checked(fn, args, signal, check, options)
      return check(await source.query(fn, args, signal))
    } catch (error) {
      throw toTonError(error, signal)
    }
  }
