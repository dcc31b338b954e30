/* Jobs that wait. The next job is one of the owner with the lowest cost, so a caller with many jobs does not delay other callers. */

export interface LineOptions<Owner> {
  readonly most: number
  readonly clientOf: (owner: Owner) => string
  /** Recent use by a client. If the line is full and several clients have the most jobs, one of high use loses a job. */
  readonly usedBy: (client: string) => number
}

/** Clients with the most jobs whose use is compared. There may be ten thousand with one each, and thousands of jobs that come in one turn. */
const COMPARED = 100

export const createFairLine = <T, Owner>({ most: longest, clientOf, usedBy }: LineOptions<Owner>) => {
  /** Jobs of each owner, in order of arrival. */
  const lines = new Map<Owner, T[]>()
  const counts = new Map<string, number>()
  const count = (client: string, change: 1 | -1): void => {
    const own = (counts.get(client) ?? 0) + change
    if (own > 0) counts.set(client, own)
    else counts.delete(client)
  }
  let size = 0

  const take = (owner: Owner, at = 0): T => {
    const line = lines.get(owner)!
    const [job] = line.splice(at, 1) as [T]
    if (line.length === 0) lines.delete(owner)
    count(clientOf(owner), -1)
    size--
    return job
  }

  const removeGreediest = (newest: string): T => {
    let most = 0
    let compared: string[] = []
    for (const [client, own] of counts) {
      if (own > most) [most, compared] = [own, []]
      if (own === most && compared.length < COMPARED) compared.push(client)
    }
    if (counts.get(newest) === most) compared.push(newest)
    // Of several clients with equal use, the last one is chosen.
    const client = compared.reduce((a, b) => (usedBy(b) >= usedBy(a) ? b : a))
    let last: Owner | undefined
    for (const owner of lines.keys()) if (clientOf(owner) === client) last = owner
    return take(last!, -1)
  }

  return {
    get size() {
      return size
    },
    /**
     * Adds a job. If the line is full, removes and returns the last job of the client with the most jobs, possibly the job just added. Among several such
     * clients, the one with the highest recent use loses a job; of over a hundred, the highest of a hundred and the one that came.
     */
    push(job: T, owner: Owner): T | undefined {
      if (!lines.get(owner)?.push(job)) lines.set(owner, [job])
      count(clientOf(owner), 1)
      return ++size > longest ? removeGreediest(clientOf(owner)) : undefined
    },
    /** Removes and returns the first job of the owner with the lowest cost; of equal ones, of the owner that has waited longest. Skips infinite costs. */
    next(costOf: (owner: Owner) => number): { readonly job: T; readonly owner: Owner } | undefined {
      let best: { readonly owner: Owner; readonly cost: number } | undefined
      for (const owner of lines.keys()) {
        const cost = costOf(owner)
        if (cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { owner, cost }
      }
      return best && { job: take(best.owner), owner: best.owner }
    },
    /** Takes the first job of each of the owners with the lowest costs: this part of all owners whose cost is finite. */
    nextOf(costOf: (owner: Owner) => number, part: number): T[] {
      const all = [...lines.keys()].map((owner) => ({ owner, cost: costOf(owner) })).filter(({ cost }) => cost < Number.POSITIVE_INFINITY)
      all.sort((a, b) => a.cost - b.cost)
      return all.slice(0, Math.ceil(all.length * part)).map(({ owner }) => take(owner))
    },
    /** Returns whether the job waited. `owners`: those that may have it. */
    remove(job: T, owners: Iterable<Owner> = lines.keys()): boolean {
      for (const owner of owners) {
        const at = lines.get(owner)?.indexOf(job) ?? -1
        if (at >= 0) return take(owner, at) === job
      }
      return false
    },
    /** Removes all jobs. Returns them by owner. */
    drain: (): T[] => [...lines].flatMap(([owner, line]) => line.slice().map(() => take(owner))),
  }
}
