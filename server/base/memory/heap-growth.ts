import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'

/*
 * How far the heap may grow before V8 collects its old objects. V8 allows garbage in proportion to the live data. That is right for a small heap, which
 * would otherwise be collected all the time. A large heap, as that of thousands of pending traces, would hold as much garbage as data. And when V8 collects
 * it, objects that live on stay in pages that are mostly empty: with 10,000 pending traces, 35 MB.
 */

/** How much garbage heaps may hold. */
interface Garbage {
  /** Beside the live data of this thread, bytes. */
  readonly bytes: number
  /** Largest growth, percent of the live data. */
  readonly growth: number
}
const COMMON: Garbage = { bytes: 24 << 20, growth: 100 }
/**
 * While a thread makes large pages. The rows of a page live longer than V8's young generation, so each page leaves some 20 MB of garbage among 24 MB of live data: with the common
 * growth each page would end with a collection of all of it, a quarter of the page's processor time.
 */
const MUCH: Garbage = { bytes: 96 << 20, growth: 400 }
/** Smallest growth, percent. V8 adds the size of the young generation, up to 16 MB, so a small growth is more than it seems. */
const LEAST = 10
/** The growth changes in steps, percent. */
const STEP = 5
/** Size of the old generation, free room too, from which collections move objects together, bytes. A service that is busy with ordinary calls has 40 to 70 MB. */
const COMPACT_FROM = 88 << 20

/** @internal How much a heap of this size, in bytes, may grow, percent. */
export const growthOf = (used: number, { bytes, growth }: Garbage = COMMON): number =>
  Math.min(growth, Math.max(LEAST, Math.round((100 * bytes) / used / STEP) * STEP))

/** Threads that make much garbage. */
const threads = new Set<object>()

/** Lets the heaps of this process hold more garbage, because a thread begins to make much of it. Returns a function that ends this; it can be called twice. */
export const allowGarbage = (): (() => void) => {
  const thread = {}
  threads.add(thread)
  return () => void threads.delete(thread)
}

/** Sets the growth, in percent; it holds from the next collection on. The flag is the same for all threads of the process. */
const setGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

/**
 * Whether collections move the objects of half-empty pages together. They take 8 % more processor time of a burst of messages then: V8 makes the young
 * generation small after each of them. A thread that starts meanwhile keeps a small one.
 */
const setCompact = (compacts: boolean): void => setFlagsFromString(compacts ? '--optimize-for-size' : '--no-optimize-for-size')

/** The heap of this thread and its flags; tests replace them. */
export interface GrowingHeap {
  /** Bytes of all objects, garbage too. */
  used(): number
  /** Bytes of the old generation's pages. */
  oldPages(): number
  setGrowth(percent: number): void
  setCompact(compacts: boolean): void
}

const OWN: GrowingHeap = {
  used: () => getHeapStatistics().used_heap_size,
  oldPages: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_size ?? 0,
  setGrowth,
  setCompact,
}

/** Returns a function that looks at the heap and adapts its growth. */
export const createHeapGrowth = ({ used, oldPages, setGrowth, setCompact }: GrowingHeap = OWN): (() => void) => {
  let set: number | undefined
  let compacts = false
  return () => {
    const growth = growthOf(used(), threads.size > 0 ? MUCH : COMMON)
    if (growth !== set) setGrowth(growth)
    set = growth
    const isLarge = oldPages() >= COMPACT_FROM
    if (isLarge !== compacts) setCompact(isLarge)
    compacts = isLarge
  }
}
