import { existsSync } from 'node:fs'

/**
 * URL of the built worker. It is beside the bundle (dist/server/main.js), above a shared chunk (dist/server/chunks/*), or beside a test program
 * (dist/test/*, its chunks). From the sources under vitest it is in dist, because node 20 cannot start a worker from TypeScript. Throws if not built.
 */
export const workerUrl = (from: string = import.meta.url): URL => {
  const places = ['./index', '../index', '../server/index', '../../server/index', '../../../dist/server/index']
  for (const place of places) {
    const url = new URL(`${place}/worker.js`, from)
    if (existsSync(url)) return url
  }
  throw new Error("the index's worker is not built: run `npm run build`")
}
