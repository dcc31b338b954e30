/* A bound on the bytes that slow peers keep in the memory of this process, all together. Beyond it, those that cost most are cut off. */

/** What keeps bytes in memory: a reader of answers, a request that is arriving. */
export interface Holder {
  bytes: number
  /** What it costs the others now. The one that costs most is cut off first; undefined: it may not be cut off yet. */
  cost(now: number): number | undefined
  /** Ends it. Its bytes are given up. */
  cut(): void
}

export interface ByteBudget<H extends Holder> {
  readonly holders: ReadonlySet<H>
  /** Bytes of all holders. */
  total(): number
  /** Makes a holder, which begins without bytes. */
  add(holder: H): H
  /** Forgets a holder and its bytes. Calling it twice is harmless. */
  remove(holder: H): void
  /** Counts bytes of a holder. `ofAll`: those of them that no other holder has. */
  count(holder: H, more: number, ofAll?: number): void
  /** Cuts holders off until `bytes` more fit. False if they do not fit; it stops if `but` would be next. */
  makeRoom(bytes: number, but?: H): boolean
}

export const createByteBudget = <H extends Holder>(most: number): ByteBudget<H> => {
  const holders = new Set<H>()
  let total = 0

  /** Holders that may be cut off, the one that costs most first. */
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
  const remove = (holder: H): void => {
    if (!holders.delete(holder)) return
    total -= holder.bytes
    holder.bytes = 0
  }

  return {
    holders,
    total: () => total,
    add(holder) {
      holders.add(holder)
      return holder
    },
    remove,
    count(holder, more, ofAll = more) {
      if (!holders.has(holder)) return
      holder.bytes += more
      total += ofAll
    },
    makeRoom(bytes, but) {
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
