import { TonError } from '../../../shared/errors.ts'
import { HEAD_QUERY, type HeadRow, isSameHead } from '../head/index-head.ts'
import { ChangingError, refuseChanged, untilWhole } from '../head/unfinished-changes.ts'
import type { Reader, RunQuery } from '../postgres/reader.ts'
import type { IndexHead } from '../schema/head.ts'

/** The data source of one answer: a snapshot of the database, and the newest block that the answer may include. */
export interface View extends Omit<IndexHead, 'network'> {
  /** Runs one statement. Statements that are started without awaiting one another are sent together. */
  readonly rows: RunQuery
  /** True if friendly addresses have the test-only flag. */
  readonly testOnly: boolean
  readonly place: IndexHead
  readonly signal: AbortSignal
  /** Call this if the answer reads more rows while it is sent. Such an answer cannot be repeated after a revert or a removal of history during the read. */
  readonly hold: () => void
  /** Call this with the total length before reading large values. Throws if the length exceeds the size limit of the answer. */
  readonly expectBytes: (bytes: number) => void
}

export const noBlockYet = (): TonError => new TonError('UNAVAILABLE', 'the index has no block yet', { retryAfter: 1 })

const readHead = async (rows: RunQuery): Promise<HeadRow> => {
  const [row] = await rows(HEAD_QUERY)
  if (!row) throw noBlockYet()
  return row
}

/**
 * Runs reads within one snapshot, up to the published head. Throws UNAVAILABLE while the index is empty. `finish` makes the answer from what was read; it
 * runs once. `isShort`: the read finds a few rows by key, so it may share a snapshot (shared-snapshots.ts). `client`: the one for whom it is read.
 * The first statements are sent together with the query of the head, with the head that is in memory. The read is run again if the snapshot has another head.
 * A Citus cluster has no snapshot across its nodes. Some nodes have rows above the head, which every query excludes. A read is repeated if the chain was
 * reverted or history was removed meanwhile (unfinished-changes.ts).
 */
export const readIndex = async <Found, T = Found>(
  reader: Reader,
  signal: AbortSignal,
  read: (view: View) => Promise<Found>,
  finish?: (found: Found, view: View) => Promise<T> | T,
  isShort = false,
  client?: string,
): Promise<T> => {
  const finished = async (found: Found, view: View): Promise<T> => (finish ? await finish(found, view) : (found as unknown as T))
  const readAt = async (rows: RunQuery, place: IndexHead): Promise<{ found: Found; view: View; isStreaming: boolean }> => {
    let isStreaming = false
    const hold = (): void => {
      isStreaming = true
    }
    const { head, first, utime, epoch, network, isDistributed } = place
    const testOnly = network === 'testnet'
    const view: View = { head, first, utime, epoch, isDistributed, place, testOnly, rows, signal, hold, expectBytes() {} }
    const found = await read(view)
    return { found, view, isStreaming }
  }
  const run = async (): Promise<T> => {
    const done = await reader.snapshot(
      async (rows) => {
        const reading = readHead(rows)
        const expected = reader.head?.now()
        let isStale = false
        const early = expected && readAt((...query) => (isStale ? Promise.reject(new Error('another head')) : rows(...query)), expected)
        early?.catch(() => {})
        const place = await reading
        reader.admit?.({ epoch: place.epoch, seqno: place.head })
        if (place.isDistributed && place.isChanging) throw new ChangingError()
        isStale = expected !== undefined && !isSameHead(place, expected)
        // Two reads must not run at once: both would give the subject of a proof.
        if (isStale) await early?.catch(() => {})
        const { found, view, isStreaming } = await (early && !isStale ? early : readAt(rows, place))
        return place.isDistributed && !isStreaming ? { found, view, place } : { answer: await finished(found, view) }
      },
      signal,
      isShort,
      client,
    )
    if ('answer' in done) return done.answer as T
    const { found, view, place } = done
    await refuseChanged(place, (query) => reader.rows(query, signal))
    return await finished(found, view)
  }
  return await untilWhole(signal, run)
}
