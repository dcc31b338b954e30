import { createRequire } from 'node:module'

/** tonweb is a CommonJS bundle whose export is the class itself; its types say otherwise. */
export const TonWeb = createRequire(import.meta.url)('tonweb') as typeof import('tonweb').default
