/* Jobs that wait. The next job is one of the owner with the lowest cost, so a caller with many jobs does not delay other callers. */

export interface LineOptions<Owner> {
  readonly most: number
  readonly clientOf: (owner: Owner) => string
  /** Recent use by a client. If the line is full and several clients have the most jobs, one of high use loses a job. */
  readonly usedBy: (client: string) => number
}

/** Clients with the most jobs whose use is compared. There may be ten thousand with one each, and thousands of jobs that come in one turn. */
const COMPARED = 100

interface Entry<T, Owner> {
  readonly job: T
  readonly owner: Owner
}

/** Counts items by client, and knows the clients with the most, of whom there may be ten thousand. */
const createTally = () => {
  const counts = new Map<string, number>()
  /** Clients by the number of their items. The last set is not empty. */
  const groups: Set<string>[] = []
  return {
    add(client: string, change: 1 | -1): void {
      const before = counts.get(client) ?? 0
      groups[before]?.delete(client)
      const count = before + change
      counts.set(client, count)
      if (count === 0) counts.delete(client)
      else groups[count] = (groups[count] ?? new Set()).add(client)
      while (groups.length > 0 && !groups.at(-1)?.size) groups.pop()
    },
    /** The clients with the most items, in the order in which they came to have so many. */
    greediest: (): ReadonlySet<string> => groups.at(-1) ?? new Set(),
  }
}

export const createFairLine = <T, Owner>({ most, clientOf, usedBy }: LineOptions<Owner>) => {
  let entries: Entry<T, Owner>[] = []
  const tally = createTally()

  const removeAt = (at: number): Entry<T, Owner> | undefined => {
    const entry = at < 0 ? undefined : entries.splice(at, 1)[0]
    if (entry !== undefined) tally.add(clientOf(entry.owner), -1)
    return entry
  }

  const removeGreediest = (): T => {
    const greediest = tally.greediest()
    const newest = clientOf(entries.at(-1)!.owner)
    const compared: string[] = []
    for (const each of greediest) if (compared.push(each) === COMPARED) break
    if (greediest.has(newest)) compared.push(newest)
    // Of several clients with equal use, the one that came to have so many jobs last is chosen.
    const client = compared.reduce((a, b) => (usedBy(b) >= usedBy(a) ? b : a))
    return removeAt(entries.findLastIndex(({ owner }) => clientOf(owner) === client))!.job
  }

  return {
    get size() {
      return entries.length
    },
    /**
     * Adds a job. If the line is full, removes and returns the newest job of the client with the most jobs, possibly the job just added. Among several such
     * clients, the one with the highest recent use loses a job; of over a hundred, the highest of a hundred and the one that came.
     */
    push(job: T, owner: Owner): T | undefined {
      entries.push({ job, owner })
      tally.add(clientOf(owner), 1)
      return entries.length > most ? removeGreediest() : undefined
    },
    /**
     * Removes and returns the first job of the owner with the lowest cost; if costs are equal, the oldest job. An owner with an infinite cost is skipped.
     * Neighbours of the same owner need its cost once.
     */
    next(costOf: (owner: Owner) => number): Entry<T, Owner> | undefined {
      let best = -1
      let least = Number.POSITIVE_INFINITY
      let cost = least
      for (const [at, { owner }] of entries.entries()) {
        if (owner !== entries[at - 1]?.owner) cost = costOf(owner)
        if (cost >= least) continue
        best = at
        least = cost
      }
      return removeAt(best)
    },
    /** Takes the `count` jobs whose owners have the lowest costs. Each call of `next` looks at all jobs, this one looks at them once. Costs must be finite. */
    nextOf(costOf: (owner: Owner) => number, count: number): T[] {
      const all = entries.map((entry) => ({ entry, cost: costOf(entry.owner) })).sort((a, b) => a.cost - b.cost)
      const chosen = new Set(all.slice(0, count).map(({ entry }) => entry))
      entries = entries.filter((entry) => !chosen.has(entry))
      for (const { owner } of chosen) tally.add(clientOf(owner), -1)
      return [...chosen].map(({ job }) => job)
    },
    /** Returns whether the job waited. */
    remove: (job: T): boolean => removeAt(entries.findIndex((entry) => entry.job === job)) !== undefined,
    /** Removes all jobs. Returns them in order of arrival. */
    drain: (): T[] => entries.slice().map(() => removeAt(0)!.job),
  }
}
