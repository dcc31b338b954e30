import { bundle } from './load.ts'

/** The built `tonway.js`: the members of ../tonway.ts. */
export const { startTonway, createUseTonway } = bundle
