import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../../shared/errors.ts'
import type { PresentHead } from '../../store/head/head-in-memory.ts'
import { createBuilder, type Reader } from '../../store/postgres/reader.ts'
import { BehindError, type Floor } from '../../store/replicas/floor.ts'
import type { IndexStatus } from './status.ts'

/** The error for readers while there is nothing to read: with the cause if the index failed, else "starting". */
export const indexUnavailable = ({ error, cause }: Pick<IndexStatus, 'error' | 'cause'>): TonError => {
  if (error === '') return new TonError('UNAVAILABLE', 'the index is starting', { retryAfter: 1 })
  const why = cause === '' ? '' : `: ${cause}`
  return new TonError('UNAVAILABLE', `the index is not available${why}`, { retryAfter: 1, detail: error })
}

/** Pauses before a snapshot is read again whose head is below that of an earlier answer, milliseconds. */
const PAUSES = [0, 20, 200]

/**
 * A reader of a database that can come and go. Each call asks `present`, which throws if there is no database. An answer never has an earlier head than the
 * answers before it: two concurrent reads can see heads in the other order, and a database can be replaced by one that is behind. `close` does nothing.
 */
export const createLateReader = (present: () => Pick<Reader, 'rows' | 'snapshot'>, floor: Floor, head?: PresentHead): Reader => ({
  sql: createBuilder(),
  rows: async (query, signal) => present().rows(query, signal),
  async snapshot(work, signal, isShort) {
    for (const pause of PAUSES) {
      try {
        return await present().snapshot(work, signal, isShort)
      } catch (error) {
        if (!(error instanceof BehindError)) throw error
        await sleep(pause, undefined, { signal })
      }
    }
    return present().snapshot(work, signal, isShort)
  },
  admit: floor.admit,
  head,
  close: async () => {},
})
