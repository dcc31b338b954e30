import { after, afterEach, before, beforeEach } from 'node:test'
import { createUseTonway } from './tonway.ts'
import type { UseTonway } from './types.ts'

export type * from './types.ts'

/**
 * `useTonway` with the hooks of `node --test`. It must be used inside a `describe`: outside, node 20 runs all `before` hooks at the same time, so hooks of
 * the file would run before the tonway has started.
 */
export const useTonway: UseTonway = createUseTonway({
  beforeAll: (run, timeout) => before(run, { timeout }),
  afterAll: (run, timeout) => after(run, { timeout }),
  beforeEach: (run) => beforeEach(run),
  afterEach: (run) => afterEach(run),
})
