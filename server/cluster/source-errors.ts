import { ERRORS, TonError } from '../../shared/errors.ts'
import { type LiteServer, LiteServerError } from '../chain/liteserver.ts'

/*
 * What a source of the first process says beyond lite_api, that no lite-server works for instance: carried to the workers as errors of lite-servers,
 * under codes that these do not have.
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

/** An error of such a source as it was in the first process. */
export const asInPrimary = (error: unknown): unknown => {
  if (!(error instanceof LiteServerError)) return error
  const kind = KINDS.find((each) => ERRORS[each].rpc === error.code)
  return kind === undefined ? error : new TonError(kind, error.message, { cause: error })
}
