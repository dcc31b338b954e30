import { untilAborted } from '../../base/abort.ts'
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
  let wakeAll = (): void => {}
  const nextChange = (): Promise<void> =>
    new Promise((resolve) => {
      wakeAll = resolve
    })
  let changed = nextChange()
  stopping.addEventListener('abort', () => wakeAll(), { once: true })
  return {
    status: (): IndexStatus => status,
    update(change: Partial<IndexStatus>): void {
      if (change.seqno !== undefined && change.seqno !== status.seqno) onSeqno?.(change.seqno)
      // A change of `error` clears the previous `cause`.
      status = { ...status, ...(change.error !== undefined && { cause: '' }), ...change }
      status = { ...status, lag: Math.max(0, status.head - Math.max(0, status.seqno)) }
      wakeAll()
      changed = nextChange()
    },
    /** Resolves when `seqno` is reached; rejects with the signal's reason when `caller` aborts or the service stops. */
    async reached(seqno: number, caller: AbortSignal): Promise<void> {
      while (status.seqno < seqno) {
        stopping.throwIfAborted()
        await untilAborted(changed, caller)
      }
    },
  }
}
