import { untilAborted } from '../../base/abort.ts'
import { createDeferred } from '../../base/promises/deferred.ts'
import type { IndexStatus } from '../../metrics/figures.ts'

export const STARTING: IndexStatus = {
  phase: 'starting',
  seqno: -1,
  head: 0,
  first: 1,
  lag: 0,
  transactions: 0,
  blocksPerSecond: 0,
  transactionsPerSecond: 0,
  secondsLeft: 0,
  failedTraces: 0,
  leftOut: 0,
  tracesLeft: 0,
  error: '',
  cause: '',
}

export type StatusBoard = ReturnType<typeof createStatusBoard>

/** `onSeqno` is called with each new `seqno`, before the promises of `reached` resolve. */
export const createStatusBoard = (stopping: AbortSignal, onSeqno?: (seqno: number) => void) => {
  let status = STARTING
  let change = createDeferred()
  stopping.addEventListener('abort', () => change.resolve(), { once: true })
  return {
    status: (): IndexStatus => status,
    update(members: Partial<IndexStatus>): void {
      if (members.seqno !== undefined && members.seqno !== status.seqno) onSeqno?.(members.seqno)
      // A change of `error` clears the previous `cause`.
      status = { ...status, ...(members.error !== undefined && { cause: '' }), ...members }
      status = { ...status, lag: Math.max(0, status.head - Math.max(0, status.seqno)) }
      change.resolve()
      change = createDeferred()
    },
    /** Resolves when `seqno` is reached; rejects with the signal's reason when `caller` aborts or the service stops. */
    async reached(seqno: number, caller: AbortSignal): Promise<void> {
      while (status.seqno < seqno) {
        stopping.throwIfAborted()
        await untilAborted(change.promise, caller)
      }
    },
  }
}
