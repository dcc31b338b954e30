import { createLookup } from './batched-lookup.ts'
import { ton } from './service.ts'
import type { Answer } from './types.ts'

export type About = Answer<'rpc.about'>

const useAboutOf = createLookup<About>(async ([key]) => new Map([[key!, await ton.rpc.about()]]))

/** Loaded once. Undefined until then. */
export const useAbout = (): About | undefined => useAboutOf('service')

/** True if the embedded chain is a fork of a network. */
export const useIsFork = (): boolean => useAbout()?.fork !== undefined
