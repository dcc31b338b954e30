import { TonError } from '../../../shared/errors.ts'
import { ABORTED, errorCode, STALE_PLAN, UNPREPARED } from './faults.ts'

/**
 * SQLSTATE of a read that a standby cancelled because it conflicts with changes that the standby replays. Other servers never raise it in a read-only
 * transaction.
 */
export const RECOVERY = '40001'
const TRIES = 3

/**
 * Returns whether a connection has lost its prepared statements, or has prepared them for columns that have changed, or is in an earlier transaction whose
 * commit failed. Another connection can run the statement.
 */
export const isStale = (error: unknown): boolean => {
  const code = errorCode(error)
  return (
    code === UNPREPARED || code === ABORTED || (code === STALE_PLAN.code && (error as { routine?: unknown }).routine === STALE_PLAN.routine)
  )
}

export const retried = async <T>(read: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      const isCancelled = errorCode(error instanceof TonError ? error.cause : error) === RECOVERY
      if (!isCancelled && !isStale(error)) throw error
      if (tries < TRIES) continue
      if (!isCancelled) throw error
      const text = 'the replica cancelled the read, because changes that it replays were in the way'
      throw new TonError('UNAVAILABLE', text, { retryAfter: 1, cause: error })
    }
  }
}
