import { createUseTonway } from './tonway.ts'
import type { TestHooks, UseTonway } from './types.ts'

export type * from './types.ts'

/** A tonway for the tests of a file, with the hooks that jest puts into the global object. */
export const useTonway: UseTonway = (options) => createUseTonway(globalThis as unknown as TestHooks)(options)
