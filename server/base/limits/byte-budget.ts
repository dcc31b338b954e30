/* A bound on the bytes that slow peers keep in the memory of this process, all together. Beyond it, those that cost most are cut off. */

/** What keeps bytes in memory: an answer that is being read, a request that is arriving. */
export interface Holder {
  bytes: number
  readonly since: number
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
  count(holder: H, more: number): void
  /** Cuts holders off until `bytes` more fit. False if they do not fit; it stops if `but` would be next. */
  makeRoom(bytes: number, but?: H): boolean
}

export interface BudgetOptions<H> {
  readonly most: number
  /** What a holder costs the others after so many milliseconds. The one that costs most is cut off first; undefined: it may not be cut off now. */
  readonly costOf: (holder: H, age: number) => number | undefined
}

export const createByteBudget = <H extends Holder>({ most, costOf }: BudgetOptions<H>): ByteBudget<H> => {
  const holders = new Set<H>()
  let total = 0

  /** Holders that may be cut off, the one that costs most first. */
  const ranked = (): H[] => {
    const now = performance.now()
    return [...holders]
      .flatMap((holder) => {
        const cost = holder.bytes === 0 ? undefined : costOf(holder, now - holder.since)
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
    count(holder, more) {
      if (!holders.has(holder)) return
      holder.bytes += more
      total += more
    },
    makeRoom(bytes, but) {
      if (total + bytes <= most) return true
      for (const holder of ranked()) {
        if (holder === but) return false
        remove(holder)
        holder.cut()
        if (total + bytes <= most) return true
      }
      return false
    },
  }
}
