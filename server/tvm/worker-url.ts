import { existsSync } from 'node:fs'

/**
 * Where the built worker stands: beside the bundle (dist/server/main.js), above a shared chunk (dist/server/chunks/*), beside a test program
 * (dist/test/*, its chunks), or, when this runs from the sources under vitest, in the project's dist: node 20 cannot start a thread from TypeScript.
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
