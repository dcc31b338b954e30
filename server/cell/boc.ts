export type { BocLimits } from './boc/header.ts'
export { parseBoc, parseBocRoot } from './boc/read.ts'
export { type BocOptions, serializeBoc } from './boc/write.ts'
