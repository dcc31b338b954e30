import { existsSync } from 'node:fs'

/**
 * Where the built worker stands: beside the bundle (dist/server/main.js), above a shared chunk (dist/server/chunks/*), beside a test program
 * (dist/test/*, its chunks), or, when this runs from the sources under vitest, in the project's dist: node 20 cannot start a thread from TypeScript.
 */
export const workerUrl = (from: string = import.meta.url): URL => {
  const places = ['./index', '../index', '../server/index', '../../server/index', '../../../dist/server/index']
  for (const place of places) {
    const url = new URL(`${place}/worker.js`, from)
    if (existsSync(url)) return url
  }
  throw new Error("the index's worker is not built: run `npm run build`")
}
