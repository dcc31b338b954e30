import { describe, it } from 'vitest'
import { expectEnds } from './expect-ends.ts'
import { actionTargets, bodyTargets, readerTargets } from './targets.ts'

/* More bombs, in real cells and in traces of every kind of action. */

describe('readers of hostile cells among real ones', () => {
  it('every exported reader of a cell or a slice ends on real cells with a bomb in them', async () => {
    expectEnds(await readerTargets(1), 110)
  }, 600_000)

  it('bodies of every line of the catalogue are decoded, or refused, in bounded time', () => {
    expectEnds(bodyTargets(), 5)
  }, 600_000)

  it('traces of every kind of action are classified in bounded time', () => {
    expectEnds(actionTargets(), 8)
  }, 600_000)
})
