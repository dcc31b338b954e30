import { TonError } from '../../../shared/errors.ts'
import { createBuilder, type Reader } from '../../store/postgres/pool.ts'
import type { IndexStatus } from './status.ts'

/** The error for readers while there is nothing to read: with the cause if the index failed, else "starting". */
export const indexUnavailable = ({ error, cause }: Pick<IndexStatus, 'error' | 'cause'>): TonError => {
  if (error === '') return new TonError('UNAVAILABLE', 'the index is starting', { retryAfter: 1 })
  const why = cause === '' ? '' : `: ${cause}`
  return new TonError('UNAVAILABLE', `the index is not available${why}`, { retryAfter: 1, detail: error })
}

/** A reader of a database that can come and go. Each call asks `present`, which throws if there is no database. `close` does nothing. */
export const createLateReader = (present: () => Pick<Reader, 'rows' | 'snapshot'>): Reader => ({
  sql: createBuilder(),
  rows: async (query, signal) => present().rows(query, signal),
  snapshot: async (work, signal) => present().snapshot(work, signal),
  close: async () => {},
})
