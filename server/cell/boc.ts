export { parseBoc, parseBocRoot } from './boc/read.ts'
export { serializeBoc } from './boc/write.ts'
