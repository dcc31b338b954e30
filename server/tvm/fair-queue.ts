import { createUsage } from './usage.ts'

/*
 * Who goes next. A get-method may loop until its gas is used up, which takes an emulator seconds. In one line everybody would wait behind eight of
 * those. So the caller and the contract that used the least gas lately go first. Gas is counted and not time, because time also tells how busy the
 * machine is. Contracts whose runs are long never hold all workers at once.
 */

/** Whose time a job takes. */
export interface Owner {
  /** Who asked; empty for the service itself. */
  readonly client: string
  /** What runs: an account; empty where that is not one. */
  readonly contract: string
}

/** A job that is with a worker. */
export interface Running {
  /** Called when the worker is free again, with the gas that was used, where that is known. */
  end(gas?: number): void
}

export interface FairQueue<T> {
  readonly size: number
  /** Puts a job into the queue. Where that is full, gives the job that has to leave: the newest of the client with the most jobs, maybe this one. */
  push(job: T, owner: Owner): T | undefined
  /** Takes the job whose turn it is; undefined where none may run now. `workers`: how many there are, busy ones too. */
  next(workers: number): { readonly job: T; readonly running: Running } | undefined
  remove(job: T): void
  /** Empties it. */
  drain(): T[]
}

/** Gas of one run from which on it is one of those that may not hold all workers: a wallet's seqno takes 600, a token's data 10,000. */
const LONG = 250_000
/** Gas that a contract which never ran is taken to use: more than a short one. */
const UNKNOWN = 125_000
/** Gas that a run is taken to use in a millisecond while it has not ended, or where it did not tell. */
const GAS_PER_MS = 1_000

interface Entry<T> {
  readonly job: T
  readonly owner: Owner
  /** Order of arrival. */
  readonly place: number
}

interface Start {
  readonly owner: Owner
  readonly at: number
  /** Known to be long before it ran. */
  readonly long: boolean
}

/** `most`: jobs that wait at once. `now`: milliseconds that never go back. */
export const createFairQueue = <T>(most: number, now: () => number = () => performance.now()): FairQueue<T> => {
  /** Jobs of one owner, in their order of arrival. */
  const lines = new Map<string, Entry<T>[]>()
  const waiting = new Map<string, number>()
  const running = new Set<Start>()
  const clients = createUsage(now)
  const contracts = createUsage(now)
  let size = 0
  let place = 0

  const keyOf = ({ client, contract }: Owner): string => `${client} ${contract}`

  const leave = (line: Entry<T>[], at: number): Entry<T> => {
    const [entry] = line.splice(at, 1)
    const { owner } = entry!
    if (line.length === 0) lines.delete(keyOf(owner))
    const left = waiting.get(owner.client)! - 1
    if (left > 0) waiting.set(owner.client, left)
    else waiting.delete(owner.client)
    size--
    return entry!
  }

  /** The newest job of the client who has the most. */
  const greediest = (): T => {
    const [client] = [...waiting].reduce((a, b) => (b[1] > a[1] ? b : a))
    const own = [...lines.values()].filter((line) => line[0]!.owner.client === client)
    const line = own.reduce((a, b) => (b.at(-1)!.place > a.at(-1)!.place ? b : a))
    return leave(line, line.length - 1).job
  }

  const gasSoFar = ({ at }: Start): number => (now() - at) * GAS_PER_MS

  /** Gas that an owner's client and contract used lately, jobs that still run included, and what the next run is likely to add. */
  const usedBy = ({ client, contract }: Owner): number => {
    let used = clients.of(client) + contracts.of(contract) + (contracts.meanOf(contract) ?? UNKNOWN)
    for (const start of running) {
      const gas = gasSoFar(start)
      if (start.owner.client === client) used += gas
      if (start.owner.contract === contract) used += gas
    }
    return used
  }

  /** One that never ran is taken to be short: it is found out soon. */
  const isLong = ({ contract }: Owner): boolean => (contracts.meanOf(contract) ?? 0) > LONG

  const begin = (owner: Owner): Running => {
    const start: Start = { owner, at: now(), long: isLong(owner) }
    running.add(start)
    return {
      end(gas = gasSoFar(start)) {
        if (!running.delete(start)) return
        clients.add(owner.client, gas)
        contracts.add(owner.contract, gas)
      },
    }
  }

  return {
    get size() {
      return size
    },
    push(job, owner) {
      const key = keyOf(owner)
      const line = lines.get(key) ?? []
      line.push({ job, owner, place: place++ })
      lines.set(key, line)
      waiting.set(owner.client, (waiting.get(owner.client) ?? 0) + 1)
      size++
      return size > most ? greediest() : undefined
    },
    next(workers) {
      const held = [...running].filter((start) => start.long || gasSoFar(start) > LONG).length
      const isFull = workers > 1 && held >= workers - 1
      let best: Entry<T>[] | undefined
      let least = Number.POSITIVE_INFINITY
      for (const line of lines.values()) {
        const { owner, place: arrived } = line[0]!
        if (isFull && isLong(owner)) continue
        const used = usedBy(owner)
        if (used > least || (used === least && arrived > best![0]!.place)) continue
        best = line
        least = used
      }
      if (best === undefined) return undefined
      const { job, owner } = leave(best, 0)
      return { job, running: begin(owner) }
    },
    remove(job) {
      for (const line of lines.values()) {
        const at = line.findIndex((entry) => entry.job === job)
        if (at >= 0) return void leave(line, at)
      }
    },
    drain() {
      const jobs = [...lines.values()].flat().sort((a, b) => a.place - b.place)
      lines.clear()
      waiting.clear()
      size = 0
      return jobs.map(({ job }) => job)
    },
  }
}
