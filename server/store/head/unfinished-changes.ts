import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../../shared/errors.ts'
import type { RunQuery } from '../postgres/reader.ts'
import type { IndexHead } from '../schema/head.ts'
import { HEAD_QUERY } from './index-head.ts'

/*
 * On a Citus cluster, a revert or a removal of history reaches one node after the other, so a read could see old rows on one node and new rows on another.
 * Reads wait until all nodes show the change. If a node is lost meanwhile, reads wait until the node is back and the indexer has finished the change.
 */

/** Thrown when a read begins while a revert or a removal of history is being committed. */
export class ChangingError extends Error {}

/** Thrown when a revert or a removal of history was begun or committed during a read. */
export class ChangedError extends Error {}

const PATIENCE_MS = 2_000
const PAUSE_MS = 10

/** Creates the pause between the attempts of a read. It throws UNAVAILABLE after PATIENCE_MS in total. */
export const createPatience = (signal: AbortSignal) => {
  let until: number | undefined
  return {
    async wait(): Promise<void> {
      until ??= performance.now() + PATIENCE_MS
      if (performance.now() > until)
        throw new TonError('UNAVAILABLE', 'the index is being changed: a node of its cluster has not finished', { retryAfter: 1 })
      // sleep() rejects with an AbortError of its own. Callers expect the reason of their signal.
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    },
  }
}

export interface Begun {
  readonly place: IndexHead
  readonly changes: string
}

/**
 * Throws ChangedError if a revert or a removal of history was committed since the read began. A replica that is further behind shows fewer changes, which
 * is no error.
 */
export const refuseChanged = async ({ place, changes }: Begun, rows: RunQuery): Promise<void> => {
  const [row] = await rows(HEAD_QUERY)
  if (row === undefined || Number(row.epoch) > place.epoch || BigInt(row.changes) > BigInt(changes)) throw new ChangedError()
}
