export { startTonway } from './start.ts'
export { createUseTonway } from './tests.ts'
export type * from './types.ts'
