import { createFairLine } from '../base/fair-line.ts'
import { createUsage } from '../base/recent-use.ts'

/*
 * Chooses the next job. A get-method may loop until its gas is used up, which takes long. In a single queue, a few such runs would delay all callers. So jobs
 * of the caller and the contract that recently used the least gas run first. Gas is counted instead of time, because time also depends on the load of the
 * machine. But cells and values are read and written without gas, so a run counts at least by the processor time of its thread. If there are two or more
 * workers, contracts with long runs never occupy all of them.
 */

export interface Owner {
  /** The caller; empty for the service itself. */
  readonly client: string
  /** The account that runs; empty if there is none. */
  readonly contract: string
}

export interface Running {
  /**
   * Must be called when the worker is free again. `gas`: what the job used, if the worker reported it. `ms`: processor time of the job; NaN if it is unknown.
   */
  end(gas?: number, ms?: number): void
}

/** Half-life of the gas that is counted for a client or a contract, ms. */
const HALF_LIFE = 2_000
/** Runs with more gas than this are long and may not occupy all workers. For scale: a wallet's seqno takes 600, a token's data 10,000. */
const LONG = 250_000
/** Gas that is assumed for a contract without earlier runs. It is more than a short run uses. */
const UNKNOWN = 125_000
/** Gas per millisecond of a run that has not ended, or whose gas was not reported. A run that ended counts at least as much for its processor time. */
const GAS_PER_MS = 1_000

interface Start {
  readonly owner: Owner
  readonly at: number
  readonly long: boolean
}

/** `most` is the maximum number of waiting jobs. `now` returns monotonic milliseconds. */
export const createFairQueue = <T>(most: number, now: () => number = () => performance.now()) => {
  const running = new Set<Start>()
  const clients = createUsage(HALF_LIFE, now)
  const contracts = createUsage(HALF_LIFE, now)
  const line = createFairLine<T, Owner>({
    most,
    clientOf: ({ client }) => client,
    usedBy: clients.of,
  })

  let latest: Owner | undefined

  const gasSoFar = (start: Start, at: number): number => (at - start.at) * GAS_PER_MS

  /** Recent gas of an owner's client and contract, including running jobs, plus the expected gas of the next run. */
  const usedBy = ({ client, contract }: Owner, at: number): number => {
    let used = clients.of(client, at) + contracts.of(contract, at) + (contracts.meanOf(contract) ?? UNKNOWN)
    for (const start of running) {
      const gas = gasSoFar(start, at)
      if (start.owner.client === client) used += gas
      if (start.owner.contract === contract) used += gas
    }
    return used
  }

  /**
   * Earlier runs of a contract show whether it is long. A contract without earlier runs is short, unless its client has a run that goes on, or has used much
   * gas recently. Otherwise a client could occupy all workers with a new contract for each run.
   */
  const isLong = ({ client, contract }: Owner, at: number): boolean => {
    const mean = contracts.meanOf(contract)
    if (mean !== undefined || client === '') return (mean ?? 0) > LONG
    return clients.of(client, at) > LONG || [...running].some(({ owner }) => owner.client === client)
  }

  const begin = (owner: Owner): Running => {
    const at = now()
    const start: Start = { owner, at, long: isLong(owner, at) }
    running.add(start)
    return {
      end(gas = gasSoFar(start, now()), ms = Number.NaN) {
        if (!running.delete(start)) return
        const used = Math.max(gas, (ms || 0) * GAS_PER_MS)
        clients.add(owner.client, used)
        contracts.add(owner.contract, used)
      },
    }
  }

  return {
    get size() {
      return line.size
    },
    /** Adds a job. If the queue is full, returns the job that the caller must refuse (fair-line.ts). This can be the new job. */
    push(job: T, owner: Owner): T | undefined {
      // Jobs of one owner that come together share an object, so that its cost is computed once.
      if (owner.client !== latest?.client || owner.contract !== latest.contract) latest = owner
      return line.push(job, latest)
    },
    /** Removes the next job and starts to count its gas; undefined if no job may run now. `workers` is the maximum number of workers. */
    next(workers: number): { readonly job: T; readonly running: Running } | undefined {
      const at = now()
      const busyWithLong = [...running].filter((start) => start.long || gasSoFar(start, at) > LONG).length
      const isFull = workers > 1 && busyWithLong >= workers - 1
      const next = line.next((owner) => (isFull && isLong(owner, at) ? Number.POSITIVE_INFINITY : usedBy(owner, at)))
      return next && { job: next.job, running: begin(next.owner) }
    },
    remove: line.remove,
    drain: line.drain,
  }
}
