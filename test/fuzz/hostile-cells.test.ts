import { describe, it } from 'vitest'
import { expectEnds } from './expect-ends.ts'
import { cellTargets } from './targets.ts'

/* Small bags with more paths than anybody can walk. hostile-cells.slow.test.ts gives them to every reader of foreign cells. */

describe('hostile cells', () => {
  it('bags are written and hashed by their cells, not by their paths', () => {
    expectEnds(cellTargets(), 60)
  })
})
