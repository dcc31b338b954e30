import { builtWorker } from '../../base/built-worker.ts'

/** URL of the index's built worker. Throws if it is not built. */
export const workerUrl = (): URL => builtWorker('index')
