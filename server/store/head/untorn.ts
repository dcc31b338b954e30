import { TonError } from '../../../shared/errors.ts'
import type { Ask, AskShards, Loose, Reader, Spread } from '../postgres/pool.ts'
import type { IndexPlace } from '../schema/head.ts'
import { isSamePlace, PLACE, PLACE_AND_SHARDS, type PlaceRow, placeOfRow } from './place.ts'

/*
 * Reads of one moment without a transaction, for a Citus cluster. There a transaction makes no snapshot: each node has one of its own, and a block can be committed
 * on one node earlier than on another. But every writer moves the checkpoint in the same transaction (its block, or its number of changes), and tells that in `published_head`
 * after the commit on all nodes. So if both rows are the same before a read, and still so after it, nothing was written meanwhile, on any node. Otherwise the answer is read again, in
 * a transaction. During a change that no block makes (a revert, removed history) that would not be of one moment either: it waits for the end of the change.
 *
 * No state of the index comes back: blocks, epochs and changes only grow, or the epoch does. So what the check after one read found is as good as a look before the next one, however long ago it was.
 *
 * Where the shards are is checked for each new place, and once a second. A shard that moves has its rows at the old node too until Citus removes them, and without a write they stay the same.
 * Fetched metadata of tokens is written without a new place, so it may be a second old then.
 */

/** The place of the index, and whether no block is being written. */
export interface SettledPlace {
  readonly place: IndexPlace
  readonly isSettled: boolean
  /** The last change that no block made. */
  readonly changes: string
  /** The last time that actions were derived anew. */
  readonly actions: string | null
}

/** Something was written while a read without a transaction ran, or just before. */
export class TornError extends Error {}

/** The check after the read has found that the index is at another place by now, where nothing is being written. */
export class ElsewhereError extends TornError {}

/** Asks nodes. What they cannot answer is read again of the coordinator, which tells why. */
export const spreading =
  (spread: Spread, signal: AbortSignal): AskShards =>
  async (query, planned, values) => {
    try {
      return await spread.rows(query, planned, values)
    } catch (error) {
      if (signal.aborted || (error instanceof TonError && error.kind === 'SOURCE_TIMEOUT')) throw error
      throw new TornError()
    }
  }

/** Asks for the place after a read. */
export interface After {
  /** All has been read: it is asked for now, while the answer is made. */
  begin(): void
  /** Something more is read, so what was asked for is of too early. Its answer begins the check if it is the last. */
  during<T>(read: () => Promise<T>): Promise<T>
  /** What is asked for from now on is most likely the last of the read: once all of it is answered, the check begins. */
  expectLast(): void
  /** Something that the check's server reads. Where the last reads are expected, it waits for the others and leaves together with the check. */
  late<T>(read: () => Promise<T>): Promise<T>
  row(): Promise<(PlaceRow & { readonly shards?: string }) | undefined>
}

/** `asksShards`: it is not known where the shards are. */
export const createAfter = (rows: Ask, asksShards: boolean): After => {
  let asked: ReturnType<After['row']> | undefined
  /** Reads that are not answered yet. */
  let open = 0
  let isLast = false
  const ask = async (): ReturnType<After['row']> => (await rows(asksShards ? PLACE_AND_SHARDS : PLACE))[0]
  const begin = (): void => {
    if (asked !== undefined) return
    asked = ask()
    asked.catch(() => {})
  }
  let waiting: (() => void)[] = []
  /** Sends what has waited, and the check after it. */
  const beginLast = (): void => {
    if (open > 0) return
    const late = waiting
    waiting = []
    for (const send of late) send()
    begin()
  }
  const during = async <T>(read: () => Promise<T>): Promise<T> => {
    asked = undefined
    open++
    try {
      return await read()
    } finally {
      open--
      if (isLast && open === 0) {
        beginLast()
        // Statements leave in a tick, and the answer would be made before it.
        await new Promise<void>((resolve) => process.nextTick(resolve))
      }
    }
  }
  return {
    begin,
    during,
    expectLast() {
      isLast = true
    },
    late<T>(read: () => Promise<T>) {
      if (!isLast) return during(read)
      return new Promise<T>((resolve, reject) => {
        waiting.push(() => {
          asked = undefined
          read().then(resolve, reject)
        })
        // Others that are asked for at the same time count as open by then.
        process.nextTick(beginLast)
      })
    },
    row: () => asked ?? ask(),
  }
}

/** Throws if something was written since a place, or if the shards are not where they were read. */
const mustBeStill = async (at: SettledPlace, after: After, { spread }: Loose): Promise<void> => {
  const row = await after.row()
  if (!row?.isSettled) throw new TornError()
  // Where shards are is not always asked for.
  const isElsewhere = spread !== undefined && row.shards !== undefined && row.shards !== spread.version
  if (isElsewhere) spread.doubt()
  if (isElsewhere || row.changes !== at.changes || row.actions !== at.actions || !isSamePlace(placeOfRow(row), at.place))
    throw new ElsewhereError()
}

/** What was read, if nothing was written meanwhile; otherwise throws TornError, or ElsewhereError. `at`: the place before it. */
export const untorn = async <T>(at: SettledPlace, reading: Promise<T>, after: After, loose: Loose): Promise<T> => {
  reading.catch(() => {})
  if (!at.isSettled) throw new TornError()
  let found: T
  try {
    found = await reading
  } catch (error) {
    // Rows of two moments can also fail to fit together. If the connection is lost, the first error says why.
    await mustBeStill(at, after, loose).catch((other) => {
      throw other instanceof TornError ? other : error
    })
    throw error
  }
  await mustBeStill(at, after, loose)
  return found
}

/** Milliseconds for which reads are made in transactions after one that was torn: commits take about as long. */
const COMMIT_MS = 200

/** When a read was torn last (performance.now()). */
const torn = new WeakMap<Reader, number>()

/** How the next read is made. */
export const readsBy = (reader: Reader): 'checks' | undefined =>
  performance.now() - (torn.get(reader) ?? Number.NEGATIVE_INFINITY) < COMMIT_MS ? undefined : 'checks'

/** Notes that a read was torn; returns how it is made again. */
export const noteTorn = (reader: Reader): undefined => {
  torn.set(reader, performance.now())
}
