import { TonError } from '../../../shared/errors.ts'
import { HEAD_QUERY, type HeadRow, isSameHead } from '../head/index-head.ts'
import { ChangingError, refuseChanged, untilWhole } from '../head/unfinished-changes.ts'
import { builder, type Query, type Reader, type RunQuery } from '../postgres/reader.ts'
import type { IndexHead } from '../schema/head.ts'
import { statement } from './look-up.ts'

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
  /** Maximum number of rows that are read at once for this answer. One more is read, and the answer is then made as a large page. */
  readonly mostRows?: number | undefined
}

export const noBlockYet = (): TonError => new TonError('UNAVAILABLE', 'the index has no block yet', { retryAfter: 1 })

const readHead = async (rows: RunQuery): Promise<HeadRow> => {
  const [row] = await rows(HEAD_QUERY)
  if (!row) throw noBlockYet()
  return row
}

/** The statement, which finds no rows in a snapshot that has another head. */
const atHead = <R>(query: Query<R>, { head, epoch, first }: IndexHead): Query<R> => {
  const { sql, parameters } = 'compile' in query ? query.compile(builder) : query
  const { length } = parameters
  return statement(
    `select * from (${sql}) as found where exists (select from published_head, index_checkpoint where published_head.mc_seqno = $${length + 1}
      and published_head.epoch = $${length + 2} and coalesce(index_checkpoint.kept_mc_seqno, index_checkpoint.first_mc_seqno) = $${length + 3})`,
    [...parameters, head, epoch, first],
  )
}

/** Thrown by a read that one statement does not answer. */
const NEEDS_SNAPSHOT = new Error('the read needs a snapshot')

/**
 * Runs reads within one snapshot, up to the published head. Throws UNAVAILABLE while the index is empty. `finish` makes the answer from what was read; it
 * runs once. `isShort`: the read finds a few rows by key, usually with one statement. One statement sees one snapshot by itself, so with the head that is in
 * memory it is run without a transaction. The read is run again if it needs another statement, or finds nothing. `client`: the one for whom it is read.
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
      client,
    )
    if ('answer' in done) return done.answer as T
    const { found, view, place } = done
    await refuseChanged(place, (query) => reader.rows(query, signal))
    return await finished(found, view)
  }
  const expected = isShort ? reader.head?.now() : undefined
  if (expected && !expected.isDistributed) {
    let isFirst = true
    const once: RunQuery = async (query) => {
      if (!isFirst) throw NEEDS_SNAPSHOT
      isFirst = false
      const rows = await reader.rows(atHead(query, expected), signal, true, client)
      const present = reader.head?.now()
      if (rows.length === 0 || !present || !isSameHead(present, expected)) throw NEEDS_SNAPSHOT
      reader.admit?.({ epoch: expected.epoch, seqno: expected.head })
      return rows
    }
    const early = await readAt(once, expected).catch((error: unknown) => {
      if (error !== NEEDS_SNAPSHOT) throw error
    })
    if (early) return await finished(early.found, early.view)
  }
  return await untilWhole(signal, run)
}
