import { availableParallelism, totalmem } from 'node:os'

/** The machine of this process, as results name it. */
export const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
