/*
 * Jobs that wait in lines. Each owner has a line of its own. The next job comes from the owner with the lowest cost, so one caller with many jobs does
 * not delay the others.
 */

export interface LinesOptions<Owner> {
  /** The largest number of waiting jobs. */
  readonly most: number
  /** Owners with the same key share a line. */
  readonly keyOf: (owner: Owner) => string
  /** The caller behind an owner. */
  readonly clientOf: (owner: Owner) => string
  /** How much a client used recently. Among clients with equally many jobs it decides who loses one. */
  readonly usedBy: (client: string) => number
}

export interface Lines<T, Owner> {
  readonly size: number
  /**
   * Adds a job. If there are too many, returns the job to drop, which may be this one: the newest of the client with the most jobs, among those of the one who
   * used most. So a client who used little finds a place in a full queue.
   */
  push(job: T, owner: Owner): T | undefined
  /** Takes the first job of the owner with the lowest cost; among equals, the job that came first. An owner with an infinite cost has to wait. */
  next(costOf: (owner: Owner) => number): { readonly job: T; readonly owner: Owner } | undefined
  remove(job: T): void
  /** Removes all jobs and returns them in order of arrival. */
  drain(): T[]
}

interface Entry<T, Owner> {
  readonly job: T
  readonly owner: Owner
  /** Order of arrival. */
  readonly place: number
}

export const createLines = <T, Owner>({ most, keyOf, clientOf, usedBy }: LinesOptions<Owner>): Lines<T, Owner> => {
  /** Waiting jobs by owner, in order of arrival. */
  const lines = new Map<string, Entry<T, Owner>[]>()
  /** The line of each waiting job. */
  const lineOf = new Map<T, Entry<T, Owner>[]>()
  /** How many jobs of each client wait. */
  const waiting = new Map<string, number>()
  let size = 0
  let place = 0

  const removeAt = (line: Entry<T, Owner>[], at: number): Entry<T, Owner> => {
    const [entry] = line.splice(at, 1)
    const { job, owner } = entry!
    lineOf.delete(job)
    if (line.length === 0) lines.delete(keyOf(owner))
    const client = clientOf(owner)
    const left = waiting.get(client)! - 1
    if (left > 0) waiting.set(client, left)
    else waiting.delete(client)
    size--
    return entry!
  }

  /** Removes and returns the job to drop. */
  const greediest = (): T => {
    const jobs = Math.max(...waiting.values())
    const greedy = [...waiting].flatMap(([client, count]) => (count === jobs ? [{ client, used: usedBy(client) }] : []))
    // Among equals the client who came last.
    const { client } = greedy.reduce((a, b) => (b.used >= a.used ? b : a))
    const own = [...lines.values()].filter((line) => clientOf(line[0]!.owner) === client)
    const line = own.reduce((a, b) => (b.at(-1)!.place > a.at(-1)!.place ? b : a))
    return removeAt(line, line.length - 1).job
  }

  return {
    get size() {
      return size
    },
    push(job, owner) {
      const key = keyOf(owner)
      const client = clientOf(owner)
      const line = lines.get(key) ?? []
      line.push({ job, owner, place: place++ })
      lines.set(key, line)
      lineOf.set(job, line)
      waiting.set(client, (waiting.get(client) ?? 0) + 1)
      size++
      return size > most ? greediest() : undefined
    },
    next(costOf) {
      let best: Entry<T, Owner>[] | undefined
      let least = Number.POSITIVE_INFINITY
      for (const line of lines.values()) {
        const { owner, place: arrived } = line[0]!
        const cost = costOf(owner)
        if (cost === Number.POSITIVE_INFINITY || cost > least || (cost === least && arrived > best![0]!.place)) continue
        best = line
        least = cost
      }
      return best && removeAt(best, 0)
    },
    remove(job) {
      const line = lineOf.get(job)
      if (line)
        removeAt(
          line,
          line.findIndex((entry) => entry.job === job),
        )
    },
    drain() {
      const jobs = [...lines.values()].flat().sort((a, b) => a.place - b.place)
      lines.clear()
      lineOf.clear()
      waiting.clear()
      size = 0
      return jobs.map(({ job }) => job)
    },
  }
}
