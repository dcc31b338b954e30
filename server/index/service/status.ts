/** What /status tells of the index. */
export interface IndexStatus {
  /** `refused`: a person has to put something right. */
  readonly phase: 'starting' | 'waiting' | 'backfill' | 'following' | 'failing' | 'refused' | 'stopped'
  /** Last masterchain seqno that readers see; -1 before the first. */
  readonly seqno: number
  /** The chain's own. */
  readonly head: number
  /** The first masterchain block that is indexed. */
  readonly first: number
  /** Masterchain blocks. */
  readonly lag: number
  /** Indexed by this process. */
  readonly transactions: number
  /** Masterchain blocks; both speeds are over the last ten seconds. */
  readonly blocksPerSecond: number
  readonly transactionsPerSecond: number
  /** Seconds until the head is reached, at the present speed; 0 when following, and before a speed is known. */
  readonly secondsLeft: number
  /** Traces whose actions could not be told in full, since this process began. */
  readonly failedTraces: number
  /** Complete traces whose actions are still to be derived, where another release indexed them. */
  readonly tracesLeft: number
  /** The last failure, for people; empty when all is well. */
  readonly error: string
  /** Where it is one of the database: what that is short of, without names of hosts and files. */
  readonly cause: string
}

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
  tracesLeft: 0,
  error: '',
  cause: '',
}

/** A status that can be waited on. */
export interface StatusBoard {
  status(): IndexStatus
  tell(change: Partial<IndexStatus>): void
  /** Resolves when `seqno` is reached; rejects with the reason of either signal. */
  reached(seqno: number, caller: AbortSignal): Promise<void>
}

export const createStatusBoard = (stopping: AbortSignal): StatusBoard => {
  let status = STARTING
  const waiting = new Set<() => void>()
  const wakeAll = (): void => {
    for (const wake of [...waiting]) wake()
  }
  stopping.addEventListener('abort', wakeAll, { once: true })
  return {
    status: () => status,
    tell(change) {
      // A new failure, or none, ends the cause of the one before.
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
