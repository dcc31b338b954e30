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

export interface StatusBoard {
  status(): IndexStatus
  update(change: Partial<IndexStatus>): void
  /** Resolves when `seqno` is reached; rejects with the signal's reason when `caller` aborts or the service stops. */
  reached(seqno: number, caller: AbortSignal): Promise<void>
}

/** `onSeqno` is called with each new `seqno`, before the promises of `reached` resolve. */
export const createStatusBoard = (stopping: AbortSignal, onSeqno?: (seqno: number) => void): StatusBoard => {
  let status = STARTING
  const waiting = new Set<() => void>()
  const wakeAll = (): void => {
    for (const wake of [...waiting]) wake()
  }
  stopping.addEventListener('abort', wakeAll, { once: true })
  return {
    status: () => status,
    update(change) {
      if (change.seqno !== undefined && change.seqno !== status.seqno) onSeqno?.(change.seqno)
      // A change of `error` clears the previous `cause`.
      status = { ...status, ...(change.error !== undefined && { cause: '' }), ...change }
      status = { ...status, lag: Math.max(0, status.head - Math.max(0, status.seqno)) }
      wakeAll()
    },
    async reached(seqno, caller) {
      while (status.seqno < seqno) {
        caller.throwIfAborted()
        stopping.throwIfAborted()
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake)
            caller.removeEventListener('abort', wake)
            resolve()
          }
          waiting.add(wake)
          caller.addEventListener('abort', wake, { once: true })
        })
      }
    },
  }
}
