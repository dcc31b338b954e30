import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../../shared/errors.ts'
import type { RunQuery } from '../postgres/reader.ts'
import { HEAD_QUERY, type HeadRow } from './index-head.ts'

/*
 * On a Citus cluster, a revert or a removal of history reaches one node after the other, so a read could see old rows on one node and new rows on another.
 * Reads wait until all nodes show the change. If a node is lost meanwhile, reads wait until the node is back and the indexer has finished the change.
 */

/** Thrown when a read begins while a revert or a removal of history is being committed. */
export class ChangingError extends Error {}

/** Thrown when a revert or a removal of history was begun or committed during a read. */
class ChangedError extends Error {}

const PATIENCE_MS = 2_000
const PAUSE_MS = 10

/**
 * Throws ChangedError if a revert or a removal of history was committed since the read began with this head. A replica that is further behind shows fewer
 * changes, which is no error.
 */
export const refuseChanged = async ({ epoch, changes }: Pick<HeadRow, 'epoch' | 'changes'>, rows: RunQuery): Promise<void> => {
  const [row] = await rows(HEAD_QUERY)
  if (row === undefined || row.epoch > epoch || row.changes > changes) throw new ChangedError()
}

/**
 * Repeats a read that overlapped with a revert or a removal of history. Waits until such a change is finished, at most PATIENCE_MS in total, and gives up at
 * the second change during a read.
 */
export const untilWhole = async <T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> => {
  let until: number | undefined
  let hasChanged = false
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (error instanceof ChangingError) {
        until ??= performance.now() + PATIENCE_MS
        if (performance.now() > until)
          throw new TonError('UNAVAILABLE', 'the index is being changed: a node of its cluster has not finished', { retryAfter: 1 })
        // sleep() rejects with an AbortError of its own. Callers expect the reason of their signal.
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
      } else if (!(error instanceof ChangedError)) throw error
      else if (hasChanged) throw new TonError('UNAVAILABLE', 'the index was changed twice while the answer was read', { retryAfter: 1 })
      else hasChanged = true
    }
  }
}
