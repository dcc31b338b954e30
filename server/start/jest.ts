import { createUseTonway } from './tonway.ts'
import type { TestHooks, UseTonway } from './types.ts'

export type * from './types.ts'

/** `useTonway` with jest's global hooks. */
export const useTonway: UseTonway = (options) => createUseTonway(globalThis as unknown as TestHooks)(options)
