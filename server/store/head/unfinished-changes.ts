import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../../shared/errors.ts'
import type { RunQuery } from '../postgres/reader.ts'
import type { IndexHead } from '../schema/head.ts'
import { HEAD_QUERY } from './index-head.ts'

/*
 * Changes that no block makes (a revert, removed history) on a Citus cluster. From their commit at the coordinator until all nodes show them, even a transaction
 * sees some nodes before and some after them. A read waits until that is over. If a node is lost in between, it is over when the node is back and the index has made it finish.
 */

/** Such a change is being committed. */
export class ChangingError extends Error {}

/** Such a change was committed, or begun to be, while a read ran. */
export class ChangedError extends Error {}

/** Milliseconds that a read waits in all, and between two tries. */
const PATIENCE_MS = 2_000
const PAUSE_MS = 10

/** Waits for the end of changes, but not longer than a caller likes to. */
export const createPatience = (signal: AbortSignal) => {
  let until: number | undefined
  return {
    async wait(): Promise<void> {
      until ??= performance.now() + PATIENCE_MS
      if (performance.now() > until)
        throw new TonError('UNAVAILABLE', 'the index is being changed: a node of its cluster has not finished', { retryAfter: 1 })
      // The error is the caller's reason, not that of the timer.
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    },
  }
}

/** What a read saw when it began. */
export interface Begun {
  readonly place: IndexHead
  readonly changes: string
}

/** Throws ChangedError if such a change was committed since a read began. A replica that is further behind than the one that was read knows no later change. */
export const refuseChanged = async ({ place, changes }: Begun, rows: RunQuery): Promise<void> => {
  const [row] = await rows(HEAD_QUERY)
  if (row === undefined || Number(row.epoch) > place.epoch || BigInt(row.changes) > BigInt(changes)) throw new ChangedError()
}
