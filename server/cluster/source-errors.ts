import { ERRORS, TonError } from '../../shared/errors.ts'
import { type LiteServer, LiteServerError } from '../chain/liteserver.ts'

/*
 * Errors of a source in the primary that lite_api does not have, such as no working lite-server. They are sent to workers as errors of lite-servers,
 * with codes that lite-servers do not use.
 */

const KINDS = ['NO_WORKERS', 'SOURCE_TIMEOUT', 'UNAVAILABLE'] as const

/** The same source, for workers. */
export const forWorkers = (source: LiteServer): LiteServer => ({
  ...source,
  async query(fn, args, signal) {
    try {
      return await source.query(fn, args, signal)
    } catch (error) {
      const kind = error instanceof TonError ? KINDS.find((each) => each === error.kind) : undefined
      throw kind === undefined ? error : new LiteServerError(ERRORS[kind].rpc, (error as TonError).message)
    }
  },
})

/** Turns such an error back into the one that the primary had. */
export const asInPrimary = (error: unknown): unknown => {
  if (!(error instanceof LiteServerError)) return error
  const kind = KINDS.find((each) => ERRORS[each].rpc === error.code)
  return kind === undefined ? error : new TonError(kind, error.message, { cause: error })
}
