import { TonError } from '../../../shared/errors.ts'
import { HEAD_QUERY, headOfRow, isSameHead } from '../head/index-head.ts'
import { type Begun, ChangedError, ChangingError, createPatience, refuseChanged } from '../head/unfinished-changes.ts'
import type { Reader, RememberedHead, RunQuery } from '../postgres/reader.ts'
import { comparePositions } from '../replicas/floor.ts'
import type { IndexHead } from '../schema/head.ts'

/** The data source of one answer: a snapshot of the database, and the newest block that the answer may include. */
export interface View {
  readonly sql: Reader['sql']
  /** Runs one statement. Statements that are started without awaiting one another are sent together. */
  readonly rows: RunQuery
  /** Seqno of the newest published masterchain block, and (`first`) of the first masterchain block whose history is stored. */
  readonly head: number
  readonly first: number
  /** Unix seconds of the head. Answers use this as the current time, for example to decide whether an auction is over. */
  readonly utime: number
  /** Grows with every revert of the chain, and with every new index. */
  readonly epoch: number
  /** True if friendly addresses have the test-only flag. */
  readonly testOnly: boolean
  /** The fields above as one object. */
  readonly place: IndexHead
  /** True if the database is a Citus cluster, which cannot join rows of different shards. */
  readonly isDistributed: boolean
  readonly signal: AbortSignal
  /** Values that were read at this head, cached until the next head (see remembered). */
  readonly memory: Map<string, unknown>
  /** Runs `put` after the check that no revert or removal of history happened on the cluster during the read. Write to `memory` only in `put`. */
  readonly whenConsistent: (put: () => void) => void
  /** Call this if the answer reads more rows while it is sent. Such an answer cannot be repeated after a revert or a removal of history during the read. */
  readonly hold: () => void
  /** Call this with the total length before reading large values. Throws if the length exceeds the size limit of the answer. */
  readonly expectBytes: (bytes: number) => void
}

/** Maximum number of cached values of one kind at a head. */
const MAX_REMEMBERED = 20_000

/** Cached values of one kind at the head of a view, by name. */
export const remembered = <V>({ memory }: View, kind: string): Map<string, V> => {
  const existing = memory.get(kind) as Map<string, V> | undefined
  if (existing !== undefined && existing.size < MAX_REMEMBERED) return existing
  const made = new Map<string, V>()
  memory.set(kind, made)
  return made
}

export const noBlockYet = (): TonError => new TonError('UNAVAILABLE', 'the index has no block yet', { retryAfter: 1 })

const readHeadRow = async (rows: RunQuery): Promise<Begun & { readonly isChanging: boolean }> => {
  const [row] = await rows(HEAD_QUERY)
  if (!row) throw noBlockYet()
  return { place: headOfRow(row), changes: row.changes, isChanging: row.isChanging }
}

/** Reads only the head. Rejects with the same errors as readIndex. */
export const readHead = async (reader: Reader, signal: AbortSignal): Promise<IndexHead> => {
  const { place } = await readHeadRow((query) => reader.rows(query, signal))
  reader.admit?.({ epoch: place.epoch, seqno: place.head })
  return place
}

/** Collects what to do after the check that the read was consistent, and records whether the answer reads more rows while it is sent. */
const createPostRead = () => {
  const puts: (() => void)[] = []
  let isStreaming = false
  return {
    whenConsistent: (put: () => void): void => void puts.push(put),
    hold(): void {
      isStreaming = true
    },
    put(): void {
      for (const put of puts) put()
    },
    isStreaming: () => isStreaming,
  }
}
type PostRead = ReturnType<typeof createPostRead>

const pointOf = ({ epoch, head }: IndexHead) => ({ epoch, seqno: head })

/** Returns the cache that all snapshots of a server at one head share. */
const memoryOf = (lastHead: RememberedHead, place: IndexHead): Map<string, unknown> => {
  const { seen } = lastHead
  if (seen !== undefined && isSameHead(seen.place, place)) return seen.memory
  const memory = new Map<string, unknown>()
  // This snapshot may have begun before the one that set `seen`. An older head must not replace a newer one.
  if (seen === undefined || comparePositions(pointOf(place), pointOf(seen.place)) >= 0) lastHead.seen = { place, memory }
  return memory
}

interface ViewOptions {
  readonly place: IndexHead
  readonly memory: Map<string, unknown>
  readonly rows: RunQuery
  readonly postRead: PostRead
  readonly reader: Reader
  readonly signal: AbortSignal
}

const createView = ({ place, memory, rows, postRead, reader, signal }: ViewOptions): View => ({
  head: place.head,
  first: place.first,
  utime: place.utime,
  epoch: place.epoch,
  testOnly: place.network === 'testnet',
  isDistributed: place.isDistributed,
  place,
  sql: reader.sql,
  rows,
  signal,
  memory,
  whenConsistent: postRead.whenConsistent,
  hold: postRead.hold,
  expectBytes() {},
})

/**
 * Repeats a read that overlapped with a revert or a removal of history on a cluster. Waits until such a change is finished, and gives up at the second
 * change during a read.
 */
const untilWhole = async <T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> => {
  const changing = createPatience(signal)
  let hasChanged = false
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (error instanceof ChangingError) await changing.wait()
      else if (!(error instanceof ChangedError)) throw error
      else if (hasChanged) throw new TonError('UNAVAILABLE', 'the index was changed twice while the answer was read', { retryAfter: 1 })
      else hasChanged = true
    }
  }
}

/**
 * Runs reads within one snapshot, up to the published head. Throws UNAVAILABLE while the index is empty. `finish` makes the answer from what was read; it
 * runs once. `isShort`: the read finds a few rows by key, so it may share a snapshot (shared-snapshots.ts).
 * A Citus cluster has no snapshot across its nodes. Some nodes have rows above the head, which every query excludes. A read is repeated if the chain was
 * reverted or history was removed meanwhile (unfinished-changes.ts).
 */
export const readIndex = async <Found, T = Found>(
  reader: Reader,
  signal: AbortSignal,
  read: (view: View) => Promise<Found>,
  finish?: (found: Found, view: View) => Promise<T> | T,
  isShort = false,
): Promise<T> => {
  const finished = async (found: Found, view: View, postRead: PostRead): Promise<T> => {
    postRead.put()
    return finish ? await finish(found, view) : (found as unknown as T)
  }
  const run = async (): Promise<T> => {
    const done = await reader.snapshot(
      async (rows, lastHead = {}) => {
        const { place, changes, isChanging } = await readHeadRow(rows)
        reader.admit?.({ epoch: place.epoch, seqno: place.head })
        if (place.isDistributed && isChanging) throw new ChangingError()
        const postRead = createPostRead()
        const view = createView({ place, memory: memoryOf(lastHead, place), rows, postRead, reader, signal })
        const found = await read(view)
        return place.isDistributed && !postRead.isStreaming()
          ? { found, view, postRead, changes }
          : { answer: await finished(found, view, postRead) }
      },
      signal,
      isShort,
    )
    if ('answer' in done) return done.answer as T
    const { found, view, postRead, changes } = done
    await refuseChanged({ place: view.place, changes }, (query) => reader.rows(query, signal))
    return await finished(found, view, postRead)
  }
  return await untilWhole(signal, run)
}
