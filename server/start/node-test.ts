import { after, afterEach, before, beforeEach } from 'node:test'
import { createUseTonway } from './tonway.ts'
import type { UseTonway } from './types.ts'

export type * from './types.ts'

/**
 * A tonway for the tests of a `describe`, with the hooks of `node --test`. Outside of a `describe` node 20 runs all `before` at the same time, so those of the
 * file would not find the tonway.
 */
export const useTonway: UseTonway = createUseTonway({
  beforeAll: (run, timeout) => before(run, { timeout }),
  afterAll: (run, timeout) => after(run, { timeout }),
  beforeEach: (run) => beforeEach(run),
  afterEach: (run) => afterEach(run),
})
