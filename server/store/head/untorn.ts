import { TonError } from '../../../shared/errors.ts'
import type { Ask, AskShards, Loose, Reader, Spread } from '../postgres/pool.ts'
import type { IndexPlace } from '../schema/head.ts'
import { isSamePlace, PLACE, PLACE_AND_SHARDS, type PlaceRow, placeOfRow } from './place.ts'

/*
 * Reads of one moment without a transaction, for a Citus cluster. There a transaction makes no snapshot: each node has one of its own, and a block can be committed
 * on one node earlier than on another. But every writer moves the checkpoint in the same transaction (its block, or its number of changes), and tells that in `published_head`
 * after the commit on all nodes. So if both rows are the same before a read, and still so after it, nothing was written meanwhile, on any node. Otherwise the answer is read again, in
 * a transaction. During a change that no block makes (a revert, removed history) that would not be of one moment either: it waits for the end of the change.
 */

/** The place of the index, and whether no block is being written. */
export interface SettledPlace {
  readonly place: IndexPlace
  readonly isSettled: boolean
  /** The last change that no block made. */
  readonly changes: string
}

/** Something was written while a read without a transaction ran, or just before. */
export class TornError extends Error {}

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
  row(): Promise<(PlaceRow & { readonly shards?: string }) | undefined>
}

export const createAfter = (rows: Ask, { spread }: Loose): After => {
  let asked: ReturnType<After['row']> | undefined
  /** Reads that are not answered yet. */
  let open = 0
  let isLast = false
  const ask = async (): ReturnType<After['row']> => (await rows(spread ? PLACE_AND_SHARDS : PLACE))[0]
  const begin = (): void => {
    if (asked !== undefined) return
    asked = ask()
    asked.catch(() => {})
  }
  return {
    begin,
    async during(read) {
      asked = undefined
      open++
      try {
        return await read()
      } finally {
        open--
        if (isLast && open === 0) {
          begin()
          // Statements leave in a tick, and the answer would be made before it.
          await new Promise<void>((resolve) => process.nextTick(resolve))
        }
      }
    },
    expectLast() {
      isLast = true
    },
    row: () => asked ?? ask(),
  }
}

/** Whether nothing was written since a place, and the shards are still where they were read. */
const isStill = async (at: SettledPlace, after: After, { spread }: Loose): Promise<boolean> => {
  const row = await after.row()
  if (row === undefined) return false
  if (spread && row.shards !== spread.version) {
    spread.doubt()
    return false
  }
  return row.isSettled && row.changes === at.changes && isSamePlace(placeOfRow(row), at.place)
}

/** What was read, if nothing was written meanwhile; otherwise throws TornError. `at`: the place before it. */
export const untorn = async <T>(at: SettledPlace, reading: Promise<T>, after: After, loose: Loose): Promise<T> => {
  reading.catch(() => {})
  if (!at.isSettled) throw new TornError()
  const isWhole = (): Promise<boolean> => isStill(at, after, loose)
  let found: T
  try {
    found = await reading
  } catch (error) {
    // Rows of two moments can also fail to fit together. If the connection is lost, the first error says why.
    if (await isWhole().catch(() => true)) throw error
    throw new TornError()
  }
  if (!(await isWhole())) throw new TornError()
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
