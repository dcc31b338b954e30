import { TonError } from '../../../shared/errors.ts'
import { createBuilder, type Reader } from '../../store/postgres/pool.ts'
import type { IndexStatus } from './status.ts'

/** What readers are told while there is nothing to read: why, where it failed; that it is starting otherwise. */
export const indexUnavailable = ({ error, cause }: Pick<IndexStatus, 'error' | 'cause'>): TonError => {
  if (error === '') return new TonError('UNAVAILABLE', 'the index is starting', { retryAfter: 1 })
  const why = cause === '' ? '' : `: ${cause}`
  return new TonError('UNAVAILABLE', `the index is not available${why}`, { retryAfter: 1, detail: error })
}

/** A reader of a database that comes and goes: asked for at each call, `present` throws while there is none. Closing it closes nothing. */
export const createLateReader = (present: () => Pick<Reader, 'rows' | 'snapshot'>): Reader => ({
  sql: createBuilder(),
  rows: async (query, signal) => present().rows(query, signal),
  snapshot: async (work, signal) => present().snapshot(work, signal),
  close: async () => {},
})
