import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createUseTonway } from './tonway.ts'
import type { UseTonway } from './types.ts'

export type * from './types.ts'

/** A tonway for the tests of a file, with vitest's hooks. */
export const useTonway: UseTonway = createUseTonway({ beforeAll, afterAll, beforeEach, afterEach })
