import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/*
 * How far the heap may grow before V8 collects its old objects. V8 allows garbage in proportion to the live data. That is right for a small heap, which
 * would otherwise be collected all the time. A large heap, as that of thousands of pending traces, would hold as much garbage as data.
 */

/** Garbage that a heap may hold beside its live data, bytes. */
const GARBAGE = 24 << 20
/** Bounds of the growth, percent of the live data. V8 adds the size of the young generation, up to 16 MB, so a small growth is more than it seems. */
const GROWTH = { most: 100, least: 10 } as const
/** The growth changes in steps, percent. */
const STEP = 5

/** @internal How much a heap of this size, in bytes, may grow, percent. */
export const growthOf = (used: number): number =>
  Math.min(GROWTH.most, Math.max(GROWTH.least, Math.round((100 * GARBAGE) / used / STEP) * STEP))

/** Sets the growth, in percent; it holds from the next collection on. The flag is the same for all threads of the process. */
const setGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

/** The heap of this thread and its flag; tests replace them. */
export interface GrowingHeap {
  /** Bytes of all objects, garbage too. */
  used(): number
  setGrowth(percent: number): void
}

const OWN: GrowingHeap = { used: () => getHeapStatistics().used_heap_size, setGrowth }

/** Returns a function that looks at the heap and adapts its growth. */
export const createHeapGrowth = ({ used, setGrowth }: GrowingHeap = OWN): (() => void) => {
  let set: number | undefined
  return () => {
    const growth = growthOf(used())
    if (growth !== set) setGrowth(growth)
    set = growth
  }
}
