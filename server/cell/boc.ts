export { cellsInBoc } from './boc/header.ts'
export { parseAccountBocOr, parseBoc, parseBocRoot, parseBocRootOr, parseBocRootSteps, parseBocSteps } from './boc/read.ts'
export { serializeBoc } from './boc/write.ts'
export { bocSteps } from './boc/write-steps.ts'
