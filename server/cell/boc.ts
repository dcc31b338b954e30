export { cellsInBoc, parsedSizeOf } from './boc/header.ts'
export { parseAccountBocOr, parseBoc, parseBocRoot, parseBocRootOr, parseBocRootSteps, parseBocSteps } from './boc/read.ts'
export { bocSteps, serializeBoc } from './boc/write.ts'
export { serializeBocInTurns } from './boc/write-in-turns.ts'
