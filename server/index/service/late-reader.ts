import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../../shared/errors.ts'
import type { IndexStatus } from '../../metrics/figures.ts'
import type { PresentHead } from '../../store/head/head-in-memory.ts'
import type { Reader } from '../../store/postgres/reader.ts'
import { BehindError, type Floor } from '../../store/replicas/floor.ts'

/** The error for readers while the index cannot be read: the cause if the index failed, otherwise "starting". */
export const indexUnavailable = ({ error, cause }: Pick<IndexStatus, 'error' | 'cause'>): TonError => {
  if (error === '') return new TonError('UNAVAILABLE', 'the index is starting', { retryAfter: 1 })
  const why = cause === '' ? '' : `: ${cause}`
  return new TonError('UNAVAILABLE', `the index is not available${why}`, { retryAfter: 1, detail: error })
}

/** Pauses in milliseconds before reading again, if a snapshot has an older head than an earlier answer. */
const PAUSES = [0, 20, 200]

/**
 * A reader of a database that can become unavailable or be replaced. Each call gets the current database from `present`, which throws if there is none. No
 * answer has an older head than earlier answers: two concurrent reads can see heads in the wrong order, and a new database can be behind the old one.
 * `close` does nothing.
 */
export const createLateReader = (present: () => Pick<Reader, 'rows' | 'snapshot'>, floor: Floor, head?: PresentHead): Reader => ({
  rows: async (...query) => present().rows(...query),
  async snapshot(work, signal, ...how) {
    for (const pause of PAUSES) {
      try {
        return await present().snapshot(work, signal, ...how)
      } catch (error) {
        if (!(error instanceof BehindError)) throw error
        await sleep(pause, undefined, { signal })
      }
    }
    return present().snapshot(work, signal, ...how)
  },
  admit: floor.admit,
  head,
  close: async () => {},
})
