/* Limits the bytes that slow clients occupy in the memory of this process, in total. Beyond the limit, the holders with the highest cost are cut off. */

export interface Holder {
  bytes: number
  /** Cost for other clients at this time. The holder with the highest cost is cut off first. undefined: the holder cannot be cut off yet. */
  cost(now: number): number | undefined
  /** Gives the bytes back at once. Thousands of holders may be cut off in a row, so what takes longer is left to later turns of the event loop. */
  cut(): void
}

/** Part of the limit that is free again after an overflow. Without it the next byte would overflow again, and ranking ten thousand holders takes milliseconds. */
const SLACK = 1 / 16

export const createByteBudget = <H extends Holder>(most: number) => {
  const holders = new Set<H>()
  let total = 0

  const costlier = (but: H | undefined): H[] => {
    const now = performance.now()
    /** -1: the holder cannot be cut off. */
    const costOf = (holder: H): number => (holder.bytes === 0 ? -1 : (holder.cost(now) ?? -1))
    const own = but === undefined ? -1 : costOf(but)
    const found: { readonly holder: H; readonly cost: number }[] = []
    for (const holder of holders) {
      const cost = costOf(holder)
      if (cost > own) found.push({ holder, cost })
    }
    return found.sort((a, b) => b.cost - a.cost).map(({ holder }) => holder)
  }
  /** Removes a holder and its bytes. A second call does nothing. */
  const remove = (holder: H): void => {
    if (!holders.delete(holder)) return
    total -= holder.bytes
    holder.bytes = 0
  }

  return {
    holders: holders as ReadonlySet<H>,
    total: (): number => total,
    add(holder: H): H {
      holders.add(holder)
      return holder
    },
    remove,
    /** Adds to the bytes of a holder. `ofAll`: the part of them that is not shared with other holders. */
    count(holder: H, more: number, ofAll = more): void {
      if (!holders.has(holder)) return
      holder.bytes += more
      total += ofAll
    },
    /** Cuts off holders that cost more than `but`, the most costly first, until `bytes` more fit with some slack. Returns false if the bytes do not fit. */
    makeRoom(bytes: number, but?: H): boolean {
      if (total + bytes <= most) return true
      for (const holder of costlier(but)) {
        holder.cut()
        remove(holder)
        if (total + bytes <= most * (1 - SLACK)) break
      }
      return total + bytes <= most
    },
  }
}
