import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createUseTonway } from './tonway.ts'
import type { UseTonway } from './types.ts'

export type * from './types.ts'

/** `useTonway` with vitest's hooks. */
export const useTonway: UseTonway = createUseTonway({ beforeAll, afterAll, beforeEach, afterEach })
