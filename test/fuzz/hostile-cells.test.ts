import { describe, expect, it } from 'vitest'
import { expectEnds } from './expect-ends.ts'
import { bodyTargets, cellTargets, readerTargets } from './targets.ts'

/* Every reader of foreign cells gets bombs: small bags with more paths than anybody can walk. */

describe('readers of hostile cells', () => {
  it('every exported reader of a cell or a slice ends on full dictionaries of every width', async () => {
    const targets = await readerTargets(0)
    expect(targets.length).toBeGreaterThan(140)
    expectEnds(targets, 85)
  }, 120_000)

  it('bodies of every line of the catalogue are decoded, or refused, in bounded time', () => {
    expectEnds(bodyTargets(), 1)
  }, 120_000)

  it('bags are written and hashed by their cells, not by their paths', () => {
    expectEnds(cellTargets(), 60)
  })
})
