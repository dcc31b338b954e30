import { existsSync } from 'node:fs'

/**
 * Finds the built worker: beside the bundle (dist/server/main.js), above a shared chunk (dist/server/chunks/*), beside a test program (dist/test/*,
 * its chunks), or, if this runs from the sources under vitest, in the project's dist, because node 20 cannot start a thread from TypeScript. Throws
 * an Error if there is none.
 */
export const workerUrl = (from: string = import.meta.url): URL => {
  const candidates = [
    './tvm/worker.js',
    '../tvm/worker.js',
    './worker.js',
    '../server/tvm/worker.js',
    '../../server/tvm/worker.js',
    '../../dist/server/tvm/worker.js',
  ]
  for (const candidate of candidates) {
    const url = new URL(candidate, from)
    if (existsSync(url)) return url
  }
  throw new Error('the TVM worker is not built: run `npm run build`')
}
