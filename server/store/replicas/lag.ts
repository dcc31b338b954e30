/* How far a replica is behind its primary, in time. Positions in the write-ahead log (WAL) are compared, so no clock of another machine matters, and a
   primary without writes has replicas without lag. */

/** A position of the primary's WAL in bytes, and when it was seen (performance.now(), milliseconds). */
interface Mark {
  readonly wal: bigint
  readonly at: number
}

/** Marks that are kept. When there are more, every second one of the older half is dropped: a long lag need not be exact. */
const MOST = 512

export interface LagClock {
  /** Notes the primary's position. */
  mark(wal: bigint, at: number): void
  /** Records that the primary does not answer. Until the next mark the lag is computed for the moment at which the primary was last seen. */
  stop(): void
  /**
   * Milliseconds since the primary wrote the oldest change that a replica at position `replayed` has not replayed. Undefined if the primary was never seen.
   * Infinity if the replica lacks changes from before the primary was first seen: nobody knows how old they are.
   */
  lagOf(replayed: bigint, now: number): number | undefined
}

export const createLagClock = (): LagClock => {
  let marks: Mark[] = []
  /** Where the primary was when it was first seen: how old the changes before it are is not known. */
  let first: bigint | undefined
  /** When the primary was seen last. */
  let seen = 0
  let stopped = false
  return {
    mark(wal, at) {
      seen = at
      stopped = false
      first ??= wal
      if (marks.at(-1)?.wal === wal) return
      // After a failover to a server that is behind, positions begin again at a lower one.
      if ((marks.at(-1)?.wal ?? wal) > wal) marks = []
      marks.push({ wal, at })
      if (marks.length > MOST) marks = marks.filter((_, i) => i >= MOST / 2 || i % 2 === 0)
    },
    stop() {
      stopped = true
    },
    lagOf(replayed, now) {
      if (marks.length === 0) return undefined
      const missing = marks.find(({ wal }) => wal > replayed)
      if (missing === undefined) return 0
      if (stopped) return seen - missing.at
      return missing.wal === first ? Number.POSITIVE_INFINITY : now - missing.at
    },
  }
}
