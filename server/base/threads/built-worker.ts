import { existsSync } from 'node:fs'

/**
 * URL of a built worker (server/build/programs.mjs), `<room>/worker.js`. `from`: URL of the running file, which can be the bundle, one of its chunks, a
 * test program, or a source file under vitest. Sources also use the worker in dist, because node 20 cannot start a worker from TypeScript. Throws if the
 * worker is not built.
 */
export const builtWorker = (room: string, from: string = import.meta.url): URL => {
  const places = ['./', '../', '../server/', '../../server/', '../../../dist/server/']
  for (const place of places) {
    const url = new URL(`${place}${room}/worker.js`, from)
    if (existsSync(url)) return url
  }
  throw new Error(`${room}/worker.js is not built: run \`npm run build\``)
}
