import { TonError } from '../../../shared/errors.ts'
import { createBuilder, type Reader } from '../../store/postgres/pool.ts'

/** What readers are told while there is nothing to read; `fault` says why, empty: it is starting. */
export const indexUnavailable = (fault: string): TonError =>
  new TonError('UNAVAILABLE', fault === '' ? 'the index is starting' : 'the index is not available', {
    retryAfter: 1,
    detail: fault || undefined,
  })

/** A reader of a database that comes and goes: asked for at each call, `present` throws while there is none. Closing it closes nothing. */
export const createLateReader = (present: () => Pick<Reader, 'rows' | 'snapshot'>): Reader => ({
  sql: createBuilder(),
  rows: async (query, signal) => present().rows(query, signal),
  snapshot: async (work, signal) => present().snapshot(work, signal),
  close: async () => {},
})
