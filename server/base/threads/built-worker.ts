import { existsSync } from 'node:fs'

/**
 * URL of a built worker (server/build/programs.mjs), `<room>/worker.js`. The worker is in the folder of the bundle (dist/server/main.js), above the folder of a
 * shared chunk (dist/server/chunks/*), or in dist/server for a test program (dist/test/* and its chunks). Sources under vitest also use the worker in dist,
 * because node 20 cannot start a worker from TypeScript. Throws if the worker is not built. `from`: URL of the running file.
 */
export const builtWorker = (room: string, from: string = import.meta.url): URL => {
  const places = ['./', '../', '../server/', '../../server/', '../../../dist/server/']
  for (const place of places) {
    const url = new URL(`${place}${room}/worker.js`, from)
    if (existsSync(url)) return url
  }
  throw new Error(`${room}/worker.js is not built: run \`npm run build\``)
}
