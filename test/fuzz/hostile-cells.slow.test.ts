import { describe, expect, it } from 'vitest'
import { expectEnds } from './expect-ends.ts'
import { actionTargets, bodyTargets, readerTargets } from './targets.ts'

/* Every reader of foreign cells gets bombs: small bags with more paths than anybody can walk, alone, in real cells, and in traces of every kind of action. */

describe('readers of hostile cells', () => {
  it('every exported reader of a cell or a slice ends on full dictionaries of every width', async () => {
    const targets = await readerTargets(0)
    expect(targets.length).toBeGreaterThan(140)
    expectEnds(targets, 15)
  }, 600_000)

  it('every exported reader of a cell or a slice ends on real cells with a bomb in them', async () => {
    expectEnds(await readerTargets(1), 15)
  }, 600_000)

  it('bodies of every line of the catalogue are decoded, or refused, in bounded time', () => {
    expectEnds(bodyTargets(), 2)
  }, 600_000)

  it('traces of every kind of action are classified in bounded time', () => {
    expectEnds(actionTargets(), 2)
  }, 600_000)
})
