import { describe, expect, it } from 'vitest'
import { createBusyMeter, createMemoryGovernor } from '../../server/base/memory/governor.ts'
import { createHeapGrowth, growthOf } from '../../server/base/memory/heap-growth.ts'

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
    expect(done([1, 0.5, 0, 0, 0.3, 0, 0, 0, 0, 0, 0, 0])).toEqual(['collected after 8'])
    expect(done([1, 0.3, 0.3, 0.3, 0.3])).toEqual([])
  })

  it('the young generation may grow while there is work, and no longer afterwards', () => {
    expect(done([1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0])).toEqual(['growth 2 after 6', 'growth 1 after 13'])
    // A quiet time counts either for the young generation or for the collection.
    expect(done([1, 1, 1, 0, 0, 0, 0, 0, 0])).toEqual(['growth 2 after 3', 'growth 1 after 6', 'collected after 9'])
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
    const look = createHeapGrowth({ used: () => sizes.shift()!, setGrowth: (percent) => void set.push(percent) })
    for (let i = 0; i < 6; i++) look()
    expect(set).toEqual([80, 75, 40, 35, 15, 80])
  })
})
