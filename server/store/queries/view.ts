import { TonError } from '../../../shared/errors.ts'
import { HEAD_QUERY, headOfRow, isSameHead } from '../head/index-head.ts'
import { type Begun, ChangedError, ChangingError, createPatience, refuseChanged } from '../head/unfinished-changes.ts'
import type { Reader, RememberedHead, RunQuery } from '../postgres/reader.ts'
import { comparePositions } from '../replicas/floor.ts'
import type { IndexHead } from '../schema/head.ts'

/** The data source of one answer: one snapshot of the database, and the newest block that may be read. */
export interface View {
  /** Builds statements. */
  readonly sql: Reader['sql']
  /** Runs one statement within the snapshot. Statements that are not awaited in between are sent together. */
  readonly rows: RunQuery
  /** The newest published masterchain block, and the first one whose history is stored. */
  readonly head: number
  readonly first: number
  /** Unix seconds of the head. It decides whether something (such as an auction) is over. */
  readonly utime: number
  /** Grows with every revert of the chain, and with every new index. */
  readonly epoch: number
  /** Whether friendly addresses are written with the test-only flag. */
  readonly testOnly: boolean
  /** The same as one value. */
  readonly place: IndexHead
  /** Whether the database is a Citus cluster: it cannot join rows that are not on the same shard. */
  readonly isDistributed: boolean
  readonly signal: AbortSignal
  /** What was read at this head and may be used again until the next head (see remembered). */
  readonly memory: Map<string, unknown>
  /** Runs `put` once it is certain that no change of a cluster came in between. Write to `memory` only in `put`. */
  readonly whenConsistent: (put: () => void) => void
  /** Call it if more is read while the answer is sent: it cannot be read again then. */
  readonly hold: () => void
  /** Call it before large values are read, with their length. Throws if the answer may not have so many. */
  readonly expectBytes: (bytes: number) => void
}

/** Largest number of entries of one kind that are remembered at a head. */
const MAX_REMEMBERED = 20_000

/** Cached values of one kind at the head of a view, by a name. */
export const remembered = <V>({ memory }: View, kind: string): Map<string, V> => {
  const existing = memory.get(kind) as Map<string, V> | undefined
  if (existing !== undefined && existing.size < MAX_REMEMBERED) return existing
  const made = new Map<string, V>()
  memory.set(kind, made)
  return made
}

/** The error of a read while the index has no block. */
export const noBlockYet = (): TonError => new TonError('UNAVAILABLE', 'the index has no block yet', { retryAfter: 1 })

const readHeadRow = async (rows: RunQuery): Promise<Begun & { readonly isChanging: boolean }> => {
  const [row] = await rows(HEAD_QUERY)
  if (!row) throw noBlockYet()
  return { place: headOfRow(row), changes: row.changes, isChanging: row.isChanging }
}

/** Reads the head alone. Rejects as readIndex does. */
export const readHead = async (reader: Reader, signal: AbortSignal): Promise<IndexHead> => {
  const { place } = await readHeadRow((query) => reader.rows(query, signal))
  reader.admit?.({ epoch: place.epoch, seqno: place.head })
  return place
}

/** What a read does once it is certain that it saw one moment, and whether it goes on while its answer is sent. */
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

/** The cache of the snapshots of a server at one head. */
const memoryOf = (lastHead: RememberedHead, place: IndexHead): Map<string, unknown> => {
  const { seen } = lastHead
  if (seen !== undefined && isSameHead(seen.place, place)) return seen.memory
  const memory = new Map<string, unknown>()
  // A snapshot that began before another one may end after it.
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

/** Tries a read until no change of a cluster came in between. */
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
 * Runs reads within one snapshot, up to the published head. Throws UNAVAILABLE while nothing is indexed. `finish` makes the answer of what was read; it runs
 * once. `isShort`: a few rows are found by their key, so the snapshot may be shared (shared-snapshots.ts).
 *
 * A Citus cluster has no snapshot of all its nodes. There rows above the head are on some nodes, and no query takes them; and if the chain was reverted or history removed
 * meanwhile, all is read again (changing.ts).
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
