/*
 * Fair queue of jobs. Each owner has its own line. The next job comes from the owner with the lowest cost, so a caller with many jobs does not delay other
 * callers.
 */

export interface LinesOptions<Owner> {
  readonly most: number
  /** Owners with the same key share a line. */
  readonly keyOf: (owner: Owner) => string
  readonly clientOf: (owner: Owner) => string
  /** Recent use by a client. If the queue is full and several clients have the most jobs, the client with the highest use loses a job. */
  readonly usedBy: (client: string) => number
}

export interface Lines<T, Owner> {
  readonly size: number
  /**
   * Adds a job. If the queue is full, removes and returns the newest job of the client with the most jobs, possibly the job just added. Among several such
   * clients, the one with the highest recent use loses a job.
   */
  push(job: T, owner: Owner): T | undefined
  /** Removes and returns the first job of the owner with the lowest cost; if costs are equal, the oldest job. An owner with an infinite cost is skipped. */
  next(costOf: (owner: Owner) => number): { readonly job: T; readonly owner: Owner } | undefined
  remove(job: T): void
  /** Removes all jobs. Returns them in order of arrival. */
  drain(): T[]
}

interface Entry<T, Owner> {
  readonly job: T
  readonly owner: Owner
  /** Sequence number of arrival. */
  readonly place: number
}

export const createLines = <T, Owner>({ most, keyOf, clientOf, usedBy }: LinesOptions<Owner>): Lines<T, Owner> => {
  const lines = new Map<string, Entry<T, Owner>[]>()
  let size = 0
  let place = 0

  const removeAt = (line: Entry<T, Owner>[], at: number): Entry<T, Owner> => {
    const [entry] = line.splice(at, 1)
    if (line.length === 0) lines.delete(keyOf(entry!.owner))
    size--
    return entry!
  }

  const greediest = (): T => {
    const waiting = new Map<string, number>()
    for (const line of lines.values()) {
      const client = clientOf(line[0]!.owner)
      waiting.set(client, (waiting.get(client) ?? 0) + line.length)
    }
    const jobs = Math.max(...waiting.values())
    const greedy = [...waiting].flatMap(([client, count]) => (count === jobs ? [{ client, used: usedBy(client) }] : []))
    // Of several clients with equal use, the one that began to wait last is chosen.
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
      const line = lines.get(key) ?? []
      line.push({ job, owner, place: place++ })
      lines.set(key, line)
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
      for (const line of lines.values()) {
        const at = line.findIndex((entry) => entry.job === job)
        if (at !== -1) return void removeAt(line, at)
      }
    },
    drain() {
      const jobs = [...lines.values()].flat().sort((a, b) => a.place - b.place)
      lines.clear()
      size = 0
      return jobs.map(({ job }) => job)
    },
  }
}
