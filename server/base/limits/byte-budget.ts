/* Limits the bytes that slow clients occupy in the memory of this process, in total. Beyond the limit, the holders with the highest cost are cut off. */

export interface Holder {
  bytes: number
  /** Cost for other clients at this time. The holder with the highest cost is cut off first. undefined: the holder cannot be cut off yet. */
  cost(now: number): number | undefined
  cut(): void
}

export const createByteBudget = <H extends Holder>(most: number) => {
  const holders = new Set<H>()
  let total = 0

  const ranked = (): H[] => {
    const now = performance.now()
    return [...holders]
      .flatMap((holder) => {
        const cost = holder.bytes === 0 ? undefined : holder.cost(now)
        return cost === undefined ? [] : [{ holder, cost }]
      })
      .sort((a, b) => b.cost - a.cost)
      .map(({ holder }) => holder)
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
    /**
     * Cuts off holders, the most costly first, until `bytes` more fit. Neither `but` nor a holder that costs less than `but` is cut off. Returns false if the
     * bytes do not fit.
     */
    makeRoom(bytes: number, but?: H): boolean {
      if (total + bytes <= most) return true
      for (const holder of ranked()) {
        if (holder === but) return false
        holder.cut()
        remove(holder)
        if (total + bytes <= most) return true
      }
      return false
    },
  }
}
