import { describe, expect, it } from 'vitest'
import { createBusyMeter, createMemoryGovernor } from '../../server/base/memory/governor.ts'
import { allowGarbage, createHeapGrowth, growthOf } from '../../server/base/memory/heap-growth.ts'

const neverCalled = (): never => {
  throw new Error('must not be called')
}

/** What a governor does while the process is busy for these parts of each second. */
const done = (parts: readonly number[]): string[] => {
  const deeds: string[] = []
  const rest = [...parts]
  const look = createMemoryGovernor({
    busy: () => rest.shift()!,
    growth: (factor) => void deeds.push(`growth ${factor} after ${parts.length - rest.length}`),
    collect: () => void deeds.push(`collected after ${parts.length - rest.length}`),
  })
  for (const _ of parts) look()
  return deeds
}

describe('the memory of a process that serves', () => {
  it('garbage is collected once, after three quiet seconds', () => {
    expect(done([0.5, 0.5, 0, 0, 0.3, 0, 0, 0, 0, 0, 0, 0])).toEqual(['collected after 8'])
    expect(done([0.5, 0.3, 0.3, 0.3, 0.3])).toEqual([])
  })

  it('the young generation may grow while there is work, and no longer afterwards', () => {
    const pause = Array.from({ length: 9 }, () => 0)
    expect(done([0, 1, ...pause, 0.3, ...pause, 0, 0.5, 1])).toEqual(['growth 2 after 2', 'growth 1 after 22', 'growth 2 after 24'])
    // A quiet time counts either for the young generation or for the collection.
    expect(done([1, ...pause, 0, 0, 0, 0])).toEqual(['growth 2 after 1', 'growth 1 after 11', 'collected after 14'])
  })

  it('work of any thread counts, and an event loop that waits for a processor', () => {
    const at = { loop: 0, processor: 300, now: 5_000 }
    const busy = createBusyMeter({ loop: () => at.loop, processor: () => at.processor, now: () => at.now })
    const measured = (ms: number, worked: number, loop: number): number => {
      at.now += ms
      at.processor += worked
      at.loop = loop
      return busy()
    }
    expect([measured(1_000, 900, 0.1), measured(2_000, 200, 0.1), measured(1_000, 1_500, 0), measured(1_000, 300, 0.9)]).toEqual([
      0.9, 0.1, 1.5, 0.9,
    ])
  })

  it('a small heap may double, and a large one gets little room for garbage', () => {
    const MB = 1 << 20
    expect([10, 32, 64, 120, 200, 2_000].map((used) => growthOf(used * MB))).toEqual([100, 75, 40, 20, 10, 10])
    const sizes = [30, 31, 64, 66, 150, 30].map((used) => used * MB)
    const set: number[] = []
    const look = createHeapGrowth({
      used: () => sizes.shift()!,
      oldPages: () => 0,
      setGrowth: (percent) => void set.push(percent),
      setCompact: neverCalled,
    })
    for (let i = 0; i < 6; i++) look()
    expect(set).toEqual([80, 75, 40, 35, 15, 80])
  })

  it('a heap may hold more garbage while a thread makes much of it', () => {
    const set: number[] = []
    const look = createHeapGrowth({
      used: () => 32 << 20,
      oldPages: () => 0,
      setGrowth: (percent) => void set.push(percent),
      setCompact: neverCalled,
    })
    look()
    const ends = [allowGarbage(), allowGarbage()]
    for (const end of ends) {
      look()
      end()
      end()
    }
    look()
    expect(set).toEqual([75, 300, 75])
  })

  it('objects are moved together while the old generation is large', () => {
    const pages = [40, 87, 88, 120, 90, 70, 89].map((size) => size << 20)
    const set: boolean[] = []
    const look = createHeapGrowth({
      used: () => 1,
      oldPages: () => pages.shift()!,
      setGrowth: () => {},
      setCompact: (compacts) => void set.push(compacts),
    })
    for (let i = 0; i < 7; i++) look()
    expect(set).toEqual([true, false, true])
  })
})
